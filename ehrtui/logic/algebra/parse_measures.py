"""Text to measures: fields, picks, numbers over sets, and the arithmetic of all these."""

from __future__ import annotations

from typing import cast, get_args

from ehrtui.logic.algebra.model import (
    UNITS,
    Age,
    Aggregate,
    Band,
    Comparison,
    Function,
    Interval,
    Math,
    Measure,
    Named,
    Neighbour,
    Own,
    Part,
    PartOf,
    Picked,
    Set,
    TimeUnit,
    Value,
    Whether,
)
from ehrtui.logic.algebra.reading import HEADS, TIME_UNITS, Reader, read_once, with_place

_PARTS = tuple(sorted(get_args(Part), key=len, reverse=True))
_BEHIND_HEADS = ("of", ",", "descending", "first", "showing", "having", "and", "or", ")", "", *get_args(Comparison))


class MeasureReader(Reader):
    """Reads measures."""

    @with_place
    def head(self) -> Aggregate:
        """A number over the rows of a group, or the beginning of one over a set."""
        function = self.need(*HEADS)
        if function == "count":
            if self.take("distinct"):
                return Aggregate("distinct", None, self.inner())
            unit = self.unit_ahead()
            if unit is not None:
                self.at += unit[1]
                return Aggregate("distinct", None, Own(unit[0]))
            return Aggregate("count", None)
        if function == "share":
            return Aggregate("share", None)
        if function == "percent":
            return Aggregate("percent", None, self.deeper(self.condition))
        argument = self.quantity() if function == "percentile" else None
        return Aggregate(cast(Function, function), None, self.inner(), argument)

    def unit_ahead(self) -> tuple[str, int] | None:
        """A unit and how many words it has, where it comes next and “of” follows."""
        for unit in UNITS:
            words = unit.split()
            plural = [*words[:-1], f"{words[-1]}s"]
            ahead = [self.peek(n).text for n in range(len(words))]
            if ahead in (words, plural) and (self.peek(len(words)).text in _BEHIND_HEADS):
                following = self.peek(len(words) + 1).text
                if following != "sex":
                    return unit, len(words)
        return None

    @with_place
    def inner(self) -> Measure:
        """A measure that needs parentheses where it is more than a field."""
        return self.deeper(self.measure) if self.peek().text == "(" else self.own_field()

    @with_place
    def own_field(self) -> Own:
        """A field of the records themselves."""
        return Own(self.field())

    @with_place
    @read_once
    def measure(self) -> Measure:
        """A measure, with what stands in for it where there is none."""
        left, signs = self.sum(), 0
        while self.take("else"):
            signs = self.more(signs)
            left = Math("else", left, self.sum())
        return left

    @with_place
    def sum(self) -> Measure:
        """A measure, with what is added to it."""
        left, signs = self.term(), 0
        while sign := self.take("+", "-"):
            signs = self.more(signs)
            left = Math(sign, left, self.term())  # type: ignore[arg-type]
        return left

    @with_place
    def term(self) -> Measure:
        """A measure, with what it is multiplied by."""
        left, signs = self.atom(), 0
        while sign := ("%" if self.words("as", "percent", "of") else self.take("*", "/")):
            signs = self.more(signs)
            left = Math(sign, left, self.atom())  # type: ignore[arg-type]
        return left

    @with_place
    def atom(self) -> Measure:
        """A measure without arithmetic, but in parentheses."""
        token = self.peek()
        if token.kind == "number":
            return Value(self.quantity())
        if token.kind == "text":
            return Value(self.quoted())
        if token.text == "(":
            inside = self.deeper(self.measure)
            return self.picked(inside) if self.take("of") else inside
        return self.within(self.worded)

    def worded(self) -> Measure:
        """A measure that begins with a word."""
        token = self.peek()
        if token.text in HEADS:
            return self.aggregate()
        if token.text in ("previous", "next"):
            self.at += 1
            measure = self.inner()
            among = self.inner_set() if self.take("of") else None
            return Neighbour(token.text, measure, among)  # type: ignore[arg-type]
        if token.text == "whether":
            self.at += 1
            return Whether(self.deeper(self.condition))
        if token.text == "the" and self.peek(1).text == "(":
            self.at += 1
            return self.deeper(self.statement)
        if token.text == "bands":
            return self.bands()
        if token.text == "measure" and self.peek(1).kind == "text":
            self.at += 1
            return Named(self.quoted())
        if token.text == "age" and self.peek(1).text == "at":
            self.at += 2
            return Age(self.atom())
        if token.text.removesuffix("s") in TIME_UNITS and self.peek(1).text == "from":
            self.at += 2
            start = self.atom()
            self.need("to")
            return Interval(cast(TimeUnit, token.text.removesuffix("s")), start, self.atom())
        return self.attempt(self.part) or self.own()

    def own(self) -> Measure:
        """A field, of the records themselves or of one that is picked."""
        field = self.own_field()
        return self.picked(field) if self.take("of") else field

    @with_place
    def picked(self, measure: Measure) -> Measure:
        """A measure of the one record that is picked."""
        return Picked(measure, self.inner_set())

    def part(self) -> Measure | None:
        """A part of a moment, such as its year; None where none comes."""
        for part in _PARTS:
            if self.words(*part.split(), "of"):
                return PartOf(part, self.atom())
        return None

    def bands(self) -> Measure:
        """The band that a number lies in."""
        self.need("bands")
        if self.take("of"):
            width = self.quantity()
            self.need("of")
            return Band(self.atom(), width=width)
        edges = [self.quantity()]
        while self.take(","):
            edges.append(self.quantity())
        self.need("of")
        return Band(self.atom(), edges=tuple(edges))

    def aggregate(self) -> Measure:
        """A number over a set, over a statement or over a group."""
        if self.peek(1).text == "over" or (self.peek().text == "percentile" and self.peek(2).text == "over"):
            function = self.need(*HEADS)
            argument = self.quantity() if function == "percentile" else None
            self.need("over")
            return Aggregate(cast(Function, function), self.deeper(self.statement), None, argument)
        head = self.head()
        if self.grouped and self.peek().text != "of":
            return head
        if head.function != "count":
            self.need("of")
        else:
            self.take("of")
        return self._over(head, self.inner_set(outer=self.loose))

    def _over(self, head: Aggregate, of: Set) -> Aggregate:
        return Aggregate(head.function, of, head.measure, head.argument)
