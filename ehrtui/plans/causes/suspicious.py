"""Plans that run and look wrong: SQL that asks for values which are not stored, compares with NULL or joins nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ehrtui.errors import QueryLimit
from ehrtui.plans.absence import ALIKE
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import replacing
from ehrtui.plans.evidence import Case, calls
from ehrtui.plans.links import is_link
from ehrtui.plans.literals import Literal, literal_at
from ehrtui.plans.sql_words import likeness
from ehrtui.plans.stored import NUMBER, is_known, is_stored, nearest_stored, places_of, tie
from ehrtui.schema import model

if TYPE_CHECKING:
    from sqlglot import exp

LARGE_JOIN = 1_000_000
"""Pairs of rows; a query that forms more has most probably lost a join condition."""


@dataclass(frozen=True)
class _Sql:
    """A SQL text of the plan: where it stands, and its tree."""

    line: int
    literal: Literal
    tree: exp.Expr

    def sources(self, case: Case) -> dict[str, model.Table]:
        """The tables of the database that it reads, by the names that they have there, in lower case."""
        from sqlglot import exp

        given = {table.alias_or_name.lower(): case.schema.table(table.name) for table in self.tree.find_all(exp.Table)}
        return {name: table for name, table in given.items() if table is not None}


def absent_in_sql(case: Case) -> Diagnosis | None:
    """SQL compares a column with a text that the column does not hold."""
    for sql, table, column, value, equality in _compared(case):
        if is_stored(case.facts.engine, table, column.name, value) is not False:
            continue
        if is_known(case.facts.engine, table, column.name, value):
            continue
        if column.is_number and NUMBER.fullmatch(value):
            found = _other_identifier(case, sql, table, column, value)
        else:
            found = (
                _joined_by_name(case, sql, table, column, value)
                or _respelt(case, sql, table, column, value)
                or _absent(case, sql, table, column, value, equality)
            )
        if found:
            return found
    return None


def _other_identifier(case: Case, sql: _Sql, table: model.Table, column: model.Column, value: str) -> Diagnosis | None:
    """The number identifies something else, which the same table has too."""
    places = places_of(case.facts.engine, value, links_only=True, number=True)
    others = [place for place in places if place.column.lower() != column.name.lower()]
    if not others:
        return None
    here = next((place for place in others if table.column(place.column)), None)
    pattern = rf"\b{re.escape(column.name)}(\s*=\s*'?{re.escape(value)}\b)"
    inner = sql.literal.inner
    if here:
        inner = re.sub(pattern, rf"{here.column.lower()}\1", inner, flags=re.IGNORECASE)
    return Diagnosis(
        "wrong identifier",
        f"{value} is no {column.name}: it is a {others[0].column}.",
        sql.line,
        sql.literal.written(inner) if inner != sql.literal.inner else None,
        0.85,
        (others[0].column,),
        changes_value=True,
        quotes_rows=True,
    )


def _respelt(case: Case, sql: _Sql, table: model.Table, column: model.Column, value: str) -> Diagnosis | None:
    if column.is_number:
        return None
    near = nearest_stored(case.facts.engine, table, column.name, value)
    if not near or likeness(near[0], value) < ALIKE:
        return None
    same = near[0].lower() == value.lower()
    return Diagnosis(
        "wrong case" if same else "misspelt value",
        f"No {column.name} of {table.name} is {value!r}; the nearest stored one is {near[0]!r}.",
        sql.line,
        _with_text(sql.literal, value, near[0]),
        0.95 if same else 0.8,
        near,
        changes_value=not same,
        quotes_rows=True,
    )


def _absent(
    case: Case, sql: _Sql, table: model.Table, column: model.Column, value: str, equality: exp.EQ
) -> Diagnosis | None:
    """No stored value is near, and that may be why nothing was found."""
    if column.is_number or (_only_limits_what_may_lack(equality) and _found_rows(case, sql.line)):
        return None
    return Diagnosis(
        "absent value",
        f"No {column.name} of {table.name} is {value!r}, so that the query finds nothing.",
        sql.line,
        None,
        0.6,
        nearest_stored(case.facts.engine, table, column.name, value),
        quotes_rows=True,
    )


def _only_limits_what_may_lack(condition: exp.Expr) -> bool:
    """True for a condition within what a query joins to rows that stay without it."""
    from sqlglot import exp

    join = condition.find_ancestor(exp.Join)
    while join is not None and join.side not in ("LEFT", "FULL"):
        join = join.find_ancestor(exp.Join)
    return join is not None


def _found_rows(case: Case, line: int) -> bool:
    """True where the step of this line of the plan came to rows."""
    before = [step for step in case.steps if step.line <= line]
    return bool(before and max(before, key=lambda step: step.line).rows)


def _with_text(literal: Literal, value: str, new: str) -> str | None:
    spelt, wanted = value.replace("'", "''"), new.replace("'", "''")
    if f"'{spelt}'" not in literal.inner:
        return None
    return literal.written(literal.inner.replace(f"'{spelt}'", f"'{wanted}'"))


def _joined_by_name(case: Case, sql: _Sql, table: model.Table, column: model.Column, value: str) -> Diagnosis | None:
    """The value is the name of an item, and the column holds its key."""
    for place in places_of(case.facts.engine, value):
        other = case.schema.table(place.table)
        link = tie(case.facts.engine, table, other) if other and other is not table else None
        if link is None or link.column.lower() != column.name.lower():
            continue
        named = f"{place.table.lower()} WHERE {place.column.lower()} = '{place.value}'"
        keys = f"{column.name.lower()} IN (SELECT {link.other_column.lower()} FROM {named})"
        pattern = rf"\b{re.escape(column.name)}\s*=\s*'{re.escape(value)}'"
        inner = re.sub(pattern, keys.replace("\\", r"\\"), sql.literal.inner, flags=re.IGNORECASE)
        return Diagnosis(
            "missing dictionary join",
            f"{column.name} of {table.name} is a key; {value!r} is a {place.column} of {place.table}, which gives it.",
            sql.line,
            sql.literal.written(inner) if inner != sql.literal.inner and "'" not in place.value else None,
            0.85,
            (f"{place.table}.{place.column}",),
            quotes_rows=True,
        )
    return None


def equals_null(case: Case) -> Diagnosis | None:
    """`= NULL` is never true."""
    for sql in _queries(case):
        inner = re.sub(r"\s*(!=|<>)\s*null\b", " IS NOT NULL", sql.literal.inner, flags=re.IGNORECASE)
        inner = re.sub(r"(?<![<>!])\s*=\s*null\b", " IS NULL", inner, flags=re.IGNORECASE)
        if inner != sql.literal.inner:
            return Diagnosis(
                "compared with NULL",
                "Nothing equals NULL, and nothing differs from it: the condition is never true.",
                sql.line,
                sql.literal.written(inner),
                0.95,
                ("IS NULL", "IS NOT NULL"),
            )
    return None


def large_join(case: Case) -> Diagnosis | None:
    """Tables side by side without a condition that ties them."""
    if case.error is not None and not isinstance(case.error.__cause__, QueryLimit):
        return None
    for sql in _queries(case):
        sources = sql.sources(case)
        parts = _parts(sql.tree, sources)
        pairs = 1
        for part in parts:
            pairs *= max((sources[name].row_count or 0) for name in part)
        if len(parts) < 2 or pairs < LARGE_JOIN:
            continue
        condition = _tie(case, sources, parts)
        return Diagnosis(
            "large join",
            f"The query pairs every row of {' with every row of '.join(sorted(min(part) for part in parts))}: "
            f"{pairs:,} pairs.",
            sql.line,
            sql.literal.written(_with_condition(sql.literal.inner, condition)) if condition else None,
            0.8,
            (condition,) if condition else (),
            adds_join=True,
        )
    return None


def _parts(tree: exp.Expr, sources: dict[str, model.Table]) -> list[set[str]]:
    """The tables of a query, in groups that conditions tie together."""
    from sqlglot import exp

    if any(tree.find_all(exp.Subquery, exp.CTE)) or len(list(tree.find_all(exp.Select))) != 1:
        return []
    parts = [{name} for name in sources]
    ties = [(each.left.table.lower(), each.right.table.lower()) for each in tree.find_all(exp.EQ)
            if isinstance(each.left, exp.Column) and isinstance(each.right, exp.Column)]  # fmt: skip
    joins = [join for join in tree.find_all(exp.Join) if join.args.get("using") or join.method == "NATURAL"]
    ties += [(join.this.alias_or_name.lower(), name) for join in joins for name in sources]
    for one, other in ties:
        touched = [part for part in parts if one in part or other in part]
        if len(touched) == 2:
            parts = [part for part in parts if part not in touched] + [touched[0] | touched[1]]
    return parts


def _tie(case: Case, sources: dict[str, model.Table], parts: list[set[str]]) -> str:
    """The conditions that tie the first group to the others, "" where one of them has none."""
    conditions = []
    first, *others = parts
    for part in others:
        found = next(
            (
                f"{one}.{link.column.lower()} = {other}.{link.other_column.lower()}"
                for one in sorted(first)
                for other in sorted(part)
                if (link := tie(case.facts.engine, sources[one], sources[other]))
            ),
            "",
        )
        if not found:
            return ""
        conditions.append(found)
        first = first | part
    return " AND ".join(conditions)


def _with_condition(sql: str, condition: str) -> str:
    where = re.search(r"\bwhere\b", sql, re.IGNORECASE)
    if where:
        return f"{sql[: where.end()]} {condition} AND{sql[where.end() :]}"
    end = re.search(r"\s*\b(group\s+by|order\s+by|having|limit)\b|\s*;?\s*$", sql, re.IGNORECASE)
    place = end.start() if end else len(sql)
    return f"{sql[:place]} WHERE {condition}{sql[place:]}"


def letter_of_a_text(case: Case) -> Diagnosis | None:
    """`value[0]`, where GetValue found one row: the first letter of its text."""
    for node in case.nodes(ast.Subscript):
        if not isinstance(node.value, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        definition = case.definition(node.value)
        if definition is None or not calls(definition, "GetValue") or case.type_of(node.value) != "str":
            continue
        return Diagnosis(
            "one value where several are expected",
            f"GetValue found one row, so {node.value.id} is its text, and {case.source(node)} a letter of it.",
            node.lineno,
            replacing(case.plan, node, node.value.id),
            0.85,
            ('Write GetValue(table, "COL, list") for a list in any case.',),
        )
    return None


def _queries(case: Case) -> Iterator[_Sql]:
    """The SQL texts of the plan that can be read."""
    from sqlglot import parse_one
    from sqlglot.errors import SqlglotError

    for node in case.nodes(ast.Call):
        literal = literal_at(case, node.args[0]) if calls(node, "SQLInterpreter") and node.args else None
        if literal is None:
            continue
        text = re.sub(r"\{[^{}]*\}", "0", literal.inner) if literal.formatted else literal.inner
        try:
            yield _Sql(node.lineno, literal, parse_one(text, read=case.facts.engine.dialect))
        except (SqlglotError, RecursionError):
            continue


def _compared(case: Case) -> Iterator[tuple[_Sql, model.Table, model.Column, str, exp.EQ]]:
    """The columns that SQL compares with a text, the text, and the comparison."""
    from sqlglot import exp

    for sql in _queries(case):
        sources = sql.sources(case)
        for equality in sql.tree.find_all(exp.EQ):
            column, value = equality.left, equality.right
            if not isinstance(column, exp.Column) or not isinstance(value, exp.Literal):
                continue
            owners = [sources[column.table.lower()]] if column.table.lower() in sources else list(sources.values())
            for table in owners:
                found = table.column(column.name)
                if found is None or found.is_time:
                    continue
                if value.is_string or (found.is_number and is_link(case.schema, table, found.name)):
                    yield sql, table, found, str(value.this), equality
                    break
