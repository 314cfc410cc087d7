"""What a question says to the conversation rather than to the database: "sorry, I meant…", "back to A2", "the same
for…", "instead of drugs", "in any year", "the five oldest", "both".

Such words are taken out of the text, blank for letter, so that the rest is read as any other question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, cast

from ehrtui.planning.number_words import NUMBERS, number_of
from ehrtui.planning.offline.words import Text, words_of

_LEAD = re.compile(
    r"""^\W*(?:(?:
        (?:and|but|or|now|ok|okay|so|sorry|oops|pardon|wait|hmm|actually|well|please|instead|again|then|yes|rather)\b
        | no(?=\s*[,.;:!–-]|\s+(?:i|actually|wait|sorry|rather)\b)
        | i\s+(?:meant|mean|wanted|want|was\s+asking\s+(?:for|about))\b(?:\s+to\s+(?:say|ask))?
        | forget\s+(?:it|that|this)\b | never\s*mind\b
        | (?:what|how)\s+about\b | as\s+for\b | (?:do|try|repeat|run)\s+(?:it|that|this|the\s+same)(?:\s+again)?\b
        | (?:the\s+|do\s+the\s+)?same(?:\s+(?:question|thing|again|one))?\b
          (?=\s*(?:but|for|in|with|since|until|during|on|of|\W*$))
        | (?:make|change|limit|restrict|narrow|filter|keep)\s+(?:(?:it|that|this|them|those|these)\b\s*)?(?:down\b\s*)?
          (?:(?:to|for|on|only)\b)?
        | (?:break|split|group)\s+(?:(?:it|that|this|them|those)\b\s*)?(?:down\b|up\b)?
        | (?:repeat|redo|rerun|run)\b(?=\s+a\d) | only\b | just\b | also\b | same\b(?=\s+but\b)
    )[\s,;:.!–-]*)+""",
    re.VERBOSE,
)
_POLITE = ("please", "now", "ok", "okay", "so", "well", "just", "yes", "")
_CONTINUES = re.compile(r"^\W*(?:and|but|or|(?:what|how)\s+about|(?:the\s+)?same|only|instead)\b")
_TAIL = re.compile(
    r"[\s,]*\b(?:instead|again|too|as\s+well|also|please|rather|this\s+time|then|now|left|remaining|remain)\W*$"
)
_JOINED = re.compile(r"^\W*(?:(?:ok|okay|so|now|yes)\W+)*and\s+(?!what\b|how\b|for\b|in\b|of\b)")
_WITH = re.compile(r"^\W*(?:with|on|taking|having|who|had|given|got|prescribed)\b")
_AT_PRESENT = re.compile(r"\b(?:on|taking|in|is|are)\b(?!\s*,)")
"""Words that a "now" at the end goes with: "on heparin now" says when."""
_SINCE_THEN = re.compile(r"\b(?P<relation>since|after|before|until)\s+(?:then|that\s+(?:time|date|day|year|month))\b")
_RETURN = re.compile(
    r"\b(?:let\s+us\s+|let's\s+)?(?:go(?:ing)?\s+back|back|return(?:ing)?)\s+to\b\s*(?=(?:a\d|the\s|that\s|my\s))"
)
_RETURNED = re.compile(
    r"^\W*(?:a\d{1,4}|the\s+\w+\s+(?:question|answer|list|result|query|group))\b\s*(?P<mark>[:,;.-])"
)
_IN_PLACE_OF = re.compile(
    r"\b(?:rather\s+than|instead\s+of|in\s+place\s+of)\s+(?:the\s+)?.+$"
    r"|,\s*(?:and\s+)?not\s+(?:the\s+|a\s+|of\s+)?[^,]+$"
)
_THE_TWO = re.compile(
    r"\b(?:between\s+)?(?:the|these|those|both)\s+(?:last\s+)?two(?:\s+(?:answers|results|values|numbers))?(?=\W*$)"
)
_EXCLUDED = re.compile(r"^\W*(?:exclud(?:e|ing)|remov(?:e|ing)|drop|leav(?:e|ing)\s+out|except(?:\s+for)?|minus|not)\b")
_ANY_TIME = re.compile(
    r"\b(?:in\s+|for\s+|over\s+|at\s+|of\s+)?(?:any|all|every)\s+(?:the\s+)?(?:years?|times?|dates?|periods?|months?)\b"
    r"|\b(?<!has\s)ever(?=\W*$)|\bregardless\s+of\s+(?:the\s+)?(?:year|time|date)\b"
    r"|\bwithout\s+(?:a|the|any)\s+(?:time|date)\s*(?:limit|window)?\b"
)
_ANYONE = re.compile(
    r"\b(?:for\s+|of\s+|in\s+)?(?:everyone|everybody|all\s+(?:the\s+|other\s+)?patients|any\s+patient|overall)\b"
)
_STEP = re.compile(
    r"\b(?:the\s+)?(?:(?P<back>previous|preceding|one\s+before)|(?P<on>next|following|one\s+after))"
    r"(?:\s+(?:one|value|measurement|reading|that|it|this))?\W*$"
)
_PAIR = re.compile(
    r"^\W*(?P<pair>both|either|neither|any)(?:\s+(?:one|of\s+(?:them|these|those|the\s+two|the\s+drugs)))?\W*$"
)
_PAIRED: dict[str, Literal["and", "or", "neither"]] = {
    "both": "and", "either": "or", "any": "or", "neither": "neither",
}  # fmt: skip
_FIRST = r"(?:highest|largest|oldest|latest|newest|most\s+recent|lowest|smallest|youngest|earliest)\s+first"
_SORT = re.compile(
    r"\b(?:sort|order|rank|arrange|sorted|ordered|ranked)\b\s*"
    r"(?:(?:it|that|this|them|those|these|the\s+(?:list|rows|patients|results?))\b)?"
    r"(?P<of>\s*\ba\d{1,4}\b)?\s*(?:by\s+(?:their\s+|the\s+)?(?P<by>[a-z]+(?:\s+(?:status|date|type))?))?"
    rf"\s*,?\s*(?:in\s+)?(?P<how>descending|desc|decreasing|ascending|asc|increasing|{_FIRST})?"
    rf"(?:\s+order)?\W*$|^\W*(?:(?:and|ok|please|now|list|show|give\s+me|name|print|who\s+are)\s+)*"
    rf"(?:(?:all\s+)?(?:of\s+)?(?:them|they|those|these|the\s+(?:patients|rest|list)))?(?:\s+all)?\W*(?:the\s+)?"
    rf"(?P<alone>{_FIRST})\W*$"
)
_OF_TIME, _OF_AGE = ("latest", "newest", "most", "earliest"), ("oldest", "youngest")
_OF_VALUE = ("highest", "largest", "lowest", "smallest")
_UP = ("asc", "ascending", "increasing", "lowest first", "smallest first", "youngest first", "earliest first")
_OLDEST = re.compile(
    rf"\b(?:the\s+)?(?:(?P<count>\d{{1,3}}|{'|'.join(NUMBERS)})\s+)?(?P<which>oldest|eldest|youngest)\b"
    rf"(?:\s+(?P<behind>{'|'.join(NUMBERS)}))?(?:\s+(?:ones?|of\s+(?:them|those|these)))?"
)


_REST = re.compile(
    r"^\W*(?:show\s+|list\s+|who\s+are\s+)?(?:me\s+)?(?:all\s+)?the\s+(?:rest|others?|other\s+(?:ones|patients))\W*$"
)


@dataclass(frozen=True)
class Order:
    """An order that is asked for: `by` a field of the patients ("" for what an answer shows), so many of the first."""

    by: str
    descending: bool
    count: int | None = None


@dataclass(frozen=True)
class Heard:
    """A question without its words to the conversation.

    `leans` says that it began as a continuation does; `back` that it names the turn to go back to; `instead` that it
    puts something in the place of what was asked, `also` that it adds to it, `without` that it leaves something out;
    `joined` is "and" for a statement ("and aspirin"), and "with" for one that says whose it is ("and with aspirin");
    `then` that it means the stay of the turn before, and `relation` how it is to its time; `any_time` and `anyone` lift
    a limit; `step` is -1 for "the previous one" and 1 for "the next one"; `pair` joins the last two questions, `two`
    compares their answers; `rest` asks for those of a group whom the last answer left out.
    """

    text: Text
    leans: bool = False
    back: bool = False
    instead: bool = False
    also: bool = False
    joined: Literal["", "and", "with"] = ""
    then: bool = False
    relation: Literal["since", "after", "before", "until"] | None = None
    without: bool = False
    any_time: bool = False
    anyone: bool = False
    step: int = 0
    pair: Literal["and", "or", "neither"] | None = None
    two: bool = False
    rest: bool = False
    order: Order | None = None


def hear(text: Text) -> Heard:
    """What is said to the conversation, and the rest of the text."""
    heard = Heard(text)
    if match := _RETURN.search(heard.text.lower):
        heard = replace(_without(heard, *match.span()), back=True, leans=True)
        if named := _RETURNED.match(heard.text.lower):
            heard = _without(heard, *named.span("mark"))
            rest = heard.text.lower[named.end() :]
            if lead := _LEAD.match(rest):
                heard = _without(heard, named.end(), named.end() + lead.end())
    if match := _LEAD.match(heard.text.lower):
        said = match[0].split()
        leans = heard.leans or any(word.strip(" ,.;:!-–") not in _POLITE for word in said)
        joined = _joined(heard.text.lower, match)
        heard = replace(_without(heard, *match.span()), leans=leans, also="also" in said, joined=joined)
    if match := _REST.match(heard.text.lower):
        return replace(_without(heard, *match.span()), rest=True, leans=True)
    if match := _EXCLUDED.match(heard.text.lower):
        heard = replace(_without(heard, *match.span()), without=True, leans=True)
    if match := _PAIR.match(heard.text.lower):
        return replace(_without(heard, *match.span()), pair=_PAIRED[match["pair"]], leans=True)
    if match := _THE_TWO.search(heard.text.lower):
        heard = replace(_without(heard, *match.span()), two=True)
    if match := _SINCE_THEN.search(heard.text.lower):
        relation = cast(Literal["since", "after", "before", "until"], match["relation"])
        heard = replace(_without(heard, *match.span()), relation=relation)
    match = _TAIL.search(heard.text.lower)
    if match and not (match[0].strip(" ,?.!") == "now" and _AT_PRESENT.search(heard.text.lower[: match.start()])):
        last = match[0].strip(" ,?.!")
        then = last == "then" and bool(heard.text.lower[: match.start()].strip(" ,"))
        heard = replace(
            _without(heard, *match.span()),
            leans=heard.leans or last in ("instead", "again", "rather", "this time"),
            instead=last in ("instead", "rather"),
            also=heard.also or last in ("too", "as well", "also"),
            then=then,
        )
    if (match := _IN_PLACE_OF.search(heard.text.lower)) and heard.text.lower[: match.start()].strip(" ,"):
        heard = replace(_without(heard, *match.span()), leans=True, instead=True)
    return _limits(heard)


def _joined(lower: str, lead: re.Match[str]) -> Literal["", "and", "with"]:
    """Whether what is said is put beside what was asked; "and aspirin?" asks the same of something else."""
    if not _JOINED.match(lower):
        return ""
    if _WITH.match(lower[lead.end() :]):
        return "with"
    return "" if lower.rstrip().endswith("?") else "and"


def continues(text: Text) -> bool:
    """True for a text that begins as no first question does."""
    return bool(_CONTINUES.match(text.lower))


def _limits(heard: Heard) -> Heard:
    if match := _ANY_TIME.search(heard.text.lower):
        heard = replace(_without(heard, *match.span()), any_time=True)
    if (match := _ANYONE.search(heard.text.lower)) and not heard.text.lower.replace(match[0], "").strip(" ?.!,"):
        heard = replace(_without(heard, *match.span()), anyone=True)
    if (match := _STEP.search(heard.text.lower)) and not heard.text.lower[: match.start()].strip(" ,"):
        heard = replace(_without(heard, *match.span()), step=-1 if match["back"] else 1)
    if match := _SORT.search(heard.text.lower):
        start, end = match.span()
        how = match["how"] or match["alone"] or ""
        kinds = {"time": _OF_TIME, "age": _OF_AGE, "value": _OF_VALUE}
        by = match["by"] or next((kind for kind, words in kinds.items() if how.startswith(words)), "")
        order = Order(by, bool(how) and how not in _UP)
        named = match.span("of")
        heard = replace(heard, order=order)
        for span in ((start, named[0]), (named[1], end)) if match["of"] else ((start, end),):
            heard = _without(heard, *span)
    elif match := _OLDEST.search(heard.text.lower):
        single = 1 if not re.search(r"\bones\b", match[0]) else None
        said = match["count"] or match["behind"]
        count = number_of(said) if said else single
        order = Order("age", match["which"] != "youngest", count)
        heard = replace(_without(heard, *match.span()), order=order)
    return heard


def _without(heard: Heard, start: int, end: int) -> Heard:
    lower = heard.text.lower
    blank = lower[:start] + " " * (end - start) + lower[end:]
    return replace(heard, text=Text(heard.text.typed, blank, words_of(blank)))
