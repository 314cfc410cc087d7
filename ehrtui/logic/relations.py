"""The relations that an answer is made of: the patients in question, their stays, and the records of one role.

Each function adds steps to a compilation and returns the name of the step that holds the relation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ehrtui.errors import LogicError
from ehrtui.logic import clock
from ehrtui.logic.model import After, Has, Link, Ordered, Patients, Query, Rows, Source, Stay, Times, Window
from ehrtui.logic.steps import Compilation, any_of, group_of, identifier, literal, one_of, select
from ehrtui.schema.profile import GUESSED, Role, StayKind

EVERYONE = Patients()


@dataclass(frozen=True)
class Condition:
    """An SQL condition ("" for none) and the earlier step that it names ("" for none)."""

    sql: str = ""
    uses: str = ""


def records(
    at: Compilation,
    has: Has | Query,
    patients: Patients = EVERYONE,
    *,
    columns: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
    named: bool = False,
    stay: str = "",
) -> str:
    """The records of `has` that belong to `patients`. Every row has the patient's identifier, `columns` (rows where one
    of these is NULL are left out) and `also` (NULL or not), when `named` the item's `name`, and as `stay_id` the `stay`
    asked for ("hospital stay" or "icu stay")."""
    role = at.role(has.source.role)
    if has.after is not None:
        columns = (*columns, role.time)
        stay = stay or (has.after.link.unit or "" if has.after.link.unit in ("hospital stay", "icu stay") else "")
    extremes = [one for one in has.source.filters if one.value in ("minimum", "maximum") and one.relation == "is"]
    measured = tuple(field_column(at, has.source, one.field) for one in extremes)
    name = _plain_records(at, has, patients, tuple(dict.fromkeys((*columns, *measured))), also, named, stay)
    if has.after is not None:
        name = _following(at, name, role, has.after, patients, stay)
    for one, column in zip(extremes, measured, strict=True):
        extreme = f"SELECT {'MIN' if one.value == 'minimum' else 'MAX'}({column}) FROM {name}"
        name = at.add(f"{one.value}_rows", select("*", name, [f"{column} = ({extreme})"]), name)
    return name


def _plain_records(
    at: Compilation,
    has: Has | Query,
    patients: Patients,
    columns: tuple[str, ...],
    also: tuple[str, ...],
    named: bool,
    stay: str,
) -> str:
    source, role = has.source, at.role(has.source.role)
    if "" in columns:
        raise LogicError(
            f"A {source.role.replace('_', ' ')} has no time, or belongs to no stay, in this database.",
            next_step="Ask for its other fields, without a time.",
        )
    if named and not role.item:
        raise LogicError(f"A {source.role.replace('_', ' ')} has no name.", next_step="Ask for one of its fields.")
    item = role.dictionary if named else None
    stay_kind = at.stay_kind("icu" if stay == "icu stay" else "hospital") if stay and role.stay else None
    in_role = stay_kind is not None and at.stay_kind(role.stay) == stay_kind
    joins_stay = not role.patient or (stay_kind is not None and not in_role)
    # Column names are qualified only where a join makes it necessary: the SQL is for people, too.
    own = f"{role.table}." if joins_stay or item is not None else ""
    table, patient = at.relation(role.table), f"{own}{role.patient}"
    if joins_stay:
        kind = at.stay_kind(role.stay)
        table += f"\nJOIN {at.relation(kind.table, 'stay')} ON stay.{kind.id} = {own}{role.key}"
        patient = f"stay.{kind.patient}"
    selected = [patient, *(f"{own}{column}" for column in (*columns, *also))]
    if stay_kind is not None:
        held = f"{own}{role.key}" if in_role else f"stay.{at.stay_kind(role.stay).hospital}"
        selected.append(f"{held} AS stay_id")
    present = [f"{own}{column} IS NOT NULL" for column in columns]
    if not columns and role.time:
        present = [f"{own}{role.time} IS NOT NULL"] if source.role in ("discharge", "death") else []
    if item is not None:
        table += f"\nJOIN {at.relation(item.table, 'item')} ON item.{item.key} = {own}{role.item}"
        selected.append(f"item.{item.name} AS name")
    elif named:
        selected.append(f"{own}{role.item} AS name")
        present.append(f"{own}{role.item} IS NOT NULL")
    who = replace(patients, age=None) if role.stay else patients
    conditions = [
        patient_condition(at, who, patient),
        Condition(_age_of_stay(at, patients.age, role, own) if role.stay and patients.age else ""),
        _stay_condition(at, has.during, who, role, own) if has.during else Condition(),
        Condition(role.where),
        Condition(_item_condition(at, source, role, own)),
        *map(Condition, _filter_conditions(at, source, role, own)),
        *map(Condition, _time_conditions(at, has.windows, role, source.role, own)),
        *map(Condition, present),
    ]
    sql = select(", ".join(dict.fromkeys(selected)), table, [condition.sql for condition in conditions])
    return at.add(f"{source.role}_rows", sql, *(condition.uses for condition in conditions))


def _following(at: Compilation, rows: str, role: Role, after: After, patients: Patients, stay: str) -> str:
    """The rows paired with each event of the same patient that they follow, or precede, as the link says."""
    other_role = at.role(after.event.source.role)
    if not (role.time and other_role.time):
        raise LogicError("Only events with a time can follow each other.")
    same_stay = stay if role.stay and other_role.stay else ""
    others = records(at, after.event, Patients(ids=patients.ids), columns=(other_role.time,), stay=same_stay)
    patient, other_patient = at.patient_column(role), at.patient_column(other_role)
    if after.first:
        kept = f"{other_patient}, MIN({other_role.time}) AS {other_role.time}" + (", stay_id" if same_stay else "")
        others = at.add("first_rows", select(kept, others) + f"\nGROUP BY {other_patient}", others)
    own, other = ("earlier", "later") if after.before else ("later", "earlier")
    times = {own: f"{own}.{role.time}", other: f"{other}.{other_role.time}"}
    order = _order(after.link, times["earlier"], times["later"], bool(same_stay))
    joined = f"{rows} AS {own}\nJOIN {others} AS {other} ON {other}.{other_patient} = {own}.{patient}"
    name = "preceding_rows" if after.before else "following_rows"
    return at.add(name, select(f"{own}.*", joined, order), rows, others)


def _order(link: Link, first_time: str, then: str, same_stay: bool) -> list[str]:
    """The conditions under which one time follows another as the link says."""
    match link.kind:
        case "simultaneous":
            return [f"{then} = {first_time}"]
        case "within":
            # SQLite knows no weeks.
            span = f"{7 * (link.count or 0)} day" if link.unit == "week" else f"{link.count} {link.unit}"
            return [f"{first_time} < {then}", f"datetime({then}) <= datetime({first_time}, '+{span}')"]
        case "same":
            return [f"{first_time} < {then}", _in_same(link, first_time, then, same_stay)]
        case "together":
            return [_in_same(link, first_time, then, same_stay)]
        case "ever":
            return [f"{first_time} < {then}"]


def _in_same(link: Link, one: str, other: str, same_stay: bool) -> str:
    """The condition that two events lie in the same stay or calendar unit."""
    if link.unit in ("hospital stay", "icu stay"):
        return "earlier.stay_id = later.stay_id" if same_stay else ""
    if link.unit in ("week", "hour"):
        return f"{group_of(one, link.unit)} = {group_of(other, link.unit)}"
    start = f"'start of {link.unit}'"
    return f"date({one}, {start}) = date({other}, {start})"


def field_column(at: Compilation, source: Source, field: str) -> str:
    """The column of a field; the value of a measurement that has a column of its own is that column."""
    role = at.role(source.role)
    if field == "value" and role.wide:
        columns = [role.wide[name] for name in source.names if name in role.wide]
        if len(columns) != 1:
            raise LogicError("Name the one measurement whose value you want.", next_step='value of vital "…" of …')
        return columns[0]
    return at.column(role, source.role, field)


def cohort(at: Compilation, patients: Patients) -> str:
    """The patients who meet every condition, one row each."""
    table, conditions = at.patient_table(), []
    if patients.ids:
        conditions.append(Condition(f"{table.id} {one_of([literal(id) for id in patients.ids])}"))
    if patients.turn is not None:
        conditions.append(_patients_of_turn(at, patients.turn))
    if patients.sex:
        gender = at.column(at.role("patient"), "patient", "gender")
        stored = at.profile.sexes.get(patients.sex)
        if stored is None:
            raise LogicError(
                f"The profile does not say how “{patients.sex}” is stored.", next_step="Add it to [sexes]."
            )
        conditions.append(Condition(f"{gender} = {literal(stored)}"))
    if patients.age and all(condition.negated for condition in patients.conditions):
        conditions.append(Condition(_age_condition(at, patients.age)))
    conditions += [_has(at, condition, patients.age) for condition in patients.conditions]
    if at.profile.name == GUESSED:
        conditions.append(Condition(f"{table.id} IS NOT NULL"))  # nothing vouches for the column
    sql = select(f"DISTINCT {table.id}", at.relation(table.table), [condition.sql for condition in conditions])
    return at.add("cohort", sql, *(condition.uses for condition in conditions))


def patient_condition(at: Compilation, patients: Patients, column: str) -> Condition:
    """That `column` holds one of the patients."""
    if patients.ids and not patients.conditions:
        return Condition(f"{column} {one_of([literal(id) for id in patients.ids])}")
    if patients == Patients():
        return Condition()
    name = cohort(at, patients)
    return Condition(f"{column} IN (SELECT {at.patient_table().id} FROM {name})", name)


def _has(at: Compilation, condition: Has, age: tuple[int | None, int | None] | None) -> Condition:
    # Who never had it never had it at any age.
    role = at.role(condition.source.role)
    of_stays = condition.times is not None and is_stays(at, condition.source.role)
    key = (role.key,) if of_stays else ()
    name = records(at, condition, Patients(age=None if condition.negated else age), columns=key)
    inside = at.patient_column(role)
    if condition.times:
        often = how_often(condition.times, f"DISTINCT {role.key}" if of_stays else "*")
        name = at.add("often", select(inside, name) + f"\nGROUP BY {inside}\nHAVING {often}", name)
    patient, test = at.patient_table().id, "NOT IN" if condition.negated else "IN"
    return Condition(f"{patient} {test} (SELECT {inside} FROM {name})", name)


def is_stays(at: Compilation, name: str) -> bool:
    """True for a role whose records are stays, so that several rows of a table are one where they are of one stay."""
    role = at.role(name)
    if not role.key:
        return False
    return name in ("admission", "icu_stay", "discharge") or (
        role.stay != "" and at.stay_kind(role.stay).table == role.table and name != "death"
    )


def length_of(name: str, role: Role, own: str = "") -> str:
    """How long a record of the role `name` lasted, in days with fractions. Raises LogicError for one without an end."""
    if not (role.end and role.time):
        raise LogicError(f"A {name.replace('_', ' ')} has no end.")
    return f"strftime('%J', {own}{role.end}) - strftime('%J', {own}{role.time})"


def how_often(times: Times, counted: str = "*") -> str:
    """The condition on a group of records."""
    return f"COUNT({counted}) {'>=' if times.at_least else '='} {times.count}"


def _age_condition(at: Compilation, age: tuple[int | None, int | None]) -> str:
    role = at.role("admission")
    return f"{at.patient_table().id} IN ({_stays_at_age(at, at.patient_column(role), age)})"


def _age_of_stay(at: Compilation, age: tuple[int | None, int | None], role: Role, own: str) -> str:
    """That the patient was of that age at the hospital stay of the record."""
    inside = _stays_at_age(at, at.stay_kind("hospital").id, age)
    if role.stay == "hospital":
        return f"{own}{role.key} IN ({inside})"
    icu = at.stay_kind("icu")
    return f"{own}{role.key} IN (SELECT {icu.id} FROM {at.relation(icu.table)} WHERE {icu.hospital} IN ({inside}))"


def _stays_at_age(at: Compilation, column: str, age: tuple[int | None, int | None]) -> str:
    role = at.role("admission")
    years = at.column(role, "admission", "age")
    bounds = [f"{years} {sign} {bound}" for sign, bound in zip((">=", "<="), age, strict=True) if bound is not None]
    return select(column, at.relation(role.table), bounds).replace("\n", " ")


def _patients_of_turn(at: Compilation, number: int) -> Condition:
    """ "A patient of A1": by the answer's rows where they name patients, else by the question's own logic (which never
    leads back to A1, whatever a session file says)."""
    turn, patient = at.turn(number), at.patient_table().id
    names = {name.lower() for name in at.profile.patient_columns}
    column = next((name for name in turn.columns if name.lower() in names), None)
    if column is not None:
        if len(turn.columns) == 1:
            return Condition(f"{patient} IN (PREV_RESULT{number})")
        return Condition(f"{patient} IN (SELECT {identifier(column)} FROM (PREV_RESULT{number}))")
    behind = turn.logic.of if isinstance(turn.logic, Ordered) else turn.logic
    others = replace(at, turns={other: at.turns[other] for other in at.turns if other != number})
    if isinstance(behind, Rows):
        return _patients_of_turn(others, behind.turn)
    if isinstance(behind, Query):
        name = _patients_behind(others, behind)
        return Condition(f"{patient} IN (SELECT {patient} FROM {name})", name)
    raise LogicError(
        f"A{number} does not say which patients it is about.",
        why="Its result has no column of patient identifiers.",
        next_step=f"Ask for the patients first, then refer to that answer instead of A{number}.",
    )


def _patients_behind(at: Compilation, query: Query) -> str:
    if query.source.role == "patient":
        return cohort(at, query.patients)
    return records(at, query, query.patients)


def _stay_condition(at: Compilation, during: Stay, patients: Patients, role: Role, own: str) -> Condition:
    kind = at.stay_kind(during.kind)
    name = _stays(at, during, kind, patients)
    if role.stay == during.kind:
        return Condition(f"{own}{role.key} IN (SELECT {kind.id} FROM {name})", name)
    if not role.stay:
        return Condition(_within_stays(at, role, kind, name), name)
    if during.kind == "hospital":
        icu = at.stay_kind("icu")
        inside = f"SELECT {icu.id} FROM {at.relation(icu.table)} WHERE {icu.hospital} IN (SELECT {kind.id} FROM {name})"
        return Condition(f"{own}{role.key} IN ({inside})", name)
    # A record that hangs on the hospital stay lies in an ICU stay when its time does.
    time, key = f"{role.table}.{role.time}", f"{role.table}.{role.key}"
    inside = f"{name}.{kind.hospital} = {key} AND {time} >= {name}.{kind.start}"
    inside += f" AND ({time} <= {name}.{kind.end} OR {name}.{kind.end} IS NULL)"
    return Condition(f"EXISTS (SELECT 1 FROM {name} WHERE {inside})", name)


def _within_stays(at: Compilation, role: Role, kind: StayKind, name: str) -> str:
    """That a record which no stay is kept with lies in one of its patient's, of the step `name`, by its time."""
    if not role.time:
        raise LogicError("These records have neither a time nor a stay.", next_step="Leave the stay out.")
    time, patient = f"{role.table}.{role.time}", f"{role.table}.{at.patient_column(role)}"
    inside = f"own.{kind.id} IN (SELECT {kind.id} FROM {name}) AND own.{kind.patient} = {patient}"
    inside += f" AND {time} >= own.{kind.start} AND ({time} <= own.{kind.end} OR own.{kind.end} IS NULL)"
    return f"EXISTS (SELECT 1 FROM {at.relation(kind.table, 'own')} WHERE {inside})"


