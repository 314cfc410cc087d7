"""What is asked of cohorts, in people's words: a summary, a histogram, shares by group, what is left, a comparison.

The words of the task and the figures that are listed are taken out of a question; what remains names cohorts, measures
and criteria, each of which is read as a question of its own. So no wording of these is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    Aggregate,
    Arms,
    Attrition,
    Band,
    Characteristics,
    Cohort,
    Condition,
    Has,
    InAnswer,
    Listing,
    Measure,
    Not,
    Of,
    Overlap,
    Own,
    Prevalence,
    Rows,
    Set,
    Statement,
    Summary,
    Test,
    Value,
)
from ehrtui.planning.offline.words import Text
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexicon import spans
from ehrtui.planning.reader.meanings import RANKS, every, limited, parts_of
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.same_stay import in_the_same_stay
from ehrtui.planning.reader.sets import named_one_by_one
from ehrtui.planning.reader.stretches import Part, Places, Reading, Stretches, of_stay, stays_of
from ehrtui.planning.reader.task_words import FUNCTIONS, Cue, columns, cues, listed, time_to_death
from ehrtui.planning.reader.world import World

TASK = "task"
"""What a reading of a task was paid for."""
NO_EARLIER: Mapping[int, Statement] = MappingProxyType({})
_TASK = -0.6
"""What reading a question as a task costs: its words say so."""
_UNSAID = 2.6
"""What it costs that a comparison does not say of what."""
_EACH_ONE = frozenset(("patient", "person", "pt", "subject", "stay", "admission", "visit", "encounter"))
_DEAREST = 5.0
"""Prices of the parts of a task, together: what costs more is not understood."""
_FEWEST = 2
_ADULT = 18
_ARROW = re.compile(r"->|→|=>|>>")
_CONNECTING = frozenset(("among", "amongst", "of", "for", "in", "across", "on", "from"))
_HAVING = frozenset(("with", "were", "had", "got", "have", "has", "are", "was", "who", "received", "developed"))
_TAKING = _HAVING | {"on", "given", "getting", "taking"}
_BY = frozenset(("by", "per", "across"))
_AGAINST = frozenset(("vs", "versus", "against", "v"))
_NEGATIVE = frozenset(("no", "not", "without", "minus", "excluding", "exclude", "except", "never"))
_OTHERS = frozenset(("not", "no", "none", "others", "the", "rest", "other", "those"))
_HOW = re.compile(r"\((?:add(?:ing)? up|sum(?:ming)?(?: up)?|total(?:ling)?)\b[^()]*\)")
"""How a measure is reckoned that is taken so anyway."""
_LISTING = frozenset(("list", "which", "who", "whose", "show", "name"))
_RANKED = re.compile(
    r"\b(?:oldest|youngest|eldest)\s+(?:patients?|people|persons?|men|women|man|woman|(?:fe)?males?|ones)\b"
)
"""People who are picked one by one, and no cohort with figures: "the three oldest women and their ages"."""
_OF_EACH = frozenset(("age", "sex"))
"""Figures that are attributes, where people are listed."""
_ATTRIBUTES = frozenset(("age", "sex", "length"))
"""Figures that are attributes of each patient where nothing says that a number over all is meant."""
_WHOSE = frozenset(("female", "male", "stays"))
"""Figures whose words name people or stays as well."""
_COUNTS = frozenset(("count", "stays"))
_OF_WHOM = frozenset(("of", "among", "amongst", "for", "in", "by", "per"))
_OUR = frozenset(("the", "our", "all", "these", "those", "any"))
_RANKING = frozenset((*RANKS, "top", "rarest"))
_SEXES = frozenset(("female", "male"))
_THEM = frozenset(("them", "those", "these", "they", "their"))
_BAND = re.compile(
    r"(?:<|under|below|younger than)\s*(?P<end>\d{1,3})\b|(?P<low>\d{1,3})\s*(?:-|–|to)\s*(?P<high>\d{1,3})\b"
    r"|(?P<over>\d{1,3})\s*(?:\+|plus\b|(?:and|or) (?:over|older|above)\b)|(?:>=|≥|over)\s*(?P<from>\d{1,3})\b"
)
_AGED = re.compile(r"\b(?:age|ages|aged|old|older|younger|years?|yrs?|yo)\b|(?<=\d)(?:yo?|yrs?)\b")
_OLDEST = 120
_FIGURE = re.compile(r"\b(?:mean|average|avg|median|maximum|minimum|highest|lowest|longest|shortest)\b")
_BEFORE_BANDS = re.compile(
    r"\bat (?:their |the )?first admission\b|(?:%|\bpercent) each\b|\bin\s*(?=<)|\bby age(?: band)?\b"
)
_SHARE = re.compile(r"\b(?:what |the )?(?:proportion|percentage|percent|share)(?: of)?\b|\b(?:what )?%(?: of\b)?|%")
_INDEX = frozenset(("index", "qualifying", "respective", "relevant", "corresponding"))
_INDEX_STAY = re.compile(
    r"\(?\s*\b(?:in|during|within|at|of|for)\s+(?:the|that|their)\s+(?P<what>[\w-]+)\s+"
    r"(?:hospital\s+)?(?:admission|stay|hospitali[sz]ation|encounter|visit)\b\s*\)?"
)
"""A stay that is named by what happened in it."""
_THEIRS = re.compile(r"\b(?:mean|average|median|avg)\s+(?:(?:and|,)\s+\w+\s+)?of\s+(?:their|the|its)\s+")


def tasks(text: Text, world: World, read: Reading, earlier: Mapping[int, Statement] = NO_EARLIER) -> list[Read]:
    """The readings of a question as what is asked of cohorts, the cheapest first; none where it is no such question.
    `earlier` are the statements of the turns that it may point at."""
    if _RANKED.search(text.lower):
        return []
    found = sorted(_Task(text, read, world, earlier).readings(), key=lambda one: one.price)
    return [one for one in found if one.price <= _DEAREST]


def _names_stays(cue: Cue, lower: str) -> bool:
    """ "Septic shock admissions: n and deaths": stays, and not their patients, are what the figures are of."""
    return (cue.kind, cue.which) == ("figure", "stays") and lower[cue.end :].lstrip().startswith(":")


def _told_apart_by_death(of: Set) -> bool:
    """ "How many died and how many survived": the survivors are no cohort of whom some died."""
    said = (part.of if isinstance(part, Not) else part for part in parts_of(of.where))
    return any(isinstance(part, Has) and part.of.unit == "death" for part in said)


def _dead(of: Set) -> bool:
    """True for people who all died, or stays of such: no curve is drawn of them."""
    return any(
        isinstance(part, Has | Of) and (part.of.unit == "death" or _dead(part.of)) for part in parts_of(of.where)
    )


_ONE_BY_ONE = re.compile(r"\W*(?:(?:and|now|please|ok|can you|could you)\W+)*(?:list|name|who|which|each of)\b")
"""How a question opens that asks for people one by one."""


class _Task:
    """One question, split into what is asked and what it is asked of."""

    def __init__(self, text: Text, read: Reading, world: World, earlier: Mapping[int, Statement]) -> None:
        self.world, self.earlier = world, earlier
        self.lower = text.lower
        self.end = len(text.lower)
        self.words = list(spans(text.lower))
        self.cues = list(cues(self.words))
        self.kinds = {cue.which for cue in self.cues if cue.kind == "task"}
        self.theirs = _THEIRS.search(text.lower)
        fewest = 1 if self.theirs is not None else _FEWEST
        self.figures = listed([cue for cue in self.cues if not self._is_whose(cue)], self.words, fewest)
        self.of_stays = any(_names_stays(cue, text.lower) for cue in self.cues)
        self.stay = any(cue.kind == "stay" for cue in self.cues)
        self.stretches = Stretches(text, read, world)
        idle = [cue for cue in self.cues if cue.kind in ("task", "filler", "stay")]
        self.pointing = any(word in _THEM for word, _, _ in self.words)
        index = self._index_stay()
        self.stay = self.stay or index is not None
        self.taken: Places = tuple((cue.start, cue.end) for cue in (*idle, *self.figures))
        self.taken += tuple(one.span() for one in _HOW.finditer(self.lower))
        self.taken += (index,) if index is not None else ()

    def _is_whose(self, cue: Cue) -> bool:
        """ "Commonest drugs among the women, with counts": whose they are, and no figure of them."""
        if cue.kind != "figure" or cue.which not in _WHOSE:
            return False
        before = [word for word, _, end in self.words if end <= cue.start and word not in _OUR][-1:]
        return bool(before) and before[0] in _OF_WHOM

    def _index_stay(self) -> tuple[int, int] | None:
        """ "In the stroke stay", of those who had a stroke: the stays in which they had what makes them one."""
        for found in _INDEX_STAY.finditer(self.lower):
            word, rest = found["what"], self.lower[: found.start()] + self.lower[found.end() :]
            beginning = re.escape(word[: max(3, len(word) - 3)])
            if word in _INDEX or re.search(rf"\b{beginning}", rest) or self.pointing:
                return found.span()
        return None

    def readings(self) -> Iterator[Read]:
        """What the question may ask of cohorts."""
        if "attrition" in self.kinds or len(_ARROW.findall(self.lower)) >= _FEWEST:
            yield from self._attrition()
        elif "survival" in self.kinds:
            yield from self._survival()
        elif "histogram" in self.kinds:
            yield from self._histogram()
        elif "lacking" in self.kinds:
            yield from self._to_do()
        elif not self._by_sex():
            if ("prevalence" in self.kinds or _SHARE.search(self.lower)) and (bands := self._bands()):
                yield from self._prevalence(bands)
            elif "prevalence" in self.kinds:
                yield from self._prevalence(())
            sides = [*self._compared()]
            yield from sides
            if not sides and (self.kinds & {"summary", "table"} or (self.figures and not self._lists())):
                yield from self._summary()

    def _by_sex(self) -> bool:
        """ "Median age of men and women", "death rates for men and women": a figure of each, and not how many."""
        said = {cue.which for cue in self.cues}
        listed = {cue.which for cue in self.figures}
        both = "sex" in said or said >= _SEXES
        both = both and not any(word in _BY for word, _, _ in self.words)
        return both and listed <= {"sex", *_SEXES} and bool(said & {*FUNCTIONS, "prevalence"})

    def _lists(self) -> bool:
        """True for "list the patients with sepsis, with their age and sex": what each of them has; and for "the
        commonest drugs among women, with counts": what is ranked among them."""
        start = min(cue.start for cue in self.figures)
        if any(word in _RANKING and at < start for word, at, _ in self.words):
            return True
        asked = any(word in _LISTING and at < start for word, at, _ in self.words)
        said = {cue.which for cue in self.figures}
        return (asked and said <= _OF_EACH) or (said <= _ATTRIBUTES and not any(map(self._splits, self.figures)))

    def _splits(self, figure: Cue) -> bool:
        """ "Women and men": how many of each."""
        return figure.which == "sex" and self.lower[figure.start : figure.end] not in ("sex", "gender")

    def _free(self, start: int) -> bool:
        """Whether a word belongs to nothing that was taken out."""
        return not any(first <= start < last for first, last in self.taken)

    def _within(self, cohort: Set) -> Set | None:
        """The stays that "in that stay" means."""
        return stays_of(self._found_again(cohort)) if self.stay else None

    def _found_again(self, cohort: Set) -> Set:
        """A cohort in whose place stands what the answer was about that it names."""
        where = cohort.where
        if isinstance(where, InAnswer) and (statement := self.earlier.get(where.turn)) is not None:
            of = rows_about(statement)
            return of if of is not None and of.unit == cohort.unit else cohort
        return cohort

    # --- summaries -----------------------------------------------------------------------------------------------

    def _summary(self) -> Iterator[Read]:
        if self.of_stays or (self.figures and {cue.which for cue in self.figures} <= _COUNTS and not self.kinds):
            return  # "of the sepsis admissions, how many ended in death" asks for one number
        if self.figures and _ONE_BY_ONE.match(self.lower):
            return  # "list them with age and number of stays": of each
        theirs = self.theirs
        end = theirs.start() if theirs is not None else self.end
        cohort = self.stretches.cohort(0, end, self.taken)
        if cohort is None or (_told_apart_by_death(cohort.of) and any(cue.which == "death" for cue in self.figures)):
            return
        if any(isinstance(part, Has) and named_one_by_one(part.of) for part in parts_of(cohort.of.where)):
            return  # "age and sex of stay 200": of one, and no figures
        if not self.figures:
            yield self._made(Summary(cohort.of), cohort)
            return
        numbers, parts = list(columns(self.figures, self.world.age_of_patients)), [cohort]
        if theirs is not None:
            found = self.stretches.measure(theirs.end(), self.end, cohort.of, self.taken, self._within(cohort.of))
            if found is None:
                return
            said = {cue.which for cue in self.cues if cue.start < theirs.end()}
            numbers += [Aggregate(one, None, found.measure) for one in FUNCTIONS if one in said]
            parts.append(found)
        arms = Arms((Cohort(cohort.of),), tuple(dict.fromkeys(numbers)))
        yield self._made(in_the_same_stay(arms, [word for word, _, _ in self.words]), *parts)

    def _to_do(self) -> Iterator[Read]:
        """Who lacks what: the cohort before the word, what is lacking behind it."""
        cue = next(one for one in self.cues if one.which == "lacking")
        stop = min((at for sign in "?.(" if (at := self.lower.find(sign, cue.end)) > 0), default=self.end)
        cohort, found = (
            self.stretches.cohort(0, cue.start, self.taken),
            self.stretches.cohort(cue.end, stop, self.taken),
        )
        lacking = next((one.of for one in parts_of(found.of.where) if isinstance(one, Has)), None) if found else None
        if cohort is not None and found is not None and lacking is not None and cohort.of.where is not None:
            yield self._made(Listing(cohort.of, lacking), cohort, found)

    # --- histograms ----------------------------------------------------------------------------------------------

    def _histogram(self) -> Iterator[Read]:
        if self.pointing and (part := self.stretches.measure(0, self.end, Set(PATIENT), self.taken, None)) is not None:
            theirs = _whose(part.records)
            found = self.stretches.measure(0, self.end, theirs, self.taken, self._within(theirs)) if theirs else None
            if theirs is not None and found is not None and found.measure is not None:
                yield self._made(Rows(theirs, (Own("id"), found.measure)), replace(part, of=theirs))
                return
        if self._by_groups():
            return  # of each group, and not of all
        for before, behind in self._between():
            cohort = self.stretches.cohort(*behind, self.taken)
            if cohort is None:
                continue
            found = self.stretches.measure(*before, cohort.of, self.taken, self._within(cohort.of))
            if found is not None and found.measure is not None:
                if found.measure == self.world.age_of_patients and self._counts_bands():
                    return
                of = limited(cohort.of, Has(found.records)) if found.records is not None else cohort.of
                yield self._made(Rows(of, (Own("id"), found.measure)), cohort, found)

    def _by_groups(self) -> bool:
        """ "Age distribution by sex": groups are asked for; "stays per patient" is what is counted of each."""
        later = (one[0] for one in (*self.words[1:], ("", 0, 0)))
        return any(
            word in _BY and self._free(start) and behind not in _EACH_ONE
            for (word, start, _), behind in zip(self.words, later, strict=True)
        )

    def _counts_bands(self) -> bool:
        """ "Age distribution": how many of each age, which bands of it tell; a histogram draws its own."""
        said = (self.lower[cue.start : cue.end] for cue in self.cues if cue.which == "histogram")
        return any("distribution" in one for one in said)

    def _between(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Where a measure may end and its cohort begin: at a word that connects them, or the other way round at a
        colon."""
        places = [(start, end) for word, start, end in self.words if word in _CONNECTING and self._free(start)]
        places += [(cue.start, cue.end) for cue in self.cues if cue.kind == "task" and cue.start > 0]
        yield from (((0, start), (end, self.end)) for start, end in places)
        if (colon := self.lower.find(":")) > 0:
            yield (colon + 1, self.end), (0, colon)

    # --- time to an event ----------------------------------------------------------------------------------------

    def _survival(self) -> Iterator[Read]:
        """Time to death from the first stay on, of one cohort or of two beside each other."""
        against = self._against()
        if against is not None:
            for made in self._arms(*against, self.end):
                statement = made.statement
                if isinstance(statement, Characteristics):
                    yield replace(made, statement=time_to_death(statement.of), price=made.price - _UNSAID)
            return
        cohort = self.stretches.cohort(0, self.end, self.taken)
        if cohort is not None and cohort.of.where is not None and not _dead(cohort.of):
            yield self._made(time_to_death((Cohort(cohort.of),)), cohort)

    # --- shares --------------------------------------------------------------------------------------------------

    def _bands(self) -> tuple[Measure, ...]:
        """Bands of age that a question lists, several of them."""
        found = list(_BAND.finditer(self.lower))
        if len(found) < _FEWEST or not (_AGED.search(self.lower) or any(one["high"] for one in found)):
            return ()
        if _FIGURE.search(self.lower):
            return ()  # another figure than how many
        edges = {int(one["low"] or one["over"] or one["from"] or one["end"]) for one in found}
        if max(edges) > _OLDEST:
            return ()
        edges -= {int(one["high"]) for one in found if one["high"]}
        return (Band(self.world.age_of_patients, edges=tuple(sorted(map(float, edges)))),)

    def _prevalence(self, by: tuple[Measure, ...]) -> Iterator[Read]:
        end, keyed, taken = self.end, list[Part](), [*self.taken]
        if by:
            bands = list(_BAND.finditer(self.lower))
            taken.append((bands[0].start(), bands[-1].end()))
            taken += [one.span() for one in _BEFORE_BANDS.finditer(self.lower)]
        else:
            for word, start, _ in reversed(self.words):
                found = self.stretches.groups(start, end, self.taken) if word in _BY else None
                if found is not None:
                    by, end = found[0], start
                    keyed.append(found[1])
                    break
            if not keyed and any(word in _BY and self._free(start) for word, start, _ in self.words):
                return  # by what is not known: a share of all would be another question
        without = (*taken, *(one.span() for one in _SHARE.finditer(self.lower)))
        having = self.stretches.cohort(0, end, without)
        if having is not None and having.of.where is not None:
            yield self._made(Prevalence(having.of.where, Set(PATIENT), by), having, *keyed)
        for word, split, behind in self.words:
            if word not in _HAVING or behind >= end:
                continue
            having = self.stretches.cohort(split, end, without)
            among = self.stretches.stays(0, split, without)
            cohort = self.stretches.cohort(0, split, without) if among is None else None
            among = among or (cohort.of if cohort is not None else None)
            if having is not None and having.of.where is not None and among is not None:
                parts = [having, *keyed, *([cohort] if cohort is not None else [])]
                yield self._made(Prevalence(having.of.where, among, by), *parts)

    # --- what is left --------------------------------------------------------------------------------------------

    def _attrition(self) -> Iterator[Read]:
        start, colon = 0, self.lower.find(":")
        if any(cue.kind == "task" and cue.start < colon for cue in self.cues):
            start = colon + 1
        pattern = r"->|→|=>|>>|\.\s|\.$" if _ARROW.search(self.lower) else r",|;|\bthen\b|\.\s|\.$"
        found: list[tuple[Part, Condition]] = []
        places = [(start + one.start(), start + one.end()) for one in re.finditer(pattern, self.lower[start:])]
        firsts, lasts = [start, *(end for _, end in places)], [*(begin for begin, _ in places), self.end]
        for first, last in zip(firsts, lasts, strict=True):
            if (made := self._criterion(first, last)) is not None:
                found.append(made)
        if len(found) < _FEWEST:
            return
        base, *steps = (condition for _, condition in found)
        of = Set(HOSPITAL if self.stay else PATIENT, where=base)
        yield self._made(Attrition(of, tuple(steps)), *(part for part, _ in found))

    def _criterion(self, start: int, end: int) -> tuple[Part, Condition] | None:
        """What a stretch demands; None where it says nothing but the task."""
        inside = [one for one in self.words if start <= one[1] and one[2] <= end and self._free(one[1])]
        said = [one for one in inside if one[0].isalnum()]
        if not said:
            return None
        negative = said[0][0] in _NEGATIVE
        adult = [(first, last) for word, first, last in said if word in ("adult", "adults")]
        without = (*self.taken, *adult, *([said[0][1:]] if negative else []))
        part = self.stretches.cohort(start, end, without)
        if part is None:
            return None
        conditions = [
            found for one in parts_of(part.of.where) if (found := of_stay(one) if self.stay else one) is not None
        ]
        if adult:
            old = Test(Own("age"), ">=", Value(_ADULT))
            conditions.append(old if self.stay or self.world.aged == PATIENT else Has(Set(HOSPITAL, where=old)))
        if not conditions:
            return None
        return part, Not(every(conditions)) if negative else every(conditions)

    # --- comparisons ---------------------------------------------------------------------------------------------

    def _against(self) -> tuple[int, int] | None:
        """The word that sets two cohorts against each other."""
        return next(((start, end) for word, start, end in self.words if word in _AGAINST and self._free(start)), None)

    def _compared(self) -> Iterator[Read]:
        stop = min((cue.start for cue in self.figures), default=self.end)
        against, asked = self._against(), self.kinds & {"compare", "overlap", "table"}
        if against is not None and (asked or self.figures):
            yield from self._arms(*against, stop)
        elif "split" in self.kinds and self.figures:
            cue = next(one for one in self.cues if one.which == "split")
            arm = self.stretches.cohort(cue.end, stop, self.taken)
            base = self.stretches.cohort(0, cue.end, self._all_but_whom(cue))
            yield from self._with_and_without(base, arm)
        elif asked:
            for word, start, end in self.words:
                if word in ("and", "with", "to") and start < stop and self._free(start):
                    yield from self._arms(start, end, stop)

    def _all_but_whom(self, cue: Cue) -> Places:
        """What is taken out, but for those whom a cue names: "them" of "split them by"."""
        rest = [one for one in self.taken if one != (cue.start, cue.end)]
        whom = next((one for one in self.words if cue.start <= one[1] < cue.end and one[0] in _THEM), None)
        if whom is None:
            return (*rest, (cue.start, cue.end))
        return (*rest, (cue.start, whom[1]), (whom[2], cue.end))

    def _arms(self, start: int, end: int, stop: int) -> Iterator[Read]:
        """Two cohorts, before and behind a word; the second may be what is left of the first."""
        cohort, taken = self.stretches.cohort, self.taken
        before = [one for one in self.words if one[2] <= start]
        behind = [one for one in self.words if end <= one[1] and one[2] <= stop and one[0].isalnum()]
        if behind and behind[0][0] == "without" and before and before[-1][0] == "with":
            base, arm = cohort(0, before[-1][1], taken), cohort(behind[0][2], stop, taken)
            yield from self._with_and_without(base, arm)
        elif behind and {word for word, _, _ in behind} <= _OTHERS:
            for word, first, _ in reversed(before):
                if word in _TAKING:
                    yield from self._with_and_without(cohort(0, first, taken), cohort(first, start, taken))
                    break
        else:
            one, other = cohort(0, start, taken), cohort(end, stop, taken)
            if one is not None and other is not None and one.of != other.of and one.of.where and other.of.where:
                yield from self._two(Cohort(one.of), Cohort(other.of), one, other)

    def _with_and_without(self, base: Part | None, arm: Part | None) -> Iterator[Read]:
        """A cohort, split by whether they have something."""
        if base is None or arm is None or arm.of.where is None:
            return
        condition = arm.of.where
        if (stays := self._within(base.of)) is not None:
            condition = Has(limited(stays, *parts_of(condition)))
        having = Cohort(limited(base.of, *parts_of(condition)), "with")
        lacking = Cohort(limited(base.of, Not(condition)), "without")
        yield from self._two(having, lacking, base, arm)

    def _two(self, one: Cohort, other: Cohort, *parts: Part) -> Iterator[Read]:
        numbers = columns(self.figures, self.world.age_of_patients)
        if "overlap" in self.kinds:
            yield self._made(Overlap(one, other), *parts)
        elif numbers:
            yield self._made(Arms((one, other), numbers), *parts)
        else:
            made = self._made(Characteristics((one, other)), *parts)
            yield made if "table" in self.kinds else replace(made, price=made.price + _UNSAID)

    # -------------------------------------------------------------------------------------------------------------

    def _made(self, statement: Statement, *parts: Part) -> Read:
        """A reading, of the parts that it was put together of."""
        reads = [part.read for part in parts if part.read is not None]
        cover: list[Node] = []
        places: list[tuple[int, int]] = []
        paid: list[tuple[int, int, float]] = []
        for read in reads:
            by = len(places)
            cover += [_moved(node, by) for node in read.cover]
            paid += [(start + by, end + by, price) for start, end, price in read.paid]
            places += read.places
        why = (TASK, *(name for read in reads for name in read.why))
        passed = tuple(one for read in reads for one in read.passed)
        price = _TASK + sum(part.price for part in parts)
        return Read(statement, price, why, tuple(cover), tuple(places), passed, tuple(paid))


def _whose(records: Set | None) -> Set | None:
    """The patients of an earlier answer whose records these are; None where they are anybody's."""
    for part in parts_of(records.where) if records is not None else ():
        if isinstance(part, Of) and part.of.unit == PATIENT and isinstance(part.of.where, InAnswer):
            return part.of
    return None


def _moved(node: Node, by: int) -> Node:
    """A node so many words later."""
    below = tuple(_moved(one, by) for one in node.made_of)
    return replace(node, start=node.start + by, end=node.end + by, made_of=below)
