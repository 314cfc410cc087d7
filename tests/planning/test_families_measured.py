"""How many questions on native MIMIC-III and OMOP get the answer of hand-written SQL (`families.toml`)."""

from __future__ import annotations

import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.evaluation.rightness import same_answer, shows_answer
from ehrtui.settings import DEFAULTS
from tests import small_native, small_omop

QUESTIONS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("families.toml").read_text("utf-8"))
LEAST_RIGHT = 0.9


@pytest.mark.parametrize(("family", "hospital"), [("native", small_native), ("omop", small_omop)])
def test_most_questions_are_answered_and_right(family: str, hospital: ModuleType, tmp_path: Path) -> None:
    path = hospital.build(tmp_path / "ehr.sqlite")
    wrong = []
    database = open_database(str(path), now=hospital.NOW, profile=None, planner="offline", state=tmp_path)
    with closing(database), closing(sqlite3.connect(path)) as connection:
        for question, gold in QUESTIONS[family].items():
            with closing(Conversation(database, threshold=DEFAULTS.threshold)) as conversation:
                turn = conversation.run(conversation.propose(question))
                rows = conversation.rows(turn.number, 0, 1000) if turn.decision == "answered" else []
                wanted = connection.execute(gold).fetchall()
                if not (same_answer(rows, wanted) or shows_answer(rows, wanted)):
                    wrong.append(f"{question}: {turn.proposal.logic}")
    assert len(wrong) <= (1 - LEAST_RIGHT) * len(QUESTIONS[family]), "\n".join(wrong)


def test_the_questions_are_forty_and_more() -> None:
    assert sum(map(len, QUESTIONS.values())) >= 40
