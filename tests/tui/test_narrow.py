"""What does not fit is cut with a sign, and a number is whole or not there, in any width."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from textual.app import App
from textual.widget import Widget

from ehrtui.schema.model import Column, ForeignKey, Schema, Table
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.header_line import HeaderLine
from ehrtui.tui.widgets.result_table import ResultTable
from ehrtui.tui.widgets.schema_tree import SchemaTree
from ehrtui.tui.widgets.step_list import Line, step_content
from ehrtui.tui.widgets.turn_list import TurnList, entry
from ehrtui.values import as_stored
from tests.tui.conftest import seen
from tests.tui.frozen import ANSWERED

WIDTHS = (*range(14, 40, 3), 48, 59)
NUMBERS = (470, 31_215, 4_706)


class OneWidget(App[None]):
    """A widget over the whole screen."""

    CSS = ".panel { border: round $panel; }"

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget

    def compose(self):
        yield self.widget


def counts(text: str) -> set[str]:
    """The numbers in a text, with their commas."""
    return set(re.findall(r"\d[\d,]*", text))


@pytest.mark.parametrize("width", WIDTHS)
async def test_the_counts_of_turns(width):
    app = OneWidget(TurnList())
    turns = [replace(ANSWERED, number=at, row_count=rows) for at, rows in enumerate(NUMBERS, 1)]
    async with app.run_test(size=(width, 10)) as pilot:
        app.widget.show([entry(turn) for turn in turns])
        await pilot.pause()
        lines = seen(app).splitlines()[1:4]
        for number, line in zip(NUMBERS, lines, strict=True):
            assert counts(line.partition("✓")[2]) <= {f"{number:,}", "0", "91"}
            assert width < 24 or f"{number:,}" in line


@pytest.mark.parametrize("width", WIDTHS)
async def test_the_counts_of_tables(width):
    columns = (Column("a_column_with_a_rather_long_name", "INT"),)
    key = ForeignKey("a_column_with_a_rather_long_name", "another_table_with_a_long_name", "id")
    tables = [Table(f"{'long_' * at}name", columns, (key,), row_count=n) for at, n in enumerate((0, 47, 470, 999), 1)]
    app = OneWidget(SchemaTree())
    async with app.run_test(size=(width, 12)) as pilot:
        app.widget.show(Schema(tuple(tables)))
        app.widget.focus()
        await pilot.press("space")
        lines = [line.strip("│ ") for line in seen(app).splitlines()]
        for n, line in zip((0, 47, 470, 999), [line for line in lines if "▶" in line or "▼" in line], strict=True):
            assert line.endswith(f" {n}")
        assert next(line for line in lines if "a_" in line)[-1] in "…#" or "another_table_with_a_long_name" in seen(app)


@pytest.mark.parametrize("width", WIDTHS)
async def test_the_numbers_of_an_answer_wherever_it_is_scrolled_to(width):
    app = OneWidget(ResultTable())
    row = ("some words", *NUMBERS, "more words", *NUMBERS)
    titles = ("text", "a", "b", "c", "words", "d", "e", "f")
    async with app.run_test(size=(width, 5)) as pilot:
        app.widget.show(titles, 1, lambda offset, count: [row])
        await app.workers.wait_for_complete()
        await pilot.pause()
        for x in range(app.widget.max_scroll_x + 1):
            app.widget.scroll_to(x=x, animate=False, force=True)
            line = app.widget.render_line(1).text
            assert counts(line) <= {str(number) for number in NUMBERS}
            assert set(re.findall("[a-z]+…?", line)) - {"some", "more", "words"} <= {
                word[:at] + "…" for word in ("some", "more", "words") for at in range(6)
            }
        await pilot.press("end", *["right"] * 7)
        assert app.widget.render_line(1).text.rstrip().endswith(str(NUMBERS[-1]))


@pytest.mark.parametrize("width", WIDTHS)
def test_the_numbers_of_a_step(width):
    line = Line(12, 34, "answer = SQLInterpreter('select 1')", "done", rows=31_215, ms=1_234, confidence=0.85)
    said = str(step_content(line, width))
    assert counts(said.split("answer")[0]) <= {"34", "31,215", "1", "2", "0", "85"}
    assert len(said.rstrip()) <= max(width, 27)


@pytest.mark.parametrize("width", WIDTHS)
async def test_the_facts_of_the_first_line(width):
    app = OneWidget(HeaderLine())
    async with app.run_test(size=(width, 3)) as pilot:
        app.widget.say("a_database_of_a_rather_long_name.sqlite", "MIMIC-III", "offline", "egress 31,215 B", "τ 0.70")
        await pilot.pause()
        line = seen(app).splitlines()[0].strip()
        assert line.endswith("τ 0.70")
        assert counts(line) <= {"31,215", "0", "70"}


@pytest.mark.parametrize("width", [24, 33, 40, 52, 69])
async def test_the_place_in_an_answer(width):
    app = OneWidget(AnswerPanel())
    many = replace(ANSWERED, number=14, row_count=31_215)
    async with app.run_test(size=(width, 12)) as pilot:
        app.widget.show(many, lambda offset, count: [("x", 1)] * count, as_stored(many.columns), path=(11, 12, 13, 14))
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "1 of 31,215 rows" in seen(app).splitlines()[0]
