"""The explorer: one conversation, shown in the panels. What the user does in one of them goes to who is in charge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from ehrtui.tui import messages
from ehrtui.tui.answer_rows import AnswerRows
from ehrtui.tui.boxes import open_over
from ehrtui.tui.controls.answer_view import AnswerView
from ehrtui.tui.controls.borders import Border, Borders
from ehrtui.tui.controls.cells import Cells
from ehrtui.tui.controls.cohorts import Cohorts
from ehrtui.tui.controls.drafting import Questions
from ehrtui.tui.controls.exports import Exports
from ehrtui.tui.controls.meanings import Meanings
from ehrtui.tui.controls.one_job import OneJob
from ehrtui.tui.controls.panels import TABS, Panels
from ehrtui.tui.controls.plan_edits import PlanEdits
from ehrtui.tui.controls.plan_runs import PlanRuns
from ehrtui.tui.controls.remarking import Remarking
from ehrtui.tui.controls.second_looks import SecondLooks
from ehrtui.tui.controls.sessions import Sessions
from ehrtui.tui.controls.showing import Showing
from ehrtui.tui.controls.touring import Touring
from ehrtui.tui.controls.turns import Turns
from ehrtui.tui.desk import Desk
from ehrtui.tui.keys import EVERYWHERE, bindings
from ehrtui.tui.layout import TOO_SMALL
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.confidence import ConfidencePanel
from ehrtui.tui.widgets.header_line import HeaderLine
from ehrtui.tui.widgets.hint_line import HintLine
from ehrtui.tui.widgets.key_line import KeyLine
from ehrtui.tui.widgets.logic_tree import LogicTree
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt, QuestionInput
from ehrtui.tui.widgets.result_table import ResultTable
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from ehrtui.tui.widgets.schema_tree import SchemaTree
from ehrtui.tui.widgets.step_list import StepList
from ehrtui.tui.widgets.tab_line import TabLine
from ehrtui.tui.widgets.tour_line import TourLine
from ehrtui.tui.widgets.turn_list import TurnList
from ehrtui.tui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from ehrtui.conversation.conversation import Conversation
    from ehrtui.schema.model import Schema
    from ehrtui.session.events import Event
    from ehrtui.session.saved import SavedSession
    from ehrtui.tui.keys import Key
    from ehrtui.tui.panel_sizes import PanelSizes

TICK = 0.1
"""Seconds between two looks at the clock while something runs."""


class Explorer(Screen[None]):
    """The panels of an open database, and the parts that work them."""

    BINDINGS = bindings(EVERYWHERE)
    AUTO_FOCUS = "#question"

    def __init__(
        self,
        conversation: Conversation,
        schema: Schema,
        hints: tuple[str, ...],
        last_session: Callable[[], SavedSession | None],
        earlier: Callable[[], tuple[tuple[str, str], ...]],
        resumed: SavedSession | None = None,
        *,
        sizes: PanelSizes,
        keep_sizes: Callable[[PanelSizes], object],
    ) -> None:
        super().__init__()
        self._resumed = resumed
        self._schema = schema
        self._hints = hints
        self.desk = desk = Desk(conversation)
        self.borders = Borders(self, sizes, keep_sizes)
        self._dragged: Border | None = None
        self.panels = Panels(self, desk, self.borders)
        rows = AnswerRows(conversation, desk.comparison, self._drop)
        clock = self.set_interval(TICK, self._tick, pause=True)
        self.showing = showing = Showing(self, desk, self.panels, rows, clock)
        self.second_looks = SecondLooks(self, desk, showing)
        self.runs = PlanRuns(self, desk, self.panels, showing, self.second_looks)
        self.job = OneJob(self, desk, showing)
        self.meanings = Meanings(self, desk, showing)
        self.questions = Questions(self, desk, self.panels, showing, self.job, self.runs, self.meanings)
        self.sessions = Sessions(self, desk, showing, self.job, self.second_looks, last_session)
        self.edits = PlanEdits(self, desk, showing, self.job, self.runs, self.second_looks)
        self.cohorts = Cohorts(self, desk, showing, self.runs)
        self.exports = Exports(self, desk, showing)
        self.remarking = Remarking(self, desk, showing)
        self.answers = AnswerView(self, desk, showing, rows, self.job, self.runs)
        self.turns = Turns(self, desk, showing, rows, earlier)
        self.touring = Touring(self, desk, self.panels)
        self.cells = Cells(self, desk, self.job, self.answers)

    def compose(self) -> ComposeResult:
        """Header, the panels, prompt and footer."""
        yield Static(TOO_SMALL, id="too-small")
        yield HeaderLine(id="header")
        with Horizontal(id="main"):
            yield SchemaTree(id="schema")
            with Container(id="columns"):
                with Vertical(id="right"):  # first, since a narrow screen has the turns above the answer
                    yield TurnList(id="conversation")
                    yield TabLine(TABS, self.panels.front, id="panel-tabs")
                    yield PlanPanel(id="plan")
                    yield DuckPanel(id="duck")
                    yield ConfidencePanel(id="confidence")
                with Vertical(id="middle"):
                    yield Welcome(id="welcome")
                    yield AnswerPanel(id="answer")
        yield TourLine(id="tour")
        yield HintLine(*self._hints, id="hint")
        yield Prompt(id="prompt")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Show the tables, listen to the conversation, and let the planner get ready."""
        conversation = self.desk.conversation
        self.query_one(SchemaTree).show(self._schema)
        conversation.subscribe(self._report)
        if (model := conversation.language_model) is not None:
            from ehrtui.tui.screens.consent import asker

            model.consents.ask = asker(self, lambda: self.desk.busy)
        self.query_one(AnswerPanel).ask_behind(self.answers.behind, self.answers.opens, self.answers.patient_column)
        self.showing.show()
        if self._resumed is not None:
            self.call_after_refresh(self.sessions.resume, self._resumed)
        else:
            self.call_after_refresh(self.sessions.offer)
        self.call_after_refresh(self.questions.prepare)  # it would take half of the time that the first frame needs

    def on_resize(self) -> None:
        """Arrange the panels for the new size."""
        self.panels.arrange()
        self.showing.tick()

    def _tick(self) -> None:
        self.showing.tick()

    def _drop(self, name: str) -> None:
        engine = self.desk.conversation.engine
        self.run_worker(lambda: engine.drop(name), group="drop", thread=True, exit_on_error=False)

    def _report(self, event: Event) -> None:
        self.call_later(self._happened, event)

    def _happened(self, event: Event) -> None:
        from ehrtui.session.events import PlanArriving

        if isinstance(event, PlanArriving):
            self.questions.hear(event.text)
        else:
            self.runs.happened(event)

    # The prompt, and what fills it

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        """While it is typed."""
        self.questions.understand(message.text)

    def on_prompt_asked(self, message: Prompt.Asked) -> None:
        """Enter."""
        self.questions.put(message.text)

    def on_question_input_completing(self, message: QuestionInput.Completing) -> None:
        """Tab."""
        self.questions.complete(message.before)

    def on_meanings_wanted(self) -> None:
        """What the words mean."""
        from ehrtui.tui.screens.meanings import MeaningsBox

        proposal = self.query_one(Prompt).proposal
        if proposal is not None and (proposal.mentions or proposal.paid):
            open_over(self, MeaningsBox(proposal, self.meanings, self.questions.put_again))

    def on_resume_wanted(self) -> None:
        """Go on with the last session."""
        self.sessions.resume_offered()

    def on_scope_toggled(self) -> None:
        """Without what it is about, or with it again."""
        self.desk.alone = not self.desk.alone
        self.questions.put_again()

    def on_answer_panel_asked_instead(self, message: AnswerPanel.AskedInstead) -> None:
        """A question that is offered in place of one that cannot be answered."""
        self.query_one(Prompt).put(message.question)
        self.questions.put(message.question)

    def on_descendant_focus(self) -> None:
        """The focus went to another panel."""
        self.panels.schema_left()

    def on_schema_tree_named(self, message: SchemaTree.Named) -> None:
        """A name of the schema."""
        self.query_one(Prompt).insert(message.name)

    def on_schema_tree_looked(self, message: SchemaTree.Looked) -> None:
        """What a table or a column holds."""
        from ehrtui.tui.screens.schema_look import SchemaLook

        look = SchemaLook(self.desk.conversation.engine, message.table, message.column)
        open_over(self, look, lambda question: self.query_one(Prompt).put(question) if question else None)

    def on_schema_tree_asked(self, message: SchemaTree.Asked) -> None:
        """A question about a table or a column."""
        self.query_one(Prompt).put(message.question)

    def on_turn_list_referred(self, message: TurnList.Referred) -> None:
        """The name of a turn, and a space: words come behind it."""
        self.query_one(Prompt).insert(f"A{message.number} ")

    def on_welcome_chosen(self, message: Welcome.Chosen) -> None:
        """An example."""
        self.query_one(Prompt).put(message.question)

    # The conversation

    def on_turn_list_selected(self, message: TurnList.Selected) -> None:
        """Show that turn everywhere."""
        self.desk.shown = message.number
        self.showing.show()

    def on_turn_list_opened(self) -> None:
        """Go to the answer of the turn that is shown."""
        self.panels.jump("answer")

    def on_turn_list_find(self) -> None:
        """Find a turn."""
        self.turns.find()

    def on_turn_list_label(self, message: TurnList.Label) -> None:
        """A name, a note, a place for a turn."""
        self.turns.label(message.number, message.what)

    def on_turn_list_name_session(self) -> None:
        """A name for the session."""
        self.sessions.name()

    def on_turn_list_fold(self, message: TurnList.Fold) -> None:
        """What was opened from a turn."""
        self.turns.fold(message.number)

    def on_turn_list_undo_label(self) -> None:
        """The last of these, taken back."""
        self.turns.undo_label()

    def on_turn_list_ask_anew(self, message: TurnList.AskAnew) -> None:
        """The question of a turn, to be changed."""
        self.turns.ask_anew(message.number)

    def on_turn_list_compare(self, message: TurnList.Compare) -> None:
        """Two turns side by side."""
        self.turns.compare(message.number)

    def on_turn_list_lineage(self, message: TurnList.Lineage) -> None:
        """What a turn builds on, and what builds on it."""
        self.turns.lineage(message.number)

    def on_earlier_wanted(self) -> None:
        """A question that was asked before."""
        self.turns.find_question()

    def on_turn_list_renew(self) -> None:
        """Run all stale turns again."""
        self.runs.renew()

    def on_turn_list_approve(self, message: TurnList.Approve) -> None:
        """Keep a turn in memory, or no longer."""
        self.second_looks.approve(message.number)

    def on_turn_list_judged(self, message: TurnList.Judged) -> None:
        """A turn is right, or wrong."""
        self.remarking.judge(message.number, message.right)

    def on_turn_list_decompose(self, message: TurnList.Decompose) -> None:
        """Show that turn, and make turns of its SQL."""
        self.on_turn_list_selected(TurnList.Selected(message.number))
        self.query_one(PlanPanel).action_decompose()

    # The answer

    def on_answer_panel_chosen(self, message: AnswerPanel.Chosen) -> None:
        """A reading of the question."""
        self.edits.read_as(message.logic, "answer")

    def on_answer_panel_opened(self, message: AnswerPanel.Opened) -> None:
        """What is behind a value."""
        self.answers.open(message.row, message.column)

    def on_answer_panel_patient_wanted(self, message: AnswerPanel.PatientWanted) -> None:
        """The patient of a row."""
        self.answers.show_patient(message.row, message.column)

    def on_answer_panel_cohort_wanted(self) -> None:
        """What can be asked of its patients or stays."""
        self.cohorts.open()

    def on_answer_panel_todo_wanted(self) -> None:
        """Its rows are to be ticked."""
        self.remarking.open_list()

    def on_answer_panel_export_wanted(self) -> None:
        """It is to be written to a file."""
        self.exports.open()

    def on_answer_panel_closed(self) -> None:
        """Back to where it was opened from."""
        self.answers.close()

    def on_arrange(self, message: messages.Arrange) -> None:
        """Sort or filter the rows."""
        self.answers.arrange(message.arrangement, message.what)

    def on_facet_wanted(self, message: messages.FacetWanted) -> None:
        """How a column is spread."""
        self.cells.facet(message.column)

    def on_tables_wanted(self, message: messages.TablesWanted) -> None:
        """The tables that hold a value."""
        self.cells.tables(message.column, message.value)

    def on_copy_wanted(self, message: messages.CopyWanted) -> None:
        """Copy rows."""
        self.answers.copy(message.read)

    def on_copied(self, message: messages.Copied) -> None:
        """Copy a value."""
        self.answers.copied(message)

    def on_result_table_read_failed(self, message: ResultTable.ReadFailed) -> None:
        """Rows could not be read."""
        self.showing.trouble(message.error)

    # The plan

    def on_plan_panel_edited(self, message: PlanPanel.Edited) -> None:
        """A view was changed."""
        self.edits.edit(message.view, message.text)

    def on_logic_tree_added(self, message: LogicTree.Added) -> None:
        """A criterion was written."""
        self.edits.add(message.line, message.unit, message.text)

    def on_plan_panel_typed(self, message: PlanPanel.Typed) -> None:
        """Something could be completed."""
        self.edits.complete(message.view, message.before)

    def on_plan_panel_restored(self) -> None:
        """Back to what was proposed."""
        self.edits.restore()

    def on_plan_panel_next_reading(self) -> None:
        """Read the question in the next way."""
        self.edits.read_as(None, "plan")

    def on_plan_panel_decompose(self, message: PlanPanel.Decompose) -> None:
        """Make turns of the SQL, as it is in the editor."""
        self.edits.decompose(message.sql)

    def on_plan_panel_stepped(self) -> None:
        """One step."""
        self.runs.step()

    def on_step_list_run_to(self, message: StepList.RunTo) -> None:
        """Up to a step."""
        self.runs.run_to(message.step)

    def on_step_list_run_from(self, message: StepList.RunFrom) -> None:
        """From a step on."""
        self.runs.run_from(message.line)

    def on_step_list_go_on(self) -> None:
        """To the end."""
        self.runs.go_on()

    def on_step_list_inspected(self, message: StepList.Inspected) -> None:
        """What a step gave."""
        self.runs.look(message.line)

    def on_duck_panel_changed(self) -> None:
        """There is something to explain, or no longer."""
        self.panels.arrange()

    def on_duck_panel_accepted(self, message: DuckPanel.Accepted) -> None:
        """A repair."""
        self.edits.repair(message.plan, from_rows=message.from_rows)

    def on_confidence_panel_threshold_moved(self, message: ConfidencePanel.ThresholdMoved) -> None:
        """Move tau."""
        self.desk.move_threshold(message.change)
        self.showing.confidence()
        self.showing.tick()

    def on_tab_line_chosen(self, message: TabLine.Chosen) -> None:
        """A click on a panel's name."""
        self.panels.jump(message.name)

    # The mouse on the borders between panels

    @property
    def allow_select(self) -> bool:
        """Textual's; who drags a border selects no text."""
        return super().allow_select and self.borders.at(*self.app.mouse_position) is None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the border that was hit."""
        self._dragged = self.borders.at(int(event.screen_x), int(event.screen_y))
        if self._dragged is not None:
            self.query_one("#main").capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Take it along."""
        if self._dragged is not None:
            self.borders.drag(self._dragged, int(event.screen_x), int(event.screen_y))
            self.panels.arrange()

    def on_mouse_up(self) -> None:
        """Leave it where it is."""
        if self._dragged is not None:
            self._dragged = None
            self.query_one("#main").release_mouse()

    # Keys that work everywhere

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works now is offered."""
        if self.has_class("-tiny"):
            return action in ("app.quit", "back")
        if not self.is_mounted:
            return False
        desk, panels = self.desk, self.panels
        if action == "back":
            away = panels.place() != "prompt" or panels.zoomed is not None or self.query_one(HintLine).hints
            return bool(away) or self.touring.at is not None or desk.busy or desk.draft is not None
        if action in ("resize", "resize_turns"):
            return self.borders.movable and not desk.empty
        if action == "hide":
            return panels.can_hide()
        if action == "run_again":
            return desk.can_run_again()
        return self.runs.can_run() if action == "run" else True

    def action_back(self) -> None:
        """The innermost thing that can be left: the run, the tour, the zoom, a panel, the draft. The hint goes with
        all but the first two."""
        desk, panels = self.desk, self.panels
        self.second_looks.rest()
        if desk.busy or self.query_one(AnswerPanel).waits:
            self._cancel()
            return
        if self.touring.at is not None:
            self.touring.end()
            return
        self.query_one(HintLine).say()
        if panels.zoomed is not None:
            panels.zoomed = None
            panels.arrange()
        elif panels.place() != "prompt":
            self.query_one(Prompt).take_focus()
        elif desk.draft is not None:
            self.questions.drop()

    def _cancel(self) -> None:
        self.runs.cancel()
        self.call_after_refresh(self.query_one(HintLine).say)  # all panels move up: that it stops is seen before

    def stop(self) -> bool:
        """Stop what runs; False where nothing does that was not told to stop already."""
        if self.desk.stopping or not (self.desk.busy or self.query_one(AnswerPanel).waits):
            return False
        self._cancel()
        return True

    def action_leader(self) -> None:
        """A command by its letter."""
        from ehrtui.tui.screens.leader import Leader

        open_over(self, Leader(), self._led)

    async def _led(self, key: Key | None) -> None:
        if key is not None:
            await self.run_action(key.action)

    def action_jump_mode(self) -> None:
        """Go to what is marked by a letter."""
        from ehrtui.tui.screens.jump_mode import JumpMode, spots

        open_over(self, JumpMode(spots(self)), lambda widget: widget.focus() if widget is not None else None)

    def action_run(self) -> None:
        """Run what is shown."""
        self.runs.run()

    def action_run_again(self) -> None:
        """Run the shown turn again under its number."""
        self.runs.run_again()

    def action_jump(self, panel: str) -> None:
        """Go to a panel."""
        self.panels.jump(panel)

    def action_zoom(self) -> None:
        """The focused panel takes the whole screen, or gives it back."""
        self.panels.zoom()

    def action_resize(self, by: int) -> None:
        """Move a border between panels."""
        self.panels.resize(by)

    def action_resize_turns(self, by: int) -> None:
        """Move the border between the turns and the plan."""
        self.panels.resize_turns(by)

    def action_hide(self) -> None:
        """Hide the focused panel."""
        self.panels.hide()

    def action_toggle_auto_run(self) -> None:
        """Run sure plans without being told to, or never."""
        self.desk.auto_run = not self.desk.auto_run
        self.showing.tick()

    def action_tour(self) -> None:
        """Begin the tour, or leave out one of its steps."""
        self.touring.go_on()

    def action_egress(self) -> None:
        """Show what left this machine."""
        from ehrtui.tui.screens.egress import Egress

        model = self.desk.conversation.language_model
        open_over(self, Egress(model.log.sent, str(model.spent)) if model else Egress((), ""))

    def action_help(self) -> None:
        """What the focused panel does, and every key."""
        from ehrtui.tui.screens.help import Help

        place = self.panels.place()
        open_over(self, Help("examples" if place == "welcome" else place))
