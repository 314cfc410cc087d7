"""What a question asks of people and of their records, and query logic does not tell: whose something was, how old
they were, where they are, what grew, the one side and not the other."""

from __future__ import annotations

import re

_ASKS_AGE = re.compile(r"\bhow\s+old\b|\b(?:age|ages)\s+and\b|\band\s+(?:the\s+)?ages?\b", re.IGNORECASE)
_LISTS = re.compile(r"(?:distinct )?(?:patient|id|name|gender|time|admission time)(?:, [^(]+)? of ")
"""How query logic begins that lists attributes of patients or stays."""
_LIMITED = re.compile(r" (?:where|with|without|for|during) ")


def asks_age(question: str) -> bool:
    """True where it is asked how old somebody was, beside something else."""
    return _ASKS_AGE.search(question) is not None


def age_lost(question: str, logic: str) -> bool:
    """True where it is asked how old somebody was, and query logic tells no age: "how old was he, and what sex?"."""
    if not asks_age(question):
        return False
    _, each, told = logic.rpartition("): ") if logic.startswith("for each ") else ("", "", "")
    told = told if each else _LIMITED.split(logic, maxsplit=1)[0] if _LISTS.match(logic) else logic
    return not re.search(r"\bages?\b|\baged\b|birth|band", told)


_WHOSE_TOO = re.compile(
    r"(?:\band|,|;)\s*(?:(?:and|in|of|from|by)\s+)*(?:which|what|whose)\s+(?:patient|person|pt)\b|\band\s+(?:who|whose|in\s+whom)\b",
    re.IGNORECASE,
)
_ONE_NUMBER = re.compile(r"(?:maximum|minimum) value of ")


def _whose_lost(question: str, logic: str) -> bool:
    """True where it is asked whose a highest or lowest value was, and query logic tells the value alone."""
    return _ONE_NUMBER.match(logic) is not None and _WHOSE_TOO.search(question) is not None


_WITH_WHAT = re.compile(r"\band\s+(?:what\s+(?:with|for)|with\s+what|for\s+what|why)\W*$", re.IGNORECASE)
_TELLS_WHY = re.compile(r"diagnos|reason|complaint|condition|problem")


def _reason_lost(question: str, logic: str) -> bool:
    """True where it is asked what somebody came with, and query logic tells no diagnosis."""
    return _WITH_WHAT.search(question) is not None and not _TELLS_WHY.search(logic)


_FIGURES_GROW = re.compile(
    r"\b(?:admissions?|stays?|visits?|attendances?|numbers?|counts?|costs?|bills?|patients\s+grow\w*|by\s+how)\b",
    re.IGNORECASE,
)
"""What else grows than what was cultured."""
_GREW = re.compile(r"\b(?:grew|grown|grow|grows|growth)\b")
_WHAT_GREW = re.compile(r"^\W*(?:\w+\W+){0,3}?what\s+(?:has|have|did|was|were|grew|grows)\b", re.IGNORECASE)


def _growth_lost(question: str, logic: str) -> bool:
    """True where it is asked what grew, or whether anything did, and query logic tells of any culture, or of a disease
    that is called as what grew."""
    grew = _GREW.search(question.lower())
    if grew is None:
        return False
    no_figure = grew[0] != "growth" and _FIGURES_GROW.search(question) is None
    if _WHAT_GREW.match(question) is not None and logic.startswith(("name of culture", "distinct name of culture")):
        return True
    return ("culture" in logic and "organism" not in logic) or (no_figure and "culture" not in logic)


_OF_RECORDS = re.compile(
    r"\bhow\s+many\s+of\s+(?:the|those|these)\s+(?:isolates|cultures|samples|specimens|tests|results|measurements|readings"
    r"|prescriptions|orders|doses|procedures)\b",
    re.IGNORECASE,
)


def _records_lost(question: str, logic: str) -> bool:
    """True where it is asked how many of some records something is so, and query logic counts patients."""
    return logic.startswith(("count patients", "count of (patients")) and _OF_RECORDS.search(question) is not None


_ALL_OTHERS = re.compile(r"\bother\s+(?:patients|people|pts|ones|stays|admissions)\b", re.IGNORECASE)


