"""The prompt: a question, and below it, while it is typed, how it is understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.highlighter import Highlighter
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from ehrtui.tui.formatting import printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.member_counts import Meant, MemberCounts
from ehrtui.tui.understanding import NO_COUNTS, read_as, told_of_words
from ehrtui.tui.widgets.keys_in_order import do_own_binding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ehrtui.planning.proposal import Proposal

PAUSE = 0.08
"""Seconds after a keystroke until the planner is asked."""
LINE_END = "␊"
"""Stands for the end of a line of SQL where there is one line to type in."""


class Doubts(Highlighter):
    """Underlines the words that nothing explains, and those that the reading leaves out (`paid`); makes control
    characters visible."""

    def __init__(self) -> None:
        self.words: tuple[str, ...] = ()
        self.paid: tuple[str, ...] = ()

    def highlight(self, text: Text) -> None:
        """Mark `text` in place."""
        text.plain = printable(text.plain)
        lower = text.plain.lower()
        for words, style in ((self.paid, "underline"), (self.words, "underline bold")):
            for word in words:
                start = lower.find(word.lower())
                if start >= 0:
                    text.stylize(style, start, start + len(word))


class MeaningsWanted(Message):
    """The user wants to see what the words mean."""


class ScopeToggled(Message):
    """The user wants the question to stand alone, or no longer."""


class ResumeWanted(Message):
    """The user wants to go on with the session that is offered."""


class QuestionInput(Input):
    """One line for a question, with the questions before it."""

    BINDINGS = bindings("prompt")
    DEFAULT_CSS = """
    QuestionInput, QuestionInput:focus { border: none; padding: 0; height: 1; background: transparent; width: 1fr; }
    """

    def __init__(self) -> None:
        self.doubts = Doubts()
        super().__init__(
            placeholder="Ask about the patients in this database …",
            highlighter=self.doubts,
            id="question",
        )
        self.has_meanings = self.has_scope = self.has_session = False
        self._history: list[str] = []
        self._at = 0
        self._typed = ""

    async def on_key(self, event: events.Key) -> None:
        """In the order in which they were typed."""
        await do_own_binding(self, event)

    def on_paste(self, event: events.Paste) -> None:
        """Paste all lines; an input alone would keep the first and drop the rest in silence. Those of SQL stay lines,
        since a comment ends with its line; those of a question are joined."""
        from ehrtui.session.draft import kind_of

        event.stop()
        event.prevent_default()
        start, end = sorted(self.selection)
        lines = event.text.strip("\r\n").splitlines()
        whole = "\n".join([self.text[:start], *lines, self.text[end:]])
        self.replace((LINE_END if kind_of(whole) == "sql" else " ").join(lines), start, end)

    @property
    def text(self) -> str:
        """What is typed, in its lines."""
        return self.value.replace(LINE_END, "\n")

    def put(self, text: str) -> None:
        """Replace the text; the cursor goes to its end."""
        self.value = text.replace("\n", LINE_END)
        self.cursor_position = len(text)

    def remember(self, question: str) -> None:
        """Add a question to the history and empty the line; from the first on, no other session goes on here."""
        self.has_session = False
        if question not in self._history[-1:]:
            self._history.append(question)
        self._at = len(self._history)
        self.value = ""

    def action_older(self) -> None:
        """The question before."""
        if self._at == len(self._history):
            self._typed = self.text
        self._go(-1)

    def action_newer(self) -> None:
        """The question after; after the last one, what was being typed."""
        self._go(1)

    def _go(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._history))
        self.put(self._history[self._at] if self._at < len(self._history) else self._typed)
        self.refresh_bindings()

    def action_meanings(self) -> None:
        """What each word means here."""
        self.post_message(MeaningsWanted())

    def action_scope(self) -> None:
        """Of everybody; again: of what the earlier answer was about."""
        self.post_message(ScopeToggled())

    def action_resume(self) -> None:
        """Go on with the last session."""
        self.post_message(ResumeWanted())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """History keys work when there is a history; what tells of the understanding, when there is some to tell."""
        if action == "older":
            return self._at > 0
        if action == "newer":
            return self._at < len(self._history)
        if action == "meanings":
            return self.has_meanings
        if action == "resume":
            return self.has_session
        return self.has_scope if action == "scope" else True


class NamesLine(Static):
    """What the words mean; a click opens that."""

    def on_click(self) -> None:
        """What each word means here."""
        self.post_message(MeaningsWanted())


class Prompt(Vertical):
    """The question's line and, below it, the live understanding."""

    DEFAULT_CSS = """
    Prompt {
        height: 3;
        padding: 0 1;
        border-left: outer $panel;
        &:focus-within { border-left: outer $accent; }
        #understood { height: 1; text-overflow: ellipsis; text-wrap: nowrap; }
        #told { height: 1; text-overflow: ellipsis; text-wrap: nowrap; }
    }
    """

    @dataclass
    class Typed(Message):
        """The text changed, and the user paused for a moment."""

        text: str

    @dataclass
    class Asked(Message):
        """The user put the question."""

        text: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pause: Timer | None = None
        self.proposal: Proposal | None = None

    def compose(self) -> ComposeResult:
        """The input and the lines below it."""
        yield QuestionInput()
        yield Static(id="understood")
        yield NamesLine(id="told")

    @property
    def input(self) -> QuestionInput:
        """The input field."""
        return self.query_one(QuestionInput)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.input.text

    def take_focus(self) -> None:
        """Into the input."""
        self.screen.set_focus(self.input)

    def put(self, text: str) -> None:
        """Replace the text and go there."""
        self.input.put(text)
        self.take_focus()

    def select(self, text: str) -> None:
        """Mark the whole text, so that the next letter replaces it; not where it is no longer this one."""
        if self.text.strip() == text.strip():
            self.input.select_all()

    def take_over(self, other: QuestionInput) -> None:
        """Go on where the input of another prompt was left."""
        self.input.put(other.text)
        self.input.selection = other.selection
        self.take_focus()

    def insert(self, text: str) -> None:
        """Write at the cursor, with a space before it where one is needed."""
        before = self.text[: self.input.cursor_position]
        self.input.insert_text_at_cursor(text if not before or before.endswith(" ") else f" {text}")
        self.take_focus()

    def remember(self, question: str) -> None:
        """Add a question to the history and empty the prompt."""
        self.input.remember(question)
        self.understand("", None)

    def understand(self, text: str, proposal: Proposal | None, *, alone: bool = False) -> None:
        """Show what is made of `text`; None: nothing yet. Ignored when the text is no longer there. `alone` says that
        it was taken without what earlier turns were about."""
        if text != self.text:
            return
        self.proposal = proposal
        self.input.doubts.words = proposal.unexplained if proposal else ()
        self.input.doubts.paid = tuple(word.text for word in proposal.paid) if proposal else ()
        self.input.has_meanings = proposal is not None and bool(proposal.mentions or proposal.paid)
        self.input.has_scope = proposal is not None and (alone or proposal.scope is not None)
        self.input.refresh()
        self.tell()
        self.refresh_bindings()

    def tell(self, counts: Mapping[Meant, MemberCounts] = NO_COUNTS, scope: str = "") -> None:
        """Show what is understood, with what is known by now of its names and of what it is about."""
        proposal = self.proposal
        first = Content("") if proposal is None else read_as(proposal)
        second = Content("") if proposal is None else told_of_words(proposal, counts, scope)
        self.query_one("#understood", Static).update(first)
        self.query_one("#told", Static).update(second)

    def action_meanings(self) -> None:
        """What each word means here; from the command palette."""
        if self.input.has_meanings:
            self.input.action_meanings()

    def action_scope(self) -> None:
        """Of everybody, or not; from the command palette."""
        if self.input.has_scope:
            self.input.action_scope()

    def action_resume(self) -> None:
        """Go on with the last session; from the command palette."""
        if self.input.has_session:
            self.input.action_resume()

    def on_input_changed(self, message: Input.Changed) -> None:
        """Ask for the understanding after a short pause."""
        message.stop()
        if self._pause is not None:
            self._pause.stop()
        if not message.value.strip():
            self.understand(message.value, None)
            self.post_message(self.Typed(message.value))  # at once: what is typed next is another question
            return
        self._pause = self.set_timer(PAUSE, lambda: self.post_message(self.Typed(self.text)))

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Put the question."""
        message.stop()
        self.post_message(self.Asked(self.text))
