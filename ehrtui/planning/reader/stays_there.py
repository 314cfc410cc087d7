"""How long a stay on a ward was: "how many hours does a stay in the ER take" asks for the time there, and not for that
in the hospital of those who were there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    UNITS,
    Aggregate,
    Has,
    Interval,
    Is,
    Measure,
    Of,
    Own,
    Set,
    Single,
    Statement,
    TimeUnit,
)
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, parts_of
from ehrtui.schema.kinds import kind_of

_IN = {"in", "at", "on", "per"}
_WHOLE = ("hospital", "admi", "inpatient", "overall")
"""What words begin with that speak of the whole stay."""
_WHO = {"who", "whose", "with", "from", "through", "via", "came", "come", "coming", "had", "those", "after", "before"}
"""Words by which the ward only says whose stays are meant."""
_NEAR = 3


def alone_there(statement: Statement, one: Lexed) -> Statement:
    """The statement with the length of stays on a ward, where it is that of hospital stays with one there."""
    match statement:
        case Single(
            columns=(Aggregate(of=Set(unit=unit) as of, measure=Interval() | Own("length") as length) as number,)
        ):
            there = _records(of)
            if unit == HOSPITAL and there is not None and _is_whole(length) and _says_so(one, there.unit):
                known = limited(there, Is(Own("end time"), "present"))
                lasted = Interval(_unit(length), Own("time"), Own("end time"))
                return Single((replace(number, of=known, measure=lasted),))
    return statement


def _records(of: Set) -> Set | None:
    """The stays on the ward that alone say which stays are meant."""
    parts = parts_of(of.where)
    had = [part for part in parts if isinstance(part, Has)]
    of_whom = [Of(Set(PATIENT, (), part)) for part in had]  # who was there, said once more
    if len(had) == 1 and of.pick is None and all(part in (*had, *of_whom) for part in parts):
        there = had[0].of
        if there.unit not in UNITS and kind_of(there.unit.replace(" ", "_")).place and there.items:
            return there
    return None


def _is_whole(length: Measure) -> bool:
    return length == Own("length") or (
        isinstance(length, Interval) and (length.start, length.end) == (Own("time"), Own("end time"))
    )


def _unit(length: Measure) -> TimeUnit:
    return length.unit if isinstance(length, Interval) else "day"


def _says_so(one: Lexed, unit: str) -> bool:
    words = one.words
    if any(word.startswith(_WHOLE) for word in words) or _WHO & set(words):
        return False
    return any(
        node.kind == "event" and not node.sense.noun and node.sense.of.unit == unit and _is_in(words, node.start)
        for node in one.nodes
    )


def _is_in(words: Sequence[str], at: int) -> bool:
    return bool(_IN & {*words[max(0, at - _NEAR) : at]})
