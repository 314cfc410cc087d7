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
    """The probable cause and what to try; then, for the record, what happened where (the plan marks the line)."""
    where = f", line {problem.line}" if problem.line is not None else ""
    what = _text(f"{problem.title}{where}: {problem.message}" if problem.title else problem.message)
    lines = [Content.assemble(("→ ", "$accent bold"), _text(hint)) for hint in problem.suggestions if hint]
    if problem.cause and problem.cause != problem.message:
        lines.insert(0, Content.assemble(("Probably: ", "$warning bold"), _text(problem.cause)))
        lines.append(Content.styled(what, "dim"))
    else:
        lines.insert(0, Content(what))
    return Content("\n").join(lines)


def _text(text: str) -> str:
    return printable(text[:MAX_TEXT]).replace("␊", " ")
