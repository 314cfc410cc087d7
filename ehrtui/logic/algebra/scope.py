"""One set under compilation: its table, what is joined to it, and where its fields are found.

A row's own fields come from the table of its role; those of the stays and of the patient that it belongs to from tables
that are joined when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import singledispatch
from typing import NoReturn

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, UNITS, Measure, Neighbour, Own, PartOf, Picked, Set
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.steps import Compilation
from ehrtui.schema import kinds
from ehrtui.schema.kinds import LEFT_DEAD, Kind, kind_of, role_of_stays
from ehrtui.schema.profile import GUESSED, Profile, Role

_ROLES = {PATIENT: kinds.PATIENT, HOSPITAL: role_of_stays("hospital"), ICU: role_of_stays("icu")}
_NTH = "__row"
_MOMENTS = {
    "admission time": (HOSPITAL, "time"),
    "discharge time": (HOSPITAL, "end time"),
    "icu admission time": (ICU, "time"),
    "icu discharge time": (ICU, "end time"),
}
"""The moments of a stay that its records and it itself have by name."""


@dataclass(frozen=True)
class Holder:
    """Where a field is kept: the unit whose role has it (the row's own where that is a record's role)."""

    unit: str
    column: str


class ManyValues(LogicError):
    """A field of which a patient or a stay has several values, and none was picked; `unit` has one each."""

    def __init__(self, unit: str, field: str, of: str) -> None:
        super().__init__(
            f"{kind_in(of).first_words} may have several values of “{field}”: one for each {unit}.",
            next_step=f"Pick one, as in “{field} of last {unit}”.",
        )
        self.unit = unit


def role_name(unit: str) -> str:
    """The name that profiles have for the role of a unit."""
    return _ROLES.get(unit, unit.replace(" ", "_"))


def kind_in(unit: str) -> Kind:
    """What is true of the records of a unit, and what one is called."""
    return kind_of(role_name(unit))


def no_time(unit: str) -> str:
    """What is said of rows that have no time."""
    return "Patients themselves have no time." if unit == PATIENT else f"{kind_in(unit).first_words} has no time here."


def role_of(profile: Profile, unit: str) -> Role | None:
    """The role whose records are the rows of a unit; None where the profile lacks it."""
    if (role := profile.roles.get(role_name(unit))) is not None:
        return role
    if unit == PATIENT and profile.patient is not None:
        return Role(profile.patient.table, patient=profile.patient.id, fields={"id": profile.patient.id})
    kind = profile.stays.get({HOSPITAL: "hospital", ICU: "icu"}.get(unit, ""))
    if kind is None:
        return None
    stay = "hospital" if unit == HOSPITAL else "icu"
    fields = {"id": kind.id}
    return Role(kind.table, kind.start, kind.end, stay, kind.id, kind.patient, fields=fields)


def add(at: Compilation, name: str, query: exp.Select | exp.SetOperation) -> str:
    """Add a step; what it uses are the steps that it names."""
    if not at.spelled:
        return at.add(name, "")
    steps = {step.name for step in at.steps}
    named = dict.fromkeys(each.name for each in query.find_all(exp.Table) if each.name in steps)
    tables = {role.table for role in at.profile.roles.values()} | set(at.profile.views)
    return at.add(f"{name}_set" if name in tables else name, sql.text_of(query), *named)


_DEATH_TIME = "hospital death time"


@dataclass
class Scope:
    """The rows of one set while its SELECT is put together; what comes before or after a row is looked for `within` its
    patient or stay."""

    at: Compilation
    of: Set
    alias: str = ""
    within: str = PATIENT
    base: Sql | None = None
    joins: dict[str, exp.Join] = field(default_factory=dict)
    neighbours: dict[str, Neighbour] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = role_of(self.at.profile, self.of.unit)
        if found is None:
            known = [role.replace("_", " ") for role in self.at.profile.roles]
            near = get_close_matches(self.of.unit, [*UNITS, *known], 1)
            raise LogicError(
                f"This database has no records of the kind “{self.of.unit[:40]}”.",
                why=f"The profile {self.at.profile.name} knows: {', '.join(known) or 'none'}.",
                next_step=f"Did you mean “{near[0]}”?" if near else "",
            )
        self.role = found
        self.alias = self.alias or role_name(self.of.unit)

    @property
    def unit(self) -> str:
        """The unit of the rows."""
        return self.of.unit

    def source(self) -> Sql:
        """What stands after FROM."""
        if self.base is not None:
            return self.base
        return self._once() if self.repeats() else self.table(self.role.table, self.alias)

    def _once(self) -> Sql:
        """The table with its rows of one patient or stay numbered, where it has several; `query` keeps the first."""
        role = self.role
        key = role.patient if self.unit == PATIENT else role.key
        order = [sql.sorted_by(sql.column("", role.time or key), descending=False)]
        number = sql.over(exp.RowNumber(), [sql.column("", key)], order)
        query = sql.selected([(_NTH, number)], sql.relation(self.at.relation(role.table)))
        query.set("expressions", [exp.Star(), *query.expressions])
        return exp.Subquery(this=query, alias=exp.TableAlias(this=sql.name_of(self.alias)))

    def table(self, name: str, alias: str) -> Sql:
        """A table or view of the profile under an alias."""
        return sql.relation(self.at.relation(name, alias if alias != name else ""))

    def column(self, name: str) -> Sql:
        """A column of the rows' own table."""
        return sql.column(self.alias, name)

    def join(self, alias: str, source: Sql, on: Sequence[Sql]) -> None:
        """Join a relation once, keeping rows that it has nothing for."""
        if alias not in self.joins:
            self.joins[alias] = exp.Join(this=source, side="LEFT", on=sql.every(on))

    def join_step(self, step: str, key: Sql) -> Sql:
        """The `value` of a step that has one row for each `key`, which `key` of this row must equal."""
        self.join(step, sql.table(step), [exp.EQ(this=sql.column(step, "key"), expression=key)])
        return sql.column(step, "value")

    # --- whose the row is ---

    def link(self, unit: str) -> Sql:
        """The identifier of the patient or stay that a row belongs to. Raises LogicError where it belongs to none."""
        if unit == PATIENT:
            return self._patient()
        if unit == HOSPITAL:
            return self._hospital()
        if unit == ICU:
            return self._icu()
        raise LogicError(f"Nothing belongs to {kind_in(unit).in_words}.", next_step="Relate it to a patient or a stay.")

    def key(self) -> Sql:
        """What tells the rows of this unit apart. Raises LogicError for records that nothing numbers."""
        if self.unit == PATIENT:
            return self.link(PATIENT)
        if self.unit in UNITS:
            own = self.role.key or self.role.fields.get("id", "") or self.role.row
            return self.column(own) if own else self.link(PATIENT)  # a stay in the patient's own row
        if not self.role.row:
            raise LogicError(f"Records of the kind “{self.unit}” have no number here that tells them apart.")
        return self.column(self.role.row)

    def _patient(self) -> Sql:
        if self.role.patient:
            return self.column(self.role.patient)
        if self.role.is_register and self.unit not in UNITS:
            raise LogicError(f"{kind_in(self.unit).first_words} belongs to no patient here.")
        if not self.role.stay:
            return self.column(self.at.patient_table().id)
        kind = self.at.stay_kind(self.role.stay)
        return sql.column(self._stay_alias(ICU if self.role.stay == "icu" else HOSPITAL), kind.patient)

    def _hospital(self) -> Sql:
        if self.unit == PATIENT:
            raise ManyValues(HOSPITAL, "id", PATIENT)
        if self.role.stay == "hospital":
            return self.column(self.role.key)
        if self.role.stay == "icu":
            kind = self.at.stay_kind("icu")
            if not kind.hospital:
                raise LogicError("ICU stays do not say which hospital stay they belong to in this database.")
            if kind.table == self.role.table:
                return self.column(kind.hospital)
            return sql.column(self._stay_alias(ICU), kind.hospital)
        return sql.column(self._stay_alias(HOSPITAL), self.at.stay_kind("hospital").id)

    def _icu(self) -> Sql:
        if self.unit in (PATIENT, HOSPITAL):
            raise ManyValues(ICU, "id", self.unit)
        if self.role.stay == "icu":
            return self.column(self.role.key)
        return sql.column(self._stay_alias(ICU), self.at.stay_kind("icu").id)

    def _stay_alias(self, unit: str) -> str:
        """Join the stays of a kind, by their key where records have it, else by the time; returns the alias. Records
        without a date are those of every ICU stay of their hospital stay."""
        name = "hospital" if unit == HOSPITAL else "icu"
        kind, role = self.at.stay_kind(name), role_of(self.at.profile, unit)
        source = role.table if role is not None else kind.table
        if self.unit == unit:
            return self.alias
        if name in self.joins:
            return name
        own_kind = self.at.stay_kind(self.role.stay) if self.role.stay else None
        if (
            unit == HOSPITAL
            and own_kind is not None
            and role is not None
            and role.table == own_kind.table != kind.table
        ):
            return self._stay_alias(ICU)
        start, end = sql.column(name, kind.start), sql.column(name, kind.end)
        if self.role.stay == name:
            on: list[Sql] = [exp.EQ(this=sql.column(name, kind.id), expression=self.column(self.role.key))]
        elif self.role.stay:
            hospital = self.link(HOSPITAL)
            if unit == HOSPITAL and role is not None and own_kind is not None and role.table == own_kind.table:
                return self._stay_alias(ICU)
            held = kind.id if unit == HOSPITAL else kind.hospital
            on = [exp.EQ(this=sql.column(name, held), expression=hospital)]
        else:
            on = [exp.EQ(this=sql.column(name, kind.patient), expression=self.link(PATIENT))]
        whole = bool(self.role.stay) and (unit == HOSPITAL or self.role.undated)
        if self.role.stay != name and not whole:
            if not self.role.time:
                raise LogicError(f"Records of the kind “{self.unit}” have neither a time nor {kind_in(unit).in_words}.")
            time = self.column(self.role.time)
            on.append(exp.GTE(this=time, expression=start))
            until = exp.Or(this=exp.LTE(this=time, expression=end), expression=sql.missing(end))
            on.append(exp.Paren(this=until))
        self.join(name, self.table(source, name), on)
        return name

    # --- fields ---

    def holder(self, name: str) -> Holder | None:
        """Where a field is kept: with the row itself, else with the stays or the patient; None where nowhere."""
        role = self.role
        own = {
            "time": role.time,
            "end time": role.end,
            "value": self._value_column(),
            "name": role.item if role.item and role.dictionary is None else "",
            **role.wide,  # what a row measured beside other things, by its name
            **role.fields,
        }
        if own.get(name):
            return Holder(self.unit, own[name])
        for unit in (HOSPITAL, ICU, PATIENT):
            other = role_of(self.at.profile, unit)
            if unit != self.unit and other is not None and name in other.fields and name != "id":
                return Holder(unit, other.fields[name])
        return None

    def own(self, name: str) -> Sql:
        """The value of a field of the row, of its stay or of its patient.

        Raises ManyValues where the row has several, LogicError where nothing is kept under that name.
        """
        if name == "now":
            return sql.literal(self.at.now)
        if name == "id":
            return self.key() if self.unit in UNITS or self.role.row else self._missing(name)
        if name in UNITS:
            return self.link(name)
        if name in ("item", "stay"):
            column = self.role.item if name == "item" else self.role.key
            return self.column(column) if column else self._missing(name)
        if name == "cost" and self.holder(name) is None:
            return self._cost()
        if name == "name" and (self.role.dictionary is not None or self.role.wide):
            return self._name()
        if name == "length" and self.role.time:
            return sql.between_moments(self._moment("time"), self._moment("end time"), "day")
        if name == "death time":
            return self._death_of_stay()
        if name in _MOMENTS and self.holder(name) is None:
            unit, moment = _MOMENTS[name]
            return self._stay_moment(unit, moment)
        if name == "hospital death" and self.holder(name) is None:
            return self._died_in_hospital()
        found = self.holder(name)
        if name in self.fields_of_items() and (found is None or found.unit != self.unit):
            return self._of_item(self.fields_of_items()[name])
        if found is None:
            self._missing(name)
        if found.unit == self.unit:
            return self.column(found.column)
        return self._of_holder(found, name)

    def _value_column(self) -> str:
        role = self.role
        if not role.wide:
            return role.value
        columns = [role.wide[item.text] for item in self.of.items if item.kind == "name" and item.text in role.wide]
        return columns[0] if len(columns) == 1 else ""

    def _moment(self, name: str) -> Sql:
        column = self.role.time if name == "time" else self.role.end
        return self.column(column) if column else self._missing(name)

    def _of_holder(self, found: Holder, name: str) -> Sql:
        if found.unit == PATIENT:
            return self._of_patient(found.column)
        rank = (PATIENT, HOSPITAL, ICU)
        if self.unit in rank and rank.index(found.unit) > rank.index(self.unit):
            raise ManyValues(found.unit, name, self.unit)
        return sql.column(self._stay_alias(found.unit), found.column)

    def _of_patient(self, column: str) -> Sql:
        role = role_of(self.at.profile, PATIENT)
        assert role is not None  # it holds the field
        stay = self.at.profile.stays.get(self.role.stay)
        if role.table == self.role.table:
            return self.column(column)
        if stay is not None and stay.table == role.table:  # one row a stay, with what is known of the patient
            return sql.column(self._stay_alias(ICU if self.role.stay == "icu" else HOSPITAL), column)
        on = exp.EQ(
            this=sql.column("person", role.patient or self.at.patient_table().id), expression=self.link(PATIENT)
        )
        self.join("person", self.table(role.table, "person"), [on])
        return sql.column("person", column)

    def _stay_moment(self, unit: str, moment: str) -> Sql:
        kind = self.at.stay_kind("hospital" if unit == HOSPITAL else "icu")
        name = kind.start if moment == "time" else kind.end
        if moment != "time" and kind.end == kind.start:
            self._missing("end time")
        if self.unit == unit:
            return self._moment(moment)
        rank = (PATIENT, HOSPITAL, ICU)
        if self.unit in rank and rank.index(unit) > rank.index(self.unit):
            raise ManyValues(unit, f"{unit.split()[0]} {moment}", self.unit)
        return sql.column(self._stay_alias(unit), name)

    def _death_of_stay(self) -> Sql:
        """When the patient died: to the minute where a stay keeps that, since of patients often the day alone is."""
        died = self._death()
        if self.unit == PATIENT or self.holder(_DEATH_TIME) is None:
            return died
        return exp.Coalesce(this=self.own(_DEATH_TIME), expressions=[died])

    def _death(self) -> Sql:
        role = self.at.role(kinds.DEATH)
        if not role.time:
            raise LogicError(no_time("death"))
        patient = sql.column("", self.at.patient_column(role))
        where = [sql.present(sql.column("", role.time))]
        if role.where:
            where.append(sql.fragment(role.where, ""))
        first = exp.Min(this=sql.column("", role.time))
        source = sql.relation(self.at.relation(role.table))
        deaths = sql.selected([("key", patient), ("value", first)], source, where=where, group=[patient])
        return self.join_step(add(self.at, "deaths", deaths), self.link(PATIENT))

    def _cost(self) -> Sql:
        """What was charged for the record."""
        costs, role = self.at.profile.costs, role_name(self.unit)
        if costs is None or role not in costs.kinds or not self.role.row:
            raise LogicError(f"This database has no costs of {kind_in(self.unit).in_words}.")
        on = [
            exp.EQ(this=sql.column("charge", costs.kind), expression=sql.literal(costs.kinds[role])),
            exp.EQ(this=sql.column("charge", costs.record), expression=self.column(self.role.row)),
        ]
        self.join("charge", self.table(costs.table, "charge"), on)
        return sql.column("charge", costs.value)

    def _died_in_hospital(self) -> Sql:
        if self.unit == PATIENT:
            raise ManyValues(HOSPITAL, "hospital death", PATIENT)
        died, start, end = self._death(), self.own("admission time"), self.own("discharge time")
        # A death may be kept as a day only.
        day = call_date(died)
        within = [
            exp.GTE(this=day, expression=call_date(start)),
            exp.Paren(this=exp.Or(this=exp.LTE(this=day, expression=call_date(end)), expression=sql.missing(end))),
        ]
        found = sql.every(within)
        assert found is not None
        if self.holder("discharge location") is not None:  # which is kept of the stay, to the minute at which it ended
            left = exp.Lower(this=self.own("discharge location"))
            went = exp.In(this=left, expressions=[sql.literal(word) for word in LEFT_DEAD])
            found = exp.Or(this=exp.Paren(this=found), expression=went)
        return sql.case([(found, sql.literal(1))], sql.literal(0))

    def _name(self) -> Sql:
        if self.role.wide:
            return sql.literal(" or ".join(item.text for item in self.of.items) or self.unit)
        assert self.role.dictionary is not None
        return self._of_item(self.role.dictionary.name)

    def fields_of_items(self) -> Mapping[str, str]:
        """The fields that the dictionary keeps for the items, with their columns."""
        return self.role.dictionary.fields if self.role.dictionary is not None else {}

    def _of_item(self, column: str) -> Sql:
        """What the dictionary says in a column of the row's item."""
        entry = self.role.dictionary
        assert entry is not None
        on: list[Sql] = [exp.EQ(this=sql.column("item", entry.key), expression=self.column(self.role.item))]
        if entry.where:
            on.append(sql.fragment(entry.where, "item"))
        self.join("item", self.table(entry.table, "item"), on)
        return sql.column("item", column)

    def _missing(self, name: str) -> NoReturn:
        role = self.role
        own = {"time": role.time, "end time": role.end, "value": role.value or role.wide, "name": role.item}
        known = [*(key for key, column in own.items() if column), *role.fields, *self.fields_of_items()]
        for unit in (HOSPITAL, PATIENT):
            other = role_of(self.at.profile, unit)
            if other is not None and unit != self.unit:
                known += [key for key in other.fields if key != "id"]
        raise LogicError(
            f"{kind_in(self.unit).first_words} has no “{name[:40]}” in this database.",
            why=f"Its fields, and those of its stay and patient, are: {', '.join(dict.fromkeys(known)) or 'none'}.",
            next_step=self._instead(name, known),
        )

    def _instead(self, name: str, known: list[str]) -> str:
        """What may have been meant by a field that the row has not: one of those `known`, or one of its records."""
        if near := get_close_matches(name, known, 1):
            return f"Did you mean “{near[0]}”?"
        kinds = [kind for kind, role in self.at.profile.roles.items() if name == "value" and (role.value or role.wide)]
        kinds += [kind for kind, role in self.at.profile.roles.items() if name in role.fields]
        if not kinds or self.unit not in UNITS:
            return ""
        kind = "lab" if "lab" in kinds else kinds[0].replace("_", " ")
        having = f"{self.unit}s with ({kind} … where {name} …)"
        return f"{kind_in(kind).first_words} has one: {having}, or {name} of last {kind} …"

    # --- the statement ---

    def query(self, columns: list[tuple[str, Sql]], where: list[Sql], *, distinct: bool = False) -> exp.Select:
        """The SELECT of these columns over the rows."""
        if self.role.where:
            where = [sql.fragment(self.role.where, self.alias), *where]
        if kind_in(self.unit).dated and self.role.time:
            happened = sql.present(self.column(self.role.time))
            where = where if happened in where else [happened, *where]
        if self.at.profile.name == GUESSED and self.unit in UNITS:
            where = [sql.present(self.key()), *where]  # nothing vouches for the column
        if self.repeats():
            where = [exp.EQ(this=self.column(_NTH), expression=sql.literal(1)), *where]
        return sql.selected(columns, self.source(), joins=list(self.joins.values()), where=where, distinct=distinct)

    def repeats(self) -> bool:
        """True where the table has several rows for one row of the unit: one a stay for a patient."""
        profile = self.at.profile
        if self.unit == PATIENT:
            return any(self.role.table == stay.table for stay in profile.stays.values())
        icu = profile.stays.get("icu")
        return self.unit == HOSPITAL and icu is not None and icu.table == self.role.table


