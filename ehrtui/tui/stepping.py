"""A run that halts: between the thread of the plan, which asks, and the screen, which lets it go on."""

from __future__ import annotations

from collections.abc import Callable

TO_THE_END = 1_000_000
"""No plan has so many steps."""


class Stepper:
    """Lets the steps up to `through` (from 1; 0: none) begin, and halts before the next; `halted` is told where, in the
    plan's thread. `at` is the step that waits, None while the plan runs."""

    def __init__(self, through: int, halted: Callable[[int], object]) -> None:
        self.through = through
        self.at: int | None = None
        self._halted = halted

    def may_begin(self, step: int) -> bool:
        """The gate of the run."""
        if step <= self.through:
            self.at = None
            return True
        if self.at != step:
            self.at = step
            self._halted(step)
        return False
