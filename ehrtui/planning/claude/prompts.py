"""What the language model is told, in ehrtui's own words: the same for every question, so that it is cached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from ehrtui.errors import LogicError
from ehrtui.logic.steps import EarlierTurn
from ehrtui.planning.claude.approach import Approach, Strategy
from ehrtui.schema.profile import Profile

_TASK = """You plan queries over a database of electronic health records for clinicians. You never see the data: your \
plan runs on another machine, and its results stay there.
"""
_QUERY = """Answer a question with one SQL query, in exactly one block that begins with ```sql and ends with ```. \
"""
_PLAN = """Where one query cannot do it, give a block that begins with ```python instead: a short program over the \
tools below, of which each step ends with a comment `# Confidence: X`, and the last sets `answer` (a table, a list, a \
number, a text, True or False). It may import statistics, math, datetime and re.
"""
_HEAD = """Write before the block, each on a line of its own:
- `Type:` what the answer is: number, text, yes/no, time or list
"""
_CONFIDENCE = """- `Confidence:` how sure you are of the query, from 0 (a guess) to 10 (certain)
"""
_LOGIC_LINE = """- `Logic:` the question in query logic, the language below, where it is easily said in it: it is run \
beside your query, and agreement makes the answer surer. Without a block it is an answer too.
"""
_LOGIC_ALONE = """Answer a question in query logic, the language below, with one line that begins with `Logic:` and \
nothing else. It is compiled and run for you.
"""
_RULES = """Rules:
- Give the columns that were asked for, in that order; of several patients, stays or groups also what identifies each. \
Do not round. Shares are percent, 0 to 100, unless a fraction is asked for. A yes/no question has 1 or 0.
- Count patients, stays or records as the question says, each once; "how many" gives one number, "which" gives rows.
- "the last", "the first", "the highest" is one record for each patient that is meant, unless several are asked for.
- A name of a disease is the family of its codes unless one title is quoted; a drug is all its products; an item with \
several identifiers is all of them that are in the unit meant. Search names that you were not given; do not guess a \
spelling. Where you have no tool to search with, answer with lines `Search: NAME` and nothing else.
- Words like <PATIENT_1>, <DATE_1>, <NUMBER_1> or <TEXT_1> stand for values that you may not see. Write them as they \
are: '<DATE_1>' and '<TEXT_1>' in quotes, the others without. Use only those that you were given, and never \
in a column's name.
- Times are texts, YYYY-MM-DD HH:MM:SS. "today", "now" and "current" mean the database's own clock: write current_time.
- Earlier answers are A1, A2, and so on: PREV_RESULTn is a table of the rows of An, with the columns that are told \
(`IN (SELECT c FROM PREV_RESULT1)`), PREV_QUERYn its query (`FROM (PREV_QUERY2) AS q`). A question that points at an \
earlier one ("of those", "and for …") builds on it; one that is complete in itself stands alone.
- If the database cannot answer the question, write only one line: UNANSWERABLE: and the reason. Do so also where what \
is asked for is not recorded, is in the future, or is advice. Where nothing is found, an empty answer is right.
- Do not claim an answer: you cannot know one.
"""
_DIALECTS = {
    "sqlite": """- SQL is SQLite's, with median(x), percentile(x, 90), stddev(x), stddev_pop(x), variance(x) (without \
OVER) and x REGEXP '^250'. There is no EXTRACT, INTERVAL or DATEDIFF: days are julianday(b) - julianday(a), an earlier \
time datetime(t, '-1 day'), parts strftime('%Y', t). LIKE ignores case, = does not. Integer division cuts: multiply by \
1.0.
""",
    "duckdb": "- SQL is DuckDB's: median, quantile_cont, stddev, date_diff and regexp_matches are there.\n",
}
EXAMPLES_OF_LOGIC = (
    (
        "kidney failure (584) without chronic disease (585)",
        'count of (patients with diagnosis code "584.*" without diagnosis code "585.*")',
    ),
    (
        "how many women over 65 had a stay",
        'count of (patients where gender = "F" with (hospital stays where age > 65))',
    ),
    ("the last NAME of one patient", 'value of (last LAB "NAME" for patient <PATIENT_1>)'),
    (
        "its mean in the first day in the unit",
        'mean value of (LAB "NAME" for patient <PATIENT_1> within 24 hours after icu admission time)',
    ),
    (
        "who had NAME above 10 within a day after a NAME",
        'patients with (LAB "NAME" where value > 10 within 1 day after (prescription "NAME"))',
    ),
    (
        "the three most common diagnoses by patients",
        "count patients of diagnoses by name ordered by count patients descending first 3",
    ),
    ("share of stays that ended in death", "percent (hospital death = 1) of hospital stays"),
    ("stays with 3 or more NAME", 'count of (hospital stays with at least 3 (LAB "NAME"))'),
    (
        "days from NAME to the next discharge",
        'for each hospital stay with (prescription "NAME"): id, '
        'days from (time of (first prescription "NAME")) to discharge time',
    ),
    ("which of those in A1 got NAME", 'patients in A1 with prescription "NAME"'),
    ("a register: n, mean age, women, men, stays, deaths", 'summary of (patients with diagnosis code "584.*")'),
    (
        "spread or histogram of the highest NAME of a cohort (a row for each: the screen draws it)",
        'for each patient with diagnosis code "584.*": id, maximum value of (LAB "NAME")',
    ),
    (
        "n/N and % with NAME by band of age, or by another field",
        'prevalence of (with prescription "NAME") in patients by bands 65, 80 of (age of first hospital stay)',
    ),
    (
        "with NAME vs not: n, mean age, mortality",
        "count, mean (age of first hospital stay), percent (with deaths) of each of "
        '(patients with prescription "NAME") as "with", (patients without prescription "NAME") as "without"',
    ),
    (
        "how many are left after each criterion",
        'attrition of (patients with diagnosis code "584.*") then with (LAB "NAME" where value > 2) then without death',
    ),
    ("who still needs a NAME", 'to do for (patients with diagnosis code "584.*") lacking (LAB "NAME")'),
)
"""Questions and their query logic; NAME is a stored name, LAB what a profile calls tests."""
_LOGIC = """Query logic. A set is a unit (patients, hospital stays, icu stays, or records by the names below, with a \
name \
in double quotes as it is stored, with "or" between several, `like "part*"`, or `code "584.*"`), behind it what \
restricts it: \
`with`/`without` records; `where FIELD = value` (also !=, >, <=, like, in (…), is abnormal, is missing); `for patient \
n`; \
`during hospital stay n` or `during` another set; `within 2 days after (SET)`, `before (SET)`, `on the same day as \
(SET)`; \
`in last year`, `since 2104-03-01`. Before it a pick: first, last, highest, first 3. Parentheses hold together what \
belongs \
together. A statement is a set; fields of a set; `count of`, `count patients of`, `sum|mean|median|sd|minimum|maximum \
MEASURE of`, `percent (CONDITION) of` a set, with `by FIELD, …` and `ordered by MEASURE descending first n`; or `for \
each \
SET: measure, measure`. A measure is a field, a number, `hours from TIME to TIME`, `FIELD of (SET)`, `count of (SET)`, \
`age at TIME`, with + - * /. The table of a cohort (its numbers, a spread, rates by group, what is left after each \
criterion, cohorts side by side, who lacks what) is best said in it alone, as in the examples: it has all that people \
expect of such a table. Examples:
"""
_STRATEGIES: dict[Strategy, str] = {
    "agent": "",
    "cot": "Think step by step before you write the plan, and write your thoughts down.\n",
    "react": "Begin with a line `Thought:` on what to do, then give the plan. You will be told what you may observe of "
    "its run; think again, and give the next plan.\n",
    "reflexion": "If a plan fails, you will be asked to reflect on it before you try again from the beginning.\n",
    "self-debugging": "If a plan fails, explain it to yourself line by line before you correct it.\n",
    "text-to-sql": "",
    "logic": "",
}
_CAUSE = """The plan failed when it ran. Say the one most probable cause in a line that begins with `Cause:`, then \
give the whole corrected plan.
"""
_REPAIRS: dict[Strategy, str] = {
    "agent": "The plan failed when it ran. Give the whole corrected plan.\n",
    "react": "Observation: the plan failed. Think, then give the whole next plan.\n",
    "self-debugging": "The plan failed when it ran. Explain it line by line, say which line does not do what it "
    "should, then give the whole corrected plan.\n",
}
REFLECT = """The plan failed when it ran. Reflect on it in two or three sentences: what went wrong, and what you will \
do otherwise. Give no plan yet.
"""
GATHER = """Before you plan: say in at most eight short lines what is to be known of this database for this question: \
which tables and columns hold what is asked, under which names or codes, and how they join. Search names here. Give no \
plan yet.
"""
PLAN_NOW = "Now answer the question, with what you have gathered."
VALUES = "it failed over the values that it met; which, where and how may not be told."
REFLECTED = "\nYour reflections on earlier attempts, which failed:\n"

COMPLAINTS = {
    "none": "There is no plan in your answer. Give exactly one block of code, or one line that begins with "
    "UNANSWERABLE:",
    "several": "There is more than one block of code in your answer. Give exactly one block with the whole plan.",
    "language": "The plan must be one ```sql or one ```python block.",
    "placeholder": "The plan names a placeholder that you were not given. Use only those of the question.",
    "long": "Your answer was cut off, since it was too long. Give a shorter plan.",
    "searches": "You have searched often enough. Give the plan now.",
    "logic": "The query logic cannot be compiled. Write the whole `Logic:` line anew, or a plan in its place if you \
were asked for plans. ",
    "names": "Your plan compares with names that are not stored as they are written. Give the whole plan with the "
    "stored ones, or as it is if that is meant.\n",
    "tools": "There are no tools here. Give the plan with what you were told.",
}

SEARCH = {
    "name": "search",
    "description": "Stored names that are most like a text, or codes that begin with it: of drugs, diagnoses, "
    "procedures, tests and whatever else has a vocabulary, with where each is stored. Never anything of a patient. "
    "Call it for several names at once.",
    "input_schema": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What to look for, in words, or the beginning of a code"}
        },
        "required": ["text"],
        "additionalProperties": False,
    },
}
DESCRIBE = {
    "name": "describe",
    "description": "The columns of tables.",
    "input_schema": {
        "type": "object",
        "properties": {"tables": {"type": "array", "items": {"type": "string"}}},
        "required": ["tables"],
        "additionalProperties": False,
    },
}

JUDGE = """Your plan ran. {shape} You cannot be told more of it. How sure are you that it is what the question asks \
for? \
Do not give another plan; answer with one line, `Level:` and one of 0 (certainly wrong), 1 (probably wrong), 2 (may be \
right or wrong), 3 (probably right), 4 (certainly right)."""


def task(approach: Approach, dialect: str, examples: Sequence[tuple[str, str]]) -> str:
    """What the model is to do, without the database; `examples` are questions with their query logic."""
    logic = _LOGIC + "".join(f"- {question}: {said}\n" for question, said in examples)
    if approach.strategy == "logic":
        return "".join([_TASK, _LOGIC_ALONE, _RULES, logic])
    agent = approach.strategy != "text-to-sql"
    parts = [_TASK, _QUERY, *([_PLAN] if agent else []), _HEAD]
    parts += [_CONFIDENCE] if approach.has("confidence") else []
    parts += [_LOGIC_LINE] if approach.has("logic") else []
    parts += [_RULES, _DIALECTS.get(dialect, ""), _STRATEGIES[approach.strategy]]
    return "".join([*parts, *([logic] if approach.has("logic") else [])])


def examples_of(profile: Profile) -> Iterator[tuple[str, str]]:
    """The examples that a profile can say."""
    from ehrtui.logic.written import written

    test = next((name for name in ("lab", "measurement") if name in profile.roles), "lab")
    for question, logic in EXAMPLES_OF_LOGIC:
        said = logic.replace("LAB", test)
        turns = {1: EarlierTurn(None, None, (profile.patient.id if profile.patient else "",))}
        with suppress(LogicError):
            written(said.replace("<PATIENT_1>", "1"), profile, now="2000-01-01 00:00:00", turns=turns)
            yield question, said


def worked_example(profile: Profile, *, logic: bool) -> str:
    """One question with its whole answer, in the names of a database; "" where it has no stays."""
    stay = profile.stays.get("hospital")
    if stay is None:
        return ""
    what, asked = "hospital stays", "were admitted at least <NUMBER_1> times"
    table, patient, counted = stay.table, stay.patient, f"DISTINCT {stay.id}"
    if table in profile.views:  # which is no table: the example is of records that are in one
        name, role = next(one for one in profile.roles.items() if one[1].patient and one[1].table not in profile.views)
        what = f"({name.replace('_', ' ')})"
        asked = f"have at least <NUMBER_1> records of the kind {name.replace('_', ' ')}"
        table, patient, counted = role.table, role.patient, "*"
    said = f"Logic: count of (patients with at least <NUMBER_1> {what})\n" if logic else ""
    return f"""A whole answer, to "how many patients {asked}?":
