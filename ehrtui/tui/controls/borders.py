"""The borders between panels that stand beside and above each other: the user's sizes, moved by key and by mouse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from ehrtui.tui.panel_sizes import SCHEMA, PanelSizes, lines_within, schema_within, side_within

if TYPE_CHECKING:
    from textual.geometry import Region
    from textual.screen import Screen
    from textual.widget import Widget

Border: TypeAlias = Literal["schema", "side", "turns"]
"""What is parted: the schema from the answer, the answer from what stands beside it, the turns from the plan."""


class Borders:
    """`sizes` are those that the user gave the panels, and `keep` is told of others."""

    def __init__(self, screen: Screen[None], sizes: PanelSizes, keep: Callable[[PanelSizes], object]) -> None:
        self.sizes = sizes
        self._screen = screen
        self._keep = keep

    def remember(self, sizes: PanelSizes) -> None:
        """From now on, and the next time."""
        if sizes != self.sizes:
            self.sizes = sizes
            self._keep(sizes)

    def put(self, *, wide: bool, wanted: bool) -> None:
        """Give the panels the user's sizes, where they stand side by side; elsewhere the sheet says what they have.
        What stands beside the answer has more room where one of it is `wanted`."""
        screen, sizes = self._screen, self.sizes
        room = screen.app.size.width
        schema = schema_within(sizes.schema, room) if wide and sizes.schema is not None else None
        side = side_within(sizes.side, room, self._of_schema) if wide and sizes.side is not None else None
        if side is not None and wanted:
            side = max(side, room // 2)
        _give(screen.query_one("#schema"), "width", schema)
        _give(screen.query_one("#right"), "width", side)
        turns, plan = screen.query_one("#conversation"), screen.query_one("#plan")
        above = sizes.turns if wide and turns.display and plan.display else None
        _give(turns, "height", lines_within(above, screen.app.size.height) if above is not None else None)
        screen.query_one("#right").set_class(above is not None, "-parted")

    @property
    def _of_schema(self) -> int:
        """Columns that the schema has where panels stand side by side; 0 where it is not shown."""
        if not self._screen.query_one("#schema").display:
            return 0
        given = self.sizes.schema
        return SCHEMA if given is None else schema_within(given, self._screen.app.size.width)

    @property
    def movable(self) -> bool:
        """Whether panels stand side by side, so that there is anything between them."""
        return not any(map(self._screen.has_class, ("-narrow", "-tiny", "-zoomed")))

    def move(self, border: Border, by: int) -> None:
        """Move a border by so many columns to the right, or lines down."""
        if border == "turns":
            size = _size(self._screen.query_one("#conversation"), "height")
        else:
            size = _size(self._screen.query_one("#schema" if border == "schema" else "#right"), "width")
        if size and self.movable:
            self._part(border, size - by if border == "side" else size + by)

    def drag(self, border: Border, x: int, y: int) -> None:
        """Put a border where the mouse is."""
        if border == "turns":
            self._part(border, y + 1 - self._screen.query_one("#conversation").region.y)
        elif border == "schema":
            self._part(border, x + 1 - self._screen.query_one("#schema").region.x)
        else:
            self._part(border, self._screen.query_one("#right").region.right - x)

    def _part(self, border: Border, size: int) -> None:
        screen, sizes = self._screen, self.sizes
        width, height = screen.app.size
        if border == "schema":
            self.remember(replace(sizes, schema=schema_within(size, width)))
        elif border == "side":
            self.remember(replace(sizes, side=side_within(size, width, self._of_schema)))
        elif screen.query_one("#plan").display:
            self.remember(replace(sizes, turns=lines_within(size, height)))

    def at(self, x: int, y: int) -> Border | None:
        """The border in that cell of the screen."""
        if not self.movable:
            return None
        schema, columns, middle, right, turns, plan = (
            self._screen.query_one(f"#{name}").region  # an empty one, of what is not shown
            for name in ("schema", "columns", "middle", "right", "conversation", "plan")
        )
        upright: tuple[tuple[Border, Region, Region], ...] = (("schema", schema, columns), ("side", middle, right))
        for border, before, behind in upright:
            if before and behind and before.y <= y < before.bottom and x in (before.right - 1, behind.x):
                return border
        parts = turns and plan and turns.x <= x < turns.right and y in (turns.bottom - 1, plan.y)
        return "turns" if parts else None


def _size(panel: Widget, rule: Literal["width", "height"]) -> int:
    """The columns or lines that a panel was given, or has; 0 where it is not on the screen yet."""
    given = getattr(panel.styles.inline, rule)
    return int(given.value) if given is not None and panel.display else getattr(panel.outer_size, rule)


def _give(panel: Widget, rule: Literal["width", "height"], size: int | None) -> None:
    """Give a panel this size, whatever the sheet says; None leaves it to the sheet."""
    rules = (rule, f"min_{rule}", f"max_{rule}")
    if size is not None:
        for each in rules:
            setattr(panel.styles, each, size)
        return
    given = [each for each in rules if panel.styles.inline.clear_rule(each)]
    if given:
        panel.refresh(layout=True)
