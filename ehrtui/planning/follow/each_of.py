"""The same asked of each of two groups that were compared ("how many died in each?", "mean age in both groups"), or of
the groups of an answer ("and how long on average?")."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, Aggregate, Groups, Math, Measure, Set, Single, Statement
from ehrtui.planning.follow.contrasting import compares
from ehrtui.planning.follow.differing import figure_before
from ehrtui.planning.follow.pointing import STAY_NOUNS
from ehrtui.planning.follow.recounting import is_count
from ehrtui.planning.follow.subject import Subject, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, parts_of

_LINKS = {"in", "for", "among", "between", "across", "within"}
_EACH_GROUP = {"each", "both", "the", "these", "those", "two", "of", "them", "group", "groups", "cohort", "cohorts",
               "arm", "arms"}  # fmt: skip
_TELLS_EACH = {"each", "both", "two"}
_OPENING = {"and", "the", "now", "so", "but", "then"}
_CLOSING = (("as", "well"), ("too",), ("also",), ("again",), ("please",), ("then",), ("instead",))
_COUNTS = {"many", "count", "number"}
_PEOPLE = {"patients", "people"}
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
    words = without_closing([word for word in one.words if word[0].isalnum()])
    rest = _before_each(words) or _each_within(words)
    groups = _groups(earlier, latest) if rest else []
    if rest and isinstance(before := earlier[latest], Groups):
        figure = asked(" ".join(_of_them(rest)), Single((Aggregate("count", before.of),)))
        return of_groups(before, figure) or named_figure(before, [one for one in rest if one not in _OPENING], alone)
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


def _of_them(words: Sequence[str]) -> tuple[str, ...]:
    """ "How many stays over 5 days", asked of the rows of groups: of them, whatever they are called."""
    called = tuple(words[:2]) == _MANY and words[2:3] and words[2] in STAY_NOUNS | _PEOPLE
    return (*_MANY, "of", "them", *words[3:]) if called else tuple(words)


def _before_each(words: Sequence[str]) -> tuple[str, ...]:
    """The words ahead of "in each", "of the two groups"; none where a question does not end so."""
    at = next((at for at in range(len(words) - 1, 0, -1) if words[at] not in _EACH_GROUP), 0)
    tail, link = tuple(words[at + 1 :]), words[at : at + 1] and words[at] in _LINKS
    if not at or not (link or tail[:1] == ("of",)) or _TELLS_EACH.isdisjoint(tail):
        return ()
    return tuple(words[: at if link else at + 1])


def _each_within(words: Sequence[str]) -> tuple[str, ...]:
    """ "How many in each of these two groups died": what is asked, without of whom; none for anything else."""
    start = 1 if tuple(words[:1]) == ("and",) else 0
    if tuple(words[start : start + 2]) != _MANY or {*words[start + 2 : start + 3]}.isdisjoint({"in", "of"}):
        return ()
    end = next((at for at in range(start + 3, len(words)) if words[at] not in _EACH_GROUP), len(words))
    each = words[start + 3 : end]
    return (*_MANY, *words[end:]) if each[:1] and each[0] in _TELLS_EACH and end < len(words) else ()


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
    return named_figure(statement, without_closing(words[start:]), alone)


def named_figure(before: Groups, words: Sequence[str], alone: Callable[[str], Statement | None]) -> Groups | None:
    """The figure that words name, for each group: "average stay", or "stay", of which the mean is meant; "mortality" is
    that in the stays."""
    for opening in ((), ("mean",), ("in-hospital",)) if words else ():
        made = of_groups(before, alone(" ".join((*opening, *words))))
        if made is not None and made.columns[0].measure is not None:
            return made
    return None


def without_closing(words: Sequence[str]) -> tuple[str, ...]:
    """Words without those at their end that only go on: "too", "as well", "please"."""
    said = tuple(words)
    while tail := next((tail for tail in _CLOSING if said[-len(tail) :] == tail), ()):
        said = said[: -len(tail)]
    return said


def of_groups(before: Groups, figure: Statement | None) -> Groups | None:
    """A figure of the rows of groups, or the number of some of these, for each of them: "and the average stay in
    each?", "how many over 5 days in each?"."""
    match figure:
        case Single(columns=(Aggregate(of=Set() as of) as number,)):
            whole = Set(before.of.unit)
            of_stays = of in _STAYS and whole in _STAYS
            if of in (before.of, whole) or of_stays:
                return Groups(before.of, before.by, (replace(number, of=None),), having=before.having)
            if number.function == "count" and of.unit == before.of.unit and of.pick is before.of.pick is None:
                parts = dict.fromkeys((*parts_of(before.of.where), *parts_of(of.where)))
                some = replace(before.of, where=every([*parts]))
                return Groups(some, before.by, (replace(number, of=None),), having=before.having)
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
