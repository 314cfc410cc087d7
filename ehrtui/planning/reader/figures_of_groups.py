"""Several figures of each group: "mean length of stay and number of deaths per insurance", "for each ward: stays,
deaths, median age". Each figure is read as a question of its own, with the groups, and all are told side by side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    Aggregate,
    Groups,
    Measure,
    Own,
    PartOf,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.offline.words import Text, words_of
from ehrtui.planning.reader.asking import SEVERAL
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.group_numbers import of_groups
from ehrtui.planning.reader.meanings import limited, parts_of
from ehrtui.planning.reader.reader import Read

_FUNCTION = r"(?:mean|average|avg|median|maximum|max|minimum|min|total|highest|lowest|longest|shortest)"
_COUNT = r"(?:numbers? of|n(?:o|r|um)?\.? of|counts? of|how many|number|count)"
_NOUN = (
    r"(?:(?:in[- ])?(?:hospital|hosp|icu|unit|inpatient)\s+)?"
    r"(?:deaths|deaths? rates?|mortality|admissions|stays|discharges|visits|encounters|patients|people|share|percent"
    r"|percentage|proportion|rate|costs?|age|ages|length of stay|los)"
)
_FIGURE = rf"(?:(?:the|their|its|also)\s+)*(?:(?:{_FUNCTION}|{_COUNT}|{_NOUN})\b)"
_FRONTED = re.compile(
    r"^\W*(?P<key>(?:for|per|by|in|within|(?:split|grouped|broken down|stratified) by)\s+(?:(?:each|every|all)\s+)?"
    r"[^,:;]{2,60}?(?:\s*[,:;]|(?=\s+(?:give|show|list"
    r"|tell|what|report)\b)))\s*(?:(?:give|show|list|tell|report|display|find|me|us|what|is|are|was|were|the|please)\s+)*"
    rf"(?P<figures>{_FIGURE}.+?)[\s?.!]*$"
)
_TRAILING = re.compile(
    r"^\W*(?:(?:give|show|list|tell|report|display|find|me|us|what|is|are|was|were|the|please|a|table|of)\s+)*"
    rf"(?P<figures>{_FIGURE}.+?)\s*,?\s+"
    r"(?P<key>(?:per|by|(?:for|in) (?:each|every)|(?:broken down|grouped|split|stratified) by)\s+.+?)[\s?.!]*$"
)
_NEXT = re.compile(
    rf"\s*(?:,\s*and\b|,|;|&|\+|\band\b|\bplus\b|\bas well as\b|\bwith\b(?= {_FIGURE}))\s*(?={_FIGURE}|\b)"
)
_STARTS = re.compile(rf"^{_FIGURE}")
_LEADS = re.compile(rf"^(?:(?:the|their|its)\s+)*{_FUNCTION}\b")
_COSTS = Set("cost")
_MOST = 5
"""Figures."""
_TOGETHER = -1.1
"""What it saves that the words are figures of the same groups."""
_DEATHS_OF_STAYS = 0.3
"""What it costs that deaths are told by the time of the stays."""
_BEHIND = 1.0
"""A reading of a figure that costs so much more than the likeliest drops something."""


def figures_of_groups(text: Text, read: Callable[[Text], Sequence[Read]], age: Measure) -> list[Read]:
    """The readings of a question that asks for several figures of each group; `read` reads one of them. `age` is how
    old patients are."""
    lower = text.lower
    said = _FRONTED.match(lower) or _TRAILING.match(lower)
    if said is None:
        return []
    stretches = _stretches(lower, *said.span("figures"))
    if not 1 < len(stretches) <= _MOST:
        return []
    told = [_likely(read(_alone(text, said.span("key"), stretch))) for stretch in stretches]
    made = _side_by_side(told, age)
    return [made] if made is not None else []


def figures_said(lower: str) -> int:
    """How many figures of each group a question asks for; 0 where that cannot be told, or it is one."""
    said = _FRONTED.match(lower) or _TRAILING.match(lower)
    stretches = _stretches(lower, *said.span("figures")) if said is not None else []
    return len(stretches) if 1 < len(stretches) <= _MOST else 0


def tells_fewer(statement: Statement, figures: int) -> bool:
    """True for fewer numbers than so many figures."""
    return isinstance(statement, Groups | Single) and len(statement.columns) < figures


def _likely(readings: Sequence[Read]) -> list[Read]:
    return [one for one in readings if one.price < readings[0].price + _BEHIND]


def _stretches(lower: str, start: int, end: int) -> list[list[tuple[int, int]]]:
    """Where each figure stands: its own words, behind those of the first that it shares ("mean age and weight")."""
    cuts = [(found.start(), found.end()) for found in _NEXT.finditer(lower, start, end)]
    begins, ends = [start, *(stop for _, stop in cuts)], [*(first for first, _ in cuts), end]
    figures: list[list[tuple[int, int]]] = []
    led: list[tuple[int, int]] = []
    bare: list[list[tuple[int, int]]] = []
    for begin, stop in zip(begins, ends, strict=True):
        leads = _LEADS.match(lower[begin:stop])
        if _STARTS.match(lower[begin:stop]):
            figures.append([(begin, stop)])
            led = [(begin, begin + leads.end())] if leads is not None else []
        elif led:
            figures.append([*led, (begin, stop)])
        else:
            return []
        if leads is not None and leads.end() == stop - begin:
            bare.append(figures[-1])  # "mean and maximum glucose": of the same
        elif bare:
            of = (begin + leads.end() if leads is not None else begin, stop)
            for figure in bare:
                figure.append(of)
            bare = []
    return figures if not bare else []


def _alone(text: Text, key: tuple[int, int], stretches: Sequence[tuple[int, int]]) -> Text:
    """The question with one figure alone: all others are blank, so that each word stands where it was typed."""
    kept = [key, *stretches]

    def blank(whole: str) -> str:
        return "".join(one if any(start <= at < end for start, end in kept) else " " for at, one in enumerate(whole))

    lower = blank(text.lower)
    return Text(blank(text.typed), lower, words_of(lower))


def _side_by_side(told: Sequence[Sequence[Read]], age: Measure) -> Read | None:
    """The figures as one reading: those of the same groups; None where there are none for one of them."""
    for one in (one for readings in told for one in readings):
        if not isinstance(one.statement, Groups):
            continue
        like = [_like(one.statement, readings) for readings in told]
        reads = [read for read in like if read is not None]
        if len(reads) == len(told) and (statement := _merged([read.statement for read in reads], age)) is not None:
            return _beside(reads, statement)
    return None


def _beside(reads: Sequence[Read], statement: Statement) -> Read:
    """The readings of the figures as one, with the words of all."""
    cover: list[Node] = []
    places: list[tuple[int, int]] = []
    paid: list[tuple[int, int, float]] = []
    for one in reads:
        known, at = {places[node.start] for node in cover}, len(places)
        cover += [_moved(node, at) for node in one.cover if one.places[node.start] not in known]
        paid += [(start + at, end + at, price) for start, end, price in one.paid if one.places[start] not in places]
        places += one.places
    return Read(
        statement,
        max(one.price for one in reads) + _TOGETHER,
        tuple(dict.fromkeys((*(name for one in reads for name in one.why), SEVERAL))),
        tuple(cover),
        tuple(places),
        tuple(dict.fromkeys(passed for one in reads for passed in one.passed)),
        tuple(paid),
    )


def _moved(node: Node, by: int) -> Node:
    """A node over words that stand behind `by` others."""
    parts = tuple(_moved(part, by) for part in node.made_of)
    return replace(node, start=node.start + by, end=node.end + by, made_of=parts)


def _like(groups: Groups, readings: Sequence[Read]) -> Read | None:
    """The likeliest reading that tells of the same groups; deaths by when somebody died are those in the stays of a
    time, where stays are told by it."""
    for one in readings:
        if isinstance(one.statement, Groups) and one.statement.by == groups.by:
            return one
    for one in readings:
        match one.statement:
            case Groups(of=Set("death", (), None, None), by=(PartOf(part, Own("time")),), columns=(Aggregate(),)):
                if groups.of.unit == HOSPITAL and [key.part for key in groups.by if isinstance(key, PartOf)] == [part]:
                    died = limited(groups.of, Test(Own("hospital death"), "=", Value(1)))
                    counted = Groups(died, groups.by, (Aggregate("count", None),))
                    return replace(one, statement=counted, price=one.price + _DEATHS_OF_STAYS)
    return None


def _merged(statements: Sequence[Statement], age: Measure) -> Groups | None:
    groups = [one for one in statements if isinstance(one, Groups)]
    if any(one.having is not None or one.order is not None or one.asked != "all" for one in groups):
        return None
    said = _of_the_first([number for one in groups for number in _of_all(one)])
    if len({number.of for number in said}) > 1:
        said = [_of_stays(number) for number in said]
    numbers = of_groups(said) or of_groups([_of_people(number, age) for number in said])
    if numbers is None:
        return None
    of, columns = numbers
    return Groups(of, groups[0].by, columns) if len(set(columns)) == len(columns) else None


def _of_the_first(numbers: list[Aggregate]) -> list[Aggregate]:
    """ "Urgent admissions and the median age": the age at these, where nothing else is said of the numbers behind the
    first. Not of the dead: "deaths and mean age" has the age of all beside."""
    [first, *rest] = numbers
    own = first.of if first.function == "count" and isinstance(first.of, Set) else None
    if own is None or not parts_of(own.where) or Test(Own("hospital death"), "=", Value(1)) in parts_of(own.where):
        return numbers
    if not all(one.of == Set(own.unit) and isinstance(one.measure, Own) for one in rest):
        return numbers
    return [first, *(replace(one, of=own) for one in rest)]


def _of_stays(number: Aggregate) -> Aggregate:
    """What was charged in all, as the sum over what each stay was charged: beside other numbers of stays."""
    if number.function != "sum" or number.of != _COSTS or number.measure != Own("value"):
        return number
    return replace(number, of=Set(HOSPITAL), measure=Aggregate("sum", _COSTS, Own("value")))


def _of_people(number: Aggregate, age: Measure) -> Aggregate:
    """Ages of stays as those of patients, where only these can be told beside what else is asked of them."""
    own = number.of == Set(HOSPITAL) and number.measure == Own("age")
    return replace(number, of=Set(PATIENT), measure=age) if own else number


def _of_all(groups: Groups) -> Iterator[Aggregate]:
    """Its numbers as those of all its rows; patients who died in a stay are as many as the stays in which they did."""
    died = Test(Own("hospital death"), "=", Value(1))
    for number in groups.columns:
        deaths = groups.of.unit == HOSPITAL and died in parts_of(groups.of.where)
        if deaths and number == Aggregate("distinct", None, Own(PATIENT)):
            number = Aggregate("count", None)
        yield replace(number, of=groups.of)
