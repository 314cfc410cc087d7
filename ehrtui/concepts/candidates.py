"""What a stretch of a question may mean: candidates, and the mentions that have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ehrtui.logic.algebra.model import Item

How: TypeAlias = Literal[
    "exact",
    "inflected",
    "inverted",
    "part",
    "abbreviation",
    "brand",
    "lay",
    "code",
    "family",
    "product",
    "verb",
    "misspelt",
    "concept",
]
"""How a candidate was found: the words of a stored name ("exact"), in another number or spelling ("inflected"), in
another order ("inverted") or some of them ("part"); what an abbreviation, a brand or a lay word stands for; a clinical
code; all stored names with these words ("family"), of a drug its products ("product"); the verb of a procedure; what
the words were misspelt from; a concept of the library."""


@dataclass(frozen=True)
class Candidate:
    """One thing that was meant, in this database: records of `role` about `items`, or where a `field` is given, whose
    field has one of the stored `values`. `score` (0-1] compares candidates; `label` is what the screen says; `rows` is
    the number of records, 0 where there are none or it is not known. It was found `through` other words than those that
    were typed, "" where by these."""

    role: str
    items: tuple[Item, ...]
    field: str = ""
    values: tuple[str, ...] = ()
    how: How = "exact"
    score: float = 1.0
    label: str = ""
    rows: int = 0
    through: str = ""


@dataclass(frozen=True)
class Mention:
    """The letters [start, end) of a question, and what they may mean, the best first."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
