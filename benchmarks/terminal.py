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

OPEN = "egress"
"""What the explorer draws once its database is open, and not while the tables alone are known."""
PATIENCE = 30.0
"""Seconds until a program that does not draw what is awaited is given up."""


class Terminal:
    """Runs `command` from entering to leaving the block; `began` is when it was started."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.began = time.perf_counter()
        self._drawn = b""
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(command[0], command)
        self._open = True
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 160, 0, 0))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            os.close(self._fd)

    def close(self) -> float:
        """Seconds until the program is gone, from now, when its window is closed."""
        since, self._open = time.perf_counter(), False
        os.close(self._fd)
        os.waitpid(self._pid, 0)
        return time.perf_counter() - since

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def wait_for(self, words: str) -> float:
        """Seconds until `words` were drawn, from now; what was drawn after other awaited words counts."""
        since = time.perf_counter()
        while words.encode() not in self._drawn:
            if time.perf_counter() - since > PATIENCE:
                raise SystemExit(f"{words!r} was not drawn within {PATIENCE:.0f} s.")
            self._drawn += self._read(1.0)
        self._drawn = self._drawn.partition(words.encode())[2]
        return time.perf_counter() - since

    def rest(self, seconds: float) -> None:
        """Let the program go on, and forget what it draws."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self._read(left)
        self._drawn = b""

    def resident_mb(self) -> float:
        """Megabytes of the process and its children that are in memory."""
        children = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text().split()
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in (self._pid, *children))
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def cpu_seconds(self) -> float:
        """Seconds of processor time that the process has taken, to a hundredth."""
        ticks = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    def _read(self, seconds: float) -> bytes:
        ready, _, _ = select.select([self._fd], [], [], seconds)
        return os.read(self._fd, 65_536) if ready else b""
