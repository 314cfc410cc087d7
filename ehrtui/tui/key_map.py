"""The user's own keys: a file that says which keys do what others do by default, and presets of such changes.

preset = "vim"

[everywhere]
f5 = "f5,ctrl+x"

[conversation]
r = "y"
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ehrtui.paths import is_file
from ehrtui.toml_lines import line_of
from ehrtui.tui.keys import KEYS, PLACES, Key, key_name

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = "keys.toml"
_MOVES = {"up": "up,k", "down": "down,j", "home": "home,g", "end": "end,G"}
PRESETS: dict[str, dict[str, dict[str, str]]] = {
    "default": {},
    "vim": {
        "conversation": _MOVES,
        "steps": _MOVES,
        "table": {
            **{"up": "up,k", "down": "down,j", "left": "left,h", "right": "right,l"},
            "home": "home,ctrl+home,g",
            "end": "end,ctrl+end,G",
            "pageup": "pageup,ctrl+u",
            "pagedown": "pagedown,ctrl+d",
        },
        "rows": {"l": "y", "f": "f,slash"},
        "patient": {"n": "n,right,j", "b": "b,left,k"},
    },
}
"""What each changes: by place, from a default key to the keys that do the same."""


def load_key_map(path: Path) -> tuple[dict[str, str], tuple[str, ...]]:
    """The keys of the file at `path`, by the ids of bindings, and a notice for each line that says nothing that can be
    done: its default stays. No file: nothing is changed."""
    if not is_file(path):
        return {}, ()
    import tomllib

    try:
        text = path.read_text("utf-8")
        data = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        return {}, (f"The keys of {path} were not read: {str(error)[:200]}",)
    changed: dict[str, str] = {}
    notices = [f"{path}, line {line_of(text, *at)}: {why}" for at, why in _read(data, changed)]
    return changed, (*notices, *(f"{path}: {why}" for why in _clashes(changed)))


def keys_of(key: Key, changed: Mapping[str, str]) -> str:
    """The keys that do it, comma-separated."""
    return changed.get(key.id, key.keys)


def shown_key(place: str, default: str, changed: Mapping[str, str]) -> str:
    """The first key that does what `default` does there unless the user changed it, as people write it."""
    key = _key(place, default)
    if key is None:
        raise ValueError(f"{default} does nothing in {place}")
    keys = keys_of(key, changed).split(",")
    return key_name(default if default in keys else keys[0])


def _read(data: Mapping[str, Any], changed: dict[str, str]) -> Iterator[tuple[tuple[str, str], str]]:
    """Put what the file says into `changed`; tell what it cannot say, and of which key of which section."""
    preset = data.get("preset", "default")
    if not isinstance(preset, str) or preset not in PRESETS:
        yield ("", "preset"), f"There is no such preset; there are {', '.join(PRESETS)}."
    else:
        for place, keys in PRESETS[preset].items():
            for old, new in keys.items():
                if (key := _key(place, old)) is not None:
                    changed[key.id] = new
    for place, keys in data.items():
        if place == "preset":
            continue
        if place not in PLACES or not isinstance(keys, dict):
            yield ("", place), f"There is no place {place[:40]}; there are {', '.join(PLACES)}."
            continue
        for old, new in keys.items():
            key = _key(place, old)
            if key is None:
                yield (place, old), f"{old[:40]} does nothing there by default; F1 shows what does."
            elif not isinstance(new, str) or not new.strip():
                yield (place, old), "Keys are text, with commas between them."
            else:
                changed[key.id] = ",".join(each.strip() for each in new.split(","))


def _clashes(changed: Mapping[str, str]) -> Iterator[str]:
    """Keys that would do two things in one place."""
    for place in PLACES:
        used: dict[str, Key] = {}
        for key in KEYS:
            for each in keys_of(key, changed).split(",") if key.place == place else ():
                other = used.setdefault(each, key)
                if other is not key and (other.id in changed or key.id in changed):
                    yield f"{each} would do two things in {PLACES[place]}: {other.help}; {key.help}."


def _key(place: str, default: str) -> Key | None:
    return next((key for key in KEYS if key.place == place and default in key.keys.split(",")), None)
