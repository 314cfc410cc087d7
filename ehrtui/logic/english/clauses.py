"""What a condition says of a row, and what every part of a sentence needs to know of where it stands.

`clause` and `noun` are filled by the modules that know conditions and measures; each may need the other, and sets both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Literal, TypeAlias

from ehrtui.logic.algebra.model import PATIENT, UNITS, Value
from ehrtui.logic.english.words import listed
from ehrtui.schema.profile import Profile

Form: TypeAlias = Literal["adjective", "limit", "owner", "had", "moment", "whose", "verb"]
"""How a clause stands to its noun: before it ("female"), behind it ("above 6"; then of which patient it is, what it
has, when it was, and of what kind of patients), or as a verb in the past ("died in hospital")."""
ORDER: tuple[Form, ...] = ("adjective", "limit", "owner", "had", "moment", "whose", "verb")


@dataclass(frozen=True)
class Clause:
    """What a condition says of rows, in the plural; of a "had" what they have, with its article. `negative` says that
    it tells what they do not have, `several` that it is several clauses in one."""

    form: Form
    text: str
    negative: bool = False
    several: bool = False

    @property
    def verb(self) -> str:
        """The clause as what they did: "had a potassium above 6", "were female"."""
        if self.form == "verb":
            return self.text
        return f"{'had' if self.form == 'had' else 'were'} {self.text}"


@dataclass(frozen=True)
class At:
    """Where a part of a sentence stands: `unit` is that of the row that it is about ("" for a whole sentence), `owner`
    the patient or stay of the sentence that this row belongs to, if it does."""

    profile: Profile
    unit: str = ""
    owner: str = ""

    def about(self, unit: str) -> At:
        """The same for what is said of a row of another unit."""
        return At(self.profile, unit, self._whoever)

    @property
    def _whoever(self) -> str:
        return self.unit if self.unit in UNITS else self.owner or self.unit

    @property
    def inside(self) -> bool:
        """True where a first stay is the first one of somebody in the sentence."""
        return self._whoever != ""

    @property
    def whose(self) -> str:
        """What stands before something that each row has one of."""
        return "their" if self._whoever == PATIENT else "the"


@singledispatch
def clause(condition: object, at: At) -> Clause:
    """What a condition says of rows of the unit."""
    raise TypeError(f"{type(condition).__name__} is no condition of query logic")


@singledispatch
def noun(measure: object, at: At) -> str:
    """A measure of rows of the unit without an article: "number of diagnoses", "last creatinine"."""
    raise TypeError(f"{type(measure).__name__} is no measure of query logic")


def joined(parts: Sequence[Clause], word: Literal["and", "or"]) -> Clause:
    """Several clauses as one: "either above 6 or below 3", "both had … and were …"."""
    if len(parts) == 1:
        return parts[0]
    forms = {part.form for part in parts}
    negative = all(part.negative for part in parts)
    verb = len(forms) > 1 or "verb" in forms
    text = chained([(part.verb if verb else part.text, part.several) for part in parts], word)
    both = "either " if word == "or" else "both " if len(parts) == 2 else ""
    return Clause("verb" if verb else parts[0].form, f"{both}{text}", negative, several=True)


def chained(parts: Sequence[tuple[str, bool]], word: Literal["and", "or"]) -> str:
    """Parts one after the other, those that are several in themselves at the end and behind a comma, so that their own
    "and" or "or" does not reach any further."""
    plain = [text for text, several in parts if not several]
    nested = [text for text, several in parts if several]
    said = [listed(plain, word)] if plain else []
    return f", {word} ".join([*said, *nested])


def verbs(clauses: Sequence[Clause], *, one: bool = False) -> str:
    """What they did, one after the other, with "had" said once where that cannot be misread."""
    said: list[tuple[str, bool]] = []
    short = False
    for each in sorted(clauses, key=lambda clause: clause.several):
        text = singular(each.verb) if one else each.verb
        plain = each.form == "had" and " and " not in text and not each.several
        said.append((text.removeprefix("had ") if short and plain else text, each.several))
        short = plain
    return chained(said, "and")


def singular(verb: str) -> str:
    """What one did, of what several did: "was given", "has ended"."""
    for many, one in (("were ", "was "), ("have ", "has "), ("belong ", "belongs "), ("do ", "does ")):
        if verb.startswith(many):
            return one + verb[len(many) :]
    for both in ("either ", "both "):
        if verb.startswith(both):
            return both + singular(verb[len(both) :])
    return verb


def the(measure: object, at: At) -> str:
    """A measure with its article; a plain number or text without."""
    said = noun(measure, at)
    return said if isinstance(measure, Value) or said[0].isdigit() else f"the {said}".removeprefix("the answer to ")
