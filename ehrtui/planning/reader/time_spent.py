"""How long people are in a place: "how long do patients usually stay in the ICU", "mean hours spent in the CCU",
"longest MICU stay". A care unit is where ICU stays began; their lengths are what is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Aggregate,
    Groups,
    Interval,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.care_units import FIRST_UNIT
from ehrtui.planning.reader.meanings import limited
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of

SPENT = "spent"
"""What a reading was paid for that tells how long people were in a place."""
_MEAN = r"(?P<function>average|mean|median|typical|usual|longest|shortest|maximum|minimum|max|min)"
_TIME = r"(?:time|hours|days|nights|number of (?:days|hours|nights))"
_BE = r"(?:stay|stayed|spend|spent|remain|remained|lie|lay|be|kept|stuck|held|sit|sat|wait|waited|waiting|hang around)"
_IN = r"(?:in|on|at) (?:(?:the|an?) )?(?P<rest>.+)$"
_ASKS = r"how (?:long|much time|many (?P<unit>hours|days|nights)) (?:do|does|did|are|were)"
_PEOPLE = rf"(?P<people>(?:(?!\b{_BE}\b)[^,;:?])+?)"
_USUALLY = r"(?:(?:usually|typically|normally|generally|on average|tend to) )?"
_LENGTH = r"(?:(?:length|duration)s? (?:of )?)?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"\b(?:for )?{_ASKS} {_PEOPLE} {_USUALLY}{_BE} (?:for )?{_IN}",
        rf"\b{_MEAN} (?P<unit>{_TIME})(?: (?:spent|stayed|passed))? {_IN}",
        rf"\b{_MEAN} (?P<unit>{_TIME}) (?:that )?{_PEOPLE} {_USUALLY}{_BE} {_IN}",
        rf"\b(?P<unit>{_TIME}) (?:spent|stayed) {_IN}",
        rf"\b{_MEAN} {_LENGTH}(?:stays?|los) {_IN}",
        rf"\b{_MEAN} {_LENGTH}(?:(?:the|an?) )?(?P<rest>\S+ (?:stays?|los|time|stay time)\b.*)$",
    )
)
_OPENS = re.compile(
    r"^\W*(?:(?:please|and|so|ok|typically|usually|on average|roughly|tell me|show me|give me|i need|i want"
    r"|what is|what was|what's|whats|the|show|list|give"
    r"|(?:can|could) you(?: please)? (?:tell me|give me|show me))\s+)*$"
)
"""What may stand before the words that ask."""
_ONE_PERSON = re.compile(
    r"^(?:he|she|they|it|this|that|those|these|his|her)\b|\b(?:patient|pt|subject)\s+\S*\d|\bpatient's\b"
)
_COURSE = re.compile(
    r"^\W*(?:(?:for|on average,?)\s+)?how long (?:are|were|did|do) (?P<people>[a-z ]+?) "
    r"(?:(?:usually|typically|on average) )?(?:on|take|given|get|receive|kept on|stay on) (?P<course>[^,;:?]+?)"
    r"[\s?.!]*$"
)
_TIME_ON = re.compile(
    r"^\W*(?:what (?:is|was) )?(?:the )?(?P<function>average|mean|median|typical) (?:length of )?(?:time|duration)"
    r"(?: (?:patients|people|persons|they|we) (?:are|were|stay|stayed|spend|spent))?(?: spent)? on "
    r"(?P<course>[^,;:?]+?)[\s?.!]*$"
)
_RESOLVED = re.compile(
    r"^\W*(?:on average,? )?how long (?:does|did) it take(?: on average)?,? (?:until|till|for|before) "
    r"(?P<course>[^,;:?]+?) (?:is|was|are|were|has|had|to|have)(?: been| be)? "
    r"(?:resolved?|over|gone|end(?:ed)?|cured?|heal(?:ed)?|settled?)"
    r"(?:,? on average)?[\s?.!]*$"
)
_DONE = re.compile(
    r"^\W*(?:(?:for|on average,?)\s+)?how long (?:are|were|is|was) (?P<people>[a-z ]+?) "
    r"(?:(?:usually|typically|on average|being|kept) )*(?P<course>(?!admitted|hospitali|kept|observed)[a-z]+ed)\b"
    r"(?: for)?(?: on average)?(?:,? \(?(?:in )?(?P<unit>hours|days|minutes)\)?)?[\s?.!]*$"
)
_TAKES = re.compile(
    r"^\W*(?:(?:for|on average,?|roughly|about)\s+)?how (?:long|many (?P<asked>hours|days|minutes)) (?:does|do|did) "
    r"(?P<course>(?!(?:he|she|they|it|we|you|i|people|patients?|folks)\b)[^,;:?]+?) "
    r"(?:(?:usually|typically|on average|normally|generally) )?(?:take|last|run|go on|persist|linger|hang around|sit"
    r"|stay|remain)(?: in place| in situ| in| there)?(?: for)?(?:,? (?:on average|typically|usually))?"
    r"(?: here| with us)?"
    r"(?:,? \(?(?P<function>mean|median|average)\)?)?(?:,? \(?(?:in )?(?P<unit>hours|days|minutes)\)?)?[\s?.!]*$"
)
_UNIT_BEHIND = re.compile(r",? \(?in (?P<unit>hours|days)\)?$")
_ANYBODY = re.compile(
    r"(?:an?|the|each|every|our|most)? ?(?:typical |average )?(?:patients?|pts?|people|folks|persons?|someone|they|we"
    r"|you)"
)
_AVERAGED = re.compile(r"\s*,?\s*\b(?:on average|roughly|typically|usually|normally|generally|as a rule)\b")
_HOSPITAL = re.compile(r"^(?:our |this |the )?hospital\b(?: stays?\b| los\b)?(?: time\b)?")
_ICU = re.compile(r"^(?:icu|itu|intensive care(?: unit)?|critical care)\b(?: stays?\b| los\b)?(?: time\b)?")
_EXTREME = ("longest", "shortest")
_SAVED = -0.9
"""What it saves that a length in a place is asked for, and told."""
_DEAREST = 2.2
_LONGEST_NAME = 6
"""Words: no name of a care unit that people write is longer."""


def asked_so(text: Text, forms: Iterable[re.Pattern[str]]) -> Iterator[dict[str, Any]]:
    """What the forms of a question that fit a text find in it, by their names, in the order of the forms; only where
    nothing but a request stands before."""
    lower = re.sub(r"\s+", " ", text.lower.strip(" ?.!"))
    for form in forms:
        match = form.search(lower)
        if match is not None and _OPENS.match(lower[: match.start()]):
            yield match.groupdict()


def time_spent(text: Text, world: World, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question that asks how long people are in a place, the cheapest first; `read` reads the same
    question of the lengths of stays."""
    found: list[Read] = []
    for said in asked_so(text, _FORMS):
        people = (said.get("people") or "").strip()
        if _ONE_PERSON.search(f"{people} {said['rest']}"):
            continue
        found += _on_a_ward(said, people, world, read)
        for stay, unit, rest in _places(said["rest"], world):
            function = said.get("function") or "average"
            figure = f"{function} {stay}" if function in _EXTREME else f"{function} length of {stay}"
            whose = f" of {_plural(people)}" if people else ""
            asked = " in hours" if "hours" in (said.get("unit") or "") else ""
            question = f"{figure}{whose}{asked}{_AVERAGED.sub('', rest)}"
            found += [
                replace(one, statement=meant, price=one.price + _SAVED, why=(*one.why, SPENT))
                for one in read(words_read(question))[:1]
                if one.price < _DEAREST and (meant := _within(one.statement, stay, unit)) is not None
            ]
        break
    return sorted(found, key=lambda one: one.price)


