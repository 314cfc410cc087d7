"""The completions at the cursor, below the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.formatting import cut, printable

if TYPE_CHECKING:
    from ehrtui.conversation.completing import Offer

MAX_HELP = 160
"""Characters of what the marked offer is; of the others, as many as fit beside them."""


class OffersList(Static):
    """One line an offer, but for the marked one, which is taken with Tab and says more."""

    DEFAULT_CSS = "OffersList { height: auto; padding: 0 1; background: $panel; display: none; }"

    def show(self, offers: tuple[Offer, ...], at: int, space: int) -> None:
        """Show these in so many columns, or nothing."""
        self.display = bool(offers)
        width = max((len(offer.text) for offer in offers), default=0)
        room = max(space - width - 10, 0)
        lines = []
        for number, offer in enumerate(offers):
            marked = number == at
            text = f"{'▸' if marked else ' '} {printable(offer.text):<{width}}"
            help = cut(printable(offer.help), MAX_HELP if marked else room)
            lines.append(Content.assemble((text, "bold" if marked else ""), (f"  {help}", "dim")))
        self.update(Content("\n").join(lines))
