"""Questions that lean on earlier ones: "A2", "those patients", "only the last one", "and for patient 123?".

A follow-up becomes a reference (the logic names the earlier turn) or an edit of the earlier turn's own logic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ehrtui.logic.model import Exists, Logic, Patients, Query, Rows, Source, Stay
from ehrtui.planning.offline import pointing
from ehrtui.planning.offline.asking_words import asks_whom
from ehrtui.planning.offline.combining import paired, the_rest, two_latest, two_turns
from ehrtui.planning.offline.continuing import continued, people_noun
from ehrtui.planning.offline.conversation_words import Heard, continues
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.edits import unfolded
from ehrtui.planning.offline.marking import unexplained
from ehrtui.planning.offline.not_readable import why_not_readable, why_unsorted
from ehrtui.planning.offline.parts import Event, Parts, means, which
from ehrtui.planning.offline.pronouns import pointless
from ehrtui.planning.offline.sorting import sorted_answer
from ehrtui.planning.offline.standing_alone import (
    PRONOUNS,
    asks,
    has_target,
    is_fragment,
    pronoun,
    silent_about_whom,
    silent_in_group,
    stands_alone,
)
from ehrtui.planning.offline.wanted import FUNCTIONS, WHETHER
from ehrtui.planning.offline.without_effect import marks_without_effect
from ehrtui.planning.offline.words import Mark
from ehrtui.planning.proposal import Link
from ehrtui.schema.kinds import PATIENT, role_of_stays

_OF_TURN = re.compile(r"^\s*(?:listed\s+|named\s+|found\s+|shown\s+)?(?:in|of|from)\s+(?:the\s+)?$")
_GROUP_OF_TURN = re.compile(
    r"\b(?:patients|people|persons|those|these|them|group|cohort|women|men|ones)\s+(?:\w+\s+){0,2}?"
    r"(?:in|of|from)\s+(?:the\s+)?$"
)
_COUNTED = re.compile(
    r"\bhow\s+many\b(?=\s+(?:of\s+(?:them|those|these)\s+)?(?:were|are|was|is|died|survived|have|had|has|got|received"
    r"|did|also|took|underwent|who)\b)|\bwhich\s+ones\b"
)
_WHO_OF_THEM = re.compile(
    r"^\W*who\s+(?:has\s+|have\s+)?(?:died|survived|passed\s+away|expired"
    r"|(?:is|are|was|were)\s+(?:still\s+)?(?:alive|dead)|(?:was|were|got)\s+re-?(?:admitted|hospitali[sz]ed)\b.*)\W*$"
)
_OF_WHOM = re.compile(r"\b(?:which|who|how\s+many)\s+(?:of|in|from|among)\s+(?:answer\s+)?a\d{1,4}\b")
_HOW_MANY_THERE = re.compile(r"\W*how\s+many\s+(?:patients|people)\s+(?:are|were)\s+there\W*")
_KIND = re.compile(r"\b(?:hospital|icu|intensive)\b")
_STAY_NEEDED = (
    "I do not know which stay is meant: no earlier question was about one stay. "
    "Say which, as in “during the last hospital stay” or “in the hospital stays of A2”."
)
PATIENT_NEEDED = "I do not know which patient is meant. Name one, as in “patient 10021”."
_NOBODY_MEANT = (
    "There is nothing that “{}” could refer to: no earlier question has an answer. "
    "Say who or what is meant, as in “how many patients with sepsis died?”."
)
_TWO_TURNS = (
    "I cannot tell what is asked of these answers. Two answers can be compared or put together: “is A1 greater than "
    "A2?”, “the difference between A1 and A2”, “who is in both A1 and A2?”, “what is in A1 but not in A2?”."
)
_IN_BOTH = "Ask for the two lists one after the other, then say “what is in both A1 and A2?” with their numbers."
_OF_ALL = "or “of all patients”."
_WHICH_GROUP = "“{}” does not say of whom. Say so, as in “of the patients in A{}” (or in an earlier answer), " + _OF_ALL
_NOTHING_YET = "There is no earlier answer that this could continue. Ask the whole question."


@dataclass(frozen=True)
class FollowUp:
    """The logic that a follow-up comes to, the turn that it was completed from, and the marks that changed nothing."""

    logic: Logic
    turn: int
    idle: tuple[Mark, ...] = ()


def resolved(heard: Heard, parts: Parts, turns: Turns) -> Parts:
    """The parts with "the previous answer", "those patients", "her" and "that stay" replaced by what they point at."""
    if not turns:
        return parts
    if heard.without and not parts.negations:
        parts = replace(parts, negations=(0,))
    parts = _fitting_stay(_with_stay(heard, parts, turns))
    if parts.turn is not None and parts.turn <= 0:
        return _counting(_at_ordinal_turn(parts, turns), parts.turn)
    if parts.turn is not None:
        lists = parts.turn in turns and pointing.lists_patients(turns[parts.turn], parts.profile)
        return _counting(_in_stays_of_turn(parts, turns), parts.turn if lists else None)
    if pronoun(parts, "that_patient") and not parts.ids:
        return _in_same_stay(_of_one_patient(parts, turns), turns)
    if parts.ids or (parts.stay is not None and parts.stay.turn is not None):
        return parts
    group = pointing.group_of(turns, parts.profile)
    if pronoun(parts, "those_patients") and not _items_meant(parts, turns):
        sole = pointing.sole_patient(turns, parts.profile) if group is None else None
        if sole is not None:
            return replace(parts, turn=sole, single=True)  # "who had the longest stay?", "what was their diagnosis?"
        ids = () if group is not None else pointing.one_patient(turns)
        return replace(parts, turn=group if group is not None else None if ids else turns.latest, ids=ids)
    if parts.both_sexes and group is not None and not (people_noun(parts) or parts.events):
        return replace(parts, turn=group)
    if group is not None and _WHO_OF_THEM.match(parts.text.lower):
        return replace(parts, turn=group)
    counting = _counting(parts, group)
    if counting.people is not None and parts.people is None:
        return replace(counting, turn=pointing.counted_among(turns, group))
    if silent_about_whom(parts) and not asks_whom(parts.text.lower):
        latest = turns.latest
        asked = replace(turns[latest], logic=unfolded(turns[latest].logic, turns))
        return _of_one_patient(parts, turns.only(latest, asked))
    return parts


def of_latest_group(parts: Parts, turns: Turns) -> Parts:
    """A question about records that says nothing of whose they are, or only "the women": of the patients, or the one
    patient, whom the last turn lists, counts or is about; "of all patients" says that everybody is meant."""
    of_stays = any(mark.value.turn is not None for mark in parts.stays)
    if not turns or of_stays or not silent_in_group(parts) or _counts_in_a_time(parts):
        return parts
    latest = turns.latest
    group = pointing.whole_group(turns, latest, parts.profile)
    if group is None and not parts.windows and "any" not in parts.wants and not asks_whom(parts.text.lower):
        return replace(parts, ids=pointing.one_patient(turns.only(latest)))
    return replace(parts, turn=group) if group is not None else parts


def _in_narrower_group(parts: Parts, turns: Turns) -> bool:
    """True for a question that says nothing of whom, asked right after one about some of all patients, or of a group:
    "the mean glucose of the women", then "what is the mean sodium?"."""
    latest = turns.latest
    who = pointing.whom(turns[latest].logic)
    if who is None or who.ids or pointing.whole_group(turns, latest, parts.profile) is not None:
        return False
    return who != Patients(turn=who.turn) and silent_in_group(parts)


def _counts_in_a_time(parts: Parts) -> bool:
    """ "How many admissions in 2104": of the group, or a question of its own."""
    return "count" in parts.wants and bool(parts.windows)


def _whose_is_unclear(parts: Parts, turns: Turns) -> bool:
    """True for a question about records that, right after one about a group, may be about these or about everybody."""
    latest = turns.latest
    group = pointing.whole_group(turns, latest, parts.profile)
    counted = group is not None and _counts_in_a_time(parts) and silent_in_group(parts)
    all_of_them = group == latest and _HOW_MANY_THERE.fullmatch(parts.text.lower) is not None
    return counted or all_of_them or _in_narrower_group(parts, turns)


def of_whom(lost: str, question: str, latest: int) -> tuple[str, ...]:
    """The questions that say of whom, where that is what a question `lost` says of itself that it does not."""
    if not lost.endswith(_OF_ALL):
        return ()
    said = question.strip().rstrip(" ?.!")
    return (f"{said} of the patients in A{latest}?", f"{said} of all patients?")


def unresolved(heard: Heard, parts: Parts, turns: Turns, follow: FollowUp | None) -> str:
    """What the question points at and nothing in the conversation is, with what to say instead; "" where all is
    there."""
    if parts.turn is not None and parts.turn not in turns:
        known = ", ".join(f"A{n}" for n in sorted(turns)) or "none yet"
        return f"There is no answer A{parts.turn} to refer to; answers with a result: {known}."
    if any(mark.value.turn is not None and mark.value.turn <= 0 for mark in parts.stays):
        return _STAY_NEEDED
    alone = not (parts.ids or parts.people is not None or parts.turn is not None)
    if pronoun(parts, "that_patient") and alone and not parts.sex:
        return PATIENT_NEEDED
    if not turns:
        said = pointless(parts)
        if said:
            return _NOBODY_MEANT.format(said)
        whole = asks(parts) or parts.ids or people_noun(parts)
        return _NOTHING_YET if continues(parts.text) and not whole else ""
    whole = stands_alone(heard, parts, named=bool(parts.marks.of("turn")))
    elsewhere = (parts.stays or parts.ordinals) and not any(event.names for event in parts.events)
    if heard.also and elsewhere and pronoun(parts, "those_patients") and not people_noun(parts):
        return _IN_BOTH
    if follow is None and len(parts.marks.of("turn")) > 1 and not has_target(parts):
        return _TWO_TURNS
    if reason := why_not_readable(heard, parts, turns, alone=follow is None) or (
        why_unsorted(heard, parts, turns) if follow is None else ""
    ):
        return reason
    unknown = unexplained(parts.text, parts.marks)
    if follow is None and not (unknown or parts.sex or parts.age) and _whose_is_unclear(parts, turns):
        return _WHICH_GROUP.format(parts.text.lower.strip(" ?.!"), turns.latest)
    leans = heard.leans or heard.step or heard.pair or heard.order or is_fragment(parts)
    if follow is None and leans and not (whole or unknown):
        shown = f"A{turns.latest}"
        return f"I cannot tell what this changes in {shown}. Ask the whole question, or name the answer that is meant."
    return ""


def links(parts: Parts) -> list[Link]:
    """What "those", "them" and "her" were taken for."""
    found = []
    for mark in parts.marks:
        text = parts.text.typed[mark.start : mark.end]
        if means(mark, "people", "those_patients") and parts.turn is not None:
            found.append(Link(mark.start, mark.end, text, "turn", f"A{parts.turn}"))
        elif means(mark, "people", *PRONOUNS) and parts.ids:
            found.append(Link(mark.start, mark.end, text, "patient", ", ".join(map(str, parts.ids))))
    return found


def built_on(parts: Parts, follow: FollowUp | None) -> set[int]:
    """The turns that the question was completed from."""
    found = {follow.turn} if follow is not None else set()
    found |= {parts.turn} if parts.turn is not None else set()
    return found | {mark.value.turn for mark in parts.stays if mark.value.turn is not None}


def follow_up(heard: Heard, parts: Parts, turns: Turns) -> FollowUp | None:
    """The logic of a question that is none by itself, with the turn that it was completed from; None for one that
    stands on its own, or on what its own words refer to."""
    if not turns:
        return None
    if heard.pair is not None:
        found = paired(heard.pair, turns)
        return FollowUp(*found) if found else None
    last_two = two_latest(heard, parts, turns)
    if last_two is not None:
        return FollowUp(*last_two)
    both = two_turns(parts)
    if both is not None:
        return FollowUp(both, max(mark.value for mark in parts.marks.of("turn")))
    if heard.order is not None:
        in_order = sorted_answer(heard.order, parts, turns)
        return FollowUp(*in_order) if in_order else None
    if heard.rest:
        rest = the_rest(turns, parts.profile)
        return FollowUp(*rest) if rest else None
    named = bool(parts.marks.of("turn"))
    if len(parts.marks.of("turn")) > 1 and not has_target(parts):
        return None
    if named and parts.turn in turns and not has_target(parts):
        return _of_turn(heard, parts, turns)
    if parts.marks.of("readmitted"):
        return None  # a condition on patients, and no change of what was asked
    if stands_alone(heard, parts, named) and not _in_narrower_group(parts, turns):
        return _of_items(heard, parts, turns)
    bases = [parts.turn] if named and parts.turn is not None and parts.turn in turns else _bases(parts, turns)
    for base in bases:
        logic = continued(heard, parts, turns, base)
        if logic is not None:
            return FollowUp(logic, base, marks_without_effect(heard, parts, turns, base, logic))
        if isinstance(unfolded(turns[base].logic, turns), Query):
            return None
    return None


def _bases(parts: Parts, turns: Turns) -> Iterable[int]:
    """The turns that may be continued. "What about potassium?" goes on from the last question of values, past whether
    the same patients had any stay, or died."""
    numbers = turns.newest_first
    latest = unfolded(turns[turns.latest].logic, turns)
    named = next((event for event in parts.events if event.names), None)
    aside = isinstance(latest, Query) and latest.want == Exists() and not latest.source.names
    if named is None or not aside or not isinstance(latest, Query) or latest.source.role in (PATIENT, *named.roles):
        return numbers
    before = ((number, unfolded(turns[number].logic, turns)) for number in numbers)
    return (
        number
        for number, logic in before
        if isinstance(logic, Query) and logic.source.role in named.roles and logic.patients == latest.patients
    )


def items_of_turn(parts: Parts, turns: Turns) -> Source | None:
    """ "The drugs in A1", "these drugs": records whose items are those that an earlier answer lists."""
    number = parts.turn if parts.marks.of("turn") else _items_meant(parts, turns)
    if number is None or number not in turns:
        return None
    role = pointing.lists_names(turns, number)
    event = next((event for event in parts.events if role in event.roles and not event.names), None)
    if event is None:
        return None
    turn_mark = next(iter(parts.marks.of("turn")), None)
    nouns = [mark for mark in parts.marks if role in which(mark, "role")]
    if turn_mark is None or any(_OF_TURN.match(parts.text.lower[one.end : turn_mark.start]) for one in nouns):
        return Source(role, turn=number, filters=event.filters)
    return None


def _of_one_patient(parts: Parts, turns: Turns) -> Parts:
    """ "She": the patient who was named last, or the one that an answer consists of."""
    sole = pointing.sole_patient(turns, parts.profile)
    if sole is not None:
        return replace(parts, turn=sole, single=True)
    return replace(parts, ids=pointing.one_patient(turns))


def _counting(parts: Parts, group: int | None) -> Parts:
    """ "How many were prescribed heparin?": people, where there is a group that they can be of."""
    counted = _COUNTED.search(parts.text.lower) or (_OF_WHOM.search(parts.text.lower) if parts.turn == group else None)
    if counted and group is not None and parts.people is None and _says_who(parts):
        return replace(parts, people=counted.start())
    return parts


def _says_who(parts: Parts) -> bool:
    return bool(parts.events or parts.sex or parts.age or parts.marks.of("readmitted"))


def _items_meant(parts: Parts, turns: Turns) -> int | None:
    """The turn whose names "these" are: the last one, where it lists names of the kind that is spoken of."""
    latest = pointing.latest_list(turns)
    if latest is None or not pronoun(parts, "those_patients") or people_noun(parts):
        return None
    role = pointing.lists_names(turns, latest)
    same = parts.events and all(role in event.roles and not event.names for event in parts.events)
    return latest if role and same else None


def _is_among(parts: Parts, turns: Turns) -> FollowUp | None:
    """ "Was vancomycin among them?": whether the last list, of names, has it."""
    latest = pointing.latest_list(turns)
    if latest is None:
        return None
    logic, role = turns[latest].logic, pointing.lists_names(turns, latest)
    named = [event for event in parts.events if role in dict(event.names)]
    among = pronoun(parts, "those_patients") and not people_noun(parts) and WHETHER.match(parts.text.lower)
    if not among or len(named) != 1 or len(parts.events) != 1 or not isinstance(logic, Query):
        return None
    return FollowUp(replace(logic, want=Exists(), source=named[0].source(role), ordinal=None), latest)


def _at_ordinal_turn(parts: Parts, turns: Turns) -> Parts:
    """ "The previous answer" (0), "the first list" (-1), "the second question" (-2)…; with a patient, of those about
    that patient."""
    assert parts.turn is not None
    numbers, place = sorted(turns), -parts.turn - 1
    if parts.ids and place >= 0:
        about = [n for n in numbers if (logic := turns[n].logic) and pointing.patients_of(logic) == parts.ids]
        numbers, parts = about or numbers, replace(parts, ids=())
    if place < 0 or place >= len(numbers):
        return _in_stays_of_turn(replace(parts, turn=numbers[-1]), turns)
    return _in_stays_of_turn(replace(parts, turn=numbers[place]), turns)


def _in_stays_of_turn(parts: Parts, turns: Turns) -> Parts:
    """A question about records "in A1", where A1 lists stays: about those during these stays."""
    assert parts.turn is not None
    stays = pointing.stays_listed(turns, parts.turn, parts.profile)
    if stays is None or stays.turn is None or not parts.events or parts.people is not None or parts.stays:
        return parts
    mark = parts.marks.of("turn")[0]
    return replace(parts, turn=None, stays=(replace(mark, kind="stay", value=stays),))


def _with_stay(heard: Heard, parts: Parts, turns: Turns) -> Parts:
    """ "During that stay", "then": the stay that was spoken of last."""
    marks, ids = [], parts.ids
    for mark in parts.stays:
        stay: Stay = mark.value
        if stay.turn is not None and stay.turn <= 0:
            kind = stay.kind if stay.turn == 0 else None
            stay, who = pointing.stay_meant(turns, parts.profile, kind) or (stay, Patients())
            ids = ids or (who.ids if stay.turn is None and parts.people is None else ())
        elif not asks(parts) and not _KIND.search(parts.text.lower):
            meant = pointing.stay_meant(turns, parts.profile, None)
            stay = replace(stay, kind=meant[0].kind) if meant else stay
        marks.append(replace(mark, value=stay))
    if heard.then and not marks and (parts.events or parts.fields):
        then = pointing.stay_meant(turns, parts.profile, None)
        if then is not None:
            end = len(parts.text.lower)
            marks.append(Mark(end, end, "stay", then[0]))
    return replace(parts, stays=tuple(marks), ids=ids)


def _in_same_stay(parts: Parts, turns: Turns) -> Parts:
    """ "How long did she stay?", asked right after a question about one stay: of that stay."""
    latest = turns.latest
    of_stays = parts.profile.role(role_of_stays("hospital")).fields
    asked = {field for mark in parts.fields for field in which(mark, "field")}
    if parts.events or parts.stays or parts.windows or parts.ordinals or not asked & (set(of_stays) | {"length"}):
        return parts
    meant = pointing.stay_meant(turns.only(latest), parts.profile, None)
    if meant is None or "age" in asked:
        return parts
    end = len(parts.text.lower)
    return replace(parts, stays=(Mark(end, end, "stay", meant[0]),))


def _fitting_stay(parts: Parts) -> Parts:
    """A name of several kinds "during those ICU stays" is first of a kind that belongs to ICU stays."""
    if parts.stay is None or parts.stay.turn is None or parts.stay.kind != "icu":
        return parts

    def fitting(event: Event) -> Event:
        kinds = sorted(event.roles, key=lambda role: parts.profile.role(role).stay != "icu")
        return event if event.cued else replace(event, roles=tuple(kinds))

    return replace(parts, events=tuple(map(fitting, parts.events)))


def _of_turn(heard: Heard, parts: Parts, turns: Turns) -> FollowUp | None:
    """What is asked of an earlier answer that is named: its rows, how many, one number over them, one of them; or its
    patients in the last question."""
    assert parts.turn is not None
    number, latest = parts.turn, turns.latest
    mark = parts.marks.of("turn")[0]
    group = _GROUP_OF_TURN.search(parts.text.lower[: mark.start]) is not None
    if not asks(parts) and number != latest and not ({"count", *FUNCTIONS} & parts.wants or parts.ordinals):
        bare = not parts.text.lower.replace(parts.text.lower[mark.start : mark.end], "").strip(" ?.!,")
        if (group or bare) and pointing.lists_patients(turns[number], parts.profile):
            logic = continued(heard, replace(parts, turn=number), turns, latest)
            if logic is not None:
                return FollowUp(logic, latest)
    if parts.negations or parts.ids or parts.windows or parts.stays or parts.sex or parts.age:
        if parts.people is not None and (parts.sex or parts.age):
            return None
        base = latest if parts.negations else number
        logic = continued(heard, parts, turns, base)
        return FollowUp(logic, base) if logic is not None else None
    if parts.people is not None and group and "count" not in parts.wants:
        return None
    if "count" in parts.wants:
        return FollowUp(Rows(number, count=True), number) if not parts.ordinals else None
    function = next((name for name in FUNCTIONS if name in parts.wants), None)
    if function is not None and not pointing.lists_numbers(turns[number], parts.profile):
        return None
    by_time = continued(heard, parts, turns, number) if parts.ordinal is not None and function is None else None
    if by_time is not None:
        return FollowUp(by_time, number)
    return FollowUp(Rows(number, parts.ordinal if function is None else None, function=function), number)


def _of_items(heard: Heard, parts: Parts, turns: Turns) -> FollowUp | None:
    """ "How many of the drugs in A5 were given iv?": the earlier list, narrowed down, for the patients it is about."""
    named = _is_among(parts, turns)
    if named is not None:
        return named
    source = items_of_turn(parts, turns)
    if source is None or source.turn is None or parts.ids or people_noun(parts):
        return None
    narrowed = source.filters or parts.windows or parts.stays
    logic = continued(heard, parts, turns, source.turn) if narrowed else None
    return FollowUp(logic, source.turn) if logic is not None else None
