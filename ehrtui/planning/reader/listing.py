"""Lists: of people, stays, records and their attributes."""

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
    All,
    Among,
    Groups,
    Has,
    Is,
    Measure,
    Of,
    Order,
    Own,
    Pick,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.ages import age_at
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.costs import costs_of
from ehrtui.planning.reader.ends import end_of_all, is_end_of_all
from ehrtui.planning.reader.frame import Frame, asks_which_of, fields_wanted, theirs_each
from ehrtui.planning.reader.fronted import asked_of_all
from ehrtui.planning.reader.meanings import Event, limited, maybe, own_extreme, parts_of, pressures, unit_of
from ehrtui.planning.reader.pronouns import told_of_them
from ehrtui.planning.reader.record_lengths import lengths_listed
from ehrtui.planning.reader.sets import (
    about_one,
    attach_to_event,
    has_values,
    people_set,
    stays_like,
    stays_set,
    tells_organism,
    whose,
)
from ehrtui.planning.reader.traits import having
from ehrtui.schema.kinds import kind_of, kinds

_TIME_LOST = 1.6
"""What it costs that values are told without the time that is asked for."""
_FOREIGN_LOST = 1.5
"""What it costs that an attribute is asked for which the records that are told have not ("organism" of a procedure)."""
_OF_MOVES = {"unit", "length"}
"""What wards and moves are told by: "the units that she passed through", "the ward that he stayed in"."""
_AGAINST = {"vs", "versus", "v"}
_DATES = {"date", "dates", "time", "times", "day", "days"}
_LISTED_WITH = {"and", ",", "&", "+", "with", "their", "the", "his", "her", "its"}
"""Words between what is listed."""
_BETWEEN = {",", "and", "&", "plus", ";", "/", "+"}
_LISTED = -0.25
"""What each further attribute saves that is listed beside others: it is no loose piece."""
_MANY = 1000
"""A number that is as great is no size of a short list."""
_LITTLE = 0.5
"""What the words before "the last time" cost, where they tell nothing."""


_AND_THEIR = (("and", "their"), ("and", "its"), ("with", "their"), ("with", "its"), ("and", "the"))

_WHOSE = {"of", "by", "for", "among"}
"""Words between stays and those whose they are."""
_STAYS_FIRST = -0.3
"""What it saves that stays stand before those whose they are."""
_WITHIN = {"who", "whose", "that", "which"}


def _stays_of_people(frame: Frame, stays: Sequence[Node]) -> Statement | None:
    """ "Admissions of medicare patients", "ICU stays by women": the stays, which stand before those whose they are."""
    words = frame.context.lexed.words
    people = [node for node in frame.pieces.nodes if node.kind == "people"]
    if frame.who is not None or len(people) != 1 or frame.pieces.of("field", "count", "function", "share", "ask"):
        return None
    node = next((one for one in stays if not one.sense.loose and one.end <= people[0].start), None)
    if node is None or not _WHOSE & set(words[node.end : node.end + 1]):
        return None
    had = frame.group is not None and any(isinstance(one, Has) and one.of.items for one in walk(frame.group))
    if had or _WITHIN & set(words[node.end : people[0].start]):
        return None
    of = stays_set(frame, node)
    if of.pick is not None or of.where is None:
        return None
    frame.pay(_STAYS_FIRST, "stays-first")
    return Rows(of, (Own("id"),))


