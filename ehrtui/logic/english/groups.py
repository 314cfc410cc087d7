"""Questions for groups with their numbers, and for those that lead."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, UNITS, Aggregate, Band, Groups, Measure, Order, Own, Set, Whether
from ehrtui.logic.english.clauses import At, clause, noun
from ehrtui.logic.english.measures import head, names_of, number_fields
from ehrtui.logic.english.numbers import heads, of_number
from ehrtui.logic.english.orders import extreme, sorted_by, ties
from ehrtui.logic.english.things import thing, without
from ehrtui.logic.english.words import flag, listed, plural

_OF_UNITS: tuple[Measure, ...] = tuple(map(Own, UNITS))


def of_groups(statement: Groups, at: At) -> str:
    """The question for groups."""
    order = statement.order
    of, recorded = _grouped(statement)
    own = At(at.profile, of.unit)
    kept = _having(statement, own) if statement.having is not None else ""
    if order is not None and order.first is not None:
        return _ranking(statement, of, order, at) + kept
    keys = _keys(statement, own, recorded)
    behind = f"{kept}{sorted_by(order, own)}"
    rows = thing(of, at)
    if statement.asked == "keys":
        called = listed([key_name(one, own, one=False) for one in statement.by])
        return f"which {called} are there among {rows.many()}{behind}"
    if statement.asked == "numbers":
        keys = f"{keys}, without naming it"
    if len(statement.columns) > 1:
        return f"among {rows.many()}, what are {heads(statement.columns, own)} {keys}{behind}"
    (number,) = statement.columns
    asked = (
        of_number(replace(number, of=of), at)
        if number.function != "share"
        else f"what is their share of all {rows.many()}"
    )
    if of.where is None and not of.items and statement.asked == "all" and not keys.startswith("by"):
        return f"{asked} {keys}{behind}"
    return f"{keys}, {asked}{behind}" if keys.startswith("for") else f"{asked}, {keys}{behind}"


def _grouped(statement: Groups) -> tuple[Set, bool]:
    """The set of groups without the condition that what they are grouped by is recorded, and whether it had that."""
    counted = [number_fields(one) for one in statement.columns]
    shared = [one for one in counted[0] if all(one in others for others in counted)]
    of = without(statement.of, shared)
    kept = without(of, statement.by)
    return kept, kept is not of


def _keys(statement: Groups, own: At, recorded: bool) -> str:
    """What numbers are taken for: "for each drug and by whether they died in hospital"."""
    ordered = sorted(statement.by, key=lambda one: isinstance(one, Band))  # whose own list of limits ends the phrase
    plain = [key_name(one, own, one=True) for one in ordered if not _yes_no(one)]
    others = [_truth(one, own) for one in statement.by if _yes_no(one)]
    parts = [f"for each {'recorded ' if recorded else ''}{listed(plain)}"] if plain else []
    return " and ".join([*parts, *(f"by whether {one}" for one in others)])


def _yes_no(measure: Measure) -> bool:
    return isinstance(measure, Whether) or (isinstance(measure, Own) and flag(measure.field, PATIENT, True) != "")


def _truth(measure: Measure, own: At) -> str:
    said = clause(measure.condition, own.about(own.unit)).verb if isinstance(measure, Whether) else ""
    return f"they {said or flag(noun_field(measure), own.unit, True)}"


def noun_field(measure: Measure) -> str:
    """The name of a field."""
    assert isinstance(measure, Own)
    return measure.field


def key_name(measure: Measure, own: At, *, one: bool) -> str:
    """What a group is named by: "drug", "diagnoses", "discharge location"."""
    if measure == Own("name") and not one:
        return names_of(own.unit)
    return noun(measure, own) if one else plural(noun(measure, own))


def _having(statement: Groups, own: At) -> str:
    assert statement.having is not None
    said = clause(statement.having, own)
    return f", counting only those {f'with {said.text}' if said.form == 'had' else f'that {said.verb}'}"


def _ranking(statement: Groups, of: Set, order: Order, at: At) -> str:
    assert order.first is not None
    own = At(at.profile, of.unit)
    rows = thing(of, at)
    one = order.first == 1
    size, are, each = ("", "is", "") if one else (f"{order.first} ", "are", " for each")
    keys = listed([key_name(key, own, one=one) for key in statement.by])
    if order.each:
        keys = key_name(statement.by[-1], own, one=one)
    elif len(statement.by) > 1:
        several = listed([key_name(key, own, one=True) for key in statement.by])
        keys = f"{'combination' if one else 'combinations'} of {several}"
    numbers = statement.columns
    counted, often = numbers == (Aggregate("count", None),), order.by == Aggregate("count", None)
    bare = of.where is None and not of.items and of.pick is None
    itself = statement.by[-1:] == (Own("name"),) and rows.heads == names_of(of.unit) and not of.items
    itself = itself and (order.each or len(statement.by) == 1)
    if often and len(statement.by) == 1 and statement.by[0] in _OF_UNITS and order.descending:
        return f"which {size}{keys} {'has' if one else 'have'} the most {rows.many()}{ties(order)}" + (
            ", and how many" if counted and statement.asked == "all" else ""
        )
    if often and itself:
        whole = f"{_frequent(order)} {rows.bare(one=one) if not rows.picked else f'among {rows.many()}'}"
    elif often:
        whole = f"{_frequent(order)} {keys} among {rows.many()}"
    else:
        whole = f"{keys} with the {_most(order, own)}" + ("" if bare and itself else f" among {rows.many()}")
    within = f" {_keys(replace(statement, by=statement.by[:-1]), own, False)}" if order.each else ""
    whole = f"{size}{whole}{within}{ties(order)}"
    if statement.asked == "keys":
        return f"what {are} the {whole}"
    if statement.asked == "numbers":
        return f"what are the numbers alone, {heads(numbers, own)}, for the {whole}"
    if counted:
        tail = "how often was it recorded" if one else "how often was each recorded"
    elif len(numbers) == 1 and numbers[0].function == "distinct":
        tail = f"how many {head(numbers[0], own).removeprefix('number of ')} is that{each}"
    else:
        tail = f"what {'are' if len(numbers) > 1 else 'is'} {heads(numbers, own)}{each}"
    return f"what {are} the {whole}, and {tail}"


def _frequent(order: Order) -> str:
    return "most frequent" if order.descending else "least frequent"


def _most(order: Order, own: At) -> str:
    """What the first of groups have: "most patients", "highest mean value"."""
    if isinstance(order.by, Aggregate) and order.by.function in ("distinct", "count"):
        return f"{'most' if order.descending else 'fewest'} {head(order.by, own).removeprefix('number of ')}"
    return extreme(order, own)
