from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ehrtui.session.turn import JSON_FIELDS
from tests.commands.conftest import Ehrtui, json_lines
from tests.small_mimic import NOW, chart_too

MEN = "SELECT subject_id FROM patients WHERE gender = 'm' ORDER BY subject_id"


@pytest.mark.parametrize(
    ("question", "code", "decision"),
    [(MEN, 0, "answered"), ("SELECT nothing FROM here", 1, "failed"), ("", 3, "abstained"), ("😀" * 9, 3, "abstained")],
)
def test_the_exit_code_is_the_decision(
    ehrtui: Ehrtui, mimic_path: Path, question: str, code: int, decision: str
) -> None:
    done = ehrtui("ask", mimic_path, question, "--json", "--now", NOW)
    (record,) = json_lines(done.stdout)
    assert (done.returncode, record["decision"]) == (code, decision)
    assert tuple(record) == JSON_FIELDS
    assert ehrtui("ask", mimic_path, question).returncode == code


def test_a_question_in_words_is_read_planned_and_answered(ehrtui: Ehrtui, mimic_path: Path) -> None:
    done = ehrtui("ask", mimic_path, "--now", NOW, "--json", "how many patients were prescribed furosemide in 2104?")
    (record,) = json_lines(done.stdout)
    assert (done.returncode, record["answer"]) == (0, [[2]])
    assert record["logic"]
    assert record["steps"]
    assert record["planner"] == "offline"


def test_a_question_may_refer_to_an_earlier_one_of_its_session(ehrtui: Ehrtui, mimic_path: Path) -> None:
    questions = [
        {"id": 1, "question": "which drugs were prescribed to patient 102?", "session": "a"},
        {"id": 2, "question": "how many are there in A1?", "session": "a"},
        {"id": 3, "question": "how many are there in A1?", "session": "b"},
    ]
    done = ehrtui("ask", mimic_path, "--now", NOW, "--batch", "-", input="\n".join(map(json.dumps, questions)))
    first, second, alone = json_lines(done.stdout)
    assert sorted(first["answer"]) == [["furosemide"], ["potassium chloride"]]
    assert second["answer"] == [[2]]
    assert "PREV_" in second["seqsql"]
    assert alone["decision"] == "abstained"


def test_what_the_database_cannot_answer_is_refused_and_the_guess_shown_on_demand(
    ehrtui: Ehrtui, mimic_path: Path
) -> None:
    question = "what is the shoe size of patients who were prescribed potassium chloride?"
    refused = ehrtui("ask", mimic_path, "--now", NOW, question)
    assert refused.returncode == 3
    assert "shoe" in refused.stdout.split("Not answered:")[1]
    assert "Do you mean" not in refused.stdout
    assert "--guess" in refused.stdout
    assert "best guess" in ehrtui("ask", mimic_path, "--now", NOW, question, "--guess").stdout


def test_a_reading_that_is_not_sure_enough_is_said_as_a_question(ehrtui: Ehrtui, mimic_path: Path) -> None:
    question = "how many patients were prescribed furosemide in 2104?"
    withheld = ehrtui("ask", mimic_path, "--now", NOW, "--threshold", "1.0", question)
    assert withheld.returncode == 3
    assert "Do you mean: How many patients were prescribed furosemide in 2104?" in withheld.stdout
    assert "Do you mean" not in ehrtui("ask", mimic_path, "--now", NOW, question).stdout


def test_options_may_stand_anywhere(ehrtui: Ehrtui, mimic_path: Path) -> None:
    for arguments in (
        ("--now", NOW, mimic_path, "--json", "SELECT current_time"),
        (mimic_path, "--now", NOW, "--json", "SELECT current_time"),
        (mimic_path, "SELECT current_time", "--json", "--now", NOW),
    ):
        assert json_lines(ehrtui("ask", *arguments).stdout)[0]["answer"] == [[NOW]]


def test_people_see_the_answer_and_its_sql(ehrtui: Ehrtui, mimic_path: Path) -> None:
    done = ehrtui("ask", mimic_path, MEN)
    for expected in ("2 rows", "subject_id", "102", "104", "confidence", "SELECT"):
        assert expected in done.stdout


