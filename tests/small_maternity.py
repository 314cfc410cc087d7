"""A hand-written database of a maternity hospital that keeps its mothers and babies as persons, beside its staff.

Ines Holm (1, born 1990) gave birth to Ada (11, a girl, 3100 g) in 2023 by emergency caesarean section, with the midwife
Rosie Bell; Jo Kerr (2, born 1985) to Ben (12, a boy, 2300 g) in 2024 in the usual way. Ada lay on the neonatal unit for
two days. Ines is severely allergic to penicillin, Jo mildly. Codes of all columns are in one list, which has M and F
for how babies are fed and none for the sexes. What is normal is told by the names of tests.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

NOW = "2024-12-31 23:59:00"

_SCRIPT = """
CREATE TABLE CodeList (ListName TEXT, Code TEXT, Meaning TEXT, PRIMARY KEY (ListName, Code));
CREATE TABLE Site (SiteCode TEXT PRIMARY KEY, SiteName TEXT);
CREATE TABLE WardUnit (WardID INTEGER PRIMARY KEY, WardName TEXT, BedCount INTEGER);
CREATE TABLE StaffMember (StaffID INTEGER PRIMARY KEY, GivenName TEXT, FamilyName TEXT, JobRole TEXT);
CREATE TABLE Person (PersonID INTEGER PRIMARY KEY, GivenName TEXT, FamilyName TEXT, Sex TEXT, BirthDate TEXT,
    MainLanguage TEXT);
CREATE TABLE Episode (EpisodeID INTEGER PRIMARY KEY, PersonID INTEGER REFERENCES Person(PersonID),
    SiteCode TEXT REFERENCES Site(SiteCode), AdmitAt TEXT, DischargeAt TEXT, DischargeTo TEXT);
CREATE TABLE WardStay (WardStayID INTEGER PRIMARY KEY, EpisodeID INTEGER REFERENCES Episode(EpisodeID),
    WardID INTEGER REFERENCES WardUnit(WardID), InAt TEXT, OutAt TEXT);
CREATE TABLE Delivery (DeliveryID INTEGER PRIMARY KEY, EpisodeID INTEGER REFERENCES Episode(EpisodeID),
    DeliveredAt TEXT, OnsetCode TEXT, ModeCode TEXT, BloodLossML INTEGER,
    MidwifeID INTEGER REFERENCES StaffMember(StaffID));
CREATE TABLE Newborn (NewbornID INTEGER PRIMARY KEY, DeliveryID INTEGER REFERENCES Delivery(DeliveryID),
    BabyPersonID INTEGER REFERENCES Person(PersonID), BirthWeightG INTEGER, Apgar1 INTEGER, Apgar5 INTEGER,
    FeedingCode TEXT);
CREATE TABLE EpisodeProcedure (EpProcID INTEGER PRIMARY KEY, EpisodeID INTEGER REFERENCES Episode(EpisodeID),
    Title TEXT, PerformedAt TEXT, DurationMin INTEGER);
CREATE TABLE LabTest (TestCode TEXT PRIMARY KEY, TestName TEXT, Unit TEXT, RefLow REAL, RefHigh REAL);
CREATE TABLE LabReport (LabReportID INTEGER PRIMARY KEY, EpisodeID INTEGER REFERENCES Episode(EpisodeID),
    TestCode TEXT REFERENCES LabTest(TestCode), CollectedAt TEXT, NumResult REAL, TextResult TEXT);
CREATE TABLE DrugOrder (DrugOrderID INTEGER PRIMARY KEY, EpisodeID INTEGER REFERENCES Episode(EpisodeID),
    DrugName TEXT, Dose REAL, DoseUnit TEXT, StartAt TEXT);
CREATE TABLE AllergyEntry (AllergyID INTEGER PRIMARY KEY, PersonID INTEGER REFERENCES Person(PersonID),
    Substance TEXT, SeverityCode TEXT, NotedOn TEXT);
CREATE TABLE ClinicVisit (ClinicVisitID INTEGER PRIMARY KEY, PersonID INTEGER REFERENCES Person(PersonID),
    ClinicName TEXT, BookedFor TEXT, AttendCode TEXT);
INSERT INTO CodeList VALUES ('Mode', 'SVD', 'Spontaneous vaginal delivery'),
    ('Mode', 'EMC', 'Emergency caesarean section'), ('Onset', 'SP', 'Spontaneous'), ('Onset', 'IN', 'Induced'),
    ('Feeding', 'B', 'Breast milk only'), ('Feeding', 'F', 'Formula only'), ('Feeding', 'M', 'Mixed feeding'),
    ('DischargeTo', 'H', 'Home'), ('DischargeTo', 'S', 'Self-discharged against advice'),
    ('Severity', '1', 'Mild'), ('Severity', '3', 'Severe'), ('Attend', 'A', 'Attended'),
    ('Attend', 'N', 'Did not attend'), ('Attend', 'H', 'Cancelled by hospital');
