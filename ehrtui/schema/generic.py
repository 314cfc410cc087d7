"""A profile guessed from the tables alone, for databases of a family that nobody has described.

Every table that leads to a patient, by a column of its own or by the key of a table that does, becomes a role named
after it; its clock, item, value and categories are guessed. Where nothing leads to patients, nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ehrtui.schema.columns import Known, Read, known_tables, plural, singular, words_of
from ehrtui.schema.fitting import empty_copy
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import GENERIC, GUESSED, Dictionary, PatientTable, Profile, Role, StayKind
from ehrtui.schema.references import Targets

_PEOPLE = ("patient", "person", "subject", "client", "member", "individual")
_KINDS = {
    "admission": ("admission", "visit", "encounter", "hospitalization", "hospital stay", "stay", "episode"),
    "prescription": ("prescription", "medication", "drug", "medication order", "drug order"),
    "lab": ("lab", "lab result", "lab test", "laboratory", "lab event", "laboratory result", "lab value"),
    "diagnosis": ("diagnosis", "condition", "problem", "disease"),
    "procedure": ("procedure", "operation", "surgery"),
    "vital": ("vital", "vital sign"),
    "allergy": ("allergy",),
}
"""What tables of these names hold: the words of the field for it ("prescribed", "diagnosed with") go with them."""
_START = re.compile(r"start|begin|admi|from|taken|chart|order|onset|^in", re.IGNORECASE)
_END = re.compile(r"end|stop|disch|until|^out|finish", re.IGNORECASE)
_BIRTH, _DEATH = re.compile(r"birth|dob|born", re.IGNORECASE), re.compile(r"death|dod|died|deceas", re.IGNORECASE)
_NAME = re.compile(
    r"name|label|title|descr|drug|medic|test|diagnos|condition|procedure|item|analyte|substance|allergen|type|reason",
    re.IGNORECASE,
)
_VALUE = re.compile(r"value|result|amount|dose|quantity|score|level|reading|volume|measure", re.IGNORECASE)
_PERSONAL = re.compile(r"name|address|street|phone|mail|ssn|mrn", re.IGNORECASE)
_PARTS_OF_NAMES = ("first", "middle", "last")
_PLACES = re.compile(
    r"doctor|physician|provider|practitioner|clinician|surgeon|nurse|staff|caregiver|ward|depart|unit|location|facilit"
    r"|clinic|hospital|organi[sz]ation|payer|insur|room|care ?site",
    re.IGNORECASE,
)
"""Tables of who and where: they do not say what a record is of."""
_STATE = re.compile(r"status|state|flag|outcome|disposition|class|priority|severity", re.IGNORECASE)
_LEAVING = re.compile(r"disch|dispos", re.IGNORECASE)
_SEX = re.compile(r"sex|gender", re.IGNORECASE)
_MOST_STEPS = 6
"""Tables between one and the patients that it leads to: further away, nothing is known of whom a record is."""
_STORED_SEXES = {"female": ("f", "female", "woman", "w"), "male": ("m", "male", "man")}


@dataclass(frozen=True)
class _Database:
    """The tables by name; `people` is the one of patients, `patient` the name for their identifiers; `links` gives
    for each table that leads to patients the SELECT of its rows with a column of patients, "" where it has one."""

    tables: Mapping[str, Known]
    people: Known
    patient: str
    links: Mapping[str, str]
    read: Read

    @cached_property
    def dictionaries(self) -> Targets:
        """The tables that may name what records of others are about: those that do not lead to patients."""
        named = (one for one in self.tables.values() if one.texts and not _PLACES.search(one.name))
        return Targets.among(one for one in named if one.name not in self.links and one is not self.people)

    def patient_column(self, table: Known) -> str:
        """The column of patients, of a table that leads to them."""
        return self.patient if table is self.people or not table.patient else table.patient


def generic_profile(schema: Schema, read: Read) -> Profile:
    """The guessed profile; GENERIC where no records lead to patients."""
    with empty_copy(schema) as connection:
        known = {table.name: table for table in known_tables(schema, connection, read)}
    tables = _with_places(_with_bare_keys(known, read))
    people = _people(tables)
    if people is None:
        return GENERIC
    key = people.patient or people.primary_key
    patient = key if people.patient else next((one.patient for one in tables.values() if one.patient), "patient_id")
    renamed = (
        {people.name: f"SELECT {key} AS {patient}, {people.name}.* FROM {people.source}"} if key != patient else {}
    )
    database = _Database(tables, people, patient, {**_links(tables, people, patient), **renamed}, read)
    return _profile(database)


def _profile(database: _Database) -> Profile:
    people, patient = database.people, database.patient
    stay = next((one for one in database.tables.values() if _is_stay(one, database)), None)
    roles = {"patient": _patient_role(people, patient)}
    for name in database.links:
        table = database.tables[name]
        role_name = _role_name(table)
        if role_name and role_name not in roles and (table is not people or table.primary_key != patient):
            roles[role_name] = _role(table, database, stay)
    if len(roles) == 1:
        return GENERIC
    if stay and roles["admission"].end:
        roles["discharge"] = _discharge(roles["admission"])
    if died := next(filter(_DEATH.search, people.times), ""):
        roles["death"] = Role(people.name, time=died, patient=patient)
    views = {name: sql for name, sql in database.links.items() if sql}
    views |= {name: table.sql for name, table in database.tables.items() if table.sql and name not in views}
    if stay and (aged := _aged(stay, database, views)):
        views[stay.name] = aged
        roles["admission"] = replace(roles["admission"], fields={**roles["admission"].fields, "age": "age"})
    used = {role.table for role in roles.values()} | {r.dictionary.table for r in roles.values() if r.dictionary}
    return Profile(
        name=GUESSED,
        summary="Guessed from the names, keys and values of the tables: look it over before you rely on it.",
        requires={},
        patient=PatientTable(people.name, patient),
        patient_ids=_kind_of_ids(database),
        stays={"hospital": _stay(stay, database)} if stay else {},
        roles=roles,
        sexes=_sexes(database, roles["patient"]),
        partly=tuple(name for name, role in roles.items() if role.item),
        views={name: (sql,) for name, sql in views.items() if name in used},
    )


def _people(tables: Mapping[str, Known]) -> Known | None:
    """The table of patients: named so, or the one whose own key their identifier is, or that has the fewest rows."""
    named = [one for one in tables.values() if singular(words_of(one.name)).split(" ")[-1] in _PEOPLE]
    keyed = [one for one in named if one.patient or one.primary_key]
    having = [one for one in tables.values() if one.patient]
    own = [one for one in having if one.primary_key == one.patient]
    fewest = sorted(having, key=lambda one: one.table.row_count or 0)
    return next(iter([*keyed, *own, *fewest]), None)


def _links(tables: Mapping[str, Known], people: Known, patient: str) -> dict[str, str]:
    """The tables that lead to patients, over a few others at most, each with the SELECT that says to whom ("" where a
    column of its own does)."""
    links = {name: table.sql for name, table in tables.items() if table.patient}
    steps = dict.fromkeys(links, 0)
    targets = Targets.among(tables.values())
    away = {name: [*targets.of(table)] for name, table in tables.items() if name not in links and table is not people}
    grown = True
    while grown:
        grown = False
        for name, references in list(away.items()):
            table = tables[name]
            near = (pair for pair in references if steps.get(pair[1].name, _MOST_STEPS) < _MOST_STEPS)
            if (over := next(near, None)) is None:
                continue
            column, target = over
            held = target.patient or patient
            links[name] = (
                f"SELECT {name}.*, owner.{held} AS {patient} FROM {table.source} "
                f"JOIN ({links[target.name] or f'SELECT * FROM {target.name}'}) AS owner "
                f"ON owner.{target.primary_key} = {name}.{column}"
            )
            steps[name] = steps[target.name] + 1
            del away[name]
            grown = True
    return links


def _with_bare_keys(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables, where a column that is named as another table ("encounter") and holds its keys is a key."""
    found = dict(tables)
    targets = Targets.among(tables.values())
    for name, table in tables.items():
        named = [(column, targets.named(table, column)) for column in (*table.texts, *table.numbers)]
        bare = [column for column, target in named if target and _holds_keys(table, column, target, read)]
        found[name] = replace(
            table,
            keys=(*table.keys, *bare),
            numbers=tuple(column for column in table.numbers if column not in bare),
            texts=tuple(column for column in table.texts if column not in bare),
            said=tuple(column for column in table.said if column not in bare),
        )
    return found


