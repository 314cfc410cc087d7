"""A database with all that it takes to talk about it: opened once, shared by any number of conversations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from ehrtui.cache import cache_directory
from ehrtui.conversation.opening import open_target
from ehrtui.conversation.today import today
from ehrtui.engines.address import without_credentials
from ehrtui.engines.engine import DataState, Engine
from ehrtui.errors import CalibrationError, UsageError
from ehrtui.memory.recall import Memory
from ehrtui.memory.store import CaseStore
from ehrtui.planning.later import LaterPlanner
from ehrtui.planning.proposal import Planner
from ehrtui.schema.detection import load_profile
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile
from ehrtui.session.log import state_directory
from ehrtui.settings import DEFAULTS, Settings
from ehrtui.trust.calibration import estimator_for
from ehrtui.trust.estimator import Estimator, shipped_estimator

if TYPE_CHECKING:
    from ehrtui.concepts.library import Library
    from ehrtui.concepts.store import KeptLibrary
    from ehrtui.conversation.consulting import Consultant
    from ehrtui.conversation.language_model import LanguageModel
    from ehrtui.plans.runner import PlanRunner
    from ehrtui.plans.tools import Tool
    from ehrtui.privacy.consent import Consents

PLANNERS = ("offline", "claude", "both")
"""`both`: the offline planner first, and a language model where that is not sure."""
_NOW = "%Y-%m-%d %H:%M:%S"


@dataclass(frozen=True)
class Database:
    """An open database. `now` is the database now, "YYYY-MM-DD HH:MM:SS"; `state` is that of the data when it was
    opened; `notices` are what the user should know about how it was opened, and how it would answer faster. `memory` is
    None where the planner goes without."""

    engine: Engine
    profile: Profile
    planner: Planner
    make_runner: Callable[[], PlanRunner]
    now: str
    estimator: Estimator
    state: DataState
    memory: Memory | None = None
    concepts: Path = Path("concepts.db")
    """The file of the user's own concepts."""
    library: Callable[[], Library] | None = None
    """All concepts, as they are now."""
    notices: tuple[str, ...] = ()
    disk_bytes: int = Settings.disk_bytes
    """What all results together may take on the disk, between turns."""
    language_model: LanguageModel | None = None
    """What plans where the offline planner does not; None where nothing may leave this machine."""
    target: str = ""
    """What was opened, as the user named it, without credentials."""
    least: int = Settings.least
    """Counts below it are hidden in what is exported."""
    leaving: Event = field(default_factory=Event)
    """Set when the database is closed: what makes the planner ready stops."""

    @cached_property
    def runner(self) -> PlanRunner:
        """What runs plans; it is made when it is first asked for."""
        return self.make_runner()

    def consultant(self) -> Consultant | None:
        """The language model for one more conversation."""
        return self.language_model.consultant(self.memory, self.planner) if self.language_model else None

    def close(self) -> None:
        """Close the sandbox and the engine, and remove every temporary file."""
        self.leaving.set()
        if "runner" in vars(self):
            self.runner.close()
        if self.language_model is not None:
            self.language_model.close()
        self.engine.close()


def open_database(
    target: str,
    *,
    now: str | None,
    profile: Path | None,
    planner: str,
    state: Path | None = None,
    settings: Settings = DEFAULTS,
    memory: bool = False,
    engine: Engine | None = None,
) -> Database:
    """Open `target` read-only, where `engine` has it not open already; tell its schema family and make the planner
    ready. What was prepared for it is looked for under `state`, or in the user's cache. Of the `settings`, the limits
    and the user's tools count. With `memory`, approved cases help the planner.

    Raises UsageError for a malformed `now`, a planner that is not there or tools that cannot be loaded, DatabaseError
    and ProfileError.
    """
    if now is not None:
        check_now(now)
    check_planner(planner)
    if planner != "offline":
        check_language_model(settings)
    own_tools = _own_tools(settings)
    engine = engine or open_target(target, state, settings)
    try:
        found = _found(engine, now, profile, state, memory)
        notices = _notices(found)
    except BaseException:
        engine.close()
        raise

    def make_runner() -> PlanRunner:
        from ehrtui.plans.runner import PlanRunner
        from ehrtui.plans.sandbox import PlanLimits  # with all tools: nothing runs yet

        plan_limits = PlanLimits(total_seconds=settings.turn_seconds)
        return PlanRunner(engine, now=found.now, limits=plan_limits, own_tools=own_tools)

    offline, model = LaterPlanner("offline", found.offline_planner), None
    if planner != "offline":
        model = _language_model(
            found, target, settings, lambda: opened.runner.tools, offline, always=planner == "claude"
        )
    opened = Database(
        engine,
        found.profile,
        offline,
        make_runner,
        found.now,
        found.estimator,
        engine.state(),
        memory=found.cases,
        concepts=concepts_path(state),
        library=lambda: found.library(),
        notices=notices,
        disk_bytes=settings.disk_bytes,
        language_model=model,
        target=without_credentials(target),
        least=settings.least,
        leaving=found.leaving,
    )
    return opened


