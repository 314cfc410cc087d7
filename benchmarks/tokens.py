"""What tokens save: EHR-SeqSQL's Table 6, on demo databases.

Each turn runs in a conversation in three ways: as nested standard SQL that needs no earlier turn, with tokens, and with
tokens on the prepared database. The three alternate, and a turn's time is the median of its runs. As in that table, the
time is that of the query, from its tokens to its kept rows; that of the whole turn, with the sandbox, the fingerprint
and the events, is told too. EHRTUI_BENCHMARK_PATIENTS names other sizes ("1000 10000 46000"), EHRTUI_BENCHMARK_STATE a
directory for what is built, in place of the user's cache.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from benchmarks.interactions import Interaction, interactions
from benchmarks.measure import Measure
from ehrtui.cache import cache_directory
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, open_database
from ehrtui.demo.build import cached
from ehrtui.engines.engine import Row
from ehrtui.engines.preparing import prepare

RUNS = 3
PATIENTS = "1000 10000"
LARGE = 10_000
"""Patients from which the prepared database has a budget."""
WAYS = ("nested", "tokens", "prepared")


@dataclass(frozen=True)
class Times:
    """Milliseconds of one turn's query, and of the whole turn."""

    query: float
    turn: float


@dataclass(frozen=True)
class Answer:
    """What one turn gave: its rows in any order, its flat standard SQL, and how long it took."""

    rows: list[str]
    flat: str
    times: Times


def measures() -> list[Measure]:
    """For each size, milliseconds a turn and seconds in total of the three ways, and their ratios."""
    state = os.environ.get("EHRTUI_BENCHMARK_STATE")
    sizes = os.environ.get("EHRTUI_BENCHMARK_PATIENTS", PATIENTS).split()
    return [measure for size in sizes for measure in _measures(int(size), Path(state) if state else None)]


def _measures(patients: int, state: Path | None) -> list[Measure]:
    _tell(f"{patients:,} patients: building the demo database")
    path = cached(patients, state=state, progress=_quiet, cancelled=_never)
    _tell(f"{patients:,} patients: preparing it")
    cache = cache_directory("prepared", state)
    prepare(str(path), profile=None, cache=cache, progress=_quiet, cancelled=_never)
    talks = interactions(path)
    runs = []
    with (
        tempfile.TemporaryDirectory() as without_copies,
        closing(_open(path, Path(without_copies))) as plain,
        closing(_open(path, state)) as indexed,
    ):
        for run in range(RUNS):
            _tell(f"{patients:,} patients: run {run + 1} of {RUNS}")
            runs.append([times for talk in talks for times in _three_ways(talk, plain, indexed)])
    turns = list(zip(*runs, strict=True))
    ways = range(len(WAYS))
    queries = [[median(run[way].query for run in turn) for turn in turns] for way in ways]
    whole = [[median(run[way].turn for run in turn) for turn in turns] for way in ways]
    return [
        Measure(f"{patients:,} patients: conversations", len(talks), ""),
        Measure(f"{patients:,} patients: turns", len(turns), ""),
        *_figures(f"{patients:,}, query", queries, prepared_budgets=patients >= LARGE),
        *_figures(f"{patients:,}, whole turn", whole, prepared_budgets=patients >= LARGE),
    ]


def _three_ways(talk: Interaction, plain: Database, indexed: Database) -> list[tuple[Times, ...]]:
    """The times of each turn, in the order of WAYS. Ends the benchmark where the rows are not the same."""
    tokens = _answers(plain, talk.turns)
    prepared = _answers(indexed, talk.turns)
    nested = _answers(plain, [answer.flat for answer in tokens])
    times = []
    for sql, *answers in zip(talk.turns, nested, tokens, prepared, strict=True):
        if any(answer.rows != answers[0].rows for answer in answers):
            raise SystemExit(f"{talk.name}: not the same rows in every way: {sql}")
        times.append(tuple(answer.times for answer in answers))
    return times


def _answers(database: Database, turns: Sequence[str]) -> list[Answer]:
    answers = []
    with closing(Conversation(database, threshold=0.0)) as conversation:
        for sql in turns:
            began = time.perf_counter()
            turn = conversation.run(conversation.propose(sql, "sql"))
            milliseconds = (time.perf_counter() - began) * 1_000
            if turn.error or not turn.statement:
                raise SystemExit(f"{turn.error}: {sql}")
            rows = conversation.rows(turn.number, 0, turn.row_count)
            answers.append(
                Answer(sorted(map(_rounded, rows)), turn.statement.flat, Times(turn.steps[-1].ms, milliseconds))
            )
    return answers


def _rounded(row: Row) -> str:
    return repr([round(value, 3) if isinstance(value, float) else value for value in row])


def _figures(what: str, milliseconds: Sequence[list[float]], *, prepared_budgets: bool) -> list[Measure]:
    """`milliseconds` of all turns, for each of WAYS."""
    nested, tokens, prepared = milliseconds
    most_mean, most_median = (0.2, 0.05) if prepared_budgets else (None, None)
    told = []
    for way, times in zip(WAYS, milliseconds, strict=True):
        told += [
            Measure(f"{what}: {way}, mean", mean(times), "ms"),
            Measure(f"{what}: {way}, median", median(times), "ms"),
            Measure(f"{what}: {way}, in total", sum(times) / 1_000, "s"),
        ]
    return [
        *told,
        Measure(f"{what}: tokens / nested, in total", sum(tokens) / sum(nested), "x", 1.0),
        Measure(f"{what}: tokens / nested, median", median(tokens) / median(nested), "x"),
        Measure(f"{what}: prepared / nested, mean", mean(prepared) / mean(nested), "x", most_mean),
        Measure(f"{what}: prepared / nested, median", median(prepared) / median(nested), "x", most_median),
    ]


def _open(path: Path, state: Path | None) -> Database:
    return open_database(str(path), now=None, profile=None, planner="offline", state=state)


def _tell(doing: str) -> None:
    print(f"  {doing} …", file=sys.stderr)


def _quiet(doing: str, share: float) -> None:
    pass


def _never() -> bool:
    return False
