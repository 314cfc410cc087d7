"""How much time lies between two events, each told in words of its own: the readings of what `event_words` finds. An
event is read as what it would be if it were asked when it was."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Among,
    Condition,
    Has,
    Interval,
    Measure,
    Near,
    Neighbour,
    Of,
    Own,
    Pick,
    Picked,
    Relation,
    Rows,
    Set,
    Single,
    Statement,
    TimeUnit,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.event_words import ORDER, SPAN, Told, asks_for_time, bare, told
from ehrtui.planning.reader.lexing import lexed
from ehrtui.planning.reader.meanings import FUNCTIONS, limited, maybe, parts_of
from ehrtui.planning.reader.numbers import time_unit
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.world import World

FROM_TO = "event-to-event"
"""What a reading was paid for that tells the time from one event to another."""
_STATISTIC = re.compile(
    r"\b(?:average|avg|mean|median|longest|shortest|maximum|minimum|max|(?<!in )(?<!many )(?<!, )min|on average)\b"
)
_NAMES = {"average": "mean", "avg": "mean", "on average": "mean", "max": "maximum", "min": "minimum"}
_NAMES |= {"longest": "maximum", "shortest": "minimum"}
_USUALLY = re.compile(r"\b(?:usually|typically|normally|generally|does it take)\b")
_NTH = {"second": 2, "2nd": 2, "third": 3, "3rd": 3}
_LAST = ("last", "final", "latest", "most recent")
_IN = (
    r"(?:adm|admissions?|admit|admitted|arrival|arriving|arrived|arrives|coming|came|come|comes|hospitali[sz]ation"
    r"|hospitali[sz]ed|entering|entry|transfer|transferred|moved?|moving|getting|going|registration|registered)(?: in)?"
)
_OUT = (
    r"(?:discharged?|leaving|left|leaves?|go(?:es|ing)? home|went home|sent home|departure|departed|released?"
    r"|coming out|came out)"
)
_THE = r"(?:in|into|to|from|out of|of|at|through|on) (?:the |our |an? )?"
_UNIT = r"(?:icu|itu|intensive care(?: unit)?|critical care)"
_ED = r"(?:ed|er|emergency (?:room|department|dept)|casualty|a&e)"
_THERE = re.compile(rf"\b(?:in|at) (?:the |our )?{_ED}\b")
_FROM_IT = re.compile(r"^(?:departure|leaving|discharge)(?: from| of)?(?: it| there)?$|^(?:left|leaving) (?:it|again)$")
_TIMES = tuple(
    (re.compile(rf"^{ORDER}(?:hospital )?(?:{form})(?: door)?$"), name)
    for form, name in (
        (rf"{_OUT}(?: {_THE}hospital)?", "discharge time"),
        (rf"{_IN}(?: {_THE}hospital)?", "admission time"),
        (rf"{_UNIT} (?:{_IN}|bed|in|start)|(?:{_IN}) {_THE}{_UNIT}", "icu admission time"),
        (rf"{_UNIT} {_OUT}|{_OUT} {_THE}{_UNIT}", "icu discharge time"),
        (rf"{_ED} {_IN}|{_IN} {_THE}{_ED}", "ed arrival time"),
        (rf"{_ED} {_OUT}|{_OUT} {_THE}{_ED}", "ed departure time"),
        (r"death|died|dying|dies?|passed away|passing away", "death time"),
        (r"birth|born", "birth date"),
        (r"stay|visit|encounter", "stay"),
    )
)
_ARTICLES = re.compile(r"^(?:(?:the|an?|his|her|their|he|she|they|was|were|being|been) )+")
_NTH_STAY = re.compile(
    rf"^(?P<verb>{_OUT}|{_IN}) (?:{_THE})?(?:the |his |her |that |this )*(?P<which>(?:very )?first|second|third|last"
    r"|1st|2nd) ?(?P<what>(?:icu|hospital)?(?: ?(?:stay|admission|visit))?)$"
)
""" "Leaving the first ICU stay", "discharge from the second admission"."""
_OF_PATIENT = ("birth date", "death time")
_ALWAYS = ("admission time", "stay", *_OF_PATIENT)
"""Moments that every database with such a thing keeps."""
_IN_THE_ED = {"admission time": "ed arrival time", "discharge time": "ed departure time"}
_BEFORE_THEN = {"in", "there", "here", "with us", "lie", "stay", "wait"}
"""How long somebody "was in before…", told from the admission on."""
_BACK = re.compile(
    r"^(?:(?:next|following|subsequent) (?:hospital )?(?:admission|stay|visit)|(?:(?:first|next) )?re-?admission"
    r"|re-?admitted(?: the first time)?|(?:admitted|admission|coming in|came in|come in|comes in|in) again"
    r"|(?:coming|came|come) back(?: in| again)?|return(?:ed|ing)?(?: to (?:the )?hospital)?)$"
)
_BEGINNING, _END = re.compile(r"\b(?:start|beginning) of\b"), re.compile(r"\bend of\b")
_SAME_STAY = re.compile(r"\b(?:same|one|that|during an?|within an?|each|per) (?:hospital )?(?:admission|stay)\b")
_GIVEN = re.compile(
    r"\b(?:given|received?|receiving|started? on|on|first dose(?: of)?|last dose(?: of)?|doses?(?: of)?)\b"
)
_DEAREST = 2.6
_SAVED = -0.8
"""What it saves beside what the two events cost: both are told."""
_PASSED = 1.4
"""What each word costs that says neither of the two, nor asks."""
_LONGEST = 9
"""Words: no event is told in more."""


@dataclass(frozen=True)
class _Moment:
    """When something was: a time of a stay or of records, of the one that is picked; `again` for the next stay."""

    field: str
    of: Set | None = None
    pick: Pick | None = None
    price: float = 0.0
    again: bool = False


@dataclass(frozen=True)
class _Way:
    """How questions are read: the world that they are about, what reads a part of one, and who is named by a number in
    it: the patient or stay `named`, and, of a patient, the words for it."""

    world: World
    read: Callable[[Text], Sequence[Read]]
    named: Set | None = None
    whose: str = ""

    def first(self, question: str) -> Read | None:
        """The cheapest reading of a question, where it is likely."""
        found = self.read(words_read(question))[:1]
        return found[0] if found and found[0].price < _DEAREST else None


def event_to_event(said: Text, world: World, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The reading of a question that asks how much time lies between two events."""
    lower = re.sub(r"\s+", " ", said.lower.strip(" ?.!"))
    if not asks_for_time(lower):
        return []
    named, words = _named(said, world)
    text = (
        re.sub(rf"(?:\b(?:of|for|in|on|during|by) )?(?:the )?{re.escape(words)}(?:'s)?:?", " ", lower)
        if words
        else lower
    )
    text = re.sub(r"\s+", " ", text).strip(" :,-")
    whose = f" of {words}" if named is not None and named.unit == PATIENT else ""
    way = _Way(world, read, named, whose)
    whole = read(said)[:1]
    for each in told(text) if whole else ():
        found = _lasted(each, text, way) if each.lasted else _between(each, text, way)
        if found is None and each.lasted:
            return []
        if found is not None:
            statement, price = found
            left = set(each.left) - set(re.findall(r"\w+", f"{each.start} {each.end} {each.whom}"))
            price = max(0.0, price + _SAVED) + _PASSED * len(left)
            return [replace(whole[0], statement=statement, price=price, why=(FROM_TO,), passed=(), paid=())]
    return []


