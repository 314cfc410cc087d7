"""Who is in one of two earlier answers and not in the other, by the words in which these differ: "in sputum but not in
urine?", "those with a positive blood culture but no positive urine", after each was counted."""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.logic.algebra.model import Aggregate, Own, Rows, Single, Statement
from ehrtui.planning.follow.record_words import means, words_of
from ehrtui.planning.follow.recounting import is_count
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import subject_of
from ehrtui.planning.follow.together import beside, without_other
from ehrtui.planning.reader.lexing import Lexed

_DENYING = {"not", "without", "never", "no", "nor", "except", "minus", "neither"}
_NUMBER = {"how", "many", "number", "count", "n"}
_LISTING = {"list", "ids", "id", "which", "who", "show", "name", "names", "whom"}
_BESIDE = {"but", "did", "does", "have", "has", "had", "got", "get", "getting", "having", "been", "any", "ever", "on",
           "from", "patients", "patient", "people", "pts", "growth", "grew", "grow", "growing", "positive", "culture",
           "cultures", "sample", "samples", "specimen", "specimens", "at", "given", "received", "let", "their",
           "both", "diagnosis", "diagnosed", "drug", "drugs", "taking", "took", "using", "find",
           "yet", "out", "would", "like", "tell", "if", "-", "found", "as", "well", "organism", "bug"}  # fmt: skip


def one_without_other(one: Lexed, statement: Statement, *, earlier: Mapping[int, Statement]) -> Statement | None:
    """Those of one of the two latest answers that stand beside each other who are not among those of the other."""
    at = next((at for at, word in enumerate(one.words) if word in _DENYING), 0)
    if not at or "neither" in one.words:
        return None
    told = {turn: found for turn, before in earlier.items() if (found := subject_of(turn, before)) is not None}
    pair = beside(told, 2)
    if len(pair) != 2:
        return None
    names = [words_of(of.of) for of in pair]
    own = [names[0] - names[1], names[1] - names[0]]
    sides = [_side(one.words[:at], own), _side(one.words[at:], own)]
    if {*sides} != {0, 1} or sides[0] is None:
        return None
    of = without_other(pair[sides[0]].of, pair[1 - sides[0]].of)
    if of is None:
        return None
    known = {word for word in one.words if means(word, names[0] | names[1])}
    if not covers(one, _DENYING | _NUMBER | _LISTING | _BESIDE | known, ()):
        return None
    asks = {*one.words}
    counts = bool(asks & {"many", "number", "count"}) or (is_count(statement) and not asks & _LISTING)
    return Single((Aggregate("count", of),)) if counts else Rows(of, (Own("id"),))


def _side(words: tuple[str, ...], own: list[frozenset[str]]) -> int | None:
    """Which of the two some words tell; None where they tell neither, or both."""
    meant = {at for at, names in enumerate(own) if any(means(word, names) for word in words)}
    return meant.pop() if len(meant) == 1 else None