def listed(frame: Frame) -> Statement | None:
    """Records, attributes, patients or stays, as the pieces say."""
    pieces = frame.pieces
    fields = fields_wanted(frame)
    events = pieces.of("event")
    stays = pieces.of("stays")
    names = [name for node in fields for name in node.sense.fields]
    if any(frame.context.lexed.words[one.start - 1] in ("by", "per") for one in fields):
        frame.pay(1.2, "keys-without-number")
    if names == ["patient"] and not events:
        pieces.use(*fields)
        names, fields = [], []
        frame.group_said = True
    if names == ["gender"] and frame.who is None and _sets_against(frame, fields[0]):
        pieces.use(*fields)
        return Groups(people_set(frame), (Own("gender"),), (Aggregate("count", None),))  # "men vs women"
    if (tested := antibiotics_listed(frame)) is not None:
        return tested
    if events and which_of_them(frame):
        if frame.who is not None:
            return Rows(people_set(frame), (Own("id"),))
        frame.pay(1.0, "which-of")
    if events and (frame.who is not None or not asks_people(frame, events)):
        return records_listed(frame, events, fields)
    if frame.who is not None and not fields and not events and not stays and (drugs := taken_now(frame)) is not None:
        return drugs
    if names == ["age"] and (aged := age_at(frame)) is not None:
        people, age = aged
        return Rows(people, (age,) if frame.who is not None else (Own("id"), age))
    if fields and names == ["id"] and frame.who is None and frame.group_said:
        return people_with_fields(frame, names, fields)
    if fields and not events:
        return attributes_listed(frame, names, fields)
    if frame.who is not None and not events:
        moments = [
            node
            for node in pieces.of("field")
            if node.sense.fields[0].endswith("time") and node.sense.fields[0] != "time"
        ]
        if moments:
            pieces.use(*moments)
            of = stays_set(frame, next((one for one in stays if not one.sense.loose), None))
            return Rows(of, tuple(Own(node.sense.fields[0]) for node in moments))
    if frame.group_said and not events and (of_people := _stays_of_people(frame, stays)) is not None:
        return of_people
    if frame.group_said or (events and not stays):
        if frame.who is not None and not events:
            return None
        if not frame.group_said:
            frame.pay(0.4, "people-unsaid")
        if fields:
            return people_with_fields(frame, names, fields)
        own = [node for node in events if own_extreme(node.sense.of) or _told_of_them(frame, node)]
        if own and _asked_of_all(frame, own[0]):
            return records_listed(frame, own, fields)
        if len(own) == 1 and frame.group is not None and frame.group.where is not None and not own[0].sense.others:
            pieces.use(*own)  # "patients with a lactate over 4 and their highest lactate"
            return Rows(people_set(frame), (Own("id"), Picked(Own("value"), own[0].sense.of)))
        if own:
            frame.pay(0.5, "own-extreme")
        return who_and_value(frame) or Rows(people_set(frame), (Own("id"),))
    if stays:
        solid = next((one for one in stays if not one.sense.loose), None)
        if solid is None:
            frame.pay(0.5, "people-unsaid")
            return Rows(people_set(frame), (Own("id"),)) if frame.who is None else None
        if frame.who is None and (valued := value_of_each(frame, solid)) is not None:
            return valued
        of = stays_set(frame, solid)
        if of.pick is not None and of.pick.by is not None:
            alone = about_one(frame, of)
            of = of if alone else replace(of, pick=replace(of.pick, per="all"))
            pieces.use(*[one for one in pieces.of("ask") if one.sense == "long"], *frame.count)
            pieces.use(*[one for one in pieces.of("field") if one.sense.fields[0] in ("length", "patient")])
            return Rows(of, (*([] if alone else [Own(PATIENT)]), Own("id"), Own("length")))
        if (ends := end_of_all(frame, solid, of)) is not None:
            return ends
        wanted = (
            [name for name in ("id", "admission time", "discharge time") if frame.world.holds(of.unit, name)]
            if frame.who is not None
            else ["id"]
        )
        if frame.who is not None and of.unit == ICU:
            wanted = ["id", "time", "end time"]
        return Rows(of, tuple(Own(name) for name in wanted))
    if pieces.of("trait", "dead", "readmission", "readmitted", "current"):
        frame.pay(0.6, "people-unsaid")
        return Rows(people_set(frame), (Own("id"),))
    return None


def _asked_of_all(frame: Frame, node: Node) -> bool:
    """ "Among the women, who had the highest lactate": one of all of them, and not that of each."""
    people = next((one for one in frame.pieces.nodes if one.kind == "people" and one.start == frame.group_at), None)
    words = frame.context.lexed.words
    if people is None:
        return False
    which = "which" in words[: people.start] and not _ONE_OF_THEM.isdisjoint(words[people.start : people.end])
    return which or asked_of_all(words, people.start, people.end, node.start)


_ONE_OF_THEM = {"patient", "person", "woman", "man", "individual"}


def which_of_them(frame: Frame) -> bool:
    """ "Which of patients 101 and 102 had heart failure": those of several who are named."""
    words = frame.context.lexed.words
    for leaf in (leaf for node in frame.pieces.nodes for leaf in node.leaves() if leaf.kind == "people"):
        where = leaf.sense.of.where
        several = isinstance(where, Among) and len(where.values) > 1
        if several and words[max(0, leaf.start - 2) : leaf.start] in (("which", "of"), ("who", "of")):
            return True
    return False


