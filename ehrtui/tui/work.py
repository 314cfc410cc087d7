"""Work in a thread, which is answered in the loop of the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from textual.message_pump import MessagePump

from ehrtui.errors import EhrtuiError

Outcome = TypeVar("Outcome")


def unexpected(error: Exception) -> EhrtuiError:
    """One sentence for an error that nobody foresaw; its own text is left out, since it may quote patient data."""
    return EhrtuiError(
        f"Something unexpected went wrong ({type(error).__name__}).",
        why="This is a defect of ehrtui, not something that you did.",
        next_step="What was finished is kept; try again, or in another way.",
    )


def in_thread(
    node: Any,
    work: Callable[[], Outcome],
    then: Callable[[Outcome], object],
    failed: Callable[[EhrtuiError], object],
    *,
    group: str,
) -> None:
    """Run `work` in a thread; then call `then` with what it returned, in the loop and in turn with what `node` (a
    widget, screen or app) has to do. A worker never touches a widget itself.

    An EhrtuiError, or any other error as one sentence, goes to `failed` in the same way.
    """
    pump: MessagePump = node

    def run() -> None:
        try:
            outcome = work()
        except EhrtuiError as error:
            pump.call_later(failed, error)
        except Exception as error:
            pump.call_later(failed, unexpected(error))
        else:
            pump.call_later(then, outcome)

    node.run_worker(run, group=group, thread=True, exit_on_error=False)
