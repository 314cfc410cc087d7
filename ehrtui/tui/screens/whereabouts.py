"""Which tables hold a value, and what its code means; each is a key away, as a turn of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ehrtui.tui.formatting import count, cut, printable, value_text
from ehrtui.tui.keys import bindings
from ehrtui.tui.screens.boxed import Overlay
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from ehrtui.conversation.whereabouts import Meaning, Place
    from ehrtui.engines.engine import Scalar

LEAST_NAME = 36


class Whereabouts(Overlay[str | None]):
    """Gives the SELECT of the rows that are wanted, None where none are. `look` tells the meanings and places one by
    one, in a thread, until it is told to stop."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("whereabouts")
    DEFAULT_CSS = """
    Whereabouts {
        Vertical {
            width: 92%; max-width: 100; height: auto; max-height: 92%;
            border: heavy $primary; padding: 0 1; background: $surface;
        }
        OptionList, OptionList:focus { height: auto; max-height: 24; border: none; padding: 0; background: $surface; }
        #meanings, #looking { height: auto; }
        #meanings { display: none; }
    }
    """

    def __init__(
        self, column: str, value: Scalar, look: Callable[[Callable[[], bool]], Iterator[Meaning | Place]]
    ) -> None:
        super().__init__()
        self._column = column
        self._value = value
        self._look = look
        self._selects: list[str] = []
        self._told: list[Content] = []

    def compose(self) -> ComposeResult:
        """What the code means, the tables, and whether there may be more."""
        box = Vertical(Static(id="meanings"), OptionList(), Static("Looking …", id="looking"))
        box.border_title = cut(printable(f"{self._column} {value_text(self._value)}"), 80)
        box.border_subtitle = "Enter shows the rows · Esc closes"
        yield box

    def on_mount(self) -> None:
        """Look."""
        self.query_one(OptionList).focus()
        in_thread(self, self._work, self._looked, lambda error: self._say(error.what), group="whereabouts")

    def _work(self) -> None:
        for found in self._look(lambda: not self.is_running):
            self.call_later(self._add, found)

    def _add(self, found: Meaning | Place) -> None:
        from ehrtui.conversation.whereabouts import Place

        if isinstance(found, Place):
            rows = "not counted in time" if found.rows is None else count(found.rows, "row")
            self._option(f"{found.table}.{found.column}", rows, found.sql)
            return
        lines = [Content.styled(printable(found.table), "dim")]
        lines += [Content.assemble((f"{label}: ", "dim"), printable(text)[:200]) for label, text in found.told]
        self._told += lines
        told = self.query_one("#meanings", Static)
        told.display = True
        told.update(Content("\n").join(self._told))
        if found.members > 1:
            self._option(f"the family {found.stem} in {found.table}", count(found.members, "code"), found.family)

    def _option(self, name: str, beside: str, select: str) -> None:
        options = self.query_one(OptionList)
        self._selects.append(select)
        options.add_option(Option(Content.assemble(f"{printable(name):<{LEAST_NAME}}", (f"  {beside}", "dim"))))
        if options.highlighted is None:
            options.highlighted = 0

    def _looked(self, _: None) -> None:
        self._say("" if self._selects else "No table has such a column with this value.")

    def _say(self, text: str) -> None:
        line = self.query_one("#looking", Static)
        line.update(Content(text))
        line.display = bool(text)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Show its rows."""
        self.dismiss(self._selects[message.option_index])

    def action_show_rows(self) -> None:
        """Show the rows of what is marked."""
        self.query_one(OptionList).action_select()

    def action_leave(self) -> None:
        """Show none."""
        self.dismiss(None)
