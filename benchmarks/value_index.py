"""The index of the names of a database as large as MIMIC-IV's: how long building, opening and looking names up take,
and its memory. No text is looked up twice.

EHRTUI_BENCHMARK_DATABASE names another database.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks.many_names import database
from benchmarks.measure import Measure
from ehrtui.engines.names import kept_value_index
from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from ehrtui.schema.value_file import never
from ehrtui.schema.value_index import ValueIndex, split

LOOKUPS = 200
MISSPELT = 0.86
"""The likeness from which a question's words may be a misspelt name, as the planner asks."""
SUGGESTED = 0.75
"""That of the names that it suggests for words that are none."""
LONG_QUESTION = 200  # words


def measures() -> list[Measure]:
    """Seconds to build and to open, milliseconds of one lookup, megabytes in memory; in a process that has done nothing
    else."""
    with tempfile.TemporaryDirectory() as folder, multiprocessing.get_context("spawn").Pool(1) as alone:
        named = os.environ.get("EHRTUI_BENCHMARK_DATABASE")
        path = Path(named) if named else database("mimic_iv", Path(folder))
        return alone.apply(_measures, (path, Path(folder)))


def _measures(path: Path, cache: Path) -> list[Measure]:
    with closing(open_engine(str(path))) as engine:
        profile = load_profile(engine.schema(), engine.read)
        before = _resident_mb()
        began = time.perf_counter()
        kept_value_index(engine, profile, cache, never)
        built = time.perf_counter() - began
        began = time.perf_counter()
        index = kept_value_index(engine, profile, cache, never)
        opened = time.perf_counter() - began
        filled = _resident_mb()
        roles = tuple(profile.roles)
    chance = random.Random(0)
    entries = list(index)
    texts = [entry.said for entry in chance.sample(entries, min(LOOKUPS, len(entries)))]
    words = sorted({word for entry in entries for word in split(entry.said) if len(word) > 4})
    slips = [_misspelt(word, chance) for word in chance.sample(words, LOOKUPS)]
    unknown = ["".join(chance.choices("etaoinshrdlucmf", k=chance.randint(5, 14))) for _ in range(LOOKUPS)]
    questions = [" ".join(chance.choices(words, k=LONG_QUESTION)) for _ in range(LOOKUPS // 10)]
    del entries
    slipped = [_misspelt(text, chance) for text in texts]
    index.nearest("loads what compares letters")

    def near(text: str) -> object:
        return index.nearest(text, limit=1, at_least=MISSPELT)

    lookups: list[tuple[str, Callable[[str], object], list[str], float]] = [
        ("a name as it is", lambda text: index.at(split(text), 0), texts, 5.0),
        ("all names in 200 words", lambda text: _scan(index, text), questions, 20.0),
        ("a misspelt name", near, slipped, 15.0),
        ("a misspelt word", near, slips, 15.0),
        ("a word that is no name", near, unknown, 15.0),
        ("names to suggest", lambda text: index.nearest(text, limit=2, at_least=SUGGESTED), slips, 15.0),
        ("names with a word", lambda text: index.holding(text, roles, limit=8), slips + words[::97], 15.0),
        ("names that begin so", lambda text: index.starting(text[:3], 6), words[::97], 15.0),
    ]
    return [
        Measure(f"value index of {path.stem}: names", index.names, ""),
        Measure("value index: building", built, "s", 5.0),
        Measure("value index: opening", opened, "s"),
        *(Measure(f"value index: {what}, p95", _p95(look, said), "ms", most) for what, look, said, most in lookups),
        Measure("value index: memory once built", filled - before, "MB", 10.0),
    ]


def _scan(index: ValueIndex, text: str) -> None:
    words = split(text)
    for start in range(len(words)):
        index.at(words, start)


def _misspelt(text: str, chance: random.Random) -> str:
    """The text without one of its letters."""
    at = chance.randrange(len(text))
    return text[:at] + text[at + 1 :]


def _p95(look_up: Callable[[str], object], texts: list[str]) -> float:
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
