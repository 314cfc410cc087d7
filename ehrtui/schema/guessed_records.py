"""What a guess tells of a table of records: which kind they are, what each is of, when it was, and its value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ehrtui.schema.called import (
    IN_WORDS,
    bare_noun,
    field_of,
    kind_in_name,
    kind_of_category,
    kind_of_vocabulary,
    nouns_of,
    sayings_of,
    verbs_of,
    visits_called,
    visits_of_any_place,
    without_unit,
    words_of,
)
from ehrtui.schema.columns import Known, as_text, distinct_values, plural, singular
from ehrtui.schema.guessed_kinds import lab_columns, role_name, vital_columns
from ehrtui.schema.guessed_stays import END, START, Stays, amounts_of
from ehrtui.schema.guessing import PLACES, STAFF, Database, holds_keys, is_named, tell
from ehrtui.schema.kinds import ADMISSION, kind_of, kinds
from ehrtui.schema.profile import Dictionary, Role

_VALUE = re.compile(
    r"value|result|amount|dos(?:e|age)|quantity|score|level|reading|volume|measure|val\b", re.IGNORECASE
)
_NO_VALUE = re.compile(
    r"cost|price|charge|fee|year|age\b|rank|_c$|seq|version|priority|days|dispens|refill|payment|coverage|low|high|range|\bc$",
    re.IGNORECASE,
)
_WHOLE_SUM = re.compile(r"\b(?:net|total|grand|whole)\b.*\b(?:amount|value|bill|sum)\b")
"""Of several amounts the one of all."""
_AS_NUMBER = re.compile(r"\bnum(?:ber|eric)\b")
"""What the numbers are called of values that are kept as they were written, too ("<1.0")."""
_STATE = re.compile(r"status|state|flag|outcome|disposition|class|priority|severity", re.IGNORECASE)
_NO_NAME = re.compile(
    r"\b(?:code|cd|type|class|category|status|unit|units|reason\w*|system|version|route|dose|form|strength|flag|site"
    r"|modality|udi|value|result|date|time|text)\b",
    re.IGNORECASE,
)
"""Columns that tell of a record, but not what it is of."""
_WHOLE = re.compile(
    r"\b(?:name|description|display|label|long title|title|descr|drug|medication|test|wording|term)$", re.IGNORECASE
)
"""The columns that name best what a record is of."""
_SHOWN_NAME = re.compile(r"^disp(?:lay)?_?name$", re.IGNORECASE)
"""The column of a dictionary that has what people are shown, where another has what the system calls it."""
_MANNER = re.compile(r"\b(?:mode|kind|method|category)\b")
"""The columns that tell of what kind a record is, where none names it: the mode of a delivery."""
_NOT_SAID = ("code", "short title", "long title", "text")
_CLASSES = ("class", "family", "group", "category", "type")
"""What the classes of drugs are called where these are listed."""
_OF_STAYS = ("admission type", "admission location", "discharge location", "visit reason")
"""Attributes of stays: what is called so in other records is something of theirs."""
_OF_FLUIDS = ("lab", "culture", "measurement", "specimen")
"""Records of fluids: in others "spec" is no specimen."""
_BEFORE = re.compile(r"\b(?:sched\w*|refer\w*|request\w*|book\w*|creat\w*|updat\w*|modif\w*|regist\w*|insert\w*)\b")
"""What columns are called that say when a record was made, or asked for."""
_TAKEN = re.compile(r"\b(?:collect\w*|drawn|draw|sampl\w*|taken|obtained)\b")
"""What columns are called that say when a specimen was taken, which is when it tells of."""
_NUMBERED = re.compile(r"\d+$")
_NINES = ", ".join("9" * digits for digits in range(6, 10))
"""Numbers that no result has."""
_TOLD = "_told"
_LOOKED_AT = 100_000
"""Values that are looked at for such."""
_ENDED = "ended_at"
"""The column of a view that tells when a time on a ward ended, by itself or with its stay."""
_CATALOGUED = re.compile(r"\b(?:code|icd|icd10|icd9|loinc|cpt|rxnorm|snomed|ndc|atc|term)\b|\d+ ?code")
"""What the column of codes in a catalogue is called."""
_AS_WRITTEN = re.compile(r"^(?:raw|source|original|local|verbatim) ")
"""How a column is called that tells in the words of a site what another holds as a code."""
_MOST_NAMED = 200
"""Places of one kind whose names are looked at."""
_LIMITS = ("lower limit", "upper limit")
"""The normal range of a test, which is kept beside its values, or beside its name."""
_FINDINGS = ("observation", "measurement")
"""Records of whatever was found, of which a category may say of what kind it is."""
_STATED = re.compile(r"\b(?:status|state)\b")
DOSES, _MISSED = "administration", "missed_dose"
"""The roles of what was given of orders, and of what was not."""
_LIFE = ("birth date", "birth year", "death date", "death year")


def record_role(table: Known, called: str, database: Database, stays: Stays | None, views: dict[str, str]) -> Role:
    """The role of the records of a table, which has the name `called`; the views that it needs are added to `views`."""
    noun = singular(bare_noun(words_of(table.name)))
    times = [name for name in table.times if field_of(name) not in _LIFE]
    end = next((one for one in times if END.search(words_of(one))), "")
    starts = [name for name in times if name != end]
    time = _when(starts, noun)
    key = "" if stays is None else stays.key_of(table)
    dictionary, item = _dictionary(table, database, views)
    columns_of = {"vital": vital_columns, "lab": lab_columns}.get(called)
    wide = columns_of(table) if columns_of is not None and dictionary is None else {}
    own = _place(table) if kind_of(called).place else _fluid(table) if kind_of(called).microbial else ""
    item = "" if wide else item or own or item_of(table)
    fields = {"id": table.primary_key} if table.primary_key else {}
    named = dictionary.name if dictionary is not None else ""
    tied = {table.patient, table.primary_key, key}
    for column in (*table.texts, *table.numbers, *starts, *(one for one in table.keys if one not in tied)):
        name = _name_of(column, noun, called)
        taken = name in fields or (column in table.keys and column != item != "" and name == field_of(item))
        name = words_of(column) if taken else name
        if taken and name == field_of(item):
            continue  # the code of a ward, whose name is the item
        if fields.get(name, column) != column and (numbered := _NUMBERED.search(column)):
            name = f"{name} {numbered[0]}"  # the second of two that a number tells apart
        if (name and column not in (item, time, named)) or (column == item and dictionary is not None):
            fields.setdefault(name, column)
    untold = [fields.get(name, "") for name in _LIMITS]
    untold = [column for column in untold if column and not _is_ever_told(table, column, database)]
    fields = {name: column for name, column in fields.items() if column not in (*wide.values(), *untold)}
    visits = visits_called(noun) if called not in kinds() else ()
    if stays is not None and not visits and kind_in_name(noun) == ADMISSION and called not in kinds():
        visits = visits_of_any_place()
    value = "" if wide or visits else _value(table, called, fields, views)
    value = _without_placeholders(table, value, database, views) if value else ""
    doubled = [
        name
        for name, column in fields.items()
        if column == value
        and not (name == "dose" or field_of(column) or (called not in kinds() and _says_what(column)))
    ]
    fields = {name: column for name, column in fields.items() if name not in doubled}
    said = (noun,) if called in kinds() or database.share_noun(noun) else (noun, noun.split(" ")[-1])
    more = (*nouns_of(called), *visits)
    if item and called not in kinds() and dictionary is None:
        own_name = _name_of(item, noun, called)  # "which specialty has the most referrals"
        fields.setdefault(words_of(item).removesuffix(" name") if own_name == "name" else own_name, item)
    if not time and key and stays is not None:
        time = _time_of_stay(table, stays, key, views)
    if kind_of(called).place and end and key and stays is not None and stays.lasting:
        end = _end_with_stay(table, stays, key, end, views)
    return Role(
        table.name,
        time=time,
        end=end if time else "",
        stay="hospital" if key else "",
        key=key,
        patient=database.patient_column(table),
        item=item,
        dictionary=dictionary,
        value=value,
        wide=wide,
        row=table.primary_key,
        spelled=tuple(one for one in table.spelled if one == value or one in fields.values()),
        fields=fields,
        amounts=amounts_of(table, fields),
        aliases=_in_full(table, item, database) if dictionary is None else {},
        said=tuple(name for name, column in fields.items() if column in table.said and name not in _NOT_SAID),
        sayings=database.sayings(table, fields) | (_given(table, fields, database) if called == DOSES else {}),
        nouns=tuple(dict.fromkeys((*(form for one in said for form in (one, plural(one))), *more))),
        verbs=verbs_of(called),
    )


def _given(table: Known, fields: Mapping[str, str], database: Database) -> dict[str, dict[str, str]]:
    """What people say for the states of doses, whatever the system calls them: "given" for "Performed"."""
    found: dict[str, dict[str, str]] = {}
    for name, column in fields.items():
        if column in table.said and _STATED.search(words_of(column)):
            held = distinct_values(column, table.source, database.read, _MOST_NAMED)
            if said := sayings_of("dose status", [one for one in held if isinstance(one, str)]):
                found[name] = said
    return found


def _says_what(column: str) -> bool:
    """True for a column of numbers that says of what they are: the blood loss of a delivery, and no bare value."""
    return bool(set(_VALUE.sub("", without_unit(words_of(column))).split()) - {"number", "numeric", "record", "row"})


def _in_full(table: Known, item: str, database: Database) -> dict[str, tuple[str, ...]]:
    """What places are called in full whose names are kept without the noun that the column says: the "antenatal clinic"
    for "Antenatal" in ClinicName."""
    words = words_of(item).split(" ") if item else []
    if len(words) < 2 or words[-1] != "name" or not PLACES.search(words[-2]):
        return {}
    noun = words[-2]
    stored = distinct_values(item, table.source, database.read, _MOST_NAMED + 1)
    named = [one for one in stored if isinstance(one, str) and noun not in one.lower()]
    return {f"{one.lower()} {noun}": (one,) for one in named} if len(stored) <= _MOST_NAMED else {}


def _name_of(column: str, noun: str, called: str) -> str:
    """What a column of records called `noun`, whose role is `called` so, is called as an attribute of theirs."""
    name = field_of(column, noun) or words_of(column)
    if name in ("status", "status code") and visits_called(noun) and called not in kinds():
        return "outcome"  # of an appointment, which somebody did not attend
    if name == "fluid" and called not in _OF_FLUIDS:
        return "specialty"
    return words_of(column) if name in _OF_STAYS else name


def _when(times: Sequence[str], noun: str) -> str:
    """The column of when records called `noun` were: one that is called as a beginning, or as they are, or else the
    first that tells of nothing that came before them, as a referral did."""
    taken = next((one for one in times if _TAKEN.search(words_of(one))), "")
    begun = taken or next((one for one in times if START.search(words_of(one))), "")
    own = next((one for one in times if words_of(one).split(" ")[0] in noun.split(" ")), "")
    plain = next((one for one in times if not _BEFORE.search(words_of(one))), "")
    return begun or own or plain or next(iter(times), "")


def _is_ever_told(table: Known, column: str, database: Database) -> bool:
    return bool(database.read(f"SELECT 1 FROM {table.source} WHERE {column} IS NOT NULL LIMIT 1"))


def parted(role: Role, table: Known, database: Database) -> dict[str, Role]:
    """The roles that the records of a table are in, by their names; none where it holds records of one kind alone."""
    return (
        _by_vocabulary(role, table, database) or _by_category(role, table, database) or _by_time(role, table, database)
    )


def _by_time(role: Role, table: Known, database: Database) -> dict[str, Role]:
    """The doses that were given, and those that were to be given and have no time at which they were."""
    planned = next((one for one in table.times if _BEFORE.search(words_of(one))), "")
    if DOSES not in (role_name(table), *role.nouns) or not role.time or not planned or role.time == planned:
        return {}
    untold = database.read(f"SELECT 1 FROM {table.source} WHERE {role.time} IS NULL LIMIT 1")
    if not untold:
        return {}
    role = replace(role, sayings={name: said for name, said in role.sayings.items() if not _STATED.search(name)})
    missed = replace(role, time=planned, end="", where=f"{role.time} IS NULL", nouns=nouns_of(_MISSED), verbs=())
    return {DOSES: replace(role, where=f"{role.time} IS NOT NULL"), _MISSED: missed}


def _by_category(role: Role, table: Known, database: Database) -> dict[str, Role]:
    """The roles by the categories of a table of findings: those of the laboratory, vital signs, and the rest."""
    column = role.fields.get("category", "")
    if role_name(table) not in _FINDINGS or column not in table.said or role.wide:
        return {}
    held = [str(one) for one in distinct_values(column, table.source, database.read, _MOST_NAMED)]
    kinds = {one: kind for one in held if (kind := kind_of_category(one))}
    if not kinds:
        return {}

    def among(values: Iterable[str]) -> str:
        return f"IN ({', '.join(map(as_text, sorted(values)))})"

    roles = {
        kind: replace(role, where=f"{column} {among(one for one in kinds if kinds[one] == kind)}", nouns=nouns_of(kind))
        for kind in dict.fromkeys(kinds.values())
    }
    rest = f"COALESCE({column}, '') NOT {among(kinds)}"
    some = database.read(f"SELECT 1 FROM {table.source} WHERE {rest} LIMIT 1")
    return roles | ({role_name(table): replace(role, where=rest)} if some else {})


def _by_vocabulary(role: Role, table: Known, database: Database) -> dict[str, Role]:
    """The roles by the vocabularies that the codes of a table of facts begin with ("ICD10:E11", "LOINC:2345-7"), by
    their names; none where codes name no vocabulary, or only one kind."""
    column = role.item
    if role.dictionary is None or not column:
        return {}
    prefix = f"upper(substr({column}, 1, instr({column}, ':') - 1))"
    some = f"SELECT DISTINCT {column} FROM {table.source}"
    found: dict[str, list[str]] = {}
    for (vocabulary,) in database.read(f"SELECT DISTINCT {prefix} FROM ({some}) WHERE {column} IS NOT NULL LIMIT 100"):
        if kind := kind_of_vocabulary(vocabulary):
            found.setdefault(kind, []).append(vocabulary)
    if not found:
        return {}
    told = {kind: f"{prefix} IN ({', '.join(map(as_text, sorted(names)))})" for kind, names in found.items()}
    used = replace(role.dictionary, used=True)
    roles = {kind: replace(role, where=where, dictionary=used, nouns=()) for kind, where in told.items()}
    every = ", ".join(as_text(name) for names in found.values() for name in sorted(names))
    rest = f"{prefix} NOT IN ({every})"
    if database.read(f"SELECT 1 FROM {table.source} WHERE {rest} LIMIT 1"):
        roles[role_name(table)] = replace(role, where=rest, dictionary=used)
    return {
        kind: replace(one, value="", spelled=()) if kind_of(kind).disease or kind == "procedure" else one
        for kind, one in roles.items()
    }


def _dictionary(table: Known, database: Database, views: dict[str, str]) -> tuple[Dictionary | None, str]:
    """What names the items of the records, and the column that holds its key: another table, or the titles that stand
    beside the code in each record."""
    for column, target in database.keyed_dictionaries.of(table):
        if holds_keys(table, column, target, database.read):
            return _entries(target, target.primary_key, table), column
    tied = (table.patient, table.primary_key)
    own = {one.lower(): one for one in (*table.keys, *table.texts, *table.numbers) if one not in tied}
    for target in database.dictionaries:
        shared = [one for one in (*target.keys, *target.texts, *target.numbers) if one.lower() in own]
        for column in (one for one in shared if one != _label(target)):
            held = own[column.lower()]
            if not holds_keys(table, held, target, database.read, column):
                continue
            if database.tells_apart(target, column):
                return _entries(target, column, table), held
            name = f"{target.name}_names"
            views[name] = f"SELECT {column}, MIN({_label(target)}) AS name FROM {target.source} GROUP BY {column}"
            return Dictionary(name, column, "name"), held
    titles, code = _titles(table, database, views)
    return (titles, code) if titles is not None else _catalogue(table, database)


def _catalogue(table: Known, database: Database) -> tuple[Dictionary | None, str]:
    """The catalogue of codes that names the items of records that hold its codes: by "DX", in a table of diagnoses, or
    by a column that is called as a code."""
    noun = singular(bare_noun(words_of(table.name)))
    called = {noun, f"{noun} code", "code"}
    held = [one for one in (*table.texts, *table.keys) if words_of(one) in called or field_of(one, noun) == "code"]
    for column in held:
        for target in database.dictionaries:
            for code in () if target.times else filter(None, (*target.texts, target.primary_key)):
                if code == _label(target) or not _CATALOGUED.search(words_of(code)):
                    continue
                if database.tells_apart(target, code) and holds_keys(table, column, target, database.read, code):
                    return _entries(target, code, table), column
    return None, ""


def _entries(target: Known, key: str, table: Known) -> Dictionary:
    """A table as what names the items of the records of another, with what else it tells of each."""
    classes = _CLASSES if kind_of(role_name(table)).dosed else ()
    label = _label(target)
    fields: dict[str, str] = {}
    for column in target.texts:
        if column not in (key, label) and (name := field_of(column) or words_of(column)):
            fields.setdefault("drug class" if name in classes else name, column)
    fields |= {name: column for column in reversed(target.numbers) if (name := field_of(column)) in _LIMITS}
    return Dictionary(target.name, key, label, fields=fields)


def _label(target: Known) -> str:
    shown = [one for one in target.texts if _SHOWN_NAME.search(one)]
    named = (one for one in (*shown, *target.texts) if _WHOLE.search(words_of(one)))
    return next(named, next(filter(is_named, target.texts), target.texts[0]))


def _titles(table: Known, database: Database, views: dict[str, str]) -> tuple[Dictionary | None, str]:
    told = {field_of(column): column for column in reversed((*table.texts, *table.keys, *table.numbers))}
    code, long, short = told.get("code"), told.get("long title"), told.get("short title")
    if not (code and long and short and all(database.follows(table, one, code) for one in (long, short))):
        return None, ""
    name = f"{table.name}_titles"
    titles = f"MIN({long}) AS long_title, MIN({short}) AS short_title"
    views[name] = f"SELECT {code} AS code, {titles} FROM {table.source} WHERE {code} IS NOT NULL GROUP BY {code}"
    return Dictionary(name, "code", "long_title", short="short_title"), code


def item_of(table: Known) -> str:
    """The text column that names what a record is of; "" where none does."""
    noun = singular(words_of(table.name)).split(" ")[-1]
    texts = [name for name in table.texts if field_of(name) not in ("gender", "code", "unit", "dose unit", "route")]
    texts = [name for name in texts if not STAFF.search(words_of(name))]  # who did it
    plain = [name for name in texts if not _NO_NAME.search(words_of(name))]
    whole = [name for name in plain if _WHOLE.search(words_of(name))]
    own = [name for name in plain if noun and noun in words_of(name)]
    own = sorted(
        own, key=lambda name: _AS_WRITTEN.sub("", words_of(name)) != noun or not _AS_WRITTEN.search(words_of(name))
    )
    named = [name for name in plain if is_named(name)]
    others = [name for name in texts if name in table.said and not (_STATE.search(name) or PLACES.search(name))]
    others = [name for name in others if field_of(name) not in ("fluid", "specialty")]
    others = sorted(others, key=lambda name: not _MANNER.search(words_of(name)))
    kinds = [name for name in texts if is_named(name)]
    coded = [name for name in table.texts if name.endswith(IN_WORDS) and field_of(name) == "code"]
    return next(iter([*coded, *whole, *own, *named, *others, *kinds]), "")


def _place(table: Known) -> str:
    """The text column that says where somebody was; "" where none does."""
    return next((name for name in table.texts if PLACES.search(words_of(name)) and "code" not in words_of(name)), "")


def _fluid(table: Known) -> str:
    """The text column that says of what a culture was taken; "" where none does."""
    fluid = next((name for name in table.texts if field_of(name) == "fluid"), "")
    return fluid or next((name for name in table.said if words_of(name) in ("type", "kind", "site", "source")), "")


def _value(table: Known, called: str, fields: dict[str, str], views: dict[str, str]) -> str:
    """The column of what was measured, or of how much was given; "" where records have none. Of texts that begin with
    numbers the view tells these, and the rest as the unit where no column does."""
    kind = kind_of(called)
    if kind.disease or called in ("procedure", "allergy", "admission", "care_plan", "immunization"):
        return ""
    numbers = [one for one in table.numbers if not _NO_VALUE.search(words_of(one))]
    numbers = sorted(numbers, key=lambda one: words_of(one) == "quantity")  # which is told beside what it costs
    dose = [one for one in numbers if kind.dosed and fields.get("dose") == one]
    whole = [one for one in numbers if _WHOLE_SUM.search(words_of(one))]
    if any(_VALUE.search(words_of(one)) for one in (*table.spelled, *table.amounts)):
        whole += [one for one in numbers if one not in table.spelled and _AS_NUMBER.search(words_of(one))]
    if found := next(iter([*dose, *whole, *(one for one in numbers if _VALUE.search(words_of(one)))]), ""):
        return found
    doses = [one for one in table.amounts if kind.dosed and fields.get("dose") == one]
    amounts = doses or [
        one for one in table.amounts if _VALUE.search(words_of(one)) and not _NO_VALUE.search(words_of(one))
    ]
    if not amounts:
        return numbers[0] if len(numbers) == 1 and not kind.dosed else ""
    column = amounts[0]
    bare = f"ltrim({column}, '<>=≤≥ ')"
    number, unit = f"{column}_number", f"{column}_unit"
    begins = f"CASE WHEN {bare} GLOB '[0-9]*' OR {bare} GLOB '[-+.][0-9]*' THEN"
    told = f"{begins} CAST({bare} AS REAL) END AS {number}"
    if not {"unit", "dose unit"} & {*fields}:
        told += (
            f", CASE WHEN {bare} GLOB '[0-9.+-]*' THEN NULLIF(trim(ltrim({bare}, '0123456789.+-')), '') END AS {unit}"
        )
        fields["dose unit" if kind.dosed else "unit"] = unit
    tell(table, views, told)
    for name in [name for name, held in fields.items() if held == column]:
        del fields[name]
    fields.setdefault("text", column)
    if kind.dosed:
        fields.setdefault("dose", number)
    return number


def _end_with_stay(table: Known, stays: Stays, key: str, end: str, views: dict[str, str]) -> str:
    """Let the view of times on wards tell that they ended with their stay at the latest, where nobody wrote it down."""
    told = f"COALESCE({table.name}.{end}, stays_ended.{stays.end}) AS {_ENDED}"
    tell(table, views, told, _with_stay(table, stays, key, "stays_ended"))
    return _ENDED


def _with_stay(table: Known, stays: Stays, key: str, alias: str) -> str:
    """The SQL that joins the stay of each record of a table under an alias."""
    source = f"({stays.table.sql})" if stays.table.sql else stays.table.name
    return f"LEFT JOIN {source} AS {alias} ON {alias}.{stays.key} = {table.name}.{key}"


def _without_placeholders(table: Known, value: str, database: Database, views: dict[str, str]) -> str:
    """The column of the values, in a view without the number that stands where a result is no number: nines alone."""
    if value not in table.numbers:
        return value
    some = f"SELECT {value} AS one FROM {table.source} LIMIT {_LOOKED_AT}"
    held = [one for (one,) in database.read(f"SELECT DISTINCT one FROM ({some}) WHERE one IN ({_NINES})")]
    if len(held) != 1:
        return value
    told = f"{value}{_TOLD}"
    tell(table, views, f"NULLIF({table.name}.{value}, {held[0]}) AS {told}")
    return told


def _time_of_stay(table: Known, stays: Stays, key: str, views: dict[str, str]) -> str:
    """Let the view of records without a time of their own tell when their stay began: they count from then on."""
    if table is stays.table or stays.start.lower() in {column.name.lower() for column in table.table.columns}:
        return ""
    tell(table, views, f"stays_began.{stays.start}", _with_stay(table, stays, key, "stays_began"))
    return stays.start
