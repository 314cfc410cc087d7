"""What is said of the commands: examples that can be run as they stand, in the help, the manual and the documents."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from ehrtui.arguments.command_examples import EXAMPLES
from ehrtui.arguments.parsers import COMMANDS, WITH_ACTIONS, parser_of, whole_parser
from tests.commands import commands_page
from tests.commands.conftest import Ehrtui

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(?:sh|bash|console)?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def told() -> list[str]:
    """The lines of the documents that call ehrtui."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    blocks = [block for page in pages for block in _BLOCK.findall(page.read_text("utf-8"))]
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return sorted({line for line in lines if re.match(r"ehrtui [\w.]", line) and "…" not in line})


def parse(line: str) -> None:
    """Read a line as the command line does, without what explains it, behind a gap, and with the first of several
    words; SystemExit where it cannot be."""
    said = re.sub(r"(?<=\w)\|[\w|]+", "", re.split(r"\s{2,}|\s#", line)[0])
    for part in re.split(r"\s[|;]\s|\s&&\s", said):
        words = shlex.split(re.split(r"\s[<>]", part)[0])
        if words[:1] == ["ehrtui"]:
            name, rest = (words[1], words[2:]) if words[1] in COMMANDS else ("explore", words[1:])
            parser = parser_of(name)
            (parser.parse_args if name in WITH_ACTIONS else parser.parse_intermixed_args)(rest)


def test_every_command_has_examples_that_its_parser_reads() -> None:
    assert set(EXAMPLES) == {*COMMANDS, "explore"}
    for examples in EXAMPLES.values():
        for example in examples:
            parse(example)


@pytest.mark.parametrize("line", told())
def test_what_the_documents_call_can_be_called(line: str) -> None:
    parse(line)


def test_the_page_of_commands_is_current() -> None:
    hint = "run: python -m tests.commands.commands_page"
    assert commands_page.PAGE.read_text("utf-8") == commands_page.page(), hint


def test_help_ends_with_examples_and_the_manual_has_every_command(ehrtui: Ehrtui) -> None:
    shown = ehrtui("ask", "--help").stdout
    assert all(f"\n  {example}\n" in f"{shown}\n" for example in EXAMPLES["ask"])
    manual = ehrtui("manual").stdout
    assert manual.startswith(".TH EHRTUI")
    plain = manual.replace("\\", "")
    assert all(f"ehrtui {name}" in plain.replace("fR fI,", " ") for name in COMMANDS)
    assert list(whole_parser()._actions[-1].choices or ()) == list(COMMANDS)


def test_a_shell_completes_commands_and_options(ehrtui: Ehrtui, tmp_path: Path) -> None:
    script = tmp_path / "ehrtui.bash"
    script.write_text(ehrtui("completion", "bash").stdout)
    asked = "COMP_WORDS=(ehrtui {}) COMP_CWORD={}; _shtab_ehrtui 2>/dev/null; printf '%s\\n' \"${{COMPREPLY[@]}}\""

    def completed(words: str, at: int) -> list[str]:
        line = f"source {script}; {asked.format(words, at)}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, encoding="utf-8", check=False)
        return done.stdout.split()

    assert completed("rep", 1) == ["repl", "replay"]
    assert "--resume" in completed("repl --res", 2)
    assert ehrtui("completion", "sh").returncode == 2
