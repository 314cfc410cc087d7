"""`ehrtui decompose`: a nested query as turns, for people or as input of `ehrtui exec`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from rich.text import Text

from ehrtui.commands.interrupts import heard
from ehrtui.commands.output import console, paragraph, write_line
from ehrtui.commands.turns import conversation_on, opened, put_turn, run_turn
from ehrtui.conversation.decomposing import decomposed_drafts
from ehrtui.errors import QueryError
from ehrtui.session.turn import Turn
from ehrtui.tokens.decompose import Decomposition

SAME, DIFFERENT = 0, 4


def run(args: argparse.Namespace) -> int:
    """Print the turns; with `--run`, run them too, and return 4 where the last one's rows are not the original's."""
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if args.sql == "-" else args.sql
    sql = text.encode("utf-8", "replace").decode("utf-8").strip()
    turns: list[Turn] = []
    same = None
    with opened(args) as database, ExitStack() as conversations:
        conversation = conversation_on(database, args)
        conversations.callback(conversation.close)
        decomposition, drafts = heard(
            lambda: decomposed_drafts(conversation, sql, by_clause=args.clauses), conversation.cancel
        )
        if args.run:
            original = conversation_on(database, args)
            conversations.callback(original.close)
            expected = _answered("The statement", put_turn(original, sql, "sql"))
            for number, draft in enumerate(drafts, start=1):
                turns.append(_answered(f"Turn {number}", run_turn(conversation, draft)))
            same = turns[-1].fingerprint == expected.fingerprint
    if args.json:
        write_line(_record(decomposition, turns, same))
    else:
        _print(decomposition, turns, same)
    return DIFFERENT if same is False else SAME


def _answered(what: str, turn: Turn) -> Turn:
    if turn.error:
        raise QueryError(
            f"{what} failed: {turn.error.message}", why=turn.error.cause, next_step="\n".join(turn.error.suggestions)
        )
    return turn


def _record(decomposition: Decomposition, turns: Sequence[Turn], same: bool | None) -> dict[str, Any]:
    """One conversation, as `ehrtui exec` reads it."""
    described = [{"sql": part.sql, "role": part.role, "why": part.why} for part in decomposition.turns]
    counted = [
        {**each, **({"row_count": turns[index].row_count} if turns else {})} for index, each in enumerate(described)
    ]
    record: dict[str, Any] = {"id": None, "turns": counted, "unsplit": list(decomposition.unsplit)}
    return record if same is None else {**record, "same": same}


def _print(decomposition: Decomposition, turns: Sequence[Turn], same: bool | None) -> None:
    screen = console()
    for number, part in enumerate(decomposition.turns, start=1):
        rows = f" · {_rows(turns[number - 1].row_count)}" if turns else ""
        screen.print(Text(f"{number}  ", "bold") + Text(f"{part.why}{rows}", "dim"))
        # Lines are not broken, so that the SQL can be copied as it is.
        screen.print(paragraph(part.sql), no_wrap=True, overflow="ignore", crop=False)
    for reason in decomposition.unsplit:
        screen.print(paragraph(reason, "yellow"))
    if same is not None:
        verdict = "the same rows as" if same else "other rows than"
        screen.print(f"The last turn gives {verdict} the statement ({_rows(turns[-1].row_count)}).")


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"
