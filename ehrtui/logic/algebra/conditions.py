"""Conditions on one row, as SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic import instants
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.days import of_calendar
from ehrtui.logic.algebra.items import about
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Among,
    Answer,
    AnyOf,
    Condition,
    Groups,
    Has,
    InAnswer,
    Is,
    Like,
    Measure,
    Near,
    Not,
    Of,
    Own,
    Related,
    Relation,
    Rows,
    Set,
    Single,
    Test,
    Times,
    Value,
    Whether,
)
from ehrtui.logic.algebra.scope import (
    ManyValues,
    Scope,
    add,
    holds,
    kind_in,
    no_time,
    number,
    role_name,
    role_of,
    value,
)
from ehrtui.logic.algebra.sets import conjuncts, rows, together
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.model import Window
from ehrtui.schema.profile import Role

_STAYS = ("hospital stay", "icu stay")


@holds.register
def _all(condition: All, scope: Scope) -> Sql:
    found = sql.every(together(conjuncts(condition), scope))
    return exp.Paren(this=found) if found is not None else exp.true()


@holds.register
def _any(condition: AnyOf, scope: Scope) -> Sql:
    if not condition.of:
        return exp.false()
    return sql.either([_alone(one, scope) for one in condition.of])


@holds.register
def _not(condition: Not, scope: Scope) -> Sql:
    return exp.Not(this=exp.Paren(this=_alone(condition.of, scope)))


def _alone(condition: Condition, scope: Scope) -> Sql:
    """A condition that stands by itself: on fields of stays, it holds for one of the stays."""
    try:
        return holds(condition, scope)
    except ManyValues as many:
        return holds(Has(Set(many.unit, where=condition)), scope)


@holds.register
def _test(condition: Test, scope: Scope) -> Sql:
    if (bounds := of_calendar(condition, scope)) is not None:
        return bounds
    text = any(isinstance(side, Value) and isinstance(side.value, str) for side in (condition.left, condition.right))
    measured = value if text else number
    right = _stored(scope, condition.left, condition.right)
    return sql.compared(measured(condition.left, scope), condition.relation, measured(right, scope))


@holds.register
def _among(condition: Among, scope: Scope) -> Sql:
    values = [_stored(scope, condition.measure, Value(one)) for one in condition.values]
    return sql.one_of(value(condition.measure, scope), [one.value for one in values if isinstance(one, Value)])


@holds.register
def _like(condition: Like, scope: Scope) -> Sql:
    return sql.like(value(condition.measure, scope), condition.pattern)


def _stored(scope: Scope, measure: Measure, said: Measure) -> Measure:
    """The value that is stored for a word: "F" for "female"."""
    if measure == Own("gender") and isinstance(said, Value) and said.value in scope.at.profile.sexes:
        return Value(scope.at.profile.sexes[str(said.value)])
    return said


@holds.register
def _is(condition: Is, scope: Scope) -> Sql:
    measured = value(condition.measure, scope)
    match condition.state:
        case "present":
            return sql.present(measured)
        case "missing":
            return sql.missing(measured)
        case "open":
            # What is taken on this day is taken until its end; who left this morning has left.
            day = exp.GTE if kind_in(scope.of.unit).dosed else exp.GT
            now = scope.at.now[:10] if day is exp.GTE else scope.at.now
            return sql.either([sql.missing(measured), day(this=measured.copy(), expression=sql.literal(now))])
        case "normal" | "abnormal" as state:
            return _in_range(condition, scope, measured, normal=state == "normal")


def _in_range(condition: Is, scope: Scope, measured: Sql, *, normal: bool) -> Sql:
    role = scope.role
    ranges = {role.normal[item.text] for item in scope.of.items if item.text in role.normal}
    if len(ranges) == 1 and condition.measure == Own("value"):
        low, high = ranges.pop()
        inside: Sql = exp.Between(this=measured, low=sql.literal(low), high=sql.literal(high))
        return inside if normal else exp.Not(this=inside)
    if (beyond := _beyond_own_range(condition, scope, measured)) is not None:
        outside, limited = beyond
        return exp.And(this=limited, expression=exp.Not(this=exp.Paren(this=outside))) if normal else outside
    if "flag" in role.fields:
        flag = exp.In(
            this=exp.Lower(this=scope.column(role.fields["flag"])),
            expressions=[sql.literal(word) for word in ABNORMAL],
        )
        return (
            exp.Not(this=exp.Paren(this=sql.every([sql.present(scope.column(role.fields["flag"])), flag])))
            if normal
            else flag
        )
    known = f" but for {', '.join(role.normal)}" if role.normal else ""
    raise LogicError(
        f"Which values are {condition.state} is not recorded here.",
        why=f"The profile has no normal range for this{known}: give a limit instead, as in “value > 5.5”.",
    )


ABNORMAL = ("abnormal", "abn", "a", "aa", "high", "h", "hh", "h*", "low", "l", "ll", "l*", "critical", "panic")
"""What laboratories flag values with that lie beyond the normal range."""


def _beyond_own_range(condition: Is, scope: Scope, measured: Sql) -> tuple[Sql, Sql] | None:
    """That a value lies beyond the range that is kept beside it or beside its name, and that there is one; None where
    none is kept."""
    told = {**scope.fields_of_items(), **scope.role.fields}
    limits = [(sign, value(Own(name), scope)) for name, sign in _LIMITS if name in told]
    if not limits or condition.measure != Own("value") or "flag" in scope.role.fields:
        return None
    outside = sql.either([sql.compared(measured.copy(), sign, limit.copy()) for sign, limit in limits])
    return outside, sql.either([sql.present(limit.copy()) for _, limit in limits])


_LIMITS = (("lower limit", "<"), ("upper limit", ">"))
"""The attributes that keep the normal range of a value beside it, or beside its name, and how what lies beyond compares
with them."""


@holds.register
def _window(condition: Window, scope: Scope) -> Sql:
    bounds = instants.conditions(condition, scope.at.now)
    time = _time(scope)
    found = sql.every([sql.compared(time.copy(), sign, sql.literal(instant)) for sign, instant in bounds])
    assert found is not None  # a window has a bound
    return found


def _time(scope: Scope) -> Sql:
    if scope.unit == PATIENT or not scope.role.time:
        raise LogicError(
            no_time(scope.unit),
            why="A time window must belong to a kind of record.",
            next_step="Put the time into a condition: patients with (hospital stay in 2104)",
        )
    return scope.column(scope.role.time)


# --- other records -------------------------------------------------------------------------------------------------


def bond(scope_unit: str, unit: str) -> str:
    """Through what rows of `unit` belong to a row of `scope_unit`: the patient, or the stay that it is."""
    if scope_unit == HOSPITAL and unit not in (PATIENT, HOSPITAL):
        return HOSPITAL
    if scope_unit == ICU and unit not in UNITS:
        return ICU
    return PATIENT


@holds.register
def _has(condition: Has, scope: Scope) -> Sql:
    unit = condition.of.unit
    if (
        unit in UNITS
        and scope.unit != unit
        and (scope.unit not in UNITS or UNITS.index(unit) < UNITS.index(scope.unit))
    ):
        return holds(Of(condition.of), scope)  # the one that the row belongs to
    own = bond(scope.unit, unit)
    key = scope.link(own)
    times = condition.times
    if times is None:
        found = rows(scope.at, condition.of, [("key", Own(own))], within=own)
        return _in_step(key, found)
    if times.relation != ">=":
        more = Has(condition.of, replace(times, relation=">=", count=times.count + 1))
        enough = Has(condition.of, replace(times, relation=">="))
        if times.relation == "<=":
            return holds(Not(more), scope)
        return holds(All((enough, Not(more))) if times.count else Not(more), scope)
    if times.count <= 0:
        return exp.true()
    return _in_step(key, _often(scope, condition.of, times, own))


def _in_step(key: Sql, step: str) -> Sql:
    known = sql.selected([("key", sql.column("", "key"))], sql.table(step), where=[sql.present(sql.column("", "key"))])
    return exp.In(this=key, query=exp.Subquery(this=known))


def _often(scope: Scope, of: Set, times: Times, own: str) -> str:
    """The step of the keys that have so many of the rows."""
    at, key, time = scope.at, sql.column("", "key"), sql.column("", "time")
    if times.running:
        return _running(scope, of, times.count, own)
    if times.within is not None:
        found = rows(at, of, [("key", Own(own)), ("time", Own("time"))], within=own)
        earlier = exp.Lag(this=time, offset=sql.literal(times.count - 1)) if times.count > 1 else time
        back = sql.over(earlier, [key], [sql.sorted_by(time, descending=False)]) if times.count > 1 else time
        spans = add(at, "spans", sql.selected([("key", key), ("time", time), ("start", back)], sql.table(found)))
        count, unit = times.within
        near = exp.LTE(this=sql.instant(time), expression=sql.moved(sql.column("", "start"), count, unit))
        return add(at, "often", sql.selected([("key", key)], sql.table(spans), where=[near], distinct=True))
    counted: tuple[str, Own] | None = None
    number: Sql = exp.Count(this=exp.Star())
    if times.of == "stays":
        counted = ("counted", Own(HOSPITAL))
    elif times.of == "days":
        counted = ("counted", Own("time"))
    elif of.unit in UNITS:
        counted = ("counted", Own("id"))
    found = rows(at, of, [("key", Own(own)), *([counted] if counted else [])], within=own)
    if counted:
        held = sql.column("", "counted")
        held = sql.part_of("day", held) if times.of == "days" else held
        number = exp.Count(this=exp.Distinct(expressions=[held]))
    having = exp.GTE(this=number, expression=sql.literal(times.count))
    return add(at, "often", sql.selected([("key", key)], sql.table(found), group=[key], having=having))


def _running(scope: Scope, of: Set, count: int, own: str) -> str:
    """The keys with so many records in a row that meet the set's condition, among all records of its items."""
    at, key, time, met = scope.at, sql.column("", "key"), sql.column("", "time"), sql.column("", "met")
    condition = of.where if of.where is not None else All(())
    all_rows = rows(
        at, replace(of, where=None, pick=None), [("key", Own(own)), ("time", Own("time")), ("met", Whether(condition))]
    )
    order = [sql.sorted_by(time, descending=False)]
    place = exp.Sub(
        this=sql.over(exp.RowNumber(), [key], order), expression=sql.over(exp.RowNumber(), [key, met], order)
    )
    runs = add(at, "runs", sql.selected([("key", key), ("met", met), ("run", place)], sql.table(all_rows)))
    having = exp.GTE(this=exp.Count(this=exp.Star()), expression=sql.literal(count))
    holding = [exp.EQ(this=met, expression=sql.literal(1))]
    return add(
        at,
        "often",
        sql.selected([("key", key)], sql.table(runs), where=holding, group=[key, sql.column("", "run")], having=having),
    )


