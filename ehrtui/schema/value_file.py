"""A value index as an SQLite database: what its tables hold, how it is written, and how one is opened again.

`entry`: the names by form, that is by their words with one space between them; `place` counts them as they were given;
`said` is NULL where it is the name in lower case. `shelf`: the forms of one role and length together, a line each, so
that a search by letters reads those that can be near and no others. `item`: the stored names of each role, with their
codes and numbers of records; `words` finds them by their words (FTS5), `code` by their codes; `letters` has all these
words by their length. `value`: the stored values of fields.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count, groupby
from pathlib import Path

from ehrtui.errors import Cancelled
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.value_index import Entry, StoredValue, ValueIndex, entries_of, split
from ehrtui.schema.vocabulary import Term
from ehrtui.schema.word_forms import stem

FORMAT = 3
"""Raise it when the tables change: a file of another format is built again."""

Stopped = Callable[[], bool]

_TABLES = {
    "role": "CREATE TABLE role (place INTEGER PRIMARY KEY, name TEXT, forms INTEGER)",
    "entry": "CREATE TABLE entry (form TEXT, place INTEGER, role TEXT, name TEXT, said TEXT, field TEXT, "
    "PRIMARY KEY (form, place)) WITHOUT ROWID",
    "shelf": "CREATE TABLE shelf (role TEXT, length INTEGER, forms TEXT, PRIMARY KEY (role, length)) WITHOUT ROWID",
    "size": "CREATE TABLE size (names INTEGER, words INTEGER, letters INTEGER)",
    "item": "CREATE TABLE item (number INTEGER PRIMARY KEY, role TEXT, name TEXT, codes TEXT, rows INTEGER)",
    "code": "CREATE TABLE code (role TEXT, code TEXT, number INTEGER, PRIMARY KEY (role, code, number)) WITHOUT ROWID",
    "words": "CREATE VIRTUAL TABLE words USING fts5(form, content='', columnsize=0, detail=none, "
    'tokenize="unicode61 remove_diacritics 0")',
    "letters": "CREATE TABLE letters (length INTEGER PRIMARY KEY, words TEXT)",
    "value": "CREATE TABLE value (role TEXT, field TEXT, name TEXT, rows INTEGER)",
    "item_name": "CREATE INDEX item_name ON item (role, name)",
}
_OF_WORDS = "words_"
"""What the tables behind `words` are called by SQLite."""
_GIVEN = (
    "CREATE TEMP TABLE given (place INTEGER PRIMARY KEY, form TEXT, role TEXT, name TEXT, said TEXT, field TEXT, "
    "code TEXT, rows INTEGER)"
)
_CACHED_KIB = 300
"""More of it is not faster: the system has the file in memory, and lookups of the same words are remembered."""
_STEPS_BETWEEN_CHECKS = 100_000  # of SQLite's virtual machine
_NAMES_BETWEEN_CHECKS = 1000


def never() -> bool:
    """For what is not to be stopped."""
    return False


def index_of(
    entries: Iterable[Entry],
    terms: Iterable[Term] = (),
    stopped: Stopped = never,
    values: Iterable[StoredValue] = (),
) -> ValueIndex:
    """The index of these names in a private file, which SQLite removes from its directory as soon as it has opened it.
    Raises sqlite3.Error, and as `entries` does."""
    connection = _connected("")
    write_value_index(connection, entries, terms, stopped, values)
    return ValueIndex(connection)


def write_value_file(
    path: Path,
    entries: Iterable[Entry],
    terms: Iterable[Term],
    stopped: Stopped,
    values: Iterable[StoredValue] = (),
) -> int:
    """Write an index, as `write_value_index` does, to the empty file at `path`."""
    with closing(_connected(str(path))) as connection:
        return write_value_index(connection, entries, terms, stopped, values)


def open_value_file(path: Path, again: Callable[[], ValueIndex]) -> ValueIndex:
    """The index that `write_value_file` wrote. Raises sqlite3.Error, or ValueError where the file is anything else;
    `again` as in ValueIndex."""
    connection = _connected(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        made = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
        if {name: sql for name, sql in made.items() if not name.startswith(_OF_WORDS)} != _TABLES:
            raise ValueError(f"{path.name} is not a value index.")
        return ValueIndex(connection, again)
    except BaseException:
        connection.close()
        raise


def _connected(address: str, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=uri, isolation_level=None, check_same_thread=False)
    # A file that is not complete is never used, so it needs no journal.
    for setting in (
        "journal_mode = OFF",
        "synchronous = OFF",
        "trusted_schema = OFF",
        "temp_store = FILE",
        f"cache_size = -{_CACHED_KIB}",
        f"temp.cache_size = -{_CACHED_KIB}",
    ):
        connection.execute(f"PRAGMA {setting}")
    return connection


def write_value_index(
    connection: sqlite3.Connection,
    entries: Iterable[Entry],
    terms: Iterable[Term],
    stopped: Stopped,
    values: Iterable[StoredValue] = (),
) -> int:
    """Write the names into an empty database, each once, and what the clinical vocabulary calls them; those without
    words are left out; and the `values` of fields. `stopped` is asked again and again. The value is the number of
    names. Raises sqlite3.Error, Cancelled where it was stopped, and as `entries` does."""
    with _stoppable(connection, stopped):
        connection.execute("BEGIN")
        for table in _TABLES.values():
            connection.execute(table)
        connection.execute(_GIVEN)
        rows = (row for entry in _until(stopped, entries) if (row := _row(entry))[0])
        connection.executemany(
            "INSERT INTO given (form, role, name, said, field, code, rows) VALUES (?, ?, ?, ?, ?, ?, ?)", rows
        )
        connection.execute(
            "INSERT INTO entry SELECT form, min(place), role, name, said, field FROM given "
            "GROUP BY form, role, name, said, field ORDER BY form, min(place)"
        )
        _add_items(connection)
        connection.execute("DROP TABLE given")
        _leave_to_used_ones(connection)
        _add_letters(connection, _add_values(connection, values))
        _add_terms(connection, terms)
        _fill_shelves(connection)
        names: int = connection.execute("SELECT names FROM size").fetchone()[0]
        connection.execute("COMMIT")
    return names


@contextmanager
def _stoppable(connection: sqlite3.Connection, stopped: Stopped) -> Iterator[None]:
    connection.set_progress_handler(stopped, _STEPS_BETWEEN_CHECKS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise _cancellation() from error
        raise
    finally:
        connection.set_progress_handler(None, 0)


def _until(stopped: Stopped, entries: Iterable[Entry]) -> Iterator[Entry]:
    for number, entry in enumerate(entries):
        if number % _NAMES_BETWEEN_CHECKS == 0 and stopped():
            raise _cancellation()
        yield entry


def _cancellation() -> Cancelled:
    return Cancelled("Collecting names was cancelled.")


def _row(entry: Entry) -> tuple[str, str, str, str | None, str, str, int]:
    said = None if entry.said == entry.name.lower() else entry.said
    return " ".join(split(entry.said)), entry.role, entry.name, said, entry.field, entry.code, entry.rows


def _add_items(connection: sqlite3.Connection) -> None:
    """Write the stored names of the roles, with the words of all that they are said by and with their codes."""
    given = connection.execute(
        "SELECT role, name, form, code, rows FROM given WHERE field = '' ORDER BY role, name, place"
    )
    for number, ((role, name), rows) in enumerate(groupby(given, key=lambda row: row[:2]), 1):
        used: dict[str, int] = {}
        own: dict[str, None] = {}
        for _, _, form, code, count_of in rows:
            used[code] = max(used.get(code, 0), count_of)
            own.update(dict.fromkeys(map(stem, form.split(" "))))
        own.update(dict.fromkeys(map(stem, split(name))))
        item = number, role, name, " ".join(sorted(filter(None, used))), sum(used.values())
        connection.execute("INSERT INTO item VALUES (?, ?, ?, ?, ?)", item)
        connection.execute("INSERT INTO words (rowid, form) VALUES (?, ?)", (number, " ".join(own)))
    connection.execute(
        "INSERT INTO code SELECT DISTINCT given.role, code, number FROM given JOIN item USING (role, name) "
        "WHERE field = '' AND code <> '' ORDER BY 1, 2, 3"
    )


def _leave_to_used_ones(connection: sqlite3.Connection) -> None:
    """Take out the names of which a loose role has no record where they are used in another role: a dictionary of
    thousands of labels has many a one twice, of which one was never charted."""
    roles = [role for (role,) in connection.execute("SELECT DISTINCT role FROM item") if kind_of(role).loose]
    loose = ", ".join("?" * len(roles))
    places = connection.execute(
        "SELECT entry.form, entry.place FROM entry JOIN item USING (role, name) WHERE item.rows = 0 "
        f"AND entry.field = '' AND entry.role IN ({loose}) AND EXISTS (SELECT 1 FROM entry AS other "
        "JOIN item AS used ON used.role = other.role AND used.name = other.name WHERE other.form = entry.form "
        "AND other.role <> entry.role AND other.field = '' AND used.rows > 0)",
        roles,
    ).fetchall()
    connection.executemany("DELETE FROM entry WHERE form = ? AND place = ?", places)


def _add_values(connection: sqlite3.Connection, values: Iterable[StoredValue]) -> set[str]:
    """Write the values; what comes back are their words."""
    words: set[str] = set()
    for one in values:
        connection.execute("INSERT INTO value VALUES (?, ?, ?, ?)", (one.role, one.field, one.name, one.rows))
        words.update(map(stem, split(one.name)))
    return words


def _add_letters(connection: sqlite3.Connection, words: set[str]) -> None:
    """Write the words of the items, and these, by their length."""
    connection.execute("CREATE VIRTUAL TABLE temp.term USING fts5vocab(main, words, row)")
    lengths = connection.execute("SELECT length(term), group_concat(term, ' ') FROM temp.term GROUP BY 1").fetchall()
    known = {length: set(terms.split(" ")) for length, terms in lengths}
    for word in words:
        known.setdefault(len(word), set()).add(word)
    rows = ((length, " ".join(sorted(terms))) for length, terms in sorted(known.items()))
    connection.executemany("INSERT INTO letters VALUES (?, ?)", rows)
    connection.execute("DROP TABLE temp.term")


def _add_terms(connection: sqlite3.Connection, terms: Iterable[Term]) -> None:
    """Add an entry for each term that there is an item for: the first of the term's names that is stored.

    What is stored keeps its own name, unless the term lists that name behind another one that is stored as well: the
    dictionaries of MIMIC hold some abbreviations as items that are never charted.
    """
    changes: list[tuple[Term, tuple[Entry, ...], tuple[Entry, ...]]] = []
    for term in terms:
        own = _items_said(connection, term.role, term.said)
        if own and term.said not in term.names:
            continue
        meant = next(filter(None, (_items_said(connection, term.role, name) for name in term.names)), ())
        if meant and not set(meant) & set(own):
            changes.append((term, own, tuple(replace(entry, said=term.said) for entry in meant)))
    places = count(connection.execute("SELECT ifnull(max(place), 0) + 1 FROM entry").fetchone()[0])
    for term, own, meant in changes:
        stored = set(entries_of(connection, split(term.said))) - set(own)
        connection.executemany(
            "DELETE FROM entry WHERE form = ? AND role = ? AND name = ? AND said IS ? AND field = ?",
            (_row(entry)[:5] for entry in own),
        )
        connection.executemany(
            "INSERT INTO entry (form, role, name, said, field, place) VALUES (?, ?, ?, ?, ?, ?)",
            ((*_row(entry)[:5], next(places)) for entry in dict.fromkeys(meant) if entry not in stored),
        )


def _items_said(connection: sqlite3.Connection, role: str, said: str) -> tuple[Entry, ...]:
    """The items of a role that `said` stands for: those spelled like it, or else those of the same words."""
    found = [entry for entry in entries_of(connection, split(said)) if entry.role == role and not entry.field]
    return tuple(entry for entry in found if entry.said == said) or tuple(found)


def _fill_shelves(connection: sqlite3.Connection) -> None:
    """Write the other tables from the entries. Names and roles are in the order of their first entries."""
    entries = connection.execute(
        "SELECT role, length(form) AS letters, min(place) OVER (PARTITION BY form) AS first, form, place FROM entry "
        "ORDER BY role, letters, first, place"
    )
    places: dict[str, tuple[int, int]] = {}
    forms_of: Counter[str] = Counter()
    words = longest = 0
    for (role, letters), rows in groupby(entries, key=lambda row: row[:2]):
        forms: dict[str, None] = {}
        for _, _, first, form, place in rows:
            forms[form] = None
            places[role] = min(places.get(role, (first, place)), (first, place))
        forms_of[role] += len(forms)
        words = max(words, *(form.count(" ") + 1 for form in forms))
        longest = max(longest, letters)
        connection.execute("INSERT INTO shelf VALUES (?, ?, ?)", (role, letters, "\n".join(forms)))
    ordered = sorted(places, key=places.__getitem__)
    connection.executemany("INSERT INTO role (name, forms) VALUES (?, ?)", ((role, forms_of[role]) for role in ordered))
    connection.execute("INSERT INTO size SELECT count(DISTINCT form), ?, ? FROM entry", (words, longest))
