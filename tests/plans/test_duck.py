"""The rubber duck finds the cause of a plan's failure in evidence, and repairs it where it can."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.engines.engine import Engine, Row
from ehrtui.errors import EhrtuiError, LogicError, PlanError, QueryCancelled
from ehrtui.plans.diagnosis import UNKNOWN, Diagnosis, Facts
from ehrtui.plans.evidence import Case
from ehrtui.plans.explaining import explain
from ehrtui.plans.repairing import run_revising
from ehrtui.plans.reports import Outcome, ToolCall
from ehrtui.plans.rubber_duck import CAUSES, LONGEST, SUSPICIONS, diagnose, suspect
from tests.small_mimic import NOW

Run = Callable[[str], Outcome]
Answer = Callable[[str], list[Row]]

STAY = 'stay = FilterDB(LoadDB("admissions"), "hadm_id=1001")\n'
ENDS = 'begin = GetValue(stay, "admittime")\nend = GetValue(stay, "dischtime")\n'
IDS = 'ids = GetValue(FilterDB(LoadDB("admissions"), "subject_id=101"), "hadm_id, list")\n'
DOSES = 'doses = GetValue(FilterDB(LoadDB("prescriptions"), "drug=furosemide"), "dose_val_rx, list")\n'
NONE = 'none = FilterDB(LoadDB("labevents"), "hadm_id=1001||valuenum<-1")\n'

REPAIRED: list[tuple[str, str, list[Row]]] = [
    # what a condition asks for
    ("wrong case", 'answer = len(FilterDB(LoadDB("prescriptions"), "drug=Furosemide"))', [(4,)]),
    ("misspelt value", 'answer = len(FilterDB(LoadDB("prescriptions"), "route=iv||drug=furosmide"))', [(2,)]),
    ("misspelt value", 'd = "furosmide"\nanswer = len(FilterDB(LoadDB("prescriptions"), f"drug={d}"))', [(4,)]),
    ("value of another column", 'answer = len(FilterDB(LoadDB("admissions"), "insurance=widowed"))', [(1,)]),
    ("wrong identifier", 'answer = len(FilterDB(LoadDB("labevents"), "hadm_id=101"))', [(4,)]),
    ("wrong identifier", 'answer = len(FilterDB(LoadDB("icustays"), "icustay_id=1003"))', [(1,)]),
    ("wrong identifier", 'n = 2002\nanswer = len(FilterDB(LoadDB("labevents"), f"hadm_id={n}"))', [(4,)]),
    ("missing dictionary join", 'answer = len(FilterDB(LoadDB("labevents"), "itemid=creatinine"))', [(7,)]),
    ("missing dictionary join", 'answer = len(FilterDB(LoadDB("labevents"), "itemid=creatinin"))', [(7,)]),
    ("missing dictionary join", 'answer = len(FilterDB(LoadDB("labevents"), "label=creatinine"))', [(7,)]),
    ("missing dictionary join", 'answer = len(FilterDB(LoadDB("diagnoses_icd"), "icd9_code=chf nos"))', [(4,)]),
    ("column of another table", 'answer = len(FilterDB(LoadDB("admissions"), "gender=m"))', [(3,)]),
    ("year where a date is stored", 'answer = len(FilterDB(LoadDB("admissions"), "admittime>2104"))', [(3,)]),
    ("year where a date is stored", 'answer = len(FilterDB(LoadDB("admissions"), "admittime=2104"))', [(3,)]),
    ("wrong operator for text", 'answer = len(FilterDB(LoadDB("prescriptions"), "route=iv||dose_val_rx>9"))', [(3,)]),
    ("wrong operator for text", 'answer = FilterDB(LoadDB("prescriptions"), "max(dose_val_rx)")["drug"]',
     [("aspirin",)]),
    # the grammar of conditions
    ("wrong grammar", 'answer = len(FilterDB(LoadDB("prescriptions"), "subject_id=101 and route=po"))', [(2,)]),
    ("wrong grammar", 'answer = len(FilterDB(LoadDB("prescriptions"), "route=po && subject_id=101"))', [(2,)]),
    ("wrong grammar", 'answer = len(FilterDB(LoadDB("labevents"), "valuenum between 1 and 2"))', [(3,)]),
    ("wrong grammar", 'answer = len(FilterDB(LoadDB("admissions"), "dischtime is None"))', [(2,)]),
    ("wrong grammar", 'answer = len(FilterDB(LoadDB("labevents"), "valuenum=>5"))', [(4,)]),
    ("wrong grammar", 'answer = len(FilterDB(LoadDB("prescriptions"), "route=iv or route=po"))', [(10,)]),
    ("many values where one is expected", f'{IDS}answer = len(FilterDB(LoadDB("labevents"), f"hadm_id={{ids}}"))',
     [(4,)]),
    ("a list passed as text", f'{IDS}answer = len(FilterDB(LoadDB("labevents"), "hadm_id in ids"))', [(4,)]),
    ("a list passed as text", f'{IDS}answer = len(FilterDB(LoadDB("labevents"), "hadm_id in {{ids}}"))', [(4,)]),
    ("a list passed as text", f'{IDS}answer = len(FilterDB(LoadDB("labevents"), "hadm_id in " + ids))', [(4,)]),
    ("a variable passed as text", 'n = 1001\nanswer = len(FilterDB(LoadDB("labevents"), "hadm_id={n}"))', [(2,)]),
    # names and arguments
    ("unknown table", 'answer = len(LoadDB("perscriptions"))', [(10,)]),
    ("unknown column", 'answer = len(FilterDB(LoadDB("patients"), "gander=f"))', [(3,)]),
    ("unknown column", 'answer = GetValue(LoadDB("patients"), "subjectid, max")', [(105,)]),
    ("unknown aggregate", 'answer = GetValue(LoadDB("admissions"), "age, avg")', [(53.0,)]),
    ("several columns at once", f'{STAY}answer = GetValue(stay, "subject_id, age")', [(101, 57)]),
    ("table given by its name", 'answer = len(FilterDB("patients", "gender=f"))', [(3,)]),
    ("wrong arguments", 'answer = len(FilterDB(LoadDB("prescriptions"), "subject_id=101", "route=po"))', [(2,)]),
    ("wrong arguments", 'answer = len(FilterDB(LoadDB("prescriptions"), ["subject_id=101", "route=po"]))', [(2,)]),
    ("misread duration", 'answer = Calendar("2 years ago")', [("2103-12-31 23:59:00",)]),
    ("missing dictionary join", f'{NONE[:0]}rows = FilterDB(LoadDB("labevents"), "hadm_id=1001")\n'
     'answer = sorted(GetValue(rows, "label"))', [("creatinine",), ("potassium",)]),
    # values in Python
    ("date arithmetic on text", f"{STAY}{ENDS}answer = (end - begin).days", [(7,)]),
    ("date arithmetic on text", f"import datetime\n{STAY}{ENDS}answer = end > begin + datetime.timedelta(days=2)",
     [(1,)]),
    ("date arithmetic on text", f"{STAY}{ENDS}answer = end.year", [(2103,)]),
    ("another date format", f'from datetime import datetime\n{STAY}{ENDS}answer = datetime.strptime(end, "%Y").year',
     [(2103,)]),
    ("NULL in a date", 'ends = GetValue(LoadDB("admissions"), "dischtime")\nanswer = max(ends)',
     [("2105-05-12 10:00:00",)]),
    ("number stored as text", f"{DOSES}answer = sum(doses)", [(180.0,)]),
    ("number stored as text", f"{DOSES}answer = 0\nfor dose in doses:\n    answer += dose", [(180.0,)]),
    ("one value where several are expected", f'{STAY}ids = GetValue(stay, "hadm_id")\nanswer = [each for each in ids]',
     [(1001,)]),
    ("empty mean", f'{NONE}seen = GetValue(none, "valuenum, list")\nanswer = sum(seen) / len(seen)', [(None,)]),
    ("row addressed by a column's name", 'rows = FilterDB(LoadDB("patients"), "gender=m")\n'
     'answer = [row["subject_id"] for row in rows]', [(102,), (104,)]),
    ("table used as a data frame", f"{STAY}answer = stay.age", [(57,)]),
    ("table used as a data frame", 'answer = LoadDB("admissions").age.mean()', [(53.0,)]),
    ("table used as a data frame", 't = LoadDB("patients")\nt = t[t["gender"] == "f"]\nanswer = len(t)', [(3,)]),
    ("table used as a data frame", 'ids = GetValue(LoadDB("admissions"), "age")\nanswer = ids.nunique()', [(7,)]),
    ("row addressed by a column's name",
     'answer = 0\nfor row in LoadDB("admissions"):\n    answer += row.age', [(371,)]),
    ("another date format", 'answer = len(FilterDB(LoadDB("admissions"), "admittime>=12/25/2105"))', [(1,)]),
    ("a list passed as text", "seen = [1, 2, 6]\nanswer = Calculate('mean(seen)')", [(3.0,)]),
    ("wrong expression", "answer = Calculate('12 plus 3')", [(15,)]),
    ("wrong arguments", 'answer = len(FilterDB(LoadDB("patients"), gender="f"))', [(3,)]),
    ("wrong arguments", 's = "f"\nanswer = len(FilterDB(LoadDB("patients"), {"gender": s}))', [(3,)]),
    ("missing quotes", 'answer = SQLInterpreter("SELECT count(*) FROM patients WHERE gender = f")', [(3,)]),
    ("aggregate in WHERE", 'answer = SQLInterpreter("SELECT drug FROM prescriptions WHERE count(*) > 3 GROUP BY drug")',
     [("furosemide",)]),
    ("a number joined to a text", 'n = 1001\nanswer = len(FilterDB(LoadDB("labevents"), "hadm_id=" + n))', [(2,)]),
    ("days of a number", "answer = Calculate(\"days('2105-01-03', '2105-01-01')\").days", [(2.0,)]),
    ("wall clock", "import datetime\nanswer = datetime.datetime.utcnow()", [(NOW,)]),
    # SQL
    ("ambiguous column", 'answer = SQLInterpreter("SELECT count(*) FROM prescriptions p JOIN admissions a ON '
     'a.hadm_id = p.hadm_id WHERE subject_id = 101")', [(3,)]),
    ("unknown column", 'answer = SQLInterpreter("SELECT count(*) FROM patients WHERE gendr = \'f\'")', [(3,)]),
    ("unknown table", 'answer = SQLInterpreter("SELECT count(*) FROM patient")', [(5,)]),
    ("column of another table", 'answer = SQLInterpreter("SELECT count(*) FROM admissions WHERE gender = \'m\'")',
     [(3,)]),
    ("missing dictionary join",
     'answer = SQLInterpreter("SELECT count(*) FROM labevents WHERE label = \'creatinine\'")',
     [(7,)]),
    ("table of the plan not given", f'{STAY}answer = SQLInterpreter("SELECT age FROM stay")', [(57,)]),
    ("a list passed as text",
     f'{IDS}answer = SQLInterpreter(f"SELECT count(*) FROM labevents WHERE hadm_id IN {{ids}}")',
     [(4,)]),
    ("quoting", 'd = "o\'neil"\nanswer = SQLInterpreter(f"SELECT count(*) FROM prescriptions WHERE drug = \'{d}\'")',
     [(0,)]),
    ("quoting", "answer = SQLInterpreter(\"SELECT count(*) FROM prescriptions WHERE drug = 'aspirin\")", [(2,)]),
    ("function of another database",
     'answer = SQLInterpreter("SELECT count(*) FROM admissions WHERE YEAR(admittime) = 2104")',
     [(3,)]),
    ("SQL syntax", 'answer = SQLInterpreter("SELECT count(* FROM patients")', [(5,)]),
    ("SQL syntax", 'answer = SQLInterpreter("SELCT count(*) FROM patients")', [(5,)]),
    ("column not selected", 'rows = SQLInterpreter("SELECT hadm_id FROM admissions WHERE subject_id = 102")\n'
     'answer = GetValue(rows, "age")', [(73,)]),
    # the program
    ("misspelt name", 'women = FilterDB(LoadDb("patients"), "gender=f")\nanswer = len(women)', [(3,)]),
    ("misspelt name", 'women = FilterDB(LoadDB("patients"), "gender=f")\nanswer = len(womn)', [(3,)]),
    ("missing import", 'answer = datetime.fromisoformat("2105-01-02").year', [(2105,)]),
    ("missing import", "answer = timedelta(days=3).days", [(3,)]),
    ("unsupported module", "import numpy\nanswer = numpy.median([1, 5, 9])", [(5,)]),
    ("unsupported module", "import numpy as np\nanswer = np.mean([1, 2])", [(1.5,)]),
    ("SQL word in Python", "answer = null", [(None,)]),
    ("missing quotes", "answer = len(LoadDB(patients))", [(5,)]),
    ("answer never set", 'women = FilterDB(LoadDB("patients"), "gender=f")\nn = len(women)', [(3,)]),
    ("answer never set", 'print(len(LoadDB("patients")))', [(5,)]),
    ("endless loop", "n = 0\nanswer = 0\nwhile n < 3:\n    answer += 2", [(6,)]),
    ("syntax", 'answer = len(LoadDB("patients")', [(5,)]),
    ("syntax", 'answer = 0\nfor row in LoadDB("patients")\n    answer += 1', [(5,)]),
    ("syntax", 'answer = SQLInterpreter("SELECT "age" FROM admissions WHERE hadm_id = 1001")', [(57,)]),
    ("syntax", "```python\nanswer = 1\n```", [(1,)]),
]  # fmt: skip

ONLY_EXPLAINED: list[tuple[str, str, str]] = [
    ("empty list carried on", f"{NONE}answer = none[0]", "line 1 found no rows"),
    ("empty mean", f'{NONE}mean = GetValue(none, "valuenum, mean")\nanswer = mean / 2', "no values of valuenum"),
    ("NULL in a date", 'end = GetValue(FilterDB(LoadDB("admissions"), "hadm_id=1004"), "dischtime")\n'
     "answer = Calculate(f\"days('2105-12-31', {end})\")", "current one"),
    ("absent value", 'answer = FilterDB(LoadDB("prescriptions"), "drug=xyzzy")', "nothing is spelt like it"),
    ("value of another table", 'answer = FilterDB(LoadDB("chartevents"), "itemid=50912")', "d_labitems"),
    ("time-out in a loop", 'for n in range(20000):\n    answer = LoadDB("patients")', "calls LoadDB each time"),
    ("variable not always set", "if False:\n    n = 1\nanswer = n", "only under a condition"),
    ("statement that changes", 'answer = SQLInterpreter("DELETE FROM patients")', ""),
    ("unsupported module", "import pandas\nanswer = 1", "no such module"),
    ("wrong grammar", 'answer = FilterDB(LoadDB("patients"), "gender")', "A condition is"),
    ("unknown name", "answer = quux", "Nothing is called quux"),
    ("table used as a value", 'answer = LoadDB("patients") + 1', "a whole table"),
    ("text compared with a number", 'answer = FilterDB(LoadDB("admissions"), "age>=fifty")', "holds numbers"),
    ("several statements", 'answer = SQLInterpreter("SELECT 1; SELECT 2")', "after the semicolon"),
]  # fmt: skip


@pytest.fixture
def facts(engine: Engine) -> Facts:
    return Facts(engine, NOW)


@pytest.fixture
def diagnosed(run: Run, facts: Facts) -> Callable[[str], Diagnosis]:
    def diagnosed(plan: str) -> Diagnosis:
        with pytest.raises(PlanError) as caught:
            run(plan)
        return diagnose(caught.value, plan, facts)

    return diagnosed


@pytest.mark.parametrize(("cause", "plan", "rows"), REPAIRED)
def test_a_cause_is_found_and_its_repair_gives_the_right_answer(
    diagnosed: Callable[[str], Diagnosis], run: Run, engine: Engine, cause: str, plan: str, rows: list[Row]
) -> None:
    diagnosis = diagnosed(plan)
    assert diagnosis.cause == cause
    assert diagnosis.repair is not None
    assert diagnosis.automatic is not diagnosis.adds_join
    assert diagnosis.repair != plan
    run(diagnosis.repair)
    assert engine.page("answer", 0, 9) == rows


@pytest.mark.parametrize(("cause", "plan", "words"), ONLY_EXPLAINED)
def test_a_cause_without_a_safe_repair_is_only_explained(
    diagnosed: Callable[[str], Diagnosis], cause: str, plan: str, words: str
) -> None:
    diagnosis = diagnosed(plan)
    assert diagnosis.cause == cause
    assert words in diagnosis.text
    assert diagnosis.repair is None


def test_at_least_twenty_causes_are_told_apart() -> None:
    assert len({cause for cause, *_ in REPAIRED} | {cause for cause, *_ in ONLY_EXPLAINED}) >= 40
    assert len(set(CAUSES)) == len(CAUSES)


def test_a_repair_is_shown_as_a_diff(diagnosed: Callable[[str], Diagnosis]) -> None:
    plan = 'women = FilterDB(LoadDB("patients"), "gender=F")\nn = len(women)\nanswer = n'
    lines = diagnosed(plan).diff(plan).splitlines()
    assert '-women = FilterDB(LoadDB("patients"), "gender=F")' in lines
    assert '+women = FilterDB(LoadDB("patients"), "gender=f")' in lines
    assert "-answer = n" not in lines
    assert Diagnosis("unknown", "…").diff(plan) == ""


def test_what_a_repair_asks_for_is_told(diagnosed: Callable[[str], Diagnosis]) -> None:
    assert diagnosed('answer = FilterDB(LoadDB("prescriptions"), "drug=asprin")').changes_value
    assert diagnosed('answer = FilterDB(LoadDB("labevents"), "hadm_id=101")').changes_value
    assert not diagnosed('answer = FilterDB(LoadDB("prescriptions"), "drug=ASPIRIN")').changes_value
    assert not diagnosed('answer = FilterDB(LoadDB("labevents"), "itemid=creatinine")').changes_value


def test_a_repair_that_adds_a_join_is_proposed_and_never_made(run: Run, facts: Facts) -> None:
    plan = "answer = SQLInterpreter(\"SELECT count(*) FROM patients WHERE drug = 'aspirin'\")"
    ran = run_revising(run, plan, facts)
    assert (ran.outcome, ran.plan, ran.revisions) == (None, plan, ())
    assert ran.diagnosis is not None
    assert "JOIN prescriptions" in (ran.diagnosis.repair or "")


def test_a_doubtful_repair_is_not_made_without_asking(diagnosed: Callable[[str], Diagnosis]) -> None:
    plan = 'doses = GetValue(LoadDB("admissions"), "age")\nanswer = doses / 2'
    diagnosis = diagnosed(plan)
    assert diagnosis.cause == "many values where one is expected"
    assert diagnosis.repair is not None
    assert not diagnosis.automatic


@pytest.mark.parametrize(
    ("cause", "plan", "rows"),
    [
        ("day where a moment is stored", 'answer = len(FilterDB(LoadDB("admissions"), "admittime=2104-06-01"))',
         [(1,)]),
        ("compared with NULL", 'answer = SQLInterpreter("SELECT count(*) FROM admissions WHERE dischtime = NULL")',
         [(2,)]),
        ("misspelt value", "answer = SQLInterpreter(\"SELECT count(*) FROM prescriptions WHERE drug = 'asprin'\")",
         [(2,)]),
        ("wrong case", "answer = SQLInterpreter(\"SELECT count(*) FROM patients WHERE gender = 'F'\")", [(3,)]),
        ("missing dictionary join",
         "answer = SQLInterpreter(\"SELECT count(*) FROM diagnoses_icd WHERE icd9_code = 'chf nos'\")",
         [(4,)]),
        ("wrong identifier", 'answer = SQLInterpreter("SELECT count(*) FROM labevents WHERE hadm_id = 101")', [(4,)]),
        ("one value where several are expected", f'{STAY}kind = GetValue(stay, "admission_type")\nanswer = kind[0]',
         [("emergency",)]),
    ],
)  # fmt: skip
def test_a_plan_that_runs_may_still_look_wrong(
    run: Run, facts: Facts, engine: Engine, cause: str, plan: str, rows: list[Row]
) -> None:
    diagnosis = suspect(run(plan).steps, plan, facts)
    assert diagnosis is not None
    assert diagnosis.cause == cause
    assert diagnosis.repair is not None
    run(diagnosis.repair)
    assert engine.page("answer", 0, 9) == rows


def test_a_date_of_the_wall_clock_looks_wrong(run: Run, facts: Facts, engine: Engine) -> None:
    today = str(engine.read("SELECT date('now')")[0][0])
    plan = f'answer = len(FilterDB(LoadDB("admissions"), "admittime<{today}"))'
    diagnosis = suspect(run(plan).steps, plan, facts)
    assert diagnosis is not None
    assert diagnosis.cause == "wall-clock date"
    assert diagnosis.changes_value
    assert f"admittime<2105{today[4:]}" in str(diagnosis.repair)


def test_a_join_without_a_condition_looks_wrong(
    run: Run, facts: Facts, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ehrtui.plans.causes.suspicious.LARGE_JOIN", 50)
    plan = 'answer = SQLInterpreter("SELECT count(*) FROM labevents l, admissions a WHERE a.subject_id = 101")'
    diagnosis = suspect(run(plan).steps, plan, facts)
    assert diagnosis is not None
    assert diagnosis.cause == "large join"
    assert "98 pairs" in diagnosis.text
    run(str(diagnosis.repair))
    assert engine.page("answer", 0, 9) == [(4,)]


OF_NO_KIND = "(SELECT hadm_id, sum(cost) AS paid FROM cost WHERE event_type = 'xyzzy' GROUP BY hadm_id)"


def test_what_an_outer_join_lacks_takes_no_rows_away(run: Run, facts: Facts) -> None:
    plan = f'answer = SQLInterpreter("SELECT a.hadm_id FROM admissions a LEFT JOIN {OF_NO_KIND} USING (hadm_id)")'
    assert suspect(run(plan).steps, plan, facts) is None


@pytest.mark.parametrize("where", ["", "LEFT ", "LEFT JOIN patients USING (subject_id) "])
def test_an_absent_value_that_leaves_no_rows_looks_wrong(run: Run, facts: Facts, where: str) -> None:
    joined = f"{where}JOIN {OF_NO_KIND} USING (hadm_id) WHERE paid > 0"
    plan = f'answer = SQLInterpreter("SELECT a.hadm_id FROM admissions a {joined}")'
    diagnosis = suspect(run(plan).steps, plan, facts)
    assert diagnosis is not None
    assert diagnosis.cause == "absent value"


@pytest.mark.parametrize(
    "plan",
    [
        'answer = len(FilterDB(LoadDB("prescriptions"), "drug=aspirin||route=iv"))',
        "answer = SQLInterpreter(\"SELECT count(*) FROM prescriptions WHERE drug = 'aspirin' AND route = 'iv'\")",
        "answer = SQLInterpreter(\"SELECT count(*) FROM diagnoses_icd WHERE icd9_code = '25000'\")",
        'answer = SQLInterpreter("SELECT count(*) FROM labevents JOIN admissions USING (hadm_id)")',
        'answer = SQLInterpreter("SELECT count(*) FROM labevents l, admissions a WHERE l.hadm_id = a.hadm_id")',
        'ids = GetValue(LoadDB("patients"), "gender")\nanswer = ids[0]',
        'answer = FilterDB(LoadDB("admissions"), "admittime=2103-02-03 08:15:00")',
        'answer = FilterDB(LoadDB("admissions"), "admittime>=2104-01-01")',
    ],
)
def test_a_sound_plan_is_not_suspected(run: Run, facts: Facts, plan: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ehrtui.plans.causes.suspicious.LARGE_JOIN", 50)
    assert suspect(run(plan).steps, plan, facts) is None


def test_the_cause_is_told_with_its_line_and_what_to_try(run: Run, facts: Facts) -> None:
    plan = 'none = FilterDB(LoadDB("patients"), "subject_id=102||gender=f")\nfirst = none[0]\nanswer = first'
    with pytest.raises(PlanError) as caught:
        run(plan)
    cause, suggestions = explain(caught.value, plan, diagnose(caught.value, plan, facts))
    assert cause.startswith("Empty list carried on: The step in line 1 found no rows")
    assert "gender=f" in cause
    assert "line 2" in cause
    assert suggestions


def test_any_error_has_a_cause_and_a_way_on(facts: Facts) -> None:
    error: EhrtuiError = LogicError("The logic cannot be read.", why="A bracket is open.", next_step="Close it.")
    assert explain(error, "") == ("A bracket is open.", ("Close it.",))
    assert explain(EhrtuiError("It failed."), "answer = 1") == ("It failed.", ())
    assert diagnose(error, "", facts).text == "A bracket is open."


def test_sql_is_not_blamed_for_a_file_that_cannot_be_read(facts: Facts) -> None:
    sql = "SELECT COUNT(*) FROM patients"
    error = PlanError("The database is damaged: a part of it cannot be read.", why="Copy it.", kind="DatabaseError")
    error.call = ToolCall("SQLInterpreter", (sql,), {})
    diagnosis = diagnose(error, f'answer = SQLInterpreter("{sql}")', facts)
    assert (diagnosis.cause, diagnosis.text, diagnosis.repair) == (UNKNOWN, "Copy it.", None)


def test_a_cancelled_look_at_the_database_is_not_swallowed(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    def cancelled(case: Case) -> Diagnosis | None:
        raise QueryCancelled("Stopped.")

    monkeypatch.setattr("ehrtui.plans.rubber_duck.CAUSES", (cancelled,))
    with pytest.raises(QueryCancelled):
        diagnose(PlanError("…"), "answer = 1", facts)


def test_a_very_long_plan_is_not_looked_into(facts: Facts) -> None:
    plan = "answer = (" + "1 + " * LONGEST
    diagnosis = diagnose(PlanError("…", kind="SyntaxError", line=1), plan, facts)
    assert diagnosis.repair is None


PIECES = st.sampled_from(
    ["answer = ", "x", "LoadDB('patients')", "FilterDB(", ")", "GetValue(", ", ", "'gender=f'", '"drug=asprin"', "[0]",
     "['gender']", " + ", "\n", "for row in ", ":\n    ", "f'{x}'", "SQLInterpreter(", '"SELECT x FROM patients"', "= ",
     "None", "'", "len(", "import math", "datetime.now()", "||", "é"]
)  # fmt: skip
KINDS = st.sampled_from(
    ["SyntaxError", "NameError", "TypeError", "AttributeError", "ValueError", "IndexError", "NoAnswer", "ToolError",
     "QueryError", "TokenError", "ZeroDivisionError", "ModuleNotFoundError"]
)  # fmt: skip
MESSAGES = st.sampled_from(
    ["Name 'x' is not defined", "Unsupported operand type(s) for -: 'str' and 'str'",
     "'Table' object has no attribute 'a'",
     "There is no column x here.", "There is no table x.",
     "List index out of range", "'int' object is not iterable", ""]
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=14).map("".join), KINDS, MESSAGES, st.one_of(st.none(), st.integers(0, 9)))
def test_no_plan_confuses_the_duck(facts: Facts, plan: str, kind: str, message: str, line: int | None) -> None:
    diagnosis = diagnose(PlanError(message, kind=kind, line=line), plan, facts)
    assert diagnosis.cause
    assert 0 < diagnosis.confidence <= 1
    case = Case(plan, facts, None, ())
    for suspicion in SUSPICIONS:
        suspicion(case)
