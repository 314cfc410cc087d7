"""Which tables the keys of a table lead to, declared or by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ehrtui.schema.called import bare_noun, words_of
from ehrtui.schema.columns import Known, plain_name, singular, snake_case

_MOST_WITH_A_KEY = 20
_LEADS = re.compile(r"_(?:id|reference|ref|guid|uuid)$")


@dataclass(frozen=True)
class Targets:
    """Tables that have a primary key, in their order; by their names, by what one row of them is called, and by their
    keys, written in whatever way ("epiNo", "epi_no"): databases have thousands of tables, each of which may lead to
    any. A key that many tables have tells little of which is meant: the first ones are taken."""

    tables: tuple[Known, ...]
    by_name: dict[str, list[int]]
    by_noun: dict[str, list[int]]
    by_key: dict[str, list[int]]

    @classmethod
    def among(cls, tables: Iterable[Known]) -> Targets:
        """Those of the tables that have a primary key."""
        found = cls(tuple(table for table in tables if table.primary_key), {}, {}, {})
        for place, table in enumerate(found.tables):
            name, key = snake_case(table.name), snake_case(table.primary_key)
            found.by_name.setdefault(plain_name(table.name), []).append(place)
            for noun in {singular(name), singular(bare_noun(words_of(table.name))).replace(" ", "_")}:
                found.by_noun.setdefault(noun, []).append(place)
            if key != "id" and len(found.by_key.get(key, ())) < _MOST_WITH_A_KEY:
                found.by_key.setdefault(key, []).append(place)
        return found

    def of(self, table: Known) -> Iterator[tuple[str, Known]]:
        """The keys of the table that are the primary keys of others, each with the table that it leads to: the declared
        ones first, its own primary key, which may but be called as another's, last."""
        declared = {key.column.lower(): plain_name(key.target_table) for key in table.table.foreign_keys}
        own = table.primary_key
        for column in sorted(table.keys, key=lambda one: (one.lower() not in declared, one == own)):
            name = column.lower()
            places = self.by_name.get(declared[name], ()) if name in declared else self._called(snake_case(column))
            yield from ((column, self.tables[place]) for place in places if self.tables[place] is not table)

    def named(self, table: Known, column: str) -> Known | None:
        """The table, other than this one, whose rows are called as the column is ("encounter"); the last of several."""
        found = (self.tables[place] for place in reversed(self.by_noun.get(snake_case(column), ())))
        return next((one for one in found if one is not table), None)

    def keyed(self, table: Known, column: str) -> Known | None:
        """The table, other than this one, whose key is called as the column is; None where several are."""
        places = self.by_key.get(snake_case(column), ())
        found = [self.tables[place] for place in places if self.tables[place] is not table]
        return found[0] if len(found) == 1 else None

    def _called(self, name: str) -> list[int]:
        nouns = {*self.by_noun.get(name, ()), *self.by_noun.get(_LEADS.sub("", name), ())}
        keyed = self.by_key.get(name, ())
        return sorted(nouns.union(keyed)) if nouns else list(keyed)
