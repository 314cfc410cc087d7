"""A value of a plan's Python is not what an operation needs: missing, a list, a text, a table, or nothing at all."""

from __future__ import annotations

import ast
import re

from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import edited, replacing, span
from ehrtui.plans.evidence import Case, calls
from ehrtui.plans.literals import literal_at
from ehrtui.plans.reports import Step

_NOTHING = ("IndexError", "StopIteration", "ValueError", "ZeroDivisionError", "KeyError", "TypeError", "ToolError")
_ONE_VALUE = ("int", "float", "str", "NoneType", "bool")


def one_value_for_many(case: Case) -> Diagnosis | None:
    """GetValue found one row, so it gave the value itself; the plan goes on as with a list."""
    iterated = re.search(r"object is not (iterable|subscriptable)|has no len\(\)|no attribute 'append'", case.message)
    if case.kind not in ("TypeError", "AttributeError") or iterated is None or not set(case.types) & set(_ONE_VALUE):
        return None
    for node in case.nodes_here:
        definition = case.definition(node) if isinstance(node, ast.Name) else None
        if definition is None or not calls(definition, "GetValue") or case.type_of(node) not in _ONE_VALUE:
            continue
        assert isinstance(definition, ast.Call)
        literal = literal_at(case, definition.args[1]) if len(definition.args) == 2 else None
        if literal is None or "," in literal.inner:
            continue
        return Diagnosis(
            "one value where several are expected",
            f"GetValue found one row, so {case.source(node)} is its value and not a list.",
            case.line,
            literal.written(f"{literal.inner}, list"),
            0.9,
            ('Write GetValue(table, "COL, list") for a list in any case.',),
        )
    return None


def many_values_for_one(case: Case) -> Diagnosis | None:
    """GetValue found several rows, so it gave a list; the plan goes on as with one value."""
    if case.kind not in ("TypeError", "AttributeError", "ToolError") or not (
        "list" in case.types or "one number" in case.why
    ):
        return None
    for node in case.nodes_here:
        if not isinstance(node, ast.Name | ast.Call):
            continue
        definition = case.definition(node)
        step = case.variable(node.id) if isinstance(node, ast.Name) else None
        if definition is None or not calls(definition, "GetValue") or (step and step.type != "list"):
            continue
        repair, confidence = _the_one(case, node, step)
        return Diagnosis(
            "many values where one is expected",
            f"GetValue found {step.rows if step else 'several'} rows, so it gave a list, where one value is needed.",
            case.line,
            repair,
            confidence,
            ("Filter down to one row (max(charttime)), aggregate, or take one of the list.",),
        )
    return None


def _the_one(case: Case, node: ast.expr, step: Step | None) -> tuple[str | None, float]:
    """The plan with the list's first value; sure only where all of its values are the same."""
    if not isinstance(node, ast.Name) or step is None:
        return None, 0.6
    shown = re.findall(r"'[^']*'|[^\[\], ]+", step.preview.replace("…", ""))
    same = len(set(shown)) == 1 and (step.rows or 0) <= len(shown)
    return replacing(case.plan, node, f"{node.id}[0]"), 0.8 if same else 0.4


def number_as_text(case: Case) -> Diagnosis | None:
    """Numbers that are stored as text, in arithmetic."""
    if case.kind != "TypeError" or "str" not in case.types or not set(case.types) & {"int", "float", "str"}:
        return None
    if {"date", "datetime", "timedelta", "list", "NoneType"} & set(case.types):
        return None
    edits = []
    for node in case.nodes_here:
        if calls(node, "sum") and isinstance(node, ast.Call) and _numeric(case, node.args[0], many=True):
            edits = [(*span(case.plan, node.args[0]), f"float(each) for each in {case.source(node.args[0])}")]
            break
        operands = (
            (node.left, node.right)
            if isinstance(node, ast.BinOp)
            else (node.left, *node.comparators)
            if isinstance(node, ast.Compare)
            else ()
        )
        edits += [(*span(case.plan, each), f"float({case.source(each)})") for each in operands if _numeric(case, each)]
    if isinstance(case.statement, ast.AugAssign) and _numeric(case, case.statement.value):
        value = case.statement.value
        edits = [(*span(case.plan, value), f"float({case.source(value)})")]
    if not edits:
        return None
    return Diagnosis(
        "number stored as text",
        "The column holds numbers as text; they must become numbers before they are computed with.",
        case.line,
        edited(case.plan, dict.fromkeys(edits)),
        0.85,
        ("Write float(…), or aggregate with GetValue.",),
    )


def _numeric(case: Case, node: ast.expr, *, many: bool = False) -> bool:
    """Whether an expression gives numbers as text: a variable that shows them, or a value of such a column."""
    if isinstance(node, ast.Name) and (step := case.variable(node.id)):
        first = re.match(r"\['([^']*)'" if many else r"'([^']*)'", step.preview)
        return bool(first) and re.fullmatch(r"\s*-?\d+(\.\d+)?\s*", first[1] if first else "") is not None
    if isinstance(node, ast.Name):  # a variable of a loop over such a list
        loops: list[ast.For | ast.comprehension] = [*case.nodes(ast.For), *case.nodes(ast.comprehension)]
        return any(
            isinstance(loop.target, ast.Name) and loop.target.id == node.id and _numeric(case, loop.iter, many=True)
            for loop in loops
        )
    if calls(node, "GetValue") and isinstance(node, ast.Call) and len(node.args) == 2:
        table, literal = case.table_of(node.args[0]), literal_at(case, node.args[1])
        column = table.column(literal.inner.partition(",")[0].strip()) if table and literal else None
        return column is not None and not column.is_number and not column.is_time
    return False


