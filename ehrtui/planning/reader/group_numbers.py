"""Several numbers of each group: "admissions and deaths by insurance", "by site: isolates and patients"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Groups,
    Has,
    Measure,
    Order,
    Own,
    Set,
    Single,
    Statement,
    Test,
    Value,
    Whether,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.keys import grouped, keys_of
from ehrtui.planning.reader.meanings import every, limited, parts_of
from ehrtui.planning.reader.several import Reader, numbers_of

_TOGETHER = -0.2
"""What it saves that all numbers are of the groups."""
_DIED = Test(Own("hospital death"), "=", Value(1))


def numbers_of_groups(context: Context, cover: Sequence[Node], read: Reader) -> Iterator[tuple[Statement, float]]:
    """The statements that give several numbers of each group that a cover names, with what each costs: what the rest of
    it asks for as numbers side by side, group by group."""
    frame = Frame(context, cover, "")
    before = set(frame.pieces.used)
    keys = keys_of(frame)
    if not keys:
        return
    said = [node for at, node in enumerate(frame.pieces.nodes) if at in frame.pieces.used - before]
    limits = frame.pieces.nodes[len(cover) :]
    if limits and sum(node.kind == "count" for node in cover) == 1:
        return  # "married vs single patients, counts": one number of each
    rest = [node for node in cover if node not in said and node.kind != "order"] + [
        node for node in limits if node not in said
    ]
    orders = [node for node in cover if node.kind == "order"]
    found = [*numbers_of(context, rest, read)]
    if (made := read(rest)) is not None:
        found.append(made)
    for statement, cost in found:
        if not isinstance(statement, Single) or len(statement.columns) < 2:
            continue
        numbers = of_groups(statement.columns)
        if numbers is None:
            continue
        of, columns = numbers
        if of.pick is not None and any(map(_of_each_stay, keys)):
            continue  # a group of one value each
        if any(isinstance(one.measure, Aggregate) for one in columns if isinstance(one, Aggregate)) and any(
            map(_of_each_unit, keys)
        ):
            continue  # "labs per stay: mean and maximum": over the number that each has
        order = Order(columns[0], orders[0].sense == "highest") if orders else None
        made_groups = grouped(frame, of, keys, *columns, order=order)
        if isinstance(made_groups, Groups) and len(made_groups.columns) == len(columns):
            yield made_groups, cost + frame.cost + _TOGETHER


def _of_each_unit(key: Measure | str) -> bool:
    return isinstance(key, Own) and key.field in UNITS


def _of_each_stay(key: Measure | str) -> bool:
    return isinstance(key, Own) and (key.field in UNITS or key.field.endswith("time"))


def of_groups(columns: Sequence[Measure]) -> tuple[Set, tuple[Aggregate, ...]] | None:
    """The rows that are grouped, and numbers of each group in place of numbers of all; None where the numbers are not
    of the same rows."""
    bases = [one.of for one in columns if isinstance(one, Aggregate) and isinstance(one.of, Set)]
    if len(bases) != len(columns):
        return None
    base = min(bases, key=lambda of: (of.unit == PATIENT, len(parts_of(of.where))))
    found = tuple(_of_group(one, base) for one in columns if isinstance(one, Aggregate))
    return (base, found) if all(one is not None for one in found) else None  # type: ignore[return-value]


def _of_group(number: Aggregate, base: Set) -> Aggregate | None:
    of = number.of
    assert isinstance(of, Set)
    if of == base:
        return replace(number, of=None)
    if number.function != "count":
        return None
    if of in (Set(PATIENT, (), Has(base)), Set(PATIENT)):
        return Aggregate("distinct", None, Own(PATIENT))
    if of == Set(PATIENT, (), Has(limited(base, _DIED))) and base.unit == HOSPITAL:
        return Aggregate("sum", None, Whether(_DIED))  # nobody dies in two stays
    if replace(of, where=None) != replace(base, where=None):
        return None
    known = parts_of(base.where)
    more: list[Condition] = [part for part in parts_of(of.where) if part not in known]
    if not more or len(more) + len(known) != len(parts_of(of.where)):
        return None
    return Aggregate("sum", None, Whether(every(more)))
