"""What a question asks for that a statement does not tell: it answers one of two questions, or lists all there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Age,
    Aggregate,
    All,
    Among,
    Groups,
    Has,
    Interval,
    Math,
    Measure,
    Neighbour,
    Of,
    Own,
    PartOf,
    Pick,
    Picked,
    Related,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.logic.nodes import below, walk
from ehrtui.planning.number_words import NUMBERS
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.lost_lengths import has_interval, lengths_lost
from ehrtui.planning.reader.meanings import parts_of
from ehrtui.schema.kinds import kind_of

QUESTION, EVERYTHING = "unused:question", "unused:all"
"""What is left out, by name."""
_SECOND = 2.2
"""What it costs that one of two questions is not answered."""
_BARE = 1.8
"""What it costs that all patients or all stays are listed, where the question says more than that."""
_FIRST_LOST = 2.0
"""What it costs that "the first stay" says nothing."""
_SPAN_LOST = 2.8
"""What it costs that no time between two moments is told where one is asked for."""
_WHAT_LOST = 2.2
"""What it costs that a stay or a person is named where it is asked what happened there."""
_WHOM_LOST = 4.0
"""What it costs that the patient or the stay that is named is not asked about."""
_OTHERS_COUNTED = 1.5
"""What it costs that stays or records are counted where it is asked how many people."""
_ALONE_LOST = 2.8
"""What it costs that what others have too is told as if nobody else had it."""
_RECORDS_LOST = 1.6
"""What it costs that nothing is told of the records that are asked for."""
_SPREAD_LOST = 2.2
"""What it costs that values are counted where it is asked how they are spread."""
_EXTREME_LOST = 2.6
"""What it costs that groups are told where one person is asked of."""
_STAYS_TOLD = 1.6
"""What it costs that stays are listed where it is asked who."""
_EXTREME = {(most, who) for most in ("oldest", "youngest") for who in ("patient", "person", "man", "woman")}
_LISTED = {"the", "all", "what", "which", "list", "show", "me", "give", "of", "any", "distinct", "different"}
_WHOSE = {"of", "for", "in", "among", "did", "do", "does", "were", "are", "have", "had", "that"}
_ONLY = {"only", "exclusively", "solely"}
_SPREADS = {"distribution", "distributions", "spread", "histogram"}
_SPANS = {"time", "hours", "days", "minutes", "interval", "delay", "gap", "lag"}
_MOMENTS = {"ed", "er", "arrival", "surgery", "diagnosis", "death", "dose", "antibiotic"}
_WHILE_LOST = 4.5
"""What it costs that it is not told of the time while somebody was on a drug."""
_AFTER = {(span, lies) for span in ("long", "soon", "days", "hours") for lies in ("after", "before")}
"""What asks for the time from one moment to another: "how long after admission", "how many days before surgery"."""
_COUNTED = {*NUMBERS, "few", "couple"}
_BOTH_SIDES = {("before", joint, "after") for joint in ("and", "or", "vs", "versus", "/", "&")}
_WITH_THEIRS = {("with", "their"), ("with", "his"), ("with", "her")}
_COLUMN_LOST = 2.4
"""What it costs that records which are listed beside attributes are not told by their names."""
_LIMIT_LOST = 1.6
"""What it costs that a limit is set to what is told, where those are asked for who meet it."""
_TIME_LOST = 1.6
"""What it costs that fewer times are told than are asked for."""
BEFORE_WHEN = {"and", ",", "from", "to", "since", "until", ":", "&", "/", "+"}
_INTERROGATIVES = {"when", "where", "who", "whom", "which", "how", "what", "whose"}
_OF_NUMBER = {"many", "often", "long", "old", "much"}
_EACH = {"each", "every", "per", "their", "own"}
_JOINED = {"and", "&", "plus"}
_AMONG_WHOM = {"in", "among", "of"}
_AGAINST = {"vs", "versus"}
_DOING = {"did", "do", "does", "was", "were", "is", "are", "has", "have", "had", "of"}
_WHILE = {"while", "whilst"}
_ON = (("on",), ("taking",), ("receiving",), ("getting",))
_WHOM = {"they", "he", "she", "it", "to"}
_TIMED = {"time", "times", "date", "dates", "timestamps", "timestamp"}
_PERSONS = {"patient", "person"}
_SCALES = {"1000", "10000", "100000", "1000000"}
_YEARS = {"years", "year", "months", "days", "time"}
_ENDS = ("first", "last")
_CALENDAR = (("year",), ("month",), ("quarter",), ("week",))
_SINGLE = {"a", "an", "one", "any", "some"}
_NEAR_BEFORE = 5
"""Words: so far before "in every year" stands what was so in each."""
_EACH_LOST = 1.6
"""What it costs that records of which each is asked about are told in one number."""
_UNTIL = {"until", "till"}
_CLAUSE_ENDS = {",", ";", ":", "-", "–", "—", "and"}
_HAPPENING = {"happened", "occurred", "was", "were", "did", "is"}
_TAKEN_HOME = {("discharged", "on"), ("discharged", "with"), ("home", "on"), ("home", "with")}
"""What is said of drugs that somebody still has when a stay ends."""
_OF_DISCHARGE = (Own("discharge time"), Own("icu discharge time"))
_SAYS_LITTLE = {"people", "stay", "list", "free", "light", "count", "and", "verb", "distinct", "pronoun", "order"}


def _is_of_anybody(column: Measure) -> bool:
    """True for a value of each patient or stay that is told in one row, as if there were one of them."""
    if not isinstance(column, Picked) or column.of.pick is None or column.of.pick.per == "all":
        return False
    return not any(isinstance(part, Among) and part.measure == Own("id") for part in walk(column.of.where))


def untold(statement: Statement, one: Lexed) -> Iterator[tuple[float, str]]:
    """The prices of what a statement leaves unanswered, each with its name."""
    width = _width(statement)
    if width == 1 and _asked(one.words) > 1:
        yield _SECOND, QUESTION
    if _is_bare(statement) and any(found - _SAYS_LITTLE for found in map(set, one.classes)):
        yield _BARE, EVERYTHING
    if isinstance(statement, Rows) and sum(map(of_time, statement.columns)) < _times_asked(one.words):
        yield _TIME_LOST, "when-lost"
    if isinstance(statement, Rows) and _with_times(one.words) and not any(map(of_time, statement.columns)):
        yield _TIME_LOST, "when-lost"
    if isinstance(statement, Single) and any(map(_is_of_anybody, statement.columns)):
        yield _SECOND, "whose-lost"
    if any(map(_is_any_first_stay, walk(statement))):
        yield _FIRST_LOST, "first-lost"
    moments = bool(_MOMENTS & set(one.words))  # of which a stay from beginning to end has one at most
    if (_span_asked(one.words) and not has_interval(statement, of_two=moments)) or (
        _since_asked(one.words) and not has_interval(statement, of_two=True)
    ):
        yield _SPAN_LOST, "span-lost"
    if "their" in one.words and isinstance(statement, Rows) and _demands_a_last_value(statement):
        yield _COLUMN_LOST, "unkept:column"
    if _per_person_time(one.words):
        yield _ALONE_LOST, "rate-lost"
    if _one_of_two_picks(statement, one):
        yield _SECOND, "pick-lost"
    if _in_every(one.words):
        yield _ALONE_LOST, "every-lost"
    if ("to", "discharge") in pairwise(one.words) and _discharge_begins(statement):
        yield _SPAN_LOST, "span-lost"
    if isinstance(statement, Single) and (unit := _each_record(one)) and _is_over(statement, unit):
        yield _EACH_LOST, "each-lost"
    if _until_something(one.words) and not has_interval(statement):
        yield _SPAN_LOST, "span-lost"
    if _what_it_was(one.words) and isinstance(statement, Rows) and set(statement.columns) <= {Own("id")}:
        yield _WHAT_LOST, "what-lost"
    if _tells_a_total_too(statement, one):
        yield _SECOND, "totals-apart"
    if _forgets_whom(statement, one):
        yield _WHOM_LOST, "whom-lost"
    if _counts_others(statement, one):
        yield _OTHERS_COUNTED, "others-counted"
    if _counts_measured(statement, one):
        yield _SPREAD_LOST, "spread-lost"
    yield from lengths_lost(statement, one)
    if (kind := _listed_first(one)) and not any(
        isinstance(part, Set) and part.unit == kind for part in walk(statement)
    ):
        yield _RECORDS_LOST, "records-lost"
    if isinstance(statement, Groups) and Own("name") in statement.by and _EXTREME & set(pairwise(one.words)):
        yield _EXTREME_LOST, "extreme-lost"
    if _died_in_a_place(one) and _is_of_transfers(statement):
        yield _SPAN_LOST, "died-there"
    who = one.words[:1] == ("who",) and "which" not in one.words
    if who and isinstance(statement, Groups) and not _tells_whose(statement):
        yield _EXTREME_LOST, "who-lost"
    if _asks_who(one.words) and _lists_stays(statement):
        yield _STAYS_TOLD, "who-lost"
    if not _AGAINST.isdisjoint(one.words) and _tells_one_side(statement):
        yield _SECOND, "side-lost"
    if _asks_who(one.words) and _tells_each_extreme(statement) and _EACH.isdisjoint(one.words):
        yield _EACH_LOST, "who-lost"
    if _of_the_average_person(one.words) and isinstance(statement, Single) and isinstance(statement.columns[0], Math):
        yield _WHOM_LOST, "whom-lost"
    if isinstance(statement, Rows) and any(not _tells_names(statement, unit) for unit in _columns_of_records(one)):
        yield _COLUMN_LOST, "unkept:column"
    told = set(statement.columns) - {Own(PATIENT)} if isinstance(statement, Rows | Single) else ()
    if len(told) == 1 and any(
        words in _BOTH_SIDES for words in zip(one.words, one.words[1:], one.words[2:], strict=False)
    ):
        yield _COLUMN_LOST, "unkept:before-and-after"
    if _shares_people_unsaid(statement, one):
        yield _OTHERS_COUNTED, "others-counted"
    if _limits_nobody(statement):
        yield _LIMIT_LOST, "limit-lost"
    if _alone(one):
        yield _ALONE_LOST, "alone-lost"
    if _while_on_a_drug(one) and not any(isinstance(part, Related) for part in walk(statement)):
        yield _WHILE_LOST, "while-lost"
    taken_home = bool(_TAKEN_HOME & set(pairwise(one.words))) and any(map(_is_drug, one.nodes))
    if taken_home and not any(part in _OF_DISCHARGE for part in walk(statement)):
        yield _WHILE_LOST, "discharge-lost"


def _shares_people_unsaid(statement: Statement, one: Lexed) -> bool:
    """ "Of all cultures, what percent grew nothing": of cultures, and not of the patients who had some."""
    if any("people" in found for found in one.classes) or not isinstance(statement, Single):
        return False
    return any(_is_of_people_with_records(column) for column in statement.columns)


def _is_of_people_with_records(column: Measure) -> bool:
    """True for a share of people whose records are named, and some of these records."""
    if not isinstance(column, Aggregate) or column.function != "percent" or not isinstance(column.of, Set):
        return False
    told = column.measure.of if isinstance(column.measure, All) else ()
    units = [part.of.unit for part in told if isinstance(part, Has) and part.of.unit not in UNITS]
    return column.of.unit == PATIENT and len(units) > len({*units})


def _asks_who(words: Sequence[str]) -> bool:
    """ "Of the emergency admissions, who left against advice": people."""
    return any(word == "who" and before in ("", ",", ":") for before, word in pairwise(("", *words)))


def _lists_stays(statement: Statement) -> bool:
    return isinstance(statement, Rows) and statement.of.unit in (HOSPITAL, ICU) and statement.columns == (Own("id"),)


def _tells_one_side(statement: Statement) -> bool:
    """True for several figures that are all of one set: "emergency vs elective: count, mean stay" asks for two."""
    if not isinstance(statement, Single) or len(statement.columns) < 2:
        return False
    sets = [column.of for column in statement.columns if isinstance(column, Aggregate)]
    return len(sets) == len(statement.columns) and len(set(sets)) == 1


def _tells_each_extreme(statement: Statement) -> bool:
    """True for each patient's own longest stay, or highest value: "who stayed the longest?" asks for one of all."""
    pick = statement.of.pick if isinstance(statement, Rows) else None
    return pick is not None and pick.per == PATIENT and pick.by in (Own("length"), Own("value"))


