"""The index of the names of a database: how long building it and looking a name up take, and its memory.

EHRTUI_BENCHMARK_DATABASE names the database; without it, the demo is used.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks.measure import Measure
from ehrtui.demo.build import cached
from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from ehrtui.schema.value_index import build_value_index, split

LOOKUPS = 200
MISSPELT = 0.86
"""The likeness from which a question's words may be a misspelt name, as the planner asks."""
SUGGESTED = 0.7
"""That of the names that it suggests for words that are none."""


def measures() -> list[Measure]:
    """Seconds to build, milliseconds of one lookup, megabytes in memory; in a process that has done nothing else."""
    named = os.environ.get("EHRTUI_BENCHMARK_DATABASE")
    path = Path(named) if named else cached(200, progress=lambda doing, share: None, cancelled=lambda: False)
    with multiprocessing.get_context("spawn").Pool(1) as alone:
        return alone.apply(_measures, (path,))


def _measures(path: Path) -> list[Measure]:
    with closing(open_engine(str(path))) as engine:
        profile = load_profile(engine.schema(), engine.read)
        before = _resident_mb()
        began = time.perf_counter()
        index = build_value_index(profile, engine.read)
        built = time.perf_counter() - began
    chance = random.Random(0)
    entries = [entry for found in index.entries.values() for entry in found]
    texts = [entry.said for entry in chance.sample(entries, min(LOOKUPS, len(entries)))]
    misspelt = [_misspelt(text, chance) for text in texts]
    began = time.perf_counter()
    index.nearest(misspelt[0], limit=1, at_least=MISSPELT)
    first = (time.perf_counter() - began) * 1_000
    exact = _worst(lambda text: index.at(split(text), 0), texts)
    near = _worst(lambda text: index.nearest(text, limit=1, at_least=MISSPELT), misspelt)
    suggested = _worst(lambda text: index.nearest(text, limit=3, at_least=SUGGESTED), misspelt)
    return [
        Measure(f"value index of {path.stem}: names", len(entries), ""),
        Measure("value index: building", built, "s", 5.0),
        Measure("value index: a name as it is, p95", exact, "ms", 20.0),
        Measure("value index: the first misspelt name", first, "ms"),
        Measure("value index: a misspelt name, p95", near, "ms", 20.0),
        Measure("value index: names to suggest, p95", suggested, "ms"),
        Measure("value index: resident memory", _resident_mb() - before, "MB", 150.0),
    ]


def _misspelt(text: str, chance: random.Random) -> str:
    """The text without one of its letters."""
    at = chance.randrange(len(text))
    return text[:at] + text[at + 1 :]


def _worst(look_up: Callable[[str], object], texts: list[str]) -> float:
    """Milliseconds that 95 % of the lookups keep to."""
    times = []
    for text in texts:
        began = time.perf_counter()
        look_up(text)
        times.append((time.perf_counter() - began) * 1_000)
    return sorted(times)[int(0.95 * (len(times) - 1))]


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
