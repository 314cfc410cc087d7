"""`ehrtui concepts` and `ehrtui vocab`, as processes of their own."""

from __future__ import annotations

from pathlib import Path

from tests import small_mimic
from tests.commands.conftest import Ehrtui
from tests.concepts.test_vocabulary import export


def test_a_concept_is_shown_with_what_it_finds(ehrtui: Ehrtui, tmp_path: Path) -> None:
    ehr = small_mimic.build(tmp_path / "small.sqlite")
    done = ehrtui("concepts", "show", "CHF", "--db", ehr)
    assert done.returncode == 0, done.stderr
    assert "heart failure" in done.stdout
    assert "428.*" in done.stdout
    counted = [line.split() for line in done.stdout.splitlines() if "all" in line.split()]
    assert ["diagnosis", "all", "4", "3"] in counted


def test_a_concept_of_ones_own_is_made_searched_exported_and_forgotten(ehrtui: Ehrtui, tmp_path: Path) -> None:
    values = tmp_path / "values.csv"
    values.write_text("4280\n5849,two\n")
    made = ehrtui("concepts", "add", "my ward's worry", "--from-values", values, "--vocabulary", "icd9",
                  "--from-concept", "septic shock", "--synonym", "worry", "--kind", "diagnosis")  # fmt: skip
    assert "is kept" in made.stdout, made.stderr
    assert "785.52" in made.stdout
    assert "my ward's worry" in ehrtui("concepts", "search", "worry").stdout
    assert "4280" in ehrtui("concepts", "export", "worry").stdout
    assert "my ward's worry" in ehrtui("concepts", "list", "--own").stdout
    assert "forgotten" in ehrtui("concepts", "forget", "my ward's worry").stdout
    assert "No concept is kept yet" in ehrtui("concepts", "list", "--own").stdout


def test_a_dry_run_keeps_nothing(ehrtui: Ehrtui) -> None:
    done = ehrtui("concepts", "add", "lungs", "--from-search", "pneumonia", "--kind", "diagnosis", "--dry-run")
    assert "Nothing was kept" in done.stdout, done.stderr
    assert "No concept is kept yet" in ehrtui("concepts", "list", "--own").stdout


def test_an_import_reports_lines_and_versions(ehrtui: Ehrtui, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    head = "concept,kind,version,vocabulary,code\n"
    file.write_text(head + "sepsis,diagnosis,2020,ICD9CM,038.9\nsepsis,diagnosis,2021,ICD9CM,995.91\nbroken\n")
    done = ehrtui("concepts", "import", file)
    assert "2 concepts are kept" in done.stdout, done.stderr
    assert "line 4" in done.stdout
    assert "2020" in done.stdout
    shown = ehrtui("concepts", "show", "sepsis").stdout
    assert "version 2021" in shown
    assert "version 2020" in shown


def test_what_is_not_there_is_said_with_what_is_near(ehrtui: Ehrtui) -> None:
    done = ehrtui("concepts", "show", "kidney stoned")
    assert done.returncode == 1
    assert "There is no concept" in done.stderr
    assert "kidney" in done.stderr
    assert ehrtui("concepts", "add", "nothing").returncode == 2
    assert ehrtui("concepts", "add", "wrong", "--member", "icd9:no code at all").returncode == 2
    assert "sepsis" not in ehrtui("concepts", "forget", "sepsis").stdout


def test_logic_takes_a_concept_of_ones_own(ehrtui: Ehrtui, tmp_path: Path) -> None:
    ehr = small_mimic.build(tmp_path / "small.sqlite")
    ehrtui("concepts", "add", "pressure", "--member", "icd9:401.*")
    lines = '{"id": 1, "turns": [{"logic": "count of patients with diagnosis concept \\"pressure\\""}]}\n'
    done = ehrtui("exec", ehr, "-", input=lines)
    assert '"answer": [[2]]' in done.stdout, done.stdout + done.stderr


def test_a_vocabulary_is_imported_and_looked_up(ehrtui: Ehrtui, tmp_path: Path) -> None:
    assert "No vocabulary" in ehrtui("vocab", "search", "zosyn").stderr
    done = ehrtui("vocab", "import", export(tmp_path))
    assert "5 rows of CONCEPT.csv" in done.stdout, done.stderr
    assert "piperacillin, tazobactam" in ehrtui("vocab", "show", "Zosyn", "4.5", "g").stdout
    assert "Brand Name" in ehrtui("vocab", "search", "zos").stdout
