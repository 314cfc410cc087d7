"""The orders of the line mode: lines that begin with a slash, each a name, what it takes, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ehrtui.commands.output import paragraph, rows_table
from ehrtui.commands.turn_text import for_people, how_sure
from ehrtui.commands.turns import rerun_turn, shown_rows_of
from ehrtui.errors import UsageError
from ehrtui.session.remarks import State, can_be_ticked, in_order, sign_of
from ehrtui.session.told import told
from ehrtui.terminal import BESIDE

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.session.turn import Turn

SIGN = "/"
_DIGITS = 10
"""So many digits has no number of a turn or row."""


@dataclass(frozen=True)
class Order:
    """`takes` says what may follow the name, `help` what the order does; `do` does it with what followed."""

    name: str
    takes: str
    help: str
    do: Callable[[Conversation, Console, str], None]


def obey(conversation: Conversation, out: Console, line: str) -> None:
    """Do what a line says that begins with `SIGN`. Raises UsageError where there is no such order, or it cannot be
    done."""
    name, _, rest = line.removeprefix(SIGN).strip().partition(" ")
    order = BY_NAME.get(name.lower())
    if order is None:
        from difflib import get_close_matches

        near = get_close_matches(name.lower(), BY_NAME, 1)
        raise UsageError(
            f"There is no order {SIGN}{name[:40]}.",
            next_step=f"Did you mean {SIGN}{near[0]}?" if near else f"{SIGN}help lists them.",
        )
    order.do(conversation, out, rest.strip())


def turn_of(conversation: Conversation, given: str) -> Turn:
    """The turn that is given as `3` or `A3`; the last one where nothing is. Raises UsageError."""
    turns = conversation.turns
    number = given.upper().removeprefix("A")
    if not turns:
        raise UsageError("Nothing was asked yet.", next_step="Ask a question first.")
    if not number:
        return turns[-1]
    if (
        not number.isascii()
        or not number.isdigit()
        or not 0 < len(number) < _DIGITS
        or not 0 < int(number) <= len(turns)
    ):
        raise UsageError(f"There is no turn {given[:40]}.", next_step=f"There are A1 to A{len(turns)}.")
    return turns[int(number) - 1]


def _help(conversation: Conversation, out: Console, rest: str) -> None:
    out.print("Ask a question in your own words, or write SQL. Later questions may refer to A1, A2 … or to those.")
    table = Table.grid(padding=(0, 2))
    for order in ORDERS:
        table.add_row(Text(f"  {SIGN}{order.name} {order.takes}".rstrip(), "bold", no_wrap=True), Text(order.help))
    out.print(table)
    out.print(f"In a table {BESIDE.strip()} stands before a column that was not asked, and helps to read the others.")


def _turns(conversation: Conversation, out: Console, rest: str) -> None:
    for turn in conversation.turns:
        stands = "stale" if turn.stale else _came(conversation, turn) if turn.decision == "answered" else turn.decision
        out.print(paragraph(f"A{turn.number}  {stands}: {' '.join(turn.question.split())[:200]}"), soft_wrap=True)
    if not conversation.turns:
        out.print("Nothing was asked yet.")


def _came(conversation: Conversation, turn: Turn) -> str:
    """What came of an answered turn: its single value with its unit, or how many rows."""
    if turn.is_one_value:
        (row,) = shown_rows_of(conversation, turn, 1)
        return told(turn, conversation.profile).one(row).short
    return f"{turn.row_count:,} row{'' if turn.row_count == 1 else 's'}"


def _again(conversation: Conversation, out: Console, rest: str) -> None:
    turn = rerun_turn(conversation, turn_of(conversation, rest).number)
    out.print(for_people(conversation, turn, guess=False, width=out.width, brief=True), crop=False)


def _guess(conversation: Conversation, out: Console, rest: str) -> None:
    turn = turn_of(conversation, rest)
    out.print(for_people(conversation, turn, guess=True, width=out.width, brief=True), crop=False)


def _rows(conversation: Conversation, out: Console, rest: str) -> None:
    turn = turn_of(conversation, rest)
    if turn.decision != "answered" or not turn.row_count:
        raise UsageError(f"A{turn.number} has no rows to show.")
    for at in range(0, turn.row_count, PAGE):
        rows = shown_rows_of(conversation, turn, min(at + PAGE, turn.row_count))[at:]
        out.print(rows_table(told(turn, conversation.profile), rows, out.width, asked=len(turn.columns)))


def _chart(conversation: Conversation, out: Console, rest: str) -> None:
    from ehrtui.charts.asked import asked_of
    from ehrtui.charts.drawing import drawn
    from ehrtui.charts.shapes import MOST_ROWS, charts_of

    turn = turn_of(conversation, rest)
    rows = shown_rows_of(conversation, turn, MOST_ROWS) if turn.decision == "answered" else []
    charts = charts_of(turn.shown_columns, rows, asked_of(turn.proposal.logic or "", len(turn.columns)))
    if not charts:
        raise UsageError(f"A{turn.number} has nothing to draw.", why="A chart needs several rows with a number.")
    for chart in charts:
        out.print(Text(drawn(chart, out.width, CHART_LINES), no_wrap=True))


def _export(conversation: Conversation, out: Console, rest: str) -> None:
    words = rest.split()
    values = "values" in words[1:]
    if not words:
        raise UsageError("To which file?", next_step=f"{SIGN}export sepsis.csv, or {SIGN}export sepsis.md 3 values")
    numbers = [word for word in words[1:] if word != "values"]
    turn = turn_of(conversation, " ".join(numbers))
    out.print(paragraph(conversation.export(turn, Path(words[0]).expanduser(), values=values)))


def _judge(right: bool, conversation: Conversation, out: Console, rest: str) -> None:
    number, _, reason = rest.partition(" ")
    is_number = number.upper().removeprefix("A").isdigit()
    turn = turn_of(conversation, number if is_number else "")
    conversation.remarks.judge(turn, right, reason if is_number else rest)
    out.print(f"A{turn.number} is kept as {'right' if right else 'wrong'}.")


def _todo(conversation: Conversation, out: Console, rest: str) -> None:
    words = rest.split(maxsplit=3)
    turn = turn_of(conversation, words[0] if words else "")
    if not can_be_ticked(turn):
        raise UsageError(f"A{turn.number} is no list.", next_step="Ask for a list, or who needs what.")
    if len(words) > 1:
        number = int(words[1]) if words[1].isdecimal() and len(words[1]) < _DIGITS else 0
        what = words[2] if len(words) > 2 else ""
        if what not in _STATES and what != "note":
            raise UsageError("A row is done, later, open, or has a note.", next_step=f"{SIGN}todo 3 1 done")
        note = (words[3] if len(words) > 3 else "") if what == "note" else None
        conversation.remarks.mark(turn, number, _STATES.get(what), note)
    marked = conversation.remarks.marked(turn)
    rows = in_order(shown_rows_of(conversation, turn, turn.row_count), len(turn.columns))
    how = told(turn, conversation.profile)
    for place, row in enumerate(rows, start=1):
        one = marked.get(place)
        note = f" ✎ {one.note}" if one and one.note else ""
        values = "  ".join("" if value is None else how.text(at, value) for at, value in enumerate(row))
        out.print(paragraph(f"{place} {sign_of(one) if one else ' '} {values}{note}"))


_STATES: dict[str, State] = {"done": "done", "later": "snoozed", "open": "open"}


def _why(conversation: Conversation, out: Console, rest: str) -> None:
    for line in how_sure(conversation, turn_of(conversation, rest)):
        out.print(line, crop=False)


def _logic(conversation: Conversation, out: Console, rest: str) -> None:
    _say(out, turn_of(conversation, rest).proposal.logic, "query logic")


def _plan(conversation: Conversation, out: Console, rest: str) -> None:
    turn = turn_of(conversation, rest)
    _say(out, turn.plan, "plan")
    for number, step in enumerate(turn.steps, 1):
        came = step.error or ("a value" if step.rows is None else f"{step.rows:,} rows")
        out.print(paragraph(f"step {number}, line {step.line}: {came}, {step.ms:.0f} ms"))


def _sql(conversation: Conversation, out: Console, rest: str) -> None:
    statement = turn_of(conversation, rest).statement
    _say(out, statement.flat if statement else None, "SQL")


def _say(out: Console, text: str | None, what: str) -> None:
    if not text:
        raise UsageError(f"This turn has no {what}.")
    out.print(paragraph(text), soft_wrap=True)


def _tables(conversation: Conversation, out: Console, rest: str) -> None:
    schema = conversation.engine.schema()
    if not rest:
        for table in schema.tables:
            out.print(
                paragraph(f"{table.name}: {table.row_count:,} rows" if table.row_count is not None else table.name)
            )
        return
    found = next((table for table in schema.tables if table.name.lower() == rest.lower()), None)
    if found is None:
        raise UsageError(f"There is no table {rest[:60]}.", next_step=f"{SIGN}tables lists them.")
    for column in found.columns:
        kind = "a time" if column.is_time else "a number" if column.is_number else "text"
        out.print(paragraph(f"{column.name}: {kind}{', key' if column.primary_key else ''}"))


def _name(conversation: Conversation, out: Console, rest: str) -> None:
    if rest:
        conversation.name.give(rest)
    called = conversation.name.text
    out.print(paragraph(f"This session is called {called}." if called else "This session has no name."))


def _threshold(conversation: Conversation, out: Console, rest: str) -> None:
    if rest:
        try:
            value = float(rest)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise UsageError(f"{rest[:40]} is not a number from 0.0 to 1.0.")
        conversation.threshold = value
    out.print(f"Answers less sure than {conversation.threshold:.2f} are withheld.")


def _quit(conversation: Conversation, out: Console, rest: str) -> None:
    raise EOFError


CHART_LINES = 20
PAGE = 500
"""Rows of a table that are measured at once."""

ORDERS: tuple[Order, ...] = (
    Order("help", "", "these lines", _help),
    Order("turns", "", "the turns so far", _turns),
    Order("rows", "[N]", "all rows of an answer", _rows),
    Order("chart", "[N]", "an answer as charts, in text", _chart),
    Order("guess", "[N]", "the best guess of a turn that was not answered", _guess),
    Order(
        "export",
        "FILE [N]",
        "an answer to a file: .csv .parquet .md .ipynb .sql .svg .png; “values”: rows too",
        _export,
    ),
    Order("todo", "[N [ROW]]", "a list; then done, later, open, or note and words, for a row", _todo),
    Order("right", "[N] [WHY]", "say that an answer is right, and why", partial(_judge, True)),
    Order("wrong", "[N] [WHY]", "say that an answer is wrong, and why", partial(_judge, False)),
    Order("why", "[N]", "how sure an answer is, why not surer, and how else the question can be read", _why),
    Order("logic", "[N]", "the query logic of a turn", _logic),
    Order("plan", "[N]", "its plan, and what came of each step", _plan),
    Order("sql", "[N]", "its SQL, which runs alone", _sql),
    Order("again", "[N]", "run a turn again", _again),
    Order("tables", "[NAME]", "the tables of the database, or the columns of one", _tables),
    Order("name", "[NAME]", "what the session is called, or call it so: --session NAME goes on with it", _name),
    Order("threshold", "[0-1]", "withhold answers that are less sure", _threshold),
    Order("quit", "", "leave; Ctrl-D too", _quit),
)
BY_NAME = {order.name: order for order in ORDERS}
