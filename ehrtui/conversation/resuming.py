"""Going on with a saved session: its turns run again as they were, and can be built on as if they had just been put."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from ehrtui.errors import EhrtuiError
from ehrtui.session.dependencies import named_answers
from ehrtui.session.draft import View
from ehrtui.session.replay import accepted_again
from ehrtui.session.turn import Kind

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.session.draft import Draft
    from ehrtui.session.saved import SavedSession, SavedTurn
    from ehrtui.session.turn import Turn

_KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
_VIEWS: dict[str, View] = {view: view for view in get_args(View)}


def resumed(
    saved: SavedSession, conversation: Conversation, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Turn]:
    """Run the turns of a session in a new `conversation`, in their order and under their numbers, each with the plan
    that it ran last; no further where `stopped` says so. What is understood of a question is found anew, and its plan
    is the saved one where that differs. What the user said of answers holds of them still, and of rows where these are
    the same. It has the same name. No other session is saved until there is more in it."""
    with conversation.unsaved():
        conversation.name.take_up(saved.name)
    for then in saved.turns:
        if stopped():
            return
        with conversation.unsaved():
            turn = conversation.run(_opened(then, _draft(then, conversation)))
            if repair := accepted_again(then, conversation) if then.accepted else "":
                draft = conversation.draft_of(then.number)
                turn = conversation.rerun(then.number, conversation.edit(draft, "plan", repair, from_rows=True))
            conversation.remarks.take_up(turn, saved.judged, saved.marked)
            conversation.labels.take_up(turn.number, saved.labels)
        yield turn


def _opened(then: SavedTurn, draft: Draft) -> Draft:
    """The draft, as what was opened from the answer that it was opened from."""
    origin = then.asked.opened_from
    if origin is None or not 1 <= origin < then.number:
        return draft
    return replace(draft, opened=True, opened_from=origin)


def _draft(then: SavedTurn, conversation: Conversation) -> Draft:
    kind = _KINDS.get(then.asked.kind, "plan")
    try:
        draft = conversation.propose(then.asked.text, kind)
        if draft.plan != then.proposed.plan and then.proposed.logic:
            draft = conversation.edit(draft, "logic", then.proposed.logic)
        for edit in (each for each in then.edits if not each.plan_hash):
            draft = conversation.edit(draft, _VIEWS.get(edit.view, "plan"), edit.text)
    except EhrtuiError:  # what it says is read otherwise by now
        own = kind == "question"
        draft = conversation.propose(then.asked.text if own else then.plan, "question" if own else "plan")
    if named_answers(draft):  # which may ask something else than they did when it ran last
        return draft
    return draft if draft.plan == then.plan or not then.plan else conversation.edit(draft, "plan", then.plan)
