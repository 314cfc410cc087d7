"""Which of two readings of a question that leans on earlier answers is likelier: that of the marks, or the chart's."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import cast

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.lift import same
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    All,
    Groups,
    InAnswer,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import walk
from ehrtui.logic.words import turns_of
from ehrtui.logic.written import statement_of
from ehrtui.planning.follow.acts import ACT
from ehrtui.planning.follow.changing import (
    EXCHANGED,
    OF_OTHERS,
    OF_OTHERS_TOO,
    OTHER_STAY,
    OTHER_TIME,
    OVER_TOTALS,
    stay_picked,
)
from ehrtui.planning.follow.contrasting import asks_the_same, of_others
from ehrtui.planning.follow.describing import DESCRIBED
from ehrtui.planning.follow.doing_so import DOING_SO
from ehrtui.planning.follow.exchanging import apart
from ehrtui.planning.follow.extremes import MOMENT, TURNED
from ehrtui.planning.follow.groups_told import groups_told
from ehrtui.planning.follow.implied import IMPLIED
from ehrtui.planning.follow.lifting import LIFTED
from ehrtui.planning.follow.listed import LISTED
from ehrtui.planning.follow.naming import NAMED_AGAIN
from ehrtui.planning.follow.narrowing import denies_itself
from ehrtui.planning.follow.offers import alone_if_near, flattened, standing_alone
from ehrtui.planning.follow.one_of_stays import ONE_OF_STAYS
from ehrtui.planning.follow.pointing import OF_TURN
from ehrtui.planning.follow.recounting import RECOUNTED, is_count
from ehrtui.planning.follow.returning import RETURNED
from ehrtui.planning.follow.saying import key_words
from ehrtui.planning.follow.scoping import SCOPED, lists_whom
from ehrtui.planning.follow.subject import group_behind, stays_behind, subject_of
from ehrtui.planning.follow.telling import asks_with, tells_whose
from ehrtui.planning.follow.together import TOGETHER, says_no_more
from ehrtui.planning.proposal import Proposal
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.choosing import names_in
from ehrtui.planning.reader.contradictions import died_elsewhere
from ehrtui.planning.reader.meanings import parts_of, values_of
from ehrtui.planning.reader.reader import Read
from ehrtui.schema.kinds import kind_of

_ASKED_BACK = 0.4
"""Where the marks ask back, only a reading that points, and is this cheap, is plain."""
_CHANGES = 1.2
"""A change of what the marks cannot read is one where it costs no more."""
_LIKELY, _PLAIN = 1.2, 0.5
"""What readings cost at most that are likely, or plain."""
_PLAIN_UNIT = 1.0
"""What the same rows in another unit cost at most where nothing else is likelier."""
_OF_ONE = {"gender", "insurance", "admission type", "admission location", "discharge location", "ethnicity", "language",
           "marital status", "first care unit", "last care unit"}  # fmt: skip
"""Attributes of which a patient or a stay has one value."""
_SEVERAL = 2
"""Names, at least, that a concept stands for."""
_NUMBER = re.compile(r"(?<![\w.\"])\d{1,9}(?![\w.\"])")
_NUMBER_OF = re.compile(r"\bhow many\b|\bshare\b|\bpercent|%|\bproportion\b")
_ROWS = re.compile(r"(count )?rows of A(\d+)")
_THAT_ONE = re.compile(
    r"\b(?:that|this|the same) (?:icu |hospital )?"
    r"(?:stay|admission|visit|encounter|hospitali[sz]ation|patient|person)\b"
)
_PATIENTS_IN = re.compile(r"patients in A(\d+)")
_SAME_FOR = re.compile(r"\W*(?:and |but |now )?(?:the )?(?:same (?:for|with)|what about|how about)\b")
_OF_OTHERS = re.compile(r"\W*and (?:of|among|for|in)\b")
_HOW_MANY_WITH = re.compile(r"\W*(?:and |so |but )?how many with(?:out)?\b")
_IN_WHICH = re.compile(r"\W*(?:and |so |but )?(?:in|during) (?:which|how many|what share) of (?:them|these|those)\b")
_IN_ONE_STAY = re.compile(r"patients in A\d+ during (?:first|last) hospital stay\b")
_ASKS_WHEN = re.compile(r"(?:\w+ )?time of ")
_THAT = {"that", "this", "it", "those", "these"}
_OF_TIME = {"and", "now", "for", "in", "what", "about", "how", "same", "please", "thanks", "then", "ok", "only", "just",
            "make", "it", "but", "so", "during", "year", "the", "instead"}  # fmt: skip


def plain(found: Sequence[Read], latest: Statement, *, unread: bool, whose: bool) -> list[Read]:
    """The readings that are plain though the marks ask back: that count the `latest` answer otherwise, point at one,
    ask a number of those whom it lists, or, where the marks only ask `whose`, something of the one patient whom it
    tells of; where the marks could not read it (`unread`), also those that change it."""
    most = _CHANGES if unread else _ASKED_BACK
    listed = lists_whom(latest)
    about = subject_of(0, latest)
    one_by_one = whose and about is not None and about.person is not None
    return [
        one
        for one in found
        if {RECOUNTED, MOMENT, ACT, OVER_TOTALS, RETURNED} & {*one.why}
        or (DESCRIBED in one.why and one.price < _CHANGES)
        or ({OF_OTHERS, OTHER_TIME} & {*one.why} and one.price < _PLAIN_UNIT)
        or (one.price < most and (unread or "points" in one.why))
        or (one.price < _CHANGES and one_by_one and "points" in one.why)
        or (one.price < _CHANGES and listed and SCOPED in one.why and not isinstance(one.statement, Rows))
    ]


def likelier(question: str, marks: Proposal, read: Read, earlier: Mapping[int, Statement]) -> bool:
    """True where a reading of the chart says what the marks' passes over, though they are sure of it."""
    if {LIFTED, TURNED, ACT, DOING_SO, OVER_TOTALS, RETURNED} & {*read.why} or contradicts_itself(
        marks.logic or "", earlier
    ):
        return True
    if asks_with(question.lower().split()) and _drops_whose(marks, read) and read.price < _LIKELY:
        return True
    if "points" in read.why and _IN_ONE_STAY.search(marks.logic or "") and _drops_whose(marks, read):
        return read.price < _LIKELY  # of each of several, a stay that goes on among theirs
    if {NAMED_AGAIN, OF_OTHERS} <= {*read.why} and read.price < _LIKELY:
        return True
    if asks_of_one(question, marks.logic or "", earlier):
        return True
    of_latest = "points" in read.why and f"{OF_TURN}{max(earlier)}" in read.why and read.price < _PLAIN
    if of_latest and _THAT_ONE.search(question.lower()) and _keeps_to_older(marks.logic or "", max(earlier)):
        return True
    if IMPLIED in read.why and (asks_of_older(marks.logic or "", earlier) or _HOW_MANY_WITH.match(question.lower())):
        return True
    if (EXCHANGED in read.why and read.price < _PLAIN) or (
        {LISTED, ONE_OF_STAYS} & {*read.why} and read.price < _LIKELY
    ):
        return True
    if OTHER_STAY in read.why and read.price < _LIKELY and _keeps_the_stay(marks, earlier):
        return True
    if {OF_OTHERS, OF_OTHERS_TOO} & {*read.why} and read.price < _LIKELY and _forgets_some(marks, read, earlier):
        return True
    if {OF_OTHERS, OF_OTHERS_TOO} & {*read.why} and read.price < _LIKELY and _takes_one_of(marks, read, earlier):
        return True
    if _OF_OTHERS.match(question.lower()) and "changed" in read.why and _counts_instead(marks, read):
        return True
    if asks_the_same(re.findall(r"\w+", question.lower())) and "changed" in read.why and _lists_instead(marks, read):
        return read.price < _LIKELY
    if (
        _keeps_to_stays(marks, read, earlier)
        or _in_which_of_them(question, marks, read, earlier)
        or _exchanges(question, marks, read, earlier)
    ):
        return True
    if RECOUNTED in read.why and read.price < _PLAIN_UNIT and is_count(read.statement) and not _NUMBER.search(question):
        return True
    if "changed" in read.why and read.price < _PLAIN_UNIT and _times_again(question, marks, earlier):
        return True
    if MOMENT in read.why:
        return not _ASKS_WHEN.match(marks.logic or "") or Own("time") not in cast(Rows, read.statement).columns
    said = re.findall(r"\w+", question.lower())
    if TOGETHER in read.why and says_no_more(said) and any(map(groups_told, earlier.values())):
        return True  # "and in neither?": of the two groups of one answer, which the marks know nothing of
    anew = bool({TOGETHER, RECOUNTED} & {*read.why})
    if anew and (_points_at_it(question) or _overlooks(marks, read.statement, earlier)):
        return True
    return _aims_elsewhere(question, marks, read, earlier)


