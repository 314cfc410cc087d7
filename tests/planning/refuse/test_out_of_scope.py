"""What no database answers and is not asked of one: what to do instead is said."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner


@pytest.mark.parametrize(
    ("question", "instead"),
    [
        ("add a user for my colleague", "who looks after this machine"),
        ("please create a new account", "who looks after this machine"),
        ("reset my password", "who looks after this machine"),
        ("give my colleague access to this", "who looks after this machine"),
        ("I want to talk to a human", "sessions show --feedback"),
        ("can I speak with someone?", "sessions show --feedback"),
        ("contact support", "sessions show --feedback"),
        ("what can you do?", "F1"),
        ("help", "F1"),
        ("who are you?", "F1"),
    ],
)
def test_it_is_said_what_to_do_instead(planner: OfflinePlanner, question: str, instead: str) -> None:
    proposal = planner.propose(question, ())
    assert instead in proposal.reason
    assert proposal.refusal is not None


@pytest.mark.parametrize("question", ["who are on aspirin?", "how many patients have access to insurance medicare?"])
def test_what_asks_for_records_is_no_such_request(planner: OfflinePlanner, question: str) -> None:
    assert "ehrtui" not in planner.propose(question, ()).reason
