"""Whole conversations over the demo database, each turn checked by SQL written by hand (`conversations.toml`)."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, open_database
from ehrtui.demo.build import build
from ehrtui.evaluation.rightness import same_answer, shows_answer
from ehrtui.session.turn import Turn
from ehrtui.settings import DEFAULTS

NOW = "2105-12-31 23:59:00"
FLOOR = 0.95
"""The least share of turns that have to be right."""
_FILE = Path(__file__).parent / "conversations.toml"


@dataclass(frozen=True)
class Said:
    """One turn: what is said, and its gold SQL; None where it has to be declined."""

    text: str
    gold: str | None
    ordered: bool = False


def conversations() -> dict[str, list[Said]]:
    """The turns by name of the conversation, with the SQL of earlier turns put in for `{n}`."""
    found = {}
    for one in tomllib.loads(_FILE.read_text(encoding="utf-8"))["conversation"]:
        turns: list[Said] = []
        for turn in one["turns"]:
            gold = None if turn.get("declined") else _expanded(turn["sql"], turns)
            turns.append(Said(turn["say"], gold, turn.get("ordered", False)))
        found[one["name"]] = turns
    return found


def _expanded(sql: str, earlier: list[Said]) -> str:
    return re.sub(r"\{(\d+)\}", lambda match: f"({earlier[int(match[1]) - 1].gold})", sql)


CONVERSATIONS = conversations()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build(path, patients=80, seed=7, progress=lambda what, share: None, cancelled=lambda: False)
    return path


@pytest.fixture(scope="module")
def database(demo: Path) -> Iterator[Database]:
    opened = open_database(str(demo), now=NOW, profile=None, planner="offline")
    yield opened
    opened.close()


def is_right(conversation: Conversation, turn: Turn, said: Said, demo: Path) -> bool:
    """Answered with the gold rows, beside which more may be shown, or declined with a reason where it has to be."""
    if said.gold is None:
        return turn.decision != "answered" and turn.error is not None
    if turn.decision != "answered":
        return False
    rows = conversation.rows(turn.number, 0, 10_000)
    with closing(sqlite3.connect(demo)) as connection:
        gold: list[tuple[Any, ...]] = connection.execute(said.gold).fetchall()
    shown = same_answer(rows, gold) or (not said.ordered and shows_answer(rows, gold))
    return shown and (not said.ordered or [tuple(row) for row in rows] == gold)


def test_the_conversations_are_long_and_their_answers_mostly_not_empty(demo: Path) -> None:
    golds = [said.gold for turns in CONVERSATIONS.values() for said in turns if said.gold]
    with closing(sqlite3.connect(demo)) as connection:
        answers = [connection.execute(gold).fetchall() for gold in golds]
    assert len(CONVERSATIONS) >= 15
    assert all(8 <= len(turns) <= 20 for turns in CONVERSATIONS.values())
    assert sum(answer not in ([], [(0,)], [(None,)]) for answer in answers) > 0.95 * len(answers)


def test_most_turns_of_the_conversations_are_right(database: Database, demo: Path) -> None:
    wrong, asked = [], 0
    for name, turns in CONVERSATIONS.items():
        with closing(Conversation(database, threshold=DEFAULTS.threshold)) as conversation:
            for said in turns:
                asked += 1
                turn = conversation.run(conversation.propose(said.text))
                if not is_right(conversation, turn, said, demo):
                    wrong.append(f"{name}, A{turn.number} “{said.text}”: {turn.proposal.logic} ({turn.decision})")
    assert len(wrong) <= (1 - FLOOR) * asked, "\n".join([f"{len(wrong)} of {asked} wrong", *wrong])
