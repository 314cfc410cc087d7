"""What a language model costs: tokens, money, and a budget that stops."""

from __future__ import annotations

import threading
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ehrtui.errors import EgressError

LETTERS = 4
"""About so many letters are a token, where nobody counts them."""


@dataclass(frozen=True)
class Usage:
    """Tokens: `input` that were read, `cached` read from the cache, `written` to it, `output` that were written."""

    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.cached + other.cached,
            self.written + other.written,
            self.output + other.output,
        )

    def __sub__(self, other: Usage) -> Usage:
        return Usage(
            self.input - other.input,
            self.cached - other.cached,
            self.written - other.written,
            self.output - other.output,
        )

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.input + self.cached + self.written + self.output


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens that are read, and that are written. Reading from the cache costs a tenth,
    writing to it a quarter more."""

    input: float
    output: float

    def of(self, usage: Usage) -> float:
        """What it costs, in US dollars."""
        read = usage.input + 0.1 * usage.cached + 1.25 * usage.written
        return (read * self.input + usage.output * self.output) / 1e6


@cache
def price_of(model: str) -> Price | None:
    """The price of a model by the beginning of its name; None where it is not known (a local model's)."""
    data = tomllib.loads(Path(__file__).with_name("prices.toml").read_text(encoding="utf-8"))
    found = [name for name in data if model.startswith(name)]
    return Price(**data[max(found, key=len)]) if found else None


class Spending:
    """What a process has spent on a model so far; more than `budget` US dollars (None: any sum) it may not."""

    def __init__(self, model: str, budget: float | None = None) -> None:
        self.budget = budget
        self._price = price_of(model)
        self._usage = Usage()
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        """All tokens."""
        return self._usage

    def add(self, usage: Usage) -> None:
        """Count more tokens, from any thread."""
        with self._lock:
            self._usage += usage

    def cost(self, usage: Usage | None = None) -> float | None:
        """US dollars of all tokens, or of these; None where the price is not known."""
        return self._price.of(usage or self._usage) if self._price else None

    def check(self) -> None:
        """Raises EgressError where the budget is spent."""
        spent = self.cost()
        if self.budget is not None and spent is not None and spent >= self.budget:
            raise EgressError(
                f"The budget of ${self.budget:.2f} for language models is spent.",
                why=f"This session has cost ${spent:.4f} so far.",
                next_step="Raise it with --budget, or go on with the offline planner.",
            )
