"""Two groups weighed by one figure: "do men or women stay longer?", "who is older, those on X or those on Y?", "is
mortality higher in A than in B?". The figure of each side is read as a question of its own, and both are told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ehrtui.logic.algebra.model import (
    PATIENT,
    Aggregate,
    Among,
    Condition,
    Groups,
    Has,
    Measure,
    Not,
    Of,
    Own,
    Scalar,
    Set,
    Single,
    Statement,
    Test,
    Value,
    Whether,
)
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.comparing import COMPARED, figure_of
from ehrtui.planning.reader.meanings import limited, maybe, parts_of
from ehrtui.planning.reader.other_ages import other_ages
from ehrtui.planning.reader.reader import Read

_COMPARATIVE = re.compile(
    r"\b(?P<word>older|younger|heavier|lighter|taller|longer|shorter|higher|lower|greater|larger|smaller|bigger"
    r"|(?:more|less) (?:likely|often|frequently)|more|fewer|less)\b"
    r"(?!\s+than\s+(?:(?:an?\s+)?[\d.]|one\b|once\b|an?\s+(?:half|hour|day|night|week|fortnight|month|year)\b))"
)
_POLITE = re.compile(
    r"^\W*(?:(?:please|so|and|ok|well|hi|hello|now|then|overall|in general|on average|(?:can|could) you (?:please )?"
    r"(?:tell me|say|check)|i(?:'d like| want| would like) to know|i wonder|tell me|do you know|any idea)[\s,:]+)*"
    r"(?:(?:if|whether)\s+)?"
)
_VERB = re.compile(r"^(?:do|does|did|are|is|was|were|have|has|had)\s+")
_WHO = re.compile(
    r"^(?:who|which|which of (?:the two|them)|which groups?|which ones?|whose|what)(?:'s)?\s+"
    r"(?:(?:is|are|was|were|has|have|had|gets?|got|stays?|stayed|spends?|spent|tends? to (?:be|have|stay))\s+)?"
)
_ON_AVERAGE = re.compile(
    r"\b(?:on average|in general|generally|typically|usually|overall|normally|at all|(?:much|far|significantly|any|a)"
    r"\s*$)\b"
)
_PREPOSITION = r"(?:in|for|among|amongst|with|on|of|at|after|under|between)"
_SIDE = re.compile(rf"^(?!(?:under|at) \d){_PREPOSITION}\s+")
_PREDICATE = re.compile(
    r"\s(?:(?:tend|tends|tended)\s+to\s+)?(?:stay|stays|stayed|remain|remained|spend|spent|have|has|had|get|gets|got|"
    r"receive|received|show|showed|cost|costs|be|are|is|were|was|lie|lay|lying|in hospital for|kept)(?:\s|$)"
)
_SAID_OF = re.compile(rf"\s(?:{_PREPOSITION}|who|that|without|from|aged|over)\s.*$")
_STAYING = re.compile(
    r"\b(?:stay|stays|stayed|remain|remained|spend|spent|los|admissions?|lie|lay|lying|kept|hospitali[sz]ations?)\b"
)
_IDLE = re.compile(
    r"\b(?:hours|tend to|tends to|tended to|have|has|had|a|an|the|stay|stays|stayed|staying|spend|spent|remain|"
    r"remained|lengths? of|los|time|hospital|icu|icus|intensive care|unit|units|in|inpatient|be|are|is|were|was|lie|"
    r"lay|lying|kept|for|days|hospitali[sz]ations?|admissions?)\b"
)
_RATES = re.compile(
    r"^(?:the\s+)?(?:average|mean|median|total|number|count|share|proportion|percentage|percent|fraction|rate|maximum|"
    r"minimum|mortality|death rate|survival)\b|\b(?:rate|mortality)$"
)
_OF_STAY = re.compile(r"(?<!length of )(?<!lengths of )\b((?:hospital |icu )?stays?)$")
_OF_ITS_OWN = re.compile(r"^(?:that|those|the one|the figure)\s+(?=(?:of|for|in|among|on|with)\s)")
_OTHERS = re.compile(
    r"^(?:the )?(?:others?|rest|other (?:patients|people|ones)|everyone else|everybody else|all others|"
    r"(?:those|patients|people|the ones|ones) (?:without|(?:who|that) (?:did|do|were|are|have|had|was) ?(?:not|n't|nt))"
    r"(?: it)?)$"
)
_THOSE = re.compile(
    r"^(?:those|the ones|ones|the people|people|patients)\s+"
    r"(?=(?:on|with|without|who|in|from|given|having|over|under|aged)\s)"
)
_ARTICLE = re.compile(r"^(?:the|our|an?)\s+")
_OF_BOTH = re.compile(
    r"^(?:what (?:is|was|are) )?(?:the )?(?P<figure>[^,]+) (?P<of>of|for|among) (?P<left>[^,]+?),? and "
    r"(?:(?:that|those|the one) )?(?:of|for|among) (?P<right>.+)$"
)
"""One figure of both: "mean stay of survivors and of those who died"."""
_AGAINST = re.compile(
    r"^(?:what (?:is|was|are) )?(?:the )?(?P<figure>[^,]+) (?P<of>of|for|among|in) (?P<left>[^,]+?),? "
    r"(?:vs\.?|versus|(?<!ed )(?<!ion )(?<!ance )against|compared (?:with|to|against)) "
    r"(?:(?:that|those|the one) (?:of|for|among|in) )?(?P<right>[^,]+)$"
)
"""One figure of one side against that of the other: "length of stay of men vs women"; what is "tested against" a drug,
"vaccinated" or shows "resistance against" one is no side."""
_COMPARE_BOTH = re.compile(
    r"^(?:compare|contrast) (?:the )?(?P<figure>[^,]+?) (?:of|for|in|among|between|across) (?P<sides>[^,]+)$"
)
"""One figure of two groups: "compare the mean age of gout and asthma patients"."""
_NOUNS = {"patients", "people", "women", "men", "admissions", "stays", "visits", "those"}
_AND, _TO = re.compile(r" (?:and|vs\.?|versus) "), re.compile(r" (?:with|to) ")
"""What stands between the two sides: the second only where the first does not."""
_BEFORE_AND_AFTER = re.compile(
    r"^(?:what (?:is|was|are) )?(?:the )?(?P<figure>[^,]+?) (?:before|pre) ?(?:and|vs\.?|versus|or|/|&) ?"
    r"(?:after|post) (?P<what>[^,]+)$"
)
"""The same figure on both sides of something: "average potassium before and after dialysis"."""
_FIGURE_LAST = re.compile(
    r"^(?P<left>[^,:;]+?) (?:vs\.?|versus) (?P<right>[^,:;]+?)\s*[:;,–-]\s*"
    r"(?P<figure>(?:the )?(?:average|mean|median|mortality)[^,:;]*)$"
)
"""The sides first: "single vs married: mean age"."""
_LIKELY = re.compile(r"^to\s+(?:be\s+)?")
_TIME = re.compile(r"^(?:time|days|hours)\b")
_YEAR = r"(?:\d{4}|(?:this|last) year)"
_SET_AGAINST = r"(?:vs|versus|v|and|compared (?:with|to))"
_BARE_STAYS = re.compile(
    rf"^[^,:;]* (?:(?:admissions|visits|encounters|attendances|discharges)"
    rf"(?: (?:in )?{_YEAR},? {_SET_AGAINST} (?:in )?{_YEAR}(?: so far)?| (?:in|during|since) (?:[a-z]+ )?{_YEAR})?"
    rf"|stays (?:in )?{_YEAR},? {_SET_AGAINST} (?:in )?{_YEAR}(?: so far)?)$"
)
"""Stays of two sides, of which no length is meant but how many they are: "elective vs emergency admissions"."""
_STAYS = re.compile(r"\b(?:admissions?|stays?|visits?|hospitali[sz]ations?)\b")
_COST = "{cost}"
_OFTEN = {"more often", "less often", "more frequently", "less frequently"}
_COSTING = re.compile(r"\bcosts?$")
_PER = re.compile(r"\b(?:per|each|on average|average)\b")
_THAN = re.compile(r"\sthan\s")
_BESIDE = re.compile(r"\s(?:or|vs\.?|versus|than)\s")
_GRADES = {"higher", "lower", "greater", "larger", "smaller", "bigger", "longer", "shorter"}
_WITHOUT_RIVAL = {"longer", "shorter", "older", "younger"}
_BEING = {"is", "are", "was", "were"}
_VERSUS = re.compile(r"\s(?:vs|versus|v|compared (?:with|to))\b")
_NUMBERED = re.compile(
    r"\b(?:no|nr|average|avg|mean|median|number|numbers|count|counts|how|total|sum|max|maximum|min|minimum|share|percent|"
    r"percentage|proportion|fraction|rate|mortality|deaths?|n|highest|lowest|first|last|latest|most|list|show|"
    r"which|what|when|sd|range|distribution|compare|ratio|by|per)\b|%"
    r"|^(?:the )?(?:patients|people|admissions|stays|men|women|males|females)\b"
)
"""What says which number is told, or that none is."""
_LIMITED = re.compile(r"(?:over|under|above|below|older than|younger than|aged|at least|up to) ?\d")
_OF_BOTH_SIDES = re.compile(r"\S+((?: patients| people| women| men| admissions| stays| visits) \S.*)$")
"""What is said of two sides behind the noun of the second."""
_HEAD = re.compile(r"(?:the )?(?:patients|people|persons|women|men|females|males|stays|admissions|visits) ")
_COMPARE = re.compile(r"^(?:please )?(?:compare|contrast) ")
_BETWEEN = re.compile(r" (?:between|across|for|in) ")
_MEANT = -0.5
"""What it saves that sides are compared by their means."""
_SAVED = -1.2
"""What it saves that one side is weighed against the other."""
_DEAREST = 4.2
"""Prices of the two sides, together: what costs more is not understood."""
_LONGEST, _MOST_CUTS, _MOST_SIDES = 40, 60, 12
"""Words of such a question, ways to cut it, and sides that are read: people's own need 3 to 5, and 11 at most."""
_OUTCOMES = {
    "die": "mortality",
    "dying": "mortality",
    "readmitted": "readmission rate",
    "come back": "readmission rate",
}


