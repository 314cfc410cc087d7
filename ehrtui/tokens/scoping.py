"""Whose a query's names are: the columns that none of its own relations has, and the relations that it reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from sqlglot import Token, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

Columns = tuple[str, ...]
Relations = Mapping[str, Columns]
"""The columns of every table, token and common table expression by name, all in lower case; () where unknown."""

_PREVIOUS = re.compile(r"prev_(result|query)\d*", re.IGNORECASE)
_ROW_IDS = ("rowid", "_rowid_", "oid")
_JSON = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path", "json", "root")
_TABLE_FUNCTIONS = {"json_each": _JSON, "json_tree": _JSON}
_QUERIES = (exp.Select, exp.SetOperation, exp.Values)


@dataclass(frozen=True)
class Reading:
    """A relation that is read by name: where its name stands in the SQL ([start, end) in characters), whether it has an
    alias, and whether it stands in a FROM clause (and not as `x IN name`)."""

    name: str
    start: int
    end: int
    aliased: bool
    in_from: bool


@dataclass(frozen=True)
class Survey:
    """What a query takes from around it: `foreign` columns, which none of its own relations has, and the relations that
    it does not define itself (`readings`). `outputs` are the names of its own columns, "" for what is computed; `reads`
    is False for a query without FROM."""

    foreign: tuple[exp.Column, ...]
    readings: tuple[Reading, ...]
    outputs: Columns
    reads: bool


def survey(tokens: Sequence[Token], sql: str, relations: Relations, dialect: str) -> Survey | None:
    """The survey of the query that `tokens` of `sql` are; None where it cannot be parsed.

    Where a relation's columns are unknown, an unqualified name is never taken for one of them: so what may be foreign
    counts as foreign.
    """
    try:
        (tree,) = Dialect.get_or_raise(dialect).parser().parse(list(tokens), sql)
    except (SqlglotError, ValueError):
        return None
    if not isinstance(tree, _QUERIES):
        return None
    readings: list[Reading] = []
    foreign, outputs = _query(tree, relations, frozenset(), readings)
    return Survey(tuple(foreign), tuple(readings), outputs, reads=tree.find(exp.From) is not None)


def _query(
    query: exp.Expr, relations: Relations, own: frozenset[str], readings: list[Reading]
) -> tuple[list[exp.Column], Columns]:
    """The foreign columns and the outputs of a query. `own` are the names in `relations` that the surveyed text defines
    itself."""
    if isinstance(query, exp.Values):
        width = len(query.expressions[0].expressions)
        return [], tuple(f"column{number}" for number in range(1, width + 1))
    foreign: list[exp.Column] = []
    defined = query.args.get("with_")
    if defined:
        names = [cte.alias.lower() for cte in defined.expressions]
        # Each may read itself and the others, so their columns are needed before they are known for sure.
        headers = [tuple(str(each).lower() for each in cte.alias_column_names) for cte in defined.expressions]
        written = [header or _written_names(cte.this) for header, cte in zip(headers, defined.expressions, strict=True)]
        relations, own = {**relations, **dict(zip(names, written, strict=True))}, own | set(names)
        for name, header, cte in zip(names, headers, defined.expressions, strict=True):
            inside, outputs = _query(cte.this, relations, own, readings)
            foreign += inside
            relations = {**relations, name: header or outputs}
    if isinstance(query, exp.SetOperation):
        arms = [_query(query.args[arm].unnest(), relations, own, readings) for arm in ("this", "expression")]
        for nested in _nested(query):
            if not isinstance(nested.parent, exp.SetOperation):  # in LIMIT
                foreign += _query(nested, relations, own, readings)[0]
        return foreign + arms[0][0] + arms[1][0], arms[0][1]
    sources, from_sources = _sources(query, relations, own, readings)
    aliases = {each.alias.lower() for each in query.expressions if isinstance(each, exp.Alias)}
    for column in _columns(query):
        if _is_reading(column, relations):
            _read(column, own, readings)
        elif not _is_own(column, sources, aliases):
            foreign.append(column)
    for nested in _nested(query):
        if not _is_relation(nested):
            inside, _ = _query(nested, relations, own, readings)
            foreign += [column for column in inside if not _is_own(column, sources, aliases)]
    return foreign + from_sources, _outputs(query, sources)


def _level(query: exp.Expr) -> Iterator[exp.Expr]:
    """The nodes of a query without those inside its subqueries, which come as one node each."""
    for node in query.walk(prune=lambda node: node is not query and isinstance(node, (*_QUERIES, exp.With))):
        if node is not query:
            yield node


def _nested(query: exp.Expr) -> list[exp.Expr]:
    return [node for node in _level(query) if isinstance(node, _QUERIES)]


def _columns(query: exp.Expr) -> list[exp.Column]:
    return [node for node in _level(query) if isinstance(node, exp.Column) and not _PREVIOUS.fullmatch(node.name or "")]


def _is_relation(query: exp.Expr) -> bool:
    """True for a query that stands in FROM."""
    node = query
    while isinstance(node.parent, exp.Subquery):
        node = node.parent
    return isinstance(node.parent, exp.From) or (isinstance(node.parent, exp.Join) and node.arg_key == "this")


def _sources(
    query: exp.Expr, relations: Relations, own: frozenset[str], readings: list[Reading]
) -> tuple[dict[str, Columns], list[exp.Column]]:
    """The relations in FROM by the names that qualify their columns, and the columns foreign to those that are
    subqueries."""
    sources: dict[str, Columns] = {}
    foreign: list[exp.Column] = []
    for node in _level(query):
        if isinstance(node, exp.Table) and node.arg_key != "indexed":
            name = node.this.name.lower()
            columns = _TABLE_FUNCTIONS.get(name, ()) if isinstance(node.this, exp.Func) else relations.get(name, ())
            if name in relations and not node.db:
                _read(node, own, readings)
            if columns and name not in own:
                columns = (*columns, *_ROW_IDS)
            sources[_alias(node) or name or f"#{len(sources)}"] = columns
        elif isinstance(node, _QUERIES) and _is_relation(node):
            inside, outputs = _query(node, relations, own, readings)
            foreign += inside
            sources[_alias(node) or f"#{len(sources)}"] = outputs
    return sources, foreign


def _alias(node: exp.Expr) -> str:
    """The alias of a relation, also behind the parentheses around it."""
    if node.alias:
        return node.alias.lower()
    return _alias(node.parent) if isinstance(node.parent, exp.Subquery) else ""


def _is_reading(column: exp.Column, relations: Relations) -> bool:
    """True for `x IN name`, where the name is a relation's."""
    return column.arg_key == "field" and isinstance(column.parent, exp.In) and column.name.lower() in relations


