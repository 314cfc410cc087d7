"""`Calculate`: arithmetic, averages, extremes, percentages and date differences, offline and without `eval`.

The expression is parsed with Python's own grammar and evaluated on a whitelist of node types, with limits on its
length, on the size of whole numbers and on powers.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import statistics
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from ehrtui.errors import ToolError
from ehrtui.plans.dates import to_datetime

Value: TypeAlias = "int | float | bool | datetime | list[Value] | None"

MAX_LENGTH = 200_000
MAX_BITS = 4096

_DAY = timedelta(days=1)
_QUOTED_OR_DATE = re.compile(
    r"""("[^"]*"|'[^']*')|(?<![\w.])(\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?)(?![\w.])"""
)
_PERCENT_OF = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*%\s*of\b", re.IGNORECASE)


def calculate(expression: str) -> int | float | bool | str:
    """The value of an expression; a moment is given as "YYYY-MM-DD HH:MM:SS", a difference of moments in days.

    Raises ToolError for anything that is not such an expression, or has no value.
    """
    if len(expression) > MAX_LENGTH:
        raise _refused(expression, f"It is longer than {MAX_LENGTH:,} characters.", "Aggregate in SQL: GetValue(…).")
    try:
        tree = ast.parse(_prepared(expression), mode="eval")
        value = _value(tree.body)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise _refused(
            expression, _reason(error), 'Write arithmetic such as Calculate("(72 - 60) / 60 * 100").'
        ) from error
    except ZeroDivisionError as error:
        raise _refused(expression, "It divides by zero.", "Check that what you divide by is not empty.") from error
    except OverflowError as error:
        raise _refused(expression, "Its value is too large.", "Check the numbers.") from error
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    if value is None or isinstance(value, list):
        raise _refused(expression, "Its value is not one number.", "Aggregate: mean(…), max(…), min(…), sum(…).")
    if isinstance(value, float) and not math.isfinite(value):
        raise _refused(expression, "Its value is not a finite number.", "Check the numbers.")
    return value


class _NoValueError(ValueError):
    """Why a part of an expression has no value; shown to the user as it is."""


def _prepared(expression: str) -> str:
    """The expression with bare dates put in quotes, and `15% of x` spelled as a product."""

    def quoted(found: re.Match[str]) -> str:
        date = found[2]
        return repr(date) if date is not None and to_datetime(date) is not None else found[0]

    return _PERCENT_OF.sub(r"\1/100*", _QUOTED_OR_DATE.sub(quoted, expression.strip()))


def _reason(error: BaseException) -> str:
    if isinstance(error, _NoValueError):
        return str(error)
    if isinstance(error, RecursionError | MemoryError):
        return "It is nested too deeply."
    if isinstance(error, SyntaxError):
        at = f" at position {error.offset - 1}" if error.offset else ""
        return f"It is not an expression{at}: {error.msg.split(':')[0]}."
    return f"It has no value: {error}."


def _refused(expression: str, why: str, next_step: str) -> ToolError:
    shown = expression if len(expression) <= 80 else expression[:77] + "…"
    return ToolError(f"Calculate has no value for {shown!r}.", why=why, next_step=next_step)


def _value(node: ast.expr) -> Value:
    match node:
        case ast.Constant(value=bool() | int() | float() | None as value):
            return _limited(value)
        case ast.Constant(value=str() as text):
            moment = to_datetime(text)
            if moment is None:
                raise _NoValueError(f"The text {text[:40]!r} is not a date such as '2105-12-31 23:59:00'.")
            return moment
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item) for item in items]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(_value(operand))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _number(_value(operand))
        case ast.BinOp():
            return _chain(node)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(_value(left), op, _value(right))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name.lower() in _FUNCTIONS:
            return _limited(_FUNCTIONS[name.lower()]([_value(argument) for argument in arguments]))
        case ast.Call(func=ast.Name(id=name)):
            raise _NoValueError(f"There is no function {name}; there are {', '.join(_FUNCTIONS)}.")
        case ast.Name(id=name):
            raise _NoValueError(f"The name {name} has no value here: put its value in, for example with an f-string.")
    raise _NoValueError(f"{type(node).__name__} is not arithmetic.")


def _limited(value: Value) -> Value:
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise OverflowError
    return value


def _number(value: Value) -> int | float:
    if isinstance(value, int | float):
        return value
    if value is None:
        raise _NoValueError("A value is missing (None).")
    if isinstance(value, datetime):
        raise _NoValueError("A date stands where a number is needed.")
    raise _NoValueError("A list stands where one number is needed.")


