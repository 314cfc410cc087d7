"""Conversations as in EHR-SeqSQL, with values of one database."""

from __future__ import annotations

import random
import re
import sqlite3
import tomllib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

# The values of each kind, as often as they occur.
_VALUES = {
    "age": "SELECT age AS value FROM admissions",
    "careunit": "SELECT careunit AS value FROM transfers",
    "diagnosis": "SELECT short_title AS value FROM diagnoses_icd JOIN d_icd_diagnoses USING (icd9_code)",
    "drug": "SELECT drug AS value FROM prescriptions",
    "input": "SELECT label AS value FROM inputevents_cv JOIN d_items USING (itemid)",
    "lab": "SELECT label AS value FROM labevents JOIN d_labitems USING (itemid)",
    "output": "SELECT label AS value FROM outputevents JOIN d_items USING (itemid)",
    "patient": "SELECT subject_id AS value FROM icustays",
    "procedure": "SELECT short_title AS value FROM procedures_icd JOIN d_icd_procedures USING (icd9_code)",
    "specimen": "SELECT spec_type_desc AS value FROM microbiologyevents",
    "vital": "SELECT label AS value FROM chartevents JOIN d_items USING (itemid)",
    "year": "SELECT strftime('%Y', admittime) AS value FROM admissions",
}
_BY_FREQUENCY = "SELECT value FROM ({}) WHERE value NOT NULL GROUP BY value ORDER BY count(*) DESC, value"
_PLACE = re.compile(r"\{([a-z]+)(2?)\}")


@dataclass(frozen=True)
class Interaction:
    """`turns` are SELECTs, which name earlier ones as `PREV_RESULTn` and `PREV_QUERYn`."""

    name: str
    turns: tuple[str, ...]


def interactions(database: Path) -> list[Interaction]:
    """Each shape twice: with values that are frequent in the database, and with rare ones. Always the same."""
    shapes = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["shape"]
    ranked = _ranked(database)
    found = []
    for shape in shapes:
        for frequent in (True, False):
            kind = "frequent" if frequent else "rare"
            chance = random.Random(f"{shape['name']} {kind}")
            drawn = {name: chance.sample(_share(values, frequent), 2) for name, values in ranked.items()}
            found.append(
                Interaction(f"{shape['name']}, {kind}", tuple(_filled(turn, drawn) for turn in shape["turns"]))
            )
    return found


def _filled(turn: str, drawn: dict[str, list[str]]) -> str:
    return _PLACE.sub(lambda place: drawn[place[1]][bool(place[2])], turn)


def _ranked(database: Path) -> dict[str, list[str]]:
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return {
            name: [str(value).replace("'", "''") for (value,) in connection.execute(_BY_FREQUENCY.format(sql))]
            for name, sql in _VALUES.items()
        }


def _share(values: list[str], frequent: bool) -> list[str]:
    """The most frequent tenth, or the less frequent half."""
    return values[: max(len(values) // 10, 3)] if frequent else values[len(values) // 2 :]
