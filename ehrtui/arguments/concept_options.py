"""The command lines of `ehrtui concepts` and `ehrtui vocab`."""

from __future__ import annotations

import argparse
from pathlib import Path

_KINDS = ("diagnosis", "procedure", "drug", "lab", "vital", "organism", "cohort", "measure")


def concepts_parser() -> argparse.ArgumentParser:
    """`ehrtui concepts …`."""
    parser = argparse.ArgumentParser(
        "ehrtui concepts",
        description="What people call families of things: a name, synonyms, codes, ingredients or stored names. "
        'Query logic takes one by its name: patients with diagnosis concept "diabetes".',
    )
    actions = parser.add_subparsers(dest="action", metavar="list|search|show|add|import|export|forget")
    listing = actions.add_parser("list", help="all concepts (the default)")
    listing.add_argument("--own", action="store_true", help="only your own")
    search = actions.add_parser("search", help="the concepts that words may mean, the best first")
    search.add_argument("words", metavar="WORD", nargs="+")
    show = actions.add_parser("show", help="all of a concept, and with --db what it finds there")
    show.add_argument("name", metavar="NAME", help="its name or a synonym")
    adding = actions.add_parser(
        "add",
        help="make a concept of your own",
        description="Make a concept of members that you name, of all that a search finds, of other concepts, or of the "
        "values of a column. With --db its rows and patients there are shown; with --dry-run nothing is kept.",
    )
    adding.add_argument("name", metavar="NAME")
    adding.add_argument("--member", metavar="VOCABULARY:TEXT", action="append", default=[], help="such as icd9:250.*")
    adding.add_argument("--from-search", metavar="WORDS", help="the members of all concepts that these words find")
    adding.add_argument("--from-concept", metavar="NAME", action="append", default=[], help="the members of a concept")
    adding.add_argument(
        "--from-values",
        metavar="FILE",
        help="the values of a column, a line each (of CSV the first cell); - reads them",
    )
    adding.add_argument("--vocabulary", metavar="NAME", default="name", help="what --from-values are (name)")
    adding.add_argument("--synonym", metavar="TEXT", action="append", default=[], help="what else it is called")
    adding.add_argument("--description", metavar="TEXT", default="", help="what it is")
    adding.add_argument("--version", metavar="TEXT", default="", help="tells several of one name apart")
    adding.add_argument("--dry-run", action="store_true", help="show it, and keep nothing")
    reading = actions.add_parser(
        "import",
        help="concepts from a file",
        description="Read OHDSI concept sets, ATLAS cohort definitions (JSON), HDR UK phenotypes, or a plain table "
        "with the columns concept, kind, vocabulary, code, synonyms (CSV). Lines that cannot be read are named.",
    )
    reading.add_argument("file", metavar="FILE", type=Path)
    writing = actions.add_parser("export", help="concepts as text for other tools")
    writing.add_argument("name", metavar="NAME", nargs="*", help="their names; all of your own where left out")
    writing.add_argument("--format", choices=["csv", "ohdsi", "hdruk"], default="csv", help="(csv)")
    forgetting = actions.add_parser("forget", help="forget concepts of your own")
    forgetting.add_argument("name", metavar="NAME", nargs="+")
    for each in (listing, search, show, adding, reading):
        each.add_argument("--kind", choices=_KINDS, help="only of this kind; of new ones, their kind")
    for each in (show, adding):
        each.add_argument("--db", metavar="DB", help="a database: what the concept finds there")
        each.add_argument("--profile", metavar="FILE", type=Path, help="the profile of its schema family")
    for each in (listing, search, show, adding, reading, writing, forgetting):
        each.add_argument("--state", metavar="DIR", type=Path, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.set_defaults(kind=None, own=False)
    _add_state(parser)
    return parser


def vocab_parser() -> argparse.ArgumentParser:
    """`ehrtui vocab …`."""
    parser = argparse.ArgumentParser(
        "ehrtui vocab", description="A vocabulary of OHDSI's Athena: brands and ingredients, synonyms, hierarchies."
    )
    actions = parser.add_subparsers(dest="action", metavar="import|search|show", required=True)
    reading = actions.add_parser(
        "import",
        help="read an export of Athena",
        description="Read CONCEPT.csv and, where they are there, CONCEPT_SYNONYM.csv, CONCEPT_RELATIONSHIP.csv and "
        "CONCEPT_ANCESTOR.csv. Esc stops; the next import of the same files goes on from there.",
    )
    reading.add_argument("folder", metavar="DIR", type=Path, help="where the unpacked files are")
    search = actions.add_parser("search", help="the concepts with these words")
    show = actions.add_parser("show", help="what a word stands for: ingredients, brands, synonyms, what is below")
    for each in (search, show):
        each.add_argument("words", metavar="WORD", nargs="+")
    for each in (reading, search, show):
        each.add_argument("--state", metavar="DIR", type=Path, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    _add_state(parser)
    return parser


def _add_state(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state", metavar="DIR", type=Path, help="where your concepts and the vocabulary are kept")
