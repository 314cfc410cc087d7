"""Answers as files: each form has what it should, and what is small is hidden."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing, redirect_stdout
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.errors import UsageError
from ehrtui.export.answer import Answer
from ehrtui.export.files import FORMS, form_of, write
from ehrtui.export.small_cells import hidden
from ehrtui.logic.algebra.parse import parse_statement

DEATH = "time to (death time) from (time of first hospital stay) until (end time of last hospital stay) in days"
ROWS = ((1, "=1+1", 2.5), (2, None, None), (3, "b|c\n<d>", 1.0))


@pytest.fixture
def answer(tmp_path: Path) -> Answer:
    path = tmp_path / "small file.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("create table t (id, name, value)")
        made.executemany("insert into t values (?, ?, ?)", ROWS)
        made.commit()
    return Answer(
        turn=3, question="who is *it*?", logic="patients", sql="SELECT id, name, value FROM t", database=str(path),
        profile="generic", now="2105-12-31 23:59:00", created="2026-01-01 00:00:00", version="0",
        columns=("id", "name", "value"), asked=3, rows=ROWS, fingerprint="3:ab",
    )  # fmt: skip


def test_every_form_is_written_for_its_owner_alone(answer: Answer, tmp_path: Path) -> None:
    for form in FORMS:
        path = tmp_path / f"out{form}"
        said = write(answer, path, values=False, over=False)
        assert "A3 is in" in said
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.stat().st_size > 100 or form == ".csv"
        with pytest.raises(UsageError, match="there already"):
            write(answer, path, values=False, over=False)
        write(answer, path, values=True, over=True)
    with pytest.raises(UsageError, match="no form"):
        form_of(Path("out.xls"))
    with pytest.raises(UsageError, match="cannot be written"):
        write(answer, tmp_path / "none" / "out.csv", values=False, over=False)


def test_a_spreadsheet_computes_nothing_of_a_csv(answer: Answer, tmp_path: Path) -> None:
    write(answer, tmp_path / "a.csv", values=False, over=False)
    rows = list(csv.reader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert rows == [["id", "name", "value"], ["1", "'=1+1", "2.5"], ["2", "", ""], ["3", "b|c\n<d>", "1.0"]]


def test_documents_have_rows_only_where_they_are_wanted(answer: Answer, tmp_path: Path) -> None:
    for form, row in ((".md", "| 3 | b\\|c \\<d\\> | 1.0 |"), (".ipynb", "3 | b|c")):
        bare = FORMS[form](answer, values=False).decode()
        full = FORMS[form](answer, values=True).decode()
        assert row not in bare
        assert row in full
        for text in (bare, full):
            assert "SELECT id, name, value FROM t" in text
            assert "small file.db" in text
            assert "2026-01-01 00:00:00" in text
    sql = FORMS[".sql"](answer, values=True).decode()
    assert sql.startswith("-- question: who is *it*?")
    with closing(sqlite3.connect(answer.database)) as connection:
        assert connection.execute(sql).fetchall() == list(ROWS)


def test_the_notebook_runs_by_itself(answer: Answer) -> None:
    notebook = json.loads(FORMS[".ipynb"](answer, values=True))
    names: dict[str, object] = {}
    printed = io.StringIO()
    with redirect_stdout(printed):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)
    assert names["rows"] == list(ROWS)
    (output,) = notebook["cells"][-1]["outputs"]
    assert "".join(output["text"]) == printed.getvalue()


def test_parquet_keeps_types_and_provenance(answer: Answer) -> None:
    import pyarrow.parquet as pq

    mixed = replace(answer, columns=("id", "id", "value"), rows=((1, "a", 1), (2, 3, 2.5)))
    table = pq.read_table(io.BytesIO(FORMS[".parquet"](mixed, values=True)))
    assert table.column_names == ["id", "id_2", "value"]
    assert table.to_pydict() == {"id": [1, 2], "id_2": ["a", "3"], "value": [1.0, 2.5]}
    assert table.schema.metadata[b"ehrtui logic"] == b"patients"


def test_what_has_no_chart_or_no_sql_says_so(answer: Answer) -> None:
    with pytest.raises(UsageError, match="nothing to draw"):
        FORMS[".svg"](replace(answer, rows=()), values=True)
    for form in (".sql", ".ipynb"):
        with pytest.raises(UsageError, match="no SQL"):
            FORMS[form](replace(answer, sql=""), values=True)
    assert FORMS[".png"](answer, values=True).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("logic", "rows", "kept"),
    [
        ("count of patients by gender", (("F", 3), ("M", 12)), (("F", "<5"), ("M", 12))),
        (
            "prevalence of (age > 5) in hospital stays by gender",
            (("F", 2, 10, 20.0, 5.0, 50.0), ("M", 0, 9, 0.0, 0.0, 30.0)),
            (("F", "<5", None, None, None, None), ("M", 0, 9, 0.0, 0.0, 30.0)),
        ),
        ("count of patients", ((4,),), (("<5",),)),
        ("mean age of hospital stays", ((4,),), ((4,),)),
        ("patients with lab", ((1,), (2,)), ((1,), (2,))),
        ("histogram of age of hospital stays", ((0.0, 5.0, 1, 10.0),), ((0.0, 5.0, "<5", None),)),
    ],
)
def test_small_counts_are_hidden_and_patients_are_none(logic, rows, kept) -> None:
    statement = parse_statement(logic)
    changed = sum(one != other for one, other in zip(rows, kept, strict=True))
    assert hidden(statement, (), rows, 5) == (kept, changed)
    assert hidden(statement, (), rows, 0) == (rows, 0)
    assert hidden(None, (), rows, 5) == (rows, 0)


def test_rows_of_few_of_a_curve_are_counted_with_the_next() -> None:
    statement = parse_statement(f"{DEATH} of (patients)")
    rows = ((0.0, 20, 0, 100.0, None, None), *((float(day), 20 - day, 1, 95.0 - day, 1.0, 2.0) for day in range(1, 19)))
    kept, fewer = hidden(statement, (), rows, 5)
    assert [(row[0], row[1], row[2]) for row in kept] == [(0.0, 20, 0), (5.0, 15, 5), (10.0, 10, 5), (15.0, 5, 5)]
    assert kept[1][3] == 90.0
    assert fewer == len(rows) - len(kept)
    assert hidden(statement, (), rows, 0) == (rows, 0)
    named = tuple((name, *row) for name in ("a", "b") for row in rows)
    two = parse_statement(f"{DEATH} of (patients), (patients of sex male)")
    assert [row[0] for row in hidden(two, (), named, 5)[0]] == ["a"] * 4 + ["b"] * 4


def test_a_picture_says_what_it_hides_and_none_is_empty(answer: Answer) -> None:
    counted = replace(
        answer, logic="count of patients by bands of 10 of (age of first hospital stay)", asked=2, question="ages",
        columns=("age_from", "patients"), rows=((20, "<5"), (30, 8), (40, 19)), notes=("hidden: 1 row below 5",),
    )  # fmt: skip
    drawn = FORMS[".svg"](counted, values=True).decode()
    assert all(words in drawn for words in ("<!-- hidden: 1 row below 5 -->", "<!-- &lt;5 -->", "<!-- patients -->"))
    with pytest.raises(UsageError, match="nothing to draw") as refused:
        FORMS[".svg"](replace(counted, rows=((20, "<5"), (30, "<5"), (40, 0))), values=True)
    assert "Hidden: 1 row below 5." in refused.value.why
    survival = ("cohort", "days", "at_risk", "events", "percent", "low", "high")
    with pytest.raises(UsageError, match="nothing to draw"):
        FORMS[".png"](
            replace(
                counted,
                columns=survival,
                rows=(("a", 0.0, 6, 0, 100.0, None, None), ("b", 0.0, 9, 0, 100.0, None, None)),
            ),
            values=True,
        )


def test_a_picture_has_dates_and_the_chart_that_is_wanted(answer: Answer) -> None:
    rows = tuple((at / 2, f"2104-06-{at + 1:02d} 08:00:00") for at in range(9))
    values = replace(answer, logic='value, time of lab "sodium" for patient 7', columns=("valuenum", "charttime"),
                     asked=2, rows=rows)  # fmt: skip
    assert "<!-- 2104-06-03 -->" in FORMS[".svg"](values, values=True).decode()
    spread = FORMS[".svg"](replace(values, chart="histogram of sodium"), values=True).decode()
    assert "2104-06-03" not in spread
    assert "<!-- values -->" in spread


def test_in_a_summary_a_few_hide_the_other_sex_and_a_few_of_all_everything() -> None:
    columns = ("patients", "mean_age", "female", "percent_female", "male", "percent_male", "readmitted")
    summary = parse_statement("summary of patients")
    row = (10, 50.5, 8, 80.0, 2, 20.0, 6)
    assert hidden(summary, columns, (row,), 5) == (((10, 50.5, None, None, "<5", None, 6),), 1)
    assert hidden(summary, columns, ((3, 50.5, 3, 100.0, 0, 0.0, 0),), 5)[0] == (("<5", None, "<5", None, 0, 0.0, 0),)
    table = parse_statement('table 1 of (patients) as "a", (patients) as "b"')
    rows = (
        ("patients", 10, 20, None, None, None),
        ("age, mean", 50.5, 60.5, 0.3, 0, 0),
        ("female", 8, 10, None, None, None),
        ("female, percent", 80.0, 50.0, 0.5, None, None),
        ("male", 2, 10, None, None, None),
    )
    found, changed = hidden(table, (), rows, 5)
    assert changed == 3
    assert found[1] == rows[1]
    assert found[3] == ("female, percent", None, 50.0, None, None, None)
    assert found[4] == ("male", "<5", 10, None, None, None)


def test_a_picture_has_the_intervals_of_shares_and_any_of_several_bars(answer: Answer) -> None:
    pytest.importorskip("matplotlib")
    shares = replace(answer, logic="prevalence of (with deaths) in patients by insurance", asked=6,
                     columns=("insurance", "cases", "patients", "percent", "low", "high"),
                     rows=(("medicaid", 30, 40, 75.0, 60.0, 86.0), ("private", 20, 80, 25.0, 17.0, 35.0)))  # fmt: skip
    first = FORMS[".svg"](shares, values=True).decode()
    assert "<!-- percent with death by insurance, with 95 % intervals -->" in first
    assert "LineCollection" in first  # the intervals
    cases = FORMS[".svg"](replace(shares, chart="bars of cases by insurance"), values=True).decode()
    assert "<!-- cases by insurance -->" in cases
    assert "LineCollection" not in cases


def test_a_picture_tells_of_what_lies_outside_its_bands(answer: Answer) -> None:
    pytest.importorskip("matplotlib")
    rows = (*((0.5 + at % 40 / 10,) for at in range(200)), (138.0,))
    drawn = FORMS[".svg"](replace(answer, logic="", asked=1, columns=("amount",), rows=rows), values=True).decode()
    assert "<!-- amount (1 more from 4.5 on) -->" in drawn
