"""Codes as some databases keep them, without a point, in parentheses behind what they mean: "severe sepsis (99592)"."""

from __future__ import annotations

import re
from collections.abc import Callable

from ehrtui.planning.offline.shorthand import Spelling

_IN_PARENTHESES = re.compile(
    r"\b(?!(?:patient|patients|pt|pts|person|subject|stay|stays|admission|admissions|visit|id|ids|no|number|mrn"
    r"|case|year|since|in|hadm_id|subject_id|itemid|item)\b)[a-z]+\s*\(\s*(?P<code>[ve]?\d{4,5})\s*\)"
)
_YEAR = re.compile(r"(?:1[89]|2[0-2])\d\d")


def bare_codes(
    lower: str, is_patient: Callable[[int], bool], kinds: Callable[[str], tuple[str, ...]]
) -> list[Spelling]:
    """Such numbers in a question in lower case that are those of no patient, no stay and no year, each spelled out as
    a code."""
    found = []
    for said in _IN_PARENTHESES.finditer(lower):
        code = said["code"]
        named = code.isdigit() and (is_patient(int(code)) or kinds(code))
        if not named and not _YEAR.fullmatch(code):
            found.append(Spelling(*said.span("code"), f"code {code}"))
    return found
