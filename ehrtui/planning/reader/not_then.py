"""What befell people at one time and at another did not: "had pneumonia in 2019 but not in 2020", "seen in 2018 and not
in 2019"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.algebra.model import All, Condition, Has, Not
from ehrtui.logic.model import Window
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import People, Trait, every, limited, maybe, parts_of

_JOINING = {"but", "and", ",", "then", "however", "though"}
_AT = {"in", "during", "since", "after", "before", "within", "the", "again"}


@rule("negation", "window")
def _not_then(context: Context, negation: Node, window: Node) -> Iterator[Made]:
    if negation.sense != "neither" and set(context.between(negation, window)) <= _AT:
        yield Made("not-then", window.sense, 0.0)


@rule("people", "not-then")
def _people_not_then(context: Context, people: Node, then: Node) -> Iterator[Made]:
    who: People = people.sense
    others = _with_other_time(who.of.where, then.sense)
    if others is not None and set(context.between(people, then)) <= _JOINING:
        yield Made("people", replace(who, of=limited(who.of, others)), -0.2, "not-then")


@rule("trait", "not-then")
def _trait_not_then(context: Context, trait: Node, then: Node) -> Iterator[Made]:
    one: Trait = trait.sense
    others = _with_other_time(one.condition, then.sense)
    if others is not None and set(context.between(trait, then)) <= _JOINING:
        yield Made("trait", replace(one, condition=All((*parts_of(one.condition), others))), -0.2, "not-then")


def _with_other_time(where: Condition | None, windows: tuple[Condition, ...]) -> Condition | None:
    """That what was said last with a time was not so at another; None where nothing was."""
    for part in reversed(parts_of(where)):
        if isinstance(part, Has) and part.of.pick is None:
            kept = [one for one in parts_of(part.of.where) if not isinstance(one, Window)]
            if len(kept) < len(parts_of(part.of.where)):
                then = replace(part.of, where=maybe(kept))
                return Not(replace(part, of=limited(then, every(list(windows)))))
    return None
