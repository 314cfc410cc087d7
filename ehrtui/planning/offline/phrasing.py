"""Ways of naming a field or a kind of record that are no fixed phrase: "in what ways can it be taken", "how much is
it", "were let go from the hospital"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ehrtui.planning.offline.lexicon import Meaning
from ehrtui.planning.offline.words import Mark

_WAY = r"(?:ways?|methods?|modes?|means|manners?|routes?)"
_TAKE = (
    r"(?:tak(?:e|es|en|ing)|ingest(?:s|ed|ing|ion)?|consum(?:e|es|ed|ing|ption)|intake"
    r"|administ(?:er|ers|ered|ering|ration)|giv(?:e|en|ing)|swallow(?:ed|ing)?|deliver(?:ed|ing|y)?)"
)
_USUAL = r"(?:standard|common|usual|typical|normal|different|various|possible|available|accepted)"
_BETWEEN = r"(?:are|is|were|was|that|which|can|may|be|used|for|to|of|in|how|one)"
_GIVEN = (
    r"(?:given|received?|receives|got|gets|prescribed|administered|infused|taken|put\s+out|excreted|produced|measured"
    r"|drained|lost|doses?|dosage|patients?|left|weigh\w*|change\w*|difference|higher|lower|more|less)"
)
_HOSPITAL = r"(?:the\s+|a\s+|an\s+|their\s+|our\s+)?(?:hospitals?|care)\b"

_PHRASINGS = (
    (
        "route",
        rf"\b(?:in\s+)?(?:(?:what|which)\s+)?(?:{_USUAL}\s+)*{_WAY}\s+(?:{_BETWEEN}\s+){{0,4}}{_TAKE}\b"
        rf"|\b(?:{_USUAL}\s+)*{_TAKE}\s+{_WAY}\b|\b(?:in|by)\s+(?:what|which)\s+(?:{_USUAL}\s+)*{_WAY}"
        rf"(?:\s+(?:can|could|may|might))?(?=\s.*\b{_TAKE}\b)",
    ),
    # What is given or measured has an amount; what only "is" so much is paid for.
    ("cost", rf"\bhow\s+much\s+(?:is|are)\b(?=\s+(?!it\b|that\b|this\b))(?!.*\b{_GIVEN}\b)"),
    (
        "cost",
        r"(?:\b(?:typically|usually|generally|normally)\s+)?"
        r"\bspen(?:d|ds|t|ding)\b(?!.*\b(?:days?|hours?|weeks?|time)\b)(?=(?:\s+[a-z]+){0,3}\s+(?:on|for)\b)",
    ),
    ("route", r"(?<=\bby\s)what\s+means\b|(?<!what\s)\bmeans\b(?=\s+(?:of|in|on|at|during|since|for)\b|\W*$)"),
    ("discharge", rf"\b(?:let\s+go|depart(?:s|ed|ing|ure)?|dismissed)\s+(?:from\s+|of\s+)?{_HOSPITAL}"),
)
_FOUND = tuple(
    (re.compile(pattern), (Meaning("role" if which == "discharge" else "field", which),))
    for which, pattern in _PHRASINGS
)


def find_phrasings(lower: str) -> Iterator[Mark]:
    """Marks of kind "phrase"; they do not overlap where one names the same thing."""
    for pattern, meanings in _FOUND:
        for match in pattern.finditer(lower):
            yield Mark(*match.span(), "phrase", meanings)
