"""Which of several readings of what goes on is less likely, after the answer before: that of other rows, or of other
people, a list where a figure was told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    UNITS,
    Aggregate,
    Groups,
    InAnswer,
    Own,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.contrasting import asks_the_same, compares, opens_with_others, tells_figures
from ehrtui.planning.follow.describing import DESCRIBED
from ehrtui.planning.follow.fragments import ALL_THAT, VERBS
from ehrtui.planning.follow.groups_told import ONE_OF_GROUPS
from ehrtui.planning.follow.one_of_stays import ONE_OF_STAYS
from ehrtui.planning.follow.pointing import OF_TURN, STAY_NOUNS, parts_groups, turns_meant
from ehrtui.planning.follow.scoping import SCOPED
from ehrtui.planning.follow.subject import Subject, person_in
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import parts_of
from ehrtui.planning.reader.reader import Read

_KEEPING = {"only", "just"}
_COUNTING = {"many", "number", "numbers", "count", "counts", "how", "n", "patients", "people"}
_THEIRS = {"their", "each", "theirs"}
_LISTS = {"which", "list", "show", "ids"}
_OTHER_ROWS = 2.0
"""What it costs to tell of other rows than those in which something is asked to have been."""
_LISTED = 0.8
"""What it costs to list those of whom "only those" is said, where they were counted."""


def weighed(
    found: Sequence[Read], one: Lexed, before: Statement, subject: Subject | None, latest: int, *, several: bool
) -> list[Read]:
    """The readings, those less likely that tell other rows, or whose, than the words after the answer before ask."""
    keeps = bool(_KEEPING & {*one.words[:2]}) or (_of_others(one.words) and not several)
    of_rows = asks_the_same(one.words)
    same = _of_others(one.words) or "same" in one.words[:3] or one.words[:1] in (("in",), ("during",))
    if same:  # "and in the last one?": the same of it, and not which it is
        found = [read for read in found if not (ONE_OF_STAYS in read.why and _lists_ids(read.statement))]
    keeping = bool(_KEEPING & {*one.words[:1]}) and not {"those", "these", "ones", "them"}.isdisjoint(one.words[1:3])
    unit = None
    if subject is not None and _in_which_of_them(one.words):
        called = subject.stays is not None and not STAY_NOUNS.isdisjoint(one.words[:8])
        unit = subject.stays.unit if called and subject.stays is not None else subject.unit

    def dearer_or_not(read: Read) -> Read:
        lists_rows, lists_people = isinstance(read.statement, Rows), _lists_people(read)
        if (keeps and isinstance(before, Single | Groups)) or (of_rows and isinstance(before, Single | Groups)):
            dearer = _OTHER_ROWS if same and isinstance(before, Single) else _LISTED
            read = replace(read, price=read.price + dearer) if lists_rows else read
        elif of_rows and tells_figures(before):
            read = less_likely(read) if lists_people else read
        other = unit is not None and not is_of(read.statement, unit)
        ungrouped = parts_groups(one.words) and not isinstance(read.statement, Groups)
        of_one = not {DESCRIBED, ONE_OF_GROUPS}.isdisjoint(read.why)
        of_both = compares(before) and f"{OF_TURN}{latest}" in read.why and not of_one  # "they" are those of both
        others = keeping and _tells_of_others(read.statement, before)
        widened = ONE_OF_STAYS in read.why and _is_of_all_stays(read.statement)
        records = (_asks_which(one) or _names_theirs(one)) and lists_people
        one_of_all = not _THEIRS.isdisjoint(one.words) and _tells_one_of_all(read.statement)
        parted = DESCRIBED in read.why and not several and len({*turns_meant(read.why)}) > 1  # "of the dead, those …"
        others_too = others + parted + (SCOPED in read.why and counts_instead(one.words, read.statement, before))
        dearer = _OTHER_ROWS * (other + of_both + ungrouped + others_too + widened + records + one_of_all)
        return replace(read, price=read.price + dearer) if dearer else read

    return [dearer_or_not(read) for read in found]


def counts_instead(words: Sequence[str], statement: Statement, before: Statement) -> bool:
    """True for a count by groups right after a share or a mean, where nothing is said of numbers: "men vs women" asks
    the same of both."""
    match before, statement:
        case Single(columns=(Aggregate(function=function),)), Groups(columns=(Aggregate(function="count"),)):
            return function not in ("count", "distinct") and _COUNTING.isdisjoint(words)
    return False


def _tells_one_of_all(statement: Statement) -> bool:
    """True for the last record of all that several people have: "their latest creatinine" is one of each."""
    match statement:
        case Rows(of=Set(pick=Pick(per="all", by=None | Own("time"))) as of):
            return of.unit not in UNITS and person_in(of) is None
    return False


def _is_of_all_stays(statement: Statement) -> bool:
    """True for what is told of all stays of a patient, of whom but one was meant."""
    of = rows_about(statement)
    return of is not None and of.unit in (HOSPITAL, ICU) and of.pick is None and person_in(of) is not None


def _tells_of_others(statement: Statement, before: Statement) -> bool:
    """True for a reading of "only those who got it in 2104" that keeps nothing of what those `before` were told by."""
    of = rows_about(before)
    told = {*parts_of(of.where)} if of is not None else set()
    if of is None or len(told) < 2 or any(isinstance(node, InAnswer) for node in walk(statement)):
        return False
    sets = (node for node in walk(statement) if isinstance(node, Set) and node.unit == of.unit)
    return all(told.isdisjoint(parts_of(one.where)) for one in sets)


def _of_others(words: Sequence[str]) -> bool:
    """True for "and of the emergency ones?": the same is asked of others."""
    said = words[1:2] if words[:1] == ("and",) else words[:1] if opens_with_others(words) else ()
    return not {"of", "among", "for", "in", "on", "during"}.isdisjoint(said) and _LISTS.isdisjoint(words)


def _asks_which(one: Lexed) -> bool:
    """True for "which antibiotics did they get": records are asked for, and not whose they are."""
    event = any(node.kind == "event" and node.start == 1 for node in one.nodes)
    return one.words[:1] in (("which",), ("what",)) and event and not {"did", "do", "were", "are"}.isdisjoint(one.words)


def _names_theirs(one: Lexed) -> bool:
    """True for "their kidney diagnoses", "and their drugs in that stay": records of theirs, and not who had such."""
    at = 1 if one.words[:1] in (("and",), ("so",)) else 0
    if one.words[at : at + 1] not in (("their",), ("his",), ("her",)) or not VERBS.isdisjoint(one.words):
        return False
    return any(node.kind == "event" and node.start <= at + 3 for node in one.nodes)


def _lists_people(read: Read) -> bool:
    return _lists_ids(read.statement)


def _lists_ids(statement: Statement) -> bool:
    return isinstance(statement, Rows) and statement.of.unit in UNITS and statement.columns == (Own("id"),)


def _in_which_of_them(words: Sequence[str]) -> bool:
    """True for "in which of them", "and in how many of those": the same rows are meant, not the patients' others."""
    at = next((at for at, word in enumerate(words[:3]) if word in ("in", "during")), None)
    if at is None:
        return False
    behind = words[at + 1 : at + 5]
    of = behind.index("of") if "of" in behind else -1
    return of > 0 and behind[0] in ("which", "how", "what") and not ALL_THAT.isdisjoint(behind[of + 1 : of + 2])


def is_of(statement: Statement, unit: str) -> bool:
    """True for a statement about rows of a unit."""
    of = rows_about(statement)
    return of is not None and of.unit == unit


def less_likely(read: Read) -> Read:
    """The reading, as dear as one that lists what was counted."""
    return replace(read, price=read.price + _LISTED)
