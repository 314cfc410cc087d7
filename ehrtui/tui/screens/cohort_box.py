"""What can be asked of the patients or stays of an answer, in a box; and a name for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ehrtui.tui.formatting import printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.screens.boxed import Overlay

if TYPE_CHECKING:
    from ehrtui.planning.follow.offers import Offer


@dataclass(frozen=True)
class Chosen:
    """What was chosen: query `logic` to run, or a `name` to keep the cohort under."""

    logic: str = ""
    name: str = ""


class CohortBox(Overlay[Chosen | None]):
    """One line for each thing that can be asked, with its query logic below; n asks for a name."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("cohort")
    DEFAULT_CSS = """
    CohortBox {
        Vertical {
            width: 92%; max-width: 110; height: auto; max-height: 92%;
            border: heavy $primary; padding: 0 1; background: $surface;
        }
        OptionList { height: auto; max-height: 16; border: none; padding: 0; background: $surface; }
        #cohort, #logic { height: auto; max-height: 5; color: $text-muted; }
        Input { display: none; border: none; height: 1; padding: 0; }
        Input.-asked { display: block; }
    }
    """

    def __init__(self, number: int, cohort: str, offers: Sequence[Offer]) -> None:
        super().__init__()
        self._number = number
        self._cohort = cohort
        self._offers = offers

    def compose(self) -> ComposeResult:
        """The cohort, what can be asked of it, the logic of what is marked, and the place for a name."""
        box = Vertical(
            Static(Content(printable(self._cohort)), id="cohort"),
            OptionList(*(Option(Content(printable(one.title))) for one in self._offers)),
            Static(id="logic"),
            Input(placeholder="A name, such as sepsis without AKI"),
        )
        box.border_title = f"Ask of the cohort of A{self._number}"
        box.border_subtitle = "Enter asks · n names it · Esc closes"
        yield box

    def on_mount(self) -> None:
        """Mark the first."""
        options = self.query_one(OptionList)
        options.highlighted = 0 if self._offers else None
        options.focus()

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """Say what would run."""
        logic = self._offers[message.option_index].logic
        self.query_one("#logic", Static).update(Content(f"⟶ {printable(logic)}"))

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Ask it."""
        self.dismiss(Chosen(logic=self._offers[message.option_index].logic))

    def action_select(self) -> None:
        """Ask what is marked."""
        self.query_one(OptionList).action_select()

    def action_name(self) -> None:
        """Ask for a name."""
        field = self.query_one(Input)
        field.add_class("-asked")
        field.focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Keep the cohort under that name."""
        self.dismiss(Chosen(name=message.value))

    def action_close(self) -> None:
        """Leave the name, or the box."""
        field = self.query_one(Input)
        if field.has_class("-asked"):
            field.remove_class("-asked")
            self.query_one(OptionList).focus()
        else:
            self.dismiss(None)
