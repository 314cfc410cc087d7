"""Which earlier turn a question points at: a group of patients, one patient, a list of names, stays."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.model import (
    Combined,
    Count,
    Elapsed,
    Exists,
    Field,
    Logic,
    Ordered,
    PatientId,
    Patients,
    Percentile,
    Query,
    Rows,
    Stay,
    Top,
)
from ehrtui.logic.steps import EarlierTurn
from ehrtui.planning.offline.earlier import Turns
from ehrtui.schema.kinds import stays
from ehrtui.schema.profile import Profile


def latest_first(turns: Turns) -> Iterator[tuple[int, Logic]]:
    """The turns that have logic, the latest first."""
    for number in turns.newest_first:
        logic = turns[number].logic
        if logic is not None:
            yield number, logic


def group_of(turns: Turns, profile: Profile) -> int | None:
    """The turn whose patients "those patients" are: the latest one that lists or counts some, or the group that the
    latest one is about; None where there is none."""
    loose: int | None = None
    for number, logic in latest_first(turns):
        own = _own_group(number, turns, profile)
        if own is not None:
            return own
        if loose is None and isinstance(logic, Query) and not logic.patients.ids:
            loose = number
    return loose


def _own_group(number: int, turns: Turns, profile: Profile) -> int | None:
    """The turn of the group that one turn is about."""
    turn = turns.get(number)
    if turn is None:
        return None
    logic = turn.logic
    if isinstance(logic, Rows) and logic.turn in turns and logic.turn != number:
        return _own_group(logic.turn, turns.without(number), profile)
    if lists_patients(turn, profile):
        return number
    if not isinstance(logic, Query) or logic.patients.ids:
        return None
    if isinstance(logic.want, Exists) and logic.patients.turn is not None:
        return logic.patients.turn
    if logic.of_patients and isinstance(logic.want, Count | Exists):
        return number
    who = logic.patients
    if who.turn is not None and not (who.conditions or who.sex or who.age):
        return who.turn
    return number if who.turn is not None or who.sex or who.age or who.conditions else None


def whole_group(turns: Turns, number: int, profile: Profile) -> int | None:
    """The turn that lists or counts the patients whom one turn is about; None where it is about others, or narrows
    them down by itself: behind "how many of them died?" it may be these or all of them."""
    turn = turns.get(number)
    if turn is None:
        return None
    logic = turn.logic
    if isinstance(logic, Rows) and logic.turn in turns and logic.turn != number:
        return whole_group(turns.without(number), logic.turn, profile)
    if lists_patients(turn, profile):
        return number
    who = whom(logic)
    if who is None or who == Patients(turn=who.turn):
        return who.turn if who is not None else None
    counted = isinstance(logic, Query) and logic.of_patients and isinstance(logic.want, Count)
    return number if counted and who.turn is None and not who.ids else None


def counted_among(turns: Turns, group: int | None) -> int | None:
    """The turn whose patients are counted next where no word points at those counted last: "how many went home?" and
    then "how many died?" are both of the patients who were listed before."""
    logic = turns[group].logic if group is not None else None
    if not isinstance(logic, Query) or not logic.of_patients or not isinstance(logic.want, Count):
        return group
    return logic.patients.turn if logic.patients.turn in turns else group


def whom(logic: Logic | None) -> Patients | None:
    """The patients whom a question is about; of a percentage, those that it is taken of."""
    about = logic.right if isinstance(logic, Combined) else logic
    return about.patients if isinstance(about, Query) else None


def lists_patients(turn: EarlierTurn, profile: Profile) -> bool:
    """True when the turn's rows name patients, more than one for all its logic says."""
    names = {name.lower() for name in profile.patient_columns}
    if not any(column.lower() in names for column in turn.columns):
        return False
    logic = turn.logic
    return logic is None or isinstance(logic, Ordered | Combined) or not patients_of(logic)


def lists_numbers(turn: EarlierTurn, profile: Profile) -> bool:
    """True unless what a turn tells last are identifiers of patients or stays, over which no number is taken."""
    keys = {*profile.patient_columns, *(stay.id for stay in profile.stays.values())}
    return not turn.columns or turn.columns[-1].lower() not in {key.lower() for key in keys}


def latest_list(turns: Turns) -> int | None:
    """The turn whose rows were seen, or counted, last."""
    latest = next(turns.newest_first, None)
    logic = turns[latest].logic if latest is not None else None
    return logic.turn if isinstance(logic, Rows) and logic.count and logic.turn in turns else latest


def lists_names(turns: Turns, number: int) -> str:
    """The role of the items that a turn lists by name; "" where it lists none."""
    logic = turns[number].logic if number in turns else None
    match logic:
        case Query(want=Field(name="name") | Top()) if not logic.of_patients:
            return logic.source.role
        case Rows(turn=behind) | Combined(left=Rows(turn=behind)) | Ordered(of=Rows(turn=behind)) if (
            behind in turns and behind != number
        ):
            return lists_names(turns.without(number), behind) if not (isinstance(logic, Rows) and logic.count) else ""
        case _:
            return ""


def patients_of(logic: Logic) -> tuple[PatientId, ...]:
    """The patients whom the logic names by identifier."""
    match logic:
        case Query():
            return logic.patients.ids
        case Elapsed():
            return logic.query.patients.ids
        case Combined(left=Query() as left):
            return left.patients.ids
        case Percentile():
            return (logic.patient,)
        case _:
            return ()


def one_patient(turns: Turns) -> tuple[PatientId, ...]:
    """The one patient that was spoken of last; none where nobody was."""
    return next((ids for _, logic in latest_first(turns) if len(ids := patients_of(logic)) == 1), ())


def sole_patient(turns: Turns, profile: Profile) -> int | None:
    """The turn whose one row is the patient who was spoken of last ("who is the oldest?"); None where a patient was
    named since then, or none was spoken of."""
    for number in turns.newest_first:
        logic = turns[number].logic
        if logic is not None and len(patients_of(logic)) == 1:
            return None
        if turns[number].single and lists_patients(turns[number], profile):
            return number
        behind = logic.patients.turn if isinstance(logic, Query) else None
        if behind is not None and behind in turns and turns[behind].single and lists_patients(turns[behind], profile):
            return behind
    return None


def stay_meant(turns: Turns, profile: Profile, kind: str | None) -> tuple[Stay, Patients] | None:
    """The stay, or stays, that were spoken of last, of one kind or (None) of any, and whose they are."""
    for number, logic in latest_first(turns):
        if not isinstance(logic, Query):
            continue
        for meant in (stays_listed(turns, number, profile), logic.during):
            if meant is not None and kind in (None, meant.kind):
                return meant, logic.patients
    return None


def stays_listed(turns: Turns, number: int, profile: Profile) -> Stay | None:
    """The stays that a turn is about, where its records are stays."""
    turn = turns.get(number)
    logic = turn.logic if turn else None
    if turn is None or not isinstance(logic, Query):
        return None
    kind = stays().get(logic.source.role)
    if logic.want == Field("stay"):
        kind = "icu" if profile.role(logic.source.role).stay == "icu" else "hospital"
    if kind is None or kind not in profile.stays:
        return None
    listed = profile.stays[kind].id.lower() in {column.lower() for column in turn.columns}
    if not listed and logic.during is not None and logic.during.kind == kind:
        return logic.during
    if logic.ordinal is not None and not listed:
        return Stay(kind, logic.ordinal)
    return Stay(kind, None, number)
