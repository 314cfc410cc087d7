"""What query logic says of how an answer is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.algebra.render import render_statement
from ehrtui.planning.proposal import Proposal
from ehrtui.schema import profile as profiles
from ehrtui.schema.profile import read_profile
from ehrtui.session.draft import Kind
from ehrtui.session.told import one_value, told
from ehrtui.session.turn import Turn
from tests.logic.algebra.written import statements
from tests.small_mimic import NOW

NATIVE, EICU = (
    read_profile(Path(profiles.__file__).with_name("profiles") / f"{name}.toml")
    for name in ("mimic_iii_native", "eicu_ehrsql")
)


@pytest.fixture
def talk(mimic_path: Path) -> Iterator[Conversation]:
    conversation = start(str(mimic_path), now=NOW, save=False)
    yield conversation
    conversation.close()


def titles(talk: Conversation, text: str, kind: Kind = "logic") -> list[str]:
    return told(talk.run(talk.propose(text, kind)), talk.profile).titles


def said(talk: Conversation, text: str, kind: Kind = "logic") -> str:
    turn = talk.run(talk.propose(text, kind))
    (row,) = talk.shown_rows(turn.number, 0, 1)
    return told(turn, talk.profile).one(row).said


def test_columns_have_the_units_of_their_measures_asked_or_beside(talk: Conversation) -> None:
    assert titles(talk, "length of admission")[0] == "length, days"
    assert titles(talk, "mean length of admission by admission type")[:2] == ["admission_type", "mean, days"]
    assert "share, %" in titles(talk, "top 2 prescription")
    assert titles(talk, "percent (with deaths) of patients by gender")[1] == "percent"


@pytest.mark.parametrize(
    ("logic", "columns", "titles"),
    [
        ('mean value of vital "heart rate" by gender', ("gender", "mean"), ["gender", "mean, /min"]),
        ('count, median value of body "weight" by gender', ("gender", "n", "m"), ["gender", "n", "m, kg"]),
        ('maximum value of vital "temperature"', ("highest",), ["highest, °C"]),
        ('mean value of vital "heart rate" or "temperature" by gender', ("gender", "mean"), ["gender", "mean"]),
    ],
)
def test_values_have_the_unit_that_the_profile_knows(logic: str, columns: tuple[str, ...], titles: list[str]) -> None:
    proposal = Proposal("", "user", logic=logic)
    turn = Turn(1, "", "logic", "answered", proposal, "", None, (), "a1", columns, 2, "", 1.0, 1.0)
    assert told(turn, EICU).titles == titles


def test_a_single_value_is_named_in_english(talk: Conversation) -> None:
    assert said(talk, "mean length of admission").endswith(" days · mean length of hospital stays")
    assert said(talk, "percent (with deaths) of patients").endswith("% · percentage of patients who died")
    assert said(talk, "count of patients") == "5 patients"


def test_the_sides_of_a_ratio_are_named_in_english(talk: Conversation) -> None:
    women, men = ('count of (patients where gender = "female")', 'count of (patients where gender = "male")')
    turn = talk.run(talk.propose(f"({women}) / ({men})", "logic"))
    (row,) = talk.shown_rows(turn.number, 0, 1)
    assert told(turn, talk.profile).one(row).beside == ("number of female patients 3", "number of male patients 2")


def test_a_noun_that_would_be_long_goes_without_what_it_is_limited_to(talk: Conversation) -> None:
    limits = 'with prescription "aspirin" with (prescription "furosemide" since 2104)'
    long = f"mean length of (hospital stays {limits} for (patients {limits}))"
    assert said(talk, long).endswith(" days · mean length of hospital stays")


def test_a_share_or_a_ratio_is_never_named_without_its_conditions(talk: Conversation) -> None:
    share = 'percent (with (hospital stays where hospital death = 1)) of (patients where gender = "female")'
    assert said(talk, share).endswith("% · percent")
    ratio = "(count of (patients with deaths)) / (count of hospital stays)"
    assert said(talk, ratio).split(" ", 1)[1] == "ratio"


def test_of_sql_nothing_is_known(talk: Conversation) -> None:
    assert titles(talk, "SELECT 1.23456 AS share", "sql") == ["share"]
    assert said(talk, "SELECT 1.23456 AS share", "sql") == "1.23456 share"


def test_the_answer_of_another_reading_has_its_unit_too() -> None:
    assert one_value("mean length of admission", 7.395) == "7.39 days"
    assert one_value("", 7) == "7"


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(statements())
def test_one_value_of_any_statement_can_be_told(statement: Statement) -> None:
    proposal = Proposal("", "user", logic=render_statement(statement))
    turn = Turn(1, "", "logic", "answered", proposal, "", None, (), "a1", ("value",), 1, "", 1.0, 1.0)
    assert told(turn, NATIVE).one((1.5,)).said
    several = told(replace(turn, columns=("name", "value", "records"), row_count=9), NATIVE)
    assert len(several.titles) == 3
