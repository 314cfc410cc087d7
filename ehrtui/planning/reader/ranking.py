"""Rankings and extremes: the commonest, the most, the oldest, the longest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Groups,
    Has,
    Is,
    Measure,
    Of,
    Order,
    Own,
    PartOf,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.reader.ages import age_at
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.charted_texts import in_words
from ehrtui.planning.reader.counts_of_each import any_one, number_of, of_counts
from ehrtui.planning.reader.extreme_records import extreme_bearers, extreme_records
from ehrtui.planning.reader.frame import Frame, asks_which_of
from ehrtui.planning.reader.keys import grouped, key_of, keyed
from ehrtui.planning.reader.meanings import every, has_died, limited, maybe, own_extreme, parts_of, unit_of
from ehrtui.planning.reader.record_lengths import longest_record
from ehrtui.planning.reader.sets import attach_to_event, conditioned, has_values, people_set, stays_set, whose
from ehrtui.planning.reader.traits import ALIVE, death, having
from ehrtui.schema.kinds import kind_of

_HANDFUL = 5
_KEYS_LOST = 2.0
"""What it costs that a ranking is of all, where it is asked for in each group."""
_YEARS = 1000
"""A number that is as great stands for a year: "the most admissions in 2021"."""
_COMING_AND_GOING = ("admission time", "discharge time", "icu admission time", "icu discharge time")
"""What is asked for by the nouns "admissions" and "discharges", and by the verbs."""
_DOING = {"do", "does", "did", "are", "were", "is", "was", "have", "had", "has", "get", "got"}
_KEY_LOST = 2.5
"""What it costs that a ranking is told once, and not in each of the groups that the question names."""
_DID_HAVE = {"had", "has", "have", "got", "saw", "needed", "with", "received", "contained", "involved"}
_WHICH_STAY = -0.6
"""What it saves that stays are told where it is asked which of them."""
_OF_STAYS = ("admission", "stay", "visit", "encounter", "hospitali")
_STAY_LOST = 0.9
"""What it costs that patients are told where it is asked which stay."""
_SINGLE = {"single", "one", "any"}
_NUMBER = {"number", "count"}
_COUNTED_BY = {"most", "many", "more", "fewest", "least", "different", "distinct", "unique", "number"}
"""What stands before people who are counted; "the drugs that patients get most often" counts drugs."""
_PEOPLE = {"patients", "people", "pts", "persons", "individuals", "women", "men"}


_ICU = {"icu", "icus", "intensive"}
_BUSY = {"busiest", "quietest"}


def _is_of(frame: Frame, noun: Node, field: Node) -> bool:
    """ "The commonest drug routes": an attribute of the records that are named right before it."""
    return frame.world.holds(unit_of(noun.sense.role), field.sense.fields[0])


def _head(name: Sequence[str]) -> str:
    """The noun of a name of several words: "causes" of "causes of death"."""
    return name[name.index("of") - 1] if "of" in name[1:] else name[-1]


def _is_size(frame: Frame, number: Node) -> bool:
    """True for a number that says how many of a ranking are told: "the 5 commonest", "which three wards"."""
    if any(abs(number.start - one.end) <= 2 or abs(one.start - number.end) <= 2 for one in frame.most):
        return True
    which = frame.context.lexed.words[max(0, number.start - 1)] in ("which", "what")
    return which and any(node.start == number.end for node in frame.pieces.of("field"))


def ranked(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "5 commonest diagnoses", "which unit saw the most deaths", "who was admitted most often"."""
    pieces = frame.pieces
    most = frame.most[0]
    descending = most.sense == "most"
    number = next((node for node in pieces.of("number") if node.sense < _YEARS and _is_size(frame, node)), None)
    few = next(iter(pieces.of("few")), None)
    first = int(number.sense) if number is not None else None
    nouns = [node for node in pieces.of("event") if node.sense.noun]
    if few is not None and (few.sense[1].noun or few.sense[1].family):
        first, noun_event = few.sense
        pieces.use(few)
        nouns.insert(0, replace(few, kind="event", sense=noun_event))
        pieces.add(nouns[0])
    told = [most] if number is None else [most, number]
    if (found := extreme_records(frame, told, first or 1, keys, highest=descending)) is not None:
        return found
    if (found := extreme_bearers(frame, told, first or _HANDFUL, keys, highest=descending)) is not None:
        return found
    named_fields = [
        node
        for node in pieces.of("field")
        if node.sense.fields[0] not in ("value", "time", "name", "length", "age", "patient", *_COMING_AND_GOING)
        and not frame.world.is_number(node.sense.fields[0])
    ]
    of_others = [
        node for node in named_fields if any(node.end == one.start and node.sense != one.sense for one in named_fields)
    ]  # "provider specialties": those of the providers
    pieces.use(*of_others)
    named_fields = [node for node in named_fields if node not in of_others]
    if not nouns and (family := _family(frame, named_fields)) is not None:
        nouns, named_fields = [family], []
    words = frame.context.lexed.words
    organism = bool(named_fields) and named_fields[0].sense.fields[0] == "organism"
    asked_first = bool(nouns) and words[max(0, nouns[0].start - 1)] in ("which", "what")
    of_field = bool(named_fields) and (
        not nouns
        or named_fields[0].start < nouns[0].start
        or (organism and not asked_first)
        or (named_fields[0].start == nouns[0].end and _is_of(frame, nouns[0], named_fields[0]))
    )
    if organism and not of_field:
        pieces.use(named_fields[0])  # "which site grew organisms most often"
    plural_said = any(
        (head := _head(words[leaf.start : leaf.end])).endswith("s") and not head.endswith(("ss", "is", "us"))
        for node in (named_fields[:1] if of_field else nouns[:1])
        if (leaf := next((one for one in node.leaves() if one.kind in ("event", "field")), node))
    )
    stays = [node for node in pieces.of("stays") if not node.sense.loose]
    if (found := _most_of_anybody(frame, number, keys)) is not None:
        return found
    count: Aggregate = Aggregate("count", None)
    of: Set
    by: tuple[Measure, ...]
    if (found := _stays_by_count(frame, descending, first)) is not None:
        return found
    if by_number(frame) or (
        who_asks(frame, nouns, named_fields)
        and (nouns or stays or frame.events or pieces.of("field") or _placed(frame))
    ):
        return people_by_count(frame, descending, first)
    if not (frame.group_said or named_fields or frame.count) and _priced(frame) is not None and nouns:
        pieces.use(most, *([number] if number else []))
        pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] == "cost"])
        return _dearest_record(frame, first or (_HANDFUL if plural_said else 1), descending)
    if of_field:
        node = named_fields[0]
        name = node.sense.fields[0]
        visits = any(one.kind == "stays" for one in frame.context.lexed.nodes)
        if visits and not frame.world.holds(HOSPITAL, name) and frame.world.knows(f"visit {name}"):
            name = f"visit {name}"  # "the commonest reason for visits"
        pieces.use(*[one for one in pieces.of("field") if one.sense == node.sense])  # "which language do most speak"
        key_event = next(
            (one for one in pieces.of("event") if unit_of(one.sense.role) in frame.world.holders.get(name, ())), None
        )
        if key_event is None and not stays and frame.world.owner(name) == HOSPITAL:
            key_event = _done_at_stays(frame)  # "which doctor prescribed the most heparin"
        if key_event is not None:
            pieces.use(key_event)
            event = attach_to_event(frame, key_event.sense)
            of, by = whose(frame, event.of), (Own(name),)
        elif stays:
            pieces.use(*[by for by in pieces.of("by") if by.end <= stays[0].start])  # "by number of visits"
            of, by = stays_set(frame, stays[0]), (Own(name),)
            if frame.world.owner(name) == ICU and of.unit == HOSPITAL and words[stays[0].start].startswith("stay"):
                of = replace(of, unit=ICU)  # "which ICU takes the most stays"
        else:
            unit = frame.world.owner(name)
            if not unit:
                return None
            of, by = whose(frame, Set(unit)), (Own(name),)
            if unit == PATIENT and (dead := pieces.of("dead")) and dead[0].sense == "died" and dead[0].end > most.start:
                pieces.use(*dead)
                of = limited(of, Has(Set("death")))  # "the state with the most deaths"
            if unit == HOSPITAL and (died := _died_there(frame)) is not None:
                of = limited(of, died)  # "which insurance has the most deaths"
            if unit in (HOSPITAL, ICU) or frame.world.profile.role(unit.replace(" ", "_")).time:
                of = limited(of, *(one for window in pieces.take("window") for one in window.sense))
        if name == "organism":
            of = limited(of, frame.world.growth("present"))
    elif nouns:
        node = nouns[0]
        families = [one for one in pieces.of("event") if not one.sense.noun and one.sense.role == node.sense.role]
        if "verbal" in node.why and len(families) == 1 and not frame.group_said:
            pieces.use(node)
            node = families[0]  # "most prescribed antibiotic": which of them
        pieces.use(node)
        event = attach_to_event(frame, node.sense)
        of, by = whose(frame, event.of), (Own("name"),)
        if stays and not stays[0].sense.of.where:
            count = Aggregate("distinct", None, Own(stays[0].sense.of.unit))
            pieces.use(stays[0], *[by for by in pieces.of("by") if by.end <= stays[0].start])
        for other in pieces.take("event"):
            of = limited(of, Of(Set(PATIENT, (), having(other.sense))))
            frame.pay(0.2, "other-event")
    else:
        if keys and frame.events:
            node = frame.events[0]
            pieces.use(node)
            of, by = whose(frame, attach_to_event(frame, node.sense).of), keyed(frame, keys, node.sense.of)
            if kind_of(node.sense.role).flow and not frame.count:
                count = Aggregate("sum", None, Own("value"))
        elif keys and stays:
            of = stays_set(frame, stays[0])
            by = keyed(frame, keys, of)
        elif pieces.of("moment") and not (stays or frame.events) and frame.group is not None and has_died(frame.group):
            moment = pieces.of("moment")[0]
            pieces.use(moment)
            rest = [part for part in parts_of(frame.group.where) if part != Has(Set("death"))]
            of = limited(Set("death"), *([Of(limited(Set(PATIENT), *rest))] if rest else []))
            by = keyed(frame, (moment.sense,), of)
        elif (coming := _coming_and_going(frame)) is not None:
            of, by = coming
        elif pieces.of("moment") and not (stays or frame.events) and frame.group_said:
            moment = pieces.of("moment")[0]
            born = key_of(frame, moment)
            if born is None or isinstance(born, str):
                return None
            pieces.use(moment)
            of, by = people_set(frame), (born,)  # "the decade of birth with most patients"
        elif pieces.of("moment") and not (stays or frame.events or frame.group_said) and pieces.of("dead"):
            moment = pieces.of("moment")[0]
            pieces.use(moment, *pieces.of("dead"))
            of = whose(frame, Set("death"))  # "the year with the most deaths"
            by = keyed(frame, (moment.sense,), of)
        elif pieces.of("moment") and not (stays or frame.events) and _BUSY & set(words):
            moment = pieces.of("moment")[0]
            pieces.use(moment)
            of = whose(frame, Set(HOSPITAL))  # "the busiest month": when most come
            by = keyed(frame, (moment.sense,), of)
        elif pieces.of("moment") and (stays or frame.events):
            moment = pieces.of("moment")[0]
            pieces.use(moment)
            of = stays_set(frame, stays[0]) if stays else whose(frame, attach_to_event(frame, frame.events[0].sense).of)
            if not stays:
                pieces.use(frame.events[0])
            by = keyed(frame, (moment.sense,), of)
        else:
            return None
    lost = [
        key for key in keys if key not in by and key != "event" and not (isinstance(key, Own) and key.field in UNITS)
    ]
    own = {"event", f"event:{of.unit.replace(' ', '_')}"}
    lost = [key for key in lost if key not in own]
    if by == (Own("organism"),) and own & set(keys):
        lost.append("event")  # "top organisms per specimen type": in each of what was sampled
    within = _within(frame, tuple(lost), of) if len(by) == 1 else ()
    if not isinstance(by[0], PartOf) and not within:
        frame.pay(_KEYS_LOST * len(lost), "unkept:keys")
    if number is not None:
        pieces.use(number)
    pieces.use(most, *[node for node in pieces.of("field") if node.sense.fields[0] == "name"])
    pieces.use(
        *[node for node in frame.most if node is not most and node not in [pieces.nodes[at] for at in pieces.used]]
    )
    counted = bool(frame.count) or any(node.sense == "breakdown" for node in frame.by)  # "with numbers"
    pieces.use(*frame.count)
    if frame.per_patient:
        pieces.use(*[by for by in pieces.of("by") if by.sense != "breakdown"][:1])  # "top 5 by patients"
        pieces.use(*pieces.of("distinct"))
    if frame.per_patient or (frame.group_said and counts_people(frame)):
        count = Aggregate("distinct", None, Own(PATIENT))
    if within:
        pieces.take("order")
        first_each = Order(count, descending, first or (_HANDFUL if plural_said else 1), ties=True, each=True)
        return Groups(of, (*within, *by), (count,), order=first_each)
    frame.pay(_KEY_LOST * sum(key not in (*by, Own(PATIENT)) and not isinstance(key, str) for key in keys), "keys-lost")
    size = first if first is not None else (_HANDFUL if plural_said else 1)
    if first is None and (sorted_as := pieces.take("order")):  # "the one in most patients on top": all, sorted
        return Groups(of, by, (count,), order=Order(count, sorted_as[-1].sense == "highest"))
    order = Order(count, descending, size, ties=not counted)
    return Groups(of, by, (count,), order=order, asked="all" if counted else "keys")


