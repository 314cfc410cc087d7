"""What staff write in a hurry, spelled out: shorthand of the lexicon, and slips of the keyboard in its words."""

from __future__ import annotations

from functools import cache

from ehrtui.concepts.keyboard import are_neighbours
from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.reader.blood_pressures import pressure_in_full
from ehrtui.planning.reader.lexicon import english, phrases, spans, tokens
from ehrtui.planning.reader.numbers import is_decade, number, time_unit
from ehrtui.planning.reader.patients_named import find_named
from ehrtui.planning.reader.world import World

_SHORTEST = 5
"""Letters: shorter words are too easily like another word."""
_LONG = 8
"""Letters: in so long a word there may be two slips."""
_VOWELS = set("aeiouy")
_TIMES = (
    "january february march april august september october november december today yesterday since until before after"
    " christmas minutes hours months years"
)


def respelled(lower: str, world: World) -> list[Spelling]:
    """What to read in place of stretches of a text in lower case, in reading order."""
    found = list(spans(lower))
    words = tuple(word for word, _, _ in found)
    result: list[Spelling] = []
    at = 0
    while at < len(words):
        if (pressure := pressure_in_full(lower, found[at][1])) is not None:
            end, text = pressure
            result.append(Spelling(found[at][1], end, text))
            at = next((place for place in range(at, len(words)) if found[place][1] >= end), len(words))
            continue
        size, text = _short(words, at, world)
        if size:
            result.append(Spelling(found[at][1], found[at + size - 1][2], text))
            at += size
            continue
        near = _slip(words[at], world)
        if near is not None and not _in_a_name(found[at], lower, world):
            result.append(Spelling(found[at][1], found[at][2], near))
        at += 1
    return result


def _in_a_name(word: tuple[str, int, int], lower: str, world: World) -> bool:
    """True for a word of somebody's name: "Una Marsh" was not admitted in March."""
    named = find_named(lower, world.index, world.profile)
    return any(one.start <= word[1] and word[2] <= one.end for one in named)


def _short(words: tuple[str, ...], at: int, world: World) -> tuple[int, str]:
    """The longest shorthand that begins at a word, and what it is short for; nothing where it begins a longer name of
    this database's own ("VRE precautions")."""
    best = (0, "")
    for size, senses in phrases().at(words, at):
        best = next(((size, sense.which) for sense in senses if sense.kind == "rewrite"), best)
    own = max((size for size, _ in world.own.at(words, at)), default=0)
    return best if own <= best[0] else (0, "")


def _slip(word: str, world: World) -> str | None:
    if len(word) < _SHORTEST or not word.isalpha() or word in _known() or (word,) in world.own.senses:
        return None
    if any(map(world.index.has_word, (word, word.removesuffix("s")))):
        return None  # of a stored name
    if word in english() or number(word) is not None or time_unit(word) is not None or is_decade(word):
        return None
    if any(word in words for words in world.own.senses) or world.index.at([word], 0) or world.index.starting(word, 1):
        return None
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    most = 2 if len(word) >= _LONG else 1
    among = [one for one in _vocabulary() if abs(len(one) - len(word)) <= 1 and one[0] == word[0]]
    near = extractOne(word, among, scorer=OSA.distance, score_cutoff=most)
    return near[0] if near and (near[1] < 2 or _are_slips(word, near[0])) else None


def _are_slips(word: str, meant: str) -> bool:
    """False where one consonant stands for another that lies elsewhere on the keyboard: "inherited" is not
    "inserted". Letters that changed places may."""
    from rapidfuzz.distance import Levenshtein

    changed = [(word[op.src_pos], meant[op.dest_pos]) for op in Levenshtein.editops(word, meant) if op.tag == "replace"]
    return all((b, a) in changed or {a, b} & _VOWELS or are_neighbours(a, b) for a, b in changed)


@cache
def _known() -> frozenset[str]:
    return frozenset(word for words in phrases().senses for word in words) | frozenset(tokens(_TIMES))


@cache
def _vocabulary() -> tuple[str, ...]:
    return tuple(sorted(word for word in _known() if len(word) >= _SHORTEST and word.isalpha()))
