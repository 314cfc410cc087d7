"""The disk that kept results, and what does not fit into memory, lie on."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path


def temporary_directory() -> Path:
    """Where SQLite puts its temporary files: on Unix the first of a list of its own that can be written."""
    if sys.platform == "win32":
        return Path(tempfile.gettempdir())
    named = (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp")
    for directory in named:
        if directory and Path(directory).is_dir() and os.access(directory, os.W_OK | os.X_OK):
            return Path(directory)
    return Path()


def private_directory(system: str) -> Path:
    """A new directory of this process alone for what a `system` puts on the disk; those that killed processes left are
    removed."""
    prefix = f"ehrtui-{system}-"
    parent = Path(tempfile.gettempdir())
    for left in parent.glob(f"{prefix}*"):
        process = left.name[len(prefix) :].partition("-")[0]
        if process.isdigit() and not _is_alive(int(process)):
            shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-"))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def free_bytes(directory: Path) -> int:
    """Bytes that this user may still write there; very many where the system does not tell."""
    try:
        return shutil.disk_usage(directory).free
    except OSError:
        return sys.maxsize


def size(count: int) -> str:
    """Bytes for people: "500 MB", "4.2 GB"."""
    for limit, divisor, unit in ((1e6, 1e3, "kB"), (1e9, 1e6, "MB"), (1e12, 1e9, "GB")):
        if count < limit:
            return f"{count / divisor:.3g} {unit}"
    return f"{count / 1e12:,.3g} TB"
