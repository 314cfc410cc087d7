"""The sets that the pieces of a question name: patients, stays and records with what is said about them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Among,
    Condition,
    Has,
    Is,
    Of,
    Own,
    Pick,
    Related,
    Relation,
    Set,
    Test,
    Value,
)
from ehrtui.logic.model import Window
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.following import anchored
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.grammar import YOUNGEST, Context
from ehrtui.planning.reader.meanings import (
    Event,
    Stays,
    Trait,
    every,
    length_of,
    limited,
    maybe,
    parts_of,
    plain,
    unit_of,
    values_of,
)
from ehrtui.planning.reader.numbers import LITRES
from ehrtui.planning.reader.one_stay import in_one_stay
from ehrtui.planning.reader.pronouns import THEIR_OWN, tells_what_they_had
from ehrtui.planning.reader.traits import at_the_stay, death, had_stay, having, is_own_figure, readmission, trait_of
from ehrtui.schema.kinds import kind_of

_AT_THE_END = (Own("discharge location"), Own("hospital death"))
"""What is so of a stay when it ends."""
_DEATHS_MERGED = 2.0
"""What it costs that "deaths and admissions" are those that ended in death."""
_ANY_RECORD = 1.6
"""What it costs that people must have any records of a kind: "the oldest patients and their diagnoses" tells them."""
_SIDE_BY_SIDE = 1.2
"""What it costs to take two nouns beside each other, as in "on the medicine service", for records of two kinds."""
_TITLED = -0.35
"""What it saves that records are said before a colon, and what is asked of them behind it."""
_SAYS_NOTHING = 0.15
_ANY_STAY = 0.6
"""What a condition costs that all patients meet: of having been in hospital."""

_PLACES = {"there", "icu", "unit", "ward", "where"}
"""Words for where somebody died."""


def attach_to_event(frame: Frame, event: Event) -> Event:
    """The event with what is left of times, places, limits and attributes."""
    pieces, of = frame.pieces, event.of
    for node in pieces.of("followed"):
        if (found := anchored(frame.group, node)) is not None:
            related, frame.group = found
            of = limited(of, related)
            pieces.use(node)
    for node in pieces.take("window"):
        of = limited(of, *node.sense)
        _pay_for_window(frame, node, 0.15)
    for node in pieces.take("place"):
        of = limited(of, node.sense.condition)
        frame.pay(0.15, "" if _alone(frame) else "apart:place")
    for node in pieces.of("trait"):
        one: Trait = node.sense
        if one.role == event.role or "record" in one.of or _of_records_too(frame, event, one):
            of = limited(of, one.condition)
            pieces.use(node)
            frame.pay(0.2, "apart:trait")
    for node in pieces.of("limit"):
        litres = kind_of(event.role).flow and frame.context.lexed.words[node.end - 1] in LITRES
        if not node.sense.unit and measured(event, frame.context) and not event.noun and not litres:
            of = limited(of, *(Test(Own("value"), sign, Value(plain(number))) for sign, number in node.sense.tests))
            pieces.use(node)
            frame.pay(0.5, "apart:limit")
    for node in pieces.of("growth"):
        if kind_of(event.role).microbial and frame.world.holds(unit_of(event.role), "organism"):
            of = limited(of, frame.world.growth(node.sense))
            pieces.use(node)
    for node in pieces.of("interpretation"):
        if "interpretation" in frame.world.holders and unit_of(event.role) in frame.world.holders["interpretation"]:
            of = limited(of, Test(Own("interpretation"), "=", Value(node.sense)))
            pieces.use(node)
    for node in pieces.of("current"):
        if may_go_on(frame.context, event.role):
            of = limited(of, not_over(event.role))
            pieces.use(node)
    for node in pieces.of("superlative"):
        direction, by = node.sense.split(":")
        if of.pick is None and by == "value" and measured(event, frame.context) and not event.noun:
            of = replace(of, pick=Pick(1, Own("value"), direction == "highest"))  # "over 6: who, and their highest"
            pieces.use(node)
            frame.pay(0.4, "apart:superlative")
    for node in pieces.of("pick"):
        if of.pick is None and frame.world.profile.role(event.role).time:
            nth = int(node.sense)
            of = replace(of, pick=Pick(abs(nth), None, nth < 0))
            pieces.use(node)
            frame.pay(0.4, "apart:pick")
    return replace(event, of=of)


def _pay_for_window(frame: Frame, window: Node, cost: float) -> None:
    """What it costs that a time stands apart from what was then: less where it opens the question."""
    clear = _opens(frame, window) or _alone(frame)
    frame.pay(cost / 3 if clear else cost, "" if clear else "apart:window")


def _alone(frame: Frame) -> bool:
    """True where records or stays are of one kind, those left aside by which they are told, and nothing else is there
    that could have been at that time."""
    people = frame.group is not None and frame.group.where is not None
    things = [node for node in (*frame.events, *frame.stays) if node not in frame.told_by]
    return len(things) == 1 and not (things[0].kind == "stays" and things[0].sense.loose) and not people


def _opens(frame: Frame, window: Node) -> bool:
    """ "In 2104, how many…": a time before all others that tells, which is meant for all of the question."""
    return all(frame.context.lexed.prices[at] <= _SAYS_NOTHING for at in range(window.start))


def _of_records_too(frame: Frame, event: Event, trait: Trait) -> bool:
    """ "Procedures that cost over 1000": an amount that the records have themselves, where no stay is spoken of."""
    amount = trait.field and frame.world.is_number(trait.field) and frame.world.holds(event.of.unit, trait.field)
    return bool(amount) and event.noun and not any(not node.sense.loose for node in frame.stays)


def may_go_on(context: Context, role: str) -> bool:
    """True for records that last until they end, as far as it is kept when they did: drugs that somebody is on, and
    conditions, care plans and the like that are still active."""
    return bool(context.world.profile.role(role).end) and not kind_of(role).measured


def not_over(role: str) -> Is:
    """What is true of records that go on: drugs and conditions until the end of the day on which they end, and a time
    on a ward until somebody leaves it."""
    return Is(Own("end time"), "missing" if kind_of(role).place else "open")


def whose(frame: Frame, of: Set) -> Set:
    """The rows of a set that are of whom the question speaks."""
    if frame.who is not None and of.unit == PATIENT:
        return limited(of, *parts_of(frame.who.of.where))
    if frame.who is not None:
        return limited(of, Of(frame.who.of))
    if frame.group is None or frame.group.where is None:
        return of
    parts = parts_of(frame.group.where)
    own = [part for part in parts if _of_the_stay(part, of.unit)]
    of = limited(of, *(one for part in own for one in parts_of(part.of.where)))  # type: ignore[union-attr]
    there = [part for part in parts if at_the_stay(frame.world, part, of.unit)]
    rest = [part for part in parts if part not in own and part not in there]
    return limited(of, *there, *([Of(replace(frame.group, where=every(rest)))] if rest else []))


def _of_the_stay(part: Condition, unit: str) -> bool:
    """True for what is said of people and is so of a stay of theirs, where stays of that unit are asked about: "the
    length of stay of people who came in through the emergency room"."""
    if not (isinstance(part, Has) and part.of.unit == unit in (HOSPITAL, ICU)):
        return False
    told = all(isinstance(one, Test | Among | Is) for one in parts_of(part.of.where))
    return part.times is None and part.of.pick is None and part.of.where is not None and told


