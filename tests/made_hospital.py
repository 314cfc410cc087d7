"""Forty made-up patients, the same at every run, in two schemas: MIMIC-III's native one and eICU's as EHRSQL has it.

Rich enough that every construct of the algebra of query logic has rows: several stays with short and long gaps between
them, deaths in hospital and after it, stays that go on, services and transfers, times in the emergency department,
susceptibilities, rhythms and code status as text, overlapping orders of drugs, two labels for a vital sign, ties of
time and value, values that are missing, patients with several insurances, and patients with nothing at all.

In eICU's schema (`build_units`) patients, hospital stays and ICU stays are rows of one table, and ages are texts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

NOW = "2158-12-31 23:59:00"
PATIENTS = 40

_SCHEMA = """
CREATE TABLE patients (row_id INTEGER PRIMARY KEY, subject_id INT, gender VARCHAR, dob TIMESTAMP(0), dod TIMESTAMP(0));
CREATE TABLE admissions (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, admittime TIMESTAMP(0),
    dischtime TIMESTAMP(0), deathtime TIMESTAMP(0), admission_type VARCHAR, admission_location VARCHAR,
    discharge_location VARCHAR, insurance VARCHAR, language VARCHAR, marital_status VARCHAR, ethnicity VARCHAR,
    edregtime TIMESTAMP(0), edouttime TIMESTAMP(0), diagnosis VARCHAR, hospital_expire_flag INT);
CREATE TABLE icustays (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, icustay_id INT,
    first_careunit VARCHAR, last_careunit VARCHAR, intime TIMESTAMP(0), outtime TIMESTAMP(0));
CREATE TABLE transfers (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, eventtype VARCHAR,
    prev_careunit VARCHAR, curr_careunit VARCHAR, curr_wardid INT, intime TIMESTAMP(0), outtime TIMESTAMP(0));
CREATE TABLE services (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, transfertime TIMESTAMP(0),
    prev_service VARCHAR, curr_service VARCHAR);
CREATE TABLE diagnoses_icd (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, seq_num INT, icd9_code VARCHAR);
CREATE TABLE procedures_icd (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, seq_num INT, icd9_code VARCHAR);
CREATE TABLE d_icd_diagnoses (row_id INTEGER PRIMARY KEY, icd9_code VARCHAR, short_title VARCHAR, long_title VARCHAR);
CREATE TABLE d_icd_procedures (row_id INTEGER PRIMARY KEY, icd9_code VARCHAR, short_title VARCHAR, long_title VARCHAR);
CREATE TABLE d_items (row_id INTEGER PRIMARY KEY, itemid INT, label VARCHAR, linksto VARCHAR);
CREATE TABLE d_labitems (row_id INTEGER PRIMARY KEY, itemid INT, label VARCHAR, category VARCHAR);
CREATE TABLE labevents (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, itemid INT, charttime TIMESTAMP(0),
    value VARCHAR, valuenum DOUBLE PRECISION, valueuom VARCHAR, flag VARCHAR);
CREATE TABLE prescriptions (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, startdate TIMESTAMP(0),
    enddate TIMESTAMP(0), drug VARCHAR, dose_val_rx VARCHAR, dose_unit_rx VARCHAR, route VARCHAR);
CREATE TABLE chartevents (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, icustay_id INT, itemid INT,
    charttime TIMESTAMP(0), value VARCHAR, valuenum DOUBLE PRECISION, valueuom VARCHAR);
CREATE TABLE inputevents_mv (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, icustay_id INT,
    starttime TIMESTAMP(0), endtime TIMESTAMP(0), itemid INT, amount DOUBLE PRECISION, amountuom VARCHAR);
CREATE TABLE procedureevents_mv (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, icustay_id INT,
    starttime TIMESTAMP(0), endtime TIMESTAMP(0), itemid INT, value DOUBLE PRECISION, valueuom VARCHAR);
CREATE TABLE microbiologyevents (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, chartdate TIMESTAMP(0),
    charttime TIMESTAMP(0), spec_type_desc VARCHAR, org_name VARCHAR, ab_name VARCHAR, interpretation VARCHAR);
