"""What stands for a placeholder's value where a plan is rehearsed: made up of its name and of how its value is written,
which is all that a language model knows of it."""

from __future__ import annotations

import re

from ehrtui.privacy.placeholders import Placeholder, Placeholders

_NUMBER = re.compile(r"<([A-Z]+)_(\d+)>")
_BASES = {"PATIENT": 970_000_000, "STAY": 980_000_000, "NUMBER": 990_000_000}
_MOMENTS = {
    "a year, YYYY": "{0}",
    "a month, YYYY-MM": "{0}-01",
    "a day, YYYY-MM-DD": "{0}-01-01",
    "an instant, YYYY-MM-DD HH:MM:SS": "{0}-01-01 00:00:00",
    "a time of day": "00:00:00",
    "a day of the year, MM-DD": "01-01",
}


def stand_in(name: str, shape: str) -> str:
    """A value for the placeholder `name`, whose own is written as `shape` says."""
    kind, number = _NUMBER.fullmatch(name).groups()  # type: ignore[union-attr]
    if kind == "DATE":
        return _MOMENTS.get(shape, "{0}-01-01").format(1000 + int(number) % 1000)
    if kind in _BASES and "number" in shape:
        return str(_BASES[kind] + int(number))
    return f"{kind.lower()}{number}x"


class StandIns:
    """Placeholders with stand-ins in place of their values, for `restored_plan`."""

    def __init__(self, placeholders: Placeholders) -> None:
        self._placeholders = placeholders

    def __getitem__(self, name: str) -> Placeholder:
        known = self._placeholders[name]
        value = stand_in(name, known.shape)
        return Placeholder(name, value, value, known.shape)

    def named(self, text: str) -> str:
        """A text with placeholders in place of stand-ins."""
        return self._put(text, {stand_in(one.name, one.shape): one.name for one in self._placeholders})

    def said(self, text: str) -> str:
        """A text with what the user said in place of stand-ins."""
        return self._put(text, {stand_in(one.name, one.shape): one.said for one in self._placeholders})

    @staticmethod
    def _put(text: str, values: dict[str, str]) -> str:
        if not values:
            return text
        known = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)(?:{known})(?!\w)", lambda match: values[match[0]], text)
