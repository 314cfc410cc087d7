"""Words that say nothing where they stand, whatever they mean elsewhere: the unit that a value has, "yes or no", how an
answer is to be laid out, a result that "came back"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ehrtui.planning.reader.lexicon import phrases
from ehrtui.planning.reader.numbers import is_measure, number, time_unit

_ARRIVING = {"came", "come", "comes", "coming", "returned", "returning", "returns"}
_FOUND = {"limit", "interpretation", "growth", "state", "swing"}
"""What stands behind a result that came back, and behind no patient who did."""
_LAYING_OUT = {
    *("break", "breaks", "breaking", "split", "splits", "splitting", "slice", "slices", "slicing", "cut", "cuts"),
    *("cutting", "divide", "divides", "dividing", "separate", "separating", "stratify", "stratifying", "tabulate"),
    *("tabulating", "sort", "sorting", "segment", "segmenting", "arrange", "arranging", "lay", "laying", "show", "set"),
}
_APART = {"down", "up", "out", "apart"}
_ASKING_VERBS = {"do", "does", "did", "will", "would"}
_BEHIND_LASTING = {
    *("", ",", ":", ";", "-", "?", "on", "for", "in", "with", "and", "per", "by", "(", "typically", "usually", "at"),
    *("median", "mean", "average", "normally", "here", "when", "if"),
}
_WITHIN = 8
"""Words: so far "down by" stands from the verb of "break the surgical admissions down by sex"."""
_BEFORE_UNIT = {"in", "(", "[", ",", "/", "as", "total", "of"}
_PER = {"/", "per"}
_OF_UNITS = {"l", "dl", "ml", "min", "minute", "hour", "hr", "h", "kg", "day", "m2", "sec", "beat", "ul"}
"""What stands behind "per" within a unit."""
_PLAIN = {"years", "yrs", "yr", "percent", "mmhg", "bpm", "celsius", "fahrenheit", "beats", "breaths"}

_INSURED, _INSURED_BY = {"insured", "covered", "enrolled"}, {"by", "with", "through", "under", "in"}
_NOBODY = {"the", "their", "which", "what", "age", "sex", "gender", "race"}
_PAYERS = {"payer", "payers", "payor", "payors", "insurer", "insurers", "insurance", "insurances", "plan", "plans"}
_PAYING = {"cover", "covers", "covered", "covering", "pay", "pays", "paid", "paying", "fund", "funds", "funded"}

_STAFF = {
    *("nurse", "nurses", "nursing", "doctor", "doctors", "physicians", "clinicians", "staff", "team", "teams", "lab"),
    *("laboratory", "pharmacy", "pharmacists", "medics", "crew", "registrars", "residents", "consultants", "surgeons"),
}
_BEHIND_STAFF = {"staff", "team", "in", "on"}
_DOING = {
    *("charted", "recorded", "documented", "noted", "entered", "logged", "measured", "taken", "drawn", "collected"),
    *("ordered", "prescribed", "given", "administered", "dispensed", "hung", "coded", "written", "reported", "run"),
    *("checked", "done", "performed", "sent", "requested", "treated", "managed"),
}
"""What staff do with records of any kind: who did it is not asked by "blood pressures charted by the nurses"."""

_MOMENTS = {"diagnosis", "diagnosed", "onset", "event", "occurrence", "happened", "occurred"}
_MOMENT_BEHIND = 6
"""Words: so far behind the age stands the moment at which it was."""

_LEAST = (("at", "least", "one"), ("at", "least", "1"), ("one", "or", "more"), ("1", "or", "more"))
_EVER = {("at", "least", "once"), ("once", "or", "more")}
_COUNTED = {"of", "time", "times", "or", "and", "to", "than"}
"""What stands behind "at least one" where it is no "some": "at least one of these"."""
_THAT_IS = (("i.e",), ("ie",), ("that", "is"), ("that", "means"), ("meaning",), ("namely",), ("in", "other", "words"))
_APPOSED = ((",",), ("(",), ("-",))
_ENDS_CLAUSE = {",", ";", ":", ".", "?", "(", ")", "-"}
_AND = {"and", "&", "plus", "both"}
_STAYS = {
    *("admission", "admissions", "stay", "stays", "visit", "visits", "encounter", "encounters", "hospitalization"),
    *("hospitalizations", "hospitalisation", "hospitalisations"),
}
_LIMITS_OF = {
    **dict.fromkeys(("dropped", "drop", "drops", "fell", "fall", "sank", "dipped", "decreased"), ("below", "under")),
    **dict.fromkeys(("rose", "rise", "climbed", "shot", "spiked", "went", "increased", "hit"), ("above", "over")),
}
"""Verbs of change, with the words that begin the limit which was passed."""
_MONEY = {"dollars", "dollar", "usd", "$", "pounds", "gbp", "£", "euros", "euro", "eur", "€", "rupees", "kronor"}
_TO_LIMIT = 5
"""Words between them."""
_STRESSED = {"single", "very", "absolute", "overall"}
_STRESSING = {"superlative", "most", "pick"}


def harmless(words: Sequence[str]) -> set[int]:
    """The places of words that say nothing where they stand."""
    return {
        *_units(words),
        *_answers(words),
        *_laid_out(words),
        *_said_of_payers(words),
        *_staff(words),
        *_carried(words),
        *_any(words),
        *_most(words),
        *_sorted(words),
        *_then(words),
        *_lasting(words),
        *_by_codes(words),
        *_between_such(words),
        *_and_how_much(words),
        *_whatever(words),
        *_together(words),
        *(place for at, size in _that_is(words) for place in range(at, at + size)),
        *_leaving(words),
        *_past_a_limit(words),
        *_in_money(words),
        *_tested_against(words),
        *_kinds_of_costs(words),
        *_every_one(words),
    }


def told_anew(words: Sequence[str]) -> Iterator[int]:
    """ "Former drinkers, i.e. coded with …", "elderly patients (i.e. over 80)": the words of a name, of which it is
    said what it stands for, so that it need not be known."""
    for at, _ in _that_is(words):
        before = at - 1 if words[at - 1 : at] in _APPOSED else at
        while before > 0 and words[before - 1] not in _ENDS_CLAUSE:
            before -= 1
            known = phrases().senses.get((words[before],), ())
            if known and not any(sense.kind in ("people", "stays", "light") for sense in known):
                break
            if not known:
                yield before


def _that_is(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where what follows says what was meant, and how many words say so."""
    for at, word in enumerate(words):
        size = next((len(said) for said in _THAT_IS if tuple(words[at : at + len(said)]) == said), 0)
        if size and (word in ("i.e", "ie") or words[at - 1 : at] in _APPOSED):
            yield at, size


