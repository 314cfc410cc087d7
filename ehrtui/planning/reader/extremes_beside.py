"""Extremes beside other numbers over the same values: "the mean and the highest urea" has a mean and a maximum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.planning.reader.chart import Node

_AND = {"and", "&", ",", "the", "their", "its"}
_JOINT = {"and", "&", ","}
_SURE = -0.6
"""What an extreme costs that stands beside another number over values."""
_FUNCTIONS = {"highest:value": "maximum", "lowest:value": "minimum"}


def extremes_beside(nodes: Sequence[Node], words: Sequence[str]) -> Iterator[Node]:
    """Extremes that are joined to a word for a number over values, as such numbers."""
    functions = [node for node in nodes if node.kind == "function"]
    if not functions:
        return
    for node in nodes:
        if node.kind != "superlative" or node.sense not in _FUNCTIONS:
            continue
        if any(_joined(words, one.end, node.start) or _joined(words, node.end, one.start) for one in functions):
            yield Node("function", _FUNCTIONS[node.sense], node.start, node.end, _SURE)


def _joined(words: Sequence[str], end: int, start: int) -> bool:
    between = words[end:start] if end < start else ()
    return bool(between) and set(between) <= _AND and bool(_JOINT & set(between))