def taken_now(frame: Frame) -> Statement | None:
    """ "What is she on right now": the drugs that are not stopped."""
    words = frame.context.lexed.words
    now = next((node for node in frame.pieces.of("current") if "on" in words[max(0, node.start - 1) : node.end]), None)
    if now is None or "what" not in words or not frame.world.has("prescription"):
        return None
    if not frame.world.roles["prescription"].end:
        return None
    frame.pieces.use(now)
    of = whose(frame, Set("prescription", (), Is(Own("end time"), "open")))
    return Rows(of, (Own("name"),), distinct=True)


def antibiotics_listed(frame: Frame) -> Statement | None:
    """ "What is this Klebsiella resistant to": the antibiotics that were tested with that result."""
    words = frame.context.lexed.words
    results = [node for node in frame.pieces.of("trait") if _interpreted(node.sense.condition)]
    after = [word for word in words[results[0].start :] if word not in ("?", ".")] if len(results) == 1 else []
    if not after or after[-1] not in ("to", "against") or not {"what", "which"} & set(words):
        return None
    event = attach_to_event(frame, Event("culture", Set("culture", (), None)))
    if not frame.world.holds(event.of.unit, "antibiotic"):
        return None
    frame.pieces.use(*results)
    return Rows(whose(frame, event.of), (Own("antibiotic"),), distinct=True)


def _interpreted(condition: object) -> bool:
    parts = condition.of if isinstance(condition, All) else (condition,)
    return any(isinstance(part, Test) and part.left == Own("interpretation") for part in parts)


_EXTREMES = {"highest:value": True, "maximum": True, "lowest:value": False, "minimum": False}


def who_and_value(frame: Frame) -> Statement | None:
    """ "Anybody with an A1c above 9? Who, and the value": the values that made them be listed, beside who they are; the
    highest or lowest of each where that is asked for."""
    values = [
        node
        for node in frame.pieces.of("field")
        if (node.sense.fields[0] == "value" and node.start > frame.group_at)
        or (node.sense.fields[0] in ("value", "time") and _beside(frame, node))
    ]
    extremes = [node for node in frame.pieces.of("superlative", "function") if node.sense in _EXTREMES]
    if not (values or extremes) or frame.who is not None:
        return None
    before = frame.state()
    where = people_set(frame).where
    [condition] = parts_of(where) if len(parts_of(where)) == 1 else (None,)
    if (
        not isinstance(condition, Has)
        or condition.times is not None
        or (condition.of.pick is not None and condition.of.pick.by is not None)
        or not frame.world.holds(condition.of.unit, "value")
    ):
        frame.restore(before)
        return None
    frame.pieces.use(*values)
    frame.pay(-0.25, "value-too")
    names = dict.fromkeys(node.sense.fields[0] for node in values)
    of = condition.of
    if extremes and of.pick is None:
        frame.pieces.use(*extremes)
        names = {**names, "value": None}
        of = replace(of, pick=Pick(1, Own("value"), _EXTREMES[extremes[0].sense]))
    return Rows(of, (Own(PATIENT), *map(Own, names)))


def value_of_each(frame: Frame, stays: Node) -> Statement | None:
    """ "Stays with a hemoglobin under 7 and the lowest value of each": of what was measured, beside the stay."""
    extremes = [node for node in frame.pieces.of("superlative", "function") if node.sense in _EXTREMES]
    values = [node for node in frame.pieces.of("field") if node.sense.fields[0] == "value" and node.start > stays.start]
    said = bool(values) or any("value" in frame.context.lexed.words[one.start : one.end] for one in extremes)
    if len(extremes) != 1 or not said or extremes[0].start < stays.start:
        return None
    before = frame.state()
    of = stays_set(frame, stays)
    had = [part for part in parts_of(of.where) if isinstance(part, Has) and frame.world.holds(part.of.unit, "value")]
    if len(had) != 1 or had[0].times is not None or had[0].of.pick is not None:
        frame.restore(before)
        return None
    frame.pieces.use(*extremes, *values, *frame.by)
    frame.pay(-0.25, "value-too")
    rest = [part for part in parts_of(had[0].of.where) if not (isinstance(part, Test) and part.left == Own("value"))]
    one = replace(had[0].of, where=maybe(rest), pick=Pick(1, Own("value"), _EXTREMES[extremes[0].sense]))
    return Rows(of, (Own("id"), Picked(Own("value"), one)))


