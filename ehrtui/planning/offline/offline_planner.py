"""The planner that needs no language model: question → marks → readings → query logic → SQL → plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from ehrtui.concepts.library import Library
from ehrtui.errors import LogicError
from ehrtui.logic.algebra.concepts import NO_CONCEPTS, Concepts
from ehrtui.logic.algebra.lift import form_of
from ehrtui.logic.algebra.model import PATIENT as PATIENT_UNIT
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.compile import flat_sql, steps_of
from ehrtui.logic.model import Logic, Query, Source
from ehrtui.logic.render import render
from ehrtui.logic.steps import EarlierTurn
from ehrtui.logic.words import turns_of
from ehrtui.logic.written import written
from ehrtui.planning.follow.implied import goes_on_beside, leaves_unsaid
from ehrtui.planning.follow.of_the_two import either_of_two
from ehrtui.planning.follow.one_person import asks_what_one_costs, says_no_people, tells_the_stays
from ehrtui.planning.follow.pointing import (
    asks_from,
    calls_some,
    is_pointing,
    is_whole,
    keeps_group,
    leans_on_nothing,
    names_group,
    names_one,
    names_stays,
    points,
    points_at_one,
    points_at_that_one,
    tells_some,
    without_and,
)
from ehrtui.planning.mentions import PaidWord
from ehrtui.planning.offline import followups
from ehrtui.planning.offline.answerability import Extent, cues, first_day, refusal_of
from ehrtui.planning.offline.bare_codes import bare_codes
from ehrtui.planning.offline.bare_stays import bare_stays
from ehrtui.planning.offline.conversation_words import Heard, hear
from ehrtui.planning.offline.counted_again import counted_again
from ehrtui.planning.offline.doubts import doubts_of
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.examples import example_questions, frequent_name
from ehrtui.planning.offline.grown_again import grown_again
from ehrtui.planning.offline.instead import OFFERED, questions_instead
from ehrtui.planning.offline.known_patients import (
    is_patient,
    is_stay,
    kinds_of_stay,
    named_patients,
    named_stays,
    unknown,
    unknown_stays,
)
from ehrtui.planning.offline.lexicon import lexicon_of
from ehrtui.planning.offline.marking import add_near_mentions, mark, unexplained, unexplained_words
from ehrtui.planning.offline.months_alone import month_alone
from ehrtui.planning.offline.parts import Parts, parts_of
from ehrtui.planning.offline.reading import Understood, readings
from ehrtui.planning.offline.shorthand import (
    Spelling,
    ages_in_short,
    all_such,
    capitals,
    count_in_short,
    counts_in_short,
    one_pointed_at,
    rewritten,
    spellings,
    typed_span,
    when_behind,
    whose_behind,
)
from ehrtui.planning.offline.slots import slots_of
from ehrtui.planning.offline.special import special_readings
from ehrtui.planning.offline.talk import Talk, find_talk
from ehrtui.planning.offline.understood_words import links_of
from ehrtui.planning.offline.words import Text, read
from ehrtui.planning.plan_text import plan_of
from ehrtui.planning.proposal import PastTurn, Proposal, Reading, Refusal
from ehrtui.planning.reader.choosing import (
    agree,
    blurs_stays,
    counts_stays,
    doubted,
    explains,
    figures_lost,
    forgets,
    forgets_each,
    forgets_theirs,
    forgets_time,
    has_idle_stay,
    limit_lost,
    lists_alike,
    names_alike,
    names_in,
    parts_culture,
    preferable,
    something_lost,
    surer,
    takes_one_for_two,
    tells_nobody,
    tells_only_when,
    total_lost,
    with_rival,
)
from ehrtui.planning.reader.finished_stays import finished_only
from ehrtui.planning.reader.pronouns import stand_for_own
from ehrtui.planning.reader.respelling import respelled
from ehrtui.planning.reader.usual_units import usual_units
from ehrtui.planning.reader.wording import foreign_words, in_benchmark_wording, is_sentence, shortens
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.model import Schema
from ehrtui.schema.naming import build_value_index
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import Entry, ValueIndex
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import Estimator, shipped_estimator

if TYPE_CHECKING:
    from ehrtui.planning.reader.every_way import EveryWay
    from ehrtui.planning.reader.reader import Read

LONGEST_QUESTION = 2000
"""Letters: what is longer is not looked at."""
MOST_WORDS = 60
"""Words, talk left out: what has more is no one question."""
_MOST_ASKED = 3
"""Questions within a text that is too long: so many are offered in its place."""
_DEAR = 2.2
"""What words cost that say something which is in no reading."""
_FAR = 2.4
"""What a reading costs that is hardly meant, though both find it."""
_PASSED = 0.2
"""How far the topic of an introduction, of which the question says nothing, may be meant for it."""
_SURELY = 0.85
"""How well words fit what they name, where they are no chance likeness."""
_QUESTIONS = re.compile(r"[^.?!;\n]+\?")
_SHOWN = 0.7
"""A guess that is less sure is not shown: why the marks decline says more."""
_LIKELY = 1.5
"""A reading that leans on an earlier turn is likely where it costs no more."""
_LIMITED = re.compile(r"\b(?:during|in|since|until|before|after|where|with|without)\b")
"""Words of query logic by which records are limited."""
_ONE_STAY = re.compile(r"\b(?:hospital|icu) stay \d")
_MOST_REMEMBERED = 4096
"""Turns: their logic is parsed once, and not for every letter that is typed."""


@dataclass(frozen=True)
class _GoingOn:
    """A question in its conversation: as typed and as the chart reads it (`said`), what was asked `earlier`, by turn,
    and by the `latest`; `fresh` where the marks read it with no regard to that."""

    question: str
    said: Text
    history: Sequence[PastTurn]
    earlier: Mapping[int, Statement]
    latest: int
    fresh: bool

    @property
    def words(self) -> tuple[str, ...]:
        """Its words, as the chart reads them."""
        return tuple(word.text for word in self.said.words)


@dataclass(frozen=True)
class _Lost:
    """The words that a reading leaves out: all of them, those that expect what it does not give (`lacking`), and the
    first one where the patient of whom it was spoken is `forgotten`."""

    words: tuple[str, ...]
    lacking: tuple[str, ...]
    forgotten: tuple[str, ...]


class OfflinePlanner:
    """Plans questions over one database. `read` runs one small SELECT of ehrtui's own; `now` is the database now;
    `stored` gives the value index where one was prepared, `estimator` says what doubts cost (the shipped one),
    `concepts` what the concepts that query logic names stand for."""

    name = "offline"

    def __init__(
        self,
        *,
        schema: Schema,
        profile: Profile,
        now: str,
        read: Callable[[str], list[tuple[Any, ...]]],
        stored: Callable[[], ValueIndex | None] = lambda: None,
        estimator: Estimator | None = None,
        concepts: Concepts = NO_CONCEPTS,
        library: Callable[[], Library | None] = lambda: None,
    ) -> None:
        self._schema = schema
        self._profile = profile
        self._now = now
        self._read = read
        self._stored = stored
        self._estimator = estimator or shipped_estimator()
        self._concepts = concepts
        self._library = library
        self._reads: EveryWay | None = None
        self._words = lexicon_of(profile)
        self._index: ValueIndex | None = None
        self._extent = Extent("", now[:10])
        self._frequent: Mapping[str, str] = {}
        self._building = Lock()
        self._alone = lru_cache(maxsize=256)(lambda text: self._read_question(text, (), chart=False))
        self._said = lru_cache(maxsize=1)(self._as_read)  # the same for what stands alone and what goes on
        self._is_patient = lru_cache(maxsize=1000)(partial(is_patient, profile, read))
        self._is_stay = lru_cache(maxsize=1000)(partial(is_stay, profile, read))
        self._kinds_of_stay = lru_cache(maxsize=1000)(partial(kinds_of_stay, profile, read))
        roles = frozenset(profile.roles)
        self._read_back = lru_cache(maxsize=_MOST_REMEMBERED)(
            lambda logic: form_of(logic, roles, self._without_concepts)
        )

    def prepare(self) -> None:
        """Load or build the value index, if it is not there yet. From any thread."""
        with self._building:
            if self._index is None:
                self._extent = Extent(first_day(self._profile, self._read), self._now[:10])
                self._frequent = {
                    role: frequent_name(self._profile, role, self._read)
                    for role in OFFERED
                    if role in self._profile.roles
                }
                self._index = self._stored() or build_value_index(self._profile, self._read)

    def propose(self, question: str, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.propose`."""
        unreadable = self._unreadable(question)
        if unreadable:
            return Proposal(question, self.name, reason=unreadable)
        self.prepare()
        return self._planned(self._without_talk(question, history), history)

    def _without_talk(self, question: str, history: Sequence[PastTurn]) -> Proposal:
        """The proposal for a question without what is said around it."""
        talk = find_talk(question, self._topics)
        left_out = _left_out(question, talk)
        over = finished_only(question)
        units = usual_units(_blanked(question, over))
        not_read = sorted((*left_out, *_apart_from(left_out, (*over, *units))), key=lambda one: one.start)
        said = rewritten(question, not_read)
        if len(said.split()) > MOST_WORDS:
            return self._too_long(question, said)
        proposal = _as_typed(self._judged(said, history), question, not_read)
        if proposal.reason or not left_out:
            return proposal
        if talk.passed:
            proposal = doubted(proposal, Doubt("unused", _PASSED, ", ".join(talk.passed)), self._estimator)
        if proposal.unexplained and not proposal.paid:
            return proposal
        passed = [(one, question[one.start : one.end].strip()) for one in left_out]
        paid = [PaidWord(one.start, one.start + len(words), words) for one, words in passed]
        return replace(proposal, paid=(*paid, *proposal.paid))

    def _planned(self, proposal: Proposal, history: Sequence[PastTurn]) -> Proposal:
        """A proposal with the plan and the SQL of its logic, which are written once, when nothing is weighed."""
        if proposal.statement is None:
            return proposal
        turns = _earlier(history, self._read_back)
        steps, shown = steps_of(proposal.statement, self._profile, now=self._now, turns=turns, concepts=self._concepts)
        sure = [1.0 if step.name == "stays" else proposal.confidence for step in shown]
        return replace(proposal, plan=plan_of(shown, sure), sql=flat_sql(steps), statement=None)

    def _too_long(self, question: str, said: str) -> Proposal:
        """What is said of a text that holds more than one question: those in it that can be answered are offered."""
        sentences = (found[0].strip() for found in _QUESTIONS.finditer(said))
        short = [one for one in sentences if len(one.split()) <= MOST_WORDS][:_MOST_ASKED]
        asked = tuple(one for one in short if not self._judged(one, ()).reason)
        reason = f"This is {len(said.split())} words long, and I read up to {MOST_WORDS}: ask for one thing at a time."
        return Proposal(question, self.name, reason=reason, refusal=Refusal("ambiguous", reason, instead=asked))

    def _topics(self, said: str) -> Mapping[str, str]:
        found = [(said[one.start : one.end], one.candidates[0]) for one in self._world().link(said)]
        return {words: meant.label for words, meant in found if meant.score >= _SURELY}

    def _judged(self, question: str, history: Sequence[PastTurn]) -> Proposal:
        """The proposal for a question without its introduction, or why the records cannot answer it."""
        spelled = self._spelled_out(question, history)
        proposal = self._read_question(rewritten(question, spelled), history)
        proposal = _as_typed(proposal, question, spelled)
        if nobody := self._nobody(proposal):
            return replace(proposal, reason=nobody.sentence, refusal=nobody, slots=None)
        assert self._index is not None
        refusal = refusal_of(proposal, self._profile, self._schema, self._extent, self._index)
        if refusal is None:
            from ehrtui.planning.refuse.shifted import calendar_of_shifted

            refusal = calendar_of_shifted(proposal.logic, self._profile)
        if refusal is None:
            return proposal
        # No approved case answers what was understood and yet cannot be answered.
        slots = proposal.slots if proposal.reason else None
        return replace(proposal, reason=refusal.sentence, refusal=self._with_questions(proposal, refusal), slots=slots)

    def _nobody(self, proposal: Proposal) -> Refusal | None:
        """What is said of patients or stays that the question names, and that are not there."""
        if stays := [id for id in named_stays(proposal.question.lower()) if not self._is_stay(id)]:
            return unknown_stays(stays)
        missing = [id for id in named_patients(proposal, self._profile) if not self._is_patient(id)]
        return unknown(missing) if missing else None

    def _with_questions(self, proposal: Proposal, refusal: Refusal) -> Refusal:
        assert self._index is not None
        questions = questions_instead(
            proposal,
            refusal,
            self._profile,
            self._index,
            self._extent,
            self._frequent,
            self._alone,
        )
        return replace(refusal, instead=questions)

    def _spelled_out(self, question: str, history: Sequence[PastTurn]) -> list[Spelling]:
        """What stands for more in a question, spelled out in reading order; what overlaps something else is left."""
        lower = question.lower()
        found: list[Spelling] = []
        for said in (
            bare_stays(lower, self._is_patient, self._kinds_of_stay),
            bare_codes(lower, self._is_patient, self._kinds_of_stay),
            ages_in_short(question),
            capitals(question),
            [*one_pointed_at(question), *all_such(question)] if history else [],
            count_in_short(question) or counts_in_short(question),
            counted_again(lower, history),
            month_alone(lower, history),
            grown_again(lower, history),
            either_of_two(question, history) or when_behind(question) or whose_behind(question),
            self._where_they_lie(question),
        ):
            found += _apart_from(found, [*said])
        return sorted(found, key=lambda one: one.start)

    def _read_question(self, question: str, history: Sequence[PastTurn], *, chart: bool = True) -> Proposal:
        """With `chart` the reading of the chart may take the place of that of the marks."""
        from ehrtui.planning.follow.returning import of_everybody  # sqlglot: too heavy for a start-up path

        assert self._index is not None
        stated = without_and(question)
        if chart and history and (anybody := of_everybody(question)) and not _points(anybody):
            return replace(self._read_question(anybody, ()), question=question)
        goes_on = chart and bool(history) and not leaves_unsaid(stated)
        of_its_own = goes_on and (
            is_whole(stated) or self._names_others(stated, history) or asks_what_one_costs(stated)
        )
        of_its_own = of_its_own and not (tells_the_stays(stated) and _told_of_one(history))
        of_them = _asks_who_of_them(stated, history)
        of_its_own = of_its_own and not (of_them or _asks_if_among(stated))
        leans = not of_its_own and not (goes_on and leans_on_nothing(stated) and not of_them)
        if not leans and not self._describes(stated, history):
            whole = self._read_question(stated, ())
            of_all = of_its_own or _of_all(whole, history)
            if of_all and not whole.reason and whole.confidence >= _SHOWN and not _goes_on(whole, history):
                return replace(whole, question=question)
        turns = _earlier(history, self._read_back)
        heard = hear(read(question)) if turns else Heard(read(question))
        marks = mark(heard.text, self._index, self._words, self._profile)
        odd = [word for word in unexplained_words(heard.text, marks) if word.text not in cues().real]
        spelled = spellings(heard.text.lower, odd, self._words.vocabulary)
        if spelled:
            said = read(rewritten(question, spelled))
            heard = hear(said) if turns else Heard(said)
            marks = mark(heard.text, self._index, self._words, self._profile)
        alone = parts_of(heard.text, marks, self._profile)
        if unexplained(heard.text, marks):
            roles = [role for event in alone.events for role in event.roles]
            add_near_mentions(heard.text, self._index, marks, roles, self._profile.partly)
            alone = parts_of(heard.text, marks, self._profile)
        parts = followups.resolved(heard, alone, turns)
        follow = followups.follow_up(heard, parts, turns)
        if follow is None:
            parts = followups.of_latest_group(parts, turns)
        lost = followups.unresolved(heard, parts, turns, follow)
        if lost:
            missing = Refusal("ambiguous", lost)
            nothing = Proposal(question, self.name, links=links_of(heard.text, marks), reason=lost, refusal=missing)
            nothing = _as_typed(nothing, question, spelled)
            if chart and not turns:
                nothing = self._of_its_own(nothing, question)
            return self._followed(nothing, question, history)
        slots = slots_of(parts) if follow is None and parts == alone else None
        words = {word.text for word in heard.text.words}
        on_turns = bool(parts.marks.of("turn")) or any(f"a{number}" in words for number in turns)
        proposal = self._proposal(parts, self._understood(parts, follow, turns), turns, follow)
        proposal = _as_typed(replace(proposal, slots=slots), question, spelled)
        fresh = follow is None and parts == alone and not on_turns
        if chart and fresh and not (turns and points(heard.text)):
            proposal = self._preferred(proposal, question)
        built_on = followups.built_on(parts, follow)
        if built_on and not parts.marks.of("turn") and not points_at_one(heard.text):
            built_on |= _unanswered_since(max(built_on), history)
            built_on |= _unanswered_latest(history) if follow is not None and not points(heard.text) else set()
        of_one = not parts.marks.of("turn") and (follow is None or _takes_the_person(proposal, built_on, history))
        proposal = _no_surer(proposal, _of_the_person(proposal, built_on, history) if of_one else built_on, history)
        return self._followed(proposal, question, history, fresh=fresh)

    def _where_they_lie(self, question: str) -> list[Spelling]:
        if ":" not in question:
            return []
        from ehrtui.planning.reader.lexing import lexed
        from ehrtui.planning.reader.lying_in import lying_in

        return lying_in(question, lambda words: lexed(read(words), self._world()))

    def _names_others(self, question: str, history: Sequence[PastTurn]) -> bool:
        """True for a question that names the patient, or after patients the stays, that it is about."""
        nouns = self._profile.role("patient").nouns
        if names_one(question, texts=self._profile.patient_ids == "text", nouns=nouns):
            return True
        return names_stays(question) and _tells_of_patients(history)

    def _describes(self, question: str, history: Sequence[PastTurn]) -> bool:
        """True for a question that calls those of an earlier answer by a noun: "how many of the gout patients…"."""
        if not calls_some(question):
            return False
        from ehrtui.planning.follow.describing import described_nodes
        from ehrtui.planning.follow.earlier import earlier_statements, within_reach
        from ehrtui.planning.follow.subject import subject_of
        from ehrtui.planning.reader.lexing import lexed

        world = self._world()
        said, _ = self._said(question)
        turns = within_reach(
            [word.text for word in said.words], {turn.number: turn for turn in history if turn.columns}
        )
        earlier = earlier_statements(turns)
        subjects = {turn: of for turn, one in earlier.items() if (of := subject_of(turn, one)) is not None}
        return bool(described_nodes(lexed(said, world), subjects, earlier))

    def _as_read(self, question: str) -> tuple[Text, list[Spelling]]:
        """The question as the chart reads it, and the words that were spelled out for it."""
        text = read(question)
        spelled = respelled(text.lower, self._world())
        return (read(rewritten(question, spelled)) if spelled else text), spelled

    def _of_its_own(self, nothing: Proposal, question: str) -> Proposal:
        """The chart's reading of a question that points at something, where that is what the question itself tells of:
        "patients with AKI who got an NSAID in that stay", "stays where they changed the unit"."""
        from ehrtui.logic.written import statement_of
        from ehrtui.planning.reader.about import tells_of_stays

        read = self._preferred(nothing, question)
        own = stand_for_own(question.lower()) or bool(read.logic and tells_of_stays(statement_of(read.logic)))
        return read if read.logic and own else nothing

    def _preferred(self, proposal: Proposal, question: str) -> Proposal:
        """The reading of the marks, or that of the chart where it is likelier."""
        from ehrtui.logic.english.sentence import sentence  # sqlglot: too heavy for a start-up path
        from ehrtui.logic.written import statement_of
        from ehrtui.planning.reader.asking import SEVERAL
        from ehrtui.planning.reader.contradictions import contradictory
        from ehrtui.planning.reader.spelled_out import spelled_out
        from ehrtui.planning.reader.tasks import TASK

        chart = self._chart()
        world = chart.world
        said, spelled = self._said(question)
        found = chart.readings(said)
        if not found:
            return proposal
        meaning = spelled_out(found[0].statement, world)
        agreed = proposal.logic is not None and agree(proposal.logic, meaning)
        habits = self._profile.wording == "ehrsql"  # of listing once or with repeats, which the form knows
        alike = agreed and (habits or lists_alike(proposal.logic or "", meaning))
        alike = alike and not found[0].leaves_out
        if alike and not proposal.reason and (proposal.confidence >= _SHOWN or not proposal.unexplained):
            own = habits and in_benchmark_wording(question.strip(), foreign_words(question, proposal.links))
            lost = None if own else _lost_by_both(found[0], said.typed)
            if lost is not None:
                return doubted(proposal, Doubt("unused", 1.0, lost or question), self._estimator)
            return proposal
        other = chart.proposal(said)
        by_concept = meaning != found[0].statement
        foreign = foreign_words(question, proposal.links, world.index if by_concept else None)
        benchmark = self._profile.wording == "ehrsql" and in_benchmark_wording(question.strip(), foreign)
        benchmark = benchmark and not {TASK, SEVERAL} & {*found[0].why} and not shortens(question, proposal.logic or "")
        impossible = habits and bool(proposal.logic) and contradictory(statement_of(proposal.logic or ""))
        impossible = impossible or (habits and not agreed and has_idle_stay(proposal.logic or ""))
        benchmark = benchmark and not impossible
        for about in () if agreed else _misread(question, proposal.logic or "", found[0].statement, meaning):
            proposal = doubted(proposal, Doubt("unused", 1.0, about), self._estimator)
            benchmark = False  # whose sentences say no such thing
        if other is None:
            return proposal
        several = SEVERAL in found[0].why
        weighed = self._profile.wording == "ehrsql" and not (benchmark or agreed or several or impossible)
        if weighed and surer(proposal, other):
            if is_sentence(question):
                return proposal
            doubt = Doubt("unlike", 1.0, sentence(found[0].statement, self._profile))
            return doubted(proposal, doubt, self._estimator)
        if not preferable(proposal, other, benchmark=benchmark, by_concept=by_concept, foreign=foreign):
            return with_rival(proposal, other) if foreign > 1 and not agreed else proposal
        if proposal.reason and other.confidence < _SHOWN and not other.reason and not explains(other, proposal):
            words = proposal.unexplained or other.unexplained  # a better guess, no better reason
            other = replace(other, reason=proposal.reason, refusal=proposal.refusal, unexplained=words)
        return replace(_as_typed(other, question, spelled), question=question, slots=proposal.slots)

    def _followed(
        self, proposal: Proposal, question: str, history: Sequence[PastTurn], *, fresh: bool = False
    ) -> Proposal:
        """The reading of the marks for a question that leans on earlier turns, or that of the chart where it is
        likelier: where the marks decline or are not sure, see a `fresh` question in one that points back, forget what
        the conversation is about, or leave out what is said in people's own words; then they are doubted at least."""
        from ehrtui.planning.follow.contrasting import adds_to_them
        from ehrtui.planning.follow.earlier import earlier_statements, within_reach
        from ehrtui.planning.follow.following import asked_of_earlier, followed
        from ehrtui.planning.follow.preferring import alike, asks_of_one, likelier, plain
        from ehrtui.planning.follow.same_records import of_same_records
        from ehrtui.planning.reader.proposing import proposal_of
        from ehrtui.planning.reader.spelled_out import spelled_out

        said, spelled = self._said(question)
        words = tuple(word.text for word in said.words)
        earlier = earlier_statements(within_reach(words, {turn.number: turn for turn in history if turn.columns}))
        if fresh and (lost := _goes_on(proposal, history)):
            proposal = doubted(proposal, Doubt("unused", 1.0, " ".join(lost)), self._estimator)
        if not earlier:
            return proposal
        world = self._world()
        latest = max((turn.number for turn in history if turn.number in earlier), default=max(earlier))
        asked = next(turn for turn in history if turn.number == latest)
        before = asked.logic or ""
        unsaid = leaves_unsaid(asked.question) or goes_on_beside(question, asked.question)
        found = followed(said, world, earlier, latest, unsaid=unsaid)
        found += asked_of_earlier(said, world, earlier, latest)
        same = [] if fresh else of_same_records(proposal.logic or "", earlier)
        found += same
        found = [one for one in found if not adds_to_them(words, earlier[latest], one.statement)]
        found.sort(key=lambda one: one.price)
        if proposal.refusal is not None and proposal.refusal.kind == "ambiguous":
            unread = self._read_back(before) is None  # by the marks, which then cannot change it
            whose = proposal.reason == followups.PATIENT_NEEDED
            found = plain(found, earlier[latest], unread=unread, whose=whose)
        goes_on = _GoingOn(question, said, history, earlier, latest, fresh)
        lost_by_marks = self._lost(proposal, goes_on, found)
        left_out = (*(("others",) if same else ()), *lost_by_marks.words)
        by_marks = proposal
        if left_out:
            by_marks = doubted(proposal, Doubt("unused", 1.0, " ".join(left_out)), self._estimator)
        if not found:
            return by_marks
        read = bool(proposal.logic) and not proposal.reason
        one_for_all = asks_of_one(question, proposal.logic or "", earlier)
        agreed = (
            read and not one_for_all and alike(proposal.logic or "", spelled_out(found[0].statement, world), earlier)
        )
        if agreed and (lost_by_marks.lacking or proposal.confidence >= _SHOWN or found[0].price >= _LIKELY):
            return by_marks if lost_by_marks.lacking or lost_by_marks.forgotten else proposal
        turns = _earlier(history, self._read_back)
        other = proposal_of(said.typed, self.name, said, found, world, self._estimator, turns)
        if other is None:
            return by_marks
        leaning = fresh or likelier(question, proposal, found[0], earlier) or forgets(proposal, other, before)
        leaning = leaning or self._nobody(proposal) is not None  # "make it 3" is no patient 3
        kept = found[0].price < _LIKELY and (leaning or bool(left_out))
        if read and not kept and proposal.confidence >= _SHOWN:
            return by_marks
        return self._continued(other, found[0], goes_on, spelled)

    def _lost(self, proposal: Proposal, goes_on: _GoingOn, found: Sequence[Read]) -> _Lost:
        """What the reading of the marks leaves out of a question that goes on, beside what the chart `found`."""
        from ehrtui.planning.follow.contrasting import adds_to_them, compares
        from ehrtui.planning.follow.doing_so import says_so
        from ehrtui.planning.follow.expecting import says_nothing_new, unmet
        from ehrtui.planning.follow.groups_told import ONE_OF_GROUPS, passes_over_group
        from ehrtui.planning.follow.one_group import unresolved
        from ehrtui.planning.follow.one_person import forgets_person
        from ehrtui.planning.follow.passing import missed
        from ehrtui.planning.follow.preferring import contradicts_itself
        from ehrtui.planning.reader.about import rows_about
        from ehrtui.planning.reader.lexing import lexed

        logic, question, said, history = proposal.logic, goes_on.question, goes_on.said, goes_on.history
        earlier, latest, fresh = goes_on.earlier, goes_on.latest, goes_on.fresh
        if not logic:
            return _Lost((), (), ())
        words, one = goes_on.words, lexed(said, self._world())
        lost: list[str] = []
        if fresh:
            lost += unresolved(one, logic)
            lost += words[:2] if asks_from(question) and not turns_of(logic) else ()
        forgotten = forgets_person(question, one, earlier, latest, logic)
        lost += forgotten
        if any(ONE_OF_GROUPS in read.why for read in found) and passes_over_group(logic, earlier[latest]):
            lost.append("ones")
        lost += () if fresh else missed(one, logic, earlier, latest)
        lacking = unmet(words, logic, earlier, fresh=fresh)
        lost += lacking
        if something_lost(question, logic):
            lost += words[:2]
        if fresh:
            return _Lost(tuple(lost), lacking, forgotten)
        told = {turn.logic: turn.question for turn in history if turn.logic and turn.decision == "answered"}
        if says_nothing_new(words, logic, told, question):
            lost.append(question.strip(" ?.!"))
        if says_so(words):
            lost.append("did")
        if proposal.statement is not None and adds_to_them(words, earlier[latest], proposal.statement):
            lost += words[:2]
        if contradicts_itself(logic, earlier):
            lost.append("not")
        meant, before = turns_of(logic), next(turn.logic or "" for turn in history if turn.number == latest)
        behind = self._read_back(before) is None and latest not in meant  # the marks cannot go on from the latest
        whom = points_at_that_one(words)
        told_again = rows_about(earlier[latest]) is not None
        if behind and (whom or points(said)) and meant and not any(f"a{turn}" in words for turn in meant):
            lost += [*whom, *(word for word in words if is_pointing(word))]
        elif ((behind and told_again) or compares(earlier[latest])) and _is_of_older(proposal, latest):
            lost += words[:1]
        return _Lost(tuple(lost), lacking, forgotten)

    def _continued(self, other: Proposal, read: Read, goes_on: _GoingOn, spelled: Sequence[Spelling]) -> Proposal:
        """The chart's proposal for a question that goes on, doubted for what it may have missed, and no surer than the
        turns that it stands upon."""
        from ehrtui.planning.follow.describing import DESCRIBED
        from ehrtui.planning.follow.expecting import changes, unmet
        from ehrtui.planning.follow.pointing import turns_meant
        from ehrtui.planning.follow.preferring import alike
        from ehrtui.planning.follow.returning import RETURNED
        from ehrtui.planning.follow.scoping import SCOPED
        from ehrtui.planning.follow.subject import is_one_group
        from ehrtui.planning.reader.spelled_out import spelled_out

        question, said, words, history = goes_on.question, goes_on.said, goes_on.words, goes_on.history
        earlier, latest = goes_on.earlier, goes_on.latest
        meant = {*turns_meant(read.why)}
        told_anew = not {DESCRIBED, RETURNED}.isdisjoint(read.why)
        named = {turn for turn in meant if told_anew or f"a{turn}" in said.lower.split()}
        other = doubted(other, Doubt("continued", 1.0, f"A{max(named, default=latest)}"), self._estimator)
        asked = next(turn.question for turn in history if turn.number == latest)
        if is_one_group(earlier[latest]) and latest in meant and points(said) and _points(asked):
            several = " ".join(word for word in words if is_pointing(word))
            other = doubted(other, Doubt("unused", 1.0, several), self._estimator)  # the group, or those it is of
        if changes(words) and alike(other.logic or "", spelled_out(earlier[latest], self._world()), earlier):
            other = doubted(other, Doubt("unused", 1.0, question.strip(" ?.!")), self._estimator)
        if lacking := unmet(words, other.logic or "", earlier, fresh=False):
            other = doubted(other, Doubt("unused", 1.0, " ".join(lacking)), self._estimator)
        other = replace(_as_typed(other, question, spelled), question=question)
        built_on = named or (meant or {latest}) | _unanswered_since(latest, history)
        if not (named or meant):
            built_on |= _unanswered_latest(history)
        of_one = not named and ("points" in read.why or SCOPED in read.why)
        return _no_surer(other, _of_the_person(other, built_on, history) if of_one else built_on, history)

    def _without_concepts(self, statement: Statement) -> Statement:
        from ehrtui.planning.reader.spelled_out import spelled_out

        self.prepare()
        spelled: Statement = spelled_out(statement, self._world())
        return spelled

    def world(self) -> World:
        """The database as questions are read about it."""
        self.prepare()
        return self._world()

    def _world(self) -> World:
        return self._chart().world

    def _chart(self) -> EveryWay:
        from ehrtui.planning.reader.charted_texts import texts_of
        from ehrtui.planning.reader.every_way import EveryWay  # sqlglot: too heavy for a start-up path

        assert self._index is not None
        library = self._library()
        if self._reads is None or self._reads.world.library is not library:
            texts = lru_cache(maxsize=1000)(texts_of(self._profile, self._read))
            world = World(self._profile, self._index, self._words, self._now, library, texts)
            self._reads = EveryWay(world, self.name, self._estimator)
        return self._reads

    def propose_logic(self, logic: str, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.propose_logic`."""
        turns = _earlier(history, self._read_back)
        read = written(logic, self._profile, now=self._now, turns=turns, concepts=self._concepts)
        proposal = Proposal(
            question=logic,
            planner=self.name,
            plan=plan_of(read.shown, [1.0] * len(read.shown)),
            logic=read.text,
            sql=flat_sql(read.steps),
            readings=(Reading(read.text, 1.0, read.sentence),),
            confidence=1.0,
        )
        return _no_surer(proposal, turns_of(logic), history)

    def names(self, text: str, count: int) -> tuple[Entry, ...]:
        """See `Planner.names`."""
        self.prepare()
        assert self._index is not None
        return self._index.starting(text, count)

    def examples(self, count: int) -> tuple[str, ...]:
        """See `Planner.examples`."""
        return example_questions(self._profile, self._read, self._now, count)

    def _unreadable(self, question: str) -> str:
        if not question.strip():
            return "There is no question yet."
        if len(question) > LONGEST_QUESTION:
            return f"The question is longer than {LONGEST_QUESTION:,} characters; ask for one thing at a time."
        if not self._profile.roles:
            return (
                "This database is of a family that ehrtui does not know, so questions in words cannot be read yet. "
                "Write SQL (it starts with SELECT), or describe the tables in a profile."
            )
        return ""

    def _understood(
        self, parts: Parts, follow: followups.FollowUp | None, turns: Turns
    ) -> list[tuple[Logic, float, Understood | None]]:
        """The readings as (logic, score, what was put together)."""
        if follow is not None:
            return [(follow.logic, 1.0, None)]
        found = special_readings(parts) or readings(parts)
        source = followups.items_of_turn(parts, turns)
        if source is not None:
            found = [_with_items(one, source) for one in found]
        return [(one.query, one.score, one) for one in found]

    def _proposal(
        self,
        parts: Parts,
        understood: list[tuple[Logic, float, Understood | None]],
        turns: Turns,
        follow: followups.FollowUp | None,
    ) -> Proposal:
        text, marks = parts.text, parts.marks
        words = unexplained(text, marks)
        from ehrtui.logic.algebra.compile import can_be_compiled  # sqlglot: too heavy for a start-up path
        from ehrtui.logic.algebra.lower import lowered
        from ehrtui.logic.algebra.stayless import with_own_ages
        from ehrtui.logic.english.sentence import sentence

        compiled: list[tuple[Logic, float, Understood | None, Statement]] = []
        problem = _lacking(parts)
        for logic, score, one in understood:
            try:
                statement = with_own_ages(lowered(logic), self._profile)
                can_be_compiled(statement, self._profile, now=self._now, turns=turns, concepts=self._concepts)
            except LogicError as error:
                problem = problem or " ".join(filter(None, (error.what, error.why)))
                continue
            compiled.append((logic, score, one, statement))
        links = (*links_of(text, marks), *followups.links(parts))
        if not compiled:
            reason = problem or _unknown(words) or "I cannot tell what is asked, or of which records."
            refusal = None if words else Refusal("column" if problem else "ambiguous", reason)
            return Proposal(text.typed, self.name, links=links, unexplained=words, reason=reason, refusal=refusal)
        logic, score, chosen, meant = compiled[0]
        unused = [text.typed[m.start : m.end] for m in chosen.unused] if chosen else []
        rival, behind = (render(compiled[1][0]), score - compiled[1][1]) if len(compiled) > 1 else ("", 1.0)
        silent = parts.turn if not parts.marks.of("turn") else None
        continued, idle = (follow.turn, follow.idle) if follow is not None else (silent, ())
        doubts = doubts_of(parts, chosen, words, rival, behind, continued, idle)
        reason = _unknown(words)
        if not reason and problem and (parts.lacking or understood[0][0] != logic):
            reason = problem
        refusal = Refusal("column", reason) if reason and not words else None
        return Proposal(
            question=text.typed,
            planner=self.name,
            logic=render(logic),
            statement=meant,
            links=links,
            readings=tuple(
                Reading(render(other), round(likely, 3), sentence(other, self._profile))
                for other, likely, _, _ in compiled
            ),
            unexplained=(*words, *unused),
            confidence=self._estimator.probability(doubts),
            doubts=doubts,
            reason=reason,
            refusal=refusal,
        )


def _left_out(question: str, talk: Talk) -> tuple[Spelling, ...]:
    """The stretches of a question that are read over: talk around it, and what a code in it is called."""
    from ehrtui.planning.reader.glosses import titles_of_codes

    titles = [
        one
        for one in titles_of_codes(question)
        if all(one.end <= said.start or said.end <= one.start for said in talk.stretches)
    ]
    return tuple(sorted((*talk.stretches, *titles), key=lambda one: one.start))


def _blanked(question: str, found: Sequence[Spelling]) -> str:
    """The question with blanks in the place of the stretches."""
    for one in found:
        question = question[: one.start] + " " * (one.end - one.start) + question[one.end :]
    return question


def _apart_from(taken: Sequence[Spelling], found: Sequence[Spelling]) -> list[Spelling]:
    """The stretches that overlap none of those that are taken."""
    return [one for one in found if all(one.end <= other.start or other.end <= one.start for other in taken)]


def _points(question: str) -> bool:
    return points(read(question))


def _unknown(words: tuple[str, ...]) -> str:
    shown = "”, “".join(words[:5])
    return f"I do not know what “{shown}” means in this database." if words else ""


def _lacking(parts: Parts) -> str:
    """What is said of a kind of records that the question speaks of and the profile has not; "" for none."""
    kinds = "” and “".join(kind_of(role).noun for role in dict.fromkeys(parts.lacking))
    return f"This database has no records of the kind “{kinds}”." if kinds else ""


def _lost_by_both(read: Read, typed: str) -> str | None:
    """The words that the chart pays dearly for, which say something that is in no reading; "" where that is the reading
    as a whole, None where nothing is lost."""
    dear = [typed[read.places[at][0] : read.places[end - 1][1]] for at, end, price in read.paid if price >= _DEAR]
    unkept = any(one.startswith("unkept:") for one in read.why)
    return " ".join(dear) if unkept or dear or read.price >= _FAR else None


def _misread(question: str, logic: str, charted: Statement, meaning: Statement) -> Iterator[str]:
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
    if logic and names_alike(logic, meaning):
        yield ""
    if logic and figures_lost(question, logic):
        yield ""
    if logic and parts_culture(logic, meaning):
        yield ""
    if forgets_each(question, logic, charted):
        yield "each"
    if tells_nobody(question, logic):
        yield "who"
    if logic and (limit := limit_lost(question, logic)):
        yield limit
    if logic and total_lost(question, logic):
        yield "total"
    if logic and takes_one_for_two(question, logic):
        yield ""
    if logic and something_lost(question, logic):
        yield ""


def _as_typed(proposal: Proposal, question: str, spelled: Sequence[Spelling]) -> Proposal:
    """The proposal for the question as it was typed, before shorthand in it was spelled out."""
    if not spelled:
        return proposal
    links = []
    for link in proposal.links:
        start, end = typed_span(spelled, link.start, link.end)
        links.append(replace(link, start=start, end=end, text=question[start:end]))
    paid = []
    for word in proposal.paid:
        start, end = typed_span(spelled, word.start, word.end)
        paid.append(replace(word, start=start, end=end, text=question[start:end]))
    slots = proposal.slots
    if slots is not None:
        spans = [typed_span(spelled, slot.start, slot.end) for slot in slots]
        slots = tuple(replace(slot, start=a, end=b) for slot, (a, b) in zip(slots, spans, strict=True))
    return replace(proposal, question=question, links=tuple(links), slots=slots, paid=tuple(paid))


def _with_items(understood: Understood, source: Source) -> Understood:
    query = understood.query
    if not isinstance(query, Query):
        return understood
    return replace(understood, query=replace(query, source=source, patients=replace(query.patients, turn=None)))


def _earlier(history: Sequence[PastTurn], read_back: Callable[[str], Logic | None]) -> Turns:
    """The turns that have a result; their logic is read back, as a form, when it is needed."""
    past = {turn.number: turn for turn in history if turn.columns}

    def told(number: int) -> EarlierTurn:
        turn = past[number]
        return EarlierTurn(read_back(turn.logic or ""), turn.columns, _stands(turn), turn.row_count == 1)

    return Turns(past, lambda number: _stands(past[number]), cache(told))


def _stands(turn: PastTurn) -> bool:
    """True for a turn that the conversation goes on from: answered, or withheld only because nothing was found."""
    return turn.decision == "answered" or turn.row_count == 0


def _of_all(whole: Proposal, history: Sequence[PastTurn]) -> bool:
    """True for what is asked of something that is named, where the conversation is not about one patient; for a figure
    only where it is not about a group either."""
    from ehrtui.logic.written import statement_of
    from ehrtui.planning.follow.recounting import is_count
    from ehrtui.planning.follow.scoping import lists_whom

    before = next((turn.logic for turn in reversed(history) if turn.logic and _stands(turn)), None)
    if before is None:
        return bool(whole.logic) and not (says_no_people(whole.question) and _patients_named(_latest_logic(history)))
    if not whole.logic or not names_in(whole.logic):
        return False
    try:
        if not is_count(statement_of(whole.logic)) and lists_whom(statement_of(before)):
            return False
    except LogicError:
        return False
    return not any(_names_one(logic) for logic in _named_behind(before, history))


def _names_one(logic: str) -> bool:
    return bool(_patients_named(logic)) or _ONE_STAY.search(logic) is not None


def _named_behind(logic: str, history: Sequence[PastTurn]) -> Iterator[str]:
    """Query logic, and that of the answers that it names, and those that these name."""
    known = {turn.number: turn.logic for turn in history if turn.logic}
    left, seen = [logic], {logic}
    while left:
        one = left.pop()
        yield one
        more = {told for turn in turns_of(one) if (told := known.get(turn)) is not None} - seen
        seen |= more
        left += more


def _latest_logic(history: Sequence[PastTurn]) -> str | None:
    """What was read last, whether it was answered or not."""
    return next((turn.logic for turn in reversed(history) if turn.logic), None)


def _told_of_one(history: Sequence[PastTurn]) -> bool:
    """True where the latest answer was about patients who were named one by one."""
    return bool(_patients_named(next((turn.logic for turn in reversed(history) if turn.logic and _stands(turn)), None)))


def _tells_of_patients(history: Sequence[PastTurn]) -> bool:
    """True where the latest answer told of patients as such."""
    from ehrtui.logic.written import statement_of
    from ehrtui.planning.reader.about import rows_about

    before = next((turn.logic for turn in reversed(history) if turn.logic and _stands(turn)), None)
    try:
        of = rows_about(statement_of(before)) if before is not None else None
    except LogicError:
        return False
    return of is not None and of.unit == PATIENT_UNIT


def _asks_if_among(question: str) -> bool:
    from ehrtui.planning.follow.one_of_them import asks_if_among

    return asks_if_among([word.text for word in read(question).words])


def _asks_who_of_them(question: str, history: Sequence[PastTurn]) -> bool:
    """True for "who had the highest lactate?" right after an answer about some patients, of whom it is asked then."""
    from ehrtui.logic.written import statement_of
    from ehrtui.planning.follow.implied import who_most
    from ehrtui.planning.follow.subject import subject_of

    words = [word.text for word in read(question).words]
    if who_most(words) is None or not history or not history[-1].columns or not history[-1].logic:
        return False
    try:
        subject = subject_of(history[-1].number, statement_of(history[-1].logic))
    except LogicError:
        return False
    return subject is not None and subject.unit == "patient" and subject.person is None and subject.of.where is not None


def _goes_on(proposal: Proposal, history: Sequence[PastTurn]) -> tuple[str, ...]:
    """The words by which a question may go on from the turn before, which was not answered."""
    from ehrtui.planning.follow.expecting import dangling

    if not proposal.logic or all(turn.decision == "answered" for turn in history[-1:]):
        return ()
    return dangling(proposal.question, proposal.logic)


def _is_of_older(proposal: Proposal, latest: int) -> bool:
    """True for a reading that goes on from an answer before the latest."""
    return any(doubt.kind == "continued" and doubt.about != f"A{latest}" for doubt in proposal.doubts)


def _unanswered_since(turn: int, history: Sequence[PastTurn]) -> set[int]:
    """The turns after one that were not answered, and may have been about others: what leans on it may be meant of
    them. Who is named one by one stays the same, whatever was asked in between."""
    logic = next((one.logic or "" for one in history if one.number == turn), "")
    one_by_one = bool(_patients_named(logic))
    return {
        one.number for one in history if one.number > turn and (one.columns or not one_by_one) and _may_have_moved(one)
    }


def _unanswered_latest(history: Sequence[PastTurn]) -> set[int]:
    """The turn right before, where it was not answered: what is left to be completed is most likely meant of it, unless
    it asked for something of those of before, of which nothing is shown."""
    return {turn.number for turn in history[-1:] if not _stands(turn) and (turn.columns or tells_some(turn.question))}


def _may_have_moved(turn: PastTurn) -> bool:
    """True for a turn that was not answered, and of which some guess is shown, or that was asked of others."""
    if turn.columns:
        return not _stands(turn) and not keeps_group(turn.question)
    return turn.decision != "answered" and names_group(turn.question)


def _of_the_person(proposal: Proposal, turns: AbstractSet[int], history: Sequence[PastTurn]) -> AbstractSet[int]:
    """The turn by which it is known of which one patient a proposal is, where it was completed by no more than that of
    `turns`; else these: however a turn in between was read, its patient is the same."""
    whom = _patients_named(proposal.logic)
    told = [turn for turn in history if _patients_named(turn.logic) == whom and turn.decision == "answered"]
    if told and (others := _others_since(proposal, whom, told[-1].number, history)):
        return {*turns, *others}
    same = all(_patients_named(turn.logic) == whom for turn in history if turn.number in turns and turn.columns)
    if len(whom) != 1 or not told or not same or turns_of(proposal.logic or ""):
        return turns
    return {max(told, key=lambda turn: turn.confidence).number}


def _others_since(proposal: Proposal, whom: set[str], turn: int, history: Sequence[PastTurn]) -> set[int]:
    """The turns after one that were not answered and named others than the patients whom a question does not name, and
    of whom it was read: it may as well be meant of these."""
    if all(name.removeprefix("patient ").strip('"') in proposal.question for name in whom):
        return set()
    return {one.number for one in history if one.number > turn and _patients_named(one.logic) - whom}


def _takes_the_person(proposal: Proposal, turns: AbstractSet[int], history: Sequence[PastTurn]) -> bool:
    """True for a reading that has nothing of the turns that it was completed from but the patient."""
    before = set().union(*(names_in(turn.logic or "") for turn in history if turn.number in turns))
    own = names_in(proposal.logic or "")
    return own & before == _patients_named(proposal.logic) and not _LIMITED.search(proposal.logic or "")


def _patients_named(logic: str | None) -> set[str]:
    """The patients that query logic names one by one."""
    return {name for name in names_in(logic or "") if name.startswith("patient ")}


def _no_surer(proposal: Proposal, turns: AbstractSet[int], history: Sequence[PastTurn]) -> Proposal:
    """The proposal, no surer than the turns that it was completed from."""
    if not turns:
        return proposal
    least = min((turn.confidence for turn in history if turn.number in turns), default=1.0)
    shown = {turn.number for turn in history if turn.columns}
    return replace(proposal, confidence=min(proposal.confidence, least), scope=max(turns & shown, default=max(turns)))
