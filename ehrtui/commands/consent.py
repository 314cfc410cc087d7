"""Consent to a language model: asked once for each database and server, before anything is sent."""

from __future__ import annotations

import argparse
import sys

from ehrtui.conversation.database import check_language_model, consents_of
from ehrtui.conversation.language_model import database_name, what_is_missing
from ehrtui.errors import UsageError
from ehrtui.planning.claude.server import server_of
from ehrtui.privacy.consent import AS_IT_IS, MASKED


def settle_consent(target: str, args: argparse.Namespace) -> None:
    """Give the consent that `--consent` says, or ask for it where a language model may be asked, nobody has consented
    yet for the database at `target`, and there is somebody to ask. Raises UsageError where there is not."""
    if args.planner not in ("claude", "both") or getattr(args, "transcript", None) is not None:
        return  # nothing will be sent
    settings, consents = args.settings, consents_of(args.state)
    server, name = server_of(settings.base_url, settings.model, settings.api), database_name(target)
    check_language_model(settings)
    if what_is_missing(server) is not None:
        return  # nothing will be sent, and the turn says why
    host = server.host
    masked = settings.privacy
    if consents.given(name, host, masked=masked):
        return
    print(f"Questions about this database will be sent to {host}.", file=sys.stderr)
    print(MASKED if masked else AS_IT_IS, file=sys.stderr)
    if not args.consent:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise UsageError(
                f"You have not consented to questions about this database being sent to {host}.",
                next_step="Say --consent once, or --planner offline.",
            )
        print("Do you consent? It is asked once for this database. [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise UsageError("Nothing was sent.", next_step="Say --planner offline, or consent.")
    try:
        consents.give(name, host, masked=masked)
    except OSError as error:
        raise UsageError("The consent cannot be kept.", why=error.strerror or "", next_step="Check --state.") from error
