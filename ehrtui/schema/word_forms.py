"""Words in one form: singular, in American spelling."""

from __future__ import annotations

import re
from functools import lru_cache

_SPELLED = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"aem(?=[aior])", "em"),
        (r"^oed(?=e)", "ed"),
        (r"^oes(?=[ot])", "es"),
        (r"rrhoe", "rrhe"),
        (r"tumour", "tumor"),
        (r"^paed", "ped"),
        (r"^gynaec", "gynec"),
        (r"^anaes", "anes"),
        (r"^sulph", "sulf"),
        (r"fibre", "fiber"),
        (r"litre$", "liter"),
        (r"isation$", "ization"),
        (r"^caes", "ces"),
        (r"^orthopaed", "orthoped"),
    )
)
_ALWAYS = ("ss", "us", "is", "as", "os")
"""What singulars end in."""
_SHORTEST = 4
"""Letters: shorter words are mostly abbreviations."""


@lru_cache(4000)
def stem(word: str) -> str:
    """A word in lower case without its plural, in American spelling."""
    if not word.isalpha():
        return word
    for pattern, plain in _SPELLED:
        word = pattern.sub(plain, word)
    if len(word) < _SHORTEST or not word.endswith("s") or word.endswith(_ALWAYS):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]
