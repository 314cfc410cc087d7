"""The highest, lowest, first or last value of each of those of an answer, cut or limited: "the highest of each stay,
top 5", "lowest platelet count of each of those stays, only where it fell below 50"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Of,
    Order,
    Own,
    Pick,
    Rows,
    Set,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.follow.each_one import ENDS, told_by
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.pointing import STAY_NOUNS
from ehrtui.planning.follow.saying import FILL, outermost
from ehrtui.planning.follow.subject import as_patients, as_stays, subject_of
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, plain
from ehrtui.planning.reader.numbers import number
from ehrtui.schema.kinds import kind_of

_EACH = {"each", "every", "per"}
_VALUES = {"value", "values", "result", "results", "level", "levels", "reading", "readings", "measurement"}
_WORDS = FILL | _EACH | _VALUES | {
    *("where", "when", "if", "went", "fell", "dropped", "got", "rose", "was", "were", "is", "had", "ever", "patient"),
    *("patients", "their", "his", "her", "top", "highest", "lowest", "first", "last", "descending", "ascending"),
    *("order", "ordered", "sorted", "rank", "ranked", "largest", "smallest", "bottom", "during", "at", "on", "icu"),
    "hospital",
}  # fmt: skip
_PATIENTS = {"patient", "patients", "person", "people"}
_DOWN = {("highest", "first"), ("largest", "first"), ("descending",)}
_UP = {("lowest", "first"), ("smallest", "first"), ("ascending",)}


@dataclass(frozen=True)
class _Tail:
    """What is said behind the value of each: which are kept, and in what order."""

    limit: Node | None
    first: int | None
    descending: bool | None


def ends_of_each(one: Lexed, statement: Statement, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """Such values, each beside whose it is; nothing where a word is left over, or where nothing is cut."""
    at = next((at for at, word in enumerate(one.words) if word in ENDS), None)
    if at is None or _EACH.isdisjoint(one.words) or (subject := subject_of(latest, statement)) is None:
        return None
    by_value, descending = ENDS[one.words[at]]
    named = outermost(
        node for node in one.nodes if node.kind == "event" and _is_measured(node) and not node.start <= at < node.end
    )
    tail = _tail(one, at)
    if tail is None or len(named) > 1 or tail == _Tail(None, None, None):
        return None
    covered = {
        place for node in (*named, *([tail.limit] if tail.limit else [])) for place in range(node.start, node.end)
    }
    for place, word in enumerate(one.words):
        known = place in covered or place == at or not word[0].isalnum() or word in _WORDS | STAY_NOUNS
        if not known and number(word) is None:
            return None
    of = _whose(one.words, subject.of)
    records = named[0].sense.of if named else _records(statement, earlier)
    if of is None or records is None or of.unit not in UNITS:
        return None
    told = limited(replace(records, pick=None), Of(of))
    if tail.limit is not None:
        signs = {sign for sign, _ in tail.limit.sense.tests}
        if not by_value or not signs <= ({">", ">="} if descending else {"<", "<="}):
            return None
        told = limited(told, *(Test(Own("value"), sign, Value(plain(size))) for sign, size in tail.limit.sense.tests))
    pick = Pick(1, Own("value") if by_value else None, descending, of.unit)
    down = descending if tail.descending is None else tail.descending
    order = Order(Own("value"), down, tail.first) if tail.first or tail.descending is not None else None
    whose = Own(PATIENT if of.unit == PATIENT else of.unit)
    return Rows(replace(told, pick=pick), (whose, Own("value")), distinct=by_value, order=order)


def _is_measured(node: Node) -> bool:
    return (
        not node.sense.noun
        and node.sense.of.pick is None
        and kind_of(node.sense.role).measured
        and not node.sense.others
    )


def _tail(one: Lexed, start: int) -> _Tail | None:
    """What is said of the values behind them; None where more than one limit is."""
    limits = outermost(
        node for node in one.nodes if node.kind == "limit" and not node.sense.unit and node.start > start
    )
    if len(limits) > 1:
        return None
    words = one.words
    first = next((at for at in range(start + 1, len(words) - 1) if words[at] in ("top", "bottom")), None)
    size = number(words[first + 1]) if first is not None else None
    said = [tuple(words[at : at + size_]) for at in range(start + 1, len(words)) for size_ in (1, 2)]
    down = True if not _DOWN.isdisjoint(said) else False if not _UP.isdisjoint(said) else None
    return _Tail(limits[0] if limits else None, int(size) if size else None, down)


def _whose(words: Sequence[str], of: Set) -> Set | None:
    """Of whom one each is told: the stays or patients that a noun behind "each" says, or those of the answer."""
    at = next(at for at, word in enumerate(words) if word in _EACH)
    behind = words[at + 1 : at + 5]
    if not _PATIENTS.isdisjoint(behind):
        return as_patients(of)
    if not STAY_NOUNS.isdisjoint(behind):
        return as_stays(of, ICU if "icu" in behind or of.unit == ICU else HOSPITAL)
    return of


def _records(statement: Statement, earlier: Mapping[int, Statement]) -> Set | None:
    """The measured records that those of an answer were told by; None where these are not of one kind."""
    of = rows_about(statement)
    whole = alone_if_near(of, earlier) if of is not None else None
    found = (
        {one for one in told_by(whole) if kind_of(one.unit.replace(" ", "_")).measured} if whole is not None else set()
    )
    return found.pop() if len(found) == 1 else None
