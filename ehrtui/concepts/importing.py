"""Concepts of other tools, read from their files: OHDSI concept sets, ATLAS cohort definitions, HDR UK phenotypes, and
plain tables. What cannot be read is reported with its line, and the rest is taken."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ehrtui.concepts.coding import LONGEST, Coded, kind_of, members_of
from ehrtui.concepts.model import KINDS, Concept, Kind, Member
from ehrtui.errors import ConceptError

MOST_BYTES = 100_000_000
"""A larger file is no file of concepts."""
_COLUMNS = {
    "name": ("concept", "name", "concept_name", "phenotype_name", "concept set", "conceptset"),
    "kind": ("kind", "domain", "domain_id"),
    "vocabulary": ("vocabulary", "vocabulary_id", "coding_system", "code_type", "coding system"),
    "code": ("code", "concept_code", "text", "member"),
    "term": ("description", "term", "code_description", "code_name"),
    "synonyms": ("synonyms", "synonym"),
    "version": ("version", "phenotype_version_id", "concept_version_id"),
    "excluded": ("excluded", "is_excluded", "isexcluded"),
}
"""What is read from a table, and the headings it may have."""
_TRUE = ("1", "true", "yes", "y", "x")
_OTHER = "concept"
"""The vocabulary of a row that names another concept, all of whose members are meant."""
_DEEPEST = 20


@dataclass(frozen=True)
class Problem:
    """What could not be taken: the `line` of a table, or the number of an item, and why."""

    line: int
    why: str


@dataclass(frozen=True)
class Imported:
    """What a file held."""

    concepts: tuple[Concept, ...]
    problems: tuple[Problem, ...]


@dataclass
class _Draft:
    name: str
    kind: Kind | None = None
    members: dict[Member, None] = field(default_factory=dict)
    others: dict[str, int] = field(default_factory=dict)
    synonyms: dict[str, None] = field(default_factory=dict)
    version: str = "1"
    line: int = 0


def read_concepts(
    path: Path, *, kind: Kind | None = None, known: Callable[[str], Iterable[Concept]] = lambda name: ()
) -> Imported:
    """The concepts in a file. `kind` is that of rows that do not tell theirs; `known` finds concepts that rows name as
    a whole. Raises ConceptError where the file cannot be read or is of no such format."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConceptError(f"{path.name} is too large.", why=f"At most {MOST_BYTES:,} bytes are read.")
        text = path.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise ConceptError(f"{path.name} cannot be read.", why=error.strerror or "") from error
    source = path.name
    if text.lstrip()[:1] in ("{", "["):
        drafts, problems = _of_json(text, path)
    else:
        drafts, problems = _of_table(text, path)
    return _finished(drafts, problems, source, kind, known)


def _finished(
    drafts: Mapping[str, _Draft],
    problems: list[Problem],
    source: str,
    kind: Kind | None,
    known: Callable[[str], Iterable[Concept]],
) -> Imported:
    concepts: list[Concept] = []
    for draft in drafts.values():
        members = dict(draft.members)
        for other, line in draft.others.items():
            try:
                members |= dict.fromkeys(_members_of(other, drafts, known, (draft.name,)))
            except ValueError as error:
                problems.append(Problem(line, str(error)))
        if not members:
            problems.append(Problem(draft.line, f"“{draft.name}” has no members"))
        of = draft.kind or kind or _kind_of_others(draft, drafts, known)
        if of is None:
            problems.append(Problem(draft.line, f"“{draft.name}” does not tell of what kind it is; left out"))
            continue
        concepts.append(
            Concept(draft.name, of, tuple(members), tuple(draft.synonyms), "", version=draft.version, source=source)
        )
    return Imported(tuple(concepts), tuple(sorted(problems, key=lambda one: one.line)))


