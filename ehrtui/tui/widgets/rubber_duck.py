"""The rubber duck: what most probably went wrong, what to try, and the repair that a key accepts."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from ehrtui.errors import EhrtuiError
from ehrtui.tui.formatting import printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.view import Problem, View

MAX_TEXT = 2_000


class DuckPanel(VerticalScroll, can_focus=True):
    """Explains a failure, an abstention, a doubtful answer, or a doubt before the run."""

    BINDINGS = bindings("duck")
    DEFAULT_CSS = "DuckPanel { scrollbar-size-vertical: 1; padding: 0 1; }"

    @dataclass
    class Accepted(Message):
        """The user accepts a repair: `plan` is to run in place of the one that is shown. `from_rows` where it may hold
        a stored value."""

        plan: str
        from_rows: bool

    class Changed(Message):
        """There is something to explain, or no longer."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, classes="panel")
        self.border_title = "Rubber duck"
        self._body = Static()
        self._problem: Problem | None = None
        self._at = 0

    def compose(self) -> ComposeResult:
        """One static text."""
        yield self._body

    def on_mount(self) -> None:
        """Nothing to explain yet."""
        self.show(None)

    @property
    def explains(self) -> bool:
        """True where there is something to explain."""
        return self._problem is not None

    def show(self, view: View | None) -> None:
        """Explain what the view has to explain."""
        if view is None or view.problem is None:
            self._take(None)
            self._body.update(Content.styled("Nothing to explain." if view else "I explain what goes wrong.", "dim"))
            self.refresh_bindings()
        elif view.problem != self._problem:
            self._explain(view.problem)

    def explain(self, error: EhrtuiError) -> None:
        """Explain an error that belongs to no turn."""
        self._explain(Problem("", error.what, error.why, (error.next_step,)))

    def _explain(self, problem: Problem) -> None:
        self._take(problem)
        self._draw()
        self.scroll_home(animate=False)

    def _take(self, problem: Problem | None) -> None:
        before, self._problem, self._at = self.explains, problem, 0
        if self.explains != before:
            self.post_message(self.Changed())

    def _draw(self) -> None:
        if self._problem is not None:
            self._body.update(problem_content(self._problem, self._at))
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A repair is offered where there is one."""
        repairs = len(self._problem.repairs) if self._problem else 0
        return {"accept": repairs > 0, "next_repair": repairs > 1}.get(action, True)

    def action_accept(self) -> None:
        """Run the repaired plan in place of the one that is shown."""
        if self._problem is not None:
            self.post_message(self.Accepted(self._problem.repairs[self._at], self._problem.from_rows))

    def action_next_repair(self) -> None:
        """Show the next repair that could be meant."""
        if self._problem is not None:
            self._at = (self._at + 1) % len(self._problem.repairs)
            self._draw()


def problem_content(problem: Problem, at: int = 0) -> Content:
    """The probable cause, the line of the plan and the repair number `at`; then what to try, and, for the record, what
    happened."""
    where = f", line {problem.line}" if problem.line is not None else ""
    what = _text(f"{problem.title}{where}: {problem.message}" if problem.title else problem.message)
    lines = []
    if problem.cause and problem.cause != problem.message:
        lead = "Probably: " if problem.message else "It ran, but looks wrong. "
        lines.append(Content.assemble((lead, "$warning bold"), _text(problem.cause)))
    else:
        lines.append(Content(what))
    if problem.code:
        lines.append(Content.assemble((f"{problem.line:>3} │ ", "dim"), (_text(problem.code), "$error")))
    if problem.repairs:
        lines += _repair(problem, at)
    lines += [Content.assemble(("→ ", "$accent bold"), _text(hint)) for hint in problem.suggestions if hint]
    if problem.cause and problem.message not in ("", problem.cause):
        lines.append(Content.styled(what, "dim"))
    return Content("\n").join(lines)


def _repair(problem: Problem, at: int) -> list[Content]:
    from ehrtui.tui.diffing import diff_content  # most turns need none

    count = len(problem.repairs)
    which = f"Repair {at + 1} of {count}" if count > 1 else "Repair"
    keys = "F7, then Enter runs it" + ("; n shows the next" if count > 1 else "")
    title = Content.assemble((f"{which}: ", "$success bold"), (keys, "dim"))
    return [title, diff_content(problem.plan, problem.repairs[at])]


def _text(text: str) -> str:
    return printable(text[:MAX_TEXT]).replace("␊", " ")
