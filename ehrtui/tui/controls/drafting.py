"""From the text in the prompt to a draft: what is made of it while it is typed, and the plan when it is put."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError, LogicError
from ehrtui.tui.plotting import asks_to_draw_it, to_draw
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.welcome import Welcome
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.conversation.line_completion import LineCompletion
    from ehrtui.planning.proposal import Proposal
    from ehrtui.session.draft import Draft
    from ehrtui.tui.controls.meanings import Meanings
    from ehrtui.tui.controls.one_job import OneJob
    from ehrtui.tui.controls.panels import Panels
    from ehrtui.tui.controls.plan_runs import PlanRuns
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk

EXAMPLES = 5


class Questions:
    """Asks the planner, which answers in a thread."""

    def __init__(
        self,
        screen: Screen[None],
        desk: Desk,
        panels: Panels,
        showing: Showing,
        job: OneJob,
        runs: PlanRuns,
        meanings: Meanings,
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._panels = panels
        self._showing = showing
        self._job = job
        self._runs = runs
        self._meanings = meanings
        self._thinking = False
        self._loaded = False

    def prepare(self) -> None:
        """Let the planner get ready, and make up examples."""
        conversation = self._desk.conversation

        def work() -> tuple[str, ...]:
            conversation.planner.prepare()
            examples = conversation.planner.examples(EXAMPLES)
            # What is there now stays until the end: to look through it for garbage would hold up a key now and then.
            gc.collect()
            _give_back()
            gc.freeze()
            return examples

        welcome, model = self._screen.query_one(Welcome), conversation.language_model
        if model is None or model.missing is not None:
            welcome.say_what_a_model_adds()
        in_thread(self._screen, work, welcome.show, self._showing.trouble, group="prepare")

    def understand(self, text: str) -> None:
        """Show what `text` means, below it. While an answer is awaited, nothing more is asked."""
        if not text.strip():
            self._desk.begin_anew()
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
        """What `text` means, without the words that ask for a chart of it; in a thread. Who types will see a plan and
        run it, and what colours one and what runs one take long to load."""
        if not self._loaded:
            from ehrtui.tui.highlighting import spans

            spans("python", "'SELECT 1'")
            self._desk.conversation.prepare_to_run()
            self._loaded = True
        drawn = to_draw(text)
        return self._draft_of(drawn.question if drawn is not None else text).proposal

    def _draft_of(self, text: str) -> Draft:
        """The draft of `text` with what the user chose for its words, as far as that can be asked."""
        desk = self._desk
        choices, alone = desk.choices, desk.alone
        while True:
            try:
                return desk.conversation.propose(text, choices=choices, alone=alone)
            except LogicError:
                if not choices:
                    raise
                choices = choices[:-1]

    def _understood(self, text: str, proposal: Proposal) -> None:
        """Show it if the text is still there; if the user typed on, ask again."""
        self._thinking = False
        prompt = self._screen.query_one(Prompt)
        prompt.understand(text, proposal, alone=self._desk.alone)
        self._meanings.count()
        if prompt.text != text:
            self.understand(prompt.text)

    def _not_understood(self, error: EhrtuiError) -> None:
        self._thinking = False
        self._showing.trouble(error)

    def put(self, text: str) -> None:
        """Ask; with the same question as the draft's, or none, run the draft."""
        desk, text = self._desk, text.strip()
        if asks_to_draw_it(text) and desk.turn() is not None:
            self._screen.query_one(Prompt).remember(text)
            self._screen.query_one(AnswerPanel).plot()
        elif desk.busy:
            self._showing.busy()
        elif desk.draft is not None and text in ("", desk.draft.text):
            self._runs.run()
        elif (drawn := to_draw(text)) is not None:
            self._screen.query_one(AnswerPanel).draw_next(drawn)
            self._screen.query_one(Prompt).put(drawn.question)
            self.put(drawn.question)
        elif text and desk.conversation.language_model is None:
            in_thread(self._screen, lambda: self._draft_of(text), self._drafted, self._showing.trouble, group="ask")
        elif text:
            desk.heard = ""
            choices, alone = desk.choices, desk.alone
            self._job.start(
                "asking claude",
                lambda job: desk.conversation.ask(text, choices=choices, alone=alone),
                self._drafted,
            )

    def complete(self, before: str) -> None:
        """Offer what could stand at the end of `before`, the line of the prompt up to the cursor."""
        in_thread(
            self._screen,
            lambda: self._line.of(before),
            lambda offers: self._screen.query_one(Prompt).input.offer(before, offers),
            self._showing.trouble,
            group="complete",
        )

    @cached_property
    def _line(self) -> LineCompletion:
        from ehrtui.conversation.line_completion import LineCompletion

        return LineCompletion(self._desk.conversation)

    def put_again(self) -> None:
        """Understand what is in the prompt again, and its draft where there is one, since its words mean something else
        now."""
        desk, text = self._desk, self._screen.query_one(Prompt).text
        if desk.draft is not None and desk.draft.text == text.strip() and not desk.busy:
            in_thread(self._screen, lambda: self._draft_of(text), self._redrafted, self._showing.trouble, group="ask")
        self.understand(text)

    def _redrafted(self, draft: Draft) -> None:
        desk = self._desk
        if not desk.busy and desk.draft is not None and desk.draft.text == draft.text:
            desk.take(draft, desk.origin)
            self._showing.show()

    def _drafted(self, draft: Draft) -> None:
        """Show the plan; run it if it needs no look."""
        desk = self._desk
        if desk.busy:
            return
        desk.take(draft)
        if self._screen.query_one(PlanPanel).pending_edit() is not None:
            self._showing.show()  # what was typed into the plan of another turn is no edit of this one
            self._screen.notify("What was changed in the plan, and could not be read, is dropped.", severity="warning")
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
        self._desk.begin_anew()
        self._screen.query_one(Prompt).put("")
        self._panels.front = "answer"
        self._showing.show()


def _give_back() -> None:
    """Give the system back what was freed: to collect names takes some megabytes that nobody needs afterwards, and the
    C library would keep them."""
    with suppress(OSError, AttributeError, TypeError):  # other C libraries have no such function
        ctypes.CDLL(None).malloc_trim(0)
