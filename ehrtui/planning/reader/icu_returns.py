"""Rules of coming back to the ICU: "readmitted to the ICU within 48 hours", "ICU readmissions"."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import ICU, Has, Relation, Set
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Limit, Span, Stays
from ehrtui.planning.reader.traits import people_with, readmission

_BACK = "icu-return"
"""Why stays are those behind another on the ICU."""
_LEFT = ("discharge time", "icu discharge time")


@rule("readmitted", "stays")
def _back_to_icu(context: Context, readmitted: Node, stays: Node) -> Iterator[Made]:
    """ "Came back to the ICU"."""
    if stays.sense.of == Set(ICU) and context.world.has_stays(ICU):
        yield Made("stays", Stays(Set(ICU, (), readmission(None, icu=True))), 0.0, _BACK)


@rule("stays", "readmitted")
def _icu_readmission(context: Context, stays: Node, readmitted: Node) -> Iterator[Made]:
    """ "ICU readmissions"."""
    if not context.between(stays, readmitted):
        yield from _back_to_icu(context, readmitted, stays)


@rule("stays", "relation")
@rule("stays", "span")
@rule("stays", "limit")
def _back_within(context: Context, back: Node, within: Node) -> Iterator[Made]:
    """ "Readmitted to the ICU within 48 hours": of the discharge from it."""
    if _BACK in back.why and (told := _told(within.sense)) is not None:
        yield Made("stays", Stays(Set(ICU, (), readmission(told, icu=True))), -0.1, _BACK)


@rule("stays", "field")
def _back_after_discharge(context: Context, back: Node, field: Node) -> Iterator[Made]:
    """ "… of ICU discharge": said again."""
    if _BACK in back.why and field.sense.fields[0] in _LEFT:
        yield Made("stays", back.sense, 0.0, _BACK)


@rule("people", "stays")
def _people_back(context: Context, people: Node, back: Node) -> Iterator[Made]:
    """ "Patients who were readmitted to the ICU"."""
    if _BACK in back.why and not people.sense.one:
        yield Made("people", people_with(people.sense, Has(back.sense.of)), 0.0, _BACK)


def _told(within: object) -> tuple[float, str, bool] | None:
    """The number and unit of a time, and whether it lies beyond."""
    if isinstance(within, Limit) and within.unit:
        [(sign, number), *_] = within.tests
        return number, within.unit, sign in (">", ">=")
    if isinstance(within, Span):
        return within.count, within.unit, within.bound == "beyond"
    if isinstance(within, Relation) and within.count is not None:
        return within.count, within.unit, within.beyond
    return None