def _stays(at: Compilation, during: Stay, kind: StayKind, patients: Patients) -> str:
    who = patient_condition(at, patients, kind.patient)
    columns = ", ".join(filter(None, [kind.id, kind.hospital, kind.start, kind.end]))
    table = at.relation(kind.table)
    among = _stays_of_turn(at, during.turn, kind) if during.turn is not None else Condition()
    if during.turn is not None and during.ordinal is None:
        return at.add("stays", select(f"DISTINCT {columns}", table, [who.sql, among.sql]), who.uses, among.uses)
    if during.ordinal is None:
        return at.add("stays", select(f"DISTINCT {columns}", table, [who.sql, f"{kind.end} IS NULL"]), who.uses)
    nth, direction = abs(during.ordinal), "ASC" if during.ordinal > 0 else "DESC"
    finished = [who.sql, among.sql, f"{kind.end} IS NOT NULL"]
    if len(patients.ids) == 1:
        sql = select(f"DISTINCT {columns}", table, finished) + f"\nORDER BY {kind.start} {direction}\nLIMIT 1"
        return at.add("stays", sql + (f" OFFSET {nth - 1}" if nth > 1 else ""), who.uses, among.uses)
    over = f"DENSE_RANK() OVER (PARTITION BY {kind.patient} ORDER BY {kind.start} {direction}) AS nth"
    ranked = at.add("ranked_stays", select(f"{columns}, {over}", table, finished), who.uses, among.uses)
    return at.add("stays", select(f"DISTINCT {columns}", ranked, [f"nth = {nth}"]), ranked)


