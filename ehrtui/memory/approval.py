"""What a case may not hold besides values: words that may be the name of a person."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ehrtui.errors import MaskingError


def check_words(question: str, unexplained: Iterable[str]) -> None:
    """Raises MaskingError where a word that nothing explains is written as a name, within the question."""
    for word in unexplained:
        if re.search(rf"\w\W+{re.escape(word.capitalize())}\b", question) and word.isalpha():
            raise MaskingError(
                f"“{word.capitalize()}” may be a name.",
                why="A case keeps the words of a question, and no names of people.",
                next_step="Put the question without it, or in lower case where it is none.",
            )
