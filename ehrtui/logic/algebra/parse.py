"""Text to a statement, by recursive descent.

    statement = rows | groups | numbers | outcome
              | "(" statement ")" ("except" | "and" | "or" | "beside") "(" statement ")"
              | ("rows" | "row" n) "of" answer ["ordered" ["by" "column" name] direction] ["first" n]
    rows      = ["distinct"] (set | field ("," field)* "of" set | "for" "each" set ":" measure ("," measure)*) [order]
    groups    = head ("," head)* "of" (set | "(" set ")") "by" measure ("," measure)* ["having" condition] [order]
                ["showing" ("keys" | "numbers")]
    numbers   = measure ("," measure)*
    outcome   = ("survival" | "mortality") "over" n time-unit "after" set ["then" set] | "meaning" "of" name
              | "top" n set "by" "mortality" "over" n time-unit | "standing" "of" n "in" inner "of" set
              | "difference" "of" ("percent" "(" condition ")" | "mean" inner) "between" "(" set ")" "and" "(" set ")"
    having    : a number of the group is a head alone, as in "count >= 5"
    order     = "ordered" "by" (measure | head) ["descending"] ["first" n ["with" "ties"]]

    set       = [pick] unit [id ("," id)* | item ("or" item)*] modifier* ["per" unit] [("with" | "without") "ties"]
              | pick "(" set ")" modifier* ["per" unit] [("with" | "without") "ties"]
    unit      = "patient(s)" | "hospital stay(s)" | "icu stay(s)" | the name of a role, such as lab or prescription(s)
    pick      = ("first" | "last") [n] | ordinal ["to" "last"] | ("highest" | "lowest") [n | nth] ["(" measure ")"]
              | "current"
    item      = name | ("like" | "code" | "concept") text
    modifier  = ("with" | "without") had | "where" condition | "in" [units "of"] answer | "for" set | "during" set
              | relation ("and" relation)* moment | window
    had       = [("at" "least" | "at" "most" | "exactly") n ["days" "of" | "stays" "of"] ["consecutive"]
              ["within" n time-unit]] (set | "(" (set | condition) ")")
    relation  = "after" | "before" | ("within" | "more" "than") n time-unit ("after" | "before" | "of" | "from")
              | "on" "the" "same" (time-unit | "time") "as" | "in" "the" "same" stay "as" | "overlapping"
    moment    = "(" set ")" ["once" "for" "each"] | field | "(" measure ")"

    condition = conjunction ("or" conjunction)*           conjunction = negation ("and" negation)*
    negation  = ["not"] ("(" condition ")" | modifier | measure comparison measure
              | measure "in" "(" value ("," value)* ")" | measure "like" text | measure "is" state)
    comparison= "=" | "!=" | ">" | ">=" | "<" | "<="      state = "present" | "missing" | "open" | "normal" | "abnormal"

    measure   = term (("+" | "-") term)*                  term = atom (("*" | "/" | "as" "percent" "of") atom)*
    atom      = number | text | "now" | field | "(" measure ")" | head "of" set | function "over" "(" statement ")"
              | (field | "(" measure ")") "of" set | time-unit "from" atom "to" atom | "age" "at" atom
              | "whether" "(" condition ")" | ("previous" | "next") field ["of" set] | part "of" atom
              | "the" "(" statement ")" | "bands" ("of" n | n ("," n)*) "of" atom
    head      = "count" | "share" | "count" units | "count" "distinct" inner | function inner | "percentile" n inner
              | "percent" "(" condition ")"               inner = field | "(" measure ")"
    function  = "sum" | "mean" | "median" | "sd" | "iqr" | "minimum" | "maximum" | "listed"

What stands behind a set restricts the nearest set, but for "with" and "without", which restrict the outermost one that
is not in parentheses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar, cast, get_args

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Age,
    Aggregate,
    All,
    Among,
    Answer,
    AnyOf,
    Band,
    Combined,
    Comparison,
    Condition,
    Difference,
    Function,
    Groups,
    Has,
    InAnswer,
    Interval,
    Is,
    Item,
    Like,
    Math,
    Meaning,
    Measure,
    Mortality,
    Near,
    Neighbour,
    Not,
    Of,
    Order,
    Own,
    Part,
    PartOf,
    Pick,
    Picked,
    Related,
    Relation,
    Rows,
    Scalar,
    Set,
    Single,
    Standing,
    State,
    Statement,
    Survival,
    Test,
    Times,
    TimeUnit,
    Value,
    Whether,
)
from ehrtui.logic.algebra.places import Places
from ehrtui.logic.model import Window
from ehrtui.logic.window_text import WindowReader
from ehrtui.logic.words import ORDINALS

_FUNCTIONS = ("sum", "mean", "median", "sd", "iqr", "minimum", "maximum", "listed")
_HEADS = ("count", "share", "percent", "percentile", *_FUNCTIONS)
_TIME_UNITS = get_args(TimeUnit)
_PARTS = tuple(sorted(get_args(Part), key=len, reverse=True))
_STATES = get_args(State)
_COMPARISONS = get_args(Comparison)
_SINGULARS = {"diagnoses": "diagnosis", "admission": HOSPITAL, "admissions": HOSPITAL}
_BEHIND_HEADS = ("of", ",", "descending", "first", "showing", "having", "and", "or", ")", "", *get_args(Comparison))
_DEEPEST = 30
"""How many parentheses or words may lead deeper into a statement, and how many signs may follow each other."""
_STOPS = {
    *("of", "from", "to", "and", "or", "is", "in", "by", "having", "ordered", "where", "with", "without", "during"),
    *("for", "after", "before", "within", "more", "on", "overlapping", "as", "descending", "ascending", "not", "per"),
    *("beside", "except", "over", "since", "until", "today", "yesterday", "at", "aged", "exactly", "like", "code"),
    *("concept", "first", "showing", "once", "then", "between", "previous", "next"),
}
_TIMED = re.compile(r"\b(time|date)$")
"""What ends the name of a field that is a moment."""
_T = TypeVar("_T")


_Read = TypeVar("_Read", bound=Callable[..., Any])


def parse_statement(text: str) -> Statement:
    """Read one line of text. Raises LogicError with the position where it stops making sense."""
    return read_statement(text)[0]


def read_statement(text: str) -> tuple[Statement, Places]:
    """Read one line of text, and where its parts stand in it. Raises LogicError as `parse_statement` does."""
    parser = _Parser(text)
    return parser.whole(), parser.places


def _placed(read: _Read) -> _Read:
    """A reader whose results have a place."""

    @wraps(read)
    def reading(self: _Parser, *args: Any, **kwargs: Any) -> Any:
        position = self.peek().position
        found = read(self, *args, **kwargs)
        if found is not None:
            self.places.note(found, position)
        return found

    return cast(_Read, reading)


def _once(read: _Read) -> _Read:
    """A reader that reads each place once: alternatives that begin alike would double the work at every level."""

    @wraps(read)
    def reading(self: _Parser, **kwargs: Any) -> Any:
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


class _Parser(WindowReader):
    depth = 0
    loose = True  # whether "with" may follow the set of a number: not in a condition, where it belongs to the outer set
    grouped = False  # whether a number may be over the rows of a group
    farthest: LogicError | None = None

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.places = Places()
        self.read: dict[tuple[object, ...], tuple[Any, int]] = {}

    def whole(self) -> Statement:
        statement = self.statement()
        if self.peek().kind != "end":
            self.fail("expected the end")
        return statement

    # --- alternatives ---

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

    # --- statements ---

    @_placed
    @_once
    def statement(self) -> Statement:
        grouped, self.grouped = self.grouped, False
        readers = (self.answer, self.combined, self.outcome, self.groups, self.rows, self.numbers)
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
        if self.peek().text not in _HEADS:
            return None
        heads = [self.head()]
        while self.take(","):
            heads.append(self.head())
        self.need("of")
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
        if self.peek().text in _HEADS:
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
        by: Measure = self.head() if group and self.peek().text in _HEADS else self.measure()
        descending = self.take("descending") is not None
        first = self.number() if self.take("first") else None
        ties = first is not None and self.words("with", "ties")
        return Order(by, descending, first, ties)

    # --- measures ---

    @_placed
    def head(self) -> Aggregate:
        """A number over the rows of a group, or the beginning of one over a set."""
        function = self.need(*_HEADS)
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

    @_placed
    def inner(self) -> Measure:
        return self.deeper(self.measure) if self.peek().text == "(" else self.own_field()

    @_placed
    def own_field(self) -> Own:
        return Own(self.field())

    def field(self) -> str:
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

    @_placed
    @_once
    def measure(self) -> Measure:
        left, signs = self.term(), 0
        while sign := self.take("+", "-"):
            signs = self.more(signs)
            left = Math(sign, left, self.term())  # type: ignore[arg-type]
        return left

    def more(self, signs: int) -> int:
        """One sign more than so many."""
        return signs + 1 if signs < _DEEPEST else self.fail(f"found more than {_DEEPEST} signs after each other")

    @_placed
    def term(self) -> Measure:
        left, signs = self.atom(), 0
        while sign := ("%" if self.words("as", "percent", "of") else self.take("*", "/")):
            signs = self.more(signs)
            left = Math(sign, left, self.atom())  # type: ignore[arg-type]
        return left

    @_placed
    def atom(self) -> Measure:
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
        if token.text in _HEADS:
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
        if token.text == "age" and self.peek(1).text == "at":
            self.at += 2
            return Age(self.atom())
        if token.text.removesuffix("s") in _TIME_UNITS and self.peek(1).text == "from":
            self.at += 2
            start = self.atom()
            self.need("to")
            return Interval(cast(TimeUnit, token.text.removesuffix("s")), start, self.atom())
        return self.attempt(self.part) or self.own()

    def own(self) -> Measure:
        field = self.own_field()
        return self.picked(field) if self.take("of") else field

    @_placed
    def picked(self, measure: Measure) -> Measure:
        return Picked(measure, self.inner_set())

    def part(self) -> Measure | None:
        for part in _PARTS:
            if self.words(*part.split(), "of"):
                return PartOf(part, self.atom())
        return None

    def bands(self) -> Measure:
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
        if self.peek(1).text == "over" or (self.peek().text == "percentile" and self.peek(2).text == "over"):
            function = self.need(*_HEADS)
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

    # --- sets ---

    def inner_set(self, *, outer: bool = False, bare: bool = False) -> Set:
        """A set within a measure or a condition: its own in parentheses."""
        return self.deeper(self.set) if self.peek().text == "(" else self.set(outer=outer, bare=bare)

    @_placed
    @_once
    def set(self, *, outer: bool = True, bare: bool = False) -> Set:
        """A set; an `outer` one may be followed by with and without, a `bare` one by no condition."""
        conditions: list[Condition] = []
        pick = self.pick()
        if pick is not None and self.peek().text == "(":
            return self.picked_of(pick, outer=outer)
        if pick is None and self.take("current"):
            conditions.append(Is(Own("end time"), "missing"))
        unit = self.unit()
        items: list[Item] = []
        if unit in UNITS:
            ids = self.ids()
            if ids:
                conditions.insert(0, Among(Own("id"), ids))
        else:
            while (item := self.item()) is not None:
                items.append(item)
                if not (self.peek().text == "or" and self._item_after_or() and self.take("or")):
                    break
        while not bare and (condition := self.modifier(outer=outer)) is not None:
            conditions.extend(condition.of if isinstance(condition, All) else (condition,))
        pick = self.per(pick)
        where = None if not conditions else conditions[0] if len(conditions) == 1 else All(tuple(conditions))
        return Set(unit, tuple(items), where, pick)

    def picked_of(self, pick: Pick, *, outer: bool) -> Set:
        """What is picked of a set in parentheses; what stands behind it restricts that set too."""
        of = self.deeper(self.set)
        if of.pick is not None:
            self.fail("found a pick of what is already picked")
        conditions = list(of.where.of if isinstance(of.where, All) else (of.where,) if of.where is not None else ())
        while (condition := self.modifier(outer=outer)) is not None:
            conditions.extend(condition.of if isinstance(condition, All) else (condition,))
        where = None if not conditions else conditions[0] if len(conditions) == 1 else All(tuple(conditions))
        return replace(of, where=where, pick=self.per(pick))

    def _item_after_or(self) -> bool:
        return self.peek(1).kind == "text" or self.peek(1).text in ("like", "code", "concept")

    @_placed
    def pick(self) -> Pick | None:
        if word := self.take("highest", "lowest"):
            nth, through = 1, False
            if ordinal := self.take_kind("nth"):
                nth = int(ordinal[:-2])
            elif self.peek().kind == "number":
                nth, through = self.number(), True
            by = self.deeper(self.measure) if self.peek().text == "(" else Own("value")
            return Pick(nth, by, word == "highest", through=through)
        number = None
        if word := self.take(*ORDINALS):
            number = ORDINALS.index(word) + 1
        elif ordinal := self.take_kind("nth"):
            number = int(ordinal[:-2])
        if number is not None and self.words("to", "last"):
            return Pick(number, descending=True)
        if number is not None:
            through = number == 1 and self.peek().kind == "number"
            return Pick(self.number(), through=True) if through else Pick(number)
        if self.take("last"):
            if self.peek().kind == "number":
                return Pick(self.number(), descending=True, through=True)
            return Pick(descending=True)
        return None

    def per(self, pick: Pick | None) -> Pick | None:
        if pick is None:
            return None
        unit = pick.per
        if self.take("per"):
            unit = "all" if self.take("all") else "day" if self.take("day") else self.unit()
        return Pick(pick.nth, pick.by, pick.descending, unit, self.ties(), pick.through)

    def ties(self) -> bool | None:
        if self.words("with", "ties"):
            return True
        return False if self.words("without", "ties") else None

    def unit(self) -> str:
        words: list[str] = []
        while self.peek().kind == "word" and not self.stops():
            words.append(self.tokens[self.at].text)
            self.at += 1
            if " ".join(words).removesuffix("s") in UNITS:
                break
        if not words:
            self.fail("expected patients, hospital stays, icu stays or a kind of record, such as lab")
        return _singular(" ".join(words))

    def ids(self) -> tuple[Scalar, ...]:
        found: list[Scalar] = []
        while self.peek().kind in ("number", "text"):
            found.append(self.number() if self.peek().kind == "number" else self.quoted())
            if not (self.peek().text == "," and self.peek(1).kind in ("number", "text") and self.take(",")):
                break
        return tuple(found)

    @_placed
    def item(self) -> Item | None:
        if self.peek().kind == "text":
            return Item("name", self.quoted())
        if (kind := self.take("like", "code", "concept")) is not None:
            return Item(kind, self.quoted())  # type: ignore[arg-type]
        return None

    def quoted(self) -> str:
        token = self.take_kind("text") or self.fail("expected a text in double quotes")
        try:
            return cast(str, json.loads(token))
        except json.JSONDecodeError:
            self.at -= 1
            self.fail("expected a text without stray backslashes")

    # --- conditions ---

    @_placed
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

    @_placed
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
        if self.window_ahead():
            return self.window()
        return self.related()

    def among_answer(self) -> Condition | None:
        self.need("in")
        unit = self.unit()
        self.need("of")
        turn = self.take_kind("turn")
        return InAnswer(int(turn[1:]), unit) if turn else None

    def window_ahead(self) -> bool:
        word, following = self.peek().text, self.peek(1)
        if word in ("today", "yesterday"):
            return True
        if word not in ("in", "since", "until", "before", "after"):
            return False
        timed = following.kind in ("number", "date") or following.text in ("this", "today", "yesterday")
        last = following.text == "last" and self.peek(2).text in ("year", "month", "week")
        part = following.text in ("month", "day") and self.peek(2).kind == "number"
        return timed or last or part

    @_placed
    def window(self) -> Window:
        (window,) = self.windows(most=1)
        return window

    def related(self) -> Condition | None:
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
        self.need("and")
        return self.relation()

    def relation(self) -> Relation | None:
        if kind := self.take("after", "before", "overlapping"):
            return Relation(kind)  # type: ignore[arg-type]
        if self.words("on", "the", "same"):
            unit = self.need("time", "minute", *_TIME_UNITS)
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

    def time_unit(self) -> TimeUnit:
        words = [f"{unit}{plural}" for unit in _TIME_UNITS for plural in ("", "s")]
        return cast(TimeUnit, self.need(*words).removesuffix("s"))

    @_placed
    def had(self) -> Has:
        times = self.times()
        if self.peek().text == "(":
            return Has(self.deeper(self.set), times)
        return Has(self.set(outer=False), times)

    def times(self) -> Times | None:
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

    @_placed
    @_once
    def condition(self) -> Condition:
        parts = [self.conjunction()]
        while self.take("or"):
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    @_placed
    def conjunction(self) -> Condition:
        parts = [self.negation()]
        while self.take("and"):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    @_placed
    def negation(self) -> Condition:
        if self.take("not"):
            return Not(self.within(self.negation))
        if self.peek().text == "(":
            readers = (lambda: self.compared(self.measure()), lambda: self.deeper(self.condition))
            return cast(Condition, self.first_of(*readers))
        word = self.peek().text
        if word in ("with", "without"):
            return cast(Condition, self.modifier(outer=True))
        return cast(Condition, self.first_of(self.placed, lambda: self.compared(self.measure())))

    def compared(self, left: Measure) -> Condition:
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

    def values(self) -> tuple[Scalar, ...]:
        found: list[Scalar] = [self.scalar()]
        while self.take(","):
            found.append(self.scalar())
        return tuple(found)

    def scalar(self) -> Scalar:
        return self.quoted() if self.peek().kind == "text" else self.quantity()


def _singular(words: str) -> str:
    if words in _SINGULARS:
        return _SINGULARS[words]
    if words.endswith("ies"):
        return f"{words[:-3]}y"
    one = words.removesuffix("s") if not words.endswith(("ss", "is")) else words
    return {"patient": PATIENT, "hospital stay": HOSPITAL, "icu stay": ICU}.get(one, one)
