from __future__ import annotations

import ast
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.start import start
from ehrtui.session.export import to_markdown, to_notebook, to_sql
from ehrtui.session.saved import SavedSession, read_session
from tests.small_mimic import NOW

FENCES = 'answer = """```"""\n# ````'


@pytest.fixture
def saved(mimic_path: Path, tmp_path: Path) -> SavedSession:
    """Two answers in SQL with a token, one in Python, a failure; their questions try to break out of their place."""
    conversation = start(str(mimic_path), now=NOW, state=tmp_path / "state", with_results=True)
    for text, kind in [
        ("SELECT DISTINCT drug FROM prescriptions -- all of them", "sql"),
        ("SELECT count(*) AS n FROM prescriptions\nWHERE drug IN (PREV_RESULT1)", "sql"),
        (FENCES, "plan"),
        ("SELECT nothing FROM here;\nDROP TABLE patients", "sql"),
    ]:
        conversation.run(conversation.propose(text, kind))  # type: ignore[arg-type]
    conversation.close()
    assert conversation.path is not None
    return read_session(conversation.path)


def test_the_sql_script_runs_as_it_stands(saved: SavedSession, mimic_path: Path) -> None:
    script = to_sql(saved)
    with closing(sqlite3.connect(mimic_path)) as connection:
        connection.executescript(script)
        assert connection.execute("SELECT count(*) FROM patients").fetchone() == (5,)
    assert script.count("\n;\n") == 2
    assert "PREV_RESULT" not in "".join(line for line in script.splitlines() if not line.startswith("--"))


def test_the_notebook_is_valid_and_its_cells_run(
    saved: SavedSession, mimic_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = json.loads(to_notebook(saved))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    monkeypatch.chdir(mimic_path.parent)
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        assert set(cell) >= {"cell_type", "metadata", "source", "id"}
        if cell["cell_type"] == "code":
            code = "".join(cell["source"])
            ast.parse(code)
            exec(code, names)
    assert names["a2"] == [(10,)]
    connection = names["connection"]
    assert isinstance(connection, sqlite3.Connection)
    connection.close()


def test_the_document_shows_every_turn_with_its_plan_and_rows(saved: SavedSession) -> None:
    text = to_markdown(saved)
    for expected in (
        "## A1",
        "## A2",
        "## A3",
        "## A4",
        "| n |\n| --- |\n| 10 |",
        "Failed (",
        "`````python\n" + FENCES,
    ):
        assert expected in text
