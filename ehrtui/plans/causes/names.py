"""A column, table or aggregate that is not there by that name, or arguments that a tool does not take."""

from __future__ import annotations

import ast
import re

from ehrtui.plans.absence import ALIKE
from ehrtui.plans.causes.compiling import compiles
from ehrtui.plans.causes.through import through
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import edited, replacing, span
from ehrtui.plans.evidence import Case, calls
from ehrtui.plans.filter_conditions import parse_conditions, read_conditions
from ehrtui.plans.handles import Table
from ehrtui.plans.links import Link, is_dictionary
from ehrtui.plans.literals import conditions_of, literal_at
from ehrtui.plans.sql_words import likeness, nearest
from ehrtui.plans.stored import Place, tie

_AGGREGATES = {
    "average": "mean", "avg": "mean", "maximum": "max", "highest": "max", "minimum": "min", "lowest": "min",
    "total": "sum", "number": "count", "len": "count", "all": "list", "values": "list",
}  # fmt: skip
_UNIT = r"(year|month|week|day|hour|minute|second)s?"


def unknown_table(case: Case) -> Diagnosis | None:
    """LoadDB of a table that is not there."""
    call, node = case.call, case.failing
    if call is None or call.tool != "LoadDB" or not call.args or not isinstance(call.args[0], str):
        return None
    name = call.args[0].strip()
    if case.schema.table(name):
        return None
    names = [table.name for table in case.schema.tables]
    near = nearest(name, names) or nearest(name, names, at_least=0)
    repair = None
    if likeness(near[0], name) >= 60 and node and isinstance(node.args[0], ast.Constant):
        repair = replacing(case.plan, node.args[0], f'"{near[0].lower()}"')
    return Diagnosis(
        "unknown table",
        f"The database has no table {name}; its tables are {', '.join(names)}.",
        case.line,
        repair,
        0.85 if likeness(near[0], name) >= ALIKE else 0.5,
        near,
    )


def unknown_column(case: Case) -> Diagnosis | None:
    """A column that the table does not have: misspelt, of a dictionary, of another table, or not among the SQL's."""
    found = _unknown(case)
    if found is None:
        return None
    table, name = found
    elsewhere = [other for other in case.schema.tables if other.column(name)]
    near = nearest(name, table.columns)
    if table.base is None and elsewhere:
        return _not_selected(case, table, name)
    for other in elsewhere:
        link = tie(case.facts.engine, table.base, other) if table.base else None
        if link:
            return _of_linked_table(case, table, name, link)
    best = next((column for column in table.columns if _plain(column) == _plain(name)), near[0] if near else "")
    close = bool(best) and (likeness(best, name) >= 70 or _plain(best) == _plain(name))
    return Diagnosis(
        "unknown column",
        f"{table.title} has no column {name}; it has {', '.join(table.columns)}.",
        case.line,
        _renamed(case, name, best.lower()) if close else None,
        0.85 if close and likeness(best, name) >= ALIKE else 0.6,
        near,
    )


def unknown_aggregate(case: Case) -> Diagnosis | None:
    """GetValue is asked for what it cannot do with a column, or for several columns at once."""
    call, node = case.call, case.failing
    if (
        call is None
        or node is None
        or call.tool != "GetValue"
        or len(call.args) != 2
        or not isinstance(call.args[1], str)
    ):
        return None
    table = case.table_given()
    names = [part.strip() for part in call.args[1].split(",")]
    if table is None or len(names) < 2:
        return None
    columns = {column.lower() for column in table.columns}
    if all(name.lower() in columns for name in names):
        sql = f"SELECT {', '.join(names)} FROM rows_"
        new = f'SQLInterpreter("{sql}", rows_={case.source(node.args[0])})'
        return Diagnosis(
            "several columns at once",
            "GetValue gives the values of one column; SQL gives several side by side.",
            case.line,
            replacing(case.plan, node, new),
            0.7,
            tuple(names),
        )
    how = _AGGREGATES.get(names[-1].lower()) or next(
        iter(nearest(names[-1], ("mean", "max", "min", "sum", "count"))), ""
    )
    literal = literal_at(case, node.args[1])
    if not how or names[0].lower() not in columns:
        return None
    repair = literal.written(f"{names[0]}, {how}") if literal and not literal.formatted else None
    return Diagnosis(
        "unknown aggregate",
        f"GetValue does not know {names[-1]}; it knows list, mean, max, min, sum and count.",
        case.line,
        repair,
        0.85,
        (how,),
    )


