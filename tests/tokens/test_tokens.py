from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.engines.engine import Row
from ehrtui.errors import QueryError, TokenError
from ehrtui.plans.reports import Statement
from ehrtui.tokens.prev import expand
from ehrtui.tokens.reference import Reference
from tests.tokens.talk import NOW, Talk

ON_ASPIRIN = "SELECT subject_id FROM drugs WHERE drug = 'aspirin' ORDER BY row_id; -- PREV_RESULT7"


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT gender FROM patients WHERE subject_id IN (PREV_RESULT1)", [("m",), ("f",), ("f",)]),
        ("SELECT gender FROM patients WHERE subject_id in prev_result1", [("m",), ("f",), ("f",)]),
        ("SELECT gender FROM patients WHERE subject_id NOT IN ((Prev_Query1))", [(None,)]),
        ("SELECT gender FROM patients WHERE subject_id = ( PREV_RESULT1 )", [("m",)]),
        ("SELECT gender FROM patients WHERE (PREV_RESULT1) = subject_id", [("m",)]),
        (
            "SELECT gender FROM patients WHERE subject_id BETWEEN (PREV_RESULT1) AND (PREV_RESULT1) + 1",
            [("m",), ("f",)],
        ),
        ("SELECT count(*) FROM (PREV_QUERY1) AS t1", [(3,)]),
        ("SELECT t.subject_id FROM PREV_RESULT1 t WHERE t.subject_id > 1", [(2,), (3,)]),
        ("SELECT PREV_RESULT1.subject_id FROM PREV_RESULT1 WHERE PREV_RESULT1.subject_id > 2", [(3,)]),
        (
            "SELECT gender FROM patients p JOIN (PREV_RESULT1) t ON t.subject_id = p.subject_id",
            [("m",), ("f",), ("f",)],
        ),
        ("SELECT count(*) FROM patients, PREV_RESULT1", [(12,)]),
        ("SELECT count(*) FROM (patients JOIN PREV_RESULT1 USING (subject_id))", [(3,)]),
        ("WITH w AS (PREV_RESULT1), x AS MATERIALIZED (PREV_QUERY1) SELECT count(*) FROM w, x", [(9,)]),
        ("SELECT (PREV_RESULT1) - (PREV_RESULT1) * 3", [(-2,)]),
        ("SELECT abs(PREV_RESULT1), coalesce((PREV_RESULT1), 0), max(PREV_RESULT1, 7)", [(1, 1, 7)]),
        ("SELECT CASE WHEN (PREV_RESULT1 > 0 AND PREV_RESULT1 < 2) THEN 'one' END", [("one",)]),
        ("SELECT EXISTS (PREV_RESULT1), EXISTS (PREV_QUERY1 AND dose > 99)", [(1, 0)]),
        ("PREV_RESULT1", [(1,), (2,), (3,)]),
        (" ( PREV_QUERY1 ) ; ", [(1,), (2,), (3,)]),
        ("PREV_QUERY1 UNION SELECT 9 ORDER BY 1 DESC LIMIT 2", [(9,), (3,)]),
        ("SELECT 9 UNION ALL PREV_QUERY1 AND dose > 2 ORDER BY 1", [(2,), (3,), (9,)]),
        ("PREV_QUERY1 AND dose < 2 INTERSECT PREV_RESULT1", [(1,)]),
        ("SELECT * FROM (PREV_QUERY1 EXCEPT SELECT 2) ORDER BY 1", [(1,), (3,)]),
    ],
)
def test_tokens_in_every_position(talk: Talk, sql: str, rows: list[Row]) -> None:
    talk.turn(ON_ASPIRIN)
    assert talk.turn(sql) == rows
    assert talk.expand(sql).depends_on == (1,)


