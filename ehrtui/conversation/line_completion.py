"""What could stand at the cursor in a line that is to be asked: turns, stored names, concepts and tables in a question;
tables, columns and stored values in SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ehrtui.conversation.completing import LEAST, MOST, Offer, offers, vocabulary
from ehrtui.errors import EhrtuiError
from ehrtui.session.draft import kind_of
from ehrtui.terminal import printable

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation

_TURN = re.compile(r"\bA\d*$", re.IGNORECASE)
_WORD = re.compile(r"[\w%.]+$")
_MOST_CONCEPTS = 3
_MOST_HELP = 80


class LineCompletion:
    """Of one conversation; what is slow about it is looked up once."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    @cached_property
    def _of_sql(self) -> tuple[Offer, ...]:
        talk = self._conversation
        return vocabulary(talk.engine.schema(), talk.profile, talk.tools)["sql"]

    def of(self, before: str) -> tuple[Offer, ...]:
        """What could be meant by the end of `before`, the line up to the cursor; the likeliest first."""
        if kind_of(before) == "sql":
            return offers("sql", before, self._of_sql, self._conversation.planner.names)
        found: dict[str, Offer] = {}
        for offer in self._of_question(before):
            if not before.endswith(offer.text):
                found.setdefault(offer.text.lower(), offer)
        return tuple(found.values())

    def _of_question(self, before: str) -> Iterator[Offer]:
        if found := _TURN.search(before):
            for turn in reversed(self._conversation.turns):
                if (name := f"A{turn.number}").startswith(found[0].upper()):
                    yield Offer(name, printable(turn.question[:_MOST_HELP]), len(found[0]))
        word = _WORD.search(before)
        if word is None or len(word[0]) <= LEAST:
            return
        begun, length = word[0], len(word[0])
        for entry in self._conversation.planner.names(begun, MOST):
            yield Offer(printable(entry.name), entry.role.replace("_", " "), length)
        yield from self._concepts(begun)
        for table in self._conversation.engine.schema().tables:
            if table.name.lower().startswith(begun.lower()):
                yield Offer(table.name, "table", length)

    def _concepts(self, begun: str) -> Iterator[Offer]:
        try:
            library = self._conversation.library
            found = library().search(begun, limit=MOST) if library is not None else ()
        except EhrtuiError:  # who asks for the concept is told
            return
        names = [one.concept.name for one in found if begun.lower() in one.concept.name.lower()]
        for name in names[:_MOST_CONCEPTS]:
            yield Offer(printable(name), "concept", len(begun))
