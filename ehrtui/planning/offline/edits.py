"""Edits of an earlier turn's logic: one part of it in another's place. Each gives None where it makes no sense."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ehrtui.logic.model import (
    Aggregate,
    Combined,
    Count,
    Elapsed,
    Exists,
    Field,
    Filter,
    Function,
    Has,
    Logic,
    Mortality,
    Ordered,
    Patients,
    Peak,
    Query,
    Rows,
    Source,
    Stay,
    StayCost,
    Survival,
    Top,
    Unit,
    Want,
    Window,
)
from ehrtui.planning.offline.earlier import Turns
from ehrtui.schema.kinds import PATIENT, kind_of
from ehrtui.schema.profile import Profile, Role

_NUMBERS = (
    "value",
    "length",
    "age",
    "dose",
    "cost",
    "weight",
    "height",
    "admission weight",
    "discharge weight",
    "quantity",
)
"""The fields that a number can be taken over."""


def unfolded(logic: Logic | None, turns: Turns) -> Logic | None:
    """The logic itself, where it is an earlier answer's rows: of the turn that they belong to."""
    if not isinstance(logic, Rows) or logic.turn not in turns:
        return logic
    behind = unfolded(turns[logic.turn].logic, turns.without(logic.turn))
    if not isinstance(behind, Query):
        return None
    if logic.function is not None:
        return aggregated(behind, logic.function, one=len(behind.patients.ids) == 1)
    if logic.count:
        return counted(behind)
    return replace(behind, ordinal=logic.ordinal) if logic.ordinal is not None else behind


def everywhere(logic: Logic, change: Callable[[Query], Query | None]) -> Logic | None:
    """The logic with each of its queries changed."""
    match logic:
        case Query():
            return change(logic)
        case Elapsed():
            query = change(logic.query)
            return replace(logic, query=query) if query else None
        case Ordered(of=Query() as of):
            query = change(of)
            return replace(logic, of=query) if query else None
        case Combined(left=Query() as left, right=Query() as right):
            first, second = change(left), change(right)
            return replace(logic, left=first, right=second) if first and second else None
        case _:
            return None


def in_conditions(query: Query, change: Callable[[Has], Has], role: str = "") -> Query | None:
    """The query with the last condition on its patients changed, or the last one of a `role` if any is; None where it
    has none."""
    conditions = query.patients.conditions
    if not query.of_patients or not conditions:
        return None
    last = next((has for has in reversed(conditions) if has.source.role == role), conditions[-1])
    changed = tuple(change(has) if has is last else has for has in conditions)
    return replace(query, patients=replace(query.patients, conditions=changed))


def with_windows(logic: Logic, windows: tuple[Window, ...]) -> Logic | None:
    """The logic in another time."""
    if isinstance(logic, StayCost | Peak):
        return replace(logic, windows=windows)

    def change(query: Query) -> Query | None:
        if not query.of_patients:
            return replace(query, windows=windows)
        conditions = query.patients.conditions
        if len({has.windows for has in conditions}) != 1:
            return in_conditions(query, lambda has: replace(has, windows=windows))
        timed = tuple(replace(has, windows=windows) for has in conditions)
        return replace(query, patients=replace(query.patients, conditions=timed))

    return everywhere(logic, change)


def with_stay(logic: Logic, stay: Stay | None) -> Logic | None:
    """The logic during another stay."""

    def change(query: Query) -> Query | None:
        if query.of_patients:
            return in_conditions(query, lambda has: replace(has, during=stay))
        if kind_of(query.source.role).stay and query.ordinal is not None and stay is not None:
            return replace(query, ordinal=stay.ordinal)
        return replace(query, during=stay)

    return everywhere(logic, change)


def with_patients(logic: Logic, patients: Patients) -> Logic | None:
    """The logic for other patients; what is asked of one patient is asked of another."""

    def change(query: Query) -> Query:
        kept = query.patients.conditions if patients.ids and query.patients.ids else ()
        return replace(query, patients=replace(patients, conditions=(*patients.conditions, *kept)))

    return everywhere(logic, change)


def with_everyone(logic: Logic) -> Logic | None:
    """The logic for all patients; conditions that are its question stay. An order is of those who were asked for."""
    if isinstance(logic, Ordered):
        return None

    def change(query: Query) -> Query:
        kept = query.patients.conditions if query.of_patients else ()
        return replace(query, patients=Patients(conditions=kept))

    return everywhere(logic, change)


def with_group(logic: Logic, turn: int) -> Logic | None:
    """The logic for the patients of an earlier answer; conditions of its own stay."""
    return everywhere(logic, lambda query: replace(query, patients=replace(query.patients, ids=(), turn=turn)))


