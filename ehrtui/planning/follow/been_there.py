"""Those of an answer who were in their stay, or in the place that it told of, for so long: "who has been in for more
than 3 days, longest first?", "how many of them were there over 6 hours?"."""

from __future__ import annotations

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    Interval,
    Is,
    Measure,
    Of,
    Order,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    TimeUnit,
    Value,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import as_patients, stays_behind
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, length_of, limited, plain
from ehrtui.planning.reader.so_far import go_on, until_now

_BEING = {"been", "be", "were", "was", "stayed", "spent", "waited"}
_THERE = {"there", "here", "in", "inside", "stayed", "waited"}
_WORDS = _BEING | {
    *("here", "inside", "who", "who've", "whom", "they've", "have", "has", "had", "how", "many", "number", "on", "at"),
    *("patients", "people", "stays", "admissions", "already", "so", "far", "by", "now", "still", "long", "with"),
    *("their", "days", "hours", "longest", "shortest", "first", "top", "descending", "most", "order", "ordered"),
    *("sorted", "length", "lengths", "weeks", "minutes", "unit", "icu", "any", "each", "and"),
}  # fmt: skip
_TELLS_LENGTH = {"number", "length", "lengths", "long", "days", "hours"}
_SIZES: dict[str, bool] = {"longest": True, "descending": True, "most": True, "shortest": False}


def been_there(one: Lexed, statement: Statement) -> Statement | None:
    """Those who were there so long: how many they are, or who, with how long it was where that is asked, or ordered."""
    if _BEING.isdisjoint(one.words) or _THERE.isdisjoint(one.words):
        return None
    limits = [node for node in one.nodes if node.kind == "limit" and node.sense.unit]
    if len(limits) != 1 or not covers(one, _WORDS, limits):
        return None
    limit = limits[0]
    of = rows_about(statement)
    if of is None or of.pick is not None:
        return None
    stays = of if of.unit in (HOSPITAL, ICU) else stays_behind(of) or _stays_now(of)
    if stays is None:
        return None
    tests = [
        Test(_lasting(statement, limit.sense.unit), sign, Value(plain(number))) for sign, number in limit.sense.tests
    ]
    return until_now(_told(one, limit, statement, limited(stays, *tests), people=of.unit == PATIENT))


def _stays_now(of: Set) -> Set | None:
    """The stays that go on of patients who were told by one, and by something more."""
    units = {node.unit for node in walk(of) if isinstance(node, Set) and go_on(node)}
    if of.unit != PATIENT or len(units) != 1:
        return None
    return Set(units.pop(), (), every([Is(Own("end time"), "missing"), Of(of)]))


def _told(one: Lexed, limit: Node, statement: Statement, stays: Set, *, people: bool) -> Statement:
    rest = [word for at, word in enumerate(one.words) if not limit.start <= at < limit.end]
    whom = as_patients(stays) if people else stays
    if "how" in rest and "many" in rest and "days" not in rest[rest.index("how") :][:3]:
        return Single((Aggregate("count", whom),))
    order = next((_SIZES[word] for word in rest if word in _SIZES), None)
    if order is None and _TELLS_LENGTH.isdisjoint(rest):
        return Rows(whom, (Own("id"),))
    length = _lasting(statement, "hour" if "hours" in rest else "day" if "days" in rest else limit.sense.unit)
    whose = (Own(PATIENT),) if people else (Own("id"),)
    return Rows(stays, (*whose, length), order=None if order is None else Order(length, order))


def _lasting(statement: Statement, unit: TimeUnit) -> Measure:
    """How long it was: the time that the answer told or reckoned with, else the length of the stay."""
    told = [part for part in walk(statement) if isinstance(part, Interval)]
    if len({(part.start, part.end) for part in told}) == 1:
        return Interval(unit, told[0].start, told[0].end)
    return length_of(unit)
