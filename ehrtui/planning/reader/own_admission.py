"""Of which admission a moment is: "ICU stays with a lactate within 6 hours of arrival" tells of that in the ICU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from ehrtui.logic.algebra.model import ICU, Near, Own, Rows, Set, Single
from ehrtui.logic.nodes import below, walk, with_parts

Part = TypeVar("Part")
_MOMENTS = {Own("admission time"): Own("icu admission time"), Own("discharge time"): Own("icu discharge time")}
_HOSPITAL = {"hospital", "hosp", "hospitalization", "hospitalisation", "ed", "er"}


def of_own_admission(statement: Part, words: Sequence[str]) -> Part:
    """A statement in which records near the admission of an ICU stay are near its own, but where the hospital is
    named."""
    if not isinstance(statement, Rows | Single) or not _HOSPITAL.isdisjoint(words):
        return statement
    if not any(isinstance(part, Near) and part.moment in _MOMENTS for part in walk(statement)):
        return statement
    return _changed(statement, within=False)


def _changed(part: Part, *, within: bool) -> Part:
    within |= not isinstance(part, tuple) and any(isinstance(one, Set) and one.unit == ICU for one in below(part))
    if within and isinstance(part, Near) and isinstance(part.moment, Own) and part.moment in _MOMENTS:
        return replace(part, moment=_MOMENTS[part.moment])
    return with_parts(part, lambda one: _changed(one, within=within))
