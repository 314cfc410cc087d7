"""A statement as text: one canonical form, which `parse` reads back."""

from __future__ import annotations

import json

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Age,
    Aggregate,
    All,
    Among,
    Answer,
    AnyOf,
    Arms,
    Attrition,
    Band,
    Characteristics,
    Cohort,
    Combined,
    Condition,
    Difference,
    Groups,
    Has,
    Histogram,
    InAnswer,
    Interval,
    Is,
    Item,
    Like,
    Listing,
    Math,
    Meaning,
    Measure,
    Mortality,
    Named,
    Near,
    Neighbour,
    Not,
    Of,
    Off,
    Order,
    Overlap,
    Own,
    PartOf,
    Pick,
    Picked,
    Prevalence,
    Related,
    Relation,
    Rows,
    Scalar,
    Set,
    Single,
    Standing,
    Statement,
    Summary,
    Survival,
    Test,
    Times,
    TimeTo,
    Value,
    Whether,
    Workflow,
)
from ehrtui.logic.model import Window
from ehrtui.logic.render import render_window
from ehrtui.logic.words import ORDINALS

_BELONGING = {PATIENT: "for", HOSPITAL: "during", ICU: "during"}
"""The word before whom or what a row belongs to; records are among others of their kind."""
_COMPARED = {">=": "at least", "=": "exactly", "<=": "at most"}


def render_statement(statement: Statement) -> str:
    """One line of text that reads back as the same statement."""
    match statement:
        case Rows():
            return _rows(statement)
        case Groups(of=of, by=by, columns=columns, having=having, order=order):
            numbers = ", ".join(head_text(one) for one in columns)
            keys = ", ".join(map(measure_text, by))
            kept = f" having {condition_text(having, bare=True)}" if having is not None else ""
            shown = f" showing {statement.asked}" if statement.asked != "all" else ""
            return f"{numbers} of {set_text(of)} by {keys}{kept}{order_text(order)}{shown}"
        case Single(columns=(Picked(measure=Own() as field, of=of),)):
            return f"{measure_text(field)} of {_nested(of, closed=True)}"  # bare, it would list a field of all the rows
        case Single(columns=columns):
            return ", ".join(map(measure_text, columns))
        case Answer(turn=turn, nth=nth, column=column, order=order, first=first):
            picked = f"row {nth} of A{turn}" if nth is not None else f"rows of A{turn}"
            sort = f" ordered{f' by column {_text(column)}' if column else ''} {order}" if order else ""
            return f"{picked}{sort}{f' first {first}' if first is not None else ''}"
        case Combined(left=left, operator=operator, right=right):
            return f"({render_statement(left)}) {operator} ({render_statement(right)})"
        case Standing(value=value, measure=measure, of=of):
            return f"standing of {value!r} in {_inner(measure)} of {set_text(of)}"
        case Survival(count=count, unit=unit, of=of, then=then, died=died):
            after = f" then {_nested(then)}" if then is not None else ""
            return f"{'mortality' if died else 'survival'} over {span_text(count, unit)} after {_nested(of)}{after}"
        case Mortality(top=top, count=count, unit=unit, of=of):
            return f"top {top} {_nested(of)} by mortality over {span_text(count, unit)}"
        case Difference(number=number, left=left, right=right):
            return f"difference of {head_text(number)} between ({set_text(left)}) and ({set_text(right)})"
        case Meaning(name=name):
            return f"meaning of {_text(name)}"
        case _:
            return _workflow(statement)


