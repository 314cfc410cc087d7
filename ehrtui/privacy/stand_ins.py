"""What stands for a placeholder's value where a plan is rehearsed: made up of its name and of how its value is written,
which is all that a language model knows of it."""

from __future__ import annotations

import re

from ehrtui.privacy.placeholders import Placeholder, Placeholders

_NUMBER = re.compile(r"<([A-Z]+)_(\d+)>")
_BASES = {"PATIENT": 970_000_000, "STAY": 980_000_000, "NUMBER": 990_000_000}
_DIGITS = re.compile(r"a number of (\d) digit")
_OF_DIGITS = {"1": 1, "2": 81, "3": 801}
"""Of so many digits, numbers from here on."""
_MOMENTS = {
    "a year, YYYY": "{0}",
    "a month, YYYY-MM": "{0}-01",
    "a day, YYYY-MM-DD": "{0}-01-01",
    "an instant, YYYY-MM-DD HH:MM:SS": "{0}-01-01 00:00:00",
    "a time of day": "00:00:00",
    "a day of the year, MM-DD": "01-01",
}


def stand_in(name: str, shape: str, *, in_logic: bool = False) -> str:
    """A value for the placeholder `name`, whose own is written as `shape` says; `in_logic`, where a number may be a
    percentile or one of a date, one of as many digits."""
    kind, number = _NUMBER.fullmatch(name).groups()  # type: ignore[union-attr]
    digits = _DIGITS.match(shape) if in_logic else None
    if digits is not None:
        return str(_OF_DIGITS[digits[1]] + int(number) % 9)
    if kind == "DATE":
        return _MOMENTS.get(shape, "{0}-01-01").format(1000 + int(number) % 1000)
    if kind in _BASES and "number" in shape:
        return str(_BASES[kind] + int(number))
    return f"{kind.lower()}{number}x"


class StandIns:
    """Placeholders with stand-ins in place of their values, for `restored_plan`, or `in_logic` for
    `restored_logic`."""

    def __init__(self, placeholders: Placeholders, *, in_logic: bool = False) -> None:
        self._placeholders = placeholders
        self._in_logic = in_logic

    def __getitem__(self, name: str) -> Placeholder:
        known = self._placeholders[name]
        value = self._of(known)
        return Placeholder(name, value, value, known.shape)

    def named(self, text: str) -> str:
        """A text with placeholders in place of stand-ins."""
        return self._put(text, {self._of(one): one.name for one in self._placeholders})

    def said(self, text: str) -> str:
        """A text with what the user said in place of stand-ins."""
        return self._put(text, {self._of(one): one.said for one in self._placeholders})

    def _of(self, one: Placeholder) -> str:
        return stand_in(one.name, one.shape, in_logic=self._in_logic)

    @staticmethod
    def _put(text: str, values: dict[str, str]) -> str:
        if not values:
            return text
        known = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)(?:{known})(?!\w)", lambda match: values[match[0]], text)
