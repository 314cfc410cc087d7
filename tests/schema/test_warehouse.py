"""A warehouse as large systems keep it: short names with keys beside the numbers that people know, one table of all
codes, doses given of orders, susceptibilities of cultures. What is guessed of it, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database
from tests.schema.opened import opened, rows

_TABLES = """
CREATE TABLE dim_person (person_sk INTEGER PRIMARY KEY, mrn TEXT NOT NULL UNIQUE, last_nm TEXT, first_nm TEXT,
    sex_cd TEXT, birth_dt TEXT, interp_req_flg TEXT);
CREATE TABLE dim_prov (prov_sk INTEGER PRIMARY KEY, prov_nm TEXT, prov_typ TEXT);
CREATE TABLE xref_code (code_domain TEXT, code_val TEXT, code_desc TEXT, PRIMARY KEY (code_domain, code_val));
CREATE TABLE appt (appt_id INTEGER PRIMARY KEY, person_sk INTEGER, appt_ts TEXT, visit_typ TEXT, appt_stat TEXT);
CREATE TABLE enc (enc_id INTEGER PRIMARY KEY, person_sk INTEGER, admit_ts TEXT, disch_ts TEXT, disch_disp_cd TEXT,
    svc_cd TEXT, enc_stat TEXT);
CREATE TABLE or_case (case_nbr TEXT PRIMARY KEY, enc_id INTEGER, proc_desc TEXT, incision_ts TEXT, cancel_rsn TEXT);
CREATE TABLE enc_dx (dx_id INTEGER PRIMARY KEY, enc_id INTEGER, icd10_cd TEXT, dx_desc TEXT, poa_ind TEXT);
CREATE TABLE med_ord (ord_id INTEGER PRIMARY KEY, enc_id INTEGER, drug_desc TEXT, route_cd TEXT, ord_ts TEXT,
    stop_ts TEXT);
CREATE TABLE mar_evt (mar_id INTEGER PRIMARY KEY, ord_id INTEGER, sched_ts TEXT, act_ts TEXT, mar_act TEXT,
    not_given_rsn TEXT, nurse_sk INTEGER);
CREATE TABLE micro_cult (cult_id INTEGER PRIMARY KEY, person_sk INTEGER, spec_typ TEXT, collect_ts TEXT,
    organism_nm TEXT);
CREATE TABLE micro_susc (cult_id INTEGER, abx_nm TEXT, interp_cd TEXT, PRIMARY KEY (cult_id, abx_nm));
CREATE TABLE lab_rslt (rslt_id INTEGER PRIMARY KEY, person_sk INTEGER, comp_nm TEXT, result_ts TEXT, collect_ts TEXT,
    val_num REAL, unit_txt TEXT);
INSERT INTO dim_person VALUES (1, 'LK201', 'Fox', 'Di', 'F', '1980-01-01', 'Y'),
    (2, 'LK202', 'Ray', 'Cy', 'M', '1950-01-01', 'N'), (3, 'LK203', 'Lund', 'Eva', 'F', '1990-01-01', 'N');
INSERT INTO dim_prov VALUES (9, 'Berg, Ida', 'RN'), (8, 'Noor, Ali', 'RN');
INSERT INTO xref_code VALUES ('SEX', 'F', 'Female'), ('SEX', 'M', 'Male'), ('DISCH_DISP', '01', 'Home'),
    ('DISCH_DISP', '20', 'Expired'), ('SVC', 'CAR', 'Cardiology'), ('SVC', 'URO', 'Urology'),
    ('ROUTE', 'PO', 'By mouth'), ('ROUTE', 'IV', 'Intravenous'), ('SUSC', 'R', 'Resistant'),
    ('SUSC', 'S', 'Susceptible');
INSERT INTO appt VALUES (1, 1, '2024-01-05 09:00', 'Return', 'Completed'), (2, 2, '2024-02-05 09:00', 'New', 'No show');
INSERT INTO enc VALUES (10, 1, '2024-01-10 10:00', '2024-01-14 10:00', '01', 'CAR', 'Discharged'),
    (11, 2, '2024-03-01 10:00', '2024-03-09 10:00', '20', 'URO', 'Discharged'),
    (12, 3, '2024-03-08 10:00', NULL, NULL, 'CAR', 'Admitted'),
    (13, 1, '2024-03-09 10:00', NULL, NULL, 'CAR', 'Cancelled');
