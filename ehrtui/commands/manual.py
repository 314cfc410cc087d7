"""`ehrtui manual`: the manual page of all commands, for `man`."""

from __future__ import annotations

import argparse


def run(args: argparse.Namespace) -> int:
    """Print the page."""
    from argparse_manpage.manpage import Manpage

    from ehrtui import __version__

    page = Manpage(args.whole())
    page.source, page.manual = f"ehrtui {__version__}", "ehrtui"
    page.description = "explore an EHR database by conversation"
    print(str(page))
    return 0
