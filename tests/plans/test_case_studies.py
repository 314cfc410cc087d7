"""Five questions of EHRAgent's case studies (EMNLP 2024, figures 10 to 14) as plans in its call grammar, on the demo
database: their right plans run, and faulty drafts of them are diagnosed as the paper describes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ehrtui.demo.build import build
from ehrtui.engines.engine import Engine, Row
from ehrtui.engines.opening import open_engine
from ehrtui.errors import PlanError
from ehrtui.plans.diagnosis import Diagnosis, Facts
from ehrtui.plans.rubber_duck import diagnose
from ehrtui.plans.runner import PlanRunner
from tests.plans.conftest import as_written
from tests.small_mimic import NOW

Answer = Callable[[str], list[Row]]
Diagnosed = Callable[[str], Diagnosis]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    path: Path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build(path, patients=60, seed=0, progress=lambda doing, share: None, cancelled=lambda: False)
    engine = open_engine(str(path))
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def demo_runner(demo: Engine) -> Iterator[PlanRunner]:
    runner = PlanRunner(demo, now=NOW)
    yield runner
    runner.close()


@pytest.fixture
def answer(demo: Engine, demo_runner: PlanRunner) -> Answer:
    def answer(plan: str) -> list[Row]:
        outcome = demo_runner.run(plan, expand=as_written, name="answer", report=lambda _: None)
        return demo.page("answer", 0, outcome.row_count)

    return answer


@pytest.fixture
def diagnosed(demo: Engine, answer: Answer) -> Diagnosed:
    def diagnosed(plan: str) -> Diagnosis:
        with pytest.raises(PlanError) as caught:
            answer(plan)
        return diagnose(caught.value, plan, Facts(demo, NOW))

    return diagnosed


@pytest.fixture(scope="module")
def patient(demo: Engine) -> int:
    """A patient with several hospital stays and an intensive care stay, who had a drug in more than one of them."""
    found = demo.read(
        "SELECT subject_id FROM prescriptions WHERE subject_id IN (SELECT subject_id FROM icustays) AND dose_val_rx NOT"
        " GLOB '*[^0-9.]*' GROUP BY subject_id, drug ORDER BY count(DISTINCT hadm_id) DESC, count(*) DESC, 1 LIMIT 1"
    )
    return int(str(found[0][0]))


@pytest.fixture(scope="module")
def drug(demo: Engine, patient: int) -> str:
    found = demo.read(
        f"SELECT drug FROM prescriptions WHERE subject_id = {patient} AND dose_val_rx NOT GLOB '*[^0-9.]*'"
        " GROUP BY drug ORDER BY count(DISTINCT hadm_id) DESC, count(*) DESC, 1 LIMIT 1"
    )
    return str(found[0][0])


TOTAL_DOSE = """\
patient_db = LoadDB('admissions')
filtered_patient_db = FilterDB(patient_db, 'SUBJECT_ID={patient}')
hadm_id_list = GetValue(filtered_patient_db, 'HADM_ID, list')
dose = 0
for hadm_id in hadm_id_list:
    prescriptions_db = LoadDB('prescriptions')
    filtered_db = FilterDB(prescriptions_db, 'HADM_ID={{}}||DRUG={drug}'.format(hadm_id))
    for value in GetValue(filtered_db, 'DOSE_VAL_RX, list'):
        dose += float(value)
