"""What the algebra of query logic can say of the development sets: a logic by hand for their questions.

`EHRTUI_DATA=DIR python -m benchmarks.said [SET …]` compiles every pair of `benchmarks/logic/SET.tsv` (a line each: the
question's id, a tab, its logic), runs it and compares the rows with the gold and with what else is accepted. It prints
how many of the answerable questions are said and right, then the ids that are not; `benchmarks/logic/missing.tsv` (id,
construct, why) says why. `--show ID` prints what becomes of one pair, `--tidy` writes the pairs as they are rendered.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.development import DATABASES, SETS, data_folder, unpacked
from ehrtui.conversation.today import today
from ehrtui.engines.engine import Engine, Limits
from ehrtui.engines.opening import open_engine
from ehrtui.errors import EhrtuiError
from ehrtui.evaluation.cases import Case, read_cases
from ehrtui.evaluation.rightness import is_nothing, same_answer, shows_answer
from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.algebra.parse import parse_statement, read_statement
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile

PAIRS = Path(__file__).parent / "logic"
SECONDS = 60.0
"""How long one statement may take."""


@dataclass(frozen=True)
class Database:
    """A development database as the pairs are compiled for it."""

    engine: Engine
    profile: Profile
    now: str


@dataclass(frozen=True)
class Said:
    """What became of one question: `logic` is "" where none is written; `why` is "" where the logic ran. `right` is EX,
    `people` people's EX."""

    id: str
    logic: str
    sql: str = ""
    rows: tuple[tuple[Any, ...], ...] = ()
    right: bool = False
    people: bool = False
    why: str = ""


def pairs(name: str) -> dict[str, str]:
    """The logic of a set's questions by their ids. Raises SystemExit where an id has two."""
    found: dict[str, str] = {}
    for number, logic in _columns(PAIRS / f"{name}.tsv", 2):
        if number in found:
            sys.exit(f"{name}.tsv has two lines for {number}")
        found[number] = logic
    return found


def missing() -> dict[str, tuple[str, str]]:
    """By id, the construct that a question would need and why."""
    return {number: (construct, why) for number, construct, why in _columns(PAIRS / "missing.tsv", 3)}


def _columns(path: Path, count: int) -> Iterator[list[str]]:
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if len(cells) != count:
            sys.exit(f"{path.name}: expected {count} columns in “{line[:60]}”")
        yield cells


def said(case: Case, logic: str, database: Database) -> Said:
    """One pair compiled, run and compared."""
    try:
        statement, places = read_statement(logic)
        if parse_statement(render_statement(statement)) != statement:
            return Said(case.id, logic, why="its rendering reads back as something else")
        steps = compile_statement(statement, database.profile, now=database.now, turns={}, places=places)
        sql = flat_sql(steps)
        rows = tuple(database.engine.read(sql))
    except EhrtuiError as error:
        return Said(case.id, logic, why=str(error).replace("\n", " "))
    turn = case.turns[0]
    accepted = [*(() if turn.answer is None else (turn.answer,)), *turn.accept]
    empty = turn.empty and is_nothing(rows)
    right = empty or any(same_answer(rows, gold) for gold in accepted)
    return Said(case.id, logic, sql, rows, right, empty or any(shows_answer(rows, gold) for gold in accepted))


def opened(name: str, folder: Path, scratch: Path) -> Database:
    """A development database, its profile and its now."""
    known = DATABASES[name]
    engine = open_engine(str(unpacked(folder, known.file, scratch)), limits=Limits(seconds=SECONDS))
    schema = engine.schema()
    profile = load_profile(schema, engine.read)
    return Database(engine, profile, known.now or today(engine, profile, schema)[0])


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.said", description=__doc__)
    names = sorted(path.stem for path in PAIRS.glob("*.tsv") if path.stem in SETS)
    parser.add_argument("names", metavar="SET", nargs="*", choices=[[], *names], help=f"of {', '.join(names)}")
    parser.add_argument("--show", metavar="ID", action="append", default=[], help="print what becomes of one pair")
    parser.add_argument("--tidy", action="store_true", help="write the pairs as they are rendered")
    args = parser.parse_args()
    if args.tidy:
        for name in args.names or names:
            _tidy(name)
        return 0
    folder, databases = data_folder(), dict[str, Database]()
    with TemporaryDirectory() as scratch:
        for name in args.names or names:
            logics = pairs(name)
            cases = [case for case in read_cases(folder / SETS[name].questions) if case.turns[0].answerable]
            if unknown := logics.keys() - {case.id for case in cases}:
                sys.exit(f"{name}.tsv has ids that no answerable question has: {', '.join(sorted(unknown))}")
            if args.show:
                cases = [case for case in cases if case.id in args.show]
            found = []
            for case in cases:
                at = case.database or SETS[name].databases[0]
                if case.id in logics and at not in databases:
                    databases[at] = opened(at, folder, Path(scratch))
                found.append(said(case, logics[case.id], databases[at]) if case.id in logics else Said(case.id, ""))
            if args.show:
                _show(found, cases)
            else:
                _report(name, found)
        for database in databases.values():
            database.engine.close()
    return 0


def _tidy(name: str) -> None:
    """Write a set's pairs in the order of their ids, each as it is rendered; what cannot be read stays as it is."""
    lines = []
    for number, logic in sorted(pairs(name).items()):
        try:
            lines.append(f"{number}\t{render_statement(parse_statement(logic))}")
        except EhrtuiError:
            lines.append(f"{number}\t{logic}")
    (PAIRS / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _report(name: str, found: list[Said]) -> None:
    written = [one for one in found if one.logic]
    right, people = sum(one.right for one in found), sum(one.people for one in found)
    print(
        f"{name}: {len(found)} answerable, {len(written)} said, right {right} ({right / len(found):.1%} EX), "
        f"{people} ({people / len(found):.1%} people's EX), either {_share(one.right or one.people for one in found)}"
    )
    for one in written:
        if one.why:
            print(f"  {one.id}: does not run. {one.why}")
        elif not (one.right or one.people):
            print(f"  {one.id}: {len(one.rows)} rows, none of the right answers.")
    reasons = missing()
    unsaid = [one for one in found if not (one.right or one.people)]
    for one in unsaid:
        if not one.logic:
            print(f"  {one.id}: not said. {' – '.join(reasons.get(one.id, ('no reason is given',)))}")
    constructs = Counter(reasons[one.id][0] for one in unsaid if one.id in reasons)
    for construct, count in constructs.most_common():
        print(f"  missing {count} times: {construct}")


def _share(held: Iterable[bool]) -> str:
    values = list(held)
    return f"{sum(values) / len(values):.1%}"


def _show(found: list[Said], cases: list[Case]) -> None:
    for one, case in zip(found, cases, strict=True):
        print(f"{one.id}: {one.logic}\n{one.sql or one.why}")
        print(f"{len(one.rows)} rows, {one.right=}, {one.people=}: {one.rows[:8]}")
        for gold in (case.turns[0].answer, *case.turns[0].accept):
            print(f"  gold, {len(gold or ())} rows: {(gold or ())[:8]}")


if __name__ == "__main__":
    sys.exit(main())