def _coming_and_going(frame: Frame) -> tuple[Set, tuple[Measure, ...]] | None:
    """ "The month with the most discharges", "on which day were most patients admitted": the stays by when they ended
    or began; None where no moment is asked for."""
    pieces = frame.pieces
    times = [node for node in pieces.of("field") if node.sense.fields[0] in _COMING_AND_GOING]
    moments = pieces.of("moment")
    if len(times) != 1 or len(moments) != 1 or any(node.kind in ("event", "stays") for node in pieces.left()):
        return None
    pieces.use(*times, *moments, *[node for node in pieces.of("field") if node.start == moments[0].start])
    name = times[0].sense.fields[0]
    of = whose(frame, Set(ICU) if frame.world.owner(name) == ICU else frame.world.admissions)
    by = keyed(frame, (moments[0].sense,), of)
    return of, tuple(replace(one, time=Own(name)) if isinstance(one, PartOf) else one for one in by)


def _done_at_stays(frame: Frame) -> Node | None:
    """The only records that are named, where they are of stays: whatever is kept of those is told of them too."""
    events = frame.pieces.of("event")
    hang = len(events) == 1 and not frame.group_said and frame.who is None and not events[0].sense.others
    return events[0] if hang and frame.world.profile.role(events[0].sense.role).stay == "hospital" else None


