"""What workers tell the screen. Workers never touch a widget: they post one of these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.conversation.decompose import Decomposition
    from ehrtui.conversation.draft import Draft
    from ehrtui.conversation.events import Event
    from ehrtui.conversation.rivals import Rival
    from ehrtui.conversation.turn import Turn
    from ehrtui.engines.arranging import Arrangement
    from ehrtui.engines.engine import Result
    from ehrtui.errors import EhrtuiError
    from ehrtui.planning.planner import Proposal
    from ehrtui.plans.diagnosis import Diagnosis
    from ehrtui.plans.shown import ShownValue
    from ehrtui.plans.tables import Table
    from ehrtui.privacy.consent import Request
    from ehrtui.schema.model import Schema
    from ehrtui.tui.completing import Offer
    from ehrtui.tui.jobs import Job
    from ehrtui.tui.view import ViewName


@dataclass
class Opened(Message):
    """The database is open."""

    conversation: Conversation
    schema: Schema


@dataclass
class OpeningFailed(Message):
    """The database could not be opened."""

    error: EhrtuiError


@dataclass
class Prepared(Message):
    """The planner is ready to answer at once, and has example questions."""

    examples: tuple[str, ...]


@dataclass
class Understood(Message):
    """What the planner makes of the text in the prompt, while it is typed."""

    text: str
    proposal: Proposal


@dataclass
class ConsentWanted(Message):
    """A request to a language model waits for the user's consent: `answer` is to be called with it."""

    request: Request
    answer: Callable[[bool], None]


@dataclass
class Drafted(Message):
    """A question that was put has a plan now, to look at before it runs."""

    draft: Draft


@dataclass
class Behind(Message):
    """What is behind a value of turn `origin` has a plan now, to run."""

    draft: Draft
    origin: int


@dataclass
class Redrafted(Message):
    """An edit of one view of the draft was carried over to the others; `origin` is the turn that it was made from."""

    draft: Draft
    origin: int | None
    view: ViewName
    text: str


@dataclass
class EditRefused(Message):
    """An edit of one view cannot be carried over: `error` says why."""

    error: EhrtuiError
    view: ViewName
    text: str


@dataclass
class RunRefused(Message):
    """A run could not begin; `draft` is what should have run, `origin` the turn that it was made from."""

    error: EhrtuiError
    draft: Draft
    origin: int | None


@dataclass
class Happened(Message):
    """An event of the running turn."""

    event: Event


@dataclass
class Offered(Message):
    """What could stand at the cursor in a view, whose line up to it is `before`."""

    view: ViewName
    before: str
    offers: tuple[Offer, ...]


@dataclass
class Halted(Message):
    """The plan waits before step `step` (from 1)."""

    step: int


@dataclass
class StepSeen(Message):
    """What a step of the plan gave: the table, if it is one, and its beginning."""

    title: str
    table: Table | None
    shown: ShownValue


@dataclass
class TurnEnded(Message):
    """The running turn is over."""

    turn: Turn


@dataclass
class Compared(Message):
    """What other readings of a question would have answered, as far as that is known; its turn's run was the
    `order`-th."""

    order: int
    rivals: tuple[Rival, ...]


@dataclass
class Suspected(Message):
    """What looks wrong with the plan of an answered turn, whose run was the `order`-th; None where nothing does."""

    order: int
    doubt: Diagnosis | None


@dataclass
class Approved(Message):
    """Turn `number` is in memory as the masked `question`; or, where it is not `kept`, no longer."""

    number: int
    question: str
    kept: bool


@dataclass
class Trouble(Message):
    """Work in the background failed; `error` says it in a clinician's words."""

    error: EhrtuiError


@dataclass
class Wanted(Message):
    """`work`, which takes time and may be stopped, is to be done; `what` says it in a word ("copying")."""

    what: str
    work: Callable[[], Message]


@dataclass
class JobEnded(Message):
    """A job is over; `outcome` is to be posted next, or says what went wrong."""

    job: Job
    outcome: Message


@dataclass
class Arrange(Message):
    """The rows of the shown turn are wanted in this arrangement; `what` says it in a word ("sorting")."""

    arrangement: Arrangement
    what: str


@dataclass
class Arranged(Message):
    """The rows of turn `number` are kept in an arrangement, as `result`."""

    number: int
    arrangement: Arrangement
    result: Result


@dataclass
class Decomposed(Message):
    """A query as turns; `drafts` are to be run in order."""

    decomposition: Decomposition
    drafts: tuple[Draft, ...]


@dataclass
class Copied(Message):
    """`text` is to go to the clipboard; `what` says in words what it is."""

    text: str
    what: str
