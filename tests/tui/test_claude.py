"""The explorer with a language model: what it writes is seen while it writes, Esc stops it, what left is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import consents_of
from ehrtui.conversation.language_model import database_name
from ehrtui.conversation.start import start
from ehrtui.settings import DEFAULTS
from ehrtui.tui.app import EhrtuiApp
from ehrtui.tui.widgets.answer import AnswerPanel
from tests.claude import models
from tests.claude.server import Model, Server, Stalled, in_turn, serving
from tests.small_mimic import NOW
from tests.tui.conftest import ask, opened, seen, until

pytest.importorskip("anthropic")

WIDE = (160, 45)


@contextmanager
def asking(
    model: Model, path: Path, state: Path, *, consent: bool = True
) -> Iterator[tuple[Server, Callable[[], Conversation]]]:
    """A server with a model, and what opens a conversation that asks it."""
    with serving(model) as server:
        if consent:
            consents_of(state).give(database_name(str(path)), server.address.removeprefix("http://"))
        settings = replace(DEFAULTS, base_url=server.address, samples=0)
        yield server, lambda: start(str(path), now=NOW, state=state, planner="claude", settings=settings)


async def test_a_plan_of_the_model_is_run_and_what_left_is_in_the_first_line(
    make_app: Callable[..., EhrtuiApp], mimic_path: Path, tmp_path: Path
) -> None:
    with asking(models.good, mimic_path, tmp_path / "state") as (server, opening):
        app = make_app(opening)
        async with app.run_test(size=WIDE) as pilot:
            await opened(pilot)
            assert "egress 0 B" in seen(app)
            await ask(pilot, "how many times was patient 101 admitted?")
            left = f"claude · A1 by claude · $0.0037 · egress {len(server.bodies[0]):,} B"
            await until(pilot, lambda: left in seen(app))
            await until(pilot, lambda: "by claude" in seen(app))
            await pilot.press("ctrl+e")
            await until(pilot, lambda: "What left this machine" in seen(app))
            assert "the plan of a question" in seen(app)
            spent = app.screen.query_one("VerticalScroll").border_subtitle
            assert str(spent).startswith(f"1,050 tokens · $0.0037 · {len(server.bodies[0]):,} B left this machine")
            assert "<PATIENT_1>" in str(app.screen.query_one("Static").visual)
            await pilot.press("escape")


@pytest.mark.parametrize("key", ["", "a-key"])
async def test_without_a_key_the_first_screen_says_what_a_model_would_add(
    make_app: Callable[..., EhrtuiApp], mimic_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    app = make_app(lambda: start(str(mimic_path), now=NOW, state=tmp_path / "state", planner="both"))
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "Ask a question in your own words" in seen(app))
        await until(pilot, lambda: ("ehrtui doctor says how to try it" in seen(app)) is not bool(key))


async def test_without_a_language_model_nothing_has_left(make_app: Callable[..., EhrtuiApp]) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+e")
        await until(pilot, lambda: "Nothing has left this machine." in seen(app))
        assert "egress 0 B" in seen(app)
        assert "ehrtui doctor says how to try it" not in seen(app)  # the egress stands before it
        await pilot.press("escape")
        await until(pilot, lambda: "ehrtui doctor says how to try it" in seen(app))


async def test_esc_stops_the_model_and_its_words_were_seen(
    make_app: Callable[..., EhrtuiApp], mimic_path: Path, tmp_path: Path
) -> None:
    model = in_turn(Stalled("Knowledge: admissions counts."))
    with asking(model, mimic_path, tmp_path / "state") as (_, opening):
        app = make_app(opening)
        async with app.run_test(size=WIDE) as pilot:
            await opened(pilot)
            app.screen.query_one("Prompt").put("how many patients are there?")
            await pilot.press("enter")
            await until(pilot, lambda: "Knowledge: admissions counts." in seen(app))
            assert app.screen.query_one(AnswerPanel).border_title == "Claude writes"
            assert "asking claude" in seen(app)
            await pilot.press("escape")
            await until(pilot, lambda: not app.screen.desk.busy)
            assert app.screen.desk.conversation.turns == ()
            await pilot.press("escape")


@pytest.mark.parametrize(("key", "planner"), [("y", "claude"), ("escape", "offline")])
async def test_the_first_request_is_seen_before_it_is_sent(
    make_app: Callable[..., EhrtuiApp], mimic_path: Path, tmp_path: Path, key: str, planner: str
) -> None:
    question = "how many times was patient 101 admitted?"
    with asking(models.good, mimic_path, tmp_path / "state", consent=False) as (server, opening):
        app = make_app(opening)
        async with app.run_test(size=WIDE) as pilot:
            await opened(pilot)
            app.screen.query_one("Prompt").put(question)
            await pilot.press("enter")
            await until(pilot, lambda: "Send questions about this database to 127.0.0.1" in seen(app))
            shown = str(app.screen.query_one("Static").visual)
            assert "how many times was patient <PATIENT_1> admitted?" in shown
            assert "What is never sent: results" in shown
            assert server.bodies == []
            await pilot.press(key)
            await until(pilot, lambda: app.screen.desk.conversation.turns or app.screen.desk.draft)
            await until(pilot, lambda: not app.screen.desk.busy)
            assert (len(server.bodies) > 0) is (planner == "claude")
            desk = app.screen.desk
            made = desk.conversation.turns[0].proposal if desk.conversation.turns else desk.draft.proposal
            assert made.planner == planner
