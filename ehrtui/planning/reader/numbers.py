"""Numbers in a question: limits, spans of time, how often; read from its words before anything else is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Literal, cast

from ehrtui.logic.algebra.model import Comparison, Relation, TimeUnit
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexicon import phrases
from ehrtui.planning.reader.meanings import Limit, Often, Span

_WORDS = {
    **{word: at for at, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])},
    "dozen": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100,
}  # fmt: skip
_UNITS: dict[str, TimeUnit] = {
    **dict.fromkeys(("minute", "minutes", "min", "mins"), "minute"),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "h"), "hour"),
    **dict.fromkeys(("day", "days", "d", "nights", "night"), "day"),
    **dict.fromkeys(("week", "weeks", "wk", "wks"), "week"),
    **dict.fromkeys(("month", "months", "mo", "mos", "mth", "mths"), "month"),
    **dict.fromkeys(("year", "years", "yr", "yrs", "y"), "year"),
}
LITRES = {"l", "liter", "liters", "litre", "litres"}
_MEASURES = frozenset(
    [
        "mg",
        "g",
        "kg",
        "mcg",
        "ug",
        "ng",
        "l",
        "ml",
        "dl",
        "mmol",
        "meq",
        "mm",
        "mmhg",
        "bpm",
        "percent",
        "%",
        "units",
        "unit",
        "iu",
        "u",
        "k",
        "f",
        "c",
        "celsius",
        "fahrenheit",
        "degrees",
        "degree",
        "mg/dl",
        "mmol/l",
        "cm",
        "m",
        "lb",
        "lbs",
        "pounds",
        "kilos",
        "kilograms",
        "cc",
        "grams",
        "gram",
        "milligrams",
        "liters",
        "litres",
        "per",
        "µg",
        "kpa",
        "cmh2o",
        "msec",
        "ms",
    ]
)
_TIMES = (
    "episodes",
    "bouts",
    "instances",
    "occurrences",
    "attacks",
    "times",
    "time",
    "x",
    "occasions",
    "separate occasions",
)
_DECADES = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
    "nineties": 90,
}  # fmt: skip
_OF_AN_AGE: dict[str, tuple[tuple[Comparison, float], ...]] = {
    "teenager": ((">=", 13), ("<=", 19)), "teen": ((">=", 13), ("<=", 19)), "adolescent": ((">=", 12), ("<=", 17)),
    "sexagenarian": ((">=", 60), ("<=", 69)), "septuagenarian": ((">=", 70), ("<=", 79)),
    "octogenarian": ((">=", 80), ("<=", 89)), "nonagenarian": ((">=", 90), ("<=", 99)), "centenarian": ((">=", 100),),
}  # fmt: skip
"""What people are called for their age."""
_ONCE = {"once": 1, "twice": 2, "thrice": 3}
_BOTH = {"and", "but", "yet", "&"}
_AGO = ("ago", "before", "earlier", "prior")
_OF = ("of", "after", "from", "following", "post", "since", "into")
_BEFORE = ("before", "prior", "preceding", "ahead")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def number(word: str) -> float | None:
    """The number that a word is; None where it is none."""
    if word in _WORDS:
        return float(_WORDS[word])
    if not _NUMBER.fullmatch(word):
        return None
    plain = re.sub(r",(?=\d{3}(?:\D|$))", "", word).replace(",", ".")
    try:
        return float(plain)
    except ValueError:
        return None


def is_decade(word: str) -> bool:
    """True for what ten years of a life are called."""
    return word in _DECADES or age_called(word) != ()


def age_called(word: str) -> tuple[tuple[Comparison, float], ...]:
    """The limits in years of who is called so for their age; none for any other word."""
    return _OF_AN_AGE.get(word.removesuffix("s"), ())


def is_measure(word: str) -> bool:
    """True for a unit of measure."""
    return word in _MEASURES


def time_unit(word: str) -> TimeUnit | None:
    """The unit of time that a word is."""
    return _UNITS.get(word)


def unit_said(words: Sequence[str]) -> TimeUnit | None:
    """The first unit of time among some words."""
    return next((unit for word in words if (unit := time_unit(word)) is not None), None)


_BEYOND: dict[str, Comparison] = {"over": ">", "above": ">", "past": ">", "under": "<", "below": "<"}
"""What makes of a decade only its beginning."""


def find_numbers(words: Sequence[str]) -> Iterator[Node]:
    """Nodes of kind "limit", "span", "relation", "often" and "number", the longest of each place."""
    limits: list[Node] = []
    for at in range(len(words)):
        yield from _decades(words, at)
        yield from _ranges(words, at)
        limits += _limits(words, at)
        yield from _relations(words, at)
        yield from _plain(words, at)
    yield from limits
    yield from _bounded(words, limits)


def _bounded(words: Sequence[str], limits: Sequence[Node]) -> Iterator[Node]:
    """ "Above 100 but below 120", "at least 3 and fewer than 6"."""
    single = [node for node in limits if node.kind == "limit"]
    for first, second in product(single, single):
        between = words[first.end : second.start]
        if first.end >= second.start or not set(between) & _BOTH or not set(between) <= {*_BOTH, ","}:
            continue
        units = {first.sense.unit, second.sense.unit} - {""}
        tests = (*first.sense.tests, *second.sense.tests)
        if len(units) < 2 and is_bounded(tests):
            yield Node("limit", Limit(tests, "".join(units)), first.start, second.end, -0.1)


def is_bounded(tests: Iterable[tuple[str, float]]) -> bool:
    """True for limits from below and from above, between which something lies."""
    lows = [value for relation, value in tests if relation in (">", ">=")]
    highs = [value for relation, value in tests if relation in ("<", "<=")]
    return bool(lows and highs) and max(lows) < min(highs)


def _decades(words: Sequence[str], at: int) -> Iterator[Node]:
    """ "In their 50s", "in her seventies": ages of ten years."""
    low = _DECADES.get(words[at])
    end = at + 1
    if low is None and words[at].rstrip("s").isdigit() and (words[at].endswith("s") or words[end : end + 1] == ("s",)):
        low = int(words[at].rstrip("s"))
        end += not words[at].endswith("s")
    if low is None or low % 10 or not 10 <= low <= 90:
        return
    start = at
    while start and words[start - 1] in ("in", "their", "his", "her", "the", "aged", "age"):
        start -= 1
    if start and (sign := _BEYOND.get(words[start - 1])) is not None:  # "the over 70s"
        yield Node("limit", Limit(((sign, low),), "year"), start - 1, end, -0.1)
        return
    yield Node("limit", Limit(((">=", low), ("<=", low + 9)), "year"), start, end, -0.05 * (at - start))


def _ranges(words: Sequence[str], at: int) -> Iterator[Node]:
    """ "Between 5 and 8", "5-8", "from 60 to 70"."""
    start = at
    lead = words[at] if words[at] in ("between", "from") else ""
    if lead:
        at += 1
    low = _at(words, at)
    if low is None or at + 2 >= len(words):
        return
    joint = words[at + 1]
    high = number(words[at + 2])
    joined = joint in ("-", "–", "—", "to") or (joint in ("and", "through", "until") and lead)
    next_to = joint == "or" and low == int(low) and high == low + 1  # "two or three"
    if high is None or not (joined or next_to) or high <= low:
        return
    end, unit = _unit_behind(words, at + 3)
    yield Node("limit", Limit(((">=", low), ("<=", high)), unit), start, end, 0.2 * next_to)


def _limits(words: Sequence[str], at: int) -> Iterator[Node]:
    for size, senses in phrases().at(tuple(words[at : at + 5]), 0):
        for sense in senses:
            if sense.kind != "limit":
                continue
            behind = at + size
            while behind < len(words) and words[behind] in (
                "the",
                "a",
                "an",
                "of",
                "age",
                "about",
                "to",
                "than",
                "just",
            ):
                behind += 1
            value = _at(words, behind)
            if value is None and behind > at + size and behind < len(words) and time_unit(words[behind]):
                value, behind = 1.0, behind - 1  # "more than a week"
            if value is not None:
                end, unit = _unit_behind(words, behind + 1)
                relation = cast(Comparison, sense.which)
                again = _times_behind(words, end) if not unit else None
                if again is not None:
                    yield Node("often", _often(relation, value), at, again)
                else:
                    yield Node("limit", Limit(((relation, value),), unit), at, end)
            elif behind < len(words) and words[behind] in _ONCE:
                yield Node("often", _often(cast(Comparison, sense.which), _ONCE[words[behind]]), at, behind + 1)
    value = _at(words, at)
    if value is None:
        return
    middle, unit = _unit_behind(words, at + 1)
    for place in {at + 1, middle}:
        for size, senses in phrases().at(tuple(words[place : place + 4]), 0):
            for sense in senses:
                if sense.kind == "behind":
                    end = place + size
                    said, late = (middle, unit) if place == middle else _unit_behind(words, end)
                    end = max(end, said if place != middle else end)
                    again = _times_behind(words, end) if not (unit or late) else None
                    relation = cast(Comparison, sense.which)
                    if again is not None:
                        yield Node("often", _often(relation, value), at, again)
                    else:
                        yield Node("limit", Limit(((relation, value),), unit or late), at, end)


_TO_THEN = -0.6
"""What it saves that the last hours are those before something, and not those until now."""
_ONE_WAY = 0.9
"""What it costs that "within a day of" something is only meant of what came behind it."""


def _relations(words: Sequence[str], at: int) -> Iterator[Node]:
    """ "Within 24 hours of", "in the first 48 h after", "in the last 24 hours before", "more than 3 days before", "30
    days after"."""
    here, beyond, first, last = at, False, False, False
    if words[here] in ("within", "in", "during", "over", "inside"):
        here += 1
        while here < len(words) and words[here] in ("the", "a", "their", "his", "her", "space", "of"):
            here += 1
    for size, senses in phrases().at(tuple(words[here : here + 4]), 0):
        if any(sense.kind == "limit" and sense.which in (">", ">=") for sense in senses):
            beyond, here = True, here + size
            break
        if any(sense.kind == "limit" and sense.which in ("<", "<=") for sense in senses) and words[here] != "within":
            here += size
            break
    if here < len(words) and words[here] in ("first", "initial", "opening"):
        first, here = True, here + 1
    elif here > at and here < len(words) and words[here] in ("last", "final"):
        last, here = True, here + 1
    while here < len(words) and words[here] in ("the", "a", "an", "-"):
        here += 1
    value = _at(words, here)
    if (
        value is None
        and (first or last)
        and here < len(words)
        and time_unit(words[here])
        and not words[here].endswith("s")
    ):
        value, here = 1.0, here - 1  # "the first day of"
    if (
        value is None
        and here > at
        and here < len(words)
        and time_unit(words[here])
        and words[here - 1] in ("a", "an", "the")
    ):
        value, here = 1.0, here - 1  # "within a day of"
    if value is None or here + 1 >= len(words):
        return
    unit_at = here + 2 if words[here + 1] == "-" and here + 2 < len(words) else here + 1
    unit = time_unit(words[unit_at])
    if unit is None:
        return
    end = unit_at + 1
    bound = "beyond" if beyond else "within" if here > at else ""
    if not last:
        yield Node("span", Span(value, unit, bound), at, end)
    elif end == len(words) or words[end] not in _BEFORE:
        return  # "in the last 3 months": until now
    if end < len(words):
        if words[end] in _OF and not (words[end] in ("of", "from", "into", "since") and here == at and not first):
            kind: Literal["around", "after"] = (
                "around" if words[end] in ("of", "from") and not first and not beyond else "after"
            )
            yield Node("relation", Relation(kind, value, unit, beyond), at, end + 1)
        if words[end] in _BEFORE:
            stop = end + 2 if end + 1 < len(words) and words[end + 1] in ("to", "of") else end + 1
            yield Node("relation", Relation("before", value, unit, beyond), at, stop, _TO_THEN if last else 0.0)
    if first or words[at] == "within":
        turned = words[at] == "within" and words[end : end + 1] == ("of",)  # "within a day of": either way
        yield Node("relation", Relation("after", value, unit), at, end, _ONE_WAY if turned else 0.3)


