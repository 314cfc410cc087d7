"""An earlier answer in another order: its patients by what they are, or its rows by what they show first."""

from __future__ import annotations

from ehrtui.logic.model import Aggregate, Count, Field, Fields, Logic, Ordered, Patients, Query, Rows, Source, Top
from ehrtui.logic.steps import EarlierTurn
from ehrtui.planning.offline import pointing
from ehrtui.planning.offline.conversation_words import Order
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.edits import unfolded
from ehrtui.planning.offline.parts import Parts
from ehrtui.planning.offline.pointing import lists_patients
from ehrtui.schema.kinds import PATIENT, role_of_stays
from ehrtui.schema.profile import Profile

_TIMES = ("time", "date", "times", "dates", "charttime")


def sorted_answer(order: Order, parts: Parts, turns: Turns) -> tuple[Logic, int] | None:
    """The logic of an earlier answer in that order, with its turn; None where it does not show what to sort by."""
    named = parts.turn if parts.marks.of("turn") else None
    latest = turns.latest
    shown = turns[latest].logic
    by_group = isinstance(shown, Query) and shown.by == order.by != ""
    if not by_group and order.by in _fields_of_patients(parts.profile):
        several = turns.where(lambda n: not (turns[n].single and lists_patients(turns[n], parts.profile)))
        group = named or pointing.group_of(several or turns, parts.profile)
        if group is None:
            return None
        who = Patients(turn=group, sex=parts.sex, age=parts.age)
        return Ordered(Query(Field("id"), Source(PATIENT), who), order.by, order.descending, order.count), group
    number = named or latest
    if number not in turns or not _shows_first(order.by, turns[number], turns):
        return None
    return Ordered(Rows(number), "", order.descending, order.count), number


def _fields_of_patients(profile: Profile) -> set[str]:
    return {field for role in (PATIENT, role_of_stays("hospital")) for field in profile.role(role).fields}


def _shows_first(by: str, turn: EarlierTurn, turns: Turns) -> bool:
    """True where the answer's first column is what to sort by; rows are sorted by that one."""
    if not by:
        return True
    asked = "time" if by in _TIMES else by
    logic = turn.logic
    while isinstance(logic, Ordered):
        logic = unfolded(logic.of, turns) if isinstance(logic.of, Rows) else logic.of
    shown = {turn.columns[0].lower()} | _first_of(unfolded(logic, turns))
    if asked == "value" and len(turn.columns) == 1 and not shown & {"name", "time", "id", "stay"}:
        return True
    return bool(shown & {asked, asked.removesuffix("s")})


def _first_of(logic: Logic | None) -> set[str]:
    """What the first column of a query's answer holds."""
    match logic:
        case Query(want=Count(per=unit) | Aggregate(per=unit)) if unit is not None:
            return {unit, "time"}
        case Query(by=by) if by:
            return {by}
        case Query(want=Field(name=name)):
            return {name}
        case Query(want=Fields(names=names)):
            return {names[0]}
        case Query(want=Top()):
            return {"name"}
        case _:
            return set()