def _workflow(statement: Workflow) -> str:
    """What is asked of cohorts."""
    match statement:
        case Listing(of=of, lacking=None):
            return f"list of {_nested(of)}"
        case Listing(of=of, lacking=lacking):
            assert lacking is not None
            return f"to do for {_nested(of)} lacking {_nested(lacking)}"
        case Summary(of=of):
            return f"summary of {_nested(of)}"
        case Arms(of=of, columns=columns):
            return f"{', '.join(map(head_text, columns))} of each of {_cohorts(of)}"
        case Characteristics(of=of, more=more):
            return f"table 1 of {_cohorts(of)}" + (f": {', '.join(map(measure_text, more))}" if more else "")
        case Histogram(measure=measure, of=of, width=width):
            bands = f" in bands of {width:g}" if width is not None else ""
            return f"histogram{bands} of {_inner(measure)} of {_nested(of)}"
        case Prevalence(condition=condition, of=of, by=by, least=least):
            keys = f" by {', '.join(map(measure_text, by))}" if by else ""
            hidden = f" hiding below {least}" if least else ""
            return f"prevalence of ({condition_text(condition, bare=True)}) in {_nested(of)}{keys}{hidden}"
        case TimeTo(of=of, event=event, start=start, until=until, unit=unit, within=within):
            span = f" within {within:g}" if within is not None else ""
            moments = f"{_inner(event)} from {_inner(start)} until {_inner(until)}"
            return f"time to {moments} in {unit}s{span} of {_cohorts(of)}"
        case Attrition(of=of, steps=steps):
            return " then ".join([f"attrition of {_nested(of)}", *(condition_text(one) for one in steps)])
        case Overlap(left=left, right=right):
            return f"overlap of {cohort_text(left)} and {cohort_text(right)}"


def _cohorts(cohorts: tuple[Cohort, ...]) -> str:
    return ", ".join(map(cohort_text, cohorts))


def cohort_text(cohort: Cohort) -> str:
    """A set in parentheses, with what it is called."""
    named = f" as {_text(cohort.name)}" if cohort.name else ""
    return f"({set_text(cohort.of)}){named}"


def _rows(statement: Rows) -> str:
    order = order_text(statement.order)
    if statement.columns == (Own("id"),) and statement.of.unit in UNITS and not statement.distinct:
        return set_text(statement.of) + order
    if all(isinstance(one, Own) for one in statement.columns):
        distinct = "distinct " if statement.distinct else ""
        return f"{distinct}{', '.join(map(measure_text, statement.columns))} of {set_text(statement.of)}{order}"
    return each_row_text(statement)


def each_row_text(statement: Rows) -> str:
    """Rows with their measures, in the spelling that no form of query logic has: these demand the fields they show."""
    distinct = "distinct " if statement.distinct else ""
    columns = ", ".join(map(measure_text, statement.columns))
    return f"{distinct}for each {set_text(statement.of, one=True)}: {columns}{order_text(statement.order)}"


def order_text(order: Order | None) -> str:
    """An order behind what it sorts, with a space before it; "" for none."""
    if order is None:
        return ""
    direction = " descending" if order.descending else ""
    by = head_text(order.by) if isinstance(order.by, Aggregate) and order.by.of is None else measure_text(order.by)
    shared = " places" if order.places else " with ties" if order.ties else ""
    first = f" first {order.first}{shared}" if order.first is not None else ""
    return f" ordered by {by}{direction}{first}{' in each' if order.each else ''}"


def head_text(number: Aggregate) -> str:
    """An aggregate over the rows of a group, or the head of any."""
    match number:
        case Aggregate(function="count" | "share"):
            return number.function
        case Aggregate(function="distinct", measure=Own(field=field)) if field in UNITS:
            return f"count {plural(field)}"
        case Aggregate(function="distinct", measure=measure):
            return f"count distinct {_inner(measure)}"
        case Aggregate(function="percent", measure=condition):
            return f"percent ({condition_text(condition, bare=True)})"
        case Aggregate(function="percentile", measure=measure, argument=argument):
            return f"percentile {argument:g} {_inner(measure)}"
    return f"{number.function} {_inner(number.measure)}"


def _inner(measure: object) -> str:
    """A measure where only a word or parentheses may stand."""
    return measure.field if isinstance(measure, Own) else f"({measure_text(measure)})"  # type: ignore[arg-type]


# --- measures --------------------------------------------------------------------------------------------------------


