"""What is said with a language model about one question, and what goes with the question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ehrtui.planning.claude.spending import Usage
from ehrtui.planning.proposal import Proposal
from ehrtui.privacy.bounds import Bounds
from ehrtui.privacy.egress import Sent
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.request import Exchange, Fixed, Part, Said


@dataclass(frozen=True)
class Shown:
    """An approved case of the memory, as it is shown to the model: masked `question`, query `logic` and `sql`; "" for
    none."""

    question: str
    logic: str
    sql: str


@dataclass(frozen=True)
class Failure:
    """What went wrong with a plan: the error's `kind`, `message` and `line` (from 1), and the `hint` of the duck."""

    kind: str
    message: str
    line: int | None
    hint: str


UNTOLD = Failure("", "", None, "")
"""What went wrong where values of the database decided on it."""


@dataclass(frozen=True)
class Told:
    """An earlier turn: its `question`, the `columns` of its answer and its query `logic`, as far as they follow from
    what was written, and the `statement` that was written for it; () for none."""

    number: int
    question: Fixed | Said
    columns: tuple[Part, ...] = ()
    logic: tuple[Part, ...] = ()
    statement: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Context:
    """What goes with a question: the turns before it, those that it `refers` to, the `readings` of the offline planner,
    approved `cases`, and the stored `names` that may be meant, a line for each."""

    history: Sequence[Told] = ()
    refers: frozenset[int] = frozenset()
    readings: Sequence[str] = ()
    cases: Sequence[Shown] = ()
    names: Sequence[str] = ()


@dataclass
class Talk:
    """The exchange with the model about one question: what was said so far, what it cost, what was sent, within its
    `bounds`. `compiled` is the plan of query logic (LogicError), and `fault` says what is wrong with such as it
    came, whatever its placeholders stand for (PlaceholderError); `not_stored` says which names in the SQL of a plan no
    vocabulary has. `received` is the model's latest plan, as it came, `plan` the same with the values put back, and
    `type` what it says that the answer is; `logic` is its reading of the question with the values put back,
    `received_logic` as it came. "" for none.
    `untold` is how many plans failed over the values that they met; `corrected` says that it was told of names that are
    not stored."""

    mask: Mask | None
    bounds: Bounds
    compiled: Callable[[str], Proposal]
    fault: Callable[[str], str]
    not_stored: Callable[[str], str]
    exchanges: list[Exchange] = field(default_factory=list)
    question: str = ""
    context: Context = field(default_factory=Context)
    received: str = ""
    received_logic: str = ""
    plan: str = ""
    type: str = ""
    logic: str = ""
    revisions: int = 0
    untold: int = 0
    corrected: bool = False
    reflections: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    sent: list[Sent] = field(default_factory=list)
    told: int = 0

    @property
    def egress(self) -> int:
        """Bytes that were sent about this question."""
        return sum(one.size for one in self.sent)

    def news(self) -> list[Sent]:
        """What was sent since this was asked last."""
        new, self.told = self.sent[self.told :], len(self.sent)
        return new
