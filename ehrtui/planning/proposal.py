"""What turns a question, in its conversation, into a plan: the protocol and the values that cross it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.retrieval import Shortlist
from ehrtui.memory.case import Slot
from ehrtui.planning.mentions import Choice, LinkedMention, Members, PaidWord
from ehrtui.schema.value_index import Entry
from ehrtui.trust.doubts import Doubt

if TYPE_CHECKING:
    from ehrtui.logic.algebra.model import Statement


@dataclass(frozen=True)
class Link:
    """A stretch of the question, [start, end) in characters, and what it was linked to.

    `kind` says what it names ("prescription", "lab", "patient", "time", "turn", "field"…), `value` the stored value
    or the rendered meaning, `score` in [0, 1] how exact the link is (1.0: the same letters).
    """

    start: int
    end: int
    text: str
    kind: str
    value: str
    score: float = 1.0


@dataclass(frozen=True)
class Reading:
    """One way to understand a question: its query logic, a score in [0, 1], higher being likelier, and what it asks as
    an English `sentence` ("" where nobody said it)."""

    logic: str
    score: float
    sentence: str = ""


@dataclass(frozen=True)
class HelpfulCase:
    """The case of the memory that helped: its `number`, its masked `question`, where it is from, and its `likeness` in
    [0, 1] to the question (1: the same, but for values)."""

    number: int
    question: str
    sources: tuple[str, ...]
    likeness: float

    @property
    def in_words(self) -> str:
        """`case 12: how many patients had <drug> (imported from questions.json)`."""
        return f"case {self.number}: {self.question} ({', '.join(self.sources)})"


RefusalKind: TypeAlias = Literal[
    "concept",
    "column",
    "span",
    "future",
    "opinion",
    "advice",
    "plan",
    "administrative",
    "ambiguous",
    "contradiction",
    "language",
]
"""Why records cannot answer: a name that nothing stored has, a kind of information that is not kept, a time outside the
records, what has not happened, a judgement, advice, plans, a request to do something, nothing asked of anything,
what cannot be, and what is not said in English."""


@dataclass(frozen=True)
class Refusal:
    """Why a question cannot be answered: a `kind`, a `sentence` that a clinician understands, and the `words` that it
    rests on; `instead` are the nearest questions that the planner understands."""

    kind: RefusalKind
    sentence: str
    words: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proposal:
    """What a planner makes of a question.

    `logic` is None where the plan has no counterpart in the query-logic language; `sql` is the plan as one statement
    that may name earlier turns (`PREV_RESULTn`), None where the plan is not one statement. `plan` is "" where nothing
    was understood. `readings` are all readings, best first (the first is the one planned). `unexplained` are the
    words that no part of the reading accounts for. `confidence` is the probability, in [0, 1], that the answer will
    be right, as far as the question tells, and `doubts` are why it is not higher. `reason` says, to a clinician, why
    the planner would rather not answer ("" where it would), and `refusal` says so where no record can answer.
    `slots` are the values in the question, None where it leans on an earlier turn, or no case can help; `case` is the
    approved case that helped to understand it. `mentions` are the words that name something stored, with what they
    were taken for, `paid` the words that the reading leaves out; `scope` is the earlier turn that the question was
    completed from, None where it stands alone. `statement` is what `logic` was written from, as long as it is weighed
    which proposal to make.
    """

    question: str
    planner: str
    plan: str = ""
    logic: str | None = None
    sql: str | None = None
    links: tuple[Link, ...] = ()
    readings: tuple[Reading, ...] = ()
    unexplained: tuple[str, ...] = ()
    confidence: float = 0.0
    doubts: tuple[Doubt, ...] = ()
    reason: str = ""
    refusal: Refusal | None = None
    slots: tuple[Slot, ...] | None = None
    case: HelpfulCase | None = None
    mentions: tuple[LinkedMention, ...] = ()
    paid: tuple[PaidWord, ...] = ()
    scope: int | None = None
    statement: Statement | None = field(default=None, compare=False, repr=False)

    def in_words(self, logic: str) -> str:
        """What one of the readings asks: its sentence, or where it has none the logic itself."""
        return next((one.sentence for one in self.readings if one.logic == logic and one.sentence), logic)

    @property
    def meant(self) -> str:
        """What the reading that is planned asks; "" where there is no sentence for it, or the planner would not answer
        however sure it were."""
        if self.logic is None or self.reason:
            return ""
        said = self.in_words(self.logic)
        return said if said != self.logic else ""


@dataclass(frozen=True)
class PastTurn:
    """What a planner may know of an earlier turn; never its rows.

    `columns` and `row_count` describe its kept result; both empty where the turn has none (it failed, or abstained
    without a guess). `confidence` in [0, 1] is that of its answer: nothing built on it is surer. `opened` is true for
    rows that somebody opened from an answer, and asked nothing: they are not what is spoken of.
    """

    number: int
    question: str
    logic: str | None
    sql: str | None
    columns: tuple[str, ...]
    row_count: int
    decision: str
    confidence: float = 1.0
    opened: bool = False


@dataclass(frozen=True)
class Scope:
    """Rows of a `unit` that an earlier answer was about: how many, where that is known, else the SELECT that counts
    them ("" where none does)."""

    unit: str
    count: int | None = None
    select: str = ""


class Planner(Protocol):
    """`name` is what the user picks with `--planner`."""

    name: str

    def prepare(self) -> None:
        """Load what questions are read with, so that the first one does not wait for it. Raises DatabaseError."""
        ...

    def propose(self, question: str, history: Sequence[PastTurn]) -> Proposal:
        """The best plan for `question`, which may refer to `history`. Never raises for what a user may type; what it
        cannot understand is in the proposal. Cheap enough, for `offline`, to be called at every keystroke."""
        ...

    def propose_logic(self, logic: str, history: Sequence[PastTurn]) -> Proposal:
        """The plan for query logic that the user wrote or edited. Raises LogicError."""
        ...

    def choose(self, proposal: Proposal, choice: Choice, history: Sequence[PastTurn]) -> Proposal:
        """The proposal with what the user chose for one of its mentions; unchanged where it has no such mention.
        Raises LogicError where it cannot be asked so."""
        ...

    def members(self, meaning: Candidate, without: tuple[str, ...]) -> Members:
        """What of a meaning is stored here, and how it is counted but for the stored names `without`."""
        ...

    def shortlists(self, text: str) -> tuple[Shortlist, ...]:
        """What each of the names in a text may mean here, and why."""
        ...

    def text_of(self, meaning: Candidate, without: tuple[str, ...]) -> str:
        """A meaning as memory keeps it: the line of query logic that counts it."""
        ...

    def scope(self, turn: PastTurn, logic: str) -> Scope | None:
        """What the answer of `turn` was about, if a later question, read as `logic`, is about the same; None where it
        only goes on from it, or that cannot be told."""
        ...

    def names(self, text: str, count: int) -> tuple[Entry, ...]:
        """Stored names that begin with `text`, for completion."""
        ...

    def examples(self, count: int) -> tuple[str, ...]:
        """Questions that this database can answer, made from its own values; for empty states."""
        ...
