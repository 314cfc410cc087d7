"""Masking: what a text becomes before a language model may read it (ClinQueryAgent's structural privacy).

A word goes out only where there is a reason: it is one of ehrtui's own words, part of a value that the profile calls
shareable, or a plain word that no private cell of the database holds. Every token with a digit, everything in quotes
and every unknown name becomes a placeholder, whatever it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from ehrtui.privacy.codes import codes_in
from ehrtui.privacy.moments import MOMENT, moment_of
from ehrtui.privacy.placeholders import Kind, Placeholders
from ehrtui.privacy.stored import StoredTexts
from ehrtui.privacy.vocabulary import Speakable, own_terms, own_words

_PART = r"\w@#&*+/:\-\x80-\U0010ffff"
"""What a token with a digit may consist of."""
_TYPOGRAPHY = "“”‘’–—…≥≤×·"
_TOKEN = re.compile(
    rf"(?P<turn>\bPREV_(?:RESULT|QUERY)\d{{1,3}}\b|\b[Aa]\d{{1,3}}\b)"
    r"|(?P<ordinal>\b\d{1,2}(?:st|nd|rd|th)\b)"
    rf"|(?P<moment>{MOMENT})"
    r"|(?P<number>(?<![\w.])\d+(?:\.\d+)?(?=(?:%|mg|mcg|ml|kg|g|l|h|hrs?|hours?|mins?|days?|d|y|yo|years?|yrs?|s)?(?![\w-]|[.:/@]\w)))"
    r"|(?P<compound>(?<![\w./-])\d{1,3}(?:\.\d{1,2})?(?=-(?:[a-z]{3,}|d|h|hr|yr|yo|wk)\b))"
    r"|(?P<range>(?<![\w./-])\d{1,3}(?:\.\d{1,2})?-[1-9]\d{0,2}(?:\.\d{1,2})?(?![\w-]|[.:/@]\w))"
    rf"|(?P<digits>[{_PART}.]*\d(?:[{_PART}]|\.(?=\w))*)"
    rf"|(?P<word>(?:[A-Za-z_]|(?![{_TYPOGRAPHY}])[^\x00-\x7f])+)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?P<quoted>\"[^\"\n]{1,1000}\"|“[^”\n]{1,1000}”|(?<!\w)'[^'\n]{1,1000}'(?!\w))")
_BEFORE_PATIENT = re.compile(
    r"\b(?:patients?|subjects?|pts?|persons?|mrn|people)\b\W*(?:(?:id|number|no)\b\W*)*$", re.I
)
_BEFORE_STAY = re.compile(
    r"\b(?:stays?|admissions?|visits?|encounters?|hadm|icustay|hospitali[sz]ations?)\b\W*(?:(?:id|number|no)\b\W*)*$",
    re.I,
)
_FEW_DIGITS = 3
"""Of a number with so many digits before the point, how many they are is told: what it measures may depend on it."""
_UNITS = ("°", "°C", "°F", "℃", "℉", "µg", "μg", "µmol", "μmol", "m²")
_RELATING = frozenset(
    (
        "a",
        "an",
        "the",
        "of",
        "on",
        "in",
        "at",
        "to",
        "by",
        "for",
        "from",
        "with",
        "without",
        "and",
        "or",
        "not",
        "no",
        "as",
    )
)
_LONGEST_CELL = 6
"""Words of a cell that is looked for as a whole."""


@dataclass(frozen=True)
class Mask:
    """Masks the texts of one conversation: `speakable` may be said, `stored` is asked about the rest, `placeholders`
    are what stands for the others."""

    speakable: Speakable
    stored: StoredTexts
    placeholders: Placeholders
    _masked: dict[tuple[str, int], str] = field(default_factory=dict, repr=False)
    """Earlier turns are told again and again, and always come out the same."""

    def words(self, text: str, turns: int = 0) -> str:
        """A text in words, in SQL or in query logic, without what is private. It may name the first `turns` answers."""
        if (text, turns) not in self._masked:
            self._masked[text, turns] = self._without_private(text, turns)
        return self._masked[text, turns]

    def _without_private(self, text: str, turns: int) -> str:
        shared = sorted({*_shared(text, self.speakable), *codes_in(text, self.speakable)})
        tokens = [token for token in _tokens(text, shared) if not _is_turn(token, turns)]
        private = self._private(text, tokens)
        spans = _joined(text, private)
        parts: list[str] = []
        at = 0
        for start, end, kind, group in spans:
            parts += [text[at:start], self._placeholder(text, start, end, kind, group)]
            at = end
        return "".join([*parts, text[at:]])

    def same(self, said: str, value: str) -> None:
        """What the user `said` was linked to a stored `value`: it keeps its placeholder there, if it has one."""
        if self.placeholders.also(said, value):
            self._masked.clear()

    def patient(self, before: str, said: str) -> None:
        """What is `said` behind a text was understood as a patient's identifier, also where that does not say so; a
        stay's is not."""
        if any(letter.isdigit() for letter in said) and not _BEFORE_STAY.search(before):
            written = "a number" if said.isdigit() else "a text"
            self.placeholders.of("PATIENT", said, said, f"a patient's identifier, {written}")

    def _private(self, text: str, tokens: list[re.Match[str]]) -> list[tuple[int, int, str]]:
        """The private stretches as (start, end, group), in order."""
        unknown = [token for token in tokens if token.lastgroup == "word" and not self._is_own(token[0])]
        plain = [token for token in unknown if token[0].isascii() and token[0].islower()]
        held = self.stored.words(token[0] for token in plain)
        open_words = {token.start() for token in plain if token[0] not in held}
        cells = self._cells(text, [token for token in tokens if token.lastgroup == "word"])
        found = []
        for token in tokens:
            if token.lastgroup == "ordinal":
                continue
            in_cell = next((cell for cell in cells if cell[0] <= token.start() and token.end() <= cell[1]), None)
            if in_cell is not None:
                found.append((*in_cell, "cell"))
            elif token.lastgroup == "range":
                middle = token.start() + token[0].index("-")
                found += [(token.start(), middle, "compound"), (middle + 1, token.end(), "compound")]
            elif token.lastgroup != "word" or not (self._is_own(token[0]) or token.start() in open_words):
                found.append((token.start(), token.end(), token.lastgroup or ""))
        return list(dict.fromkeys(found))

    def _is_own(self, word: str) -> bool:
        return word in _UNITS or (word.isascii() and self.speakable.knows(word))

    def _cells(self, text: str, words: list[re.Match[str]]) -> list[tuple[int, int]]:
        """Stretches of several words that are a whole private cell."""
        runs = [
            (words[first].start(), words[last].end())
            for first in range(len(words))
            for last in range(first + 1, min(first + _LONGEST_CELL, len(words)))
        ]
        lowered = {run: text[run[0] : run[1]].lower() for run in runs}
        lowered = {run: cell for run, cell in lowered.items() if not _is_common(cell)}
        stored = self.stored.cells(lowered.values())
        longest = sorted((run for run, cell in lowered.items() if cell in stored), key=lambda run: run[0] - run[1])
        kept: list[tuple[int, int]] = []
        for run in longest:
            if all(run[1] <= other[0] or other[1] <= run[0] for other in kept):
                kept.append(run)
        return sorted(kept)

    def _placeholder(self, text: str, start: int, end: int, kind: Kind, group: str) -> str:
        said = text[start:end]
        if group == "quoted":
            inner = self.placeholders.of("TEXT", said[1:-1], said[1:-1], "a text")
            return f"{said[0]}{inner.name}{said[-1]}"
        if group == "moment":
            value, shape = moment_of(said)
            return self.placeholders.of("DATE", said, value, shape).name
        return self.placeholders.of(kind, said, said, _shape(kind, said, text[:start], group)).name


