"""What is new in people: "new users of warfarin", "newly diagnosed with asthma", "incident strokes": the first record
of it that each ever had, whenever that was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.algebra.model import UNITS, Has, Is, Neighbour, Own, Set
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Event, People, limited, parts_of
from ehrtui.schema.kinds import kind_of

_VERBS = {
    *("diagnosed", "prescribed", "started", "initiated", "put", "given", "recorded", "exposed", "having", "onset"),
    *("users", "user", "cases", "case", "diagnoses", "diagnosis", "prescriptions"),
    *("on", "with", "as", "a", "of", "the", "to"),
}


@rule("incident", "event")
def _new_records(context: Context, new: Node, event: Node) -> Iterator[Made]:
    """ "New diagnoses of asthma", "newly prescribed warfarin"."""
    one: Event = event.sense
    if one.others or not (found := _first(one.role, one.of)) or not set(context.between(new, event)) <= _VERBS:
        return
    yield Made("event", replace(one, of=found), -0.1, "incident")


@rule("incident", "people")
def _new_people(context: Context, new: Node, people: Node) -> Iterator[Made]:
    """ "New users of warfarin", "new cases of asthma in 2019"."""
    who: People = people.sense
    if context.between(new, people) or who.one or who.pointed:
        return
    parts = list(parts_of(who.of.where))
    had = [at for at, part in enumerate(parts) if isinstance(part, Has) and part.times is None and part.of.items]
    if len(had) != 1 or not isinstance(has := parts[had[0]], Has):
        return
    if found := _first(has.of.unit.replace(" ", "_"), has.of):
        parts[had[0]] = replace(has, of=found)
        yield Made("people", replace(who, of=limited(replace(who.of, where=None), *parts)), -0.1, "incident")


def _first(role: str, of: Set) -> Set | None:
    """The first of such records that each patient ever had, of those that are said; None for none that are named, and
    for what is measured again and again."""
    if of.unit in UNITS or not of.items or of.pick is not None or kind_of(role).measured:
        return None
    return limited(of, Is(Neighbour("previous", Own("time")), "missing"))
