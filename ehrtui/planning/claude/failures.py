"""What went wrong between ehrtui and a language model, in words that help."""

from __future__ import annotations

import re

from ehrtui.errors import EgressError, TooLongError, UnreadableRequestError

_TOO_LONG = re.compile(r"too long|context (?:length|size|window)|maximum context|exceeds? .*context", re.IGNORECASE)
_OFFLINE = "The offline planner goes on without it."


def not_installed() -> EgressError:
    """The SDK is missing."""
    return EgressError(
        "The planner claude needs the package anthropic, which is not installed.",
        why="It is an extra of ehrtui, since most do without it.",
        next_step="Install it with: pip install 'ehrtui[claude]'",
    )


def failure_of(error: Exception, host: str, model: str) -> EgressError:
    """The error of a request. The server's own words are left out: it is told what it is, not what it says."""
    status = getattr(error, "status_code", None)
    if isinstance(error, EgressError):
        return error
    if status in (401, 403):
        return EgressError(
            f"{host} does not accept the key.",
            why="It is wrong, has expired, or may not use this model.",
            next_step="Set ANTHROPIC_API_KEY to a valid key, or say --planner offline.",
        )
    if status == 404:
        return EgressError(
            f"{host} has no model {model}.", next_step="Choose another one with --model, or check --base-url."
        )
    if status == 413 or (status == 400 and _TOO_LONG.search(str(error))):
        return TooLongError(
            "The conversation is too long for the language model.",
            next_step="Start a new session, or say --planner offline.",
        )
    if status == 400:
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
        return EgressError(
            f"{host} cannot be reached.", why="There is no network, or no such server.", next_step=_OFFLINE
        )
    return EgressError(
        f"The answer of {host} cannot be understood.",
        why=f"It is not one of the Messages API ({type(error).__name__}).",
        next_step="Check --base-url.",
    )
