"""What groups are made by: attributes, parts of the calendar, values that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Among,
    Band,
    Condition,
    Groups,
    Has,
    Measure,
    Not,
    Of,
    Order,
    Own,
    PartOf,
    Set,
    Single,
    Statement,
    Test,
    Value,
    Whether,
)
from ehrtui.logic.model import Window
from ehrtui.planning.reader.bands import Steps
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.listed_values import each_value
from ehrtui.planning.reader.meanings import Wanted, every, limited, maybe, parts_of, unit_of, values_of
from ehrtui.planning.reader.traits import ALIVE, at_the_stay, death
from ehrtui.schema.kinds import kind_of

_BUT = {"than", "except", "excluding", "besides", "but", "apart"}
_COUNTS = {"counts", "numbers", "frequencies", "tallies"}
_FREQUENCY = {
    "most",
    "least",
    "common",
    "frequent",
    "often",
    "busiest",
    "quietest",
    "ranked",
    "frequency",
    "commonest",
    "count",
    "rarest",
}
_AGAINST = {"vs", "versus", "v", "against", "than"}
_BY = {"by", "per"}
_NAMING = ("name", "code")
"""What records of a kind are told by: "according to the procedure codes"."""
_DECADE = 10
_SO_NAMED = -1.2
"""What it saves that groups are told by such a word: it hardly means anything else behind "by"."""
_SEVERAL = 3
"""Names that have a word in common, so that it says of what kind they are."""
_BY_MOMENT = 0.8
"""What it costs that a number is told by a moment: "per admission" is of the stays."""
_CROSSED = -0.5
"""What it saves that one attribute is told by another."""
_COMPARED = -0.8
"""What it saves that the dead and the survivors are set against each other."""


def _are_rows(nodes: Sequence[Node]) -> bool:
    return any(node.kind in ("people", "stays") for node in nodes)


def keys_of(frame: Frame) -> tuple[Measure | str, ...]:
    """What groups are made by: what stands behind "by", or beside "breakdown"."""
    pieces = frame.pieces
    frame.told_by = []
    found: list[Measure | str] = []
    parted = any(by.sense != "breakdown" for by in frame.by) or bool(pieces.of("each"))
    for by in frame.by:
        words = frame.context.lexed.words
        told = words[by.start] == "breakdown" and _BY & set(words[by.end :])
        if (by.sense == "breakdown" and parted) or told:  # "a breakdown of admissions by type"
            pieces.use(by)
            continue
        behind = [node for node in pieces.left() if node.start >= by.end]
        if words[by.start] == "across" and "all" in words[by.end : by.end + 1] and _are_rows(behind[:1]):
            pieces.use(by)  # "across all admissions": of all of them at once
            continue
        if _each_of_family(frame, by, behind):
            found.append("event")
            pieces.use(by)
            continue
        clause = frame.context.lexed.clause
        last_key = -1
        for node in behind:
            gap = frame.context.lexed.words[by.end : node.start] if not found else ()
            if len([word for word in gap if word not in ("the", "their", "its", "and", ",", "of", "type", "a")]) > 1:
                break
            if found and node.kind == "event" and node.sense.noun and frame.context.before(node, 1) == ("at",):
                pieces.use(node)
                break  # "by age at prescription"
            if by.sense == "breakdown" and node.kind in ("people", "stays"):
                break  # what is broken down
            if found and clause[node.start] != clause[by.start]:
                break  # "by ward: stays, deaths"
            if found and node.kind in ("people", "stays") and _are_all(frame, node):
                pieces.use(node)
                break  # "by admission type, all admissions"
            key = key_of(frame, node)
            if key is None:
                if node.kind == "list" and node.sense == "which" and frame.events and not found:
                    found.append("event")  # "split by which one"
                    pieces.use(node)
                    break
                if node.kind in ("and", "relation", "distinct", "list"):
                    continue
                break
            if node.kind == "people" and any(one.start == node.end for one in pieces.of("limit", "trait")):
                break  # "visits by patients over 65" are those of such patients
            if found and node.kind == "field" and node.start == last_key:
                before = frame.told_by[-1]
                name = node.sense.fields[0]
                of_records = before.kind == "event" and frame.world.holds(unit_of(before.sense.role), name)
                of_records = of_records and name not in _NAMING
                if isinstance(found[-1], Own) or of_records:
                    found.pop()  # "provider specialty", "lab category": that of the provider, or of the labs
            if isinstance(key, Band):  # "by age, in steps of 20 years"
                found = [one for one in found if not (isinstance(one, Band) and one.measure == key.measure)]
            found.append(key)
            last_key = node.end
            pieces.use(node)
            frame.told_by.append(node)
            if node.kind == "event" and not node.sense.noun:
                frame.pay(_SO_NAMED, "")
            if node.kind == "event" and node.sense.of.where is not None:  # "for each drug in 2019"
                pieces.add(replace(node, kind="window", sense=parts_of(node.sense.of.where)))
            if node.kind in ("moment", "people"):
                break
        if found and by not in (pieces.nodes[at] for at in pieces.used):
            pieces.use(by)
    both = [node for node in pieces.of("field") if node.sense.fields == ("gender",) and node.end - node.start > 1]
    asked = frame.functions or frame.count or frame.share or pieces.of("dead")
    if both and not found and asked:
        found.append(Own("gender"))
        pieces.use(*both)
        words = frame.context.lexed.words
        frame.group_said |= bool(frame.count) and any(_PERSONS & {*words[node.start : node.end]} for node in both)
    if not found:
        found += _counts_behind(frame) or _ranked(frame)
    if frame.per_patient:
        found.append(Own(PATIENT))
        pieces.use(*[by for by in pieces.of("by") if by.sense != "breakdown"][:1])
    if frame.sexes:
        found.append(Own("gender"))
    if (of_values := each_value(frame)) is not None:
        found.append(of_values)
    dead = pieces.of("dead")
    if frame.fates or {node.sense in ALIVE for node in dead} == {True, False}:
        found.append(fate(frame))
        pieces.use(*dead)
    for node in pieces.of("split"):
        found.append(Whether(Of(Set(PATIENT, (), node.sense))))
        pieces.use(node)
    for node in pieces.of("bands"):
        if (ages := node.sense.of_ages()) is not None:
            found = [key for key in found if not (isinstance(key, Band) and key.measure == ages.measure)] + [ages]
            pieces.use(node, *[one for one in pieces.of("field") if one.sense.fields[0] == "age"])
    compared = rivals(frame)
    if compared is not None:
        found.append(compared)
    if outcomes(frame):
        found.append(fate(frame))
    for node in pieces.of("each"):
        found.append(_of_age(frame, node) or str(node.sense))
        pieces.use(node)
        found += _and_by(frame, node)
    if found or frame.pieces.of("others"):
        pieces.take("compare")
    last = max((node.end for node in pieces.nodes), default=0)
    words = frame.context.lexed.words
    breakdown = [
        node for node in frame.by if node.sense == "breakdown" or (words[node.start] == "each" and node.end == last)
    ]
    if breakdown and not found and frame.group_said and (frame.functions or frame.superlatives):
        found.append(Own(PATIENT))  # "which patients, and the lowest for each"
        pieces.use(*breakdown)
    if frame.count and not found and not frame.functions and (kept := _all_but(frame)) is not None:
        found.append(kept)
        pieces.use(*[node for node in frame.by if "each" in words[node.start : node.end]])
    if breakdown and not found:
        for node in pieces.of("field", "moment"):
            if (key := key_of(frame, node)) is not None and node.sense != "age":
                found.append(key)
                pieces.use(node)
        if not found and (kind := _type_of_stays(frame, breakdown)) is not None:
            found.append(kind)
        if not found:
            for node in pieces.of("event"):
                if node.sense.noun or len(node.sense.of.items) > 1:
                    found.append("event")
                    break
        if found:
            pieces.use(*breakdown)
    return tuple(dict.fromkeys(found))


def _and_by(frame: Frame, each: Node) -> list[Measure | str]:
    """ "Per year and gender": what else groups are made by."""
    words, found, end = frame.context.lexed.words, list[Measure | str](), each.end
    for node in sorted(frame.pieces.of("field"), key=lambda node: node.start):
        joined = node.start > end and set(words[end : node.start]) <= _AND_BY
        if joined and isinstance(key := key_of(frame, node), Own | Band):
            found.append(key)
            frame.pieces.use(node)
            end = node.end
    return found


_AND_BY = {"and", ",", "&", "x", "/", "per", "by", "their"}


_PERSONS = {"women", "men", "females", "males", "girls", "boys"}
"""Nouns in the name of a sex that say of whom it is asked: "how many women vs men"."""


def _type_of_stays(frame: Frame, breakdown: Sequence[Node]) -> Measure | None:
    """ "Admissions by type": the attribute that is called their type."""
    said = any("type" in frame.context.lexed.words[node.start : node.end] for node in breakdown)
    solid = any(not node.sense.loose and node.sense.of.unit == HOSPITAL for node in frame.pieces.of("stays"))
    kinds = [Own(name) for name in ("admission type", "visit type") if frame.world.knows(name)]
    return kinds[0] if said and solid and not frame.events and kinds else None


def rivals(frame: Frame) -> Measure | None:
    """ "Emergency vs elective": several values of one attribute, compared; they make groups, and limit them."""
    pieces = frame.pieces
    traits = [node for node in pieces.of("trait") if node.sense.field and not node.sense.negated]
    by_field: dict[tuple[str, str], list[Node]] = {}
    for node in traits:
        by_field.setdefault((node.sense.role, node.sense.field), []).append(node)
    for (_role, name), nodes in by_field.items():
        values = list(dict.fromkeys(value for node in nodes for value in values_of(node.sense.condition)))
        if len(nodes) < 2 or len(values) < 2 or name in ("age", "length"):
            continue
        pieces.use(*nodes)
        if _set_against(frame, nodes):
            frame.pay(-0.5, "rivals")
        trait = replace(nodes[0].sense, condition=Among(Own(name), tuple(values)))
        pieces.add(replace(nodes[0], sense=trait))
        return Own(name)
    return None


def _all_but(frame: Frame) -> Measure | None:
    """ "Payers other than Medicaid, and the number for each": groups by what is named, but for some of its values."""
    words, said = frame.context.lexed.words, []
    for node in frame.pieces.of("trait"):
        one = node.sense.condition
        measure = one.of.left if isinstance(one, Not) and isinstance(one.of, Test) else None
        if isinstance(one, Not) and isinstance(one.of, Among):
            measure = one.of.measure
        if isinstance(one, Test) and one.relation == "!=":
            measure = one.left
        named = node.made_of and next(node.leaves()).kind == "field"
        if isinstance(measure, Own) and named and _BUT & set(words[node.start : node.end]):
            said.append(measure)
    return said[0] if len(said) == 1 else None


def _counts_behind(frame: Frame) -> list[Measure]:
    """ "Insurance counts": how many there are of each value."""
    words = frame.context.lexed.words
    for count in frame.count:
        for node in frame.pieces.of("field"):
            key = key_of(frame, node) if node.end == count.start and words[count.end - 1] in _COUNTS else None
            if isinstance(key, Own):
                frame.pieces.use(node)
                return [key]
    return []


def _ranked(frame: Frame) -> list[Measure | str]:
    """ "Discharge destinations, most common first": what is sorted by how often it is."""
    pieces, words = frame.pieces, frame.context.lexed.words
    orders = [node for node in pieces.of("order") if _FREQUENCY & set(words[node.start : node.end])]
    told = [node for node in pieces.of("field", "event") if orders and node.end <= orders[0].start]
    told = [node for node in told if node.sense == Wanted(("organism",))] or told  # of the cultures that are named
    if len(told) != 1 or frame.functions or frame.superlatives or frame.most:
        return []
    if told[0].kind == "event" and told[0].sense.noun:
        return ["event"]  # which are counted, too
    key = key_of(frame, told[0])
    if key is None or isinstance(key, Band):
        return []
    pieces.use(*told)
    return [key]


def _set_against(frame: Frame, nodes: Sequence[Node]) -> bool:
    """True where "versus" stands between two values."""
    ordered = sorted(nodes, key=lambda node: node.start)
    return any(_AGAINST & set(frame.context.between(*pair)) for pair in pairwise(ordered))


def outcomes(frame: Frame) -> bool:
    """ "Survivors versus non-survivors": those who died and those who did not, compared."""
    dead = frame.pieces.of("dead")
    both = {node.sense in ALIVE for node in dead} == {True, False}
    if not both or frame.share or not (frame.functions or frame.count) or not frame.world.has_stays(HOSPITAL):
        return False
    frame.pieces.use(*dead)
    if _set_against(frame, dead):
        frame.pay(_COMPARED, "")
    return True


def fate(frame: Frame) -> Measure:
    """What sets the dead apart from the living: of stays, whether they ended in death; of patients, whether they died
    at all, or in the hospital where that is said. Where visits of every kind are kept, nobody's life hangs on one."""
    if frame.world.admissions.where is not None and frame.world.has("death"):
        return Whether(Of(Set(PATIENT, (), Has(Set("death")))))
    there = any(node.kind == "dead" and node.sense in ("hospital", "left alive") for node in frame.context.lexed.nodes)
    died = death(frame.context, "hospital" if there or not frame.world.has("death") else "died", PATIENT)
    return Own("hospital death") if died is None else Whether(died)


