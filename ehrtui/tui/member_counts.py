"""How many rows and patients a meaning has here: counted beside everything else, on a connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from ehrtui.errors import EhrtuiError
from ehrtui.tui.formatting import count

if TYPE_CHECKING:
    from ehrtui.concepts.candidates import Candidate
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.engines.engine import Scalar
    from ehrtui.planning.mentions import LinkedMention
    from ehrtui.planning.proposal import PastTurn
    from ehrtui.schema.value_index import Stored

Meant: TypeAlias = "tuple[Candidate, tuple[str, ...]]"
"""A meaning, and the stored names that are left out of it."""


@dataclass(frozen=True)
class MemberCounts:
    """The `stored` names of a meaning, with the rows and patients of `each`, and of all that are not left out; None or
    nothing where that is not known (yet)."""

    stored: tuple[Stored, ...] = ()
    each: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    rows: int | None = None
    patients: int | None = None


def meant(mention: LinkedMention) -> Meant:
    """What a mention is taken for."""
    return mention.taken, mention.without


def counts_of_members(conversation: Conversation, what: Meant, stopped: Callable[[], bool]) -> Iterator[MemberCounts]:
    """The counts of a meaning: its names at once, then with their numbers, unless `stopped` says so."""
    members = conversation.planner.members(*what)
    found = MemberCounts(members.stored)
    yield found
    stream = conversation.engine.stream
    with suppress(EhrtuiError):
        for rows, patients in stream(members.of_all, stopped):
            found = replace(found, rows=_number(rows), patients=_number(patients))
        counted = stream(members.of_each, stopped)
        each = {str(name): (_number(rows), _number(patients)) for name, rows, patients in counted}
        # What a concept leaves out by itself, or by a limit, is no member here.
        kept = tuple(one for one in members.stored if one.name in each or not one.rows)
        found = replace(found, stored=kept, each=each)
    yield found


def scope_words(conversation: Conversation, turn: PastTurn, logic: str, stopped: Callable[[], bool]) -> str:
    """What a question is about that leans on a turn, read as `logic`: `of A2: 15 patients`, or `from A2` where it
    changes what was asked there."""
    scope = conversation.planner.scope(turn, logic)
    if scope is None:
        return f"from A{turn.number}"
    number = scope.count
    with suppress(EhrtuiError):
        for (counted,) in conversation.engine.stream(scope.select, stopped) if scope.select else ():
            number = _number(counted)
    from ehrtui.logic.algebra.model import UNITS

    noun = scope.unit if scope.unit in UNITS else f"{scope.unit} record"
    return f"of A{turn.number}: {f'its {noun}s' if number is None else count(number, noun)}"


def _number(value: Scalar) -> int:
    return value if isinstance(value, int) else 0
