"""A concept made of what is stored: of a meaning that the user put together of names in this database."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.concepts.coding import LONGEST
from ehrtui.concepts.meaning import kind_of_role, vocabularies_of
from ehrtui.concepts.model import Concept, Member
from ehrtui.errors import ConceptError
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import Stored


def concept_of(
    name: str, role: str, field: str, stored: Sequence[Stored], profile: Profile, *, version: str, source: str
) -> Concept:
    """The concept called `name` of the `stored` names of a role, or values of its `field`: by their codes, where all
    have some of one revision, else by their names. Raises ConceptError where no concept can be made of them."""
    kind = kind_of_role(role, field)
    if kind is None:
        raise ConceptError(
            f"Records of the kind “{(field or role).replace('_', ' ')}” belong to no concept.",
            next_step="Use it from now on instead, without a concept.",
        )
    if not name.strip() or len(name) > LONGEST:
        raise ConceptError("A concept needs a name.", next_step="Type one.")
    if not stored:
        raise ConceptError("A concept needs members.", next_step="Take one of them back in.")
    revisions = vocabularies_of(profile.role(role)) if not field else ()
    if len(revisions) == 1 and all(one.codes for one in stored):
        members = [Member(revisions[0], code) for one in stored for code in one.codes]
    else:
        members = [Member("name", one.name) for one in stored]
    return Concept(name.strip(), kind, tuple(dict.fromkeys(members)), version=version, source=source)
