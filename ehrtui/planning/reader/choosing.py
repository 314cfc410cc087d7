"""Which of two readings is proposed: that of the marks, which knows EHRSQL's wording, or that of the chart."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.lift import says_the_same
from ehrtui.logic.algebra.lower import lowered
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Among,
    Has,
    Not,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.model import Calendar, Window
from ehrtui.logic.nodes import walk
from ehrtui.logic.parse import parse
from ehrtui.logic.words import turns_of
from ehrtui.planning.proposal import Proposal
from ehrtui.planning.reader.grown_from import tells_what_grew
from ehrtui.planning.reader.meanings import parts_of
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.value_index import ValueIndex
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import Estimator

_SURE = 0.9
_RIVAL = 0.5
"""How likely the chart's reading is beside that of the marks, where words are foreign to the benchmark."""
SHOWN = 0.7
"""A guess that is less sure is not shown: why the marks decline says more."""
_LIKELIER = 0.5
"""A guess of the chart that is likelier than not is better than one that leaves words out."""
_CLASS_OF_DRUGS = "prescription concept "
_SEXES = {'"female"', '"male"'}
"""Names that some query logic says without marks."""
_FATE = re.compile(
    r"(?:whether \(with \(.* without deaths|any patient \S+ without death|percent \(hospital death = 1\) of)\b"
)
"""Query logic that asks whether somebody is alive, or how many died in hospital, which no sentence of the benchmark
does."""
_LISTED = {"patients", "stays", "admissions", "hospitalizations", "visits", "people"}
_WHICH = {"patient", "patients", "person", "admission", "stay", "visit", "encounter", "hospitalization"}
"""What is asked for by "which", and is no number."""
_IDLE_STAY = re.compile(r" with \((?:admission|icu stay)\)")
_NAMED = re.compile(r'\bpatient "[^"]+"|"[^"]+"|\bpatient \d+')
_KEPT = 2_000
"""Texts of query logic: a conversation has about so many, and all of them are looked at for each question."""


def agree(logic: str, statement: Statement) -> bool:
    """True where a form of query logic says the same as a statement without concepts."""
    try:
        return says_the_same(parse(logic), statement)
    except LogicError:
        return False


def lists_alike(logic: str, statement: Statement) -> bool:
    """True where a form lists its rows once, or as often as they are, as a statement does that it agrees with."""
    form = lowered(parse(logic))
    return not (isinstance(form, Rows) and isinstance(statement, Rows)) or form.distinct == statement.distinct


def blurs_stays(logic: str) -> bool:
    """True where a form counts or names stays, and whatever they must have had was had by their patients at any time:
    "ICU stays with a sodium below 120" are those in which it was so low. So with any figure of stays in a place: "the
    average stay in the MICU" is of the stays there."""
    try:
        form = lowered(parse(logic))
    except LogicError:
        return False
    any_record = True
    if isinstance(form, Single) and len(form.columns) == 1 and isinstance(form.columns[0], Aggregate):
        of, any_record = form.columns[0].of, form.columns[0].function == "count"
    else:
        of = form.of if isinstance(form, Rows) and form.columns == (Own("id"),) else None
    if not isinstance(of, Set) or of.unit not in (HOSPITAL, ICU):
        return False
    whose = [part.of for part in parts_of(of.where) if isinstance(part, Of) and part.of.unit == PATIENT]
    had = [part.of.unit for one in whose for part in parts_of(one.where) if isinstance(part, Has)]
    return any(unit not in UNITS and (any_record or kind_of(unit.replace(" ", "_")).place) for unit in had)


def has_idle_stay(logic: str) -> bool:
    """True where query logic demands of patients, beside other things, that they were in hospital, or in the ICU: what
    "during one hospital stay", "during an ICU stay" said was lost."""
    return bool(_IDLE_STAY.search(logic)) and logic.count(" with ") > 1


def counts_stays(statement: Statement) -> bool:
    """True for a count of stays that had records: the benchmark asks for none, so its wording says nothing of it."""
    of = statement.columns[0] if isinstance(statement, Single) and len(statement.columns) == 1 else None
    stays = of.of if isinstance(of, Aggregate) and of.function == "count" else None
    if not isinstance(stays, Set) or stays.unit not in (HOSPITAL, ICU):
        return False
    held = [part.of if isinstance(part, Not) else part for part in parts_of(stays.where)]
    return any(isinstance(part, Has) and part.of.unit not in UNITS for part in held)


