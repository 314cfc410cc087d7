"""A turn as people read it on the command line: question, reading, answer, and how sure it is."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ehrtui.commands.output import SHOWN_ROWS, paragraph, rows_table
from ehrtui.commands.turns import shown_rows_of
from ehrtui.conversation.agreement import finds_nothing
from ehrtui.conversation.conversation import Conversation
from ehrtui.session.told import told
from ehrtui.session.turn import Turn

MOST_DOUBTS = 3
MOST_READINGS = 3


def for_people(
    conversation: Conversation, turn: Turn, *, guess: bool, width: int, brief: bool = False
) -> RenderableType:
    """Question, reading, answer and how sure it is; a refusal gives its reason first and no answer unless asked. In
    `brief`, neither the question nor the SQL, and of the confidence the figure alone."""
    shown = bool(turn.result) and (turn.decision == "answered" or guess)
    parts: list[RenderableType] = [*([] if brief else [paragraph(turn.question[:500], "bold")]), *_why(turn)]
    if turn.proposal.logic:
        parts.append(_labelled("logic", turn.proposal.logic))
    if shown:
        parts += answer_text(conversation, turn, width, all_rows="/rows" if brief else "--json")
    elif turn.result:
        parts.append(Text(f"{'/guess' if brief else '--guess'} shows the best guess.", "dim"))
    parts += how_sure(conversation, turn)[: 1 if brief else None]
    if turn.spent:
        parts.append(_labelled("planned by", f"{turn.planned_by} · {turn.spent}"))
    if turn.proposal.case:
        parts.append(_labelled("memory", turn.proposal.case.in_words))
    if shown and turn.statement and not brief:
        parts.append(_labelled("SQL", turn.statement.flat))
    return Group(*parts)


def _why(turn: Turn) -> list[RenderableType]:
    error = turn.error
    if error is None:
        return []
    said = turn.proposal.in_words
    head = "Not answered: " if turn.decision == "abstained" else "Failed: "
    lines: list[RenderableType] = [paragraph(head + error.message, "bold yellow")]
    if error.cause:
        lines.append(paragraph(error.cause))
    lines += [paragraph(f"{'either' if turn.choices else 'try'}: {said(other)}") for other in error.suggestions]
    if turn.decision == "abstained" and not turn.choices and turn.proposal.meant:
        lines.append(paragraph(f"Do you mean: {turn.proposal.meant}"))
    return lines


def how_sure(conversation: Conversation, turn: Turn) -> list[RenderableType]:
    """The confidence, the doubts that cost most of it, and how else the question can be read."""
    dearest = conversation.estimator.costs(turn.doubts)[:MOST_DOUBTS]
    others = turn.proposal.readings[1 : 1 + MOST_READINGS] if turn.kind == "question" else ()
    return [
        _labelled("confidence", conversation.draft_of(turn.number).unscored or f"{turn.confidence:.2f}"),
        *(_labelled("", f"−{cost:.2f}  {doubt.sentence}") for doubt, cost in dearest),
        *(
            _labelled("" if number else "or read as", reading.sentence or reading.logic)
            for number, reading in enumerate(others)
        ),
    ]


def answer_text(conversation: Conversation, turn: Turn, width: int, *, all_rows: str) -> list[RenderableType]:
    """A single value in one line, of what it is, and what stands beside it; or how many rows there are, and the first
    of them. `all_rows` says what prints all."""
    title = "best guess" if turn.decision == "abstained" else "answer"
    rows = shown_rows_of(conversation, turn, SHOWN_ROWS)
    how = told(turn, conversation.profile)
    if turn.is_one_value:
        one = how.one(rows[0])
        parts: list[RenderableType] = [_labelled(title, " · ".join((one.said, *one.beside)))]
    else:
        parts = [_labelled(title, f"{turn.row_count:,} row{'' if turn.row_count == 1 else 's'}")]
    if finds_nothing([row[: len(turn.columns)] for row in rows]) and (doubt := conversation.suspicion(turn.number)):
        parts.append(_labelled("looks wrong", doubt.text))
    if turn.is_one_value:
        return parts
    if turn.row_count:
        table = rows_table(how, rows, width, asked=len(turn.columns))
        parts.append(table)
        if len(table.columns) < len(turn.shown_columns):
            more = len(turn.shown_columns) - len(table.columns)
            parts.append(Text(f"… {more:,} more column{'' if more == 1 else 's'}; {all_rows} prints all.", "dim"))
    if turn.row_count > SHOWN_ROWS:
        parts.append(Text(f"… {turn.row_count - SHOWN_ROWS:,} more; {all_rows} prints all.", "dim"))
    return parts


def _labelled(label: str, text: str) -> Text:
    # Lines are not broken here, so that SQL can be copied as it is.
    return Text(f"{label:<11}", "dim", no_wrap=True, overflow="ignore") + paragraph(text)
