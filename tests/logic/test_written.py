"""The forms of the planner and the algebra are one language to whoever writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import Groups, Own, PartOf, Rows
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.written import statement_of, written
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile
from tests.logic.test_compile import rows_of
from tests.small_mimic import NOW


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    from tests import small_mimic

    engine = open_engine(str(small_mimic.build(tmp_path_factory.mktemp("written") / "ehr.sqlite")))
    found = load_profile(engine.schema(), engine.read)
    engine.close()
    return found


@pytest.mark.parametrize(
    "text",
    [
        'count patients with (prescription "aspirin")',
        "mean length of hospital stays by insurance",
        "for each patient with at least 2 hospital stays: id, count of hospital stays",
        "top 2 diagnosis",
    ],
)
def test_either_way_of_writing_has_rows(mimic_path: Path, profile: Profile, text: str) -> None:
    found = written(text, profile, now=NOW, turns={})
    assert rows_of(mimic_path, flat_sql(found.steps))
    assert written(found.text, profile, now=NOW, turns={}) == found


@pytest.mark.parametrize(
    ("text", "says", "position"),
    [
        ("mean length of hospital stays by insuranc", "no “insuranc”", None),
        ("count patients with (prescription", "cannot be read at the end", 33),
        ("for each patient: shoe size", "no “shoe size”", None),
    ],
)
def test_what_is_wrong_is_said_of_the_reading_that_came_farther(
    profile: Profile, text: str, says: str, position: int | None
) -> None:
    with pytest.raises(LogicError, match=says) as error:
        written(text, profile, now=NOW, turns={})
    if position is not None:
        assert error.value.position == position


@pytest.mark.parametrize("named", ['concept "diabetes"', 'code "250.*"', 'like "dia*"'])
def test_what_names_records_is_no_part_of_their_kind(named: str) -> None:
    found = statement_of(f"name of diagnosis {named}")
    assert isinstance(found, Rows)
    assert found.of.unit == "diagnosis"


def test_what_is_listed_once_is_no_field_of_that_name() -> None:
    found = statement_of("distinct route of prescription where dose > 1")
    assert isinstance(found, Rows)
    assert found.distinct
    assert found.columns == (Own("route"),)


def test_a_part_of_a_time_is_no_field_of_that_name() -> None:
    found = statement_of('mean value of lab "lactate" since 2104 by year of time')
    assert isinstance(found, Groups)
    assert found.by == (PartOf("year", Own("time")),)
