"""Writes docs/commands.md from the parsers of the command line.

`python -m tests.commands.commands_page` does it; a test says whether it is current.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ehrtui.arguments.command_examples import EXAMPLES
from ehrtui.arguments.parsers import COMMANDS, parser_of

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
_HEAD = """\
# Commands

What `ehrtui COMMAND --help` says, for all commands. Exit codes: 0 answered or done, 1 failed, 2 usage, 3 abstained, 4 a
replay or a decomposition differs, 130 cancelled.

`ehrtui completion bash` (zsh, fish, tcsh, powershell) prints what completes commands, options and files in a shell, and
`ehrtui manual` the manual page.

This page is made from the parsers (`python -m tests.commands.commands_page`).
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for name in ("explore", *COMMANDS):
        parser = parser_of(name)
        parts.append(f"## {'ehrtui DB' if name == 'explore' else f'ehrtui {name}'}\n\n{parser.description}\n")
        parts.append("```\n" + "\n".join(EXAMPLES[name]) + "\n```\n")
        parts += list(_options(parser))
        if parser.epilog:
            parts.append(f"{parser.epilog}\n")
    return "\n".join(parts)


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    lines = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for pseudo in action._choices_actions:
                yield f"### {parser.prog} {pseudo.dest}\n\n{(pseudo.help or '').strip()}\n"
                yield from _options(action.choices[pseudo.dest])
        elif action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction):
            lines.append(f"| `{_named(action)}` | {(action.help or '').replace('|', chr(92) + '|')} |")
    if lines:
        yield "\n".join(["| option | what |", "| --- | --- |", *lines, ""])


def _named(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None:
        metavar = "/".join(map(str, action.choices))
    value = "" if action.nargs == 0 else f" {metavar}"
    names = ", ".join(action.option_strings)
    return f"{names}{value}".strip().replace("|", "/")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
