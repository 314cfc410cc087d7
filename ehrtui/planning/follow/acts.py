"""Acts on the latest answer that a few words say in full: sort or cut it, show more of it, keep some of its rows by a
number that it tells, take the difference of two, ask for another kind of stay.

Each act is a function from the words and the statement to another statement, and has none where a word is left over: so
an act is either what was said, or no reading at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.check import check
from ehrtui.logic.algebra.concepts import with_meanings
from ehrtui.logic.algebra.model import Statement
from ehrtui.planning.follow.been_there import been_there
from ehrtui.planning.follow.best_group import best_group
from ehrtui.planning.follow.bills import bill_told_further
from ehrtui.planning.follow.contrasting import compared_with
from ehrtui.planning.follow.correcting import in_the_icu, now_in_the_icu, other_stays, other_unit
from ehrtui.planning.follow.cutting import counts_of_names, cut, limited_by_number, patients_of_names, sorted_by_column
from ehrtui.planning.follow.died_there import died_there
from ehrtui.planning.follow.differing import set_beside
from ehrtui.planning.follow.doing_so import of_those_who_did, of_those_without, rate_of_death
from ehrtui.planning.follow.durations import in_other_unit
from ehrtui.planning.follow.each_of import figure_of_groups, of_each
from ehrtui.planning.follow.each_one import (
    length_of_all,
    lengths_of_each,
    most_of_each,
    of_picked,
    picked_of_each,
    told_of_each,
)
from ehrtui.planning.follow.ends_counted import ends_counted
from ehrtui.planning.follow.ends_of_each import ends_of_each
from ehrtui.planning.follow.everyone_else import of_everyone_else
from ehrtui.planning.follow.excluding import without_some
from ehrtui.planning.follow.extremes import extreme_and_when
from ehrtui.planning.follow.grouping import most_of_groups, of_group
from ehrtui.planning.follow.groups_told import same_of_other_group
from ehrtui.planning.follow.grown_elsewhere import had_it_in
from ehrtui.planning.follow.implied import how_many_not, how_many_such, share_of_all
from ehrtui.planning.follow.keyed_further import keyed_further
from ehrtui.planning.follow.kinds_of_records import kinds_of_records
from ehrtui.planning.follow.larger import larger
from ehrtui.planning.follow.listed import next_places
from ehrtui.planning.follow.lists import among_lists
from ehrtui.planning.follow.longest_of_those import longest_of_those
from ehrtui.planning.follow.more_columns import with_more
from ehrtui.planning.follow.names_told import names_told
from ehrtui.planning.follow.neighbours import length_of_stay, neighbour
from ehrtui.planning.follow.net_balance import net_balance
from ehrtui.planning.follow.next_times import next_time
from ehrtui.planning.follow.of_one_way import of_one_way
from ehrtui.planning.follow.one_of_them import is_among
from ehrtui.planning.follow.one_without_other import one_without_other
from ehrtui.planning.follow.other_people import of_other_people
from ehrtui.planning.follow.other_side_of_age import other_side_of_age
from ehrtui.planning.follow.other_stay import length_of_one, same_of_other_stay
from ehrtui.planning.follow.peak_period import peak_period
from ehrtui.planning.follow.runners_up import runner_up
from ehrtui.planning.follow.showing import extreme_shown, listed_ids, shown_with, with_numbers
from ehrtui.planning.follow.since_when import since_when
from ehrtui.planning.follow.stays_of_one import lasting_so_far, till_next_stay
from ehrtui.planning.follow.still_there import still_there, there_longest
from ehrtui.planning.follow.telling import listed_with, values_shown
from ehrtui.planning.follow.those_records import when_those_were, who_and_when
from ehrtui.planning.follow.what_else import what_else
from ehrtui.planning.follow.where_they_lie import where_they_lie
from ehrtui.planning.follow.whose_highest import number_of_first, whose_highest
from ehrtui.planning.follow.with_or_without import with_or_without
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.world import World

ACT = "act"
"""What a reading was paid for that does one such thing, and leaves no word over."""
_COST = 0.1
_SAYS_BOTH = -0.6
"""What it costs where both of two earlier answers are named by what tells them apart."""


@dataclass(frozen=True)
class Readers:
    """How some words are read that an act is made of: as a change of the latest answer, as asked of those of a
    statement, or with no regard to what was said before."""

    changed: Callable[[str], Statement | None]
    asked_of: Callable[[str, Statement], Statement | None]
    alone: Callable[[str], Statement | None]


def acts(
    one: Lexed,
    world: World,
    earlier: Mapping[int, Statement],
    latest: int,
    read: Readers,
) -> Iterator[Read]:
    """The readings of words as acts on the `latest` answer; parts of these are `read` as they are needed."""
    statement = earlier[latest]
    without = partial(one_without_other, earlier=earlier)
    for act in (
        lambda words, _: is_among(words, earlier, latest),
        lambda words, _: among_lists(words, earlier, latest),
        partial(bill_told_further, earlier=earlier, latest=latest, world=world),
        partial(runner_up, earlier=earlier, latest=latest),
        partial(where_they_lie, earlier=earlier, latest=latest, world=world),
        longest_of_those,
        peak_period,
        partial(still_there, latest=latest),
        partial(there_longest, earlier=earlier, latest=latest),
        without,
        partial(when_those_were, earlier=earlier, latest=latest),
        partial(who_and_when, earlier=earlier, latest=latest),
        partial(had_it_in, earlier=earlier, latest=latest),
        partial(since_when, earlier=earlier, latest=latest),
        partial(extreme_and_when, changed=read.changed),
        sorted_by_column,
        whose_highest,
        number_of_first,
        cut,
        counts_of_names,
        patients_of_names,
        partial(larger, earlier=earlier, latest=latest),
        next_places,
        kinds_of_records,
        been_there,
        partial(till_next_stay, earlier=earlier),
        lambda words, _: lasting_so_far(words, earlier),
        partial(with_or_without, earlier=earlier),
        partial(length_of_stay, earlier=earlier),
        partial(neighbour, earlier=earlier),
        partial(next_time, earlier=earlier),
        partial(length_of_one, earlier=earlier, latest=latest),
        partial(same_of_other_stay, earlier=earlier),
        limited_by_number,
        of_group,
        most_of_groups,
        partial(best_group, alone=read.alone),
        partial(other_side_of_age, earlier=earlier),
        now_in_the_icu,
        in_the_icu,
        names_told,
        in_other_unit,
        net_balance,
        what_else,
        extreme_shown,
        listed_ids,
        with_numbers,
        shown_with,
        partial(with_more, asked=read.asked_of, alone=read.alone),
        lambda words, before: listed_with(words, before, latest, read.asked_of),
        values_shown,
        other_stays,
        other_unit,
        of_one_way,
        length_of_all,
        lengths_of_each,
        of_picked,
        partial(most_of_each, earlier=earlier),
        partial(told_of_each, latest=latest, asked=read.asked_of),
        partial(picked_of_each, earlier=earlier),
        lambda words, _: ends_counted(words, earlier, latest),
        partial(ends_of_each, earlier=earlier, latest=latest),
        lambda words, _: of_each(words, earlier, latest, read.asked_of, read.alone),
        partial(figure_of_groups, alone=read.alone),
        partial(keyed_further, changed=read.changed),
        lambda words, _: share_of_all(words, earlier, latest, read.alone),
        how_many_not,
        partial(how_many_such, changed=read.changed),
        lambda words, _: died_there(words, earlier, latest),
        rate_of_death,
        of_those_without,
        partial(of_those_who_did, earlier=earlier, latest=latest),
        partial(without_some, changed=read.changed),
        partial(of_everyone_else, earlier=earlier, latest=latest),
        partial(of_other_people, alone=read.alone, leaning=read.changed),
        partial(same_of_other_group, earlier=earlier, latest=latest),
        partial(compared_with, changed=read.changed),
        partial(set_beside, earlier=earlier, latest=latest, changed=read.changed),
    ):
        made = act(one, statement)
        if made is not None and made != statement and _can_be_asked(made, world):
            yield Read(made, _SAYS_BOTH if act is without else _COST, (ACT,), (), one.places, ())
            return


def _can_be_asked(statement: Statement, world: World) -> bool:
    try:
        check(with_meanings(statement, world.concepts), world.profile, world.now)
    except LogicError:
        return False
    return True
