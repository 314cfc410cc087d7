"""Plans that fail are revised where the conversation is told to; what was revised is on record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.conversation.start import new_log
from ehrtui.session import events
from ehrtui.session.events import Answered, DuckExplained, ErrorTraced, Event, Failed, PlanRevised
from ehrtui.session.replay import replay
from ehrtui.session.saved import read_session
from ehrtui.session.turn import Turn
from tests.small_mimic import NOW

MISSPELT = 'answer = len(FilterDB(LoadDB("prescriptions"), "drug=asprin"))'
WRONG_CASE = 'answer = len(FilterDB(LoadDB("prescriptions"), "drug=ASPIRIN"))'


class Opened:
    """A conversation that repairs, with its events and its session file."""

    def __init__(self, path: Path, state: Path, *, repair: bool) -> None:
        self.database = open_database(str(path), now=NOW, profile=None, planner="offline", state=state)
        self.conversation = Conversation(
            self.database, threshold=0.0, log=new_log(self.database, state), repair=repair, release=self.database.close
        )
        self.events: list[Event] = []
        self.conversation.subscribe(self.events.append)

    def put(self, plan: str) -> Turn:
        return self.conversation.run(self.conversation.propose(plan, "plan"))


@pytest.fixture
def repairing(mimic_path: Path, tmp_path: Path) -> Iterator[Opened]:
    opened = Opened(mimic_path, tmp_path / "state", repair=True)
    yield opened
    opened.conversation.close()


@pytest.fixture
def explaining(mimic_path: Path, tmp_path: Path) -> Iterator[Opened]:
    opened = Opened(mimic_path, tmp_path / "state", repair=False)
    yield opened
    opened.conversation.close()


def test_a_failing_plan_is_revised_and_told(repairing: Opened) -> None:
    turn = repairing.put(MISSPELT)
    assert turn.decision == "answered"
    assert repairing.conversation.rows(1, 0, 9) == [(2,)]
    assert "drug=aspirin" in turn.plan
    assert [
        type(event) for event in repairing.events if isinstance(event, (ErrorTraced, DuckExplained, PlanRevised))
    ] == [
        ErrorTraced,
        DuckExplained,
        PlanRevised,
    ]
    revised = next(event for event in repairing.events if isinstance(event, PlanRevised))
    assert (revised.plan, revised.cause) == (turn.plan, "misspelt value")
    assert isinstance(repairing.events[-1], Answered)


def test_another_value_than_asked_for_lowers_the_confidence(repairing: Opened) -> None:
    assert repairing.put(MISSPELT).confidence < 1.0
    assert repairing.put(WRONG_CASE).confidence == 1.0


def test_later_turns_are_no_surer_than_a_repaired_one(repairing: Opened) -> None:
    first = repairing.put(MISSPELT.replace("len(", "(").replace("answer = (", "answer = ("))
    later = repairing.put('answer = SQLInterpreter("SELECT count(*) FROM (PREV_RESULT1)")')
    assert later.confidence == first.confidence < 1.0


def test_without_repairs_the_turn_fails_and_offers_one(explaining: Opened) -> None:
    turn = explaining.put(MISSPELT)
    assert turn.decision == "failed"
    assert turn.plan == MISSPELT
    assert turn.error is not None
    assert turn.error.diagnosis is not None
    assert "drug=aspirin" in str(turn.error.diagnosis.repair)
    assert turn.error.suggestions[0] == "aspirin"
    assert not any(isinstance(event, PlanRevised) for event in explaining.events)
    assert "diagnosis" not in turn.error.to_json()
    draft = explaining.conversation.edit(explaining.conversation.draft_of(1), "plan", str(turn.error.diagnosis.repair))
    assert explaining.conversation.rerun(1, draft).decision == "answered"


def test_a_replay_runs_the_plan_that_was_revised_last(repairing: Opened) -> None:
    repairing.put(MISSPELT)
    path = repairing.conversation.path
    assert path is not None
    saved = read_session(path)
    assert saved.turns[0].plan == MISSPELT
    assert "aspirin" not in path.read_text()  # a stored value that nobody wrote
    with closing(Conversation(repairing.database, threshold=0.0)) as fresh:
        assert [comparison.outcome for comparison in replay(saved, fresh)] == ["same"]


def test_near_values_stay_out_of_the_session_file(explaining: Opened) -> None:
    turn = explaining.put('answer = FilterDB(LoadDB("prescriptions"), "drug=xyzzy")')
    assert turn.error is not None
    assert "ceftriaxone" in turn.error.suggestions
    path = explaining.conversation.path
    assert path is not None
    assert "ceftriaxone" not in path.read_text()
    duck = next(event for event in explaining.events if isinstance(event, DuckExplained))
    assert "ceftriaxone" in duck.suggestions


def test_a_turn_that_stays_wrong_has_its_last_plan(repairing: Opened) -> None:
    turn = repairing.put('answer = FilterDB(LoadDB("perscriptions"), "drug=xyzzy")')
    assert turn.decision == "failed"
    assert 'LoadDB("prescriptions")' in turn.plan
    assert isinstance(repairing.events[-1], Failed)
    assert [type(event) for event in repairing.events].count(PlanRevised) == 1


def test_the_event_comes_back_from_a_file() -> None:
    event = PlanRevised(1, "answer = 2", "syntax")
    assert events.from_json(events.to_json(event)) == event


def test_the_users_own_sql_runs_as_it_is(repairing: Opened) -> None:
    turn = repairing.conversation.run(repairing.conversation.propose("SELECT drg FROM prescriptions", "sql"))
    assert turn.decision == "failed"
    assert turn.error is not None
    assert "drug" in turn.error.suggestions


@pytest.mark.parametrize(
    ("sql", "cause"),
    [
        ("SELECT * FROM (PREV_RESULT4)", "PREV_ token of a missing turn"),
        ("SELECT * FROM (PREV_RESULT2)", "PREV_ token of a missing turn"),
        ("PREV_QUERY1 OR 1", "PREV_ token out of place"),
        ("SELECT 1 WHERE 'f' IN (PREV_RESULT1)", "PREV_ token out of place"),
        ("SELECT * FROM (PREV_RESULT)", "PREV_ token out of place"),
        ("SELECT 'open FROM (PREV_RESULT1)", "unreadable SQL"),
    ],
)
def test_what_is_wrong_with_a_token_is_named_as_the_cause(repairing: Opened, sql: str, cause: str) -> None:
    repairing.put('answer = SQLInterpreter("SELECT subject_id, gender FROM patients")')
    repairing.put('answer = SQLInterpreter("SELECT nothing")')
    turn = repairing.put(f'answer = SQLInterpreter("{sql}")')
    assert turn.error is not None
    assert turn.error.diagnosis is not None
    assert turn.error.diagnosis.cause == cause


def test_an_answer_may_be_suspected(explaining: Opened) -> None:
    explaining.conversation.run(
        explaining.conversation.propose("SELECT count(*) FROM prescriptions WHERE drug = 'asprin'", "sql")
    )
    explaining.put("answer = 1")
    explaining.put("answer = 1 / 0")
    suspicion = explaining.conversation.suspicion(1)
    assert suspicion is not None
    assert suspicion.cause == "misspelt value"
    assert "drug = 'aspirin'" in str(suspicion.repair)
    assert explaining.conversation.suspicion(2) is None
    assert explaining.conversation.suspicion(3) is None