def preferable(marks: Proposal, chart: Proposal, *, benchmark: bool, by_concept: bool, foreign: int) -> bool:
    """True where the chart's reading is likelier to be meant than that of the marks: always, but for sentences in the
    benchmark's wording (`benchmark`), which the marks were made for. There their reading stands where they know all
    words, or the chart declines or is not sure, and their reason where the chart reads a name `by_concept`, as a family
    of titles or a class of drugs: of drugs alone where words are `foreign` to the benchmark."""
    if not benchmark:
        return True
    enough = _LIKELIER if foreign else SHOWN
    if marks.logic and (not marks.unexplained or chart.reason or chart.confidence < enough):
        return False
    fate = bool(_FATE.match(chart.logic or "")) and chart.confidence >= SHOWN
    if marks.reason and not marks.unexplained:
        no_word = marks.refusal is None or not marks.refusal.words
        if marks.logic is None and no_word:  # what they read cannot be asked of this database
            return not chart.reason and chart.confidence >= SHOWN
        return fate
    return fate or not by_concept or (foreign > 0 and _CLASS_OF_DRUGS not in (chart.logic or ""))


def surer(marks: Proposal, chart: Proposal) -> bool:
    """True where the marks know all words and are sure, and the chart is not."""
    known = bool(marks.logic) and not marks.unexplained and not marks.reason and marks.confidence >= _SURE
    return known and (bool(chart.reason) or chart.confidence < SHOWN)


def with_rival(marks: Proposal, chart: Proposal) -> Proposal:
    """The marks' reading of a sentence that is not wholly in the benchmark's words, with the chart's beside it: where
    that finds something else, it is asked which is meant."""
    if not marks.logic or marks.reason or chart.reason or not chart.readings:
        return marks
    return replace(marks, readings=(*marks.readings[:1], replace(chart.readings[0], score=_RIVAL), *marks.readings[1:]))


def explains(chart: Proposal, marks: Proposal) -> bool:
    """True where all that the marks have against a question is words that they do not know, and the chart's reading
    accounts for each of them."""
    left_out = " ".join((*(word.text for word in chart.paid), *chart.unexplained)).lower().split()
    return marks.refusal is None and bool(marks.unexplained) and not {*marks.unexplained} & {*left_out}


def doubted(proposal: Proposal, doubt: Doubt, estimator: Estimator) -> Proposal:
    """A proposal with one doubt more."""
    confidence = estimator.lowered(proposal.confidence, [doubt])
    return replace(proposal, confidence=confidence, doubts=(*proposal.doubts, doubt))


_THEIRS = re.compile(r"\bwith (?:all |all of )?(?:their|his|her) (?!own\b)")
_ALONE = re.compile(r"patients with [a-z ]+")
_AND_THEIRS = re.compile(
    r"\band (?:(?:what|which) (?:was|were|is|are) )?(?:their|his|her) "
    r"(?:highest|lowest|peak|max(?:imum)?|min(?:imum)?|first|last|latest|most recent|average|mean|worst)\b"
    r"|\band (?:when|since when|how long|where|which (?:ward|unit|bed)) "
    r"(?:did|have|were|are|was|is|has) (?:they|he|she|each)\b"
)
_ONLY_WHO = re.compile(r"patients\b")


def forgets_theirs(question: str, logic: str) -> bool:
    """True where patients are asked for with what is theirs ("with their drugs", "and what was their lowest value"),
    and query logic lists them alone."""
    asked = question.lower()
    return bool(_THEIRS.search(asked) and _ALONE.fullmatch(logic)) or bool(
        _AND_THEIRS.search(asked) and _ONLY_WHO.match(logic)
    )


_EACH = re.compile(r"\b(?:for|of|in|at) (?:each|every)\b")


def forgets_each(question: str, logic: str, statement: Statement) -> bool:
    """True where something is asked for each of several, which the chart's statement tells, and query logic gives one
    number over all; or for each patient, and it does not say whose is what it lists."""
    if not logic or isinstance(statement, Single) or not _EACH.search(question.lower()):
        return False
    try:
        form = lowered(parse(logic))
    except LogicError:
        return False
    if isinstance(form, Rows) and isinstance(statement, Rows) and _EACH_PATIENT.search(question.lower()):
        return _WHOSE.isdisjoint(form.columns) and not _WHOSE.isdisjoint(statement.columns)
    return isinstance(form, Single)