def _beside(frame: Frame, field: Node) -> bool:
    """ "Patients, dates, values": a column that is named beside others, or is to be shown with them."""
    words = frame.context.lexed.words
    before = [word for word in words[: field.start] if word not in ("the", "their", "its", "of")][-1:]
    return before in (["and"], ["&"], [","], ["plus"], ["with"], ["show"])


_KIND_ASKED = 1.2
"""What it costs that people are listed where the question asks for records: "which drugs contain heparin?"."""


def asks_people(frame: Frame, events: Sequence[Node]) -> bool:
    """True where people are what is listed, and the records say which."""
    first = events[0]
    which = frame.context.before(first, 1) in (("which",), ("what",))
    asked = asks_which_of(frame, first) or (first.sense.noun and (which or _to_be_listed(frame, first)))
    if frame.prefers("people"):
        frame.pay(_KIND_ASKED if asked and not frame.group_said else 0.0, "kind-asked")
        return True
    if frame.prefers("records"):
        if frame.group_said or _of_stays(frame, events):
            frame.pay(0.9, "records-preferred")
        return False
    if not frame.group_said:
        if _of_stays(frame, events):
            return True
        return all(is_condition(frame, node.sense) for node in events)
    if asked:
        return False  # "for patients with gout, which procedures were done", "…, list the procedures"
    if _values_of_people(frame, first):
        return False
    if first.sense.noun and first.start < frame.group_at and first.sense.of.where is None:
        return False
    return not (first.sense.of.pick is not None and first.start < frame.group_at)


def _to_be_listed(frame: Frame, noun: Node) -> bool:
    """ "List the drugs", "show all tests": a verb right before the noun asks for it."""
    shown = [node.end for node in frame.context.lexed.nodes if node.kind == "list" and node.sense == "show"]
    between = (frame.context.lexed.words[end : noun.start] for end in shown if end <= noun.start)
    return any(set(words) <= {"the", "all", "their", "of", "any"} for words in between)


def _of_stays(frame: Frame, events: Sequence[Node]) -> bool:
    """ "Admissions prescribed…": stays are what is listed."""
    solid = [node for node in frame.stays if not node.sense.loose and not node.sense.one]
    return frame.who is None and bool(solid) and solid[0].start < events[0].start and not events[0].sense.noun


def _told_of_them(frame: Frame, event: Node) -> bool:
    """ "Patients with gout and their last urea": the value is told of each of them."""
    return has_values(frame, event.sense) and told_of_them(frame.context.before(event), event.sense)


def _values_of_people(frame: Frame, first: Node) -> bool:
    """ "The temperatures of those with malaria": what is measured comes first, and of whom behind it."""
    words = frame.context.lexed.words
    of_whom = words[first.end : first.end + 1] == ("of",) and first.end < frame.group_at
    plain = not first.sense.noun and first.sense.of.where is None and frame.world.holds(first.sense.of.unit, "value")
    return of_whom and plain and kind_of(first.sense.role).measured


def is_condition(frame: Frame, event: Event) -> bool:
    """A limit on a value, said of nobody: who had it is meant."""
    parts = parts_of(event.of.where)
    return any(isinstance(part, Test) and part.left == Own("value") for part in parts) and event.of.pick is None


def records_listed(frame: Frame, events: Sequence[Node], fields: Sequence[Node]) -> Statement | None:
    """Attributes of records: their names, values, doses; or of the stays and people that they belong to."""
    pieces = frame.pieces
    node = events[0]
    own = [
        one
        for one in fields
        if frame.world.holds(unit_of(node.sense.role), one.sense.fields[0]) or one.sense.fields[0] == "patient"
    ]
    foreign = [one for one in fields if one not in own]
    pieces.use(node)
    event = attach_to_event(frame, node.sense)
    lasting = frame.world.profile.role(event.role).end and not kind_of(event.role).place
    if lasting and [one.sense.fields[0] for one in foreign] == ["length"]:
        return lengths_listed(frame, event, foreign)
    if foreign and not own and not (len(foreign) == 1 and foreign[0].sense.fields[0] in ("first care unit",)):
        names = [one.sense.fields[0] for one in foreign]
        pieces.use(*foreign)
        units = [frame.world.owner(name) for name in names]
        unit = next((one for one in (ICU, HOSPITAL, PATIENT) if one in units), "")
        if unit:
            of = limited(whose(frame, Set(unit)), having(event))
            alone = frame.who is not None or _asks_for_thing(frame, foreign)
            columns = tuple(map(Own, names)) if alone else (Own(PATIENT), *map(Own, names))
            return Rows(of, columns, distinct=True)
        if event.role != "transfer" or not {*names} <= _OF_MOVES:
            frame.pay(_FOREIGN_LOST, "foreign-lost")
    return _own_records(frame, node, event, own)