Type: number
Confidence: 9
{said}```sql
SELECT COUNT(*) FROM (SELECT {patient} FROM {table} GROUP BY {patient} HAVING COUNT({counted}) >= <NUMBER_1>)
```"""


def demonstrations(profile: Profile) -> str:
    """Questions with their plans in code, as EHRAgent shows them; "" where a database has no stays in a table."""
    stay = profile.stays.get("hospital")
    if stay is None or stay.table in profile.views:
        return ""
    return f"""Plans in code, of which yours may be one:
Question: how many times was patient <PATIENT_1> admitted?
```python
stays = FilterDB(LoadDB("{stay.table}"), "{stay.patient}=<PATIENT_1>")  # Confidence: 10
answer = len(stays)  # Confidence: 10
```
Question: how many patients were admitted in the last year?
```python
since = Calendar("-1 year")  # Confidence: 10
stays = FilterDB(LoadDB("{stay.table}"), "{stay.start}>=" + since)  # Confidence: 9
answer = len(set(GetValue(stays, "{stay.patient}")))  # Confidence: 9
```
Question: how many admissions does a patient have on average?
```python
stays = LoadDB("{stay.table}")  # Confidence: 10
patients = set(GetValue(stays, "{stay.patient}"))  # Confidence: 9
answer = Calculate(str(len(stays)) + " / " + str(len(patients)))  # Confidence: 9
```"""


def repair(approach: Approach) -> str:
    """What the model is to do where a plan failed."""
    return _CAUSE if approach.has("duck") else _REPAIRS[approach.strategy]
