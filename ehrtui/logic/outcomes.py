"""The compound measures of the language: costs of stays, peaks, percentiles, survival and mortality (EHRSQL's)."""

from __future__ import annotations

from ehrtui.errors import LogicError
from ehrtui.logic import clock
from ehrtui.logic.model import (
    Field,
    Has,
    Mortality,
    Patients,
    Peak,
    Percentile,
    Query,
    Source,
    StayCost,
    Survival,
    Unit,
)
from ehrtui.logic.numbers import number_over
from ehrtui.logic.relations import field_column, records
from ehrtui.logic.steps import Compilation, group_of, literal, select

_DAYS: dict[Unit, str] = {"year": "365", "month": "365 / 12", "week": "7", "day": "1", "hour": "1 / 24"}
"""The days of a unit of survival, as SQL reckons them behind a number of units: 3 * 365 / 12 are 91."""


def stay_cost(at: Compilation, logic: StayCost) -> None:
    """One number over the total costs of the hospital stays in which such a record occurred."""
    costs = at.profile.costs
    if costs is None:
        raise LogicError("This database has no costs.")
    rows = records(at, Has(logic.source), stay="hospital stay")
    charged = [f"{costs.stay} IN (SELECT stay_id FROM {rows})"]
    charged += [
        f"{costs.time} {sign} {literal(instant)}"
        for window in logic.windows
        for sign, instant in clock.conditions(window, at.now)
    ]
    total = select(f"SUM({costs.value}) AS total", at.relation(costs.table), charged) + f"\nGROUP BY {costs.stay}"
    totals = at.add("stay_costs", total, rows)
    number_over(at, "answer", totals, logic.function, "total", uses=(totals,))


def peak(at: Compilation, logic: Peak) -> None:
    """The smallest, largest or mean number of stays with such a record in a calendar unit."""
    role = at.role(logic.source.role)
    rows = records(at, Has(logic.source, windows=logic.windows), columns=(role.time, role.key))
    counted = select(f"COUNT(DISTINCT {role.key}) AS stays", rows) + f"\nGROUP BY {group_of(role.time, logic.unit)}"
    counts = at.add("counts", counted, rows)
    number_over(at, "answer", counts, logic.function, "stays", uses=(counts,))


def percentile(at: Compilation, logic: Percentile) -> None:
    """The percent_rank of a value among the values of patients of the same age."""
    from ehrtui.logic.compile import compile_logic  # the patient's age is a query of its own

    age_query = Query(Field("age"), Source("admission"), Patients(ids=(logic.patient,)), logic.during)
    *before, age = compile_logic(age_query, at.profile, now=at.now, turns=at.turns)
    names = [at.add(step.name, step.sql, *step.uses) for step in before]
    of_age = at.add("patient_age", age.sql, *names)
    admission = at.role("admission")
    years = at.column(admission, "admission", "age")
    column = field_column(at, logic.source, "value")
    rows = records(at, Has(logic.source), columns=(column,), stay="hospital stay")
    same_age = select(admission.key, at.relation(admission.table), [f"{years} = (SELECT {years} FROM {of_age})"])
    peers = at.add("peers", same_age, of_age)
    ranks = f"{column}, PERCENT_RANK() OVER (ORDER BY {column}) AS percentile"
    ranked = at.add("ranked", select(ranks, rows, [f"stay_id IN (SELECT {admission.key} FROM {peers})"]), rows, peers)
    at.add("answer", select("DISTINCT percentile", ranked, [f"{column} = {literal(logic.value)}"]), ranked)


def survival(at: Compilation, logic: Survival) -> None:
    """The share of patients who lived on for that long after their first such record, or did not."""
    long = f"{logic.count} * {_DAYS[logic.unit]}"
    name, time = _first_records(at, logic.source, long, by_item=False)
    if logic.then is not None:
        role, patient = at.role(logic.then.role), at.patient_table().id
        later = records(at, Has(logic.then), columns=(role.time,))
        joined = f"{name} AS earlier\nJOIN {later} AS later ON later.{at.patient_column(role)} = earlier.{patient}"
        pairs = select("earlier.*", joined, [f"earlier.{time} < later.{role.time}"])
        name = at.add("treated", pairs, name, later)
    survived, died, table = _shares(at, name, time, long)
    share = f"{died} AS mortality" if logic.died else f"{survived} AS survival"
    at.add("answer", select(share, table), name)


def mortality(at: Compilation, logic: Mortality) -> None:
    """The items with the highest mortality."""
    role = at.role(logic.source.role)
    long = f"{logic.count} * {_DAYS[logic.unit]}"
    name, time = _first_records(at, logic.source, long, by_item=True)
    _, died, table = _shares(at, name, time, long)
    rate = at.add("rates", select(f"{role.item}, {died} AS mortality", table) + f"\nGROUP BY {role.item}", name)
    places = select(f"{role.item}, DENSE_RANK() OVER (ORDER BY mortality DESC) AS place", rate)
    ranked = at.add("ranked", places, rate)
    among = f"SELECT {role.item} FROM {ranked} WHERE place <= {logic.top}"
    if role.dictionary is None:
        at.add("answer", among, ranked)
    else:
        entry = role.dictionary
        at.add(
            "answer", select(f"{entry.name} AS name", at.relation(entry.table), [f"{entry.key} IN ({among})"]), ranked
        )


def _first_records(at: Compilation, source: Source, long: str, *, by_item: bool) -> tuple[str, str]:
    """Each patient's first such record, of each item when `by_item`, if it lies more than `long` days back."""
    role = at.role(source.role)
    columns = (role.item, role.time) if by_item else (role.time,)
    rows = records(at, Has(source), columns=columns)
    group = f"{at.patient_column(role)}, {role.item}" if by_item else at.patient_column(role)
    first = select(f"{group}, MIN({role.time}) AS {role.time}", rows) + f"\nGROUP BY {group}"
    firsts = at.add("first_rows", first, rows)
    long_ago = f"strftime('%J', {literal(at.now)}) - strftime('%J', {role.time}) > {long}"
    return at.add("long_ago", select("*", firsts, [long_ago]), firsts), role.time


def _shares(at: Compilation, name: str, time: str, long: str) -> tuple[str, str, str]:
    """The expressions of the shares of survivors and of the dead, as the profile counts them, and the tables that they
    are taken over."""
    death, patient = at.role("death"), at.patient_table()
    lived = f"strftime('%J', person.{death.time}) - strftime('%J', {name}.{time}) > {long}"
    alive = f"NOT (person.{death.where}) OR " if death.where else ""
    survivor = f"CASE WHEN {alive}person.{death.time} IS NULL THEN 1 WHEN {lived} THEN 1 ELSE 0 END"
    table = f"{name}\nJOIN {at.relation(death.table, 'person')} ON person.{patient.id} = {name}.{patient.id}"
    if at.profile.survival == "fraction":
        return f"AVG({survivor})", f"1 - AVG({survivor})", table
    survived = f"SUM({survivor}) * 100 / COUNT(*)"
    return survived, f"100 - {survived}", table