def _together(words: Sequence[str]) -> Iterator[int]:
    """ "Admissions with heparin and aspirin together": what is had in one stay is had together in it."""
    for at, word in enumerate(words):
        if word == "together" and not _AND.isdisjoint(words[:at]) and not _STAYS.isdisjoint(words):
            yield at


def comes_back_as_found(words: Sequence[str], end: int) -> bool:
    """True where "came back", whose last word stands before `end`, is said of a result: a limit, a finding or a number
    stands behind it."""
    if not _ARRIVING & set(words[max(0, end - 2) : end]) or end >= len(words):
        return False
    behind = [word for word in words[end : end + 2] if word not in ("as", "at", "all", "to", "be")][:1]
    if behind == ["within"]:
        return False
    return any(
        number(word) is not None or any(sense.kind in _FOUND for sense in phrases().senses.get((word,), ()))
        for word in behind
    )


def _lasting(words: Sequence[str]) -> Iterator[int]:
    """The verb of "how long do these stays last?", "for how many days did it last?", which picks none of them."""
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else ""
        asked = any(tuple(words[here : here + 2]) == ("how", "long") for here in range(at))
        asked |= any(
            tuple(words[here : here + 2]) == ("how", "many") and time_unit(words[here + 2]) is not None
            for here in range(at - 2)
        )
        if word == "last" and asked and _ASKING_VERBS & set(words[:at]) and behind in _BEHIND_LASTING:
            yield at


