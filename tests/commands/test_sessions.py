from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from tests.commands.conftest import Ehrtui
from tests.small_mimic import NOW


@pytest.fixture
def state(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> Path:
    """A state directory with one session of two turns, one of which failed."""
    turns = [{"sql": "SELECT count(*) AS n FROM patients"}, {"sql": "SELECT \x1b[31mred"}]
    line = json.dumps({"id": 1, "turns": turns})
    ehrtui("exec", mimic_path, "-", "--save", "--state", tmp_path / "kept", "--now", NOW, input=line)
    return tmp_path / "kept"


def session_id(state: Path) -> str:
    (path,) = (state / "sessions").iterdir()
    return path.stem


def test_sessions_say_which_command_replays_them(ehrtui: Ehrtui) -> None:
    done = ehrtui("sessions", "replay", "20261103")
    assert done.returncode == 2
    assert "ehrtui replay" in done.stderr


@pytest.mark.parametrize("arguments", [("sessions", "--state", "kept"), ("sessions", "list", "--state", "kept")])
def test_sessions_are_listed(ehrtui: Ehrtui, state: Path, arguments: tuple[str, ...]) -> None:
    done = ehrtui(*arguments)
    assert done.returncode == 0
    assert session_id(state) in done.stdout
    assert "SELECT count(*)" in done.stdout


def test_the_list_tells_when_how_sure_and_of_which_database(ehrtui: Ehrtui, state: Path, mimic_path: Path) -> None:
    (line,) = [line for line in ehrtui("sessions", "--state", state).stdout.splitlines() if session_id(state) in line]
    day = session_id(state)[:8]
    id, began, tau, turns, database, asked = re.split(r"\s{2,}", line.strip())
    assert (id, tau, turns, database) == (session_id(state), "0.70", "2", mimic_path.name)
    assert began.startswith(f"{day[:4]}-{day[4:6]}-{day[6:]} ")
    assert asked == "SELECT count(*) AS n FROM patients"


def test_a_session_is_found_by_its_name_wherever_an_id_is(ehrtui: Ehrtui, state: Path, mimic_path: Path) -> None:
    kept = ("--state", state)
    assert "is called heart failure." in ehrtui("sessions", "name", session_id(state), "heart  failure", *kept).stdout
    assert "heart failure · SELECT count(*)" in ehrtui("sessions", *kept).stdout
    for command in (("sessions", "show"), ("sessions", "export"), ("replay",)):
        by_id = ehrtui(*command, session_id(state), *([mimic_path] * (command == ("replay",))), *kept)
        by_name = ehrtui(*command, "Heart Failure", *([mimic_path] * (command == ("replay",))), *kept)
        assert (by_name.returncode, by_name.stdout) == (by_id.returncode, by_id.stdout)
        assert by_name.returncode == 0
    assert ehrtui("sessions", "compare", "heart failure", session_id(state), *kept).returncode == 0
    ehrtui("sessions", "name", "heart failure", "another", *kept)
    assert ehrtui("sessions", "show", "heart failure", *kept).returncode == 1
    assert "no name any more" in ehrtui("sessions", "name", "another", "", *kept).stdout
    assert "SELECT count(*)" in ehrtui("sessions", *kept).stdout


def test_a_torn_last_line_does_not_spoil_a_session_that_is_named(ehrtui: Ehrtui, state: Path) -> None:
    path = state / "sessions" / f"{session_id(state)}.jsonl"
    path.write_bytes(path.read_bytes() + b'{"event":"Quest')
    ehrtui("sessions", "name", path.stem, "torn", "--state", state)
    shown = ehrtui("sessions", "show", "torn", "--state", state)
    assert (shown.returncode, shown.stderr, shown.stdout.startswith("torn · ")) == (0, "", True)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../x", "an id, a file or an option"),
        ("20261103", "an id, a file or an option"),
        ("--state", "an id, a file or an option"),
        ("red\x1b[31m", "cannot be seen"),
        ("a\u202eb", "cannot be seen"),
        ("x" * 61, "more than 60 letters"),
        ("heart-failure", "An example that ships is called so."),
        ("Other", "is called so."),
    ],
)
def test_a_name_that_is_odd_or_taken_is_refused(
    ehrtui: Ehrtui, state: Path, mimic_path: Path, name: str, why: str
) -> None:
    id = session_id(state)
    ehrtui("ask", mimic_path, "SELECT 1", "--save", "--state", state)
    other = next(path.stem for path in (state / "sessions").iterdir() if path.stem != id)
    ehrtui("sessions", "name", other, "other", "--state", state)
    done = ehrtui("sessions", "--state", state, "name", "--", id, name)
    assert done.returncode == 1
    assert why in " ".join(done.stderr.split())
    assert not steers(done.stderr)
    assert name not in ehrtui("sessions", "show", id, "--state", state).stdout


