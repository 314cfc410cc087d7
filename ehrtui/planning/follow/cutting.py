"""The latest answer sorted, cut or limited by a number that it tells: "the top 3 of them", "ascending", "drop groups
with fewer than 20"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Comparison,
    Condition,
    Groups,
    Interval,
    Is,
    Math,
    Measure,
    Order,
    Own,
    Pick,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.follow.after_picking import limited_after_picking
from ehrtui.planning.follow.durations import in_unit_of, unit_of_time
from ehrtui.planning.follow.saying import covers, key_words, outermost
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, limited, plain

_TOP = {"top", "highest", "largest", "biggest", "greatest", "longest", "most", "commonest", "leading", "busiest"}
_BOTTOM = {"bottom", "lowest", "smallest", "least", "shortest", "fewest", "rarest", "quietest"}
_OF_COUNTS = {"busiest", "quietest", "commonest", "rarest", "common", "frequent", "frequently", "often"}
"""Words of an order that is one of how many there are."""
_TURNS = {"reverse", "reversed", "round", "around", "opposite"}
_ENDS = {"top", "bottom"}
"""Words for an end that need a number: "the top 3"."""
_SORTS = {"sort", "sorted", "order", "ordered", "rank", "ranked", "arrange", "arranged"}
_UP = {"ascending", "asc", "increasing", "smallest", "lowest", "shortest", "fewest", "least"}
_NEWEST, _EARLIEST = {"newest", "latest"}, {"earliest"}
_AS_SAID = {"list", "result", "results", "table", "them", "oldest", "youngest", "going", "high", "low"}
_COUNTS = {"counts", "frequencies", "frequency", "numbers", "number", "count"}
_HOW_OFTEN = {
    "how",
    "often",
    "many",
    "times",
    "each",
    "every",
    "did",
    "add",
    "include",
    "their",
    "occur",
    "was",
    "seen",
}
_PATIENTS = {"patients", "people", "pts"}
_HAD_EACH = {"how", "many", "each", "had", "have", "got", "get", "received", "did", "underwent", "took", "every"}
_WORST = {"worst", "best", "has", "had", "does", "is"}
_BESIDE = {"common", "frequent", "frequently", "often", "numbers", "number", "count", "counts", "size",
           "value", "values", "entries", "rows", "first", "from", "at", "on", "other", "way", "descending", "desc",
           "decreasing", "ascending", "asc", "increasing", "instead", "length", "duration", "average", "mean",
           "had", "has", "have"}  # fmt: skip
_DROPS = {"drop", "exclude", "excluding", "remove", "without", "ignore", "omit", "discard", "leave", "skip", "hide"}
_LIMITING = {"where", "out", "at", "if", "there", "count", "counts", "number", "value", "figure", "rows",
             "whose", "having", "have", "has", "had", "when", "not", "under", "restrict", "limit", "filter",
             "narrow", "lasting", "result", "results", "whom", "who"}  # fmt: skip
_COUNTED = {"admission": HOSPITAL, "hospitalization": HOSPITAL, "hospitalisation": HOSPITAL, "stay": "", "case": "",
            "record": "", "patient": PATIENT, "person": PATIENT, "entry": "", "visit": HOSPITAL,
            "encounter": HOSPITAL}  # fmt: skip
"""What is counted in a group, by its noun: "with fewer than 10 admissions"."""
_OLD = {"old", "older", "younger", "age", "aged"}
_SAYS_COUNT = {"more", "fewer", "least", "most", "less"}
"""Words of a limit that go with how many there are, rather than with an age."""
_OPPOSITE: dict[Comparison, Comparison] = {">": "<=", "<=": ">", "<": ">=", ">=": "<", "=": "!=", "!=": "="}


def cut(one: Lexed, statement: Statement) -> Statement | None:
    """The answer in another order, or the first so many of it."""
    said = {*one.words}
    if (turned := _turned(one, statement)) is not None:
        return turned
    of_names = isinstance(statement, Rows) and statement.columns == (Own("name"),)
    ranked = said & _OF_COUNTS or ("top" in said and not of_names)
    if ranked and (counted := _names_counted(statement)) is not None:
        statement = counted
    number = numbers_told(statement)
    if number is None or not isinstance(statement, Rows | Groups) or _is_list(statement):
        return None
    if said & _OF_COUNTS and not _is_count(number):
        return None
    counts = [node for node in one.nodes if node.kind == "number" and one.words[node.start] != "one"]
    if said & {"worst", "best"} and isinstance(statement, Groups) and _is_rate(number):
        return (
            _ordered(statement, number, "worst" in said, 1) if covers(one, _WORST | key_words(statement), ()) else None
        )
    spanned = _spanned(one.words)
    if spanned:
        said = (said - _TOP - _BOTTOM - _UP) | (said & _ENDS) | {"descending" if spanned[0] in _TOP else "ascending"}
    if "top" in said and said & {"on", "at"}:
        said = said - {"top", "on"} | {"first"}  # "the highest on top"
    ends, before = said & (_TOP | _BOTTOM), statement.order
    words = _TOP | _BOTTOM | _SORTS | _TURNS | _BESIDE | _UP | key_words(statement)
    limits = any(node.kind == "limit" for node in one.nodes)
    if limits or len(counts) > 1 or not covers(one, words, counts):
        return None
    first = int(counts[0].sense) if counts else None
    if "first" in said and first is None and (ends - _ENDS or before is not None):
        if not ends:
            return None  # "the first": one of them, and not an order
        return _ordered(statement, number, not ends <= _BOTTOM, None)  # "longest first"
    if said & _SORTS or said & {"ascending", "descending", "asc", "desc", "increasing", "decreasing"}:
        descending = not said & (_UP | _BOTTOM)
        return _ordered(statement, number, descending, first)
    if ends:
        both = ends & _TOP and ends & _BOTTOM
        if both or (first is None and ends <= _ENDS):
            return None
        bottom = bool(ends & _BOTTOM)
        if bottom and before is not None and before.first is not None and said & {"them", "these", "those"}:
            return None  # the last of a list that was cut before
        several = said & {"ones", "which"} == {"ones", "which"} and said & _OF_COUNTS
        return _told_fully(one, _ordered(statement, number, not bottom, first or (None if several else 1)))
    if before is not None and "first" in said and first is not None:
        return replace(statement, order=replace(before, first=first))
    if before is not None and said & _TURNS and first is None:
        return replace(statement, order=replace(before, descending=not before.descending))
    return None


def _spanned(words: Sequence[str]) -> tuple[str, str] | tuple[()]:
    """The two ends of "from most to fewest", "highest to lowest": how it is sorted, and no end that is kept."""
    for one, to, other in zip(words, words[1:], words[2:], strict=False):
        if to == "to" and ((one in _TOP and other in _BOTTOM) or (one in _BOTTOM and other in _TOP)):
            return one, other
    return ()


def counts_of_names(one: Lexed, statement: Statement) -> Statement | None:
    """How often each of those was that an answer lists by name: "how often each?", "with counts"."""
    asks = {*one.words} & (_COUNTS | {"often", "many"})
    if not isinstance(statement, Rows) or not asks or not covers(one, _COUNTS | _HOW_OFTEN, ()):
        return None
    if asks <= {"often", "many"} and {"each", "every"}.isdisjoint(one.words):
        return None
    counted = _names_counted(statement)
    return None if counted is None else replace(counted, asked="all")


def patients_of_names(one: Lexed, statement: Statement) -> Statement | None:
    """How many patients had each of those that an answer lists by name: "how many patients had each?"."""
    said = {*one.words}
    if not {"how", "many", "each"} <= said or said.isdisjoint(_PATIENTS) or not covers(one, _PATIENTS | _HAD_EACH, ()):
        return None
    counted = statement if isinstance(statement, Groups) else _names_counted(statement)
    if not isinstance(counted, Groups) or counted.by != (Own("name"),):
        return None
    return replace(counted, columns=(Aggregate("distinct", None, Own(PATIENT)),), asked="all")


def _turned(one: Lexed, statement: Statement) -> Statement | None:
    """ "And the shortest?", after the longest of all: the other end."""
    match statement:
        case Rows(of=Set(pick=Pick(by=by, per="all", nth=1) as pick) as of) if by is not None:
            ages = ({"oldest"}, {"youngest"}) if by == Own("age") else (set[str](), set[str]())
            top, bottom = _TOP | ages[0], _BOTTOM | ages[1]
            ends = {*one.words} & (top | bottom)
            if not ends or not covers(one, top | bottom | {"about", "how", "patient", "stay", "who"}, ()):
                return None
            descending = not ends <= bottom
            if descending == pick.descending or (descending and ends & bottom):
                return None
            return replace(statement, of=replace(of, pick=replace(pick, descending=descending)))
    return None


def _is_list(statement: Rows | Groups) -> bool:
    """True for a list of one thing, the kept rows of which are sorted as they are."""
    return isinstance(statement, Rows) and len(statement.columns) == 1 and statement.order is None


def _names_counted(statement: Statement) -> Groups | None:
    """How often each of the values was that an answer lists, or counts, of records: names of drugs, organisms."""
    match statement:
        case Rows(of=Set(unit=unit, pick=None) as of, columns=(Own("patient"), Own("name"))) if unit not in UNITS:
            return Groups(of, (Own("name"),), (Aggregate("count", None),), asked="keys")
        case Single(columns=(Aggregate("count", Set(unit=unit, items=(), pick=None) as of, None),)):
            return Groups(of, (Own("name"),), (Aggregate("count", None),)) if unit not in UNITS else None
        case Rows(of=Set(unit=unit, pick=None) as of, columns=(Own(field) as name,)) if unit not in UNITS:
            if field.endswith("time") or field in ("id", "value", PATIENT):
                return None
            known = of if name == Own("name") else limited(of, Is(name, "present"))
            return Groups(known, (name,), (Aggregate("count", None),), asked="keys")
    return None


def _is_rate(number: Measure) -> bool:
    """True for a number of which the higher is the worse: the share of the dead or of those who come back, a length."""
    return isinstance(number, Aggregate) and (number.function == "percent" or bool(unit_of_time(number)))


def _is_count(number: Measure) -> bool:
    return isinstance(number, Aggregate) and number.function in ("count", "distinct")


def _told_fully(one: Lexed, statement: Statement | None) -> Statement | None:
    """A ranking of names with its numbers, where these are asked for: "top 5 with counts"."""
    numbers = not _COUNTS.isdisjoint(one.words)
    keys = isinstance(statement, Groups) and statement.asked == "keys"
    return replace(statement, asked="all") if numbers and keys and isinstance(statement, Groups) else statement


def _ordered(statement: Rows | Groups, number: Measure, descending: bool, first: int | None) -> Statement:
    before = statement.order
    ties = before.ties if before is not None and before.first is not None else first == 1
    return replace(statement, order=Order(number, descending, first, ties and first is not None))


def numbers_told(statement: Statement) -> Measure | None:
    """The number that an answer tells of each of its rows or groups; None where it tells none, or several."""
    match statement:
        case Groups(columns=columns, order=order):
            if len(columns) == 1 or order is None:
                return columns[0]
            return order.by
        case Rows(columns=columns):
            numbers = [one for one in columns if _is_number(one)]
            return numbers[-1] if numbers else None
    return None


def _is_number(measure: Measure) -> bool:
    match measure:
        case Aggregate() | Interval() | Math():
            return True
        case Own(field=field):
            return field in ("length", "value", "age", "dose", "cost")
        case Picked(measure=inner):
            return _is_number(inner)
    return False


def sorted_by_column(one: Lexed, statement: Statement) -> Statement | None:
    """A list in the order of one of its columns: "sort by age", "by date, newest first", "oldest first"."""
    said = {*one.words}
    if not isinstance(statement, Rows) or _is_list(statement) or not (said & _SORTS or "first" in said):
        return None
    ages = said & {"oldest", "youngest"} if Own("age") in statement.columns else set()
    times = said & (_NEWEST | _EARLIEST | {"date", "dates", "time", "chronologically"})
    fields = outermost(node for node in one.nodes if node.kind == "field")
    named = [column for node in fields for column in statement.columns if _is_of_field(column, node.sense.fields)]
    if not named:
        named = [Own("age")] if ages else [column for column in statement.columns if times and _is_time(column)][:1]
    if len(named) != 1 or not covers(
        one, _SORTS | _BESIDE | _UP | _NEWEST | _EARLIEST | _AS_SAID | ages | times, fields
    ):
        return None
    descending = bool(said & ({"descending", "desc", "decreasing", "highest", "oldest"} | _NEWEST))
    return replace(statement, order=Order(named[0], descending, None))


def _is_of_field(column: Measure, fields: Sequence[str]) -> bool:
    return any(column == Own(field) or (isinstance(column, Interval) and field == "length") for field in fields)


def _is_time(column: Measure) -> bool:
    return isinstance(column, Own) and (column.field == "time" or column.field.endswith(" time"))


def limited_by_number(one: Lexed, statement: Statement) -> Statement | None:
    """The rows or groups of an answer whose number is within a limit."""
    number = numbers_told(statement)
    limits = outermost(node for node in one.nodes if node.kind == "limit")
    if number is None or len(limits) != 1:
        return None
    limit = limits[0]
    within, said = {*one.words[limit.start : limit.end]}, {*one.words}
    counted = _counted(one, limit, statement)
    words = _LIMITING | _DROPS | key_words(statement) | {word for word in said if _noun(word) in _COUNTED}
    if within & _OLD or not covers(one, words, limits):
        return None
    if isinstance(statement, Groups):
        if counted is not None:
            number = counted
        elif _nouns(one):
            return None
        elif not (limit.sense.unit or within & _SAYS_COUNT or said & (_DROPS | {"count", "groups", "group", "value"})):
            return None  # "those over 70" may well be an age
    tests = [
        Test(number, sign, value)
        for sign, count in limit.sense.tests
        if (value := _value(number, count, limit.sense.unit)) is not None
    ]
    if len(tests) != len(limit.sense.tests):
        return None
    conditions: list[Condition] = list(tests)
    if said & _DROPS:
        if len(tests) != 1:
            return None
        conditions = [replace(tests[0], relation=_OPPOSITE[tests[0].relation])]
    if isinstance(statement, Groups):
        having = [statement.having] if statement.having is not None and not _same_number(statement, number) else []
        return replace(statement, having=every([*having, *conditions]))
    if isinstance(statement, Rows) and (kept := limited_after_picking(statement.of, conditions)) is not None:
        return replace(statement, of=kept)
    return None


def _same_number(statement: Groups, number: Measure) -> bool:
    return isinstance(statement.having, Test) and statement.having.left == number


def _value(number: Measure, count: float, unit: str) -> Value | None:
    """A number of a limit as it is compared with what an answer tells; None where it is of another dimension."""
    own = unit_of_time(number)
    if not unit:
        return Value(plain(count))
    if not own:
        return None
    return in_unit_of(count, unit, own)


def _noun(word: str) -> str:
    return {"people": "person", "entries": "entry"}.get(word, word.removesuffix("s"))


def _nouns(one: Lexed) -> set[str]:
    return {_noun(word) for word in one.words if _noun(word) in _COUNTED}


def _counted(one: Lexed, limit: Node, statement: Statement) -> Aggregate | None:
    """How many there are in each group, where the noun behind a limit says that these are counted."""
    if not isinstance(statement, Groups):
        return None
    behind = next((_noun(word) for word in one.words[limit.end : limit.end + 3] if _noun(word) in _COUNTED), None)
    if behind is None:
        return None
    unit = _COUNTED[behind]
    if behind == "stay" and "hospital" not in one.words and statement.of.unit in (HOSPITAL, ICU):
        unit = statement.of.unit
    if unit in ("", statement.of.unit):
        return Aggregate("count", None)
    return Aggregate("distinct", None, Own(PATIENT)) if unit == PATIENT else None
