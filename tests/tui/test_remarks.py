"""What the user says of answers by key: right or wrong, rows that are done; and answers as files."""

from __future__ import annotations

from ehrtui.session.saved import read_session
from ehrtui.tui.screens.export_box import ExportBox
from ehrtui.tui.screens.reason_box import ReasonBox
from ehrtui.tui.screens.todo_box import TodoBox
from tests.tui.conftest import ask, opened, seen, type_text, until

NARROW = (80, 24)


async def test_remarks_are_kept_and_there_again_when_the_session_goes_on(make_app, tmp_path):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "who still needs an aspirin among the patients with chf nos?")
        explorer, conversation = app.screen, app.screen.desk.conversation
        await ask(pilot, "summarise the patients with chf nos")
        await pilot.press("f3", "minus")
        await until(pilot, lambda: isinstance(app.screen, ReasonBox))
        await type_text(pilot, "too few")
        await pilot.press("enter")
        await until(pilot, lambda: conversation.remarks.judged(conversation.turns[1]) is not None)
        await until(pilot, lambda: "⊖" in seen(app))
        await pilot.press("minus")
        await until(pilot, lambda: conversation.remarks.judged(conversation.turns[1]) is None)
        await pilot.press("plus")
        await until(pilot, lambda: isinstance(app.screen, ReasonBox))
        await pilot.press("enter")
        await until(pilot, lambda: "⊕" in seen(app))
        await pilot.press("f4", "w", "enter")
        await until(pilot, lambda: len(conversation.turns) == 3 and explorer.desk.running is None)
        await pilot.press("f4", "m")
        await until(pilot, lambda: isinstance(app.screen, TodoBox))
        await pilot.press("space")
        await until(pilot, lambda: "2 of 3 open" in seen(app))
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, ReasonBox))
        await type_text(pilot, "call them")
        await pilot.press("enter")
        await until(pilot, lambda: "✎ call them" in seen(app))
        await pilot.press("h")
        await until(pilot, lambda: "call them" not in seen(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is explorer)
        path = conversation.path
    saved = read_session(path)
    assert [(one.turn, one.right) for one in saved.judged] == [(2, True)]
    assert [(one.turn, one.row, one.state, one.note) for one in saved.marked] == [(3, 1, "done", "call them")]
    again = make_app()
    async with again.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await until(pilot, lambda: again.screen.query_one("Prompt").input.has_session)
        await pilot.press("ctrl+y")
        talk = again.screen.desk.conversation
        await until(pilot, lambda: len(talk.turns) == 3 and not again.screen.desk.busy)
        assert talk.remarks.marked(talk.turns[2])[1].state == "done"


async def test_an_answer_is_written_to_a_file(make_app, tmp_path):
    app = make_app()
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await opened(pilot)
        await ask(pilot, "patients with chf nos")
        explorer, path, missing = app.screen, tmp_path / "chf.csv", tmp_path / "missing" / "chf.csv"
        await pilot.press("f4", "e")
        await until(pilot, lambda: isinstance(app.screen, ExportBox))
        for name, why in ((tmp_path / "chf.xyz", "no form to export"), (missing, "No such file or directory")):
            app.screen.query_one("Input").value = str(name)
            await pilot.press("enter")
            await until(pilot, lambda why=why: why in " ".join(seen(app).split()))
            assert app.screen.query_one("Input").value == str(name)  # to be changed
        app.screen.query_one("Input").value = str(path)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is explorer)
        await until(pilot, lambda: any("is in" in str(one.message) for one in app._notifications))
        assert path.read_text().splitlines()[0] == "subject_id"
