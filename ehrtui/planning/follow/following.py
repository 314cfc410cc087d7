"""Readings of a question in its conversation: what it points at, what it changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import cast

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    UNITS,
    Condition,
    Groups,
    InAnswer,
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
from ehrtui.planning.follow.contrasting import asks_the_same, compares, opens_with_others, tells_figures
from ehrtui.planning.follow.describing import DESCRIBED, described_nodes, lists_again
from ehrtui.planning.follow.doing_so import DOING_SO, doing_so_nodes
from ehrtui.planning.follow.each_one import of_each_stay
from ehrtui.planning.follow.extremes import asked_of_extreme
from ehrtui.planning.follow.groups_told import (
    ONE_OF_GROUPS,
    group_called,
    group_nodes,
    table_group_nodes,
    told_in_groups,
    with_groups,
)
from ehrtui.planning.follow.implied import IMPLIED, of_those_before
from ehrtui.planning.follow.lifting import WHATEVER, sets_free, whatever_the_field
from ehrtui.planning.follow.listed import LISTED, is_name_alone, listed_nodes, lists_names
from ehrtui.planning.follow.naming import (
    NAMED_AGAIN,
    named_again_nodes,
    of_others,
    others_said,
    without_other,
    without_places,
)
from ehrtui.planning.follow.narrowing import DENIED, is_empty, told_further, without_opposites
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.one_group import one_group_nodes
from ehrtui.planning.follow.one_of_stays import ONE_OF_STAYS, one_of_stays_nodes
from ehrtui.planning.follow.one_person import is_about_person, once_told, says_nobody, tells_the_stays, without_whose
from ehrtui.planning.follow.one_without_other import one_without_other
from ehrtui.planning.follow.pointing import OF_TURN, SHARES, STAY_NOUNS, is_whole, parts_groups, pointing_nodes
from ehrtui.planning.follow.present_stay import present_of_one, tells_records_alone
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
    one_stay_in,
    person_in,
    subject_of,
)
from ehrtui.planning.follow.together import TOGETHER, in_common, says_no_more, together_nodes
from ehrtui.planning.offline.words import Text
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
_TELLING = {"event", "trait", "dead", "superlative", "most", "function"}
_THAT = {"that", "this", "it", "those", "these"}
_ALL_THAT = _THAT | {"they", "them"}
_BEING = {"is", "are", "was", "were", "make"}
_VERBS = {"is", "was", "were", "are", "did", "does", "do", "has", "have", "had", "can", "could"}
_WHOLE = {"all", "of", "the", "list", "those", "these", "whole", "to", "entire", "full", "again", "group", "set"}
"""Words that say nothing more of those whom a noun describes."""
_SHORT = 5
"""Words that a question has which is none of its own."""
_OPENERS = {"and", "what", "how", "only", "just", "same", "now", "but", "then", "so", "ok", "or", "instead", "no",
            "as", "compare", "compared"}  # fmt: skip
_CORRECTING = {"sorry", "actually", "meant", "restrict", "limit", "limits", "narrow", "keep", "filter", "change",
               "raise", "raised", "use", "repeat", "redo", "switch"}  # fmt: skip
"""Words that say that something is changed, and not what."""
_RETURNING = {"back", "go", "going", "return", "returning", "again", "coming", "take", "now"}
_WHOSE = {"people", "patient", "by", "each"}
_OF_WHOM = {"people", "patient", "event", "by", "each", "pick"}
"""Kinds of nodes that say of whom, or of what, a figure is."""
_WHICH_STAY = {"first", "last", "latest", "second", "current", "previous", "final"}
_KEEPING = {"only", "just"}
_LISTS = {"which", "list", "show", "ids"}
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
_OTHER_ROWS = 2.0
"""What it costs to tell of other rows than those in which something is asked to have been."""
_LISTED = 0.8
"""What it costs to list those of whom "only those" is said, where they were counted."""


def followed(
    text: Text, world: World, earlier: Mapping[int, Statement], latest: int, *, unsaid: bool = False
) -> list[Read]:
    """The readings of a question that lean on `earlier` statements, by turn, the `latest` where nothing says which; the
    cheapest first; `unsaid` where the latest question did not say of whom it was. None of them stands alone: a question
    that points at nothing, changes nothing and says of whom it is has none."""
    subjects = {
        turn: subject for turn, statement in earlier.items() if (subject := subject_of(turn, statement)) is not None
    }
    one = _without_no(without_places(lexed(text, world)))
    if latest in subjects and (group := group_behind(earlier[latest], one.words)) is not None:
        subjects[latest] = Subject(latest, group)
    others = others_said(one, earlier, latest, world)
    one = one if others is None else without_other(one, others)
    again = named_again_nodes(one, earlier, latest)
    listed = listed_nodes(one, earlier, latest)
    then = [*same_time_nodes(one.words, earlier, latest)]
    one = replace(one, nodes=(*one.nodes, *_type_nodes(one, earlier[latest], world)))
    one = replace(one, nodes=(*one.nodes, *again, *listed, *then))
    known = {turn: subject for turn, subject in subjects.items() if turn <= latest}
    apart = with_groups(known, earlier)
    several = [] if lists_names(earlier[latest]) else together_nodes(one.words, apart)
    common = in_common(apart) if several else None
    described = described_nodes(one, subjects, earlier)
    placed = [*one_of_stays_nodes(one.words, subjects.get(latest), earlier), *group_nodes(one, earlier, latest)]
    placed += table_group_nodes(_told_before(one, earlier[latest]), earlier, latest)
    pointing = [*pointing_nodes(one, subjects, latest, common), *several, *described, *placed]
    pointing = _pro_verbs_first([*pointing, *remaining_nodes(one.words, earlier, latest)], one, earlier, latest, known)

    def asked_of(context: Context, cover: tuple[Node, ...]) -> Iterator[Asked]:
        for made in asked(context, cover):
            yield _denying(made if others is None else of_others(made, others), earlier[latest], world)

    found: list[Read] = []
    if pointing or listed or again or then:
        said = _going_back(one) if described else one
        found += [
            read
            for read in readings_of(_with(said, pointing), world, asked_of)
            if _keeps_to(read, [*subjects.values(), *told_in_groups(earlier)])
            and not lists_again(read.statement, read.why, one.words)
        ]
    about = subject_of(latest, whole_of_share(earlier[latest]))
    of_their_stay = about is not None and about.person is not None and names_their_stay(one)
    of_their_stay = of_their_stay or (about is not None and about.unit in (HOSPITAL, ICU) and asks_figure(one))
    of_their_stay = of_their_stay or (not is_fragment(one) and ranks_records(one))
    stay = one_stay_in(earlier[latest])
    if stay is not None and not is_whole(text.typed) and not any(node.kind in _WHOSE for node in one.nodes):
        about, of_their_stay = Subject(latest, stay), True
    of_the_person = is_about_person(earlier[latest], latest) and says_nobody(text.typed, one)
    changes = not of_their_stay and is_fragment(one)
    if not of_their_stay and tells_records_alone(one) and not is_whole(text.typed):
        there = present_of_one(earlier, latest)
        about, of_their_stay = (about, of_their_stay) if there is None else (there, True)
    if changes or of_their_stay or of_the_person:

        def unfolded(statement: Statement) -> Statement | None:
            return alone_if_near(statement, earlier)

        def change(context: Context, cover: tuple[Node, ...]) -> Iterator[Asked]:
            for made in changed(context, cover, earlier[latest], subjects, unfolded):
                yield _denying(made, earlier[latest], world)

        def ask(context: Context, cover: tuple[Node, ...]) -> Iterator[Asked]:
            anew = is_one_group(earlier[latest]) and any(node.kind in ("by", "each") for node in one.nodes)
            whose = None if (compares(earlier[latest]) and not of_the_person) or anew else about
            made = of_subject(asked(context, cover), cover, whose, one.words)
            if not of_the_person or not tells_the_stays(text.typed):
                return made
            return (replace(each, cost=each.cost - _THEIRS) for each in made)

        told = _told_before(one, earlier[latest])
        found += readings_of(_going_on(_with(told, several)), world, change, most=6) if changes else []
        found += readings_of(_going_on(one), world, ask, most=6)
        found = [replace(read, statement=without_whose(read.statement)) for read in found] if of_the_person else found
    extremes = readings_of(_going_on(one), world, partial(asked_of_extreme, earlier=earlier[latest]), most=2)
    found += [replace(read, price=min(read.price, _OF_EXTREME)) for read in extremes]  # it leaves no word over
    if is_predicate(one) and any(RECOUNTED in read.why for read in found):
        found = [read for read in found if RECOUNTED in read.why]
    found = _weighed(found, one, earlier[latest], subjects.get(latest), latest, several=bool(several))
    if listed and lists_names(earlier[latest]) is None:  # the same is asked of another of them
        found = [_less_likely(read) if is_name_alone(read.statement) else read for read in found]
    found = [replace(read, statement=told_further(read.statement, earlier[latest])) for read in found]
    found = [replace(read, statement=of_each_stay(read.statement, tuple(subjects.values()))) for read in found]
    found = [replace(read, statement=at_that_stay(read.statement, subjects)) for read in found]
    if is_count(earlier[latest]) and says_no_more(one.words):
        found = [replace(read, statement=counted(read.statement)) for read in found]
    found = [read for read in found if not is_empty(_spelled_near(read.statement, earlier, world))]
    if _says_when(one.words):
        found = [read for read in found if not _lists_stays(read)]

    def changing(words: str) -> Statement | None:
        part = words_read(words)
        if _tells_again(lexed(part, world), earlier[latest]):
            return earlier[latest]
        made = followed(part, world, earlier, latest)
        return made[0].statement if made and made[0].price < _CHANGES else None

    def asked_of_those(words: str, whose: Statement) -> Statement | None:
        made = followed(words_read(words), world, {1: whose}, 1)
        return made[0].statement if made and made[0].price < _CHANGES else None

    def asked_of_latest(words: str) -> Statement | None:
        before = counted_among(earlier, latest) if unsaid else whole_of_share(earlier[latest])
        whole = {**earlier, latest: before}
        made = followed(words_read(words), world, whole, latest)
        most = _WHO_OF_THEM if words.startswith("who of them") else _CHANGES
        told = bool(made) and made[0].price < most and not {"points", ACT}.isdisjoint(made[0].why)
        return made[0].statement if told else None

    def alone(words: str) -> Statement | None:
        made = readings(words_read(words), world)
        return made[0].statement if made and made[0].price < _CHANGES else None

    def called(words: str) -> Subject | None:
        part = lexed(words_read(words), world)
        if (group := group_called(part.words, earlier, latest)) is not None:
            return group
        nodes = sorted(described_nodes(part, subjects, earlier), key=lambda node: node.cost)
        whole = [node for node in nodes if node.end == len(part.words) and {*part.words[: node.start]} <= _WHOLE]
        told = next(((node, turn) for node in whole for turn in _turns_meant(node.why)), None)
        subject = subjects.get(told[1]) if told is not None else None
        if told is None or subject is None:
            return None
        return replace(subject, of=as_patients(subject.of)) if told[0].kind == "people" else subject

    def apart_from(words: str) -> Set | None:
        made = one_without_other(lexed(words_read(words), world), earlier[latest], earlier=earlier)
        return rows_about(made) if made is not None else None

    def widened(words: str) -> Set | None:
        return whatever_the_field(lexed(words_read(words), world), earlier[latest])

    called_again = bool(described) and not SHARES.isdisjoint(one.words)  # "what share of the gout patients is that?"
    found += () if called_again else acts(one, world, earlier, latest, Readers(changing, asked_of_those, alone))

    def asked_again(words: str, whose: Statement) -> Statement | None:
        made = followed(words_read(words), world, {**earlier, latest + 1: whose}, latest + 1)
        return made[0].statement if made and made[0].price < _CHANGES else None

    returned = [
        *returning(text.lower, one, earlier, subjects, Returning(called, apart_from, widened, alone, asked_again))
    ]
    found = [*_of_returned(found, returned), *returned]
    if (them := of_the_latest(text.lower, subjects.get(latest), asked_again)) is not None:
        found.append(replace(them, places=one.places))
    several_whom = about is not None and about.of.where is not None and about.person is None
    if several_whom and (made := of_those_before(one, asked_of_latest)) is not None:
        found.append(Read(made, _UNSAID, ("points", f"{OF_TURN}{latest}", IMPLIED), (), one.places, ()))
    found = [replace(read, statement=once_told(read.statement)) for read in found]
    return sorted(found, key=lambda read: read.price)


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


def _weighed(
    found: Sequence[Read], one: Lexed, before: Statement, subject: Subject | None, latest: int, *, several: bool
) -> list[Read]:
    """The readings, those less likely that tell other rows, or whose, than the words after the answer before ask."""
    keeps = bool(_KEEPING & {*one.words[:2]}) or (_of_others(one.words) and not several)
    of_rows = asks_the_same(one.words)
    same = _of_others(one.words) or "same" in one.words[:3] or one.words[:1] in (("in",), ("during",))
    if same:  # "and in the last one?": the same of it, and not which it is
        found = [read for read in found if not (ONE_OF_STAYS in read.why and _lists_ids(read.statement))]
    keeping = bool(_KEEPING & {*one.words[:1]}) and not {"those", "these", "ones", "them"}.isdisjoint(one.words[1:3])
    unit = None
    if subject is not None and _in_which_of_them(one.words):
        called = subject.stays is not None and not STAY_NOUNS.isdisjoint(one.words[:8])
        unit = subject.stays.unit if called and subject.stays is not None else subject.unit

    def weighed(read: Read) -> Read:
        lists_rows, lists_people = isinstance(read.statement, Rows), _lists_people(read)
        if (keeps and isinstance(before, Single | Groups)) or (of_rows and isinstance(before, Single | Groups)):
            dearer = _OTHER_ROWS if same and isinstance(before, Single) else _LISTED
            read = replace(read, price=read.price + dearer) if lists_rows else read
        elif of_rows and tells_figures(before):
            read = _less_likely(read) if lists_people else read
        other = unit is not None and not _is_of(read.statement, unit)
        ungrouped = parts_groups(one.words) and not isinstance(read.statement, Groups)
        of_one = not {DESCRIBED, ONE_OF_GROUPS}.isdisjoint(read.why)
        of_both = compares(before) and f"{OF_TURN}{latest}" in read.why and not of_one  # "they" are those of both
        others = keeping and _tells_of_others(read.statement, before)
        widened = ONE_OF_STAYS in read.why and _is_of_all_stays(read.statement)
        records = (_asks_which(one) or _names_theirs(one)) and lists_people
        dearer = _OTHER_ROWS * (other + of_both + ungrouped + others + widened + records)
        return replace(read, price=read.price + dearer) if dearer else read

    return [weighed(read) for read in found]


def _is_of_all_stays(statement: Statement) -> bool:
    """True for what is told of all stays of a patient, of whom but one was meant."""
    of = rows_about(statement)
    return of is not None and of.unit in (HOSPITAL, ICU) and of.pick is None and person_in(of) is not None


def _tells_of_others(statement: Statement, before: Statement) -> bool:
    """True for a reading of "only those who got it in 2104" that keeps nothing of what those `before` were told by."""
    of = rows_about(before)
    told = {*parts_of(of.where)} if of is not None else set()
    if of is None or len(told) < 2 or any(isinstance(node, InAnswer) for node in walk(statement)):
        return False
    sets = (node for node in walk(statement) if isinstance(node, Set) and node.unit == of.unit)
    return all(told.isdisjoint(parts_of(one.where)) for one in sets)


def _of_others(words: Sequence[str]) -> bool:
    """True for "and of the emergency ones?": the same is asked of others."""
    said = words[1:2] if words[:1] == ("and",) else words[:1] if opens_with_others(words) else ()
    return not {"of", "among", "for", "in", "on", "during"}.isdisjoint(said) and _LISTS.isdisjoint(words)


def _asks_which(one: Lexed) -> bool:
    """True for "which antibiotics did they get": records are asked for, and not whose they are."""
    event = any(node.kind == "event" and node.start == 1 for node in one.nodes)
    return one.words[:1] in (("which",), ("what",)) and event and not {"did", "do", "were", "are"}.isdisjoint(one.words)


def _names_theirs(one: Lexed) -> bool:
    """True for "their kidney diagnoses", "and their drugs in that stay": records of theirs, and not who had such."""
    at = 1 if one.words[:1] in (("and",), ("so",)) else 0
    if one.words[at : at + 1] not in (("their",), ("his",), ("her",)) or not _VERBS.isdisjoint(one.words):
        return False
    return any(node.kind == "event" and node.start <= at + 3 for node in one.nodes)


def _lists_people(read: Read) -> bool:
    return _lists_ids(read.statement)


def _lists_ids(statement: Statement) -> bool:
    return isinstance(statement, Rows) and statement.of.unit in UNITS and statement.columns == (Own("id"),)


def _tells_again(one: Lexed, before: Statement) -> bool:
    """True for the time that an answer was of, and nothing more: "in 2104"."""
    times = [node for node in one.nodes if node.kind == "window"]
    known = {*walk(before)} if times else set()
    return any({*node.sense} <= known and covers(one, (), [node]) for node in times)


def _in_which_of_them(words: Sequence[str]) -> bool:
    """True for "in which of them", "and in how many of those": the same rows are meant, not the patients' others."""
    at = next((at for at, word in enumerate(words[:3]) if word in ("in", "during")), None)
    if at is None:
        return False
    behind = words[at + 1 : at + 5]
    of = behind.index("of") if "of" in behind else -1
    return of > 0 and behind[0] in ("which", "how", "what") and not _ALL_THAT.isdisjoint(behind[of + 1 : of + 2])


