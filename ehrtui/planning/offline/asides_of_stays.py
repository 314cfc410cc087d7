"""What is said of stays in more words than are needed: who is there now, who came back, when stays began and how they
ended."""

from __future__ import annotations

import re

from ehrtui.planning.offline.aside import NOTHING, Aside, read_as

_WAITED = re.compile(
    r"^(?=.*\b(?:ed|er|a&e|casualty|emergency)\b).*?\b(?P<said>waited|(?<=\bdid they )wait)\b", re.IGNORECASE
)
"""Who waits in an emergency department is there so long."""
_INPATIENTS = re.compile(
    r"\bhow\s+many\s+(?:current\s+)?in-?patients\s+(?:do\s+we\s+(?:currently\s+)?have|have\s+we\s+(?:currently\s+)?got|are\s+there)"
    r"(?:\s+(?:right\s+now|now|currently|at\s+the\s+(?:moment|minute)|at\s+present|today|tonight|in\s+the\s+(?:hospital|house)))*(?=\W*$)",
    re.IGNORECASE,
)
"""Those who are there now."""
_STAYED = re.compile(
    r"^(?=.*\b(?:attendances?|(?:ed|er|emergency|casualty)\s+visits?)\b).*?"
    r"\b(?P<said>stayed)(?=\s+(?:longer|more|over|under|less|for)\b)",
    re.IGNORECASE,
)
"""A visit lasts, and is no stay."""
_OUTPATIENT = re.compile(r"\b(?:each|every|by|per|which)\s+(?P<said>out-?patient\s+)(?=clinics?\b)", re.IGNORECASE)
"""What every clinic is that has appointments."""
_MISSED = re.compile(
    r"\b(?P<what>appointments?|visits?)\s+(?:(?:that|which)\s+)?(?:were|was|got|have\s+been|had\s+been)\s+"
    r"(?P<how>missed|attended)\b",
    re.IGNORECASE,
)
"""What became of appointments, said behind them: "how many appointments were missed"."""
_HOW_LONG_TOO = re.compile(
    r"\bwhich\b.*\b(?:longest|shortest)(?P<said>\s*,?\s*(?:and\s+)?(?:how\s+(?:long|many\s+(?:days|hours))|for\s+how\s+long|its\s+length)"
    r"(?:\s+(?:was\s+(?:it|that)|did\s+it\s+last))?)\W*$",
    re.IGNORECASE,
)
"""How long the longest was, which is told with it."""
_TO_THE_ICU = re.compile(
    r"\bfrom\s+(?:hospital\s+)?(?:admission|being\s+admitted)\s+(?P<said>(?:to|until|till)\s+(?:the\s+|an\s+)?(?:icu|intensive\s+care(?:\s+unit)?)"
    r"(?:\s+(?:arrival|transfer|entry))?)(?!\s+(?:admission|stay|discharge|death))\b",
    re.IGNORECASE,
)
"""When somebody came to the ICU: "how long does it take from admission to ICU"."""
_LYING = re.compile(
    r"\b(?:are|is|were|was)\s+(?:they|he|she|each\s+of\s+them|(?:our\s+|the\s+|these\s+|those\s+)?(?:patients|people|pts))"
    r"\s+(?P<said>lying)\b",
    re.IGNORECASE,
)
"""Somebody lies where he is: "which ward are they lying on?"."""
_DIED_OF = re.compile(
    r"\b(?P<said>what\s+did\s+(?P<who>(?:(?:our|the|these|those|all|any)\s+)*(?:\w+\s+)?(?:patients|people|pts))\s+die\s+(?:of|from))\b",
    re.IGNORECASE,
)
"""What somebody died of is his cause of death: "what did our patients die of?"."""
_REASONS_FOR = re.compile(
    r"\b(?P<said>reasons?\s+(?:for|of)\s+(?:the\s+|our\s+|all\s+)?(?:[a-z]+\s+)?(?P<what>cancellation|denial|rejection|refusal)s?)\b",
    re.IGNORECASE,
)
"""What is kept as the reason of something: "reasons for theatre cancellations"."""
_THAT_TIME = re.compile(
    r"^\W*(?:(?:and|so)\W+)?(?:what|which)\s+(?:\w+\s+)?\w+s\s+(?:did|was|were|has|had)\b[^?]*?(?<!\bfor)(?P<said>\s+(?:on\s+)?the\s+(?P<nth>first|last|second|third)\s+time(?:\s+a?round)?)\W*$",
    re.IGNORECASE,
)
"""What somebody had in one of his stays: "what diagnoses did he have the first time?"."""
_LIVE_DISCHARGE = re.compile(
    r"\b(?P<said>died\s+(?P<soon>(?:within|in)\s+(?:the\s+first\s+)?(?:\w+\s+){1,2}?(?:days?|weeks?|months?|years?))\s+"
    r"(?:after|of|from)\s+(?:(?:they|he|she|being|having)\s+)?(?:(?:were|was|been|had\s+been|got)\s+)?(?:discharged\s+alive|a?\s*live\s+discharge))\b",
    re.IGNORECASE,
)
"""Who left alive, and died soon after."""
_FOLLOWED = re.compile(
    r"\b(?P<said>(?:(?:were|was|are|is)\s+)?followed\s+by\s+(?:another|a\s+(?:second|new|further|repeat|subsequent))\s+"
    r"(?:inpatient\s+|hospital\s+)?(?:admission|stay|hospitali[sz]ation|visit|encounter))\b",
    re.IGNORECASE,
)
"""Whoever comes again is readmitted."""
_TIMES_READMITTED = re.compile(
    r"\b(?P<said>(?:how\s+many\s+times|how\s+often|(?:the\s+)?number\s+of\s+times)\s+(?:that\s+)?(?:(?:was|were|did|has|have|had)\s+)?"
    r"(?:someone|somebody|anyone|anybody|(?:(?:a|any|the\s+same)\s+)?(?:patient|person)|patients|people)\s+(?:(?:was|were|has|have|got|been)\s+)*"
    r"(?:readmitted|re-admitted|c[oa]me\s+back|return(?:ed)?))(?=\s+within\b)",
    re.IGNORECASE,
)
"""What happens several times to one patient is counted as often: "how many times was someone readmitted"."""
_AND_OF_WHAT = re.compile(r"\b(?:died?|dead|deceased)\b[^?;]*?(?P<said>,\s*of\s+what)(?=\W*$)", re.IGNORECASE)
"""What somebody died of, asked last: "which people died, when, of what"."""
_IN_AND_OUT = re.compile(
    r"\b(?P<said>(?:dates?|times?)\s+(?:of\s+)?in(?:\s*,\s*|\s*/\s*|\s*&\s*|\s+and\s+)(?:(?:dates?|times?)\s+)?(?:of\s+)?out"
    r"|in\s+and\s+out\s+(?:dates?|times?)|(?<=stays, )in\s+and\s+out(?=\W*$)|(?<=admissions, )in\s+and\s+out(?=\W*$))",
    re.IGNORECASE,
)
"""When a stay began and ended: "her admissions (date in, date out)"."""
_ADMITTED_NOW = re.compile(
    r"\b(?:(?:is|are)\s+)?(?P<said>(?:currently|presently|still)\s+admitted|admitted\s+(?:right\s+now|now|currently|at\s+the\s+moment|at\s+present))"
    r"(?!\s+(?:to|with|on|for|under|from|in|by|as)\b)",
    re.IGNORECASE,
)
"""Who is an inpatient: "who is currently admitted?"."""
_SPENT_TIME = re.compile(r"\b(?P<said>spent\s+(?:any\s+|some\s+)?time)\s+(?=(?:on|in|at)\b)", re.IGNORECASE)
"""Who spent time somewhere was there."""
_TOOK_LEAVE = re.compile(
    r"\b(?P<said>(?:(?:took|takes|take|taken)\s+(?:their|his|her)\s+own\s+discharge|(?:has\s+|have\s+|had\s+)?self-?\s?discharged"
    r"|discharged\s+(?:themselves|himself|herself))(?:\s+against\s+(?:medical\s+)?advice)?)\b",
    re.IGNORECASE,
)
"""Who went when he was advised to stay: "which patients took their own discharge?"."""
_SINCE_MIDNIGHT = re.compile(
    r"\b(?P<said>since\s+(?:midnight|this\s+morning|the\s+start\s+of\s+(?:today|the\s+day))(?:\s*\((?:the\s+)?start\s+of\s+(?:today|the\s+day)\))?)(?=\W|$)",
    re.IGNORECASE,
)
_BACK_TO_ICU = re.compile(
    r"\b(?P<said>(?:went|came|come|go|going|returned|were\s+readmitted|was\s+readmitted|were\s+sent|bounced)\s+(?:back\s+)?to\s+(?:the\s+|an\s+|any\s+)?"
    r"(?P<unit>icu|intensive\s+care|itu)(?:\s+again)?\s+(?:in|during|within|on)\s+the\s+same\s+(?:hospital\s+)?(?:admission|stay|hospitali[sz]ation|visit))\b",
    re.IGNORECASE,
)
"""Who had more than one ICU stay in a hospital stay."""
_KEEPS_COMING = re.compile(
    r"\b(?P<said>(?:(?:which|what)\s+(?:one|patient)|who)(?:\s+of\s+(?:them|these|those))?\s+(?:keeps?\s+(?:on\s+)?coming\s+back|comes?\s+back\s+(?:the\s+)?most(?:\s+often)?))\b",
    re.IGNORECASE,
)
"""Who has been there most often: "which one keeps coming back?"."""
_KINDS_AGAIN = re.compile(
    r"\b(?P<one>[a-z][\w-]*)\s+(?P<said>(?P<noun>admissions?|stays?|patients?|visits?|discharges?|deaths?)\s+)"
    r"(?=(?:vs\.?|versus|compared\s+(?:to|with))\s+(?:[\w-]+\s+){1,2}(?P=noun)\b)",
    re.IGNORECASE,
)
"""A noun that is said of both: "weekend admissions vs weekday admissions"."""
_IN_FOR = re.compile(
    r"^\W*(?:(?:and|so)\W+)*what\s+(?:was|were|is|are)\s+(?:he|she|they)\s+(?P<said>in(?:\s+(?:the\s+)?hospital)?\s+for)(?=\W*$)",
    re.IGNORECASE,
)
"""What somebody came with: "what was she in for?"."""
_WHICH_UNIT = re.compile(
    r"\b(?:which|what)\s+(?P<said>units?)\s+(?=(?:was|were|is)\s+(?:he|she)\s+(?:on|in|at)\b)", re.IGNORECASE
)
"""Where somebody was, and not in what something is measured: "which unit was she on?"."""
_ALL_DEAD = re.compile(
    r"^\W*(?P<said>how\s+many\s+(?:of\s+(?:our|the|these)\s+)?(?:patients|people)\s+(?:have\s+)?died\s*[?,;.]\s*(?:and\s+)?when\s*(?:,|,?\s+and)\s+of\s+what)\W*$",
    re.IGNORECASE,
)
"""All who died, one by one: "how many patients died? When, and of what?"."""
_NOT_YET_OUT = re.compile(
    r"\b(?P<said>(?:(?:has|have|had)\s*n['’]?t|(?:has|have|had)\s+not)\s+(?:yet\s+)?been\s+discharged(?:\s+yet)?"
    r"|(?:(?:is|are)\s*n['’]?t|(?:is|are)\s+not)\s+(?:yet\s+)?discharged(?:\s+yet)?)\b",
    re.IGNORECASE,
)
"""Who is still there: "everyone who hasn't been discharged yet"."""
_VOLUME = re.compile(
    r"\b(?P<of>ed|er|emergency|admission|discharge|surgical|surgery|clinic|appointment|transfer|icu|or|theatre)\s+"
    r"(?P<said>volumes?)\b",
    re.IGNORECASE,
)
_VOLUMES = {
    **dict.fromkeys(("ed", "er", "emergency", "clinic"), "visits"),
    **dict.fromkeys(("surgical", "surgery", "or", "theatre"), "operations"),
    **{"admission": "admissions", "discharge": "discharges", "appointment": "appointments"},
    **{"icu": "stays", "transfer": "transfers"},
}
"""How many there were of what: "ED volume by month"."""
_CENSUS = re.compile(
    r"^\W*(?P<said>(?:(?:what(?:'s|\s+is)|show|give\s+me)\s+)?(?:the|our|me)?\s*(?:current|present|today'?s|live)?\s*"
    r"(?:inpatient\s+|bed\s+|house\s+)?census)(?=\s*(?:(?:by|per|on|in|for)\b[^?]*)?(?:\s+(?:please|pls|right\s+now|now|today))?\W*$)",
    re.IGNORECASE,
)
"""Those who are there now, as those who count beds call them: "today's census by ward"."""
_IN_HOUSE = re.compile(
    r"\bin\s+(?:the\s+)?(?P<said>house)\b(?=\s*(?:right\s+now|now|at\s+the\s+moment|currently|today|tonight|[,;:?.]|$))",
    re.IGNORECASE,
)
"""Who is there now."""
_UNIT_OF_STAYS = re.compile(
    r"\b(?:by|per|in\s+each|for\s+each|for\s+every)\s+(?P<said>(?:the\s+)?(?:care\s+|icu\s+)?(?:unit|ward)\s+(?:in\s+which\s+|where\s+|that\s+|on\s+which\s+)?"
    r"(?:the(?:ir)?|an?|each)\s+(?:icu\s+)?stays?\s+(?P<when>start|beg|end|finish)\w*(?:\s+(?:in|on))?)\b",
    re.IGNORECASE,
)
"""The unit of a stay, said by what happened there: "by the unit the stay started in"."""

