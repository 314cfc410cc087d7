"""What stored codes mean: told by a list of codes beside the records, as many hospitals keep one for all their columns.

A list of codes is a table that has a code and what it means in each row, and which column's codes these are where it
holds those of several ("ADM_TYPE", "E", "Elective"). A column of codes is told in words where nearly all of its values
are in one list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from ehrtui.schema.called import IN_WORDS, field_of, untyped, words_of
from ehrtui.schema.columns import Known, Read, as_text, distinct_values

_CODE = re.compile(r"\b(?:code|key|id|abbreviation|short|value|c$)\b")
_MEANING = re.compile(r"\b(?:label|description|meaning|name|text|title|display|term|long|wording)\b")
_LIST = re.compile(r"\b(?:domain|list|set|group|category|type|class|field|column|attribute|kind|system)\b")
_LISTED = re.compile(
    r"\b(?:code|codes|list|lists|lookup|lookups|lkp|lkup|lov|domain|reference|enum|enums|dictionary|decode|zc"
    r"|(?:value|code|lookup|ref|pick|term) ?(?:sets?|lists?|tables?)|codebook|choices|options|permissible)\b"
)
_TABLE = re.compile(r"\b(?:table|entity|form)\b")
"""What the column is called that says in which table the codes of a list stand."""
_MOST_CODES = 2000
"""Rows of a list of codes: longer ones are catalogues, of diagnoses or drugs."""
_MOST_OF_ONE = 60
"""Different codes of one column."""
_NEARLY_ALL = 0.9
_LEAST_LETTERS = 3
"""Letters of a name that begins another."""
_MOST_NAMES = 100_000
"""Names of columns and lists that are read once."""
_AS_WRITTEN = re.compile(r"^(?:raw|source|original|verbatim) ")
"""How a column is called that tells in a site's own words what another holds as a code."""
_NO_CODE = re.compile(r"\b(?:id|number|date|time)\b")
_CATEGORY = re.compile(r"_c$", re.IGNORECASE)
"""How columns of codes end where each kind of code has a table of its own: "SEX_C", with "ZC_SEX"."""
_OF_CATEGORY = re.compile(r"^zc_", re.IGNORECASE)
_ENOUGH = 4
"""Codes of a list that a column has all of, from which on they are no chance."""


@dataclass(frozen=True)
class _CodeList:
    """A list of codes: its name ("" where the table has but one), the SELECT of what a code means, up to the code, and
    the codes themselves; `key` is the column that holds them where such lists have a table each, `table` the one of the
    column that is called as the list, where it names it."""

    name: str
    meaning: str
    codes: frozenset[str]
    key: str = ""
    table: str = ""

    def tells_of(self, table: str, column: str) -> bool:
        """True where the list is that of one column of a table, which it names."""
        return self.table.lower() == table.lower() and self.name.lower() == column.lower()

    def told(self, column: str, *, number: bool) -> str:
        """SQL of what the code in a column means, or in one of numbers."""
        return f"({self.meaning} = {f'CAST({column} AS TEXT)' if number else column})"


