"""How clinicians talk in passing: figures of the group in question, "and" and "also", drugs of now, readmissions."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.evaluation.rightness import shows_answer
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.parse import parse
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn, Proposal
from ehrtui.schema.detection import load_profile
from tests import made_hospital, small_mimic, small_native
from tests.logic.compiled import compile_logic
from tests.planning.conftest import planner_of

SURE = 0.7

_WITHOUT_TIMES = """
CREATE TABLE patients (patient_id INTEGER, gender TEXT);
CREATE TABLE admissions (patient_id INT, age INT, ward TEXT);
CREATE TABLE diagnoses (patient_id INT, diagnosis TEXT);
INSERT INTO patients VALUES (1, 'F'), (2, 'M'), (NULL, 'M');
INSERT INTO admissions VALUES (1, 50, 'a'), (2, 61, 'b');
INSERT INTO diagnoses VALUES (1, 'asthma'), (2, 'asthma');
"""


@pytest.fixture(scope="module")
def without_times(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("guessed") / "clinic.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_WITHOUT_TIMES)
    return path


def said(planner: OfflinePlanner, path: Path, *questions: str) -> tuple[Proposal, list[tuple[object, ...]]]:
    """What is made of the last question, and its rows, when the others were asked before it."""
    history: list[PastTurn] = []
    proposal, rows = planner.propose(questions[0], ()), []
    with closing(sqlite3.connect(path)) as connection:
        for number, question in enumerate(questions, start=1):
            proposal, rows = planner.propose(question, history), []
            if proposal.sql is None:
                break
            sql = proposal.sql
            for earlier in reversed(history):
                sql = sql.replace(f"(PREV_RESULT{earlier.number})", f"({earlier.sql})")
            found = connection.execute(sql)
            columns, rows = tuple(column[0] for column in found.description), found.fetchall()
            answered = "abstained" if proposal.reason or proposal.confidence < SURE else "answered"
            history.append(
                PastTurn(number, question, proposal.logic, sql, columns, len(rows), answered, proposal.confidence)
            )
    return proposal, rows


LISTED = [(101, "f", 57), (101, "f", 59), (102, "m", 73), (104, "m", 52)]
"""Of each stay with heart failure: patient, sex and age."""
WITH_HEART_FAILURE = "patients with chf nos"  # 101, 102 and 104


@pytest.mark.parametrize(
    ("questions", "rows"),
    [
        # a figure is of the group that the conversation is about: creatinines of 101 and 102
        ((WITH_HEART_FAILURE, "mean creatinine"), [(2.24,)]),
        ((WITH_HEART_FAILURE, "what is the mean creatinine?"), [(2.24,)]),
        (("how many patients have chf nos?", "avg creatinine"), [(2.24,)]),
        ((WITH_HEART_FAILURE, "what is the lowest creatinine of the women?"), [(1.1,)]),
        ((WITH_HEART_FAILURE, "how many", "max creatinine"), [(4.6,)]),
        ((WITH_HEART_FAILURE, "max creatinine", "highest potassium"), [(5.8,)]),
        ((WITH_HEART_FAILURE, "mean age of those who died"), [(73.0,)]),
        ((WITH_HEART_FAILURE, "those who died"), [(102,)]),
        # of everybody only where that is said, or where a group of its own is named
        ((WITH_HEART_FAILURE, "what is the lowest creatinine of all patients?"), [(0.7,)]),
        ((WITH_HEART_FAILURE, "lowest creatinine of patients with pneumonia, organism nos"), [(0.7,)]),
        # "any" asks whether any of them had it
        ((WITH_HEART_FAILURE, "any hemodialysis?"), [(1,)]),
        ((WITH_HEART_FAILURE, "any ceftriaxone?"), [(0,)]),
        # "and" adds, "and for" and a question mark replace
        (("patients prescribed furosemide", "and aspirin"), [(101,)]),
        (("patients prescribed furosemide", "and with aspirin?"), [(101,)]),
        (("patients prescribed furosemide", "aspirin as well"), [(101,)]),
        (("patients prescribed furosemide", "and for aspirin"), [(101,), (103,)]),
        (("patients prescribed furosemide", "what about aspirin?"), [(101,), (103,)]),
        (("patients prescribed furosemide in 2103", "also aspirin"), []),
        # readmissions of a group and of a time; 102 days lie between the stays of 104 and more between those of 101
        (("patients prescribed metoprolol", "how many were readmitted within 1 year"), [(1,)]),
        ((WITH_HEART_FAILURE, "who was readmitted within 300 days"), [(104,)]),
        (("patients discharged in 2104 and readmitted within 1 year",), [(104,)]),
        (("how many readmissions were there in 2104?",), [(1,)]),
        (("was patient 104 readmitted within 1 year?",), [(1,)]),
        # drugs of now: none that was stopped, none of an earlier stay
        (("who is on ceftriaxone now",), [(103,), (105,)]),
        (("patients currently on aspirin",), [(103,)]),
        (("what is patient 103 on right now",), [("aspirin",), ("ceftriaxone",)]),
        (("what is patient 101 on now",), []),
        ((WITH_HEART_FAILURE, "any on aspirin now?"), [(0,)]),
        # two values side by side
        (("first and last creatinine of patient 101",), [(1.1, 1.2)]),
        (("min and max creatinine of patient 102",), [(2.9, 4.6)]),
        (("last creatinine and potassium of patient 102",), [(4.6, 5.8)]),
        (("lowest and highest creatinine of patients with chf nos",), [(1.1, 4.6)]),
        # cultures
        (("patients with a positive culture",), [(103,)]),
        (("how many blood cultures were negative",), [(1,)]),
        (("what grew in the sputum of patient 103",), [("streptococcus pneumoniae",)]),
        # counts one after the other are of the same group, and so are women
        ((WITH_HEART_FAILURE, "how many were discharged home", "how many died"), [(1,)]),
        ((WITH_HEART_FAILURE, "mean age", "how many women"), [(1,)]),
        # behind a number, how many records or patients it is of
        (("mean creatinine of women in 2104", "how many"), [(2,)]),
        (("mean creatinine of women in 2104", "how many patients"), [(1,)]),
        # admitted with a diagnosis, in a time
        (("pts admitted w/ chf nos in 2104",), [(101,), (102,)]),
        (("how many patients were admitted in 2105 with chf nos",), [(1,)]),
        # several numbers, of one test or of two
        (("min, max and mean creatinine of patient 101",), [(1.1, 1.4, pytest.approx(3.7 / 3))]),
        (("lowest hemoglobin and highest creatinine of patient 102",), [(8.7, 4.6)]),
        # several answers at once
        (("how many patients were prescribed aspirin?", "and furosemide?", "how many got both?"), [(1,)]),
        (("how many patients were prescribed aspirin?", "and furosemide?", "either of them?"), [(4,)]),
        (("how many patients were prescribed aspirin?", "and furosemide?", "who got neither?"), [(105,)]),
        (("Count of stays given both aspirin and furosemide.",), [(1,)]),
        (("list the patients with chf nos, with sex and age",), LISTED),
        # the same rows otherwise: by stays, patients, groups, as a share
        (("how many patients were diagnosed with chf nos?", "how many stays is it?"), [(4,)]),
        (("how many hospital stays lasted longer than 3 days?", "how many patients is that?"), [(3,)]),
        ((WITH_HEART_FAILURE, "how many of these are female?", "and as a percentage?"), [(pytest.approx(100 / 3),)]),
        (("how many patients were prescribed aspirin?", "what share is that of all patients?"), [(40.0,)]),
        (("how many patients were diagnosed with chf nos?", "by gender?"), [("f", 1), ("m", 2)]),
        # another length of time
        (("how many hospital stays lasted longer than 3 days?", "make it 7 days"), [(4,)]),
        # a whole question is not narrowed to the group before it
        ((WITH_HEART_FAILURE, "what is the average length of stay of patients by gender?"),
         [("f", pytest.approx(7.6458333)), ("m", pytest.approx(9.3611111))]),
        # "and aspirin" behind a count asks the same of something else, with a question mark or without
        (("how many patients were prescribed furosemide?", "and aspirin"), [(2,)]),
        # a percentage among others
        (("what percentage of women among patients with chf nos",), [(pytest.approx(100 / 3),)]),
    ],
)  # fmt: skip
def test_what_is_said_at_the_bedside_has_its_answer(
    planner: OfflinePlanner, ehr: Path, questions: tuple[str, ...], rows: list[tuple[object, ...]]
) -> None:
    proposal, found = said(planner, ehr, *questions)
    assert proposal.reason == ""
    assert proposal.confidence >= SURE
    same = sorted(found) == sorted(rows) or found == [pytest.approx(row) for row in rows]
    assert same or shows_answer(found, rows), proposal.sql


@pytest.mark.parametrize(
    ("questions", "says"),
    [
        # of whom, behind a count of some of the group, or with a time of its own
        ((WITH_HEART_FAILURE, "how many of them died?", "what is the mean creatinine?"), "does not say of whom"),
        ((WITH_HEART_FAILURE, "how many admissions in 2104"), "does not say of whom"),
        (("mean creatinine of women", "mean age"), "does not say of whom"),
        ((WITH_HEART_FAILURE, "how many patients were there?"), "does not say of whom"),
        (("abnormal labs of patient 101",), "give a limit instead"),
        (("readmission rate in 2104",), "counted in several ways"),
    ],
)
def test_what_may_mean_two_things_is_declined_with_what_to_say(
    planner: OfflinePlanner, ehr: Path, questions: tuple[str, ...], says: str
) -> None:
    proposal, _ = said(planner, ehr, *questions)
    assert says in proposal.reason


@pytest.mark.parametrize(
    "question",
    [
        "positive creatinine of patient 102",
        "mean hemodialysis of patient 102",
        "how many patients with no show",  # nothing is there that they could lack
    ],
)
def test_a_number_or_a_name_that_is_left_out_is_doubted(planner: OfflinePlanner, question: str) -> None:
    assert planner.propose(question, ()).confidence < SURE


def test_a_name_of_several_kinds_is_of_its_partners_kind(planner: OfflinePlanner) -> None:
    found = planner.propose("patients on aspirin but not furosemide", ()).logic
    assert found == 'patients with (prescription "aspirin") without (prescription "furosemide")'


def test_labs_are_abnormal_where_the_records_flag_them(tmp_path: Path) -> None:
    path = small_native.build(tmp_path / "native.sqlite")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE labevents ADD COLUMN flag VARCHAR(20)")
        connection.execute("UPDATE labevents SET flag = 'abnormal' WHERE row_id IN (SELECT MIN(row_id) FROM labevents)")
        flagged = [(1,)]
    with planner_of(path, small_native.NOW) as planner:
        proposal, found = said(planner, path, "how many abnormal labs were there?")
        assert (proposal.reason, found) == ("", flagged)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("list the ages", [(50,), (61,)]),
        ("what is the age of patient 1?", [(50,)]),
        ("average age", [(55.5,)]),
        ("count patients", [(2,)]),
        ("list patients", [(1,), (2,)]),
        ("how many admissions", [(2,)]),
    ],
)
def test_a_guessed_profile_answers_what_needs_no_time(
    without_times: Path, question: str, rows: list[tuple[object, ...]]
) -> None:
    with planner_of(without_times, "2021-12-31 23:59:00") as planner:
        proposal, found = said(planner, without_times, question)
        assert (proposal.reason, sorted(found)) == ("", sorted(rows))


@pytest.mark.parametrize(
    "question",
    [
        "when was patient 1 admitted?",
        "last diagnosis of patient 1",
        "monthly maximum number of patients with asthma",
        "length of stay of patient 1",
        "patients with two prescriptions",
        "number of patients per year",
    ],
)
def test_a_guessed_profile_declines_what_needs_more_than_it_knows(without_times: Path, question: str) -> None:
    with planner_of(without_times, "2021-12-31 23:59:00") as planner:
        proposal, _ = said(planner, without_times, question)
        assert proposal.reason or proposal.confidence < SURE


def test_two_values_side_by_side_are_named(planner: OfflinePlanner, ehr: Path) -> None:
    logic = parse(
        '(first value of lab "creatinine" for patient 101) beside (last value of lab "creatinine" for patient 101)'
    )
    engine = open_engine(str(ehr))
    profile = load_profile(engine.schema(), engine.read)
    engine.close()
    sql = flat_sql(compile_logic(logic, profile, now=small_mimic.NOW, turns={}))
    with closing(sqlite3.connect(ehr)) as connection:
        assert [column[0] for column in connection.execute(sql).description] == ["first_creatinine", "last_creatinine"]


@pytest.mark.parametrize(
    ("questions", "rows"),
    [
        # who was picked is the one who was spoken of last, and not who was named before
        (
            ("which drugs did patient 101 get?", "who had the longest hospital stay?", "what was their diagnosis?"),
            [("acute kidney failure nos",), ("chf nos",)],
        ),
        (
            ("which drugs did patient 101 get?", "which patient had the highest creatinine?", "was he a man?"),
            [(1,)],
        ),
        (("which patient had the highest creatinine?", "what drugs did they get?", "is patient 102 in A1?"), [(1,)]),
        (("which patient had the highest creatinine?", "is patient 101 in A1?"), [(0,)]),
        (("which patients got aspirin?", "is patient 101 one of them?", "and patient 102?"), [(0,)]),
        (("which patients got aspirin?", "is patient 102 one of them?", "is patient 101 one of them?"), [(1,)]),
        (("which patients got aspirin?", "is patient 102 one of them?"), [(0,)]),
        (("which patients got aspirin?", "how many are women?", "was patient 103 in A1?"), [(1,)]),
    ],
)
def test_who_was_picked_or_listed_is_meant(
    planner: OfflinePlanner, ehr: Path, questions: tuple[str, ...], rows: list[tuple[object, ...]]
) -> None:
    proposal, found = said(planner, ehr, *questions)
    assert proposal.confidence >= SURE
    assert shows_answer(rows, found)


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("how many of the men over 65 died in hospital?", "age > 65"),
        ("what share of the patients over 60 died in hospital?", "age > 60"),
        ("how many hospital deaths were there?", "hospital death = 1"),
    ],
)
def test_a_flag_that_is_kept_has_no_kinds(tmp_path: Path, question: str, condition: str) -> None:
    with planner_of(made_hospital.build(tmp_path / "flags.sqlite"), made_hospital.NOW) as planner:
        proposal = planner.propose(question, ())
    assert proposal.confidence >= SURE
    assert condition in (proposal.logic or "")
    assert "distinct hospital death" not in (proposal.logic or "")


def test_that_time_is_the_stay_that_was_spoken_of(planner: OfflinePlanner, ehr: Path) -> None:
    proposal, _ = said(planner, ehr, "admissions of patient 101", "which icu was she in that time?")
    assert "care unit" in (proposal.logic or "")


def test_who_is_alive_is_no_answer_to_who_left_so(planner: OfflinePlanner, ehr: Path) -> None:
    proposal, _ = said(planner, ehr, "admissions of patient 101", "did she make it out alive?")
    assert proposal.confidence < SURE
