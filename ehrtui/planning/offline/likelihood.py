"""Which role is likelier for a name of several roles, where the wording does not say."""

from __future__ import annotations

_ORDER = (
    "prescription",
    "lab",
    "measurement",
    "diagnosis",
    "procedure",
    "vital",
    "body",
    "microbiology_test",
    "culture",
    "input",
    "output",
    "allergy",
    "transfer",
)
LIKELY = 5
"""Roles of a rank below this are meant even where nothing says so."""


def rank(role: str) -> int:
    """How likely a role is, 0 the likeliest, where the wording does not say."""
    return _ORDER.index(role) if role in _ORDER else len(_ORDER)
