"""The first and the last of people are told by when they came to what is said of them."""

from __future__ import annotations

from ehrtui.planning.offline.offline_planner import OfflinePlanner

ASKED = {
    "who was the last patient to get aspirin?": ("maximum time of prescription", "descending first 1"),
    "who got aspirin first": ("minimum time of prescription", "first 1"),
    "who died last?": ("maximum time of deaths", "descending first 1"),
    "the last three patients who died": ("maximum time of deaths", "descending first 3"),
    "the 4 most recent deaths": ("maximum time of deaths", "descending first 4"),
    "name the five most recently admitted patients": ("maximum admission time", "descending first 5"),
    "the first 2 patients with a creatinine above 1": ("minimum time of (lab", "first 2"),
    "gender of the last two patients who died": ("gender", "descending first 2"),
    "who was discharged last?": ("maximum discharge time", "descending first 1"),
}
NOT_OF_PEOPLE = (
    "when did the last patient die?",
    "average age of the last patients",
    "last two creatinines of patient 3",
)


def test_the_first_and_the_last_are_told(planner: OfflinePlanner) -> None:
    for question, parts in ASKED.items():
        proposal = planner.propose(question, ())
        assert proposal.confidence >= 0.7, (question, proposal.logic)
        assert all(part in (proposal.logic or "") for part in parts), (question, proposal.logic)


def test_other_questions_are_left_alone(planner: OfflinePlanner) -> None:
    for question in NOT_OF_PEOPLE:
        logic = planner.propose(question, ()).logic or ""
        assert "for each patient" not in logic, (question, logic)


def test_words_that_choose_some_are_no_names_that_are_missing(planner: OfflinePlanner) -> None:
    for question in ("which drugs did the first three patients get?", "average stay of the last ten patients who died"):
        reason = planner.propose(question, ()).reason
        assert reason.startswith("I cannot tell what"), (question, reason)
