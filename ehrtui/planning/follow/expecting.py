"""What the words of a follow-up expect of its answer, whatever was read of them: some of those of before, a figure for
each of two groups, other rows than those that are known already."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Answer,
    Combined,
    Groups,
    InAnswer,
    Is,
    Math,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import walk
from ehrtui.logic.words import turns_of
from ehrtui.logic.written import statement_of
from ehrtui.planning.follow.each_of import without_closing
from ehrtui.planning.follow.groups_told import without_group
from ehrtui.planning.follow.one_of_them import asked_if_among, asks_if_among
from ehrtui.planning.follow.pointing import (
    STAY_NOUNS,
    is_definite,
    is_of_some,
    is_whole,
    parts_groups,
    points_at_that_one,
)
from ehrtui.planning.follow.showing import BOTH_ENDS
from ehrtui.planning.follow.subject import Subject, is_about_any
from ehrtui.planning.follow.telling import tells_whose
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.choosing import names_in
from ehrtui.planning.reader.meanings import parts_of

_COUNTED = re.compile(r"count rows of A(\d+)")
_OVER_ROWS = re.compile(r"(?:maximum|minimum|mean|median) of rows of A(\d+)")
_LONG = {"long", "longer", "longest", "shortest", "length", "stay", "stays", "stayed", "los", "duration", "lasted"}
_IS_EACH = re.compile(r"\b(?:is|are|was|were|did|has|had) each (?:one|of them|of these|of those|patient)\b")
_SEVERAL = {"both", "each", "two", "either"}
_GROUPS = {"groups", "group", "cohorts", "arms"}
_TAKING = {"on", "with", "without", "taking", "using", "receiving", "got", "received", "took", "needed"}
"""Words behind "how many" that say what people had."""
_COMPARING = {"compare", "compared", "comparing", "comparison", "versus", "vs"}
_PEOPLE = {"patients", "people", "pts"}
_PERSONS = _PEOPLE | {"women", "men", "males", "females"}
_DONE = {"died", "survived", "had", "have", "has", "got", "get", "were", "was", "are", "went", "received", "did",
         "needed", "developed", "underwent", "also", "lived", "came", "stayed", "used", "took", "could"}  # fmt: skip
"""Words behind "how many" that say nothing of whom."""
_SHORT = 5
"""Words: what is longer says of itself what it asks."""
_FEW = 2
_THERE = {("are", "there"), ("were", "there")}
"""Words behind a noun that ask for all that there are."""
_NARROWING = {"only", "just"}
_TIMES = (" time", "time ", "date", "birth", "year", "month", "day", "hour")
_OF_STAYS = {"admitted", "discharged"}
_TIME_OF_RECORDS = re.compile(r"(?:\w+ )?time of (?!(?:\w+ )?(?:admission|hospital|icu|discharge|transfer))")
_BEING = {"are", "were", "is", "was", "be", "out"}
_WITHIN = re.compile(r"\bduring\b|\bstays? in\b|hospital death|transfer|care unit|count rows of|stays of A")
"""What of query logic says where something was."""
_TIME_OF = re.compile(r"(?:\w+ )?time of ")
_ASKS_TIME = {"time", "times", "date", "dates", "day", "days", "year", "month", "hour", "when", "moment", "dob",
              "birthday", "weekday", "birth"}  # fmt: skip
_CHANGING = {"only", "just", "about", "other", "others", "ones", "without", "instead", "except", "excluding", "exclude"}
_NOT_IN = re.compile(r"\bnot (?:also )?(?:in|among|on) (?:a\d{1,4}|them|those|these|the (?:first|second|third))\b")
"""Words by which those of an answer are left out."""
_BUT_NOT = {("but", "no"), ("but", "not"), ("but", "never"), ("but", "without")}
_DENIES = re.compile(r"\bnot\b|\bexcept\b|\bwithout\b|!=")
_PATIENTS_IN = re.compile(r"count patients in A(\d+)")
_LAST_AGE = re.compile(r"last (?:mean |median |)age of admission")
_TURN = re.compile(r"a(\d{1,4})")
_ANY_PATIENT = re.compile(r"any patient \S+")
_OUT = {"out", "left", "leave", "discharged", "discharge", "home"}
_THEM = {"them", "those", "these"}
_ADDING = {"add", "include"}
_FIGURES = {"sum", "total", "average", "mean", "median", "maximum", "minimum", "max", "min", "avg"}
_POSSESSIVE = {"his", "her", "their", "its"}
_WHETHER = (("is",), ("are",), ("was",), ("were",), ("does",), ("did",), ("has",), ("have",))
_NAMED = re.compile(r"\bpatient (?:\d|\")")
_REASONS = re.compile(r"diagnos|reason|complaint|indication")
_AGAIN = {"back", "again", "repeat", "return", "redo", "rerun"}


@dataclass(frozen=True)
class _Given:
    """What query logic gives: as a `statement`, after the statement `before`; `tied` where it keeps something of what
    was said, `fresh` where it was read with no regard to that."""

    words: Sequence[str]
    logic: str
    statement: Statement
    before: Statement
    earlier: Mapping[int, Statement]
    fresh: bool
    tied: bool

    def asks(self, *words: str) -> bool:
        """True where the question begins with these words."""
        return tuple(self.words[: len(words)]) == words

    def says(self, one: str, then: str) -> bool:
        """True where these two words stand side by side."""
        return (one, then) in pairwise(self.words)


def unmet(words: Sequence[str], logic: str, earlier: Mapping[int, Statement], *, fresh: bool) -> tuple[str, ...]:
    """The words that expect something of an answer which query logic does not give; `fresh` where that was read with no
    regard to the `earlier` answers."""
    try:
        statement = statement_of(logic)
    except LogicError:
        return ()
    before = earlier[max(earlier)]
    tied = not fresh or bool(turns_of(logic) or names_in(logic) & names_in(render_statement(before)))
    given = _Given(words, logic, statement, before, earlier, fresh, tied or _is_of_earlier(statement, earlier))
    found = [*without_group(words, earlier), *_of_groups_kept(words, logic, earlier)]
    for rule in (
        _where,
        _pointed_at,
        _side_by_side,
        _whom,
        _of_whom,
        _figure,
        _how_many,
        _changed,
        _denied,
        _one_of_each,
        _what,
    ):
        found += rule(given)
    return tuple(found)


def _where(given: _Given) -> Iterator[str]:
    """In that stay, or on the ward that was spoken of."""
    words, elsewhere = given.words, "hospital death" not in given.logic
    if given.says("died", "there") and elsewhere:
        yield "there"
    elif "died" in words and _in_that_stay(words) and elsewhere:
        yield "stay"
    elif words[-1:] == ("there",) and _BEING.isdisjoint(words[-2:]) and not _WITHIN.search(given.logic):
        yield "there"
    if "alive" in words and not _OUT.isdisjoint(words) and elsewhere:
        yield "alive"  # of the stay that they left, and not until today


_BESIDES = {"too", "also"}
_ONE_PERSON = {"he", "she", "him"}
_HAD = {"have", "had", "has", "got", "get", "grew", "grow", "grown"}
_POLITE = {"please", "pls", "plz", "?", ".", "!"}
_ONE_PATIENT = re.compile(r'\b(?:patient|hospital stay|icu stay) ["\d]')


def _pointed_at(given: _Given) -> Iterator[str]:
    """What is pointed at, of which the logic keeps nothing."""
    words, logic = given.words, given.logic
    one = points_at_that_one(words) or tuple(word for word in words if word in _ONE_PERSON)[:1]
    if one and not turns_of(logic) and _ONE_PATIENT.search(logic) is None and " per all" not in logic:
        yield from one
    had_it = any(verb in _HAD and it == "it" for verb, it in pairwise(words))
    named = names_in(render_statement(given.before)) if had_it else frozenset()
    if named and named.isdisjoint(names_in(logic)):
        yield "it"
    for at in range(len(words)) if not given.tied else ():
        if is_definite(words, at) or is_of_some(words, at):
            yield from words[at : at + 2]
        if words[at] in ("is", "are") and words[at + 1 : at + 2] in (("that",), ("those",)):
            yield from words[at : at + 2] if not words[at + 2 : at + 3] or words[at + 2] in ("and", ",") else ()


def _side_by_side(given: _Given) -> Iterator[str]:
    """Several answers or groups, or two that are compared."""
    words, statement = given.words, given.statement
    if not (
        _SEVERAL.isdisjoint(words) or _GROUPS.isdisjoint(words) or _are_in_both(words) or _tells_several(statement)
    ):
        yield from (word for word in words if word in _SEVERAL | _GROUPS)
    lists = isinstance(statement, Rows) and statement.columns == (Own("id"),)
    if not _COMPARING.isdisjoint(words) and (lists or not _tells_several(statement)) and not _is_reckoned(statement):
        yield from (word for word in words if word in _COMPARING)


def _whom(given: _Given) -> Iterator[str]:
    """Rows of an answer that are counted or reckoned with, where people are asked for or figures were told."""
    words, earlier = given.words, given.earlier
    listed = words[:1] in (("list",), ("show",)) and ("with", "their") in pairwise(words)
    several = isinstance(given.statement, Rows) and _ONE_PATIENT.search(given.logic) is None
    if listed and several and not tells_whose(given.statement):
        yield "their"  # ages, and not whose they are
    if rows := _COUNTED.fullmatch(given.logic):
        told = earlier.get(int(rows[1]))
        whose = told.left if isinstance(told, Combined) else told
        of = rows_about(whose) if whose is not None else None
        if of is not None and of.unit != PATIENT:
            yield from (word for word in words if word in _PEOPLE)
        if isinstance(told, Single):
            yield from words[:1]  # how many figures there are is not asked
    over = _OVER_ROWS.match(given.logic)
    if over and isinstance(earlier.get(int(over[1])), Groups | Single) and len(words) <= _SHORT:
        yield from words[:1]  # a figure over other figures is not asked
    of_lengths = any("length" in render_statement(one) for one in (given.before, *_named_in(given.before, earlier)))
    if "length" in given.logic and not of_lengths and len(words) <= _SHORT and not given.fresh:
        yield from () if _LONG & {*words} else words[:1]  # of what the maximum is was not said


def _of_whom(given: _Given) -> Iterator[str]:
    """A question that was read of everybody, after an answer about some."""
    words, statement = given.words, given.statement
    loose = given.fresh and not given.tied
    if loose and not names_in(given.logic):
        if _is_limited(given.before) and _tells_all_records(statement) and not is_whole(" ".join(words)):
            yield from words[:1]
        if len([word for word in words if word[0].isalnum()]) <= _FEW:
            yield from words[:1]  # "patients?", after those of a group
    if loose and _is_limited(given.before):
        if _tells_of_all(statement) and len(words) <= _SHORT and (_PERSONS | STAY_NOUNS).isdisjoint(words):
            yield from words[:1]  # "which organisms, top 5"
        last = tuple(word for word in words if word not in _POLITE)
        if last[-2:] == ("as", "well") or last[-1:] == ("too",):
            yield from last[-2:]
    whose = [word for word in words[:2] if word in _POSSESSIVE]
    if whose and " per all" in given.logic and not (turns_of(given.logic) or _NAMED.search(given.logic)):
        yield from whose  # the lowest of theirs, and not of everybody
    if "both" in words and given.fresh and len(names_in(given.logic)) < 2 and isinstance(statement, Rows):
        yield "both"
    if parts_groups(words) and not given.tied and _is_limited(given.before):
        yield from words[:1]


def _period(given: _Given) -> Iterator[str]:
    """A month of all years, after a figure of one: "which month was the most expensive?"."""
    named = given.asks("which", "month") or given.asks("which", "quarter") or given.asks("which", "week")
    if named and given.fresh and not _has_window(given.statement) and _has_window(given.before):
        yield from given.words[:2]


def _has_window(statement: Statement | None) -> bool:
    return any(isinstance(node, Window) for node in walk(statement))


def _figure(given: _Given) -> Iterator[str]:
    """A figure over an answer that is named, of which rows are told: "sum of A1", where that lists patients."""
    for function, of, turn in zip(given.words, given.words[1:], given.words[2:], strict=False):
        if of == "of" and _TURN.fullmatch(turn) and function in _FIGURES and isinstance(given.statement, Rows):
            yield function


def _how_many(given: _Given) -> Iterator[str]:
    """How many of them, of what, or how often."""
    words, statement = given.words, given.statement
    if given.asks("how", "many") and words[2:3]:
        if words[2] in _DONE and not given.tied:
            yield from words[:3]  # "how many died": of those of before
        if words[2] in _PERSONS and _counts_others(statement):
            yield words[2]
        if words[2] in _TAKING and _counts_records(statement):
            yield from words[:3]  # "how many on aspirin" are people
    often = given.asks("how", "often") or given.asks("how", "many", "times")
    if often and _counts_people(statement, given.earlier):
        yield from words[:2]
    if not given.says("how", "many"):
        return
    if _PERSONS.isdisjoint(words) and "who" not in words:
        yield from _as_patients(given.logic, given.earlier, words)
    if isinstance(statement, Combined) and not given.fresh:
        yield from ("how", "many")  # and not who they are
    if list(pairwise(words)).count(("how", "many")) > 1 and not _tells_several(statement):
        yield from ("how", "many")  # two numbers are asked for


def _changed(given: _Given) -> Iterator[str]:
    """Other rows, fewer of them, or more columns."""
    words, statement = given.words, given.statement
    if "other" in words[:3] and '"other"' in given.logic:
        yield "other"  # others of the kind, and no name
    if _NARROWING & {*words[:1]} and isinstance(statement, Rows) and isinstance(given.before, Single | Groups):
        yield from words[:1]
    if not _ADDING.isdisjoint(words[:3]) and _columns(statement) <= _columns(given.before):
        yield from (word for word in words[:3] if word in _ADDING)  # beside what was told
    both_ends = "out" in words and isinstance(statement, Rows) and BOTH_ENDS.search(" ".join(words))
    if both_ends and "end time" not in given.logic and "discharge" not in given.logic:
        yield from ("in", "out")


def _denied(given: _Given) -> Iterator[str]:
    """What must not be, or what must be so of all of them; and why, which rows do not say."""
    words, denies = given.words, _DENIES.search(given.logic)
    if "why" in words[:2] and not _REASONS.search(given.logic):
        yield "why"
    if "all" in words[1:4] and words[0] in _BEING:
        yield "all"
    if not _BUT_NOT.isdisjoint(pairwise(words)) and not (denies or "missing" in given.logic):
        yield from ("but", "no")
    if "not" in words and _NOT_IN.search(" ".join(words)) and not denies:
        yield "not"


def _one_of_each(given: _Given) -> Iterator[str]:
    """Something of each of them, or the same figure again."""
    words, statement = given.words, given.statement
    if _IS_EACH.search(" ".join(words)) and isinstance(statement, Groups):
        yield "each"  # what is so of each of them, and not how many are in groups
    if "each of them" in " ".join(words) and isinstance(statement, Rows) and _tells_nobody(statement):
        yield "each"
    if without_closing(words)[-1:] == ("each",) and isinstance(statement, Single) and len(statement.columns) == 1:
        yield "each"
    if given.says("at", "admission") and _LAST_AGE.match(given.logic) and {"last", "latest"}.isdisjoint(words):
        yield from ("at", "admission")  # at each of theirs
    if "same" in words[:2] and isinstance(given.before, Single) and isinstance(statement, Rows) and not given.fresh:
        yield from ("same",) if statement.of.unit in UNITS else ()  # the same figure, and not which rows


def _tells_nobody(statement: Rows) -> bool:
    """True for records without whose they are."""
    return statement.of.unit not in UNITS and {Own(PATIENT), *map(Own, UNITS)}.isdisjoint(statement.columns)


def _what(given: _Given) -> Iterator[str]:
    """Who, what or when: a number is nobody, and a time no place."""
    words, logic, statement = given.words, given.logic, given.statement
    if given.says("admitted", "for") and logic.startswith("id of "):
        yield from ("admitted", "for")  # with what, and not in which stays
    if words[:1] in (("what",), ("which",)) and _TIME_OF.match(logic) and not _asks_time(words):
        yield from words[:1]
    if asks_if_among(words) and not (isinstance(statement, Single) and (turns_of(logic) or "where id in (" in logic)):
        yield from words[:1]  # whether somebody is one of those
    if asked_if_among(given.before) and _ANY_PATIENT.fullmatch(logic):
        yield from words[:1]  # of those before, too
    if (given.asks("who") or given.asks("which", "patient")) and _is_extreme(statement):
        yield from words[:1]
    if (given.asks("when") or words[-1:] == ("when",)) and not any(word in logic for word in _TIMES):
        yield "when"
    before = render_statement(given.before)
    anew = names_in(logic) - names_in(before) and not (_TIME_OF.match(before) and names_in(before))
    if anew and _TIME_OF_RECORDS.match(logic) and not _asks_time(words):
        yield from words[:1]  # "latest creatinine": its value
    if words[:1] in _WHETHER and _TIME_OF.match(logic) and not _asks_time(words):
        yield from words[:1]  # "is she still here?": whether, and not since when
    if "when" in words and not _OF_STAYS.isdisjoint(words) and _TIME_OF_RECORDS.match(logic):
        yield from (word for word in words if word in _OF_STAYS)


_RULES = (
    _period,
    _where,
    _pointed_at,
    _side_by_side,
    _whom,
    _of_whom,
    _how_many,
    _changed,
    _denied,
    _one_of_each,
    _what,
)


def _of_groups_kept(words: Sequence[str], logic: str, earlier: Mapping[int, Statement]) -> Iterator[str]:
    """The words that point at groups which were told by their number ("drugs given to more than 10 patients"), where
    query logic takes all groups."""
    for word in words:
        said = _TURN.fullmatch(word)
        turn = int(said[1]) if said else max(earlier) if word in _THEM else 0
        told = earlier.get(turn)
        kept = isinstance(told, Groups) and told.having is not None
        if kept and "having" not in logic and turn not in turns_of(logic):
            yield word


def dangling(question: str, logic: str) -> tuple[str, ...]:
    """The words of a question right after one that was not answered that may go on from it: they part groups or ask of
    each, ask for something besides, or tell of no records and of nobody."""
    words = [word.strip(" .,?!:;()").lower() for word in question.split()]
    if parts_groups(words) or ("each" in words[-1:] and "each" not in logic):
        return tuple(words[-1:])
    if words[:1] == ["compare"] and words[1:2] in (["with"], ["to"]):
        return tuple(words[:2])
    besides = [word for word in words if word in _BESIDES]
    if (besides or ("as", "well") in pairwise(words)) and _ONE_PATIENT.search(logic) is None:
        return tuple(besides or ("as", "well"))
    of_all = tuple(words[-2:]) in _THERE and not (_PEOPLE | STAY_NOUNS).isdisjoint(words[-3:-2])
    said = names_in(logic) or of_all or is_whole(question) or len(words) > _SHORT
    return () if said else tuple(words[:3])


def changes(words: Sequence[str]) -> bool:
    """True for words that ask the same of others, or of some: the answer is not that of before."""
    return not _CHANGING.isdisjoint(words)


def says_nothing_new(words: Sequence[str], logic: str, known: Mapping[str, str], question: str) -> bool:
    """True for query logic by which another question was answered: the `known` ones, each with its question."""
    before = known.get(logic)
    return before is not None and before.lower() != question.lower() and _AGAIN.isdisjoint(words)


def _as_patients(logic: str, earlier: Mapping[int, Statement], words: Sequence[str]) -> Sequence[str]:
    """The words that count some of the stays that an answer lists, where patients are counted by anything of theirs."""
    meant = {int(turn) for turn in _PATIENTS_IN.findall(logic)}
    lists = [one for turn in meant if isinstance(one := earlier.get(turn), Rows) and one.of.unit in (HOSPITAL, ICU)]
    listed = any(one.columns[:1] == (Own("id"),) for one in lists)
    return [word for word in words if word in ("many", "of")] if listed else ()


def _columns(statement: Statement) -> int:
    """How many figures or attributes stand beside each other, without whose they are."""
    match statement:
        case Groups(asked="keys"):
            return 0
        case Rows(columns=columns) | Single(columns=columns) | Groups(columns=columns):
            return len([one for one in columns if one not in (Own("id"), Own(PATIENT))])
    return 0


def _asks_time(words: Sequence[str]) -> bool:
    """True for words that ask when: "that time" is the stay that was spoken of."""
    told = {word for at, word in enumerate(words) if words[max(0, at - 1) : at] not in (("that",), ("this",))}
    return not _ASKS_TIME.isdisjoint(told)


def _is_extreme(statement: Statement) -> bool:
    """True for the highest or lowest of some values, which does not say whose it was."""
    match statement:
        case Single(columns=(Aggregate(function="maximum" | "minimum"),)):
            return True
    return False


def _is_of_earlier(statement: Statement, earlier: Mapping[int, Statement]) -> bool:
    told = ((turn, rows_about(one)) for turn, one in earlier.items())
    return is_about_any(statement, (Subject(turn, of) for turn, of in told if of is not None and of.unit in UNITS))


def _are_in_both(words: Sequence[str]) -> bool:
    """True for "how many are in both groups": who are in the one and in the other, and not what is so of each."""
    at = next((at for at, pair in enumerate(pairwise(words)) if pair == ("in", "both")), 0)
    return at > 0 and words[at - 1] in _BEING | _PERSONS | {"who"}


def _in_that_stay(words: Sequence[str]) -> bool:
    """True for "during that stay": the one that was spoken of."""
    return any(one in ("that", "those", "these", "this") and noun in STAY_NOUNS for one, noun in pairwise(words))


def _named_in(statement: Statement, earlier: Mapping[int, Statement]) -> list[Statement]:
    """The earlier statements of whose rows one tells."""
    return [earlier[node.turn] for node in walk(statement) if isinstance(node, InAnswer) and node.turn in earlier]


def _is_limited(statement: Statement) -> bool:
    """True where an answer is of some rows, and not of all that there are."""
    of = rows_about(statement)
    return of is not None and of.where is not None


def _counts_others(statement: Statement) -> bool:
    """True for a number of stays or records."""
    match statement:
        case Single(columns=(Aggregate(function="count", of=Set(unit=unit)),)):
            return unit != PATIENT
    return False


def _counts_records(statement: Statement) -> bool:
    """True for a number of records."""
    match statement:
        case Single(columns=(Aggregate(function="count" | "distinct", of=Set(unit=unit)),)):
            return unit not in UNITS
    return False


def _counts_people(statement: Statement, earlier: Mapping[int, Statement]) -> bool:
    """True for a number of patients."""
    match statement:
        case Single(columns=(Aggregate(function="count", of=Set(unit=unit)),)):
            return unit == PATIENT
        case Single(columns=(Aggregate(function="count", of=Answer(turn=turn)),)):
            of = rows_about(earlier[turn]) if turn in earlier else None
            return of is not None and of.unit == PATIENT
    return False


def _tells_all_records(statement: Statement) -> bool:
    """True for a list of all records of a kind."""
    of = rows_about(statement) if isinstance(statement, Rows) else None
    if of is None or of.unit in UNITS or of.items or of.pick is not None:
        return False
    return all(isinstance(part, Is) for part in parts_of(of.where))


def _tells_of_all(statement: Statement) -> bool:
    """True for what is told of all rows of a kind."""
    of = rows_about(statement)
    return (
        of is not None and of.pick is None and not of.items and all(isinstance(part, Is) for part in parts_of(of.where))
    )


def _is_reckoned(statement: Statement) -> bool:
    """True for what is made of two figures."""
    return isinstance(statement, Single) and all(isinstance(one, Math) for one in statement.columns)


def _tells_several(statement: Statement) -> bool:
    """True for an answer of several figures."""
    match statement:
        case Single(columns=columns):
            return len(columns) > 1
        case Groups():
            return True
    return not isinstance(statement, Single)
