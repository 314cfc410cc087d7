"""Databases with as many names as MIMIC-III (45,000) and MIMIC-IV (106,000) have in their dictionaries.

Where EHRTUI_DATA names a folder with `mimic_iii.sqlite` and `mimic_iv.sqlite`, these; else made-up titles of diagnoses
in the small database of the tests.
"""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tests import small_mimic

SIZES = {"mimic_iii": 45_000, "mimic_iv": 106_000}
_WORDS = 6_000
_SYLLABLES = [
    first + last for first in "bcdfghklmnprstvz" for last in ("a", "e", "i", "o", "u", "al", "en", "is", "or")
]


def database(like: str, folder: Path) -> Path:
    """A database with the names of `like`; one that has to be made is put into `folder`."""
    given = Path(os.environ.get("EHRTUI_DATA", "")) / f"{like}.sqlite"
    if given.is_file():
        return given
    path = small_mimic.build(folder / f"{like}.sqlite")
    with closing(sqlite3.connect(path)) as connection:
        # Each has a short and a long title, and both are names of it.
        titles = _titles(random.Random(0), SIZES[like] // 2)
        connection.executemany(
            "INSERT INTO d_icd_diagnoses VALUES (?, ?, ?, ?)",
            ((1_000 + at, f"x{at}", f"{short} {at}", f"{long} {at}") for at, (short, long) in enumerate(titles)),
        )
        connection.commit()
    return path


def _titles(chance: random.Random, count: int) -> Iterator[tuple[str, str]]:
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(_WORDS)]
    for _ in range(count):
        yield " ".join(chance.choices(words, k=3)), " ".join(chance.choices(words, k=chance.randint(5, 14)))
