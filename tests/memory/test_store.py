"""The file of cases: what is kept comes back, for several apps at once, and a broken file loses nothing."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.errors import CaseError
from ehrtui.memory.case import Case, Source
from ehrtui.memory.meanings import KeptMeaning
from ehrtui.memory.recall import Memory
from ehrtui.memory.store import LONGEST, CaseStore

LAST = Case("last <lab> of <patient>", "last value of lab <lab> for patient <patient>")
SQL = Case("lab events of <patient>", sql="SELECT * FROM labevents WHERE subject_id = <patient>")
HERE, THERE = Source("approved in session a", "2026-01-02"), Source("imported from b.json", "2026-01-01", 3)


@pytest.fixture
def store(tmp_path: Path) -> CaseStore:
    return CaseStore(tmp_path / "new" / "memory.db")


def test_what_is_kept_comes_back_by_family(store: CaseStore) -> None:
    assert store.cases() == ()
    assert store.add("one", [(LAST, HERE), (SQL, HERE)]) == 2
    assert store.add("two", [(LAST, HERE)]) == 1
    assert [kept.case for kept in store.cases("one")] == [LAST, SQL]
    assert [(kept.number, kept.family) for kept in store.cases()] == [(1, "one"), (2, "one"), (3, "two")]
    assert store.case(2).sources == (HERE,)


def test_the_file_is_its_owners_alone(store: CaseStore) -> None:
    store.add("one", [(LAST, HERE)])
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700


def test_the_same_case_is_kept_once_with_all_its_sources(store: CaseStore) -> None:
    assert store.add("one", [(LAST, HERE)]) == 1
    assert store.add("one", [(LAST, THERE)]) == 0
    assert store.add("one", [(LAST, THERE)]) == 0
    (kept,) = store.cases()
    assert kept.sources == (THERE, HERE)
    assert kept.support == 4


def test_a_case_goes_with_its_last_source(store: CaseStore) -> None:
    store.add("one", [(LAST, HERE), (LAST, THERE)])
    assert store.withdraw("one", LAST, HERE.text)
    assert store.cases()[0].sources == (THERE,)
    assert not store.withdraw("one", LAST, HERE.text)
    assert store.withdraw("one", LAST, THERE.text)
    assert store.cases() == ()


def test_cases_are_found_by_their_words_and_forgotten(store: CaseStore) -> None:
    store.add("one", [(LAST, HERE), (SQL, HERE)])
    assert [kept.case for kept in store.search("labevents")] == [SQL]
    assert [kept.case for kept in store.search('last "<lab" OR (')] == []
    store.forget(1)
    assert [kept.case for kept in store.cases()] == [SQL]
    assert store.search("last") == ()
    with pytest.raises(CaseError, match="no case 1"):
        store.forget(1)


def test_an_edited_case_is_found_by_its_new_words(store: CaseStore) -> None:
    store.add("one", [(LAST, HERE), (SQL, HERE)])
    store.edit(2, Case("events of <patient>", "count lab for patient <patient>"))
    assert store.case(2).case.logic == "count lab for patient <patient>"
    assert [kept.number for kept in store.search("count")] == [2]
    with pytest.raises(CaseError, match="kept already"):
        store.edit(2, LAST)


def test_what_fails_halfway_keeps_nothing(store: CaseStore) -> None:
    def cases():
        yield LAST, HERE
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.add("one", cases())
    assert store.cases() == ()


def test_two_apps_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    code = (
        "import sys; from pathlib import Path; from ehrtui.memory.case import Case, Source\n"
        "from ehrtui.memory.store import CaseStore\n"
        "store = CaseStore(Path(sys.argv[1]))\n"
        "for n in range(20): store.add('one', [(Case(sys.argv[2] + ' ' + 'x' * n, 'l'), Source('s', 'd'))])\n"
    )
    apps = [subprocess.Popen([sys.executable, "-c", code, path, name]) for name in ("left", "right")]
    assert [app.wait(60) for app in apps] == [0, 0]
    assert len(CaseStore(path).cases()) == 40


def test_one_app_sees_what_another_keeps_and_forgets(store: CaseStore) -> None:
    memory, other = Memory(store, "one"), CaseStore(store.path)
    assert memory.same("last <name> of <patient>") == memory.nearest("last <name> of a <patient>") == ()
    other.add("one", [(LAST, HERE)])
    assert [one.kept.case for one in memory.same("last <name> of <patient>")] == [LAST]
    assert [one.kept.case for one in memory.nearest("last <name> of a <patient>")] == [LAST]
    other.forget(1)
    assert memory.same("last <name> of <patient>") == memory.nearest("last <name> of a <patient>") == ()


def broken(path: Path, how: str) -> None:
    if how == "text":
        path.write_text("not a database at all, but quite a long text " * 30)
        return
    with closing(sqlite3.connect(path)) as database:
        if how == "foreign":
            database.execute("CREATE TABLE letters (a)")
        elif how == "newer":
            database.execute("CREATE TABLE cases (number, family, question, logic, sql)")
            database.execute("PRAGMA user_version = 2")
        elif how == "view":
            database.execute("CREATE VIEW cases AS SELECT 1 number, '' family, '' question, '' logic, '' sql")
            database.execute("CREATE TABLE sources (number, text, day, questions)")
            database.execute("PRAGMA user_version = 1")
        elif how == "older":
            database.execute("CREATE TABLE cases (question, plan)")
            database.execute("INSERT INTO cases VALUES ('q', 'p')")
        database.commit()


@pytest.mark.parametrize("how", ["text", "foreign", "newer", "view", "older"])
def test_a_file_that_is_no_store_is_said_and_left_as_it_is(tmp_path: Path, how: str) -> None:
    path = tmp_path / "memory.db"
    broken(path, how)
    before = path.read_bytes()
    for act in (
        lambda store: store.cases(),
        lambda store: store.search("x"),
        lambda store: store.add("one", [(LAST, HERE)]),
        lambda store: store.forget(1),
    ):
        with pytest.raises(CaseError) as raised:
            act(CaseStore(path))
        assert "Nothing of it was changed" in raised.value.next_step
    assert path.read_bytes() == before
    memory = Memory(CaseStore(path), "one")
    assert memory.nearest("last <name>") == ()
    assert str(path) in memory.trouble()


def test_a_torn_store_is_said_and_left_as_it_is(store: CaseStore) -> None:
    store.add("one", [(Case(f"{'question ' * 50}{n}", "l" * 500), HERE) for n in range(60)])
    torn = store.path.read_bytes()[:9000]
    store.path.write_bytes(torn)
    with pytest.raises(CaseError):
        store.cases()
    with pytest.raises(CaseError):
        store.add("one", [(LAST, HERE)])
    assert store.path.read_bytes() == torn


def test_rows_that_ehrtui_never_wrote_are_passed_over(store: CaseStore) -> None:
    store.add("one", [(LAST, HERE)])
    rows = [(b"\xff", "l"), ("q" * (LONGEST + 1), "l"), ("q", 5.5)]
    with closing(sqlite3.connect(store.path)) as database:
        for question, logic in rows:
            database.execute(
                "INSERT INTO cases (family, question, logic, sql) VALUES ('one', ?, ?, '')", (question, logic)
            )
        database.execute("INSERT INTO sources SELECT number, 's', 'd', 1 FROM cases WHERE number > 1")
        database.commit()
    sound = {kept.case for kept in store.cases()}
    assert LAST in sound
    assert all(isinstance(case.question, str) and len(case.question) <= LONGEST for case in sound)


def test_what_is_no_file_is_said_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        store = CaseStore(path)
        assert store.stamp() == (0, b"")
        for use in (store.cases, lambda store=store: store.add("family", [(LAST, HERE)])):
            with pytest.raises(CaseError, match="not a file"):
                use()


HEART = KeptMeaning(
    "MIMIC-III", "chf", "diagnosis", 'count of diagnosis concept "heart failure"', "chosen", "2026-01-02"
)


def test_what_words_mean_comes_back_by_family_until_it_is_forgotten(store: CaseStore) -> None:
    assert store.meanings() == ()
    assert not store.forget_meaning("MIMIC-III", "chf")
    store.keep_meaning(HEART)
    later = replace(HEART, logic='count of diagnosis "chf nos"')
    other = replace(HEART, family="eICU")
    for one in (later, other):
        store.keep_meaning(one)
    assert set(store.meanings()) == {later, other}
    assert store.meanings("MIMIC-III") == (later,)
    assert store.forget_meaning("MIMIC-III", "chf")
    assert store.meanings() == (other,)


def test_a_store_from_before_words_had_meanings_gets_some(store: CaseStore) -> None:
    store.add("MIMIC-III", [(LAST, HERE)])
    with closing(sqlite3.connect(store.path)) as file, file:
        file.execute("DROP TABLE IF EXISTS meanings")
    assert store.meanings() == ()
    store.keep_meaning(HEART)
    assert store.meanings() == (HEART,)
    assert len(store.cases()) == 1