@holds.register
def _of(condition: Of, scope: Scope) -> Sql:
    of = condition.of
    if of.unit not in UNITS:  # of the row's own kind, as is checked
        where = together(conjuncts(of.where), scope) if of.where is not None else []
        return sql.every([*about(scope, of.items), *where]) or exp.true()
    key = scope.link(of.unit)
    parts = conjuncts(of.where) if of.where is not None else ()
    if of.pick is None and len(parts) == 1 and isinstance(parts[0], Among) and parts[0].measure == Own("id"):
        return sql.one_of(key, parts[0].values)
    return _in_step(key, rows(scope.at, of, [("key", Own("id"))]))


@holds.register
def _in_answer(condition: InAnswer, scope: Scope) -> Sql:
    turn = scope.at.turn(condition.turn)
    token = exp.column(f"PREV_RESULT{condition.turn}")
    names = {column.lower(): column for column in turn.columns}
    profile = scope.at.profile
    if condition.unit not in UNITS:
        if len(names) != 1:
            raise _unnamed(condition, "items")
        name = Own("name")
        return exp.In(this=value(name, scope), expressions=[token])
    kind = {HOSPITAL: "hospital", ICU: "icu"}.get(condition.unit)
    keys = profile.patient_columns if kind is None else _stay_columns(scope, kind)
    found = next((names[key.lower()] for key in keys if key.lower() in names), None)
    if found is not None:
        key = scope.link(condition.unit)
        if len(names) == 1:
            return exp.In(this=key, expressions=[token])
        chosen = sql.selected([(found, sql.column("", found))], sql.rows_of_turn(condition.turn))
        return exp.In(this=key, query=exp.Subquery(this=chosen))
    behind = _set_behind(turn.statement)
    if isinstance(behind, Answer) and behind.turn < condition.turn:
        return holds(replace(condition, turn=behind.turn), scope)
    if not isinstance(behind, Set) or (behind.unit == PATIENT and kind is not None):
        raise _unnamed(condition, "patients" if kind is None else "stays")
    inner = scope.at.inside(condition.turn)
    key = scope.link(condition.unit)
    return _in_step(key, rows(inner, behind, [("key", Own("id" if behind.unit == condition.unit else condition.unit))]))


