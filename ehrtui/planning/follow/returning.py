"""Words that return to those of an earlier answer and then ask something of them: "back to the asthma patients: how
many died?", "take the five again, mean age?", "as for the ICU stays over 10 days, which units were they in"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Groups,
    Has,
    Own,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.follow.implied import leaves_unsaid
from ehrtui.planning.follow.offers import alone_if_near, flattened
from ehrtui.planning.follow.pointing import OF_TURN, STAY_NOUNS
from ehrtui.planning.follow.subject import Subject, as_patients, as_stays
from ehrtui.planning.number_words import number_of
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import parts_of
from ehrtui.planning.reader.reader import Read

RETURNED = "returned"
"""What a reading was paid for that asks something of those whom a question first goes back to."""
_OPENING = r"(?:(?:and|so|ok|okay|now|then|well|but|please|let's|lets|let us|i want to|can we)\b[,\s]*)*"
_RETURN = re.compile(
    rf"\W*{_OPENING}(?:(?:(?:go|going|come|coming|get|getting)\s+)?back\s+to|(?:again|once\s+more)\s+for|return(?:ing)?\s+to|as\s+for|take|regarding"
    r"|with\s+regard\s+to)\s+(?P<whom>[^:;,?]+?)(?:(?:\s*[:;,?]|\.|\s+[-–—])\s+(?P<rest>.+))?\W*$"
)
_OF_WHOM = re.compile(
    rf"\W*{_OPENING}(?:(?:for|of|among|in)\s+)?(?P<whom>(?:the|those|these|all)\b[^:;,?]+?)(?:\s+only)?\s*:\s+"
    r"(?P<rest>.+)$"
)
_OF_THEM = re.compile(
    rf"\W*{_OPENING}(?:for|of|among|in|during)\s+(?:all\s+(?:of\s+)?)?(?:those|these|them)"
    r"(?:\s+(?P<noun>[a-z]+))?\s*[,:]\s+(?P<rest>how many .+)$"
)
_WITH_MOST = re.compile(
    r"(?:the )?(?:one|stay|admission|patient|case|person) (?:with|who had|that had|having) (?:the )?"
    r"(?P<end>highest|largest|greatest|biggest|longest|most|lowest|smallest|shortest)(?: [a-z]+){0,2}"
)
_HIGHEST = {"highest", "largest", "greatest", "biggest", "longest", "most"}
_OF_THEM_UNSAID = re.compile(
    r"(?:(?<=\bhow many)|(?<=\bshare)|(?<=\bfraction)|(?<=\bpercentage)|(?<=\bpercent)|(?<=\bproportion))\s+(?!of\b)"
)
"""Where a question does not say of whom its number is."""
_BACK = re.compile(r"\b(?:back|again|once more|return(?:ing)?)\b")
_ALL = {"all", "of", "the", "those", "these", "again", "list", "whole", "entire", "first", "original", "full"}
_EVERYBODY = {("all", noun) for noun in ("stays", "admissions", "patients", "everyone")} | {("everyone",), ("all",)}
_OF_ALL = re.compile(
    rf"\W*{_OPENING}(?:back\s+to\s+|(?:for|across|over|in|of|on)\s+)(?:all\s+(?:of\s+)?)?(?:(?:the|our|this)\s+)?"
    r"(?:(?:whole|entire)\s+(?:house|hospital|database|population|data\s?set|data|institution|place|cohort)"
    r"|everyone|everybody|all\s+(?:the\s+)?(?:patients|admissions|stays)\s+(?:in\s+the\s+(?:house|hospital|database)|there\s+are|we\s+have))"
    r"(?:\s+again)?\s*[:,;–—-]\s*(?P<rest>.+)$"
)
"""Words that ask what follows of all that there are, whoever was spoken of before: "for the whole house: which…"."""
_OVERALL = re.compile(
    r"(?P<rest>\W*(?:\w+\W+){0,4}(?:top|most|commonest|least)\b(?:\W+\w+){1,8}?)\W+(?:overall|hospital[\s-]?wide)\W*$"
)
"""A list of what is commonest of all that there are: "top 5 drugs overall"."""
_MOST_WORDS = 10
_SHORT = 2
_COST, _COST_ASKED, _COST_OF_THEM = 0.15, -0.4, -0.5


@dataclass(frozen=True)
class Returning:
    """How words are read by which a question goes back: as `described` anew, as one of two answers `apart` from the
    other, as the latest rows whatever an attribute of theirs (`widened`), `alone`, and what is `asked` of those of a
    statement."""

    described: Callable[[str], Subject | None]
    apart: Callable[[str], Set | None]
    widened: Callable[[str], Set | None]
    alone: Callable[[str], Statement | None]
    asked: Callable[[str, Statement], Statement | None]


def returning(
    text: str, one: Lexed, earlier: Mapping[int, Statement], subjects: Mapping[int, Subject], read: Returning
) -> Iterator[Read]:
    """The reading of a question that first names those of an earlier answer, and then asks something of them."""
    whom, rest = _parted(text)
    if rest and tuple(whom.split()) in _EVERYBODY and (made := read.alone(rest)) is not None:
        yield Read(made, _COST, (RETURNED,), (), one.places, ())
        return
    found = _named(whom, earlier, subjects, read) if whom else None
    if found is None:
        return
    turn, of = found
    count = Single((Aggregate("count", of),))
    made = (
        (read.asked(rest, count) or read.asked(_OF_THEM_UNSAID.sub(" of them ", rest), count))
        if rest
        else earlier[turn]
    )
    if made is not None:
        cost = _COST_ASKED if rest else _COST
        yield Read(made, cost, ("points", f"{OF_TURN}{turn}", RETURNED), (), one.places, ())


def of_the_latest(text: str, subject: Subject | None, ask: Callable[[str, Statement], Statement | None]) -> Read | None:
    """What is asked of those of the latest answer, whom a question first points at: "in those admissions, how many
    died, and how many had an ICU stay?"."""
    found = _OF_THEM.match(text)
    if found is None or subject is None or not leaves_unsaid(found["rest"]):
        return None
    noun, of = found["noun"] or "", subject.of
    if noun in STAY_NOUNS:
        stays = subject.stays
        of = stays if stays is not None else as_stays(of, ICU if of.unit == ICU or noun.startswith("icu") else HOSPITAL)
    elif noun or of.unit not in UNITS:
        of = as_patients(of)
    made = ask(found["rest"], Single((Aggregate("count", of),)))
    return (
        None
        if made is None
        else Read(made, _COST_OF_THEM, ("points", f"{OF_TURN}{subject.turn}", RETURNED), (), (), ())
    )


