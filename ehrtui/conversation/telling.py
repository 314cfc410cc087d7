"""What a language model may be told of earlier turns: what was written, never what came of it.

Nothing here is a function of rows: not the number of columns, not whether a turn was answered. A query that a plan put
together as it ran is told as the plan that did so, as the model wrote it.
"""

from __future__ import annotations

from ehrtui.planning.claude.talk import Told
from ehrtui.planning.plan_text import sql_from_plan
from ehrtui.planning.proposal import PastTurn
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.request import Fixed, Part, Received, Said
from ehrtui.session.draft import Draft

OPENED = "(the user opened a value of an answer)"
LONGEST = 2000
"""Letters of a question that are told."""
_LONGEST = 3000
_SEVERAL = 2
"""What counts as the number of rows of every earlier turn."""


def told(number: int, draft: Draft, mask: Mask | None, columns: tuple[Part, ...] = ()) -> Told:
    """Of turn `number`, which ran as `draft`, what may be told; `columns` are those that the text of its plan says.
    What was linked to a stored value keeps the placeholder that it has in the question."""
    if draft.opened:
        return Told(number, Fixed(OPENED))
    question = Said(draft.text[:LONGEST], number - 1)
    if mask is not None:
        link(draft, mask, question.turns)
    return Told(number, question, columns, _logic(number, draft), _statement(number, draft))


def link(draft: Draft, mask: Mask, turns: int) -> None:
    """Give the values in a question their placeholders, patients as such, and the stored values that its words were
    linked to those of these words. It may name the first `turns` answers."""
    links = (draft.offline or draft.proposal).links
    for one in links:
        if one.kind == "patient" and one.text.strip():
            mask.patient(draft.text[: one.start], one.text.split()[-1])
    mask.words(draft.text[:LONGEST], turns)
    for one in links:
        mask.same(one.text, one.value)


def past(number: int, draft: Draft, columns: tuple[str, ...]) -> PastTurn:
    """The turn as the offline planner may know it where it reads a question for the model; `columns` are those that
    the text of its plan says."""
    proposal = draft.settled()
    own = proposal.logic if not draft.opened and not written_by_model(draft) else None
    return PastTurn(
        number, "" if draft.opened else draft.text, own, None, columns, _SEVERAL if columns else 0, "answered"
    )


def written_by_model(draft: Draft) -> bool:
    """True for what a language model planned, also where the user changed it since."""
    return draft.talk is not None and (draft.first or draft.proposal).planner == "claude"


def _logic(number: int, draft: Draft) -> tuple[Part, ...]:
    """The query logic of a turn, as the model, the user or ehrtui wrote it; none where the question is that already."""
    if written_by_model(draft) and not draft.edits:
        said = draft.talk.received_logic if draft.talk is not None else ""
        return (Received(f"\n    Logic: {said[:_LONGEST]}"),) if said else ()
    if draft.kind != "question" or written_by_model(draft):
        return ()
    last = draft.edits[-1] if draft.edits else None
    logic = draft.proposal.logic if last is None else last.text if last.view == "logic" else ""
    return (Fixed("\n    Logic: "), Said(logic[:_LONGEST], number - 1)) if logic else ()


def _statement(number: int, draft: Draft) -> tuple[Part, ...]:
    """The statement of a turn as it was written; none where the question is that already, and where somebody changed
    what the model or ehrtui had written: it could hold values that nobody typed."""
    if draft.edits:
        return ()
    if written_by_model(draft):
        received = draft.talk.received if draft.talk is not None else ""
        sql = sql_from_plan(received)
        spelled = f"\n    SQL: {' '.join(sql.split())}" if sql else f"\n    Plan:\n{received}"
        return (Received(spelled[:_LONGEST]),) if received else ()
    sql = draft.proposal.sql
    if draft.kind != "question" or draft.proposal.logic or not sql:
        return ()
    return (Fixed("\n    SQL: "), Said(" ".join(sql.split())[:_LONGEST], number - 1))
