"""What could stand at the cursor: words of the language, names of the database, tools, and stored values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ehrtui.session.draft import View

if TYPE_CHECKING:
    from ehrtui.plans.tools import Tool
    from ehrtui.schema.model import Schema
    from ehrtui.schema.profile import Profile
    from ehrtui.schema.value_index import Entry

MOST = 6
"""Offers at a time."""
LEAST = 2
"""Letters from which on something is offered."""

_WORD = re.compile(r"[^\W\d]\w*$")
_VALUE = {
    "logic": re.compile(r'"([^"]*)$'),
    "plan": re.compile(r"""(?:['"=]|like |in \[)\s*([^'"=|<>\[(]*)$"""),
    "sql": re.compile(r"'([^']*)$"),
}


@dataclass(frozen=True)
class Offer:
    """`text` to be written in place of the last `replaced` characters; `help` says what it is."""

    text: str
    help: str
    replaced: int = 0


def vocabulary(schema: Schema, profile: Profile, tools: Iterable[Tool]) -> dict[View, tuple[Offer, ...]]:
    """The words that each view of a plan may have, the most telling first; stored values are not among them."""
    from ehrtui.logic.words import FUNCTIONS, KEYWORDS

    tables = [Offer(table.name, "table") for table in schema.tables]
    columns: dict[str, list[str]] = {}
    for table in schema.tables:
        for column in table.columns:
            columns.setdefault(column.name, []).append(table.name)
    named = [Offer(name, f"column of {', '.join(of)}") for name, of in columns.items()]
    roles = [Offer(name.replace("_", " "), f"records of {role.table}") for name, role in profile.roles.items()]
    fields = {field: name for name, role in profile.roles.items() for field in role.fields}
    language = [Offer(word, "query logic") for word in sorted({*KEYWORDS, *FUNCTIONS})]
    return {
        "logic": (*roles, *(Offer(field, f"field of {role}") for field, role in fields.items()), *language),
        "plan": (*(Offer(tool.name, f"{tool.signature} · {tool.description}") for tool in tools), *tables, *named),
        "sql": (*tables, *named),
    }


def offers(
    view: View, before: str, words: Iterable[Offer], names: Callable[[str, int], tuple[Entry, ...]]
) -> tuple[Offer, ...]:
    """What could be meant by the end of `before`, the text of a line up to the cursor: words that begin like it, and,
    where a value stands, stored ones."""
    found: dict[str, Offer] = {}
    word, quoted = _WORD.search(before), _is_quoted(before)
    value = _VALUE[view].search(before) if quoted else None
    if value is not None and len(value[1].strip()) >= LEAST:
        for entry in names(value[1], MOST):
            if _fits(view, entry.name):
                what = f"{entry.role.replace('_', ' ')} {entry.field}".strip()
                found.setdefault(entry.name, Offer(entry.name, f"stored · {what}", len(value[1])))
    if word is not None and len(word[0]) >= LEAST and not (view == "logic" and quoted):
        begun = word[0].lower()
        for offer in words:
            if offer.text.lower().startswith(begun) and offer.text != word[0]:
                found.setdefault(offer.text, Offer(offer.text, offer.help, len(word[0])))
    return tuple(offer for offer in found.values() if not before.endswith(offer.text))[:MOST]


def _is_quoted(before: str) -> bool:
    """True where the end of a line stands in quotes that are still open."""
    return any(before.count(quote) % 2 for quote in "'\"")


def _fits(view: View, name: str) -> bool:
    """A value that would end the text that it stands in is not offered."""
    return not set(name) & set({"logic": '"\\', "plan": "'\"\\|", "sql": "'"}[view])
