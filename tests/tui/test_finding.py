"""Finding by name: what fits, and the box that it is typed into."""

from __future__ import annotations

import pytest

from ehrtui.tui.finding import MOST, found
from ehrtui.tui.screens.finder import Finder
from ehrtui.tui.screens.schema_look import SchemaLook
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.schema_tree import SchemaTree
from tests.tui.conftest import opened, seen, type_text, until

LINES = ("patients", "labevents", "labevents.valuenum", "d_labitems", "prescriptions.drug")


@pytest.mark.parametrize(
    ("typed", "best"),
    [
        ("", ["patients", "labevents"]),
        ("lab", ["labevents", "labevents.valuenum", "d_labitems"]),
        ("LAB valu", ["labevents.valuenum"]),
        ("prescritions", ["prescriptions.drug"]),
        ("zzzzqq", []),
    ],
)
def test_all_words_are_found_anywhere_and_else_what_is_near(typed: str, best: list[str]):
    assert [LINES[at] for at in found(typed, LINES)][: len(best)] == best
    assert found("zzzzqq", LINES) == []


def test_no_more_are_shown_than_can_be_read():
    assert len(found("", ["x"] * 9_000)) == len(found("x", ["x"] * 9_000)) == MOST


async def test_a_column_is_found_in_the_schema_and_asked_about(make_app):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press("f2", "slash")
        await until(pilot, lambda: isinstance(app.screen, Finder))
        await type_text(pilot, "pati gend")
        await until(pilot, lambda: "1 of" in seen(app))
        await pilot.press("enter")
        tree = app.screen.query_one(SchemaTree)
        await until(pilot, lambda: tree.cursor_node is not None and tree.cursor_node.data.name == "gender")
        await pilot.press("a")
        prompt = app.screen.query_one(Prompt)
        assert prompt.text == 'SELECT "gender", COUNT(*) AS n FROM "patients" GROUP BY 1 ORDER BY n DESC'
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.desk.turn() is not None)
        assert app.screen.desk.conversation.rows(1, 0, 5) == [("f", 3), ("m", 2)]
        await pilot.press("f2", "up", "p")
        await until(pilot, lambda: isinstance(app.screen, SchemaLook))
        await pilot.press("a")
        await until(pilot, lambda: "GROUP BY" in prompt.text or "LIMIT" in prompt.text or "WHERE" in prompt.text)
        await pilot.press("f2", "slash", "escape")
        assert tree.has_focus
