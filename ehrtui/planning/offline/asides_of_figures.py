"""What is said of figures in more words than are needed: of what they are a share, by what they are told, how they are
to be compared."""

from __future__ import annotations

import re

from ehrtui.planning.offline.aside import NOTHING, Aside, read_as

_STAY = r"(?:admission|hospital\s+stay|stay|hospitali[sz]ation|encounter|visit)"
_RATE = r"(?:mortality|fatality|death|survival|readmission|complication)(?:\s+(?:rate|ratio|percentage|share))?"
_PER_STAY = re.compile(
    rf"\b{_RATE}(?P<said>\s*,?\s+per\s+(?P<of>{_STAY}|patient))(?!\s+(?:type|kind|unit|ward|year|location|source|category))\b",
    re.IGNORECASE,
)
"""Of what a rate is: "hospital mortality per admission"."""
_UNIT = r"(?:month|year|week|quarter|day)"
_UNIT_BY_UNIT = re.compile(
    rf"(?P<said>\s*,?\s+(?:(?P<unit>{_UNIT})\s+by\s+(?P=unit)|from\s+(?:one\s+)?(?P<one>{_UNIT})\s+to\s+(?:the\s+next|the\s+other|(?P=one))))\b",
    re.IGNORECASE,
)
"""By what figures are told: "month by month", "from year to year"."""
_SLASHED = re.compile(rf"(?<=[a-z])(?P<said>\s*/\s*(?P<unit>{_UNIT}|mo|mth|yr|wk))(?=\W|$)", re.IGNORECASE)
"""The same in short: "admissions/month"."""
_WHOLE_UNITS = {"mo": "month", "mth": "month", "yr": "year", "wk": "week"}
_EVERY_UNIT = re.compile(
    r"\b(?P<said>(?P<unit>month|year|week|quarter)ly\s+(?P<of>[a-z]+(?:\s+[a-z]+)?)\s+(?:numbers|counts|figures|totals|volumes?))\b",
    re.IGNORECASE,
)
"""The number of some in each month: "monthly admission numbers"."""
_OVER_TIME = re.compile(
    rf"\b(?P<said>(?:see\s+|show\s+(?:me\s+)?)?how\s+(?:the\s+)?(?P<what>(?:number|count)\s+of\s+[a-z]+(?:\s+[a-z]+)?)\s+"
    rf"(?:changed|changes|developed|evolved|varied|varies|moved|went))(?=\b.*\b{_UNIT}\b)",
    re.IGNORECASE,
)
"""Figures of each month, told as a change: "how the number of admissions changed from month to month"."""
_LAST_YEAR = re.compile(
    r"\b(?P<said>(?P<which>last|this|previous|past|the\s+last|per|each|every|by|in\s+the)\s+yr)(?!\w)", re.IGNORECASE
)
_CALENDAR = re.compile(
    r"\b(?P<said>(?:past|last|previous)\s+calendar\s+year(?:\s*,?\s+(?:i\.?e\.?|that\s+is)\s*,?\s+last\s+year)?)\b",
    re.IGNORECASE,
)
"""The year before this one."""
_WISE = re.compile(
    r"(?:^|(?<=[.,;?!])|\s)\s*(?P<said>(?:age|time|number|size|percent(?:age)?|money|cost|[a-z]+)[\s-]wise(?:,|\s+i\s+mean)?)(?=\W|$)",
    re.IGNORECASE,
)
"""In what respect something is asked: "how is she doing, kidney wise?"."""
_SEXES = re.compile(
    r"^[^,;:–(]*(?P<said>(?:\s*[,;:–(]|\s+-)\s*(?:f|m|men|women|males?|females?|ladies|gentlemen|boys|girls)\s*(?:v|vs\.?|versus|/|against|compared\s+(?:with|to))\s*"
    r"(?:m|f|men|women|males?|females?|ladies|gentlemen|boys|girls)\b\)?)(?=\s*\W*$)",
    re.IGNORECASE,
)
"""Whom figures are told for, one beside the other: "mean age, men vs women"."""
_ROUGHLY = re.compile(
    r"\b(?P<said>roughly|approximately|about|approx\.?|around)\s+(?=(?:what|how|which)\b)", re.IGNORECASE
)
"""How exactly somebody wants a figure."""
_USUALLY = re.compile(
    r"\bhow\s+(?:old|heavy|tall)\b(?!.*\b(?:average|mean|median)\b)[^?.;]*?\b(?P<said>usually|typically|normally|generally|in\s+general)\b",
    re.IGNORECASE,
)
"""What is so as a rule is so on average: "how old are people usually"."""
_NO_LATER = re.compile(
    r"\b(?P<said>(?:no|not)\s+(?:later|more)\s+than)\s+(?=\d+\s*(?:d|day|hour|hr|h|week|month)s?\s+(?:after|of|following|from)\b)",
    re.IGNORECASE,
)
"""Within: "no later than 30 days after discharge"."""
_FRONTED = re.compile(
    r"^\W*(?P<said>(?:out\s+)?of\s+(?P<base>(?!(?:those|these|them|that|this|it|which|whom|a\d)\b)(?:all\s+)?(?:the\s+|our\s+)?[^,?;:]{3,80}?)\s*,\s*"
    r"(?:what|which)\s+(?:%|percent(?:age)?|proportion|share|fraction))(?=\s+(?:were|was|had|have|has|are|is|died|survived|came|got|received|grew|tested|went|left|stayed|needed|ended)\b)",
    re.IGNORECASE,
)
"""Of what a share is taken, said first: "of the isolates tested against oxacillin, what % were resistant?"."""
_MEAN_TIME = r"\b(?:average|mean|median|longest|shortest|maximum|minimum)\s+(?:amount\s+of\s+)?"
_TIME_IN_UNITS = re.compile(
    rf"{_MEAN_TIME}(?P<said>time)(?=\s[^?;.]*?[,(\s]\s*in\s+(?P<unit>hours|days)\)?\W*$)", re.IGNORECASE
)
_UNITS_OF_TIME = re.compile(
    rf"{_MEAN_TIME}time\s[^?;.]*?(?P<said>\s*[,(]?\s*in\s+(?:hours|days)\)?)(?=\W*$)", re.IGNORECASE
)
"""In what a time is told, said behind it: "the longest time in the ED, in hours"."""
_LONGEST_LASTED = re.compile(
    r"\bhow\s+(?P<said>long\s+did\s+the\s+(?P<most>longest|shortest)\s+(?P<what>[^?.;]{3,60}?)\s+last)(?=\W*$)",
    re.IGNORECASE,
)
_TIME_IN = re.compile(
    r"\b(?:average|avg|mean|median)\.?\s+(?P<said>(?:amount\s+of\s+)?time\s*[,(]?\s*in\s+(?P<unit>hours|days)\)?,?)(?=\s)",
    re.IGNORECASE,
)
_AND_DAYS = re.compile(
    r"\b(?:longest|shortest)\b[^?.;]*?(?P<said>\s*(?:,|\band\b|&|\+)\s*(?:the\s+)?(?:number\s+of\s+)?(?:days|nights))(?=\W*$)",
    re.IGNORECASE,
)
"""How long the longest were, which is told with them: "longest stays: patient, unit and days"."""
_FOR_EACH_SEX = re.compile(r"(?P<said>\s(?:for|in|of)\s+each\s+(?:sex|gender))(?=\W|$)", re.IGNORECASE)

