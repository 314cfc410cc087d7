"""The rubber duck: what most probably went wrong, and what to try."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ehrtui.errors import EhrtuiError
from ehrtui.tui.formatting import printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.view import Problem, View

MAX_TEXT = 2_000


class DuckPanel(VerticalScroll, can_focus=True):
    """Explains a failure, an abstention, or a doubt before the run."""

    BINDINGS = bindings("duck")
    DEFAULT_CSS = "DuckPanel { scrollbar-size-vertical: 1; padding: 0 1; }"

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, classes="panel")
        self.border_title = "Rubber duck"
        self._body = Static()

    def compose(self) -> ComposeResult:
        """One static text."""
        yield self._body

    def on_mount(self) -> None:
        """Nothing to explain yet."""
        self.show(None)

    def show(self, view: View | None) -> None:
        """Explain what the view has to explain."""
        if view is None or view.problem is None:
            self._body.update(Content.styled("Nothing to explain." if view else "I explain what goes wrong.", "dim"))
            return
        self._body.update(problem_content(view.problem))
        self.scroll_home(animate=False)

    def explain(self, error: EhrtuiError) -> None:
        """Explain an error that belongs to no turn."""
        self._body.update(problem_content(Problem("", error.what, error.why, (error.next_step,))))


def problem_content(problem: Problem) -> Content:
    """Title, message, cause, the failing line and what to try, a line each."""
    lines: list[Content] = []
    if problem.title:
        lines.append(Content.assemble((_text(problem.title) + ": ", "$warning bold"), _text(problem.message)))
    else:
        lines.append(Content(_text(problem.message)))
    if problem.line is not None:
        where = f"line {problem.line}"
        lines.append(Content.assemble((f"{where} │ ", "dim"), (_text(problem.code.strip()), "$error")))
    if problem.cause and problem.cause != problem.message:
        lines.append(Content.assemble(("Probably: ", "bold"), _text(problem.cause)))
    lines += [Content.assemble(("→ ", "$accent bold"), _text(hint)) for hint in problem.suggestions if hint]
    return Content("\n").join(lines)


def _text(text: str) -> str:
    return printable(text[:MAX_TEXT]).replace("␊", " ")
