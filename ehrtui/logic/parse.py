"""The grammar of query logic, read by recursive descent.

    logic     = ["count"] [ordinal] ("row" | "rows") "of" turn | query
    query     = "count" target | "any" target | [ordinal] field "of" target | [ordinal] function field "of" target
    target    = patients tail | ["names" "of" | "patients" "of"] source ["for" patients] tail
    source    = role [name ("or" name)*] ["in" turn]
    patients  = "patient" id ("," id)* | "patients" ["in" turn] ["of sex" sex] ["aged" age "to" age] condition*
    condition = ("with" | "without") ("(" source tail ")" | source tail)
    tail      = ["during" (ordinal | "current") ("hospital" | "icu") "stay"] window*
    window    = ("in" | "since" | "until" | "before" | "after") when | "today" | "yesterday"
    when      = YYYY[-MM[-DD]] | ["month" n] ["day" n] "of" unit | unit
    unit      = ("this" | "last") ("year" | "month" | "week") | "today" | "yesterday" | n ("year" | …)"s" "ago"
    turn      = "A" n           name = a text in double quotes (as JSON)           id = a whole number or a text

A query without "count", "any" or a field is the list of the patients themselves.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NoReturn, cast, get_args

from ehrtui.errors import LogicError
from ehrtui.logic.model import (
    Aggregate,
    Calendar,
    Count,
    Exists,
    Field,
    Function,
    Has,
    Logic,
    PatientId,
    Patients,
    Query,
    Relative,
    Rows,
    Source,
    Stay,
    Unit,
    Want,
    When,
    Window,
)
from ehrtui.logic.render import ORDINALS

RELATIONS = ("in", "since", "until", "before", "after")
FUNCTIONS: tuple[str, ...] = get_args(Function)
KEYWORDS = {
    *("count", "any", "of", "for", "with", "without", "during", "in", "since", "until", "before", "after", "or", "to"),
    *("patient", "patients", "names", "row", "rows", "aged", "sex", "hospital", "icu", "stay", "current", "last"),
    *("this", "today", "yesterday", "ago", "month", "day", *ORDINALS),
}
"""The words with a meaning of their own, for colouring and completion."""

_TOKEN = re.compile(
    r"""\s*(?: (?P<text>"(?:[^"\\]|\\.)*") | (?P<date>\d{4}-\d\d(?:-\d\d)?(?!\d)) | (?P<nth>\d+th\b)
            | (?P<number>-?\d+) | (?P<turn>A\d+\b) | (?P<word>[^\W\d_]+) | (?P<mark>[(),]) )""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    position: int


