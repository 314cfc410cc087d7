"""Moments as something that others are before or after: "ICU admission", "the first lactate", "15 January 2180"."""

from __future__ import annotations

from ehrtui.logic.algebra.model import HOSPITAL, ICU, Aggregate, Measure, Neighbour, Own, Picked, Set, Value
from ehrtui.logic.english.clauses import At, noun
from ehrtui.logic.english.things import thing
from ehrtui.logic.english.words import moment_words, spoken, value

_OWN = {
    (HOSPITAL, "time"): "hospital admission",
    (HOSPITAL, "end time"): "hospital discharge",
    (ICU, "time"): "ICU admission",
    (ICU, "end time"): "ICU discharge",
    ("death", "time"): "death",
}


def is_moment(measure: Measure) -> bool:
    """True for a measure that is a moment, as far as its words tell."""
    match measure:
        case Own(field=field):
            return field.endswith(("time", "date")) or field == "now"
        case Picked(measure=inner) | Neighbour(measure=inner):
            return is_moment(inner)
        case Aggregate(function="minimum" | "maximum", measure=inner) if inner is not None:
            return is_moment(inner)  # type: ignore[arg-type]
    return False


def bare_moment(field: str, unit: str) -> str:
    """A field that is a moment of a row of a unit, without an article; "" for any other field."""
    known = _OWN.get((unit, field)) or moment_words(field)
    return known.removeprefix("hospital ") if unit == HOSPITAL else known


def moment(measure: Measure, at: At) -> str:
    """A moment behind "before" or "after"."""
    match measure:
        case Own(field="now"):
            return "now"
        case Own(field=field):
            return bare_moment(field, at.unit) or ("its time" if field == "time" else f"the {spoken(field)}")
        case Value(value=scalar):
            return value(scalar)
        case Picked(measure=Own(field="time"), of=of) if of.unit not in (HOSPITAL, ICU):
            return thing(of, at).some(at.whose)
        case Picked(measure=Own(field=field), of=of) if known := bare_moment(field, of.unit):
            return f"{known} of {thing(of, at).some(at.whose)}"
        case Neighbour(which=which, measure=Own(field="time"), of=None) if at.unit not in (HOSPITAL, ICU):
            return f"the {which} one"
        case Neighbour(which=which, measure=Own(field="time"), of=Set() as of) if of.unit not in (HOSPITAL, ICU):
            return f"the {which} {thing(of, at).bare()}"
    return f"the {noun(measure, at)}"
