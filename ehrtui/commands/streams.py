"""Standard input, output and errors, whatever the caller made of them: closed, full, or short of characters."""

from __future__ import annotations

import errno
import io
import os
import sys

_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def make_streams_safe() -> None:
    """A stream that the caller closed becomes an empty one; a character that the terminal lacks becomes "?"."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def is_unwritable(error: Exception) -> bool:
    """True for the error of a full disk: everything but the output itself says so in an error of its own."""
    return isinstance(error, OSError) and error.errno in _UNWRITABLE


def discard_output() -> None:
    """What is not written yet never can be: Python must not try to flush it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
