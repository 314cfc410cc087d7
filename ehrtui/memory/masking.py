"""Masking: from a question and its logic to a case, and from a case and a new question back to logic.

Nothing that a database stores, no identifier, number or date gets into a case: what the logic says and the question
does not cannot be masked, and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass

from ehrtui.errors import LogicError, MaskingError
from ehrtui.logic import model
from ehrtui.logic.parse import parse
from ehrtui.memory.case import OF_THEIR_OWN, SLOT, Case, Meaning, Slot, coarse, plain

_WORD = re.compile(r"[^\W_]+")
_SQL_LITERAL = re.compile(r"'(?:[^']|'')*'|(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_LONG_NUMBER = re.compile(r"\d{4}")
_EXAMPLES = {
    "patient": "1",
    "time": "in 2000",
    "age": "aged 1 to 2",
    "top": "top 2",
    "times": "exactly 2 times",
    "years": "over 2 years",
    "within": "within 2 days",
    "number": "2.0",
    "stay": "first hospital stay",
    "nth": "first",
}
_NUMBERS = {"patient": 970_000_000, "number": 990_000_000}
"""Numbers that no other part of a query has."""
_SHORTEST_NAME = 3
"""Letters of a text in SQL that is looked for among the words of the question."""


def masked_with_logic(question: str, slots: Sequence[Slot], logic: str) -> Case:
    """The case of a question and its query logic. Raises MaskingError where anything of it cannot be masked."""
    try:
        known = set(_names(parse(logic)))
    except LogicError as error:
        raise MaskingError("The query logic cannot be read.", why=error.what) from error
    try:
        return _masked_with_logic(question, slots, logic, known)
    except MaskingError:
        return _masked_with_logic(question, plain(slots), logic, known)


def _masked_with_logic(question: str, slots: Sequence[Slot], logic: str, known: set[tuple[str, str]]) -> Case:
    chosen = [_meant(slot, known) for slot in slots]
    labels = _labels([(one.kind, one.logic) for one in chosen])
    spelled = {one.logic: label for one, label in zip(chosen, labels, strict=True)}
    masked, found = _replaced(logic, spelled)
    _check_used(labels, found)
    rest = SLOT.sub("", masked)
    if '"' in rest or re.search(r"\d", rest):
        raise MaskingError(
            "The query logic has a name or a number that the question does not say.",
            why="A case keeps no values, so each must have its place in the question.",
        )
    return Case(_masked_question(question, slots, labels), logic=masked)


def masked_with_sql(question: str, slots: Sequence[Slot], sql: str) -> Case:
    """The case of a question and one SQL statement. Raises MaskingError where a slot of the question does not occur in
    it, so that it could not be filled again, or where a value would stay."""
    slots = plain(slots)
    literals = {literal.lower() for literal in _SQL_LITERAL.findall(sql)}
    chosen = [_spelled_in(slot, literals) for slot in slots]
    labels = _labels([(_shaped(one), one.sql or "") for one in chosen])
    spelled = {one.sql.lower(): label for one, label in zip(chosen, labels, strict=True) if one.sql}
    masked = _SQL_LITERAL.sub(lambda match: spelled.get(match[0].lower(), match[0]), sql)
    asked = _masked_question(question, slots, labels)
    said = f" {SLOT.sub('|', asked)} "
    for literal in _SQL_LITERAL.findall(masked):
        words = " ".join(_WORD.findall(literal.lower()))
        if _LONG_NUMBER.search(literal) or (len(words) >= _SHORTEST_NAME and f" {words} " in said):
            raise MaskingError("The SQL has a value that cannot be told from the words of the question.")
    return Case(asked, sql=masked)


def checked(case: Case) -> Case:
    """A case as someone wrote it, its question in the form of masked ones. Raises MaskingError where its logic has
    slots that its question has not, holds a value, or cannot be read."""
    parts, at = [], 0
    for slot in SLOT.finditer(case.question):
        parts += [*_WORD.findall(case.question[at : slot.start()].lower()), slot[0]]
        at = slot.end()
    question = " ".join([*parts, *_WORD.findall(case.question[at:].lower())])
    known = {slot[0] for slot in SLOT.finditer(question)}
    lost = [slot[0] for slot in SLOT.finditer(case.logic or case.sql) if slot[0] not in known]
    if lost:
        raise MaskingError(f"The question has no {', '.join(dict.fromkeys(lost))}.", why="The query needs it.")
    words = words_of(question)
    _check_masked(any(map(str.isdecimal, words)) or _LONG_NUMBER.search(" ".join(words)), "question")
    if case.logic:
        _check_masked(re.search(r'["\d]', SLOT.sub("", case.logic)), "query logic")
        try:
            parse(SLOT.sub(_example, case.logic))
        except LogicError as error:
            raise MaskingError("The query logic cannot be read.", why=f"{error.what} {error.why}") from error
    return Case(question, case.logic, case.sql)


def in_sql(case: Case, compiled: Callable[[str], str]) -> str:
    """The SQL of a case with its slots in place of values; "" where one of them has no one spelling in SQL. `compiled`
    is the SQL of query logic (LogicError)."""
    slots = list(SLOT.finditer(case.logic))
    if case.sql or not slots or any(_stand_in(slot) == "" for slot in slots):
        return case.sql
    try:
        sql = compiled(SLOT.sub(_stand_in, case.logic))
    except LogicError:
        return ""
    for slot in slots:
        sql = sql.replace(_stand_in(slot), slot[0]) if slot["kind"] in _NUMBERS else sql
    return sql


def _stand_in(slot: re.Match[str]) -> str:
    """What stands for the value of a slot until it is compiled: the slot itself as a text, or a number; "" where it is
    neither a stored name nor a number."""
    if slot["kind"] in _NUMBERS:
        return str(_NUMBERS[slot["kind"]] + int(slot["nth"] or 1))
    if slot["kind"] in OF_THEIR_OWN or slot["shape"] or slot.string[: slot.start()].endswith("where "):
        return ""
    return f'"{slot[0]}"'


def _example(slot: re.Match[str]) -> str:
    """Something that may stand in a slot of query logic."""
    if slot.string[: slot.start()].endswith("where "):
        return 'value = "x"' if slot["kind"] == "limit" else f'{slot["kind"]} = "x"'
    return _EXAMPLES.get(slot["kind"], '"x"')


def _check_masked(unmasked: object, what: str) -> None:
    if unmasked:
        raise MaskingError(
            f"The {what} has a name or a number, not a slot for it.",
            why="A case keeps no values; write a slot in place of each, in the question and in the logic.",
            next_step="For example: last value of lab <lab> for patient <patient>",
        )


def form_of(question: str, slots: Sequence[Slot]) -> str:
    """The question with each slot by its sort alone, to be compared with `coarse` of cases. Raises MaskingError."""
    return coarse(_masked_question(question, slots, [f"<{slot.sort}>" for slot in slots]))


def filled(case: Case, slots: Sequence[Slot]) -> str | None:
    """The logic, or the SQL, of a case with a new question's values in its slots; None where they do not fit."""
    named = list(SLOT.finditer(case.question))
    slots = slots if len(named) == len(slots) else plain(slots)
    if len(named) != len(slots):
        return None
    values: dict[str, str] = {}
    for label, slot in zip(named, slots, strict=True):
        meaning = next((one for one in slot.meanings if _fits(one, label, bool(case.sql))), None)
        if meaning is None:
            return None
        value = (meaning.sql or "") if case.sql else meaning.logic
        if values.setdefault(label[0], value) != value:
            return None
    text = case.sql or case.logic
    if any(label[0] not in values for label in SLOT.finditer(text)):
        return None
    return SLOT.sub(lambda label: values[label[0]], text)


