"""What is said beside a question, and changes nothing of it: another spelling in brackets, examples of what was named,
that the question before was the wrong one; and what it says in more words than are needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ehrtui.planning.offline.bare_patients import HOSPITAL_NUMBER
from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.schema.columns import singular

_THING = r"(?:patient|pt|person|one|number|id|stay|admission|drug|ward|unit|year|month|lab|test)"
_MISTAKEN = re.compile(
    rf"^\W*(?:(?:sorry|oops|ooops|whoops|ah|oh|no|wait|hmm|my\s+bad|my\s+mistake)\W+)*(?:(?:that(?:'s|\s+is|\s+was)|it(?:'s|\s+was))\s+)?"
    rf"(?:the\s+)?wrong\s+{_THING}\b\W*(?:(?:it|that)\s+(?:should|must)\s+(?:be|have\s+been)|should\s+(?:be|have\s+been)"
    r"|i\s+mean(?:t)?|make\s+it)?\W*(?=\w)",
    re.IGNORECASE,
)
"""That the one before was not meant: "sorry, wrong patient, I meant 10088"."""
_IN_BRACKETS = re.compile(
    r"\s*\((?:"
    r"(?:(?:also|sometimes|often|or)\s+)*(?:written|spelled|spelt|called|named|typed|known\s+as|recorded\s+as|aka)\s[^()]*"
    r"|(?:or|and|incl(?:uding|\.)?)\s+(?:the\s+|its\s+|any\s+)?(?:generics?|brands?|brand\s+names?|equivalents?)"
    r"|(?:any|all|whatever)\s+(?:types?|kinds?|forms?|sorts?|brands?|route|routes|doses?|reasons?|causes?|ages?)"
    r"|(?:everything|all)\s+(?:added\s+up|together|in|included|combined)|ballpark|roughly|approx(?:imately|\.)?"
    r"|[^()\d]*?(?:\band\s+so\s+on|\band\s+so\s+forth|\betc|\band\s+the\s+like|…|\.\.+)"
    r"|[^()]*[,;]\s*(?:that(?:'s|\s+is)\s+)?(?:fine|ok|okay|good\s+enough)"
    r"|with\s+or\s+without\s[^()]*"
    r"|(?:for\s+)?(?:(?:the|my|our|an?)\s+)?(?:[\w-]+\s+){0,3}(?:audit|review|handover|meeting|teaching|planning|paperwork)"
    r"|(?:e\.\s?g\.?|eg|for\s+example|for\s+instance|such\s+as|like)\s[^()\d]*"
    r")[.,\s]*\)",
    re.IGNORECASE,
)
"""What a question says again in brackets, or gives examples of that limit nothing: "(also written pcn)", "(MICU, CCU
and so on)"."""
_US = re.compile(
    r"(?<=\bcost)\s+(?:us|me|the\s+hospital)(?=\s+(?:on\s+average|each|per|typically|usually)\b)", re.IGNORECASE
)
"""Whom something costs what it does."""
_EACH = re.compile(
    r"^\W*(?:(?:and|so|ok|but)\W+)*(?:in|from|on|at|by|of|for|with)\s+(?:which|what)\s+(?P<what>[a-z][a-z -]{2,30}?)"
    r"\s*[,:;–-]*\s+"
    r"(?:(?:with|and|show|give)\s+)?(?:the\s+)?(?:(?:nr|no|num|number|count|#)\.?\s+of|how\s+many)\s+"
    r"(?:patients|pts|people|persons)(?:\s+(?:each|in\s+each|for\s+each|per\s+\w+))?\W*$",
    re.IGNORECASE,
)
"""What the number before is wanted of each of: "in which specimens, number of patients each"."""
_WAITED = re.compile(
    r"^(?=.*\b(?:ed|er|a&e|casualty|emergency)\b).*?\b(?P<said>waited|(?<=\bdid they )wait)\b", re.IGNORECASE
)
"""Who waits in an emergency department is there so long."""
_ALL_OUR = re.compile(r"(?<=\ball )(?:of )?(?:our|my) (?=[\w-]+ (?:patients|pts|people)\b)", re.IGNORECASE)
"""Whose the patients are of whom all are meant anew: "what share of all our AF patients"."""
_FOR_EACH = re.compile(
    r"(?P<said>\s*[:;,–-]\s*how\s+many\s+(?:patients|pts|people)\s+(?:got|had|have|received|took|were\s+(?:on|given|prescribed))"
    r"\s+each(?:\s+(?:of\s+(?:them|these|those)|one))?(?:\s+(?:ordered|prescribed|given))?)\W*$",
    re.IGNORECASE,
)
"""What is counted of each of those that are named before it: "A and B: how many patients got each of them"."""
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
_CAME_BACK = re.compile(
    r"\b(?P<said>(?:came|come|comes|coming|returned|were\s+reported|was\s+reported)\s+(?:back\s+)?(?:as\s+|with\s+)?)(?=(?:no|nil)\s+growth\b)",
    re.IGNORECASE,
)
"""What cultures had that "came back no growth"."""
_ON_MONITOR = re.compile(r"\s+(?:on|from|off)\s+(?:the\s+|a\s+)?(?:bedside\s+)?monitors?\b", re.IGNORECASE)
"""Where what is measured at the bedside is read."""
_VERY = re.compile(r"\bvery\s+(?=(?:first|last|latest|earliest|beginning|end|same)\b)", re.IGNORECASE)
"""What makes no first thing more the first: "the very first stay"."""
_WHATEVER = re.compile(
    r"\s*,?\s+(?:(?:whatever|no\s+matter\s+what|regardless\s+of|irrespective\s+of)\s+(?:the|their|his|her)?\s*"
    r"(?:age|sex|gender|ward|unit|cause|reason|outcome|route|dose|strength|year|insurance|race)s?"
    r"|(?:whatever|however|no\s+matter\s+(?:what|how))\s+(?:it(?:'s|\s+is|\s+was)|they(?:'re|\s+are|\s+were))\s+"
    r"(?:called|named|written|spelled|spelt|coded|recorded|labelled|labeled)(?:\s+(?:on|in)\s+(?:the|their)\s+\w+|\s+here)?)(?=\s*\W*$|\s*,)",
    re.IGNORECASE,
)
"""What limits nothing: "whatever the age", "whatever it's called on the chart"."""
_EITHER_AS = re.compile(
    r"\b(?:had|have|has|with|were|was|of|for)\s+(?P<said>(?P<one>[a-z][\w-]*(?:\s+[\w-]+){0,2}?)\s+or\s+(?P<other>[a-z][\w-]*(?:\s+[\w-]+){0,2}?)\s+"
    r"as\s+(?:the|an?|their|its|his|her)?\s*(?P<what>(?:admission|admitting|admit)\s+diagnosis))\b",
    re.IGNORECASE,
)
"""What was written when somebody came is one thing or the other: "sepsis or urosepsis as the admission diagnosis"."""
_OF_EITHER = re.compile(
    r"\b(?P<said>(?:the|an?)?\s*(?P<what>(?:admission|admitting|admit)\s+diagnosis)\s+(?:of|was|is|:)\s*(?P<one>[a-z][\w-]*(?:\s+[\w-]+){0,2}?)\s+or\s+"
    r"(?P<other>[a-z][\w-]*(?:\s+[\w-]+)?))(?=\s*\W*$|\s*,)",
    re.IGNORECASE,
)
"""The same, said with what it is of behind it: "the admission diagnosis was sepsis or urosepsis"."""
_HOW_LONG_TOO = re.compile(
    r"\bwhich\b.*\b(?:longest|shortest)(?P<said>\s*,?\s*(?:and\s+)?(?:how\s+(?:long|many\s+(?:days|hours))|for\s+how\s+long|its\s+length)"
    r"(?:\s+(?:was\s+(?:it|that)|did\s+it\s+last))?)\W*$",
    re.IGNORECASE,
)
"""How long the longest was, which is told with it."""
_AS_A_CODE = re.compile(
    r"\b(?:have|has|had|with|got|lists?|carry|carries)\b.*?(?P<said>\s+as\s+an?\s+(?:icd\s+)?(?:code|coded\s+diagnosis|diagnosis\s+code|problem))(?=\s*\W*$)",
    re.IGNORECASE,
)
"""That what somebody has is a code: "who has unemployment as a code?"."""
_ON_THEIR_LIST = re.compile(
    r"\b(?P<said>\s+on\s+(?:their|his|her|the)\s+(?:list\s+of\s+(?:diagnoses|problems)|(?:diagnos(?:is|es|tic)|problem)s?\s+lists?))(?=\s*\W*$)",
    re.IGNORECASE,
)
"""Where it is kept that somebody has something: "a urinary tract infection on their diagnosis list"."""
_TO_THE_ICU = re.compile(
    r"\bfrom\s+(?:hospital\s+)?(?:admission|being\s+admitted)\s+(?P<said>(?:to|until|till)\s+(?:the\s+|an\s+)?(?:icu|intensive\s+care(?:\s+unit)?)"
    r"(?:\s+(?:arrival|transfer|entry))?)(?!\s+(?:admission|stay|discharge|death))\b",
    re.IGNORECASE,
)
"""When somebody came to the ICU: "how long does it take from admission to ICU"."""
_IS_IT_FLAGGED = re.compile(
    r"\b(?:last|latest|first|most\s+recent|newest|highest|lowest)\b.*?(?P<said>\s*[,;?.]?\s*(?:and\s+)?(?:is|was)\s+(?:it|that|this)\s+"
    r"(?:flagged|abnormal|flagged\s+(?:as\s+)?abnormal|normal|out\s+of\s+range))\W*$",
    re.IGNORECASE,
)
"""What a value is flagged as, asked behind it."""
_SPLIT_BY = re.compile(
    r"(?<=\w)(?P<said>\s*,?\s*(?:split|broken\s+down|separated|divided)\s+(?:out\s+)?per)\s", re.IGNORECASE
)
"""What figures are wanted of each of: "number of stays, split per ward"."""
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
_CLASS = (
    r"statin|antibiotic|opioid|opiate|pressor|vasopressor|diuretic|steroid|anticoagulant|insulin|benzo|benzodiazepine"
    r"|antifungal|antiviral|antidepressant|antipsychotic|sedative|ppi|nsaid|laxative"
)
_PER_ONE_OF_CLASS = re.compile(
    rf"\b(?P<class>{_CLASS})s?\b.*\b(?:by|per|for\s+each)\s+(?:single\s+|individual\s+)?(?P<said>(?P=class)s?)(?=\s*(?:please|pls)?\W*$)",
    re.IGNORECASE,
)
"""The drugs of a class, one by one: "patients on a statin, per statin"."""
_REASONS_FOR = re.compile(
    r"\b(?P<said>reasons?\s+(?:for|of)\s+(?:the\s+|our\s+|all\s+)?(?:[a-z]+\s+)?(?P<what>cancellation|denial|rejection|refusal)s?)\b",
    re.IGNORECASE,
)
"""What is kept as the reason of something: "reasons for theatre cancellations"."""
_WHAT_AND_HOW_MANY = re.compile(
    r"^\W*(?:which|what)\b[^?.;]*\bgr[eo]w\w*\b[^?.;]*(?P<said>[?.;:,-]+\s*(?:(?:the\s+)?(?:organisms?|bugs?|germs?|species)\s+(?:and|with|,)\s*"
    r"(?:how\s+many|number|numbers|counts?)(?:\s+(?:of\s+)?each)?|(?:and\s+|with\s+)?(?:the\s+)?(?:counts?|numbers)\s+(?:too|as\s+well|also|please)))\W*$",
    re.IGNORECASE,
)
"""How often each of what grew did: "what grew in blood cultures? organism and how many"."""
_STILL_SMOKE = re.compile(r"\bstill\s+(?=smok|drink)", re.IGNORECASE)
"""Who still smokes is a smoker, whether or not he is still there."""
_COUNTED_IN = (
    r"(?:,?\s+and\s+in\s+how\s+many\s+(?:patients|pts|people)(?:\s+each)?"
    r"|\s*[?,;.:–-]+\s*(?:(?:organisms?|bugs?|germs?)\s*(?:\+|&|,|and)\s*)?(?:(?:and|with|give|show|the)\s+)*(?:number|no\.?|nr|count)\s+of\s+(?:patients|pts|people)"
    r"\s+(?:(?:for|in|with|of)\s+)?each(?:\s+one)?(?:\s+(?:please|pls))?)(?=\W*$)"
)
_GROWN = re.compile(
    rf"^\W*(?P<said>what\s+(?:(?:has|have|did)\s+)?(?:(?:we|they|you)\s+)?(?:grown|grew|grows?|isolated))(?=\s+(?:in|from|on)\b.*{_COUNTED_IN})",
    re.IGNORECASE,
)
"""What grew somewhere is organisms."""
_IN_HOW_MANY = re.compile(rf"^\W*(?:which|what)\b.*?(?P<said>{_COUNTED_IN})", re.IGNORECASE)
"""What is counted of each of the things that are asked for: "what grew in it, and in how many patients each?"."""
_SUFFERERS = {"diabetic": "diabetes", "asthmatic": "asthma", "epileptic": "epilepsy", "hypertensive": "hypertension"}
_SUFFERER = re.compile(
    rf"\b(?:which|what|each|every|any|the\s+oldest|the\s+youngest)\s+(?P<said>{'|'.join(_SUFFERERS)})\b"
    r"(?=\s+(?:had|has|have|was|is|with|who|got|gets|died|did|stayed|took|came|received)\b|\W*$)",
    re.IGNORECASE,
)
"""Somebody who is named by what he has: "which diabetic had the highest HbA1c?"."""
_THAT_TIME = re.compile(
    r"^\W*(?:(?:and|so)\W+)?(?:what|which)\s+(?:\w+\s+)?\w+s\s+(?:did|was|were|has|had)\b[^?]*?(?<!\bfor)(?P<said>\s+(?:on\s+)?the\s+(?P<nth>first|last|second|third)\s+time(?:\s+a?round)?)\W*$",
    re.IGNORECASE,
)
"""What somebody had in one of his stays: "what diagnoses did he have the first time?"."""
_WHO = re.compile(
    r"^\W*(?:(?:and|so)\W+)?(?:is|are|was|were|did|does|do|has|have|had)\s+any(?:one|body|\s+of\b|\s+patients?|\s+pts)?\b[^?.;]*"
    r"(?P<said>[?.;]\s*(?:(?:if\s+so|and|please)\W+)*(?:which\s+(?:ones?|patients?)|who(?:\s+(?:was|were|is|are)\s+(?:it|they|that))?"
    r"|(?:give|show|tell|list|name|send)\s+(?:(?:me|us)\s+)?(?:all\s+)?(?:the\s+|their\s+)?"
    r"(?:patients?|pts?|people)?\s*(?:ids?|numbers?|names?|list)?)(?:\s+please|\s+pls)?)\W*$",
    re.IGNORECASE,
)
"""Who they are of whom it is first asked whether there are any: "was anybody on both? Give me the patients"."""
_LIVE_DISCHARGE = re.compile(
    r"\b(?P<said>died\s+(?P<soon>(?:within|in)\s+(?:the\s+first\s+)?(?:\w+\s+){1,2}?(?:days?|weeks?|months?|years?))\s+"
    r"(?:after|of|from)\s+(?:(?:they|he|she|being|having)\s+)?(?:(?:were|was|been|had\s+been|got)\s+)?(?:discharged\s+alive|a?\s*live\s+discharge))\b",
    re.IGNORECASE,
)
"""Who left alive, and died soon after."""
_PART_OF = re.compile(
    r"^\W*(?:(?:and|so)\W+)*(?P<said>(?:what|which)\s+(?:part|portion|slice|chunk|proportion|fraction)\s+of)\b",
    re.IGNORECASE,
)
"""A share that is said as a part: "what part of admissions"."""
_NUMBERED = re.compile(rf"(?P<said>\(?\b(?:{HOSPITAL_NUMBER})\s*[:#=]?\s*)(?=[a-z]{{0,4}}-?\d{{3,}})", re.IGNORECASE)
"""What the number of a patient is called that stands behind it: "MRN LK204191"."""
_TITLE = re.compile(r"\b(?P<said>(?:Dr|Prof|Nurse|Doctor)\.?\s+)(?=[A-Z][a-z]+\s+[A-Z][a-z]+)")
_CREDENTIALS = re.compile(r"(?<=[a-z])(?P<said>,?\s+(?:MD|NP|RN|PA|DO|MBBS|PharmD|CRNA|LPN))\b")
"""What somebody of the staff is called beside the name."""
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
_TIMES_FOR_SOMEBODY = re.compile(
    r"\b(?:how\s+many\s+times|how\s+often|number\s+of\s+times)\s+(?:was|were|has|have|had|did)"
    r"(?P<said>\s+(?:someone|somebody|anyone|anybody|(?:a|any)\s+(?:patient|person)))\b",
    re.IGNORECASE,
)
"""Whom something befell, where it is counted how often it did: "how many times was a patient intubated"."""
_AND_OF_WHAT = re.compile(r"\b(?:died?|dead|deceased)\b[^?;]*?(?P<said>,\s*of\s+what)(?=\W*$)", re.IGNORECASE)
"""What somebody died of, asked last: "which people died, when, of what"."""
_WHO_HAS = re.compile(
    r"\bwho(?P<said>['’]s)\s+(?=(?:ever\s+)?(?:been|had|got|taken|received|died|left)\b)", re.IGNORECASE
)
"""Who has, and not who is."""
_ENDED_UP = re.compile(r"\b(?P<said>(?:ended|ends|end|ending|wound|winds|wind)\s+up)\s+(?=on\b)", re.IGNORECASE)
"""What somebody was on in the end is what he was on: nothing ended."""
_GERM = (
    r"e\.?\s?coli|mrsa|mssa|vre|esbl|staph\w*|strep\w*|klebsiella|pseudomonas|enterococc\w*|enterobacter|proteus|serratia|candida|yeast"
    r"|acinetobacter|citrobacter|stenotrophomonas|c\.?\s?diff\w*"
)
_HAD_GROWN = re.compile(
    rf"\b(?P<said>had|have|has|with)\s+(?=(?:{_GERM})(?:\s+\w+)?\s+in\s+(?:the\s+|their\s+|his\s+|her\s+|a\s+)?(?:blood|urine|sputum|stool|csf|wound|tissue|bal)\b)",
    re.IGNORECASE,
)
"""What grew in a specimen: "who had E. coli in the urine"."""
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
_OF_COSTS = r"(?:month|year|quarter|week|day|ward|unit|care\s+unit|department|insurance|payer|specialty|service)"
_DEAREST_OF = re.compile(
    rf"\b(?:which|what)\s+{_OF_COSTS}(?:\s+(?:of|in)\s+(?:\d{{4}}|last\s+year|this\s+year))?\s+(?P<said>(?:was|is)\s+(?:the\s+)?(?:most\s+expensive|costliest|dearest|priciest)"
    r"|costs?\s+(?:us\s+|the\s+hospital\s+)?(?:the\s+)?most|had\s+the\s+highest\s+(?:costs?|charges|bills?|spend(?:ing)?))\b",
    re.IGNORECASE,
)
_DEAREST_STAY = re.compile(
    r"\b(?:which|what)\s+(?:single\s+)?(?:hospital\s+|icu\s+)?(?:stay|admission|visit|patient|hospitali[sz]ation)\s+"
    r"(?P<said>(?:was|is)\s+(?:the\s+)?(?:most\s+expensive|costliest|dearest|priciest)(?:\s+of\s+all)?"
    r"(?:\s*,?\s*and\s+(?:what\s+(?:does|did)\s+it\s+come\s+to|how\s+(?:much|high)\s+(?:is|was)\s+(?:it|that)))?)(?=\W*$)",
    re.IGNORECASE,
)
_DEAREST = re.compile(
    rf"\b(?P<said>(?:which|what)\s+(?:was|is)\s+(?:the|our)\s+(?:most\s+expensive|costliest)\s+(?P<what>{_OF_COSTS}))\b",
    re.IGNORECASE,
)
"""Of what the costs were the highest in all: "which month was the most expensive?"."""
_BIGGEST_BILL = re.compile(
    r"\b(?P<said>(?:has|had|got|ran\s+up)\s+the\s+(?P<most>biggest|largest|highest|smallest|lowest)\s+(?:bill|invoice|charges?|costs?)(?:\s+of\s+(?:all|them\s+all))?"
    r"(?:\s*,?\s*and\s+(?:what\s+(?:does|did)\s+it\s+come\s+to|how\s+(?:much|high)\s+(?:is|was)\s+(?:it|that)))?)(?=\W*$)",
    re.IGNORECASE,
)
"""What costs most in all: "which admission has the biggest bill of all, and what does it come to?"."""
_PRESCRIBED = re.compile(
    r"\b(?P<said>(?:do|did|does)\s+(?:our|the|my|your)\s+(?:doctors?|physicians?|clinicians?|nurses?|staff|consultants?|prescribers?|teams?)\s+"
    r"(?P<what>prescribe|order|give|use|request))\b",
    re.IGNORECASE,
)
_DONE_BY_STAFF = {
    "prescribe": "prescribed",
    "order": "ordered",
    "give": "given",
    "use": "used",
    "request": "requested",
}
"""What those who care for patients do, whoever they are: "which drugs do our doctors prescribe most"."""
_SPENT_TIME = re.compile(r"\b(?P<said>spent\s+(?:any\s+|some\s+)?time)\s+(?=(?:on|in|at)\b)", re.IGNORECASE)
"""Who spent time somewhere was there."""
_TOOK_LEAVE = re.compile(
    r"\b(?P<said>(?:(?:took|takes|take|taken)\s+(?:their|his|her)\s+own\s+discharge|(?:has\s+|have\s+|had\s+)?self-?\s?discharged"
    r"|discharged\s+(?:themselves|himself|herself))(?:\s+against\s+(?:medical\s+)?advice)?)\b",
    re.IGNORECASE,
)
"""Who went when he was advised to stay: "which patients took their own discharge?"."""
_SETS = re.compile(r"\b(?:obs|observations?|vitals)(?P<said>\s+sets)\b", re.IGNORECASE)
_INCLUDED = re.compile(r"(?P<said>\s*,\s*(?:[a-z-]+\s+){1,2}included)(?=\s*\W*$)", re.IGNORECASE)
"""What is counted with the others, as anybody would: "in any sample, screens included"."""
_NUMBERS_OF = re.compile(
    r"\b(?:bed|room|ward|hospital|phone|id|record|patient|account)\s+(?P<said>nos)\b", re.IGNORECASE
)
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
_TOP_VALUES = re.compile(
    r"^\W*(?:(?:what\s+(?:are|were)|show(?:\s+me)?|list|give\s+me)\s+)?(?:the\s+|our\s+)?(?P<said>top\s+(?P<n>\d+|two|three|four|five|ten))\s+"
    r"(?=(?:[\w-]+\s+){1,3}(?:results?|values?|levels?|readings?)\b)",
    re.IGNORECASE,
)
"""The highest of values: "top 3 troponin results"."""
_LIMIT = r"(?:under|over|above|below|in|since|after|before|at\s+least|at\s+most|more\s+than|less\s+than)"
_CORRECTED = re.compile(
    rf"\b(?P<said>{_LIMIT}\s+(?:the\s+age\s+of\s+)?[\d.]*\d\W+(?:(?:no|sorry|wait|oops|hang\s+on|i\s+mean(?:t)?|actually|make\s+that|rather)\W+)+)"
    rf"(?={_LIMIT}\s+\d)",
    re.IGNORECASE,
)
"""A limit that is taken back: "under 30.. no sorry, make that under 40"."""
_THOSE_TOO = re.compile(
    r"^\W*(?:who|which|list|show|give|name)\b[^?]*?(?P<said>\s*[?;]\s*(?:and\s+)?(?P<what>[a-z]+(?:(?:\s*,\s*|\s+and\s+|\s*&\s*)[a-z]+){0,3})\s+(?:too|as\s+well)"
    r"(?:\s*,?\s*(?:please|pls))?)\W*$",
    re.IGNORECASE,
)
"""What is to be told with them: "who is on the ward? age and sex too please"."""
_KEEPS_COMING = re.compile(
    r"\b(?P<said>(?:(?:which|what)\s+(?:one|patient)|who)(?:\s+of\s+(?:them|these|those))?\s+(?:keeps?\s+(?:on\s+)?coming\s+back|comes?\s+back\s+(?:the\s+)?most(?:\s+often)?))\b",
    re.IGNORECASE,
)
"""Who has been there most often: "which one keeps coming back?"."""
_FEVER = re.compile(
    r"\b(?P<said>(?:an?\s+)?(?:fevers?|pyrexia))(?=\s*(?:of|over|above|exceeding|>=?|≥|more\s+than|higher\s+than|greater\s+than|at\s+least)"
    r"\s*(?:at\s+least\s*)?(?:3[7-9]|4[0-3]|9[89]|10\d)\b)",
    re.IGNORECASE,
)
"""A fever with a number is a temperature: "had a fever over 39"."""
_KINDS_AGAIN = re.compile(
    r"\b(?P<one>[a-z][\w-]*)\s+(?P<said>(?P<noun>admissions?|stays?|patients?|visits?|discharges?|deaths?)\s+)"
    r"(?=(?:vs\.?|versus|compared\s+(?:to|with))\s+(?:[\w-]+\s+){1,2}(?P=noun)\b)",
    re.IGNORECASE,
)
"""A noun that is said of both: "weekend admissions vs weekday admissions"."""
_OUTPUT = re.compile(
    r"^\W*(?:(?:and|so)\W+)*what\s+(?:was|is|were)\s+(?P<said>(?:the|his|her|their)\s+urine\s+output)(?=\s+(?:in|during|over|on|for|of|within)\b)"
    r"(?!.*\b(?:each|every|per|by|hourly|when|highest|lowest|average|mean)\b)",
    re.IGNORECASE,
)
"""How much it was in all: "what was the urine output on day 1?"."""
_COMMON = re.compile(
    r"^\W*(?:(?:what|which)\s+are\s+|list\s+|show\s+(?:me\s+)?)?(?:the\s+|our\s+)?(?P<said>common)\s+(?=(?:[\w-]+\s+)?(?:organisms|bugs|germs"
    r"|diagnoses|problems|conditions|comorbidities|drugs|meds|medications|antibiotics|procedures|operations|labs|tests|allergies)\b)",
    re.IGNORECASE,
)
"""What is common is what is commonest: "common organisms in urine"."""
_IN_FOR = re.compile(
    r"^\W*(?:(?:and|so)\W+)*what\s+(?:was|were|is|are)\s+(?:he|she|they)\s+(?P<said>in(?:\s+(?:the\s+)?hospital)?\s+for)(?=\W*$)",
    re.IGNORECASE,
)
"""What somebody came with: "what was she in for?"."""
_WHICH_UNIT = re.compile(
    r"\b(?:which|what)\s+(?P<said>units?)\s+(?=(?:was|were|is)\s+(?:he|she)\s+(?:on|in|at)\b)", re.IGNORECASE
)
"""Where somebody was, and not in what something is measured: "which unit was she on?"."""
_ADMISSION_WEIGHT = re.compile(
    r"\b(?P<said>admission\s+)(?=(?:weight\s+(?:and|&)\s+height|height\s+(?:and|&)\s+weight)\b)", re.IGNORECASE
)
"""What was measured when somebody came: "admission weight and height"."""
_ALL_DEAD = re.compile(
    r"^\W*(?P<said>how\s+many\s+(?:of\s+(?:our|the|these)\s+)?(?:patients|people)\s+(?:have\s+)?died\s*[?,;.]\s*(?:and\s+)?when\s*(?:,|,?\s+and)\s+of\s+what)\W*$",
    re.IGNORECASE,
)
"""All who died, one by one: "how many patients died? When, and of what?"."""
_GREW_TOO = re.compile(
    r"^\W*(?:who|which\s+patients)\s+(?:has\s+|have\s+)?(?:ever\s+)?had\s+(?:an?\s+)?positive\s+(?:[\w-]+\s+)?cultures?(?P<said>\s*,?\s+and\s+what\s+(?:grew|did\s+they\s+grow|was\s+grown|organism\w*(?:\s+was\s+it)?))\W*$",
    re.IGNORECASE,
)
"""What is wanted of each of them: "who had a positive blood culture and what grew?"."""
_NOT_YET_OUT = re.compile(
    r"\b(?P<said>(?:(?:has|have|had)\s*n['’]?t|(?:has|have|had)\s+not)\s+(?:yet\s+)?been\s+discharged(?:\s+yet)?"
    r"|(?:(?:is|are)\s*n['’]?t|(?:is|are)\s+not)\s+(?:yet\s+)?discharged(?:\s+yet)?)\b",
    re.IGNORECASE,
)
"""Who is still there: "everyone who hasn't been discharged yet"."""
_NOW_THEN = re.compile(
    r"^\W*(?:(?:ok|okay|so|and|good|thanks|great)\W+)*(?P<said>now\W+)(?=(?:then\W+)?(?:please\W+)?(?:list|show|give|tell|name|count|print|display"
    r"|how\s+(?:many|much|old|long)|which|what|can\s+you|could\s+you)\b)",
    re.IGNORECASE,
)
"""With "now" a turn goes on, and asks for nothing that is so at the moment: "now list the women"."""
_HAS_COST = re.compile(
    r"\b(?P<said>has|have|had)\s+(?=cost\s+(?:us\s+|me\s+)?(?:the\s+)?(?:most|least)\b)", re.IGNORECASE
)
"""What costs most did, up to now."""
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
_WHICH_MOST = re.compile(
    r"\b(?:by|per|each|every)\b.*?(?P<said>\s*[,;?.]?\s*(?:and\s+)?(?:which|what)\s+(?:one|category|group|kind|type|of\s+(?:them|these|those))?\s*"
    r"(?:is|was|has|had|comes\s+out)\s+(?:the\s+)?(?P<most>biggest|largest|highest|greatest|commonest|smallest|lowest|fewest|most\s+common|most))\s*\W*$",
    re.IGNORECASE,
)
"""Which of the groups is first, asked behind them: "by category, and which one is the biggest?"."""
_LEAST = ("smallest", "lowest", "fewest")
_TRUE = r"(?:true|right|correct|so|the\s+case|a\s+fact|accurate)"
_IS_IT_TRUE = re.compile(
    rf"^\W*(?:(?:and|so|but|ok)\W+)*(?P<said>(?:is|was|isn't)\s+it\s+(?:really\s+|actually\s+)?{_TRUE},?\s+that)\s",
    re.IGNORECASE,
)
_TAG = (
    rf"(?:\s*[,;–—-]+\s*|\s*\?\s+)(?:(?:is|was)\s+(?:that|this|it)\s+{_TRUE}|(?:am\s+i|are\s+we)\s+(?:right|correct)"
    r"|true\s+or\s+(?:false|not)|yes\s+or\s+no|right|correct|no)(?=\s*\?\W*$)"
)
_STATED = (
    r"^\W*(?:(?:and|so|but|ok)\W+)*"
    r"(?P<{}>(?:patient|pt|the|he|she|they|these|those|nobody|no\s+one|somebody|some)\b|\d[\d-]*)"
)
_TAGGED = re.compile(rf"{_STATED.format('said')}(?=.*{_TAG})", re.IGNORECASE)
_TAG_OF_IT = re.compile(rf"{_STATED.format('who')}.*?(?P<said>{_TAG})", re.IGNORECASE)
"""A statement that is to be confirmed: "is it true that he was given heparin?", "patient 7 died here, right?"."""
_BOTH_SYSTEMS = re.compile(
    r"(?:\s*[,(]\s*|\s+)(?:(?:in|by|with|from|of|as|under|per)\s+)?(?:(?:both|either|any)\s+)?icd[\s-]*9(?:[\s-]*cm)?\s*"
    r"(?:,|/|&|\+|\band\b|\bor\b)\s*(?:icd[\s-]*)?10(?:[\s-]*cm)?(?:\s+codes?)?(?:\s*,?\s+(?:(?:taken\s+|counted\s+)?together|combined|both|either))?"
    r"\)?(?=\W|$)",
    re.IGNORECASE,
)
"""Both systems of codes, which are meant where neither is said: "coded with gout (ICD-9 or ICD-10)"."""
_WHOSE_RECORD = re.compile(
    r"\b(?P<said>whose\s+(?:records?|charts?|files?|notes?|history|problem\s+lists?)\s+"
    r"(?:lists?|shows?|mentions?|says?|has|have|contains?|includes?|carry|carries))\b",
    re.IGNORECASE,
)
"""Who has something in what is kept of him: "whose chart mentions asthma?"."""

