"""What the columns of an unknown table may be, guessed from names, declared keys and types, and a few values."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from sqlite3 import Connection, Error, connect
from typing import Any, Protocol

from ehrtui.errors import EhrtuiError
from ehrtui.schema.called import MOST_NAMES
from ehrtui.schema.column_prefixes import Renamed, without_prefixes
from ehrtui.schema.fitting import quoted
from ehrtui.schema.house_names import Names, key_names, table_names
from ehrtui.schema.model import Column, ForeignKey, Schema, Table


class Read(Protocol):
    """What reads the database."""

    def __call__(
        self, sql: str, parameters: Sequence[Any] = (), stopped: Callable[[], bool] | None = None, /
    ) -> list[tuple[Any, ...]]:
        """Run one SELECT and return its rows; raises an EhrtuiError where `stopped` gives True meanwhile."""
        ...


_SAMPLE = 5000
"""Rows of a table that are looked at: large tables are not read whole for a guess."""
_ANYTHING = ("NUM", "NUMERIC")
"""Types that say nothing: SQLite gives them to times too."""
_LEAST_SAMPLE = 200
_SAMPLED = 2_000_000
"""Values that are looked at in all, where there are very many columns."""
_SAMPLING_SECONDS = 1.0
"""How long a sample may take: a view may compute for hours before it gives its first row."""
_READ_AT_ONCE = 100
"""Columns of a table that are sampled by one statement."""
_MOST_SAID = 300
"""Distinct values up to which a text column is a category, whose values people say."""
_ROWS_LOOKED_AT = 20000
"""Rows by which it is decided what values a column has."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}|$)")
_KEY = re.compile(
    r"(?:^|_)(?<!val_)(?<!value_)(?<!res_)(?<!result_)(?<!seq_)(?:id|key|no|nr|num|number|sk|uuid|guid|mrn|reference|ref)$"
    r"|(?:subject|hadm|stay|visit|encounter|item|order|record|event|drug|lab|test|provider|row|unit|specimen|location)id$"
    r"|(?-i:[a-z](?:I[Dd]|No|Nr|Num|Key|Ref|Guid|Uuid|GUID|UUID)$)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"(?:^|_)reference$", re.IGNORECASE)
"""What holds a key behind the name of its table: "Patient/12"."""
_CODED = re.compile(
    r"code|icd|cpt|loinc|rxnorm|snomed|drg|zip|postal|phone|ssn|version|flag|(?:^|_)cde?$|(?-i:[a-z]C[Dd]$)",
    re.IGNORECASE,
)
"""Columns whose digits are no numbers."""
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d*)?(?:\.\d+)?(?:[eE][+-]?\d+)?")
_AMOUNT = re.compile(r"\s*[<>≤≥=]*\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?!\d)")
"""What a text begins with that tells an amount: "12mg/dL", "< 0.5"."""
_MOSTLY = 0.5
"""The share of amounts from which on a column of texts holds values."""
_PATIENT = re.compile(
    r"(?:patient|pat|pt|person|subject|client|member|individual)_?(?:id|key|no|nr|num|number|sk|uuid|guid|reference|ref)?"
    r"|mrn|mrn_?(?:id|no)|medical_?record_?(?:no|num|number)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Known:
    """A table with names that SQL can write without quotes: `sql` is what gives its rows under these names, "" for the
    table itself. The columns by what they hold: `said` are texts of which there are few, `amounts` texts that begin
    with a number, `spelled` numbers that are stored as text; `patient` is the column of patients, "" where none is;
    `own_key` the column that tells rows apart by its values, where no key is declared; `renamed` the SELECT that gives
    nothing but the plain names, "" where they are the table's own; `kind` what its records are, as their values tell,
    "" where they do not."""

    table: Table
    sql: str
    patient: str
    keys: tuple[str, ...]
    times: tuple[str, ...]
    numbers: tuple[str, ...]
    texts: tuple[str, ...]
    said: tuple[str, ...]
    amounts: tuple[str, ...] = ()
    spelled: tuple[str, ...] = ()
    own_key: str = ""
    renamed: str = ""
    kind: str = ""

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.table.name

    @property
    def source(self) -> str:
        """What stands after FROM."""
        return f"({self.sql}) AS {self.name}" if self.sql else self.name

    @cached_property
    def primary_key(self) -> str:
        """The one column that is the declared primary key, or "id", or the table's own name with "id", or its own."""
        declared = [column.name for column in self.table.columns if column.primary_key]
        own = [name for name in self.keys if name.lower() in ("id", f"{singular(self.name.lower())}_id")]
        return declared[0] if len(declared) == 1 else next(iter(own), self.own_key)


def known_tables(schema: Schema, connection: Connection, read: Read) -> list[Known]:
    """The tables, each with what its columns may be; `connection` is an empty copy, `read` reads the database."""
    found = []
    tables = [table for table in schema.tables if not table.is_endless]
    columns = sum(len(table.columns) for table in tables)
    sample = max(_LEAST_SAMPLE, min(_SAMPLE, _SAMPLED // max(columns, 1)))
    names = table_names(tables)
    called = dict(without_prefixes(tables))
    for told, keys in key_names(tables, names).items():
        called[told] = {**called.get(told, {}), **keys}
    for table, sql in (_plain(one, connection, called, names) for one in tables):
        with suppress(EhrtuiError):  # a view that cannot be read, or not in time, tells nothing
            found.append(_known(table, sql, read, sample))
    return found


def distinct_values(column: str, source: str, read: Read, most: int, rows: int = _ROWS_LOOKED_AT) -> list[Any]:
    """At most so many different values of a column in the first `rows` rows of what stands after FROM, but NULL and the
    empty text: large tables are not read whole for a guess."""
    some = f"SELECT {column} AS one FROM {source} WHERE {column} IS NOT NULL LIMIT {rows}"
    found = (value for (value,) in read(f"SELECT DISTINCT one FROM ({some}) LIMIT {most + 1}"))
    return [value for value in found if value != ""][:most]


_IRREGULAR = (("diagnoses", "diagnosis"), ("people", "person"), ("children", "child"), ("wives", "wife"))
"""Plurals that follow no rule, with what they are of."""


@lru_cache(maxsize=MOST_NAMES)
def singular(name: str) -> str:
    """The singular of an English noun, or of the last word of a name."""
    for plural, single in _IRREGULAR:
        if name.endswith(plural):
            return name.removesuffix(plural) + single
    if name.endswith("ies") and len(name) > 4:
        return name[:-3] + "y"
    if name.endswith(("ses", "xes", "ches", "shes")):
        return name[:-2]
    return name[:-1] if name.endswith("s") and not name.endswith(("ss", "us", "is")) else name


def plural(name: str) -> str:
    """The plural of an English noun, or of the last word of a name."""
    if name.endswith("is"):
        return name[:-2] + "es"
    if name.endswith("y") and not name.endswith(("ay", "ey", "oy")):
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("s", "x", "ch", "sh")) else "s")


def as_text(value: str) -> str:
    """A text as SQL writes it."""
    return "'" + value.replace("'", "''") + "'"


def _plain(table: Table, connection: Connection, called: Renamed, names: Names) -> tuple[Table, str]:
    """The table under names that need no quotes, and the SELECT that gives them ("" where the names are plain); columns
    that are `called` something else are, and tables that have other `names`."""
    usable = all(map(_is_plain, (table.name, *_names(table)))) and _runs(connection, table.name, _names(table))
    own = table.name not in called and table.name not in names
    if usable and own and not any(map(_REFERENCE.search, _names(table))):
        return table, ""
    renamed: dict[str, Column] = {}
    for column in table.columns:
        name = plain_name(called.get(table.name, {}).get(column.name, column.name))
        if name not in renamed:
            renamed[name] = column
    selected = ", ".join(f"{_held(column.name)} AS {name}" for name, column in renamed.items())
    columns = tuple(replace(column, name=name) for name, column in renamed.items())
    known = {column.name: name for name, column in renamed.items()}
    foreign = tuple(
        replace(
            key,
            column=known[key.column],
            target_table=names.get(key.target_table, key.target_table),
            target_column=_called(key, called),
        )
        for key in table.foreign_keys
        if key.column in known
    )
    plain = Table(plain_name(names.get(table.name, table.name)), columns, foreign, table.row_count, table.is_view)
    return plain, f"SELECT {selected} FROM {quoted(table.name)}"


def _called(key: ForeignKey, called: Renamed) -> str:
    """What the column is called that a key leads to."""
    return plain_name(called.get(key.target_table, {}).get(key.target_column, key.target_column))


def _held(column: str) -> str:
    """A column in SQL; of a reference what stands behind the name of the table that it leads to."""
    name = quoted(column)
    return f"substr({name}, instr({name}, '/') + 1)" if _REFERENCE.search(column) else name


def _names(table: Table) -> list[str]:
    return [column.name for column in table.columns]


def _is_plain(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None


@lru_cache(maxsize=MOST_NAMES)
def snake_case(name: str) -> str:
    """A name in lower case, its words and its case humps joined by underscores: what names are compared by."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z]{2})", "_", name).lower()
    return re.sub(r"[^a-z0-9_]+", "_", parted).strip("_")


@lru_cache(maxsize=MOST_NAMES)
def plain_name(name: str) -> str:
    """A name that SQL can write without quotes, in lower case."""
    plain = snake_case(name)
    if not re.match(r"[a-z]", plain):
        return f"the_{plain}"
    return f"{plain}_" if _is_reserved(plain) else plain


@cache
def _is_reserved(name: str) -> bool:
    with closing(connect(":memory:")) as connection:
        return not _runs(connection, f"(SELECT 1 AS {name})", (name,))


def _runs(connection: Connection, table: str, columns: Iterable[str]) -> bool:
    try:
        connection.execute(f"SELECT {', '.join(columns)} FROM {table}")
    except Error:
        return False
    return True


def _known(table: Table, sql: str, read: Read, sample: int) -> Known:
    found: dict[str, list[str]] = {"key": [], "time": [], "number": [], "text": [], "said": [], "amount": []}
    patient = next((column.name for column in table.columns if _PATIENT.fullmatch(column.name)), "")
    foreign = {key.column.lower() for key in table.foreign_keys}
    kinds: dict[str, str] = {}
    own = sum(column.primary_key for column in table.columns) == 1  # of several, each tells something of its own
    for column in table.columns:
        name = column.name
        called_so = _KEY.search(name) and not column.is_fraction
        if (own and column.primary_key) or name.lower() in foreign or called_so or name == patient:
            kinds[name] = "key"
        elif column.is_time:
            kinds[name] = "time"
        elif column.is_number and column.type not in _ANYTHING:
            kinds[name] = "number"
        elif "BLOB" not in column.type:
            kinds[name] = ""
    untold = [name for name, kind in kinds.items() if not kind and table.row_count != 0]
    values = _values(Known(table, sql, "", (), (), (), (), ()).source, untold, read, sample)
    spelled = []
    for name, kind in kinds.items():
        held = values.get(name, {})
        kind = kind or _kind_of_values(name, held)
        found["text" if kind in ("said", "amount") else kind].append(name)
        if kind in ("said", "amount"):
            found[kind].append(name)
        if kind == "number" and any(isinstance(value, str) for value in held):
            spelled.append(name)
    columns = {kind: tuple(names) for kind, names in found.items()}
    return Known(
        table,
        sql,
        patient,
        columns["key"],
        columns["time"],
        columns["number"],
        columns["text"],
        columns["said"],
        columns["amount"],
        tuple(spelled),
        renamed=sql,
    )


def _values(source: str, columns: Sequence[str], read: Read, sample: int) -> dict[str, dict[Any, int]]:
    """Values of each column in some rows, and how often each occurs there; of many only the first."""
    values: dict[str, dict[Any, int]] = {name: {} for name in columns}
    for start in range(0, len(columns), _READ_AT_ONCE):
        arms = (
            f"SELECT * FROM (SELECT '{name}', {name}, COUNT(*) FROM (SELECT {name} FROM {source} LIMIT {sample}) "
            f"WHERE {name} IS NOT NULL GROUP BY {name} LIMIT {_MOST_SAID + 1})"
            for name in columns[start : start + _READ_AT_ONCE]
        )
        for name, value, count in read(" UNION ALL ".join(arms), (), _too_late()):
            values[name][value] = count
    return values


def _too_late() -> Callable[[], bool]:
    """Says when a sample that begins now has taken too long."""
    late = time.monotonic() + _SAMPLING_SECONDS
    return lambda: time.monotonic() > late


def _kind_of_values(name: str, values: Mapping[Any, int]) -> str:
    """What a column without a telling type holds, by its name and some of its values: "time", "number", "amount" (texts
    that begin with numbers), "said" (few texts) or "text"."""
    told = [value for value in values if value != ""]
    if told and all(isinstance(value, str) and _DAY.match(value) for value in told):
        return "time"
    if told and not _CODED.search(name):
        if all(isinstance(value, int | float) or (value and _NUMBER.fullmatch(value)) for value in told):
            return "number"
        amounts = sum(isinstance(value, int | float) or _AMOUNT.match(value) is not None for value in told)
        if amounts >= _MOSTLY * len(told):
            return "amount"
    repeated = sum(values.values()) > len(values) or len(values) <= 10
    return "said" if 0 < len(values) <= _MOST_SAID and repeated else "text"
