"""What tokens save: EHR-SeqSQL's Table 6, on demo databases.

Each turn runs in a conversation in four ways: as nested standard SQL that needs no earlier turn, and with tokens, on
the user's file and on the prepared database. The four alternate, and a turn's time is the median of its runs. As in
that table, the time is that of the query, from its tokens to its kept rows; that of the whole turn, with the sandbox,
the fingerprint and the events (but without a session file), is told too, and its processor time, which other programs
lengthen less. By that, turns with tokens are compared with their nested form, and the nested form with itself: what is
no more of its time than 95 of 100 differences of the latter is noise of the clock. EHRTUI_BENCHMARK_PATIENTS names
other sizes ("1000 10000 46000"), EHRTUI_BENCHMARK_STATE a directory for what is built, in place of the user's cache.
"""

from __future__ import annotations

import os
import sqlite3
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
from ehrtui.engines.prepared import PreparedEngine
from ehrtui.engines.preparing import prepare
from ehrtui.session.turn import Turn

RUNS = 3
PATIENTS = "1000 10000"
LARGE = 10_000
"""Patients from which the prepared database has a budget."""
MOST_MEAN = 8.0
FIRST_PATIENT = 10_000
WAYS = ("nested", "tokens", "nested on prepared", "tokens on prepared")
SLOWER = 0.05
RUNS_AGAIN = 15
SECONDS_A_TURN = 0.5
"""For which a turn is run again and again."""
NEAR = 0.8
"""Of the time of the nested form: turns that take less are not slower."""
LONG = 100.0
"""Milliseconds from which a turn as nested SQL on the user's file is timed once: its share of noise is small."""
SMALL = "select hadm_id from admissions where subject_id = {}"
SMALL_TURNS = 200


@dataclass(frozen=True)
class Times:
    """Milliseconds of one turn's query, of the whole turn, and of the processor for it."""

    query: float
    turn: float
    cpu: float


@dataclass(frozen=True)
class Answer:
    """What one turn gave: its rows in any order, its flat standard SQL, and how long it took."""

    rows: list[str]
    flat: str
    times: Times


@dataclass(frozen=True)
class Comparison:
    """Median milliseconds of the processor for one turn: nested, with tokens, and nested again."""

    turn: str
    nested: float
    tokens: float
    again: float

    @property
    def more(self) -> float:
        """Milliseconds that it takes longer with tokens than nested."""
        return self.tokens - max(self.nested, self.again)

    @property
    def share(self) -> float:
        """The same as a share of its nested time."""
        return self.more / max(self.nested, self.again)


def measures() -> list[Measure]:
    """For each size, milliseconds a turn and seconds in total of the four ways, and their ratios."""
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
        long: dict[str, Answer] = {}
        for run in range(RUNS):
            _tell(f"{patients:,} patients: run {run + 1} of {RUNS}")
            runs.append([times for talk in talks for times in _four_ways(talk, plain, indexed, long)])
        turns = list(zip(*runs, strict=True))
        _tell(f"{patients:,} patients: turns beside their nested form")
        compared = [
            _comparisons(talks, database, [_is_near(turn, way) for turn in turns])
            for way, database in ((0, plain), (2, indexed))
        ]
        small, least = _small(indexed)
    ways = range(len(WAYS))
    queries = [[median(run[way].query for run in turn) for turn in turns] for way in ways]
    whole = [[median(run[way].turn for run in turn) for turn in turns] for way in ways]
    cpu = [[median(run[way].cpu for run in turn) for turn in turns] for way in ways]
    return [
        Measure(f"{patients:,} patients: conversations", len(talks), ""),
        Measure(f"{patients:,} patients: turns", len(turns), ""),
        *_figures(f"{patients:,}, query", queries, None),
        *_figures(f"{patients:,}, whole turn", whole, MOST_MEAN if patients >= LARGE else None),
        *_figures(f"{patients:,}, processor", cpu, None),
        *_slower_figures(f"{patients:,}", compared[0]),
        *_slower_figures(f"{patients:,}, on prepared", compared[1]),
        Measure(f"{patients:,}: a small query by SQLite alone, median", least, "ms"),
        Measure(f"{patients:,}: a small query, whole turn, median", small, "ms", 1.5),
    ]


def _four_ways(
    talk: Interaction, plain: Database, indexed: Database, long: dict[str, Answer]
) -> list[tuple[Times, ...]]:
    """The times of each turn, in the order of WAYS. Ends the benchmark where the rows are not the same. Nested turns
    that take `long` on the user's file are run once."""
    tokens = _answers(plain, talk.turns)
    flat = [answer.flat for answer in tokens]
    found = iter(_answers(plain, [sql for sql in flat if sql not in long]))
    nested = [long[sql] if sql in long else next(found) for sql in flat]
    long |= {sql: answer for sql, answer in zip(flat, nested, strict=True) if answer.times.turn >= LONG}
    ways = nested, tokens, _answers(indexed, flat), _answers(indexed, talk.turns)
    times = []
    for sql, *answers in zip(talk.turns, *ways, strict=True):
        if any(answer.rows != answers[0].rows for answer in answers):
            raise SystemExit(f"{talk.name}: not the same rows in every way: {sql}")
        times.append(tuple(answer.times for answer in answers))
    return times


def _is_near(runs: Sequence[tuple[Times, ...]], way: int) -> bool:
    """Whether a turn, run so often in all WAYS, may be slower with tokens than in `way`, nested, on the same file."""
    return median(run[way + 1].cpu for run in runs) > NEAR * median(run[way].cpu for run in runs)