def _is_drug(node: Node) -> bool:
    return node.kind == "event" and kind_of(node.sense.role).dosed


def _while_on_a_drug(one: Lexed) -> bool:
    """ "An INR over 3 while on warfarin": at a time between the beginning and the end of a drug."""
    dosed = {node.start for node in one.nodes if _is_drug(node)}
    return any(
        word in _WHILE and one.words[at + 1 : at + 2] in _ON and dosed & {at + 2, at + 3}
        for at, word in enumerate(one.words)
    )


def _demands_a_last_value(statement: Rows) -> bool:
    """ "…, their age and their latest weight": to be told, and no condition of who is listed."""
    told = {part.of.items for column in statement.columns for part in walk(column) if isinstance(part, Picked)}
    had = (part.of for part in parts_of(statement.of.where) if isinstance(part, Has))
    return len(statement.columns) > 1 and any(
        of.pick is not None and of.where is None and of.items and of.items not in told and _is_measured(of)
        for of in had
    )


def _is_measured(of: Set) -> bool:
    return of.unit not in UNITS and kind_of(of.unit.replace(" ", "_")).measured


def _per_person_time(words: Sequence[str]) -> bool:
    """ "Cases per 100 person-years": by how long people were observed, which no statement tells yet; "per 1000 persons"
    is no percentage."""
    for at, word in enumerate(words):
        if word == "per" and words[at + 1 : at + 2] and words[at + 1].replace(",", "") in _SCALES:
            return True
    said = [word for word in words if word != "-"]
    return any(one in _PERSONS and other in _YEARS for one, other in pairwise(said)) and "per" in words


