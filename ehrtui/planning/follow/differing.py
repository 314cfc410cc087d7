"""How far two figures are apart: "difference?", "how many more is it in 2104 than in 2103", "ratio of the two"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    Aggregate,
    Among,
    Groups,
    Interval,
    Math,
    Measure,
    Own,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.logic.model import Calendar, Relative, Window
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.pointing import SHARES
from ehrtui.planning.follow.saying import FILL
from ehrtui.planning.follow.subject import person_in
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import parts_of

_APART = {"difference", "differ", "differs", "differed", "gap", "apart"}
_MORE = {"more", "higher", "longer", "greater", "larger", "bigger", "older", "increase", "increased", "rise", "rose",
         "risen", "up", "gain", "gained"}  # fmt: skip
_LESS = {"less", "fewer", "lower", "shorter", "smaller", "younger", "decrease", "decreased", "fall", "fell", "fallen",
         "drop", "dropped", "down", "lost", "loss"}  # fmt: skip
_CHANGE = {"change", "changed", "changes"}
"""Words for how far the later figure is from the earlier, whichever way it went."""
_COURSE = {"increase", "increased", "rise", "rose", "risen", "gain", "gained", "decrease", "decreased", "fall", "fell",
           "fallen", "drop", "dropped", "lost", "loss"}  # fmt: skip
"""Words for a change in the course of time."""
_GOING = {"go", "goes", "went", "gone", "come", "came"}
_RATIO = {"ratio", "quotient", "factor"}
_IDLE = {"how", "much", "many", "by", "between", "two", "both", "numbers", "figures", "values", "means", "averages",
         "medians", "counts", "rates", "answers", "results", "last", "did", "do", "does", "go", "went", "come", "days",
         "hours", "years", "points", "patients", "admissions", "stays", "cases", "people", "be", "would", "has", "have",
         "had", "mean", "average", "median", "rate",
         "what", "tell", "calculate", "compute", "subtract", "from", "other", "their", "here"}  # fmt: skip
_BEFORE = {"before", "previous", "previously", "earlier", "former", "first", "at", "number", "figure", "one", "value",
           "answer", "latter", "prior", "last"}  # fmt: skip
_TWO, _REACH = {"two", "both"}, 8
_FIGURES = {"means", "averages", "medians", "figures", "numbers", "rates", "shares", "percentages", "counts", "totals",
            "values", "results"}  # fmt: skip
_A_FIGURE = {"mean", "average", "median", "figure", "number", "rate", "share", "percentage", "count", "total",
             "value"}  # fmt: skip
_WHETHER = {"is", "was", "are", "were", "did", "does", "do", "has", "have"}
_THAN = {"than"}
_TO = (("compared", "with"), ("compared", "to"), ("relative", "to"), ("versus",), ("vs",), ("difference", "to"),
       ("difference", "from"), ("difference", "with"))  # fmt: skip


def set_beside(
    one: Lexed,
    statement: Statement,
    earlier: Mapping[int, Statement],
    latest: int,
    changed: Callable[[str], Statement | None],
) -> Statement | None:
    """The difference or the ratio of the latest figure and another: the one before it, or what a change of it gives,
    which `changed` reads."""
    said = {*one.words}
    match statement:
        case Single(columns=(Aggregate() as first, Aggregate() as second)) if _asks_how_much(one.words):
            return Single((Math("-", first, second),))
    how = said & (_APART | _CHANGE | _MORE | _LESS | _RATIO)
    if "how" not in said and "by" not in said and one.words[:1] and one.words[0] in _WHETHER:
        return None  # "is it lower than the first?"
    relative = not said.isdisjoint(SHARES) and bool(how & (_APART | _CHANGE | _MORE | _LESS))
    if not how or number_of(statement) is None or ("how" not in said and how <= {"up", "down"}):
        return None
    head, left, right = _sides(one.words)
    of_two = bool(said & _TWO and said & _FIGURES)
    if right and {*right} <= {"the", "other", "another"} and "one" in head:
        head, left, right, of_two = (*head, *left), (), (), bool(said & _A_FIGURE)
    if not right and "how" in said and how <= _MORE | _LESS:
        head, left = _parted(head)
    allowed = FILL | (SHARES if relative else set()) | _APART | _CHANGE | _MORE | _LESS | _RATIO | _IDLE | {"times"}
    if not {word for word in head if word[0].isalnum()} <= allowed:
        return None
    if "how" not in said and not how & (_APART | _CHANGE | _RATIO) and "by" not in said:
        return None  # "and less than a day?"
    if not right and left:
        one_side, before = _changed(left, statement, changed), figure_before(earlier, latest)
        other = before if one_side == statement else statement
        return None if one_side is None or before is None or other is None else _apart(other, one_side, said)
    if not right:
        before = figure_before(earlier, latest, further=of_two)
        if before is not None and relative:
            return _in_percent(*_in_time(before, statement, said))
        return None if before is None else _apart(before, statement, said)
    one_side = _changed(left, statement, changed)
    other = _changed(right, statement, changed, figure_before(earlier, latest))
    if one_side is None or other is None:
        return None
    if how <= _APART:
        return _told(number_of(one_side), "-", number_of(other))
    return _apart(other, one_side, said)


def _asks_how_much(words: Sequence[str]) -> bool:
    """True for "by how much?", "what's the difference?", of figures beside each other."""
    said = {word for word in words if word[0].isalnum()}
    return said <= FILL | _APART | {"by", "how", "much", "many"} and bool(said & {*_APART, "much", "many"})


def _sides(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The words that ask for a difference, and those that say of what, and from what."""
    place = next((at for at, word in enumerate(words) if word in _THAN), None)
    behind = 1
    if place is None:
        for pair in _TO:
            found = next((at for at in range(len(words)) if tuple(words[at : at + len(pair)]) == pair), None)
            if found is not None:
                place, behind = found, len(pair)
                break
    if place is None:
        return tuple(words), (), ()
    head, right = words[:place], tuple(word for word in words[place + behind :] if word[0].isalnum())
    return (*_parted(head), right)


