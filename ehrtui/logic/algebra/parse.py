"""Text to a statement, by recursive descent.

    statement = rows | groups | numbers | outcome | workflow
              | "(" statement ")" ("except" | "and" | "or" | "beside") "(" statement ")"
              | ("rows" | "row" n) "of" answer ["ordered" ["by" "column" name] direction] ["first" n]
    rows      = ["distinct"] (set | field ("," field)* "of" set | "for" "each" set ":" measure ("," measure)*) [order]
    groups    = head ("," head)* "of" (set | "(" set ")") "by" measure ("," measure)* ["having" condition] [order]
                ["showing" ("keys" | "numbers")]
    numbers   = measure ("," measure)*
    outcome   = ("survival" | "mortality") "over" n time-unit "after" set ["then" set] | "meaning" "of" name
              | "top" n set "by" "mortality" "over" n time-unit | "standing" "of" n "in" inner "of" set
              | "difference" "of" ("percent" "(" condition ")" | "mean" inner) "between" "(" set ")" "and" "(" set ")"
    workflow  = ("list" | "summary") "of" set | "to" "do" "for" set "lacking" set | "overlap" "of" cohort "and" cohort
              | head ("," head)* "of" "each" "of" cohort ("," cohort)*
              | "table" "1" "of" cohort ("," cohort)* [":" measure ("," measure)*]
              | "histogram" ["in" "bands" "of" n] "of" inner "of" set
              | "time" "to" inner "from" inner "until" inner "in" time-unit ["within" n] "of" cohort ("," cohort)*
              | "attrition" "of" set ("then" ["where"] condition)*
              | "prevalence" "of" "(" condition ")" "in" set ["by" measure ("," measure)*] ["hiding" "below" n]
    cohort    = "(" set ")" ["as" text]
    having    : a number of the group is a head alone, as in "count >= 5"
    order     = "ordered" "by" (measure | head) ["descending"] ["first" n ["places" | "with" "ties"] ["in" "each"]]

    set       = [pick] unit [id ("," id)* | "concept" name | item ("or" item)*] modifier* ["per" unit]
                [("with" | "without") "ties"]
              | pick "(" set ")" modifier* ["per" unit] [("with" | "without") "ties"]
    unit      = "patient(s)" | "hospital stay(s)" | "icu stay(s)" | the name of a role, such as lab or prescription(s)
    pick      = ("first" | "last") [n] | ordinal ["to" "last"] | ("highest" | "lowest") [n | nth] ["(" measure ")"]
              | "current"
    item      = name | ("like" | "code" | "concept") text
    modifier  = ("with" | "without") had | "where" condition | "in" [units "of"] answer | "for" set | "during" set
              | "among" set
              | relation ("and" relation)* moment | window
    had       = [("at" "least" | "at" "most" | "exactly") n ["days" "of" | "stays" "of"] ["consecutive"]
              ["within" n time-unit]] (set | "(" (set | condition) ")")
    relation  = "after" | "before" | ("within" | "more" "than") n time-unit ("after" | "before" | "of" | "from")
              | "on" "the" "same" (time-unit | "time") "as" | "in" "the" "same" stay "as" | "overlapping"
    moment    = "(" set ")" ["once" "for" "each"] | field | "(" measure ")"

    condition = conjunction ("or" conjunction)*           conjunction = negation ("and" negation)*
    negation  = "off" "(" condition ")" | ["not"] ("(" condition ")" | modifier | measure comparison measure
              | measure "in" "(" value ("," value)* ")" | measure "like" text | measure "is" state)
    comparison= "=" | "!=" | ">" | ">=" | "<" | "<="      state = "present" | "missing" | "open" | "normal" | "abnormal"

    measure   = sum ("else" sum)*                        sum = term (("+" | "-") term)*
                   term = atom (("*" | "/" | "as" "percent" "of") atom)*
    atom      = number | text | "now" | field | "(" measure ")" | head "of" set | function "over" "(" statement ")"
              | (field | "(" measure ")") "of" set | time-unit "from" atom "to" atom | "age" "at" atom
              | "whether" "(" condition ")" | ("previous" | "next") field ["of" set] | part "of" atom
              | "the" "(" statement ")" | "bands" ("of" n | n ("," n)*) "of" atom
              | "measure" text
    head      = "count" | "share" | "count" units | "count" "distinct" inner | function inner | "percentile" n inner
              | "percent" "(" condition ")"               inner = field | "(" measure ")"
    function  = "sum" | "mean" | "median" | "sd" | "iqr" | "minimum" | "maximum" | "listed"

What stands behind a set restricts the nearest set, but for "with" and "without", which restrict the outermost one that
is not in parentheses.
"""

from __future__ import annotations

from typing import cast

from ehrtui.logic.algebra.model import (
    UNITS,
    Answer,
    Combined,
    Difference,
    Groups,
    Meaning,
    Measure,
    Mortality,
    Order,
    Own,
    Rows,
    Single,
    Standing,
    Statement,
    Survival,
)
from ehrtui.logic.algebra.parse_workflows import WorkflowReader
from ehrtui.logic.algebra.places import Places
from ehrtui.logic.algebra.reading import HEADS, read_once, with_place


def parse_statement(text: str) -> Statement:
    """Read one line of text. Raises LogicError with the position where it stops making sense."""
    return read_statement(text)[0]


def read_statement(text: str) -> tuple[Statement, Places]:
    """Read one line of text, and where its parts stand in it. Raises LogicError as `parse_statement` does."""
    parser = _Parser(text)
    return parser.whole(), parser.places