def _is_of(statement: Statement, unit: str) -> bool:
    of = rows_about(statement)
    return of is not None and of.unit == unit


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


def _turns_meant(why: Sequence[str]) -> list[int]:
    """The turns that a reading, or a part of one, points at."""
    return [int(name.removeprefix(OF_TURN)) for name in why if name.startswith(OF_TURN)]


def _of_returned(found: Sequence[Read], returned: Sequence[Read]) -> list[Read]:
    """The readings but those that point elsewhere too, where a question first goes back to some: "back to the asthma
    patients: how many of them died?" is of these, and not of those of the latest answer among them."""
    meant = {turn for read in returned for turn in _turns_meant(read.why)}
    figures = max((_figures(read.statement) for read in returned), default=0)
    return [
        read
        for read in found
        if not meant or ({*_turns_meant(read.why)} <= meant and _figures(read.statement) <= max(figures, 1))
    ]


def _figures(statement: Statement) -> int:
    """How many figures stand beside each other."""
    return len(statement.columns) if isinstance(statement, Single) else 0


def _less_likely(read: Read) -> Read:
    return replace(read, price=read.price + _LISTED)


def _keeps_to(read: Read, subjects: Sequence[Subject]) -> bool:
    """True for a reading that points at an earlier answer and is about what that tells of."""
    turns = [int(name.removeprefix(OF_TURN)) for name in read.why if name.startswith(OF_TURN)]
    alone = {TOGETHER, REMAINING, DOING_SO, DENIED, LISTED, NAMED_AGAIN, SAME_TIME}
    return not alone.isdisjoint(read.why) or any(
        is_about(read.statement, one)
        or _person_in(read.statement, one)
        or _stays_in(read.statement, one)
        or (one.of.where is None and _is_of(read.statement, one.unit))
        for one in subjects
        if one.turn in turns
    )