_DATE = (
    r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[a-z]{3,9}\.?,?\s+\d{4}"
    r"|[a-z]{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})"
)
_BEGUN_ON = re.compile(
    rf"\b(?:admission|stay|visit|hospitali[sz]ation|encounter)(?P<said>\s+(?:that\s+|which\s+)?(?:started|starting|began|beginning|from|dated)(?:\s+(?:on|at))?)\s+(?={_DATE})",
    re.IGNORECASE,
)
"""The day on which a stay began: "the stay that started on 14 Dec 2105"."""
_CAME_IN_ON = re.compile(
    rf"\b(?P<said>(?:when|after)\s+(?:he|she|they)\s+(?:came\s+in|was\s+admitted|were\s+admitted|arrived)\s+(?:on\s+)?)(?={_DATE})",
    re.IGNORECASE,
)
"""The stay that began then: "where was he when he came in on 2105-12-14"."""

_THIS_STAY = re.compile(
    r"\b(?P<said>(?:in|during|on|for|over)?\s*this\s+(?:admission|hospital\s+stay|stay|hospitali[sz]ation|time\s+round|time\s+around))(?=\W*$|\s*[?.,;])"
    r"(?<!on this stay)",
    re.IGNORECASE,
)
"""The stay in which somebody is: "what has patient 7 been prescribed this admission?"."""
_SINCE_IT_BEGAN = re.compile(
    r"\b(?P<said>since\s+(?:the|this|his|her|their)\s+(?:current\s+|present\s+)?(?:admission|stay|hospitali[sz]ation)(?:\s+(?:began|started))?)(?=\W*$)",
    re.IGNORECASE,
)
_RECORD_STAY = re.compile(
    r"\b(?P<said>record)\s+(?=(?:icu\s+|hospital\s+)?(?:stay|los|length\s+of\s+stay)\b)", re.IGNORECASE
)
"""The longest: "record ICU stay"."""
_PATIENTS_IN_ICU = re.compile(
    r"^\W*(?P<said>(?P<unit>icu|micu|sicu|ccu|csru|tsicu|nicu|cvicu)\s+(?:patients|pts|people)\s+(?:right\s+)?(?:now|at\s+the\s+moment|currently|today))\b",
    re.IGNORECASE,
)
"""Who is in the ICU at the moment: "icu patients now"."""

