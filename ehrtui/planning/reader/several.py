"""Several numbers side by side: "how many, and how many of them died", "patients? admissions?", "n and deaths"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    UNITS,
    Aggregate,
    Among,
    Condition,
    Has,
    Measure,
    Not,
    Of,
    Own,
    Set,
    Single,
    Statement,
    Test,
    TimeUnit,
    Value,
)
from ehrtui.logic.model import Window
from ehrtui.planning.reader.at_other_times import all_in_the_last_time, at_another_time
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.contradictions import contradictory
from ehrtui.planning.reader.grammar import OLDEST, YOUNGEST, Context
from ehrtui.planning.reader.meanings import FUNCTIONS, Limit, every, length_of, limited, maybe, parts_of, plain, unit_of
from ehrtui.planning.reader.numbers import time_unit
from ehrtui.planning.reader.traits import death, having, readmission, trait_of

_JOINTS = {"and", "&", "+", ",", ";", ":", ".", "?", "-", "–", "alongside", "plus", "also"}
_NOT_IN_PARTS = ("share", "by", "each", "most", "superlative", "ask")
_POINTING = {"them", "those", "these", "they", "that", "which", "whom", "it"}
_IDLE = ("count", "pronoun", "relation", "list", "and", "distinct")
_SAID_OF_THEM = ("event", "trait", "limit")
_ASKS = {"when", "where", "what", "which", "who", "whose", "whom"}
"""Words that ask for something else than a number, where none is asked for."""
_VERBS = {"died", "die", "ended", "expired", "end", "survived", "perished", "not", "never"}
"""Words that make a clause of an end: "and died", "and did not survive"."""
_HAVE = {"had", "have", "has", "having", "with", "included", "needed"}
_OF_ALL = {"of", "among", "amongst"}
_OF_THOSE = {("of", "those"), ("of", "these"), ("of", "them"), ("of", "whom"), ("of", "which")}
_ALL_LOST = 1.5
"""What it costs that "how many of those" is told of others."""
_PEOPLE_UNSAID = 1.8
"""What it costs that people are counted behind records, where none are named: "how many cultures, how many had A"."""
_MOST_PARTS = 4
_NO_COUNT = 0.3
"""What it costs that no word asks for a number."""
_FURTHER = 0.35
"""What a further part saves: it is no loose piece of one number."""

Reader = Callable[[Sequence[Node]], "tuple[Statement, float] | None"]
"""Reads a part of a cover by itself: what it asks for, and what that costs."""


@dataclass(frozen=True)
class _Part:
    """Numbers of one part of a question, the set that the first is of, and what reading them so costs."""

    numbers: tuple[Measure, ...]
    of: Set
    cost: float


def numbers_of(context: Context, cover: Sequence[Node], read: Reader) -> Iterator[tuple[Statement, float]]:
    """The statements that give a number for each of several parts of a cover, with what each costs."""
    counted = next((at for at, node in enumerate(cover) if node.kind == "count"), len(cover))
    if any(node.kind in _NOT_IN_PARTS or (node.kind == "function" and at < counted) for at, node in enumerate(cover)):
        return
    counts = sum(node.kind == "count" for node in cover)
    valued = any(node.kind == "event" and node.sense.of.pick is not None for node in cover)  # "and their last urea"
    if not counts and (valued or _ASKS & set(context.lexed.words)):
        return
    for places in _cuts(context, cover):
        edges = (0, *places, len(cover))
        parts = [cover[start:end] for start, end in pairwise(edges)]
        made = _parts_read(context, parts, read)
        if made is not None:
            unsaid = 0.0 if counts else _NO_COUNT
            yield Single(made.numbers), made.cost + unsaid - _FURTHER * (len(parts) - 1)


def _cuts(context: Context, cover: Sequence[Node]) -> Iterator[tuple[int, ...]]:
    """Where a cover may be cut into parts: one cut, or one before each further number."""
    places = [at for at in range(1, len(cover)) if _joined_at(context, cover, at)]
    for at in places:
        yield (at,)
    if 1 < len(places) < _MOST_PARTS:
        yield tuple(places)


def _joined_at(context: Context, cover: Sequence[Node], at: int) -> bool:
    before, behind = cover[at - 1], cover[at]
    between = {*context.between(before, behind), context.lexed.words[before.end - 1]}
    if "both" in context.before(before) and "and" in between:
        return False  # "given both heparin and warfarin"
    starts = behind.kind == "and" or context.lexed.words[behind.start] in _JOINTS
    return before.kind != "and" and (starts or behind.kind == "count" or bool(between & _JOINTS))


def _parts_read(context: Context, parts: Sequence[Sequence[Node]], read: Reader) -> _Part | None:
    asked = any(node.kind == "count" for node in parts[0])
    counted = [at for at, part in enumerate(parts) if any(node.kind == "count" for node in part)]
    middle = [node.kind for part in parts[1 : counted[0] if counted else 1] for node in part]
    if not {"trait", "event", "dead"}.isdisjoint(middle):
        return None  # "lactate above 4, but no sepsis. how many stays?": both are said of the stays
    if any(_takes_away(part) or _limits_all(context, part) for part in parts[1:]):
        return None
    said = [node for part in parts[1:] for node in part]
    pointing = _POINTING & {word for node in said for word in context.lexed.words[node.start : node.end]}
    if asked and len(counted) > 1 and context.lexed.words[0] in _OF_ALL and not pointing:
        return None  # "of those with A, how many had B and how many C": C is said of all of those
    if counted == [0] and any(_did(context, before, part) for before, part in pairwise(parts)):
        return None
    first = _counted(_whole(parts[0]), read)
    if first is None:
        return None
    numbers, of, cost = first.numbers, first.of, first.cost
    of_all = not asked and context.lexed.words[0] in _OF_ALL  # whose number nobody asks for
    if of_all or (not asked and of.unit not in UNITS):
        numbers = ()  # "428.x: patients, admissions": what they have, not a number of its own
    for part in parts[1:]:
        further = _further(context, of, _whole(part), read if asked else None)
        if further is None or set(further.numbers) & set(numbers):
            return None
        numbers, cost = (*numbers, *further.numbers), cost + further.cost
        if not numbers[1:] and not asked and not of_all:
            of = further.of
    if asked and len(parts) == 2 and _ends_in_a_time(context, parts):
        numbers = all_in_the_last_time(numbers)
    return _Part(numbers, of, cost) if len(numbers) > 1 else None


def _ends_in_a_time(context: Context, parts: Sequence[Sequence[Node]]) -> bool:
    """ "How many X and how many Y in 2104": two nouns that are counted, and a time behind both."""
    first, last = (_whole(part) for part in parts)
    said, kinds = ([node.kind for node in part if node.kind not in ("list", "distinct")] for part in (first, last))
    nouns = len(said) == 2 and len(kinds) in (2, 3) and said[0] == kinds[0] == "count"
    joint = context.lexed.words[first[-1].end : last[0].start]
    return nouns and kinds[2:] in ([], ["window"]) and set(joint) <= {"and", "&"}


def _takes_away(part: Sequence[Node]) -> bool:
    """ "How many had A and B, but no C": fewer of those who are counted, and no further number."""
    return (
        bool(part)
        and not any(node.kind == "count" for node in part)
        and any(node.kind == "trait" and isinstance(node.sense.condition, Not) for node in part[:2])
    )


def _limits_all(context: Context, part: Sequence[Node]) -> bool:
    """ "Orders of heparin per month, by vein only": fewer of what is counted, and no further number."""
    words = context.lexed.words[part[0].start - 1 : part[-1].end + 1] if part and part[0].start else ()
    return bool({"only", "alone"} & set(words)) and not any(node.kind in ("count", "dead") for node in part)


def _did(context: Context, before: Sequence[Node], part: Sequence[Node]) -> bool:
    """ "Count the stays that began in the ED and ended in death", "and did not survive": a verb, which says more of
    what is counted."""
    words = context.lexed.words
    told = [node for node in part if node.kind not in ("and", "list")]
    dying = len(told) == 1 and told[0].kind == "dead" and told[0].sense != "left alive"
    joined = {*words[before[-1].end - 1 : told[0].start + 1]} if dying else set()
    return dying and "and" in joined and bool(_VERBS & {*words[told[0].start : told[0].end]})


def _whole(part: Sequence[Node]) -> list[Node]:
    """A part whose words for joining belong to what joins it to the next."""
    found = []
    for node in part:
        kind = node.kind.removesuffix("-and")
        found.append(replace(node, kind=kind) if kind in ("people", "stays", "trait") else node)
    return [node for node in found if node.kind != "and" and not _stands_for_it(node)]


def _stands_for_it(node: Node) -> bool:
    """ "How many stays, and how many patients had one": what the first part named."""
    return node.kind == "number" and node.sense == 1 and node.end - node.start == 1


def _counted(part: Sequence[Node], read: Reader) -> _Part | None:
    """A part that says how many, or of which rows."""
    if not part:
        return None
    if not any(node.kind == "count" for node in part):
        part = [Node("count", "words", part[0].start, part[0].start), *part]
    made = read(part)
    if made is None:
        return None
    statement, cost = made
    if isinstance(statement, Single) and all(
        isinstance(one, Aggregate) and one.function == "count" for one in statement.columns
    ):
        [number] = statement.columns if len(statement.columns) == 1 else [None]
        if isinstance(number, Aggregate) and isinstance(number.of, Set):
            return _Part((number,), number.of, cost)
    return None


def set_counted(part: Sequence[Node], read: Reader) -> tuple[Set, float] | None:
    """The rows that a part names, as it is read to count them, with what that costs."""
    found = _counted(part, read)
    return None if found is None else (found.of, found.cost)


def _further(context: Context, of: Set, part: Sequence[Node], read: Reader | None) -> _Part | None:
    """A further part: the same rows under more conditions, the same as rows of another unit, or a number by itself."""
    if not part:
        return None
    telling = [node for node in part if node.kind not in _IDLE]
    reckoned = _reckoned(context, of, telling)
    if reckoned is not None:
        return reckoned
    counted = any(node.kind == "count" for node in part)
    otherwise = _otherwise(of, telling) or (at_another_time(of, telling) if counted else None)
    if otherwise is not None:
        return _Part((Aggregate("count", otherwise),), otherwise, 0.0)
    stayed = _with_a_stay(context, of, telling)
    if stayed is not None:
        return _Part((Aggregate("count", stayed),), stayed, 0.0)
    same = _as_unit(context, of, telling)
    if same is not None:
        return _Part((Aggregate("count", same),), same, 0.1)
    words = set(_words_of(context, part))
    points = bool(words & _POINTING)
    of_them = bool(_OF_THOSE & set(pairwise(_words_of(context, part))))
    if of_them and of.unit in UNITS:  # "in how many of them the patient died"
        telling = [node for node in telling if not (node.kind == "people" and node.sense.of.where is None)]
    of_same = of_them or _is_said_of_them(context, part)
    own = not of_same and any(
        node.kind in ("people", "stays") or (node.kind == "event" and node.sense.noun) for node in telling
    )
    if read is not None and counted and not points and all(node.kind in _SAID_OF_THEM for node in telling):
        alone = _counted(part, read)
        if alone is not None and alone.of.unit == of.unit and len(_telling(of)) < 2:
            return alone
        if (beside := _instead(context, of, telling)) is not None:
            return _Part((Aggregate("count", beside),), beside, 0.0)
    if points and len(telling) == 1 and telling[0].kind == "stays" and {"that", "same"} & words:
        within = _in_stay(of, telling[0].sense.of)
        if within is not None:
            return _Part((Aggregate("count", within),), within, 0.0)
    if telling and (points or not own):
        narrower = _narrower(context, of, telling)
        if narrower is not None and contradictory(narrower):
            other = _instead(context, of, telling) if counted else None  # "how many women died, and how many lived"
            return _Part((Aggregate("count", other),), other, 0.0) if other is not None else None
        if narrower is not None:
            said = points or of_same or any(node.kind == "dead" for node in telling)
            return _Part((Aggregate("count", narrower),), narrower, 0.0 if said else 0.4)
    if read is None or not counted or (points and any(node.kind == "together" for node in telling)):
        return None
    alone = _counted(part, read)
    said = alone is not None and (alone.of.where is not None or bool(alone.of.items))
    if alone is not None and of_them:
        alone = replace(alone, cost=alone.cost + _ALL_LOST)
    if alone is not None and of.unit not in UNITS and alone.of.unit == PATIENT and not own:
        alone = replace(alone, cost=alone.cost + _PEOPLE_UNSAID)
    return alone if said or (of.where is None and not of.items) else None


def _otherwise(of: Set, part: Sequence[Node]) -> Set | None:
    """ "Given heparin by vein, and the number given it under the skin": the same records with another value of the
    attribute that was said of them; None where none was."""
    traits = [node.sense for node in part if node.kind == "trait"]
    if len(traits) != 1 or len(traits) != sum(node.kind != "pronoun" for node in part):
        return None
    [trait] = traits
    conditions = list(parts_of(of.where))
    for at, had in enumerate(conditions):
        if not isinstance(had, Has) or not trait.field or had.of.unit != unit_of(trait.role):
            continue
        kept = [one for one in parts_of(had.of.where) if not _is_on(one, trait.field)]
        if had.of.items and len(kept) < len(parts_of(had.of.where)):
            conditions[at] = replace(had, of=limited(replace(had.of, where=maybe(kept)), trait.condition))
            return replace(of, where=every(conditions))
    return None


def _is_on(condition: Condition, field: str) -> bool:
    match condition:
        case Test(left=left) | Among(measure=left):
            return left == Own(field)
    return False


def _is_said_of_them(context: Context, part: Sequence[Node]) -> bool:
    """ "… and how many are women", "and how many were in men": the people are what those are who were counted."""
    for count, said in pairwise([node for node in part if node.kind in ("count", "people", "stays", "event")]):
        between = context.lexed.words[count.end : said.start]
        if count.kind == "count" and said.kind == "people" and between[:1] in (("are",), ("were",)):
            return said.sense.of.where is not None
    return False


def _words_of(context: Context, part: Sequence[Node]) -> tuple[str, ...]:
    return context.lexed.words[part[0].start : part[-1].end]


def _reckoned(context: Context, of: Set, part: Sequence[Node]) -> _Part | None:
    """ "…, and their average age": a number over an attribute of the same patients or stays."""
    functions = [node for node in part if node.kind == "function"]
    fields = [node for node in part if node.kind == "field" and len(node.sense.fields) == 1]
    names = [node.sense.fields[0] for node in fields]
    rest = [node for node in part if node.kind not in ("function", "field", "stays")]
    pointing = all(one.kind == "people" and one.sense.of.where is None and not one.sense.one for one in rest)
    if len(functions) != 1 or len(names) != 1 or names[0] not in ("age", "length") or not pointing:
        return None
    unit = context.world.aged if names[0] == "age" else HOSPITAL
    if of.unit not in (PATIENT, unit):
        return None
    over = of if of.unit == unit else Set(unit, (), Of(of))
    measure = Own("age") if names[0] == "age" else length_of(_unit_behind(context, fields[0]))
    numbers = tuple(Aggregate(one, over, measure) for one in FUNCTIONS[functions[0].sense])
    return _Part(numbers, of, 0.0)


def _unit_behind(context: Context, length: Node) -> TimeUnit:
    """The unit that is said of a length: "mean duration in minutes"; days where none is."""
    behind = context.lexed.words[length.end : length.end + 2]
    return (time_unit(behind[1]) if behind[:1] in (("in",), ("(",)) and len(behind) > 1 else None) or "day"


def _with_a_stay(context: Context, of: Set, part: Sequence[Node]) -> Set | None:
    """ "How many of them had an ICU stay": those of the patients, or hospital stays, with such a stay, and no number of
    stays."""
    if len(part) != 1 or part[0].kind != "stays" or of.unit not in (PATIENT, HOSPITAL):
        return None
    stay, words = part[0], context.lexed.words
    if stay.sense.of.unit in (of.unit, PATIENT) or not _HAVE & {*words[max(0, stay.start - 2) : stay.start]}:
        return None
    return limited(of, Has(stay.sense.of))


def _as_unit(context: Context, of: Set, part: Sequence[Node]) -> Set | None:
    """The patients, or the stays, that the rows of a set belong to, where only these are said."""
    if len(part) != 1:
        return None
    [node] = part
    if node.kind not in ("people", "stays") or node.sense.of.where is not None or node.sense.of.pick is not None:
        return None
    unit = node.sense.of.unit
    if unit == of.unit or (node.kind == "people" and node.sense.one):
        return None
    if of.unit == PATIENT:
        conditions = parts_of(of.where)
        return Set(unit, (), of.where) if conditions and all(isinstance(one, Has) for one in conditions) else None
    return Set(unit, (), Has(of))


def _narrower(context: Context, of: Set, part: Sequence[Node]) -> Set | None:
    """The rows of a set that meet what a part says; None where it says anything else."""
    conditions: list[Condition] = []
    if of.unit == PATIENT and any(node.kind == "together" for node in part):
        return _in_one_stay(context, of, [node for node in part if node.kind != "together"])
    for node in part:
        if node.kind == "people" and node.sense.of == Set(PATIENT) and of.unit != PATIENT:
            continue  # "in how many of those did the patient die"
        found = _condition(context, of, node)
        if found is None:
            return None
        conditions += found
    return limited(of, *conditions) if conditions else None


def _telling(of: Set) -> list[Condition]:
    """What a set's rows meet, but for when they were."""
    return [part for part in parts_of(of.where) if not isinstance(part, Window)]


