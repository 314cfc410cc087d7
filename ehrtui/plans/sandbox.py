"""The sandbox: plans run in a worker process of pydantic-monty, which can reach nothing but the tools.

No file, environment variable, socket, process or wall clock; limits on time, memory, recursion, output and tool calls.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ehrtui.errors import EhrtuiError
from ehrtui.plans.handles import Table
from ehrtui.plans.rewriting import PRELUDE

if TYPE_CHECKING:
    from pydantic_monty import Monty, MontyError, MontySession

_METHODS = frozenset(("rows", "size", "values", "members"))
_STANDARD_ERROR = 2
_GRACE = 0.5
"""Seconds behind its time that Python code has to end by itself, before its worker is ended."""
_starting = threading.Lock()


@dataclass(frozen=True)
class PlanLimits:
    """What one plan may use. `seconds` is the time of its Python code, without the queries; `total_seconds` the time
    with them; `rows` how many rows of a table may be handed to Python code."""

    seconds: float = 5.0
    total_seconds: float = 300.0
    memory: int = 256_000_000
    recursion: int = 200
    tool_calls: int = 10_000
    printed: int = 100_000
    rows: int = 100_000


def sandbox_error() -> type[MontyError]:
    """What the sandbox raises: asked for where something was raised, since to load it takes longer than most plans."""
    from pydantic_monty import MontyError

    return MontyError


class Sandbox:
    """A worker process, started when the first plan runs, replaced when it dies."""

    def __init__(self, limits: PlanLimits) -> None:
        self._limits = limits
        self._pool: Monty | None = None
        self._worker: int | None = None
        self._lock = threading.Lock()

    @contextmanager
    def session(self, now: str) -> Iterator[Session]:
        """A fresh interpreter whose clock stands at `now` ("YYYY-MM-DD HH:MM:SS")."""
        from pydantic_monty import MontyCrashedError

        try:
            session = self._opened(now)
        except MontyCrashedError:  # the worker died while it waited; the pool has replaced it
            session = self._opened(now)
        try:
            yield Session(session)
        finally:
            with self._lock:
                self._worker = None
            session.__exit__(None, None, None)

    def _opened(self, now: str) -> MontySession:
        from pydantic_monty import ClassType

        limits = self._limits
        session = self._started().checkout(
            limits={
                "max_feed_duration_secs": limits.seconds,
                "max_memory": limits.memory,
                "max_recursion_depth": limits.recursion,
                # a call costs up to two exchanges (the look-up of the tool's name is one); tables cost more
                "max_suspensions": 10 * limits.tool_calls,
            },
            os_policy={"datetime": datetime.fromisoformat(now), "sleep": "zero", "random_start": {"seed": 0}},
        )
        with _mute():  # a worker that died is replaced here
            session.__enter__()
        worker = session.worker_pid
        try:
            session.feed_run(PRELUDE, inputs={"_ehr_Table": ClassType(Table)})
        except BaseException:
            session.__exit__(None, None, None)
            raise
        with self._lock:
            self._worker = worker
        return session

    def kill(self) -> None:
        """Stop what runs now, at once, from any thread. The next session gets a new worker."""
        with self._lock:
            if self._worker is not None:
                os.kill(self._worker, getattr(signal, "SIGKILL", signal.SIGTERM))
                self._worker = None

    def close(self) -> None:
        """End the worker process."""
        if self._pool is not None:
            self._pool.__exit__(None, None, None)
            self._pool = None

    def _started(self) -> Monty:
        if self._pool is None:
            from pydantic_monty import Monty

            # it looks for this optional package at every tool call; where it is missing, that costs more than the call
            if importlib.util.find_spec("opentelemetry") is None:
                sys.modules.setdefault("opentelemetry", None)  # type: ignore[arg-type]
            with _mute():
                self._pool = Monty(max_processes=1, feed_duration_limit_grace=_GRACE).__enter__()
        return self._pool


@contextmanager
def _mute() -> Iterator[None]:
    """A worker that starts meanwhile gets no standard error: that may be the terminal that the explorer draws on, and
    what a worker says as it ends is said by ehrtui, in its own words."""
    with _starting:
        inherited = False
        with suppress(OSError):  # there may be none
            inherited = os.get_inheritable(_STANDARD_ERROR)
            os.set_inheritable(_STANDARD_ERROR, False)
        try:
            yield
        finally:
            if inherited:
                os.set_inheritable(_STANDARD_ERROR, True)


class Session:
    """One plan's interpreter: what a step defines, the next ones see."""

    def __init__(self, session: MontySession) -> None:
        self._session = session

    def run(self, source: str, tools: Mapping[str, Callable[..., Any]], printed: Callable[[str, str], None]) -> object:
        """Run a snippet that may call `tools`; the value of its last expression. Raises pydantic_monty's errors."""
        lookup = {name: _sendable(tool) for name, tool in tools.items()}
        return self._session.feed_run(source, external_lookup=lookup, print_callback=printed, os=_refuse)


def _sendable(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool, whose tables enter the sandbox as handles that offer their columns and rows, and nothing else, and
    whose errors enter it by what they say."""
    from pydantic_monty import ClassInstance

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            value = tool(*args, **kwargs)
        except EhrtuiError as error:
            raise ValueError(error.what) from error
        if isinstance(value, Table):
            return ClassInstance(value, eager_attrs=("columns",), allowed_methods=_METHODS)
        return value

    return call


def _refuse(*, name: str, **_: Any) -> Any:
    raise PermissionError(f"A plan cannot use {name}: it reaches the database through its tools, and nothing else.")
