"""Which saved session a command goes on with, or which name a new one has."""

from __future__ import annotations

import argparse
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ehrtui.errors import SessionError
from ehrtui.session.naming import checked_name, is_id_or_file
from ehrtui.session.replay import other_database
from ehrtui.session.saved import (
    SavedSession,
    find_session,
    is_session,
    last_session,
    read_session,
    saved_sessions,
)

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation


def session_to_resume(
    args: argparse.Namespace, conversation: Conversation
) -> tuple[SavedSession | None, tuple[str, ...]]:
    """The session that `--session` names, or, with `--resume`, the last one of the database; None where neither was
    said, or where no session has that name, which the `conversation` is then called by. With it, what the user should
    know of it. Raises SessionError where there is none."""
    engine = conversation.engine
    if args.session is not None and (is_id_or_file(args.session) or is_session(args.session, args.state)):
        saved = read_session(find_session(args.session, args.state))
        other = other_database(saved, engine)
        return saved, (f"{other} Its turns run over this one.",) if other else ()
    if args.session is not None:
        conversation.name.give(checked_name(args.session))
        return None, (_begun(conversation.name.text, args),)
    if not args.resume:
        return None, ()
    last = last_session(engine.fingerprint(), args.state)
    if last is None:
        raise SessionError(
            "There is no saved session of this database.",
            why="Sessions are known by what their database holds; one that was changed since is another.",
            next_step="Begin without --resume, or name one with --session: `ehrtui sessions` lists them.",
        )
    return last, ()


def _begun(name: str, args: argparse.Namespace) -> str:
    """That a session begins which is called so; the names that are like it, since it may have been mistyped."""
    names = {one.name for one in saved_sessions(args.state) if isinstance(one, SavedSession) and one.name}
    near = get_close_matches(name, sorted(names), 3)
    like = f" Others are called {', '.join(near)}." if near else ""
    return f"A new session begins, called {name}: it is saved with its first turn.{like}"
