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

_RECORDS = r"(?:prescriptions|procedures|cases|diagnoses|tests|operations|surgeries|cultures|transfers)"

_SUMS = r"(?:costs?|prices?|charges?|fees?|expenses?|doses?|amounts?|volumes?)"

_PHRASINGS: tuple[tuple[str, str, str], ...] = (
    (
        "field",
        "route",
        rf"\b(?:in\s+)?(?:(?:what|which)\s+)?(?:{_USUAL}\s+)*{_WAY}\s+(?:{_BETWEEN}\s+){{0,4}}{_TAKE}\b"
        rf"|\b(?:{_USUAL}\s+)*{_TAKE}\s+{_WAY}\b|\b(?:in|by)\s+(?:what|which)\s+(?:{_USUAL}\s+)*{_WAY}"
        rf"(?:\s+(?:can|could|may|might))?(?=\s.*\b{_TAKE}\b)",
    ),
    (
        "field",
        "route",
        r"\bby\s+what\s+means\b"
        r"|\b(?:via|by|through|using|with)\s+(?:the\s+|an?\s+)?[\w/-]+\s+(?P<said>methods?|modes?|means|ways?|form)\b",
    ),
    # What is given or measured has an amount; what only "is" so much is paid for.
    ("field", "cost", rf"\bhow\s+much\s+(?:is|are)\b(?=\s+(?!it\b|that\b|this\b))(?!.*\b{_GIVEN}\b)"),
    (
        "field",
        "cost",
        r"^(?!.*\b(?:(?:days?|hours?|weeks?)\b(?!\s+ago)|time\b|long\b)).*?(?P<said>"
        r"(?:\b(?:typically|usually|generally|normally)\s+)?\bspen(?:d|ds|t|ding)\b)(?=(?:\s+[a-z]+){0,3}\s+(?:on|for)\b)",
    ),
    ("field", "time", r"\b(?:instance|occasion|moment)\s+(?:when|that|(?:at|on|in)\s+which)\b"),
    ("role", "discharge", rf"\b(?:let\s+go|depart(?:s|ed|ing|ure)?|dismissed)\s+(?:from\s+|of\s+)?{_HOSPITAL}"),
    # Cases are records, and doses add up.
    (
        "want",
        "count",
        r"\b(?:how\s+many|number\s+of|count\s+of)\s+cases\b(?=\s+(?:of|involv\w+|where|in\s+which|for)\b)",
    ),
    ("want", "count", rf"\btotal\s+of\b(?=(?:\s+\S+){{0,12}}\s+{_RECORDS}\b)(?!.*\b{_SUMS}\b)"),
    ("want", "amount", r"\b(?:how\s+many|number\s+of)\s+doses\b(?=.*\bprescribed\b)"),
)
_FOUND = tuple((re.compile(pattern), (Meaning(kind, which),)) for kind, which, pattern in _PHRASINGS)


def find_phrasings(lower: str) -> Iterator[Mark]:
    """Marks of kind "phrase", over the group "said" where a pattern has it; of two that overlap the first is meant."""
    for pattern, meanings in _FOUND:
        for match in pattern.finditer(lower):
            said = match.span("said") if match.groupdict().get("said") else match.span()
            yield Mark(*said, "phrase", meanings)