def _asks_for_thing(frame: Frame, fields: Sequence[Node]) -> bool:
    """ "Which clinics treated patients with gout": what is asked for is a thing by itself, and told of nobody."""
    words, first = frame.context.lexed.words, fields[0]
    asked = first.start == 0 or words[first.start - 1] in ("which", "what", "list")
    return asked and all(one.sense.fields[0] in _THINGS for one in fields)


_THINGS = {"provider", "organization", "insurance", "specialty", "hospital"}


def _own_records(frame: Frame, node: Node, event: Event, own: Sequence[Node]) -> Statement | None:
    """Records, which a node speaks of, with attributes of their own."""
    pieces = frame.pieces
    of = whose(frame, event.of)
    for stays in pieces.of("stays"):
        if (stays.sense.of.where is not None or stays.sense.of.pick is not None) or (
            stays.sense.of.unit == ICU and not stays.sense.loose
        ):
            of = limited(of, Of(stays.sense.of))
        pieces.use(stays)
    role = frame.world.profile.role(event.role)
    columns: list[Measure] = []
    pieces.use(*own)
    for one in own:
        name = one.sense.fields[0]
        columns.append(Own(name))
        if name == "dose" and frame.world.holds(of.unit, "dose unit"):
            columns.append(Own("dose unit"))
        if name == "organism":
            of = limited(of, frame.world.growth("present"))
    value_said = [one for one in pieces.of("field") if one.sense.fields[0] in ("value",)]
    time_said = [one for one in pieces.of("field") if one.sense.fields[0] == "time"]
    asked_when = [node for node in pieces.of("ask") if node.sense == "when"]
    timed = bool(time_said or asked_when) or _time_heads(frame)
    pieces.use(*asked_when)
    pieces.use(*value_said, *time_said)
    unnamed = event.noun and not event.of.items
    if own and unnamed and (role.is_register or (node.start < own[0].start and about_one(frame, of))):
        columns.insert(0, Own("name"))  # "all drugs with their routes"
    measured = kind_of(event.role).measured or bool(role.wide) or (event.role in ("body", "observation"))
    flow = bool(kind_of(event.role).flow)
    if not columns:
        if unnamed:
            columns = [Own("name")]
            if measured and (value_said or of.pick is not None or _says_values(frame, node)):
                columns.append(Own("value"))
                if _says_values(frame, node) and about_one(frame, of) and role.time and of.pick is None:
                    columns.append(Own("time"))
        elif timed and of.pick is not None and not measured:
            columns = []
        elif measured and of.pick is not None and of.pick.by is None and pressures(of):
            columns = [Own("name"), Own("value")]  # "the last three blood pressures": what each of them is
            timed = timed or of.pick.through
            of = replace(of, pick=replace(of.pick, ties=True))
        elif measured:
            columns = [Own("value")]
        elif flow and about_one(frame, of):
            if of.pick is None and not timed:
                return Single((Aggregate("sum", of, Own("value")),))
            columns = [Own("value")]
        elif kind_of(event.role).dosed and value_said:
            columns = [Own("dose")]
        else:
            columns = [Own("name")]
    if (
        role.wide
        and (event.role != "body" or event.others)
        and (wide := _side_by_side(event, list(role.wide), of)) is not None
    ):
        of, columns = wide
        if not timed and about_one(frame, of) and of.pick is None:
            columns.insert(0, Own("time"))
        event = replace(event, others=())
    if columns and Own("name") not in columns and event.noun and not event.of.items and and_their(frame, own):
        columns.insert(0, Own("name"))
    if timed:
        columns.append(Own("time"))
    if event.others:
        items = tuple(item for one in (event, *event.others) for item in one.of.items)
        if of.pick is not None:
            singles: list[Measure] = []
            for each in (replace(event, others=()), *event.others):
                singles.append(Picked(Own("value"), whose(frame, each.of)) if measured else Own("name"))
            if measured and all(isinstance(single, Picked) for single in singles):
                if timed:
                    frame.pay(_TIME_LOST, "time-lost")
                if frame.who is None and frame.per_patient:
                    had = replace(event.of, pick=None)
                    return Rows(limited(people_set(frame), Has(had)), (Own("id"), *singles))
                return Single(tuple(singles))
        if len({one.role for one in (event, *event.others)}) == 1:
            of = replace(of, items=items)
            columns = [Own("name"), *[column for column in columns if column != Own("name")]]
        else:
            frame.pay(1.5, "mixed-list")
    extreme = of.pick is not None and of.pick.by is not None
    alone = about_one(frame, of)
    if measured and (extreme or value_said) and set(columns) <= {Own(PATIENT), Own("time")}:
        columns.append(Own("value"))
    order = _several_extreme(frame, node, of) if extreme and not event.others else None
    if order is not None:
        of = replace(of, pick=None)
    elif extreme and not alone and not theirs_each(frame) and of.pick is not None:
        of = replace(of, pick=replace(of.pick, per="all"))
    if _several_named(frame) and Own(PATIENT) not in columns:
        columns.insert(0, Own(PATIENT))
    if not alone and (frame.group_said or extreme or asked_whose(frame)) and Own(PATIENT) not in columns:
        columns.insert(0, Own(PATIENT))
    once = ([Own("name")], [Own("organism")], [Own("route")], [Own(PATIENT)])
    own_extremes = extreme and frame.per_patient and Own("time") not in columns  # however often it was so high
    distinct = columns in once or Own("dose") in columns or own_extremes
    of_items = _OF_ITEMS | set(role.dictionary.fields if role.dictionary else ())
    if role.dictionary and any(item.kind == "concept" for item in of.items):
        frame.pay(_OF_THE_NAME * any(one.sense.fields[0] in role.dictionary.fields for one in own), "")
    distinct |= not alone and all(isinstance(one, Own) and one.field in of_items for one in columns)
    if (
        event.role == "culture"
        and columns == [Own("name")]
        and not tells_organism(of)  # "which specimens grew E. coli"
        and any(word in frame.context.lexed.words for word in ("bugs", "grew", "grow", "growing"))
    ):
        columns, distinct = [Own("organism")], True
        of = limited(of, frame.world.growth("present"))
    for other in pieces.of("event"):
        of = limited(of, Of(Set(PATIENT, (), having(other.sense))))
        pieces.use(other)
        unsaid = event.noun and not frame.group_said  # "which drugs contain heparin", "the labs on pleural fluid"
        frame.pay(2.5 if unsaid else 1.0, "other-event")
    return Rows(of, tuple(dict.fromkeys(columns)), distinct=distinct and order is None, order=order)


