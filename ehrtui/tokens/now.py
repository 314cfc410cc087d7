"""The database now in place of the wall clock: `current_time`, 'now' and date functions that are given no time."""

from __future__ import annotations

import re

from sqlglot import TokenType

from ehrtui.tokens.lexed import Lexed

_KEYWORDS = {"current_time", "current_date", "current_timestamp"}
_DATE_FUNCTIONS = {"date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff"}
_MAY_READ = re.compile(rf"{'|'.join(_KEYWORDS)}|now|\b(?:{'|'.join(_DATE_FUNCTIONS)})\b", re.IGNORECASE)


def readings_of_now(lexed: Lexed, now: str) -> dict[int, str]:
    """What stands for the tokens that read the clock, by their index."""
    if not _MAY_READ.search(lexed.sql):
        return {}
    return {at: text for at in range(len(lexed.tokens)) if (text := at_now(lexed, at, now)) is not None}


def at_now(lexed: Lexed, index: int, now: str) -> str | None:
    """What stands for token `index` where it reads the clock, None where it does not.

    `now` is "YYYY-MM-DD HH:MM:SS". `current_time` is the whole instant, as the field writes it; a time of day alone
    would place every event in the year 2000.
    """
    kind = lexed.kind(index)
    literal = f"'{now}'"
    if kind == TokenType.L_PAREN:
        empty = lexed.partner.get(index) == index + 1
        return f"({literal}" if empty and _function(lexed, index) in _DATE_FUNCTIONS else None
    if kind == TokenType.STRING:
        return _at_now_in_string(lexed, index, literal)
    if kind == TokenType.IDENTIFIER or lexed.name(index) not in _KEYWORDS:
        return None
    if lexed.kind(index - 1) in (TokenType.DOT, TokenType.ALIAS) or lexed.kind(index + 1) == TokenType.DOT:
        return None
    return f"'{now[:10]}'" if lexed.name(index) == "current_date" else literal


def _at_now_in_string(lexed: Lexed, index: int, literal: str) -> str | None:
    opening = lexed.enclosing[index]
    function = _function(lexed, opening)
    if function in _DATE_FUNCTIONS and lexed.tokens[index].text.lower() == "now":
        return literal
    if function == "strftime" and opening == index - 1 and lexed.partner.get(opening) == index + 1:
        return f"{lexed.text(index, index + 1)}, {literal}"
    return None


def _function(lexed: Lexed, opening: int) -> str:
    """The name of the function whose arguments the parenthesis `opening` opens, "" where there is none."""
    if opening < 1 or lexed.kind(opening - 2) == TokenType.DOT:
        return ""
    return lexed.name(opening - 1)
