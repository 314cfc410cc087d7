"""What is asked beside something that is named: "what was he on besides vancomycin?", "apart from CHF, which diagnoses
did she have?", read as the things of a kind that are named apart ("which drugs other than vancomycin…")."""

from __future__ import annotations

import re

from ehrtui.planning.offline.shorthand import MOST_LETTERS, Spelling

_BUT = r"(?:besides|beside|other\s+than|apart\s+from|aside\s+from|except(?:\s+for)?|in\s+addition\s+to|not\s+counting)"
_CLASS = (
    r"antibiotic|abx|opioid|opiate|pressor|vasopressor|diuretic|steroid|anticoagulant|insulin|benzo|benzodiazepine"
    r"|antifungal|antiviral|antidepressant|antipsychotic|sedative|statin|painkiller|antihypertensive|nsaid"
)
_KINDS = (
    rf"(?:[\w-]+\s+)?(?:drug|med|medication|medicine|pill|{_CLASS}|organism|bug|germ|pathogen|lab|test|lab\s+test|condition"
    r"|problem|comorbidity|comorbiditie|illness|illnesse|disease|procedure|operation|surgery|surgerie|allergy|allergie"
    r"|diagnosi|diagnose)s?"
)
_DOES = r"(?:did|does|do|was|were|is|are|has|have|had)"
_NAMED = r"[^,;?.]{2,60}?"
_AT_LAST = re.compile(
    rf"^\W*(?:(?:and|so|ok)\W+)*(?:which|what)\s+(?:(?:other|else)\s+)?(?P<kind>{_KINDS})\s+(?P<said>(?P<rest>{_DOES}\b[^,;?.]*?)"
    rf"\s*,?\s+{_BUT}\s+(?P<named>{_NAMED}))(?=\W*$)",
    re.IGNORECASE,
)
"""What is left out stands at the end: "which antibiotics was he on besides vancomycin"."""
_OTHER_THAN = re.compile(
    rf"\b(?P<said>(?:any\s+)?(?:other|further|more)\s+(?P<kind>{_KINDS})\s+(?:than|{_BUT}))\s+(?=\w)", re.IGNORECASE
)
"""The kind stands within: "other drugs than vancomycin"."""
_BESIDES = re.compile(
    rf"\b(?P<kind>{_KINDS})\s+(?P<said>besides|aside\s+from|in\s+addition\s+to)\s+(?=\w)", re.IGNORECASE
)
_AT_FIRST = re.compile(
    rf"^\W*(?:(?:and|so|ok)\W+)*(?P<said>{_BUT}\s+(?P<named>{_NAMED})\s*,?\s+(?:which|what)\s+(?:(?:other|else)\s+)?(?P<kind>{_KINDS}))"
    rf"(?=\s+{_DOES}\b)",
    re.IGNORECASE,
)
"""What is left out opens the question: "apart from CHF, which diagnoses did she have?"."""
_WHAT = rf"what\s+(?:else\s+)?(?P<rest>{_DOES}\b[^,;?.]*?)"
_KIND_UNSAID = re.compile(
    rf"^\W*(?:(?:and|so|ok)\W+)*(?P<said>{_WHAT}\s*,?\s+{_BUT}\s+(?P<named>{_NAMED}))(?=\W*$)", re.IGNORECASE
)
_UNSAID_AT_FIRST = re.compile(
    rf"^\W*(?:(?:and|so|ok)\W+)*(?P<said>{_BUT}\s+(?P<named>{_NAMED})\s*,?\s+{_WHAT})(?=\W*$)", re.IGNORECASE
)
_DONE = (
    (re.compile(r"\b(?:gr[eo]w\w*|isolated?|cultured?)\b", re.IGNORECASE), "organisms"),
    (re.compile(r"\b(?:on|given|prescribed|receiv\w+|tak\w+|took|get|got|administered)\b", re.IGNORECASE), "drugs"),
    (re.compile(r"\b(?:diagnosed|suffer\w*|have|had|coded)\b", re.IGNORECASE), "diagnoses"),
    (re.compile(r"\b(?:allergic)\b", re.IGNORECASE), "allergies"),
)
"""What somebody did, and the kind of things that he did it with."""


def other_than(question: str) -> list[Spelling]:
    """What to read in place of words that name what is left out of a kind of things, in reading order; none in a text
    that is longer than any question."""
    if len(question) > MOST_LETTERS:
        return []
    if (found := _AT_LAST.search(question)) is not None:
        return [_read(found, f"other than {found['named']} {found['rest']}")]
    if (found := _AT_FIRST.search(question)) is not None:
        return [_read(found, f"which {found['kind']} other than {found['named']}")]
    if (found := _KIND_UNSAID.search(question) or _UNSAID_AT_FIRST.search(question)) is not None:
        kind = next((kind for done, kind in _DONE if done.search(found["rest"])), None)
        return [_read(found, f"which {kind} other than {found['named']} {found['rest']}")] if kind else []
    return [
        *(_read(found, f"{found['kind']} other than") for found in _OTHER_THAN.finditer(question)),
        *(_read(found, "other than") for found in _BESIDES.finditer(question)),
    ]


def _read(found: re.Match[str], text: str) -> Spelling:
    return Spelling(*found.span("said"), text)
