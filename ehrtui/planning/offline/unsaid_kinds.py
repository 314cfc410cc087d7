"""Kinds of records that a question does not name, and its verb tells: what somebody "was on" is drugs, what he "had
done" procedures; "something for pain" is a painkiller."""

from __future__ import annotations

import re

from ehrtui.planning.offline.shorthand import MOST_LETTERS, Spelling

_OPENING = r"^(?!.*\bas\s+(?:their|his|her|the|an?)\s)\W*(?:(?:and|so|ok|but)\W+)*"
_WHO = (
    r"(?:(?:the\s+)?(?:patient|pt)(?:\s+[\w-]*\d[\w-]*)?|(?:he|she|they)|(?:this|that)\s+(?:patient|pt|man|woman|lady|person)"
    r"|[\w-]*\d[\w-]*)"
)
_THEN = (
    r"(?=\s*[?.!]*\s*$|\s+(?:on|in|at|during|before|after|since|from|within|while|when|yesterday|today|tonight|now|last|this"
    r"|that|overnight|currently|first|right)\b)"
)
_AT_LAST = r"(?=\s*[?.!]*\s*$)"
_KINDS = (
    (
        r"(?:was|is|were|are)\s+{who}\s+(?:(?:still|currently|being)\s+)?(?:on|given|taking|receiving|getting)\b{then}",
        "which drugs",
    ),
    (r"(?:did|does|do)\s+{who}\s+(?:take|receive|get)\b{then}", "which drugs"),
    (
        r"(?:has|had|have)\s+{who}\s+(?:been\s+(?:on|given|taking|receiving|getting)|taken|received|gotten)\b{then}",
        "which drugs",
    ),
    (
        r"(?:did|does|has|had|have)\s+{who}\s+(?:have\s+|had\s+)?(?:done|undergo|undergone)\b(?:\s+to\s+(?:him|her|them))?{then}",
        "which procedures",
    ),
    (r"(?:did|does|do)\s+{who}\s+(?:have|suffer\s+from)\b{last}", "which diagnoses"),
)
_WHAT = tuple(
    (
        re.compile(
            rf"{_OPENING}(?P<said>what(?:\s+all)?)\s+{asked.format(who=_WHO, then=_THEN, last=_AT_LAST)}",
            re.IGNORECASE,
        ),
        kind,
    )
    for asked, kind in _KINDS
)
"""What is asked for by its verb alone: "what was patient 7 on?"."""
_FAMILIES = {
    **dict.fromkeys(("pain", "the pain", "his pain", "her pain", "their pain"), "painkillers"),
    **dict.fromkeys(("nausea", "vomiting", "nausea and vomiting", "nausea or vomiting"), "antiemetics"),
    **dict.fromkeys(("constipation",), "laxatives"),
    **dict.fromkeys(("sleep", "insomnia"), "sleeping pills"),
    **dict.fromkeys(("high blood pressure", "hypertension"), "antihypertensives"),
    **dict.fromkeys(("infection", "an infection", "the infection"), "antibiotics"),
}
_FOR = re.compile(
    rf"\b(?P<said>(?:anything|something|any(?:\s+of\s+the)?\s+(?:drugs?|meds?|medications?|medicines?)|drugs?|meds?|medications?|a\s+drug)"
    rf"\s+for\s+(?P<what>{'|'.join(sorted(_FAMILIES, key=len, reverse=True))}))\b",
    re.IGNORECASE,
)
"""A family of drugs, told by what it is for."""


def unsaid_kinds(question: str) -> list[Spelling]:
    """What to read in place of words that tell a kind of records by its verb, or by what it is for; nothing in a text
    that is longer than any question."""
    if len(question) > MOST_LETTERS:
        return []
    found = [
        Spelling(*said.span("said"), kind) for asked, kind in _WHAT if (said := asked.search(question)) is not None
    ][:1]
    return found + [
        Spelling(*said.span("said"), _FAMILIES[" ".join(said["what"].lower().split())])
        for said in _FOR.finditer(question)
    ]
