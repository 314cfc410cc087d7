"""`ehrtui prepare` as a user runs it."""

from __future__ import annotations

from pathlib import Path

from tests.commands.conftest import Ehrtui, json_lines


def test_it_prepares_once_says_so_and_drops(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    state = tmp_path / "mine"
    first = ehrtui("prepare", mimic_path, "--state", state)
    assert (first.returncode, first.stderr) == (0, "")
    assert "small_mimic.sqlite is prepared" in first.stdout
    assert len(list((state / "prepared").glob("*.sqlite"))) == 1
    assert "already" in ehrtui("prepare", mimic_path, "--state", state).stdout
    dropped = ehrtui("prepare", mimic_path, "--drop", "--state", state)
    assert (dropped.returncode, list((state / "prepared").glob("*-*"))) == (0, [])
    assert "no prepared copy" in ehrtui("prepare", mimic_path, "--drop", "--state", state).stdout


def test_questions_are_answered_from_the_copy_as_from_the_file(ehrtui: Ehrtui, mimic_path: Path) -> None:
    question = "how many patients were prescribed furosemide?"
    before = ehrtui("ask", mimic_path, question, "--json")
    assert ehrtui("prepare", mimic_path).returncode == 0
    after = ehrtui("ask", mimic_path, question, "--json")
    [one], [other] = json_lines(before.stdout), json_lines(after.stdout)
    assert one["answer"] == other["answer"] == [[3]]
    assert (one["sql"], one["confidence"]) == (other["sql"], other["confidence"])


def test_what_cannot_be_prepared_is_said_without_a_traceback(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("not a folder")
    (tmp_path / "text.db").write_text("subject_id,drug\n" * 100)
    for arguments, said in (
        ((tmp_path / "missing.db",), "There is no file"),
        ((tmp_path / "text.db",), "not a SQLite database"),
        ((mimic_path, "--state", tmp_path / "taken"), "--state"),
        ((mimic_path, "--profile", tmp_path / "text.db"), "profile"),
        (("postgresql://host/mimic",), "is on a server"),
    ):
        done = ehrtui("prepare", *arguments)
        assert done.returncode == 1
        assert said in done.stderr
        assert "Traceback" not in done.stderr
