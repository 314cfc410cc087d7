"""Blood pressures written as two numbers: "a BP above 140/90" is of a systolic one or a diastolic one."""

from __future__ import annotations

import re

_LIMIT = (
    r"(?:above|over|below|under|greater than|higher than|more than|less than|lower than|at least|at most|>=|<=|>|<|≥|≤)"
)
_WRITTEN = re.compile(
    rf"(?P<name>(?:blood pressures?|b/?ps?)\b)"
    r"(?P<between>(?: (?:readings?|values?|was|were|is|of|that|had been|ever))*)"
    rf" (?P<limit>{_LIMIT}) ?(?P<high>\d{{2,3}}) ?/ ?(?P<low>\d{{2,3}})(?: ?mm ?hg)?(?!\d)"
)


def pressure_in_full(lower: str, start: int) -> tuple[int, str] | None:
    """Where a blood pressure within two numbers ends that begins at a letter of a text in lower case, and what it says
    in full; None where none begins there."""
    match = _WRITTEN.match(lower, start)
    if match is None or int(match["high"]) <= int(match["low"]):
        return None
    limit = match["limit"]
    said = f"systolic blood pressure {limit} {match['high']} or diastolic blood pressure {limit} {match['low']}"
    return match.end(), said
