"""Dates that are still text, in another form than the plan reads, or of the wrong clock."""

from __future__ import annotations

import ast
import re
from datetime import datetime

from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import edited, inserting, replacing, span
from ehrtui.plans.evidence import Case, calls
from ehrtui.plans.literals import literal_at
from ehrtui.plans.stored import is_stored

_DATE = re.compile(r"'\d{4}-\d{2}-\d{2}")
_DAY = re.compile(r"(?<![\d-])((?:19|20)\d{2})-(\d{2})-(\d{2})(?![\d-])")


def date_arithmetic_on_text(case: Case) -> Diagnosis | None:
    """Dates come out of the database as text; the plan subtracts, shifts or takes them apart."""
    if case.kind not in ("TypeError", "AttributeError") or "str" not in case.types:
        return None
    edits = []
    for node in case.nodes_here:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            operands: tuple[ast.expr, ...] = (node.left, node.right)
        elif isinstance(node, ast.Compare):
            operands = (node.left, *node.comparators)
        elif isinstance(node, ast.Attribute) and node.attr in (
            "year",
            "month",
            "day",
            "hour",
            "date",
            "days",
            "strftime",
        ):
            operands = (node.value,)
        else:
            continue
        edits += [
            (*span(case.plan, each), f"{_datetime(case)}.fromisoformat({case.source(each)})")
            for each in operands
            if _is_date_text(case, each)
        ]
    if not edits:
        return None
    return Diagnosis(
        "date arithmetic on text",
        "A date comes out of the database as text, which cannot be computed with as it is.",
        case.line,
        _with_datetime(case, edited(case.plan, dict.fromkeys(edits))),
        0.9,
        ("Calculate(f\"days('{end}', '{start}')\") gives the days between two.",),
    )


def other_date_format(case: Case) -> Diagnosis | None:
    """`strptime` with a format that is not the stored one."""
    if case.kind != "ValueError" or not re.search(
        r"does not match format|unconverted data|Invalid isoformat", case.message
    ):
        return None
    for node in case.nodes_here:
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="strptime"), args=[text, _]):
                new = f"{case.source(owner)}.fromisoformat({case.source(text)})"
                return Diagnosis(
                    "another date format",
                    "Moments are stored as YYYY-MM-DD HH:MM:SS; the plan reads another form.",
                    case.line,
                    replacing(case.plan, node, new),
                    0.9,
                    (new,),
                    quotes_rows=True,
                )
    return None


def missing_clock(case: Case) -> Diagnosis | None:
    """A way to ask for the wall clock that plans do not have."""
    if case.kind != "AttributeError" or case.types[-1:] not in (("utcnow",), ("utcfromtimestamp",)):
        return None
    repair = re.sub(r"\.utcnow\(\)", ".now()", case.plan)
    return Diagnosis(
        "wall clock",
        "The clock of a plan is the database now; it has no other time zone.",
        case.line,
        repair if repair != case.plan else None,
        0.9,
        ('Calendar("0 day")',),
    )


def days_of_a_number(case: Case) -> Diagnosis | None:
    """`.days` of what Calculate gave, which is a number of days already."""
    if case.kind != "AttributeError" or case.types[:1] not in (("float",), ("int",)) or case.types[-1] != "days":
        return None
    node = next((each for each in case.nodes_here if isinstance(each, ast.Attribute) and each.attr == "days"), None)
    return Diagnosis(
        "days of a number",
        "The difference is a number of days already.",
        case.line,
        replacing(case.plan, node, case.source(node.value)) if node else None,
        0.85,
    )


def wall_clock_date(case: Case) -> Diagnosis | None:
    """A date of the wall clock's years, where the database lives in others."""
    today, now = datetime.now(), datetime.fromisoformat(case.facts.now)
    if abs(today.year - now.year) <= 5:
        return None
    for node in case.nodes(ast.Constant):
        found = _DAY.search(node.value) if isinstance(node.value, str) else None
        if found is None or abs(int(found[1]) - today.year) > 2:
            continue
        start, end = span(case.plan, node)
        shifted = _DAY.sub(lambda day: f"{int(day[1]) - today.year + now.year}-{day[2]}-{day[3]}", case.plan[start:end])
        return Diagnosis(
            "wall-clock date",
            f"{found[0]} is a date of the wall clock; in this database it is {case.facts.now[:10]}.",
            node.lineno,
            edited(case.plan, [(start, end, shifted)]),
            0.6,
            (f'Count from the database now: Calendar("-1 year"), or {case.facts.now[:4]}.',),
            changes_value=True,
        )
    return None


def day_for_a_moment(case: Case) -> Diagnosis | None:
    """A condition asks for a day, where moments are stored, and finds nothing."""
    for node in case.nodes(ast.Call):
        if not calls(node, "FilterDB") or len(node.args) != 2:
            continue
        table, literal = case.table_of(node.args[0]), literal_at(case, node.args[1])
        for index, piece in enumerate(literal.pieces if literal else ()):
            found = re.fullmatch(r"\s*(\w+)\s*==?\s*['\"]?(\d{4}-\d{2}-\d{2})['\"]?\s*", piece)
            column = table.column(found[1]) if found and table else None
            if found is None or literal is None or table is None or column is None or not column.is_time:
                continue
            if is_stored(case.facts.engine, table, column.name, found[2]) is False:
                return Diagnosis(
                    "day where a moment is stored",
                    f"{column.name} holds moments; none of them is midnight of {found[2]}.",
                    node.lineno,
                    literal.with_piece(index, f"{found[1]} like {found[2]}%"),
                    0.85,
                    (f"{found[1]} like {found[2]}%",),
                )
    return None


def _is_date_text(case: Case, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        step = case.variable(node.id)
        return step is not None and step.type == "str" and _DATE.match(step.preview) is not None
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and _DATE.match(f"'{node.value}") is not None
    if calls(node, "Calendar"):
        return True
    if calls(node, "GetValue") and isinstance(node, ast.Call) and len(node.args) == 2:
        table, literal = case.table_of(node.args[0]), literal_at(case, node.args[1])
        column = table.column(literal.inner.partition(",")[0].strip()) if table and literal else None
        return column is not None and column.is_time
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        step = case.variable(node.value.id)
        return step is not None and step.type == "list" and _DATE.match(step.preview[1:]) is not None
    return False


def _imports_class(case: Case) -> bool:
    return any(
        statement.module == "datetime" and any(name.name == "datetime" for name in statement.names)
        for statement in case.nodes(ast.ImportFrom)
    )


def _datetime(case: Case) -> str:
    """How the plan calls the class."""
    return "datetime" if _imports_class(case) else "datetime.datetime"


def _with_datetime(case: Case, plan: str) -> str:
    imported = any(name.name == "datetime" for statement in case.nodes(ast.Import) for name in statement.names)
    return plan if imported or _imports_class(case) else inserting(plan, 1, "import datetime")
