"""What share: of patients or stays, mortality, the parts of a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Among,
    Condition,
    Groups,
    Has,
    InAnswer,
    Interval,
    Is,
    Measure,
    Of,
    Own,
    Set,
    Single,
    Statement,
    Survival,
    Test,
    Value,
)
from ehrtui.logic.model import Window
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.keys import grouped, keyed
from ehrtui.planning.reader.meanings import Event, Trait, every, limited, parts_of, plain, unit_of
from ehrtui.planning.reader.one_stay import in_one_stay
from ehrtui.planning.reader.said_together import said_of_both, said_together
from ehrtui.planning.reader.sets import attach_to_event, has_values, people_set, stays_set, whose
from ehrtui.planning.reader.traits import ALIVE, death, died_within, having, is_rate, readmission, trait_of
from ehrtui.schema.kinds import kind_of

_OF_ALL = {"among", "amongst"}
_STAYS = {"hospital": HOSPITAL, "icu": ICU}
_SEXES = {"women", "men", "females", "males", "ladies", "girls", "boys", "gentlemen"}
_SAID_OF_THEM = {"were", "was", "are", "is", "had", "have", "has", "got", "received", "ended", "came", "went"}
_HAD = {"with", "had", "have", "has", "having"}
_WHO = {"who", "that", "which", "whose"}
_THE_DEAD = {"deaths", "fatalities", "dead", "deceased"}
_WHOLE_BEFORE = {"of", "among", "amongst"}
_TELLING = (Own("value"), Own("interpretation"))
_DIED_ELSEWHERE = 2.0
_TOGETHER_LOST = 2.6
"""What it costs that of two things which are asked for together one limits the other."""
_WHO_LOST = 2.5
"""What a share costs that says nothing of a patient who is named."""


def shared(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "What fraction of stays ended in death", "% of women over 80", "mortality rate"."""
    pieces = frame.pieces
    dead = pieces.of("dead")
    if dead and not keys and (lived := survival(frame)) is not None:
        return lived
    if dead and frame.share and not keys and _are_the_whole(frame, dead[0]):
        if (of_deaths := _share_of_deaths(frame, dead[0])) is not None:
            return of_deaths
        frame.pay(_DIED_ELSEWHERE, "unkept:died-there")
    rate = bool(keys) or (bool(dead) and is_rate(frame.context, dead[0]))
    if dead and (rate or not (pieces.of("event", "trait") or _of_people(frame))):
        return mortality(frame, keys)
    if not keys and (of_another := _as_a_share_of(frame)) is not None:
        return of_another
    records = of_records(frame, keys)
    if records is not None:
        return records
    if (whose_share := of_one_patient(frame, keys)) is not None:
        return whose_share
    if frame.who is not None:
        frame.pay(_WHO_LOST, "who-lost")
    stays = [node for node in pieces.of("stays") if not node.sense.loose]
    if keys and (of_people := _who_had_a_stay(frame, stays, keys)) is not None:
        return of_people
    base: Set
    condition: Condition | None = None
    further: list[Condition] = []
    said = pieces.of("event", "trait", "dead", "readmission", "readmitted")
    there = [one for one in stays[1:] if (stays[0].sense.of.unit, one.sense.of.unit) == (HOSPITAL, ICU)]
    if keys and not said and not there and not _told_of_a_whole(frame, stays):
        return grouped_shares(frame, keys)
    if stays:
        node = stays[0]
        pieces.use(node)
        base = Set(node.sense.of.unit)
        conditions = [
            _ended_there(_died_there(frame, part, base.unit), base.unit) for part in parts_of(node.sense.of.where)
        ]
        if frame.of_theirs and frame.group is not None:  # "of the stays by widows"
            theirs = [Of(Set(PATIENT, (), part)) for part in parts_of(frame.group.where)]
            conditions += [_ended_there(part, base.unit) for part in theirs]
        after = [
            one for one in pieces.of("event", "trait", "dead", "readmission", "readmitted") if one.start > node.start
        ]
        further = [found for one in after if (found := as_condition(frame, one, base.unit)) is not None]
        further += [Has(one.sense.of) for one in there]  # "of the admissions with an ICU stay"
        if further:
            pieces.use(*after, *there)
            base = limited(base, *conditions)
            condition = every(further)
        elif conditions:
            condition = _shared(conditions)
            if len(conditions) > 1 and _says_two_of_them(frame):
                frame.pay(_TOGETHER_LOST, "together-lost")
            base = limited(base, *[part for part in conditions if part != condition])
    elif keys and (of_stays := _of_stays_alone(frame, said)) is not None:
        base, condition = Set(HOSPITAL), of_stays
    else:
        if not frame.group_said and frame.who is None:
            frame.pay(0.4, "people-unsaid")
        if any(node.sense.loose and node.sense.of.unit == ICU for node in pieces.of("stays")):
            frame.pay(0.8, "unkept:died-there")  # "died in the ICU" is not: died
        group = frame.group or Set(PATIENT)
        conditions = list(parts_of(group.where))
        rest = pieces.of("event", "trait", "dead", "readmission", "readmitted")
        further = [found for one in rest if (found := as_condition(frame, one, PATIENT)) is not None]
        if further:
            pieces.use(*rest)
            condition, base = every(further), group
            if "both" in frame.context.lexed.words:
                had = said_of_both(frame, [one for one in conditions if isinstance(one, Has)])
                condition = every([*had, *further])
                base = limited(Set(PATIENT), *[one for one in conditions if one not in had])
            for node in pieces.of("together"):
                if (both := in_one_stay(limited(group, condition), _STAYS[node.sense])) is not None:
                    pieces.use(node)
                    condition = parts_of(both.where)[-1]  # "what percent also had B in the same admission"
            if any(isinstance(part, Has) and part.of.unit == "death" for part in conditions):
                frame.pay(1.5, "share-of-dead")  # of the dead, or of those who had it?
        elif (
            "both" in frame.context.lexed.words
            and len(had := said_of_both(frame, [one for one in conditions if isinstance(one, Has)])) > 1
        ):
            condition, base = every(had), limited(Set(PATIENT), *[one for one in conditions if one not in had])
        elif len(conditions) > 1 and _all_said_of_them(frame) and not _of_an_answer(conditions):
            condition, base = every(conditions), Set(PATIENT)
        elif conditions and not _of_all_alike(frame) and (first := _first_of_a_stay(conditions[-1])) is not None:
            condition = conditions[-1]
            base = limited(Set(PATIENT), *conditions[:-1], first)
        elif conditions:
            together, rest_of_all = said_together(frame, conditions)
            condition = every(together)
            base = limited(Set(PATIENT), *rest_of_all)
            if any(isinstance(part, Has) and part.of.unit == "death" for part in rest_of_all):
                frame.pay(1.5, "share-of-dead")
        else:
            return None
    if condition is None:
        return None
    pieces.use(*[node for node in pieces.of("stays") if node.sense.of == Set(base.unit)])  # "% of all stays"
    if base.where is not None and (at := _among(frame)) is not None and _stands_before(frame, stays, further, at):
        base, condition = replace(base, where=condition), every(parts_of(base.where))
    return with_counts(frame, base, condition, keys)


