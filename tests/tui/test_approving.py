"""Approving a turn in the explorer, and the case that helped as the panels show it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ehrtui.conversation.start import start
from ehrtui.tui.app import EhrtuiApp
from tests.small_mimic import NOW, chart_too
from tests.tui.conftest import ask, opened, seen, until


@pytest.fixture
def remembering(make_app: Callable[..., EhrtuiApp], mimic_path: Path, tmp_path: Path) -> EhrtuiApp:
    return make_app(lambda: start(str(mimic_path), now=NOW, state=tmp_path / "state", memory=True))


async def test_a_key_approves_the_turn_and_takes_it_back(remembering: EhrtuiApp) -> None:
    async with remembering.run_test(size=(160, 45), notifications=True) as pilot:
        await opened(pilot)
        await ask(pilot, "what was the last creatinine value of patient 101?")
        await pilot.press("f3", "a")
        await until(pilot, lambda: "★ what was" in seen(remembering) and "<lab>" in seen(remembering))
        remembering.clear_notifications()
        await ask(pilot, "what was the last potassium value of patient 102?")
        await pilot.press("f8")
        await until(pilot, lambda: "memory case 1: what was the <nth> <lab>" in seen(remembering))
        await pilot.press("f3", "up", "a")
        await until(pilot, lambda: "★" not in seen(remembering))
        await ask(pilot, "what was the last hemoglobin value of patient 103?")
        remembering.clear_notifications()
        await pilot.pause()
        assert "memory case" not in seen(remembering)


async def test_what_cannot_be_kept_is_explained(remembering: EhrtuiApp) -> None:
    async with remembering.run_test(size=(160, 45), notifications=True) as pilot:
        await opened(pilot)
        await ask(pilot, "SELECT count(*) FROM patients")
        await pilot.press("f3", "a")
        await until(pilot, lambda: "not a question in words" in seen(remembering))
        assert "★" not in seen(remembering)


VITAL = 'count patients with vital "potassium"'


@pytest.mark.parametrize("size", [(160, 45), (80, 24)])
async def test_a_reading_that_was_chosen_is_kept_and_taken_back(
    remembering: EhrtuiApp, mimic_path: Path, size: tuple[int, int]
) -> None:
    chart_too(mimic_path, "potassium")
    async with remembering.run_test(size=size, notifications=True) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients had potassium?")
        desk = remembering.screen.desk
        await pilot.press("f6", "ctrl+n")
        await until(pilot, lambda: "★ Questions" in seen(remembering))
        assert desk.turn().proposal.logic == VITAL
        assert "★ ✎ how many" in seen(remembering)
        await ask(pilot, "how many patients had potassium?")
        assert desk.turn().proposal.logic == VITAL
        assert desk.view().memory == "case 1: how many patients had <vital> (approved in session " + (
            f"{desk.conversation.path.stem})"
        )
        await pilot.press("f3", "up", "enter")
        await until(pilot, lambda: "★ Questions" in seen(remembering))
        await pilot.press("f3", "a")
        await until(pilot, lambda: "★ ✎" not in seen(remembering))
        await pilot.press("f4")
        assert "★ Questions" not in seen(remembering)
        assert desk.conversation.propose("how many patients had potassium?").proposal.case is None


async def test_a_reading_that_was_chosen_before_the_run_is_kept(remembering: EhrtuiApp, mimic_path: Path) -> None:
    chart_too(mimic_path, "potassium")
    async with remembering.run_test(size=(160, 45), notifications=True) as pilot:
        await opened(pilot)
        desk = remembering.screen.desk
        desk.auto_run = False
        remembering.screen.query_one("Prompt").put("how many patients had potassium?")
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft)
        await pilot.press("f6", "ctrl+n")
        await until(pilot, lambda: desk.draft.edits)
        assert "★ Questions" not in seen(remembering)
        await pilot.press("f5")
        await until(pilot, lambda: "★ Questions" in seen(remembering))
        assert desk.conversation.propose("how many patients had potassium?").proposal.logic == VITAL
