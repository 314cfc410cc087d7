"""What a value of an answer leads to: how its column is spread, the rows of it alone, and the tables that hold it."""

from __future__ import annotations

from pathlib import Path

from ehrtui.conversation.start import start
from ehrtui.conversation.whereabouts import columns_of, meanings, places
from ehrtui.tui.screens.facet import Facet
from ehrtui.tui.screens.whereabouts import Whereabouts
from ehrtui.tui.widgets.answer import AnswerPanel
from tests.small_mimic import NOW
from tests.tui.conftest import ask, opened, seen, until

DRUGS = "select subject_id, drug, route from prescriptions order by row_id"


async def test_a_column_is_spread_out_and_a_value_of_it_shown_alone_or_left_out(make_app):
    app = make_app()
    async with app.run_test(size=(110, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, DRUGS)
        rows = app.screen.query_one(AnswerPanel).rows
        all_rows = rows.table.row_count
        await pilot.press("f4", "right", "d")
        await until(pilot, lambda: isinstance(app.screen, Facet))
        assert "10 values, 5 different" in seen(app)
        assert "4 (40.0%)" in seen(app)
        await pilot.press("enter")
        await until(pilot, lambda: "filtered view: 4 of" in seen(app))
        assert rows.arrangement.conditions[0].text == '= "furosemide"'
        await pilot.press("right", "d")
        await until(pilot, lambda: isinstance(app.screen, Facet))
        assert "4 values, 2 different" in seen(app)  # of the rows that are left
        await pilot.press("x")
        await until(pilot, lambda: "filtered view: 2 of" in seen(app))
        await pilot.press("x")
        await until(pilot, lambda: rows.table.row_count == all_rows)
        await pilot.press("left", "minus")
        await until(pilot, lambda: f"filtered view: {all_rows - 4} of" in seen(app))
        await pilot.press("left", "equals_sign")
        await until(pilot, lambda: "subject_id = 101" in seen(app))
        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, Facet))
        await pilot.press("q")
        assert len(rows.arrangement.conditions) == 2
        assert len(app.screen.desk.conversation.turns) == 1


async def test_an_identifier_leads_to_the_tables_that_hold_it_and_back(make_app):
    app = make_app()
    async with app.run_test(size=(110, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select hadm_id, row_id from admissions where subject_id = 102")
        await pilot.press("f4", "t")
        await until(pilot, lambda: isinstance(app.screen, Whereabouts) and "labevents.hadm_id" in seen(app))
        await until(pilot, lambda: "Looking" not in seen(app))
        assert "admissions.hadm_id" in seen(app)
        await pilot.press("enter")
        desk = app.screen.desk
        await until(pilot, lambda: len(desk.conversation.turns) == 2 and desk.running is None)
        assert desk.turn().question == 'SELECT * FROM "admissions" WHERE "hadm_id" = 1003'
        assert desk.trail.to(2) == (1, 2)
        await until(pilot, lambda: "A1 ▸ A2" in seen(app))
        await pilot.press("backspace")
        await until(pilot, lambda: desk.shown == 1)
        await pilot.press("right", "t")
        await until(pilot, lambda: "No table has such a column" in seen(app))  # every table numbers its own rows
        await pilot.press("escape")
        assert len(desk.conversation.turns) == 2


def test_keys_are_followed_in_both_directions_and_a_code_is_named(mimic_path: Path, tmp_path: Path):
    talk = start(str(mimic_path), now=NOW, state=tmp_path, save=False)
    engine, profile = talk.engine, talk.profile
    of_code = columns_of(engine.schema(), profile, "icd9_code")
    assert {("diagnoses_icd", "icd9_code"), ("d_icd_diagnoses", "icd9_code")} <= set(of_code)
    assert columns_of(engine.schema(), profile, "row_id") == ()
    assert columns_of(engine.schema(), profile, "no such") == ()
    code = next(engine.stream("SELECT icd9_code FROM d_icd_diagnoses WHERE short_title LIKE 'chf%'"))[0]
    found = {place.table: place.rows for place in places(engine, profile, "icd9_code", code)}
    assert found["d_icd_diagnoses"] == 1
    assert found["diagnoses_icd"] == 4
    (meaning,) = meanings(engine, profile, "icd9_code", code)
    assert meaning.table == "d_icd_diagnoses"
    assert "chf nos" in dict(meaning.told).values()
    assert meaning.members == len(list(engine.stream(meaning.family))) >= 1
    assert list(meanings(engine, profile, "gender", "f")) == []
    assert [place.rows for place in places(engine, profile, "drug", "it's none")] == []
    talk.close()
