"""Ages at other moments than a stay: "how old was she when she died", "age at the first dialysis"."""

from __future__ import annotations

import re
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, Age, Has, Measure, Own, Pick, Picked, Set
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import has_died, limited
from ehrtui.planning.reader.sets import people_set

_SAID = -0.25
"""What it saves that the moment stands beside the age."""
_AT = {"at", "when", "by", "on"}
_ON_THE_WAY = {
    *_AT,
    *("the", "time", "of", "their", "his", "her", "they", "he", "she", "were", "was", "had", "got", "did", "a", "an"),
    *("which", "someone", "somebody", "anyone", "anybody", "first", "diagnosis", "ever", "was"),
    *("diagnosed", "with", "undergoing", "having", "is", "are", "first", "patient", "patients"),
}
"""Words between the age and the moment that say nothing else."""
_AT_A_STAY = re.compile(
    r"\b(?:ages?|old|older|younger)\b.*\b(?:at|on|upon|when) "
    r"(?:the |their |her |his |first |last |time |of |hospital |er )*"
    r"(?:admission|admitted|visit|encounter|arrival|hospitali[sz]ation)s?\b"
)


def age_at(frame: Frame) -> tuple[Set, Measure] | None:
    """The people and their age at their death, or at the first of some records, where the question asks for the age at
    that moment; None where it says none."""
    pieces = frame.pieces
    said = [node for node in frame.asks if node.sense == "old"]
    said += [node for node in frame.fields if node.sense.fields[0] == "age"]
    if len(said) == 1 and _of_the_dead(frame, said[0]):
        frame.pay(_SAID, "")
        pieces.use(*said)
        return people_set(frame, conditions_from_events=False), Age(Own("death time"))
    if len(said) == 1 and _today(frame):
        frame.pay(_SAID, "")
        pieces.use(*said, *pieces.of("current", "window"))
        return people_set(frame, conditions_from_events=False), Age(Own("now"))
    moments = [node for node in pieces.of("dead", "event") if any(_at(frame, age, node) for age in said)]
    if len(said) != 1 or len(moments) != 1:
        return None
    [node] = moments
    if node.kind == "dead" and (node.sense not in ("died", "hospital") or not frame.world.knows("death time")):
        return None
    if node.kind == "event" and (node.sense.others or (node.sense.noun and node.sense.of.pick is None)):
        return None
    frame.pay(_SAID, "")
    pieces.use(node, *[one for one in said if one in pieces.left()])
    if node.kind == "dead":
        of = people_set(frame, conditions_from_events=False)
        return (of if frame.who is not None else limited(of, Has(Set("death")))), Age(Own("death time"))
    first = node.sense.of if node.sense.of.pick is not None else replace(node.sense.of, pick=Pick())
    of = people_set(frame, conditions_from_events=False)
    had = Has(replace(first, pick=None))
    return (of if frame.who is not None else limited(of, had)), Age(Picked(Own("time"), first))


def at_onset(frame: Frame) -> list[Node]:
    """The "first" of an "age at first diagnosis", where it is said elsewhere of what: ages at something are those at
    the first of it."""
    words = frame.context.lexed.words
    return [
        node
        for node in frame.pieces.of("pick")
        if node.sense == "1"
        and _AT & set(words[max(0, node.start - 2) : node.start])
        and _ONSET & set(words[node.end : node.end + 1])
    ]


_NOW = {"now", "today", "currently", "current", "nowadays", "presently"}
_ONSET = {"diagnosis", "diagnosed", "onset", "occurrence", "episode", "event", "record"}


def at_a_stay(frame: Frame) -> bool:
    """True where the age that is asked for is the one at a stay: "mean age at admission"."""
    return bool(_AT_A_STAY.search(" ".join(frame.context.lexed.words)))


def _of_the_dead(frame: Frame, age: Node) -> bool:
    """ "Who died, and how old were they": the age that is asked for behind a death is the one at it."""
    group, dead = frame.group, [node for node in frame.pieces.of("dead") if node.sense == "died"]
    told = group is not None and has_died(group) and age.start > frame.group_at
    told |= bool(dead) and dead[0].end <= age.start and not frame.who
    return told and frame.world.knows("death time") and not frame.pieces.of("event", "stays", "limit")


def _today(frame: Frame) -> bool:
    """ "How old is patient 7 now": of one who is named, by the date of birth, wherever that person is by now."""
    words, pieces = set(frame.context.lexed.words), frame.pieces
    one = frame.who is not None and frame.who.one
    beside = pieces.of("event", "stays", "limit", "dead")
    return one and not beside and bool(_NOW & words) and frame.world.holds(PATIENT, "birth date")


def _at(frame: Frame, age: Node, moment: Node) -> bool:
    """True where a moment stands behind the word for the age, as "at" joins them."""
    between = frame.context.between(age, moment)
    return age.end <= moment.start and bool(_AT & set(between)) and set(between) <= _ON_THE_WAY
