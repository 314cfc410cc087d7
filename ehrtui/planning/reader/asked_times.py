"""What a question asks of times, and query logic does not tell: when something was, how long it
took, who is still there."""

from __future__ import annotations

import re

_AND_WHEN = re.compile(r"(?:\band|,|\?|;)\s*when(?:\s+(?:was|is|were)\s+(?:it|that|this))?\W*$", re.IGNORECASE)
"""When it was, asked behind something else."""
_ASKS_WHEN = re.compile(r"^\W*(?:(?:and|so|ok)\W+)?when\s+(?:was|were|did|is|has|have)\b[^,;]*\band\b", re.IGNORECASE)
_TELLS_WHEN = re.compile(r"time|date|day|month|year|hour|week")


def _moment_lost(question: str, logic: str) -> bool:
    """True where it is asked when something was and something else, and query logic tells no time."""
    asked = _ASKS_WHEN.search(question) or _AND_WHEN.search(question)
    return asked is not None and not _TELLS_WHEN.search(logic)


_TIME_ALONE = re.compile(r"(?:first |last |distinct )?time of ")


def _what_lost(question: str, logic: str) -> bool:
    """True where it is asked what something was, and when, and query logic tells the time alone."""
    return _TIME_ALONE.match(logic) is not None and _AND_WHEN.search(question) is not None


_WITH_DATES = re.compile(r"\bwith\s+(?:the\s+|their\s+)?(?:dates?|times?)\b", re.IGNORECASE)
_OF_A_LIST = re.compile(r"^(?:distinct )?(?:id|patient)\b[^(]*? of ")


def asks_dates(question: str) -> bool:
    """True where what is listed is to be told with its date."""
    return _WITH_DATES.search(question) is not None


def dates_lost(question: str, logic: str) -> bool:
    """True where a list tells no date that is asked for beside others: "the deaths with date and cause"."""
    told = _OF_A_LIST.match(logic)
    return told is not None and asks_dates(question) and not _TELLS_WHEN.search(told[0])


_THAT_TIME = re.compile(
    r"\b(?:that|this)\s+(?:time|occasion|episode)\b\W*$|\bduring\s+(?:it|that|this)\W*$"
    r"|\bthe\s+(?:day|week|night|morning)\s+(?:after|before)\b|\bthe\s+(?:next|following)\s+(?:day|morning|night)\b",
    re.IGNORECASE,
)
_LIMITED_IN_TIME = re.compile(r"\b(?:during|in|since|until|before|after|where)\b (?!A\d)")


def _occasion_lost(question: str, logic: str) -> bool:
    """True for "how long was she in hospital that time?" where query logic tells of all times."""
    return _THAT_TIME.search(question) is not None and _LIMITED_IN_TIME.search(logic) is None


_START_AND_END = re.compile(r"\bstart(?:s|ed)?\b[\w ]{0,8}\b(?:and|to)\b[\w ]{0,8}\bend(?:s|ed)?\b", re.IGNORECASE)
_START = re.compile(r"(?<!end )(?<!discharge )\btime\b")


def _start_lost(question: str, logic: str) -> bool:
    """True where it is asked when something started and ended, and query logic tells when it ended alone."""
    told = logic.split(" of ", 1)[0]
    return "end time" in told and _START_AND_END.search(question) is not None and _START.search(told) is None


_STILL_THERE = re.compile(r"\bstill\s+(?:in|on|here|there|admitted|with\s+us)\b", re.IGNORECASE)
_TELLS_END = re.compile(r"\bend time\b|\bcurrent\b|\bnow\b|discharge time|departure time")
_LONGEST = re.compile(r"\b(?:longest|shortest)\b", re.IGNORECASE)
_OF_STAYS = re.compile(
    r"\b(?:stay\w*|stayed|admission\w*|admitted|admit|hospital\w*|visit\w*|los|length|inpatient\w*|patient|here|there|house|ward|unit|icu)\b",
    re.IGNORECASE,
)
"""Words that say that it is stays which were long."""


def _longest_lost(question: str, logic: str) -> bool:
    """ "Who was ventilated longest": how long that lasted, and not the stay in which it was."""
    lasted = "(length) hospital stay" in logic and " with (" in logic
    return lasted and _LONGEST.search(question) is not None and _OF_STAYS.search(question) is None


def _still_lost(question: str, logic: str) -> bool:
    """True where it is asked who is still somewhere, and query logic tells of all who were there."""
    return _STILL_THERE.search(question) is not None and _TELLS_END.search(logic) is None


_ON_WARDS_NOW = re.compile(
    r"\b(?:is|are|['’]s|lie|lies|lying)\s+(?:\w+\s+)?(?:in|on)\s+(?:each|every|which|what|the|any|ward)\b"
    r"[^?.;]*\b(?:now|currently|at\s+the\s+moment|at\s+present|presently)\b",
    re.IGNORECASE,
)


def _now_lost(question: str, logic: str) -> bool:
    """True where it is asked who is on wards now, and query logic tells of wards where they were before."""
    return "transfer" in logic and "end time" not in logic and _ON_WARDS_NOW.search(question) is not None


_AGAIN = re.compile(r"\b(?:which|what|how\s+many)\s+of\s+(?:these|those|them)\b.*\bagain\b", re.IGNORECASE)
_A_TURN = re.compile(r"\bA\d")
_CAME_AGAIN = re.compile(
    r"\b(?:admitted\s+again|readmitted|(?:came|come|comes|coming)\s+back\s+(?:in|to\s+(?:the\s+)?hospital)|another\s+admission)\b",
    re.IGNORECASE,
)
_RETURN_TOLD = re.compile(r"previous|next|second|again|\bafter\b|at least|times|readmi|>=|\bdays from\b|exactly")
"""How query logic tells that somebody came once more."""


