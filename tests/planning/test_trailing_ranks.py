"""So many by their numbers, said behind what is listed; and what is listed by how often it is there."""

from __future__ import annotations

from ehrtui.planning.offline.offline_planner import OfflinePlanner

ASKED = {
    "cost per patient, top three": ("by patient", "descending first 3"),
    "average creatinine per patient, lowest 2": ("by patient", "first 2"),
    "diagnoses by frequency": ("by name", "ordered by count descending"),
    "drugs ordered by frequency": ("by name", "ordered by count descending"),
    "insurance types, with n": ("count", "by insurance"),
    "diagnoses of patients younger than 60": ("name of diagnosis",),
    "total admissions": ("count",),
    "share of admissions with an ICU stay": ("percent (with icu stays) of hospital stays",),
    "average cost of an admission": ("mean (sum value of costs) of hospital stays",),
    "the three oldest men and their ages": ("maximum age", "first 3"),
    "how many prescriptions were for aspirin": ("count prescription",),
    "which two insurances have the most admissions?": ("by insurance", "descending first 2"),
    "what 2 organisms were found most often": ("by organism", "descending first 2"),
    "which admission cost the most, and how much?": ("for each hospital stay", "first 1"),
    "which ward had the most patients in 2105?": ("in 2105", "by ward"),
    "admissions for each insurance separately": ("count", "by insurance"),
}


def test_what_is_asked_is_told(planner: OfflinePlanner) -> None:
    for question, parts in ASKED.items():
        proposal = planner.propose(question, ())
        assert proposal.confidence >= 0.7, (question, proposal.logic)
        assert all(part in (proposal.logic or "") for part in parts), (question, proposal.logic)
