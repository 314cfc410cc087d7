"""`ehrtui doctor`: whether a language model can be asked, and what is missing. Nothing of a database is sent."""

from __future__ import annotations

import argparse

from ehrtui.conversation.language_model import what_is_missing
from ehrtui.errors import EgressError, UnreadableRequestError
from ehrtui.planning.claude.answers import read_answer
from ehrtui.planning.claude.model import Model, server_of
from ehrtui.planning.claude.prompts import SEARCH
from ehrtui.planning.claude.spending import Spending
from ehrtui.privacy.egress import EgressLog
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.request import Fixed, Message, build

_GREETING = Fixed("Write one sentence that says that you are ready.")
_ORDER = Fixed("Call the tool search with the text aspirin. Write nothing else.")
_PLAN = Fixed(
    "Write the SQL query SELECT 1 in one block that begins with ```sql and ends with ```. Write nothing else."
)


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
        tools = _calls_tools(model)
        keeps = read_answer(model.ask(_request(_PLAN), why="a check").text).plan != ""
    except EgressError as error:
        return _missing("model", error)
    print(f"tools       {'are called' if tools else 'are not called: names are looked up for it beforehand'}")
    print(f"plans       {'are written as asked' if keeps else '✗ are not written as asked: try --strategy logic'}")
    return 0 if keeps else 1


def _calls_tools(model: Model) -> bool:
    """True where the server takes tools and the model calls one; neither is needed."""
    try:
        uses = model.ask(_request(_ORDER), why="a check", tools=(SEARCH,)).uses
    except UnreadableRequestError:
        return False
    return any(use.name == SEARCH["name"] and use.arguments for use in uses)


def _request(part: Fixed) -> dict[str, object]:
    return build((Fixed("This is a check."),), (Message("user", (part,)),), None)


def _missing(what: str, error: EgressError) -> int:
    print(f"{what:<11} ✗ {' '.join(filter(None, (error.what, error.why, error.next_step)))}")
    return 1