def people_set(frame: Frame, *, conditions_from_events: bool = True) -> Set:
    """The patients of whom the question speaks, with every condition that is left."""
    pieces = frame.pieces
    of = frame.group or Set(PATIENT)
    if frame.who is not None:
        of = limited(of, *parts_of(frame.who.of.where))
    for node in pieces.of("trait"):
        of = limited(of, trait_of(frame.context, node.sense))
        pieces.use(node)
        frame.pay(0.2, "apart:trait")
    for node in pieces.of("dead"):
        condition = death(frame.context, node.sense, PATIENT)
        if condition is not None:
            of = limited(of, condition)
            pieces.use(node)
            frame.pay(_DEATHS_MERGED if is_own_figure(frame.context, node) else 0.0, "deaths-merged")
    if names_organism(of):
        pieces.use(*[node for node in pieces.of("growth") if node.sense == "present"])
    for node in pieces.of("readmission", "readmitted"):
        within = node.sense if node.kind == "readmission" else None
        of = limited(of, Has(Set(HOSPITAL, (), came_back(frame, node, within))))
        pieces.use(node)
    if conditions_from_events:
        events = pieces.take("event")
        if any(node.sense.of.pick is not None and node.sense.of.pick.by is not None for node in events):
            frame.pay(0.6, "extreme-apart")  # "the highest glucose of women" asks for a value
        if len(events) == 1:
            if _titled(frame, events[0]):
                frame.pay(_TITLED, "titled")
            of = limited(of, having(attach_to_event(frame, events[0].sense)))
        else:
            for node in events:
                of = limited(of, having(node.sense))
        if any(node.sense.noun and node.sense.of.where is None for node in events):
            told = any(tells_what_they_had(frame.context.lexed.words, node) for node in events)
            frame.pay(THEIR_OWN if told else 0.5, "noun-condition")
            if any(one.end == then.start for one, then in pairwise(sorted(events, key=lambda node: node.start))):
                frame.pay(_SIDE_BY_SIDE, "side-by-side")
    of = timed_stays(frame, of)
    for node in pieces.of("limit"):
        if node.sense.unit in ("", "year") and all(12 <= number <= 115 for _, number in node.sense.tests):
            of = limited(of, frame.world.of_age(*node.sense.tests))
            pieces.use(node)
            frame.pay(0.5 if node.sense.unit else 0.9, "apart:age")
    for node in pieces.of("together"):
        unit = {"hospital": HOSPITAL, "icu": ICU}[node.sense]
        same = in_one_stay(of, unit) if frame.world.has_stays(unit) else None
        if same is not None:
            of = same
            pieces.use(node)
            frame.pay(0.1, "apart:together")
    has = [part.of.unit for part in parts_of(of.where) if isinstance(part, Has)]
    known = _is_pointed_at(frame) and _PLACES.isdisjoint(frame.context.lexed.words)
    if "death" in has and not known and ({ICU, "transfer"} & set(has) or _only_when(frame, of)):
        frame.pay(1.9, "unkept:died-there")  # "died in the ICU" is not: died, and had been in the ICU
    return of


