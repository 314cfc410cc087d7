"""What a guess knows of a database: its tables, which of them lead to patients, and what their keys lead to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ehrtui.schema.called import bare_noun, field_of, kind_of_table, sayings_of, untyped, words_of
from ehrtui.schema.columns import Known, Read, distinct_values, plain_name, singular, snake_case
from ehrtui.schema.guessed_flags import FLAG
from ehrtui.schema.references import Targets

PEOPLE = ("patient", "person", "subject", "client", "member", "individual", "demographic")
_NAMED = re.compile(
    r"name|label|title|descr|display|drug|medic|test|diagnos|condition|procedure|operation|item|analyte|substance"
    r"|allergen|component|vaccine|type|reason",
    re.IGNORECASE,
)
"""Columns that name what a record is of."""
PLACES = re.compile(
    r"doctor|physician|provider|practitioner|clinician|surgeon|nurse|staff|caregiver|ward|depart|unit|location|facilit"
    r"|clinic|hospital|organi[sz]ation|payer|insur|room|care ?site|^sites?$|campus",
    re.IGNORECASE,
)
"""Tables of who and where: they do not say what a record is of."""
STAFF = re.compile(
    r"doctor|physician|provider|practitioner|clinician|surgeon|nurse|staff|caregiver|prescriber|consultant|attending"
    r"|operator|anaesthetist|anesthetist|anesthesiologist|referrer|author|midwife|therapist|registrar|employee",
    re.IGNORECASE,
)
"""Tables of the staff, and keys that lead to one of them."""
_DOER = re.compile(rf"{STAFF.pattern}|\bdoctor\b|(?:^| )by$", re.IGNORECASE)
"""What the columns are called that say who did something."""
_BIRTH = re.compile(r"birth|dob|born", re.IGNORECASE)
_MOST_STEPS = 6
"""Tables between one and the patients that it leads to: further away, nothing is known of whom a record is."""
_YES, _NO = frozenset(("y", "yes", "true", "t")), frozenset(("n", "no", "false", "f"))
_TITLES = ("title", "salutation", "name prefix")
"""How one of the staff is addressed."""
_MOST_PLACES = 1000
"""Places whose names are known beside their codes."""
_LOOKED_AT = 20000
"""Rows by which it is decided whether a column tells rows apart, or one column another."""


@dataclass(frozen=True)
class Database:
    """The tables by name; `people` is the one of patients, `patient` the name for their identifiers; `links` gives
    for each table that leads to patients the SELECT of its rows with a column of patients, "" where it has one."""

    tables: Mapping[str, Known]
    people: Known
    patient: str
    links: Mapping[str, str]
    read: Read

    @cached_property
    def dictionaries(self) -> tuple[Known, ...]:
        """The tables that may name what records of others are about: those that do not lead to patients."""
        named = (one for one in self.tables.values() if one.texts and not PLACES.search(one.name))
        return tuple(one for one in named if one.name not in self.links and one is not self.people)

    @cached_property
    def places(self) -> tuple[Known, ...]:
        """The tables that tell the names of people and places by their codes."""
        held = (one for one in self.tables.values() if one.name not in self.links and one is not self.people)
        return tuple(one for one in held if _is_place(one))

    def named_by_code(self, table: Known, fields: Mapping[str, str]) -> dict[str, dict[str, str]]:
        """By the fields of a table that hold codes of a place, the names of these and the codes: {"ward": {"elm ward":
        "W1"}}."""
        found: dict[str, dict[str, str]] = {}
        for name, column in fields.items():
            for place in self.places if column in table.said else ():
                code = next((one for one in place.texts if _is_called_as(column, one)), "")
                label = label_of(place, code)
                known = code and label and self.tells_apart(place, code)
                if known and holds_keys(table, column, place, self.read, code):
                    rows = self.read(f"SELECT {code}, {label} FROM {place.source} LIMIT {_MOST_PLACES}")
                    said = [(str(label).lower(), str(held)) for held, label in rows if held and label]
                    if len({label for label, _ in said}) == len(said):  # and no name of several
                        found[name] = {label: held for label, held in said if label != held.lower()}
        return found

    def sayings(self, table: Known, fields: Mapping[str, str]) -> dict[str, dict[str, str]]:
        """What people say for stored values: the names of places for their codes; and for the "yes" of a column that
        says only whether something is so, what that is: {"chronic": {"chronic": "Y"}}."""
        found = self.named_by_code(table, fields)
        if (organism := fields.get("organism", "")) in table.said:
            held = distinct_values(organism, table.source, self.read, _MOST_PLACES)
            if nothing := sayings_of("organism", [one for one in held if isinstance(one, str)]):
                found["organism"] = nothing  # which is no organism
        for name, column in fields.items():
            said = " ".join(FLAG.sub("", name).split())
            if column in table.said and said and name not in found:
                held = distinct_values(column, table.source, self.read, 4)
                stored = [value for value in held if isinstance(value, str)]
                yes = next((one for one in stored if one.lower() in _YES), "")
                if yes and len(stored) == len(held) and {one.lower() for one in stored} <= _YES | _NO:
                    found[name] = {said: yes}
        return found

    def share_noun(self, noun: str) -> bool:
        """True where the last word of a noun ends the names of several tables: it does not say which is meant."""
        last = noun.split(" ")[-1]
        names = [singular(bare_noun(words_of(name))).split(" ")[-1] for name in self.tables]
        return names.count(last) != 1

    @cached_property
    def keyed_dictionaries(self) -> Targets:
        """Those of them that have a key."""
        return Targets.among(self.dictionaries)

    @cached_property
    def people_key(self) -> str:
        """The column of the table of patients that tells them apart."""
        return self.people.patient or self.people.primary_key

    @cached_property
    def one_row_each(self) -> bool:
        """True where the table of patients has one row for each."""
        return self.people.primary_key == self.people_key or self.tells_apart(self.people, self.people_key)

    def patient_column(self, table: Known) -> str:
        """The column of patients, of a table that leads to them."""
        return self.patient if table is self.people or not table.patient else table.patient

    def tells_apart(self, table: Known, column: str) -> bool:
        """True where no two rows have the same value of a column, as far as a sample tells."""
        return tells_apart(table, column, self.read)

    def follows(self, table: Known, column: str, key: str) -> bool:
        """True where one value of a column goes with each value of another, as far as a sample tells."""
        some = f"SELECT {key} AS held, {column} AS one FROM {table.source} LIMIT {_LOOKED_AT}"
        several = f"SELECT 1 FROM ({some}) GROUP BY held HAVING COUNT(DISTINCT one) > 1 LIMIT 1"
        return not self.read(several)


def is_named(column: str) -> bool:
    """True for a column that names what a record is of."""
    return _NAMED.search(column) is not None or _NAMED.search(words_of(column)) is not None


def label_of(place: Known, code: str = "", alias: str = "") -> str:
    """SQL of the name of a place or of one of the staff, of whom first and last names may have a column each, the table
    called `alias`; "" where none has a name beside its `code`."""
    texts = [one for one in place.texts if one != code]
    told = {field_of(one): f"{alias}.{one}" if alias else one for one in reversed(texts)}
    if "last name" in told and "name" not in told:
        return f"{told['first name']} || ' ' || {told['last name']}" if "first name" in told else told["last name"]
    called = (one for one in texts if words_of(one).split(" ")[-1] == "name" and words_of(one) not in _TITLES)
    kinds = (one for one in texts if is_named(one) and words_of(one) not in _TITLES)
    named = next(called, next(kinds, ""))
    return f"{alias}.{named}" if named and alias else named


def tells_apart(table: Known, column: str, read: Read) -> bool:
    """True where no two rows have the same value of a column, as far as a sample tells."""
    some = f"SELECT {column} AS one FROM {table.source} WHERE {column} IS NOT NULL LIMIT {_LOOKED_AT}"
    (all_of_them, different), *_ = read(f"SELECT COUNT(one), COUNT(DISTINCT one) FROM ({some})")
    return bool(all_of_them == different > 0)


def _is_called_as(column: str, code: str) -> bool:
    """True for a column that is named after the code of a place: "first_ward" after "ward"."""
    return words_of(column).split(" ")[-1:] == words_of(code).split(" ")[:1] or column.lower() == code.lower()


def find_people(tables: Mapping[str, Known]) -> Known | None:
    """The table of patients: named so, or the one whose own key their identifier is, or that says most of people, or
    that has the fewest rows; None where no table has patients."""
    named = [one for one in tables.values() if is_of_people(one)]
    keyed = [one for one in named if one.patient or one.primary_key]
    having = [one for one in tables.values() if one.patient]
    own = [one for one in having if one.primary_key == one.patient]
    fewest = sorted(having, key=lambda one: (-_of_people(one), one.table.row_count or 0))
    return next(iter([*keyed, *own, *fewest]), None)


def with_the_key_of_people(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables, where that of patients has no column of patients besides its key, if the others hold that: the number
    that the hospital knows somebody by ("mrn") is no such."""
    found = dict(tables)
    for name, table in tables.items():
        key = table.primary_key
        if not (is_of_people(table) and table.patient and key and key != table.patient):
            continue
        held = [(one, one.patient) for one in tables.values() if one.patient and one is not table]
        others = [(one, column) for one, column in held if column.lower() != table.patient.lower()]
        led = [one for one, column in others if holds_keys(one, column, table, read, key)]
        if others and len(led) == len(others) == len(held):
            found[name] = replace(table, patient="")
    return found


