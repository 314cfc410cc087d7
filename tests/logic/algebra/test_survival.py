"""Time to an event, against the published table of a trial: weeks of remission with 6-mercaptopurine (E. J. Freireich
et al., Blood 1963; the estimates as in D. R. Cox and D. Oakes, Analysis of Survival Data, 1984)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from ehrtui.charts.cohort_charts import Curves
from ehrtui.charts.drawing import drawn
from ehrtui.charts.shapes import charts_of
from ehrtui.errors import LogicError
from tests import made_hospital
from tests.logic.algebra.conftest import Database, opened

RELAPSED = (6, 6, 6, 7, 10, 13, 16, 22, 23)
CENSORED = (6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35)
PUBLISHED = {6: (21, 85.7), 7: (17, 80.7), 10: (15, 75.3), 13: (12, 69.0), 16: (11, 62.7), 22: (7, 53.8), 23: (6, 44.8)}
"""By week: how many were at risk, and how many percent were still in remission after it."""
LOGIC = "time to (death time) from (admission time) until (discharge time) in weeks of"


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """A stay for each child: a death stands for a relapse, a discharge for the last visit."""
    path = tmp_path_factory.mktemp("trial") / "trial.sqlite"
    made_hospital.build(path)
    with closing(sqlite3.connect(path)) as made:
        for table in ("patients", "admissions", "icustays"):
            made.execute(f"delete from {table}")
        start = datetime(2100, 1, 1)
        for number, (weeks, came) in enumerate([*((w, True) for w in RELAPSED), *((w, False) for w in CENSORED)], 1):
            end = f"{start + timedelta(weeks=weeks)}"
            sex = "F" if number % 2 else "M"
            person = (number, number, sex, "2095-01-01", end if came else None)
            made.execute("insert into patients values (?, ?, ?, ?, ?)", person)
            columns = "row_id, subject_id, hadm_id, admittime, dischtime, deathtime"
            stay = (number, number, number, f"{start}", end, end if came else None)
            made.execute(f"insert into admissions ({columns}) values (?, ?, ?, ?, ?, ?)", stay)
        made.commit()
    return opened(path)


def test_the_estimate_is_the_published_one(trial: Database) -> None:
    rows = trial.rows(f"{LOGIC} (hospital stays)")
    assert rows[0] == (0.0, 21, 0, 100.0, None, None)
    assert rows[-1] == (35.0, 1, 0, rows[-2][3], *rows[-2][4:])
    found = {round(weeks): (at_risk, round(percent, 1)) for weeks, at_risk, events, percent, *_ in rows if events}
    assert found == PUBLISHED
    assert [row[2] for row in rows[1:-1]] == [3, 1, 1, 1, 1, 1, 1]
    limits = {round(row[0]): (round(row[4], 1), round(row[5], 1)) for row in rows[1:-1]}
    assert limits[6] == (62.0, 95.2)  # of log(-log S), as other programs give them
    assert limits[23] == (18.8, 68.0)


def test_what_comes_later_than_asked_is_seen_until_then(trial: Database) -> None:
    rows = trial.rows(f"{LOGIC.replace('in weeks', 'in weeks within 10')} (hospital stays)")
    assert [round(row[0]) for row in rows] == [0, 6, 7, 10]
    assert rows[-1][3] == pytest.approx(75.3, abs=0.05)


def test_cohorts_stand_beside_each_other_and_nobody_left_is_nothing(trial: Database) -> None:
    women = '(hospital stays where gender = "F") as "girls"'
    rows = trial.rows(f'{LOGIC} {women}, (hospital stays where length < 44) as "early"')
    assert {row[0] for row in rows} == {"girls", "early"}
    early = [row for row in rows if row[0] == "early"]
    assert early[-1][1:5] == (6.0, 4, 3, pytest.approx(25.0))
    none = trial.rows(f"{LOGIC} (hospital stays where length > 9000)")
    assert none == [(0.0, 0, 0, 100.0, None, None)]


def test_all_who_have_the_event_leave_nobody(trial: Database) -> None:
    rows = trial.rows(f"{LOGIC} (hospital stays where death time is present)")
    assert rows[-1][:4] == (23.0, 1, 1, 0.0)
    assert rows[-1][4:] == (None, None)
    (chart,) = charts_of(("weeks", "at_risk", "events", "percent", "low", "high"), rows)
    assert isinstance(chart, Curves)
    lines = drawn(chart, 70, 20).split("\n")
    assert lines[1].startswith("100 % │●")
    assert lines[-1].split()[:2] == ["●", "9"]
    assert lines[-2] == "at risk"
    assert max(map(len, lines)) <= 70


@pytest.mark.parametrize(
    "logic",
    [
        "time to gender from (admission time) until (discharge time) in days of (hospital stays)",
        f"{LOGIC.replace('in weeks', 'in weeks within 0')} (hospital stays)",
        f"{LOGIC} (labs)",
    ],
)
def test_what_is_no_time_to_an_event_says_so(trial: Database, logic: str) -> None:
    with pytest.raises(LogicError):
        trial.rows(logic)