INSERT INTO Site VALUES ('ORC', 'Orchard Hospital'), ('MIL', 'Millbrook Unit');
INSERT INTO WardUnit VALUES (1, 'Delivery Suite', 12), (2, 'Neonatal Unit', 16);
INSERT INTO StaffMember VALUES (1, 'Rosie', 'Bell', 'Midwife'), (2, 'Freya', 'Evans', 'Consultant');
INSERT INTO Person VALUES (1, 'Ines', 'Holm', 'F', '1990-01-01', 'Welsh'),
    (2, 'Jo', 'Kerr', 'F', '1985-06-01', 'English'), (11, 'Ada', 'Holm', 'F', '2023-03-02', NULL),
    (12, 'Ben', 'Kerr', 'M', '2024-05-02', NULL);
INSERT INTO Episode VALUES (101, 1, 'ORC', '2023-03-01 10:00', '2023-03-06 10:00', 'H'),
    (102, 2, 'MIL', '2024-05-01 10:00', '2024-05-03 10:00', 'S'),
    (111, 11, 'ORC', '2023-03-02 04:00', '2023-03-06 04:00', 'H'),
    (112, 12, 'MIL', '2024-05-02 04:00', '2024-05-03 10:00', 'H');
INSERT INTO WardStay VALUES (1, 101, 1, '2023-03-01 10:00', '2023-03-06 10:00'),
    (2, 111, 2, '2023-03-02 04:00', '2023-03-04 04:00'), (3, 112, 1, '2024-05-02 04:00', '2024-05-03 10:00');
INSERT INTO Delivery VALUES (1, 101, '2023-03-02 04:00', 'IN', 'EMC', 600, 1),
    (2, 102, '2024-05-02 04:00', 'SP', 'SVD', 300, 1);
INSERT INTO Newborn VALUES (1, 1, 11, 3100, 8, 9, 'B'), (2, 2, 12, 2300, 5, 6, 'M');
INSERT INTO EpisodeProcedure VALUES (1, 101, 'Emergency caesarean section', '2023-03-02 03:30', 45),
    (2, 101, 'Repair of tear', '2023-03-02 05:00', 15), (3, 102, 'Elective caesarean section', '2024-05-02 05:00', 40);
INSERT INTO LabTest VALUES ('K', 'Potassium', 'mmol/L', 3.5, 5.3), ('GBS', 'Group B strep swab', NULL, NULL, NULL),
    ('BCUL', 'Blood culture', NULL, NULL, NULL);
INSERT INTO LabReport VALUES (1, 101, 'K', '2023-03-01 11:00', 5.9, NULL), (2, 102, 'K', '2024-05-01 11:00', 4.1, NULL),
    (3, 101, 'GBS', '2023-03-01 11:00', NULL, 'Detected'), (4, 102, 'GBS', '2024-05-01 11:00', NULL, 'Not detected'),
    (5, 101, 'BCUL', '2023-03-03 11:00', NULL, 'No growth'), (6, 111, 'BCUL', '2023-03-03 11:00', NULL, 'E. coli');
INSERT INTO DrugOrder VALUES (1, 101, 'Amoxicillin', 500, 'mg', '2023-03-01 12:00'),
    (2, 101, 'Gentamicin', 120, 'mg', '2023-03-02 12:00'), (3, 111, 'Gentamicin', 12, 'mg', '2023-03-02 12:00'),
    (4, 102, 'Amoxicillin', 500, 'mg', '2024-05-01 12:00'), (5, 102, 'Cefalexin', 500, 'mg', '2024-05-02 12:00'),
    (6, 102, 'Paracetamol', 1000, 'mg', '2024-05-02 12:00');
INSERT INTO AllergyEntry VALUES (1, 1, 'Penicillin', '3', '2020-01-01'), (2, 2, 'Penicillin', '1', '2020-01-01');
INSERT INTO ClinicVisit VALUES (1, 1, 'Antenatal', '2022-12-01 09:00', 'A'),
    (2, 1, 'Antenatal', '2023-01-01 09:00', 'N'), (3, 2, 'Antenatal', '2024-01-01 09:00', 'H'),
    (4, 2, 'Diabetes', '2024-02-01 09:00', 'A');
"""


def build(path: Path) -> Path:
    """The database at a path, with its tables and rows."""
    with sqlite3.connect(path) as connection:
        connection.executescript(_SCRIPT)
    connection.close()
    return path
