"""Readings are judged by their answers: what a proposal finds in a database, beside what query logic finds."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from ehrtui.evaluation.rightness import same_answer, shows_answer
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import Proposal


def whole(question: str) -> str:
    """A question as EHRSQL writes it: from a capital letter to its full stop or question mark."""
    return question[0].upper() + question[1:] + ("" if question[-1] in ".?!" else ".")


def found(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """The rows of one statement."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def check_answer(planner: OfflinePlanner, path: Path, proposal: Proposal, logic: str) -> None:
    """The proposal answers what the `logic` asks, in whatever form it says so: the same rows, of which it may show more
    columns (a unit beside a dose, a count beside a name) but no fewer.

    Where nothing is found, a wrong reading finds nothing as easily; then the proposal must have the logic's words."""
    assert proposal.sql is not None, proposal.reason
    wanted_sql = planner.propose_logic(logic, ()).sql
    assert wanted_sql is not None
    wanted, shown = found(path, wanted_sql), found(path, proposal.sql)
    if wanted:
        assert shows_answer(shown, wanted) or same_answer(shown, wanted), (proposal.logic, shown, wanted)
    else:
        assert proposal.logic == logic
