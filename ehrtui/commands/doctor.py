"""`ehrtui doctor`: whether a language model can be asked, in which ways, and what is missing. Nothing of a database is
sent."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

from ehrtui.conversation.language_model import what_is_missing
from ehrtui.errors import EgressError, UnreadableRequestError
from ehrtui.planning.claude.answers import read_answer
from ehrtui.planning.claude.model import Model
from ehrtui.planning.claude.prompts import SEARCH
from ehrtui.planning.claude.server import APIS, Api, Server, server_of
from ehrtui.planning.claude.spending import Spending
from ehrtui.privacy.egress import EgressLog, is_loopback
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.request import Fixed, Message, build

_GREETING = Fixed("Write one sentence that says that you are ready.")
_ORDER = Fixed("Call the tool search with the text aspirin. Write nothing else.")
_PLAN = Fixed(
    "Write the SQL query SELECT 1 in one block that begins with ```sql and ends with ```. Write nothing else."
)
_NAMES: dict[Api, str] = {"messages": "Messages API", "chat": "chat completions"}


@dataclass(frozen=True)
class _Way:
    """What a server offers by one API: whether answers arrive in pieces, whether tools are called, and whether plans
    are written as asked."""

    streams: bool
    tools: bool
    plans: bool


def run(args: argparse.Namespace) -> int:
    """Check the way that the settings name, and on this machine the other one too; 0 where the former will do, or 1."""
    settings = args.settings
    server = server_of(settings.base_url, settings.model, settings.api)
    print(f"server      {server.host or 'none'}, model {server.model}")
    ways = APIS if is_loopback(server.address) else (server.api,)
    fine = [_checked(replace(server, api=api)) for api in ways]
    if any(fine) and not fine[ways.index(server.api)]:
        print(f"advice      say --api {ways[fine.index(True)]}")
    return 0 if fine[ways.index(server.api)] else 1


def _checked(server: Server) -> bool:
    """Say what one way offers; False where no plan can be had by it."""
    print(f"\n{_NAMES[server.api]} (--api {server.api})")
    if (missing := what_is_missing(server)) is not None:
        return _is_missing("missing", missing)
    print(f"key         {'is set' if server.key else 'none; a server of your own may need none'}")
    try:
        way = _probed(server)
    except EgressError as error:
        return _is_missing("model", error)
    print(f"streaming   {'arrives in pieces' if way.streams else 'arrives in one piece: plans show late'}")
    print(f"tools       {'are called' if way.tools else 'are not called: names are searched in the text instead'}")
    print(f"plans       {'are written as asked' if way.plans else '✗ are not written as asked: try --strategy logic'}")
    return way.plans


def _probed(server: Server) -> _Way:
    """What a server offers by its API. Raises EgressError where it answers nothing."""
    model = Model(server, EgressLog(), Spending(server.model), Pace(0))
    pieces: list[str] = []
    reply = model.ask(_request(_GREETING), why="a check", said=pieces.append)
    print(f"model       answers, {model.spending.usage.tokens:,} tokens")
    streams = len(pieces) > 1 or len(reply.text) < 2
    return _Way(streams, _calls_tools(model), read_answer(model.ask(_request(_PLAN), why="a check").text).plan != "")


def _calls_tools(model: Model) -> bool:
    """True where the server takes tools and the model calls one; neither is needed."""
    try:
        uses = model.ask(_request(_ORDER), why="a check", tools=(SEARCH,)).uses
    except UnreadableRequestError:
        return False
    return any(use.name == SEARCH["name"] and use.arguments for use in uses)


def _request(part: Fixed) -> dict[str, object]:
    return build((Fixed("This is a check."),), (Message("user", (part,)),), None)


def _is_missing(what: str, error: EgressError) -> bool:
    print(f"{what:<11} ✗ {' '.join(filter(None, (error.what, error.why, error.next_step)))}")
    return False