_DIFFERENT = {"different", "separate", "distinct", "individual"}
_COUNTED_ON: dict[str, Literal["days", "stays"]] = {
    **dict.fromkeys(("day", "days", "dates"), "days"),
    **dict.fromkeys(("admission", "admissions", "stays", "visits", "hospitalizations", "encounters"), "stays"),
}


def _plain(words: Sequence[str], at: int) -> Iterator[Node]:
    if words[at] in _ONCE and words[at] != "once":
        yield Node("often", Often(">=", _ONCE[words[at]]), at, at + 1)
        if words[at + 1 : at + 3] in (("or", "more"), ["or", "more"]):
            yield Node("often", Often(">=", _ONCE[words[at]]), at, at + 3, -0.1)
    if words[at] in ("multiple", "repeated", "recurrent"):
        yield Node("often", Often(">=", 2), at, at + 1, 0.1)
    value = _at(words, at)
    if value is None:
        return
    if (again := _times_behind(words, at + 1)) is not None:
        yield Node("often", Often(">=", int(value)), at, again)
        for size, senses in phrases().at(tuple(words[again : again + 3]), 0):
            for sense in senses:
                if sense.kind == "behind":  # "three times or more"
                    yield Node("often", _often(cast(Comparison, sense.which), value), at, again + size, -0.1)
    yield from _on_different(words, at, int(value))
    if not _stands_for_another(words, at):
        yield Node("number", value, at, at + 1)


