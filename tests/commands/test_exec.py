from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from ehrtui.session.saved import read_session
from ehrtui.session.turn import JSON_FIELDS
from tests.commands.conftest import Ehrtui, json_lines
from tests.session import hostile
from tests.session.test_nothing_leaks import turns
from tests.small_mimic import NOW


def line(id: object, *turns: object) -> str:
    return json.dumps({"id": id, "turns": turns}) + "\n"


def run(ehrtui: Ehrtui, database: Path, *lines: str) -> list[dict[str, Any]]:
    done = ehrtui("exec", database, "-", "--now", NOW, input="".join(lines))
    records = json_lines(done.stdout)
    assert done.returncode == any(record["decision"] == "failed" for record in records), done.stderr
    assert done.stderr == ""
    return records


def test_one_line_comes_out_for_every_turn(ehrtui: Ehrtui, mimic_path: Path) -> None:
    records = run(
        ehrtui,
        mimic_path,
        line(
            "a",
            {"sql": "SELECT DISTINCT subject_id FROM prescriptions WHERE drug = 'furosemide' ORDER BY subject_id"},
            {"sql": "SELECT subject_id FROM patients WHERE subject_id IN (PREV_RESULT1) AND gender = 'f'"},
            {"plan": "answer = len(LoadDB('patients'))"},
        ),
        line(2, {"sql": "SELECT current_time AS now"}),
    )
    assert [(record["id"], record["turn"], record["kind"]) for record in records] == [
        ("a", 1, "sql"),
        ("a", 2, "sql"),
        ("a", 3, "plan"),
        (2, 1, "sql"),
    ]
    assert [record["answer"] for record in records] == [[[101], [102], [104]], [[101]], [[5]], [[NOW]]]
    for record in records:
        assert tuple(record) == JSON_FIELDS
        assert record["decision"] == "answered"
    assert "PREV_RESULT1" in records[1]["seqsql"]
    assert "PREV_RESULT1" not in records[1]["sql"]


def test_all_rows_of_an_answer_come_out(ehrtui: Ehrtui, mimic_path: Path) -> None:
    sql = "SELECT a.row_id FROM labevents a, labevents b, labevents c, labevents d"
    (record,) = run(ehrtui, mimic_path, line(1, {"sql": sql}))
    assert record["row_count"] == len(record["answer"]) == 14**4


def test_what_fails_does_not_stop_the_rest_and_keeps_its_number(ehrtui: Ehrtui, mimic_path: Path) -> None:
    records = run(
        ehrtui,
        mimic_path,
        line(
            "a",
            {"sql": "SELECT drg FROM prescriptions"},
            {"nonsense": 1},
            {"sql": 7},
            "words",
            {"logic": "((((("},
            {"plan": "answer = 1 / 0"},
            {"sql": "SELECT * FROM patients WHERE subject_id IN (PREV_RESULT1)"},
            {"sql": "SELECT 8 AS n"},
            {"sql": "SELECT n FROM (PREV_QUERY8)"},
        ),
    )
    assert [record["turn"] for record in records] == list(range(1, 10))
    assert [record["decision"] for record in records] == ["failed"] * 7 + ["answered"] * 2
    for record in records[:7]:
        assert record["error"]["message"]
        assert record["answer"] is None
    assert records[5]["error"]["type"] == "ZeroDivisionError"
    assert records[5]["error"]["line"] == 1
    assert records[6]["error"]["type"] == "TokenError"


def test_a_malformed_line_gives_an_error_with_its_id_and_the_rest_goes_on(ehrtui: Ehrtui, mimic_path: Path) -> None:
    records = run(
        ehrtui,
        mimic_path,
        "no json\n",
        "\n",
        '{"id": "x"}\n',
        '{"id": "y", "turns": []}\n',
        '{"id": "z", "turns": {"sql": "SELECT 1"}}\n',
        "[1]\n",
        '{"id": NaN, "turns": [{"sql": "SELECT 1"}]}\n',
        '{"id": [1e999], "turns": [{"sql": "SELECT 1"}]}\n',
        "[" * 100_000 + "\n",
        line("last", {"sql": "SELECT 1"}),
    )
    assert [record["id"] for record in records] == [None, "x", "y", "z", None, None, None, None, "last"]
    assert [record["decision"] for record in records] == ["failed"] * 8 + ["answered"]
    for record in records:
        assert sorted(record) == sorted(JSON_FIELDS)


def test_writes_and_other_statements_are_refused(ehrtui: Ehrtui, mimic_path: Path) -> None:
    before = mimic_path.read_bytes()
    statements = ["DELETE FROM patients", "ATTACH 'x' AS x", "PRAGMA user_version = 3", "SELECT 1; SELECT 2", "VACUUM"]
    records = run(ehrtui, mimic_path, line(1, *({"sql": statement} for statement in statements)))
    assert [record["decision"] for record in records] == ["failed"] * len(statements)
    assert mimic_path.read_bytes() == before


