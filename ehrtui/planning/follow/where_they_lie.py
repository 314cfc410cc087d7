"""Where those of an answer are now, each of them: "which ward is each one on?", "where are they?"."""

from __future__ import annotations

from ehrtui.logic.algebra.model import HOSPITAL, PATIENT, Is, Of, Own, Rows, Set, Statement
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import as_patients, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, unit_of
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of

_STILL = Is(Own("end time"), "missing")
_WHERE = {"where", "ward", "wards", "unit", "units", "floor", "floors", "bed", "beds", "room", "rooms"}
_PRESENT = {"is", "are", "they're", "he's", "she's", "lying"}
_WHOM = {"each", "every", "they", "he", "she", "everyone", "everybody"}
_BESIDE = {"on", "at", "the", "moment", "now", "currently", "right", "patient", "one", "them", "lying", "location"}


def where_they_lie(one: Lexed, statement: Statement, *, latest: int, world: World) -> Statement | None:
    """The place of each patient that he has not left, with whose it is."""
    said = {*one.words}
    known = said & _WHERE and said & _PRESENT and said & _WHOM
    if not known or not covers(one, _WHERE | _PRESENT | _WHOM | _BESIDE, ()):
        return None
    subject, place = subject_of(latest, statement), _place(world)
    if subject is None or not place:
        return None
    names = [name for name in ("ward", "name", "room", "bed") if name == "name" or name in world.roles[place].fields]
    asked = [name for name in names if name in said or f"{name}s" in said or name in ("ward", "name")]
    stays = [Of(Set(HOSPITAL, (), _STILL))] if world.roles[place].stay == "hospital" else []
    of = limited(Set(unit_of(place), (), _STILL), *stays, Of(as_patients(subject.of)))
    return Rows(of, (Own(PATIENT), *map(Own, asked)))


def _place(world: World) -> str:
    """The role of the records of where somebody was, and until when; "" where there is none."""
    return next((name for name, role in world.roles.items() if kind_of(name).place and role.end and role.item), "")
