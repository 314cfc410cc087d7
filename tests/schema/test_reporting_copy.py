"""The relational copy that a large system keeps for reports: a table of names for each kind of code, hospital stays
beside contacts of all kinds, diagnoses on accounts, moves as events, readings by rows. What is guessed of it, and what
it answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ehrtui.conversation.database import Database
from tests.schema.opened import opened, rows

_TABLES = """
CREATE TABLE ZC_SEX (RCPT_MEM_SEX_C INTEGER PRIMARY KEY, NAME TEXT, ABBR TEXT);
CREATE TABLE ZC_PAT_CLASS (ADT_PAT_CLASS_C TEXT PRIMARY KEY, NAME TEXT, ABBR TEXT);
CREATE TABLE ZC_DISCH_DISP (DISCH_DISP_C TEXT PRIMARY KEY, NAME TEXT, ABBR TEXT);
CREATE TABLE ZC_EVENT_TYPE (EVENT_TYPE_C INTEGER PRIMARY KEY, NAME TEXT, ABBR TEXT);
CREATE TABLE ZC_MAR_RSLT (RESULT_C INTEGER PRIMARY KEY, NAME TEXT, ABBR TEXT);
CREATE TABLE CLARITY_SER (PROV_ID TEXT PRIMARY KEY, PROV_NAME TEXT, PROV_TYPE TEXT);
CREATE TABLE CLARITY_DEP (DEPARTMENT_ID INTEGER PRIMARY KEY, DEPARTMENT_NAME TEXT, SPECIALTY TEXT);
CREATE TABLE PATIENT (PAT_ID TEXT PRIMARY KEY, PAT_MRN_ID TEXT, PAT_NAME TEXT, BIRTH_DATE DATETIME, SEX_C INTEGER);
CREATE TABLE PAT_ENC (PAT_ENC_CSN_ID INTEGER PRIMARY KEY, PAT_ID TEXT REFERENCES PATIENT(PAT_ID),
    CONTACT_DATE DATETIME, DEPARTMENT_ID INTEGER, VISIT_PROV_ID TEXT);
CREATE TABLE PAT_ENC_HSP (PAT_ENC_CSN_ID INTEGER PRIMARY KEY REFERENCES PAT_ENC(PAT_ENC_CSN_ID), PAT_ID TEXT,
    HSP_ACCOUNT_ID INTEGER, ADT_PAT_CLASS_C TEXT, EXP_ADMISSION_TIME DATETIME, HOSP_ADMSN_TIME DATETIME,
    HOSP_DISCH_TIME DATETIME, DISCH_DISP_C TEXT, BILL_ATTEND_PROV_ID TEXT);
CREATE TABLE CLARITY_ADT (EVENT_ID INTEGER PRIMARY KEY, EVENT_TYPE_C INTEGER, EFFECTIVE_TIME DATETIME, PAT_ID TEXT,
    PAT_ENC_CSN_ID INTEGER, DEPARTMENT_ID INTEGER, NEXT_OUT_EVENT_ID INTEGER);
CREATE TABLE CLARITY_EDG (DX_ID INTEGER PRIMARY KEY, DX_NAME TEXT);
CREATE TABLE HSP_ACCT_DX_LIST (HSP_ACCOUNT_ID INTEGER, LINE INTEGER, DX_ID INTEGER REFERENCES CLARITY_EDG(DX_ID),
    PRIMARY KEY (HSP_ACCOUNT_ID, LINE));
CREATE TABLE PROBLEM_LIST (PROBLEM_LIST_ID INTEGER PRIMARY KEY, PAT_ID TEXT REFERENCES PATIENT(PAT_ID), DX_ID INTEGER,
    NOTED_DATE DATETIME, RESOLVED_DATE DATETIME);
CREATE TABLE ORDER_MED (ORDER_MED_ID INTEGER PRIMARY KEY, PAT_ID TEXT, PAT_ENC_CSN_ID INTEGER, DISPLAY_NAME TEXT,
    ORDER_INST DATETIME, END_DATE DATETIME);
