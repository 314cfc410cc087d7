"""What a concept stands for in a database of a profile: sets of records in the algebra of query logic.

Codes are taken where the records of a role have codes, of the vocabularies that they can be of; names where they have
none, and beside codes that not every record has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from ehrtui.concepts.library import Library
from ehrtui.concepts.model import Concept, Kind, Vocabulary
from ehrtui.errors import LogicError
from ehrtui.logic.algebra.concepts import MEASURE, with_meanings
from ehrtui.logic.algebra.model import (
    All,
    AnyOf,
    Condition,
    Item,
    Like,
    Measure,
    Not,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.schema.profile import Profile, Role
from ehrtui.schema.vocabulary import vocabulary

_ROLES: dict[Kind, tuple[str, ...]] = {
    "diagnosis": ("diagnosis", "condition_era"),
    "procedure": ("procedure", "icu_procedure"),
    "drug": ("prescription", "input", "ingredient", "drug_era"),
    "lab": ("lab", "measurement"),
    "vital": ("vital", "measurement", "body"),
    "organism": ("culture", "microbiology_test"),
    "cohort": (),
    "measure": (),
}
"""The records that a concept of a kind may be about, the first before the others."""
_ORGANISM: Kind = "organism"
_FEWEST_LETTERS = 5
"""Of a brand that is looked for as the beginning of a name."""


def sets_of(concept: Concept, profile: Profile) -> dict[str, Set]:
    """The records that belong to a concept: for each role of the profile that has any, by its name, all of them as a
    set. Empty where the concept has no members that such records could be."""
    found: dict[str, Set] = {}
    for name in _ROLES[concept.kind]:
        role = profile.roles.get(name)
        if role is not None and (of := _set(concept, name.replace("_", " "), role)) is not None:
            found[name] = of
    return found


def kind_of_role(role: str, field: str = "") -> Kind | None:
    """The kind of concept that records of a role may belong to, or with a `field`, those with values of it; None where
    there is none."""
    if field:
        return _ORGANISM if field == _ORGANISM else None
    return next((kind for kind, roles in _ROLES.items() if role in roles and kind != _ORGANISM), None)


def items_of(concept: Concept, profile: Profile) -> dict[str, tuple[Item, ...]]:
    """The items of `sets_of`, by the name of the role: what is left where limits and exclusions do not count."""
    return {name: of.items for name, of in sets_of(concept, profile).items() if of.items}


def vocabularies_of(role: Role) -> tuple[Vocabulary, ...]:
    """The revisions of the ICD that the codes of a role's records may be of; none where they have no codes."""
    column = role.fields.get("code", "")
    if not column:
        return ()
    named: list[Vocabulary] = [one for one in ("icd9", "icd10") if one in column.lower()]
    return tuple(named) if len(named) == 1 and column not in role.listed else ("icd9", "icd10")


class Meanings(Mapping[str, Mapping[str, Set | Measure]]):
    """The concepts of a library in a database of a profile, looked up when they are asked for: what query logic takes
    for the names of concepts. Of several of one name the first is meant, as `Library.named` has them. `library` is
    asked each time for the library as it is then. `within` are the cohorts of whose logic these are the names: none of
    them may name itself."""

    def __init__(self, library: Callable[[], Library], profile: Profile, within: tuple[str, ...] = ()) -> None:
        self._library = library
        self._profile = profile
        self._within = within

    def __getitem__(self, name: str) -> Mapping[str, Set | Measure]:
        concepts = self._library().named(name)
        if not concepts:
            raise KeyError(name)
        found: dict[str, Set | Measure] = {}
        for concept in concepts:
            for unit, meant in self._meant(concept):
                found.setdefault(unit, meant)
        return found

    def _meant(self, concept: Concept) -> Iterator[tuple[str, Set | Measure]]:
        """What a concept stands for, by the unit of records; a measure as such."""
        if concept.kind not in ("cohort", "measure"):
            yield from ((of.unit, of) for of in sets_of(concept, self._profile).values())
            return
        name = concept.name.lower()
        if name in self._within:
            raise LogicError(f"“{concept.name[:80]}” is made of itself.", next_step="Forget it, and name it again.")
        within = Meanings(self._library, self._profile, (*self._within, name))
        statement = _statement_of(concept)
        if concept.kind == "cohort" and isinstance(statement, Rows):
            yield statement.of.unit, with_meanings(statement.of, within)
        elif concept.kind == "measure" and isinstance(statement, Single):
            yield MEASURE, with_meanings(statement.columns[0], within)
        else:
            raise LogicError(
                f"What “{concept.name[:80]}” is cannot be read.", next_step="Forget it, and name it again."
            )

    def __iter__(self) -> Iterator[str]:
        return (concept.name.lower() for concept in self._library())

    def __len__(self) -> int:
        return sum(1 for _ in self._library())