def _named(said: Text, world: World) -> tuple[Set | None, str]:
    """The patient or stay that is named by its number, and the words for it; "" where none is."""
    one = lexed(said, world)
    for node in one.nodes:
        if node.kind in ("people", "stays") and node.sense.one and isinstance(node.sense.of.where, Among):
            return node.sense.of, said.lower[one.places[node.start][0] : one.places[node.end - 1][1]]
    return None, ""


def _between(each: Told, text: str, way: _Way) -> tuple[Statement, float] | None:
    """The time between two events, and what they cost."""
    people = _people(each.whom, way)
    began = _moment(each.start, way)
    if began is None or people is None:
        return None
    if not each.end:
        found = _from_each_to_the_next(began, people, _unit(text))
        return None if found is None else (_in_numbers(*found, people, text), began.price)
    ended = _moment(each.end, way)
    if ended is None or (ended.of is not None and replace(ended, price=began.price) == began):
        return None
    if (began.field == "ed arrival time" and _FROM_IT.match(each.end)) or _is_there(text, each, way.world):
        began, ended = (replace(one, field=_IN_THE_ED.get(one.field, one.field)) for one in (began, ended))
    if began.field == "stay":
        began = replace(began, field="admission time" if _BEGINNING.search(each.start) else "discharge time")
    if ended.field == "stay":
        ended = replace(ended, field="discharge time" if _END.search(each.end) else "admission time")
    if began.field == "icu discharge time" and ended.field == "admission time" and "admi" not in each.end:
        ended = replace(ended, field="icu admission time")  # "and going into the second"
    unit = _unit(text)
    by_stay = people.unit in UNITS[1:] or _SAME_STAY.search(text) is not None
    lies = _of_stays(began, ended, people, unit, way.world, by_stay) or _of_patients(began, ended, people, unit)
    return None if lies is None else (_in_numbers(*lies, people, text), began.price + ended.price)


