"""The same asked of each of two groups that were compared ("how many died in each?", "mean age in both groups"), or of
the groups of an answer ("and how long on average?")."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, Aggregate, Groups, Math, Measure, Set, Single, Statement
from ehrtui.planning.follow.contrasting import compares
from ehrtui.planning.follow.differing import figure_before
from ehrtui.planning.follow.recounting import is_count
from ehrtui.planning.follow.subject import Subject, subject_of
from ehrtui.planning.reader.lexing import Lexed

_TAILS = (("in", "each", "group"), ("in", "both", "groups"), ("in", "the", "two", "groups"), ("for", "both", "groups"),
          ("in", "these", "two", "groups"), ("of", "each", "group"), ("for", "each", "group"),
          ("in", "each", "of", "them"), ("in", "each"), ("of", "each"), ("of", "both", "groups"), ("of", "both"),
          ("for", "each"), ("in", "both"), ("for", "both"))  # fmt: skip
_OPENING = {"and", "the", "now", "so", "but", "then"}
_COUNTS = {"many", "count", "number"}
_STAYS = (Set(HOSPITAL), Set(ICU))
_MANY = ("how", "many")
_GOING_ON = {*_OPENING, "what", "about", "how", "same", "for", "of", "show", "also", "instead", "please", "me", "give"}
_TELLS = {"long", "many", "old", "much", "often", "far"}
"""Words behind "how" that are asked, where "how about" only goes on."""
_LONGEST_FIGURE = 7


def of_each(
    one: Lexed,
    earlier: Mapping[int, Statement],
    latest: int,
    asked: Callable[[str, Statement], Statement | None],
    alone: Callable[[str], Statement | None],
) -> Statement | None:
    """The figures of both groups beside each other; `asked` reads some words as asked of those of one statement,
    `alone` as a question of its own."""
    words = tuple(word for word in one.words if word[0].isalnum())
    tail = next((tail for tail in _TAILS if words[-len(tail) :] == tail), None)
    groups = _groups(earlier, latest) if tail is not None else []
    rest = words[: -len(tail)] if tail is not None else ()
    if rest and isinstance(before := earlier[latest], Groups):
        figure = asked(" ".join(rest), Single((Aggregate("count", before.of),)))
        return _of_groups(before, figure or alone(" ".join(word for word in rest if word not in _OPENING)))
    if len(groups) != 2 or not rest:
        return None
    if rest[:2] == _MANY and "of" not in rest:
        rest = (*_MANY, "of", "them", *rest[2:])
    figures: list[Measure] = []
    for group in groups:
        made = asked(" ".join(rest), Single((Aggregate("count", group.of),)))
        if not isinstance(made, Single) or len(made.columns) != 1:
            return None
        if is_count(made) and _COUNTS.isdisjoint(rest):
            return None
        figures += made.columns
    return Single(tuple(figures))


def figure_of_groups(one: Lexed, statement: Statement, alone: Callable[[str], Statement | None]) -> Statement | None:
    """Another figure of the groups of an answer, where words name a figure and neither whose it is nor any group."""
    words = [word for word in one.words if word[0].isalnum()]
    if not isinstance(statement, Groups) or len(words) > _LONGEST_FIGURE:
        return None
    if any(node.kind in ("by", "each", "people", "trait", "event", "window", "limit", "pick") for node in one.nodes):
        return None
    start = 0
    while start < len(words) and words[start] in _GOING_ON and words[start + 1 : start + 2] != ["many"]:
        if words[start] == "how" and words[start + 1 : start + 2] and words[start + 1] in _TELLS:
            break
        start += 1
    figure = alone(" ".join(words[start:])) if words[start:] else None
    made = _of_groups(statement, figure)
    return made if isinstance(made, Groups) and made.columns[0].measure is not None else None


def _of_groups(before: Groups, figure: Statement | None) -> Statement | None:
    """A figure of the rows of groups, for each of them: "and the average stay in each?"."""
    match figure:
        case Single(columns=(Aggregate(of=Set() as of, function=function) as number,)) if function != "percent":
            if of != before.of and (of not in _STAYS or Set(before.of.unit) not in _STAYS):
                return None
            return Groups(before.of, before.by, (replace(number, of=None),), having=before.having)
    return None


def _groups(earlier: Mapping[int, Statement], latest: int) -> Sequence[Subject]:
    """The two groups whose figures stand beside each other, or were asked for one after the other."""
    statement = earlier[latest]
    figures: list[Statement | None] = []
    if compares(statement) and isinstance(statement, Single):
        figures = [Single((column,)) for column in statement.columns]
    elif isinstance(statement, Single) and isinstance(apart := statement.columns[0], Math):
        figures = [Single((apart.left,)), Single((apart.right,))]
    elif (before := figure_before(earlier, latest)) is not None:
        figures = [before, statement]
    found = [subject for one in figures if one is not None and (subject := subject_of(latest, one)) is not None]
    return found if len({subject.of for subject in found}) == len(found) else ()
