"""The highest or the lowest value of some records, where nobody asks whose it is: a number, and no list of those who
share it; and the longest of records, with how long it was."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, UNITS, Aggregate, Among, Of, Own, Pick, Rows, Set, Single, Statement
from ehrtui.planning.reader.meanings import parts_of

_VALUE = Own("value")
_WHOSE = {
    *("who", "whose", "whom", "which", "patient", "person", "pt", "individual", "one", "when", "where", "list", "show"),
    *("anyone", "anybody", "someone", "stay", "admission", "encounter", "visit", "case", "their", "his", "her", "its"),
    *("each", "every", "per", "by", "distribution", "histogram", "spread", "mean", "average", "median", "number"),
}
"""Words that ask for more than the value."""
_MORE_OF_IT = {"when", "where", "list", "show", "each", "every", "per", "by", "ever", "and", "times", "date", "dates"}
"""Words that ask for more of somebody's own."""


def as_number(statement: Statement, words: Collection[str]) -> Statement:
    """The highest or lowest value alone ("highest lactate ever recorded"), where its record was read with whose it is;
    any other statement as it is."""
    match statement:
        case Rows(of=Set(pick=pick) as of, columns=columns) if pick is not None and of.unit not in UNITS:
            end = pick.nth == 1 and pick.by == _VALUE and not pick.through
            alone = pick.per == "all" and set(columns) == {Own(PATIENT), _VALUE} and _WHOSE.isdisjoint(words)
            own = _of_one(of) and columns == (_VALUE,) and _MORE_OF_IT.isdisjoint(words)
            if end and (alone or own):
                values = replace(of, pick=None)
                return Single((Aggregate("maximum" if pick.descending else "minimum", values, _VALUE),))
    return statement


def with_its_length(statement: Statement) -> Statement:
    """The longest or shortest record with how long it was; any other statement as it is."""
    match statement:
        case Rows(of=Set(pick=Pick(by=Own("length"))) as of, columns=(Own("patient"), Own("name"))):
            if of.unit not in UNITS:
                return replace(statement, columns=(*statement.columns, Own("length")))
    return statement


def _of_one(of: Set) -> bool:
    """True for records of one patient who is named."""
    people = [part.of for part in parts_of(of.where) if isinstance(part, Of) and part.of.unit == PATIENT]
    return any(isinstance(one.where, Among) and len(one.where.values) == 1 for one in people)
