"""How long people are in a place: lengths of the stays there, of a care unit those that began in it."""

from __future__ import annotations

from ehrtui.planning.offline.offline_planner import OfflinePlanner

IN_MICU = 'where "first care unit" = "micu"'
ASKED = {
    "how long do patients usually stay in the MICU?": ("mean length of icu stay", IN_MICU),
    "average time spent in the micu": ("mean length of icu stay", IN_MICU),
    "mean hours spent in the MICU": ("mean (hours from time to end time) of (icu stays", 'first care unit = "micu"'),
    "median length of stay in the micu for men": ("median length of icu stay", IN_MICU),
    "what is the longest micu stay?": ("highest (length) icu stay", 'first care unit = "micu"'),
    "how many days does a patient spend in the ICU on average?": ("mean length of icu stay",),
    "how long do women stay in hospital?": ("mean length of", "female"),
    "average stay by care unit": ("mean length of icu stay", "by"),
    "average icu time in hours": ("mean (hours from time to end time) of icu stays",),
    "median MICU time": ("median length of icu stay", IN_MICU),
}


def test_the_stays_there_are_measured(planner: OfflinePlanner) -> None:
    for question, parts in ASKED.items():
        proposal = planner.propose(question, ())
        assert proposal.confidence >= 0.7, question
        assert all(part in (proposal.logic or "") for part in parts), (question, proposal.logic)


def test_a_course_of_a_drug_is_no_stay(planner: OfflinePlanner) -> None:
    proposal = planner.propose("how long were patients on furosemide on average?", ())
    assert proposal.logic is not None
    assert proposal.logic.startswith("mean (days from time to end time) of (prescription"), proposal.logic


def test_one_patient_s_time_is_no_average(planner: OfflinePlanner) -> None:
    assert "mean" not in (planner.propose("how long was patient 101 in the MICU?", ()).logic or "")
