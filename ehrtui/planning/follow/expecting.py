"""What the words of a follow-up expect of its answer, whatever was read of them: some of those of before, a figure for
each of two groups, other rows than those that are known already."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import PATIENT, UNITS, Groups, Single, Statement
from ehrtui.logic.words import turns_of
from ehrtui.logic.written import statement_of
from ehrtui.planning.follow.pointing import is_definite
from ehrtui.planning.follow.subject import Subject, is_about
from ehrtui.planning.reader.about import rows_about

_COUNTED = re.compile(r"count rows of A(\d+)")
_SEVERAL = {"both", "each", "two", "either"}
_GROUPS = {"groups", "group", "cohorts", "arms"}
_PEOPLE = {"patients", "people", "pts"}
_AGAIN = {"back", "again", "repeat", "return", "redo", "rerun"}


def unmet(words: Sequence[str], logic: str, earlier: Mapping[int, Statement]) -> tuple[str, ...]:
    """The words that expect something of an answer which query logic does not give."""
    try:
        statement = statement_of(logic)
    except LogicError:
        return ()
    found: list[str] = []
    for at in range(len(words)):
        if is_definite(words, at) and not (turns_of(logic) or _is_of_earlier(statement, earlier)):
            found += words[at : at + 2]
    if not (_SEVERAL.isdisjoint(words) or _GROUPS.isdisjoint(words)) and not _tells_several(statement):
        found += [word for word in words if word in _SEVERAL | _GROUPS]
    if (rows := _COUNTED.fullmatch(logic)) and not _PEOPLE.isdisjoint(words):
        of = rows_about(earlier[int(rows[1])]) if int(rows[1]) in earlier else None
        if of is not None and of.unit != PATIENT:
            found += [word for word in words if word in _PEOPLE]
    return tuple(found)


def says_nothing_new(words: Sequence[str], logic: str, known: Mapping[str, str], question: str) -> bool:
    """True for query logic by which another question was answered: the `known` ones, each with its question."""
    before = known.get(logic)
    return before is not None and before.lower() != question.lower() and _AGAIN.isdisjoint(words)


def _is_of_earlier(statement: Statement, earlier: Mapping[int, Statement]) -> bool:
    told = ((turn, rows_about(one)) for turn, one in earlier.items())
    return any(is_about(statement, Subject(turn, of)) for turn, of in told if of is not None and of.unit in UNITS)


def _tells_several(statement: Statement) -> bool:
    """True for an answer of several figures."""
    match statement:
        case Single(columns=columns):
            return len(columns) > 1
        case Groups():
            return True
    return not isinstance(statement, Single)
