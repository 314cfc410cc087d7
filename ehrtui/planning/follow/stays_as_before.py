"""Which stays are meant by the bare word: those in the hospital, where the answer before was of these."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, Set, Statement
from ehrtui.logic.nodes import mapped, walk

_BARE = {"stay", "stays"}
_TOLD = {"icu", "unit", "units", "intensive", "hospital", "ward"}


def stays_as_before(statement: Statement, words: Collection[str], before: Statement) -> Statement:
    """A statement with stays in the hospital in place of those in the ICU, which the bare word means where records are
    kept by these."""
    units = {node.unit for node in walk(before) if isinstance(node, Set)}
    if _BARE.isdisjoint(words) or not _TOLD.isdisjoint(words) or HOSPITAL not in units or ICU in units:
        return statement

    def in_the_hospital(node: object) -> object:
        bare = isinstance(node, Set) and node.unit == ICU and node.where is None and node.pick is None
        return replace(node, unit=HOSPITAL) if isinstance(node, Set) and bare else node

    return mapped(statement, in_the_hospital)
