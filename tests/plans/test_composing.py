from __future__ import annotations

import sqlite3

import pytest

from ehrtui.errors import ToolError
from ehrtui.plans.composing import Query, compose


def composed(sql: str, **tables: Query) -> Query:
    return compose(sql, tables, "sqlite")


@pytest.fixture
def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE TABLE stays (id INT, patient INT); INSERT INTO stays VALUES (1, 10), (2, 10), (3, 20);"
        "CREATE TABLE labs (stay INT, value INT); INSERT INTO labs VALUES (1, 5), (2, 6), (3, 7);"
    )
    return connection


def values(database: sqlite3.Connection, query: Query) -> list[int]:
    return sorted(row[0] for row in database.execute(query.text))


def test_a_table_becomes_a_named_query() -> None:
    query = composed("SELECT value FROM picked", picked=Query("SELECT * FROM labs"))
    assert query.text == "WITH picked AS (\nSELECT * FROM labs\n)\nSELECT value FROM picked"


def test_named_queries_stand_side_by_side() -> None:
    first = composed("SELECT id FROM stays WHERE patient = 10")
    second = composed("SELECT value FROM labs WHERE stay IN (SELECT id FROM mine)", mine=first)
    third = composed("SELECT max(value) FROM found, mine", found=second, mine=first)
    assert third.text == (
        "WITH mine AS (\nSELECT id FROM stays WHERE patient = 10\n),\n"
        "found AS (\nSELECT value FROM labs WHERE stay IN (SELECT id FROM mine)\n)\n"
        "SELECT max(value) FROM found, mine"
    )


def test_the_statements_own_with_follows(database: sqlite3.Connection) -> None:
    query = composed(
        "with recursive n(x) as (select 1 union all select x + 1 from n where x < 3) select value from picked, n",
        picked=Query("SELECT value FROM labs WHERE stay = 1"),
    )
    assert query.text.startswith("WITH recursive picked AS (\nSELECT value FROM labs WHERE stay = 1\n),\nn(x) as (")
    assert values(database, query) == [5, 5, 5]


def test_comments_and_a_closing_semicolon_do_not_swallow_what_follows(database: sqlite3.Connection) -> None:
    first = composed("-- all\nSELECT value FROM labs WHERE stay = ';' OR stay = 1; -- done")
    assert values(database, composed("SELECT value FROM picked", picked=first)) == [5]


def test_a_name_within_a_text_or_comment_stays(database: sqlite3.Connection) -> None:
    query = composed(
        "SELECT count(*) FROM stays WHERE 'from stays' = /* from stays */ 'from stays'",
        stays=Query("SELECT * FROM stays WHERE id = 1"),
    )
    assert "'from stays' = /* from stays */ 'from stays'" in query.text
    assert values(database, query) == [1]


def test_a_table_named_like_a_table_of_the_database_gets_another_name(database: sqlite3.Connection) -> None:
    mine = Query("SELECT * FROM stays WHERE patient = 10")
    query = composed("SELECT stays.id FROM stays, (SELECT 1) JOIN stays other ON other.id = stays.id", stays=mine)
    assert values(database, query) == [1, 2]


def test_the_same_name_under_two_tables_keeps_both_meanings(database: sqlite3.Connection) -> None:
    ten = composed("SELECT value FROM labs JOIN s ON s.id = stay", s=Query("SELECT id FROM stays WHERE patient = 10"))
    twenty = composed(
        "SELECT value FROM labs JOIN s ON s.id = stay", s=Query("SELECT id FROM stays WHERE patient = 20")
    )
    query = composed("SELECT value FROM a UNION ALL SELECT value FROM b", a=ten, b=twenty)
    assert values(database, query) == [5, 6, 7]


def test_a_lifted_name_never_captures_a_table_of_the_database(database: sqlite3.Connection) -> None:
    picked = composed("SELECT value FROM stays", stays=Query("SELECT value FROM labs WHERE value = 7"))
    query = composed("SELECT count(*) FROM stays, picked", picked=picked)
    assert values(database, query) == [3]


def test_a_name_that_the_statement_defines_itself_is_refused() -> None:
    with pytest.raises(ToolError, match="defines s itself"):
        composed("WITH s AS (SELECT 1) SELECT * FROM s", s=Query("SELECT 2"))


@pytest.mark.parametrize("sql", ["", " ; ", "-- nothing", "/* nothing */"])
def test_a_statement_of_nothing_is_refused(sql: str) -> None:
    with pytest.raises(ToolError, match="no SQL"):
        composed(sql)


def test_a_text_that_is_not_closed_is_refused() -> None:
    with pytest.raises(ToolError, match="cannot be read"):
        composed("SELECT 'open")
