"""People beside those of an answer: "who else got it?", "how many other patients were on furosemide?"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ehrtui.logic.algebra.model import PATIENT, UNITS, Among, Not, Of, Set, Statement
from ehrtui.planning.follow.statements import with_main
from ehrtui.planning.follow.subject import as_patients, subject_of
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, limited, parts_of

_ANYBODY = {"who", "whom", "anyone", "anybody", "someone", "somebody", "everyone", "everybody"}
_PEOPLE = {"patients", "patient", "people", "pts", "pt", "persons", "women", "men"}
_POINTING = {"it", "that", "this", "them", "those", "these", "same", "one", "ones"}
_ASKING = {"many", "which", "any", "what", "list", "show", "all", "me"}


def of_other_people(
    one: Lexed,
    statement: Statement,
    alone: Callable[[str], Statement | None],
    leaning: Callable[[str], Statement | None],
) -> Statement | None:
    """What is asked of others than those of the latest answer; `alone` reads it with no regard to what was said before,
    `leaning` where it points at that: "which other patients got it?"."""
    words = _without_others(one.words)
    about = subject_of(0, statement) if words else None
    if about is None or (about.of.where is None and about.person is None):
        return None
    made = (alone if _POINTING.isdisjoint(words) else leaning)(" ".join(words))
    of = rows_about(made) if made is not None else None
    if made is None or of is None or of.unit not in UNITS or of.where is None:  # "the others" are told by nothing more
        return None
    whose = rows_about(statement)
    known = about.person or as_patients(whose if whose is not None else about.of)
    if known.where is None:
        return None
    parts = parts_of(known.where)
    left_out = next((part for part in parts if isinstance(part, Not) and isinstance(part.of, Among)), None)
    others = left_out or Not(every(parts))  # of those beside somebody: beside the same
    condition = others if of.unit == PATIENT else Of(Set(PATIENT, (), others))
    return with_main(made, lambda old: limited(old, condition))


def _without_others(words: Sequence[str]) -> list[str]:
    """The words of a question about others, without those that say so; none where it is not about others, or asks
    of a place that only the answer before tells ("there")."""
    if "there" in words:
        return []
    for at, word in enumerate(words):
        before, behind = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
        if word == "else" and before in _ANYBODY:
            return [*words[:at], *words[at + 1 :]]
        if word == "other" and behind in _PEOPLE and (not before or before in _ASKING):
            return [*words[:at], *words[at + 1 :]]
        if word == "others" and before in _ASKING:
            return [*words[:at], "patients", *words[at + 1 :]]
    return []