def _one_of_two_picks(statement: Statement, one: Lexed) -> bool:
    """ "At the first and at the last visit", of which one is told."""
    asked = {node.sense for node in one.nodes if node.kind == "pick" and node.sense in ("1", "-1")}
    if len(asked) < len(_ENDS) or not _JOINED & set(one.words):
        return False
    told = {part.descending for part in walk(statement) if isinstance(part, Pick) and part.by is None}
    return len(told) == 1 and not has_interval(statement) and not _compares(statement)


def _compares(statement: Statement) -> bool:
    return any(isinstance(part, Math) for part in walk(statement))


def _in_every(words: Sequence[str]) -> bool:
    """ "Who had a visit in every year": in all of them, which no statement tells; "visits in every year" are groups."""
    for at, word in enumerate(words):
        if word == "every" and at > 1 and words[at - 1] in ("in", "during") and words[at + 1 : at + 2] in _CALENDAR:
            return not _SINGLE.isdisjoint(words[max(0, at - _NEAR_BEFORE) : at - 1])
    return False


def _discharge_begins(statement: Statement) -> bool:
    """True where a time is reckoned from a discharge on, and not up to it."""
    return any(isinstance(part, Interval) and part.start in _OF_DISCHARGE for part in walk(statement))


def _each_record(one: Lexed) -> str:
    """The kind of records of which each is asked about: "the revenue of each organization"; "" for none."""
    for node in one.nodes:
        each = one.words[max(0, node.start - 1) : node.start] in (("each",), ("every",), ("per",))
        if node.kind == "event" and node.sense.noun and each and not node.sense.of.items:
            return str(node.sense.of.unit)
    return ""


