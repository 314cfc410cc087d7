"""The same of the year or the month beside that of an answer: "and the year before?", "the month after?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.model import Calendar, Relative, Window
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.lexing import Lexed

_BEFORE = {"before", "previous", "preceding", "prior", "earlier"}
_AFTER = {"after", "next", "following", "subsequent", "later"}
_UNITS = {"year", "month"}
_OPENING = {"about", "how", "same", "during", "from", "at", "figure", "number"}
_MONTHS = 12


def next_time(one: Lexed, statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    """The statement of the calendar year or month before, or after, the only one that it was of."""
    words = {*one.words}
    units, before, after = words & _UNITS, bool(words & _BEFORE), bool(words & _AFTER)
    if len(units) != 1 or before == after or not covers(one, _UNITS | _BEFORE | _AFTER | _OPENING, ()):
        return None
    whole = alone_if_near(statement, earlier) or statement
    windows = {node for node in walk(whole) if isinstance(node, Window)}
    if len(windows) != 1:
        return None
    old = windows.pop()
    new = _beside(old, units.pop(), -1 if before else 1)
    return None if new is None else mapped(whole, lambda node: new if node == old else node)


def _beside(window: Window, unit: str, step: int) -> Window | None:
    match window:
        case Window(relation="in", when=Calendar(year=int(year), month=None, day=None) as when) if unit == "year":
            return replace(window, when=replace(when, year=year + step))
        case Window(relation="in", when=Calendar(year=int(year), month=int(month), day=None) as when):
            months = year * _MONTHS + month - 1 + step * (_MONTHS if unit == "year" else 1)
            return replace(window, when=replace(when, year=months // _MONTHS, month=months % _MONTHS + 1))
        case Window(relation="in", when=Relative(unit=told, ago=False, month=None, day=None) as when) if told == unit:
            back = when.back - step
            return replace(window, when=replace(when, back=back)) if back in (0, 1) else None
    return None
