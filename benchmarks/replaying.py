"""`EHRTUI_DATA=DIR python -m benchmarks.replaying [DATABASE …]`: what people get of recorded plans of a language model.

The transcripts in `benchmarks/transcripts/` (DATABASE.MODEL.jsonl, by `benchmarks.recording`) are answered from,
without network, and every plan runs. For single questions and for turns of conversations: how many best guesses are
right (people's EX), how many are shown and right, how many of the shown are wrong, and requests and tokens a question.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.development import DATABASES, OWN_WORDS, SETS, data_folder, unpacked
from ehrtui.commands.examining import scored_case
from ehrtui.conversation.database import open_database
from ehrtui.evaluation.cases import Case, read_cases
from ehrtui.evaluation.scores import Scored, scores
from ehrtui.planning.claude.approach import EHRAGENT, EXTRAS, Extra
from ehrtui.planning.claude.transcript import Transcript
from ehrtui.settings import DEFAULTS

FOLDER = Path(__file__).parent / "transcripts"
REPLAYED = [name for name in OWN_WORDS if name != "concepts"]
"""The sets whose answers are compared as they are; of cohorts, `benchmarks.cohorts` compares the patients, too."""


@dataclass(frozen=True)
class Replayed:
    """A case as it came out."""

    database: str
    case: Case
    turns: tuple[Scored, ...]


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.replaying", description=__doc__)
    parser.add_argument("names", metavar="DATABASE", nargs="*", choices=[[], *DATABASES])
    parser.add_argument("--planner", choices=("claude", "both"), default="claude")
    parser.add_argument("--model", default="claude")
    parser.add_argument("--samples", type=int, default=1)
    parser.add_argument("--transcripts", metavar="DIR", type=Path, default=FOLDER, help="where the transcripts are")
    parser.add_argument("--with", dest="extras", choices=EXTRAS, action="append", default=[], help="as `eval` has it")
    parser.add_argument("--out", metavar="FILE", type=Path, help="what became of every turn, as JSON Lines")
    args = parser.parse_args()
    found = [
        one
        for name in args.names or DATABASES
        for one in replayed(
            name,
            args.transcripts / f"{name}.{args.model}.jsonl",
            args.planner,
            args.samples,
            frozenset(args.extras),
        )
    ]
    if args.out:
        records = (_record(one, turn) for one in found for turn in one.turns)
        args.out.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    print("| what | n (answerable) | right | shown and right | wrong of the shown | declined rightly | AUROC | ECE |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    single = [one for one in found if not one.case.conversation]
    for name in dict.fromkeys(one.database for one in found):
        _print(name, [one for one in single if one.database == name])
    _print("all questions", single)
    _print("turns of conversations", [one for one in found if one.case.conversation])
    taken = scores([turn for one in found for turn in one.turns])
    print(f"\nrequests a question {taken.requests:.2f}, tokens a question {taken.tokens:,.0f}")
    return 0


def replayed(
    name: str,
    path: Path,
    planner: str,
    samples: int,
    extras: frozenset[Extra] = frozenset(),
    sets: Iterable[str] = REPLAYED,
) -> Iterator[Replayed]:
    """The cases of a database in the `sets` that are in the transcript at `path`, if that is there, each in a
    conversation of its own."""
    if not path.is_file():
        return
    transcript, folder, known = Transcript(path), data_folder(), DATABASES[name]
    cases = [
        case
        for of_set in sets
        for case in read_cases(folder / SETS[of_set].questions)
        if case.id in transcript and case.database == name
    ]
    with TemporaryDirectory() as scratch:
        state = Path(scratch)
        file = str(unpacked(folder, known.file, state))
        args = argparse.Namespace(
            save=False, state=state, threshold=DEFAULTS.threshold, with_results=False, repair=False
        )
        settings = replace(DEFAULTS, samples=samples, approach=replace(EHRAGENT, extras=extras))
        database = open_database(
            file, now=known.now or None, profile=None, planner=planner, state=state, settings=settings
        )
        assert database.language_model is not None
        database = replace(database, language_model=replace(database.language_model, model=transcript.replaying))
        for case in cases:
            yield Replayed(name, case, scored_case(case, database, args, transcript))
        database.close()


def _print(name: str, found: Sequence[Replayed]) -> None:
    if not found:
        return
    one = scores([turn for case in found for turn in case.turns])
    auroc = f"{one.auroc:.2f}" if one.auroc is not None else "–"
    declined = f"{100 * one.rejected:.1f} %" if one.questions > one.answerable else "–"
    print(
        f"| {name} | {one.questions} ({one.answerable}) | {100 * one.people_ex:.1f} % | {100 * one.people_sr:.1f} % "
        f"| {100 * one.people_wrong_shown:.1f} % | {declined} | {auroc} | {one.ece:.3f} |"
    )


def _record(one: Replayed, turn: Scored) -> dict[str, object]:
    return {
        "database": one.database,
        "id": turn.case,
        "turn": turn.turn,
        "answerable": turn.answerable,
        "shown": turn.answered,
        "declined": turn.declined,
        "right": turn.people_right,
        "confidence": round(turn.confidence, 4),
        "doubts": {doubt.kind: doubt.amount for doubt in turn.doubts or ()},
        "rows": turn.guess.count if turn.guess else None,
        "gold_rows": turn.gold.count if turn.gold else None,
        "reason": turn.reason,
        "requests": turn.requests,
        "tokens": turn.tokens,
        "logic": turn.logic,
    }


if __name__ == "__main__":
    sys.exit(main())