def _on_a_ward(
    said: dict[str, Any], people: str, world: World, read: Callable[[Text], Sequence[Read]]
) -> Iterator[Read]:
    """The readings of how long people are on a ward that is none of the ICU's: how long its own records lasted."""
    where = _AVERAGED.sub("", said["rest"])
    behind = _UNIT_BEHIND.search(where)
    unit = behind["unit"] if behind else "hours" if "hours" in (said.get("unit") or "") else ""
    function = said.get("function") or "average"
    question = f"{function} length of stay on {_UNIT_BEHIND.sub('', where)}{f' in {unit}' if unit else ''}"
    for one in read(words_read(question))[:1] if _ANYBODY.fullmatch(people) or not people else ():
        match one.statement:
            case Single(columns=(Aggregate(of=Set(unit=kind), measure=Interval()),)) if kind_of(kind).place:
                if one.price < _DEAREST:
                    yield replace(one, price=one.price + _SAVED, why=(*one.why, SPENT))


def on_a_course(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of "how long were patients on warfarin", "mean time on warfarin" and "how long are they ventilated":
    how long the records of it lasted, the cheapest first."""
    forms = (_RESOLVED, _DONE, _TAKES, _COURSE, _TIME_ON)
    said = next(filter(None, (form.match(text.lower) for form in forms)), None)
    if said is None:
        return []
    meant = said.groupdict()
    if "people" in meant and (_ONE_PERSON.search(said["people"]) or not _ANYBODY.fullmatch(said["people"])):
        return []
    of_drugs = said.re in (_COURSE, _TIME_ON)
    course = _AVERAGED.sub("", said["course"])
    noun = re.sub(r"ated$", "ation", course)
    function = meant.get("function") or "average"
    question = f"{function} duration of {course} prescriptions" if of_drugs else f"{function} duration of {noun}"
    if unit := meant.get("unit") or meant.get("asked"):
        question += f" in {unit}"
    return [
        replace(one, price=one.price + _SAVED, why=(*one.why, SPENT))
        for one in read(words_read(question))[:1]
        if isinstance(one.statement, Single) and isinstance(one.statement.columns[0], Aggregate)
        if isinstance(one.statement.columns[0].measure, Interval) or one.statement.columns[0].measure == Own("duration")
    ]


def _plural(people: str) -> str:
    """Whom an average is of: "a patient", "the typical patient" are all."""
    return "patients" if _ANYBODY.fullmatch(people) else people


def _places(rest: str, world: World) -> Iterator[tuple[str, str, str]]:
    """The kind of stay that a place is one of, the care unit that it names, and what is said behind it."""
    if (hospital := _HOSPITAL.match(rest)) is not None:
        yield "hospital stay", "", rest[hospital.end() :]
    elif (icu := _ICU.match(rest)) is not None:
        yield "icu stay", "", rest[icu.end() :]
    else:
        words = rest.split()
        for count in range(min(len(words), _LONGEST_NAME), 0, -1):
            name = re.sub(r" (?:stays?|los)$", "", " ".join(words[:count]))
            if (unit := _care_unit(name, world)) is not None:
                tail = " ".join(words[count:])
                yield "icu stay", unit, f" {re.sub(r'^(?:stays?|los) ?', '', tail)}".rstrip()
                return


def _care_unit(name: str, world: World) -> str | None:
    """The stored care unit that a name means, and nothing but that."""
    units = {stored for _, stored, _ in world.stored.get("first care unit", ())}
    for one in world.link(name):
        if one.start == 0 and one.end == len(name):
            meant = [candidate.label for candidate in one.candidates if candidate.label in units]
            if meant:
                return meant[0]
    return None


def _within(statement: Statement, stay: str, unit: str) -> Statement | None:
    """The statement of stays of that kind, in a care unit where one is named; None where it tells nothing of them."""
    limit = (Test(FIRST_UNIT, "=", Value(unit)),) if unit else ()
    kind = ICU if stay == "icu stay" else HOSPITAL
    match statement:
        case Single(columns=(Aggregate(of=Set(unit=of)) as number,)) if of == kind and isinstance(number.of, Set):
            return Single((replace(number, of=limited(number.of, *limit)),))
        case Groups(of=Set(unit=of)) | Rows(of=Set(unit=of)) if of == kind:
            return replace(statement, of=limited(statement.of, *limit))
    return None
