"""How many have each of two things that are named first: "heparin and warfarin orders: number of stays for each"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ehrtui.logic.algebra.model import UNITS, Aggregate, Measure, Set, Single, Statement
from ehrtui.logic.nodes import walk
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.reader import Read
from ehrtui.schema.kinds import kind_of

_UNIT = r"(?:admissions|hospital stays|icu stays|stays|hospitali[sz]ations|patients|pts|people|visits|encounters)"
_FOR_EACH = re.compile(
    rf"^(?P<said>.+?)\s*[:,;–-]\s*(?:the )?(?:n|count|counts|number|how many)\b\s*(?:of )?(?P<unit>{_UNIT}\b)?\s*"
    r"(?:(?:for|of|with|in|on|per) )?each(?: of (?:them|those|these|the two))?(?:\s+one)?\W*$"
)
_HEAD = re.compile(
    rf"^(?P<head>(?:the )?(?P<unit>{_UNIT})\s+(?:(?:coded|diagnosed|treated|admitted)\s+)?"
    r"(?:with|on|given|for|having|who had|that had))\s+"
)
_TWO = re.compile(
    r"^(?:with |both )?(?P<one>.+?)(?:,? and (?:with |on )?|,? & |,? vs\.? |,? versus |, (?:with )?)(?P<other>.+)$"
)
_TAIL = re.compile(r"\s+(?:codes?|orders?|diagnos[ei]s|procedures?)$")
_CODED = re.compile(r"\bcode[sd]?\b")
_DEAREST = 1.4
"""What one of the two may cost by itself: what is dearer was hardly understood."""
_EACH = -0.5
"""What it saves that each number has its own words."""


def counts_apart(said: Text, read: Callable[[Text], Sequence[Read]]) -> Iterator[Read]:
    """The reading of such a question as one number for each of the two, each `read` as a question of its own."""
    lower = said.lower
    if "each" not in lower or (found := _FOR_EACH.match(lower)) is None:
        return
    named = found["said"]
    head = _HEAD.match(named)
    unit = found["unit"] or (head["unit"] if head is not None else None)
    two = _TWO.match(named[head.end() :] if head is not None else named)
    if unit is None or two is None:
        return
    begins = head["head"] if head is not None and found["unit"] is None else f"{unit} with"
    columns: list[Measure] = []
    price = 0.0
    why: tuple[str, ...] = ("counts-apart",)
    coded = _CODED.search(named) is not None
    for name in (two["one"], two["other"]):
        readings = read(words_read(f"number of {begins} {_TAIL.sub('', name)}"))
        made = next((one for one in readings if not coded or _is_coded(one.statement)), None)
        if made is None or made.price > _DEAREST or not isinstance(made.statement, Single):
            return
        [number, *more] = made.statement.columns
        if more or not isinstance(number, Aggregate) or number.function != "count":
            return
        if not isinstance(number.of, Set) or number.of.unit not in UNITS or number.of.where is None:
            return
        columns.append(number)
        price = max(price, made.price)
        why = (*why, *made.why)
    if columns[0] != columns[1]:
        yield Read(Single(tuple(columns)), price + _EACH, why, (), (), ())


def _is_coded(statement: Statement) -> bool:
    """True where all records are of a kind that has codes."""
    records = [node for node in walk(statement) if isinstance(node, Set) and node.unit not in UNITS]
    return bool(records) and all(kind_of(one.unit.replace(" ", "_")).coded for one in records)
