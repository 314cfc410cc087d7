"""Options that several commands have, and the numbers that options may be."""

from __future__ import annotations

import argparse
from pathlib import Path

from ehrtui.arguments.language_model_options import add_language_model


def add_database(parser: argparse.ArgumentParser) -> None:
    """Which database."""
    parser.add_argument(
        "database", metavar="DB", help="a database file, a folder of CSV or Parquet files, postgresql://… or sc://…"
    )


def add_conversation(parser: argparse.ArgumentParser) -> None:
    """What every conversation may be told: who plans, what today means, limits, where things are kept."""
    parser.add_argument("--planner", metavar="NAME", help="what understands questions: offline, claude, or both")
    parser.add_argument("--now", metavar='"YYYY-MM-DD HH:MM:SS"', help="what today means in the database")
    parser.add_argument("--threshold", metavar="0.0-1.0", type=share, help="withhold answers less sure (0.7)")
    parser.add_argument("--profile", metavar="FILE", type=Path, help="the profile of the database's schema family")
    parser.add_argument("--tools", metavar="FILE", help="a Python file with tools of your own for plans")
    parser.add_argument("--with-results", action="store_true", help="keep the rows of answers in the session file too")
    add_language_model(parser)
    add_config(parser)
    add_state(parser)


def add_memory(parser: argparse.ArgumentParser) -> None:
    """Whether approved cases help."""
    parser.add_argument(
        "--no-memory", dest="memory", action="store_false", help="understand questions without approved cases"
    )


def add_resuming(parser: argparse.ArgumentParser) -> None:
    """Which saved session to go on with."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--resume", action="store_true", help="go on with the last session of this database")
    which.add_argument(
        "--session",
        metavar="NAME",
        help="go on with this saved session: its name, its id, the beginning of one, or its file; where no session has "
        "the name, a new one begins that does",
    )


def add_save(parser: argparse.ArgumentParser) -> None:
    """Whether a session file is kept."""
    parser.add_argument("--save", action="store_true", help="keep a session file (without it, nothing is written)")


def add_config(parser: argparse.ArgumentParser) -> None:
    """Which configuration file counts."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings as TOML, in place of your config.toml")


def add_state(parser: argparse.ArgumentParser) -> None:
    """Where sessions are kept."""
    parser.add_argument("--state", metavar="DIR", type=Path, help="where sessions are kept")


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Which questions of a file count."""
    parser.add_argument(
        "--db-id",
        metavar="NAME",
        help="only questions with this db_id; where a file has several and this is left out, that of DB's file name",
    )
    parser.add_argument("--clean", action="store_true", help="leave out questions with a gold_note")


def whole_number(text: str) -> int:
    """A whole number from 0. Raises ArgumentTypeError, as the others do."""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text[:40]} is not a whole number from 0")
    return int(text)


def share(text: str) -> float:
    """A number from 0.0 to 1.0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0.0 to 1.0")
    return value


def positive_number(text: str) -> int:
    """A whole number above 0."""
    if not text.isascii() or not text.isdigit() or not 0 < len(text) < 10 or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def seconds(text: str) -> float:
    """Seconds to wait: a number of at most an hour."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds: give one from 0 to 3600")
    return found


def port_number(text: str) -> int:
    """A port of this machine, 0 for a free one."""
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: a whole number from 0 to 65535")
    return int(text)
