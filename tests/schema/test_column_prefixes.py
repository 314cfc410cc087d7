"""A database whose columns begin with letters of their table ("st_no" of adt_stay, "dg_stno" of him_diag), which
declares few of its keys: what is guessed of it, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ehrtui.conversation.database import Database
from ehrtui.schema.column_prefixes import without_prefixes
from ehrtui.schema.model import Column, Table
from tests.schema.opened import opened, rows

_TABLES = """
CREATE TABLE reg_person (rp_urn TEXT PRIMARY KEY, rp_sname TEXT, rp_fname TEXT, rp_sex TEXT, rp_dob TEXT);
CREATE TABLE adt_stay (st_no INTEGER PRIMARY KEY, st_urn TEXT, st_adm TEXT, st_dis TEXT, st_type TEXT,
    st_cons INTEGER);
CREATE TABLE adt_move (mv_id INTEGER PRIMARY KEY, mv_stno INTEGER, mv_ward TEXT, mv_in TEXT, mv_out TEXT);
CREATE TABLE ref_ward (wd_code TEXT PRIMARY KEY, wd_name TEXT, wd_beds INTEGER);
CREATE TABLE ref_code (cd_list TEXT, cd_code TEXT, cd_desc TEXT, PRIMARY KEY (cd_list, cd_code));
CREATE TABLE ref_icd (ic_code TEXT PRIMARY KEY, ic_title TEXT, ic_chapter TEXT);
CREATE TABLE him_diag (dg_id INTEGER PRIMARY KEY, dg_stno INTEGER, dg_rank INTEGER, dg_icd TEXT, dg_date TEXT);
CREATE TABLE thr_proc (pr_id INTEGER PRIMARY KEY, pr_stno INTEGER, pr_code TEXT, pr_start TEXT, pr_by INTEGER);
CREATE TABLE lab_result (lr_id INTEGER PRIMARY KEY, lr_urn TEXT, lr_stno INTEGER, lr_test TEXT, lr_taken TEXT,
    lr_result TEXT, lr_num REAL, lr_unit TEXT);
CREATE TABLE mic_sample (ms_no TEXT PRIMARY KEY, ms_urn TEXT, ms_type TEXT, ms_taken TEXT, ms_org TEXT);
CREATE TABLE fin_charge (ch_id INTEGER PRIMARY KEY, ch_stno INTEGER, ch_date TEXT, ch_item TEXT, ch_qty INTEGER,
    ch_amt REAL);
CREATE TABLE hr_staff (sf_id INTEGER PRIMARY KEY, sf_name TEXT, sf_role TEXT, sf_spec TEXT);
INSERT INTO reg_person VALUES ('U1', 'Ray', 'Cy', 'M', '1950-01-01'), ('U2', 'Fox', 'Di', 'F', '1980-01-01'),
    ('U3', 'Lund', 'Eva', 'F', '1990-01-01');
INSERT INTO adt_stay VALUES (10, 'U1', '2024-01-01 11:00', '2024-01-05 10:00', 'EM', 1),
    (11, 'U2', '2024-03-01 11:00', '2024-03-09 09:00', 'EL', 2), (12, 'U3', '2024-03-09 08:00', NULL, 'EM', 2);
INSERT INTO adt_move VALUES (1, 10, 'ELM', '2024-01-01 11:00', '2024-01-05 10:00'),
    (2, 11, 'ASH', '2024-03-01 11:00', '2024-03-09 09:00'), (3, 12, 'ASH', '2024-03-09 08:00', NULL);
INSERT INTO ref_ward VALUES ('ELM', 'Elm Ward', 20), ('ASH', 'Ash Ward', 12);
INSERT INTO ref_code VALUES ('SEX', 'M', 'Male'), ('SEX', 'F', 'Female'), ('TYPE', 'EM', 'Emergency'),
    ('TYPE', 'EL', 'Elective'), ('TEST', 'K', 'Potassium'), ('TEST', 'HB', 'Haemoglobin'),
    ('PROC', 'P1', 'Hip replacement'), ('PROC', 'P2', 'Hernia repair'), ('SPEC', 'CA', 'Cardiology'),
    ('SPEC', 'UR', 'Urology'), ('TYPE', 'BC', 'Blood culture'), ('TYPE', 'UR', 'Urine'), ('ROLE', 'CON', 'Consultant');
