"""A figure of some set against the same figure of others, of whom only what differs is said: "mean stay in the MICU
compared with the SICU", "mortality of those on heparin versus warfarin"."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace

from ehrtui.logic.algebra.model import Aggregate, Among, Item, Set, Single, Value
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.comparing import COMPARED, figure_of
from ehrtui.planning.reader.reader import Read

_AGAINST = re.compile(r"\s*,?\s(?:(?:as|when)\s+)?(?:compared\s+(?:with|to)|versus|vs\.?|against)\s+")
_ITS_OWN = re.compile(r"^(?:that|the same)\s+(?:of|for|in|among)\s+")
_THOSE = re.compile(r"^(?:those|the ones|ones)\s+")
_BOUNDARY = re.compile(r"\s(?:of|for|in|among|to|on|with|by|at|from|given|on the|in the|to the)\s+")
_SAVED = -0.9
"""What it saves that the words set one figure against the other."""
_DEAREST = 2.6
"""Prices of the two sides, together: what costs more is not understood."""


def set_against(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The reading of a figure of two sets of one kind; `read` reads each of them as a question of its own."""
    sides = _AGAINST.split(text.lower.rstrip(" ?.!"))
    if len(sides) != 2:
        return []
    left, right = sides[0], _THOSE.sub("patients ", _ITS_OWN.sub("", sides[1]))
    one = figure_of(read(words_read(left)))
    if one is None:
        return []
    for question in _questions(left, right):
        other = figure_of(read(words_read(question)))
        if other is not None and (made := _beside(*one, *other)) is not None:
            return [made]
    return []


def _questions(left: str, right: str) -> Iterator[str]:
    """What is asked of the others: the first question, whose end the other words take the place of."""
    for boundary in reversed([*_BOUNDARY.finditer(left)]):
        yield left[: boundary.end()] + right


def _beside(left: Read, one: Aggregate, right: Read, other: Aggregate) -> Read | None:
    """Both figures, where they differ by names and values alone."""
    price = max(left.price, 0.0) + max(right.price, 0.0)
    if one == other or _shape(one) != _shape(other) or price > _DEAREST:
        return None
    why = (*left.why, *right.why, COMPARED)
    return replace(left, statement=Single((one, other)), price=price + _SAVED, why=why)


def _shape(part: object) -> Hashable:
    """What a part of a statement is, whatever it names."""
    match part:
        case Value() | Item():
            return type(part).__name__
        case Among(measure=measure):
            return ("Among", _shape(measure))
        case Set(unit=unit, items=items):
            return (unit, bool(items), _shape(part.where), _shape(part.pick))
        case tuple():
            return tuple(map(_shape, part))
        case _ if is_dataclass(part):
            return (type(part).__name__, *(_shape(getattr(part, held.name)) for held in fields(part)))
    return part
