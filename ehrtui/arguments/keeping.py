"""The arguments of commands for what is kept of conversations."""

from __future__ import annotations

import argparse
from pathlib import Path

from ehrtui.arguments.options import add_config, add_state, positive_number, seconds


def replay_parser() -> argparse.ArgumentParser:
    """`ehrtui replay …`."""
    parser = argparse.ArgumentParser(
        "ehrtui replay",
        description="Run a saved session again and compare every result. Exit code: 0 the same, 4 a difference.",
    )
    parser.add_argument(
        "session", metavar="SESSION", help="a session's name, id (or its beginning) or file, or an example's name"
    )
    parser.add_argument(
        "database",
        metavar="DB",
        nargs="?",
        help="the database; where left out, where it was seen last on this machine, or in this folder by its name",
    )
    parser.add_argument("--profile", metavar="FILE", type=Path, help="the profile of the database's schema family")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--step", action="store_true", help="show each turn with its answer, and wait for Enter (q and Enter leaves)"
    )
    shown.add_argument(
        "--film", metavar="SECONDS", type=seconds, help="show each turn with its answer for so many seconds"
    )
    add_config(parser)
    add_state(parser)
    return parser


def sessions_parser() -> argparse.ArgumentParser:
    """`ehrtui sessions …`."""
    parser = argparse.ArgumentParser("ehrtui sessions", description="Saved sessions.")
    actions = parser.add_subparsers(dest="action", metavar="list|show|name|compare|export")
    listing = actions.add_parser("list", help="all saved sessions, the latest first (the default)")
    show = actions.add_parser("show", help="the turns of a session")
    show.add_argument("session", metavar="ID", nargs="?", help="a name, an id, the beginning of one, or a file")
    show.add_argument(
        "--feedback",
        action="store_true",
        help="what was said of answers: right or wrong, and why; of all sessions without ID",
    )
    naming = actions.add_parser(
        "name",
        help="call a session by a name of yours",
        description="Call a session by a name, which stands for its id in every command: ehrtui DB --session NAME. "
        'No two sessions have the same; an empty name ("") takes it away.',
    )
    naming.add_argument("session", metavar="ID", help="a name, an id, or the beginning of one")
    naming.add_argument("name", metavar="NAME", help="what it is called from now on")
    compare = actions.add_parser(
        "compare",
        help="two sessions, turn by turn",
        description="Turns that asked the same, in words or in query logic, are put side by side, wherever they stand: "
        "= with the same result, ≠ with another. < and > were asked in one of the sessions alone. "
        "Exit code: 0 the same, 4 a difference.",
    )
    compare.add_argument("session", metavar="ID", help="a name, an id, the beginning of one, or a file")
    compare.add_argument("other", metavar="OTHER", help="the same of the other session")
    export = actions.add_parser("export", help="a session as a document, notebook or script")
    export.add_argument("session", metavar="ID", help="a name, an id, the beginning of one, or a file")
    export.add_argument("--to", choices=("md", "ipynb", "sql"), default="md", help="Markdown (default), Jupyter or SQL")
    export.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="where to write it; standard output if left out"
    )
    export.add_argument(
        "--restore",
        metavar="DB",
        help="run the plans again on DB, and write the SQL that they put together from rows: it quotes the database",
    )
    for each in (listing, show, naming, compare, export):
        # Suppressed, so that the option's default does not undo one that was given before the action's name.
        each.add_argument("--state", metavar="DIR", type=Path, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add_state(parser)
    return parser


def memory_parser() -> argparse.ArgumentParser:
    """`ehrtui memory …`."""
    parser = argparse.ArgumentParser(
        "ehrtui memory",
        description="Approved cases: questions with their query logic, both without values, that help to understand "
        "new questions on databases of the same family.",
    )
    actions = parser.add_subparsers(dest="action", metavar="list|search|show|edit|forget|import|meanings")
    listing = actions.add_parser("list", help="all cases (the default)")
    search = actions.add_parser("search", help="the cases with these words")
    search.add_argument("words", metavar="WORD", nargs="+")
    show = actions.add_parser("show", help="all of one case, and where it is from")
    edit = actions.add_parser("edit", help="change a case")
    edit.add_argument("--question", metavar="TEXT", help="the question, with slots in place of values")
    edit.add_argument("--logic", metavar="TEXT", help="the query logic, with the same slots")
    forget = actions.add_parser("forget", help="forget cases")
    for each, count in ((show, None), (edit, None), (forget, "+")):
        each.add_argument("number", metavar="N", type=positive_number, nargs=count, help="as `list` numbers them")
    reading = actions.add_parser(
        "import",
        help="cases from a file of questions with gold SQL",
        description="Keep the questions of a file in the EHRSQL format as cases: with the query logic that gives the "
        "answer of their gold SQL, or else with the SQL. Esc cancels, and then nothing is kept.",
    )
    reading.add_argument("file", metavar="FILE", help="a list of {id, db_id, question, sql, is_impossible}")
    reading.add_argument("database", metavar="DB", nargs="?", help="the database; beside FILE where left out")
    reading.add_argument("--now", metavar='"YYYY-MM-DD HH:MM:SS"', help="what today means in the database")
    reading.add_argument("--profile", metavar="FILE", type=Path, help="the profile of the database's schema family")
    reading.add_argument("--left-out", action="store_true", help="name every question that was left out, and why")
    meanings = actions.add_parser("meanings", help="what words mean from now on, as you chose it in the explorer")
    meanings.add_argument("--forget", metavar="WORDS", help="read these words again as they were read before")
    for each in (listing, search, meanings):
        each.add_argument("--family", metavar="NAME", help="only those of this schema family")
    for each in (listing, search, show, edit, forget, reading, meanings):
        each.add_argument("--state", metavar="DIR", type=Path, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.set_defaults(family=None)
    add_state(parser)
    return parser
