"""Two sides of one question: "in 2104 versus 2103", "more in May than in April", "patients with and without sepsis"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import Math, Measure, Single, Statement
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.several import Reader
from ehrtui.planning.reader.traits import having, trait_of
from ehrtui.planning.reader.year_on_year import CHANGED

_IDLE = ("rival", "compare", "list", CHANGED)
_SAID = -0.5
"""What it saves that the words set one side against the other."""


@rule("both-ways", "event")
def _with_and_without(context: Context, both: Node, event: Node) -> Iterator[Made]:
    """ "With and without pneumonia": those who have it beside those who do not."""
    if event.sense.of.pick is None:
        yield Made("split", having(event.sense), _SAID, "split")


@rule("both-ways", "trait")
def _with_and_without_trait(context: Context, both: Node, trait: Node) -> Iterator[Made]:
    if not trait.sense.negated:
        yield Made("split", trait_of(context, trait.sense), _SAID, "split")


def times_compared(context: Context, cover: Sequence[Node], read: Reader) -> Iterator[tuple[Statement, float]]:
    """The statements that tell a number of each of two times which a cover sets against each other, or how far they are
    apart, with what each costs."""
    said = [node for node in cover if node.kind == "rival-windows"]
    asked = max((node.end for node in cover if node.kind == "compare" and node.start == 0), default=0)
    grouped = any(node.kind in ("by", "each") and node.start >= asked for node in context.lexed.nodes)
    if len(said) != 1 or grouped:
        return
    numbers: list[Measure] = []
    cost = 0.0
    for window in said[0].sense:
        side = [replace(node, kind="window", sense=window) if node is said[0] else node for node in cover]
        made = _number(context, [node for node in side if node.kind not in _IDLE], read)
        if made is None:
            return
        numbers.append(made[0])
        cost += made[1] / 2
    more = _how_many_more(context)
    changes = [node.sense for node in cover if node.kind == CHANGED]
    if changes:
        first, second = numbers
        change = Math("-", second, first)
        told = Math("%", change, first) if changes[0] == "percent" else change
        yield Single((*numbers, told) if changes[0] == "both" else (told,)), cost + _SAID
    elif more:
        first, second = numbers if more == "more" else reversed(numbers)
        yield Single((Math("-", first, second),)), cost + _SAID
    else:
        yield Single(tuple(numbers)), cost + _SAID


def _number(context: Context, side: list[Node], read: Reader) -> tuple[Measure, float] | None:
    """The one number that is asked of a side: how many there are, where no other is named."""
    made = read(side)
    if not any(node.kind in ("count", "function", "share", "ask") for node in side):
        first = min(node.start for node in side)
        made = read([Node("count", "words", first, first), *side])
    if made is None or not isinstance(made[0], Single) or len(made[0].columns) != 1:
        return None
    return made[0].columns[0], made[1]


def _how_many_more(context: Context) -> str:
    words = context.lexed.words
    found = (words[at + 2] for at in range(len(words) - 2) if words[at : at + 2] == ("how", "many"))
    return next((one for one in found if one in ("more", "fewer", "less")), "")