CREATE TABLE MAR_ADMIN_INFO (ORDER_MED_ID INTEGER, LINE INTEGER, TAKEN_TIME DATETIME, MAR_ACTION_C INTEGER,
    PRIMARY KEY (ORDER_MED_ID, LINE));
CREATE TABLE IP_FLWSHT_REC (FSD_ID TEXT PRIMARY KEY, PAT_ID TEXT);
CREATE TABLE IP_FLO_GP_DATA (FLO_MEAS_ID TEXT PRIMARY KEY, FLO_MEAS_NAME TEXT, DISP_NAME TEXT);
CREATE TABLE IP_FLWSHT_MEAS (FSD_ID TEXT, LINE INTEGER, FLO_MEAS_ID TEXT, RECORDED_TIME DATETIME, MEAS_VALUE TEXT,
    PRIMARY KEY (FSD_ID, LINE));
INSERT INTO ZC_SEX VALUES (1, 'Female', 'F'), (2, 'Male', 'M');
INSERT INTO ZC_PAT_CLASS VALUES ('101', 'Inpatient', 'IP'), ('103', 'Emergency', 'ED');
INSERT INTO ZC_DISCH_DISP VALUES ('1', 'Home or Self Care', 'HOME'), ('20', 'Expired', 'EXP');
INSERT INTO ZC_EVENT_TYPE VALUES (1, 'Admission', 'ADM'), (2, 'Discharge', 'DIS'), (3, 'Transfer Out', 'TRO'),
    (4, 'Transfer In', 'TRI');
INSERT INTO ZC_MAR_RSLT VALUES (1, 'Given', NULL), (2, 'Missed', NULL), (3, 'Refused', NULL), (4, 'Held', NULL);
INSERT INTO CLARITY_SER VALUES ('501', 'SLOAN, NANCY', 'Physician'), ('502', 'KHAN, JAMES', 'Physician');
INSERT INTO CLARITY_DEP VALUES (11, 'RWH 4 WEST TELEMETRY', 'Cardiology'), (12, 'RWH 5 NORTH ORTHO', 'Orthopedics'),
    (13, 'RWC FAMILY MEDICINE', 'Family Medicine');
INSERT INTO PATIENT VALUES ('Z101', '1700101', 'Meyer,Hannah', '1950-05-01 00:00:00', 1),
    ('Z102', '1700102', 'Khan,George', '1970-05-01 00:00:00', 2),
    ('Z103', '1700103', 'Marsh,Arthur', '1990-05-01 00:00:00', 2);
INSERT INTO PAT_ENC VALUES (31, 'Z101', '2024-01-02 00:00:00', 11, NULL), (32, 'Z102', '2024-03-01 00:00:00', 11, NULL),
    (33, 'Z103', '2024-03-05 00:00:00', 12, NULL), (34, 'Z103', '2024-02-05 00:00:00', 13, '502'),
    (35, 'Z101', '2024-04-01 00:00:00', 12, NULL);
INSERT INTO PAT_ENC_HSP VALUES
    (31, 'Z101', 71, '101', NULL, '2024-01-02 08:00:00', '2024-01-06 08:00:00', '1', '501'),
    (32, 'Z102', 72, '101', NULL, '2024-03-01 08:00:00', NULL, NULL, '502'),
    (33, 'Z103', 73, '101', NULL, '2024-03-05 08:00:00', '2024-03-09 08:00:00', '20', '501'),
    (35, 'Z101', 75, '101', '2024-04-01 09:00:00', NULL, NULL, NULL, NULL);
