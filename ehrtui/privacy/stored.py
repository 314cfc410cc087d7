"""Which words of a text the database stores where they are nobody else's business."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from ehrtui.errors import EhrtuiError
from ehrtui.privacy.vocabulary import private_columns
from ehrtui.schema.fitting import quoted
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile

_EDGES = " .,;:!?()[]{}''\"-"
"""Punctuation at the ends of a cell, as it stands in an SQL text."""


class Read(Protocol):
    """Runs one SELECT of ehrtui's own."""

    def __call__(self, sql: str, parameters: Sequence[Any] = ...) -> Sequence[Sequence[Any]]:
        """All rows, with `parameters` in place of the question marks."""
        ...


class StoredTexts:
    """Looks texts up in the columns that are not shareable, each text once. What cannot be looked up counts as
    stored."""

    def __init__(self, schema: Schema, profile: Profile, read: Read) -> None:
        self._columns = tuple(private_columns(schema, profile))
        self._read = read
        self._words: dict[str, bool] = {}
        self._cells: dict[str, bool] = {}

    def words(self, words: Iterable[str]) -> frozenset[str]:
        """Those of the words (lower case, ASCII) that occur anywhere in a private cell."""
        wanted = dict.fromkeys(words)
        for word in wanted:
            if word not in self._words:
                self._words[word] = any(self._occurs(table, column, word) for table, column in self._columns)
        return frozenset(word for word in wanted if self._words[word])

    def cells(self, texts: Iterable[str]) -> frozenset[str]:
        """Those of the texts (lower case, without punctuation at the ends) that are a whole private cell."""
        wanted = list(dict.fromkeys(texts))
        if new := [text for text in wanted if text not in self._cells]:
            found = {cell for table, column in self._columns for cell in self._among(table, column, new)}
            self._cells.update({text: text in found for text in new})
        return frozenset(text for text in wanted if self._cells[text])

    def _occurs(self, table: str, column: str, word: str) -> bool:
        sql = f"SELECT 1 FROM {quoted(table)} WHERE instr(lower({quoted(column)}), ?) > 0 LIMIT 1"
        try:
            return bool(self._read(sql, (word,)))
        except EhrtuiError:
            return True

    def _among(self, table: str, column: str, texts: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for start in range(0, len(texts), 400):
            some = texts[start : start + 400]
            cell = f"trim(lower({quoted(column)}), '{_EDGES}')"
            sql = f"SELECT DISTINCT {cell} FROM {quoted(table)} WHERE {cell} IN ({', '.join('?' * len(some))})"
            try:
                found |= {row[0] for row in self._read(sql, tuple(some))}
            except EhrtuiError:
                found |= set(some)
        return found
