"""`ehrtui profile` as a user runs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests import small_clinic, small_flat, small_native, small_omop
from tests.commands.conftest import Ehrtui, json_lines


@pytest.mark.parametrize("build", [small_native.build, small_omop.build, small_clinic.build, small_flat.build])
def test_what_is_printed_is_a_profile_that_fits(ehrtui: Ehrtui, tmp_path: Path, build: Callable[[Path], Path]) -> None:
    path = build(tmp_path / "some.sqlite")
    printed = ehrtui("profile", path)
    assert (printed.returncode, printed.stderr) == (0, "")
    mine = tmp_path / "mine.toml"
    mine.write_text(printed.stdout, encoding="utf-8")
    assert ehrtui("profile", path, "--profile", mine).stdout == printed.stdout
    question = "how many patients are there?"
    [before] = json_lines(ehrtui("ask", path, question, "--json").stdout)
    [after] = json_lines(ehrtui("ask", path, question, "--json", "--profile", mine).stdout)
    assert before["answer"] == after["answer"] != []


def test_an_edited_profile_changes_what_is_understood(ehrtui: Ehrtui, tmp_path: Path) -> None:
    path = small_clinic.build(tmp_path / "clinic.sqlite")
    question = "how many patients had a consultation in cardiology?"
    [before] = json_lines(ehrtui("ask", path, question, "--json").stdout)
    assert before["decision"] == "abstained"
    printed = ehrtui("profile", path).stdout
    mine = tmp_path / "mine.toml"
    mine.write_text(printed.replace('nouns = ["visit", "visits"]', 'nouns = ["consultation"]'), encoding="utf-8")
    [after] = json_lines(ehrtui("ask", path, question, "--json", "--profile", mine).stdout)
    assert (after["decision"], after["answer"]) == ("answered", [[2]])


def test_it_says_what_it_could_not_place(ehrtui: Ehrtui, tmp_path: Path) -> None:
    said = ehrtui("profile", small_clinic.build(tmp_path / "clinic.sqlite")).stdout
    assert "# Tables that no role uses: consumables\n" in said


def test_each_guess_is_said_where_it_can_be_changed(ehrtui: Ehrtui, tmp_path: Path) -> None:
    lines = ehrtui("profile", small_flat.build(tmp_path / "flat.sqlite")).stdout.splitlines()
    over = {line: lines[place - 1] for place, line in enumerate(lines) if line.startswith("[")}
    assert over["[patient]"] == "# Guess: SUBJECT_ID of DEMOGRAPHIC tells patients apart."
    assert over["[stays.hospital]"].endswith("numbers hospital stays, which last from ADMITTIME to DISCHTIME.")
    assert over["[roles.lab]"] == (
        "# Guess: a row of LAB is a lab test; LABEL names it; VALUE_UNIT_number is its value; it was at CHARTTIME; "
        "HADM_ID says in which stay."
    )
    assert all("Guess" in note for section, note in over.items() if section.startswith(("[roles", "[stays")))


def test_a_file_that_is_no_database_is_said_without_a_traceback(ehrtui: Ehrtui, tmp_path: Path) -> None:
    failed = ehrtui("profile", tmp_path / "missing.db")
    assert failed.returncode == 1
    assert "There is no file" in failed.stderr
