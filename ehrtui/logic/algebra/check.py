"""What a statement must be before it is compiled: units that fit, measures of the right type, picks with an order.

Types of measures are "number", "text", "time", "truth" (1 or 0), "identifier", and "any" where the profile does not
tell. Every complaint says where in the text it arose, when the statement was text, and what would be right.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Literal, NoReturn, TypeAlias

from ehrtui.errors import LogicError
from ehrtui.logic import instants
from ehrtui.logic.algebra.items import about
from ehrtui.logic.algebra.model import (
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
    Difference,
    Groups,
    Has,
    Histogram,
    InAnswer,
    Interval,
    Is,
    Like,
    Listing,
    Math,
    Mortality,
    Named,
    Near,
    Neighbour,
    Not,
    Of,
    Order,
    Overlap,
    Own,
    PartOf,
    Pick,
    Picked,
    Prevalence,
    Related,
    Rows,
    Set,
    Single,
    Standing,
    Summary,
    Survival,
    Test,
    TimeTo,
    Value,
    Whether,
    Workflow,
)
from ehrtui.logic.algebra.places import Places
from ehrtui.logic.algebra.scope import ManyValues, Scope, kind_in, role_of, spelled
from ehrtui.logic.algebra.sets import of_row
from ehrtui.logic.model import Window
from ehrtui.logic.steps import Compilation
from ehrtui.schema.profile import Profile

Type: TypeAlias = Literal["number", "text", "time", "truth", "identifier", "any"]

_NUMBERS = ("sum", "mean", "median", "sd", "iqr", "percentile")
"""What can be made of numbers alone."""
_NUMBERED = ("value", "age", "length", "rank", "cost")
_NUMERIC = ("number", "truth", "any")
_DATED = re.compile(r"\d{4}(-\d{2}(-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?)?)?")
_TIMED = re.compile(r"\d{2}:\d{2}(:\d{2})?")


def check(statement: object, profile: Profile, now: str, places: Places | None = None) -> None:
    """Raises LogicError, with the position where `places` knows it, for a statement that cannot mean anything."""
    _Check(profile, now, places or Places()).statement(statement)


class _Check:
    """One pass over a statement."""

    def __init__(self, profile: Profile, now: str, places: Places) -> None:
        self.profile = profile
        self.now = now
        self.places = places

    def fail(self, node: object, what: str, *, why: str = "", next_step: str = "") -> NoReturn:
        raise LogicError(what, why=why, next_step=next_step, position=self.places.of(node))

    def at(self, node: object, error: LogicError) -> NoReturn:
        """Raises an error that arose at a node."""
        if error.position is None:
            error.position = self.places.of(node)
        raise error

    # --- statements ---

    def statement(self, node: object) -> None:
        match node:
            case Rows(of=of, columns=columns, order=order):
                self.set(of)
                for one in columns:
                    self.column(one, of)
                self.order(order, of)
            case Groups(of=of, by=by, columns=columns, having=having, order=order):
                self.set(of)
                for one in by:
                    self.type(one, of, several=True)
                for one in columns:
                    self.type(one, of, several=True)
                self.having(having, of)
                self.order(order, of, group=True)
                if order is not None and order.each and len(by) == 1:
                    self.fail(order, "The first in each are told of two keys.", next_step="by gender, name")
            case Single(columns=columns):
                for one in columns:
                    self.type(one, None)
            case Combined(left=left, operator=operator, right=right):
                self.statement(left)
                self.statement(right)
                self.both(node, left, operator, right)
            case Difference(number=number, left=left, right=right):
                for of in (left, right):
                    self.set(of)
                    self.type(number, of)
            case Standing(measure=measure, of=of):
                self.set(of)
                self.numeric(measure, of, "Where a value stands")
            case Survival(of=of, then=then):
                self.set(of)
                if then is not None:
                    self.set(then)
            case Mortality(of=of):
                self.set(of)
            case (
                Listing()
                | Summary()
                | Arms()
                | Characteristics()
                | Histogram()
                | Prevalence()
                | TimeTo()
                | Attrition()
                | Overlap()
            ):
                self.workflow(node)
            case Answer(nth=0):
                self.fail(node, "Rows of an answer are counted from 1.", next_step="row 1 of …")

    def workflow(self, node: Workflow) -> None:
        """Check what is asked of cohorts: of patients or stays, all of one kind."""
        match node:
            case Summary(of=of):
                self.members(node, of, "A summary is of patients or stays.", "summary of (patients with …)")
            case Listing(of=of, lacking=lacking):
                self.members(node, of, "Patients and stays are listed so.", f"value, time of {of.unit} …")
                if lacking is not None:
                    self.set(lacking)
            case Attrition(of=of, steps=steps):
                said = "Patients or stays are left, not records."
                self.members(node, of, said, "attrition of (patients with …)")
                for step in steps:
                    self.condition(step, of)
            case Histogram(measure=measure, of=of, width=width):
                self.set(of)
                self.numeric(measure, of, "What is put into bins")
                if width is not None and width <= 0:
                    self.fail(node, "A bin must have a width above 0.", next_step="histogram in bands of 5 of …")
            case Prevalence(condition=condition, of=of, by=by):
                self.set(of)
                self.condition(condition, of)
                for key in by:
                    self.type(key, of, several=True)
            case Overlap(left=left, right=right):
                self.cohorts(node, (left, right), "Patients and stays do not overlap.")
            case Arms(of=cohorts, columns=columns):
                self.cohorts(node, cohorts, "The cohorts must be of one kind.")
                for cohort in cohorts:
                    for number in columns:
                        self.type(number, cohort.of, several=True)
            case TimeTo(of=cohorts, event=event, start=start, until=until, within=within):
                self.cohorts(node, cohorts, "The cohorts must be of one kind.")
                if within is not None and within <= 0:
                    self.fail(node, "An event comes within more than 0 units.", next_step="… in days within 30 of …")
                for cohort in cohorts:
                    for moment in (event, start, until):
                        if self.type(moment, cohort.of) not in ("time", "any"):
                            self.fail(moment, "That is no moment.", next_step="time to (death time) from …")
            case Characteristics(of=cohorts, more=more):
                self.cohorts(node, cohorts, "The cohorts of a table must be of one kind.")
                for cohort in cohorts:
                    for one in more:
                        self.numeric(one, cohort.of, "What a table tells of cohorts")

    def members(self, node: object, of: Set, what: str, next_step: str) -> None:
        """A set of patients or stays."""
        self.set(of)
        if of.unit not in UNITS:
            self.fail(node, what, next_step=next_step)

    def cohorts(self, node: object, cohorts: tuple[Cohort, ...], what: str) -> None:
        """Sets of patients, or of stays of one kind."""
        for cohort in cohorts:
            self.members(node, cohort.of, "A cohort has patients or stays.", "(patients with …)")
        units = sorted({f"{cohort.of.unit}s" for cohort in cohorts})
        if len(units) > 1:
            self.fail(node, what, why=f"These are {' and '.join(units)}.", next_step="Ask for patients of each.")

    def both(self, node: object, left: object, operator: str, right: object) -> None:
        if operator == "beside" or not (isinstance(left, Rows) and isinstance(right, Rows)):
            return
        units = [one.of.unit for one in (left, right) if one.columns == (Own("id"),)]
        if len(units) == 2 and units[0] != units[1]:
            self.fail(
                node,
                f"{units[0].capitalize()}s and {units[1]}s cannot be joined by “{operator}”.",
                why="Their identifiers are of different things.",
                next_step=f"Ask both for {units[0]}s.",
            )

    def order(self, order: Order | None, of: Set, *, group: bool = False) -> None:
        if order is None:
            return
        if order.first is not None and order.first < 1:
            self.fail(order, "At least one row must be asked for.", next_step="first 5")
        if not group or not (isinstance(order.by, Aggregate) and order.by.of is None):
            self.type(order.by, of, several=True)

    def having(self, having: object, of: Set) -> None:
        for node in of_row(having):
            if isinstance(node, Aggregate):
                self.type(node, of if node.of is None else None, several=True)

    def column(self, measure: Any, of: Set) -> None:
        """A column of rows: what a patient has at each stay is shown as it was at the last."""
        self.type(measure, of, several=isinstance(measure, Own))

    # --- sets ---

    def set(self, of: Set) -> Scope:
        """Check a set; returns its scope."""
        scope = self.scope(of)
        try:
            about(scope, of.items)
        except LogicError as error:
            self.at(of.items, error)
        if of.where is not None:
            self.condition(of.where, of)
        if of.pick is not None:
            self.pick(of.pick, of)
        return scope

    def scope(self, of: Set) -> Scope:
        try:
            return Scope(Compilation(self.profile, self.now, {}), of)
        except LogicError as error:
            self.at(of, error)

    def pick(self, pick: Pick, of: Set) -> None:
        if pick.nth < 1:
            self.fail(of, "Rows are counted from 1.", next_step=f"first {of.unit}")
        if pick.by is not None:
            if self.type(pick.by, of) == "text":
                self.fail(of, "Texts have no highest and lowest.", next_step=f"highest {of.unit}")
            return
        role = role_of(self.profile, of.unit)
        if of.unit == PATIENT or role is None or not role.time:
            word = "last" if pick.descending else "first"
            self.fail(
                of,
                f"{of.unit.capitalize()}s have no order of their own here: which is the {word} is not said.",
                next_step=f"{'highest' if pick.descending else 'lowest'} {of.unit} (…), by a measure in parentheses",
            )

    # --- conditions ---

    def condition(self, node: Any, of: Set) -> None:
        match node:
            case All(of=parts) | AnyOf(of=parts):
                for one in parts:
                    self.condition(one, of)
            case Not(of=one):
                self.condition(one, of)
            case Test(left=left, right=right):
                self.comparable(node, left, right, of)
            case Among(measure=measure, values=values):
                for each in values:
                    self.comparable(node, measure, Value(each), of)
            case Like(measure=measure):
                if (kind := self.type(measure, of, several=True)) not in ("text", "any"):
                    self.fail(
                        node,
                        f"Only a text is like a pattern, and this is {_A[kind]}.",
                        next_step='discharge location like "*home*"',
                    )
            case Is(measure=measure, state=state):
                kind = self.type(measure, of, several=True)
                if state == "open" and kind not in ("time", "any"):
                    self.fail(node, "Only a time can be open.", next_step="end time is open")
            case Has(of=inner, times=times):
                self.owned(node, inner, of)
                self.set(inner)
                if times is not None and times.within is not None and (times.of != "times" or times.running):
                    self.fail(
                        node,
                        "How often within a time counts records alone.",
                        next_step="at least 2 within 3 days (…)",
                    )
                if times is not None and times.count < 0:
                    self.fail(node, "How often is counted from 0.", next_step="at least 2 …")
            case Of(of=inner) if inner.unit == of.unit and inner.unit not in UNITS:
                if inner.pick is not None:
                    self.fail(node, "What is picked is no kind.", next_step=f"among {inner.unit} “…”")
                self.set(inner)
            case Of(of=inner):
                self.owned(node, of, inner)
                self.belongs(node, of, inner.unit)
                self.set(inner)
            case InAnswer(unit=unit):
                if unit in UNITS:
                    self.belongs(node, of, unit)
            case Near(moment=moment):
                self.timed(node, of)
                if self.type(moment, of) not in ("time", "any"):
                    self.fail(moment, "That is no moment.", next_step="Name a time, such as admission time.")
            case Related(event=event):
                self.timed(node, of)
                self.set(event)
            case Window():
                self.timed(node, of)
                try:
                    instants.conditions(node, self.now)
                except LogicError as error:
                    self.at(node, error)

    def belongs(self, node: object, of: Set, unit: str) -> None:
        """That rows of a set belong to one patient or stay of a unit."""
        if unit not in UNITS:
            self.fail(
                node,
                f"Nothing belongs to {kind_in(unit).in_words}.",
                next_step=f"Say how they lie in time: within 2 days of ({unit})",
            )
        if of.unit in UNITS and UNITS.index(unit) > UNITS.index(of.unit):
            self.fail(
                node,
                f"{kind_in(of.unit).first_words} belongs to no {unit}: it has several of them.",
                why=f"{kind_in(of.unit).first_words} is needed here, or a condition on what it has.",
                next_step=f"{of.unit}s with ({unit} …)",
            )

    def owned(self, node: object, of: Set, by: Set) -> None:
        """That records of a set are somebody's: a register is nobody's."""
        role = role_of(self.profile, of.unit)
        if role is not None and role.is_register and of.unit not in UNITS:
            self.fail(node, f"{kind_in(of.unit).first_words} belongs to no {by.unit} here.")

    def timed(self, node: object, of: Set) -> None:
        role = role_of(self.profile, of.unit)
        if of.unit == PATIENT or role is None or not role.time:
            self.fail(
                node,
                "Patients themselves have no time."
                if of.unit == PATIENT
                else f"{kind_in(of.unit).first_words} has no time here.",
                next_step="Put the time into a condition: patients with (hospital stay in 2104)",
            )

    def comparable(self, node: object, left: Any, right: Any, of: Set) -> None:
        one, other = self.type(left, of, several=True), self.type(right, of, several=True)
        for kind, measure, said in ((one, left, right), (other, right, left)):
            if kind == "time" and isinstance(said, Value) and not self.dated(measure, said):
                self.fail(node, "A time is compared with a time.", next_step='time >= "2104-05-03 09:00:00"')
            if kind in ("number", "truth") and isinstance(said, Value) and isinstance(said.value, str):
                self.fail(
                    node, f"A number is compared with the text “{said.value}”.", next_step="Write a number, as in > 5"
                )
            if kind == "text" and isinstance(said, Value) and not isinstance(said.value, str):
                self.fail(node, f"A text is compared with the number {said.value:g}.", next_step='Write it as "…"')
        kinds = {one, other} - {"any"}
        if kinds == {"time", "number"} and not isinstance(left, Value) and not isinstance(right, Value):
            self.fail(node, "A time is compared with a number.", next_step="days from … to …")

    def dated(self, measure: object, said: Value) -> bool:
        form = _TIMED if isinstance(measure, PartOf) and measure.part == "time of day" else _DATED
        whole = isinstance(measure, PartOf) and isinstance(said.value, int)
        return whole or (isinstance(said.value, str) and form.match(said.value) is not None)

    # --- measures ---

    def type(self, node: Any, of: Set | None, *, several: bool = False) -> Type:
        """The type of a measure of the rows of a set, or of no row where there is none; `several`: a field that a
        patient has at each stay may stand here."""
        match node:
            case Own():
                return self.field(node, of, several=several)
            case Value(value=held):
                return "text" if isinstance(held, str) else "number"
            case Aggregate():
                return self.aggregate(node, of, several=several)
            case Picked(measure=measure, of=inner):
                self.picked(node)
                self.set(inner)
                return self.type(measure, inner)
            case Interval(start=start, end=end):
                for moment in (start, end):
                    if self.type(moment, of, several=several) not in ("time", "any"):
                        self.fail(moment, "An interval lies between two times.", next_step="days from … to …")
                return "number"
            case Age(at=moment) | PartOf(time=moment):
                if self.type(moment, of, several=several) not in ("time", "any"):
                    self.fail(moment, "That is no time.", next_step="Name a time, such as admission time.")
                return "number" if isinstance(node, Age) or node.part in ("month of year", "hour of day") else "any"
            case Math(operator=operator, left=left, right=right):
                self.numeric(left, of, "What is reckoned with", several=several)
                self.numeric(right, of, "What is reckoned with", several=several)
                if operator == "%":
                    self.share(node, left, right)
                return "number"
            case Whether(condition=condition):
                if of is not None:
                    self.condition(condition, of)
                elif isinstance(condition, Has):
                    self.set(condition.of)
                return "truth"
            case Neighbour(measure=measure, which=which):
                if not isinstance(measure, Own):
                    self.fail(node, f"Only a field of the {which} row can be asked for.", next_step=f"{which} value")
                return self.neighbour(node, of)
            case Band():
                return self.band(node, of, several=several)
            case Single(columns=(one,)):
                return self.type(one, None)
            case Named(name=name, meaning=None):
                self.fail(
                    node,
                    f"There is no measure “{name[:80]}” here.",
                    next_step="`ehrtui concepts list --kind measure` lists them",
                )
            case Named(meaning=meaning):
                return self.type(meaning, of, several=several)
        self.statement(node)
        return "any"

    def numeric(self, node: Any, of: Set | None, what: str, *, several: bool = False) -> None:
        if (kind := self.type(node, of, several=several)) not in _NUMERIC:
            said = f" “{node.field}” is {_A[kind]}." if isinstance(node, Own) else f" This is {_A[kind]}."
            self.fail(node, f"{what} must be a number.{said}", next_step="Take a number, such as value, age or length.")

    def aggregate(self, node: Aggregate, of: Set | None, *, several: bool) -> Type:
        inner = of if node.of is None else node.of
        if node.function == "share":
            if node.of is not None:
                self.fail(node, "A share is of a group.", next_step="count, share of … by …, or percent (…) of …")
            return "number"
        if node.of is not None:
            several = False
        if isinstance(inner, Set):
            if node.of is not None:
                self.set(inner)
        elif inner is not None:
            self.statement(inner)
            return "any" if node.function in ("minimum", "maximum") else "number"
        if node.function == "percentile" and not 0 <= (node.argument if node.argument is not None else -1) <= 100:
            self.fail(node, "A percentile lies between 0 and 100.", next_step="percentile 90 value of …")
        if node.measure is None:
            if node.function != "count":
                self.fail(node, f"A {node.function} of what is not said.", next_step=f"{node.function} value of …")
            return "number"
        if inner is None:
            self.fail(node, "A number over nothing.", next_step="Say of what: count of patients …")
        if node.function == "percent":
            self.condition(node.measure, inner)
            return "number"
        if node.function in _NUMBERS:
            self.numeric(node.measure, inner, f"What a {node.function} is taken of", several=several)
            return "number"
        kind = self.type(node.measure, inner, several=several)
        if node.function == "listed":
            return "text"
        return kind if node.function in ("minimum", "maximum") else "number"

    def picked(self, node: Picked) -> None:
        pick, unit = node.of.pick, node.of.unit
        if pick is None:
            self.fail(
                node.of,
                f"Which {unit} of several is meant is not said.",
                next_step=f"first, last, highest or lowest {unit}, or a number over them: mean value of {unit}",
            )
        if pick.through and pick.nth > 1:
            self.fail(
                node.of, "Only one row can be picked here.", next_step="Ask for a number over them, or for one of them."
            )

    def neighbour(self, node: Neighbour, of: Set | None) -> Type:
        if node.of is None:
            return self.type(node.measure, of)
        if of is not None:
            self.timed(node, of)
        if node.of.pick is not None:
            self.fail(
                node.of,
                f"The {node.which} one is picked already, by its time.",
                next_step=f"{node.which} time of {node.of.unit}",
            )
        self.set(node.of)
        self.timed(node.of, node.of)
        return self.type(node.measure, node.of)

    def band(self, node: Band, of: Set | None, *, several: bool) -> Type:
        self.numeric(node.measure, of, "What is put into bands", several=several)
        if node.width is not None:
            if node.width <= 0:
                self.fail(node, "A band must have a width above 0.", next_step="bands of 10 of age")
            return "number"
        if not node.edges or any(low >= high for low, high in pairwise(node.edges)):
            shown = ", ".join(f"{edge:g}" for edge in sorted(set(node.edges))) or "18, 40, 65"
            self.fail(
                node,
                "Bands must begin one after another, each above the last; these overlap.",
                next_step=f"bands {shown} of …",
            )
        return "text"

    def share(self, node: object, left: object, right: object) -> None:
        """That a share is of the same kind of thing."""
        one, other = _counted(left), _counted(right)
        if one and other and one != other:
            self.fail(
                node,
                f"{one.capitalize()}s are no share of {other}s.",
                why="Both numbers of a share must count the same.",
                next_step=f"Count {other}s in both, as in: percent (with …) of {other}s",
            )

    def field(self, node: Own, of: Set | None, *, several: bool) -> Type:
        name = node.field
        if name == "now":
            return "time"
        if of is None:
            self.fail(
                node,
                f"“{name}” alone belongs to a row, and here there is none.",
                next_step=f"Say of what: mean {name} of …, or {name} of last …",
            )
        scope = self.scope(of)
        try:
            scope.own(name)
        except ManyValues as many:
            if not several:
                self.at(node, many)
            scope = self.scope(Set(many.unit))
        except LogicError as error:
            self.at(node, error)
        return self.stored(name, scope)

    def stored(self, name: str, scope: Scope) -> Type:
        """The type of a field, by what the profile tells of it."""
        if name in ("id", *UNITS, "item", "stay"):
            return "identifier"
        if name == "hospital death":
            return "truth"
        if spelled(Own(name), scope):
            return "any"
        if name in _NUMBERED:
            return "number"
        if name == "time" or name.endswith((" time", " date")):
            return "time"
        held = scope.holder(name)
        role = role_of(self.profile, held.unit) if held is not None else None
        worded = {column for columns in self.profile.shareable.values() for column in columns}
        said = held is not None and role is not None and (name in role.said or held.column in worded)
        return "text" if name in ("name", "gender", "text") or said else "any"


_A = {"number": "a number", "truth": "a number", "text": "a text", "time": "a time", "identifier": "an identifier"}


def _counted(node: object) -> str:
    """The unit that a number counts; "" where it counts none."""
    match node:
        case Aggregate(function="count", of=Set(unit=unit)):
            return unit
        case Aggregate(function="distinct", of=Set(), measure=Own(field=field)) if field in UNITS:
            return field
    return ""
