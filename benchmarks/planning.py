"""How long a question takes to be planned offline: over the demo database, and with an index of many more names."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

from benchmarks.measure import Measure
from ehrtui.demo.build import cached
from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.planner import OfflinePlanner
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile, database_now
from ehrtui.schema.value_index import Entry, ValueIndex, build_value_index, index_of, split

PATIENTS = 200
RUNS = 5
NAMES = 100_000


def measures() -> list[Measure]:
    """The milliseconds that half, and 95 %, of the questions keep to; a question's time is the median of its runs."""
    path = cached(PATIENTS, progress=lambda doing, share: None, cancelled=lambda: False)
    questions = Path(__file__).with_name("questions.txt").read_text("utf-8").splitlines()
    with closing(open_engine(str(path))) as engine:
        profile = load_profile(engine.schema(), engine.read)
        small = build_value_index(profile, engine.read)
        large = _with_more_names(small)
        planners = [_planner(engine, profile, index) for index in (small, large)]
        runs = [
            [[_milliseconds(planner, question) for planner in planners] for question in questions] for _ in range(RUNS)
        ]
    times = [[median(run[way] for run in question) for question in zip(*runs, strict=True)] for way in range(2)]
    return [Measure("planning: questions", len(questions), "")] + [
        measure
        for what, index, milliseconds in (("the demo", small, times[0]), ("many names", large, times[1]))
        for measure in (
            Measure(f"planning, {what}: names", sum(map(len, index.entries.values())), ""),
            Measure(f"planning, {what}: p50", median(milliseconds), "ms", 15.0),
            Measure(f"planning, {what}: p95", sorted(milliseconds)[int(0.95 * len(milliseconds))], "ms", 50.0),
        )
    ]


def _planner(engine: Engine, profile: Profile, index: ValueIndex) -> OfflinePlanner:
    schema = engine.schema()
    now = database_now(profile, schema, engine.read)
    return OfflinePlanner(schema=schema, profile=profile, now=now, read=engine.read, stored=lambda: index)


def _milliseconds(planner: OfflinePlanner, question: str) -> float:
    began = time.perf_counter()
    planner.propose(question, ())
    return (time.perf_counter() - began) * 1_000


def _with_more_names(index: ValueIndex) -> ValueIndex:
    """The index with NAMES names: those made up are of two to seven of its own words, as the titles of codes are."""
    known = [(words, entry) for words, entries in index.entries.items() for entry in entries]
    return index_of([*known, *_made_up(known, NAMES - len(known))])


def _made_up(known: list[tuple[tuple[str, ...], Entry]], count: int) -> Iterator[tuple[tuple[str, ...], Entry]]:
    chance = random.Random(0)
    vocabulary = sorted({word for words, _ in known for word in words})
    roles = sorted({entry.role for _, entry in known if not entry.field})
    names: set[str] = set()
    while len(names) < count:
        names.add(" ".join(chance.sample(vocabulary, chance.randint(2, 7))))
    for name in sorted(names):
        yield split(name), Entry(chance.choice(roles), name, name)
