"""The mentions of a question: which of the names in it the query logic is about, and as what.

What is told is told of the logic that will run, whoever made it of the question: a name in it belongs to the words that
may mean it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ehrtui.concepts.candidates import Candidate, Mention
from ehrtui.concepts.concept_candidates import stored_of
from ehrtui.logic.algebra.model import Among, AnyOf, Item, Own, Set, Statement, Test
from ehrtui.logic.nodes import below
from ehrtui.planning.mentions import LinkedMention, PaidWord
from ehrtui.planning.proposal import Link, Proposal
from ehrtui.planning.reader.lexicon import english
from ehrtui.planning.reader.meanings import parts_of, unit_of, values_of
from ehrtui.planning.reader.world import World
from ehrtui.schema.value_index import Stored

_SAME, _PART, _SHARED = 3.0, 2.0, 0.9
"""How well a candidate fits a name of the logic: it says just that, a part of it, or has names in common with it."""
_SURE = 0.7
"""What a name must be worth to be told where there is no logic."""
_MOST_OTHERS = 8


@dataclass(frozen=True)
class Named:
    """What a statement names: items of a role, or values of a field of it."""

    role: str
    items: tuple[Item, ...] = ()
    field: str = ""
    values: tuple[str, ...] = ()


def linked_mentions(proposal: Proposal, statement: Statement | None, world: World) -> tuple[LinkedMention, ...]:
    """The mentions of a proposal's question, in reading order. With no `statement` nothing was understood: then each
    is what it may most likely mean."""
    question = proposal.question
    linked = world.link(question.lower())
    found: list[LinkedMention] = []
    for one in named_in(statement):
        found += _of(one, question, linked, proposal.links, world)
    if statement is None:
        found = [
            _as_told(question, one, one.candidates[0], world) for one in linked if one.candidates[0].score >= _SURE
        ]
    return tuple(sorted(_apart(found), key=lambda one: one.start))


def paid_words(proposal: Proposal, world: World, used: Sequence[LinkedMention] = ()) -> tuple[PaidWord, ...]:
    """The words that the reading leaves out, each with why; in reading order. Those of the mentions that it has `used`
    are none, whatever they were misspelt from."""
    question, linked = proposal.question, world.link(proposal.question.lower())
    words = list(proposal.paid) or list(_found(question, proposal.unexplained))
    told = []
    for word in words:
        if any(one.start <= word.start and word.end <= one.end for one in used):
            continue
        meant = [one for one in linked if one.start < word.end and word.start < one.end]
        told.append(PaidWord(word.start, word.end, word.text, word.price, _why(word.text, meant)))
    return tuple(told)


def members_of(meaning: Candidate, world: World) -> tuple[Stored, ...]:
    """The stored names of a meaning with their codes, those of most records first."""
    if meaning.field:
        known = {
            one.name: one.rows for one in world.index.values if (one.role, one.field) == (meaning.role, meaning.field)
        }
        return tuple(Stored(meaning.role, name, (), known.get(name, 0)) for name in meaning.values)
    names = [item.text for item in meaning.items if item.kind == "name"]
    found = {one.name: one for one in world.index.items(meaning.role, names)} if names else {}
    if others := tuple(item for item in meaning.items if item.kind != "name"):
        of = Set(unit_of(meaning.role), others)
        found |= {one.name: one for one in stored_of(_without_concepts(of, world), meaning.role, world.index)}
    seen = {name.casefold() for name in found}
    found |= {name: Stored(meaning.role, name) for name in names if name.casefold() not in seen}
    return tuple(sorted(found.values(), key=lambda one: (-one.rows, one.name)))


def is_limited(meaning: Candidate, world: World) -> bool:
    """True where a concept in it takes only some values of its records."""
    named = [world.concepts.get(item.text.lower(), {}) for item in meaning.items if item.kind == "concept"]
    conditions = [part for one in named for of in one.values() if isinstance(of, Set) for part in parts_of(of.where)]
    return any(isinstance(part, Test) and part.left == Own("value") for part in conditions)


def _without_concepts(of: Set, world: World) -> Set:
    """The set with what concepts stand for among its items; conditions of theirs do not count."""
    items: list[Item] = []
    for item in of.items:
        meant = world.concepts.get(item.text.lower(), {}).get(of.unit) if item.kind == "concept" else None
        items += meant.items if isinstance(meant, Set) else [item]
    return Set(of.unit, tuple(dict.fromkeys(items)))


def named_in(part: Any) -> list[Named]:
    """What a statement, or a part of it, names, each once, in the order in which it stands there."""
    return list(dict.fromkeys(_walk(part)))


def _walk(part: Any) -> Iterator[Named]:
    if isinstance(part, Set) and part.items:
        yield Named(role_of(part.unit), part.items)
    if isinstance(part, Test | Among | AnyOf) and (valued := _valued(part)) is not None:
        yield valued
        return
    for one in below(part):
        yield from _walk(one)


def _valued(condition: Test | Among | AnyOf) -> Named | None:
    """What a condition names that an attribute has one of several texts."""
    first = condition
    while isinstance(first, AnyOf):
        first = first.of[0]  # type: ignore[assignment]
    own = first.left if isinstance(first, Test) else first.measure if isinstance(first, Among) else None
    values = tuple(value for value in values_of(condition) if isinstance(value, str))
    return Named("", (), own.field, values) if isinstance(own, Own) and values else None


def role_of(unit: str) -> str:
    """The role whose records are the rows of a unit."""
    return {"hospital stay": "admission", "icu stay": "icu_stay"}.get(unit, unit.replace(" ", "_"))


def _of(
    named: Named, question: str, linked: Sequence[Mention], links: Sequence[Link], world: World
) -> list[LinkedMention]:
    """The words that a name of the logic may come from: those that mean just that, or several that mean it together."""
    best: list[tuple[float, Mention, Candidate]] = []
    for mention in linked:
        fits = [
            (fit - 0.01 * at, one)
            for at, each in enumerate(mention.candidates)
            for fit, one in _fits(named, each, world)
        ]
        if fits:
            fit, taken = max(fits, key=lambda pair: pair[0])
            best.append((fit, mention, taken))
    best.sort(key=lambda one: (-one[0], -one[2].score, one[1].start - one[1].end))
    if best and best[0][0] < _SAME - 0.5:
        parts = _apart([_as_told(question, mention, taken, world) for fit, mention, taken in best if fit > _PART - 1])
        whole = {*named.items, *named.values}
        if {each for one in parts for each in (*one.taken.items, *one.taken.values)} == whole:
            return parts
        best = [(fit, mention, _candidate(named, taken.role, world)) for fit, mention, taken in best]
    if best:
        _, mention, taken = best[0]
        return [_as_told(question, mention, taken, world)]
    return [
        LinkedMention(one.start, one.end, question[one.start : one.end], named.role, _candidate(named, one.kind, world))
        for one in links
        if named.items and one.kind == named.role and one.value.casefold() in {i.text.casefold() for i in named.items}
    ][:1]


def _as_told(question: str, mention: Mention, taken: Candidate, world: World) -> LinkedMention:
    """A mention as one of its candidates, the others of the same sort beside it."""
    others = [
        one
        for one in mention.candidates
        if bool(one.field) == bool(taken.field)
        and (not one.field or one.role == taken.role)
        and (one.role, one.items, one.field, one.values) != (taken.role, taken.items, taken.field, taken.values)
        and world.has(one.role)
    ]
    text = question[mention.start : mention.end]
    return LinkedMention(mention.start, mention.end, text, taken.role, taken, tuple(others[:_MOST_OTHERS]))


def _candidate(named: Named, role: str, world: World) -> Candidate:
    """What the logic names, as a candidate of its own."""
    texts = named.values or tuple(item.text for item in named.items)
    label = texts[0] if len(texts) == 1 else f"{len(texts)} {'values' if named.values else 'names'}"
    meant = Candidate(named.role or role, named.items, named.field, named.values, label=label)
    rows = sum(one.rows for one in members_of(meant, world))
    return Candidate(meant.role, named.items, named.field, named.values, label=label, rows=rows)


def _fits(named: Named, one: Candidate, world: World) -> Iterator[tuple[float, Candidate]]:
    """How well a candidate fits a name of the logic, and what of that it is then, as the logic spells it."""
    if bool(named.field) != bool(one.field) or (named.field or named.role) != (one.field or one.role):
        return
    mine, theirs = _texts(named.items, named.values), _texts(one.items, one.values)
    if theirs <= mine:
        items = tuple(item for item in named.items if (item.kind, item.text.casefold()) in theirs)
        values = tuple(value for value in named.values if ("value", value.casefold()) in theirs)
        yield (_SAME if theirs == mine else _PART), replace(one, items=items, values=values)
        return
    names = _names(Named(one.role, one.items, one.field, one.values), world)
    if shared := tuple(item for item in named.items if item.kind == "name" and item.text.casefold() in names):
        yield _PART - 0.5, _candidate(replace(named, items=shared), one.role, world)
    elif (own := _names(named, world)) & names:
        yield _SHARED * len(own & names) / len(own | names), _candidate(named, one.role, world)


def _texts(items: tuple[Item, ...], values: tuple[str, ...]) -> set[tuple[str, str]]:
    return {(item.kind, item.text.casefold()) for item in items} | {("value", value.casefold()) for value in values}


def _names(named: Named, world: World) -> frozenset[str]:
    if named.field:
        return frozenset(value.casefold() for value in named.values)
    meant = Candidate(named.role, named.items)
    return frozenset(one.name.casefold() for one in members_of(meant, world))


def _apart(found: Sequence[LinkedMention]) -> list[LinkedMention]:
    """The mentions without those that lie over an earlier one, unless they are of the very same words and something
    else."""
    kept: list[LinkedMention] = []
    for one in found:
        over = [other for other in kept if other.start < one.end and one.start < other.end]
        same = all((other.start, other.end) == (one.start, one.end) and other.taken != one.taken for other in over)
        if same:
            kept.append(one)
    return kept


def _found(question: str, words: Sequence[str]) -> Iterator[PaidWord]:
    """Words that were not understood, where they stand."""
    lower = question.lower()
    places: dict[str, int] = {}
    for word in words:
        start = lower.find(word.lower(), places.get(word, 0))
        if start >= 0:
            places[word] = start + len(word)
            yield PaidWord(start, start + len(word), question[start : start + len(word)])


def _why(text: str, meant: Sequence[Mention]) -> str:
    """Why a word is left out, in a sentence."""
    if meant:
        best = meant[0].candidates[0]
        return f"It may be “{best.label or text}” ({best.role.replace('_', ' ')}), but no part of the reading uses it."
    if any(letter.isdigit() for letter in text):
        return "No part of the reading uses this number."
    if text.lower() in english() or " " in text:
        return "It was understood as English, but it changes nothing in the reading."
    return "Nothing that is stored here has this name, and it is no word that questions are read with."
