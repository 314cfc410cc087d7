"""The state of the talk behind the screen: the conversation, the draft, the turn that runs. No widgets.

Everything that may take time runs in a thread and comes back as a message to `node`, the screen.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ehrtui.errors import EhrtuiError, QueryCancelled
from ehrtui.tui import completing, messages
from ehrtui.tui.comparing import Comparison
from ehrtui.tui.drilling import Trail, logic_behind
from ehrtui.tui.formatting import duration
from ehrtui.tui.jobs import Job, Work, arranging
from ehrtui.tui.stepping import TO_THE_END, Stepper
from ehrtui.tui.view import View, ViewName, of_draft, of_turn, unscored
from ehrtui.tui.widgets.turn_list import Entry, confidence, entry
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.message import Message

    from ehrtui.conversation.conversation import Conversation
    from ehrtui.conversation.draft import Draft
    from ehrtui.conversation.events import Event, RowsArriving, RowsReady
    from ehrtui.conversation.turn import Turn
    from ehrtui.engines.arranging import Arrangement
    from ehrtui.engines.engine import Row
    from ehrtui.plans.diagnosis import Diagnosis
    from ehrtui.tui.widgets.result_table import ReadRows

EXAMPLES = 5


class Desk:
    """One conversation as the screen works on it.

    `draft` is a turn before it runs: the next one, or in place of turn `origin`, where it was made from that plan.
    `running` is the draft that runs as turn `number`. `shown` is the number of the turn, or of the draft (one more than
    the last turn), that the panels show; None before the first. One thing runs at a time: instead of a turn, a `job`
    may. `waiting` are drafts that run next; `renewing` says that stale turns do. `comparison` gives way to all of them.
    `heard` is what a language model has written so far.
    """

    def __init__(self, node: Any, conversation: Conversation) -> None:
        self.conversation = conversation
        self.auto_run = True
        self.draft: Draft | None = None
        self.origin: int | None = None
        self.running: Draft | None = None
        self.shown: int | None = None
        self.job: Job | None = None
        self.waiting: tuple[Draft, ...] = ()
        self.renewing = False
        self.arriving: RowsArriving | RowsReady | None = None
        self.heard = ""
        self.from_line: int | None = None
        self._again: int | None = None
        self._node = node
        self._began = 0.0
        self._thinking = False
        self._views = itertools.count(1)
        self._doubts: dict[int, Diagnosis] = {}
        self.comparison = Comparison(conversation, lambda: self.busy)
        self.trail = Trail()
        self._stepper: Stepper | None = None
        self._view: str | None = None
        conversation.subscribe(self._report)

    @property
    def next_number(self) -> int:
        """The number of the draft, and of a turn that runs for the first time."""
        return len(self.conversation.turns) + 1

    @property
    def number(self) -> int:
        """The number of the turn that runs."""
        return self._again or self.next_number

    @property
    def busy(self) -> bool:
        """True while anything runs that can be stopped."""
        return self.running is not None or self.job is not None

    @property
    def elapsed(self) -> str:
        """How long the running turn has taken."""
        return duration((time.monotonic() - self._began) * 1_000)

    @property
    def doing(self) -> str:
        """What runs, for how long, and how to stop it."""
        if self.job is not None:
            return f"● {self.job}"
        if self.halted is not None:
            return f"▸ halted before step {self.halted} · F10 runs it · Esc cancels"
        more = f"A{self.number}, then {len(self.waiting)} more · " if self.waiting else ""
        return f"● {more}{self.elapsed} · Esc cancels"

    @property
    def halted(self) -> int | None:
        """The step that the plan waits before, None where it runs."""
        return self._stepper.at if self._stepper is not None else None

    def entries(self) -> list[Entry]:
        """One line for each turn, and for the draft or the running turn."""
        talk = self.conversation
        lines = [entry(turn, talk.approvals.has(turn), not unscored(talk.draft_of(turn.number))) for turn in talk.turns]
        if self.running is not None:
            word = "running" if self.halted is None else "halted"
            running = Entry(self.number, self.running.text, "running", f"{word:>7} {self.elapsed:>9}")
            lines[self.number - 1 : self.number] = [running]
        elif self.draft is not None:
            word = "draft" if self.origin is None else f"A{self.origin} edited"
            sure = confidence(self.draft.proposal.confidence, not unscored(self.draft))
            lines.append(Entry(self.next_number, self.draft.text, "draft", f"{word:>10}  {sure}"))
        return lines

    def turn(self) -> Turn | None:
        """The finished turn that is shown."""
        turns = self.conversation.turns
        if self.shown is None or self.shown > len(turns) or (self.running is not None and self.shown == self.number):
            return None
        return turns[self.shown - 1]

    def view(self) -> View | None:
        """What the panels show now."""
        if (turn := self.turn()) is not None:
            draft = self.conversation.draft_of(turn.number)
            taught = self.conversation.approvals.taught(turn)
            return of_turn(turn, draft, self._doubts.get(turn.order), self.comparison.of(turn), taught=taught)
        shown = self.running or self.draft
        return of_draft(shown) if shown is not None else None

    def draft_words(self) -> str:
        """What the draft waits for; "" where there is none."""
        draft, threshold = self.draft, self.conversation.threshold
        if draft is None:
            return ""
        words = "Not run yet: Enter in the prompt or F5 runs it, F6 goes to the plan to change it, Esc drops it."
        if self.origin is not None:
            words += f" F12 runs it in place of A{self.origin}."
        if draft.in_own_words:
            return words
        if draft.proposal.reason:
            return f"{draft.proposal.reason}\n{words}"
        if draft.proposal.confidence < threshold:
            return f"The confidence {draft.proposal.confidence:.2f} is below τ {threshold:.2f}.\n{words}"
        return words

    def draft_offers(self) -> tuple[str, ...]:
        """Questions to ask in place of the draft, where no record can answer it."""
        refusal = self.draft.settled().refusal if self.draft is not None else None
        return refusal.instead if refusal is not None else ()

    def prepare(self) -> None:
        """Let the planner get ready, and make up examples; answers Prepared."""
        planner = self.conversation.planner

        def work() -> Message:
            if (prepare := getattr(planner, "prepare", None)) is not None:
                prepare()
            return messages.Prepared(planner.examples(EXAMPLES))

        self._work(work, "prepare")

    def understand(self, text: str) -> None:
        """Ask what `text` means; answers Understood. While an answer is awaited, nothing more is asked."""
        if self._thinking or not text.strip():
            return
        self._thinking = True
        self._work(lambda: messages.Understood(text, self.conversation.propose(text).proposal), "understand")

    def understood(self) -> None:
        """The awaited understanding has come."""
        self._thinking = False

    def ask(self, text: str) -> bool:
        """Make a draft of `text`; answers Drafted. True where a language model is asked, which can be stopped."""
        model = self.conversation.language_model
        if model is None:
            self._work(lambda: messages.Drafted(self.conversation.propose(text)), "ask")
            return False
        self.heard = ""
        return self.start("asking claude", lambda job: messages.Drafted(self.conversation.ask(text)))

    def open(self, row: Row, column: int) -> bool:
        """Look what is behind a value of the shown turn's answer; answers Behind, to be run. False where nothing is
        known to be."""
        turn = self.turn()
        logic = None if turn is None else logic_behind(turn, row, column, self.conversation.profile)
        if turn is None or logic is None:
            return False
        self._work(lambda: messages.Behind(self.conversation.propose(logic, "logic"), turn.number), "open")
        return True

    def run_opened(self, draft: Draft, origin: int) -> bool:
        """Run what is behind a value of turn `origin` as the next turn; False where anything runs."""
        if self.busy:
            return False
        self.trail.opened(self.next_number, origin)
        self.take(draft)
        return self.run()

    def take(self, draft: Draft, origin: int | None = None) -> None:
        """Make `draft` the one to show and to run."""
        self.draft, self.origin, self.shown = draft, origin, self.next_number

    def drop(self) -> None:
        """Forget the draft, and show the last turn again."""
        self.draft, self.shown = None, len(self.conversation.turns) or None

    def runs_by_itself(self, draft: Draft) -> bool:
        """True where nothing is to be looked at first: it is sure enough, or there is no plan at all."""
        sure = draft.proposal.confidence >= self.conversation.threshold and not draft.proposal.reason
        return not draft.plan.strip() or (self.auto_run and sure)

    def edit(self, view: ViewName, text: str) -> None:
        """Carry an edit of the shown plan over to its other views; answers Redrafted or EditRefused."""
        draft, origin = self._base()
        if draft is not None:
            self._work(
                lambda: messages.Redrafted(self.conversation.edit(draft, view, text), origin, view, text),
                "edit",
                lambda error: messages.EditRefused(error, view, text),
            )

    def complete(self, view: ViewName, before: str) -> None:
        """Look what could stand at the end of `before`, a line of a view up to the cursor; answers Offered."""

        def work() -> Message:
            found = completing.offers(view, before, self._words[view], self.conversation.planner.names)
            return messages.Offered(view, before, found)

        self._work(work, "complete")

    @cached_property
    def _words(self) -> dict[ViewName, tuple[completing.Offer, ...]]:
        conversation = self.conversation
        return completing.vocabulary(conversation.engine.schema(), conversation.profile, conversation.tools)

    def restore(self) -> bool:
        """Take the shown plan as it was proposed, before any edit; False where there is none."""
        draft, origin = self._base()
        if draft is None:
            return False
        first = draft.first or draft.proposal
        self.take(replace(draft, proposal=first, plan=first.plan, edits=(), first=None), origin)
        return True

    def read_as(self, logic: str | None) -> bool:
        """Plan a reading of the question, None: the next one; answers Redrafted. A turn runs again with it at once:
        True."""
        draft, _ = self._base()
        if draft is None:
            return False
        logic = logic or draft.next_reading
        if self.turn() is not None:
            return self.run_again(("logic", logic))
        self.edit("logic", logic)
        return False

    def run(self, edit: tuple[ViewName, str] | None = None) -> bool:
        """Run the draft as the next turn, with a last edit that was not carried over yet; answers TurnEnded or
        RunRefused. False where there is nothing to run."""
        draft, origin = self._base() if edit else (self.draft, self.origin)
        if draft is None:
            return False
        return self._run(draft, origin, None, edit)

    def run_again(self, edit: tuple[ViewName, str] | None = None) -> bool:
        """Run the shown turn again, or the draft in place of the turn that it was made from; else as `run`."""
        draft, origin = self._base()
        return draft is not None and origin is not None and self._run(draft, origin, origin, edit)

    def run_through(self, step: int | None, edit: tuple[ViewName, str] | None = None) -> bool:
        """Run the shown plan through this step (from 1; None: the next one), and halt then: one that is halted already,
        or a new run, in the place of the turn that the plan was made from."""
        if (stepper := self._stepper) is not None and stepper.at is not None:
            stepper.through = stepper.at if step is None else step
            return True
        draft, origin = self._base()
        return draft is not None and self._run(draft, origin, origin, edit, through=step or 1)

    def run_from(self, line: int, edit: tuple[ViewName, str] | None = None) -> bool:
        """Run the shown turn again from this line of its plan on, with what the last run computed before it."""
        draft, origin = self._base()
        return draft is not None and self._run(draft, origin, origin, edit, from_line=line)

    def look(self, step: int, title: str) -> None:
        """Read what a step gave; answers StepSeen, or Trouble where that is not kept."""
        number = self.number if self.running is not None else self.shown or 0

        def work() -> Message:
            found = self.conversation.step_value(number, step)
            if found is None:
                raise EhrtuiError(
                    "What this step gave is no longer kept.",
                    why="The values of steps are kept for the last run alone.",
                    next_step="F12 runs the turn again.",
                )
            return messages.StepSeen(title, *found)

        self._work(work, "look")

    def can_run_again(self) -> bool:
        """True where the shown turn, or the one that the draft was made from, can be run again."""
        return not self.busy and self._base()[1] is not None

    def renew(self) -> bool:
        """Run a stale turn again; False where none is stale."""
        from ehrtui.conversation.dependencies import next_stale

        stale = next_stale(self.conversation.turns)
        self.renewing = stale is not None and self._run(
            self.conversation.draft_of(stale.number), stale.number, stale.number, None
        )
        return self.renewing

    def stale(self) -> tuple[int, ...]:
        """The numbers of the stale turns."""
        return tuple(turn.number for turn in self.conversation.turns if turn.stale)

    def _run(
        self,
        draft: Draft,
        origin: int | None,
        again: int | None,
        edit: tuple[ViewName, str] | None,
        *,
        through: int = TO_THE_END,
        from_line: int | None = None,
    ) -> bool:
        if self.busy:
            return False
        from ehrtui.plans.steps import Course

        conversation = self.conversation
        try:
            ready = conversation.edit(draft, *edit) if edit else draft
        except EhrtuiError as error:  # the edit stays in its editor, to be corrected
            self._tell(messages.Trouble(error))
            return False

        stepper = Stepper(through, lambda step: self._tell(messages.Halted(step)))
        course = Course(stepper.may_begin, from_line, inspect=True)

        def work() -> Message:
            turn = conversation.run(ready, course) if again is None else conversation.rerun(again, ready, course)
            conversation.approvals.learn(turn, ready)
            return messages.TurnEnded(turn)

        self._stepper, self.from_line = stepper, from_line
        self.running, self.draft, self.origin, self._again, self.arriving = ready, None, None, again, None
        self.shown = self.number
        self._began = time.monotonic()
        self._work(work, "run", lambda error: messages.RunRefused(error, ready, origin))
        return True

    def ended(self) -> None:
        """The running turn is over."""
        self.running = self._again = self.arriving = self._stepper = None

    def suspect(self, turn: Turn) -> None:
        """Look whether anything is wrong with the plan of a turn that has rows; answers Suspected."""
        if turn.result is not None:
            self._work(lambda: messages.Suspected(turn.order, self.conversation.suspicion(turn.number)), "suspect")

    def compare(self, turn: Turn) -> None:
        """Look what other readings of the question would have answered, where there are some; answers Compared."""
        if len(self.conversation.draft_of(turn.number).readings) > 1:
            self._work(lambda: self.comparison.look(turn), "compare")

    def doubt(self, order: int, doubt: Diagnosis | None) -> None:
        """The look at the `order`-th run is over."""
        if doubt is not None:
            self._doubts[order] = doubt

    def approve(self, number: int) -> None:
        """Keep a turn in memory, or no longer where it is; answers Approved."""
        conversation = self.conversation
        turn, draft, approvals = conversation.turns[number - 1], conversation.draft_of(number), conversation.approvals

        def work() -> Message:
            known = approvals.has(turn)
            case = approvals.withdraw(turn) if known else approvals.approve(turn, draft)
            return messages.Approved(number, case.question, not known)

        self._work(work, "approve")

    def refused(self, draft: Draft, origin: int | None) -> None:
        """The run did not begin; the draft is one again."""
        self.ended()
        self.waiting, self.renewing = (), False
        self.take(draft, origin)

    def cancel(self) -> None:
        """Stop what runs."""
        if self.job is not None:
            self.job.stopped.set()
        self.conversation.cancel()

    def start(self, what: str, work: Work) -> bool:
        """Do what can be stopped; answers JobEnded. False where something runs already."""
        if self.busy:
            return False
        job = self.job = Job(what)

        def stoppable() -> Message:
            outcome = work(job)
            if job.stopped.is_set():
                raise QueryCancelled("It was stopped.")
            return messages.JobEnded(job, outcome)

        self._work(stoppable, "job", lambda error: messages.JobEnded(job, messages.Trouble(error)))
        return True

    def run_waiting(self) -> bool:
        """Run the next of the drafts that wait; False where none does."""
        if not self.waiting:
            return False
        draft, *others = self.waiting
        self.waiting = tuple(others)
        self.take(draft)
        return self.run()

    def arrange(self, arrangement: Arrangement, what: str) -> bool:
        """Keep the rows of the shown turn in an arrangement, beside the answer; answers JobEnded with Arranged."""
        turn = self.turn()
        return turn is not None and self.start(
            what, arranging(self.conversation, turn, arrangement, f"view_{next(self._views)}")
        )

    def arranged(self, name: str) -> ReadRows:
        """The arranged rows are shown from now on; reads them."""
        self.forget_view()
        self._view = name
        return self.comparison.giving_way(lambda offset, count: self.conversation.engine.page(name, offset, count))

    def answer_rows(self, number: int) -> ReadRows:
        """Reads the rows of turn `number`."""
        return self.comparison.giving_way(lambda offset, count: self.conversation.rows(number, offset, count))

    def forget_view(self) -> None:
        """The arranged rows are no longer shown."""
        if (view := self._view) is not None:
            self._view = None
            engine = self.conversation.engine
            self._node.run_worker(lambda: engine.drop(view), group="drop", thread=True, exit_on_error=False)

    def move_threshold(self, change: float) -> None:
        """Move tau in steps, within [0, 1]."""
        self.conversation.threshold = round(min(max(self.conversation.threshold + change, 0.0), 1.0), 2)

    def _base(self) -> tuple[Draft | None, int | None]:
        """What an edit starts from, and the turn that it belongs to: the draft, or that of the finished turn that is
        shown."""
        turn = self.turn()
        return (self.draft, self.origin) if turn is None else (self.conversation.draft_of(turn.number), turn.number)

    def _report(self, event: Event) -> None:
        self._tell(messages.Happened(event))

    def _tell(self, message: Message) -> None:
        self._node.post_message(message)

    def _work(
        self, work: Callable[[], Message], group: str, failed: Callable[[EhrtuiError], Message] = messages.Trouble
    ) -> None:
        in_thread(self._node, work, group=group, failed=failed)
