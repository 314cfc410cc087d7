"""The six tools of a code plan, with EHRAgent's call grammar, and the registry that lists them.

A tool is a function whose first argument is the plan's workspace; its docstring describes it to people and planners.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ehrtui.engines.engine import Scalar
from ehrtui.errors import ToolError
from ehrtui.plans.absence import Wanted
from ehrtui.plans.calculate import calculate
from ehrtui.plans.composing import Query, compose
from ehrtui.plans.dates import shift
from ehrtui.plans.filter_conditions import Condition, parse_conditions
from ehrtui.plans.handles import MAX_SQL, Spelling, Table, Workspace, base_table, kept_table, too_long
from ehrtui.plans.sql_words import nearest, sql_name, sql_text
from ehrtui.plans.stored import NUMBER

_DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?([ T]|\Z)")
_ORDERED = (">=", "<=", ">", "<", "max", "min")
_AGGREGATES = {"mean": "AVG", "max": "MAX", "min": "MIN", "sum": "SUM", "count": "COUNT"}


@dataclass(frozen=True)
class Tool:
    """One function that a plan may call, with an example that runs."""

    name: str
    function: Callable[..., Any]
    example: str

    @cached_property
    def _parameters(self) -> inspect.Signature:
        return inspect.signature(self.function)

    @property
    def signature(self) -> str:
        """How it is called, for people: `FilterDB(table, conditions)`."""
        parameters = list(self._parameters.parameters.values())[1:]
        shown = [f"**{each.name}" if each.kind is each.VAR_KEYWORD else each.name for each in parameters]
        return f"{self.name}({', '.join(shown)})"

    @property
    def description(self) -> str:
        """One paragraph."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    def call(self, workspace: Workspace, /, *args: Any, **kwargs: Any) -> Any:
        """The tool's value. Raises ToolError where the arguments do not fit its signature."""
        try:
            self._parameters.bind(workspace, *args, **kwargs)
        except TypeError as error:
            raise ToolError(
                f"{self.name} was called with arguments that it does not have.",
                why=f"{str(error).capitalize()}.",
                next_step=f"Call it as {self.signature}, for example {self.example}.",
            ) from error
        return self.function(workspace, *args, **kwargs)


def load_db(workspace: Workspace, /, name: Any) -> Table:
    """A table of the database, by name. Nothing is read until a value is needed."""
    schema = workspace.engine.schema()
    found = schema.table(_text(name, "LoadDB", "the name of a table").strip())
    if found is not None:
        return base_table(workspace, found)
    names = tuple(table.name for table in schema.tables)
    near = nearest(name, names)
    raise ToolError(
        f"The database has no table {name.strip()[:60]}.",
        why=f"Its tables are {', '.join(names)}.",
        next_step=f"Did you mean {' or '.join(near[:3])}?" if near else "Choose one of its tables.",
        suggestions=near,
    )


def filter_db(workspace: Workspace, /, table: Any, conditions: Any) -> Table:
    """The rows of a table that meet all conditions, which `||` joins: a column, one of >= <= > < = != like, and a
    value as stored; ` in [a, b]`; ` is null`, ` is not null`; max(COL) or min(COL) for the rows where COL is extreme
    among the rows so far."""
    result = _table(table, "FilterDB")
    text = _text(conditions, "FilterDB", "a text of conditions")
    if len(text) > MAX_SQL:
        raise too_long()
    for index, condition in enumerate(parse_conditions(text)):
        wanted = Wanted(text, index, condition.column, condition.values[0]) if condition.operator == "=" else None
        result = _filtered(result, condition, wanted)
    return result


def _filtered(table: Table, condition: Condition, wanted: Wanted | None) -> Table:
    column = table.column(condition.column)
    name = sql_name(column, table.dialect)
    if condition.operator in ("max", "min"):
        if table.kind(column) == "text":
            raise _text_order(table, column, condition.operator)
        extreme = f"{condition.operator.upper()}({name})"
        return table.filtered(lambda spelling: f"{name} = (SELECT {extreme} FROM {spelling.relation}{spelling.where})")
    sql = _condition_sql(table, column, name, condition)
    return table.filtered(lambda _: sql, wanted)


