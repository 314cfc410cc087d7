"""What an edit or a repair changes, line by line: signs and colours, and in changed lines the changed letters."""

from __future__ import annotations

from difflib import SequenceMatcher

from textual.content import Content

from ehrtui.plans.editing import difference
from ehrtui.tui.formatting import printable

AROUND = 1
"""Unchanged lines that are shown before and after a change."""


def diff_content(before: str, after: str) -> Content:
    """`- old` and `+ new` lines with a little of what stays around them; a skipped stretch is `…`."""
    old, new = before.splitlines(), after.splitlines()
    shown: list[Content] = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND):
        if shown or group[0][1]:
            shown.append(Content.styled("…", "dim"))
        for kind, start, end, new_start, new_end in group:
            if kind == "equal":
                shown += [Content.styled(f"  {printable(line)}", "dim") for line in old[start:end]]
            else:
                shown += _changed(old[start:end], new[new_start:new_end])
    return Content("\n").join(shown)


def _changed(old: list[str], new: list[str]) -> list[Content]:
    """Lines that were replaced: in as many new as old ones, what differs is underlined."""
    removed, added = [], []
    for at in range(max(len(old), len(new))):
        start, end, new_end = difference(old[at], new[at]) if len(old) == len(new) else (0, 0, 0)
        removed += [_line("- ", line, (start, end), "$error") for line in old[at : at + 1]]
        added += [_line("+ ", line, (start, new_end), "$success") for line in new[at : at + 1]]
    return removed + added


def _line(sign: str, line: str, span: tuple[int, int], style: str) -> Content:
    start, end = span
    parts = [printable(line[:start]), printable(line[start:end]), printable(line[end:])]
    return Content.assemble(
        (sign, f"{style} bold"), (parts[0], style), (parts[1], f"{style} bold underline"), (parts[2], style)
    )