def test_turns_that_asked_the_same_stand_side_by_side_whatever_their_order_and_their_words(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    def saved(name: str, *questions: str) -> Path:
        line = json.dumps({"id": 1, "turns": [{"question": each} for each in questions]})
        ehrtui("exec", mimic_path, "-", "--save", "--state", tmp_path / name, "--now", NOW, input=line)
        (path,) = (tmp_path / name / "sessions").iterdir()
        return path

    aspirin, furosemide = "how many patients were prescribed aspirin?", "how many patients were prescribed furosemide?"
    first = saved("first", aspirin, furosemide)
    second = saved("second", furosemide, "how many patients have been prescribed aspirin?")
    done = ehrtui("sessions", "compare", first, second)
    assert f"= <A1 >A2  {aspirin}" in done.stdout
    assert f"= <A2 >A1  {furosemide}" in done.stdout
    assert (done.returncode, "They do not differ: 2 turns." in done.stdout) == (0, True)


def test_without_sessions_the_list_says_how_to_make_one(ehrtui: Ehrtui) -> None:
    done = ehrtui("sessions")
    assert done.returncode == 0
    assert "ehrtui demo" in done.stdout


def test_a_session_is_shown_and_cannot_steer_the_terminal(ehrtui: Ehrtui, state: Path) -> None:
    done = ehrtui("sessions", "show", session_id(state), "--state", state)
    assert done.returncode == 0
    assert "Answered: 1 row" in done.stdout
    assert "Failed (" in done.stdout
    assert "\x1b[31m" not in done.stdout


def test_a_session_is_exported_to_a_file_or_standard_output(ehrtui: Ehrtui, state: Path, tmp_path: Path) -> None:
    export = ("sessions", "export", session_id(state), "--state", state)
    assert ehrtui(*export).stdout.startswith("# Session")
    assert "count(*)" in ehrtui(*export, "--to", "sql").stdout.lower()
    assert ehrtui(*export, "--to", "ipynb", "-o", "session.ipynb").stdout == ""
    assert json.loads((tmp_path / "session.ipynb").read_text())["nbformat"] == 4
    assert (tmp_path / "session.ipynb").stat().st_mode & 0o777 == 0o600
    full = ehrtui(*export, "-o", "/dev/full")
    assert full.returncode == 1
    assert "cannot be written" in full.stderr


def test_two_sessions_are_compared_turn_by_turn(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    def saved(name: str, *turns: dict[str, str]) -> Path:
        line = json.dumps({"id": 1, "turns": turns})
        ehrtui("exec", mimic_path, "-", "--save", "--state", tmp_path / name, "--now", NOW, input=line)
        (path,) = (tmp_path / name / "sessions").iterdir()
        return path

    count, red, men = "SELECT count(*) AS n FROM patients", "SELECT \x1b[31mred", "SELECT 1 FROM patients"
    first = saved("first", {"sql": count}, {"question": "how many patients are there?"}, {"sql": red})
    second = saved("second", {"question": "how many patients are there?"}, {"sql": red}, {"sql": men})
    done = ehrtui("sessions", "compare", first, second)
    assert done.returncode == 4
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    assert f"< A1  {count}" in lines
    assert "= <A2 >A1  how many patients are there?" in lines
    assert any(line.startswith("= <A3 >A2") for line in lines)
    assert f"> A3  {men}" in lines
    said = "In both: 2 turns, 2 with the same result, 0 with another. Only in <: 1. Only in >: 1."
    assert said in " ".join(lines)
    assert not steers(done.stdout)
    change = ehrtui("sessions", "compare", first, first)
    assert (change.returncode, "They do not differ: 3 turns." in change.stdout) == (0, True)
    assert ehrtui("sessions", "compare", first, "nowhere").returncode == 1


HOSTILE = "\x1b[31m\x07\x9b\u202e\u2066\u061c\u200b\x85\u2028\r"


def hostile_session(ehrtui: Ehrtui, database: Path, state: Path) -> str:
    """A session whose questions, plans, SQL, columns, values and errors all hold control characters."""
    turns = [
        {"sql": f"SELECT 'x{HOSTILE}y' AS \"c{HOSTILE}\" -- {HOSTILE}"},
        {"plan": f"# {HOSTILE[:-3]}\nanswer = 'x{HOSTILE[:-3]}'"},
        {"question": f"how many {HOSTILE} patients"},
        {"sql": f'SELECT "no{HOSTILE}".x FROM patients'},
        {"logic": f"count {HOSTILE}"},
    ]
    line = json.dumps({"id": 1, "turns": turns})
    ehrtui("exec", database, "-", "--save", "--with-results", "--state", state, "--now", NOW, input=line)
    return session_id(state)


def steers(text: str) -> set[str]:
    """The characters of a text that a terminal would obey, or that hide or reorder others."""
    return {one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp") and one not in "\n\t"}


def test_nothing_that_is_printed_of_a_session_steers_the_terminal(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    id = hostile_session(ehrtui, mimic_path, tmp_path / "kept")
    for arguments in (
        ("sessions",),
        ("sessions", "show", id),
        ("sessions", "export", id),
        ("sessions", "export", id, "--to", "sql"),
        ("sessions", "export", id, "--to", "ipynb"),
        ("replay", id, mimic_path),
    ):
        done = ehrtui(*arguments, "--state", tmp_path / "kept")
        assert done.stdout
        assert steers(done.stdout + done.stderr) == set()


def test_nothing_that_a_question_prints_steers_the_terminal(ehrtui: Ehrtui, mimic_path: Path) -> None:
    for question in (f"how many {HOSTILE} patients", f"SELECT 'x{HOSTILE}' AS \"c{HOSTILE}\"", f'SELECT "{HOSTILE}"'):
        done = ehrtui("ask", mimic_path, question, "--now", NOW, "--guess")
        assert steers(done.stdout + done.stderr) == set()


def test_the_notebook_has_the_statement_as_it_ran_and_the_script_says_that_it_has_not(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    id = hostile_session(ehrtui, mimic_path, tmp_path / "kept")
    notebook = json.loads(ehrtui("sessions", "export", id, "--to", "ipynb", "--state", tmp_path / "kept").stdout)
    assert any(repr("\x1b[31m")[1:-1] in "".join(cell["source"]) for cell in notebook["cells"])
    assert "shown as pictures" in ehrtui("sessions", "export", id, "--to", "sql", "--state", tmp_path / "kept").stdout


def test_what_a_plan_put_together_is_exported_where_its_database_is_given(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    plan = """x = GetValue(LoadDB("patients"), "subject_id, max")
answer = FilterDB(LoadDB("admissions"), f"subject_id={x}")"""
    repaired = 'answer = len(FilterDB(LoadDB("prescriptions"), "drug=asprin"))'
    line = json.dumps({"id": 1, "turns": [{"plan": plan}, {"plan": repaired}]})
    ehrtui("exec", mimic_path, "-", "--save", "--repair", "--state", "kept", "--now", NOW, input=line)
    export = ("sessions", "export", session_id(tmp_path / "kept"), "--state", "kept", "--to")
    script = ehrtui(*export, "sql").stdout
    assert "= 105" not in script
    assert "--restore DB" in script
    assert "aspirin" not in ehrtui(*export, "md").stdout
    assert "subject_id = 105" in ehrtui(*export, "sql", "--restore", mimic_path).stdout
    assert "drug=aspirin" in ehrtui(*export, "md", "--restore", mimic_path).stdout


def test_what_the_user_wrote_is_not_scored(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    turns = [{"sql": "SELECT 1"}, {"plan": "answer = 1"}, {"logic": "count patients"}]
    line = json.dumps({"id": 1, "turns": turns})
    done = ehrtui("exec", mimic_path, "-", "--save", "--state", "kept", "--now", NOW, input=line)
    assert [record["confidence"] for record in map(json.loads, done.stdout.splitlines())] == [None] * 3
    id = session_id(tmp_path / "kept")
    (path,) = (tmp_path / "kept" / "sessions").glob("*.jsonl")
    events = [json.loads(one) for one in path.read_text().splitlines()]
    assert {one["confidence"] for one in events if one["event"] in ("PlanProposed", "Answered")} == {None}
    for arguments in (("sessions", "show", id), ("sessions", "export", id), ("replay", id, mimic_path)):
        said = ehrtui(*arguments, "--state", "kept").stdout
        assert said.count("not scored") == 3
        assert "confidence 1.00" not in said
    older = [one | {"confidence": 1.0} if "confidence" in one else one for one in events]  # as it was written once
    path.write_text("".join(json.dumps(one) + "\n" for one in older))
    assert ehrtui("replay", id, mimic_path, "--state", "kept").stdout == said
    asked = ehrtui("ask", mimic_path, "SELECT 1", "--now", NOW).stdout
    assert "not scored" in asked
    assert "1.00" not in asked


def test_what_was_said_of_answers_is_listed_and_answers_are_exported(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    options = ("--now", NOW, "--state", tmp_path / "said")
    said = ["how many patients?", "/right", "patients who were prescribed furosemide", "/wrong too few"]
    said += ["/todo 2 1 done", "/todo 2 9 done", "/export out.csv", "/export out.csv"]
    lines = ehrtui("repl", mimic_path, *options, input="\n".join(said))
    assert "A2 is kept as wrong" in lines.stdout + lines.stderr, lines.stderr
    shown = ehrtui("sessions", "show", "--feedback", "--state", tmp_path / "said").stdout
    assert "A1 right: how many patients?" in shown
    assert "because: too few" in shown
    (session,) = (tmp_path / "said" / "sessions").iterdir()
    assert "Row 1: done" in ehrtui("sessions", "show", session.stem, "--state", tmp_path / "said").stdout
    assert "there already" in lines.stderr + lines.stdout
    assert (tmp_path / "out.csv").read_text().startswith("subject_id")
    asked = ("ask", mimic_path, "how many patients have chf nos?", "--now", NOW, "--export")
    done = ehrtui(*asked, "few.md", "--with-values")
    assert "<5 |" in (tmp_path / "few.md").read_text(), done.stderr
    assert ehrtui(*asked, "few.xls").returncode == 2
    assert ehrtui("sessions", "show").returncode == 2
