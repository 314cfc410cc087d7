"""The options of the command line about a language model."""

from __future__ import annotations

import argparse

from ehrtui.planning.claude.approach import EXTRAS, HISTORIES, LIKENESSES, PARTS, STRATEGIES, Approach
from ehrtui.planning.claude.server import APIS


def add_language_model(parser: argparse.ArgumentParser) -> None:
    """Add all options of a language model, as a group of their own."""
    group = parser.add_argument_group(
        "language model",
        "With --planner claude, or both: the offline planner first, and the model where that is unsure.",
    )
    add_server(group)
    group.add_argument(
        "--strategy", choices=STRATEGIES, help="how it is asked: agent (the whole loop); logic, for small models; …"
    )
    group.add_argument("--budget", metavar="USD", type=dollars, help="stop asking once so many dollars are spent")
    group.add_argument(
        "--samples",
        metavar="K",
        type=samples,
        help="where it decides, ask it up to so many times how sure it is (3; 0: never)",
    )
    group.add_argument(
        "--consent", action="store_true", help="consent, for this database, to masked questions being sent there"
    )
    group.add_argument(
        "--privacy", choices=("on", "off"), default="on", help="off: send everything as it is, to this machine alone"
    )
    group.add_argument(
        "--force-privacy-off", action="store_true", help="with --privacy off: send it as it is to any machine"
    )


def add_server(parser: argparse._ActionsContainer) -> None:
    """Add the options that say where the model is."""
    parser.add_argument("--model", metavar="NAME", help="the model's name")
    parser.add_argument("--base-url", metavar="URL", help="the server, if not Anthropic's")
    parser.add_argument(
        "--api", choices=APIS, help="the API that it is asked by: Anthropic's Messages, or OpenAI's chat completions"
    )


def add_approach(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how it is asked, for experiments."""
    group = parser.add_argument_group("how the language model is asked")
    group.add_argument(
        "--without", choices=PARTS, action="append", default=[], help="leave a part of the loop out; may be repeated"
    )
    group.add_argument(
        "--with", dest="extras", choices=EXTRAS, action="append", default=[], help="what EHRAgent has more; as above"
    )
    group.add_argument(
        "--history", choices=HISTORIES, default="qs", help="of earlier turns: questions with SQL, or questions alone"
    )
    group.add_argument(
        "--likeness", choices=LIKENESSES, default="levenshtein", help="by which approved cases are found"
    )


def approach_of(args: argparse.Namespace) -> Approach:
    """The approach that these options say, all but its strategy."""
    return Approach("agent", frozenset(args.without), args.history, args.likeness, frozenset(args.extras))


def samples(text: str) -> int:
    """A whole number from 0 to 50. Raises ArgumentTypeError."""
    if not text.isascii() or not text.isdigit() or len(text) > 2 or int(text) > 50:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 50")
    return int(text)


def dollars(text: str) -> float:
    """A sum of money above 0. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value
