"""Faulty plans over three EHR databases: is the cause found, and does its repair give the right answer?

`python -m benchmarks.duck [FOLDER]` prints a table. The folder (by default $EHRTUI_DATA, or ../shared/data) holds
`mimic_iii.sqlite`, `mimic_iv.sqlite` and `eicu.sqlite` in EHRSQL's schemas. The plans are in `faulty_plans.toml`; their
values are read from the databases.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Measure
from ehrtui.engines.engine import Engine, Row
from ehrtui.engines.opening import open_engine
from ehrtui.errors import EhrtuiError
from ehrtui.plans.diagnosis import Diagnosis, Facts
from ehrtui.plans.repairing import run_revising
from ehrtui.plans.reports import Outcome, Statement
from ehrtui.plans.rubber_duck import diagnose, suspect
from ehrtui.plans.runner import PlanRunner
from ehrtui.plans.sandbox import PlanLimits

NOW = {"mimic_iii": "2105-12-31 23:59:00", "mimic_iv": "2100-12-31 23:59:00", "eicu": "2105-12-31 23:59:00"}
FOLDER = Path(os.environ.get("EHRTUI_DATA", Path(__file__).parents[2] / "shared" / "data"))


PLANS = Path(__file__).with_name("faulty_plans.toml")


@dataclass(frozen=True)
class Faulty:
    """`right` is a plan with the right answer, "" where only the cause can be told."""

    cause: str
    plan: str
    right: str


@dataclass(frozen=True)
class Tried:
    """What came of one faulty plan."""

    database: str
    faulty: Faulty
    diagnosis: Diagnosis | None
    repaired: bool
    right: bool
    suspected: bool = False
    """Whether the right plan looks wrong."""

    @property
    def right_cause(self) -> bool:
        return self.diagnosis is not None and self.diagnosis.cause == self.faulty.cause


def measures() -> list[Measure]:
    """Shares of wrong causes and of repairs that are not right; nothing where the databases are not there."""
    tried = list(all_tried(FOLDER))
    if not tried:
        return []
    sound = [each for each in tried if each.faulty.right]
    causes = sum(each.right_cause for each in tried) / len(tried)
    repairs = sum(each.right for each in tried) / len(tried)
    return [
        Measure("faulty plans tried", len(tried), ""),
        Measure("faulty plans whose cause is not found", 100 * (1 - causes), "%", 15.0),
        Measure("faulty plans without the right answer after repair", 100 * (1 - repairs), "%", 30.0),
        Measure("sound plans that are suspected", 100 * sum(each.suspected for each in sound) / len(sound), "%", 1.0),
    ]


def misspelt(word: str) -> str:
    """The word without a letter in its middle."""
    return word[: len(word) // 2] + word[len(word) // 2 + 1 :]


def form(word: str, name: str) -> str:
    """The word as a plan may write it."""
    return {"": word, " upper": word.upper(), " title": word.title(), " misspelt": misspelt(word)}[name]


def faulty_plans(database: str, read: Callable[[str], list[Row]]) -> list[Faulty]:
    """The plans for a database, with its values in them."""
    data = tomllib.loads(PLANS.read_text(encoding="utf-8"))
    known: dict[str, str] = dict(data["words"][database])

    def filled(text: str) -> str:
        return re.sub("‹(\\w+)( \\w+)?›", lambda found: form(known[found[1]], found[2] or ""), text)

    for name, select in data["values"][database.partition("_")[0]].items():
        known[name] = str(read(filled(select))[0][0])
    return [
        Faulty(each["cause"], filled(each["plan"]), filled(each.get("right", "")))
        for each in data["faulty"]
        if database in each["databases"]
    ]


def all_tried(folder: Path) -> Iterator[Tried]:
    """Every faulty plan on every database that has what it needs."""
    for database, now in NOW.items():
        path = folder / f"{database}.sqlite"
        if path.exists():
            engine = open_engine(str(path))
            runner = PlanRunner(engine, now=now, limits=PlanLimits(seconds=1.0, tool_calls=1_000))
            try:
                facts = Facts(engine, now)
                for faulty in faulty_plans(database, engine.read):
                    yield tried(database, engine, runner, facts, faulty)
            finally:
                runner.close()
                engine.close()


def tried(database: str, engine: Engine, runner: PlanRunner, facts: Facts, faulty: Faulty) -> Tried:
    """Run the faulty plan, its repair, and the right plan."""

    def run(plan: str) -> Outcome:
        return runner.run(plan, expand=lambda sql: Statement(sql, sql, sql), name="tried", report=lambda _: None)

    def rows(plan: str) -> list[Row]:
        outcome = run(plan)
        return engine.page("tried", 0, outcome.row_count)

    diagnosis: Diagnosis | None
    plan = faulty.plan
    try:
        diagnosis = suspect(run(plan).steps, plan, facts)
        plan = (diagnosis.repair if diagnosis else None) or plan
    except EhrtuiError as error:
        diagnosis = diagnose(error, plan, facts)
        if diagnosis.repair and diagnosis.adds_join:  # which the user decides
            plan = diagnosis.repair
    ran = run_revising(run, plan, facts)
    if ran.outcome is None:
        return Tried(database, faulty, diagnosis, repaired=False, right=False)
    found = engine.page("tried", 0, ran.outcome.row_count)
    repaired = ran.plan != faulty.plan
    if not faulty.right:
        return Tried(database, faulty, diagnosis, repaired, right=False)
    right = repaired and normal(found) == normal(rows(faulty.right))
    suspected = suspect(run(faulty.right).steps, faulty.right, facts) is not None
    return Tried(database, faulty, diagnosis, repaired, right, suspected)


def normal(rows: list[Row]) -> list[tuple[object, ...]]:
    """Rows in any order, numbers to 3 digits, text without case."""
    cells = [
        tuple(str(round(float(cell), 3)) if isinstance(cell, int | float) else str(cell).lower() for cell in row)
        for row in rows
    ]
    return sorted(cells)


def main(folder: Path) -> None:
    """Print the table."""
    every = list(all_tried(folder))
    if not every:
        sys.exit(f"There are no databases in {folder}.")
    for each in every:
        found = each.diagnosis.cause if each.diagnosis else "nothing"
        said = "ok" if each.right_cause else f"WRONG: {found}"
        repair = "right answer" if each.right else "other answer" if each.repaired else "no repair"
        print(f"{each.database:<10} {each.faulty.cause:<36} {said:<44} {repair}")
    causes, repairs = sum(each.right_cause for each in every), sum(each.right for each in every)
    kinds = len({each.faulty.cause for each in every})
    print(f"{len(every)} plans, {kinds} causes: {causes} causes right ({causes / len(every):.0%}), ", end="")
    print(f"{repairs} repairs with the right answer ({repairs / len(every):.0%}), ", end="")
    print(f"{sum(each.suspected for each in every)} sound plans suspected")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
