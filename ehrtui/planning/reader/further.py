"""What is asked beside a number: "how many patients grew it, and from which specimens?"."""

from __future__ import annotations

import re

_FURTHER = re.compile(
    r"\b(?:how many|number of|count)\b[^?]*\band (?:(?:from|in|on|to|at|of|for|by|with) (?:which|what|whom)"
    r"|what|when|where)\b"
)


def asks_further(lower: str) -> bool:
    """True for a question, in lower case, that asks for a number and then for something that is none."""
    return _FURTHER.search(lower) is not None