def _instead(context: Context, of: Set, part: Sequence[Node]) -> Set | None:
    """ "How many admissions had A, and how many B": those like the first, with B in the place of A, which was said
    last."""
    told = _telling(of)
    conditions = [_condition(context, of, node) for node in part]
    if of.pick is not None or not told or not conditions or None in conditions:
        return None
    kept = [one for one in parts_of(of.where) if one != told[-1]]
    return limited(replace(of, where=maybe(kept)), *(one for found in conditions if found is not None for one in found))


def _in_one_stay(context: Context, of: Set, part: Sequence[Node]) -> Set | None:
    """ "…, and how many of those died during that stay": of the stays in which they had what they are."""
    stays = Set(HOSPITAL)
    more = [_condition(context, stays, node) for node in part]
    if not part or None in more:
        return None
    return _in_stay(of, limited(stays, *(one for found in more if found is not None for one in found)))


def _in_stay(of: Set, stays: Set) -> Set | None:
    """The patients who had such a stay, in which they had what they are meant by; None where nothing is."""
    had = [one for one in parts_of(of.where) if isinstance(one, Has) and one.of.unit not in UNITS]
    if of.unit != PATIENT or len(had) != len(parts_of(of.where)) or not had or stays.pick is not None:
        return None
    return Set(PATIENT, (), Has(limited(stays, *had)))