def table_by_its_name(case: Case) -> Diagnosis | None:
    """The name of a table, where a tool takes the table itself."""
    call, node = case.call, case.failing
    if call is None or node is None or call.tool not in ("FilterDB", "GetValue") or not node.args:
        return None
    name = call.args[0]
    table = case.schema.table(name) if isinstance(name, str) else None
    if table is None:
        return None
    return Diagnosis(
        "table given by its name",
        f"{call.tool} takes a table; LoadDB gives the one that is called {name}.",
        case.line,
        replacing(case.plan, node.args[0], f"LoadDB({case.source(node.args[0])})"),
        0.95,
        (f'LoadDB("{name}")',),
    )


def wrong_arguments(case: Case) -> Diagnosis | None:
    """Several texts, or a list of texts, where a tool takes one."""
    call, node = case.call, case.failing
    if call is None or node is None or call.tool not in ("FilterDB", "GetValue") or not node.args:
        return None
    if call.tool == "FilterDB" and (spelt := _spelt_conditions(case, node)):
        return Diagnosis(
            "wrong arguments",
            "FilterDB takes its conditions as one text.",
            case.line,
            replacing(case.plan, node, f"FilterDB({case.source(node.args[0])}, {spelt})"),
            0.85,
            (spelt,),
        )
    joint = "||" if call.tool == "FilterDB" else ", "
    given = node.args[1:]
    if not given:
        return None
    if len(given) == 1 and isinstance(given[0], ast.List | ast.Tuple):
        given = given[0].elts
    elif len(given) == 1:
        return None
    texts = [literal_at(case, each) for each in given]
    formatted = any(text is not None and text.formatted for text in texts)
    inner = joint.join(text.inner for text in texts if text is not None)
    whole = all(text is not None for text in texts)
    if len(given) > 1 and call.tool == "GetValue" and isinstance(node.args[1], ast.List):
        return None
    start, end = span(case.plan, node.args[1])[0], span(case.plan, node.args[-1])[1]
    return Diagnosis(
        "wrong arguments",
        f"{call.tool} takes one text for {'all conditions, joined by ||' if joint == '||' else 'the column'}.",
        case.line,
        edited(case.plan, [(start, end, f'{"f" if formatted else ""}"{inner}"')])
        if whole and '"' not in inner
        else None,
        0.85,
        (inner,) if whole else (),
    )


def _spelt_conditions(case: Case, node: ast.Call) -> str:
    """The conditions of `FilterDB(t, gender="f")` or `FilterDB(t, {"gender": "f"})` as one text; "" for other calls."""
    pairs: list[tuple[str, ast.expr]] = []
    match node:
        case ast.Call(args=[_], keywords=keywords):
            pairs = [(each.arg or "", each.value) for each in keywords]
        case ast.Call(args=[_, ast.Dict(keys=keys, values=values)]):
            pairs = [(str(getattr(key, "value", "")), value) for key, value in zip(keys, values, strict=True)]
    if not pairs or not all(name for name, _ in pairs):
        return ""
    fixed = all(isinstance(value, ast.Constant) for _, value in pairs)
    texts = [
        f"{name}={value.value!s}" if isinstance(value, ast.Constant) else f"{name}={{{case.source(value)}}}"
        for name, value in pairs
    ]
    inner = "||".join(texts)
    return "" if '"' in inner else f'{"" if fixed else "f"}"{inner}"'


def misread_duration(case: Case) -> Diagnosis | None:
    """A duration in words."""
    call, node = case.call, case.failing
    if call is None or node is None or call.tool != "Calendar" or not call.args or not isinstance(call.args[0], str):
        return None
    spelt = _duration(call.args[0])
    literal = literal_at(case, node.args[0])
    return Diagnosis(
        "misread duration",
        f"Calendar takes a signed number and a unit, such as '-1 year'; it was given {call.args[0][:40]!r}.",
        case.line,
        literal.written(spelt) if literal and spelt and not literal.formatted else None,
        0.85,
        (spelt,) if spelt else ("-1 year",),
    )


