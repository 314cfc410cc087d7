"""Databases of very many tables, and of views that never end."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.start import start
from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from ehrtui.schema.fitting import columns_of, empty_copy
from ehrtui.schema.generic import generic_profile
from ehrtui.schema.model import Column, Schema, Table
from tests.counting import calls

PATIENTS = "CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, gender TEXT); INSERT INTO patients VALUES (1, 'f');"
OWN = (
    "CREATE TABLE form_{n} (form_{n}_id INTEGER PRIMARY KEY, patient_id INT, taken_time TIMESTAMP, test TEXT, x TEXT);"
)
LINKED = (
    "CREATE TABLE form_{n} (form_{n}_id INTEGER PRIMARY KEY, form_{before}_id INT, taken_time TIMESTAMP, test TEXT);"
)
ALIKE = "CREATE TABLE form_{n} (visit_id INTEGER PRIMARY KEY, taken_time TIMESTAMP, test TEXT);"
ENDLESS = (
    "CREATE VIEW endless AS WITH RECURSIVE n(i, patient_id, taken_time) AS (SELECT 1, patient_id, taken_time "
    "FROM form_0 UNION ALL SELECT i + 1, patient_id, taken_time FROM n) SELECT patient_id, taken_time, 'x' AS test "
    "FROM n;"
)


def build(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path


def forms(form: str, count: int) -> str:
    return PATIENTS + "".join(form.format(n=n, before=n - 1 if n else "x") for n in range(count))


@pytest.mark.parametrize("form", [OWN, LINKED, ALIKE], ids=["own patients", "chain", "one key"])
def test_guessing_is_work_that_grows_with_the_tables(tmp_path: Path, form: str) -> None:
    def work(count: int) -> int:
        engine = open_engine(str(build(tmp_path / f"{count}.db", forms(form, count))))
        schema = engine.schema()
        called = calls(lambda: generic_profile(schema, engine.read))
        engine.close()
        return called

    work(1)  # what is read once, the names of columns among it, belongs to neither
    assert work(200) < 3 * work(80)


def test_what_a_name_says_is_worked_out_once_for_all_rules(tmp_path: Path) -> None:
    sheets = PATIENTS + "".join(OWN.replace("form", "sheet").format(n=n) for n in range(200))
    engine = open_engine(str(build(tmp_path / "sheets.db", sheets)))
    schema = engine.schema()
    assert calls(lambda: generic_profile(schema, engine.read)) < 200 * 2_500  # 5,000 a table, where each rule asks anew
    engine.close()


def test_no_sample_is_read_of_a_table_without_rows(tmp_path: Path) -> None:
    row = "INSERT INTO form_1 VALUES (1, 1, '2105-03-04 10:00:00', 'sodium', 'x');"
    engine = open_engine(str(build(tmp_path / "forms.db", forms(OWN, 3) + row)))
    read: list[str] = []

    def reading(sql, parameters=(), stopped=None):
        read.append(sql)
        return engine.read(sql, parameters, stopped)

    assert "form" in generic_profile(engine.schema(), reading).roles
    engine.close()
    sampled = " ".join(sql for sql in read if "LIMIT" in sql)
    assert "FROM form_1" in sampled
    assert "FROM form_0" not in sampled
    assert "FROM form_2" not in sampled


def test_the_work_for_an_empty_copy_is_shared_by_its_databases() -> None:
    schema = Schema(tuple(Table(f"T{n}", (Column("a", ""), Column("the b", ""))) for n in range(1000)))
    with empty_copy(schema) as connection:
        parts = [name for _, name, _ in connection.execute("PRAGMA database_list")]
        tables = [connection.execute(f"SELECT count(*) FROM {part}.sqlite_master").fetchone()[0] for part in parts]
        assert max(tables) <= 150
        assert columns_of(connection, "t999") == {"a", "the b"}
        assert columns_of(connection, "T0 JOIN T1 USING (a)") == {"a", "the b"}


def test_tables_and_columns_are_looked_up_by_name_in_any_case() -> None:
    columns = tuple(Column(f"C{n}", "") for n in range(3))
    schema = Schema(tuple(Table(f"T{n}", columns) for n in range(1000)))
    table = schema.table("t999")
    assert table is schema.tables[999]
    assert table.column("c2") is columns[2]
    assert calls(lambda: schema.table("t998")) < 20


def test_records_are_tied_to_patients_over_a_few_tables(tmp_path: Path) -> None:
    names = [f"chart{letter * 3}" for letter in "abcdefghij"]
    keys = ["patient_id", *(f"{name}_id" for name in names)]
    script = PATIENTS + "".join(
        f"CREATE TABLE {name} ({name}_id INTEGER PRIMARY KEY, {key} INT, taken_time TIMESTAMP, test TEXT);"
        for name, key in zip(names, keys, strict=False)
    )
    engine = open_engine(str(build(tmp_path / "chain.db", script)))
    assert sorted(generic_profile(engine.schema(), engine.read).views) == names[1:7]
    engine.close()


def test_a_view_that_never_ends_keeps_no_database_from_opening(tmp_path: Path) -> None:
    row = "INSERT INTO form_0 VALUES (1, 1, '2105-03-04 10:00:00', 'sodium', 'x');"
    path = build(tmp_path / "endless.db", PATIENTS + OWN.format(n=0) + row + ENDLESS)
    engine = open_engine(str(path))
    endless = engine.schema().table("endless")
    assert endless is not None
    assert (endless.is_view, endless.row_count) == (True, None)
    assert "endless" not in {role.table for role in load_profile(engine.schema(), engine.read).roles.values()}
    engine.close()


def test_the_clock_of_an_unknown_database_passes_over_endless_views(tmp_path: Path) -> None:
    things = "CREATE TABLE things (noticed TIMESTAMP); INSERT INTO things VALUES ('2105-03-04 10:00:00');"
    view = (
        "CREATE VIEW endless AS WITH RECURSIVE n(t) AS (SELECT noticed FROM things UNION ALL SELECT t FROM n) "
        "SELECT noticed FROM n JOIN things;"
    )
    conversation = start(str(build(tmp_path / "things.db", things + view)), save=False, state=tmp_path)
    assert conversation.now == "2105-03-04 23:59:00"
    conversation.close()


def test_full_text_tables_keep_their_shadows_hidden_beside_views(tmp_path: Path) -> None:
    script = PATIENTS + "CREATE VIRTUAL TABLE notes USING fts5(body); CREATE VIEW women AS SELECT * FROM patients;"
    engine = open_engine(str(build(tmp_path / "text.db", script)))
    assert [(table.name, table.is_view) for table in engine.schema().tables] == [
        ("patients", False),
        ("notes", False),
        ("women", True),
    ]
    engine.close()
