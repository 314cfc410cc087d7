"""Codes of the ICD in query logic, as conditions on a column: a code, a family of them, a range.

Dots do not count (`428.0` is `4280`), nor does a vocabulary that a database writes before a bar (`icd9|4280`). A text
may name the vocabulary itself (`icd9|250.*`), for databases whose records have codes of both revisions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.sql import Sql

_FAMILY = re.compile(r"(?=.*\d)(?P<first>[A-Za-z\d][\w.]*?)(?P<open>\.?\*)?")
_RANGE = re.compile(r"(?P<first>[A-Za-z]?\d+)\s*-\s*(?P<last>[A-Za-z]?\d+)")
_VOCABULARY = re.compile(r"(?P<name>icd9|icd10)\|(?P<code>.*)", re.IGNORECASE)
_LONGEST_ICD9 = 5
_WIDEST = 1000
_LONGEST = 18
"""How many beginnings of codes a range may have where each is looked for."""


def coded(texts: Iterable[str], column: Sql, of: Sql | None = None) -> Sql:
    """That the code in a column is one of these, of one of these families (`428.*`) or in one of these ranges
    (`401-405`). `of` is the column that tells the vocabulary, where the codes do not. Raises LogicError."""
    by_vocabulary: dict[str, list[str]] = {}
    for text in texts:
        vocabulary, code = _vocabulary(text)
        by_vocabulary.setdefault(vocabulary, []).append(code)
    found: list[Sql] = []
    for vocabulary, codes in by_vocabulary.items():
        conditions = sql.either(_of_codes(codes, column))
        if vocabulary:
            told = _told(vocabulary, column if of is None else of, column)
            conditions = exp.paren(exp.and_(conditions, *told))
        found.append(conditions)
    return sql.either(found)


def listed(texts: Iterable[str], column: Sql) -> Sql:
    """That one of the codes that a text lists, with commas between, is one of these, as `coded` has them; a vocabulary
    is not looked at."""
    between = exp.DPipe(this=sql.literal(", "), expression=exp.Upper(this=_bare(column)))
    codes = exp.DPipe(this=between, expression=sql.literal(","))
    patterns: list[str] = []
    for text in texts:
        code = _vocabulary(text)[1]
        if (ends := _range(code)) is not None:
            patterns += [f"%, {one}%" for one in _heads(*ends)]
        else:
            plain, whole = _family(code)
            patterns.append(f"%, {plain},%" if whole else f"%, {plain}%")
    return sql.either([exp.Like(this=codes.copy(), expression=sql.literal(one)) for one in dict.fromkeys(patterns)])


def _of_codes(texts: Sequence[str], column: Sql) -> list[Sql]:
    """The conditions of codes without a vocabulary; families with beginnings of one length are looked up together."""
    bare = _bare(column)
    start = exp.Add(this=sql.call("instr", bare, sql.literal("|")), expression=sql.literal(1))
    code = sql.call("substr", exp.Upper(this=bare.copy()), start)
    whole: list[str] = []
    heads: dict[int, list[str]] = {}
    found: list[Sql] = []
    for text in texts:
        if (ends := _range(text)) is not None:
            head = sql.call("substr", code.copy(), sql.literal(1), sql.literal(len(ends[0])))
            found.append(exp.Between(this=head, low=sql.literal(ends[0]), high=sql.literal(ends[1])))
            continue
        plain, is_whole = _family(text)
        if is_whole:
            whole.append(plain)
        else:
            heads.setdefault(len(plain), []).append(plain)
    if whole:
        found.append(sql.one_of(code.copy(), list(dict.fromkeys(whole))))
    for length, plains in heads.items():
        if len(plains) == 1:
            found.append(exp.Like(this=code.copy(), expression=sql.literal(f"{plains[0]}%")))
        else:
            head = sql.call("substr", code.copy(), sql.literal(1), sql.literal(length))
            found.append(sql.one_of(head, list(dict.fromkeys(plains))))
    return found


def _vocabulary(text: str) -> tuple[str, str]:
    """The vocabulary that a text names ("" for none), and what it says of codes."""
    named = _VOCABULARY.fullmatch(text)
    return (named["name"].lower(), named["code"]) if named is not None else ("", text)


def _told(vocabulary: str, of: Sql, code: Sql) -> list[Sql]:
    """That a code is of a vocabulary: ICD-9's are short, and where one is told before a bar it is this one."""
    bar = sql.call("instr", of.copy(), sql.literal("|"))
    number = vocabulary.removeprefix("icd")
    untold = exp.EQ(this=bar, expression=sql.literal(0))
    told: list[Sql] = [sql.either([untold, exp.Like(this=of.copy(), expression=sql.literal(f"%{number}|%"))])]
    if number == "9":
        start = exp.Add(this=sql.call("instr", code.copy(), sql.literal("|")), expression=sql.literal(1))
        bare = sql.call("substr", _bare(code.copy()), start)
        told.append(exp.LTE(this=sql.call("length", bare), expression=sql.literal(_LONGEST_ICD9)))
    return told


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
    if not len(start) == len(end) <= _LONGEST or not end.isdigit() or int(end) - int(start) >= _WIDEST:
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