def measure_text(measure: Measure) -> str:
    """A measure as text."""
    match measure:
        case Own(field=field):
            return field
        case Value(value=value):
            return _value(value)
        case Aggregate(of=None):
            return head_text(measure)
        case Aggregate(of=Set() as of):
            return f"{head_text(measure)} of {_nested(of)}"
        case Aggregate(function=function, of=of):
            assert not isinstance(of, Set | None)  # those have their own cases
            argument = f" {measure.argument:g}" if measure.argument is not None else ""
            return f"{function}{argument} over ({render_statement(of)})"
        case Picked(measure=inner, of=of):
            return f"{_inner(inner)} of {_nested(of)}"
        case Interval(unit=unit, start=start, end=end):
            return f"{unit}s from {_operand(start)} to {_operand(end)}"
        case Age(at=at):
            return f"age at {_operand(at)}"
        case Math(operator=operator, left=left, right=right):
            sign = "as percent of" if operator == "%" else operator
            return f"{_operand(left)} {sign} {_operand(right)}"
        case Whether(condition=condition):
            return f"whether ({condition_text(condition, bare=True)})"
        case Neighbour(which=which, measure=inner, of=of):
            return f"{which} {_inner(inner)}" + (f" of {_nested(of)}" if of is not None else "")
        case PartOf(part=part, time=time):
            return f"{part} of {_operand(time)}"
        case Band(measure=inner, width=width, edges=edges):
            kind = f"of {width:g}" if width is not None else ", ".join(f"{edge:g}" for edge in edges)
            return f"bands {kind} of {_operand(inner)}"
        case Named(name=name):
            return f"measure {_text(name)}"
        case _:
            return f"the ({render_statement(measure)})"


def _operand(measure: Measure) -> str:
    return measure_text(measure) if isinstance(measure, Own | Value) else f"({measure_text(measure)})"


# --- sets ------------------------------------------------------------------------------------------------------------


def set_text(of: Set, *, one: bool = False) -> str:
    """A set as text; with `one`, each of its rows."""
    named = " or ".join(_item(item) for item in of.items)
    conditions = of.where.of if isinstance(of.where, All) else (of.where,) if of.where is not None else ()
    ids, rest = "", list(conditions)
    if rest and isinstance(rest[0], Among) and rest[0].measure == Own("id") and of.unit in UNITS:
        ids = ", ".join(_id(value) for value in rest.pop(0).values)  # type: ignore[union-attr]
    single = one or bool(ids) or (bool(named) and of.unit not in UNITS) or (of.pick is not None and not of.pick.through)
    unit = of.unit if single else plural(of.unit)
    behind = [*rest[1:], _per(of.pick)]
    modifiers = [_modifier(one, _goes_on(after)) for one, after in zip(rest, behind, strict=True)] if rest else []
    parts = [_pick(of.pick, of.unit), unit, ids, named, *modifiers, _per(of.pick)]
    return " ".join(part for part in parts if part)


def _goes_on(behind: object) -> bool:
    """True for what would restrict the nearest set before it, not the outermost."""
    return behind != "" and not isinstance(behind, Has) and not (isinstance(behind, Not) and isinstance(behind.of, Has))


def _nested(of: Set, *, closed: bool = False) -> str:
    """A set within a measure: in parentheses where it has conditions, so that these are its own, or where `closed`."""
    text = set_text(of)
    return text if _plain(of) and not closed else f"({text})"


def _plain(of: Set) -> bool:
    return of.where is None or (isinstance(of.where, Among) and of.where.measure == Own("id") and of.unit in UNITS)


def _pick(pick: Pick | None, unit: str) -> str:
    if pick is None:
        return ""
    if pick.by is not None:
        word = "highest" if pick.descending else "lowest"
        by = "" if pick.by == Own("value") else f" ({measure_text(pick.by)})"
        place = f" {pick.nth}" if pick.through else f" {pick.nth}th" if pick.nth > 1 else ""
        return f"{word}{place}{by}"
    if pick.through:
        return f"{'last' if pick.descending else 'first'} {pick.nth}"
    ordinal = ORDINALS[pick.nth - 1] if pick.nth <= len(ORDINALS) else f"{pick.nth}th"
    if pick.descending:
        return "last" if pick.nth == 1 else f"{ordinal} to last"
    return ordinal


def _per(pick: Pick | None) -> str:
    if pick is None:
        return ""
    ties = {True: "with ties", False: "without ties", None: ""}[pick.ties]
    return " ".join(filter(None, [f"per {pick.per}" if pick.per != PATIENT else "", ties]))


def _item(item: Item) -> str:
    return _text(item.text) if item.kind == "name" else f"{item.kind} {_text(item.text)}"


def plural(unit: str) -> str:
    """The plural by which sets of a unit are called."""
    if unit.endswith("sis"):
        return f"{unit[:-2]}es"
    return f"{unit[:-1]}ies" if unit.endswith("y") and unit[-2] not in "aeiou" else f"{unit}s"


