"""`ehrtui replay`: run a saved session again and compare every result; turn by turn, where that is wanted."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from rich.console import Group

from ehrtui.cache import cache_directory
from ehrtui.commands.interrupts import heard, interruptible, interrupts_held
from ehrtui.commands.output import console, one_line, paragraph, printable
from ehrtui.commands.turn_text import answer_text
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.errors import SessionError
from ehrtui.paths import is_file, is_there
from ehrtui.session.export import logic_of
from ehrtui.session.places import kept_place
from ehrtui.session.replay import Comparison, other_database, replay
from ehrtui.session.saved import SavedSession, find_session, read_session

SAME, DIFFERENT = 0, 4
_SIGNS = {"same": "✓", "different": "✗", "skipped": "–"}


def run(args: argparse.Namespace) -> int:
    """Compare turn by turn, and return 4 where any result differs."""
    saved = read_session(find_session(args.session, args.state))
    target = args.database or str(_database_of(saved, args.state))
    if not args.database:
        print(f"ehrtui: over {printable(target)}", file=sys.stderr)
    different: list[int] = []
    shown = args.step or args.film is not None
    with interrupts_held(), ExitStack() as resources:
        database = open_database(
            target,
            now=saved.started.now,
            profile=args.profile,
            planner="offline",
            state=args.state,
            settings=args.settings,
        )
        resources.callback(database.close)
        other = other_database(saved, database.engine)
        for notice in (*saved.notices, *([f"{other} The results are compared all the same."] if other else [])):
            print(f"ehrtui: {printable(notice)}", file=sys.stderr)
        conversation = Conversation(database, threshold=0.0)
        resources.callback(conversation.close)
        comparisons = replay(saved, conversation)
        while comparison := heard(lambda: next(comparisons, None), conversation.cancel):
            if shown:
                _show_turn(saved, conversation, comparison.turn)
            _show(comparison)
            if comparison.outcome == "different":
                different.append(comparison.turn)
            if shown and comparison.turn < len(saved.turns) and not _goes_on(args.film):
                return DIFFERENT if different else SAME
    return _conclude(len(saved.turns), different)


def _show_turn(saved: SavedSession, conversation: Conversation, number: int) -> None:
    """The question, how it was read, and the answer as it is now."""
    then, now, out = saved.turns[number - 1], conversation.turns[number - 1], console()
    out.print()
    out.print(paragraph(f"A{number} {then.asked.text}", "bold"))
    if logic := logic_of(then):
        out.print(paragraph(logic, "dim"))
    if now.result:
        out.print(Group(*answer_text(conversation, now, out.width, all_rows="the explorer")), crop=False)


def _goes_on(film: float | None) -> bool:
    """Whether the next turn is to be shown: after so many seconds, or when Enter is pressed."""
    with interruptible():
        if film is not None:
            time.sleep(film)
            return True
        print("Enter: the next turn; q and Enter: leave ", end="", flush=True)
        answer = sys.stdin.readline()
    return answer != "" and answer.strip().lower() != "q"


def _show(comparison: Comparison) -> None:
    head = f"{_SIGNS[comparison.outcome]} turn {comparison.turn}: {one_line(comparison.question)}"
    if comparison.outcome == "different":
        print(f"{head}\n    was: {printable(comparison.expected)}\n    now: {printable(comparison.found)}", flush=True)
    else:
        sure = f", {comparison.sure}" if comparison.sure else ""
        print(f"{head} ({printable(comparison.expected)}{sure})", flush=True)


def _conclude(turns: int, different: list[int]) -> int:
    if not different:
        print(f"All results are the same ({turns} turn{'' if turns == 1 else 's'}).")
        return SAME
    numbers = ", ".join(str(number) for number in different)
    print(f"The result differs in turn {numbers}.", flush=True)
    return DIFFERENT


def _database_of(saved: SavedSession, state: Path | None) -> Path:
    """The database a session is about: where it was seen last on this machine, else by its file name in this directory
    or among the demo databases."""
    name = Path(saved.started.database).name  # a session file may name any path; only a name is looked for
    known = kept_place(saved.started.fingerprint, state)
    found = [directory / name for directory in (Path(), cache_directory("demo", state)) if name]
    for path in (*([known] if known else []), *found):
        if is_there(path) if path == known else is_file(path):
            return path
    build = "`ehrtui demo --no-open` builds it, or g" if name.startswith("demo-") else "G"
    raise SessionError(
        f"The database {name[:100]} of this session is not here.",
        why=f"It was {known}, which is no longer there."
        if known
        else "A session file names its database and not its place, and this machine has not seen it in any.",
        next_step=f"{build}ive its place: ehrtui replay {saved.path.stem} DB",
    )
