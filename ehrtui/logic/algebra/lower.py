"""The forms that the offline planner reads questions into, as statements of the algebra."""

from __future__ import annotations

from functools import singledispatch
from typing import Literal, cast

from ehrtui.errors import LogicError
from ehrtui.logic import model as forms
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Among,
    Answer,
    Combined,
    Comparison,
    Condition,
    Function,
    Groups,
    Has,
    InAnswer,
    Interval,
    Is,
    Item,
    Math,
    Meaning,
    Measure,
    Mortality,
    Not,
    Of,
    Order,
    Own,
    Part,
    PartOf,
    Pick,
    Related,
    Relation,
    Rows,
    Set,
    Single,
    Standing,
    State,
    Statement,
    Survival,
    Test,
    Times,
    Value,
    Whether,
)
from ehrtui.schema import kinds
from ehrtui.schema.kinds import kind_of, role_of_stays

_UNITS = {kinds.PATIENT: PATIENT, role_of_stays("hospital"): HOSPITAL, role_of_stays("icu"): ICU}
_KINDS = {"hospital": HOSPITAL, "icu": ICU}
_ID = Own("id")
_EVERYONE = forms.Patients()


@singledispatch
def lowered(logic: object) -> Statement:
    """The statement that a form means."""
    raise LogicError(f"{type(logic).__name__} is no query logic.")


# --- sets ------------------------------------------------------------------------------------------------------------


def _set(
    source: forms.Source,
    *,
    patients: forms.Patients = _EVERYONE,
    during: forms.Stay | None = None,
    windows: tuple[forms.Window, ...] = (),
    after: forms.After | None = None,
    age: tuple[int | None, int | None] | None = None,
    present: tuple[str, ...] = (),
    pick: Pick | None = None,
) -> Set:
    """The records of a source that belong to the patients, as far as they meet all of this."""
    unit = _UNITS.get(source.role, source.role.replace("_", " "))
    conditions: list[Condition] = []
    if unit == PATIENT:
        conditions += _of_patients(patients)
    else:
        conditions += _belonging(patients)
        age = age if age is not None else patients.age
        conditions += _aged(age) if age is not None else []
    if during is not None:
        conditions.append(Of(_stay(during)))
    if source.turn is not None:
        conditions.append(InAnswer(source.turn, unit))
    extremes = [one for one in source.filters if one.relation == "is" and one.value in ("minimum", "maximum")]
    conditions += [_filter(one) for one in source.filters if one not in extremes]
    conditions += windows
    conditions += [Is(Own(field), "present") for field in present]
    if after is not None:
        conditions.append(_after(after, source.role))
    for one in extremes:
        whole = Set(unit, _items(source), _where([*conditions, Is(Own(one.field), "present")]))
        number = Aggregate(cast(Function, one.value), whole, Own(one.field))
        conditions.append(Test(Own(one.field), "=", Single((number,))))
    return Set(unit, _items(source), _where(conditions), pick)


def _items(source: forms.Source) -> tuple[Item, ...]:
    return tuple(Item("name", name) for name in source.names)


def _where(conditions: list[Condition]) -> Condition | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return All(tuple(conditions))


def _of_patients(patients: forms.Patients) -> list[Condition]:
    """The conditions on patients."""
    found: list[Condition] = []
    if patients.ids:
        found.append(Among(_ID, patients.ids))
    if patients.turn is not None:
        found.append(InAnswer(patients.turn))
    if patients.sex:
        found.append(Test(Own("gender"), "=", Value(patients.sex)))
    if patients.age is not None and all(one.negated for one in patients.conditions):
        found.append(Has(Set(HOSPITAL, where=_where(_aged(patients.age)))))
    return [*found, *(_has(one, patients.age) for one in patients.conditions)]


def _belonging(patients: forms.Patients) -> list[Condition]:
    """That a record belongs to one of the patients; its age is a condition on the record's own stay."""
    aged = patients.age if any(not one.negated for one in patients.conditions) else None
    who = _of_patients(forms.Patients(patients.ids, patients.turn, patients.sex, aged, patients.conditions))
    return [Of(Set(PATIENT, where=_where(who)))] if who else []


def _aged(age: tuple[int | None, int | None]) -> list[Condition]:
    low, high = age
    bounds: list[Condition] = [Test(Own("age"), ">=", Value(low))] if low is not None else []
    return bounds + ([Test(Own("age"), "<=", Value(high))] if high is not None else [])


def _has(has: forms.Has, age: tuple[int | None, int | None] | None = None) -> Condition:
    # Who never had it never had it at any age.
    of = _set(has.source, during=has.during, windows=has.windows, after=has.after, age=None if has.negated else age)
    if kind_of(has.source.role).dated:
        of = _set(
            has.source,
            during=has.during,
            windows=has.windows,
            after=has.after,
            age=None if has.negated else age,
            present=("time",),
        )
    times = has.times
    found = Has(of, Times(">=" if times.at_least else "=", times.count) if times else None)
    return Not(found) if has.negated else found


