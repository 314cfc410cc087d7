"""Requests to a language model: built in one place, of parts that say what they hold.

There is no other way to put text into a request than one of these parts, and each knows how it is masked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, assert_never

from ehrtui.memory.case import SLOT
from ehrtui.privacy.masking import Mask


@dataclass(frozen=True)
class Fixed:
    """ehrtui's own words, the names of tables and columns, the tools' descriptions: nothing that was read from rows or
    typed by the user."""

    text: str


@dataclass(frozen=True)
class Said:
    """What the user typed, or a query that was made of it. It may name the first `turns` answers."""

    text: str
    turns: int = 0


@dataclass(frozen=True)
class Example:
    """A case of the memory, with slots in place of values."""

    text: str


@dataclass(frozen=True)
class Received:
    """What the model itself wrote, as it came: its placeholders were never replaced."""

    text: str


@dataclass(frozen=True)
class Trouble:
    """The text of an error that the model's own plan has over made-up rows: no value of the database, and none that the
    user typed, took part in it. Where nothing is to be hidden, the error of its run."""

    text: str


Part: TypeAlias = Fixed | Said | Example | Received | Trouble
Role: TypeAlias = Literal["user", "assistant"]


@dataclass(frozen=True)
class Message:
    """One message; its parts are joined as they are."""

    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class ToolUse:
    """A tool that the model called, under the server's `id`, with its `arguments` as they came."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class ToolRound:
    """What the model wrote before it called tools in parallel, the calls, and the result of each in the same order."""

    said: str
    uses: tuple[ToolUse, ...]
    results: tuple[Part, ...]


Exchange: TypeAlias = Message | ToolRound


def build(system: Sequence[Part], exchanges: Sequence[Exchange], mask: Mask | None) -> dict[str, Any]:
    """The `system` and `messages` of a request as JSON values, masked; the system part is marked to be cached.

    Without a mask (`--privacy off`), every part goes out as it is. A legend says how the values of the placeholders
    are written that the last message or an earlier one names.
    """

    def spoken(parts: Sequence[Part]) -> str:
        return "".join(_masked(part, mask) for part in parts)

    messages: list[dict[str, Any]] = []
    for exchange in exchanges:
        if isinstance(exchange, Message):
            messages.append({"role": exchange.role, "content": spoken(exchange.parts) or "(nothing)"})
        else:
            messages += _tool_round(exchange, spoken)
    said = spoken(system)
    blocks = [{"type": "text", "text": said, "cache_control": {"type": "ephemeral"}}]
    if legend := _legend(messages, mask):
        blocks.append({"type": "text", "text": legend})
    return {"system": blocks, "messages": messages}


def _masked(part: Part, mask: Mask | None) -> str:
    if mask is None:
        return part.text
    match part:
        case Fixed(text) | Received(text) | Trouble(text):
            return text
        case Said(text, turns):
            return mask.words(text, turns)
        case Example(text):
            return _masked_case(text, mask)
    assert_never(part)


def _masked_case(text: str, mask: Mask) -> str:
    parts: list[str] = []
    at = 0
    for slot in SLOT.finditer(text):
        words = f"{slot['kind']} {slot['shape'] or ''}".split()
        if all(mask.speakable.knows(word) for word in words):
            parts += [mask.words(text[at : slot.start()]), slot[0]]
            at = slot.end()
    return "".join([*parts, mask.words(text[at:])])


def _tool_round(exchange: ToolRound, spoken: Callable[[Sequence[Part]], str]) -> list[dict[str, Any]]:
    said = [{"type": "text", "text": exchange.said}] if exchange.said.strip() else []
    uses = [{"type": "tool_use", "id": use.id, "name": use.name, "input": use.arguments} for use in exchange.uses]
    results = [
        {"type": "tool_result", "tool_use_id": use.id, "content": spoken((result,))}
        for use, result in zip(exchange.uses, exchange.results, strict=True)
    ]
    return [{"role": "assistant", "content": [*said, *uses]}, {"role": "user", "content": results}]


def _legend(messages: Sequence[dict[str, Any]], mask: Mask | None) -> str:
    if mask is None:
        return ""
    text = repr(messages)
    known = [one for one in mask.placeholders if one.name in text]
    lines = [f"{one.name}: {one.shape}" for one in known]
    return "How the values behind the placeholders are written:\n" + "\n".join(lines) if lines else ""
