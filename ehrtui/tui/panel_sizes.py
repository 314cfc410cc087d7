"""How the user has parted the screen: the widths of the schema and of what stands beside the answer, kept in a file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE = "panels.json"
"""The file of the state directory that holds them."""
MAX_BYTES = 1_000
LEAST_SCHEMA, LEAST_SIDE, LEAST_ANSWER = 16, 30, 40
"""Columns below which a panel tells nothing any more."""


@dataclass(frozen=True)
class PanelSizes:
    """Columns of the `schema` and of the `side` (turns, plan, confidence), None as they come; `with_schema` says
    whether the schema is wanted where there is room for it."""

    schema: int | None = None
    side: int | None = None
    with_schema: bool = True


def kept_sizes(state: Path) -> PanelSizes:
    """The sizes that were kept last; those that come by themselves where none were, or where they cannot be read."""
    try:
        with (state / FILE).open(encoding="utf-8") as file:
            told = json.loads(file.read(MAX_BYTES))
    except (OSError, ValueError):
        return PanelSizes()
    if not isinstance(told, dict):
        return PanelSizes()
    schema, side = (told.get(name) if type(told.get(name)) is int else None for name in ("schema", "side"))
    return PanelSizes(schema, side, told.get("with_schema") is not False)


def keep_sizes(state: Path, sizes: PanelSizes) -> None:
    """Keep the sizes; where that cannot be written, they are for this time."""
    try:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        (state / FILE).write_text(json.dumps(asdict(sizes)) + "\n", encoding="utf-8")
    except OSError:
        return


def within(wanted: int, least: int, width: int) -> int:
    """A width that is as near to the wanted one as a screen of `width` columns has room for."""
    return max(min(wanted, (width - LEAST_ANSWER) // 2), least)
