"""What a few words are that are no whole question: a fragment, a figure of those before, one of their stays."""

from __future__ import annotations

from ehrtui.planning.follow.pointing import STAY_NOUNS, parts_groups
from ehrtui.planning.reader.lexing import Lexed

_TELLING = {"event", "trait", "dead", "superlative", "most", "function"}
_THAT = {"that", "this", "it", "those", "these"}
ALL_THAT = _THAT | {"they", "them"}
_BEING = {"is", "are", "was", "were", "make"}
VERBS = {"is", "was", "were", "are", "did", "does", "do", "has", "have", "had", "can", "could"}
_SHORT = 5
"""Words that a question has which is none of its own."""
OPENERS = {"and", "what", "how", "only", "just", "same", "now", "but", "then", "so", "ok", "or", "instead", "no",
            "as", "compare", "compared"}  # fmt: skip
WHOSE = {"people", "patient", "by", "each"}
_OF_WHOM = {"people", "patient", "event", "by", "each", "pick"}
"""Kinds of nodes that say of whom, or of what, a figure is."""
_WHICH_STAY = {"first", "last", "latest", "second", "current", "previous", "final"}


def is_predicate(one: Lexed) -> bool:
    """True for a question that ends in "is that", "are those": it asks for the same rows as something else."""
    words = [word for word in one.words if word[0].isalnum()]
    return set(words[-2:]) <= _BEING | ALL_THAT and not _BEING.isdisjoint(words[-2:])


def names_their_stay(one: Lexed) -> bool:
    """True for words that name one stay of a patient, and no patient: "results of the last admission"."""
    if any(node.kind in ("people", "patient") for node in one.nodes):
        return False
    return any(
        before == "the" and word in _WHICH_STAY and behind in STAY_NOUNS and behind[-1] != "s"
        for before, word, behind in zip(one.words, one.words[1:], one.words[2:], strict=False)
    )


def asks_figure(one: Lexed) -> bool:
    """True for a sentence that asks for a number over values and says neither whose nor of which records: "what was the
    mean length of stay?"."""
    words = [word for word in one.words if word[0].isalnum() and word not in OPENERS - {"what"}]
    asks = words[:1] == ["what"] and words[1:2] != [] and words[1] in _BEING
    fields = {(node.start, node.end) for node in one.nodes if node.kind == "field"}
    kinds = {node.kind for node in one.nodes if node.kind == "field" or (node.start, node.end) not in fields}
    return (asks or words[:1] == ["what's"]) and "function" in kinds and kinds.isdisjoint(_OF_WHOM)


def ranks_records(one: Lexed) -> bool:
    """True for a few words that rank records and say nothing of whose: "most common organisms", "drugs, top 4"."""
    kinds = {node.kind for node in one.nodes}
    words = [word for word in one.words if word[0].isalnum()]
    asks = words[:1] == ["which"] or VERBS.isdisjoint(words)
    return len(words) <= _SHORT + 1 and asks and "most" in kinds and kinds.isdisjoint(WHOSE | {"stays", "window"})


def is_fragment(one: Lexed) -> bool:
    """True for words that are no whole question: a few, or opened by one that goes on ("and", "what about")."""
    words = [word for word in one.words if word[0].isalnum()]
    kinds = {node.kind for node in one.nodes}
    if kinds & {"share", "count"} and not kinds & _TELLING and _THAT & {*words}:
        return len(words) <= 10  # "what share is that of all stays", "how many stays is it"
    if "share" in kinds and not kinds & (_TELLING - {"function"}) and "of" in words and len(words) <= _SHORT + 1:
        return True  # "what percentage of all patients"
    asked = words[:1] in (["what"], ["how"]) and words[1:2] != ["about"]
    opened = parts_groups(words) or "instead" in words[1:-1] or (bool(words) and words[0] in OPENERS and not asked)
    asks = bool(kinds & {"count", "share", "most", "superlative"})
    if "growth" in kinds and not kinds & {"event", "people", "stays", "trait", "window"} and len(words) <= _SHORT:
        return True  # "how many were positive"
    if (
        len(words) <= _SHORT
        and (
            {"count", "stays"} <= kinds
            or ({"count", "people"} <= kinds and "there" not in words)
            or {"share", "dead"} <= kinds
        )
        and not _says_more(kinds)
    ):
        return True  # "in how many admissions", "death rate"
    if not kinds & {"event", "people", "stays", "trait"} and len(words) <= 3:
        asks = False  # "top 3"
    verb = next((word for word in words if word not in OPENERS), "") in VERBS
    people = any(word in ("who", "which", "list", "show") for word in words)
    return not verb and ((opened and len(words) <= 10) or (len(words) <= 5 and not asks and not people))


def _says_more(kinds: set[str]) -> bool:
    """True where a few words name records, or limit them."""
    return bool(kinds & {"event", "function", "superlative", "most", "limit", "window"})
