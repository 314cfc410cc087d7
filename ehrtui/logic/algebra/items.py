"""What records are about, as conditions on their item columns."""

from __future__ import annotations

import re

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.model import Item
from ehrtui.logic.algebra.scope import Scope
from ehrtui.logic.algebra.sql import Sql

_FAMILY = re.compile(r"(?=.*\d)(?P<first>[A-Za-z\d][\w.]*?)(?P<open>\.?\*)?")
_VOCABULARY = re.compile(r"(?P<name>icd9|icd10)\|(?P<code>.*)", re.IGNORECASE)
_LONGEST_ICD9 = 5
_WIDEST = 1000
"""How many beginnings of codes a range may have where each is looked for."""
_RANGE = re.compile(r"(?P<first>[A-Za-z]?\d+)\s*-\s*(?P<last>[A-Za-z]?\d+)")


def about(scope: Scope) -> list[Sql]:
    """The conditions that a record of the scope is about one of its items; none where it names none. Raises
    LogicError."""
    items, role = scope.of.items, scope.role
    if not items:
        return []
    if role.wide:
        columns = [role.wide[item.text] for item in items if item.kind == "name" and item.text in role.wide]
        return [sql.either([sql.present(scope.column(one)) for one in columns])] if columns else [exp.false()]
    if not role.item:
        raise LogicError(f"Records of the kind “{scope.unit}” have no name here.", next_step="Leave the name out.")
    if role.dictionary is None:
        return [_among(items, scope.column(role.item), scope)]
    entry = role.dictionary
    source = sql.relation(scope.at.profile.relation(entry.table, "item"))
    where = [sql.fragment(entry.where, "item")] if entry.where else []
    coded = [item for item in items if item.kind == "code"]
    codes = _code_column(scope) if coded else ""
    keyed = items if codes == role.item else tuple(item for item in items if item.kind != "code")
    found: list[Sql] = []
    if keyed:
        key = sql.column("item", entry.key)
        named = _among(keyed, sql.column("item", entry.name), scope, code=key, longer=entry.long)
        keys = sql.selected([(entry.key, key)], source, where=[*where, named])
        found.append(exp.In(this=scope.column(role.item), query=exp.Subquery(this=keys)))
    # A code may be used that the dictionary lacks, or that is beside what the dictionary is about.
    found += [_coded(item.text, scope.column(codes), of=scope.column(role.item)) for item in coded]
    return [sql.either(found)]


def _among(items: tuple[Item, ...], name: Sql, scope: Scope, *, code: Sql | None = None, longer: str = "") -> Sql:
    conditions: list[Sql] = []
    if names := [item.text for item in items if item.kind == "name"]:
        conditions.append(sql.one_of(name, names))
    for item in items:
        if item.kind == "like":
            conditions.append(sql.like(name, item.text))
            if longer:
                conditions.append(sql.like(sql.column("item", longer), item.text))
        elif item.kind == "code":
            if code is not None:
                conditions.append(_coded(item.text, code))
            else:
                codes = _code_column(scope)
                coded = _one_coded if codes in scope.role.listed else _coded
                conditions.append(coded(item.text, scope.column(codes)))
        elif item.kind == "concept":
            raise LogicError(
                f"There is no concept “{item.text}” here.", next_step="Name the stored entries, or a family of codes."
            )
    return sql.either([one.copy() for one in conditions])


def _code_column(scope: Scope) -> str:
    column = scope.role.fields.get("code", "")
    if not column:
        raise LogicError(f"Records of the kind “{scope.unit}” have no codes here.", next_step="Name them.")
    return column


