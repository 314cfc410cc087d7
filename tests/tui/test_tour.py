"""The tour is walked with the keys that it names, on a small screen and a large one; it waits, and can be left."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.tui.key_map import FILE
from ehrtui.tui.keys import KEYS
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.tour import STEPS, Press, Type, step_content
from ehrtui.tui.widgets.answer import AnswerPanel
from tests.tui.conftest import opened, press_at_once, seen, type_text, until


def title(at: int) -> str:
    return f"Tour, {at + 1} of {len(STEPS)} · {STEPS[at].title}."


async def do(pilot, explorer, part: Press | Type) -> None:
    """Press or type it, and wait as a person would until what it began can be seen."""
    if isinstance(part, Type):
        await type_text(pilot, part.text)
    else:
        await pilot.press(part.key)
    await until(pilot, lambda: pilot.app.screen is not explorer or not (explorer.desk.busy or explorer.workers))
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def test_it_has_ten_steps_and_names_keys_of_the_registry_in_their_order():
    assert len(STEPS) == 10
    known = {(key.place, each) for key in KEYS for each in key.keys.split(",")}
    for step in STEPS:
        assert step.text.count("{}") == len(step.parts)
        assert {(part.place, part.key) for part in step.parts if isinstance(part, Press)} <= known


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_it_leads_through_the_open_database_with_the_keys_that_it_names(make_app, size, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        explorer, line = app.screen, app.screen.query_one("#tour")
        assert "Alt+t leads you through it" in seen(app)
        await pilot.press("alt+t")
        for at, step in enumerate(STEPS[:-1]):
            await until(pilot, lambda at=at: title(at) in seen(app))
            panels = explorer.query_one("#main").region
            assert panels.bottom <= line.region.y  # it covers nothing
            assert line.region.bottom <= explorer.query_one("#prompt").region.y
            assert panels.height >= 12
            for part in step.parts:
                assert explorer.touring.at == at
                await do(pilot, explorer, part)
            await until(pilot, lambda at=at: explorer.touring.at == at + 1)
        await until(pilot, lambda: title(9) in seen(app))
        assert [turn.question for turn in explorer.desk.conversation.turns][2] == "A1 by gender"
        assert explorer.query_one(AnswerPanel).charted
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    assert app.return_code == 0


async def test_it_waits_for_the_user_and_a_step_can_be_skipped(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        touring = app.screen.touring
        await pilot.press("f6", "alt+t")
        assert app.screen.query_one("Prompt").has_focus_within
        await pilot.press("f4", "f6")
        touring.look()
        assert touring.at == 0
        for at in range(1, 10):
            await pilot.press("alt+t")
            assert touring.at == at
        await pilot.press("alt+t")
        assert touring.at is None
        assert "Tour, " not in seen(app)


@pytest.mark.parametrize("skipped", [0, 4, 9])
async def test_esc_ends_it_at_any_step_and_then_does_what_it_always_does(make_app, skipped):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("alt+t", *["alt+t"] * skipped, "f6")
        await until(pilot, lambda: title(skipped) in seen(app))
        await pilot.press("escape")
        await until(pilot, lambda: "Tour, " not in seen(app))
        assert not app.screen.query_one("Prompt").has_focus_within
        await pilot.press("escape")
        assert app.screen.query_one("Prompt").has_focus_within


async def test_keys_at_once_and_a_screen_that_is_too_small_leave_it_whole(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await press_at_once(pilot, "alt+t", "alt+t", "f1", "alt+t")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, Explorer))
        assert app.screen.touring.at == 1
        await pilot.resize_terminal(30, 8)
        await pilot.pause()
        assert "Tour" not in seen(app)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: title(1) in seen(app))


async def test_keys_of_the_users_own_are_named(make_app, tmp_path: Path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / FILE).write_text('[everywhere]\nf6 = "ctrl+x"\n"alt+t" = "alt+w"\n')
    app = make_app()
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        assert "Alt+w leads you through it" in seen(app)
        await pilot.press("alt+w", "alt+w")
        await until(pilot, lambda: "^X goes to the plan" in seen(app) and "Alt+w: skip the step" in seen(app))
    assert "F6 goes to the plan" in str(step_content(1, {}))