def with_people(logic: Logic, sex: str | None, age: tuple[int | None, int | None] | None) -> Logic | None:
    """The logic for patients of that sex and age, where these are given."""

    def change(query: Query) -> Query:
        who = replace(query.patients, ids=())
        who = replace(who, sex=sex) if sex else who
        return replace(query, patients=replace(who, age=age) if age else who)

    return everywhere(logic, change)


def with_source(logic: Logic, source: Source, profile: Profile) -> Logic | None:
    """The logic for other records; what is asked of them stays as far as they have it, but no limit on the values of
    something else."""
    if isinstance(logic, StayCost | Peak | Survival | Mortality):
        return replace(logic, source=source)

    def change(query: Query) -> Query | None:
        before = [query.source, *(has.source for has in query.patients.conditions[-1:])]
        if not source.filters and any(_is_limited(one) and one.names != source.names for one in before):
            return None
        if query.of_patients:
            other = in_conditions(query, lambda has: replace(has, source=_as_before(has.source, source)), source.role)
            return other or with_condition(query, Has(source))
        want = _fitting(query.want, source, profile)
        if want is None:
            return None
        keeps = query.source.role == source.role
        filters = query.source.filters if keeps else source.filters
        return replace(query, want=want, source=replace(source, filters=source.filters or filters))

    return everywhere(logic, change)


def _as_before(before: Source, source: Source) -> Source:
    """Other records of the same kind, of which the same is said: "and in urine?", of what grew in blood."""
    keeps = before.role == source.role and not source.filters
    return replace(source, filters=before.filters) if keeps else source


def with_condition(query: Query, has: Has) -> Query | None:
    """The query about patients with one more condition on them."""
    if not query.of_patients:
        return None
    return replace(query, patients=replace(query.patients, conditions=(*query.patients.conditions, has)))


def with_filter(query: Query, one: Filter) -> Query:
    """The query for records whose field meets the filter, in place of one on the same field."""
    kept = tuple(other for other in query.source.filters if other.field != one.field)
    return replace(query, source=replace(query.source, filters=(*kept, one)))


def with_limit(logic: Logic, one: Filter) -> Logic | None:
    """The logic with another limit on the values in question."""

    def limited(source: Source) -> Source:
        kept = tuple(other for other in source.filters if other.field != one.field)
        return replace(source, filters=(*kept, one))

    def change(query: Query) -> Query | None:
        if query.of_patients:
            return in_conditions(query, lambda has: replace(has, source=limited(has.source)))
        return replace(query, source=limited(query.source))

    return everywhere(logic, change)


def negated(query: Query) -> Query | None:
    """The query for the patients who do not meet its last condition."""
    return in_conditions(query, lambda has: replace(has, negated=not has.negated))


def aggregated(query: Query, function: Function, *, one: bool) -> Query | None:
    """One number over what the query gives. Of `one` patient's records all count; of several patients' only those
    that were asked for (the last of each)."""
    want, role = query.want, query.source.role
    ordinal = None if one else query.ordinal
    match want:
        case Field(name="time") if query.source.names:
            # "When was that?" "And the lowest?": the value is spoken of again.
            other = tuple(one for one in query.source.filters if one.value not in ("minimum", "maximum"))
            return replace(
                query, want=Aggregate(function, "value"), source=replace(query.source, filters=other), ordinal=None
            )
        case Field(name="id") | Count(of="records", per=None) | Exists() if kind_of(role).stay:
            return replace(query, want=Aggregate(function, "length"), ordinal=ordinal)
        case Field(name=name) if name in _NUMBERS:
            return replace(query, want=Aggregate(function, name), ordinal=ordinal)
        case Field():
            return None
        case Aggregate():
            return replace(query, want=replace(want, function=function))
        case Count(of="records") | Exists() if role != PATIENT and not kind_of(role).stay:
            return replace(query, want=Aggregate(function, "value"))
        case _:
            return None


def counted(query: Query) -> Query | None:
    """How many of what the query gives."""
    if query.of_patients:
        return replace(query, want=Count("patients"))
    return replace(query, want=Count("names" if query.want == Field("name") else "records"), ordinal=None)


def how_many(query: Query, base: int, *, unchanged: bool, people: bool) -> Logic | None:
    """How many rows an answer has, or of how many records or `people` it is, where it is a number itself."""
    if isinstance(query.want, Exists):
        return counted(query)
    if isinstance(query.want, Aggregate) and not (query.by or query.want.per):
        return replace(query, want=Count("patients"), ordinal=None) if people else counted(query)
    if not unchanged:
        return counted(query)
    if isinstance(query.want, Count) and not (query.by or query.want.per):
        return replace(query, want=Count("patients")) if people else None
    return Rows(base, count=True)


