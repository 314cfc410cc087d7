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
from ehrtui.tui.widgets.keys_in_order import do_own_binding

if TYPE_CHECKING:
    from ehrtui.planning.proposal import Link, Proposal

PAUSE = 0.08
"""Seconds after a keystroke until the planner is asked."""
LINE_END = "␊"
"""Stands for the end of a line of SQL where there is one line to type in."""
_WORDS_OF_GRAMMAR = frozenset({"role", "verb", "field", "want"})
"""Links that say how the question is built; the logic shows that already."""


class Doubts(Highlighter):
    """Underlines the words that nothing explains, and makes control characters visible."""

    def __init__(self) -> None:
        self.words: tuple[str, ...] = ()

    def highlight(self, text: Text) -> None:
        """Mark `text` in place."""
        text.plain = printable(text.plain)
        lower = text.plain.lower()
        for word in self.words:
            start = lower.find(word.lower())
            if start >= 0:
                text.stylize("underline bold", start, start + len(word))


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
        """Add a question to the history and empty the line."""
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

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """History keys work when there is a history."""
        if action == "older":
            return self._at > 0
        if action == "newer":
            return self._at < len(self._history)
        return True


class Prompt(Vertical):
    """The question's line and, below it, the live understanding."""

    DEFAULT_CSS = """
    Prompt {
        height: 3;
        padding: 0 1;
        border-left: outer $panel;
        &:focus-within { border-left: outer $accent; }
        #understood { height: 2; text-overflow: ellipsis; }
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

    def compose(self) -> ComposeResult:
        """The input and the two lines below it."""
        yield QuestionInput()
        yield Static(id="understood")

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

    def understand(self, text: str, proposal: Proposal | None) -> None:
        """Show what is made of `text`; None: nothing yet. Ignored when the text is no longer there."""
        if text != self.text:
            return
        self.input.doubts.words = proposal.unexplained if proposal else ()
        self.input.refresh()
        self.query_one("#understood", Static).update(Content("") if proposal is None else understanding(proposal))

    def on_input_changed(self, message: Input.Changed) -> None:
        """Ask for the understanding after a short pause."""
        message.stop()
        if self._pause is not None:
            self._pause.stop()
        if not message.value.strip():
            self.understand(message.value, None)
        self._pause = self.set_timer(PAUSE, lambda: self.post_message(self.Typed(self.text)))

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Put the question."""
        message.stop()
        self.post_message(self.Asked(self.text))


def understanding(proposal: Proposal) -> Content:
    """Two lines: the logic with its confidence; then the unexplained words, each after a '?', the turn that it was
    completed from, and the links."""
    first = Content.assemble(("⟶ ", "$accent bold"), *_reading(proposal))
    second: list[str | tuple[str, str]] = []
    for word in proposal.unexplained:
        second += [("? ", "$warning bold"), (printable(word), "$warning underline"), "  "]
    for doubt in proposal.doubts:
        if doubt.kind == "continued":
            second += [(doubt.sentence, "$accent"), "  "]
    for link in proposal.links:
        if link.kind in _WORDS_OF_GRAMMAR:
            continue
        second += [(printable(link.text), "dim"), " → ", printable(link_text(link)), "  "]
    return Content("\n").join([first, Content.assemble(*second)])


def _reading(proposal: Proposal) -> list[str | tuple[str, str]]:
    number = (f"  {proposal.confidence:.2f}", "dim")
    understood = proposal.logic is not None and not proposal.unexplained
    if proposal.refusal is not None and understood:
        return [(printable(proposal.reason), "$warning")]
    if proposal.logic:
        more = f"  (1 of {len(proposal.readings)} readings)" if len(proposal.readings) > 1 else ""
        return [printable(" ".join(proposal.logic.split())), number, (more, "dim")]
    if proposal.reason:
        return [(printable(proposal.reason), "$warning")]
    if proposal.sql:
        return ["SQL, run as it stands"]
    return [("not understood yet", "dim")]


def link_text(link: Link) -> str:
    """`prescription furosemide`, with '~' where the letters are not the same."""
    return f"{link.kind.replace('_', ' ')} {'' if link.score >= 1 else '~'}{link.value}".rstrip()
