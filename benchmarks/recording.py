"""`EHRTUI_DATA=DIR python -m benchmarks.recording --base-url URL --to DIR`: records what a language model answers to
development questions, many at a time, as transcripts that `ehrtui eval --transcript` replays.

Of each set of people's own words, a spread of its questions, and some conversations; what is recorded already is not
asked again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.development import DATABASES, OWN_WORDS, SETS, data_folder, unpacked
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, consents_of, open_database
from ehrtui.conversation.language_model import database_name
from ehrtui.evaluation.cases import Case, read_cases
from ehrtui.planning.claude.approach import EHRAGENT, EXTRAS
from ehrtui.planning.claude.model import Model
from ehrtui.planning.claude.server import Server, server_of
from ehrtui.planning.claude.spending import Spending
from ehrtui.planning.claude.transcript import Transcript
from ehrtui.privacy.egress import EgressLog
from ehrtui.privacy.pace import Pace
from ehrtui.session.events import Notice
from ehrtui.settings import DEFAULTS

QUESTIONS = [name for name in OWN_WORDS if name not in ("conversations", "concepts")]


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.recording", description=__doc__)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", default="claude")
    parser.add_argument("--to", metavar="DIR", type=Path, required=True, help="the folder of the transcripts")
    parser.add_argument("--questions", metavar="N", type=int, default=18, help="of each set")
    parser.add_argument("--conversations", metavar="N", type=int, default=4)
    parser.add_argument("--at-once", metavar="N", type=int, default=24)
    parser.add_argument("--set", dest="sets", choices=[*QUESTIONS, "concepts"], action="append", help="of these alone")
    parser.add_argument("--with", dest="extras", choices=EXTRAS, action="append", default=[], help="as `eval` has it")
    args = parser.parse_args()
    folder = data_folder()
    args.to.mkdir(parents=True, exist_ok=True)
    wanted: dict[str, list[tuple[str, Case]]] = {}
    for name in args.sets or (*QUESTIONS, "conversations"):
        cases = read_cases(folder / SETS[name].questions)
        many = args.conversations if name == "conversations" else args.questions
        for case in spread(cases, many):
            wanted.setdefault(case.database, []).append((name, case))
    with TemporaryDirectory() as scratch, ThreadPoolExecutor(args.at_once) as pool:
        state = Path(scratch)
        opened = {name: _opened(name, folder, state, args, wanted[name]) for name in wanted}
        longest = [(name, *one) for name, cases in wanted.items() for one in cases]
        longest.sort(key=lambda one: -len(one[2].turns))
        asked = [pool.submit(_ask, opened[name][0], opened[name][1], case) for name, _, case in longest]
        for number, one in enumerate(asked, 1):
            one.result()
            print(f"{number} of {len(asked)}", file=sys.stderr, flush=True)
        for database, _ in opened.values():
            database.close()
    return 0


def spread(cases: Sequence[Case], many: int) -> list[Case]:
    """So many cases at equal distances."""
    many = min(many, len(cases))
    return [cases[(2 * at + 1) * len(cases) // (2 * many)] for at in range(many)]


def _opened(
    name: str, folder: Path, state: Path, args: argparse.Namespace, wanted: Sequence[tuple[str, Case]]
) -> tuple[Database, Transcript]:
    known = DATABASES[name]
    path = unpacked(folder, known.file, state)
    approach = replace(EHRAGENT, extras=frozenset(args.extras))
    settings = replace(
        DEFAULTS, base_url=args.base_url, model=args.model, samples=1, grid_seconds=0.001, approach=approach
    )
    server = server_of(args.base_url, args.model)
    consents_of(state).give(database_name(str(path)), server.host, masked=True)
    database = open_database(
        str(path), now=known.now or None, profile=None, planner="claude", state=state, settings=settings
    )
    assert database.language_model is not None
    transcript = Transcript(args.to / f"{name}.{args.model}.jsonl")

    def recording(server: Server, log: EgressLog, spending: Spending, _: Pace) -> Model:
        return transcript.recording(server, log, spending, Pace(0))  # many at a time would wait for each other

    return replace(database, language_model=replace(database.language_model, model=recording)), transcript


def _ask(database: Database, transcript: Transcript, case: Case) -> None:
    if case.conversation:  # each of its turns waits for the one before: without the question how sure it is
        model = database.language_model
        assert model is not None
        database = replace(database, language_model=replace(model, settings=replace(model.settings, samples=0)))
    conversation = Conversation(database, threshold=0.7, repair=True)
    conversation.subscribe(lambda event: _warn(case.id, event))
    for number, turn in enumerate(case.turns, 1):
        transcript.at(case.id, number)
        conversation.run(conversation.ask(turn.text, turn.kind))
    # It is not closed: that would stop what others ask of the same model.


def _warn(case: str, event: object) -> None:
    if isinstance(event, Notice):
        print(f"{case}: {event.text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