@dataclass(frozen=True)
class _Weighed:
    """A figure (with "{}" for of whom), and the two sides in the words of the question."""

    figure: str
    left: str
    right: str


def weighed(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question that weighs two groups by one figure, the cheapest first; `read` reads the figure of
    one side. Of what may be sides so many are read, each once: a long question can be cut in very many ways."""
    if len(text.words) > _LONGEST:
        return []
    known: dict[str, Sequence[Read]] = {}

    def figures(words: str) -> Sequence[Read]:
        if words not in known and len(known) < _MOST_SIDES:
            known[words] = read(words_read(words))
        return known.get(words, ())

    found: list[Read] = []
    for one in islice(_asked(text.lower), _MOST_CUTS):
        sides = [
            (left, right)
            for left_words, right_words in _spelled(one)
            if (left := _side(one, left_words, figures)) is not None
            and (right := _other(one, right_words, left, figures)) is not None
        ]
        found += [made for left, right in sides if (made := _beside(*left, *right)) is not None]
    return sorted(found, key=lambda one: one.price)


def averaged(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question that sets two sides against each other and names no number, as that of their means:
    "length of stay of men vs women", "compare creatinine between men and women"; of stays alone how many they are."""
    said = text.lower.strip(" ?.!")
    compared = _COMPARE.match(said)
    said = said if compared is None else _BETWEEN.sub(" of ", said[compared.end() :])
    if not (compared or _VERSUS.search(said)) or _NUMBERED.search(said):
        return []
    counted = _BARE_STAYS.search(said) is not None
    figure, wanted = ("number of", "count") if counted else ("average", "mean")
    found = []
    for one in read(words_read(f"{figure} {_ARTICLE.sub('', said)}"))[: 3 if counted else 1]:
        match one.statement:
            case (
                Groups(columns=(Aggregate(function=function),))
                | Single(columns=(Aggregate(function=function), Aggregate()))
            ) if function == wanted:
                found.append(replace(one, price=one.price + _MEANT))
    return found


def _asked(said: str) -> Iterator[_Weighed]:
    """What may be weighed, of a question with a comparative in it."""
    said = re.sub(r"\s*\([^()]*\)\s*$", "", said.strip(" ?.!"))
    opening = _POLITE.match(said)
    indirect = opening is not None and opening[0].rstrip().endswith(("if", "whether"))
    said = _POLITE.sub("", said, count=1)
    if (both := _BEFORE_AND_AFTER.match(said)) is not None:
        figure = both["figure"].replace("highest ", "maximum ").replace("lowest ", "minimum ")
        figure = figure if _NUMBERED.search(figure) else _named(figure)
        yield _Weighed("{}", f"{figure} before {both['what']}", f"{figure} after {both['what']}")
    if (both := _OF_BOTH.match(said)) is not None:
        yield _Weighed(f"{both['figure']} {both['of']} {{}}", both["left"], both["right"])
    if (both := _COMPARE_BOTH.match(said)) is not None:
        figure = both["figure"] if _NUMBERED.search(both["figure"]) else _named(both["figure"])
        cuts = [*_AND.finditer(both["sides"])] or [*_TO.finditer(both["sides"])]
        for cut in cuts:
            if _NOUNS.issuperset(both["sides"][: cut.start()].split()[-1:]):
                continue  # "patients with gout with patients with COPD"
            yield _Weighed(f"{figure} of {{}}", both["sides"][: cut.start()], both["sides"][cut.end() :])
    if (both := _AGAINST.match(said)) is not None and not _VERSUS.search(both["left"]):
        figure = both["figure"] if _NUMBERED.search(both["figure"]) else _named(both["figure"])
        yield _Weighed(f"{figure} {both['of']} {{}}", both["left"], both["right"])
    if (both := _FIGURE_LAST.match(said)) is not None:
        yield _Weighed(f"{both['figure']} of {{}}", both["left"], both["right"])
    averaged = bool(_PER.search(said))
    said = re.sub(r"\s+", " ", _ON_AVERAGE.sub(" ", said)).strip(" ,")
    for match in _COMPARATIVE.finditer(said):
        before, behind = said[: match.start()].strip(" ,"), said[match.end() :].strip(" ,")
        word = match["word"]
        verb, who = _VERB.match(f"{before} "), _WHO.match(f"{before} ")
        if indirect:
            yield from _told_of(before, word, behind, averaged=averaged, being=bool(_BEING & {*before.split()[-1:]}))
        elif verb is not None and (word in ("more", "fewer")) and verb.end() >= len(before):
            yield from _counted(behind)
        elif verb is not None and word in ("more", "fewer") and before[verb.end() :].strip() == "there":
            yield from _there_are(behind)
        elif verb is not None:
            being = verb[0].strip() in _BEING
            yield from _told_of(f"{before} "[verb.end() :].strip(), word, behind, averaged=averaged, being=being)
        elif who is not None:
            yield from _chosen(f"{before} "[who.end() :].strip(), word, behind, who[0], averaged)


def _counted(behind: str) -> Iterator[_Weighed]:
    """ "Did more women than men die?": how many of each."""
    for beside in _BESIDE.finditer(behind):
        left, rest = behind[: beside.start()], behind[beside.end() :].split()
        if _SIDE.match(f"{rest[0]} "):
            continue  # "did more people come in one year than in the next": not two groups
        for at in range(1, len(rest)):
            yield _Weighed(f"how many {{}} {' '.join(rest[at:])}", left, " ".join(rest[:at]))
        words = left.split()
        for at in range(1, len(words)):  # "did more of these die than of those"
            yield _Weighed(f"how many {{}} {' '.join(words[at:])}", " ".join(words[:at]), " ".join(rest))


def _there_are(behind: str) -> Iterator[_Weighed]:
    """ "Are there more women than men with asthma?": what is said behind the second is said of both."""
    for beside in _THAN.finditer(behind):
        left, right = behind[: beside.start()], behind[beside.end() :]
        of_both = _SAID_OF.search(right)
        tail = right[of_both.start() :] if of_both is not None else ""
        yield _Weighed(f"number of {{}}{tail}", left, right.removesuffix(tail))


def _told_of(before: str, word: str, behind: str, *, averaged: bool, being: bool) -> Iterator[_Weighed]:
    """ "Do A stay longer than B?", "do A or B stay longer?", "is the rate higher in A or B?"."""
    left, _, last = before.rpartition(" ")
    if word in _OFTEN and left and last in _OUTCOMES:  # "do these die more often than those?"
        yield _Weighed(f"{_OUTCOMES[last]} of {{}}", left, behind.removeprefix("than ").strip() or "others")
    for beside in _BESIDE.finditer(f" {behind} "):
        first, second = f" {behind} "[: beside.start()].strip(), f" {behind} "[beside.end() :].strip()
        if being and word in _GRADES and _SIDE.match(first):
            yield _Weighed(f"{_named(before)} {{}}", first, second)  # the rate is named first
            yield _Weighed(f"{_named(before)} of {{}}", _SIDE.sub("", first), _SIDE.sub("", second))
        for left, predicate in _predicates(before):
            if (figure := _measured(word, predicate, first, averaged)) is not None:
                yield _Weighed(figure, left, second)
            if _SIDE.match(first) and _SIDE.match(second) and predicate == "":
                figure = _measured(word, predicate, "", averaged)
                if figure is not None:  # "are patients older in one year than in the next?"
                    yield _Weighed(figure, f"{left} {first}", f"{left} {second}")
        of = re.search(rf"\s(?={_PREPOSITION}\s)", before)
        if being and not first and of is not None and word in _GRADES:
            yield _Weighed(f"{_named(before[: of.start()])} {{}}", before[of.end() :], second)
    if being and word in _GRADES and _SIDE.match(behind) and not _BESIDE.search(behind):
        yield _Weighed(f"{_named(before)} {{}}", behind, "others")  # "is it higher in women?"
    if word in _WITHOUT_RIVAL and not _BESIDE.search(f" {behind} ") and " or " not in before:
        for left, predicate in _predicates(before):  # "do the divorced stay longer?"
            if predicate and (figure := _measured(word, predicate, behind, averaged)) is not None:
                yield _Weighed(figure, left, "others")
    for beside in re.finditer(r"\sor\s", before):
        left, rest = before[: beside.start()], before[beside.end() :]
        for right, predicate in _predicates(rest):
            if (figure := _measured(word, predicate, behind, averaged)) is not None:
                yield _Weighed(figure, left, right)


def _chosen(before: str, word: str, behind: str, who: str, averaged: bool) -> Iterator[_Weighed]:
    """ "Who is older, A or B?", "who stays longer in the ICU: A or B?"."""
    for beside in re.finditer(r"\s(?:or|vs\.?|versus)\s", behind):
        first, right = behind[: beside.start()].split(), behind[beside.end() :]
        for at in range(len(first)):
            what = " ".join(first[:at]).strip(" ,:;-–—(")
            left = " ".join(first[at:])
            closed = at > 0 and first[at - 1][-1] in ",:;-–—" if at else True
            if closed and (figure := _measured(word, f"{who} {before}", what, averaged)) is not None:
                yield _Weighed(figure, left.strip(" ,:;-("), right.strip(" )"))
        of = re.search(rf"\s(?={_PREPOSITION}\s)", " ".join(first))
        if of is not None and word in _GRADES:
            said = " ".join(first)
            yield _Weighed(f"{_named(said[: of.start()].strip(' ,:'))} {{}}", said[of.end() :], right)


def _predicates(said: str) -> Iterator[tuple[str, str]]:
    """Of whom, and what they do, where a verb stands between; the whole where none does."""
    yield said, ""
    for verb in _PREDICATE.finditer(f" {said} "):
        left = f" {said} "[: verb.start()].strip()
        if left:
            yield left, f" {said} "[verb.start() :].strip()


def _named(figure: str) -> str:
    """A figure by its name; a value without one is averaged."""
    figure = _OF_STAY.sub(r"length of \g<1>", _ARTICLE.sub("", figure))
    return figure if _RATES.search(figure) else f"average {figure}"


def _measured(word: str, predicate: str, what: str, averaged: bool) -> str | None:
    """The figure that a comparative asks for, beside what they do and what they have; None where it tells of none."""
    said = f"{predicate} {what}".strip()
    further = re.sub(r"\s+", " ", _IDLE.sub(" ", what)).strip(" ,")
    if word in ("older", "younger"):
        return f"average age {further} of {{}}" if further else "average age of {}"
    if word in ("heavier", "lighter", "taller"):
        name = "height" if word == "taller" else "weight"
        return None if further else f"average {name} of {{}}"
    if word in ("longer", "shorter") or (word in ("more", "fewer", "less") and _TIME.match(what)):
        place = "icu " if re.search(r"\b(?:icu|intensive care|unit)\b", said) else "hospital "
        if not _STAYING.search(said) and not re.search(r"\b(?:in|icu|unit)\b", said):
            return None
        return f"average length of {place}stay of {{}} {further}".strip()
    if word.startswith(("more ", "less ")):
        to = _LIKELY.sub("", what)
        if to in _OUTCOMES:
            return f"{_OUTCOMES[to]} of {{}}"
        return f"percentage of {{}} who {what.removeprefix('to ')}" if what.startswith("to ") else None
    if _COSTING.search(predicate) and not what:
        return f"{_COST} of {{}}"
    what = _ARTICLE.sub("", what)
    if not what or _SIDE.match(what):
        return None
    if word in ("more", "fewer"):
        return f"average number of {what} of {{}}" if averaged else None
    return f"{_named(what)} of {{}}"


def _spelled(one: _Weighed) -> Iterator[tuple[str, str]]:
    """The two sides as they may be meant: what is said once belongs to both."""
    left, right = _OF_ITS_OWN.sub("", one.left), other_ages(one.left, _OF_ITS_OWN.sub("", one.right))
    if not left.strip() or not right.strip():
        return
    own = _SIDE.match(left)
    if own is not None and one.figure.endswith(" {}") and not _SIDE.match(right):
        right = f"{own[0]}{right}"
    if (own is None) != (_SIDE.match(right) is None):
        right = _SIDE.sub("", right)
    left, right = _THOSE.sub("patients ", left), _THOSE.sub("patients ", right)
    if _LIMITED.match(right) and (head := _HEAD.match(left)):
        right = f"{head[0]}{right}"  # "patients over 80 vs under 60"
    if len(left.split()) == 1 and (tail := _OF_BOTH_SIDES.match(right)) is not None:
        yield f"{left}{tail[1]}", right  # "widowed and married patients who died"
        return
    noun = left.split()[-1]
    right = re.sub(r"\bones$", noun, right)
    yield left, right
    if len(right.split()) > 1 and right.split()[-1] != noun:
        yield f"{left} {right.split()[-1]}", right
    if len(left.split()) == len(right.split()) == 1:
        yield f"{left} patients", f"{right} patients"
    if len(right.split()) == (1 if own is None else 2) and len(left.split()) > 1:
        yield left, f"{left.rsplit(' ', 1)[0]} {right.split()[-1]}"


def _other(
    one: _Weighed, right: str, left: tuple[Read, Aggregate], read: Callable[[str], Sequence[Read]]
) -> tuple[Read, Aggregate] | None:
    """The figure of the other side; of all who are not on the first, where no more is said."""
    named = one.left.removeprefix("the ")
    denied = re.fullmatch(rf"(?:the )?non[- ]?{re.escape(named)}", right)
    if denied is None and not _OTHERS.match(_SIDE.sub("", right)):
        return _side(one, right, read)
    number = left[1]
    rest = _complement(number.of) if isinstance(number.of, Set) else None
    return None if rest is None else (left[0], replace(number, of=rest))


def _complement(of: Set) -> Set | None:
    """Those of whom a condition on the people does not hold, where one is what makes the set."""
    parts = parts_of(of.where)
    if of.unit == PATIENT and len(parts) == 1:
        return replace(of, where=Not(parts[0]))
    people = [part for part in parts if isinstance(part, Of) and part.of.unit == PATIENT]
    if len(people) != 1 or people[0].of.where is None or len(parts_of(people[0].of.where)) != 1:
        return None
    inner = people[0].of.where
    own = (inner, *(parts_of(inner.of.where) if isinstance(inner, Has) else ()))  # said of them and their stays alike
    said = [part for part in parts if part not in people and part not in own]
    return replace(of, where=maybe([*said, Of(replace(people[0].of, where=Not(inner)))]))


def _side(one: _Weighed, words: str, read: Callable[[str], Sequence[Read]]) -> tuple[Read, Aggregate] | None:
    """The figure of the side of these words; of costs that of what each of its stays, or each patient, cost."""
    of_stays = _STAYS.search(one.left) is not None
    cost = "average cost per admission for" if of_stays else "average cost per patient of"
    question = one.figure.replace(f"{_COST} of", cost).replace("{}", words)
    return figure_of(read(question), summed=_COST in one.figure)


def _beside(left: Read, one: Aggregate, right: Read, other: Aggregate) -> Read | None:
    """Both figures, where they are the same one of two sets."""
    price = max(left.price, 0.0) + max(right.price, 0.0)
    units = {of.unit for of in (one.of, other.of) if isinstance(of, Set)}
    if one == other or replace(one, of=None) != replace(other, of=None) or len(units) > 1 or price > _DEAREST:
        return None
    if _within_the_other(one, other) or any(map(_of_what_they_lack, (one, other))):
        return None
    statement = _grouped(one, other) or Single((one, other))
    why = (*left.why, *right.why, COMPARED)
    passed = (*left.passed, *right.passed)
    return Read(statement, price / 2 + _SAVED, why, left.cover, left.places, passed)


def _within_the_other(one: Aggregate, other: Aggregate) -> bool:
    """True where one set is the other with more said of it: what was said of both was read of one alone."""
    if not isinstance(one.of, Set) or not isinstance(other.of, Set):
        return False
    mine, others = set(parts_of(one.of.where)), set(parts_of(other.of.where))
    return mine <= others or others <= mine


def _of_what_they_lack(number: Aggregate) -> bool:
    """True for a figure of records over patients who have none of them: "never did" was said of something else."""
    if not isinstance(number.of, Set):
        return False
    measured = replace(number.of, where=None)
    whose = [part.of.where for part in parts_of(number.of.where) if isinstance(part, Of)]
    return any(part == Not(Has(measured)) for where in whose for part in parts_of(where))


def _grouped(one: Aggregate, other: Aggregate) -> Statement | None:
    """The figure by what two sets differ in, where that is the value of an attribute, or whether something is so."""
    if not isinstance(one.of, Set) or not isinstance(other.of, Set) or one.of.unit != other.of.unit:
        return None
    mine, others = _own_parts(one.of), _own_parts(other.of)
    [*left], [*right] = [part for part in mine if part not in others], [part for part in others if part not in mine]
    stated = [any(isinstance(part, Test) for part in side) for side in (left, right)]
    if (
        left and right and stated[0] != stated[1] and all(map(_tells_fate, (*left, *right)))
    ):  # the dead of any time, those who left alive
        whole = replace(one.of, where=maybe([part for part in mine if part in others]))
        return Groups(whole, (Own("hospital death"),), (replace(one, of=None),)) if one.of.unit != PATIENT else None
    if len(left) != 1 or len(right) != 1 or replace(one.of, where=None) != replace(other.of, where=None):
        return None
    whole = replace(one.of, where=maybe([part for part in mine if part in others]))
    number = replace(one, of=None)
    key, values = _differing(left[0], right[0])
    if key is None:
        return None
    limits = (Among(key, values),) if values and key != Own("gender") else ()
    return Groups(limited(whole, *limits), (key,), (number,))


def _own_parts(of: Set) -> tuple[Condition, ...]:
    """What is said of the rows of a set; of patients what is said of whom they are, too."""
    parts = parts_of(of.where)
    if of.unit != PATIENT:
        return parts
    theirs = (parts_of(one.of.where) if isinstance(one, Of) and one.of.unit == PATIENT else (one,) for one in parts)
    return tuple(part for several in theirs for part in several)


def _tells_fate(part: Condition) -> bool:
    """True for a condition that stays ended in death or did not, or that the patient died at all."""
    match part:
        case Test(left=Own("hospital death")):
            return True
        case Of(of=Set(unit="patient", where=Has() | Not() as inner)):
            return _tells_fate(inner)
        case Not(of=inner):
            return _tells_fate(inner)
        case Has(of=Set(unit="death", where=None)):
            return True
    return False


def _differing(one: Condition, other: Condition) -> tuple[Measure | None, tuple[Scalar, ...]]:
    """What two conditions differ in, with its values; None where that is no attribute."""
    match one, other:
        case Of(of=Set(unit="patient", where=Test(left=Own("gender")) as inner)), Of(of=Set(where=Test() as second)):
            return _differing(inner, second)
        case Test(left=Own() as key, relation="=", right=Value(first)), Test(
            left=same, relation="=", right=Value(second)
        ):
            return (key, (first, second)) if key == same else (None, ())
        case _ if Not(one) == other or one == Not(other):
            return Whether(one), ()
    return None, ()
