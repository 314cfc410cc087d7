"""`ehrtui DB`: open the explorer."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ehrtui.engines.address import name_of
from ehrtui.errors import DatabaseError, UsageError
from ehrtui.paths import is_there

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.session.saved import SavedSession

ESCAPE_DELAY = "25"
"""Milliseconds after which an Esc is one, and not the beginning of a longer key. Those come in one piece, but over slow
lines; 25 ms is what other programs wait at the least."""

SWITCH_SECONDS = 0.001
"""Seconds after which a thread that computes gives way. What a key does waits several times for the threads that plan
and count beside it: with Python's own 5 ms, an Esc was shown after 0.1 s where it now takes 0.05."""

MOST_NOTICES = 3
"""Lines of the configuration file that are told on the screen."""


def run(args: argparse.Namespace) -> int:
    """Open the explorer on `args.database`; its exit code."""
    return explore(args.database, args)


def explore(target: str, args: argparse.Namespace) -> int:
    """Open the explorer on `target` with the options of a conversation.

    Raises UsageError where there is no terminal to draw on, DatabaseError where no file is at `target`.
    """
    _check_terminal()
    if "://" not in target and not is_there(Path(target)):
        raise DatabaseError(f"There is no file {target}.", next_step="Check the path, or try `ehrtui demo`.")
    if args.consent:
        from ehrtui.commands.consent import settle_consent

        settle_consent(target, args)
    gc.disable()  # until the first frame: all that is loaded for it stays
    sys.setswitchinterval(SWITCH_SECONDS)
    os.environ.setdefault("ESCDELAY", ESCAPE_DELAY)  # read by Textual when it is imported
    from ehrtui.commands.hangup import end_with_terminal
    from ehrtui.tui.app import EhrtuiApp

    def open_conversation() -> Conversation:
        # In the app's own thread for such work, so that the first frame does not wait for it.
        from ehrtui.conversation.opening import open_target

        engine = open_target(target, args.state, args.settings)
        try:
            app.show_tables(engine.schema())
            from ehrtui.conversation.start import start  # what takes longer to load than the tables to be read

            return start(
                target,
                now=args.now,
                profile=args.profile,
                planner=args.planner,
                threshold=args.threshold,
                state=args.state,
                save=not args.no_save,
                with_results=args.with_results,
                settings=args.settings,
                memory=args.memory,
                engine=engine,
            )
        except BaseException:
            engine.close()
            raise

    def resume(conversation: Conversation) -> SavedSession | None:
        from ehrtui.commands.resuming import session_to_resume

        if not args.resume and args.session is None:
            return None
        saved, notices = session_to_resume(args, conversation)
        conversation.notices = (*conversation.notices, *notices)
        return saved

    label, notices = name_of(target), first_of(args.settings.notices)
    app = EhrtuiApp(open_conversation, label=label, state=args.state, resume=resume, notices=notices)
    end_with_terminal(sys.stdin.fileno(), app.close_conversation)
    app.run()
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0  # Textual sets it where the screen broke down, too


def first_of(notices: tuple[str, ...]) -> tuple[str, ...]:
    """As many as leave room for the rest of the screen, and how to see the others."""
    if len(notices) <= MOST_NOTICES:
        return notices
    left = len(notices) - MOST_NOTICES
    return *notices[:MOST_NOTICES], f"… {left} more lines of the configuration file: `ehrtui config --check` tells all."


def _check_terminal() -> None:
    if "TEXTUAL_DRIVER" in os.environ:
        return  # a browser draws it
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "The explorer needs a terminal.",
            why="Its input or output is a file or a pipe.",
            next_step='Ask line by line: ehrtui repl DB; or one question: ehrtui ask DB "…"',
        )
    if os.environ.get("TERM", "") in ("", "dumb"):
        raise UsageError(
            "This terminal cannot show the explorer.",
            why="TERM says that it cannot place text on the screen.",
            next_step="Use another terminal, or ask line by line: ehrtui repl DB",
        )