_LONGEST = 2_000
"""Letters of a question, as the planner takes them."""
_BLANKS = re.compile(r"\s{6}")


@dataclass(frozen=True)
class _Aside:
    """What is `said`, its group of that name or all of it, and what to read in its place; `later` where only turns that
    go on from others say it."""

    said: re.Pattern[str]
    read: Callable[[re.Match[str]], str]
    later: bool = False


def _as(text: str) -> Callable[[re.Match[str]], str]:
    return lambda found: found.expand(text)


_NOTHING = _as("")
_ASIDES = (
    _Aside(_MISTAKEN, _as("sorry, I meant "), later=True),
    _Aside(_NOW_THEN, _NOTHING, later=True),
    _Aside(_EACH, lambda found: f"by {singular(found['what'].lower())}?", later=True),
    _Aside(_WAITED, _as("stayed")),
    _Aside(_STAYED, _as("lasted")),
    _Aside(_GROWN, _as("which organisms grew")),
    _Aside(_IN_HOW_MANY, _as(", with number of patients")),
    _Aside(_OUTPATIENT, _NOTHING),
    _Aside(_MISSED, _as(r"\g<how> \g<what>")),
    _Aside(_SUFFERER, lambda found: f"patient with {_SUFFERERS[found['said'].lower()]}"),
    _Aside(_FOR_EACH, _as(": number of patients for each")),
    _Aside(_THAT_TIME, _as(r" during the \g<nth> hospital stay")),
    _Aside(_WHO, _as("? list them")),
    _Aside(_INPATIENTS, _as("how many patients are in the hospital right now")),
    _Aside(_NUMBERED, _NOTHING),
    _Aside(_KINDS_AGAIN, _NOTHING),
    _Aside(_OUTPUT, _as("the total urine output")),
    _Aside(_COMMON, _as("most common")),
    _Aside(_IN_FOR, _as("admitted with")),
    _Aside(_WHICH_UNIT, _as("care unit")),
    _Aside(_ADMISSION_WEIGHT, _NOTHING),
    _Aside(_ALL_DEAD, _as("which patients died, when, and of what")),
    _Aside(_GREW_TOO, _as(" and the organism")),
    _Aside(_BIGGEST_BILL, lambda found: f"cost the {'least' if found['most'].lower() in _LEAST else 'most'}"),
    _Aside(_PRESCRIBED, lambda found: f"are {_DONE_BY_STAFF[found['what'].lower()]}"),
    _Aside(_SPENT_TIME, _as("were")),
    _Aside(_TOOK_LEAVE, _as("left against medical advice")),
    _Aside(_SETS, _NOTHING),
    _Aside(_INCLUDED, _NOTHING),
    _Aside(_NUMBERS_OF, _as("numbers")),
    _Aside(_SINCE_MIDNIGHT, _as("today")),
    _Aside(_BACK_TO_ICU, lambda found: f"had at least 2 {found['unit']} stays in the same hospital admission"),
    _Aside(_TOP_VALUES, _as(r"\g<n> highest")),
    _Aside(_CORRECTED, _NOTHING),
    _Aside(_THOSE_TOO, _as(r", with \g<what>")),
    _Aside(_KEEPS_COMING, _as("who of them has the most admissions"), later=True),
    _Aside(_FEVER, _as("a temperature")),
    _Aside(_NOT_YET_OUT, _as("is still in the hospital")),
    _Aside(_DEAREST_OF, _as("had the highest total cost")),
    _Aside(_DEAREST_STAY, _as("cost the most")),
    _Aside(_DEAREST, _as(r"which \g<what> had the highest total cost")),
    _Aside(_ADMITTED_NOW, _as("in the hospital right now")),
    _Aside(_IN_AND_OUT, _as("admission date, discharge date")),
    _Aside(_HAD_GROWN, lambda found: "who grew" if found["said"].lower() == "with" else "grew"),
    _Aside(_FOLLOWED, _as("were readmitted")),
    _Aside(_TIMES_READMITTED, _as("how many readmissions")),
    _Aside(_TIMES_FOR_SOMEBODY, _NOTHING),
    _Aside(_AND_OF_WHAT, _as(" and of what")),
    _Aside(_WHO_HAS, _as(" has")),
    _Aside(_ENDED_UP, _as("were")),
    _Aside(_TITLE, _NOTHING),
    _Aside(_CREDENTIALS, _NOTHING),
    _Aside(_HAS_COST, _NOTHING),
    _Aside(_VOLUME, lambda found: _VOLUMES[found["of"].lower()]),
    _Aside(_CENSUS, _as("number of patients in the hospital right now")),
    _Aside(_IN_HOUSE, _as("hospital")),
    _Aside(
        _UNIT_OF_STAYS, lambda found: f"{'first' if found['when'].lower() in ('start', 'beg') else 'last'} care unit"
    ),
    _Aside(_WHICH_MOST, lambda found: f", {'lowest' if found['most'].lower() in _LEAST else 'highest'} first"),
    _Aside(_LIVE_DISCHARGE, _as(r"were discharged alive and died \g<soon> of discharge")),
    _Aside(_PART_OF, _as("what percentage of")),
    _Aside(_BOTH_SYSTEMS, _NOTHING),
    _Aside(_WHOSE_RECORD, _as("which patients have")),
    _Aside(_IS_IT_TRUE, _as("tell me if")),
    _Aside(_TAGGED, _as(r"tell me if \g<said>")),
    _Aside(_TAG_OF_IT, _NOTHING),
    _Aside(_IN_BRACKETS, _NOTHING),
    _Aside(_US, _NOTHING),
    _Aside(_ALL_OUR, _NOTHING),
    _Aside(_STILL_SMOKE, _NOTHING),
    _Aside(_WHAT_AND_HOW_MANY, _as(", with counts")),
    _Aside(_REASONS_FOR, _as(r"\g<what> reasons")),
    _Aside(_DIED_OF, _as(r"cause of death of \g<who>")),
    _Aside(_PER_ONE_OF_CLASS, _as("drug")),
    _Aside(_IS_IT_FLAGGED, _as(", with its flag")),
    _Aside(_SPLIT_BY, _as(" by")),
    _Aside(_LYING, _NOTHING),
    _Aside(_TO_THE_ICU, _as("to icu admission")),
    _Aside(_AS_A_CODE, _NOTHING),
    _Aside(_ON_THEIR_LIST, _NOTHING),
    _Aside(_HOW_LONG_TOO, _NOTHING),
    _Aside(_EITHER_AS, _as(r"\g<one> as the \g<what> or \g<other> as the \g<what>")),
    _Aside(_OF_EITHER, _as(r"\g<one> as the \g<what> or \g<other> as the \g<what>")),
    _Aside(_VERY, _NOTHING),
    _Aside(_WHATEVER, _NOTHING),
    _Aside(_ON_MONITOR, _NOTHING),
    _Aside(_CAME_BACK, _as("had ")),
)


def asides(question: str, *, goes_on: bool) -> list[Spelling]:
    """What to leave out of a question, or of a turn that `goes_on` from others, or to read in its place; of two that
    overlap the first is meant."""
    if len(question) > _LONGEST or _BLANKS.search(question):
        return []  # no question, and long to look through
    read: list[Spelling] = []
    for one in _ASIDES:
        for found in one.said.finditer(question) if goes_on or not one.later else ():
            start, end = found.span("said" if "said" in one.said.groupindex else 0)
            if all(end <= other.start or other.end <= start for other in read):
                read.append(Spelling(start, end, one.read(found)))
    return sorted(read, key=lambda each: each.start)
