"""What a session file may say of a turn: nothing that was read from the rows of the database."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TEXT = re.compile(r"'((?:[^']|'')*)'")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WHOLE_NUMBER = re.compile(rf"(?<![\w.]){_NUMBER.pattern}(?!\w)")  # not the 9 of icd9_code
_HARMLESS = frozenset({"0", "1"})


def quotes_rows(sql: str, sources: Iterable[str]) -> bool:
    """True when `sql` holds a text or a number that none of its `sources` (plans, the database now) spells: then it was
    put in from rows, as when a plan computes a list of patients in Python and looks them up."""
    known = "\n".join(sources).lower()
    numbers = _HARMLESS.union(_NUMBER.findall(known))
    texts = [match[1].replace("''", "'").lower() for match in _TEXT.finditer(sql)]
    if any(text not in known and text.replace("'", "''") not in known for text in texts):
        return True
    return any(number not in numbers for number in _WHOLE_NUMBER.findall(_TEXT.sub("", sql)))
