"""`ehrtui prepare`: build an indexed copy of a database in the cache, with a progress bar, or remove it."""

from __future__ import annotations

import sys
from argparse import Namespace

from ehrtui.cache import cache_directory
from ehrtui.commands.waiting import INTERRUPTED, progress_bar
from ehrtui.engines.address import name_of
from ehrtui.errors import Cancelled


def run(args: Namespace) -> int:
    """Prepare the database, or with `--drop` remove what was prepared, and say so.

    `args` has `database`, `drop`, `profile` and `state`. Raises DatabaseError or ProfileError; the value is the exit
    code, `INTERRUPTED` when Esc or Ctrl-C stopped it.
    """
    from ehrtui.engines.preparing import drop, prepare

    name, cache = name_of(args.database), cache_directory("prepared", args.state)
    if args.drop:
        removed = drop(args.database, cache)
        print(f"The prepared copy of {name} is removed." if removed else f"There is no prepared copy of {name}.")
        return 0
    try:
        with progress_bar() as (progress, cancelled):
            done = prepare(args.database, profile=args.profile, cache=cache, progress=progress, cancelled=cancelled)
    except Cancelled:
        print("Cancelled: nothing was prepared, and nothing was left behind.", file=sys.stderr)
        return INTERRUPTED
    if not done.new:
        print(f"{name} is prepared already; there is nothing to do.")
        return 0
    what = f"{done.indexes} indexes and {done.names:,} names, " if done.names else ""
    print(
        f"{name} is prepared: {what}{done.bytes / 1e6:,.0f} MB, "
        f"in {done.seconds:,.1f} s.\nThe copy is used until {name} changes; ehrtui prepare --drop removes it."
    )
    return 0
