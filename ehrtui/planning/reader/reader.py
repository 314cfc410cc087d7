"""The reader: a question in people's own words, as readings of the algebra with their prices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.check import check
from ehrtui.logic.algebra.concepts import with_meanings
from ehrtui.logic.algebra.model import Own, Picked, Rows, Set, Single, Statement
from ehrtui.logic.nodes import walk
from ehrtui.planning.offline.words import Text
from ehrtui.planning.reader import (  # noqa: F401  register their rules
    attribute_rules,
    death_causes,
    event_rules,
    first_values,
    gone_home,
    icu_returns,
    incident,
    joining_rules,
    listed_values,
    never_beyond,
    not_then,
    observed,
    overlaps,
    people_rules,
    principal,
    reasons,
    record_lengths,
    registers,
    stay_rules,
    swings,
    time_rules,
    two_sides,
)
from ehrtui.planning.reader.aged_then import aged_then, aged_when_admitted, asks_age, asks_then, tells_age
from ehrtui.planning.reader.asking import WHEN_LOST, Asked, asked, asks_again_when, tells_when
from ehrtui.planning.reader.care_units import of_units
from ehrtui.planning.reader.chart import Chart, Node
from ehrtui.planning.reader.charted_texts import told_in_words
from ehrtui.planning.reader.contradictions import contradictory, met_by_all
from ehrtui.planning.reader.ed_stays import of_the_department
from ehrtui.planning.reader.further import asks_further
from ehrtui.planning.reader.grammar import Context, grammar
from ehrtui.planning.reader.grown_from import grown_lost
from ehrtui.planning.reader.in_how_many import of_those_counted
from ehrtui.planning.reader.inpatient_returns import of_inpatients
from ehrtui.planning.reader.latest_limited import of_the_latest
from ehrtui.planning.reader.lexing import Lexed, lexed
from ehrtui.planning.reader.named_cohorts import cohort_nodes
from ehrtui.planning.reader.naming_again import counted_as_named, with_named
from ehrtui.planning.reader.never_beyond import always_lost
from ehrtui.planning.reader.of_their_stay import aged_at_it, of_stays_then, of_their_stay
from ehrtui.planning.reader.one_asked import one_lost
from ehrtui.planning.reader.own_admission import of_own_admission
from ehrtui.planning.reader.percentiles import with_percentiles
from ehrtui.planning.reader.picks_of_stays import counted_as_a_whole, of_one_in_all, picked_in_each
from ehrtui.planning.reader.reasons_given import of_those_with_reasons
from ehrtui.planning.reader.same_stay import in_the_same_stay
from ehrtui.planning.reader.so_far import until_now
from ehrtui.planning.reader.soon_after import from_the_first, of_the_named
from ehrtui.planning.reader.stay_asked import of_the_stay_asked
from ehrtui.planning.reader.stays_there import alone_there
from ehrtui.planning.reader.their_first import of_one_each, of_what_they_have
from ehrtui.planning.reader.tied_returns import from_there, within_the_stay
from ehrtui.planning.reader.time_insured import time_insured
from ehrtui.planning.reader.unnamed_records import told_by_number
from ehrtui.planning.reader.untold import EVERYTHING, QUESTION, untold
from ehrtui.planning.reader.within_the_time import within_the_time
from ehrtui.planning.reader.word_prices import PRICES
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of

_MOST_READ = 12
"""Covers: so many of the cheapest are put together as statements."""
_IMPOSSIBLE = 2.5
"""What a reading costs that no row can meet."""
_THEN_LOST, _AGE_LOST, _FURTHER_LOST = 1.6, 2.0, 1.6
"""What it costs that ages are those now, or at a stay, where they are asked for at something that happened."""
_MOST_SHOWN = 8
"""Readings: so many of the cheapest are offered."""
_FARTHEST = 3.0
"""A reading that costs so much more than the cheapest is not meant."""


@dataclass(frozen=True)
class Read:
    """A reading: its statement, its price, what the price was paid for, the nodes that cover the question; the `places`
    of its words in letters, and the words that were passed over, with what that cost. `paid` are all stretches of
    words that it leaves out, passed over or unused, with the price of each."""

    statement: Statement
    price: float
    why: tuple[str, ...]
    cover: tuple[Node, ...]
    places: tuple[tuple[int, int], ...]
    passed: tuple[tuple[str, float], ...]
    paid: tuple[tuple[int, int, float], ...] = ()

    @property
    def leaves_out(self) -> bool:
        """True where it answers one of several questions, or lists all there are where more was said."""
        return any(name in (QUESTION, EVERYTHING) for name in self.why)


def readings(text: Text, world: World) -> list[Read]:
    """What a question (spelled out, see `respelled`) may mean, the cheapest first; each statement once, only those that
    the profile can answer."""
    one = lexed(text, world)
    if world.cohorts:
        one = replace(one, nodes=(*one.nodes, *cohort_nodes(one, world)))
    return readings_of(one, world, asked)


def readings_of(
    one: Lexed, world: World, ask: Callable[[Context, tuple[Node, ...]], Iterable[Asked]], most: int = _MOST_READ
) -> list[Read]:
    """The readings of a question's words: what `ask` makes of its cheapest covers."""
    context = Context(world, one)
    chart = Chart(one.prices)
    chart.fill(one.nodes, grammar(), context)
    cheapest: dict[Statement, _Found] = {}  # most covers ask for what another has asked for
    for price, cover in chart.covers()[:most]:
        if any(paid >= PRICES["patient"] for _, _, paid in _passed(cover, one)):
            continue  # of whom it is asked is no word to pass over
        for asked_for in ask(context, cover):
            made = replace(asked_for, statement=of_those_with_reasons(of_the_latest(asked_for.statement)))
            before = cheapest.get(made.statement)
            if before is None or before.price > price + made.cost:
                cheapest[made.statement] = _Found(price + made.cost, cover, made)
    return _possible_ones(sorted(cheapest.values(), key=lambda each: each.price), one, world)


