"""What is said of records in more words than are needed: what grew, what was given, what was measured, what it cost."""

from __future__ import annotations

import re

from ehrtui.planning.offline.aside import LEAST, NOTHING, Aside, read_as

_US = re.compile(
    r"(?<=\bcost)\s+(?:us|me|the\s+hospital)(?=\s+(?:on\s+average|each|per|typically|usually)\b)", re.IGNORECASE
)
"""Whom something costs what it does."""
_CAME_BACK = re.compile(
    r"\b(?P<said>(?:came|come|comes|coming|returned|were\s+reported|was\s+reported)\s+(?:back\s+)?(?:as\s+|with\s+)?)(?=(?:no|nil)\s+growth\b)",
    re.IGNORECASE,
)
"""What cultures had that "came back no growth"."""
_ON_MONITOR = re.compile(r"\s+(?:on|from|off)\s+(?:the\s+|a\s+)?(?:bedside\s+)?monitors?\b", re.IGNORECASE)
"""Where what is measured at the bedside is read."""
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
_IS_IT_FLAGGED = re.compile(
    r"\b(?:last|latest|first|most\s+recent|newest|highest|lowest)\b.*?(?P<said>\s*[,;?.]?\s*(?:and\s+)?(?:is|was)\s+(?:it|that|this)\s+"
    r"(?:flagged|abnormal|flagged\s+(?:as\s+)?abnormal|normal|out\s+of\s+range))\W*$",
    re.IGNORECASE,
)
"""What a value is flagged as, asked behind it."""
_CLASS = (
    r"statin|antibiotic|opioid|opiate|pressor|vasopressor|diuretic|steroid|anticoagulant|insulin|benzo|benzodiazepine"
    r"|antifungal|antiviral|antidepressant|antipsychotic|sedative|ppi|nsaid|laxative"
)
_PER_ONE_OF_CLASS = re.compile(
    rf"\b(?P<class>{_CLASS})s?\b.*\b(?:by|per|for\s+each)\s+(?:single\s+|individual\s+)?(?P<said>(?P=class)s?)(?=\s*(?:please|pls)?\W*$)",
    re.IGNORECASE,
)
"""The drugs of a class, one by one: "patients on a statin, per statin"."""
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
_TIMES_FOR_SOMEBODY = re.compile(
    r"\b(?:how\s+many\s+times|how\s+often|number\s+of\s+times)\s+(?:was|were|has|have|had|did)"
    r"(?P<said>\s+(?:someone|somebody|anyone|anybody|(?:a|any)\s+(?:patient|person)))\b",
    re.IGNORECASE,
)
"""Whom something befell, where it is counted how often it did: "how many times was a patient intubated"."""
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
_OF_COSTS = r"(?:month|year|quarter|week|day|ward|unit|care\s+unit|department|insurance|payer|specialty|service)"
_DEAREST_OF = re.compile(
    rf"\b(?:which|what)\s+{_OF_COSTS}(?:\s+(?:of|in)\s+(?:\d{{4}}|last\s+year|this\s+year))?\s+(?P<said>(?:was|is)\s+(?:the\s+)?(?:most\s+expensive|costliest|dearest|priciest)"
    r"|costs?\s+(?:us\s+|the\s+hospital\s+)?(?:the\s+)?most|had\s+the\s+highest\s+(?:costs?|charges|bills?|spend(?:ing)?))\b",
    re.IGNORECASE,
)
_AND_HOW_MUCH = (
    r"(?:\s*,?\s*and\s+(?:what\s+(?:does|did)\s+it\s+come\s+to|how\s+(?:much|high)\s+(?:is|was)\s+(?:it|that)))?"
)
_DEAREST_STAY = re.compile(
    r"\b(?:which|what)\s+(?:single\s+)?(?:hospital\s+|icu\s+)?(?:stay|admission|visit|patient|hospitali[sz]ation)\s+"
    r"(?P<said>(?:was|is)\s+(?:the\s+)?(?:most\s+expensive|costliest|dearest|priciest)(?:\s+of\s+all)?"
    rf"{_AND_HOW_MUCH})(?=\W*$)",
    re.IGNORECASE,
)
_DEAREST = re.compile(
    rf"\b(?P<said>(?:which|what)\s+(?:was|is)\s+(?:the|our)\s+(?:most\s+expensive|costliest)\s+(?P<what>{_OF_COSTS}))\b",
    re.IGNORECASE,
)
"""Of what the costs were the highest in all: "which month was the most expensive?"."""
_BIGGEST_BILL = re.compile(
    r"\b(?P<said>(?:has|had|got|ran\s+up)\s+the\s+(?P<most>biggest|largest|highest|smallest|lowest)\s+(?:bill|invoice|charges?|costs?)(?:\s+of\s+(?:all|them\s+all))?"
    rf"{_AND_HOW_MUCH})(?=\W*$)",
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
_SETS = re.compile(r"\b(?:obs|observations?|vitals)(?P<said>\s+sets)\b", re.IGNORECASE)
_TOP_VALUES = re.compile(
    r"^\W*(?:(?:what\s+(?:are|were)|show(?:\s+me)?|list|give\s+me)\s+)?(?:the\s+|our\s+)?(?P<said>top\s+(?P<n>\d+|two|three|four|five|ten))\s+"
    r"(?=(?:[\w-]+\s+){1,3}(?:results?|values?|levels?|readings?)\b)",
    re.IGNORECASE,
)
"""The highest of values: "top 3 troponin results"."""
_FEVER = re.compile(
    r"\b(?P<said>(?:an?\s+)?(?:fevers?|pyrexia))(?=\s*(?:of|over|above|exceeding|>=?|≥|more\s+than|higher\s+than|greater\s+than|at\s+least)"
    r"\s*(?:at\s+least\s*)?(?:3[7-9]|4[0-3]|9[89]|10\d)\b)",
    re.IGNORECASE,
)
"""A fever with a number is a temperature: "had a fever over 39"."""
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
_ADMISSION_WEIGHT = re.compile(
    r"\b(?P<said>admission\s+)(?=(?:weight\s+(?:and|&)\s+height|height\s+(?:and|&)\s+weight)\b)", re.IGNORECASE
)
"""What was measured when somebody came: "admission weight and height"."""
_GREW_TOO = re.compile(
    r"^\W*(?:who|which\s+patients)\s+(?:has\s+|have\s+)?(?:ever\s+)?had\s+(?:an?\s+)?positive\s+(?:[\w-]+\s+)?cultures?(?P<said>\s*,?\s+and\s+what\s+(?:grew|did\s+they\s+grow|was\s+grown|organism\w*(?:\s+was\s+it)?))\W*$",
    re.IGNORECASE,
)
"""What is wanted of each of them: "who had a positive blood culture and what grew?"."""
_HAS_COST = re.compile(
    r"\b(?P<said>has|have|had)\s+(?=cost\s+(?:us\s+|me\s+)?(?:the\s+)?(?:most|least)\b)", re.IGNORECASE
)
"""What costs most did, up to now."""
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
_NEVER_HAD = re.compile(
    r"\b(?P<said>(?:in|for|to)\s+whom\s+(?P<what>[a-z][\w-]*(?:\s+[\w-]+){0,2}?)\s+(?:was|were|has\s+been|have\s+been|had\s+been)\s+(?:never|not(?:\s+ever)?)\s+"
    r"(?:prescribed|given|ordered|administered|started|measured|checked|done|taken|recorded|found))\b",
    re.IGNORECASE,
)
"""What some never had: "the diabetics in whom insulin was never prescribed"."""
_AN_EVENT = re.compile(
    r"\b(?:with|had)\s+(?:an?|any)\s+(?!(?:adverse|lab|chart|output|input|transfer|clinical|callout|safety)\b)[a-z-]+(?:\s+[a-z-]+){0,2}?"
    r"(?P<said>\s+events?)(?=\s+(?:documented|charted|recorded|logged|noted|registered|entered|in|on|during)\b|\s*\W*$)",
    re.IGNORECASE,
)
"""That something happened, which its name says: "patients with a cardiac arrest event"."""
_NO_DRUG = (
    r"route|liquid|solution|suspension|rinse|swab|doses?|dosing|intake|care|hygiene|surgery|temperatures?|cavity|airway|feeds?|feeding|contracepti\w+"
    r"|candid\w+|thrush|mucos\w+|ulcers?|lesions?|cancers?|secretions|form|formulation|administration|rehydration|glucose|contrast|or|and|vs"
    r"|during|by|in|on|at|of|for|since|until|from|the|this|last|before|after|within|per|is|was|were"
)
_ORAL = re.compile(
    rf"(?<![-:/,]\s)\b(?P<said>oral\s+(?P<what>(?!(?:{_NO_DRUG})\b)[a-z][\w-]{{2,}}))\b(?!\s+(?:liquid|solution|suspension|tolerance))",
    re.IGNORECASE,
)
_BY_MOUTH = re.compile(
    r"\b(?:got|on|of|received|given|prescribed|was|were|had|have|any|with|which|ever|taking|is)\s+"
    rf"(?P<said>p\.?o\.?\s+(?P<what>(?!(?:{_NO_DRUG}|tabs?|tablets?|caps?|capsules?|soln|susp|liq|meds?|drugs?|ng)\b)[a-z][\w-]{{3,}}))\b",
    re.IGNORECASE,
)
"""How a drug is given, said before its name: "oral vancomycin", "on po vancomycin"."""
_CAME_OUT = re.compile(
    r"\b(?P<said>(?:came\s+(?:out|back)|(?:was|were|are|is)(?:\s+reported)?|tested|reported|read)\s+(?:as\s+)?(?P<letter>(?-i:[RSI])))(?=\W|$)",
    re.IGNORECASE,
)
_INTERPRETED = {"R": "resistant", "S": "sensitive", "I": "intermediate"}
"""What a test against a drug found, by its letter: "what share came out R?"."""
_ALL_IN_ALL = re.compile(
    r"(?P<said>\s*,\s*(?:everything|all|all\s+costs?|all\s+charges)\s+(?:added\s+up|together|included|in|taken\s+together|combined))(?=\W*$)",
    re.IGNORECASE,
)
"""What is summed up anyway: "what does a stay cost, everything added up?"."""
_DEVICE = (
    r"(?:[\w-]+\s+){0,2}?"
    r"(?:lines?|catheters?|tubes?|drains?|cannulas?|piccs?|foleys?|a-?lines?|sheaths?|ports?|stents?|vents?)"
)
_DWELL_OF = re.compile(
    r"\b(?P<said>dwell(?:ing)?[\s-]+times?\s+(?:per|of|for)\s+(?:each\s+|an?\s+|the\s+)?)(?=\w)", re.IGNORECASE
)
_DWELL = re.compile(
    rf"(?:^|\b(?:mean|average|avg|median|longest|shortest|total|the|our)\s+)(?P<said>(?P<what>(?!mean\b|average\b|avg\b|median\b){_DEVICE})\s+dwell(?:ing)?[\s-]+times?)\b",
    re.IGNORECASE,
)
"""How long a device was in somebody: "mean a-line dwell time"."""
_IN_PLACE = re.compile(
    rf"\bhow\s+(?P<said>(?P<long>long|many\s+(?P<unit>hours|days))\s+(?:(?:does|do|did|is|are|was|were)\s+)(?P<what>(?:an?\s+|the\s+|our\s+)?{_DEVICE})\s+"
    r"(?:usually\s+|typically\s+|normally\s+)?(?:(?:stay|sit|remain|kept|left|dwell)(?:\s+(?:in\s+(?:place|situ)|there|in))?|in\s+(?:place|situ)|in))(?=\s+on\s+average|\W*$)",
    re.IGNORECASE,
)

OF_RECORDS = (
    Aside(_DWELL_OF, read_as("duration of ")),
    Aside(_DWELL, read_as(r"duration of \g<what>")),
    Aside(
        _IN_PLACE,
        lambda found: f"long does {found['what']} last{' in ' + found['unit'] if found['unit'] else ''}",
    ),
    Aside(_CAME_OUT, lambda found: f"were {_INTERPRETED[found['letter']]}"),
    Aside(_ALL_IN_ALL, NOTHING),
    Aside(_ORAL, read_as(r"\g<what> by mouth")),
    Aside(_BY_MOUTH, read_as(r"\g<what> by mouth")),
    Aside(_NEVER_HAD, read_as(r"without \g<what>")),
    Aside(_AN_EVENT, NOTHING),
    Aside(_GROWN, read_as("which organisms grew")),
    Aside(_IN_HOW_MANY, read_as(", with number of patients")),
    Aside(_SUFFERER, lambda found: f"patient with {_SUFFERERS[found['said'].lower()]}"),
    Aside(_OUTPUT, read_as("the total urine output")),
    Aside(_COMMON, read_as("most common")),
    Aside(_ADMISSION_WEIGHT, NOTHING),
    Aside(_GREW_TOO, read_as(" and the organism")),
    Aside(_BIGGEST_BILL, lambda found: f"cost the {'least' if found['most'].lower() in LEAST else 'most'}"),
    Aside(_PRESCRIBED, lambda found: f"are {_DONE_BY_STAFF[found['what'].lower()]}"),
    Aside(_SETS, NOTHING),
    Aside(_TOP_VALUES, read_as(r"\g<n> highest")),
    Aside(_FEVER, read_as("a temperature")),
    Aside(_DEAREST_OF, read_as("had the highest total cost")),
    Aside(_DEAREST_STAY, read_as("cost the most")),
    Aside(_DEAREST, read_as(r"which \g<what> had the highest total cost")),
    Aside(_HAD_GROWN, lambda found: "who grew" if found["said"].lower() == "with" else "grew"),
    Aside(_TIMES_FOR_SOMEBODY, NOTHING),
    Aside(_ENDED_UP, read_as("were")),
    Aside(_HAS_COST, NOTHING),
    Aside(_BOTH_SYSTEMS, NOTHING),
    Aside(_WHOSE_RECORD, read_as("which patients have")),
    Aside(_US, NOTHING),
    Aside(_STILL_SMOKE, NOTHING),
    Aside(_WHAT_AND_HOW_MANY, read_as(", with counts")),
    Aside(_PER_ONE_OF_CLASS, read_as("drug")),
    Aside(_IS_IT_FLAGGED, read_as(", with its flag")),
    Aside(_AS_A_CODE, NOTHING),
    Aside(_ON_THEIR_LIST, NOTHING),
    Aside(_EITHER_AS, read_as(r"\g<one> as the \g<what> or \g<other> as the \g<what>")),
    Aside(_OF_EITHER, read_as(r"\g<one> as the \g<what> or \g<other> as the \g<what>")),
    Aside(_ON_MONITOR, NOTHING),
    Aside(_CAME_BACK, read_as("had ")),
)
"""These asides: of two that overlap the first is meant."""