def _is_common(cell: str) -> bool:
    """True for what everybody says: a term of medicine, or one of ehrtui's own words with words that relate it."""
    words = cell.split()
    content = [word for word in words if word not in _RELATING]
    return cell in own_terms() or (len(content) < 2 and len(words) == 2 and set(content) <= own_words())


def _shape(kind: Kind, said: str, before: str, group: str) -> str:
    """What a value is, in words: whose identifier, or of how many digits a small number is."""
    written = "a number" if group in ("number", "compound") else "a text"
    if kind == "PATIENT":
        return f"a patient's identifier, {written}"
    if kind == "STAY":
        named = _BEFORE_STAY.search(before)
        said_of = named[0].lower() if named else ""
        stay = (
            "an ICU stay"
            if "icu" in said_of
            else "a hospital stay"
            if "adm" in said_of or "hosp" in said_of
            else "a stay"
        )
        return f"{stay}'s identifier, {written}"
    whole, _, decimals = said.partition(".")
    if kind != "NUMBER" or len(whole) > _FEW_DIGITS:
        return written
    return f"a number of {len(whole)} digit{'s'[: len(whole) > 1]}{' before the point' if decimals else ''}"


def _shared(text: str, speakable: Speakable) -> Iterator[tuple[int, int]]:
    """The stretches that are a shareable value, longest first from the left. A single word needs none: it is known by
    itself, or else asked about."""
    words = [(match.start(), match.end()) for match in re.finditer(r"[^\s,;?!\"“”]+", text)]
    at = 0
    while at < len(words):
        for size in range(min(speakable.longest, len(words) - at), 0, -1):
            start, end = words[at][0], words[at + size - 1][1]
            while end > start and text[end - 1] in ".:)'":
                if speakable.phrase(text[start:end]):
                    break
                end -= 1
            while start < end and text[start] in "('":
                start += 1
            if speakable.phrase(text[start:end]):
                yield start, end
                at += size - 1
                break
        at += 1


