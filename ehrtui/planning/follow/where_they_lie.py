"""Where those of an answer are now, each of them: "which ward is each one on?", "where are they?"."""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, Is, Of, Own, Rows, Set, Statement
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import as_patients, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, unit_of
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of

_STILL = Is(Own("end time"), "missing")
_LAST_UNIT = Own("last care unit")
_WHERE = {"where", "ward", "wards", "unit", "units", "floor", "floors", "bed", "beds", "room", "rooms"}
_PRESENT = {"is", "are", "they're", "he's", "she's", "lying"}
_WHOM = {"each", "every", "they", "he", "she", "everyone", "everybody"}
_BESIDE = {"on", "at", "the", "moment", "now", "currently", "right", "patient", "one", "them", "lying", "location"}


def where_they_lie(
    one: Lexed, statement: Statement, *, earlier: Mapping[int, Statement], latest: int, world: World
) -> Statement | None:
    """The place of each patient that he has not left, with whose it is."""
    said = {*one.words}
    known = said & _WHERE and said & _PRESENT and said & _WHOM
    if not known or not covers(one, _WHERE | _PRESENT | _WHOM | _BESIDE, ()):
        return None
    subject, place = subject_of(latest, statement), _place(world)
    if subject is None:
        return None
    whole = alone_if_near(statement, earlier) or statement
    if Set(ICU, (), _STILL) in walk(whole) and said & {"unit", "units"} and world.knows(_LAST_UNIT.field):
        return Rows(limited(Set(ICU, (), _STILL), Of(as_patients(subject.of))), (Own(PATIENT), _LAST_UNIT))
    if not place:
        return None
    names = [name for name in ("ward", "name", "room", "bed") if name == "name" or name in world.roles[place].fields]
    asked = [name for name in names if name in said or f"{name}s" in said or name in ("ward", "name")]
    stays = [Of(Set(HOSPITAL, (), _STILL))] if world.roles[place].stay == "hospital" else []
    of = limited(Set(unit_of(place), (), _STILL), *stays, Of(as_patients(subject.of)))
    return Rows(of, (Own(PATIENT), *map(Own, asked)))


def _place(world: World) -> str:
    """The role of the records of where somebody was, and until when; "" where there is none."""
    return next((name for name, role in world.roles.items() if kind_of(name).place and role.end and role.item), "")