def _every_one(words: Sequence[str]) -> Iterator[int]:
    """ "List every admission": all of them, and nothing of each; "which single stay": one of them, as is asked."""
    for at, (before, word) in enumerate(pairwise(words)):
        if (before in ("list", "show") and word == "every") or (before in ("which", "what") and word == "single"):
            yield at + 1


def _in_money(words: Sequence[str]) -> Iterator[int]:
    """ "Total cost in dollars": what it is told in whatever is said."""
    for at, word in enumerate(words):
        if word in _MONEY and at and words[at - 1] == "in":
            yield from (at - 1, at)


def _tested_against(words: Sequence[str]) -> Iterator[int]:
    """ "Isolates tested against oxacillin": that a drug was tried on them is what its result is of."""
    for at, (word, behind) in enumerate(pairwise(words)):
        if word == "tested" and behind == "against":
            yield from (at, at + 1)


def _kinds_of_costs(words: Sequence[str]) -> Iterator[int]:
    """ "Total charges by type", "split by type of charge": costs are told by their kind where no other key is named."""
    if _CHARGED.isdisjoint(words):
        return
    for at, word in enumerate(words):
        if word not in _BY_WHICH:
            continue
        end = at + 1
        while end < len(words) and words[end] in _CHARGED | {"the", "each", "event"}:
            end += 1
        of_them = "of" in words[end + 1 : end + 2]
        if of_them and _CHARGED.isdisjoint(words[end + 2 : end + 3]):
            continue
        if not KIND_NOUNS.isdisjoint(words[end : end + 1]):
            yield from range(at + 1, end + (3 if of_them else 1))


_CHARGED = {
    *("cost", "costs", "charge", "charges", "charged", "bill", "bills", "billed", "billing", "expense", "expenses"),
    *("spend", "spent", "spending", "expenditure"),
}
_BY_WHICH = {"by", "per", "each"}
KIND_NOUNS = {"type", "types", "kind", "kinds", "category", "categories", "sort", "sorts"}
"""Nouns for what is told apart in costs."""


def _past_a_limit(words: Sequence[str]) -> Iterator[int]:
    """ "Patients who dropped their haemoglobin below 7": how they came there is not asked."""
    for at, word in enumerate(words):
        beyond = _LIMITS_OF.get(word, ())
        near = words[at + 1 : at + 2 + _TO_LIMIT]
        if any(one in beyond and number(then) is not None for one, then in pairwise(near)):
            yield at


def _whatever(words: Sequence[str]) -> Iterator[int]:
    """ "Lisinopril (any strength)", "at any dose", "whatever the route": which does not matter."""
    for at, word in enumerate(words):
        if word not in ("any", "whatever", "whichever", "all"):
            continue
        if word == "all" and words[at - 1 : at] not in ((",",), ("(",), [","], ["("]):
            continue
        end = at + 1 + (words[at + 1 : at + 2] in (("the",), ["the"]))
        if end < len(words) and words[end] in _VARIANTS:
            yield from range(at - (at > 0 and words[at - 1] in ("of", "at", "in", "by")), end + 1)


_VARIANTS = {
    *("strength", "strengths", "dose", "doses", "dosage", "formulation", "form", "brand", "spelling", "severity"),
    *("route", "kind", "type", "sort", "salt", "salts", "preparation", "preparations", "formulations", "forms"),
    *("product", "products", "brands", "strain", "strains", "variant", "variants", "release"),
}


def _leaving(words: Sequence[str]) -> Iterator[int]:
    """ "Who left against advice": as what the discharge was is told behind it."""
    for at, (word, behind) in enumerate(pairwise(words)):
        if behind == "against" and word in ("left", "leave", "leaves", "leaving", "discharged", "went"):
            yield at


def _and_how_much(words: Sequence[str]) -> Iterator[int]:
    """ "Which visit cost the most, and how much was it?": a ranking tells by what it is one."""
    if _STRESSED_MOST.isdisjoint(words):
        return
    end = len(words) - list(words[-1:]).count("?")
    of_money = not _DEAR.isdisjoint(words)
    long = not of_money and not {"longest", "shortest"}.isdisjoint(words)
    telling = _TELLING_SUM if of_money else _HOW_LONG if long else _HOW_MUCH
    start = end
    while start and words[start - 1] in telling:
        start -= 1
    behind = next((at for at in range(start, end) if words[at - 1] in ("and", ",", "with")), end)
    told = {*words[behind:end]}
    asks = {"how", "long" if long else "much"} <= told or (of_money and ("what" in told or bool(told & _SUMS)))
    if asks and _STRESSED_MOST & set(words[: behind - 1]) and (not of_money or _DEAR & set(words[: behind - 1])):
        yield from range(behind - (words[behind - 1] != ","), end)