def _with_places(tables: Mapping[str, Known]) -> dict[str, Known]:
    """The tables, each with the names of the people and the places that its keys lead to: the "doctor" of a visit."""
    found = dict(tables)
    places = Targets.among(one for one in tables.values() if _is_place(one))
    for name, table in tables.items():
        own = {column.name.lower() for column in table.table.columns}
        joined: list[str] = []
        named: dict[str, str] = {}
        for column, target in places.of(table):
            said = singular(target.name.lower())
            label = next(filter(_NAME.search, target.texts))
            if said not in (*own, *named):
                joined.append(f"LEFT JOIN {target.name} ON {target.name}.{target.primary_key} = {name}.{column}")
                named[said] = f"{target.name}.{label} AS {said}"
        if named and not table.sql:
            sql = f"SELECT {name}.*, {', '.join(named.values())} FROM {name} {' '.join(joined)}"
            found[name] = replace(table, sql=sql, texts=(*table.texts, *named), said=(*table.said, *named))
    return found


def _is_place(table: Known) -> bool:
    """True for a table of people or places that have names."""
    named = any(map(_NAME.search, table.texts))
    return named and not table.patient and _PLACES.search(words_of(singular(table.name.lower()))) is not None


def _holds_keys(table: Known, column: str, target: Known, read: Read) -> bool:
    """True when at least half of the values of a column, as far as a sample tells, are keys of another table."""
    held = f"SELECT DISTINCT {column} FROM (SELECT {column} FROM {table.source} LIMIT 2000)"
    known = f"SELECT {target.primary_key} FROM {target.source}"
    shares = read(f"SELECT AVG({column} IN ({known})) FROM ({held}) WHERE {column} IS NOT NULL")
    return (shares[0][0] or 0) >= 0.5


