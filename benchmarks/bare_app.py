"""The least that a Textual app can be: one line of text, one input. What the explorer's start is compared with."""

from textual.app import App, ComposeResult
from textual.widgets import Input, Static


class Bare(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("hello")
        yield Input(placeholder="bare prompt")


if __name__ == "__main__":
    Bare().run()