def call_date(time: Sql) -> Sql:
    """The day of a time."""
    return sql.call("date", time)


@singledispatch
def value(measure: Measure, scope: Scope) -> Sql:
    """The SQL of a measure of the rows of a scope; what it needs is joined. Raises LogicError."""
    raise LogicError(f"{type(measure).__name__} is no measure.")


def spelled(measure: Measure, scope: Scope) -> bool:
    """True for a number that is stored as text, or read from one."""
    if isinstance(measure, PartOf):
        return measure.part == "year"
    if isinstance(measure, Picked):
        return spelled(measure.measure, Scope(scope.at, measure.of))
    if isinstance(measure, Neighbour):
        return spelled(measure.measure, scope if measure.of is None else Scope(scope.at, measure.of))
    found = scope.holder(measure.field) if isinstance(measure, Own) else None
    role = role_of(scope.at.profile, found.unit) if found is not None else None
    return found is not None and role is not None and found.column in role.spelled


def number(measure: Measure, scope: Scope) -> Sql:
    """The SQL of a measure where a number is wanted. Raises LogicError."""
    found = value(measure, scope)
    return sql.real(found) if spelled(measure, scope) else found


@singledispatch
def holds(condition: object, scope: Scope) -> Sql:
    """The SQL of a condition on the rows of a scope; what it needs is joined. Raises LogicError."""
    raise LogicError(f"{type(condition).__name__} is no condition.")


@singledispatch
def single(statement: object, at: Compilation) -> str:
    """The step of a statement of one row and one column, `value`. Raises LogicError."""
    raise LogicError(f"{type(statement).__name__} is no statement.")
