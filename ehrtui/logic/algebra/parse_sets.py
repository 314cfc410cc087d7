"""Text to sets: what is picked of which unit or kind of record, by which names."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import UNITS, All, Among, Condition, Is, Item, Own, Pick, Scalar, Set
from ehrtui.logic.algebra.reading import Reader, read_once, with_place
from ehrtui.logic.words import ORDINALS


class SetReader(Reader):
    """Reads sets; what restricts them is read by the reader of conditions."""

    def inner_set(self, *, outer: bool = False, bare: bool = False) -> Set:
        """A set within a measure or a condition: its own in parentheses."""
        return self.deeper(self.set) if self.peek().text == "(" else self.set(outer=outer, bare=bare)

    @with_place
    @read_once
    def set(self, *, outer: bool = True, bare: bool = False) -> Set:
        """A set; an `outer` one may be followed by with and without, a `bare` one by no condition."""
        conditions: list[Condition] = []
        pick = self.pick()
        if pick is not None and self.peek().text == "(":
            return self._picked_of(pick, outer=outer)
        if pick is None and self.take("current"):
            conditions.append(Is(Own("end time"), "missing"))
        unit = self.unit()
        items: list[Item] = []
        if unit in UNITS:
            ids = self.ids()
            if ids:
                conditions.insert(0, Among(Own("id"), ids))
            elif self.peek().text == "concept" and (cohort := self.item()) is not None:
                items.append(cohort)
        else:
            while (item := self.item()) is not None:
                items.append(item)
                if not (self.peek().text == "or" and self._item_after_or() and self.take("or")):
                    break
        while not bare and (condition := self.modifier(outer=outer)) is not None:
            conditions.extend(condition.of if isinstance(condition, All) else (condition,))
        pick = self.per(pick)
        where = None if not conditions else conditions[0] if len(conditions) == 1 else All(tuple(conditions))
        return Set(unit, tuple(items), where, pick)

    def _picked_of(self, pick: Pick, *, outer: bool) -> Set:
        """What is picked of a set in parentheses; what stands behind it restricts that set too."""
        of = self.deeper(self.set)
        if of.pick is not None:
            self.fail("found a pick of what is already picked")
        conditions = list(of.where.of if isinstance(of.where, All) else (of.where,) if of.where is not None else ())
        while (condition := self.modifier(outer=outer)) is not None:
            conditions.extend(condition.of if isinstance(condition, All) else (condition,))
        where = None if not conditions else conditions[0] if len(conditions) == 1 else All(tuple(conditions))
        return replace(of, where=where, pick=self.per(pick))

    def _item_after_or(self) -> bool:
        return self.peek(1).kind == "text" or self.peek(1).text in ("like", "code", "concept")

    @with_place
    def pick(self) -> Pick | None:
        """Which records of a set are taken; None where all are."""
        if word := self.take("highest", "lowest"):
            nth, through = 1, False
            if ordinal := self.take_kind("nth"):
                nth = int(ordinal[:-2])
            elif self.peek().kind == "number":
                nth, through = self.number(), True
            by = self.deeper(self.measure) if self.peek().text == "(" else Own("value")
            return Pick(nth, by, word == "highest", through=through)
        number = None
        if word := self.take(*ORDINALS):
            number = ORDINALS.index(word) + 1
        elif ordinal := self.take_kind("nth"):
            number = int(ordinal[:-2])
        if number is not None and self.words("to", "last"):
            return Pick(number, descending=True)
        if number is not None:
            through = number == 1 and self.peek().kind == "number"
            return Pick(self.number(), through=True) if through else Pick(number)
        if self.take("last"):
            if self.peek().kind == "number":
                return Pick(self.number(), descending=True, through=True)
            return Pick(descending=True)
        return None

    def per(self, pick: Pick | None) -> Pick | None:
        """The pick, with the unit of which one record each is taken."""
        if pick is None:
            return None
        unit = pick.per
        if self.take("per"):
            unit = "all" if self.take("all") else "day" if self.take("day") else self.unit()
        return Pick(pick.nth, pick.by, pick.descending, unit, self.ties(), pick.through)

    def ties(self) -> bool | None:
        """What becomes of records that are equal; None where it is not said."""
        if self.words("with", "ties"):
            return True
        return False if self.words("without", "ties") else None

    def ids(self) -> tuple[Scalar, ...]:
        """Identifiers after a unit."""
        found: list[Scalar] = []
        while self.peek().kind in ("number", "text"):
            found.append(self.number() if self.peek().kind == "number" else self.quoted())
            if not (self.peek().text == "," and self.peek(1).kind in ("number", "text") and self.take(",")):
                break
        return tuple(found)

    @with_place
    def item(self) -> Item | None:
        """A name, or a way to find names; None where none comes."""
        if self.peek().kind == "text":
            return Item("name", self.quoted())
        if (kind := self.take("like", "code", "concept")) is not None:
            return Item(kind, self.quoted())  # type: ignore[arg-type]
        return None
