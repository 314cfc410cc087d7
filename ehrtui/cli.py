"""The commands of `ehrtui`."""

from __future__ import annotations


def main() -> int:
    """Run the command line; the value is the exit code."""
    return 2
