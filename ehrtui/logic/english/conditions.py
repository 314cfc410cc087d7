"""Conditions as clauses about the rows that meet them."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Among,
    AnyOf,
    Comparison,
    Condition,
    Has,
    InAnswer,
    Interval,
    Is,
    Like,
    Math,
    Measure,
    Near,
    Neighbour,
    Not,
    Of,
    Own,
    PartOf,
    Related,
    Set,
    Test,
    Times,
    Value,
    Whether,
)
from ehrtui.logic.english import times as spans
from ehrtui.logic.english.clauses import At, Clause, Form, clause, joined, noun, the
from ehrtui.logic.english.moments import is_moment, moment
from ehrtui.logic.english.ranges import Ongoing, Range, denied, merged
from ehrtui.logic.english.things import measured, owned, patient_has, thing
from ehrtui.logic.english.words import (
    AMOUNTS,
    LIMITS,
    MOMENTS,
    a,
    code,
    flag,
    identifier,
    kind_words,
    listed,
    pattern,
    plural,
    spoken,
    value,
)
from ehrtui.logic.model import Window

_AGES: dict[Comparison, str] = {
    ">": "over {}", ">=": "{} or older", "<": "under {}", "<=": "{} or younger", "=": "{}", "!=": "other than {}"
}  # fmt: skip
_EQUAL: dict[Comparison, str] = {"=": "equal to", "!=": "other than"}
_WHOLE_DAYS = ("day", "month", "year", "week")


@clause.register
def _all(condition: All, at: At) -> Clause:
    return joined([clause(one, at) for one in merged(condition.of)], "and")


@clause.register
def _any(condition: AnyOf, at: At) -> Clause:
    return joined([clause(one, at) for one in condition.of], "or")


@clause.register
def _not(condition: Not, at: At) -> Clause:
    inner = condition.of
    if isinstance(inner, Has):
        return _had(inner, at, negative=True)
    plain = denied(inner)
    if not isinstance(plain, Not):
        return clause(plain, at)
    match inner:
        case Of(of=of) if of.unit not in UNITS:
            return Clause("moment", f"other than {thing(of, at).many()}", negative=True)
        case Like(measure=measure, pattern=like):
            what = "name" if measure == Own("name") else noun(measure, at)
            return Clause("had", pattern(like, what=f"{a(what)} not"))
        case Among(measure=measure, values=values):
            return _among(measure, values, at, negative=True)
        case Is(measure=measure, state=state):
            return _state(measure, state, at, negative=True)
    said = clause(inner, at)
    if said.form == "verb":
        return Clause("verb", f"were not among those that {said.text}", negative=True)
    return replace(said, text=f"not {said.text}", negative=True)


# --- values ----------------------------------------------------------------------------------------------------------


@clause.register
def _test(condition: Test, at: At) -> Clause:
    left, relation, right = condition.left, condition.relation, condition.right
    if isinstance(left, Value) and not isinstance(right, Value):
        turned: dict[Comparison, Comparison] = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
        left, relation, right = right, turned.get(relation, relation), left
    match left, right:
        case Own(field="gender"), Value(value=str() as sex) if relation == "=":
            said = _sex(sex, at)
            if said and at.unit == PATIENT:
                return Clause("adjective", said)
            if said:
                return Clause("whose", f"of {said} patients")
        case Own(field=field), Value(value=1 | 0 as holds) if relation in ("=", "!="):
            if said := flag(field, at.unit, (holds == 1) == (relation == "=")):
                return Clause("verb", said)
        case Own(field="value"), Value(value=int() | float() as limit) if at.unit not in UNITS:
            if kind_words(at.unit).measured:
                return Clause("limit", f"{LIMITS[relation]} {value(limit)}")
        case Own(field="age"), Value(value=int() | float() as years):
            return _aged(_AGES[relation].format(value(years)), at)
        case Own(field="length"), Value(value=int() | float() as days):
            return Clause("verb", f"lasted {AMOUNTS[relation]} {_days(days)}")
        case Interval(unit=unit, start=start, end=end), Value(value=int() | float() as count):
            span = f"{AMOUNTS[relation]} {value(count)} {unit}{'' if count == 1 else 's'}"
            return Clause("had", f"{span} from {moment(start, at)} to {moment(end, at)}")
        case Aggregate(function="count" | "distinct"), Value(value=int() | float() as count):
            return Clause("had", f"{AMOUNTS[relation]} {value(count)} {noun(left, at).removeprefix('number of ')}")
        case Neighbour(which=which, measure=Own() as field), Own() if field == right and relation in ("=", "!="):
            word = "the same" if relation == "=" else "another"
            return Clause("had", f"{word} {noun(field, at)} {'as' if relation == '=' else 'than'} the {which} one")
        case PartOf(part="time of day", time=time), Value(value=str() as clock):
            return Clause("had", f"{moment(time, at)} {MOMENTS[relation]} {clock} in the day")
        case Math(operator="+"), Value(value=int() | float() as count) if several := _whethers(left):
            said = listed([clause(one, at).verb for one in several])
            return Clause(
                "verb", f"met {AMOUNTS[relation]} {value(count)} of {len(several)} conditions, that they {said}"
            )
    if _timed(left):
        return _at_moment(left, relation, right, at)
    if isinstance(right, Value) and isinstance(right.value, str) and relation in ("=", "!="):
        return _among(left, (right.value,), at, negative=relation == "!=")
    if isinstance(left, Own) and isinstance(right, Value) and relation in ("=", "!="):
        return _among(left, (right.value,), at, negative=relation == "!=")
    return Clause("had", f"{a(noun(left, at))} {_EQUAL.get(relation, LIMITS[relation])} {the(right, at)}")


def _whethers(measure: Measure) -> list[Condition]:
    """The conditions whose truths are added; none where anything else is."""
    if isinstance(measure, Whether):
        return [measure.condition]
    if isinstance(measure, Math) and measure.operator == "+":
        left, right = _whethers(measure.left), _whethers(measure.right)
        return [*left, *right] if left and right else []
    return []


@clause.register
def _range(condition: Range, at: At) -> Clause:
    low, high = value(condition.low.value), value(condition.high.value)
    match condition.measure:
        case Own(field="time") | PartOf(part="day", time=Own(field="time")):
            return _timely(f"from {low} to {high}", at)
        case Own(field="value") if kind_words(at.unit).measured:
            return Clause("limit", f"from {low} to {high}")
        case Own(field="age"):
            return _aged(f"{low} to {high}", at)
        case Own(field="length"):
            return Clause("verb", f"lasted from {low} to {high} days")
        case Interval(unit=unit, start=start, end=end):
            return Clause("had", f"from {low} to {high} {unit}s from {moment(start, at)} to {moment(end, at)}")
    return Clause("had", f"{a(noun(condition.measure, at))} from {low} to {high}")


@clause.register
def _ongoing(condition: Ongoing, at: At) -> Clause:
    if condition.when == Own("now") and condition.open:
        return Clause("adjective", "current")
    some = "some time on " if condition.within_day else ""
    word = "covering" if not condition.open else "ongoing at" if some or condition.when == Own("now") else "ongoing on"
    return Clause("moment", f"{word} {some}{moment(condition.when, at)}")


def _aged(said: str, at: At) -> Clause:
    return (
        Clause("verb", f"were aged {said}")
        if at.unit == PATIENT
        else Clause("moment", f"at {'an age' if said.startswith(('over', 'under', 'other')) else 'age'} {said}")
    )


def _days(days: float) -> str:
    return f"{value(days)} day{'' if days == 1 else 's'}"


def _sex(said: str, at: At) -> str:
    known = {"female": "female", "male": "male"} | {
        stored.lower(): sex for sex, stored in at.profile.sexes.items() if sex in ("female", "male")
    }
    return known.get(said.lower(), "")


def _timed(measure: Measure) -> bool:
    return is_moment(measure) or (isinstance(measure, PartOf) and measure.part in _WHOLE_DAYS)


def _at_moment(left: Measure, relation: Comparison, right: Measure, at: At) -> Clause:
    day = isinstance(left, PartOf)
    time = left.time if isinstance(left, PartOf) else left
    said = moment(right, at)
    words = {"=": "on" if day else "exactly at", ">": "after" if day else "later than"}.get(relation, MOMENTS[relation])
    calendar = f"in a calendar {left.part} " if isinstance(left, PartOf) and left.part != "day" else ""
    if time == Own("time"):
        if at.unit in (HOSPITAL, ICU):
            return Clause("verb", f"began {calendar}{words} {said}")
        return Clause("moment", f"{calendar}{words} {said}")
    if time == Own("end time"):
        return Clause("verb", f"ended {calendar}{words} {said}")
    return Clause("had", f"{moment(time, at)} {calendar}{words} {said}")


@clause.register
def _one_of(condition: Among, at: At) -> Clause:
    return _among(condition.measure, condition.values, at)


def _among(measure: Measure, values: tuple[int | float | str, ...], at: At, *, negative: bool = False) -> Clause:
    if not values:
        return Clause("verb", "are everything" if negative else "are nothing")
    word = "other than " if negative else ""
    match measure:
        case Own(field="id") if at.unit in UNITS:
            known = spoken(at.unit) if len(values) == 1 else plural(spoken(at.unit))
            said = f"{known} {listed(list(map(identifier, values)), 'or')}"
            return Clause("verb", f"were {'not ' if negative else ''}{said}")
        case Own(field=field) if field in UNITS:
            known = spoken(field) if len(values) == 1 else plural(spoken(field))
            said = f"{known} {listed(list(map(identifier, values)), 'or')}"
            return Clause("whose", f"{'not ' if negative else ''}of {said}")
        case Own(field="item"):
            return Clause("had", f"{word}item number {listed(list(map(value, values)), 'or')}")
        case Own(field="code"):
            codes = [code(one) if isinstance(one, str) else value(one) for one in values]
            return Clause("had", f"{'a code other than' if negative else 'a code'} {listed(codes, 'or')}")
        case Own(field="name"):
            named = listed([value(one) for one in values], "or")
            return Clause("had", f"{'a name other than' if negative else 'the name'} {named}")
    said = listed([value(one) for one in values], "or")
    if isinstance(measure, PartOf) and measure.part == "weekday" and not negative:
        return Clause("had", f"{moment(measure.time, at)} on a {said}")
    if negative:
        return Clause("had", f"{a(noun(measure, at))} other than {said}")
    if isinstance(measure, Own):
        return Clause("had", f"{noun(measure, at)} {said}")
    return Clause("had", f"{a(noun(measure, at))} of {said}")


@clause.register
def _like(condition: Like, at: At) -> Clause:
    what = "name" if condition.measure == Own("name") else noun(condition.measure, at)
    return Clause("had", pattern(condition.pattern, what=a(what)))


@clause.register
def _is(condition: Is, at: At) -> Clause:
    return _state(condition.measure, condition.state, at)


def _state(measure: Measure, state: str, at: At, *, negative: bool = False) -> Clause:
    if negative and state in ("present", "missing"):
        state, negative = ("missing" if state == "present" else "present"), False
    stay = at.unit in (HOSPITAL, ICU)
    match measure, state:
        case Own(field="value"), "normal" | "abnormal":
            return Clause("adjective", f"{'not ' if negative else ''}{state}")
        case Own(field="end time"), "missing" if stay:
            return Clause("adjective", "current")
        case Own(field="end time"), "present" if stay:
            return Clause("adjective", "finished")
        case Neighbour(which=which, measure=Own(field="id")), "present" | "missing":
            return Clause(
                "had", f"{'a' if state == 'present' else 'no'} {which} {kind_words(at.unit).noun}", state == "missing"
            )
        case Own(field="end time"), "open":
            return Clause("verb", f"{'have ended' if negative else 'have not ended yet'}")
    what = noun(measure, at)
    if state in ("present", "missing"):
        return Clause("had", f"{'a' if state == 'present' else 'no'} recorded {what}", state == "missing")
    word = {"open": "still open"}.get(state, state)
    return Clause("had", f"{a(what)} that is {'not ' if negative else ''}{word}")


# --- other records ---------------------------------------------------------------------------------------------------


@clause.register
def _has(condition: Has, at: At) -> Clause:
    return _had(condition, at, negative=False)


def _had(condition: Has, at: At, *, negative: bool) -> Clause:
    of, often = condition.of, condition.times
    if often is not None:
        return _often(of, often, at, negative=negative)
    if at.unit == PATIENT and (verb := patient_has(of, at, negative=negative)):
        return Clause("verb", verb, negative)
    limited = measured(of) if _limited(of) else None
    held = thing(of, at, head=limited)
    if at.unit not in UNITS:
        said = f"no {held.bare()}" if negative else held.some(at.whose)
        return Clause("whose", f"of patients who had {said}")
    return Clause("had", f"no {held.bare()}" if negative else held.some(at.whose), negative)


def _limited(of: Set) -> bool:
    parts = of.where.of if isinstance(of.where, All) else (of.where,)
    return any(isinstance(each, Test) and each.left == Own("value") for each in parts)


def _often(of: Set, often: Times, at: At, *, negative: bool) -> Clause:
    held = thing(of, at)
    count, behind = spans.how_often(often), spans.often_behind(often)
    many = held.bare(one=often.count == 1)
    if often.of != "times":
        counted = f"different {'day' if often.of == 'days' else 'hospital stay'}{'' if often.count == 1 else 's'}"
        said = f"{held.many()} {'on' if often.of == 'days' else 'in'} {count} {counted}{behind}"
    else:
        said = f"{count} {many}{behind}"
    if negative:
        return Clause("verb", f"did not have {said}", negative=True)
    return Clause("had", said)


@clause.register
def _of(condition: Of, at: At) -> Clause:
    of = condition.of
    inner = thing(of, at)
    if of.unit == PATIENT:
        word = "of" if at.unit in UNITS else "for"
        form: Form = "owner" if inner.named else "whose"
        return Clause(form, f"{word if inner.named else 'of'} {inner.one() if inner.single else inner.many()}")
    if of.unit not in UNITS:
        return Clause("moment", f"among {inner.many()}")
    said = inner.some(_whose(at, of))
    return Clause("verb", f"were {said}") if of.unit == at.unit else Clause("moment", f"during {said}")


def _whose(at: At, of: Set) -> str:
    """What stands before a picked stay of the row's own patient."""
    return "the patient's" if of.unit in UNITS and at.whose == "the" and not owned(of) else at.whose