def _stay_columns(scope: Scope, kind: str) -> tuple[str, ...]:
    stay = scope.at.profile.stays.get(kind)
    return (stay.id,) if stay is not None else ()


def _set_behind(statement: object | None) -> Set | Answer | None:
    """The set that an answer is about, or the answer whose rows it shows; None where it keeps but some of them."""
    if isinstance(statement, Rows | Groups):
        cut = statement.order is not None and statement.order.first is not None
        some = cut or (isinstance(statement, Groups) and statement.having is not None)
        return None if some else statement.of
    if isinstance(statement, Single):
        of = statement.columns[0].of if isinstance(statement.columns[0], Aggregate) else None
        return of if isinstance(of, Set | Answer) else None
    return statement if isinstance(statement, Answer) else None


def _unnamed(condition: InAnswer, what: str) -> LogicError:
    return LogicError(
        f"A{condition.turn} does not say which {what} it is about.",
        why=f"Its result has no column of such {what}.",
        next_step=f"Ask for the {what} first, then refer to that answer instead of A{condition.turn}.",
    )


# --- in time -------------------------------------------------------------------------------------------------------


@holds.register
def _near(condition: Near, scope: Scope) -> Sql:
    return _lies(condition.relation, _time(scope), value(condition.moment, scope), strictly=False)