_STILL_TODAY = re.compile(
    r"\bstill\s+(?:admitted|here|in\s+(?:the\s+)?hospital|in\s+house|inpatients?|with\s+us)(?P<said>\s+(?:today|tonight|now|right\s+now|at\s+the\s+moment))\b",
    re.IGNORECASE,
)
"""Who is still there is so now."""

OF_STAYS = (
    Aside(_STILL_TODAY, NOTHING),
    Aside(_THIS_STAY, read_as(" during the current hospital stay")),
    Aside(_SINCE_IT_BEGAN, read_as("during the current hospital stay")),
    Aside(_RECORD_STAY, read_as("longest ")),
    Aside(_PATIENTS_IN_ICU, read_as(r"patients currently in the \g<unit>")),
    Aside(_BEGUN_ON, read_as(" of")),
    Aside(_CAME_IN_ON, read_as("during the admission of ")),
    Aside(_WAITED, read_as("stayed")),
    Aside(_STAYED, read_as("lasted")),
    Aside(_OUTPATIENT, NOTHING),
    Aside(_MISSED, read_as(r"\g<how> \g<what>")),
    Aside(_THAT_TIME, read_as(r" during the \g<nth> hospital stay")),
    Aside(_INPATIENTS, read_as("how many patients are in the hospital right now")),
    Aside(_KINDS_AGAIN, NOTHING),
    Aside(_IN_FOR, read_as("admitted with")),
    Aside(_WHICH_UNIT, read_as("care unit")),
    Aside(_ALL_DEAD, read_as("which patients died, when, and of what")),
    Aside(_SPENT_TIME, read_as("were")),
    Aside(_TOOK_LEAVE, read_as("left against medical advice")),
    Aside(_SINCE_MIDNIGHT, read_as("today")),
    Aside(_BACK_TO_ICU, lambda found: f"had at least 2 {found['unit']} stays in the same hospital admission"),
    Aside(_KEEPS_COMING, read_as("who of them has the most admissions"), later=True),
    Aside(_NOT_YET_OUT, read_as("is still in the hospital")),
    Aside(_ADMITTED_NOW, read_as("in the hospital right now")),
    Aside(_IN_AND_OUT, read_as("admission date, discharge date")),
    Aside(_FOLLOWED, read_as("were readmitted")),
    Aside(_TIMES_READMITTED, read_as("how many readmissions")),
    Aside(_AND_OF_WHAT, read_as(" and of what")),
    Aside(_VOLUME, lambda found: _VOLUMES[found["of"].lower()]),
    Aside(_CENSUS, read_as("number of patients in the hospital right now")),
    Aside(_IN_HOUSE, read_as("hospital")),
    Aside(
        _UNIT_OF_STAYS, lambda found: f"{'first' if found['when'].lower() in ('start', 'beg') else 'last'} care unit"
    ),
    Aside(_LIVE_DISCHARGE, read_as(r"were discharged alive and died \g<soon> of discharge")),
    Aside(_REASONS_FOR, read_as(r"\g<what> reasons")),
    Aside(_DIED_OF, read_as(r"cause of death of \g<who>")),
    Aside(_LYING, NOTHING),
    Aside(_TO_THE_ICU, read_as("to icu admission")),
    Aside(_HOW_LONG_TOO, NOTHING),
)
"""These asides: of two that overlap the first is meant."""
