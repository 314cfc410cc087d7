"""Text as a Python literal, as people write it."""

from __future__ import annotations


def python_literal(text: str) -> str:
    """A Python string literal of `text`, in triple quotes over its own lines where that spells the same text."""
    if "\\" in text or "\r" in text or "\0" in text or '"""' in text or text.endswith('"'):
        return repr(text)
    return f'"""{text}"""' if "\n" in text or '"' in text else f'"{text}"'