def _is_over(statement: Single, unit: str) -> bool:
    return all(
        isinstance(column, Aggregate) and isinstance(column.of, Set) and column.of.unit == unit
        for column in statement.columns
    )


def _until_something(words: Sequence[str]) -> bool:
    """ "How long did it take until it had healed": a time from one moment to another, and no length of a stay."""
    return not _UNTIL.isdisjoint(words) and ("how", "long") in set(pairwise(words))


def _what_it_was(words: Sequence[str]) -> bool:
    """ "What happened at the last visit", "of those with gout, what was the first drug": more than whose it was."""
    opens = (at for at, word in enumerate(words) if word == "what" and (at == 0 or words[at - 1] in _CLAUSE_ENDS))
    return any(not _HAPPENING.isdisjoint(words[at + 1 : at + 2]) for at in opens)


def _columns_of_records(one: Lexed) -> Iterator[str]:
    """The kinds of records that are listed beside attributes: "age, sex, diagnoses"."""
    fields = {at for node in one.nodes if node.kind == "field" for at in (node.start, node.end)}
    for node in one.nodes:
        plain = node.kind == "event" and node.sense.noun and not (node.sense.of.items or node.sense.others)
        if plain and one.words[max(0, node.start - 2) : node.start] in _WITH_THEIRS:
            yield node.sense.of.unit
            continue
        before = node.start
        while before and one.words[before - 1] in _JOINED | {",", "his", "her", "their", "the", "all"}:
            before -= 1
        joined = bool(_JOINED & {*one.words[before : node.start]}) or "," in one.words[before : node.start]
        if plain and joined and before in fields and node.start not in fields:
            yield node.sense.of.unit


