"""What the earlier turns of a conversation say of a question: of whom it goes on, and how sure one may be of that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cache

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.lift import ReadBack
from ehrtui.logic.algebra.model import PATIENT as PATIENT_UNIT
from ehrtui.logic.algebra.model import UNITS, InAnswer, Of, Set
from ehrtui.logic.nodes import mapped
from ehrtui.logic.steps import EarlierTurn
from ehrtui.logic.words import turns_of
from ehrtui.planning.follow.one_person import says_no_people
from ehrtui.planning.follow.pointing import keeps_group, names_group, points, tells_some
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.words import read
from ehrtui.planning.proposal import PastTurn, Proposal
from ehrtui.planning.reader.choosing import names_in

_ONE_STAY = re.compile(r"\b(?:hospital|icu) stay \d")
_LIMITED = re.compile(r"\b(?:during|in|since|until|before|after|where|with|without)\b")
"""Words of query logic by which records are limited."""


def earlier_turns(history: Sequence[PastTurn], read_back: Callable[[str], ReadBack], *, weighed: bool = False) -> Turns:
    """The turns that have a result; their logic is read back when it is needed. Where readings are `weighed`, one that
    no form says has its columns alone: what was said of it is likelier said anew than looked up in it."""
    past = {turn.number: turn for turn in history if turn.columns}

    def told(number: int) -> EarlierTurn:
        turn = past[number]
        of = read_back(turn.logic or "")
        statement = of.statement if of.form is not None or not weighed else None
        return EarlierTurn(of.form, statement, turn.columns, stands(turn), turn.row_count == 1)

    return Turns(past, lambda number: stands(past[number]), cache(told))


def stands(turn: PastTurn) -> bool:
    """True for a turn that the conversation goes on from: answered, or withheld only because nothing was found."""
    return turn.decision == "answered" or turn.row_count == 0


_NAMED = re.compile(r"\b(?:A|PREV_(?:QUERY|RESULT))\d+\b", re.IGNORECASE)


def spoken_of(question: str, history: Sequence[PastTurn]) -> Sequence[PastTurn]:
    """The turns that a question may go on from: rows that somebody but opened from an answer are not what is spoken of,
    unless the question points at them."""
    if not any(turn.opened for turn in history) or points(read(question)) or _NAMED.search(question):
        return history
    return tuple(turn for turn in history if not turn.opened)


def asks_of_all(whole: Proposal, history: Sequence[PastTurn]) -> bool:
    """True for what is asked of something that is named, where the conversation is not about one patient; for a figure
    only where it is not about a group either."""
    from ehrtui.logic.written import statement_of
    from ehrtui.planning.follow.recounting import is_count
    from ehrtui.planning.follow.scoping import lists_whom

    before = next((turn.logic for turn in reversed(history) if turn.logic and stands(turn)), None)
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


def told_of_one(history: Sequence[PastTurn]) -> bool:
    """True where the latest answer was about patients who were named one by one."""
    return bool(_patients_named(next((turn.logic for turn in reversed(history) if turn.logic and stands(turn)), None)))


def tells_of_patients(history: Sequence[PastTurn]) -> bool:
    """True where the latest answer told of patients as such."""
    from ehrtui.logic.written import statement_of
    from ehrtui.planning.reader.about import rows_about

    before = next((turn.logic for turn in reversed(history) if turn.logic and stands(turn)), None)
    try:
        of = rows_about(statement_of(before)) if before is not None else None
    except LogicError:
        return False
    return of is not None and of.unit == PATIENT_UNIT


def asks_who_of_them(question: str, history: Sequence[PastTurn]) -> bool:
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


def words_going_on(proposal: Proposal, history: Sequence[PastTurn]) -> tuple[str, ...]:
    """The words by which a question may go on from the turn before, which was not answered."""
    from ehrtui.planning.follow.expecting import dangling

    if not proposal.logic or all(turn.decision == "answered" for turn in history[-1:]):
        return ()
    return dangling(proposal.question, proposal.logic)


def is_of_older(proposal: Proposal, latest: int) -> bool:
    """True for a reading that goes on from an answer before the latest."""
    return any(doubt.kind == "continued" and doubt.about != f"A{latest}" for doubt in proposal.doubts)


def unanswered_since(turn: int, history: Sequence[PastTurn]) -> set[int]:
    """The turns after one that were not answered, and may have been about others: what leans on it may be meant of
    them. Who is named one by one stays the same, whatever was asked in between."""
    logic = next((one.logic or "" for one in history if one.number == turn), "")
    one_by_one = bool(_patients_named(logic))
    return {
        one.number for one in history if one.number > turn and (one.columns or not one_by_one) and _may_have_moved(one)
    }


def unanswered_latest(history: Sequence[PastTurn]) -> set[int]:
    """The turn right before, where it was not answered: what is left to be completed is most likely meant of it, unless
    it asked for something of those of before, of which nothing is shown."""
    return {turn.number for turn in history[-1:] if not stands(turn) and (turn.columns or tells_some(turn.question))}


def _may_have_moved(turn: PastTurn) -> bool:
    """True for a turn that was not answered, and of which some guess is shown, or that was asked of others."""
    if turn.columns:
        return not stands(turn) and not keeps_group(turn.question)
    return turn.decision != "answered" and names_group(turn.question)


def of_the_person(proposal: Proposal, turns: AbstractSet[int], history: Sequence[PastTurn]) -> AbstractSet[int]:
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


def takes_the_person(proposal: Proposal, turns: AbstractSet[int], history: Sequence[PastTurn]) -> bool:
    """True for a reading that has nothing of the turns that it was completed from but the patient."""
    before = set().union(*(names_in(turn.logic or "") for turn in history if turn.number in turns))
    own = names_in(proposal.logic or "")
    return own & before == _patients_named(proposal.logic) and not _LIMITED.search(proposal.logic or "")


def _patients_named(logic: str | None) -> set[str]:
    """The patients that query logic names one by one."""
    return {name for name in names_in(logic or "") if name.startswith("patient ")}


def no_surer(proposal: Proposal, turns: AbstractSet[int], history: Sequence[PastTurn]) -> Proposal:
    """The proposal, no surer than the turns that it was completed from."""
    if proposal.statement is not None:
        before = {turn: _told_before(turn, proposal.logic or "", history) for turn in turns}
        turns = {*before.values()}
        proposal = _of_turns(proposal, before)
    if not turns:
        return proposal
    least = min((turn.confidence for turn in history if turn.number in turns), default=1.0)
    shown = {turn.number for turn in history if turn.columns}
    return replace(proposal, confidence=min(proposal.confidence, least), scope=max(turns & shown, default=max(turns)))


def _told_before(number: int, logic: str, history: Sequence[PastTurn]) -> int:
    """The answered turn whose people a turn that was not answered told of, where query logic takes no more of it than
    these people: however it was meant, they are the same. Any other turn as it is."""
    turn = next((one for one in history if one.number == number), None)
    if turn is None or stands(turn) or not turn.logic or not _takes_people(logic, number):
        return number
    if names_group(turn.question) and tells_some(turn.question):
        return number  # "only the ones who were sedated"
    from ehrtui.logic.written import statement_of
    from ehrtui.planning.reader.about import rows_about

    before = [one for one in reversed(history) if one.number < number and one.logic and stands(one)]
    try:
        about = rows_about(statement_of(turn.logic))
        told = ((one.number, rows_about(statement_of(one.logic or ""))) for one in before)
        same = next((one for one, of in told if about is not None and (of == about or _is_of(about, one))), None)
    except LogicError:
        return number
    if same is None and before and about is not None and _asks_what(turn.question, about):
        return before[0].number
    return number if same is None else same


def _of_turns(proposal: Proposal, before: Mapping[int, int]) -> Proposal:
    """A proposal of the patients of other turns, which are the same."""

    def named(node: object) -> object:
        return replace(node, turn=before.get(node.turn, node.turn)) if isinstance(node, InAnswer) else node

    if all(turn == other for turn, other in before.items()):
        return proposal
    logic = proposal.logic or ""
    for turn, other in before.items():
        logic = re.sub(rf"\bA{turn}\b", f"A{other}", logic)
    return replace(proposal, statement=mapped(proposal.statement, named), logic=logic)


def _takes_people(logic: str, number: int) -> bool:
    """True where query logic names of a turn, if anything, its patients."""
    return logic.count(f"patients in A{number}") == len(re.findall(rf"\bA{number}\b", logic))


def _is_of(about: Set, turn: int) -> bool:
    """True for the patients of an answer, and whatever is told of these alone."""
    those = InAnswer(turn)
    return about.pick is None and about.where in (those, Of(Set(PATIENT_UNIT, (), those)))


def _asks_what(question: str, about: Set) -> bool:
    """True for records of which a question says nothing but what they are: "diagnoses?"."""
    return about.unit not in UNITS and about.where is None and about.pick is None and not tells_some(question)
