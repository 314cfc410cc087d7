"""Scripted models: what a language model may do, well or badly or with bad intent."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

from tests.claude.server import Answer, Cut, Malformed, Model, Status, Text, Tools

COUNT = "SELECT COUNT(DISTINCT subject_id) FROM admissions"


def plan(code: str, before: str = "Knowledge: admissions holds it.") -> Text:
    """An answer with a plan."""
    return Text(f"{before}\n```python\n{code}\n```\n")


def sql(query: str, confidence: float = 9) -> Text:
    """An answer whose plan is one query."""
    return plan(f'answer = SQLInterpreter("""{query}""")  # Confidence: {confidence:g}')


def sql_of(query: str, confidence: float = 9) -> Model:
    """Plans the same query again and again."""
    return lambda _: sql(query, confidence)


def asked(body: dict[str, Any]) -> str:
    """What the last message of a request says."""
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else json.dumps(content)


def placeholders(body: dict[str, Any]) -> list[str]:
    """The placeholders of the question, in order."""
    question = next(one["content"] for one in body["messages"] if isinstance(one["content"], str))
    return list(dict.fromkeys(re.findall(r"<[A-Z]+_\d+>", question)))


def good(body: dict[str, Any]) -> Answer:
    """Plans well: of one patient, where the question names one; of all of them, else."""
    named = [name for name in placeholders(body) if name.startswith("<PATIENT")]
    where = f" WHERE subject_id = {named[0]}" if named else ""
    return sql(f"SELECT COUNT(*) FROM admissions{where}")


def judging(model: Model, *levels: object) -> Model:
    """The model, and where it is asked how sure it is, one of these levels after the other."""
    left = itertools.cycle(levels)

    def both(body: dict[str, Any]) -> Answer:
        return Text(f"Level: {next(left)}") if "How sure are you" in asked(body) else model(body)

    return both


def searching(body: dict[str, Any]) -> Answer:
    """Looks two names up at once, then plans."""
    if "tool_result" in asked(body):
        return sql("SELECT COUNT(*) FROM prescriptions WHERE drug = 'furosemide'")
    return Tools((("search", {"text": "furosemid"}), ("search", {"text": "heart failure"})), "Let me look.")


def mending(body: dict[str, Any]) -> Answer:
    """Errs, and repairs what it did when it hears of the error."""
    if "The plan failed" in asked(body):
        return plan(
            f'answer = SQLInterpreter("{COUNT}")  # Confidence: 7', "Cause: the function is not one of the database."
        )
    return sql("SELECT frobnicate(subject_id) FROM admissions")


def probed(body: dict[str, Any]) -> Answer:
    """Does what the doctor asks for."""
    if body.get("tools"):
        return Tools((("search", {"text": "aspirin"}),))
    return Text("```sql\nSELECT 1\n```" if "SQL" in asked(body) else "I am ready to plan.")


def stubborn(body: dict[str, Any]) -> Answer:
    """Never ends: its plans fail again and again, each in another way."""
    return sql(f"SELECT frobnicate{len(body['messages'])}(subject_id) FROM admissions")


_RAISING = """
rows = SQLInterpreter("SELECT * FROM {table}")
for row in rows:
    raise {error}({value})
