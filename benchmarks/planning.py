"""How long a question takes to be planned offline: over the demo database, with an index of many more names, after a
long conversation, and when it is long itself."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

from benchmarks.measure import Measure
from ehrtui.conversation.today import today
from ehrtui.demo.build import cached
from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.offline_planner import LONGEST_QUESTION, OfflinePlanner
from ehrtui.planning.proposal import PastTurn
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_file import index_of
from ehrtui.schema.value_index import Entry, ValueIndex, split

PATIENTS = 200
RUNS = 5
NAMES = 100_000
TURNS = 1_000
WORDS = 200
TIMES_AS_LONG = 1.5
"""How much longer a question may take after TURNS turns than after none."""


def measures() -> list[Measure]:
    """The milliseconds that half, and 95 %, of the questions keep to; how many times as long they take after TURNS
    turns; and the slowest text of WORDS words. A question's time is the median of its runs."""
    path = cached(PATIENTS, progress=lambda doing, share: None, cancelled=lambda: False)
    questions = Path(__file__).with_name("questions.txt").read_text("utf-8").splitlines()
    with closing(open_engine(str(path))) as engine:
        profile = load_profile(engine.schema(), engine.read)
        small = build_value_index(profile, engine.read)
        large = _with_more_names(small)
        planners = [_planner(engine, profile, index) for index in (small, large, large)]
        history = _conversation(planners[1], questions)
        ways = list(zip(planners, ((), (), history), strict=True))
        taken: list[list[list[float]]] = [[[] for _ in questions] for _ in ways]
        for _ in range(RUNS):  # each time all the others come between, so that nothing is known of a question any more
            for at, question in enumerate(questions):
                for way, (planner, past) in enumerate(ways):  # side by side: what else the machine does hits all ways
                    taken[way][at].append(_milliseconds(planner, question, past))
        times = [[median(runs) for runs in way] for way in taken]
        texts = _long_texts(questions)
        runs = [{what: _milliseconds(planners[2], text, history) for what, text in texts.items()} for _ in range(RUNS)]
        long = {what: median(run[what] for run in runs) for what in texts}
    more = [
        Measure(f"planning, {TURNS:,} turns: times none", sum(times[2]) / sum(times[1]), "", TIMES_AS_LONG),
        *(Measure(f"planning, {WORDS} words: {what}", value, "ms", 100.0) for what, value in long.items()),
    ]
    measured = [
        measure
        for what, index, milliseconds in (
            ("the demo", small, times[0]),
            ("many names", large, times[1]),
            (f"many names, {TURNS:,} turns", large, times[2]),
        )
        for measure in (
            Measure(f"planning, {what}: names", index.names, ""),
            Measure(f"planning, {what}: p50", median(milliseconds), "ms", 10.0),
            Measure(f"planning, {what}: p95", sorted(milliseconds)[int(0.95 * len(milliseconds))], "ms", 50.0),
        )
    ]
    return [Measure("planning: questions", len(questions), ""), *measured, *more]


def _conversation(planner: OfflinePlanner, questions: list[str]) -> list[PastTurn]:
    """TURNS turns, as those questions asked again and again would leave them, each about another patient or year."""
    turns: list[PastTurn] = []
    for number in range(1, TURNS + 1):
        again, asked = divmod(number, len(questions))
        question = re.sub(r"\d+", lambda found, more=again: str(int(found[0]) + more), questions[asked])
        proposal = planner.propose(question, ())
        columns = ("subject_id",) if number % 3 else ("valuenum",)
        turns.append(PastTurn(number, question, proposal.logic, proposal.sql, columns, 3, "answered"))
    return turns


def _long_texts(questions: list[str]) -> dict[str, str]:
    """Texts of WORDS words: questions one after the other, their words in any order, and words that mean nothing."""
    chance = random.Random(0)
    words = " ".join(questions).split()
    unknown = ["".join(chance.sample("bcdfglmnprstvz", 7)) for _ in range(WORDS)]
    texts = {"questions": words[:WORDS], "words in any order": chance.sample(words, WORDS), "unknown words": unknown}
    return {what: " ".join(taken)[:LONGEST_QUESTION] for what, taken in texts.items()}


def _planner(engine: Engine, profile: Profile, index: ValueIndex) -> OfflinePlanner:
    schema = engine.schema()
    now = today(engine, profile, schema)[0]
    return OfflinePlanner(schema=schema, profile=profile, now=now, read=engine.read, stored=lambda: index)


def _milliseconds(planner: OfflinePlanner, question: str, history: Sequence[PastTurn]) -> float:
    began = time.perf_counter()
    planner.propose(question, history)
    return (time.perf_counter() - began) * 1_000


def _with_more_names(index: ValueIndex) -> ValueIndex:
    """The index with NAMES names: those made up are of two to seven of its own words, as the titles of codes are."""
    known = list(index)
    return index_of([*known, *_made_up(known, NAMES - len(known))])


def _made_up(known: list[Entry], count: int) -> Iterator[Entry]:
    chance = random.Random(0)
    vocabulary = sorted({word for entry in known for word in split(entry.said)})
    roles = sorted({entry.role for entry in known if not entry.field})
    names: set[str] = set()
    while len(names) < count:
        names.add(" ".join(chance.sample(vocabulary, chance.randint(2, 7))))
    for name in sorted(names):
        yield Entry(chance.choice(roles), name, name)
