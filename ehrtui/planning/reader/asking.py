"""From a cover of the question to what is asked: the pieces, in whatever order they came, as one statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Among,
    Groups,
    Has,
    Interval,
    Item,
    Listing,
    Measure,
    Of,
    Own,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Whether,
)
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.beside import beside_the_rest
from ehrtui.planning.reader.changes import changed
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.columns import columned
from ehrtui.planning.reader.costs import costs_asked
from ehrtui.planning.reader.counting import (
    counted,
    counted_and_measured,
    counted_each,
    counted_in_bands,
    several_counted,
)
from ehrtui.planning.reader.ends import ends_asked, latest_and_extreme
from ehrtui.planning.reader.frame import Frame, fields_wanted, listing, unit_asked
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.group_numbers import numbers_of_groups
from ehrtui.planning.reader.group_ranking import extreme_group
from ehrtui.planning.reader.here_now import where_they_are_now
from ehrtui.planning.reader.intervals import time_between
from ehrtui.planning.reader.keys import crossed_with, grouped, keys_of
from ehrtui.planning.reader.listing import asked_whose, listed, value_of_each
from ehrtui.planning.reader.meanings import FIRST_SUCH, LAST_SUCH, MOVED, length_of, limited, own_extreme, parts_of
from ehrtui.planning.reader.names_holding import names_asked
from ehrtui.planning.reader.per_stay import values_of_stays
from ehrtui.planning.reader.principal import first_of_each
from ehrtui.planning.reader.questions import joined_moments, questioned
from ehrtui.planning.reader.ranking import extreme_asked, extreme_of_groups, people_by_value, ranked
from ehrtui.planning.reader.ratios import ratio_of
from ehrtui.planning.reader.reckoning import asks_for_amount, beside_own_numbers, counted_amounts, reckoned, summed
from ehrtui.planning.reader.returns import between_stays, gaps_in_one_stay, share_coming_back
from ehrtui.planning.reader.sets import about_one, attach_to_event, has_values, named_one_by_one, whose
from ehrtui.planning.reader.several import numbers_of
from ehrtui.planning.reader.shares import shared
from ehrtui.planning.reader.so_many_each import so_many_each
from ehrtui.planning.reader.sorted_lists import as_implied, in_order, sorting_of
from ehrtui.planning.reader.spread_of_counts import spread_of_counts
from ehrtui.planning.reader.stay_of_each import stay_of_each
from ehrtui.planning.reader.tallying import tallied
from ehrtui.planning.reader.traits import is_rate
from ehrtui.planning.reader.two_sides import times_compared
from ehrtui.planning.reader.untold import BEFORE_WHEN, of_time
from ehrtui.planning.reader.unused import pay_unused
from ehrtui.planning.reader.versus import set_against
from ehrtui.planning.reader.yes_no import any_such, asks_any, whether
from ehrtui.schema.kinds import kind_of

_BOTH = (("values",), ("results",), ("levels",), ("readings",), ("measurements",))
_NAMES = {"name", "names"}
_NAMED = -0.45
"""What it saves that the names of people are told which are asked for."""
SEVERAL = "several"
"""What a reading was paid for that gives several numbers side by side."""
_WHOM_LOST = 2.8
"""What it costs that something is said of people and not asked for."""
_ONE_LOST = 3.0
"""What it costs that nothing is told of a patient, or a stay, that is named."""
_BETWEEN_LOST = 2.4
"""What it costs that a length is told where the time "between" two things is asked for."""
WHEN_LOST = 1.6
"""What it costs that a time is asked for and none is told."""
_WHICH_LOST = 2.0
"""What it costs that a name is asked for ("which drug") and patients or stays are told."""
_TOTAL = {"total", "overall", "summed"}
_TREND = {"trend", "trends", "course", "trajectory"}
_DEFINITE = {"the", "when", "earliest", "latest", "date"}
_NOUN = 2
"""Words behind "the first", of which one may be a noun in the plural: "the first hospital visits"."""
_EACH_COUNTED = 2.2
"""What it costs to count patients for each patient."""
_OWN_EXTREME = 1.5
"""What it costs to ask for people by the longest of their own stays, or the highest of their own values."""


@dataclass(frozen=True)
class Asked:
    """A statement that a cover may ask for, what saying it so costs, and the names of what it was paid for; `ignored`
    are the stretches of words that it does not say, with what each costs."""

    statement: Statement
    cost: float
    why: tuple[str, ...] = ()
    ignored: tuple[tuple[int, int, float], ...] = ()


_IDLE = 0.3
"""A word that costs more to pass over asks for something."""
_GOING_ON = {"and", "for", "or", "but", "same", "with", "in", "of"}
"""Words with which somebody is not all that is asked about: "and for patient 7?"."""
_TOLD_ABOUT = 0.4
"""What it costs that of somebody nothing is asked."""
_OPENING = {"and", "so", "ok", "but", "please", "now"}
_ASKS = {"what", "which", "when", "where", "why", "how", "did", "was", "were", "is", "does", "do", "has", "had", "have"}
_ALL_OF = {"we", "you", "i", "about", "know", "story", "everything"}
"""Words with which a question asks for all there is of somebody: "what do we have on patient 7"."""


def asked(context: Context, cover: Sequence[Node]) -> Iterator[Asked]:
    """What a cover may ask for, with what each costs beyond the cover itself."""

    def read(part: Sequence[Node]) -> tuple[Statement, float] | None:
        made = statement_of(Frame(context, part, ""))
        return None if made is None else (made.statement, made.cost)

    for statement, cost in numbers_of(context, cover, read):
        yield Asked(statement, cost, (SEVERAL,))
    for statement, cost in numbers_of_groups(context, cover, read):
        yield Asked(statement, cost, (SEVERAL,))
    for statement, cost in times_compared(context, cover, read):
        yield Asked(statement, cost, (SEVERAL,))
    for statement, cost in ratio_of(context, cover, read):
        yield Asked(statement, cost, ("ratio",))
    for statement, cost in columned(context, cover, read):
        yield Asked(statement, cost, ("columns",))
    for preferred in ("", "people", "records"):
        frame = Frame(context, cover, preferred)
        made = statement_of(frame)
        if made is not None:
            yield made
        if not frame.chooses:
            break  # seen otherwise, it would ask for the same
    if (person := _one_person(context, cover)) is not None:
        yield Asked(Listing(person), _TOLD_ABOUT, ("told-about",))


def _one_person(context: Context, cover: Sequence[Node]) -> Set | None:
    """The patient who is named by a number, where nothing else is said: "tell me about patient 7"."""
    people = [node for node in cover if node.kind == "people"]
    named = [node.sense.of for node in people if node.sense.one and isinstance(node.sense.of.where, Among)]
    bare = all(node.sense.of.where is None for node in people if not node.sense.one)
    used = {at for node in cover for at in range(node.start, node.end)}
    words = context.lexed.words
    bare = bare and _GOING_ON.isdisjoint(words) and words[1:2] != ("about",) and not _asks_something(words)
    bare = bare and all(at in used or price <= _IDLE for at, price in enumerate(context.lexed.prices))
    return named[0] if len(named) == 1 and bare and all(node.kind in ("people", "list") for node in cover) else None


def _asks_something(words: Sequence[str]) -> bool:
    """True for "what did patient 7 get?", which asks of him what is not understood, and not who he is."""
    start = next((at for at, word in enumerate(words) if word[0].isalnum() and word not in _OPENING), 0)
    return (
        words[start : start + 1] != ("who",)
        and not _ASKS.isdisjoint(words[start : start + 1])
        and _ALL_OF.isdisjoint(words)
    )


def _loses_one(statement: Statement, cover: Sequence[Node]) -> bool:
    """True where a patient or a stay that is named by its number is in no part of a statement."""
    wheres = (node.sense.of.where for node in cover if node.kind in ("people", "stays") and node.sense.one)
    named = {where for where in wheres if isinstance(where, Among)}
    return bool(named) and not named <= set(_told(statement))


def statement_of(frame: Frame) -> Asked | None:
    """What a way to see a cover asks for, with what its unused pieces cost; None where it asks for nothing."""
    sorting = sorting_of(frame)
    statement = made_of(frame)
    if statement is None:
        return None
    if sorting is not None:
        statement = in_order(statement, sorting, frame)
    statement = as_implied(statement, frame)
    statement = beside_the_rest(statement, frame)
    if isinstance(statement, Rows) and statement.of.unit in UNITS and _says_nothing(statement.of):
        frame.pay(_OWN_EXTREME, "own-extreme")
    if isinstance(statement, Groups) and statement.of.unit == PATIENT and set(statement.by) & {Own(PATIENT), Own("id")}:
        frame.pay(_EACH_COUNTED, "each-counted")
    if _of_everybodys_own(statement, frame):
        frame.pay(_OWN_EXTREME, "own-extreme")
    if _which_untold(statement, frame):
        frame.pay(_WHICH_LOST, "which-lost")
    if frame.who is None:
        statement = _of_the_dead(statement, frame)
        statement = _of_all(statement, frame)
    statement = _asked_whether(_when_such(_in_unit(statement, frame), frame), frame)
    statement = _with_names(_over_time(_with_both(statement, frame), frame), frame)
    statement = names_asked(statement, frame.pieces.nodes, frame.context.lexed.words)
    if isinstance(statement, Rows) and Own("admission location") in statement.columns and _moves(frame):
        frame.pay(2.0, "moved-from")  # "transferred from the MICU to the SICU" asks for no source of admission
    if _TOTAL & set(frame.context.lexed.words) and _lists_costs(statement):
        frame.pay(1.2, "total-lost")  # "the total claim cost of emergency visits"
    apart = "between" in frame.context.lexed.words or _from_hospital_to_icu(frame)
    if apart and _tells_lengths(statement):
        frame.pay(_BETWEEN_LOST, "between-lost")
    if any(_asks_when(frame, node) for node in frame.asks) and not tells_when(statement):
        frame.pay(WHEN_LOST, "when-lost")
    if _loses_one(statement, frame.pieces.nodes):
        frame.pay(_ONE_LOST, "one-lost")
    if not _says_of_whom(statement, frame):
        frame.pay(_WHOM_LOST, "whom-lost")
    ignored = pay_unused(frame)
    return Asked(statement, frame.cost, tuple(frame.why), ignored)


def _when_such(statement: Statement, frame: Frame) -> Statement:
    """ "When did she last have the highest lactate": of all times at which it was so high the last, or the first."""
    said = {name for node in frame.pieces.nodes for name in node.why} & {FIRST_SUCH, LAST_SUCH}
    timed = isinstance(statement, Rows) and Own("time") in statement.columns and about_one(frame, statement.of)
    if not said or not timed or not isinstance(statement, Rows) or statement.of.pick is None:
        return statement
    of = replace(statement.of, pick=replace(statement.of.pick, ties=True))
    return Single((Aggregate("maximum" if LAST_SUCH in said else "minimum", of, Own("time")),))


def _in_unit(statement: Statement, frame: Frame) -> Statement:
    """ "How many hours was the shortest stay?": lengths that are listed, in the unit that is asked for."""
    if not isinstance(statement, Rows) or Own("length") not in statement.columns:
        return statement
    unit = unit_asked(frame) or "day"
    columns = tuple(length_of(unit) if one == Own("length") else one for one in statement.columns)
    return statement if unit == "day" else replace(statement, columns=columns)


def _asked_whether(statement: Statement, frame: Frame) -> Statement:
    """ "Is the last weight of patient 7 higher than the first?": whether it is so, and not who is such."""
    if not frame.yes or listing(frame) or not isinstance(statement, Rows) or statement.of.unit not in UNITS:
        return statement
    compared = [part for part in parts_of(statement.of.where) if isinstance(part, Test)]
    sides = [side for part in compared for side in (part.left, part.right)]
    if not sides or not all(isinstance(side, Picked) and about_one(frame, side.of) for side in sides):
        return statement
    return Single((Whether(Has(replace(statement.of, pick=None))),))


def _tells_lengths(part: object) -> bool:
    """True where how long rows lasted is told, and no time between two moments."""
    return any(
        one == Own("length") or (isinstance(one, Interval) and (one.start, one.end) == (Own("time"), Own("end time")))
        for one in walk(part)
    )


def _from_hospital_to_icu(frame: Frame) -> bool:
    """ "From hospital admission to ICU admission": two moments, and no stay between them."""
    words = frame.context.lexed.words
    fields = {
        (words[node.start - 1], node.sense.fields[0])
        for node in frame.context.lexed.nodes
        if node.kind == "field" and node.start
    }
    return {("from", "admission time"), ("to", "icu admission time")} <= fields


def _lists_costs(statement: Statement) -> bool:
    return isinstance(statement, Rows) and statement.columns == (Own("cost"),)


def _moves(frame: Frame) -> bool:
    """True where somebody went from one ward to another."""
    return any(MOVED in node.why for node in frame.pieces.nodes)


def _with_both(statement: Statement, frame: Frame) -> Statement:
    """ "Whose last weight was higher than the first, with both values": the two that are compared."""
    words = frame.context.lexed.words
    said = any(one == "both" and words[at + 1 : at + 2] in _BOTH for at, one in enumerate(words))
    if not said or not isinstance(statement, Rows):
        return statement
    compared = [part for part in parts_of(statement.of.where) if isinstance(part, Test)]
    values = [one for part in compared for one in (part.left, part.right) if isinstance(one, Picked)]
    return replace(statement, columns=(*statement.columns, *values)) if len(values) == len(compared) * 2 else statement


def _over_time(statement: Statement, frame: Frame) -> Statement:
    """ "The trend of creatinine": values with their times."""
    if not isinstance(statement, Rows) or Own("value") not in statement.columns or Own("time") in statement.columns:
        return statement
    if not _TREND & set(frame.context.lexed.words) or statement.of.pick is not None:
        return statement
    at = statement.columns.index(Own("value"))
    return replace(statement, columns=(*statement.columns[:at], Own("time"), *statement.columns[at:]), distinct=False)


def _with_names(statement: Statement, frame: Frame) -> Statement:
    """ "Names of the patients who…": what people are called, where that is kept, beside who they are."""
    told = frame.world.profile.roles.get("patient")
    if told is None or "name" not in told.fields or not isinstance(statement, Rows) or frame.who is not None:
        return statement
    who = Own("id") if statement.of.unit == PATIENT and Own("id") in statement.columns else Own(PATIENT)
    if statement.of.unit not in UNITS or who not in statement.columns or Own("name") in statement.columns:
        return statement
    words = frame.context.lexed.words
    if not _NAMES & set(words) or not frame.group_said:
        return statement
    frame.pay(_NAMED, "")
    at = statement.columns.index(who) + 1
    return replace(statement, columns=(*statement.columns[:at], Own("name"), *statement.columns[at:]))


def _says_of_whom(statement: Statement, frame: Frame) -> bool:
    """True where everything that is said of the people who are asked about is in the statement."""
    where = frame.group.where if frame.group is not None else None
    return where is None or set(_told(where)) <= set(_told(statement))


def _told(part: object) -> Iterator[object]:
    """What conditions say by themselves: names, comparisons, times."""
    return (one for one in walk(part, _says) if _says(one))


def _says(part: object) -> bool:
    return isinstance(part, Item | Test | Among | Window)


_INVERTS = {"was", "were", "is", "are", "did", "does", "has", "have"}
"""Words that stand behind "when" where it asks, and does not say at what time."""


def _asks_when(frame: Frame, node: Node) -> bool:
    """ "…, and when", "from when to when": a time is asked for."""
    before = set(frame.context.before(node, 1))
    return node.sense == "when" and (node.start == 0 or bool(before & BEFORE_WHEN))


def asks_again_when(words: Sequence[str]) -> bool:
    """ "Did he get it? When was that?": a time is asked for, and not said."""
    return any(one == "when" and then in _INVERTS for one, then in pairwise(words))


def tells_when(statement: Statement) -> bool:
    """True where a time is among what is told, or a time between two moments."""
    if isinstance(statement, Rows | Single | Groups):
        told = (*statement.columns, *(statement.by if isinstance(statement, Groups) else ()))
        return any(of_time(one) for one in told)
    return True


def _over_the_years(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "Her weight over the years": the mean of each; None where no values of one thing are asked for so."""
    words = frame.context.lexed.words
    over = any(word == "over" and words[at + 1 : at + 2] == ("the",) for at, word in enumerate(words))
    valued = [node for node in frame.events if _valued(frame, node)]
    if not over or len(valued) != 1 or len(frame.events) != 1 or valued[0].sense.of.pick is not None:
        return None
    frame.pieces.use(*valued)
    of = whose(frame, attach_to_event(frame, valued[0].sense).of)
    return grouped(frame, of, keys, Aggregate("mean", None, Own("value")))