def _tells_names(statement: Rows, unit: str) -> bool:
    """True where the names of records of this kind are told, and whose; or something of such of each row."""
    if statement.of.unit == unit:
        return Own("name") in statement.columns and (len(statement.columns) > 1 or not _is_of_all(statement.of))
    told = (part for column in statement.columns for part in walk(column))
    return any(isinstance(part, Set) and part.unit == unit for part in told)


def _is_of_all(of: Set) -> bool:
    """True for the records of everybody."""
    return not any(isinstance(part, Of) for part in parts_of(of.where))


def _limits_nobody(statement: Statement) -> bool:
    """ "Patients with a BMI over 35 at their last test" are these, and not all with the last such value of each."""
    if not isinstance(statement, Rows) or statement.of != Set(PATIENT):
        return False
    picked = (part.of for part in statement.columns if isinstance(part, Picked) and part.measure == Own("value"))
    return any(
        isinstance(part, Test) and part.left == Own("value") and part.relation not in ("=", "!=")
        for of in picked
        for part in parts_of(of.where)
    )


def _of_the_average_person(words: Sequence[str]) -> bool:
    """ "Visits of the average patient per year": of each one, and no ratio of all."""
    return any(one == "average" and other in _PERSONS for one, other in pairwise(words))


def _tells_a_total_too(statement: Statement, one: Lexed) -> bool:
    """ "The minimum total cost" is one of totals, and no total beside a minimum."""
    ends = {node.end for node in one.nodes if node.kind == "function" and node.sense != "sum"}
    nested = any(node.start in ends for node in one.nodes if node.kind == "function" and node.sense == "sum")
    columns = statement.columns if isinstance(statement, Single | Groups) else ()
    told = {column.function for column in columns if isinstance(column, Aggregate)}
    return nested and "sum" in told and len(told) > 1


def _forgets_whom(statement: Statement, one: Lexed) -> bool:
    """True where "patient 101", or a stay that is named so, is not in the statement; a lone number may be a year."""
    nodes = [node for node in one.nodes if node.kind in ("people", "stays") and node.end - node.start > 1]
    named = [node.sense.of.where for node in nodes]
    ids = {value for where in named if isinstance(where, Among) for value in where.values}
    return bool(ids) and not ids & {
        value for part in walk(statement) if isinstance(part, Among) for value in part.values
    }


