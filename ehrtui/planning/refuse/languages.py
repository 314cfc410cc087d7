"""In which language a question is, as far as it is not English."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ehrtui.planning.proposal import Refusal

_FILE = Path(__file__).with_name("languages.toml")
_WORD = re.compile(r"[^\W\d_]+")
_FEWEST, _SHOWN = 2, 3
_LETTERS = 0.3
"""The share of letters of another script from which a question is written in it."""
_SENTENCE = (
    "“{}” looks like {}, and questions are understood in English only. Ask in English, or write query logic or SQL."
)


@dataclass(frozen=True)
class _Languages:
    english: frozenset[str]
    words: Mapping[str, frozenset[str]]
    scripts: Mapping[str, re.Pattern[str]]


@cache
def _languages() -> _Languages:
    data: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return _Languages(
        frozenset(data["english"]),
        {language: frozenset(words) for language, words in data["words"].items()},
        {name: re.compile(f"[{letters}]") for name, letters in data["scripts"].items()},
    )


def not_english(lower: str) -> Refusal | None:
    """Says which languages are understood, where a question, in lower case, is in another one."""
    words = _WORD.findall(lower)
    letters = sum(map(len, words))
    known = _languages()
    for name, script in known.scripts.items():
        found = script.findall(lower)
        if letters and len(found) / letters >= _LETTERS:
            return _refused(name, [word for word in words if script.search(word)])
    english = sum(word in known.english for word in words)
    counted = Counter({language: sum(word in of for word in words) for language, of in known.words.items()})
    language, most = counted.most_common(1)[0]
    said = [*dict.fromkeys(word for word in words if word in known.words[language] - known.english)]
    if most > english and len(said) >= _FEWEST:
        return _refused(language, said)
    return None


def _refused(language: str, words: Sequence[str]) -> Refusal:
    return Refusal("language", _SENTENCE.format("”, “".join(words[:_SHOWN]), language), tuple(words))