def _valued(frame: Frame, node: Node) -> bool:
    """True for a name whose records have a value that people ask for."""
    return not node.sense.noun and has_values(frame, node.sense) and not kind_of(node.sense.role).dosed


def _says_nothing(people: Set) -> bool:
    """ "Patients with the longest stay", "with the highest lactate": everybody has one of their own."""
    return any(isinstance(part, Has) and (own_extreme(part.of) or _any_of(part.of)) for part in parts_of(people.where))


def _any_of(of: Set) -> bool:
    """The first or last value of something measured, compared with nothing: whoever has one has such."""
    measured = of.unit not in UNITS and kind_of(of.unit.replace(" ", "_")).measured
    tested = any(isinstance(part, Test) for part in parts_of(of.where))
    return of.pick is not None and of.pick.by is None and measured and not tested


def _of_everybodys_own(statement: Statement, frame: Frame) -> bool:
    """ "Which payer has the longest stays" is not: the payers of the longest stay of each patient."""
    if frame.who is not None or not isinstance(statement, Rows) or not statement.distinct:
        return False
    whose_own = [statement.of, *(getattr(part, "of", None) for part in parts_of(statement.of.where))]
    return Own(PATIENT) not in statement.columns and any(
        isinstance(one, Set)
        and one.unit in UNITS
        and own_extreme(one)
        and one.pick is not None
        and one.pick.per == PATIENT
        for one in whose_own
    )


