"""How each command is called, for its help, the manual and the documentation."""

from __future__ import annotations

import argparse

EXAMPLES: dict[str, tuple[str, ...]] = {
    "explore": (
        "ehrtui mimic.db",
        "ehrtui mimic.db --resume",
        'ehrtui mimic.db --session "heart failure"',
        "ehrtui mimic.db --threshold 0.8 --no-save",
    ),
    "ask": (
        'ehrtui ask mimic.db "how many patients were given aspirin in 2104?"',
        "ehrtui ask mimic.db --batch questions.jsonl > answers.jsonl",
        'ehrtui ask mimic.db "SELECT COUNT(*) FROM patients" --json',
    ),
    "repl": ("ehrtui repl mimic.db", "printf 'how many patients?\\n/sql\\n' | ehrtui repl mimic.db"),
    "exec": ("ehrtui exec mimic.db turns.jsonl", "ehrtui exec mimic.db - < turns.jsonl"),
    "decompose": (
        'ehrtui decompose mimic.db "SELECT dob FROM patients WHERE subject_id IN (SELECT subject_id FROM icustays)"',
    ),
    "replay": (
        "ehrtui replay 20261103-141502-5f3a9c",
        "ehrtui replay session.jsonl mimic.db",
        "ehrtui replay heart-failure --film 5",
    ),
    "sessions": (
        "ehrtui sessions",
        "ehrtui sessions show 20261103",
        'ehrtui sessions name 20261103 "heart failure"',
        "ehrtui sessions compare 20261103 20261104",
        "ehrtui sessions export 20261103 --to ipynb -o session.ipynb",
    ),
    "eval": ("ehrtui eval mimic.db questions.json --wrong", "ehrtui eval mimic.db questions.json --limit 50 --json"),
    "calibrate": ("ehrtui calibrate mimic.db questions.json", "ehrtui calibrate mimic.db --forget"),
    "import": ("ehrtui import csv physionet.org/files/mimiciii/1.4 mimic.db",),
    "prepare": ("ehrtui prepare mimic.db", "ehrtui prepare mimic.db --drop"),
    "memory": ("ehrtui memory", "ehrtui memory search furosemide", "ehrtui memory forget 3"),
    "concepts": (
        "ehrtui concepts search heart failure",
        "ehrtui concepts show diabetes --db mimic.db",
        "ehrtui concepts add 'loop diuretics' --kind drug --member name:furosemide",
    ),
    "vocab": ("ehrtui vocab import athena", "ehrtui vocab show lasix"),
    "profile": ("ehrtui profile mimic.db > mine.toml", "ehrtui mimic.db --profile mine.toml"),
    "doctor": ("ehrtui doctor", "ehrtui doctor --base-url http://127.0.0.1:8080 --api chat"),
    "config": ("ehrtui config", "ehrtui config --write", "ehrtui config --check mine.toml"),
    "completion": (
        "ehrtui completion bash > ~/.local/share/bash-completion/completions/ehrtui",
        "ehrtui completion fish > ~/.config/fish/completions/ehrtui.fish",
    ),
    "manual": ("ehrtui manual | man -l -", "ehrtui manual > ~/.local/share/man/man1/ehrtui.1"),
    "serve": ("ehrtui serve mimic.db", "ehrtui serve mimic.db --port 9000 -- --threshold 0.8"),
    "demo": ("ehrtui demo", "ehrtui demo --patients 1000 --no-open"),
}
"""By command; "explore" is the one without a name."""


class Formatter(argparse.HelpFormatter):
    """Wraps paragraphs, and leaves lines that begin with spaces as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        parts = []
        for part in text.split("\n\n"):
            own = part.startswith(" ")
            parts.append(part if own else super()._fill_text(part, width, indent))
        return "\n\n".join(parts)


def with_examples(parser: argparse.ArgumentParser, command: str) -> argparse.ArgumentParser:
    """The parser, whose help ends with the examples of its command."""
    examples = EXAMPLES.get(command, ())
    told = "\n".join(f"  {example}" for example in examples)
    parts = [parser.epilog, "Examples:" if len(examples) > 1 else "Example:", told] if examples else [parser.epilog]
    parser.epilog = "\n\n".join(part for part in parts if part)
    parser.formatter_class = Formatter
    return parser
