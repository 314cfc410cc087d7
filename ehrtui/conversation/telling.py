"""What a language model may be told of earlier turns: what was written, never what came of it.

Nothing here is a function of rows: not the number of columns, not whether a turn was answered. A query that a plan put
together as it ran is told as the plan that did so, as the model wrote it.
"""

from __future__ import annotations

from ehrtui.planning.claude.claude_planner import Told
from ehrtui.planning.plan_text import sql_from_plan
from ehrtui.planning.proposal import PastTurn
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.request import Fixed, Part, Received, Said
from ehrtui.session.draft import Draft

OPENED = "(the user opened a value of an answer)"
_LONGEST = 3000
_SEVERAL = 2
"""What counts as the number of rows of every earlier turn."""


def told(number: int, draft: Draft, mask: Mask | None) -> Told:
    """Of turn `number`, which ran as `draft`, what may be told. What was linked to a stored value keeps the placeholder
    that it has in the question."""
    if draft.opened:
        return Told(number, Fixed(OPENED))
    question = Said(draft.text[:2000], number - 1)
    if mask is not None:
        mask.words(question.text, question.turns)
        link(draft, mask)
    return Told(number, question, _statement(number, draft))


def link(draft: Draft, mask: Mask) -> None:
    """Give the stored values that the words of a question were linked to the placeholders of these words."""
    for one in (draft.offline or draft.proposal).links:
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


def _statement(number: int, draft: Draft) -> tuple[Part, ...]:
    """The query logic of a turn, or its statement as it was written; none where the question is that already, and where
    somebody changed what the model or ehrtui had written: it could hold values that nobody typed."""
    if written_by_model(draft):
        received = draft.talk.received if draft.talk is not None else ""
        sql = sql_from_plan(received)
        if draft.edits or not received:
            return ()
        spelled = f"\n    SQL: {' '.join(sql.split())}" if sql else f"\n    Plan:\n{received}"
        return (Received(spelled[:_LONGEST]),)
    if draft.kind != "question":
        return ()
    if draft.edits:
        last = draft.edits[-1]
        return (Fixed("\n    Logic: "), Said(last.text[:_LONGEST], number - 1)) if last.view == "logic" else ()
    proposal = draft.proposal
    if proposal.logic:
        return (Fixed("\n    Logic: "), Said(proposal.logic[:_LONGEST], number - 1))
    if proposal.sql:
        return (Fixed("\n    SQL: "), Said(" ".join(proposal.sql.split())[:_LONGEST], number - 1))
    return ()
