"""Tables of another system as they are there, and a statement that reads them with SQLite's values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp, parse_one

from ehrtui.engines.introspection import quoted
from ehrtui.schema.model import Table


@dataclass(frozen=True)
class Relation:
    """A table as it is there: `source` is what stands after FROM for it, and `columns` gives for each column,
    by name, the expression whose values SQLite would have. `alone` is the source outside of ehrtui."""

    table: Table
    source: str
    columns: Mapping[str, str]
    alone: str = ""

    def select(self, source: str, wanted: Collection[str] | None = None) -> str:
        """The rows with SQLite's values, from `source`: all columns, or the `wanted` ones (in lower case)."""
        chosen = ", ".join(
            name if name == given else f"{given} AS {name}"
            for name, given in (
                (quoted(column), given)
                for column, given in self.columns.items()
                if wanted is None or column.lower() in wanted
            )
        )
        return f"SELECT {chosen or '1'} FROM {source}"

    @property
    def is_as_it_is(self) -> bool:
        """True where a statement may name the table itself."""
        return self.alone == f'"main".{quoted(self.table.name)}' and all(
            quoted(column) == given for column, given in self.columns.items()
        )


def renamed(relations: Sequence[tuple[str, Relation]], first: Sequence[str] = ("main",)) -> list[Relation]:
    """The relations (each with its schema), those whose name several schemas have under the schema's too; of the
    schemas that come `first`, the first one's has the name alone."""
    owners: dict[str, list[str]] = {}
    for schema, relation in relations:
        owners.setdefault(relation.table.name.lower(), []).append(schema)
    found = []
    for schema, relation in relations:
        among = owners[relation.table.name.lower()]
        alone = next((each for each in first if each in among), among[0] if len(among) == 1 else None)
        if schema != alone:
            relation = replace(relation, table=replace(relation.table, name=f"{schema}_{relation.table.name}"))
        found.append(relation)
    return found


def headed(tree: exp.Expr, heads: Iterable[tuple[str, str]], dialect: str, *, materialized: bool | None = None) -> None:
    """Put SELECTs, each with its name, before a statement as its first WITH clauses."""
    made = [
        exp.CTE(
            this=parse_one(select, dialect=dialect),
            alias=exp.TableAlias(this=exp.to_identifier(name, quoted=True)),
            materialized=materialized,
        )
        for name, select in heads
    ]
    if made:
        own = tree.args.get("with_")
        recursive = own is not None and own.recursive
        clauses = [*made, *(own.expressions if own is not None else ())]
        tree.set("with_", exp.With(expressions=clauses, recursive=recursive))
