"""The columns of a CSV file, and what each holds: told by its name and its first rows.

Nothing that is not surely a number is one: a code keeps its zeros, and a column whose first values are whole numbers
may hold other ones later. Where a file is small all of it is looked at.
"""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from ehrtui.engines.kept import unique_names
from ehrtui.errors import DatabaseError

_SAMPLED_ROWS = 3_000
_WHOLE_FILE = 300_000  # bytes; all rows of a smaller file are looked at
_LONGEST = 50_000_000  # characters of one field
_DELIMITERS = ",\t;|"
_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PLAIN_DAY = re.compile(r"(?:1[89]|2\d)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")
_CODED = re.compile(
    r"code$|_cd$|^icd|^ndc|ndc$|^gsn|zip|phone|_source_value$|value$|_val_(?:rx|disp)$|_text$|uom$|^flag$|_string$|version",
    re.IGNORECASE,
)
"""Names of columns that hold texts, also where the first of them look like numbers."""
_COUNTED = re.compile(
    r"id$|^row|offset$|_num(?:ber)?$|^seq|_seq$|sequence|count$|flag$|error$|warning$|^is|year|month|day|age$|expire",
    re.IGNORECASE,
)
"""Names of columns that hold whole numbers, where the first are."""
_MEASURED = re.compile(
    r"\.(?:valuenum|amount|rate|original(?:amount|rate)|totalamount|patientweight|los|labresult|cellvaluenumeric|quantity"
    r"|value_as_number|range_(?:low|high)|ref_range_(?:lower|upper))|(?:outputevents|procedureevents(?:_mv)?)\.value",
    re.IGNORECASE,
)
"""Columns of the public databases (table.column) that hold numbers, also where the first rows have none."""
_DATED = re.compile(r"(?:time|date|^do[bd](?:_\w+)?)$", re.IGNORECASE)


@dataclass(frozen=True)
class CSVColumn:
    """A column by its name, the type of its values (BIGINT, DOUBLE, VARCHAR, TIMESTAMP or DATE, of which the last two
    are texts), and how its times are written: "" as SQLite does, "T" or "plain" (20100715)."""

    name: str
    type: str
    written: str = ""


@dataclass(frozen=True)
class CSVFile:
    """A CSV file with a header."""

    path: Path
    columns: tuple[CSVColumn, ...]
    delimiter: str
    encoding: str

    @property
    def headed(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)


def read_csv_file(path: Path) -> CSVFile:
    """What a CSV file holds. Raises DatabaseError where it has no header, or its first rows cannot be read."""
    csv.field_size_limit(_LONGEST)  # notes are longer than what Python expects
    small = path.stat().st_size < _WHOLE_FILE
    for encoding in ("utf-8-sig", "latin-1"):
        try:
            with opened_csv(path, encoding) as file:
                first = file.readline()
                if not first.strip() or "\0" in first:
                    raise _unreadable(path, "It has no header: the first line is empty, or no text.")
                delimiter = max(_DELIMITERS, key=first.count)
                (header, *_) = csv.reader([first], delimiter=delimiter)
                rows = csv.reader(file, delimiter=delimiter)
                held = _values(path, header, rows if small else islice(rows, _SAMPLED_ROWS))
        except UnicodeDecodeError:
            continue
        except (OSError, EOFError, csv.Error, zlib.error) as error:
            raise _unreadable(path, str(error)[:100]) from error
        if any(_NUMBER.fullmatch(name) for name in header):
            raise _unreadable(path, "Its first line holds values, not the names of columns.")
        shouted = header == [name.upper() for name in header]
        names = unique_names([name.strip().lower() if shouted else name.strip() for name in header])
        columns = tuple(_column(name, values, path, whole=small) for name, values in zip(names, held, strict=True))
        return CSVFile(path, columns, delimiter, "latin-1" if encoding == "latin-1" else "utf-8")
    raise _unreadable(path, "It is no text.")


@contextmanager
def opened_csv(path: Path, encoding: str) -> Iterator[IO[str]]:
    """The text of a CSV file, unpacked where it is packed."""
    if path.name.lower().endswith(".gz"):
        with gzip.open(path, "rt", encoding=encoding, newline="") as file:
            yield file
    else:
        with path.open(encoding=encoding, newline="") as file:
            yield file


def _values(path: Path, header: Sequence[str], rows: Iterator[list[str]]) -> list[set[str]]:
    """The values of each column, but for missing ones."""
    found: list[set[str]] = [set() for _ in header]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            if not row:
                continue
            raise _unreadable(path, f"Line {number} has {len(row)} fields, and the header has {len(header)}.")
        for values, cell in zip(found, row, strict=True):
            if cell:
                values.add(cell)
    return found


def _column(name: str, values: set[str], path: Path, *, whole: bool) -> CSVColumn:
    place = f"{path.name.partition('.')[0]}.{name}"
    measured = _MEASURED.search(place)
    if measured and measured.end() == len(place) and all(_NUMBER.fullmatch(value) for value in values):
        return CSVColumn(name, "DOUBLE")
    if not values:
        return CSVColumn(name, "TIMESTAMP" if _DATED.search(name) else "BIGINT" if name.endswith("_id") else "VARCHAR")
    if all(_DAY.fullmatch(value) for value in values):
        return CSVColumn(name, "DATE")
    if all(_INSTANT.fullmatch(value) or _DAY.fullmatch(value) for value in values):
        iso = any("T" in value or value.endswith("Z") for value in values)
        return CSVColumn(name, "TIMESTAMP", "T" if iso else "")
    if _DATED.search(name) and all(_PLAIN_DAY.fullmatch(value) for value in values):
        return CSVColumn(name, "DATE", "plain")
    if _CODED.search(name):
        return CSVColumn(name, "VARCHAR")
    if all(_WHOLE.fullmatch(value) for value in values):
        return CSVColumn(name, "BIGINT" if whole or _COUNTED.search(name) else "DOUBLE")
    return CSVColumn(name, "DOUBLE" if all(_NUMBER.fullmatch(value) for value in values) else "VARCHAR")


def _unreadable(path: Path, why: str) -> DatabaseError:
    return DatabaseError(
        f"{path.name} cannot be read.", why=why, next_step="Take the file from its source again, or put it elsewhere."
    )
