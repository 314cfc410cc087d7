"""ICU stays, where a database keeps them among the moves from ward to ward and not in a table of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ehrtui.schema.columns import as_text, distinct_values
from ehrtui.schema.guessing import Database
from ehrtui.schema.kinds import ADMISSION, ICU_STAY, TRANSFER
from ehrtui.schema.profile import Role, StayKind

_INTENSIVE = re.compile(
    r"\b(?:[a-z]{0,3}icu|itu|ccu|(?:intensive|critical)[- ](?:care|therapy)|coronary[- ]care)\b", re.IGNORECASE
)
_WARD = re.compile(r"^(?:ward|unit|department|care unit|nursing unit|location|service)$")
"""The attributes of stays that say on which ward they were."""
_VIEW = "icu_moves"
_CALLED = "ward_called"
"""The column of that view that names the ward, where the moves themselves have a number."""
_LOOKED_AT = 100_000
"""Moves that are looked at for the names of wards."""
_MOST_WARDS = 1000
"""Wards that are looked at."""


def intensive_stays(
    database: Database, roles: Mapping[str, Role], views: dict[str, str]
) -> tuple[StayKind, Role] | None:
    """The stays on the wards that are called intensive care, and their role; their view is added to `views`. They are
    among the moves from ward to ward, or among the stays, where each was on one ward. None where no ward is called so,
    or it is not told when they ended, or the database has ICU stays."""
    moves = roles.get(TRANSFER) or _on_one_ward(roles[ADMISSION])
    if ICU_STAY in roles or moves is None or _VIEW in database.tables:
        return None
    if not (moves.time and moves.end and moves.row and moves.item and moves.table in database.tables):
        return None
    rows = f"({views[moves.table]})" if moves.table in views else moves.table
    if (named := moves.dictionary) is not None:
        rows = (
            f"(SELECT moves.*, ward.{named.name} AS {_CALLED} FROM {rows} AS moves "
            f"JOIN {named.table} AS ward ON ward.{named.key} = moves.{moves.item})"
        )
        moves = replace(moves, item=_CALLED)
    wards = distinct_values(moves.item, f"{rows} AS moves", database.read, _MOST_WARDS, _LOOKED_AT)
    intensive = sorted(ward for ward in wards if isinstance(ward, str) and _INTENSIVE.search(ward))
    if not intensive:
        return None
    among = ", ".join(map(as_text, intensive))
    views[_VIEW] = f"SELECT * FROM {rows} AS moves WHERE {moves.item} IN ({among})"
    role = Role(
        _VIEW,
        time=moves.time,
        end=moves.end,
        stay="icu",
        key=moves.row,
        patient=moves.patient,
        row=moves.row,
        fields={"id": moves.row, "first care unit": moves.item},
        said=("first care unit",),
    )
    return StayKind(_VIEW, moves.row, moves.time, moves.end, moves.patient, moves.key), role


def _on_one_ward(stays: Role) -> Role | None:
    """The stays with their ward as what each is of; None where no ward is told of them."""
    ward = next((column for field, column in stays.fields.items() if _WARD.search(field) and field in stays.said), "")
    return replace(stays, item=ward, row=stays.key) if ward else None
