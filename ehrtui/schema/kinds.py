"""What is true of kinds of records whatever the schema, read from `kinds.toml`: which are measured, given, stays…"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

_FILE = Path(__file__).with_name("kinds.toml")

PATIENT, DISCHARGE, DEATH, COST = "patient", "discharge", "death", "cost"
"""The roles with a meaning of their own in query logic, beside those of stays."""
ADMISSION, ICU_STAY, TRANSFER = "admission", "icu_stay", "transfer"

HOSPITAL_NUMBER = "hospital number"
"""The attribute of patients that is another number of theirs than that by which records know them."""
LEFT_DEAD = ("dead/expired", "died", "dead", "death", "expired", "deceased", "died in hospital")
"""What is kept, in lower case, as the place to which those who died were discharged, or as how their stay ended."""


@dataclass(frozen=True)
class Kind:
    """A kind of records; `kinds.toml` says what each attribute means. `rank` is how likely a name is of this kind, 0
    for the likeliest; `noun` is never empty."""

    noun: str
    rank: int
    likely: bool = False
    measured: bool = False
    flow: Literal["in", "out", ""] = ""
    dosed: bool = False
    found: bool = False
    loose: bool = False
    itemised: bool = False
    lasting: bool = False
    place: bool = False
    disease: bool = False
    grown: bool = False
    microbial: bool = False
    coded: bool = False
    manners: tuple[str, ...] = ()
    stay: Literal["hospital", "icu", ""] = ""
    of_stays: bool = False
    dated: bool = False
    grouped: int = 0
    implied: int = 0
    towards: str = ""
    slot: str = ""

    @property
    def in_words(self) -> str:
        """One such record, with its article: "an ICU stay"."""
        return f"{'an' if self.noun[0].lower() in 'aeiou' else 'a'} {self.noun}"

    @property
    def first_words(self) -> str:
        """The same at the beginning of a sentence: "An ICU stay"."""
        return self.in_words[0].upper() + self.in_words[1:]

    @property
    def limited(self) -> bool:
        """True where a limit ("over 70") may be one of its values."""
        return self.measured or self.flow != ""


@cache
def kinds() -> Mapping[str, Kind]:
    """The kinds by the names of their roles, the likeliest first; read once."""
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        name: Kind(**{"noun": _plain(name), "rank": rank, **told, "manners": tuple(told.get("manners", ()))})
        for rank, (name, told) in enumerate(data.items())
    }


@cache
def kind_of(role: str) -> Kind:
    """The kind of a role's records."""
    return kinds().get(role) or Kind(_plain(role), len(kinds()))


@cache
def stays() -> Mapping[str, Literal["hospital", "icu"]]:
    """The roles whose records are stays, and of which kind these are."""
    return {name: kind.stay for name, kind in kinds().items() if kind.stay}


@cache
def role_of_stays(stay: Literal["hospital", "icu"]) -> str:
    """The role whose records are stays of a kind."""
    return next(name for name, kind in stays().items() if kind == stay)


@cache
def grouping_roles() -> tuple[str, ...]:
    """The roles whose fields numbers of patients are taken by, in the order in which a field is looked for."""
    return tuple(
        sorted((name for name, kind in kinds().items() if kind.grouped), key=lambda name: kinds()[name].grouped)
    )


@cache
def implied_roles() -> tuple[str, ...]:
    """The roles that a field asked of no records may belong to, in the order in which it is looked for."""
    return tuple(
        sorted((name for name, kind in kinds().items() if kind.implied), key=lambda name: kinds()[name].implied)
    )


def _plain(name: str) -> str:
    return name.replace("_", " ")