def text_joined_to_other(case: Case) -> Diagnosis | None:
    """`"hadm_id=" + hadm_id`, where the second is no text."""
    if case.kind != "TypeError" or "an only concatenate str" not in case.message:
        return None
    for node in case.nodes_here:
        match node:
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Add(), right=right) if case.type_of(right) != "str":
                literal = literal_at(case, node.left)
                if literal is None:
                    continue
                kind = case.type_of(right)
                inner = literal.inner.replace("{", "{{").replace("}", "}}")
                if kind == "list":
                    inner = re.sub(r"\s*==?\s*$", " in ", inner)
                new = f"f{literal.quote}{inner}{{{case.source(right)}}}{literal.quote}"
                return Diagnosis(
                    "a list passed as text" if kind == "list" else "a number joined to a text",
                    f"{case.source(right)} is no text; an f-string puts its value in.",
                    case.line,
                    replacing(case.plan, node, new) if literal.quote[0] not in case.source(right) else None,
                    0.9,
                    (new,),
                )
    return None


def missing_value(case: Case) -> Diagnosis | None:
    """A value is missing (NULL) where the plan needs one."""
    given = str(case.call.args[0]) if case.call and case.call.tool == "Calculate" and case.call.args else ""
    missing = "NoneType" in case.types or re.search(r"\bNone\b", given) is not None
    parsed = re.search(r"argument must be str", case.message) is not None
    if case.kind not in ("TypeError", "AttributeError", "ToolError") or not (missing or parsed):
        return None
    for node in case.nodes_here:
        if not isinstance(node, ast.Name | ast.Call):
            continue
        definition = case.definition(node)
        step = case.variable(node.id) if isinstance(node, ast.Name) else None
        if (
            definition is None
            or not calls(definition, "GetValue")
            or (step and step.type != "list" and "None" not in step.preview)
        ):
            continue
        assert isinstance(definition, ast.Call)
        diagnosis = _missing(case, definition, step)
        if diagnosis:
            return diagnosis
    return None


def _missing(case: Case, call: ast.Call, step: Step | None) -> Diagnosis | None:
    literal = literal_at(case, call.args[1]) if len(call.args) == 2 else None
    if literal is None:
        return None
    column, _, how = literal.inner.partition(",")
    if how.strip() in ("mean", "max", "min", "sum"):
        return Diagnosis(
            "empty mean",
            f"There are no values of {column} to take the {how.strip()} of, so it is missing.",
            case.line,
            None,
            0.8,
            ("Widen the filter, or say what the answer is when there is nothing.",),
        )
    table = case.table_of(call.args[0])
    found = table.column(column.strip()) if table else None
    is_time = found is not None and found.is_time
    several = step is not None and step.type == "list"
    source = case.source(call.args[0])
    return Diagnosis(
        "NULL in a date" if is_time else "missing value",
        f"{column.strip()} is missing in {'some of the rows' if several else 'this row'}"
        + ("; a stay without an end is a current one." if is_time else "."),
        case.line,
        replacing(case.plan, call.args[0], f'FilterDB({source}, "{column.strip()} is not null")') if several else None,
        0.85,
        (f"{column.strip()} is not null",),
    )


def empty_mean(case: Case) -> Diagnosis | None:
    """A division by the number of rows, where there are none."""
    if case.kind != "ZeroDivisionError" and not (case.kind == "ToolError" and "ivides by zero" in str(case.error)):
        return None
    for node in case.nodes_here:
        match node:
            case ast.BinOp(op=ast.Div() | ast.FloorDiv(), right=divisor):
                counted = divisor.args[0] if calls(divisor, "len") and isinstance(divisor, ast.Call) else divisor
                if not isinstance(counted, ast.Name):
                    continue
                step = case.variable(counted.id)
                if step is None or not (step.rows == 0 or step.preview in ("0", "0.0")):
                    continue
                new = f"({case.source(node)} if {case.source(divisor)} else None)"
                return Diagnosis(
                    "empty mean",
                    f"{counted.id} of line {step.line} is empty, so that there is nothing to divide by.",
                    case.line,
                    replacing(case.plan, node, new),
                    0.6,
                    ("The mean of nothing is missing, not zero.",),
                )
    return None


def empty_list(case: Case) -> Diagnosis | None:
    """An earlier step found no rows, and a later one needs some."""
    if case.kind not in _NOTHING or case.absent or case.suggestions:
        return None
    empty = [step for step in case.steps if step.rows == 0 and not step.error]
    if not empty:
        return None
    first = empty[0]
    return Diagnosis(
        "empty list carried on",
        f"The step in line {first.line} found no rows, and a later step needs some: {first.code.splitlines()[0][:120]}",
        case.line,
        None,
        0.75,
        ("Widen the condition that leaves no rows.",),
    )
