"""Names that are said in full: "septic shock" is that, and no sepsis beside a shock."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.planning.reader.chart import Node

_SAID = "how:exact"


def without_parts_of_names(nodes: Sequence[Node]) -> list[Node]:
    """The nodes but those that mean by some words of a longer name, which is stored as it is said, another thing of
    the same kind."""
    whole = [node for node in nodes if _is_name(node) and _SAID in node.why and node.end - node.start > 1]
    if not whole:
        return list(nodes)
    return [node for node in nodes if not any(_is_part(node, name) for name in whole)]


def _is_name(node: Node) -> bool:
    return node.kind == "event" and "link" in node.why and not node.sense.noun


def _is_part(node: Node, name: Node) -> bool:
    if not _is_name(node) or _SAID in node.why or node.sense.role != name.sense.role:
        return False
    inside = name.start <= node.start and node.end <= name.end
    return inside and node.end - node.start < name.end - name.start
