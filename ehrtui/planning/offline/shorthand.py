"""How staff write in a hurry ("2 pts w/ dx of…", "pateint"), spelled out, with the way back to what was typed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ehrtui.planning.offline.words import Word
from ehrtui.planning.proposal import Proposal

MOST_LETTERS = 500
"""A text that is longer is no question: patterns that look far are not tried on it."""
_NUMBER = r"(?<=\d)[\s-]*"
_SHORT = tuple(
    (re.compile(rf"{pattern}(?!\w)"), long)
    for pattern, long in (
        (rf"{_NUMBER}y/?o", " years old"),
        (rf"{_NUMBER}(?:yrs?|y)\.?", " year"),
        (rf"{_NUMBER}(?:mos?|mths?)\.?", " month"),
        (rf"{_NUMBER}wks?\.?", " week"),
        (rf"{_NUMBER}(?:hrs?|h)\.?", " hour"),
        (rf"{_NUMBER}d", " day"),
        (r"\bpts\.?", "patients"),
        (r"\bpt", "patient"),
        (r"\bdx['’]?(?:e?d)", "diagnosed"),
        (r"\bdx", "diagnosis"),
        (r"\brx['’]?(?:e?d)", "prescribed"),
        (r"\brx", "prescription"),
        (r"\bmeds?", "medication"),
        (r"\bhosp\.?", "hospital"),
        (r"\badm\.?", "admission"),
        (r"\bs/p", "after"),
        (r"\bw/o", "without"),
        (r"\bw/?", "with"),
        (r"\b(?:vs\.?|versus)", "compared to"),
        (r"\b(?:d/c|dc)['’]?e?d", "discharged"),
        (r"\bd/c", "discharge"),
        (r"\byrs", "years"),
        (r"\bhrs", "hours"),
        (r"\bwks", "weeks"),
    )
)
_AGES = re.compile(r"\b(over|under|above|below)[ -](\d{2,3})['’]?s\b", re.IGNORECASE)
"""Those over or under some age: "the over-65s"."""
_POINTED = re.compile(
    r"\b(?:this|that|the\s+same)\s+(?P<who>person|individual|guy|lady|gentleman|man|woman|chap|fellow|client)\b",
    re.IGNORECASE,
)
"""Somebody who was told of before."""
_PEOPLE = r"(?:patients|pts|people|women|men|admissions|stays|ones|cases)"
_OF_EACH_STAY = re.compile(
    r"\b(?:(?:in|at|during|on)\s+how\s+many|(?:percent|percentage|proportion|share|fraction|%)\s+of)\s+(?:the\s+|our\s+|all\s+)?"
    r"(?:hospital\s+|icu\s+|inpatient\s+)?(?:admissions|stays|visits|encounters|episodes|hospitali[sz]ations|cases)"
    r"\s+(?:\w+\s+){0,3}?(?P<the>the)\s+(?:patient|pt)\b",
    re.IGNORECASE,
)
"""The patient of each of the stays that are counted, who is nobody that was spoken of."""
_ITS_PEOPLE = re.compile(
    r"\b(?:the\s+)?(?P<turn>A\d+)['’]s\s+(?P<whom>patients|people|persons|stays|admissions)\b", re.IGNORECASE
)
_ALL_SUCH = re.compile(
    rf"\ball\s+(?:of\s+)?(?P<these>these|those)(?=\s+(?!{_PEOPLE}\b)[\w-]+\s+(?:[\w-]+\s+){{0,2}}?{_PEOPLE}\b)",
    re.IGNORECASE,
)
"""Those who are described anew, all of them."""
_WHOEVER = re.compile(r",?\s*(?:of\s+)?(?:both|either)\s+(?:sexes|sex|genders?)(?=\s*[:,])", re.IGNORECASE)
"""What says again that they are all meant, behind those to whom a question returns."""
_VITALS = r"bp|b/p|sats?|spo2|o2\s*sats?|temps?|temperature|rr|resps?|resp\s+rate|respiratory\s+rate|map|pulse"
_EVER_SHORT = (
    (re.compile(r"\bthru\b", re.IGNORECASE), "through"),
    (re.compile(r"\bin[- ]hosp\b\.?", re.IGNORECASE), "in-hospital"),
    (
        re.compile(rf"(?<![\d/])(?<!\d )\bhr\b(?=(?:\s*,\s*|\s*/\s*|\s*&\s*|\s+and\s+)(?:{_VITALS})\b)", re.IGNORECASE),
        "heart rate",
    ),
    (re.compile(r"\b(?<=(?:bp|rr), )hr\b|\b(?<=and )hr\b(?=\s+(?:of|for|in)\b)", re.IGNORECASE), "heart rate"),
)
"""What is short for a word wherever it stands, though stored names have it, too ("gastroscopy thru stoma")."""
_ONE_PRESSURE = re.compile(
    r"\b(?:last|latest|most\s+recent|first|newest|current|lowest|highest|minimum|maximum|min|max|peak)\s+(?P<said>bp|b/p|blood\s+pressure)\b(?!\s*(?:and|,|&|/|<|>|above|over|below|under|of\s+\d))(?!.*\b(?:dates?|when|times?)\b)",
    re.IGNORECASE,
)
"""A blood pressure is two numbers: "last BP"."""
_CAPITALS = (
    (re.compile(r"\bNEWS2?\b(?:\s+(?:scores?|totals?))?"), "early warning score"),
    (re.compile(r"(?<![\d/])(?<!\d )(?<!per )\bHR\b(?!\s+(?:department|staff|team|manager))"), "heart rate"),
)
"""What is short for something in capitals alone."""
_COUNTED = re.compile(
    r"(?<=\w)\s*(?:[,;:]|\s[-–—])\s*(?:(?:n|nr|count)\b\s*=?|(?:the\s+)?number(?:\s+only)?)(?:,?\s+please|\s+pls)?\W*$",
    re.IGNORECASE,
)
"""What is wanted of those who are named before it: "pneumonia, n?", "patients on heparin - number please"."""
_COUNTS = re.compile(
    r"^\W*(?:(?:and|so|then|in|from|on|to|at|for)\s+)*(?:which|what|where)\b.*\w(?P<said>\s*(?:[?;:,.]|\s[-–—])\s*"
    r"(?:just\s+)?(?:the\s+)?(?:counts?|numbers?|tally|n)(?:\s+(?:each|please|pls|of each|for each|per group))*\W*)$",
    re.IGNORECASE,
)
"""What is wanted of each of the things that are asked for before it: "which wards were they on? counts"."""
_AND_WHEN = re.compile(
    r"^\W*(?:(?:and|so|but|ok)\W+)?(?P<verb>did|was|were|has|have|had|does|do|is|are)\b(?:(?!\bwhen\b)[^?])+"
    r"(?P<when>\?\s*(?:(?:and|if\s+so|if\s+yes)\W+)*when\b(?:\s+(?:was|were|is)\s+(?:that|it|this|they))?)\W*$",
    re.IGNORECASE,
)
"""When something was that is first asked about: "was the potassium ever above 6? When?"."""
_AND_WHOSE = re.compile(
    r"^\W*(?:(?:what|which)(?:'s|\s+is|\s+was)\s+)?(?:the\s+)?(?:highest|lowest|maximum|minimum|max|min|peak|largest|smallest)\b"
    r"(?:(?!\band\b)[^?.;])+?"
    r"(?P<whose>(?:\s*,)?\s+(?:and|with|plus)\s+(?:(?:in|of|from)\s+)?(?:the|which|what)\s+(?:patient|person|pt)\b"
    r"(?:(?:'s)?\s+(?:id|it\s+belongs\s+to|who\s+had\s+it|had\s+it|was\s+it|that\s+had\s+it))?)\W*$",
    re.IGNORECASE,
)
"""Whose an extreme was that is first asked for: "highest lactate, and the patient"."""
_NO_MORE = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bno)\b(?:\s+[\w-]+){1,6}?\s+(?P<now>any\s?more|any\s+longer)\b(?!\s+than)"
    r"|\b(?P<not>no\s+longer)\b(?!\s+than)",
    re.IGNORECASE,
)
"""Words for what is not so now, and was before: "who is not on an ICU any more", "who no longer takes warfarin"."""
_SHORTEST_MISSPELT = 5
"""Letters: shorter words are too easily like another word."""


@dataclass(frozen=True)
class Spelling:
    """A stretch [start, end) of a question, and what to read in its place."""

    start: int
    end: int
    text: str


def spellings(lower: str, unexplained: Iterable[Word], vocabulary: Collection[str]) -> list[Spelling]:
    """What the unexplained words may be short for, or a slip of the keyboard for (one letter of a word of the
    `vocabulary`), in reading order; they do not overlap."""
    found: list[Spelling] = []
    for word in unexplained:
        if found and word.start < found[-1].end:
            continue
        one = _short(lower, word) or _slip(word, vocabulary)
        if one is not None:
            found.append(one)
    return found


def count_in_short(question: str) -> list[Spelling]:
    """The letter or word behind a noun phrase that asks how many there are."""
    found = _COUNTED.search(question)
    return [Spelling(*found.span(), ", how many?")] if found and "how many" not in question.lower() else []


def counts_in_short(question: str) -> list[Spelling]:
    """The word behind a question for several things that asks how often each is."""
    found = _COUNTS.match(question)
    return [Spelling(*found.span("said"), ", with counts")] if found else []


def whose_behind(question: str) -> list[Spelling]:
    """What asks for an extreme, and then for the patient, who is nobody that was spoken of."""
    found = _AND_WHOSE.match(question)
    return [] if found is None else [Spelling(*found.span("whose"), " and whose")]


def when_behind(question: str) -> list[Spelling]:
    """What asks whether, and then when, as one question for the times."""
    found = _AND_WHEN.match(question)
    if found is None:
        return []
    return [Spelling(*found.span("verb"), f"when {found['verb'].lower()}"), Spelling(*found.span("when"), "")]


def ages_in_short(question: str) -> list[Spelling]:
    """What to read for people who are called by their age."""
    return [Spelling(one.start(), one.end(), f"{one[1]} {one[2]} years old") for one in _AGES.finditer(question)]


def no_more(question: str) -> list[Spelling]:
    """What is not so any more is not so now."""
    return [
        Spelling(*found.span("now"), "now") if found["now"] else Spelling(*found.span("not"), "not currently")
        for found in _NO_MORE.finditer(question)
    ]


def one_pointed_at(question: str) -> list[Spelling]:
    """Who is pointed at by another word than "patient": "which drugs has this person been on?"."""
    return [Spelling(*found.span("who"), "patient") for found in _POINTED.finditer(question)]


def of_each_stay(question: str) -> list[Spelling]:
    """ "In how many admissions did the patient have a fever": a patient, whoever it was."""
    return [Spelling(*found.span("the"), "a") for found in _OF_EACH_STAY.finditer(question)]


def all_such(question: str) -> list[Spelling]:
    """ "All these gout patients": all who are called so, and not those of the latest answer alone."""
    found = [Spelling(*one.span("these"), "the") for one in _ALL_SUCH.finditer(question)]
    return [*found, *(Spelling(*one.span(), "") for one in _WHOEVER.finditer(question))]


def of_an_answer(question: str) -> list[Spelling]:
    """ "A2's patients": the patients in A2."""
    return [Spelling(*one.span(), f"the {one['whom']} in {one['turn']}") for one in _ITS_PEOPLE.finditer(question)]


def short_forms(question: str) -> list[Spelling]:
    """Short forms that stand for the same everywhere, and those that are words of everyday English unless they stand in
    capitals: "a NEWS of 7"."""
    known: tuple[tuple[re.Pattern[str], str], ...] = (
        *_EVER_SHORT,
        (_ONE_PRESSURE, "systolic and diastolic blood pressure"),
        *(() if question.isupper() else _CAPITALS),
    )
    spans = {
        found.span("said" if "said" in found.re.groupindex else 0): long
        for short, long in known
        for found in short.finditer(question)
    }
    return [Spelling(*span, long) for span, long in spans.items()]


def rewritten(question: str, found: Sequence[Spelling]) -> str:
    """The question with every spelling in place."""
    parts, at = [], 0
    for one in found:
        parts += [question[at : one.start], one.text]
        at = one.end
    return "".join([*parts, question[at:]])


def typed_span(found: Sequence[Spelling], start: int, end: int) -> tuple[int, int]:
    """Where [start, end) of the rewritten question stands in what was typed."""
    shift, span = 0, [start, end]
    for one in found:
        begin, stop = one.start + shift, one.start + shift + len(one.text)
        longer = len(one.text) - (one.end - one.start)
        if begin < start < stop:
            span[0] = one.start
        elif start >= stop:
            span[0] -= longer
        if begin < end < stop:
            span[1] = one.end
        elif end >= stop:
            span[1] -= longer
        shift += longer
    return span[0], span[1]


def _short(lower: str, word: Word) -> Spelling | None:
    for pattern, long in _SHORT:
        # A short form may reach back to the number before it ("2-yr") or on over a stroke ("d/c").
        for match in pattern.finditer(lower, max(0, word.start - 3), word.end + 4):
            if lower[word.start : match.start()].strip("0123456789") == "" and word.end <= match.end():
                return Spelling(match.start(), match.end(), long)
    return None


@lru_cache(maxsize=8)
def _by_length(vocabulary: tuple[str, ...]) -> dict[int, list[str]]:
    """The words of a vocabulary by the lengths that they have with a letter more or less."""
    found: dict[int, list[str]] = {}
    for word in vocabulary:
        for length in (len(word) - 1, len(word), len(word) + 1):
            found.setdefault(length, []).append(word)
    return found


def _slip(word: Word, vocabulary: Collection[str]) -> Spelling | None:
    if len(word.text) < _SHORTEST_MISSPELT:
        return None
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    words = _by_length(tuple(vocabulary)).get(len(word.text), ())
    near = extractOne(word.text, words, scorer=OSA.distance, score_cutoff=1)
    return Spelling(word.start, word.end, near[0]) if near else None


def as_typed(proposal: Proposal, question: str, spelled: Sequence[Spelling]) -> Proposal:
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
