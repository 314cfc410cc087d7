"""Which chart rows have, and that it can be read in any width, without colour."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ehrtui.charts.drawing import drawn
from ehrtui.charts.shapes import Bars, Boxes, Histogram, Lines, charts_of

DAYS = [f"2104-06-{day:02d} 08:00:00" for day in range(1, 11)]
RANKING = (("name", "records", "share"), [("sodium", 83, 4.2), ("potassium", 62, 3.1), ("glucose", 0, 0.0)])
VALUES = (("charttime", "valuenum"), [(day, 3.5 + at) for at, day in enumerate(DAYS)])
TWO = (("charttime", "label", "valuenum"), [(day, name, 4.0) for day in DAYS for name in ("sodium", "potassium")])
AGES = (("age",), [(20 + at,) for at in range(60)])
GROUPS = (("gender", "value"), [("fm"[at % 2], at) for at in range(20)])


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        (RANKING, ["bars"]),
        (VALUES, ["lines", "histogram"]),
        (TWO, ["lines"]),
        (AGES, ["histogram"]),
        (GROUPS, ["boxes"]),
        ((("subject_id",), [(at,) for at in range(9)]), []),
        ((("person_sk", "mrn"), [(50_061, "LK1"), (50_134, "LK2"), (50_217, "LK3")]), []),
        ((("patientunitstayid", "name"), [(50_061, "a"), (50_134, "b"), (50_217, "c")]), []),
        ((("subject_id", "length"), [(1, 2), (3, 4)]), ["bars"]),
        ((("name",), [("a",), ("b",)]), []),
        ((("n",), [(1,)]), []),
        ((("n",), []), []),
        ((("a", "b"), [("x", None), ("y", None)]), []),
        ((("n",), [(7,)] * 9), []),
        ((("month", "count"), [("2104-01", 3), ("2104-02", 4)]), ["lines"]),
    ],
)
def test_the_shape_of_the_rows_chooses(rows, kinds):
    assert [chart.kind for chart in charts_of(*rows)] == kinds


def test_a_line_is_in_the_order_of_time_and_its_unit_is_said():
    (chart, *_) = charts_of(("time", "value", "unit"), [(day, at, "mg") for at, day in reversed(list(enumerate(DAYS)))])
    assert isinstance(chart, Lines)
    assert chart.what == "value, mg"
    assert chart.series[0].values == tuple(range(10))


def test_bands_hold_every_value_once():
    (chart,) = charts_of(*AGES)
    assert isinstance(chart, Histogram)
    assert sum(chart.counts) == 60
    assert chart.edges[0] <= 20
    assert chart.edges[-1] > 79


def test_quartiles_are_those_of_each_group():
    (chart,) = charts_of(("ward", "stay"), [("a", at) for at in (1, 2, 3, 4, 5)] + [("b", 7)])
    assert isinstance(chart, Boxes)
    first, second = chart.boxes
    assert (first.least, first.lower, first.median, first.upper, first.greatest) == (1, 2, 3, 4, 5)
    assert (second.count, second.median) == (1, 7)


def test_bars_say_their_numbers_and_are_as_long_as_they_are_large():
    _, sodium, potassium, glucose = drawn(charts_of(*RANKING)[0], 60, 20).splitlines()
    assert (sodium.split()[-1], potassium.split()[-1], glucose.split()[-1]) == ("83", "62", "0")
    assert sodium.count("█") > potassium.count("█") > glucose.count("█") == 0


def test_lines_are_told_apart_by_marks():
    said = drawn(charts_of(*TWO)[0], 70, 12)
    assert "● sodium" in said
    assert "x potassium" in said
    assert "2104-06-01" in said


@pytest.mark.parametrize("rows", [RANKING, VALUES, TWO, AGES, GROUPS])
@pytest.mark.parametrize("width", [40, 80, 150])
@pytest.mark.parametrize("height", [6, 30])
def test_every_chart_fits_and_has_no_colour(rows, width, height):
    for chart in charts_of(*rows):
        lines = drawn(chart, width, height).splitlines()
        assert max(map(len, lines)) <= width
        assert len(lines) <= max(height, 7)
        assert "\x1b" not in "".join(lines)


def test_what_steers_a_terminal_is_shown_and_not_obeyed():
    (chart,) = charts_of(("name", "n"), [("a\x1b[2J", 1), ("b\nc", 2)])
    assert isinstance(chart, Bars)
    assert "\x1b" not in drawn(chart, 80, 9)
    assert len(drawn(chart, 80, 9).splitlines()) == 3


CELL = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False), st.text()
)


@settings(deadline=None)  # what draws lines is imported by the first
@given(st.lists(st.tuples(CELL, CELL), max_size=30))
def test_any_rows_have_charts_that_can_be_drawn_or_none(rows):
    for chart in charts_of(("a", "b"), rows):
        assert drawn(chart, 60, 12)


def test_time_to_an_event_is_drawn_in_steps_with_those_at_risk():
    rows = [
        ("a", 0.0, 20, 0, 100.0, None, None),
        ("a", 5.0, 9, 4, 50.0, 30.0, 70.0),
        ("a", 10.0, 1, 0, 50.0, 30.0, 70.0),
        ("b", 0.0, 10, 0, 100.0, None, None),
    ]
    (chart,) = charts_of(("cohort", "days", "at_risk", "events", "percent", "low", "high"), rows)
    assert chart.kind == "survival"
    for width, height in ((80, 24), (40, 12)):
        lines = drawn(chart, width, height).split("\n")
        assert max(map(len, lines)) <= width
        assert "● a  x b" in lines[0]
        (middle,) = (line for line in lines if line.startswith(" 50 %"))
        assert middle.endswith("●")
        assert lines[-2].split()[:2] == ["●", "20"]
        assert lines[-2].split()[-1] == "1"


def test_an_overlap_is_drawn_as_two_boxes_with_their_numbers():
    rows = [("x and y", 13, 31.7), ("x only", 11, 26.8), ("y only", 1700, 41.5)]
    (chart,) = charts_of(("part", "patients", "percent"), rows)
    for width in (80, 40):
        text = drawn(chart, width, 20)
        assert all(word in text for word in ("x: 24", "y: 1,713", " 11 ", "13 both", "1,700"))
        assert max(map(len, text.split("\n"))) <= width
    assert charts_of(("part", "patients", "percent"), [("x and y", "many", 1.0), *rows[1:]]) != (chart,)