def words_of(form: str) -> list[str]:
    """The words of a masked question, without its slots."""
    return _WORD.findall(SLOT.sub(" ", form))


def _fits(meaning: Meaning, label: re.Match[str], in_sql: bool) -> bool:
    return meaning.kind == label["kind"] and (
        not in_sql or (meaning.sql is not None and meaning.shape == (label["shape"] or ""))
    )


def _masked_question(question: str, slots: Sequence[Slot], labels: Sequence[str]) -> str:
    """The words of the question in lower case, one blank between, with labels for slots."""
    parts: list[str] = []
    at = 0
    for slot, label in zip(slots, labels, strict=True):
        parts += [*_WORD.findall(question[at : slot.start].lower()), label]
        at = slot.end
    parts += _WORD.findall(question[at:].lower())
    masked = " ".join(parts)
    if _LONG_NUMBER.search(SLOT.sub("", masked)):
        raise MaskingError("The question has a number that nothing explains.")
    return masked


def _labels(named: Iterable[tuple[str, str]]) -> list[str]:
    """A label for each (kind or "kind: shape", text); the same of both have the same label."""
    labels: dict[tuple[str, str], str] = {}
    counts: dict[str, int] = {}
    ordered = list(named)
    for shaped, text in ordered:
        if (shaped, text) in labels:
            continue
        kind, _, shape = shaped.partition(": ")
        counts[kind] = counts.get(kind, 0) + 1
        nth = f" {counts[kind]}" if counts[kind] > 1 else ""
        labels[shaped, text] = f"<{kind}{nth}{f': {shape}' if shape else ''}>"
    return [labels[one] for one in ordered]


def _replaced(logic: str, spelled: Mapping[str, str]) -> tuple[str, set[str]]:
    """The logic with each of these texts replaced by its label, in one go, and the labels that were put in."""
    if not spelled:
        return logic, set()
    longest_first = sorted(spelled, key=len, reverse=True)
    texts = re.compile("|".join(rf"(?<![\w-]){re.escape(text)}(?![\w-])" for text in longest_first))
    found: set[str] = set()

    def label(match: re.Match[str]) -> str:
        found.add(spelled[match[0]])
        return spelled[match[0]]

    return texts.sub(label, logic), found


def _check_used(labels: Iterable[str], found: set[str]) -> None:
    if unused := [label for label in labels if label not in found]:
        raise MaskingError(
            f"The query logic does not use all that the question says: {', '.join(unused)}.",
            why="Filled with other values, it would leave them out.",
        )


def _meant(slot: Slot, known: set[tuple[str, str]]) -> Meaning:
    """What the slot means in logic that has these names by role."""
    return next((one for one in slot.meanings if (one.role, one.logic) in known), slot.meanings[0])


def _spelled_in(slot: Slot, literals: set[str]) -> Meaning:
    """What the slot means in SQL with these literals."""
    for one in slot.meanings:
        if one.sql is not None and (not one.sql or one.sql.lower() in literals):
            return one
    raise MaskingError(f"Its {slot.meanings[0].kind} is not in the SQL as such, and could not be filled in again.")


def _shaped(meaning: Meaning) -> str:
    return f"{meaning.kind}: {meaning.shape}" if meaning.shape else meaning.kind


def _names(part: object) -> Iterator[tuple[str, str]]:
    """The roles in a piece of query logic, each with its names as they are rendered."""
    if isinstance(part, model.Source):
        from ehrtui.logic.render import render_value

        yield part.role, " or ".join(map(render_value, part.names))
        yield from ((part.role, render_value(name)) for name in part.names)
    if isinstance(part, tuple):
        for each in part:
            yield from _names(each)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _names(getattr(part, field.name))
