"""The parts of people's names: "patients with the last name Moen", "everybody called Ada"; and both: "first and last
name", which picks no first of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ehrtui.logic.algebra.model import AnyOf, Condition, Like, Own
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexicon import english, phrases
from ehrtui.planning.reader.meanings import Trait, Wanted, bearers_of
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import PATIENT

_FIRST, _LAST = "first name", "last name"
_PARTS: dict[tuple[str, ...], str] = {
    **{(word, noun): _FIRST for word in ("first", "given") for noun in ("name", "names")},
    **{(word, noun): _LAST for word in ("last", "family") for noun in ("name", "names")},
    **{(word,): _LAST for word in ("surname", "surnames")},
    **{(word,): _FIRST for word in ("forename", "forenames")},
}
_CALLED = {("called",), ("named",)}
_PEOPLE = {"patient", "patients", "people", "person", "persons", "women", "men", "woman", "man", "anyone", "anybody"}
_PEOPLE |= {"everyone", "everybody", "those", "somebody", "someone", "is", "are"}
_BETWEEN = {"is", "of", "=", ":", "was", "equals", "as"}
_NUMBERED = re.compile(r"[^\W\d]\d+$")
"""A name that was generated with a number behind it: "Veum496"."""
_SAID = -0.4
_ENDS = {("first", "last"), ("last", "first"), ("given", "family"), ("family", "given")}
_JOINED = {"and", "&", "/", ",", "+"}
_NAMES = {"name", "names"}
_BOTH = -0.6
_SIZE = 4


def find_name_parts(words: Sequence[str], world: World) -> Iterator[Node]:
    """The words that tell a part of people's names, with the condition that it is so called."""
    if not world.holds(PATIENT, _LAST):
        return
    for start in range(len(words)):
        for size in (2, 1):
            said = tuple(words[start : start + size])
            at = start + size
            while words[at : at + 1] and words[at] in _BETWEEN:
                at += 1
            if said not in _PARTS and not (said in _CALLED and {*words[max(0, start - 1) : start]} & _PEOPLE):
                continue
            if at < len(words) and _is_a_name(words[at]):
                fields = (_PARTS[said],) if said in _PARTS else (_FIRST, _LAST)
                known = [_called(words[at], field) for field in fields if world.holds(PATIENT, field)]
                condition = known[0] if len(known) == 1 else AnyOf(tuple(known))
                trait = Trait(condition, bearers_of(PATIENT), field=fields[-1], role=PATIENT)
                yield Node("trait", trait, start, at + 1, _SAID, ("value",))


def _is_a_name(word: str) -> bool:
    return word[:1].isalpha() and (word,) not in phrases().senses and english().get(word) is None


def _called(word: str, field: str) -> Condition:
    """That a name is this, or this with a number behind it."""
    plain = word.removesuffix("'s")
    return Like(Own(field), plain if _NUMBERED.search(plain) else f"{plain}*")


def find_full_names(words: Sequence[str], world: World) -> Iterator[Node]:
    """The words for both names as nodes, with the attributes that tell them: one that holds both, or each."""
    for at in range(len(words) - _SIZE + 1):
        one, joint, other, name = words[at : at + _SIZE]
        if (one, other) in _ENDS and joint in _JOINED and name in _NAMES:
            apart = tuple(f"{'first' if end in ('first', 'given') else 'last'} name" for end in (one, other))
            fields = apart if all(map(world.knows, apart)) else ("name",)
            yield Node("field", Wanted(fields), at, at + _SIZE, _BOTH)