@pytest.mark.parametrize(
    ("base", "tail", "rows"),
    [
        ("SELECT drug FROM drugs WHERE dose > 2", "", [("aspirin",), ("aspirin",), ("insulin",)]),
        ("SELECT drug FROM drugs", "WHERE subject_id = 1", [("aspirin",), ("heparin",)]),
        ("SELECT drug FROM drugs -- all\n;", "AND subject_id = 2", [("aspirin",)]),
        ("SELECT row_id FROM drugs WHERE dose = 2 OR dose = 5", "AND drug = 'aspirin'", [(5,)]),
        ("SELECT row_id FROM drugs WHERE dose = 2 OR dose = 5", "WHERE drug = 'aspirin' OR row_id = 2", [(2,), (5,)]),
        ("SELECT row_id FROM drugs WHERE dose = 2 AND drug = 'heparin'", "OR dose = 5", [(2,), (5,)]),
        (
            "SELECT row_id FROM drugs WHERE dose > 1 ORDER BY dose",
            "AND drug = 'aspirin' ORDER BY at DESC LIMIT 1",
            [(5,)],
        ),
        ("SELECT row_id FROM drugs ORDER BY row_id DESC", "AND dose > 2", [(6,), (5,), (3,)]),
        ("SELECT row_id FROM drugs ORDER BY row_id DESC", "LIMIT 1 OFFSET 1", [(5,)]),
        (
            "SELECT DISTINCT drug FROM drugs",
            "WHERE subject_id IN (1, 3) ORDER BY drug",
            [("aspirin",), ("codeine",), ("heparin",)],
        ),
        ("SELECT count(*) FROM drugs WHERE dose > 1", "AND drug = 'aspirin'", [(3,)]),
        ("SELECT count(*) FROM drugs", "GROUP BY drug ORDER BY 1 DESC LIMIT 1", [(3,)]),
        ("SELECT drug, count(*) FROM drugs GROUP BY drug", "HAVING count(*) > 1", [("aspirin", 3)]),
        (
            "SELECT drug, count(*) FROM drugs GROUP BY drug",
            "WHERE drugs.drug > 'b' ORDER BY drug LIMIT 1",
            [("codeine", 1)],
        ),
        ("SELECT drug FROM drugs GROUP BY drug HAVING count(*) > 2 OR drug = 'x'", "AND max(dose) > 4", [("aspirin",)]),
        (
            "SELECT drug FROM drugs GROUP BY drug HAVING count(*) > 2",
            "OR drug = 'heparin' ORDER BY 1",
            [("aspirin",), ("heparin",)],
        ),
        (
            "SELECT row_id, drug FROM drugs ORDER BY row_id LIMIT 3",
            "AND drugs.drug = 'aspirin'",
            [(1, "aspirin"), (3, "aspirin")],
        ),
        ("SELECT row_id FROM drugs ORDER BY row_id LIMIT 3", "ORDER BY row_id DESC LIMIT 1", [(3,)]),
        (
            "SELECT row_id FROM drugs WHERE dose > 4 UNION SELECT 9",
            "WHERE row_id > 5 ORDER BY row_id DESC",
            [(9,), (6,)],
        ),
        ("WITH d AS (SELECT * FROM drugs WHERE dose > 2) SELECT row_id FROM d", "AND drug = 'insulin'", [(6,)]),
        (
            "SELECT row_id FROM drugs WHERE dose IN (SELECT max(dose) FROM drugs WHERE drug = 'aspirin')",
            "AND row_id > 0",
            [(5,)],
        ),
        (
            "SELECT p.subject_id, d.subject_id FROM patients p, drugs d ORDER BY 1, 2 LIMIT 2",
            "WHERE subject_id_2 = 1",
            [(1, 1), (1, 1)],
        ),
        (
            "SELECT row_id, 'ORDER BY' AS \"WHERE\" FROM drugs WHERE drug = 'GROUP BY' OR row_id = 1",
            "AND row_id = 1",
            [(1, "ORDER BY")],
        ),
        ("SELECT max(row_id) OVER () AS m, row_id FROM drugs", "ORDER BY dose DESC LIMIT 1", [(6, 5)]),
    ],
)
def test_continuations_join_the_clauses_of_the_query(talk: Talk, base: str, tail: str, rows: list[Row]) -> None:
    talk.turn(base)
    assert talk.turn(f"PREV_QUERY1 {tail} ;") == rows
    count = f"SELECT count(*) FROM (prev_query1 {tail} -- why\n) AS t"
    assert talk.turn(count) == [(len(rows),)]


