"""Values of attributes, said beside their names ("insurance is private", "pleural fluid") or alone ("in Boston")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexicon import english, phrases
from ehrtui.planning.reader.world import World
from ehrtui.schema.columns import singular
from ehrtui.schema.kinds import PATIENT
from ehrtui.schema.value_index import split
from ehrtui.schema.word_forms import stem

_BETWEEN = {
    *("is", "are", "was", "were", "of", "as", "=", ":", "equal", "equals", "to", "the", "a", "an", "in", "being"),
    *("status", "type", "code", "named", "called", "has", "have", "having", "like", "at", "by", "called", "marked"),
}
_MOST_BETWEEN = 2
_LONGEST = 7
"""Words of a value."""
_LONGEST_BEFORE = 3
"""Words of a value that stands before the name of its attribute."""
_WHOLE, _BEGUN, _PART, _ALONE, _PLACED, _OF_PART = -0.35, 0.1, 0.25, 0.45, 0.0, 0.9
"""What a value costs that is said as it is stored beside its attribute, by its beginning, by some of its words, without
the attribute, without it where a place is told ("from Boston"), and by one of its words alone."""
_QUALIFIED = 0.6
"""What it costs that a value is of an attribute with more to its name than another that has it too."""
_BEFORE = {
    *("of", "the", "many", "all", "our", "for", "in", "on", "with", "and", "by", "per", "each", "every", "a", "an"),
    *("any", "list", "show", "count", "were", "are", "which", "what", "vs", "or", "from", "during", "these", "those"),
}
"""What stands before a word that alone says of which kind stays are."""
_PARTLY = 0.3
"""What it costs that a word right before stays is but a part of a value of theirs."""
_PLACES = {"city", "state", "county", "country", "birth place", "hometown"}
_OF_STAYS = ("admission", "icu_stay")
_FROM = {"from", "in", "near", "around"}
_NEVER_ALONE = frozenset(
    (
        "admission diagnosis",
        "reason",
        "visit reason",
        "visit description",
        "text",
        "unit",
        "dose unit",
        "drug code",
        "code",
    )
)
"""Attributes whose values are the names of other things, or stand in any sentence: they are said with the attribute."""
_SAYS_LITTLE = ("grammar", "scope", "speech")
"""Classes of words that by themselves are no value."""
_YES_OR_NO = {"yes", "no", "y", "n", "true", "false", "none", "t", "f"}
"""Values that are the words of any sentence."""
_OF_EVERYBODY = {"admitted", "discharged", "transferred", "seen", "referred", "attended", "treated", "readmitted"}
"""Values that are what is said of anybody who comes to a hospital."""
_ONE = {"a", "any", "one", "longest", "shortest", "highest", "lowest", "largest", "each", "every", "which", "what"}
"""What makes a number of "single": "in a single admission", "the longest single stay"."""
_WHICHEVER = {"same", "this", "that", "these", "those", "each", "every", "first", "last", "other", "another", "whole"}
"""Words that tell which stays are meant, and not of what kind: "the same admission" is no "same day admission"."""
_ENDED = {"ended", "end", "ends", "ending", "finished"}
_WENT = {"went", "gone", "goes", "go", "going", "sent", "returned", "returning", "return"}
_BACK = {"back", "straight", "directly", "on"}
_AGAINST = {"vs", "versus", "v"}
"""Words that set one value against another."""
_DENIALS = {"not", "non", "no", "without"}
"""Words of a value that deny the others: "not Hispanic" is not said by "Hispanic"."""
PEOPLE = frozenset(("patient", "patients", "pt", "pts", "people", "persons", "men", "women", "adults"))
_COPULAS = {"were", "was", "are", "is", "being"}
_SHARES = {"percent", "percentage", "proportion", "share", "fraction", "%"}
_OPENING = {"and", "the", "only", "just", "for", "of", "what", "how", "about", "same"}
"""Words that open a few that go on from what was said before."""
_BEHIND_PREDICATES = {
    *("and", "or", "by", "in", "per", "for", "during", "among", "at", "when", "while", "versus", "vs", "but", "of"),
    *("on", "from", "before", "after", "since", "with"),
}
_LONGER = 0.05
"""What each further word of a name for people saves."""
_NEAR = 5
"""Words: people are no farther behind the first of several values, as in "white non-Hispanic women"."""
_SHORT_PART = 3
"""Letters: a word that is as short is no part of a value by itself."""
_OF_ANY_HOSPITAL = {"care", "health", "hospital", "medical", "service", "services", "treatment", "unit", "clinic"}
"""Words that stand in the names of many places, and tell none of them by themselves."""
_IDENTIFIER = ("id",)
"""Who it is, and no way in which drugs are given ("intradermal")."""
_SHORT = 2
"""Letters: a word of everyday English that is as short is a value by chance."""


@dataclass(frozen=True)
class SaidValue:
    """The words [start, end) say that an attribute of a role has one of these stored values."""

    start: int
    end: int
    role: str
    field: str
    values: tuple[str, ...]
    cost: float


def beside_fields(words: Sequence[str], fields: Sequence[tuple[int, int, str]], world: World) -> Iterator[SaidValue]:
    """The values that stand behind or before the names of their attributes, which are (start, end, attribute)."""
    for start, end, field in fields:
        if field not in world.stored:
            continue
        behind = end
        while behind < min(end + _MOST_BETWEEN, len(words)) and words[behind] in _BETWEEN:
            behind += 1
        for first in range(end, behind + 1):
            runs = [(first, stop) for stop in range(min(first + _LONGEST, len(words)), first, -1)]
            for one in _best(words, runs, field, world):
                yield SaidValue(start, one.end, one.role, field, one.values, one.cost)
                if (either := _or_others(words, one, world)).end > one.end:
                    yield replace(either, start=start)
        runs = [(first, start) for first in range(max(0, start - _LONGEST_BEFORE), start)]
        for one in _best(words, runs, field, world):
            yield SaidValue(one.start, end, one.role, field, one.values, one.cost + 0.1)


def _or_others(words: Sequence[str], one: SaidValue, world: World) -> SaidValue:
    """ "Whose admission type is urgent or elective": any of the values that are joined."""
    while one.end < len(words) and words[one.end] in ("or", "/", ","):
        runs = [(one.end + 1, stop) for stop in range(min(one.end + 1 + _LONGEST, len(words)), one.end + 1, -1)]
        other = next((each for each in _best(words, runs, one.field, world) if each.role == one.role), None)
        if other is None or other.cost > _WHOLE:
            break
        one = replace(one, end=other.end, values=(*one.values, *other.values), cost=one.cost - _JOINED)
    return one


_JOINED = 0.1
"""What it saves that a value stands beside another of the same attribute."""


def going_home(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The words before "home" that say that somebody went there: "went home", "sent back home", "ended at home"."""
    for home in (at for at, word in enumerate(words) if word == "home"):
        start = home
        if words[max(0, home - 1) : home] == ("at",) and _ENDED & set(words[max(0, home - 2) : home - 1]):
            yield home - 2, home
        while start and words[start - 1] in _BACK:
            start -= 1
        if start and words[start - 1] in _WENT:
            yield start - 1, home


