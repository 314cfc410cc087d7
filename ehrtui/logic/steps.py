"""The steps that logic compiles to, and what compiling looks up on the way: the profile, the clock, earlier turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ehrtui.errors import LogicError
from ehrtui.logic.model import Logic, Unit
from ehrtui.schema.profile import PatientTable, Profile, Role, StayKind


@dataclass(frozen=True)
class EarlierTurn:
    """What the logic of a later turn may build on: an earlier turn's own logic and the columns of its result;
    `answered` is False where that is only a guess, which was withheld, `single` True where it has one row."""

    logic: Logic | None
    columns: tuple[str, ...]
    answered: bool = True
    single: bool = False


@dataclass(frozen=True)
class SqlStep:
    """One SELECT, `name`d for later steps; `uses` are the earlier steps that it names."""

    name: str
    sql: str
    uses: tuple[str, ...] = ()


@dataclass
class Compilation:
    """One run of the compiler: where names are looked up, and the steps so far."""

    profile: Profile
    now: str
    turns: Mapping[int, EarlierTurn]
    steps: list[SqlStep] = field(default_factory=list)

    def add(self, name: str, sql: str, *uses: str) -> str:
        """Add a step under `name`, with a number where that is taken; returns the name. The same SQL is one step."""
        same = next((step.name for step in self.steps if step.sql == sql), None)
        if same is not None and name != "answer":
            return same
        taken = {step.name for step in self.steps}
        unique = name
        while unique in taken:
            unique = f"{name}_{len(taken) + 1}"
        self.steps.append(SqlStep(unique, sql, tuple(dict.fromkeys(used for used in uses if used))))
        return unique

    def role(self, name: str) -> Role:
        """The role of that name. Raises LogicError."""
        if name not in self.profile.roles:
            known = ", ".join(role.replace("_", " ") for role in self.profile.roles) or "none"
            raise LogicError(
                f"This database has no records of the kind “{name.replace('_', ' ')}”.",
                why=f"The profile {self.profile.name} knows: {known}.",
            )
        return self.profile.roles[name]

    def column(self, role: Role, role_name: str, name: str) -> str:
        """The column of a role's field. Raises LogicError."""
        own = {"time": role.time, "end time": role.end, "value": role.value, "stay": role.key}
        known = {**own, "patient": role.patient, **role.fields}
        column = known.get(name)
        if not column:
            names = ", ".join(key for key, value in known.items() if value) or "none"
            raise LogicError(
                f"A {role_name.replace('_', ' ')} has no “{name}” in this database.", why=f"Its fields are: {names}."
            )
        return column

    def stay_kind(self, name: str) -> StayKind:
        """The stays "hospital" or "icu". Raises LogicError."""
        if name not in self.profile.stays:
            raise LogicError(f"This database has no {name} stays.", why=f"The profile is {self.profile.name}.")
        return self.profile.stays[name]

    def relation(self, table: str, alias: str = "") -> str:
        """What stands after FROM for a table of the profile."""
        return self.profile.relation(table, alias)

    def patient_table(self) -> PatientTable:
        """Where the patients are. Raises LogicError for a database of an unknown family."""
        if self.profile.patient is None:
            raise LogicError(
                "This database has no clinical profile.",
                why="Nothing tells which table holds the patients.",
                next_step="Write SQL, or give a profile with --profile.",
            )
        return self.profile.patient

    def patient_column(self, role: Role) -> str:
        """The column of a role's records that says whose they are."""
        return role.patient or self.patient_table().id

    def turn(self, number: int) -> EarlierTurn:
        """The earlier turn of that number. Raises LogicError."""
        if number not in self.turns:
            raise LogicError(
                f"There is no answer A{number} to refer to.",
                why="A turn may only refer to earlier turns that have a result.",
                next_step="Refer to one of " + (", ".join(f"A{n}" for n in sorted(self.turns)) or "… none yet") + ".",
            )
        return self.turns[number]


FUNCTIONS = {"minimum": "MIN", "maximum": "MAX", "mean": "AVG", "median": "MEDIAN", "sum": "SUM"}
_GROUPS = {"year": "%Y", "month": "%Y-%m", "week": "%Y-%W", "day": "%Y-%m-%d", "hour": "%Y-%m-%d %H"}


def group_of(column: str, unit: Unit) -> str:
    """The expression that names the calendar unit of a time."""
    return f"strftime('{_GROUPS[unit]}', {column})"


def select(columns: str, table: str, conditions: list[str] | None = None) -> str:
    """A SELECT, one clause a line; empty conditions are left out."""
    where = "\n  AND ".join(condition for condition in conditions or [] if condition)
    return f"SELECT {columns}\nFROM {table}" + (f"\nWHERE {where}" if where else "")


def one_of(literals: list[str]) -> str:
    """The comparison with one literal or several."""
    return f"= {literals[0]}" if len(literals) == 1 else f"IN ({', '.join(literals)})"


def any_of(conditions: list[str]) -> str:
    """The conditions joined by OR."""
    return conditions[0] if len(conditions) == 1 else f"({' OR '.join(conditions)})"


def literal(value: str | int | float) -> str:
    """A value as an SQL literal."""
    return repr(value) if isinstance(value, int | float) else "'" + value.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