def with_own_keys(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables, where a column that is a key by its name and its values is the key of a table that declares none: of
    those that hold it, the table that has the most rows of it, each once."""
    holding: dict[str, list[tuple[Known, str]]] = {}
    for table in tables.values():
        for column in table.keys:
            holding.setdefault(snake_case(column), []).append((table, column))
    found = dict(tables)
    for held in holding.values():
        keyless = [(one, column) for one, column in held if not one.primary_key and column != one.patient]
        if len(held) < 2 or not keyless or any(one.primary_key == column for one, column in held):
            continue
        owners = [(one, column) for one, column in keyless if tells_apart(one, column, read)]
        if owners:
            owner, column = max(owners, key=lambda pair: pair[0].table.row_count or 0)
            found[owner.name] = replace(found[owner.name], own_key=found[owner.name].own_key or column)
    return found


def led_to_people(tables: Mapping[str, Known]) -> dict[str, Known]:
    """The tables of a database that calls the keys of patients something else, with their columns of patients: those
    that lead to the table that is named after them, or that says most of people and tells when they were born; as they
    are where none does."""
    keyed = [one for one in tables.values() if one.primary_key and (is_of_people(one) or birth_of(one))]
    if not keyed:
        return dict(tables)

    def leading(people: Known) -> int:
        targets = Targets.among([people])
        return sum(next(targets.of(one), None) is not None for one in tables.values())

    people = max(keyed, key=lambda one: (_of_people(one) + leading(one), _of_people(one), is_of_people(one)))
    found = {**tables, people.name: replace(people, patient=people.primary_key)}
    for name, table in tables.items():
        key = next((column for column, _ in Targets.among([people]).of(table)), "")
        if key:
            found[name] = replace(table, patient=key)
    return found


def is_of_people(table: Known) -> bool:
    """True for a table that is named after patients: "staff member" is not."""
    words = words_of(table.name)
    return STAFF.search(words) is None and (
        singular(words).split(" ")[-1] in PEOPLE or kind_of_table(words) == "patient"
    )


def birth_of(people: Known) -> str:
    """The column of the date of birth, or else of its year; "" where none is."""
    held = (*people.times, *people.numbers)
    for name in ("birth date", "birth year"):
        if found := next((one for one in held if field_of(one, "patient") == name), ""):
            return found
    return next((one for one in people.times if _BIRTH.search(one)), "")


def _of_people(table: Known) -> int:
    """How much a table says of people."""
    return len(_told(table) & {"gender", "birth date", "birth year", "name", "last name", "race", "ethnicity"})


def _told(table: Known) -> set[str]:
    return {field_of(column) for column in (*table.times, *table.texts, *table.numbers)}


def links_to(tables: Mapping[str, Known], people: Known, patient: str) -> dict[str, str]:
    """The tables that lead to patients, over a few others at most, each with the SELECT that says to whom ("" where a
    column of its own does)."""
    links = {name: table.sql for name, table in tables.items() if table.patient}
    steps = {people.name: 0, **dict.fromkeys(links, 0)}
    targets = Targets.among(tables.values())
    away = {name: [*targets.of(table)] for name, table in tables.items() if name not in links and table is not people}
    grown = True
    while grown:
        grown = False
        for name, references in list(away.items()):
            table = tables[name]
            near = [pair for pair in references if steps.get(pair[1].name, _MOST_STEPS) < _MOST_STEPS]
            if not near:
                continue
            column, target = min(near, key=lambda pair: steps[pair[1].name])  # a baby's own person, not its mother
            held = target.patient or patient
            links[name] = (
                f"SELECT {name}.*, {name}.{column} AS {patient} FROM {table.source}"
                if target is people or target.primary_key == held
                else f"SELECT {name}.*, owner.{held} AS {patient} FROM {table.source} "
                f"JOIN ({_owners(target, held, links[target.name])}) AS owner "
                f"ON owner.{target.primary_key} = {name}.{column}"
            )
            steps[name] = steps[target.name] + 1
            del away[name]
            grown = True
    return links


def _owners(table: Known, patient: str, sql: str) -> str:
    """The SELECT of the key of a table and of the patient to whom each row belongs."""
    if table.patient and " WHERE " not in sql and (not sql or sql.startswith(f"SELECT {table.name}.*,")):
        bare = f"({table.renamed}) AS {table.name}" if table.renamed else table.name
        return f"SELECT {table.primary_key}, {patient} FROM {bare}"  # what is only told beside is not needed
    return sql


def tell(table: Known, views: dict[str, str], told: str, joined: str = "") -> None:
    """Let the view of a table tell further columns, of its own or of what is `joined` to it; both are SQL."""
    views[table.name] = f"SELECT {table.name}.*, {told} FROM {_viewed(table, views)}{joined and f' {joined}'}"


def keep(table: Known, views: dict[str, str], condition: str) -> None:
    """Let the view of a table have the rows alone that meet a condition, in SQL."""
    views[table.name] = f"SELECT {table.name}.* FROM {_viewed(table, views)} WHERE {condition}"


def _viewed(table: Known, views: dict[str, str]) -> str:
    return f"({views[table.name]}) AS {table.name}" if table.name in views else table.name


def with_bare_keys(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables, where a column that is named as another table ("encounter"), as its key ("UHID"), or as somebody of
    the staff ("done_by"), and holds its keys is a key."""
    found = dict(tables)
    targets = Targets.among(tables.values())
    staff = next(filter(is_of_staff, targets.tables), None)
    for name, table in tables.items():
        others = (*table.texts, *table.numbers)
        named = [(column, targets.named(table, column) or targets.keyed(table, column)) for column in others]
        if staff is not None and staff is not table:
            named = [(one, target or (staff if _DOER.search(words_of(one)) else None)) for one, target in named]
        bare = [column for column, target in named if target and holds_keys(table, column, target, read)]
        found[name] = replace(
            table,
            keys=(*table.keys, *bare),
            numbers=tuple(column for column in table.numbers if column not in bare),
            texts=tuple(column for column in table.texts if column not in bare),
            said=tuple(column for column in table.said if column not in bare),
        )
    return found


def with_places(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables, each with the names of the people and the places that its keys lead to: the "doctor" of a visit."""
    found = dict(tables)
    places = Targets.among(one for one in tables.values() if _is_place(one))
    staff = [one for one in places.tables if is_of_staff(one)]
    for name, table in tables.items():
        own = {column.name.lower() for column in table.table.columns}
        joined: dict[str, str] = {}
        named: dict[str, str] = {}
        led = [*places.of(table)]
        for column, target in (*led, *_staff_of(table, staff, [column for column, _ in led], read)):
            said = plain_name(singular(bare_noun(words_of(target.name))))
            stem = re.sub(r"_?(?:guid|uuid|id|no|nr|key|sk|num|nbr|ref)$", "", snake_case(untyped(column)))
            if column.lower().endswith(f"_{said}"):
                said = column.lower()  # the "usual clinician", who may be another than that of a visit
            elif (field_of(stem) and not field_of(said)) or (
                target in staff and STAFF.search(words_of(stem)) and not stem.endswith(said)
            ):
                said = plain_name(words_of(stem))  # the "surgeon" or the "midwife" among the staff
            said = f"{said}_name" if said in own else said
            if said not in (*own, *named):
                again = target.name in joined  # a surgeon and an anaesthetist, both among the staff
                alias = f"{target.name}_{said}" if again else target.name
                source = f"(SELECT * FROM {target.source}) AS {alias}" if again else target.source
                joined[alias] = f"LEFT JOIN {source} ON {alias}.{target.primary_key} = {name}.{column}"
                named[said] = f"{label_of(target, alias=alias)} AS {said}"
        if named:
            sql = f"SELECT {name}.*, {', '.join(named.values())} FROM {table.source} {' '.join(joined.values())}"
            found[name] = replace(table, sql=sql, texts=(*table.texts, *named), said=(*table.said, *named))
    return found


def _staff_of(table: Known, staff: Sequence[Known], led: Collection[str], read: Read) -> Iterator[tuple[str, Known]]:
    """The keys that are called as what somebody of the `staff` does ("surgeon_id"), and are not `led` to a table by
    their names: each with the table of staff whose keys it holds."""
    for column in table.keys if staff else ():
        if column not in led and column != table.primary_key and _DOER.search(words_of(column)):
            target = next((one for one in staff if one is not table), None)
            if target is not None and holds_keys(table, column, target, read):
                yield column, target


def _is_place(table: Known) -> bool:
    """True for a table of people or places that have names."""
    return (
        label_of(table) != ""
        and not table.patient
        and (PLACES.search(words_of(singular(table.name.lower()))) is not None or is_of_staff(table))
    )


def is_of_staff(table: Known) -> bool:
    """True for a table of the staff, by its own name or by what its names are those of: "PROV_NAME"."""
    named = STAFF.search(words_of(table.name)) is not None
    return named or (not table.patient and not table.times and STAFF.search(words_of(label_of(table))) is not None)


def with_owners(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables, where one that leads to no patients has the key of the one that its rows belong to by another column
    than its key: the diagnoses of an account, which one stay has."""
    found, targets = dict(tables), Targets.among(tables.values())
    holding: dict[str, list[tuple[Known, str]]] = {}
    for table in targets.tables:
        for column in table.keys if table.patient else ():
            if column not in (table.primary_key, table.patient):
                holding.setdefault(column.lower(), []).append((table, column))
    for name, table in tables.items():
        if table.patient or any(target.patient for _, target in targets.of(table)):
            continue
        for column in table.keys:
            held = holding.get(column.lower(), ())
            owners = [(one, key) for one, key in held if one is not table and tells_apart(one, key, read)]
            if len(owners) == 1 and holds_keys(table, column, owners[0][0], read, owners[0][1]):
                found[name] = _owned(table, column, *owners[0])
                break
    return found


def _owned(table: Known, column: str, owner: Known, key: str) -> Known:
    """A table with the key of the one whose `key` a column of it has."""
    sql = (
        f"SELECT {table.name}.*, owner.{owner.primary_key} FROM {table.source} "
        f"LEFT JOIN (SELECT {key}, {owner.primary_key} FROM {owner.source}) AS owner "
        f"ON owner.{key} = {table.name}.{column}"
    )
    return replace(table, sql=sql, keys=(*table.keys, owner.primary_key))


def holds_keys(table: Known, column: str, target: Known, read: Read, key: str = "") -> bool:
    """True when at least half of the values of a column, as far as a sample tells, are keys of another table."""
    held = f"SELECT DISTINCT {column} FROM (SELECT {column} FROM {table.source} LIMIT 2000)"
    known = f"SELECT {key or target.primary_key} FROM {target.source}"
    shares = read(f"SELECT AVG({column} IN ({known})) FROM ({held}) WHERE {column} IS NOT NULL")
    return (shares[0][0] or 0) >= 0.5