def _again_lost(question: str, logic: str) -> bool:
    """True where it is asked which of what was told came again, or who did, and query logic tells all that came."""
    if _CAME_AGAIN.search(question) is not None and _RETURN_TOLD.search(logic) is None:
        return True
    return _AGAIN.search(question) is not None and _A_TURN.search(logic) is None


_BEHIND = re.compile(
    r"[?.;]\s*(?:(?:and|also|please|then)\s+)*(?:give|show|list|tell|name)\s+(?:(?:me|us)\s+)?(?:(?:all|of)\s+)*\w",
    re.IGNORECASE,
)


def _behind_lost(question: str, logic: str) -> bool:
    """True where something is to be listed behind a question for yes or no, and query logic tells that alone."""
    return logic.startswith(("whether (", "any ")) and "," not in logic and _BEHIND.search(question) is not None


_TO_ANOTHER_MOMENT = re.compile(
    r"\b(?:how\s+(?:long|many\s+(?:hours|days))|time|hours|days|minutes|delay|interval|gap)\b.*"
    r"(?:\bbetween\s+(?!\d)[^,?]*\band\s+(?:the\s+|his\s+|her\s+)?(?:first|second|next|last|admission|admitted|discharge\w*|death)\b"
    r"|\bfrom\s+(?:the\s+|their\s+|hospital\s+)*(?:admission|admitted|arrival|presentation|being\s+admitted)\s+"
    r"(?:to|until|till)\s+(?:the\s+|their\s+|first\s+|an?\s+)*"
    r"(?:icu|intensive|surgery|operation|theatre|procedure|antibiotics?|dose|culture)\b"
    r"|\bbetween\s+(?:the\s+|their\s+|hospital\s+)*(?:admission|arrival|presentation|being\s+admitted)\s+and\b)",
    re.IGNORECASE,
)
_LENGTH_ALONE = re.compile(
    r"\(?(?:first |second |last )?(?:mean |median |maximum |minimum )?length of "
    r"|mean \((?:hours|days) from time to end time\)"
)
_UNTIL_NOW = re.compile(r"(?:days|hours|minutes|weeks|months|years) since \(")
_LATER = re.compile(
    r"\bhow\s+(?:long|soon|many\s+\w+)\s+after\b.*\b(?:did|was|were)\b(?!.*\b(?:ago|since|now|today)\b)", re.IGNORECASE
)


def _span_lost(question: str, logic: str) -> bool:
    """True where a time from one moment to another is asked for, and query logic tells how long stays were, or how long
    ago one of the two was."""
    if _UNTIL_NOW.match(logic) is not None and _LATER.search(question) is not None:
        return True
    return _LENGTH_ALONE.match(logic) is not None and _TO_ANOTHER_MOMENT.search(question) is not None


_STAY_OF_A_DAY = re.compile(
    r"\b(?:during|in|on|for|throughout)\s+(?:the|that|his|her|their)\s+(?:hospital\s+|icu\s+)?(?:admission|stay|visit|hospitali[sz]ation|encounter)"
    r"\s+(?:of|on|from|starting|beginning|that\s+(?:started|began))\s+(?:on\s+)?(?:[a-z]{3,9}\s+)?\d",
    re.IGNORECASE,
)
_STAYS_TOLD = re.compile(r"\b(?:stays?|admissions?)\b")
_READMITTED = re.compile(r"\b(?:readmi\w+|bounce[ds]?[- ]?backs?)\b", re.IGNORECASE)
_NAMED_SO = re.compile(r'\b(?:vital|lab|input|output|procedure) "[^"]*readmi[^"]*"', re.IGNORECASE)


def _return_lost(question: str, logic: str) -> bool:
    """True where readmissions are asked for, and query logic takes them for something that is recorded by that name."""
    return _NAMED_SO.search(logic) is not None and _READMITTED.search(question) is not None


_STAY_WITH = re.compile(
    r"\b(?:stays?|admissions?|visits?|hospitali[sz]ations?)\s+(?:with|involving|that\s+had|which\s+had)\s",
    re.IGNORECASE,
)
_OF_THEIR_PATIENTS = re.compile(r"\blength of (?:icu stay|admission|hospital stay)s? for patients with \(")


def _stay_blurred(question: str, logic: str) -> bool:
    """True where a figure of stays with something is asked for, and query logic takes all stays of those who ever had
    it: "the average length of an ICU stay with sepsis"."""
    return _OF_THEIR_PATIENTS.search(logic) is not None and _STAY_WITH.search(question) is not None


def _stay_lost(question: str, logic: str) -> bool:
    """True where something is asked of the stay that began on a day, and query logic tells of that day alone."""
    return _STAYS_TOLD.search(logic) is None and _STAY_OF_A_DAY.search(question) is not None


def lost(question: str, logic: str) -> bool:
    """True where a question asks for one of these, and query logic does not tell it."""
    return any(
        one(question, logic)
        for one in (
            _moment_lost,
            _what_lost,
            dates_lost,
            _occasion_lost,
            _start_lost,
            _longest_lost,
            _still_lost,
            _now_lost,
            _again_lost,
            _behind_lost,
            _span_lost,
            _return_lost,
            _stay_blurred,
            _stay_lost,
        )
    )
