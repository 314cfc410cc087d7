"""Whether a question stands by itself: it says what is asked, and of what or of whom."""

from __future__ import annotations

import re

from ehrtui.planning.offline.continuing import people_noun, says_itself
from ehrtui.planning.offline.conversation_words import Heard
from ehrtui.planning.offline.parts import Parts, means, which
from ehrtui.planning.offline.wanted import FUNCTIONS
from ehrtui.schema.kinds import COST, DEATH, stays

_ASKS = re.compile(
    r"^\W*(?:(?:in|of|for|from)?\s*\ba\d{1,4}\b\W+)?"
    r"(?:please\s+|kindly\s+|(?:can|could|would|will)\s+you\s+|of\s+(?:them|those|these)\W+)*"
    r"(?:what|which|who|whose|whom|when|where|how|whether|list|show|give|tell|find|count|number|name|display|get"
    r"|report|retrieve|calculate|compute|provide|identify|return|determine|check|let|inform"
    r"|did|does|do|was|were|is|are|has|have|had|can|could|would|i|if)\b"
)
_THERE = re.compile(
    r"\b(?:are|were)\s+there\b|\bin\s+(?:the|this)\s+(?:database|data|dataset|hospital)\b|\bin\s+total\b"
)
_POINTS = re.compile(r"\b(?:the|that|this)\s+(?:\w+\s+)?one\b|\bit\b(?!\s+(?:been|take))|\b(?:that|this)\W*$")
_IT = re.compile(r"\b(?:was|were|is|did|does|has|had)\s+(?:that|it|this)\b(?!\s+(?:patient|year|month|week|hospital))")
_HAD = re.compile(r"^\W*(?:and\s+)?how\s+many\s+(?:had|have|got|get|received|took|underwent)\b(?!\s+(?:he|she)\b)")
_BEGINS_WITHIN = re.compile(r"^\W*(?:in|on|at|for|with|without|during|after|before|over|under|since|until)\b")
_OF_EVERYBODY = ("survival", "mortality", "meaning", "percentile", "ward", "oldest")
"""Kinds of marks of questions about everybody."""
_EVERYBODY = re.compile(
    r"\b(?:all|every|everyone|everybody|overall|anyone|anybody|hospital[\s-]?wide|in\s+general|database|data|dataset)\b"
)
PRONOUNS = ("that_patient", "those_patients")


def is_fragment(parts: Parts) -> bool:
    """ "In the ICU?", "how much did it cost?": nothing that is asked by itself."""
    within = not (parts.wants or parts.top) and _BEGINS_WITHIN.match(parts.text.lower)
    whom = parts.ids or parts.people is not None or parts.turn is not None
    field = bool(parts.fields) and _is_bare(parts) and not (whom or parts.marks.of("by"))
    lower = parts.text.lower
    return bool(within or field or _POINTS.search(lower) or _IT.search(lower) or _HAD.match(lower))


def pronoun(parts: Parts, *kinds: str) -> bool:
    """True where the question has a word of one of these kinds of people."""
    return any(means(mark, "people", *kinds) for mark in parts.marks)


def asks(parts: Parts) -> bool:
    """True for a question that begins as one."""
    return bool(_ASKS.match(parts.text.lower))


def has_target(parts: Parts) -> bool:
    """True when the question names records, or a field of something."""
    fields = [field for mark in parts.fields for field in which(mark, "field")]
    events = [event for event in parts.events if not says_itself(parts, event)]
    readmitted = parts.marks.of("readmitted")
    return bool(events or readmitted) or any(field not in ("name", "value", "time", "id") for field in fields)


def stands_alone(heard: Heard, parts: Parts, named: bool) -> bool:
    """True for a question that says what is asked, and of what or of whom."""
    if heard.step or heard.instead:
        return False
    refers = pronoun(parts, *PRONOUNS) or named or parts.turn is not None
    whom = bool(parts.ids) or refers or parts.people is not None
    if asks(parts):
        if heard.leans and not whom and parts.top is None:
            return False
        everybody = people_noun(parts) and _THERE.search(parts.text.lower) is not None
        people = (parts.people is not None or parts.of_one) and (parts.sex or parts.age or parts.both_sexes)
        if parts.text.lower.lstrip().startswith("whose") and parts.marks.of("filter") and not parts.ids:
            return False
        whose = parts.marks.of("patient", "turn") or pronoun(parts, *PRONOUNS) or parts.people is not None
        pointed = not whose and (_IT.search(parts.text.lower) or _HAD.match(parts.text.lower))
        bare = _is_bare(parts) and not whom
        return bool((has_target(parts) and not (bare or pointed)) or everybody or people)
    if heard.back or (heard.leans and not refers):
        return False
    if parts.negations and not (people_noun(parts) or parts.ids):
        return False  # "without those who died"
    of_some = bool(parts.wants) and bool(parts.sex or parts.age)  # "women over 80 with pneumonia, number"
    return (whom or of_some) and (has_target(parts) or bool(parts.both_sexes))


def _is_bare(parts: Parts) -> bool:
    """ "What was the dose?", "what did it cost?": a field of what was spoken of, or nothing but a number."""
    records = any(event.names or event.filters or event.roles != (COST,) for event in parts.events)
    return not records and "count" not in parts.wants and not parts.marks.of("top", "meaning")


def silent_about_whom(parts: Parts) -> bool:
    """True for a question about records or their values that says nothing of whose they are."""
    spoken = parts.people is not None or parts.sex or parts.age or parts.turn is not None
    general = parts.top is not None or parts.marks.of("survival", "mortality", "meaning", "percentile", "ward")
    costs = any("cost" in which(mark, "field") for mark in parts.fields)
    others = (DEATH,) if not (_THERE.search(parts.text.lower) or parts.windows) else (DEATH, *stays())
    records = any(event.names or event.roles[0] not in others for event in parts.events)
    every = re.search(r"\b(?:all|every|each|overall|patients?|hospital)\b", parts.text.lower)
    return asks(parts) and records and not (spoken or general or costs or (every and parts.people is not None))


def silent_in_group(parts: Parts) -> bool:
    """True for a question about records, with no more of whose they are than a sex or an age, that in a conversation
    about a group of patients is about these."""
    said = pronoun(parts, *PRONOUNS) or parts.ids or parts.turn is not None or parts.people is not None
    general = parts.top is not None or parts.marks.of(*_OF_EVERYBODY) or parts.both_sexes
    costs = any("cost" in which(mark, "field") for mark in parts.fields)
    if said or general or costs or _EVERYBODY.search(parts.text.lower):
        return False
    figure = bool(parts.wants & {*FUNCTIONS, "any"})
    records = not parts.events or any(event.names or event.roles != (DEATH,) for event in parts.events)
    records = records or "any" in parts.wants
    everywhere = bool(_THERE.search(parts.text.lower)) and not any(event.names for event in parts.events)
    figure = (
        figure or bool(parts.marks.of("readmitted")) or any("length" in which(mark, "field") for mark in parts.fields)
    )
    return (figure or asks(parts)) and has_target(parts) and records and not everywhere
