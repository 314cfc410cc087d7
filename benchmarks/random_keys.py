"""Random keys through all screens, hundreds of times: what brings the explorer down, what gets it stuck, and
how much memory each explorer leaves behind in one process, where people have one. EHRTUI_WALKS says how often (500),
EHRTUI_FIRST_SEED where to begin (0); what failed is told with its seed as it happens."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Measure

FIRST, LAST = 5, 5
"""Walks whose memory is compared, after some to warm up."""
WARM = 5


def measures() -> list[Measure]:
    """Walks that failed; megabytes that the process grew by between the first walks and the last; seconds of a walk."""
    walks, first = int(os.environ.get("EHRTUI_WALKS", "500")), int(os.environ.get("EHRTUI_FIRST_SEED", "0"))
    failed, sizes, since = 0, [], time.perf_counter()
    for seed in range(first, first + walks):
        why = _walked(seed)
        if why:
            failed += 1
            print(f"seed {seed}: {why}", file=sys.stderr)
        gc.unfreeze()  # the explorer keeps what there is until the process ends, and here another one follows
        gc.collect()
        sizes.append(_resident())
    took = (time.perf_counter() - since) / walks
    grown = 0.0
    if len(sizes) >= WARM + FIRST + LAST:
        grown = sum(sizes[-LAST:]) / LAST - sum(sizes[WARM : WARM + FIRST]) / FIRST
    return [
        Measure(f"walks of {walks} that failed", float(failed), "", 0.0),
        Measure("memory, from the first walks to the last", grown, "MB"),
        Measure("memory that an explorer leaves behind", grown / max(walks - WARM, 1), "MB"),
        Measure("most memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3, "MB"),
        Measure("one walk", took, "s"),
    ]


def _walked(seed: int) -> str:
    """Why the walk of a seed failed; "" where it did not."""
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.conversation.start import start
    from ehrtui.tui.app import EhrtuiApp
    from tests import small_mimic
    from tests.tui.random_walk import walk

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database, state = small_mimic.build(folder / "small.sqlite"), folder / "state"
        state.mkdir()
        (state / "welcomed").touch()

        def opened() -> Conversation:
            return start(str(database), now=small_mimic.NOW, state=state)

        app = EhrtuiApp(opened, label="small.sqlite", state=state, config=folder / "config")
        try:
            answered = asyncio.run(walk(app, seed))
        except Exception as error:
            return f"{type(error).__name__}: {error}"[:300]
    return "" if answered == [(7,)] else f"select 7 gave {answered}"


def _resident() -> float:
    """Megabytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
