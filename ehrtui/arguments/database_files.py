"""The arguments of commands that make a database ready, or say how it is read."""

from __future__ import annotations

import argparse
from pathlib import Path

from ehrtui.arguments.options import add_database


def import_parser() -> argparse.ArgumentParser:
    """`ehrtui import …`."""
    parser = argparse.ArgumentParser(
        "ehrtui import",
        description="Write the CSV files of a folder, as they are downloaded, into one SQLite file: types by their "
        "names and first rows, indexes on keys at the end. What was stopped goes on with the same command.",
    )
    parser.add_argument("form", metavar="csv", choices=("csv",), help="what the files are: csv")
    parser.add_argument("folder", metavar="DIR", help="the folder with the files; packed ones (.csv.gz) too")
    parser.add_argument("file", metavar="FILE", help="the SQLite file to write, which must not be there yet")
    return parser


def prepare_parser() -> argparse.ArgumentParser:
    """`ehrtui prepare …`."""
    parser = argparse.ArgumentParser(
        "ehrtui prepare",
        description="Build an indexed copy of a database in the cache, and an index of its names; of a folder of "
        "files, one file of its tables. It is used from then on whenever the database is opened, until it changes. The "
        "database itself is only read.",
    )
    parser.add_argument("database", metavar="DB", help="a database file, or a folder of CSV or Parquet files")
    parser.add_argument("--drop", action="store_true", help="remove what was prepared for the database")
    parser.add_argument("--profile", metavar="FILE", type=Path, help="the profile of the database's schema family")
    parser.add_argument("--state", metavar="DIR", type=Path, help="where the copy is kept, if not in the user's cache")
    return parser


def profile_parser() -> argparse.ArgumentParser:
    """`ehrtui profile …`."""
    parser = argparse.ArgumentParser(
        "ehrtui profile",
        description="Print the profile that a database is read by, as TOML: which table plays which clinical role. "
        "Comments before it say what of the database it leaves out.",
        epilog="To change it: ehrtui profile DB > mine.toml, edit it, then ehrtui DB --profile mine.toml",
    )
    add_database(parser)
    parser.add_argument("--profile", metavar="FILE", type=Path, help="a profile of your own, to see that it fits")
    return parser
