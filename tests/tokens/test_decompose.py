from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, open_database
from ehrtui.conversation.decomposing import decomposed_drafts
from ehrtui.engines.engine import Row
from ehrtui.errors import ForbiddenStatement, QueryError, TokenError
from ehrtui.tokens.decompose import Decomposition
from tests.engines.conftest import write

NOW = "2105-12-31 23:59:00"
WARD = """
    CREATE TABLE patients (subject_id INT, gender TEXT, dob TIMESTAMP);
    CREATE TABLE drugs (row_id INT, subject_id INT, drug TEXT COLLATE NOCASE, dose REAL, at TIMESTAMP, note);
    CREATE TABLE codes (code TEXT, title TEXT);
    INSERT INTO patients VALUES (1, 'm', '2050-01-01'), (2, 'f', '2060-05-05'), (3, 'f', '2070-03-03'), (4, NULL, NULL);
    INSERT INTO drugs VALUES
        (1, 1, 'aspirin', 1.5, '2103-01-01', 1), (2, 1, 'heparin', 2, '2103-02-01', '1'),
        (3, 2, 'Aspirin', 3, '2104-01-01', NULL), (4, 3, 'codeine', NULL, '2104-05-01', 'x'),
        (5, 3, 'aspirin', 5, '2105-12-30', 2), (6, 4, 'insulin', 4.5, NULL, 1), (7, NULL, 'aspirin', 1, NULL, 3);
    INSERT INTO codes VALUES ('1', 'one'), ('2', 'two');
"""