def _power(base: int | float, exponent: int | float) -> int | float:
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * abs(exponent) > MAX_BITS:
        raise OverflowError
    result = base**exponent
    if isinstance(result, complex):
        raise _NoValueError("A root of a negative number is not a number.")
    return float(result) if isinstance(result, float) else int(result)


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], int | float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def _chain(node: ast.BinOp) -> Value:
    """The value of `a + b - c …`, without a call for each term: a plan may write a sum of a thousand."""
    terms = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        terms.append((left.op, left.right))
        left = left.left
    value = _value(left)
    for op, right in reversed(terms):
        value = _binary(value, op, _value(right))
    return value


def _binary(left: Value, op: ast.operator, right: Value) -> Value:
    if isinstance(left, datetime) and isinstance(op, ast.Add | ast.Sub):
        if isinstance(right, datetime):
            if isinstance(op, ast.Add):
                raise _NoValueError("Two dates cannot be added; their difference is in days.")
            return (left - right) / _DAY
        days = timedelta(days=_number(right))
        return left + days if isinstance(op, ast.Add) else left - days
    calculation = _ARITHMETIC.get(type(op))
    if calculation is None:
        raise _NoValueError(f"{type(op).__name__} is not arithmetic.")
    return _limited(calculation(_number(left), _number(right)))


def _compared(left: Value, op: ast.cmpop, right: Value) -> bool:
    comparison = _COMPARISONS.get(type(op))
    if comparison is None:
        raise _NoValueError(f"{type(op).__name__} is not a comparison of numbers or dates.")
    if isinstance(left, datetime) and isinstance(right, datetime):
        return comparison(left, right)
    return comparison(_number(left), _number(right))


def _flat(arguments: list[Value]) -> list[int | float | datetime]:
    """The values of the arguments, lists opened; missing ones (None) do not count, as in SQL."""
    values: list[int | float | datetime] = []
    for argument in arguments:
        if isinstance(argument, list):
            values.extend(_flat(argument))
        elif argument is not None:
            values.append(argument)
    return values


def _some(arguments: list[Value]) -> list[int | float | datetime]:
    values = _flat(arguments)
    if not values:
        raise _NoValueError("There are no values to take it of.")
    if len({isinstance(value, datetime) for value in values}) > 1:
        raise _NoValueError("Dates and numbers are mixed.")
    return values


def _numbers(arguments: list[Value]) -> list[int | float]:
    return [_number(value) for value in _some(arguments)]


def _two(arguments: list[Value], name: str) -> tuple[Value, Value]:
    if len(arguments) != 2:
        raise _NoValueError(f"{name} takes two values.")
    return arguments[0], arguments[1]


def _one(arguments: list[Value], name: str) -> int | float:
    if len(arguments) != 1:
        raise _NoValueError(f"{name} takes one number.")
    return _number(arguments[0])


def _percent(arguments: list[Value]) -> float:
    part, whole = _two(arguments, "percent(part, whole)")
    return _number(part) / _number(whole) * 100


def _days(arguments: list[Value]) -> float:
    end, start = _two(arguments, "days(end, start)")
    if not (isinstance(end, datetime) and isinstance(start, datetime)):
        raise _NoValueError("days and hours take two dates: the end, then the start.")
    return (end - start) / _DAY


def _rounded(arguments: list[Value]) -> int | float:
    if len(arguments) == 1:
        return round(_number(arguments[0]))
    value, digits = _two(arguments, "round(number, digits)")
    if not isinstance(digits, int) or abs(digits) > 20:
        raise _NoValueError("round takes a whole number of digits, at most 20.")
    return round(_number(value), digits)


_FUNCTIONS: dict[str, Callable[[list[Value]], Value]] = {
    "mean": lambda values: statistics.fmean(_numbers(values)),
    "average": lambda values: statistics.fmean(_numbers(values)),
    "avg": lambda values: statistics.fmean(_numbers(values)),
    "median": lambda values: statistics.median(_numbers(values)),
    "max": lambda values: max(_some(values)),
    "min": lambda values: min(_some(values)),
    "sum": lambda values: sum(_numbers(values)),
    "count": lambda values: len(_flat(values)),
    "percent": _percent,
    "days": _days,
    "hours": lambda values: _days(values) * 24,
    "round": _rounded,
    "abs": lambda values: abs(_one(values, "abs")),
    "sqrt": lambda values: math.sqrt(_one(values, "sqrt")),
    "exp": lambda values: math.exp(_one(values, "exp")),
    "log": lambda values: math.log(_one(values, "log")),
    "log10": lambda values: math.log10(_one(values, "log10")),
    "floor": lambda values: math.floor(_one(values, "floor")),
    "ceil": lambda values: math.ceil(_one(values, "ceil")),
}
