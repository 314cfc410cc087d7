"""One number over the rows of a step, or one for each of its groups."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.errors import LogicError
from ehrtui.logic.model import Function, Patients, Source
from ehrtui.logic.relations import cohort
from ehrtui.logic.steps import FUNCTIONS, Compilation, select
from ehrtui.schema.profile import Role

_OF_PATIENTS = ("patient", "admission", "icu_stay", "transfer")
"""The roles whose fields patients are counted by, the likeliest first."""
_OF_RECORDS = ("patient", "admission")
"""The roles whose fields records are counted by that have no such field of their own."""


def number_over(
    at: Compilation,
    name: str,
    rows: str,
    function: Function,
    expression: str,
    *,
    groups: dict[str, str] | None = None,
    shown: bool = True,
    conditions: Sequence[str] = (),
    uses: tuple[str, ...] = (),
) -> str:
    """Add the step `name`: a function of an expression over the relation `rows`, one for each value of `groups`
    (expressions by their names), beside that value where it is `shown`. `uses` are the steps that `rows` and
    `conditions` name."""
    groups = groups or {}
    number = f"{FUNCTIONS[function]}({expression})"
    if function == "median":
        # SQLite has no median: it is the mean of the one or two values in the middle.
        over = f"PARTITION BY {', '.join(groups.values())} " if groups else ""
        value = f"CAST({expression} AS REAL)"
        places = f"ROW_NUMBER() OVER ({over}ORDER BY {value}) AS nth, COUNT(*) OVER ({over.strip()}) AS total"
        columns = ", ".join([*_named(groups), f"{value} AS value", places])
        rows = at.add("placed", select(columns, rows, [*conditions, f"{expression} IS NOT NULL"]), *uses)
        uses, conditions = (rows,), ["nth IN ((total + 1) / 2, (total + 2) / 2)"]
        number, groups = "AVG(value)", {group: group for group in groups}
    columns = ", ".join([*(_named(groups) if shown else ()), f"{number} AS {function}"])
    return at.add(name, select(columns, rows, list(conditions)) + _grouping(groups, shown=shown), *uses)


def counts_by(at: Compilation, name: str, rows: str, counted: str, of: str, groups: dict[str, str]) -> str:
    """Add the step `name`: how many of `counted` there are for each value of `groups`, in their order."""
    columns = ", ".join([*_named(groups), f"COUNT({counted}) AS {of}"])
    return at.add(name, select(columns, rows) + _grouping(groups, shown=True), rows)


def own_column(role: Role, by: str) -> str:
    """The column of the records of a role that has the values of `by`, as a step names it; "" where they have none."""
    return "name" if by == "name" and role.item else role.fields.get(by, "")


def beside_patient_or_stay(at: Compilation, rows: str, source: Source, by: str) -> tuple[str, str]:
    """The records of a step with the field `by` of their patients, or of their hospital stays (which `rows` has as
    `stay_id`); returns that step and the field's column. Raises LogicError for a field that neither has."""
    name, of, column = _holder(at, by, _OF_RECORDS)
    role = at.role(source.role)
    if name == "admission" and not role.stay:
        raise _ungrouped(by, source.role)
    key, own = (of.key, "stay_id") if name == "admission" else (at.patient_column(of), at.patient_column(role))
    values = at.add("group_values", select(f"DISTINCT {key}, {column}", at.relation(of.table)))
    joined = f"{rows}\nJOIN {values} ON {values}.{key} = {rows}.{own}"
    return at.add("grouped_rows", select(f"{rows}.*, {values}.{column}", joined), rows, values), column


def belongs_to_stay(at: Compilation, source: Source, by: str) -> bool:
    """True for a field that records have only through their hospital stays."""
    if own_column(at.role(source.role), by):
        return False
    return _holder(at, by, _OF_RECORDS)[0] == "admission"


def patients_by(at: Compilation, patients: Patients, by: str, name: str) -> str:
    """Add the step `name`: how many of the patients there are for each value of a field; each counts for every value
    that he had."""
    people, patient = cohort(at, patients), at.patient_table().id
    _, of, column = _holder(at, by, _OF_PATIENTS)
    own = at.patient_column(of)
    among = [f"{own} IN (SELECT {patient} FROM {people})", of.where]
    values = at.add("group_values", select(f"DISTINCT {own}, {column}", at.relation(of.table), among), people)
    return counts_by(at, name, values, "*", "patients", {column: column})


def _holder(at: Compilation, by: str, roles: tuple[str, ...]) -> tuple[str, Role, str]:
    """The first of these roles that has the field, and its column. Raises LogicError."""
    for name in roles:
        role = at.profile.roles.get(name)
        if role is not None and by in role.fields:
            return name, role, role.fields[by]
    raise _ungrouped(by, "patient")


def _ungrouped(by: str, kind: str) -> LogicError:
    return LogicError(
        f"Nothing says which “{by}” a {kind.replace('_', ' ')} belongs to in this database.",
        next_step="Group by a field of the records, of the patients or of their hospital stays, such as gender.",
    )


def _named(groups: dict[str, str]) -> list[str]:
    return [name if name == expression else f"{expression} AS {name}" for name, expression in groups.items()]


def _grouping(groups: dict[str, str], *, shown: bool) -> str:
    by = ", ".join(groups.values())
    if not by:
        return ""
    return f"\nGROUP BY {by}" + (f"\nORDER BY {by}" if shown else "")