def _parted(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words up to what is compared ("how many more were there"), and those that say it ("in 2104")."""
    split = next((at for at, word in enumerate(words) if word in _STRETCH and at > 0), len(words))
    return tuple(words[:split]), tuple(words[split:])


_STRETCH = {"in", "among", "for", "at", "on", "of", "with", "under"}
"""Words that what is compared begins with: "how many more in 2104 than in 2103"."""


def _changed(
    words: Sequence[str],
    statement: Statement,
    changed: Callable[[str], Statement | None],
    before: Statement | None = None,
) -> Statement | None:
    """The statement as some words change it: as it is for none, the one `before` where they say so."""
    telling = [word for word in words if word not in FILL]
    if not telling:
        return statement if before is None else before
    if before is not None and {*telling} <= _BEFORE - {"first", "last", "one"}:
        return before
    made = changed(" ".join(words))
    return made if made is not None and number_of(made) is not None else None


def figure_before(earlier: Mapping[int, Statement], latest: int, *, further: bool = False) -> Statement | None:
    """The answer before the latest, where it is one number of the same kind; or looking `further`, for "the two means",
    the latest one that is."""
    turns = [turn for turn in sorted(earlier, reverse=True) if turn < latest]
    other = number_of(earlier[latest])
    for turn in turns[: _REACH if further else 1]:
        one = number_of(earlier[turn])
        if one is not None and other is not None and one != other and _alike(one, other):
            return earlier[turn]
    return None


def _alike(one: Measure, other: Measure) -> bool:
    """True for numbers that may be compared: both counts, or both of the same measure."""
    match one, other:
        case Aggregate(function=left, measure=of), Aggregate(function=right, measure=to):
            counts = {"count", "distinct"}
            return ({left, right} <= counts) or (left == right and (of == to or left == "percent")) or (of == to)
        case Aggregate(measure=of), Picked(measure=to):
            return of == to
        case Picked(measure=of), Aggregate(measure=to):
            return of == to
        case Picked(measure=of), Picked(measure=to):
            return of == to
    return False


def _apart(before: Statement, after: Statement, said: set[str]) -> Statement | None:
    """How far the later of two figures is from the earlier, as the words say which is to be the larger."""
    before, after = _in_time(before, after, said)
    one, other = number_of(before), number_of(after)
    if said & _RATIO:
        return _told(one, "/", other)
    if "times" in said:
        return _told(other, "/", one)
    if said & (_MORE | _CHANGE):
        return _told(other, "-", one)
    return _told(one, "-", other)


def _in_time(before: Statement, after: Statement, said: set[str]) -> tuple[Statement, Statement]:
    """The figures in the order of their times, whichever was asked first, where the words ask for a change in the
    course of time: "did it fall", "how much did it go up"."""
    course = said & _COURSE or (said & _GOING and said & {"up", "down"})
    return (after, before) if course and _later(before, after) else (before, after)


def _later(one: Statement, other: Statement) -> bool:
    """True where the first of two figures is of a later time than the second, as far as the calendar says."""
    times = [{node.when for node in walk(each) if isinstance(node, Window)} for each in (one, other)]
    if any(len(found) != 1 for found in times):
        return False
    match times[0].pop(), times[1].pop():
        case Calendar() as left, Calendar() as right:
            return (left.year, left.month or 0, left.day or 0) > (right.year, right.month or 0, right.day or 0)
        case Relative(unit=unit, back=left), Relative(unit=same, back=right) if unit == same:
            return left < right
    return False


def _in_percent(before: Statement, after: Statement) -> Statement | None:
    """By how many percent of the earlier figure the later one is more; of shares, by how many points."""
    one, other = number_of(before), number_of(after)
    if one is None or other is None:
        return None
    apart = Math("-", other, one)
    shares = isinstance(one, Aggregate) and one.function == "percent"
    return Single((apart if shares else Math("%", apart, one),))


def _told(one: Measure | None, sign: str, other: Measure | None) -> Statement | None:
    if one is None or other is None or one == other:
        return None
    return Single((Math("/" if sign == "/" else "-", one, other),))


def number_of(statement: Statement) -> Measure | None:
    """The one number that an answer is; None where it is none, or several."""
    match statement:
        case Single(columns=(Aggregate(of=Set()) as number,)):
            return number
        case Single(columns=(Picked() as number,)):
            return number
        case Groups(of=of, by=(Own(field=field),), columns=(number,)) if _is_one_group(of, field):
            return replace(number, of=of)
        case Rows(of=of, columns=(column,)) if _is_figure(column) and person_in(of) is not None:
            picked = of.pick is not None and (of.pick.per == PATIENT or of.pick.per == "all")
            return Picked(column, replace(of, pick=replace(of.pick, ties=False))) if picked and of.pick else None
    return None


def _is_figure(column: Measure) -> bool:
    return isinstance(column, Interval) or (
        isinstance(column, Own) and column.field not in ("id", "name", "time", "end time", "gender")
    )


def _is_one_group(of: Set, field: str) -> bool:
    """True where the key of the groups has a single value."""
    return any(
        (isinstance(part, Test) and part.relation == "=" and part.left == Own(field))
        or (isinstance(part, Among) and part.measure == Own(field) and len(part.values) == 1)
        for part in parts_of(of.where)
    )
