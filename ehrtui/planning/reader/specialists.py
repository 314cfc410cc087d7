"""Those who practise a specialty, by what they are called: "cardiologists", "an orthopedic surgeon"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from ehrtui.logic.algebra.model import Among, Own, Set, Test, Value
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.linked_names import valued
from ehrtui.planning.reader.meanings import Event, unit_of
from ehrtui.planning.reader.world import World
from ehrtui.schema.columns import plural

Stored = tuple[str, str, tuple[str, ...]]
"""A stored value: its role, the value, and its words."""

_FIELD = "specialty"
_ENDINGS = (
    *(("iatrics", "iatrician"), ("iatry", "iatrist"), ("etrics", "etrician"), ("ology", "ologist")),
    *(("surgery", "surgeon"), ("practice", "practitioner"), ("therapy", "therapist"), ("ometry", "ometrist")),
    *(("opathy", "opath"), ("dentistry", "dentist"), ("internal medicine", "internist"), ("midwifery", "midwife")),
)
"""How the name of a specialty ends, and how that of one who practises it."""
_SHORT = {"general practice": ("gp", "family doctor"), "family practice": ("family doctor", "gp")}
_SAID = -0.2
"""What it saves that somebody is called by a specialty that is stored."""
_LONGEST = 3
_JOBS = ("role", "job", "job title", "profession", "staff role", "staff type", "position", "occupation", "grade")
"""Attributes of a register of the staff that say what somebody is."""
_LONGER = 0.1
"""What each further word of that saves."""


def find_specialists(words: Sequence[str], world: World) -> Iterator[Node]:
    """The words for those who practise a stored specialty: doctors of a register, and whose visits they were."""
    yield from _at_work(words, world)
    called = _by_name(tuple(world.stored.get(_FIELD, ())))
    if not called:
        return
    for start in range(len(words)):
        for stop in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            for role, value in called.get(tuple(words[start:stop]), ()):
                if world.profile.role(role).is_register:
                    of = Set(unit_of(role), (), Test(Own(_FIELD), "=", Value(value)))
                    yield Node("event", Event(role, of, noun=True), start, stop, _SAID, ("value",))
                else:
                    yield Node("trait", valued(role, _FIELD, (value,)), start, stop, _SAID, ("value",))


def _at_work(words: Sequence[str], world: World) -> Iterator[Node]:
    """The words for members of the staff by what they are: "nurses", where "Registered nurse" is stored as a role."""
    for field in _JOBS:
        for (role, form), held in _by_job(tuple(world.stored.get(field, ()))).items():
            for start in range(len(words) - len(form) + 1):
                if tuple(words[start : start + len(form)]) == form and world.profile.role(role).is_register:
                    own = Own(field)
                    test = Test(own, "=", Value(held[0])) if len(held) == 1 else Among(own, held)
                    event = Event(role, Set(unit_of(role), (), test), noun=True)
                    yield Node("event", event, start, start + len(form), _SAID - _LONGER * (len(form) - 1))


@lru_cache(maxsize=16)
def _by_job(stored: tuple[Stored, ...]) -> Mapping[tuple[str, tuple[str, ...]], tuple[str, ...]]:
    """The values by the role and by what several such are called, with all the words of the value or its last one."""
    called: dict[tuple[str, tuple[str, ...]], dict[str, None]] = {}
    for role, value, said in stored:
        if said and said[-1].isalpha():
            for form in dict.fromkeys((said, said[-1:])):
                called.setdefault((role, (*form[:-1], plural(form[-1]))), {})[value] = None
    return {key: tuple(values) for key, values in called.items()}


@lru_cache(maxsize=4)
def _by_name(stored: tuple[Stored, ...]) -> Mapping[tuple[str, ...], list[tuple[str, str]]]:
    """The roles and the specialties that are stored by what those are called who practise them, one or several."""
    called: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for role, value, _ in stored:
        for name in called_by(value):
            for form in (name, f"{name}s"):
                called.setdefault(tuple(form.split(" ")), []).append((role, value))
    return called


def called_by(value: str) -> Iterator[str]:
    """What those are called who practise a specialty, in lower case and the singular: "cardiologist"."""
    lower = value.lower()
    yield from _SHORT.get(lower, ())
    for part in (lower, *(lower.split("/") if "/" in lower else ())):
        yield from (part.removesuffix(end) + one for end, one in _ENDINGS if part.strip().endswith(end))
