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


def with_values(
    tree: exp.Expr, relations: Mapping[str, Relation], dialect: str, *, materialized: bool | None = None
) -> None:
    """Put the `relations` that a statement names (by their names in lower case) before it as WITH clauses, each with
    SQLite's values of the columns that are wanted. Names that its own WITH clauses give stay as they are. `dialect` is
    what the relations are written in."""
    wanted = _wanted(tree)
    heads: dict[str, str] = {}
    for table in list(tree.find_all(exp.Table)):
        relation = None if table.db else relations.get(table.name.lower())
        if relation is not None and not _is_step(table):
            table.set("db", None)
            heads[table.name.lower()] = relation.select(relation.source, wanted)
    headed(tree, heads.items(), dialect, materialized=materialized)


def _is_step(table: exp.Table) -> bool:
    """True for a query that an enclosing WITH gives the name."""
    at: exp.Expr | None = table
    while at is not None:
        clause = at.args.get("with_")
        if clause is not None and any(cte.alias.lower() == table.name.lower() for cte in clause.expressions):
            return True
        at = at.parent
    return False


def _wanted(tree: exp.Expr) -> frozenset[str] | None:
    """The names that a statement has, None where it takes all columns of a table."""
    starred = any(not isinstance(star.parent, exp.Anonymous) for star in tree.find_all(exp.Star))
    natural = any(join.args.get("method") for join in tree.find_all(exp.Join))
    return None if starred or natural else frozenset(each.name.lower() for each in tree.find_all(exp.Identifier))
