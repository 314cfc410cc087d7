"""Every error that ehrtui raises on purpose, as one tree.

    EhrtuiError
    ├── UsageError                 the command line or a request is malformed (exit code 2)
    │   └── ConfigError            the configuration file is
    ├── DatabaseError              the database cannot be opened or read
    ├── QueryError                 a statement cannot be run
    │   ├── ForbiddenStatement     it would write, attach, or is more than one statement
    │   ├── QueryCancelled         the user stopped it
    │   └── QueryLimit             row, byte or disk limit
    │       └── QueryDeadline      it took too long
    ├── TokenError                 a PREV_ token has no meaning here
    ├── PlanError                  a code plan cannot be parsed or failed in a step
    │   ├── ToolError              a tool was called wrongly
    │   ├── PlanCancelled          the user stopped it
    │   └── SandboxLimit           time, memory, recursion, output or tool-call limit
    ├── LogicError                 query logic cannot be parsed or compiled
    ├── ProfileError               a profile file is malformed or does not fit the database
    ├── SessionError               a session file cannot be read or written
    ├── CaseError                  the memory of approved cases cannot be read or written, or has no such case
    │   └── MaskingError           a question with its query cannot be kept without values of the database
    ├── ConceptError               a concept, a vocabulary or a file of them cannot be read, written or found
    ├── EgressError                a request to a language model may not be sent, or was not answered
    │   └── PlaceholderError       its answer names a placeholder that stands for nothing
    └── Cancelled                  any other long work was stopped by the user

Each carries what happened, why, and what to try next; all three are written for a clinician.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


class EhrtuiError(Exception):
    """An expected failure. `what` happened, `why`, and a `next_step` that the user can take."""

    def __init__(self, what: str, *, why: str = "", next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.next_step = next_step

    def __str__(self) -> str:
        return "\n".join(part for part in (self.what, self.why, self.next_step) if part)


class UsageError(EhrtuiError):
    """The command line or a request is malformed."""


class ConfigError(UsageError):
    """The configuration file cannot be read, or a key of it is unknown or has a value that is not allowed."""


class DatabaseError(EhrtuiError):
    """The database cannot be opened or read."""


class QueryError(EhrtuiError):
    """A statement cannot be run. `unread` where that was found before a row was read: its text alone says why."""

    unread: bool = False


class ForbiddenStatement(QueryError):
    """A statement that would change something, or reach outside the database."""

    unread = True


class QueryCancelled(QueryError):
    """The user stopped a running statement."""


class QueryLimit(QueryError):
    """A statement ran into its deadline or a row, byte or disk limit."""


class QueryDeadline(QueryLimit):
    """A statement took longer than it may."""


class TokenError(EhrtuiError):
    """A `PREV_` token has no meaning where it stands."""


class PlanError(EhrtuiError):
    """A code plan cannot be parsed, or a step of it failed.

    `line` is the 1-based line of the plan, when known; `kind` the Python name of the error
    (`NameError`, `SyntaxError`…); `suggestions` are near values or names that may have been meant; `steps` are the
    steps (`plans.reports.Step`) that had finished, and last the one that failed; `call` is the tool call that failed
    (`plans.reports.ToolCall`), if one did; `origin` is the error of another kind that it stands for, if it does.
    """

    def __init__(
        self,
        what: str,
        *,
        why: str = "",
        next_step: str = "",
        kind: str = "",
        line: int | None = None,
        suggestions: tuple[str, ...] = (),
    ) -> None:
        super().__init__(what, why=why, next_step=next_step)
        self.kind = kind or type(self).__name__
        self.line = line
        self.suggestions = suggestions
        self.steps: tuple[Any, ...] = ()
        self.call: Any = None
        self.origin: EhrtuiError | None = None


class ToolError(PlanError):
    """A tool of a plan was called with something that it cannot use."""


class PlanCancelled(PlanError):
    """The user stopped a running plan."""


class SandboxLimit(PlanError):
    """A plan ran into one of the sandbox's limits."""


class LogicError(EhrtuiError):
    """Query logic cannot be parsed or compiled; `position` is the 0-based offset in its text, when known."""

    def __init__(self, what: str, *, why: str = "", next_step: str = "", position: int | None = None) -> None:
        super().__init__(what, why=why, next_step=next_step)
        self.position = position


class ProfileError(EhrtuiError):
    """A profile file is malformed, or does not fit the database."""


class SessionError(EhrtuiError):
    """A session file cannot be read or written."""


class CaseError(EhrtuiError):
    """The memory of approved cases cannot be read or written, or has no such case."""


class ConceptError(EhrtuiError):
    """A concept, a vocabulary or a file of them cannot be read or written, or is not there."""


class MaskingError(CaseError):
    """A question and its query cannot be kept without values of the database."""


class CalibrationError(EhrtuiError):
    """A file of weights for the confidence cannot be read, or questions do not suffice to fit one."""


class EgressError(EhrtuiError):
    """A request to a language model may not be sent, or was not answered as it should be."""


class TooLongError(EgressError):
    """A request is longer than the language model can read."""


class UnreadableRequestError(EgressError):
    """A server cannot read a request, as one that has no tools."""


class PlaceholderError(EgressError):
    """The answer of a language model names a placeholder that stands for nothing."""


class Cancelled(EhrtuiError):
    """Long work (building, indexing) that the user stopped."""


def place_of(error: BaseException) -> str:
    """Where an error that nobody foresaw was raised, as "KeyError at reading.py:12": nothing of the database."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "an unknown place"
    return f"{type(error).__name__} at {place}"
