"""What a question does besides asking for records: it wants advice, a forecast, a reason, something done."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ehrtui.planning.proposal import Refusal, RefusalKind
from ehrtui.planning.refuse.phrases import composed, is_said, names_in, quoted
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import ValueIndex

_FILE = Path(__file__).with_name("acts.toml")


@dataclass(frozen=True)
class Act:
    """What people do with a sentence: patterns that tell it, patterns of sentences that only look so, the `kind` of
    refusal, its `sentence` (with a place for the words, and for the `last` day of the records), and the attributes of
    records that tell what it asks for, where they are `kept`."""

    kind: RefusalKind
    sentence: str
    asks: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]
    kept: frozenset[str]

    def found_in(self, lower: str) -> Iterator[re.Match[str]]:
        """The matches of the patterns in the question, where no other says that it asks for records."""
        if not any(pattern.search(lower) for pattern in self.unless):
            for pattern in self.asks:
                yield from pattern.finditer(lower)


@cache
def acts() -> tuple[Act, ...]:
    """The acts, in the order in which they are looked for; read once."""
    data: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    parts = data["parts"]
    return tuple(
        Act(
            act["kind"],
            act["sentence"],
            tuple(composed(pattern, parts) for pattern in act["asks"]),
            tuple(composed(pattern, parts) for pattern in act.get("unless", ())),
            frozenset(act.get("kept", ())),
        )
        for act in data["acts"].values()
    )


_DETERMINER = re.compile(r"^(?:an?|any|his|her|their)\s+")


def asked_for_more(lower: str, profile: Profile, index: ValueIndex, last: str) -> Refusal | None:
    """Why a question, in lower case, asks for what no records can give; `last` is the day on which they end."""
    fields = {name for role in profile.roles.values() for name in role.fields}
    found = [(act, match) for act in acts() if act.kept.isdisjoint(fields) for match in act.found_in(lower)]
    names = names_in(lower, index) if found else []
    kept = {noun for role in profile.roles.values() for noun in role.nouns} if found else set()
    for act, match in found:
        said = quoted(match)
        if is_said(match, names) and _DETERMINER.sub("", said.lower()) not in kept:  # "appointments" that are records
            return Refusal(act.kind, act.sentence.format(said, last=last), (said,))
    return None
