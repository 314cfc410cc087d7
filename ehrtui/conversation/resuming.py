"""Going on with a saved session: its turns run again as they were, and can be built on as if they had just been put."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, get_args

from ehrtui.errors import EhrtuiError
from ehrtui.session.draft import View
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
    the same."""
    for then in saved.turns:
        if stopped():
            return
        turn = conversation.run(_draft(then, conversation))
        conversation.remarks.take_up(turn, saved.judged, saved.marked)
        conversation.labels.take_up(turn.number, saved.labels)
        yield turn


def _draft(then: SavedTurn, conversation: Conversation) -> Draft:
    kind = _KINDS.get(then.asked.kind, "plan")
    try:
        draft = conversation.propose(then.asked.text, kind)
        if draft.plan != then.proposed.plan and then.proposed.logic:
            draft = conversation.edit(draft, "logic", then.proposed.logic)
        for edit in then.edits:
            draft = conversation.edit(draft, _VIEWS.get(edit.view, "plan"), edit.text)
    except EhrtuiError:  # what it says is read otherwise by now
        own = kind == "question"
        draft = conversation.propose(then.asked.text if own else then.plan, "question" if own else "plan")
    return draft if draft.plan == then.plan or not then.plan else conversation.edit(draft, "plan", then.plan)