def _within(frame: Frame, keys: tuple[Measure | str, ...], of: Set) -> tuple[Measure, ...]:
    """ "The commonest diagnosis in each ward": what the rows are ranked in each of, as far as they tell it."""
    if not keys or frame.who is not None or any(isinstance(key, str) and key.startswith("event:") for key in keys):
        return ()
    return keyed(frame, keys, of)


def _most_of_anybody(frame: Frame, number: Node | None, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "The largest number of drugs per patient", "most labs in one admission": the most that any of them has."""
    words = frame.context.lexed.words
    [most, *others] = frame.most
    said = set(words[most.start : most.end])
    if frame.who is not None or others or {"who", "which"} & set(words) or (number is not None and number.sense != 1):
        return None
    at, counted = frame.group_at, bool(_NUMBER & said)
    single = frame.group_said and at > most.start and bool(_SINGLE & set(words[max(0, at - 1) : at + 2]))
    units = tuple(key for key in keys if isinstance(key, Own) and key.field in UNITS)
    one = any_one(frame)
    each = counted and (frame.per_patient or (bool(units) and not frame.group_said))
    if not (one or each or (single and (counted or said <= {"the", "most"}))):
        return None
    before = frame.state()
    frame.pieces.use(most, *frame.pieces.of("together"), *([number] if number is not None else []))
    found = of_counts(frame, ["maximum" if most.sense == "most" else "minimum"], (*units, *one))
    if found is None:
        frame.restore(before)
    return found


def _family(frame: Frame, fields: Sequence[Node]) -> Node | None:
    """ "Which antibiotics were used most": a family of names whose members are ranked, where nothing else may be."""
    events = [node for node in frame.pieces.of("event") if not node.sense.noun and not node.sense.others]
    if len(events) != 1 or any(field.sense.fields[0] != "antibiotic" for field in fields):
        return None
    [node] = events
    if frame.group_said:
        return node if asks_which_of(frame, node) else None
    if in_words(node.sense.of, frame.world):
        return node  # "which code status was charted most"
    told = frame.context.lexed.words[max(0, node.start - 1) : node.start] in _TOLD or node.start in [
        most.end for most in frame.most
    ]
    return node if told and node.sense.family else None


_TOLD = (("which",), ("what",), ("common",), ("used",), ("frequent",))
"""What stands before a family whose members are told."""


def _died_there(frame: Frame) -> Condition | None:
    """That stays ended in death, where deaths are what is counted."""
    dead = [node for node in frame.pieces.of("dead") if node.sense not in ALIVE]
    if len(dead) != 1 or frame.group_said:
        return None
    frame.pieces.use(*dead)
    return death(frame.context, "hospital", HOSPITAL)


def counts_people(frame: Frame) -> bool:
    """True where people are what is counted: "in the most patients", "with patient counts"."""
    words = frame.context.lexed.words
    if any(words[count.start - 1 : count.start] in (("patient",), ("person",)) for count in frame.count):
        return True
    for at, one in enumerate(words):
        if one in _PEOPLE and at:
            called = (node.start for node in frame.context.lexed.nodes if node.kind == "event" and node.end == at)
            first = min(called, default=at)  # "number of sepsis patients"
            if _COUNTED_BY.intersection((*words[max(0, at - 2) : at], *words[max(0, first - 2) : first])):
                return True
    return False


def who_asks(frame: Frame, nouns: Sequence[Node], fields: Sequence[Node]) -> bool:
    """True where the ranking is of patients: "who was admitted most often"."""
    if not frame.group_said or frame.who is not None or any(node.end == frame.group_at for node in frame.count):
        return False
    first = min((node.start for node in (*nouns, *fields)), default=99)
    words = frame.context.lexed.words
    asks = next((at for at, word in enumerate(words) if word in ("who", "which", "what", "top", "whose")), 0)
    behind = words[asks + 1 : asks + 2]
    if _asked_of_them(frame, words):
        return False
    if words[asks : asks + 1] and words[asks] in ("who", "whose"):
        return True
    if _DOING & set(words[asks : frame.group_at]):
        return False  # "what do women get most"
    return frame.group_at < first and bool(behind) and frame.group_at <= asks + 3 and "by" not in words


def _asked_of_them(frame: Frame, words: Sequence[str]) -> bool:
    """ "Among patients who…, what are the commonest drugs": what is ranked stands behind whom it befell."""
    first = max(frame.group_at, 0)
    return any(words[at] == "what" and words[at + 1 : at + 2] in _BE for at in range(first, len(words)))


_BE = (("is",), ("are",), ("was",), ("were",))


def by_number(frame: Frame) -> bool:
    """ "The top 3 patients by number of visits": what they are ranked by is said. "Visits per patient, top 3 patients"
    says it before."""
    if frame.who is not None or not (frame.group_said or frame.per_patient):
        return False
    if frame.per_patient and _priced(frame) is not None:
        return True
    if frame.per_patient:
        ends = [node.end for node in frame.most] + [node.end for node in frame.pieces.of("number")]
        return frame.group_at in ends and (frame.group is None or frame.group.where is None)
    if frame.group_at < 0 or any(node.end == frame.group_at for node in frame.count):
        return False  # "number of patients per drug, top 10"
    first = min((node.start for node in frame.most), default=0)
    what = [node.start for node in (*frame.count, *frame.stays, *frame.events, *_placed(frame))]
    if _priced(frame) is not None:
        what += [node.start for node in (*frame.functions, *frame.fields)]
    return any(first < frame.group_at < node.start and node.end in what for node in frame.by)


def _placed(frame: Frame) -> list[Node]:
    """What is said of stays and names none: "the emergency room"."""
    return [node for node in frame.pieces.of("trait") if "stay" in node.sense.of]


def _had_there(frame: Frame) -> Set | None:
    """The stays that all people who are meant had, where nothing else is said of them: what is counted then."""
    parts = parts_of(frame.group.where if frame.group else None)
    only = parts[0] if len(parts) == 1 else None
    if not isinstance(only, Has) or only.of.unit != HOSPITAL or only.of.pick is not None or only.times is not None:
        return None
    return only.of


def _stays_by_count(frame: Frame, descending: bool, first: int | None) -> Statement | None:
    """ "Which admission had the most lab tests": stays in the order of how many records they have."""
    words, pieces = frame.context.lexed.words, frame.pieces
    asks = next((at for at, word in enumerate(words) if word in ("which", "what")), None)
    stays = [node for node in pieces.of("stays") if not node.sense.loose and not node.sense.one]
    if asks is None or len(stays) != 1 or frame.who is not None or frame.by:
        return None
    [node] = stays
    named = stays[0].start - asks - 1
    asked = named == 0 or (named == 1 and first is not None)
    events = [one for one in pieces.of("event") if one.start >= node.end]
    if not asked or len(events) != 1 or node.sense.of.pick is not None or not _DID_HAVE & set(words[node.end :]):
        return None
    pieces.use(events[0], *frame.most, *frame.count)
    pieces.use(*[one for one in pieces.of("number") if one.sense == first])
    frame.pay(_WHICH_STAY, "")
    measure = number_of(frame, events[0], attach_to_event(frame, events[0].sense).of)
    return Rows(stays_set(frame, node), (Own("id"), measure), order=Order(measure, descending, first or 1))


def people_by_count(frame: Frame, descending: bool, first: int | None) -> Statement | None:
    """Patients in the order of how many stays or records they have."""
    pieces = frame.pieces
    said = by_number(frame)
    if said:
        pieces.use(*frame.by)
    stays = [node for node in pieces.of("stays") if not node.sense.loose]
    events = pieces.of("event")
    pieces.use(*frame.most)
    for number in pieces.of("number"):
        first = int(number.sense)
        pieces.use(number)
    measure: Measure
    if (spent := _spent(frame)) is not None:
        measure = spent
    elif events:
        pieces.use(events[0])
        measure = number_of(frame, events[0], attach_to_event(frame, events[0].sense).of)
    elif stays:
        pieces.use(stays[0])
        of = stays[0].sense.of
        for window in pieces.take("window"):
            of = limited(of, *window.sense)
        for trait in _placed(frame):
            of = limited(of, trait.sense.condition)
            pieces.use(trait)
        measure = Aggregate("count", of)
    elif placed := _placed(frame):
        pieces.use(*placed)
        of = Set(HOSPITAL, (), every([node.sense.condition for node in placed]))
        measure = Aggregate("count", limited(of, *(one for window in pieces.take("window") for one in window.sense)))
    elif (had := _had_there(frame)) is not None:
        frame.group = None
        measure = Aggregate("count", limited(had, *(one for window in pieces.take("window") for one in window.sense)))
    else:
        admitted = [node for node in pieces.of("field") if node.sense.fields[0].endswith("admission time")]
        if not admitted:
            return None
        pieces.use(*admitted)
        measure = Aggregate("count", Set(HOSPITAL))
    pieces.use(*frame.count)
    of = people_set(frame, conditions_from_events=False)
    return Rows(of, (Own("id"), measure), order=Order(measure, descending, first or 1))


def extreme_of_groups(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "Longest stay by insurance", "oldest patient of each ward": the highest or the lowest of each group."""
    pieces = frame.pieces
    if len(frame.superlatives) > 1 or frame.count or frame.functions or Own(PATIENT) in keys:
        return None
    picked = [
        node for node in pieces.of("stays") if (pick := node.sense.of.pick) is not None and pick.by == Own("length")
    ]
    said = [node.sense.split(":") for node in frame.superlatives]
    valued = [node for node in pieces.of("event") if has_values(frame, node.sense) and own_extreme(node.sense.of)]
    if len(valued) == len(pieces.of("event")) == 1 and not picked and not said and not valued[0].sense.others:
        [node] = valued
        pick = node.sense.of.pick
        pieces.use(node)
        of = whose(frame, attach_to_event(frame, replace(node.sense, of=replace(node.sense.of, pick=None))).of)
        number = Aggregate("maximum" if pick.descending else "minimum", None, Own("value"))
        return grouped(frame, of, keys, number)
    if frame.who is not None:
        return None
    if picked and not said and len(picked) == 1:
        of = picked[0].sense.of
        highest, by = of.pick.descending, "length"
        of = whose(frame, replace(of, pick=None))
        pieces.use(*picked)
    elif len(said) == 1 and said[0][1] in ("age", "length") and not pieces.of("event"):
        highest, by = said[0][0] == "highest", said[0][1]
        pieces.use(
            *frame.superlatives, *[one for one in pieces.of("field") if one.sense.fields[0] in ("age", "length")]
        )
        stays = next((one for one in pieces.of("stays") if not one.sense.loose), None)
        of = stays_set(frame, stays, HOSPITAL) if by == "length" else whose(frame, Set(frame.world.aged))
    else:
        return None
    return grouped(frame, of, keys, Aggregate("maximum" if highest else "minimum", None, Own(by)))


def _sums_again(frame: Frame) -> list[Node]:
    """ "The most expensive stays and their total charges": the figure that ranks them."""
    costs = [node for node in frame.pieces.of("field") if node.sense.fields[0] == "cost"]
    return [*costs, *[node for node in frame.pieces.of("function") if costs and node.sense == "sum"]]


def extreme_asked(frame: Frame) -> Statement | None:
    """ "Oldest patient", "who was the heaviest", "most expensive admission"."""
    pieces = frame.pieces
    node = frame.superlatives[0]
    direction, by = node.sense.split(":")
    others = [one for one in frame.superlatives[1:] if one.sense.split(":")[1] == by and one.sense != node.sense]
    if others and by in ("age", "length"):
        pieces.use(
            *frame.superlatives, *[one for one in pieces.of("field") if one.sense.fields[0] in ("age", "length")]
        )
        unit = frame.world.aged if by == "age" else HOSPITAL
        solid = next((one for one in pieces.of("stays") if not one.sense.loose), None)
        of = stays_set(frame, solid, unit)
        return Single((Aggregate("minimum", of, Own(by)), Aggregate("maximum", of, Own(by))))
    number = next(
        (one for one in pieces.of("number") if abs(one.start - node.end) <= 2 or abs(node.start - one.end) <= 2),
        None,
    )
    count = int(number.sense) if number is not None else 1
    highest = direction == "highest"
    if by == "value" and (found := extreme_records(frame, [node], count, highest=highest)) is not None:
        pieces.use(*([number] if number else []))
        return found
    if by == "value" and (found := _extreme_attribute(frame, node, count, highest)) is not None:
        pieces.use(*([number] if number else []))
        return found
    if by == "age" and number is None and (aged := age_at(frame)) is not None:
        people, age = aged  # "the youngest age at which somebody was diagnosed"
        pieces.use(node)
        return Single((Aggregate("maximum" if highest else "minimum", people, age),))
    if by == "age":
        ages = [one for one in frame.fields if one.sense.fields[0] == "age" and one.start != node.end]
        pieces.use(node, *([number] if number else []), *ages)  # "the age of the youngest", "… and their ages"
        of = replace(
            whose(frame, conditioned(frame, Set(frame.world.aged))),
            pick=Pick(count, Own("age"), highest, "all", through=count > 1),
        )
        if count > 1 and of.unit != PATIENT:  # somebody who came twice is one of them
            age = Aggregate("maximum" if highest else "minimum", None, Own("age"))
            return Groups(replace(of, pick=None), (Own(PATIENT),), (age,), order=Order(age, highest, count))
        return Rows(of, (Own(PATIENT), Own("age")))
    if by == "length":
        stays = pieces.of("stays")
        lasting = [one for one in pieces.of("event") if frame.world.profile.role(one.sense.role).end]
        if lasting and not lasting[0].sense.others and all(one.sense.loose for one in stays):
            pieces.use(node, lasting[0], *([number] if number else []))
            return longest_record(frame, lasting[0], count, highest)
        pieces.use(node, *([number] if number else []))
        lengths = [one for one in pieces.of("field") if one.sense.fields[0] == "length"]
        pieces.use(*lengths)
        words = frame.context.lexed.words
        in_icu = any(_ICU & {*words[one.start : one.end]} for one in lengths)  # "the longest time in the ICU"
        unit = stays[0].sense.of.unit if stays else ICU if in_icu and frame.world.has_stays(ICU) else HOSPITAL
        if not stays and frame.group is not None and Has(Set(ICU)) in parts_of(frame.group.where):
            unit = ICU  # "who was in the ICU the longest"
            frame.group = replace(
                frame.group, where=maybe([one for one in parts_of(frame.group.where) if one != Has(Set(ICU))])
            )
        of = stays_set(frame, stays[0] if stays else None, unit)
        columns = (Own(PATIENT), Own("id"), Own("length")) if frame.group_said else (Own("id"), Own("length"))
        if count > 1:
            return Rows(of, columns, order=Order(Own("length"), highest, count))
        return Rows(replace(of, pick=Pick(1, Own("length"), highest, "all")), columns)
    if by == "cost":
        stays = [one for one in pieces.of("stays") if not one.sense.loose]
        if not frame.world.has("cost"):
            dearest = _dearest_record(frame, count, highest) or _dearest_stay(frame, stays, count, highest)
            if dearest is None and frame.group_said and not stays and frame.world.holds(HOSPITAL, "cost"):
                spent = Aggregate("sum", Set(HOSPITAL), Own("cost"))  # "the costliest patients"
                dearest = Rows(people_set(frame), (Own("id"), spent), order=Order(spent, highest, count))
            pieces.use(*([node, *([number] if number else [])] if dearest is not None else []))
            return dearest
        if not (frame.group_said or stays) and (dearest := _dearest_record(frame, count, highest)) is not None:
            pieces.use(node, *([number] if number else []))
            return dearest
        pieces.use(node, *([number] if number else []), *_sums_again(frame))
        if not stays and _asks_which_stay(frame.context.lexed.words):
            frame.pay(_STAY_LOST, "unused:stays")
        of = stays_set(frame, stays[0]) if stays else people_set(frame)
        total = Aggregate("sum", Set("cost"), Own("value"))
        return Rows(of, (Own("id"), total), order=Order(total, highest, count))
    if by in ("weight", "height"):
        for role in ("body", "vital", "measurement", "observation"):
            wide = frame.world.roles[role].wide if frame.world.has(role) else {}
            aliases = frame.world.roles[role].aliases if frame.world.has(role) else {}
            names = aliases.get(by) or ((by,) if by in wide else ())
            if names:
                from ehrtui.planning.reader.meanings import named

                pieces.use(node, *([number] if number else []))
                of = whose(frame, Set(unit_of(role), named(tuple(names))))
                if count > 1:
                    own = Aggregate("maximum" if highest else "minimum", None, Own("value"))
                    return Groups(of, (Own(PATIENT),), (own,), order=Order(own, highest, count))
                return Rows(replace(of, pick=Pick(1, Own("value"), highest, "all")), (Own(PATIENT), Own("value")))
        return None
    return None


def _asks_which_stay(words: Sequence[str]) -> bool:
    """ "Which admission", "which three visits"."""
    return any(
        word.startswith(_OF_STAYS) and {"which", "what"} & set(words[max(0, at - 2) : at])
        for at, word in enumerate(words)
    )


def _spent(frame: Frame) -> Measure | None:
    """What the stays of each patient cost in all, or records of a kind, where the question ranks by that."""
    of = _priced(frame)
    if of is None:
        return None
    pieces = frame.pieces
    pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] == "cost"])
    pieces.use(*[node for node in pieces.of("event") if node.sense.of.unit == of.unit])
    pieces.use(*pieces.of("stays"), *[node for node in frame.functions if node.sense == "sum"])
    for window in pieces.take("window"):
        of = limited(of, *window.sense)
    return Aggregate("sum", of, Own("cost"))


