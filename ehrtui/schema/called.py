"""What tables and columns of unknown databases are called, read from `called.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

MOST_NAMES = 1 << 14
"""Names of tables and columns, of which is kept what they say: each rule of guessing asks it anew, and databases have
thousands of tables."""
_FILE = Path(__file__).with_name("called.toml")
IN_WORDS = "_in_words"
"""How the name of a column ends that tells in words what the codes of the column of that name mean."""
_PREFIXES = ("patient", "pat", "pt", "person", "the", "order", "ordered")
_BEHIND = {
    *("table", "tbl", "tab", "data", "info", "record", "records", "entry", "entries", "register", "registry", "list"),
    *("log", "book", "file", "master", "main", "detail", "details", "history", "hist", "sheet", "chart", "all", "new"),
    *("head", "header", "hdr", "extension", "ext", "supplement", "occurrence", "occurrences", "declaration"),
    *("taken", "given", "done", "made", "performed", "ordered", "issued", "recorded", "coded", "prescribed", "held"),
}
_BEFORE = {
    *("trn", "trx", "txn", "tran", "trans", "mst", "ref", "reference", "lkp", "lookup", "tbl", "table", "dim", "fact"),
    *("his", "hms", "emr", "ehr", "pms", "opr", "vw", "all", "my", "app", "clinical", "recorded", "coded", "given"),
    *("clarity", "ip", "cerner", "dw", "edw", "stg", "rpt"),
}
_UNITS = {"mg", "mcg", "ug", "g", "ml", "iu", "usd", "eur", "gbp", "dollars", "euros", "pounds", "years", "yrs"}
"""What the name of a column may end in: the unit of its numbers."""
_TELLING = {"code", "name", "yn", "ind", "indicator"}
"""What it may end in that tells how something is stored."""
_MEASURES = {"bpm", "percent", "mmhg", "c", "celsius", "f", "fahrenheit", "kg", "cm", "min", "nrs", "vas"}
"""What the name of a column of findings may end in: their unit, or the scale that they are told on."""


@lru_cache(maxsize=MOST_NAMES)
def words_of(name: str) -> str:
    """A name as words in lower case, short ones written out: "LabRes_2" → "lab result"."""
    return _written_out(_parted(name))


def without_unit(words: str) -> str:
    """The words of a column's name without the unit that they end in: "tariff gbp" is a tariff."""
    parts = words.split(" ")
    while len(parts) > 1 and parts[-1] in _UNITS:
        parts = parts[:-1]
    return " ".join(parts)


def untold(words: str) -> str:
    """The words of a column's name without the one that they end in which tells how something is stored: "service code"
    is a service."""
    parts = words.split(" ")
    return " ".join(parts[:-1]) if len(parts) > 1 and parts[-1] in _TELLING else words


def bare_noun(words: str) -> str:
    """What a table holds, by the words of its name, without those that say that it is a table: "taken measurements",
    "the lab results table"."""
    parts = words.split(" ")
    while len(parts) > 1 and parts[-1] in _BEHIND:
        parts = parts[:-1]
    while len(parts) > 1 and parts[0] in _BEFORE:
        parts = parts[1:]
    return " ".join(parts)


def kind_of_table(noun: str) -> str:
    """The kind of records that a table holds whose name, in the singular, is this; "" where no kind is called so."""
    called = _called()["tables"]
    return called.get(_together(noun), "") or called.get(_together(_written_out(noun)), "")


@lru_cache(maxsize=MOST_NAMES)
def kind_in_name(noun: str) -> str:
    """The kind that a name ends in, told by as many of its last words as there are: "admission ward stay" is a ward
    stay; "" where no kind is called so."""
    words = noun.split(" ")
    return next(filter(None, (kind_of_table(" ".join(words[at:])) for at in range(len(words)))), "")


def kind_of_vocabulary(name: str) -> str:
    """The kind of records that codes of a vocabulary, in upper case, are of; "" where it is of none, or unknown."""
    kinds = _file()["vocabularies"]
    return next((kind for kind, names in kinds.items() if name in names), "")


def kind_of_category(name: str) -> str:
    """The kind of records that a category of findings holds; "" where it holds none, or is unknown."""
    kinds = _file()["categories"]
    return next((kind for kind, names in kinds.items() if name.lower() in names), "")


@lru_cache(maxsize=MOST_NAMES)
def field_of(column: str, noun: str = "") -> str:
    """The attribute that a column of this name holds, of records called `noun`; "" where none is known by it."""
    fields = _called()["fields"]
    own = (*_PREFIXES, *noun.split(" "))
    for words in (_parted(column), words_of(column)):
        if found := fields.get(_together(words)):
            return found
        rest = words.split(" ")
        while len(rest) > 1 and rest[0] in own:
            rest = rest[1:]
        rest = without_unit(" ".join(rest)).split(" ")
        if found := fields.get("".join(rest)):
            return found
        if rest[-1] in _TELLING and (found := fields.get("".join(rest[:-1]))):
            return found
    return ""


