"""Conversations with a scripted model on loopback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import consents_of, open_database
from ehrtui.conversation.language_model import database_name
from ehrtui.conversation.start import new_log
from ehrtui.planning.claude.approach import EHRAGENT, Approach
from ehrtui.privacy.egress import Sent
from ehrtui.privacy.pace import Clock
from ehrtui.session.events import Event
from ehrtui.settings import DEFAULTS
from tests.claude.server import MESSAGES, Model, Server, Way, serving
from tests.small_mimic import NOW

pytest.importorskip("anthropic")


@dataclass
class Scene:
    """A conversation, the server that it asks, and the events so far."""

    conversation: Conversation
    server: Server
    events: list[Event]
    sent: Callable[[], tuple[Sent, ...]]

    def of(self, kind: type[Event]) -> list[Event]:
        """The events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]


@dataclass
class StillClock:
    """A clock that goes on only where somebody waits for it, or lets it."""

    at: float = 0.0

    def now(self) -> float:
        return self.at

    def wait(self, until: float, stopped: threading.Event) -> None:
        self.at = max(self.at, until)


Talking: TypeAlias = Callable[..., AbstractContextManager[Scene]]


@pytest.fixture
def talking(mimic_path: Path, tmp_path: Path) -> Talking:
    """A conversation over the five-patient EHR with a model: `with talking(model) as scene`."""
    return lambda model, **options: conversation_with(model, mimic_path, tmp_path / "state", **options)


@contextmanager
def conversation_with(
    model: Model,
    path: Path,
    state: Path,
    *,
    planner: str = "claude",
    consent: bool = True,
    privacy: bool = True,
    budget: float | None = None,
    now: str | None = NOW,
    model_name: str = "claude-test",
    samples: int = 0,
    approach: Approach = EHRAGENT,
    clock: Clock | None = None,
    ways: Mapping[str, Way] = MESSAGES,
    **more: Any,
) -> Iterator[Scene]:
    """A saved conversation over the database at `path`, with a model on loopback."""
    clock = clock or StillClock()
    with serving(model, ways) as server:
        settings = replace(
            DEFAULTS,
            base_url=server.address,
            model=model_name,
            privacy=privacy,
            budget=budget,
            samples=samples,
            approach=approach,
            **more,
        )
        if consent:
            consents_of(state).give(database_name(str(path)), server.address.removeprefix("http://"), masked=privacy)
        database = open_database(
            str(path), now=now, profile=None, planner=planner, state=state, settings=settings, memory=True
        )
        assert database.language_model is not None
        database = replace(database, language_model=replace(database.language_model, clock=clock))
        assert database.language_model is not None
        events: list[Event] = []
        conversation = Conversation(
            database, threshold=0.5, log=new_log(database, state), release=database.close, repair=True
        )
        conversation.subscribe(events.append)
        log = database.language_model.log
        try:
            yield Scene(conversation, server, events, lambda: log.sent)
        finally:
            conversation.close()
