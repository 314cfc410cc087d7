from collections import Counter

import pytest
from textual.widgets import Input, TextArea

from ehrtui.tui.app import EhrtuiApp
from ehrtui.tui.keys import ABOUT, EVERYWHERE, KEYS, PLACES, bindings, key_name
from ehrtui.tui.screens.cohort_box import CohortBox
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.screens.facet import Facet
from ehrtui.tui.screens.finder import Finder
from ehrtui.tui.screens.help import help_content
from ehrtui.tui.screens.jump_mode import JumpMode
from ehrtui.tui.screens.leader import Leader
from ehrtui.tui.screens.meanings import MeaningList
from ehrtui.tui.screens.patient import PatientView
from ehrtui.tui.screens.reason_box import ReasonBox
from ehrtui.tui.screens.schema_look import SchemaLook
from ehrtui.tui.screens.todo_box import TodoBox
from ehrtui.tui.screens.two_turns import TwoTurns
from ehrtui.tui.screens.whereabouts import Whereabouts
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.chart_view import ChartView
from ehrtui.tui.widgets.confidence import ConfidencePanel
from ehrtui.tui.widgets.editor import Editor
from ehrtui.tui.widgets.filter_line import FilterInput
from ehrtui.tui.widgets.logic_tree import Criterion, Lines
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import QuestionInput
from ehrtui.tui.widgets.result_table import ResultTable
from ehrtui.tui.widgets.rows_view import RowsView
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from ehrtui.tui.widgets.schema_tree import SchemaTree
from ehrtui.tui.widgets.step_list import StepList
from ehrtui.tui.widgets.turn_list import TurnList
from ehrtui.tui.widgets.welcome import Examples
from tests.tui.conftest import opened, seen, until

OWNERS = {
    EVERYWHERE: Explorer,
    "prompt": QuestionInput,
    "meanings": MeaningList,
    "examples": Examples,
    "schema": SchemaTree,
    "conversation": TurnList,
    "answer": AnswerPanel,
    "cohort": CohortBox,
    "todo": TodoBox,
    "reason": ReasonBox,
    "look": SchemaLook,
    "patient": PatientView,
    "rows": RowsView,
    "chart": ChartView,
    "facet": Facet,
    "whereabouts": Whereabouts,
    "finder": Finder,
    "two": TwoTurns,
    "leader": Leader,
    "jump": JumpMode,
    "filter": FilterInput,
    "table": ResultTable,
    "plan": PlanPanel,
    "tree": Lines,
    "criterion": Criterion,
    "editor": Editor,
    "completion": Editor,
    "steps": StepList,
    "duck": DuckPanel,
    "confidence": ConfidencePanel,
}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: f"{key.place}: {key.keys}")
def test_every_key_does_something_where_it_says(key):
    name = key.action.partition("(")[0]
    owner = EhrtuiApp if name.startswith("app.") else OWNERS[key.place]
    assert hasattr(owner, f"action_{name.removeprefix('app.')}")
    assert key.help


def test_no_key_does_two_things_in_one_place():
    used = Counter((key.place, each) for key in KEYS for each in key.keys.split(","))
    # Enter opens what is behind a value; only where nothing is, it shows the value.
    assert {key for key, times in used.items() if times > 1} == {("answer", "enter")}


def test_no_key_that_works_everywhere_is_wanted_by_a_text_field():
    wanted = {key for field in (Input, TextArea) for binding in field.BINDINGS for key in binding.key.split(",")}
    plain = {binding.key for binding in bindings(EVERYWHERE) if not binding.priority}
    assert not wanted & {each for keys in plain for each in keys.split(",")}


def test_every_command_that_works_everywhere_has_a_letter_of_its_own_behind_the_leader():
    letters = [key.letter for key in KEYS if key.place == EVERYWHERE and key.action not in ("back", "leader")]
    assert all(letters)
    assert len(set(letters)) == len(letters)
    assert not any(key.letter for key in KEYS if key.place != EVERYWHERE)


def test_no_key_is_the_prefix_of_tmux_or_screen():
    assert not {"ctrl+b", "ctrl+a"} & {each for key in KEYS for each in key.keys.split(",")}


def test_every_place_has_a_name_and_an_explanation():
    assert {key.place for key in KEYS} <= PLACES.keys()
    assert set(ABOUT) <= set(PLACES)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("f5", "F5"),
        ("ctrl+r", "^R"),
        ("escape", "Esc"),
        ("alt+left", "Alt+←"),
        ("plus", "+"),
        ("g", "g"),
        ("ctrl+@", "^Space"),
        ("ctrl+home", "^Home"),
    ],
)
def test_keys_are_written_as_people_write_them(key, name):
    assert key_name(key) == name


def test_what_a_key_does_stands_beside_the_key_in_any_width():
    lines = str(help_content("plan", 60)).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("  ^F "))
    assert lines[start + 1].startswith(" " * 13)
    assert all(len(line) <= 60 for line in lines[start : start + 2])


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_every_letter_behind_the_leader_is_seen(make_app, size):
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+@")
        await until(pilot, lambda: isinstance(app.screen, Leader) and "j  Put a letter" in seen(app))
        shown = seen(app)
        missing = [key for key in KEYS if key.letter and f"{key.letter}  {(key.label or key.help)[:12]}" not in shown]
        assert missing == []
