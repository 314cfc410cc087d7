"""What of a question leaves room for doubt about its reading."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ehrtui.planning.offline.parts import Parts
from ehrtui.planning.offline.reading import Understood
from ehrtui.planning.offline.words import Mark
from ehrtui.schema.profile import GUESSED
from ehrtui.trust.doubts import Doubt

_UNCUED = -math.log(0.7)
"""What the score of a reading loses in logarithms where one name of several kinds goes with no word for its kind."""


def doubts_of(
    parts: Parts,
    chosen: Understood | None,
    unexplained: Sequence[str],
    rival: str = "",
    margin: float = 1.0,
    continued: int | None = None,
    idle: Sequence[Mark] = (),
) -> tuple[Doubt, ...]:
    """The doubts about the chosen reading, None where an earlier turn (`continued`) was changed instead, in
    which the marks `idle` changed nothing; `rival` is the
    logic of the next one, `margin` in [0, 1] by how much that scores less."""
    typed = parts.text.typed
    doubts = [Doubt("unexplained", 1.0, word) for word in unexplained]
    if parts.profile.name == GUESSED:
        doubts.append(Doubt("guessed"))
    for mark in parts.marks.of("mention", "value"):
        if mark.score < 1:
            doubts.append(Doubt("inexact", round(10 * (1 - mark.score), 3), typed[mark.start : mark.end]))
    doubts += [Doubt("unused", 1.0, typed[mark.start : mark.end]) for mark in idle]
    if chosen is None:
        return (*doubts, Doubt("continued", 1.0, f"A{continued}" if continued else "the last answer"))
    doubts += [Doubt("unused", 1.0, typed[mark.start : mark.end]) for mark in chosen.unused]
    exact = math.prod(event.score for event in parts.events)
    if parts.events and chosen.score < exact - 1e-6:
        loose = next((event for event in parts.events if not event.cued), parts.events[0])
        amount = round(math.log(exact / max(chosen.score, 1e-3)) / _UNCUED, 3)
        doubts.append(Doubt("uncued", amount, typed[loose.start : loose.end]))
    if rival:
        doubts.append(Doubt("rival", round(1 - max(0.0, min(1.0, margin)), 3), rival))
    return tuple(doubts)
