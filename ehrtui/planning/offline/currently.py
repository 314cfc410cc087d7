"""What "now" and "currently" make of records: those of a stay, a drug or a care unit that has not ended."""

from __future__ import annotations

import re
from dataclasses import replace

from ehrtui.logic.model import Filter, Has, Source, Stay
from ehrtui.planning.offline.parts import Parts
from ehrtui.schema.kinds import kind_of, role_of_stays
from ehrtui.schema.profile import Profile

_TAKES = re.compile(r"\b(?:currently|presently|still|now)\s+(?:on|taking)\b|\b(?:on|taking)\b.{0,60}\bnow\W*$|\bon\W*$")
_OPEN = Filter("end time", "is", "open")
_CURRENT = Stay("hospital", None)
_STILL = Filter("end time", "is", "missing")


def at_present(profile: Profile, conditions: tuple[Has, ...]) -> tuple[Has, ...]:
    """The conditions on patients who are in hospital now, or in that care unit now, or on that drug now."""
    loose = [has for has in conditions if not (has.windows or has.negated) and has.during in (None, _CURRENT)]
    now = {has: _now(profile, has) for has in loose if kind_of(has.source.role).lasting}
    if not now and any(has.during for has in conditions):
        return conditions
    if not now:
        return (*conditions, Has(Source(role_of_stays("hospital")), _CURRENT))
    return tuple(now.get(has, has) for has in conditions)


def going_on(parts: Parts, source: Source) -> Source:
    """The records that have not ended, of a care unit, and of drugs that somebody is "on"."""
    if kind_of(source.role).place:
        return replace(source, filters=(*source.filters, _STILL))
    taken = kind_of(source.role).dosed and _TAKES.search(parts.text.lower)
    return _still_taken(parts.profile, source) if taken else source


def _now(profile: Profile, has: Has) -> Has:
    if kind_of(has.source.role).place:
        return replace(has, source=replace(has.source, filters=(*has.source.filters, _STILL)))
    stay = Stay("icu" if profile.role(has.source.role).stay == "icu" else "hospital", None)
    return replace(has, source=_still_taken(profile, has.source), during=stay)


def _still_taken(profile: Profile, source: Source) -> Source:
    """The prescriptions that have not been stopped, as far as the records say when they were."""
    return replace(source, filters=(*source.filters, _OPEN)) if profile.role(source.role).end else source
