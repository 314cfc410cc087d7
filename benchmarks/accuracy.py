"""`EHRTUI_DATA=DIR python -m benchmarks.accuracy [NAME …]`: the accuracy over development sets, as Markdown.

DIR holds the databases and question files of EHRSQL, EHRSQL-2024 and EHR-SeqSQL by the names below. Every set is asked
by `ehrtui eval`; figures in brackets leave one family of questions out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class DevelopmentSet:
    """A question file, its database, and what today means there."""

    title: str
    database: str
    questions: str
    now: str


SETS = {
    "mimic_iii": DevelopmentSet(
        "`mimic_iii` dev", "mimic_iii.sqlite", "ehrsql_mimic_iii_dev.json", "2105-12-31 23:59:00"
    ),
    "eicu": DevelopmentSet("`eicu` dev", "eicu.sqlite", "ehrsql_eicu_dev.json", "2105-12-31 23:59:00"),
    "mimic_iv": DevelopmentSet(
        "`mimic_iv` (EHRSQL-2024) dev", "mimic_iv.sqlite", "ehrsql2024_dev.json", "2100-12-31 23:59:00"
    ),
}
TOKENS = DevelopmentSet("", "mimic_iii.sqlite", "seqsql_mimic_iii_dev.json", "2105-12-31 23:59:00")

Found = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.accuracy", description=__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*", choices=[[], *SETS], help=f"of {', '.join(SETS)}")
    names = parser.parse_args().names or list(SETS)
    if "EHRTUI_DATA" not in os.environ:
        parser.error("EHRTUI_DATA says where the databases and the questions are")
    folder = Path(os.environ["EHRTUI_DATA"])
    found = [_evaluated(folder, SETS[name], "--leave-one-family-out") for name in names]
    titles = [SETS[name].title for name in names]
    print(_table(["`ehrtui eval FILE QUESTIONS.json`", *titles], _rows(found)))
    print()
    print(_table(["EX by tables of the gold query", *titles], _levels(found)))
    if "mimic_iii" in names:
        chats = _evaluated(folder, TOKENS)["conversations"]
        print(
            f"\nEHR-SeqSQL's {chats['conversations']:,} interactions ({chats['turns']:,} turns), as SQL with `PREV_` "
            f"tokens: QM {_percent(chats['qm'])}, IM {_percent(chats['im'])}."
        )
    return 0


def _evaluated(folder: Path, asked: DevelopmentSet, *options: str) -> Found:
    print(f"{asked.questions} …", file=sys.stderr)
    paths = [str(folder / asked.database), str(folder / asked.questions)]
    command = [sys.executable, "-m", "ehrtui", "eval", *paths, "--now", asked.now, "--json", *options]
    found: Found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return found


def _rows(found: Sequence[Found]) -> list[list[str]]:
    lines: list[tuple[str, Callable[[Found], str]]] = [
        ("EX over the answerable, best guesses included", lambda one: _percent(one["ex"])),
        ("answers that were given are right", lambda one: _percent(one["precision"])),
        ("answerable questions that were answered", lambda one: _percent(one["coverage"])),
        ("unanswerable questions that were declined", lambda one: _percent(one["rejected"])),
        ("RS(0) / RS(5) / RS(10)", lambda one: " / ".join(f"{one['rs'][c]:.1f}" for c in ("0", "5", "10"))),
        ("HCAcc@70 / @90 / @95", lambda one: " / ".join(f"{100 * one['hcacc'][k]:.1f}" for k in ("70", "90", "95"))),
        ("expected calibration error", lambda one: f"{one['ece']:.3f}"),
        ("planning, p50 / p95", lambda one: f"{one['p50_ms']:.0f} / {one['p95_ms']:.0f} ms"),
    ]
    return [[name, *(_both(one, figure) for one in found)] for name, figure in lines]


def _both(found: Found, figure: Callable[[Found], str]) -> str:
    """The figure, and in brackets that which leaves one family out, where it differs."""
    plain, folded = figure(found), figure(found["leave_one_family_out"])
    return plain if plain == folded else f"{plain} ({folded})"


def _levels(found: Sequence[Found]) -> list[list[str]]:
    levels = sorted({level for one in found for level in one["levels"]})
    return [[level, *(_level(one["levels"].get(level)) for one in found)] for level in levels]


def _level(scores: Found | None) -> str:
    return "–" if scores is None else f"{_percent(scores['ex'])} of {scores['questions']}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