def _stands_for_another(words: Sequence[str], at: int) -> bool:
    """ "And their first one": a word for what was named before, and no number."""
    if words[at] != "one" or not at or words[at - 1] not in _OF_SEVERAL:
        return False
    return at + 1 == len(words) or words[at + 1] in _ENDING


_OF_SEVERAL = {"first", "last", "latest", "earliest", "initial", "final", "previous", "next", "highest", "lowest"}
_ENDING = {",", ".", "?", ";", ")", "and", "or", "of", "in", "at", "on", "is", "was", "before", "after", "during"}


def _on_different(words: Sequence[str], at: int, count: int) -> Iterator[Node]:
    """ "On five different days", "in at least two separate admissions"."""
    start, end = at, at + 1
    if words[end : end + 2] in (("or", "more"), ["or", "more"]):
        end += 2
    counted = _COUNTED_ON.get(words[end + 1]) if end + 1 < len(words) and words[end] in _DIFFERENT else None
    if counted is None:
        return
    relation: Literal["=", ">="] = ">="
    before = " ".join(words[max(0, at - 2) : at])
    if before in ("at least", "more than"):
        start, count = at - 2, count + (before == "more than")
    elif before.endswith("exactly"):
        start, relation = at - 1, "="
    if start and words[start - 1] in ("on", "in", "during", "over"):
        start -= 1
    yield Node("often", Often(relation, count, of=counted), start, end + 2, -0.4)