def _members_of(
    name: str, drafts: Mapping[str, _Draft], known: Callable[[str], Iterable[Concept]], within: tuple[str, ...]
) -> Iterator[Member]:
    if name.lower() in (one.lower() for one in within) or len(within) > _DEEPEST:
        raise ValueError(f"“{name}” is part of itself")
    draft = next((one for one in drafts.values() if one.name.lower() == name.lower()), None)
    if draft is not None:
        yield from draft.members
        for other in draft.others:
            yield from _members_of(other, drafts, known, (*within, name))
        return
    found = next(iter(known(name)), None)
    if found is None:
        raise ValueError(f"there is no concept “{name}”")
    yield from found.members


def _kind_of_others(
    draft: _Draft, drafts: Mapping[str, _Draft], known: Callable[[str], Iterable[Concept]]
) -> Kind | None:
    for other in draft.others:
        for one in drafts.values():
            if one.name.lower() == other.lower() and one.kind is not None:
                return one.kind
        for concept in known(other):
            return concept.kind
    return None


# --- tables ----------------------------------------------------------------------------------------------------------


def _of_table(text: str, path: Path) -> tuple[dict[str, _Draft], list[Problem]]:
    first = text.split("\n", 1)[0]
    delimiter = "\t" if "\t" in first else ";" if first.count(";") > first.count(",") else ","
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    drafts: dict[str, _Draft] = {}
    problems: list[Problem] = []
    places: dict[str, int] = {}
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            problems.append(Problem(line, str(error)))
            continue
        if row is None:
            break
        if not places:
            places = _places(row, path)
        elif any(cell.strip() for cell in row):
            try:
                _take(row, places, drafts, path.stem, line)
            except ValueError as error:
                problems.append(Problem(line, str(error)))
    if not places:
        raise ConceptError(f"{path.name} is empty.")
    return drafts, problems


def _places(row: list[str], path: Path) -> dict[str, int]:
    headings = [cell.strip().lower() for cell in row]
    found = {
        what: headings.index(heading)
        for what, names in _COLUMNS.items()
        if (heading := next((name for name in names if name in headings), "")) != ""
    }
    if "phenotype_name" in headings:
        found["name"] = headings.index("phenotype_name")
    if "code" not in found:
        raise ConceptError(
            f"{path.name} has no column of codes.",
            why=f"Its headings are: {', '.join(headings)[:200]}.",
            next_step="Name the columns: concept, kind, vocabulary, code, synonyms.",
        )
    return found


def _take(row: list[str], places: Mapping[str, int], drafts: dict[str, _Draft], name: str, line: int) -> None:
    """Add a row to the concept that it is of. Raises ValueError."""
    if len(row) <= max(places.values()):
        raise ValueError(f"{len(row)} cells where the heading has {max(places.values()) + 1} or more")

    def cell(what: str) -> str:
        return row[places[what]].strip() if what in places else ""

    name = cell("name") or name
    if len(name) > LONGEST:
        raise ValueError(f"a name of more than {LONGEST} characters")
    vocabulary = cell("vocabulary") or "name"
    coded = Coded(vocabulary, cell("code"), cell("term"), cell("kind"), excluded=cell("excluded").lower() in _TRUE)
    key = f"{name}\n{cell('version')}"
    draft = drafts.get(key) or _Draft(name, version=cell("version") or "1", line=line)
    draft.kind = draft.kind or next((one for one in KINDS if one == cell("kind").lower()), None)
    if vocabulary.lower() == _OTHER:
        draft.others.setdefault(cell("code"), line)
    else:
        draft.members |= dict.fromkeys(members_of(coded))
        draft.kind = draft.kind or kind_of(coded)
    draft.synonyms |= dict.fromkeys(one.strip() for one in cell("synonyms").split(";") if one.strip())
    drafts[key] = draft


# --- JSON ------------------------------------------------------------------------------------------------------------


