"""The planner with a memory: approved cases compete with the planner's own readings.

A case wins where it explains the question better: its masked question is the same, or the planner's own reading leaves
words unexplained that it has, and it differs from the question in words without a meaning alone, or comes to the very
reading of the planner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ehrtui.errors import LogicError, MaskingError
from ehrtui.memory.case import Slot, plain
from ehrtui.memory.masking import filled, form_of, words_of
from ehrtui.memory.recall import Memory, Recalled
from ehrtui.planning.offline.lexicon import lexicon
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.plan_text import plan_from_sql
from ehrtui.planning.proposal import HelpfulCase, PastTurn, Proposal
from ehrtui.schema.value_index import Entry

SAME_FORM, SAME_WORDS = 0.9, 0.8
"""The confidence in a case that was adapted: with the same masked question, and with the same words of meaning."""
_CLEAR = 2
"""An imported case is taken where it has at least so many times the support of any other that fits."""


class RecallingPlanner:
    """The planner `own`, with the cases of a memory."""

    def __init__(self, own: OfflinePlanner, memory: Memory) -> None:
        self._own = own
        self._memory = memory
        self.name = own.name

    def prepare(self) -> None:
        """See `OfflinePlanner.prepare`; the cases are read as well."""
        self._own.prepare()
        self._memory.forms()

    def propose(self, question: str, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.propose`."""
        own = self._own.propose(question, history)
        if own.slots is None and history and self._memory.forms():
            alone = self.propose(question, ())  # a form that is known stands on its own
            return alone if alone.case and alone.case.likeness == 1 else own
        if own.slots is None:
            return own
        forms: dict[str, tuple[Slot, ...]] = {}
        for slots in (own.slots, plain(own.slots)):
            try:
                forms.setdefault(form_of(question, slots), slots)
            except MaskingError:
                return own
        fitting = [pair for form, slots in forms.items() for pair in _filled(self._memory.same(form), slots)]
        if not fitting and (own.unexplained or own.reason or not own.plan):
            near = ((form, pair) for form in forms for pair in _filled(self._memory.nearest(form), forms[form]))
            fitting = [pair for form, pair in near if _explains(*pair, own, form)]
        return self._with_case(own, fitting) or own

    def propose_logic(self, logic: str, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.propose_logic`."""
        return self._own.propose_logic(logic, history)

    def names(self, text: str, count: int) -> tuple[Entry, ...]:
        """See `Planner.names`."""
        return self._own.names(text, count)

    def examples(self, count: int) -> tuple[str, ...]:
        """See `Planner.examples`."""
        return self._own.examples(count)

    def _with_case(self, own: Proposal, fitting: list[tuple[str, Recalled]]) -> Proposal | None:
        """The proposal that the best fitting case makes: the one that was approved last, or else imported most often.
        None where none can be planned, or imported cases contradict each other."""
        support: dict[str, int] = {}
        for text, one in fitting:
            support[text] = support.get(text, 0) + one.kept.support
        for text, one in sorted(fitting, key=lambda pair: (pair[1].kept.approved, support[pair[0]]), reverse=True):
            rivals = [support[other] for other in support if other != text]
            clear = one.kept.approved[1] or text == own.logic or all(support[text] >= _CLEAR * n for n in rivals)
            if not clear:
                return None
            try:
                return self._adapted(own, text, one)
            except LogicError:
                continue
        return None

    def _adapted(self, own: Proposal, text: str, recalled: Recalled) -> Proposal:
        case, same = recalled.kept.case, recalled.likeness == 1
        sources = tuple(source.text for source in recalled.kept.sources)
        helped = HelpfulCase(recalled.kept.number, case.question, sources, round(recalled.likeness, 3))
        if text == own.logic and not own.unexplained and not own.reason:
            return replace(own, case=helped)
        sure = SAME_FORM if same else SAME_WORDS
        if case.sql:
            proposal = Proposal(own.question, self.name, plan_from_sql(text), sql=text)
            readings = own.readings
        else:
            proposal = self._own.propose_logic(text, ())
            (said,) = proposal.readings
            readings = (replace(said, score=sure), *(one for one in own.readings if one.logic != text))
        return replace(
            proposal,
            question=own.question,
            links=own.links,
            readings=readings,
            confidence=sure,
            slots=own.slots,
            case=helped,
        )


def _filled(recalled: Iterable[Recalled], slots: tuple[Slot, ...]) -> list[tuple[str, Recalled]]:
    """The cases that these values fit, each with its logic or SQL for them."""
    return [(text, one) for one in recalled if (text := filled(one.kept.case, slots)) is not None]


def _explains(text: str, one: Recalled, own: Proposal, form: str) -> bool:
    """True where a case of another form, filled as `text`, explains the words that the own reading does not."""
    stop, theirs = lexicon().stop, words_of(one.kept.case.question)
    if text == own.logic:
        return {word for said in own.unexplained for word in words_of(said.lower())} <= set(theirs)
    return [word for word in theirs if word not in stop] == [word for word in words_of(form) if word not in stop]
