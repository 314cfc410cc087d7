import pytest

from ehrtui.plans.alternatives import repairs
from ehrtui.plans.diagnosis import Diagnosis

PLAN = 'rows = FilterDB(LoadDB("prescriptions"), "drug=furosmide")\nanswer = len(rows)'


def diagnosis(repair, *suggestions):
    return Diagnosis("misspelt value", "It is misspelt.", 1, repair, suggestions=suggestions)


def test_other_suggestions_stand_where_the_repair_wrote_the_first():
    repaired = PLAN.replace("furosmide", "furosemide")
    assert repairs(PLAN, diagnosis(repaired, "furosemide", "torsemide", "FUROSEMIDE")) == (
        repaired,
        PLAN.replace("furosmide", "torsemide"),
        PLAN.replace("furosmide", "FUROSEMIDE"),
    )


def test_what_the_plan_says_elsewhere_stays():
    plan = 'lab = LoadDB("labs")\nanswer = GetValue(lab, "lab")'
    repaired = plan.replace('"labs"', '"lab"')
    assert repairs(plan, diagnosis(repaired, "lab", "d_labitems"))[1] == plan.replace('"labs"', '"d_labitems"')


@pytest.mark.parametrize(
    ("repair", "suggestions"),
    [
        (None, ("furosemide",)),
        (PLAN, ("furosemide",)),
    ],
)
def test_without_a_repair_there_is_nothing_to_accept(repair, suggestions):
    assert repairs(PLAN, diagnosis(repair, *suggestions)) == ()


@pytest.mark.parametrize(
    "suggestions",
    [
        (),
        ("furosemide",),
        ("furosemide", "furosmide"),
        ("furosemide", 'a "quoted" drug'),
        ("furosemide", "crohn's"),
        ("a table of the database", "another"),
    ],
)
def test_only_what_could_be_written_there_is_offered(suggestions):
    repaired = PLAN.replace("furosmide", "furosemide")
    assert repairs(PLAN, diagnosis(repaired, *suggestions)) == (repaired,)
