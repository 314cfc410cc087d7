"""Text to conditions: what stands behind a set, and what and, or, not and comparisons make of it."""

from __future__ import annotations

import re
from typing import cast, get_args

from ehrtui.logic.algebra.model import (
    All,
    Among,
    AnyOf,
    Comparison,
    Condition,
    Has,
    InAnswer,
    Is,
    Like,
    Measure,
    Near,
    Not,
    Of,
    Off,
    Own,
    Related,
    Relation,
    State,
    Test,
    Times,
    Value,
)
from ehrtui.logic.algebra.reading import TIME_UNITS, Reader, read_once, with_place
from ehrtui.logic.model import Window

_STATES = get_args(State)
_COMPARISONS = get_args(Comparison)
_TIMED = re.compile(r"\b(time|date)$")
"""What ends the name of a field that is a moment."""


class ConditionReader(Reader):
    """Reads conditions."""

    @with_place
    def modifier(self, *, outer: bool) -> Condition | None:
        """A condition behind a set; those of with and without only where the set is an outer one."""
        word = self.peek().text
        if word in ("with", "without") and self.peek(1).text == "ties":
            return None
        if word in ("with", "without"):
            if not outer:
                return None
            self.at += 1
            has = self.had()
            return Not(has) if word == "without" else has
        if self.take("where"):
            loose, self.loose = self.loose, False
            condition = self.condition()
            self.loose = loose
            return condition
        if word == "of" and self.peek(1).text == "sex":
            self.at += 2
            return Test(Own("gender"), "=", Value(self.need("female", "male")))
        if word == "aged":
            return self.aged()
        return self.placed()

    def aged(self) -> Condition:
        """An age within limits, either of which may be open."""
        self.need("aged")
        low = None if self.take("any") else self.number()
        self.need("to")
        high = None if self.take("any") else self.number()
        tests: list[Condition] = []
        if low is not None:
            tests.append(Test(Own("age"), ">=", Value(low)))
        if high is not None:
            tests.append(Test(Own("age"), "<=", Value(high)))
        return All(tuple(tests)) if len(tests) != 1 else tests[0]

    @with_place
    def placed(self) -> Condition | None:
        """A condition of time, of a stay, of an answer; None where none comes."""
        word, following = self.peek().text, self.peek(1)
        if word == "in" and following.kind == "turn":
            self.at += 1
            return InAnswer(int(cast(str, self.take_kind("turn"))[1:]))
        if word == "in" and following.kind == "word" and (member := self.attempt(self.among_answer)) is not None:
            return cast(Condition, member)
        if word in ("for", "during") and not (word == "for" and following.text == "each"):
            self.at += 1
            return Of(self.inner_set(bare=True))
        if self.take("among"):
            return Of(self.inner_set(bare=True))
        if self.window_ahead():
            return self.window()
        return self.related()

    def among_answer(self) -> Condition | None:
        """Units that an earlier answer holds, as in “in patients of A3”."""
        self.need("in")
        unit = self.unit()
        self.need("of")
        turn = self.take_kind("turn")
        return InAnswer(int(turn[1:]), unit) if turn else None

    def window_ahead(self) -> bool:
        """True where a window of the calendar comes next."""
        word, following = self.peek().text, self.peek(1)
        if word in ("today", "yesterday"):
            return True
        if word not in ("in", "since", "until", "before", "after"):
            return False
        timed = following.kind in ("number", "date") or following.text in ("this", "today", "yesterday")
        last = following.text == "last" and self.peek(2).text in ("year", "month", "week")
        part = following.text in ("month", "day") and self.peek(2).kind == "number"
        return timed or last or part

    @with_place
    def window(self) -> Window:
        """One window of the calendar."""
        (window,) = self.windows(most=1)
        return window

    def related(self) -> Condition | None:
        """A relation in time to events, or to a moment."""
        relation = self.relation()
        if relation is None:
            return None
        relations = [relation]
        while self.peek().text == "and" and (more := self.attempt(self.further)) is not None:
            relations.append(more)
        if self.peek().text == "(":
            event = self.attempt(lambda: self.deeper(self.set))
            if event is not None and event.where is None and _TIMED.search(event.unit):
                return Near(relation, Own(event.unit))
            if event is not None and self.peek().text != "of":
                return Related(event, tuple(relations), self.words("once", "for", "each"))
        if len(relations) > 1 or relation.kind in ("stay", "overlapping"):
            self.fail("expected an event in parentheses")
        moment = self.deeper(self.measure) if self.peek().text == "(" else self.own_field()
        return Near(relation, moment)

    def further(self) -> Relation | None:
        """One more relation to the same events."""
        self.need("and")
        return self.relation()

    def relation(self) -> Relation | None:
        """How two moments or records relate; None where no such word comes."""
        if kind := self.take("after", "before", "overlapping"):
            return Relation(kind)  # type: ignore[arg-type]
        if self.words("on", "the", "same"):
            unit = self.need("time", "minute", *TIME_UNITS)
            self.need("as")
            return Relation("same", unit="" if unit == "time" else unit)
        if self.words("in", "the", "same"):
            unit = self.unit()
            self.need("as")
            return Relation("stay", unit=unit)
        beyond = self.words("more", "than")
        if not beyond and not self.take("within"):
            return None
        count, unit = self.quantity(), self.time_unit()
        word = self.need("after", "before", "of", "from")
        return Relation("around" if word in ("of", "from") else word, count, unit, beyond)  # type: ignore[arg-type]

    @with_place
    def had(self) -> Has:
        """Records that somebody has, or has not, and how often."""
        times = self.times()
        if self.peek().text == "(":
            return Has(self.deeper(self.set), times)
        return Has(self.set(outer=False), times)

    def times(self) -> Times | None:
        """How often; None where it is not said."""
        relation = None
        if self.take("exactly"):
            relation = "="
        elif self.words("at", "least"):
            relation = ">="
        elif self.words("at", "most"):
            relation = "<="
        if relation is None:
            return None
        count = self.number()
        of = "days" if self.words("days", "of") else "stays" if self.words("stays", "of") else "times"
        running = self.take("consecutive") is not None
        within = (self.quantity(), self.time_unit()) if self.take("within") else None
        return Times(relation, count, of, within, running)  # type: ignore[arg-type]

    @with_place
    @read_once
    def condition(self) -> Condition:
        """Conditions of which any may hold."""
        parts = [self.conjunction()]
        while self.take("or"):
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    @with_place
    def conjunction(self) -> Condition:
        """Conditions that all hold."""
        parts = [self.negation()]
        while self.take("and"):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    @with_place
    def negation(self) -> Condition:
        """One condition, or its negation."""
        if self.take("not"):
            return Not(self.within(self.negation))
        if self.peek().text == "off" and self.peek(1).text == "(":
            self.at += 1
            return Off(self.deeper(self.condition))
        if self.peek().text == "(":
            readers = (lambda: self.compared(self.measure()), lambda: self.deeper(self.condition))
            return cast(Condition, self.first_of(*readers))
        word = self.peek().text
        if word in ("with", "without"):
            return cast(Condition, self.modifier(outer=True))
        return cast(Condition, self.first_of(self.placed, lambda: self.compared(self.measure())))

    def compared(self, left: Measure) -> Condition:
        """What a measure is compared with."""
        if self.take("is"):
            state = self.need(*_STATES)
            return Is(left, cast(State, state))
        if self.peek().text == "in" and self.peek(1).text == "(":
            self.at += 1
            return Among(left, self.deeper(self.values))
        if self.take("like"):
            return Like(left, self.quoted())
        relation = self.need(*_COMPARISONS, "like")
        return Test(left, cast(Comparison, relation), self.measure())
