"""Tables, rows and lists used as another library's data frames."""

from __future__ import annotations

import ast
import re

from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import edited, replacing, span
from ehrtui.plans.evidence import Case

_OF_TABLE = {"empty": "(len({0}) == 0)", "values": "list({0})", "size": "len({0})", "head": "{0}[:5]"}
_OF_LIST = {
    "mean": 'Calculate(f"mean({{{0}}})")', "median": 'Calculate(f"median({{{0}}})")',
    "sum": "sum({0})", "max": "max({0})", "min": "min({0})", "count": "len({0})",
    "nunique": "len(set({0}))", "unique": "list(dict.fromkeys({0}))", "tolist": "{0}", "split": "{0}",
}  # fmt: skip
_AGGREGATES = ("mean", "sum", "max", "min", "count")
_OPERATORS = {ast.Eq: "=", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def table_as_frame(case: Case) -> Diagnosis | None:
    """`table.column`, `table.column.mean()`, `table.empty`: a table has GetValue and len for these."""
    if case.kind != "AttributeError" or case.types[:1] != ("Table",):
        return None
    for node in case.nodes_here:
        if not isinstance(node, ast.Attribute) or node.attr != case.types[-1]:
            continue
        inner = case.source(node.value)
        spelt = _OF_TABLE.get(node.attr, "").format(inner)
        table = case.table_of(node.value)
        whole: ast.AST = node
        if spelt and (call := _call_of(case, node)):
            whole = call
        elif not spelt and (table is None or table.column(node.attr)):
            method = next(
                (each for each in case.nodes_here if isinstance(each, ast.Attribute) and each.value is node), None
            )
            call = _call_of(case, method) if method and method.attr in _AGGREGATES else None
            spelt = f'GetValue({inner}, "{node.attr}{f", {method.attr}" if call and method else ""}")'
            whole = call or node
        return Diagnosis(
            "table used as a data frame",
            f"A table has no attribute {node.attr}; GetValue gives the values of a column.",
            case.line,
            replacing(case.plan, whole, spelt) if spelt else None,
            0.8,
            (spelt,) if spelt else ("Filter with FilterDB; take values with GetValue.",),
        )
    return None


def compared_table(case: Case) -> Diagnosis | None:
    """`table[table["column"] == value]`: the rows that meet a condition are FilterDB's."""
    if case.kind != "TypeError" or "filtered with FilterDB" not in case.message:
        return None
    for node in case.nodes_here:
        match node:
            case ast.Subscript(
                value=table,
                slice=ast.Compare(
                    left=ast.Subscript(slice=ast.Constant(value=str() as column)) | ast.Attribute(attr=column),
                    ops=[op],
                    comparators=[value],
                ),
            ) if type(op) in _OPERATORS:
                fixed = isinstance(value, ast.Constant)
                spelt = str(value.value) if isinstance(value, ast.Constant) else f"{{{case.source(value)}}}"
                new = f'FilterDB({case.source(table)}, {"" if fixed else "f"}"{column}{_OPERATORS[type(op)]}{spelt}")'
                return Diagnosis(
                    "table used as a data frame",
                    "A table is not filtered by a comparison in brackets; FilterDB filters it.",
                    case.line,
                    replacing(case.plan, node, new) if '"' not in spelt else None,
                    0.85,
                    (new,),
                )
    return None


def method_of_a_frame(case: Case) -> Diagnosis | None:
    """`values.mean()`, `values.nunique()`, `values.split(", ")`: GetValue gave a list, or one value."""
    if case.kind != "AttributeError" or case.types[:1] not in (("list",), ("int",), ("float",), ("str",)):
        return None
    name = case.types[-1]
    for node in case.nodes_here:
        if not isinstance(node, ast.Attribute) or node.attr != name or name not in _OF_LIST:
            continue
        call = _call_of(case, node)
        inner = case.source(node.value)
        spelt = _OF_LIST[name].format(inner) if case.types[0] == "list" else inner
        if call is None or ('"' in inner and '"' in spelt.replace(inner, "")):
            return None
        return Diagnosis(
            "table used as a data frame",
            f"GetValue gives a {'list' if case.types[0] == 'list' else 'value'}, which has no {name}.",
            case.line,
            replacing(case.plan, call, spelt),
            0.8,
            (spelt,),
        )
    return None


def table_as_value(case: Case) -> Diagnosis | None:
    """Arithmetic with a table."""
    if case.kind != "TypeError" or "Table" not in case.types:
        return None
    return Diagnosis(
        "table used as a value",
        "The plan computes with a whole table, where a value of it is needed.",
        case.line,
        None,
        0.7,
        ('Take a value out: GetValue(table, "COL").',),
    )


def row_by_column_name(case: Case) -> Diagnosis | None:
    """`row["drug"]` or `row.drug` in a loop over a table: rows are tuples."""
    by_name = case.kind == "TypeError" and re.search(r"indices must be integers", case.message)
    if not by_name and not (case.kind == "AttributeError" and case.types[:1] == ("tuple",)):
        return None
    loops: list[tuple[ast.AST, ast.For | ast.comprehension]] = [(loop, loop) for loop in case.nodes(ast.For)]
    for made in (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp):
        loops += [(node, loop) for node in case.nodes(made) for loop in getattr(node, "generators", ())]
    edits = []
    for whole, loop in loops:
        columns = _columns(case, loop.iter)
        for node in ast.walk(whole):
            match node:
                case (
                    ast.Subscript(value=ast.Name(id=row), slice=ast.Constant(value=str() as column))
                    | ast.Attribute(value=ast.Name(id=row), attr=column)
                ) if isinstance(loop.target, ast.Name) and row == loop.target.id and column.lower() in columns:
                    edits.append((*span(case.plan, node), f"{row}[{columns.index(column.lower())}]"))
    return Diagnosis(
        "row addressed by a column's name",
        "A row is a tuple: its values have numbers, in the order of the table's columns.",
        case.line,
        edited(case.plan, dict.fromkeys(edits)) if edits else None,
        0.85,
    )


def _columns(case: Case, node: ast.expr) -> list[str]:
    """The columns of the table that a loop goes over, in lower case."""
    step = case.variable(node.id) if isinstance(node, ast.Name) else None
    if step is not None and step.type == "Table":
        return [column.strip().lower() for column in step.preview.split(",")]
    table = case.table_of(node)
    return [column.name.lower() for column in table.columns] if table else []


def _call_of(case: Case, attribute: ast.Attribute | None) -> ast.Call | None:
    """The call of a method."""
    return next((node for node in case.nodes_here if isinstance(node, ast.Call) and node.func is attribute), None)
