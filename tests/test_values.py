"""How values are written for people: with units, counts in groups of digits, what was reckoned with two decimals."""

from __future__ import annotations

import pytest

from ehrtui.values import COUNT, PERCENT, STORED, Kind, Spelling, Told, Value, as_stored, value_text


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (7.395267754845974, "reckoned", "7.40"),
        (4.0, "reckoned", "4.00"),
        (0.0, "reckoned", "0.00"),
        (0.0012345, "reckoned", "0.00123"),
        (-0.5, "reckoned", "-0.50"),
        (12345.678, "reckoned", "12,345.68"),
        (3, "reckoned", "3"),
        (120237, "total", "120,237"),
        (120237.0, "total", "120,237"),
        (120237.25, "total", "120,237.25"),
        (1069, "count", "1,069"),
        (1069, "stored", "1069"),
        (4.1916666, "stored", "4.19167"),
        (None, "reckoned", "NULL"),
        ("a\nb", "reckoned", "a␊b"),
        (float("inf"), "reckoned", "inf"),
    ],
)
def test_a_number_is_written_as_what_it_is(value: Value, kind: Kind, text: str) -> None:
    assert value_text(value, kind) == text


def test_the_unit_of_a_column_stands_in_its_title_unless_that_is_its_name() -> None:
    days = Spelling("reckoned", "days")
    told = Told(("name", "length", "days", "share", "percent_died"), (STORED, days, days, PERCENT, PERCENT))
    assert told.titles == ["name", "length, days", "days", "share, %", "percent_died"]


def test_a_single_value_has_its_unit_its_noun_and_what_it_rests_on() -> None:
    columns = ("mean", "hospital_stays", "patients", "charttime")
    told = Told(columns, (Spelling("reckoned", "days"), COUNT, COUNT, STORED), "mean length of hospital stays")
    one = told.one((7.395, 1106, 1, "2105-01-01"))
    assert one.short == "7.39 days"
    assert (one.within(9), one.within(8)) == ("7.39 days", "7.39")
    assert one.said == "7.39 days · mean length of hospital stays"
    assert one.beside == ("1,106 hospital stays", "1 patient", "charttime 2105-01-01")
    assert told.one((None, 0, 0, None)).short == "NULL"


def test_the_unit_that_stands_beside_a_value_is_its_unit() -> None:
    one = as_stored(("valuenum", "valueuom", "charttime")).one((1.5, "mg/dl", "2105-01-01"))
    assert (one.said, one.beside) == ("1.5 mg/dl · valuenum", ("charttime 2105-01-01",))


def test_a_count_is_said_with_what_it_counts() -> None:
    told = Told(("hospital_stays",), (COUNT,))
    assert [told.one((number,)).said for number in (55, 1)] == ["55 hospital stays", "1 hospital stay"]
    assert as_stored(("n",)).one((7,)).said == "7 n"
