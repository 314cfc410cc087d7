"""Where the parts of a statement stand in the text that they were read from."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any


@dataclass
class Places:
    """Positions of nodes by their identity: equal nodes may stand in several places. Empty for a statement that was
    never text."""

    _found: dict[int, tuple[object, int]] = field(default_factory=dict)  # holds the node, so that no other has its id

    def note(self, node: object, position: int) -> None:
        """Keep where a node begins; what was noted first, within its parentheses, stays."""
        self._found.setdefault(id(node), (node, position))

    def of(self, node: Any) -> int | None:
        """Where a node begins, or the first of its parts that has a place; None where none has."""
        if (found := self._found.get(id(node))) is not None:
            return found[1]
        if isinstance(node, tuple):
            return next((place for each in node if (place := self.of(each)) is not None), None)
        if not is_dataclass(node):
            return None
        return next((place for each in fields(node) if (place := self.of(getattr(node, each.name))) is not None), None)
