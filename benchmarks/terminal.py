"""A program in a terminal of 160 x 45 of our own: keys go in, what it draws comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE = 30.0
"""Seconds until a program that does not draw what is awaited is given up."""


class Terminal:
    """Runs `command` from entering to leaving the block; `began` is when it was started."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.began = time.perf_counter()
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(command[0], command)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 160, 0, 0))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._fd)

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def wait_for(self, words: str) -> float:
        """Seconds until `words` were drawn, from now."""
        since = time.perf_counter()
        drawn = b""
        while words.encode() not in drawn:
            if time.perf_counter() - since > PATIENCE:
                raise SystemExit(f"{words!r} was not drawn within {PATIENCE:.0f} s.")
            drawn += self._read(1.0)
        return time.perf_counter() - since

    def rest(self, seconds: float) -> None:
        """Let the program go on, and forget what it draws."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self._read(left)

    def resident_mb(self) -> float:
        """Megabytes of the process and its children that are in memory."""
        children = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text().split()
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in (self._pid, *children))
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def _read(self, seconds: float) -> bytes:
        ready, _, _ = select.select([self._fd], [], [], seconds)
        return os.read(self._fd, 65_536) if ready else b""