def test_people_see_fifty_rows_and_how_many_more_there_are(ehrtui: Ehrtui, mimic_path: Path) -> None:
    done = ehrtui("ask", mimic_path, "SELECT a.row_id FROM labevents a, labevents b ORDER BY a.row_id")
    assert "196 rows" in done.stdout
    assert "146 more" in done.stdout


def test_people_see_the_beginning_of_long_values_and_programs_all_of_them(ehrtui: Ehrtui, mimic_path: Path) -> None:
    sql = "SELECT replace(hex(zeroblob(5000000)), '0', 'x') AS note, zeroblob(10000000) AS scan"
    done = ehrtui("ask", mimic_path, sql)
    assert "(10,000,000" in done.stdout
    assert "characters)" in done.stdout
    assert "bytes)" in done.stdout
    assert len(done.stdout) < 5_000
    ((note, scan),) = json.loads(ehrtui("ask", mimic_path, sql, "--json").stdout)["answer"]
    assert note == "x" * 10_000_000
    assert scan == f"x'{'00' * 10_000_000}'"


def test_people_see_as_many_columns_as_can_be_read(ehrtui: Ehrtui, mimic_path: Path) -> None:
    done = ehrtui("ask", mimic_path, f"SELECT {', '.join(f'{n} AS c{n}' for n in range(2000))}")
    assert "c9 " in done.stdout
    assert "more columns; --json prints all." in done.stdout
    every = ehrtui("ask", mimic_path, "SELECT 1 AS a, 2 AS b, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7 AS g, 8 AS h")
    assert "more column" not in every.stdout
    long = ehrtui("ask", mimic_path, f"SELECT '{'word ' * 200}' AS a, 2 AS b")
    assert "more column" not in long.stdout


def test_what_was_not_asked_is_marked_for_people_and_apart_for_programs(ehrtui: Ehrtui, mimic_path: Path) -> None:
    shown = ehrtui("ask", mimic_path, "which drugs were prescribed?").stdout
    assert "· records" in shown
    assert shown.index("name") < shown.index("· records") < shown.index("· patients")
    record = json.loads(ehrtui("ask", mimic_path, "which drugs were prescribed?", "--json").stdout)
    assert record["columns"] == ["name"]
    assert record["context_columns"] == ["name", "records", "patients"]
    assert [row[:1] for row in record["context"]] == record["answer"]


def test_values_of_the_database_cannot_steer_the_terminal(ehrtui: Ehrtui, mimic_path: Path) -> None:
    done = ehrtui("ask", mimic_path, "SELECT char(27) || '[31m[bold]red' AS v")
    assert "\x1b" not in done.stdout
    assert "[bold]red" in done.stdout


def test_a_refusal_says_its_reason_first(ehrtui: Ehrtui, mimic_path: Path) -> None:
    done = ehrtui("ask", mimic_path, "how many " * 1000)
    assert done.returncode == 3
    assert "Not answered: The question is longer" in done.stdout


