"""A question read twice, by its marks and by the chart: which of the two is likelier, and what both leave out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.english.sentence import sentence
from ehrtui.logic.written import statement_of
from ehrtui.planning.offline.shorthand import Spelling, as_typed
from ehrtui.planning.offline.words import Text
from ehrtui.planning.proposal import Proposal
from ehrtui.planning.reader.asked_besides import something_lost
from ehrtui.planning.reader.asking import SEVERAL
from ehrtui.planning.reader.choosing import (
    SHOWN,
    agree,
    blurs_stays,
    counts_stays,
    doubted,
    explains,
    figures_lost,
    forgets_each,
    forgets_theirs,
    forgets_time,
    has_idle_stay,
    limit_lost,
    lists_alike,
    name_cut_short,
    names_alike,
    never_recorded,
    parts_culture,
    preferable,
    surer,
    takes_flow_for_drug,
    takes_one_for_two,
    takes_one_value,
    tells_nobody,
    tells_only_when,
    total_lost,
    with_rival,
)
from ehrtui.planning.reader.contradictions import contradictory
from ehrtui.planning.reader.every_way import EveryWay
from ehrtui.planning.reader.proposing import said_at_length
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.spelled_out import spelled_out
from ehrtui.planning.reader.tasks import TASK
from ehrtui.planning.reader.wording import foreign_words, in_benchmark_wording, is_sentence, shortens
from ehrtui.schema.value_index import ValueIndex
from ehrtui.trust.doubts import Doubt

_DEAR = 2.2
"""What words cost that say something which is in no reading."""
_FAR = 2.4
"""What a reading costs that is hardly meant, though both find it."""


def preferred(proposal: Proposal, question: str, said: Text, spelled: Sequence[Spelling], chart: EveryWay) -> Proposal:
    """The `proposal` of the marks, or that of the chart where it is likelier, for a question as it was typed, and as
    it is `said` with words `spelled` out. One in people's own words is doubted for its length, whoever read it."""
    found = _likelier(proposal, question, said, spelled, chart)
    by_chart = any(doubt.kind == "free" for doubt in found.doubts)
    habits = chart.world.profile.wording == "ehrsql"
    if by_chart or (habits and in_benchmark_wording(question.strip(), foreign_words(question, found.links))):
        return found
    return reduce(lambda one, doubt: doubted(one, doubt, chart.estimator), said_at_length(question), found)


def _likelier(proposal: Proposal, question: str, said: Text, spelled: Sequence[Spelling], chart: EveryWay) -> Proposal:
    world, estimator = chart.world, chart.estimator
    found = chart.readings(said)
    if not found:
        passed_over = something_lost(question, proposal.logic or "")
        return doubted(proposal, Doubt("unused", 1.0, question), estimator) if passed_over else proposal
    meaning = spelled_out(found[0].statement, world)
    agreed = proposal.logic is not None and agree(proposal.logic, meaning)
    habits = world.profile.wording == "ehrsql"  # of listing once or with repeats, which the form knows
    alike = agreed and (habits or lists_alike(proposal.logic or "", meaning))
    alike = alike and not found[0].leaves_out
    if alike and not proposal.reason and (proposal.confidence >= SHOWN or not proposal.unexplained):
        own = habits and in_benchmark_wording(question.strip(), foreign_words(question, proposal.links))
        lost = None if own else _lost_by_both(found[0], said.typed)
        lost = question if something_lost(question, proposal.logic or "") else lost
        if lost is not None:
            return doubted(proposal, Doubt("unused", 1.0, lost or question), estimator)
        inexact = any(one.kind == "inexact" for one in proposal.doubts)
        if inexact and not own and never_recorded(meaning, world.index, question):
            return doubted(proposal, Doubt("empty", 1.0, ""), estimator)
        return proposal
    if agreed and something_lost(question, proposal.logic or ""):
        proposal = doubted(proposal, Doubt("unused", 1.0, question), estimator)
    other = chart.proposal(said)
    by_concept = meaning != found[0].statement
    foreign = foreign_words(question, proposal.links, world.index if by_concept else None)
    benchmark = world.profile.wording == "ehrsql" and in_benchmark_wording(question.strip(), foreign)
    benchmark = benchmark and not {TASK, SEVERAL} & {*found[0].why} and not shortens(question, proposal.logic or "")
    impossible = habits and bool(proposal.logic) and contradictory(statement_of(proposal.logic or ""))
    impossible = impossible or (habits and not agreed and has_idle_stay(proposal.logic or ""))
    benchmark = benchmark and not impossible
    for about in () if agreed else _misread(question, proposal.logic or "", found[0].statement, meaning, world.index):
        proposal = doubted(proposal, Doubt("unused", 1.0, about), estimator)
        benchmark = False  # whose sentences say no such thing
    if other is None:
        return proposal
    several = SEVERAL in found[0].why
    weighed = world.profile.wording == "ehrsql" and not (benchmark or agreed or several or impossible)
    if weighed and surer(proposal, other):
        if is_sentence(question):
            return proposal
        doubt = Doubt("unlike", 1.0, sentence(found[0].statement, world.profile))
        return doubted(proposal, doubt, estimator)
    if not preferable(proposal, other, benchmark=benchmark, by_concept=by_concept, foreign=foreign):
        return with_rival(proposal, other) if foreign > 1 and not agreed else proposal
    if proposal.reason and other.confidence < SHOWN and not other.reason and not explains(other, proposal):
        words = proposal.unexplained or other.unexplained  # a better guess, no better reason
        other = replace(other, reason=proposal.reason, refusal=proposal.refusal, unexplained=words)
    if other.logic and something_lost(question, other.logic):
        other = doubted(other, Doubt("unused", 1.0, question), estimator)
    return replace(as_typed(other, question, spelled), question=question, slots=proposal.slots)


def _lost_by_both(read: Read, typed: str) -> str | None:
    """The words that the chart pays dearly for, which say something that is in no reading; "" where that is the reading
    as a whole, None where nothing is lost."""
    dear = [typed[read.places[at][0] : read.places[end - 1][1]] for at, end, price in read.paid if price >= _DEAR]
    unkept = any(one.startswith("unkept:") for one in read.why)
    return " ".join(dear) if unkept or dear or read.price >= _FAR else None


def _misread(question: str, logic: str, charted: Statement, meaning: Statement, index: ValueIndex) -> Iterator[str]:
    """What of a question the marks' reading, as query logic, tells otherwise than the chart's, which has a `meaning`
    beneath its concepts: the words for each such thing, "" where it is the reading as a whole."""
    if counts_stays(charted) or blurs_stays(logic):
        yield ""
    if forgets_theirs(question, logic):
        yield "their"
    if tells_only_when(question, logic):
        yield ""
    if logic and forgets_time(logic, charted):
        yield ""
    if logic and (names_alike(logic, meaning) or name_cut_short(question, logic, meaning)):
        yield ""
    if logic and figures_lost(question, logic):
        yield ""
    if logic and parts_culture(logic, meaning):
        yield ""
    if logic and meaning != charted and never_recorded(statement_of(logic), index):
        yield ""  # where the chart has a concept, which other names stand for
    if forgets_each(question, logic, charted):
        yield "each"
    if tells_nobody(question, logic):
        yield "who"
    if logic and (limit := limit_lost(question, logic)):
        yield limit
    if logic and takes_flow_for_drug(question, logic, charted):
        yield ""
    if logic and takes_one_value(question, logic, meaning):
        yield ""
    if logic and total_lost(question, logic):
        yield "total"
    if logic and takes_one_for_two(question, logic):
        yield ""
    if logic and something_lost(question, logic):
        yield ""