def test_a_continuation_may_name_other_turns(talk: Talk) -> None:
    talk.turn(ON_ASPIRIN)
    talk.turn("SELECT drug FROM drugs")
    talk.turn("PREV_QUERY2 WHERE subject_id IN (PREV_RESULT1)")
    last = "PREV_QUERY3 AND at IS NOT NULL AND subject_id IN (PREV_QUERY1 AND dose > 2) ORDER BY at LIMIT 1"
    assert talk.turn(last) == [("aspirin",)]
    assert talk.expand(last).depends_on == (1, 3)


def test_a_continued_result_is_its_rows(talk: Talk) -> None:
    talk.turn("SELECT subject_id, max(dose) FROM drugs GROUP BY subject_id")
    assert talk.turn('PREV_RESULT1 WHERE drugs.subject_id < 3 ORDER BY "max(dose)" DESC') == [(2, 3.0), (1, 2.0)]
    assert talk.turn("PREV_RESULT1 ORDER BY subject_id DESC LIMIT 1") == [(4, 4.5)]


LATEST = "SELECT subject_id, drug FROM drugs WHERE drug = 'aspirin' ORDER BY at DESC LIMIT 2"


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT count(*) FROM patients WHERE subject_id IN (PREV_RESULT1)", [(2,)]),
        ("SELECT gender FROM patients p WHERE p.subject_id NOT IN (PREV_RESULT1)", [("m",), (None,)]),
        ("SELECT dob FROM patients p WHERE p.subject_id = (PREV_RESULT1)", [("2070-03-03",)]),
        ("SELECT dob FROM patients p WHERE (PREV_RESULT1) = p.subject_id", [("2070-03-03",)]),
        ("SELECT dob FROM (SELECT subject_id AS id, dob FROM patients) WHERE id = (PREV_RESULT1)", [("2070-03-03",)]),
        ("SELECT row_id FROM drugs WHERE (subject_id, drug) IN (PREV_RESULT1)", [(3,), (5,)]),
        ("SELECT row_id FROM drugs WHERE drug IN (PREV_QUERY1 AND subject_id = 2)", [(1,), (3,), (5,)]),
    ],
)
def test_of_several_columns_the_one_of_the_other_side_is_taken(talk: Talk, sql: str, rows: list[Row]) -> None:
    talk.turn(LATEST)
    assert talk.turn(sql) == rows


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT row_id FROM drugs WHERE (drug, row_id, dose) IN (PREV_RESULT1)",
        "SELECT (PREV_RESULT1)",
        "SELECT gender FROM patients WHERE gender IN (PREV_RESULT1)",
        "SELECT row_id FROM drugs WHERE lower(drug) IN (PREV_RESULT1)",
    ],
)
def test_several_columns_without_a_choice_are_named(talk: Talk, sql: str) -> None:
    talk.turn(LATEST)
    with pytest.raises(TokenError, match="subject_id, drug"):
        talk.expand(sql)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT * FROM (PREV_RESULT9) t", ["PREV_RESULT9", "1, 2"]),
        ("PREV_RESULT0", ["PREV_RESULT0", "1, 2"]),
        ("SELECT * FROM PREV_QUERY", ["which turn", "PREV_QUERY1 for A1"]),
        ("SELECT * FROM PREV_RESULT" + "9" * 5000, ["1, 2"]),
        ("PREV_QUERY1 AND nothing = 1", ["nothing", "LIMIT", "subject_id, drug"]),
        ("PREV_QUERY1 OR drug = 'x'", ["OR", "LIMIT"]),
        ("PREV_RESULT1 WHERE dose > 1", ["dose", "subject_id, drug"]),
        ("PREV_QUERY2 ORDER BY at LIMIT 1", ["at", "one row"]),
        ("PREV_QUERY2 OR drug = 'x'", ["OR", "condition"]),
        ("PREV_QUERY1 JOIN patients USING (subject_id)", ["JOIN", "FROM (PREV_QUERY1)"]),
        ("PREV_QUERY1 WHERE", ["Nothing follows WHERE"]),
        ("SELECT gender FROM patients WHERE subject_id IN (PREV_RESULT1, 7)", ["3 rows"]),
        ("SELECT 'open FROM PREV_RESULT1", ["not closed"]),
    ],
)
def test_what_has_no_meaning_is_explained(talk: Talk, sql: str, said: list[str]) -> None:
    talk.turn("SELECT subject_id, drug FROM drugs LIMIT 3")
    talk.turn("SELECT count(*) FROM drugs")
    with pytest.raises(TokenError) as caught:
        talk.expand(sql)
    for part in said:
        assert part in str(caught.value)
    assert caught.value.next_step