def _tokens(text: str, shared: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
    """The tokens outside of shared stretches. What stands in quotes is one token, unless all of it is shared; quotes
    are paired first, so that what stands between two quoted values is no value."""
    quotes = [one for one in _QUOTED.finditer(text) if not _is_open(one, shared)]
    bounds = [span for span in shared if all(span[1] <= one.start() or one.end() <= span[0] for one in quotes)]
    at = 0
    for start, end, quote in sorted(
        [*((*span, None) for span in bounds), *((*one.span(), one) for one in quotes), (len(text), len(text), None)],
        key=lambda bound: bound[:2],
    ):
        if start > at:
            yield from _TOKEN.finditer(text, at, start)
        if quote is not None:
            yield quote
        at = max(at, end)


def _is_open(quote: re.Match[str], shared: Collection[tuple[int, int]]) -> bool:
    """True for quotes around a shareable value, and for such as are a part of one."""
    return any(
        (start <= quote.start() and quote.end() <= end) or (start, end) == (quote.start() + 1, quote.end() - 1)
        for start, end in shared
    )


def _is_turn(token: re.Match[str], turns: int) -> bool:
    return token.lastgroup == "turn" and 0 < int(re.sub(r"\D", "", token[0])) <= turns


def _joined(text: str, private: list[tuple[int, int, str]]) -> list[tuple[int, int, Kind, str]]:
    """The stretches with their kinds; neighbouring words become one."""
    joined: list[tuple[int, int, Kind, str]] = []
    for start, end, group in sorted(private):
        if joined and group == joined[-1][3] == "word" and text[joined[-1][1] : start] == " ":
            joined[-1] = (joined[-1][0], end, "TEXT", "word")
        else:
            joined.append((start, end, _kind(text[:start], group), group))
    return joined


def _kind(before: str, group: str) -> Kind:
    if group == "moment":
        return "DATE"
    if group not in ("number", "compound", "digits", "turn"):
        return "TEXT"
    if _BEFORE_PATIENT.search(before):
        return "PATIENT"
    if _BEFORE_STAY.search(before):
        return "STAY"
    return "NUMBER" if group in ("number", "compound") else "TEXT"
