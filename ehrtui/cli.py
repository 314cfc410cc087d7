"""The commands of `ehrtui`: which module runs each, and what the process says and returns.

Exit codes: 0 answered or done, 1 failed, 2 usage, 3 abstained, 4 a replay or a decomposition differs, 130 cancelled.
Nothing heavy is imported before it is known which command runs.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys

from ehrtui import __version__
from ehrtui.arguments.command_examples import with_examples
from ehrtui.arguments.language_model_options import approach_of
from ehrtui.arguments.parsers import COMMANDS, WITH_ACTIONS, main_parser, parser_of, whole_parser
from ehrtui.commands.streams import discard_output, is_unwritable, make_streams_safe
from ehrtui.errors import EhrtuiError, UsageError, place_of
from ehrtui.terminal import printable

FAILED, USAGE, CANCELLED, BROKEN_PIPE = 1, 2, 130, 141

_MODULES = {
    "exec": "ehrtui.commands.execute",
    "import": "ehrtui.commands.importing",
    "eval": "ehrtui.commands.evaluate",
    "explore": "ehrtui.tui.explore",
    "demo": "ehrtui.tui.demo",
    "repl": "ehrtui.repl.command",
    "serve": "ehrtui.tui.serve",
}
"""The modules of commands that are not called as they are, or that open the screen."""
_ON_SCREEN = ("explore", "demo")
"""Commands that tell on the screen what is wrong in the configuration file."""
_OF_ALL = ("completion", "manual")
"""Commands that describe all of them."""


def main(argv: list[str] | None = None) -> int:
    """Run the command line; the value is the exit code."""
    make_streams_safe()
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return _say("Cancelled.", CANCELLED)
    except BrokenPipeError:
        discard_output()  # whoever read it has gone
        return BROKEN_PIPE
    except EhrtuiError as error:
        return _say(f"ehrtui: {error}", USAGE if isinstance(error, UsageError) else FAILED)
    except Exception as error:
        if isinstance(error.__context__, KeyboardInterrupt):  # argparse fails while it tidies up after one
            return _say("Cancelled.", CANCELLED)
        if is_unwritable(error):
            discard_output()
            return _say("ehrtui: The output cannot be written.\nThe disk is full.\nFree some space.", FAILED)
        if os.environ.get("EHRTUI_DEBUG"):
            raise
        return _say(_defect(error), FAILED)


def _run(argv: list[str]) -> int:
    if not argv:
        main_parser().print_help()
        return USAGE
    name, rest = (argv[0], argv[1:]) if argv[0] in COMMANDS else ("explore", argv)
    if name == "explore" and argv[0] in ("-h", "--help", "--version"):
        main_parser().parse_args(argv)
    if (name, *rest[:1]) == ("sessions", "replay"):
        raise UsageError("A session is replayed by a command of its own.", next_step="See `ehrtui replay --help`.")
    parser = with_examples(parser_of(name), name)
    # Intermixed, so that options may stand between DB and QUESTION; parsers with actions of their own cannot do that.
    args = parser.parse_args(rest) if name in WITH_ACTIONS else parser.parse_intermixed_args(rest)
    if "config" in args:
        _settle(args)
        if name not in _ON_SCREEN:
            for notice in args.settings.notices:
                print(printable(notice), file=sys.stderr)
    if name in _OF_ALL:
        args.whole = whole_parser
    module = importlib.import_module(_MODULES.get(name, f"ehrtui.commands.{name}"))
    code: int = module.run(args)
    sys.stdout.flush()  # here, where a closed pipe is still handled
    return code


def _settle(args: argparse.Namespace) -> None:
    """Read the configuration file: what the options leave out is as it says."""
    from dataclasses import replace

    from ehrtui.settings import check_settings, load_settings

    args.settings = load_settings(args.config)
    if args.settings.doubts_model and getattr(args, "planner", None) not in (None, "offline"):
        check_settings(args.settings)
    for name in ("planner", "threshold"):
        if getattr(args, name, "") is None:
            setattr(args, name, getattr(args.settings, name))
    for name in ("tools", "model", "base_url", "api", "budget", "samples"):
        if getattr(args, name, None) is not None:
            args.settings = replace(args.settings, **{name: getattr(args, name)})
    if "privacy" in args:
        forced = args.force_privacy_off
        args.settings = replace(args.settings, privacy=args.privacy == "on", force_privacy_off=forced)
    strategy = getattr(args, "strategy", None) or args.settings.approach.strategy
    approach = approach_of(args) if "without" in args else args.settings.approach
    args.settings = replace(args.settings, approach=replace(approach, strategy=strategy))


def _say(text: str, code: int) -> int:
    """Say why the command ends, on standard error, without what could steer the terminal."""
    print(printable(text, lines=True), file=sys.stderr)
    return code


def _defect(error: Exception) -> str:
    """One sentence for an error that nobody foresaw, with a place to look at and nothing of the database."""
    return (
        f"ehrtui: something unexpected went wrong ({place_of(error)}, version {__version__}).\n"
        "This is a defect of ehrtui. Please report the line above on the project's issue tracker: it holds no patient "
        "data.\nEHRTUI_DEBUG=1 shows the full trace, which may quote the database: look before you share it."
    )