def _is_pointed_at(frame: Frame) -> bool:
    """True where the people are those of an earlier answer."""
    return any("points" in node.why for node in frame.pieces.nodes)


def _only_when(frame: Frame, people: Set) -> bool:
    """ "Died in hospital in 2104" is not: died, and was in hospital in 2104."""
    admitted = any(word.startswith(("admi", "hospitali")) for word in frame.context.lexed.words)
    had = [part.of for part in parts_of(people.where) if isinstance(part, Has) and part.of.unit == HOSPITAL]
    timed = [one for one in had if one.where is not None and all(isinstance(x, Window) for x in parts_of(one.where))]
    return bool(timed) and not admitted


def came_back(frame: Frame, back: Node, within: tuple[float, str, bool] | None) -> Condition:
    """A readmission, at the time that is said behind it, or after the discharge of a time that is said before it."""
    pieces, words = frame.pieces, frame.context.lexed.words
    windows = pieces.of("window")
    if len(windows) != 1:
        return readmission(within)
    window = windows[0]
    if window.start >= back.end:
        pieces.use(window)
        return every((readmission(within), *window.sense))
    left = [
        node for node in pieces.of("field") if node.sense.fields[0] == "discharge time" and node.end == window.start
    ]
    if not left or "and" not in words[window.end : back.start] or not frame.world.has("discharge"):
        return readmission(within)
    pieces.use(window, *left)
    relation = Relation("after") if within is None else Relation("after", within[0], within[1], within[2])
    return Related(Set("discharge", (), every(window.sense)), (relation,), each=True)


