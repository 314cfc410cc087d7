"""Questions that lean on earlier ones: "A2", "those patients", "only the last one", "and for patient 123?".

A follow-up becomes a reference (the logic names the earlier turn) or an edit of the earlier turn's own logic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from ehrtui.logic.model import Aggregate, Count, Exists, Field, Has, Logic, Patients, Query, Rows, Source
from ehrtui.logic.steps import EarlierTurn
from ehrtui.planning.offline.parts import Event, Parts, which
from ehrtui.schema.profile import Profile

_OF_TURN = re.compile(r"^\s*(?:listed\s+|named\s+|found\s+|shown\s+)?(?:in|of|from)\s+(?:the\s+)?$")
_LEANS = re.compile(
    r"^\W*(?:(?:what|how) about|and|now|only|just|but|(?:the )?same|instead|also|again|for|in|since|until|during"
    r"|(?:the )?(?:first|last|second))\b|\b(?:only|just) the\b|\binstead\W*$"
)


def resolved(parts: Parts, turns: Mapping[int, EarlierTurn]) -> Parts:
    """The parts with "the previous answer", "those patients" and "her" replaced by what they point at."""
    if not turns:
        return parts
    latest = max(turns)
    if parts.turn == 0:
        return replace(parts, turn=latest)
    if parts.ids or parts.turn is not None:
        return parts
    if any("that_patient" in which(mark, "people") for mark in parts.marks):
        known = [turns[n].logic for n in sorted(turns, reverse=True)]
        ids = next((logic.patients.ids for logic in known if isinstance(logic, Query) and logic.patients.ids), ())
        return replace(parts, ids=ids)
    if any("those_patients" in which(mark, "people") for mark in parts.marks):
        behind = (n for n in sorted(turns, reverse=True) if isinstance(turns[n].logic, Query))
        return replace(parts, turn=next(behind, latest))
    return parts


def revised(parts: Parts, turns: Mapping[int, EarlierTurn]) -> tuple[Logic, int] | None:
    """The logic of an earlier turn with what this question changes in it, and that turn's number; None for a question
    that stands on its own."""
    if not turns:
        return None
    number = parts.turn if parts.turn is not None else max(turns)
    if number not in turns:
        return None
    earlier = turns[number].logic
    named = [event for event in parts.events if event.names]
    own = bool(parts.events or parts.fields or (parts.people is not None and parts.turn is None))
    if "count" in parts.wants and (parts.sex or parts.age):
        return None
    if parts.turn is not None and not own:
        if "count" in parts.wants:
            return Rows(number, count=True), number
        changed = _changed(parts, earlier, None)
        if changed is not None:
            return changed, number
        return Rows(number, parts.ordinal), number
    if not _LEANS.search(parts.text.lower):
        return None
    if parts.turn is None and not own and not {"count", "times"} & parts.wants:
        changed = _changed(parts, earlier, None)
        return (changed, number) if changed is not None else None
    if parts.turn is None and named and len(parts.events) == 1 and not parts.fields:
        changed = _changed(parts, earlier, named[0])
        return (changed, number) if changed is not None else None
    return None


def items_of_turn(parts: Parts, turns: Mapping[int, EarlierTurn], profile: Profile) -> Source | None:
    """ "The drugs in A1": records whose items are those that an earlier answer lists."""
    if parts.turn is None or parts.turn not in turns:
        return None
    logic = turns[parts.turn].logic
    if not (isinstance(logic, Query) and logic.want == Field("name")):
        return None
    turn_mark = next((mark for mark in parts.marks if mark.kind == "turn"), None)
    for event in parts.events:
        same_kind = not event.names and logic.source.role in event.roles
        if same_kind and (turn_mark is None or _OF_TURN.match(parts.text.lower[event.end : turn_mark.start])):
            return Source(logic.source.role, turn=parts.turn)
    return None


def _changed(parts: Parts, earlier: Logic | None, event: Event | None) -> Logic | None:
    """The earlier logic with this question's patients, items, times and ordinal in place of its own."""
    if not isinstance(earlier, Query):
        return None
    query = earlier
    if event is not None:
        names = dict(event.names)
        role = query.source.role if query.source.role in names else event.roles[0]
        query = _with_source(query, Source(role, names[role]))
    if parts.ids:
        query = replace(query, patients=Patients(ids=parts.ids))
    if parts.sex:
        query = replace(query, patients=replace(query.patients, ids=(), sex=parts.sex))
    if parts.age:
        query = replace(query, patients=replace(query.patients, ids=(), age=parts.age))
    windows = tuple(mark.value for mark in parts.windows)
    if windows:
        query = _in_conditions(query, lambda has: replace(has, windows=windows)) or replace(query, windows=windows)
    if parts.stay:
        stay = parts.stay
        query = _in_conditions(query, lambda has: replace(has, during=stay)) or replace(query, during=stay)
    if parts.ordinal is not None and query.source.role != "patient":
        want = query.want
        if isinstance(want, Count | Exists | Aggregate):
            want = Field("name" if not query.source.names else "time")
        query = replace(query, want=want, ordinal=parts.ordinal)
    return None if query == earlier and event is None else query


def _with_source(query: Query, source: Source) -> Query:
    if query.source.role != "patient":
        return replace(query, source=source)
    return _in_conditions(query, lambda has: replace(has, source=source)) or query


def _in_conditions(query: Query, change: Callable[[Has], Has]) -> Query | None:
    """The query with its only condition changed; None where it has none, or several."""
    if query.source.role != "patient" or len(query.patients.conditions) != 1:
        return None
    return replace(query, patients=replace(query.patients, conditions=(change(query.patients.conditions[0]),)))
