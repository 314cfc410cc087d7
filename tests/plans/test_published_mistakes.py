"""What EHRAgent's published tools answer wrongly without a word, and what is answered here instead."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from ehrtui.engines.engine import Row
from ehrtui.errors import PlanError
from ehrtui.plans.reports import Outcome

Answer = Callable[[str], list[Row]]

DRUGS = (
    "rows = SQLInterpreter(\"SELECT 1 AS n, 'd5w, 5%' AS drug UNION ALL SELECT 2, 'a=b' UNION ALL SELECT 3, 'o''neil'"
    " UNION ALL SELECT 4, 'heparin || flush' UNION ALL SELECT 5, ' padded '\")\n"
)


def test_a_second_numeric_condition_counts(answer: Answer) -> None:
    assert answer("answer = len(FilterDB(LoadDB('labevents'), 'valuenum>=1||valuenum<=1.2'))") == [(2,)]


def test_a_second_in_condition_counts(answer: Answer) -> None:
    conditions = "hadm_id in [1001, 1002]||itemid in [50971]"
    assert answer(f"answer = len(FilterDB(LoadDB('labevents'), '{conditions}'))") == [(1,)]


def test_not_equal_is_not_equal(answer: Answer) -> None:
    assert answer("answer = len(FilterDB(LoadDB('prescriptions'), 'route!=iv'))") == [(5,)]


def test_like_is_like(answer: Answer) -> None:
    assert answer("answer = len(FilterDB(LoadDB('prescriptions'), 'drug like a%'))") == [(2,)]


@pytest.mark.parametrize(
    ("condition", "number"),
    [
        ("drug=d5w, 5%", 1),
        ("drug=a=b", 2),
        ("drug=o'neil", 3),
        ("drug='heparin || flush'", 4),
        ("drug=' padded '", 5),
        ("drug in ['d5w, 5%']", 1),
        ("  drug  =  a=b  ", 2),
        ("n >= 3 || n < 4", 3),
    ],
)
def test_a_value_may_contain_what_the_conditions_are_made_of(answer: Answer, condition: str, number: int) -> None:
    assert answer(f'{DRUGS}answer = GetValue(FilterDB(rows, """{condition}"""), "n")') == [(number,)]


def test_a_missing_value_meets_no_comparison(answer: Answer) -> None:
    assert answer("answer = len(FilterDB(LoadDB('labevents'), 'valuenum<1000'))") == [(13,)]
    assert answer("answer = len(FilterDB(LoadDB('labevents'), 'valuenum is null'))") == [(1,)]


def test_missing_values_do_not_count_in_a_mean(answer: Answer) -> None:
    rows = "FilterDB(LoadDB('labevents'), 'hadm_id=1006')"
    assert answer(f"answer = GetValue({rows}, 'valuenum, mean')") == [(3.4,)]


def test_the_mean_of_nothing_is_not_a_number(answer: Answer) -> None:
    rows = "FilterDB(LoadDB('labevents'), 'hadm_id=1006||itemid=51222')"
    assert answer(f"answer = GetValue({rows}, 'valuenum, mean')") == [(None,)]
    assert answer(f"answer = GetValue({rows}, 'valuenum, sum')") == [(None,)]
    assert answer(f"answer = GetValue({rows}, 'valuenum, count')") == [(0,)]


def test_several_values_keep_their_order_and_their_repeats(answer: Answer) -> None:
    rows = "FilterDB(LoadDB('prescriptions'), 'drug=furosemide')"
    assert answer(f"answer = GetValue({rows}, 'dose_val_rx')") == [("40",), ("20",), ("80",), ("40",)]


def test_the_calendar_starts_at_the_database_now(answer: Answer) -> None:
    assert answer("answer = Calendar('-1 year')") == [("2104-12-31 23:59:00",)]
    assert answer("import datetime\nanswer = datetime.date.today()") == [("2105-12-31",)]
    assert datetime.now().year != 2105


def test_an_extreme_is_taken_among_the_rows_so_far(answer: Answer) -> None:
    rows = "FilterDB(LoadDB('labevents'), 'itemid=50912||hadm_id=1002||max(charttime)')"
    assert answer(f"answer = GetValue({rows}, 'valuenum')") == [(1.2,)]


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ("t = LoadDB('patients')\nanswer = t[t['gender'] == 'f']", "filtered with FilterDB"),
        ("answer = FilterDB(LoadDB('admissions'), 'admittime>=01/05/2104')", "YYYY-MM-DD"),
        ("answer = FilterDB(LoadDB('admissions'), 'admittime<now')", "YYYY-MM-DD"),
    ],
)
def test_what_python_and_sql_would_take_for_something_else_is_refused(
    run: Callable[[str], Outcome], plan: str, why: str
) -> None:
    with pytest.raises(PlanError, match=why):
        run(plan)


@pytest.mark.parametrize("condition", ["admittime>=2104-06", "admittime<2104-06-01 11:00", "admittime like %-12-%"])
def test_a_part_of_a_date_is_a_date(answer: Answer, condition: str) -> None:
    assert answer(f"answer = len(FilterDB(LoadDB('admissions'), '{condition}'))") != [(0,)]
