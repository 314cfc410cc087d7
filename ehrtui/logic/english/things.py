"""Sets as nouns: "female patients who had a potassium above 6", "the first creatinine of each patient"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    All,
    Among,
    Condition,
    Has,
    Is,
    Item,
    Measure,
    Of,
    Own,
    Pick,
    Set,
    Test,
    Value,
)
from ehrtui.logic.english.clauses import ORDER, At, Clause, chained, clause, noun, verbs
from ehrtui.logic.english.ranges import merged
from ehrtui.logic.english.words import a, code, identifier, kind_words, listed, name, nth, pattern, plural, spoken
from ehrtui.schema.kinds import kind_of

_MOST_NAMED, _FIRST_NAMED = 8, 3
"""Items: a longer list is not read aloud; its first ones are."""


@dataclass(frozen=True)
class Thing:
    """The rows of a set as a noun with what stands around it.

    `head` is the noun with its item, `heads` its plural; `before` are adjectives, `behind` what stands behind it,
    `owner` whose it is, `had` what they have, `later` when they were, `did` the verbs of a clause of its own. `picked`
    says that some are picked and `which` these are ("first", "3 highest"), `several` that they are more than one,
    `of_each` for what, `spread` that `later` tells that, and `ties` whether all that tie are meant. `named` says that
    the head names one row or several by identifiers.
    """

    unit: str
    head: str
    heads: str
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    owner: tuple[str, ...] = ()
    had: tuple[Clause, ...] = ()
    later: tuple[str, ...] = ()
    did: tuple[Clause, ...] = ()
    which: str = ""
    picked: bool = False
    several: bool = False
    of_each: str = ""
    spread: bool = False
    ties: str = ""
    named: bool = False

    @property
    def single(self) -> bool:
        """True where it is one row for each of whatever it is picked for, or one that is named."""
        return (self.named and self.head == self.heads) or (self.picked and not self.several)

    @property
    def verbs(self) -> tuple[Clause, ...]:
        """What can be said of them as a verb, where they are patients or stays."""
        return (*self.had, *self.did) if self.unit in UNITS else self.did

    def _around(self, word: str, one: bool) -> str:
        had, did = self.had, self.did
        if self.unit == PATIENT:
            had, did = (), (*had, *did)
        parts = [
            *self.before,
            word,
            *self.behind,
            *self.owner,
            f"with {chained([(each.text, each.several) for each in had], 'and')}" if had else "",
            *self.later,
            f"{'who' if self.unit == PATIENT else 'that'} {verbs(did, one=one)}" if did else "",
            self.ties,
            self.of_each,
        ]
        return " ".join(part for part in parts if part)

    def bare(self, *, one: bool = True) -> str:
        """Without an article: "last creatinine of patient 10035"."""
        one = one and not self.several
        return " ".join(filter(None, [self.which, self._around(self.head if one else self.heads, one)]))

    def one(self, whose: str = "the") -> str:
        """One of them, with an article, or `whose` it is where one is picked."""
        if self.named:
            return self.bare(one=self.head == self.heads)
        return f"{whose} {self.bare()}" if self.picked else a(self.bare())

    def many(self, whose: str = "the") -> str:
        """All of them: "potassium results above 6"; what is picked with an article, or `whose` it is."""
        if self.named:
            return self.bare(one=self.head == self.heads)
        if self.spread and self.single:
            return f"the {' '.join(filter(None, [self.which, self._around(self.heads, False)]))}"
        if self.single and self.of_each.startswith("of each ") and whose == "the":
            word, rest = self.of_each.removeprefix("of each "), replace(self, of_each="")
            return f"the {' '.join(filter(None, [rest.which, rest._around(rest.heads, False)]))} of all {plural(word)}"
        return f"{whose} {self.bare()}" if self.picked else self.bare(one=False)

    def some(self, whose: str = "the") -> str:
        """One of them, or all where several are picked."""
        return self.many(whose) if self.several else self.one(whose)

    def each(self) -> str:
        """Each of them: "each hospital stay that ended in death"."""
        if self.named:
            return self.bare(one=self.head == self.heads)
        if self.single:
            return f"the {self.bare()}"
        return f"each of the {self.bare()}" if self.picked else f"each {self.bare()}"

    def without(self, verbs: Sequence[Clause]) -> Thing:
        """The same without some of the verbs that are said of them."""
        return replace(
            self,
            had=tuple(one for one in self.had if one not in verbs),
            did=tuple(one for one in self.did if one not in verbs),
        )


def thing(of: Set, at: At, *, head: tuple[str, str] | None = None) -> Thing:
    """The rows of a set; `head` in place of its own noun."""
    rest = list(conditions(without(of, [Own("time")] if kind_of(of.unit).dated else []).where))
    own = at.about(of.unit)
    if of.unit in UNITS and rest and isinstance(rest[0], Among) and rest[0].measure == Own("id"):
        values = [identifier(value) for value in rest.pop(0).values]  # type: ignore[union-attr]
        known = spoken(of.unit)
        said = f"{known if len(values) == 1 else plural(known)} {listed(values, 'or')}" if values else f"no {known}"
        return _with(Thing(of.unit, said, said, named=True), rest, of.pick, own, at)
    limited = any(_limits(each) for each in rest)
    one, many, behind = (*head, ()) if head else _head(of, limited)
    return _with(Thing(of.unit, one, many, behind=behind), rest, of.pick, own, at)


def conditions(where: Condition | None) -> tuple[Condition, ...]:
    """The conditions that all hold."""
    return () if where is None else where.of if isinstance(where, All) else (where,)


def without(of: Set, fields: Sequence[Measure]) -> Set:
    """The same set without the conditions that these fields are recorded: who asks for them asks for those. Of rows
    that are picked, only for name, value and time: the first culture with an organism need not be the first one."""
    parts = conditions(of.where)
    fields = [one for one in fields if of.pick is None or one in (Own("value"), Own("time"), Own("name"))]
    kept = tuple(one for one in parts if not (isinstance(one, Is) and one.state == "present" and one.measure in fields))
    if len(kept) == len(parts):
        return of
    return replace(of, where=None if not kept else kept[0] if len(kept) == 1 else All(kept))


def patients_of(of: Set) -> Set:
    """The patients who have rows of a set."""
    parts = conditions(of.where)
    whose = [one.of for one in parts if isinstance(one, Of) and one.of.unit == PATIENT and one.of.pick is None]
    rest = tuple(one for one in parts if not (isinstance(one, Of) and one.of in whose))
    rows = replace(of, where=None if not rest else rest[0] if len(rest) == 1 else All(rest))
    who = tuple(each for one in whose for each in conditions(one.where))
    return Set(PATIENT, where=All((*who, Has(rows))))


def items(of: Set) -> str:
    """The items of a set, where they are all named: "furosemide or warfarin"; else ""."""
    if not of.items or any(item.kind not in ("name", "concept") for item in of.items):
        return ""
    return _several(of.items)


def _several(items: Sequence[Item]) -> str:
    """Named items; of a long list the first and how many more."""
    if len(items) <= _MOST_NAMED:
        return listed([_named(item) for item in items], "or")
    first = [_named(item) for item in items[:_FIRST_NAMED]]
    return listed([*first, f"any of {len(items) - _FIRST_NAMED} others"], "or")


def _with(start: Thing, where: Sequence[Condition], pick: Pick | None, own: At, at: At) -> Thing:
    clauses = sorted((clause(each, own) for each in merged(where)), key=lambda one: ORDER.index(one.form))
    said = {form: [each.text for each in clauses if each.form == form] for form in ORDER}
    whole = replace(
        start,
        before=tuple(said["adjective"]),
        behind=(*start.behind, *([listed(said["limit"])] if said["limit"] else [])),
        owner=tuple(said["owner"]),
        had=tuple(each for each in clauses if each.form == "had"),
        later=(*said["moment"], *said["whose"]),
        did=tuple(each for each in clauses if each.form == "verb"),
    )
    return whole if pick is None else _picked(whole, pick, own, at, where)


def _of_one(where: Sequence[Condition]) -> bool:
    """True where all rows are of one patient, or of a stay, so that it needs not be said whose first one is meant."""
    return any(isinstance(each, Of) and _one(each.of) for each in where)


def owned(of: Set) -> bool:
    """True where the rows of a set are of one patient that is named."""
    return _of_one(conditions(of.where))


def _one(of: Set) -> bool:
    first = conditions(of.where)[:1]
    return owned(of) or any(
        isinstance(each, Among) and each.measure == Own("id") and len(each.values) == 1 for each in first
    )


def _picked(of: Thing, pick: Pick, own: At, at: At, where: Sequence[Condition]) -> Thing:
    of_one = _of_one(where)
    ties = {True: "with all ties", False: "with ties broken", None: ""}[pick.ties]
    each = {"all": "of all", "day": "of each day", PATIENT: "of each patient"}.get(
        pick.per, f"of each {spoken(pick.per)}"
    )
    told = any(isinstance(one, Of) and one.of.unit == PATIENT for one in where)
    if (pick.per == PATIENT and (told or of_one or at.inside)) or (at.inside and pick.per == at.unit):
        each = ""
    which, by = _which(pick), ""
    if pick.by is not None and pick.by not in (Own("value"), Own("length")):
        by = f"with the {which} {noun(pick.by, own)}"
        which = str(pick.nth) if pick.through and pick.nth > 1 else ""
    return replace(
        of,
        which=which,
        picked=True,
        several=pick.through and pick.nth > 1,
        of_each=" ".join(filter(None, [by, each])),
        spread=told and not of_one,
        ties=ties,
    )


def _which(pick: Pick) -> str:
    if pick.by is None:
        word = "last" if pick.descending else "first"
        if pick.through:
            return f"{word} {pick.nth}" if pick.nth > 1 else word
        return word if pick.nth == 1 else f"{nth(pick.nth)} to last" if pick.descending else nth(pick.nth)
    extremes = ("longest", "shortest") if pick.by == Own("length") else ("highest", "lowest")
    word = extremes[0] if pick.descending else extremes[1]
    if pick.nth == 1:
        return word
    return f"{pick.nth} {word}" if pick.through else f"{nth(pick.nth)} {word}"


def _limits(condition: Condition) -> bool:
    """True for a limit on the value of a record."""
    return isinstance(condition, Test) and condition.left == Own("value") and isinstance(condition.right, Value)


# --- heads -----------------------------------------------------------------------------------------------------------


def _head(of: Set, limited: bool) -> tuple[str, str, tuple[str, ...]]:
    """The noun with its items, its plural, and what stands behind either."""
    words = kind_words(of.unit)
    one, many = words.noun, plural(words.noun)
    if not of.items:
        return one, many, ()
    named = items(of)
    if not named:
        return one, many, (" or ".join(_unnamed(of.items)),)
    if words.joined:
        return one, many, (f"{words.joined} {named}",)
    if words.measured:
        single = named if limited else f"{named} {words.measured}"
        return single, f"{named} {plural('value' if limited else words.measured)}", ()
    if named.lower().endswith(one.lower()):
        return named, plural(named), ()
    return f"{named} {one}", f"{named} {many}", ()


def _named(item: Item) -> str:
    return name(item.text) if item.kind == "name" else f"any kind of {name(item.text)}"


def _unnamed(items: Sequence[Item]) -> list[str]:
    """Items that are told by patterns and codes, those of a kind together."""
    codes = [_code(item.text) for item in items if item.kind == "code"]
    likes = [pattern(item.text, what="").strip() for item in items if item.kind == "like"]
    found = []
    if likes:
        found.append(f"with a name {listed(_shared(likes), 'or')}")
    if codes:
        exact = all(re.fullmatch(r"[\w.]+", one) for one in codes)
        found.append(f"with {'code' if exact else 'a code'} {listed(codes, 'or')}")
    found += [f"named {name(item.text)}" for item in items if item.kind == "name"]
    found += [f"of any kind of {name(item.text)}" for item in items if item.kind == "concept"]
    return found


def _shared(likes: Sequence[str]) -> list[str]:
    """Patterns, with the words "beginning with" once for all of those in a row."""
    shown: list[str] = []
    last = ""
    for like in likes:
        words, mark, rest = like.partition("“")
        simple = mark and "”" not in rest[:-1]
        shown.append(f"{mark}{rest}" if simple and words == last else like)
        last = words if simple else ""
    return shown


def _code(text: str) -> str:
    low, dash, high = text.partition("-")
    return f"from {code(low)} to {code(high)}" if dash and low and high and "-" not in high else code(text)


def measured(of: Set) -> tuple[str, str] | None:
    """What stands for the value of a set of measured records of named items, and its plural: "creatinine"; None for
    other sets."""
    named = items(of) if kind_words(of.unit).measured else ""
    return (named, f"{named} values") if named else None


def value_of(of: Set, field: Measure, at: At) -> str:
    """A field of one picked or named row: "last creatinine of patient 10035", "route of the last prescription"."""
    if field == Own("value") and (head := measured(of)) is not None:
        return thing(of, at, head=head).bare()
    row = thing(of, at)
    return f"{noun(field, at.about(of.unit))} of {row.one(at.whose) if row.single else row.many()}"


def patient_has(of: Set, at: At, *, negative: bool) -> str:
    """What becomes of patients who have such a record, as a verb; "" where they just have one."""
    words = kind_words(of.unit)
    row = thing(of, at)
    if words.alone and not of.items and not row.picked and not row.had:
        did = "did not die" if negative else words.alone
        return " ".join([did, *row.owner, *row.later, *([f"and {verbs(row.did)}"] if row.did else [])])
    named = items(of)
    if not words.had or row.picked or row.before or (not named and not words.object):
        return ""
    behind = row.behind if not named else row.behind[1:] if words.joined else ()
    held = replace(row, head=named or words.object, heads="", behind=behind)
    rest = held.bare() if named else a(held.bare())
    if words.had.startswith("were "):
        return f"were {'not ' if negative else ''}{words.had[5:]} {rest}"
    return f"did not undergo {rest}" if negative and words.had == "underwent" else f"{words.had} {rest}"
