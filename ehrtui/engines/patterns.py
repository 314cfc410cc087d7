"""Regular expressions that take a time in proportion to the text, whatever the pattern is (K. Thompson, 1968): Python's
own may take for ever, and nothing could stop them.

pattern  = sequence {"|" sequence}
sequence = {atom ["*" | "+" | "?" | "{m}" | "{m,}" | "{m,n}"] ["?"]}
atom     = character | "." | "^" | "$" | "[" ["^"] {character | range | class} "]" | class | "\\b" | "\\B"
         | "\\" character | "(" ["?:"] pattern ")"
class    = "\\d" | "\\D" | "\\w" | "\\W" | "\\s" | "\\S"

`(?i)` before the pattern ignores case. A text matches where any part of it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

_MOST_NODES = 2_000
_MOST_DEPTH = 50
_MOST_KNOWN = 10_000
"""Steps that are remembered of a pattern."""

_Test: TypeAlias = Callable[[str], bool]
_Side: TypeAlias = Literal["edge", "word", "other"]
"""What stands beside a place in a text."""
_Assertion: TypeAlias = Callable[[_Side, _Side], bool]

_CLASSES: dict[str, _Test] = {
    "d": str.isdigit,
    "w": lambda char: char.isalnum() or char == "_",
    "s": str.isspace,
    "D": lambda char: not char.isdigit(),
    "W": lambda char: not (char.isalnum() or char == "_"),
    "S": lambda char: not char.isspace(),
}
_ASSERTIONS: dict[str, _Assertion] = {
    "^": lambda before, _: before == "edge",
    "$": lambda _, after: after == "edge",
    "b": lambda before, after: (before == "word") != (after == "word"),
    "B": lambda before, after: (before == "word") == (after == "word"),
}
_SPELLED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}


class PatternError(ValueError):
    """A pattern that cannot be read; what is wrong with it, in words."""


@dataclass
class _Node:
    """A place in a pattern: goes on to the others in `to`, at once or where the `assertion` holds; or reads a character
    for which `test` is true."""

    to: list[int]
    test: _Test | None = None
    assertion: _Assertion | None = None


@dataclass(frozen=True)
class _Piece:
    """A part of the pattern, from the node `first` to the node `last`, which goes on to nothing yet."""

    first: int
    last: int


_Build: TypeAlias = Callable[["_Nodes"], _Piece]
"""Makes a part of the pattern, anew each time."""


class _Nodes(list[_Node]):
    """The nodes of a pattern. Raises PatternError where they are too many."""

    def add(self, *to: int, test: _Test | None = None, assertion: _Assertion | None = None) -> int:
        """A new node, and its number."""
        if len(self) >= _MOST_NODES:
            raise PatternError("it is too long, or repeats too much")
        self.append(_Node(list(to), test, assertion))
        return len(self) - 1

    def join(self, first: int, second: int) -> None:
        """Let a node go on to another."""
        self[first].to.append(second)


class Pattern:
    """A pattern that was read. Raises PatternError."""

    def __init__(self, text: str, *, any_case: bool = False) -> None:
        if text.startswith("(?i)"):
            text, any_case = text[4:], True
        self._nodes = _Nodes()
        whole = _Reader(text, any_case).whole()(self._nodes)
        self._start, self._end = whole.first, whole.last
        self._known: dict[tuple[frozenset[int], _Side, str], frozenset[int] | None] = {}

    def found_in(self, text: str) -> bool:
        """True where a part of the text matches."""
        states = frozenset({self._start})
        before: _Side = "edge"
        for char in text:
            at = (states, before, char)
            after = self._known.get(at, frozenset())
            if at not in self._known:
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                after = self._known[at] = self._step(*at)
            if after is None:
                return True
            states, before = after, _side(char)
        return self._end in self._reached(states, before, "edge")

    def _step(self, states: frozenset[int], before: _Side, char: str) -> frozenset[int] | None:
        """Where a character leads to, with a new beginning; None where the pattern has been found before it."""
        reached = self._reached(states, before, _side(char))
        if self._end in reached:
            return None
        read = [node for node in map(self._nodes.__getitem__, reached) if node.test is not None and node.test(char)]
        return frozenset([self._start, *(to for node in read for to in node.to)])

    def _reached(self, states: frozenset[int], before: _Side, after: _Side) -> set[int]:
        """All nodes that are reached without reading."""
        reached, left = set(states), list(states)
        while left:
            node = self._nodes[left.pop()]
            if node.test is None and (node.assertion is None or node.assertion(before, after)):
                new = [to for to in node.to if to not in reached]
                reached.update(new)
                left += new
        return reached


@lru_cache(maxsize=32)
def pattern_of(text: str, any_case: bool = False) -> Pattern:
    """The pattern that a text is. Raises PatternError."""
    return Pattern(text, any_case=any_case)


def _side(char: str) -> _Side:
    return "word" if char.isalnum() or char == "_" else "other"


class _Reader:
    """Reads a pattern."""

    def __init__(self, text: str, any_case: bool) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._any_case = any_case

    def whole(self) -> _Build:
        """All of it."""
        build = self._pattern()
        if self._at < len(self._text):
            raise PatternError("it has a ) without (")
        return build

    def _pattern(self) -> _Build:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise PatternError("its parentheses are nested too deeply")
        builds = [self._sequence()]
        while self._take("|"):
            builds.append(self._sequence())
        self._depth -= 1
        return builds[0] if len(builds) == 1 else lambda nodes: _one_of(nodes, builds)

    def _sequence(self) -> _Build:
        builds: list[_Build] = []
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            builds.append(self._repeated(self._atom()))
        return lambda nodes: _one_after_the_other(nodes, builds)

    def _repeated(self, build: _Build) -> _Build:
        """The atom as often as is said behind it."""
        bounds = self._times()
        if bounds is None:
            return build
        self._take("?")  # as few as possible: that it is found is the same
        if self._text[self._at : self._at + 1] in ("*", "+", "?", "{"):
            raise PatternError("it says twice how often something may stand there")
        least, most = bounds
        return lambda nodes: _so_often(nodes, build, least, most)

    def _times(self) -> tuple[int, int | None] | None:
        """How often an atom may stand there, at least and at most, if anything says it."""
        sign = self._text[self._at : self._at + 1]
        if sign in ("*", "+", "?"):
            self._at += 1
            return int(sign == "+"), 1 if sign == "?" else None
        if sign != "{":
            return None
        inner, closed, _ = self._text[self._at + 1 :].partition("}")
        least, comma, most = inner.partition(",")
        if not closed or not _is_count(least) or not (most == "" or _is_count(most)):
            raise PatternError("after { it has no number of times, such as {2} or {2,5}")
        self._at += len(inner) + 2
        bounds = int(least), int(most) if most else None if comma else int(least)
        if bounds[1] is not None and bounds[1] < bounds[0]:
            raise PatternError(f"nothing stands there {inner} times")
        return bounds

    def _atom(self) -> _Build:
        char = self._next()
        if char == "(":
            if self._take("?") and not self._take(":"):
                raise PatternError("it looks ahead or behind, or names a group")
            inside = self._pattern()
            if not self._take(")"):
                raise PatternError("it has a ( without )")
            return inside
        if char in "*+?{":
            raise PatternError(f"it has a {char} with nothing before it")
        if char in "^$":
            return _asserting(_ASSERTIONS[char])
        if char == ".":
            return _reading(lambda other: other != "\n")
        if char == "[":
            return _reading(self._set())
        if char == "\\":
            char = self._next()
            return _asserting(_ASSERTIONS[char]) if char in "bB" else _reading(self._escaped(char))
        return _reading(self._same(char))

    def _set(self) -> _Test:
        """Between [ and ]."""
        negated = self._take("^")
        tests: list[_Test] = []
        while not (tests and self._take("]")):
            char = self._next()
            if char == "\\":
                char = self._next()
                if char in _CLASSES:
                    tests.append(_CLASSES[char])
                    continue
                char = _SPELLED.get(char, char)
            rest = self._text[self._at : self._at + 2]
            if len(rest) == 2 and rest[0] == "-" and rest[1] not in "]\\":
                self._at += 2
                tests.append(self._between(char, rest[1]))
            else:
                tests.append(self._same(char))
        return lambda other: any(test(other) for test in tests) is not negated

    def _between(self, low: str, high: str) -> _Test:
        if high < low:
            raise PatternError(f"nothing lies between {low} and {high}")
        if self._any_case:
            return lambda other: low <= other.lower() <= high or low <= other.upper() <= high
        return lambda other: low <= other <= high

    def _escaped(self, char: str) -> _Test:
        if char in _CLASSES:
            return _CLASSES[char]
        if char.isdigit():
            raise PatternError("it refers to a group")
        return self._same(_SPELLED.get(char, char))

    def _same(self, char: str) -> _Test:
        if self._any_case:
            folded = char.lower()
            return lambda other: other.lower() == folded
        return lambda other: other == char

    def _next(self) -> str:
        if self._at >= len(self._text):
            raise PatternError("it ends too early")
        self._at += 1
        return self._text[self._at - 1]

    def _take(self, char: str) -> bool:
        taken = self._text[self._at : self._at + 1] == char
        self._at += taken
        return taken


def _reading(test: _Test) -> _Build:
    def build(nodes: _Nodes) -> _Piece:
        last = nodes.add()
        return _Piece(nodes.add(last, test=test), last)

    return build


def _asserting(assertion: _Assertion) -> _Build:
    def build(nodes: _Nodes) -> _Piece:
        last = nodes.add()
        return _Piece(nodes.add(last, assertion=assertion), last)

    return build


def _one_of(nodes: _Nodes, builds: Sequence[_Build]) -> _Piece:
    pieces, last = [build(nodes) for build in builds], nodes.add()
    for piece in pieces:
        nodes.join(piece.last, last)
    return _Piece(nodes.add(*(piece.first for piece in pieces)), last)


def _one_after_the_other(nodes: _Nodes, builds: Sequence[_Build]) -> _Piece:
    first = last = nodes.add()
    for build in builds:
        piece = build(nodes)
        nodes.join(last, piece.first)
        last = piece.last
    return _Piece(first, last)


def _so_often(nodes: _Nodes, build: _Build, least: int, most: int | None) -> _Piece:
    always = _one_after_the_other(nodes, [build] * least)
    end = nodes.add()
    last = always.last
    nodes.join(last, end)
    if most is None:
        piece = build(nodes)
        nodes.join(end, piece.first)
        nodes.join(piece.last, end)
        return _Piece(always.first, end)
    for _ in range(most - least):
        piece = build(nodes)
        nodes.join(last, piece.first)
        nodes.join(piece.last, end)
        last = piece.last
    return _Piece(always.first, end)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
