"""Who had the highest value is one: a value of each patient is not what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, Picked, Rows, Set, Statement
from ehrtui.planning.reader.lexing import Lexed

_LOST = 2.0
"""What it costs that each of them is told where the one is asked for."""
_ONE = {"patient", "person", "admission", "stay", "visit", "encounter"}
_HAVING = {"with", "having", "who"}
_ASKED = ("one", "patient", "person", "of")
_OF_EACH = {"each", "every", "per", "by", "all", "any", "and"}


def one_lost(statement: Statement, one: Lexed) -> Iterator[tuple[float, str]]:
    """The price of a table of everybody's extreme where it is asked whose was the highest, with its name."""
    match statement:
        case Rows(of=Set(unit=unit, pick=None), columns=columns, order=None) if unit in (PATIENT, HOSPITAL, ICU):
            extreme = any(isinstance(each, Picked) and _is_extreme(each) for each in columns)
            if extreme and _asks_for_one(one.words) and any(node.kind == "superlative" for node in one.nodes):
                yield _LOST, "one-lost"


def _is_extreme(picked: Picked) -> bool:
    return picked.of.pick is not None and picked.of.pick.by is not None


def _asks_for_one(words: Sequence[str]) -> bool:
    """True for "who had the …", "which of them had the …", "patient with the …"."""
    if not _OF_EACH.isdisjoint(words):
        return False
    if words[:1] == ("who",) or (words[:1] == ("which",) and words[1:2] and words[1] in _ASKED):
        return True
    return any(word in _ONE and not _HAVING.isdisjoint(words[at + 1 : at + 2]) for at, word in enumerate(words[:3]))
