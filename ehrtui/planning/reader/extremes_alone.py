"""The highest or the lowest value of some records, where nobody asks whose it is: a number, and no list of those who
share it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, UNITS, Aggregate, Own, Rows, Set, Single, Statement

_VALUE = Own("value")
_WHOSE = {
    *("who", "whose", "whom", "which", "patient", "person", "pt", "individual", "one", "when", "where", "list", "show"),
    *("anyone", "anybody", "someone", "stay", "admission", "encounter", "visit", "case", "their", "his", "her", "its"),
    *("each", "every", "per", "by", "distribution", "histogram", "spread", "mean", "average", "median", "number"),
}
"""Words that ask for more than the value."""


def as_number(statement: Statement, words: Collection[str]) -> Statement:
    """The highest or lowest value alone ("highest lactate ever recorded"), where its record was read with whose it is;
    any other statement as it is."""
    match statement:
        case Rows(of=Set(pick=pick) as of, columns=columns) if pick is not None and of.unit not in UNITS:
            whole = pick.nth == 1 and pick.by == _VALUE and pick.per == "all" and not pick.through
            if whole and set(columns) == {Own(PATIENT), _VALUE} and _WHOSE.isdisjoint(words):
                values = replace(of, pick=None)
                return Single((Aggregate("maximum" if pick.descending else "minimum", values, _VALUE),))
    return statement