INSERT INTO CLARITY_ADT VALUES (1, 1, '2024-01-02 08:00:00', 'Z101', 31, 11, 2),
    (2, 2, '2024-01-06 08:00:00', 'Z101', 31, 11, NULL), (3, 1, '2024-03-01 08:00:00', 'Z102', 32, 12, 4),
    (4, 3, '2024-03-02 08:00:00', 'Z102', 32, 12, NULL), (5, 4, '2024-03-02 08:00:00', 'Z102', 32, 11, NULL),
    (6, 1, '2024-03-05 08:00:00', 'Z103', 33, 12, NULL);
INSERT INTO CLARITY_EDG VALUES (901, 'Essential hypertension'), (902, 'Community acquired pneumonia'),
    (903, 'Gout, unspecified');
INSERT INTO HSP_ACCT_DX_LIST VALUES (71, 1, 902), (71, 2, 901), (72, 1, 902), (73, 1, 903);
INSERT INTO PROBLEM_LIST VALUES (1, 'Z101', 901, '2020-01-01 00:00:00', NULL);
INSERT INTO ORDER_MED VALUES
    (41, 'Z101', 31, 'HEPARIN 5,000 UNIT/ML IJ SOLN', '2024-01-02 09:00:00', '2024-01-06 08:00:00'),
    (42, 'Z102', 32, 'ASPIRIN 81 MG PO TABS', '2024-03-01 09:00:00', NULL);
INSERT INTO MAR_ADMIN_INFO VALUES (41, 1, '2024-01-02 10:00:00', 1), (41, 2, '2024-01-02 18:00:00', 3),
    (41, 3, '2024-01-03 02:00:00', 1), (42, 1, '2024-03-01 10:00:00', 2), (42, 2, '2024-03-02 10:00:00', 4);
INSERT INTO IP_FLWSHT_REC VALUES ('F1', 'Z101'), ('F2', 'Z102');
INSERT INTO IP_FLO_GP_DATA VALUES ('6', 'R TEMPERATURE', 'Temp'), ('8', 'R PULSE', 'Pulse');
INSERT INTO IP_FLWSHT_MEAS VALUES ('F1', 1, '8', '2024-01-02 10:00:00', '88'),
    ('F2', 1, '8', '2024-03-02 10:00:00', '121'),
    ('F2', 2, '6', '2024-03-02 10:00:00', '99.1');
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The copy, opened."""
    with opened(tmp_path_factory.mktemp("copy"), _TABLES) as database:
        yield database


def test_the_stays_are_those_that_end_and_began(copy: Database) -> None:
    stay = copy.profile.stays["hospital"]
    assert (stay.table, stay.start, stay.end) == ("PAT_ENC_HSP", "HOSP_ADMSN_TIME", "HOSP_DISCH_TIME")
    assert rows(copy, "how many admissions were there?") == {(3,)}


def test_diagnoses_of_an_account_are_those_of_its_stay(copy: Database) -> None:
    roles = copy.profile.roles
    assert (roles["diagnosis"].table, roles["diagnosis"].stay) == ("HSP_ACCT_DX_LIST", "hospital")
    assert roles["problem"].table == "PROBLEM_LIST"


def test_a_code_is_told_by_its_own_list_alone(copy: Database) -> None:
    roles = copy.profile.roles
    assert roles["admission"].fields["admission type"] == "ADT_PAT_CLASS"
    assert roles["administration"].fields["mar action"] == "MAR_ACTION"
    assert roles["patient"].fields["gender"] == "SEX"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many women do we have?", {(1,)}),
        ("how many patients were diagnosed with pneumonia?", {(2,)}),
        ("who is on 4 West?", {("Z102",)}),
        ("which patients were on 5 North?", {("Z102",), ("Z103",)}),
        ("last pulse of George Khan", {("121",)}),
        ("how many inpatients died in hospital?", {(1,)}),
        ("how many doses of heparin were given?", {(2,)}),
        ("how many doses of heparin were refused?", {(1,)}),
        ("how many patients were discharged home?", {(1,)}),
    ],
)
def test_it_answers(copy: Database, question: str, answer: set[tuple[object, ...]]) -> None:
    assert rows(copy, question) == answer
