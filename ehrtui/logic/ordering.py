"""Answers in an order: patients by what they were at their last hospital stay, or the rows of an earlier answer."""

from __future__ import annotations

from ehrtui.errors import LogicError
from ehrtui.logic.model import Ordered, Query
from ehrtui.logic.relations import cohort
from ehrtui.logic.steps import Compilation, identifier, select


def ordered(at: Compilation, logic: Ordered) -> None:
    """Add the steps of an ordered answer. Ties are broken by the patient's identifier."""
    direction = "DESC" if logic.descending else "ASC"
    limit = f"\nLIMIT {logic.count}" if logic.count is not None else ""
    if not isinstance(logic.of, Query):
        first = identifier(at.turn(logic.of.turn).columns[0])
        at.add("answer", select("*", f"(PREV_RESULT{logic.of.turn})") + f"\nORDER BY {first} {direction}{limit}")
        return
    if logic.of.source.role != "patient":
        raise LogicError(
            "Only patients can be ordered by a field.", next_step="Order the rows of an earlier answer instead."
        )
    people, patient = cohort(at, logic.of.patients), at.patient_table().id
    name = "patient" if logic.by in at.role("patient").fields else "admission"
    role = at.role(name)
    column, own = at.column(role, name, logic.by), at.patient_column(role)
    among = [f"{own} IN (SELECT {patient} FROM {people})"]
    if name == "patient":
        rows = at.add("patient_rows", select(f"{own} AS {patient}, {column}", at.relation(role.table), among), people)
        found = select(f"DISTINCT {patient}, {column}", rows)
    else:
        latest = f"ROW_NUMBER() OVER (PARTITION BY {own} ORDER BY {at.column(role, name, 'time')} DESC) AS nth"
        rows = at.add(
            "last_stays", select(f"{own} AS {patient}, {column}, {latest}", at.relation(role.table), among), people
        )
        found = select(f"{patient}, {column}", rows, ["nth = 1"])
    at.add("answer", f"{found}\nORDER BY {column} {direction}, {patient}{limit}", rows)