def _which_untold(statement: Statement, frame: Frame) -> bool:
    """ "Which service has the longest stays" asks for a service, and for no stay."""
    if not isinstance(statement, Rows) or statement.of.unit not in (PATIENT, *UNITS):
        return False
    words, nodes = frame.context.lexed.words, frame.context.lexed.nodes
    return statement.of.pick is not None and any(
        node.kind == "event" and node.sense.noun and words[: node.start][-1:] in (("which",), ("what",))
        for node in nodes
    )


def _of_the_dead(statement: Statement, frame: Frame) -> Statement:
    """What is kept of deaths alone ("the causes of death"), of the dead alone."""
    if not (isinstance(statement, Rows) and statement.of.unit == PATIENT and frame.world.has("death")):
        return statement
    told = [one.field for one in statement.columns if isinstance(one, Own) and one.field != "id"]
    if not told or not all(name.startswith("death ") for name in told) or len(told) + 1 < len(statement.columns):
        return statement
    return replace(statement, of=limited(statement.of, Has(Set("death"))))


def _of_all(statement: Statement, frame: Frame) -> Statement:
    """ "When was the first visit": the first there ever was, where no patients are spoken of."""
    if not isinstance(statement, Rows) or frame.group_said or frame.group is not None or frame.by or statement.order:
        return statement
    of, words = statement.of, frame.context.lexed.words
    if frame.per_patient or any(isinstance(part, Of) and part.of.unit == PATIENT for part in parts_of(of.where)):
        return statement
    if of.pick is None or of.pick.by is not None or of.pick.per != PATIENT or of.pick.nth != 1 or about_one(frame, of):
        return statement
    picks = [leaf for node in frame.pieces.nodes for leaf in node.leaves() if leaf.kind == "pick"]
    if len(picks) != 1 or not _DEFINITE & {*words[: picks[0].end]}:
        return statement
    if any(map(_plural, words[picks[0].end : picks[0].end + _NOUN])):
        return statement
    asks_whose = asked_whose(frame) or bool({"patient", "person"} & set(words))
    columns = [one for one in statement.columns if one not in (Own(PATIENT), *([Own("id")] if asks_whose else []))]
    columns = [Own(PATIENT), *columns] if asks_whose else columns
    return replace(statement, of=replace(of, pick=replace(of.pick, per="all")), columns=tuple(columns))


