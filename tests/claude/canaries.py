"""A database in which every free text, identifier and date is a canary: a value of its own that occurs nowhere else."""

from __future__ import annotations

import itertools
import re
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tests import small_mimic

_IDENTIFIERS = ("subject_id", "hadm_id", "icustay_id", "row_id", "event_id")
_DATES = (
    "dob",
    "dod",
    "admittime",
    "dischtime",
    "charttime",
    "startdate",
    "enddate",
    "chargetime",
    "intime",
    "outtime",
)
_CLOCK = re.compile(r"\b20\d\d-\d\d-\d\d[t ]\d\d:\d\d:\d\d|\b\d\d [a-z]{3} 20\d\d \d\d:\d\d:\d\d")
"""A moment of this century, in a log or in a header; canaries are of the next."""
_SYLLABLES = ("zab", "quo", "vix", "jup", "kyr", "wuz", "fej", "gox", "hyk", "lwi")


@dataclass(frozen=True)
class Canaries:
    """The database at `path`; `values` are its canaries by kind ("identifier", "date", "text", "name")."""

    path: Path
    values: dict[str, tuple[str, ...]]

    @property
    def all(self) -> tuple[str, ...]:
        """Every canary."""
        return tuple(itertools.chain.from_iterable(self.values.values()))

    def in_text(self, text: str) -> set[str]:
        """The canaries that occur in a text, in any case, and with the parts of dates apart; not what the clock of the
        machine says, which may be the time of day of one of them."""
        lower = _CLOCK.sub("", text.lower())
        return {value for value in self.all if value.lower() in lower}


def build(path: Path) -> Canaries:
    """The five-patient EHR with canaries in place of its identifiers and dates, and with free text beside it."""
    small_mimic.build(path)
    connection = sqlite3.connect(path)
    values: dict[str, tuple[str, ...]] = {"identifier": (), "date": (), "text": (), "name": ()}
    with connection:
        connection.execute(
            "CREATE TABLE noteevents (row_id INT, subject_id INT, author TEXT, charttime TIMESTAMP, text)"
        )
        for subject in range(101, 106):
            connection.execute("INSERT INTO noteevents VALUES (0, ?, '', '2104-01-01 00:00:00', '')", (subject,))
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        identifiers = itertools.count(710_000_001, 7919)
        numbers: dict[int, int] = {}
        days = (datetime(2104, 1, 1) + timedelta(seconds=at * 40_009) for at in itertools.count())
        texts = (_word(number) for number in itertools.count(1))
        for table in tables:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            for column in columns:
                rows = connection.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall()
                for rowid, value in rows:
                    new: object
                    if column in _IDENTIFIERS[:3]:
                        new = numbers[value] = numbers.get(value) or next(identifiers)
                        values["identifier"] += (str(new),)
                    elif column in _IDENTIFIERS:
                        new = next(identifiers)
                        values["identifier"] += (str(new),)
                    elif column in _DATES:
                        new = next(days).strftime("%Y-%m-%d %H:%M:%S")
                        values["date"] += (str(new), str(new)[:10], str(new)[11:])
                    elif table == "noteevents":
                        name, word = next(texts), next(texts)
                        new = f"Dr {name.title()}" if column == "author" else f"the {word} was {name} at home"
                        values["name" if column == "author" else "text"] += (name,)
                        values["text"] += (word,) if column == "text" else ()
                    elif column == "dose_val_rx":
                        new = next(texts)
                        values["text"] += (str(new),)
                    else:
                        continue
                    connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, rowid))
    connection.close()
    return Canaries(path, {kind: tuple(dict.fromkeys(found)) for kind, found in values.items()})


def _word(number: int) -> str:
    digits = f"{number * 104_729 % 1_000_000:06}"
    return "".join(_SYLLABLES[int(digit)] for digit in digits)
