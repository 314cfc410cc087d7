"""What is charted in words: "code status DNR", "a heart rhythm of atrial fibrillation". A charted item that has no
numbers has texts, which are told by its name, the words beside it, and what these are short for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import Among, Condition, Groups, Item, Own, Picked, Rows, Set, Statement, Test, Value
from ehrtui.logic.nodes import mapped
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import Event, Trait, limited
from ehrtui.planning.reader.world import World
from ehrtui.schema.called import sayings_of
from ehrtui.schema.columns import singular
from ehrtui.schema.profile import Profile, Role

MOST_TEXTS = 60
"""Texts of an item: one that has more is free text, and what it says is not asked by its words."""
_LOOKED_AT = 2_000_000
"""Records of a role: so many are looked at, as where names are counted."""
_CODED = 0.6
"""The share of records of an item charted in words that may have a number too, as its code."""
_REACH, _LONGEST = 6, 5
_BETWEEN = {
    *("is", "was", "were", "are", "of", "as", "=", ":", "charted", "recorded", "documented", "noted", "being", "to"),
    *("a", "an", "the", "(", "listed", "set", "status", "with", "in", "set", "-"),
    *("that", "which", "came", "back", "come", "comes", "tested", "ever", "been", "has", "have", "had"),
    *("grew", "grow", "grows", "growing", "showed", "shows", "showing"),
}
_SHORTEST = 4
"""Letters that a cut word has at least: "fib", "fibrillation"."""
_CUT = 3
_BESIDE = -0.5
"""What such words cost beside their item: they hardly mean anything else."""
_GROWTH = re.compile(r"\b(?:growth|grown|organisms?|sterile)\b", re.IGNORECASE)
"""What a culture is called in which nothing grew."""
_NOT = {"not", "no", "non"}
_GLUE = {"of", "the", "a", "an", "and", "or", "to"}


def texts_of(profile: Profile, read: Callable[[str], list[tuple[object, ...]]]) -> Callable[..., tuple[str, ...]]:
    """Looks up which texts are charted of items of a role that have no numbers, those of most records first."""

    def look_up(role_name: str, names: tuple[str, ...]) -> tuple[str, ...]:
        role = profile.roles.get(role_name)
        if role is None or not _has_texts(role) or role.dictionary is None or not names:
            return ()
        text, entry = role.fields["text"], role.dictionary
        quoted = ", ".join("'" + name.replace("'", "''") + "'" for name in names)
        keys = f"SELECT {entry.key} FROM {profile.relation(entry.table)} WHERE {entry.name} IN ({quoted})"
        table = profile.relation(role.table)
        records = f"(SELECT {role.item}, {text}, {role.value} AS number FROM {table} LIMIT {_LOOKED_AT})"
        found = read(
            f"SELECT {text}, count(*), count(number) FROM {records} WHERE {role.item} IN ({keys}) "
            f"GROUP BY 1 ORDER BY 2 DESC LIMIT {MOST_TEXTS + 1}"
        )
        texts = tuple(str(said) for said, _, _ in found if said is not None)
        rows, numbers = (sum(int(str(one[at])) for one in found) for at in (1, 2))
        numbered = numbers > rows * _CODED  # a flag beside numbers is no text in their place
        return () if len(found) > MOST_TEXTS or numbered or any(map(_is_number, texts)) else texts

    return look_up


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*[<>]?\s*-?\d*\.?\d+\s*", text) is not None


def _has_texts(role: Role) -> bool:
    return "text" in role.fields and bool(role.value)


def with_texts(nodes: Sequence[Node], words: Sequence[str], world: World) -> Iterator[Node]:
    """The nodes, and those of texts that are said beside items which are charted in words; an item that is said by its
    text alone ("DNR") is the item with that text."""
    for node in nodes:
        texts = _charted(node, world)
        if not texts:
            yield node
            continue
        own = " ".join(item.text.lower() for item in node.sense.of.items)
        said = tuple(words[node.start : node.end])
        if {*map(singular, said)} <= {*map(singular, re.findall(r"\w+", own))}:
            yield node
            yield from _beside(node, words, texts)
        elif meant := texts_like(said, texts):
            yield replace(node, sense=replace(node.sense, of=limited(node.sense.of, _is(meant))))
        else:
            yield node


def _charted(node: Node, world: World) -> tuple[str, ...]:
    """The texts of the items that an event names; none where they have numbers."""
    if node.kind != "event" or node.sense.noun or node.sense.others or not _has_texts(world.roles[node.sense.role]):
        return ()
    items = node.sense.of.items
    if any(item.kind != "name" for item in items):
        return ()
    return world.texts(node.sense.role, tuple(item.text for item in items))


def _beside(node: Node, words: Sequence[str], texts: Sequence[str]) -> Iterator[Node]:
    """The texts of an item that the words right behind or before it say."""
    event: Event = node.sense
    for start in range(node.end, min(node.end + _REACH, len(words))):
        if not set(words[node.end : start]) <= _BETWEEN:
            break
        for end in range(min(start + _LONGEST, len(words)), start, -1):
            if meant := texts_like(tuple(words[start:end]), texts):
                yield _text(event, meant, start, end)
                break
    for start in range(max(0, node.start - _LONGEST), node.start):
        if meant := texts_like(tuple(words[start : node.start]), texts):
            yield _text(event, meant, start, node.start)
            break


def _text(event: Event, meant: tuple[str, ...], start: int, end: int) -> Node:
    trait = Trait(_is(meant), frozenset({"record"}), field="text", role=event.role)
    return Node("trait", trait, start, end, _BESIDE - 0.1 * (end - start), ("link", "how:exact", "value"))


def _is(meant: tuple[str, ...]) -> Condition:
    return Test(Own("text"), "=", Value(meant[0])) if len(meant) == 1 else Among(Own("text"), meant)


def texts_like(said: tuple[str, ...], texts: Sequence[str]) -> tuple[str, ...]:
    """The texts that some words say: by words of theirs, whole or cut, or by their first letters."""
    content = [word for word in said if word not in _GLUE | {"only"}]
    if not content or not all(word[0].isalnum() for word in said) or said[0] in _GLUE or said[-1] in _GLUE:
        return ()
    if len(content) == 1 and len(content[0]) < 2:
        return ()
    if content in (["positive"], ["negative"]):
        stored = {**sayings_of("text", texts), **{text.lower(): text for text in texts}}
        found, other = (stored.get(word) for word in (content[0], *({"positive", "negative"} - {*content})))
        if found is None and content == ["positive"] and other is not None and _GROWTH.search(other):
            return tuple(text for text in texts if text != other)  # whatever grew
        return () if found is None else (found,)  # "positive", of what was detected
    exact = tuple(text for text in texts if text.lower() == " ".join(said))
    if exact and len(exact[0]) < 3:
        return exact  # "no", "yes"
    return tuple(text for text in texts if _says(content, text))


def _says(content: Sequence[str], text: str) -> bool:
    words = re.findall(r"\w+", text.lower())
    if (
        len(content) == 1
        and len(content[0]) <= 4
        and "".join(word[0] for word in words)[: len(content[0])] == content[0]
    ):
        return len(words) >= len(content[0]) > 1
    negated = bool(_NOT & set(words) - set(content))
    return not negated and all(any(_alike(one, word) for word in words) for one in content)


def _alike(said: str, stored: str) -> bool:
    if said == stored:
        return True
    least = min(len(said), len(stored))
    return (
        least >= _CUT
        and max(len(said), len(stored)) >= _SHORTEST
        and (said.startswith(stored) or stored.startswith(said))
    )


def told_in_words(statement: Statement, world: World) -> Statement:
    """The statement with the texts of items that are charted in words, where it tells values, which they have none of,
    or counts them by their one name."""

    def changed(node: object) -> object:
        match node:
            case Picked(measure=Own("value"), of=of) if in_words(of, world):
                return replace(node, measure=Own("text"))
            case Rows(of=of, columns=columns) if Own("value") in columns and in_words(of, world):
                return replace(node, columns=tuple(Own("text") if one == Own("value") else one for one in columns))
            case Groups(of=of, by=by) if Own("name") in by and in_words(of, world):
                return replace(node, by=tuple(Own("text") if one == Own("name") else one for one in by))
        return node

    found: Statement = mapped(statement, changed)
    return found


def in_words(of: object, world: World) -> bool:
    """True for named items that are charted in words."""
    if not isinstance(of, Set) or not of.items or any(item.kind != "name" for item in of.items):
        return False
    role = world.roles.get(of.unit.replace(" ", "_"))
    names: tuple[Item, ...] = of.items
    return (
        role is not None
        and _has_texts(role)
        and bool(world.texts(of.unit.replace(" ", "_"), tuple(item.text for item in names)))
    )