def test_nothing_is_saved_unless_asked_for(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    run(ehrtui, mimic_path, line(1, {"sql": "SELECT 1"}))
    assert sorted(tmp_path.rglob("*")) == before
    done = ehrtui("exec", mimic_path, "-", "--save", "--state", "kept", input=line(1, {"sql": "SELECT 1"}))
    assert done.returncode == 0
    (session,) = (tmp_path / "kept" / "sessions").iterdir()
    assert len(read_session(session).turns) == 1


def test_a_killed_process_leaves_every_finished_turn(mimic_path: Path, tmp_path: Path) -> None:
    # The process kills itself, without warning, when the plan of its third turn begins its first step.
    code = f"""
import os, signal
from pathlib import Path
from ehrtui.session.events import StepStarted
from ehrtui.conversation.start import start

def kill(event):
    if isinstance(event, StepStarted) and event.turn == 3:
        os.kill(os.getpid(), signal.SIGKILL)

conversation = start({str(mimic_path)!r}, now={NOW!r}, state=Path({str(tmp_path / "state")!r}))
conversation.subscribe(kill)
for number in (1, 2, 3):
    conversation.run(conversation.propose(f"SELECT {{number}}"))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert done.returncode == -signal.SIGKILL
    (session,) = (tmp_path / "state" / "sessions").iterdir()
    saved = read_session(session)
    assert [turn.asked.text for turn in saved.turns] == ["SELECT 1", "SELECT 2"]
    assert "never finished" in saved.notices[0]


def test_a_reader_that_leaves_early_is_no_error(mimic_path: Path) -> None:
    lines = "".join(line(number, {"sql": "SELECT hex(zeroblob(100000))"}) for number in range(20))
    command = [sys.executable, "-m", "ehrtui", "exec", str(mimic_path), "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(line("first", {"sql": "SELECT 1"}).encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "first"
        process.stdout.close()
        process.stdin.write(lines.encode())
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_ctrl_c_cancels_the_running_turn_and_exits_130(mimic_path: Path) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    command = [sys.executable, "-m", "ehrtui", "exec", str(mimic_path), "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line("first", {"sql": "SELECT 1"}).encode() + line("endless", {"sql": endless}).encode())
        process.stdin.flush()
        process.stdout.readline()  # the endless turn is what comes next
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert errors.strip() == b"Cancelled."


def test_the_deadline_of_a_turn_ends_it_and_no_other(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[limits]\nturn_seconds = 1\n")
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    slow = f"{numbers} SELECT length(hex(randomblob(5000000))) AS x FROM n"
    turns = (
        {"sql": slow},
        {"plan": f'answer = SQLInterpreter("{slow}")'},
        {"plan": f'x = SQLInterpreter("{slow}")\nanswer = len([1])'},
        {"sql": "SELECT count(*) FROM patients"},
    )
    done = ehrtui("exec", mimic_path, "-", "--now", NOW, "--config", config, input=line("a", *turns))
    *late, last = json_lines(done.stdout)
    assert [record["error"]["message"] for record in late] == ["The turn took longer than its deadline of 1 s."] * 3
    assert {record["error"]["type"] for record in late} == {"TimeoutError"}
    assert last["answer"] == [[5]]


def test_plans_are_revised_on_demand(ehrtui: Ehrtui, mimic_path: Path) -> None:
    plan = 'answer = len(FilterDB(LoadDB("prescriptions"), "drug=asprin"))'
    (as_it_is,) = run(ehrtui, mimic_path, line("a", {"plan": plan}))
    assert (as_it_is["decision"], as_it_is["error"]["suggestions"][0]) == ("failed", "aspirin")
    done = ehrtui("exec", mimic_path, "-", "--now", NOW, "--repair", input=line("a", {"plan": plan}))
    (revised,) = json_lines(done.stdout)
    assert (revised["decision"], revised["answer"]) == ("answered", [[2]])
    assert "drug=aspirin" in revised["plan"]
    assert revised["confidence"] is None  # the words are the user's, and nobody scores them


def test_a_file_of_tools_is_named_by_an_option_or_the_configuration(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    plan = line("a", {"plan": "answer = qsofa(24, 95, 15)"})
    by_option = ehrtui("exec", mimic_path, "-", "--now", NOW, "--tools", "qsofa", input=plan)
    assert json_lines(by_option.stdout)[0]["answer"] == [[2]]
    config = tmp_path / "config.toml"
    config.write_text('tools = "qsofa"\n')
    by_file = ehrtui("exec", mimic_path, "-", "--now", NOW, "--config", str(config), input=plan)
    assert json_lines(by_file.stdout)[0]["answer"] == [[2]]
    missing = ehrtui("exec", mimic_path, "-", "--tools", "nowhere.py", input=plan)
    assert (missing.returncode, "There is no file of tools nowhere.py." in missing.stderr) == (2, True)


def test_no_hostile_plan_tells_a_cell_beside_its_answer(ehrtui: Ehrtui, tmp_path: Path) -> None:
    path = hostile.build(tmp_path / "h.sqlite", 1)
    given = list(turns())
    lines = "".join(line(number, {kind: text}) for number, (text, kind) in enumerate(given))
    done = ehrtui("exec", path, "-", "--now", hostile.NOW, input=lines)
    assert len(json_lines(done.stdout)) == len(given)
    said = hostile.bare(done.stderr)
    assert [cell for cell in hostile.cells(path) if any(way in said for way in hostile.spelled(cell))] == []