def _comparisons(talks: Sequence[Interaction], database: Database, near: Sequence[bool]) -> list[Comparison]:
    """Those turns that build on earlier ones and are `near` their nested form, in both ways in one conversation."""
    found, nears = [], iter(near)
    for talk in talks:
        with closing(Conversation(database, threshold=0.0)) as conversation:
            turns = [_run(conversation, sql) for sql in talk.turns]
            for sql, turn in zip(talk.turns, turns, strict=True):
                if next(nears) and turn.depends_on and turn.statement:
                    found.append(_comparison(conversation, talk.name, sql, turn.statement.flat))
    return found


def _comparison(conversation: Conversation, talk: str, sql: str, flat: str) -> Comparison:
    """A turn as nested SQL, with tokens, and as nested SQL again, one after the other, some times."""
    nested: list[float] = []
    tokens: list[float] = []
    again: list[float] = []
    until = time.perf_counter() + SECONDS_A_TURN
    while len(nested) < RUNS_AGAIN and (not nested or time.perf_counter() < until):
        for text, times in ((flat, nested), (sql, tokens), (flat, again)):
            computed = time.process_time()
            _run(conversation, text)
            times.append((time.process_time() - computed) * 1_000)
    return Comparison(f"{talk}: {sql}", median(nested), median(tokens), median(again))


def _run(conversation: Conversation, sql: str) -> Turn:
    turn = conversation.run(conversation.propose(sql, "sql"))
    if turn.error or not turn.statement:
        raise SystemExit(f"{turn.error}: {sql}")
    return turn


def _slower_figures(what: str, compared: Sequence[Comparison]) -> list[Measure]:
    """How many turns are slower with tokens, by more than the clock can be wrong: 95 of 100 nested turns differ from
    themselves by a smaller share of their time."""
    shares = sorted(abs(one.again / one.nested - 1) for one in compared)
    noise = shares[len(shares) * 95 // 100]
    slower = [one for one in compared if one.share > SLOWER]
    surely = sorted((one for one in slower if one.share > noise), key=lambda one: -one.share)
    for one in surely:
        _tell(f"{one.tokens:.2f} ms, nested {one.nested:.2f} and {one.again:.2f} ms: {one.turn}")
    return [
        Measure(f"{what}: turns that take about as long as nested ones", len(compared), ""),
        Measure(f"{what}: nested beside itself, 95th percentile", noise * 100, "%"),
        Measure(f"{what}: turns over 5 % slower with tokens", len(slower), ""),
        Measure(f"{what}: of these, by more than nested beside itself", len(surely), "", 0),
        Measure(
            f"{what}: the most by which one of these is slower", max((one.more for one in surely), default=0), "ms"
        ),
    ]


def _small(database: Database) -> tuple[float, float]:
    """Median milliseconds of a turn that finds a few rows by an index, and of SQLite alone on the same file."""
    engine = database.engine
    if not isinstance(engine, PreparedEngine):
        raise SystemExit("The database is not prepared.")
    turns, alone = [], []
    uri = f"{engine.copy.absolute().as_uri()}?mode=ro"
    with (
        closing(Conversation(database, threshold=0.0)) as conversation,
        closing(sqlite3.connect(uri, uri=True)) as connection,
    ):
        for number in range(SMALL_TURNS):
            sql = SMALL.format(FIRST_PATIENT + number)
            began = time.perf_counter()
            connection.execute(sql).fetchall()
            between = time.perf_counter()
            _run(conversation, sql)
            turns.append((time.perf_counter() - between) * 1_000)
            alone.append((between - began) * 1_000)
    return median(turns), median(alone)


def _answers(database: Database, turns: Sequence[str]) -> list[Answer]:
    answers = []
    with closing(Conversation(database, threshold=0.0)) as conversation:
        for sql in turns:
            began, computed = time.perf_counter(), time.process_time()
            turn = _run(conversation, sql)
            cpu, milliseconds = (time.process_time() - computed) * 1_000, (time.perf_counter() - began) * 1_000
            assert turn.statement is not None
            rows = conversation.rows(turn.number, 0, turn.row_count)
            answers.append(
                Answer(
                    sorted(map(_rounded, rows)),
                    turn.statement.flat,
                    Times(turn.steps[-1].ms, milliseconds, cpu),
                )
            )
    return answers


def _rounded(row: Row) -> str:
    return repr([round(value, 3) if isinstance(value, float) else value for value in row])


def _figures(what: str, milliseconds: Sequence[list[float]], most: float | None) -> list[Measure]:
    """`milliseconds` of all turns, for each of WAYS; `most` is what a turn with tokens on the prepared database may
    take, on average."""
    nested, tokens, nested_prepared, prepared = milliseconds
    told = []
    for way, times in zip(WAYS, milliseconds, strict=True):
        told += [
            Measure(f"{what}: {way}, mean", mean(times), "ms", most if times is prepared else None),
            Measure(f"{what}: {way}, median", median(times), "ms"),
            Measure(f"{what}: {way}, in total", sum(times) / 1_000, "s"),
        ]
    return [
        *told,
        Measure(f"{what}: tokens / nested, in total", sum(tokens) / sum(nested), "x", 1.0),
        Measure(f"{what}: tokens / nested, median", median(tokens) / median(nested), "x"),
        Measure(f"{what}: both on prepared, in total", sum(prepared) / sum(nested_prepared), "x", 1.0),
        Measure(f"{what}: tokens on prepared / nested, mean", mean(prepared) / mean(nested), "x", most and 0.02),
        Measure(f"{what}: tokens on prepared / nested, median", median(prepared) / median(nested), "x"),
    ]


def _open(path: Path, state: Path | None) -> Database:
    return open_database(str(path), now=None, profile=None, planner="offline", state=state)


def _tell(doing: str) -> None:
    print(f"  {doing} …", file=sys.stderr)


def _quiet(doing: str, share: float) -> None:
    pass


def _never() -> bool:
    return False
