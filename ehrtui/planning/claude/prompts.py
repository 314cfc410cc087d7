"""What the language model is told, in ehrtui's own words: the same for every question, so that it is cached."""

from __future__ import annotations

from ehrtui.planning.claude.approach import Approach, Strategy

_PLANS = """You plan queries over a database of electronic health records for clinicians. You never see the data: your \
plan runs on another machine, and its results stay there.

Answer a question with a plan: a short Python program over the tools below. Rules:
- Give exactly one block that begins with ```python and ends with ```. Nothing in it is in another language.
- The last step sets the variable `answer`: a table, a list, a number, a text, or True or False. It holds exactly what \
was asked for, nothing beside it.
- Prefer one SQLInterpreter step, or a few, over loops. SQL is of the dialect named below, and reads only.
"""
_QUERIES = """You write queries over a database of electronic health records for clinicians. You never see the data: \
your query runs on another machine, and its results stay there.

Answer a question with one SQL query, in exactly one block that begins with ```sql and ends with ```. It reads only, \
is of the dialect named below, and gives exactly the columns that were asked for.
"""
_CONFIDENCE = """- End the line of each step with a comment `# Confidence: X`, X from 0 (a guess) to 10 (certain).
"""
_RULES = """- Words like <PATIENT_1>, <DATE_1>, <NUMBER_1> or <TEXT_1> stand for values that you may not see. Write \
them as they are, also in SQL: '<DATE_1>' in quotes, <PATIENT_1> and <NUMBER_1> without. They are replaced before \
anything runs. Use only those that you were given, and never in a column's name.
- "today", "now" and "current" mean the database's own clock: write current_time in SQL, which is replaced by it.
- Earlier answers are A1, A2, and so on. In SQL, PREV_RESULTn stands for the rows of An (`IN (PREV_RESULT1)`, \
`FROM PREV_RESULT1`), and PREV_QUERYn for its query (`FROM (PREV_QUERY2) AS q`). Use them where a question builds on \
an earlier one; do not repeat the earlier query.
- Names of drugs, diagnoses, tests and other items are stored in one spelling each. Call search to find it, several \
calls at once where several names are to be found. Do not guess a spelling.
- If the database cannot answer the question, write only one line: UNANSWERABLE: and the reason.
- Do not claim an answer: you cannot know one.
- Above the block, write a line that begins with `Type:` and says what the answer is: number, text, yes/no, time or \
list.
"""
_KNOWLEDGE = """First write, in a line that begins with `Knowledge:`, which tables and columns the question needs and \
which columns join them.
"""
EXAMPLES_OF_LOGIC = (
    "count patients with NAME",
    "count patients of sex female aged 60 to 69 with NAME in last year",
    "last value of lab NAME for patient <PATIENT_1> during first hospital stay",
    "average value of lab NAME in this year",
    "top 3 prescription since 2 years ago",
    "names of prescription for patients with NAME within 2 days after (NAME)",
    "patients in A1 with NAME without NAME",
    "time of first NAME for patient <PATIENT_1> during current icu stay",
)
"""Query logic, in which NAME is a role with a stored name: `diagnosis "asthma"`."""
_LOGIC = f"""Then write, in a line that begins with `Logic:`, the question in query logic, a small language of which \
these are examples; NAME is a role of the database with a name in double quotes, such as diagnosis "asthma". It is \
checked against your plan. Leave the line out where you cannot say the question in it.
{chr(10).join(f"  {example}" for example in EXAMPLES_OF_LOGIC)}
"""
_STRATEGIES: dict[Strategy, str] = {
    "agent": "",
    "cot": "Think step by step before you write the plan, and write your thoughts down.\n",
    "react": "Begin with a line `Thought:` on what to do, then give the plan. You will be told what you may observe of "
    "its run; think again, and give the next plan.\n",
    "reflexion": "If a plan fails, you will be asked to reflect on it before you try again from the beginning.\n",
    "self-debugging": "If a plan fails, explain it to yourself line by line before you correct it.\n",
    "text-to-sql": "",
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
VALUES = "it failed over the values that it met; which, where and how may not be told."
REFLECTED = "\nYour reflections on earlier attempts, which failed:\n"

COMPLAINTS = {
    "none": "There is no plan in your answer. Give exactly one block of code, or one line that begins with "
    "UNANSWERABLE:",
    "several": "There is more than one block of code in your answer. Give exactly one block with the whole plan.",
    "language": "The plan must be one ```python block; SQL goes into SQLInterpreter.",
    "placeholder": "The plan names a placeholder that you were not given. Use only those of the question.",
    "long": "Your answer was cut off, since it was too long. Give a shorter plan.",
    "searches": "You have searched often enough. Give the plan now.",
}

SEARCH = {
    "name": "search",
    "description": "The stored names that are most like a text: of drugs, diagnoses, procedures, tests and other items "
    "whose names are a vocabulary. It never finds anything of a patient.",
    "input_schema": {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "What to look for, in words"}},
        "required": ["text"],
        "additionalProperties": False,
    },
}

JUDGE = """You judge whether a query over a database of electronic health records answers a clinician's question. You \
never see the data: of the answer you are told its shape alone. Call the tool level once, with one of:
0: it is certainly wrong, 1: it is probably wrong, 2: it may be right or wrong, 3: it is probably right, 4: it is \
certainly right.
"""

LEVEL = {
    "name": "level",
    "description": "How sure you are that the answer is right.",
    "input_schema": {
        "type": "object",
        "properties": {"level": {"type": "integer", "enum": [0, 1, 2, 3, 4]}},
        "required": ["level"],
        "additionalProperties": False,
    },
}


def task(approach: Approach) -> str:
    """What the model is to do, without the database."""
    if approach.strategy == "text-to-sql":
        return _QUERIES + _RULES
    parts = [_PLANS, _CONFIDENCE if approach.has("confidence") else "", _RULES]
    if approach.has("knowledge"):
        parts += [_KNOWLEDGE, _LOGIC]
    return "".join([*parts, _STRATEGIES[approach.strategy], "Then write the plan.\n"])


def repair(approach: Approach) -> str:
    """What the model is to do where a plan failed."""
    return _CAUSE if approach.has("duck") else _REPAIRS[approach.strategy]
