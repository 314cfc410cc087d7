"""The explorer: one conversation, shown in the panels, and how they hang together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.css.query import NoMatches
from textual.message import Message

from ehrtui.errors import EhrtuiError
from ehrtui.tui import messages
from ehrtui.tui.formatting import count
from ehrtui.tui.keys import EVERYWHERE, bindings
from ehrtui.tui.screens.planned import Planned
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.confidence import ConfidencePanel
from ehrtui.tui.widgets.duck import DuckPanel
from ehrtui.tui.widgets.header_line import HeaderLine
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.schema_tree import SchemaTree
from ehrtui.tui.widgets.turn_list import TurnList
from ehrtui.tui.widgets.welcome import Welcome
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.conversation.turn import Turn

NOTICE_SECONDS = 15


class Explorer(Planned):
    """Wires the panels to the desk: what the user does in one shows in the others."""

    BINDINGS = bindings(EVERYWHERE)
    AUTO_FOCUS = "#question"

    def __init__(self, label: str, open_conversation: Callable[[], Conversation], hint: str) -> None:
        super().__init__(hint)
        self._label = label
        self._open = open_conversation

    def on_mount(self) -> None:
        """Show the empty screen at once, and open the database behind it."""
        self.query_one(HeaderLine).say(self._label, "opening …")
        in_thread(self, self._opened, group="open", failed=messages.OpeningFailed)

    @property
    def is_empty(self) -> bool:
        """True before the first question."""
        return self.desk is None or not (self.desk.entries() or self.desk.heard)

    def on_resize(self) -> None:
        """Fit the header to the new width."""
        self.tick()

    # Opening

    def _opened(self) -> Message:
        conversation = self._open()
        return messages.Opened(conversation, conversation.engine.schema())

    async def on_opened(self, message: messages.Opened) -> None:
        """The database is open: show its tables, and let the planner get ready."""
        from ehrtui.tui.desk import Desk

        self.query_one(SchemaTree).show(message.schema)
        await self.query_one(PlanPanel).fill()
        await self.query_one(AnswerPanel).fill()
        self.hint(*message.conversation.notices)
        self.desk = desk = Desk(self, message.conversation)
        if (model := message.conversation.language_model) is not None:
            from ehrtui.tui.screens.consent import asker

            model.consents.ask = asker(self, lambda: desk.busy)
        self.desk.prepare()
        self._show()
        self.desk.understand(self.query_one(Prompt).text)

    def on_prepared(self, message: messages.Prepared) -> None:
        """The planner has examples."""
        self.query_one(Welcome).show(message.examples)

    # From the question to the answer

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        """Ask for the live understanding."""
        if self.desk is not None:
            self.desk.understand(message.text)

    def on_understood(self, message: messages.Understood) -> None:
        """Show it if the text is still there; if the user typed on, ask again."""
        prompt = self.query_one(Prompt)
        prompt.understand(message.text, message.proposal)
        if self.desk is not None:
            self.desk.understood()
            if prompt.text != message.text:
                self.desk.understand(prompt.text)

    def on_prompt_asked(self, message: Prompt.Asked) -> None:
        """Enter: ask; with the same question as the draft's, or none, run the draft."""
        desk, text = self.desk, message.text.strip()
        if desk is None:
            self.notify("The database is still being opened.", severity="warning")
        elif desk.busy:
            self.say_busy()
        elif desk.draft is not None and text in ("", desk.draft.text):
            self.action_run()
        elif text and desk.ask(text):
            self._started(True)

    def on_answer_panel_asked_instead(self, message: AnswerPanel.AskedInstead) -> None:
        """Ask a question that is offered in place of one that cannot be answered."""
        self.query_one(Prompt).put(message.question)
        self.on_prompt_asked(Prompt.Asked(message.question))

    def on_drafted(self, message: messages.Drafted) -> None:
        """Show the plan; run it if it needs no look."""
        desk = self.desk
        if desk is None or desk.busy:
            return
        desk.take(message.draft)
        if desk.runs_by_itself(message.draft):
            self.action_run()
        else:
            self.front = "answer" if desk.draft_offers() else "plan"
            self._show()

    def action_run(self) -> None:
        """Run what is shown, with an edit that was made a moment ago."""
        desk = self.desk
        if desk is None:
            return
        edit = self.query_one(PlanPanel).pending_edit()
        if desk.run((edit.view, edit.text) if edit else None) and desk.running is not None:
            self.query_one(Prompt).remember(desk.running.text)
            self._show_run()

    def action_run_again(self) -> None:
        """Run the shown turn again under its number, with what was changed in its plan."""
        desk = self.desk
        if desk is not None:
            edit = self.query_one(PlanPanel).pending_edit()
            if desk.run_again((edit.view, edit.text) if edit else None):
                self._show_run()

    def on_turn_list_renew(self) -> None:
        """Run all stale turns again."""
        if self.desk is not None and self.desk.renew():
            self._show_run()

    def on_turn_list_approve(self, message: TurnList.Approve) -> None:
        """Keep a turn in memory, or no longer."""
        if self.desk is not None:
            self.desk.approve(message.number)

    def on_approved(self, message: messages.Approved) -> None:
        """Say what memory holds now."""
        if self.desk is not None:
            self.query_one(TurnList).show(self.desk.entries())
            if (shown := self.desk.view()) is not None:
                self.query_one(PlanPanel).compare(shown)
                self.query_one(AnswerPanel).remember(shown.taught)
            said = f"Kept in memory, without values: {message.question}" if message.kept else "It is forgotten again."
            self.notify(said, title=f"A{message.number}", markup=False)

    def on_happened(self, message: messages.Happened) -> None:
        """Steps show as they run."""
        from ehrtui.conversation.events import (
            Notice,
            PlanArriving,
            PlanRevised,
            RowsArriving,
            RowsReady,
            StepFinished,
            StepStarted,
        )

        event, desk, panel = message.event, self.desk, self.query_one(PlanPanel)
        watching = desk is not None and desk.running is not None and desk.turn() is None
        if isinstance(event, StepStarted) and watching:
            panel.steps.started(event)
        elif isinstance(event, StepFinished) and watching:
            panel.steps.finished(event)
        elif isinstance(event, PlanRevised) and watching:
            panel.revise(event.plan)
        elif isinstance(event, RowsArriving | RowsReady) and desk is not None and desk.running is not None:
            desk.arriving = event
            if watching:
                self._show_answer(desk)
        elif isinstance(event, PlanArriving) and desk is not None and desk.busy:
            if not desk.heard:
                self.front = "answer"
            desk.heard += event.text
            self.query_one(AnswerPanel).say(desk.heard, "Claude writes")
            self.arrange_panels()
        elif isinstance(event, Notice):
            self.notify(event.text, severity="warning", timeout=NOTICE_SECONDS, markup=False)

    def on_turn_ended(self, message: messages.TurnEnded) -> None:
        """Show what came of it, unless the user looks at another turn by now."""
        self.clock.pause()
        desk = self.desk
        if desk is None:
            return
        desk.ended()
        desk.suspect(message.turn)
        desk.compare(message.turn)
        if desk.from_line is not None:
            self.say_reused(desk.from_line, message.turn)
        if desk.shown == message.turn.number:
            self._show()
        else:
            self.query_one(TurnList).show(desk.entries())
            self.tick()
        self._go_on(message.turn)

    def _go_on(self, turn: Turn) -> None:
        """Run what is to run next. What waits builds on this turn, so that nothing runs after a failure."""
        desk = self.desk
        if desk is None:
            return
        stopped = turn.error is not None and turn.error.type == "Cancelled"
        stale = ", ".join(f"A{number}" for number in desk.stale())
        if (desk.waiting and turn.decision == "answered" and desk.run_waiting()) or (
            desk.renewing and not stopped and desk.renew()
        ):
            self._show_run()
        elif desk.waiting:
            left, desk.waiting = count(len(desk.waiting), "turn"), ()
            self.notify(f"A{turn.number} was not answered: {left} after it did not run.", severity="warning")
        elif turn.number < len(desk.conversation.turns):
            desk.renewing = False
            left_as = f"A{turn.number} is as it was. " if stopped else ""
            if stale or left_as:
                self.notify(f"{left_as}{f'Stale now: {stale}. F3, then s runs them again.' if stale else ''}")

    def on_run_refused(self, message: messages.RunRefused) -> None:
        """The run did not begin: say why, and keep the draft."""
        self.clock.pause()
        if self.desk is not None:
            self.desk.refused(message.draft, message.origin)
            self._show()
            self.say_trouble(message.error)

    def on_suspected(self, message: messages.Suspected) -> None:
        """The rubber duck says what looks wrong, if the turn is still shown."""
        desk = self.desk
        if desk is not None:
            desk.doubt(message.order, message.doubt)
            if (turn := desk.turn()) is not None and turn.order == message.order:
                self.query_one(DuckPanel).show(desk.view())
                if message.doubt is not None and not self.query_one(DuckPanel).display:
                    self.notify("F7 says why.", title=f"A{turn.number} ran, but looks wrong", timeout=3)

    # Decomposing

    def on_turn_list_decompose(self, message: TurnList.Decompose) -> None:
        """Show that turn, and make turns of its SQL."""
        self.on_turn_list_selected(TurnList.Selected(message.number))
        self.query_one(PlanPanel).action_decompose()

    def on_decomposed(self, message: messages.Decomposed) -> None:
        """Run the turns one after the other, or say why the query stays one."""
        desk, unsplit = self.desk, " ".join(message.decomposition.unsplit)
        if desk is None:
            return
        if len(message.drafts) < 2:
            why = unsplit or "It has no query inside it that stands alone, and no clause that could come later."
            self.say_trouble(EhrtuiError("This query is one turn already.", why=why))
            return
        self.notify(f"{len(message.drafts)} turns. {unsplit}", markup=False)
        desk.waiting = message.drafts
        desk.run_waiting()
        self._show_run()

    # Other panels

    def on_turn_list_selected(self, message: TurnList.Selected) -> None:
        """Show that turn everywhere."""
        if self.desk is not None:
            self.desk.shown = message.number
            self._show()

    def on_turn_list_referred(self, message: TurnList.Referred) -> None:
        """Name the turn in the prompt."""
        self.query_one(Prompt).insert(f"A{message.number}")

    def on_schema_tree_named(self, message: SchemaTree.Named) -> None:
        """Put a name of the schema into the prompt."""
        self.query_one(Prompt).insert(message.name)

    def on_welcome_chosen(self, message: Welcome.Chosen) -> None:
        """Put an example into the prompt."""
        self.query_one(Prompt).put(message.question)

    def on_confidence_panel_threshold_moved(self, message: ConfidencePanel.ThresholdMoved) -> None:
        """Move tau."""
        if self.desk is not None:
            self.desk.move_threshold(message.change)
            self._show_confidence(self.desk)
            self.tick()

    # Keys that work everywhere

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works now is offered."""
        if self.has_class("-tiny"):
            return action in ("app.quit", "back")
        desk = self.desk
        if action == "back":
            away = self.place() != "prompt" or self.zoomed is not None or self.hinted
            return bool(away) or (desk is not None and (desk.busy or desk.draft is not None))
        if action == "run_again":
            return desk is not None and desk.can_run_again()
        if action != "run":
            return True
        if desk is None or desk.busy:
            return False
        try:
            pending = self.query_one(PlanPanel).pending_edit() is not None
        except NoMatches:
            return False
        return pending or (desk.draft is not None and desk.turn() is None)

    def action_back(self) -> None:
        """The innermost thing that can be left: the run, the zoom, a panel, the draft. The hint goes with any."""
        desk = self.desk
        self.dismiss_hints()
        if desk is not None and (desk.busy or self.query_one(AnswerPanel).waits):
            desk.cancel()
            self.tick()
        elif self.zoomed is not None:
            self.zoomed = None
            self.arrange_panels()
        elif self.place() != "prompt":
            self.query_one(Prompt).take_focus()
        elif desk is not None and desk.draft is not None:
            desk.drop()
            self.query_one(Prompt).put("")
            self.front = "answer"
            self._show()

    def action_toggle_auto_run(self) -> None:
        """Run sure plans without being told to, or never."""
        if self.desk is not None:
            self.desk.auto_run = not self.desk.auto_run
            self.tick()

    def action_egress(self) -> None:
        """Show what left this machine."""
        from ehrtui.tui.screens.egress import Egress

        model = self.desk.conversation.language_model if self.desk else None
        self.app.push_screen(Egress(model.log.sent, str(model.spent)) if model else Egress((), ""))

    def action_help(self) -> None:
        """What the focused panel does, and every key."""
        from ehrtui.tui.screens.help import Help

        self.app.push_screen(Help("examples" if self.place() == "welcome" else self.place()))