"""

_UNITS = """
CREATE TABLE patient (uniquepid VARCHAR, patienthealthsystemstayid INT, patientunitstayid INT PRIMARY KEY,
    gender VARCHAR, age VARCHAR, ethnicity VARCHAR, hospitalid INT, wardid INT, admissionheight NUMERIC,
    admissionweight NUMERIC, dischargeweight NUMERIC, hospitaladmittime TIMESTAMP(0), hospitaladmitsource VARCHAR,
    unitadmittime TIMESTAMP(0), unitdischargetime TIMESTAMP(0), hospitaldischargetime TIMESTAMP(0),
    hospitaldischargestatus VARCHAR);
CREATE TABLE diagnosis (diagnosisid INTEGER PRIMARY KEY, patientunitstayid INT, diagnosisname VARCHAR,
    diagnosistime TIMESTAMP(0), icd9code VARCHAR);
CREATE TABLE treatment (treatmentid INTEGER PRIMARY KEY, patientunitstayid INT, treatmentname VARCHAR,
    treatmenttime TIMESTAMP(0));
CREATE TABLE lab (labid INTEGER PRIMARY KEY, patientunitstayid INT, labname VARCHAR, labresult NUMERIC,
    labresulttime TIMESTAMP(0));
CREATE TABLE medication (medicationid INTEGER PRIMARY KEY, patientunitstayid INT, drugname VARCHAR, dosage VARCHAR,
    routeadmin VARCHAR, drugstarttime TIMESTAMP(0), drugstoptime TIMESTAMP(0));
CREATE TABLE intakeoutput (intakeoutputid INTEGER PRIMARY KEY, patientunitstayid INT, cellpath VARCHAR,
    celllabel VARCHAR, cellvaluenumeric NUMERIC, intakeoutputtime TIMESTAMP(0));
CREATE TABLE vitalperiodic (vitalperiodicid INTEGER PRIMARY KEY, patientunitstayid INT, temperature NUMERIC, sao2 INT,
    heartrate INT, respiration INT, systemicsystolic INT, systemicdiastolic INT, systemicmean INT,
    observationtime TIMESTAMP(0));

INSERT INTO patient
SELECT 'p-' || i.subject_id, i.hadm_id, i.icustay_id, CASE p.gender WHEN 'F' THEN 'female' ELSE 'male' END,
    CAST(min(90, CAST(strftime('%Y', a.admittime) AS INTEGER) - CAST(strftime('%Y', p.dob) AS INTEGER)) AS TEXT),
    lower(a.ethnicity), i.hadm_id % 3, i.icustay_id % 5, 160 + i.subject_id % 30, 60 + i.subject_id % 25,
    60 + i.icustay_id % 25, a.admittime, lower(a.admission_location), i.intime, i.outtime, a.dischtime,
    CASE WHEN a.dischtime IS NULL THEN NULL WHEN a.hospital_expire_flag THEN 'expired' ELSE 'alive' END
FROM made.icustays AS i JOIN made.admissions AS a USING (hadm_id)
JOIN made.patients AS p ON p.subject_id = i.subject_id;
INSERT INTO diagnosis (patientunitstayid, diagnosisname, diagnosistime, icd9code)
SELECT i.icustay_id, lower(t.short_title), i.intime,
    CASE t.icd9_code WHEN '4280' THEN '428.0, i50.9' WHEN '4019' THEN '401.9, i10' ELSE t.icd9_code END
