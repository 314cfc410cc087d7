"""The condition language of `FilterDB`, as EHRAgent writes it: `hadm_id=145834||valuenum>=5||max(charttime)`.

    conditions = condition { "||" condition }
    condition  = column operator value | column "in" "[" value { "," value } "]"
               | column "is null" | column "is not null" | "max(" column ")" | "min(" column ")"
    operator   = ">=" | "<=" | ">" | "<" | "=" | "!=" | "like"

A value runs to the next `||`; one that contains `||`, or outer blanks, is put in quotes. In a list, a value with a
comma is put in quotes; backslashes escape as in a Python list, which is what an f-string puts there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ehrtui.errors import ToolError

OPERATORS = (">=", "<=", ">", "<", "=", "!=", "like", "in", "is null", "is not null", "max", "min")

_COLUMN = r'(?:[^\W\d]\w*|"[^"]+"|`[^`]+`)'
_END = r"\s*(?=\|\||\Z)"
_HEAD = re.compile(
    rf"""\s*(?:
        (?P<extreme>max|min)\s*\(\s*(?P<inner>{_COLUMN})\s*\){_END}
      | (?P<column>{_COLUMN})(?:
            (?P<null>\s+is\s+(?:not\s+)?null){_END}
          | (?P<in>\s+in\s*)(?=[\[(])
          | (?P<like>\s+like\s+)
          | \s*(?P<operator>>=|<=|!=|<>|==|=|<|>)
        )
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SAME = {"==": "=", "<>": "!="}
_NOTHING = ("None", "null", "NULL", "nan")


@dataclass(frozen=True)
class Condition:
    """One condition: `operator` is one of OPERATORS, `values` its values as text (none for `is null`, `max`, `min`);
    `position` is its 0-based offset in the text."""

    column: str
    operator: str
    values: tuple[str, ...] = ()
    position: int = 0


def parse_conditions(text: str) -> tuple[Condition, ...]:
    """The conditions of `text`, left to right. Raises ToolError with the position of what it cannot read."""
    conditions = []
    position = 0
    while True:
        condition, position = _condition(text, position)
        conditions.append(condition)
        if position >= len(text):
            return tuple(conditions)
        position += len("||")


def read_conditions(text: str) -> tuple[Condition, ...]:
    """The conditions of `text`, none where it cannot be read."""
    try:
        return parse_conditions(text)
    except ToolError:
        return ()


def _condition(text: str, start: int) -> tuple[Condition, int]:
    head = _HEAD.match(text, start)
    if head is None:
        raise _malformed(text, start, "A condition is a column, one of >= <= > < = != like in, and a value.")
    begin = head.start("extreme" if head["extreme"] else "column")
    if head["extreme"]:
        return Condition(_bare(head["inner"]), head["extreme"].lower(), (), begin), head.end()
    column = _bare(head["column"])
    if head["null"]:
        return Condition(column, " ".join(head["null"].lower().split()), (), begin), head.end()
    if head["in"]:
        values, end = _list(text, head.end())
        return Condition(column, "in", values, begin), end
    operator = "like" if head["like"] else _SAME.get(head["operator"], head["operator"])
    value, end = _value(text, head.end(), operator)
    return Condition(column, operator, (value,), begin), end


def _bare(column: str) -> str:
    return column[1:-1] if column[0] in '"`' else column


def _value(text: str, start: int, operator: str) -> tuple[str, int]:
    quoted = _quoted(text, start, _END)
    if quoted is not None:
        return quoted
    end = text.find("||", start)
    end = len(text) if end < 0 else end
    value = text[start:end].strip()
    if not value:
        raise _malformed(text, start, f"There is no value after `{operator}`; an empty text is written ''.")
    if value in _NOTHING:
        raise _malformed(text, start, f"Nothing equals {value}: write `is null`, or put the text in quotes.")
    if value.startswith("[") and value.endswith("]"):
        raise _malformed(text, start, f"`{operator}` takes one value, this is a list: write ` in {value[:40]}`.")
    return value, end


def _list(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """The values of a bracketed list that starts at `start`, and where the condition ends."""
    close = "]" if text[start] == "[" else ")"
    item_end = rf"\s*(?=[,\{close}])"
    values: list[str] = []
    position = start + 1
    if not re.compile(rf"\s*\{close}").match(text, position):
        while True:
            quoted = _quoted(text, position, item_end)
            if quoted is not None:
                value, position = quoted
                values.append(value)
            else:
                found = re.compile(rf"[^,\{close}]*").match(text, position)
                item = found.group().strip() if found else ""
                if not item:
                    raise _malformed(text, position, "A value of the list is empty.")
                if item not in _NOTHING:
                    values.append(item)
                position = found.end() if found else position
            if text[position : position + 1] != ",":
                break
            position += 1
    end = re.compile(rf"\s*\{close}{_END}").match(text, position)
    if end is None:
        raise _malformed(text, position, f"The list is not closed: it ends with `{close}`, then `||` or nothing.")
    return tuple(values), end.end()


def _quoted(text: str, start: int, after: str) -> tuple[str, int] | None:
    """The quoted value at `start`, if there is one that `after` follows, and where that ends."""
    found = re.compile(rf"""\s*(?:'((?:[^'\\]|\\.|'')*)'|"((?:[^"\\]|\\.|"")*)"){after}""", re.DOTALL).match(
        text, start
    )
    if found is None:
        return None
    quote = "'" if found[1] is not None else '"'
    inner = found[1] if found[1] is not None else found[2]
    return re.sub(r"\\([\\'\"])", r"\1", inner.replace(quote * 2, quote)), found.end()


def _malformed(text: str, position: int, why: str) -> ToolError:
    near = text[position : position + 30] or "its end"
    return ToolError(
        f"FilterDB cannot read the condition at position {position}: {near}",
        why=why,
        next_step='Write conditions like "hadm_id=145834||valuenum>=5||drug in [aspirin, heparin]||max(charttime)".',
    )
