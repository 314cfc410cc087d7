import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.tui.layout import PANELS, SWITCHED, layout
from ehrtui.tui.panel_sizes import (
    FILE,
    LEAST_ANSWER,
    LEAST_PLAN,
    LEAST_SCHEMA,
    LEAST_SIDE,
    LEAST_TURNS,
    PanelSizes,
    keep_sizes,
    kept_sizes,
    schema_within,
    side_within,
)
from tests.tui.conftest import ask, opened, seen, until

GIVEN = {"front": "answer", "zoomed": None, "schema": None, "empty": False}


def test_a_wide_screen_shows_every_panel_and_the_duck_when_it_has_something_to_say():
    assert layout(160, 45, **GIVEN, explains=True).shown == set(PANELS)
    assert layout(160, 45, **GIVEN).shown == set(PANELS) - {"duck"}
    assert layout(160, 45, **{**GIVEN, "front": "duck"}).shown == set(PANELS)


def test_the_schema_comes_by_itself_where_the_answer_keeps_its_room():
    assert "schema" not in layout(120, 35, **GIVEN).shown
    assert "schema" in layout(120, 35, **{**GIVEN, "schema": True}).shown
    assert "schema" in layout(130, 35, **GIVEN).shown


def test_before_the_first_turn_nothing_but_the_welcome_takes_the_width():
    assert layout(120, 35, **{**GIVEN, "empty": True}).shown == {"welcome"}


def test_at_80_columns_the_schema_waits_and_one_panel_is_in_front():
    now = layout(80, 24, **{**GIVEN, "front": "duck"})
    assert now.shown == {"conversation", "duck"}
    assert now.tabs


def test_the_schema_can_be_called_and_sent_away():
    assert "schema" in layout(80, 24, **{**GIVEN, "schema": True}).shown
    assert "schema" not in layout(160, 45, **{**GIVEN, "schema": False}).shown


def test_a_tiny_terminal_shows_no_panel():
    assert layout(20, 5, **GIVEN).mode == "tiny"
    assert not layout(20, 5, **GIVEN).shown


def test_a_zoomed_panel_is_alone():
    assert layout(160, 45, **{**GIVEN, "zoomed": "plan"}).shown == {"plan"}


def test_before_the_first_turn_a_welcome_stands_for_conversation_and_answer():
    shown = layout(160, 45, **{**GIVEN, "empty": True}).shown
    assert "welcome" in shown
    assert not shown & {"conversation", "answer"}


@given(
    st.integers(1, 400),
    st.integers(1, 200),
    st.sampled_from(SWITCHED),
    st.one_of(st.none(), st.sampled_from(PANELS)),
    st.one_of(st.none(), st.booleans()),
    st.booleans(),
)
def test_every_screen_that_is_not_tiny_shows_something(width, height, front, zoomed, schema, empty):
    now = layout(width, height, front=front, zoomed=zoomed, schema=schema, empty=empty)
    assert bool(now.shown) == (now.mode != "tiny")
    assert now.shown <= {*PANELS, "welcome"}


async def test_borders_are_moved_by_key_and_stay_where_they_were_put(make_app, tmp_path):
    def widths(app):
        return [app.screen.query_one(f"#{name}").outer_size.width for name in ("schema", "answer", "right")]

    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await pilot.press("alt+left")  # there is nothing beside the answer yet
        await ask(pilot, "select 7")
        schema, answer, side = widths(app)
        assert side == 50
        await pilot.press("f4", "alt+left", "alt+left", "f2", "alt+right")
        await until(pilot, lambda: widths(app) == [schema + 4, answer - 12, side + 8])
        await pilot.press(*["alt+left"] * 40)
        await until(pilot, lambda: widths(app)[0] == LEAST_SCHEMA)
        await pilot.press("f9", "alt+right", "f9")
        assert widths(app)[0] == LEAST_SCHEMA
        await pilot.resize_terminal(80, 24)
        await pilot.press("alt+right")
        await until(pilot, lambda: widths(app)[2] == 80 - widths(app)[0])
        await pilot.resize_terminal(160, 45)
        await until(pilot, lambda: widths(app)[2] == side + 8)
        await pilot.press("f6")
        await until(pilot, lambda: widths(app)[2] == 80)
        await pilot.press("f2", "f2")
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 7")
        assert widths(app)[2] == side + 8
        assert not app.screen.query_one("#schema").display
        await pilot.press("f2")
        await until(pilot, lambda: widths(app)[0] == LEAST_SCHEMA)


@pytest.mark.parametrize(
    "written", ["", "[]", "nonsense", '{"schema": "wide", "side": true, "with_schema": 7, "turns": 1.5}', "9" * 9000]
)
def test_sizes_that_cannot_be_read_are_those_that_come_by_themselves(tmp_path, written):
    (tmp_path / FILE).write_text(written)
    assert kept_sizes(tmp_path) == PanelSizes()
    keep_sizes(tmp_path, PanelSizes(30, turns=9, with_schema=False, with_plan=False))
    assert kept_sizes(tmp_path) == PanelSizes(30, turns=9, with_schema=False, with_plan=False)
    keep_sizes(tmp_path / FILE / "below a file", PanelSizes())


@given(st.integers(-9, 999), st.integers(40, 400))
def test_a_kept_width_leaves_the_answer_its_room(wanted, width):
    schema = schema_within(wanted, width)
    side = side_within(wanted, width, schema)
    assert side >= LEAST_SIDE
    if width >= 110:
        assert schema + side + LEAST_ANSWER <= width
        assert side_within(999, width, 0) == width - LEAST_ANSWER