_OF_ITEMS = {"name", "code", "short title", "long title", "fluid", "category", "drug code", "drug type"}
"""What is told of what records are about, and of no single record."""


_OF_THE_NAME = 0.6
"""What it costs that the dictionary's entry of a name is asked for, and those of all that it may stand for are told."""


def _side_by_side(event: Event, names: Sequence[str], of: Set) -> tuple[Set, list[Measure]] | None:
    """ "Heart rate and temperature", "vital signs", where one row keeps several: what each row measured of those that
    are named; None where one is named, or what other kinds of records keep."""
    events = (event, *event.others)
    told = [item.text for one in events for item in one.of.items]
    if any(one.role != event.role for one in events) or len(set(told)) == 1 or not set(told) <= set(names):
        return None
    items = tuple(item for one in events for item in one.of.items)
    columns: list[Measure] = [Own(name) for name in dict.fromkeys(told or names)]
    return replace(of, items=items), columns


def _several_extreme(frame: Frame, event: Node, of: Set) -> Order | None:
    """ "The three lowest sodium values", "top 5 lactates": that many in their order, where a number says so."""
    words = frame.context.lexed.words
    before = [one for one in frame.pieces.of("number") if one.end == event.start and one.sense == int(one.sense)]
    if (
        len(before) != 1
        or of.pick is None
        or of.pick.by is None
        or frame.per_patient
        or not 1 < before[0].sense < _MANY
    ):
        return None
    frame.pieces.use(*before, *[one for one in frame.pieces.of("most") if words[one.start : one.end] == ("top",)])
    return Order(of.pick.by, of.pick.descending, int(before[0].sense))


def _several_named(frame: Frame) -> bool:
    """True where several patients are named one by one, so that each row must say whose it is."""
    named = parts_of(frame.who.of.where) if frame.who is not None else ()
    return any(isinstance(part, Among) and len(part.values) > 1 for part in named)


def _says_values(frame: Frame, node: Node) -> bool:
    """True where a kind of records is called by its values: "the lab values of 10035"."""
    return bool({"values", "results", "levels", "readings"} & set(frame.context.lexed.words[node.start : node.end]))


