"""What is reckoned from where over the OMOP data model: how long people are observed and on a drug, ages then, what
came soon after a diagnosis, and of whom or of what a share is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ehrtui.engines.opening import open_engine
from tests import small_omop
from tests.planning.test_families import Ask, asking, shows_answer


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    engine = open_engine(str(small_omop.build_whole(tmp_path_factory.mktemp("omop") / "omop.sqlite")))
    yield asking(engine, small_omop.NOW)
    engine.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # how long people are observed, which is no stay; how long they are on a drug, which is no dose
        ("how long are people observed on average?", {(557.5,)}),
        ("how long do persons stay under observation on average?", {(557.5,)}),
        ("persons without any observation after 2021", {(2,), (3,), (4,)}),
        ("average time on aspirin", {(30,)}),
        # ages then, in bands
        ("age distribution of persons with heart failure at diagnosis", {(60, 1), (80, 1)}),
        ("each person's age at their first recorded visit", {(1, 70), (2, 86), (3, 33), (4, 60)}),
        # soon after what they are chosen by
        ("persons with heart failure who received furosemide within 12 hours", {(2,)}),
        ("persons with hypertension who received aspirin within 3 days", {(1,)}),
        ("which drugs were started in persons with heart failure in the week after diagnosis?", {("Furosemide",)}),
        # a share of the women, and one of records
        ("what share of the women in this database had heart failure?", {(50,)}),
        ("what percentage of the conditions have no end date?", {(80,)}),
        # what is asked for together, and among whom
        ("what share of persons with hypertension had heart failure and furosemide?", {(50,)}),
        ("what percentage of persons had heart failure but no dialysis?", {(25,)}),
        ("what share of persons had an emergency visit and pneumonia?", {(25,)}),
        ("what share of persons with heart failure and hypertension were on aspirin?", {(100,)}),
        ("what share of persons with hypertension were on both furosemide and aspirin?", {(50,)}),
        # what is new in a time, and what runs then
        ("how many persons were on furosemide on 15 June 2021?", {(1,)}),
        ("who was taking aspirin in July 2021", {(1,)}),
        ("incidence of heart failure in 2021", {(1,)}),
        # when people were seen, and how old they were then, where records are counted
        (
            "visit types ranked by number of distinct persons seen in 2021",
            {("Outpatient Visit", 1), ("Inpatient Visit", 1), ("Emergency Room Visit", 1)},
        ),
        ("number of exposures by drug among persons older than 80 at exposure", {("Furosemide", 1)}),
        # what a drug is begun with, and how many have what is counted
        ("mean creatinine before and after starting furosemide", {(1.1, 2.3)}),
        ("how many conditions were recorded and in how many women?", {(5, 2)}),
        # how many exposures, and not how many drugs; what is named with its strength
        ("mean and maximum number of drug exposures per person", {(5 / 3, 3)}),
        ("how many persons were on furosemide 40 mg?", {(2,)}),
        ("number of persons on furosemide by decade of age at prescription", {(50, 1), (60, 1), (80, 1)}),
        ("number of furosemide exposures by strength", {("Furosemide", 2), ("Furosemide 40 MG Oral Tablet", 2)}),
    ],
)
def test_what_is_reckoned_from_what_is_named(ask: Ask, question: str, rows: set[tuple[object, ...]]) -> None:
    proposal, found = ask(question)
    assert proposal.confidence >= 0.65, (proposal.logic, proposal.reason)
    assert shows_answer(list(found), list(rows)), (proposal.logic, found)


@pytest.mark.parametrize(
    "question",
    [
        "distribution of creatinine by sex",  # of the values, and not of how many there are
        "how many persons had a visit in every year from 2020 to 2021?",
        "cases of heart failure per 100 person-years",
        "what share of visits were emergencies and lasted more than a day?",
        "persons with heart failure, their age and their latest creatinine",
        "mean creatinine at the first and at the last measurement of women",
        "persons with heart failure, and what was their first drug?",
    ],
)
def test_no_other_question_is_answered(ask: Ask, question: str) -> None:
    proposal, found = ask(question)
    counted = found <= {
        ("FEMALE", 2),
        ("MALE", 2),
        (1,),
        (2,),
        (50,),
        (0,),
        (20,),
        ("2020", 1),
        ("2021", 3),
        ("2021", 2),
        (1.1,),
    }
    assert proposal.confidence < 0.7 or not counted, (proposal.logic, found)
