"""`ehrtui import csv`: write a folder of CSV files into one SQLite file, with a progress bar."""

from __future__ import annotations

import sys
from argparse import Namespace

from ehrtui.commands.output import printable
from ehrtui.commands.waiting import INTERRUPTED, progress_bar
from ehrtui.errors import Cancelled


def run(args: Namespace) -> int:
    """Import the folder; `args` has `folder` and `file`. Raises DatabaseError; the value is the exit code,
    `INTERRUPTED` when Esc or Ctrl-C stopped it."""
    from ehrtui.engines.importing import import_folder
    from ehrtui.engines.opening import database_path

    source, target = database_path(args.folder), database_path(args.file)
    try:
        with progress_bar() as (progress, cancelled):
            done = import_folder(source, target, progress, cancelled)
    except Cancelled:
        print("Stopped. The same command goes on from here.", file=sys.stderr)
        return INTERRUPTED
    for what in done.left_out:
        print(f"ehrtui: left out: {printable(what)}", file=sys.stderr)
    went_on = ", going on from before" if done.resumed else ""
    print(
        f"{target.name} has {done.tables} tables with {done.rows:,} rows and {done.indexes} indexes, in "
        f"{done.seconds:,.1f} s{went_on}.\nOpen it: ehrtui {args.file}"
    )
    return 0
