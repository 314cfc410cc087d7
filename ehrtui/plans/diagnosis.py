"""What the rubber duck says: the most probable cause of a failure, and a repair where there is one."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from ehrtui.engines.engine import Engine
from ehrtui.plans.tools import TOOLS, Tool

UNKNOWN = "unknown"
"""The cause of a failure that none of the known causes fits."""
AUTOMATIC = 0.5
"""From this confidence on, a repair may be made without asking."""


@dataclass(frozen=True)
class Facts:
    """What a diagnosis may look at: the database, the database now ("YYYY-MM-DD HH:MM:SS"), and what plans may call."""

    engine: Engine
    now: str
    tools: tuple[Tool, ...] = TOOLS


@dataclass(frozen=True)
class Diagnosis:
    """The most probable `cause`, as a short name, and in words (`text`) for a clinician.

    `repair` is the whole plan with the cause removed, None where there is no safe one; `confidence` in [0, 1] says how
    sure the cause and its repair are. `changes_value` where the repair asks for another value than the plan did, or
    looks for it elsewhere; `adds_join` where it ties another table to those that the plan reads, which may give other
    rows and more of them: that is for somebody to decide. `quotes_rows` where the text, the suggestions or the repair
    may hold a stored value.
    """

    cause: str
    text: str
    line: int | None = None
    repair: str | None = None
    confidence: float = 0.5
    suggestions: tuple[str, ...] = ()
    changes_value: bool = False
    quotes_rows: bool = False
    adds_join: bool = False

    @property
    def automatic(self) -> bool:
        """Whether the repair is sure enough to be made without asking."""
        return self.repair is not None and self.confidence >= AUTOMATIC and not self.adds_join

    def diff(self, plan: str) -> str:
        """What the repair changes in `plan`, as a unified diff; "" where there is no repair."""
        if self.repair is None:
            return ""
        lines = difflib.unified_diff(plan.splitlines(), self.repair.splitlines(), "plan", "repaired", lineterm="", n=1)
        return "\n".join(lines)