_EACH_PATIENT = re.compile(
    r"\b(?:for|of) (?:each|every)(?: (?:one|patient|person|pt|of them|of these|of those))?\W*(?:$|[:,])"
)
_WHOSE = {Own("id"), Own(PATIENT), Own(HOSPITAL), Own(ICU)}


def parts_culture(logic: str, statement: Statement) -> bool:
    """True where query logic tells of two cultures, of which the chart's statement makes one with an organism in it."""
    if not tells_what_grew(statement):
        return False
    try:
        form = lowered(parse(logic))
    except LogicError:
        return False
    cultures = [part for part in walk(form) if isinstance(part, Set) and kind_of(part.unit.replace(" ", "_")).microbial]
    return len(cultures) > 1 and not tells_what_grew(form)


def never_recorded(statement: Statement, index: ValueIndex, question: str = "") -> bool:
    """True where a statement names items of which a list of codes knows, and no record is; but for one that a question
    names just so."""
    asked = question.lower()
    for one in walk(statement):
        if not isinstance(one, Set) or not one.items or any(item.kind != "name" for item in one.items):
            continue
        stored = index.items(one.unit.replace(" ", "_"), [item.text for item in one.items])
        if stored and not any(item.rows or item.name.lower() in asked for item in stored):
            return True
    return False


_LISTS = re.compile(r"^\W*(?:please )?(?:list|show|give|which|what|name|names)\b")
_OF_TIME = re.compile(
    r"\b(?:when|times?|dates?|days?|hours?|moments?|months?|years?|timeline|timestamps?|often|recent|occurrences?)\b"
)


def tells_only_when(question: str, logic: str) -> bool:
    """True where a list is asked for that is none of times, and query logic lists times alone."""
    lower = question.lower()
    return logic.startswith("time of ") and bool(_LISTS.search(lower)) and not _OF_TIME.search(lower)


_TOTAL = re.compile(r"\btotal (?:costs?|charges?|amounts?)\b")


def total_lost(question: str, logic: str) -> bool:
    """True where a total is asked for, and query logic lists what it is made of."""
    return logic.startswith("cost of ") and bool(_TOTAL.search(question.lower()))


_ANY_TWO = re.compile(r"with \(?[a-z ]+\)? with \(?[a-z ]+\)?$")
_JOINED = re.compile(r"\b(?:and|or|plus|both|also|as well|who|whose)\b|,")


def takes_one_for_two(question: str, logic: str) -> bool:
    """True where query logic demands records of two kinds of which nothing is said, and the words for both stand side
    by side, as one thing is called: "on the medicine service"."""
    return bool(_ANY_TWO.search(logic)) and not _JOINED.search(question.lower())


_FRONTED = re.compile(r"^(?:of|among|amongst|in|for) [^,?]*, ")
"""Those of whom it is asked: "of the gout patients, who …"."""


def tells_nobody(question: str, logic: str) -> bool:
    """True where it is asked who, and query logic gives one number over all; or how many people, and it counts
    something else."""
    words = _FRONTED.sub("", question.lower()).split()
    asks_who = words[:1] in (["who"], ["whose"]) or (words[:1] == ["which"] and not _WHICH.isdisjoint(words[1:2]))
    lists = words[:1] in (["list"], ["show"]) and any(word in _LISTED for word in words[1:4])
    asks_who = asks_who or lists
    counts = words[:2] == ["how", "many"] and words[2:3] in (["patients"], ["people"], ["women"], ["men"])
    if not logic or not (asks_who or counts):
        return False
    try:
        statement = lowered(parse(logic))
    except LogicError:
        return False
    match statement:
        case Single(columns=(Aggregate(function="count", of=Set(unit=unit)),)) if counts:
            return unit not in UNITS
        case Single():
            return asks_who
    return False


def forgets_time(logic: str, statement: Statement) -> bool:
    """True where query logic says no time, and the chart's statement one of the calendar: "per ward in 2104"."""
    dated = any(isinstance(part, Window) and isinstance(part.when, Calendar) for part in walk(statement))
    try:
        return dated and not any(isinstance(part, Window) for part in walk(lowered(parse(logic))))
    except LogicError:
        return False


