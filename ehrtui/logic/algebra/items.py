"""What records are about, as conditions on their item columns."""

from __future__ import annotations

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.codes import coded, listed
from ehrtui.logic.algebra.model import Item
from ehrtui.logic.algebra.scope import Scope
from ehrtui.logic.algebra.sql import Sql

_MANY = 8
"""From so many patterns on, each stored name is compared once, and not each record's."""


def about(scope: Scope, items: tuple[Item, ...]) -> list[Sql]:
    """The conditions that a record of the scope is about one of the items; none where there are none. Raises
    LogicError."""
    role = scope.role
    if not items:
        return []
    if role.wide:
        columns = [role.wide[item.text] for item in items if item.kind == "name" and item.text in role.wide]
        return [sql.either([sql.present(scope.column(one)) for one in columns])] if columns else [exp.false()]
    if not role.item:
        raise LogicError(f"Records of the kind “{scope.unit}” have no name here.", next_step="Leave the name out.")
    if role.dictionary is None:
        return [_undictionaried(items, scope)]
    entry = role.dictionary
    source = sql.relation(scope.at.relation(entry.table, "item"))
    where = [sql.fragment(entry.where, "item")] if entry.where else []
    texts = [item.text for item in items if item.kind == "code"]
    named = tuple(item for item in items if item.kind != "code")
    found: list[Sql] = []
    if named:
        key = sql.column("item", entry.key)
        among = _among(named, sql.column("item", entry.name), longer=entry.long)
        keys = sql.selected([(entry.key, key)], source, where=[*where, among])
        found.append(exp.In(this=scope.column(role.item), query=exp.Subquery(this=keys)))
    if texts:  # a code may be used that the dictionary lacks, or stand beside what the dictionary is about
        found.append(coded(texts, scope.column(_code_column(scope)), of=scope.column(role.item)))
    return [sql.either(found)]


def _undictionaried(items: tuple[Item, ...], scope: Scope) -> Sql:
    """That a record whose item is its name is about one of the items."""
    role, name = scope.role, scope.column(scope.role.item)
    named = tuple(item for item in items if item.kind != "code")
    conditions: list[Sql] = []
    if len(named) < _MANY:
        conditions += [_among(named, name)] if named else []
    else:
        stored = sql.column("stored", role.item)
        source = sql.relation(scope.at.relation(role.table, "stored"))
        # Of an aggregate, as SQLite would move a condition on the name itself to the records.
        among = _among(named, exp.Max(this=stored))
        names = sql.selected([(role.item, stored)], source, group=[stored.copy()], having=among)
        conditions.append(exp.In(this=name, query=exp.Subquery(this=names)))
    if texts := [item.text for item in items if item.kind == "code"]:
        codes = _code_column(scope)
        column = scope.column(codes)
        conditions.append(listed(texts, column) if codes in role.listed else coded(texts, column))
    return sql.either(conditions)


def _among(items: tuple[Item, ...], name: Sql, *, longer: str = "") -> Sql:
    conditions: list[Sql] = []
    if names := [item.text for item in items if item.kind == "name"]:
        conditions.append(sql.one_of(name.copy(), names))
    for item in items:
        if item.kind == "like":
            conditions.append(sql.like(name.copy(), item.text))
            if longer:
                conditions.append(sql.like(sql.column("item", longer), item.text))
        elif item.kind == "concept":
            raise LogicError(
                f"There is no concept “{item.text}” here.", next_step="Name the stored entries, or a family of codes."
            )
    return sql.either(conditions)


def _code_column(scope: Scope) -> str:
    column = scope.role.fields.get("code", "")
    if not column:
        raise LogicError(f"Records of the kind “{scope.unit}” have no codes here.", next_step="Name them.")
    return column
