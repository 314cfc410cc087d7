"""The line mode: from a pipe as a process of its own, and edited lines through prompt_toolkit's own pipe."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.repl.line_editor import HISTORY, Names, Understanding, in_one_line, lines
from ehrtui.repl.orders import ORDERS
from tests.commands.conftest import Ehrtui
from tests.small_mimic import NOW

QUESTION = "how many patients were prescribed furosemide in 2104?"


@pytest.fixture
def conversation(mimic_path: Path, tmp_path: Path) -> Conversation:
    found = start(str(mimic_path), now=NOW, state=tmp_path / "state", save=False)
    yield found
    found.close()


def test_lines_from_a_pipe_are_one_conversation_in_plain_text(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    typed = [
        QUESTION,
        "",
        "which of those had aspirin?",
        "/logic a1",
        "/turns",
        "/tables patients",
        "/nope",
        "/quit",
        "x",
    ]
    done = ehrtui("repl", mimic_path, "--now", NOW, "--state", tmp_path / "s", input="\n".join(typed))
    said = done.stdout
    assert (done.returncode, done.stderr) == (0, "")
    assert "answer     2 patients" in said
    assert re.search(r"confidence 0\.\d\d", said)
    assert 'count patients with prescription "furosemide" in 2104' in said
    assert re.search(r"A2  \d+ rows?: which of those", said)
    assert "subject_id: a number" in said
    assert "There is no order /nope." in said
    assert "\x1b" not in said
    assert "A3" not in said  # /quit is the end
    (saved,) = (tmp_path / "s" / "sessions").glob("*.jsonl")
    assert QUESTION in saved.read_text("utf-8")


def test_a_failed_line_of_a_pipe_is_an_exit_code_and_nothing_more(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    typed = f"select nothing\n/sql\n/again 7\n{QUESTION}\n/why\n"
    done = ehrtui("repl", mimic_path, "--now", NOW, "--no-save", "--state", tmp_path / "s", input=typed)
    assert done.returncode == 1
    assert "Failed: " in done.stdout
    assert "There is no turn 7." in done.stdout
    assert "answer     2 patients" in done.stdout
    assert not list((tmp_path / "s").glob("sessions/*"))


def test_the_answers_are_those_of_ask(ehrtui: Ehrtui, mimic_path: Path) -> None:
    (record,) = map(json.loads, ehrtui("ask", mimic_path, QUESTION, "--now", NOW, "--json").stdout.splitlines())
    said = ehrtui("repl", mimic_path, "--now", NOW, "--no-save", input=f"{QUESTION}\n/sql\n").stdout
    assert f"confidence {record['confidence']:.2f}" in said
    assert "".join(record["sql"].split()) in "".join(said.split())


def test_an_answer_that_is_withheld_is_shown_by_an_order(ehrtui: Ehrtui, mimic_path: Path) -> None:
    typed = f"/threshold 1\n/threshold x\n{QUESTION}\n/guess\n"
    done = ehrtui("repl", mimic_path, "--now", NOW, "--no-save", input=typed)
    before, after = done.stdout.split("/guess shows the best guess.")
    assert "2 patients" not in before
    assert "'x' is" not in before
    assert "x is not a number" in before
    assert "best guess 2 patients" in after


def test_lines_are_edited_and_kept_for_the_user_alone(conversation: Conversation, tmp_path: Path) -> None:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text("first\rnot\x03second\r\x04")
        assert list(lines(conversation, "> ", tmp_path / "state", keep=True)) == ["first", "second"]
    kept = tmp_path / "state" / HISTORY
    assert kept.stat().st_mode & 0o077 == 0
    assert "second" in kept.read_text("utf-8")


def test_the_toolbar_says_how_a_line_is_understood(conversation: Conversation) -> None:
    understanding = Understanding(conversation)
    conversation.prepare()
    assert understanding._ready.wait(20)
    assert understanding.of(QUESTION).startswith('count patients with prescription "furosemide" in 2104 · 0.')
    assert "? appointments" in understanding.of("how many appointments were there?")
    assert understanding.of("/help") == understanding.of("")
    assert in_one_line(conversation.propose("select 1").proposal) == "SQL"


@pytest.mark.parametrize(
    ("before", "offered"),
    [
        ("/th", "threshold"),
        ("of a", "A1"),
        ("who had furos", "furosemide"),
        ("select subject_id from pres", "prescriptions"),
        ("select * from prescriptions where drug = 'furos", "furosemide"),
    ],
)
def test_tab_completes_orders_turns_names_and_sql(conversation: Conversation, before: str, offered: str) -> None:
    conversation.run(conversation.propose(QUESTION))
    found = Names(conversation).get_completions(Document(before), CompleteEvent())
    assert offered in [one.text for one in found]


def test_help_lists_every_order(ehrtui: Ehrtui, mimic_path: Path) -> None:
    said = ehrtui("repl", mimic_path, "--no-save", input="/help\n").stdout
    assert all(f"/{order.name}" in said and order.help.split(",")[0][:30] in said for order in ORDERS)


def test_every_order_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "line_mode.md").read_text("utf-8")
    assert [order.name for order in ORDERS if f"`/{order.name}" not in page] == []


def test_a_session_goes_on_where_it_ended(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    options = ("--now", NOW, "--state", tmp_path / "s")
    missing = ehrtui("repl", mimic_path, *options, "--resume", input="")
    assert (missing.returncode, "no saved session" in missing.stderr) == (1, True)
    ehrtui("repl", mimic_path, *options, input=f"{QUESTION}\n")
    (saved,) = (tmp_path / "s" / "sessions").glob("*.jsonl")
    typed = "how many of those had aspirin?\n/turns\n"
    said = ehrtui("repl", mimic_path, *options, "--resume", input=typed).stdout
    assert said.count(f"A1  2: {QUESTION}") == 2
    assert "A2  1: how many of those had aspirin?" in said
    assert ehrtui("repl", mimic_path, *options, "--session", saved.stem, input=typed).stdout == said
    assert ehrtui("repl", mimic_path, *options, "--session", "20990101", input="").returncode == 1


def test_a_session_is_named_and_found_by_its_name(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    options = ("--now", NOW, "--state", tmp_path / "s")
    begun = ehrtui("repl", mimic_path, *options, "--session", "Heart failure", input="")
    assert "A new session begins, called Heart failure" in begun.stderr
    assert not list((tmp_path / "s" / "sessions").glob("*"))  # nothing was asked
    ehrtui("repl", mimic_path, *options, "--session", "Heart failure", input=f"{QUESTION}\n")
    mistyped = ehrtui("repl", mimic_path, *options, "--session", "Heart failur", input="")
    assert "Others are called Heart failure." in mistyped.stderr
    again = ehrtui("repl", mimic_path, *options, "--session", "heart FAILURE", input="/name\nselect 7\n/name sepsis\n")
    assert QUESTION in again.stdout
    assert "This session is called Heart failure.\n" in again.stdout
    assert "This session is called sepsis.\n" in again.stdout
    listed = ehrtui("sessions", "--state", tmp_path / "s").stdout
    assert f"sepsis · {QUESTION}" in listed
    assert f"Heart failure · {QUESTION}" in listed
    ehrtui("repl", mimic_path, *options, "--session", "sepsis", input="select 8\n")
    listed = ehrtui("sessions", "--state", tmp_path / "s").stdout
    assert listed.index(f"sepsis · {QUESTION}") < listed.index(f"sepsis, earlier · {QUESTION}")
    taken = ehrtui("repl", mimic_path, *options, "--session", "sepsis", input="/name heart failure\n/name a/b\n")
    assert "The name heart failure is taken." in taken.stdout
    assert "No session can be called a/b." in taken.stdout
    unsaved = ehrtui("repl", mimic_path, "--no-save", "--session", "new", input="")
    assert (unsaved.returncode, "is not saved" in unsaved.stderr) == (1, True)
    nameless = ehrtui("repl", mimic_path, *options, "--session", "", input="")
    assert (nameless.returncode, "It has no letters." in nameless.stderr) == (1, True)
    with closing(sqlite3.connect(mimic_path)) as connection, connection:
        connection.execute("DELETE FROM prescriptions")
    changed = ehrtui("repl", mimic_path, *options, "--session", "sepsis", input="")
    assert "has changed since. Its turns run over this one." in changed.stderr


def test_an_answer_is_drawn_in_text(ehrtui: Ehrtui, mimic_path: Path) -> None:
    typed = "select gender, count(*) as n from patients group by gender\n/chart\nselect 7\n/chart\n"
    said = ehrtui("repl", mimic_path, "--no-save", input=typed).stdout
    assert "█ 3" in said
    assert "A2 has nothing to draw." in said


def test_in_a_pipe_no_line_is_cut_and_values_have_their_units(ehrtui: Ehrtui, mimic_path: Path) -> None:
    long = "average length of stay of the patients who were prescribed furosemide and aspirin since 2104"
    said = ehrtui("repl", mimic_path, "--now", NOW, "--no-save", input=f"{long}\n/turns\n/help\n").stdout
    (logic,) = [line for line in said.splitlines() if line.startswith("logic ")]
    assert len(logic) > 100  # as wide as the terminal is
    assert logic.endswith("since 2104)))")
    (answer,) = [line for line in said.splitlines() if line.startswith("answer ")]
    assert re.search(r" \d+\.\d\d days · mean length of hospital stays", answer)
    assert re.search(rf"^A1  \d+\.\d\d days: {long}$", said, re.M)
    for line in said.partition("/help")[2].splitlines():
        assert re.match(r"  /| {15,}\S|In a table · stands|\s*these lines", line), line
