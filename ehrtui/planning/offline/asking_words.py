"""Words that ask for information, or only say that something happened: they add nothing to what is asked.

Each is so in its place alone. "Reveal the last creatinine" asks; "what did the X-ray reveal" is a question of its own,
and there the word stays unexplained.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ehrtui.planning.offline.lexicon import Meaning
from ehrtui.planning.offline.words import Mark

_ASKS = (Meaning("want", "list"),)
_FILLS = (Meaning("polite", "polite"),)
_COUNTS = (Meaning("want", "count"),)
_DIAGNOSIS = (Meaning("verb", "diagnosis"),)

_BEGIN = (
    r"(?:^|[,.:;])\W{0,4}(?:(?:hey|hi|hello|there|please|pls|kindly|and|now|so|ok|okay|just|well|then|also"
    r"|(?:can|could|would|will)\s+you|(?:i|we)\s+(?:want|need|would\s+like)\s+you\s+to|i['’]d\s+like\s+you\s+to"
    r"|help\s+(?:me|us)(?:\s+to)?)\W{1,4})*"
)
_TELL = (
    r"reveal|disclose|divulge|unveil|uncover|unfold|expose|fetch|relay|convey|clarify|specify|outline|itemi[sz]e"
    r"|ascertain|discern|look\s+up|pull\s+(?:up|out)|bring\s+up|dig\s+(?:up|out)|work\s+out|find\s+out|figure\s+out"
    r"|point\s+out|spell\s+out|read\s+out|track\s+down"
)
"""Verbs that ask for information whatever their object is."""
_GATHER = (
    r"gather|collect|compile|collate|assemble|extract|obtain|acquire|access|generate|produce|supply|furnish|deliver"
    r"|present|output|return|search\s+for|locate|establish|verify|select|query|derive|quote|total|sum\s+up|add\s+up"
    r"|recall|bring"
)
"""Verbs that may as well have something done ("collect the sputum"), unless their object is information."""
_INFORMATION = (
    r"(?:totals?|sums?|numbers?|counts?|lists?|names?|ids?|values?|amounts?|information|data|results?|times?|dates?"
    r"|averages?|means?|maximum|minimum|median|highest|lowest|costs?|prices?|top|most|ages?|genders?|how|what|which"
    r"|when)"
)
_OBJECT = (
    r"(?=\s+(?:(?:me|us|for\s+me|for\s+us)\s+)?(?:(?:the|all|a|an|any|every)\s+)*(?:[\w-]+\s+){0,2}"
    rf"{_INFORMATION}\b)"
)
_SHARED_WITH = r"(?!.*\bwith\s+(?:patient\s+\d|the\s+patient\b|him\b|her\b|them\b|my\b|our\b|dr\b))"
_RECORDS = (
    r"(?:procedures?|operations?|surger(?:y|ies)|interventions?|treatments?|diagnos[ei]s|diseases?|conditions?"
    r"|disorders?|illness(?:es)?|drugs?|medications?|medicines?|prescriptions?"
    r"|(?:(?:lab|laboratory|blood|microbiology|specimen)\s+)?tests?|examinations?|events?)"
)
_COST = r"(?:costs?|prices?|priced|charges?|charged|fees?|expensive|pay|paid|bills?|billed)"
_PEOPLE = r"(?:patients|people|persons|individuals|those|women|men|females|males)"
_BEHIND_BODY = (
    r"(?=\W*$|\s*[,;]|\s+(?:in|on|at|since|during|for|from|of|until|before|after|over|within|throughout|by|today"
    r"|yesterday|this|that|when|while|was|were|is|are|has|have|had|ever|and|first|second|third|last|most\s+recent\w*"
    r"|measured|taken|recorded|obtained|compared)\b)"
)
_PASSIVE = r"(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+)?"
_AS_MANNER = (
    r"(?:taken|administered|administrated|given|delivered|consumed|ingested|injected|applied|introduced|dispensed|used)"
)
_YOU = r"(?:you|we|i|anyone|someone|anybody|somebody)"
_KNOW = r"(?:know|tell|see|find|list|retrieve|learn|look|hear|ask|(?:show|give|get|provide|send)\s+(?:me|us))"
_SAME_CLAUSE = r"(?:(?!\b(?:and|or|then|after|before|while|when|had|with|,)\b).)*"

_PATTERNS: tuple[tuple[tuple[Meaning, ...], str], ...] = (
    # who asks, and how
    (_ASKS, rf"{_BEGIN}(?P<said>(?:{_TELL})(?:\s+(?:me|us|for\s+me|for\s+us))?)\b"),
    (_ASKS, rf"{_BEGIN}(?P<said>(?:inform|enlighten)\s+(?:me|us)(?:\s+(?:of|about|on|as\s+to))?)\b"),
    (_ASKS, r"\b(?:can|could|would|will)\s+you\s+(?P<said>inform\s+(?:me|us)(?:\s+(?:of|about|on|as\s+to))?)\b"),
    (_ASKS, rf"{_BEGIN}(?P<said>share)\b(?!\s+of\b){_SHARED_WITH}"),
    (_ASKS, rf"{_BEGIN}(?P<said>{_GATHER})\b{_OBJECT}"),
    (_ASKS, r"^\W*(?:the\s+)?(?P<said>(?:retrieval|listing|compilation|enumeration|calculation|computation)\s+of)\b"),
    (
        _ASKS,
        r"\b(?P<said>(?:(?:i|we)(?:['’](?:m|re)|\s+(?:am|are|was|were))\s+(?:just\s+)?(?:wondering(?:\s+about)?"
        r"|curious(?:\s+(?:about|to\s+know))?|interested\s+(?:in(?:\s+knowing)?|to\s+know)|looking(?=\s+for\b)|seeking"
        r"|asking(?:\s+about)?|trying\s+to\s+(?:find(?:\s+out)?|determine|see|know|learn))))\b",
    ),
    (
        _ASKS,
        rf"\b(?P<said>(?:i|we)(?:['’]d|\s+would)\s+(?:(?:like|love)\s+(?:you\s+)?to\s+{_KNOW}"
        r"|(?:appreciate\s+it|be\s+(?:glad|grateful))\s+if\s+you\s+(?:could|can|would)))\b",
    ),
    (_FILLS, r"\b(?P<said>(?:i|we)['’]d\s+like\s+you\s+to)\b"),
    (_ASKS, rf"^\W*(?P<said>(?:can|could|would|will|may|might)\s+{_YOU}\s+(?:(?:please|kindly)\s+)?{_KNOW})\b"),
    (_ASKS, rf"\b(?P<said>(?:is\s+it|would\s+it\s+be)\s+possible\s+(?:for\s+you\s+)?to\s+{_KNOW})\b"),
    (_ASKS, rf"\b(?P<said>are\s+you\s+able\s+to\s+{_KNOW})\b"),
    (_ASKS, r"\b(?P<said>would\s+you\s+mind\s+(?:telling|listing|finding|(?:showing|giving|sending)\s+(?:me|us)))\b"),
    (_FILLS, r"^\W*(?P<said>(?:(?:just\s+)?(?:a\s+)?quick|(?:i|we)\s+have\s+a(?:\s+quick)?)\s+question)\W"),
    (_FILLS, r"^\W*(?P<said>(?:hey|hiya|greetings|good\s+(?:morning|afternoon|evening|day))(?:\s+there)?)\b"),
    (
        _FILLS,
        r"\b(?P<said>help\s+(?:me|us)(?:\s+to)?)\s+(?:find|calculate|compute|determine|get|identify|see|know|work"
        r"|figure|list|count|retrieve|look|check|show)\b",
    ),
    (_FILLS, r"\b(?:what|when|which|where|how\s+(?:much|many))\s+(?P<said>exactly|precisely)\b"),
    (_FILLS, r"\b(?P<said>exactly|precisely)\s+(?:what|when|which|where|how\s+(?:much|many))\b"),
    (
        _FILLS,
        r"\b(?P<said>exact|precise)\s+(?:(?:total|daily|monthly|yearly)\s+)?(?:times?|dates?|values?|numbers?|amounts?"
        r"|counts?|names?|dos(?:e|age)s?|costs?|prices?)\b",
    ),
    (_FILLS, r"^\W*patient\s+[\d-]+\s*,.*?\b(?P<said>your)\s+(?:first|last|latest|most\s+recent|current)\b"),
    (
        _FILLS,
        r"\b(?P<said>based\s+(?:up)?on)\s+(?:(?:the|their|his|her|its)\s+)?(?:first|second|last|latest|most\s+recent)"
        r"\s+(?:[\w-]+\s+)?(?:measure\w*|reading|value|record|result)\b",
    ),
    (_FILLS, r"\b(?P<said>details\s+(?:of|on|about))\s+(?:the\s+)?(?:times?|dates?)\b"),
    (_FILLS, r"\bsince\b.*\b(?P<said>onwards?)\W*$"),
    # of which records
    (_FILLS, rf"\b(?P<said>medical)\s+{_RECORDS}\b"),
    (_FILLS, rf"\b(?:any|some)\s+(?P<said>(?:types?|sorts?|forms?)\s+of)\s+(?:medical\s+)?{_RECORDS}\b"),
    (_FILLS, rf"\b(?P<said>specific|particular|certain)\s+{_RECORDS}\b"),
    (_FILLS, r"\ballergic\s+to\s+(?:any|some)\s+(?P<said>substances?)\b"),
    (_FILLS, r"\b(?P<said>substances?|agents?)\b.*\ballergic\b"),
    (_FILLS, rf"(?:['’]s|s['’]|\b(?:the|his|her|their))\s+(?P<said>body)\b{_BEHIND_BODY}"),
    (_FILLS, r"\b(?:first|last)\s+(?P<said>thing)\s+(?:that\s+)?patient\b.*\bas\s+(?:an?\s+)?(?:out|in)put\b"),
    (_FILLS, r"\b(?:first|last|any)\s+(?P<said>incident)\s+of\s+(?:the\s+)?patient\b"),
    (_FILLS, r"\b(?P<said>(?:ranks?|rankings?)\s+of)\s+(?:the\s+)?top\b"),
    (_FILLS, r"\bpercentile\b.*\b(?P<said>ranks?)\s+among\b"),
    (_FILLS, r"\b(?P<said>total)\s+(?:counts?|patients|people|persons|individuals)\b"),
    (_COUNTS, rf"\b(?P<said>(?:total\s+)?(?:amount|quantity|sum)\s+of)\s+(?:the\s+|all\s+)?{_PEOPLE}\b(?!['’])"),
    (_FILLS, rf"\bhow\s+many\s+(?:\w+\s+)?{_PEOPLE}\b.*\b(?P<said>so\s+far|to\s+date|all\s+told)\b"),
    (_FILLS, rf"\b(?P<said>separate)\s+{_RECORDS}\b"),
    (_FILLS, r"\b(?P<said>how\s+(?:high|low|large|big|elevated))\s+(?:is|was)\s+(?:the|patient|his|her|their)\b"),
    (_FILLS, r"\bhow\s+much\s+(?P<said>money)\b"),
    (_FILLS, rf"(?P<said>\bin\s+total|\baltogether|\boverall)\W*\s+how\s+many\s+(?:\w+\s+)?{_PEOPLE}\b"),
    (_FILLS, rf"\b(?:how\s+many|number\s+of)\s+(?:\w+\s+)?{_PEOPLE}\b.*\b(?P<said>in\s+total|altogether)\W*$"),
    (_FILLS, rf"\bhow\s+many\s+(?:\w+\s+)?{_PEOPLE}\s+(?P<said>in\s+total|altogether|overall)\b"),
    (
        _FILLS,
        rf"\b(?:specimens?|samples?|cultures?)\b.*\b(?P<said>tested\s+for)\s+(?:the\s+)?{_PEOPLE}\b",
    ),
    (_FILLS, r"\bhospital\s+(?P<said>visit|encounter|stay|admission)\s+(?:in|at)\s+(?:the\s+)?(?:care|ward)"),
    (_FILLS, r"\b(?P<said>common|usual|typical|normal)\s+(?:methods?|routes?|modes?|ways?)\b"),
    # that something happened
    (_FILLS, r"\b(?P<said>visit)\s+(?:(?:an?|the|any)\s+)?(?:emergency|er|ed)\b"),
    (_FILLS, r"\b(?P<said>acquired?)\s+(?:any|an?|the|some)\b"),
    (
        _FILLS,
        r"\b(?P<said>(?:delivered|handed|dispensed|supplied|imparted)(?:\s+out)?)\s+to\s+"
        r"(?:patient\s+[\d-]+(?![\w'’-])|(?:the\s+)?(?:patients|people|body)\b(?!['’])|him\b|them\b)",
    ),
    (_FILLS, rf"\b{_PASSIVE}(?P<said>handed|dispensed|supplied)\s+(?:with|an?|the|any)\b"),
    (
        _FILLS,
        r"\b(?:tests?|cultures?|examinations?|procedures?|surger(?:y|ies)|operations?)\b"
        rf"{_SAME_CLAUSE}\b(?P<said>held)\b",
    ),
    (
        _FILLS,
        r"\b(?P<said>registered)\s+(?:(?:as|at|to\s+be|a|an)\s+)*(?:\d|less|greater|more|higher|lower|above|below|over"
        r"|under|values?|readings?)",
    ),
    (_FILLS, r"\b(?:was|were|been)\s+(?P<said>subjected\s+to)\b"),
    (_FILLS, r"\b(?P<said>reach(?:ed|es)?|hit|attain(?:ed)?)\s+(?:(?:the|an?|his|her|their|its)\s+)?"
             r"(?:max|min|high|low|peak|larg|small)"),
    (_FILLS, r"\boutputs?\b.*\b(?P<said>(?:generate|produce|excrete|expel|pass|void)(?:d|ed|led|s)?)\b"),
    (_FILLS, r"\b(?P<said>(?:generate|produce|excrete|expel|pass|void)(?:d|ed|led|s)?)\b.*\boutputs?\b"),
    (_FILLS, r"\b(?:inputs?|intakes?)\b.*\b(?P<said>eat|ate|eaten|drink|drank|drunk|consume[ds]?|ingest(?:ed)?)\b"),
    (
        _FILLS,
        r"\b(?:have|has|had)\s+(?:(?:patient\s+\S+|he|she|they|the\s+patient)\s+)?(?P<said>already)\b"
        r"(?!.*\b(?:when|as|by\s+the\s+time|before|after)\b)",
    ),
    (_FILLS, rf"^\W*(?:has|have)\s+(?:patient|he|she|they)\b{_SAME_CLAUSE}\b(?P<said>before)\W*$"),
    (
        _FILLS,
        r"\b(?:who|that)\s+(?:have|has|had|were|was|are|received|underwent|took|got)\b.*"
        r"\b(?P<said>before)(?=\s+(?:within|in|on|during|since|until)\b|\s+(?:this|last)\s+(?:year|month)\b|,)",
    ),
    (_FILLS, r"\b(?P<said>before)\s+until\b"),
    (_FILLS, rf"\bhow\s+(?:is|are|was|were|does|do|did)\b.*\b(?P<said>(?:\w+ly\s+)?{_AS_MANNER})\b"),
    # what it costs
    (
        _FILLS,
        r"\bhow\s+much\s+(?P<said>(?:will|would)\s+it)\s+cost\b(?!.*\bpatient)",
    ),
    (
        _FILLS,
        r"\bhow\s+much\s+(?P<said>(?:(?:will|would)\s+(?:i|we|one)(?:\s+(?:have|need)\s+to)?|(?:am|are|is)\s+"
        r"(?:i|we|one)\s+(?:expected|required|supposed|asked|going)\s+to|(?:do|does)\s+(?:i|we|one)\s+(?:have|need)\s+to))"
        r"\s+pay\b(?!.*\bpatient)",
    ),
    (_FILLS, rf"\b{_COST}\b.*\b(?P<said>purchas(?:e|ing)|buy(?:ing)?|procur(?:e|ing))\b"),
    (_FILLS, rf"\b{_COST}\b.*\bhospital\s+(?P<said>services?)\b"),
    (_FILLS, rf"\b(?:bill|{_COST})\b.*\b(?P<said>amount(?:ed|s)?\s+to)\b"),
    (_FILLS, r"\b(?:stay|visit|encounter|admission|hospital|bill|costs?)\s+(?:that|which)\s+"
             r"(?P<said>contain(?:s|ed)?|cover(?:s|ed)?|compris(?:es|ed)|encompass(?:es|ed)?|entail(?:s|ed)?)\b"),
    (_FILLS, r"\b(?P<said>visit)\s+(?:(?:that|which)\s+)?(?:involv|includ|contain|cover)"),
    (_FILLS, r"\bwhat\s+(?P<said>would)\s+(?:the\s+)?(?:average|maximum|minimum|mean|highest|lowest)\s+"
             r"(?:yearly|monthly|daily|annual|weekly)\s+number\b"),
    (_DIAGNOSIS, rf"\b{_COST}\b.*\b(?P<said>diagnos(?:tics?|ing|e)(?:\s+of)?)\b"),
    (_DIAGNOSIS, rf"\b(?P<said>diagnos(?:tics?|ing)(?:\s+of)?)\b.*\b{_COST}\b"),
)  # fmt: skip
_FOUND = tuple((meanings, re.compile(pattern)) for meanings, pattern in _PATTERNS)


def find_asking(lower: str) -> Iterator[Mark]:
    """Marks of kind "phrase" for words that ask, or that say no more than that something happened."""
    for meanings, pattern in _FOUND:
        for match in pattern.finditer(lower):
            yield Mark(*match.span("said"), "phrase", meanings)


_WHOM = re.compile(
    r"\bwho\b|\bwhich\s+(?:of\s+the\s+)?(?:patients?|persons?|people|man|woman|men|women)\b"
    r"|^\W*(?:the\s+)?(?:patient|person)\s+(?:with|who|having)\b|\bany(?:one|body|\s+(?:patient|person))\b"
)


def asks_whom(question: str) -> bool:
    """True for a question that asks for somebody, or speaks of anybody: it is not of the one patient of before."""
    return _WHOM.search(question.lower()) is not None


_SEVERAL = re.compile(r"\b(?:patients|people|persons|pts)\b(?!['’])")


def speaks_of_several(question: str) -> bool:
    """True for "patients by insurance", which is not of the one patient of before."""
    return _SEVERAL.search(question.lower()) is not None
