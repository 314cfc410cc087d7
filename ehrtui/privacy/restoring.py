"""The way back: values in place of placeholders, spelled so that they are one value wherever they stand."""

from __future__ import annotations

import json
import re
from typing import Protocol

from ehrtui.privacy.placeholders import PLACEHOLDER, Placeholder


class Known(Protocol):
    """Placeholders by name."""

    def __getitem__(self, name: str) -> Placeholder:
        """The placeholder of that name. Raises PlaceholderError where it stands for nothing."""
        ...


_LITERAL = re.compile(
    r"""(?P<prefix>\b[rRbBfFuU]{1,2}|)(?P<quote>\"{3}|'{3}|"|')(?P<inner>(?:\\.|(?!(?P=quote)).)*)(?P=quote)"""
    r"|(?P<comment>\#[^\n]*)",
    re.DOTALL,
)


def restored(text: str, placeholders: Known) -> str:
    """Words with every placeholder as the user wrote it. Raises PlaceholderError for one that stands for nothing."""
    return PLACEHOLDER.sub(lambda match: placeholders[match[0]].said, text)


def restored_plan(plan: str, placeholders: Known) -> str:
    """A code plan with every placeholder as its value: escaped inside string literals, for Python and for the SQL text
    around it; as a literal elsewhere. Comments keep theirs. Raises PlaceholderError for one that stands for nothing."""
    parts: list[str] = []
    at = 0
    for literal in _LITERAL.finditer(plan):
        parts.append(_outside(plan[at : literal.start()], placeholders))
        parts.append(literal[0] if literal["comment"] else _inside(literal, placeholders))
        at = literal.end()
    parts.append(_outside(plan[at:], placeholders))
    return "".join(parts)


def restored_logic(logic: str, placeholders: Known) -> str:
    """Query logic with every placeholder as its value, spelled as its texts are: as JSON. Raises PlaceholderError for
    one that stands for nothing."""
    return PLACEHOLDER.sub(lambda match: json.dumps(placeholders[match[0]].value, ensure_ascii=False)[1:-1], logic)


def _outside(code: str, placeholders: Known) -> str:
    def literal(match: re.Match[str]) -> str:
        found = placeholders[match[0]]
        return found.value if found.is_number else repr(found.value)

    return PLACEHOLDER.sub(literal, code)


def _inside(literal: re.Match[str], placeholders: Known) -> str:
    """The literal, raw no longer where it names a placeholder: not every value can be spelled in a raw one."""
    prefix, quote, inner = literal["prefix"], literal["quote"], literal["inner"]
    if not PLACEHOLDER.search(inner):
        return literal[0]
    raw = "r" in prefix.lower()
    parts: list[str] = []
    at = 0
    for match in PLACEHOLDER.finditer(inner):
        value = _in_sql(inner, match, placeholders)
        if "f" in prefix.lower():
            value = value.replace("{", "{{").replace("}", "}}")
        between = inner[at : match.start()]
        parts += [_escaped(between, quote) if raw else between, _escaped(value, quote)]
        at = match.end()
    parts.append(_escaped(inner[at:], quote) if raw else inner[at:])
    return f"{re.sub('[rR]', '', prefix)}{quote}{''.join(parts)}{quote}"


def _escaped(text: str, quote: str) -> str:
    """A text as it is spelled inside a literal with these quotes."""
    text = text.replace("\\", "\\\\").replace(quote[0], "\\" + quote[0])
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\0", "\\x00")


def _in_sql(text: str, match: re.Match[str], placeholders: Known) -> str:
    """The value, its quotes doubled where it stands inside quotes of SQL."""
    value = placeholders[match[0]].value
    before = text[: match.start()]
    return value.replace("'", "''") if before.count("'") % 2 else value