def listed(query: Query, profile: Profile) -> Query | None:
    """What was counted, or asked about with yes or no, itself."""
    if not isinstance(query.want, Count | Exists):
        return None
    if query.of_patients:
        return replace(query, want=Field("id"))
    if query.want == Count("names"):
        return replace(query, want=Field("name"))
    if isinstance(query.want, Count) and query.want.of == "patients":
        has = Has(query.source, query.during, query.windows)
        who = replace(query.patients, conditions=(*query.patients.conditions, has))
        return Query(Field("id"), Source(PATIENT), who)
    role = profile.role(query.source.role)
    if role.item and not query.source.names:
        return replace(query, want=Field("name"))
    field = "id" if kind_of(query.source.role).stay else "value" if _is_measured(role, query.source.role) else "time"
    return replace(query, want=Field(field))


def timed(query: Query, profile: Profile) -> Query | None:
    """When it was."""
    if query.of_patients:
        query = _of_records(query) or query
    if query.of_patients or not profile.role(query.source.role).time:
        return None
    want = query.want
    if isinstance(want, Aggregate):
        if want.function not in ("minimum", "maximum"):
            return None
        query = with_filter(query, Filter(want.field, "is", want.function))
    return replace(query, want=Field("time"))


def per_unit(query: Query, unit: Unit | None) -> Query | None:
    """The number for each calendar unit, or (None) over all."""
    if unit is None:
        return (
            replace(query, want=replace(query.want, per=None)) if isinstance(query.want, Aggregate | Count) else query
        )
    if query.of_patients and isinstance(query.want, Count):
        query = _of_records(query, Count("patients")) or query
    if query.of_patients or not isinstance(query.want, Aggregate | Count):
        return None
    return replace(query, want=replace(query.want, per=unit))


def _of_records(query: Query, want: Want | None = None) -> Query | None:
    """A question about patients with one condition, asked of the records of that condition."""
    if len(query.patients.conditions) != 1 or query.patients.conditions[0].negated:
        return None
    (has,) = query.patients.conditions
    who = replace(query.patients, conditions=())
    return Query(want or query.want, has.source, who, has.during, has.windows, None, has.times, has.after)


def ranked(query: Query, count: int, profile: Profile) -> Query | None:
    """The most frequent of the names that the query gives."""
    if query.of_patients or not profile.role(query.source.role).item:
        return None
    if query.want not in (Field("name"), Count("names")) and not isinstance(query.want, Top):
        return None
    return replace(query, want=Top(count), ordinal=None)


def at_place(query: Query, ordinal: int | None, profile: Profile, *, of_record: bool) -> Query | None:
    """The query for the first, second, last… of its records, or of its stays where it is about one and not `of_record`;
    None is the current stay."""
    if query.of_patients:
        return in_conditions(
            query, lambda has: replace(has, during=replace(has.during, ordinal=ordinal) if has.during else None)
        )
    of_stay = query.during is not None and query.during.turn is None and query.ordinal is None
    if of_stay and query.during is not None and not of_record:
        return replace(query, during=replace(query.during, ordinal=ordinal))
    if isinstance(query.want, Top):
        return None
    if ordinal is None:
        return replace(query, during=Stay("hospital", None), ordinal=None) if kind_of(query.source.role).stay else None
    want = query.want
    if isinstance(want, Count | Exists | Aggregate):
        measured = bool(query.source.names) and _is_measured(profile.role(query.source.role), query.source.role)
        plain = not query.source.names and not kind_of(query.source.role).stay
        want = Field("value" if measured else "name" if plain else "time")
    return replace(query, want=want, ordinal=ordinal)


def _fitting(want: Want, source: Source, profile: Profile) -> Want | None:
    """What was asked, as far as these records have it; else what one asks of them first."""
    role = profile.role(source.role)
    asked = want.name if isinstance(want, Field) else want.field if isinstance(want, Aggregate) else ""
    if source.names and want in (Field("name"), Count("names")):
        return (
            Count("records")
            if isinstance(want, Count)
            else Field("value")
            if _is_measured(role, source.role)
            else Exists()
        )
    if isinstance(want, Top):
        return want if role.item else None
    if asked == "name" and not role.item:
        return None
    if asked == "value" and source.names and not _is_measured(role, source.role):
        return Field("time") if isinstance(want, Field) else None
    known = {"name", "value", "time", *role.fields} | ({"length"} if kind_of(source.role).stay else set())
    known |= {"cost"} if profile.costs and source.role in profile.costs.kinds else set()
    return want if not asked or asked in known else None


def _is_limited(source: Source) -> bool:
    return any(one.field == "value" and not isinstance(one.value, str) for one in source.filters)


def _is_measured(role: Role, name: str) -> bool:
    return bool(role.wide or (role.value and (role.dictionary or kind_of(name).found)))
