from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import SessionError
from ehrtui.session import events

ANSWER: dict[str, Any] = {
    "columns": ("drug", "n"),
    "row_count": 2,
    "fingerprint": "2:0a",
    "sql": "SELECT 1",
    "seqsql": None,
    "confidence": 0.5,
    "elapsed_ms": 1.5,
}
EVERY_EVENT: list[events.Event] = [
    events.SessionStarted(1, "id", "a.sqlite", "f00", "generic", "2105-12-31 23:59:00", "offline", "2026-01-01"),
    events.QuestionAsked(1, "wie viele? ✓\n", "question"),
    events.PlanProposed(1, "offline", "answer = 1", None, "SELECT 1", 1, ("side", "effects"), "because"),
    events.PlanEdited(1, "sql", "SELECT 2", "answer = 2"),
    events.StepStarted(1, 1, 3, "x = 1"),
    events.StepFinished(1, 1, None, 0.5, None, "failed", True),
    events.ErrorTraced(1, "KeyError", "'x'", None, "y"),
    events.DuckExplained(1, "a typing error", ("furosemide",)),
    events.Answered(1, **ANSWER),
    events.Abstained(2, "two readings fit", **ANSWER),
    events.Failed(3, "TokenError", "no turn 9", 2.0),
    events.ResultSaved(1, ("drug", "n"), (("aspirin", 1), (None, 2.5))),
]

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@pytest.mark.parametrize("event", EVERY_EVENT, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_as_it_was_written(event: events.Event) -> None:
    assert events.from_json(json.loads(json.dumps(events.to_json(event)))) == event


@pytest.mark.parametrize("event", EVERY_EVENT, ids=lambda event: type(event).__name__)
def test_a_missing_field_is_an_error_and_a_new_one_is_not(event: events.Event) -> None:
    data = events.to_json(event)
    assert events.from_json({**data, "field_of_a_newer_version": 1}) == event
    required = [name for name in data if name not in ("event", "unexplained", "reason", "error", "suggestions")]
    del data[required[0]]
    with pytest.raises(SessionError):
        events.from_json(data)


@pytest.mark.parametrize("value", [True, "1", None, 1.5, [1], {}])
def test_a_field_of_a_wrong_type_is_an_error(value: object) -> None:
    data = events.to_json(events.QuestionAsked(1, "how many?", "question"))
    with pytest.raises(SessionError, match="turn"):
        events.from_json({**data, "turn": value})


@given(anything, st.sampled_from(EVERY_EVENT), st.data())
def test_no_json_is_more_than_an_event_or_a_clear_error(junk: object, event: events.Event, data: st.DataObject) -> None:
    record = events.to_json(event)
    record[data.draw(st.sampled_from(sorted(record)))] = junk
    for hostile in (junk, record):
        with suppress(SessionError):
            assert isinstance(events.from_json(hostile), events.Event)
