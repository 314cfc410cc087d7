"""What somebody says about himself before or behind his question: "we're planning staffing for next winter, so…", "my
boss asks whether…", "… I need it for a talk". It is no part of what is asked.

A stretch is such talk by how it is built: its subject is who asks, or somebody of the house who wants, thinks or says
something; a boundary stands behind it, and a question of its own follows. Whom the question is about is kept.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.refuse.phrases import any_of, composed

_FILE = Path(__file__).with_name("talk.toml")
_WORDS = re.compile(r"[\w'’/-]+")
_SHORTEST = 3
"""Words: a question of fewer ("and when?") asks about what stands before it."""


Topics: TypeAlias = Callable[[str], Mapping[str, str]]
"""What a text in lower case names for sure among what is stored, as it is said, and what each stands for."""


@dataclass(frozen=True)
class Talk:
    """The stretches of a question that are talk, in reading order, each with what is kept of it: nothing, the patient
    or stay that it tells of, or its topic where the question has none. `passed` are topics that are not kept, and that
    the question does not name."""

    stretches: tuple[Spelling, ...] = ()
    passed: tuple[str, ...] = ()


def find_talk(question: str, topics: Topics) -> Talk:
    """What of a question is said around it."""
    whole = question.lower().replace("’", "'")
    begin = _begin(whole)
    waived = _waived(whole, begin)
    lower = whole[:waived]
    end = _end(lower, begin)
    without = (Spelling(waived, len(whole.rstrip(" ?.!")), ""),) if waived < len(whole) else ()
    if not begin and end == len(lower):
        return Talk(without)
    asked = lower[begin:end]
    named, pointing = topics(asked), _has("pointing", asked)
    headed = _patterns()["heading"].match(whole)
    if pointing and begin and not topics(lower[:begin]) and (headed is None or headed.end() != begin):
        return Talk(without)
    found: list[Spelling] = []
    passed: list[str] = []
    for start, stop in ((0, begin), (end, len(lower))):
        said = lower[start:stop]
        about = {} if not pointing and _has("claims", said) else topics(_without_ids(said)) if said else {}
        focus = [one for one in about if pointing or _has("focused", said[: said.find(one)])]
        if focus and not named and not start:
            found.append(Spelling(start, stop, f"{focus[0]}: "))
            continue
        if said:
            found.append(Spelling(start, stop, "" if start else _who(question[:stop], asked)))
        passed += [one for one, meant in about.items() if meant not in named.values() and one not in asked]
    return Talk((*found, *without), tuple(passed))


def told_first(question: str, topics: Topics) -> Iterator[Talk]:
    """The ways in which a question may stand alone behind what is told first, whatever that is of: "Long vents are paid
    otherwise, that's why I'm asking: how many …". What is told limits nothing, and the question names what it is
    about; the longest question first."""
    lower = question.lower().replace("’", "'")
    for found in _patterns()["told"].finditer(lower):
        said, asked = lower[: found.start() + 1], lower[found.end() :]
        if not _is_whole(asked) or not _has("telling_of", said) or _has("of_whom", said) or _has("pointing", asked):
            continue
        named = topics(_without_ids(asked))
        about = topics(_without_ids(said))
        if named and not _has("limited", _without_ids(said)):
            passed = tuple(one for one, meant in about.items() if meant not in named.values() and one not in asked)
            yield Talk((Spelling(0, found.end(), _who(question[: found.end()], asked)),), passed)


def _who(said: str, asked: str) -> str:
    """The patient or stay that an introduction tells of, if the question does not."""
    about = _patterns()["identified"].search(said.lower()) or _patterns()["bare"].search(said)
    return f"{said[about.start() : about.end()]}: " if about and about[0] not in asked else ""


def _without_ids(said: str) -> str:
    return _patterns()["bare"].sub(" ", _patterns()["identified"].sub(" ", said))


def _begin(lower: str) -> int:
    """Where the question begins behind its introduction; 0 where it has none."""
    begun = 0
    for boundary in ("heading", "sentence", "comma", "wanting"):
        for found in _patterns()[boundary].finditer(lower, begun):
            wants = boundary in ("wanting", "heading")
            said = lower[begun : found.end() if wants else found.start()].strip(" ,")
            if not _introduces(said, lower[found.end() :]) or (not wants and _has("wanting", said)):
                break  # "I need the stays with sepsis. How many are there?"
            begun = found.end()
    return begun


def _introduces(said: str, asked: str) -> bool:
    if "?" in said or _has("asks_already", said) or not (_has("about_asker", said) and _is_whole(asked)):
        return False
    return _has("claims", said) or not _has("restricting", _without_ids(said))


def _end(lower: str, begin: int) -> int:
    """Where the question ends before what is said behind it."""
    for found in _patterns()["behind"].finditer(lower, begin):
        said = lower[found.end() :].strip(" .!")
        talk = _has("postscript", said) and not (_has("restricting", said) or _has("asked", said))
        if (talk or _has("contented", said)) and _is_whole(lower[begin : found.start()]):
            return found.start() + (lower[found.start()] in ".;!?")
    return len(lower)


def _waived(lower: str, begin: int) -> int:
    """Where the question ends before what does not matter; unless it asks just that of each, or by it."""
    found = _patterns()["waived"].search(lower, begin)
    if found is None:
        return len(lower)
    asked = lower[begin : found.start()]
    return found.start() if _is_whole(asked) and _has("asked", asked) and not _has("telling", asked) else len(lower)


def _is_whole(asked: str) -> bool:
    return len(_WORDS.findall(asked)) >= _SHORTEST


def _has(pattern: str, text: str) -> bool:
    return bool(_patterns()[pattern].search(text))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    words = {name: any_of(said) for name, said in data["words"].items()}
    return {name: composed(pattern, words) for name, pattern in data["patterns"].items()}
