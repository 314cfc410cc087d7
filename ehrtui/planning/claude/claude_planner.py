"""The planner that asks a language model: EHRAgent's Algorithm 1, with no patient data in any request.

knowledge → the nearest approved cases → a plan with a confidence at each step → (it runs) → on an error its most
probable cause and a revised plan, at most T = 10 times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ehrtui.errors import EgressError, LogicError, PlaceholderError, TooLongError, UnreadableRequestError
from ehrtui.planning.claude.answers import Planned, read_answer, stated_confidence
from ehrtui.planning.claude.approach import EHRAGENT, Approach
from ehrtui.planning.claude.knowledge import MOST_TABLES
from ehrtui.planning.claude.levels import Shape, is_settled, level_of, shares
from ehrtui.planning.claude.model import Model, Reply
from ehrtui.planning.claude.prompts import (
    COMPLAINTS,
    DESCRIBE,
    GATHER,
    JUDGE,
    PLAN_NOW,
    REFLECT,
    REFLECTED,
    SEARCH,
    VALUES,
    repair,
)
from ehrtui.planning.claude.talk import UNTOLD, Context, Failure, Talk
from ehrtui.planning.claude.tidying import without_thoughts
from ehrtui.planning.plan_text import sql_from_plan
from ehrtui.planning.proposal import Proposal
from ehrtui.privacy.bounds import Bounds
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
    ToolUse,
    Trouble,
    build,
)
from ehrtui.privacy.restoring import restored, restored_logic, restored_plan

JUDGED = "how sure it is"
"""Why a model is asked for a level."""
_SEARCHES = 5
"""Rounds of searches before a plan."""
_MOST_TURNS = (40, 10, 3, 0)
"""So many of the latest turns are told; less where that is too long for the model."""
_LONGEST_REFLECTION = 4000
SAID_IN_LOGIC = 0.9
"""The confidence in query logic alone, with which no confidence is said."""


class ClaudePlanner:
    """Asks `model`, as the `approach` has it; `system` is what it is told of its task and of the database. `look_up`
    answers its tools' calls, and `allowed` raises EgressError for a request (its JSON values) until the user has
    consented. A database of many `tables` is described on demand."""

    name = "claude"

    def __init__(
        self,
        model: Model,
        *,
        system: str,
        tables: int,
        look_up: Callable[[ToolUse], Part],
        allowed: Callable[[dict[str, Any]], None],
        approach: Approach = EHRAGENT,
    ) -> None:
        self.model = model
        self.approach = approach
        self._system = (Fixed(system),)
        self._tools: tuple[dict[str, Any], ...] = (SEARCH, DESCRIBE) if tables > MOST_TABLES else (SEARCH,)
        self._look_up = look_up
        self._allowed = allowed

    def cancel(self) -> None:
        """Stop what is being asked, from any thread."""
        self.model.cancel()

    def talk(
        self,
        mask: Mask | None,
        bounds: Bounds,
        compiled: Callable[[str], Proposal],
        fault: Callable[[str], str],
        not_stored: Callable[[str], str],
    ) -> Talk:
        """A new talk, whose requests are masked; without a mask they say everything as it is. The others are as in
        `Talk`."""
        return Talk(mask, bounds, compiled, fault, not_stored)

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
        alone = talk.logic if not planned.plan else None
        confidence = stated_confidence(planned.plan) if planned.plan else SAID_IN_LOGIC
        return Proposal(question, self.name, plan=plan, logic=alone, sql=sql_from_plan(plan), confidence=confidence)

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

    def levels(self, talk: Talk, shape: Shape, samples: int) -> tuple[float, ...]:
        """P(S=i) that the answer to the talk's question is right, whose `shape` is told, from up to `samples` answers
        in the conversation that planned it; those that name no level do not count, and no more are asked for than it
        takes. Raises EgressError where none names a level, and QueryCancelled."""
        parts: list[Part] = [Fixed(JUDGE.format(shape=shape))]
        if shape.rows:
            parts.append(Said(f"\nIts first rows: {repr(shape.rows)[:4000]}"))
        asked = (*talk.exchanges, Message("user", tuple(parts)))
        found: list[int] = []
        for _ in range(samples):
            level = level_of(self._sent(talk, asked, JUDGED).text)
            if level is not None:
                found.append(level)
            if is_settled(found) or talk.bounds.left() < 1:
                break
        if not found:
            raise EgressError("The language model does not say how sure it is.")
        return shares(found)

    def _begun(self, talk: Talk, said: Callable[[str], None], tell: Callable[[str], None]) -> tuple[Planned, str]:
        """The first plan of a talk; of the turns before it, less and less is told until the model can take it."""
        for attempt, most in enumerate(_MOST_TURNS):
            if attempt:
                latest = f"the latest {most} turns alone" if most else "no earlier turn"
                tell(f"The conversation is too long for the language model: it is told of {latest}.")
            gathers = "gathering" in self.approach.extras
            question = _question(talk, most, self.approach)
            talk.exchanges[:] = [Message("user", (*question, Fixed(f"\n{GATHER}")) if gathers else question)]
            try:
                if gathers:
                    self._gather(talk, said)
                return self._planned(talk, "the plan of a question", said)
            except TooLongError:
                continue
        raise TooLongError(
            "The question is too long for the language model.", next_step="Put it in fewer words, or choose --model."
        )

    def _gather(self, talk: Talk, said: Callable[[str], None]) -> None:
        """Ask what is to be known for the question before it is planned (EHRAgent's first step)."""
        for _ in range(_SEARCHES + 1):
            reply = self._asked(talk, "the knowledge for a question", said)
            if not reply.uses:
                talk.exchanges.append(Message("assistant", (Received(without_thoughts(reply.text)),)))
                break
            talk.exchanges.append(self._looked_up(reply))
        talk.exchanges.append(Message("user", (Fixed(PLAN_NOW),)))

    def _reflect(self, talk: Talk, said: Callable[[str], None]) -> None:
        """Ask what went wrong, and begin anew with the reflections so far (Reflexion)."""
        reply = self._asked(talk, "a reflection", said)
        talk.reflections.append(reply.text[:_LONGEST_REFLECTION])
        talk.exchanges[:] = [Message("user", (*_question(talk, _MOST_TURNS[0], self.approach), *_reflected(talk)))]

    def _planned(self, talk: Talk, why: str, said: Callable[[str], None]) -> tuple[Planned, str]:
        """Ask until there is a plan that can be read, or a reason why there is none; the plan with its values."""
        while True:
            planned = self._answered(talk, why, said)
            if planned.reason:
                return planned, ""
            if planned.plan or planned.logic:
                planned, plan = self._with_values(talk, planned)
                if plan:
                    return self._with_stored_names(talk, planned, plan, said)
            if talk.revisions >= self.approach.revisions:
                raise EgressError(
                    "The language model gave no plan that can be run.",
                    why=f"It was asked {talk.revisions + 1} times." if talk.revisions else "",
                    next_step="Put the question in other words, or write SQL.",
                )
            talk.revisions += 1
            complaint: list[Part] = [
                Fixed(COMPLAINTS[planned.complaint]),
                *([Trouble(planned.fault)] if planned.fault else []),
            ]
            talk.exchanges.append(Message("user", tuple(complaint)))

    def _with_stored_names(
        self, talk: Talk, planned: Planned, plan: str, said: Callable[[str], None]
    ) -> tuple[Planned, str]:
        """The plan, or what the model makes of it where it asks for names that are not stored: once of a question, as
        it may be meant so. Which names a vocabulary has says nothing of any patient."""
        asks = planned.plan and not talk.corrected and talk.revisions < self.approach.revisions
        wrong = talk.not_stored(planned.plan) if asks else ""
        if not wrong:
            return planned, plan
        talk.corrected = True
        talk.revisions += 1
        talk.exchanges.append(Message("user", (Fixed(f"{COMPLAINTS['names']}{wrong}"),)))
        before = talk.received, talk.plan, talk.type, talk.logic, talk.received_logic
        try:
            return self._planned(talk, "the names in a plan", said)
        except EgressError:  # then it runs as it is
            talk.received, talk.plan, talk.type, talk.logic, talk.received_logic = before
            return planned, plan

    def _with_values(self, talk: Talk, planned: Planned) -> tuple[Planned, str]:
        """What was planned, and its plan with the values put back: the model's own, or that of its query logic; a
        complaint and "" where it cannot be had."""
        talk.logic, talk.received_logic = _logic(planned.logic, talk.mask), planned.logic
        try:
            plan = restored_plan(planned.plan, talk.mask.placeholders) if talk.mask else planned.plan
            if not plan and (fault := talk.fault(planned.logic)):
                return Planned(complaint="logic", fault=fault), ""
            plan = plan or talk.compiled(talk.logic).plan
        except PlaceholderError:
            return Planned(complaint="placeholder"), ""
        except LogicError as error:  # a value of the user's decided on it: that is not told
            raise EgressError("The language model's query logic cannot be run.", why=error.what) from error
        talk.received, talk.plan, talk.type = planned.plan, plan, planned.type
        return planned, plan

    def _answered(self, talk: Talk, why: str, said: Callable[[str], None]) -> Planned:
        """One answer of the model, after the searches that it wants."""
        for _ in range(_SEARCHES + 1):
            reply = self._asked(talk, why, said)
            if reply.stop == "refusal":
                return Planned(reason="I would rather not answer this.")
            if not reply.uses:
                talk.exchanges.append(Message("assistant", (Received(without_thoughts(reply.text)),)))
                if reply.stop == "max_tokens":
                    return Planned(complaint="long")
                planned = read_answer(reply.text, code=self.approach.strategy != "logic")
                if not planned.searches:
                    return planned
                talk.exchanges.append(Message("user", tuple(self._searched(planned.searches))))
                continue
            talk.exchanges.append(self._looked_up(reply))
        return Planned(complaint="searches")

    def _looked_up(self, reply: Reply) -> ToolRound:
        return ToolRound(reply.text, reply.uses, tuple(self._look_up(use) for use in reply.uses))

    def _searched(self, names: Sequence[str]) -> Iterator[Part]:
        """What searches in the text of an answer find: not every server has tools."""
        for name in names:
            found = self._look_up(ToolUse("", str(SEARCH["name"]), {"text": name}))
            yield from (Fixed("Search: "), Received(f"{name}\n"), found, Fixed("\n"))

    def _asked(self, talk: Talk, why: str, said: Callable[[str], None]) -> Reply:
        return self._sent(talk, talk.exchanges, why, said)

    def _sent(
        self, talk: Talk, exchanges: Sequence[Exchange], why: str, said: Callable[[str], None] = lambda _: None
    ) -> Reply:
        """Send a conversation; without tools from now on where the server cannot read it with them."""
        body = build(self._system, exchanges, talk.mask)
        self._allowed(self.model.request(body, self._tools))
        talk.bounds.count()
        try:
            with self._metered(talk):
                return self.model.ask(body, why=why, tools=self._tools, said=said)
        except UnreadableRequestError:
            if not self._tools:
                raise
            self._tools = ()
        return self._sent(talk, exchanges, why, said)

    @contextmanager
    def _metered(self, talk: Talk) -> Iterator[None]:
        """Count for the talk what is asked meanwhile."""
        before, sent = self.model.spending.usage, len(self.model.log.sent)
        try:
            yield
        finally:
            talk.usage += self.model.spending.usage - before
            talk.sent += self.model.log.sent[sent:]


def _question(talk: Talk, most: int, approach: Approach) -> tuple[Part, ...]:
    """The question with its context: of the turns before it, the latest `most`."""
    context, parts = talk.context, list[Part]()
    known = context.history
    latest = known[len(known) - min(most, len(known)) :]
    turns = max((turn.number for turn in known), default=0)
    if latest:
        parts.append(Fixed("The conversation so far:\n"))
    if len(latest) < len(known):
        parts.append(Fixed(f"(Left out: {len(known) - len(latest)} earlier.)\n"))
    for turn in latest:
        parts += [Fixed(f"A{turn.number}: "), turn.question]
        if turn.columns:
            parts += [Fixed("\n    Columns: "), *turn.columns]
        if approach.history == "qs":
            parts += turn.logic
            if turn.number in context.refers or not turn.logic:
                parts += turn.statement
        parts.append(Fixed("\n"))
    if context.cases:
        parts.append(Fixed("\nSimilar questions that were answered rightly before, with blanks for their values:\n"))
    for case in context.cases:
        parts += [Fixed("- "), Example(case.question), Fixed("\n")]
        parts += [Fixed("    Logic: "), Example(case.logic), Fixed("\n")] if case.logic else []
        parts += [Fixed("    SQL: "), Example(case.sql), Fixed("\n")] if case.sql else []
    if context.readings:
        parts.append(Fixed("\nHow a parser without a language model reads it, maybe wrongly:\n"))
    for reading in context.readings:
        parts += [Fixed("- "), Said(reading, turns), Fixed("\n")]
    if context.names:
        parts.append(Fixed("\nStored names that may be meant:\n" + "".join(f"- {one}\n" for one in context.names)))
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