def before_stays(words: Sequence[str], stays: Iterable[int], world: World) -> Iterator[SaidValue]:
    """What the words before a noun for stays, which begins at one of `stays`, say of them: "inpatient visits", "urgent
    care visits"."""
    for at in stays:
        for start in range(max(0, at - _LONGEST_BEFORE), at):
            if _only_one(words, start):
                continue
            found: dict[tuple[str, str], list[str]] = {}
            told = tuple(words[start:at])
            for entry in (*world.index.of(told), *world.index.of((*told, singular(words[at])))):  # "home visits"
                if entry.field and entry.role in _OF_STAYS:
                    found.setdefault((entry.role, entry.field), []).append(entry.name)
            for (role, field), values in found.items():
                yield SaidValue(start, at, role, field, tuple(dict.fromkeys(values)), 0.0)
            alone_before = start == 0 or words[start - 1] in _BEFORE
            if (
                start == at - 1
                and alone_before
                and not found
                and len(words[start]) > _SHORT_PART
                and words[start].isalpha()
                and words[start] not in _WHICHEVER
            ):
                for (role, field), partly in world.by_part.get(stem(words[start]), {}).items():
                    if role in _OF_STAYS and field not in _NEVER_ALONE:
                        yield SaidValue(start, at, role, field, partly, _PARTLY)  # "planned admissions"


