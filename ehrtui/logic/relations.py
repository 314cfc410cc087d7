"""The relations that an answer is made of: the patients in question, their stays, and the records of one role.

Each function adds steps to a compilation and returns the name of the step that holds the relation.
"""

from __future__ import annotations

from dataclasses import dataclass

from ehrtui.errors import LogicError
from ehrtui.logic import clock
from ehrtui.logic.model import Has, Patients, Query, Source, Stay, Window
from ehrtui.logic.steps import Compilation, any_of, identifier, literal, one_of, select
from ehrtui.schema.profile import Role, StayKind


@dataclass(frozen=True)
class Condition:
    """An SQL condition ("" for none) and the earlier step that it names ("" for none)."""

    sql: str = ""
    uses: str = ""


def records(
    at: Compilation,
    source: Source,
    patients: Patients,
    during: Stay | None,
    windows: tuple[Window, ...],
    *,
    columns: tuple[str, ...] = (),
    named: bool = False,
) -> str:
    """The records in question. Every row has the patient's identifier and `columns` (rows where one of these is NULL
    are left out), and, when `named`, the item's `name`."""
    role = at.role(source.role)
    if named and not role.item:
        raise LogicError(f"A {source.role.replace('_', ' ')} has no name.", next_step="Ask for one of its fields.")
    item = role.dictionary if named else None
    # Column names are qualified only where a join makes it necessary: the SQL is for people, too.
    own = "" if role.patient and item is None else f"{role.table}."
    table, patient = role.table, f"{own}{role.patient}"
    if not role.patient:
        stay = at.stay_kind(role.stay)
        table += f"\nJOIN {stay.table} AS stay ON stay.{stay.id} = {own}{role.key}"
        patient = f"stay.{stay.patient}"
    selected = [patient, *(f"{own}{column}" for column in columns)]
    present = [f"{own}{column} IS NOT NULL" for column in columns]
    if item is not None:
        table += f"\nJOIN {item.table} AS item ON item.{item.key} = {own}{role.item}"
        selected.append(f"item.{item.name} AS name")
    elif named:
        selected.append(f"{own}{role.item} AS name")
        present.append(f"{own}{role.item} IS NOT NULL")
    conditions = [
        patient_condition(at, patients, patient),
        _stay_condition(at, during, patients, role, own) if during else Condition(),
        Condition(role.where),
        Condition(_item_condition(at, source, role, own)),
        *(Condition(condition) for condition in (*_time_conditions(at, windows, role, source.role, own), *present)),
    ]
    sql = select(", ".join(dict.fromkeys(selected)), table, [condition.sql for condition in conditions])
    return at.add(f"{source.role}_rows", sql, *(condition.uses for condition in conditions))


def cohort(at: Compilation, patients: Patients) -> str:
    """The patients who meet every condition, one row each."""
    table, conditions = at.patient_table(), []
    if patients.ids:
        conditions.append(patient_condition(at, patients, table.id))
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
    if patients.age:
        conditions.append(Condition(_age_condition(at, patients.age)))
    conditions += [_has(at, condition) for condition in patients.conditions]
    sql = select(f"DISTINCT {table.id}", table.table, [condition.sql for condition in conditions])
    return at.add("cohort", sql, *(condition.uses for condition in conditions))


def patient_condition(at: Compilation, patients: Patients, column: str) -> Condition:
    """That `column` holds one of the patients."""
    if patients.ids:
        return Condition(f"{column} {one_of([literal(id) for id in patients.ids])}")
    if patients == Patients():
        return Condition()
    name = cohort(at, patients)
    return Condition(f"{column} IN (SELECT {at.patient_table().id} FROM {name})", name)


def _has(at: Compilation, condition: Has) -> Condition:
    name = records(at, condition.source, Patients(), condition.during, condition.windows)
    patient, test = at.patient_table().id, "NOT IN" if condition.negated else "IN"
    inside = at.patient_column(at.role(condition.source.role))
    return Condition(f"{patient} {test} (SELECT {inside} FROM {name})", name)


def _age_condition(at: Compilation, age: tuple[int | None, int | None]) -> str:
    role = at.role("admission")
    column = at.column(role, "admission", "age")
    bounds = [f"{column} {sign} {bound}" for sign, bound in zip((">=", "<="), age, strict=True) if bound is not None]
    return f"{at.patient_table().id} IN ({select(at.patient_column(role), role.table, bounds)})".replace("\n", " ")


