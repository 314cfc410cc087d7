"""The empty state: how it works, in four lines, and questions of this database to start with."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static

from ehrtui.tui.formatting import cut, printable
from ehrtui.tui.key_map import shown_key
from ehrtui.tui.keys import EVERYWHERE, bindings

TEXT = """\
Ask a question in your own words, below.
You will see how it is understood, as query logic, Python and SQL, and how sure that is.
You may change any of these before it runs. Nothing is ever written to the database.
Later questions can build on earlier ones: "of A1, …", "those patients", "only the last one"."""

MOST_OF_A_QUESTION = 80
"""Cells of the last question of a session."""

WITH_A_MODEL = (
    "A language model would plan what ehrtui declines, also one of your own: ehrtui doctor says how to try it."
)
"""In one line: what it adds, and how to try one."""


class Examples(OptionList):
    """Questions to start with; Enter chooses one."""

    BINDINGS = bindings("examples")
    DEFAULT_CSS = """
    Examples, Examples:focus { border: none; padding: 0; background: transparent; height: auto; }
    """


class Welcome(VerticalScroll, can_focus=False):
    """Teaches until there is a first turn."""

    DEFAULT_CSS = """
    Welcome {
        padding: 0 1;
        scrollbar-size-vertical: 1;
        Static { height: auto; margin-bottom: 1; }
        #for-example { margin-bottom: 0; color: $foreground 60%; }
    }
    """

    @dataclass
    class Chosen(Message):
        """An example was chosen."""

        question: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, classes="panel")
        self.border_title = "Welcome"
        self._examples: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The text, and the examples once there are some."""
        yield Static(self._text())

    def _text(self, *more: str) -> Content:
        tour = shown_key(EVERYWHERE, "alt+t", getattr(self.app, "own_keys", {}))
        lines = [Content(line) for line in (TEXT, *more)]
        return Content("\n").join([*lines, Content.assemble((tour, "bold"), " leads you through it in ten steps.")])

    def say_what_a_model_adds(self) -> None:
        """Say it, where none can be asked."""
        self.query_one(Static).update(self._text(WITH_A_MODEL))

    def offer_session(self, about: str, question: str) -> None:
        """Say how to go on with the last session, `about` which that is, in which `question` was asked last."""
        asked = cut(printable(" ".join(question.split())), MOST_OF_A_QUESTION)
        words = Content.assemble(("^Y", "bold"), f" goes on with your last session, {printable(about)}: … {asked}")
        self.mount(Static(words, id="last-session"), after=0)

    def show(self, examples: tuple[str, ...]) -> None:
        """Offer these questions, once."""
        if examples:
            self._examples = examples
            self.mount(
                Static(Content("For example (F3, then ↑ ↓ and Enter):"), id="for-example"),
                Examples(*(Content(printable(example)) for example in examples)),
            )

    def take_focus(self) -> None:
        """To the examples, if there are any."""
        for examples in self.query(Examples):
            self.screen.set_focus(examples)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Put the example into the prompt."""
        message.stop()
        self.post_message(self.Chosen(self._examples[message.option_index]))