def _others_lost(question: str, logic: str) -> bool:
    """True where it is asked of all others, and query logic takes "other" for a name."""
    return '"other"' in logic.lower() and _ALL_OTHERS.search(question) is not None


_GIVEN = re.compile(
    r"\b(?:given|received|prescribed|took|taking|administered)\s+(?:iv\s+|oral\s+)?(\w+)", re.IGNORECASE
)


def _given_lost(question: str, logic: str) -> bool:
    """True where it is asked who was given something, and query logic tells who is allergic to it."""
    return any(f'allergy "{one[1].lower()}' in logic.lower() for one in _GIVEN.finditer(question))


_EVERYBODY = re.compile(r"\b(?:everyone|everybody)\s+(?:who|that|with|without|in|on)\b", re.IGNORECASE)


def _everybody_lost(question: str, logic: str) -> bool:
    """True where it is asked of everybody who is so, and query logic keeps to some of those who were meant before."""
    return _EVERYBODY.search(question) is not None and (logic.count("(patients") > 1 or " in A" in logic)


_AND_WHERE = re.compile(
    r"\band\s+(?:(?:from|in|at|on|of)\s+)(?:which|what)\s+(?P<where>hospital|ward|unit|department|clinic|service|insurance)\b",
    re.IGNORECASE,
)
_CALLED_SO = ("ward", "unit", "department", "clinic")
"""Places of which one may be called another."""


def _where_lost(question: str, logic: str) -> bool:
    """True where it is asked where somebody was, or how insured, behind something else, and query logic lists that
    else alone."""
    found = _AND_WHERE.search(question)
    if found is None or not _LISTS.match(logic):
        return False
    asked, told = found["where"].lower(), logic.partition(" of ")[0]
    named = (asked, *_CALLED_SO) if asked in _CALLED_SO else (asked,)
    return not any(one in told for one in named) and not ("transfer" in logic and "name" in told)


_SIDE_OF_SIDE = re.compile(r'whether \((?P<field>[a-z ]+) = "[^"]+"\).* where (?P=field) = "')


def _side_lost(question: str, logic: str) -> bool:
    """True where one of two sides is told of the other by what tells them apart: how many of the women are men."""
    return _SIDE_OF_SIDE.search(logic) is not None


_TAKEN = re.compile(
    r"\bantibiotics?\b[^?.;]*\b(?:get|got|given|on|receiv\w*|tak\w+|took|prescribed|started|ordered)\b(?!\s+for\s+sens)",
    re.IGNORECASE,
)


def _taken_lost(question: str, logic: str) -> bool:
    """ "What antibiotics did she get": drugs, and not what cultures were tested against."""
    return (
        logic.startswith(("antibiotic of culture", "distinct antibiotic of culture"))
        and _TAKEN.search(question) is not None
    )


_AND_WHAT_GREW = re.compile(
    r"(?:,|\band\b|\bwith\b)\s+(?:what\s+(?:grew|was\s+grown)|the\s+organisms?)\W*$", re.IGNORECASE
)
_TELLS_ORGANISM = re.compile(r"\borganism(?:,| of\b)|\bby organism\b")


def _organism_lost(question: str, logic: str) -> bool:
    """ "Who had a positive culture, and what grew?": what grew, too."""
    return _AND_WHAT_GREW.search(question) is not None and _TELLS_ORGANISM.search(logic) is None


_PATIENTS_EACH = re.compile(r"\bhow\s+many\s+(?:patients|people|pts)\b[^?;.]*\beach\b", re.IGNORECASE)


def _patients_lost(question: str, logic: str) -> bool:
    """True where it is asked how many patients have each of the commonest, and query logic ranks by records."""
    return logic.startswith("top ") and "patient" not in logic and _PATIENTS_EACH.search(question) is not None


_AND_WHERE_THEY_ARE = re.compile(r"\b(?:and|,)\s*where\s+(?:are|is)\s+(?:they|he|she|each)\b", re.IGNORECASE)
_TELLS_WHERE = re.compile(r"transfer|ward|unit|location|department|\bname\b")


def _place_lost(question: str, logic: str) -> bool:
    """True where it is asked where somebody is, behind who it is, and query logic tells no place."""
    return _AND_WHERE_THEY_ARE.search(question) is not None and _TELLS_WHERE.search(logic) is None


