"""`ehrtui demo`: build the demo database once, with a progress bar, and open it."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from ehrtui.commands.waiting import INTERRUPTED, progress_bar
from ehrtui.errors import Cancelled


def run(args: Namespace) -> int:
    """Build the demo unless it is cached, then open the explorer on it, or print its path with `--no-open`.

    `args` has `patients`, `seed`, `rebuild`, `no_open`, `state` and the explorer's options. Raises UsageError or
    DatabaseError; the value is the exit code, `INTERRUPTED` when Esc or Ctrl-C stopped the build.
    """
    try:
        path = _build(args)
    except Cancelled:
        print("Cancelled: no demo database was built, and nothing was left behind.", file=sys.stderr)
        return INTERRUPTED
    if args.no_open:
        print(path)
        return 0
    from ehrtui.tui.explore import explore

    return explore(str(path), args)


def _build(args: Namespace) -> Path:
    from ehrtui.demo.build import cached

    with progress_bar() as (progress, cancelled):
        return cached(
            args.patients,
            seed=args.seed,
            rebuild=args.rebuild,
            state=args.state,
            progress=progress,
            cancelled=cancelled,
        )
