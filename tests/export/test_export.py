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
