"""When, where, how long, how old, how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    Among,
    Groups,
    Interval,
    Is,
    Meaning,
    Measure,
    Near,
    Of,
    Own,
    Part,
    PartOf,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.reader.ages import age_at, at_a_stay
from ehrtui.planning.reader.between import between_moments
from ehrtui.planning.reader.changes import elapsed
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.costs import cost_of_one, costs_of, priced
from ehrtui.planning.reader.ends import end_of_all
from ehrtui.planning.reader.frame import Frame, theirs_each, unit_asked
from ehrtui.planning.reader.keys import grouped, numbered
from ehrtui.planning.reader.meanings import Event, length_of, limited, parts_of, plain, unit_of
from ehrtui.planning.reader.sets import (
    about_one,
    attach_to_event,
    has_values,
    named_one_by_one,
    not_over,
    people_set,
    stays_like,
    stays_set,
    whose,
)
from ehrtui.schema.kinds import TRANSFER, kind_of

_EACH_STAY = {Own(HOSPITAL), Own(ICU), Own("admission time")}
"""What "at each admission" makes groups by."""
_COMES = {"come", "came", "comes", "coming", "from", "arrive", "arrived", "admitted", "referred", "brought"}


_GOES = {
    "go",
    "goes",
    "went",
    "gone",
    "going",
    "discharged",
    "discharge",
    "sent",
    "leave",
    "left",
    "leaves",
    "released",
    "end",
    "ended",
}


_PARTS: dict[str, Part] = {"year": "year", "quarter": "quarter", "month": "month", "weekday": "weekday"}
_WHEN = {"when", *_PARTS}
"""Question words that ask for a moment, or for the part of the calendar that it lies in."""


def questioned(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """What a question word asks for; None where it says nothing new."""
    pieces = frame.pieces
    kinds = [node.sense for node in frame.asks]
    if "where" in kinds and "when" in kinds and (found := _when_and_where(frame)) is not None:
        return found
    if "old" in kinds:
        pieces.use(*[node for node in frame.asks if node.sense == "old"])
        return aged_rows(frame, keys)
    if "much" in kinds:
        return how_much(frame, keys)
    if "long" in kinds:
        return how_long(frame, keys)
    if "where" in kinds:
        return where_asked(frame, keys)
    if _WHEN & set(kinds):
        return when_asked(frame)
    if "meaning" in kinds:
        return meaning_of(frame)
    if "heavy" in kinds or "tall" in kinds:
        return body_measure(frame, "weight" if "heavy" in kinds else "height")
    return None


def _when_and_where(frame: Frame) -> Statement | None:
    """ "When was he discharged, and where did he go": both, of the same stays, in the order in which they are asked."""
    before, asks = frame.state(), sorted(frame.asks, key=lambda node: node.start)
    found: list[Rows] = []
    used = set(before.used)
    for which in dict.fromkeys(node.sense for node in asks if node.sense in ("when", "where")):
        frame.restore(before)
        made = when_asked(frame) if which == "when" else where_asked(frame, ())
        if not isinstance(made, Rows) or (found and made.of != found[0].of):
            frame.restore(before)
            return None
        found.append(made)
        used |= frame.pieces.used
    frame.pieces.used = used
    return replace(found[0], columns=tuple(dict.fromkeys(one for rows in found for one in rows.columns)))


def meaning_of(frame: Frame) -> Statement | None:
    """What the short name of a diagnosis or procedure stands for."""
    events = [node for node in frame.pieces.of("event") if kind_of(node.sense.role).coded]
    if len(events) != 1 or frame.who is not None or frame.group_said:
        return None
    items = events[0].sense.of.items
    if len(items) != 1 or items[0].kind != "name" or events[0].sense.of.where is not None:
        return None
    frame.pieces.use(events[0], *[node for node in frame.asks if node.sense == "meaning"])
    return Meaning(items[0].text)


def aged_rows(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement:
    """How old somebody is or was."""
    if (found := age_at(frame)) is not None:
        people, age = found
        return Rows(people, (age,) if frame.who is not None else (Own("id"), age))
    pieces = frame.pieces
    stays = pieces.of("stays")
    unit = HOSPITAL if stays or at_a_stay(frame) else frame.world.aged
    moments = [
        node
        for node in pieces.of("field")
        if node.sense.fields[0] in ("admission time", "discharge time", "death time")
    ]
    pieces.use(*moments, *[node for node in pieces.of("field") if node.sense.fields[0] == "age"])
    if unit == PATIENT:
        return Rows(people_set(frame), (Own("age"),))
    of = stays_set(frame, stays[0] if stays else None, unit)
    if _EACH_STAY & set(keys):
        return Rows(of, (Own("id"), Own("age")))
    if of.pick is None and frame.who is not None and not stays:
        of = replace(of, pick=Pick(1, None, True))
    for limit in pieces.of("limit"):
        if limit.sense.unit in ("", "year") and all(12 <= number <= 115 for _, number in limit.sense.tests):
            of = limited(of, *(Test(Own("age"), sign, Value(plain(number))) for sign, number in limit.sense.tests))
            pieces.use(limit)
            frame.pay(0.3, "apart:age")
    columns: tuple[Measure, ...] = (Own("age"),) if frame.who is not None else (Own(PATIENT), Own("age"))
    return Rows(of, columns, distinct=True)


def how_much(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """How much was given, measured or charged."""
    pieces = frame.pieces
    asks = [node for node in frame.asks if node.sense == "much"]
    costs = [node for node in pieces.of("field") if node.sense.fields[0] == "cost"]
    if costs and frame.world.has("cost"):
        pieces.use(*costs, *asks)
        of = costs_of(frame)
        for window in pieces.take("window"):
            of = limited(of, *window.sense)
        return numbered(frame, of, keys, Aggregate("sum", None, Own("value")))
    if costs and (found := cost_of_one(frame, costs)) is not None:
        return found
    behind = frame.context.lexed.words[asks[0].end : asks[0].end + 1]
    of_all = not any(about_one(frame, one.sense.of) for one in frame.events)
    if of_all and behind in (("is",), ("are",)) and (found := priced(frame)) is not None:
        return found
    events = [node for node in pieces.of("event") if has_values(frame, node.sense)]
    if not events:
        return None
    node = events[0]
    pieces.use(node, *asks)
    event = attach_to_event(frame, node.sense)
    of = whose(frame, event.of)
    if kind_of(event.role).flow:
        return numbered(frame, of, keys, Aggregate("sum", None, Own("value")))
    if kind_of(event.role).dosed:
        return Rows(
            of, tuple(Own(name) for name in ("dose", "dose unit") if frame.world.holds(of.unit, name)), distinct=True
        )
    return Rows(of, (Own("value"),))


def body_measure(frame: Frame, name: str) -> Statement | None:
    """How heavy or tall somebody is: the values charted under that name."""
    found = next(
        (
            one
            for mention in frame.world.link(name)
            for one in mention.candidates
            if not one.field and has_values(frame, Event(one.role, Set(unit_of(one.role))))
        ),
        None,
    )
    if found is None:
        return None
    frame.pieces.use(*frame.asks)
    event = attach_to_event(frame, Event(found.role, Set(unit_of(found.role), found.items)))
    of = whose(frame, event.of)
    return Rows(of if of.pick is not None else replace(of, pick=Pick(1, None, True)), (Own("value"),))


def how_long(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """How long something lasted, or what time lay between two moments."""
    pieces = frame.pieces
    long = [node for node in frame.asks if node.sense == "long"]
    words = frame.context.lexed.words
    unit = unit_asked(frame)
    pieces.use(*long)
    if (found := elapsed(frame, unit or "day")) is not None:
        return found
    if (lasted := between_moments(frame)) is not None:
        of, between = lasted
        if frame.who is not None:
            return Rows(of, (between,))
        frame.pay(0.5, "mean-unsaid")
        return numbered(frame, of, keys, Aggregate("mean", None, between))
    names = [node.sense.fields[0] for node in pieces.of("field")]
    events = [node for node in pieces.of("event") if not node.sense.noun]
    lasting = [node for node in events if frame.world.profile.role(node.sense.role).end]
    if lasting and (frame.who is not None or about_one(frame, lasting[0].sense.of)):
        node = lasting[0]
        pieces.use(node)
        of = whose(frame, attach_to_event(frame, node.sense).of)
        return Single((Aggregate("sum", of, Interval(unit or "hour", Own("time"), Own("end time"))),))
    stays = pieces.of("stays")
    plain = all(node.sense.loose and node.sense.of.pick is None for node in stays) and not pieces.of("window")
    still = "been" in words and ("here" in words or (plain and bool(stays) and {"has", "have"} & set(words)))
    current = pieces.of("current") or still
    if current and frame.who is not None:
        pieces.take("current")
        pieces.use(*stays)
        kind = (
            stays[0].sense.of.unit
            if stays and not (stays[0].sense.loose and stays[0].sense.of.unit == HOSPITAL)
            else HOSPITAL
        )
        of = replace(whose(frame, Set(kind)), pick=Pick(1, None, True))
        return Rows(of, (Interval(unit or "day", Own("time"), Own("now")),))
    if events and frame.who is not None and not stays and not any(name == "length" for name in names):
        frame.pay(1.2, "stay-for-record")
    of = stays_set(frame, stays[0] if stays else None, HOSPITAL)
    if of.pick is not None and of.pick.by is not None and not about_one(frame, of):
        of = replace(of, pick=replace(of.pick, per="all"))
        return Rows(of, (Own(PATIENT), Own("length")))
    pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] == "length"])
    measure = length_of(unit or "day")
    if frame.who is None and named_one_by_one(of):
        itself = any(isinstance(part, Among) for part in parts_of(of.where))  # "how long did stay 12 last" has no pick
        return Rows(replace(of, pick=None) if itself else of, (measure,))
    if frame.who is None:
        if keys:
            frame.pay(0.5, "mean-unsaid")
            return grouped(frame, of, keys, Aggregate("mean", None, measure))
        if frame.group is not None and frame.group.where is not None and of == Set(HOSPITAL, (), Of(frame.group)):
            return Rows(stays_like(frame.group), (Own(PATIENT), measure))
        if stays and not stays[0].sense.loose and of.pick is None:
            frame.pay(0.5, "mean-unsaid")  # "how long did emergency visits last"
            return Single((Aggregate("mean", of, measure),))
        return None
    return Rows(of, (measure,))


def where_asked(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """Where somebody came from, went or lay."""
    pieces = frame.pieces
    words = set(frame.context.lexed.words)
    pieces.use(*[node for node in frame.asks if node.sense == "where"])
    named = [
        node
        for node in pieces.of("field")
        if node.sense.fields[0] in ("discharge location", "admission location", "ward")
    ]
    if named:
        name = named[0].sense.fields[0]
    elif words & _GOES:
        name = "discharge location"
    elif words & _COMES:
        name = "admission location"
    else:
        name = "ward" if frame.world.knows("ward") else "last care unit"
    now = bool(pieces.of("current"))
    if name == "last care unit" and now and frame.world.has(TRANSFER):
        name = "name"  # of wards of any kind
    if not frame.world.knows(name):
        return None
    pieces.use(
        *named,
        *[node for node in pieces.of("field") if node.sense.fields[0] in ("discharge time", "admission time")],
    )
    pieces.use(*[node for node in pieces.of("stays") if node.sense.loose])
    unit = HOSPITAL if frame.world.holds(HOSPITAL, name) else frame.world.owner(name)
    unit = TRANSFER if name == "name" else unit
    relation = pieces.of("relation")
    pieces.use(*relation)
    pieces.use(*[node for node in pieces.of("place") if isinstance(node.sense.condition, Near)])
    stays = pieces.of("stays")
    of = stays_set(frame, stays[0] if stays and stays[0].sense.of.unit == unit else None, unit)
    if frame.who is None and (frame.group is None or frame.group.where is None) and not about_one(frame, of):
        of = limited(of, Is(Own(name), "present"))
        pieces.use(*frame.count)
        if now and not frame.count:
            pieces.take("current")
            of = limited(of, not_over(unit)) if kind_of(unit).place else of
            return Rows(of, (Own(PATIENT), Own(name)), distinct=True)
        return Groups(of, (Own(name),), (Aggregate("count", None),))
    return Rows(of, (Own(name),), distinct=True)


def when_asked(frame: Frame) -> Statement | None:
    """When something happened, or in which year, which month, on which day of the week."""
    whens = [node for node in frame.asks if node.sense in _WHEN]
    rows = _moments_asked(frame, whens)
    parts = [_PARTS[node.sense] for node in whens if node.sense in _PARTS]
    if rows is None or not parts:
        return rows
    return replace(rows, columns=tuple(PartOf(parts[0], one) if _is_moment(one) else one for one in rows.columns))


def _is_moment(column: Measure) -> bool:
    return isinstance(column, Own) and column.field.endswith(("time", "date"))


def _moments_asked(frame: Frame, whens: Sequence[Node]) -> Rows | None:
    pieces = frame.pieces
    dead = pieces.of("dead")
    how = [node for node in pieces.of("field") if node.sense.fields[0].startswith("death ")] if frame.who else []
    picks = pieces.of("pick")
    if dead and len(picks) == 1 and not how and frame.who is None and not frame.events and frame.world.has("death"):
        nth = int(picks[0].sense)  # "when was the most recent death"
        pieces.use(*whens, *dead, *picks)
        of = replace(whose(frame, Set("death")), pick=Pick(abs(nth), None, nth < 0, "all"))
        return Rows(of, (Own("time"),))
    if (dead or how) and frame.world.knows("death time") and not frame.events:
        pieces.use(*whens, *dead, *how)
        asked = sorted((*how, whens[0]), key=lambda node: node.start)
        names = [node.sense.fields[0] if node in how else "death time" for node in asked]
        return Rows(people_set(frame), tuple(Own(name) for name in dict.fromkeys(names)))
    events = pieces.of("event")
    if events:
        node = events[0]
        pieces.use(node, *whens)
        event = attach_to_event(frame, node.sense)
        of = whose(frame, event.of)
        if of.pick is None and frame.context.lexed.words[whens[0].start] == "since":
            of = replace(of, pick=Pick())  # "since when has she had diabetes"
        columns = [Own("time")]
        extreme = of.pick is not None and of.pick.by is not None
        asked_too = "and" in frame.context.lexed.words[max(0, whens[0].start - 2) : whens[0].end]
        beside = asked_too and has_values(frame, event) and not kind_of(event.role).dosed
        if extreme or fields_of(frame, of.unit) or (beside and not event.noun and node.end <= whens[0].start):
            columns = [Own("value"), Own("time")]  # "the last lactate, and when was it taken?"
        if extreme and not about_one(frame, of) and of.pick is not None:
            of = of if theirs_each(frame) else replace(of, pick=replace(of.pick, per="all"))
            columns.insert(0, Own(PATIENT))
        if event.noun or (len(whens[0].sense) and frame.context.lexed.words[whens[0].start] == "with"):
            columns = (
                [Own("name"), *columns]
                if event.noun
                else [Own("value"), Own("time")]
                if has_values(frame, event) and not kind_of(event.role).dosed
                else columns
            )
        if frame.group_said and frame.who is None and not extreme:
            columns.insert(0, Own(PATIENT))
        pieces.use(*[one for one in pieces.of("field") if one.sense.fields[0] in ("time", "value")])
        return Rows(of, tuple(dict.fromkeys(columns)))
    moments = [node for node in pieces.of("field") if node.sense.fields[0].endswith(("time", "birth date"))]
    stays = pieces.of("stays")
    if moments or stays:
        pieces.use(*moments, *whens)
        names = [node.sense.fields[0] for node in moments if node.sense.fields[0] not in ("time",)] or [
            "admission time"
        ]
        unit = ICU if any(name.startswith("icu") for name in names) else HOSPITAL
        if names == ["birth date"] or names == ["death time"]:
            return Rows(people_set(frame), tuple(map(Own, names)))
        of = stays_set(frame, stays[0] if stays and stays[0].sense.of.unit == unit else None, unit)
        if stays and (end := end_of_all(frame, stays[0], of)) is not None:
            return end
        columns = list(map(Own, dict.fromkeys(names)))
        if not about_one(frame, of):
            columns.insert(0, Own(PATIENT))
        return Rows(of, tuple(columns))
    return None


_ASKING_WHEN = {"and", "or", "from", "to", "since", "until", "till"}
"""Words before a "when" that asks: "from when to when"."""


def joined_moments(frame: Frame) -> list[Node]:
    """The "when" that only joins, with the moment that it tells: "sent to rehab when they were discharged"."""
    if not frame.group_said or frame.who is not None:
        return []
    found = []
    for node in frame.pieces.of("ask"):
        if node.sense == "when" and _joins(frame, node):
            found.append(node)
            found += [one for one in frame.pieces.of("field") if 0 <= one.start - node.end <= 3]
    frame.asks = [node for node in frame.asks if node not in found]
    return found


def _joins(frame: Frame, when: Node) -> bool:
    """True for a "when" that only joins: "who were in the ICU when they died"."""
    words = frame.context.lexed.words
    before = words[when.start - 1 : when.start]
    joins = 0 <= frame.group_at < when.start and bool(before) and before[0].isalpha() and before[0] not in _ASKING_WHEN
    return joins and words[when.start : when.end] == ("when",)


def fields_of(frame: Frame, unit: str) -> list[Node]:
    """The attribute "value", where the rows of a unit have one."""
    return [
        node
        for node in frame.pieces.of("field")
        if node.sense.fields[0] == "value" and frame.world.holds(unit, "value")
    ]
