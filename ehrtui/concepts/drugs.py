"""Drugs: a brand stands for what it holds, an ingredient for all products of it: orders, infusions, allergies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.concepts.candidates import Candidate, How
from ehrtui.concepts.gathering import gathered
from ehrtui.concepts.names import content, query_of_any
from ehrtui.concepts.spelling import spellings_of
from ehrtui.concepts.tables import brands, brands_of, ingredients, like_words, measures
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.value_index import Stored, ValueIndex, words_of

_SALTS = frozenset(("potassium", "sodium", "calcium", "magnesium", "zinc", "phosphate", "chloride", "acetate", "iron"))
"""What is the lesser half of a drug's name, unless it stands first."""
_GIVEN_SCORES = {"prescription": 1.0, "ingredient": 1.0, "input": 0.94, "administration": 0.9, "allergy": 0.6}
_ALLERGY = "allergy"
_ALSO_MEASURED = 0.94
"""What a drug is worth that is a laboratory test as well, such as albumin."""


def is_drug(words: Sequence[str]) -> bool:
    """True where the words are a brand or an ingredient."""
    return " ".join(words) in ingredients() or bool(brands().of(tuple(words)))


def find_drugs(words: Sequence[str], index: ValueIndex) -> Iterator[Candidate]:
    """What the words mean as drugs: of a brand the products of its ingredients, of an ingredient its own."""
    words = tuple(words)
    held = brands().of(words)
    if held:
        for one in products([name for names in held for name in names], " ".join(words), index, "brand", 0.98):
            yield replace(one, through=held[0][0])
    elif " ".join(words) in ingredients():
        score = _ALSO_MEASURED if measures().of(words) else 1.0
        yield from products([" ".join(words)], " ".join(words), index, "product", score)


def products(names: Sequence[str], said: str, index: ValueIndex, how: How, score: float) -> Iterator[Candidate]:
    """The products that hold one of the ingredients `names`, in each role that is given."""
    phrases = _all_names(names, said if how == "brand" else "")
    if _ALLERGY in index.roles:  # typed by hand
        phrases += [(other,) for phrase in phrases if len(phrase) == 1 for other in spellings_of(phrase[0], index)[1:]]
    found: dict[str, list[Stored]] = {}
    for one in index.matching(query_of_any(phrases)):
        if one.role in _GIVEN_SCORES and any(_holds(words_of(one.name), phrase) for phrase in phrases):
            found.setdefault(one.role, []).append(one)
    for role, stored in found.items():
        yield gathered(role, stored, said, how, score * _GIVEN_SCORES[role], tuple(phrases))


def _all_names(names: Sequence[str], brand: str) -> list[tuple[str, ...]]:
    """The words under which ingredients are stored: their names, other names and brands."""
    found: dict[tuple[str, ...], None] = {}
    for name in names:
        words = words_of(name)
        others = like_words().get(" ".join(words), ())
        for form in (" ".join(words), *others):
            own = tuple(form.split(" "))
            found[content(own)] = None
            if len(own) > 1 or own[0] not in _SALTS:
                for one in brands_of().of(own):
                    found[content(words_of(one))] = None
    if brand:
        found[content(words_of(brand))] = None
    return [one for one in found if one]


def _holds(name: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """True where a product's name has the words; what is mostly the salt of something else stands first."""
    first = next((word for word in name if word[0].isalpha()), "")  # behind a strength: "0.9 % sodium chloride"
    return all(word in name for word in phrase) and (phrase[0] not in _SALTS or first == phrase[0])


def is_given(role: str) -> bool:
    """True for roles whose items are drugs or what is infused."""
    return role in _GIVEN_SCORES or kind_of(role).dosed