def _coded(text: str, column: Sql, of: Sql | None = None) -> Sql:
    """That a code is this one, of this family (`428.*`) or in this range (`401-405`). Dots do not count, nor does a
    vocabulary before a bar ("icd9|4280"), unless the text begins with one; `of` is the column that tells it, where the
    codes do not."""
    if (limited := _VOCABULARY.fullmatch(text)) is not None:
        told = _of_vocabulary(limited["name"], column if of is None else of, column)
        return exp.and_(_coded(limited["code"], column), *told)
    bare = _bare(column)
    start = exp.Add(this=sql.call("instr", bare, sql.literal("|")), expression=sql.literal(1))
    code = sql.call("substr", exp.Upper(this=bare), start)
    if (ends := _range(text)) is not None:
        first, last = ends
        head = sql.call("substr", code, sql.literal(1), sql.literal(len(first)))
        return exp.Between(this=head, low=sql.literal(first), high=sql.literal(last))
    plain, whole = _family(text)
    if whole:
        return exp.EQ(this=code, expression=sql.literal(plain))
    return exp.Like(this=code, expression=sql.literal(f"{plain}%"))


def _of_vocabulary(name: str, of: Sql, code: Sql) -> list[Sql]:
    """That a code is of a vocabulary: ICD-9's are short, and where one is told before a bar it is this one."""
    bar = sql.call("instr", of.copy(), sql.literal("|"))
    number = name.lower().removeprefix("icd")
    untold = exp.EQ(this=bar, expression=sql.literal(0))
    told: list[Sql] = [exp.paren(exp.or_(untold, exp.Like(this=of.copy(), expression=sql.literal(f"%{number}|%"))))]
    if number == "9":
        start = exp.Add(this=sql.call("instr", code.copy(), sql.literal("|")), expression=sql.literal(1))
        bare = sql.call("substr", _bare(code.copy()), start)
        told.append(exp.LTE(this=sql.call("length", bare), expression=sql.literal(_LONGEST_ICD9)))
    return told


def _one_coded(text: str, column: Sql) -> Sql:
    """That one of the codes that a text lists is this one, of this family or in this range."""
    if (limited := _VOCABULARY.fullmatch(text)) is not None:
        return _one_coded(limited["code"], column)
    between = exp.DPipe(this=sql.literal(", "), expression=exp.Upper(this=_bare(column)))
    codes = exp.DPipe(this=between, expression=sql.literal(","))
    if (ends := _range(text)) is not None:
        patterns = [f"%, {one}%" for one in _heads(*ends)]
    else:
        plain, whole = _family(text)
        patterns = [f"%, {plain},%" if whole else f"%, {plain}%"]
    return sql.either([exp.Like(this=codes.copy(), expression=sql.literal(one)) for one in patterns])


def _bare(column: Sql) -> Sql:
    return exp.Replace(this=column, expression=sql.literal("."), replacement=sql.literal(""))


def _range(text: str) -> tuple[str, str] | None:
    """The first and the last beginning of the codes in a range; None where the text is none."""
    found = _RANGE.fullmatch(text)
    if found is None:
        return None
    first, last = found["first"].upper(), found["last"].upper()
    if len(first) != len(last) or first > last:
        raise LogicError(f"{text} is no range of codes.", next_step="Write the first and the last, as in 401-405.")
    return first, last


def _heads(first: str, last: str) -> list[str]:
    """Every beginning of a code between two: 401, 402, … 405."""
    letter = first[:1] if first[:1].isalpha() else ""
    start, end = first.removeprefix(letter), last.removeprefix(letter)
    if not end.isdigit() or len(start) != len(end) or int(end) - int(start) >= _WIDEST:
        raise LogicError(
            f"{first}-{last} is too wide a range where a text lists several codes.",
            next_step=f"Write ranges of one letter, and of at most {_WIDEST} codes.",
        )
    return [f"{letter}{one:0{len(start)}}" for one in range(int(start), int(end) + 1)]


def _family(text: str) -> tuple[str, bool]:
    """A code without dots, and whether it is a whole one."""
    family = _FAMILY.fullmatch(text)
    if family is None:
        raise LogicError(
            f"{text} is no code.", next_step="Write a code (428.0), a family (428.*) or a range (401-405)."
        )
    return family["first"].replace(".", "").upper(), family["open"] is None