FROM made.diagnoses_icd AS d JOIN made.icustays AS i USING (hadm_id) JOIN made.d_icd_diagnoses AS t USING (icd9_code);
INSERT INTO treatment (patientunitstayid, treatmentname, treatmenttime)
SELECT i.icustay_id, lower(t.short_title), i.intime
FROM made.procedures_icd AS d JOIN made.icustays AS i USING (hadm_id) JOIN made.d_icd_procedures AS t USING (icd9_code);
INSERT INTO lab (patientunitstayid, labname, labresult, labresulttime)
SELECT i.icustay_id, lower(t.label), l.valuenum, l.charttime
FROM made.labevents AS l JOIN made.icustays AS i ON i.hadm_id = l.hadm_id AND l.charttime BETWEEN i.intime AND i.outtime
JOIN made.d_labitems AS t USING (itemid) WHERE l.valuenum IS NOT NULL;
INSERT INTO medication (patientunitstayid, drugname, dosage, routeadmin, drugstarttime, drugstoptime)
SELECT i.icustay_id, lower(m.drug), m.dose_val_rx, lower(m.route), m.startdate, m.enddate
FROM made.prescriptions AS m JOIN made.icustays AS i USING (hadm_id);
INSERT INTO vitalperiodic (patientunitstayid, heartrate, sao2, observationtime)
SELECT icustay_id, CAST(valuenum AS INTEGER), 90 + row_id % 10, charttime FROM made.chartevents
WHERE itemid IN (211, 220045);
"""

_DIAGNOSES = [
    ("4280", "CHF NOS", "Congestive heart failure, unspecified"),
    ("42821", "Ac systolic hrt failure", "Acute systolic heart failure"),
    ("5849", "Acute kidney failure NOS", "Acute kidney failure, unspecified"),
    ("4019", "Hypertension NOS", "Unspecified essential hypertension"),
    ("25000", "DMII wo cmp nt st uncntr", "Diabetes mellitus without mention of complication, type II"),
    ("0389", "Septicemia NOS", "Unspecified septicemia"),
    ("486", "Pneumonia, organism NOS", "Pneumonia, organism unspecified"),
    ("V5861", "Long-term use anticoagul", "Long-term (current) use of anticoagulants"),
]
_PROCEDURES = [
    ("3995", "Hemodialysis", "Hemodialysis"),
    ("3893", "Venous cath NEC", "Venous catheterization, not elsewhere classified"),
    ("9671", "Cont inv mec ven <96 hrs", "Continuous invasive mechanical ventilation for less than 96 hours"),
]
_LABS = [(50912, "Creatinine", 0.5, 4.5, "mg/dL"), (50971, "Potassium", 2.5, 6.0, "mEq/L"),
         (50813, "Lactate", 0.6, 6.0, "mmol/L"), (50885, "Bilirubin, Total", 0.2, 5.0, "mg/dL")]  # fmt: skip
_ITEMS = [
    (211, "Heart Rate", "chartevents"),
    (220045, "Heart Rate", "chartevents"),
    (212, "Heart Rhythm", "chartevents"),
    (128, "Code Status", "chartevents"),
    (225158, "NaCl 0.9%", "inputevents_mv"),
    (225792, "Invasive Ventilation", "procedureevents_mv"),
    (225802, "Dialysis - CRRT", "procedureevents_mv"),
]
_DRUGS = ["Furosemide", "furosemide", "Vancomycin", "Vancomycin HCl", "Heparin", "Heparin Sodium", "Insulin", "Aspirin"]
_WARDS = ["MICU", "SICU", "CCU", None]
_ORGANISMS = ["ESCHERICHIA COLI", "STAPH AUREUS COAG +", None]
_ANTIBIOTICS = ["CEFTRIAXONE", "GENTAMICIN", "VANCOMYCIN"]


def build(path: Path) -> Path:
    """Write the database in MIMIC-III's native schema to `path`, which must not be there yet, and return it."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_SCHEMA)
        for table, row in _rows(Random(11)):
            connection.execute(f"INSERT INTO {table} VALUES (NULL, {', '.join('?' * len(row))})", row)
    connection.close()
    return path


def build_units(path: Path) -> Path:
    """Write the ICU stays of the same patients to `path` in eICU's schema, and return it."""
    source = build(path.with_suffix(".made"))
    connection = sqlite3.connect(path)
    connection.execute("ATTACH ? AS made", (str(source),))
    with connection:
        connection.executescript(_UNITS)
    connection.close()
    return path


