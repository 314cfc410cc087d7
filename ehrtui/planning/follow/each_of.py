"""The same asked of each of two groups that were compared: "how many died in each?", "mean age in both groups"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ehrtui.logic.algebra.model import Aggregate, Measure, Single, Statement
from ehrtui.planning.follow.contrasting import compares
from ehrtui.planning.follow.differing import figure_before
from ehrtui.planning.follow.subject import Subject, subject_of
from ehrtui.planning.reader.lexing import Lexed

_TAILS = (("in", "each", "group"), ("in", "both", "groups"), ("in", "the", "two", "groups"), ("for", "both", "groups"),
          ("in", "these", "two", "groups"), ("of", "each", "group"), ("for", "each", "group"),
          ("in", "each", "of", "them"), ("in", "each"), ("for", "each"), ("in", "both"), ("for", "both"))  # fmt: skip
_MANY = ("how", "many")


def of_each(
    one: Lexed,
    earlier: Mapping[int, Statement],
    latest: int,
    asked: Callable[[str, Statement], Statement | None],
) -> Statement | None:
    """The figures of both groups beside each other; `asked` reads some words as asked of those of one statement."""
    words = tuple(word for word in one.words if word[0].isalnum())
    tail = next((tail for tail in _TAILS if words[-len(tail) :] == tail), None)
    groups = _groups(earlier, latest) if tail is not None else []
    rest = words[: -len(tail)] if tail is not None else ()
    if len(groups) != 2 or not rest:
        return None
    if rest[:2] == _MANY and "of" not in rest:
        rest = (*_MANY, "of", "them", *rest[2:])
    figures: list[Measure] = []
    for group in groups:
        made = asked(" ".join(rest), Single((Aggregate("count", group.of),)))
        if not isinstance(made, Single) or len(made.columns) != 1:
            return None
        figures += made.columns
    return Single(tuple(figures))


def _groups(earlier: Mapping[int, Statement], latest: int) -> Sequence[Subject]:
    """The two groups whose figures stand beside each other, or were asked for one after the other."""
    statement = earlier[latest]
    figures: list[Statement | None] = []
    if compares(statement) and isinstance(statement, Single):
        figures = [Single((column,)) for column in statement.columns]
    elif (before := figure_before(earlier, latest)) is not None:
        figures = [before, statement]
    found = [subject for one in figures if one is not None and (subject := subject_of(latest, one)) is not None]
    return found if len({subject.of for subject in found}) == len(found) else ()
