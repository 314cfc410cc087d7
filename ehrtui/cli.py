"""The commands of `ehrtui`: the arguments of each, and what the process says and returns.

Exit codes: 0 answered or done, 1 failed, 2 usage, 3 abstained, 4 a replay or a decomposition differs, 130 cancelled.
Nothing heavy is imported before it is known which command runs.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path

from ehrtui import __version__
from ehrtui.command_examples import with_examples
from ehrtui.commands.streams import discard_output, is_unwritable, make_streams_safe
from ehrtui.concept_options import concepts_parser, vocab_parser
from ehrtui.errors import EhrtuiError, UsageError, place_of
from ehrtui.language_model_options import add_approach, add_language_model, add_server, approach_of
from ehrtui.terminal import printable

FAILED, USAGE, CANCELLED, BROKEN_PIPE = 1, 2, 130, 141

_COMMANDS = {
    "ask": "ask one question, or many with --batch",
    "repl": "ask line by line: for pipes, plain terminals and screen readers",
    "exec": "run SQL, plans, logic or questions, turn by turn, from JSON Lines",
    "decompose": "split a nested query into turns that build on each other",
    "replay": "run a saved session again and compare every result",
    "sessions": "list, show or export saved sessions",
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
_WITH_ACTIONS = ("sessions", "memory", "concepts", "vocab")
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

_DESCRIPTION = "Explore an EHR database by conversation, in the terminal."
_EPILOG = "\n".join(
    [
        "commands:",
        "  DB          open the explorer on a database: a SQLite or DuckDB file, or a folder of CSV or Parquet files",
        *(f"  {name:<11} {summary}" for name, summary in _COMMANDS.items()),
        "",
        "`ehrtui COMMAND --help` says more of each. New here? Try `ehrtui demo`.",
    ]
)


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
        _main_parser().print_help()
        return USAGE
    name, rest = (argv[0], argv[1:]) if argv[0] in _COMMANDS else ("explore", argv)
    if name == "explore" and argv[0] in ("-h", "--help", "--version"):
        _main_parser().parse_args(argv)
    parser = with_examples(_PARSERS[name](), name)
    # Intermixed, so that options may stand between DB and QUESTION; parsers with actions of their own cannot do that.
    args = parser.parse_args(rest) if name in _WITH_ACTIONS else parser.parse_intermixed_args(rest)
    if "config" in args:
        _settle(args)
    module = importlib.import_module(_MODULES.get(name, f"ehrtui.commands.{name}"))
    code: int = module.run(args)
    sys.stdout.flush()  # here, where a closed pipe is still handled
    return code


def _settle(args: argparse.Namespace) -> None:
    """Read the configuration file: what the options leave out is as it says."""
    from dataclasses import replace

    from ehrtui.settings import load_settings

    args.settings = load_settings(args.config)
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


def _main_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui",
        usage="ehrtui DB | ehrtui COMMAND …",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ehrtui {__version__}")
    return parser


def _explore_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui", description="Open the explorer.", epilog="`ehrtui --help` lists the commands."
    )
    _add_database(parser)
    _add_conversation(parser)
    _add_memory(parser)
    parser.add_argument("--no-save", action="store_true", help="keep no session file")
    _add_resuming(parser)
    return parser


def _ask_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui ask",
        description="Ask a question. Exit code: 0 answered, 3 abstained, 1 failed, 2 usage; of a batch "
        "1 where any question failed, else 0.",
        epilog='A line of a batch: {"id": …, "question": "…", "session": …}. Questions with the same session are one '
        "conversation, others are independent. Answers are JSON Lines, in order.",
    )
    _add_database(parser)
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
        "--least", metavar="N", type=_whole, help="hide counts below N in what is exported (5; 0 hides none)"
    )
    _add_conversation(parser)
    _add_memory(parser)
    parser.add_argument(
        "--no-repair", dest="repair", action="store_false", help="do not revise a plan that fails, only explain why"
    )
    _add_save(parser)
    return parser


def _repl_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui repl",
        description="Ask line by line: the same questions, tokens, plans and confidence as in the explorer. A line "
        "that begins with a slash is an order; /help lists them. Lines from a pipe are answered one by one, in plain "
        "text; exit code then: 1 where any turn failed, else 0.",
    )
    _add_database(parser)
    parser.add_argument(
        "--plain", action="store_true", help="nothing is drawn over: for screen readers (as where TERM is dumb)"
    )
    _add_conversation(parser)
    _add_memory(parser)
    parser.add_argument("--no-save", dest="save", action="store_false", help="keep no session file, and no history")
    _add_resuming(parser)
    parser.set_defaults(repair=True)
    return parser


def _exec_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui exec",
        description="Run conversations from JSON Lines; one JSON line comes out for every turn.",
        epilog='A line: {"id": …, "turns": [{"sql": "…"}, {"plan": "…"}, {"logic": "…"}, {"question": "…"}]}. A turn '
        "may name the rows and the query of an earlier one: PREV_RESULT1, PREV_QUERY1. A failing turn does not stop "
        "the rest.",
    )
    _add_database(parser)
    parser.add_argument("file", metavar="FILE", help="JSON Lines; - reads standard input")
    _add_conversation(parser)
    _add_memory(parser)
    parser.add_argument(
        "--repair", action="store_true", help="revise plans that fail where the cause is clear; SQL runs as it is"
    )
    _add_save(parser)
    return parser


def _decompose_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui decompose",
        description="Split a nested query into turns: its innermost queries first, each later turn naming the rows of "
        "earlier ones. Exit code: 0 done, 1 failed, 4 the turns give other rows than the query.",
        epilog="With --json, the turns are one line that `ehrtui exec DB -` reads.",
    )
    _add_database(parser)
    parser.add_argument("sql", metavar="SQL", help="one SELECT; - reads standard input")
    parser.add_argument(
        "--clauses", action="store_true", help="split by clause too: one condition a turn, then the rest"
    )
    parser.add_argument("--run", action="store_true", help="run the turns, and compare with the query's own rows")
    parser.add_argument("--json", action="store_true", help="print the turns as one JSON object")
    _add_conversation(parser)
    parser.set_defaults(save=False, repair=False, memory=False)
    return parser


def _replay_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui replay",
        description="Run a saved session again and compare every result. Exit code: 0 the same, 4 a difference.",
    )
    parser.add_argument(
        "session", metavar="SESSION", help="a session file, an id (or its beginning), or an example's name"
    )
    parser.add_argument("database", metavar="DB", nargs="?", help="the database; looked for by its name where left out")
    parser.add_argument("--profile", metavar="FILE", type=Path, help="the profile of the database's schema family")
    _add_config(parser)
    _add_state(parser)
    return parser


def _sessions_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("ehrtui sessions", description="Saved sessions.")
    actions = parser.add_subparsers(dest="action", metavar="list|show|export")
    listing = actions.add_parser("list", help="all saved sessions, the latest first (the default)")
    show = actions.add_parser("show", help="the turns of a session")
    show.add_argument("session", metavar="ID", nargs="?", help="an id, the beginning of one, or a file")
    show.add_argument(
        "--feedback",
        action="store_true",
        help="what was said of answers: right or wrong, and why; of all sessions without ID",
    )
    export = actions.add_parser("export", help="a session as a document, notebook or script")
    export.add_argument("session", metavar="ID", help="an id, the beginning of one, or a file")
    export.add_argument("--to", choices=("md", "ipynb", "sql"), default="md", help="Markdown (default), Jupyter or SQL")
    export.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="where to write it; standard output if left out"
    )
    export.add_argument(
        "--restore",
        metavar="DB",
        help="run the plans again on DB, and write the SQL that they put together from rows: it quotes the database",
    )
    for each in (listing, show, export):
        # Suppressed, so that the option's default does not undo one that was given before the action's name.
        each.add_argument("--state", metavar="DIR", type=Path, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    _add_state(parser)
    return parser


def _eval_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui eval",
        description="Ask questions with gold answers and score the answers. Ctrl-C ends it with the scores so far.",
        epilog="The questions are a list as in EHRSQL: {id, question, answer, sql, is_impossible, template}; or "
        "conversations as in EHR-SeqSQL: {id, template, turns: [{question, answer, sql}]}, where a turn without a "
        "question is run as its seqsql. Where answer is left out, the rows of sql are expected. docs/evaluation.md has "
        "the other fields.",
    )
    _add_database(parser)
    parser.add_argument("questions", metavar="QUESTIONS.json", help="questions, or conversations, with gold answers")
    parser.add_argument("--json", action="store_true", help="print one JSON object with all scores and the wrong ones")
    parser.add_argument("--wrong", action="store_true", help="list wrong answers and best guesses with the gold ones")
    parser.add_argument("--by-family", action="store_true", help="the scores of every family of questions")
    parser.add_argument("--curves", action="store_true", help="reliability, and risk over coverage, as tables")
    parser.add_argument("--chart", metavar="FILE.svg", type=Path, help="draw both curves to a picture")
    parser.add_argument(
        "--leave-one-family-out",
        action="store_true",
        help="beside the scores, those with a calibration and a threshold that no question of the family decided",
    )
    _add_selection(parser)
    parser.add_argument("--family", metavar="TEXT", help="only families with this in their name")
    parser.add_argument("--limit", metavar="N", type=_positive, help="only the first N questions")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="keep results there; the same command goes on from them"
    )
    _add_conversation(parser)
    add_approach(parser)
    parser.add_argument("--memory", action="store_true", help="let approved cases help, as they do in ask")
    parser.add_argument(
        "--transcript",
        metavar="FILE",
        type=Path,
        help="with --planner claude or both: answer from this recording of a language model, without a server; only "
        "the questions that it has are asked",
    )
    parser.set_defaults(save=False, repair=False)
    return parser


def _add_selection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--db-id",
        metavar="NAME",
        help="only questions with this db_id; where a file has several and this is left out, that of DB's file name",
    )
    parser.add_argument("--clean", action="store_true", help="leave out questions with a gold_note")


def _calibrate_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui calibrate",
        description="Ask questions with known answers, and fit to them what each doubt takes from the confidence of an "
        "answer. The calibration is used from then on for every database of the same schema family.",
        epilog="The questions are as for `ehrtui eval`: at least 50, also some that the database cannot answer.",
    )
    _add_database(parser)
    parser.add_argument("questions", metavar="QUESTIONS.json", nargs="?", help="questions with gold answers")
    _add_selection(parser)
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the calibration there instead")
    parser.add_argument("--forget", action="store_true", help="remove your calibration; the shipped one is used again")
    _add_conversation(parser)
    parser.set_defaults(save=False, repair=False, memory=False)
    return parser


def _import_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui import",
        description="Write the CSV files of a folder, as they are downloaded, into one SQLite file: types by their "
        "names and first rows, indexes on keys at the end. What was stopped goes on with the same command.",
    )
    parser.add_argument("form", metavar="csv", choices=("csv",), help="what the files are: csv")
    parser.add_argument("folder", metavar="DIR", help="the folder with the files; packed ones (.csv.gz) too")
    parser.add_argument("file", metavar="FILE", help="the SQLite file to write, which must not be there yet")
    return parser


def _prepare_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui prepare",
        description="Build an indexed copy of a database in the cache, and an index of its names; of a folder of "
        "files, one file of its tables. It is used from then on whenever the database is opened, until it changes. The "
        "database itself is only read.",
    )
    _add_database(parser)
    parser.add_argument("--drop", action="store_true", help="remove what was prepared for the database")
    parser.add_argument("--profile", metavar="FILE", type=Path, help="the profile of the database's schema family")
    parser.add_argument("--state", metavar="DIR", type=Path, help="where the copy is kept, if not in the user's cache")
    return parser


def _memory_parser() -> argparse.ArgumentParser:
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
        each.add_argument("number", metavar="N", type=_positive, nargs=count, help="as `list` numbers them")
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
    _add_state(parser)
    return parser


def _profile_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui profile",
        description="Print the profile that a database is read by, as TOML: which table plays which clinical role. "
        "Comments before it say what of the database it leaves out.",
        epilog="To change it: ehrtui profile DB > mine.toml, edit it, then ehrtui DB --profile mine.toml",
    )
    _add_database(parser)
    parser.add_argument("--profile", metavar="FILE", type=Path, help="a profile of your own, to see that it fits")
    return parser


def _doctor_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui doctor",
        description="Check the package, the key, the server and the model, and say which ways the server offers: the "
        "Messages API, chat completions, streaming, tools. Only a server on this machine is asked by both APIs. "
        "Nothing of a database is sent. Exit code: 0 all is well, 1 something is missing.",
    )
    add_server(parser)
    _add_config(parser)
    return parser


def _config_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui config",
        description="Print a configuration file in which every setting is explained, with its default.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--write", action="store_true", help="write it; a file that is there is never overwritten")
    which.add_argument("--check", action="store_true", help="read the file that is there, and say what is wrong in it")
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help="which file, if not your own config.toml")
    return parser


def _completion_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui completion",
        description="Print a script that completes commands, options and files of ehrtui in a shell.",
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish", "tcsh", "powershell"), help="which shell")
    parser.set_defaults(whole=whole_parser)
    return parser


def _manual_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui manual", description="Print the manual page of all commands, as `man` reads it."
    )
    parser.set_defaults(whole=whole_parser)
    return parser


def whole_parser() -> argparse.ArgumentParser:
    """The whole command line as one parser: to be described, since DB stands where a command may."""

    def made(prog: str, **_: object) -> argparse.ArgumentParser:
        name = prog.rpartition(" ")[2]
        return with_examples(_PARSERS[name](), name)

    parser = _main_parser()
    parser.epilog = None
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=made)  # type: ignore[call-overload]
    for name, summary in _COMMANDS.items():
        commands.add_parser(name, help=summary)
    return parser


def _serve_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ehrtui serve",
        usage="ehrtui serve [--host ADDRESS] [--port N] DB [-- OPTIONS]",
        description="Open the explorer in a browser. The address that is printed has a token and works once; only this "
        "machine reaches it, unless --host says otherwise. Needs the extra: pip install 'ehrtui[serve]'.",
    )
    _add_database(parser)
    parser.add_argument("options", metavar="OPTIONS", nargs="*", help="behind --: options of the explorer")
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="where to listen (127.0.0.1)")
    parser.add_argument("--port", metavar="N", type=_port, default=8000, help="the port (8000; 0 takes a free one)")
    return parser


def _demo_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("ehrtui demo", description="Build, once, and open a synthetic demo database.")
    parser.add_argument("--patients", metavar="N", type=_positive, default=200, help="how many patients (200)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="the same seed gives the same database (0)")
    parser.add_argument("--rebuild", action="store_true", help="build it anew")
    parser.add_argument("--no-open", action="store_true", help="print the path instead of opening it")
    _add_conversation(parser)
    _add_memory(parser)
    parser.add_argument("--no-save", action="store_true", help="keep no session file")
    _add_resuming(parser)
    return parser


_PARSERS = {
    "explore": _explore_parser,
    "ask": _ask_parser,
    "repl": _repl_parser,
    "exec": _exec_parser,
    "decompose": _decompose_parser,
    "replay": _replay_parser,
    "sessions": _sessions_parser,
    "eval": _eval_parser,
    "calibrate": _calibrate_parser,
    "import": _import_parser,
    "prepare": _prepare_parser,
    "memory": _memory_parser,
    "concepts": concepts_parser,
    "vocab": vocab_parser,
    "profile": _profile_parser,
    "doctor": _doctor_parser,
    "config": _config_parser,
    "completion": _completion_parser,
    "manual": _manual_parser,
    "serve": _serve_parser,
    "demo": _demo_parser,
}


def _add_database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("database", metavar="DB", help="a database file, or a folder of CSV or Parquet files")


def _add_conversation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--planner", metavar="NAME", help="what understands questions: offline, claude, or both")
    parser.add_argument("--now", metavar='"YYYY-MM-DD HH:MM:SS"', help="what today means in the database")
    parser.add_argument("--threshold", metavar="0.0-1.0", type=_share, help="withhold answers less sure (0.7)")
    parser.add_argument("--profile", metavar="FILE", type=Path, help="the profile of the database's schema family")
    parser.add_argument("--tools", metavar="FILE", help="a Python file with tools of your own for plans")
    parser.add_argument("--with-results", action="store_true", help="keep the rows of answers in the session file too")
    add_language_model(parser)
    _add_config(parser)
    _add_state(parser)


def _add_memory(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-memory", dest="memory", action="store_false", help="understand questions without approved cases"
    )


def _add_resuming(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--resume", action="store_true", help="go on with the last session of this database")
    which.add_argument(
        "--session", metavar="NAME", help="go on with this saved session: its id, the beginning of one, or its file"
    )


def _add_save(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--save", action="store_true", help="keep a session file (without it, nothing is written)")


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings as TOML, in place of your config.toml")


def _add_state(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state", metavar="DIR", type=Path, help="where sessions are kept")


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text[:40]} is not a whole number from 0")
    return int(text)


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0.0 to 1.0")
    return value


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < len(text) < 10 or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: a whole number from 0 to 65535")
    return int(text)


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
