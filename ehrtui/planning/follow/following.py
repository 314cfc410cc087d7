"""Readings of a question in its conversation: what it points at, what it changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import cast

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Condition,
    Groups,
    Has,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.acts import ACT, Readers, acts
from ehrtui.planning.follow.at_that_stay import at_that_stay
from ehrtui.planning.follow.changing import changed, values_told
from ehrtui.planning.follow.contrasting import compares
from ehrtui.planning.follow.describing import described_nodes, lists_again
from ehrtui.planning.follow.doing_so import DOING_SO, doing_so_nodes
from ehrtui.planning.follow.each_one import of_each_stay
from ehrtui.planning.follow.extremes import asked_of_extreme
from ehrtui.planning.follow.fragments import (
    OPENERS,
    WHOSE,
    asks_figure,
    is_fragment,
    is_predicate,
    names_their_stay,
    ranks_records,
)
from ehrtui.planning.follow.groups_told import (
    group_called,
    group_nodes,
    table_group_nodes,
    told_in_groups,
    with_groups,
)
from ehrtui.planning.follow.implied import IMPLIED, asks_of_that, of_those_before
from ehrtui.planning.follow.lifting import WHATEVER, sets_free, whatever_the_field
from ehrtui.planning.follow.listed import LISTED, is_name_alone, listed_nodes, lists_names
from ehrtui.planning.follow.naming import (
    NAMED_AGAIN,
    Others,
    named_again_nodes,
    of_others,
    others_said,
    without_other,
    without_places,
)
from ehrtui.planning.follow.narrowing import DENIED, is_empty, told_further, without_opposites
from ehrtui.planning.follow.offers import alone_if_near, flattened
from ehrtui.planning.follow.one_group import one_group_nodes
from ehrtui.planning.follow.one_of_stays import one_of_stays_nodes
from ehrtui.planning.follow.one_person import is_about_person, once_told, says_nobody, tells_the_stays, without_whose
from ehrtui.planning.follow.one_without_other import one_without_other
from ehrtui.planning.follow.pointing import OF_TURN, SHARES, is_pointing, is_whole, pointing_nodes, turns_meant
from ehrtui.planning.follow.present_stay import present_of_one, tells_records_alone
from ehrtui.planning.follow.records_meant import records_meant
from ehrtui.planning.follow.recounting import RECOUNTED, counted, is_count
from ehrtui.planning.follow.remaining import REMAINING, remaining_nodes
from ehrtui.planning.follow.returning import Returning, of_the_latest, returning
from ehrtui.planning.follow.same_time import SAME_TIME, same_time_nodes
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.scoping import SCOPED, counted_among, of_subject, whole_of_share
from ehrtui.planning.follow.subject import (
    Subject,
    as_patients,
    group_behind,
    is_about,
    is_one_group,
    is_within,
    one_stay_in,
    still_of_one,
    subject_of,
)
from ehrtui.planning.follow.together import TOGETHER, in_common, says_no_more, together_nodes
from ehrtui.planning.follow.values_of_groups import values_of_groups
from ehrtui.planning.follow.weighing import is_of, less_likely, weighed
from ehrtui.planning.offline.words import Text, with_capitals
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.asking import Asked, asked
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.comparing import compared
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.lexing import Lexed, lexed
from ehrtui.planning.reader.meanings import Wanted, parts_of
from ehrtui.planning.reader.reader import Read, readings, readings_of
from ehrtui.planning.reader.spelled_out import spelled_out
from ehrtui.planning.reader.tasks import tasks
from ehrtui.planning.reader.world import World

_POINTING = 1.8
"""What passing over a word that points costs."""
_WITHIN = {"in", "on", "at", "during", "for", "over", "within"}
_WHOLE = {"all", "of", "the", "list", "those", "these", "whole", "to", "entire", "full", "again", "group", "set"}
"""Words that say nothing more of those whom a noun describes."""
_CORRECTING = {"sorry", "actually", "meant", "restrict", "limit", "limits", "narrow", "keep", "filter", "change",
               "raise", "raised", "use", "repeat", "redo", "switch"}  # fmt: skip
"""Words that say that something is changed, and not what."""
_RETURNING = {"back", "go", "going", "return", "returning", "again", "coming", "take", "now"}
_WHO_OF_THEM = 1.5
"""What it costs at most to read who of them had the most of something, which names the records, too."""
_CHANGES = 1.2
"""What words cost at most that say what else a figure is to be compared with."""
_LIKE_BEFORE = 0.8
_OF_EXTREME = 0.2
_UNSAID = 0.3
"""What it costs that "how many were women" does not say of whom."""
_THEIRS = 0.3
"""What it saves that "the ICU stays" are those of the one patient of whom it is spoken."""
_TYPE = -0.2
_OF_KEY = 1.0
"""How much less a value costs of the attribute that the groups before were made by."""


@dataclass(frozen=True)
class _Talk:
    """What a question that goes on is read with: its words with all that they may mean here (`one`), whom else it names
    (`others`), and the `earlier` statements by turn, the `latest` before it, with what each was about."""

    text: Text
    one: Lexed
    others: Others | None
    world: World
    earlier: Mapping[int, Statement]
    latest: int
    subjects: Mapping[int, Subject]

    @property
    def before(self) -> Statement:
        """What was asked last."""
        return self.earlier[self.latest]


@dataclass(frozen=True)
class _Signs:
    """The nodes of a question that mean something of an earlier answer: all that point (`pointing`), among them those
    that mean `several` answers together and those that are `described` anew; those that name one of what was `listed`;
    `kept` says that the question keeps a name or a time of before."""

    pointing: list[Node]
    several: list[Node]
    described: list[Node]
    listed: list[Node]
    kept: bool


def followed(
    text: Text, world: World, earlier: Mapping[int, Statement], latest: int, *, unsaid: bool = False
) -> list[Read]:
    """The readings of a question that lean on `earlier` statements, by turn, the `latest` where nothing says which; the
    cheapest first; `unsaid` where the latest question did not say of whom it was. None of them stands alone: a question
    that points at nothing, changes nothing and says of whom it is has none."""
    talk, signs = _heard(text, world, earlier, latest)
    one, before = talk.one, talk.before
    about, asks_of_them, changes = _whom(talk)
    of_the_person = is_about_person(before, latest) and says_nobody(text.typed, one)
    found = [*_pointing_at(talk, signs)]
    found += _changing(talk, signs) if changes else []
    if changes or asks_of_them or of_the_person:
        found += _asked_of(talk, about, of_the_person=of_the_person)
    found = [replace(each, statement=without_whose(each.statement)) for each in found] if of_the_person else found
    found += _extremes(talk)
    found = _settled(found, talk, signs)
    read = _Reading(talk, unsaid)
    called_again = bool(signs.described) and not SHARES.isdisjoint(one.words)  # "what share of the gout patients is …?"
    if not called_again or asks_of_that(one):
        found += acts(one, world, earlier, latest, Readers(read.changing, read.asked_of_those, read.alone))
    ways = Returning(read.called, read.apart_from, read.widened, read.alone, read.asked_again)
    returned = [*returning(text.lower, one, earlier, talk.subjects, ways)]
    found = [*_of_returned(found, returned), *returned]
    if (them := of_the_latest(text.lower, talk.subjects.get(latest), read.asked_again)) is not None:
        found.append(replace(them, places=one.places))
    several_whom = about is not None and about.of.where is not None and about.person is None
    if several_whom and (made := of_those_before(one, read.asked_of_latest)) is not None:
        found.append(Read(made, _UNSAID, ("points", f"{OF_TURN}{latest}", IMPLIED), (), one.places, ()))
    found = [replace(each, statement=once_told(each.statement)) for each in found]
    return sorted(found, key=lambda each: each.price)


def _heard(text: Text, world: World, earlier: Mapping[int, Statement], latest: int) -> tuple[_Talk, _Signs]:
    """The question in its conversation, and what of it means something of an earlier answer."""
    subjects = {
        turn: subject for turn, statement in earlier.items() if (subject := subject_of(turn, statement)) is not None
    }
    for turn, statement in earlier.items():
        if (same := still_of_one(turn, statement, subjects)) is not None:
            subjects[turn] = same
    before = earlier[latest]
    one = _without_no(without_places(lexed(text, world)))
    if latest in subjects and (group := group_behind(before, one.words)) is not None:
        subjects[latest] = Subject(latest, group)
    others = others_said(one, earlier, latest, world)
    one = one if others is None else without_other(one, others)
    again = named_again_nodes(one, earlier, latest)
    listed = listed_nodes(one, earlier, latest)
    then = [*same_time_nodes(one.words, earlier, latest)]
    one = replace(one, nodes=(*one.nodes, *_type_nodes(one, before, world), *values_of_groups(one, before, world)))
    one = replace(one, nodes=(*one.nodes, *again, *listed, *then))
    known = {turn: subject for turn, subject in subjects.items() if turn <= latest}
    apart = with_groups(known, earlier)
    several = [] if lists_names(before) else together_nodes(one.words, apart)
    common = in_common(apart) if several else None
    described = described_nodes(one, subjects, earlier)
    placed = [*one_of_stays_nodes(one.words, subjects.get(latest), earlier), *group_nodes(one, earlier, latest)]
    placed += table_group_nodes(_told_before(one, before), earlier, latest)
    placed += records_meant(one, subjects.get(latest), earlier)
    them = _told_just_now(one, described, latest)
    pointing = [*pointing_nodes(one, subjects, them, common), *several, *described, *placed]
    pointing = _pro_verbs_first([*pointing, *remaining_nodes(one.words, earlier, latest)], one, earlier, latest, known)
    talk = _Talk(text, one, others, world, earlier, latest, subjects)
    return talk, _Signs(pointing, several, described, listed, kept=bool(again or then))


def _told_just_now(one: Lexed, described: list[Node], latest: int) -> int:
    """The turn that pronouns mean: one that the question itself describes before them ("of the gout patients, how many
    of them…"), else the latest."""
    first = min(described, key=lambda node: node.start, default=None)
    if first is None or not any(map(is_pointing, one.words[first.end :])):
        return latest
    return next(iter(turns_meant(first.why)), latest)


def _pointing_at(talk: _Talk, signs: _Signs) -> list[Read]:
    """The readings that point at an earlier answer."""
    if not (signs.pointing or signs.listed or signs.kept):
        return []

    def asked_of(context: Context, cover: tuple[Node, ...]) -> Iterator[Asked]:
        for made in asked(context, cover):
            made = made if talk.others is None else of_others(made, talk.others)
            yield _denying(made, talk.before, talk.world)

    said = _going_back(talk.one) if signs.described else talk.one
    records = [node for node in signs.pointing if node.kind == "event"]
    told = [*talk.subjects.values(), *told_in_groups(talk.earlier)]
    told += [Subject(turn, node.sense.of) for node in records for turn in turns_meant(node.why)]
    return [
        read
        for read in readings_of(_with(said, signs.pointing), talk.world, asked_of)
        if _keeps_to(read, told) and not lists_again(read.statement, read.why, talk.one.words)
    ]


def _whom(talk: _Talk) -> tuple[Subject | None, bool, bool]:
    """Whom the latest answer was about, or the one stay or patient of whom words that name nobody are meant; whether
    something is asked of these; and whether the latest answer is changed."""
    one, before, latest = talk.one, talk.before, talk.latest
    whole, fragment = is_whole(talk.text.typed), is_fragment(one)
    stay = one_stay_in(before)
    if stay is not None and not whole and not any(node.kind in WHOSE for node in one.nodes):
        return Subject(latest, stay), True, False
    about = still_of_one(latest, before, talk.subjects) or subject_of(latest, whole_of_share(before))
    of_their_stay = about is not None and about.person is not None and names_their_stay(one)
    of_stays = about is not None and about.unit in (HOSPITAL, ICU) and asks_figure(one)
    if of_their_stay or of_stays or (not fragment and ranks_records(one)):
        return about, True, False
    there = present_of_one(talk.earlier, latest) if tells_records_alone(one) and not whole else None
    return (about, False, fragment) if there is None else (there, True, fragment)


def _changing(talk: _Talk, signs: _Signs) -> list[Read]:
    """The readings of a fragment that change the latest answer."""

    def unfolded(statement: Statement) -> Statement | None:
        return alone_if_near(statement, talk.earlier)

    def change(context: Context, cover: tuple[Node, ...]) -> Iterator[Asked]:
        # several values of an attribute change it to any of them
        cover = tuple(replace(node, kind="trait") if node.kind == "values" else node for node in cover)
        for made in changed(context, cover, talk.before, talk.subjects, unfolded):
            yield _denying(made, talk.before, talk.world)

    told = _told_before(talk.one, talk.before)
    return readings_of(_going_on(_with(told, signs.several)), talk.world, change, most=6)


def _asked_of(talk: _Talk, about: Subject | None, *, of_the_person: bool) -> list[Read]:
    """The readings that ask something of those whom the latest answer was `about`."""
    one, before = talk.one, talk.before
    theirs = of_the_person and tells_the_stays(talk.text.typed)

    def ask(context: Context, cover: tuple[Node, ...]) -> Iterator[Asked]:
        anew = is_one_group(before) and any(node.kind in ("by", "each") for node in one.nodes)
        whose = None if (compares(before) and not of_the_person) or anew else about
        made = of_subject(asked(context, cover), cover, whose, one.words)
        return (replace(each, cost=each.cost - _THEIRS) for each in made) if theirs else made

    return readings_of(_going_on(one), talk.world, ask, most=6)


def _extremes(talk: _Talk) -> list[Read]:
    """The readings of what else is asked of a highest or lowest that was told: they leave no word over."""
    made: list[Read] = []
    alone = alone_if_near(talk.before, talk.earlier)
    for before in (talk.before, *(() if alone is None else (flattened(alone),))):
        if not made:
            made = readings_of(_going_on(talk.one), talk.world, partial(asked_of_extreme, earlier=before), most=2)
    return [replace(read, price=min(read.price, _OF_EXTREME)) for read in made]


def _settled(found: list[Read], talk: _Talk, signs: _Signs) -> list[Read]:
    """The readings as they are meant after the answer before, without those that cannot be."""
    one, before, subjects = talk.one, talk.before, talk.subjects
    if is_predicate(one) and any(RECOUNTED in read.why for read in found):
        found = [read for read in found if RECOUNTED in read.why]
    found = weighed(found, one, before, subjects.get(talk.latest), talk.latest, several=bool(signs.several))
    if signs.listed and lists_names(before) is None:  # the same is asked of another of them
        found = [less_likely(read) if is_name_alone(read.statement) else read for read in found]

    def meant(statement: Statement) -> Statement:
        statement = of_each_stay(told_further(statement, before), tuple(subjects.values()))
        statement = at_that_stay(statement, subjects)
        return counted(statement) if is_count(before) and says_no_more(one.words) else statement

    found = [replace(read, statement=meant(read.statement)) for read in found]
    found = [read for read in found if not is_empty(_spelled_near(read.statement, talk.earlier, talk.world))]
    return [read for read in found if not _lists_stays(read)] if _says_when(one.words) else found


@dataclass(frozen=True)
class _Reading:
    """How some words of a question are read by themselves in its conversation, for what is put together of several."""

    talk: _Talk
    unsaid: bool

    def _text(self, words: str) -> Text:
        return with_capitals(words_read(words), self.talk.text.typed)

    def changing(self, words: str) -> Statement | None:
        """As what goes on from the latest answer."""
        part = self._text(words)
        if _tells_again(lexed(part, self.talk.world), self.talk.before):
            return self.talk.before
        return self._likely(followed(part, self.talk.world, self.talk.earlier, self.talk.latest))

    def asked_of_those(self, words: str, whose: Statement) -> Statement | None:
        """As asked of those of a statement, after it alone."""
        return self._likely(followed(self._text(words), self.talk.world, {1: whose}, 1))

    def asked_again(self, words: str, whose: Statement) -> Statement | None:
        """As asked of those of a statement, after all else."""
        turn = self.talk.latest + 1
        return self._likely(followed(self._text(words), self.talk.world, {**self.talk.earlier, turn: whose}, turn))

    def asked_of_latest(self, words: str) -> Statement | None:
        """As asked of those of the latest answer, which the words point at."""
        earlier, latest = self.talk.earlier, self.talk.latest
        before = counted_among(earlier, latest) if self.unsaid else whole_of_share(earlier[latest])
        made = followed(self._text(words), self.talk.world, {**earlier, latest: before}, latest)
        most = _WHO_OF_THEM if words.startswith("who of them") else _CHANGES
        return self._likely(made, most) if made and not {"points", ACT}.isdisjoint(made[0].why) else None

    def alone(self, words: str) -> Statement | None:
        """With no regard to what was said before."""
        return self._likely(readings(self._text(words), self.talk.world))

    def called(self, words: str) -> Subject | None:
        """As those of an earlier answer, by a noun."""
        talk = self.talk
        part = lexed(self._text(words), talk.world)
        if (group := group_called(part.words, talk.earlier, talk.latest)) is not None:
            return group
        nodes = sorted(described_nodes(part, talk.subjects, talk.earlier), key=lambda node: node.cost)
        whole = [node for node in nodes if node.end == len(part.words) and {*part.words[: node.start]} <= _WHOLE]
        told = next(((node, turn) for node in whole for turn in turns_meant(node.why)), None)
        subject = talk.subjects.get(told[1]) if told is not None else None
        if told is None or subject is None:
            return None
        return replace(subject, of=as_patients(subject.of)) if told[0].kind == "people" else subject

    def apart_from(self, words: str) -> Set | None:
        """As those of one of two answers who are not in the other."""
        part = lexed(self._text(words), self.talk.world)
        made = one_without_other(part, self.talk.before, earlier=self.talk.earlier)
        return rows_about(made) if made is not None else None

    def widened(self, words: str) -> Set | None:
        """As the rows of the latest answer, whatever an attribute of theirs."""
        return whatever_the_field(lexed(self._text(words), self.talk.world), self.talk.before)

    @staticmethod
    def _likely(made: Sequence[Read], most: float = _CHANGES) -> Statement | None:
        return made[0].statement if made and made[0].price < most else None


def _without_no(one: Lexed) -> Lexed:
    """The words of a correction ("no, oral only"), in which "no" denies what was before, and nothing of its own."""
    if one.words[:2] != ("no", ","):
        return one
    return replace(one, nodes=tuple(node for node in one.nodes if node.kind != "negation" or node.start))


def _pro_verbs_first(
    pointing: Sequence[Node], one: Lexed, earlier: Mapping[int, Statement], latest: int, known: Mapping[int, Subject]
) -> list[Node]:
    """The nodes that point back; none within "those who did", which points as a whole."""
    doing_so = [*doing_so_nodes(one.words, earlier, latest)]
    nodes = [*pointing, *one_group_nodes(one, known, earlier)]
    apart = [node for node in nodes if not any(node.start < so.end and so.start < node.end for so in doing_so)]
    return [*apart, *doing_so]


def _tells_again(one: Lexed, before: Statement) -> bool:
    """True for the time that an answer was of, and nothing more: "in 2104"."""
    times = [node for node in one.nodes if node.kind == "window"]
    known = {*walk(before)} if times else set()
    return any({*node.sense} <= known and covers(one, (), [node]) for node in times)


def _told_before(one: Lexed, before: Statement) -> Lexed:
    """The words of a fragment, in which it costs less that a name is a value like the one that records were told by, or
    of the attribute that groups were made by, or one of them was picked by."""
    keys = {key.field for node in walk(before) if isinstance(node, Groups) for key in node.by if isinstance(key, Own)}
    of = rows_about(before)
    records = of.unit if of is not None and of.unit not in UNITS and of.items else ""

    def nearer(node: Node) -> Node:
        if node.kind == "event" and records and node.sense.of.items and node.sense.of.unit == records:
            return replace(node, cost=node.cost - _LIKE_BEFORE)  # "urine?", after what grew in sputum
        if node.kind != "trait":
            return node
        if node.sense.field in keys:
            return replace(node, cost=node.cost - _OF_KEY)
        return replace(node, cost=node.cost - _LIKE_BEFORE) if values_told(before, node.sense) else node

    return replace(one, nodes=tuple(map(nearer, one.nodes)))


def _denying(made: Asked, before: Statement, world: World) -> Asked:
    """What is asked, without what was demanded `before` and is denied now."""
    statement = without_opposites(made.statement, before, lambda part: cast(Condition, spelled_out(part, world)))
    return made if statement == made.statement else replace(made, statement=statement, why=(*made.why, DENIED))


def _spelled_near(statement: Statement, earlier: Mapping[int, Statement], world: World) -> Statement:
    """A statement without concepts, and without the answers that it names where these are near."""
    spelled: Statement = spelled_out(alone_if_near(statement, earlier) or statement, world)
    return spelled


def _of_returned(found: Sequence[Read], returned: Sequence[Read]) -> list[Read]:
    """The readings but those that point elsewhere too, where a question first goes back to some: "back to the asthma
    patients: how many of them died?" is of these, and not of those of the latest answer among them."""
    meant = {turn for read in returned for turn in turns_meant(read.why)}
    figures = max((_figures(read.statement) for read in returned), default=0)
    return [
        read
        for read in found
        if not meant or ({*turns_meant(read.why)} <= meant and _figures(read.statement) <= max(figures, 1))
    ]


def _figures(statement: Statement) -> int:
    """How many figures stand beside each other."""
    return len(statement.columns) if isinstance(statement, Single) else 0


def _keeps_to(read: Read, subjects: Sequence[Subject]) -> bool:
    """True for a reading that points at an earlier answer and is about what that tells of."""
    turns = turns_meant(read.why)
    alone = {TOGETHER, REMAINING, DOING_SO, DENIED, LISTED, NAMED_AGAIN, SAME_TIME}
    return not alone.isdisjoint(read.why) or any(
        is_about(read.statement, one)
        or _person_in(read.statement, one)
        or _stays_in(read.statement, one)
        or _of_what_they_had(read.statement, one)
        or (one.of.where is None and is_of(read.statement, one.unit))
        for one in subjects
        if one.turn in turns
    )


def _person_in(statement: Statement, subject: Subject) -> bool:
    return subject.person is not None and any(part == subject.person.where for part in walk(statement))


def _of_what_they_had(statement: Statement, subject: Subject) -> bool:
    """True where the stays are asked of by which people were told of: "which of the older ones stayed longest" asks of
    the stays at which they were so old."""
    parts = parts_of(subject.of.where) if subject.unit == PATIENT else ()
    told = [*walk(statement)]
    return any(
        isinstance(had, Has)
        and had.of.unit in UNITS
        and any(is_within(one, had.of) for one in told if isinstance(one, Set))
        and all(part in told for part in parts if part != had)
        for had in parts
    )


def _stays_in(statement: Statement, subject: Subject) -> bool:
    return subject.stays is not None and is_about(statement, replace(subject, of=subject.stays))


def asked_of_earlier(text: Text, world: World, earlier: Mapping[int, Statement], latest: int) -> list[Read]:
    """The readings of what a question asks of cohorts, where it points at `earlier` statements, and of what it
    compares."""

    def read(part: Text) -> list[Read]:
        pointing = [one for one in followed(part, world, earlier, latest) if "points" in one.why]
        return pointing or readings(part, world)

    return [*(one for one in tasks(text, world, read, earlier) if "points" in one.why), *compared(text, read)]


def _type_nodes(one: Lexed, before: Statement, world: World) -> Iterator[Node]:
    """ "By type", after a figure of hospital stays: their type."""
    of = rows_about(before)
    known = next((name for name in ("admission type", "visit type") if world.knows(name)), None)
    if of is None or of.unit != HOSPITAL or known is None:
        return
    for at, (by, word) in enumerate(pairwise(one.words), start=1):
        if word == "type" and by in ("by", "per", "which") and one.words[at + 1 : at + 2] != ("of",):
            yield Node("field", Wanted((known,)), at, at + 1, _TYPE)


def _going_on(one: Lexed) -> Lexed:
    """The words of a fragment, in which it costs nothing to pass over those that say that it goes on."""
    fields = [node for node in one.nodes if node.kind == "field"]
    free = OPENERS | _CORRECTING | (WHATEVER if sets_free(one.words, fields) else set())
    prices = (0.0 if word in free else price for word, price in zip(one.words, one.prices, strict=True))
    return replace(one, prices=tuple(prices))


def _going_back(one: Lexed) -> Lexed:
    """The words of a question that names whom it is about by an earlier answer, in which it costs nothing to pass over
    those that say that it goes back to them."""
    free = [0.0 if word in _RETURNING else price for word, price in zip(one.words, one.prices, strict=True)]
    return replace(one, prices=tuple(free))


def _says_when(words: Sequence[str]) -> bool:
    """True for "and on the first admission?": when the same is asked of, and not which stay that was."""
    behind = [word for word in words if word[0].isalnum()]
    behind = behind[behind[:1] in (["and"], ["but"], ["so"]) :]
    return behind[:1] != [] and behind[0] in _WITHIN


def _lists_stays(read: Read) -> bool:
    """True where stays within those of before are told of, and nothing else."""
    of = rows_about(read.statement)
    return SCOPED in read.why and isinstance(read.statement, Rows) and of is not None and of.unit in (HOSPITAL, ICU)


def _with(one: Lexed, pointing: list[Node]) -> Lexed:
    """The words with the nodes that point, which it costs to pass over."""
    prices = list(one.prices)
    for node in pointing:
        for at in range(node.start, node.end):
            prices[at] = max(prices[at], _POINTING / (node.end - node.start))
    return replace(one, nodes=(*one.nodes, *pointing), prices=tuple(prices))
