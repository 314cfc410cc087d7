"""What the explorer reads of a terminal: a real one."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from textual import events

if not hasattr(signal, "SIGHUP"):
    pytest.skip("needs terminals", allow_module_level=True)

import pty
import tty

from ehrtui.tui.driver import TerminalDriver

PATIENCE = 30.0


class Reader(TerminalDriver):
    """Only its input; what it reads is kept."""

    def __init__(self, fd: int) -> None:
        self.fileno, self._debug, self.exit_event = fd, False, threading.Event()
        self.read: queue.Queue[Any] = queue.Queue()

    def process_message(self, message: Any) -> None:
        self.read.put(message)

    def keys(self, count: int) -> list[str]:
        """The next so many keys: as letters, where they are."""
        found = [self.read.get(timeout=PATIENCE) for _ in range(count)]
        assert all(isinstance(each, events.Key) for each in found)
        return [each.character if each.is_printable else each.key for each in found]


@pytest.fixture
def typing() -> Iterator[tuple[Reader, int, threading.Thread]]:
    """A reader of a terminal, the other end of it, and the reader's thread."""
    outside, inside = pty.openpty()
    tty.setraw(inside)
    reader = Reader(inside)
    thread = threading.Thread(target=reader.run_input_thread)
    thread.start()
    yield reader, outside, thread
    reader.exit_event.set()
    thread.join(PATIENCE)
    os.close(inside)
    assert not thread.is_alive()


def test_letters_arrows_and_an_esc_alone(typing: tuple[Reader, int, threading.Thread]) -> None:
    reader, outside, _ = typing
    os.write(outside, b"a\x1b[A")
    assert reader.keys(2) == ["a", "up"]
    os.write(outside, b"\x1b")
    assert reader.keys(1) == ["escape"]
    os.write(outside, b"b")
    assert reader.keys(1) == ["b"]
    os.close(outside)


def test_a_letter_in_two_pieces_and_bytes_that_are_none(typing: tuple[Reader, int, threading.Thread]) -> None:
    reader, outside, _ = typing
    for piece in ("é".encode()[:1], "é".encode()[1:], b"\xff", b"x"):
        os.write(outside, piece)
    assert reader.keys(3) == ["é", "\ufffd", "x"]
    os.close(outside)


def test_reading_ends_with_the_terminal(typing: tuple[Reader, int, threading.Thread]) -> None:
    _, outside, thread = typing
    os.close(outside)
    thread.join(PATIENCE)
    assert not thread.is_alive()
