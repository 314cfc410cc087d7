"""Some of those of the latest answer who are left out: "exclude anyone under 60", "leave out the women"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, UNITS, Condition, InAnswer, Not, Of, Own, Set, Statement, Test, Value
from ehrtui.planning.follow.saying import FILL
from ehrtui.planning.follow.statements import with_main
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, limited, parts_of

_LEAVING = (("leave", "out"), ("take", "out"), ("but", "not"), ("filter", "out"), ("leaving", "out"), ("except", "for"),
            ("exclude",), ("excluding",), ("remove",), ("drop",), ("omit",), ("ignore",), ("discard",), ("skip",),
            ("except",), ("excl",))  # fmt: skip
_BEFORE = {"now", "please", "but", "and", "then", "ok", "so", "can", "you", "could", "let's", "lets", "we"}
_OTHER_SEX = {"male": "female", "female": "male"}
_ANYBODY = {"anyone", "anybody", "everyone", "everybody", "all"}


def without_some(one: Lexed, statement: Statement, changed: Callable[[str], Statement | None]) -> Statement | None:
    """The statement of the others, where words say who is left out; `changed` reads words as what narrows it."""
    told = _left_out(one.words)
    of = rows_about(statement)
    if not told or of is None or of.unit not in UNITS:
        return None
    narrower = changed(" ".join(told))
    rows = rows_about(narrower) if narrower is not None else None
    if rows is None or rows.pick != (of.pick if rows.unit == of.unit else None):
        return None
    further = [part for part in parts_of(rows.where) if part not in parts_of(of.where) and not _is_pointer(part)]
    if not further or rows.unit not in (of.unit, PATIENT):
        return None
    condition: Condition = every(further) if rows.unit == of.unit else Of(Set(PATIENT, (), every(further)))
    return with_main(statement, lambda own: limited(own, _denied(condition)))


def _denied(condition: Condition) -> Condition:
    """The opposite of a condition, which of the sexes is the other one."""
    match condition:
        case Test(left=Own("gender"), relation="=", right=Value(value=str(sex))) if sex in _OTHER_SEX:
            return replace(condition, right=Value(_OTHER_SEX[sex]))
    return Not(condition)


def _left_out(words: Sequence[str]) -> tuple[str, ...]:
    """The words that say who is left out; none where nobody is."""
    at = next((at for at, word in enumerate(words) if word not in _BEFORE or word == "but"), len(words))
    verb = next((verb for verb in _LEAVING if tuple(words[at : at + len(verb)]) == verb), None)
    if verb is None:
        return ()
    rest = [word for word in words[at + len(verb) :] if word[0].isalnum()]
    if rest[:1] and rest[0] in _ANYBODY:
        rest[:1] = ["those"]
    return tuple(rest) if {*rest} - FILL else ()


def _is_pointer(part: Condition) -> bool:
    """True for what says but that the rows are those of an earlier answer."""
    return isinstance(part, InAnswer) or (isinstance(part, Of) and isinstance(part.of.where, InAnswer))
