"""Pronouns: whether what they stand for is named in the question itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexicon import phrases, tokens
from ehrtui.planning.reader.meanings import Event

_THEY = {"they", "them", "their", "theirs", "those", "these"}
_ONE = {"he", "she", "him", "her", "his", "hers"}
_DEFINED = {
    *("who", "whose", "with", "without", "on", "given", "sent", "from", "having", "in", "that", "aged", "over"),
    *("under", "coming", "admitted", "discharged", "referred", "treated", "taking", "still", "alive"),
}
"""What stands behind "those" where it says itself which are meant."""
THEIR_OWN = 1.6
"""What it costs that "their" last value is a condition of whom it is asked."""
THEIRS = {"their", "his", "her"}
_ASKED_OF = {"did", "do", "does", "have", "had", "were", "was", "are", "is", "for"}
"""What stands before a pronoun of whom the question asks, named elsewhere: "how many stays did they have"."""
_WITHIN = {"where", "which", "when", "that", "whose"}
_OF_STAY = re.compile(
    r"\b(?:stay|icustay|admission|hadm|encounter|visit)(?:\s*(?:id|no\.?|number))?\s*[:#=]?\s*\d{5,9}\b"
)
_TELLING = {"it", "who", "whose", "concerned", "they", "this"}
"""What behind "the patient" says which: "the patient it belongs to"."""


def told_of_them(between: Sequence[str], event: Event) -> bool:
    """ "Patients with gout and their last urea": what is to be told of them, and no condition of being one; `between`
    are the words before the records."""
    return event.of.pick is not None and event.of.where is None and bool(THEIRS & set(between))


def of_each_of_them(words: Sequence[str], nodes: Sequence[Node]) -> bool:
    """ "Who had a lactate over 4, and their highest", "the highest lactate of each patient": that of each of them, and
    not the highest of all."""
    theirs = "their" in words and any(
        node.kind == "superlative" and "their" in words[max(0, node.start - 2) : node.start] for node in nodes
    )
    return theirs or any(
        node.kind == "people" and not _EACH_ONE.isdisjoint(words[max(0, node.start - 1) : node.start]) for node in nodes
    )


_EACH_ONE = {"each", "every", "per"}


def tells_what_they_had(words: Sequence[str], records: Node) -> bool:
    """ "Patients with asthma and the medications they take": what is to be told of them, as above."""
    before, behind = words[max(0, records.start - 3) : records.start], words[records.end : records.end + 2]
    joined = bool({"and", ",", "&", "plus"} & set(before))
    return joined and (bool(_BY_THEM & set(behind)) or bool({*THEIRS, "which", "what"} & set(before)))


_BY_THEM = {"they", "he", "she"}


def stand_for_own(lower: str) -> bool:
    """True where there are pronouns in a text in lower case, and all stand for people or stays that the text names
    before them, or say themselves which are meant: "stays where they changed the unit", "how many of those who…"."""
    words = tuple(tokens(lower))
    people, stays = (list(_named(words, kind)) for kind in ("people", "stay"))
    things = [*_named(words, "field"), *_named(words, "role")]
    of_stay = _OF_STAY.search(lower) is not None
    said = False
    for at, word in enumerate(words):
        before, behind = words[at - 1 : at], words[at + 1 : at + 2]
        if word in ("patient", "pt") and before and before[0] in ("the", "this", "that"):
            within = bool(_WITHIN & set(words[max(0, at - 3) : at - 1]))
            whose = words[at - 2 : at - 1] in (("with",), ("in",)) and any(place < at for place in stays)
            own = of_stay or (before[0] == "the" and (within or whose or bool(_TELLING & set(behind))))
        elif word in ("patient", "person") and before == ("same",):
            own = True  # "two admissions of the same patient": of whoever it is
        elif word in _ONE:
            own = of_stay
        elif word in ("those", "these"):
            own = bool(_DEFINED & set(behind)) or any(place < at for place in (*people, *stays))
        elif word in _THEY:
            others = things if word == "their" else ()  # "providers with their number of visits"
            own = any(place < at for place in people) or (
                any(place < at for place in (*stays, *others)) and not _ASKED_OF & set(before)
            )
        else:
            continue
        if not own:
            return False
        said = True
    return said


def _named(words: Sequence[str], kind: str) -> Iterator[int]:
    """Where nouns for people or stays begin that point at nobody."""
    for at in range(len(words)):
        if words[at] in _THEY | {"who", "whom", "whose"} or words[at - 1 : at] in (("the",), ("this",), ("that",)):
            continue
        if any(sense.kind == kind for _, senses in phrases().at(tuple(words), at) for sense in senses):
            yield at
