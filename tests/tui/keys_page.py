"""Writes the tables of docs/keys.md from the registry of keys.

`python -m tests.tui.keys_page` does it; a test says whether they are current.
"""

from __future__ import annotations

from pathlib import Path

from ehrtui.tui.keys import ABOUT, KEYS, PLACES, key_name

PAGE = Path(__file__).parents[2] / "docs" / "keys.md"
BEGIN = "## All keys\n"


def tables() -> str:
    """A section for each place: what it is, and its keys."""
    parts = []
    for place, title in PLACES.items():
        keys = [key for key in KEYS if key.place == place]
        lines = [f"### {title} (`{place}`)", ""]
        lines += [ABOUT[place], ""] if place in ABOUT else []
        lines += ["| key | in `keys.toml` | does |", "| --- | --- | --- |"]
        for key in keys:
            names = [key_name(each).replace("|", "\\|") for each in key.keys.split(",")]
            lines.append(f"| {' '.join(names)} | `{key.keys.split(',')[0]}` | {key.help} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """The whole page: what stands before the tables is written by hand."""
    before, _, _ = PAGE.read_text("utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{tables()}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
