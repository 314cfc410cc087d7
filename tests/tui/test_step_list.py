"""The steps of a plan, over the width that they have."""

from __future__ import annotations

from textual.app import App

from ehrtui.tui.widgets.step_list import StepList
from tests.tui.conftest import until

STEP = 'a_step_with_quite_a_long_name_{at} = SQLInterpreter("SELECT {at}")'


class StepsApp(App):
    CSS = "StepList { height: 5; width: 50; }"

    def compose(self):
        yield StepList()


def first(app):
    """The line of the first step, which stands below a rule."""
    return app.screen._compositor.render_strips()[1].text.rstrip()


async def test_names_are_cut_for_the_width_that_is_there_once_the_scrollbar_is_gone_or_has_come():
    app = StepsApp()
    async with app.run_test(size=(60, 10)) as pilot:
        steps = app.query_one(StepList)
        one, many = ("\n".join(STEP.format(at=at) for at in range(count)) for count in (1, 9))
        for plan, width in ((one, 49), (many, 48), (one, 49), (many, 48)):
            steps.show(plan, ())
            await until(pilot, lambda width=width: len(first(app)) == width)
        assert first(app).endswith("…")
