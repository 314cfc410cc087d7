"""The command palette: in people's words, what would do something now, the panel that has the focus first."""

from __future__ import annotations

from textual.command import CommandList, CommandPalette

from ehrtui.tui.keys import KEYS
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.screens.finder import Finder
from ehrtui.tui.screens.help import Help
from tests.tui.conftest import ask, opened, seen, type_text, until


async def offered(pilot, typed: str = "") -> list[str]:
    """What the palette lists, from the panels; and close it again."""
    app = pilot.app
    explorer = app.screen
    await pilot.press("ctrl+p")
    await until(pilot, lambda: isinstance(app.screen, CommandPalette))
    commands = app.screen.query_one(CommandList)
    await until(pilot, lambda: commands.option_count)
    if typed:
        before = commands.get_option_at_index(0).hit.text, commands.option_count
        await type_text(pilot, typed)
        await until(pilot, lambda: (commands.get_option_at_index(0).hit.text, commands.option_count) != before)
    await app.workers.wait_for_complete()
    listed = [f"{option.hit.text} ({option.hit.help})" for option in commands.options]
    await pilot.press("escape")
    await until(pilot, lambda: app.screen is explorer)
    return listed


def has(listed: list[str], words: str) -> bool:
    return any(line.startswith(words) for line in listed)


async def test_keys_and_places_are_named_as_people_name_them(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id, gender from patients")
        await pilot.press("f4")
        listed = await offered(pilot)
    assert "Show only rows with the value under the cursor (Answer rows · =)" in listed
    assert "Run the shown turn again, changed or not, in its own place (Everywhere · F12)" in listed
    assert "Choose a colour theme (Everywhere · ^T)" in listed
    assert "Say that the answer is right, and why; again: take it back (Conversation · + or =)" in listed
    internal = {each for key in KEYS for each in key.keys.split(",") if "_" in each or "+" in each}
    assert not [line for line in listed for name in internal if name in line]


async def test_what_has_the_focus_comes_first_then_what_works_everywhere(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id, gender from patients")
        for panel, place in (("f3", "Conversation"), ("f4", "Answer"), ("escape", "Prompt"), ("f6", "Plan")):
            await pilot.press(panel)
            places = [line.rpartition(" (")[2].partition(" · ")[0] for line in await offered(pilot)]
            first = dict.fromkeys(places)
            assert next(iter(first)) == place
            last_here = max(at for at, each in enumerate(places) if each == place)
            assert "Everywhere" not in places[:last_here]
            assert list(first).index("Everywhere") <= 2


async def test_a_command_that_would_do_nothing_is_not_offered(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        listed = await offered(pilot)
        assert not has(listed, "Run the")
        assert not has(listed, "Sort by the column")
        assert not has(listed, "Move the border")
        await ask(pilot, "select 7")
        listed = await offered(pilot)
        assert not has(listed, "Show the rows as a chart")
        assert not has(listed, "Sort by the column")
        assert not has(listed, "Go on with the last session")
        assert has(listed, "Run the shown turn again")
        await ask(pilot, "what are the top 3 diagnoses?")
        await pilot.press("f4")
        await until(pilot, lambda: "p chart" in seen(app))
        listed = await offered(pilot)
        assert has(listed, "Show the rows as a chart")
        assert has(listed, "Sort by the column")


async def test_theme_finds_the_themes_first_and_enter_wears_one(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        listed = await offered(pilot, "theme")
        themes = [line.startswith("Theme: ") for line in listed]
        assert themes[: len(app.available_themes)] == [True] * len(app.available_themes)
        assert has(listed, "Choose a colour theme")
        await pilot.press("ctrl+p")
        await type_text(pilot, "paper")
        wanted = next(name for name in app.available_themes if "paper" in name)
        await until(pilot, lambda: f"Theme: {wanted}" in seen(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.theme == wanted)


async def test_a_command_does_what_its_key_does(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 7")
        for typed, box in (("what the focused panel", Help), ("find a question", Finder)):
            await pilot.press("ctrl+p")
            await until(pilot, lambda: isinstance(app.screen, CommandPalette))
            await type_text(pilot, typed)
            await until(pilot, lambda: app.screen.query_one(CommandList).option_count == 1)
            await pilot.press("enter")
            await until(pilot, lambda box=box: isinstance(app.screen, box))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, Explorer))
        await pilot.press("ctrl+p")
        await type_text(pilot, "raise tau")
        await until(pilot, lambda: "Confidence · + or =" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "τ 0.75" in seen(app))
