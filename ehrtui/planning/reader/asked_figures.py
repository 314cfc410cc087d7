"""What a question asks for in figures, or beside them, and query logic does not tell: the value that was highest,
a share, a second number, the list of those who were counted."""

from __future__ import annotations

import re

from ehrtui.planning.reader.further import asks_further

_TIME_TOO = re.compile(
    r"(?:\band|\bwith|\bplus|\+|,|&)\s*(?:(?:the|its|at|on|which|what|exact)\s+)*(?:times?|dates?|when)\b"
    r"|\b(?:and|,)\s*(?:what|how\s+(?:high|low|much))\s+(?:was|were|is)\s+(?:it|that)\b"
)


def _further_lost(question: str, logic: str) -> bool:
    """True where something is asked beside a number, and query logic tells one number alone."""
    return asks_further(question.lower()) and logic.startswith("count ") and not re.search(r", | by ", logic)


def _value_lost(question: str, logic: str) -> bool:
    """True where a highest or lowest value is asked for with its time, and query logic tells the time alone."""
    if not logic.startswith("time of ") or " where value is m" not in logic:
        return False
    lower = question.lower()
    first = lower.lstrip(" ,.").split(" ", 1)[0]
    told = _TIME_TOO.search(lower)
    return told is not None and (first not in ("when", "at", "on") or told[0].split()[-1] in ("it", "that"))


_WHICH_UNIT = re.compile(
    r"\b(?:which|what)\s+(?:icus?|units?|wards?|icu\s+types?)\b(?!\s+(?:stays?|admissions?|visits?)\b)", re.IGNORECASE
)
_TELLS_NUMBERS = re.compile(r"(?:distinct )?id of icu stay|(?:distinct )?patients? with \(?icu stay")


def _unit_lost(question: str, logic: str) -> bool:
    """True where it is asked in which ICU somebody was, and query logic tells the numbers of stays."""
    return _TELLS_NUMBERS.match(logic) is not None and _WHICH_UNIT.search(question) is not None


_TOTALLED = re.compile(
    r"\bhow\s+much\b.*\b(?:in\s+total|altogether|in\s+all)\b"
    r"|\b(?:highest|lowest|greatest|largest|biggest|smallest)\s+total\b",
    re.IGNORECASE,
)
_TELLS_TOTAL = re.compile(r"\b(?:sum|total|count)\b")


def _total_lost(question: str, logic: str) -> bool:
    """True where a total is asked for, and query logic adds nothing up: "which drug has the highest total cost"."""
    return _TOTALLED.search(question) is not None and _TELLS_TOTAL.search(logic) is None


_MOST_OFTEN = re.compile(r"\b(?:most|least)\s+(?:often|frequently)\b", re.IGNORECASE)
_TELLS_RANK = re.compile(r"\b(?:top|ordered|highest|lowest|maximum|minimum)\b")


def _rank_lost(question: str, logic: str) -> bool:
    """True where it is asked what is most often so, and query logic ranks nothing."""
    return _MOST_OFTEN.search(question) is not None and _TELLS_RANK.search(logic) is None


_HOW_MUCH = re.compile(r"\bhow\s+(?:many|much)\b", re.IGNORECASE)
_WITHIN = re.compile(r'"[^"]*"|\([^()]*\)')


def _second_figure_lost(question: str, logic: str) -> bool:
    """True where it is asked how much, and how much of something else, and query logic tells one figure."""
    asked = [*_HOW_MUCH.finditer(question)]
    if len(asked) < 2 or not re.search(r"\band\s*$", question[: asked[-1].start()], re.IGNORECASE):
        return False
    bare = logic
    while (inner := _WITHIN.sub("", bare)) != bare:
        bare = inner
    return "," not in bare and " by " not in bare


_LISTS_THEM = re.compile(
    r"^\W*(?:which|what)\s+(?:patients|people|pts)\b.*\b(?:give|show|list)\s+(?:me\s+)?(?:the\s+|their\s+)?ids?\b",
    re.IGNORECASE,
)


