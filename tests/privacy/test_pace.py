"""Requests leave on a grid of few moments, and there is an end to them."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import EgressError
from ehrtui.privacy.bounds import Bounds
from ehrtui.privacy.pace import MachineClock, Pace


@dataclass
class Clock:
    at: float = 100.0

    def now(self) -> float:
        return self.at

    def wait(self, until: float, stopped: threading.Event) -> None:
        if not stopped.is_set():
            self.at = until


def left(pace: Pace, clock: Clock, took: float) -> float:
    """How long after it began a request leaves behind work that took so long."""
    began = clock.at
    pace.touch()
    clock.at += took
    pace.leave(threading.Event())
    return clock.at - began


@pytest.mark.parametrize(
    ("took", "leaves"), [(0, 2), (0.1, 2), (1.9, 2), (2, 2), (2.1, 8), (8, 8), (8.1, 32), (100, 128)]
)
def test_a_request_leaves_on_the_grid(took: float, leaves: float) -> None:
    clock = Clock()
    assert left(Pace(2, clock), clock, took) == leaves


def test_a_question_never_gets_finer_again_and_the_next_one_does() -> None:
    clock = Clock()
    pace = Pace(1, clock)
    pace.begin()
    assert [left(pace, clock, took) for took in (0.5, 3, 0.5, 0.1)] == [1, 4, 4, 4]
    pace.begin()
    assert left(pace, clock, 0.5) == 1


def test_what_is_not_behind_any_work_leaves_at_once() -> None:
    clock = Clock()
    pace = Pace(1, clock)
    pace.leave(threading.Event())
    assert clock.at == 100
    assert left(pace, clock, 0.5) == 1
    pace.leave(threading.Event())
    assert clock.at == 101


@given(st.lists(st.floats(0.0, 0.9), min_size=1, max_size=4), st.lists(st.floats(0.0, 0.9), min_size=4, max_size=4))
def test_a_sum_of_times_is_not_told_either(some: list[float], others: list[float]) -> None:
    """Turns without a request between them: the request behind the last leaves as late, whatever each took."""

    def leaves(times: list[float]) -> float:
        clock = Clock()
        pace = Pace(1, clock)
        for took in times:
            pace.begin()
            pace.touch()
            clock.at += took
            pace.settle()
        pace.leave(threading.Event())
        return clock.at

    assert leaves(some) == leaves(others[: len(some)])


def test_to_ask_for_how_long_it_is_held_changes_nothing() -> None:
    clock = Clock()
    pace = Pace(1, clock)
    pace.touch()
    assert pace.held() == 1
    clock.at += 1.5
    assert pace.held() == 2.5
    assert left(pace, clock, 1) == 2.5


def test_who_stops_does_not_wait() -> None:
    stopped = threading.Event()
    stopped.set()
    pace = Pace(1e6, MachineClock())
    pace.touch()
    pace.leave(stopped)
    assert pace.held() > 1e5  # seconds, which have not passed


def test_without_a_grid_nobody_waits() -> None:
    clock = Clock()
    assert left(Pace(0, clock), clock, 5) == 5


def test_a_question_and_a_session_have_so_many_requests_and_no_more() -> None:
    bounds = Bounds(question=3, session=5)
    bounds.count(3)
    with pytest.raises(EgressError, match="asked 3 times about this question"):
        bounds.count()
    bounds.begin()
    assert bounds.left() == 2
    bounds.count(2)
    bounds.begin()
    with pytest.raises(EgressError, match="asked 5 times in this session"):
        bounds.count()
