"""Another meaning for words of a question: put in the place of what the query logic has for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ehrtui.concepts.candidates import Candidate
from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import (
    PATIENT,
    Aggregate,
    Among,
    Condition,
    Groups,
    Has,
    Item,
    Not,
    Own,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.logic.nodes import below, with_parts
from ehrtui.planning.linked import role_of
from ehrtui.planning.mentions import Choice, LinkedMention
from ehrtui.planning.reader.meanings import limited, maybe, parts_of, unit_of, values_of


def with_choice(statement: Statement, mention: LinkedMention, choice: Choice) -> Statement:
    """The statement with what was chosen in place of what the mention was taken for. Raises LogicError where they are
    of kinds that cannot stand for each other."""
    meaning = choice.meaning
    if bool(meaning.field) != bool(mention.taken.field) or (meaning.field and meaning.role != mention.taken.role):
        raise LogicError(f"“{mention.text}” cannot be asked as that.", next_step="Ask for it in other words.")
    left_out = _not(mention.taken.items, mention.without)
    alone = _is_alone(statement, mention.taken)
    return _replaced(statement, mention.taken, choice, left_out, alone)  # type: ignore[no-any-return]


def set_of(meaning: Candidate, without: tuple[str, ...] = ()) -> Set:
    """The records of a meaning, but for those with one of the stored names `without`."""
    if meaning.field:
        return Set(unit_of(meaning.role), (), _among(meaning.field, _left(meaning.values, without)))
    return limited(Set(unit_of(meaning.role), _kept(meaning.items, without)), *_not(meaning.items, without))


def meaning_of(of: Set) -> tuple[Candidate, tuple[str, ...]]:
    """The meaning that such records are, and the names that are left out: `set_of` the other way round. Raises
    LogicError for any other set."""
    role, parts = role_of(of.unit), parts_of(of.where)
    match of.items, parts:
        case (), (Test(left=Own(field=field)) | Among(measure=Own(field=field)) as one,):
            return Candidate(role, (), field, tuple(map(str, values_of(one)))), ()
        case (_, *_), ():
            return Candidate(role, of.items), ()
        case (_, *_), (Not(of=Test() | Among() as one),):
            return Candidate(role, of.items), tuple(map(str, values_of(one)))
    raise LogicError("This is no meaning of a name.")


def counting_each(meaning: Candidate) -> Statement:
    """How many records and patients each stored name of a meaning has."""
    patients = Own("id" if unit_of(meaning.role) == PATIENT else PATIENT)
    columns = (Aggregate("count", None), Aggregate("distinct", None, patients))
    return Groups(set_of(meaning), (Own(meaning.field or "name"),), columns)


def counting_all(meaning: Candidate, without: tuple[str, ...]) -> Statement:
    """How many records a meaning has, and of how many patients."""
    of = set_of(meaning, without)
    people = of if of.unit == PATIENT else Set(PATIENT, (), Has(of))
    return Single((Aggregate("count", of), Aggregate("count", people)))


def _replaced(part: Any, taken: Candidate, choice: Choice, left_out: tuple[Condition, ...], alone: bool) -> Any:
    if taken.field and isinstance(part, Test | Among) and _says(part, taken):
        return _among(choice.meaning.field, _left(choice.meaning.values, choice.without))
    same = with_parts(part, lambda one: _replaced(one, taken, choice, left_out, alone))
    if not isinstance(same, Set) or taken.field or role_of(same.unit) != taken.role or not _holds(same, taken):
        return same
    meaning, without = choice.meaning, choice.without
    same = replace(same, where=maybe([one for one in parts_of(same.where) if one not in left_out]))
    if not alone:
        if _not(meaning.items, without) or meaning.role != taken.role:
            raise LogicError(
                "Several names are asked for together here.", next_step="Change the logic itself: F6 goes there."
            )
        kept, first = _kept(meaning.items, without), _first(same, taken)
        items = tuple(each for one in same.items for each in (kept if one == first else (one,)))
        gone = set(taken.items) - {_first(same, taken)}
        return replace(same, items=tuple(dict.fromkeys(item for item in items if item not in gone)))
    unit = same.unit if meaning.role == taken.role else unit_of(meaning.role)
    return limited(replace(same, unit=unit, items=_kept(meaning.items, without)), *_not(meaning.items, without))


def _is_alone(part: Any, taken: Candidate) -> bool:
    """True where the statement names nothing else together with what was taken."""
    if isinstance(part, Set) and role_of(part.unit) == taken.role and _holds(part, taken) and len(part.items) > 1:
        return set(part.items) == set(taken.items)
    return all(_is_alone(one, taken) for one in below(part))


def _holds(of: Set, taken: Candidate) -> bool:
    return bool(taken.items) and set(taken.items) <= set(of.items)


def _first(of: Set, taken: Candidate) -> Item:
    return next(item for item in of.items if item in taken.items)


def _says(condition: Test | Among, taken: Candidate) -> bool:
    own = condition.left if isinstance(condition, Test) else condition.measure
    if isinstance(condition, Test) and condition.relation != "=":
        return False
    return own == Own(taken.field) and set(map(str, values_of(condition))) == set(taken.values)


def _among(field: str, values: tuple[str, ...]) -> Condition:
    if not values:
        raise LogicError("Nothing is left of it.", next_step="Take one of its members back in.")
    return Test(Own(field), "=", Value(values[0])) if len(values) == 1 else Among(Own(field), values)


def _left(values: tuple[str, ...], without: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value for value in values if value not in without)


def _kept(items: tuple[Item, ...], without: tuple[str, ...]) -> tuple[Item, ...]:
    """Stored names are simply not named; of anything else the names are left out by a condition."""
    if not all(item.kind == "name" for item in items):
        return items
    kept = tuple(item for item in items if item.text not in without)
    if not kept:
        raise LogicError("Nothing is left of it.", next_step="Take one of its members back in.")
    return kept


def _not(items: tuple[Item, ...], without: tuple[str, ...]) -> tuple[Condition, ...]:
    if not without or all(item.kind == "name" for item in items):
        return ()
    own = Own("name")
    return (Not(Test(own, "=", Value(without[0])) if len(without) == 1 else Among(own, without)),)
