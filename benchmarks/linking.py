"""Linking by itself: what the mentions of `mentions.tsv` are linked to, how long that takes, and how many of the stored
names in the gold queries of the development sets are among what is proposed.

EHRTUI_DATA names the folder of the development data, EHRTUI_UNPACKED that of the databases that are packed there.
`python -m benchmarks.linking [mentions|SET…] [--missed]`: the shares, and with `--missed` what was not found.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot import exp

from benchmarks.measure import Measure
from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.codes import stored_of_codes
from ehrtui.concepts.concept_candidates import stored_of
from ehrtui.concepts.library import Library, open_library
from ehrtui.concepts.linking import link
from ehrtui.concepts.meaning import sets_of
from ehrtui.engines.names import kept_value_index
from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_file import never
from ehrtui.schema.value_index import Stored, ValueIndex

SETS = ("everyday", "everyday_native", "free_words", "native_icu", "native_analyst", "omop")
_MENTIONS = Path(__file__).with_name("mentions.tsv")
_ENOUGH = 0.8
"""Of the records behind the names of a gold query, so that these are covered."""
_CODES = re.compile(r"icd|_cd$|code", re.IGNORECASE)


@dataclass(frozen=True)
class Opened:
    """A database of the development data with what links names in it. `keys` are the names of numbered items."""

    index: ValueIndex
    profile: Profile
    library: Library
    keys: dict[int, str]


def measures(missed: bool = False) -> list[Measure]:
    """The shares of mentions that are right first and among the first three, and the time of one; nothing where there
    is no development data."""
    if "EHRTUI_DATA" not in os.environ:
        return []
    right, among, taken, count = 0, 0, [], 0
    for kind, text, role, wanted in mentions():
        at = opened(kind)
        began = time.thread_time()  # what else the machine does is not counted
        found = link(text, at.index, at.profile, at.library)
        taken.append((time.thread_time() - began) * 1000)
        candidates = found[0].candidates if found else ()
        place = _place(candidates, role, wanted, at)
        right, among, count = right + (place == 0), among + (0 <= place < 3), count + 1
        if missed and place != 0:
            first = [f"{one.role}.{one.field} {one.how} {one.label} {one.score:.2f}" for one in candidates[:2]]
            print(f"{place:2} {kind} | {text} | {role} {wanted} | {' / '.join(first)[:150]}")
    p95 = sorted(taken)[int(0.95 * (len(taken) - 1))]
    return [
        Measure("linking: mentions", count, ""),
        Measure("linking: not right first", 100 * (1 - right / count), "%", 5.0),
        Measure("linking: not among the first three", 100 * (1 - among / count), "%", 1.0),
        Measure("linking: a mention, p95", p95, "ms", 15.0),
    ]


def mentions() -> Iterator[tuple[str, str, str, str]]:
    """The mentions of the table: database, text, role or role.field, and what stored names must be like."""
    for line in _MENTIONS.read_text("utf-8").splitlines()[1:]:
        if line and not line.startswith("#"):
            kind, text, role, wanted = line.split("\t")
            yield kind, text, role, wanted


def _place(candidates: Sequence[Candidate], role: str, wanted: str, at: Opened) -> int:
    for place, one in enumerate(candidates):
        if is_right(one, role, wanted, at):
            return place
    return -1


def is_right(one: Candidate, role: str, wanted: str, at: Opened) -> bool:
    """True where a candidate is of one of the roles (or role.field) and has, for each pattern of `wanted`, a name or
    code like it; none that is like a pattern after a minus."""
    place = f"{one.role}.{one.field}" if one.field else one.role
    if place not in role.split("|"):
        return False
    names = [value.lower() for value in one.values]
    for stored in stored_in(one, at):
        names += [stored.name.lower(), *(f"#{code.lower()}" for code in stored.codes)]
    for pattern in wanted.split(";"):
        if pattern.startswith("-"):
            if any(fnmatchcase(name, pattern[1:]) for name in names):
                return False
        elif not any(fnmatchcase(name, each) for each in pattern.split("|") for name in names):
            return False
    return True


def stored_in(one: Candidate, at: Opened) -> list[Stored]:
    """The stored items that a candidate stands for."""
    found: list[Stored] = []
    for item in one.items:
        if item.kind == "name":
            found += at.index.items(one.role, (item.text,))
        elif item.kind == "code":
            found += stored_of_codes((item.text,), one.role, at.index).values()
        elif item.kind == "like":
            words = item.text.replace("*", " ").strip().split()
            found += [
                each for each in at.index.matching(" AND ".join(f'"{word}"' for word in words)) if each.role == one.role
            ]
        else:
            for concept in at.library.named(item.text)[:1]:
                sets = sets_of(concept, at.profile)
                found += stored_of(sets[one.role], one.role, at.index) if one.role in sets else ()
    return found


@cache
def opened(kind: str) -> Opened:
    """A database of the development data by the name of its file."""
    names = [Path(os.environ.get(place, "")) / kind for place in ("EHRTUI_DATA", "EHRTUI_UNPACKED")]
    path = next(file for name in names for end in (".sqlite", ".db") if (file := name.with_suffix(end)).is_file())
    state = Path(tempfile.gettempdir()) / "ehrtui-benchmark-linking"
    with closing(open_engine(str(path))) as engine:
        profile = load_profile(engine.schema(), engine.read)
        index = kept_value_index(engine, profile, state, never)
        keys: dict[int, str] = {}
        for role in profile.roles.values():
            if (entry := role.dictionary) is not None:
                table = profile.relation(entry.table)
                rows = engine.read(f"SELECT {entry.key}, {entry.name} FROM {table}")
                keys |= {key: name for key, name in rows if isinstance(key, int) and isinstance(name, str)}
    return Opened(index, profile, open_library(state), keys)


# --- the development sets --------------------------------------------------------------------------------------------


def coverage(name: str, missed: bool) -> tuple[int, int]:
    """How many questions of a set have stored names in their gold query, and of how many all are covered."""
    folder = Path(os.environ["EHRTUI_DATA"]) / "free"
    asked = covered = 0
    for case in json.loads((folder / f"{name}.json").read_text("utf-8")):
        if not case.get("sql") or case.get("is_impossible"):
            continue
        at = opened(case["db_id"])
        groups = list(named_in(case["sql"], at))
        if not groups:
            continue
        found = link(case["question"], at.index, at.profile, at.library)
        proposed = {one.name.lower() for mention in found for each in mention.candidates for one in stored_in(each, at)}
        proposed |= {value.lower() for mention in found for each in mention.candidates for value in each.values}
        lacking = [text for text, rows in groups if not _covered(rows, proposed)]
        asked, covered = asked + 1, covered + (not lacking)
        if lacking and missed:
            print(case["id"], "|", case["question"][:150], "|", "; ".join(lacking)[:160])
    return asked, covered


def _covered(rows: dict[str, int], proposed: set[str]) -> bool:
    total = sum(rows.values()) or len(rows)
    had = sum((count if sum(rows.values()) else 1) for name, count in rows.items() if name in proposed)
    return had >= _ENOUGH * total


def named_in(sql: str, at: Opened) -> Iterator[tuple[str, dict[str, int]]]:
    """The literals of a query that are stored names, codes or values, each with the names that it finds (in lower case)
    and their records."""
    for test in sqlglot.parse_one(sql, dialect="sqlite").find_all(exp.EQ, exp.In, exp.Like, exp.Glob):
        negated = isinstance(test.parent, exp.Not)
        literals = [one for one in test.find_all(exp.Literal) if _is_of(one, test)]
        column = next(test.find_all(exp.Column), None)
        if column is None or negated or not literals:
            continue
        found: dict[str, int] = {}
        for literal in literals:
            found |= _names(literal, test, column.name, at)
        if found:
            yield f"{column.name} {'/'.join(one.name for one in literals)[:60]}", found


def _is_of(literal: exp.Literal, test: exp.Expression) -> bool:
    return literal.parent is test


def _names(literal: exp.Literal, test: exp.Expression, column: str, at: Opened) -> dict[str, int]:
    text = literal.name
    if not literal.is_string:
        if not re.search(r"itemid|concept_id", column, re.IGNORECASE) or int(float(text)) not in at.keys:
            return {}
        name = at.keys[int(float(text))]
        return {name.lower(): max((one.rows for one in _everywhere(name, at)), default=0)}
    if _CODES.search(column):
        like = isinstance(test, exp.Like) or test.find(exp.Substring) is not None
        start = text.rstrip("%*").upper().replace(".", "")
        codes = [one for role in at.index.roles for one in at.index.coded(role, start) if start]
        return {one.name.lower(): one.rows for one in codes if like or start in one.codes}
    if isinstance(test, exp.Like):
        pattern = text.lower().replace("%", "*").replace("_", "?")
        if not re.search("[a-z]", pattern):
            return {}
        names = {
            one.name.lower(): one.rows
            for one in _used(at)
            if fnmatchcase(one.name.lower(), pattern.replace("[", "[[]"))
        }
        return names | {one.name.lower(): one.rows for one in at.index.values if fnmatchcase(one.name.lower(), pattern)}
    items = {one.name.lower(): one.rows for one in _everywhere(text, at)}
    return items or {one.name.lower(): one.rows for one in at.index.values if one.name.lower() == text.lower()}


def _everywhere(name: str, at: Opened) -> list[Stored]:
    found = [one for role in at.index.roles for one in at.index.items(role, (name,))]
    return [one for one in found if one.rows] or found


@cache
def _all(index: ValueIndex) -> tuple[Stored, ...]:
    rows: list[Any] = index._rows("SELECT role, name, codes, rows FROM item WHERE rows > 0")
    return tuple(Stored(role, name, tuple(codes.split()), count) for role, name, codes, count in rows)


def _used(at: Opened) -> tuple[Stored, ...]:
    return _all(at.index)


if __name__ == "__main__":
    missed = "--missed" in sys.argv
    for name in [one for one in sys.argv[1:] if not one.startswith("-")] or ("mentions", *SETS):
        if name == "mentions":
            for measure in measures(missed):
                print(f"{measure.name}: {measure.value:.2f} {measure.unit}")
            continue
        asked, covered = coverage(name, missed)
        print(f"{name}: {covered} of {asked} ({100 * covered / asked:.1f} %)")
