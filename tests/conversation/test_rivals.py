"""What other readings of a question would have answered: told where that is cheap, kept nowhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.rivals import Rival, beside, rivals_of
from ehrtui.conversation.start import start
from ehrtui.engines.running import never
from ehrtui.session.turn import Turn
from tests.small_mimic import NOW, build, chart_too

MANY = 150_000


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Conversation]:
    """Here potassium is a lab value of three patients and a vital sign of one, hemoglobin a vital sign that was charted
    too often to be looked at in passing."""
    directory = tmp_path_factory.mktemp("rivals")
    path = chart_too(build(directory / "small.sqlite"), "potassium")
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO d_items VALUES (98, 99002, 'hemoglobin', 'chartevents')")
        connection.execute(
            "WITH RECURSIVE n(at) AS (VALUES(1000) UNION ALL SELECT at + 1 FROM n LIMIT ?) INSERT INTO chartevents "
            "SELECT at, 102, 1003, 2002, 99002, '2104-03-06 01:00:00', at, 'g/dl' FROM n",
            (MANY,),
        )
    connection.close()
    opened = start(str(path), now=NOW, state=directory / "state", threshold=0.0)
    yield opened
    opened.close()


def rivals(talk: Conversation, turn: Turn, stopped=never) -> tuple[Rival, ...]:
    readings = talk.draft_of(turn.number).readings
    return rivals_of(turn, readings, talk.planner, talk.engine, talk.now, stopped)


def ask(talk: Conversation, question: str) -> Turn:
    return talk.run(talk.propose(question))


def test_a_single_value_is_held_against_the_one_that_was_answered(talk):
    turn = ask(talk, "how many patients had potassium?")
    assert talk.rows(turn.number, 0, 9) == [(3,)]
    assert rivals(talk, turn) == (
        Rival(
            'count patients with vital "potassium"', "How many patients had a potassium measurement?", 1, (1,), False
        ),
    )


def test_the_same_rows_are_said_to_be_the_same(talk):
    (rival,) = rivals(talk, ask(talk, "how many patients had potassium in 2104?"))
    assert (rival.value, rival.same) == ((1,), True)


def test_of_several_rows_only_their_number_is_told(talk):
    draft = talk.propose("which patients had potassium?")
    turn = talk.run(talk.edit(draft, "logic", draft.readings[1].logic))
    assert rivals(talk, turn) == (Rival(draft.readings[0].logic, draft.readings[0].sentence, 3, None, False),)


def test_of_one_row_that_says_who_only_the_number_is_told(talk):
    draft = talk.propose("which patients had potassium in 2104?")
    turn = talk.run(talk.edit(draft, "logic", 'patients with lab "potassium"'))
    others = [replace(draft.readings[0], logic='patients with vital "potassium"')]
    (rival,) = rivals_of(replace(turn, edited=False), others, talk.planner, talk.engine, talk.now, never)
    assert (rival.row_count, rival.value) == (1, None)


def test_the_reading_that_was_taken_is_none_of_the_others(talk):
    first = ask(talk, "how many patients had potassium?")
    draft = talk.draft_of(first.number)
    turn = talk.run(talk.edit(draft, "logic", draft.readings[1].logic))
    assert rivals(talk, turn) == (Rival(draft.readings[0].logic, draft.readings[0].sentence, 1, (3,), False),)


def test_what_takes_many_rows_is_not_told(talk):
    turn = ask(talk, "what was the hemoglobin of patient 102?")
    assert len(talk.draft_of(turn.number).readings) == 2
    assert rivals(talk, turn) == ()


def test_it_stops_where_somebody_waits(talk):
    turn = ask(talk, "what was the average hemoglobin of patient 102?")
    assert rivals(talk, turn, lambda: True) == ()
    (rival,) = rivals(talk, turn)
    assert rival.value == (1000 + (MANY - 1) / 2,)


def test_a_turn_that_builds_on_others_and_one_of_the_users_own_have_none(talk):
    first = ask(talk, "which patients had potassium?")
    assert rivals(talk, ask(talk, f"how many of A{first.number} had potassium?")) == ()
    assert rivals(talk, ask(talk, "SELECT 1")) == ()


def test_nothing_of_it_is_kept_nor_recorded(talk):
    turn = ask(talk, "what was the last potassium of patient 102?")
    results, recorded = talk.engine.results(), Path(talk.path).read_bytes()
    assert rivals(talk, turn)
    assert talk.engine.results() == results
    assert Path(talk.path).read_bytes() == recorded


def test_what_the_user_wrote_himself_has_no_rivals(talk):
    draft = talk.propose("how many patients had potassium?")
    turn = talk.run(talk.edit(draft, "logic", "count patients with death"))
    assert rivals(talk, turn) == ()


def test_figures_beside_each_other_tell_the_same_as_below_each_other():
    below = [("emergency", 4.5), ("elective", 2.0)]
    assert beside([(4.5, 2.0)], below)
    assert beside([(2.0, 4.5)], below), "in whatever order"
    assert not beside([(4.5, 3.0)], below)
    assert not beside([(4.5,)], [("emergency", 4.5)]), "one figure is the same or is not"
    assert not beside(below, below)