def _is_fate(key: Whether) -> bool:
    """True for having died, at all or in the hospital."""
    return isinstance(key.condition, Has) and key.condition.of.unit in ("death", HOSPITAL)


def _are_all(frame: Frame, node: Node) -> bool:
    return "all" in (*frame.context.before(node, 1), frame.context.lexed.words[node.start])


def key_of(frame: Frame, node: Node) -> Measure | str | None:
    """What a piece makes groups by; None where it makes none."""
    if node.kind == "field":
        name = node.sense.fields[0]
        if name == "age":
            return Band(Own("age"), width=10)
        if name in ("value", "time", "length", "cost"):
            return None
        if name == "name":
            return "event" if frame.events else None
        return Own(name)
    if node.kind == "moment":
        return _birth(frame, node.sense) if node.sense.startswith("birth") else _of_age(frame, node) or str(node.sense)
    if isinstance(node.sense, Steps):
        return node.sense.of_ages()
    if node.kind == "event" and node.sense.noun and _but_when(node.sense.of):
        return f"event:{node.sense.role}"
    if node.kind == "event" and _is_kind_of_place(frame, node):
        return f"event:{node.sense.role}"
    if node.kind == "people" and node.sense.of.where is None:
        return Own(PATIENT)
    if node.kind == "stays" and node.sense.of.where is None and not node.sense.loose:
        return Own(node.sense.of.unit)
    if node.kind == "stays" and node.sense.loose and node.sense.of.unit == ICU:
        return Own("first care unit") if frame.world.knows("first care unit") else None
    return None