def _condition_sql(table: Table, column: str, name: str, condition: Condition) -> str:
    match condition.operator:
        case "is null" | "is not null":
            return f"{name} {condition.operator.upper()}"
        case "like":
            return f"{name} LIKE {sql_text(condition.values[0], table.dialect)}"
        case "in":
            literals = _literals(table, column, condition)
            return f"{name} IN ({', '.join(literals)})" if literals else "1 = 0"
        case operator:
            return f"{name} {operator} {_literals(table, column, condition)[0]}"


def _literals(table: Table, column: str, condition: Condition) -> list[str]:
    """The values of a condition as SQL: numbers where the column holds numbers, else the text as stored."""
    kind = table.kind(column)
    literals = []
    for value in condition.values:
        is_number = NUMBER.fullmatch(value) is not None
        if kind == "number" and not is_number:
            raise ToolError(
                f"{column} of {table.title} holds numbers; {value[:60]!r} is none.",
                why=f"The condition at position {condition.position} compares the two.",
                next_step="Compare with a number, or choose the column that holds the text.",
            )
        if kind == "time" and is_number:
            raise ToolError(
                f"{column} of {table.title} holds dates; {value} is a number.",
                why=f"The condition at position {condition.position} compares the two.",
                next_step="Write the date in full, such as 2105-01-01, or like 2105%.",
            )
        if kind == "time" and not _DATE.match(value):
            raise ToolError(
                f"{column} of {table.title} holds dates as YYYY-MM-DD HH:MM:SS; {value[:60]!r} is none.",
                why=f"The condition at position {condition.position} compares the two.",
                next_step="Write the date as it is stored, such as 2105-01-31, or use Calendar.",
            )
        if kind == "text" and is_number and condition.operator in _ORDERED:
            raise _text_order(table, column, condition.operator)
        literals.append(value if is_number and kind != "text" else sql_text(value, table.dialect))
    return literals


def _text_order(table: Table, column: str, operator: str) -> ToolError:
    return ToolError(
        f"{column} of {table.title} holds text, which {operator} would put in alphabetical order.",
        why="As text, '9' comes after '10'.",
        next_step=f"Use a column of numbers, or CAST({column} AS REAL) in SQLInterpreter.",
    )


def get_value(workspace: Workspace, /, table: Any, column: Any) -> Scalar | list[Scalar]:
    """The value of a column, or a list when there are several rows; `"COL, list"` is always a list, and
    `"COL, mean"`, max, min, sum and count aggregate the values that are not missing (None when there are none)."""
    rows = _table(table, "GetValue")
    name, how = _value_wanted(rows, _text(column, "GetValue", "a text such as 'valuenum, mean'"))
    quoted = sql_name(name, rows.dialect)
    if how in _AGGREGATES:
        sql, aggregate = _aggregated(rows, name, quoted, how)
        if not aggregate:
            _ = rows.row_count  # refuses a value that is not stored
        given = f"{how}_{name}"
        workspace.value = rows.derived(f"{sql} AS {sql_name(given, rows.dialect)}", given), aggregate
        return aggregate
    values = rows.values(name)
    value = values[0] if not how and len(values) == 1 else values
    workspace.value = rows.derived(quoted, name), value
    return value


def _value_wanted(table: Table, text: str) -> tuple[str, str]:
    """The column, and what to do with its values: "" (as they are), "list" or an aggregate."""
    column, comma, how = text.rpartition(",")
    how = how.strip().lower()
    if not comma:
        return table.column(text), ""
    if how in _AGGREGATES or how == "list":
        return table.column(column), how
    if text.strip().lower() in (each.lower() for each in table.columns):
        return table.column(text), ""
    raise ToolError(
        f"GetValue cannot do {how!r} with a column.",
        why=f"It knows list, {', '.join(_AGGREGATES)}.",
        next_step='Write for example GetValue(table, "valuenum, mean"), and one call for each column.',
        suggestions=nearest(how, ("list", *_AGGREGATES)),
    )


