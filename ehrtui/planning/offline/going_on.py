"""A question that goes on from earlier turns, read twice: by its marks and by the chart, which is likelier."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ehrtui.logic.algebra.lift import ReadBack
from ehrtui.logic.algebra.model import UNITS, Set, Statement
from ehrtui.logic.nodes import walk
from ehrtui.logic.words import turns_of
from ehrtui.planning.follow.ages_told import ages_told
from ehrtui.planning.follow.contrasting import adds_to_them, compares
from ehrtui.planning.follow.describing import DESCRIBED
from ehrtui.planning.follow.doing_so import says_so
from ehrtui.planning.follow.earlier import earlier_statements, within_reach
from ehrtui.planning.follow.expecting import changes, says_nothing_new, unmet
from ehrtui.planning.follow.extremes import MOMENT
from ehrtui.planning.follow.fewer_names import takes_fewer_names
from ehrtui.planning.follow.following import asked_of_earlier, followed
from ehrtui.planning.follow.groups_told import ONE_OF_GROUPS, passes_over_group
from ehrtui.planning.follow.implied import goes_on_beside, leaves_unsaid
from ehrtui.planning.follow.one_group import unresolved
from ehrtui.planning.follow.one_person import forgets_person, is_about_person
from ehrtui.planning.follow.passing import missed
from ehrtui.planning.follow.pointing import asks_from, is_pointing, points, points_at_that_one, turns_meant
from ehrtui.planning.follow.preferring import alike, asks_of_one, contradicts_itself, likelier, plain
from ehrtui.planning.follow.returning import RETURNED
from ehrtui.planning.follow.same_records import of_same_records, told_of_same
from ehrtui.planning.follow.scoping import SCOPED
from ehrtui.planning.follow.stays_as_before import stays_as_before
from ehrtui.planning.follow.subject import is_one_group
from ehrtui.planning.follow.weighing import counts_instead
from ehrtui.planning.offline import followups
from ehrtui.planning.offline.asking_words import speaks_of_several
from ehrtui.planning.offline.past_turns import (
    earlier_turns,
    is_of_older,
    no_surer,
    of_the_person,
    unanswered_latest,
    unanswered_since,
    words_going_on,
)
from ehrtui.planning.offline.shorthand import Spelling, as_typed
from ehrtui.planning.offline.words import Text, read
from ehrtui.planning.proposal import PastTurn, Proposal
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.asked_besides import something_lost
from ehrtui.planning.reader.choosing import SHOWN, doubted, forgets
from ehrtui.planning.reader.ed_stays import of_the_department
from ehrtui.planning.reader.every_way import EveryWay
from ehrtui.planning.reader.lexing import Lexed, lexed
from ehrtui.planning.reader.proposing import proposal_of
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.spelled_out import spelled_out
from ehrtui.planning.reader.when_it_ended import when_it_ended
from ehrtui.planning.reader.world import World
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import Estimator

_GROUP = re.compile(r"\b(?:the|that|this) (?:[\w-]+ ){1,3}(?:group|cohort|arm)\b")
"""Those of an earlier answer, called by what they have."""
_LIKELY = 1.5
"""A reading that leans on an earlier turn is likely where it costs no more."""
_OF_A_FAMILY = 2.4
"""What it may cost where the marks take one name, and it all that are called so, as the answer before did."""
_AS_LIKELY, _MOST_ALIKE = 0.6, 4
"""What a reading may cost more than the cheapest, and how many there may be, with which that of the marks agrees."""
_LATEST = {"changed", MOMENT}
"""What readings were paid for that change the latest answer, whatever answer is named."""
_FOR_ONE = " for patient "


@dataclass(frozen=True)
class Asked:
    """A question in its conversation: as typed, and as the chart reads it (`said`, with words `spelled` out); `fresh`
    where the marks read it with no regard to the `history`."""

    question: str
    said: Text
    spelled: Sequence[Spelling]
    history: Sequence[PastTurn]
    fresh: bool


@dataclass(frozen=True)
class _GoingOn:
    """What was `asked`, what was asked `earlier`, by turn, and by the `latest`; `read_back` gives query logic as the
    marks can change it, without a form where they cannot."""

    asked: Asked
    earlier: Mapping[int, Statement]
    latest: int
    read_back: Callable[[str], ReadBack]

    @property
    def words(self) -> tuple[str, ...]:
        """Its words, as the chart reads them."""
        return tuple(word.text for word in self.asked.said.words)


@dataclass(frozen=True)
class _Lost:
    """The words that a reading leaves out: all of them, those that expect what it does not give (`lacking`), and the
    first one where the patient of whom it was spoken is `forgotten`."""

    words: tuple[str, ...]
    lacking: tuple[str, ...]
    forgotten: tuple[str, ...]


def gone_on(
    proposal: Proposal,
    asked: Asked,
    chart: EveryWay,
    read_back: Callable[[str], ReadBack],
    is_of_nobody: Callable[[Proposal], bool],
) -> Proposal:
    """The `proposal` of the marks for a question that leans on earlier turns, or that of the chart where it is
    likelier: where the marks decline or are not sure, see a `fresh` question in one that points back, forget what the
    conversation is about, or leave out what is said in people's own words; then they are doubted at least.
    `is_of_nobody` is true for what is about patients who are not there."""
    question, said, history, fresh = asked.question, asked.said, asked.history, asked.fresh
    world, estimator = chart.world, chart.estimator
    words = tuple(word.text for word in said.words)
    earlier = earlier_statements(within_reach(words, {turn.number: turn for turn in history if turn.columns}))
    if fresh and (lost := words_going_on(proposal, history)):
        proposal = doubted(proposal, Doubt("unused", 1.0, " ".join(lost)), estimator)
    if not earlier:
        return proposal
    latest = max((turn.number for turn in history if turn.number in earlier), default=max(earlier))
    before = next(turn for turn in history if turn.number == latest)
    logic = before.logic or ""
    unsaid = leaves_unsaid(before.question) or goes_on_beside(question, before.question)
    found = followed(said, world, earlier, latest, unsaid=unsaid)
    found += asked_of_earlier(said, world, earlier, latest)
    found = [told_of_same(one, earlier) for one in found]
    one = lexed(said, world)
    found = [replace(each, statement=_as_meant(each.statement, earlier[latest], words, one, world)) for each in found]
    same = [] if fresh else of_same_records(proposal.logic or "", earlier, question)
    found += same
    found = [one for one in found if not adds_to_them(words, earlier[latest], one.statement)]
    if of_named := {turn for turn in earlier if f"a{turn}" in words}:
        found = [
            each for each in found if _LATEST.isdisjoint(each.why) or not of_named.isdisjoint(turns_meant(each.why))
        ]
    if speaks_of_several(question) and not points(said) and is_about_person(earlier[latest], latest):
        found = [each for each in found if not is_about_person(each.statement, latest)]
    found.sort(key=lambda one: one.price)
    if proposal.refusal is not None and proposal.refusal.kind == "ambiguous":
        unread = read_back(logic).form is None  # by the marks, which then cannot change it
        whose = proposal.reason == followups.PATIENT_NEEDED
        found = plain(found, earlier[latest], unread=unread, whose=whose)
    goes_on = _GoingOn(asked, earlier, latest, read_back)
    lost_by_marks = _lost(proposal, goes_on, found, world)
    left_out = (*(("others",) if same else ()), *lost_by_marks.words)
    likely = _LIKELY
    if proposal.statement is not None and found and not left_out:
        charted = spelled_out(found[0].statement, world)
        if takes_fewer_names(proposal.statement, charted, spelled_out(earlier[latest], world)):
            left_out, likely = (question.strip(" ?.!"),), _OF_A_FAMILY
    by_marks = proposal
    if left_out:
        by_marks = doubted(proposal, Doubt("unused", 1.0, " ".join(left_out)), estimator)
    if not found:
        return by_marks
    marked = bool(proposal.logic) and not proposal.reason
    if fresh and not points(said) and _is_of_its_own(proposal, earlier[latest], latest):
        return by_marks
    one_for_all = asks_of_one(question, proposal.logic or "", earlier)
    agreed = marked and not one_for_all
    of_its_kind = _of_its_kind(found, earlier[latest])
    agreed = agreed and alike(proposal.logic or "", spelled_out(of_its_kind.statement, world), earlier)
    if agreed and (lost_by_marks.lacking or proposal.confidence >= SHOWN or found[0].price >= _LIKELY):
        return by_marks if lost_by_marks.lacking or lost_by_marks.forgotten else proposal
    turns = earlier_turns(history, read_back, weighed=True)
    other = proposal_of(said.typed, proposal.planner, said, found, world, estimator, turns)
    if other is None:
        return by_marks
    leaning = fresh or likelier(question, proposal, found[0], earlier) or forgets(proposal, other, logic)
    leaning = leaning or is_of_nobody(proposal)  # "make it 3" is no patient 3
    kept = found[0].price < likely and (leaning or bool(left_out))
    if marked and not kept and proposal.confidence >= SHOWN:
        return by_marks
    return _continued(other, found[0], goes_on, world, estimator)


def _as_meant(statement: Statement, before: Statement, words: Sequence[str], one: Lexed, world: World) -> Statement:
    """What was read, of the stays, and with the times and ages, that are meant behind the answer `before`."""
    statement = stays_as_before(statement, words, before)
    return ages_told(of_the_department(when_it_ended(statement, words), one, world), words, before, world)


def _is_of_its_own(proposal: Proposal, before: Statement, latest: int) -> bool:
    """True for a whole question of one patient who is named in it, "last creatinine of patient 10006", but where the
    same kind of records may be asked of another one than before."""
    if proposal.reason or _FOR_ONE not in (proposal.logic or "") or proposal.confidence < SHOWN:
        return False
    kinds = _kinds(proposal.statement) if proposal.statement is not None else set()
    return not is_about_person(before, latest) or bool(kinds and kinds.isdisjoint(_kinds(before)))


def _of_its_kind(found: Sequence[Read], before: Statement) -> Read:
    """The likeliest reading; where that is of other kinds of records than the earlier answer, one that is as likely and
    of the same: "and in urine?" asks of cultures, where these were asked of."""
    kinds = _kinds(before)
    near = [one for one in found[:_MOST_ALIKE] if one.price <= found[0].price + _AS_LIKELY]
    same = [one for one in near if kinds and _kinds(one.statement) == kinds]
    return same[0] if same and kinds.isdisjoint(_kinds(found[0].statement)) else found[0]


def _kinds(statement: Statement) -> set[str]:
    """The kinds of records that a statement is about, beside patients and stays."""
    return {part.unit for part in walk(statement) if isinstance(part, Set)} - {*UNITS}


def _lost(proposal: Proposal, goes_on: _GoingOn, found: Sequence[Read], world: World) -> _Lost:
    """What the reading of the marks leaves out of a question that goes on, beside what the chart `found`."""
    logic, asked, earlier, latest = proposal.logic, goes_on.asked, goes_on.earlier, goes_on.latest
    question, said, history, fresh = asked.question, asked.said, asked.history, asked.fresh
    if not logic:
        return _Lost((), (), ())
    words, one = goes_on.words, lexed(said, world)
    lost: list[str] = []
    if fresh:
        lost += unresolved(one, logic)
        lost += words[:2] if asks_from(question) and not turns_of(logic) else ()
        lost += _GROUP.findall(question.lower()) if not turns_of(logic) else ()
    forgotten = forgets_person(question, one, earlier, latest, logic)
    lost += forgotten
    if any(ONE_OF_GROUPS in read.why for read in found) and passes_over_group(logic, earlier[latest]):
        lost.append("ones")
    lost += () if fresh else missed(one, logic, earlier, latest)
    lacking = unmet(words, logic, earlier, fresh=fresh)
    changed = not fresh and _keeps_what_changed(logic, latest, history)
    if something_lost(question, logic) or changed or _asks_something_else(question, logic, latest, history):
        lacking = (*lacking, *words[:2])
    lost += lacking
    if fresh:
        return _Lost(tuple(lost), lacking, forgotten)
    if proposal.statement is not None and counts_instead(words, proposal.statement, earlier[latest]):
        lost += words[:1]
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
    behind = goes_on.read_back(before).form is None and latest not in meant  # the marks cannot go on from the latest
    whom = points_at_that_one(words)
    told_again = rows_about(earlier[latest]) is not None
    if behind and (whom or points(said)) and meant and not any(f"a{turn}" in words for turn in meant):
        lost += [*whom, *(word for word in words if is_pointing(word))]
    elif ((behind and told_again) or compares(earlier[latest])) and is_of_older(proposal, latest):
        lost += words[:1]
    return _Lost(tuple(lost), lacking, forgotten)


_QUOTED = re.compile(r'"([^"]+)"')


_THE_SAME = re.compile(
    r"^\W*(?:(?:and|now|ok|so|please|do)\W+)*(?:the\s+)?same\s+(?:thing\s+|again\s+)?(?:for|with|in)\b", re.IGNORECASE
)


def _asks_something_else(question: str, logic: str, latest: int, history: Sequence[PastTurn]) -> bool:
    """True where the same is asked of something else, and what is told is of another kind: a name, after a share."""
    before = next((turn.logic or "" for turn in history if turn.number == latest), "")
    first, other = (text.removeprefix("distinct ").partition(" ")[0] for text in (before, logic))
    return bool(first and other) and first != other and _THE_SAME.match(question) is not None


def _keeps_what_changed(logic: str, latest: int, history: Sequence[PastTurn]) -> bool:
    """True where something is asked of another name than before, but of those who were found by the former: "in which
    specimens was it found" of the E. coli of A1, and then "same for klebsiella" of the patients in A1."""
    told = {turn.number: turn.logic or "" for turn in history}
    before = told[latest]
    scope = set(turns_of(logic)) & set(turns_of(before))
    for old in set(_QUOTED.findall(before)) - set(_QUOTED.findall(logic)):
        changed = any(before.replace(f'"{old}"', f'"{new}"') == logic for new in _QUOTED.findall(logic))
        if changed and any(f'"{old}"' in told.get(turn, "") for turn in scope):
            return True
    return False


