"""Asking a language model: when, with what, and what becomes of its plan and of its repairs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ehrtui.concepts.retrieval import Shortlist
from ehrtui.conversation.rehearsal import NOW, Rehearsal, named_turns
from ehrtui.conversation.telling import link, past, told, written_by_model
from ehrtui.errors import EgressError, EhrtuiError, LogicError, MaskingError, PlaceholderError, PlanError
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.steps import EarlierTurn
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
from ehrtui.planning.proposal import PastTurn, Proposal
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.explaining import in_words
from ehrtui.plans.rubber_duck import diagnose
from ehrtui.privacy.bounds import Bounds
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.placeholders import PLACEHOLDER
from ehrtui.privacy.request import Part, Received, Said
from ehrtui.privacy.restoring import restored_logic, restored_plan
from ehrtui.privacy.stand_ins import StandIns
from ehrtui.privacy.vocabulary import own_words
from ehrtui.schema.profile import Profile
from ehrtui.session.draft import Draft
from ehrtui.session.turn import Spent

_CASES = 4
"""K of EHRAgent."""
MOST_UNTOLD = 3
"""So many plans of a question may fail over the values that they meet: each tells one bit of them."""
_READINGS = 1
"""So many readings of the offline planner are told, where it believes them."""
_WORD = re.compile(r"\w+")
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
    times at most, all requests within `bounds`. `read` is the offline planner, `retrieve` gives what the
    names in a text may mean, `rehearsal` makes a place to rehearse
    plans in, None where they cannot be, `catalogue` has the stored names that may be said, and query logic is read with
    `profile`."""

    def __init__(
        self,
        planner: ClaudePlanner,
        *,
        always: bool,
        mask: Mask | None,
        memory: Memory | None,
        samples: int,
        bounds: Bounds,
        read: Callable[[str, Sequence[PastTurn]], Proposal],
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
        self._read = read
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

    def wanted(self, offline: Proposal, threshold: float, *, first: bool) -> bool:
        """True where it is to be asked, after what the offline planner made of the question: always, or where that is
        no refusal by facts, and is unsure, leaves words of the question out, has another reading as well, or where the
        question is not the `first` and may go on from an earlier one. What the database holds does not decide it."""
        if self._always or not offline.question.strip():
            return bool(offline.question.strip())
        if is_fact(offline):
            return False
        unsure = bool(offline.reason) or not offline.plan.strip() or offline.confidence < threshold
        competing = len(offline.readings) > 1 and offline.case is None
        follows = not first and may_go_on(offline.question)
        return unsure or competing or follows or any(doubt.kind in _LEFT_OUT for doubt in offline.doubts)

    def draft(
        self,
        offline: Draft,
        earlier: Mapping[int, Draft],
        said: Callable[[str], None],
        tell: Callable[[str], None],
        compiled: Callable[[str], Proposal],
    ) -> Draft:
        """The draft that the language model makes of a question, after the turns that ran as `earlier`; the offline one
        where it makes none, and why is told. `said` gets its words as they arrive; `compiled` is the plan of query
        logic. Raises QueryCancelled."""
        self.pace.begin()
        self._bounds.begin()
        talk = self.planner.talk(
            self._mask,
            self._bounds,
            lambda logic: compiled(self.spelled(logic)),
            lambda logic: self._fault(logic, earlier),
            self._not_stored,
        )
        try:
            proposal = self.planner.plan(talk, offline.text, self._context(offline, earlier), said=said, tell=tell)
        except EgressError as error:
            tell(f"{_sentence(error)} The offline planner answers.")
            return replace(offline, talk=talk)
        proposal = replace(proposal, links=offline.proposal.links, readings=offline.proposal.readings)
        return replace(offline, proposal=proposal, plan=proposal.plan, talk=talk, offline=offline.proposal)

    def _context(self, offline: Draft, earlier: Mapping[int, Draft]) -> Context:
        proposal = offline.proposal
        history = []
        columns = {number: self._columns(number, draft, earlier) for number, draft in earlier.items()}
        for number, draft in earlier.items():
            history.append(told(number, draft, self._mask, self._told_columns(draft, columns[number], number)))
        if self._mask is not None:
            link(offline, self._mask, max(earlier, default=0))
            if earlier:  # how it reads where nothing is known of what came of them
                known = [past(number, draft, columns[number]) for number, draft in earlier.items()]
                proposal = self._read(offline.text, known)
        readings = tuple(reading.logic for reading in proposal.readings[:_READINGS]) if is_believed(proposal) else ()
        names = self._catalogue().shortlisted(self._retrieve(self._seen(offline.text, max(earlier, default=0))))
        return Context(
            tuple(history), self._referred(offline.text, proposal, earlier), readings, self._cases(proposal), names
        )

    def _seen(self, question: str, turns: int) -> str:
        """A question as the model reads it, so that names are told of the words in it alone."""
        return question if self._mask is None else PLACEHOLDER.sub(";", self._mask.words(question, turns))

    @staticmethod
    def _referred(text: str, proposal: Proposal, earlier: Mapping[int, Draft]) -> frozenset[int]:
        """The earlier turns that a question may build on: those that it names, that the offline planner finds, and the
        latest."""
        named = {int(found) for found in _ANSWER.findall(text)} | named_turns(proposal.plan)
        return frozenset(named | {max(earlier, default=0)})

    def _told_columns(self, draft: Draft, columns: tuple[str, ...], number: int) -> tuple[Part, ...]:
        """The columns of an answer, in what may be told: as the model wrote them, or as words of the user's."""
        listed = ", ".join(columns)
        if not listed:
            return ()
        if self._mask is not None and written_by_model(draft):
            return (Received(StandIns(self._mask.placeholders).named(listed)),)
        return (Said(listed, number - 1),)

    def _columns(self, number: int, draft: Draft, earlier: Mapping[int, Draft]) -> tuple[str, ...]:
        """The columns of an earlier answer, as far as the text of its plan says them."""
        rehearsal = self._rehearsal
        if rehearsal is None or draft.opened:
            return ()
        return rehearsal.columns(number, {other: self._written(one) for other, one in earlier.items()})

    def _written(self, draft: Draft) -> str:
        """The plan of a turn, with stand-ins where the model wrote placeholders."""
        if written_by_model(draft) and draft.talk is not None and not draft.edits and self._mask is not None:
            return restored_plan(draft.talk.received, StandIns(self._mask.placeholders))
        return draft.plan

    def refused(self, talk: Talk, plan: str, earlier: Mapping[int, Draft]) -> Refused | None:
        """Why a `plan` of the model's own cannot run over any rows, None where it may. It is looked at without a row of
        the database and without a value of the user's."""
        if self._mask is None or plan != talk.plan or not talk.received or self._rehearsal is None:
            return None
        stand_ins = StandIns(self._mask.placeholders)
        written = {number: self._written(draft) for number, draft in earlier.items()}
        rehearsed = restored_plan(talk.received, stand_ins)
        error = self._rehearsal.failure(rehearsed, written)
        if error is None:
            return None
        hint = stand_ins.named(in_words(diagnose(error, rehearsed, self._rehearsal.facts)))
        message = stand_ins.named(f"{error.what} {error.why}".strip())
        foreign = {number for number, draft in earlier.items() if not written_by_model(draft) or draft.edits}
        if foreign & named_turns(talk.received):  # then words of theirs may be in it
            message, hint = (text if self._is_of(text, talk) else "" for text in (message, hint))
        failure = Failure(error.kind, message, error.line, hint)
        shown = PlanError(
            stand_ins.said(error.what),
            why=stand_ins.said(error.why),
            next_step=stand_ins.said(error.next_step),
            kind=error.kind,
            line=error.line,
            suggestions=error.suggestions,
        )
        return Refused(shown, failure)

    def _fault(self, logic: str, earlier: Mapping[int, Draft]) -> str:
        """What is wrong with query logic as the model wrote it: found without a row of the database, and without a
        value of the user's; "" where nothing is."""
        stand_ins = StandIns(self._mask.placeholders) if self._mask is not None else None
        columns = {number: self._columns(number, draft, earlier) for number, draft in earlier.items()}
        turns = {number: EarlierTurn(None, names) for number, names in columns.items() if names}
        try:
            rehearsed = restored_logic(logic, stand_ins) if stand_ins else logic
            written(rehearsed, self._profile, now=NOW, turns=turns)
        except PlaceholderError:
            return ""
        except LogicError as error:
            text = " ".join(filter(None, (error.what, error.why, error.next_step)))
            return stand_ins.named(text) if stand_ins else text
        return ""

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

    @staticmethod
    def _is_of(text: str, talk: Talk) -> bool:
        """True where all words of a text are ehrtui's own, the schema's, or of what the model wrote."""
        written = set(_WORD.findall(talk.received.lower()))
        return all(
            word in written or word in own_words() or word in talk.speakable.names
            for word in _WORD.findall(text.lower())
        )

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
