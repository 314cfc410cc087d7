"""What a table or a column holds, from the schema."""

from __future__ import annotations

from pathlib import Path

from ehrtui.conversation.column_profile import SAMPLE, column_profile
from ehrtui.conversation.start import start
from ehrtui.tui.column_page import column_content
from ehrtui.tui.screens.schema_look import SchemaLook
from tests.small_mimic import NOW
from tests.tui.conftest import opened, seen, until


def test_a_column_is_counted_and_its_numbers_are_drawn(mimic_path: Path, tmp_path: Path):
    talk = start(str(mimic_path), now=NOW, state=tmp_path, save=False)
    gender = column_profile(talk.engine, "patients", "gender")
    assert (gender.rows, gender.nulls, gender.distinct, gender.exact) == (5, 0, 2, True)
    assert (gender.least, gender.greatest, gender.top) == ("f", "m", (("f", 3), ("m", 2)))
    dead = column_profile(talk.engine, "patients", "dod", exact=True)
    assert dead.nulls + len(dead.values) == 5
    values = column_profile(talk.engine, "labevents", "valuenum")
    said = str(column_content(values, 70))
    assert f"{values.rows - values.nulls:,} values, {values.distinct:,} different" in said
    assert max(map(len, said.splitlines())) <= 70
    talk.close()


def test_of_a_large_table_a_sample_is_said_to_be_one(tmp_path: Path):
    import sqlite3

    path = tmp_path / "large.sqlite"
    with sqlite3.connect(path) as made:
        made.execute('CREATE TABLE "a ""b" ("n ""m" INTEGER)')
        made.executemany('INSERT INTO "a ""b" VALUES (?)', ((at,) for at in range(SAMPLE + 7)))
    talk = start(str(path), state=tmp_path, save=False)
    sample, whole = (column_profile(talk.engine, 'a "b', 'n "m', exact=exact) for exact in (False, True))
    assert (sample.rows, sample.exact, whole.rows, whole.exact) == (SAMPLE, False, SAMPLE + 7, True)
    assert "the first 20,000 rows" in str(column_content(sample, 80))
    assert whole.greatest == SAMPLE + 6
    talk.close()


async def test_a_key_shows_the_first_rows_and_on_a_column_how_it_is_spread(make_app):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press("f2", "p")
        await until(pilot, lambda: isinstance(app.screen, SchemaLook) and "the first 5 of 5 rows" in seen(app))
        await pilot.press("escape", "space", "down", "down", "down", "p")
        await until(pilot, lambda: isinstance(app.screen, SchemaLook) and "5 values, 2 different" in seen(app))
        assert "█ 3" in seen(app)
        await pilot.press("q")
        assert not isinstance(app.screen, SchemaLook)