def _person_in(statement: Statement, subject: Subject) -> bool:
    return subject.person is not None and any(part == subject.person.where for part in walk(statement))


def _stays_in(statement: Statement, subject: Subject) -> bool:
    return subject.stays is not None and is_about(statement, replace(subject, of=subject.stays))


def asked_of_earlier(text: Text, world: World, earlier: Mapping[int, Statement], latest: int) -> list[Read]:
    """The readings of what a question asks of cohorts, where it points at `earlier` statements, and of what it
    compares."""

    def read(part: Text) -> list[Read]:
        pointing = [one for one in followed(part, world, earlier, latest) if "points" in one.why]
        return pointing or readings(part, world)

    return [*(one for one in tasks(text, world, read, earlier) if "points" in one.why), *compared(text, read)]


def is_predicate(one: Lexed) -> bool:
    """True for a question that ends in "is that", "are those": it asks for the same rows as something else."""
    words = [word for word in one.words if word[0].isalnum()]
    return set(words[-2:]) <= _BEING | _ALL_THAT and not _BEING.isdisjoint(words[-2:])


def names_their_stay(one: Lexed) -> bool:
    """True for words that name one stay of a patient, and no patient: "results of the last admission"."""
    if any(node.kind in ("people", "patient") for node in one.nodes):
        return False
    return any(
        before == "the" and word in _WHICH_STAY and behind in STAY_NOUNS and behind[-1] != "s"
        for before, word, behind in zip(one.words, one.words[1:], one.words[2:], strict=False)
    )


