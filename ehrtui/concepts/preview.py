"""What a concept finds in a database: rows and patients of each of its members, before anything is asked with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ehrtui.concepts.meaning import sets_of
from ehrtui.concepts.model import Concept, Member
from ehrtui.logic.algebra.model import PATIENT, Aggregate, Has, Set, Single
from ehrtui.logic.compile import flat_sql
from ehrtui.schema.profile import Profile


@dataclass(frozen=True)
class Count:
    """How many `rows` of a role belong to a member, or with `member` None to the concept, and of how many patients."""

    role: str
    rows: int
    patients: int
    member: Member | None = None


def preview(
    concept: Concept, profile: Profile, read: Callable[[str], list[tuple[Any, ...]]], now: str
) -> tuple[Count, ...]:
    """The counts of a concept for each role that it may be about, each followed by those of its members. Members that
    records of the role cannot be are left out. Raises LogicError for a member that is no code, and as `read` does."""
    found: list[Count] = []
    for role, of in sets_of(concept, profile).items():
        found.append(_count(role, of, None, profile, read, now))
        for member in concept.members:
            if not member.excluded:
                alone = sets_of(replace(concept, members=(member,)), profile).get(role)
                if alone is not None and (not of.items or set(alone.items) <= set(of.items)):
                    found.append(_count(role, alone, member, profile, read, now))
    return tuple(found)


def _count(
    role: str,
    of: Set,
    member: Member | None,
    profile: Profile,
    read: Callable[[str], list[tuple[Any, ...]]],
    now: str,
) -> Count:
    from ehrtui.logic.algebra.compile import compile_statement  # sqlglot: too heavy for a start-up path

    patients = Set(PATIENT, where=Has(of))
    both = Single((Aggregate("count", of), Aggregate("count", patients)))
    [(rows, people)] = read(flat_sql(compile_statement(both, profile, now=now, turns={})))
    return Count(role, rows, people, member)