def _patients_of_turn(at: Compilation, number: int) -> Condition:
    """ "A patient of A1": by the answer's rows where they name patients, else by the question's own logic."""
    turn, patient = at.turn(number), at.patient_table().id
    names = {name.lower() for name in at.profile.patient_columns}
    column = next((name for name in turn.columns if name.lower() in names), None)
    if column is not None:
        if len(turn.columns) == 1:
            return Condition(f"{patient} IN (PREV_RESULT{number})")
        return Condition(f"{patient} IN (SELECT {identifier(column)} FROM (PREV_RESULT{number}))")
    if isinstance(turn.logic, Query):
        name = _patients_behind(at, turn.logic)
        return Condition(f"{patient} IN (SELECT {patient} FROM {name})", name)
    raise LogicError(
        f"A{number} does not say which patients it is about.",
        why="Its result has no column of patient identifiers.",
        next_step=f"Ask for the patients first, then refer to that answer instead of A{number}.",
    )


def _patients_behind(at: Compilation, query: Query) -> str:
    if query.source.role == "patient":
        return cohort(at, query.patients)
    return records(at, query.source, query.patients, query.during, query.windows)


def _stay_condition(at: Compilation, during: Stay, patients: Patients, role: Role, own: str) -> Condition:
    kind = at.stay_kind(during.kind)
    name = _stays(at, during, kind, patients)
    if role.stay == during.kind:
        return Condition(f"{own}{role.key} IN (SELECT {kind.id} FROM {name})", name)
    if during.kind == "hospital":
        icu = at.stay_kind("icu")
        inside = f"SELECT {icu.id} FROM {icu.table} WHERE {icu.hospital} IN (SELECT {kind.id} FROM {name})"
        return Condition(f"{own}{role.key} IN ({inside})", name)
    # A record that hangs on the hospital stay lies in an ICU stay when its time does.
    time, key = f"{role.table}.{role.time}", f"{role.table}.{role.key}"
    inside = f"{name}.{kind.hospital} = {key} AND {time} >= {name}.{kind.start}"
    inside += f" AND ({time} <= {name}.{kind.end} OR {name}.{kind.end} IS NULL)"
    return Condition(f"EXISTS (SELECT 1 FROM {name} WHERE {inside})", name)


def _stays(at: Compilation, during: Stay, kind: StayKind, patients: Patients) -> str:
    who = patient_condition(at, patients, kind.patient)
    columns = ", ".join(filter(None, [kind.id, kind.hospital, kind.start, kind.end]))
    if during.ordinal is None:
        return at.add("stays", select(f"DISTINCT {columns}", kind.table, [who.sql, f"{kind.end} IS NULL"]), who.uses)
    nth, direction = abs(during.ordinal), "ASC" if during.ordinal > 0 else "DESC"
    finished = [who.sql, f"{kind.end} IS NOT NULL"]
    if len(patients.ids) == 1:
        sql = select(f"DISTINCT {columns}", kind.table, finished) + f"\nORDER BY {kind.start} {direction}\nLIMIT 1"
        return at.add("stays", sql + (f" OFFSET {nth - 1}" if nth > 1 else ""), who.uses)
    over = f"DENSE_RANK() OVER (PARTITION BY {kind.patient} ORDER BY {kind.start} {direction}) AS nth"
    ranked = at.add("ranked_stays", select(f"{columns}, {over}", kind.table, finished), who.uses)
    return at.add("stays", select(f"DISTINCT {columns}", ranked, [f"nth = {nth}"]), ranked)


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
    return f"{own}{role.item} IN (SELECT {entry.key} FROM {entry.table} WHERE {where})"


def _time_conditions(at: Compilation, windows: tuple[Window, ...], role: Role, name: str, own: str) -> list[str]:
    if windows and not role.time:
        raise LogicError(f"A {name.replace('_', ' ')} has no time.", next_step="Leave the time window out.")
    return [
        f"{own}{role.time} {operator} {literal(instant)}"
        for window in windows
        for operator, instant in clock.conditions(window, at.now)
    ]