def _list_lost(question: str, logic: str) -> bool:
    """True where patients are to be listed by their numbers, and query logic counts them."""
    return logic.startswith(("count patients", "count of (patients")) and _LISTS_THEM.search(question) is not None


_COUNTS_THEN_WHICH = re.compile(
    r"^\W*(?:how\s+many|number\s+of|count)\b[^?]*\?\s*(?:and\s+)?(?:which|what)\b", re.IGNORECASE
)


def _count_lost(question: str, logic: str) -> bool:
    """True where it is asked how many, and then which is the commonest, and query logic tells it of each patient."""
    return logic.startswith("for each patient") and _COUNTS_THEN_WHICH.search(question) is not None


_TESTED = re.compile(r"\b(?:resistan\w*|sensitiv\w*|susceptib\w*)\b", re.IGNORECASE)
_GIVEN_TOO = re.compile(
    r"\b(?:given|got|get|received|treated|prescribed|taking|took|started)\b|\bon\s+[a-z]", re.IGNORECASE
)
_A_DRUG = re.compile(r"\b(?:prescriptions?|inputs?)\s+(?:concept\s+)?\"")
_IN_BRACKETS = re.compile(r"\([^()]*\)")


def _tested_lost(question: str, logic: str) -> bool:
    """True where it is asked what was resistant to a drug, and query logic tells of who was given it, or which drugs
    were tested in those who had anything resistant."""
    if _TESTED.search(question) is None:
        return False
    if _A_DRUG.search(logic) is not None:
        return _GIVEN_TOO.search(question) is None
    bare = _IN_BRACKETS.sub("", logic)
    return bare.startswith(("antibiotic of", "distinct antibiotic of")) and (
        "interpretation" in logic and "interpretation" not in bare
    )


_SHARE = re.compile(
    r"(?<![\d.]\s)(?<![\d.])%|\b(?:percent|percentage|percentages|pct)\b|\bwhat\s+(?:share|proportion|fraction|part)\b",
    re.IGNORECASE,
)
_BARE_NAMES = re.compile(r'"[^"]*"')


def _share_lost(question: str, logic: str) -> bool:
    """True where a share is asked for, and query logic reckons none: "E. coli isolates: % resistant to cipro"."""
    if _SHARE.search(_IN_BRACKETS.sub("", question)) is None or any("%" in one for one in _BARE_NAMES.findall(logic)):
        return False
    return not re.search(r"\b(?:percent|share|mortality|percent_|as percent)\b", _BARE_NAMES.sub("", logic))


_BOTH = re.compile(
    r"\bboth\s+(?:an?\s+|the\s+)?(?P<one>\w[\w-]+)(?:\s+[\w-]+){0,2}?\s+and\s+(?:an?\s+|the\s+)?(?P<other>\w[\w-]+)",
    re.IGNORECASE,
)
_EITHER = re.compile(r'"[^"]*"(?: or (?:concept )?"[^"]*")+')


def _both_lost(question: str, logic: str) -> bool:
    """True where both of two things are asked for, and either would do: "allergic to both codeine and latex"."""
    told = _BOTH.search(question)
    if told is None or re.search(r"\bin\s+both\b", question.lower()):
        return False
    one, other = told["one"].lower(), told["other"].lower()
    return any(one in names.lower() and other in names.lower() for names in _EITHER.findall(logic))


_YES_OR_NO = re.compile(r"(?:any|whether)\b")
_OF_THEM_ASKED = re.compile(
    r"\w\s*(?:[:;,]|\band\b)\s*(?:and\s+)?(?:what|where|when|how\s+(?:old|long))\b[^,;:?]*\b(?:they|he|she|each|those)\b",
    re.IGNORECASE,
)
_AND_ASKED = re.compile(r"(?:\band|[?;.])\s+(?:if\s+so,?\s+)?(?:what|which|who|when|where|how)\b", re.IGNORECASE)


