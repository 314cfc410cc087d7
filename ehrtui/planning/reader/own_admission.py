"""Of which admission a moment is: "ICU stays with a lactate within 6 hours of arrival" tells of that in the ICU."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from ehrtui.logic.algebra.model import ICU, Near, Own, Rows, Set, Single
from ehrtui.planning.reader.frame import Frame

Part = TypeVar("Part")
_MOMENTS = {Own("admission time"): Own("icu admission time"), Own("discharge time"): Own("icu discharge time")}
_HOSPITAL = {"hospital", "hosp", "hospitalization", "hospitalisation", "ed", "er"}


def of_own_admission(statement: Part, frame: Frame) -> Part:
    """A statement in which records near the admission of an ICU stay are near its own, but where the hospital is
    named."""
    if not isinstance(statement, Rows | Single) or _HOSPITAL & set(frame.context.lexed.words):
        return statement
    return _changed(statement, within=False)


def _changed(part: Part, *, within: bool) -> Part:
    if isinstance(part, tuple):
        return tuple(_changed(one, within=within) for one in part)  # type: ignore[return-value]
    if not is_dataclass(part) or isinstance(part, type):
        return part
    within |= any(
        isinstance(getattr(part, one.name), Set) and getattr(part, one.name).unit == ICU for one in fields(part)
    )
    if within and isinstance(part, Near) and isinstance(part.moment, Own) and part.moment in _MOMENTS:
        return replace(part, moment=_MOMENTS[part.moment])
    new = {one.name: _changed(getattr(part, one.name), within=within) for one in fields(part)}
    return replace(part, **new) if any(new[name] is not getattr(part, name) for name in new) else part
