"""Both names of somebody: "first and last name", which picks no first of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import Wanted
from ehrtui.planning.reader.world import World

_ENDS = {("first", "last"), ("last", "first"), ("given", "family"), ("family", "given")}
_JOINED = {"and", "&", "/", ",", "+"}
_LAST = {"name", "names"}
_BOTH = -0.6
_SIZE = 4


def find_full_names(words: Sequence[str], world: World) -> Iterator[Node]:
    """The words for both names as nodes, with the attributes that tell them: one that holds both, or each."""
    for at in range(len(words) - _SIZE + 1):
        one, joint, other, name = words[at : at + _SIZE]
        if (one, other) in _ENDS and joint in _JOINED and name in _LAST:
            apart = tuple(f"{'first' if end in ('first', 'given') else 'last'} name" for end in (one, other))
            fields = apart if all(map(world.knows, apart)) else ("name",)
            yield Node("field", Wanted(fields), at, at + _SIZE, _BOTH)
