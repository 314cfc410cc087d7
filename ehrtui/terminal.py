"""Text that a database, a plan, a file or its name may hold, made safe for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

BESIDE = "· "
"""Before the title of a column that was not asked, and helps to read those that were."""

_HIDDEN = "\N{REPLACEMENT CHARACTER}"


class _Visible(dict[int, int | str]):
    """For each character what is shown of it; those of `kept` as they are."""

    def __init__(self, kept: str) -> None:
        super().__init__({ord(one): ord(one) for one in kept})

    def __missing__(self, code: int) -> int | str:
        one = chr(code)
        if one.isprintable() or unicodedata.category(one) == "Zs":
            shown: int | str = code
        elif code < 0x20:
            shown = chr(0x2400 + code)
        else:
            shown = _HIDDEN
        self[code] = shown
        return shown


_IN_A_LINE, _OVER_LINES = _Visible(""), _Visible("\n\t")


def printable(text: str, *, lines: bool = False) -> str:
    """`text` with every character that a terminal would obey, or that hides or reorders others, made visible, one for
    one: control characters by their pictures (␛), characters of format and direction, surrogates and what is unknown
    as �. With `lines`, line feeds and tabs stay."""
    return text if text.isprintable() else text.translate(_OVER_LINES if lines else _IN_A_LINE)


def beside(columns: Sequence[str], asked: int | None) -> list[str]:
    """The titles of columns, those behind the `asked` ones (None: all of them) marked as standing beside the answer."""
    return [title if asked is None or at < asked else f"{BESIDE}{title}" for at, title in enumerate(columns)]
