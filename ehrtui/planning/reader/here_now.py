"""Who is somewhere now: "who is on ward 7 now" asks for those who have not left it, and not for all who are still in
the hospital and were there at some time."""

from __future__ import annotations

import re
from typing import Any

from ehrtui.logic.algebra.model import HOSPITAL, Has, Is, Of, Own, Set, Statement
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.meanings import limited, parts_of
from ehrtui.schema.kinds import kind_of

_NOW = re.compile(r"\b(?:now|currently|presently|at the moment|at present|at the minute)\b")
_EVER = re.compile(
    r"\b(?:ever|before|earlier|previously|passed|came|come|through|transferred|moved|has been|have been)\b"
)
"""What says that somebody may have left since."""
_STILL = Is(Own("end time"), "missing")


def where_they_are_now(context: Context, statement: Statement) -> Statement:
    """A statement about who is in the hospital now, and was at a place: at that place they are now."""
    said = " ".join(context.lexed.words)
    if not _NOW.search(said) or _EVER.search(said):
        return statement
    here = any(
        isinstance(one, Has) and one.of.unit not in _places(context) and _goes_on(one.of) for one in walk(statement)
    )
    return mapped(statement, lambda node: _there(context, node)) if here else statement


def _there(context: Context, node: Any) -> Any:
    if not isinstance(node, Set) or node.unit not in _places(context) or node.pick is not None or _goes_on(node):
        return node
    role = context.world.roles.get(node.unit.replace(" ", "_"))
    of_stay = (Of(Set(HOSPITAL, (), _STILL)),) if role is not None and role.stay == "hospital" else ()
    return limited(node, _STILL, *of_stay)


def _places(context: Context) -> frozenset[str]:
    """The units whose rows say where somebody was, and until when."""
    roles = context.world.roles.items()
    return frozenset(name.replace("_", " ") for name, role in roles if kind_of(name).place and role.end)


def _goes_on(of: Set) -> bool:
    return _STILL in parts_of(of.where)
