"""Results of as many columns as SQLite has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ehrtui.engines.arranging import Arrangement, Order, arranged_select
from ehrtui.engines.engine import Engine, Limits
from ehrtui.engines.guard import Guard
from ehrtui.errors import QueryLimit
from ehrtui.privacy.vocabulary import own_words
from ehrtui.session.discretion import discreet_columns
from tests.counting import calls

MOST = 2_000
Columns = Callable[[int], str]


def mixed(n: int) -> str:
    """Columns, expressions with an affinity, and expressions without one, in turn."""
    return ("subject_id", "gender", "weight", "note", f"upper(gender) || {n}", f"{n}")[n % 6] + f" AS c{n}"


KINDS: dict[str, Columns] = {
    "mixed": mixed,
    "collated": lambda n: f"gender COLLATE {'NOCASE' if n % 2 else 'RTRIM'} AS c{n}",
    "repeated": lambda n: "note",
}


def wide(column: Columns, count: int) -> str:
    return f"SELECT {', '.join(map(column, range(count)))} FROM patients ORDER BY weight, subject_id"


@pytest.mark.parametrize("column", KINDS.values(), ids=KINDS.keys())
def test_keeping_columns_is_work_that_grows_with_them(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, column: Columns
) -> None:
    asked: list[int] = []
    authorize = Guard.__call__

    def counted(
        self: Guard, action: int, first: str | None, second: str | None, database: str | None, trigger: str | None
    ) -> int:
        asked.append(action)
        return authorize(self, action, first, second, database, trigger)

    monkeypatch.setattr(Guard, "__call__", counted)  # SQLite asks for each column, each time that it compiles it

    def work(count: int) -> int:
        asked.clear()
        engine.run(wide(column, count), "a")
        return len(asked)

    few = work(100)
    assert work(400) < 5 * few


def test_all_columns_are_kept_as_they_are(engine: Engine) -> None:
    result = engine.run(wide(mixed, MOST), "a")
    assert result.columns == tuple(f"c{n}" for n in range(MOST))
    (heaviest,) = engine.page("a", 2, 1)
    assert heaviest[:10] == (1, "m", 80.0, 5, "M4", 5, 1, "m", 80.0, 5)
    lacking = engine.page("a", 0, 1)[0]
    assert lacking[2] is None  # NULL comes first, as SQLite sorts
    assert engine.read(f"SELECT c3 = '5', c5 = '5', c1 = 5 FROM {engine.relation('a')} WHERE c0 = 1") == [(0, 0, 0)]
    relation = engine.relation("a")
    assert engine.read(f"SELECT c3 = CAST(5 AS TEXT), c5 = CAST(5 AS TEXT) FROM {relation} WHERE c0 = 1") == [(0, 1)]


def test_collations_of_many_columns_are_kept(engine: Engine) -> None:
    engine.run(wide(KINDS["collated"], MOST), "a")
    relation = engine.relation("a")
    assert engine.read(f"SELECT c0 = 'F', c1 = 'F', c0 = 'f ', c1 = 'f ' FROM {relation} LIMIT 1") == [(0, 1, 1, 0)]


def test_rows_without_a_value_come_last_where_wide_rows_are_sorted(engine: Engine) -> None:
    engine.run(wide(mixed, MOST), "a")
    engine.run(arranged_select(engine.relation("a"), Arrangement(order=Order("c2"))), "b")
    assert [row[2] for row in engine.page("b", 0, 3)] == [61.5, 80.0, None]


def test_repeated_names_are_told_apart_in_work_that_grows_with_them(engine: Engine) -> None:
    result = engine.run(wide(KINDS["repeated"], MOST), "a")
    assert len({name.lower() for name in result.columns}) == MOST
    assert result.columns[:3] == ("note", "note_2", "note_3")


@pytest.mark.parametrize(
    ("limits", "said"),
    [(Limits(rows=2), "more than 2 rows"), (Limits(bytes=3_000_000), "larger than 3 MB")],
    ids=["rows", "bytes"],
)
def test_the_limits_hold_for_all_columns_together(engine: Engine, limits: Limits, said: str) -> None:
    sql = f"SELECT {', '.join(f'hex(zeroblob(500)) AS c{n}' for n in range(MOST))} FROM patients, patients b LIMIT 3"
    with pytest.raises(QueryLimit, match=said):
        engine.run(sql, "a", limits)
    assert engine.results() == ()
    assert engine.run(sql, "a").row_count == 3


def test_names_that_a_session_may_say_are_looked_up_in_work_that_grows_with_them() -> None:
    own_words()  # are read once

    def work(count: int) -> int:
        names = [f"c{count}x{n}" for n in range(count)]
        return calls(lambda: discreet_columns(names, names))

    assert work(400) < 5 * work(100)


def test_a_table_of_many_columns_is_opened(tmp_path: Path) -> None:
    from ehrtui.engines.opening import open_engine
    from tests.engines.conftest import write

    columns = ", ".join(f"c{n} TEXT" for n in range(MOST))
    engine = open_engine(str(write(tmp_path / "wide.db", f"CREATE TABLE wide ({columns});")))
    assert len(engine.schema().tables[0].columns) == MOST
    assert engine.run("SELECT * FROM wide", "a").row_count == 0
    engine.close()
