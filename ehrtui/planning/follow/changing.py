"""Questions that are no whole questions: "and in 2104?", "only the women", "median?", "aspirin instead?"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Among,
    AnyOf,
    Condition,
    Groups,
    Has,
    Interval,
    Is,
    Not,
    Of,
    Order,
    Own,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
    Whether,
)
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.follow.after_picking import limited_after_picking
from ehrtui.planning.follow.contrasting import beside, narrows, of_others, tells_figures, turned_round
from ehrtui.planning.follow.durations import in_unit_of, unit_of_time
from ehrtui.planning.follow.exchanging import told_anew
from ehrtui.planning.follow.extremes import TURNED, other_end
from ehrtui.planning.follow.lifting import LIFTED, lifted
from ehrtui.planning.follow.listed import is_named, is_of_list
from ehrtui.planning.follow.recounting import RECOUNTED, as_percent, in_unit, is_count, of_several
from ehrtui.planning.follow.statements import with_main
from ehrtui.planning.follow.subject import Subject, subject_of
from ehrtui.planning.reader.asking import Asked
from ehrtui.planning.reader.care_units import began_on
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.keys import keyed, keys_of
from ehrtui.planning.reader.meanings import (
    FUNCTIONS,
    Event,
    Trait,
    every,
    limited,
    maybe,
    parts_of,
    plain,
    unit_of,
    values_of,
)
from ehrtui.planning.reader.traits import death, having, is_rate, trait_of
from ehrtui.schema.kinds import kind_of

_IDLE = {"and": 0.0, "list": 0.0, "relation": 0.1, "or": 0.4, "pronoun": 0.2, "by": 0.6, "distinct": 0.1, "ask": 0.6,
         "negation": 2.5, "compare": 0.1, "number": 1.5, "count": 0.8, "people": 0.2, "stays": 0.4,
         "field": 0.8}  # fmt: skip
EXCHANGED = "exchanged"
"""What a reading was paid for that puts a value in the place of the one that records were told by."""
OF_OTHERS = "of others"
"""What a reading was paid for that asks the same figure of others."""
OTHER_TIME = "other time"
"""What a reading was paid for that puts a time in the place of one that an answer before the latest was of."""
OTHER_STAY = "other stay"
"""What a reading was paid for that asks the same of another stay of a patient: "and in the last one?"."""
OVER_TOTALS = "over totals"
"""What a reading was paid for that takes a number over those that were told of each patient."""
OF_OTHERS_TOO = "of others too"
"""What a reading was paid for that may as well be of both: "and aspirin", after the number of those on another drug."""
_DIED_THEN = "hospital death"
"""The attribute by which it is told of a stay that somebody died in it."""
_DEATH = Has(Set("death"))
_GOING_ON = Is(Own("end time"), "missing")
"""What is so of the stay that goes on."""
_PART_OF_ITSELF = 1.0
"""What it costs to compare a figure with that of some of the same."""
_UNCOUNTED = 1.2
"""What it costs more that nothing is counted, though it is asked how many there are."""
_ROUND = 5
"""Years that people say as limits are mostly multiples of it."""
_YOUNGEST, _OLDEST = 15, 110
"""Years: another number that stands without a word for the age is no age."""


def changed(
    context: Context,
    cover: Sequence[Node],
    earlier: Statement,
    subjects: Mapping[int, Subject],
    unfolded: Callable[[Statement], Statement | None],
) -> Iterator[Asked]:
    """The latest statement with what the pieces of a cover change in it; nothing where they change nothing. What they
    may point at besides are the `subjects` of the turns; `unfolded` gives a statement without the answers that it
    points at."""
    frame = Frame(context, cover, "")
    statement, why = earlier, list[str]()
    if (freed := lifted(frame, earlier, _field)) is not None:
        yield Asked(freed, 0.1, ("changed", LIFTED))
        return
    if (turned := other_end(frame, earlier)) is not None:
        yield Asked(turned, 0.1, ("changed", TURNED))
        return
    timed, spans = partial(_window, unfolded=unfolded), partial(_times, unfolded=unfolded)
    for change in (of_several, partial(as_percent, subjects=subjects), in_unit, _grouped, spans):
        made = change(frame, statement)
        if made is not None:
            statement, why = made, [*why, RECOUNTED]
    others, group = partial(_events, unfolded=unfolded), partial(_group, unfolded=unfolded)
    traits = partial(_traits, unfolded=unfolded)
    for change in (
        _function,
        _person,
        timed,
        _kind,
        _growth,
        _values,
        others,
        group,
        traits,
        _limits,
        _number,
        _picked,
    ):
        before = frame.pieces.used.copy()
        made = None if change is group and RECOUNTED in why else change(frame, statement)
        if made is None and change is others:
            frame.pieces.used = before  # what is changed nowhere was not read
        if made is not None:
            statement, why = made, [*why, EXCHANGED if change is _values else "changed"]
            why += [OTHER_TIME] if change is timed and not _has_window(earlier) else []
            why += [OTHER_STAY] if change is _picked and stay_picked(earlier) is not None else []
            why += [RECOUNTED] if change is _growth and is_count(earlier) else []
            why += (
                [OVER_TOTALS]
                if change is _function and isinstance(earlier, Groups) and isinstance(made, Single)
                else []
            )
            if change in (others, group) or (change is traits and of_others(context.lexed.words)):
                said = of_others(context.lexed.words) or not is_count(earlier)
                why += [OF_OTHERS if said else OF_OTHERS_TOO] if tells_figures(earlier) else []
    if not why or statement == earlier:
        return
    cost = sum(_IDLE.get(node.kind, 1.6) for node in frame.pieces.left())
    if frame.pieces.of("count") and not is_count(statement):
        cost += _UNCOUNTED
    both = beside(context.lexed.words, earlier, statement)
    if both != statement and narrows(earlier, statement):
        cost += _PART_OF_ITSELF
    yield Asked(both, cost + 0.3, tuple(why))


# --- what is reckoned ---


def _function(frame: Frame, statement: Statement) -> Statement | None:
    """ "Median?": another number over the same values."""
    if not frame.functions:
        return None
    said = [node for node in frame.functions if not _is_denied(frame, node)]
    functions = [one for node in said for one in FUNCTIONS[node.sense]]
    frame.pieces.use(
        *frame.functions, *(node for node in frame.pieces.of("negation") if len(said) < len(frame.functions))
    )
    if not functions:
        return None
    match statement:
        case Single(columns=columns) if all(isinstance(one, Aggregate) and _is_of_values(one) for one in columns):
            first = cast(Aggregate, columns[0])
            return Single(tuple(replace(first, function=one, argument=None) for one in functions))
        case Groups(by=(Own("patient"),), columns=(number,)) if number.function in ("count", "distinct", "sum"):
            totals = replace(statement, order=None)
            return Single(tuple(Aggregate(one, totals) for one in functions))
        case Groups(columns=columns) if _is_of_values(columns[0]):
            others = [one for one in columns[1:] if one.measure is None]  # how many there are is told still
            changed = [replace(columns[0], function=one) for one in functions]
            return replace(statement, columns=(*changed, *others), order=None)
        case Rows(of=of, columns=columns):
            numbers = [one for one in columns if one not in (Own("id"), Own(PATIENT), Own("time"), Own("name"))]
            if numbers:
                return Single(tuple(Aggregate(one, replace(of, pick=None), numbers[-1]) for one in functions))
    return None


def _is_denied(frame: Frame, node: Node) -> bool:
    """True for the number that another takes the place of: "the median, not the mean", "maximum instead of mean"."""
    before = [word for word in frame.context.before(node, 3) if word != "the"]
    return before[-1:] == ["not"] or before[-2:] in (["instead", "of"], ["rather", "than"])


def _is_of_values(number: Aggregate) -> bool:
    """True for a number over values, and no share of rows."""
    return number.measure is not None and number.function not in ("share", "percent")


def _grouped(frame: Frame, statement: Statement) -> Statement | None:
    """ "By gender": the same number for each group."""
    keys = keys_of(frame)
    if not keys:
        return None
    match statement:
        case Single(columns=(Aggregate(of=Set() as of) as number,)):
            if of.unit == PATIENT and number.function == "count":
                from ehrtui.planning.reader.keys import grouped

                return grouped(frame, of, keys, replace(number, of=None))
            return Groups(of, keyed(frame, keys, of), (replace(number, of=None),))
        case Single(columns=(Aggregate(of=Set() as of), *_) as columns) if len(columns) > 1:
            numbers = [one for one in columns if isinstance(one, Aggregate) and one.of == of]
            if len(numbers) < len(columns) or of.unit == PATIENT:
                return None
            return Groups(of, keyed(frame, keys, of), tuple(replace(one, of=None) for one in numbers))
        case Groups(of=of):
            return replace(statement, by=keyed(frame, keys, of), order=None)
        case Rows(of=of):
            from ehrtui.planning.reader.keys import grouped

            return grouped(frame, of, keys, Aggregate("count", None))
    return None


# --- of whom and when ---


def _person(frame: Frame, statement: Statement) -> Statement | None:
    """ "And 10045?": another patient."""
    if frame.who is None:
        return None
    new = next((part for part in parts_of(frame.who.of.where) if isinstance(part, Among)), None)
    if new is None:
        return None

    def swap(node: object) -> object:
        if isinstance(node, Set) and node.unit == PATIENT:
            parts = [new if _names(part) else part for part in parts_of(node.where)]
            return replace(node, where=every(parts) if parts else None)
        return node

    changed_ = mapped(statement, swap)
    return changed_ if changed_ != statement else None


def _names(condition: Condition) -> bool:
    return isinstance(condition, Among) and condition.measure == Own("id")


def _window(frame: Frame, statement: Statement, unfolded: Callable[[Statement], Statement | None]) -> Statement | None:
    """ "And in 2104?": another time, in the place of the earlier one, be it one of an answer that is pointed at, by
    which the `unfolded` statement tells of it."""
    nodes = frame.pieces.take("window")
    if not nodes:
        return None
    windows = tuple(window for node in nodes for window in node.sense)
    found = [node for node in walk(statement) if isinstance(node, Window)]
    if not found and (whole := unfolded(statement)) is not None:
        statement, found = whole, [node for node in walk(whole) if isinstance(node, Window)]
    if found:
        first = found[0]

        def swap(node: object) -> object:
            if isinstance(node, All) and first in node.of:
                rest = [part for part in node.of if not isinstance(part, Window)]
                return All((*rest, *windows))
            return windows[0] if node == first and len(windows) == 1 else node

        return mapped(statement, swap)
    return with_main(statement, lambda of: _timed(of, windows))


def _timed(of: Set, windows: tuple[Window, ...]) -> Set:
    if of.unit != PATIENT:
        return limited(of, *windows)
    parts = list(parts_of(of.where))
    for at in range(len(parts) - 1, -1, -1):
        part = parts[at]
        if isinstance(part, Has) and part.of.unit != PATIENT:
            parts[at] = replace(part, of=limited(part.of, *windows))
            return replace(of, where=every(parts))
    return limited(of, Has(Set(HOSPITAL, (), every(list(windows)))))


# --- what is it about ---


def _kind(frame: Frame, statement: Statement) -> Statement | None:
    """ "Procedures instead of drugs": records of another kind, at the same times."""
    nodes = [node for node in frame.pieces.of("event") if node.sense.noun and node.sense.of.where is None]
    if not nodes or "instead" not in frame.context.lexed.words:
        return None
    frame.pieces.use(*nodes)
    unit = unit_of(nodes[0].sense.role)
    left = unit_of(nodes[1].sense.role) if len(nodes) > 1 else ""

    def swap(node: object) -> object:
        if not isinstance(node, Set) or node.unit in (*UNITS, unit) or (left and node.unit != left):
            return node
        times = [part for part in parts_of(node.where) if isinstance(part, Window | Of)]
        return replace(node, unit=unit, items=(), where=every(times) if times else None)

    return mapped(statement, swap)


def _growth(frame: Frame, statement: Statement) -> Statement | None:
    """ "How many were positive?": those of the cultures in which something grew, or nothing did."""
    nodes = frame.pieces.of("growth")
    grown = [node for node in walk(statement) if isinstance(node, Set) and kind_of(node.unit).grown]
    if len(nodes) != 1 or len({*grown}) != 1 or grown[0].pick is not None:
        return None
    frame.pieces.use(*nodes, *(frame.pieces.of("count") if is_count(statement) else ()))
    growth = [frame.world.growth(sense) for sense in ("present", "missing")]
    kept = [part for part in parts_of(grown[0].where) if part not in growth]
    new = replace(grown[0], where=every([*kept, frame.world.growth(nodes[0].sense)]))
    return mapped(statement, lambda node: new if node == grown[0] else node)


def _values(frame: Frame, statement: Statement) -> Statement | None:
    """ "And to ampicillin?", "klebsiella?": another value in the place of the one that records were told by."""
    made = statement
    for node in frame.pieces.of("trait"):
        trait: Trait = node.sense
        if trait.negated or not trait.role or not trait.field:
            continue
        told = values_told(made, trait)
        if len(told) == 1:
            frame.pieces.use(node)
            made = _exchanged(made, told.pop(), trait.condition)
    return made if made != statement else None


def values_told(statement: Statement, trait: Trait) -> set[Condition]:
    """What a statement demands of the attribute of a trait, of records of the same role."""
    unit = unit_of(trait.role)
    return {
        part
        for node in walk(statement)
        if isinstance(node, Set) and node.unit == unit and unit not in UNITS
        for part in _conditions(node.where)
        if part != trait.condition and _is_value_of(part, trait.field)
    }


def _conditions(where: Condition | None) -> Iterator[Condition]:
    for part in parts_of(where):
        yield part
        if isinstance(part, All):
            yield from part.of


def _is_value_of(part: Condition, field: str) -> bool:
    return isinstance(part, Test | Among) and _field(part) == field and bool(values_of(part))


def _exchanged(statement: Statement, old: Condition, new: Condition) -> Statement:
    return mapped(statement, lambda node: new if node == old else node)


def _events(frame: Frame, statement: Statement, unfolded: Callable[[Statement], Statement | None]) -> Statement | None:
    """ "Aspirin?", "urine instead", "and for those with gout?": other records in the place of those of the same kind,
    be they those of an answer that the statement points at; else one condition more."""
    nodes = [node for node in frame.pieces.of("event") if not (node.sense.noun and node.sense.of.where is None)]
    if not nodes:
        return None
    frame.pieces.use(*nodes)
    event: Event = nodes[0].sense
    more = bool(
        {"also", "too", "both", "with", "had", "got", "whose", "who", "given", "only", "without", "those", "them"}
        & set(frame.context.lexed.words)
    )
    if tells_figures(statement) and of_others(frame.context.lexed.words):
        more = False
    if (unit_said := began_on(event.of, frame.world)) and (elsewhere := told_anew(statement, unit_said)) is not None:
        return elsewhere  # "and the SICU?", after ICU stays on another unit
    unit = unit_of(event.role)
    sets = _named_sets(statement, unit)
    if not (sets or more) and tells_figures(statement) and _names_records(statement):
        return _instead(frame, statement, event)
    if not (sets or more) and tells_figures(statement) and (whole := unfolded(statement)) is not None:
        statement, sets = whole, _named_sets(whole, unit)
    if not (sets or more) and (summed := _summed(statement, event)) is not None:
        return summed
    if sets and not more:
        old = sets[-1]

        def swap(node: object) -> object:
            return (
                replace(old, items=event.of.items, where=_without_values(old.where, event.of.where))
                if node == old
                else node
            )

        return mapped(statement, swap)
    if not more:
        return _instead(frame, statement, event)
    conditions = [having(node.sense) for node in nodes]
    return with_main(statement, lambda of: limited(of, *_bearing(of, conditions)))


def _names_records(statement: Statement) -> bool:
    """True where what is told of those of a statement are named records, whatever else an answer that it points at
    tells."""
    return any(isinstance(node, Has) and is_named(node.of) for node in walk(statement))


def _named_sets(statement: Statement, unit: str) -> list[Set]:
    """The records of a kind that are told by their names in a statement."""
    return [node for node in walk(statement) if isinstance(node, Set) and node.unit == unit and is_named(node)]


def _instead(frame: Frame, statement: Statement, event: Event) -> Statement | None:
    """ "And a CT scan?", after the patients with an X-ray: records of another kind in the place of the only ones that
    are named."""
    had = [node for node in walk(statement) if isinstance(node, Has) and node.of.unit not in UNITS]
    if len(had) != 1 or frame.functions or frame.superlatives or event.of.pick is not None:
        return None
    times = [part for part in parts_of(had[0].of.where) if isinstance(part, Window)]
    new = replace(had[0], of=limited(event.of, *times))
    return mapped(statement, lambda node: new if node == had[0] else node)


def _summed(statement: Statement, event: Event) -> Statement | None:
    """ "And urine?", after how much came out: how much of it did, at the same time."""
    if not isinstance(statement, Single) or event.of.pick is not None or not kind_of(event.role).flow:
        return None
    sums = [node for node in walk(statement) if isinstance(node, Aggregate) and node.function == "sum"]
    flows = [node for node in sums if isinstance(node.of, Set) and kind_of(node.of.unit.replace(" ", "_")).flow]
    if not flows or len(flows) < len(sums):
        return None
    same = next((node for node in flows if isinstance(node.of, Set) and node.of.unit == event.of.unit), flows[0])
    told = [part for part in parts_of(cast(Set, same.of).where) if isinstance(part, Window | Of)]
    return Single((replace(same, of=limited(event.of, *told)),))


def _without_values(where: Condition | None, further: Condition | None) -> Condition | None:
    """The conditions of the earlier records, but for what was said of their values, which are of another kind now."""
    new = list(parts_of(further))
    told = [part for part in parts_of(where) if not is_of_list(part)]
    kept = [part for part in told if not (_of_value(part) and any(_of_value(one) for one in new))]
    parts = [*kept, *(part for part in new if part not in kept)]
    return every(parts) if parts else None


def _of_value(condition: Condition) -> bool:
    return isinstance(condition, Test) and condition.left == Own("value")


def _bearing(of: Set, conditions: Sequence[Condition]) -> list[Condition]:
    """Conditions of patients or stays, for the rows of a set."""
    if of.unit in UNITS:
        return list(conditions)
    return [Of(Set(PATIENT, (), one)) for one in conditions]


def _group(frame: Frame, statement: Statement, unfolded: Callable[[Statement], Statement | None]) -> Statement | None:
    """ "And for patients with gout?", after a figure of those with asthma: of others, told by the records of the same
    kind, or by the only ones that the earlier were told by."""
    words = frame.context.lexed.words
    told = parts_of(frame.group.where) if frame.group else []
    if not (tells_figures(statement) and of_others(words)) or len(told) != 1:
        return None
    new = told[0]
    records = new.of if isinstance(new, Not) else new
    if frame.pieces.of("trait", "dead") or not isinstance(records, Has) or not is_named(records.of):
        return None
    whole = unfolded(statement) or statement
    had = {node for node in walk(whole) if isinstance(node, Has) and is_named(node.of) and node.times is None}
    kin = {node for node in had if node.of.unit == records.of.unit}
    whom = "patients" in words or "people" in words
    old = next(iter(kin)) if len(kin) == 1 else next(iter(had)) if len(had) == 1 and whom else None
    if old is None or old == records:
        return None
    frame.group = None
    return mapped(whole, lambda node: new if node == old else node)


def _traits(frame: Frame, statement: Statement, unfolded: Callable[[Statement], Statement | None]) -> Statement | None:
    """ "Only the women", "emergency ones only", "who died": in the place of what was said of the same attribute."""
    pieces = frame.pieces
    conditions: list[tuple[str, Condition, Trait | None]] = []
    about = subject_of(0, statement)
    of_stays = about is not None and about.unit == HOSPITAL
    for part in parts_of(frame.group.where if frame.group else None):
        if of_stays and part in (_DEATH, Not(_DEATH)):
            then = Test(Own("hospital death"), "=", Value(int(part == _DEATH)))
            conditions.append((_DIED_THEN, then, None))
        else:
            conditions.append((_field(part), part, None))
    for node in pieces.take("trait"):
        conditions.append((node.sense.field, trait_of(frame.context, node.sense), node.sense))
    for node in pieces.of("dead"):
        if is_rate(frame.context, node):
            return None  # "mortality?": a share of them
        pieces.use(node)
        there = of_stays and not _went_elsewhere(statement)
        condition = death(frame.context, node.sense, HOSPITAL if there else PATIENT)
        if condition is not None:
            conditions.append((_DIED_THEN if there else "dead", condition, None))
    rest: list[tuple[str, Condition, Trait | None]] = []
    turned = statement
    for one in conditions:
        opposite = turned_round(turned, one[1], frame.world) or told_anew(turned, one[1])
        if opposite is None and (whole := unfolded(turned)) is not None:
            opposite = turned_round(whole, one[1], frame.world) or told_anew(whole, one[1])
        turned, rest = (opposite, rest) if opposite is not None else (turned, [*rest, one])
    if not rest:
        return turned if conditions else None

    def narrowed(of: Set) -> Set:
        for name, condition, trait in rest:
            one = condition
            if (name == _DIED_THEN and of.unit == HOSPITAL) or _tells_its_records(of, condition):
                pass
            elif of.unit in UNITS and of.unit != PATIENT:
                one = trait.condition if trait is not None and "stay" in trait.of else Of(Set(PATIENT, (), condition))
            elif of.unit not in UNITS:
                one = (
                    trait.condition
                    if trait is not None and trait.role == of.unit.replace(" ", "_")
                    else Of(Set(PATIENT, (), condition))
                )
            kept = [part for part in parts_of(of.where) if not (name and _field(part) == name)]
            of = replace(of, where=every([*kept, one]))
        return of

    return with_main(turned, narrowed)


def _went_elsewhere(statement: Statement) -> bool:
    """True for stays of which it is said where people were discharged to: those who died then died later."""
    return any(isinstance(node, Test) and node.left == Own("discharge location") for node in walk(statement))


def _tells_its_records(of: Set, condition: Condition) -> bool:
    """True for something told of records of the kind that stays are told by: "IV only", of those with a drug."""
    if of.unit not in UNITS or of.unit == PATIENT:
        return False
    had = {part.of.unit for part in parts_of(of.where) if isinstance(part, Has)}
    return isinstance(condition, Has) and condition.of.unit not in UNITS and condition.of.unit in had


def _field(condition: Condition) -> str:
    """The attribute that a condition is about; "" where it is about none."""
    match condition:
        case Test(left=Own(field=name)) | Among(measure=Own(field=name)) | Is(measure=Own(field=name)):
            return name
        case Not(of=of):
            return _field(of)
        case AnyOf(of=(first, *_)) | All(of=(first, *_)):
            return _field(first)
        case Has(of=Set(where=where)) if where is not None:
            return _field(where)
        case Of(of=Set(where=where)) if where is not None:
            return _field(where)
    return ""


def _times(frame: Frame, statement: Statement, unfolded: Callable[[Statement], Statement | None]) -> Statement | None:
    """ "Make it 7 days", "and less than a day?": another number, or limit, for the only length of time that is
    compared, be it in an answer that is pointed at, by which the `unfolded` statement tells of it."""
    limits = [node for node in frame.pieces.of("limit") if node.sense.unit]
    spans = [node for node in frame.pieces.of("span") if not node.sense.bound]
    tests = [node for node in walk(statement) if isinstance(node, Test) and unit_of_time(node.left)]
    if len(limits) + len(spans) == 1 and not tests and (whole := unfolded(statement)) is not None:
        statement = whole
        tests = [node for node in walk(whole) if isinstance(node, Test) and unit_of_time(node.left)]
    if len(limits) + len(spans) != 1 or len(tests) != 1:
        return None
    old = tests[0]
    said = limits[0].sense.tests if limits else ((old.relation, spans[0].sense.count),)
    unit = (*limits, *spans)[0].sense.unit
    left = replace(old.left, unit=unit) if isinstance(old.left, Interval) else old.left
    values = [in_unit_of(count, unit, unit_of_time(left)) for _, count in said]
    new = [Test(left, sign, value) for (sign, _), value in zip(said, values, strict=True) if value is not None]
    if len(new) != len(said):
        return None
    frame.pieces.use(*limits, *spans)
    return mapped(statement, lambda one: every(new) if one == old else one)


def _limits(frame: Frame, statement: Statement) -> Statement | None:
    """ "Just the ones under 90": another limit on the same values."""
    nodes = [node for node in frame.pieces.of("limit") if not node.sense.unit]
    if not nodes:
        return None
    limit = nodes[0].sense
    tests: list[Condition] = [Test(Own("value"), sign, Value(plain(number))) for sign, number in limit.tests]
    if not any(isinstance(node, Set) and _has_values(node) for node in walk(statement)):
        return _aged(frame, statement, nodes[0])
    frame.pieces.use(*nodes[:1])
    old = [
        node
        for node in walk(statement)
        if isinstance(node, Set) and any(_of_value(part) for part in parts_of(node.where))
    ]
    if old:
        target = old[-1]
        kept = [part for part in parts_of(target.where) if not _of_value(part)]
        new = replace(target, where=every([*kept, *tests]))
        return mapped(statement, lambda node: new if node == target else node)
    measured = [node for node in walk(statement) if isinstance(node, Set) and node.unit not in UNITS and node.items]
    if measured and measured[0].pick is None:
        target = measured[0]
        return mapped(statement, lambda node: limited(target, *tests) if node == target else node)
    if isinstance(statement, Rows) and len(statement.columns) > 1:
        number = statement.columns[-1]
        conditions = [Test(number, sign, Value(plain(count))) for sign, count in limit.tests]
        picked = limited_after_picking(statement.of, conditions)
        return None if picked is None else replace(statement, of=picked)
    return None


def _has_values(of: Set) -> bool:
    """True for records that are measured, or whose value is compared."""
    role = of.unit.replace(" ", "_")
    return of.unit not in UNITS and (kind_of(role).limited or any(_of_value(part) for part in parts_of(of.where)))


def _aged(frame: Frame, statement: Statement, node: Node) -> Statement | None:
    """ "Over 65 only": years, where nothing that is named has values."""
    if isinstance(statement, Rows) and len(statement.columns) > 1:
        return None
    numbers = [number for _, number in node.sense.tests]
    if not all(_YOUNGEST <= number <= _OLDEST for number in numbers):
        return None
    frame.pieces.use(node)
    condition = frame.world.of_age(*node.sense.tests)
    if (turned := told_anew(statement, condition)) is not None:
        return turned  # nobody is both over and under it
    if isinstance(statement, Single) and of_others(frame.context.lexed.words):
        known = {part for node in walk(statement) if isinstance(node, Set) for part in parts_of(node.where)}
        own = {part for part in known if isinstance(part, Test) and part.left == Own("age")}
        ages = {part for part in known if _field(part) == "age" and type(part) is type(condition)} - own
        if len(own) == 1 and not ages:  # of the stay itself
            told = every([Test(Own("age"), sign, Value(plain(number))) for sign, number in node.sense.tests])
            return mapped(statement, lambda one: told if one in own else one)
        if len(ages) == 1:
            old = ages.pop()
            return mapped(statement, lambda one: condition if one == old else one)
    return with_main(statement, lambda of: limited(of, *_bearing(of, [condition])))


def _number(frame: Frame, statement: Statement) -> Statement | None:
    """ "Make it 5", "5 instead": another number for the only one that is compared."""
    nodes = frame.pieces.of("number")
    tests = {node for node in walk(statement) if isinstance(node, Test) and _is_plain_number(node.right)}
    left = len(frame.pieces.left())
    replaced = len(nodes) == 2 and {*frame.context.before(nodes[1], 1)} & {"of", "not", "than"} != set()
    if not (len(nodes) == 1 or replaced) or len(tests) != 1 or left > len(nodes):
        return None
    frame.pieces.use(*nodes)
    old = tests.pop()
    new = replace(old, right=Value(plain(nodes[0].sense + _beyond(old))))
    return mapped(statement, lambda node: new if node == old else node)


def _beyond(test: Test) -> int:
    """How far the years that a test has lie from those that were said: "over 65" is from 66 on."""
    if test.left != Own("age") or not isinstance(test.right, Value) or not isinstance(test.right.value, int):
        return 0
    step = {">=": 1, "<=": -1}.get(test.relation, 0)
    return step if step and (test.right.value - step) % _ROUND == 0 else 0


def _is_plain_number(right: object) -> bool:
    return isinstance(right, Value) and isinstance(right.value, int | float)


def _has_window(statement: Statement) -> bool:
    return any(isinstance(node, Window) for node in walk(statement))


def stay_picked(statement: Statement) -> Set | None:
    """The stay, by its place among a patient's or as the one that goes on, that a statement is about."""
    stays = (node for node in walk(statement) if isinstance(node, Set) and node.unit in (HOSPITAL, ICU))
    return next((of for of in stays if (of.pick is not None and of.pick.by is None) or _goes_on(of)), None)


