"""The tables and columns of the database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from ehrtui.tui.asking_about import select_about
from ehrtui.tui.boxes import open_over
from ehrtui.tui.formatting import count, cut, printable, short_count
from ehrtui.tui.keys import bindings

if TYPE_CHECKING:
    from ehrtui.schema.model import Column, Schema, Table

LEAST_NAME = 6
"""Cells of a name that are shown at least."""


class SchemaTree(Tree[Any]):
    """Tables with row counts; open one to see its columns. Enter puts a name into the prompt, space opens."""

    BINDINGS = bindings("schema")
    DEFAULT_CSS = """
    SchemaTree {
        background: transparent;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
    }
    """

    @dataclass
    class Named(Message):
        """The user picked the name of a table or column."""

        name: str

    @dataclass
    class Looked(Message):
        """The user wants to know what a table holds, or one of its columns."""

        table: Table
        column: str | None

    @dataclass
    class Asked(Message):
        """A question about a table or a column is to go to the prompt."""

        question: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(Text("schema"), id=id, classes="panel")
        self.border_title = "Schema"
        self.show_root = False
        self.guide_depth = 2
        self.auto_expand = False
        self._tables: tuple[Table, ...] = ()

    def show(self, schema: Schema) -> None:
        """Fill the tree; columns are added when a table is opened."""
        self.clear()
        self._tables = schema.tables
        for table in schema.tables:
            self.root.add(Text(printable(table.name)), data=table)
        self.root.expand()
        self.cursor_line = 0

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[Any]) -> None:
        """Add the columns of a table that is opened for the first time."""
        event.stop()
        self._fill(event.node)

    def _fill(self, node: TreeNode[Any]) -> None:
        table = node.data
        if table is not None and not node.children:
            for column in table.columns:
                node.add_leaf(Text(printable(column.name)), data=_Leaf(table, column))

    async def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there, and opens a table by its triangle; a second one does what Enter does. A click
        alone writes nothing: there may be a question in the prompt."""
        event.prevent_default()
        line, toggles = event.style.meta.get("line"), event.style.meta.get("toggle", False)
        if line is None:
            return
        self.cursor_line = line
        if toggles:
            self.action_toggle_node()
        elif event.chain == 2:
            await self.app.run_action("select_cursor", self)

    def on_tree_node_selected(self, event: Tree.NodeSelected[Any]) -> None:
        """Enter: the name goes to the prompt."""
        event.stop()
        if event.node.data is not None:
            self.post_message(self.Named(event.node.data.name))

    def render_label(self, node: TreeNode[Any], base_style: Style, style: Style) -> Text:
        """The name as far as it fits; the count and the marks behind it are whole."""
        data = node.data
        before = (self.ICON_NODE_EXPANDED if node.is_expanded else self.ICON_NODE) if node.allow_expand else ""
        behind = "" if data is None else data.marks if isinstance(data, _Leaf) else f" {short_count(data.row_count)}"
        depth = sum(1 for _ in _above(node)) * self.guide_depth
        room = self.scrollable_content_region.width - depth - cell_len(before)
        if isinstance(data, _Leaf) and cell_len(behind) > room - LEAST_NAME:
            behind = cut(behind, max(room - LEAST_NAME, 0))
        name = cut(str(node.label), max(room - cell_len(behind), LEAST_NAME))
        whole = super().render_label(node, base_style, style)
        if not isinstance(data, _Leaf):  # the counts stand in a column
            behind = behind.rjust(max(room - cell_len(name), cell_len(behind)))
        said = Text.assemble(name, (behind, "dim"))
        said.stylize(style)
        if data is not None and not isinstance(data, _Leaf) and data.row_count == 0:
            said.stylize("dim")
        return Text.assemble(whole[: len(before)], said)

    def action_look(self) -> None:
        """What the table or column under the cursor holds."""
        data = self.cursor_node.data if self.cursor_node is not None else None
        if isinstance(data, _Leaf):
            self.post_message(self.Looked(data.table, data.name))
        elif data is not None:
            self.post_message(self.Looked(data, None))

    def action_ask(self) -> None:
        """Put a question about the table or column under the cursor into the prompt."""
        data = self.cursor_node.data if self.cursor_node is not None else None
        if data is not None:
            leaf = isinstance(data, _Leaf)
            self.post_message(self.Asked(select_about(data.table if leaf else data, data.column if leaf else None)))

    def action_search(self) -> None:
        """Find a table or a column by a part of its name."""
        from ehrtui.tui.screens.finder import Finder, Line

        places = [(at, column) for at, table in enumerate(self._tables) for column in (None, *table.columns)]
        lines = [
            Line(f"{self._tables[at].name}.{column.name}", type_mark(column))
            if column is not None
            else Line(self._tables[at].name, count(self._tables[at].row_count or 0, "row"))
            for at, column in places
        ]

        def take(chosen: int | None) -> None:
            if chosen is not None:
                at, column = places[chosen]
                self._go_to(self.root.children[at], column)

        open_over(self.screen, Finder("Find a table or a column", lines, "There are no tables."), take)

    def _go_to(self, node: TreeNode[Any], column: Column | None) -> None:
        """Put the cursor on a table, or on one of its columns."""
        if column is not None:
            self._fill(node)
            node.expand()
            table: Any = node.data
            node = node.children[table.columns.index(column)]
        self.call_after_refresh(self.move_cursor, node)

    def action_toggle_node(self) -> None:
        """Space opens and closes a table; on a column, the table it belongs to."""
        node: TreeNode[Any] | None = self.cursor_node
        if node is not None and not node.allow_expand:
            node = node.parent
        if node is not None and node is not self.root:
            node.toggle()


def type_mark(column: Column) -> str:
    """`◷` for a time, `#` for a number, `a` for text."""
    return "◷" if column.is_time else "#" if column.is_number else "a"


@dataclass(frozen=True)
class _Leaf:
    """A column of a table."""

    table: Table
    column: Column

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def marks(self) -> str:
        """Its kind, and where it points to."""
        notes = [type_mark(self.column)]
        if self.column.primary_key:
            notes.append("key")
        keys = self.table.foreign_keys
        notes += [f"→ {printable(key.target_table)}" for key in keys if key.column == self.name]
        return " " + " ".join(notes)


def _above(node: TreeNode[Any]) -> Iterator[TreeNode[Any]]:
    """The nodes that a node is under, but for the root, which is not shown."""
    while (parent := node.parent) is not None and parent.parent is not None:
        yield parent
        node = parent
