"""The one stay that an answer was about, and those beside it: "how long was it?", "what about the one before?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, Of, Rows, Set, Statement
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.pointing import STAY_NOUNS
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import person_in, subject_of
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import length_of, limited
from ehrtui.planning.reader.numbers import unit_said

_LASTING = {"how", "long", "did", "last", "lasted", "take", "days", "hours", "minutes", "he", "she", "hospital",
            "icu"} | STAY_NOUNS  # fmt: skip
_IT = {"it", "that", "this", "then", "there"}
_BEFORE, _AFTER = {"before", "previous", "preceding", "prior", "earlier"}, {"after", "next", "following", "subsequent"}
_OPENING = {"about", "how", "during", "same", "her", "his", "hospital", "icu"}


def length_of_stay(one: Lexed, statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    """How long the one stay was that the answer was about."""
    words = {*one.words}
    if not {"how", "long"} <= words or not covers(one, _LASTING, ()):
        return None
    the_stay = "the" in words and bool(words & STAY_NOUNS)
    stay = _stay_in(statement, earlier) if words & _IT or the_stay else None
    if stay is None and (the_stay or words & STAY_NOUNS & words & _IT):
        stay = _of_all(statement, earlier)
    unit = unit_said(one.words)
    if stay is None:
        return None
    about = rows_about(statement)
    person = person_in(about) if about is not None else None
    if person is not None and person_in(stay) is None:
        stay = limited(stay, Of(person))
    return Rows(stay, (length_of(unit or "day"),))


def neighbour(one: Lexed, statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    """The same of the stay before or after the one that the answer was about."""
    words = {*one.words}
    before, after = bool(words & _BEFORE), bool(words & _AFTER)
    if before == after or not words & (STAY_NOUNS | {"one"}):
        return None
    if not covers(one, _BEFORE | _AFTER | _OPENING | STAY_NOUNS, ()):
        return None
    whole, stay = alone_if_near(statement, earlier), _stay_in(statement, earlier)
    if whole is None or stay is None or stay.pick is None:
        return None
    nth = stay.pick.nth + (1 if before == stay.pick.descending else -1)
    if nth < 1:
        return None
    other = replace(stay, pick=replace(stay.pick, nth=nth))
    return mapped(whole, lambda node: other if node == stay else node)


def _stay_in(statement: Statement, earlier: Mapping[int, Statement]) -> Set | None:
    """The one stay, in the order of a patient's stays, that a statement is about."""
    whole = alone_if_near(statement, earlier)
    found = {node for node in walk(whole) if isinstance(node, Set) and _is_one_stay(node)}
    return found.pop() if len(found) == 1 else None


def _of_all(statement: Statement, earlier: Mapping[int, Statement]) -> Set | None:
    """The one stay, the first of all by some number, that a statement is about."""
    whole = alone_if_near(statement, earlier)
    found = {node for node in walk(whole) if isinstance(node, Set) and node.unit in (HOSPITAL, ICU) and node.pick}
    subject = subject_of(0, statement) if not found else None
    one = found.pop() if len(found) == 1 else subject.of if subject is not None else None
    if one is None or one.unit not in (HOSPITAL, ICU):
        return None
    pick = one.pick
    return one if pick is not None and pick.per == "all" and not pick.through else None


def _is_one_stay(of: Set) -> bool:
    return of.unit in (HOSPITAL, ICU) and of.pick is not None and of.pick.by is None and not of.pick.through
