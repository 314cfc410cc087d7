"""Statements of the algebra as the forms that conversations go on from: `lower` the other way round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

from ehrtui.errors import LogicError
from ehrtui.logic import model as forms
from ehrtui.logic.algebra.lower import lowered
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    All,
    Among,
    Answer,
    Combined,
    Condition,
    Groups,
    Has,
    InAnswer,
    Is,
    Measure,
    Not,
    Of,
    Order,
    Own,
    PartOf,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Times,
    Value,
    Whether,
)
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.nodes import walk, with_parts
from ehrtui.logic.parse import parse
from ehrtui.schema import kinds
from ehrtui.schema.kinds import role_of_stays

_ROLES = {PATIENT: kinds.PATIENT, HOSPITAL: role_of_stays("hospital"), ICU: role_of_stays("icu")}
_FUNCTIONS = get_args(forms.Function)
_UNITS = get_args(forms.Unit)
_NO_FORM = LogicError("No form says this.")


@dataclass(frozen=True)
class ReadBack:
    """What a line of query logic is: the `form` that says it, and the `statement` that it means, each where there is
    one."""

    form: forms.Logic | None
    statement: Statement | None


def read_back(
    text: str, roles: frozenset[str], meant: Callable[[Statement], Statement] = lambda statement: statement
) -> ReadBack:
    """A line of query logic as what it is, over a database with these `roles`; `meant` gives a statement without
    concepts."""
    try:
        form = parse(text)
        if _roles(form) <= roles:
            return ReadBack(form, lowered(form))
    except LogicError:
        pass
    try:
        statement = meant(parse_statement(text))
    except LogicError:
        return ReadBack(None, None)
    return ReadBack(lifted(statement), statement)


def _roles(part: Any) -> set[str]:
    """The roles that a form names: a text of the algebra may read as a form about records that nobody has."""
    return {one.role for one in walk(part) if isinstance(one, forms.Source)}


def lifted(statement: Statement) -> forms.Logic | None:
    """The form that asks for the same, or None where there is none: of records, their windows, their stay and their
    patients. A form says less: records that lack what is asked of them, repeats, and stays that are not over may be
    counted differently (`says_the_same` tells)."""
    try:
        return _form(statement)
    except LogicError:
        return None


_MOMENTS: Mapping[str, Mapping[str, str]] = {
    HOSPITAL: {"admission time": "time", "discharge time": "end time"},
    ICU: {"icu admission time": "time", "icu discharge time": "end time"},
}


def says_the_same(logic: forms.Logic, statement: Statement) -> bool:
    """True where a form's answer is a statement's: but for repeats, and for rows that lack what is asked of them."""
    try:
        meant = lowered(logic)
    except LogicError:
        return False
    return same(meant, statement) and set(_presences(statement)) <= set(_presences(meant))


def same(one: Statement, other: Statement) -> bool:
    """True where two statements ask the same: but for repeats, for the order of conditions and items, and for rows that
    lack what is asked of them."""
    return bool(_once(one) == _once(other))


def _once(statement: Statement) -> Any:
    once = replace(statement, distinct=False) if isinstance(statement, Rows) else statement
    if isinstance(once, Rows | Groups) and (moments := _MOMENTS.get(once.of.unit)):
        told = ("columns", "order", "by") if isinstance(once, Groups) else ("columns", "order")
        once = replace(once, **{name: _renamed(getattr(once, name), moments) for name in told})
    return _bare(once)


def _renamed(part: Any, moments: Mapping[str, str]) -> Any:
    """Measures of stays, whose beginning and end have names of their own."""
    if isinstance(part, Own):
        return replace(part, field=moments.get(part.field, part.field))
    if isinstance(part, Set):
        return part
    return with_parts(part, lambda one: _renamed(one, moments))


def _bare(part: Any) -> Any:
    """A statement, or a part of it, without conditions of presence, the others and the items in one order."""
    if isinstance(part, Set):
        kept = sorted((_bare(one) for one in _parts(part.where) if not _is_presence(one)), key=repr)
        where = kept[0] if len(kept) == 1 else All(tuple(kept)) if kept else None
        items = tuple(sorted(part.items, key=repr))
        return replace(part, items=items, where=where, pick=_bare(part.pick))
    return with_parts(part, _bare)


def _presences(part: Any) -> Iterator[Condition]:
    return (one for one in walk(part, _is_presence) if isinstance(one, Is) and _is_presence(one))


def _is_presence(part: Any) -> bool:
    """True for a condition that a value is there; but a stay that has an end is over, which is more."""
    return isinstance(part, Is) and part.state == "present" and part.measure != Own("end time")


def _parts(where: Condition | None) -> tuple[Condition, ...]:
    return where.of if isinstance(where, All) else (where,) if where is not None else ()


# --- what is asked ---------------------------------------------------------------------------------------------------


def _form(statement: Statement) -> forms.Logic:
    match statement:
        case Answer(column="", order="", first=None):
            return forms.Rows(statement.turn, statement.nth)
        case Rows(order=None):
            return _list(statement)
        case Single(columns=(Aggregate(of=Set() as of, function="count" | "distinct"),)) if of.pick is not None:
            raise _NO_FORM  # a form has no word for how many patients have a first record
        case Single(columns=(Aggregate(of=Set() as of) as number,)):
            return replace(_query(of), want=_number(number, of))
        case Single(columns=(Whether(condition=Has(times=None) as has),)) if has.of.pick is None:
            return replace(_query(has.of), want=forms.Exists())
        case Groups(having=None):
            return _groups(statement)
        case Combined():
            left, right = _form(statement.left), _form(statement.right)
            if isinstance(left, forms.Query | forms.Rows) and isinstance(right, forms.Query | forms.Rows):
                return forms.Combined(left, statement.operator, right)
    raise _NO_FORM


def _list(rows: Rows) -> forms.Query:
    names = tuple(_field(one) for one in rows.columns)
    pick = rows.of.pick
    if (
        pick is not None
        and isinstance(pick.by, Own)
        and names == (pick.by.field,)
        and (pick.nth, pick.through) == (1, False)
    ):
        function: forms.Function = "maximum" if pick.descending else "minimum"
        return replace(_query(replace(rows.of, pick=None)), want=forms.Aggregate(function, names[0]))
    if PATIENT in names:
        raise _NO_FORM
    return replace(_query(rows.of), want=forms.Field(names[0]) if len(names) == 1 else forms.Fields(names))


def _number(number: Aggregate, of: Set) -> forms.Want:
    match number:
        case Aggregate(function="count", measure=None):
            return forms.Count("patients" if of.unit == PATIENT else "records")
        case Aggregate(function="distinct", measure=Own(field=field)) if field in (PATIENT, "name"):
            return forms.Count("patients" if field == PATIENT else "names")
        case Aggregate(measure=Own(field=field), argument=None) if number.function in _FUNCTIONS:
            return forms.Aggregate(cast(forms.Function, number.function), field)
    raise _NO_FORM


def _groups(groups: Groups) -> forms.Query:
    if len(groups.columns) != 1 or not groups.by or groups.of.pick is not None:
        raise _NO_FORM
    want = _number(groups.columns[0], groups.of)
    match groups.by, groups.order:
        case (Own(field="name"),), Order(by=Aggregate(function="count"), descending=True, first=int(first)) as order:
            if want == forms.Count("records") and groups.asked == "keys" and order.ties and not order.each:
                return replace(_query(groups.of), want=forms.Top(first, order.places))
        case (Own(field=field),), None:
            return replace(_query(groups.of), want=want, by=field)
        case (PartOf(part=part, time=Own(field="time")),), None if part in _UNITS:
            if isinstance(want, forms.Count | forms.Aggregate):
                return replace(_query(groups.of), want=replace(want, per=cast(forms.Unit, part)))
    raise _NO_FORM


def _field(measure: Measure) -> str:
    if isinstance(measure, Own):
        return measure.field
    raise _NO_FORM


# --- of which records, of whom ---------------------------------------------------------------------------------------


def _query(of: Set) -> forms.Query:
    """The records of a set; what is wanted of them comes later."""
    if of.unit == PATIENT:
        return forms.Query(forms.Field("id"), forms.Source(kinds.PATIENT), _patients(of))
    query = forms.Query(forms.Field("name"), forms.Source(_ROLES.get(of.unit, of.unit.replace(" ", "_")), _names(of)))
    query = replace(query, ordinal=_ordinal(of.pick) if of.pick is not None else None)
    for one in _parts(of.where):
        query = _where(query, one)
    return query


def _names(of: Set) -> tuple[str, ...]:
    if all(item.kind == "name" for item in of.items):
        return tuple(item.text for item in of.items)
    raise _NO_FORM


def _ordinal(pick: Pick) -> int:
    if pick.by is None and pick.per == PATIENT and not pick.through:
        return -pick.nth if pick.descending else pick.nth
    raise _NO_FORM


def _where(query: forms.Query, one: Condition) -> forms.Query:
    """A query of which one more condition holds."""
    source = query.source
    match one:
        case forms.Window():
            return replace(query, windows=(*query.windows, one))
        case Of(of=Set(unit="patient") as who):
            if query.patients != forms.Patients():
                raise _NO_FORM
            return replace(query, patients=_patients(who))
        case Of(of=Set() as stays) if stays.unit in (HOSPITAL, ICU) and query.during is None:
            stay, whose = _stay(stays)
            if whose is not None and query.patients not in (forms.Patients(), whose):
                raise _NO_FORM
            return replace(query, during=stay, patients=whose or query.patients)
        case InAnswer(turn=turn):
            return replace(query, source=replace(source, turn=turn))
        case Is(measure=Own(), state="present"):
            return query
        case Is(measure=Own(field=field), state=state):
            return replace(query, source=replace(source, filters=(*source.filters, forms.Filter(field, "is", state))))
        case Test(left=Own(field=field), relation=relation, right=Value(value=value)) if relation != "!=":
            return replace(
                query, source=replace(source, filters=(*source.filters, forms.Filter(field, relation, value)))
            )
    raise _NO_FORM


def _stay(of: Set) -> tuple[forms.Stay, forms.Patients | None]:
    """One stay of each patient, and whose stay it is where that is said of it."""
    kind: Literal["hospital", "icu"] = "hospital" if of.unit == HOSPITAL else "icu"
    who, turn, current = None, None, False
    for one in _parts(of.where):
        match one:
            case Of(of=Set(unit="patient") as patients) if who is None:
                who = _patients(patients)
            case InAnswer(turn=int(number), unit=unit) if unit == of.unit:
                turn = number
            case Is(measure=Own(field="end time"), state=state) if state in ("present", "missing", "open"):
                current = state != "present"
            case _:
                raise _NO_FORM
    ordinal = _ordinal(of.pick) if of.pick is not None else None
    if (ordinal is None and not current and turn is None) or (current and ordinal is not None):
        raise _NO_FORM
    return forms.Stay(kind, ordinal, turn), who


def _patients(of: Set) -> forms.Patients:
    if of.pick is not None or of.items:
        raise _NO_FORM
    found = forms.Patients()
    for one in _parts(of.where):
        match one:
            case Among(measure=Own(field="id"), values=ids):
                found = replace(found, ids=(*found.ids, *cast(tuple[forms.PatientId, ...], ids)))
            case InAnswer(turn=turn, unit="patient"):
                found = replace(found, turn=turn)
            case Test(left=Own(field="gender"), relation="=", right=Value(value=str(sex))):
                found = replace(found, sex=sex)
            case _:
                found = replace(found, conditions=(*found.conditions, *_conditions(one)))
    return found


def _conditions(one: Condition) -> Iterator[forms.Has]:
    negated = isinstance(one, Not)
    has = one.of if isinstance(one, Not) else one
    if not isinstance(has, Has):
        raise _NO_FORM
    query = _query(has.of)
    if query.patients != forms.Patients() or query.ordinal is not None or query.of_patients:
        raise _NO_FORM
    yield forms.Has(query.source, query.during, query.windows, negated, _times(has.times))


def _times(times: Times | None) -> forms.Times | None:
    if times is None:
        return None
    if times.of == "times" and times.within is None and not times.running and times.relation != "<=":
        return forms.Times(times.count, times.relation == ">=")
    raise _NO_FORM