def _lasted(each: Told, text: str, way: _Way) -> tuple[Statement, float] | None:
    """From the beginning of something to its end: how long it lasted."""
    function = _function(text)
    apart = " by patient" if re.search(r"\b(?:each|every|per) (?:patient|person|of them)\b", text) else ""
    unit = SPAN.search(text)
    found = way.first(
        f"{function or 'mean'} duration of {each.start}{way.whose}{f' in {unit.group()}' if unit else ''}"
    )
    match found.statement if found else None:
        case Single(columns=(Aggregate(of=Set() as of, measure=Interval() as length),)) if (
            found and of.unit not in UNITS
        ):
            if function and not apart:
                return found.statement, found.price
            return Rows(of, (length,) if way.whose else (Own(PATIENT), length)), found.price
    return None


def _moment(event: str, way: _Way) -> _Moment | None:
    """When an event that is told so was, of one patient or of anyone; None where it is none."""
    words, named, name = bare(event)
    if (turned := _NTH_STAY.match(_ARTICLES.sub("", words))) is not None:
        named = f"{turned['which']} {'icu ' * ('icu' in turned['what'])}{turned['verb']}"
    if re.fullmatch(rf"(?:{_ED} {_IN}|{_IN} {_THE}{_ED})(?: door)?", name) and not way.world.knows("ed arrival time"):
        name = "emergency department"
    if not name or len(name.split()) > _LONGEST or re.fullmatch(r"[\d\s.,:/-]+|now|today|passed|elapsed|gone", name):
        return None
    if name in _BEFORE_THEN:
        return _Moment("admission time")
    once = Pick() if "the first time" in event else None
    for said in dict.fromkeys((named, words, name)):
        if _BACK.match(said):
            return _Moment("admission time", again=True)
        for form, field in _TIMES:
            match = form.match(said)
            if match is not None and (field in _ALWAYS or way.world.knows(field)):
                return _Moment(field, pick=_pick(match["nth"]) or once)
    return _of_records(name, bool(_GIVEN.search(event)), way)


def _is_there(text: str, each: Told, world: World) -> bool:
    """ "Time in A&E from registration to leaving": both are told of the emergency department."""
    if not world.knows("ed departure time") or re.search(rf"\bhospital\b|\b{_ED}\b", f"{each.start} {each.end}"):
        return False
    return _THERE.search(text) is not None


def _pick(nth: str | None) -> Pick | None:
    if nth is None:
        return None
    return Pick(descending=True) if nth in _LAST else Pick(_NTH.get(nth, 1))


def _of_records(name: str, given: bool, way: _Way) -> _Moment | None:
    """When records of that name were: as if it were asked when the first of them was."""
    nth = re.match(ORDER, name)
    order = (nth["nth"] if nth else None) or "first"
    rest = _GIVEN.sub("", name[nth.end() :] if nth else name).strip()
    questions = [f"when was {rest} {order} given{way.whose}" if given else f"when was the {order} {rest}{way.whose}"]
    questions += [f"when was the {order} transfer to the {rest}{way.whose}"] * (not given)
    for found in filter(None, map(way.first, questions)):
        match found.statement:
            case Rows(of=of, columns=columns) if columns and columns[-1] == Own("time"):
                pass
            case Single(columns=(Aggregate(of=Set() as of, measure=Own("time")),)):
                pass
            case _:
                continue
        if of.unit in UNITS:
            continue
        where = [part for part in parts_of(of.where) if not (isinstance(part, Of) and part.of.unit == PATIENT)]
        return _Moment("time", replace(of, where=maybe(where), pick=None), _pick(nth and nth["nth"]), found.price)
    return None


def _people(whom: str, way: _Way) -> Set | None:
    """Whose time it is: one patient or stay, those that are told of, or all; None where they cannot be read, or both
    are said."""
    if way.named is not None or not whom:
        return None if whom else way.named or Set(PATIENT)
    found = way.first(f"list {re.sub(r'^(?:all |the |our )*those', 'patients', whom)}")
    sets = [node for node in walk(found.statement) if isinstance(node, Set)] if found else []
    return replace(sets[0], pick=None) if sets and sets[0].unit in UNITS else None


def _function(text: str) -> str:
    """The number over all that is asked for, by its name in the lexicon; "" for the time of each."""
    said = _STATISTIC.search(text)
    if said is not None:
        return _NAMES.get(said.group(), said.group())
    return "mean" if _USUALLY.search(text) else ""


def _in_numbers(of: Set, measure: Measure, people: Set, text: str) -> Statement:
    """The time of one, of each, or one number over all."""
    if function := _function(text):
        return Single((Aggregate(FUNCTIONS[function][0], of, measure),))
    if any(isinstance(node, Among) for node in walk(people)):
        return Rows(of, (measure,))
    return Rows(of, (Own("id") if of.unit == PATIENT else Own(PATIENT), measure))


