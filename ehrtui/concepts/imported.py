"""Names that an imported vocabulary knows and the shipped tables do not: brands and products by what they hold,
synonyms by what else their concept is called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.concept_file import form_of
from ehrtui.concepts.drugs import products
from ehrtui.concepts.library import Library
from ehrtui.concepts.meanings import as_they_stand
from ehrtui.concepts.vocabulary import Vocabulary
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import ValueIndex, words_of

_DRUG = "Drug"
_HELD, _OTHERWISE = 0.95, 0.9
"""What the products of a brand's ingredients are worth, and what is found by another name, beside what is named."""
_MOST_TERMS, _MOST_NAMES = 5, 10


def find_imported(
    typed: str, vocabulary: Vocabulary, index: ValueIndex, profile: Profile, library: Library
) -> Iterator[Candidate]:
    """What a text means by the concepts of the vocabulary that are so called; nothing where none is."""
    terms = vocabulary.named(typed, _MOST_TERMS)
    if any(term.domain == _DRUG for term in terms):
        held = [form_of(term.name) for term in vocabulary.ingredients(typed, exact=True)]
        if held:
            for one in products([" ".join(held)], typed, index, "brand", _HELD):
                yield replace(one, through=" and ".join(held))
    names = [name for term in terms for name in (form_of(term.name), *vocabulary.synonyms(term.id))]
    for name in list(dict.fromkeys(names))[:_MOST_NAMES]:
        if name != form_of(typed):
            for one in as_they_stand(words_of(name), name, index, profile, library):
                yield replace(one, score=one.score * _OTHERWISE, through=name)
