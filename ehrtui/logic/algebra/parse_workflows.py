"""Text to what is asked of cohorts."""

from __future__ import annotations

from ehrtui.logic.algebra.model import (
    Aggregate,
    Arms,
    Attrition,
    Characteristics,
    Cohort,
    Condition,
    Histogram,
    Listing,
    Measure,
    Overlap,
    Prevalence,
    Statement,
    Summary,
    TimeTo,
)
from ehrtui.logic.algebra.parse_conditions import ConditionReader
from ehrtui.logic.algebra.parse_measures import MeasureReader
from ehrtui.logic.algebra.parse_sets import SetReader
from ehrtui.logic.algebra.reading import with_place


class WorkflowReader(MeasureReader, SetReader, ConditionReader):
    """Reads what is asked of cohorts."""

    def workflow(self) -> Statement | None:
        """A list, a summary, a table of characteristics, a histogram, shares, what is left; None where none comes."""
        if self.words("list", "of"):
            return Listing(self.inner_set(outer=True))
        if self.words("to", "do", "for"):
            of = self.inner_set(outer=True)
            self.need("lacking")
            return Listing(of, self.inner_set(outer=True))
        if self.words("summary", "of"):
            return Summary(self.inner_set(outer=True))
        if self.peek().text == "table" and self.peek(1).text == "1" and self.peek(2).text == "of":
            self.at += 3
            return Characteristics(self.cohorts(), self.measures() if self.take(":") else ())
        if self.take("histogram"):
            return self.histogram()
        if self.words("prevalence", "of"):
            return self.prevalence()
        if self.peek().text == "time" and self.peek(1).text == "to":
            self.at += 2
            return self.time_to()
        if self.words("attrition", "of"):
            of = self.inner_set(outer=True)
            steps: list[Condition] = []
            while self.take("then"):
                self.take("where")
                steps.append(self.condition())
            return Attrition(of, tuple(steps))
        if self.words("overlap", "of"):
            left = self.cohort()
            self.need("and")
            return Overlap(left, self.cohort())
        return None

    def arms(self, heads: tuple[Aggregate, ...]) -> Statement:
        """The cohorts that the numbers before them are of."""
        return Arms(self.cohorts(), heads)

    def cohorts(self) -> tuple[Cohort, ...]:
        """Cohorts with commas between."""
        found = [self.cohort()]
        while self.take(","):
            found.append(self.cohort())
        return tuple(found)

    @with_place
    def cohort(self) -> Cohort:
        """A set in parentheses, and what it is called."""
        return Cohort(self.deeper(self.set), self.quoted() if self.take("as") else "")

    def measures(self) -> tuple[Measure, ...]:
        """Measures with commas between."""
        found = [self.measure()]
        while self.take(","):
            found.append(self.measure())
        return tuple(found)

    def histogram(self) -> Histogram:
        """The bins, what lies in them, and of whom."""
        width = None
        if self.words("in", "bands", "of"):
            width = self.quantity()
        self.need("of")
        measure = self.inner()
        self.need("of")
        return Histogram(measure, self.inner_set(outer=True), width)

    def time_to(self) -> TimeTo:
        """To which moment, from which one, until when without it, in which unit, of whom."""
        event = self.inner()
        self.need("from")
        start = self.inner()
        self.need("until")
        until = self.inner()
        self.need("in")
        unit = self.time_unit()
        within = self.quantity() if self.take("within") else None
        self.need("of")
        return TimeTo(self.cohorts(), event, start, until, unit, within)

    def prevalence(self) -> Prevalence:
        """What is common, among whom, by what."""
        condition = self.deeper(self.condition)
        self.need("in")
        of = self.inner_set(outer=True)
        by = self.measures() if self.take("by") else ()
        least = self.number() if self.words("hiding", "below") else 0
        return Prevalence(condition, of, by, least)