def _takes_one_of(marks: Proposal, read: Read, earlier: Mapping[int, Statement]) -> bool:
    """True where records of several names were asked of before ("metoprolol", in any form), or a drug, and the marks
    put one name in their place where the chart puts those that the word means just so, as in a whole question."""
    before = _most_names(earlier[max(earlier)])
    if not before or not marks.logic:
        return False
    try:
        marked = _most_names(statement_of(marks.logic))
    except LogicError:
        return False
    read_so = _most_names(read.statement)
    several = {unit for unit, count in before.items() if count > 1 or kind_of(unit).dosed}
    return any(marked.get(unit) == 1 and read_so.get(unit, 0) > 1 for unit in several)


def _most_names(statement: Statement) -> dict[str, int]:
    """The most names that records of each kind are told by in one place; a concept, or a family of codes, is
    several."""
    found: dict[str, int] = {}
    for node in walk(statement):
        if isinstance(node, Set) and node.items:
            names = sum(1 if item.kind == "name" else _SEVERAL for item in node.items)
            found[node.unit] = max(found.get(node.unit, 0), names)
    return found


def alike(logic: str, statement: Statement, earlier: Mapping[int, Statement]) -> bool:
    """True where query logic says the same as a statement, once what `earlier` answers tell of stands in their
    place."""
    try:
        one, other = (flattened(standing_alone(part, earlier)) for part in (statement_of(logic), statement))
    except LogicError:
        return False
    return same(one, other)