@clause.register
def _in_answer(condition: InAnswer, at: At) -> Clause:
    if condition.unit == at.unit:
        return Clause("moment", f"in answer A{condition.turn}")
    return Clause("whose", f"of the {plural(spoken(condition.unit))} in answer A{condition.turn}")


# --- time ------------------------------------------------------------------------------------------------------------


@clause.register
def _window(condition: Window, at: At) -> Clause:
    return _timely(spans.window(condition), at)


def _timely(said: str, at: At) -> Clause:
    if at.unit not in (HOSPITAL, ICU):
        return Clause("moment", said)
    return Clause(
        "verb", f"began {said.replace('since ', 'no earlier than ', 1) if said.startswith('since ') else said}"
    )


@clause.register
def _near(condition: Near, at: At) -> Clause:
    return _timely(f"{spans.relation(condition.relation)} {moment(condition.moment, at)}", at)


@clause.register
def _related(condition: Related, at: At) -> Clause:
    event = thing(condition.event, at)
    said = " and ".join(spans.relation(one) for one in condition.relations)
    once = ", once for each," if condition.each and not at.inside else ""
    overlapping = any(one.kind in ("overlapping", "stay", "same") for one in condition.relations)
    text = f"{said} {event.some(_whose(at, condition.event))}{once}"
    return Clause("moment", text) if overlapping else _timely(text, at)
