"""The tools of the language model: stored names that are a vocabulary, and the columns of a table; nothing else."""

from __future__ import annotations

from ehrtui.planning.claude.catalogue import Catalogue
from ehrtui.planning.claude.knowledge import Vocabularies, described
from ehrtui.privacy.request import Fixed, Part, ToolUse
from ehrtui.privacy.vocabulary import normal
from ehrtui.schema.model import Schema

_LONGEST = 200
_MOST = 10
"""Names that a search tells."""


def found(use: ToolUse, catalogue: Catalogue) -> Part:
    """What a call of the search finds. Whatever its argument is, only shareable names come out."""
    text = use.arguments.get("text")
    if not isinstance(text, str) or not text.strip():
        return Fixed("The tool search takes one text.")
    names, more = catalogue.search(text[:_LONGEST])
    if not names:
        return Fixed("No stored name is like it.")
    wanted = normal(text)
    used = [one for one in names if one.rows != 0 or normal(one.name) == wanted] or names  # others would find nothing
    more += max(0, len(used) - _MOST)
    lines = [one.told for one in used[:_MOST]]
    return Fixed("\n".join([*lines, *([f"and {more} more: search for more of the name"] if more else [])]))


def told_of(use: ToolUse, schema: Schema, known: Vocabularies) -> Part:
    """The columns of the tables that a call of describe names."""
    names = use.arguments.get("tables")
    wanted = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    lines = [described(table, known) for table in schema.tables if table.name.lower() in {n.lower() for n in wanted}]
    return Fixed("\n".join(lines[:20]) or "There is no such table.")
