from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ehrtui.errors import TokenError
from ehrtui.tokens.prev import expand
from ehrtui.tokens.reference import Reference
from tests.tokens.talk import NOW, Talk

FIRST = "SELECT subject_id FROM drugs WHERE drug = 'aspirin' ORDER BY row_id"
NARROWED = "SELECT subject_id FROM drugs WHERE subject_id IN (PREV_RESULT{n})"
DEFINITION = re.compile(r"(result[0-9]+_[0-9a-f]{16})\(")

# {n} is the turn before, {m} the one before that, which {n} refers to as well.
LINKS = [
    NARROWED,
    "SELECT subject_id FROM drugs WHERE drug <> ') INSERT INTO x AS (SELECT 1), y' AND subject_id IN (PREV_RESULT{n})",
    "SELECT DISTINCT subject_id FROM drugs JOIN (PREV_RESULT{n}) r USING (subject_id) ORDER BY subject_id DESC",
    "SELECT subject_id FROM PREV_RESULT{n} UNION SELECT 2",
    "SELECT max(1, coalesce((PREV_RESULT{n}), 1)) AS subject_id",
    "PREV_QUERY{n} WHERE subject_id <> 4",
    "PREV_QUERY{n} ORDER BY subject_id LIMIT 5",
    "PREV_RESULT{n} WHERE subject_id > 0",
    "WITH w AS (PREV_RESULT{n}) SELECT subject_id FROM w",
    "WITH RECURSIVE w(subject_id) AS (PREV_RESULT{n} UNION SELECT subject_id + 1 FROM w WHERE subject_id < 3) "
    "SELECT subject_id FROM w ORDER BY 1",
    "SELECT subject_id FROM (WITH w AS (SELECT * FROM PREV_RESULT{n}) SELECT subject_id FROM w)",
]
DIAMONDS = [
    "SELECT subject_id FROM PREV_RESULT{n} WHERE subject_id IN (PREV_RESULT{m})",
    "PREV_QUERY{n} UNION PREV_RESULT{m}",
    "PREV_QUERY{n} AND subject_id IN (PREV_QUERY{m} WHERE subject_id < 9)",
    "SELECT subject_id FROM patients WHERE subject_id >= CASE WHEN EXISTS (PREV_RESULT{n} WHERE subject_id > 1) "
    "THEN coalesce((PREV_RESULT{m}), 0) ELSE 1 END",
]


@st.composite
def chains(draw: st.DrawFn) -> list[str]:
    """Forty turns, some of which are diamonds: SQLite counts each way from the last turn to a table, up to 65,535."""
    turns = draw(st.lists(st.sampled_from(LINKS), min_size=40, max_size=40))
    for place in draw(st.sets(st.integers(1, 39), max_size=4)):
        turns[place] = draw(st.sampled_from(DIAMONDS))
    return turns


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chains(), st.booleans())
@example([link for _ in range(4) for link in LINKS], False)
@example([DIAMONDS[at % 4] if at % 9 == 8 else NARROWED for at in range(40)], True)
def test_a_long_chain_has_the_same_rows_flat(talk: Talk, chain: list[str], alike: bool) -> None:
    """Talk.turn compares the rows of every turn."""
    talk.references.clear()
    talk.alike = alike
    talk.turn(FIRST)
    for n, template in enumerate(chain, start=1):
        talk.turn(template.format(n=n, m=max(n - 1, 1)))
    assert len(talk.references) == len(chain) + 1


@pytest.mark.parametrize("template", LINKS)
def test_a_chain_of_one_kind_has_the_same_rows_flat(talk: Talk, template: str) -> None:
    talk.turn(FIRST)
    for n in range(1, 41):
        talk.turn(template.format(n=n))
    assert len(talk.references) == 41


def test_a_short_chain_stays_one_text(talk: Talk) -> None:
    talk.turn(FIRST)
    for n in range(1, 5):
        talk.turn(NARROWED.format(n=n))
    expected = FIRST
    for _ in range(4):
        expected = f"SELECT subject_id FROM drugs WHERE subject_id IN ({expected})"
    assert talk.references[5].flat == expected


def test_a_query_is_defined_once_and_only_where_it_is_needed(talk: Talk) -> None:
    talk.turn(FIRST)
    for n in range(1, 21):
        talk.turn(NARROWED.format(n=n))
    statement = talk.expand("SELECT (PREV_RESULT20) FROM (PREV_RESULT21) WHERE subject_id IN (PREV_RESULT20)")
    definitions = DEFINITION.findall(statement.flat)
    assert len(definitions) == len(set(definitions)) > 2
    assert "WITH" not in statement.run
    for n in range(21, 40):
        talk.turn(f"PREV_QUERY{n} AND subject_id <> {n}")
    assert talk.expand("SELECT count(*) FROM (PREV_RESULT1) WHERE 'PREV_RESULT40' <> ''").flat.count("WITH") == 0


@pytest.fixture
def long_talk(talk: Talk) -> Talk:
    """Twelve turns: the patients on aspirin, again and again."""
    talk.turn(FIRST)
    for n in range(1, 12):
        talk.turn(NARROWED.format(n=n))
    return talk


