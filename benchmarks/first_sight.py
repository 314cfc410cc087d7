"""`python -m benchmarks.first_sight NAME RESULTS…`: keep what came of questions that nobody had read before.

RESULTS are what `ehrtui eval --out` wrote of a set of questions when they were first asked, by writers who had seen the
databases alone. Of each question there is kept what was doubted of its reading, and whether that was right; no word of
it. What confidence is fitted to must not be what the planner was made with: such questions it answers better than
others. A set is added once, under its NAME.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ehrtui.evaluation.results_file import kept_results
from ehrtui.evaluation.scores import Scored
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.fitting import Sample

FIRST_SIGHT = Path(__file__).with_name("first_sight.jsonl")


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.first_sight", description=__doc__)
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("results", metavar="RESULTS", nargs="+", type=Path)
    args = parser.parse_args()
    if args.name in first_sight():
        print(f"{args.name} is there already.", file=sys.stderr)
        return 1
    turns = [turn for path in args.results for case in kept_results(path).values() for turn in case]
    kept = [_kept(turn) for turn in turns if turn.ran and not turn.declined]
    head = {"name": args.name, "answerable": sum(turn.answerable for turn in turns)}
    with FIRST_SIGHT.open("a", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(one)}\n" for one in (head, *({"name": args.name, **one} for one in kept)))
    print(f"{args.name}: {len(kept)} of {len(turns)} questions whose showing hangs on the confidence alone")
    return 0


@dataclass(frozen=True)
class Seen:
    """How many questions of a set can be answered, and what came of those that are shown or not by the confidence:
    `samples` where it comes from doubts alone, else the confidence in [0, 1] and whether the answer was right."""

    answerable: int
    samples: tuple[Sample, ...]
    others: tuple[tuple[float, bool], ...] = ()


def first_sight() -> dict[str, Seen]:
    """The sets by their names."""
    found: dict[str, Seen] = {}
    for line in FIRST_SIGHT.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        if "answerable" in one:
            found[one["name"]] = Seen(one["answerable"], ())
            continue
        seen, right = found[one["name"]], one["right"]
        if "sure" in one:
            found[one["name"]] = replace(seen, others=(*seen.others, (one["sure"], right)))
            continue
        doubts = tuple(Doubt(kind, amount) for kind, amount in one["doubts"].items())
        found[one["name"]] = replace(seen, samples=(*seen.samples, Sample(doubts, right, one["name"])))
    return found


def _kept(turn: Scored) -> dict[str, Any]:
    if turn.doubts is None:
        return {"right": turn.people, "sure": turn.confidence}
    amounts: dict[str, float] = {}
    for doubt in turn.doubts:
        amounts[doubt.kind] = round(amounts.get(doubt.kind, 0.0) + doubt.amount, 3)
    return {"right": turn.people, "doubts": amounts}


if __name__ == "__main__":
    sys.exit(main())