def _condition(context: Context, of: Set, node: Node) -> list[Condition] | None:
    if node.kind == "event" and not node.sense.noun:
        return [having(node.sense)] if of.unit in UNITS else None
    if node.kind == "growth" and context.world.holds(of.unit, "organism"):
        return [context.world.growth(node.sense)]
    if node.kind == "dead":
        condition = death(context, node.sense, of.unit) if of.unit in UNITS else None
        return None if condition is None else [condition]
    if node.kind == "trait":
        if of.unit == PATIENT:
            return [trait_of(context, node.sense)]
        held = unit_of(node.sense.role) == of.unit if node.sense.role else "stay" in node.sense.of
        return [node.sense.condition] if held or (of.unit in UNITS and "stay" in node.sense.of) else None
    if node.kind == "people":
        told = parts_of(node.sense.of.where)
        if of.unit in UNITS and of.unit != PATIENT and told == (Has(Set("death")),):  # "did the patient die"
            return [Test(Own("hospital death"), "=", Value(1))]
        return list(told) if of.unit == PATIENT else [Of(node.sense.of)] if of.unit in UNITS and told else None
    if node.kind in ("readmitted", "readmission"):
        back = readmission(node.sense if node.kind == "readmission" else None)
        if of.unit == HOSPITAL:
            return [back]
        return [Has(Set(HOSPITAL, (), back))] if of.unit == PATIENT else None
    if node.kind == "limit" and of.unit == PATIENT and (older := _of_age(context, of, node.sense)) is not None:
        return [older]
    if node.kind == "limit" and of.unit in UNITS and not node.sense.unit:
        measured = [one for one in parts_of(of.where) if isinstance(one, Has) and _has_values(context, one.of)]
        tests = [Test(Own("value"), sign, Value(plain(number))) for sign, number in node.sense.tests]
        return [Has(limited(measured[0].of, *tests))] if len(measured) == 1 else None  # "tested, and over 1"
    if node.kind == "limit" and of.unit not in UNITS and not node.sense.unit:
        return [Test(Own("value"), sign, Value(plain(number))) for sign, number in node.sense.tests]
    return None


def _of_age(context: Context, of: Set, limit: Limit) -> Condition | None:
    """ "…, and how many over 80": an age, where that is what was said of the others; None where none was."""
    plain_ages = limit.unit in ("", "year") and all(YOUNGEST <= number <= OLDEST for _, number in limit.tests)
    aged = any(map(_is_age, _telling(of)))
    return context.world.of_age(*limit.tests) if plain_ages and aged else None


def _is_age(part: Condition) -> bool:
    if isinstance(part, Has):
        return part.of.where is not None and all(map(_is_age, parts_of(part.of.where)))
    return isinstance(part, Test) and part.left == Own("age")


def _has_values(context: Context, of: Set) -> bool:
    """True for records that were measured, of which no value is demanded yet."""
    valued = any(isinstance(part, Test) and part.left == Own("value") for part in parts_of(of.where))
    return of.unit not in UNITS and context.world.holds(of.unit, "value") and not valued
