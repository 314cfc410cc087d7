"""Which chart rows have, and that it can be read in any width, without colour."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ehrtui.charts.asked import Asked, asked_of
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


BANDS = Asked(columns=2, keys=1, counts=True, widths=(10.0,))


def test_bands_that_were_counted_have_a_bar_each_as_long_as_they_have_people():
    columns, rows = ("age_from", "patients", "share"), [(20, 2, 10.0), (30, 8, 40.0), (50, 10, 50.0)]
    (chart,) = charts_of(columns, rows, BANDS)
    assert isinstance(chart, Histogram)
    assert (chart.edges, chart.counts) == ((20, 30, 40, 50, 60), (2, 8, 0, 10))
    assert chart.rows == (0, 1, None, 2)
    title, *bars = drawn(chart, 60, 20).splitlines()
    assert title == "patients by age"
    assert [(bar[:7], bar.split()[-1]) for bar in bars] == [
        ("20 – 30", "2"), ("30 – 40", "8"), ("40 – 50", "0"), ("50 – 60", "10")
    ]  # fmt: skip


def test_a_histogram_that_was_counted_is_drawn_as_it_was():
    rows = [(0.0, 5.0, 3, 30.0), (5.0, 10.0, 5, 50.0), (15.0, 20.0, 2, 20.0), (None, None, 4, None)]
    asked = asked_of("histogram of (age of first hospital stay) of (patients)", 4)
    (chart,) = charts_of(("from", "to", "patients", "percent"), rows, asked)
    assert isinstance(chart, Histogram)
    assert (chart.edges, chart.counts) == ((0, 5, 10, 15, 20), (3, 5, 0, 2))
    assert drawn(chart, 60, 20).startswith("patients (and 4 without a value) by first hospital stay age")


def test_numbers_of_groups_are_bars_with_the_names_of_all_their_keys():
    asked = Asked(columns=3, keys=2, widths=(None, 20.0))
    (chart,) = charts_of(("sex", "age_from", "mean"), [("f", 0, 1.5), ("f", 20, 2.5), ("m", 0, 3.5)], asked)
    assert isinstance(chart, Bars)
    assert (chart.labels, chart.values) == (("f, 0 – 20", "f, 20 – 40", "m, 0 – 20"), (1.5, 2.5, 3.5))


def test_far_apart_bands_are_bars_and_not_a_thousand_empty_ones():
    (chart,) = charts_of(("length_from", "stays"), [(0, 5), (10, 3), (1_000_000, 1)], BANDS)
    assert isinstance(chart, Bars)
    assert chart.labels[-1] == "1e+06 – 1.00001e+06"


def test_counts_that_are_hidden_are_said_and_no_names():
    (chart,) = charts_of(("age_from", "patients"), [(20, "<5"), (30, 8), (40, 9)], BANDS)
    assert isinstance(chart, Histogram)
    assert (chart.counts, chart.hidden) == ((0, 8, 9), ((0, "<5"),))
    assert "20 – 30: <5" in drawn(chart, 60, 9)
    (chart, *_) = charts_of(("name", "n"), [("a", 9), ("b", "<5"), ("c", 7)])
    assert isinstance(chart, Bars)
    assert chart.labels == ("a", "b: <5", "c")


def test_values_of_many_people_are_spread_and_not_joined_to_a_line():
    rows = [(at % 7 + 0.5, at, day) for at, day in enumerate(DAYS)]
    histogram, points = charts_of(("length", "hadm_id", "admittime"), rows, Asked(columns=1, units=("days",)))
    assert isinstance(histogram, Histogram)
    assert histogram.what == "length, days"
    assert isinstance(points, Lines)
    assert not points.joined


def test_values_with_their_groups_are_boxes_whatever_stands_beside_them():
    rows = [(at, "fm"[at % 2], day) for at, day in enumerate(DAYS)]
    assert charts_of(("valuenum", "gender", "charttime"), rows, Asked(columns=2))[0].kind == "boxes"
    assert charts_of(("valuenum", "gender", "charttime"), rows, Asked(columns=3))[0].kind == "lines"


def test_values_of_people_by_their_numbers_are_spread_first():
    kinds = [chart.kind for chart in charts_of(("subject_id", "age"), [(at, 30 + at) for at in range(20)])]
    assert kinds == ["histogram", "bars"]


def test_lines_far_from_each_other_have_scales_of_their_own_and_the_same_times():
    rows = [(name, high + at / 10, day, "meq/l") for name, high in (("sodium", 138), ("potassium", 4)) for at, day in
            enumerate(DAYS[: 10 if name == "sodium" else 5])]  # fmt: skip
    (chart,) = charts_of(("name", "valuenum", "charttime", "valueuom"), rows)
    assert isinstance(chart, Lines)
    assert chart.scales
    lines = drawn(chart, 70, 20).splitlines()
    assert [line for line in lines if "meq/l" in line] == ["sodium, meq/l", "potassium, meq/l"]
    assert ["2104-06-10" in line for line in lines] == [False] * (len(lines) - 1) + [True]
    assert len({line.index("└") for line in lines if "└" in line}) == 1  # the same times below each other
    (near,) = charts_of(*TWO)
    assert isinstance(near, Lines)
    assert not near.scales


def test_lines_below_each_other_fit_in_few_lines():
    rows = [(name, high + at / 10, day) for name, high in (("sodium", 138), ("potassium", 4))
            for at, day in enumerate(DAYS)]  # fmt: skip
    (chart,) = charts_of(("name", "valuenum", "charttime"), rows)
    assert len(drawn(chart, 78, 11).splitlines()) == 11


def test_the_axis_says_in_words_what_was_measured():
    asked = asked_of('value, time of lab "sodium" for patient 7', 2)
    (chart,) = charts_of(("valuenum", "charttime", "valueuom"), [(at, day, "meq/l") for at, day in enumerate(DAYS)],
                           asked)  # fmt: skip
    assert chart.what == "sodium, meq/l"


def test_each_column_has_the_unit_that_query_logic_tells():
    assert asked_of("gender, length of admission", 2).units == ("", "days")
    assert asked_of("mean length of admission by admission type", 2).units == ("", "days")


@pytest.mark.parametrize(
    ("logic", "told"),
    [
        ("count of patients by bands of 10 of (age of first hospital stay)", (1, True, (10,))),
        ("count of patients by gender, bands of 20 of (age of first hospital stay)", (2, True, (None, 20))),
        ("mean length of hospital stays by bands of 20 of age", (1, False, (20,))),
        ("patients", (0, False, ())),
        ("no logic at all (", (0, False, ())),
        ("", (0, False, ())),
    ],
)
def test_query_logic_tells_keys_and_bands(logic, told):
    asked = asked_of(logic, 3)
    assert (asked.keys, asked.counts, asked.widths) == told


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


def test_values_of_several_people_make_no_line():
    rows = [("sodium", 140.0 + at % 5, day, at % 2) for at, day in enumerate(DAYS)]
    asked = asked_of('name, value, time, patient of lab "sodium"', 4)
    columns = ("name", "valuenum", "charttime", "subject_id")
    assert charts_of(columns, rows, asked)[0].kind != "lines"
    assert not any(isinstance(chart, Lines) and chart.joined for chart in charts_of(columns, rows, asked))
    assert charts_of(columns, [(*row[:3], 7) for row in rows], asked)[0].kind == "lines"


def test_shares_with_their_intervals_are_bars_that_show_both():
    asked = asked_of("prevalence of (with deaths) in patients by insurance", 6)
    columns = ("insurance", "cases", "patients", "percent", "low", "high")
    rows = [("medicaid", 3, 4, 75.0, 30.0, 95.0), ("private", 2, 8, 25.0, 7.0, 59.0), ("none", 1, 3, None, None, None)]
    shares, cases = charts_of(columns, rows, asked)
    assert isinstance(shares, Bars)
    assert shares.what == "percent with death by insurance, with 95 % intervals"
    assert (shares.values, shares.limits) == ((75.0, 25.0), ((30.0, 95.0), (7.0, 59.0)))
    title, first, second = drawn(shares, 60, 20).splitlines()
    assert first.endswith("┤ 75 (30 – 95)")
    assert second.endswith("┤ 25 (7 – 59)")
    assert first.index("├") < first.index("┼") < first.index("┤")
    assert max(map(len, (title, first, second))) <= 60
    assert cases.what == "cases by insurance"


def test_each_number_of_several_cohorts_has_bars():
    logic = 'count, mean length of each of (hospital stays with labs) as "a", (hospital stays) as "b"'
    columns, rows = ("cohort", "hospital_stays", "mean_length"), [("a", 9, 4.5), ("b", 12, 3.5)]
    counts, means = charts_of(columns, rows, asked_of(logic, 3))
    assert (counts.values, means.values) == ((9, 12), (4.5, 3.5))


@pytest.mark.parametrize(
    ("logic", "columns", "title"),
    [
        ("mean length of admission by insurance", ("insurance", "mean"), "mean length of stay by insurance, days"),
        ('mean value of lab "sodium" by gender', ("gender", "mean"), "mean sodium by gender"),
        ("percent (hospital death = 1) of hospital stays by insurance", ("insurance", "percent"),
         "percent hospital death by insurance"),
        ("count patients by gender", ("gender", "patients"), "patients by gender"),
    ],
)  # fmt: skip
def test_a_number_of_groups_is_named_in_words(logic, columns, title):
    (chart,) = charts_of(columns, [("a", 3.5), ("b", 4.5)], asked_of(logic, 2))
    assert chart.what == title


def test_numbers_far_off_are_counted_outside_the_bands():
    (chart,) = charts_of(("value",), [(0.5 + at % 40 / 10,) for at in range(200)] + [(138.0,), (-50.0,)])
    assert isinstance(chart, Histogram)
    assert chart.outside == (1, 1)
    assert sum(chart.counts) == 200
    assert chart.edges[-1] < 6
    _, first, *_, last = drawn(chart, 60, 40).splitlines()
    assert first.strip().startswith("below 0")
    assert last.strip().startswith("from 4.5")


def test_the_unit_that_all_values_have_is_said():
    rows = [("creatinine", 0.5 + at / 10, "mg/dl", day, at) for at, day in enumerate(DAYS)]
    charts = charts_of(("name", "valuenum", "valueuom", "charttime", "subject_id"), rows,
                       asked_of('name, value of lab "creatinine"', 2))  # fmt: skip
    assert {chart.what for chart in charts} == {"creatinine, mg/dl"}


@pytest.mark.parametrize(
    ("units", "title"),
    [(("mg/dl", "mg/dl"), "mean creatinine by gender, mg/dl"), (("mg/dl", "mmol/l"), "mean creatinine by gender")],
)
def test_bars_have_the_unit_that_stands_beside_all_groups(units, title):
    rows = [("f", 1.2, 7, units[0], 7), ("m", 1.5, 9, units[1], 9)]
    mean, count = charts_of(("gender", "mean", "records", "unit", "n"), rows,
                            asked_of('mean value, count of lab "creatinine" by gender', 3))  # fmt: skip
    assert mean.what == title
    assert "mg" not in count.what


def test_a_line_of_groups_has_the_unit_that_stands_beside_them():
    rows = [(f"2104-0{month}", 1.0 + month / 10, "mg/dl", 9) for month in range(1, 7)]
    (chart,) = charts_of(("month", "mean", "unit", "records"), rows,
                         asked_of('mean value of lab "creatinine" by month of time', 2))  # fmt: skip
    assert isinstance(chart, Lines)
    assert chart.what == "mean creatinine, mg/dl"
    assert [line.name for line in chart.series] == [""]
