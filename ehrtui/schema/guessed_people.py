"""What a guess tells of patients: their role, their names, ages, sexes and deaths."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ehrtui.schema.called import field_of, words_of
from ehrtui.schema.columns import as_text, distinct_values, plural, singular
from ehrtui.schema.guessed_stays import AGE, NAMES, PERSONAL, Stays, amounts_of, name_of_field
from ehrtui.schema.guessing import Database, birth_of, tell
from ehrtui.schema.kinds import HOSPITAL_NUMBER, LEFT_DEAD
from ehrtui.schema.profile import Role

_PERSONAL = re.compile(r"name|address|street|phone|mail|ssn|mrn|passport|driver", re.IGNORECASE)
_DEATH = re.compile(r"death|dod|died|deceas", re.IGNORECASE)
_SAID_SEX = "male_or_female"
"""The column of a view that tells sexes which are stored as numbers."""
_MOST_WAYS = 100
"""Ways in which stays end."""
_PLAIN = ("patient", "person", "subject", "individual", "demographic")
"""What patients are called anywhere."""
_FULL_NAME = "full_name"
_SHOWN = ("display name", "shown name", "preferred name")
"""What the column is called that has the name as people are shown it."""
_STORED_SEXES = {"female": ("f", "female", "woman", "w"), "male": ("m", "male", "man")}
_DEAD = ("1", "Y", "YES", "TRUE", "T", "DEAD", "DECEASED", "DIED", "EXPIRED", "D")
"""What a column that says whether somebody died holds for those who did."""


def patient_role(database: Database, stays: Stays | None, views: dict[str, str]) -> Role:
    """The role of patients. Where first and last names have a column each, the view tells them as one."""
    people = database.people
    shared = stays is not None and stays.table is people
    noun = singular(words_of(people.name))
    moments = (stays.start, stays.end) if stays is not None and shared else ()
    told: dict[str, str] = {}
    known = (people.patient, database.people_key)
    held = (*people.keys, *people.texts)
    numbers = [one for one in held if field_of(one, noun) == HOSPITAL_NUMBER and one not in known]
    for column in (*people.times, *people.texts, *people.numbers, *numbers):
        name = name_of_field(column, singular(words_of(people.name)))
        if column in moments:
            continue
        if name and name not in (*told, "id") and (database.one_row_each or name in (*NAMES, *PERSONAL)):
            told[name] = column
    if "birth date" not in told and "birth year" not in told and (born := birth_of(people)):
        told = {"birth date": born} | {name: column for name, column in told.items() if column != born}
    if "name" not in told and (shown := next((told[one] for one in _SHOWN if one in told), "")):
        told = {"name": shown} | {name: column for name, column in told.items() if column != shown}
    if "name" not in told and "first name" in told and "last name" in told:
        whole = f"{told['first name']} || ' ' || {told['last name']}"
        tell(people, views, f"{whole} AS {_FULL_NAME}")
        told = {"name": _FULL_NAME, **told}
    if (coded := told.get("gender", "")) in people.numbers and _are_codes_of_sex(database, coded):
        said_sex = f"CASE {coded} WHEN 1 THEN 'male' WHEN 2 THEN 'female' END AS {_SAID_SEX}"
        tell(people, views, said_sex)
        told["gender"] = _SAID_SEX
    fields = {"id": database.patient, **told}
    said = [name for name, column in fields.items() if column in people.said and _is_said(name, column) and not shared]
    if fields.get("name") == _FULL_NAME or _are_full_names(database, fields.get("name", "")):
        said.append("name")
    if numbers and database.one_row_each and database.tells_apart(people, numbers[0]):
        said.append(HOSPITAL_NUMBER)
    return Role(
        people.name,
        patient=database.patient,
        spelled=tuple(one for one in people.spelled if one in fields.values()),
        fields=fields,
        amounts=amounts_of(people, told),
        said=tuple(said),
        sayings=database.sayings(people, {name: column for name, column in fields.items() if name in said}),
        nouns=(noun, plural(noun))
        if not shared and database.one_row_each and noun.split(" ")[-1] not in _PLAIN
        else (),
    )


def _are_codes_of_sex(database: Database, column: str) -> bool:
    """True for the numbers of ISO 5218: 1 for men, 2 for women."""
    rows = database.read(f"SELECT DISTINCT {column} FROM {database.people.source} WHERE {column} IS NOT NULL LIMIT 9")
    return {1, 2} <= {value for (value,) in rows} <= {0, 1, 2, 9}


def _is_said(name: str, column: str) -> bool:
    plain = name in ("gender", "birth date", "death date", "death flag", AGE, *NAMES)
    return not plain and not _PERSONAL.search(name) and not _PERSONAL.search(column)


def _are_full_names(database: Database, column: str) -> bool:
    """True where most values of a column are of several words: a first name alone is a word like any other."""
    if not column:
        return False
    some = f"SELECT {column} AS one FROM {database.people.source} WHERE {column} IS NOT NULL LIMIT 200"
    share = database.read(f"SELECT AVG(trim(one) LIKE '% %' OR one LIKE '%_,_%') FROM ({some})")[0][0]
    return (share or 0) > 0.5


def aged_people(database: Database, roles: Mapping[str, Role], views: dict[str, str]) -> Role:
    """The role of patients with their age at the latest moment that any record tells, or at their death: where there
    are no stays, or visits of a day, people mean that of today."""
    role, people = roles["patient"], database.people
    born, latest = birth_of(people), _latest(database, roles)
    if AGE in role.fields or not born or not latest:
        return role
    if died := role.fields.get("death date", ""):
        latest = f"COALESCE({died}, {latest})"
    year = f"CAST(substr({latest}, 1, 4) AS INTEGER)"
    age = f"{year} - CAST({born} AS INTEGER)"
    if born in people.times:
        birthday = f"substr({latest}, 6, 5) < strftime('%m-%d', {born})"
        age = f"{year} - CAST(strftime('%Y', {born}) AS INTEGER) - ({birthday})"
    tell(people, views, f"{age} AS {AGE}")
    return replace(role, fields={**role.fields, AGE: AGE})


def _latest(database: Database, roles: Mapping[str, Role]) -> str:
    """SQL of the latest moment of any record: a moment itself is somebody's, and plans are saved; "" where none has a
    time."""
    latest, found = "", ""
    for role in roles.values():
        table = database.tables.get(role.table)
        if table is not None and role.time in table.times:
            query = f"SELECT MAX({role.time}) FROM {table.source}"
            value = database.read(query)[0][0]
            if isinstance(value, str) and value[:4].isdigit() and value > latest:
                latest, found = value, f"({query})"
    return found


def death_role(database: Database, stays: Stays | None, roles: Mapping[str, Role]) -> Role | None:
    """The deaths: by their date, or by the end of the stay of those of whom it is said that they died."""
    people, patient = database.people, roles["patient"]
    times = [patient.fields.get("death date", ""), *filter(_DEATH.search, people.times)]
    if time := next((one for one in times if one in people.times), ""):
        return Role(people.name, time=time, patient=database.patient)
    if stays is None:
        return None
    for role in (roles["admission"], patient):
        flag = role.fields.get("hospital death") or role.fields.get("death flag")
        if flag and stays.table.name == role.table:
            dead = ", ".join(f"'{one}'" for one in _DEAD)
            return Role(
                role.table,
                stays.end,
                stay="hospital",
                key=stays.key,
                patient=role.patient,
                where=f"upper({flag}) IN ({dead})",
            )
    return _left_dead(database, stays, roles["admission"])


def _left_dead(database: Database, stays: Stays, admission: Role) -> Role | None:
    """The deaths by how stays ended, where one of the ways is death."""
    column = admission.fields.get("discharge location", "")
    if column not in stays.table.said:
        return None
    ways = distinct_values(column, stays.table.source, database.read, _MOST_WAYS)
    dead = [way for way in ways if isinstance(way, str) and way.lower() in LEFT_DEAD]
    if not dead:
        return None
    where = f"{column} IN ({', '.join(map(as_text, sorted(dead)))})"
    return Role(admission.table, stays.end, stay="hospital", key=stays.key, patient=admission.patient, where=where)


def sexes(database: Database, role: Role) -> dict[str, str]:
    """How the two sexes are stored."""
    column = role.fields.get("gender")
    if column is None:
        return {}
    if column == _SAID_SEX:
        return {"female": "female", "male": "male"}
    rows = database.read(f"SELECT DISTINCT {column} FROM {database.people.source} LIMIT 20")
    stored = [value for (value,) in rows if isinstance(value, str)]
    found = {sex: next((one for one in stored if one.lower() in spelled), "") for sex, spelled in _STORED_SEXES.items()}
    return {sex: value for sex, value in found.items() if value}
