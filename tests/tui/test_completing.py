"""Completions: what is offered at the cursor, and taking it."""

import pytest

from ehrtui.conversation.completing import Offer, offers, vocabulary
from ehrtui.plans.tools import TOOLS
from ehrtui.schema.value_index import Entry
from ehrtui.tui.widgets.plan_panel import PlanPanel
from tests.tui.conftest import ask, opened, seen, type_text, until

WIDE, NARROW = (160, 45), (80, 24)
STORED = (Entry("prescription", "furosemide", "furosemide"), Entry("lab", 'the "old" lab\'s', "the old labs"))
WORDS = (Offer("FilterDB", "FilterDB(table, conditions)"), Offer("drug", "column of prescriptions"))


def names(text, count):
    return tuple(entry for entry in STORED if entry.name.startswith(text))[:count]


def texts(view, before):
    return [(offer.text, offer.replaced) for offer in offers(view, before, WORDS, names)]


@pytest.mark.parametrize(
    ("view", "before", "found"),
    [
        ("plan", "x = Fil", [("FilterDB", 3)]),
        ("plan", "x = fil", [("FilterDB", 3)]),
        ("plan", "x = F", []),
        ("plan", "x = furo", []),
        ("plan", "x = FilterDB", []),
        ("plan", 'FilterDB(t, "dr', [("drug", 2)]),
        ("plan", 'FilterDB(t, "drug=furo', [("furosemide", 4)]),
        ("plan", 'FilterDB(t, "drug=the', []),
        ("logic", 'count prescription "furo', [("furosemide", 4)]),
        ("logic", 'count prescription "dr', []),
        ("logic", 'lab "a" dr', [("drug", 2)]),
        ("sql", "where drug = 'furo", [("furosemide", 4)]),
        ("sql", "where dr", [("drug", 2)]),
        ("sql", "", []),
    ],
)
def test_what_is_offered_depends_on_where_the_cursor_stands(view, before, found):
    assert texts(view, before) == found


async def test_the_words_of_each_view(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        conversation = app.screen.desk.conversation
        words = vocabulary(conversation.engine.schema(), conversation.profile, TOOLS)
        found = {view: {offer.text: offer.help for offer in words[view]} for view in words}
        assert found["logic"]["prescription"] == "records of prescriptions"
        assert found["logic"]["during"] == "query logic"
        assert found["sql"]["valuenum"] == "column of labevents, chartevents"
        assert found["plan"]["Calendar"].startswith("Calendar(duration) · The moment that lies")
        assert "during" not in found["sql"]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_completions_show_while_typing_and_tab_takes_one(make_app, size):
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        panel = app.screen.query_one(PlanPanel)
        panel.choose("plan")
        await pilot.press("f6")
        panel.choose("plan")
        panel.take_focus()
        editor = panel.editor("plan")
        editor.text = ""
        await until(pilot, lambda: editor.has_focus)
        await type_text(pilot, "x = Ca")
        await until(pilot, lambda: len(editor.offers) > 1)
        assert "▸ Calendar" in seen(app)
        await pilot.press("down")
        assert "▸ Calculate" in seen(app)
        await pilot.press("tab")
        assert editor.text == "x = Calculate"
        assert editor.has_focus
        await until(pilot, lambda: not panel.query_one("#offers").display)
        await type_text(pilot, "('furo")
        await until(pilot, lambda: [offer.text for offer in editor.offers] == ["furosemide"])
        assert "stored · prescription" in seen(app)
        await pilot.press("escape")
        assert not editor.offers
        assert editor.has_focus
        await pilot.press("tab")
        await until(pilot, lambda: not editor.has_focus)


async def test_moving_on_closes_the_completions(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        await pilot.press("f6")
        editor = app.screen.query_one(PlanPanel).editor("logic")
        editor.text = ""
        await until(pilot, lambda: editor.has_focus)
        await type_text(pilot, "presc")
        await until(pilot, lambda: editor.offers)
        await pilot.press("left")
        await until(pilot, lambda: not editor.offers)
        assert editor.text == "presc"
