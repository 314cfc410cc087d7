"""Which of two groups is older, stays longer, has more of something: the figure of each is told."""

from __future__ import annotations

from ehrtui.logic.algebra.model import Aggregate, Groups, Own, Single, Statement, Whether
from ehrtui.logic.written import statement_of
from ehrtui.planning.offline.offline_planner import OfflinePlanner

SEX, FATE, TYPE = Own("gender"), Own("hospital death"), Own("admission type")


def _shape(statement: Statement | None) -> object:
    """By what the figure is told, or how many figures stand side by side."""
    match statement:
        case Groups(by=(Whether(),), columns=(Aggregate(function=function),)):
            return function, "whether"
        case Groups(by=(key,), columns=(Aggregate(function=function),)):
            return function, key
        case Single(columns=columns):
            return [one.function for one in columns if isinstance(one, Aggregate)]
    return statement


WEIGHED = {
    "do men stay in hospital longer than women?": ("mean", SEX),
    "are women older than men at admission?": ("mean", SEX),
    "who is older, the survivors or the dead?": ("mean", FATE),
    "was the mean stay longer in elective or in emergency admissions?": ("mean", TYPE),
    "did more women than men get furosemide?": ("count", SEX),
    "are there more women than men with hypertension?": ("count", SEX),
    "are women more likely to die than men?": ("percent", SEX),
    "is the mortality rate lower among women?": ("percent", "whether"),
    "do patients with hypertension have longer stays than those with pneumonia?": ["mean", "mean"],
    "is the average creatinine higher in patients on furosemide than in everyone else?": ["mean", "mean"],
    "tell me whether patients on aspirin are older than those on furosemide": ["mean", "mean"],
    "were patients older in 2104 than in 2105?": ["mean", "mean"],
    "did more women die than men?": ("count", SEX),
    "do people with pneumonia stay longer?": ["mean", "mean"],
    "length of stay of men vs women": ("mean", SEX),
    "mean age of women and of men": ("mean", SEX),
    "who gets more labs per admission, men or women?": ("mean", SEX),
    "who spends more time in the ICU, women or men?": ("mean", SEX),
}


def test_both_groups_are_told(planner: OfflinePlanner) -> None:
    for question, shape in WEIGHED.items():
        proposal = planner.propose(question, ())
        assert proposal.logic is not None, question
        assert proposal.confidence >= 0.7, question
        assert _shape(statement_of(proposal.logic)) == shape, question


def test_a_limit_weighs_nothing(planner: OfflinePlanner) -> None:
    found = planner.propose("how many patients are older than 60?", ())
    assert ">" in (found.logic or "")
