"""From readings to a proposal: what is run, what each stretch of the question was taken for, what leaves doubt."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.compile import can_be_compiled
from ehrtui.logic.algebra.lift import lifted, says_the_same
from ehrtui.logic.algebra.lower import lowered
from ehrtui.logic.algebra.model import (
    UNITS,
    Aggregate,
    Among,
    Groups,
    Is,
    Own,
    Relation,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.logic.algebra.render import condition_text, render_statement
from ehrtui.logic.algebra.stayless import with_own_ages
from ehrtui.logic.english.sentence import sentence
from ehrtui.logic.nodes import walk
from ehrtui.logic.render import render
from ehrtui.logic.steps import EarlierTurn
from ehrtui.planning.mentions import PaidWord
from ehrtui.planning.offline.words import Text
from ehrtui.planning.proposal import Link, Proposal, Reading
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.choosing import never_recorded
from ehrtui.planning.reader.lexicon import phrases
from ehrtui.planning.reader.meanings import Event, Trait, every, parts_of
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.spelled_out import spelled_out, unordered
from ehrtui.planning.reader.world import World
from ehrtui.schema.profile import GUESSED
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import Estimator

_SHOWN = 5
"""Readings: so many are offered."""
_GLANCE = 200
"""Letters: what a concept stands for is spelled out where it is said in so few."""
_TELLING = 1.0
"""A word that costs so much to pass over was not understood."""
_LITTLE = 0.4
"""A word that costs less to pass over says next to nothing."""
_SOMETHING = 0.7
"""A word that costs so much to pass over says something that the reading does not."""
_UNKNOWN = 2.0
"""Passing over a word that costs so much leaves something out."""
_FAR = 1.0
"""A reading that costs so much less than another is what is meant, even where it cannot be answered."""
_SECOND = 0.25
"""How likely the second of two readings is that cost the same and find different answers, beside the first: of 184
questions in people's own words with such a pair less than one unit apart the first was right in 149, the second in
30."""
_DEAR = 6.0
"""What costs more leaves no more doubt."""
_SHORT = 6
"""Words that a question has that says one thing."""
_LOOSE = ("family", "part", "misspelt", "verb", "inverted")


def proposal_of(
    question: str,
    planner: str,
    text: Text,
    readings: Sequence[Read],
    world: World,
    estimator: Estimator,
    turns: Mapping[int, EarlierTurn],
) -> Proposal | None:
    """What is proposed for a question, which was read as `text`, after earlier `turns`, its plan still unwritten;
    None where no reading can be compiled."""
    compiled: list[tuple[Read, str]] = []
    meant = set[Hashable]()
    likelier: tuple[float, str] | None = None
    for found in readings[:_SHOWN]:
        try:
            meaning = spelled_out(found.statement, world)
            said = {unordered(meaning), *map(unordered, _told_apart(meaning))}
            if not said.isdisjoint(meant):
                continue  # a concept that stands for what another reading names, or conditions in another order
            written, statement = as_written(found.statement, meaning, world)
            can_be_compiled(statement, world.profile, now=world.now, turns=turns, concepts=world.concepts)
        except LogicError as error:
            likelier = likelier or (found.price, f"{error.what} {error.why}")
            continue
        meant |= said
        compiled.append((replace(found, statement=statement), written))
    if not compiled:
        return None
    read, logic = compiled[0]
    unanswered = _unanswered(read, likelier)
    rivals = (pair for pair in compiled[1:] if not _is_told_by(pair[0].statement, read.statement))
    rival = next(((said, other.price - read.price) for other, said in rivals), ("", 9.0))
    doubts = doubts_of(read, world, question, *rival)
    inexact = not {f"how:{one}" for one in _LOOSE}.isdisjoint(read.why)
    if inexact and never_recorded(read.statement, world.index, question):
        doubts = (*doubts, Doubt("empty", 1.0, ""))
    plain = [
        Reading(said, _score(read.price, other.price, first=at == 0), sentence(other.statement, world.profile))
        for at, (other, said) in enumerate(compiled)
    ]
    return Proposal(
        question=question,
        planner=planner,
        logic=logic,
        statement=read.statement,
        links=tuple(_links(read, text)),
        paid=tuple(_paid(read, text)),
        readings=tuple(plain),
        unexplained=() if unanswered else tuple(word for word, price in read.passed if price >= _TELLING),
        confidence=estimator.probability(doubts),
        doubts=doubts,
        reason=unanswered or _unknown(read),
    )


def _is_told_by(other: Statement, statement: Statement) -> bool:
    """True where a statement tells all that another does, of the same rows, and more of each: no doubt about which of
    the two is meant."""
    match statement, other:
        case Rows(of=of), Rows(of=same):
            return _with_any_value(of) == _with_any_value(same) and {*other.columns} < {*statement.columns}
    return False


def _with_any_value(of: Set) -> Hashable:
    """A set, whether or not what is asked of it has to be there."""
    kept = [one for one in parts_of(of.where) if not (isinstance(one, Is) and one.state == "present")]
    return unordered(replace(of, where=every(kept)))


def _told_apart(statement: Statement) -> Iterator[Statement]:
    """The figures of the groups of a few named values beside each other: they tell the same."""
    match statement:
        case Groups(of=of, by=(Own() as key,), columns=(Aggregate(of=None) as number,), having=None):
            for part in parts_of(of.where):
                if isinstance(part, Among) and part.measure == key:
                    rest = [one for one in parts_of(of.where) if one != part]
                    sides = (replace(of, where=every([*rest, Test(key, "=", Value(one))])) for one in part.values)
                    yield Single(tuple(replace(number, of=side) for side in sides))


def _score(least: float, price: float, *, first: bool) -> float:
    """How likely a reading of a `price` is beside the one of the `least`, in [0, 1]."""
    return 1.0 if first else round(_SECOND * 2 ** (least - price), 3)


def as_written(statement: Statement, meaning: Statement, world: World) -> tuple[str, Statement]:
    """A statement, which has a `meaning` beneath its concepts, as query logic, and what is run for it: as the form that
    says the same, where there is one that can be read at a glance, because conversations go on from forms."""
    form = None if _of_a_register(meaning, world) else lifted(meaning)
    if form is not None and says_the_same(form, meaning):
        text, lower = render(form), with_own_ages(lowered(form), world.profile)
        kept = not (isinstance(meaning, Rows) and isinstance(lower, Rows)) or meaning.distinct == lower.distinct
        if kept and (meaning == statement or len(text) <= _GLANCE):
            return text, lower
    return render_statement(statement), statement


def _of_a_register(meaning: Statement, world: World) -> bool:
    """True where records of no patient are told of: forms take what is said of them for what is said of patients."""
    units = {part.unit for part in walk(meaning) if isinstance(part, Set)} - {*UNITS}
    return any(world.profile.role(unit.replace(" ", "_")).is_register for unit in units)


def _unanswered(read: Read, likelier: tuple[float, str] | None) -> str:
    """Why a reading is not shown beside one of a much lower price that cannot be answered here; "" where it is."""
    return likelier[1] if likelier is not None and read.price - likelier[0] >= _FAR else ""


def _unknown(read: Read) -> str:
    """Why a reading that passes over words which tell something is not shown; "" where there are none."""
    words = [word for word, price in read.passed if price >= _UNKNOWN]
    shown = "”, “".join(words[:5])
    return f"I do not know what “{shown}” means in this database." if words else ""


def said_at_length(typed: str) -> Iterator[Doubt]:
    """The doubt about a question of many words, as it was typed: of those that nobody had read before, the longer ones
    were misread far more often than the shorter ones, at the same price."""
    more = len(typed.split()) - _SHORT
    if more > 0:
        yield Doubt("long", more / 10)


def doubts_of(read: Read, world: World, typed: str, rival: str, margin: float) -> tuple[Doubt, ...]:
    """What of a reading of a question leaves doubt: its price, how its names were found, how near another reading is,
    how much was said."""
    doubts = [Doubt("free"), Doubt("price", round(min(_DEAR, max(0.0, read.price + 1.0)), 3), f"{read.price:.1f}")]
    doubts += said_at_length(typed)
    loose = sum(1 for name in read.why if name.startswith("how:") and name[4:] in _LOOSE)
    apart = sum(1 for name in read.why if name.startswith(("apart:", "other-event", "people-unsaid")))
    unused = sum(1 for name in read.why if name.startswith(("unused:", "unkept:")))
    unused += sum(1 for word, price in read.passed if price >= _SOMETHING and not _relates(word))
    for kind, amount in (("loose", loose), ("apart", apart), ("idle", unused)):
        if amount:
            doubts.append(Doubt(kind, float(amount)))  # type: ignore[arg-type]
    if rival and margin < 1.0:
        doubts.append(Doubt("near", round(1 - max(0.0, margin), 3), rival))
    if world.profile.name == GUESSED:
        doubts.append(Doubt("guessed"))
    return tuple(doubts)


def _relates(word: str) -> bool:
    """True for "after" and its like, which often but repeat how things follow: "died after a stroke"."""
    return any(sense.kind == "relation" for sense in phrases().senses.get((word,), ()))


def _paid(read: Read, text: Text) -> Iterator[PaidWord]:
    """The stretches that the reading leaves out, but for those that say next to nothing, in reading order."""
    for first, end, price in sorted(read.paid):
        if price >= _LITTLE:
            start, stop = read.places[first][0], read.places[end - 1][1]
            yield PaidWord(start, stop, text.typed[start:stop], price)


def _links(read: Read, text: Text) -> Iterator[Link]:
    """What the words were taken for, in reading order."""
    for node in read.cover:
        for leaf in node.leaves():
            start, end = read.places[leaf.start][0], read.places[leaf.end - 1][1]
            kind, value = _told(leaf)
            if kind:
                yield Link(start, end, text.typed[start:end], kind, value)


def _told(leaf: Node) -> tuple[str, str]:
    sense = leaf.sense
    if leaf.kind == "event":
        event: Event = sense
        kind = event.role if event.role != "patient" else "people"  # a word that is kept of patients is no patient
        return kind, event.label or ", ".join(item.text for item in event.of.items[:3]) or event.role
    if leaf.kind == "trait":
        trait: Trait = sense
        return trait.field or (trait.role if trait.role != "patient" else "people"), trait.field
    if leaf.kind == "people":
        where = sense.of.where
        if isinstance(where, Among):
            return "patient", ", ".join(map(str, where.values))
        return ("people", "patients") if where is None else ("people", "patients of one sex")
    if leaf.kind == "stays":
        return "stay", str(sense.of.unit)
    if leaf.kind == "field":
        return "field", ", ".join(sense.fields)
    if leaf.kind == "window":
        return "time", " ".join(map(condition_text, sense))
    if leaf.kind == "limit":
        return "limit", ", ".join(f"{sign} {number:g} {sense.unit}".rstrip() for sign, number in sense.tests)
    if leaf.kind == "relation" and isinstance(sense, Relation) and sense.count is not None:
        bound = "beyond" if sense.beyond else "within"
        return "time", f"{bound} {sense.count:g} {sense.unit}{'s' if sense.count != 1 else ''} {sense.kind}"
    if leaf.kind == "span":
        return "span", f"{sense.bound} {sense.count:g} {sense.unit}{'s' if sense.count != 1 else ''}".lstrip()
    if leaf.kind == "change":
        return "change", ""
    return (leaf.kind, str(sense)) if isinstance(sense, str) and leaf.kind in _SAID else ("", "")


_SAID = {
    "count",
    "share",
    "function",
    "superlative",
    "pick",
    "most",
    "negation",
    "growth",
    "state",
    "dead",
    "current",
}
