"""The planner that asks a language model: EHRAgent's Algorithm 1, with no patient data in any request.

knowledge → the nearest approved cases → a plan with a confidence at each step → (it runs) → on an error its most
probable cause and a revised plan, at most T = 10 times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ehrtui.errors import EgressError, PlaceholderError, TooLongError
from ehrtui.planning.claude.answers import Planned, read_answer, stated_confidence
from ehrtui.planning.claude.approach import EHRAGENT, Approach
from ehrtui.planning.claude.levels import Shape, sampled_levels
from ehrtui.planning.claude.model import Model, Reply
from ehrtui.planning.claude.prompts import COMPLAINTS, REFLECT, REFLECTED, SEARCH, VALUES, repair, task
from ehrtui.planning.claude.searching import found
from ehrtui.planning.claude.spending import Usage
from ehrtui.planning.plan_text import sql_from_plan
from ehrtui.planning.proposal import Proposal
from ehrtui.privacy.bounds import Bounds
from ehrtui.privacy.egress import Sent
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.request import (
    Example,
    Exchange,
    Fixed,
    Message,
    Part,
    Received,
    Said,
    ToolRound,
    Trouble,
    build,
)
from ehrtui.privacy.restoring import restored, restored_logic, restored_plan
from ehrtui.privacy.vocabulary import Speakable

_SEARCHES = 5
"""Rounds of searches before a plan."""
_MOST_TURNS = ((6, 40), (2, 10), (0, 3), (0, 0))
"""Of so many of the latest turns, question and query are told, and of so many the question; less where that is too
long for the model."""
_LONGEST_REFLECTION = 4000


@dataclass(frozen=True)
class Shown:
    """An approved case of the memory, as it is shown to the model: masked `question` and `query`."""

    question: str
    query: str


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
    """An earlier turn: its `question`, and the `statement` that was written for it, () for none."""

    number: int
    question: Fixed | Said
    statement: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Context:
    """What goes with a question: the turns before it, the `readings` of the offline planner, and approved `cases`."""

    history: Sequence[Told] = ()
    readings: Sequence[str] = ()
    cases: Sequence[Shown] = ()


@dataclass
class Talk:
    """The exchange with the model about one question: what was said so far, what it cost, what was sent, within its
    `bounds`. `received` is the model's latest plan, as it came, `plan` the same with the values put back, and `type`
    what it says that the answer is; `logic` is its reading of the question with the values put back. "" for none.
    `untold` is how many plans failed over the values that they met."""

    mask: Mask | None
    speakable: Speakable
    bounds: Bounds
    exchanges: list[Exchange] = field(default_factory=list)
    question: str = ""
    context: Context = field(default_factory=Context)
    received: str = ""
    plan: str = ""
    type: str = ""
    logic: str = ""
    revisions: int = 0
    untold: int = 0
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


class ClaudePlanner:
    """Asks `model`, as the `approach` has it. `tools` and `tables` are described in words, and so is what is known of
    the tables (`knowledge`). `speakable` is what may be said of the database, and `allowed` raises EgressError for a
    request (its JSON values) until the user has consented."""

    name = "claude"

    def __init__(
        self,
        model: Model,
        *,
        tools: str,
        tables: str,
        knowledge: str,
        speakable: Callable[[], Speakable],
        allowed: Callable[[dict[str, Any]], None],
        approach: Approach = EHRAGENT,
    ) -> None:
        self.model = model
        self.approach = approach
        described = [tables] if approach.strategy == "text-to-sql" else [f"The tools:\n{tools}", tables]
        more = [knowledge] if approach.has("knowledge") else []
        self._system = (Fixed("\n\n".join([task(approach), *described, *more])),)
        self._speakable = speakable
        self._allowed = allowed

    def cancel(self) -> None:
        """Stop what is being asked, from any thread."""
        self.model.cancel()

    def talk(self, mask: Mask | None, bounds: Bounds) -> Talk:
        """A new talk, whose requests are masked; without a mask they say everything as it is."""
        return Talk(mask, self._speakable(), bounds)

    def plan(
        self,
        talk: Talk,
        question: str,
        context: Context,
        *,
        said: Callable[[str], None] = lambda _: None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> Proposal:
        """The model's plan for `question`, with which `talk` begins. `said` gets the model's words as they arrive,
        `tell` what the user should know. Raises EgressError and QueryCancelled."""
        talk.question, talk.context = question, context
        planned, plan = self._begun(talk, said, tell)
        if planned.reason:
            reason = _restored(planned.reason, talk.mask)
            return Proposal(question, self.name, reason=f"The language model says: {reason}")
        talk.logic = _logic(planned.logic, talk.mask)
        return Proposal(
            question, self.name, plan=plan, sql=sql_from_plan(plan), confidence=stated_confidence(planned.plan)
        )

    def revise(
        self, talk: Talk, failure: Failure, said: Callable[[str], None] = lambda _: None
    ) -> tuple[str, str] | None:
        """A revised plan and the cause of the failure, in the model's words; None where it has none any more. Raises
        EgressError and QueryCancelled."""
        if talk.revisions >= self.approach.revisions:
            return None
        talk.revisions += 1
        reflects = self.approach.strategy == "reflexion"
        asked = REFLECT if reflects else repair(self.approach)
        talk.exchanges.append(Message("user", _trouble(asked, talk, failure, hint=self.approach.has("duck"))))
        if reflects:
            self._reflect(talk, said)
        planned, plan = self._planned(talk, "a repair", said)
        if not plan:
            return None
        return plan, _restored(planned.cause, talk.mask) or "revised by the language model"

    def levels(self, talk: Talk, plan: str, shape: Shape, samples: int) -> tuple[float, ...]:
        """P(S=i) that the answer to the talk's question is right, see `sampled_levels`; its plan was `plan`. Raises
        EgressError and QueryCancelled."""
        earlier = [turn.question for turn in talk.context.history][-_MOST_TURNS[0][1] :]
        samples = min(samples, max(1, talk.bounds.left()))
        talk.bounds.count(samples)
        with self._metered(talk):
            return sampled_levels(self.model, talk.mask, talk.question, earlier, plan, shape, samples)

    def _begun(self, talk: Talk, said: Callable[[str], None], tell: Callable[[str], None]) -> tuple[Planned, str]:
        """The first plan of a talk; of the turns before it, less and less is told until the model can take it."""
        for attempt, (full, most) in enumerate(_MOST_TURNS):
            if attempt:
                latest = f"the latest {most} turns alone" if most else "no earlier turn"
                tell(f"The conversation is too long for the language model: it is told of {latest}.")
            talk.exchanges[:] = [Message("user", _question(talk, full, most, self.approach))]
            try:
                return self._planned(talk, "the plan of a question", said)
            except TooLongError:
                continue
        raise TooLongError(
            "The question is too long for the language model.", next_step="Put it in fewer words, or choose --model."
        )

    def _reflect(self, talk: Talk, said: Callable[[str], None]) -> None:
        """Ask what went wrong, and begin anew with the reflections so far (Reflexion)."""
        reply = self._asked(talk, "a reflection", said)
        talk.reflections.append(reply.text[:_LONGEST_REFLECTION])
        talk.exchanges[:] = [Message("user", (*_question(talk, *_MOST_TURNS[0], self.approach), *_reflected(talk)))]

    def _planned(self, talk: Talk, why: str, said: Callable[[str], None]) -> tuple[Planned, str]:
        """Ask until there is a plan that can be read, or a reason why there is none; the plan with its values."""
        while True:
            planned = self._answered(talk, why, said)
            if planned.reason:
                return planned, ""
            if planned.plan:
                try:
                    plan = restored_plan(planned.plan, talk.mask.placeholders) if talk.mask else planned.plan
                except PlaceholderError:
                    planned = Planned(complaint="placeholder")
                else:
                    talk.received, talk.plan, talk.type = planned.plan, plan, planned.type
                    return planned, plan
            if talk.revisions >= self.approach.revisions:
                raise EgressError(
                    "The language model gave no plan that can be run.",
                    why=f"It was asked {talk.revisions + 1} times." if talk.revisions else "",
                    next_step="Put the question in other words, or write SQL.",
                )
            talk.revisions += 1
            talk.exchanges.append(Message("user", (Fixed(COMPLAINTS[planned.complaint]),)))

    def _answered(self, talk: Talk, why: str, said: Callable[[str], None]) -> Planned:
        """One answer of the model, after the searches that it wants."""
        for _ in range(_SEARCHES + 1):
            reply = self._asked(talk, why, said)
            if reply.stop == "refusal":
                return Planned(reason="I would rather not answer this.")
            if not reply.uses:
                talk.exchanges.append(Message("assistant", (Received(reply.text),)))
                if reply.stop == "max_tokens":
                    return Planned(complaint="long")
                return read_answer(reply.text, sql=self.approach.strategy == "text-to-sql")
            results = tuple(found(use, talk.speakable) for use in reply.uses)
            talk.exchanges.append(ToolRound(reply.text, reply.uses, results))
        return Planned(complaint="searches")

    def _asked(self, talk: Talk, why: str, said: Callable[[str], None]) -> Reply:
        body = build(self._system, talk.exchanges, talk.mask)
        self._allowed({**body, "tools": [SEARCH]})
        talk.bounds.count()
        with self._metered(talk):
            return self.model.ask(body, why=why, tools=(SEARCH,), said=said)

    @contextmanager
    def _metered(self, talk: Talk) -> Iterator[None]:
        """Count for the talk what is asked meanwhile."""
        before, sent = self.model.spending.usage, len(self.model.log.sent)
        try:
            yield
        finally:
            talk.usage += self.model.spending.usage - before
            talk.sent += self.model.log.sent[sent:]


def _question(talk: Talk, full: int, most: int, approach: Approach) -> tuple[Part, ...]:
    """The question with its context: of the latest turns, `full` with their queries and `most` in all."""
    context, parts = talk.context, list[Part]()
    known = context.history
    latest = known[len(known) - min(most, len(known)) :]
    turns = max((turn.number for turn in known), default=0)
    if latest:
        parts.append(Fixed("The conversation so far:\n"))
    if len(latest) < len(known):
        parts.append(Fixed(f"(Left out: {len(known) - len(latest)} earlier.)\n"))
    for left, turn in zip(range(len(latest), 0, -1), latest, strict=True):
        parts += [Fixed(f"A{turn.number}: "), turn.question]
        if left <= full and approach.history == "qs":
            parts += turn.statement
        parts.append(Fixed("\n"))
    if context.cases:
        parts.append(Fixed("\nSimilar questions that were answered rightly before, with blanks for their values:\n"))
    for case in context.cases:
        parts += [Fixed("- "), Example(case.question), Fixed("\n    "), Example(case.query), Fixed("\n")]
    if context.readings:
        parts.append(Fixed("\nHow a parser without a language model reads it, maybe wrongly:\n"))
    for reading in context.readings:
        parts += [Fixed("- "), Said(reading, turns), Fixed("\n")]
    return (*parts, Fixed("\nQuestion: "), Said(talk.question, turns))


def _reflected(talk: Talk) -> tuple[Part, ...]:
    return (Fixed(REFLECTED), *(Received(f"- {one}\n") for one in talk.reflections))


def _trouble(asked: str, talk: Talk, failure: Failure, *, hint: bool) -> tuple[Part, ...]:
    if failure == UNTOLD:
        return (Fixed(f"{asked}\nError: {VALUES}"),)
    lines = talk.received.splitlines()
    line = lines[failure.line - 1] if failure.line and failure.line <= len(lines) else ""
    parts: list[Part] = [Fixed(f"{asked}\nError: "), Trouble(f"{failure.kind}: {failure.message}")]
    if line:
        parts += [Fixed(f"\nLine {failure.line}: "), Received(line)]
    if hint and failure.hint:
        parts += [Fixed("\nA program that looked at it thinks: "), Trouble(failure.hint)]
    return tuple(parts)


def _restored(text: str, mask: Mask | None) -> str:
    """The model's words for the user; a placeholder that stands for nothing stays as it is."""
    if mask is None:
        return text
    try:
        return restored(text, mask.placeholders)
    except PlaceholderError:
        return text


def _logic(text: str, mask: Mask | None) -> str:
    """The model's query logic with the values put back; "" where a placeholder stands for nothing."""
    try:
        return restored_logic(text, mask.placeholders) if mask else text
    except PlaceholderError:
        return ""
