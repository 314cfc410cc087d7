"""What all readers of query logic's text do: try alternatives, look back, take words, texts and numbers."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast, get_args

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Condition,
    Measure,
    Own,
    Scalar,
    Set,
    Statement,
    TimeUnit,
)
from ehrtui.logic.algebra.places import Places
from ehrtui.logic.window_text import WindowReader

FUNCTIONS = ("sum", "mean", "median", "sd", "iqr", "minimum", "maximum", "listed")
HEADS = ("count", "share", "percent", "percentile", *FUNCTIONS)
TIME_UNITS = get_args(TimeUnit)
_SINGULARS = {"diagnoses": "diagnosis", "admission": HOSPITAL, "admissions": HOSPITAL}
_DEEPEST = 30
"""How many parentheses or words may lead deeper into a statement, and how many signs may follow each other."""
_STOPS = {
    *("of", "from", "to", "and", "or", "is", "in", "by", "having", "ordered", "where", "with", "without", "during"),
    *("for", "after", "before", "within", "more", "on", "overlapping", "as", "descending", "ascending", "not", "per"),
    *("beside", "except", "over", "since", "until", "today", "yesterday", "at", "aged", "exactly", "like", "code"),
    *("concept", "first", "showing", "once", "then", "between", "previous", "next"),
    *("lacking", "hiding", "else", "among"),
}
_T = TypeVar("_T")
_Read = TypeVar("_Read", bound=Callable[..., Any])


def with_place(read: _Read) -> _Read:
    """A reader whose results have a place."""

    @wraps(read)
    def reading(self: Reader, *args: Any, **kwargs: Any) -> Any:
        position = self.peek().position
        found = read(self, *args, **kwargs)
        if found is not None:
            self.places.note(found, position)
        return found

    return cast(_Read, reading)


def read_once(read: _Read) -> _Read:
    """A reader that reads each place once: alternatives that begin alike would double the work at every level."""

    @wraps(read)
    def reading(self: Reader, **kwargs: Any) -> Any:
        key = (read.__name__, self.at, self.loose, self.grouped, *kwargs.values())
        if key not in self.read:
            try:
                found = read(self, **kwargs)
                self.read[key] = (found, self.at)
            except LogicError as error:
                self.read[key] = (error, self.at)
        found, self.at = self.read[key]
        if isinstance(found, LogicError):
            raise found
        return found

    return cast(_Read, reading)


class Reader(WindowReader, ABC):
    """Reads a text by recursive descent, with alternatives."""

    depth = 0
    loose = True  # whether "with" may follow the set of a number: not in a condition, where it belongs to the outer set
    grouped = False  # whether a number may be over the rows of a group
    farthest: LogicError | None = None

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.places = Places()
        self.read: dict[tuple[object, ...], tuple[Any, int]] = {}

    # What the readers of measures, sets, conditions and statements take from each other.

    @abstractmethod
    def statement(self) -> Statement:
        """A statement, up to where it may end."""

    @abstractmethod
    def measure(self) -> Measure:
        """A measure, with its arithmetic."""

    @abstractmethod
    def own_field(self) -> Own:
        """The name of a field."""

    @abstractmethod
    def set(self, *, outer: bool = True, bare: bool = False) -> Set:
        """A set; an `outer` one may be followed by with and without, a `bare` one by no condition."""

    @abstractmethod
    def inner_set(self, *, outer: bool = False, bare: bool = False) -> Set:
        """A set within a measure or a condition: its own in parentheses."""

    @abstractmethod
    def condition(self) -> Condition:
        """A condition, with its and, or and not."""

    @abstractmethod
    def modifier(self, *, outer: bool) -> Condition | None:
        """A condition behind a set; those of with and without only where the set is an outer one."""

    def attempt(self, read: Callable[[], _T | None]) -> _T | None:
        """What `read` reads; None, and nothing taken, where it fails."""
        start, depth, loose, grouped = self.at, self.depth, self.loose, self.grouped
        try:
            found = read()
        except LogicError as error:
            if self.farthest is None or (error.position or 0) > (self.farthest.position or 0):
                self.farthest = error
            found = None
        if found is None:
            self.at, self.depth, self.loose, self.grouped = start, depth, loose, grouped
        return found

    def first_of(self, *readers: Callable[[], object]) -> object:
        """What the first of the readers that succeeds reads. Raises the error of the one that came farthest."""
        start, before, self.farthest = self.at, self.farthest, None
        for read in readers:
            if (found := self.attempt(read)) is not None:
                self.farthest = before
                return found
        error = self.farthest
        self.at, self.farthest = start, before
        if error is None:
            self.fail("expected what is asked")
        raise error

    def deeper(self, read: Callable[[], _T]) -> _T:
        """What `read` reads between parentheses."""
        self.need("(")
        loose, self.loose = self.loose, True
        found = self.within(read)
        self.loose = loose
        self.need(")")
        return found

    def within(self, read: Callable[[], _T]) -> _T:
        """What `read` reads one level deeper."""
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail(f"found more than {_DEEPEST} parentheses or measures within each other")
        found = read()
        self.depth -= 1
        return found

    def more(self, signs: int) -> int:
        """One sign more than so many."""
        return signs + 1 if signs < _DEEPEST else self.fail(f"found more than {_DEEPEST} signs after each other")

    def field(self) -> str:
        """The name of a field."""
        words: list[str] = []
        while self.peek().kind == "word" and (not self.stops() or (not words and self._care_unit())):
            words.append(self.tokens[self.at].text)
            self.at += 1
        return " ".join(words) or self.fail("expected a field, such as value, time or age")

    def stops(self) -> bool:
        """True where the name of a field or of a role is over."""
        word = self.peek().text
        return self.peek(1).kind == "text" if word in ("like", "code", "concept") else word in _STOPS

    def _care_unit(self) -> bool:
        """ "first care unit" is a field."""
        return self.peek(1).text == "care" and self.peek(2).text == "unit"

    def unit(self) -> str:
        """A unit, or the name of a role, in the singular."""
        words: list[str] = []
        while self.peek().kind == "word" and not self.stops():
            words.append(self.tokens[self.at].text)
            self.at += 1
            if " ".join(words).removesuffix("s") in UNITS:
                break
        if not words:
            self.fail("expected patients, hospital stays, icu stays or a kind of record, such as lab")
        return _singular(" ".join(words))

    def quoted(self) -> str:
        """A text in double quotes."""
        token = self.take_kind("text") or self.fail("expected a text in double quotes")
        try:
            return cast(str, json.loads(token))
        except json.JSONDecodeError:
            self.at -= 1
            self.fail("expected a text without stray backslashes")

    def values(self) -> tuple[Scalar, ...]:
        """Values with commas between."""
        found: list[Scalar] = [self.scalar()]
        while self.take(","):
            found.append(self.scalar())
        return tuple(found)

    def scalar(self) -> Scalar:
        """A text or a number."""
        return self.quoted() if self.peek().kind == "text" else self.quantity()

    def time_unit(self) -> TimeUnit:
        """A unit of time, in the singular."""
        words = [f"{unit}{plural}" for unit in TIME_UNITS for plural in ("", "s")]
        return cast(TimeUnit, self.need(*words).removesuffix("s"))


def _singular(words: str) -> str:
    if words in _SINGULARS:
        return _SINGULARS[words]
    if words.endswith("ies"):
        return f"{words[:-3]}y"
    one = words.removesuffix("s") if not words.endswith(("ss", "is")) else words
    return {"patient": PATIENT, "hospital stay": HOSPITAL, "icu stay": ICU}.get(one, one)
