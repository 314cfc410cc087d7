"""`ehrtui completion`: what completes the command line in a shell."""

from __future__ import annotations

import argparse


def run(args: argparse.Namespace) -> int:
    """Print the script for `args.shell`."""
    import shtab

    print(shtab.complete(args.whole(), shell=args.shell))
    return 0
