"""`ehrtui concepts`: look at the library of concepts, make, import, export and forget concepts of your own."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ehrtui.commands.output import console, one_line, paragraph, printable
from ehrtui.concepts.coding import Coded, kind_of, members_of
from ehrtui.concepts.expansion import expanded
from ehrtui.concepts.exporting import exported
from ehrtui.concepts.importing import MOST_BYTES, of_concepts, of_values, read_concepts
from ehrtui.concepts.library import Library
from ehrtui.concepts.model import Concept, Member
from ehrtui.concepts.preview import Count, preview
from ehrtui.concepts.store import ConceptStore, own_library
from ehrtui.concepts.vocabulary import Vocabulary
from ehrtui.conversation.database import concepts_path, vocabulary_path
from ehrtui.errors import ConceptError, UsageError
from ehrtui.paths import is_file

_MOST_FOUND = 20


def run(args: argparse.Namespace) -> int:
    """Do what `args.action` says; list where it says nothing."""
    store = ConceptStore(concepts_path(args.state))
    with closing(own_library(store.path, args.state)) as library:
        match args.action:
            case "search":
                found = library.search(" ".join(args.words), kind=args.kind, limit=_MOST_FOUND)
                _list((each.concept for each in found), "No concept has these words.")
            case "show":
                for concept in _named(library, args.name, args.kind):
                    _show(concept, _counts(concept, args))
            case "add":
                _add(store, library, args)
            case "import":
                _import(store, library, args)
            case "export":
                concepts = [_named(library, name)[0] for name in args.name] or store.concepts()
                sys.stdout.write(exported(concepts, args.format))
            case "forget":
                for name in args.name:
                    _forget(store, name)
            case _:
                kept = iter(store.concepts()) if args.own else iter(library)
                _list((one for one in kept if args.kind in (None, one.kind)), "No concept is kept yet.")
    return 0


def _named(library: Library, name: str, kind: str | None = None) -> tuple[Concept, ...]:
    """The concepts of that name or synonym: several where there are versions, or several things so called."""
    found = tuple(one for one in library.named(name) if kind in (None, one.kind))
    if found:
        return found
    near = [each.concept.name for each in library.search(name, limit=3)]
    raise ConceptError(
        f"There is no concept “{printable(name)[:80]}”.",
        next_step=f"Did you mean: {', '.join(near)}?" if near else "`ehrtui concepts search WORD` finds concepts.",
    )


def _list(concepts: Iterable[Concept], empty: str) -> None:
    table = Table("concept", "kind", "members", "also called", "version", "from", box=SIMPLE_HEAD, pad_edge=False)
    for one in concepts:
        called, source = one_line(", ".join(one.synonyms)), one_line(one.source)[:40]
        cells = (printable(one.name), one.kind, str(len(one.members)), called[:60], printable(one.version), source)
        table.add_row(*map(Text, cells))
    if table.row_count:
        console().print(table)
    else:
        print(empty)


def _show(concept: Concept, counts: Sequence[Count]) -> None:
    out = console()
    out.print(paragraph(f"{concept.name} · {concept.kind} · version {concept.version}", "bold"))
    for text in (concept.description, ", ".join(concept.synonyms), concept.source):
        if text:
            out.print(paragraph(text, "dim" if text == concept.source else ""))
    if concept.limit:
        out.print(paragraph(f"only values {concept.limit.relation} {concept.limit.value:g} {concept.limit.unit}"))
    if concept.normal:
        low, high = (("" if one is None else f"{one:g}") for one in (concept.normal.low, concept.normal.high))
        out.print(paragraph(f"usual {low} to {high} {concept.normal.unit}, where the database flags nothing itself"))
    if not concept.members:
        print("It has no members: it finds nothing.")
    for vocabulary in dict.fromkeys(member.vocabulary for member in concept.members):
        texts = [("not " if one.excluded else "") + one.text for one in concept.members if one.vocabulary == vocabulary]
        out.print(paragraph(f"{vocabulary}: {', '.join(texts)}"))
    if counts:
        table = Table("records", "member", "rows", "patients", box=SIMPLE_HEAD, pad_edge=False)
        for count in counts:
            member = "all" if count.member is None else f"{count.member.vocabulary} {count.member.text}"
            table.add_row(
                count.role.replace("_", " "), Text(printable(member)), f"{count.rows:,}", f"{count.patients:,}"
            )
        out.print(table)


def _counts(concept: Concept, args: argparse.Namespace) -> tuple[Count, ...]:
    """What the concept finds in the database that was named; says so where that is nothing."""
    if not args.db:
        return ()
    from ehrtui.conversation.database import open_database

    with closing(open_database(args.db, now=None, profile=args.profile, planner="offline", state=args.state)) as db:
        counts = preview(concept, db.profile, db.engine.read, db.now)
    if not any(count.rows for count in counts):
        print(f"In this database “{printable(concept.name)}” finds nothing (0 rows).")
    return counts


def _add(store: ConceptStore, library: Library, args: argparse.Namespace) -> None:
    concept = _made(library, args)
    _show(concept, _counts(concept, args))
    if args.dry_run:
        print("Nothing was kept.")
        return
    store.add([concept])
    print(f"“{printable(concept.name)}” is kept.")


def _made(library: Library, args: argparse.Namespace) -> Concept:
    today = f"made on {date.today().isoformat()}"
    parts: list[Concept] = []
    try:
        others = [_named(library, name)[0] for name in args.from_concept]
        if args.from_search:
            others += [each.concept for each in library.search(args.from_search, kind=args.kind, limit=_MOST_FOUND)]
        if others:
            parts.append(of_concepts(args.name, others))
        if args.member:
            parts.append(_of_members(args))
        if args.from_values:
            kind = args.kind or kind_of(Coded(args.vocabulary)) or "diagnosis"
            parts.append(of_values(args.name, kind, args.vocabulary, _values(args.from_values)))
        whole = of_concepts(args.name, parts, today) if parts else None
    except ValueError as error:
        raise UsageError(
            f"“{printable(args.name)[:80]}” cannot be made: {error}.", next_step="Say another --kind."
        ) from error
    if whole is None or not whole.members:
        raise UsageError(
            "A concept needs members.", next_step='For example: ehrtui concepts add "my sepsis" --member icd9:995.91'
        )
    same = [one for one in versions_of(library, args.name) if one.source.startswith("made on")]
    version = args.version or str(len(same) + 1)
    return replace(
        whole, kind=args.kind or whole.kind, synonyms=tuple(args.synonym), description=args.description, version=version
    )


def versions_of(library: Library, name: str) -> tuple[Concept, ...]:
    """The concepts whose own name this is, in any version."""
    return tuple(one for one in library.named(name) if one.name.lower() == name.lower())


def _of_members(args: argparse.Namespace) -> Concept:
    members: list[Member] = []
    kind = args.kind
    for text in args.member:
        vocabulary, _, code = text.partition(":")
        coded = Coded(vocabulary.removeprefix("-"), code, excluded=vocabulary.startswith("-"))
        members += members_of(coded)
        kind = kind or kind_of(coded)
    return Concept(args.name, kind or "diagnosis", tuple(members))


def _values(file: str) -> list[str]:
    """The first cell of each line. Raises ConceptError."""
    if file != "-" and (not is_file(Path(file)) or Path(file).stat().st_size > MOST_BYTES):
        raise ConceptError(f"{printable(file)[:200]} cannot be read.", next_step="Name a file with one value a line.")
    text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8", errors="replace")
    try:
        return [row[0] for row in csv.reader(text.splitlines()) if row]
    except csv.Error as error:
        raise ConceptError(f"{printable(file)[:200]} is no list of values: {error}.") from error


def _import(store: ConceptStore, library: Library, args: argparse.Namespace) -> None:
    found = read_concepts(args.file, kind=args.kind, known=library.named)
    store.add(_with_vocabulary(found.concepts, args.state))
    count = len(found.concepts)
    print(f"{printable(args.file.name)}: {count:,} concept{' is' if count == 1 else 's are'} kept.")
    for one in found.concepts:
        if len(seen := {each.version for each in (*versions_of(library, one.name), one)}) > 1:
            print(f"  “{printable(one.name)}” is there in several versions: {', '.join(sorted(map(printable, seen)))}")
    if found.problems:
        print(f"{len(found.problems):,} lines or items were left out or need a look:")
        for problem in found.problems:
            print(f"  line {problem.line}: {printable(problem.why)}")


def _with_vocabulary(concepts: Sequence[Concept], state: Path | None) -> list[Concept]:
    """The concepts with what an imported vocabulary knows of their members; as they are where there is none."""
    if not is_file(path := vocabulary_path(state)):
        return list(concepts)
    with closing(Vocabulary(path)) as vocabulary:
        return [expanded(concept, vocabulary) for concept in concepts]


def _forget(store: ConceptStore, name: str) -> None:
    count = store.forget(name)
    if not count:
        raise ConceptError(
            f"You have no concept “{printable(name)[:80]}”.",
            why="Concepts that ship with ehrtui stay.",
            next_step="`ehrtui concepts list --own` shows yours.",
        )
    print(f"“{printable(name)}” is forgotten ({count} version{'' if count == 1 else 's'}).")
