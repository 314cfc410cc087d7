"""Work in a thread that answers with a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.message import Message
from textual.message_pump import MessagePump

from ehrtui.errors import EhrtuiError
from ehrtui.tui.messages import Trouble


def unexpected(error: Exception) -> EhrtuiError:
    """One sentence for an error that nobody foresaw; its own text is left out, since it may quote patient data."""
    return EhrtuiError(
        f"Something unexpected went wrong ({type(error).__name__}).",
        why="This is a defect of ehrtui, not something that you did.",
        next_step="What was finished is kept; try again, or in another way.",
    )


def in_thread(
    node: Any, work: Callable[[], Message], *, group: str, failed: Callable[[EhrtuiError], Message] = Trouble
) -> None:
    """Run `work` in a thread and post the message that it returns to `node` (a widget, screen or app).

    An EhrtuiError, or any other error as one sentence, is posted as the message that `failed` makes of it.
    """
    pump: MessagePump = node

    def run() -> None:
        try:
            message = work()
        except EhrtuiError as error:
            message = failed(error)
        except Exception as error:
            message = failed(unexpected(error))
        pump.post_message(message)

    node.run_worker(run, group=group, thread=True, exit_on_error=False)
