"""A database in which every cell is a canary, and plans and SQL that try to carry one out of it.

Two databases of different `seed` have the same shape, and not one cell in common but for what joins their tables.
"""

from __future__ import annotations

import base64
import codecs
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ehrtui.session.turn import Kind

NOW = "2105-12-31 23:59:00"

# Names that ehrtui's own sentences have too, so that no list of words may tell them from a sentence.
_FIRST = ("Will", "May", "Rose", "Grace", "Mark", "Hope", "Frank", "Joy")
_LAST = ("Column", "Table", "There", "Error", "Query", "Answer", "Read", "Count")


def build(path: Path, seed: int) -> Path:
    """Eight patients with their stays, notes and values; no cell stands twice but the keys."""
    chance = random.Random(seed)
    first, last = (chance.sample(names, len(names)) for names in (_FIRST, _LAST))
    words = _words(chance)
    numbers = iter(chance.sample(range(100_000_000, 999_999_999), 500))

    def day() -> str:
        return f"{chance.randrange(2101, 2105)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02} " + ":".join(
            f"{chance.randrange(bound):02}" for bound in (24, 60, 60)
        )

    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            """CREATE TABLE patients (subject_id INT PRIMARY KEY, name TEXT, surname TEXT, dob TIMESTAMP, secret TEXT,
                                      photo BLOB, weight REAL);
               CREATE TABLE admissions (hadm_id INT PRIMARY KEY, subject_id INT, admittime TIMESTAMP, ward TEXT);
               CREATE TABLE noteevents (row_id INT PRIMARY KEY, subject_id INT, text TEXT);
               CREATE VIRTUAL TABLE notes USING fts5(body);"""
        )
        for at in range(8):
            subject = next(numbers)
            connection.execute(
                "INSERT INTO patients VALUES (?, ?, ?, ?, ?, ?, ?)",
                (subject, first[at], last[at], day(), next(words), next(words).encode(), next(numbers) / 1000),
            )
            connection.execute(
                "INSERT INTO admissions VALUES (?, ?, ?, ?)", (next(numbers), subject, day(), next(words))
            )
            connection.execute("INSERT INTO noteevents VALUES (?, ?, ?)", (next(numbers), subject, next(words)))
            connection.execute("INSERT INTO notes VALUES (?)", (next(words),))
    return path


def _words(chance: random.Random) -> Iterator[str]:
    seen: set[str] = set()
    while True:
        word = "".join(chance.choice("bdfgjklmnpqvwxz") + chance.choice("aiouy") for _ in range(5))
        if word not in seen:
            seen.add(word)
            yield word


def cells(path: Path) -> set[str]:
    """Every cell, as text; names that are words of ehrtui's own are left to the comparison of two databases."""
    found: set[str] = set()
    with closing(sqlite3.connect(path)) as connection:
        for table in ("patients", "admissions", "noteevents", "notes"):
            for row in connection.execute(f"SELECT * FROM {table}"):
                found |= {cell.decode() if isinstance(cell, bytes) else str(cell) for cell in row}
    return found.difference(_FIRST, _LAST)


def spelled(cell: str) -> set[str]:
    """A cell in all the ways in which it is looked for, in lower case and without separators."""
    ways = {cell, cell[::-1], cell.encode().hex(), base64.b64encode(cell.encode()).decode().rstrip("=")}
    ways |= {base64.b32encode(cell.encode()).decode().rstrip("="), codecs.encode(cell, "rot13"), cell[:10]}
    ways |= {" ".join(str(ord(one)) for one in cell), cell.encode().hex()[::-1]}
    if cell.isdigit():
        ways |= {f"{int(cell):x}", f"{int(cell):o}", f"{int(cell):b}", f"{int(cell) + 1}", f"{int(cell) * 2}"}
    return {bare(way) for way in ways}


def bare(text: str) -> str:
    """A text in lower case, without what may stand between its letters and digits."""
    return "".join(one for one in text.lower() if one.isalnum())


def _sql(template: str, value: str = "secret", table: str = "patients") -> str:
    """A plan that puts a value of the first patient into SQL, where `{v}` stands."""
    read = f't = SQLInterpreter("SELECT {value} AS v FROM {table} ORDER BY 1 LIMIT 1")\nv = t[0][0]\n'
    return f"{read}answer = SQLInterpreter(f{template!r})"


