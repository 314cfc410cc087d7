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
        self._scopes: dict[tuple[int, int], str] = {}
        self._counting: object = None

    def count(self) -> None:
        """Count what the words in the prompt mean, as far as that is not known, and show it."""
        proposal = self._screen.query_one(Prompt).proposal
        if proposal is None:
            return
        self._tell()
        wanted = [meant(one) for one in proposal.mentions if meant(one) not in self._counts]
        scope = proposal.scope if proposal.scope is not None and self._scope(proposal) is None else None
        if not wanted and scope is None:
            return
        token = self._counting = object()

        def stopped() -> bool:
            return self._counting is not token or self._desk.busy

        def work() -> None:
            if scope is not None:
                self._screen.call_later(self._about, scope, self._words_of(scope, stopped))
            for what in wanted:
                for found in counts_of_members(self._desk.conversation, what, stopped):
                    if stopped():
                        return
                    self._screen.call_later(self._counted, what, found)

        in_thread(self._screen, work, lambda _: None, lambda _: None, group="members")  # nobody asked for these numbers

    def _words_of(self, turn: int, stopped: Callable[[], bool]) -> str:
        conversation = self._desk.conversation
        past = next(one for one in conversation.history() if one.number == turn)
        return scope_words(conversation, past, stopped)

    def _counted(self, what: Meant, found: MemberCounts) -> None:
        if found.patients is not None:
            while len(self._counts) >= _MOST_KEPT:
                del self._counts[next(iter(self._counts))]
            self._counts[what] = found
            self._tell()

    def _about(self, turn: int, words: str) -> None:
        self._scopes[turn, self._desk.conversation.turns[turn - 1].order] = words
        self._tell()

    def _scope(self, proposal: Proposal) -> str | None:
        """What a question is about, where it leans on an earlier answer; None where that is not known yet."""
        turns = self._desk.conversation.turns
        if proposal.scope is None:
            return "of everybody" if self._desk.alone else ""
        return self._scopes.get((proposal.scope, turns[proposal.scope - 1].order))

    def _tell(self) -> None:
        prompt = self._screen.query_one(Prompt)
        if (proposal := prompt.proposal) is not None:
            scope = self._scope(proposal)
            prompt.tell(self._counts, f"of A{proposal.scope}" if scope is None else scope)

    def open(self, changed: Callable[[], None]) -> None:
        """Show the meanings of the words in the prompt; `changed` is called where the user changed one."""
        from ehrtui.tui.screens.meanings import MeaningsBox

        proposal = self._screen.query_one(Prompt).proposal
        if proposal is not None and (proposal.mentions or proposal.paid):
            self._screen.app.push_screen(MeaningsBox(proposal, self, changed))

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
