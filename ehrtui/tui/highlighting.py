"""Which stretches of a plan, SQL or query logic are keywords, strings, numbers …: by Pygments, without a parser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Literal, TypeAlias

Language: TypeAlias = Literal["logic", "python", "sql"]

Span: TypeAlias = tuple[int, int, str]
"""[start, end) in characters of one line, and its class: one of CLASSES."""

CLASSES = ("keyword", "string", "number", "comment", "function", "reference")
MAX_CHARS = 50_000
"""Longer texts stay plain: colouring happens at every keystroke."""

_LOGIC = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)
    |(?P<comment>\#.*)
    |(?P<reference>\b(?:A|PREV_RESULT|PREV_QUERY)\d+\b)
    |(?P<number>\b\d[\d.:/-]*\b)
    |(?P<function>\b[A-Za-z_]\w*(?=\())
    |(?P<keyword>\b(?:of|in|on|at|by|with|without|where|and|or|not|for|since|until|before|after|within|during|between
        |first|last|second|current|this|per|top|count|list|exists|sum|mean|average|min|max|true|false)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_SQL_STRING = re.compile(r"(?:\"{3}|'{3}|[\"'])(?=\s*(?:SELECT|WITH)\b)", re.IGNORECASE)
_REFERENCE = re.compile(r"PREV_(?:RESULT|QUERY)\d+", re.IGNORECASE)


def spans(language: Language, text: str) -> list[list[Span]]:
    """The spans of every line of `text`; a text over MAX_CHARS has none."""
    lines = text.split("\n")
    found: list[list[Span]] = [[] for _ in lines]
    if len(text) > MAX_CHARS:
        return found
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    row = 0
    for start, end, kind in _logic(text) if language == "logic" else _pygments(language, text):
        while start >= starts[row + 1]:
            row += 1
        for at in range(row, len(lines)):
            if starts[at] >= end:
                break
            first, last = max(start - starts[at], 0), min(end - starts[at], len(lines[at]))
            if first < last:
                found[at].append((first, last, kind))
    return found


def _logic(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _LOGIC.finditer(text):
        yield match.start(), match.end(), match.lastgroup or ""


def _pygments(language: Language, text: str) -> Iterator[tuple[int, int, str]]:
    from pygments.lexers.python import PythonLexer  # type: ignore[import-untyped]
    from pygments.lexers.sql import SqlLexer  # type: ignore[import-untyped]
    from pygments.token import Comment, Keyword, Name, Number, Operator, String  # type: ignore[import-untyped]

    classes = (
        (Keyword, "keyword"),
        (Operator.Word, "keyword"),
        (String, "string"),
        (Number, "number"),
        (Comment, "comment"),
        (Name.Builtin, "function"),
        (Name.Function, "function"),
    )
    lexer = PythonLexer() if language == "python" else SqlLexer()
    tokens = lexer.get_tokens_unprocessed(text)
    for start, token, value in _whole_strings(tokens, String) if language == "python" else tokens:
        if language == "python" and (opening := _SQL_STRING.match(value)):
            quotes = opening.end()
            yield start, start + quotes, "string"
            for at, end, kind in _pygments("sql", value[quotes:-quotes]):
                yield start + quotes + at, start + quotes + end, kind
            yield start + len(value) - quotes, start + len(value), "string"
            continue
        if _REFERENCE.fullmatch(value):
            yield start, start + len(value), "reference"
            continue
        for parent, kind in classes:
            if token in parent:
                yield start, start + len(value), kind
                break


def _whole_strings(tokens: Iterable[Any], string: Any) -> Iterator[Any]:
    """The tokens, with the pieces into which a lexer cuts a string (quotes, lines, escapes) put together again."""
    for is_string, pieces in groupby(tokens, key=lambda token: token[1] in string):
        if is_string:
            run = list(pieces)
            yield run[0][0], string, "".join(piece[2] for piece in run)
        else:
            yield from pieces
