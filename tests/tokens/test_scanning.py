"""Plain SQL cut into tokens: the same ones as sqlglot's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import Token
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from ehrtui.tokens.scanning import scanned

PIECES = [
    *(
        "select",
        "group",
        "by",
        "order",
        "partition",
        "double",
        "precision",
        "user",
        "-defined",
        "begin",
        "explain",
        "é",
    ),
    *("x", "n", "a.b", "1", "1.5", ".5", "1e5", "1e", "0x1", "1_0", "²", "PREV_RESULT1", "prev_query2", "is", "isnull"),
    *("'", "''", "'it''s'", '"', '"a"', "`", "[", "]", "(", ")", ",", ";", "<", ">", "=", "!=", "<>", "||", "|", "-"),
    *(
        "--",
        "/*",
        "*/",
        "+",
        "*",
        "/",
        "%",
        "$",
        "@",
        "#",
        "?",
        ":",
        "\\",
        "{",
        "}",
        "^",
        "&",
        "~",
        "\n",
        "\t",
        "\u00a0",
    ),
]
DIALECTS = ("sqlite", "duckdb", "postgres", "spark")


def facts(tokens: list[Token]) -> list[tuple[object, str, int, int]]:
    return [(token.token_type, token.text, token.start, token.end) for token in tokens]


def read(sql: str, dialect: str) -> list[tuple[object, str, int, int]] | None:
    try:
        return facts(Dialect.get_or_raise(dialect).tokenize(sql))
    except SqlglotError:
        return None


@given(
    pieces=st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", "  "])), max_size=9),
    dialect=st.sampled_from(DIALECTS),
)
def test_any_text_has_the_tokens_that_sqlglot_finds(pieces: list[tuple[str, str]], dialect: str) -> None:
    sql = "".join(map("".join, pieces))
    expected = read(sql, dialect)
    if expected is None:
        with pytest.raises(SqlglotError):
            scanned(sql, dialect)
    else:
        assert facts(scanned(sql, dialect)) == expected


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT drug, count(*) AS n FROM prescriptions WHERE hadm_id IN (PREV_RESULT1) GROUP  BY drug ORDER BY n",
        "PREV_QUERY2 AND valuenum >= 1.5e-3 AND label <> 'it''s \"so\"'",
        'SELECT "a ""b""", x.y || \'é\' FROM t -- why\n WHERE /* not */ `c` = [d] AND e = x\'00ff\';',
    ],
)
def test_a_statement_has_the_tokens_that_sqlglot_finds(sql: str, dialect: str) -> None:
    assert facts(scanned(sql, dialect)) == read(sql, dialect)
