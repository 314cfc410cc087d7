"""The grammar of query logic, read by recursive descent.

    logic     = query | rows | "meaning" "of" name
              | "(" side ")" ("-" | "as" "percent" "of" | ">" | "<" | "=" | "except" | "and" | "or" | "beside")
                "(" side ")"
              | ["first" n] "ordered" ["by" field] ("ascending" | "descending") "(" side ")"
              | ("days" | "hours") "since" "(" query ")"
              | function "cost" "of" "stays" "with" source window* | function "stays" "per" unit "with" source window*
              | "percentile" "of" number "in" source "at" "the" "age" "of" "patient" id ["during" stay]
              | ("survival" | "mortality") "over" n unit "after" source ["then" source]
              | "top" n source "by" "mortality" "over" n unit
    side      = query | rows
    rows      = ["count" | function "of"] [ordinal] ("row" | "rows") "of" turn
    query     = "any" target | "top" n ["places"] target | [ordinal] field ("," field)* "of" target
              | ("count" ["per" unit] | [ordinal] function field ["per" unit] "of") target ["by" field]
    target    = patients tail | ["names" "of" | "patients" "of"] source ["for" patients] tail
    source    = role [name ("or" name)*] ["in" turn] ("where" field (relation value ["days"] | "is" state))*
    patients  = ("patient" id ("," id)* | "patients") ["in" turn] ["of sex" sex] ["aged" age "to" age] condition*
    condition = ("with" | "without") ("(" source tail ")" | source tail)
    tail      = ["during" stay] window* [("exactly" | "at" "least") n "times"] [link ["first"] "(" source tail ")"]
    stay      = (ordinal | "current") kind "stay" | [ordinal] kind ("stay" | "stays") "in" turn
    kind      = "hospital" | "icu"
    link      = ("within" n unit | "same" (unit | "hospital stay" | "icu stay") | "ever") ("after" | "before")
              | "same" ("time" | unit | "hospital stay" | "icu stay") "as"
    window    = ("in" | "since" | "until" | "before" | "after") when | "today" | "yesterday"
    when      = YYYY[-MM[-DD[Thh:mm:ss]]] | ["month" n] ["day" n] "of" unit | unit
    unit      = ("this" | "last") ("year" | "month" | "week") | "today" | "yesterday" | n ("year" | …)"s" "ago"
    state     = "normal" | "abnormal" | "present" | "missing" | "open" | "minimum" | "maximum"
    relation  = "=" | ">" | ">=" | "<" | "<="
    field     = words | text    role      = words | text    (a text where its words would be read as something else)
    turn      = "A" n           name = a text in double quotes (as JSON)           id = a whole number or a text

A query without "count", "any" or a field is the list of the patients themselves. "by" gives one number for each value
of a field of the records, their patients or their hospital stays ("by name": of each item); the length of a stay is
counted in days.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Literal, cast

from ehrtui.logic.model import (
    After,
    Aggregate,
    Combined,
    Count,
    Elapsed,
    Exists,
    Field,
    Fields,
    Filter,
    Function,
    Has,
    Link,
    Logic,
    Meaning,
    Mortality,
    Ordered,
    PatientId,
    Patients,
    Peak,
    Percentile,
    Query,
    Rows,
    Source,
    Stay,
    StayCost,
    Survival,
    Times,
    Top,
    Want,
    Window,
)
from ehrtui.logic.window_text import WindowReader
from ehrtui.logic.words import FUNCTIONS, KEYWORDS, ORDINALS
from ehrtui.schema.kinds import PATIENT

_NOT_BY_NAME = ("concept", "code", "like")
"""Words before a text that is no stored name."""
_TASKS = ("list", "summary")


def parse(text: str) -> Logic:
    """Read one line of query logic. Raises LogicError with the position where it stops making sense."""
    return _Parser(text).logic()


class _Parser(WindowReader):
    def logic(self) -> Logic:
        logic: Logic = self.rows() or self.special() or self.query()
        if self.peek().kind != "end":
            self.fail("expected the end")
        return logic

    def rows(self) -> Rows | None:
        start = self.at
        count = self.take("count") is not None
        function = self.take(*FUNCTIONS)
        if function and not self.take("of"):
            self.at = start
            return None
        ordinal = self.ordinal()
        if self.take("row", "rows") and self.take("of") and (turn := self.take_kind("turn")):
            return Rows(int(turn[1:]), ordinal, count, cast(Function | None, function))
        self.at = start
        return None

    def special(self) -> Logic | None:
        """The forms that are not one query."""
        if self.peek().text == "(":
            left = self.bracketed()
            share = self.words("as", "percent", "of")
            operator = "%" if share else self.need("-", ">", "<", "=", "except", "and", "or", "beside")
            return Combined(left, operator, self.bracketed())  # type: ignore[arg-type]
        if self.peek().text == "ordered" or (self.peek().text == "first" and self.peek(2).text == "ordered"):
            return self.ordered()
        if self.words("days", "since"):
            return Elapsed("day", self.bracketed_query())
        if self.words("hours", "since"):
            return Elapsed("hour", self.bracketed_query())
        if self.words("meaning", "of"):
            return Meaning(self.string(self.take_kind("text") or self.fail("expected a name in double quotes")))
        if self.words("percentile", "of"):
            return self.percentile()
        for measure in ("survival", "mortality"):
            if self.words(measure, "over"):
                count, unit = self.number(), self.calendar_unit()
                self.need("after")
                source = self.source()
                then = self.source() if self.take("then") else None
                return Survival(count, source, then, measure == "mortality", unit)
        return self.over_stays() or self.mortality()

    def over_stays(self) -> StayCost | Peak | None:
        start, function = self.at, cast(Function, self.take(*FUNCTIONS))
        if function and self.words("cost", "of", "stays", "with"):
            return StayCost(function, self.source(), self.windows())
        if function and self.words("stays", "per"):
            unit = self.calendar_unit()
            self.need("with")
            return Peak(function, unit, self.source(), self.windows())
        self.at = start
        return None

    def mortality(self) -> Mortality | None:
        start = self.at
        if self.take("top") and self.peek(1).text not in ("patient", "patients"):
            top, source = self.number(), self.source()
            if self.words("by", "mortality", "over"):
                return Mortality(top, self.number(), source, self.calendar_unit())
        self.at = start
        return None

    def percentile(self) -> Percentile:
        value = self.quantity()
        self.need("in")
        source = self.source()
        if not self.words("at", "the", "age", "of", "patient"):
            self.fail("expected “at the age of patient”")
        return Percentile(value, source, self.id(), self.stay() if self.take("during") else None)

    def ordered(self) -> Ordered:
        count = self.number() if self.take("first") else None
        self.need("ordered")
        by = self.field("ascending", "descending") if self.take("by") else ""
        descending = self.need("ascending", "descending") == "descending"
        return Ordered(self.bracketed(), by, descending, count)

    def bracketed(self) -> Query | Rows:
        self.need("(")
        inside: Query | Rows = self.rows() or self.query()
        self.need(")")
        return inside

    def bracketed_query(self) -> Query:
        self.need("(")
        query = self.query()
        self.need(")")
        return query

    def query(self) -> Query:
        query = self.plain_query()
        if not self.take("by"):
            return query
        if not isinstance(query.want, Count | Aggregate):
            self.fail("expected the end, since only a count or another number is taken by a field")
        return replace(query, by=self.field("", ")"))

    def plain_query(self) -> Query:
        if self.take("top"):
            return self.target(Top(self.number(), self.take("places") is not None))
        if self.take("count"):
            per = self.calendar_unit() if self.take("per") else None
            if self.peek().text == "patients" and self.peek(1).text == "of" and self.peek(2).text != "sex":
                self.at += 2
                return self.target(Count("patients", per))
            if self.peek().text in ("patient", "patients"):
                return self.target(Count("patients", per))
            if self.take("names"):
                self.need("of")
                return self.target(Count("names", per))
            return self.target(Count("records", per))
        if self.take("any"):
            return self.target(Exists())
        of_patients = self.peek().text == "patient" and self.peek(1).text not in ("of", ",")
        if of_patients or self.peek().text == "patients":
            return self.target(Field("id"))
        if self.peek().text in _TASKS and self.peek(1).text == "of":
            self.fail("expected a field")  # what is asked of cohorts is a statement of the algebra
        ordinal = self.ordinal()
        function = self.take(*FUNCTIONS)
        name, per = self.field("of", "per", ","), None
        if self.peek().text == "," and function is None:
            names = [name]
            while self.take(","):
                names.append(self.field("of", "per", ","))
            self.need("of")
            return self.target(Fields(tuple(names)), ordinal)
        if self.take("per"):
            per = self.calendar_unit()
        self.need("of")
        want: Want = Aggregate(cast(Function, function), name, per) if function else Field(name)
        return self.target(want, ordinal)

    def field(self, *behind: str) -> str:
        """The name of a field, up to one of the words `behind` it ("" for the end), or in quotes."""
        if (quoted := self.take_kind("text")) is not None:
            return self.string(quoted)
        words = []
        while self.peek().text not in behind:
            words.append(self.take_kind("word") or self.fail("expected a field, such as gender"))
        return " ".join(words) or self.fail("expected a field, such as gender")

    def target(self, want: Want, ordinal: int | None = None) -> Query:
        if self.peek().text in ("patient", "patients"):
            source, patients = Source(PATIENT), self.patients()
        else:
            source = self.source()
            patients = self.patients() if self.take("for") else Patients()
        during, windows, times, after = self.tail()
        return Query(want, source, patients, during, windows, ordinal, times, after)

    def source(self) -> Source:
        quoted = self.take_kind("text")
        role = self.string(quoted) if quoted is not None else self.role()
        if quoted is None and self.peek().kind == "text" and role.rpartition("_")[2] in _NOT_BY_NAME:
            self.fail("expected a stored name; codes, patterns and concepts are in no form")
        names: list[str] = []
        while (name := self.take_kind("text")) is not None:
            names.append(self.string(name))
            if not self.take("or"):
                break
        turn = None
        if self.peek().text == "in" and self.peek(1).kind == "turn":
            self.at += 1
            turn = int(cast(str, self.take_kind("turn"))[1:])
        filters = []
        while self.take("where"):
            filters.append(self.filter())
        return Source(role, tuple(names), turn, tuple(filters))

    def role(self) -> str:
        words: list[str] = []
        while self.peek().kind == "word" and (
            not words or self.peek().text not in KEYWORDS or [*words, self.peek().text] == ["icu", "stay"]
        ):
            words.append(self.tokens[self.at].text)
            self.at += 1
        return "_".join(words) or self.fail("expected a kind of record, such as lab or prescription")

    def filter(self) -> Filter:
        field = self.field("is", "=", ">", ">=", "<", "<=")
        if self.take("is"):
            return Filter(
                field, "is", self.need("normal", "abnormal", "present", "missing", "open", "minimum", "maximum")
            )
        relation = self.need("=", ">", ">=", "<", "<=")
        text = self.take_kind("text")
        value = self.string(text) if text is not None else self.quantity()
        if field == "length":
            self.take("days")
        return Filter(field, relation, value)  # type: ignore[arg-type]

    def patients(self) -> Patients:
        ids: list[PatientId] = []
        if self.take("patient"):
            ids.append(self.id())
            while self.take(","):
                ids.append(self.id())
        else:
            self.need("patients")
        turn = sex = age = None
        if self.peek().text == "in" and self.peek(1).kind == "turn":
            self.at += 1
            turn = int(cast(str, self.take_kind("turn"))[1:])
        if self.take("of"):
            self.need("sex")
            sex = self.need("female", "male")
        if self.take("aged"):
            low = self.age()
            self.need("to")
            age = (low, self.age())
        return Patients(tuple(ids), turn, sex, age, self.conditions())

    def conditions(self) -> tuple[Has, ...]:
        conditions = []
        while word := self.take("with", "without"):
            conditions.append(self.condition(negated=word == "without"))
        return tuple(conditions)

    def condition(self, *, negated: bool) -> Has:
        bracketed = self.take("(")
        has = self.event(negated=negated)
        if bracketed:
            self.need(")")
        return has

    def event(self, *, negated: bool = False) -> Has:
        source = self.source()
        during, windows, times, after = self.tail()
        return Has(source, during, windows, negated, times, after)

    def id(self) -> PatientId:
        if (text := self.take_kind("text")) is not None:
            return self.string(text)
        return self.number()

    def string(self, text: str) -> str:
        try:
            return cast(str, json.loads(text))
        except json.JSONDecodeError:
            self.at -= 1
            self.fail("expected a text without stray backslashes")

    def age(self) -> int | None:
        return None if self.take("any") else self.number()

    def ordinal(self) -> int | None:
        number = None
        if word := self.take(*ORDINALS):
            number = ORDINALS.index(word) + 1
        elif nth := self.take_kind("nth"):
            number = int(nth[:-2])
        if number is not None and self.peek().text == "to" and self.peek(1).text == "last":
            self.at += 2
            return -number
        if number is None and self.take("last"):
            return -1
        return number

    def tail(self) -> tuple[Stay | None, tuple[Window, ...], Times | None, After | None]:
        during = self.stay() if self.take("during") else None
        return during, self.windows(), self.times(), self.after()

    def stay(self) -> Stay:
        current = self.take("current") is not None
        ordinal = None if current else self.ordinal()
        if not current and ordinal is None and self.peek().text not in ("hospital", "icu"):
            self.fail("expected first, last or current")
        kind = cast(Literal["hospital", "icu"], self.need("hospital", "icu"))
        if current:
            self.need("stay")
            return Stay(kind, None)
        of_turn = self.need("stay", "stays") == "stays" or (self.peek().text == "in" and self.peek(1).kind == "turn")
        if not of_turn:
            return Stay(kind, ordinal if ordinal is not None else self.fail("expected first, last or current"))
        self.need("in")
        turn = self.take_kind("turn") or self.fail("expected an answer, such as A1")
        return Stay(kind, ordinal, int(turn[1:]))

    def times(self) -> Times | None:
        exactly, at_least = self.take("exactly"), self.words("at", "least")
        if not (exactly or at_least):
            return None
        count = self.number()
        self.need("times")
        return Times(count, at_least)

    def after(self) -> After | None:
        link = self.link()
        if link is None:
            return None
        order = "as" if link.kind == "simultaneous" else self.need("after", "before", *(["as"] * (link.kind == "same")))
        if order == "as" and link.kind == "same":
            link = replace(link, kind="together")
        first = self.take("first") is not None
        self.need("(")
        event = self.event()
        self.need(")")
        return After(event, link, first, order == "before")

    def link(self) -> Link | None:
        if self.words("same", "time", "as"):
            return Link("simultaneous")
        if self.words("same", "hospital", "stay"):
            link = Link("same", "hospital stay")
        elif self.words("same", "icu", "stay"):
            link = Link("same", "icu stay")
        elif self.take("same"):
            link = Link("same", self.calendar_unit())
        elif self.take("within"):
            count = self.number()
            link = Link("within", self.calendar_unit(), count)
        elif self.take("ever"):
            link = Link("ever")
        else:
            return None
        return link