def figures_lost(question: str, logic: str) -> bool:
    """True where several figures of each group are asked for, and query logic tells fewer."""
    # sqlglot: too heavy for a start-up path
    from ehrtui.planning.reader.figures_of_groups import figures_said, tells_fewer

    figures = figures_said(question.lower())
    try:
        return bool(figures) and tells_fewer(lowered(parse(logic)), figures)
    except LogicError:
        return False


_LIMIT = re.compile(
    r"(?:\b(?:at least|at most|(?:no )?(?:more|less|fewer) than|over|above|under|below)|[<>]=?)\s*(\d+(?:\.\d+)?)\b"
)
_FIGURE = re.compile(r"\d+(?:\.\d+)?")


def limit_lost(question: str, logic: str) -> str:
    """The limit that a question sets in figures and that is in no part of query logic: "at least 3"; "" for none."""
    told = {float(figure) for figure in _FIGURE.findall(logic)}
    return next((said[0] for said in _LIMIT.finditer(question.lower()) if float(said[1]) not in told), "")


def names_alike(logic: str, statement: Statement) -> bool:
    """True where query logic takes two names for records of one kind, of which the chart takes one for another kind:
    "who is allergic to penicillin and got cefazolin" has one allergy."""
    try:
        marked = _kinds_named(lowered(parse(logic)))
    except LogicError:
        return False
    charted = _kinds_named(statement)
    return marked.total() == charted.total() and any(
        number > 1 and charted[kind] == number - 1 for kind, number in marked.items()
    )


def _kinds_named(statement: Statement) -> Counter[str]:
    """How many sets of records a statement has of each kind that are told by names."""
    return Counter(part.unit for part in walk(statement) if isinstance(part, Set) and part.items)


@lru_cache(maxsize=_KEPT)
def names_in(logic: str) -> frozenset[str]:
    """The stored names, and the patients, that query logic names."""
    return frozenset(_NAMED.findall(logic)) - _SEXES


def name_cut_short(question: str, logic: str, statement: Statement) -> bool:
    """True where query logic takes the beginning of a name that a question says in full: "tobacco use", of "tobacco use
    disorder"."""
    named = names_in(logic)
    others = {f'"{item.text}"' for part in walk(statement) if isinstance(part, Set) for item in part.items}
    return any(
        longer.startswith(f"{name[:-1]} ") and longer.strip('"').lower() in question.lower()
        for name in named - others
        for longer in others - named
    )


_FLOWS = re.compile(r"\b(?:input|intake|infus\w*|drips?|fluids?|flow|volume|ml|output)\b", re.IGNORECASE)


_IN_WITH_A_DRIP = re.compile(r'\binput "([^"]+)"')


def takes_flow_for_drug(question: str, logic: str, statement: Statement) -> bool:
    """True where query logic takes for what went in with a drip what the chart takes for a drug that is called so too,
    and the question says no word of what goes in: "how many patients got metronidazole"."""
    named = [part for part in walk(statement) if isinstance(part, Set) and part.items]
    kinds = {kind_of(part.unit.replace(" ", "_")) for part in named}
    drugs = bool(kinds) and all(kind.dosed and not kind.flow for kind in kinds)
    called = [item.text.lower() for part in named for item in part.items]
    flows = _IN_WITH_A_DRIP.findall(logic)
    so_called = bool(flows) and all(name.lower() in drug for name in flows for drug in called)
    return drugs and so_called and _FLOWS.search(question) is None


_FILTERED = re.compile(r'\bwhere ([a-z][a-z ]*?) = "([^"]+)"')


def takes_one_value(question: str, logic: str, statement: Statement) -> bool:
    """True where query logic takes one stored value of an attribute, which the question does not say, and the chart all
    that mean what it says: "po" for "by mouth", which is "oral" as well."""
    said = question.lower()
    several = {
        part.measure.field: part.values
        for part in walk(statement)
        if isinstance(part, Among) and isinstance(part.measure, Own) and len(part.values) > 1
    }
    return any(
        value in several.get(field, ()) and re.search(rf"\b{re.escape(value.lower())}\b", said) is None
        for field, value in _FILTERED.findall(logic)
    )


def forgets(marks: Proposal, chart: Proposal, earlier: str) -> bool:
    """True where the marks' reading names nothing of what the `earlier` logic named, and points to no answer, while the
    chart's reading puts one thing in the place of another of them."""
    if not marks.logic or not chart.logic or turns_of(marks.logic):
        return False
    names = names_in(earlier)
    kept = names & names_in(chart.logic)
    return bool(kept) and kept != names and not names & names_in(marks.logic)
