"""`EHRTUI_DATA=DIR python -m benchmarks.accuracy [SET …]`: the accuracy over the development sets, as Markdown.

docs/evaluation.md says what every figure means; `benchmarks/development.py` where the sets are looked for.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.development import EHRSQL, SETS, Found, ask
from ehrtui.evaluation.complexity import ROMAN
from ehrtui.evaluation.folds import fit_trust, leave_one_family_out
from ehrtui.evaluation.interactions import interactions
from ehrtui.evaluation.scores import Scored, Scores, grouped, scores

CONVERSATIONS = ("conversations", "seqsql")
HEAD = (
    "set",
    "n (answerable)",
    "EX",
    "people's EX",
    "shown and right: EX / people's",
    "wrong of the shown: EX / people's",
    "declined rightly",
    "AUROC of the shown",
    "ECE",
)
Figure = Callable[[Scores], str]


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.accuracy", description=__doc__)
    parser.add_argument("names", metavar="SET", nargs="*", choices=[[], *SETS], help=f"of {', '.join(SETS)}")
    parser.add_argument("--out", metavar="DIR", type=Path, help="write what became of every question, a file a set")
    parser.add_argument("--processes", metavar="N", type=int, default=1, help="databases that are asked at a time")
    parser.add_argument(
        "--detail",
        action="store_true",
        help="of the EHRSQL sets also RS, HCAcc and levels, with figures in brackets that leave one family out",
    )
    args = parser.parse_args()
    asked = ask(args.names or list(SETS), args.processes)
    if args.out:
        _write(asked, args.out)
    found = {name: _turns(of_set) for name, of_set in asked.items()}
    print(_table(HEAD, [_row(name, scores(turns)) for name, turns in found.items()]))
    print()
    for name, turns in found.items():
        _print_besides(name, turns)
    if args.detail and (detailed := {name: turns for name, turns in found.items() if name in EHRSQL}):
        _print_detail(detailed)
    return 0


def _turns(of_set: Mapping[str, Sequence[Scored]]) -> list[Scored]:
    return [turn for turns in of_set.values() for turn in turns]


def _row(name: str, found: Scores) -> list[str]:
    return [
        name,
        f"{found.questions:,} ({found.answerable:,})",
        _percent(found.ex),
        _percent(found.people_ex),
        f"{100 * found.sr:.1f} / {_percent(found.people_sr)}",
        f"{100 * found.wrong_shown:.1f} / {_percent(found.people_wrong_shown)}",
        _percent(found.rejected) if found.questions > found.answerable else "–",
        f"{found.auroc:.2f}" if found.auroc is not None else "–",
        f"{found.ece:.3f}",
    ]


def _print_besides(name: str, turns: Sequence[Scored]) -> None:
    """What only some sets have: conversations as a whole, the patients."""
    f1 = scores(turns).f1
    if name in CONVERSATIONS:
        found = interactions(turns)
        print(
            f"{name}: {found.conversations:,} conversations ({found.turns:,} turns), turns right {_percent(found.qm)}, "
            f"all turns right {_percent(found.im)}."
        )
    if f1 is not None:
        print(f"{name}: patients' F1 {f1:.3f}.")


def _write(asked: Found, folder: Path) -> None:
    """A file of JSON Lines for every set."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, of_set in asked.items():
        lines = [json.dumps(_record(turn, database)) for database, turns in of_set.items() for turn in turns]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _record(turn: Scored, database: str) -> dict[str, object]:
    return {
        "id": turn.case,
        "turn": turn.turn,
        "database": database,
        "question": turn.question,
        "answerable": turn.answerable,
        "decision": "answered" if turn.answered else "declined" if turn.declined else "withheld",
        "confidence": round(turn.confidence, 4),
        "right": turn.right,
        "people_right": turn.people_right,
        "f1": turn.f1,
        "rows": turn.guess.count if turn.guess else None,
        "gold_rows": turn.gold.count if turn.gold else None,
        "logic": turn.logic,
        "reason": turn.reason,
    }


def _print_detail(found: Mapping[str, Sequence[Scored]]) -> None:
    """The measures of the papers; every figure, and in brackets that which leaves one family out, where it differs."""
    both = [(scores(turns), scores(leave_one_family_out(turns, fit_trust))) for turns in found.values()]
    figures: list[tuple[str, Figure]] = [
        ("EX over the answerable, best guesses included", lambda one: _percent(one.ex)),
        ("answers that were given are right", lambda one: _percent(one.precision)),
        ("answerable questions that were answered", lambda one: _percent(one.coverage)),
        ("unanswerable questions that were declined", lambda one: _percent(one.rejected)),
        ("RS(0) / RS(5) / RS(10)", lambda one: " / ".join(f"{one.rs[c]:.1f}" for c in ("0", "5", "10"))),
        ("HCAcc@70 / @90 / @95", lambda one: " / ".join(f"{100 * one.hcacc[k]:.1f}" for k in (70, 90, 95))),
        ("expected calibration error", lambda one: f"{one.ece:.3f}"),
        ("planning, p50 / p95", lambda one: f"{one.p50_ms:.0f} / {one.p95_ms:.0f} ms"),
    ]
    rows = [[title, *(_beside(figure(plain), figure(folded)) for plain, folded in both)] for title, figure in figures]
    print(f"\n{_table(['measure', *found], rows)}")
    by_level = [grouped([one for one in turns if one.answerable], lambda one: one.level) for turns in found.values()]
    rows = [[name, *(_level(of_set.get(level)) for of_set in by_level)] for level, name in ROMAN.items()]
    print(f"\n{_table(['EX by tables of the gold query', *found], rows)}")


def _beside(plain: str, folded: str) -> str:
    return plain if plain == folded else f"{plain} ({folded})"


def _level(found: Scores | None) -> str:
    return "–" if found is None else f"{_percent(found.ex)} of {found.questions}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
