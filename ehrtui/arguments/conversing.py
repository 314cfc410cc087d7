"""The arguments of commands that ask a database something."""

from __future__ import annotations

import argparse
from pathlib import Path

from ehrtui.arguments.options import (
    add_conversation,
    add_database,
    add_memory,
    add_resuming,
    add_save,
    port_number,
    positive_number,
    whole_number,
)


def explore_parser() -> argparse.ArgumentParser:
    """`ehrtui DB …`."""
    parser = argparse.ArgumentParser(
        "ehrtui", description="Open the explorer.", epilog="`ehrtui --help` lists the commands."
    )
    add_database(parser)
    add_conversation(parser)
    add_memory(parser)
    parser.add_argument("--no-save", action="store_true", help="keep no session file")
    add_resuming(parser)
    return parser


def ask_parser() -> argparse.ArgumentParser:
    """`ehrtui ask …`."""
    parser = argparse.ArgumentParser(
        "ehrtui ask",
        description="Ask a question. Exit code: 0 answered, 3 abstained, 1 failed, 2 usage; of a batch "
        "1 where any question failed, else 0.",
        epilog='A line of a batch: {"id": …, "question": "…", "session": …}. Questions with the same session are one '
        "conversation, others are independent. Answers are JSON Lines, in order.",
    )
    add_database(parser)
    parser.add_argument("question", metavar="QUESTION", nargs="?", help="the question, in words (or SQL)")
    parser.add_argument("--batch", metavar="FILE", help="questions as JSON Lines; - reads standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object with all rows of the answer")
    parser.add_argument("--guess", action="store_true", help="show the best guess also where the answer is withheld")
    parser.add_argument(
        "--export",
        metavar="FILE",
        type=Path,
        help="write the answer to a file too: .csv, .parquet, .md, .ipynb, .sql, .svg or .png",
    )
    parser.add_argument(
        "--with-values", action="store_true", help="put the rows of the answer into .md and .ipynb, too"
    )
    parser.add_argument(
        "--least", metavar="N", type=whole_number, help="hide counts below N in what is exported (5; 0 hides none)"
    )
    add_conversation(parser)
    add_memory(parser)
    parser.add_argument(
        "--no-repair", dest="repair", action="store_false", help="do not revise a plan that fails, only explain why"
    )
    add_save(parser)
    return parser


def repl_parser() -> argparse.ArgumentParser:
    """`ehrtui repl …`."""
    parser = argparse.ArgumentParser(
        "ehrtui repl",
        description="Ask line by line: the same questions, tokens, plans and confidence as in the explorer. A line "
        "that begins with a slash is an order; /help lists them. Lines from a pipe are answered one by one, in plain "
        "text; exit code then: 1 where any turn failed, else 0.",
    )
    add_database(parser)
    parser.add_argument(
        "--plain", action="store_true", help="nothing is drawn over: for screen readers (as where TERM is dumb)"
    )
    add_conversation(parser)
    add_memory(parser)
    parser.add_argument("--no-save", dest="save", action="store_false", help="keep no session file, and no history")
    add_resuming(parser)
    parser.set_defaults(repair=True)
    return parser


def exec_parser() -> argparse.ArgumentParser:
    """`ehrtui exec …`."""
    parser = argparse.ArgumentParser(
        "ehrtui exec",
        description="Run conversations from JSON Lines; one JSON line comes out for every turn.",
        epilog='A line: {"id": …, "turns": [{"sql": "…"}, {"plan": "…"}, {"logic": "…"}, {"question": "…"}]}. A turn '
        "may name the rows and the query of an earlier one: PREV_RESULT1, PREV_QUERY1. A failing turn does not stop "
        "the rest.",
    )
    add_database(parser)
    parser.add_argument("file", metavar="FILE", help="JSON Lines; - reads standard input")
    add_conversation(parser)
    add_memory(parser)
    parser.add_argument(
        "--repair", action="store_true", help="revise plans that fail where the cause is clear; SQL runs as it is"
    )
    add_save(parser)
    return parser


def decompose_parser() -> argparse.ArgumentParser:
    """`ehrtui decompose …`."""
    parser = argparse.ArgumentParser(
        "ehrtui decompose",
        description="Split a nested query into turns: its innermost queries first, each later turn naming the rows of "
        "earlier ones. Exit code: 0 done, 1 failed, 4 the turns give other rows than the query.",
        epilog="With --json, the turns are one line that `ehrtui exec DB -` reads.",
    )
    add_database(parser)
    parser.add_argument("sql", metavar="SQL", help="one SELECT; - reads standard input")
    parser.add_argument(
        "--clauses", action="store_true", help="split by clause too: one condition a turn, then the rest"
    )
    parser.add_argument("--run", action="store_true", help="run the turns, and compare with the query's own rows")
    parser.add_argument("--json", action="store_true", help="print the turns as one JSON object")
    add_conversation(parser)
    parser.set_defaults(save=False, repair=False, memory=False)
    return parser


def serve_parser() -> argparse.ArgumentParser:
    """`ehrtui serve …`."""
    parser = argparse.ArgumentParser(
        "ehrtui serve",
        usage="ehrtui serve [--host ADDRESS] [--port N] DB [-- OPTIONS]",
        description="Open the explorer in a browser. The address that is printed has a token and works once; only this "
        "machine reaches it, unless --host says otherwise. Needs the extra: pip install 'ehrtui[serve]'.",
    )
    add_database(parser)
    parser.add_argument("options", metavar="OPTIONS", nargs="*", help="behind --: options of the explorer")
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="where to listen (127.0.0.1)")
    parser.add_argument(
        "--port", metavar="N", type=port_number, default=8000, help="the port (8000; 0 takes a free one)"
    )
    return parser


def demo_parser() -> argparse.ArgumentParser:
    """`ehrtui demo …`."""
    parser = argparse.ArgumentParser("ehrtui demo", description="Build, once, and open a synthetic demo database.")
    parser.add_argument("--patients", metavar="N", type=positive_number, default=200, help="how many patients (200)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="the same seed gives the same database (0)")
    parser.add_argument("--rebuild", action="store_true", help="build it anew")
    parser.add_argument("--no-open", action="store_true", help="print the path instead of opening it")
    add_conversation(parser)
    add_memory(parser)
    parser.add_argument("--no-save", action="store_true", help="keep no session file")
    add_resuming(parser)
    return parser