@dataclass(frozen=True)
class _Found:
    """What an open database is found to be, and what is known for it: its schema family, the database now (`doubt` says
    why it may be another), how sure answers are (`broken` says what is wrong with the user's own figures for that) and
    approved cases. What was prepared and what the user keeps lies under `state`."""

    engine: Engine
    schema: Schema
    profile: Profile
    now: str
    doubt: str
    estimator: Estimator
    broken: str
    cases: Memory | None
    state: Path | None
    leaving: Event = field(default_factory=Event)

    @cached_property
    def library(self) -> KeptLibrary:
        """All concepts, which are read when they are first asked for."""
        from ehrtui.concepts.store import KeptLibrary

        return KeptLibrary(concepts_path(self.state), self.state, vocabulary_path(self.state))

    def offline_planner(self) -> Planner:
        """What reads questions. It takes a moment to load."""
        from ehrtui.concepts.meaning import Meanings
        from ehrtui.engines.names import kept_value_index
        from ehrtui.planning.mentioning import MentioningPlanner
        from ehrtui.planning.offline.offline_planner import OfflinePlanner
        from ehrtui.planning.recalling import RecallingPlanner

        cache = cache_directory("prepared", self.state)
        own = OfflinePlanner(
            schema=self.schema,
            profile=self.profile,
            now=self.now,
            read=self.engine.read,
            stored=partial(kept_value_index, self.engine, self.profile, cache, self.leaving.is_set),
            estimator=self.estimator,
            concepts=Meanings(self.library, self.profile),
            library=self.library,
        )
        return MentioningPlanner(RecallingPlanner(own, self.cases) if self.cases else own, own, self.cases)


def _found(engine: Engine, now: str | None, profile: Path | None, state: Path | None, memory: bool) -> _Found:
    schema = engine.schema()
    family = load_profile(schema, engine.read, profile)
    estimator, broken = _estimator(family, state)
    cases = Memory(CaseStore(memory_path(state)), family.name) if memory else None
    clock, doubt = (now, "") if now else today(engine, family, schema)
    return _Found(engine, schema, family, clock, doubt, estimator, broken, cases, state)


def _notices(found: _Found) -> tuple[str, ...]:
    """What the user should know before the first question."""
    from ehrtui.engines.estimate import advice

    unread = found.cases.trouble() if found.cases else ""
    return tuple(
        filter(None, (found.engine.notice, found.doubt, found.broken, unread, advice(found.engine, found.profile)))
    )


def _own_tools(settings: Settings) -> tuple[Tool, ...]:
    """The tools of the user's own. Raises UsageError."""
    if not settings.tools:
        return ()
    from ehrtui.plans.user_tools import load_tools

    return load_tools(settings.tools)


def _language_model(
    found: _Found,
    target: str,
    settings: Settings,
    tools: Callable[[], tuple[Tool, ...]],
    offline: Planner,
    *,
    always: bool,
) -> LanguageModel:
    from ehrtui.conversation.language_model import LanguageModel, database_name
    from ehrtui.privacy.egress import EgressLog

    return LanguageModel(
        target=database_name(target),
        engine=found.engine,
        profile=found.profile,
        tools=tools,
        settings=settings,
        always=always,
        consents=consents_of(found.state),
        log=EgressLog(),
        retrieve=offline.shortlists,
    )


def consents_of(state: Path | None) -> Consents:
    """The consents that were given, below `state` or in the user's directory for such files."""
    from ehrtui.privacy.consent import Consents

    return Consents(state_directory(state) / "consent.json")


def memory_path(state: Path | None) -> Path:
    """Where approved cases are kept: below `state`, or in the user's directory for such files."""
    return state_directory(state) / "memory.db"


def concepts_path(state: Path | None) -> Path:
    """Where the user's own concepts are kept: below `state`, or in the user's directory for such files."""
    return state_directory(state) / "concepts.db"


def vocabulary_path(state: Path | None) -> Path:
    """Where an imported vocabulary is kept: below `state`, or in the user's directory for such files."""
    return state_directory(state) / "vocabulary.db"


def _estimator(family: Profile, state: Path | None) -> tuple[Estimator, str]:
    """The estimator for the family, and what the user should know about it."""
    try:
        return estimator_for(state_directory(state) / "calibration", family.name), ""
    except CalibrationError as error:
        return shipped_estimator(), f"{error.what} {error.why} The shipped one is used."


def check_now(now: str) -> str:
    """`now` itself. Raises UsageError unless it is an instant as "YYYY-MM-DD HH:MM:SS"."""
    try:
        if datetime.strptime(now, _NOW).strftime(_NOW) == now:
            return now
    except ValueError:
        pass
    raise UsageError(
        f"{now[:40]!r} is not an instant.",
        why="The database now is written YYYY-MM-DD HH:MM:SS.",
        next_step='For example: --now "2105-12-31 23:59:00"',
    )


def check_planner(planner: str) -> None:
    """Raises UsageError unless there is such a planner."""
    if planner not in PLANNERS:
        raise UsageError(f"There is no planner {planner!r}.", next_step=f"Choose one of: {', '.join(PLANNERS)}.")


def check_language_model(settings: Settings) -> None:
    """Raises UsageError where privacy is off for a server that is not this machine."""
    from ehrtui.planning.claude.server import server_of
    from ehrtui.privacy.egress import is_loopback

    server = server_of(settings.base_url, settings.model, settings.api)
    if not settings.privacy and not settings.force_privacy_off and not is_loopback(server.address):
        raise UsageError(
            f"Privacy cannot be off for {server.host}.",
            why="Then names, identifiers and dates of patients in your questions would be sent to another machine.",
            next_step="Leave --privacy off out; or say --force-privacy-off as well, if you may send them there.",
        )
