"""The planner that needs no language model: question → marks → readings → query logic → SQL → plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from ehrtui.concepts.library import Library
from ehrtui.logic.algebra.concepts import NO_CONCEPTS, Concepts
from ehrtui.logic.algebra.lift import read_back
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.compile import flat_sql, steps_of
from ehrtui.logic.words import turns_of
from ehrtui.logic.written import written
from ehrtui.planning.follow.implied import leaves_unsaid
from ehrtui.planning.follow.of_the_two import either_of_two
from ehrtui.planning.follow.one_person import asks_what_one_costs, tells_the_stays
from ehrtui.planning.follow.pointing import (
    calls_some,
    is_whole,
    leans_on_nothing,
    names_one,
    names_stays,
    opens_anew,
    points,
    points_at_one,
    without_and,
)
from ehrtui.planning.mentions import PaidWord
from ehrtui.planning.offline import followups
from ehrtui.planning.offline.answerability import NEVER_KEPT, Extent, cues, first_day, refusal_of
from ehrtui.planning.offline.asides import asides
from ehrtui.planning.offline.at_that_time import at_that_time
from ehrtui.planning.offline.bare_codes import bare_codes
from ehrtui.planning.offline.bare_patients import bare_patients, by_hospital_number
from ehrtui.planning.offline.bare_stays import bare_stays
from ehrtui.planning.offline.brand_in_brackets import brand_in_brackets
from ehrtui.planning.offline.conversation_words import Heard, hear
from ehrtui.planning.offline.counted_again import counted_again
from ehrtui.planning.offline.each_of_several import each_of_several
from ehrtui.planning.offline.examples import example_questions, frequent_name
from ehrtui.planning.offline.grown_again import grown_again
from ehrtui.planning.offline.instead import OFFERED, questions_instead
from ehrtui.planning.offline.known_patients import (
    is_patient,
    is_stay,
    kinds_of_stay,
    known_by_number,
    named_patients,
    named_stays,
    unknown,
    unknown_stays,
)
from ehrtui.planning.offline.lexicon import lexicon_of
from ehrtui.planning.offline.marking import add_near_mentions, mark, unexplained, unexplained_words
from ehrtui.planning.offline.months_alone import month_alone
from ehrtui.planning.offline.ones_of_them import ones_of_them
from ehrtui.planning.offline.other_than import other_than
from ehrtui.planning.offline.parts import parts_of
from ehrtui.planning.offline.past_turns import (
    asks_of_all,
    asks_who_of_them,
    earlier_turns,
    no_surer,
    of_the_person,
    spoken_of,
    takes_the_person,
    tells_of_patients,
    told_of_one,
    unanswered_latest,
    unanswered_since,
    words_going_on,
)
from ehrtui.planning.offline.same_pick import same_pick
from ehrtui.planning.offline.shared_places import with_shared_places
from ehrtui.planning.offline.shorthand import (
    Spelling,
    ages_in_short,
    all_such,
    as_typed,
    count_in_short,
    counts_in_short,
    no_more,
    of_an_answer,
    of_each_stay,
    one_pointed_at,
    rewritten,
    short_forms,
    spellings,
    when_behind,
    whose_behind,
)
from ehrtui.planning.offline.slots import slots_of
from ehrtui.planning.offline.some_of_them import some_of_them
from ehrtui.planning.offline.talk import Talk, find_talk, told_first
from ehrtui.planning.offline.there_now import there_now
from ehrtui.planning.offline.understood_words import links_of
from ehrtui.planning.offline.unsaid_kinds import unsaid_kinds
from ehrtui.planning.offline.words import Text, read
from ehrtui.planning.plan_text import plan_of
from ehrtui.planning.proposal import PastTurn, Proposal, Reading, Refusal
from ehrtui.planning.reader.choosing import SHOWN, doubted
from ehrtui.planning.reader.finished_stays import finished_only
from ehrtui.planning.reader.pronouns import stand_for_own
from ehrtui.planning.reader.respelling import respelled
from ehrtui.planning.reader.usual_units import usual_units
from ehrtui.planning.reader.world import World
from ehrtui.schema.model import Schema
from ehrtui.schema.naming import build_value_index
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import Entry, ValueIndex, split
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import Estimator, shipped_estimator

if TYPE_CHECKING:
    from ehrtui.planning.reader.every_way import EveryWay

LONGEST_QUESTION = 2000
"""Letters: what is longer is not looked at."""
LONGEST_NUMBER = 300
"""Digits: what has more may have no finite value."""
_NUMBER = re.compile(r"\d[\d.,]*")
MOST_WORDS = 60
"""Words, talk left out: what has more is no one question."""
_MOST_ASKED = 3
"""Questions within a text that is too long: so many are offered in its place."""
_PASSED = 0.2
"""How far the topic of an introduction, of which the question says nothing, may be meant for it."""
_SURELY = 0.85
"""How well words fit what they name, where they are no chance likeness."""
_QUESTIONS = re.compile(r"[^.?!;\n]+\?")
_MOST_REMEMBERED = 4096
"""Turns: their logic is parsed once, and not for every letter that is typed."""


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
        self._known_by = lru_cache(maxsize=1000)(partial(known_by_number, profile, read))
        self._is_stay = lru_cache(maxsize=1000)(partial(is_stay, profile, read))
        self._kinds_of_stay = lru_cache(maxsize=1000)(partial(kinds_of_stay, profile, read))
        roles = frozenset(profile.roles)
        self._read_back = lru_cache(maxsize=_MOST_REMEMBERED)(
            lambda logic: read_back(logic, roles, self._without_concepts)
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
        behind = () if opens_anew(question) else spoken_of(question, history)
        proposal = with_shared_places(self._without_talk(question, behind), question, self._profile)
        return self._planned(proposal, history)

    def _without_talk(self, question: str, history: Sequence[PastTurn]) -> Proposal:
        """The proposal for a question without what is said around it."""
        proposal = self._without(find_talk(question, self._topics), question, history)
        if proposal.reason or proposal.confidence < SHOWN:
            for talk in told_first(question, self._topics):
                alone = self._without(talk, question, history)
                if not alone.reason and alone.confidence >= SHOWN:
                    return alone
        return proposal

    def _without(self, talk: Talk, question: str, history: Sequence[PastTurn]) -> Proposal:
        """The proposal for a question without the talk in it."""
        left_out = _left_out(question, talk)
        over = finished_only(question)
        units = usual_units(_blanked(question, over))
        not_read = sorted((*left_out, *_apart_from(left_out, (*over, *units))), key=lambda one: one.start)
        said = rewritten(question, not_read)
        if len(said.split()) > MOST_WORDS:
            return self._too_long(question, said)
        proposal = as_typed(self._judged(said, history), question, not_read)
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
        turns = earlier_turns(history, self._read_back)
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
        proposal = as_typed(proposal, question, spelled)
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
        offered = self._with_questions(proposal, refusal)
        if history and refusal.kind in NEVER_KEPT:  # nothing of it is what the conversation goes on from
            proposal = replace(proposal, logic=None, statement=None, readings=())
        return replace(proposal, reason=refusal.sentence, refusal=offered, slots=slots)

    def _nobody(self, proposal: Proposal) -> Refusal | None:
        """What is said of patients or stays that the question names, and that are not there."""
        if stays := [id for id in named_stays(proposal.question.lower()) if not self._is_stay(id)]:
            return unknown_stays(stays)
        missing = [id for id in named_patients(proposal, self._profile) if not self._is_patient(id)]
        return unknown(missing) if missing else None

    def _with_questions(self, proposal: Proposal, refusal: Refusal) -> Refusal:
        assert self._index is not None
        questions = refusal.instead or questions_instead(
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
            by_hospital_number(question, self._is_patient, self._known_by),
            asides(question, goes_on=bool(history)),
            other_than(question),
            brand_in_brackets(question, self._is_stored),
            unsaid_kinds(question),
            each_of_several(question),
            bare_patients(question, self._is_patient) if self._profile.patient_ids == "text" else [],
            bare_stays(lower, self._is_patient, self._kinds_of_stay),
            bare_codes(lower, self._is_patient, self._kinds_of_stay),
            ages_in_short(question),
            of_each_stay(question),
            short_forms(question),
            no_more(question),
            [*one_pointed_at(question), *all_such(question), *of_an_answer(question)] if history else [],
            count_in_short(question) or counts_in_short(question),
            counted_again(lower, history),
            month_alone(lower, history),
            same_pick(question, history),
            grown_again(lower, history),
            at_that_time(question, history),
            ones_of_them(question, history),
            some_of_them(question, history),
            either_of_two(question, history) or when_behind(question) or whose_behind(question),
            self._where_they_lie(question),
            there_now(question, self._index) if self._index is not None else [],
        ):
            found += _apart_from(found, [*said])
        return sorted(found, key=lambda one: one.start)

    def _is_stored(self, name: str) -> bool:
        """True for what is stored in just these words."""
        return self._index is not None and bool(self._index.of(split(name)))

    def _read_question(self, question: str, history: Sequence[PastTurn], *, chart: bool = True) -> Proposal:
        """With `chart` the reading of the chart may take the place of that of the marks."""
        from ehrtui.planning.follow.returning import of_everybody  # sqlglot: too heavy for a start-up path
        from ehrtui.planning.offline.from_marks import proposal_of_marks

        assert self._index is not None
        stated = without_and(question)
        if chart and history and (anybody := of_everybody(question)) and not _points(anybody):
            return replace(self._read_question(anybody, ()), question=question)
        goes_on = chart and bool(history) and not leaves_unsaid(stated)
        of_its_own = goes_on and (
            is_whole(stated) or self._names_others(stated, history) or asks_what_one_costs(stated)
        )
        of_its_own = of_its_own and not (tells_the_stays(stated) and told_of_one(history))
        of_them = asks_who_of_them(stated, history)
        of_its_own = of_its_own and not (of_them or _asks_if_among(stated))
        leans = not of_its_own and not (goes_on and leans_on_nothing(stated) and not of_them)
        if not leans and not self._describes(stated, history):
            whole = self._read_question(stated, ())
            of_all = of_its_own or asks_of_all(whole, history)
            if of_all and not whole.reason and whole.confidence >= SHOWN and not words_going_on(whole, history):
                return replace(whole, question=question)
        turns = earlier_turns(history, self._read_back, weighed=True)
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
            whose = followups.of_whom(lost, question, turns.latest) if turns else ()
            missing = Refusal("ambiguous", lost, instead=whose)
            nothing = Proposal(question, self.name, links=links_of(heard.text, marks), reason=lost, refusal=missing)
            nothing = as_typed(nothing, question, spelled)
            if chart and not turns:
                nothing = self._of_its_own(nothing, question)
            return self._followed(nothing, question, history)
        slots = slots_of(parts) if follow is None and parts == alone else None
        words = {word.text for word in heard.text.words}
        on_turns = bool(parts.marks.of("turn")) or any(f"a{number}" in words for number in turns)
        proposal = proposal_of_marks(
            parts,
            follow,
            turns,
            profile=self._profile,
            now=self._now,
            concepts=self._concepts,
            estimator=self._estimator,
            planner=self.name,
        )
        proposal = as_typed(replace(proposal, slots=slots), question, spelled)
        fresh = follow is None and parts == alone and not on_turns
        if chart and fresh and not (turns and points(heard.text)):
            proposal = self._read_twice(proposal, question)
        built_on = followups.built_on(parts, follow)
        if built_on and not parts.marks.of("turn") and not points_at_one(heard.text):
            built_on |= unanswered_since(max(built_on), history)
            built_on |= unanswered_latest(history) if follow is not None and not points(heard.text) else set()
        of_one = not parts.marks.of("turn") and (follow is None or takes_the_person(proposal, built_on, history))
        proposal = no_surer(proposal, of_the_person(proposal, built_on, history) if of_one else built_on, history)
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
        return names_stays(question) and tells_of_patients(history)

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

        read = self._read_twice(nothing, question)
        own = stand_for_own(question.lower()) or bool(read.logic and tells_of_stays(statement_of(read.logic)))
        return read if read.logic and own else nothing

    def _read_twice(self, proposal: Proposal, question: str) -> Proposal:
        from ehrtui.planning.offline.read_twice import preferred  # sqlglot: too heavy for a start-up path

        said, spelled = self._said(question)
        return preferred(proposal, question, said, spelled, self._chart())

    def _followed(
        self, proposal: Proposal, question: str, history: Sequence[PastTurn], *, fresh: bool = False
    ) -> Proposal:
        if not history:
            return proposal
        from ehrtui.planning.offline.going_on import Asked, gone_on  # sqlglot: too heavy for a start-up path

        asked = Asked(question, *self._said(question), history, fresh)
        return gone_on(proposal, asked, self._chart(), self._read_back, lambda one: self._nobody(one) is not None)

    def _without_concepts(self, statement: Statement) -> Statement:
        from ehrtui.logic.algebra.concepts import with_meanings
        from ehrtui.planning.reader.spelled_out import spelled_out

        self.prepare()
        spelled: Statement = spelled_out(statement, self._world())
        return with_meanings(spelled, self._concepts)

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
        turns = earlier_turns(history, self._read_back)
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
        return no_surer(proposal, turns_of(logic), history)

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
        if (long := max(_NUMBER.findall(question), key=len, default="")) and len(long) > LONGEST_NUMBER:
            return f"No record has a number of more than {LONGEST_NUMBER} digits ({long[:12]}…); say a shorter one."
        if not self._profile.roles:
            return (
                "This database is of a family that ehrtui does not know, so questions in words cannot be read yet. "
                "Write SQL (it starts with SELECT), or describe the tables in a profile."
            )
        return ""


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


def _asks_if_among(question: str) -> bool:
    from ehrtui.planning.follow.one_of_them import asks_if_among

    return asks_if_among([word.text for word in read(question).words])