def _each_of_family(frame: Frame, by: Node, behind: Sequence[Node]) -> bool:
    """True for "each opioid", "each of the statins": the drugs of a class, one by one."""
    if not behind or behind[0].kind != "event" or not behind[0].sense.family or len(frame.events) != 1:
        return False
    words = frame.context.lexed.words
    return words[by.end - 1] in _ONE_BY_ONE and {*words[by.end : behind[0].start]} <= _OF_THE


_ONE_BY_ONE = {"each", "every", "individual"}
_OF_THE = {"of", "the", "these", "single", "one"}


def _is_kind_of_place(frame: Frame, node: Node) -> bool:
    """True for a word in the singular that stands in the names of several records: "by clinic", where there are a Heart
    Clinic, a Lung Clinic and a Kidney Clinic."""
    of, said = node.sense.of, frame.context.lexed.words[node.start : node.end]
    named = [item.text.lower().split() for item in of.items if item.kind == "name"]
    alone = len(said) == 1 and of.where is None and of.pick is None and not node.sense.noun
    alone = alone and not frame.world.knows(said[0])
    return alone and len(of.items) == len(named) >= _SEVERAL and all(said[0] in words for words in named)


def _but_when(of: Set) -> bool:
    """True for records of which nothing is said but when they were."""
    return not of.items and of.pick is None and all(isinstance(part, Window) for part in parts_of(of.where))


