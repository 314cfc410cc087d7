"""Attributes that are not there, or are: "measurements without a value", "patients of unknown race", "with no
provider"; "stays with a discharge time", "a time of death on record"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.logic.algebra.model import Is, Own
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import Trait, bearers_of
from ehrtui.planning.reader.world import World

_LACKING = {"without", "no", "missing", "lacking", "lack", "lacks", "unknown", "unrecorded", "undocumented", "null",
            "blank", "empty", "absent", "unspecified"}  # fmt: skip
_BETWEEN = {"a", "an", "any", "the", "known", "recorded", "documented", "stored", "given", "of", "their", "its"}
_BEING = {"is", "was", "are", "were", "has", "have", "been", "being"}
_NOT = {"not", "never", "n't"}
_KEPT = {"known", "recorded", "documented", "given", "stored", "entered", "filled", "available", "specified", "noted"}
_HAVING = {"with", "have", "has", "had", "having"}
_ANY = {"a", "an", "any", "some"}
_ON_FILE = {("on", "file"), ("on", "record"), ("in", "the", "record"), ("on", "the", "record")}
_OF_TIME = {"time", "end time", "length", "id", "patient", "name"}
"""What all rows have, or what other words say of times."""
_STAYS = {"stay", "stays", "admission", "admissions", "visit", "visits", "hospitalizations", "hospitalisations"}
_GOING_ON = {"and", "but", "by", "per", "in", "during", "after", "before"}
_SAID = -0.6
"""What it saves that the words can hardly mean anything else."""


def find_missing(words: Sequence[str], fields: Sequence[tuple[int, int, str]], world: World) -> Iterator[Node]:
    """The attributes, which are named at (start, end, attribute), that are said not to be there."""
    for start, end, field in fields:
        if field in _OF_TIME:
            continue
        first, stop = _lacking_before(words, start), _lacking_behind(words, end)
        if first == start and stop == end:
            yield from _present(words, (start, end, field), world)
            continue
        if any(field == kept for _, kept, _ in world.called.get(tuple(words[first:end]), ())):
            continue  # "no insurance": a value that is stored
        for name, role in world.profile.roles.items():
            if field in role.fields or (field == "value" and role.value):
                trait = Trait(Is(Own(field), "missing"), bearers_of(name), field=field, role=name)
                yield Node("trait", trait, first, stop if first == start else end, _SAID, ("missing",))


def _present(words: Sequence[str], named: tuple[int, int, str], world: World) -> Iterator[Node]:
    """ "Stays with an ED arrival time": those for which one is kept, where nothing is said of what it is."""
    start, end, field = named
    if field.startswith("death") and not _STAYS.isdisjoint(words):
        return  # of that stay, and not of the patient: whoever died in it
    at = start - 1
    while at > 0 and words[at] in _KEPT:
        at -= 1
    if at < 1 or words[at] not in _ANY or words[at - 1] not in _HAVING:
        return
    stop = end
    while stop < len(words) and words[stop] in _KEPT | {"been"}:
        stop += 1
    filed = next((len(one) for one in _ON_FILE if tuple(words[stop : stop + len(one)]) == one), 0)
    stop += filed
    if stop < len(words) and words[stop][0].isalnum() and words[stop] not in _GOING_ON:
        return
    for name, role in world.profile.roles.items():
        if field in role.fields:
            trait = Trait(Is(Own(field), "present"), bearers_of(name), field=field, role=name)
            yield Node("trait", trait, at - 1, stop, _SAID, ("present",))


def _lacking_before(words: Sequence[str], start: int) -> int:
    """Where the words begin that say so before an attribute, which begins at `start`; `start` where none do."""
    at = start - 1
    while at > 0 and words[at] in _BETWEEN:
        at -= 1
    return at if at >= 0 and words[at] in _LACKING else start


def _lacking_behind(words: Sequence[str], end: int) -> int:
    """Where the words end that say so behind an attribute, which ends at `end`; `end` where none do."""
    at = end
    while at < len(words) and words[at] in _BEING:
        at += 1
    if words[at : at + 1] and words[at] in _LACKING - {"without", "no"}:
        return at + 1
    return at + 2 if words[at : at + 1] and words[at] in _NOT and {*words[at + 1 : at + 2]} & _KEPT else end
