"""The command line as parsers: which commands there are, and the arguments of each.

Those of the other commands are not loaded to run one.
"""

from __future__ import annotations

import argparse
import importlib

from ehrtui import __version__
from ehrtui.arguments.command_examples import with_examples

COMMANDS = {
    "ask": "ask one question, or many with --batch",
    "repl": "ask line by line: for pipes, plain terminals and screen readers",
    "exec": "run SQL, plans, logic or questions, turn by turn, from JSON Lines",
    "decompose": "split a nested query into turns that build on each other",
    "replay": "run a saved session again and compare every result",
    "sessions": "list, show, name, compare or export saved sessions",
    "eval": "score the planner on questions with gold answers",
    "calibrate": "refit how sure answers are to questions of your own",
    "import": "write a folder of CSV files into one SQLite file",
    "prepare": "make a large database answer faster, by an indexed copy in the cache",
    "memory": "list, search, show, edit, forget or import approved cases",
    "concepts": "list, search, show, make, import or export families of codes and names",
    "vocab": "import a vocabulary of OHDSI's Athena, or look words up in it",
    "profile": "print how a database is read, ready to edit",
    "doctor": "check that a language model can be asked, and say what is missing",
    "config": "print, write or check a configuration file with every setting, explained",
    "completion": "print what completes the command line in bash, zsh, fish or another shell",
    "manual": "print the manual page of all commands",
    "serve": "open the explorer in a browser, on this machine",
    "demo": "build, once, and open a synthetic demo database",
}
WITH_ACTIONS = ("sessions", "memory", "concepts", "vocab")
"""Commands whose first argument is what they do."""
_MODULES = {
    "explore": "conversing",
    "ask": "conversing",
    "repl": "conversing",
    "exec": "conversing",
    "decompose": "conversing",
    "replay": "keeping",
    "sessions": "keeping",
    "eval": "scoring",
    "calibrate": "scoring",
    "import": "database_files",
    "prepare": "database_files",
    "memory": "keeping",
    "concepts": "concept_options",
    "vocab": "concept_options",
    "profile": "database_files",
    "doctor": "installation",
    "config": "installation",
    "completion": "installation",
    "manual": "installation",
    "serve": "conversing",
    "demo": "conversing",
}
"""The modules of this room that have their parsers."""

_DESCRIPTION = "Explore an EHR database by conversation, in the terminal."
_EPILOG = "\n".join(
    [
        "commands:",
        "  DB          open the explorer on a database: a SQLite or DuckDB file, a folder of CSV or Parquet files, or",
        "              the address of a PostgreSQL database (postgresql://ROLE@HOST/NAME), or of a Spark server (sc://HOST)",
        *(f"  {name:<11} {summary}" for name, summary in COMMANDS.items()),
        "",
        "`ehrtui COMMAND --help` says more of each. New here? Try `ehrtui demo`.",
    ]
)


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser of a command, or of `explore`, which has no name on the command line."""
    module = importlib.import_module(f"ehrtui.arguments.{_MODULES[command]}")
    parser: argparse.ArgumentParser = getattr(module, f"{command}_parser")()
    return parser


def main_parser() -> argparse.ArgumentParser:
    """The parser of `ehrtui` without a command."""
    parser = argparse.ArgumentParser(
        "ehrtui",
        usage="ehrtui DB | ehrtui COMMAND …",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ehrtui {__version__}")
    return parser


def whole_parser() -> argparse.ArgumentParser:
    """The whole command line as one parser: to be described, since DB stands where a command may."""

    def made(prog: str, **_: object) -> argparse.ArgumentParser:
        name = prog.rpartition(" ")[2]
        return with_examples(parser_of(name), name)

    parser = main_parser()
    parser.epilog = None
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=made)  # type: ignore[call-overload]
    for name, summary in COMMANDS.items():
        commands.add_parser(name, help=summary)
    return parser