_STRESSED_MOST = {
    *("longest", "shortest", "most", "least", "highest", "lowest", "expensive", "cheapest", "dearest", "costliest"),
}
_DEAR = {"expensive", "cheapest", "dearest", "costliest", "priciest", "costly"}
_HOW_MUCH = {"how", "much", "was", "is", "it", "that"}
_HOW_LONG = {"how", "long", "was", "is", "it", "that", "did", "last"}
_SUMS = {"amount", "sum", "total", "figure", "bill"}
_TELLING_SUM = {
    *("how", "much", "what", "was", "is", "were", "did", "does", "it", "that", "this", "they", "the", "its", "their"),
    *("cost", "costs", "come", "to", "amount", "sum", "total", "figure", "bill", "spent", "money", "in", "all", "for"),
    *("by", "altogether", "and", "with"),
}
"""What asks for no more than the sum behind a ranking by it: "and what did it come to", "with the total"."""


def _between_such(words: Sequence[str]) -> Iterator[int]:
    """ "The gap between consecutive visits": the time between two of them."""
    for at, word in enumerate(words):
        gap = word in _GAPS and "between" in words[at + 1 : at + 3]
        if gap or (word in _CONSECUTIVE and "between" in words[max(0, at - 3) : at]):
            yield at


_GAPS = {"gap", "gaps", "interval", "intervals"}
_CONSECUTIVE = {"consecutive", "successive", "subsequent", "adjacent", "back-to-back"}


def _by_codes(words: Sequence[str]) -> Iterator[int]:
    """ "Who is diabetic, by their diagnosis codes", "… according to the codes": from what it is told, and no groups."""
    for at in range(len(words) - 2):
        going = words[at] == "by" and (words[at + 1] == "their" or words[at - 1 : at] in (("going",), ["going"]))
        going |= words[at : at + 2] in (("according", "to"), ["according", "to"])
        end = next((place for place in range(at + 2, min(at + 6, len(words))) if words[place] in _CODES), None)
        if going and end is not None and set(words[at + 2 : end]) <= _CODED:
            yield from range(at, end + 1)


_CODES = {"code", "codes", "coding"}
_CODED = {
    "the",
    "their",
    "icd",
    "icd9",
    "icd10",
    "-",
    "9",
    "10",
    "diagnosis",
    "diagnostic",
    "procedure",
    "billing",
    "discharge",
}


def _units(words: Sequence[str]) -> Iterator[int]:
    """The units of values: "creatinine in mg/dL", "(mmol/L)", "over 7 g/dL", "30 breaths per minute"."""
    at = 0
    while at < len(words):
        end = _unit_end(words, at)
        before = words[at - 1] if at else ""
        compound = end - at > 1
        told = before in _BEFORE_UNIT or (before and number(before) is not None)
        told = told and not (words[at] == "percent" and number(before) is None)  # "by ward, in percent": shares
        if end > at and told and (compound or before not in ("of", "as", "total")):
            yield from range(at, end)
            at = end
        else:
            at += 1


def _unit_end(words: Sequence[str], at: int) -> int:
    """Where the unit ends that begins at a word; there, where none does. A unit of time alone is none: in which a
    length is asked for is told by it."""
    first = words[at]
    if first in _PER:
        return at  # "deaths, per ward"
    if not (is_measure(first) or first in _PLAIN) or (time_unit(first) is not None and first not in _PLAIN):
        return at
    end = at + 1
    while end + 1 < len(words) and words[end] in _PER and (words[end + 1] in _OF_UNITS or is_measure(words[end + 1])):
        end += 2
    return end