def _statement_of(concept: Concept) -> Statement | None:
    """The query logic of a cohort or a measure; None where it has none."""
    from ehrtui.logic.algebra.parse import parse_statement

    texts = concept.of("logic")
    return parse_statement(texts[0]) if texts else None


def _set(concept: Concept, unit: str, role: Role) -> Set | None:
    limit = [Test(Own("value"), concept.limit.relation, Value(concept.limit.value))] if concept.limit else []
    if concept.kind == "organism":
        if _ORGANISM not in role.fields:
            return None
        like = tuple(Like(Own(_ORGANISM), text) for text in concept.of("name"))
        return Set(unit, (), _all([AnyOf(like) if len(like) > 1 else like[0]])) if like else None
    items = tuple(dict.fromkeys(_items(concept, role)))
    if not items:
        return None
    return Set(unit, items, _all([*limit, *_excluded(concept, role)]))


def _all(conditions: list[Condition]) -> Condition | None:
    return None if not conditions else conditions[0] if len(conditions) == 1 else All(tuple(conditions))


def _items(concept: Concept, role: Role) -> Iterator[Item]:
    vocabularies = vocabularies_of(role)
    for revision in vocabularies:
        before = f"{revision}|" if len(vocabularies) > 1 else ""
        yield from (Item("code", f"{before}{text}") for text in concept.of(revision))
    if vocabularies and concept.of(*vocabularies) and _all_coded(role):
        return
    if role.wide:
        wide = {name.lower(): name for name in role.wide}
        wide |= {said.lower(): names[0] for said, names in role.aliases.items() if names[0] in role.wide}
        yield from (Item("name", wide[text.lower()]) for text in concept.of("name") if text.lower() in wide)
        return
    for ingredient in concept.of("ingredient"):
        yield from (Item("like", pattern) for pattern in products_of(ingredient))
        yield from (Item("like", f"{brand}*") for brand in _brands().get(ingredient, ()))
    yield from (Item("like", text) for text in concept.of("name"))


def _all_coded(role: Role) -> bool:
    """True where every record has a code of the ICD: then names say nothing more."""
    column = role.fields["code"]
    keyed = role.dictionary is not None and column == role.dictionary.key
    return column not in role.listed and (keyed or "icd" in column.lower())


def products_of(ingredient: str) -> tuple[str, ...]:
    """The names of products that hold an ingredient, as patterns: it begins a word, so that "morphine" is not
    "apomorphine"."""
    return tuple(f"{before}{ingredient}*" for before in ("", "* ", "*-", "*/"))


@cache
def _brands() -> dict[str, tuple[str, ...]]:
    """The brand names of ingredients that ehrtui knows, for databases that store those."""
    found: dict[str, list[str]] = {}
    for term in vocabulary():
        if term.role == "prescription" and len(term.said) >= _FEWEST_LETTERS:
            for name in term.names:
                found.setdefault(name, []).append(term.said)
    return {ingredient: tuple(dict.fromkeys(brands)) for ingredient, brands in found.items()}


def _excluded(concept: Concept, role: Role) -> Iterator[Condition]:
    for revision in vocabularies_of(role):
        for text in concept.without(revision):
            bare = text.replace(".", "")
            for spelled in dict.fromkeys((text, bare, f"*|{bare}")):
                yield Not(Like(Own("code"), spelled))
    yield from (Not(Like(Own("name"), text)) for text in concept.without("name"))
    for ingredient in concept.without("ingredient"):
        yield from (Not(Like(Own("name"), pattern)) for pattern in products_of(ingredient))