_DIED_THERE = re.compile(
    r"\b(?:died?|dying|deaths?|expired?|passed\s+away)\s+(?:in|at|during)\s+(?:the\s+|our\s+|this\s+|that\s+|their\s+)?"
    r"(?:hospital|admission|stay|hospitali[sz]ation)\b",
    re.IGNORECASE,
)
_TELLS_THERE = re.compile(r"hospital death|discharge location|during|\bstays?\b|admission|\bA\d")


def _died_there_lost(question: str, logic: str) -> bool:
    """True where those who died in the hospital are asked for, and query logic tells of all who died."""
    return "death" in logic and _DIED_THERE.search(question) is not None and _TELLS_THERE.search(logic) is None


_CAME_WITH = re.compile(
    r"\bwhat\b[^,;]*\b(?:come|came|comes|admitted|presented?)\s+(?:in\s+)?with\W*(?:$|\band\b|,)", re.IGNORECASE
)
_TELLS_COMPLAINT = re.compile(r"diagnos|reason|complaint|problem")


def _complaint_lost(question: str, logic: str) -> bool:
    """True where it is asked what somebody came in with, and query logic tells something else of him."""
    return _CAME_WITH.search(question) is not None and _TELLS_COMPLAINT.search(logic) is None


_WHICH_LONGEST = re.compile(
    r"\bwhich\s+(?:one|of\s+(?:these|those|them)|stay|admission|visit|time)\b.*\b(?:longest|shortest)\b", re.IGNORECASE
)


def _which_lost(question: str, logic: str) -> bool:
    """True where it is asked which stay was the longest, and query logic tells how long it was."""
    return (
        re.match(r"(?:maximum|minimum) length of ", logic) is not None and _WHICH_LONGEST.search(question) is not None
    )


_RESULT_ASKED = re.compile(r"\b(?:results?|finding|findings|came\s+back)\b", re.IGNORECASE)
_CULTURE_TAKEN = re.compile(r'\bprocedure "[^"]*culture', re.IGNORECASE)


def _culture_result_lost(question: str, logic: str) -> bool:
    """True where the result of a culture is asked for, and query logic tells that one was taken."""
    return _CULTURE_TAKEN.search(logic) is not None and _RESULT_ASKED.search(question) is not None


def _sexes_mixed(question: str, logic: str) -> bool:
    """True where a share of one sex is asked for, and query logic takes it of the other."""
    return logic.startswith("percent ") and all(f'gender = "{sex}"' in logic for sex in ("female", "male"))


_AGE_WHEN = re.compile(
    r"\bhow\s+old\b.*\b(?:when|at\s+(?:the\s+)?(?:time|diagnosis|onset|surgery|operation))\b", re.IGNORECASE
)


def _age_then_lost(question: str, logic: str) -> bool:
    """True where it is asked how old somebody was when something was found, and query logic tells the age of today."""
    return logic.startswith(("age of patient", "distinct age of patient")) and _AGE_WHEN.search(question) is not None


_AGAINST = re.compile(r"\w\s+(?:vs?\.?|versus|compared\s+(?:to|with)|against)\s+\w", re.IGNORECASE)
_ONE_COUNT = re.compile(r"count\b(?!.*\bby\b)(?!.*, count\b)")


def _other_side_lost(question: str, logic: str) -> bool:
    """True where two sides are to be counted, and query logic has one number: of those who are on both."""
    return _ONE_COUNT.match(logic) is not None and _AGAINST.search(question) is not None


def lost(question: str, logic: str) -> bool:
    """True where a question asks for one of these, and query logic does not tell it."""
    return any(
        one(question, logic)
        for one in (
            age_lost,
            _whose_lost,
            _reason_lost,
            _growth_lost,
            _records_lost,
            _others_lost,
            _given_lost,
            _everybody_lost,
            _where_lost,
            _side_lost,
            _taken_lost,
            _organism_lost,
            _patients_lost,
            _place_lost,
            _died_there_lost,
            _complaint_lost,
            _which_lost,
            _culture_result_lost,
            _sexes_mixed,
            _age_then_lost,
            _other_side_lost,
        )
    )