def _patient_role(people: Known, patient: str) -> Role:
    special = {"gender": _SEX, "birth date": _BIRTH, "death date": _DEATH}
    fields = {"id": patient}
    one_row_each = people.primary_key.lower() == (people.patient.lower() or "id")
    for column in (*people.times, *people.texts, *people.numbers):
        name = next((name for name, pattern in special.items() if pattern.search(column)), words_of(column))
        name = f"{name} name" if name in _PARTS_OF_NAMES else name
        if name and name not in fields and (name in special or one_row_each):
            fields[name] = column
    said = (name for name, column in fields.items() if column in people.said and not _PERSONAL.search(name + column))
    return Role(people.name, patient=patient, fields=fields, said=tuple(name for name in said if name not in special))


def _role_name(table: Known) -> str:
    """The name of a table's role: the kind of records that it is named after, or its own name in the singular."""
    noun = singular(words_of(table.name))
    words = [word for word in noun.split(" ") if word not in _PEOPLE and len(word) > 1]
    noun = " ".join(words)
    return next((kind for kind, names in _KINDS.items() if noun in names), noun.replace(" ", "_"))


def _role(table: Known, database: _Database, stay: Known | None) -> Role:
    times = [name for name in table.times if not _BIRTH.search(name) and not _DEATH.search(name)]
    end = next(filter(_END.search, times), "")
    starts = [name for name in times if name != end]
    time = next(filter(_START.search, starts), next(iter(starts), ""))
    key = "" if stay is None else _stay_key(table, stay)
    is_stay = _role_name(table) == "admission"  # a stay has no name: where it was is one of its fields
    dictionary, item = (None, "") if is_stay else _dictionary(table, database)
    item = item or ("" if is_stay else _item(table))
    value = next(filter(_VALUE.search, table.numbers), table.numbers[0] if len(table.numbers) == 1 else "")
    fields = {"id": table.primary_key} if table.primary_key else {}
    for column in (*table.texts, *table.numbers, *starts):
        if column not in (item, time) and (name := words_of(column)):
            fields.setdefault(name, column)
    noun = singular(words_of(table.name))
    return Role(
        table.name,
        time=time,
        end=end if time else "",
        stay="hospital" if key else "",
        key=key,
        patient=database.patient_column(table),
        item=item,
        dictionary=dictionary,
        value="" if is_stay else value,
        row=table.primary_key,
        fields=fields,
        said=tuple(name for name, column in fields.items() if column in table.said),
        nouns=tuple(dict.fromkeys((noun, plural(noun)))),
    )