INSERT INTO or_case VALUES ('C1', 10, 'Hip replacement', '2024-01-11 09:00', NULL),
    ('C2', 11, 'Hernia repair', '2024-03-02 09:00', 'No bed'), ('C3', 11, 'Hernia repair', '2024-03-03 09:00', NULL);
INSERT INTO enc_dx VALUES (1, 10, 'I50.9', 'Heart failure', 'Y'), (2, 11, 'N17.9', 'Acute kidney failure', 'N'),
    (3, 12, 'N17.9', 'Acute kidney failure', 'Y');
INSERT INTO med_ord VALUES (100, 10, 'heparin 5,000 units', 'IV', '2024-01-10 11:00', '2024-01-14 10:00'),
    (101, 11, 'aspirin 81 mg', 'PO', '2024-03-01 11:00', '2024-03-09 10:00');
INSERT INTO mar_evt VALUES (1, 100, '2024-01-10 12:00', '2024-01-10 12:10', 'Given', NULL, 9),
    (2, 100, '2024-01-10 20:00', '2024-01-10 20:05', 'Refused', 'Patient refused', 8),
    (3, 101, '2024-03-01 12:00', '2024-03-01 12:30', 'Given', NULL, 9);
INSERT INTO micro_cult VALUES (50, 1, 'URINE', '2024-01-11 08:00', 'Escherichia coli'),
    (51, 2, 'BLOOD', '2024-03-02 08:00', 'Escherichia coli'), (52, 3, 'URINE', '2024-03-09 08:00', NULL);
INSERT INTO micro_susc VALUES (50, 'ciprofloxacin', 'R'), (50, 'ceftriaxone', 'S'), (51, 'ciprofloxacin', 'S');
INSERT INTO lab_rslt VALUES (1, 1, 'Potassium', '2024-01-11 09:00', '2024-01-11 06:00', 6.2, 'mmol/L'),
    (2, 2, 'Potassium', '2024-03-02 09:00', '2024-03-02 06:00', 4.1, 'mmol/L');
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with opened(tmp_path_factory.mktemp("warehouse"), _TABLES) as made:
        yield made


def test_encounters_are_the_stays_and_appointments_are_not(database: Database) -> None:
    assert database.profile.stays["hospital"].table == "enc"
    assert database.profile.role("appointment").table == "appt"
    assert rows(database, "how many admissions were there?") == {(3,)}
    assert rows(database, "how many appointments were there?") == {(2,)}


def test_at_a_cancelled_stay_nobody_was(database: Database) -> None:
    assert rows(database, "which patients are in the hospital now?") == {(3,)}


def test_groups_by_a_reason_are_of_what_has_one(database: Database) -> None:
    assert rows(database, "number of operations by cancellation reason") == {("No bed", 1)}


def test_codes_that_are_written_in_figures_are_told_in_words(database: Database) -> None:
    fields = database.profile.role("admission").fields
    assert fields["discharge location"] == "disch_disp"
    assert rows(database, "how many admissions ended in death?") == {(1,)}


def test_people_are_shown_by_the_number_that_the_hospital_knows_them_by(database: Database) -> None:
    with closing(Conversation(database, threshold=0.0)) as conversation:
        turn = conversation.run(conversation.propose("which patients had a potassium above 6?"))
        assert turn.shown_result is not None
        shown = database.engine.page(turn.shown_result, 0, 5)
        assert (turn.shown_columns, shown) == (("person_sk", "mrn"), [(1, "LK201")])
    assert rows(database, "last potassium of LK202") == {(4.1,)}
    assert rows(database, "last potassium of Cy Ray (MRN LK202)") == {(4.1,)}


def test_a_result_is_of_when_its_specimen_was_taken(database: Database) -> None:
    assert database.profile.role("lab").time == "collect_ts"


def test_doses_given_are_called_as_what_was_ordered(database: Database) -> None:
    given = database.profile.role("administration")
    assert (given.table, given.item, given.time) == ("mar_evt", "drug_desc", "act_ts")
    assert given.fields["nurse"] == "nurse"
    assert database.profile.role("prescription").table == "med_ord"


def test_susceptibilities_say_of_what_they_are(database: Database) -> None:
    tested = database.profile.role("susceptibility")
    assert {"antibiotic", "interpretation", "organism"} <= tested.fields.keys()
    assert rows(database, "percent of E. coli resistant to ciprofloxacin") == {(50.0,)}
    assert rows(database, "how many cultures grew E. coli?") == {(2,)}


def test_who_needs_an_interpreter_is_told_by_a_flag(database: Database) -> None:
    assert rows(database, "how many patients need an interpreter?") == {(1,)}