def _time_heads(frame: Frame) -> bool:
    """ "The last time she got aspirin": the moment is what the words begin with, and so what is asked."""
    words, prices = frame.context.lexed.words, frame.context.lexed.prices
    asked = [one.start for one in frame.pieces.nodes if one.kind == "list" and one.sense == "which"]
    return any(
        leaf.kind == "pick"
        and words[leaf.end - 1] in ("time", "occasion")
        and "for" not in words[: leaf.end]
        and sum(prices[: leaf.start]) < _LITTLE
        and all(at < leaf.start for at in asked)
        for piece in frame.pieces.nodes
        for leaf in piece.leaves()
    )


def and_their(frame: Frame, fields: Sequence[Node]) -> bool:
    """ "Drugs and their routes": the records too, and not the attribute alone."""
    words = frame.context.lexed.words
    return any(words[max(0, field.start - 2) : field.start] in _AND_THEIR for field in fields)


def asked_whose(frame: Frame) -> bool:
    """True where whose something was is asked."""
    return bool({"whose", "whom", "who", "who's", "whos"} & set(frame.context.lexed.words))


def _asks_who_too(frame: Frame, field: Node) -> bool:
    """True for "which patients are on which ward", "patients and their ward": whose it is is asked as well."""
    words = frame.context.lexed.words
    people = [node for node in frame.pieces.nodes if node.kind == "people" and node.end <= field.start]
    both = {"which", "what"}
    asked = any(node.start and words[node.start - 1] in both for node in people)
    theirs = words[max(0, field.start - 2) : field.start]
    named = not _PATIENTS.isdisjoint(words[: field.start]) and not _COUNTED.issubset(words[: field.start])
    joined = named and bool(theirs) and ("their" in theirs or (theirs[0] in _PATIENTS and theirs[-1] in _WITH))
    return (asked and field.start > 0 and words[field.start - 1] in both) or joined


_PATIENTS = {"patient", "patients", "inpatient", "inpatients", "everyone", "everybody"}
_COUNTED = {"how", "many"}
_WITH = {"and", "with", ",", "&", "/", "+"}


def attributes_listed(frame: Frame, names: list[str], fields: Sequence[Node]) -> Statement | None:
    """Attributes of people and of their stays."""
    pieces = frame.pieces
    world = frame.world
    pieces.use(*fields)
    enumerated = [pair for pair in pairwise(fields) if set(frame.context.between(*pair)) & _BETWEEN]
    frame.pay(_LISTED * len(enumerated), "")
    moments = [
        node
        for node in pieces.of("field")
        if node.sense.fields[0] in ("admission time", "discharge time", "icu admission time")
    ]
    beside = _moments_beside(frame, fields, moments)
    if beside and "patient" not in names:
        pieces.use(*beside)
        names = [node.sense.fields[0] for node in sorted((*fields, *beside), key=lambda node: node.start)]
    wanted = [name for name in dict.fromkeys(names) if name != "patient"]
    units = {name: world.owner(name) for name in wanted}
    if "organism" in wanted:
        cultures = [one for one, kind in kinds().items() if kind.microbial and world.has(one)]
        role = max(cultures, key=lambda one: kind_of(one).grown, default="")
        if not role:
            return None
        event = attach_to_event(frame, Event(role, Set(unit_of(role), (), frame.world.growth("present"))))
        return Rows(whose(frame, event.of), (Own("organism"),), distinct=True)
    if "weight" in wanted:
        return None
    if "cost" in wanted and world.has("cost"):
        of = costs_of(frame)
        for window in pieces.take("window"):
            of = limited(of, *window.sense)
        pieces.use(*[node for node in pieces.of("stays") if node.sense.of.where is None and node.sense.of.pick is None])
        return Single((Aggregate("sum", of, Own("value")),))
    stays = pieces.of("stays")
    needs_stay = any(unit in (HOSPITAL, ICU) for unit in units.values()) or any(
        name in ("length", "admission time", "discharge time") for name in wanted
    )
    record_units = [unit for unit in units.values() if unit and unit not in UNITS]
    if record_units and not needs_stay:
        unit = record_units[0]
        role = unit.replace(" ", "_")
        if not world.has(role):
            return None
        told = any(node.end == fields[0].start for node in pieces.of("pick"))  # "the last ward": of those that tell it
        told = told or (bool(pieces.of("current")) and kind_of(role).place)
        known = Is(Own(wanted[0]), "present") if told else None
        event = attach_to_event(frame, Event(role, Set(unit, (), known), noun=True))
        pieces.use(*[node for node in pieces.of("stays") if node.sense.loose])
        whom = "patient" in names or asked_whose(frame) or _asks_who_too(frame, fields[0])
        columns = tuple(map(Own, wanted))
        columns = (Own(PATIENT), *columns) if whom and frame.who is None else columns
        return Rows(_of_named(whose(frame, event.of)), columns, distinct=True)
    if not needs_stay and not stays and not moments:
        of = people_set(frame)
        columns = tuple(map(Own, wanted))
        if frame.who is None and frame.group_said:
            columns = (Own("id"), *columns)
        return Rows(of, columns)
    unit = (
        ICU
        if any(world.owner(name) == ICU for name in wanted)
        and not any(world.owner(name) == HOSPITAL for name in wanted)
        else HOSPITAL
    )
    if "length" in wanted and (any(one.sense.of.unit == ICU for one in stays) or says_icu(frame, fields)):
        unit = ICU
    if moments:
        pieces.use(*[node for node in moments if node.start > fields[0].start])
    node = next((one for one in stays if one.sense.of.unit == unit), None)
    of = stays_set(frame, node, unit)
    columns = tuple(map(Own, wanted))
    if all(name.endswith(("time", "date")) for name in wanted) and is_end_of_all(frame, fields[-1], of):
        assert of.pick is not None
        return Rows(replace(of, pick=replace(of.pick, per="all")), columns)
    if frame.who is None:
        thing = _asks_for_thing(frame, fields)
        if (frame.group_said and not thing) or "patient" in names or asked_whose(frame):
            columns = (Own(PATIENT), *columns)
        elif not of.where:
            return Rows(of, columns, distinct=True)
    plain = all(
        name in ("insurance", "language", "religion", "marital status", "ethnicity", "first care unit", "ward")
        for name in wanted
    )
    return Rows(of, columns, distinct=plain or not about_one(frame, of))


