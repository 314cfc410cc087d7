"""All ways in which the chart reads a question: as a whole, and in parts that are put together again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.algebra.render import render_statement
from ehrtui.planning.offline.words import Text, with_capitals
from ehrtui.planning.proposal import Proposal
from ehrtui.planning.reader.asked_of_whom import age_lost, asks_age
from ehrtui.planning.reader.asked_times import asks_dates, dates_lost
from ehrtui.planning.reader.bare_stays import counted_where_bare
from ehrtui.planning.reader.busiest_times import busiest_times
from ehrtui.planning.reader.comparatives import averaged, weighed
from ehrtui.planning.reader.comparing import compared
from ehrtui.planning.reader.counts_apart import counts_apart
from ehrtui.planning.reader.days_of_each import days_of_each
from ehrtui.planning.reader.event_to_event import event_to_event
from ehrtui.planning.reader.extremes_alone import as_number, with_its_length
from ehrtui.planning.reader.figures_apart import figures_apart
from ehrtui.planning.reader.figures_by_name import figures_by_name
from ehrtui.planning.reader.figures_of_groups import figures_of_groups, figures_said, tells_fewer
from ehrtui.planning.reader.glosses import without_gloss
from ehrtui.planning.reader.groups_kept import groups_kept, with_counts, without_counts
from ehrtui.planning.reader.hours_of import hours_of
from ehrtui.planning.reader.latest_people import latest_people
from ehrtui.planning.reader.of_inpatients import of_inpatients
from ehrtui.planning.reader.once_each import told_once
from ehrtui.planning.reader.one_fate import of_one_fate
from ehrtui.planning.reader.proposing import proposal_of
from ehrtui.planning.reader.reader import Read, readings
from ehrtui.planning.reader.set_against import set_against
from ehrtui.planning.reader.sides_in_figures import figures_of_sides, sides_in_figures
from ehrtui.planning.reader.tasks import tasks
from ehrtui.planning.reader.time_spent import on_a_course, time_spent
from ehrtui.planning.reader.trailing_ranks import ranked_behind
from ehrtui.planning.reader.two_counts import two_counts
from ehrtui.planning.reader.when_it_ended import when_it_ended
from ehrtui.planning.reader.world import World
from ehrtui.trust.estimator import Estimator

_PARTS = 32
_QUESTIONS = 4
_FIGURE_LOST = 2.0
"""What it costs that one of several figures of each group is not told."""


def _short_of(one: Read, figures: int) -> Read:
    """A reading at what it costs where it tells fewer numbers of each group than so many figures that are asked for."""
    if not tells_fewer(one.statement, figures):
        return one
    return replace(one, price=one.price + _FIGURE_LOST, why=(*one.why, "unused:figures"))


def _short_of_asked(one: Read, question: str) -> Read:
    """A reading at what it costs where it tells no age, or no date, that is asked for."""
    logic = render_statement(one.statement)
    if not (age_lost(question, logic) or dates_lost(question, logic)):
        return one
    return replace(one, price=one.price + _FIGURE_LOST, why=(*one.why, "unused:asked"))


class EveryWay:
    """Reads questions about one world. What was read of the latest questions and their parts is kept: the ways share
    parts, and a question of a conversation is read by itself first."""

    def __init__(self, world: World, planner: str, estimator: Estimator) -> None:
        self.world = world
        self._planner = planner
        self.estimator = estimator
        self._part = lru_cache(maxsize=_PARTS)(self._read_part)
        self.readings = lru_cache(maxsize=_QUESTIONS)(self._read)
        """The readings of a question as it is spelled out, the cheapest first."""
        self.proposal = lru_cache(maxsize=_QUESTIONS)(self._propose)
        """What is proposed for it by itself; None where no reading can be compiled."""

    def _read_part(self, part: Text) -> Sequence[Read]:
        return readings(part, self.world)

    def _read(self, said: Text) -> Sequence[Read]:
        def part(text: Text) -> Sequence[Read]:
            return self._part(with_capitals(text, said.typed))

        found = [*self._part(said)]
        found += tasks(said, self.world, part)
        found += compared(said, part)
        found += set_against(said, part)
        found += sides_in_figures(said, part)
        found += weighed(said, part)
        found += averaged(said, part)
        found += ranked_behind(said, part)
        found += latest_people(said, self.world, part)
        found += groups_kept(said, part)
        found += with_counts(said, part)
        found += time_spent(said, self.world, part)
        found += days_of_each(said, self.world, part)
        found += hours_of(said, self.world, part)
        found += on_a_course(said, part)
        found += event_to_event(said, self.world, part)
        found += busiest_times(said, part)
        found += figures_by_name(said, self.world)
        found += figures_of_groups(said, part, self.world.age_of_patients)
        found += counts_apart(said, part)
        found += figures_apart(said, part)
        found += two_counts(said, part)
        found += without_gloss(said, part)
        found = without_counts(said, found)
        if figures := figures_said(said.lower) or figures_of_sides(said.lower):
            found = [_short_of(one, figures) for one in found]
        if asks_age(said.lower) or asks_dates(said.lower):
            found = [_short_of_asked(one, said.lower) for one in found]
        words = {word.text for word in said.words}

        def as_meant(statement: Statement) -> Statement:
            number = with_its_length(as_number(of_one_fate(statement), words))
            ended = when_it_ended(told_once(number), words)
            return of_inpatients(counted_where_bare(ended, said.lower), self.world)

        return sorted((replace(one, statement=as_meant(one.statement)) for one in found), key=lambda one: one.price)

    def _propose(self, said: Text) -> Proposal | None:
        found = self.readings(said)
        return proposal_of(said.typed, self._planner, said, found, self.world, self.estimator, {}) if found else None
