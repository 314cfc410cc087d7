"""The words of an act: which of them say it, which carry nothing, and whether any is left over."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ehrtui.logic.algebra.model import Groups, Own, PartOf, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed

FILL = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "in",
        "is",
        "are",
        "was",
        "were",
        "it",
        "them",
        "these",
        "those",
        "that",
        "this",
        "they",
        "ones",
        "one",
        "one's",
        "who's",
        "that's",
        "only",
        "just",
        "please",
        "pls",
        "now",
        "then",
        "and",
        "so",
        "but",
        "ok",
        "okay",
        "can",
        "could",
        "you",
        "me",
        "us",
        "to",
        "for",
        "with",
        "by",
        "each",
        "also",
        "too",
        "i",
        "want",
        "again",
        "s",
        "list",
        "show",
        "give",
        "display",
        "see",
        "there",
        "all",
        "which",
        "what",
        "what's",
        "let's",
        "lets",
        "keep",
        "take",
        "make",
        "do",
    ]
)
"""Words that go with any act and say nothing of it."""


GROUP_WORDS = frozenset(["group", "groups", "category", "categories", "rows"])
"""Words for the groups of any answer."""


def covers(one: Lexed, words: Collection[str], nodes: Iterable[Node]) -> bool:
    """True where the nodes, the `words` and those that carry nothing are all that is said."""
    covered = {at for node in nodes for at in range(node.start, node.end)}
    return all(
        at in covered or not word[0].isalnum() or word in FILL or word in words for at, word in enumerate(one.words)
    )


def outermost(nodes: Iterable[Node]) -> list[Node]:
    """The nodes that are inside no other, in their order; of those over the same words the cheapest."""
    found: list[Node] = []
    for node in sorted(nodes, key=lambda node: (node.start - node.end, node.cost)):
        if not any(node.start < other.end and other.start < node.end for other in found):
            found.append(node)
    return sorted(found, key=lambda node: node.start)


def key_words(statement: Statement) -> set[str]:
    """The words by which the groups of an answer are called, as one or as several."""
    if not isinstance(statement, Groups):
        return set()
    names = [key.field if isinstance(key, Own) else key.part for key in statement.by if isinstance(key, Own | PartOf)]
    words = {word for name in names for word in name.split()}
    return (
        words
        | GROUP_WORDS
        | {f"{word}s" for word in words}
        | {f"{word[:-1]}ies" for word in words if word.endswith("y")}
    )
