"""What a language model is told of a database: of what has no row, no more than that."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.planning.claude.knowledge import Vocabularies, knowledge, tables
from ehrtui.schema.detection import load_profile
from tests import small_mimic, small_omop


def told(path: Path) -> tuple[str, str]:
    engine = open_engine(str(path))
    try:
        schema = engine.schema()
        profile = load_profile(schema, engine.read)
        return tables(schema, profile, "sqlite", Vocabularies({}, {})), knowledge(schema, profile)
    finally:
        engine.close()


@pytest.mark.parametrize("rows", [True, False])
def test_a_table_without_rows_is_named_and_no_more(tmp_path: Path, rows: bool) -> None:
    path = small_mimic.build(tmp_path / "mimic.sqlite")
    if not rows:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("DELETE FROM prescriptions")
    shape, joined = told(path)
    assert ("- prescriptions(" in shape) == rows
    assert ("Tables without any row: prescriptions" in shape) != rows
    assert ("- prescription: prescriptions" in joined) == rows


def test_a_view_over_a_table_without_rows_is_not_told(tmp_path: Path) -> None:
    path = small_omop.build(tmp_path / "omop.sqlite")
    assert "visits is no table, write instead" in told(path)[1]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM person")
    joined = told(path)[1]
    assert "visits" not in joined
    assert "conditions is no table, write instead" in joined
