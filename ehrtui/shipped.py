"""The files that ship with ehrtui outside its code: colour themes and example sessions."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def shipped(folder: str) -> Path:
    """The directory of shipped `folder` ("themes", "sessions"): inside the package when installed from a wheel,
    beside it in a checkout."""
    inside = _PACKAGE / folder
    return inside if inside.is_dir() else _PACKAGE.parent / folder