def _filter(one: forms.Filter) -> Condition:
    if one.relation == "is":
        return Is(Own(one.field), cast(State, one.value))
    return Test(Own(one.field), cast(Comparison, one.relation), Value(one.value))


def _stay(stay: forms.Stay) -> Set:
    unit = _KINDS[stay.kind]
    among = [InAnswer(stay.turn, unit)] if stay.turn is not None else []
    if stay.ordinal is not None:
        finished = Is(Own("end time"), "present")
        return Set(unit, where=_where([*among, finished]), pick=_nth(stay.ordinal))
    if stay.turn is not None:
        return Set(unit, where=among[0])
    return Set(unit, where=Is(Own("end time"), "missing"))


def _nth(ordinal: int) -> Pick:
    return Pick(abs(ordinal), descending=ordinal < 0)


def _after(after: forms.After, role: str) -> Condition:
    event, link = after.event, after.link
    if kinds.DEATH in (role, event.source.role) and link.unit in UNITS:
        link = forms.Link("ever")  # a death belongs to no stay (EHRSQL)
    first = Pick(1, ties=True) if after.first else None
    of = _set(event.source, during=event.during, windows=event.windows, after=event.after, pick=first)
    return Related(of, _relations(link, "before" if after.before else "after"), each=True)


def _relations(link: forms.Link, order: str) -> tuple[Relation, ...]:
    follows = Relation(order)  # type: ignore[arg-type]
    unit = link.unit or ""
    shared = Relation("stay", unit=unit) if unit in UNITS else Relation("same", unit=unit)
    match link.kind:
        case "within":
            return (Relation(order, link.count, unit),)  # type: ignore[arg-type]
        case "same":
            return (follows, shared)
        case "together":
            return (shared,)
        case "ever":
            return (follows,)
        case "simultaneous":
            return (Relation("same"),)


# --- statements ------------------------------------------------------------------------------------------------------


@lowered.register(forms.Query)
def _query(query: forms.Query) -> Statement:
    want = query.want
    if query.by and not isinstance(want, forms.Count | forms.Aggregate):
        raise LogicError(
            "Only a count or another number is taken by a field.", next_step="Leave out what follows “by”."
        )
    if isinstance(want, forms.Exists):
        return Single((Whether(Has(_records(query))),))
    if isinstance(want, forms.Top):
        number = Aggregate("count", None)
        order = Order(number, descending=True, first=want.count, ties=True, places=want.places)
        return Groups(_records(query, ("name",)), (Own("name"),), (number,), order=order, asked="keys")
    if isinstance(want, forms.Count):
        return _count(query, want)
    if isinstance(want, forms.Aggregate):
        return _aggregate(query, want)
    return _list(query)


def _records(query: forms.Query, present: tuple[str, ...] = (), *, pick: bool = True) -> Set:
    return _set(
        query.source,
        patients=query.patients,
        during=query.during,
        windows=query.windows,
        after=query.after,
        present=present,
        pick=_nth(query.ordinal) if query.ordinal is not None and pick else None,
    )


def _list(query: forms.Query) -> Statement:
    want = query.want
    stays = kind_of(query.source.role).of_stays
    if isinstance(want, forms.Fields):
        needed = tuple(one for one in ("value", "time") if one in want.names)
        distinct = "time" not in want.names or query.ordinal is not None
        return Rows(_records(query, needed), tuple(map(Own, want.names)), distinct and not query.of_patients)
    assert isinstance(want, forms.Field)
    name = want.name
    if query.of_patients:
        return Rows(_records(query), (Own(name),))
    if query.times is not None:
        number = Aggregate("count", None)
        often = Test(number, ">=" if query.times.at_least else "=", Value(query.times.count))
        return Groups(_records(query, (name,)), (Own(name),), (number,), often, asked="keys")
    if name == "cost":
        return Rows(_records(query, ("cost",)), (Own("cost"),), distinct=True)
    distinct = name in ("name", "stay") or stays
    # Who is allergic to what is no drug is so all the same.
    present = () if name == kind_of(query.source.role).towards else (name,)
    return Rows(_records(query, present), (Own(name),), distinct and name != "length")


def _count(query: forms.Query, want: forms.Count) -> Statement:
    stays = kind_of(query.source.role).stay != ""
    number = Aggregate("count", None)
    if query.of_patients or (want.of == "records" and stays):
        pass
    elif want.of == "patients":
        number = Aggregate("distinct", None, Own(PATIENT))
    elif want.of == "names":
        number = Aggregate("distinct", None, Own("name"))
    elif kind_of(query.source.role).of_stays and not stays:
        number = Aggregate("distinct", None, Own("stay"))
    of = _records(query, ("time",) if kind_of(query.source.role).dated else ())
    keys = _keys(query, want.per)
    if keys:
        return Groups(of, keys, (number,))
    return Single((Aggregate(number.function, of, number.measure),))


