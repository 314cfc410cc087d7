"""A hand-written database of a hospital that joins the words of its names, declares few of its keys, gives patients a
number of its own, tells staff by first and last names, and keeps attendances and appointments beside the stays.

Una Marsh (1, UX17, woman, born 1940, needs an interpreter) had an emergency stay (21) after an attendance of 5 hours,
with a hip replacement of 100 minutes by Ada Pole; Ned Croft (2, UX18, man, born 1980) had an elective stay (22) with
one of 60 minutes by Bo Finn, and missed an appointment; Eve Hale (3, UX19, woman, born 1990) was only seen as an
outpatient and in the emergency department, for one hour.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

NOW = "2022-12-31 23:59:00"

_SCRIPT = """
CREATE TABLE Lkp_Code (Domain TEXT, Code TEXT, Descr TEXT, PRIMARY KEY (Domain, Code));
CREATE TABLE Pt_Client (ClientNo INTEGER PRIMARY KEY, UnitNumber TEXT UNIQUE, Surname TEXT, Forename TEXT, SexCd TEXT,
    DOB TEXT, DiedOn TEXT, InterpreterReqd INTEGER);
CREATE TABLE Med_Practitioner (PractitionerId INTEGER PRIMARY KEY, Title TEXT, Forename TEXT, Surname TEXT,
    SpecCd TEXT);
CREATE TABLE Adt_Spell (SpellNo INTEGER PRIMARY KEY, ClientNo INTEGER REFERENCES Pt_Client(ClientNo), AdmDtm TEXT,
    DischDtm TEXT, AdmMethodCd TEXT, SpecCd TEXT, TariffGBP REAL);
CREATE TABLE AE_Attendance (AttendNo INTEGER PRIMARY KEY, ClientNo INTEGER, SpellNo INTEGER, ArrivalDtm TEXT,
    DepartDtm TEXT, Disposal TEXT);
CREATE TABLE Opd_Appt (ApptId INTEGER PRIMARY KEY, ClientNo INTEGER, SpecCd TEXT, ReferredOn TEXT, ApptDtm TEXT,
    OutcomeCd TEXT);
CREATE TABLE Thr_Operation (OpNo INTEGER PRIMARY KEY, SpellNo INTEGER, OpName TEXT, OpDate TEXT, DurationMin INTEGER,
    SurgeonId INTEGER);
CREATE TABLE Rx_Order (RxNo INTEGER PRIMARY KEY, SpellNo INTEGER, DrugName TEXT, DoseQty REAL, RouteCd TEXT,
    StartDtm TEXT, StopDtm TEXT);
CREATE TABLE Obs_Chart (ObsNo INTEGER PRIMARY KEY, SpellNo INTEGER, ObsDtm TEXT, HeartRate INTEGER, SysBP INTEGER,
    RespRate INTEGER, NewsTotal INTEGER);
INSERT INTO Lkp_Code VALUES ('SEX', '1', 'Male'), ('SEX', '2', 'Female'), ('SPEC', '110', 'Orthopaedics'),
    ('SPEC', '320', 'Cardiology'), ('ADMMETH', '11', 'Elective'), ('ADMMETH', '21', 'Emergency'),
    ('OPOUT', 'ATT', 'Attended'), ('OPOUT', 'DNA', 'Did not attend'), ('ROUTE', 'IV', 'Intravenous'),
    ('ROUTE', 'PO', 'Oral');
INSERT INTO Pt_Client VALUES (1, 'UX17', 'Marsh', 'Una', '2', '1940-02-03', '2022-08-01', 1),
    (2, 'UX18', 'Croft', 'Ned', '1', '1980-05-06', NULL, 0), (3, 'UX19', 'Hale', 'Eve', '2', '1990-07-08', NULL, 0);
INSERT INTO Med_Practitioner VALUES (71, 'Dr', 'Ada', 'Pole', '110'), (72, 'Mr', 'Bo', 'Finn', '110'),
    (73, 'Dr', 'Cy', 'Gray', '320');
INSERT INTO Adt_Spell VALUES (21, 1, '2021-03-01 15:00:00', '2021-03-09 12:00:00', '21', '110', 9000),
    (22, 2, '2022-05-01 08:00:00', '2022-05-03 12:00:00', '11', '110', 5000);
INSERT INTO AE_Attendance VALUES (31, 1, 21, '2021-03-01 10:00:00', '2021-03-01 15:00:00', 'Admitted'),
    (32, 3, NULL, '2022-06-01 09:00:00', '2022-06-01 10:00:00', 'Discharged');
INSERT INTO Opd_Appt VALUES (41, 2, '320', '2022-01-02', '2022-02-03 09:00:00', 'DNA'),
    (42, 3, '320', NULL, '2022-03-04 10:00:00', 'ATT'), (43, 3, '110', '2022-04-01', '2022-05-06 11:00:00', 'ATT');
INSERT INTO Thr_Operation VALUES (51, 21, 'Hip replacement', '2021-03-02', 100, 71),
    (52, 22, 'Hip replacement', '2022-05-01', 60, 72);
INSERT INTO Rx_Order VALUES (61, 21, 'Gentamicin', 80, 'IV', '2021-03-02 08:00:00', '2021-03-05 08:00:00'),
    (62, 22, 'Paracetamol', 1000, 'PO', '2022-05-01 12:00:00', '2022-05-03 12:00:00');
INSERT INTO Obs_Chart VALUES (81, 21, '2021-03-01 16:00:00', 110, 95, 26, 8),
    (82, 22, '2022-05-01 09:00:00', 70, 130, 14, 0);
"""


def build(path: Path) -> Path:
    """Make the database."""
    with sqlite3.connect(path) as connection:
        connection.executescript(_SCRIPT)
    connection.close()
    return path
