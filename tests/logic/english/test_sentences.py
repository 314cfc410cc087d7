"""The sentences of statements over all constructs, written out in the table beside this file."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.english.sentence import sentence
from ehrtui.logic.parse import parse
from ehrtui.schema import profile as profiles
from ehrtui.schema.profile import Profile, read_profile
from tests.logic.algebra.cases import cases

_TABLE = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
_ROWS = [(row["logic"], row["sentence"]) for row in _TABLE["row"]]
_FORMS = [(row["logic"], row["sentence"]) for row in _TABLE["form"]]


@pytest.fixture(scope="module")
def native() -> Profile:
    return read_profile(Path(profiles.__file__).with_name("profiles") / "mimic_iii_native.toml")


@pytest.mark.parametrize(("logic", "said"), _ROWS, ids=[logic for logic, _ in _ROWS])
def test_what_a_statement_says(native: Profile, logic: str, said: str) -> None:
    assert sentence(parse_statement(logic), native) == said


@pytest.mark.parametrize(("logic", "said"), _FORMS, ids=[logic for logic, _ in _FORMS])
def test_what_a_form_of_the_offline_planner_says(native: Profile, logic: str, said: str) -> None:
    assert sentence(parse(logic), native) == said


def test_no_two_statements_of_the_table_say_the_same() -> None:
    assert max(Counter(said for _, said in _ROWS).values()) == 1


def test_statements_that_are_not_the_same_are_not_said_alike(native: Profile) -> None:
    said: dict[str, str] = {}
    for case in [*cases("native"), *cases("units")]:
        logic = case.logic.replace("{hadm}", "1").replace("{icu}", "2")
        text = sentence(parse_statement(logic), native)
        assert said.setdefault(text, logic) == logic
