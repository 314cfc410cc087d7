"""How people tell two events between which time lies: "between his first discharge and the second admission", "ED
arrival to CCU, interval?", "how long after coming in did she get the tracheostomy", "pneumonia: days from start to
end"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPAN = r"(?:minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?|yrs?)"
_LONG = rf"(?:long|soon|quickly|fast|much time|much later|many {_SPAN})"
_LAG = r"(?:interval|gap|delay|lag|time|wait)"
_ASKED = re.compile(rf"\bhow {_LONG}\b|\b(?:no|number) of {_SPAN}\b|\b{_LAG}\b|\b{_SPAN}\b")
SPAN = re.compile(rf"\b{_SPAN}\b")
"""A unit of time."""
_TO = r"(?:up to|to|until|till|->|→)"
_AFTER = r"(?:\b(?:after|since|following)|^(?:once|when)|, (?:once|when))"
_FORMS = tuple(
    re.compile(form)
    for form in (
        r"\bbetween (?P<start>.+?) and (?P<end>.+)$",
        rf"\bfrom (?P<start>.+?) {_TO} (?P<end>.+)$",
        rf"{_AFTER} (?P<start>[^,]+?),? (?:how {_LONG}\b[^,]*? )?(?:until|till|before|did|was|were|had) (?P<end>.+)$",
        rf"\bhow {_LONG} (?:(?:until|till|before|did|was|were|had|does|do) )?(?P<end>.+?) (?:after|since|following) "
        r"(?P<start>.+)$",
        rf"\bhow {_LONG} (?:after|since|following) (?P<start>.+?) (?:did|was|were|had|do|does|is|are) (?P<end>.+)$",
        rf"\bhow {_LONG} (?:had|has|was|were|is|did) [^,]*?(?P<start>in|there|here|admitted|with us|lie|stay|wait)\b"
        r"(?: (?:the )?hospital)? (?:when|before|until|till) (?P<end>.+)$",
        rf"^(?P<start>[^,:;]+?)(?: (?:up to|to|until|till) | ?(?:->|→|-to-) ?)(?P<end>[^,:;]+?)(?:,|:)? "
        rf"(?:{_LAG}|{_SPAN})\b",
        r"(?P<start>[^,:;(]+?) ?(?:->|→) ?(?P<end>[^,:;?]+)",
        r"(?:\(|, |: |^)(?P<start>[^,:;()]+?) to (?P<end>[^,:;()]+)(?:\)|$)",
    )
)
_SERIES = re.compile(
    r"\bbetween (?:(?:two|three|consecutive|successive|subsequent|each|all|any|her|his|the|their|these) )*"
    r"(?P<many>(?:(?!\band\b|\bof\b|\bfor\b|\bin\b)[^,:;()])+?s)(?= (?:of|for|in|on|within|during|at)\b| ?[,:;(?]|$)"
)
"""Several of a kind: the time from each to the next."""
_BEFORE = re.compile(
    r"^(?:for|of|in|among) (?:each |every |all )?"
    r"(?P<whom>[^,]*?(?:patients?|people|persons?|those|stays?|admissions?)\b[^,]*), "
)
_WHOM = re.compile(
    r",? (?:for|of|in|among) (?P<whom>(?:(?:all|the|our) )?(?:patients|people|persons|those|admissions|stays)\b.*)$"
)
"""Whose time it is, before all else or behind."""
_CUT = re.compile(
    r"(?:,| - | \(|\)|;| per | by | of (?:that|the same|this|each|every) | (?:in|during|within) (?:that|the same|one) "
    r"| same (?:admission|stay)| for (?:each|every) )"
)
"""What the second event ends at."""
_ASIDE = re.compile(
    rf"\b(?:please|pls|usually|typically|normally|exactly|finally|actually|really|then)\b|[?!]"
    rf"|,? \(?(?:expressed )?in {_SPAN}\)?$|, ?{_SPAN}$|\({_SPAN}\)$|\b(?:is|was) it$"
)
ORDER = r"(?:(?P<nth>(?:very )?first|1st|initial|second|2nd|third|3rd|last|final|latest|most recent) )?"
"""Which of several it is, before its name."""
_ALONE = re.compile(rf"^(?:the |his |her |their )?(?P<order>{ORDER.strip('?')})(?:one)? ?$")
_NAMED = re.compile(rf"^(?:the |his |her |their |a |an )*{ORDER}(?P<name>.*)$")
_LEADING = re.compile(
    r"^(?:(?:the|an?|of|mean|average|avg|median|state|that|this|his|her|their|he|she|they|it|we|patients?|people|someone"
    r"|him|them|did|was|were|is|are|had|has|have|being|been|having|get|gets|got|getting|put|date of|or|recorded|ever"
    r"|documented|charted|undergo|underwent|undergoing|start of|beginning of|time of|end of"
    r"|(?:administration|placement|insertion) of) )+"
)
_TRAILING = re.compile(
    r"(?: (?:was|were|is|are|did|done|performed|inserted|placed|put|in|took|taken|place|started?|began|occurred|of|from"
    r"|records?|entry|entries|her|him|them|it|the first time|there))+$"
)
_BEGUN = re.compile(
    r"^(?:(?:the|its|their) )?(?:start|begin|beginning|onset|start date|starting)(?: of)?(?P<name> .+)?$"
)
_OVER = re.compile(r"^(?:(?:the|its|their) )?(?:end|stop|finish|resolution|end date|stopping)(?: of)?(?P<name> .+)?$")
_ASKING = re.compile(
    r"a|an|and|any|average|avg|be|been|between|by|calculate|can|could|counting|days?|delay|did|do|does|each|elapsed|every"
    r"|for|from|gap|give|goes?|h|had|has|have|he|her|his|hours?|how|hrs|i|in|interval|is|its?|just|know|lag|lasts?|lies?"
    r"|long|longest|many|max|maximum|me|mean|median|mins?|minimum|minutes|months|much|need|no|number|of|on|one|only|out"
    r"|pass|passed|passes|patients?|per|persons?|please|pls|report|same|she|shortest|show|soon|state|stays?|admission"
    r"|takes?|tell|that|the|their|there|they|time|to|took|typically|usually|was|we|weeks|went|were|what|who|work|years"
    r"|you"
)
"""Words beside the two events that only ask."""
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Told:
    """Two events as they are told, whose time it is, and the words that are `left`, which say neither. Where there is
    no `end`, `start` names several of a kind, or, with `lasted`, what begins and ends."""

    start: str
    end: str
    whom: str
    left: tuple[str, ...]
    lasted: bool = False


def asks_for_time(text: str) -> bool:
    """Whether a question, in lower case, may ask how much time lies between two events."""
    return bool(_ASKED.search(text))


def told(text: str) -> Iterator[Told]:
    """The ways in which two events may be told in such a question, and whose time it is."""
    before = _BEFORE.match(text)
    whom, rest = (before["whom"], text[before.end() :]) if before else ("", text)
    for form in _FORMS:
        match = form.search(rest)
        if match is None:
            continue
        start, end, behind = match["start"], match["end"], ""
        if not whom and (said := _WHOM.search(end)) is not None:
            behind, end = said["whom"], end[: said.start()]
        cut = _CUT.search(end)
        tail, end = (end[cut.start() :], end[: cut.start()]) if cut else ("", end)
        start, end = _both_named(start, end)
        outside = f"{rest[: match.start()]} {tail} {rest[match.end() :]}"
        begun, over = _BEGUN.match(start), _OVER.match(end)
        if begun and over:
            name = begun["name"] or over["name"] or " ".join(_words_left(outside))
            left = _words_left(outside) if begun["name"] or over["name"] else ()
            yield Told(name.strip(), "", whom or behind, left, lasted=True)
            continue
        yield Told(start, end, whom or behind, _words_left(outside))
    several = _SERIES.search(rest)
    if several is not None:
        outside = f"{rest[: several.start()]} {rest[several.end() :]}"
        yield Told(several["many"], "", whom, _words_left(outside))


def _both_named(start: str, end: str) -> tuple[str, str]:
    """ "Between the first and the second stay", "from the start of the first session until that of the last": each with
    its noun."""
    first, last = (_LEADING.sub("", each) for each in (start, end))
    if (alone := _ALONE.match(f"{first} ")) is not None and (named := _NAMED.match(last)) is not None:
        return f"{alone['order'].strip()} {named['name']}", end
    if (alone := _ALONE.match(f"{last} ")) is not None and (named := _NAMED.match(first)) is not None:
        return start, f"{alone['order'].strip()} {named['name']}"
    return start, end


def _words_left(text: str) -> tuple[str, ...]:
    return tuple(word for word in _LETTERS.findall(text) if not _ASKING.fullmatch(word))


def bare(event: str) -> tuple[str, str, str]:
    """An event as it is told, without what stands before its name, and also without what stands behind."""
    words = _ASIDE.sub("", event).strip(" ,:;-.()")
    named = _LEADING.sub("", words)
    return words, named, _TRAILING.sub("", named).strip(" ,")
