"""Members that an imported vocabulary knows more of: what is below a concept of OHDSI, the brands of an ingredient."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.concepts.model import Concept, Member
from ehrtui.concepts.vocabulary import Vocabulary


def expanded(concept: Concept, vocabulary: Vocabulary) -> Concept:
    """The concept with the names of all that its numbers stand for (with what is below where a number ends in `*`), and
    the brands of its ingredients. What the vocabulary lacks stays as it is."""
    added = [one for member in concept.members for one in _more(member, vocabulary)]
    return replace(concept, members=tuple(dict.fromkeys((*concept.members, *added))))


def _more(member: Member, vocabulary: Vocabulary) -> Iterator[Member]:
    if member.vocabulary == "omop":
        bare = member.text.removesuffix("*")
        number = int(bare) if bare.isdigit() and len(bare) < 19 else 0
        terms = [*vocabulary.terms([number]), *(vocabulary.descendants(number) if member.text != bare else ())]
        yield from (Member("name", term.name, member.excluded) for term in terms)
    elif member.vocabulary == "ingredient":
        for term in vocabulary.named(member.text):
            if term.concept_class == "Ingredient":
                yield from (Member("name", f"{brand.name}*", member.excluded) for brand in vocabulary.brands(term.id))