def with_codes_told(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables, each with what the codes in its columns mean, under the name of the column without "code"."""
    listing = {name.lower() for name, table in tables.items() if _is_list(table)}
    lists = [one for table in tables.values() if _is_list(table) for one in _lists(table, read)]
    if not lists:
        return dict(tables)
    is_listed = _named_after(lists)
    held: dict[str, dict[str, tuple[list[_CodeList], bool]]] = {}
    for name, table in tables.items():
        led = [key.column for key in table.table.foreign_keys if key.target_table.lower() in listing]
        held[name] = {} if _is_list(table) else dict(_held(table, led, lists, is_listed, read))
    named = {
        (name, column): best
        for name, columns in held.items()
        for column, (holding, _) in columns.items()
        if _likeness((best := max(holding, key=lambda one: _likeness(one, column))), column)
    }
    owned = {one.name for one in named.values()}
    found = dict(tables)
    for name, columns in held.items():
        table = tables[name]
        told = {
            column: one
            for column, (holding, several) in columns.items()
            if (one := named.get((name, column)) or _only(holding, owned, several=several)) is not None
        }
        if not told:
            continue
        new = tuple(_in_words(column, table) for column in told)
        pairs = zip(told.items(), new, strict=True)
        numbers = {column.name for column in table.table.columns if column.is_number}
        again = {one for one in table.texts if _AS_WRITTEN.sub("", words_of(one)) in {words_of(of) for of in told}}
        left_out = {*told, *again}
        meanings = ", ".join(
            f"{one.told(f'{name}.{column}', number=column in numbers)} AS {words}" for (column, one), words in pairs
        )
        found[name] = replace(
            table,
            sql=f"SELECT {name}.*, {meanings} FROM {table.source}",
            keys=tuple(one for one in table.keys if one not in told),
            numbers=tuple(one for one in table.numbers if one not in told),
            texts=(*(one for one in table.texts if one not in left_out), *new),
            said=(*(one for one in table.said if one not in left_out), *new),
        )
    return found


def _is_list(table: Known) -> bool:
    named = _LISTED.search(words_of(table.name)) is not None
    few = table.table.row_count is not None and table.table.row_count <= _MOST_CODES
    return named and few and not table.patient and not table.times and len(table.table.columns) <= 6


def _lists(table: Known, read: Read) -> Iterator[_CodeList]:
    """The lists of codes in a table."""
    columns = [column.name for column in table.table.columns]
    numbers = {column.name for column in table.table.columns if column.is_number}

    def called(what: re.Pattern[str], but: str) -> str:
        """The first column that is called so, of a list ("code set") only where no other is."""
        named = [one for one in columns if one != but and what.search(words_of(one))]
        return next(iter(sorted(named, key=lambda one: _LIST.search(words_of(one)) is not None)), "")

    owner = next((one for one in columns if _TABLE.search(words_of(one))), "")
    columns = [one for one in columns if one != owner]
    meaning = called(_MEANING, "")
    code = called(_CODE, meaning)
    domain = next((one for one in columns if one not in (meaning, code) and _LIST.search(words_of(one))), "")
    if not (meaning and code):
        return
    named = f"{owner or as_text('')}, {domain or as_text('')}"
    rows = read(f"SELECT {named}, {code} FROM {table.source} WHERE {meaning} IS NOT NULL LIMIT {_MOST_CODES}")
    held: dict[tuple[str, str], set[str]] = {}
    for of, name, value in rows:
        held.setdefault((str(of), str(name)), set()).add(str(value))
    own = f"CAST({table.name}.{code} AS TEXT)" if code in numbers else f"{table.name}.{code}"
    for (of, name), codes in held.items():
        of_list = f"{table.name}.{domain} = {as_text(name)} AND " if domain else ""
        of_list += f"{table.name}.{owner} = {as_text(of)} AND " if owner else ""
        meant = f"SELECT MAX({table.name}.{meaning}) FROM {table.source} WHERE {of_list}{own}"
        key = "" if domain or not _CATEGORY.search(code) else code
        yield _CodeList(_OF_CATEGORY.sub("", table.name) if key else name, meant, frozenset(codes), key, of)


def _held(
    table: Known, led: list[str], lists: list[_CodeList], is_listed: Callable[[str], bool], read: Read
) -> Iterator[tuple[str, tuple[list[_CodeList], bool]]]:
    """The columns of codes, those among them that are declared to be `led` to a list, each with the lists that hold
    nearly all of its values, and whether it is of several texts. Numbers are codes only where they are called so, or
    `is_listed` says that a list is."""
    coded = [one for one in table.numbers if is_listed(one) or words_of(one).endswith(" code")]
    ending = [one for one in (*table.keys, *table.numbers, *table.texts) if _CATEGORY.search(one)]
    told = [one.name for one in lists if one.table and one.tells_of(table.name, one.name)]
    own = [column.name for column in table.table.columns if column.name.lower() in {name.lower() for name in told}]
    columns = dict.fromkeys((*table.said, *coded, *ending, *led, *own))
    for column in columns:
        if _NO_CODE.search(words_of(column)):
            continue
        values = {str(value) for value in distinct_values(column, table.source, read, _MOST_OF_ONE + 1)}
        holding = [one for one in lists if len(values & one.codes) >= _NEARLY_ALL * len(values)]
        holding = [one for one in holding if not one.key or _is_of(one, column, values)]
        holding = [one for one in holding if not one.table or one.tells_of(table.name, column)]
        if 0 < len(values) <= _MOST_OF_ONE and holding:
            yield column, (holding, len(values) > 1 and column not in coded)


def _is_of(one: _CodeList, column: str, values: set[str]) -> bool:
    """True where a column of `values` is called as a list that has a table of its own, or has all of its codes and a
    word of its name: 1 and 2 are codes of any list."""
    ours, theirs = (set(words_of(_CATEGORY.sub("", name)).split(" ")) for name in (column, one.name))
    called = column.lower() == one.key.lower() or ours <= theirs or theirs <= ours
    return called or (len(values) >= _ENOUGH and values >= one.codes and not ours.isdisjoint(theirs))


def _only(holding: list[_CodeList], owned: set[str], *, several: bool) -> _CodeList | None:
    """The only list that holds the values of a column which is named after none, where no column is that is named after
    the list: M and F are codes of many a list."""
    return holding[0] if len(holding) == 1 and several and holding[0].name not in owned else None


@dataclass(frozen=True)
class _Name:
    """A name as it is compared: its words, all of it without blanks, and the attribute that is called so."""

    words: tuple[str, ...]
    whole: str
    field: str


@lru_cache(maxsize=_MOST_NAMES)
def _name_of(name: str) -> _Name:
    return _Name(tuple(words_of(name).split(" ")), re.sub(r"[\W_]", "", untyped(name)).lower(), field_of(name))


def _named_after(lists: list[_CodeList]) -> Callable[[str], bool]:
    """Whether a column is named after one of several lists; a database may have thousands of columns, and a hundred
    lists."""
    names = [_name_of(one.name) for one in lists] if len(lists) > 1 else []
    wholes, fields = {one.whole for one in names}, {one.field for one in names if one.field}
    begun = {one.whole[:end] for one in names for end in range(_LEAST_LETTERS, len(one.whole) + 1)}

    def is_named(column: str) -> bool:
        one = _name_of(column)
        beginnings = (one.whole[:end] for end in range(_LEAST_LETTERS, len(one.whole) + 1))
        return one.field in fields or one.whole in begun or not wholes.isdisjoint(beginnings)

    return is_named


def _is_named_after(column: str, name: str) -> bool:
    """True where a column is called as a list in full, as the same attribute ("SEX" and "gender_cd"), or where one of
    the names, without blanks, begins the other: "ADMMETH" and "AdmMethodCd"."""
    ours, theirs = _name_of(column), _name_of(name)
    if ours.whole == theirs.whole or (ours.field and ours.field == theirs.field):
        return True
    least = min(len(ours.whole), len(theirs.whole))
    return least >= _LEAST_LETTERS and ours.whole[:least] == theirs.whole[:least]


def _likeness(one: _CodeList, column: str) -> int:
    """How many words the name of a list and that of a column share, in full or as the beginning of each other: all
    where the column is named after the list, and one more where the names are one, or it is that of the list."""
    name = one.name
    ours, theirs = _name_of(column), words_of(name.replace("_", " ").lower()).split(" ")
    if column.lower() == one.key.lower():
        return len(ours.words) + 1
    if _is_named_after(column, name):
        return len(ours.words) + (ours.whole == _name_of(name).whole)
    words = (one for one in ours.words if one not in ("code", "c"))
    return sum(any(one.startswith(other) or other.startswith(one) for other in theirs) for one in words)


def _in_words(column: str, table: Known) -> str:
    """The name of what a column of codes means."""
    bare = re.sub(r"_?(?:code|cd|cde)$|_c$", "", column, flags=re.IGNORECASE)
    taken = {one.name.lower() for one in table.table.columns}
    return bare if bare and bare.lower() not in taken else f"{column}{IN_WORDS}"