def _keys(query: forms.Query, per: forms.Unit | None) -> tuple[Measure, ...]:
    keys: list[Measure] = [PartOf(cast(Part, per), Own("time"))] if per else []
    return (*keys, *([Own(query.by)] if query.by else []))


def _aggregate(query: forms.Query, want: forms.Aggregate) -> Statement:
    number = Aggregate(want.function, None, Own(want.field))
    of = _records(query, () if want.field == "length" else (want.field,))
    keys = _keys(query, want.per)
    if keys:
        return Groups(of, keys, (number,), asked="all" if query.by else "numbers")
    return Single((Aggregate(number.function, of, number.measure),))


@lowered.register(forms.Rows)
def _rows(rows: forms.Rows) -> Statement:
    answer = Answer(rows.turn, rows.ordinal)
    if rows.count:
        return Single((Aggregate("count", answer),))
    if rows.function is not None:
        return Single((Aggregate(rows.function, answer),))
    return answer


@lowered.register(forms.Combined)
def _combined(logic: forms.Combined) -> Statement:
    left, right = lowered(logic.left), lowered(logic.right)
    if logic.operator in ("except", "and", "or", "beside"):
        return Combined(left, logic.operator, right)
    if logic.left == logic.right:
        raise LogicError(
            "Both sides of the comparison are the same, so it says nothing.", next_step="Change one of the two sides."
        )
    one, other = _number(left), _number(right)
    if logic.operator in ("-", "%"):
        return Single((Math(logic.operator, one, other),))
    return Single((Whether(Test(one, cast(Comparison, logic.operator), other)),))


def _number(statement: Statement) -> Measure:
    return statement.columns[0] if isinstance(statement, Single) and len(statement.columns) == 1 else statement


@lowered.register(forms.Ordered)
def _ordered(logic: forms.Ordered) -> Statement:
    of = logic.of
    if isinstance(of, forms.Rows):
        order: Literal["ascending", "descending"] = "descending" if logic.descending else "ascending"
        return Answer(of.turn, order=order, first=logic.count)
    if not of.of_patients:
        raise LogicError(
            "Only patients can be ordered by a field.", next_step="Order the rows of an earlier answer instead."
        )
    by = Own(logic.by)
    return Rows(_records(of), (_ID, by), order=Order(by, logic.descending, logic.count))


@lowered.register(forms.Elapsed)
def _elapsed(logic: forms.Elapsed) -> Statement:
    want = logic.query.want
    if not isinstance(want, forms.Field):
        raise LogicError("Only the time since a moment can be told.", next_step="days since (time of …)")
    of = _records(logic.query, (want.name,))
    return Rows(of, (Interval(logic.unit, Own(want.name), Own("now")),))


@lowered.register(forms.Meaning)
def _meaning(logic: forms.Meaning) -> Statement:
    return Meaning(logic.name)


@lowered.register(forms.StayCost)
def _stay_cost(logic: forms.StayCost) -> Statement:
    charged = Aggregate("sum", _set(forms.Source(kinds.COST), windows=logic.windows), Own("value"))
    return Single((Aggregate(logic.function, Set(HOSPITAL, where=Has(_set(logic.source))), charged),))


@lowered.register(forms.Peak)
def _peak(logic: forms.Peak) -> Statement:
    of = _set(logic.source, windows=logic.windows, present=("time",))
    counts = Groups(of, (PartOf(logic.unit, Own("time")),), (Aggregate("distinct", None, Own("stay")),))
    return Single((Aggregate(logic.function, counts),))


@lowered.register(forms.Percentile)
def _percentile(logic: forms.Percentile) -> Statement:
    who = forms.Patients(ids=(logic.patient,))
    age = Rows(_set(forms.Source(role_of_stays("hospital")), patients=who, during=logic.during), (Own("age"),))
    peers = _set(logic.source, present=("value",))
    conditions = [*_parts(peers.where), Test(Own("age"), "=", age)]
    return Standing(logic.value, Own("value"), Set(peers.unit, peers.items, _where(conditions)))


def _parts(where: Condition | None) -> tuple[Condition, ...]:
    return where.of if isinstance(where, All) else (where,) if where is not None else ()


@lowered.register(forms.Survival)
def _survival(logic: forms.Survival) -> Statement:
    then = _set(logic.then) if logic.then is not None else None
    return Survival(logic.count, logic.unit, _set(logic.source), then, logic.died)


@lowered.register(forms.Mortality)
def _mortality(logic: forms.Mortality) -> Statement:
    return Mortality(logic.top, logic.count, logic.unit, _set(logic.source))
