"""`ehrtui doctor`: whether a language model can be asked, and what is missing. Nothing of a database is sent."""

from __future__ import annotations

import argparse

from ehrtui.conversation.language_model import what_is_missing
from ehrtui.errors import EgressError
from ehrtui.planning.claude.model import Model, server_of
from ehrtui.planning.claude.prompts import LEVEL, SEARCH
from ehrtui.planning.claude.spending import Spending
from ehrtui.privacy.egress import EgressLog
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.request import Fixed, Message, build

_GREETING = Fixed("Write one sentence that says that you are ready.")
_ORDER_LEVEL = Fixed("Call the tool level with 4.")
_ORDER = Fixed("Call the tool search with the text aspirin. Write nothing else.")


def run(args: argparse.Namespace) -> int:
    """Check one thing after the other, and end at the first without which the others make no sense; 0 or 1."""
    server = server_of(args.settings.base_url, args.settings.model)
    print(f"server      {server.host}, model {server.model}")
    if (missing := what_is_missing(server)) is not None:
        return _missing("missing", missing)
    print("package     anthropic is installed")
    print(f"key         {'is set' if server.key else 'none; a server of your own may need none'}")
    model = Model(server, EgressLog(), Spending(server.model), Pace(0))
    pieces: list[str] = []
    try:
        reply = model.ask(_request(_GREETING), why="a check", said=pieces.append)
        print(f"model       answers, {model.spending.usage.tokens:,} tokens")
        streams = len(pieces) > 1 or len(reply.text) < 2
        print(f"streaming   {'arrives in pieces' if streams else 'arrives in one piece: plans show late'}")
        uses = model.ask(_request(_ORDER), why="a check", tools=(SEARCH,)).uses
    except EgressError as error:
        return _missing("model", error)
    if not any(use.name == SEARCH["name"] and use.arguments for use in uses):
        return _missing("tools", EgressError("It calls no tools.", next_step="Choose a model that can, with --model."))
    print("tools       are called")
    forced = {**_request(_ORDER_LEVEL), "tool_choice": {"type": "tool", "name": LEVEL["name"]}}
    try:
        uses = model.ask(forced, why="a check", tools=(LEVEL,)).uses
    except EgressError:
        uses = ()
    keeps = any(use.name == LEVEL["name"] and type(use.arguments.get("level")) is int for use in uses)
    print(f"structure   {'is kept' if keeps else '✗ is not kept: say --samples 0, or choose another model'}")
    return 0 if keeps else 1


def _request(part: Fixed) -> dict[str, object]:
    return build((Fixed("This is a check."),), (Message("user", (part,)),), None)


def _missing(what: str, error: EgressError) -> int:
    print(f"{what:<11} ✗ {' '.join(filter(None, (error.what, error.why, error.next_step)))}")
    return 1
