"""What a planner is told of earlier turns."""

from __future__ import annotations

from ehrtui.conversation.conversation import Conversation


def ask(conversation: Conversation, text: str) -> int:
    return conversation.run(conversation.propose(text)).number


def test_the_history_is_made_once_for_all_that_is_typed_until_the_next_turn(conversation: Conversation) -> None:
    assert conversation.history() == ()
    ask(conversation, "which patients were prescribed furosemide?")
    told = conversation.history()
    assert [turn.number for turn in told] == [1]
    assert conversation.history() is told
    conversation.propose("how many of them are women?")
    assert conversation.history() is told
    ask(conversation, "how many of them are women?")
    assert [turn.number for turn in conversation.history()] == [1, 2]
    assert conversation.history(before=2) == told


def test_a_turn_that_runs_again_is_told_as_it_is_now(conversation: Conversation) -> None:
    ask(conversation, "how many patients were prescribed furosemide?")
    (before,) = conversation.history()
    conversation.rerun(1, conversation.propose("how many patients were prescribed aspirin?", before=1))
    (after,) = conversation.history()
    assert (before.question, after.question) == (
        "how many patients were prescribed furosemide?",
        "how many patients were prescribed aspirin?",
    )
