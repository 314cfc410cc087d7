"""What tells numbers apart that are of the same kind: "women", "heparin", "in 2104"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass

from ehrtui.logic.algebra.model import UNITS, Among, Has, Item, Not, Own, Set, Test, Value
from ehrtui.logic.algebra.render import condition_text
from ehrtui.logic.model import Window

_SIGNS = {"=": "", "!=": "not", ">": "over", ">=": "at least", "<": "under", "<=": "at most"}
_OF_NOTHING = frozenset(("the", "of", "or", "and", "in", "mg"))


def told_apart(measures: Sequence[object]) -> list[str]:
    """For each measure what it says that not all of the others say, in words; "" for one that says no more."""
    said = [list(dict.fromkeys(_phrases(one))) for one in measures]
    shared = {phrase for phrase in said[0] if all(phrase in one for one in said)} if said else set()
    return [" ".join(phrase for phrase in one if phrase not in shared) for one in said]


def _phrases(part: object) -> Iterator[str]:
    match part:
        case Set(unit=unit, items=items):
            if items and any(item.kind in ("name", "concept") for item in items):
                yield _named(items)
            elif unit not in UNITS:
                yield unit
            yield from _phrases(part.pick)
            yield from _phrases(part.where)
        case Not(of=inner):
            yield " ".join(["without" if isinstance(inner, Has) else "not", *_phrases(inner)])
        case Has(of=Set(unit=unit, items=(), where=where)) if unit in UNITS:
            yield f"with {unit}" if where is None else unit
            yield from _phrases(where)
        case Test(left=Own(field=field), relation=relation, right=Value(value=value)):
            text = isinstance(value, str) or (value == 1 and relation == "=")
            told = [field] if not isinstance(value, str) else []
            yield " ".join([*told, _SIGNS[relation], "" if text and told else f"{value}"]).strip()
        case Among(values=values):
            yield " or ".join(map(str, values))
        case Window():
            yield condition_text(part)
        case tuple():
            for one in part:
                yield from _phrases(one)
        case _ if is_dataclass(part):
            for held in fields(part):
                yield from _phrases(getattr(part, held.name))


def _named(items: Sequence[Item]) -> str:
    """What several names have in common, which is what was asked for, or the first of them."""
    words = [item.text.lower().replace(",", " ").split() for item in items]
    common = [word for word in words[0] if all(word in one for one in words) and word not in _OF_NOTHING]
    return " ".join(common) or items[0].text
