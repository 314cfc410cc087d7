"""Cohorts and what is asked of them: how near the patients and the numbers are to those of hand-written SQL.

`EHRTUI_DATA=DIR python -m benchmarks.cohorts` asks the questions of `free/concepts.json` in three ways: as query logic
by hand (`benchmarks/logic/concepts.tsv`, a line each: the question's id, a tab, its logic), which says what the tool
can do, through the question alone, offline, and by plans of a language model that were recorded. It prints the mean F1
of the patients and how many answers have the right numbers, then what of the logic by hand is not right. `--by-hand`
leaves the questions out, `--show ID` prints one.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.development import DATABASES, SETS, ask, data_folder, unpacked
from benchmarks.replaying import FOLDER, replayed
from benchmarks.said import Database, opened, pairs
from ehrtui.errors import EhrtuiError
from ehrtui.evaluation.rightness import patients_f1, shows_answer
from ehrtui.logic.algebra.compile import compile_statement, compile_with_context
from ehrtui.logic.algebra.model import PATIENT, Own, Rows, Statement
from ehrtui.logic.algebra.parse import read_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.planning.reader.about import rows_about

NAMED = ("attrition", "compare", "prevalence")
"""Workflows whose rows have names, which may be worded in many ways: their numbers are what is compared."""


@dataclass(frozen=True)
class Judged:
    """What became of one question: the F1 of its patients, whether its numbers are right, why not."""

    id: str
    f1: float
    right: bool
    rows: Sequence[Sequence[Any]] = ()
    why: str = ""


def by_hand(questions: Iterable[Mapping[str, Any]], folder: Path, logic: Mapping[str, str]) -> list[Judged]:
    """What the logic of every question gives."""
    databases: dict[str, Database] = {}
    found = []
    with TemporaryDirectory() as scratch:
        for question in questions:
            name = question["db_id"]
            if name not in databases:
                databases[name] = opened(name, folder, Path(scratch))
            found.append(_judged(question, logic.get(question["id"], ""), databases[name]))
        for database in databases.values():
            database.engine.close()
    return found


def _judged(question: Mapping[str, Any], logic: str, database: Database) -> Judged:
    if not logic:
        return Judged(question["id"], 0.0, False, why="no logic is written")
    try:
        statement, places = read_statement(logic)
        steps = compile_statement(statement, database.profile, now=database.now, turns={}, places=places)
        whole = compile_with_context(statement, database.profile, now=database.now, turns={}) or steps
        rows = tuple(database.engine.read(flat_sql(whole)))
        patients = _patients(statement, database)
    except EhrtuiError as error:
        return Judged(question["id"], 0.0, False, why=str(error).replace("\n", " "))
    f1 = patients_f1(patients, [question["cohort"], *question.get("accept_cohorts", ())])
    return Judged(question["id"], f1, _right(question, rows), rows)


def _patients(statement: Statement, database: Database) -> set[Any]:
    """The patients that an answer is about."""
    of = rows_about(statement)
    if of is None:
        return set()
    people = Rows(of, (Own("id" if of.unit == PATIENT else PATIENT),), distinct=True)
    steps = compile_statement(people, database.profile, now=database.now, turns={})
    return {patient for (patient,) in database.engine.read(flat_sql(steps))}


def _right(question: Mapping[str, Any], rows: Sequence[Sequence[Any]]) -> bool:
    golds = [question["answer"], *question.get("accept_answers", ())]
    if question["workflow"] in NAMED:
        golds = [_numbers(gold) for gold in golds]
    return any(shows_answer(rows, gold) for gold in golds)


def _numbers(gold: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """The columns that hold no names."""
    kept = [at for at in range(len(gold[0])) if not any(isinstance(row[at], str) for row in gold)]
    return [tuple(row[at] for at in kept) for row in gold]


def asked(questions: Sequence[Mapping[str, Any]], folder: Path) -> tuple[float, dict[str, bool]]:
    """The mean F1 of the patients, and by id whether an answer has the right numbers, through the questions alone."""
    turns = [turn for of_set in ask(["concepts"]).values() for found in of_set.values() for turn in found]
    right: dict[str, bool] = {}
    with TemporaryDirectory() as scratch:
        for name in dict.fromkeys(question["db_id"] for question in questions):
            own = [question for question in questions if question["db_id"] == name]
            answers = _answers(own, unpacked(folder, DATABASES[name].file, Path(scratch)), name, Path(scratch))
            right |= {one["id"]: _right(one, answers[one["id"]]) for one in own}
    return fmean(turn.f1 or 0.0 for turn in turns), right


def _answers(questions: Sequence[Mapping[str, Any]], path: Path, name: str, state: Path) -> dict[str, list[list[Any]]]:
    """The rows that `ehrtui ask` gives for questions, as people see them."""
    lines = [
        json.dumps({"id": one["id"], "question": one["question"], **({"session": said} if said else {})})
        for one in questions
        for said in [one.get("conversation")]
    ]
    now = DATABASES[name].now
    command = [sys.executable, "-m", "ehrtui", "ask", str(path), "--batch", "-", "--planner", "offline"]
    command += ["--state", str(state / "state"), *(["--now", now] if now else [])]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(state)}
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, encoding="utf-8", env=environment, check=False
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {one["id"]: one["context"] or one["answer"] or [] for one in found}


def planned(questions: Sequence[Mapping[str, Any]], transcripts: Path) -> tuple[float, dict[str, bool]]:
    """As `asked`, of the questions for which plans of a language model are recorded in the folder `transcripts`."""
    turns: dict[str, list[Mapping[str, Any]]] = {}
    for question in questions:
        turns.setdefault(question.get("conversation", question["id"]), []).append(question)
    f1: list[float] = []
    right: dict[str, bool] = {}
    for name in dict.fromkeys(question["db_id"] for question in questions):
        for one in replayed(name, transcripts / f"{name}.claude.jsonl", "claude", 1, sets=["concepts"]):
            for turn in one.turns:
                question = turns[one.case.id][turn.turn - 1]
                whole = turn.guess is not None and turn.guess.count == len(turn.guess.rows)
                named = whole and turn.guess is not None and _right(question, turn.guess.rows)
                f1.append(turn.f1 or 0.0)
                right[question["id"]] = turn.people or named
    return (fmean(f1), right) if f1 else (0.0, {})


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.cohorts", description=__doc__)
    parser.add_argument("--by-hand", action="store_true", help="leave out what the questions alone give")
    parser.add_argument("--show", metavar="ID", help="print what the logic by hand of one question gives")
    parser.add_argument("--transcripts", metavar="DIR", type=Path, default=FOLDER, help="recorded plans")
    args = parser.parse_args()
    folder = data_folder()
    questions = json.loads((folder / SETS["concepts"].questions).read_text(encoding="utf-8"))
    if args.show:
        questions = [one for one in questions if one["id"] == args.show]
    found = by_hand(questions, folder, pairs("concepts"))
    share = fmean(one.right for one in found)
    print(
        f"by hand: {len(found)} questions, patients' F1 {fmean(one.f1 for one in found):.3f}, numbers {share:.1%} right"
    )
    for one in found:
        if args.show or one.f1 < 1 or not one.right:
            print(f"  {one.id}: F1 {one.f1:.3f}, {'right' if one.right else 'other numbers'} {one.why}")
            if args.show:
                print(*one.rows, sep="\n")
    if not (args.by_hand or args.show):
        f1, told = asked(questions, folder)
        right = fmean(told.values())
        print(f"through the questions alone: patients' F1 {f1:.3f}, numbers {right:.1%} right")
        print(f"  not right: {', '.join(id for id, well in told.items() if not well)}")
    f1, told = planned(questions, args.transcripts)
    if told:
        right = fmean(told.values())
        print(f"planned by a language model: {len(told)}, patients' F1 {f1:.3f}, numbers {right:.1%} right")
        print(f"  not right: {', '.join(id for id, well in told.items() if not well)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
