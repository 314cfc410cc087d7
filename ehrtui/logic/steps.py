"""The steps that logic compiles to, and what compiling looks up on the way: the profile, the clock, earlier turns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace

from ehrtui.errors import LogicError
from ehrtui.logic.model import Logic
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.profile import PatientTable, Profile, Role, StayKind

CONTEXT = "context"
"""The step whose first columns are those of the answer, and the others what people need beside them."""
DEEPEST = 40
"""So many turns may build on each other where none of them lists what the next one needs."""


@dataclass(frozen=True)
class EarlierTurn:
    """What the logic of a later turn may build on: an earlier turn's own logic, as a form and as the statement that it
    means, each where there is one, and the columns of its result; `answered` is False where that is only a guess, which
    was withheld, `single` True where it has one row."""

    logic: Logic | None
    statement: object | None  # of the algebra, which stands on this module
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
    """One run of the compiler: where names are looked up, and the steps so far. `numbers` are the steps of single
    numbers by what these are, so that one that is shown and reckoned with is found once. `unfolded` are the turns
    within whose own logic it is: none of them leads back to itself, whatever a session file says. Where its steps are
    not `spelled`, they have no SQL: only whether the logic can be compiled is asked. `called` are the concepts that
    members stand for, by these: columns are named after them."""

    profile: Profile
    now: str
    turns: Mapping[int, EarlierTurn]
    steps: list[SqlStep] = field(default_factory=list)
    numbers: dict[Hashable, str] = field(default_factory=dict)
    unfolded: frozenset[int] = frozenset()
    spelled: bool = True
    called: Mapping[Hashable, str] = field(default_factory=dict)

    def relation(self, table: str, alias: str = "") -> str:
        """What stands after FROM for a table or view of the profile, as of now."""
        return self.profile.relation(table, alias, self.now[:10])

    def add(self, name: str, sql: str, *uses: str) -> str:
        """Add a step under `name`, with a number where that is taken; returns the name. The same SQL is one step."""
        same = next((step.name for step in self.steps if step.sql == sql), None) if self.spelled else None
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
            known = ", ".join(kind_of(role).noun for role in self.profile.roles) or "none"
            raise LogicError(
                f"This database has no records of the kind “{kind_of(name).noun}”.",
                why=f"The profile {self.profile.name} knows: {known}.",
            )
        return self.profile.roles[name]

    def stay_kind(self, name: str) -> StayKind:
        """The stays "hospital" or "icu". Raises LogicError."""
        if name not in self.profile.stays:
            kind = "ICU" if name == "icu" else name
            raise LogicError(f"This database has no {kind} stays.", why=f"The profile is {self.profile.name}.")
        return self.profile.stays[name]

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
        if number in self.unfolded or number not in self.turns:
            raise LogicError(
                f"There is no answer A{number} to refer to.",
                why="A turn may only refer to earlier turns that have a result.",
                next_step="Refer to one of " + (", ".join(f"A{n}" for n in sorted(self.turns)) or "… none yet") + ".",
            )
        return self.turns[number]

    def inside(self, number: int) -> Compilation:
        """The same run, within the logic of an earlier turn. Raises LogicError where that lies too deep."""
        if len(self.unfolded) == DEEPEST:
            raise LogicError(
                f"More than {DEEPEST} answers build on each other here.", next_step="Ask the whole question anew."
            )
        return replace(self, unfolded=self.unfolded | {number})


def select(columns: str, table: str, conditions: list[str] | None = None) -> str:
    """A SELECT, one clause a line; empty conditions are left out."""
    where = "\n  AND ".join(condition for condition in conditions or [] if condition)
    return f"SELECT {columns}\nFROM {table}" + (f"\nWHERE {where}" if where else "")


def literal(value: str | int | float) -> str:
    """A value as an SQL literal."""
    return repr(value) if isinstance(value, int | float) else "'" + value.replace("'", "''") + "'"
