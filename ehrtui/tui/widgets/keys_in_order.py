"""Keys of a text field in the order in which they were typed."""

from __future__ import annotations

from textual import events
from textual.widget import Widget


async def do_own_binding(field: Widget, event: events.Key) -> None:
    """Do what the key is bound to in a text field, if it does anything now: there and then, as the field does letters.
    Textual sends bindings round by the app, and a letter typed right behind an arrow is written before the cursor has
    moved. A letter with Alt is no letter, whatever it is bound to."""
    with_alt = event.key.startswith("alt+")
    if event.is_printable and not with_alt:
        return
    bindings = field._bindings
    if keymap := field.app._keymap:
        bindings = bindings.copy()
        bindings.apply_keymap(keymap)
    for binding in bindings.key_to_bindings.get(event.key, ()):
        if await field.app.run_action(binding.action, field):
            event.stop()
            event.prevent_default()
            return
    if with_alt:
        event.prevent_default()
