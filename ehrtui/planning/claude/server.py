"""Where a language model is, and which API it is asked by."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from ehrtui.privacy.egress import is_loopback

Api: TypeAlias = Literal["messages", "chat"]
APIS: tuple[Api, ...] = get_args(Api)
"""Anthropic's Messages API (/v1/messages), and OpenAI's chat completions (/v1/chat/completions)."""
DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_ADDRESS = "https://api.anthropic.com"
_MAKERS: dict[Api, str] = {"messages": "ANTHROPIC", "chat": "OPENAI"}
_SECONDS = 120.0
_SECONDS_HERE = 600.0
"""A model on this machine may take minutes to read what a database is."""


@dataclass(frozen=True)
class Server:
    """Where the model is: its `address` (base URL, "" for none), the `model`'s name, and the `key` ("" where none is
    needed). `seconds` is the longest silence, `retries` how often a busy server is asked again."""

    address: str = DEFAULT_ADDRESS
    model: str = DEFAULT_MODEL
    key: str = field(default="", repr=False)
    seconds: float = _SECONDS
    retries: int = 2
    api: Api = "messages"

    @property
    def host(self) -> str:
        """The host's name, with its port where one is given."""
        return urlsplit(self.address).netloc.rpartition("@")[2]

    @property
    def key_name(self) -> str:
        """The variable of the environment that its key stands in."""
        return f"{_MAKERS[self.api]}_API_KEY"


def server_of(address: str | None, model: str | None, api: Api = "messages") -> Server:
    """The server that options name, or else the environment: ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY, or for chat
    completions OPENAI_BASE_URL and OPENAI_API_KEY."""
    maker = _MAKERS[api]
    address = address or os.environ.get(f"{maker}_BASE_URL") or (DEFAULT_ADDRESS if api == "messages" else "")
    return Server(
        address=address,
        model=model or DEFAULT_MODEL,
        key=os.environ.get(f"{maker}_API_KEY", ""),
        seconds=_SECONDS_HERE if is_loopback(address) else _SECONDS,
        api=api,
    )