def _of_age(frame: Frame, node: Node) -> Measure | None:
    """ "Age distribution by decade": decades of a life, and none of the calendar."""
    ages = [one for one in frame.pieces.of("field") if one.sense.fields[0] == "age"]
    if node.sense != "decade" or not ages or frame.functions:
        return None
    frame.pieces.use(*ages, *[one for one in frame.by if one.sense == "breakdown"])
    return Band(Own("age"), width=_DECADE)


def _birth(frame: Frame, which: str) -> Measure | None:
    """The year or the decade in which people were born."""
    if not frame.world.knows("birth date"):
        return None
    year = Own("birth year") if frame.world.knows("birth year") else PartOf("year", Own("birth date"))
    return year if which == "birth year" else Band(year, width=_DECADE)


def crossed_with(frame: Frame, keys: tuple[Measure | str, ...]) -> tuple[Measure | str, ...]:
    """ "Discharge status by hospital": how often there is each, in each of the groups; () where that is not asked."""
    fields = [node for node in frame.pieces.of("field") if node.sense.fields[0] not in ("value", "time", "name")]
    nobody = not frame.events and not frame.asks and frame.who is None and not frame.pieces.of("list")
    if (
        len(fields) != 1
        or not nobody
        or not frame.by
        or not all(isinstance(key, Own) and key.field not in UNITS for key in keys)
    ):
        return ()
    name = fields[0].sense.fields[0]
    if (
        Own(name) in keys
        or name not in frame.world.stored
        or frame.world.is_number(name)
        or fields[0].start > frame.by[0].start
    ):
        return ()
    frame.pieces.use(*fields)
    frame.pay(_CROSSED, "")
    return (*keys, Own(name))


