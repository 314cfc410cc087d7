"""What every demo database must be: consistent between its tables, in time, and clinically."""

from __future__ import annotations

import sqlite3

import pytest

from ehrtui.demo.dictionaries import ANY, facts, fits

NOW = "2105-12-31 23:59:00"
TIMES = {
    "patients": ("dob", "dod"),
    "admissions": ("admittime", "dischtime"),
    "diagnoses_icd": ("charttime",),
    "procedures_icd": ("charttime",),
    "labevents": ("charttime",),
    "prescriptions": ("startdate", "enddate"),
    "cost": ("chargetime",),
    "chartevents": ("charttime",),
    "inputevents_cv": ("charttime",),
    "outputevents": ("charttime",),
    "microbiologyevents": ("charttime",),
    "icustays": ("intime", "outtime"),
    "transfers": ("intime", "outtime"),
}
TABLES = (*TIMES, "d_icd_diagnoses", "d_icd_procedures", "d_items", "d_labitems")
IN_HOSPITAL = ("diagnoses_icd", "procedures_icd", "labevents", "prescriptions", "cost", "microbiologyevents")
IN_ICU = ("chartevents", "inputevents_cv", "outputevents")


def number(demo: sqlite3.Connection, query: str) -> int:
    [(found,)] = demo.execute(query)
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_rows_numbered_from_one(demo: sqlite3.Connection, table: str) -> None:
    [(rows, first, last)] = demo.execute(f"SELECT count(*), min(row_id), max(row_id) FROM {table}")
    assert rows > 10
    assert (first, last) == (1, rows)


