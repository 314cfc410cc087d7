"""The tools of the language model: stored names that are a vocabulary, and the columns of a table; nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ehrtui.concepts.retrieval import Shortlist
from ehrtui.planning.claude.catalogue import Catalogue
from ehrtui.planning.claude.knowledge import Vocabularies, described
from ehrtui.privacy.request import Fixed, Part, ToolUse
from ehrtui.privacy.vocabulary import normal
from ehrtui.schema.model import Schema

_LONGEST = 200
_MOST = 10
"""Names that a search tells."""
_MOST_MENTIONS = 2
"""Of what it looks for, told by what they mean."""


def found(use: ToolUse, catalogue: Catalogue, retrieve: Callable[[str], Sequence[Shortlist]]) -> Part:
    """What a call of the search finds: names like the text, and what `retrieve` has for it that is called otherwise.
    Whatever its argument is, only shareable names come out."""
    text = use.arguments.get("text")
    if not isinstance(text, str) or not text.strip():
        return Fixed("The tool search takes one text.")
    names, more = catalogue.search(text[:_LONGEST])
    meant = catalogue.shortlisted(retrieve(text[:_LONGEST]), _MOST_MENTIONS)
    if not (names or meant):
        return Fixed("No stored name is like it.")
    wanted = normal(text)
    used = [one for one in names if one.rows != 0 or normal(one.name) == wanted] or names  # others would find nothing
    more += max(0, len(used) - _MOST)
    lines = [one.told for one in used[:_MOST]]
    lines += [line for line in meant if not line.startswith(tuple(lines))]
    return Fixed("\n".join([*lines, *([f"and {more} more: search for more of the name"] if more else [])]))


def told_of(use: ToolUse, schema: Schema, known: Vocabularies) -> Part:
    """The columns of the tables that a call of describe names."""
    names = use.arguments.get("tables")
    wanted = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    lines = [described(table, known) for table in schema.tables if table.name.lower() in {n.lower() for n in wanted}]
    return Fixed("\n".join(lines[:20]) or "There is no such table.")
