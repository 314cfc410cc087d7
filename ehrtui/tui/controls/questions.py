"""From the text in the prompt to a draft: what is made of it while it is typed, and the plan when it is put."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.welcome import Welcome
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.planning.proposal import Proposal
    from ehrtui.session.draft import Draft
    from ehrtui.tui.controls.one_job import OneJob
    from ehrtui.tui.controls.panels import Panels
    from ehrtui.tui.controls.plan_runs import PlanRuns
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk

EXAMPLES = 5


class Questions:
    """Asks the planner, which answers in a thread."""

    def __init__(
        self, screen: Screen[None], desk: Desk, panels: Panels, showing: Showing, job: OneJob, runs: PlanRuns
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._panels = panels
        self._showing = showing
        self._job = job
        self._runs = runs
        self._thinking = False
        self._colours = False

    def prepare(self) -> None:
        """Let the planner get ready, and make up examples."""
        conversation = self._desk.conversation

        def work() -> tuple[str, ...]:
            conversation.prepare()
            return conversation.planner.examples(EXAMPLES)

        in_thread(self._screen, work, self._screen.query_one(Welcome).show, self._showing.trouble, group="prepare")

    def understand(self, text: str) -> None:
        """Show what `text` means, below it. While an answer is awaited, nothing more is asked."""
        if self._thinking or not text.strip():
            return
        self._thinking = True
        in_thread(
            self._screen,
            lambda: self._propose(text),
            lambda proposal: self._understood(text, proposal),
            self._not_understood,
            group="understand",
        )

    def _propose(self, text: str) -> Proposal:
        """What `text` means; in a thread. Who types will see a plan, and what colours one takes long to load."""
        if not self._colours:
            from ehrtui.tui.highlighting import spans

            spans("python", "'SELECT 1'")
            self._colours = True
        return self._desk.conversation.propose(text).proposal

    def _understood(self, text: str, proposal: Proposal) -> None:
        """Show it if the text is still there; if the user typed on, ask again."""
        self._thinking = False
        prompt = self._screen.query_one(Prompt)
        prompt.understand(text, proposal)
        if prompt.text != text:
            self.understand(prompt.text)

    def _not_understood(self, error: EhrtuiError) -> None:
        self._thinking = False
        self._showing.trouble(error)

    def put(self, text: str) -> None:
        """Ask; with the same question as the draft's, or none, run the draft."""
        desk, text = self._desk, text.strip()
        if desk.busy:
            self._showing.busy()
        elif desk.draft is not None and text in ("", desk.draft.text):
            self._runs.run()
        elif text and desk.conversation.language_model is None:
            conversation = desk.conversation
            in_thread(
                self._screen, lambda: conversation.propose(text), self._drafted, self._showing.trouble, group="ask"
            )
        elif text:
            desk.heard = ""
            self._job.start("asking claude", lambda job: desk.conversation.ask(text), self._drafted)

    def _drafted(self, draft: Draft) -> None:
        """Show the plan; run it if it needs no look."""
        desk = self._desk
        if desk.busy:
            return
        desk.take(draft)
        if desk.runs_by_itself(draft):
            self._runs.run()
        else:
            self._panels.front = "answer" if desk.draft_offers() else "plan"
            self._showing.show()
            self._screen.query_one(Prompt).select(draft.text)

    def hear(self, text: str) -> None:
        """A language model writes."""
        desk = self._desk
        if desk.busy:
            if not desk.heard:
                self._panels.front = "answer"
            desk.heard += text
            self._screen.query_one(AnswerPanel).say(desk.heard, "Claude writes")
            self._panels.arrange()

    def drop(self) -> None:
        """Forget the draft."""
        self._desk.drop()
        self._screen.query_one(Prompt).put("")
        self._panels.front = "answer"
        self._showing.show()