def _flat(talk: Talk, number: int) -> str:
    flat = talk.references[number].flat
    assert flat is not None
    return flat


def test_flat_sql_may_be_pasted_and_continued(long_talk: Talk) -> None:
    """A turn may hold the definitions of those that it names, and of those that they name."""
    pasted = _flat(long_talk, 12)
    rows = long_talk.turn(f"{pasted} AND subject_id IN (PREV_RESULT12)")
    assert long_talk.turn("PREV_QUERY13 AND subject_id IN (PREV_RESULT12)") == rows
    assert long_talk.turn(f"SELECT * FROM ({pasted}) WHERE subject_id IN (PREV_RESULT14)") == rows
    assert long_talk.turn(pasted.upper().replace("'ASPIRIN'", "'aspirin'")) == rows
    assert long_talk.turn("SELECT subject_id FROM PREV_RESULT16 WHERE subject_id IN (PREV_RESULT12)") == rows
    definitions = DEFINITION.findall(_flat(long_talk, 15))
    assert len(definitions) == len(set(definitions))


def test_a_definition_that_was_changed_means_what_it_says(long_talk: Talk) -> None:
    changed = _flat(long_talk, 12).replace("'aspirin'", "'heparin'")
    assert set(long_talk.turn(changed)) == {(1,)}
    for n in range(13, 43):
        assert set(long_talk.turn(NARROWED.format(n=n))) == {(1,)}
    both = "SELECT DISTINCT a.subject_id, b.subject_id FROM PREV_RESULT43 a, PREV_RESULT12 b ORDER BY 1, 2"
    assert long_talk.turn(both) == [(1, 1), (1, 2), (1, 3)]
    assert set(long_talk.turn("PREV_QUERY13 AND subject_id < 9")) == {(1,)}


@pytest.mark.parametrize("written", ["{}", '"{}"', "[{}]", "'{}'"])
def test_a_name_never_means_two_queries(long_talk: Talk, written: str) -> None:
    statement = long_talk.expand("SELECT * FROM PREV_RESULT12")
    name = DEFINITION.findall(statement.flat)[0]
    for spelling in (name, name.upper()):
        own = f"WITH {written.format(spelling)} AS (SELECT 4 AS subject_id)"
        with pytest.raises(TokenError, match="two things") as caught:
            long_talk.turn(f"{own} SELECT subject_id FROM {name} WHERE subject_id IN (PREV_RESULT12)")
        assert caught.value.next_step
        assert long_talk.turn(f"{own} SELECT subject_id FROM {name}") == [(4,)]
        with pytest.raises(TokenError, match="two things"):
            long_talk.turn(f"PREV_QUERY{len(long_talk.references)} WHERE subject_id IN (PREV_RESULT12)")


def test_names_of_one_s_own_stay_what_they_are(long_talk: Talk) -> None:
    """Names that only look like those of definitions, as aliases, in texts and in comments."""
    name = DEFINITION.findall(_flat(long_talk, 12))[0]
    rows = long_talk.turn(
        f"WITH result12 AS (SELECT 2 AS subject_id), result12_0 AS (SELECT 3 AS subject_id) "
        f"SELECT {name}.subject_id, '{name}(x) AS (SELECT 1)' AS text FROM result12 {name} /* {name}(x) AS (y) */ "
        f"WHERE subject_id IN (PREV_RESULT12)"
    )
    assert rows == [(2, f"{name}(x) AS (SELECT 1)")]
    assert long_talk.turn("SELECT text FROM PREV_RESULT13 WHERE subject_id IN (PREV_RESULT11)") == [rows[0][1:]]


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "mysql", "bigquery", "tsql", "snowflake"])
def test_other_dialects_name_deep_queries_too(dialect: str) -> None:
    references: dict[int, Reference] = {}
    flat = "SELECT a FROM t"
    for n in range(1, 41):
        references[n] = Reference(n, f"r{n}", ("a",), 3, flat, lambda: [])
        flat = expand(f"SELECT a FROM t WHERE a IN (PREV_RESULT{n})", references, now=NOW, dialect=dialect).flat
    definitions = DEFINITION.findall(flat)
    assert len(definitions) == len(set(definitions)) > 5


def test_a_table_that_an_earlier_query_reads_is_not_defined_anew(talk: Talk) -> None:
    talk.turn(
        "WITH d AS (SELECT * FROM Drugs WHERE drug = 'aspirin') SELECT subject_id FROM d, patients USING (subject_id)"
    )
    for name in ("drugs", '"DRUGS"', "Patients(drug, subject_id)"):
        own = f"WITH {name} AS MATERIALIZED (SELECT 'aspirin' AS drug, 4 AS subject_id)"
        with pytest.raises(TokenError, match="A1 reads a table of that name") as caught:
            talk.turn(f"{own} SELECT 1 WHERE 1 IN (PREV_RESULT1)")
        assert caught.value.next_step
    assert talk.turn("WITH d AS (SELECT 3 AS subject_id) SELECT * FROM d WHERE subject_id IN (PREV_RESULT1)") == [(3,)]
