"""Recall: the cases of one schema family that are most like a new question."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from threading import Lock

from ehrtui.errors import CaseError
from ehrtui.memory.case import KeptCase, coarse
from ehrtui.memory.meanings import KeptMeaning
from ehrtui.memory.store import CaseStore

MOST = 4
"""How many forms are looked at (K of EHRAgent, §3.3)."""
LEAST_LIKENESS = 0.75
"""By letters, of masked questions; below it the words differ too much."""


@dataclass(frozen=True)
class Recalled:
    """A case with its `likeness` in [0, 1] to a question: 1 where the masked questions are the same."""

    kept: KeptCase
    likeness: float


class Memory:
    """The cases of `family` in a store, read again whenever the store has changed. From any thread.

    A store that cannot be read is as an empty one."""

    def __init__(self, store: CaseStore, family: str) -> None:
        self.store = store
        self.family = family
        self._problem = ""
        self._reading = Lock()
        self._stamp: tuple[int, bytes] | None = None
        self._forms: dict[str, list[KeptCase]] = {}
        self._meanings: dict[str, KeptMeaning] = {}

    def same(self, form: str) -> tuple[Recalled, ...]:
        """The cases of this very form, the one that was found right most often first."""
        return tuple(Recalled(kept, 1.0) for kept in self.forms().get(form, ()))

    def nearest(
        self, form: str, at_least: float = LEAST_LIKENESS, *, in_any_order: bool = False
    ) -> tuple[Recalled, ...]:
        """The cases of the `MOST` forms that are most like `form` by Levenshtein distance, as EHRAgent has it, or with
        their words `in_any_order`; the most alike first, and of one form the one that was found right most often."""
        forms = self.forms()
        if not forms:
            return ()
        from rapidfuzz import fuzz, process
        from rapidfuzz.distance import Levenshtein

        scorer, whole = (fuzz.token_sort_ratio, 100) if in_any_order else (Levenshtein.normalized_similarity, 1)
        near = process.extract(form, forms.keys(), scorer=scorer, limit=MOST, score_cutoff=at_least * whole)
        return tuple(Recalled(kept, score / whole) for near_form, score, _ in near for kept in forms[near_form])

    def trouble(self) -> str:
        """Why the store cannot be read; "" where it can."""
        self.forms()
        return self._problem

    def forms(self) -> dict[str, list[KeptCase]]:
        """The cases by their form."""
        with self._reading:
            self._read_again()
            return self._forms

    def meanings(self) -> dict[str, KeptMeaning]:
        """What words mean from now on, by the words."""
        with self._reading:
            self._read_again()
            return self._meanings

    def _read_again(self) -> None:
        """Read the store, where it has changed since the last time."""
        stamp = self.store.stamp()
        if stamp != self._stamp:
            self._stamp = stamp
            self._forms, self._meanings = self._read(), {}
            with suppress(CaseError):
                self._meanings = {one.said: one for one in self.store.meanings(self.family)}

    def _read(self) -> dict[str, list[KeptCase]]:
        self._problem = ""
        forms: dict[str, list[KeptCase]] = {}
        try:
            for kept in self.store.cases(self.family):
                forms.setdefault(coarse(kept.case.question), []).append(kept)
        except CaseError as error:
            self._problem = str(error)
        for cases in forms.values():
            cases.sort(key=lambda kept: -kept.support)
        return forms