def _goes_on(of: Set) -> bool:
    return of.pick is None and _GOING_ON in parts_of(of.where)


def _picked(frame: Frame, statement: Statement) -> Statement | None:
    """ "And the last one?"; "top 3"."""
    nodes = frame.pieces.of("pick")
    sets = [node for node in walk(statement) if isinstance(node, Set) and node.unit != PATIENT]
    whether = isinstance(statement, Single) and any(isinstance(one, Whether) for one in statement.columns)
    if nodes and sets and not whether:  # whether there is one, or a first one, is the same
        ones = [node for node in frame.pieces.of("number") if frame.context.lexed.words[node.start] == "one"]
        frame.pieces.use(*nodes[:1], *ones)
        nth = int(nodes[0].sense)
        target = stay_picked(statement) or sets[0]
        rest = maybe([part for part in parts_of(target.where) if not (part == _GOING_ON and _goes_on(target))])
        new = replace(target, where=rest, pick=Pick(abs(nth), None, nth < 0))
        return mapped(statement, lambda node: new if node == target else node)
    if frame.most and isinstance(statement, Groups):
        numbers = frame.pieces.of("number")
        frame.pieces.use(*frame.most, *numbers)
        first = int(numbers[0].sense) if numbers else 1
        return replace(statement, order=Order(statement.columns[0], frame.most[0].sense == "most", first))
    return None
