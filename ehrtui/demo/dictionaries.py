"""The medical facts that the demo is made of, read from the tables in `facts/`."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

FACTS = Path(__file__).parent / "facts"
ANY = "any"

T = TypeVar("T")


@dataclass(frozen=True)
class Diagnosis:
    """One ICD-9 diagnosis. `sex` is "" for both; `min_age` in years; `weight` is how common it is in an ICU."""

    code: str
    short_title: str
    long_title: str
    group: str
    weight: float
    sex: str
    min_age: int

    def befalls(self, sex: str, age: int) -> bool:
        """True when a patient of that sex and age (years) can have it."""
        return self.sex in ("", sex) and age >= self.min_age


@dataclass(frozen=True)
class Procedure:
    """One ICD-9 procedure, and the diagnosis groups that it is done for."""

    code: str
    short_title: str
    long_title: str
    groups: frozenset[str]
    weight: float


@dataclass(frozen=True)
class Drug:
    """One drug with its usual route and dose, the diagnosis groups that it is given for, and for how many days."""

    drug: str
    route: str
    dose: str
    unit: str
    groups: frozenset[str]
    weight: float
    days: int


@dataclass(frozen=True)
class Lab:
    """One laboratory test with its reference range; `shifts` multiply the middle of the range in a diagnosis group.

    Tests of one `panel` are drawn together, every `interval_hours` (0: once, where there is a reason).
    """

    itemid: int
    label: str
    unit: str
    low: float
    high: float
    decimals: int
    panel: str
    interval_hours: float
    shifts: Mapping[str, float]


@dataclass(frozen=True)
class Panel:
    """Tests that are drawn together: `repeated` ones at their interval, the others `once`."""

    name: str
    repeated: tuple[Lab, ...]
    once: tuple[Lab, ...]


@dataclass(frozen=True)
class Item:
    """One charted item of the ICU (vital sign, input or output: `linksto` is its table); `interval_hours` 0: once."""

    itemid: int
    label: str
    linksto: str
    unit: str
    low: float
    high: float
    decimals: int
    interval_hours: float


@dataclass(frozen=True)
class Culture:
    """One kind of specimen with the organisms that grow from it; `negative_share` of the cultures grow nothing."""

    specimen: str
    organisms: tuple[str, ...]
    weights: tuple[float, ...]
    negative_share: float


@dataclass(frozen=True)
class Choices:
    """Values to choose from, by weight."""

    values: tuple[str, ...]
    weights: tuple[float, ...]

    def pick(self, chance: Random) -> str:
        """One of the values."""
        return chance.choices(self.values, self.weights)[0]


@dataclass(frozen=True)
class Facts:
    """All facts. `places` holds the choices of administrative values (care unit, insurance…) by their kind.

    `diagnoses_of` are the diagnoses by group, `panels` the tests by panel; `version` changes with any fact.
    """

    diagnoses: tuple[Diagnosis, ...]
    diagnoses_of: Mapping[str, tuple[Diagnosis, ...]]
    procedures: tuple[Procedure, ...]
    drugs: tuple[Drug, ...]
    labs: tuple[Lab, ...]
    panels: tuple[Panel, ...]
    items: tuple[Item, ...]
    cultures: tuple[Culture, ...]
    places: Mapping[str, Choices]
    version: str


def fits(groups: frozenset[str], conditions: frozenset[str]) -> bool:
    """True when something for `groups` is done in a patient with these `conditions`."""
    return ANY in groups or not groups.isdisjoint(conditions)


@cache
def facts() -> Facts:
    """The facts that ship with ehrtui; read once."""
    return read(FACTS)


def read(folder: Path) -> Facts:
    """The facts in `folder`."""
    diagnoses = _read(folder / "diagnoses.tsv", _diagnosis)
    labs = _read(folder / "labs.tsv", _lab)
    return Facts(
        diagnoses=diagnoses,
        diagnoses_of=_by(diagnoses, lambda diagnosis: diagnosis.group),
        procedures=_read(folder / "procedures.tsv", _procedure),
        drugs=_read(folder / "drugs.tsv", _drug),
        labs=labs,
        panels=tuple(_panel(name, drawn) for name, drawn in _by(labs, lambda lab: lab.panel).items()),
        items=_read(folder / "items.tsv", _item),
        cultures=_read(folder / "cultures.tsv", _culture),
        places=_choices(_read(folder / "places.tsv", lambda row: (row["kind"], row["value"], float(row["weight"])))),
        version=_version(folder),
    )


def _read(path: Path, make: Callable[[dict[str, str]], T]) -> tuple[T, ...]:
    with path.open(encoding="utf-8", newline="") as lines:
        return tuple(make(row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def _by(rows: Iterable[T], key: Callable[[T], str]) -> dict[str, tuple[T, ...]]:
    groups: dict[str, tuple[T, ...]] = {}
    for row in rows:
        groups[key(row)] = (*groups.get(key(row), ()), row)
    return groups


def _panel(name: str, labs: tuple[Lab, ...]) -> Panel:
    return Panel(
        name=name,
        repeated=tuple(lab for lab in labs if lab.interval_hours),
        once=tuple(lab for lab in labs if not lab.interval_hours),
    )


def _version(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.tsv")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def _diagnosis(row: dict[str, str]) -> Diagnosis:
    return Diagnosis(
        code=row["code"],
        short_title=row["short_title"],
        long_title=row["long_title"],
        group=row["group"],
        weight=float(row["weight"]),
        sex=row["sex"],
        min_age=int(row["min_age"]),
    )


def _procedure(row: dict[str, str]) -> Procedure:
    return Procedure(
        code=row["code"],
        short_title=row["short_title"],
        long_title=row["long_title"],
        groups=_groups(row["groups"]),
        weight=float(row["weight"]),
    )


def _drug(row: dict[str, str]) -> Drug:
    return Drug(
        drug=row["drug"],
        route=row["route"],
        dose=row["dose_val"],
        unit=row["dose_unit"],
        groups=_groups(row["groups"]),
        weight=float(row["weight"]),
        days=int(row["days"]),
    )


def _lab(row: dict[str, str]) -> Lab:
    return Lab(
        itemid=int(row["itemid"]),
        label=row["label"],
        unit=row["unit"],
        low=float(row["low"]),
        high=float(row["high"]),
        decimals=int(row["decimals"]),
        panel=row["panel"],
        interval_hours=float(row["interval_hours"]),
        shifts=dict(_pairs(row["shifts"])),
    )


def _item(row: dict[str, str]) -> Item:
    return Item(
        itemid=int(row["itemid"]),
        label=row["label"],
        linksto=row["linksto"],
        unit=row["unit"],
        low=float(row["low"]),
        high=float(row["high"]),
        decimals=int(row["decimals"]),
        interval_hours=float(row["interval_hours"]),
    )


def _culture(row: dict[str, str]) -> Culture:
    organisms = _pairs(row["organisms"])
    return Culture(
        specimen=row["spec_type_desc"],
        organisms=tuple(organism for organism, _ in organisms),
        weights=tuple(weight for _, weight in organisms),
        negative_share=float(row["negative_share"]),
    )


def _groups(text: str) -> frozenset[str]:
    return frozenset(group.strip() for group in text.split(",") if group.strip())


def _pairs(text: str) -> list[tuple[str, float]]:
    """`name:number;name:number`; a name may itself hold a colon."""
    pairs = (part.rpartition(":") for part in text.split(";") if part.strip())
    return [(name.strip(), float(number)) for name, _, number in pairs]


def _choices(rows: tuple[tuple[str, str, float], ...]) -> dict[str, Choices]:
    return {
        kind: Choices(tuple(value for _, value, _ in chosen), tuple(weight for _, _, weight in chosen))
        for kind, chosen in _by(rows, lambda row: row[0]).items()
    }
