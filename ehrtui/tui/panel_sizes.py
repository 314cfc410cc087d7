"""How the user has parted the screen: what the panels take of it, and which are hidden, kept in a file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE = "panels.json"
"""The file of the state directory that holds them."""
MAX_BYTES = 1_000
LEAST_SCHEMA, LEAST_SIDE, LEAST_ANSWER = 16, 30, 38
"""Columns below which a panel tells nothing any more."""
SCHEMA = 28
"""Columns that the sheet gives the schema."""
LEAST_TURNS, LEAST_PLAN, AROUND = 4, 8, 6
"""Lines below which the turns and the plan tell nothing, and those of the screen that neither ever has."""

SIZES, WANTED = ("schema", "side", "turns"), ("with_schema", "with_turns", "with_plan")


@dataclass(frozen=True)
class PanelSizes:
    """Columns of the `schema` and of the `side` (turns, plan, confidence), lines of the `turns` above the plan; None as
    they come. `with_…` says whether a panel is wanted where there is room for it."""

    schema: int | None = None
    side: int | None = None
    turns: int | None = None
    with_schema: bool = True
    with_turns: bool = True
    with_plan: bool = True


def kept_sizes(state: Path) -> PanelSizes:
    """The sizes that were kept last; those that come by themselves where none were, or where they cannot be read."""
    try:
        with (state / FILE).open(encoding="utf-8") as file:
            told = json.loads(file.read(MAX_BYTES))
    except (OSError, ValueError):
        return PanelSizes()
    if not isinstance(told, dict):
        return PanelSizes()
    schema, side, turns = (told.get(name) if type(told.get(name)) is int else None for name in SIZES)
    with_schema, with_turns, with_plan = (told.get(name) is not False for name in WANTED)
    return PanelSizes(schema, side, turns, with_schema, with_turns, with_plan)


def keep_sizes(state: Path, sizes: PanelSizes) -> None:
    """Keep the sizes; where that cannot be written, they are for this time."""
    try:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        (state / FILE).write_text(json.dumps(asdict(sizes)) + "\n", encoding="utf-8")
    except OSError:
        return


def schema_within(wanted: int, width: int) -> int:
    """Columns of the schema, as near to the wanted ones as a screen of `width` columns has room for."""
    return max(min(wanted, (width - LEAST_ANSWER) // 2), LEAST_SCHEMA)


def side_within(wanted: int, width: int, schema: int) -> int:
    """Columns of what stands beside the answer, as near to the wanted ones as there is room for on a screen of `width`
    columns, of which the `schema` has some."""
    return max(min(wanted, width - schema - LEAST_ANSWER), LEAST_SIDE)


def lines_within(wanted: int, height: int) -> int:
    """Lines of the turns, as near to the wanted ones as a screen of `height` lines has room for above the plan."""
    return max(min(wanted, height - AROUND - LEAST_PLAN), LEAST_TURNS)
