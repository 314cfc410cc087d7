"""Functions that SQLite's own program has and its library lacks: medians, percentiles, deviations, regular expressions.

They are spelled as there (`median`, `percentile`, `regexp`) or as other databases do (`stddev`, `variance`), and can be
stopped as any statement: none takes long in one call.
"""

from __future__ import annotations

import heapq
import math
import sqlite3
from array import array
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

from ehrtui.engines.patterns import PatternError, pattern_of

_RUN = 65_536
"""So many values are sorted at a time: a sort cannot be stopped."""
_MOST_VALUES = 50_000_000
_LONGEST_TEXT = 1_000_000
_LONGEST_PATTERN = 1_000
_NEARLY = 1e-9
"""What the share of a number of rows may miss a whole number by."""


class FunctionError(Exception):
    """A function was given what it does not take; what is wrong, in words and without any value."""


class Functions:
    """Those of one connection. SQLite says of their errors only that there was one: `trouble` keeps the last one, ""
    for none."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.trouble = ""
        define, gather = connection.create_function, connection.create_aggregate
        define("regexp", 2, self._telling(_found), deterministic=True)
        define("regexpi", 2, self._telling(partial(_found, any_case=True)), deterministic=True)
        for name, arguments, made in _AGGREGATES:
            gather(name, arguments, self._told(made))

    def _telling(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except FunctionError as error:
                self.trouble = str(error)
                raise

        return called

    def _told(self, made: Callable[[], Any]) -> Any:
        def aggregate() -> Any:
            gathered = made()
            gathered.step, gathered.finalize = self._telling(gathered.step), self._telling(gathered.finalize)
            return gathered

        return aggregate


def _found(pattern: Any, text: Any, any_case: bool = False) -> int | None:
    if pattern is None or text is None:
        return None
    if not isinstance(pattern, str) or len(pattern) > _LONGEST_PATTERN:
        raise FunctionError(f"A pattern of REGEXP is a text of up to {_LONGEST_PATTERN:,} characters.")
    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    if len(text) > _LONGEST_TEXT:
        raise FunctionError(f"REGEXP reads texts of up to {_LONGEST_TEXT:,} characters.")
    try:
        return int(pattern_of(pattern, any_case).found_in(text))
    except PatternError as error:
        raise FunctionError(f"The pattern of REGEXP cannot be read: {error}.") from error


class _Deviation:
    """Variance or deviation of a sample or of all values (B. P. Welford, 1962); NULL of too few."""

    def __init__(self, *, sample: bool, root: bool) -> None:
        self._least, self._root = int(sample), root
        self._count, self._mean, self._squares = 0, 0.0, 0.0

    def step(self, value: Any) -> None:
        """One more value; NULL is none."""
        number = _number(value)
        if number is None:
            return
        self._count += 1
        before = number - self._mean
        self._mean += before / self._count
        self._squares += before * (number - self._mean)

    def finalize(self) -> float | None:
        """The result."""
        if self._count <= self._least:
            return None
        variance = self._squares / (self._count - self._least)
        return math.sqrt(variance) if self._root else variance


class _Percentile:
    """The value below which a share of all values lies: `whole` is what the share is given of (100 or 1), None for the
    median. Between two values it is interpolated; a `discrete` one is the first that so many values do not exceed."""

    def __init__(self, *, whole: float | None, discrete: bool = False) -> None:
        self._whole, self._discrete = whole, discrete
        self._share: float | None = None
        self._runs: list[array[float]] = []
        self._run: array[float] = array("d")

    def step(self, value: Any, share: Any = None) -> None:
        """One more value; NULL is none."""
        wanted = 0.5 if self._whole is None else self._of(_number(share))
        if self._share not in (None, wanted):
            raise FunctionError("A percentile has one share for all values.")
        self._share = wanted
        number = _number(value)
        if number is None:
            return
        self._run.append(number)
        if len(self._run) == _RUN:
            self._end_run()

    def finalize(self) -> float | None:
        """The result."""
        count = len(self._run) + _RUN * len(self._runs)
        if not count or self._share is None:
            return None
        self._end_run()
        if self._discrete:
            place = float(max(0, math.ceil(self._share * count - _NEARLY) - 1))
        else:
            place = self._share * (count - 1)
        low = math.floor(place + _NEARLY)
        near = list(islice(heapq.merge(*self._runs), low, low + 2))
        return near[0] + max(0.0, place - low) * (near[-1] - near[0]) if place - low > _NEARLY else near[0]

    def _end_run(self) -> None:
        self._runs.append(array("d", sorted(self._run)))
        self._run = array("d")
        if _RUN * len(self._runs) > _MOST_VALUES:
            raise FunctionError(f"A percentile is taken of at most {_MOST_VALUES:,} values.")

    def _of(self, share: float | None) -> float:
        if share is None or not 0 <= share <= (self._whole or 1):
            raise FunctionError(f"The share of this percentile lies between 0 and {self._whole:g}.")
        return share / (self._whole or 1)


def _number(value: Any) -> float | None:
    """A number, also one that is stored as text."""
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if math.isnan(number):
        raise FunctionError("A median, percentile or deviation is taken of numbers, and not all of these are.")
    return number


_AGGREGATES: tuple[tuple[str, int, Callable[[], Any]], ...] = (
    ("median", 1, partial(_Percentile, whole=None)),
    ("percentile", 2, partial(_Percentile, whole=100)),
    ("percentile_cont", 2, partial(_Percentile, whole=1)),
    ("percentile_disc", 2, partial(_Percentile, whole=1, discrete=True)),
    *((name, 1, partial(_Deviation, sample=True, root=True)) for name in ("stddev", "stdev", "stddev_samp")),
    ("stddev_pop", 1, partial(_Deviation, sample=False, root=True)),
    *((name, 1, partial(_Deviation, sample=True, root=False)) for name in ("variance", "var_samp")),
    ("var_pop", 1, partial(_Deviation, sample=False, root=False)),
)
