"""What went wrong between ehrtui and a language model, in words that help."""

from __future__ import annotations

import re

from ehrtui.errors import EgressError, TooLongError, UnreadableRequestError
from ehrtui.planning.claude.server import Server

_TOO_LONG = re.compile(r"too long|context (?:length|size|window)|maximum context|exceeds? .*context", re.IGNORECASE)
_TOOLS = re.compile(r"\btools?\b", re.IGNORECASE)
_OFFLINE = "The offline planner goes on without it."
_APIS = {"messages": "the Messages API", "chat": "chat completions"}


class Declined(Exception):
    """A server's answer with the status `status_code` of HTTP, and what it says: for nobody's eyes."""

    def __init__(self, status_code: int, text: str) -> None:
        super().__init__(text)
        self.status_code = status_code

    @property
    def is_about_tools(self) -> bool:
        """True where it cannot do with tools what was asked (llama.cpp says so as an error of its own, 500)."""
        return self.status_code >= 400 and bool(_TOOLS.search(str(self)))


def not_installed() -> EgressError:
    """The SDK is missing."""
    return EgressError(
        "The planner claude needs the package anthropic, which is not installed.",
        why="It is an extra of ehrtui, since most do without it.",
        next_step="Install it with: pip install 'ehrtui[claude]'",
    )


def silence(host: str) -> EgressError:
    """There is nobody at the host."""
    return EgressError(f"{host} cannot be reached.", why="There is no network, or no such server.", next_step=_OFFLINE)


def failure_of(error: Exception, server: Server) -> EgressError:
    """The error of a request. The server's own words are left out: it is told what it is, not what it says."""
    status, host = getattr(error, "status_code", None), server.host
    if isinstance(error, EgressError):
        return error
    if status in (401, 403):
        return EgressError(
            f"{host} does not accept the key.",
            why="It is wrong, has expired, or may not use this model.",
            next_step=f"Set {server.key_name} to a valid key, or say --planner offline.",
        )
    if status == 404:
        return EgressError(
            f"{host} has no model {server.model}.",
            why=f"Or it has no {_APIS[server.api].removeprefix('the ')}: ehrtui doctor says which ways it offers.",
            next_step="Choose another one with --model, or check --base-url and --api.",
        )
    if status == 413 or (status == 400 and _TOO_LONG.search(str(error))):
        return TooLongError(
            "The conversation is too long for the language model.",
            next_step="Start a new session, or say --planner offline.",
        )
    if status in (400, 422) or (isinstance(status, int) and status >= 500 and _TOOLS.search(str(error))):
        return UnreadableRequestError(
            f"{host} cannot read the request.", next_step="Choose another model with --model."
        )
    if status == 429:
        return EgressError(f"{host} asks to wait: too many requests.", next_step=f"Ask again later. {_OFFLINE}")
    if isinstance(status, int):
        return EgressError(f"{host} is overloaded or broken ({status}).", next_step=f"Ask again later. {_OFFLINE}")
    if "Timeout" in type(error).__name__:
        return EgressError(f"{host} does not answer in time.", next_step=f"Ask again later. {_OFFLINE}")
    if "Connect" in type(error).__name__:
        return silence(host)
    return EgressError(
        f"The answer of {host} cannot be understood.",
        why=f"It is not one of {_APIS[server.api]} ({type(error).__name__}).",
        next_step="Check --base-url and --api.",
    )
