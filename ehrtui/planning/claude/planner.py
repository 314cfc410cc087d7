"""The planner that asks a language model: EHRAgent's Algorithm 1, with no patient data in any request.

knowledge → the nearest approved cases → a plan with a confidence at each step → (it runs) → on an error its most
probable cause and a revised plan, at most T = 10 times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ehrtui.errors import EgressError, PlaceholderError
from ehrtui.planning.claude.answers import Planned, read_answer, stated_confidence
from ehrtui.planning.claude.model import Model, Reply
from ehrtui.planning.claude.prompts import COMPLAINTS, KNOWLEDGE, REPAIR, SEARCH, TASK
from ehrtui.planning.claude.searching import found
from ehrtui.planning.claude.spending import Usage
from ehrtui.planning.plan_text import sql_from_plan
from ehrtui.planning.planner import PastTurn, Proposal
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
from ehrtui.privacy.restoring import restored, restored_plan
from ehrtui.privacy.vocabulary import Speakable

MOST_REVISIONS = 10
_SEARCHES = 5
"""Rounds of searches before a plan."""
_FULL_TURNS, _ALL_TURNS = 6, 40
"""Of so many of the latest turns, question and query are told; of so many more, the question alone."""


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


@dataclass
class Talk:
    """The exchange with the model about one question: what was said so far, what it cost, what was sent. `received` is
    the model's latest plan, as it came."""

    mask: Mask | None
    speakable: Speakable
    exchanges: list[Exchange] = field(default_factory=list)
    received: str = ""
    text: str = ""
    revisions: int = 0
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
    """Asks `model`. `description` is the database and the tools in words, `speakable` what may be said of it, and
    `allowed` raises EgressError until the user has consented."""

    name = "claude"

    def __init__(
        self, model: Model, *, description: str, speakable: Callable[[], Speakable], allowed: Callable[[], None]
    ) -> None:
        self.model = model
        self._system = (Fixed(f"{TASK}\n{KNOWLEDGE}\n{description}"),)
        self._speakable = speakable
        self._allowed = allowed

    def cancel(self) -> None:
        """Stop what is being asked, from any thread."""
        self.model.cancel()

    def talk(self, mask: Mask | None) -> Talk:
        """A new talk, whose requests are masked; without a mask they say everything as it is."""
        return Talk(mask, self._speakable())

    def plan(
        self,
        talk: Talk,
        question: str,
        history: Sequence[PastTurn],
        *,
        readings: Sequence[str] = (),
        cases: Sequence[Shown] = (),
        said: Callable[[str], None] = lambda _: None,
    ) -> Proposal:
        """The model's plan for `question`, with which `talk` begins. `readings` are those of the offline planner;
        `said` gets the model's words as they arrive. Raises EgressError and QueryCancelled."""
        self._allowed()
        talk.exchanges.append(Message("user", _question(question, history, readings, cases)))
        planned, plan = self._planned(talk, "the plan of a question", said)
        if planned.reason:
            reason = _restored(planned.reason, talk.mask)
            return Proposal(question, self.name, reason=f"The language model says: {reason}")
        return Proposal(
            question, self.name, plan=plan, sql=sql_from_plan(plan), confidence=stated_confidence(planned.plan)
        )

    def revise(
        self, talk: Talk, failure: Failure, said: Callable[[str], None] = lambda _: None
    ) -> tuple[str, str] | None:
        """A revised plan and the cause of the failure, in the model's words; None where it has none any more. Raises
        EgressError and QueryCancelled."""
        if talk.revisions >= MOST_REVISIONS:
            return None
        talk.exchanges.append(Message("user", _trouble(talk, failure)))
        planned, plan = self._planned(talk, "a repair", said)
        if not plan:
            return None
        return plan, _restored(planned.cause, talk.mask) or "revised by the language model"

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
                    talk.received = planned.plan
                    return planned, plan
            if talk.revisions >= MOST_REVISIONS:
                raise EgressError(
                    "The language model gave no plan that can be run.",
                    why=f"It was asked {MOST_REVISIONS + 1} times.",
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
                talk.text = reply.text
                talk.exchanges.append(Message("assistant", (Received(reply.text),)))
                return Planned(complaint="long") if reply.stop == "max_tokens" else read_answer(reply.text)
            results = tuple(found(use, talk.speakable) for use in reply.uses)
            talk.exchanges.append(ToolRound(reply.text, reply.uses, results))
        return Planned(complaint="searches")

    def _asked(self, talk: Talk, why: str, said: Callable[[str], None]) -> Reply:
        body = build(self._system, talk.exchanges, talk.mask)
        before, sent = self.model.spending.usage, len(self.model.log.sent)
        try:
            return self.model.ask(body, why=why, tools=(SEARCH,), said=said)
        finally:
            talk.usage += self.model.spending.usage - before
            talk.sent += self.model.log.sent[sent:]


def _question(
    question: str, history: Sequence[PastTurn], readings: Sequence[str], cases: Sequence[Shown]
) -> tuple[Part, ...]:
    parts: list[Part] = []
    latest = [turn for turn in history if turn.columns][-_ALL_TURNS:]
    turns = max((turn.number for turn in history), default=0)
    if latest:
        parts.append(Fixed("The conversation so far:\n"))
    for at, turn in enumerate(latest, start=1):
        parts += [Fixed(f"A{turn.number}: "), Said(turn.question[:2000], turns)]
        if turn.sql and at > len(latest) - _FULL_TURNS:
            parts += [Fixed("\n    SQL: "), Said(" ".join(turn.sql.split())[:3000], turns)]
        parts.append(Fixed("\n"))
    if cases:
        parts.append(Fixed("\nSimilar questions that were answered rightly before, with blanks for their values:\n"))
    for case in cases:
        parts += [Fixed("- "), Example(case.question), Fixed("\n    "), Example(case.query), Fixed("\n")]
    if readings:
        parts.append(Fixed("\nHow a parser without a language model reads it, maybe wrongly:\n"))
    for reading in readings:
        parts += [Fixed("- "), Said(reading, turns), Fixed("\n")]
    return (*parts, Fixed("\nQuestion: "), Said(question, turns))


def _trouble(talk: Talk, failure: Failure) -> tuple[Part, ...]:
    lines = talk.received.splitlines()
    line = lines[failure.line - 1] if failure.line and failure.line <= len(lines) else ""
    parts: list[Part] = [Fixed(f"{REPAIR}\nError: "), Trouble(f"{failure.kind}: {failure.message}", line)]
    if line:
        parts += [Fixed(f"\nLine {failure.line}: "), Received(line)]
    if failure.hint:
        parts += [Fixed("\nA program that looked at it thinks: "), Trouble(failure.hint, line)]
    return tuple(parts)


def _restored(text: str, mask: Mask | None) -> str:
    """The model's words for the user; a placeholder that stands for nothing stays as it is."""
    if mask is None:
        return text
    try:
        return restored(text, mask.placeholders)
    except PlaceholderError:
        return text