def test_there_are_no_other_tables(demo: sqlite3.Connection) -> None:
    names = {name for (name,) in demo.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert names == set(TABLES)


def test_foreign_keys_hold(demo: sqlite3.Connection) -> None:
    assert demo.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("table", [*IN_HOSPITAL, *IN_ICU, "icustays", "transfers"])
def test_the_patient_of_an_event_is_the_patient_of_its_visit(demo: sqlite3.Connection, table: str) -> None:
    wrong = f"SELECT count(*) FROM {table} e JOIN admissions a USING (hadm_id) WHERE e.subject_id <> a.subject_id"
    assert number(demo, wrong) == 0


@pytest.mark.parametrize(
    ("table", "time"),
    [
        ("diagnoses_icd", "charttime"),
        ("procedures_icd", "charttime"),
        ("labevents", "charttime"),
        ("prescriptions", "startdate"),
    ],
)
def test_every_priced_event_is_charged_once_at_its_time(demo: sqlite3.Connection, table: str, time: str) -> None:
    charged = number(
        demo,
        f"SELECT count(*) FROM {table} e JOIN cost c ON c.event_id = e.row_id AND c.event_type = '{table}' "
        f"AND c.hadm_id = e.hadm_id AND c.chargetime = e.{time}",
    )
    events = number(demo, f"SELECT count(*) FROM {table}")
    charges = number(demo, f"SELECT count(*) FROM cost WHERE event_type = '{table}'")
    assert charged == events == charges


def test_a_test_costs_everybody_the_same(demo: sqlite3.Connection) -> None:
    query = (
        "SELECT max(n) FROM (SELECT count(DISTINCT cost) AS n FROM cost JOIN labevents l ON l.row_id = event_id "
        "WHERE event_type = 'labevents' GROUP BY itemid)"
    )
    assert number(demo, query) == 1


@pytest.mark.parametrize("table", TIMES)
def test_times_are_well_formed_and_not_after_now(demo: sqlite3.Connection, table: str) -> None:
    for column in TIMES[table]:
        wrong = f"SELECT count(*) FROM {table} WHERE {column} > '{NOW}' OR {column} <> datetime({column})"
        assert number(demo, wrong) == 0
        if column != "dob":
            assert number(demo, f"SELECT count(*) FROM {table} WHERE {column} < '2100-01-01 00:00:00'") == 0


@pytest.mark.parametrize("table", IN_HOSPITAL)
def test_events_lie_within_their_visit(demo: sqlite3.Connection, table: str) -> None:
    for column in TIMES[table]:
        wrong = (
            f"SELECT count(*) FROM {table} e JOIN admissions a USING (hadm_id) "
            f"WHERE e.{column} < a.admittime OR e.{column} > a.dischtime"
        )
        assert number(demo, wrong) == 0


@pytest.mark.parametrize("table", IN_ICU)
def test_charted_events_lie_within_their_icu_stay(demo: sqlite3.Connection, table: str) -> None:
    wrong = (
        f"SELECT count(*) FROM {table} e JOIN icustays i USING (icustay_id) "
        "WHERE e.hadm_id <> i.hadm_id OR e.charttime < i.intime OR e.charttime > i.outtime"
    )
    assert number(demo, wrong) == 0


def test_ends_come_after_beginnings(demo: sqlite3.Connection) -> None:
    for table, begin, end in (
        ("admissions", "admittime", "dischtime"),
        ("icustays", "intime", "outtime"),
        ("transfers", "intime", "outtime"),
    ):
        assert number(demo, f"SELECT count(*) FROM {table} WHERE {end} <= {begin}") == 0
    assert number(demo, "SELECT count(*) FROM prescriptions WHERE enddate < startdate") == 0


def test_visits_of_a_patient_do_not_overlap(demo: sqlite3.Connection) -> None:
    wrong = (
        "SELECT count(*) FROM admissions a JOIN admissions b ON a.subject_id = b.subject_id "
        "AND a.admittime < b.admittime AND coalesce(a.dischtime, '9999') >= b.admittime"
    )
    assert number(demo, wrong) == 0


def test_transfers_cover_a_visit_without_gaps(demo: sqlite3.Connection) -> None:
    for hadm_id, admitted, discharged in demo.execute("SELECT hadm_id, admittime, dischtime FROM admissions"):
        moves = demo.execute(
            "SELECT eventtype, intime, outtime FROM transfers WHERE hadm_id = ? ORDER BY row_id", (hadm_id,)
        ).fetchall()
        assert moves[0][:2] == ("admit", admitted)
        assert [ended for _, _, ended in moves[:-1]] == [began for _, began, _ in moves[1:]]
        if discharged is None:
            assert moves[-1][0] != "discharge"
            assert moves[-1][2] is None
        else:
            assert moves[-1] == ("discharge", discharged, None)


def test_icu_stays_agree_with_the_transfers(demo: sqlite3.Connection) -> None:
    wrong = """
        SELECT count(*) FROM icustays i JOIN (
            SELECT icustay_id, min(intime) AS began, max(coalesce(outtime, '9999')) AS ended, count(careunit) AS n
            FROM transfers WHERE icustay_id IS NOT NULL GROUP BY 1
        ) t USING (icustay_id) WHERE began <> i.intime OR ended <> coalesce(i.outtime, '9999') OR n = 0"""
    assert number(demo, wrong) == 0
    assert number(demo, "SELECT count(*) FROM transfers WHERE (careunit IS NULL) <> (icustay_id IS NULL)") == 0


def test_ages_follow_from_the_dates_of_birth(demo: sqlite3.Connection) -> None:
    rows = demo.execute("SELECT dob, admittime, age FROM patients JOIN admissions USING (subject_id)").fetchall()
    for born, admitted, age in rows:
        assert age == int(admitted[:4]) - int(born[:4]) - (admitted[5:10] < born[5:10])
        assert 18 <= age <= 97


def test_a_tenth_of_the_patients_is_in_hospital_now(demo: sqlite3.Connection) -> None:
    assert number(demo, "SELECT count(DISTINCT subject_id) FROM admissions WHERE dischtime IS NULL") == 6
    assert number(demo, "SELECT count(*) FROM icustays WHERE outtime IS NULL") > 0
    assert number(demo, "SELECT count(*) FROM prescriptions WHERE enddate IS NULL") > 0
    not_current = (
        "SELECT count(*) FROM {} e JOIN admissions USING (hadm_id) WHERE e.{} IS NULL AND dischtime IS NOT NULL"
    )
    assert number(demo, not_current.format("prescriptions", "enddate")) == 0
    assert number(demo, not_current.format("icustays", "outtime")) == 0


def test_something_happens_on_the_last_day(demo: sqlite3.Connection) -> None:
    [(latest,)] = demo.execute(
        "SELECT max(charttime) FROM labevents WHERE subject_id = (SELECT min(subject_id) FROM patients)"
    )
    assert latest.startswith("2105-12-31")


def test_the_dead_do_not_come_back(demo: sqlite3.Connection) -> None:
    assert number(demo, "SELECT count(*) FROM patients WHERE dod IS NOT NULL") > 3
    after_death = (
        "SELECT count(*) FROM patients JOIN admissions USING (subject_id) WHERE coalesce(dischtime, '9') > dod"
    )
    assert number(demo, after_death) == 0
    in_hospital = (
        "SELECT count(*), sum(dischtime = dod) FROM patients JOIN admissions USING (subject_id) "
        "WHERE discharge_location = 'dead/expired'"
    )
    [(deaths, at_discharge)] = demo.execute(in_hospital)
    assert deaths == at_discharge > 0


def test_patients_come_back_with_what_they_had(demo: sqlite3.Connection) -> None:
    again = (
        "SELECT count(*) FROM (SELECT 1 FROM diagnoses_icd GROUP BY subject_id, icd9_code "
        "HAVING count(DISTINCT hadm_id) > 1)"
    )
    assert number(demo, again) > 5


def test_drugs_and_procedures_fit_the_diagnoses(demo: sqlite3.Connection) -> None:
    group_of = {diagnosis.code: diagnosis.group for diagnosis in facts().diagnoses}
    groups_of_drug: dict[str, frozenset[str]] = {}
    for drug in facts().drugs:
        groups_of_drug[drug.drug] = groups_of_drug.get(drug.drug, frozenset()) | drug.groups
    groups_of_procedure = {procedure.code: procedure.groups for procedure in facts().procedures}
    conditions: dict[int, set[str]] = {}
    for hadm_id, code in demo.execute("SELECT hadm_id, icd9_code FROM diagnoses_icd"):
        conditions.setdefault(hadm_id, set()).add(group_of[code])
    given = demo.execute("SELECT hadm_id, drug FROM prescriptions").fetchall()
    done = demo.execute("SELECT hadm_id, icd9_code FROM procedures_icd").fetchall()
    assert all(fits(groups_of_drug[drug], frozenset(conditions[hadm_id])) for hadm_id, drug in given)
    assert all(fits(groups_of_procedure[code], frozenset(conditions[hadm_id])) for hadm_id, code in done)
    assert sum(ANY not in groups_of_drug[drug] for _, drug in given) > len(given) / 3


def test_diagnoses_fit_sex_and_age(demo: sqlite3.Connection) -> None:
    known = {diagnosis.code: diagnosis for diagnosis in facts().diagnoses}
    rows = demo.execute(
        "SELECT icd9_code, gender, age FROM diagnoses_icd JOIN admissions USING (hadm_id) "
        "JOIN patients ON patients.subject_id = admissions.subject_id"
    )
    assert all(known[code].befalls(sex, age) for code, sex, age in rows)


def test_a_condition_shifts_its_laboratory_values(demo: sqlite3.Connection) -> None:
    creatinine = (
        "SELECT avg(valuenum) FROM labevents JOIN d_labitems USING (itemid) WHERE label = 'creatinine' "
        "AND hadm_id {} IN (SELECT hadm_id FROM diagnoses_icd WHERE icd9_code LIKE '584%')"
    )
    [(with_failure,)] = demo.execute(creatinine.format(""))
    [(without,)] = demo.execute(creatinine.format("NOT"))
    assert with_failure > 1.3 * without


def test_pressures_are_in_order(demo: sqlite3.Connection) -> None:
    readings: dict[tuple[int, str], dict[str, float]] = {}
    for icustay_id, time, label, value in demo.execute(
        "SELECT icustay_id, charttime, label, valuenum FROM chartevents JOIN d_items USING (itemid) "
        "WHERE label IN ('arterial bp [systolic]', 'arterial bp mean', 'arterial bp [diastolic]')"
    ):
        readings.setdefault((icustay_id, time), {})[label] = value
    assert len(readings) > 100
    for reading in readings.values():
        systolic, mean, diastolic = (reading[f"arterial bp {kind}"] for kind in ("[systolic]", "mean", "[diastolic]"))
        assert systolic > mean > diastolic


def test_height_never_changes(demo: sqlite3.Connection) -> None:
    spread = (
        "SELECT max(spread) FROM (SELECT max(valuenum) - min(valuenum) AS spread FROM chartevents "
        "JOIN d_items USING (itemid) WHERE label = 'admit ht' GROUP BY subject_id)"
    )
    assert demo.execute(spread).fetchone() == (0.0,)


def test_abnormal_values_drift_back_in_those_who_live(demo: sqlite3.Connection) -> None:
    deviation = """
        SELECT avg(abs(valuenum - 8.0)) FROM (
            SELECT valuenum, row_number() OVER (PARTITION BY hadm_id ORDER BY charttime {order}) AS place
            FROM labevents JOIN d_labitems USING (itemid) JOIN admissions USING (hadm_id)
            WHERE label = 'white blood cells' AND dischtime IS NOT NULL AND discharge_location <> 'dead/expired'
        ) WHERE place = 1"""
    [(at_first,)] = demo.execute(deviation.format(order="ASC"))
    [(at_last,)] = demo.execute(deviation.format(order="DESC"))
    assert at_last < 0.9 * at_first
