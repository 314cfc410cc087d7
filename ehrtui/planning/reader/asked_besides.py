"""What a question asks for besides, or instead, and query logic does not tell: when it was, how old somebody was, whose
records, which unit. A reading that leaves such a thing out is doubted, whoever read it."""

from __future__ import annotations

import re

from ehrtui.planning.reader.further import asks_further

_TIME_TOO = re.compile(
    r"(?:\band|\bwith|\bplus|\+|,|&)\s*(?:(?:the|its|at|on|which|what|exact)\s+)*(?:times?|dates?|when)\b"
    r"|\b(?:and|,)\s*(?:what|how\s+(?:high|low|much))\s+(?:was|were|is)\s+(?:it|that)\b"
)
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


_WITH_DATES = re.compile(r"\bwith\s+(?:the\s+|their\s+)?(?:dates?|times?)\b", re.IGNORECASE)
_OF_A_LIST = re.compile(r"^(?:distinct )?(?:id|patient)\b[^(]*? of ")


def asks_dates(question: str) -> bool:
    """True where what is listed is to be told with its date."""
    return _WITH_DATES.search(question) is not None


def dates_lost(question: str, logic: str) -> bool:
    """True where a list tells no date that is asked for beside others: "the deaths with date and cause"."""
    told = _OF_A_LIST.match(logic)
    return told is not None and asks_dates(question) and not _TELLS_WHEN.search(told[0])


_WITH_WHAT = re.compile(r"\band\s+(?:what\s+(?:with|for)|with\s+what|for\s+what|why)\W*$", re.IGNORECASE)
_TELLS_WHY = re.compile(r"diagnos|reason|complaint|condition|problem")


def _reason_lost(question: str, logic: str) -> bool:
    """True where it is asked what somebody came with, and query logic tells no diagnosis."""
    return _WITH_WHAT.search(question) is not None and not _TELLS_WHY.search(logic)


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


_WHICH_UNIT = re.compile(
    r"\b(?:which|what)\s+(?:icus?|units?|wards?|icu\s+types?)\b(?!\s+(?:stays?|admissions?|visits?)\b)", re.IGNORECASE
)
_TELLS_NUMBERS = re.compile(r"(?:distinct )?id of icu stay|(?:distinct )?patients? with \(?icu stay")


def _unit_lost(question: str, logic: str) -> bool:
    """True where it is asked in which ICU somebody was, and query logic tells the numbers of stays."""
    return _TELLS_NUMBERS.match(logic) is not None and _WHICH_UNIT.search(question) is not None


_THAT_TIME = re.compile(r"\b(?:that|this)\s+(?:time|occasion|episode)\b\W*$", re.IGNORECASE)
_LIMITED_IN_TIME = re.compile(r"\b(?:during|in|since|until|before|after|where)\b (?!A\d)")


def _occasion_lost(question: str, logic: str) -> bool:
    """True for "how long was she in hospital that time?" where query logic tells of all times."""
    return _THAT_TIME.search(question) is not None and _LIMITED_IN_TIME.search(logic) is None


_OF_RECORDS = re.compile(
    r"\bhow\s+many\s+of\s+(?:the|those|these)\s+(?:isolates|cultures|samples|specimens|tests|results|measurements|readings"
    r"|prescriptions|orders|doses|procedures)\b",
    re.IGNORECASE,
)


def _records_lost(question: str, logic: str) -> bool:
    """True where it is asked how many of some records something is so, and query logic counts patients."""
    return logic.startswith(("count patients", "count of (patients")) and _OF_RECORDS.search(question) is not None


_START_AND_END = re.compile(r"\bstart(?:s|ed)?\b[\w ]{0,8}\b(?:and|to)\b[\w ]{0,8}\bend(?:s|ed)?\b", re.IGNORECASE)
_START = re.compile(r"(?<!end )(?<!discharge )\btime\b")


def _start_lost(question: str, logic: str) -> bool:
    """True where it is asked when something started and ended, and query logic tells when it ended alone."""
    told = logic.split(" of ", 1)[0]
    return "end time" in told and _START_AND_END.search(question) is not None and _START.search(told) is None


_ALL_OTHERS = re.compile(r"\bother\s+(?:patients|people|pts|ones|stays|admissions)\b", re.IGNORECASE)


def _others_lost(question: str, logic: str) -> bool:
    """True where it is asked of all others, and query logic takes "other" for a name."""
    return '"other"' in logic.lower() and _ALL_OTHERS.search(question) is not None


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


_STILL_THERE = re.compile(r"\bstill\s+(?:in|on|here|there|admitted|with\s+us)\b", re.IGNORECASE)
_TELLS_END = re.compile(r"\bend time\b|\bcurrent\b|\bnow\b|discharge time|departure time")


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


_COUNTS_THEN_WHICH = re.compile(
    r"^\W*(?:how\s+many|number\s+of|count)\b[^?]*\?\s*(?:and\s+)?(?:which|what)\b", re.IGNORECASE
)


def _count_lost(question: str, logic: str) -> bool:
    """True where it is asked how many, and then which is the commonest, and query logic tells it of each patient."""
    return logic.startswith("for each patient") and _COUNTS_THEN_WHICH.search(question) is not None


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


