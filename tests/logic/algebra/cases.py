"""Pairs of logic and SQL that must give the same rows, read from the files beside this one."""

from __future__ import annotations

import sqlite3
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A statement of the algebra and the SQL that must give the same rows; `about` says what it shows."""

    about: str
    logic: str
    sql: str


def cases(name: str) -> list[Case]:
    """The pairs for one schema."""
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    prelude = data["prelude"].strip()
    return [
        Case(one["about"], " ".join(one["logic"].split()), f"WITH {prelude}{_joined(one['sql'].strip())}")
        for one in data["case"]
    ]


def _joined(sql: str) -> str:
    return f"\n{sql}"


def filled(text: str, connection: sqlite3.Connection) -> str:
    """The text with the least number of a hospital stay and of an ICU stay in place of {hadm} and {icu}."""
    if "{hadm}" in text:
        text = text.replace("{hadm}", str(connection.execute("SELECT min(hadm_id) FROM admissions").fetchone()[0]))
    if "{icu}" in text:
        text = text.replace("{icu}", str(connection.execute("SELECT min(icustay_id) FROM icustays").fetchone()[0]))
    return text


def multiset(rows: list[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    """The rows in any order, numbers to six digits."""
    return Counter(tuple(_rounded(value) for value in row) for row in rows)


def _rounded(value: Any) -> Any:
    return float(f"{value:.6g}") + 0.0 if isinstance(value, float | int) else value
