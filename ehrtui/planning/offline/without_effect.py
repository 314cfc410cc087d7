"""Marks of a follow-up that changed nothing in the earlier question that it continues."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.model import Logic
from ehrtui.planning.offline.continuing import continued, windows_of
from ehrtui.planning.offline.conversation_words import Heard
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.parts import Parts
from ehrtui.planning.offline.words import Mark

_NEVER_CHANGE = (
    *("link", "after", "before", "elapsed", "survival", "mortality", "percentile", "same age", "years", "for each"),
    *("new", "return", "balance", "which of", "other than", "manner", "difference", "times", "in hospital"),
    *("readmitted", "grown"),
)
"""Kinds of marks that no change of an earlier question comes from."""


def marks_without_effect(heard: Heard, parts: Parts, turns: Turns, base: int, logic: Logic) -> tuple[Mark, ...]:
    """The marks without which turn `base` would have been changed to the same `logic`."""
    found = tuple(parts.marks.of(*_NEVER_CHANGE, *([] if parts.both_sexes else ["compared"])))
    for mark in (*parts.ordinals, *parts.windows, *parts.stays):
        if mark.start == mark.end:  # meant, not said
            continue
        if mark in parts.windows and mark.value in windows_of(turns[base].logic):  # said once more
            continue
        less = replace(
            parts,
            ordinals=tuple(one for one in parts.ordinals if one is not mark),
            windows=tuple(one for one in parts.windows if one is not mark),
            stays=tuple(one for one in parts.stays if one is not mark),
        )
        if continued(heard, less, turns, base) == logic:
            found += (mark,)
    return found
