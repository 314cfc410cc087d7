"""What is asked of records: a field of theirs, how many there are, one number over them, or whether there are any."""

from __future__ import annotations

import re

from ehrtui.logic.model import Aggregate, Count, Exists, Field, Function, Source, Top, Want
from ehrtui.planning.offline.grouping import count_of, is_counted
from ehrtui.planning.offline.parts import Parts, which
from ehrtui.planning.offline.words import Mark
from ehrtui.planning.reader.wording import in_benchmark_wording
from ehrtui.schema.kinds import COST, DEATH, DISCHARGE, PATIENT, kind_of

ASKED = r"(?:has|have|had|was|were|did|does|do|is|are)"
WHETHER = re.compile(
    rf"^\W*(?:(?:please|tell\s+me|say)\W+)*{ASKED}\b(?!\s+(?:you\s+(?:happen\s+to\s+know|know|able)|it\s+possible)\b)"
    r"|\b(?:if(?!\s+you\b)|whether)\b|"
    rf"^(?!.*\b(?:what|which|who|when|where|how|list|name|count|number)\b).*\b{ASKED}\s+(?:any|there|patient|the)\b"
)
_BEFORE_TIME = re.compile(r"\b(?:was|is|when|what|which|tell me|of)\s+(?:the\s+)?$")
_OPENS = re.compile(r"\W*(?:the\s+)?(?!for\b)[\w-]+\s+time(?:\s|$)")
_TOTAL_NUMBER = re.compile(
    r"\b(?:total|overall)\s+number\s+of\s+(?!(?:times|different|distinct|unique|days|hours|events|records)\b)"
)
_THE_OUTPUT = re.compile(r"^\W*what\b.*\b(?:output|intake|input)\b")
FUNCTIONS: tuple[Function, ...] = ("minimum", "maximum", "median", "mean", "sum")


def wanted(parts: Parts, source: Source) -> tuple[Want | None, tuple[Mark, ...]]:
    """What is asked of the records, and the field marks that say so."""
    role, kind = parts.profile.role(source.role), kind_of(source.role)
    known = (
        {"name", "value", *role.fields}
        | ({"end time"} if role.end else set())
        | ({"time"} if role.time or source.role == PATIENT else set())
    )
    known |= {"length"} if role.end and kind.stay else set()
    known |= {"cost"} if parts.profile.costs and source.role in parts.profile.costs.kinds else set()
    known |= {"cost"} if source.role == COST else set()
    asked = [(mark, field) for mark in parts.fields for field in which(mark, "field") if field in known]
    asked = [pair for pair in asked if pair[1] != "name"] or asked
    filtered = {one.field for one in source.filters}
    asked = [pair for pair in asked if pair[1] not in filtered or pair[1] == "value"]
    said = {field for _, field in asked} | filtered
    said |= {"end time"} if source.role == DISCHARGE else set()  # the "discharge time" is when it happened
    used = tuple(mark for mark in parts.fields if said & set(which(mark, "field")))
    if parts.top is not None:
        return Top(parts.top), tuple(mark for mark in parts.fields if "name" in which(mark, "field"))
    function = next((name for name in FUNCTIONS if name in parts.wants), None)
    measured = (kind.flow or kind.dosed) and not asks_for(parts, "cost")
    volume = kind.flow and _TOTAL_NUMBER.search(parts.text.lower)
    if (function is None and "amount" in parts.wants and measured) or volume:
        if parts.ordinal is not None:
            return Field("dose" if "dose" in role.fields else "value"), used
        function = "sum"
    if source.role == COST:
        return Aggregate(function or "sum", "value"), used
    manner = next((field for field in kind.manners if field in role.fields), None)
    if manner is not None and parts.marks.of("manner"):
        return Field(manner), used
    if function is None and is_counted(parts, source):
        return count_of(parts, source), tuple(mark for mark, field in asked if field == "time")
    specific = [field for _, field in asked if field not in ("name", "time", "value")]
    fields = [field for _, field in asked]
    extreme = function in ("minimum", "maximum") and ("time" in fields or _asks_the_time(parts))
    if function is not None and kind.stay and not fields and not parts.marks.of("top"):
        return Aggregate(function, "length"), used
    if function is not None and not extreme and (role.value or role.wide or specific):
        per_used = tuple(mark for mark, field in asked if field != "time")
        return Aggregate(function, (specific or ["value"])[0], parts.per), per_used
    if WHETHER.search(parts.text.lower) and "time" not in fields and source.role != PATIENT:
        return Exists(), tuple(mark for mark, field in asked if field not in specific or kind.grown)
    if specific:
        return Field(specific[0]), used
    return _plain_want(parts, source, fields), used


def _asks_the_time(parts: Parts) -> bool:
    """ "What was the last time…", "first time she…", but not "for the last time", nor "first time, which…"."""
    lower = parts.text.lower
    times = [mark for mark in parts.ordinals if lower[mark.start : mark.end].endswith("time")]
    return any(_BEFORE_TIME.search(lower[: mark.start]) or _OPENS.match(lower[: mark.end + 1]) for mark in times)


def _plain_want(parts: Parts, source: Source, fields: list[str]) -> Want:
    """What is asked where no field of the role's own is named."""
    role, kind = parts.profile.role(source.role), kind_of(source.role)
    if (
        "time" in fields or _asks_the_time(parts) or (source.role == DISCHARGE and asks_for(parts, "end time"))
    ) and role.time:
        return Field("time")
    if "any" in parts.wants and not fields:
        return Exists()
    if source.names and (role.wide or (role.value and not kind.dosed)):
        limited = (parts.windows or parts.stays) and not (fields or parts.ordinals)
        if kind.flow and limited and _THE_OUTPUT.match(parts.text.lower):
            return Aggregate("sum", "value")  # "what is her foley output today": what came in all
        return Field("value")
    if role.item and not source.names:
        return Field(kind.towards if _towards(parts, source.role) else "name")
    if not parts.wants and not (parts.ids or source.names):
        return Count("patients" if source.role == DEATH else "records")
    if not parts.wants and not _are_several(parts, source):
        return Exists()
    if kind.stay:
        return Field("id")
    return Field("dose") if kind.dosed and "sum" in parts.wants else Field("time")


def _towards(parts: Parts, role: str) -> bool:
    """ "What is patient 10021 allergic to?" is answered by EHRSQL with the drug behind the allergy; people mean all
    that somebody is allergic to."""
    if kind_of(role).towards not in parts.profile.role(role).fields or not parts.ids:
        return False
    return any(role in which(mark, "verb") for mark in parts.marks) and in_benchmark_wording(parts.text.typed)


def _are_several(parts: Parts, source: Source) -> bool:
    """ "The admissions of patient 10021": stays that are to be listed."""
    said = [parts.text.lower[mark.start : mark.end] for mark in parts.marks if source.role in which(mark, "role")]
    return kind_of(source.role).stay != "" and any(one.endswith("s") for one in said)


def asks_for(parts: Parts, field: str) -> bool:
    """True where the question names the field."""
    return any(field in which(mark, "field") for mark in parts.fields)
