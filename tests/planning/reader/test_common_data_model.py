"""Questions over the OMOP data model: what its records last, deaths and their causes, rankings of people, its days."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from tests import small_omop
from tests.planning.test_families import Ask, asking


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    engine = open_engine(str(small_omop.build_whole(tmp_path_factory.mktemp("omop") / "omop.sqlite")))
    yield asking(engine, small_omop.NOW)
    engine.close()


@pytest.fixture(scope="module")
def ask_of_costs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    path = small_omop.build_whole(tmp_path_factory.mktemp("costs") / "omop.sqlite")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE cost (cost_id INTEGER, cost_event_id INTEGER, cost_domain_id TEXT, total_charge NUMERIC,"
            " total_cost NUMERIC, total_paid NUMERIC, paid_by_payer NUMERIC, paid_by_patient NUMERIC)"
        )
        connection.execute(
            "CREATE TABLE care_site (care_site_id, care_site_name, place_of_service_concept_id,"
            " place_of_service_source_value)"
        )
        connection.execute(
            "CREATE TABLE provider (provider_id, provider_name, specialty_concept_id, specialty_source_value)"
        )
        for column in ("care_site_id", "provider_id"):
            connection.execute(f"ALTER TABLE visit_occurrence ADD COLUMN {column} INTEGER")
        rows = [(1, 11, "Visit", 100, 50), (2, 12, "Visit", 90, 40), (3, 13, "Visit", 300, 150), (4, 13, "Drug", 9, 9)]
        connection.executemany("INSERT INTO cost VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL)", rows)
    engine = open_engine(str(path))
    yield asking(engine, small_omop.NOW)
    engine.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # how long records lasted, and no stay
        ("persons with an observation period longer than 2 years", {(1,)}),
        ("how long is the average observation period, in days?", {(557.5,)}),
        ("observation period of person 2: start and end", {("2021-03-01", "2021-03-20")}),
        ("whose condition lasted longest, which was it, how many days?", {(3, "Pneumonia", 10)}),
        ("median duration (in days) of a pneumonia episode", {(10,)}),
        # deaths, with the day alone where midnight or no time is stored
        ("for each death the person, the date and what they died of", {(2, "2021-03-20", "Heart failure")}),
        ("causes of death", {("Heart failure",)}),
        ("persons with furosemide and their age when they died", {(2, 85)}),
        # ages at what happened, which are not those now
        ("how old was person 1 when heart failure was diagnosed?", {(69,)}),
        ("persons with heart failure and their age when it happened", {(1, 69), (2, 85)}),
        ("at what age was person 1's heart failure?", {(69,)}),
        ("age at heart failure onset", {(1, 69), (2, 85)}),
        ("persons who were younger than 70 at their first heart failure diagnosis", {(1,)}),
        # so many of the last stays, so many such stays, records with their names
        ("last 2 visits in the database", {(4, 15, "2022-05-02 19:25:00"), (3, 14, "2021-07-11")}),
        ("the two most recent visits of person 1", {(11,), (12,)}),
        ("who was an inpatient at least once", {(1,), (2,), (4,)}),
        ("who has been to the emergency room at least twice", set()),
        (
            "all conditions of person 1 with their dates",
            {("Heart failure", "2020-02-03 09:00:00"), ("Essential hypertension", "2021-06-01")},
        ),
        (
            "all measurements of person 1 with their dates",
            {("Creatinine", "2020-02-03 10:00:00"), ("Creatinine", "2021-06-01")},
        ),
        # what is not there
        ("number of measurements without a value", {(1,)}),
        ("conditions without a status", {("Pneumonia",), ("Heart failure",), ("Essential hypertension",)}),
        ("persons with a creatinine over 1.2 at their last measurement", {(1,)}),
        ("how many conditions does a person have?", {(1.25,)}),
        # how many people, whatever they had
        ("how many women older than 60 had a visit in 2021", {(1,)}),
        ("how many persons over 60 had an inpatient visit", {(2,)}),
        # how a table is sorted
        (
            "visit types, most common first",
            {("Inpatient Visit", 3), ("Outpatient Visit", 1), ("Emergency Room Visit", 1)},
        ),
        (
            "conditions ordered by number of persons, rarest first",
            {("Pneumonia", 1), ("Heart failure", 2), ("Essential hypertension", 2)},
        ),
        ("who did not survive", {(2,)}),
        # how a value went, its highest by time, and since when
        ("persons whose creatinine went up", {(1,)}),
        ("whose creatinine fell", set()),
        ("highest creatinine per year of person 1", {("2020", 1.1), ("2021", 1.4)}),
        ("since when is person 1 on furosemide", {("2020-02-04 08:00:00",)}),
        ("what was done to person 2", {("Renal dialysis",)}),
        # rankings of people
        ("which person had the most visits, and how many?", {(1, 2)}),
        ("top 2 persons by number of visits", {(1, 2), (2, 1)}),
        ("who was in the emergency room most often, and how many times?", {(3, 1)}),
        # what is asked about, and what beside it
        ("distribution of visits by year", {("2020", 1), ("2021", 3), ("2022", 1)}),
        ("persons by race, persons not visits", {("White", 2), ("Asian", 1), ("hawaiian", 1)}),
        ("how many inpatient visits are there, and how many different persons had one?", {(3, 3)}),
        ("what share of the furosemide prescriptions went to person 1?", {(50.0,)}),
        ("how many white non-Hispanic women are there?", {(1,)}),
        ("when did person 2 have the highest creatinine and what was it?", {(3.2, "2021-03-06 05:00:00")}),
        ("who was on furosemide at some stage?", {(1,), (2,), (4,)}),
        # how long people were observed, in all and around something
        ("persons with at least 365 days of observation", {(1,)}),
        ("average follow-up time in days", {(557.5,)}),
        ("persons with 1 year of follow-up after their first heart failure", {(1,)}),
        # what is new in them, what was not so at another time, by what they had
        ("new users of furosemide in 2021", {(2,)}),
        ("number of persons newly diagnosed with heart failure per year", {("2020", 1), ("2021", 1)}),
        ("persons who had furosemide in 2020 but not in 2022", {(1,)}),
        ("number of persons per drug", {("Furosemide", 2), ("Aspirin", 1), ("Furosemide 40 MG Oral Tablet", 2)}),
        (
            "how many persons for each condition in 2021",
            {("Essential hypertension", 1), ("Heart failure", 1), ("Pneumonia", 1)},
        ),
        ("persons with pneumonia by race and year", {("hawaiian", "2021", 1)}),
        # what they died of, and how soon
        ("who died of heart failure", {(2,)}),
        ("how many persons died within 30 days of dialysis", {(1,)}),
        ("60-day mortality of persons with heart failure", {(50,)}),
        ("what share of heart failure patients died within a year", {(50,)}),
        ("most frequent causes of death", {("Heart failure",)}),
        # what is told of them beside what they have
        (
            "persons with heart failure and the date of their first diagnosis",
            {(1, "2020-02-03 09:00:00"), (2, "2021-03-05 23:00:00")},
        ),
        (
            "persons with hypertension and the drugs they got",
            {
                (1, "Aspirin"),
                (1, "Furosemide"),
                (1, "Furosemide 40 MG Oral Tablet"),
                (4, "Furosemide 40 MG Oral Tablet"),
            },
        ),
        ("mean age at first diagnosis of persons with heart failure", {(77,)}),
        # of the first stay it is said, and not of the first such
        ("persons whose first visit was an emergency room visit", {(3,)}),
        ("persons whose last visit was an outpatient visit", {(1,)}),
        # amounts of records, the entry of a name
        ("mean quantity of furosemide", {(40,)}),
        ("concept id of pneumonia", {(255848,)}),
        # what observation covers, what a ranking has with it, a course of years
        ("persons observed from 2020-06-01 to 2021-01-01", {(1,)}),
        ("the two most frequent conditions, with numbers", {("Heart failure", 2), ("Essential hypertension", 2)}),
        ("what was person 1's creatinine over the years", {("2020", 1.1), ("2021", 1.4)}),
        ("persons with a furosemide exposure within a year of heart failure", {(1,), (2,)}),
        ("persons with recurrent heart failure", set()),
        # an adjective of a visit is said of that visit
        ("persons with an inpatient visit for longer than 100 days", set()),
        ("persons without any visit", set()),
    ],
)
def test_a_question_is_shown_with_its_answer(ask: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    proposal, found = ask(question)
    assert {row[: len(next(iter(rows)))] for row in found} == rows
    assert not proposal.reason
    assert proposal.confidence >= 0.65  # a small vocabulary tells less of what a word means


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("mean charge of inpatient visits", {(200,)}),
        ("visits that cost more than 100", {(13,)}),
        ("persons with total costs over 60", {(1,), (2,)}),
        ("most expensive visit", {(2, 13, 150)}),
    ],
)
def test_visits_have_the_costs_that_are_kept_of_them(
    ask_of_costs: Ask, question: str, rows: set[tuple[Any, ...]]
) -> None:
    proposal, found = ask_of_costs(question)
    assert {row[: len(next(iter(rows)))] for row in found} == rows
    assert not proposal.reason
    assert proposal.confidence >= 0.7


@pytest.mark.parametrize(
    "question",
    [
        "most expensive visit",
        "urgent care visits",
        "conditions that only women have",
        "which drugs were given only to men",
        "last creatinine of each year of person 1",
    ],
)
def test_what_is_not_kept_is_not_passed_over(ask: Ask, question: str) -> None:
    proposal, _ = ask(question)
    assert proposal.reason or proposal.confidence < 0.7


def test_no_window_and_no_comparison_of_times_needs_the_time_of_day(ask: Ask) -> None:
    _, on_the_day = ask("how many visits on 2021-07-11?")
    _, within = ask("persons with pneumonia within 1 day of a visit")
    assert on_the_day == {(1,)}
    assert within == {(3,)}


def test_a_year_is_no_number_of_groups_and_a_decade_that_is_passed_no_decade(ask: Ask) -> None:
    ranked, _ = ask("which visit type had the most patients in 2021?")
    over, found = ask("how many visits by the over 60s?")
    assert "first 2021" not in (ranked.logic or "")
    assert "age > 60" in (over.logic or "")
    assert found == {(3,)}


def test_children_are_those_who_were_children_then(ask: Ask) -> None:
    then, _ = ask("how many children had heart failure")
    now, _ = ask("how many children have heart failure")
    assert "age at (time of first diagnosis" in (then.logic or "")
    assert "age at" not in (now.logic or "")