def _further_question_lost(question: str, logic: str) -> bool:
    """True where more is asked than whether something is so, or who somebody is, and query logic tells but that: "is
    she allergic to anything, and what does it do to her?", "the others: where did they go?"."""
    if _YES_OR_NO.match(logic) is not None:
        return _AND_ASKED.search(question) is not None
    return logic.startswith("patients ") and _OF_THEM_ASKED.search(question) is not None


_ITS_VALUE = re.compile(
    r"(?:,|;|\?|\.|:|\band\b|\+|&)\s*(?:and\s+)?(?:(?:what|how\s+(?:high|low|much|long))\s+(?:was|is|were)\s+(?:it|that|the\s+(?:result|value|level|number|reading|figure)s?)\b"
    r"|(?:state|give|tell|show|with)\s+(?:me\s+)?(?:the\s+)?(?:result|value|level|number|reading|figure)s?\b|(?:the\s+)?(?:number|value|result|level|nadir|peak)\W*(?:please|pls)?\W*$)",
    re.IGNORECASE,
)
_WHOM_ALONE = re.compile(r"(?:count )?patients\b|(?:distinct )?patient of ")
_HOLDER_ASKED = re.compile(
    r"^\W*(?:who\b|which\s+(?:patient|pt|person)\b|patients?\s+with\b)|\bwho\s*(?:\+|&|,|and)|(?:^|[,;.:]\s*)(?:identify\s+)?(?:the\s+)?patient\s+with\b",
    re.IGNORECASE,
)
_VALUE_ALONE = re.compile(r"(?:minimum|maximum|mean|highest|lowest|last|first) value of |value of ")


def _its_value_lost(question: str, logic: str) -> bool:
    """True where it is asked who had something, and how high it was, and query logic tells but the one or the other."""
    if _ITS_VALUE.search(question) is None:
        return False
    whom = _WHOM_ALONE.match(logic) is not None
    return whom or (_VALUE_ALONE.match(logic) is not None and _HOLDER_ASKED.search(question) is not None)


_COST_OF_ONE = re.compile(
    r"\b(?:one|an?|each|every|per)\s+(?:hospital\s+|icu\s+)?(?:stay|admission|visit|hospitali[sz]ation)\b"
    r"|\b(?:costs?|charges?|bills?)\s+(?:of|for)\s+(?:all\s+|the\s+|our\s+)?(?:hospital\s+|icu\s+)?"
    r"(?:stays|admissions|visits|hospitali[sz]ations)\b",
    re.IGNORECASE,
)


def _whole_bill_lost(question: str, logic: str) -> bool:
    """True where it is asked what one stay costs, and query logic takes the mean of single charges."""
    return (
        logic.startswith(("mean value of cost", "median value of cost")) and _COST_OF_ONE.search(question) is not None
    )


_NUMBER_ASKED = re.compile(r"^\W*(?:the\s+)?(?:how\s+many|number\s+of|count\b|no\.?\s+of)", re.IGNORECASE)


def _number_lost(question: str, logic: str) -> bool:
    """True where it is asked of how many something is lacking, and query logic lists what is to be done."""
    return logic.startswith("to do ") and _NUMBER_ASKED.search(question) is not None


_EXTREME = re.compile(r"\b(?:longest|shortest)\b", re.IGNORECASE)


def _extreme_lost(question: str, logic: str) -> bool:
    """True where the longest of something is asked for, and query logic takes the mean of all."""
    mean = logic.startswith(("mean ", "median ")) and not re.search(
        r"\b(?:maximum|minimum|highest|lowest|ordered)\b", logic
    )
    return mean and _EXTREME.search(question) is not None


def lost(question: str, logic: str) -> bool:
    """True where a question asks for one of these, and query logic does not tell it."""
    return any(
        one(question, logic)
        for one in (
            _further_lost,
            _value_lost,
            _unit_lost,
            _total_lost,
            _rank_lost,
            _second_figure_lost,
            _list_lost,
            _count_lost,
            _tested_lost,
            _share_lost,
            _both_lost,
            _further_question_lost,
            _its_value_lost,
            _whole_bill_lost,
            _number_lost,
            _extreme_lost,
        )
    )