_ANY_TIME = 0.4
"""What it saves that a time is that of the records which make the groups, and of no stay."""
_OF_NOBODY = 0.3
"""What it costs more to count people where nobody said of people."""
_FOREIGN = 2.5
"""What it costs that stays are told by the names of what was done there."""
_OF_PLACE = 0.3
"""What it costs that "the average stay per ward" is that on the ward."""


def keyed(frame: Frame, keys: tuple[Measure | str, ...], of: Set) -> tuple[Measure, ...]:
    """Keys for the rows of a set."""
    found: list[Measure] = []
    if Own("admission time") in keys:
        frame.pay(_BY_MOMENT, "by-moment")
    for key in keys:
        if isinstance(key, str) and key.startswith("event"):
            if of.unit in UNITS:
                frame.pay(_FOREIGN, "foreign-key")  # no stay has a name
            found.append(Own("name"))
        elif isinstance(key, str):
            time = Own("admission time") if of.unit == HOSPITAL else Own("time")
            decade = key == "decade"
            part = PartOf("year" if decade else key, time)  # type: ignore[arg-type]
            found.append(Band(part, width=_DECADE) if decade else part)
        elif isinstance(key, Whether) and isinstance(key.condition, Of) and _have_it(frame, of, key.condition):
            found.append(Whether(every(parts_of(key.condition.of.where))))
        elif isinstance(key, Whether) and of.unit != PATIENT and _is_fate(key):
            found.append(Own("hospital death"))  # stays end in a death; of patients, it is asked who died at all
        elif isinstance(key, Band) and key.measure == Own("age") and of.unit == PATIENT:
            found.append(replace(key, measure=frame.world.age_of_patients))
        else:
            found.append(key)
    return tuple(found)


def _have_it(frame: Frame, of: Set, whose: Of) -> bool:
    """True where the rows themselves have what is said of patients: these, and the stays in which records were made,
    where no visits of other kinds are kept beside."""
    had = parts_of(whose.of.where)
    kept = all(isinstance(part, Has) and part.of.unit not in (*UNITS, "death") for part in had)
    return of.unit == PATIENT or (of.unit == HOSPITAL and kept and frame.world.admissions.where is None)


