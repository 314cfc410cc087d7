"""Who comes next in a ranking of which the first was told: "and the runner-up?", "who comes second, and with how
much?", "the next one?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import UNITS, Own, Pick, Rows, Set, Statement
from ehrtui.planning.follow.earlier import newest_first
from ehrtui.planning.follow.one_of_stays import PLACES
from ehrtui.planning.follow.pointing import STAY_NOUNS
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.lexing import Lexed

_UP = {"runner", "runners"}
_COMING = {"place", "comes", "came", "come", "rank", "ranks", "ranked", "highest", "most", "largest", "longest",
           "lowest", "expensive", "spot", "biggest"}  # fmt: skip
_NEXT = {"next", "after"}
_ASKING = {"who", "whose", "how", "much", "about", "cost", "costs", "did", "long", "many", "with", "patient", "person",
           "up", "-", "value", "number", "amount", "total", "sum", "behind", "him", "her", "age", "be", "would",
           "icu", "hospital", "had", "has"} | STAY_NOUNS  # fmt: skip
_REACH = 8
"""Answers: so far back the ranking may lie of which the runner-up is asked for."""


def runner_up(one: Lexed, statement: Statement, *, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """The patient or stay that comes next behind the first of a ranking, or in the place that is said."""
    said = {*one.words}
    second, following = bool(said & _UP), said & _NEXT
    places = {PLACES[word] for word in said & {*PLACES} if PLACES[word] > 1}
    if not (second or places or following) or (said & {*PLACES} and not places):
        return None
    if not covers(one, _UP | _COMING | _NEXT | _ASKING | {*PLACES}, ()):
        return None
    told = second or (bool(places) and bool(said & _COMING))
    for turn in newest_first(earlier, latest, _REACH if told else 1):
        ranking = _ranking(earlier[turn])
        if ranking is not None:
            pick = ranking.of.pick
            assert pick is not None
            nth = 2 if second else places.pop() if places else pick.nth + 1
            return replace(ranking, of=replace(ranking.of, pick=replace(pick, nth=nth)))
    return None


def _ranking(statement: Statement) -> Rows | None:
    """The first patient or stay of all in an order by a number, as one that is picked."""
    match statement:
        case Rows(of=Set(unit=unit, pick=None) as of, order=order) if order is not None and order.first == 1:
            if unit in UNITS and not statement.distinct and not order.each and not isinstance(order.by, Own):
                pick = Pick(1, order.by, order.descending, "all")
                return replace(statement, of=replace(of, pick=pick), order=None)
            if unit in UNITS and order.by == Own("length"):
                return replace(statement, of=replace(of, pick=Pick(1, order.by, order.descending, "all")), order=None)
        case Rows(of=Set(unit=unit, pick=Pick(by=by, per="all", through=False)), columns=columns, order=None):
            return statement if unit in UNITS and by is not None and by in columns else None
    return None
