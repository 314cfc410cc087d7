"""Lengths by care unit: "the average stay by care unit" is of the stays there, and not of whole hospital stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import ICU, Aggregate, Groups, Own, Set, Statement

FIRST_UNIT = Own("first care unit")
_OF_HOSPITAL = {"hospital", "hospitals", "admission", "admissions"}


def of_units(statement: Statement, words: Sequence[str]) -> Statement:
    """The lengths of ICU stays, where those of hospital stays stand in groups by their care units and the words do not
    say that these are meant."""
    match statement:
        case Groups(of=Set(unit="hospital stay", where=None) as of, by=keys) if not _OF_HOSPITAL & set(words):
            length = any(isinstance(one, Aggregate) and one.measure == Own("length") for one in statement.columns)
            if length and all(key in (FIRST_UNIT, Own("last care unit")) for key in keys):
                return replace(statement, of=replace(of, unit=ICU))
    return statement
