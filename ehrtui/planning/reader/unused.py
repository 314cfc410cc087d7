"""What a statement costs for the pieces of the question that no part of it says."""

from __future__ import annotations

from itertools import pairwise, product

from ehrtui.logic.algebra.model import Own, Relation, Test
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import RANKS, parts_of
from ehrtui.planning.reader.year_on_year import CHANGED
from ehrtui.schema.kinds import kind_of

_UNUSED = {
    "and": 0.05,
    "or": 0.6,
    "negation": 3.4,
    "excluded": 3.4,
    "number": 2.6,
    "relation": 0.25,
    "pronoun": 1.0,
    "by": 0.8,
    "distinct": 0.1,
    "list": 0.0,
    "order": 0.3,
    "together": 1.6,
    "overlap": 2.4,
    "advice": 2.5,
    "unkept": 2.5,
    "principal": 2.6,
    "incident": 2.0,
    "not-then": 3.4,
    "died-within": 3.4,
    "moment": 1.2,
    "growth": 1.2,
    "swing": 2.4,
    "trend": 2.4,
    "swung": 2.8,
    "swinging": 2.8,
    "state": 1.9,
    "rival": 2.0,
    "few": 2.0,
    "several-picked": 2.6,
    "begun": 0.7,
    "people-and": 0.4,
    "people-or": 2.0,
    "trait-and": 1.0,
    "trait-or": 2.0,
    "stays-and": 0.6,
    "stays-or": 2.0,
    "dying": 2.5,
    "often": 2.6,
    "span": 2.2,
    "opening": 2.2,
    "followed": 2.4,
    "against-pick": 2.6,
    "from-first-to-last": 0.4,
    "swung-in-all": 2.8,
    "strength": 2.2,
    "dose": 2.6,
    "limit": 2.8,
    "superlative": 2.2,
    "pick": 2.0,
    "most": 1.8,
    "current": 1.6,
    "over": 1.0,
    "interpretation": 1.8,
    "pair": 1.5,
    "values": 2.8,
    "values-and": 1.0,
    "values-or": 2.0,
    "event-but": 3.0,
    "readmitted": 2.5,
    "readmission": 2.5,
    "function": 2.2,
    "trait": 2.8,
    "event": 3.0,
    "stays": 0.9,
    "people": 0.25,
    "field": 0.9,
    "window": 2.8,
    "place": 1.8,
    "ask": 0.7,
    "count": 1.5,
    "share": 2.2,
    "ratio": 2.6,
    "split": 3.4,
    "both-ways": 3.4,
    "rival-windows": 3.4,
    "dead": 2.4,
    "change": 2.4,
    "windows": 2.8,
    "windows-begun": 1.5,
    "windows-or": 2.0,
    "commas": 3.0,
    "commas-begun": 3.0,
    "placed-people": 2.0,
    "either": 0.5,
    "event-or": 1.0,
    "picks-begun": 1.5,
    "picks": 2.0,
    "picked-moment": 2.0,
    "each": 1.8,
    "bands": 3.0,
    "others": 3.0,
    "compare": 2.2,
    CHANGED: 3.4,
}
"""What a piece costs that no part of the statement says."""


def _names(frame: Frame) -> list[Node]:
    """The names of records that a question mentions."""
    return [one for one in frame.context.lexed.nodes if one.kind == "event" and "link" in one.why]


_PLACES = {"second", "third", "fourth", "fifth", "2nd", "3rd", "4th", "5th"}
_BOTH_SIDES = ("before", "and", "after")
_ACCORDING = {"by", "to", "per", "any", "in", "from", "going"}
_WHATEVER = {"any", "whatever", "whichever", "either", "every", "all"}
_EACH = {"each", "every", "which", "the", "what"}
_NUMERIC = ("age", "length", "dose", "cost")
_TELLING_ASKS = ("long", "much", "old", "heavy", "tall")
"""Question words that ask for a number of one kind."""


_TAKING = {"take", "took", "taken", "last", "lasted", "run", "ran"}
_BETWEEN = {"of", "the", "for", "a", "an", "this", "that"}


