"""What a table or a column holds, from the schema."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ehrtui.conversation.column_profile import SAMPLE, column_profile
from ehrtui.conversation.start import start
from ehrtui.tui.column_page import column_content
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.screens.schema_look import SchemaLook
from tests.small_mimic import NOW
from tests.tui.conftest import opened, seen, until


def test_a_column_is_counted_and_its_numbers_are_drawn(mimic_path: Path, tmp_path: Path):
    talk = start(str(mimic_path), now=NOW, state=tmp_path, save=False)
    gender = column_profile(talk.engine, "patients", "gender")
    assert (gender.rows, gender.nulls, gender.distinct, gender.exact) == (5, 0, 2, True)
    assert (gender.least, gender.greatest, gender.top) == ("f", "m", (("f", 3), ("m", 2)))
    dead = column_profile(talk.engine, "patients", "dod", exact=True)
    assert dead.nulls + sum(number for _, number in dead.top) == 5
    values = column_profile(talk.engine, "labevents", "valuenum")
    said = str(column_content(values, 70))
    assert f"{values.rows - values.nulls:,} values, {values.distinct:,} different" in said
    assert max(map(len, said.splitlines())) <= 70
    assert "from f" not in str(column_content(gender, 70))
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
    assert "INTEGER · the first 20,000 of 20,007 rows" in str(column_content(sample, 80, "n", "INTEGER", SAMPLE + 7))
    assert whole.greatest == SAMPLE + 6
    assert [sum(band.count for band in profile.bands) for profile in (sample, whole)] == [SAMPLE, SAMPLE + 7]
    talk.close()


def counted(values: list[object], tmp_path: Path) -> list[tuple[object, object, int]]:
    """The bands of a column that holds these."""
    import sqlite3

    path = tmp_path / "spread.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE t (v)")
        made.executemany("INSERT INTO t VALUES (?)", ((value,) for value in values))
    with closing(start(str(path), state=tmp_path, save=False)) as talk:
        return [(band.low, band.high, band.count) for band in column_profile(talk.engine, "t", "v").bands]


def test_numbers_that_lie_far_off_do_not_hide_the_others(tmp_path: Path):
    values = [at / 100 for at in range(1000)]
    bands = counted([*values, 5_000, 5_000, -800, None], tmp_path)
    assert bands[0] == (None, 0.0, 1)
    assert bands[1] == (0.0, 1.0, 100)
    assert bands[-1] == (10.0, None, 2)
    assert sum(number for *_, number in bands) == 1003


def test_numbers_are_in_the_band_that_is_named(tmp_path: Path):
    bands = counted([at / 10 for at in range(40)], tmp_path)
    for low, high, number in bands:
        assert number == sum((low is None or at / 10 >= low) and (high is None or at / 10 < high) for at in range(40))


def test_times_are_spread_by_the_finest_unit_that_is_not_too_many(tmp_path: Path):
    days = [f"2104-05-{day:02} 10:00:00" for day in range(1, 21)]
    assert counted(days, tmp_path)[:2] == [("2104-05-01", None, 1), ("2104-05-02", None, 1)]


def test_times_of_many_years_are_spread_by_decade(tmp_path: Path):
    years = [f"{year}-01-01" for year in range(2000, 2100)]
    assert counted(years, tmp_path)[:2] == [("2000s", None, 10), ("2010s", None, 10)]


def test_texts_and_one_and_the_same_value_are_not_spread(tmp_path: Path):
    assert counted([*"abcdefghijklmnop"], tmp_path) == []


def test_values_of_several_kinds_are_not_spread(tmp_path: Path):
    assert counted([*range(20), "2104-05-01", "x"], tmp_path) == []


async def test_a_key_shows_the_first_rows_and_on_a_column_how_it_is_spread(make_app):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press("f2", "p")
        await until(pilot, lambda: isinstance(app.screen, SchemaLook) and "the first 5 of 5 rows" in seen(app))
        await pilot.press("escape", "space", "down", "down", "down", "p")
        await until(pilot, lambda: isinstance(app.screen, SchemaLook) and "5 values, 2 different" in seen(app))
        assert "█ 3" in seen(app)
        assert "VARCHAR(5) · all 5 rows" in seen(app)
        assert "e all rows" not in seen(app)
        await pilot.press("q")
        assert not isinstance(app.screen, SchemaLook)


async def test_all_rows_are_no_longer_offered_once_they_were_read(make_app, tmp_path: Path):
    import sqlite3

    path = tmp_path / "large.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE amounts (amount INTEGER)")
        made.executemany("INSERT INTO amounts VALUES (?)", ((at,) for at in range(SAMPLE + 7)))
    app = make_app(lambda: start(str(path), state=tmp_path / "state"))
    async with app.run_test(size=(160, 45)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Explorer) and "amounts" in seen(app))
        await pilot.press("f2", "space", "down", "p")
        await until(pilot, lambda: "the first 20,000 of 20,007 rows" in seen(app) and "e all rows" in seen(app))
        await pilot.press("e")
        await until(pilot, lambda: "all 20,007 rows" in seen(app))
        await until(pilot, lambda: "e all rows" not in seen(app))
