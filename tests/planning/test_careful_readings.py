"""Questions whose words have a nearer meaning than the one asked for: each has the answer of the logic beside it.

They are whole sentences, as EHRSQL words them; those that people type in haste stand beneath them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.parse import parse
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile
from tests import small_mimic
from tests.logic.compiled import compile_logic
from tests.planning.answers import check_answer, whole


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    opened = open_engine(str(small_mimic.build(tmp_path_factory.mktemp("small") / "mimic.sqlite")))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def profile(engine: Engine) -> Profile:
    return load_profile(engine.schema(), engine.read)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        # survival over months
        ("which three diseases have the highest 18-month mortality?", "top 3 diagnosis by mortality over 18 months"),
        ("name the 2 diagnoses that show the lowest two-month survival rate",
         "top 2 diagnosis by mortality over 2 months"),
        ("what is the six-month survival rate of patients diagnosed with chf nos?",
         'survival over 6 months after diagnosis "chf nos"'),
        # the way in which a drug is taken
        ("in which ways may aspirin be taken?", 'route of prescription "aspirin"'),
        ("tell me the administration modes of furosemide", 'route of prescription "furosemide"'),
        ("by what method is ceftriaxone administered?", 'route of prescription "ceftriaxone"'),
        ("give the title of the medicine that patient 101 got last via the po means",
         'last name of prescription where route = "po" for patient 101'),
        # what something costs, and how much of it was given
        ("how much is the drug ceftriaxone?", 'cost of prescription "ceftriaxone"'),
        ("how much is the procedure hemodialysis?", 'cost of procedure "hemodialysis"'),
        ("how much furosemide was given to patient 101?",
         'sum value of prescription "furosemide" for patient 101'),
        ("what is the mean price of furosemide?", 'mean cost of prescription "furosemide"'),
        ("the pricing of a test known as potassium", 'cost of lab "potassium"'),
        ("what is the highest expenditure of the hospital that involves aspirin?",
         'maximum cost of stays with prescription "aspirin"'),
        ("how much does a hospital usually spend on average for hemodialysis?",
         'mean cost of stays with procedure "hemodialysis"'),
        # since when
        ("what number of hours has it been since patient 101 was last prescribed aspirin?",
         'hours since (last time of prescription "aspirin" for patient 101)'),
        ("on what last date did patient 101 have the lowest creatinine?",
         'last time of lab "creatinine" where value is minimum for patient 101'),
        ("at what last time did patient 101 have the lowest creatinine?",
         'last time of lab "creatinine" where value is minimum for patient 101'),
        ("what was the last occasion when the heart rate of patient 101 was above 90?",
         'last time of vital "heart rate" where value > 90 for patient 101'),
        ("what was the first hospital admission type of patient 101?",
         "first admission type of admission for patient 101"),
        ("what was the last time, in 2103, that patient 101's heart rate was over 90?",
         'last time of vital "heart rate" where value > 90 for patient 101 in 2103'),
        ("first time, which drug was patient 101 prescribed?", "first name of prescription for patient 101"),
        ("which drugs was patient 101 given more than 18 months ago?",
         "name of prescription for patient 101 until 18 months ago"),
        ("how many hours have passed since patient 103 was first in ward 12 during this hospital visit?",
         "hours since (first time of transfer where ward = 12 for patient 103 during current hospital stay)"),
        ("when did patient 101 first depart from the hospital?", "first time of discharge for patient 101"),
        ("how many patients were let go from our hospital in 2104?", "count patients with discharge in 2104"),
        # how many
        ("what is the patient count for aspirin prescriptions in 2104?",
         'count patients with prescription "aspirin" in 2104'),
        ("the total count of hemodialysis procedures that were done in 2104",
         'count procedure "hemodialysis" in 2104'),
        ("how many cases of acute kidney failure nos were there in 2104?",
         'count diagnosis "acute kidney failure nos" in 2104'),
        ("how many cases involved the prescription of furosemide?", 'count prescription "furosemide"'),
        ("what was the total of furosemide prescriptions in 2104?", 'count prescription "furosemide" in 2104'),
        ("how many doses of furosemide have been prescribed to patient 101?",
         'sum value of prescription "furosemide" for patient 101'),
        ("the total number of inputs patient 102 got in 2104", "sum value of input for patient 102 in 2104"),
        ("what is the urine out foley output of patient 102 in March 2104?",
         'sum value of output "urine out foley" for patient 102 in 2104-03'),
        ("what was the last urine out foley output of patient 102?",
         'last value of output "urine out foley" for patient 102'),
        ("what were the highest monthly records of chf nos?", 'maximum stays per month with diagnosis "chf nos"'),
        ("show the patient ids with chf nos in 2104", 'patients with diagnosis "chf nos" in 2104'),
        # where
        ("what is the long form of chf nos?", 'meaning of "chf nos"'),
        ("how long was patient 101 in the icu during the first visit?",
         "length of icu stay for patient 101 during first icu stay"),
        ("how many prescriptions of aspirin took place in 2104?", 'count prescription "aspirin" in 2104'),
        # rankings
        ("what are the most frequent drugs among the top two in 2104?", "top 2 prescription in 2104"),
        ("show the most common 2 diagnoses", "top 2 diagnosis"),
        ("for patients diagnosed with chf nos before, what are the two most common treatments in the same month?",
         'top 2 places procedure same month after (diagnosis "chf nos")'),
        ("what are the two commonly prescribed drugs for patients who had hemodialysis previously in the same month?",
         'top 2 places prescription same month after (procedure "hemodialysis")'),
        # one against another
        ("what drugs are new for patient 103 today compared to those from yesterday?",
         "(name of prescription for patient 103 today) except (name of prescription for patient 103 yesterday)"),
        ("which recently prescribed drugs does patient 103 have today compared to yesterday?",
         "(name of prescription for patient 103 today) except (name of prescription for patient 103 yesterday)"),
        ("the difference in creatinine of patient 101 from the second-to-last value to the last value",
         '(last value of lab "creatinine" for patient 101) - '
         '(second to last value of lab "creatinine" for patient 101)'),
        ("relative to others of the same age, where does a creatinine of 4.6 of patient 102 rank in percentiles?",
         'percentile of 4.6 in lab "creatinine" at the age of patient 102'),
        ("did patient 101 have a lower creatinine in the last measurement than in the first measurement?",
         '(last value of lab "creatinine" for patient 101) < (first value of lab "creatinine" for patient 101)'),
        ("compared to the first measurement, was the last creatinine of patient 101 higher?",
         '(last value of lab "creatinine" for patient 101) > (first value of lab "creatinine" for patient 101)'),
        ("compared to the first measurement, was patient 101's creatinine higher than in the last measurement?",
         '(first value of lab "creatinine" for patient 101) > (last value of lab "creatinine" for patient 101)'),
        ("how much do creatinine values of patient 101 change last measured compared to the first creatinine value?",
         '(last value of lab "creatinine" for patient 101) - (first value of lab "creatinine" for patient 101)'),
        # whether
        ("were all heart rate values of patient 101 normal in 2103?",
         '(count vital "heart rate" where value is normal for patient 101 in 2103) = '
         '(count vital "heart rate" where value is present for patient 101 in 2103)'),
        ("was the heart rate of patient 101 normal in 2103?",
         'any vital "heart rate" where value is normal for patient 101 in 2103'),
        ("please tell me, was aspirin given to patient 101?", 'any prescription "aspirin" for patient 101'),
    ],
)  # fmt: skip
def test_a_sentence_is_understood(planner: OfflinePlanner, ehr: Path, question: str, logic: str) -> None:
    proposal = planner.propose(whole(question), [])
    check_answer(planner, ehr, proposal, logic)
    assert proposal.reason == ""
    assert proposal.unexplained == ()
    assert proposal.confidence >= 0.7


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("what are the usual ways of taking metoprolol?", 'route of prescription "metoprolol"'),
        ("how much is ceftriaxone?", 'cost of prescription "ceftriaxone"'),
        ("how much is the procedure hemodialysis?", 'cost of procedure "hemodialysis"'),
        ("how much is the creatinine of patient 101?", 'value of lab "creatinine" for patient 101'),
        ("how much furosemide was given to patient 101?", 'dose of prescription "furosemide" for patient 101'),
        ("what was the last occasion when the heart rate of patient 101 was above 90?",
         'last time of vital "heart rate" where value > 90 for patient 101'),
        ("what was the last time, in 2103, that patient 101's heart rate was over 90?",
         'last time of vital "heart rate" where value > 90 for patient 101 in 2103'),
        ("first time patient 101 got aspirin", 'first time of prescription "aspirin" for patient 101'),
        ("when was aspirin last prescribed to patient 101?", 'last time of prescription "aspirin" for patient 101'),
        ("what was the first hospital admission type of patient 101?",
         "first admission type of admission for patient 101"),
        ("how many cases involved the prescription of furosemide?", 'count patients with prescription "furosemide"'),
        ("what was the total of furosemide prescriptions in 2104?", 'count prescription "furosemide" in 2104'),
        ("total output of patient 102 on the first icu stay",
         "sum value of output for patient 102 during first icu stay"),
        ("show the patient ids with chf nos in 2104", 'patients with diagnosis "chf nos" in 2104'),
        ("how long was patient 101 in the icu during the first visit?",
         "length of icu stay for patient 101 during first icu stay"),
        ("how many prescriptions of aspirin took place in 2104?", 'count prescription "aspirin" in 2104'),
        ("please tell me, was aspirin given to patient 101?", 'any prescription "aspirin" for patient 101'),
        ("tell me whether patient 102 was given aspirin", 'any prescription "aspirin" for patient 102'),
        ("is patient 103 in the hospital at the moment?",
         "any admission for patient 103 during current hospital stay"),
    ],
)  # fmt: skip
def test_a_question_typed_in_haste_is_understood(planner: OfflinePlanner, ehr: Path, question: str, logic: str) -> None:
    proposal = planner.propose(question, [])
    check_answer(planner, ehr, proposal, logic)
    assert proposal.reason == ""
    assert proposal.unexplained == ()
    assert proposal.confidence >= 0.7


# Diagnosed: 101 in 2103, 102 in 2104, who died after 15 days, 104 in May 2105, less than a year before now.
@pytest.mark.parametrize(
    ("counted", "logic", "share"),
    [
        ("percent", 'survival over 6 months after diagnosis "chf nos"', 66),
        ("percent", 'mortality over 6 months after diagnosis "chf nos"', 34),
        ("percent", 'survival over 12 months after diagnosis "chf nos"', 50),
        ("percent", 'survival over 2 weeks after diagnosis "chf nos"', 100),
        ("fraction", 'survival over 6 months after diagnosis "chf nos"', 2 / 3),
        ("fraction", 'mortality over 6 months after diagnosis "chf nos"', 1 / 3),
    ],
)
def test_survival_is_counted_as_the_profile_says(
    engine: Engine, profile: Profile, counted: str, logic: str, share: float
) -> None:
    steps = compile_logic(parse(logic), replace(profile, survival=counted), now=small_mimic.NOW, turns={})
    assert engine.read(flat_sql(steps)) == [(pytest.approx(share),)]


def _renamed(path: Path) -> Path:
    """The small EHR where a care unit is called after a common word, and a diagnosis has a long name of such words."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE transfers SET careunit = 'medicine' WHERE careunit = 'micu'")
        connection.execute(
            "UPDATE d_icd_diagnoses SET short_title = 'injury of other part after 2 days, except burns, unspecified' "
            "WHERE short_title = 'acute kidney failure nos'"
        )
    connection.close()
    return path


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OfflinePlanner]:
    engine = open_engine(str(_renamed(small_mimic.build(tmp_path_factory.mktemp("renamed") / "mimic.sqlite"))))
    schema = engine.schema()
    yield OfflinePlanner(
        schema=schema, profile=load_profile(schema, engine.read), now=small_mimic.NOW, read=engine.read
    )
    engine.close()


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("how many patients stayed in medicine in 2104?", 'count patients with transfer "medicine" in 2104'),
        ("how many women were in the medicine in 2105?",
         'count patients of sex female with transfer "medicine" in 2105'),
        ("how many hours has it been since patient 103 was first in the careunit medicine?",
         'hours since (first time of transfer "medicine" for patient 103)'),
        ("which medicine did patient 103 get?", "name of prescription for patient 103"),
        ("how many patients had injury of other part after 2 days, except burns, unspecified in 2104?",
         'count patients with diagnosis "injury of other part after 2 days, except burns, unspecified" in 2104'),
    ],
)  # fmt: skip
def test_a_stored_name_of_common_words_is_meant_whole(renamed: OfflinePlanner, question: str, logic: str) -> None:
    proposal = renamed.propose(whole(question), [])
    assert proposal.logic == logic
    assert proposal.unexplained == ()
    assert proposal.confidence >= 0.7


