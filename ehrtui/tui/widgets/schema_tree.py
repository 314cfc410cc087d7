"""The tables and columns of the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual.message import Message
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from ehrtui.tui.formatting import printable, short_count
from ehrtui.tui.keys import bindings

if TYPE_CHECKING:
    from ehrtui.schema.model import Column, Schema, Table


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

    def __init__(self, id: str | None = None) -> None:
        super().__init__("schema", id=id, classes="panel")
        self.border_title = "Schema"
        self.show_root = False
        self.guide_depth = 2
        self.auto_expand = False

    def show(self, schema: Schema) -> None:
        """Fill the tree; columns are added when a table is opened."""
        self.clear()
        for table in schema.tables:
            label = Text.assemble(printable(table.name), (" " + short_count(table.row_count), "dim"))
            self.root.add(label, data=table)
        self.root.expand()
        self.cursor_line = 0

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[Any]) -> None:
        """Add the columns of a table that is opened for the first time."""
        event.stop()
        table = event.node.data
        if table is not None and not event.node.children:
            for column in table.columns:
                event.node.add_leaf(_column_label(table, column), data=column)

    def on_tree_node_selected(self, event: Tree.NodeSelected[Any]) -> None:
        """Enter: the name goes to the prompt."""
        event.stop()
        if event.node.data is not None:
            self.post_message(self.Named(event.node.data.name))

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


def _column_label(table: Table, column: Column) -> Text:
    notes = [type_mark(column)]
    if column.primary_key:
        notes.append("key")
    notes += [f"→ {printable(key.target_table)}" for key in table.foreign_keys if key.column == column.name]
    return Text.assemble(printable(column.name), (" " + " ".join(notes), "dim"))