def test_the_first_turn_has_nothing_to_refer_to() -> None:
    with pytest.raises(TokenError, match="No turn has a result yet"):
        expand("PREV_QUERY1 AND 1", {}, now=NOW)


def test_rows_computed_in_python_are_spelt_out(talk: Talk) -> None:
    rows: list[Row] = [(1, "it's"), (None, "a\0b"), (2.5, b"\x00\xff"), (-(2**63), "é"), (float("inf"), "")]
    talk.given(["subject_id", 'a "b'], rows)
    talk.given(["none"], [])
    assert talk.turn("PREV_RESULT1") == rows
    assert talk.turn('SELECT "a ""b" FROM PREV_QUERY1 WHERE subject_id = 1') == [("it's",)]
    assert talk.turn("SELECT gender FROM patients WHERE subject_id IN (PREV_RESULT1)") == [("m",)]
    assert talk.turn("PREV_QUERY1 WHERE subject_id < 2 ORDER BY subject_id DESC LIMIT 1") == [(1, "it's")]
    assert talk.turn("SELECT count(*), (PREV_RESULT2) IS NULL FROM (PREV_RESULT2)") == [(0, 1)]
    assert talk.turn("SELECT 1 WHERE EXISTS (PREV_RESULT2)") == []


def test_names_of_columns_are_the_same_in_every_spelling(talk: Talk) -> None:
    talk.turn("SELECT drug, count(*), drug FROM drugs GROUP BY drug ORDER BY 2 DESC")
    assert talk.turn('SELECT drug_2 FROM (PREV_QUERY1) t WHERE "count(*)" > 1') == [("aspirin",)]
    talk.turn("SELECT * FROM PREV_RESULT1 LIMIT 1")
    assert talk.references[3].columns == ("drug", "count(*)", "drug_2")
    talk.turn("SELECT (SELECT 1), EXISTS (PREV_RESULT1), (PREV_QUERY2) || 'x' AS named, (PREV_QUERY2) other")
    assert talk.references[4].columns == ("(SELECT 1)", "EXISTS (result1)", "named", "other")


@pytest.mark.parametrize(
    ("sql", "flat"),
    [
        ("SELECT current_time", f"SELECT '{NOW}'"),
        ("SELECT CURRENT_TIMESTAMP, Current_Date", f"SELECT '{NOW}', '2105-12-31'"),
        ("SELECT datetime('now', '-1 year')", f"SELECT datetime('{NOW}', '-1 year')"),
        (
            "SELECT strftime('%J', 'NOW') - strftime ( '%J' )",
            f"SELECT strftime('%J', '{NOW}') - strftime ( '%J', '{NOW}' )",
        ),
        ("SELECT date(), julianday()", f"SELECT date('{NOW}'), julianday('{NOW}')"),
        ("SELECT 'now', lower('now'), \"current_time\"", None),
        ("SELECT t.current_time, 1 AS current_date -- current_time", None),
        ("SELECT date FROM t WHERE date(at) = '2105' /* 'now' PREV_RESULT1 */ ; ", None),
        ("SELECT 'PREV_RESULT1', [PREV_RESULT1], `prev_query2`, x.PREV_RESULT1 FROM x", None),
        ("SELECT my_prev_result1, prev_result1x FROM x", None),
        ("  \n", None),
    ],
)
def test_the_clock_is_the_database_now_and_nothing_else_changes(sql: str, flat: str | None) -> None:
    statement = expand(sql, {}, now=NOW)
    assert statement == Statement(run=flat or sql, flat=flat or sql, seq=sql)


def test_deep_nesting_ends_in_a_clear_error_or_a_statement(talk: Talk) -> None:
    talk.turn(ON_ASPIRIN)
    assert talk.expand("SELECT " + "(" * 20000 + "PREV_RESULT1" + ")" * 20000).depends_on == (1,)
    with pytest.raises(TokenError, match="deeply"):
        talk.expand("PREV_QUERY1 AND subject_id IN (" * 2000 + "PREV_RESULT1" + ")" * 2000)


