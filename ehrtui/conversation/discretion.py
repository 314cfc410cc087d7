"""What a session file may say of a turn: nothing that was read from the rows of the database."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ehrtui.privacy.vocabulary import own_words

_TEXT = re.compile(r"'((?:[^']|'')*)'")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WHOLE_NUMBER = re.compile(rf"(?<![\w.]){_NUMBER.pattern}(?!\w)")  # not the 9 of icd9_code
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_WORD = re.compile(r"[^\W_]+")
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


def spells_more(text: str, sources: Iterable[str]) -> bool:
    """True when `text` (a message, a column's name) has a word that none of its `sources` spells and that is not one of
    ehrtui's own: then a plan may have put it together from rows."""
    spelled = {word.lower() for source in sources for word in _WORD.findall(source)}
    return any(word not in spelled and word not in own_words() for word in map(str.lower, _WORD.findall(text)))


def dates_from_rows(text: str, sources: Iterable[str]) -> bool:
    """True when `text` (why a question is not answered) has a date that none of its `sources` spells."""
    known = "\n".join(sources)
    return any(date not in known for date in _DATE.findall(text))


def discreet_columns(columns: Iterable[str], sources: Sequence[str]) -> tuple[str, ...]:
    """Names of columns, with a number in place of each that may have been put together from rows."""
    return tuple(f"column {at}" if spells_more(name, sources) else name for at, name in enumerate(columns, start=1))