def parse(text: str) -> Logic:
    """Read one line of query logic. Raises LogicError with the position where it stops making sense."""
    return _Parser(text).logic()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._scan(text)
        self.at = 0

    @staticmethod
    def _scan(text: str) -> list[_Token]:
        tokens, at, end = [], 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                stray = text[at:].lstrip()
                raise LogicError(
                    f"The query logic has a character that means nothing here: {stray[0]!r}.",
                    next_step="Write names in double quotes, and close the quotes.",
                    position=len(text) - len(stray),
                )
            kind = cast(str, match.lastgroup)
            tokens.append(_Token(kind, match[kind], match.start(kind)))
            at = match.end()
        return tokens

    # reading single tokens

    def peek(self, ahead: int = 0) -> _Token:
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else _Token("end", "", len(self.text))

    def take(self, *words: str) -> str | None:
        token = self.peek()
        if token.text in words and token.kind != "text":
            self.at += 1
            return token.text
        return None

    def need(self, *words: str) -> str:
        return self.take(*words) or self.fail("expected " + " or ".join(words))

    def take_kind(self, kind: str) -> str | None:
        if self.peek().kind == kind:
            self.at += 1
            return self.tokens[self.at - 1].text
        return None

    def number(self) -> int:
        return int(self.take_kind("number") or self.fail("expected a number"))

    def fail(self, why: str) -> NoReturn:
        token = self.peek()
        found = f"“{token.text}”" if token.text else "the end"
        raise LogicError(
            f"The query logic cannot be read at {found}.",
            why=f"There I {why}.",
            next_step='An example: first value of lab "lactate" for patient 10045 during last icu stay',
            position=token.position,
        )

    # the grammar

    def logic(self) -> Logic:
        rows = self.rows()
        logic: Logic = rows if rows is not None else self.query()
        if self.peek().kind != "end":
            self.fail("expected the end")
        return logic

    def rows(self) -> Rows | None:
        start = self.at
        count = self.take("count") is not None
        ordinal = self.ordinal()
        if self.take("row", "rows") and self.take("of") and (turn := self.take_kind("turn")):
            return Rows(int(turn[1:]), ordinal, count)
        self.at = start
        return None

    def query(self) -> Query:
        if self.take("count"):
            if self.peek().text == "patients" and self.peek(1).text == "of" and self.peek(2).text != "sex":
                self.at += 2
                return self.target(Count("patients"))
            if self.peek().text in ("patient", "patients"):
                return self.target(Count("patients"))
            if self.take("names"):
                self.need("of")
                return self.target(Count("names"))
            return self.target(Count("records"))
        if self.take("any"):
            return self.target(Exists())
        if self.peek().text in ("patient", "patients"):
            return self.target(Field("id"))
        ordinal = self.ordinal()
        function = self.take(*FUNCTIONS)
        name = self.field()
        want: Want = Aggregate(cast(Function, function), name) if function else Field(name)
        return self.target(want, ordinal)

    def field(self) -> str:
        words = []
        while not self.take("of"):
            words.append(self.take_kind("word") or self.fail("expected what is asked, then “of”"))
        return " ".join(words) or self.fail("expected what is asked")

    def target(self, want: Want, ordinal: int | None = None) -> Query:
        if self.peek().text in ("patient", "patients"):
            source, patients = Source("patient"), self.patients()
        else:
            source = self.source()
            patients = self.patients() if self.take("for") else Patients()
        during, windows = self.tail()
        return Query(want, source, patients, during, windows, ordinal)

    def source(self) -> Source:
        words: list[str] = []
        while self.peek().kind == "word" and (not words or self.peek().text not in KEYWORDS or words == ["icu"]):
            words.append(self.tokens[self.at].text)
            self.at += 1
        if not words:
            self.fail("expected a kind of record, such as lab or prescription")
        names: list[str] = []
        while (name := self.take_kind("text")) is not None:
            names.append(self.string(name))
            if not self.take("or"):
                break
        turn = None
        if self.peek().text == "in" and self.peek(1).kind == "turn":
            self.at += 1
            turn = int(cast(str, self.take_kind("turn"))[1:])
        return Source("_".join(words), tuple(names), turn)

    def patients(self) -> Patients:
        if self.take("patient"):
            ids = [self.id()]
            while self.take(","):
                ids.append(self.id())
            return Patients(ids=tuple(ids))
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
        conditions = []
        while word := self.take("with", "without"):
            conditions.append(self.condition(negated=word == "without"))
        return Patients(turn=turn, sex=sex, age=age, conditions=tuple(conditions))

    def condition(self, *, negated: bool) -> Has:
        bracketed = self.take("(")
        source = self.source()
        during, windows = self.tail()
        if bracketed:
            self.need(")")
        return Has(source, during, windows, negated)

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

    def tail(self) -> tuple[Stay | None, tuple[Window, ...]]:
        during = None
        if self.take("during"):
            ordinal = None if self.take("current") else self.ordinal() or self.fail("expected first, last or current")
            kind = self.need("hospital", "icu")
            self.need("stay")
            during = Stay("hospital" if kind == "hospital" else "icu", ordinal)
        windows = []
        while self.peek().text in ("today", "yesterday") or self.peek().text in RELATIONS:
            windows.append(Window(self.take(*RELATIONS) or "in", self.when()))  # type: ignore[arg-type]
        return during, tuple(windows)

    def when(self) -> When:
        if date := self.take_kind("date"):
            parts = [int(part) for part in date.split("-")]
            return Calendar(*parts)
        if self.peek().kind == "number" and len(self.peek().text) == 4:
            return Calendar(self.number())
        month = self.number() if self.take("month") else None
        day = self.number() if self.take("day") else None
        if month is not None or day is not None:
            self.need("of")
        return self.unit(month, day)

    def unit(self, month: int | None, day: int | None) -> Relative:
        if word := self.take("today", "yesterday"):
            return Relative("day", ("today", "yesterday").index(word), month=month, day=day)
        if word := self.take("this", "last"):
            unit = self.need("year", "month", "week")
            return Relative(cast(Unit, unit), ("this", "last").index(word), month=month, day=day)
        if self.peek().kind != "number":
            self.fail("expected a time, such as 2104, 2104-05, last year or 3 months ago")
        back = self.number()
        unit = self.need(*(f"{unit}{plural}" for unit in get_args(Unit) for plural in ("", "s"))).removesuffix("s")
        self.need("ago")
        return Relative(cast(Unit, unit), back, ago=True, month=month, day=day)
