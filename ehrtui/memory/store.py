"""The file of memory, approved cases and the meanings of words: one SQLite database for all schema families, which
several apps may use at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ehrtui.errors import CaseError
from ehrtui.memory.case import Case, KeptCase, Source
from ehrtui.memory.meanings import KeptMeaning
from ehrtui.paths import is_file, make_private

if TYPE_CHECKING:
    import sqlite_utils

VERSION = 1
"""The version of the file (SQLite's user_version); any other is refused, and left as it is."""
LONGEST = 20_000
"""Characters of a question, logic or SQL; longer ones are none of ehrtui's."""
_COLUMNS = {
    "cases": {"number", "family", "question", "logic", "sql"},
    "sources": {"number", "text", "day", "questions"},
}
_MEANINGS = "meanings"
"""The table of meanings; it is there since the first was kept."""
_WAIT_SECONDS = 10.0
_MEANING = tuple(one.name for one in fields(KeptMeaning))
_CHANGES = slice(24, 28)
"""Where an SQLite file counts its changes."""
_SELECT = (
    "SELECT number, family, question, logic, sql, text, day, questions, sources.rowid "
    "FROM cases JOIN sources USING (number) WHERE {} ORDER BY number, day, text"
)


class CaseStore:
    """The cases in the file at `path`, which appears with the first one, readable by its owner alone. Every method may
    be called from any thread, and raises CaseError where the file is not such a store; then it is not touched."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def stamp(self) -> tuple[int, bytes]:
        """Changes whenever the file does."""
        if not is_file(self.path):
            return 0, b""
        try:
            with self.path.open("rb") as file:
                return self.path.stat().st_ino, file.read(_CHANGES.stop)[_CHANGES]
        except OSError:
            return 0, b""

    def cases(self, family: str | None = None) -> tuple[KeptCase, ...]:
        """All cases, or those of a schema family, in the order in which they came."""
        return self._read("family = ?", (family,)) if family is not None else self._read("TRUE", ())

    def search(self, words: str, family: str | None = None) -> tuple[KeptCase, ...]:
        """The cases with all these words, the best first."""
        if not self.path.exists():
            return ()
        with self._tables() as tables:
            found = [row["number"] for row in tables.table("cases").search(words, quote=True)]
        kept = {each.number: each for each in self.cases(family)}
        return tuple(kept[number] for number in found if number in kept)

    def case(self, number: int) -> KeptCase:
        """The case of that number. Raises CaseError where there is none."""
        found = self._read("number = ?", (number,))
        if not found:
            raise CaseError(f"There is no case {number}.", next_step="`ehrtui memory list` shows the cases.")
        return found[0]

    def add(self, family: str, cases: Iterable[tuple[Case, Source]]) -> int:
        """Keep cases with where they are from, all of them or none; a case that is there gets one source more, or a
        source that it has as the latest. Returns how many cases are new."""
        with self._tables() as tables:
            before = tables.table("cases").count
            for case, source in cases:
                row = {"family": family, "question": case.question, "logic": case.logic, "sql": case.sql}
                number = tables.table("cases").lookup(row, pk="number")
                kept = {"number": number, "text": source.text, "day": source.day, "questions": source.questions}
                tables.table("sources").insert(kept, replace=True)
            return tables.table("cases").count - before

    def withdraw(self, family: str, case: Case, source: str) -> bool:
        """Take back that `source` gave the case; a case that no source gives is forgotten. False where it did not."""
        with self._tables() as tables:
            where = "family = ? AND question = ? AND logic = ? AND sql = ?"
            values = [family, case.question, case.logic, case.sql]
            number = next((row["number"] for row in tables.table("cases").rows_where(where, values)), None)
            if number is None or not tables.table("sources").count_where("number = ? AND text = ?", [number, source]):
                return False
            tables.table("sources").delete((number, source))
            if not tables.table("sources").count_where("number = ?", [number]):
                tables.table("cases").delete(number)
        return True

    def edit(self, number: int, case: Case) -> None:
        """Put another case in the place of that number. Raises CaseError where there is none, or where the new one is
        kept already."""
        self.case(number)
        with self._tables() as tables:
            try:
                changed = {"question": case.question, "logic": case.logic, "sql": case.sql}
                tables.table("cases").update(number, changed)
            except sqlite3.IntegrityError as error:
                raise CaseError("The same case is kept already.", next_step="Forget one of the two.") from error

    def forget(self, number: int) -> None:
        """Forget a case. Raises CaseError where there is none."""
        self.case(number)
        with self._tables() as tables:
            tables.table("sources").delete_where("number = ?", [number])
            tables.table("cases").delete(number)

    def meanings(self, family: str | None = None) -> tuple[KeptMeaning, ...]:
        """What words mean from now on, in a schema family or in all, in the order in which that was chosen."""
        if not self.path.exists():
            return ()
        with self._opened(f"{self.path.absolute().as_uri()}?mode=ro") as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            held = {row[1] for row in connection.execute(f"PRAGMA table_info({_MEANINGS})")}
            if not self._check(connection) or not held >= set(_MEANING):
                return ()
            query = f"SELECT {', '.join(_MEANING)} FROM {_MEANINGS} WHERE ifnull(?, family) = family ORDER BY rowid"
            return tuple(KeptMeaning(*row) for row in connection.execute(query, [family]) if _is_sound(row, ()))

    def keep_meaning(self, meaning: KeptMeaning) -> None:
        """Keep what words mean from now on, in place of what they meant before."""
        with self._tables() as tables:
            kept = asdict(meaning)
            tables.table(_MEANINGS).insert(kept, pk=("family", "said"), not_null=kept, replace=True)

    def forget_meaning(self, family: str, said: str) -> bool:
        """Forget what words mean; False where nothing was kept."""
        with self._tables() as tables:
            if not tables.table(_MEANINGS).exists():
                return False
            where = [family, said]
            found = tables.table(_MEANINGS).count_where("family = ? AND said = ?", where)
            tables.table(_MEANINGS).delete_where("family = ? AND said = ?", where)
        return bool(found)

    def _read(self, where: str, values: tuple[Any, ...]) -> tuple[KeptCase, ...]:
        """Cases, without sqlite-utils: it takes time and memory that the start of the explorer has not."""
        if not self.path.exists():
            return ()
        found: dict[int, KeptCase] = {}
        with self._opened(f"{self.path.absolute().as_uri()}?mode=ro") as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            if not self._check(connection):
                return ()
            for number, family, question, logic, sql, *source in connection.execute(_SELECT.format(where), values):
                if not _is_sound((family, question, logic, sql, source[0], source[1]), (number, *source[2:])):
                    continue
                earlier = found[number].sources if number in found else ()
                found[number] = KeptCase(number, family, Case(question, logic, sql), (*earlier, Source(*source)))
        return tuple(found.values())

    @contextmanager
    def _tables(self) -> Iterator[sqlite_utils.Database]:
        """The tables of the file, made where there are none, in one transaction."""
        import sqlite_utils

        try:
            make_private(self.path.parent)
            self.path.touch(mode=0o600)
        except OSError as error:
            raise CaseError(
                f"The memory {self.path} cannot be written.",
                why=error.strerror or "",
                next_step="Choose another directory with --state DIR.",
            ) from error
        with self._opened(self.path.absolute().as_uri()) as connection:
            # A lock from the first look on: two apps may begin at once. All of it is kept, or nothing.
            connection.execute("BEGIN IMMEDIATE")
            tables = sqlite_utils.Database(connection, execute_plugins=False)
            if not self._check(connection):
                _make(tables)
            yield tables
            connection.commit()

    @contextmanager
    def _opened(self, uri: str) -> Iterator[sqlite3.Connection]:
        if not is_file(self.path):  # a pipe would be waited for
            raise CaseError(
                f"The memory {self.path} is not a file.", next_step="Move it away to begin with an empty one."
            )
        try:
            with closing(sqlite3.connect(uri, timeout=_WAIT_SECONDS, uri=True)) as connection:
                yield connection
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise CaseError(
                f"The memory {self.path} cannot be used: {error}.",
                why="It may be damaged, or not a file of ehrtui, or another program holds it.",
                next_step="Nothing of it was changed. Move it away to begin with an empty memory.",
            ) from error

    def _check(self, connection: sqlite3.Connection) -> bool:
        """False for a file without anything. Raises CaseError for one that is not of this version."""
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if version == 0 and not tables:
            return False
        held = {name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")} for name in _COLUMNS}
        whole = all(name in tables and columns <= held[name] for name, columns in _COLUMNS.items())
        if version != VERSION or not whole:
            raise CaseError(
                f"The memory {self.path} is not one that this ehrtui can read (version {version}).",
                why=f"It reads version {VERSION}.",
                next_step="Nothing of it was changed. Use the ehrtui that wrote it, or move the file away.",
            )
        return True


def _make(tables: sqlite_utils.Database) -> None:
    cases = tables.table("cases")
    texts = {"family": str, "question": str, "logic": str, "sql": str}
    cases.create({"number": int, **texts}, pk="number", not_null=texts)
    cases.create_index(list(texts), unique=True)
    cases.enable_fts(["question", "logic", "sql"], create_triggers=True)
    kept = {"number": int, "text": str, "day": str, "questions": int}
    tables.table("sources").create(kept, pk=("number", "text"), not_null=kept)
    tables.execute(f"PRAGMA user_version = {VERSION}")


def _is_sound(texts: tuple[Any, ...], numbers: tuple[Any, ...]) -> bool:
    """False for a row that ehrtui never wrote."""
    return all(isinstance(text, str) and len(text) <= LONGEST for text in texts) and all(
        isinstance(number, int) and number > 0 for number in numbers
    )