def names_organism(of: Set) -> bool:
    """True where the rows are limited to an organism that grew."""
    return any(isinstance(part, Has) and tells_organism(part.of) for part in parts_of(of.where))


def tells_organism(of: Set) -> bool:
    """True for cultures that are limited to an organism that grew."""
    return any(values_of(one) and _tells_organism(one) for one in parts_of(of.where))


def _tells_organism(condition: Condition) -> bool:
    measure = condition.left if isinstance(condition, Test) else getattr(condition, "measure", None)
    return measure == Own("organism")


def timed_stays(frame: Frame, of: Set) -> Set:
    """Conditions of stays on patients: in the ICU now, admitted in 2104."""
    pieces = frame.pieces
    stays = pieces.of("stays")
    current = pieces.of("current")
    windows = pieces.of("window")
    places = pieces.of("place")
    for node in stays:
        one: Stays = node.sense
        conditions: list[Condition] = []
        if current:
            conditions.append(Is(Own("end time"), "missing"))
            pieces.use(*current)
            current = []
        for window in windows:
            conditions += window.sense
            pieces.use(window)
        windows = []
        if conditions or one.of.where is not None or one.of.pick is not None or one.of.unit == ICU or not one.loose:
            if one.of == Set(HOSPITAL) and not conditions:
                frame.pay(_ANY_STAY, "any-stay")
            of = limited(of, had_stay(limited(one.of, *conditions)))
            pieces.use(node)
    if current or windows:
        unit = HOSPITAL if frame.world.has_stays(HOSPITAL) else ICU
        conditions = [Is(Own("end time"), "missing")] if current else []
        for window in windows:
            conditions += window.sense
        pieces.use(*current, *windows)
        opens = bool(windows) and all(_opens(frame, window) for window in windows)
        admitted = [node for node in pieces.of("field") if node.sense.fields[0] in ("admission time", "discharge time")]
        discharged = any(node.sense.fields[0] == "discharge time" for node in admitted)
        only = None if admitted or current else _only_timeless(of)
        left = (
            only is not None
            and frame.world.has("discharge")
            and any(isinstance(part, Test) and part.left in _AT_THE_END for part in parts_of(only.of.where))
        )
        if only is not None:
            when = Has(limited(replace(only.of, unit="discharge") if left else only.of, *conditions))
            of = replace(of, where=every([when if part == only else part for part in parts_of(of.where)]))
        elif discharged and frame.world.has("discharge"):
            of = limited(of, Has(limited(Set("discharge"), *conditions)))
        else:
            of = limited(of, Has(limited(Set(unit), *conditions)))
        pieces.use(*admitted)
        inside = not _INPATIENTS.isdisjoint(frame.context.lexed.words)
        named = admitted or current or inside or only is not None
        by_kind = any(node.kind == "event" for node in frame.told_by)  # "for each drug in 2019"
        clear = by_kind or left or (opens and admitted)  # "hospital deaths in 2105": the stays that ended so then
        frame.pay(0.1 if named or by_kind else 0.5, "" if clear else "apart:window")
    for place in places:
        if isinstance(place.sense.condition, Of):
            of = limited(of, Has(place.sense.condition.of))
            pieces.use(place)
    return of


_INPATIENTS = {"inpatient", "inpatients"}
"""Those who were admitted, whenever that was."""


def _only_timeless(people: Set) -> Has | None:
    """The only records or stays that patients must have, where nothing says when: what a window set apart speaks of."""
    had = [part for part in parts_of(people.where) if isinstance(part, Has) and part.of.unit != PATIENT]
    timed = any(isinstance(part, Window) for one in had for part in parts_of(one.of.where))
    return had[0] if len(had) == 1 and had[0].times is None and not timed else None


