"""What lies before the user: the draft, the turn that is shown, and what runs. No widgets, and no threads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.tui.drilling import Trail, whose
from ehrtui.tui.other_readings import Comparison
from ehrtui.tui.view import View, of_draft, of_turn
from ehrtui.tui.widgets.turn_list import Entry, entry

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.logic.algebra.tallies import Tally
    from ehrtui.planning.mentions import Choice
    from ehrtui.plans.diagnosis import Diagnosis
    from ehrtui.session.draft import Draft
    from ehrtui.session.turn import Turn
    from ehrtui.tui.drilling import Counted
    from ehrtui.tui.jobs import Job
    from ehrtui.tui.plan_run import PlanRun


class Desk:
    """One conversation as the screen works on it.

    `draft` is a turn before it runs: the next one, or in place of turn `origin`, where it was made from that plan.
    `shown` is the number of the turn, or of the draft (one more than the last turn), that the panels show; None before
    the first. One thing runs at a time: a plan (`running`) or a `job`. `waiting` are drafts that run next; `renewing`
    says that stale turns do. `heard` is what a language model has written so far. `choices` are what the user chose for
    words of the question, and `alone` says that it is not about an earlier answer. `doubts` are by the order of runs,
    `only_null` the orders of those whose rows hold nothing but NULL, `values` the single values of those that have one,
    `patients` of how many patients the rows are of those that have several of one; `counted` is what stood where turns
    were opened, by their numbers; `counts` what lines of trees leave, by the logic that counts it.
    """

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.auto_run = True
        self.draft: Draft | None = None
        self.origin: int | None = None
        self.shown: int | None = None
        self.running: PlanRun | None = None
        self.job: Job | None = None
        self.waiting: tuple[Draft, ...] = ()
        self.renewing = False
        self.heard = ""
        self.choices: tuple[Choice, ...] = ()
        self.alone = False
        self.doubts: dict[int, Diagnosis] = {}
        self.only_null: set[int] = set()
        self.values: dict[int, str] = {}
        self.patients: dict[int, int] = {}
        self.counted: dict[int, Counted | None] = {}
        self.counts: dict[str, Tally] = {}
        self.trail = Trail(conversation)
        self.comparison = Comparison(conversation, lambda: self.busy)

    @property
    def next_number(self) -> int:
        """The number of the draft, and of a turn that runs for the first time."""
        return len(self.conversation.turns) + 1

    @property
    def busy(self) -> bool:
        """True while anything runs that can be stopped."""
        return self.running is not None or self.job is not None

    @property
    def stopping(self) -> bool:
        """True while what runs was told to stop, and has not yet."""
        return (self.running is not None and self.running.stopping) or (
            self.job is not None and self.job.stopped.is_set()
        )

    @property
    def empty(self) -> bool:
        """True before the first question."""
        return not (self.conversation.turns or self.draft or self.running or self.heard)

    @property
    def halted(self) -> int | None:
        """The step that the plan waits before, None where it runs."""
        return self.running.halted if self.running is not None else None

    @property
    def doing(self) -> str:
        """What runs, for how long, and how to stop it; "" where nothing does."""
        run = self.running
        if self.job is not None:
            return f"● {self.job}"
        if run is None:
            return ""
        if run.halted is not None and not run.stopping:
            return f"▸ halted before step {run.halted} · F10 runs it · Esc cancels"
        more = f"A{run.number}, then {len(self.waiting)} more · " if self.waiting else ""
        return f"● {more}{run.elapsed} · {'stopping' if run.stopping else 'Esc cancels'}"

    def whose(self, turn: Turn) -> str:
        """Why what was opened is not as many as was told where it was opened; "" where nothing is to be said."""
        return whose(self.counted.get(turn.number), turn, self.conversation.profile)

    def entries(self) -> list[Entry]:
        """One line for each turn that is not put away, and for the draft or the running turn; each below the one that
        it was opened from, what is pinned at the top."""
        talk, run, trail = self.conversation, self.running, self.trail
        lines = [self._entry(turn) for turn in talk.turns]
        if run is not None:
            word = "running" if run.halted is None else "halted"
            above, folded = trail.above(run.draft), talk.labels.of(run.number).folded
            outcome = f"{word} {run.so_far}".rstrip()
            running = Entry(run.number, run.draft.text, "running", outcome, above, folded=folded)
            lines[run.number - 1 : run.number] = [running]
        elif self.draft is not None:
            word = "draft" if self.origin is None else f"A{self.origin} edited"
            lines.append(Entry(self.next_number, self.draft.text, "draft", word))
        away = talk.labels.away
        pinned = {(*line.above, line.number)[0] for line in lines if line.pinned}
        shown = [line for line in lines if line.number not in away or line.state in ("running", "draft")]
        return sorted(shown, key=lambda line: _place(line, pinned))

    def outcome(self, turn: Turn) -> str:
        """What came of a finished turn, in a word: its single value, as far as that is known, or how many rows."""
        return self._entry(turn).outcome

    def _entry(self, turn: Turn) -> Entry:
        talk = self.conversation
        return entry(
            turn,
            talk.approvals.has(turn),
            turn.order in self.only_null,
            self.values.get(turn.order, ""),
            self.trail.to(turn.number)[:-1],
            said.right if (said := talk.remarks.judged(turn)) is not None else None,
            talk.labels.of(turn.number),
        )

    def turn(self) -> Turn | None:
        """The finished turn that is shown."""
        turns, run = self.conversation.turns, self.running
        if self.shown is None or self.shown > len(turns) or (run is not None and self.shown == run.number):
            return None
        return turns[self.shown - 1]

    def note(self) -> str:
        """What the user wrote on the turn that is shown; "" where that is nothing."""
        turn = self.turn()
        return self.conversation.labels.of(turn.number).note if turn is not None else ""

    @property
    def watching(self) -> PlanRun | None:
        """The run that is shown."""
        return self.running if self.turn() is None else None

    def view(self) -> View | None:
        """What the panels show now."""
        if (turn := self.turn()) is not None:
            draft = self.conversation.draft_of(turn.number)
            taught = self.conversation.approvals.taught(turn)
            doubt = self.doubts.get(turn.order)
            return of_turn(turn, draft, doubt, self.comparison.of(turn), taught=taught, counts=self.counts)
        shown = self.running.draft if self.running is not None else self.draft
        return replace(of_draft(shown), counts=self.counts) if shown is not None else None

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

    def choose(self, choice: Choice) -> tuple[Choice, ...]:
        """The choices with one more, in place of one for the same words."""
        others = tuple(one for one in self.choices if (one.said, one.role) != (choice.said, choice.role))
        return (*others, choice)

    def begin_anew(self) -> None:
        """The next question has its own words."""
        self.choices, self.alone = (), False

    def take(self, draft: Draft, origin: int | None = None) -> None:
        """Make `draft` the one to show and to run."""
        self.draft, self.origin, self.shown = draft, origin, self.next_number

    def drop(self) -> None:
        """Forget the draft, and show the last turn again."""
        self.draft, self.shown = None, len(self.conversation.turns) or None

    def base(self) -> tuple[Draft | None, int | None]:
        """What an edit starts from, and the turn that it belongs to: the draft, or that of the finished turn that is
        shown."""
        turn = self.turn()
        return (self.draft, self.origin) if turn is None else (self.conversation.draft_of(turn.number), turn.number)

    def restore(self) -> bool:
        """Take the shown plan as it was proposed, before any edit; False where there is none."""
        draft, origin = self.base()
        if draft is None:
            return False
        first = draft.first or draft.proposal
        self.take(replace(draft, proposal=first, plan=first.plan, edits=(), first=None), origin)
        return True

    def runs_by_itself(self, draft: Draft) -> bool:
        """True where nothing is to be looked at first: it is sure enough, or there is no plan at all."""
        sure = draft.proposal.confidence >= self.conversation.threshold and not draft.proposal.reason
        return not draft.plan.strip() or (self.auto_run and sure)

    def can_run_again(self) -> bool:
        """True where the shown turn, or the one that the draft was made from, can be run again."""
        return not self.busy and self.base()[1] is not None

    def answered(self, question: str) -> tuple[int, ...]:
        """The numbers of the turns that answered this, as it stands, and are not stale."""
        turns = self.conversation.turns
        return tuple(turn.number for turn in turns if turn.question == question and turn.result and not turn.stale)

    def stale(self) -> tuple[int, ...]:
        """The numbers of the stale turns."""
        return tuple(turn.number for turn in self.conversation.turns if turn.stale)

    def move_threshold(self, change: float) -> None:
        """Move tau in steps, within [0, 1]."""
        self.conversation.threshold = round(min(max(self.conversation.threshold + change, 0.0), 1.0), 2)


def _place(line: Entry, pinned: set[int]) -> tuple[int, ...]:
    """Where a line stands: with the turn that it was opened from; at the top where one of these is `pinned`."""
    path = (*line.above, line.number)
    return (0 if path[0] in pinned else 1, *path)
