"""Asking a language model: when, with what, and what becomes of its plan and of its repairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.conversation.draft import Draft
from ehrtui.conversation.turn import Spent
from ehrtui.errors import EgressError, EhrtuiError, MaskingError, PlanError
from ehrtui.memory.masking import form_of
from ehrtui.memory.recall import Memory
from ehrtui.planning.claude.levels import Shape, expected
from ehrtui.planning.claude.planner import UNTOLD, ClaudePlanner, Context, Failure, Shown, Talk
from ehrtui.planning.planner import PastTurn, Proposal
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.explaining import in_words
from ehrtui.privacy.channels import decided_by_values
from ehrtui.privacy.masking import Mask

_CASES = 4
"""K of EHRAgent."""
_SURE = 0.9
"""How sure a repair of the language model counts: enough to be run."""


class Asking:
    """The language model in one conversation. It is asked `always`, or only where the offline planner is not sure;
    `mask` hides what is private, None where everything may be said. How sure it is of an answer is asked `samples`
    times."""

    def __init__(
        self, planner: ClaudePlanner, *, always: bool, mask: Mask | None, memory: Memory | None, samples: int
    ) -> None:
        self.planner = planner
        self.samples = samples
        self._always = always
        self._mask = mask
        self._memory = memory

    @property
    def sees_rows(self) -> bool:
        """True where nothing is hidden from the model."""
        return self._mask is None

    def wanted(self, offline: Proposal, threshold: float) -> bool:
        """True where it is to be asked, after what the offline planner made of the question."""
        unsure = bool(offline.reason) or not offline.plan.strip() or offline.confidence < threshold
        return bool(offline.question.strip()) and (self._always or unsure)

    def draft(
        self,
        offline: Draft,
        history: Sequence[PastTurn],
        said: Callable[[str], None],
        tell: Callable[[str], None],
    ) -> Draft:
        """The draft that the language model makes of a question; the offline one where it makes none, and why is told.
        `said` gets its words as they arrive. Raises QueryCancelled."""
        talk = self.planner.talk(self._mask)
        readings = tuple(reading.logic for reading in offline.proposal.readings[:3])
        try:
            context = Context(history, readings, self._cases(offline.proposal))
            proposal = self.planner.plan(talk, offline.text, context, said=said, tell=tell)
        except EgressError as error:
            tell(f"{_sentence(error)} The offline planner answers.")
            return replace(offline, talk=talk)
        proposal = replace(proposal, links=offline.proposal.links, readings=offline.proposal.readings)
        return replace(offline, proposal=proposal, plan=proposal.plan, talk=talk, offline=offline.proposal)

    def level(self, talk: Talk, shape: Shape) -> float:
        """How sure the model is, in [0, 1], of the answer to its latest plan. Raises EgressError and
        QueryCancelled."""
        return expected(self.planner.levels(talk, talk.received, shape, self.samples))

    def revised(
        self, talk: Talk, plan: str, error: EhrtuiError, diagnosis: Diagnosis, said: Callable[[str], None]
    ) -> tuple[Diagnosis | None, str]:
        """The language model's repair of a `plan` of its own that failed, None where it has none; and why it could not
        be asked, "" where it was. Raises QueryCancelled."""
        kind = error.kind if isinstance(error, PlanError) else type(error).__name__
        line = error.line if isinstance(error, PlanError) else None
        message = f"{error.what} {error.why}".strip()
        failure = Failure(kind, message, line, in_words(diagnosis))
        if self._mask is not None and decided_by_values(plan, kind, message):
            failure = UNTOLD
        try:
            found = self.planner.revise(talk, failure, said)
        except EgressError as trouble:
            return None, _sentence(trouble)
        if found is None:
            return None, ""
        plan, cause = found
        return Diagnosis(cause, diagnosis.text, line, plan, _SURE, quotes_rows=diagnosis.quotes_rows), ""

    def spent(self, talk: Talk) -> Spent:
        """What a talk has cost so far."""
        return Spent(talk.usage.tokens, self.planner.model.spending.cost(talk.usage), talk.egress)

    def _cases(self, offline: Proposal) -> tuple[Shown, ...]:
        approach = self.planner.approach
        if self._memory is None or offline.slots is None or not approach.has("memory"):
            return ()
        try:
            form = form_of(offline.question, offline.slots)
            near = self._memory.nearest(form, at_least=0.0, in_any_order=approach.likeness == "token-sort")
        except MaskingError:
            return ()
        return tuple(Shown(one.kept.case.question, one.kept.case.logic or one.kept.case.sql) for one in near[:_CASES])


def _sentence(error: EgressError) -> str:
    return " ".join(filter(None, (error.what, error.why, error.next_step)))
