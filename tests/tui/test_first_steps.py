"""The ten tasks of docs/first_steps.md can be done with the keys that stand there, by somebody who knows no others."""

from __future__ import annotations

import re
from pathlib import Path

from ehrtui.tui.explore import first_of
from ehrtui.tui.screens.patient import PatientView
from ehrtui.tui.screens.schema_look import SchemaLook
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.plan_panel import PlanPanel
from tests.tui.conftest import ask, opened, seen, type_text, until

PAGE = Path(__file__).parents[2] / "docs" / "first_steps.md"
MOST_KEYS = 6
_ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_PART = re.compile(r"“([^”]*)”|`([^`]+)`")
_NAMES = {"Enter": "enter", "Esc": "escape", "Backspace": "backspace", "↑": "up", "=": "equals_sign", "/": "slash"}


def tasks() -> list[tuple[int, list[tuple[str, str]]]]:
    """Their numbers, each with its texts and keys in order."""
    return [(int(number), _PART.findall(how)) for number, _, how in _ROW.findall(PAGE.read_text("utf-8"))]


def test_no_task_takes_more_than_six_keys():
    assert [number for number, _ in tasks()] == list(range(1, 11))
    assert max(sum(bool(key) for _, key in parts) for _, parts in tasks()) <= MOST_KEYS


async def test_the_keys_do_what_the_page_says(make_app):
    app = make_app()
    async with app.run_test(size=(110, 40)) as pilot:
        await opened(pilot)
        explorer = app.screen
        desk, answer = explorer.desk, explorer.query_one(AnswerPanel)

        def turns(number: int, rows: object) -> bool:
            return (
                len(desk.conversation.turns) == number
                and not desk.busy
                and desk.conversation.rows(number, 0, 9) == rows
            )

        done = {
            1: lambda: turns(1, [(3,)]) and answer.check_action("open", ()),
            2: lambda: turns(2, [(101,), (102,), (104,)]) and desk.shown == 2 and answer.rows.table.row_values(0),
            3: lambda: isinstance(app.screen, PatientView) and "Patient 102 · 2 of 3" in seen(app),
            4: lambda: app.screen is explorer and desk.shown == 1,
            5: lambda: turns(3, [(101,)]) and desk.shown == 3,
            6: lambda: turns(4, [(2,)]) and desk.turn().question.endswith("furosemide in 2104"),
            7: lambda: desk.shown == 5 and explorer.query_one("#plot").display and not answer.rows.display,
            8: lambda: "filtered view: 1 of" in seen(app),
            9: lambda: isinstance(app.screen, SchemaLook) and "5 values, 2 different" in seen(app),
            10: lambda: app.screen is explorer and explorer.query_one(PlanPanel).editor("sql").display,
        }
        for number, parts in tasks():
            for text, key in parts:
                if text:
                    await type_text(pilot, text)
                else:
                    await pilot.press(_NAMES.get(key, key.lower()))
                    await settled(pilot, explorer)
            await until(pilot, done[number])


async def settled(pilot, explorer) -> None:
    """Wait as a person would, until what a key began can be seen."""
    await until(pilot, lambda: (not explorer.desk.busy and not explorer.workers) or pilot.app.screen is not explorer)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_what_is_wrong_in_the_configuration_is_told_until_it_was_read(make_app):
    app = make_app(notices=("config.toml, line 1: threshold cannot be 'high'.", "config.toml, line 2: \x1b[2J"))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        assert "config.toml, line 1: threshold cannot be 'high'." in seen(app)
        assert "config.toml, line 2:" in seen(app)
        assert "\x1b" not in seen(app)
        await ask(pilot, "select 1")
        assert "config.toml, line 1" in seen(app)
        await pilot.press("escape")
        await until(pilot, lambda: "config.toml" not in seen(app))


def test_of_many_wrong_lines_the_first_are_told():
    notices = tuple(f"line {number}" for number in range(1, 9))
    assert first_of(notices[:3]) == notices[:3]
    assert first_of(notices)[:3] == notices[:3]
    assert first_of(notices)[3].startswith("… 5 more")