@holds.register
def _related(condition: Related, scope: Scope) -> Sql:
    event = condition.event
    if event.unit == PATIENT:
        raise LogicError("Patients themselves have no time.", next_step="Name an event: a stay, a drug, a test.")
    stays = [relation.unit for relation in condition.relations if relation.kind == "stay"]
    unknown = [unit for unit in stays if unit not in _STAYS]
    if unknown:
        raise LogicError(f"There are no stays of the kind “{unknown[0]}”.", next_step="hospital stay or icu stay")
    columns: list[tuple[str, Measure]] = [("key", Own(PATIENT)), ("time", Own("time"))]
    if any(relation.kind == "overlapping" for relation in condition.relations):
        columns.append(("end_time", _until(scope.role)))
    columns += [(unit.replace(" ", "_"), Own(unit)) for unit in dict.fromkeys(stays)]
    _time(scope)  # says that a patient has none
    # Both sides are read once and joined: a condition on each row of one would read the other for each of them.
    numbered = [("id", Own("id"))] if scope.unit in UNITS or scope.role.row else []
    same = numbered if event.unit == scope.unit else []
    theirs = role_of(scope.at.profile, event.unit)
    of_other = [(title, _until(theirs) if title == "end_time" and theirs else one) for title, one in columns]
    other = rows(scope.at, event, [*of_other, *same], name=f"other_{role_name(event.unit)}_rows")
    if condition.each:
        mine = {title: value(measure, scope) for title, measure in columns}
        each = {title: sql.column(other, title) for title, _ in columns}
        scope.joins[other] = exp.Join(this=sql.table(other), on=_lie(condition.relations, mine, each))
        return exp.true()
    own = Set(scope.unit, scope.of.items, _plainly(scope.of))
    here = rows(scope.at, own, [*columns, *numbered], name=f"{role_name(scope.unit)}_moments")
    there = {title: sql.column("there", title) for title, _ in columns}
    on = [_lie(condition.relations, {title: sql.column("here", title) for title, _ in columns}, there)]
    if same:
        on.append(exp.NEQ(this=sql.column("here", "id"), expression=sql.column("there", "id")))
    keys = [(title, value(measure, scope)) for title, measure in numbered or columns]
    return _one_of_joined(keys, here, other, on)