def _keeps_the_stay(marks: Proposal, earlier: Mapping[int, Statement]) -> bool:
    """True where the marks ask of the same one stay as the latest answer."""
    try:
        theirs = stay_picked(statement_of(marks.logic or ""))
    except LogicError:
        return False
    before = stay_picked(earlier[max(earlier)])
    return before is not None and theirs is not None and theirs.pick == before.pick


def _drops_whose(marks: Proposal, read: Read) -> bool:
    """True where the marks list what belongs to rows that a reading tells of too."""
    try:
        theirs = statement_of(marks.logic or "")
    except LogicError:
        return False
    return isinstance(read.statement, Rows) and tells_whose(read.statement) and not tells_whose(theirs)


def asks_of_one(question: str, logic: str, earlier: Mapping[int, Statement]) -> bool:
    """True where query logic asks of the one patient whom the latest answer picked, and the words of several."""
    meant = {int(turn) for turn in _PATIENTS_IN.findall(logic)}
    return max(earlier) in meant and group_behind(earlier[max(earlier)], question.lower().split()) is not None


def _keeps_to_older(logic: str, latest: int) -> bool:
    """True where query logic asks of those of answers before the latest alone."""
    meant = turns_of(logic)
    return bool(meant) and latest not in meant


def asks_of_older(logic: str, earlier: Mapping[int, Statement]) -> bool:
    """True where query logic asks of those of an answer before the latest, which this is not about either."""
    latest = max(earlier)
    about = {node.turn for node in walk(earlier[latest]) if isinstance(node, InAnswer)} | {latest}
    meant = {int(turn) for turn in _PATIENTS_IN.findall(logic)}
    return bool(meant) and meant.isdisjoint(about)


