"""Colour themes: one TOML file each, those that ship with ehrtui and those of the user.

dark = true
[colors]
primary = "#5fb3b3"      # every name of COLORS may stand here; primary must
"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path

from textual.color import Color, ColorParseError
from textual.theme import Theme

COLORS = (
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "foreground",
    "background",
    "surface",
    "panel",
    "boost",
)
DEFAULT = "ward"
CHOSEN = "theme"
"""The file of the state directory that holds the name of the chosen theme."""
MAX_BYTES = 16_384
MAX_NAME = 200


class ThemeError(ValueError):
    """A theme file is malformed; the message says why, in one line."""


def load_themes(*folders: Path) -> tuple[list[Theme], list[str]]:
    """The themes of all folders, later ones replacing earlier ones of the same name, and a notice for each file that
    cannot be used."""
    themes: dict[str, Theme] = {}
    notices = []
    for folder in folders:
        for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
            try:
                themes[path.stem] = read_theme(path)
            except ThemeError as error:
                notices.append(f"The theme {path.name} is left out: {error}")
    return list(themes.values()), notices


def load_theme(name: str, *folders: Path) -> Theme | None:
    """The theme of that name alone, as `load_themes` has it; None where there is none that can be used."""
    named = (path for folder in reversed(folders) for path in folder.glob("*.toml") if path.stem == name)
    for path in named:
        with suppress(ThemeError):
            return read_theme(path)
    return None


def stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """What changes when a theme file of the folder does: their names, times and sizes."""
    try:
        found = [(path.name, path.stat()) for path in sorted(folder.glob("*.toml"))]
    except OSError:
        return ()
    return tuple((name, facts.st_mtime_ns, facts.st_size) for name, facts in found)


def read_theme(path: Path) -> Theme:
    """The theme of one file; its name is the file's. Raises ThemeError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ThemeError(f"it is larger than {MAX_BYTES // 1024} kB.")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ThemeError("it cannot be read as text.") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ThemeError(f"it is not TOML ({str(error)[:80]}).") from error
    if unknown := sorted(data.keys() - {"dark", "colors"}):
        raise ThemeError(f"'{unknown[0][:40]}' is not a setting of a theme (dark, [colors]).")
    colors = data.get("colors")
    if not isinstance(colors, dict) or "primary" not in colors:
        raise ThemeError("it has no [colors] with a primary.")
    for name, value in colors.items():
        _check_color(name, value)
    if not isinstance(dark := data.get("dark", True), bool):
        raise ThemeError("'dark' is neither true nor false.")
    return Theme(name=path.stem, dark=dark, **colors)


def chosen_theme(state: Path) -> str:
    """The name of the theme that was chosen last, "" where none was."""
    try:
        with (state / CHOSEN).open(encoding="utf-8") as file:
            return file.readline(MAX_NAME).strip()
    except (OSError, UnicodeDecodeError):
        return ""


def choose_theme(state: Path, name: str) -> None:
    """Remember the theme; where that cannot be written, it is chosen for this time."""
    try:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        (state / CHOSEN).write_text(name + "\n", encoding="utf-8")
    except OSError:
        return


def _check_color(name: str, value: object) -> None:
    if name not in COLORS:
        raise ThemeError(f"'{name[:40]}' is not one of {', '.join(COLORS)}.")
    try:
        Color.parse(str(value))
    except ColorParseError as error:
        raise ThemeError(f"the colour of {name}, '{str(value)[:40]}', is not one.") from error
