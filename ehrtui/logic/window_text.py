"""Windows of time in the text of query logic: "in 2104", "since 3 months ago", "on day 5 of last month"."""

from __future__ import annotations

from typing import cast, get_args

from ehrtui.logic.cursor import Cursor
from ehrtui.logic.model import Calendar, Relative, Unit, When, Window
from ehrtui.logic.words import RELATIONS


class WindowReader(Cursor):
    """Reads windows, besides what any cursor takes."""

    def calendar_unit(self) -> Unit:
        """Take a calendar unit. Raises LogicError."""
        words = [f"{unit}{plural}" for unit in get_args(Unit) for plural in ("", "s")]
        return cast(Unit, self.need(*words).removesuffix("s"))

    def windows(self, most: int | None = None) -> tuple[Window, ...]:
        """Take the windows that come next, `most` so many."""
        windows: list[Window] = []
        while len(windows) != most and (self.peek().text in ("today", "yesterday") or self.peek().text in RELATIONS):
            windows.append(Window(self.take(*RELATIONS) or "in", self.when()))  # type: ignore[arg-type]
        return tuple(windows)

    def when(self) -> When:
        """Take a time. Raises LogicError."""
        if date := self.take_kind("date"):
            date, _, time = date.partition("T")
            parts = [int(part) for part in date.split("-")]
            return Calendar(parts[0], parts[1], parts[2] if len(parts) > 2 else None, time)
        ago = self.peek(1).text.removesuffix("s") in get_args(Unit)
        if self.peek().kind == "number" and len(self.peek().text) == 4 and not ago:
            return Calendar(self.number())
        month = self.number() if self.take("month") else None
        day = self.number() if self.take("day") else None
        if month is not None or day is not None:
            self.need("of")
        return self._relative(month, day)

    def _relative(self, month: int | None, day: int | None) -> Relative:
        if word := self.take("today", "yesterday"):
            return Relative("day", ("today", "yesterday").index(word), month=month, day=day)
        if word := self.take("this", "last"):
            unit = self.need("year", "month", "week")
            return Relative(cast(Unit, unit), ("this", "last").index(word), month=month, day=day)
        if self.peek().kind != "number":
            self.fail("expected a time, such as 2104, 2104-05, last year or 3 months ago")
        back, unit = self.number(), self.calendar_unit()
        self.need("ago")
        return Relative(unit, back, ago=True, month=month, day=day)