def _counts_others(statement: Statement, one: Lexed) -> bool:
    """ "How many women had an admission" counts women."""
    column = statement.columns[0] if isinstance(statement, Single) and len(statement.columns) == 1 else None
    if not isinstance(column, Aggregate) or column.function != "count" or not isinstance(column.of, Set):
        return False
    counts = {node.end for node in one.nodes if node.kind == "count"}
    nouns = {node.start for node in one.nodes if node.kind in ("event", "stays")}
    pointing = {(node.start, node.end) for node in one.nodes if "points" in node.why}  # "of these": whoever it was
    said = [node for node in one.nodes if node.kind == "people" and (node.start, node.end) not in pointing]
    people = [node for node in said if node.start in counts and node.end not in nouns]
    return column.of.unit != PATIENT and any(one.words[node.end : node.end + 1] not in ((), ("'",)) for node in people)


def _counts_measured(statement: Statement, one: Lexed) -> bool:
    """ "The distribution of weight by sex" is of the values, and not of how often it was measured."""
    if not (isinstance(statement, Groups) and statement.of.items and _SPREADS & set(one.words)):
        return False
    counted = all(isinstance(column, Aggregate) and column.function == "count" for column in statement.columns)
    return counted and kind_of(statement.of.unit.replace(" ", "_")).measured and not _by_value(statement)


def _by_value(statement: Groups) -> bool:
    return any(part == Own("value") for key in statement.by for part in walk(key))


def _with_times(words: Sequence[str]) -> bool:
    """ "…, with the time": times are to be told beside what is."""
    said = [word for word in words if word not in ("the", "a", "its", "their", "respective", "?", ".", "please", "too")]
    return said[-2:-1] in (["with"], ["and"], ["+"], ["plus"]) and said[-1] in _TIMED


def _tells_whose(statement: Groups) -> bool:
    """True where the groups are patients, or compare such."""
    keys = statement.by
    return Own(PATIENT) in keys or statement.of.unit in UNITS or statement.asked == "all"


def _died_in_a_place(one: Lexed) -> bool:
    """ "How many died in the CCU": people, of whom no transfer tells that."""
    dying = {node.end for node in one.nodes if node.kind == "dead"}
    places = {node.start for node in one.nodes if node.kind == "event" and kind_of(node.sense.role).place}
    inside = (at + 1 for at in dying if one.words[at : at + 1] in (("in",), ("on",)))
    return any(at + (one.words[at : at + 1] == ("the",)) in places for at in inside)


def _is_of_transfers(statement: Statement) -> bool:
    """True where the rows or the number of a statement are those of transfers."""
    match statement:
        case Rows(of=Set(unit="transfer")) | Single(columns=(Aggregate(of=Set(unit="transfer")),)):
            return True
    return False


def _listed_first(one: Lexed) -> str:
    """The kind of records that a question begins with as what it asks for: "diagnoses of patients under 25"; "" for
    none."""
    at = 0
    while at < len(one.words) and (one.words[at] in _LISTED or "list" in one.classes[at]):
        at += 1
    for node in one.nodes:
        if node.kind == "event" and node.start == at and node.sense.noun and not node.sense.others:
            behind = one.words[node.end : node.end + 1]
            return node.sense.of.unit if behind and behind[0] in _WHOSE else ""
    return ""


def _alone(one: Lexed) -> bool:
    """ "Drugs that only women got", "which occur only in men": what nobody else has is asked for, which no statement
    tells."""
    kinds = [node for node in one.nodes if node.kind == "event" and node.sense.noun and not node.sense.of.items]
    if not kinds:
        return False
    people = {node.start for node in one.nodes if node.kind == "people"}
    only = [at for at, word in enumerate(one.words) if word in _ONLY and at >= min(node.end for node in kinds)]
    return any(at + 1 + (one.words[at + 1 : at + 2] in (("in",), ("by",), ("to",))) in people for at in only)