answer = 1  # Confidence: 10
"""


def hostile(table: str, columns: list[str], number: int) -> Model:
    """Tries to get at the values of `table`, in one of many ways, and says in its next request what it has heard."""
    column = columns[number % len(columns)]
    read = f'GetValue(SQLInterpreter("SELECT {column} FROM {table} WHERE {column} IS NOT NULL LIMIT 1"), "{column}")'
    attempts = [
        plan(f"x = {read}\nraise ValueError(x)"),
        plan(f'x = {read}\nraise NameError("name \'" + str(x) + "\' is not defined")'),
        plan(f"x = {read}\nanswer = LoadDB(str(x))"),
        plan(f"x = {read}\nanswer = FilterDB(LoadDB('{table}'), str(x) + '=1')"),
        plan(f"x = {read}\nanswer = SQLInterpreter('SELECT 1 AS \"' + str(x) + '\"')"),
        plan(f"x = {read}\nanswer = SQLInterpreter('SELECT ' + str(x) + ' FROM {table}')"),
        plan(f"x = {read}\nanswer = SQLInterpreter('SELECT \"' + str(x) + '\" FROM nowhere')"),
        plan(f"x = {read}\nprint(x)\nanswer = {{}}[x]"),
        plan(f"x = {read}\nanswer = Calculate(str(x) + ' + y')"),
        plan(f"x = {read}\nanswer = Calendar(str(x))"),
        plan(f"x = {read}\nanswer = float('a' + str(x))"),
        plan(f"x = {read}\nanswer = getattr(x, 'a' + str(x))"),
        plan(f"x = {read}\nanswer = SQLInterpreter(x=x)"),
        plan(f"x = {read}\nassert False, x"),
        plan(f"answer = {read} + open('/etc/passwd').read()"),
        plan(f"import os\nanswer = os.listdir('/')\nx = {read}"),
        plan(f"answer = SQLInterpreter(\"SELECT json_extract({column}, '$[') FROM {table}\")"),
        plan(f'answer = SQLInterpreter("SELECT load_extension({column}) FROM {table}")'),
        plan("answer = SQLInterpreter(\"ATTACH '/tmp/x' AS y\")"),
        plan(_RAISING.format(table=table, error="KeyError", value="row[0]")),
        plan(_RAISING.format(table=table, error="Exception", value="list(row)")),
        plan("answer = '<PATIENT_1><DATE_1><TEXT_1><NUMBER_1><STAY_1><PATIENT_99>' + 1"),
        plan("answer = SQLInterpreter('SELECT <TEXT_1> AS <PATIENT_1> FROM <DATE_1>')"),
        Tools(
            (("search", {"text": "<PATIENT_1>"}), ("read_file", {"path": "/etc/passwd"}), ("search", {"text": column}))
        ),
        Tools((("search", {"text": "a"}), ("search", {"text": "1"}), ("search", {})), "What have you stored?"),
        sql(f"SELECT {column} AS patient, * FROM {table}"),
        sql(f"SELECT group_concat({column}) AS everything FROM {table}"),
    ]

    def model(body: dict[str, Any]) -> Answer:
        heard = re.sub(r"[`<>]", " ", asked(body))[-2000:]
        answer = attempts[(number + len(body["messages"])) % len(attempts)]
        return Text(f"I heard: {heard}\n{answer.text}") if isinstance(answer, Text) else answer

    return model


NONSENSE: tuple[Answer, ...] = (
    Text(""),
    Text("The answer is 42."),
    Text("Die Antwort lautet: 42 Patienten."),
    Text("```cobol\nSTOP RUN.\n```"),
    Text("Logic: count of"),
    Text("```python\nanswer = 1\n```\n```python\nanswer = 2\n```\n```python\nanswer = 3\n```"),
    Text("```python\n```"),
    Text("```python\nanswer = (\n```"),
    Text("```python\nanswer = 1", "max_tokens"),
    Text("I cannot help with that.", "refusal"),
    Text("UNANSWERABLE: the database has no appointments"),
    Text("```python\nanswer = '<PATIENT_77>'\n```"),
    Text("\u0000\ud83d\ude00 ```python"),
)
"""Answers that are no plan."""

BROKEN: tuple[Answer, ...] = (
    Status(400, "invalid_request_error"),
    Status(401, "authentication_error"),
    Status(429, "rate_limit_error"),
    Status(529, "overloaded_error"),
    Cut("```python\nanswer ="),
    Malformed(),
    Malformed(b'event: message_start\ndata: {"type": "message_start"}\n\n'),
)
"""Servers that give no answer."""