def of_everybody(question: str) -> str:
    """A question that says, at first or at last, that it asks of all there are, with that left blank; "" for any
    other."""
    found = _OF_ALL.match(question.lower()) or _OVERALL.match(question.lower())
    return " " * found.start("rest") + question[slice(*found.span("rest"))] if found is not None else ""


def _parted(text: str) -> tuple[str, str]:
    """Whom a question names first, and what it asks then."""
    found = _RETURN.match(text) or _OF_WHOM.match(text)
    if found is None or len(found["whom"].split()) > _MOST_WORDS:
        return "", ""
    rest = found["rest"] or ""
    return ("", "") if not rest and not _BACK.search(found[0]) else (found["whom"], rest)


def _named(
    whom: str, earlier: Mapping[int, Statement], subjects: Mapping[int, Subject], read: Returning
) -> tuple[int, Set] | None:
    """The answer that is gone back to, and its rows."""
    latest = max(subjects, default=0)
    if latest and (of := read.apart(whom) or read.widened(whom)) is not None:
        return latest, of
    short = len(whom.split()) <= _SHORT and whom.split()[0] not in _ALL  # "back to november"
    if (described := read.described(whom) or (read.described(f"the {whom} ones") if short else None)) is not None:
        return described.turn, described.of
    if (ended := _one_with_most(whom, earlier)) is not None:
        return ended
    words = [word for word in whom.split() if word not in _ALL]
    if len(words) == 1 and (number := number_of(words[0])) > 1:
        turn = next((turn for turn in sorted(subjects, reverse=True) if _tells_of(earlier[turn], number)), None)
        return None if turn is None else (turn, subjects[turn].of)
    told = read.alone(" ".join(words)) if words else None
    if told is None and len(words) == 1 and words[0].endswith("s"):
        told = read.alone(f"{words[0][:-1]} patients")  # "the catholics"
    of = rows_about(told) if told is not None else None
    if of is None or of.unit not in UNITS or of.where is None:
        return None
    for turn in sorted(subjects):
        near = alone_if_near(subjects[turn].of, earlier)
        known = flattened(near) if near is not None else None
        if known is not None and known.unit == of.unit and {*parts_of(known.where)} == {*parts_of(of.where)}:
            return turn, subjects[turn].of
    return (latest, of) if latest and whom.split()[0] == "all" else None  # "all admissions of 2105", never told alone


def _one_with_most(whom: str, earlier: Mapping[int, Statement]) -> tuple[int, Set] | None:
    """ "The one with the highest peak", after a list that has a value for each: whose value is at that end."""
    said = _WITH_MOST.fullmatch(whom)
    latest = max(earlier, default=0)
    statement = earlier.get(latest)
    if said is None or not isinstance(statement, Rows) or len(statement.columns) < 2:
        return None
    whose, value = statement.columns[0], statement.columns[-1]
    of, descending = statement.of, said["end"] in _HIGHEST
    if of.unit in UNITS and whose in (Own("id"), Own(PATIENT)):
        return latest, replace(of, pick=Pick(1, value, descending, "all"))
    units = {Own(PATIENT): PATIENT, Own(HOSPITAL): HOSPITAL, Own(ICU): ICU}
    unit = units.get(whose) if isinstance(whose, Own) else None
    if of.unit in UNITS or unit is None or value != Own("value") or of.pick is None:
        return None
    if of.pick.by != value or of.pick.descending != descending:
        return None  # the least of what is highest of each: no end of the records themselves
    return latest, Set(unit, (), Has(replace(of, pick=replace(of.pick, per="all"))))


def _tells_of(statement: Statement, number: int) -> bool:
    """True for a list of the first so many."""
    if not isinstance(statement, Rows | Groups):
        return False
    order = statement.order
    pick = statement.of.pick
    return (order is not None and order.first == number) or (pick is not None and pick.through and pick.nth == number)