conditions = st.recursive(
    st.sampled_from(
        [
            "dose > 2",
            "drug = 'aspirin'",
            "subject_id IN (1, 3)",
            "at IS NULL",
            "drug LIKE '%or%'",
            "row_id BETWEEN 2 AND 5",
            "subject_id IN (PREV_RESULT1)",
            "dose = (PREV_RESULT2)",
            "EXISTS (PREV_QUERY1 AND row_id = 1)",
            "CASE WHEN dose > 3 OR drug = 'WHERE' THEN 1 ELSE 0 END",
        ]
    ),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(" ".join),
        inner.map("({})".format),
        inner.map("NOT ({})".format),
    ),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(conditions | st.none(), conditions, st.sampled_from(["WHERE", "AND", "OR"]), st.booleans())
def test_a_continued_condition_means_what_sql_says(
    talk: Talk, base: str | None, added: str, word: str, limited: bool
) -> None:
    """The rows are those of the two conditions joined as operators of one expression."""
    talk.references.clear()
    talk.turn("SELECT subject_id FROM drugs WHERE dose > 2")
    talk.turn("SELECT max(dose) FROM drugs")
    query = "SELECT row_id, subject_id, drug, dose, at FROM drugs" + (f" WHERE {base}" if base else "")
    query += " ORDER BY row_id" + (" LIMIT 99" if limited else "")
    every = {row[0]: row for row in talk.turn(query)}
    tail = f"PREV_QUERY3 {word} {added}"
    if word == "OR" and (limited or base is None):
        with pytest.raises(TokenError):
            talk.expand(tail)
        return
    joined = {
        "WHERE": f"({base or 1}) AND ({added})",
        "AND": f"({base or 1}) AND {added}",
        "OR": f"({base}) OR {added}",
    }
    if limited:
        expected = [row for row in talk.turn(f"SELECT row_id FROM drugs WHERE {added} ORDER BY 1") if row[0] in every]
    else:
        expected = talk.turn(f"SELECT row_id FROM drugs WHERE {joined[word] if base else added} ORDER BY 1")
    assert [row[:1] for row in talk.turn(tail)] == expected


# {n} and {m} are earlier turns; every turn gives one column, so that each may stand anywhere.
turns = st.sampled_from(
    [
        "SELECT drug FROM drugs WHERE subject_id IN (PREV_RESULT{n})",
        "SELECT DISTINCT subject_id FROM drugs WHERE drug = (PREV_RESULT{n}) OR dose > 2",
        "SELECT count(*) FROM (PREV_QUERY{n}) AS t",
        "SELECT a.subject_id FROM drugs a JOIN (PREV_RESULT{n}) b ON a.subject_id = b.subject_id ORDER BY a.row_id",
        "SELECT t.* FROM PREV_RESULT{n} t WHERE t.{c} IN (PREV_QUERY{m})",
        "SELECT (PREV_RESULT{n}) - (PREV_RESULT{m})",
        "SELECT max(coalesce((PREV_RESULT{n}), 0), PREV_RESULT{m}) AS larger",
        "PREV_QUERY{n} WHERE subject_id NOT IN (PREV_RESULT{m})",
        "PREV_QUERY{n} AND row_id > 2 ORDER BY row_id DESC LIMIT 2",
        "PREV_QUERY{n} OR EXISTS (PREV_QUERY{m} AND drug = 'heparin')",
        "PREV_QUERY{n} ORDER BY {c} DESC LIMIT 1",
        "PREV_RESULT{n} WHERE {c} IN (PREV_RESULT{m}, (PREV_RESULT{m}))",
        "PREV_QUERY{n} UNION PREV_RESULT{m}",
        "WITH w AS (PREV_RESULT{n}) SELECT count(*), w.* FROM w GROUP BY 2 ORDER BY 2 LIMIT 1",
        "SELECT 1 = 1 WHERE EXISTS (PREV_RESULT{n} WHERE {c} = (PREV_RESULT{m}))",
        "SELECT CASE WHEN (PREV_RESULT{n} > 1 AND 1) THEN 'more' ELSE (PREV_RESULT{m}) END",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(turns, st.integers(0, 9), st.integers(0, 9)), max_size=6))
