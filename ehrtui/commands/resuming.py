"""Which saved session a command goes on with."""

from __future__ import annotations

import argparse

from ehrtui.engines.engine import Engine
from ehrtui.errors import SessionError
from ehrtui.session.saved import SavedSession, find_session, last_session, read_session


def session_to_resume(args: argparse.Namespace, engine: Engine) -> SavedSession | None:
    """The session that `--session` names, or, with `--resume`, the last one of the database of `engine`; None where
    neither was said. Raises SessionError where there is none."""
    if args.session:
        return read_session(find_session(args.session, args.state))
    if not args.resume:
        return None
    saved = last_session(engine.fingerprint(), args.state)
    if saved is None:
        raise SessionError(
            "There is no saved session of this database.",
            why="Sessions are known by what their database holds; one that was changed since is another.",
            next_step="Begin without --resume, or name one with --session: `ehrtui sessions` lists them.",
        )
    return saved
