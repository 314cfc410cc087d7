from __future__ import annotations

from collections.abc import Callable

import pytest

from ehrtui.engines.engine import Engine, Row
from ehrtui.errors import PlanError, ToolError
from ehrtui.plans.reports import Outcome
from ehrtui.plans.tools import TOOLS

Answer = Callable[[str], list[Row]]
Run = Callable[[str], Outcome]


def failure(run: Run, plan: str) -> PlanError:
    with pytest.raises(PlanError) as caught:
        run(plan)
    return caught.value


def test_every_tool_says_how_it_is_called(run: Run) -> None:
    assert [tool.signature for tool in TOOLS] == [
        "LoadDB(name)",
        "FilterDB(table, conditions)",
        "GetValue(table, column)",
        "SQLInterpreter(sql, **tables)",
        "Calendar(duration)",
        "Calculate(expression)",
    ]
    for tool in TOOLS:
        assert tool.description.endswith(".")
        run(f"answer = {tool.example}")


def test_load_db_finds_a_table_in_any_case(answer: Answer) -> None:
    assert answer('answer = len(LoadDB("PATIENTS"))') == [(5,)]


def test_a_table_that_is_not_there_is_answered_with_near_names(run: Run) -> None:
    error = failure(run, 'answer = LoadDB("prescription")')
    assert isinstance(error, ToolError)
    assert error.suggestions[0] == "prescriptions"
    assert "admissions" in error.why


def test_a_column_that_is_not_there_is_answered_with_all_and_near_names(run: Run) -> None:
    error = failure(run, 'answer = FilterDB(LoadDB("patients"), "gander=f")')
    assert error.suggestions[0] == "gender"
    assert "dob" in error.why


@pytest.mark.parametrize(
    ("conditions", "hadm_ids"),
    [
        ("subject_id=101", [1001, 1002]),
        ("subject_id='101'", [1001, 1002]),
        ("SUBJECT_ID = 101 || admission_type = urgent", [1002]),
        ("age>=52||age<59", [1001, 1006]),
        ("age>57||age<=73||subject_id!=102", [1002]),
        ("subject_id in [101, 103]||hadm_id in [1002, 1004]", [1002, 1004]),
        ("subject_id in []", []),
        ("admission_location like %hosp/%", [1007]),
        ("ethnicity=hispanic or latino", [1004]),
        ("dischtime is null", [1004, 1007]),
        ("dischtime is not null||subject_id=104", [1005, 1006]),
        ("admittime>=2105-05-02||admittime<2105-12-21", [1004, 1006]),
        ("admittime like 2105-12%", [1004, 1007]),
        ("subject_id=104||max(admittime)", [1006]),
        ("max(admittime)||subject_id=104", []),
        ("min(admittime)", [1001]),
        ("dischtime is not null||max(dischtime)||min(age)", [1006]),
    ],
)
def test_filters_keep_the_right_rows_in_one_statement(answer: Answer, conditions: str, hadm_ids: list[int]) -> None:
    rows = answer(f'answer = FilterDB(LoadDB("admissions"), {conditions!r})')
    assert sorted(row[2] for row in rows) == hadm_ids  # type: ignore[type-var]


def test_filters_compose(run: Run, engine: Engine) -> None:
    outcome = run(
        'stays = FilterDB(LoadDB("admissions"), "subject_id=104")\n'
        'last = FilterDB(stays, "max(admittime)")\n'
        'answer = FilterDB(last, "age>50")'
    )
    assert outcome.statement is not None
    assert outcome.statement.flat == (
        "SELECT * FROM admissions WHERE subject_id = 104"
        " AND admittime = (SELECT MAX(admittime) FROM admissions WHERE subject_id = 104) AND age > 50"
    )
    assert [step.rows for step in outcome.steps] == [2, 1, 1]


def test_text_of_digits_is_compared_as_the_text_that_is_stored(answer: Answer) -> None:
    assert len(answer('answer = FilterDB(LoadDB("prescriptions"), "dose_val_rx=40")')) > 0


@pytest.mark.parametrize("condition", ["dose_val_rx>5", "max(dose_val_rx)", "min(drug)"])
def test_text_is_never_put_in_alphabetical_order_silently(run: Run, condition: str) -> None:
    error = failure(run, f'answer = FilterDB(LoadDB("prescriptions"), "{condition}")')
    assert "alphabetical" in error.what


def test_a_text_is_not_compared_with_a_column_of_numbers(run: Run) -> None:
    error = failure(run, 'answer = FilterDB(LoadDB("admissions"), "age=1||subject_id=furosemide")')
    assert "holds numbers" in error.what
    assert "position 7" in error.why


def test_a_year_is_not_compared_with_a_column_of_dates(run: Run) -> None:
    error = failure(run, 'answer = FilterDB(LoadDB("admissions"), "admittime>2105")')
    assert "holds dates" in error.what
    assert "2105-01-01" in error.next_step