def asks_figure(one: Lexed) -> bool:
    """True for a sentence that asks for a number over values and says neither whose nor of which records: "what was the
    mean length of stay?"."""
    words = [word for word in one.words if word[0].isalnum() and word not in _OPENERS - {"what"}]
    asks = words[:1] == ["what"] and words[1:2] != [] and words[1] in _BEING
    fields = {(node.start, node.end) for node in one.nodes if node.kind == "field"}
    kinds = {node.kind for node in one.nodes if node.kind == "field" or (node.start, node.end) not in fields}
    return (asks or words[:1] == ["what's"]) and "function" in kinds and kinds.isdisjoint(_OF_WHOM)


def ranks_records(one: Lexed) -> bool:
    """True for a few words that rank records and say nothing of whose: "most common organisms", "drugs, top 4"."""
    kinds = {node.kind for node in one.nodes}
    words = [word for word in one.words if word[0].isalnum()]
    asks = words[:1] == ["which"] or _VERBS.isdisjoint(words)
    return len(words) <= _SHORT + 1 and asks and "most" in kinds and kinds.isdisjoint(_WHOSE | {"stays", "window"})


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
    free = _OPENERS | _CORRECTING | (WHATEVER if sets_free(one.words, fields) else set())
    prices = (0.0 if word in free else price for word, price in zip(one.words, one.prices, strict=True))
    return replace(one, prices=tuple(prices))


