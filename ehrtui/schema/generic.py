"""A profile guessed from the tables alone, for databases of a family that nobody has described.

Every table that leads to a patient, by a column of its own or by the key of a table that does, becomes a role named
after it; its clock, item, value and categories are guessed. Where nothing leads to patients, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.schema.called import words_of
from ehrtui.schema.columns import Known, Read, known_tables
from ehrtui.schema.fitting import empty_copy
from ehrtui.schema.guessed_births import with_births_told
from ehrtui.schema.guessed_by_values import with_kinds_by_values
from ehrtui.schema.guessed_codes import with_codes_told
from ehrtui.schema.guessed_deaths import with_deaths_told
from ehrtui.schema.guessed_displays import with_displays_told, without_errors
from ehrtui.schema.guessed_flags import with_flags_told
from ehrtui.schema.guessed_icu import intensive_stays
from ehrtui.schema.guessed_kinds import own_name, role_name
from ehrtui.schema.guessed_moves import with_moves_ended
from ehrtui.schema.guessed_parts import Wholes, with_wholes_told
from ehrtui.schema.guessed_people import aged_people, death_role, patient_role, sexes
from ehrtui.schema.guessed_records import parted, record_role
from ehrtui.schema.guessed_registers import registers
from ehrtui.schema.guessed_stays import (
    END,
    Stays,
    aged_stays,
    begun,
    discharge,
    find_stays,
    stay_role,
    without_cancelled,
)
from ehrtui.schema.guessed_wholes import with_times_of_wholes
from ehrtui.schema.guessing import (
    Database,
    find_people,
    is_of_people,
    led_to_people,
    links_to,
    with_bare_keys,
    with_own_keys,
    with_owners,
    with_places,
    with_the_key_of_people,
)
from ehrtui.schema.kinds import ADMISSION, ICU_STAY
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import GENERIC, GUESSED, PatientTable, Profile


def generic_profile(schema: Schema, read: Read) -> Profile:
    """The guessed profile; GENERIC where no records lead to patients."""
    with empty_copy(schema) as connection:
        tables = {table.name: table for table in known_tables(schema, connection, read)}
    known = with_the_key_of_people(tables, read)
    keyed = with_owners(with_bare_keys(with_own_keys(known, read), read), read)
    told = with_births_told(with_kinds_by_values(with_moves_ended(_in_words(keyed, read), read), read))
    tables = with_places(with_wholes_told(with_times_of_wholes(told, read), read), read)
    people = find_people(tables)
    if not any(one.patient for one in tables.values()):
        tables = led_to_people(tables)
        people = find_people(tables)
    if people is None:
        return GENERIC
    tables = with_deaths_told(tables, people)
    people = tables[people.name]
    key = people.patient or people.primary_key
    patient = key if people.patient else next((one.patient for one in tables.values() if one.patient), "patient_id")
    renamed = (
        {people.name: f"SELECT {key} AS {patient}, {people.name}.* FROM {people.source}"} if key != patient else {}
    )
    return _profile(Database(tables, people, patient, {**links_to(tables, people, patient), **renamed}, read))


def _in_words(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables without what was entered in error, with codes and flags told in words."""
    return with_flags_told(without_errors(with_codes_told(with_displays_told(tables), read), read), read)


def _profile(database: Database) -> Profile:
    people, patient = database.people, database.patient
    stays = find_stays(database)
    views = {name: sql for name, sql in database.links.items() if sql}
    views |= {name: table.sql for name, table in database.tables.items() if table.sql and name not in views}
    roles = {"patient": patient_role(database, stays, views)}
    if stays is not None:
        aged_stays(stays, database, views)
        without_cancelled(stays, database, views)
        begun(stays, database, views)
        roles["admission"] = stay_role(stays, database, views)
        if stays.lasting:
            roles["discharge"] = discharge(roles["admission"])
    wholes = Wholes.among(database.tables.values(), database.read)
    for table in _in_order(database, stays):
        called = role_name(table)
        if stays is not None and called == ADMISSION and table is not stays.table:
            called = own_name(table)  # visits beside the stays
        if called == ICU_STAY and not any(END.search(words_of(one)) for one in table.times):
            called = own_name(table)  # a day's chart is no stay
        called = wholes.part_called(table) or called
        called = own_name(table) if called in roles else called  # a list of problems beside coded diagnoses
        called = words_of(table.name).replace(" ", "_") if called in roles else called
        of_others = table is not people or _holds_records(table, database)
        if of_others and (stays is None or table is not stays.table) and called and called not in roles:
            role = record_role(table, called, database, stays, views)
            for kind, one in (parted(role, table, database) or {called: role}).items():
                roles.setdefault(kind, one)
    if len(roles) == 1:
        return GENERIC
    for called, register in registers(database, views):
        roles.setdefault(called, register)
    if (died := death_role(database, stays, roles)) is not None:
        roles["death"] = died
    intensive = intensive_stays(database, roles, views) if stays is not None else None
    if intensive is not None:
        roles[ICU_STAY] = intensive[1]
    own = stays is not None and stays.table is people
    if stays is None or (not own and (stays.passing(database) or not stays.of_everybody(database))):
        roles["patient"] = aged_people(database, roles, views)
    used = {role.table for role in roles.values()} | {r.dictionary.table for r in roles.values() if r.dictionary}
    return Profile(
        name=GUESSED,
        summary="Guessed from the names, keys and values of the tables: look it over before you rely on it.",
        requires={},
        patient=PatientTable(people.name, patient),
        patient_ids=_kind_of_ids(database),
        stays={
            **({} if stays is None else {"hospital": stays.kind(database)}),
            **({} if intensive is None else {"icu": intensive[0]}),
        },
        roles=roles,
        sexes=sexes(database, roles["patient"]),
        partly=tuple(name for name, role in roles.items() if role.item),
        views={name: (sql,) for name, sql in views.items() if name in used},
    )


def _in_order(database: Database, stays: Stays | None) -> list[Known]:
    """The tables of records, those of what belongs to a stay before others of the same kind."""
    tables = [database.tables[name] for name in database.links]
    return sorted(tables, key=lambda one: stays is not None and not stays.key_of(one))


def _holds_records(people: Known, database: Database) -> bool:
    """True for a table of records that has to serve as that of patients, since no other does."""
    return people.primary_key != database.patient and not is_of_people(people)


def _kind_of_ids(database: Database) -> str:
    people, key = database.people, database.people_key
    rows = database.read(f"SELECT {key} FROM {people.source} WHERE {key} IS NOT NULL LIMIT 20")
    return "text" if any(isinstance(value, str) for (value,) in rows) else "integer"
