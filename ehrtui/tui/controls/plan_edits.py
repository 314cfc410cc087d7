"""What the user changes in the plan of the turn or draft that is shown: its text, its reading, its repair."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ehrtui.conversation import completing
from ehrtui.errors import EhrtuiError
from ehrtui.tui.jobs import turns_of_query
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.logic.algebra.model import Condition
    from ehrtui.session.draft import Draft
    from ehrtui.tokens.decompose import Decomposition
    from ehrtui.tui.controls.one_job import OneJob
    from ehrtui.tui.controls.plan_runs import PlanRuns
    from ehrtui.tui.controls.second_looks import SecondLooks
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.view import ViewName


class PlanEdits:
    """Carries edits over to the other views, in a thread."""

    def __init__(
        self,
        screen: Screen[None],
        desk: Desk,
        showing: Showing,
        job: OneJob,
        runs: PlanRuns,
        second_looks: SecondLooks,
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing
        self._job = job
        self._runs = runs
        self._second_looks = second_looks

    @property
    def _panel(self) -> PlanPanel:
        return self._screen.query_one(PlanPanel)

    def edit(self, view: ViewName, text: str) -> None:
        """Carry an edit of one view of the shown plan over to the others."""
        desk = self._desk
        draft, origin = desk.base()
        if draft is not None and desk.running is None:
            in_thread(
                self._screen,
                lambda: desk.conversation.edit(draft, view, text),
                lambda edited: self._redrafted(edited, origin, view, text),
                lambda error: self._refused(error, view, text),
                group="edit",
            )

    def _redrafted(self, draft: Draft, origin: int | None, view: ViewName, text: str) -> None:
        """The other views follow, unless the user has typed on."""
        desk, panel = self._desk, self._panel
        if desk.running is not None:
            return
        same = panel.editor(view).text == text
        if same or panel.pending_edit() is None:
            desk.take(draft, origin)
            self._showing.show(view if same else None)
            if view == "logic" and draft.proposal.logic:
                self._second_looks.count(draft.proposal.logic)

    def _refused(self, error: EhrtuiError, view: ViewName, text: str) -> None:
        """Say why the other views cannot follow."""
        if self._panel.editor(view).text == text:
            self._panel.say(" ".join(part for part in (error.what, error.why) if part))

    def add(self, line: int, unit: str, text: str) -> None:
        """Add a criterion, written or said, at a line of the tree, where sets are of a unit."""
        from ehrtui.planning.follow.adding import criteria_of

        def read() -> tuple[Condition, ...]:
            return criteria_of(text, unit, lambda said: self._desk.conversation.propose(said, alone=True).proposal)

        in_thread(
            self._screen,
            read,
            lambda criteria: self._panel.logic_tree.add(line, criteria),
            lambda error: self._panel.logic_tree.say(" ".join(part for part in (error.what, error.why) if part)),
            group="criterion",
        )

    def restore(self) -> None:
        """Back to the plan as it was proposed."""
        if self._desk.restore():
            self._showing.show()

    def read_as(self, logic: str | None, front: str) -> None:
        """Understand the question in a way that the user chose, None: in the next one. A turn runs again with it at
        once, and a narrow screen shows the panel `front`."""
        desk = self._desk
        draft, _ = desk.base()
        if desk.busy:
            self._showing.busy()
        elif draft is not None:
            logic = logic or draft.next_reading
            if desk.turn() is None:
                self.edit("logic", logic)
            elif self._runs.run_again_with(("logic", logic)):
                self._showing.run(front)

    def repair(self, plan: str, *, from_rows: bool) -> None:
        """Run the repaired plan as an edit of the user's, which undo takes back."""
        if self._runs.run_repaired(plan, from_rows=from_rows):
            self._panel.editor("plan").follow(plan)
            self._showing.run()
        else:
            self._showing.busy()

    def complete(self, view: ViewName, before: str) -> None:
        """Offer what could stand at the end of `before`, a line of a view up to the cursor."""
        in_thread(
            self._screen,
            lambda: completing.offers(view, before, self._words[view], self._desk.conversation.planner.names),
            lambda offers: self._panel.offer(view, before, offers),
            self._showing.trouble,
            group="complete",
        )

    @cached_property
    def _words(self) -> dict[ViewName, tuple[completing.Offer, ...]]:
        conversation = self._desk.conversation
        return completing.vocabulary(conversation.engine.schema(), conversation.profile, conversation.tools)

    def decompose(self, sql: str) -> None:
        """Run a query as several turns."""
        conversation = self._desk.conversation
        self._job.start(
            "decomposing", lambda job: turns_of_query(conversation, sql), lambda found: self._decomposed(*found)
        )

    def _decomposed(self, decomposition: Decomposition, drafts: tuple[Draft, ...]) -> None:
        """Run the turns one after the other, or say why the query stays one."""
        unsplit = " ".join(decomposition.unsplit)
        if len(drafts) > 1:
            self._screen.notify(f"{len(drafts)} turns. {unsplit}", markup=False)
            self._runs.run_in_order(drafts)
        else:
            why = unsplit or "It has no query inside it that stands alone, and no clause that could come later."
            self._showing.trouble(EhrtuiError("This query is one turn already.", why=why))
