"""The plan in three views that follow each other, and its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from ehrtui.tui.formatting import printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.view import LABELS, VIEWS, View, ViewName
from ehrtui.tui.widgets.editor import Editor
from ehrtui.tui.widgets.logic_tree import LogicTree
from ehrtui.tui.widgets.offers_list import OffersList
from ehrtui.tui.widgets.step_list import StepList
from ehrtui.tui.widgets.tab_line import TabLine

if TYPE_CHECKING:
    from textual.widgets import TextArea

    from ehrtui.conversation.completing import Offer
    from ehrtui.logic.algebra.tallies import Tally

# Which view to show where the one that is wanted is empty: SQL of the user's own stands in a Python plan of one call.
_FIRST: tuple[ViewName, ...] = ("logic", "sql", "plan")
PAUSE = 0.4
"""Seconds after the last keystroke until an edit is carried over to the other views."""
TYPING_PAUSE = 0.12
"""Seconds after a keystroke until completions are asked for."""


class PlanPanel(Vertical):
    """Logic, Python and SQL, each editable before the run."""

    BINDINGS = bindings("plan")
    DEFAULT_CSS = """
    PlanPanel {
        #note { height: auto; max-height: 3; padding: 0 1; color: $warning; display: none; }
        #note.-said { display: block; }
        #readings { height: auto; max-height: 7; padding: 0 1; background: $boost; display: none; }
        Editor, #diff { height: 1fr; min-height: 2; }
        #diff { scrollbar-size-vertical: 1; display: none; }
    }
    """

    @dataclass
    class Edited(Message):
        """The user changed one view, and paused."""

        view: ViewName
        text: str

    class Restored(Message):
        """The user wants the plan as it was proposed."""

    @dataclass
    class Decompose(Message):
        """The user wants the SQL as several turns."""

        sql: str

    class Stepped(Message):
        """The user wants the next step of the plan to run, and the plan to halt then."""

    @dataclass
    class Typed(Message):
        """The user typed in one view, and paused: `before` is the line up to the cursor."""

        view: ViewName
        before: str

    class NextReading(Message):
        """The user wants the next way to understand the question."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, classes="panel")
        self.border_title = "Plan"
        self._view: View | None = None
        self._chosen: ViewName = "logic"
        self._wanted: ViewName = "logic"
        self._differs = False
        self._pause: Timer | None = None
        self._typing: Timer | None = None

    def compose(self) -> ComposeResult:
        """The names of the views, a note, the readings, an editor for each view, of which one is shown, the logic's
        tree, and the steps."""
        yield TabLine(LABELS, self._chosen, id="views")
        yield Static(id="note")
        yield Static(id="readings")
        yield Editor("logic", id="logic")
        yield LogicTree(id="tree")
        yield Editor("python", id="plan")
        yield Editor("sql", id="sql")
        with VerticalScroll(id="diff", can_focus=True):
            yield Static()
        yield OffersList(id="offers")
        yield StepList(id="steps")

    def on_mount(self) -> None:
        """Begin with the logic."""
        self.choose("logic")

    def editor(self, view: ViewName) -> Editor:
        """The editor of a view."""
        return self.query_one(f"#{view}", Editor)

    @property
    def chosen(self) -> ViewName:
        """The view that is shown."""
        return self._chosen

    @property
    def steps(self) -> StepList:
        """The list of steps."""
        return self.query_one(StepList)

    def show(self, view: View, keep: ViewName | None = None, *, locked: bool = False) -> None:
        """Show a draft or a turn. After an edit of view `keep`, that editor is left as it is, and the others follow in
        a way that undo takes back. While it runs, a plan is `locked`: it cannot be edited."""
        self._view = view
        self.border_title = f"Plan · {view.title}"
        for name in VIEWS:
            self.editor(name).read_only = locked
            if keep is None:
                line = view.problem.line if name == "plan" and view.problem else None
                self.editor(name).put(view.texts[name], line)
            elif name == keep:
                self.editor(name).loaded = self.editor(name).text
            else:
                self.editor(name).follow(view.texts[name])
        self.steps.show(view.texts["plan"], view.steps, over=bool(view.steps))
        self._mark_lines()
        self._show_readings()
        self._show_tree()
        there = [name for name in (self._wanted, *_FIRST) if view.texts[name]]
        best = there[0] if keep is None and there else self._chosen
        if self._differs or best != self._chosen:
            self._turn_to(best)
        self._mark()

    def compare(self, view: View) -> None:
        """The same turn again, of which is known by now what its other readings would have answered."""
        self._view = view
        self._show_readings()
        self._show_tree()

    @property
    def logic_tree(self) -> LogicTree:
        """The tree of the logic."""
        return self.query_one(LogicTree)

    def recount(self, counts: Mapping[str, Tally]) -> None:
        """More is known of what the lines of the tree leave."""
        if self._view is not None:
            self._view = replace(self._view, counts=counts)
            self._show_tree()

    def _show_tree(self) -> None:
        """Show the logic as a tree below its text, where it has parts."""
        view, editor = self._view, self.editor("logic")
        shown = view is not None and self._chosen == "logic" and not self._differs
        stale = view is not None and "logic" in view.stale and not editor.edited
        logic = editor.text if shown and not stale else ""
        self.logic_tree.show(logic, view.counts if view is not None else {}, locked=editor.read_only)

    def on_logic_tree_changed(self, message: LogicTree.Changed) -> None:
        """The text follows the tree, as an edit that undo takes back."""
        message.stop()
        editor = self.editor("logic")
        editor.replace(message.logic, editor.document.start, editor.document.end)
        self.post_message(self.Edited("logic", message.logic))

    def on_logic_tree_undone(self, message: LogicTree.Undone) -> None:
        """Take the last change of the logic back, or make it again."""
        message.stop()
        editor = self.editor("logic")
        if message.again:
            editor.redo()
        else:
            editor.undo()
        self._show_tree()
        self._tell()

    def _show_readings(self) -> None:
        """Show how the question can be read, above its logic, where there is more than one way."""
        view, place = self._view, self.query_one("#readings", Static)
        place.display = view is not None and len(view.readings) > 1 and self._chosen == "logic" and not self._differs
        if view is not None and place.display:
            from ehrtui.tui.readings import readings_content

            place.update(readings_content(view))

    def revise(self, plan: str) -> None:
        """The rubber duck's repair runs now, in place of the plan that failed."""
        self.editor("plan").put(plan)
        self.steps.show(plan, ())
        self._mark_lines()

    def on_step_list_changed(self) -> None:
        """The signs of the steps stand beside their lines, too."""
        self._mark_lines()

    def _mark_lines(self) -> None:
        self.editor("plan").mark_lines(self.steps.marks())

    def say(self, text: str) -> None:
        """Put a note over the editor; "" takes it away."""
        note = self.query_one("#note", Static)
        note.set_class(bool(text), "-said")
        note.update(Content(printable(text).replace("␊", " ")))

    def _mark(self) -> None:
        view = self._view
        stale = view.stale if view else frozenset()
        notes: dict[str, str] = {}
        for name in VIEWS:
            if name in stale or self.editor(name).edited:
                notes[name] = " ≠" if name in stale else " ✎"
        self.query_one(TabLine).choose(self._chosen, notes)
        self.say(view.note(self._chosen) if view else "")
        self.refresh_bindings()

    def choose(self, view: ViewName) -> None:
        """Show one of the views from now on, where it is not empty, and keep the focus inside if it was."""
        self._wanted = view
        self._turn_to(view)

    def _turn_to(self, view: ViewName) -> None:
        had_focus = self.has_focus_within
        self._chosen = view
        self.query_one("#diff").display = self._differs
        if self._differs:
            self._show_diff()
        for name in VIEWS:
            self.editor(name).display = name == view and not self._differs
        self._show_readings()
        self._show_tree()
        self._mark()
        if had_focus:
            self.take_focus()

    def _show_diff(self) -> None:
        from ehrtui.tui.diffing import diff_content  # seldom asked for

        found = diff_content(self._proposed_text(), self.editor(self._chosen).text)
        shown = found if str(found) else Content.styled("As it was proposed.", "dim")
        self.query_one("#diff Static", Static).update(shown)

    def take_focus(self) -> None:
        """Into the editor that is shown, or to what differs."""
        self.screen.set_focus(self.query_one("#diff") if self._differs else self.editor(self._chosen))

    def choose_next(self) -> None:
        """The view after this one."""
        self.choose(VIEWS[(VIEWS.index(self._chosen) + 1) % len(VIEWS)])

    def on_tab_line_chosen(self, message: TabLine.Chosen) -> None:
        """A click on a view's name."""
        message.stop()
        self.choose(next(name for name in VIEWS if name == message.name))

    def pending_edit(self) -> Edited | None:
        """The edit in the shown view that nobody has been told yet."""
        editor = self.editor(self._chosen)
        return self.Edited(self._chosen, editor.text) if editor.edited else None

    def on_text_area_changed(self, message: TextArea.Changed) -> None:
        """Tell an edit after a pause; what was said of one that is undone is said no more."""
        message.stop()
        if self._pause is not None:
            self._pause.stop()
        if self._typing is not None:
            self._typing.stop()
        if self.pending_edit() is not None:
            self._pause = self.set_timer(PAUSE, self._tell)
            self._typing = self.set_timer(TYPING_PAUSE, self._complete)
            self._mark()
        elif self._pause is not None:
            self._pause = None
            self._mark()

    def _tell(self) -> None:
        if (edit := self.pending_edit()) is not None:
            self.post_message(edit)

    def _complete(self) -> None:
        editor = self.editor(self._chosen)
        if editor.has_focus:
            self.post_message(self.Typed(self._chosen, editor.before))

    def offer(self, view: ViewName, before: str, offers: tuple[Offer, ...]) -> None:
        """Offer completions of `before`, unless the user has typed on."""
        editor = self.editor(view)
        if editor.has_focus and editor.before == before:
            editor.offer(offers)

    def on_editor_chosen(self) -> None:
        """Show the offers of the editor."""
        editor = self.editor(self._chosen)
        self.query_one(OffersList).show(editor.offers, editor.at, self.size.width)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works now is offered."""
        if action == "restore":
            edited = self._view is not None and self._view.edited
            return edited or self.pending_edit() is not None
        if action == "next_reading":
            return self._view is not None and len(self._view.readings) > 1
        if action == "decompose":
            return self._sql_stands()
        if action == "undo":
            return bool(self.editor(self._chosen).history.undo_stack)
        if action == "redo":
            return bool(self.editor(self._chosen).history.redo_stack)
        if action == "step":
            return bool(self.steps.lines)
        if action == "diff":
            return self._differs or self._proposed_text() != self.editor(self._chosen).text
        return True

    def action_restore(self) -> None:
        """Take back every edit."""
        self.post_message(self.Restored())

    def _proposed_text(self) -> str:
        return self._view.proposed[self._chosen] if self._view else ""

    def action_diff(self) -> None:
        """Show what was changed since the plan was proposed, or the editor again."""
        self._differs = not self._differs
        self._turn_to(self._chosen)

    def action_step(self) -> None:
        """Run the next step."""
        self.post_message(self.Stepped())

    def on_text_area_selection_changed(self, message: TextArea.SelectionChanged) -> None:
        """The cursor of the steps goes along with the one in the plan."""
        message.stop()
        self.editor(self._chosen).forget_offers()
        if message.text_area.has_focus and message.text_area.id == "plan":
            self.steps.point(message.selection.end[0] + 1)

    def action_next_reading(self) -> None:
        """Understand the question in the next way."""
        self.post_message(self.NextReading())

    def action_decompose(self) -> None:
        """Make several turns of the SQL, with what was changed in it."""
        if self._sql_stands():
            self.post_message(self.Decompose(self.editor("sql").text))
        else:
            self.notify("This plan has no SQL of its own that could be decomposed.", severity="warning")

    def _sql_stands(self) -> bool:
        view = self._view
        return view is not None and "sql" not in view.stale and bool(self.editor("sql").text.strip())

    def action_undo(self) -> None:
        """Undo in the shown editor (which has the key itself; this is for the footer)."""
        self.editor(self._chosen).undo()

    def action_redo(self) -> None:
        """Redo in the shown editor (which has the key itself; this is for the footer)."""
        self.editor(self._chosen).redo()
