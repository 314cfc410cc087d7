"""What a language model may be told of earlier turns: what was written, never what came of it.

Nothing here is a function of rows: not the number of columns, not whether a turn was answered. A query that a plan put
together as it ran is told as the plan that did so, as the model wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.conversation.twin import TwinTurn, is_by_model, is_of_model
from ehrtui.planning.claude.talk import Told
from ehrtui.planning.plan_text import sql_from_plan
from ehrtui.planning.proposal import Link
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.request import Fixed, Part, Received, Said
from ehrtui.privacy.stand_ins import StandIns

OPENED = "(the user opened a value of an answer)"
LONGEST = 2000
"""Letters of a question that are told."""
_LONGEST = 3000


def told(turn: TwinTurn, mask: Mask | None) -> Told:
    """Of an earlier turn, what may be told. What was linked to a stored value keeps the placeholder that it has in the
    question."""
    if turn.draft.opened:
        return Told(turn.number, Fixed(OPENED))
    question = Said(turn.draft.text[:LONGEST], turn.number - 1)
    if mask is not None:
        link(turn.draft.text, turn.reading.links, mask, question.turns)
    return Told(turn.number, question, _columns(turn, mask), _logic(turn), _statement(turn))


def link(text: str, links: Sequence[Link], mask: Mask, turns: int) -> None:
    """Give the values in a question their placeholders, patients as such, and the stored values that its words were
    linked to those of these words. It may name the first `turns` answers."""
    for one in links:
        if one.kind == "patient" and one.text.strip():
            mask.patient(text[: one.start], one.text.split()[-1])
    mask.words(text[:LONGEST], turns)
    for one in links:
        mask.same(one.text, one.value)


def _columns(turn: TwinTurn, mask: Mask | None) -> tuple[Part, ...]:
    """The columns of an answer, in what may be told: as the model wrote them, or as words of the user's."""
    if mask is not None and is_of_model(turn.draft):
        listed = ", ".join(turn.columns)
        return (Received(StandIns(mask.placeholders).named(listed)),) if listed else ()
    return tuple(_listed(turn.columns, turn.number - 1))


def _listed(columns: Sequence[str], turns: int) -> Iterator[Part]:
    for at, column in enumerate(columns):
        yield from (Fixed(", "), Said(column, turns)) if at else (Said(column, turns),)


def _logic(turn: TwinTurn) -> tuple[Part, ...]:
    """The query logic of a turn, as the model, the user or ehrtui wrote it; none where the question is that already."""
    draft = turn.draft
    if is_of_model(draft):
        said = draft.talk.received_logic if draft.talk is not None else ""
        return (Received(f"\n    Logic: {said[:_LONGEST]}"),) if said else ()
    if draft.kind != "question" or is_by_model(draft):
        return ()
    last = draft.edits[-1] if draft.edits else None
    logic = turn.logic if last is None else last.text if last.view == "logic" else ""
    return (Fixed("\n    Logic: "), Said(logic[:_LONGEST], turn.number - 1)) if logic else ()


def _statement(turn: TwinTurn) -> tuple[Part, ...]:
    """The statement of a turn as it was written; none where the question is that already, and where somebody changed
    what the model or ehrtui had written: it could hold values that nobody typed."""
    if turn.draft.edits:
        return ()
    if is_of_model(turn.draft):
        sql = sql_from_plan(turn.received)
        spelled = f"\n    SQL: {' '.join(sql.split())}" if sql else f"\n    Plan:\n{turn.received}"
        return (Received(spelled[:_LONGEST]),) if turn.received else ()
    sql = turn.reading.sql
    if turn.draft.kind != "question" or turn.reading.logic or not sql:
        return ()
    return (Fixed("\n    SQL: "), Said(" ".join(sql.split())[:_LONGEST], turn.number - 1))