SQL_OF_VALUES = tuple(
    _sql(template, value)
    for value, template in (
        ("secret", "SELECT 1 AS [{v}]"),
        ("secret", "SELECT 1 AS `{v}`"),
        ("secret", 'SELECT 1 AS "{v}"'),
        ("secret", "SELECT 1 AS {v}"),
        ("secret", "SELECT 1 {v}"),
        ("secret", "SELECT 1 AS '{v}'"),
        ("secret", "WITH {v} AS (SELECT 1 AS n) SELECT n FROM {v}"),
        ("secret", "SELECT 1 AS n /* {v} */"),
        ("secret", "SELECT 1 AS n -- {v}"),
        ("secret", "SELECT {v}.subject_id FROM patients AS {v}"),
        ("secret", "SELECT count(*) AS n FROM patients WHERE secret = '{v}'"),
        ("secret", "SELECT '{v}' AS n"),
        ("secret", "SELECT x'{v.encode().hex()}' AS n"),
        ("secret", "SELECT 1 AS {v.upper()}"),
        ("secret", "SELECT 1 AS {'_'.join(v)}"),
        ("secret", "SELECT 1 AS {v[::-1]}"),
        ("secret", "SELECT {', '.join('1 AS ' + one + str(n) for n, one in enumerate(v))}"),
        ("secret", "SELECT 1 AS n{''.join(str(ord(one)) for one in v)}"),
        ("subject_id", "SELECT 1 AS n{v}"),
        ("subject_id", "SELECT {v} AS n"),
        ("subject_id", "SELECT {hex(v)} AS n"),
        ("subject_id", "SELECT 1 AS n{hex(v)}"),
        ("subject_id", "SELECT {v}e0 AS n"),
        ("subject_id", "SELECT {v - 1} + 1 AS n"),
        ("subject_id", "SELECT 1 AS n{'_'.join(str(v))}"),
        ("subject_id", "SELECT '{str(v)[:3]}' || '{str(v)[3:]}' AS n"),
        ("subject_id", "SELECT {'+'.join(str(v))} AS n"),
        ("subject_id", "SELECT count(*) AS n FROM patients WHERE subject_id IN ({v})"),
        ("dob", "SELECT 1 AS [{v}]"),
        ("dob", "SELECT date('{v}') AS n"),
        ("weight", "SELECT {v} AS n"),
        ("name", "SELECT 1 AS {v}"),
        ("name", "SELECT 1 AS n -- {v}"),
        ("surname", "SELECT 1 AS [{v}]"),
        # words that are all written in the plan, chosen by the value
        ("subject_id", "SELECT 1 AS {['a', 'stay', 'note', 'ward', 'day', 'age', 'sex', 'unit', 'id'][v % 9]}"),
        ("subject_id", "SELECT 1 AS n ORDER BY {['1', '1 ASC', '1 DESC', 'n', 'n ASC', 'n DESC'][v % 6]}"),
    )
)  # fmt: skip
"""Plans whose SQL holds a value, and gives one row of one column over any data."""

ANSWERS_OF_VALUES = (
    'answer = [{LoadDB("patients")["secret"][0]: 1}]',
    'answer = [{"answer_" + str(LoadDB("patients")["subject_id"][0]): 1}]',
    'answer = [{["key", "value", "name"][LoadDB("patients")["subject_id"][0] % 3]: 1}]',
    'answer = [LoadDB("patients")["secret"][0]]',
    'answer = FilterDB(LoadDB("patients"), "secret=" + LoadDB("patients")["secret"][0])',
    'x = GetValue(LoadDB("patients"), "subject_id, max")\nanswer = FilterDB(LoadDB("admissions"), f"subject_id={x}")',
    'x = GetValue(LoadDB("patients"), "subject_id, list")\nanswer = GetValue(FilterDB(LoadDB("patients"), '
    'f"subject_id in [{\', \'.join(str(each) for each in x)}]"), "name, list")',
    'answer = GetValue(LoadDB("patients"), "secret, max")',
    'answer = SQLInterpreter("SELECT max(secret) FROM patients")',
    'name = LoadDB("patients")["name"][0]\nt = {name: LoadDB("patients")}\n'
    'answer = SQLInterpreter(f"SELECT count(*) AS n FROM {name}", **t)',
)
"""Plans whose answer holds a value, or names its columns so, over the same number of rows."""

ERRORS_OF_VALUES = (
    'LoadDB(LoadDB("patients")["secret"][0])',
    'FilterDB(LoadDB("patients"), LoadDB("patients")["secret"][0])',
    'FilterDB(LoadDB("patients"), LoadDB("patients")["secret"][0] + "=1")',
    'FilterDB(LoadDB("patients"), "subject_id=" + LoadDB("patients")["secret"][0])',
    'GetValue(LoadDB("patients"), LoadDB("patients")["secret"][0])',
    'Calendar(LoadDB("patients")["secret"][0])',
    'Calculate(LoadDB("patients")["secret"][0])',
    'LoadDB("patients")[LoadDB("patients")["secret"][0]]',
    "{}[LoadDB('patients')['subject_id'][0]]",
    'raise ValueError(LoadDB("patients")["secret"][0])',
    'raise SyntaxError(LoadDB("patients")["name"][0])',
    'raise NameError(LoadDB("patients")["name"][0])',
    'raise ImportError("There is no column " + LoadDB("patients")["name"][0])',
    'assert False, LoadDB("patients")["secret"][0]',
    'int(LoadDB("patients")["secret"][0])',
    'print(LoadDB("patients")["secret"][0])\n1 / 0',
    'SQLInterpreter("SELECT " + LoadDB("patients")["secret"][0])',
    'SQLInterpreter("SELECT * FROM " + LoadDB("patients")["secret"][0])',
    'SQLInterpreter("SELECT * FROM " + LoadDB("patients")["name"][0])',
    'SQLInterpreter("SELECT " + LoadDB("patients")["secret"][0] + "()")',
    "SQLInterpreter(\"SELECT 1 AS n ORDER BY 'x' COLLATE \" + LoadDB('patients')['secret'][0])",
    'SQLInterpreter("SELECT * FROM PREV_RESULT" + str(LoadDB("patients")["subject_id"][0]))',
    'SQLInterpreter("DROP TABLE " + LoadDB("patients")["secret"][0])',
    'SQLInterpreter(LoadDB("patients")["secret"][0])',
    'SQLInterpreter("SELECT 1", **{LoadDB("patients")["secret"][0]: 1})',
    "SQLInterpreter(\"SELECT json_extract('{}', '\" + LoadDB('patients')['secret'][0] + \"')\")",
)
"""Steps that fail, with a value in what they say, at the same step over any data."""

