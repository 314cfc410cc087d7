"""Dates and times of day in words: where they stand, and how a query spells them."""

from __future__ import annotations

import re

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?"
MOMENT = "|".join(
    [
        rf"(?<![\w.-])\d{{4}}-\d{{1,2}}-\d{{1,2}}(?:[ T]{_CLOCK})?(?![\w-])",
        r"(?<![\w.-])\d{4}-\d{2}(?![\w-])",
        r"(?<![\w./-])\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})(?![\w/])",
        r"(?<![\w./-])\d{1,2}/\d{4}(?![\w/])",
        r"(?<![\w./-])\d{1,2}/\d{1,2}(?![\w/])",
        rf"\b{_MONTH}\.?\s+{_DAY}(?:\s*,?\s*\d{{4}})?(?!\w)",
        rf"(?<!\w){_DAY}(?:\s+of)?\s+{_MONTH}\b\.?(?:\s*,?\s*\d{{4}}(?!\w))?",
        rf"\b{_MONTH}\.?\s*,?\s*\d{{4}}(?!\w)",
        rf"(?<![\w.:]){_CLOCK}(?![\w:])",
        r"(?<![\w.-])(?:1[89]|2[0-9])\d{2}(?![\w-])",
    ]
)
"""A regular expression of dates and times of day, to be read without regard to case; it has no groups."""


def moment_of(said: str) -> tuple[str, str]:
    """How a query spells a date, and that spelling in words: ISO 8601 where the date is clear, else as it was said."""
    text = said.strip()
    if re.fullmatch(r"\d{4}", text):
        return text, "a year, YYYY"
    if re.fullmatch(r"\d{4}-\d{2}", text):
        return text, "a month, YYYY-MM"
    if whole := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](.*))?", text):
        day = f"{whole[1]}-{int(whole[2]):02}-{int(whole[3]):02}"
        return (f"{day} {whole[4]}", "an instant, YYYY-MM-DD HH:MM:SS") if whole[4] else (day, "a day, YYYY-MM-DD")
    month = next((at for at, name in enumerate(_MONTHS, 1) if re.search(rf"\b{name[:3]}", text, re.IGNORECASE)), 0)
    if month:
        return _worded(text, month)
    if american := re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", text):
        first, second = int(american[1]), int(american[2])
        if first <= 12 and (second > 12 or first == second):
            return f"{american[3]}-{first:02}-{second:02}", "a day, YYYY-MM-DD"
        if first > 12:
            return f"{american[3]}-{second:02}-{first:02}", "a day, YYYY-MM-DD"
    if short := re.fullmatch(r"(\d{1,2})/(\d{4})", text):
        return f"{short[2]}-{int(short[1]):02}", "a month, YYYY-MM"
    return text, "a time of day" if ":" in text else "a date as the user wrote it"


def _worded(text: str, month: int) -> tuple[str, str]:
    year = re.search(r"\d{4}", text)
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", text)
    if year and day:
        return f"{year[0]}-{month:02}-{int(day[0]):02}", "a day, YYYY-MM-DD"
    if year:
        return f"{year[0]}-{month:02}", "a month, YYYY-MM"
    return (f"{month:02}-{int(day[0]):02}", "a day of the year, MM-DD") if day else (text, "a date")
