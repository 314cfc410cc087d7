"""What the words of a question were taken for: stored names that are mentioned, and words that are paid for."""

from __future__ import annotations

from dataclasses import dataclass

from ehrtui.concepts.candidates import Candidate
from ehrtui.schema.value_index import Stored

BY_USER = "chosen by you"


@dataclass(frozen=True)
class LinkedMention:
    """The letters [start, end) of a question, its `text`, which name something of `role`. They are `taken` for one
    candidate, but for the stored names `without`; `others` are what else they may mean, the best first. `chosen` says
    who chose that, "" where the planner did."""

    start: int
    end: int
    text: str
    role: str
    taken: Candidate
    others: tuple[Candidate, ...] = ()
    without: tuple[str, ...] = ()
    chosen: str = ""

    @property
    def said(self) -> str:
        """The words, whatever their case."""
        return " ".join(self.text.lower().split())


@dataclass(frozen=True)
class PaidWord:
    """The letters [start, end) of a question, its `text`, that the reading leaves out, and what that costs it (None
    where nobody counted); `why` says it in a sentence."""

    start: int
    end: int
    text: str
    price: float | None = None
    why: str = ""


@dataclass(frozen=True)
class Choice:
    """The words `said`, which a reading takes for something of `role`, mean `meaning`, but for the stored names
    `without`. `source` says who chose that."""

    said: str
    role: str
    meaning: Candidate
    without: tuple[str, ...] = ()
    source: str = BY_USER


def mention_of(mentions: tuple[LinkedMention, ...], choice: Choice) -> LinkedMention | None:
    """The mention that a choice is about: by its words, and where several have them by its role."""
    same = [one for one in mentions if one.said == choice.said]
    return next((one for one in same if one.role == choice.role), same[0] if len(same) == 1 else None)


@dataclass(frozen=True)
class Members:
    """What a meaning holds here: the `stored` names with their codes, those of most records first; and the SELECTs that
    count its records and patients, `of_each` of these names (name, records, patients) and `of_all` of them (records,
    patients). `limited` says that not all records of these names count: a concept may have a limit of its own."""

    stored: tuple[Stored, ...]
    of_each: str
    of_all: str
    limited: bool = False