def beside_records(words: Sequence[str], nouns: Iterable[tuple[int, int, str]], world: World) -> Iterator[SaidValue]:
    """What the words right before or behind a noun for records, which is (start, end, role), say of them as it is
    stored: "cancelled callouts"."""
    for start, end, role in nouns:
        beside = ((start - 1, start), (start - 2, start), (end, end + 1), (end, end + 2))
        for first, stop in (*beside, (start - 2, start - 1), (start - 3, start - 2)):  # "severe latex allergy"
            run = _letters(words[first:stop]) if first >= 0 and stop <= len(words) else ()
            values: dict[str, list[str]] = {}
            stored = (held for form in _forms(run) for held in world.by_words.get(form, ()))
            for of, field, value in (*stored, *_sayings(run, role, world)) if run else ():
                if of == role and field not in _NEVER_ALONE and not _YES_OR_NO.issuperset(run):
                    values.setdefault(field, []).append(value)
            for field, said in values.items():
                yield SaidValue(first, stop, role, field, tuple(dict.fromkeys(said)), 0.0)


def _sayings(run: tuple[str, ...], role: str, world: World) -> Iterator[tuple[str, str, str]]:
    """What a word is said for among the values of a role: "drug" for the category "medication" of allergies, "missed"
    for appointments that somebody did not attend."""
    for field, sayings in world.profile.role(role).sayings.items():
        if (value := sayings.get(" ".join(run))) is not None:
            yield role, field, value
    for entry in world.index.of(run):
        if entry.role == role and entry.field and entry.name.lower() != entry.said:
            yield role, entry.field, entry.name


def of_named_records(words: Sequence[str], named: Sequence[tuple[int, int, str]], world: World) -> Iterator[SaidValue]:
    """The plain words of values of records that are spoken of at (start, end, role), wherever they stand: "an MRI of
    the brain", where the site is kept as "Brain structure (body structure)"."""
    roles = {role for _, _, role in named}
    taken = {(at, role) for start, end, role in named for at in range(start, end)}
    for start in range(len(words)):
        for stop in range(start + 1, min(start + _LONGEST_BEFORE, len(words)) + 1):
            run = _letters(words[start:stop])
            if _YES_OR_NO.issuperset(run) or all(english().get(word) in _SAYS_LITTLE for word in run):
                continue
            values: dict[tuple[str, str], list[str]] = {}
            for role, field, value in (held for form in _forms(run) for held in world.plainly.get(form, ())):
                if any((at, role) in taken for at in range(start, stop)):
                    continue
                if role in roles and field in world.profile.role(role).said and field not in _NEVER_ALONE:
                    values.setdefault((role, field), []).append(value)
            for (role, field), said in values.items():
                yield SaidValue(start, stop, role, field, tuple(dict.fromkeys(said)), _PLACED)


def alone(words: Sequence[str], world: World) -> Iterator[SaidValue]:
    """The values of people's and records' attributes that are said as they are stored, without the attribute."""
    for start in range(len(words)):
        for stop in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            run = _letters(words[start:stop])
            said_so = says_which(words, start)
            if not run or run == _IDENTIFIER or _only_one(words, start):
                continue
            common = (stop - start == 1 and _common(words[start])) or (len(run) == 1 and run[0] in _OF_EVERYBODY)
            if common and not said_so:
                continue
            meant = (words_of.get(form, ()) for form in _forms(run) for words_of in (world.by_words, world.called))
            held = (*chain.from_iterable(meant), *world.of_people.get(run, ()))
            for role, field, value in held:
                if field not in _NEVER_ALONE and not _YES_OR_NO.issuperset(run):
                    placed = field in _PLACES and start > 0 and words[start - 1] in _FROM
                    cost = _PLACED if placed else _ALONE
                    plainer = any(field.endswith(f" {other}") for _, other, _ in held)  # "first ward", and "ward"
                    yield SaidValue(start, stop, role, field, (value,), cost + (_QUALIFIED if plainer else 0.0))


