"""What is declined of questions that no record can answer, and of look-alikes that one can. Nothing is run.

`EHRTUI_DATA=DIR python -m benchmarks refusals`, over the development databases; `python -m benchmarks.refusals` lists
the questions that went wrong. A *false refusal* is one that the words of an answerable question brought about.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.development import DATABASES, data_folder, unpacked
from benchmarks.measure import Measure
from ehrtui.conversation.database import Database, open_database
from ehrtui.settings import DEFAULTS

QUESTIONS = Path(__file__).with_suffix(".tsv")
ANSWERABLE = "answerable"


@dataclass(frozen=True)
class Outcome:
    """What became of a question of a `kind`: whether it would be `shown`, and the kind of the refusal, if any."""

    database: str
    kind: str
    question: str
    shown: bool
    refused: str
    said: str


def outcomes() -> list[Outcome]:
    """Ask every question on its own."""
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    with TemporaryDirectory() as scratch, ExitStack() as opened:
        databases = {name: opened.enter_context(closing(found)) for name, found in _databases(rows, Path(scratch))}
        return [_asked(databases[name], name, kind, question) for name, kind, question in rows]


def _databases(rows: list[list[str]], scratch: Path) -> Iterator[tuple[str, Database]]:
    for name in dict.fromkeys(row[0] for row in rows):
        path = unpacked(data_folder(), DATABASES[name].file, scratch)
        now = DATABASES[name].now or None
        yield name, open_database(str(path), now=now, profile=None, planner="offline", state=scratch / name)


def _asked(database: Database, name: str, kind: str, question: str) -> Outcome:
    proposal = database.planner.propose(question, ())
    shown = not proposal.reason and proposal.confidence >= DEFAULTS.threshold
    refusal = proposal.refusal
    return Outcome(name, kind, question, shown, refusal.kind if refusal else "", refusal.sentence if refusal else "")


def measures() -> list[Measure]:
    """The shares of both kinds of questions."""
    found = outcomes()
    impossible = [one for one in found if one.kind != ANSWERABLE]
    answerable = [one for one in found if one.kind == ANSWERABLE]
    declined = sum(not one.shown for one in impossible) / len(impossible)
    reasoned = sum(bool(one.refused) for one in impossible) / len(impossible)
    false = sum(is_false(one) for one in answerable) / len(answerable)
    return [
        Measure("refusals: impossible declined", 100 * declined, "%"),
        Measure("refusals: impossible declined with a reason", 100 * reasoned, "%"),
        Measure("refusals: answerable refused", 100 * false, "%", 3),
    ]


def is_false(one: Outcome) -> bool:
    """True where an answerable question was refused, and not for a name or a word that was not understood."""
    return one.kind == ANSWERABLE and one.refused not in ("", "concept", "ambiguous")


def main() -> None:
    """Print what went wrong."""
    for one in outcomes():
        if is_false(one) or (one.kind != ANSWERABLE and (one.shown or not one.refused)):
            print(f"{one.database}\t{one.kind}\t{'shown' if one.shown else one.refused or 'withheld'}\t{one.question}")
            print(f"\t{one.said}")


if __name__ == "__main__":
    main()