def _priced(frame: Frame) -> Set | None:
    """The stays or records whose own cost the question speaks of; None where it is of none, or kept apart."""
    if frame.world.has("cost") or not any(node.sense.fields[0] == "cost" for node in frame.pieces.of("field")):
        return None
    events, stays = frame.pieces.of("event"), [node for node in frame.pieces.of("stays") if not node.sense.loose]
    named = [node.sense.of for node in (*events, *stays)] or [Set(HOSPITAL)]
    return named[0] if len(named) == 1 and frame.world.holds(named[0].unit, "cost") else None


def _dearest_stay(frame: Frame, stays: Sequence[Node], count: int, highest: bool) -> Statement | None:
    """ "The most expensive encounter", where what it cost is kept of itself."""
    if not stays or not frame.world.holds(HOSPITAL, "cost"):
        return None
    of = limited(stays_set(frame, stays[0]), Is(Own("cost"), "present"))
    return Rows(of, (Own(PATIENT), Own("id"), Own("cost")), order=Order(Own("cost"), highest, count))


def _dearest_record(frame: Frame, count: int, highest: bool) -> Statement | None:
    """ "The most expensive procedure", where what it cost is kept of itself."""
    events = frame.pieces.of("event")
    if len(events) != 1 or not frame.world.charges(events[0].sense.of.unit):
        return None
    frame.pieces.use(*events)
    of = whose(frame, attach_to_event(frame, events[0].sense).of)
    totals = [one for one in frame.functions if one.sense == "sum"]
    if totals:  # "which drugs cost most in total": of all that was charged for each
        frame.pieces.use(*totals)
        number = Aggregate("sum", None, Own("cost"))
        return Groups(of, (Own("name"),), (number,), order=Order(number, highest, count))
    of = replace(of, pick=Pick(count, Own("cost"), highest, "all", through=count > 1))
    return Rows(of, (Own("name"), Own("cost")), distinct=True)