def _width(statement: Statement) -> int | None:
    """How many things a statement tells of; None where that cannot be said. Names of patients count as one."""
    match statement:
        case Single():
            return len(statement.columns)
        case Rows():
            return len(statement.columns)
        case Groups():
            return 2
        case _:
            return None


_LISTING = (("list",), ("show",), ("give",), ("name",))


def _asked(words: Sequence[str]) -> int:
    """How many questions the words join: "how many were there and when was the last"."""
    found = int(words[:1] in _LISTING)
    for at, word in enumerate(words):
        if word not in _INTERROGATIVES:
            continue
        behind = words[at + 1] if at + 1 < len(words) else ""
        before = words[at - 1] if at else ""
        numbered = word == "how" and behind in _OF_NUMBER
        first = at == 0 or (found == 0 and (numbered or word in ("when", "where")) and before not in _JOINED)
        before_that = words[at - 2] if at > 1 else ""
        joined = before in _JOINED or (before in (",", "?", ":") and behind in _DOING | {"many"})
        joined = joined or (before in _AMONG_WHOM and numbered and before_that in {*_JOINED, ","})
        asks = numbered or (word in ("when", "where") and behind in _DOING | _WHOM)
        asks = asks or (word in ("who", "whom") and behind in ("are", "were", "was", "is") and _ends_soon(words, at))
        if first or (joined and asks and found):
            found += 1
        elif word == "when" and before in _JOINED and not behind:  # "the highest potassium and when"
            found = max(found, 1) + 1
    return found


def _ends_soon(words: Sequence[str], at: int) -> bool:
    """ "Who are they": a question of its own, and no relative clause."""
    return words[at + 2 : at + 3] in (("they",), ("these",), ("those",), ("it",), ("that",), ("he",), ("she",))


def _is_bare(statement: Statement) -> bool:
    """True where all patients or all stays are listed, and nothing is told of them."""
    if not isinstance(statement, Rows) or statement.of.unit not in UNITS:
        return False
    return statement.of == Set(statement.of.unit) and set(statement.columns) <= {Own("id")}


def _times_asked(words: Sequence[str]) -> int:
    """How many times are asked for side by side: "when in, when out"."""
    asked = [at for at, word in enumerate(words) if word == "when" and (at == 0 or words[at - 1] in BEFORE_WHEN)]
    return len(asked) if len(asked) > 1 else 0


def _is_any_first_stay(part: object) -> bool:
    """True where patients are said to have had a first stay, which all have who had one: "only the first admission"
    says which of their stays is meant."""
    if isinstance(part, Has) and part.of.unit in UNITS and part.of.pick is not None and part.of.where is None:
        return part.of.pick.by is None and part.of.pick.nth == 1
    return False


def _since_asked(words: Sequence[str]) -> bool:
    """ "How long after admission": the time from one moment to another. "Within 2 days after it" limits one."""
    return any(
        (span, lies) in _AFTER and not (before.isdigit() or before in _COUNTED)
        for before, span, lies in zip(("", *words), words, words[1:], strict=False)
    )


def _span_asked(words: Sequence[str]) -> bool:
    """ "Time from admission to the ICU", "hours between…": how long it was from one moment to another."""
    return any(
        one in _SPANS and (other, far) in (("from", "to"), ("from", "until"), ("between", "and"))
        for at, (one, other) in enumerate(pairwise(words))
        for far in words[at + 2 :]
    )


def of_time(part: object) -> bool:
    """True for a time, and for what is reckoned or picked of times."""
    if isinstance(part, Own):
        return "time" in part.field or "date" in part.field
    if isinstance(part, Aggregate | Picked | Interval | PartOf | Math | Age | Neighbour):
        return any(map(of_time, below(part)))
    return False
