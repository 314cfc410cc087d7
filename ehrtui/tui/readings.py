"""The readings of a question one above the other, with what differs marked, and what the others would answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from ehrtui.plans.editing import difference
from ehrtui.tui.formatting import count, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ehrtui.conversation.rivals import Rival
    from ehrtui.tui.view import View

MOST = 3
TAUGHT = Content.styled("★ Questions of this form are read so from now on. F3, a takes that back.", "dim")
_AROUND = 24
"""Characters of logic that are shown on either side of what differs, where it is long."""
_LONG = 60


def readings_content(view: View) -> Content:
    """A line of logic for each reading, `▸` before the one that is taken, and below it what that asks; in the others,
    what differs from it is underlined, and `≠` or `=` say what they would answer."""
    taken, rivals = view.texts["logic"], {rival.logic: rival for rival in view.rivals}
    said = {reading.logic: reading.sentence for reading in view.readings}
    shown = list(said)[:MOST]
    if taken in said and taken not in shown:
        shown[-1] = taken
    lines = [Content.styled(f"This can be read in {len(view.readings)} ways; ^N takes the next:", "dim")]
    for logic in shown:
        if logic == taken:
            lines.append(Content.assemble(("▸ ", "$accent bold"), _shown(logic, len(logic))))
        else:
            lines.append(Content.assemble("  ", *_marked(logic, taken), *_answer(rivals.get(logic), view.withheld)))
        if said[logic]:
            lines.append(Content.styled(f"  {printable(said[logic])}", "dim"))
    return Content("\n").join([lines[0], TAUGHT, *lines[1:]] if view.taught else lines)  # where no height cuts it off


def rival_sentence(rivals: Sequence[Rival], *, withheld: bool) -> Content:
    """What another reading would have answered, one that finds something else where there is one; nothing of that
    where the answer itself is withheld."""
    rival = next((each for each in rivals if each.row_count and not each.same), rivals[0])
    logic, key = _shown(rival.in_words, _LONG * 2), ("  F6, ^N: next reading.", "dim")
    if withheld and not rival.same:
        return Content.assemble(("≠ Another reading gives another answer.", "$warning bold"), key)
    if rival.same:
        return Content.styled(f"= Read otherwise, the answer is the same: {logic}", "dim")
    if not rival.row_count:
        return Content.styled(f"≠ Read otherwise, nothing is found: {logic}", "dim")
    return Content.assemble(("≠ Or ", "$warning bold"), f"{_value(rival)}, read as: {logic}", key)


def _answer(rival: Rival | None, withheld: bool) -> list[tuple[str, str]]:
    if rival is None:
        return []
    if rival.same:
        return [("  = the same answer", "dim")]
    return [("  ≠ another answer" if withheld else f"  ≠ {_value(rival)}", "bold")]


def _value(rival: Rival) -> str:
    """The single value, or how many rows."""
    if rival.value is None:
        return count(rival.row_count, "row")
    from ehrtui.session.told import one_value

    text = one_value(rival.logic, rival.value[0])
    return text if len(text) <= _LONG else text[:_LONG] + "…"


def _marked(logic: str, taken: str) -> list[tuple[str, str]]:
    """The words that differ from the reading that is taken, and what is around them."""
    if not taken:
        return [(_shown(logic, _LONG), "")]
    start, _, end = difference(taken, logic)
    start = logic.rfind(" ", 0, start) + 1
    end = len(logic) if (space := logic.find(" ", end)) < 0 else space
    before, after = logic[:start], logic[end:]
    if len(logic) > _LONG:
        before = before if len(before) <= _AROUND else "…" + before[-_AROUND:]
        after = _shown(after, _AROUND)
    return [
        (_shown(before, len(before)), "dim"),
        (_shown(logic[start:end], _LONG), "$warning underline"),
        (after, "dim"),
    ]


def _shown(logic: str, most: int) -> str:
    text = printable(logic).replace("␊", " ")
    return text if len(text) <= most else text[:most] + "…"