def test_every_turn_of_a_conversation_has_the_same_rows_flat(talk: Talk, sequence: list[tuple[str, int, int]]) -> None:
    """Talk.turn compares the rows; a turn may be refused, but not fail in one spelling alone."""
    talk.references.clear()
    talk.turn("SELECT subject_id FROM drugs WHERE drug = 'aspirin'")
    talk.turn("SELECT drug FROM drugs ORDER BY row_id")
    for template, n, m in sequence:
        n, m = n % len(talk.references) + 1, m % len(talk.references) + 1
        sql = template.format(n=n, m=m, c=f'"{talk.references[n].columns[0]}"')
        try:
            statement = talk.expand(sql)
            talk.engine.columns(statement.run)
        except (TokenError, QueryError):
            continue
        before = len(talk.references)
        talk.turn(sql)
        assert len(talk.references) == before + 1


_PIECES = """SELECT PREV_RESULT1 prev_query1 PREV_RESULT2 ( ) , FROM IN WHERE AND OR x . 's ' = LIMIT UNION -- /* */ ;
    AS current_time date( 'now' 1 * é [ ] " CASE END VALUES WITH ALL"""
pieces = st.sampled_from(["ORDER BY", "\n", *_PIECES.split()])


@settings(max_examples=300, deadline=None)
@given(st.lists(pieces, max_size=14).map(" ".join) | st.text(max_size=40))
def test_any_text_expands_or_is_refused_clearly(sql: str) -> None:
    reference = Reference(1, "results.r1", ("a", "b"), 2, "SELECT a, b FROM t", lambda: [(1, 2), (3, 4)])
    try:
        statement = expand(sql, {1: reference}, now=NOW)
    except TokenError:
        return
    assert statement.seq == sql
    assert statement.depends_on in ((), (1,))
    assert "prev_" in sql.lower() or statement.run == statement.flat


@pytest.mark.parametrize("name", ["first", "AS first", '"first"', "date", "desc", "row", "t", "'t'", '"order"'])
def test_rows_are_called_by_any_name_that_sqlite_takes(talk: Talk, name: str) -> None:
    talk.turn("SELECT row_id, dose FROM drugs")
    alias = name.removeprefix("AS ").strip("'")
    assert talk.turn(f"SELECT {alias}.dose FROM (PREV_RESULT1) {name} WHERE {alias}.row_id = 3") == [(3,)]


@pytest.mark.parametrize(
    "after",
    [
        "",
        "WHERE 1",
        "GROUP BY 1",
        "ORDER BY 1",
        "LIMIT 1",
        "UNION SELECT 1",
        "EXCEPT SELECT 1",
        "INTERSECT SELECT 1",
        "JOIN codes ON 1",
        "LEFT JOIN codes USING (row_id)",
        "NATURAL JOIN codes",
        "CROSS JOIN codes",
        "INNER JOIN codes ON codes.row_id = result1.row_id",
        "WINDOW w AS (ORDER BY 1)",
    ],
)
def test_what_goes_on_after_the_rows_is_no_name(talk: Talk, after: str) -> None:
    talk.turn("SELECT row_id FROM drugs")
    assert talk.turn(f"WITH codes AS (SELECT 2 AS row_id) SELECT result1.row_id FROM (PREV_RESULT1) {after}")


def test_conditions_are_added_as_long_as_the_conversation_goes_on(talk: Talk) -> None:
    talk.turn("SELECT row_id FROM drugs WHERE dose > 1 OR dose IS NULL")
    for number in range(1, 60):
        talk.turn(f"PREV_QUERY{number} AND row_id <> {number + 4}")
    assert talk.turn("PREV_QUERY60 WHERE row_id = 1 OR row_id > 2") == [(1,), (3,), (4,)]
    assert talk.turn("PREV_QUERY61 OR row_id = 5") == [(1,), (3,), (4,), (5,)]
    assert talk.turn("PREV_QUERY62 AND row_id > 3") == [(4,), (5,)]
