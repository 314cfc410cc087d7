"""What a question asks for that a statement does not tell: it answers one of two questions, or lists all there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.logic.algebra.model import UNITS, Groups, Own, Rows, Set, Single, Statement
from ehrtui.planning.reader.lexing import Lexed

QUESTION, EVERYTHING = "unused:question", "unused:all"
"""What is left out, by name."""
_SECOND = 2.2
"""What it costs that one of two questions is not answered."""
_BARE = 1.8
"""What it costs that all patients or all stays are listed, where the question says more than that."""
_INTERROGATIVES = {"when", "where", "who", "whom", "which", "how", "what", "whose"}
_OF_NUMBER = {"many", "often", "long", "old", "much"}
_JOINED = {"and", "&", "plus"}
_DOING = {"did", "do", "does", "was", "were", "is", "are", "has", "have", "had", "of"}
_WHOM = {"they", "he", "she", "it", "to"}
_SAYS_LITTLE = {"people", "stay", "list", "free", "light", "count", "and", "verb", "distinct", "pronoun", "order"}


def untold(statement: Statement, one: Lexed) -> Iterator[tuple[float, str]]:
    """The prices of what a statement leaves unanswered, each with its name."""
    width = _width(statement)
    if width == 1 and _asked(one.words) > 1:
        yield _SECOND, QUESTION
    if _is_bare(statement) and any(found - _SAYS_LITTLE for found in map(set, one.classes)):
        yield _BARE, EVERYTHING


def _width(statement: Statement) -> int | None:
    """How many things a statement tells of; None where that cannot be said. Names of patients count as one."""
    match statement:
        case Single():
            return len(statement.columns)
        case Rows():
            return len(statement.columns)
        case Groups():
            return 2
        case _:
            return None


_LISTING = (("list",), ("show",), ("give",), ("name",))


def _asked(words: Sequence[str]) -> int:
    """How many questions the words join: "how many were there and when was the last"."""
    found = int(words[:1] in _LISTING)
    for at, word in enumerate(words):
        if word not in _INTERROGATIVES:
            continue
        behind = words[at + 1] if at + 1 < len(words) else ""
        before = words[at - 1] if at else ""
        numbered = word == "how" and behind in _OF_NUMBER
        first = at == 0 or (found == 0 and (numbered or word in ("when", "where")) and before not in _JOINED)
        joined = before in _JOINED or (before in (",", "?", ":") and behind in _DOING | {"many"})
        asks = numbered or (word in ("when", "where") and behind in _DOING | _WHOM)
        asks = asks or (word in ("who", "whom") and behind in ("are", "were", "was", "is") and _ends_soon(words, at))
        if first or (joined and asks and found):
            found += 1
    return found


def _ends_soon(words: Sequence[str], at: int) -> bool:
    """ "Who are they": a question of its own, and no relative clause."""
    return words[at + 2 : at + 3] in (("they",), ("these",), ("those",), ("it",), ("that",), ("he",), ("she",))


def _is_bare(statement: Statement) -> bool:
    """True where all patients or all stays are listed, and nothing is told of them."""
    if not isinstance(statement, Rows) or statement.of.unit not in UNITS:
        return False
    return statement.of == Set(statement.of.unit) and set(statement.columns) <= {Own("id")}
