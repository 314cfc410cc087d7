"""What people say for stored codes, and what else a vocabulary calls its concepts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from tests import small_native, small_omop
from tests.planning.test_families import Ask, asking, check_sure

_MORE_NATIVE = """
ALTER TABLE admissions ADD COLUMN language VARCHAR;
UPDATE admissions SET language = CASE subject_id WHEN 201 THEN 'RUSS' WHEN 202 THEN 'ENGL' END;
ALTER TABLE admissions ADD COLUMN deathtime TIMESTAMP(0);
UPDATE admissions SET deathtime = '2148-03-20 03:10:00' WHERE hadm_id = 3003;
ALTER TABLE microbiologyevents ADD COLUMN interpretation VARCHAR;
UPDATE microbiologyevents SET ab_name = 'OXACILLIN', interpretation = CASE subject_id WHEN 202 THEN 'R' ELSE 'S' END;
INSERT INTO microbiologyevents (row_id, subject_id, hadm_id, org_name, ab_name, interpretation)
SELECT 100 + row_id, subject_id, hadm_id, 'SERRATIA MARCESCENS', 'CEFEPIME',
    CASE WHEN row_id % 4 = 0 THEN 'R' ELSE 'S' END FROM labevents LIMIT 8;
"""
_MORE_OMOP = """
CREATE TABLE concept_synonym (concept_id INTEGER, concept_synonym_name VARCHAR, language_concept_id INTEGER);
INSERT INTO concept_synonym VALUES (320128, 'Raised arterial tension', 4180186), (3016723, 'Crea [S/P]', 4180186);
CREATE TABLE location (location_id INTEGER, city VARCHAR, state VARCHAR, county VARCHAR, zip VARCHAR);
INSERT INTO location VALUES (1, 'Worcester', 'MA', 'Worcester County', '01608');
ALTER TABLE person ADD COLUMN race_source_value VARCHAR;
ALTER TABLE person ADD COLUMN ethnicity_source_value VARCHAR;
ALTER TABLE person ADD COLUMN gender_source_value VARCHAR;
ALTER TABLE person ADD COLUMN location_id INTEGER;
UPDATE person SET location_id = 1 WHERE person_id < 3;
ALTER TABLE death ADD COLUMN cause_concept_id INTEGER;
ALTER TABLE death ADD COLUMN cause_source_value VARCHAR;
"""


def _asked(path: Path, more: str, now: str) -> Iterator[Ask]:
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(more)
    connection.close()
    engine = open_engine(str(path))
    yield asking(engine, now)
    engine.close()


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    path = small_native.build(tmp_path_factory.mktemp("native") / "native.db")
    yield from _asked(path, _MORE_NATIVE, small_native.NOW)


@pytest.fixture(scope="module")
def omop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    path = small_omop.build(tmp_path_factory.mktemp("omop") / "omop.db")
    yield from _asked(path, _MORE_OMOP, small_omop.NOW)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients speak russian?", {(1,)}),
        ("how many patients were resistant to oxacillin?", {(1,)}),
        ("which patients were in the medical icu?", {(202,)}),
        ("how many patients were on the cardiac medicine service?", {(1,)}),
        ("how many patients were discharged to a skilled nursing facility?", {(1,)}),
    ],
)
def test_a_code_has_its_words(native: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    check_sure(native, question, rows)


def test_a_death_in_hospital_has_its_minute_where_the_stay_keeps_it(native: Ask) -> None:
    within = {hours: native(f"how many patients died within {hours} hours of admission")[1] for hours in (340, 342)}
    assert within == {340: {(0,)}, 342: {(1,)}}  # the day of death alone begins 338 hours after admission


def test_words_of_codes_that_are_not_stored_mean_nothing(native: Ask) -> None:
    proposal, _ = native("how many patients speak polish?")
    assert "polish" in proposal.unexplained


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients were diagnosed with raised arterial tension?", {(2,)}),
        ("what was the last crea [s/p] of patient 1?", {(1.4,)}),
        ("how many inpatient visits were there?", {(3,)}),
        ("how many patients had an emergency visit?", {(1,)}),
        ("how many patients are asian?", {(1,)}),
        ("count patients by city", {("Worcester", 2), (None, 2)}),
        ("number of persons per zip code", {("01608", 2), (None, 2)}),
    ],
)
def test_a_concept_has_its_synonyms_and_a_person_a_place(omop: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    check_sure(omop, question, rows)


def test_a_share_of_resistant_isolates_is_of_those_that_were_tested(native: Ask) -> None:
    share = {
        'percent (interpretation = "R") of (cultures where organism = "SERRATIA MARCESCENS" '
        'where antibiotic = "CEFEPIME" where interpretation is present)'
    }
    asked = (
        "what share of the serratia marcescens isolates tested against cefepime turned out resistant?",
        "% of serratia marcescens isolates resistant to cefepime",
        "resistance rate of serratia marcescens to cefepime",
    )
    assert {native(question)[0].logic for question in asked} == share
