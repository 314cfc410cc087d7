"""Going on with a saved session: offered with one key, never taken uninvited; by an option, at once."""

from __future__ import annotations

from pathlib import Path

from ehrtui.conversation.resuming import resumed
from ehrtui.conversation.start import start
from ehrtui.session.saved import find_session, last_session, read_session, saved_sessions
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.prompt import Prompt
from tests.small_mimic import NOW
from tests.tui.conftest import ask, opened, seen, until

FIRST, SECOND = "how many patients were prescribed furosemide?", "which of those were prescribed aspirin?"


async def gone_on(app, pilot, turns: int):
    """The desk, when the last session has been gone on with and its turns have run."""
    await opened(pilot)
    await until(pilot, lambda: "last session" in seen(app))
    desk = app.screen.desk
    await pilot.press("ctrl+y")
    await until(pilot, lambda: len(desk.conversation.turns) == turns and not desk.busy)
    return desk


async def test_the_last_session_is_one_key_away_and_goes_on_as_if_it_had_not_ended(make_app, tmp_path: Path):
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        assert "last session" not in seen(app)
        await ask(pilot, FIRST)
        await ask(pilot, SECOND)
        before = [app.screen.desk.conversation.rows(number, 0, 9) for number in (1, 2)]
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "^Y goes on with your last session" in seen(app))
        desk = app.screen.desk
        assert not desk.conversation.turns
        await pilot.press("ctrl+y")
        await until(pilot, lambda: len(desk.conversation.turns) == 2 and not desk.busy)
        await until(pilot, lambda: app.screen.query_one(AnswerPanel).turn is not None)
        assert [desk.conversation.rows(number, 0, 9) for number in (1, 2)] == before
        assert [turn.question for turn in desk.conversation.turns] == [FIRST, SECOND]
        await ask(pilot, "how many are there in A2?")
        assert desk.conversation.rows(3, 0, 1) == [(len(before[1]),)]
        await pilot.press("ctrl+y")  # no longer offered
        assert len(desk.conversation.turns) == 3
    assert len(saved_sessions(tmp_path / "state")) == 2


async def test_what_was_opened_stands_where_it_stood_and_the_questions_are_recalled(make_app, tmp_path: Path):
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, FIRST)
        await pilot.press("f4", "enter")
        await until(pilot, lambda: "Answer · A1 ▸ A2 · 1 of 3 rows" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "Answer · A1 ▸ A2 ▸ A3" in seen(app))
        await pilot.press("f3", "up", "space")
        await until(pilot, lambda: "└ A2  +1 patients in A1" in seen(app))
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        desk = await gone_on(app, pilot, turns=3)
        await until(pilot, lambda: "Answer · A1 ▸ A2 ▸ A3" in seen(app))
        assert "└ A2  +1 patients in A1" in seen(app)
        assert [turn.depends_on for turn in desk.conversation.turns] == [(), (1,), ()]
        assert all(desk.conversation.draft_of(number).opened for number in (2, 3))
        await pilot.press("f4", "backspace")
        await until(pilot, lambda: "Answer · A1 ▸ A2 · 1 of 3 rows" in seen(app))
        await pilot.press("enter")  # it was opened already
        await until(pilot, lambda: "Answer · A1 ▸ A2 ▸ A3" in seen(app))
        await pilot.press("escape", "up")
        assert app.screen.query_one(Prompt).text == FIRST
        await pilot.press("up")
        assert app.screen.query_one(Prompt).text == FIRST
    assert len(saved_sessions(tmp_path / "state")) == 1  # nothing new was asked


async def test_a_session_that_was_gone_on_with_is_saved_whole_when_there_is_more_in_it(make_app, tmp_path: Path):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, FIRST)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await gone_on(app, pilot, turns=1)
        assert len(saved_sessions(tmp_path / "state")) == 1
        await pilot.press("f3", "p")
        await until(pilot, lambda: len(saved_sessions(tmp_path / "state")) == 2)
    latest, before = saved_sessions(tmp_path / "state")
    assert [turn.asked.text for turn in latest.turns] == [turn.asked.text for turn in before.turns] == [FIRST]
    assert [label.pinned for label in latest.labels] == [True]


