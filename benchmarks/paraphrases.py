"""How many questions, in the words of hospital staff, get the answer of hand-written SQL over the demo database.

`python -m benchmarks.paraphrases [SET]` lists those that do not.
"""

from __future__ import annotations

import sqlite3
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measure import Measure
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.demo.build import build
from ehrtui.evaluation.rightness import same_answer, shows_answer
from ehrtui.settings import DEFAULTS

QUESTIONS = Path(__file__).parents[1] / "tests" / "planning"
SETS = ("paraphrases", "more_paraphrases")
"""The second was written once the planner read the first."""
NOW = "2105-12-31 23:59:00"
PATIENTS = 120
SHARES = ("right", "right and answered", "right of the answered", "declined of the unanswerable")
_MOST_ROWS = 100_000
Gold = Callable[[str], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Outcome:
    """What became of a question: `right` when the rows are the gold ones (for one that the database cannot answer,
    when it was declined), `answered` when the answer was shown; `answerable` as the set has it."""

    kind: str
    question: str
    answerable: bool
    answered: bool
    right: bool
    confidence: float
    logic: str | None


def outcomes(folder: Path, name: str) -> list[Outcome]:
    """Ask every question of the set `name` on its own, over a demo database that is built in `folder`."""
    path = folder / "demo.sqlite"
    build(path, patients=PATIENTS, seed=0, progress=lambda doing, share: None, cancelled=lambda: False)
    database = open_database(str(path), now=NOW, profile=None, planner="offline", state=folder)
    with closing(database), closing(sqlite3.connect(path)) as connection:
        connection.executescript(_read(name)["views"])

        def gold(sql: str) -> list[tuple[Any, ...]]:
            return connection.execute(sql, {"now": NOW} if ":now" in sql else {}).fetchall()

        found = []
        for kind, question, golds in questions(name):
            with closing(Conversation(database, threshold=DEFAULTS.threshold)) as conversation:
                found.append(_outcome(kind, question, golds, conversation, gold))
        return found


def questions(name: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The kind, the words and the gold SQL of every question: one for each sense that a person may mean, or none."""
    for kind, asked in _read(name).items():
        if isinstance(asked, dict):
            for question, sql in asked.items():
                yield kind, question, (tuple(sql) if isinstance(sql, list) else (sql,) if sql else ())


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((QUESTIONS / f"{name}.toml").read_text("utf-8"))


def _outcome(kind: str, question: str, golds: tuple[str, ...], conversation: Conversation, gold: Gold) -> Outcome:
    turn = conversation.run(conversation.propose(question))
    answered = turn.decision == "answered"
    right = not answered
    if golds:
        rows = conversation.rows(turn.number, 0, _MOST_ROWS) if turn.result else None
        right = rows is not None and any(_answers(rows, gold(sql)) for sql in golds)
    return Outcome(kind, question, bool(golds), answered, right, turn.confidence, turn.proposal.logic)


def _answers(rows: list[tuple[Any, ...]], gold: list[tuple[Any, ...]]) -> bool:
    """The gold rows, or these beside other columns."""
    return same_answer(rows, gold) or shows_answer(rows, gold)


def shares(found: list[Outcome]) -> tuple[float, float, float, float]:
    """Of the answerable questions, the share whose best guess is right, and the share whose right answer was shown; of
    the answers shown, the share that is right; of the unanswerable questions, the share declined."""
    answerable = [one for one in found if one.answerable]
    shown = [one for one in found if one.answered]
    beyond = [one for one in found if not one.answerable]
    return (
        sum(one.right for one in answerable) / len(answerable),
        sum(one.right and one.answered for one in answerable) / len(answerable),
        sum(one.right for one in shown) / len(shown),
        sum(one.right for one in beyond) / len(beyond),
    )


def measures() -> list[Measure]:
    """The shares, in percent."""
    found = []
    for name in SETS:
        with TemporaryDirectory() as folder:
            asked = outcomes(Path(folder), name)
        found.append(Measure(f"{name}: questions", len(asked), ""))
        found += [
            Measure(f"{name}: {what}", 100 * share, "%") for what, share in zip(SHARES, shares(asked), strict=True)
        ]
    return found


def main() -> int:
    """Print what is not right of a set, then the shares."""
    name = sys.argv[1] if len(sys.argv) > 1 else SETS[0]
    with TemporaryDirectory() as folder:
        found = outcomes(Path(folder), name)
    for one in found:
        if not one.right or (one.answerable and not one.answered):
            what = "right, declined" if one.right else "answered, wrong" if one.answered else "wrong"
            print(f"{one.kind:<13} {one.confidence:.2f}  {what}: {one.question}\n{'':21}{one.logic}")
    print(", ".join(f"{what} {share:.1%}" for what, share in zip(SHARES, shares(found), strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
