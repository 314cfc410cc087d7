"""Blood pressures written as two numbers: "a BP above 140/90" is of a systolic one or a diastolic one; "below 140/90"
of both."""

from __future__ import annotations

import re

_LIMIT = (
    r"(?:above|over|below|under|greater than|higher than|more than|less than|lower than|at least|at most|>=|<=|>|<|≥|≤)"
)
_BELOW = re.compile(r"below|under|less|lower|at most|<|≤")
_WRITTEN = re.compile(
    rf"(?P<name>(?:blood pressures?|b/?ps?)\b)"
    r"(?P<between>(?: (?:readings?|values?|was|were|is|of|that|had been|ever))*)"
    rf" (?P<limit>{_LIMIT}) ?(?P<high>\d{{2,3}}) ?/ ?(?P<low>\d{{2,3}})(?: ?mm ?hg)?(?!\d)"
    r"(?P<then> (?:at|during|on|in) (?:the |their )?(?:last|latest|first|most recent|final) \w+)?"
)


def pressure_in_full(lower: str, start: int) -> tuple[int, str] | None:
    """Where a blood pressure within two numbers ends that begins at a letter of a text in lower case, and what it says
    in full; None where none begins there."""
    match = _WRITTEN.match(lower, start)
    if match is None or int(match["high"]) <= int(match["low"]):
        return None
    limit = match["limit"]
    joint = "and a" if _BELOW.search(limit) else "or"
    then = match["then"] or ""  # of both
    high, low = f"{limit} {match['high']}{then}", f"{limit} {match['low']}{then}"
    return match.end(), f"systolic blood pressure {high} {joint} diastolic blood pressure {low}"
