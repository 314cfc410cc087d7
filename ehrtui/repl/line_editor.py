"""Lines that are edited before they are put: history, completion, and how the question is understood so far."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, ThreadedCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from ehrtui.conversation.line_completion import LineCompletion
from ehrtui.errors import EhrtuiError
from ehrtui.repl.orders import ORDERS, SIGN
from ehrtui.session.log import state_directory
from ehrtui.terminal import printable

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.planning.proposal import Proposal

HISTORY = "lines"


def lines(conversation: Conversation, prompt: str, state: Path | None, *, keep: bool) -> Iterator[str]:
    """The lines that the user puts, until Ctrl-D. With `keep`, the history lies under `state`."""
    understanding = Understanding(conversation)
    session: PromptSession[str] = PromptSession(
        history=_history(state) if keep else InMemoryHistory(),
        completer=ThreadedCompleter(Names(conversation)),
        complete_while_typing=False,
        bottom_toolbar=lambda: understanding.of(session.default_buffer.text),
        refresh_interval=0.3,
    )
    while True:
        try:
            yield session.prompt(prompt)
        except KeyboardInterrupt:
            continue  # the line is dropped, as in every shell
        except EOFError:
            return


class Understanding:
    """What the planner makes of a line, once it is ready; the last line that was asked about is remembered."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._ready = threading.Event()
        self._last = ("", "")
        threading.Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        with suppress(EhrtuiError):  # what is wrong is said by the turn that needs it
            self._conversation.prepare()
            self._ready.set()

    def of(self, line: str) -> str:
        """One line about `line`: its query logic and how sure that is, and the words that nothing explains."""
        line = line.strip()
        if not line or line.startswith(SIGN):
            return "Tab completes, ↑ recalls, /help lists the orders"
        if not self._ready.is_set():
            return "getting ready …"
        if line != self._last[0]:
            try:
                told = in_one_line(self._conversation.propose(line).proposal)
            except EhrtuiError as error:
                told = error.what
            self._last = (line, told)
        return self._last[1]


def in_one_line(proposal: Proposal) -> str:
    """`count patients with … · 0.93 · ? appointment`."""
    logic = " ".join((proposal.logic or "").split())
    parts = [f"{logic} · {proposal.confidence:.2f}" if logic else proposal.reason or ("SQL" if proposal.sql else "…")]
    parts += [f"? {word}" for word in proposal.unexplained]
    return printable(" · ".join(parts))


class Names(Completer):
    """Completes orders, turns, stored names and concepts, and in SQL tables and columns."""

    def __init__(self, conversation: Conversation) -> None:
        self._line = LineCompletion(conversation)

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """What could stand at the cursor."""
        before = document.current_line_before_cursor
        if before.startswith(SIGN):
            begun = before.removeprefix(SIGN)
            for order in ORDERS:
                if order.name.startswith(begun):
                    yield Completion(order.name, -len(begun), display_meta=order.help)
        else:
            for offer in self._line.of(before):
                yield Completion(offer.text, -offer.replaced, display_meta=printable(offer.help))


def _history(state: Path | None) -> History:
    """The user's lines of earlier times, for nobody else to read; of this time alone, where they cannot be kept."""
    try:
        path = state_directory(state) / HISTORY
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
    except (OSError, EhrtuiError):
        return InMemoryHistory()
    return FileHistory(str(path))
