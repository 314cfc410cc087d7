"""Where something stands in a TOML file, for messages about it."""

from __future__ import annotations

import re

_HEAD = re.compile(r"\s*\[([^\]]*)\]")


def line_of(text: str, section: str, name: str) -> int:
    """The line, from 1, where the key `name` of a section stands, or where the section `name` begins ("" for both: what
    stands before any section); 1 where it is not found."""
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(line):
            here = _bare(head[1])
            if not section and here == name:
                return number
        elif here == section and _bare(line.split("=")[0]) == name:
            return number
    return 1


def _bare(name: str) -> str:
    return name.strip().strip("\"'")
