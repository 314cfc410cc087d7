"""Which table holds the stays of patients, as far as one can guess, and what is told of a stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ehrtui.schema.called import bare_noun, field_of, kind_in_name, kind_of_table, visits_called, words_of
from ehrtui.schema.columns import Known, as_text, distinct_values, plural, singular, snake_case
from ehrtui.schema.guessing import Database, birth_of, keep, tell
from ehrtui.schema.profile import Role, StayKind
from ehrtui.schema.references import Targets

START = re.compile(r"\b(?:start|begin|admi|from|taken|chart|order|onset|in\b|arriv)|admit|start", re.IGNORECASE)
END = re.compile(
    r"\b(?:end|stop|until|out|to (?:date|time)|last (?:dose|day|date|time)|finish|abate|resol|depart|ceas|left|leav"
    r"|complet|clos|expir(?!ed?\b)|thr(?:u|ough))|disch|stop$",
    re.IGNORECASE,
)
_ADMITTED = re.compile(r"admi", re.IGNORECASE)
_LEAVING = re.compile(r"disch|dispos", re.IGNORECASE)
_STAY_KEY = re.compile(
    r"(?:hadm|adm|admission|visit|encounter|stay|csn|episode|case|hospitali[sz]ation|hospital_?stay|enc)"
    r"_?(?:id|no|nr|num|number|key|sk|reference|ref)?",
    re.IGNORECASE,
)
PERSONAL = ("gender", "birth date", "birth year", "death date", "death year", "death flag", "race", "ethnicity")
NAMES = ("name", "first name", "last name")
_COUNTING = re.compile(r"\b(?:year|code|number|no|version|line|zip|flag)\b")
"""What is in the names of attributes whose numbers are no amounts."""
_LOOKED_AT = 5000
"""Stays by which it is decided whether they last overnight."""
_MOSTLY = 0.5
_NEARLY_ALL = 0.9
AGE = "age"
"""The column of a view that tells ages."""
_CALLED = {
    "diagnosis": "admission diagnosis",
    "reason": "visit reason",
    "fluid": "specialty",
    **dict.fromkeys(("type", "kind", "class", "category"), "admission type"),
}
"""What a word of a column means where it is of stays."""
_VISITS = ("consultation", "appointment", "contact")
"""What visits are called that end on the day on which they begin, besides how their table is."""
_PLANNED = re.compile(r"\b(?:expect\w*|plan\w*|sched\w*|estimat\w*|request\w*|book\w*|intend\w*)\b")
"""What columns are called that say when a stay was to begin."""
_STATUS = re.compile(r"\b(?:status|state)\b")
_CANCELLED = re.compile(
    r"(?:cancel(?:l?ed|lation)?|canc?|cxl?)\b|did not (?:arrive|attend)|never arrived", re.IGNORECASE
)
"""What the state of a stay says at which nobody was."""
_MOST_STATES = 12
_OF_PEOPLE = (*NAMES, "gender", "birth date", "birth year", "death date", "death year", "death flag")


@dataclass(frozen=True)
class Stays:
    """The table of the stays, the column that tells them apart, and when each begins and ends: of visits of which one
    moment alone is kept, at that."""

    table: Known
    key: str
    start: str
    end: str

    @property
    def lasting(self) -> bool:
        """True where it is told how long each lasted."""
        return self.start != self.end

    def kind(self, database: Database) -> StayKind:
        """The stays for a profile."""
        return StayKind(self.table.name, self.key, self.start, self.end, database.patient_column(self.table))

    def passing(self, database: Database) -> bool:
        """True where most of them end on the day on which they begin: visits, and no stays overnight."""
        some = f"SELECT {self.start} AS began, {self.end} AS ended FROM {self.table.source} LIMIT {_LOOKED_AT}"
        rows = database.read(f"SELECT AVG(substr(began, 1, 10) = substr(ended, 1, 10)) FROM ({some})")
        return bool((rows[0][0] or 0) > _MOSTLY)

    def of_everybody(self, database: Database) -> bool:
        """True where hardly any patient has none."""
        key, patient = database.people_key, database.patient_column(self.table)
        came = f"SELECT {patient} FROM {self.table.source} WHERE {patient} IS NOT NULL"
        some = f"SELECT {key} AS one FROM {database.people.source} LIMIT {_LOOKED_AT}"
        rows = database.read(f"SELECT AVG(one IN ({came})) FROM ({some})")
        return bool((rows[0][0] or 0) > _NEARLY_ALL)

    def key_of(self, table: Known) -> str:
        """The column of another table that says to which stay its rows belong; "" where none does."""
        if table is self.table:
            return self.key
        led = next((column for column, _ in Targets.among([self.table]).of(table)), "")
        others = (one for one in table.keys if one not in (table.patient, table.primary_key))
        return led or next((one for one in others if snake_case(one) == snake_case(self.key)), "")


def find_stays(database: Database) -> Stays | None:
    """The stays: a table named so that has a key, a beginning and an end; or the patients themselves, where these have
    one row for each stay or one stay each; or visits of which one moment is kept; or the records that most others
    belong to. None where no table has such."""
    tables = [database.tables[name] for name in database.links if database.tables[name] is not database.people]
    named = sorted(filter(_is_of_stays, tables), key=lambda one: bool(visits_called(_noun(one))))  # not the ED's first
    return next(
        filter(
            None,
            (
                *(_stays(table, database) for table in (*named, database.people)),
                *(_stays(table, database, lasting=False) for table in named),
                *(_stays(table, database, lasting=False) for table in _owning(tables)),
            ),
        ),
        None,
    )


def _stays(table: Known, database: Database, *, lasting: bool = True) -> Stays | None:
    """The stays that a table holds, such as are told to have lasted, or such of which a moment is enough."""
    key = _key(table, database)
    times = [one for one in table.times if not _is_of_life(one)]
    end = next((one for one in times if END.search(words_of(one))), "")
    starts = [one for one in times if one != end]
    begun = [one for one in starts if START.search(words_of(one)) and not _PLANNED.search(words_of(one))]
    start = max(begun, key=lambda one: _alike(one, end), default=next(iter(starts), ""))
    if table is database.people and not _ADMITTED.search(start):
        return None
    end = end or ("" if lasting else start)
    return Stays(table, key, start, end) if key and start and end else None


def _alike(one: str, other: str) -> int:
    """How many words two names share: hospital admission and hospital discharge time are a pair."""
    return len({*words_of(one).split(" ")} & {*words_of(other).split(" ")})


def _owning(tables: Sequence[Known]) -> list[Known]:
    """The table of records that most tables of others lead to, where several do."""
    targets = Targets.among(one for one in tables if one.times)
    leading = Counter(target.name for table in tables for _, target in dict(targets.of(table)).items())
    return [one for one in tables for name, count in leading.most_common(1) if one.name == name and count > 1]


def _is_of_stays(table: Known) -> bool:
    return kind_in_name(_noun(table)) == "admission"


def _noun(table: Known) -> str:
    return singular(bare_noun(words_of(table.name)))


def _is_of_life(column: str) -> bool:
    return field_of(column) in ("birth date", "birth year", "death date", "death year")


def _key(table: Known, database: Database) -> str:
    """The column that tells the stays of a table apart; "" where none does."""
    patients = (table.patient, database.people_key) if table is database.people else (table.patient,)
    named = [one for one in (*table.keys, *table.numbers) if _STAY_KEY.fullmatch(one) and one not in patients]
    own = [table.primary_key] if table.primary_key and table.primary_key not in patients else []
    if found := next((one for one in [*own, *named] if database.tells_apart(table, one)), ""):
        return found
    return database.people_key if table is database.people and database.one_row_each else ""


def stay_role(stays: Stays, database: Database, views: Mapping[str, str]) -> Role:
    """The role of the stays, with what is told of each."""
    table = stays.table
    noun = _noun(table)
    fields = {"id": stays.key}
    shared = table is database.people
    nouns = (*_said(noun), *(_VISITS if stays.passing(database) else ()))
    for column in (*table.texts, *table.numbers, *table.times):
        name = name_of_field(column, noun)
        if column in (stays.start, stays.end) or (shared and name in _OF_PEOPLE):
            continue
        name = words_of(column) if name in fields else name
        if name and name not in fields:
            fields[name] = column
    if "age" not in fields and f" AS {AGE} FROM" in views.get(table.name, ""):
        fields["age"] = AGE
    said = tuple(
        name for name, column in fields.items() if column in table.said and name not in (AGE, "hospital death")
    )
    return Role(
        table.name,
        time=stays.start,
        end=stays.end if stays.lasting else "",
        stay="hospital",
        key=stays.key,
        patient=database.patient_column(table),
        row="" if shared else table.primary_key,
        spelled=tuple(one for one in table.spelled if one in fields.values()),
        fields=fields,
        amounts=amounts_of(table, fields),
        said=said,
        sayings=database.sayings(table, fields),
        nouns=() if shared else tuple(dict.fromkeys(one for said in nouns for one in (said, plural(said)))),
    )


def without_cancelled(stays: Stays, database: Database, views: dict[str, str]) -> None:
    """Let the view of the stays leave out those that were cancelled: nobody was there."""
    table = stays.table
    for column in table.said:
        if not _STATUS.search(words_of(column)):
            continue
        held = distinct_values(column, table.source, database.read, _MOST_STATES + 1)
        never = [value for value in held if isinstance(value, str) and _CANCELLED.match(value)]
        if never and len(held) <= _MOST_STATES and len(never) < len(held):
            keep(table, views, f"COALESCE({table.name}.{column}, '') NOT IN ({', '.join(map(as_text, never))})")
            return


def begun(stays: Stays, database: Database, views: dict[str, str]) -> None:
    """Let the view of the stays leave out those that never began: they were planned, and nobody came."""
    table = stays.table
    if not stays.lasting or table is database.people:
        return
    never = f"SELECT 1 FROM {table.source} WHERE {stays.start} IS NULL AND {stays.end} IS NULL LIMIT 1"
    ever = f"SELECT 1 FROM {table.source} WHERE {stays.start} IS NOT NULL LIMIT 1"
    if database.read(never) and database.read(ever):
        keep(table, views, f"{table.name}.{stays.start} IS NOT NULL OR {table.name}.{stays.end} IS NOT NULL")


def amounts_of(table: Known, fields: Mapping[str, str]) -> tuple[str, ...]:
    """The columns of attributes that are numbers of which one takes a mean: no codes, ranks and years."""
    plain = {name: column for name, column in fields.items() if name not in ("id", "code", "rank", AGE)}
    return tuple(column for name, column in plain.items() if column in table.numbers and not _COUNTING.search(name))


def _said(noun: str) -> tuple[str, ...]:
    """What stays are called whose table is named so: "care episode" is an "episode" too."""
    last = noun.split(" ")[-1]
    return (noun, last) if kind_of_table(last) == "admission" else (noun,)


def name_of_field(column: str, noun: str) -> str:
    """What a column of the stays or the patients is called as a field."""
    words = words_of(column)
    name = field_of(column, noun) or (words.removesuffix(" name") if words.count(" ") > 1 else words)
    return _CALLED.get(name.removeprefix(f"{noun.split(' ')[-1]} "), name)


def discharge(admission: Role) -> Role:
    """The ends of the stays, with the fields that are known then."""
    fields = {name: column for name, column in admission.fields.items() if name == "id" or _LEAVING.search(name)}
    said = tuple(name for name in admission.said if name in fields)
    spelled = tuple(one for one in admission.spelled if one in fields.values())
    return replace(admission, time=admission.end, end="", fields=fields, said=said, spelled=spelled, nouns=())


def aged_stays(stays: Stays, database: Database, views: dict[str, str]) -> None:
    """Let the view of the stays tell the age of their patients, in completed years, or in calendar years where only
    that of birth is known; nothing where they tell an age themselves, or no birth does."""
    table, people, key = stays.table, database.people, database.people_key
    own = {field_of(column) for column in (*table.texts, *table.numbers)}
    born = birth_of(people)
    if "age" in own or not born or not database.one_row_each:
        return
    year = f"CAST(strftime('%Y', {table.name}.{stays.start}) AS INTEGER)"
    holder = table.name if table is people else "people"
    age = f"{year} - CAST({holder}.{born} AS INTEGER)"
    if born in people.times:
        began, birthday = (f"strftime('%m-%d', {one})" for one in (f"{table.name}.{stays.start}", f"{holder}.{born}"))
        age = f"{year} - CAST(strftime('%Y', {holder}.{born}) AS INTEGER) - ({began} < {birthday})"
    joined = f"({people.sql})" if people.sql else people.name
    on = f"LEFT JOIN {joined} AS people ON people.{key} = {table.name}.{database.patient_column(table)}"
    tell(table, views, f"{age} AS {AGE}", "" if table is people else on)