def _forms(run: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """A name as it is said, in the singular ("walk-ins"), without articles in it ("cancelled by the hospital"), and as
    what an adverb comes from ("severely")."""
    forms = [run]
    if run and not _ARTICLES & {run[0], run[-1]}:
        forms.append(tuple(word for word in run if word not in _ARTICLES))
    if len(run) == 1 and run[0].endswith("ly") and len(run[0]) > _SHORT_PART:
        forms.append((run[0].removesuffix("ly"),))
    if len(run) > 1:
        forms.append((*run[:-1], singular(run[-1])))
    return tuple(dict.fromkeys(forms))


_ARTICLES = {"the", "a", "an"}


def said_to_be(words: Sequence[str], world: World) -> Iterator[SaidValue]:
    """What is so where an attribute says "yes": "chronic", "on repeat"."""
    for run, meanings in world.flags.items():
        for start in range(len(words) - len(run) + 1):
            if _letters(words[start : start + len(run)]) == run:
                for role, field, value in meanings:
                    yield SaidValue(start, start + len(run), role, field, (value,), _PLACED)


def people_called(words: Sequence[str], world: World) -> Iterator[SaidValue]:
    """Those who are called by what is true of them: "smokers"."""
    for run, meanings in world.of_people.items():
        for start in range(len(words) - len(run) + 1):
            if run[-1].endswith("s") and _letters(words[start : start + len(run)]) == run:
                for role, field, value in meanings:
                    yield SaidValue(start, start + len(run), role, field, (value,), -_LONGER * (len(run) - 1))


def in_part(words: Sequence[str], world: World) -> Iterator[SaidValue]:
    """The values of stays and people that a word is but a part of, where it is no word of everyday English: "referral"
    for "physician referral". A word of all values of an attribute tells none of them."""
    for at, word in enumerate(words):
        if len(word) > _SHORT_PART and word.isalpha() and not _common(word) and word not in _OF_ANY_HOSPITAL:
            for (role, field), values in world.by_part.get(stem(word), {}).items():
                if field not in _NEVER_ALONE:
                    start = _titled(words, at, values)
                    cost = _OF_PART if start == at else _BEGUN
                    yield SaidValue(start, at + 1, role, field, values, cost)


def _titled(words: Sequence[str], at: int, values: Sequence[str]) -> int:
    """Where a name begins whose title all of the values have before it: "Dr Abel" for "Dr C. Abel"."""
    start = at - 1 if words[max(0, at - 1) : at] != (".",) else at - 2
    titled = start >= 0 and all(split(value)[:1] == (words[start],) for value in values)
    return start if titled else at


def says_which(words: Sequence[str], at: int) -> bool:
    """True where an everyday word can only say which of people or stays are meant, for all that it may mean else."""
    against = {*_AGAINST, "to"} if "ratio" in words else _AGAINST
    compared = bool(against & {*words[max(at - 1, 0) : at], *words[at + 1 : at + 2]})
    return compared or _beside_people(words, at) or _predicate(words, at) or _of_ones(words, at)


def _only_one(words: Sequence[str], at: int) -> bool:
    """ "A single admission", "any single patient": one of them, whether or not married."""
    return words[at] == "single" and at > 0 and words[at - 1] in _ONE


def _beside_people(words: Sequence[str], at: int) -> bool:
    """ "Single patients", "single vs married": an everyday word that here can only say which people."""
    if english().get(words[at]) in (None, "grammar", "scope", "speech") or (words[at],) in phrases().senses:
        return False
    behind = range(at + 1, min(at + _NEAR, len(words)))
    people = next((place for place in behind if words[place] in PEOPLE), None)
    if people is None:
        return False
    between = [word for word in words[at + 1 : people] if word.isalpha() and word not in _DENIALS]
    return not any(map(_everyday, between))


def _predicate(words: Sequence[str], at: int) -> bool:
    """ "How many were elective", "percent elective", "those who smoke": an everyday word that says something by itself
    of what is counted."""
    if english().get(words[at]) not in ("quality", "thing") or (words[at],) in phrases().senses:
        return False
    ends = not "".join(words[at + 1 : at + 2]).isalnum() or words[at + 1] in _BEHIND_PREDICATES
    before, behind = words[at - 1 : at] if at else (), words[at + 1 : at + 2]
    return (ends and bool({*_COPULAS, *_SHARES, "who"} & {*before})) or bool(_SHARES & {*behind})


def _of_ones(words: Sequence[str], at: int) -> bool:
    """ "And the elective ones?", "and elective": an everyday word that alone says which are meant."""
    if english().get(words[at]) not in ("quality", "thing") or (words[at],) in phrases().senses:
        return False
    behind = [word for word in words[at + 1 :] if word[0].isalnum()]
    return at > 0 and {*words[:at]} <= _OPENING and behind in ([], ["ones"], ["ones", "only"], ["only"])


def _best(words: Sequence[str], runs: Sequence[tuple[int, int]], field: str, world: World) -> list[SaidValue]:
    """The values of an attribute that the longest of these stretches says, as they are stored before in part."""
    for how, cost in ((_whole, _WHOLE), (_begun, _BEGUN), (_within, _PART)):
        for start, stop in runs:
            run = _letters(words[start:stop])
            if not run or not words[start][0].isalnum() or not words[stop - 1][0].isalnum():
                continue
            if len("".join(run)) <= _SHORT and _everyday(run[0]):
                continue
            if how is not _whole and (all(map(_common, run)) or len(run) < len(words[start:stop])):
                continue
            found: dict[str, list[str]] = {}
            for role, value, own in world.stored[field]:
                if how(run, own):
                    found.setdefault(role, []).append(value)
            for role, value in said_for(run, field, world) if how is _whole and not found else ():
                found.setdefault(role, []).append(value)
            if found:
                role = next((one for one in (PATIENT, "admission", "icu_stay") if one in found), next(iter(found)))
                return [SaidValue(start, stop, role, field, _called_so(run, dict.fromkeys(found[role])), cost)]
    return []


def _called_so(run: tuple[str, ...], values: Iterable[str]) -> tuple[str, ...]:
    """Those of the values that have the words as their short form, if there are any: "Medical Intensive Care Unit
    (MICU)", and not "(MICU/SICU)"."""
    held, short = tuple(values), f"({' '.join(run)})"
    return tuple(value for value in held if short in value.lower()) or held


def said_for(run: tuple[str, ...], field: str, world: World) -> Iterator[tuple[str, str]]:
    """The stored values of an attribute that people say so, with their roles."""
    for entry in world.index.of(run):
        if entry.field == field:
            yield entry.role, entry.name


def _whole(run: tuple[str, ...], own: tuple[str, ...]) -> bool:
    return run == own


def _begun(run: tuple[str, ...], own: tuple[str, ...]) -> bool:
    return own[: len(run)] == run


def _within(run: tuple[str, ...], own: tuple[str, ...]) -> bool:
    return set(run) <= set(own) and not _DENIALS & (set(own) - set(run))


def _letters(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        part for word in words for part in word.replace("'", " ").replace(".", " ").split() if word[0].isalnum()
    )


def _everyday(word: str) -> bool:
    return word in english() or (word,) in phrases().senses


def _common(word: str) -> bool:
    """True for a word that stands in any sentence."""
    return _everyday(word) or not any(letter.isalpha() for letter in word)


_BESIDE_VALUE, _SURE_OF = 2, -0.4
"""Words between a name and a value of the records that it may name, and what the name costs then at most."""
SAID_OF_ANOTHER = 0.5
"""What it costs that a value is one of an attribute, where it is one of another too that the profile names before."""


def is_of_a_likelier(said: SaidValue, world: World) -> bool:
    """True for the value of an attribute that a likelier one of the same records has as well: "inpatient visits" are so
    by their type, wherever they were."""
    told = world.profile.role(said.role).said
    before = told[: told.index(said.field)] if said.field in told else ()
    places = {(field, name) for values in said.values for _, field, name in world.by_words.get(split(values), ())}
    return any((field, value) in places for field in before for value in said.values)


def told_apart_by(said: SaidValue, nodes: Sequence[Node]) -> Iterator[Node]:
    """The nodes, those sure that name records right beside a value that these alone have: an "x-ray" of the knee is one
    of those that keep a site."""
    for node in nodes:
        own = node.kind == "event" and node.sense.role == said.role and not node.sense.noun
        own = own and not any(_is_part_of(node, other) for other in nodes)
        near = max(said.start - node.end, node.start - said.end) <= _BESIDE_VALUE
        yield replace(node, cost=min(node.cost, _SURE_OF)) if own and near else node


def _is_part_of(node: Node, other: Node) -> bool:
    """True for a name within a longer one of records of the same kind: "blood" of "blood culture"."""
    longer = other.start <= node.start and node.end <= other.end and other.end - other.start > node.end - node.start
    return longer and other.kind == "event" and other.sense.role == node.sense.role and not other.sense.noun


def value_is_no_part(nodes: Sequence[Node]) -> Iterator[Node]:
    """The nodes but for names that are found by the letters of a value behind them: in "heparin sc" a way of giving
    heparin is said, and "sc" is no part of its name."""
    traits = {(node.start, node.end, node.sense.role) for node in nodes if node.kind == "trait"}
    names = {(node.start, node.end, node.sense.role) for node in nodes if node.kind == "event"}
    for node in nodes:
        short = node.kind == "event" and node.sense.how == "abbreviation"
        role = node.sense.role if short else ""
        if not short or not any(
            (node.start, at, role) in names and (at, node.end, role) in traits for at in range(node.start + 1, node.end)
        ):
            yield node