def _who_had_a_stay(frame: Frame, stays: Sequence[Node], keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "Share of patients with an ICU stay, by sex": of the patients that are named before such a stay."""
    words, at = frame.context.lexed.words, frame.share[0].end
    while at < len(words) and words[at] in _WHOLE:
        at += 1
    if len(stays) != 1 or frame.group_at != at or not frame.group_said or frame.pieces.of("event", "trait", "dead"):
        return None
    stay = stays[0]
    if stay.start < at or not _HAD & {*words[max(at, stay.start - 2) : stay.start]}:
        return None
    frame.pieces.use(stay)
    return with_counts(frame, frame.group or Set(PATIENT), Has(stay.sense.of), keys)


def _of_an_answer(conditions: Sequence[Condition]) -> bool:
    """True where some of an earlier answer are meant: they are what a share is of."""
    return any(isinstance(one, InAnswer) for one in conditions)


def _first_of_a_stay(condition: Condition) -> Condition | None:
    """ "The share of patients on heparin who had platelets in that stay": of those on heparin, had in whatever stay;
    None where no several things are had in one."""
    stay = condition.of if isinstance(condition, Has) and condition.times is None else None
    if stay is None or stay.unit not in (HOSPITAL, ICU) or stay.pick is not None:
        return None
    had = parts_of(stay.where)
    several = len(had) > 1 and all(isinstance(one, Has) and one.of.unit not in UNITS for one in had)
    return had[0] if several else None


def _are_the_whole(frame: Frame, dead: Node) -> bool:
    """True where a share is of the deaths: "what share of the deaths", "of the deaths, what share"."""
    words, share = frame.context.lexed.words, frame.share[0]
    if words[dead.end - 1] not in _THE_DEAD:
        return False
    if dead.end <= share.start:
        return bool(_WHOLE_BEFORE & set(words[max(0, dead.start - 3) : dead.start]))
    return set(words[share.end : dead.start]) <= _WHOLE | {"in-hospital"}


def _share_of_deaths(frame: Frame, dead: Node) -> Statement | None:
    """ "What share of the deaths were women", "% of those who died that had sepsis": of all who died, those of whom the
    rest is so."""
    if dead.sense in ALIVE or frame.who is not None:
        return None
    died = death(frame.context, dead.sense, PATIENT)
    rest = frame.pieces.of("event", "trait", "readmission", "readmitted")
    further = [found for one in rest if (found := as_condition(frame, one, PATIENT)) is not None]
    there = [node for node in frame.pieces.of("stays") if node.sense.of.unit == ICU]
    further += [Has(node.sense.of) for node in there]
    conditions = [*parts_of(frame.group.where if frame.group is not None else None), *further]
    if died is None or not conditions or len(further) != len(rest) + len(there):
        return None
    frame.pieces.use(dead, *rest, *there)
    frame.pay(_DIED_ELSEWHERE if there else 0.0, "unkept:died-there")  # had a stay there, and died anywhere
    return with_counts(frame, limited(Set(PATIENT), died), every(conditions), ())


def _as_a_share_of(frame: Frame) -> Statement | None:
    """ "Urgent stays in 2104 as a share of all stays in 2104": what stands before is a part of what stands behind."""
    words, share = frame.context.lexed.words, frame.share[0]
    told = [node for node in frame.pieces.nodes if node.kind in ("stays", "people") and not node.sense.of.pick]
    before = [node for node in told if node.end <= share.start]
    behind = [node for node in told if node.start >= share.end]
    if "as" not in words[max(0, share.start - 2) : share.start] or len(before) != 1 or len(behind) != 1:
        return None
    part, whole = before[0].sense.of, behind[0].sense.of
    rest = [one for one in parts_of(part.where) if one not in parts_of(whole.where)]
    if part.unit != whole.unit or not rest:
        return None
    frame.pieces.use(*[node for node in (*before, *behind) if node in frame.pieces.left()])
    return with_counts(frame, whole, every(rest), ())


def _of_stays_alone(frame: Frame, said: Sequence[Node]) -> Condition | None:
    """ "For each payer, what percent were elective": what only stays are, where nobody names whom it is said of."""
    if frame.group_said or frame.who is not None or not frame.world.has_stays(HOSPITAL):
        return None
    if not said or any(node.kind != "trait" or "stay" not in node.sense.of for node in said):
        return None
    if _WHOLE & set(frame.context.lexed.words[frame.share[0].end : frame.share[0].end + 1]):
        return None  # "share of the urgent admissions"
    frame.pieces.use(*said)
    return every([node.sense.condition for node in said])


def _told_of_a_whole(frame: Frame, stays: Sequence[Node]) -> bool:
    """True where what is said of patients or stays follows them: "in each ward, what share of stays ended at home" is
    of the stays of each ward; "the share of elective stays by ward" has the elective ones for its whole."""
    of = stays[0].sense.of if stays else frame.group
    if of is None or all(isinstance(part, Window) for part in parts_of(of.where)):
        return False
    words, at = frame.context.lexed.words, frame.share[0].end
    if words[at : at + 1] and words[at] in _SAID_OF_THEM:
        return True  # "for each payer, what percent were emergency admissions": the verb says of all of them
    while at < len(words) and words[at] in _WHOLE:
        at += 1
    return any(node.start == at and node.kind in ("people", "stays") for node in frame.context.lexed.nodes)


def _all_said_of_them(frame: Frame) -> bool:
    """ "What share of our patients are widowed women": all that follows the verb is said of patients of any kind."""
    words, at = frame.context.lexed.words, frame.share[0].end
    while at < len(words) and words[at] in _WHOLE:
        at += 1
    ends = [node.end for node in frame.context.lexed.nodes if node.kind == "people" and node.start == at]
    return any(words[end : end + 1] and words[end] in _SAID_OF_THEM for end in ends if ends and _plainly(words[at:end]))


def _of_all_alike(frame: Frame) -> bool:
    """ "What share of patients had both, in the same stay": of all of them."""
    return "both" in frame.context.lexed.words or _all_said_of_them(frame)


def _plainly(said: Sequence[str]) -> bool:
    return said[-1:] in (("patients",), ("people",), ("everyone",), ("pts",), ("cohort",), ("population",))


def _among(frame: Frame) -> int | None:
    """Where "among" sets what is counted off from what it is a share of: "share of women among ICU patients"."""
    words, share = frame.context.lexed.words, frame.share[0]
    for at in range(share.end, len(words) - 1):
        if words[at] in _OF_ALL:
            return at
        if words[at] == "in" and words[at - 1] in _SEXES and at > share.end:
            return None if _said_of_all(words[at:]) else at
    return None


def _said_of_all(behind: Sequence[str]) -> bool:
    """ "Share of the women in this database who had a stroke", "of the men in here were widowed": what is told behind a
    place is of those before it; "of women in patients who had a stroke" tells who these are."""
    told = next((at for at, word in enumerate(behind) if word in _SAID_OF_THEM), None)
    return told is not None and not _WHO & {behind[told - 1]}


def _stands_before(frame: Frame, stays: Sequence[Node], further: Sequence[Condition], at: int) -> bool:
    """True where what was taken for the whole is said before `at`, and what was taken for its part behind it."""
    whole = stays[0].start if stays else frame.group_at
    if not frame.share[0].end <= whole < at:
        return False
    parts = [node for node in frame.pieces.nodes if node.kind in ("event", "trait", "dead", "readmitted")]
    return not further or all(node.start > at for node in parts)


def _of_people(frame: Frame) -> bool:
    """ "Of the patients who were ventilated, what share died": of people, and not of their stays."""
    words = frame.context.lexed.words
    of = {words[max(0, frame.group_at - 1)], words[max(0, frame.group_at - 2)]}
    limited_to = frame.group is not None and frame.group.where is not None
    return (
        frame.group_said and limited_to and bool(of & {"of", "among"}) and all(one.sense.loose for one in frame.stays)
    )


def _died_there(frame: Frame, part: Condition, unit: str) -> Condition:
    """Of stays, that their patient died: in the hospital, where that is kept of stays."""
    if not (isinstance(part, Of) and part.of == Set(PATIENT, (), Has(Set("death")))):
        return part
    return (death(frame.context, "hospital", unit) if unit == HOSPITAL else None) or part


def _says_two_of_them(frame: Frame) -> bool:
    """ "What share of visits were urgent and lasted a day": both are asked for, which is not: the one of the other."""
    words, at = frame.context.lexed.words, frame.share[0].end
    verb = next((place for place in range(at, len(words)) if words[place] in _SAID_OF_THEM), None)
    return verb is not None and words[verb - 1] not in _WHO and "and" in words[verb:]


def _ended_there(part: Condition, unit: str) -> Condition:
    """Of stays, where their patient went: from that stay ("stays of widows that ended in a nursing home")."""
    theirs = part.of.where if isinstance(part, Of) and part.of == Set(PATIENT, (), part.of.where) else None
    had = theirs.of.where if isinstance(theirs, Has) and theirs.of == Set(unit, (), theirs.of.where) else None
    went = had.left if isinstance(had, Test) else had.measure if isinstance(had, Among) else None
    return had if went == Own("discharge location") and had is not None else part


def of_one_patient(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "What share of the warfarin orders went to patient 8": of records, by whose they are."""
    share = frame.share[:1]
    events = [node for node in frame.pieces.of("event") if not node.sense.others and node.sense.of.pick is None]
    if frame.who is None or len(events) != 1 or not share or not share[0].end <= events[0].start < frame.who_at:
        return None
    frame.pieces.use(events[0])
    of = attach_to_event(frame, events[0].sense).of
    return with_counts(frame, of, Of(frame.who.of), keys)


def _shared(conditions: Sequence[Condition]) -> Condition:
    """The condition whose share is asked: the last that says more than when."""
    return next((part for part in reversed(conditions) if not isinstance(part, Window)), conditions[-1])


def survival(frame: Frame) -> Statement | None:
    """ "One-year survival of patients with heart failure": of those who had it that long ago."""
    pieces = frame.pieces
    dead, spans = pieces.of("dead"), pieces.of("span")
    if len(dead) != 1 or dead[0].sense not in ALIVE or len(spans) != 1 or frame.who is not None:
        return None
    events = pieces.of("event")
    had = [part.of for part in parts_of(frame.group.where if frame.group else None) if isinstance(part, Has)]
    had += [node.sense.of for node in events if not node.sense.others]
    others = len(parts_of(frame.group.where)) if frame.group else 0
    if len(had) != 1 or others + len(events) != 1 or had[0].pick is not None or had[0].unit in UNITS:
        return None
    span = spans[0].sense
    if span.count != int(span.count):
        return None
    pieces.use(dead[0], spans[0], *events)
    return Survival(int(span.count), span.unit, had[0])


_WHOLE = {"of", "the", "all", "our", "these", "those", "hospital"}
_OF_RECORDS = ("interpretation", "growth", "state", "limit", "trait")


def of_records(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "% of callouts cancelled", "% of MAPs under 65", "% of isolates resistant": of records, by what they tell."""
    if frame.group_said and frame.who is None:
        return None
    pieces, share = frame.pieces, frame.share[0]
    if any(_whole_of(frame, share, node) for node in pieces.of("stays")):
        return None
    events = [node for node in pieces.of("event") if not node.sense.others and node.sense.of.pick is None]
    behind = [node for node in events if node.start >= share.end]
    cultures = _cultures(frame)
    if cultures is not None:
        pieces.add(cultures)
        behind = [cultures]
    if not behind and not events:
        return None
    node = (behind or events)[0]
    told = [part for part in _all_parts(node.sense.of.where) if _tells(part)]
    if told and all(map(_grew, told)):
        grown = [part for part in _all_parts(node.sense.of.where) if _names_organism(part)]
        positive = grown and "positive" in frame.context.lexed.words[share.end : node.end]
        plain = replace(node.sense, of=_without(node.sense.of, grown if positive else [*told, *grown]))
        told = grown or told  # "of the urine cultures, what percent grew E. coli"
    else:
        plain = replace(node.sense, of=_without(node.sense.of, told))
    of_its_own = False  # "the no-show rate of the heart clinic": what its appointments tell of themselves
    if not told:
        for one in pieces.of(*_OF_RECORDS):
            condition = _of_record(frame, one, plain)
            if condition is not None and not told:
                told.append(condition)
                pieces.use(one)
                of_its_own |= one.kind == "trait"
    if not told and not frame.group_said:
        told = [part for part in _all_parts(node.sense.of.where) if isinstance(part, Of) and part.of.unit in UNITS]
        plain = replace(node.sense, of=_without(node.sense.of, told))
        if told:
            pieces.use(node)
            return with_counts(frame, plain.of, told[-1], keys)  # "what percent of labs were taken in the ICU"
    if not told and (one_kind := _of_one_kind(frame, node, events)) is not None:
        plain, name = one_kind
        told.append(name)
    told_of = plain.noun or of_its_own or has_values(frame, plain) or kind_of(plain.role).microbial
    if not told or not told_of:
        return None
    pieces.use(node)
    of = whose(frame, attach_to_event(frame, plain).of)
    for stays in pieces.take("stays"):
        if not (stays.sense.loose and stays.sense.of.unit == HOSPITAL):
            of = limited(of, Of(stays.sense.of))
    if any(isinstance(part, Test) and part.left == Own("interpretation") for part in told):
        of = limited(of, Is(Own("interpretation"), "present"))
    if Own("antibiotic") in keys:
        of = limited(of, Is(Own("antibiotic"), "present"))
    named = [part for part in _all_parts(of.where) if _names_organism(part)] if _grew(told[-1]) else []
    if len(named) == 1:  # "of all urine cultures, what percent grew E. coli"
        of, told = _without(of, named), named
    return with_counts(frame, of, told[-1], keys)


def _of_one_kind(frame: Frame, node: Node, events: Sequence[Node]) -> tuple[Event, Condition] | None:
    """ "What share of prescriptions is for heparin", "of the vaccinations, what percent were Tdap": records of a kind
    that is named, and the names of some of them."""
    noun, named = node, next((one for one in events if one is not node and not one.sense.noun), None)
    if named is None and len(node.made_of) == 2:
        noun, named = node.made_of
    if (
        named is None
        or {noun.kind, named.kind} != {"event"}
        or not noun.sense.noun
        or named.sense.role != noun.sense.role
    ):
        return None
    names = tuple(item.text for item in named.sense.of.items if item.kind == "name")
    if not names or len(names) < len(named.sense.of.items) or named.start < noun.end:
        return None
    frame.pieces.use(*[one for one in (named,) if one in frame.pieces.left()])
    name = Test(Own("name"), "=", Value(names[0])) if len(names) == 1 else Among(Own("name"), names)
    return replace(noun.sense, of=limited(noun.sense.of, *parts_of(named.sense.of.where))), name


def _whole_of(frame: Frame, share: Node, stays: Node) -> bool:
    """ "In what percent of the admissions": what stands right behind is what the share is of."""
    between = frame.context.between(share, stays)
    return not stays.sense.loose and share.end <= stays.start and set(between) <= _WHOLE


def _cultures(frame: Frame) -> Node | None:
    """Results of cultures, where only what they tell is said: "E. coli resistant to ciprofloxacin"."""
    traits = [node for node in frame.pieces.of("trait") if kind_of(node.sense.role).microbial]
    if not traits or (frame.pieces.of("event") and not all(one.sense.noun for one in frame.pieces.of("event"))):
        return None
    told = {part.left for node in traits for part in _all_parts(node.sense.condition) if isinstance(part, Test)}
    if Own("interpretation") not in told and not frame.pieces.of("interpretation"):
        return None
    role = traits[0].sense.role
    named = [node for node in frame.pieces.of("event") if node.sense.role == role]  # "the E. coli isolates"
    frame.pieces.use(*traits, *frame.pieces.of("event"))
    theirs = [part for node in named for part in _all_parts(node.sense.of.where) if not _grew(part)]
    told_of = [part for node in traits for part in _all_parts(node.sense.condition)]
    of = limited(Set(unit_of(role)), *dict.fromkeys((*theirs, *told_of)))
    return replace(traits[0], kind="event", sense=Event(role, of))


def _tells(part: Condition) -> bool:
    """True for what one record tells of itself: its value, how long it lasted, whether anything grew, whether it was
    resistant."""
    if isinstance(part, Is):
        return part.measure in (Own("value"), Own("organism"), Own("end time"))
    grew = isinstance(part, Test) and part.left == Own("organism") and part.relation == "!="
    told = isinstance(part, Test) and (part.left in _TELLING or isinstance(part.left, Interval))
    return grew or told


def _grew(part: Condition) -> bool:
    """True for a culture that grew anything."""
    if isinstance(part, Is):
        return part.measure == Own("organism") and part.state == "present"
    return isinstance(part, Test) and part.left == Own("organism") and part.relation == "!="


def _names_organism(part: Condition) -> bool:
    """True for what grew, by its name."""
    if isinstance(part, Among):
        return part.measure == Own("organism")
    return isinstance(part, Test) and part.left == Own("organism") and part.relation == "="


def _without(of: Set, told: Sequence[Condition]) -> Set:
    rest = [part for part in _all_parts(of.where) if part not in told]
    return replace(of, where=every(rest) if rest else None)


def _all_parts(where: Condition | None) -> tuple[Condition, ...]:
    """The conditions that must all hold, those within others too: "resistant E. coli" is one of two."""
    return tuple(each for one in parts_of(where) for each in (_all_parts(one) if isinstance(one, All) else (one,)))


def _of_record(frame: Frame, node: Node, event: Event) -> Condition | None:
    """A piece as what records of an event tell; None where it is none of theirs."""
    unit = event.of.unit
    if node.kind == "interpretation" and frame.world.holds(unit, "interpretation"):
        return Test(Own("interpretation"), "=", Value(node.sense))
    if node.kind == "growth" and frame.world.holds(unit, "organism"):
        return frame.world.growth(node.sense)
    if node.kind == "limit" and not node.sense.unit and has_values(frame, event):
        return every([Test(Own("value"), sign, Value(plain(number))) for sign, number in node.sense.tests])
    if node.kind == "trait" and node.sense.role == event.role and "record" in node.sense.of:
        condition: Condition = node.sense.condition
        return condition if node.sense.field not in ("organism", "antibiotic") else None
    return None


def with_counts(frame: Frame, base: Set, condition: Condition, keys: tuple[Measure | str, ...]) -> Statement:
    """The share of a set that meets a condition, beside the numbers that are asked for with it: of those who do ("n
    and %"), and of all ("out of how many")."""
    share = Aggregate("percent", base, condition)
    counts = frame.pieces.take("count")
    if keys:
        numbers = (Aggregate("count", None),) if counts else ()
        return grouped(frame, base, keys, *numbers, replace(share, of=None))
    met = Aggregate("count", limited(base, condition))
    return Single((*(met, Aggregate("count", base))[: len(counts)], share))


def grouped_shares(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement:
    """ "Sex distribution, n and %": the count and the share of each group."""
    pieces = frame.pieces
    pieces.use(*frame.count)
    stays = [node for node in pieces.of("stays") if not node.sense.loose]
    of = stays_set(frame, stays[0]) if stays else people_set(frame)
    by = keyed(frame, keys, of)
    if of.unit == PATIENT and any(isinstance(key, Own) and not frame.world.holds(PATIENT, key.field) for key in by):
        of = Set(HOSPITAL, (), Of(of) if of.where is not None else None)
    return Groups(of, by, (Aggregate("count", None), Aggregate("share", None)))


def as_condition(frame: Frame, node: Node, unit: str) -> Condition | None:
    """A piece as a condition of patients or stays; None where it is none."""
    if node.kind == "event":
        return having(node.sense)
    if node.kind == "trait":
        one: Trait = node.sense
        if unit == PATIENT:
            return trait_of(frame.context, one)
        return one.condition if "stay" in one.of else None
    if node.kind == "dead":
        return death(frame.context, node.sense, unit)
    if node.kind == "readmission":
        return readmission(node.sense) if unit != PATIENT else Has(Set(HOSPITAL, (), readmission(node.sense)))
    if node.kind == "readmitted":
        return readmission(None) if unit != PATIENT else None
    return None


def mortality(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """The share of those who died."""
    pieces = frame.pieces
    dead = pieces.take("dead")
    if any(node.sense == "icu" for node in dead):
        of = stays_set(frame, next((node for node in frame.stays if not node.sense.loose), None), ICU)
        there = death(frame.context, "icu", of.unit)
        return of_all(frame, of, there, keys) if there is not None else None
    in_hospital = any(node.sense == "hospital" for node in dead) or bool(frame.stays)
    if in_hospital or keys:
        of = stays_set(frame, next((node for node in frame.stays if not node.sense.loose), None))
        if not keys:
            of = limited(of, *(having(node.sense) for node in pieces.take("event")))
        condition = death(frame.context, "hospital", HOSPITAL)
        assert condition is not None
        return of_all(frame, of, condition, keys)
    of = people_set(frame)
    if not frame.group_said and any(isinstance(part, Has) and part.of.unit == HOSPITAL for part in parts_of(of.where)):
        frame.pay(0.4, "people-unsaid")  # "mortality of urgent admissions" is of these
    condition = _died_soon(frame, of) or death(frame.context, "died", PATIENT)
    return of_all(frame, of, condition, keys) if condition is not None else None


def _died_soon(frame: Frame, of: Set) -> Condition | None:
    """ "30-day mortality of patients with sepsis": that they died so soon after what they are chosen by; None where
    nothing such is said."""
    spans = frame.pieces.of("span")
    within = died_within(spans[0].sense, of) if len(spans) == 1 and frame.world.has("death") else None
    after = [node for node in frame.pieces.of("relation") if node.sense == "after"]
    frame.pieces.use(*((*spans, *after) if within is not None else ()))
    return within


def of_all(frame: Frame, base: Set, condition: Condition, keys: tuple[Measure | str, ...]) -> Statement:
    """A mortality beside how many it is of, where a number is asked for with it."""
    share = Aggregate("percent", base, condition)
    number = Aggregate("count", base)
    counts = frame.pieces.take("count")
    if keys:
        columns = (number, share) if counts else (share,)
        return grouped(frame, base, keys, *(replace(one, of=None) for one in columns))
    return Single((number, share) if counts else (share,))