@pytest.mark.parametrize(("size", "with_schema"), [((110, 35), False), ((120, 35), False), ((110, 35), True)])
async def test_a_border_goes_the_way_of_its_key_and_comes_back(make_app, size, with_schema):
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await ask(pilot, "select 7")
        if with_schema:
            await pilot.press("f2")
            await until(pilot, lambda: app.screen.query_one("#schema").display)
        await pilot.press("f4")
        side = app.screen.query_one("#right")
        first = side.outer_size.width
        await pilot.press("alt+left")
        await until(pilot, lambda: side.outer_size.width == first + (0 if with_schema else 4))
        await pilot.press("alt+right", "alt+right")
        await until(pilot, lambda: side.outer_size.width == first - (8 if with_schema else 4))
        await pilot.press("alt+left", "alt+left")
        await until(pilot, lambda: side.outer_size.width == first + (0 if with_schema else 4))


def test_hidden_panels_leave_their_room_and_the_confidence_goes_with_the_last():
    hidden = frozenset({"conversation", "plan"})
    assert layout(160, 45, **GIVEN, hidden=frozenset({"plan"})).shown == {*PANELS} - {"duck", "plan"}
    assert layout(160, 45, **GIVEN, hidden=hidden).shown == {"schema", "answer"}
    assert layout(160, 45, **{**GIVEN, "front": "plan"}, hidden=hidden).shown >= {"plan", "confidence"}
    assert layout(80, 24, **GIVEN, hidden=hidden).shown == {"answer"}


async def test_panels_are_hidden_by_key_until_they_are_gone_to_and_that_is_kept(make_app):
    def there(app):
        return {name for name in ("schema", "conversation", "plan") if app.screen.query_one(f"#{name}").display}

    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await pilot.press("f3", "alt+h")  # the welcome stays
        await ask(pilot, "select 7")
        assert there(app) == {"schema", "conversation", "plan"}
        await pilot.press("f3", "alt+h")
        assert there(app) == {"schema", "plan"}
        assert app.screen.query_one("Prompt").has_focus_within
        await pilot.press("f2", "alt+h", "f6", "f9", "alt+h")
        assert there(app) == set()
        assert "confidence 1.00" in seen(app) or "Confidence" not in seen(app)
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 7")
        assert there(app) == set()
        await pilot.press("f6", "f4")
        assert there(app) == {"plan"}
        await pilot.press("f3", "f2")
        assert there(app) == {"schema", "conversation", "plan"}


async def test_the_border_between_turns_and_plan_is_moved_by_key_within_what_both_need(make_app):
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 7")
        turns, plan = app.screen.query_one("#conversation"), app.screen.query_one("#plan")
        lines = turns.outer_size.height
        await pilot.press("alt+up", "alt+up", "alt+down", "alt+up")
        await until(pilot, lambda: turns.outer_size.height == lines - 4)
        assert plan.region.y == turns.region.bottom
        await pilot.press(*["alt+up"] * 30)
        await until(pilot, lambda: turns.outer_size.height == LEAST_TURNS)
        await pilot.press(*["alt+down"] * 30)
        await until(pilot, lambda: plan.outer_size.height in (LEAST_PLAN - 1, LEAST_PLAN, LEAST_PLAN + 1))
        await pilot.resize_terminal(160, 24)
        await until(pilot, lambda: plan.outer_size.height >= LEAST_PLAN - 1)
        await pilot.press("f9", "alt+up", "f9")


async def test_on_a_narrow_screen_the_schema_goes_when_it_is_left(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 7")
        schema, explorer = app.screen.query_one("#schema"), app.screen
        await pilot.press("f2")
        assert schema.display
        await pilot.press("f1")
        await until(pilot, lambda: app.screen is not explorer)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is explorer and schema.has_focus)
        await pilot.press("f4")
        await until(pilot, lambda: not schema.display and app.screen.query_one("#answer").outer_size.width == 80)
        await pilot.press("f2", "escape")
        await until(pilot, lambda: not schema.display)
        await pilot.resize_terminal(120, 35)
        await pilot.press("f2", "escape")  # where it stands beside the others, it stays until it is sent away
        await pilot.pause()
        assert schema.display


async def test_at_80_by_24_the_sql_of_an_answer_and_the_ways_to_help_and_out_are_seen(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        for number in range(1, 6):
            await ask(pilot, f"select {number}")
        await ask(pilot, "what are the top 3 diagnoses?")
        await pilot.press("f6", "f6", "f6")
        sql = app.screen.query_one("#plan").editor("sql")
        await until(pilot, lambda: sql.display and sql.size.height >= 8)
        assert app.screen.query_one("#plan").outer_size.height + 4 == app.screen.query_one("#main").size.height
        await pilot.press("f9")
        await until(pilot, lambda: sql.size.height >= 11)
        await pilot.press("f9")
        for panel in ("f2", "f3", "f4", "f6", "f8", "escape"):
            await pilot.press(panel)
            await until(pilot, lambda: "F1 help  ^Q quit" in seen(app).splitlines()[-1])


async def test_the_confidence_stays_whole_wherever_the_border_beside_it_goes(make_app):
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        for keys in (["f6"], ["alt+h"], ["f6"], ["f4"], ["alt+right"] * 6, ["alt+left"] * 3, ["alt+right"]):
            await pilot.press(*keys)
            await pilot.pause()
            line = next(line for line in seen(app).splitlines() if "Confidence " in line)
            assert "≥ τ 0.70" in line
            room = app.screen.query_one("#confidence").content_size.width
            assert ("F8 why" in line) == (room >= 40)
