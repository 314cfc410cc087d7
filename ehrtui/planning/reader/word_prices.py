"""What passing over each word of a question costs a reading: the dearer, the more the word may mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexicon import english
from ehrtui.planning.reader.numbers import is_measure, number
from ehrtui.schema.kinds import kind_of

PRICES = {
    "mention": 3.6,
    "value": 3.0,
    "window": 3.2,
    "number": 3.0,
    "unknown": 2.7,
    "short": 1.8,
    "light": 0.15,
    "negation": 3.6,
    "excluded": 3.6,
    "limit": 2.6,
    "superlative": 2.2,
    "pick": 2.2,
    "most": 2.0,
    "function": 2.4,
    "share": 2.2,
    "ratio": 2.6,
    "count": 1.8,
    "counted": 2.4,
    "ask": 0.9,
    "field": 1.3,
    "people": 1.1,
    "stay": 0.9,
    "role": 1.0,
    "current": 1.0,
    "rival": 2.2,
    "over": 1.0,
    "relation": 0.9,
    "followed": 2.0,
    "opening": 2.2,
    "by": 0.7,
    "order": 0.3,
    "together": 1.0,
    "overlap": 2.2,
    "advice": 2.5,
    "unkept": 2.5,
    "principal": 2.6,
    "incident": 1.6,
    "each": 1.5,
    "breakdown": 1.0,
    "dead": 2.6,
    "change": 2.4,
    "readmitted": 2.6,
    "growth": 1.4,
    "swing": 2.6,
    "trend": 2.6,
    "state": 2.1,
    "interpretation": 2.0,
    "distinct": 0.5,
    "moment": 0.8,
    "behind": 0.3,
    "pronoun": 0.6,
    "and": 0.2,
    "or": 1.2,
    "patient": 4.0,
    "list": 0.0,
    "verb": 0.5,
}
"""What passing over a word costs, by the dearest thing that it may mean."""
ENGLISH = {"grammar": 0.0, "speech": 0.1, "happening": 0.2, "setting": 0.25, "quality": 1.6, "thing": 2.6, "scope": 2.2}
"""What passing over an everyday word costs, by its class."""
_STRONG = {
    "negation",
    "overlap",
    "excluded",
    "limit",
    "superlative",
    "pick",
    "most",
    "function",
    "share",
    "ratio",
    "dead",
    "readmitted",
    "interpretation",
    "advice",
    "unkept",
    "mention",
    "value",
    "window",
    "number",
    "state",
    "patient",
    "field",
    "count",
    "ask",
    "current",
    "breakdown",
    "moment",
    "people",
    "each",
    "by",
}
_NEVER_LIGHT = {
    "unkept",
    "overlap",
    "advice",
    "negation",
    "mention",
    "window",
    "number",
    "patient",
    "dead",
    "readmitted",
    "count",
    "superlative",
    "share",
    "ratio",
    "by",
    "each",
}
_MOVING = {"transferred", "moved", "relocated", "shifted", "transfered"}
_AROUND = {"between", "among", "across", "around", "within", "and", "or", "at", "during", "in", "while"}
_ANOTHER = {"another", "other", "others", "different"}
_ALLERGIC = {"allergic", "allergy", "allergies"}
_NAMED = {"mention", "value", "window"}
_PLACING = {"under", "over", "past", "within", "only", "just", "reached", "hit", "exactly", "beyond"}
"""Words that set a limit where a number stands behind them, and else say next to nothing."""
_OF_NUMBERS = {"limit", "often", "relation", "span"}
_COMPARED = {"normal", "mean", "average", "median", "baseline", "upper", "lower", "limit", "range", "once", "twice"}
_ANY = {"whatever", "whichever", "either"}
_BEFORE_WHEN = {"and", "from", "to", "since", "until"}
_BEFORE_UNIT = {",", "(", "/", "total"}
"""What stands before the unit that a value has; "in mg" may ask for another."""
_WHOSE_AND_WHEN = {"patient", "window"}
"""What an introduction says of whom and when is meant for all of it."""
_OF_ANY_KIND = 0.4
"""What passing over a word costs that is said to be any."""
_PREAMBLE = 0.3
"""What passing over words of a clause costs beside others, where the question is in another clause."""
_THINGS = {"mention", "value", "role", "stay", "dead", "field"}
"""What a question may be about; where it names none, that is what stands before it."""
_GROUPING = {"by", "per", "each", "within"}
"""Words with which the groups are said that all numbers are of."""
_ASKING = {"count", "share", "ask", "list"}
_ABOUT = {"mention", "value", "role", "people", "stay", "field"}
_WHOM = {"who", "whose"}
"""Words that open what is asked, whatever is to be told of them: "who is admitted now? Give me the dates"."""
_BEING = {"is", "are", "was", "were", "did", "does", "do", "has", "have"}
_BEING_DONE = {*_BEING, "get", "gets", "got", "been", "being", "most", "commonly", "often", "usually"}
_OR_REACH = 5
"""Words: how far a name may stand from the "or" that joins it."""


def _compares(words: Sequence[str], at: int) -> bool:
    """True for a word behind which something stands that a value may be compared with: "above the normal range"."""
    numbers = any(number(word) is not None for word in words[at + 1 : at + 3])
    return numbers or bool(_COMPARED & set(words[at + 1 : at + 4]))


def _between_named(classes: Sequence[Iterable[str]], at: int) -> bool:
    """True for a word between two names or times, limits of theirs and articles left out: "A above 3 or a B below 2" is
    not both."""
    before = {kind for found in classes[max(0, at - _OR_REACH) : at] for kind in found}
    behind = {kind for found in classes[at + 1 : at + 1 + _OR_REACH] for kind in found}
    if all(_NAMED & set(classes[place]) for place in (at - 1, at + 1) if 0 <= place < len(classes)):
        return 0 < at < len(classes) - 1
    denied = bool({"negation"} & set(next(iter(classes[at + 1 :]), ())))
    return bool(_NAMED & before) and (denied or bool({"mention", "value", "dead"} & behind))


def _groups_by_name(classes: Sequence[Iterable[str]], at: int) -> bool:
    """True between what is counted and the name of records, which are to make groups of it."""
    return bool({"people", "stay", "role"} & set(classes[at - 1])) and "mention" in classes[at + 1]


def _groups_here(words: Sequence[str], at: int) -> bool:
    """True for a word that says what groups are made by, and for what stands right behind it."""
    return words[at] in ("by", "per") or words[at - 1 : at] in (("by",), ("per",))


def _elsewhere(words: Sequence[str], at: int) -> bool:
    """ "Moved between units", "transferred from one ward to another", "who were transferred": no place is named."""
    behind = words[at + 1 : at + 8]
    return not "".join(behind[:1]).isalnum() or behind[0] in _AROUND or bool(_ANOTHER & set(behind))


def _heads(
    words: Sequence[str], classes: Sequence[Iterable[str]], nodes: Sequence[Node], clause: Sequence[int]
) -> Iterator[int]:
    """The clauses before a colon that are no more than what the rest is asked of: a value, and whose it is."""
    at = words.index(":")
    if not 0 < at <= _HEAD or len({*clause[:at]}) != 1:
        return
    ends = {node.end for node in nodes if node.kind == "trait" and node.start == 0}
    if any(all(_is_noun(set(classes[place])) for place in range(end, at)) for end in ends if end <= at):
        yield clause[0]


def _is_noun(found: set[str]) -> bool:
    """True for a word for patients or stays in general."""
    return bool({"stay", "people"} & found) and "light" not in found


_HEAD = 4
"""Words of which whom a question is about is at most told before a colon."""


def prices_of(
    words: Sequence[str], classes: Sequence[Iterable[str]], nodes: Sequence[Node], clause: Sequence[int]
) -> list[float]:
    """What passing over each word costs, in units of a reading's price: by the `classes` of what it may mean, the nodes
    around it, and the clause that it stands in (a number for each word)."""
    asking = {clause[at] for at, found in enumerate(classes) if _ASKING & set(found) and not ({"free"} >= set(found))}
    telling_clauses = {
        clause[at]
        for at, found in enumerate(classes)
        if _ABOUT & set(found) and not {"dead", "count", "free"} & set(found) and words[at].isalnum()
    }
    asking &= telling_clauses  # "sepsis admissions: n and deaths" is about what stands before
    if asking:
        asking |= {clause[at] for at, word in enumerate(words) if word in _WHOM and clause.index(clause[at]) == at}
    named = any(_THINGS & set(found) for at, found in enumerate(classes) if clause[at] in asking)
    widths = [1] * len(words)
    for node in nodes:
        if "link" in node.why:
            for at in range(node.start, node.end):
                widths[at] = max(widths[at], node.end - node.start)
    limits = {at for node in nodes if node.kind in _OF_NUMBERS for at in range(node.start, node.end)}
    counts = {node.end for node in nodes if node.kind in ("count", "most")}
    counts |= {node.end for node in nodes if node.kind == "number" and node.start in counts}  # "top 5 diagnoses"
    counted = {node.start for node in nodes if node.kind == "event" and node.sense.noun and "verbal" not in node.why}
    counted |= {node.start for node in nodes if node.kind == "stays" and not (node.sense.loose or node.sense.one)}
    kinds = set(counted)
    counted &= counts
    flows = {node.start for node in nodes if node.kind == "event" and kind_of(node.sense.role).flow}
    verbs = {node.end - 1 for node in nodes if "verbal" in node.why}
    heads = {*_heads(words, classes, nodes, clause)} if ":" in words else set()
    prices = []
    for at, word in enumerate(words):
        found = set(classes[at])
        if at not in limits and word in _PLACING and not _compares(words, at):
            found -= {"limit"}  # "under any label", "names only": nothing is compared
            found |= {"light"}
        telling = found & _STRONG
        if not any(letter.isalnum() for letter in word) and not found - {"free"}:
            price = 0.0
        elif telling:
            price = max(PRICES.get(kind, 0.5) for kind in telling)
            if found & {"mention", "value"}:
                price = max(price / widths[at], 1.2)
            if found & {"free", "light"} and not found & _NEVER_LIGHT:
                price = min(price, 0.45)
        elif "or" in found and word != "either" and _between_named(classes, at):
            price = PRICES["or"]
        elif "free" in found:
            price = 0.0
        elif "light" in found:
            price = PRICES["light"]
        elif found:
            lacking = "role" in found and not any(node.start <= at < node.end for node in nodes)
            price = ENGLISH["thing"] if lacking else max(PRICES.get(kind, 0.5) for kind in found)
        elif word in english():
            price = ENGLISH[english()[word]]
        else:
            price = PRICES["number"] if word[0].isdigit() else PRICES["unknown"] if len(word) > 2 else PRICES["short"]
        if word == "total" and at + 1 in flows:
            price = max(price, PRICES["function"])  # "her total output": what flows is summed up
        if word == "when" and at and words[at - 1] in _BEFORE_WHEN:
            price = max(price, PRICES["pick"])  # "…, from when to when": a time is asked for
        if "distinct" in found and at + 1 in kinds and at and number(words[at - 1]) is None:
            price = max(price, PRICES["role"] + PRICES["field"])  # "distinct conditions per person"
        if at in counted:
            price = max(price, PRICES["counted"])
        if "moment" in found and "same" in words[max(0, at - 2) : at]:
            price = max(price, PRICES["pick"])  # "two admissions in the same year"
        if "role" in found and at and (words[at - 1] == "their" or words[at + 1 : at + 2] == ("they",)):
            price = max(price, PRICES["window"] / 2)  # "the oldest patients and their diagnoses"
        if at in verbs and words[max(0, at - 2) : at - 1] == ("what",) and words[at - 1] in _BEING_DONE:
            price = max(price, PRICES["role"])  # "what was prescribed": what is asked for
        if word in ("before", "after") and words[at + 1 : at + 2] in (("it",), ("that",)) and at + 3 > len(words) - 1:
            price = PRICES["function"]  # "were on aspirin before it"
        if word in _ALLERGIC:
            price = max(price, PRICES["unknown"])  # who got a drug is not allergic to it
        if not found and len(word) > 1 and is_measure(word) and (at == len(words) - 1 or words[at - 1] in _BEFORE_UNIT):
            price = PRICES["light"]  # "urine output, mL": the unit that it has
        elif at and (words[at - 1] in _ANY or (words[at - 1] == "any" and "field" in found)) and not found & _NAMED:
            price = min(price, _OF_ANY_KIND)  # "in whatever mode", "any strength"
        elif word.startswith("episode") and any("mention" in one for one in classes[max(0, at - 2) : at + 3]):
            price = PRICES["light"]  # "an asthma episode", "episodes of asthma"
        elif word in ("by", "per") and 0 < at < len(words) - 1 and _groups_by_name(classes, at):
            price = PRICES["function"]  # "patients by smoking status": groups, which are lost
        elif word == "by" and not "".join(words[at + 1 : at + 2])[:1].isalnum():
            price = PRICES["light"]  # "the ward it was sent by"
        elif word in _MOVING and _elsewhere(words, at):
            price = ENGLISH["thing"]  # to have been moved is what is said of them
        title = clause[at] in heads  # "private insurance: mean length of stay"
        title |= bool(found & _THINGS) and not named  # "invasive ventilation: who, and how long?"
        title |= "field" in found and words[clause.index(clause[at])] in _GROUPING  # "by sex: how many, how many died"
        title |= bool(found & {"field", "by", "moment"}) and _groups_here(words, at)  # "asthma by ward: how many"
        if asking and clause[at] not in asking and not found & _WHOSE_AND_WHEN and not title:
            price *= _PREAMBLE if clause[at] < max(asking) else 0.5
        prices.append(price)
    return prices
