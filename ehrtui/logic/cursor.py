"""A place in the words of query logic: what comes next, and taking it."""

from __future__ import annotations

from typing import NoReturn

from ehrtui.errors import LogicError
from ehrtui.logic.words import Token, scan


class Cursor:
    """Reads the tokens of `text` one after another."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = scan(text)
        self.at = 0

    def peek(self, ahead: int = 0) -> Token:
        """The token so many places ahead; one of kind "end" behind the last."""
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else Token("end", "", len(self.text))

    def take(self, *words: str) -> str | None:
        """Take one of these words, if it comes next."""
        token = self.peek()
        if token.text in words and token.kind != "text":
            self.at += 1
            return token.text
        return None

    def need(self, *words: str) -> str:
        """Take one of these words. Raises LogicError."""
        return self.take(*words) or self.fail("expected " + " or ".join(words))

    def take_kind(self, kind: str) -> str | None:
        """Take a token of this kind, if it comes next."""
        if self.peek().kind == kind:
            self.at += 1
            return self.tokens[self.at - 1].text
        return None

    def number(self) -> int:
        """Take a whole number. Raises LogicError."""
        token = self.peek()
        if token.kind != "number" or not token.text.lstrip("-").isdecimal():
            self.fail("expected a whole number")
        self.at += 1
        return int(token.text)

    def quantity(self) -> int | float:
        """Take a number. Raises LogicError."""
        text = self.take_kind("number") or self.fail("expected a number")
        return int(text) if text.lstrip("-").isdecimal() else float(text)

    def words(self, *words: str) -> bool:
        """Take all of these words, or none."""
        if all(self.peek(ahead).text == word for ahead, word in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def fail(self, why: str) -> NoReturn:
        """Raises LogicError with the position of the next token; `why` completes “There I …”."""
        token = self.peek()
        found = f"“{token.text}”" if token.text else "the end"
        raise LogicError(
            f"The query logic cannot be read at {found}.",
            why=f"There I {why}.",
            next_step='An example: first value of lab "lactate" for patient 10045 during last icu stay',
            position=token.position,
        )
