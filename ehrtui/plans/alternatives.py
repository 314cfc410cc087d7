"""What else a repair could be: the same change with each of the other suggestions."""

from __future__ import annotations

import ast
import re

from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import difference

_SPELT_OTHERWISE = frozenset("'\"\\\n\r")
"""What a text in quotes would have to spell in another way."""


def repairs(plan: str, diagnosis: Diagnosis) -> tuple[str, ...]:
    """The diagnosis's repair of `plan`, then those that take another of its suggestions in place of the first, where
    the repair wrote that one; none where there is no repair."""
    repair = diagnosis.repair
    if repair is None or repair == plan:
        return ()
    found = [repair]
    first, *others = diagnosis.suggestions or ("",)
    spans = _written(plan, repair, first)
    for other in others if spans else ():
        candidate = repair
        for start, end in reversed(spans):
            candidate = candidate[:start] + other + candidate[end:]
        if not _SPELT_OTHERWISE & set(other) and candidate not in (plan, *found) and _is_python(candidate):
            found.append(candidate)
    return tuple(found)


def _written(plan: str, repair: str, text: str) -> list[tuple[int, int]]:
    """Where `text` stands in what the repair changed."""
    start, _, end = difference(plan, repair)
    spans = [match.span() for match in re.finditer(re.escape(text), repair, re.IGNORECASE)] if text else []
    return [span for span in spans if span[0] <= end and span[1] >= start]


def _is_python(plan: str) -> bool:
    try:
        ast.parse(plan)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
