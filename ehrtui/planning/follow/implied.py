"""What a question that goes on leaves unsaid: "how many were women?" of those before, "what share of all is that?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Not,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.logic.nodes import mapped
from ehrtui.planning.follow.doing_so import last_done
from ehrtui.planning.follow.pointing import SHARES
from ehrtui.planning.follow.recounting import is_count, within
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import as_patients, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, parts_of

IMPLIED = "implied"
"""What a reading was paid for that is asked of those before, of whom the words say nothing."""
_DONE = {"were", "was", "are", "had", "have", "has", "got", "get", "received", "needed", "developed", "underwent",
         "went", "died", "survived", "took", "came", "also"}  # fmt: skip
_TOLD = {"with": "had", "without": "had no", "on": "were on", "over": "were over", "under": "were under",
         "older": "were older", "younger": "were younger", "aged": "were aged"}  # fmt: skip
"""What else may stand where it is not said of whom a number is."""
_MANY = ("how", "many")
_OF_THEM = {("of", "them"), ("of", "those"), ("of", "these")}
_BEFORE_SHARE = {"what", "what's", "is", "was", "the", "and", "give", "me", "show"}
_ALL = {"all", "patients", "people", "them", "those", "these", "that", "this", "the", "whole", "everyone", "total"}
_POINTED = {*_ALL, "they", "it", "he", "she"}
_OF = {"of", "are", "were", "is", "was"}
_AND_HOW_MANY = re.compile(rf"(?:,? and|,) how many (?=(?:{'|'.join(sorted({*_DONE, *_TOLD}))})\b)")
"""Where a second number begins that is of the same: "how many died, and how many had surgery"."""
_FEW, _SEVERAL = 3, 12
_WHICH = {("which", "ones"), ("which", "one"), ("and", "who")}
_IS_THAT = {("is", "that"), ("is", "this"), ("is", "it"), ("are", "they"), ("are", "those"), ("are", "these"),
            ("was", "that"), ("do", "they")}  # fmt: skip
_DID = {"did", "were", "had", "have", "and", "so", "but"}
_OF_ANYBODY = {*_POINTED, "overall", "ever", "anyone", "anybody", "database"} - {"the", "that", "is"}
_MOST = {"highest", "lowest", "longest", "shortest", "oldest", "youngest", "most", "fewest", "largest", "smallest"}
_DENYING = {"didn't", "weren't", "wasn't", "hadn't", "haven't", "don't", "aren't", "not", "never"}


def leaves_unsaid(question: str) -> bool:
    """True for "how many died?", which does not say of whom: of the same, who were asked about before that too."""
    words = re.findall(r"[\w%']+", question.lower())
    start = 1 if words[:1] in (["and"], ["so"], ["but"]) else 0
    return tuple(words[start : start + 2]) == _MANY and bool({*words[start + 2 : start + 3]} & (_DONE | {*_TOLD}))


def goes_on_beside(question: str, before: str) -> bool:
    """True for "and how many died?", after "how many of them are men?": both are asked of the same, and "and" sets them
    beside each other."""
    words, told = (re.findall(r"[\w%']+", one.lower()) for one in (question, before))
    start = 1 if told[:1] in (["and"], ["so"], ["but"]) else 0
    of_them = tuple(told[start : start + 2]) == _MANY and tuple(told[start + 2 : start + 4]) in _OF_THEM
    return words[:1] == ["and"] and leaves_unsaid(question) and of_them


def of_those_before(one: Lexed, asked: Callable[[str], Statement | None]) -> Statement | None:
    """ "How many were women?": of those before, whom `asked` reads words about."""
    words = [word for word in one.words if word[0].isalnum() or word == "%"]
    start = 1 if words[:1] in (["and"], ["so"], ["but"]) else 0
    if (done := _share_who_did(words[start:])) is not None and (made := asked(done)) is not None:
        return made
    if (share := _share_alone(one, words[start:])) is not None:
        return asked(f"what share of them were {share}")
    if (picked := who_most(words[start:])) is not None:
        return asked(picked)
    if (told := _which(words[start:])) is not None:
        made = asked(f"which of them {told}")
        stays = isinstance(made, Rows) and made.of.unit in UNITS and made.columns == (Own("id"),)
        return Rows(as_patients(made.of), made.columns) if stays and "who" in words and isinstance(made, Rows) else made
    if tuple(words[start : start + 2]) != _MANY or len(words) < start + 3:
        return None
    said = words[start + 2]
    figures = _AND_HOW_MANY.split(" ".join(words[start + 2 :]))
    whole = tuple(figures[0].split()) in _IS_THAT and len(figures) > 1  # "how many is that, and how many died?"
    if not whole and (said not in _DONE | {*_TOLD} or (said in _TOLD and len(words) < start + 4)):
        return None
    each = [asked(" ".join([*_MANY, "of", "them", _with_verb(one_figure)])) for one_figure in figures[whole:]]
    each = [asked(" ".join([*_MANY, figures[0]])), *each] if whole else each
    if len(each) == 1:
        return each[0]
    columns = [column for single in each if isinstance(single, Single) for column in single.columns]
    return Single(tuple(columns)) if len(columns) == len(figures) else None


def who_most(words: Sequence[str]) -> str | None:
    """ "Who had the highest lactate", as it is asked of some who were listed or counted right before: who of them."""
    asks = 1 if words[:1] == ["who"] else 2 if tuple(words[:2]) == ("which", "patient") else 0
    told = words[asks:]
    if not asks or _MOST.isdisjoint(told) or not _OF_ANYBODY.isdisjoint(told) or len(told) > _SEVERAL:
        return None
    return " ".join(["who", "of", "them", *told])


def _with_verb(words: str) -> str:
    first, _, rest = words.partition(" ")
    return f"{_TOLD.get(first, first)} {rest}".strip()


def _which(words: Sequence[str]) -> str | None:
    """What those did of whom is asked who they are, with no word of whom: "who died", "which ones were on insulin"."""
    asks = 1 if words[:1] == ["who"] else 2 if tuple(words[:2]) in _WHICH else 0
    told, further = _further(words[asks:])
    most = _SEVERAL if further else _FEW
    if not asks or not told or told[0] not in _DONE or len(told) > most or not _POINTED.isdisjoint(told):
        return None
    return " ".join(told)


def _further(words: Sequence[str]) -> tuple[Sequence[str], bool]:
    """Words without "also", "too" and "as well", and whether these say that something comes to what was said before."""
    if tuple(words[-2:]) == ("as", "well"):
        return words[:-2], True
    if words[-1:] == ["too"]:
        return words[:-1], True
    return ([*words[1:]], True) if words[:1] == ["also"] else (words, False)


def _share_who_did(words: Sequence[str]) -> str | None:
    """ "What share went home", as it is asked of those before."""
    at = next((at for at, word in enumerate(words) if word in SHARES), None)
    if at is None or not {*words[:at]} <= _BEFORE_SHARE | {"which"} or not {*words[at + 1 : at + 2]} & (_DONE - _OF):
        return None
    return " ".join(["what", words[at], "of", "them", *words[at + 1 :]])


def _share_alone(one: Lexed, words: list[str]) -> str | None:
    """Of whom a share is asked that says nothing of those whom it is taken of: "what is the share of women"."""
    at = next((at for at, word in enumerate(words) if word in SHARES), None)
    if at is None:
        return None
    if at == len(words) - 1 and at:
        told = words[:at]  # "male %"
    elif {*words[:at]} <= _BEFORE_SHARE and words[at + 1 : at + 2]:
        told = words[at + 1 :]
    else:
        return None
    told = told[1:] if told[0] in _OF else told
    whom = [node for node in one.nodes if node.kind in ("people", "trait") and one.words[node.end - 1] == told[-1]]
    return " ".join(told) if 0 < len(told) <= _FEW and whom and not {*told} & _ALL else None


def _are_traits(of: Set, told: Sequence[Condition]) -> bool:
    """True for those of before whom a noun calls by what they are: "of the women", of those with gout."""
    parts = parts_of(of.where)
    return bool(parts) and all(isinstance(part, Test) and part in told for part in parts)


def how_many_not(one: Lexed, statement: Statement) -> Statement | None:
    """ "How many weren't?", after the number of those who were: the others."""
    start = 1 if one.words[:1] in (("and",), ("so",), ("but",)) else 0
    if tuple(one.words[start : start + 2]) != _MANY or not covers(one, {*_MANY, *_DENYING, *_DID}, ()):
        return None
    if _DENYING.isdisjoint(one.words) or not isinstance(statement, Single) or (did := last_done(statement)) is None:
        return None
    return mapped(statement, lambda node: Not(did) if node == did else node)


def how_many_such(one: Lexed, statement: Statement, changed: Callable[[str], Statement | None]) -> Statement | None:
    """ "How many urgent?", after the number of those of another kind: the same of these, as `changed` reads them."""
    words = [word for word in one.words if word[0].isalnum()]
    start = 1 if words[:1] == ["and"] else 0
    told = words[start + 2 :]
    if tuple(words[start : start + 2]) != _MANY or not 0 < len(told) <= _FEW or not is_count(statement):
        return None
    if any(node.kind in ("people", "stays", "event") for node in one.nodes) or told[0] in _DONE | {*_TOLD}:
        return None
    made = changed(" ".join(["and", *told, "ones"]))
    return made if made is not None and is_count(made) else None


def asks_of_that(one: Lexed) -> bool:
    """True for "what share of the gout patients is that?"."""
    return tuple([word for word in one.words if word[0].isalnum()][-2:]) in _IS_THAT


def share_of_all(
    one: Lexed, earlier: Mapping[int, Statement], latest: int, alone: Callable[[str], Statement | None]
) -> Statement | None:
    """ "What share of all patients with a urine culture is that?": of those who are named, whom `alone` reads."""
    words = [word for word in one.words if word[0].isalnum() or word == "%"]
    at = next((at for at, word in enumerate(words[:4]) if word in SHARES), None)
    if at is None or words[at + 1 : at + 2] != ["of"]:
        return None
    is_that = asks_of_that(one)
    if not is_that and not (words[at + 2 : at + 3] == ["all"] and is_count(earlier[latest]) and len(words) > at + 4):
        return None
    whole = alone(" ".join(words[at + 2 : -2] if is_that else words[at + 2 :]))
    subject = subject_of(latest, earlier[latest])
    if not isinstance(whole, Rows) or whole.of.unit not in UNITS or subject is None:
        return None
    of = as_patients(subject.of) if whole.of.unit == PATIENT else subject.of
    told = parts_of(of.where)
    if words[at + 2] == "the" and len(told) > 1 and _are_traits(whole.of, told[:-1]):
        return Single((Aggregate("percent", Set(of.unit, of.items, every(told[:-1])), told[-1]),))
    condition = within(of, whole.of)
    return None if condition is None else Single((Aggregate("percent", whole.of, condition),))