def _rows(chance: Random) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every row without its row_id, with its table."""
    yield from (("d_icd_diagnoses", one) for one in _DIAGNOSES)
    yield from (("d_icd_procedures", one) for one in _PROCEDURES)
    yield from (("d_labitems", (*one[:2], "Blood Gas" if one[1] == "Lactate" else "Chemistry")) for one in _LABS)
    yield from (("d_items", one) for one in _ITEMS)
    for number in range(PATIENTS):
        yield from _patient(chance, 1001 + number, nothing=number in (7, 23), staying=number in (3, 30))


def _patient(chance: Random, subject: int, *, nothing: bool, staying: bool) -> Iterator[tuple[str, tuple[Any, ...]]]:
    hidden = chance.random() < 0.1  # over 89
    born = datetime(1850 if hidden else chance.randint(2062, 2134), chance.randint(1, 12), chance.randint(1, 28))
    begins = datetime(2150, 1, 1) + timedelta(minutes=chance.randint(0, 4 * 525_600))
    died: datetime | None = None
    for number in range(chance.choice([1, 1, 2, 2, 3, 4])):
        last = chance.random() < 0.15 and not staying
        hadm = subject * 10 + number
        ends = begins + timedelta(minutes=chance.randint(600, 20 * 1440))
        going = staying and number == 0
        died = ends if last else None
        yield "admissions", (
            subject, hadm, _time(begins), None if going else _time(ends), _time(died) if died else None,
            chance.choice(["EMERGENCY", "ELECTIVE", "URGENT"]),
            chance.choice(["EMERGENCY ROOM ADMIT", "CLINIC REFERRAL/PREMATURE"]),
            None if going else "DEAD/EXPIRED" if last else chance.choice(["HOME", "SNF", "REHAB"]),
            chance.choice(["Medicare", "Medicaid", "Private"]), chance.choice(["ENGL", "SPAN", None]),
            chance.choice(["MARRIED", "SINGLE", None]), chance.choice(["WHITE", "ASIAN"]),
            *((_time(begins - timedelta(minutes=300)), _time(begins - timedelta(minutes=chance.randint(5, 90))))
              if chance.random() < 0.5 else (None, None)),
            "SEPSIS", 1 if last else 0,
        )  # fmt: skip
        if not nothing:
            yield from _stay(chance, subject, hadm, begins, ends, going=going)
        if last or going:
            break
        begins = ends + timedelta(
            minutes=chance.choice([chance.randint(1440, 25 * 1440), chance.randint(45_000, 400_000)])
        )
    if died is None and not staying and chance.random() < 0.3:
        died = ends + timedelta(days=chance.randint(3, 200))
    day = _time(died.replace(hour=0, minute=0, second=0)) if died else None
    yield "patients", (subject, chance.choice("FM"), _time(born), day)


def _stay(
    chance: Random, subject: int, hadm: int, begins: datetime, ends: datetime, *, going: bool
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    codes = chance.sample(_DIAGNOSES, chance.choice([0, 1, 2, 3, 4]))
    yield from (("diagnoses_icd", (subject, hadm, rank, code)) for rank, (code, *_) in enumerate(codes, 1))
    done = chance.sample(_PROCEDURES, chance.choice([0, 0, 1, 2]))
    yield from (("procedures_icd", (subject, hadm, rank, code)) for rank, (code, *_) in enumerate(done, 1))
    services = chance.sample(["MED", "SURG", "CMED", "OMED"], chance.choice([1, 1, 2, 3]))
    moments = [begins, *_moments(chance, begins, ends, len(services) - 1)]
    for before, service, moment in zip([None, *services], services, moments, strict=False):
        yield "services", (subject, hadm, _time(moment), before, service)
    yield from _transfers(chance, subject, hadm, begins, ends, going=going)
    for item, _, low, high, unit in _LABS:
        for moment in _moments(chance, begins, ends, chance.choice([0, 2, 3, 6])):
            value = round(chance.uniform(low, high), 1) if chance.random() > 0.08 else None
            ill = "abnormal" if value is not None and value > (low + high) / 2 else None
            yield "labevents", (subject, hadm, item, _time(moment), str(value), value, unit, ill)
    if chance.random() < 0.3:  # as an outpatient
        moment = begins - timedelta(days=chance.randint(2, 5))
        yield "labevents", (subject, None, 50912, _time(moment), "1.0", 1.0, "mg/dL", None)
    for drug in chance.sample(_DRUGS, chance.choice([0, 1, 2, 4])):
        first = begins.replace(hour=0, minute=0) + timedelta(days=chance.randint(0, 3))
        end = _time(first + timedelta(days=chance.randint(0, 6))) if chance.random() > 0.15 else None
        dose, unit = chance.choice([("40", "mg"), ("5", "mg"), ("100", "mg"), ("1", "g"), ("1-2", "TAB")])
        yield "prescriptions", (subject, hadm, _time(first), end, drug, dose, unit, chance.choice(["IV", "PO", "SC"]))
    for moment in _moments(chance, begins, ends, chance.choice([0, 1, 2])):
        organism = chance.choice(_ORGANISMS)
        timed = _time(moment) if chance.random() > 0.3 else None
        day = _time(moment.replace(hour=0, minute=0))
        for antibiotic in chance.sample(_ANTIBIOTICS, 2) if organism else [None]:
            result = chance.choice("RSSI") if antibiotic else None
            yield "microbiologyevents", (subject, hadm, day, timed, "URINE", organism, antibiotic, result)


def _transfers(
    chance: Random, subject: int, hadm: int, begins: datetime, ends: datetime, *, going: bool
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    before, number = None, 0
    moments = sorted([begins, *_moments(chance, begins, ends, chance.choice([1, 2, 3]))])
    for moment, until in zip(moments, [*moments[1:], ends], strict=True):
        ward = chance.choice(_WARDS)
        out = None if going and until == ends else _time(until)
        kind = "admit" if moment == begins else "transfer"
        yield "transfers", (subject, hadm, kind, before, ward, chance.randint(1, 9), _time(moment), out)
        if ward is not None and number < 2:
            yield from _icu_stay(chance, subject, hadm, hadm * 10 + number, ward, moment, until, out)
            number += 1
        before = ward


def _icu_stay(
    chance: Random, subject: int, hadm: int, stay: int, ward: str, begins: datetime, ends: datetime, out: str | None
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    yield "icustays", (subject, hadm, stay, ward, chance.choice([ward, "TSICU"]), _time(begins), out)
    for moment in _moments(chance, begins, ends, chance.choice([0, 3, 6])):
        rate = chance.choice([55, 70, 88, 104, 121, 133, None])
        item = chance.choice([211, 220045])
        yield (
            "chartevents",
            (subject, hadm, stay, item, _time(moment), None if rate is None else str(rate), rate, "bpm"),
        )
        rhythm = chance.choice(["Normal Sinus", "Atrial Fib", "Sinus Tachy"])
        yield "chartevents", (subject, hadm, stay, 212, _time(moment), rhythm, None, None)
    for moment in _moments(chance, begins, ends, chance.choice([0, 1, 2])):
        status = chance.choice(["Full Code", "Do Not Resuscita", "Comfort Measures"])
        yield "chartevents", (subject, hadm, stay, 128, _time(moment), status, None, None)
    for moment in _moments(chance, begins, ends, chance.choice([0, 0, 1, 2])):
        until = moment + timedelta(minutes=chance.randint(30, 4000))
        item = chance.choice([225792, 225792, 225802])
        yield "procedureevents_mv", (subject, hadm, stay, _time(moment), _time(until), item, 1.0, "None")
    for moment in _moments(chance, begins, ends, chance.choice([0, 1, 3])):
        until = moment + timedelta(minutes=chance.randint(10, 300))
        yield "inputevents_mv", (subject, hadm, stay, _time(moment), _time(until), 225158, 250.0, "ml")


def _moments(chance: Random, begins: datetime, ends: datetime, number: int) -> list[datetime]:
    """So many moments between two, in order; now and then the same one twice."""
    span = int((ends - begins).total_seconds() // 60)
    found = sorted(begins + timedelta(minutes=chance.randint(0, max(span, 1))) for _ in range(number))
    if len(found) > 2 and chance.random() < 0.3:
        found[1] = found[0]
    return found


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S")
