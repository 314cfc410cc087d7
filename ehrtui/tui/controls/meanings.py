"""What the words in the prompt mean: counted here while the user types, and changed in a box over the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError
from ehrtui.tui.member_counts import Meant, MemberCounts, counts_of_members, meant, scope_words
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.planning.mentions import Choice, LinkedMention
    from ehrtui.planning.proposal import Proposal
    from ehrtui.schema.value_index import Stored
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk

_MOST_KEPT = 500
"""Meanings: so many are not counted again."""


class Meanings:
    """Counts in a thread, one meaning after the other, and no longer than they are asked for."""

    def __init__(self, screen: Screen[None], desk: Desk, showing: Showing) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing
        self._counts: dict[Meant, MemberCounts] = {}
        self._scopes: dict[tuple[int, str], str] = {}
        self._counting: frozenset[object] = frozenset()

    def count(self) -> None:
        """Count what the words in the prompt mean, as far as that is not known, and show it."""
        proposal = self._screen.query_one(Prompt).proposal
        if proposal is None:
            return
        self._tell()
        wanted = [meant(one) for one in proposal.mentions if meant(one) not in self._counts]
        scope = self._scope(proposal) is None
        keys: frozenset[object] = frozenset([*wanted, *([self._scope_key(proposal)] if scope else ())])
        if keys <= self._counting:
            return  # on its way, while the user types on
        self._counting = keys

        def stopped() -> bool:
            return self._counting is not keys or self._desk.busy

        def work() -> None:
            if scope:
                self._screen.call_later(self._about, proposal, self._words_of(proposal, stopped))
            for what in wanted:
                for found in counts_of_members(self._desk.conversation, what, stopped):
                    if stopped():
                        return
                    self._screen.call_later(self._counted, what, found)

        def ended(_: object) -> None:  # nobody asked for these numbers: what goes wrong is not said
            if self._counting is keys:
                self._counting = frozenset()

        in_thread(self._screen, work, ended, ended, group="members")

    def _words_of(self, proposal: Proposal, stopped: Callable[[], bool]) -> str:
        conversation = self._desk.conversation
        past = next(one for one in conversation.history() if one.number == proposal.scope)
        return scope_words(conversation, past, proposal.logic or "", stopped)

    def _counted(self, what: Meant, found: MemberCounts) -> None:
        if found.patients is not None:
            while len(self._counts) >= _MOST_KEPT:
                del self._counts[next(iter(self._counts))]
            self._counts[what] = found
            self._tell()

    def _about(self, proposal: Proposal, words: str) -> None:
        self._scopes = {self._scope_key(proposal): words}
        self._tell()

    def _scope(self, proposal: Proposal) -> str | None:
        """What a question is about, where it leans on an earlier answer; None where that is not known yet."""
        if proposal.scope is None:
            return "of everybody" if self._desk.alone else ""
        return self._scopes.get(self._scope_key(proposal))

    def _scope_key(self, proposal: Proposal) -> tuple[int, str]:
        """The run of the earlier turn, and the reading that leans on it."""
        return self._desk.conversation.turns[(proposal.scope or 1) - 1].order, proposal.logic or ""

    def _tell(self) -> None:
        prompt = self._screen.query_one(Prompt)
        if (proposal := prompt.proposal) is not None:
            scope = self._scope(proposal)
            prompt.tell(self._counts, f"from A{proposal.scope}" if scope is None else scope)

    # What the box asks for

    def members(self, mention: LinkedMention, then: Callable[[Meant, MemberCounts], None]) -> None:
        """Tell the counts of all members of a mention, those left out too: `then` has the names at first, and their
        numbers as soon as they are known."""
        what, conversation = meant(mention), self._desk.conversation

        def work() -> None:
            for found in counts_of_members(conversation, what, lambda: self._desk.busy):
                self._screen.call_later(then, what, found)
                self._screen.call_later(self._counted, what, found)

        in_thread(self._screen, work, lambda _: None, self._showing.trouble, group="members")

    def choose(self, choice: Choice, then: Callable[[Proposal], None], failed: Callable[[EhrtuiError], None]) -> None:
        """Take words for something else: `then` has the question as it is understood now, or `failed` why it cannot be
        asked so."""
        desk, text = self._desk, self._screen.query_one(Prompt).text
        choices = desk.choose(choice)

        def chosen(proposal: Proposal) -> None:
            desk.choices = choices
            then(proposal)

        def work() -> Proposal:
            return desk.conversation.propose(text, choices=choices, alone=desk.alone).proposal

        in_thread(self._screen, work, chosen, failed, group="choose")

    def is_kept(self, mention: LinkedMention) -> bool:
        """True where memory has a meaning for its words."""
        return self._desk.conversation.meanings.is_kept(mention)

    def keep(
        self,
        mention: LinkedMention,
        then: Callable[[str, Proposal], None],
        failed: Callable[[EhrtuiError], None],
    ) -> None:
        """Keep what words mean from now on, or forget it where it is kept; `then` has what to say, and the question as
        it is understood now."""
        desk, text = self._desk, self._screen.query_one(Prompt).text
        conversation, kept = desk.conversation, self.is_kept(mention)
        choices = tuple(one for one in desk.choices if one.said != mention.said)

        def work() -> tuple[str, Proposal]:
            if kept:
                conversation.meanings.forget(mention)
                said = f"“{mention.text}” is read as it was before; that is forgotten."
            else:
                conversation.meanings.keep(mention)
                said = f"“{mention.text}” means this from now on, in every session with this memory."
            return said, conversation.propose(text, choices=choices, alone=desk.alone).proposal

        def done(outcome: tuple[str, Proposal]) -> None:
            desk.choices = choices
            then(*outcome)

        in_thread(self._screen, work, done, failed, group="keep")

    def save(
        self,
        name: str,
        mention: LinkedMention,
        members: tuple[Stored, ...],
        then: Callable[[Choice], None],
        failed: Callable[[EhrtuiError], None],
    ) -> None:
        """Save a meaning as a concept of the user's own; `then` has it as a choice."""
        meanings = self._desk.conversation.meanings
        in_thread(self._screen, lambda: meanings.save(name, mention, members), then, failed, group="keep")