def _stays_of_turn(at: Compilation, number: int, kind: StayKind) -> Condition:
    """ "The stays of A1": by the answer's rows where they identify stays, else those that its own records belong to."""
    turn = at.turn(number)
    names = {column.lower(): column for column in turn.columns}
    for key in filter(None, (kind.id, kind.hospital)):
        if key.lower() in names:
            inside = "" if len(names) == 1 else f"SELECT {identifier(names[key.lower()])} FROM "
            token = f"PREV_RESULT{number}"
            return Condition(f"{key} IN ({inside}({token}))" if inside else f"{key} IN ({token})")
    if isinstance(turn.logic, Query) and turn.logic.source.role != "patient":
        role = at.role(turn.logic.source.role)
        if role.stay and at.stay_kind(role.stay) == kind:
            others = replace(at, turns={other: at.turns[other] for other in at.turns if other != number})
            name = records(others, turn.logic, turn.logic.patients, columns=(role.key,))
            return Condition(f"{kind.id} IN (SELECT {role.key} FROM {name})", name)
    raise LogicError(
        f"A{number} does not say which stays it is about.",
        why="Its result has no column of stay identifiers.",
        next_step=f"List the stays first, then refer to that answer instead of A{number}.",
    )


def _item_condition(at: Compilation, source: Source, role: Role, own: str) -> str:
    if source.turn is None and not source.names:
        return ""
    if role.wide:
        columns = [role.wide[name] for name in source.names if name in role.wide]
        return any_of([f"{own}{column} IS NOT NULL" for column in columns]) if columns else "0 = 1"
    if not role.item:
        raise LogicError(f"A {source.role.replace('_', ' ')} has no name.", next_step="Leave the name out.")
    if source.turn is not None:
        at.turn(source.turn)
        test = f"IN (PREV_RESULT{source.turn})"
    else:
        test = one_of([literal(name) for name in source.names])
    if role.dictionary is None:
        return f"{own}{role.item} {test}"
    entry = role.dictionary
    where = " AND ".join(filter(None, [entry.where, f"{entry.name} {test}"]))
    return f"{own}{role.item} IN (SELECT {entry.key} FROM {at.relation(entry.table)} WHERE {where})"