def test_a_batch_answers_in_order_and_keeps_sessions_apart(ehrtui: Ehrtui, mimic_path: Path) -> None:
    questions = [
        {"id": 1, "question": MEN, "session": "a"},
        {"id": 2, "question": "SELECT count(*) FROM patients", "session": "b"},
        {"id": 3, "question": "SELECT count(*) FROM patients WHERE subject_id IN (PREV_RESULT1)", "session": "a"},
        {"id": 4, "question": "SELECT * FROM patients WHERE subject_id IN (PREV_RESULT1)"},
        {"id": 5, "question": "SELECT * FROM (PREV_QUERY1)", "session": "b"},
        {"id": 6, "question": ""},
    ]
    done = ehrtui("ask", mimic_path, "--batch", "-", input="\n".join(map(json.dumps, questions)))
    assert done.returncode == 1
    records = json_lines(done.stdout)
    assert [record["id"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert [record["turn"] for record in records] == [1, 1, 2, 1, 2, 1]
    assert [record["answer"] for record in records] == [[[102], [104]], [[5]], [[2]], None, [[5]], None]
    assert [record["decision"] for record in records][3:] == ["failed", "answered", "abstained"]


def test_a_batch_reads_a_file_and_goes_on_after_a_malformed_line(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    lines = ["{", '{"id": "a"}', '{"id": "b", "question": 7}', '{"id": "c", "question": "x", "session": [1]}', "null"]
    content = "\n".join([*lines, json.dumps({"id": "d", "question": "SELECT 1"})])
    (tmp_path / "questions.jsonl").write_bytes(b"\xef\xbb\xbf" + content.encode())
    done = ehrtui("ask", mimic_path, "--batch", "questions.jsonl")
    assert done.returncode == 1
    records = json_lines(done.stdout)
    assert [record["id"] for record in records] == [None, "a", "b", "c", None, "d"]
    assert [record["decision"] for record in records] == ["failed"] * 5 + ["answered"]
    for record in records:
        assert sorted(record) == sorted(JSON_FIELDS)
        assert record["error"] is None or record["error"]["cause"]


def test_a_batch_answers_each_line_before_the_next_is_there(mimic_path: Path) -> None:
    command = [sys.executable, "-m", "ehrtui", "ask", str(mimic_path), "--batch", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "question": f"SELECT {number}"}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["answer"] == [[number]]
        process.stdin.close()
        assert process.wait() == 0


def test_the_configuration_file_counts_and_options_win(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("threshold = 1.0\n[limits]\nresult_rows = 5\n")
    question = "how many patients are there?"
    assert ehrtui("ask", mimic_path, question, "--now", NOW, "--config", config).returncode == 3
    assert ehrtui("ask", mimic_path, question, "--now", NOW, "--config", config, "--threshold", "0.1").returncode == 0
    too_many = ehrtui("ask", mimic_path, "SELECT * FROM prescriptions", "--config", config)
    assert too_many.returncode == 1
    assert "more than 5 rows" in too_many.stdout


def test_the_users_own_configuration_counts_without_being_named(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "home" / "config" / "ehrtui").mkdir(parents=True)
    (tmp_path / "home" / "config" / "ehrtui" / "config.toml").write_text("threshold = 1.0\n")
    assert ehrtui("ask", mimic_path, "how many patients are there?", "--now", NOW).returncode == 3


def test_a_wrong_configuration_is_told_and_stops_nothing(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[limits]\ndisk = 5\nturn_seconds = 0\n")
    done = ehrtui("ask", mimic_path, "SELECT 1", "--config", config)
    assert done.returncode == 0
    first, second = done.stderr.splitlines()
    assert "line 2: There is no key limits.disk" in first
    assert "disk_bytes" in first
    assert "line 3: limits.turn_seconds" in second


def test_a_language_model_is_not_asked_by_a_wrong_configuration(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[claude]\nbase_url = 5\n")
    done = ehrtui("ask", mimic_path, "SELECT 1", "--config", config, "--planner", "claude")
    assert done.returncode == 2
    assert "line 2: claude.base_url" in done.stderr


def test_what_lowers_the_confidence_and_how_else_a_question_can_be_read_are_said(
    ehrtui: Ehrtui, mimic_path: Path
) -> None:
    said = ehrtui("ask", chart_too(mimic_path, "potassium"), "--now", NOW, "how many patients had potassium").stdout
    after = said.split("confidence", 1)[1]
    assert "nothing says what kind of record “potassium” is" in after
    assert after.count("−0.") == 2
    readings = [line for line in after.splitlines() if "or read as" in line]
    assert readings == ["or read as How many patients had a potassium measurement?"]


def test_a_plain_question_has_no_doubts_and_no_other_reading(ehrtui: Ehrtui, mimic_path: Path) -> None:
    said = ehrtui("ask", mimic_path, "--now", NOW, "how many patients got furosemide?").stdout
    assert "−" not in said.split("confidence", 1)[1].split("SQL", 1)[0]
    assert "or read as" not in said
