"""Asking a language model: when, with what, and what becomes of its plan and of its repairs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ehrtui.concepts.retrieval import Shortlist
from ehrtui.conversation.rehearsal import NOW, Rehearsal, named_turns
from ehrtui.conversation.telling import link, told
from ehrtui.conversation.twin import Twin, TwinTurn
from ehrtui.errors import EgressError, EhrtuiError, MaskingError, PlanError
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.written import written
from ehrtui.memory.case import Case
from ehrtui.memory.masking import form_of, in_sql
from ehrtui.memory.recall import Memory
from ehrtui.planning.claude.catalogue import Catalogue
from ehrtui.planning.claude.claude_planner import ClaudePlanner
from ehrtui.planning.claude.going_on import may_go_on
from ehrtui.planning.claude.levels import Shape, expected
from ehrtui.planning.claude.names import names_not_stored
from ehrtui.planning.claude.talk import UNTOLD, Context, Failure, Shown, Talk
from ehrtui.planning.plan_text import sql_from_plan
from ehrtui.planning.proposal import Planner, Proposal
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.explaining import in_words
from ehrtui.plans.rubber_duck import diagnose
from ehrtui.privacy.bounds import Bounds
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.placeholders import PLACEHOLDER
from ehrtui.privacy.restoring import restored_logic, restored_plan
from ehrtui.privacy.stand_ins import StandIns
from ehrtui.schema.profile import Profile
from ehrtui.session.draft import Draft
from ehrtui.session.turn import Spent

_CASES = 4
"""K of EHRAgent."""
MOST_UNTOLD = 3
"""So many plans of a question may fail over the values that they meet: each tells one bit of them."""
_READINGS = 1
"""So many readings of the offline planner are told, where it believes them."""
_ANSWER = re.compile(r"\b[Aa](\d{1,3})\b")
_FACTS = frozenset({"span", "contradiction"})
"""Kinds of refusals that go by what is stored, and by no word of the question."""
_LEFT_OUT = frozenset({"unexplained", "unused", "idle"})
_SURE = 0.9
"""How sure a repair of the language model counts: enough to be run."""


@dataclass(frozen=True)
class Refused:
    """A plan that cannot run over any rows: the `error` that the user is told, and the `failure` that the model is."""

    error: PlanError
    failure: Failure


class Consultant:
    """The language model in one conversation. It is asked `always`, or only where the offline planner is not sure;
    `mask` hides what is private, None where everything may be said. How sure it is of an answer is asked `samples`
    times at most, all requests within `bounds`. `offline` is the offline planner, `retrieve` gives what the names in a
    text may mean, `rehearsal` makes a place to rehearse plans in, None where they cannot be, `catalogue` has the stored
    names that may be said, and cases are compiled with `profile`."""

    def __init__(
        self,
        planner: ClaudePlanner,
        *,
        always: bool,
        mask: Mask | None,
        memory: Memory | None,
        samples: int,
        bounds: Bounds,
        offline: Planner,
        retrieve: Callable[[str], Sequence[Shortlist]],
        rehearsal: Callable[[], Rehearsal | None],
        catalogue: Callable[[], Catalogue],
        profile: Profile,
    ) -> None:
        self.planner = planner
        self.samples = samples
        self._always = always
        self._mask = mask
        self._memory = memory
        self._bounds = bounds
        self._twin = Twin(offline, mask, rehearsal)
        self._retrieve = retrieve
        self._rehearsal_of = rehearsal
        self._catalogue = catalogue
        self._profile = profile

    @property
    def _rehearsal(self) -> Rehearsal | None:
        return self._rehearsal_of()

    @property
    def pace(self) -> Pace:
        """When its requests may leave."""
        return self.planner.model.pace

    @property
    def sees_rows(self) -> bool:
        """True where nothing is hidden from the model."""
        return self._mask is None

    def wanted(self, offline: Draft, threshold: float, earlier: Mapping[int, Draft]) -> bool:
        """True where it is to be asked about a question, after the turns that ran as `earlier`: always, or where the
        offline planner does not refuse it by facts, and is unsure, leaves words of it out, has another reading as well,
        or where the question may go on from an earlier one. Neither what the database holds of the patients nor what
        came of the turns decides it."""
        if self._always or not offline.text.strip():
            return bool(offline.text.strip())
        read = self._read(offline, self._twin.turns(earlier))
        if is_fact(read):
            return False
        unsure = bool(read.reason) or not read.plan.strip() or read.confidence < threshold
        competing = len(read.readings) > 1 and read.case is None
        follows = bool(earlier) and may_go_on(offline.text)
        return unsure or competing or follows or any(doubt.kind in _LEFT_OUT for doubt in read.doubts)

    def draft(
        self, offline: Draft, earlier: Mapping[int, Draft], said: Callable[[str], None], tell: Callable[[str], None]
    ) -> Draft:
        """The draft that the language model makes of a question, after the turns that ran as `earlier`; the offline one
        where it makes none, and why is told. `said` gets its words as they arrive. Raises QueryCancelled."""
        self.pace.begin()
        self._bounds.begin()
        before = self._twin.turns(earlier)
        talk = self.planner.talk(
            self._mask,
            self._bounds,
            lambda logic: self._twin.compiled(self.spelled(logic), before),
            lambda logic: self._fault(logic, before),
            self._not_stored,
        )
        try:
            proposal = self.planner.plan(talk, offline.text, self._context(offline, before), said=said, tell=tell)
        except EgressError as error:
            tell(f"{_sentence(error)} The offline planner answers.")
            return replace(offline, talk=talk)
        proposal = replace(proposal, links=offline.proposal.links, readings=offline.proposal.readings)
        return replace(offline, proposal=proposal, plan=proposal.plan, talk=talk, offline=offline.proposal)

    def _context(self, offline: Draft, before: tuple[TwinTurn, ...]) -> Context:
        history = tuple(told(turn, self._mask) for turn in before)
        read, latest = self._read(offline, before), max((turn.number for turn in before), default=0)
        if self._mask is not None:
            link(offline.text, read.links, self._mask, latest)
        readings = tuple(reading.logic for reading in read.readings[:_READINGS]) if is_believed(read) else ()
        names = self._catalogue().shortlisted(self._retrieve(self._seen(offline.text, latest)))
        refers = frozenset({int(found) for found in _ANSWER.findall(offline.text)} | named_turns(read.plan) | {latest})
        return Context(history, refers, readings, self._cases(read), names)

    def _seen(self, question: str, turns: int) -> str:
        """A question as the model reads it, so that names are told of the words in it alone."""
        return question if self._mask is None else PLACEHOLDER.sub(";", self._mask.words(question, turns))

    def _read(self, offline: Draft, before: tuple[TwinTurn, ...]) -> Proposal:
        """What the offline planner makes of a question; where something is to be hidden, as one to whom nothing is
        known of what came of the turns `before`."""
        return offline.proposal if self._mask is None or not before else self._twin.reading(offline, before)

    def refused(self, talk: Talk, plan: str, earlier: Mapping[int, Draft]) -> Refused | None:
        """Why a `plan` of the model's own cannot run over any rows, None where it may. It is looked at without a row of
        the database and without a value of the user's."""
        if self._mask is None or plan != talk.plan or not talk.received or self._rehearsal is None:
            return None
        stand_ins = StandIns(self._mask.placeholders)
        rehearsed = restored_plan(talk.received, stand_ins)
        error = self._rehearsal.failure(rehearsed, {turn.number: turn.plan for turn in self._twin.turns(earlier)})
        if error is None:
            return None
        hint = stand_ins.named(in_words(diagnose(error, rehearsed, self._rehearsal.facts)))
        failure = Failure(error.kind, stand_ins.named(f"{error.what} {error.why}".strip()), error.line, hint)
        shown = PlanError(
            stand_ins.said(error.what),
            why=stand_ins.said(error.why),
            next_step=stand_ins.said(error.next_step),
            kind=error.kind,
            line=error.line,
            suggestions=error.suggestions,
        )
        return Refused(shown, failure)

    def _fault(self, logic: str, before: tuple[TwinTurn, ...]) -> str:
        """What is wrong with query logic as the model wrote it: found without a row of the database, and without a
        value of the user's; "" where nothing is. Raises PlaceholderError."""
        if self._mask is None:
            return self._twin.fault(self.spelled(logic), before)
        stand_ins = StandIns(self._mask.placeholders, in_logic=True)
        return stand_ins.named(self._twin.fault(self.spelled(restored_logic(logic, stand_ins)), before))

    def _not_stored(self, plan: str) -> str:
        """Which names in the SQL of a plan, as the model wrote it, no vocabulary of the database has."""
        sql = sql_from_plan(restored_plan(plan, StandIns(self._mask.placeholders)) if self._mask is not None else plan)
        return names_not_stored(sql, plan, self._catalogue()) if sql else ""

    def spelled(self, logic: str) -> str:
        """Query logic with its names as they are stored, whatever their case."""
        return self._catalogue().spelled(logic)

    def level(self, talk: Talk, shape: Shape) -> float:
        """How sure the model is, in [0, 1], of the answer to its latest plan. Raises EgressError and
        QueryCancelled."""
        return expected(self.planner.levels(talk, shape, self.samples))

    def revised(
        self,
        talk: Talk,
        error: EhrtuiError,
        diagnosis: Diagnosis,
        refused: Refused | None,
        said: Callable[[str], None],
    ) -> tuple[Diagnosis | None, str]:
        """The language model's repair of a plan of its own that failed, or was `refused`; None where it has none; and
        why it could not be asked, "" where it was. Raises QueryCancelled."""
        line = error.line if isinstance(error, PlanError) else None
        if refused is not None:
            failure = refused.failure
        elif self._mask is not None:
            failure = UNTOLD
            talk.untold += 1
            if talk.untold > MOST_UNTOLD:
                return None, ""
        else:
            kind = error.kind if isinstance(error, PlanError) else type(error).__name__
            failure = Failure(kind, f"{error.what} {error.why}".strip(), line, in_words(diagnosis))
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
        return tuple(self._shown(one.kept.case) for one in near[:_CASES])

    def _shown(self, case: Case) -> Shown:
        """A case as it is told: its query logic where that language is told, and its SQL."""
        logic = case.logic if self.planner.approach.has("logic") else ""
        return Shown(case.question, logic, in_sql(case, self._flat_sql))

    def _flat_sql(self, logic: str) -> str:
        return flat_sql(written(logic, self._profile, now=NOW, turns={}).steps)


def is_fact(offline: Proposal) -> bool:
    """True for a refusal that stands whatever a language model makes of the question: a time without records, what
    cannot be, and a patient or a stay that is not there. That a word sounds like advice, or says nothing, is none."""
    if offline.refusal is None:
        return False
    kind = offline.refusal.kind
    return kind in _FACTS or (kind == "concept" and not offline.unexplained)


def is_believed(offline: Proposal) -> bool:
    """True for a reading that accounts for every word, and that the offline planner does not decline."""
    unpaid = any(doubt.kind in ("unexplained", "unused") for doubt in offline.doubts)
    return bool(offline.logic) and not (offline.reason or offline.unexplained or unpaid)


def _sentence(error: EgressError) -> str:
    return " ".join(filter(None, (error.what, error.why, error.next_step)))