def _exchanges(question: str, marks: Proposal, read: Read, earlier: Mapping[int, Statement]) -> bool:
    """True where the marks add a name that is to take the place of another ("same for aspirin", "and on aspirin?"), as
    it does in a reading."""
    same = _SAME_FOR.match(question.lower()) and not turns_of(marks.logic or "")
    others = OF_OTHERS in read.why and of_others(tuple(re.findall(r"\w+", question.lower())))
    if not (same or others) or read.price >= _LIKELY:
        return False
    before = names_in(render_statement(earlier[max(earlier)]))
    kept, ours = before & names_in(marks.logic or ""), before & names_in(render_statement(read.statement))
    return bool(names_in(marks.logic or "") - before) and len(kept) > len(ours)


def _times_again(question: str, marks: Proposal, earlier: Mapping[int, Statement]) -> bool:
    """True for no more than a time, which the marks put beside that of an answer which they point at, or of one that
    this tells of in its turn: "and in 2104?", of those of 2103 who died."""
    words = set(re.findall(r"[a-z]+", question.lower()))
    turns = [turn for turn in turns_of(marks.logic or "") if turn in earlier]
    narrows = not {"only", "just"}.isdisjoint(words)
    told = [earlier[turn] if narrows else alone_if_near(earlier[turn], earlier) or earlier[turn] for turn in turns]
    timed = any(isinstance(node, Window) for one in told for node in walk(one))
    return timed and words <= _OF_TIME and not any(isinstance(node, Window) for node in walk(earlier[max(earlier)]))


def _forgets_some(marks: Proposal, read: Read, earlier: Mapping[int, Statement]) -> bool:
    """True where the marks ask no more of some records that the latest answer was limited by, and a reading does: of
    the deaths, in "and with gout?" after the number of those with asthma who died."""
    try:
        theirs = _units(statement_of(marks.logic or ""))
    except LogicError:
        return False
    lost = _units(earlier[max(earlier)]) - theirs
    return bool(lost & _units(read.statement)) and bool(theirs - _units(earlier[max(earlier)]))


def _units(statement: Statement) -> set[str]:
    return {node.unit for node in walk(statement) if isinstance(node, Set)}


def _counts_instead(marks: Proposal, read: Read) -> bool:
    """True where the marks count, or list, others of whom the number of before is asked."""
    try:
        return isinstance(read.statement, Single) and is_count(statement_of(marks.logic or "")) > is_count(
            read.statement
        )
    except LogicError:
        return False


def _lists_instead(marks: Proposal, read: Read) -> bool:
    """True where the marks list those of whom a figure is told."""
    try:
        return isinstance(read.statement, Single | Groups) and isinstance(statement_of(marks.logic or ""), Rows)
    except LogicError:
        return False


def contradicts_itself(logic: str, earlier: Mapping[int, Statement]) -> bool:
    """True where query logic demands two values of one attribute ("medicaid" of those on medicare), or the records that
    those whom they ask about are told not to have."""
    values: dict[str, set[object]] = {}
    try:
        statement = statement_of(logic)
    except LogicError:
        return False
    alone = alone_if_near(statement, earlier)
    if alone is not None and denies_itself(flattened(alone)):
        return True
    if any(died_elsewhere(node) for node in walk(flattened(alone or statement)) if isinstance(node, All)):
        return True
    ages = {node for node in walk(statement) if isinstance(node, Test) and node.left == Own("age")}
    if any(apart(one, other) for one, other in combinations(ages, 2)):
        return True
    for node in walk(statement):
        if isinstance(node, Test) and node.relation == "=" and isinstance(node.left, Own):
            values.setdefault(node.left.field, set()).update(values_of(node))
    return any(len(some) > 1 for field, some in values.items() if field in _OF_ONE)