def test_normal_means_every_value_where_the_profile_says_so(engine: Engine, profile: Profile) -> None:
    every = replace(profile, normal="every")
    planner = OfflinePlanner(schema=engine.schema(), profile=every, now=small_mimic.NOW, read=engine.read)
    whole, ever = (
        planner.propose(f"Was the heart rate of patient 101 {how} in 2103?", []) for how in ("normal", "ever normal")
    )
    assert whole.logic is not None
    assert whole.logic.startswith("(count vital")
    assert whole.sql is not None
    assert engine.read(whole.sql) == [(1,)]
    assert ever.logic == 'any vital "heart rate" where value is normal for patient 101 in 2103'


@pytest.mark.parametrize("question", ["is patient 103 going to have surgery today?", "are they going to get aspirin?"])
def test_what_is_going_to_happen_is_declined(planner: OfflinePlanner, question: str) -> None:
    refusal = planner.propose(question, []).refusal
    assert refusal is not None
    assert refusal.kind == "future"


def test_a_volume_is_not_of_a_vital_sign(tmp_path: Path) -> None:
    path = small_mimic.chart_too(small_mimic.build(tmp_path / "mimic.sqlite"), "urine out foley")
    engine = open_engine(str(path))
    schema = engine.schema()
    planner = OfflinePlanner(
        schema=schema, profile=load_profile(schema, engine.read), now=small_mimic.NOW, read=engine.read
    )
    proposal = planner.propose("the amount of urine out foley of patient 102 in 2104", [])
    engine.close()
    assert proposal.logic == 'sum value of output "urine out foley" for patient 102 in 2104'


def test_events_of_no_kind_are_not_taken_for_drugs(planner: OfflinePlanner) -> None:
    proposal = planner.propose("show the two most frequent events that took place in 2104", [])
    assert proposal.logic is None


def test_what_is_asked_for_each_is_no_number_over_all(planner: OfflinePlanner) -> None:
    logic = planner.propose("What was the highest creatinine for each stay with heart failure?", ()).logic or ""
    assert logic.startswith("for each hospital stay")