class Ward:
    """Runs statements as they are and as their turns, each in conversations of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database: Database = open_database(str(path), now=NOW, profile=None, planner="offline")

    def rows(self, sql: str) -> list[Row]:
        conversation = Conversation(self.database, threshold=0.0)
        turn = conversation.run(conversation.propose(sql, "sql"))
        assert turn.error is None, turn.error
        rows = conversation.rows(1, 0, turn.row_count)
        conversation.close()
        return rows

    def split(
        self, sql: str, *, by_clause: bool = False, after: tuple[str, ...] = ()
    ) -> tuple[Decomposition, list[Row]]:
        """The decomposition as the turns that follow those of `after`, and the rows of its last turn."""
        conversation = Conversation(self.database, threshold=0.0)
        for earlier in after:
            conversation.run(conversation.propose(earlier, "sql"))
        decomposition, drafts = decomposed_drafts(conversation, sql, by_clause=by_clause)
        assert [draft.text for draft in drafts] == [part.sql.strip() for part in decomposition.turns]
        for draft in drafts:
            turn = conversation.run(draft)
            assert turn.error is None, (turn.error, decomposition)
            assert turn.statement is not None
        rows = conversation.rows(turn.number, 0, turn.row_count)
        plain = sqlite3.connect(self.path)
        assert sorted(plain.execute(turn.statement.flat).fetchall(), key=repr) == sorted(rows, key=repr)
        plain.close()
        conversation.close()
        return decomposition, rows


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ward]:
    ward = Ward(write(tmp_path_factory.mktemp("ward") / "ward.db", WARD))
    yield ward
    ward.database.close()


def turns(decomposition: Decomposition) -> list[str]:
    return [part.sql for part in decomposition.turns]


SPLIT: list[tuple[str, list[str]]] = [
    (
        "SELECT gender FROM patients WHERE subject_id IN (SELECT subject_id FROM drugs WHERE dose > "
        "(SELECT avg(dose) FROM drugs))",
        [
            "SELECT avg(dose) FROM drugs",
            "SELECT subject_id FROM drugs WHERE dose > (PREV_RESULT1)",
            "SELECT gender FROM patients WHERE subject_id IN (PREV_RESULT2)",
        ],
    ),
    (
        "SELECT (SELECT max(dose) FROM drugs) - (SELECT min(dose) FROM drugs)",
        ["SELECT max(dose) FROM drugs", "SELECT min(dose) FROM drugs", "SELECT (PREV_RESULT1) - (PREV_RESULT2)"],
    ),
    (
        "SELECT row_id FROM drugs WHERE dose BETWEEN (SELECT min(dose) FROM drugs) AND (SELECT  MIN(dose) "
        "FROM Drugs) + 1",
        [
            "SELECT min(dose) FROM drugs",
            "SELECT row_id FROM drugs WHERE dose BETWEEN (PREV_RESULT1) AND (PREV_RESULT1) + 1",
        ],
    ),
    (
        "SELECT count(*) FROM (SELECT drug, dose FROM drugs) AS t JOIN (SELECT code FROM codes) u",
        [
            "SELECT drug, dose FROM drugs",
            "SELECT code FROM codes",
            "SELECT count(*) FROM (PREV_RESULT1) AS t JOIN (PREV_RESULT2) u",
        ],
    ),
    (
        "SELECT row_id FROM drugs WHERE (subject_id, dose) = (SELECT subject_id, dose FROM drugs WHERE row_id = 3)",
        [
            "SELECT subject_id, dose FROM drugs WHERE row_id = 3",
            "SELECT row_id FROM drugs WHERE (subject_id, dose) = (SELECT * FROM PREV_RESULT1)",
        ],
    ),
    (
        "SELECT row_id FROM drugs WHERE (subject_id, dose) IN (SELECT subject_id, max(dose) FROM drugs "
        "GROUP BY subject_id)",
        [
            "SELECT subject_id, max(dose) FROM drugs GROUP BY subject_id",
            "SELECT row_id FROM drugs WHERE (subject_id, dose) IN (PREV_RESULT1)",
        ],
    ),
    (
        "SELECT row_id FROM drugs WHERE subject_id IN ((SELECT subject_id FROM patients WHERE gender = 'f'))",
        [
            "SELECT subject_id FROM patients WHERE gender = 'f'",
            "SELECT row_id FROM drugs WHERE subject_id IN ((SELECT * FROM PREV_RESULT1))",
        ],
    ),
    (
        "SELECT row_id FROM drugs WHERE subject_id IN (1, (SELECT subject_id FROM patients WHERE gender = 'f'))",
        [
            "SELECT subject_id FROM patients WHERE gender = 'f'",
            "SELECT row_id FROM drugs WHERE subject_id IN (1, (SELECT * FROM PREV_RESULT1))",
        ],
    ),
    (
        "WITH d AS (SELECT * FROM drugs WHERE dose > 2), e(x) AS MATERIALIZED (SELECT subject_id FROM d), unread AS "
        "(SELECT * FROM patients) SELECT count(*) FROM d, e AS f WHERE d.subject_id = f.x AND x IN e AND d.dose IN "
        "(SELECT dose FROM d)",
        [
            "SELECT * FROM drugs WHERE dose > 2",
            "WITH e(x) AS (SELECT subject_id FROM (PREV_RESULT1) AS d) SELECT * FROM e",
            "SELECT dose FROM (PREV_RESULT1) AS d",
            "SELECT count(*) FROM (PREV_RESULT1) AS d, (PREV_RESULT2) AS f WHERE d.subject_id = f.x "
            "AND x IN (PREV_RESULT2) AND d.dose IN (PREV_RESULT3)",
        ],
    ),
    (
        "WITH patients AS (SELECT 9 AS subject_id FROM drugs) SELECT count(*) FROM patients, main.patients AS p, "
        "(WITH patients AS (SELECT 8 AS k FROM codes) SELECT k FROM patients) AS q",
        [
            "SELECT 9 AS subject_id FROM drugs",
            "SELECT 8 AS k FROM codes",
            "SELECT k FROM (PREV_RESULT2) AS patients",
            "SELECT count(*) FROM (PREV_RESULT1) AS patients, main.patients AS p, (PREV_RESULT3) AS q",
        ],
    ),
    (
        "SELECT drug FROM drugs WHERE dose > 2 UNION ALL SELECT title FROM codes EXCEPT SELECT 'two' "
        "ORDER BY drug COLLATE BINARY DESC LIMIT 3",
        [
            "SELECT drug FROM drugs WHERE dose > 2",
            "SELECT title FROM codes",
            "PREV_RESULT1 UNION ALL PREV_RESULT2 EXCEPT SELECT 'two' ORDER BY drug COLLATE BINARY DESC LIMIT 3",
        ],
    ),
    (
        "SELECT /* (SELECT 1 FROM x) */ '(SELECT 2)', drug -- (SELECT 3\nFROM drugs WHERE drug IN (SELECT drug /* ) */ "
        "FROM drugs WHERE drug <> ')' -- last\n) -- end",
        [
            "SELECT drug /* ) */ FROM drugs WHERE drug <> ')' -- last",
            "SELECT /* (SELECT 1 FROM x) */ '(SELECT 2)', drug -- (SELECT 3\nFROM drugs WHERE drug IN (PREV_RESULT1) "
            "-- end",
        ],
    ),
    (
        'SELECT row_id FROM drugs WHERE dose IN (SELECT dose FROM drugs WHERE drug = "heparin");',
        ['SELECT dose FROM drugs WHERE drug = "heparin"', "SELECT row_id FROM drugs WHERE dose IN (PREV_RESULT1)"],
    ),
    (
        'WITH "in use"(d, n, m) AS (SELECT drug, 1 + 1, 2 + 2 -- sums\nFROM drugs -- all\n) SELECT d FROM "in use"',
        [
            'WITH "in use"(d, n, m) AS (SELECT drug, 1 + 1, 2 + 2 -- sums\nFROM drugs -- all\n) SELECT * FROM "in use"',
            'SELECT d FROM (PREV_RESULT1) AS "in use"',
        ],
    ),
    ("SELECT drug FROM drugs WHERE dose IN (SELECT 2) OR dose IN (VALUES (3))", []),
    ("SELECT drug FROM drugs WHERE dose > 2 ORDER BY dose", []),
]


@pytest.mark.parametrize(("sql", "expected"), SPLIT)
def test_innermost_queries_become_turns(ward: Ward, sql: str, expected: list[str]) -> None:
    decomposition, rows = ward.split(sql)
    assert turns(decomposition) == (expected or [sql])
    assert decomposition.unsplit == ()
    assert rows == ward.rows(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT subject_id FROM patients WHERE subject_id NOT IN (SELECT subject_id FROM drugs)",
        "SELECT row_id FROM drugs WHERE dose = (SELECT dose FROM drugs WHERE drug = 'aspirin' ORDER BY at DESC)",
        "SELECT row_id FROM drugs WHERE dose IS (SELECT dose FROM drugs WHERE drug = 'nothing')",
        "SELECT row_id FROM drugs WHERE subject_id IN (SELECT subject_id FROM drugs ORDER BY dose DESC LIMIT 2)",
        "SELECT * FROM (SELECT p.subject_id, d.subject_id FROM patients p JOIN drugs d ON p.subject_id = d.subject_id)",
        "SELECT gender FROM patients WHERE EXISTS (SELECT 1 FROM drugs WHERE drug = 'heparin')",
        "SELECT CASE WHEN 3 > (SELECT avg(dose) FROM drugs) THEN 1 ELSE (SELECT min(drug) FROM drugs) END FROM drugs",
        "SELECT count(*) FROM codes WHERE code IN (SELECT note FROM drugs)",
        "SELECT count(*) FROM codes WHERE code = (SELECT count(*) FROM drugs WHERE drug = 'codeine')",
        "SELECT count(*) FROM (SELECT drug FROM drugs) t, (SELECT 'ASPIRIN' AS x FROM codes) u WHERE t.drug = u.x",
        "SELECT count(*) FROM patients LEFT JOIN (SELECT * FROM drugs WHERE dose > 2) USING (subject_id) WHERE at",
        "SELECT * FROM (SELECT row_id, rank() OVER w AS r FROM drugs WINDOW w AS (ORDER BY dose DESC)) WHERE r <= 2",
        "SELECT drug FROM drugs ORDER BY row_id LIMIT (SELECT count(*) FROM codes) OFFSET (SELECT 1)",
        "SELECT coalesce((SELECT dose FROM drugs WHERE row_id = 4), (SELECT max(dose) FROM drugs)), abs((SELECT 1))",
        "SELECT a.drug FROM ((SELECT * FROM drugs WHERE dose > 1)) AS a JOIN (patients JOIN (SELECT * FROM codes) c) b "
        "ORDER BY a.row_id",
        'SELECT "count(*)" FROM (SELECT count(*) FROM drugs GROUP BY drug)',
        "SELECT value FROM json_each((SELECT json_group_array(dose) FROM drugs))",
        "SELECT row_id FROM drugs WHERE rowid IN (SELECT rowid FROM drugs WHERE dose > 2)",
        "SELECT 1 IN (SELECT value FROM json_each('[1, 2]')) AS one",
        "SELECT drug FROM drugs WHERE at > (SELECT datetime('now', '-2 year') FROM codes) OR at > current_time",
        "SELECT drug, count(*) FROM drugs GROUP BY drug HAVING count(*) > (SELECT count(*) FROM codes) - 1",
    ],
)
def test_every_place_of_a_subquery_keeps_its_meaning(ward: Ward, sql: str) -> None:
    expected = ward.rows(sql)
    for by_clause in (False, True):
        decomposition, rows = ward.split(sql, by_clause=by_clause)
        assert rows == expected
        assert len(decomposition.turns) > 1
        assert decomposition.unsplit == ()


@pytest.mark.parametrize(
    ("sql", "said", "count"),
    [
        (
            "SELECT gender FROM patients p WHERE EXISTS (SELECT 1 FROM drugs WHERE subject_id = p.subject_id)",
            "p.subject_id",
            1,
        ),
        ("SELECT gender FROM patients WHERE EXISTS (SELECT 1 FROM codes WHERE title > gender)", "gender", 1),
        (
            "SELECT drug FROM drugs d WHERE dose = (SELECT max(e.dose) FROM drugs e WHERE e.drug = d.drug AND "
            "e.subject_id IN (SELECT subject_id FROM patients WHERE gender = 'm'))",
            "d.drug",
            2,
        ),
        ("SELECT (SELECT value FROM json_each('[' || subject_id || ']')) FROM patients", "subject_id", 1),
        (
            "SELECT gender FROM patients WHERE subject_id IN (WITH x AS (SELECT * FROM drugs) SELECT x.subject_id "
            "FROM x WHERE x.subject_id = patients.subject_id)",
            "patients.subject_id",
            2,
        ),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5) SELECT i FROM n WHERE i IN "
            "(SELECT subject_id FROM patients) AND i < (SELECT max(i) FROM n)",
            "refers to itself",
            2,
        ),
        (
            "SELECT gender FROM patients WHERE subject_id IN (WITH RECURSIVE x AS (SELECT subject_id AS i FROM drugs "
            "UNION SELECT i + 1 FROM x WHERE i < 3) SELECT i FROM x)",
            "refers to itself",
            3,
        ),
        ("WITH a AS (SELECT * FROM b), b AS (SELECT dose FROM drugs) SELECT * FROM a", "reads b", 2),
        ("SELECT drugs.drug FROM drugs UNION SELECT title FROM codes ORDER BY drugs.drug", "UNION", 1),
        ("SELECT drug, dose + 1 FROM drugs UNION SELECT drug, dose + 1 FROM drugs ORDER BY dose + 1", "UNION", 1),
        (
            'SELECT "subject_id:1" FROM (SELECT p.subject_id, d.subject_id FROM patients p, drugs d)',
            "called subject_id and told apart",
            1,
        ),
        ("EXPLAIN QUERY PLAN SELECT 1 WHERE 1 IN (SELECT dose FROM drugs)", "EXPLAIN", 1),
    ],
)
def test_what_cannot_be_split_stays_and_says_why(ward: Ward, sql: str, said: str, count: int) -> None:
    decomposition, rows = ward.split(sql)
    assert sorted(rows, key=repr) == sorted(ward.rows(sql), key=repr)
    assert len(decomposition.turns) == count
    assert any(said in reason for reason in decomposition.unsplit)
    assert all(reason.endswith(".") for reason in decomposition.unsplit)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "SELECT drug FROM drugs WHERE dose BETWEEN 1 AND 5 AND CASE WHEN dose > 1 AND dose < 9 THEN 1 END AND "
            "subject_id IN (SELECT subject_id FROM patients) ORDER BY dose DESC LIMIT 1",
            [
                "SELECT subject_id FROM patients",
                "SELECT drug FROM drugs WHERE dose BETWEEN 1 AND 5",
                "PREV_QUERY2 AND CASE WHEN dose > 1 AND dose < 9 THEN 1 END",
                "PREV_QUERY3 AND subject_id IN (PREV_RESULT1)",
                "PREV_QUERY4 ORDER BY dose DESC LIMIT 1",
            ],
        ),
        (
            "SELECT t.drug, count(*) AS n FROM drugs AS t WHERE t.dose > 1 AND t.subject_id > 0 GROUP BY t.drug "
            "HAVING count(*) > 0 ORDER BY n DESC, t.drug LIMIT 2 OFFSET 1",
            [
                "SELECT * FROM drugs AS t WHERE t.dose > 1",
                "PREV_QUERY1 AND t.subject_id > 0",
                "SELECT t.drug, count(*) AS n FROM (PREV_RESULT2) AS t GROUP BY t.drug",
                "PREV_QUERY3 HAVING count(*) > 0",
                "PREV_QUERY4 ORDER BY n DESC, t.drug LIMIT 2 OFFSET 1",
            ],
        ),
        (
            "SELECT max(dose) FROM (SELECT dose FROM drugs WHERE dose > 1 OR 1 AND 1) WHERE dose < 5 ORDER BY dose",
            [
                "SELECT dose FROM drugs WHERE dose > 1 OR 1 AND 1",
                "SELECT * FROM (PREV_RESULT1) WHERE dose < 5",
                "SELECT max(dose) FROM (PREV_RESULT2) ORDER BY dose",
            ],
        ),
        (
            "SELECT count(DISTINCT p.subject_id) FROM patients p, drugs d WHERE p.subject_id = d.subject_id "
            "AND dose > 2",
            [
                "SELECT count(DISTINCT p.subject_id) FROM patients p, drugs d WHERE p.subject_id = d.subject_id",
                "PREV_QUERY1 AND dose > 2",
            ],
        ),
        (
            "SELECT drug FROM drugs WHERE dose > 1 UNION SELECT drug FROM drugs WHERE dose > 1 AND row_id < 3",
            [
                "SELECT drug FROM drugs WHERE dose > 1",
                "PREV_QUERY1 AND row_id < 3",
                "PREV_RESULT1 UNION PREV_RESULT2",
            ],
        ),
        (
            "SELECT row_id, rank() OVER w FROM drugs WHERE dose > 1 AND dose < 5 WINDOW w AS (ORDER BY dose)",
            [
                "SELECT row_id, rank() OVER w FROM drugs WHERE dose > 1 WINDOW w AS (ORDER BY dose)",
                "PREV_QUERY1 AND dose < 5",
            ],
        ),
        ("SELECT drug FROM drugs WHERE dose > 1", ["SELECT drug FROM drugs WHERE dose > 1"]),
        (
            "SELECT max(rowid) FROM drugs WHERE dose > 1 AND dose < 5",
            ["SELECT max(rowid) FROM drugs WHERE dose > 1", "PREV_QUERY1 AND dose < 5"],
        ),
    ],
)
def test_clauses_become_turns_that_continue_each_other(ward: Ward, sql: str, expected: list[str]) -> None:
    decomposition, rows = ward.split(sql, by_clause=True)
    assert turns(decomposition) == expected
    assert decomposition.unsplit == ()
    assert rows == ward.rows(sql)


def test_the_conditions_of_grouped_joins_stay_together(ward: Ward) -> None:
    sql = (
        "SELECT gender, count(*) FROM patients p JOIN drugs d ON d.subject_id = p.subject_id WHERE d.dose > 1 AND "
        "gender IS NOT NULL GROUP BY gender HAVING count(*) > 1"
    )
    decomposition, rows = ward.split(sql, by_clause=True)
    assert turns(decomposition) == [sql[: sql.index(" HAVING")], "PREV_QUERY1 HAVING count(*) > 1"]
    assert "GROUP BY" in decomposition.unsplit[0]
    assert rows == ward.rows(sql)


EARLIER = ("SELECT subject_id FROM drugs WHERE drug = 'aspirin'", "SELECT subject_id, gender FROM patients")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "SELECT drug FROM drugs WHERE subject_id IN (SELECT subject_id FROM PREV_RESULT2 WHERE gender = 'f' AND "
            "subject_id IN (PREV_RESULT1))",
            [
                "SELECT subject_id FROM PREV_RESULT2 WHERE gender = 'f' AND subject_id IN (PREV_RESULT1)",
                "SELECT drug FROM drugs WHERE subject_id IN (PREV_RESULT3)",
            ],
        ),
        (
            "PREV_QUERY1 AND dose < (SELECT max(dose) FROM drugs)",
            ["SELECT max(dose) FROM drugs", "PREV_QUERY1 AND dose < (PREV_RESULT3)"],
        ),
        (
            "PREV_RESULT1 UNION SELECT subject_id FROM patients WHERE gender = 'm'",
            ["SELECT subject_id FROM patients WHERE gender = 'm'", "PREV_RESULT1 UNION PREV_RESULT3"],
        ),
        (
            "SELECT drug FROM drugs WHERE EXISTS (SELECT 1 FROM (PREV_RESULT2) WHERE gender > drug)",
            ["SELECT drug FROM drugs WHERE EXISTS (SELECT 1 FROM (PREV_RESULT2) WHERE gender > drug)"],
        ),
    ],
)
def test_turns_follow_those_of_the_conversation(ward: Ward, sql: str, expected: list[str]) -> None:
    decomposition, rows = ward.split(sql, after=EARLIER)
    assert turns(decomposition) == expected
    written_out = sql
    for number, query in enumerate(EARLIER, start=1):
        written_out = written_out.replace(f"(PREV_RESULT{number})", f"({query})").replace(f"PREV_QUERY{number}", query)
        written_out = written_out.replace(f"FROM PREV_RESULT{number}", f"FROM ({query})").replace(
            f"PREV_RESULT{number}", query
        )
    assert rows == ward.rows(written_out)


def test_each_turn_says_what_it_was(ward: Ward) -> None:
    decomposition, _ = ward.split(
        "WITH w AS (SELECT dose FROM drugs) SELECT drug FROM drugs WHERE drug NOT IN (SELECT title FROM codes) AND "
        "dose IN (SELECT dose FROM w UNION SELECT row_id FROM drugs)",
        by_clause=True,
    )
    assert [(part.role, part.why) for part in decomposition.turns] == [
        ("with", "w of the WITH clause"),
        ("subquery", "the query after “drug NOT IN”"),
        ("arm", "the query before UNION"),
        ("arm", "the query after UNION"),
        ("subquery", "the query after “dose IN”"),
        ("clause", "the first condition, of the statement"),
        ("main", "the statement: one condition more"),
    ]


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("DELETE FROM drugs", ForbiddenStatement),
        ("SELECT 1; SELECT 2", ForbiddenStatement),
        ("", QueryError),
        ("-- nothing", QueryError),
        ("how many patients?", QueryError),
        ("SELECT 'open", TokenError),
        ("SELECT * FROM (PREV_RESULT1)", TokenError),
        ("SELECT a FROM drugs WHERE a IN (" * 3000 + ")" * 3000, TokenError),
    ],
)
def test_what_is_not_one_query_is_refused_with_a_next_step(ward: Ward, sql: str, error: type[Exception]) -> None:
    conversation = Conversation(ward.database, threshold=0.0)
    with pytest.raises(error) as caught:
        decomposed_drafts(conversation, sql)
    assert getattr(caught.value, "next_step", "")
    conversation.close()


@pytest.mark.parametrize(
    "sql",
    ["SELECT (", "SELECT FROM WHERE (SELECT", "WITH x SELECT 1", "WITH a AS (SELECT FROM) SELECT (SELECT 1 FROM a"],
)
def test_broken_sql_is_left_for_the_engine_to_explain(ward: Ward, sql: str) -> None:
    conversation = Conversation(ward.database, threshold=0.0)
    decomposition, drafts = decomposed_drafts(conversation, sql)
    assert turns(decomposition) == [sql]
    turn = conversation.run(drafts[0])
    assert turn.decision == "failed"
    conversation.close()


Choose = Callable[[Sequence[str]], str]
COLUMNS = ["row_id", "subject_id", "dose", "drug", "note", "at"]
LEAVES = [
    "dose > 2",
    "drug = 'ASPIRIN'",
    "subject_id IN (1, 3)",
    "at IS NULL",
    "note = 1",
    'drug = "heparin"',
    "row_id < 5",
]
CORRELATED = [
    "EXISTS (SELECT 1 FROM patients WHERE patients.subject_id = drugs.subject_id)",
    "dose < (SELECT count(*) FROM codes WHERE title > drug)",
]


def relation(choose: Choose, depth: int) -> str:
    """A relation called drugs, with its columns."""
    kind = choose(["table", "table", "filtered", "united", "named"]) if depth else "table"
    if kind == "table":
        return "drugs"
    inner = relation(choose, depth - 1)
    if kind == "filtered":
        return f"(SELECT * FROM {inner} WHERE {condition(choose, depth - 1)}) AS drugs"
    if kind == "united":
        return f"(SELECT * FROM {inner} WHERE {condition(choose, depth - 1)} UNION SELECT * FROM drugs) drugs"
    return f"(WITH w AS (SELECT * FROM {inner}) SELECT * FROM w WHERE {choose(LEAVES)}) AS drugs"


def one_column(choose: Choose, depth: int) -> str:
    column, source = choose(COLUMNS), relation(choose, min(depth, 1))
    kind = choose(["plain", "plain", "last", "grouped", "UNION", "EXCEPT", "INTERSECT", "UNION ALL"])
    if kind == "last":
        return f"SELECT {column} FROM {source} ORDER BY row_id DESC LIMIT 2"
    plain = f"SELECT {column} FROM {source} WHERE {condition(choose, depth)}"
    if kind == "plain":
        return plain
    if kind == "grouped":
        return f"{plain} GROUP BY {column} HAVING count(*) > 1"
    return f"{plain} {kind} SELECT {column} FROM drugs WHERE {condition(choose, depth)}"


def one_row(choose: Choose, depth: int) -> str:
    function = choose(["max", "min", "count", "count(DISTINCT drug) + count"])
    return (
        f"SELECT {function}({choose(COLUMNS)}) FROM {relation(choose, min(depth, 1))} WHERE {condition(choose, depth)}"
    )


def condition(choose: Choose, depth: int) -> str:
    """A condition on the columns of drugs; one or several operators deep."""
    forms = ["leaf", "in", "not in", "compare", "list", "between", "exists", "case", "and", "or", "not", "correlated"]
    kind = choose(forms) if depth else "leaf"
    column = choose(COLUMNS)
    if kind == "leaf":
        return choose(LEAVES)
    if kind == "correlated":
        return choose(CORRELATED)
    if kind in ("in", "not in"):
        return f"{column} {kind.upper()} ({one_column(choose, depth - 1)})"
    if kind == "exists":
        return f"EXISTS ({one_column(choose, depth - 1)})"
    if kind in ("and", "or", "not"):
        inner = condition(choose, depth - 1)
        both = f"{inner} AND {condition(choose, depth - 1)}"
        return {"and": both, "or": f"({inner} OR {column} IS NULL)", "not": f"NOT ({both})"}[kind]
    value = one_row(choose, depth - 1)
    if kind == "compare":
        return f"{column} >= ({value})"
    if kind == "list":
        return f"{column} IN (({value}), 2)"
    if kind == "between":
        return f"dose BETWEEN ({value}) AND ({one_row(choose, depth - 1)})"
    return f"CASE WHEN {condition(choose, depth - 1)} THEN ({value}) ELSE 0 END"


@st.composite
def nested_queries(draw: st.DrawFn) -> str:
    def choose(options: Sequence[str]) -> str:
        return draw(st.sampled_from(options))

    return choose([one_column(choose, 2), one_row(choose, 2)])


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(nested_queries(), st.booleans())
def test_the_turns_give_the_rows_of_any_nested_query(ward: Ward, sql: str, by_clause: bool) -> None:
    decomposition, rows = ward.split(sql, by_clause=by_clause)
    assert sorted(rows, key=repr) == sorted(ward.rows(sql), key=repr)
    correlated = any(each in sql for each in CORRELATED)
    assert correlated or not decomposition.unsplit
    for number, part in enumerate(decomposition.turns, start=1):
        nested = part.sql.count("(SELECT") - part.sql.count("(SELECT * FROM PREV_RESULT")
        assert nested == 0 or correlated
        named = [int(turn) for turn in re.findall(r"PREV_(?:RESULT|QUERY)(\d+)", part.sql)]
        assert all(turn < number for turn in named)
