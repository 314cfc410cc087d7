"""What the stored names that a question mentions may mean where they stand, and what each meaning costs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ehrtui.concepts.candidates import Mention
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    Among,
    Has,
    Item,
    Own,
    Set,
    Test,
    Value,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexicon import Sense, english, phrases
from ehrtui.planning.reader.likelier_names import HOLDS_MORE, beside_others, plain_one
from ehrtui.planning.reader.meanings import Event, People, Trait, bearers_of, named, unit_of
from ehrtui.planning.reader.numbers import is_measure
from ehrtui.planning.reader.stored_values import (
    PEOPLE,
    says_which,
)
from ehrtui.planning.reader.world import World
from ehrtui.schema.columns import singular
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.value_index import split
from ehrtui.schema.word_forms import stem

_COMMON = (
    "role",
    "stay",
    "nos",
    "nec",
    "unspecified",
    "field",
    "people",
    "count",
    "current",
    "moment",
    "dead",
    "function",
    "by",
    "free",
    "light",
    "verbal",
)
_HOW = {
    "inflected": 0.05,
    "abbreviation": 0.1,
    "family": 0.2,
    "inverted": 0.1,
    "part": 0.5,
    "misspelt": 0.5,
    "verb": 0.2,
}
"""What a name costs by how it was found."""
_LOOSE = {
    "other",
    "others",
    "unknown",
    "none",
    "any",
    "elsewhere",
    "not",
    "positive",
    "negative",
    "growth",
    "grew",
    "new",
    "old",
    "left",
    "right",
    "alive",
    "type",
    "test",
    "tests",
    "stay",
    "nos",
    "nec",
    "unspecified",
}
_SHORT = 2
"""Letters: so short a name is easily something else."""
_ROMAN = {"ii", "iii", "iv", "vi", "vii", "viii", "ix"}
"""Numbers in names of several words, which these do not stand for alone."""
_HINTS_REACH = 6
"""Words: how far a verb may stand from the name whose kind it tells."""
_MOST_BRANCHES = 100
"""Names that begin like another: so many are looked at."""
_SUFFERERS = re.compile(
    r"(?:diabet|asthmat|alcohol|epilept|schizophren|hemophil|haemophil|psychot|parapleg|quadripleg)i(?:c|ac)s$"
    r"|hypertensives$|(?:smok|drink|bleed|abus)ers$|addicts$|amputees$"
)
"""People who are named by what they have."""
_TAKING = {"took", "taking", "prescribed", "receiving", "administered", "given", "received"}
_OF_RECORDS_TOO = 0.5
"""What a value costs of records that stays have as well: who is "insured by" somebody is so at visits."""
_OF_ANOTHER_KIND = 0.9
"""What a name costs of another kind than the noun right behind it says: "a dialysis procedure"."""
_NOT_ITS_NAME = 0.7
"""What a concept costs that another has the very name of: "hemodialysis", which is a dialysis too."""
_NOT_TAKEN = 3.8
"""What it costs that something measured, or an allergy, is said to be taken: "never took iron" is of no iron in the
blood."""
_LOOKED_FOR = 2.4
"""What a name costs that tells of a search for what is said: whoever was screened for something need not have it."""
_SEARCHES = frozenset(
    map(stem, ("screening", "screen", "assessment", "education", "counseling", "counselling", "vaccine", "vaccination"))
) | frozenset(map(stem, ("immunization", "immunisation", "ige", "antibody", "prophylaxis", "risk", "history")))
_OF_PEOPLE = ("religion", "ethnicity", "race", "language")
_WHERE_IT_ENDED = 0.6
"""What it costs that a stay is said to be on the unit where it ended, and not where it began."""
_LEFT = {"last", "final", "finally", "left", "leave", "leaving", "ended", "end", "ends", "discharged", "discharge",
         "from", "out"}  # fmt: skip
_SO_CALLED = 0.1
"""What it costs that people are called by what is true of them."""


def mentioned(
    linked: Mention, span: tuple[int, int], hints: Sequence[tuple[int, str]], world: World, words: Sequence[str]
) -> Iterator[Node]:
    """The nodes of a stretch [start, end) of the words that names a stored thing, the likeliest cheapest; `hints` are
    the places of words that tell of which kind a name is. Nothing where the words say something else."""
    start, end = span
    plain = [phrases().senses.get((word,), ()) for word in words[start:end]]
    if all(any(sense.kind in ("free", "count", "list", "ask", "negation") for sense in senses) for senses in plain):
        return
    said = [word for word in words[start:end] if any(letter.isalpha() for letter in word)]
    if "both" in words[max(0, start - 2) : start] and "and" in words[start:end]:
        return  # "in both the MICU and the SICU": two of them
    coded = any(one.how == "code" for one in linked.candidates)
    if (
        end - start == 1
        and len(words[start]) == 1
        and linked.candidates[0].how not in ("abbreviation", "lay", "inflected")
    ):
        return
    if not coded and (not said or (end - start == 1 and words[start] in _LOOSE)):
        return
    told = ("exact", "verb", "lay") if end - start > 1 and linked.candidates[0].field else ("exact", "verb")
    floor = len(said) < end - start and kind_of(linked.candidates[0].role).place  # "4 West", of wards
    if not coded and not floor and all(_everyday(word) for word in said) and linked.candidates[0].how not in told:
        of_them = end - start == 1 and linked.candidates[0].field and says_which(words, start)
        if not of_them:  # "how many are black"
            return
    known = all(any(_is_common(sense, world) for sense in senses) for senses in plain)
    strong = any(
        sense.kind in ("function", "superlative", "pick", "most", "limit") for senses in plain for sense in senses
    )
    near = {
        role
        for at, role in hints
        if not (words[at] == "on" and at >= end)
        and not start <= at < end
        and abs(at - (start if at < start else end)) <= _HINTS_REACH
    }
    stays = {(one.field, one.values) for one in linked.candidates if one.role == "admission"}
    told_at = {(one.role, one.field) for one in linked.candidates}
    kinds = _kinds_beside(words, end) | _kinds_before(words, start, world)
    if kinds.isdisjoint(one.role for one in linked.candidates if not one.field):
        kinds = set()
    first = linked.candidates[0]
    own_name = first.how == "concept" and [one.text.lower() for one in first.items] == [" ".join(words[start:end])]
    for at, one in enumerate(linked.candidates):
        if not world.has(one.role):
            continue
        if one.how in ("part", "family") and end - start == 1 and words[start] in _ROMAN:
            continue  # "IV heparin" is of no pressure ulcer, stage IV
        if one.role == "discharge" and (one.field, one.values) in stays:
            continue  # the stay that ended so
        if one.field and singular(" ".join(words[start:end])) == one.field:
            continue  # "organisms", of which one is stored as "organism": the attribute
        cost = 0.28 * at + 2.4 * (1 - one.score) - 0.12 * (end - start - 1) + _HOW.get(one.how, 0.0)
        if one.field and one.role != "admission" and (one.field, one.values) in stays:
            cost += _OF_RECORDS_TOO
        if one.field == "last care unit" and (one.role, "first care unit") in told_at and _LEFT.isdisjoint(words):
            cost += _WHERE_IT_ENDED
        if kinds and (one.field or one.role not in kinds):
            cost += _OF_ANOTHER_KIND
        if own_name and at and one.how == "concept" and one.role == first.role:
            cost += _NOT_ITS_NAME
        cost += beside_others(linked.candidates, at, tuple(words[start:end]), words, start, world)
        if strong and one.how not in ("exact", "abbreviation", "lay"):
            cost += 1.0
        if known:
            cost += 0.6 if one.how == "exact" and end - start > 1 else 1.6
        if not one.field:
            cost += -0.35 if one.role in near else 0.1
            if one.role == "vital" and "lab" in near and "vital" not in near:
                cost += 0.2
            if one.how == "family" and _is_looked_for(one.items, words):
                cost += _LOOKED_FOR
            taken = (start > 0 and words[start - 1] in _TAKING) or tuple(words[end : end + 2]) == ("by", "mouth")
            if taken and (kind_of(one.role).measured or one.role == "allergy"):
                cost += _NOT_TAKEN
            items = _with_branches(one.role, one.items, world) if one.how == "exact" else one.items
            if (only := plain_one(one)) is not None:
                event = Event(one.role, Set(unit_of(one.role), (only,)), how=one.how, label=only.text)
                yield Node("event", event, start, end, cost, ("link", f"how:{one.how}"))
                cost += HOLDS_MORE
            event = Event(one.role, Set(unit_of(one.role), items), how=one.how, label=one.label)
            why = ("link", f"how:{one.how}")
            sufferer = _SUFFERERS.search(words[end - 1]) is not None
            yield Node("event", event, start, end, cost + (0.5 if sufferer else 0.0), why)
            if kind_of(one.role).disease and sufferer:
                yield Node("people", People(Set(PATIENT, (), Has(event.of))), start, end, cost, why)
        elif one.values:
            who = end - start > 1 and words[end - 1] in PEOPLE  # "white patients": people, of whom that is told
            trait = valued(one.role, one.field, one.values)
            if len(one.values) > 1 and any(name.lower() == " ".join(words[start:end]) for name in one.values):
                cost += HOLDS_MORE  # "SNF", as it is stored, is not what else is called a nursing home
            valued_so = ("link", f"how:{one.how}", "value")
            yield Node("trait", trait, start, end - who, cost, valued_so)
            if one.field in _OF_PEOPLE and words[end - 1].endswith("s") and not who:  # "Catholics", "Spanish speakers"
                of = trait.condition if one.role == PATIENT else Has(Set(HOSPITAL, (), trait.condition))
                yield Node("people", People(Set(PATIENT, (), of)), start, end, cost + _SO_CALLED, valued_so)


def _is_looked_for(items: Sequence[Item], words: Sequence[str]) -> bool:
    """True where every name tells of a search for what is said, or of a defence against it, and no word asks for such:
    "depression screening" is no depression."""
    said = {stem(word) for word in words}
    own = [{stem(word) for word in split(item.text)} for item in items if item.kind == "name"]
    return bool(own) and len(own) == len(items) and all(_SEARCHES & (one - said) for one in own)


def _kinds_beside(words: Sequence[str], end: int) -> set[str]:
    """The kinds of records that a noun in the singular right behind a name says: "procedure", "prescription"."""
    noun = tuple(words[end : end + 1])
    if not noun or noun[0].endswith("s"):
        return set()
    return {sense.which for sense in phrases().senses.get(noun, ()) if sense.kind == "role"}


def _kinds_before(words: Sequence[str], start: int, world: World) -> set[str]:
    """The kinds of records that are named right before what they are of: "doses of morphine"."""
    if words[start - 1 : start] not in (["of"], ("of",)):
        return set()
    senses = world.own.senses.get(tuple(words[max(0, start - 2) : start - 1]), ())
    return {sense.which for sense in senses if sense.kind == "role"}


def vaccinated_against(nodes: Sequence[Node], words: Sequence[str], world: World) -> Iterator[Node]:
    """ "A covid vaccination", "vaccinated against tetanus": the vaccines whose names have what stands beside the noun,
    and not that disease."""
    for noun in nodes:
        if noun.kind != "event" or not noun.sense.noun or noun.sense.role != _VACCINES:
            continue
        against = noun.end + (words[noun.end : noun.end + 1] in (("against",), ("for",)))
        toward = against > noun.end or words[noun.end - 1] in ("against", "with")
        before = [(start, noun.start) for start in range(max(0, noun.start - _LONGEST_TARGET), noun.start)]
        behind = [(against, stop) for stop in range(against + 1, against + 1 + _LONGEST_TARGET)] if toward else []
        for start, stop in (*before, *behind):
            run = words[start:stop]
            if stop > len(words) or any(map(_is_grammar, run)):
                continue
            found = world.index.holding(" ".join(run), [_VACCINES], limit=_MOST_BRANCHES)
            names = tuple(dict.fromkeys(one.name for one in found if not one.field))
            if names:
                event = Event(_VACCINES, Set(unit_of(_VACCINES), named(names)), how="family")
                span = min(start, noun.start), max(stop, noun.end)
                yield Node("event", event, *span, _TARGET, ("link", "how:family"))


_VACCINES = "immunization"
_LONGEST_TARGET = 2
_TARGET = -0.4
"""What it saves that a vaccine is told by what it is against."""


def _is_grammar(word: str) -> bool:
    return (word,) in phrases().senses or english().get(word) == "grammar" or word.isdigit()


def _with_branches(role: str, items: tuple[Item, ...], world: World) -> tuple[Item, ...]:
    """A name with those beneath it, where names tell the way to them: "sepsis", and "sepsis - severe" with it; who is
    allergic to "latex gloves" is to latex."""
    if len(items) != 1 or items[0].kind != "name" or not (kind_of(role).coded or role == "allergy"):
        return items
    above = f"{items[0].text}{' ' if role == 'allergy' else ' - '}".lower()
    begun = world.index.starting(items[0].text, _MOST_BRANCHES)
    beneath = [one.name for one in begun if one.role == role and one.name.lower().startswith(above)]
    return named(tuple(dict.fromkeys((items[0].text, *beneath))))


def _is_common(sense: Sense, world: World) -> bool:
    """True for what a word means by itself: an attribute only where this database has it."""
    return sense.kind in _COMMON and (sense.kind != "field" or world.knows(sense.which))


_OF_NUMBERS = {"function", "superlative"}
"""What is asked of what has values."""


def too_short(node: Node, typed: str, places: Sequence[tuple[int, int]], words: Sequence[str]) -> bool:
    """True for a name of one or two letters that may as well be a word or a unit ("na", "in mg", "MI" where all is in
    capitals), with nothing beside it that tells: a limit, a number, a word that goes with its kind."""
    start, end = node.start, node.end
    if end - start > 1 or len(words[start]) > _SHORT:
        return False
    if start and words[start - 1] == "in" and is_measure(words[start]):
        return True
    if node.kind != "event" or node.cost < 0:
        return False
    shown = typed[places[start][0] : places[start][1]]
    behind = words[end] if end < len(words) else ""
    if start and any(one.kind in _OF_NUMBERS for one in phrases().senses.get((words[start - 1],), ())):
        return False  # "mean hr"
    limited = bool(behind) and (
        behind == "of"
        or behind[0].isdigit()
        or behind in "<>=≤≥"
        or any(one.kind == "limit" for one in phrases().senses.get((behind,), ()))
    )
    return (shown.islower() or typed.isupper()) and not limited


def _everyday(word: str) -> bool:
    """True for a word of everyday English, which is no part of a stored name by itself."""
    return english().get(word, "") not in ("",) or any(
        sense.kind in ("free", "light") for sense in phrases().senses.get((word,), ())
    )


def valued(role: str, field: str, values: tuple[str, ...]) -> Trait:
    """The condition that an attribute has one of these values."""
    own = Own(field)
    test = Test(own, "=", Value(values[0])) if len(values) == 1 else Among(own, values)
    return Trait(test, bearers_of(role), field=field, role=role)