def _of_json(text: str, path: Path) -> tuple[dict[str, _Draft], list[Problem]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise ConceptError(
            f"{path.name} is no JSON.", why=f"Line {line}: {getattr(error, 'msg', 'it nests too deeply')}."
        ) from error
    drafts: dict[str, _Draft] = {}
    problems: list[Problem] = []
    for number, (name, items) in enumerate(_sets(data, path.stem), 1):
        draft = drafts.setdefault(f"{name}\n{number}", _Draft(name, line=number))
        for place, item in enumerate(items, 1):
            try:
                coded = _coded(item)
                draft.members |= dict.fromkeys(members_of(coded))
                draft.kind = draft.kind or kind_of(coded)
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                why = str(error) if isinstance(error, ValueError) else "it is no concept"
                problems.append(Problem(place, f"in “{name[:80]}”: {why}"))
    if not drafts:
        raise ConceptError(
            f"{path.name} holds no concept set.",
            next_step="Export a concept set or a cohort definition from ATLAS, or a plain table.",
        )
    return _versions(drafts), problems


def _versions(drafts: dict[str, _Draft]) -> dict[str, _Draft]:
    """Sets of one name become versions of it."""
    seen: dict[str, int] = {}
    for draft in drafts.values():
        seen[draft.name] = seen.get(draft.name, 0) + 1
        draft.version = str(seen[draft.name])
    return drafts


def _sets(data: Any, name: str) -> Iterator[tuple[str, list[Any]]]:
    """The concept sets of a document, each with its items: one set, a list of them, or those of a cohort."""
    if isinstance(data, list):
        for each in data:
            yield from _sets(each, name)
        return
    if not isinstance(data, dict):
        return
    sets = data.get("ConceptSets", data.get("conceptSets"))
    if isinstance(sets, list):
        yield from _sets(sets, name)
        return
    own = str(data.get("name") or name)[:LONGEST]
    expression = data.get("expression", data)
    if isinstance(expression, str):  # ATLAS's services give it as text
        try:
            expression = json.loads(expression)
        except (ValueError, RecursionError):
            return
    if isinstance(expression, dict) and isinstance(expression.get("ConceptSets"), list):
        yield from _sets(expression, own)
    elif isinstance(expression, dict) and isinstance(expression.get("items"), list):
        yield own, expression["items"]


def _coded(item: Any) -> Coded:
    concept = item["concept"]
    return Coded(
        str(concept.get("VOCABULARY_ID") or ""),
        str(concept.get("CONCEPT_CODE") or ""),
        str(concept.get("CONCEPT_NAME") or ""),
        str(concept.get("DOMAIN_ID") or ""),
        str(concept.get("CONCEPT_CLASS_ID") or ""),
        int(concept.get("CONCEPT_ID") or 0),
        descendants=bool(item.get("includeDescendants")),
        excluded=bool(item.get("isExcluded")),
    )


def of_values(name: str, kind: Kind, vocabulary: str, values: Iterable[object], source: str = "") -> Concept:
    """A concept of what a column holds. Raises ValueError for a value that can be no member of the vocabulary."""
    texts = dict.fromkeys(str(value).strip() for value in values if value is not None and str(value).strip())
    members = [one for text in texts for one in members_of(Coded(vocabulary, text, text))]
    return Concept(name, kind, tuple(dict.fromkeys(members)), source=source)


def of_concepts(name: str, concepts: Iterable[Concept], source: str = "") -> Concept:
    """One concept of all members of others, which must be of one kind. Raises ValueError."""
    found = list(concepts)
    kinds = dict.fromkeys(concept.kind for concept in found)
    if len(kinds) != 1:
        raise ValueError(f"they are of several kinds: {', '.join(kinds)}" if kinds else "there are none")
    members = tuple(dict.fromkeys(member for concept in found for member in concept.members))
    limits = {concept.limit for concept in found}
    return replace(
        Concept(name, found[0].kind, members, source=source), limit=limits.pop() if len(limits) == 1 else None
    )