def pay_unused(frame: Frame) -> tuple[tuple[int, int, float], ...]:
    """Add the price of every piece that is left to what the reading costs. The value is where each stands, with its
    price."""
    paid = []
    for node in frame.pieces.left():
        price = _UNUSED.get(node.kind, 1.0)
        if node.kind == "ask" and node.sense in _TELLING_ASKS:
            price = 1.6
        if node.kind == "ask" and frame.context.lexed.words[node.start] == "with":
            price = 1.6  # "with times"
        if node.kind == "event" and node.sense.noun:
            price = 1.0
        if node.kind == "begun" and not node.sense[0].noun:
            price = 2.4  # "which organisms grew in sputum, and how often"
        if node.kind == "field" and node.sense.fields[0] in ("value", "name", "time"):
            price = 0.25
        if node.kind == "field" and node.sense.fields[0] == "hospital death":
            price = _UNUSED["dead"]
        if node.kind == "field" and frame.context.lexed.words[node.start : node.end] == ("number",):
            price = 1.2  # "number of languages": it is counted
        if node.kind == "field" and node.sense.fields[0] == "admission time" and not frame.asks:
            price = 0.3  # "how many were admitted": whoever is here was
        if node.kind == "field" and frame.functions and node.sense.fields[0] in _NUMERIC:
            price = 2.0  # "how many, and their average age"
        before = frame.context.before(node, 2)
        if node.kind == "distinct" and any(one.start == node.end and one.sense.noun for one in frame.events):
            price = 1.2  # "how many different drugs"
        again = node.kind == "field" and bool(_WHATEVER & set(before[-1:]) or _said_again(frame, node))
        again |= node.kind == "field" and _beside_itself(frame, node)
        people = [one for one in frame.context.lexed.nodes if one.kind == "people" and one.start == node.end]
        again |= node.kind == "distinct" and bool(people)  # "how many different patients"
        if again:
            price = 0.1
        if node.kind == "number" and frame.context.lexed.words[node.start] == "one":
            price, again = 0.2, True  # "all who got one"
        if node.kind in ("field", "moment") and before[-1:] == ("same",):
            price = 2.4  # "both on the same day"
        if node.kind == "by" and _says_each(frame, node):
            price, again = 0.1, True  # "and how often each"
        elif node.kind == "by" and frame.count and any(one.start == node.end for one in _names(frame)):
            price = _UNUSED["each"]  # "persons by smoking status": groups, which are lost
        if node.kind == "relation" and frame.context.lexed.words[node.end : node.end + 2][:1] in (("it",), ("that",)):
            price = _UNUSED["place"]  # "were on aspirin before it"
        if node.kind == "relation" and node.sense == "day_of":
            price = 1.6
        if node.kind == "relation" and isinstance(node.sense, Relation) and node.sense.count is not None:
            price = _UNUSED["span"]  # "within 48 hours": a number that is said
        if node.kind == "relation" and frame.context.lexed.words[node.start : node.end + 2] == _BOTH_SIDES:
            price = 3.4
        if node.kind in ("people", "people-and") and node.sense.of.where is not None:
            price = 3.0
        if node.kind == "stays" and (node.sense.of.where is not None or node.sense.of.pick is not None):
            price = 2.6
        frame.pay(price, "said again" if again else f"unused:{node.kind}")
        paid.append((node.start, node.end, price))
    if _length_lost(frame):
        frame.pay(2.4, "unkept:length")
    if _daily_lost(frame):
        frame.pay(2.4, "unkept:daily")
    if any(_target_apart(frame, role) for role in ("allergy", "immunization")):
        frame.pay(2.4, "unkept:allergy")
    if any(word in _PLACES and after in RANKS for word, after in pairwise(frame.context.lexed.words)):
        frame.pay(2.4, "unkept:place")  # "the second most common": only the first is told
    return tuple(paid)


def _daily_lost(frame: Frame) -> bool:
    """ "Over 3 litres of urine in a day": what flows is kept by the hour, and no single amount is that of a day."""
    flows = [node for node in frame.events if kind_of(node.sense.role).flow]
    within = any(
        isinstance(part, Test) and part.left == Own("value") for one in flows for part in parts_of(one.sense.of.where)
    )
    limited = within or any(node.kind == "limit" for node in frame.pieces.nodes)
    return bool(flows) and limited and bool({"day", "daily", "24", "24h", "days"} & set(frame.context.lexed.words))


def _target_apart(frame: Frame, role: str) -> bool:
    """ "A peanut allergy", "vaccinated against measles", where what it is to was found among other records alone: some
    allergy, and such a test or drug, are another thing."""
    words = frame.context.lexed.words
    named = [one for one in frame.context.lexed.nodes if one.kind == "event"]
    bare = [one for one in named if one.sense.role == role and one.sense.noun]
    beside = [
        one
        for one, noun in product(named, bare)
        if not one.sense.noun
        and (one.end == noun.start or words[noun.end : one.start] in ((), ("against",)))
        and (one.end == noun.start or one.start >= noun.end)
    ]
    return bool(beside) and all(one.sense.role != role for one in beside)


def _said_again(frame: Frame, node: Node) -> bool:
    """ "Going by the codes": how it is kept what is named, and nothing that is asked for."""
    if node.sense.fields[0] != "code" or not any(kind_of(one.sense.role).coded for one in frame.events):
        return False
    before = set(frame.context.before(node, 4))
    return bool(before & _ACCORDING) and not before & {"and", "which", "what", "with"}


def _beside_itself(frame: Frame, node: Node) -> bool:
    """ "The highest fee charged", "live in each city": an attribute that is said, by another word right beside."""
    same = [one for one in frame.pieces.nodes if one.kind == "field" and one is not node and one.sense == node.sense]
    left = frame.pieces.left()
    words = frame.context.lexed.words
    between = [set(words[min(one.end, node.end) : max(one.start, node.start)]) for one in same if one not in left]
    return any(words_between <= _EACH for words_between in between)


def _says_each(frame: Frame, node: Node) -> bool:
    """ "The commonest drugs, and how many got each", "by number of orders": of what is ranked, and no other group."""
    words = frame.context.lexed.words
    if frame.most and words[node.end : node.end + 2] == ("number", "of"):
        return True
    behind = words[node.end : node.end + 1]
    kinds = {one.kind for one in frame.pieces.nodes if one.start == node.end}
    verb = bool(behind) and not kinds & {"field", "stays", "people", "event", "moment", "trait"}
    return words[node.start : node.end] == ("each",) and bool(frame.most) and (not behind or verb)


def _length_lost(frame: Frame) -> bool:
    """True where it is asked how long records of a kind lasted that have no end here."""
    words = frame.context.lexed.words
    endless = [node for node in frame.events if not frame.world.profile.role(node.sense.role).end]
    lengths = [
        node  # "length of stay for pneumonia" says whose length it is
        for node in frame.fields
        if node.sense.fields[0] == "length" and not {"stay", "los"} & set(words[node.start : node.end])
    ]
    for node in endless:
        for said in (*lengths, *[one for one in frame.asks if one.sense == "long"]):
            if said.end <= node.start and set(words[said.end : node.start]) <= _BETWEEN:
                return True
        before = [word for word in words[: node.start] if word not in _BETWEEN][-1:]
        long = any(one.sense == "long" for one in frame.asks)
        if long and (before == ["on"] or _TAKING & set(words[node.end : node.end + 1])):
            return True
    return False