def _keeps_to_stays(marks: Proposal, read: Read, earlier: Mapping[int, Statement]) -> bool:
    """True where the marks ask of all that the patients of an answer had, and a likely reading of the stays themselves
    that the answer is of."""
    turns = {int(turn) for turn in _PATIENTS_IN.findall(marks.logic or "")} & {*earlier}
    told = [of for turn in turns if (of := rows_about(earlier[turn])) is not None]
    about = [stays for of in told if (stays := of if of.unit in (HOSPITAL, ICU) else stays_behind(of)) is not None]
    ours = rows_about(read.statement)
    return (
        read.price < _LIKELY
        and ours is not None
        and any(ours.unit == of.unit and {*parts_of(of.where)} <= {*parts_of(ours.where)} for of in about)
    )


def _in_which_of_them(question: str, marks: Proposal, read: Read, earlier: Mapping[int, Statement]) -> bool:
    """True where it is asked in which of some stays something was, and the marks tell of patients."""
    of, ours = rows_about(earlier[max(earlier)]), rows_about(read.statement)
    if not _IN_WHICH.match(question.lower()) or of is None or ours is None or read.price >= _LIKELY:
        return False
    try:
        theirs = rows_about(statement_of(marks.logic or ""))
    except LogicError:
        return False
    return of.unit in (HOSPITAL, ICU) and ours.unit == of.unit and (theirs is None or theirs.unit != of.unit)


def _overlooks(marks: Proposal, statement: Statement, earlier: Mapping[int, Statement]) -> bool:
    """True where the marks' reading does not name all that a statement does, be it in an answer that it points at."""
    return not _named(render_statement(statement), earlier) <= _named(marks.logic or "", earlier)


def _points_at_it(question: str) -> bool:
    """True for words that ask for a number of the latest answer: "how many stays is it"."""
    return bool(_NUMBER_OF.search(question.lower())) and not _THAT.isdisjoint(re.findall(r"\w+", question.lower()))


def _aims_elsewhere(question: str, marks: Proposal, read: Read, earlier: Mapping[int, Statement]) -> bool:
    """True where a plain reading that points at an earlier answer names other things than the marks', or a likely one
    has a number of the question that this lacks."""
    if "points" not in read.why or read.price >= _LIKELY:
        return False
    logic, told = render_statement(read.statement), marks.logic or ""
    if (rows := _ROWS.fullmatch(told)) and _is_figures(earlier.get(int(rows[2])), bool(rows[1]), question):
        return True
    before = set().union(*(names_in(render_statement(one)) for one in earlier.values()))
    anew = names_in(logic) - before
    numbers = {int(number) for number in _NUMBER.findall(logic)} & {int(number) for number in _NUMBER.findall(question)}
    known = {int(number) + step for number in _NUMBER.findall(told) for step in (-1, 0, 1)}  # "over 70": from 71
    own, others = names_in(told) - before - anew, anew - names_in(told)
    as_said = any(_is_said(name, question) for name in others) or not any(_is_said(name, question) for name in own)
    return bool(numbers - known) or (read.price < _PLAIN and bool(own) and bool(others) and as_said)


def _is_figures(statement: Statement | None, counted: bool, question: str) -> bool:
    """True for an answer of numbers, not of rows that are listed or `counted`: one number, or one for each group,
    unless the groups themselves are called."""
    if isinstance(statement, Groups):
        return counted and key_words(statement).isdisjoint(re.findall(r"\w+", question.lower()))
    return isinstance(statement, Single)


def _is_said(name: str, question: str) -> bool:
    return name.strip('"').lower() in question.lower()


def _named(logic: str, earlier: Mapping[int, Statement], until: int = sys.maxsize) -> frozenset[str]:
    """The names in query logic, and in the answers `until` a turn that it points at."""
    turns = [turn for turn in turns_of(logic) if turn in earlier and turn < until]
    return names_in(logic).union(*(_named(render_statement(earlier[turn]), earlier, turn) for turn in turns))