def _often(relation: Comparison, value: float) -> Often:
    if relation == ">":
        return Often(">=", int(value) + 1)
    if relation == "<":
        return Often("<=", max(int(value) - 1, 0))
    return Often(relation if relation in ("=", ">=", "<=") else "=", int(value))


def often(limit: Limit) -> Often | None:
    """A limit as a number of times; None where it is no whole number."""
    if limit.unit or any(value != int(value) for _, value in limit.tests):
        return None
    each = sorted((_often(*test) for test in limit.tests), key=lambda one: one.relation, reverse=True)
    if len(each) == 1:
        return each[0]
    return replace(each[0], most=each[1].count) if [one.relation for one in each] == [">=", "<="] else None


def _at(words: Sequence[str], at: int) -> float | None:
    return number(words[at]) if at < len(words) else None


def _unit_behind(words: Sequence[str], at: int) -> tuple[int, str]:
    """Where a unit behind a number ends, and the unit of time that it is; units of measure are only passed."""
    here = at + 1 if at + 1 < len(words) and words[at] == "-" and time_unit(words[at + 1]) else at
    if here < len(words) and (unit := time_unit(words[here])) is not None:
        later = words[here + 1] if here + 1 < len(words) else ""
        return here + 1, unit if later not in _AGO else ""
    if words[here : here + 1] == ("s",):
        return here + 1, "year"  # "over 70s"
    while here < len(words) and (
        (words[here] in _MEASURES and not of_a_stay(words, here))
        or (words[here] == "/" and here + 1 < len(words) and words[here + 1] in _MEASURES | {"hr", "min", "kg"})
    ):
        here += 2 if words[here] == "/" else 1
    return here, ""


def of_a_stay(words: Sequence[str], at: int) -> bool:
    """ "More than one unit stay": a unit in which people lie, and none of measure."""
    said = words[at : at + 2]
    return len(said) > 1 and said[0] == "unit" and said[1].startswith(("stay", "admission", "visit"))


def _times_behind(words: Sequence[str], at: int) -> int | None:
    return (
        at + 1
        if at < len(words) and words[at] in _TIMES and not (at + 1 < len(words) and words[at + 1] == "the")
        else None
    )