def grouped(
    frame: Frame, of: Set, keys: tuple[Measure | str, ...], *columns: Aggregate, order: Order | None = None
) -> Statement:
    """The rows of a set in groups, with numbers; patients by what their stays tell, where they lack the attribute."""
    if (had := _by_kind(of, keys, columns)) is not None:
        order = order or sorted_as(frame, columns)
        number = Aggregate("distinct", None, Own(of.unit))
        return Groups(had, keyed(frame, keys, had), (number,), order=order and replace(order, by=number))
    by = keyed(frame, keys, of)
    order = order or sorted_as(frame, columns)
    counted = any(one.function == "count" for one in columns)
    if (order is not None or counted) and Own("organism") in by and not frame.share:
        of = limited(of, frame.world.growth("present"))
    if (of_records := _by_records(frame, of, by, columns)) is not None:
        return replace(of_records, order=order if order is None else replace(order, by=of_records.columns[0]))
    theirs_alone = any(one.function == "percent" for one in columns)  # each patient once in every group
    if of.unit == PATIENT and not theirs_alone and any(_of_stays_key(frame, key) for key in by):
        unit = HOSPITAL if frame.world.has_stays(HOSPITAL) else ICU
        if unit == HOSPITAL and frame.world.admissions.where is None:
            of = _died_there(of)
        unsaid = order is not None and not frame.group_said  # "discharge locations, most common first": of stays
        people = Aggregate("count", None) if unsaid else Aggregate("distinct", None, Own(PATIENT))
        count = tuple(people if one.function == "count" else one for one in columns)
        if order is not None and order.by in columns:
            order = replace(order, by=count[columns.index(order.by)])
        own, theirs = _of_key(frame, of, unit, by)
        where = [*own, *([Of(theirs)] if theirs.where is not None else [])]
        return Groups(limited(Set(unit), *where), by, count, order=order)
    if any(isinstance(key, str) for key in keys) and of.unit == PATIENT:
        records = _records_of(of)
        if records is not None:
            return Groups(
                records, keyed(frame, keys, records), (Aggregate("distinct", None, Own(PATIENT)),), order=order
            )
        return Groups(
            _stays_of(of),
            keyed(frame, keys, Set(HOSPITAL)),
            (Aggregate("distinct", None, Own(PATIENT)),),
            order=order,
        )
    return Groups(of, by, columns, order=order)


def _by_kind(of: Set, keys: tuple[Measure | str, ...], columns: Sequence[Aggregate]) -> Set | None:
    """ "Patients by diagnosis", "persons per payer": the records of which each has a name, where people or stays are
    counted by them; None where anything else is asked."""
    roles = [key[6:] for key in keys if isinstance(key, str) and key.startswith("event:")]
    counted = len(columns) == 1 and columns[0].function == "count" and columns[0].measure is None
    if len(roles) != 1 or not counted or of.unit not in (PATIENT, HOSPITAL) or of.pick is not None:
        return None
    return _had_by(of, unit_of(roles[0]))


def _by_records(frame: Frame, of: Set, by: tuple[Measure, ...], columns: Sequence[Aggregate]) -> Groups | None:
    """ "Admissions per ward", "patients by route": patients or stays in the groups that what they had makes, each once
    in every group; of how long they stayed, the time there. None where they tell the keys themselves."""
    world = frame.world
    keys = [key.field for key in by if isinstance(key, Own) and key.field in world.holders]
    units = [world.owner(name) for name in keys if world.owner(name) not in UNITS]
    if "code" in keys and of.where is not None:
        return None  # "diabetics by their codes": going by these
    if of.unit not in (PATIENT, HOSPITAL) or len(keys) != len(by) or len(set(units)) != 1 or of.pick is not None:
        return None
    records = _had_by(of, units[0])
    if isinstance(records.where, Window):
        frame.pay(-_ANY_TIME, "")
    if all(one.function == "count" and one.measure is None for one in columns):
        if of.unit == PATIENT and not frame.group_said:
            frame.pay(_OF_NOBODY, "people-unsaid")
        if of == Set(PATIENT) and not frame.group_said:
            return Groups(records, by, tuple(columns))  # "a breakdown of complications": nobody said of patients
        return Groups(records, by, tuple(Aggregate("distinct", None, Own(of.unit)) for _ in columns))
    lasting = kind_of(units[0].replace(" ", "_")).place and all(one.measure == Own("length") for one in columns)
    if lasting and world.profile.role(units[0].replace(" ", "_")).end:
        frame.pay(_OF_PLACE, "time-there")
        return Groups(records, by, tuple(columns))
    return None


