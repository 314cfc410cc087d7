"""The command palette: what can be done now, in the words of the registry of keys, and the keys that do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.actions import parse
from textual.command import DiscoveryHit, Hit, Hits, Provider

from ehrtui.tui.finding import found
from ehrtui.tui.key_map import keys_of
from ehrtui.tui.keys import EVERYWHERE, KEYS, PLACES, Key, key_name

if TYPE_CHECKING:
    from textual.dom import DOMNode

OWNERS = {"prompt": "question"}
"""Widgets that have another id than their place."""
THEME = "Theme: "


@dataclass(frozen=True)
class Command:
    """What it does, where, with which keys; and the way to do it."""

    text: str
    beside: str
    do: Callable[[], object]


class Commands(Provider):
    """Commands that would do something now: first those of the panel that has the focus, then those that work
    everywhere, then those of the other panels."""

    async def discover(self) -> Hits:
        """All of them, in their order."""
        for command in self._commands():
            yield DiscoveryHit(command.text, command.do, help=command.beside)

    async def search(self, query: str) -> Hits:
        """Those that what is typed fits, and the themes by their names."""
        commands = [*self._themes(), *self._commands()]
        fitting = found(query, [f"{command.text} {command.beside}" for command in commands])
        for place, at in enumerate(fitting):
            command = commands[at]
            yield Hit(1 - place / len(commands), command.text, command.do, help=command.beside)

    def _commands(self) -> Iterator[Command]:
        here = {node.id for node in self.focused.ancestors_with_self} if self.focused is not None else set()
        own_keys: dict[str, str] = getattr(self.app, "own_keys", {})
        places = sorted(PLACES, key=lambda place: _rank(place, OWNERS.get(place, place) in here))
        for key in (key for place in places for key in KEYS if key.place == place and key.palette):
            if (node := self._owner(key)) is not None:
                names = " or ".join(key_name(each) for each in keys_of(key, own_keys).split(","))
                yield Command(key.help, f"{PLACES[key.place]} · {names}", partial(self._do, key, node))

    def _owner(self, key: Key) -> DOMNode | None:
        """Whose command it is; None where it is not there, or would do nothing now."""
        place = f"#{OWNERS.get(key.place, key.place)}"
        node = self.screen if key.place == EVERYWHERE else next(iter(self.screen.query(place)), None)
        target, action, parameters = parse(key.action)
        doer = self.app if target else node
        return node if doer is not None and doer.check_action(action, parameters) else None

    async def _do(self, key: Key, node: DOMNode) -> None:
        await self.app.run_action(key.action, default_namespace=node)

    def _themes(self) -> Iterator[Command]:
        for name in sorted(self.app.available_themes):
            yield Command(f"{THEME}{name}", "the colours of everything; kept", partial(self._wear, name))

    def _wear(self, name: str) -> None:
        self.app.theme = name


def _rank(place: str, here: bool) -> int:
    return 0 if here else 1 if place == EVERYWHERE else 2