def _plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "is", "us"))


def _further(frame: Frame, count: Node) -> bool:
    """ "…, and in how many patients": a number that is asked beside another."""
    before = frame.context.lexed.words[max(0, count.start - 4) : count.start + 1]
    return "," in before or bool({"and", "&"} & set(before[-3:]))


def _of_one(frame: Frame, node: Node) -> bool:
    """True for records and stays of patients who are named, or of one who is pointed at, and for stays that are."""
    if any(part.kind == "people" and part.sense.one for part in node.made_of):
        return True
    return about_one(frame, node.sense.of) or (node.kind == "stays" and named_one_by_one(node.sense.of))


def made_of(frame: Frame) -> Statement | None:
    """The statement that the pieces make, by what sort of answer is wanted."""
    for way in (
        *(gaps_in_one_stay, between_stays, _time_between, values_of_stays, counted_in_bands, stay_of_each),
        *(counted_and_measured, latest_and_extreme, first_of_each, _so_many_each, spread_of_counts),
    ):
        if (found := way(frame)) is not None:
            return found
    made = _made_by_keys(frame, keys_of(frame))
    return made if made is None else where_they_are_now(frame.context, made)


def _time_between(frame: Frame) -> Statement | None:
    return time_between(frame) if not frame.by or frame.per_patient else None


