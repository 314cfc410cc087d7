"""The planner that tells what each name in a question was taken for, and takes it as the user would have it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.retrieval import Shortlist, retrieve
from ehrtui.errors import LogicError
from ehrtui.memory.meanings import KeptMeaning
from ehrtui.memory.recall import Memory
from ehrtui.planning.mentions import Choice, LinkedMention, Members, mention_of
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn, Proposal, Reading, Scope
from ehrtui.planning.recalling import RecallingPlanner
from ehrtui.schema.value_index import Entry

if TYPE_CHECKING:
    from ehrtui.logic.algebra.model import Statement

_TOKEN = "PREV_"
"""In a SELECT that builds on an earlier answer, which is counted with that alone."""


class MentioningPlanner:
    """The planner `asked`, which may recall cases, over what `own` knows of the database; with the meanings of words
    that a memory keeps."""

    def __init__(self, asked: OfflinePlanner | RecallingPlanner, own: OfflinePlanner, memory: Memory | None) -> None:
        self._asked = asked
        self._own = own
        self._memory = memory
        self.name = own.name

    def prepare(self) -> None:
        """See `Planner.prepare`."""
        self._asked.prepare()

    def propose(self, question: str, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.propose`. Words that memory has a meaning for are taken so, where that can be asked."""
        from ehrtui.planning.linked import linked_mentions, paid_words

        proposal = self._asked.propose(question, history)
        if not question.strip() or (not proposal.logic and proposal.sql):
            return proposal
        world = self._own.world()
        statement = self._statement(proposal)
        mentions = linked_mentions(proposal, statement, world)
        used = mentions if statement is not None else ()
        proposal = replace(proposal, mentions=mentions, paid=paid_words(proposal, world, used))
        for kept in self._kept(mentions):
            with suppress(LogicError):
                proposal = self.choose(proposal, _choice(kept), history)
        return proposal

    def propose_logic(self, logic: str, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.propose_logic`."""
        return self._asked.propose_logic(logic, history)

    def choose(self, proposal: Proposal, choice: Choice, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.choose`."""
        from ehrtui.planning.chosen import with_choice
        from ehrtui.planning.reader.proposing import as_written
        from ehrtui.planning.reader.spelled_out import spelled_out

        mention = mention_of(proposal.mentions, choice)
        if mention is None:
            return proposal
        mentions = tuple(_chosen(one, choice) if one is mention else one for one in proposal.mentions)
        statement = self._statement(proposal)
        if statement is None or (mention.taken == choice.meaning and mention.without == choice.without):
            return replace(proposal, mentions=mentions)
        world = self._own.world()
        changed = with_choice(statement, mention, choice)
        text, _ = as_written(changed, spelled_out(changed, world), world)
        made = self._asked.propose_logic(text, history)
        score = proposal.readings[0].score if proposal.readings else 1.0
        first = Reading(made.logic or text, score, made.readings[0].sentence if made.readings else "")
        others = tuple(one for one in proposal.readings if one.logic not in (proposal.logic, first.logic))
        return replace(
            proposal, plan=made.plan, logic=made.logic, sql=made.sql, readings=(first, *others), mentions=mentions
        )

    def members(self, meaning: Candidate, without: tuple[str, ...]) -> Members:
        """See `Planner.members`."""
        from ehrtui.logic.algebra.render import render_statement
        from ehrtui.planning.chosen import counting_all, counting_each
        from ehrtui.planning.linked import is_limited, members_of

        each, everything = counting_each(meaning), counting_all(meaning, without)
        selects = [self._asked.propose_logic(render_statement(one), ()).sql or "" for one in (each, everything)]
        world = self._own.world()
        return Members(members_of(meaning, world), selects[0], selects[1], is_limited(meaning, world))

    def shortlists(self, text: str) -> tuple[Shortlist, ...]:
        """See `Planner.shortlists`."""
        from ehrtui.planning.linked import members_of

        world = self._own.world()
        return retrieve(text, world.link, lambda meaning: members_of(meaning, world))

    def text_of(self, meaning: Candidate, without: tuple[str, ...]) -> str:
        """See `Planner.text_of`."""
        from ehrtui.logic.algebra.model import Aggregate, Single
        from ehrtui.logic.algebra.render import render_statement
        from ehrtui.planning.chosen import set_of

        return render_statement(Single((Aggregate("count", set_of(meaning, without)),)))

    def scope(self, turn: PastTurn, logic: str) -> Scope | None:
        """See `Planner.scope`."""
        from ehrtui.logic.algebra.model import Aggregate, InAnswer, Single
        from ehrtui.logic.algebra.render import render_statement
        from ehrtui.logic.written import statement_of
        from ehrtui.planning.follow.earlier import earlier_statements
        from ehrtui.planning.follow.subject import is_about, subject_of

        statement = earlier_statements({turn.number: turn}).get(turn.number)
        subject = subject_of(turn.number, statement) if statement is not None else None
        if subject is None:
            return None
        with suppress(LogicError):
            if not is_about(statement_of(logic), subject):
                return None
            where = subject.of.where
            if isinstance(where, InAnswer) and where.turn == turn.number:
                return Scope(subject.unit, turn.row_count)
            counted = render_statement(Single((Aggregate("count", subject.of),)))
            select = self._asked.propose_logic(counted, (turn,)).sql or ""
            return Scope(subject.unit, None, "" if _TOKEN in select.upper() else select)
        return None

    def names(self, text: str, count: int) -> tuple[Entry, ...]:
        """See `Planner.names`."""
        return self._asked.names(text, count)

    def examples(self, count: int) -> tuple[str, ...]:
        """See `Planner.examples`."""
        return self._asked.examples(count)

    def _kept(self, mentions: Sequence[LinkedMention]) -> list[KeptMeaning]:
        """The meanings that memory keeps for the words of these mentions."""
        kept = self._memory.meanings() if self._memory is not None else {}
        return [kept[one.said] for one in mentions if one.said in kept]

    def _statement(self, proposal: Proposal) -> Statement | None:
        from ehrtui.logic.written import statement_of

        with suppress(LogicError):
            return statement_of(proposal.logic) if proposal.logic else None
        return None


def _chosen(mention: LinkedMention, choice: Choice) -> LinkedMention:
    """The mention with what was chosen; what it was taken for is among the others."""
    others = tuple(one for one in (mention.taken, *mention.others) if _key(one) != _key(choice.meaning))
    return replace(mention, taken=choice.meaning, without=choice.without, others=others, chosen=choice.source)


def _key(one: Candidate) -> tuple[object, ...]:
    return one.role, one.items, one.field, one.values


def _choice(kept: KeptMeaning) -> Choice:
    """What memory keeps, as a choice. Raises LogicError where it cannot be read any more."""
    from ehrtui.logic.algebra.model import Aggregate, Set, Single
    from ehrtui.logic.algebra.parse import parse_statement
    from ehrtui.planning.chosen import meaning_of

    match parse_statement(kept.logic):
        case Single(columns=(Aggregate(function="count", of=Set() as of),)):
            meaning, without = meaning_of(of)
            return Choice(kept.said, kept.role, meaning, without, f"{kept.source}, {kept.day}")
    raise LogicError("This is no meaning of a name.")