_WHICH_LONGEST = re.compile(
    r"\bwhich\s+(?:one|of\s+(?:these|those|them)|stay|admission|visit|time)\b.*\b(?:longest|shortest)\b", re.IGNORECASE
)


def _which_lost(question: str, logic: str) -> bool:
    """True where it is asked which stay was the longest, and query logic tells how long it was."""
    return (
        re.match(r"(?:maximum|minimum) length of ", logic) is not None and _WHICH_LONGEST.search(question) is not None
    )


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


_STAY_OF_A_DAY = re.compile(
    r"\b(?:during|in|on|for|throughout)\s+(?:the|that|his|her|their)\s+(?:hospital\s+|icu\s+)?(?:admission|stay|visit|hospitali[sz]ation|encounter)"
    r"\s+(?:of|on|from|starting|beginning|that\s+(?:started|began))\s+(?:on\s+)?(?:[a-z]{3,9}\s+)?\d",
    re.IGNORECASE,
)
_STAYS_TOLD = re.compile(r"\b(?:stays?|admissions?)\b")


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


_COST_OF_ONE = re.compile(
    r"\b(?:one|an?|each|every|per)\s+(?:hospital\s+|icu\s+)?(?:stay|admission|visit|hospitali[sz]ation)\b",
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


_RESULT_ASKED = re.compile(r"\b(?:results?|finding|findings|came\s+back)\b", re.IGNORECASE)
_CULTURE_TAKEN = re.compile(r'\bprocedure "[^"]*culture', re.IGNORECASE)


def _culture_result_lost(question: str, logic: str) -> bool:
    """True where the result of a culture is asked for, and query logic tells that one was taken."""
    return _CULTURE_TAKEN.search(logic) is not None and _RESULT_ASKED.search(question) is not None


def _sexes_mixed(question: str, logic: str) -> bool:
    """True where a share of one sex is asked for, and query logic takes it of the other."""
    return logic.startswith("percent ") and all(f'gender = "{sex}"' in logic for sex in ("female", "male"))


_EXTREME = re.compile(r"\b(?:longest|shortest)\b", re.IGNORECASE)


def _extreme_lost(question: str, logic: str) -> bool:
    """True where the longest of something is asked for, and query logic takes the mean of all."""
    mean = logic.startswith(("mean ", "median ")) and not re.search(
        r"\b(?:maximum|minimum|highest|lowest|ordered)\b", logic
    )
    return mean and _EXTREME.search(question) is not None


_AGE_WHEN = re.compile(
    r"\bhow\s+old\b.*\b(?:when|at\s+(?:the\s+)?(?:time|diagnosis|onset|surgery|operation))\b", re.IGNORECASE
)


def _age_then_lost(question: str, logic: str) -> bool:
    """True where it is asked how old somebody was when something was found, and query logic tells the age of today."""
    return logic.startswith(("age of patient", "distinct age of patient")) and _AGE_WHEN.search(question) is not None


def _stay_lost(question: str, logic: str) -> bool:
    """True where something is asked of the stay that began on a day, and query logic tells of that day alone."""
    return _STAYS_TOLD.search(logic) is None and _STAY_OF_A_DAY.search(question) is not None


_AGAINST = re.compile(r"\w\s+(?:vs?\.?|versus|compared\s+(?:to|with)|against)\s+\w", re.IGNORECASE)
_ONE_COUNT = re.compile(r"count\b(?!.*\bby\b)(?!.*, count\b)")


def _other_side_lost(question: str, logic: str) -> bool:
    """True where two sides are to be counted, and query logic has one number: of those who are on both."""
    return _ONE_COUNT.match(logic) is not None and _AGAINST.search(question) is not None


def something_lost(question: str, logic: str) -> bool:
    """True where a question asks for one of these besides, and query logic does not tell it."""
    beside = (
        _second_figure_lost,
        _value_lost,
        _moment_lost,
        _what_lost,
        age_lost,
        _further_lost,
        _start_lost,
        _whose_lost,
        dates_lost,
        _reason_lost,
        _where_lost,
        _complaint_lost,
        _patients_lost,
        _organism_lost,
        _place_lost,
    )
    instead = (
        _share_lost,
        _which_lost,
        _span_lost,
        _both_lost,
        _growth_lost,
        _unit_lost,
        _occasion_lost,
        _records_lost,
        _others_lost,
        _total_lost,
        _list_lost,
        _count_lost,
        _side_lost,
        _longest_lost,
        _taken_lost,
        _still_lost,
        _now_lost,
        _died_there_lost,
        _again_lost,
        _behind_lost,
        _rank_lost,
        _given_lost,
        _tested_lost,
        _everybody_lost,
        _further_question_lost,
        _stay_lost,
        _other_side_lost,
        _its_value_lost,
        _return_lost,
        _age_then_lost,
        _stay_blurred,
        _extreme_lost,
        _sexes_mixed,
        _whole_bill_lost,
        _number_lost,
        _culture_result_lost,
    )
    return any(lost(question, logic) for lost in (*beside, *instead))