INSERT INTO ref_icd VALUES ('J18.9', 'Pneumonia, unspecified organism', 'Lungs'),
    ('I50.0', 'Congestive heart failure', 'Heart');
INSERT INTO him_diag VALUES (1, 10, 1, 'J18.9', '2024-01-06'), (2, 11, 1, 'I50.0', '2024-03-10'),
    (3, 11, 2, 'J18.9', '2024-03-10');
INSERT INTO thr_proc VALUES (1, 10, 'P1', '2024-01-02 09:00', 1), (2, 11, 'P2', '2024-03-02 09:00', 2);
INSERT INTO lab_result VALUES (1, 'U1', 10, 'K', '2024-01-02 06:00', '6.2', 6.2, 'mmol/L'),
    (2, 'U2', 11, 'K', '2024-03-02 06:00', '4.1', 4.1, 'mmol/L'),
    (3, 'U2', 11, 'K', '2024-03-03 06:00', '<2.0', NULL, 'mmol/L'),
    (4, 'U1', 10, 'HB', '2024-01-02 06:00', '9.5', 9.5, 'g/dL');
INSERT INTO mic_sample VALUES ('M1', 'U1', 'BC', '2024-01-02 06:00', 'Escherichia coli'),
    ('M2', 'U2', 'UR', '2024-03-02', 'No growth');
INSERT INTO fin_charge VALUES (1, 10, '2024-01-05', 'Bed day', 4, 1200.0), (2, 11, '2024-03-09', 'Bed day', 8, 2400.0);
INSERT INTO hr_staff VALUES (1, 'Moor, Ann', 'CON', 'CA'), (2, 'Lind, Bo', 'CON', 'UR');
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with opened(tmp_path_factory.mktemp("prefixes"), _TABLES) as made:
        yield made


def test_keys_lead_by_the_letters_of_the_table_that_they_lead_to(database: Database) -> None:
    kinds = {
        "patient",
        "admission",
        "transfer",
        "diagnosis",
        "procedure",
        "lab",
        "culture",
        "fin_charge",
        "staff_member",
    }
    assert kinds <= database.profile.roles.keys()
    assert rows(database, "how many patients had pneumonia?") == {(2,)}
    assert rows(database, "which patients were on Ash Ward in 2024?") == {("U2",), ("U3",)}


def test_numbers_beside_what_was_written_are_the_values(database: Database) -> None:
    assert database.profile.role("lab").value == "num"
    assert rows(database, "which patients had a potassium above 6?") == {("U1",)}


def test_names_behind_codes_are_the_items(database: Database) -> None:
    assert rows(database, "how many patients had a hip replacement?") == {(1,)}
    assert database.profile.role("culture").item == "type_in_words"


def test_what_is_called_no_growth_did_not_grow(database: Database) -> None:
    assert rows(database, "what percentage of cultures grew something?") == {(50.0,)}


def test_staff_are_named_where_they_did_something(database: Database) -> None:
    assert "provider" in database.profile.role("admission").fields
    assert database.profile.role("staff_member").fields["specialty"] == "spec_in_words"


def test_charges_are_told_by_what_they_cost_and_not_how_many(database: Database) -> None:
    assert database.profile.role("fin_charge").value == "amt"


def test_who_left_this_morning_is_no_longer_on_the_ward(database: Database) -> None:
    assert rows(database, "which patients are on Ash Ward at the minute?") == {("U3",)}


def test_only_what_all_columns_of_most_tables_share_is_no_part_of_a_name() -> None:
    def table(name: str, *columns: str) -> Table:
        return Table(name, tuple(Column(each, "TEXT", each.endswith("_id")) for each in columns))

    prefixed = [table(f"t{at}", f"p{at}_id", f"p{at}_name", f"p{at}_sex") for at in range(3)]
    assert without_prefixes(prefixed)["t1"] == {"p1_id": "p1_id", "p1_name": "name", "p1_sex": "sex"}
    led = [*prefixed, table("t4", "q_id", "q_p1id", "q_date")]
    assert without_prefixes(led)["t1"]["p1_id"] == "p1id"
    assert without_prefixes([*prefixed[:2], table("t4", "id", "name", "sex")]) == {}
    assert without_prefixes([table(f"t{at}", "x_id", "x_name", "x_sex") for at in range(3)]) == {}
