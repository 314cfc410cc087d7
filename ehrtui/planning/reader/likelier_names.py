"""Which of several things that a name may mean is likelier beside the others: the test that is called just so, the
column that the profile calls so, what has an end where it is asked how long something lasted."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.concepts.candidates import Candidate
from ehrtui.logic.algebra.model import Item
from ehrtui.planning.reader.lexicon import phrases
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.profile import Role

_LASTING = {"duration", "durations", "long"}
_NO_LENGTH = 0.9
"""What a name costs of records without an end, where it is asked how long they lasted and others have one."""
_SAID_SO = 0.6
"""What a name is cheaper of which the profile says that people call it so."""
_CHARTED_TOO = 0.5
"""What a charted value costs of which there is a laboratory test of the same name."""
_NO_VALUE = 0.7
"""What a drug costs of which a number is asked for ("median potassium") and whose name a test may have, too."""
_ELSE_CALLED_SO = 1.2
"""What a disease or a procedure costs of whose name a part was said, where a drug or a test is called just so: who has
heparin has no thrombocytopenia of it, and who had aspirin no "antiplatelet agent - aspirin"."""
_READINGS = {"value", "values", "level", "levels", "result", "results", "reading", "readings", "measurements"}
HOLDS_MORE = 1.3
"""What several names cost of which one is called exactly so."""


def beside_others(
    candidates: Sequence[Candidate], at: int, said: tuple[str, ...], words: Sequence[str], start: int, world: World
) -> float:
    """What the candidate at a place costs more, or less, than by itself, where `said` stands at word `start`."""
    one, role = candidates[at], world.roles[candidates[at].role]
    cost = HOLDS_MORE if any(_holds_more(one, other, said) for other in candidates) else 0.0
    rivals = {other.role for other in candidates if not other.field} - {one.role}
    if rivals and _said_here(said, one, role):
        cost -= _SAID_SO
    elif one.role == "vital" and one.how == "exact" and any(map(_is_test, candidates[:at])):
        cost += _CHARTED_TOO
    kinds = {sense.kind for sense in phrases().senses.get(tuple(words[max(0, start - 1) : start]), ())}
    measured = any(kind_of(other.role).measured and not other.field for other in candidates[:3])
    if kinds & {"function", "superlative"} and measured and one.how != "exact" and kind_of(one.role).dosed:
        cost += _NO_VALUE
    of_a_part = one.how in ("family", "part") and not one.field and kind_of(one.role).coded
    if of_a_part and any(_is_called_so(other, said) for other in candidates):
        cost += _ELSE_CALLED_SO
    if (
        not one.field
        and not role.end
        and _LASTING & set(words)
        and any(_may_last(other, world) for other in candidates)
    ):
        cost += _NO_LENGTH
    return cost


def _holds_more(one: Candidate, other: Candidate, said: Sequence[str]) -> bool:
    """True for several names of what is measured, one of which is what was said: "sodium" is the one that is called so,
    and that of whole blood is told by its name."""
    if one.role != other.role or not kind_of(one.role).measured or len(one.items) < 2 or len(other.items) != 1:
        return False
    name = " ".join(word for word in said if word not in _READINGS)
    return other.items[0] in one.items and other.items[0].text.lower() == name


def _is_called_so(one: Candidate, said: Sequence[str]) -> bool:
    """True for a drug or a test whose whole name was said, or another word for it, or a drug in a strength of it."""
    kind, name = kind_of(one.role), " ".join(said)
    if one.field or not (kind.dosed or kind.measured):
        return False
    names = [item.text.lower() for item in one.items]
    return name in names or one.how == "lay" or (kind.dosed and any(text.startswith(f"{name} ") for text in names))


def plain_one(one: Candidate) -> Item | None:
    """The one of several names of what is measured that the others only say more of: "Potassium" of "Potassium, Whole
    Blood", where "K" is short for either."""
    if len(one.items) < 2 or not kind_of(one.role).measured or one.how not in ("lay", "abbreviation"):
        return None
    shortest = min(one.items, key=lambda item: len(item.text))
    more = [item.text.lower() for item in one.items if item != shortest]
    return shortest if all(text.startswith(f"{shortest.text.lower()},") for text in more) else None


def _may_last(one: Candidate, world: World) -> bool:
    """True for records of which it is kept when they ended."""
    return not one.field and world.has(one.role) and bool(world.roles[one.role].end)


def _is_test(one: Candidate) -> bool:
    """True for a laboratory test that is called just so."""
    return one.role == "lab" and one.how == "exact" and not one.field


def _said_here(said: Sequence[str], one: Candidate, role: Role) -> bool:
    """True for a column of a role by its name, or by what the profile says that people call it."""
    name = " ".join(said)
    called = {name, *role.aliases.get(name, ())} & {*role.wide}
    return bool(called & {item.text for item in one.items})