def _dictionary(table: Known, database: _Database) -> tuple[Dictionary | None, str]:
    """The table that names the items of the records, and the column that holds its key."""
    for column, target in database.dictionaries.of(table):
        if _holds_keys(table, column, target, database.read):
            name = next(filter(_NAME.search, target.texts), target.texts[0])
            return Dictionary(target.name, target.primary_key, name), column
    return None, ""


def _item(table: Known) -> str:
    """The text column that names what a record is about."""
    noun = singular(words_of(table.name)).split(" ")[-1]
    texts = [name for name in table.texts if not _SEX.search(name)]
    own = [name for name in texts if noun and noun in words_of(name)]
    named = [name for name in texts if _NAME.search(name)]
    others = [name for name in texts if name in table.said and not (_STATE.search(name) or _PLACES.search(name))]
    return next(iter([*own, *named, *others]), "")


def _is_stay(table: Known, database: _Database) -> bool:
    ends = any(_END.search(name) for name in table.times)
    leads = table.name in database.links and table is not database.people
    return leads and _role_name(table) == "admission" and ends and len(table.times) > 1 and table.primary_key != ""


def _stay(table: Known, database: _Database) -> StayKind:
    role = _role(table, database, None)
    return StayKind(table.name, table.primary_key, role.time, role.end, role.patient)


def _aged(stay: Known, database: _Database, views: Mapping[str, str]) -> str:
    """The SELECT of the stays with the age of their patients, in completed years; "" where no birth date tells."""
    people, role = database.people, _role(stay, database, None)
    key = people.patient or people.primary_key
    born = next(filter(_BIRTH.search, people.times), "")
    own = {column.name.lower() for column in stay.table.columns}
    if not born or not role.time or "age" in own or people.primary_key != key:
        return ""
    rows = f"({views[stay.name]})" if stay.name in views else stay.name
    born_on = f"({people.sql})" if people.sql else people.name
    year, day = (f"strftime('{form}', stays.{role.time})" for form in ("%Y", "%m-%d"))
    birth_year, birth_day = (f"strftime('{form}', people.{born})" for form in ("%Y", "%m-%d"))
    return (
        f"SELECT stays.*, CAST({year} AS INTEGER) - CAST({birth_year} AS INTEGER) - ({day} < {birth_day}) AS age "
        f"FROM {rows} AS stays LEFT JOIN {born_on} AS people ON people.{key} = stays.{role.patient}"
    )


def _discharge(admission: Role) -> Role:
    """The ends of the stays, with the fields that are known then."""
    fields = {name: column for name, column in admission.fields.items() if name == "id" or _LEAVING.search(name)}
    said = tuple(name for name in admission.said if name in fields)
    return replace(admission, time=admission.end, end="", fields=fields, said=said, nouns=())


def _stay_key(table: Known, stay: Known) -> str:
    if table is stay:
        return stay.primary_key
    return next((column for column, _ in Targets.among([stay]).of(table)), "")


def _kind_of_ids(database: _Database) -> str:
    people = database.people
    key = people.patient or people.primary_key
    rows = database.read(f"SELECT {key} FROM {people.source} WHERE {key} IS NOT NULL LIMIT 20")
    return "text" if any(isinstance(value, str) for (value,) in rows) else "integer"


def _sexes(database: _Database, role: Role) -> dict[str, str]:
    column = role.fields.get("gender")
    if column is None:
        return {}
    rows = database.read(f"SELECT DISTINCT {column} FROM {database.people.source} LIMIT 20")
    stored = [value for (value,) in rows if isinstance(value, str)]
    found = {sex: next((one for one in stored if one.lower() in spelled), "") for sex, spelled in _STORED_SEXES.items()}
    return {sex: value for sex, value in found.items() if value}
