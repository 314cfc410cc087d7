from hypothesis import given
from hypothesis import strategies as st

from ehrtui.tui.layout import PANELS, SWITCHED, layout

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