def _answers(words: Sequence[str]) -> Iterator[int]:
    """ "Yes or no", "a yes/no answer": what is answered, and no negation."""
    for at in range(len(words) - 2):
        if words[at] in ("yes", "y") and words[at + 1] in ("or", "/", "-") and words[at + 2] in ("no", "n"):
            yield from range(at, at + 3)


def _laid_out(words: Sequence[str]) -> Iterator[int]:
    """The verb and its particle in "split the deaths up by ward": "by" says all of it."""
    for at, word in enumerate(words):
        if word in _LAYING_OUT:
            for place in range(at + 1, min(at + _WITHIN, len(words) - 1)):
                if words[place] in _APART and words[place + 1] in ("by", "per", "into", "according"):
                    yield from (at, place)
                    break


def _said_of_payers(words: Sequence[str]) -> Iterator[int]:
    """What payers do: "which insurer covers…", "the plan that paid for…", "insured by Aetna"; "insured, by payer" is of
    each."""
    for at, word in enumerate(words):
        if word in _PAYING and _PAYERS & set(words[max(0, at - 2) : at]):
            yield at
        behind = [*words[at + 1 : at + 3]]
        if word in _INSURED and len(behind) == 2 and behind[0] in _INSURED_BY and behind[1] not in _PAYERS | _NOBODY:
            yield from (at, at + 1)


def _carried(words: Sequence[str]) -> Iterator[int]:
    """ "By" behind words for coming, which says how somebody came: "came by ambulance"."""
    for at, word in enumerate(words[1:-1], 1):
        if word == "by" and not _COMING.isdisjoint(words[max(0, at - 2) : at]):
            yield at


_COMING = {"came", "come", "comes", "coming", "arrived", "arriving", "brought", "transported", "conveyed"}


def _staff(words: Sequence[str]) -> Iterator[int]:
    """ "By the nurses" behind what was done; "by which nurse" asks for one."""
    for at, word in enumerate(words[:-1]):
        if word in ("by", "from") and _DOING & set(words[max(0, at - 2) : at]):
            end = at + 2 if words[at + 1] in ("the", "our", "their", "any", "some") else at + 1
            behind = words[end + 1] if end + 1 < len(words) else ""
            if end < len(words) and words[end] in _STAFF and (behind in _BEHIND_STAFF or not behind.isalnum()):
                yield from range(at, end + (2 if behind in ("staff", "team") else 1))


def _then(words: Sequence[str]) -> Iterator[int]:
    """ "Age at diagnosis", "age of onset": of what, stands elsewhere."""
    for at, word in enumerate(words):
        before = words[max(0, at - _MOMENT_BEHIND) : at]
        if word in _MOMENTS and {"age", "ages", "old"} & set(before) and {"at", "of", "when"} & set(before):
            yield at


def _any(words: Sequence[str]) -> Iterator[int]:
    """ "At least one admission", "one or more doses": that there is any."""
    for at in range(len(words) - 2):
        if tuple(words[at : at + 3]) in _EVER:
            yield from range(at, at + 3)
    for at in range(len(words)):
        for phrase in _LEAST:
            end = at + len(phrase)
            if tuple(words[at:end]) == phrase and end < len(words):
                behind = words[end]
                plain = behind[0].isalpha() and behind not in _COUNTED and time_unit(behind) is None
                if plain and not is_measure(behind):
                    yield from range(at, end)


def _most(words: Sequence[str]) -> Iterator[int]:
    """What stresses a superlative: "the single highest"."""
    for at, word in enumerate(words[:-1]):
        senses = (sense.kind for _, found in phrases().at(tuple(words), at + 1) for sense in found)
        if word in _STRESSED and _STRESSING & set(senses):
            yield at


def _sorted(words: Sequence[str]) -> Iterator[int]:
    """ "Most recent first": an order, of which the records are no pick."""
    for at in range(1, len(words)):
        ends = at + 1 == len(words) or not words[at + 1][0].isalnum()
        if words[at] == "first" and ends:
            if words[at - 1] in ("latest", "newest", "earliest"):
                yield from (at - 1, at)
            elif tuple(words[max(0, at - 2) : at]) == ("most", "recent"):
                yield from (at - 2, at - 1, at)