def _from_each_to_the_next(one: _Moment, people: Set, unit: TimeUnit) -> tuple[Set, Measure] | None:
    """From each of several records of a kind to the next one of the same patient."""
    if one.of is None:
        return None
    of = limited(one.of, *([Of(people)] if people.where is not None else []))
    return of, Interval(unit, Neighbour("previous", Own("time")), Own("time"))


def _of_stays(
    start: _Moment, end: _Moment, people: Set, unit: TimeUnit, world: World, by_stay: bool
) -> tuple[Set, Measure] | None:
    """The time within one stay: from its own moments, or from records during it, to another; and that from one stay to
    the next."""
    own = [one for one in (start, end) if one.of is None and not one.again]
    names = [one.field for one in own]
    if set(names) & {*_OF_PATIENT} or (start.of is None and start.pick is not None) or not (own or by_stay):
        return None
    of_icu = [one for one in own if one.field.startswith("icu")]
    # The first of several ICU stays is one of the hospital stay, and so is the ward that lies before it.
    within = [one for one in of_icu if one.pick is not None or (one.field == "icu admission time" and start.of)]
    kind = people.unit if people.unit in UNITS[1:] else ICU if of_icu and not within else HOSPITAL
    if not world.has_stays(kind) or any(one.pick is not None for one in own if one not in of_icu):
        return None
    if start.of is not None and end.of is None and end.field in ("admission time", "ed arrival time"):
        return None
    stays = people if people.unit == kind else limited(Set(kind), *_told_of(people, kind))
    if end.again:
        left = "icu discharge time" if kind == ICU else "discharge time"
        if start.field != left:
            return None
        return stays, Interval(unit, Neighbour("previous", Own(left)), Own(left.replace("discharge", "admission")))
    had = [Has(one.of) for one in (start, end) if one.of is not None] + [Has(Set(ICU))] * bool(within)
    return limited(stays, *dict.fromkeys(had)), Interval(unit, *(_within(one, one in within) for one in (start, end)))


def _told_of(people: Set, kind: str) -> list[Condition]:
    """What is said of people as a condition on their stays: of those with a stay of some kind, on that very stay."""
    parts = parts_of(people.where)
    stays = [part.of for part in parts if isinstance(part, Has) and part.of.unit == HOSPITAL and part.times is None]
    if people.unit != PATIENT or not stays or len(stays) < len(parts) or any(one.pick for one in stays):
        return [Of(people)] if people.where is not None else []
    if kind == HOSPITAL:
        return [part for one in stays for part in parts_of(one.where)]
    return [Of(one) for one in stays]


def _within(one: _Moment, of_several: bool) -> Measure:
    """A moment as a measure of the stay that it is in."""
    if one.of is not None:
        return Picked(Own("time"), replace(one.of, pick=one.pick or Pick()))
    return Picked(Own(one.field), Set(ICU, pick=one.pick or Pick())) if of_several else Own(one.field)


def _of_patients(start: _Moment, end: _Moment, people: Set, unit: TimeUnit) -> tuple[Set, Measure] | None:
    """The time from one of a patient's events to another, the first such one since then where none is said."""
    if people.unit != PATIENT:
        return None
    if any(one.field.startswith("ed ") for one in (start, end) if one.of is None):
        return None
    first = _of_patient(start, start.pick or Pick())
    if end.again:
        nth = start.pick.nth + 1 if start.pick and not start.pick.descending else 2
        last: Measure = Picked(Own("admission time"), Set(HOSPITAL, pick=Pick(nth)))
    elif end.of is not None and end.pick is None and start.field not in _OF_PATIENT:
        since = Near(Relation("after"), first)
        last = Picked(Own("time"), replace(limited(end.of, since), pick=Pick()))
    else:
        last = _of_patient(end, end.pick or Pick())
    had = [Has(one.of) for one in (start, end) if one.of is not None]
    had += [Has(Set("death"))] * (end.field == "death time")
    return limited(people, *([] if people.where is not None else dict.fromkeys(had))), Interval(unit, first, last)


def _of_patient(one: _Moment, pick: Pick) -> Measure:
    """A moment as a measure of the patient."""
    if one.of is None and one.field in _OF_PATIENT:
        return Own(one.field)
    return Picked(Own(one.field), replace(one.of or Set(ICU if one.field.startswith("icu") else HOSPITAL), pick=pick))


def _unit(text: str) -> TimeUnit:
    """The unit of time that is asked for, days where none is."""
    return next((unit for found in SPAN.finditer(text) if (unit := time_unit(found.group())) is not None), "day")