def _moments_beside(frame: Frame, fields: Sequence[Node], moments: Sequence[Node]) -> list[Node]:
    """The moments that are listed with attributes, and tell no rows apart: "admission date and length of stay"."""
    words = frame.context.lexed.words
    dated = [node for node in moments if not _DATES.isdisjoint(words[node.start : node.end])]
    found: list[Node] = []
    for one, other in pairwise(sorted((*fields, *dated), key=lambda node: node.start)):
        between = frame.context.between(one, other)
        if between and set(between) <= _LISTED_WITH:
            found += [node for node in (one, other) if node in dated and node not in found]
    return found


def says_icu(frame: Frame, fields: Sequence[Node]) -> bool:
    """True where the words of the attributes speak of the ICU."""
    words = frame.context.lexed.words
    return any({"icu", "unit"} & set(words[node.start : node.end]) for node in fields)


def _sets_against(frame: Frame, field: Node) -> bool:
    return not _AGAINST.isdisjoint(frame.context.lexed.words[field.start : field.end])


def _of_named(of: Set) -> Set:
    """ "The reactions that people had to latex": those of the records that the people must have had."""
    for part in parts_of(of.where) if not of.items and of.pick is None else ():
        if isinstance(part, Of) and part.of.unit == PATIENT:
            theirs = parts_of(part.of.where)
            same = [one for one in theirs if isinstance(one, Has) and one.of.unit == of.unit and one.of.items]
            if len(same) == 1:
                whom = [one for one in theirs if one != same[0]]
                rest = [one for one in parts_of(of.where) if one != part]
                rest += [Of(limited(Set(PATIENT), *whom))] if whom else []
                return limited(same[0].of, *rest)
    return of


def people_with_fields(frame: Frame, names: list[str], fields: Sequence[Node]) -> Statement | None:
    """ "Which patients had…, and how old were they": attributes beside who they are."""
    pieces = frame.pieces
    wanted = [name for name in dict.fromkeys(names) if name != "patient"]
    pieces.use(*fields)
    of = people_set(frame)
    if not wanted:
        return Rows(of, (Own("id"),))
    units = [frame.world.owner(name) for name in wanted]
    if wanted == ["id"]:
        return Rows(stays_like(of), (Own(PATIENT), Own("id")))
    if all(unit == PATIENT for unit in units):
        return Rows(of, (Own("id"), *map(Own, wanted)))
    return Rows(Set(HOSPITAL, (), Of(of)), (Own(PATIENT), *map(Own, wanted)), distinct=True)