def test_a_file_that_says_that_a_turn_was_opened_from_itself_is_read_all_the_same(mimic_path: Path, tmp_path: Path):
    talk = start(str(mimic_path), now=NOW, state=tmp_path / "state")
    talk.run(talk.propose(FIRST))
    talk.close()
    hostile = tmp_path / "hostile.jsonl"
    hostile.write_text(talk.path.read_text().replace('"opened_from":null', '"opened_from":1'))
    again = start(str(mimic_path), now=NOW, state=tmp_path / "state", save=False)
    assert len(list(resumed(read_session(hostile), again))) == 1
    assert again.draft_of(1).opened_from is None
    again.close()


async def test_a_session_is_named_and_goes_on_under_its_name(make_app, tmp_path: Path):
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, FIRST)
        await pilot.press("f3", "N")
        await pilot.press(*"a/b", "enter")
        await until(pilot, lambda: any("No session can be called a/b." in one.message for one in app._notifications))
        assert "session" not in seen(app).splitlines()[0]
        await pilot.press("N")
        await pilot.press(*"heart", "space", *"failure", "enter")
        await until(pilot, lambda: "session heart failure" in seen(app).splitlines()[0])
    (saved,) = saved_sessions(tmp_path / "state")
    assert saved.name == "heart failure"
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        desk = await gone_on(app, pilot, turns=1)
        await until(pilot, lambda: "session heart failure" in seen(app).splitlines()[0])
        await ask(pilot, SECOND)
    latest, before = saved_sessions(tmp_path / "state")
    assert (latest.name, len(latest.turns), before.name) == ("heart failure", 2, "heart failure")
    assert desk.conversation.path == find_session("Heart Failure", tmp_path / "state")


async def test_a_question_that_is_asked_instead_begins_a_session_of_its_own(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, FIRST)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "last session" in seen(app))
        await ask(pilot, "how many patients were prescribed aspirin?")
        await pilot.press("ctrl+y")
        assert len(app.screen.desk.conversation.turns) == 1


async def test_with_the_option_it_goes_on_at_once(make_app, mimic_path: Path, tmp_path: Path):
    talk = start(str(mimic_path), now=NOW, state=tmp_path / "state")
    talk.run(talk.propose(FIRST))
    talk.run(talk.edit(talk.propose(FIRST), "sql", "select max(subject_id) from patients"))
    talk.run(talk.propose("select nothing"))
    path, expected = talk.path, [talk.rows(number, 0, 1) for number in (1, 2)]
    talk.close()
    app = make_app(resume=lambda conversation: read_session(path))
    async with app.run_test(size=(120, 35)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Explorer) and len(app.screen.desk.conversation.turns) == 3)
        turns = app.screen.desk.conversation.turns
        assert [turn.decision for turn in turns] == ["answered", "answered", "failed"]
        assert [app.screen.desk.conversation.rows(number, 0, 1) for number in (1, 2)] == expected
        assert turns[0].confidence < 1
        assert turns[1].edited


def test_what_ran_is_what_runs_again_and_it_can_be_stopped(mimic_path: Path, tmp_path: Path):
    talk = start(str(mimic_path), now=NOW, state=tmp_path / "state")
    for question in (FIRST, SECOND, "select gender from patients"):
        talk.run(talk.propose(question))
    plans, fingerprint = [turn.plan for turn in talk.turns], talk.engine.fingerprint()
    talk.close()
    saved = last_session(fingerprint, tmp_path / "state")
    assert last_session("another", tmp_path / "state") is None
    again = start(str(mimic_path), now=NOW, state=tmp_path / "state", save=False)
    assert [turn.plan for turn in resumed(saved, again)] == plans
    again.close()
    halted = start(str(mimic_path), now=NOW, state=tmp_path / "state", save=False)
    assert len(list(resumed(saved, halted, lambda: len(halted.turns) == 2))) == 2
    halted.close()