def kind_by_columns(words: Collection[str]) -> str:
    """The kind of records that a table holds whose columns are named with these words; "" where none is told."""
    kinds: Mapping[str, Sequence[Sequence[str]]] = _file()["columns"]
    fits = (kind for kind, groups in kinds.items() if not any(set(group).isdisjoint(words) for group in groups))
    return next(fits, "")


@lru_cache(maxsize=MOST_NAMES)
def vital_of(column: str) -> str:
    """The vital sign that a column of this name holds; "" where it holds none."""
    return _finding_of(column, "vitals")


@lru_cache(maxsize=MOST_NAMES)
def lab_of(column: str) -> str:
    """The laboratory value that a column of this name holds; "" where it holds none."""
    return _finding_of(column, "labs")


def _finding_of(column: str, part: str) -> str:
    written = {_parted(column), words_of(column)}
    bare = words_of(column).split(" ")
    if len(bare) > 1 and bare[-1] in _MEASURES:
        written.add(" ".join(bare[:-1]))
    return next((name for name, names in _file()[part].items() if not written.isdisjoint(names)), "")


def names_of_field(field: str) -> tuple[str, ...]:
    """What columns of an attribute are called."""
    return tuple(_file()["fields"].get(field, ()))


def nouns_of(kind: str) -> tuple[str, ...]:
    """What records of a kind are called besides the name of their table."""
    return tuple(_file()["nouns"].get(kind, ()))


_OP_VISIT = re.compile(r"^op (?=visit|clinic|appointment|attendance|encounter|consult)")
"""An operation is nothing that one visits."""


def visits_called(words: str) -> tuple[str, ...]:
    """What visits that are no stays are called, besides how their table is, in words; none where these do not say what
    visits they are."""
    told = _OP_VISIT.sub("outpatient ", words).split(" ")
    of = [one for one in _file()["visits"].values() if not set(told).isdisjoint(one["told"])]
    visits = [f"{place} {said}" for one in of for place in one["places"] for said in one["called"]]
    return (*visits, *(place for one in of for place in one.get("alone", ())))


def visits_of_any_place() -> tuple[str, ...]:
    """What visits beside the stays are called whose table does not say where they were."""
    of = _file()["visits"]["any"]
    return (*(f"{place} {said}" for place in of["places"] for said in of["called"]), *of["alone"])


def verbs_of(kind: str) -> tuple[str, ...]:
    """What people say that was done with records of a kind."""
    return tuple(_file()["verbs"].get(kind, ()))


def sayings_of(field: str, stored: Iterable[str]) -> dict[str, str]:
    """What people say for the stored codes of an attribute, each with the code."""
    kept = {one.lower(): one for one in stored}
    said = _sayings().get(field) or _kinds_of_visit(kept)
    found = (
        (word, next((kept[code.lower()] for code in codes if code.lower() in kept), "")) for word, codes in said.items()
    )
    return {word: code for word, code in found if code and code.lower() != word}


def _kinds_of_visit(stored: Collection[str]) -> Mapping[str, Sequence[str]]:
    """What people say for kinds of visits, where all values of an attribute are codes of such."""
    said: Mapping[str, Sequence[str]] = _sayings()["admission type"]
    codes = {code.lower() for codes in said.values() for code in codes}
    return said if len(stored) > 1 and all(one in codes for one in stored) else {}


_TYPED = re.compile(r"^(?:tbl|tlu|lkp|qry|vw|str|int|lng|dtm|dte|dat|bln|bol|dbl|sng|cur|txt|num)(?=[A-Z])")
"""What names begin with that say a type before the name proper: "lngPatNo", "tblPatient"."""


def untyped(name: str) -> str:
    """A name without the type that it begins with."""
    return _TYPED.sub("", name)


@lru_cache(maxsize=MOST_NAMES)
def _parted(name: str) -> str:
    name = untyped(name)
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})", " ", name.removesuffix(IN_WORDS))
    return " ".join(re.findall(r"[^\W\d_]+", parted)).lower()


def _written_out(words: str) -> str:
    return " ".join(_short().get(word, word) for word in words.split(" "))


def _together(words: str) -> str:
    return words.replace(" ", "")


@cache
def _file() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


@cache
def _sayings() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """By attribute, what people say, with the codes that it may be."""
    told = _file()["sayings"].items()
    return {field: {one: codes for said, codes in of.items() for one in said.split(";")} for field, of in told}


@cache
def _short() -> Mapping[str, str]:
    """Words that are written out, by their short forms."""
    return {short: word for word, forms in _file()["short"].items() for short in forms}


@cache
def _called() -> Mapping[str, Mapping[str, str]]:
    """What each name means, by "tables" and "fields"."""
    found: dict[str, dict[str, str]] = {"tables": {}, "fields": {}}
    for part, meanings in found.items():
        for meaning, names in _file()[part].items():
            for name in names:
                meanings.setdefault(_together(name), meaning)
    return found