def stays_set(frame: Frame, node: Node | None, unit: str = "") -> Set:
    """The stays of whom and when the question speaks."""
    pieces = frame.pieces
    if node is not None:
        pieces.use(node)
    of = node.sense.of if node is not None else _unnamed_stays(frame, unit)
    of = whose(frame, of)
    for other in pieces.of("stays"):
        if other.sense.of.unit == ICU and of.unit == HOSPITAL and not other.sense.loose:
            of = limited(of, Has(other.sense.of))
            pieces.use(other)
        elif other.sense.of.unit == ICU and of.unit == HOSPITAL:
            of = replace(of, unit=ICU)
            pieces.use(other)
            frame.pay(0.2, "icu")
        elif other.sense.loose or other.sense.of == of or other.sense.of == Set(of.unit):
            pieces.use(other)
        elif other.sense.of.unit == of.unit:
            of = limited(of, *parts_of(other.sense.of.where))
            of = replace(of, pick=of.pick or other.sense.of.pick)
            pieces.use(other)
    for trait in pieces.of("trait"):
        if "stay" in trait.sense.of or trait.sense.role in ("admission", "icu_stay"):
            of = limited(of, trait.sense.condition)
        elif "patient" in trait.sense.of:
            of = limited(of, Of(Set(PATIENT, (), trait.sense.condition)))
        else:
            continue
        pieces.use(trait)
        if _titled(frame, trait):
            frame.pay(_TITLED, "titled")
        else:
            frame.pay(0.2, "apart:trait")
    for window in pieces.take("window"):
        of = limited(of, *window.sense)
        _pay_for_window(frame, window, 0.1)
    for place in pieces.take("place"):
        within = place.sense.condition
        narrower = isinstance(within, Of) and within.of.unit == of.unit and of.pick is None
        if narrower and set(parts_of(of.where)) <= set(parts_of(within.of.where)):
            of = within.of  # "the ward of her last stay": no other stay lies within it
        else:
            of = limited(of, within)
    if pieces.take("current"):
        of = limited(of, Is(Own("end time"), "missing"))
    for dead in pieces.of("dead"):
        condition = death(frame.context, dead.sense, ICU if of.unit == ICU else HOSPITAL)
        if condition is not None:
            of = limited(of, condition)
            pieces.use(dead)
            frame.pay(_DEATHS_MERGED if is_own_figure(frame.context, dead) else 0.0, "deaths-merged")
    for back in pieces.of("readmission", "readmitted"):
        of = limited(of, readmission(back.sense if back.kind == "readmission" else None))
        pieces.use(back)
    for limit in pieces.of("limit"):
        old = limit.sense.unit == "year" and all(number >= YOUNGEST for _, number in limit.sense.tests)
        if old and not frame.world.holds(of.unit, "age"):
            continue
        if limit.sense.unit:
            measure = Own("age") if old else length_of(limit.sense.unit)  # nobody stays for so many years
            tests = [Test(measure, sign, Value(plain(number))) for sign, number in limit.sense.tests]
            of = limited(of, *tests)
            pieces.use(limit)
            frame.pay(0.3, "apart:limit")
    for pick in pieces.of("pick"):
        if of.pick is None:
            nth = int(pick.sense)
            of = replace(of, pick=Pick(abs(nth), None, nth < 0))
            pieces.use(pick)
            if not pick.made_of and not any(pick.end <= one.start <= pick.end + 1 for one in frame.fields):
                frame.pay(0.3, "apart:pick")
    for event in pieces.take("event"):
        of = limited(of, having(event.sense))
        if _titled(frame, event):
            frame.pay(_TITLED, "titled")
        else:
            joined = "with" if _behind_its_length(frame, event) else ""
            frame.pay(0.1, joined or ("in-which" if _in_which(frame, node, event) else "apart:event"))
    return of