def _id(value: Scalar) -> str:
    return str(value) if isinstance(value, int) else _text(str(value))


# --- conditions ------------------------------------------------------------------------------------------------------


def _modifier(condition: Condition, closed: bool = False) -> str:
    """A condition behind the set that it restricts; `closed`, so that what follows does not restrict its own."""
    match condition:
        case Has(of=of, times=times):
            return f"with {_had(of, times, closed=closed)}"
        case Not(of=Has(of=of, times=times)):
            return f"without {_had(of, times, closed=closed)}"
        case Of(of=of):
            return f"{_BELONGING.get(of.unit, 'among')} {_nested(of, closed=closed and of.pick is not None)}"
        case InAnswer() | Near() | Related() | Window():
            return condition_text(condition)
        case AnyOf() | All():
            return f"where ({condition_text(condition, bare=True)})"
    return f"where {condition_text(condition)}"


def condition_text(condition: object, *, bare: bool = False) -> str:
    """A condition; several in parentheses unless `bare`."""
    match condition:
        case All(of=parts) | AnyOf(of=parts):
            word = " and " if isinstance(condition, All) else " or "
            text = word.join(condition_text(one) for one in parts) or "nothing"
            return text if bare else f"({text})"
        case Has() | Not(of=Has()) | Of():
            return _modifier(condition)
        case Not(of=inner):
            return f"not ({condition_text(inner, bare=True)})"
        case Off(of=inner):
            return f"off ({condition_text(inner, bare=True)})"
        case InAnswer(turn=turn, unit=unit):
            return f"in A{turn}" if unit == PATIENT else f"in {plural(unit) if unit in UNITS else unit} of A{turn}"
        case Window():
            return render_window(condition)
        case Like(measure=measure, pattern=pattern):
            return f"{_side(measure)} like {_value(pattern)}"
        case Test(left=left, relation=relation, right=right):
            first = f"({measure_text(left)})" if isinstance(left, Value) else _side(left)  # no item of a set before it
            return f"{first} {relation} {_side(right)}"
        case Among(measure=measure, values=values):
            return f"{_side(measure)} in ({', '.join(map(_value, values))})"
        case Is(measure=measure, state=state):
            return f"{_side(measure)} is {state}"
        case Near(relation=relation, moment=moment):
            said = moment.field if isinstance(moment, Own) else f"({measure_text(moment)})"
            return f"{relation_text(relation)} {said}"
        case Related(event=event, relations=relations, each=each):
            once = " once for each" if each else ""
            return f"{' and '.join(map(relation_text, relations))} ({set_text(event)}){once}"
    return "nothing"


def _side(measure: Measure) -> str:
    """A measure on one side of a comparison."""
    bare = isinstance(measure, Own | Value) or (isinstance(measure, Aggregate | Neighbour) and measure.of is None)
    return measure_text(measure) if bare else f"({measure_text(measure)})"


def _had(of: Set, times: Times | None, *, closed: bool = False) -> str:
    return times_text(times) + _nested(of, closed=closed)


def times_text(times: Times | None) -> str:
    """How often, before what is counted; "" where once is enough."""
    if times is None:
        return ""
    counted = {"times": "", "days": "days of ", "stays": "stays of "}[times.of]
    running = "consecutive " if times.running else ""
    within = f"within {span_text(*times.within)} " if times.within is not None else ""
    return f"{_COMPARED[times.relation]} {times.count} {counted}{running}{within}"


def span_text(count: float, unit: str) -> str:
    """So much time: "1 hour", "2.5 days"."""
    return f"{count:g} {unit}{'' if count == 1 else 's'}"


def relation_text(relation: Relation) -> str:
    """How one time lies to another, without the other."""
    span = span_text(relation.count, relation.unit) if relation.count is not None else ""
    match relation.kind:
        case "after" | "before" as kind:
            return f"{'more than' if relation.beyond else 'within'} {span} {kind}" if span else kind
        case "around":
            return f"{'more than' if relation.beyond else 'within'} {span} {'from' if relation.beyond else 'of'}"
        case "same":
            return f"on the same {relation.unit or 'time'} as"
        case "stay":
            return f"in the same {relation.unit} as"
        case "overlapping":
            return "overlapping"


def _value(value: Scalar) -> str:
    return _text(value) if isinstance(value, str) else repr(value)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
