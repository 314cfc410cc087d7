"""The desk's turn or draft in all panels, and what runs in the lines above and below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError, QueryCancelled
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.confidence import ConfidencePanel
from ehrtui.tui.widgets.header_line import HeaderLine
from ehrtui.tui.widgets.key_line import KeyLine
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from ehrtui.tui.widgets.turn_list import TurnList

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.timer import Timer

    from ehrtui.conversation.language_model import LanguageModel
    from ehrtui.session.turn import Turn
    from ehrtui.tui.answer_rows import AnswerRows
    from ehrtui.tui.controls.panels import Panels
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.view import ViewName


class Showing:
    """Every panel shows the same turn or draft. While anything runs, `clock` ticks."""

    def __init__(self, screen: Screen[None], desk: Desk, panels: Panels, rows: AnswerRows, clock: Timer) -> None:
        self._screen = screen
        self._desk = desk
        self._panels = panels
        self._rows = rows
        self._clock = clock

    def show(self, keep: ViewName | None = None) -> None:
        """Show the desk's turn or draft in all panels; `keep` is the view whose edit caused it."""
        desk, screen = self._desk, self._screen
        self.turns()
        screen.query_one(TurnList).mark(desk.shown)
        shown = desk.view()
        screen.query_one(DuckPanel).show(shown)
        self.confidence()
        if shown is not None:
            screen.query_one(PlanPanel).show(shown, keep, locked=desk.watching is not None)
        self.answer()
        self._panels.arrange()
        self.tick()
        screen.refresh_bindings()

    def run(self, front: str = "answer") -> None:
        """A turn has begun to run; a narrow screen shows the panel `front`."""
        self._panels.front = front
        self.show()
        self._clock.resume()

    def turns(self) -> None:
        """The lines of the conversation."""
        self._screen.query_one(TurnList).show(self._desk.entries())

    def confidence(self) -> None:
        """The confidence of what is shown, against tau."""
        conversation = self._desk.conversation
        panel = self._screen.query_one(ConfidencePanel)
        panel.show(self._desk.view(), conversation.threshold, conversation.estimator)

    def answer(self) -> None:
        """The answer of the turn, or what there is in its place."""
        desk, answer = self._desk, self._screen.query_one(AnswerPanel)
        turn, run = desk.turn(), desk.running
        if turn is not None and turn is answer.turn:
            return  # with the order and the filters that the user gave its rows
        self._rows.forget()
        if turn is not None:
            from ehrtui.session.told import told

            why = desk.conversation.draft_of(turn.number).unscored
            taught = desk.conversation.approvals.taught(turn)
            rows, path = self._rows.of(turn.number), desk.trail.to(turn.number)
            only_null = turn.order in desk.only_null
            rivals, note, how = desk.comparison.of(turn), desk.note(), told(turn, desk.conversation.profile)
            answer.show(turn, rows, how, rivals, why, taught=taught, only_null=only_null, path=path, note=note)
            answer.tell_patients(desk.patients.get(turn.order), desk.whose(turn))
        elif run is not None and run.arriving is not None:
            conversation = desk.conversation
            answer.show_arriving(run.draft.text, run.arriving, conversation.arriving_rows, conversation.first_rows)
        elif run is not None:
            answer.say("Running …", f"Answer · A{run.number}")
        elif desk.draft is not None:
            answer.say(desk.draft_words(), "Answer · draft", desk.draft_offers())

    def tick(self) -> None:
        """Show what runs, for how long; and the facts of the conversation."""
        desk, screen = self._desk, self._screen
        if desk.running is not None:
            self.turns()
            screen.query_one(PlanPanel).steps.tick(desk.conversation.tool_calls)
        screen.query_one(KeyLine).say(desk.doing or f"auto-run {'on' if desk.auto_run else 'off'}")
        conversation = desk.conversation
        model = conversation.language_model
        screen.query_one(HeaderLine).say(
            conversation.engine.label,
            *([f"session {conversation.name.text}"] if conversation.name.text else []),
            conversation.profile.name,
            f"now {conversation.now[:10]}",
            *_planners(conversation.planner.name, model, desk.turn()),
            f"egress {model.log.bytes if model else 0:,} B",
            f"τ {conversation.threshold:.2f}",
        )

    def began(self) -> None:
        """Something runs now: show how long, at once."""
        self._clock.resume()
        self.tick()

    def ended(self) -> None:
        """What ran is over."""
        self._clock.pause()

    def busy(self) -> None:
        """Say that one thing runs at a time."""
        self._screen.notify("Something is still running; Esc stops it.", severity="warning")

    def trouble(self, error: EhrtuiError) -> None:
        """Say what went wrong, which the rubber duck explains; or that it was stopped."""
        if isinstance(error, QueryCancelled):
            self._screen.notify("Stopped.", timeout=2)
            return
        self._screen.query_one(DuckPanel).explain(error)
        self._screen.notify(error.what, title="F7 says more", severity="error", markup=False)


def _planners(offline: str, model: LanguageModel | None, turn: Turn | None) -> tuple[str, ...]:
    """Who plans, who planned the `turn` that is shown, and what the language model has cost so far."""
    if model is None:
        return (offline,)
    facts = ["claude" if model.always else f"{offline}, then claude"]
    if turn is not None and turn.kind == "question":
        facts.append(f"A{turn.number} by {turn.proposal.planner}")
    spent = model.spent
    if spent.egress_bytes:
        facts.append(f"${spent.cost_usd:.4f}" if spent.cost_usd is not None else f"{spent.tokens:,} tokens")
    return tuple(facts)