OF_FIGURES = (
    Aside(_TIME_IN, read_as(r"\g<unit>")),
    Aside(_AND_DAYS, NOTHING),
    Aside(_FOR_EACH_SEX, read_as(" by sex")),
    Aside(_TIME_IN_UNITS, read_as(r"\g<unit>")),
    Aside(_UNITS_OF_TIME, NOTHING),
    Aside(_LONGEST_LASTED, read_as(r"long was the \g<most> \g<what>")),
    Aside(_FRONTED, read_as(r"what percentage of \g<base>")),
    Aside(_NO_LATER, read_as("within")),
    Aside(_USUALLY, read_as("on average")),
    Aside(_PER_STAY, lambda found: f" of {'patients' if found['of'].lower() == 'patient' else 'admissions'}"),
    Aside(_UNIT_BY_UNIT, lambda found: f" by {(found['unit'] or found['one']).lower()}"),
    Aside(_SLASHED, lambda found: f" by {_WHOLE_UNITS.get(found['unit'].lower(), found['unit'].lower())}"),
    Aside(_EVERY_UNIT, lambda found: f"number of {found['of'].rstrip('s')}s by {found['unit'].lower()}"),
    Aside(_OVER_TIME, lambda found: f"the {found['what']}"),
    Aside(_LAST_YEAR, lambda found: f"{found['which']} year"),
    Aside(_CALENDAR, read_as("last year")),
    Aside(_WISE, NOTHING),
    Aside(_SEXES, read_as(" by sex")),
    Aside(_ROUGHLY, NOTHING),
)
"""These asides: of two that overlap the first is meant."""