def people_by_value(frame: Frame) -> Statement | None:
    """ "The five people with the lowest sodium": those whose own highest is highest, with it."""
    pieces = frame.pieces
    told = next((one for one in pieces.of("number") if _counts_people(frame, one)), None)
    if told is None or frame.who is not None:
        return None
    extreme = _value_of_each(frame)
    if extreme is None:
        return None
    of, highest, group = extreme
    pieces.use(told, *[one for one in frame.functions if one.sense in ("maximum", "minimum")])
    pieces.use(*[one for one in pieces.of("field") if one.sense.fields[0] in ("value", "patient")])
    own = Aggregate("maximum" if highest else "minimum", of, Own("value"))
    people = limited(group, *parts_of(people_set(frame, conditions_from_events=False).where), Has(of))
    return Rows(people, (Own("id"), own), order=Order(own, highest, int(told.sense)))


def _value_of_each(frame: Frame) -> tuple[Set, bool, Set] | None:
    """The records of which each patient has a highest or a lowest, which of the two, and the patients that are meant;
    None where no such records are named. What names them is marked as said."""
    pieces = frame.pieces
    group = frame.group or Set(PATIENT)
    for part in parts_of(group.where):
        if isinstance(part, Has) and own_extreme(part.of) and part.of.pick is not None and part.times is None:
            rest = [one for one in parts_of(group.where) if one != part]
            frame.group = limited(Set(PATIENT), *rest) if rest else None
            return replace(part.of, pick=None), part.of.pick.descending, limited(Set(PATIENT), *rest)
    events = [node for node in pieces.of("event") if has_values(frame, node.sense) and not node.sense.noun]
    if len(events) != 1 or events[0].sense.others or kind_of(events[0].sense.role).dosed:
        return None
    [node] = events
    if own_extreme(node.sense.of) and node.sense.of.pick is not None:
        pieces.use(node)
        of = attach_to_event(frame, replace(node.sense, of=replace(node.sense.of, pick=None))).of
        return of, node.sense.of.pick.descending, group
    said = [one for one in frame.superlatives if one.sense.endswith(":value")]
    if not said or node.sense.of.pick is not None:
        return None
    pieces.use(node, *said)
    return attach_to_event(frame, node.sense).of, said[0].sense.startswith("highest"), group


def _counts_people(frame: Frame, number: Node) -> bool:
    """ "Three patients", "top 3 patients"."""
    words = frame.context.lexed.words
    return bool(_PEOPLE & set(words[number.end : number.end + 2])) and number.sense == int(number.sense)


def _extreme_attribute(frame: Frame, superlative: Node, count: int, highest: bool) -> Statement | None:
    """ "The five patients with the highest income": by a number that is kept of patients or of stays."""
    pieces, world = frame.pieces, frame.world
    fields = [
        node
        for node in pieces.of("field")
        if superlative.end <= node.start <= superlative.end + 1
        and world.owner(node.sense.fields[0]) in (PATIENT, HOSPITAL)
        and node.sense.fields[0] not in world.stored
    ]
    if not fields or pieces.of("event"):
        return None
    measure = Own(fields[0].sense.fields[0])
    pieces.use(superlative, fields[0])
    if world.owner(measure.field) == PATIENT:
        of, whom = people_set(frame), [Own("id")]
    else:
        of, whom = stays_set(frame, next(iter(pieces.of("stays")), None)), [Own(PATIENT), Own("id")]
    return Rows(limited(of, Is(measure, "present")), (*whom, measure), order=Order(measure, highest, count))