answer = dose
"""

LENGTH_OF_STAY = """\
admissions_db = LoadDB('admissions')
filtered_db = FilterDB(admissions_db, 'SUBJECT_ID={patient}||DISCHTIME is not null||min(ADMITTIME)')
admit_time = GetValue(filtered_db, 'ADMITTIME')
discharge_time = GetValue(filtered_db, 'DISCHTIME')
answer = Calculate("days('{{}}', '{{}}')".format(discharge_time, admit_time))
"""

LAB_COMPARISON = """\
labitem_db = LoadDB('d_labitems')
filtered_labitem_db = FilterDB(labitem_db, 'LABEL=rdw')
itemid = GetValue(filtered_labitem_db, 'ITEMID')
lab_db = LoadDB('labevents')
filtered_lab_db = FilterDB(lab_db, 'SUBJECT_ID={patient}||ITEMID=' + str(itemid))
first = GetValue(FilterDB(filtered_lab_db, 'min(CHARTTIME)'), 'VALUENUM')
last = GetValue(FilterDB(filtered_lab_db, 'max(CHARTTIME)'), 'VALUENUM')
answer = 1 if Calculate('{{}} > {{}}'.format(last, first)) else 0
"""

ICU_STAY = """\
icustays_db = LoadDB('icustays')
filtered_db = FilterDB(icustays_db, 'SUBJECT_ID={patient}||max(INTIME)')
begin = GetValue(filtered_db, 'INTIME')
end = GetValue(filtered_db, 'OUTTIME')
answer = Calculate("hours('%s', '%s')" % (end, begin))
"""

CARE_UNIT = """\
icustays_db = LoadDB('icustays')
filtered_db = FilterDB(icustays_db, 'FIRST_CAREUNIT=micu||INTIME>=' + Calendar('-2 year'))
patients = GetValue(filtered_db, 'SUBJECT_ID, list')
answer = len(set(patients))
"""


def only(demo: Engine, sql: str) -> object:
    return demo.read(sql)[0][0]


def test_the_total_dose_of_a_drug_over_all_admissions(demo: Engine, answer: Answer, patient: int, drug: str) -> None:
    expected = only(
        demo,
        f"SELECT sum(CAST(dose_val_rx AS REAL)) FROM prescriptions WHERE subject_id = {patient} AND drug = '{drug}'",
    )
    assert answer(TOTAL_DOSE.format(patient=patient, drug=drug)) == [(expected,)]


def test_the_length_of_a_hospital_stay(demo: Engine, answer: Answer, patient: int) -> None:
    expected = only(
        demo,
        f"SELECT julianday(dischtime) - julianday(admittime) FROM admissions WHERE subject_id = {patient}"
        " AND dischtime IS NOT NULL ORDER BY admittime LIMIT 1",
    )
    assert answer(LENGTH_OF_STAY.format(patient=patient)) == [(pytest.approx(expected),)]


def test_whether_a_lab_value_rose(demo: Engine, answer: Answer, patient: int) -> None:
    values = [
        row[0]
        for row in demo.read(
            "SELECT valuenum FROM labevents JOIN d_labitems USING (itemid) WHERE label = 'rdw'"
            f" AND subject_id = {patient} ORDER BY charttime"
        )
    ]
    assert len(values) > 1
    assert answer(LAB_COMPARISON.format(patient=patient)) == [(int(values[-1] > values[0]),)]  # type: ignore[operator]


def test_the_length_of_an_intensive_care_stay(demo: Engine, answer: Answer, patient: int) -> None:
    expected = only(
        demo,
        f"SELECT 24 * (julianday(outtime) - julianday(intime)) FROM icustays WHERE subject_id = {patient}"
        " ORDER BY intime DESC LIMIT 1",
    )
    assert answer(ICU_STAY.format(patient=patient)) == [(pytest.approx(expected),)]


def test_the_number_of_patients_in_a_care_unit(demo: Engine, answer: Answer) -> None:
    expected = only(
        demo,
        "SELECT count(DISTINCT subject_id) FROM icustays"
        " WHERE first_careunit = 'micu' AND intime >= '2103-12-31 23:59:00'",
    )
    assert expected
    assert answer(CARE_UNIT) == [(expected,)]


def test_the_patients_number_for_an_admissions(
    demo: Engine, answer: Answer, diagnosed: Diagnosed, patient: int, drug: str
) -> None:
    draft = (
        "prescriptions_db = LoadDB('prescriptions')\n"
        f"filtered_db = FilterDB(prescriptions_db, 'HADM_ID={patient}||DRUG={drug}')\n"
        "doses = GetValue(filtered_db, 'DOSE_VAL_RX, list')\n"
        "answer = sum(float(dose) for dose in doses)\n"
    )
    diagnosis = diagnosed(draft)
    assert diagnosis.cause == "wrong identifier"
    assert "subject_id" in diagnosis.text
    assert answer(str(diagnosis.repair)) == answer(TOTAL_DOSE.format(patient=patient, drug=drug))


def test_a_name_without_its_dictionary(answer: Answer, diagnosed: Diagnosed, patient: int) -> None:
    right = LAB_COMPARISON.format(patient=patient)
    draft = right.replace(f"'SUBJECT_ID={patient}||ITEMID=' + str(itemid)", f"'SUBJECT_ID={patient}||LABEL=rdw'")
    assert draft != right
    diagnosis = diagnosed(draft)
    assert diagnosis.cause == "missing dictionary join"
    assert "d_labitems" in diagnosis.text
    assert answer(str(diagnosis.repair)) == answer(right)


def test_a_list_where_one_value_is_expected(
    demo: Engine, answer: Answer, diagnosed: Diagnosed, patient: int, drug: str
) -> None:
    draft = (
        f"filtered_patient_db = FilterDB(LoadDB('admissions'), 'SUBJECT_ID={patient}')\n"
        "hadm_id = GetValue(filtered_patient_db, 'HADM_ID')\n"
        f"filtered_db = FilterDB(LoadDB('prescriptions'), 'HADM_ID={{}}||DRUG={drug}'.format(hadm_id))\n"
        "answer = sum(float(dose) for dose in GetValue(filtered_db, 'DOSE_VAL_RX, list'))\n"
    )
    diagnosis = diagnosed(draft)
    assert diagnosis.cause == "many values where one is expected"
    assert answer(str(diagnosis.repair)) == answer(TOTAL_DOSE.format(patient=patient, drug=drug))


def test_a_difference_of_texts(answer: Answer, diagnosed: Diagnosed, patient: int) -> None:
    right = LENGTH_OF_STAY.format(patient=patient)
    draft = right[: right.index("answer =")] + "answer = discharge_time - admit_time\n"
    diagnosis = diagnosed(draft)
    assert diagnosis.cause == "date arithmetic on text"
    assert answer(str(diagnosis.repair)) == [(pytest.approx(answer(right)[0][0]),)]
