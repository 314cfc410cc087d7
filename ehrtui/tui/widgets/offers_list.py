"""The completions at the cursor, below the editor."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.completing import Offer
from ehrtui.tui.formatting import printable


class OffersList(Static):
    """One line an offer; the marked one is taken with Tab."""

    DEFAULT_CSS = "OffersList { height: auto; padding: 0 1; background: $panel; text-wrap: nowrap; display: none; }"

    def show(self, offers: tuple[Offer, ...], at: int) -> None:
        """Show these, or nothing."""
        self.display = bool(offers)
        width = max((len(offer.text) for offer in offers), default=0)
        lines = []
        for number, offer in enumerate(offers):
            marked = number == at
            text = f"{'▸' if marked else ' '} {printable(offer.text):<{width}}"
            lines.append(Content.assemble((text, "bold" if marked else ""), (f"  {printable(offer.help)}", "dim")))
        self.update(Content("\n").join(lines))
