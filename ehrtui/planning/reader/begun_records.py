"""Records of the beginning of a stay that nobody names."""

from __future__ import annotations

from ehrtui.logic.algebra.model import Near, Own, Relation
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.meanings import Event, narrowed

_ICU = {"icu", "icustay", "icustays", "unit", "ccu", "micu", "sicu", "intensive"}


def begun_with(context: Context, event: Event, hours: Relation) -> Event | None:
    """Records in the first hours of the stay that they are kept by, or of the one on the ICU where it is spoken of;
    None for those without a time."""
    role = context.world.roles.get(event.role)
    if role is None or not role.time or role.undated:
        return None
    icu = context.world.knows("icu admission time") and (role.stay == "icu" or bool(_ICU & set(context.lexed.words)))
    return narrowed(event, Near(hours, Own("icu admission time" if icu else "admission time")))