def test_the_result_of_sql_is_filtered_by_what_it_holds(answer: Answer) -> None:
    plan = (
        'counts = SQLInterpreter("SELECT drug, count(*) AS n FROM prescriptions GROUP BY drug")\n'
        'answer = FilterDB(counts, "drug=furosemide||n>=4")'
    )
    assert answer(plan) == [("furosemide", 4)]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('GetValue(FilterDB(LoadDB("patients"), "subject_id=102"), "gender")', [("m",)]),
        ('GetValue(FilterDB(LoadDB("patients"), "subject_id in [101, 102]"), "GENDER")', [("f",), ("m",)]),
        ('GetValue(FilterDB(LoadDB("patients"), "subject_id=102"), "gender, list")', [("m",)]),
        ('GetValue(FilterDB(LoadDB("patients"), "subject_id=999"), "gender")', []),
        ('GetValue(FilterDB(LoadDB("patients"), "subject_id=999"), "subject_id, mean")', [(None,)]),
        ('GetValue(FilterDB(LoadDB("patients"), "subject_id=999"), "subject_id, count")', [(0,)]),
        ('GetValue(LoadDB("patients"), "dod, count")', [(1,)]),
        ('GetValue(LoadDB("patients"), "dob, max")', [("2071-12-05 00:00:00",)]),
        ('GetValue(LoadDB("admissions"), "age, mean")', [(53.0,)]),
        ('GetValue(LoadDB("admissions"), "age,sum")', [(371,)]),
        ('GetValue(SQLInterpreter("SELECT 9 AS x UNION SELECT 10"), "x, max")', [(10,)]),
        ("GetValue(SQLInterpreter(\"SELECT '9' AS x UNION SELECT '10'\"), \"x, max\")", [(10.0,)]),
        ("GetValue(SQLInterpreter(\"SELECT '9' AS x UNION SELECT '10'\"), \"x, mean\")", [(9.5,)]),
        ("GetValue(SQLInterpreter(\"SELECT 'iv' AS x UNION SELECT '10'\"), \"x, max\")", [("iv",)]),
    ],
)
def test_values(answer: Answer, call: str, expected: list[Row]) -> None:
    assert answer(f"answer = {call}") == expected


def test_a_value_is_also_a_query(run: Run) -> None:
    outcome = run('answer = GetValue(FilterDB(LoadDB("labevents"), "subject_id=101"), "valuenum, mean")')
    assert outcome.columns == ("mean_valuenum",)
    assert outcome.statement is not None
    assert outcome.statement.flat == "SELECT AVG(valuenum) AS mean_valuenum FROM labevents WHERE subject_id = 101"


def test_a_list_that_python_changed_is_no_query(run: Run, engine: Engine) -> None:
    outcome = run('answer = GetValue(LoadDB("patients"), "subject_id, list")\nanswer.reverse()')
    assert engine.page("answer", 0, 2) == [(105,), (104,)]
    assert outcome.statement is None


def test_text_has_no_mean(run: Run) -> None:
    error = failure(run, 'answer = GetValue(LoadDB("prescriptions"), "drug, mean")')
    assert "no mean" in error.what


def test_an_unknown_aggregate_is_answered_with_those_there_are(run: Run) -> None:
    error = failure(run, 'answer = GetValue(LoadDB("patients"), "gender, maen")')
    assert error.suggestions[0] == "mean"


def test_sql_names_tables_of_the_plan(run: Run, answer: Answer) -> None:
    plan = (
        'stays = SQLInterpreter("SELECT hadm_id FROM admissions WHERE subject_id = 101")\n'
        'drugs = SQLInterpreter("SELECT drug FROM prescriptions WHERE hadm_id IN (SELECT hadm_id FROM stays)",'
        " stays=stays)\n"
        'answer = SQLInterpreter("SELECT DISTINCT drug FROM drugs ORDER BY drug", drugs=drugs)'
    )
    assert answer(plan)[0] == ("aspirin",)
    outcome = run(plan)
    assert outcome.statement is not None
    assert outcome.statement.flat.startswith(
        "WITH stays AS (\nSELECT hadm_id FROM admissions WHERE subject_id = 101\n),\ndrugs AS (\n"
    )


def test_sql_takes_a_filtered_table_under_the_name_of_its_table(answer: Answer) -> None:
    plan = (
        'admissions = FilterDB(LoadDB("admissions"), "subject_id=104")\n'
        'patients = LoadDB("patients")\n'
        'answer = SQLInterpreter("SELECT count(*), max(gender) FROM admissions JOIN patients USING (subject_id)",'
        " admissions=admissions, patients=patients)"
    )
    assert answer(plan) == [(2, "m")]


def test_the_rows_of_sql_are_computed_once(answer: Answer) -> None:
    plan = (
        'drawn = SQLInterpreter("SELECT abs(random()) AS number FROM patients")\n'
        'again = SQLInterpreter("SELECT number FROM drawn", drawn=drawn)\n'
        'answer = GetValue(drawn, "number, list") == GetValue(again, "number, list") == drawn["number"]'
    )
    assert answer(plan) == [(1,)]


@pytest.mark.parametrize(
    ("call", "what"),
    [
        ('FilterDB("patients", "gender=f")', "FilterDB takes a table; it was given a text"),
        ('FilterDB(LoadDB("patients"), ["gender=f"])', "it was given list"),
        ("GetValue(1, 'gender')", "a value of type int"),
        ("LoadDB(3)", "LoadDB takes the name of a table"),
        ("Calendar(-1)", "Calendar takes a duration"),
        ("Calculate(LoadDB('patients'))", "it was given a table"),
        ("SQLInterpreter('SELECT 1', stays=3)", "a value of type int"),
        ("FilterDB()", "arguments that it does not have"),
        ("LoadDB('patients', 'x')", "arguments that it does not have"),
    ],
)
def test_a_wrong_argument_is_named(run: Run, call: str, what: str) -> None:
    error = failure(run, f"answer = {call}")
    assert isinstance(error, ToolError)
    assert what in error.what
    assert error.line == 1
