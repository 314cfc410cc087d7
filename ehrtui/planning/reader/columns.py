"""Columns that a question lists behind what it is about: "potassium over 6: who, when, what value?"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Age,
    Has,
    Measure,
    Of,
    Own,
    Rows,
    Set,
    Statement,
    Whether,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.fronted import asked_of_all
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.meanings import Event, has_died, length_of, limited, maybe, parts_of, unit_of
from ehrtui.planning.reader.numbers import time_unit
from ehrtui.planning.reader.numbers_of_each import numbers_of_each
from ehrtui.planning.reader.pronouns import of_each_of_them
from ehrtui.planning.reader.sets import named_one_by_one, stays_like
from ehrtui.planning.reader.several import Reader
from ehrtui.planning.reader.traits import death

_IDLE = {"and", "list", "pronoun", "distinct"}
_APART = {",", ":", ";", "-", "–", "—", "?", "(", "+", "&", "and", "plus", "with"}
"""What stands between what a question is about and the first of the columns."""
_AMONG = _APART | {
    *("the", "a", "an", "their", "its", "of", "it", "was", "were", "is", "did", "had", "have", "at", "that", "on"),
    *("which", "what", "who", "whose", "how", "many", "please", "pls", "show", "me", "give", "in", "for", "each", "or"),
    *("also", "every", "so", "far", ")", "too", ".", "start", "number"),
    *("ever", "here", "there", "now", "say", "tell", "whether", "if", "they", "he", "she"),
}
"""Words between columns that say nothing else."""
_ASKED = {"when", "long", "old"}
_ONE_PERSON = {"who", "whose", "whom", "patient", "person", "pt", "subject"}
_STAY = "stay id"
_NO_VALUE = {"number", "numbers", "figure", "figures", "n"}
_LOST = 0.6
"""What it costs that an attribute is no column that is asked for before the others."""
_COLUMN = -0.25
"""What each column saves: it is no loose piece."""
_ONE_COLUMN = 0.1
"""What a single one costs: it is easily something else."""
_MOMENTS = {"admission time", "icu admission time"}
_NUMBER = "number "
_KEPT = (Own(PATIENT), Own("value"))
"""What a list of columns adds to, and does not take the place of."""


def columned(context: Context, cover: Sequence[Node], read: Reader) -> Iterator[tuple[Statement, float]]:
    """The statements that list the rows which the first part of a cover is about with the columns that its last part
    names, each with what it costs."""
    for at in range(1, len(cover)):
        told = [node for node in cover[at:] if node.kind not in _IDLE or _which_one(context, node)]
        if cover[at - 1].kind in _IDLE or not told:
            continue
        reckoned = numbers_of_each(context, told)
        if not all(at in reckoned or _is_column(context, node) for at, node in enumerate(told)):
            continue
        if not _apart(context, cover[at - 1], cover[at:]) or any(node.kind == "count" for node in cover[:at]):
            continue
        if not all(set(context.between(*pair)) <= _AMONG for pair in pairwise(cover[at - 1 :])):
            continue
        people = any(node.kind == "people" for node in cover[:at])
        if people and asked_of_all(context.lexed.words, cover[0].start, cover[at - 1].end, told[0].end):
            continue
        if all(_is_unit(context, node) for node in told) and (_asks(cover[:at]) or _in_units(context, told[0])):
            continue  # "how long did it last, in hours"
        made = _about(context, cover[:at], read)
        if made is None:
            continue
        of, kept, cost = made
        said = any(node.kind in ("people", "stays") for node in cover[:at])
        if reckoned and (not said or of.unit not in UNITS or of.pick is not None):
            continue  # "glucose over 400: how many stays"
        rows = _with_columns(context, of, kept, told, reckoned)
        if rows is not None:
            yield rows, cost + _COLUMN * len(told) + (_ONE_COLUMN if len(told) == 1 else 0.0)


def _asks(part: Sequence[Node]) -> bool:
    return any(node.kind in ("ask", "function") for node in part)


def _in_units(context: Context, node: Node) -> bool:
    return bool({"in", "("} & set(context.before(node, 1)))


def _is_unit(context: Context, node: Node) -> bool:
    """True for a unit of time: "days"."""
    return node.kind in ("field", "moment") and bool(_unit(context.lexed.words[node.start : node.end]))


def _which_one(context: Context, node: Node) -> bool:
    """True for "which one" at the end: what it is called."""
    words = context.lexed.words[node.start : node.end]
    return node.kind == "list" and (words[-1] in ("one", "ones") or node.end == len(context.lexed.words))


def _is_column(context: Context, node: Node) -> bool:
    """True for a piece that names a column: "who", "when", "the dose", "stay number"."""
    if node.kind == "ask":
        return node.sense in _ASKED
    if node.kind == "field" and node.sense.fields[0] == "hospital death":
        return context.asked_whether(node)
    if node.kind in ("field", "moment") or _which_one(context, node):
        return True
    if node.kind == "dead":
        return context.asked_whether(node) or _at_death(context, node)
    if node.kind in ("people", "stays"):
        one, said = node.sense, context.lexed.words[node.start : node.end]
        plain = one.of.where is None and one.of.pick is None and not one.one and not getattr(one, "loose", False)
        return plain and (set(said) <= _ONE_PERSON or context.before(node, 1) == ("which",) or said[-1][-1] != "s")
    if {"that", "this", "such"} & set(context.before(node, 1)):
        return False  # "with that diagnosis": one that was named before
    return node.kind == "event" and node.sense.noun and node.sense.of == Set(node.sense.of.unit)


def _at_death(context: Context, dead: Node) -> bool:
    """ "…, and their age when they died": the moment of a column."""
    return bool({"age", "old"} & set(context.before(dead, 6))) and bool({"when", "at"} & set(context.before(dead, 2)))


def _apart(context: Context, before: Node, behind: Sequence[Node]) -> bool:
    words = context.lexed.words
    first = behind[0]
    return bool(_APART & {*words[before.end : first.start], words[first.start]}) or first.kind in ("and", "list")


def _about(context: Context, part: Sequence[Node], read: Reader) -> tuple[Set, list[Measure], float] | None:
    """The rows that a part of a cover is about, what of its own columns tells most, and what reading it so costs."""
    telling = [node for node in part if node.kind not in _IDLE]
    if len(telling) == 1 and telling[0].kind == "people":
        return telling[0].sense.of, [], 0.0
    if len(telling) == 1 and telling[0].kind == "event" and telling[0].sense.noun and not telling[0].sense.others:
        one: Event = telling[0].sense  # "the observation period of patient 11: start and end"
        return one.of, [Own("name")] if context.world.roles[one.role].item else [], 0.0
    made = read(part)
    if made is None or not isinstance(made[0], Rows) or made[0].order is not None:
        return None
    of = made[0].of
    kept: tuple[Measure, ...] = (
        _KEPT if of.items or of.unit in UNITS else (*_KEPT, Own("name"))
    )  # which ones tells most
    if any(node.kind == "ask" and node.sense == "when" for node in part):
        kept = (*kept, Own("time"))
    said = {name for node in part if node.kind == "field" for name in node.sense.fields}
    lost = [one for one in made[0].columns if one not in kept and isinstance(one, Own) and one.field in said]
    return of, [one for one in made[0].columns if one in kept], made[1] + _LOST * len(lost)


def _with_columns(
    context: Context, of: Set, kept: Sequence[Measure], told: Sequence[Node], reckoned: Mapping[int, Sequence[Measure]]
) -> Statement | None:
    names = [f"{_NUMBER}{at}" if at in reckoned else _name(context, node) for at, node in enumerate(told)]
    if None in names:
        return None
    wanted = list(dict.fromkeys(name for name in names if name))
    if wanted == ["name"] and not any(_which_one(context, node) for node in told):
        return None  # "names only"
    if "age" in wanted:
        wanted = [name for name in wanted if name != "length year"]  # "age, in full years"
    own = [name for name in wanted if not name.startswith(_NUMBER)]
    if (found := _holding(context, of, own, beside=bool(reckoned))) is None:
        return None
    whom: list[Measure] = [Own("id") if found.unit == PATIENT else Own(PATIENT)]
    people = of.unit == PATIENT and not named_one_by_one(of)
    columns: list[Measure] = whom if people else list(kept)
    if of.unit in (HOSPITAL, ICU) and of.pick is None and not columns and not reckoned:
        columns = [Own("id")]  # what is listed is told by its number: "the stays over 10 days with their unit"
    of = found
    for name in wanted:
        if name.startswith(_NUMBER):
            columns += reckoned[int(name.removeprefix(_NUMBER))]
            continue
        column = _column(context, of, name, wanted)
        if column is None:
            return None
        columns.append(column)
    by = of.pick.by if of.pick is not None else None
    theirs = of_each_of_them(context.lexed.words, context.lexed.nodes)
    if of.pick is not None and by is not None and not _of_one(of) and not theirs:
        of = replace(of, pick=replace(of.pick, per="all"))
    if by is not None and by not in columns:
        columns.append(by)  # "the longest stay, and whose": how long it was, too
    if columns in ([Own("id")], [Own(PATIENT)]):
        return None  # the people themselves
    return Rows(of, tuple(dict.fromkeys(columns)), distinct=of.unit not in UNITS and not _told_apart(columns))


def _of_one(of: Set) -> bool:
    """True for the rows of patients, or of stays, that are named one by one."""
    return any(isinstance(part, Of) and named_one_by_one(part.of) for part in parts_of(of.where))


def _told_apart(columns: Sequence[Measure]) -> bool:
    return bool({Own("time"), Own("value"), Own("end time")} & set(columns))


def _name(context: Context, node: Node) -> str | None:
    """The attribute that a piece asks for, by its name; "" for one that says nothing new."""
    words = context.lexed.words[node.start : node.end]
    if node.kind == "ask":
        return {"when": "time", "long": f"length {_unit(words)}", "old": "age"}[node.sense]
    if node.kind == "field":
        name: str = node.sense.fields[0]
        if name == "value" and _NO_VALUE & set(words):
            return None
        if name == "id":
            return _STAY
        unit = _unit(words)
        if name == "length" and unit:
            return f"length {unit}"
        return f"length {unit}" if name == "time" and unit and words[-1].endswith("s") else name
    if node.kind == "list":
        return "name"
    if node.kind == "dead":
        return f"dead {node.sense}" if context.asked_whether(node) else "death time"
    if node.kind == "moment":
        return f"length {node.sense}" if words[-1].endswith("s") else "time"
    if node.kind == "people":
        return PATIENT
    if node.kind == "stays":
        return str(node.sense.of.unit)
    return f"name {unit_of(node.sense.role)}"


def _unit(words: Sequence[str]) -> str:
    return next((unit for word in words if (unit := time_unit(word))), "")


def _holding(context: Context, of: Set, names: Sequence[str], *, beside: bool = False) -> Set | None:
    """The rows that a set of people stands for, where the columns are those of their records or stays; the people
    themselves where these stand `beside` numbers of each."""
    world = context.world
    if of.unit != PATIENT:
        return of
    if beside and all(name in ("age", PATIENT, "patient") or world.holds(PATIENT, name) for name in names):
        return of
    told = [name for name in names if name not in (PATIENT, "age") and not name.startswith("dead ")]
    own = [name for name in told if name == _STAY or not world.holds(PATIENT, name)]
    if own and all(_of_stays(context, name) for name in own):
        return stays_like(of) if of.where is not None else None
    dead = has_died(of)
    if dead and ("time" in names or all(name == "age" or world.holds(PATIENT, name) for name in told)):
        return of
    if "death time" in names or not (own or "age" in names):
        return of
    parts = parts_of(of.where)
    had = [one for one in parts if isinstance(one, Has) and one.times is None]
    for has in had:
        unit = has.of.unit
        if all(_held(context, unit, name) for name in (*own, *(["age"] if "age" in names else []))):
            rest = maybe([one for one in parts if one != has])
            return limited(has.of, *([Of(Set(PATIENT, (), rest))] if rest is not None else []))
    return None


def _of_stays(context: Context, name: str) -> bool:
    """True for what only stays tell: their identifiers, how long they were, who paid."""
    told = name == _STAY or name.startswith("length") or context.world.owner(name) == HOSPITAL
    return told and name not in ("time", "end time", "name", "value")


def _held(context: Context, unit: str, name: str) -> bool:
    if name.startswith("length"):
        return unit in (HOSPITAL, ICU) or bool(_role_end(context, unit))
    if name.startswith("name "):
        return name == f"name {unit}"
    if name == "time":
        return True
    return context.world.holds(unit, name) or (unit not in UNITS and name in (HOSPITAL, ICU))


def _role_end(context: Context, unit: str) -> str | None:
    role = context.world.roles.get(unit.replace(" ", "_"))
    return role.end if role is not None else None


def _column(context: Context, of: Set, name: str, names: Sequence[str]) -> Measure | None:
    world = context.world
    if name.startswith("dead "):
        died = death(context, name.removeprefix("dead "), of.unit) if of.unit in UNITS else None
        return Whether(died) if died is not None else None
    if name in (PATIENT, "patient"):
        return Own("id") if of.unit == PATIENT else Own(PATIENT)
    if name == of.unit or (name == _STAY and of.unit in (HOSPITAL, ICU)):
        return Own("id")
    if name == _STAY:
        return Own(HOSPITAL) if of.unit not in UNITS else None
    if name.startswith("length"):
        unit = name.removeprefix("length").strip() or "day"
        return length_of(unit) if _held(context, of.unit, name) else None
    if name.startswith("name "):
        return Own("name") if name == f"name {of.unit}" else None
    if name == "age":
        if "death time" in names or (of.unit == PATIENT and has_died(of) and world.knows("death time")):
            return Age(Own("death time"))
        return Own("age") if of.unit in (world.aged, HOSPITAL, ICU) else world.age_of_patients
    if name == "time" and of.unit == PATIENT:
        return Own("death time") if has_died(of) else None
    if name in _MOMENTS and of.unit in (HOSPITAL, ICU):
        return Own(name)
    if world.holds(of.unit, name) or name == "time" or (of.unit != PATIENT and world.owner(name) in UNITS):
        return Own(name)
    if name in (HOSPITAL, ICU) and of.unit not in UNITS:
        return Own(name)
    return None
