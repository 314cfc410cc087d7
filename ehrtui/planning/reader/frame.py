"""The pieces of a question, sorted by what they say: of whom, which stays, which records, what of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    Among,
    Condition,
    Has,
    Not,
    Own,
    Set,
    Test,
    TimeUnit,
    Value,
)
from ehrtui.planning.reader.begun_records import begun_with
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.meanings import People, limited, maybe, parts_of
from ehrtui.planning.reader.nouns_of_verbs import without_bare_nouns
from ehrtui.planning.reader.numbers import time_unit
from ehrtui.planning.reader.pronouns import of_each_of_them
from ehrtui.planning.reader.traits import ALIVE
from ehrtui.schema.kinds import kind_of

_YES = {
    "did",
    "does",
    "do",
    "is",
    "was",
    "were",
    "has",
    "have",
    "had",
    "are",
    "can",
    "any",
    "ever",
    "anyone",
    "anybody",
}


_DIED, _LEFT = (Has(Set(HOSPITAL, (), Test(Own("hospital death"), "=", Value(flag)))) for flag in (1, 0))
_FATES = (Has(Set("death")), Not(Has(Set("death"))), _DIED, _LEFT)
"""The dead and the living: no patient is both, so they are groups."""
_PREAMBLE = {"please", "pls", "tell", "me", "us", "hi", "hello", "and", "so", "but"}
"""Words before the verb that a yes-or-no question begins with."""
_INDIRECT = {"whether", "if"}
_TELLS = 0.7
"""Words before "whether" that cost less only ask: "do you know whether…"."""
_FIRST = 7
"""Words: "could you please tell me if…" is no longer."""
_DONE = {"was", "were", "is", "are", "made"}
"""Words before a "by" that says by whom: "how many visits were by women over 65"."""
_OPEN = {"what", "which", "who", "whose", "when", "where", "how", "list", "show"}
_LISTS = {"which", "who", "list", "show"}
"""Words of a later clause that ask for a list, whatever the first asks."""
_AUXILIARIES = {"did", "do", "does", "was", "were", "is", "are", "has", "have", "had"}
"""Verbs behind what is asked for, before those who did so."""


_NUMBERED = {"limit", "span", "relation", "often", "window", "function"}
"""Pieces whose words for time belong to a number of their own."""
_APART = 0.2
"""What it costs that the first hours stand apart from what was recorded in them."""
_ONE_PERSON = {"patient", "person"}
_PLURAL = {"patient", "patients", "people", "person"}
"""Words for people of whom what stands behind them says more."""
_BY = {"by", "per", "each", "every"}
_AGAINST = {"vs", "versus", "v", "against", "and", "compared"}
_BEFORE_UNIT = {"in", "(", ",", "/", "="}


@dataclass
class Pieces:
    """The pieces of a cover by their kind, those that are used taken out one by one."""

    nodes: list[Node]
    used: set[int] = field(default_factory=set)
    _kinds: set[str] = field(init=False)
    """The kinds of which there ever was a piece: most that are asked for have none."""

    def __post_init__(self) -> None:
        self._kinds = {node.kind for node in self.nodes}

    def add(self, *nodes: Node) -> None:
        """Put in further pieces, which are not used yet."""
        self.nodes += nodes
        self._kinds.update(node.kind for node in nodes)

    def of(self, *kinds: str) -> list[Node]:
        """The pieces of these kinds that are not used yet."""
        if self._kinds.isdisjoint(kinds):
            return []
        used = self.used
        return [node for at, node in enumerate(self.nodes) if node.kind in kinds and at not in used]

    def use(self, *nodes: Node) -> None:
        """Mark pieces as said."""
        for node in nodes:
            self.used.add(self.nodes.index(node))

    def take(self, *kinds: str) -> list[Node]:
        """The pieces of these kinds, marked as said."""
        found = self.of(*kinds)
        self.use(*found)
        return found

    def left(self) -> list[Node]:
        """All pieces that are not used yet."""
        return [node for at, node in enumerate(self.nodes) if at not in self.used]


@dataclass(frozen=True)
class State:
    """What of a frame is said and paid for at a moment."""

    used: frozenset[int]
    cost: float
    why: tuple[str, ...]
    group: Set | None


class Frame:
    """One way to see a cover: `prefer` says whether people or records are what is asked about, "" what is likelier.

    The pieces that are not yet said are in `pieces`; `who` are patients named one by one, `group` the others; `told_by`
    are those by which groups are made; `chooses` is true once it has mattered what is preferred.
    """

    def __init__(self, context: Context, cover: Sequence[Node], prefer: str) -> None:
        self.context = context
        self.world = context.world
        self.pieces = Pieces(without_bare_nouns(cover, context.lexed.words))
        self._prefer = prefer
        self.chooses = False
        self.cost = 0.0
        self.why: list[str] = []
        self.gather()

    def pay(self, cost: float, why: str) -> None:
        """Add to what the reading costs, and why."""
        self.cost += cost
        if cost > 0.01:
            self.why.append(why)

    def prefers(self, what: str) -> bool:
        """True where this way to see the cover asks about "people", or about "records"."""
        self.chooses = True
        return self._prefer == what

    def state(self) -> State:
        """What is said and paid for so far."""
        return State(frozenset(self.pieces.used), self.cost, tuple(self.why), self.group)

    def restore(self, state: State) -> None:
        """Take back what was said and paid for since."""
        self.pieces.used, self.cost, self.why = set(state.used), state.cost, list(state.why)
        self.group = state.group

    def _keyed(self, people: Node) -> bool:
        """True for people that groups are made by: "per patient", "for each patient on warfarin"."""
        return any(
            node.sense != "breakdown"
            and set(self.context.lexed.words[node.end : people.start])
            <= {"the", "single", "of", "these", "those", "following", "distinct", "different", "unique", "number"}
            for node in self.pieces.of("by")
            if node.end <= people.start
        )

    def _whose(self, people: Node) -> list[Node]:
        """The "by" that says whose something was: "stays by single patients". Groups are made by people of whom nothing
        is said, or by each of them."""
        words = self.context.lexed.words
        if people.sense.of.where is None:
            return []
        first = words[people.start : people.start + 1]
        plain = first and first[0] in _PLURAL  # "by patients on warfarin"
        return [
            node
            for node in self.pieces.of("by")
            if node.end == people.start
            and words[node.start : node.end] == ("by",)
            and (not plain or words[max(0, node.start - 1)] in _DONE)
        ]

    def _set_against(self, dead: Node, fates: Sequence[Condition]) -> bool:
        """ "Those who died vs survived": the other fate than that of the people before, and none of theirs."""
        died = len(fates) == 1 and fates[0] in (_FATES[0], _DIED)
        before = set(self.context.before(dead, 4))
        return bool(fates) and died == (dead.sense in ALIVE) and bool(before & _AGAINST)

    def _heads_superlative(self, most: Node) -> bool:
        """ "Top 5 oldest patients": the superlative says what they are ranked by."""
        top = self.context.lexed.words[most.start : most.end] == ("top",)
        return top and any(most.end <= node.start <= most.end + 1 for node in self.superlatives)

    def gather(self) -> None:
        """Sort the pieces: of whom, of which stays, which records, when."""
        pieces = self.pieces
        self.who: People | None = None
        self.who_at = -1
        group: Set | None = None
        self.group_at = -1
        self.group_said = False
        self.per_patient = self.of_theirs = False
        for node in sorted(pieces.take("people"), key=lambda node: "points" not in node.why):
            one: People = node.sense
            if by := self._whose(node):
                self.of_theirs = True
                pieces.use(*by)
            if not (one.one or one.pointed) and self._keyed(node):
                self.per_patient = True
                self.group = one.of if one.of.where is not None else None
                group = self.group
                continue
            if one.one or one.pointed:
                self.per_patient |= self._keyed(node)
                if self.who is None:
                    self.who, self.who_at = one, node.start
                else:
                    self.who = replace(self.who, of=together(self.who.of, one.of))
            else:
                self.group_said = True
                if group is None:
                    group, self.group_at = one.of, node.start
                elif one.of.where is not None:
                    group = limited(group, one.of.where)
                    self.pay(0.2, "groups-merged")
        for node in pieces.take("placed-people"):
            place, who = node.sense
            self.who = who
            pieces.add(replace(node, kind="place", sense=place))
        for node in pieces.take("picked-moment"):
            pick, moment = node.sense
            pieces.add(replace(node, kind="pick", sense=pick))
            pieces.add(replace(node, kind="field", sense=moment))
        sexes = [
            part
            for part in parts_of(group.where if group else None)
            if isinstance(part, Test) and part.left == Own("gender")
        ]
        self.sexes = len(sexes) == 2 and sexes[0] != sexes[1]
        if self.sexes and group is not None:
            group = replace(group, where=maybe([part for part in parts_of(group.where) if part not in sexes]))
        fates = [part for part in parts_of(group.where if group else None) if part in _FATES]
        opposite = [node for node in pieces.of("dead") if self._set_against(node, fates)]
        pieces.use(*opposite)
        self.fates = len(fates) == 2 or bool(opposite)
        if self.fates and group is not None:
            group = replace(group, where=maybe([part for part in parts_of(group.where) if part not in fates]))
        self.group = group
        for node in pieces.of("distinct"):
            if _ONE_PERSON & set(self.context.lexed.words[node.start : node.end]):
                self.per_patient = True  # "if you count each patient only once"
                pieces.use(node)
        self._begin()
        self.events: list[Node] = pieces.of("event")
        self.told_by: list[Node] = []
        self.stays: list[Node] = pieces.of("stays")
        self.fields: list[Node] = pieces.of("field")
        self.count = pieces.of("count")
        self.asks = pieces.of("ask")
        self.functions = pieces.of("function")
        self.share = pieces.of("share")
        self.most = pieces.of("most")
        self.by = pieces.of("by")
        self.superlatives = pieces.of("superlative")
        idle = [node for node in self.most if self._heads_superlative(node)]
        self.most = [node for node in self.most if node not in idle]
        pieces.use(*idle)
        self.yes = begins_with_verb(self)

    def _begin(self) -> None:
        """ "Urine output per stay in the first day": of the only records that are named, wherever it stands."""
        events, openings = self.pieces.of("event"), self.pieces.of("opening")
        if len(events) != 1 or len(openings) != 1:
            return
        begun = begun_with(self.context, events[0].sense, openings[0].sense)
        if begun is not None:
            self.pieces.use(*openings)
            self.pieces.nodes[self.pieces.nodes.index(events[0])] = replace(events[0], sense=begun)
            self.pay(_APART, "opening-apart")


def begins_with_verb(frame: Frame) -> bool:
    """True where a clause begins as a yes-or-no question does."""
    words, clause = frame.context.lexed.words, frame.context.lexed.clause
    first = [at for at in range(len(words)) if at == 0 or clause[at] != clause[at - 1]]
    if "," in words and not _OPEN & set(words[: words.index(",")]):
        first.append(words.index(",") + 1)  # "until 2104, did she…"
    for at in first:
        while at < len(words) and not words[at][0].isalnum():
            at += 1
        while at < len(words) and (words[at] in _PREAMBLE or not words[at][0].isalnum()):
            at += 1
        polite = words[at + 1 : at + 2] in (("you",), ("i",), ("we",)) and words[at : at + 1] not in (
            ("did",),
            ("have",),
        )
        if at < len(words) and words[at] in _YES and not polite:
            return True
    prices = frame.context.lexed.prices
    said = next((at for at, word in enumerate(words[:_FIRST]) if word in _INDIRECT), 0)
    return said > 0 and sum(prices[:said]) < _TELLS


def fields_wanted(frame: Frame) -> list[Node]:
    """The attributes that are asked for by name."""
    pieces = frame.pieces
    pieces.use(*[node for node in pieces.of("field") if brought_in(frame, node)])
    return [
        node
        for node in pieces.of("field")
        if node.sense.fields[0]
        not in ("value", "name", "time", "admission time", "discharge time", "icu admission time")
    ]


def brought_in(frame: Frame, field: Node) -> bool:
    """True where "admitted with" says a condition that is named behind it, and asks for nothing."""
    if frame.context.lexed.words[field.end - 1] != "with":
        return False
    return any(
        field.end <= leaf.start <= field.end + 4 and leaf.kind == "event" and not leaf.sense.noun
        for node in frame.pieces.nodes
        for leaf in node.leaves()
    )


def asks_which_of(frame: Frame, event: Node) -> bool:
    """True for drugs or codes of which it is asked which they were: "which opioids did patients with gout get?"."""
    kind, words = kind_of(event.sense.role), frame.context.lexed.words
    which = frame.context.before(event, 1) in (("which",), ("what",)) and not event.sense.others
    return which and (kind.dosed or kind.coded) and not _AUXILIARIES.isdisjoint(words[event.end : event.end + 1])


def theirs_each(frame: Frame) -> bool:
    """True where the highest or lowest is asked for of each patient."""
    return frame.per_patient or of_each_of_them(frame.context.lexed.words, frame.context.lexed.nodes)


def listing(frame: Frame) -> bool:
    """True where something is asked for by "which", or by the name of an attribute."""
    words, clause = frame.context.lexed.words, frame.context.lexed.clause
    if any(word in _LISTS and clause[at] > 0 for at, word in enumerate(words)):
        return True
    return any(node.sense == "which" for node in frame.pieces.of("list")) or bool(fields_wanted(frame))


def unit_asked(frame: Frame) -> TimeUnit | None:
    """The unit of time in which a length is asked for ("in hours", "(d)", "how many days"): one beside no number, that
    nothing is grouped by; None where the question names none."""
    words = frame.context.lexed.words
    leaves = [leaf for node in frame.pieces.nodes for leaf in node.leaves()]
    numbered = {at for leaf in leaves if leaf.kind in _NUMBERED for at in range(leaf.start, leaf.end)}
    for at, word in enumerate(words):
        unit = None if at in numbered else time_unit(word)
        before = words[at - 1] if at else ""
        if unit is not None and before not in _BY and (word.endswith("s") or before in _BEFORE_UNIT):
            return unit
    return None


def together(one: Set, other: Set) -> Set:
    """Patients named one by one, as one set."""
    left, right = one.where, other.where
    if isinstance(left, Among) and isinstance(right, Among):
        return replace(one, where=Among(left.measure, tuple(dict.fromkeys((*left.values, *right.values)))))
    return one
