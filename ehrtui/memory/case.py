"""A case of the long-term memory: a question with what was right for it, both with slots in place of values.

EHRAgent (EMNLP 2024, §3.3) keeps its past successes as they were; ehrtui keeps only their form. A slot is written
`<drug>`, `<drug 2>`, or `<time: since year>` where only a time of that shape fits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

SLOT = re.compile(r"<(?P<kind>[a-z][a-z_ ]*?)(?: (?P<nth>\d+))?(?:: (?P<shape>[a-z0-9 ]+))?>")
NAMED = "name"
"""What a slot is called where it does not matter which kind of name stands in it."""
APPROVED, IMPORTED = "approved in ", "imported from "
"""How the source of a case begins."""
OF_THEIR_OWN = frozenset(
    {"patient", "time", "age", "limit", "top", "times", "years", "within", "number", "stay", "nth"}
)
"""The kinds of slots that are no stored name."""


@dataclass(frozen=True)
class Meaning:
    """One thing that a slot's words may mean: a `kind` ("drug", "patient", "time"…), how query logic spells it, and how
    SQL does: None where it has no one spelling there, "" where the `shape` says all ("last year"). `role` is that of
    a stored name, "" of anything else."""

    kind: str
    logic: str
    sql: str | None = None
    shape: str = ""
    role: str = ""


@dataclass(frozen=True)
class Slot:
    """A stretch [start, end) of a question that a case leaves open, and what it may mean, likeliest first."""

    start: int
    end: int
    meanings: tuple[Meaning, ...]

    @property
    def sort(self) -> str:
        """The kind, or `NAMED` for a stored name, of whatever kind."""
        kind = self.meanings[0].kind
        return kind if kind in OF_THEIR_OWN else NAMED

    @property
    def is_plain(self) -> bool:
        """False for what is as well left as words: "the last", "on the first hospital visit"."""
        return self.meanings[0].kind not in ("nth", "stay")


@dataclass(frozen=True)
class Case:
    """A masked question with masked query logic, or, where there is none, with masked SQL ("" stands for none)."""

    question: str
    logic: str = ""
    sql: str = ""


@dataclass(frozen=True)
class Source:
    """Where a case is from: "approved in session X" or "imported from FILE", on a `day` (YYYY-MM-DD), there with
    `questions` that have its form; `place` counts all sources of a store in the order in which they came."""

    text: str
    day: str
    questions: int = 1
    place: int = field(default=0, compare=False)

    @property
    def approved(self) -> bool:
        """True where a person said that it is right."""
        return self.text.startswith(APPROVED)


@dataclass(frozen=True)
class KeptCase:
    """A case in the store, of the schema family `family` (a profile's name)."""

    number: int
    family: str
    case: Case
    sources: tuple[Source, ...]

    @property
    def support(self) -> int:
        """How many questions it was found right for."""
        return sum(source.questions for source in self.sources)

    @property
    def approved(self) -> tuple[str, int]:
        """When a person last approved it, as something to compare; ("", 0) where nobody did."""
        return max(((source.day, source.place) for source in self.sources if source.approved), default=("", 0))


def plain(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The slots without those that may as well be left as words."""
    return tuple(slot for slot in slots if slot.is_plain)


def coarse(question: str) -> str:
    """A masked question with slots by their sort alone: what two questions of one form have in common."""
    return SLOT.sub(lambda slot: f"<{slot['kind'] if slot['kind'] in OF_THEIR_OWN else NAMED}>", question)