def _behind_its_length(frame: Frame, event: Node) -> bool:
    """ "Length of stay for pneumonia": what the stays were for, right behind their length."""
    words = frame.context.lexed.words
    lengths = [node for node in frame.pieces.nodes if node.kind == "field" and node.sense.fields[0] == "length"]
    between = [words[one.end : event.start] for one in lengths if "stay" in words[one.start : one.end]]
    return any(0 < len(some) <= 2 and some[0] in ("for", "with", "in") for some in between)


def _titled(frame: Frame, said: Node) -> bool:
    """ "Lactate above 4: number of admissions": what is asked stands in a clause of its own, beside what it is of."""
    clause = frame.context.lexed.clause
    return bool(frame.count) and all(clause[said.start] != clause[count.start] for count in frame.count)


def _in_which(frame: Frame, stays: Node | None, event: Node) -> bool:
    """True for "in how many of these stays was a drain placed": what was there is said right behind them."""
    words = frame.context.lexed.words
    opens = next((at for at, word in enumerate(words[:2]) if word in ("in", "during")), None)
    if stays is None or opens is None or words[opens + 1 : opens + 2] not in (("how",), ("which",), ("what",)):
        return False
    return stays.end <= event.start and words[stays.end : stays.end + 1] in (("was",), ("were",), ("is",), ("are",))


def stays_like(people: Set) -> Set:
    """The hospital stays at which such patients met what is said of them, where it is said of records or stays."""
    conditions: list[Condition] = []
    for part in parts_of(people.where):
        if isinstance(part, Has) and part.times is None and part.of.pick is None:
            conditions += parts_of(part.of.where) if part.of.unit == HOSPITAL else (part,)
        else:
            conditions.append(Of(Set(PATIENT, (), part)))
    return Set(HOSPITAL, (), maybe(conditions))


def about_one(frame: Frame, of: Set) -> bool:
    """True where the rows are those of patients, or of a stay, named one by one."""
    if frame.who is not None:
        return True
    return any(isinstance(part, Of) and named_one_by_one(part.of) for part in parts_of(of.where))


def named_one_by_one(of: Set) -> bool:
    """True for patients or stays that are named by their identifiers, and the stays of such patients."""
    parts = parts_of(of.where)
    if any(isinstance(part, Among) and part.measure == Own("id") for part in parts):
        return True
    return any(isinstance(part, Of) and named_one_by_one(part.of) for part in parts)


def conditioned(frame: Frame, of: Set) -> Set:
    """A set with the conditions on whole people that are left."""
    pieces = frame.pieces
    for event in pieces.take("event"):
        of = limited(of, Of(Set(PATIENT, (), having(event.sense))))
        if event.sense.noun and event.sense.of.where is None:
            frame.pay(_ANY_RECORD, "noun-condition")
    for dead in pieces.of("dead"):
        condition = death(frame.context, dead.sense, PATIENT)
        if condition is not None:
            of = limited(of, Of(Set(PATIENT, (), condition)))
            pieces.use(dead)
    for window in pieces.take("window"):
        of = limited(of, *window.sense)
    for stays in pieces.of("stays"):
        pieces.use(stays)
    return of


def _unnamed_stays(frame: Frame, unit: str) -> Set:
    """The stays of a question that names none: those of inpatients where it asks how long they were."""
    long = any(node.sense.fields[0] == "length" for node in frame.fields)
    return frame.world.admissions if long and unit in ("", HOSPITAL) else Set(unit or HOSPITAL)


def has_values(frame: Frame, event: Event) -> bool:
    """True where the records have a value of their own."""
    role = frame.world.roles.get(event.role)
    return role is not None and bool(role.value or role.wide)


def measured(event: Event, context: Context) -> bool:
    """True for records whose values are findings or amounts."""
    kind = kind_of(event.role)
    return kind.measured or bool(kind.flow) or bool(context.world.profile.role(event.role).wide)
