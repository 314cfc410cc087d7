"""How many records, "and in how many women": in how many of those who have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, UNITS, Aggregate, Has, Set, Single, Statement
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.meanings import limited

_IN = (("in", "how", "many"), ("among", "how", "many"), ("by", "how", "many"))


def of_those_counted(statement: Statement, words: Sequence[str]) -> Statement:
    """The statement whose second number is of the people who have one of the records that the first counts."""
    match statement:
        case Single(
            columns=(
                Aggregate(function="count", of=Set() as records, measure=None) as first,
                Aggregate(function="count", of=Set(unit=unit) as people, measure=None) as second,
            )
        ) if unit == PATIENT and records.unit not in UNITS and not any(isinstance(one, Has) for one in walk(people)):
            if any(three in _IN for three in zip(words, words[1:], words[2:], strict=False)):
                return Single((first, replace(second, of=limited(people, Has(records)))))
    return statement
