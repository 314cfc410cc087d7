"""The usual range of a measured value, as the concepts know it: found by the name that a database has for the test, and
only where the unit is the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ehrtui.concepts.model import Concept, Kind, Normal
from ehrtui.concepts.tables import unit_spellings

_OTHER_FLUID = re.compile(
    r"\b(?:urine|urinary|csf|cerebrospinal|spinal|pleural|ascites|ascitic|peritoneal|synovial|joint|stool|sweat|saliva"
    r"|body fluid|bone marrow|dialysate|amniotic)\b",
    re.IGNORECASE,
)
"""Words of what is not blood: the ranges are those of blood, but where the name of a concept says so."""
NO_UNIT = "none"
_SPACES = re.compile(r"\s+")


class UsualRanges:
    """The usual ranges of some concepts; of several that fit, that of the first."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._exact: dict[tuple[Kind, str], list[Normal]] = {}
        self._alike: list[tuple[Kind, re.Pattern[str], Normal]] = []
        for concept in concepts:
            if concept.normal is None:
                continue
            for text in concept.of("name"):
                if "*" in text:
                    self._alike.append((concept.kind, _pattern(text), concept.normal))
                else:
                    self._exact.setdefault((concept.kind, text.lower()), []).append(concept.normal)

    def of(self, name: str, unit: str, kinds: Iterable[Kind], fluid: str = "") -> Normal | None:
        """That of what a database calls so and keeps in this unit, in this fluid ("" where it does not say); None
        where none is known, or only one in another unit or fluid."""
        wanted, called = tuple(kinds), name.lower()
        found = [normal for kind in wanted for normal in self._exact.get((kind, called), ())]
        if _OTHER_FLUID.search(fluid) or (not found and _OTHER_FLUID.search(name)):
            return None
        found += [normal for kind, pattern, normal in self._alike if kind in wanted and pattern.fullmatch(called)]
        return next((normal for normal in found if same_unit(unit, normal.unit)), None)


def same_unit(stored: str, unit: str) -> bool:
    """Whether a stored unit is a spelling of one in which ranges are given, in which a number is the same."""
    return _plain(stored) in _spellings().get(_plain(unit), frozenset((_plain(unit),)))


@cache
def _spellings() -> dict[str, frozenset[str]]:
    return {_plain(unit): frozenset(map(_plain, spellings)) for unit, spellings in unit_spellings().items()}


def _plain(unit: str) -> str:
    """A unit whatever its case, its spaces, and the sign of a millionth; "none" where there is none."""
    return _SPACES.sub("", unit.lower().replace("\u00b5", "u").replace("\u03bc", "u")) or NO_UNIT


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, text.lower().split("*"))))
