"""The prompt: a question, and below it, while it is typed, how it is understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from ehrtui.tui.formatting import count, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.member_counts import Meant, MemberCounts
from ehrtui.tui.understanding import NO_COUNTS, read_as, told_of_words
from ehrtui.tui.widgets.keys_in_order import do_own_binding
from ehrtui.tui.widgets.lines import Lines
from ehrtui.tui.widgets.offers_list import OffersList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ehrtui.conversation.completing import Offer
    from ehrtui.planning.proposal import Proposal

PAUSE = 0.08
"""Seconds after a keystroke until the planner is asked."""
MAX_TEXT = 50_000
"""Characters that are typed or pasted; what is longer is no question, and no statement of a person's."""


class MeaningsWanted(Message):
    """The user wants to see what the words mean."""


class ScopeToggled(Message):
    """The user wants the question to stand alone, or no longer."""


class ResumeWanted(Message):
    """The user wants to go on with the session that is offered."""


class EarlierWanted(Message):
    """The user looks for a question that was asked before."""


class QuestionInput(Lines):
    """A question, in as many lines as it needs, with the questions before it. Words that nothing explains
    (`unexplained`) and those that the reading leaves out (`paid`) are underlined."""

    BINDINGS = bindings("prompt")
    DEFAULT_CSS = """
    QuestionInput, QuestionInput:focus {
        border: none; padding: 0; height: auto; max-height: 6; width: 1fr; background: transparent;
        scrollbar-size-vertical: 1;
    }
    """

    class Put(Message):
        """The user put the question."""

    @dataclass
    class Completing(Message):
        """What could stand at the end of `before`, the line up to the cursor, is wanted."""

        before: str

    class Offered(Message):
        """Other completions are offered, or another one is marked."""

    @dataclass
    class TooLong(Message):
        """Of what was pasted, `left` characters were left out."""

        left: int

    def __init__(self) -> None:
        super().__init__(
            placeholder="Ask about the patients in this database …",
            id="question",
            soft_wrap=True,
            highlight_cursor_line=False,
        )
        self.unexplained: tuple[str, ...] = ()
        self.paid: tuple[str, ...] = ()
        self.has_meanings = self.has_scope = self.has_session = False
        self.offers: tuple[Offer, ...] = ()
        self.at = 0
        self._history: list[str] = []
        self._at = 0
        self._typed = ""

    async def on_key(self, event: events.Key) -> None:
        """In the order in which they were typed."""
        await do_own_binding(self, event)

    def on_paste(self, event: events.Paste) -> None:
        """Paste all lines. Those of SQL stay lines, since a comment ends with its line; those of a question are
        joined."""
        from ehrtui.session.draft import kind_of

        event.stop()
        event.prevent_default()
        start, end = sorted((self.selection.start, self.selection.end))
        room = max(MAX_TEXT - len(self.text), 0)
        if (left := len(event.text) - room) > 0:
            self.post_message(self.TooLong(left))
        lines = event.text[:room].strip("\r\n").splitlines()
        before = self.get_text_range(self.document.start, start)
        is_sql = kind_of("\n".join([before, *lines])) == "sql"
        done = self.replace(("\n" if is_sql else " ").join(lines), start, end, maintain_selection_offset=False)
        self.move_cursor(done.end_location)

    @property
    def question(self) -> str:
        """What is typed: SQL in its lines, a question in one."""
        from ehrtui.session.draft import kind_of

        text = self.text
        return text if "\n" not in text or kind_of(text) == "sql" else " ".join(text.splitlines())

    def get_line(self, line_index: int) -> Text:
        """The line with its doubtful words underlined; control characters are shown as pictures."""
        line = Text(printable(self.document.get_line(line_index)), end="", no_wrap=True)
        lower = line.plain.lower()
        for words, style in ((self.paid, "underline"), (self.unexplained, "underline bold")):
            for word in words:
                start = lower.find(word.lower())
                if start >= 0:
                    line.stylize(style, start, start + len(word))
        return line

    def doubt(self, unexplained: tuple[str, ...], paid: tuple[str, ...]) -> None:
        """Underline these words."""
        if (unexplained, paid) != (self.unexplained, self.paid):
            self.unexplained, self.paid = unexplained, paid
            self._line_cache.clear()
            self.refresh()

    def put(self, text: str) -> None:
        """Replace the text; the cursor goes to its end."""
        self.load_text(text)
        self.move_cursor(self.document.end)

    def remember(self, question: str) -> None:
        """Add a question to the history and empty the line; from the first on, no other session goes on here."""
        self.has_session = False
        self.recall(question)
        self.load_text("")

    def recall(self, question: str) -> None:
        """Add a question to the history."""
        if question not in self._history[-1:]:
            self._history.append(question)
        self._at = len(self._history)

    @property
    def before(self) -> str:
        """The text of the line up to the cursor."""
        row, column = self.cursor_location
        return self.document.get_line(row)[:column]

    def offer(self, before: str, offers: tuple[Offer, ...]) -> None:
        """Offer these at the cursor, where it is still behind `before`; a single one is written at once."""
        if before == self.before:
            self.offers, self.at = offers, 0
            self.post_message(self.Offered())
            if len(offers) == 1:
                self._take()
            self.refresh_bindings()

    def forget_offers(self) -> None:
        """Offer nothing any more."""
        if self.offers:
            self.offers = ()
            self.post_message(self.Offered())
            self.refresh_bindings()

    def _take(self) -> None:
        offer, (row, column) = self.offers[self.at], self.cursor_location
        self.forget_offers()
        done = self.replace(offer.text, (row, column - offer.replaced), (row, column), maintain_selection_offset=False)
        self.move_cursor(done.end_location)

    def _mark(self, by: int) -> None:
        self.at = (self.at + by) % len(self.offers)
        self.post_message(self.Offered())

    def on_blur(self) -> None:
        """Offers are for who types."""
        self.forget_offers()

    def action_complete(self) -> None:
        """Write the marked completion, or ask for some."""
        if self.offers:
            self._take()
        else:
            self.post_message(self.Completing(self.before))

    def action_dismiss(self) -> None:
        """Offer nothing."""
        self.forget_offers()

    def action_submit(self) -> None:
        """Put the question."""
        self.forget_offers()
        self.post_message(self.Put())

    def action_newline(self) -> None:
        """Go on in a new line."""
        self.insert("\n")

    def action_older(self) -> None:
        """The offer or the line above; from the first line, the question before."""
        if self.offers:
            self._mark(-1)
        elif not self.navigator.is_first_wrapped_line(self.cursor_location):
            self.action_cursor_up()
        else:
            if self._at == len(self._history):
                self._typed = self.text
            self._go(-1)

    def action_newer(self) -> None:
        """The offer or the line below; from the last line, the question after; after the last one, what was being
        typed."""
        if self.offers:
            self._mark(1)
        elif not self.navigator.is_last_wrapped_line(self.cursor_location):
            self.action_cursor_down()
        else:
            self._go(1)

    def _go(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._history))
        self.put(self._history[self._at] if self._at < len(self._history) else self._typed)
        self.refresh_bindings()

    def action_find(self) -> None:
        """Find a question that was asked before."""
        self.post_message(EarlierWanted())

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
            lower = not self.navigator.is_first_wrapped_line(self.cursor_location)
            return bool(self._at > 0 or self.offers or lower)
        if action == "newer":
            higher = not self.navigator.is_last_wrapped_line(self.cursor_location)
            return bool(self._at < len(self._history) or self.offers or higher)
        if action == "complete":
            return bool(self.offers or self.before.strip())
        if action == "dismiss":
            return bool(self.offers)
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
        height: auto;
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
        yield OffersList(id="offers")
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
        return self.input.question

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
        before = self.input.before
        self.input.insert(text if not before or before.endswith(" ") else f" {text}")
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
        paid = tuple(word.text for word in proposal.paid) if proposal else ()
        self.input.doubt(proposal.unexplained if proposal else (), paid)
        self.input.has_meanings = proposal is not None and bool(proposal.mentions or proposal.paid)
        self.input.has_scope = proposal is not None and (alone or proposal.scope is not None)
        self.tell()
        self.refresh_bindings()

    def tell(self, counts: Mapping[Meant, MemberCounts] = NO_COUNTS, scope: str = "") -> None:
        """Show what is understood, with what is known by now of its names and of what it is about."""
        proposal = self.proposal
        first = Content("") if proposal is None else read_as(proposal)
        second = Content("") if proposal is None else told_of_words(proposal, counts, scope)
        self.query_one("#understood", Static).update(first)
        self.query_one("#told", Static).update(second)

    def on_text_area_changed(self, message: Lines.Changed) -> None:
        """Ask for the understanding after a short pause."""
        message.stop()
        self.input.forget_offers()
        if self._pause is not None:
            self._pause.stop()
        if not (text := self.text).strip():
            self.understand(text, None)
            self.post_message(self.Typed(text))  # at once: what is typed next is another question
            return
        self._pause = self.set_timer(PAUSE, lambda: self.post_message(self.Typed(self.text)))

    def on_question_input_put(self, message: QuestionInput.Put) -> None:
        """Put the question."""
        message.stop()
        self.post_message(self.Asked(self.text))

    def on_question_input_offered(self, message: QuestionInput.Offered) -> None:
        """Show what is offered."""
        message.stop()
        self.query_one(OffersList).show(self.input.offers, self.input.at, self.content_size.width)

    def on_question_input_too_long(self, message: QuestionInput.TooLong) -> None:
        """Say that not all was pasted."""
        message.stop()
        self.notify(f"{count(message.left, 'character')} left out: that is too long to ask.", severity="warning")