class _Parser(WorkflowReader):
    def whole(self) -> Statement:
        statement = self.statement()
        if self.peek().kind != "end":
            self.fail("expected the end")
        return statement

    @with_place
    @read_once
    def statement(self) -> Statement:
        grouped, self.grouped = self.grouped, False
        readers = (self.answer, self.combined, self.cohorts_asked, self.outcome, self.groups, self.rows, self.numbers)
        found = cast(Statement, self.first_of(*readers))
        self.grouped = grouped
        return found

    def end(self) -> bool:
        """True where a statement may end."""
        return self.peek().kind == "end" or self.peek().text == ")"

    def ended(self, statement: Statement) -> Statement:
        return statement if self.end() else self.fail("expected the end")

    def answer(self) -> Statement | None:
        nth = None
        if self.take("row"):
            nth = self.number()
        elif not self.take("rows"):
            return None
        self.need("of")
        turn = int((self.take_kind("turn") or self.fail("expected an answer, such as A1"))[1:])
        column, order, first = "", "", None
        if self.take("ordered"):
            if self.words("by", "column"):
                column = self.quoted()
            order = self.need("ascending", "descending")
        if self.take("first"):
            first = self.number()
        return self.ended(Answer(turn, nth, column, order, first))  # type: ignore[arg-type]

    def combined(self) -> Statement | None:
        if self.peek().text != "(":
            return None
        left = self.deeper(self.statement)
        operator = self.take("except", "and", "or", "beside")
        if operator is None:
            return None
        return self.ended(Combined(left, operator, self.deeper(self.statement)))  # type: ignore[arg-type]

    def cohorts_asked(self) -> Statement | None:
        found = self.workflow()
        return self.ended(found) if found is not None else None

    def outcome(self) -> Statement | None:
        """Survival, mortality, the standing of a value, the meaning of a name."""
        if self.words("meaning", "of"):
            return self.ended(Meaning(self.quoted()))
        if self.words("standing", "of"):
            value = self.quantity()
            self.need("in")
            measure = self.inner()
            self.need("of")
            return self.ended(Standing(value, measure, self.set()))
        if self.words("difference", "of"):
            number = self.head() if self.peek().text in ("percent", "mean") else self.fail("expected percent or mean")
            self.need("between")
            left = self.deeper(self.set)
            self.need("and")
            return self.ended(Difference(number, left, self.deeper(self.set)))
        for word in ("survival", "mortality"):
            if self.words(word, "over"):
                count, unit = self.number(), self.time_unit()
                self.need("after")
                of = self.inner_set()
                then = self.inner_set() if self.take("then") else None
                return self.ended(Survival(count, unit, of, then, word == "mortality"))
        if self.take("top"):
            top, of = self.number(), self.inner_set()
            if self.words("by", "mortality", "over"):
                return self.ended(Mortality(top, self.number(), self.time_unit(), of))
        return None

    def groups(self) -> Statement | None:
        if self.peek().text not in HEADS:
            return None
        heads = [self.head()]
        while self.take(","):
            heads.append(self.head())
        self.need("of")
        if self.words("each", "of"):
            return self.ended(self.arms(tuple(heads)))
        of = self.inner_set(outer=True)
        if not self.take("by"):
            if len(heads) > 1 and self.end():
                return Single(tuple(self._over(head, of) for head in heads))
            return None
        by = [self.measure()]
        while self.take(","):
            by.append(self.measure())
        self.grouped = True
        having = self.condition() if self.take("having") else None
        order = self.order(group=True)
        self.grouped = False
        asked = self.need("keys", "numbers") if self.take("showing") else "all"
        return self.ended(Groups(of, tuple(by), tuple(heads), having, order, asked))  # type: ignore[arg-type]

    def rows(self) -> Statement | None:
        distinct = self.take("distinct") is not None
        if self.words("for", "each"):
            of = self.set()
            self.need(":")
            columns = [self.measure()]
            while self.take(","):
                columns.append(self.measure())
            return self.ended(Rows(of, tuple(columns), distinct, self.order()))
        return cast(Statement, self.first_of(lambda: self._listed(distinct), lambda: self._fields(distinct)))

    def _listed(self, distinct: bool) -> Statement | None:
        of = self.set()
        order = self.order()
        if of.unit not in UNITS and self.end():
            self.fail(f"expected what is asked of each {of.unit}, as in: value, time of {of.unit} …")
        return self.ended(Rows(of, (Own("id"),), distinct, order))

    def _fields(self, distinct: bool) -> Statement | None:
        if self.peek().text in HEADS:
            return None
        columns: list[Measure] = [self.own_field()]
        while self.take(","):
            columns.append(self.own_field())
        self.need("of")
        of = self.set()
        return self.ended(Rows(of, tuple(columns), distinct, self.order()))

    def numbers(self) -> Statement:
        columns = [self.measure()]
        while self.take(","):
            columns.append(self.measure())
        return self.ended(Single(tuple(columns)))

    def order(self, *, group: bool = False) -> Order | None:
        if not self.words("ordered", "by"):
            return None
        by: Measure = self.head() if group and self.peek().text in HEADS else self.measure()
        descending = self.take("descending") is not None
        first = self.number() if self.take("first") else None
        places = first is not None and self.take("places") is not None
        ties = places or (first is not None and self.words("with", "ties"))
        each = first is not None and self.words("in", "each")
        return Order(by, descending, first, ties, each, places)
