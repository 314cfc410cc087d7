"""How old those of an answer were, each told once: "list them with age and sex". A database has an age for each stay;
meant is that at the stays for which the people were found."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, PATIENT, InAnswer, Of, Own, Rows, Set, Statement
from ehrtui.planning.follow.pointing import STAY_NOUNS
from ehrtui.planning.reader.meanings import every, maybe, parts_of
from ehrtui.planning.reader.traits import at_the_stay
from ehrtui.planning.reader.world import World

_AGE = Own("age")
_OF_PEOPLE = {Own("id"), Own(PATIENT), _AGE, Own("gender"), Own("name"), Own("ethnicity"), Own("race")}
_AT_STAYS = {*STAY_NOUNS, "each", "when", "admitted", "time"}


def ages_told(statement: Statement, words: Collection[str], before: Statement, world: World) -> Statement:
    """The ages of people, of whom the answer `before` was, where their stays were listed for no other reason than that
    these tell them."""
    if not isinstance(statement, Rows) or statement.of.unit != HOSPITAL or statement.of.pick is not None:
        return statement
    of, columns = statement.of, statement.columns
    if _AGE not in columns or not _OF_PEOPLE.issuperset(columns) or not _AT_STAYS.isdisjoint(words):
        return statement
    told = (Own(PATIENT), *(one for one in columns if one not in (Own("id"), Own(PATIENT))))
    if isinstance(of.where, Of) and of.where.of.unit == PATIENT and of.where.of.pick is None:
        return replace(statement, of=_found_at(of.where.of, world), columns=told, distinct=True)
    if isinstance(before, Rows) and before.distinct and Own(PATIENT) in before.columns:
        return replace(statement, columns=told, distinct=True)
    return statement


def _found_at(whom: Set, world: World) -> Set:
    """The stays at which people were found, as far as what is said of them happened at a stay; all of theirs else."""
    parts = parts_of(whom.where)
    there = [part for part in parts if at_the_stay(world, part, HOSPITAL)]
    rest = [part for part in parts if part not in there]
    if not there or any(isinstance(part, InAnswer) for part in rest):
        return Set(HOSPITAL, (), Of(whom))
    return Set(HOSPITAL, (), every([*there, *([Of(Set(PATIENT, (), maybe(rest)))] if rest else [])]))
