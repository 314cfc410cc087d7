"""What a language model wrote, put into the form that it was asked for: smaller ones think aloud, forget to close a
block, write the query without one, or answer and call tools in JSON. Nothing is guessed of what they mean."""

from __future__ import annotations

import json
import re
from typing import Any

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_JSON = re.compile(r"^[ \t]*```[ \t]*(?:json|tool_call|tool_code)?[ \t]*\n\s*\{", re.MULTILINE | re.IGNORECASE)
_QUERY = re.compile(
    r"^(?:select\b(?=.{0,2000}?\bfrom\b)|with\s+(?:recursive\s+)?\w+(?:\s*\([^()]*\))?\s+as\s*\().*",
    re.MULTILINE | re.IGNORECASE | re.DOTALL,
)
_MOST_OBJECTS = 20
_LINES = ("type", "confidence", "logic")
_BLOCKS = {"sql": "sql", "query": "sql", "python": "python", "code": "python"}
_ARGUMENTS = ("arguments", "parameters", "input")


def without_thoughts(text: str) -> str:
    """The answer alone."""
    return _END_OF_THOUGHT.sub("", _THOUGHT.sub("", text))


def tidied(text: str) -> str:
    """The answer without thoughts, with lines and blocks in place of JSON, and its block open and closed."""
    text = without_thoughts(text)
    fences = len(_FENCE.findall(text))
    if fences == 0 or _JSON.search(text):
        said = "\n".join(filter(None, map(_in_lines, _objects(text))))
        if said:
            return said
    if fences == 0 and (query := _QUERY.search(text)):
        return f"{text[: query.start()]}```sql\n{query[0]}\n```"
    return f"{text}\n```" if fences % 2 else text


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects in a text, the outermost ones, in order."""
    decoder = json.JSONDecoder(strict=False)  # a query over several lines is written as it is
    found: list[dict[str, Any]] = []
    at = 0
    for _ in range(_MOST_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            break
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        found.append(value)
    return found


def _in_lines(told: dict[str, Any]) -> str:
    """An object as the lines and the block that it stands for; "" for one that stands for none."""
    told = {str(key).lower(): value for key, value in told.items()}
    lines = [f"{key.title()}: {told[key]}" for key in _LINES if _is_said(told.get(key))]
    lines += [f"Search: {name}" for name in _searched(told)]
    lines += [f"```{_BLOCKS[key]}\n{told[key]}\n```" for key in _BLOCKS if isinstance(told.get(key), str) and told[key]]
    if _is_said(told.get("unanswerable")) and told["unanswerable"] is not False:
        lines.append(f"UNANSWERABLE: {told['unanswerable']}")
    known = any(line.startswith(("Logic:", "Search:", "```", "UNANSWERABLE:")) for line in lines)
    return "\n".join(lines) if known else ""


def _searched(told: dict[str, Any]) -> list[str]:
    """What a search is for, called as a tool or not."""
    arguments: dict[str, Any] = next((told[key] for key in _ARGUMENTS if isinstance(told.get(key), dict)), {})
    wanted = arguments.get("text") if told.get("name") == "search" else told.get("search")
    names = wanted if isinstance(wanted, list) else [wanted]
    return [name for name in names if isinstance(name, str) and name.strip()]


def _is_said(value: Any) -> bool:
    return isinstance(value, str | int | float) and str(value).strip() != ""