def _filter_conditions(at: Compilation, source: Source, role: Role, own: str) -> list[str]:
    conditions = []
    for one in source.filters:
        measured = one.field == "length"
        column = length_of(source.role, role, own) if measured else f"{own}{field_column(at, source, one.field)}"
        if one.relation != "is":
            conditions.append(f"{column} {one.relation} {literal(one.value)}")
        elif one.value in ("present", "missing"):
            conditions.append(f"{column} IS {'NOT ' if one.value == 'present' else ''}NULL")
        elif one.value == "open":
            conditions.append(f"({column} IS NULL OR {column} >= {literal(at.now[:10])})")
        elif one.value in ("normal", "abnormal"):
            conditions.append(_within_range(source, role, own, column, normal=one.value == "normal"))
    return conditions


def _within_range(source: Source, role: Role, own: str, column: str, *, normal: bool) -> str:
    """That a value lies in the profile's range of the item, or outside of it; where there is none, that the records
    flag it as abnormal."""
    ranges = {role.normal[name] for name in source.names if name in role.normal}
    if len(ranges) == 1:
        low, high = ranges.pop()
        return f"{column} {'' if normal else 'NOT '}BETWEEN {low} AND {high}"
    if "flag" in role.fields and not normal:
        return f"LOWER({own}{role.fields['flag']}) = 'abnormal'"
    known = f" but for {', '.join(role.normal)}" if role.normal else ""
    raise LogicError(
        f"Which values are {'normal' if normal else 'abnormal'} is not recorded here.",
        why=f"The profile has no normal range for this{known}: give a limit instead, as in “above 5.5”.",
    )


def _time_conditions(at: Compilation, windows: tuple[Window, ...], role: Role, name: str, own: str) -> list[str]:
    if windows and not role.time:
        raise LogicError(f"A {name.replace('_', ' ')} has no time.", next_step="Leave the time window out.")
    return [
        f"{own}{role.time} {operator} {literal(instant)}"
        for window in windows
        for operator, instant in clock.conditions(window, at.now)
    ]
