"""Which table holds the stays of patients, as far as one can guess, and what is told of a stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ehrtui.schema.called import field_of, kind_of_table, words_of
from ehrtui.schema.columns import Known, plural, singular
from ehrtui.schema.guessing import Database, birth_of
from ehrtui.schema.profile import Role, StayKind
from ehrtui.schema.references import Targets

START = re.compile(r"\b(?:start|begin|admi|from|taken|chart|order|onset|in\b|arriv)|admit|start", re.IGNORECASE)
END = re.compile(
    r"\b(?:end|stop|until|out|to (?:date|time)|last (?:dose|day|date|time)|finish|abate|resol|depart)|disch|stop$",
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
AGE = "age"
"""The column of a view that tells ages."""
_OF_PEOPLE = (*NAMES, "gender", "birth date", "birth year", "death date", "death year", "death flag")


@dataclass(frozen=True)
class Stays:
    """The table of the stays, the column that tells them apart, and when each begins and ends."""

    table: Known
    key: str
    start: str
    end: str

    def kind(self, database: Database) -> StayKind:
        """The stays for a profile."""
        return StayKind(self.table.name, self.key, self.start, self.end, database.patient_column(self.table))

    def key_of(self, table: Known) -> str:
        """The column of another table that says to which stay its rows belong; "" where none does."""
        if table is self.table:
            return self.key
        led = next((column for column, _ in Targets.among([self.table]).of(table)), "")
        others = (one for one in table.keys if one not in (table.patient, table.primary_key))
        return led or next((one for one in others if one.lower() == self.key.lower()), "")


def find_stays(database: Database) -> Stays | None:
    """The stays: a table named so, or one of those that have a key, a beginning and an end; with the patients
    themselves where these have one row for each stay or one stay each. None where no table has."""
    tables = [database.tables[name] for name in database.links]
    named = [one for one in tables if _is_of_stays(one) and one is not database.people]
    if database.people not in tables:
        tables.append(database.people)
    for table in [*named, *([database.people] if database.people in tables else [])]:
        key = _key(table, database)
        times = [one for one in table.times if not _is_of_life(one)]
        end = next((one for one in times if END.search(words_of(one))), "")
        starts = [one for one in times if one != end]
        start = next((one for one in starts if START.search(words_of(one))), next(iter(starts), ""))
        if table is database.people and not _ADMITTED.search(start):
            continue
        if key and start and end:
            return Stays(table, key, start, end)
    return None


def _is_of_stays(table: Known) -> bool:
    noun = _noun(table)
    return (kind_of_table(noun) or kind_of_table(noun.split(" ")[-1])) == "admission"


def _noun(table: Known) -> str:
    return singular(words_of(table.name))


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
    for column in (*table.texts, *table.numbers, *table.times):
        name = name_of_field(column, noun)
        if column in (stays.start, stays.end) or (shared and name in _OF_PEOPLE):
            continue
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
        end=stays.end,
        stay="hospital",
        key=stays.key,
        patient=database.patient_column(table),
        row="" if shared else table.primary_key,
        spelled=tuple(one for one in table.spelled if one in fields.values()),
        fields=fields,
        said=said,
        nouns=() if shared else tuple(dict.fromkeys((noun, plural(noun)))),
    )


def name_of_field(column: str, noun: str) -> str:
    """What a column of the stays or the patients is called as a field."""
    name = field_of(column, noun) or words_of(column)
    return "admission diagnosis" if name == "diagnosis" else name


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
    rows = f"({views[table.name]})" if table.name in views else table.name
    year = f"CAST(strftime('%Y', stays.{stays.start}) AS INTEGER)"
    holder = "stays" if table is people else "people"
    age = f"{year} - CAST({holder}.{born} AS INTEGER)"
    if born in people.times:
        began, birthday = (f"strftime('%m-%d', {one})" for one in (f"stays.{stays.start}", f"{holder}.{born}"))
        age = f"{year} - CAST(strftime('%Y', {holder}.{born}) AS INTEGER) - ({began} < {birthday})"
    joined = f"({people.sql})" if people.sql else people.name
    on = f" LEFT JOIN {joined} AS people ON people.{key} = stays.{database.patient_column(table)}"
    views[table.name] = f"SELECT stays.*, {age} AS {AGE} FROM {rows} AS stays{'' if table is people else on}"