def _going_back(one: Lexed) -> Lexed:
    """The words of a question that names whom it is about by an earlier answer, in which it costs nothing to pass over
    those that say that it goes back to them."""
    free = [0.0 if word in _RETURNING else price for word, price in zip(one.words, one.prices, strict=True)]
    return replace(one, prices=tuple(free))


def _says_more(kinds: set[str]) -> bool:
    """True where a few words name records, or limit them."""
    return bool(kinds & {"event", "function", "superlative", "most", "limit", "window"})


def _says_when(words: Sequence[str]) -> bool:
    """True for "and on the first admission?": when the same is asked of, and not which stay that was."""
    behind = [word for word in words if word[0].isalnum()]
    behind = behind[behind[:1] in (["and"], ["but"], ["so"]) :]
    return behind[:1] != [] and behind[0] in _WITHIN


def _lists_stays(read: Read) -> bool:
    """True where stays within those of before are told of, and nothing else."""
    of = rows_about(read.statement)
    return SCOPED in read.why and isinstance(read.statement, Rows) and of is not None and of.unit in (HOSPITAL, ICU)


def is_fragment(one: Lexed) -> bool:
    """True for words that are no whole question: a few, or opened by one that goes on ("and", "what about")."""
    words = [word for word in one.words if word[0].isalnum()]
    kinds = {node.kind for node in one.nodes}
    if kinds & {"share", "count"} and not kinds & _TELLING and _THAT & {*words}:
        return len(words) <= 10  # "what share is that of all stays", "how many stays is it"
    if "share" in kinds and not kinds & (_TELLING - {"function"}) and "of" in words and len(words) <= _SHORT + 1:
        return True  # "what percentage of all patients"
    asked = words[:1] in (["what"], ["how"]) and words[1:2] != ["about"]
    opened = parts_groups(words) or "instead" in words[1:-1] or (bool(words) and words[0] in _OPENERS and not asked)
    asks = bool(kinds & {"count", "share", "most", "superlative"})
    if "growth" in kinds and not kinds & {"event", "people", "stays", "trait", "window"} and len(words) <= _SHORT:
        return True  # "how many were positive"
    if (
        len(words) <= _SHORT
        and (
            {"count", "stays"} <= kinds
            or ({"count", "people"} <= kinds and "there" not in words)
            or {"share", "dead"} <= kinds
        )
        and not _says_more(kinds)
    ):
        return True  # "in how many admissions", "death rate"
    if not kinds & {"event", "people", "stays", "trait"} and len(words) <= 3:
        asks = False  # "top 3"
    verb = next((word for word in words if word not in _OPENERS), "") in _VERBS
    people = any(word in ("who", "which", "list", "show") for word in words)
    return not verb and ((opened and len(words) <= 10) or (len(words) <= 5 and not asks and not people))


def _with(one: Lexed, pointing: list[Node]) -> Lexed:
    """The words with the nodes that point, which it costs to pass over."""
    prices = list(one.prices)
    for node in pointing:
        for at in range(node.start, node.end):
            prices[at] = max(prices[at], _POINTING / (node.end - node.start))
    return replace(one, nodes=(*one.nodes, *pointing), prices=tuple(prices))
