"""Placeholders: what stands for a private value in everything that a language model reads, and the way back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from ehrtui.errors import PlaceholderError

Kind: TypeAlias = Literal["PATIENT", "STAY", "DATE", "NUMBER", "TEXT"]
PLACEHOLDER = re.compile(rf"<(?:{'|'.join(get_args(Kind))})_\d{{1,6}}>")


@dataclass(frozen=True)
class Placeholder:
    """`name` ("<PATIENT_1>") stands for `said`, as the user wrote it; in a query it stands for `value`. `shape` says in
    words how the value is written ("a day, YYYY-MM-DD"): all that a language model is told of it."""

    name: str
    said: str
    value: str
    shape: str

    @property
    def is_number(self) -> bool:
        """True where the value is a number, which a query spells without quotes."""
        return re.fullmatch(r"\d+(?:\.\d+)?", self.value, re.ASCII) is not None


class Placeholders:
    """The placeholders of one conversation: a value always has the same one, in a question, in logic and in SQL, and
    they live in memory alone."""

    def __init__(self) -> None:
        self._by_value: dict[str, Placeholder] = {}
        self._by_name: dict[str, Placeholder] = {}

    def of(self, kind: Kind, said: str, value: str, shape: str) -> Placeholder:
        """The placeholder of a value, a new one of this kind where it has none yet."""
        known = self._by_value.get(value)
        if known is None:
            number = 1 + sum(other.startswith(f"<{kind}_") for other in self._by_name)
            known = Placeholder(f"<{kind}_{number}>", said, value, shape)
            self._by_value[value] = self._by_name[known.name] = known
        return known

    def also(self, said: str, value: str) -> bool:
        """What the user `said` is spelled as `value` elsewhere, which has the same placeholder from now on, if `said`
        has one; True where that is new."""
        known = self._by_value.get(said)
        if known is None or value in self._by_value:
            return False
        self._by_value[value] = known
        return True

    def named_in(self, text: str) -> tuple[Placeholder, ...]:
        """The placeholders that a text names, each once. Raises PlaceholderError for one that stands for nothing."""
        found: dict[str, Placeholder] = {}
        for match in PLACEHOLDER.finditer(text):
            found[match[0]] = self[match[0]]
        return tuple(found.values())

    def __iter__(self) -> Iterator[Placeholder]:
        return iter(tuple(self._by_name.values()))

    def __getitem__(self, name: str) -> Placeholder:
        if name not in self._by_name:
            raise PlaceholderError(
                f"The plan names {name}, which stands for nothing in this conversation.",
                why="A language model may use only the placeholders that it was given.",
                next_step="Ask again, or in other words.",
            )
        return self._by_name[name]
