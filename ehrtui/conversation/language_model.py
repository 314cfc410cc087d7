"""A language model for a database: what it may know of it, what is hidden from it, and the user's consent."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ehrtui.concepts.retrieval import Shortlist
from ehrtui.conversation.consulting import Consultant
from ehrtui.conversation.rehearsal import Rehearsal
from ehrtui.engines.address import without_credentials
from ehrtui.engines.engine import Engine
from ehrtui.errors import EgressError
from ehrtui.memory.recall import Memory
from ehrtui.planning.claude.catalogue import Catalogue
from ehrtui.planning.claude.claude_planner import ClaudePlanner
from ehrtui.planning.claude.failures import not_installed
from ehrtui.planning.claude.knowledge import Vocabularies, knowledge, tables, vocabularies
from ehrtui.planning.claude.model import Model
from ehrtui.planning.claude.prompts import DESCRIBE, SEARCH, demonstrations, examples_of, task, worked_example
from ehrtui.planning.claude.searching import found, told_of
from ehrtui.planning.claude.server import DEFAULT_ADDRESS, Server, server_of
from ehrtui.planning.claude.spending import Spending
from ehrtui.planning.proposal import Planner
from ehrtui.plans.tools import Tool
from ehrtui.privacy.bounds import Bounds
from ehrtui.privacy.consent import Consents, Request
from ehrtui.privacy.egress import EgressLog
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.pace import MACHINE, Clock, Pace
from ehrtui.privacy.placeholders import Placeholders
from ehrtui.privacy.request import Fixed, Part, ToolUse
from ehrtui.privacy.stored import StoredTexts
from ehrtui.privacy.vocabulary import Speakable, speakable
from ehrtui.schema.profile import Profile
from ehrtui.session.turn import Spent
from ehrtui.settings import Settings


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """The model that `settings` name, for the database at `target`. It is asked `always`, or only where the offline
    planner is not sure. `consents` are those that the user has given; `retrieve` gives what the names in a text may
    mean; the `clock` says when a request may leave, and `model` makes what asks the server."""

    target: str
    engine: Engine
    profile: Profile
    tools: Callable[[], tuple[Tool, ...]]
    settings: Settings
    always: bool
    consents: Consents
    log: EgressLog
    retrieve: Callable[[str], Sequence[Shortlist]]
    clock: Clock = MACHINE
    model: Callable[[Server, EgressLog, Spending, Pace], Model] = Model

    def consultant(self, memory: Memory | None, offline: Planner) -> Consultant:
        """The model for one conversation, with placeholders of its own, beside the `offline` planner."""
        mask = None
        if self.settings.privacy:
            mask = Mask(self.speakable, self.stored, Placeholders())
        return Consultant(
            self.planner,
            always=self.always,
            mask=mask,
            memory=memory,
            samples=self.settings.samples,
            bounds=Bounds(self.settings.requests, self.settings.session_requests),
            offline=offline,
            retrieve=self.retrieve,
            rehearsal=lambda: self.rehearsal,
            catalogue=lambda: self.catalogue,
            profile=self.profile,
        )

    @cached_property
    def rehearsal(self) -> Rehearsal | None:
        """A place to rehearse plans in; none where their SQL is not what SQLite reads."""
        return Rehearsal(self.engine.schema, self.tools()) if self.engine.dialect == "sqlite" else None

    def close(self) -> None:
        """End what was started for it."""
        if "rehearsal" in self.__dict__ and self.rehearsal is not None:
            self.rehearsal.close()

    @cached_property
    def planner(self) -> ClaudePlanner:
        """The planner that asks it; it imports the SDK with its first request."""
        server = server_of(self.settings.base_url, self.settings.model, self.settings.api)
        pace = Pace(self.settings.grid_seconds if self.settings.privacy else 0, self.clock)
        model = self.model(server, self.log, Spending(server.model, self.settings.budget), pace)
        return ClaudePlanner(
            model,
            system=self.system,
            tables=len(self.engine.schema().tables),
            look_up=self.look_up,
            allowed=lambda body: self.check(model, body),
            approach=self.settings.approach,
        )

    @cached_property
    def system(self) -> str:
        """What the model is told of its task, of the tools and of the database: the same for every question."""
        approach, schema, dialect = self.settings.approach, self.engine.schema(), self.engine.dialect
        parts = [task(approach, dialect, tuple(examples_of(self.profile)) if approach.has("logic") else ())]
        parts.append(tables(schema, self.profile, dialect, self.vocabularies))
        if approach.has("knowledge"):
            parts.append(knowledge(schema, self.profile))
        if approach.strategy not in ("text-to-sql", "logic"):
            parts.append("Tools of a python block:\n" + "\n".join(f"- {one.signature}" for one in self.tools()))
        if approach.strategy != "logic" and (example := worked_example(self.profile, logic=approach.has("logic"))):
            parts.append(example)
        if "demonstrations" in approach.extras and (shown := demonstrations(self.profile)):
            parts.append(shown)
        return "\n\n".join(parts)

    def look_up(self, use: ToolUse) -> Part:
        """What a call of one of the model's tools finds."""
        if use.name == SEARCH["name"]:
            return found(use, self.catalogue, self.retrieve)
        if use.name == DESCRIBE["name"]:
            return told_of(use, self.engine.schema(), self.vocabularies)
        return Fixed("There is no such tool.")

    @cached_property
    def vocabularies(self) -> Vocabularies:
        """The values of shareable columns, where they are few."""
        return vocabularies(self.engine.schema(), self.profile, self.engine.read)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The stored names that may be said."""
        return Catalogue(self.engine.schema(), self.profile, self.engine.read, self.speakable)

    @cached_property
    def speakable(self) -> Speakable:
        """What may be said of the database; its shareable values are read once."""
        names = [tool.name for tool in self.tools()]
        return speakable(self.engine.schema(), self.profile, self.engine.read, names)

    @cached_property
    def stored(self) -> StoredTexts:
        """What the database stores elsewhere."""
        return StoredTexts(self.engine.schema(), self.profile, self.engine.read)

    @property
    def missing(self) -> EgressError | None:
        """Why it cannot be asked, as far as this machine knows; None where it can."""
        return what_is_missing(server_of(self.settings.base_url, self.settings.model, self.settings.api))

    @property
    def spent(self) -> Spent:
        """What all conversations have cost so far; at no cost itself where nothing was asked yet."""
        if not self.log.bytes:
            return Spent(0, None, 0)
        spending = self.planner.model.spending
        return Spent(spending.usage.tokens, spending.cost(), self.log.bytes)

    def check(self, model: Model, body: dict[str, Any]) -> None:
        """Raises EgressError where a request (its JSON values) may not be sent: without a key, or without consent.
        Where somebody can be asked for consent, they see the request."""
        if not model.is_asked:
            return
        if (missing := what_is_missing(model.server)) is not None:
            raise missing
        host, masked = model.server.host, self.settings.privacy
        if self.consents.given(self.target, host, masked=masked):
            return
        if not self.consents.ask(Request(host, masked, body)):
            raise EgressError(
                f"Nothing was sent to {model.server.host}: you have not consented to it for this database.",
                next_step="Say --consent once.",
            )
        self.consents.give(self.target, host, masked=masked)


def what_is_missing(server: Server) -> EgressError | None:
    """Why nothing can be asked of a server, as far as this machine knows: without the package, a server or a key."""
    if server.api == "messages" and importlib.util.find_spec("anthropic") is None:
        return not_installed()
    if not server.address:
        return EgressError(
            "There is no server for the language model.", next_step="Name one with --base-url, or set OPENAI_BASE_URL."
        )
    if server.address == DEFAULT_ADDRESS and not server.key:
        return EgressError(
            "There is no key for the language model.",
            next_step="Set ANTHROPIC_API_KEY, or name a server of your own with --base-url.",
        )
    return None


def database_name(target: str) -> str:
    """What consent is kept for: the resolved path of a file, or an address without credentials."""
    return without_credentials(target) if "://" in target else str(Path(target).resolve())
