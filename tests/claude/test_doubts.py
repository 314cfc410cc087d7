"""How sure an answer to a model's plan is: by its steps, by other readings of the question, by what it says itself."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest

import ehrtui.schema
from ehrtui.errors import CaseError
from ehrtui.logic.written import written
from ehrtui.planning.claude.prompts import EXAMPLES_OF_LOGIC, examples_of, worked_example
from ehrtui.schema.profile import read_profile
from ehrtui.session import events
from ehrtui.session.turn import Turn
from tests.claude import models
from tests.claude.conftest import Scene, Talking
from tests.claude.server import Model, Status, Text, in_turn
from tests.small_mimic import NOW

SHIPPED = Path(ehrtui.schema.__file__).parent / "profiles"
PROFILES = sorted(path.name for path in SHIPPED.glob("*.toml"))
QUESTION = "how many patients were prescribed furosemide?"
RIGHT = "SELECT COUNT(DISTINCT subject_id) FROM prescriptions WHERE drug = 'furosemide'"


def ask(scene: Scene, question: str = QUESTION) -> Turn:
    return scene.conversation.run(scene.conversation.ask(question))


def doubts(turn: Turn) -> dict[str, float]:
    return {doubt.kind: doubt.amount for doubt in turn.doubts}


def test_an_answer_that_the_offline_planner_gives_too_is_surer(talking: Talking) -> None:
    with talking(models.sql_of(RIGHT)) as scene:
        agreed = ask(scene)
    with talking(models.sql_of("SELECT 4711")) as scene:
        disputed = ask(scene)
    assert doubts(agreed) == {}
    assert set(doubts(disputed)) == {"unsteady", "disputed"}
    assert disputed.confidence < agreed.confidence
    assert "the offline planner's reading gives other rows" in [doubt.sentence for doubt in disputed.doubts]


def test_silence_of_other_readings_does_not_lower_the_confidence(talking: Talking) -> None:
    with talking(models.sql_of("SELECT 4711")) as scene:
        assert set(doubts(ask(scene, "how many relapses did anybody mention at breakfast?"))) == {"unsteady"}


def test_agreement_in_more_columns_and_other_digits_is_agreement(talking: Talking) -> None:
    more = "SELECT 'women and men' AS who, 3.0000000001 AS n, 7 AS other"
    with talking(models.sql_of(more)) as scene:
        assert doubts(ask(scene)) == {}


def test_a_reading_with_words_left_over_disputes_nothing(talking: Talking) -> None:
    with talking(models.sql_of("SELECT 4711")) as scene:
        turn = ask(scene, "how many patients were prescribed furosemide by the zealous registrar?")
    assert "disputed" not in doubts(turn)


def test_the_logic_beside_a_plan_is_shown_where_it_fits_and_disputes_nothing_elsewhere(talking: Talking) -> None:
    question = "how often did anybody come back after a relapse?"
    for query, fits in ((models.COUNT, True), ("SELECT COUNT(*) + 9 FROM admissions", False)):
        with talking(in_turn(models.plan(f'answer = SQLInterpreter("{query}")', "Logic: count patients"))) as scene:
            turn = ask(scene, question)
        assert turn.proposal.logic == ("count patients" if fits else None)
        assert "disputed" not in doubts(turn)


def test_a_name_of_logic_in_another_case_is_the_stored_one(talking: Talking) -> None:
    logic = 'Logic: count patients with prescription "FuroSemide"'
    with talking(in_turn(models.plan(f'answer = SQLInterpreter("{RIGHT}")', logic))) as scene:
        turn = ask(scene, "how often was the zealous water tablet given?")
        assert turn.proposal.logic is not None
        assert doubts(turn) == {}


def test_logic_that_makes_no_sense_changes_nothing(talking: Talking) -> None:
    with talking(in_turn(models.plan(f'answer = SQLInterpreter("{models.COUNT}")', "Logic: <TEXT_9> )("))) as scene:
        assert "disputed" not in doubts(ask(scene, "how many relapses were there?"))


def test_logic_alone_is_an_answer(talking: Talking) -> None:
    with talking(in_turn(Text('Logic: count of (patients with prescription "furosemide")'))) as scene:
        turn = ask(scene, "how often was the zealous water tablet given?")
        assert (turn.decision, turn.proposal.planner) == ("answered", "claude")
        assert scene.conversation.rows(1, 0, 9) == [(3,)]
        assert turn.proposal.logic == 'count of (patients with prescription "furosemide")'


def test_logic_alone_that_cannot_be_compiled_is_asked_for_again(talking: Talking) -> None:
    with talking(in_turn(Text("Logic: count of (unicorns)"), models.sql(RIGHT))) as scene:
        assert ask(scene).decision == "answered"
        assert "cannot be compiled" in scene.server.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize("profile", PROFILES)
def test_the_examples_of_the_prompt_compile(profile: str) -> None:
    """Of the shipped profiles, each says most of them; those that it cannot say are left out of its prompt."""
    known = read_profile(SHIPPED / profile)
    examples = list(examples_of(known))
    assert len(examples) >= 8
    from_table = re.findall(r"FROM (\w+)", worked_example(known, logic=True))
    assert len(from_table) == 1
    assert from_table[0] not in known.views  # which is no table: it would not run
    said = worked_example(known, logic=True).split("Logic: ")[1].splitlines()[0].replace("<NUMBER_1>", "2")
    assert written(said, known, now=NOW, turns={}).steps


def test_every_example_of_the_prompt_is_of_a_profile() -> None:
    said = {question for profile in PROFILES for question, _ in examples_of(read_profile(SHIPPED / profile))}
    assert said == {question for question, _ in EXAMPLES_OF_LOGIC}


@pytest.mark.parametrize(
    ("levels", "doubt", "asked"),
    [((4, 0), 0, 1), ((0, 4), 1, 1), ((3, 3, 1), 0.25, 2), ((3, 1, 2, 2), 0.5, 3), ((2, 4, 0), 0.25, 2)],
)
def test_the_model_is_asked_how_sure_it_is_once_to_three_times(
    talking: Talking, levels: tuple[int, ...], doubt: float, asked: int
) -> None:
    with talking(models.judging(models.sql_of("SELECT 4711", 3), *levels), samples=3) as scene:
        turn = ask(scene, "how many relapses were there?")
        assert doubts(turn).get("unjudged", 0) == doubt
        assert [event.why for event in scene.events if isinstance(event, events.EgressSent)][1:] == [
            "how sure it is"
        ] * asked
        assert turn.to_json(1, None)["egress_bytes"] == sum(map(len, scene.server.bodies))
        first, last = scene.server.requests[0], scene.server.requests[-1]
        assert last["system"] == first["system"]  # it sits in the conversation that is cached
        assert last["messages"][: len(first["messages"])] == first["messages"]
        assert "The answer has one row." in last["messages"][-1]["content"]


@pytest.mark.parametrize("query", [RIGHT, "SELECT 1 WHERE 0", "SELECT NULL", "SELECT 0"])
def test_where_readings_agree_or_nothing_is_found_it_is_not_asked(talking: Talking, query: str) -> None:
    with talking(models.judging(models.sql_of(query, 3), 0), samples=3) as scene:
        ask(scene)
        assert len(scene.server.bodies) == 1


@pytest.mark.parametrize(("stated", "asked", "shown"), [(9, False, True), (3, True, False), (0, False, False)])
def test_it_is_asked_where_its_word_decides_whether_the_answer_is_shown(
    talking: Talking, stated: float, asked: bool, shown: bool
) -> None:
    with talking(models.judging(models.sql_of("SELECT 4711", stated), 0), samples=3) as scene:
        turn = ask(scene, "how many relapses were there?")
        assert len(scene.server.bodies) == 1 + asked
        assert (turn.decision == "answered") == shown


def test_a_level_that_is_none_does_not_count_and_none_at_all_is_said(talking: Talking) -> None:
    with talking(models.judging(models.sql_of("SELECT 4711", 3), 7, "four", 4), samples=3) as scene:
        assert "unjudged" not in doubts(ask(scene))
    with talking(models.judging(models.sql_of("SELECT 4711", 3), "x"), samples=2) as scene:
        assert doubts(ask(scene))["unjudged"] == 0.25
        assert "does not say how sure it is" in "".join(e.text for e in scene.events if isinstance(e, events.Notice))


def test_where_the_server_fails_meanwhile_the_answer_stays(talking: Talking) -> None:
    with talking(in_turn(models.sql("SELECT 4711", 3), Status(400)), samples=3) as scene:
        turn = ask(scene)
        assert turn.proposal.planner == "claude"
        assert scene.conversation.rows(1, 0, 1) != []
        assert doubts(turn)["unjudged"] == 0.25


def test_what_is_told_of_an_answer_is_its_shape_alone(talking: Talking) -> None:
    many = "SELECT patients.subject_id, 'Dr Zhivago' || hadm_id AS who, '2101-01-01' FROM admissions, patients"
    with talking(models.judging(models.sql_of(many, 3), 4), samples=1) as scene:
        ask(scene)
        told = scene.server.requests[-1]["messages"][-1]["content"]
        assert "The answer has many rows." in told
        assert "Zhivago" not in told


@pytest.mark.parametrize(
    ("type", "query", "told"),
    [
        ("number", "SELECT 4711", "one row. It is said to be of type number: it is."),
        ("number", "SELECT 'x'", "one row. It is said to be of type number: it is not."),
        ("number", "SELECT 1, 2", "one row. It is said to be of type number: it is not."),
        ("text", "SELECT 'x'", "one row. It is said to be of type text: it is."),
        ("yes/no", "SELECT 3 > 4", "one row. It is said to be of type yes/no: it is."),
        ("yes/no", "SELECT 2", "one row. It is said to be of type yes/no: it is not."),
        ("time", "SELECT '2101-01-01'", "one row. It is said to be of type time: it is."),
        ("list", "SELECT subject_id FROM patients", "a few rows. It is said to be of type list: it is."),
        ("number", "SELECT 1 UNION SELECT 2", "a few rows. It is said to be of type number: it is not."),
        ("secret", "SELECT 4711", "one row."),
    ],
)
def test_of_an_answer_it_is_told_how_many_rows_and_whether_its_type_holds(
    talking: Talking, type: str, query: str, told: str
) -> None:
    plan = models.plan(f'answer = SQLInterpreter("{query}")  # Confidence: 3', f"Type: {type}")
    with talking(models.judging(in_turn(plan), 4), samples=1) as scene:
        ask(scene, "how many relapses were there?")
        assert f"The answer has {told} You cannot" in scene.server.requests[-1]["messages"][-1]["content"]


def test_with_privacy_off_the_first_rows_are_told(talking: Talking) -> None:
    with talking(models.judging(models.sql_of("SELECT 4711", 3), 4), samples=1, privacy=False) as scene:
        ask(scene)
        assert "4711" in json.dumps(scene.server.requests[-1]["messages"]).split("first rows")[1]


def test_the_plan_that_ran_counts_not_the_one_before_it(talking: Talking) -> None:
    with talking(models.mending) as scene:
        assert doubts(ask(scene, "how many relapses were there?"))["unsteady"] == pytest.approx(0.3)


def test_what_builds_on_a_withheld_answer_is_judged_by_itself_once_that_is_accepted(talking: Talking) -> None:
    later = models.sql("SELECT COUNT(*) FROM PREV_RESULT1")
    with talking(in_turn(models.sql("SELECT subject_id FROM patients", 0), later, later, later)) as scene:
        first = ask(scene, "who came back after a relapse?")
        assert first.decision == "abstained"
        before = ask(scene, "how many relapses is that?")
        assert (before.decision, before.confidence) == ("abstained", first.confidence)
        with suppress(CaseError):  # it has no case: the offline planner knows no relapse
            scene.conversation.approvals.approve(first, scene.conversation.draft_of(1))
        after = ask(scene, "how many relapses is that?")
        assert after.decision == "answered"


def test_a_plan_that_states_no_confidence_is_half_sure(talking: Talking) -> None:
    model: Model = in_turn(Text('```python\nanswer = SQLInterpreter("SELECT 1")\n```'))
    with talking(model) as scene:
        assert doubts(ask(scene))["unsteady"] == 0.5