def _had_by(of: Set, unit: str) -> Set:
    """The records of a unit that patients or stays had; those of patients of whom but a time is said, at that time."""
    same = [part for part in parts_of(of.where) if isinstance(part, Has) and part.of.unit == unit and not part.times]
    if len(same) == 1 and same[0].of.pick is None:  # "patients on heparin by route": by that of the heparin
        rest = [part for part in parts_of(of.where) if part != same[0]]
        return limited(same[0].of, *([Of(limited(Set(of.unit), *rest))] if rest else []))
    times = [part.of.where for part in parts_of(of.where) if isinstance(part, Has) and part.of.unit == HOSPITAL]
    if of.unit == PATIENT and len(times) == 1 and isinstance(times[0], Window):
        rest = [part for part in parts_of(of.where) if not (isinstance(part, Has) and part.of.where == times[0])]
        return limited(Set(unit, (), times[0]), *([Of(limited(Set(PATIENT), *rest))] if rest else []))
    return Set(unit, (), Of(of) if of.where is not None else None)


def _died_there(people: Set) -> Set:
    """ "Deaths by ward": of the dead the stays at whose end they died, and no others of theirs."""
    died: Condition = Has(Set("death"))
    there = Has(Set(HOSPITAL, (), Test(Own("hospital death"), "=", Value(1))))
    parts = parts_of(people.where)
    return (
        replace(people, where=maybe([there if part == died else part for part in parts])) if died in parts else people
    )


def _of_stays_key(frame: Frame, key: Measure) -> bool:
    """True for an attribute that stays tell, and not the patients themselves."""
    return isinstance(key, Own) and not frame.world.holds(PATIENT, key.field)


def _stays_of(people: Set) -> Set:
    """The stays by whose times people are counted: those that are said of them, where such are ("patients admitted in
    2104, by month": no other stays of theirs)."""
    had = [part for part in parts_of(people.where) if isinstance(part, Has) and part.of.unit == HOSPITAL]
    if len(had) != 1 or had[0].times is not None or had[0].of.pick is not None:
        return Set(HOSPITAL, (), Of(people) if people.where is not None else None)
    rest = replace(people, where=maybe([part for part in parts_of(people.where) if part != had[0]]))
    return limited(had[0].of, *([Of(rest)] if rest.where is not None else []))


def _of_key(frame: Frame, people: Set, unit: str, by: Sequence[Measure]) -> tuple[list[Condition], Set]:
    """What is said of people's stays by an attribute that these are grouped by, as conditions of the stays that are
    counted, and the people without it: "payers other than Medicaid" are none of other stays of theirs."""
    own: list[Condition] = []
    rest: list[Condition] = []
    for part in parts_of(people.where):
        had = part.of.where if isinstance(part, Has) and part.of == Set(unit, (), part.of.where) else None
        one = had.of if isinstance(had, Not) else had
        measure = one.left if isinstance(one, Test) else one.measure if isinstance(one, Among) else None
        if had is not None and measure in (*by, Own("hospital death")) and isinstance(part, Has) and part.times is None:
            own.append(had)
        elif at_the_stay(frame.world, part, unit):
            own.append(part)
        else:
            rest.append(part)
    return own, replace(people, where=maybe(rest))


def numbered(frame: Frame, of: Set, keys: tuple[Measure | str, ...], *columns: Aggregate) -> Statement:
    """Numbers (aggregates with `of` None) over the rows of a set, in groups where there are keys."""
    if keys:
        return grouped(frame, of, keys, *columns)
    return Single(tuple(replace(one, of=of) for one in columns))


def _records_of(people: Set) -> Set | None:
    """The records whose times make groups of people: the only ones that they all have."""
    parts = parts_of(people.where)
    only = parts[0] if len(parts) == 1 else None
    if isinstance(only, Has) and only.times is None and only.of.unit not in UNITS:
        return only.of
    return None


def sorted_as(frame: Frame, columns: Sequence[Aggregate]) -> Order | None:
    """The order of groups that the question names ("highest first"), by the first of their numbers."""
    said = frame.pieces.take("order")
    return Order(columns[0], said[-1].sense == "highest") if said and columns else None
