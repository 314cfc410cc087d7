"""Weighted choice without replacement."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar


class Weighted(Protocol):
    """Anything with a positive weight."""

    @property
    def weight(self) -> float:
        """How likely it is, relative to the others."""
        ...


W = TypeVar("W", bound=Weighted)


def some(chance: Random, things: Sequence[W], count: int) -> list[W]:
    """At most `count` different `things`, likelier the heavier they are (Efraimidis and Spirakis, 2006)."""
    keys = [(chance.random() ** (1 / thing.weight), place) for place, thing in enumerate(things)]
    return [things[place] for _, place in sorted(keys, reverse=True)[:count]]