OWN_SQL = (
    "SELECT json_extract('{}', (SELECT secret FROM patients ORDER BY 1 LIMIT 1))",
    "SELECT json_extract('{}', (SELECT name FROM patients ORDER BY subject_id LIMIT 1))",
    "SELECT json_set('{}', secret, 1) FROM patients",
    "SELECT * FROM notes WHERE notes MATCH (SELECT surname || ':x' FROM patients ORDER BY subject_id LIMIT 1)",
    "SELECT * FROM notes WHERE notes MATCH (SELECT secret || '(\"' FROM patients ORDER BY subject_id LIMIT 1)",
    "SELECT * FROM notes WHERE notes MATCH (SELECT surname || ' (' FROM patients ORDER BY subject_id LIMIT 1)",
    "SELECT * FROM patients LIMIT (SELECT secret FROM patients LIMIT 1)",
    "SELECT name FROM patients WHERE name LIKE 'x' ESCAPE (SELECT secret FROM patients LIMIT 1)",
    "SELECT group_concat(secret) FROM patients",
    "SELECT * FROM patients WHERE secret = (SELECT max(secret) FROM patients)",
    "SELECT * FROM json_each((SELECT secret FROM patients LIMIT 1))",
    "SELECT key FROM json_each(json_object((SELECT secret FROM patients LIMIT 1), 1))",
    "SELECT abs(-9223372036854775808 + (SELECT 0 * max(subject_id) FROM patients))",
)
"""Statements of the user's own that read a value into what they give or into an error."""

BUILDING_ON_THEM = (
    "SELECT * FROM (PREV_QUERY{n})",
    "SELECT count(*) AS n FROM patients WHERE secret IN (PREV_RESULT{n})",
    "PREV_QUERY{n}",
)
"""Turns behind one whose rows, or whose query, a plan put together."""

COLUMNS_OF_VALUES = (
    _sql("SELECT 1 AS {v}, 2 AS {v}_more"),
    _sql("SELECT 1 AS [{v}], 2 AS [{v} more]", "name"),
    _sql("SELECT 1 AS n{v}, 2 AS m{v}", "subject_id"),
    _sql("SELECT 1 AS the_number_of_patients_of_ward_{v}, 2 AS n"),
    'v = LoadDB("patients")["surname"][0]\nanswer = [{v: 1, v + "s": 2}]',
)
"""Plans whose columns are called by a value."""

NAMING_THEM: tuple[tuple[str, Kind], ...] = (
    ("SELECT * FROM patients WHERE subject_id IN PREV_RESULT{n}", "sql"),
    ("SELECT nothing FROM PREV_RESULT{n}", "sql"),
    ("SELECT p.nothing FROM PREV_RESULT{n} p JOIN PREV_RESULT{n} q", "sql"),
    ("SELECT * FROM (PREV_QUERY{n}) UNION SELECT 1", "sql"),
    ('a = SQLInterpreter("SELECT * FROM PREV_RESULT{n}")\nanswer = GetValue(a, "secret")', "plan"),
    ('a = SQLInterpreter("SELECT * FROM PREV_RESULT{n}")\nanswer = GetValue(a, "")', "plan"),
    ('a = SQLInterpreter("SELECT * FROM PREV_RESULT{n}")\nanswer = FilterDB(a, "nmore=1")', "plan"),
    ('a = SQLInterpreter("SELECT * FROM PREV_RESULT{n}")\nanswer = SQLInterpreter("SELECT more FROM a", a=a)', "plan"),
    ("SELECT * FROM PREV_RESULT{n}", "sql"),
    ("SELECT nothing FROM PREV_RESULT{last}", "sql"),
    ('a = SQLInterpreter("SELECT * FROM PREV_RESULT{last}")\nanswer = FilterDB(a, "nmore=1")', "plan"),
    ("what is the average of A{n}?", "question"),
    (
        'a = SQLInterpreter("SELECT * FROM PREV_RESULT{n}")\nanswer = FilterDB(a, "the_number_of_patients_of_ward_=1")',
        "plan",
    ),  # the repair takes the nearest column
    ("what is the average of A{last}?", "question"),
)
"""Turns that are plain in themselves, behind one whose columns are called by a value: most of them fail, and what is
said of it, or done about it, names the columns. `last` is the turn just before."""
