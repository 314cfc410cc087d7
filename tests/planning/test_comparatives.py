"""Which of two groups is older, stays longer, has more of something: the figure of each is told."""

from __future__ import annotations

from ehrtui.logic.algebra.model import Aggregate, Groups, Own, Single, Statement, Whether
from ehrtui.logic.written import statement_of
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.offline.words import Text, read
from ehrtui.planning.reader.comparatives import weighed
from ehrtui.planning.reader.reader import Read

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
    "creatinine before and after hemodialysis": ["mean", "mean"],
    "compare creatinine between men and women": ("mean", SEX),
    "no of patients with hypertension vs with pneumonia": ["count", "count"],
    "mean age of women and of men": ("mean", SEX),
    "who gets more labs per admission, men or women?": ("mean", SEX),
    "who spends more time in the ICU, women or men?": ("mean", SEX),
}


def test_both_groups_are_told(planner: OfflinePlanner) -> None:
    for question, shape in WEIGHED.items():
        proposal = planner.propose(question, ())
        assert proposal.logic is not None, question
        assert proposal.confidence >= 0.6, question  # two readings of one kind may be near each other
        assert _shape(statement_of(proposal.logic)) == shape, question


def test_a_limit_weighs_nothing(planner: OfflinePlanner) -> None:
    found = planner.propose("how many patients are older than 60?", ())
    assert ">" in (found.logic or "")


def test_a_question_that_can_be_cut_in_many_ways_is_read_a_few_times() -> None:
    asked: list[str] = []

    def read_nothing(side: Text) -> list[Read]:
        asked.append(side.lower)
        return []

    groups = " or ".join(["men", "women", "sailors", "the old"] * 2)
    assert not weighed(read(f"do {groups} stay longer than {groups}?"), read_nothing)
    assert 0 < len(asked) == len(set(asked)) <= 12
    asked.clear()
    assert not weighed(
        read(f"do {groups} stay longer than {groups}, {groups} or {groups} who are older?"), read_nothing
    )
    assert not asked


def test_a_limit_of_the_other_side_keeps_its_direction(planner: OfflinePlanner) -> None:
    proposal = planner.propose("mortality of patients over 60 vs under 40", ())
    assert "< 40" in (proposal.logic or "")
    assert proposal.confidence >= 0.7


def test_what_is_theirs_is_told_with_them(planner: OfflinePlanner) -> None:
    proposal = planner.propose("patients over 60 with their drugs", ())
    assert (proposal.logic or "").startswith("patient, name of prescriptions")
    assert proposal.confidence >= 0.7
