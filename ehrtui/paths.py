"""Paths that a user or a file gives: whatever may be wrong with one is found before it is used."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from ehrtui.errors import UsageError


def is_file(path: Path) -> bool:
    """True for a file; False also where nobody may look, and for what no file can be called."""
    try:
        return path.is_file()
    except OSError:
        return False


def open_regular(path: Path) -> BinaryIO:
    """A file to be read. Raises OSError, also for what is there and is none: to open a pipe as if it were one would
    wait for somebody who writes into it, without end."""
    file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "It is not a regular file")
    return file


def is_there(path: Path) -> bool:
    """False for what is not there; True also where nobody may look, so that opening it says why."""
    try:
        return path.exists()
    except OSError:
        return True


def own_directory(directory: Path) -> Path:
    """A directory for ehrtui's own files, "~" resolved; it need not be there yet. Raises UsageError where nobody can
    look into it. Whether it can be written is found when something is."""
    try:
        path = directory.expanduser()
        why = "You may not enter it." if path.is_dir() and not os.access(path, os.X_OK) else ""
    except OSError as error:
        why = error.strerror or type(error).__name__
    except RuntimeError:
        why = "Nobody's home is so called."
    if why:
        raise UsageError(
            f"ehrtui cannot keep its files in {str(directory)[:200]}.",
            why=why,
            next_step="Choose another directory with --state DIR.",
        )
    return path


def make_private(directory: Path) -> Path:
    """Make the directory, and those above it, where they are not there; those that are made are for their owner alone,
    whatever the umask. One that is there stays as it is: it may be the user's own. Raises OSError."""
    if not directory.is_dir():
        make_private(directory.parent)
        directory.mkdir(mode=0o700, exist_ok=True)
        directory.chmod(0o700)  # a umask may have taken away what its owner needs
    return directory


def keep_private(directory: Path) -> Path:
    """As `make_private`, for a directory that is ehrtui's alone: it is closed to others also where it was there, as far
    as that may be done. Raises OSError where it cannot be made."""
    if make_private(directory).stat().st_mode & 0o077:
        with suppress(OSError):
            directory.chmod(0o700)
    return directory
