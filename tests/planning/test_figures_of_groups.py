"""Several figures of each group: each is read by itself, and all are told side by side."""

from __future__ import annotations

from ehrtui.planning.offline.offline_planner import OfflinePlanner

DEATHS = "sum (whether (hospital death = 1))"
TOLD = {
    "average length of stay and number of deaths per payer": f"mean length, {DEATHS} of hospital stays by insurance",
    "mortality and mean stay by admission type": (
        "percent (hospital death = 1), mean length of hospital stays by admission type"
    ),
    "deaths and admissions per year": f"{DEATHS}, count of hospital stays by year of admission time",
    "per year: admissions, deaths, and the longest stay": (
        f"count, {DEATHS}, maximum length of hospital stays by year of admission time"
    ),
    "minimum and maximum creatinine per gender": ('minimum value, maximum value of lab "creatinine" by gender'),
    "for each insurance give the number of patients and their average age": (
        "count patients, mean age of hospital stays by insurance"
    ),
    # One stay of each patient, who makes no group of his own.
    "mean length of the first hospital stay of each patient by insurance": (
        "mean length of first hospital stay by insurance"
    ),
    # A name with "and" between is one figure.
    "number of patients with pneumonia and hypertension by gender": (
        'count patients with (diagnosis "pneumonia, organism nos") with (diagnosis "hypertension nos") by gender'
    ),
}


def test_several_figures_are_told_of_each_group(planner: OfflinePlanner) -> None:
    assert {question: planner.propose(question, ()).logic for question in TOLD} == TOLD
