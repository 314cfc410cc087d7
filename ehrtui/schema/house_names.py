"""What tables and their keys are called without what the maker of a system put before all of them: "CV3Client" is the
table of clients, and its "GUID", which every table has, the key of a client."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ehrtui.schema.called import bare_noun, kind_of_table, words_of
from ehrtui.schema.model import Table

_FEWEST_TABLES = 3
_MOST_OF_THEM = 0.75
"""The share of the tables whose names begin with a word, from which on it is the maker's, and says nothing."""
_HUMP = re.compile(r"^([A-Z]+\d*)(?=[A-Z][A-Za-z])")
"""The letters before the first word of a name that is written in humps."""
_LONGEST = 5
_SHORTEST = 2
ANONYMOUS = {
    *("guid", "uid", "uuid", "oid", "pk", "rowid", "row_id", "recid", "rec_id", "sysid", "sys_id", "objectid"),
    *("object_id", "record_id", "internal_id", "surrogate_key", "row_key"),
}
"""Names of keys that do not say of which table they are; "id" alone is known for such wherever keys are read."""

Names = Mapping[str, str]


def table_names(tables: Sequence[Table]) -> dict[str, str]:
    """The names of tables without what the maker put before them, by the full ones; those alone that change, and none
    twice."""
    names = [table.name for table in tables]
    shared = [*_humps(names)]
    word = _first_word(names)
    found: dict[str, str] = {}
    for name in names:
        begun = next((one for one in shared if name.startswith(one) and one in _prefixes(name)), "")
        bare = name[len(begun) :] if begun else name.partition("_")[2] if word and _starts(name, word) else ""
        if bare and re.match(r"[A-Za-z]", bare):
            found[name] = bare
    taken = Counter(found.get(name, name).lower() for name in names)
    return {name: bare for name, bare in found.items() if taken[bare.lower()] == 1}


def key_names(tables: Sequence[Table], names: Names) -> dict[str, dict[str, str]]:
    """By table and column, what keys are called that several tables call the same, and that do not say of which table
    they are: with the table's own noun before it."""
    held = [(table, column.name) for table in tables for column in table.columns if column.name.lower() in ANONYMOUS]
    several = {name for name, count in Counter(column.lower() for _, column in held).items() if count > 1}
    found: dict[str, dict[str, str]] = {}
    for table, column in held:
        noun = bare_noun(words_of(names.get(table.name, table.name))).replace(" ", "_")
        called = f"{noun}_{column.lower()}"
        if column.lower() in several and called not in {one.name.lower() for one in table.columns}:
            found.setdefault(table.name, {})[column] = called
    return found


def _prefixes(name: str) -> Iterator[str]:
    """What may stand before the first word of a name in humps, the longest first."""
    begun = None if name.isupper() else _HUMP.match(name)
    letters = begun[1] if begun else ""
    yield from (letters[:end] for end in range(min(len(letters), _LONGEST), _SHORTEST - 1, -1))


def _humps(names: Sequence[str]) -> list[str]:
    """The letters that several names in humps begin with, those of most tables and the longest of these first."""
    counts = Counter(one for name in names for one in _prefixes(name))
    often = [one for one, count in counts.items() if count >= _FEWEST_TABLES]
    return sorted(often, key=lambda one: (-counts[one], -len(one)))


def _first_word(names: Sequence[str]) -> str:
    """The word before an underscore that most names begin with, and that calls no kind of records; "" where none
    does."""
    words = Counter(name.lower().partition("_")[0] for name in names if "_" in name)
    word, count = next(iter(words.most_common(1)), ("", 0))
    often = count >= _FEWEST_TABLES and count >= _MOST_OF_THEM * len(names)
    return word if often and not kind_of_table(words_of(word)) else ""


def _starts(name: str, word: str) -> bool:
    return name.lower().startswith(f"{word}_")
