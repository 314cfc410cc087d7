"""Doubts: the named reasons for which an answer may be wrong.

A planner finds those of the question, the conversation those of the result; an estimator says what each costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Kind: TypeAlias = Literal[
    "unexplained",
    "unused",
    "inexact",
    "uncued",
    "rival",
    "continued",
    "guessed",
    "empty",
    "missing",
    "zero",
    "unsteady",
    "unjudged",
    "disputed",
    "price",
    "loose",
    "apart",
    "idle",
    "near",
    "unlike",
    "free",
    "long",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
FREE: tuple[Kind, ...] = KINDS[KINDS.index("price") :]
"""What is doubted of questions in people's own words alone."""

_SENTENCES: dict[Kind, str] = {
    "unexplained": "“{}” has no counterpart in this database",
    "unused": "“{}” changed nothing in the reading",
    "inexact": "“{}” is not written as it is stored",
    "uncued": "nothing says what kind of record “{}” is",
    "rival": "it can also be read as: {}",
    "continued": "it was completed from {}",
    "guessed": "how the tables are to be read was guessed from their names",
    "empty": "nothing was found: there are no rows",
    "missing": "the only value found is missing (NULL)",
    "zero": "nothing was found: the count is 0",
    "unsteady": "the language model is not certain of a step",
    "unjudged": "the language model doubts its answer",
    "disputed": "{} gives other rows",
    "price": "the words of the question do not all fit this reading",
    "loose": "a name was found by its parts",
    "apart": "what stands apart was put together",
    "idle": "a part of the question changed nothing",
    "near": "it can also be read as: {}",
    "unlike": "read word by word it asks: {}",
    "free": "it was put together from single words",
    "long": "it says much at once",
}


@dataclass(frozen=True)
class Doubt:
    """One reason for doubt. `amount` > 0 says how much of it there is (how many words, how far a name is from what is
    stored, 1 where it is there or not); `about` what it is about, in words of the question or of ehrtui."""

    kind: Kind
    amount: float = 1.0
    about: str = ""

    @property
    def sentence(self) -> str:
        """The doubt in a clinician's words."""
        return _SENTENCES[self.kind].format(self.about)