def _until(role: Role) -> Measure:
    """When a row ended: what happened in a moment, when it happened."""
    return Own("end time" if role.end else "time")


def _lie(relations: tuple[Relation, ...], here: Mapping[str, Sql], there: Mapping[str, Sql]) -> Sql:
    """That two rows of the same patient lie so to each other; both have a key, a time and what relations look at."""
    on: list[Sql] = [exp.EQ(this=here["key"], expression=there["key"])]
    for relation in relations:
        if relation.kind == "stay":
            held = relation.unit.replace(" ", "_")
            on.append(exp.EQ(this=here[held].copy(), expression=there[held].copy()))
        elif relation.kind == "overlapping":
            on.append(_overlap(here, there))
        else:
            on.append(_lies(relation, here["time"].copy(), there["time"].copy(), strictly=True))
    found = sql.every(on)
    assert found is not None
    return found


def _plainly(of: Set) -> Condition | None:
    """What a set demands of its rows' own fields: enough to leave out most rows that do not count."""
    parts = conjuncts(of.where) if of.where is not None else ()
    plain = tuple(one for one in parts if isinstance(one, Test | Among | Like | Is | Window | Of | InAnswer))
    return All(plain) if plain else None


def _one_of_joined(keys: list[tuple[str, Sql]], here: str, other: str, on: list[Sql]) -> Sql:
    """That the keys of a row are among those of the rows `here` that have a partner in the `other` step."""
    # A missing end is a value like any other here.
    known = [(title, _known(sql.column("here", title)) if title == "end_time" else sql.column("here", title))
             for title, _ in keys]  # fmt: skip
    found = sql.selected(
        known, sql.table(here, "here"), joins=[exp.Join(this=sql.table(other, "there"), on=sql.every(on))]
    )
    own = [_known(key) if title == "end_time" else key for title, key in keys]
    return exp.In(this=own[0] if len(own) == 1 else exp.Tuple(expressions=own), query=exp.Subquery(this=found))


def _known(moment: Sql) -> Sql:
    return exp.Coalesce(this=moment, expressions=[sql.literal("")])


def _overlap(here: Mapping[str, Sql], there: Mapping[str, Sql]) -> Sql:
    """That two periods share a moment; one without an end goes on."""
    start, end = here["time"].copy(), here["end_time"].copy()
    other, until = there["time"].copy(), there["end_time"].copy()
    first = sql.either([sql.missing(until), exp.LTE(this=start, expression=until.copy())])
    second = sql.either([sql.missing(end), exp.LTE(this=other, expression=end.copy())])
    found = sql.every([first, second])
    assert found is not None
    return found


def _lies(relation: Relation, time: Sql, other: Sql, *, strictly: bool) -> Sql:
    """That `time` lies so to `other`; `strictly`, not at the same moment."""
    count, unit = relation.count, relation.unit
    if relation.kind == "same":
        if not unit or unit == "time":
            return exp.EQ(this=time, expression=other)
        return exp.EQ(this=sql.part_of(unit, time), expression=sql.part_of(unit, other))  # type: ignore[arg-type]
    parts: list[Sql] = []
    if relation.beyond:
        if count is None:
            raise LogicError("Say how far away: more than 48 hours after …")
        late: Sql = exp.GT(this=sql.instant(time), expression=sql.moved(other, count, unit))
        early: Sql = exp.LT(this=sql.instant(time.copy()), expression=sql.moved(other.copy(), -count, unit))
        return {"after": late, "before": early}.get(relation.kind, sql.either([late, early]))
    if relation.kind == "after":
        parts.append((exp.GT if strictly else exp.GTE)(this=time, expression=other))
    if relation.kind == "before":
        parts.append((exp.LT if strictly else exp.LTE)(this=time, expression=other))
    if count is not None:
        if relation.kind in ("after", "around"):
            parts.append(exp.LTE(this=sql.instant(time.copy()), expression=sql.moved(other.copy(), count, unit)))
        if relation.kind in ("before", "around"):
            parts.append(exp.GTE(this=sql.instant(time.copy()), expression=sql.moved(other.copy(), -count, unit)))
    found = sql.every(parts)
    if found is None:
        raise LogicError("Say how near: within 24 hours of …")
    return exp.Paren(this=found)
