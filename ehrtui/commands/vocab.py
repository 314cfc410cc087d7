"""`ehrtui vocab`: import a vocabulary of OHDSI's Athena, and look words up in it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from contextlib import closing

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ehrtui.commands.output import console, one_line, printable
from ehrtui.commands.waiting import INTERRUPTED, progress_bar
from ehrtui.concepts.athena import Loaded, load
from ehrtui.concepts.vocabulary import Term, Vocabulary
from ehrtui.conversation.database import vocabulary_path
from ehrtui.errors import Cancelled

_SHOWN = 20


def run(args: argparse.Namespace) -> int:
    """Do what `args.action` says."""
    path = vocabulary_path(args.state)
    if args.action == "import":
        try:
            with progress_bar() as (progress, cancelled):
                loaded = load(args.folder, path, progress=progress, stopped=cancelled)
        except Cancelled as error:
            print(f"{error.what} {error.why}", file=sys.stderr)
            return INTERRUPTED
        _say(loaded)
        return 0
    text = " ".join(args.words)
    with closing(Vocabulary(path)) as vocabulary:
        if args.action == "search":
            _list(vocabulary.search(text, _SHOWN))
        else:
            _show(vocabulary, text)
    return 0


def _say(loaded: Loaded) -> None:
    if loaded.resumed:
        print("An earlier import of the same files was continued.")
    for name, rows in loaded.rows.items():
        print(f"{rows:>12,} rows of {name}")
    if loaded.left_out:
        print(f"{loaded.left_out:,} lines were left out:")
        for one in loaded.malformed:
            print(f"  {one.file} line {one.line}")


def _list(terms: Iterable[Term]) -> None:
    table = Table("concept", "name", "vocabulary", "class", "code", "standard", box=SIMPLE_HEAD, pad_edge=False)
    for term in terms:
        cells = (term.id, term.name, term.vocabulary, term.concept_class, term.code, "yes" if term.standard else "")
        table.add_row(*(Text(one_line(str(cell))) for cell in cells))
    if table.row_count:
        console().print(table)
    else:
        print("Nothing is so called.")


def _show(vocabulary: Vocabulary, text: str) -> None:
    named = vocabulary.named(text)
    _list(named[:_SHOWN])
    ingredients = vocabulary.ingredients(text)
    if ingredients:
        print("ingredients: " + ", ".join(printable(term.name) for term in ingredients))
    for term in named[:1]:
        for what, found in (
            ("brands", [one.name for one in vocabulary.brands(term.id)]),
            ("also called", list(vocabulary.synonyms(term.id))),
            ("above", [one.name for one in vocabulary.ancestors(term.id)]),
            ("below", [one.name for one in vocabulary.descendants(term.id, _SHOWN)]),
        ):
            if found:
                print(f"{what}: " + printable(", ".join(found[:_SHOWN])))
