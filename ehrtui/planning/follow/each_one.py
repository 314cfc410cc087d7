"""What is told of each of those of an answer, one by one: how long each stay lasted, and the first, last, highest or
lowest of the records that they were told by ("when was the first one for each?", "show the highest value of each")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Function,
    Groups,
    Has,
    Of,
    Order,
    Own,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.follow.listed import is_named
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.recounting import is_count
from ehrtui.planning.follow.saying import covers, outermost
from ehrtui.planning.follow.showing import rows_told
from ehrtui.planning.follow.subject import Subject, subject_of
from ehrtui.planning.follow.telling import tells_whose
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import length_of, limited, parts_of
from ehrtui.planning.reader.numbers import unit_said
from ehrtui.schema.kinds import kind_of

_End: TypeAlias = "tuple[bool, bool]"
ENDS: dict[str, _End] = {
    "first": (False, False),
    "earliest": (False, False),
    "initial": (False, False),
    "last": (False, True),
    "latest": (False, True),
    "recent": (False, True),
    "final": (False, True),
    "highest": (True, True),
    "peak": (True, True),
    "maximum": (True, True),
    "max": (True, True),
    "maximal": (True, True),
    "lowest": (True, False),
    "minimum": (True, False),
    "min": (True, False),
    "minimal": (True, False),
    "nadir": (True, False),
}
"""Words for the end of an order: whether it is one of values, or of times, and whether it is the last or highest."""
_FUNCTIONS = {"maximum", "max", "maximal", "minimum", "min", "minimal"}
"""Words for a number over values, which is told as one."""
_WHEN = {"when", "date", "dates", "time", "times", "day", "moment"}
_VALUES = {"value", "values", "result", "results", "level", "levels", "reading", "readings", "measurement", "number"}
_EACH = {"each", "every", "everyone", "respectively", "respective", "their", "per"}
_BESIDE = {"did", "happen", "happened", "occur", "patient", "patients", "person", "people", "had", "have", "has", "got",
           "given", "done", "started", "start", "dose", "doses", "most", "time", "times", "he", "she", "get", "order",
           "orders", "record", "tell", "need", "how", "high", "low", "stay", "stays", "admission", "admissions", "drug",
           "drugs", "test", "tests", "add", "include"}  # fmt: skip
_TAKEN = {"when", "measured", "taken", "done", "drawn", "recorded", "made", "given", "did", "happen", "happened",
          "exactly", "reached", "occur", "occurred", "had"}  # fmt: skip
_THAT = {"that", "this", "it", "they", "these", "those", "he", "she", "each"}
_KEYS = (Own(PATIENT), Own(HOSPITAL), Own(ICU), Own("id"))
_COUNTING = {"how", "many", "did", "do", "does", "have", "had", "they", "get", "got", "each", "patient", "of"}
_HAVING_MOST = {"who", "which", "has", "had", "have", "most", "got", "it", "often", "patient", "patients", "number",
                "records", "times"}  # fmt: skip
_TAILS = (("for", "each", "of", "them"), ("of", "each", "of", "them"), ("for", "each", "patient"), ("of", "each"),
          ("for", "each"), ("each",))  # fmt: skip
_LASTING = {"how", "long", "last", "lasted", "did", "stay", "stays", "admission", "admissions", "visit", "visits",
            "take", "took", "days", "hours", "length", "duration", "lengths", "durations", "hospital", "icu",
            "individual", "tell", "respective", "their", "number", "many",
            "hospitalization", "hospitalizations"}  # fmt: skip
_OVER_ALL: dict[str, Function] = {"average": "mean", "mean": "mean", "avg": "mean", "median": "median"}
_SEVERAL = {"each", "every", "they", "them", "these", "those", "their", "respective", "individual"}


def length_of_all(one: Lexed, statement: Statement) -> Statement | None:
    """How long the stays of an answer were on average: "how long do they stay on average?"."""
    functions = {_OVER_ALL[word] for word in one.words if word in _OVER_ALL}
    words = _LASTING | _SEVERAL | {*_OVER_ALL, "on", "typically", "usually", "do"}
    said = {*one.words}
    asks = {"how", "long"} <= said or not said.isdisjoint({"length", "duration", "stay"})
    rows = rows_told(statement)
    if len(functions) != 1 or not asks or said & {"each", "every"} or not covers(one, words, ()):
        return None
    if rows is None or rows.of.unit == PATIENT or said.isdisjoint(_SEVERAL | {"long"}):
        return None
    unit = unit_said(one.words)
    return Single((Aggregate(functions.pop(), rows.of, length_of(unit or "day")),))


def told_of_each(
    one: Lexed, statement: Statement, latest: int, asked: Callable[[str, Statement], Statement | None]
) -> Statement | None:
    """What is asked of each of those of an answer, where "each" stands behind it: "how many admissions each?"."""
    words = [word for word in one.words if word[0].isalnum()]
    tail = next((tail for tail in _TAILS if tuple(words[-len(tail) :]) == tail), None)
    subject = subject_of(latest, statement)
    of = rows_about(statement)
    if tail is None or subject is None or of is None or of.unit not in UNITS or subject.person is not None:
        return None
    rest = words[: -len(tail)]
    rest = rest[1:] if rest[:1] == ["and"] else rest
    if not rest or isinstance(statement, Groups) or not _lists(statement):
        return None
    if (counted := _counted_of_each(one, rest, of)) is not None:
        return counted
    text = " ".join(rest)
    for said in (f"for each of them: {text}", f"each of them: {text}"):  # neither ends in "each" again
        made = asked(said, Single((Aggregate("count", of),)))
        if made is not None and tells_whose(made):
            return made
    return None


def _counted_of_each(one: Lexed, words: Sequence[str], of: Set) -> Statement | None:
    """How many stays or records each of the patients has: "how many admissions each?"."""
    if tuple(words[:2]) != ("how", "many") or of.unit != PATIENT:
        return None
    nodes = outermost(node for node in one.nodes if node.kind in ("stays", "event"))
    if len(nodes) != 1 or nodes[0].sense.of.pick is not None or not covers(one, _COUNTING, nodes):
        return None
    return Rows(of, (Own("id"), Aggregate("count", nodes[0].sense.of)))


def _lists(statement: Statement) -> bool:
    """True for an answer that lists or counts patients or stays."""
    return is_count(statement) or (isinstance(statement, Rows) and statement.of.unit in UNITS)


def lengths_of_each(one: Lexed, statement: Statement) -> Statement | None:
    """How long each of the stays of an answer was, beside its id: "how long did each stay?"."""
    said = {*one.words}
    asks = {"how", "long"} <= said or not said.isdisjoint({"length", "lengths", "duration", "durations"})
    rows = rows_told(statement)
    if not asks or said.isdisjoint(_SEVERAL) or not covers(one, _LASTING | _SEVERAL, ()) or rows is None:
        return None
    if rows.of.unit == PATIENT:
        return None
    unit = unit_said(one.words)
    columns = tuple(dict.fromkeys((*rows.columns, length_of(unit or "day"))))
    return replace(rows, columns=columns, distinct=False)


def picked_of_each(one: Lexed, statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    """The first, last, highest or lowest of the records that those of an answer were told by, for each of them."""
    said = {*one.words}
    ends = {ENDS[word] for word in said if word in ENDS}
    if not ends or said.isdisjoint(_EACH) or not covers(one, {*ENDS} | _WHEN | _VALUES | _EACH | _BESIDE, ()):
        return None
    if len(ends) > 1:
        return _ends_of_each_name(statement) if ends == {(False, False), (False, True)} else None
    by_value, descending = min(ends)
    when = "when" in said or bool(said & {"date", "dates", "moment"}) or bool(said & _WHEN and not said & _VALUES)
    if (named := _of_each_name(statement, by_value=by_value, descending=descending)) is not None:
        return named
    of = rows_about(statement)
    whole = alone_if_near(of, earlier) if of is not None else None
    if of is None or whole is None or of.unit not in UNITS:
        return None
    own = {one for one in told_by(of) if kind_of(one.unit.replace(" ", "_")).limited or not by_value}
    records = (own if len(own) == 1 else {*told_by(whole)}) or {*_stays_told_by(whole)}
    if len(records) != 1:
        return None
    told = records.pop()
    measured = kind_of(told.unit.replace(" ", "_")).limited
    if by_value and not measured:
        return None
    pick = Pick(1, Own("value") if by_value else None, descending, of.unit)
    whose = Own(PATIENT if of.unit == PATIENT else of.unit)
    columns = [Own("value")] if measured and (by_value or not when or said & _VALUES) else []
    columns += [Own("time")] if when or not measured else []
    return Rows(replace(limited(told, Of(of)), pick=pick), (whose, *columns), distinct=by_value and not when)


def of_picked(one: Lexed, statement: Statement) -> Statement | None:
    """What is asked of the records that were picked for each of those of an answer, or for one: when they were ("when
    was that measured?"), or the other end of their order ("and the lowest?")."""
    if not isinstance(statement, Rows) or statement.of.unit in UNITS:
        return None
    first = statement.order is not None and statement.order.first == 1
    if first and "when" in one.words and covers(one, _TAKEN | _THAT, ()):
        return replace(statement, columns=(Own("time"),))
    if statement.of.pick is None:
        return None
    said, of, pick = {*one.words}, statement.of, statement.of.pick
    if "when" in said and covers(one, _TAKEN | _THAT, ()):
        keys = [column for column in statement.columns if column in _KEYS]
        return Rows(of, (*keys, *([Own("value")] if keys and Own("value") in statement.columns else []), Own("time")))
    ends = {ENDS[word] for word in said if word in ENDS} if said.isdisjoint(_FUNCTIONS) else set()
    measured = kind_of(of.unit.replace(" ", "_")).limited
    if len(ends) != 1 or not measured or Own("value") not in statement.columns:
        return None
    if not covers(one, {*ENDS} | {"value", "one", "about", "how", "his", "her", "their", "very", "most", "on"}, ()):
        return None
    by_value, descending = ends.pop()
    turned = replace(pick, nth=1, by=Own("value") if by_value else None, descending=descending)
    return None if turned == pick else replace(statement, of=replace(of, pick=turned))


def _ends_of_each_name(statement: Statement) -> Statement | None:
    """When each of the things that an answer lists by name was first and last."""
    first = _of_each_name(statement, by_value=False, descending=False)
    last = _of_each_name(statement, by_value=False, descending=True)
    if not isinstance(first, Groups) or not isinstance(last, Groups):
        return None
    return replace(first, columns=(*first.columns, *last.columns))


def _of_each_name(statement: Statement, *, by_value: bool, descending: bool) -> Statement | None:
    """When each of the things that an answer lists by name was first, or last: "the first dose of each"."""
    match statement:
        case Rows(of=Set(unit=unit, pick=None) as of, columns=(Own("name"),)) if unit not in UNITS and not by_value:
            when = Aggregate("maximum" if descending else "minimum", None, Own("time"))
            return Groups(of, (Own("name"),), (when,))
    return None


def told_by(of: Set) -> Iterator[Set]:
    """The named records that rows are told by, be it through their stays or patients."""
    for part in parts_of(of.where):
        if isinstance(part, Has | Of):
            if isinstance(part, Has) and is_named(part.of):
                yield replace(part.of, pick=None)
            else:
                yield from told_by(part.of)


def _stays_told_by(of: Set) -> Iterator[Set]:
    """The stays that patients are told by: how many they had, or of what kind."""
    for part in parts_of(of.where):
        if isinstance(part, Has) and part.of.unit in (HOSPITAL, ICU) and part.of.pick is None:
            yield part.of


def most_of_each(one: Lexed, statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    """Who of the patients of an answer has the most of the records or stays that they were told by: "who has most?"."""
    of = rows_about(statement)
    if "most" not in one.words or not {"who", "which"} & {*one.words} or not covers(one, _HAVING_MOST, ()):
        return None
    if of is None or of.unit != PATIENT or not _lists(statement):
        return None
    whole = alone_if_near(of, earlier)
    records = ({*told_by(whole)} or {*_stays_told_by(whole)}) if whole is not None else set()
    if len(records) != 1:
        return None
    count = Aggregate("count", records.pop())
    return Rows(of, (Own("id"), count), order=Order(count, True, 1, ties=True))


def of_each_stay(statement: Statement, subjects: tuple[Subject, ...]) -> Statement:
    """The first or last record of each of several stays that are pointed at ("the last sodium of these"), and not the
    one of all of them; any other statement as it is."""
    if not isinstance(statement, Rows) or statement.of.unit in UNITS or statement.of.pick is None:
        return statement
    of, pick = statement.of, statement.of.pick
    assert pick is not None
    if pick.by is not None or pick.per not in (PATIENT, "all"):
        return statement
    stays = [part.of for part in parts_of(of.where) if isinstance(part, Of) and part.of.unit not in (PATIENT,)]
    stays = [one for one in stays if one.unit in UNITS and one.pick is None and _is_of(one, subjects)]
    if len(stays) != 1:
        return statement
    whose = Own(stays[0].unit)
    return replace(
        statement, of=replace(of, pick=replace(pick, per=stays[0].unit)), columns=(whose, *statement.columns)
    )


def _is_of(stays: Set, subjects: tuple[Subject, ...]) -> bool:
    return any(
        subject.unit == stays.unit
        and subject.person is None
        and {*parts_of(subject.of.where)} <= {*parts_of(stays.where)}
        for subject in subjects
    )