def _aggregated(table: Table, column: str, name: str, how: str) -> tuple[str, Scalar]:
    """The SQL of an aggregate, and its value. Text that spells numbers counts as numbers; other text has no mean."""
    sql = f"{_AGGREGATES[how]}({name})"
    value, last = table.read(f"{sql}, MAX({name})")[0]
    if how == "count" or not isinstance(last, str):
        return sql, value
    if all(NUMBER.fullmatch(str(row[0])) for row in table.read(f"DISTINCT {name}") if row[0] is not None):
        sql = f"{_AGGREGATES[how]}(CAST({name} AS REAL))"
        return sql, table.read(sql)[0][0]
    if how in ("max", "min"):
        return sql, value
    raise ToolError(
        f"{column} of {table.title} has no {how}: it holds text.",
        why="At least one of its values is not a number.",
        next_step="Choose a column of numbers, or filter out what is not a number.",
    )


def sql_interpreter(workspace: Workspace, /, sql: Any, **tables: Any) -> Table:
    """The rows of a SELECT, run once. It may name earlier answers (PREV_RESULT1, PREV_QUERY1) and, given as keyword
    arguments, tables of this plan: SQLInterpreter("SELECT … FROM stays", stays=stays)."""
    text = _text(sql, "SQLInterpreter", "a text of SQL")
    given = {name: _table(table, f"SQLInterpreter(…, {name}=…)") for name, table in tables.items()}
    given = {name: table for name, table in given.items() if table.run.relation != name or table.run.where}
    statement = workspace.expand(text)
    depends_on = {*statement.depends_on, *(turn for table in given.values() for turn in table.depends_on)}

    def composed(spelled: str, spelling: Callable[[Table], Spelling]) -> Query:
        queries = {name: spelling(table).select() for name, table in given.items()}
        return compose(spelled, queries, workspace.engine.dialect)

    flat = composed(statement.flat, lambda table: table.flat)
    without_tokens = statement.seq == statement.flat and all(table.seq == table.flat for table in given.values())
    return kept_table(
        workspace,
        run=composed(statement.run, lambda table: table.run),
        flat=flat,
        seq=flat if without_tokens else composed(statement.seq, lambda table: table.seq),
        depends_on=tuple(sorted(depends_on)),
    )


def calendar(workspace: Workspace, /, duration: Any) -> str:
    """The moment that lies a duration such as "-1 year", "-3 month" or "+2 days" from the database now, as
    "YYYY-MM-DD HH:MM:SS"; "0 day" is now."""
    return shift(workspace.now, _text(duration, "Calendar", "a duration such as '-1 year'"))


def calculate_tool(workspace: Workspace, /, expression: Any) -> int | float | bool | str:
    """The value of an expression: + - * / // % **, comparisons, mean, median, max, min, sum, count, percent(part,
    whole), round, sqrt; dates subtract to days, and days(end, start) and hours(end, start) count between two."""
    if isinstance(expression, int | float):
        return expression
    return calculate(_text(expression, "Calculate", "a text such as '(72 - 60) / 60 * 100'"))


def _text(value: Any, tool: str, what: str) -> str:
    if isinstance(value, str):
        return value
    shown = "a table" if isinstance(value, Table) else type(value).__name__
    raise ToolError(f"{tool} takes {what}; it was given {shown}.", next_step="Put it in quotes.")


def _table(value: Any, tool: str) -> Table:
    if isinstance(value, Table):
        return value
    shown = "a text" if isinstance(value, str) else f"a value of type {type(value).__name__}"
    raise ToolError(
        f"{tool} takes a table; it was given {shown}.",
        next_step='A table comes from LoadDB("admissions"), FilterDB or SQLInterpreter.',
    )


TOOLS = (
    Tool("LoadDB", load_db, 'LoadDB("admissions")'),
    Tool("FilterDB", filter_db, 'FilterDB(LoadDB("labevents"), "subject_id=10045||valuenum>=5||max(charttime)")'),
    Tool("GetValue", get_value, 'GetValue(LoadDB("labevents"), "valuenum, mean")'),
    Tool("SQLInterpreter", sql_interpreter, 'SQLInterpreter("SELECT COUNT(*) FROM patients")'),
    Tool("Calendar", calendar, 'Calendar("-1 year")'),
    Tool("Calculate", calculate_tool, 'Calculate("(72 - 60) / 60 * 100")'),
)
"""The tools of every plan, in the order that help lists them."""
