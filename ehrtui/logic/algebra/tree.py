"""A statement as an indented tree: what is asked, the sets it is asked of, and the conditions of each.

percent (hospital death = 1)
└─ hospital stays
   ├─ with diagnosis code "428.*"
   └─ any of
      ├─ age >= 65
      └─ without prescription like "furosemide*"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from ehrtui.logic.algebra.model import (
    UNITS,
    Aggregate,
    All,
    Among,
    Answer,
    AnyOf,
    Arms,
    Attrition,
    Characteristics,
    Combined,
    Condition,
    Difference,
    Groups,
    Has,
    Histogram,
    Interval,
    Listing,
    Math,
    Measure,
    Mortality,
    Near,
    Neighbour,
    Not,
    Of,
    Off,
    Overlap,
    Own,
    Picked,
    Prevalence,
    Related,
    Rows,
    Set,
    Single,
    Standing,
    Statement,
    Summary,
    Survival,
    Test,
    TimeTo,
    Whether,
)
from ehrtui.logic.algebra.naming import title_of
from ehrtui.logic.algebra.render import (
    condition_text,
    head_text,
    measure_text,
    order_text,
    relation_text,
    render_statement,
    set_text,
    span_text,
    times_text,
)

What: TypeAlias = "Statement | Set | Condition | Measure"


@dataclass(frozen=True)
class Node:
    """One line; `of` is what it stands for. Of a set or a condition, how many rows it leaves can be told."""

    text: str
    of: What
    children: tuple[Node, ...] = ()


def tree(statement: Statement) -> Node:
    """The statement with all that it consists of."""
    match statement:
        case Rows(of=of, columns=columns, distinct=distinct, order=order):
            listed = columns == (Own("id"),) and of.unit in UNITS and not distinct
            shown = "" if listed else ", ".join(map(_short, columns))
            text = " ".join(filter(None, ["distinct" if distinct else "", shown, order_text(order).strip()]))
            if not text and not columns[1:]:
                return _set(of)
            return Node(text, statement, (_set(of), *_behind(columns)))
        case Groups(of=of, by=by, columns=columns, having=having, order=order):
            numbers, keys = ", ".join(map(_head, columns)), ", ".join(map(_short, by))
            kept = f" having {condition_text(having)}" if having is not None else ""
            measured = [node for one in columns for node in _inner(one)]
            text = f"{numbers} by {keys}{kept}{order_text(order)}"
            return Node(text, statement, (_set(of), *_behind(by), *measured))
        case Single(columns=(one,)):
            return _measure(one)
        case Single(columns=columns):
            return Node("side by side", statement, tuple(map(_measure, columns)))
        case Combined(left=left, operator=operator, right=right):
            return Node(operator, statement, (tree(left), tree(right)))
        case Difference(number=number, left=left, right=right):
            sides = (_set(left), _set(right), *_inner(number))
            return Node(f"difference of {_head(number)}", statement, sides)
        case Survival(of=of, then=then):
            text = f"{'mortality' if statement.died else 'survival'} over {span_text(statement.count, statement.unit)}"
            return Node(text, statement, (_set(of), *([_set(then)] if then is not None else [])))
        case Mortality(of=of, top=top):
            return Node(
                f"top {top} by mortality over {span_text(statement.count, statement.unit)}", statement, (_set(of),)
            )
        case Standing(of=of, measure=measure, value=value):
            return Node(f"standing of {value!r} in {_short(measure)}", statement, (_set(of),))
        case Listing(of=of, lacking=lacking):
            text = "list" if lacking is None else "to do"
            below = [_set(of), *([Node(f"lacking {set_text(lacking)}", statement)] if lacking is not None else [])]
            return Node(text, statement, tuple(below))
        case Summary(of=of):
            return Node("summary", statement, (_set(of),))
        case Arms(of=cohorts, columns=columns):
            return Node(", ".join(map(_head, columns)), statement, tuple(_set(one.of) for one in cohorts))
        case Characteristics(of=cohorts, more=more):
            return Node("table 1", statement, (*(_set(one.of) for one in cohorts), *_behind(more)))
        case Histogram(of=of, measure=measure):
            return Node(f"histogram of {_short(measure)}", statement, (_set(of), *_behind([measure])))
        case Prevalence(of=of, condition=condition, by=by):
            keys = f" by {', '.join(map(_short, by))}" if by else ""
            return Node(f"prevalence{keys}", statement, (_set(of), _condition(condition), *_behind(by)))
        case TimeTo(of=cohorts, event=event, start=start, until=until):
            text = f"time to {_short(event)} from {_short(start)} until {_short(until)}"
            return Node(text, statement, (*(_set(one.of) for one in cohorts), *_behind([event, start, until])))
        case Attrition(of=of, steps=steps):
            parts = [part for part in (of.where, *steps) if part is not None]
            held = [one for part in parts for one in (part.of if isinstance(part, All) else (part,))]
            return Node("attrition", statement, (_set(replace(of, where=All(tuple(held)) if held else None)),))
        case Overlap(left=left, right=right):
            return Node("overlap", statement, (_set(left.of), _set(right.of)))
        case _:
            return Node(render_statement(statement), statement)


def drawn(node: Node) -> str:
    """The tree as text, a line for each node."""
    return "\n".join(_lines(node, "", ""))


def nodes(node: Node) -> Iterator[Node]:
    """A node and all below it, as they are drawn."""
    yield node
    for child in node.children:
        yield from nodes(child)


def _lines(node: Node, first: str, rest: str) -> Iterator[str]:
    yield f"{first}{node.text}"
    for child in node.children:
        last = child is node.children[-1]
        yield from _lines(child, f"{rest}{'└─ ' if last else '├─ '}", f"{rest}{'   ' if last else '│  '}")


# --- sets and conditions ---------------------------------------------------------------------------------------------


def _set(of: Set) -> Node:
    parts = of.where.of if isinstance(of.where, All) else (of.where,) if of.where is not None else ()
    named = [one for one in parts if isinstance(one, Among) and one.measure == Own("id")] if of.unit in UNITS else []
    ids = tuple(named[:1])
    bare = replace(of, where=ids[0] if ids else None)
    return Node(set_text(bare), of, tuple(_condition(one) for one in parts if one not in ids))


def _condition(condition: Condition) -> Node:
    match condition:
        case All(of=parts):
            return Node("all of", condition, tuple(map(_condition, parts)))
        case AnyOf(of=parts):
            return Node("any of", condition, tuple(map(_condition, parts)))
        case Has(of=of):
            return _of_set(f"with {times_text(condition.times)}".strip(), condition, of)
        case Not(of=Has(of=of, times=times)):
            return _of_set(f"without {times_text(times)}".strip(), condition, of)
        case Not(of=one):
            return Node("not", condition, (_condition(one),))
        case Off(of=one):
            held = _condition(one)
            return Node(f"off: {held.text}", condition, held.children)
        case Of(of=of):
            return _of_set("of", condition, of)
        case Related(event=event, relations=relations):
            return _of_set(" and ".join(map(relation_text, relations)), condition, event)
        case Near(relation=relation, moment=moment):
            return Node(f"{relation_text(relation)} {_short(moment)}", condition, _behind([moment]))
        case Test(left=left, relation=sign, right=right):
            return Node(f"{_short(left)} {sign} {_short(right)}", condition, _behind([left, right]))
        case _:
            return Node(condition_text(condition), condition)


def _of_set(word: str, condition: Condition, of: Set) -> Node:
    """A condition that is all about another set, with what that set demands below it."""
    held = _set(of)
    return Node(f"{word} {held.text}", condition, held.children)


# --- measures --------------------------------------------------------------------------------------------------------


def _measure(measure: Measure) -> Node:
    match measure:
        case Aggregate(of=Set() as of):
            return Node(_head(replace(measure, of=None)), measure, (_set(of), *_inner(measure)))
        case Aggregate(function=function, of=of) if of is not None and not isinstance(of, Set):
            argument = f" {measure.argument:g}" if measure.argument is not None else ""
            return Node(f"{function}{argument} over", measure, (tree(of),))
        case Neighbour(which=which, measure=inner, of=Set() as of):
            return Node(f"{which} {_short(inner)}", measure, (_set(of),))
        case Picked(measure=inner, of=of):
            return Node(_short(inner), measure, (_set(of), *_behind([inner])))
        case Math(operator=operator, left=left, right=right):
            word = "as percent of" if operator == "%" else operator
            return Node(word, measure, (_measure(left), _measure(right)))
        case Interval(unit=unit, start=start, end=end):
            return Node(f"{unit}s from … to …", measure, (_measure(start), _measure(end)))
        case Whether(condition=condition):
            return Node("whether", measure, (_condition(condition),))
        case Rows() | Groups() | Single() | Answer() | Combined():
            return tree(measure)
        case _:
            return Node(measure_text(measure), measure)


def _behind(measures: Iterable[Measure]) -> tuple[Node, ...]:
    """Nodes for the measures that are more than a few words, which `_short` names."""
    return tuple(_measure(one) for one in measures if _is_long(one))


def _inner(measure: Aggregate) -> tuple[Node, ...]:
    held = measure.measure
    return _behind([held]) if held is not None and measure.function not in ("percent", "count") else ()  # type: ignore[list-item]


def _head(number: Aggregate) -> str:
    held = number.measure
    if held is None or number.function == "percent" or not _is_long(held):  # type: ignore[arg-type]
        return head_text(number)
    return head_text(replace(number, measure=Own(_short(held))))  # type: ignore[arg-type]


def _is_long(measure: Measure) -> bool:
    return isinstance(measure, Picked | Math | Interval | Whether | Rows | Groups | Single | Answer | Combined) or (
        isinstance(measure, Aggregate | Neighbour) and measure.of is not None
    )


def _short(measure: Measure) -> str:
    """A measure in a few words, where a node of its own tells the rest."""
    return f"[{title_of(measure)}]" if _is_long(measure) else measure_text(measure)