def _continued(other: Proposal, found: Read, goes_on: _GoingOn, world: World, estimator: Estimator) -> Proposal:
    """The chart's proposal for a question that goes on, doubted for what it may have missed, and no surer than the
    turns that it stands upon."""
    question, said, history = goes_on.asked.question, goes_on.asked.said, goes_on.asked.history
    words, earlier, latest = goes_on.words, goes_on.earlier, goes_on.latest
    meant = {*turns_meant(found.why)}
    told_anew = not {DESCRIBED, RETURNED}.isdisjoint(found.why)
    named = {turn for turn in meant if told_anew or f"a{turn}" in said.lower.split()}
    other = doubted(other, Doubt("continued", 1.0, f"A{max(named, default=latest)}"), estimator)
    before = next(turn.question for turn in history if turn.number == latest)
    if is_one_group(earlier[latest]) and latest in meant and points(said) and points(read(before)):
        several = " ".join(word for word in words if is_pointing(word))
        other = doubted(other, Doubt("unused", 1.0, several), estimator)  # the group, or those it is of
    if changes(words) and alike(other.logic or "", spelled_out(earlier[latest], world), earlier):
        other = doubted(other, Doubt("unused", 1.0, question.strip(" ?.!")), estimator)
    logic = other.logic or ""
    changed = _keeps_what_changed(logic, latest, history) or _asks_something_else(question, logic, latest, history)
    if something_lost(question, logic) or changed:
        other = doubted(other, Doubt("unused", 1.0, question.strip(" ?.!")), estimator)
    if lacking := unmet(words, other.logic or "", earlier, fresh=False):
        other = doubted(other, Doubt("unused", 1.0, " ".join(lacking)), estimator)
    other = replace(as_typed(other, question, goes_on.asked.spelled), question=question)
    built_on = named or (meant or {latest}) | unanswered_since(latest, history)
    if not (named or meant):
        built_on |= unanswered_latest(history)
    of_one = not named and ("points" in found.why or SCOPED in found.why)
    return no_surer(other, of_the_person(other, built_on, history) if of_one else built_on, history)