def _read(node: exp.Table | exp.Column, own: frozenset[str], readings: list[Reading]) -> None:
    """Note a relation that is read by name, unless the surveyed text defines it."""
    place = node.this.meta
    if node.name.lower() not in own and "start" in place:
        aliased = isinstance(node, exp.Table) and bool(node.alias)
        readings.append(
            Reading(node.name.lower(), place["start"], place["end"] + 1, aliased, isinstance(node, exp.Table))
        )


def _is_own(column: exp.Column, sources: Mapping[str, Columns], aliases: set[str]) -> bool:
    name, qualifier = column.name.lower(), column.table.lower()
    if qualifier:
        columns = sources.get(qualifier)
        return columns is not None and (not columns or isinstance(column.this, exp.Star) or name in columns)
    return name in aliases or any(name in columns for columns in sources.values())


def _outputs(query: exp.Expr, sources: Mapping[str, Columns]) -> Columns:
    names: list[str] = []
    for each in cast(exp.Select, query).expressions:
        if isinstance(each, exp.Star) or (isinstance(each, exp.Column) and isinstance(each.this, exp.Star)):
            starred = [each.table.lower()] if isinstance(each, exp.Column) else list(sources)
            names += [name for source in starred for name in sources.get(source, ()) if name not in _ROW_IDS]
        else:
            names.append(_output(each))
    return tuple(names)


def _written_names(query: exp.Expr) -> Columns:
    """The outputs of a query as far as its text alone tells them."""
    while isinstance(query, (exp.SetOperation, exp.Subquery)):
        query = query.this
    return tuple(_output(each) for each in query.expressions)


def _output(expression: exp.Expr) -> str:
    return expression.alias.lower() or (expression.name.lower() if isinstance(expression, exp.Column) else "")