@dataclass(frozen=True)
class _Found:
    """What is asked for as a whole, before it is said what is meant by it: its price so far, and what it came from."""

    price: float
    cover: tuple[Node, ...]
    made: Asked


def _possible_ones(asked_for: Sequence[_Found], one: Lexed, world: World) -> list[Read]:
    """The readings that what is asked for, the cheapest first, comes to: each meaning once, only those that the profile
    can answer, and none that costs far more than the cheapest of them."""
    found: dict[Hashable, Read] = {}
    most = inf
    for each in asked_for:
        if each.price > most:
            break
        meant = _meant(each.made.statement, one, world)
        total = each.price + meant.cost
        told = _told(meant.statement)
        before = found.get(told)
        if total > most or (before is not None and before.price <= total):
            continue
        if before is None and not _possible(meant.statement, world):
            continue
        most = min(most, total + _FARTHEST)
        over = _passed(each.cover, one)
        passed = tuple((one.words[at], price) for at, _, price in over)
        why = (*(name for node in each.cover for name in node.why), *each.made.why, *meant.why)
        paid = (*over, *each.made.ignored)
        found[told] = Read(meant.statement, total, why, each.cover, one.places, passed, paid)
    near = (read for read in found.values() if read.price <= most)
    return sorted(near, key=lambda read: read.price)[:_MOST_SHOWN]


def _told(statement: Statement) -> Hashable:
    """What a statement tells: the same columns in another order are no other meaning."""
    if not isinstance(statement, Rows):
        return statement
    return (replace(statement, columns=()), frozenset(statement.columns))


_MET_BY_ALL = 1.5
"""What it costs that people are told by what is true of everybody."""


@dataclass(frozen=True)
class _Meant:
    """What is meant by a statement as it was asked for, what that costs more, and the names of what for."""

    statement: Statement
    cost: float
    why: tuple[str, ...]


def _meant(asked_for: Statement, one: Lexed, world: World) -> _Meant:
    statement = within_the_stay(from_there(asked_for, one.words, world.now), one.words)
    statement = of_own_admission(statement, one.words)
    statement = counted_as_named(with_named(with_percentiles(statement)), one.words)
    statement = of_stays_then(of_their_stay(aged_then(aged_when_admitted(statement, one, world), one, world), world))
    statement = of_inpatients(of_units(statement, one.words, world), world)
    statement = of_the_named(of_one_each(of_what_they_have(told_in_words(statement, world))), one.words)
    statement = told_by_number(of_those_counted(from_the_first(statement, one), one.words), world)
    statement = in_the_same_stay(counted_as_a_whole(picked_in_each(statement)), one.words)
    statement = aged_at_it(of_one_in_all(statement, one.words), world)
    statement = alone_there(of_the_department(statement, one, world), one)
    statement = of_the_stay_asked(within_the_time(time_insured(statement, one, world)), one.words)
    statement = until_now(statement)
    left = (
        *untold(statement, one),
        *grown_lost(statement, one),
        *always_lost(statement, one),
        *one_lost(statement, one),
    )
    if asks_then(one, world) and Own("age") in walk(statement):
        left = (*left, (_THEN_LOST, "then-lost"))
    if isinstance(statement, Single) and len(statement.columns) == 1 and asks_further(" ".join(one.words)):
        left = (*left, (_FURTHER_LOST, "further-lost"))
    if asks_age(one.words) and not tells_age(statement):
        left = (*left, (_AGE_LOST, "age-lost"))
    if asks_again_when(one.words) and not tells_when(statement):
        left = (*left, (WHEN_LOST, "when-lost"))
    if met_by_all(statement):
        left = (*left, (_MET_BY_ALL, "met-by-all"))
    cost = (_IMPOSSIBLE if contradictory(statement) else 0.0) + sum(price for price, _ in left)
    return _Meant(statement, cost, tuple(name for _, name in left))


def _passed(cover: tuple[Node, ...], one: Lexed) -> tuple[tuple[int, int, float], ...]:
    """The words that no node uses and that are not free: their places, with their prices."""
    used = {at for node in cover for leaf in node.leaves() for at in range(leaf.start, leaf.end)}
    return tuple((at, at + 1, price) for at, price in enumerate(one.prices) if at not in used and price > 0)


def _possible(statement: Statement, world: World) -> bool:
    if any(_asks_of_no_value(part, world) for part in walk(statement)):
        return False
    try:
        check(with_meanings(statement, world.concepts), world.profile, world.now)
    except LogicError:
        return False
    return True


def _asks_of_no_value(part: object, world: World) -> bool:
    """True where a value is told of records that have none, as stays on wards have none: nobody asks for that."""
    if not isinstance(part, Picked | Rows) or not isinstance(part.of, Set):
        return False
    told = (part.measure,) if isinstance(part, Picked) else part.columns
    role = world.roles.get(part.of.unit.replace(" ", "_"))
    return Own("value") in told and role is not None and kind_of(part.of.unit.replace(" ", "_")).place