def _duration(text: str) -> str:
    text = text.strip().lower()
    named = {"now": "0 day", "today": "0 day", "yesterday": "-1 day", "tomorrow": "+1 day"}
    if text in named:
        return named[text]
    if found := re.fullmatch(rf"(?:last|previous|past)\s+{_UNIT}", text):
        return f"-1 {found[1]}"
    if found := re.fullmatch(
        rf"(?:an?|one|(?P<n>\d+))\s*{_UNIT}\s+(?P<side>ago|before|earlier|later|after|from now)", text
    ):
        sign = "-" if found["side"] in ("ago", "before", "earlier") else "+"
        return f"{sign}{found['n'] or 1} {found[2]}"
    if found := re.fullmatch(rf"(?:minus|-)\s*(?:one|(?P<n>\d+))\s*{_UNIT}", text):
        return f"-{found['n'] or 1} {found[2]}"
    return ""


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def _unknown(case: Case) -> tuple[Table, str] | None:
    """The table and the column that it does not have."""
    table, call = case.table_given(), case.call
    if table is None or call is None or len(call.args) != 2 or not isinstance(call.args[1], str):
        return None
    columns = {column.lower() for column in table.columns}
    if call.tool == "FilterDB":
        names = [condition.column for condition in read_conditions(call.args[1])]
    elif call.tool == "GetValue":
        names = [call.args[1].rpartition(",")[0] or call.args[1]]
    else:
        return None
    return next(((table, name.strip()) for name in names if name.strip().lower() not in columns), None)


def _renamed(case: Case, name: str, column: str) -> str | None:
    node = case.failing
    literal = literal_at(case, node.args[1]) if node and len(node.args) == 2 else None
    if literal is None:
        return None
    inner = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", column, literal.inner, count=1)
    return literal.written(inner) if inner != literal.inner else None


def _of_linked_table(case: Case, table: Table, name: str, link: Link) -> Diagnosis:
    other = link.other
    cause = "missing dictionary join" if is_dictionary(other) else "column of another table"
    return Diagnosis(
        cause,
        f"{table.title} has no {name}; it is a column of {other.name}, which {link.column} leads to.",
        case.line,
        _joined(case, table, name, link),
        0.8,
        (f"{other.name}.{name}",),
        adds_join=case.call is not None and case.call.tool == "GetValue",
    )


def _joined(case: Case, table: Table, name: str, link: Link) -> str | None:
    """The plan that filters by the keys that the other table gives, or reads the column from a join."""
    node = case.failing
    if node is None or case.call is None:
        return None
    if case.call.tool == "FilterDB" and table.base is not None:
        found = conditions_of(case)
        if found is None:
            return None
        conditions = parse_conditions(found[2])
        index = next(place for place, each in enumerate(conditions) if each.column.lower() == name.lower())
        column = link.other.column(name)
        condition = conditions[index]
        value = condition.values[0] if condition.operator == "=" else ""
        return through(
            case, index, table.base, Place(link.other.name, column.name if column else name, value), link.column
        )
    other = link.other.name.lower()
    same = f"rows_.{link.column.lower()} = {other}.{link.other_column.lower()}"
    sql = f"SELECT rows_.*, {other}.{name} FROM rows_ JOIN {other} ON {same}"
    return replacing(case.plan, node.args[0], f'SQLInterpreter("{sql}", rows_={case.source(node.args[0])})')


def _not_selected(case: Case, table: Table, name: str) -> Diagnosis | None:
    """SQL gave the rows, and its SELECT does not name the column."""
    node = case.failing
    query = case.definition(node.args[0]) if node and node.args else None
    literal = (
        literal_at(case, query.args[0]) if isinstance(query, ast.Call) and calls(query, "SQLInterpreter") else None
    )
    repair = None
    if literal is not None:
        selected = re.search(r"\bselect\s+(?:distinct\s+)?", literal.inner, re.IGNORECASE)
        if selected:
            inner = f"{literal.inner[: selected.end()]}{name}, {literal.inner[selected.end() :]}"
            repair = literal.written(inner) if compiles(case.facts.engine, inner) else None
    return Diagnosis(
        "column not selected",
        f"The SQL gives {', '.join(table.columns)}; {name} is not among them.",
        case.line,
        repair,
        0.85,
        table.columns,
    )