def _so_many_each(frame: Frame) -> Statement | None:
    before = frame.state()
    found = so_many_each(frame)
    if found is None:
        frame.restore(before)
    return found


def _made_by_keys(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """The statement of a question that asks for rows, numbers or ranks, in groups by `keys` where there are any."""
    pieces = frame.pieces
    picked = any(node.sense.of.pick is not None for node in frame.events)
    picked = picked or (bool(pieces.of("pick")) and any(_valued(frame, node) for node in frame.events))
    if frame.per_patient and not (frame.count or frame.functions) and picked:
        frame.group_said, frame.group_at = True, len(frame.context.lexed.words)
        return listed(frame)
    if pieces.of("change") and (found := changed(frame)) is not None:
        return found
    if not keys and (found := ends_asked(frame)) is not None:
        return found
    if (found := costs_asked(frame, keys)) is not None:
        return found
    rates = not (frame.superlatives or frame.most) and any(is_rate(frame.context, one) for one in pieces.of("dead"))
    if frame.share and asks_for_amount(frame):
        pieces.use(*frame.share)  # "how much of it was covered"
    elif frame.share or rates:
        pieces.use(*frame.share)
        return (None if keys else share_coming_back(frame)) or shared(frame, keys)
    if not keys and (found := set_against(frame)) is not None:
        return found
    before = frame.state()
    if frame.most and (found := ranked(frame, keys)) is not None:
        return found
    frame.restore(before)
    if not keys and (found := people_by_value(frame)) is not None:
        return found
    frame.restore(before)
    if keys and (found := extreme_of_groups(frame, keys)) is not None:
        return found
    frame.restore(before)
    if frame.superlatives and (found := extreme_group(frame)) is not None:
        return found
    if frame.superlatives and (found := extreme_asked(frame)) is not None:
        return found
    frame.restore(before)
    solid = [node for node in pieces.of("stays") if not node.sense.loose and not node.sense.one]
    lists = len(solid) == 1 and frame.who is None and pieces.of("list") and not (frame.count or keys)
    if lists and (found := value_of_each(frame, solid[0])) is not None:
        return found
    if frame.functions:
        found = reckoned(frame, keys)
        if found is not None:
            return found
    pieces.use(*joined_moments(frame))
    if frame.asks:
        before = frame.state()
        found = questioned(frame, keys)
        if found is not None:
            return found
        frame.restore(before)
    if keys and not frame.count and (found := summed(frame, keys)) is not None:
        return found
    if frame.count and beside_own_numbers(frame):
        pieces.use(*frame.count)
        return listed(frame)
    if frame.count and (found := counted_amounts(frame, keys)) is not None:
        return found
    if frame.count and (found := several_counted(frame)) is not None:
        return found
    if (found := tallied(frame)) is not None:
        return found
    if frame.count and (found := counted_each(frame)) is not None:
        return found
    if keys and not frame.count and (crossed := crossed_with(frame, keys)):
        return counted(frame, crossed)
    if frame.count or (keys and not fields_wanted(frame)):
        if not frame.count and (trend := _over_the_years(frame, keys)) is not None:
            return trend
        if not frame.count and any(_valued(frame, node) for node in frame.events):
            picked = any(node.sense.of.pick is not None for node in frame.events)  # "the last BMI of each year"
            frame.pay(3.2 if picked else 1.8, "keys-without-number")  # "creatinine by gender": which is not said
        if not frame.count and asked_whose(frame):
            frame.pay(1.0, "keys-for-who")
        if any(_further(frame, node) for node in frame.count[1:]):
            frame.pay(1.6, "numbers-merged")
        pieces.use(*frame.count)
        return counted(frame, keys)
    if keys:
        frame.pay(1.8, "keys-without-number")
        return counted(frame, keys)
    if (
        frame.yes
        and not listing(frame)
        and (frame.who is not None or any(_of_one(frame, one) for one in (*frame.events, *frame.stays)))
    ):
        return whether(frame)
    if frame.yes and frame.who is None and not listing(frame) and asks_any(frame):
        return any_such(frame)
    return listed(frame)
