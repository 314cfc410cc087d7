"""Whether records can answer a question at all: what kind of question they cannot, and which words say so.

A question is refused whatever was understood of it where it contradicts itself, asks for something to be done, or names
a time outside the records. One that was not understood is refused for the kind of thing that its words ask for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from ehrtui.errors import LogicError
from ehrtui.logic import instants
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.model import Calendar, Combined, Elapsed, Has, Logic, Ordered, Query, StayCost, Window
from ehrtui.logic.nodes import walk
from ehrtui.logic.parse import parse
from ehrtui.logic.render import render_window
from ehrtui.planning.proposal import Proposal, Refusal, RefusalKind
from ehrtui.planning.reader.lexicon import phrases
from ehrtui.planning.reader.numbers import number
from ehrtui.planning.refuse.fields import missing
from ehrtui.planning.refuse.refusal import refusal
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import ValueIndex

_FILE = Path(__file__).with_name("answerability.toml")
_AND_ALSO = (
    r"\b(?:\s*,?\s*(?:years?|yrs?|old|of\s+age|and|but|yet|also|at\s+the\s+same\s+time|who|that|are|were|is|was|aged?)\b)*"
    r"\s*,?\s*\b"
)
_BETWEEN_AGES = re.compile(
    rf"\b(?:over|above|older\s+than)\s+(?P<over>\d{{1,3}}){_AND_ALSO}(?:under|below|younger\s+than)\s+(?P<under>\d{{1,3}})\b"
    rf"|\b(?:under|below|younger\s+than)\s+(?P<low>\d{{1,3}}){_AND_ALSO}(?:over|above|older\s+than)\s+(?P<high>\d{{1,3}})\b"
)
_WOMEN, _MEN = r"(?:women|woman|females?)", r"(?:men|man|males?)"
_BOTH_SEXES = re.compile(
    rf"\b{_WOMEN}\b(?P<women>[^,]*?)\b{_MEN}\b|\b{_MEN}\b(?P<men>[^,]*?)\b{_WOMEN}\b",
)
_APART = re.compile(r"\b(?:and|or|than|vs|versus|to|with|from|between)\b|/")
_MISSING_NAME = re.compile(
    r"\b(?:diagnosed\s+with|prescribed|with|on|had|has|have|having|got|get|given|received|took|taking|taken|undergo|"
    r"underwent|undergone|first|last|latest|most\s+recent|highest|lowest|maximum|minimum|average|mean|after|before|"
    r"ever)\s+(?:an?\s+|any\s+|the\s+)?$"
)
_MEASURED = re.compile(
    r"^\s*(?:\w+\s+)?(?:levels?|values?|tests?|measured|measurements?|results?|readings?|dose|drawn)\b"
)
_SCHEMA_WORD = re.compile(r"\w+")
_OF = re.compile(r"\s+of\s+(?:the\s+|an?\s+)?")
_UNDERWENT = re.compile(r"\b(?:underwent|underg\w+|receiv(?:e|ed|es|ing)|perform\w*|treatments?|procedures?|therapy)\b")
_NO_NAME = re.compile(r"\bthe\s+$|\b(?:which|what|who)\s+$")
_ASKING = {"share", "function", "count", "list", "ask", "most", "superlative", "by", "distinct"}
_SAYS_LITTLE = ("verb", "weak verb", "role", "want", "field", "count", "people")
_MEASURES_OF_DEATH = {
    r"mortality.*|death\s+rates?|surviv\w+.*": "“{}” is counted over a time after a diagnosis: say over how many "
    "years or months, as in “the 1-year mortality of sepsis”, or ask how many of such patients died.",
    r"(?:in|at)\b.*hospital": "The records say when a patient died, and not whether it was “{}”. Ask for the discharge "
    "location of stays, or how many patients died.",
}
_SENTENCES: Mapping[RefusalKind, str] = {
    "administrative": "“{}” asks for something to be done or arranged; ehrtui only reads the records.",
    "advice": "“{}” asks for advice. The records say what was done, not what ought to be done.",
    "plan": "“{}” asks for plans. The records say what was done until {last}, not what is planned.",
    "future": "“{}” asks for what has not happened yet; the records end on {last}.",
    "opinion": "“{}” asks for a judgement or a reason. The records say what was done, not why or how well.",
    "ambiguous": "“{}” does not say what is asked, or of which records.",
}

NEVER_KEPT: frozenset[RefusalKind] = frozenset({"future", "advice", "opinion"})
"""What is asked for that no records hold, whatever was asked before."""


@dataclass(frozen=True)
class Extent:
    """The first and the last day of the records, as "YYYY-MM-DD"; `first` is "" where nothing says it."""

    first: str
    last: str

    def begin_of(self, window: Window) -> str:
        """The day before which a window holds nothing that could be meant. A time that counts back from the database
        now ("last year") may reach before the records by as much as they are long: nothing was there then."""
        if isinstance(window.when, Calendar):
            return self.first
        first, last = date.fromisoformat(self.first), date.fromisoformat(self.last)
        return (first - min(last - first, first - date.min)).isoformat()


@dataclass(frozen=True)
class Column:
    """A kind of information that people ask for: its `words`, the fields or roles that are `near`, and the `sentence`
    that declines it ("" for the usual one)."""

    words: re.Pattern[str]
    near: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class Cues:
    """What tells of a question that was not understood why it was not: `words` those of the kinds; `columns` are kinds
    of information that nothing keeps, `common` words that name nothing by themselves; `real` are the words of the
    kinds, which no slip of the keyboard has made."""

    words: Mapping[RefusalKind, re.Pattern[str]]
    columns: tuple[Column, ...]
    common: frozenset[str]
    real: frozenset[str]


@cache
def cues() -> Cues:
    """The cues; read once."""
    data: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    kinds = data["kinds"]
    columns = tuple(
        Column(_any_of(column["words"]), tuple(column["near"]), column.get("sentence", ""))
        for column in data["columns"]
    )
    return Cues(
        {kind: _any_of(found["words"], found.get("loose", ())) for kind, found in kinds.items()},
        columns,
        frozenset(data["common"]["words"]),
        frozenset(word for found in (*kinds.values(), *data["columns"], data["real"]) for word in found["words"]),
    )


def _any_of(phrases: Sequence[str], shapes: Sequence[str] = ()) -> re.Pattern[str]:
    spelled = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in sorted(phrases, key=len, reverse=True))
    return re.compile("|".join([rf"\b(?:{spelled})\b", *shapes]))


def refusal_of(
    proposal: Proposal, profile: Profile, schema: Schema, extent: Extent, index: ValueIndex
) -> Refusal | None:
    """Why the records cannot answer the question; None where nothing says so. `instead` is left empty."""
    lower = proposal.question.lower()
    found = (
        _contradiction(proposal, lower, extent)
        or _unmeasured(proposal)
        or _never_kept(proposal, refusal(proposal.question, profile, schema, index, extent.last))
        or _out_of_span(proposal, extent)
        or _class_of_drugs(proposal)
    )
    if found is not None or not proposal.reason:
        return found
    return (
        _kind_of_words(proposal, lower, extent)
        or _only_in_sql(proposal, lower, schema)
        or _not_kept(proposal, lower, profile)
        or proposal.refusal
        or _missing_name(proposal, lower, profile)
    )


def _never_kept(proposal: Proposal, why: Refusal | None) -> Refusal | None:
    """Why the words of a question cannot be answered; where an earlier question was changed, only what no record says:
    "change the year to 2104" asks for no more than that, and "will he survive?" does."""
    continued = not proposal.reason and any(doubt.kind == "continued" for doubt in proposal.doubts)
    return why if why is None or not continued or why.kind in NEVER_KEPT else None


def first_day(profile: Profile, read: Callable[[str], list[tuple[Any, ...]]]) -> str:
    """The day on which the first stay begins, as "YYYY-MM-DD"; "" where the profile has no stays, or none begins."""
    stays = [(stay.start, profile.relation(stay.table)) for stay in profile.stays.values()]
    found = [str(read(f"SELECT MIN({start}) FROM {table}")[0][0])[:10] for start, table in stays]
    return min((day for day in found if _is_day(day)), default="")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def windows_of(logic: str | None) -> tuple[Window, ...]:
    """All time windows of query logic, of conditions too; none where it cannot be read."""
    if not logic:
        return ()
    try:
        return tuple(dict.fromkeys(_windows(parse(logic))))
    except LogicError:
        return _windows_of_statement(logic)


def _windows_of_statement(logic: str) -> tuple[Window, ...]:
    try:
        statement = parse_statement(logic)
    except LogicError:
        return ()
    return tuple(dict.fromkeys(part for part in walk(statement) if isinstance(part, Window)))


def bounds(window: Window, now: str) -> tuple[str, str]:
    """The first day that the window holds and the first that it no longer does; "" for an open end."""
    low = high = ""
    for sign, instant in instants.conditions(window, now):
        if sign.startswith(">"):
            low = instant
        else:
            high = instant
    return low, high


def _windows_asked(proposal: Proposal) -> tuple[Window, ...]:
    times = any(link.kind == "time" for link in proposal.links)
    return windows_of(proposal.logic) if times else ()


def _windows(logic: Logic) -> Iterator[Window]:
    match logic:
        case Query():
            yield from logic.windows
            events = [*logic.patients.conditions, *([logic.after.event] if logic.after else [])]
            yield from (window for event in events for window in _windows_of_event(event))
        case Combined():
            yield from (
                window for side in (logic.left, logic.right) if isinstance(side, Query) for window in _windows(side)
            )
        case Elapsed():
            yield from _windows(logic.query)
        case Ordered() if isinstance(logic.of, Query):
            yield from _windows(logic.of)
        case StayCost():
            yield from logic.windows


def _windows_of_event(event: Has) -> Iterator[Window]:
    yield from event.windows
    if event.after is not None:
        yield from _windows_of_event(event.after.event)


def _contradiction(proposal: Proposal, lower: str, extent: Extent) -> Refusal | None:
    if match := _BETWEEN_AGES.search(lower):
        low, high = int(match["over"] or match["high"]), int(match["under"] or match["low"])
        if low >= high:
            return _cannot_be(f"nobody is over {low} and under {high}", match[0])
    if (match := _BOTH_SEXES.search(lower)) and not _APART.search(match["women"] or match["men"] or ""):
        return _cannot_be("a patient is stored as one or the other", match[0])
    windows = _windows_asked(proposal)
    latest = min((_bounds(one, extent)[1] for one in windows if one.relation in ("until", "before")), default="")
    begun = [one for one in windows if one.relation in ("since", "after") or isinstance(one.when, Calendar)]
    earliest = max((_bounds(one, extent)[0] for one in begun), default="")
    if latest and earliest >= latest:
        said = [link.text.strip() for link in proposal.links if link.kind == "time"]
        return _cannot_be(f"no time is both from {earliest[:10]} on and before {latest[:10]}", *said)
    return None


def _unmeasured(proposal: Proposal) -> Refusal | None:
    """What was said of death and found no place in the reading, though the records have something like it."""
    for doubt in proposal.doubts:
        for pattern, sentence in _MEASURES_OF_DEATH.items():
            if doubt.kind == "unused" and re.fullmatch(pattern, doubt.about.lower()):
                return Refusal("ambiguous", sentence.format(doubt.about), (doubt.about.lower(),))
    return None


def _cannot_be(why: str, *words: str) -> Refusal:
    quoted = "” and “".join(words)
    return Refusal("contradiction", f"“{quoted}” cannot be: {why}.", words)


def _kind_of_words(proposal: Proposal, lower: str, extent: Extent) -> Refusal | None:
    for kind, words in cues().words.items():
        for match in words.finditer(lower):
            if not _is_linked(proposal, match.start()):  # "left against medical advice" asks for none
                return _refused(kind, match[0], extent)
    return None


def _refused(kind: RefusalKind, said: str, extent: Extent) -> Refusal:
    return Refusal(kind, _SENTENCES[kind].format(said, last=extent.last), (said,))


def _out_of_span(proposal: Proposal, extent: Extent) -> Refusal | None:
    if " birth date" in f" {proposal.logic}":
        return None  # people were born before their records begin
    for window in _windows_asked(proposal):
        low, high = _bounds(window, extent)
        early = bool(high and extent.first) and high <= extent.begin_of(window)
        if early or low[:10] > extent.last:
            said = _said(proposal, window)
            end = (
                f"before the records, which begin on {extent.first}"
                if early
                else f"after the last record, of {extent.last}"
            )
            return Refusal("span", f"“{said}” lies {end}.", (said,))
    return None


def _said(proposal: Proposal, window: Window) -> str:
    """The window as it was typed; "between" with both its ends."""
    times = [link for link in proposal.links if link.kind == "time"]
    at = next((at for at, link in enumerate(times) if link.value == render_window(window)), None)
    if at is None:
        return times[0].text.strip() if len(times) == 1 else render_window(window)
    begin = times[at - 1].start if at and times[at - 1].end == times[at].start else times[at].start
    return proposal.question[begin : times[at].end].strip()


def _bounds(window: Window, extent: Extent) -> tuple[str, str]:
    return bounds(window, f"{extent.last} 23:59:00")


def _class_of_drugs(proposal: Proposal) -> Refusal | None:
    """A class of drugs that is also the name of another kind of record, where nothing says that this is meant."""
    classes = next(column for column in cues().columns if column.sentence and column.near == ("prescription",))
    said = {link.value for link in proposal.links if link.kind in ("role", "verb", "weak verb")}
    if _UNDERWENT.search(proposal.question.lower()):
        return None
    for link in proposal.links:
        by_concept = f"{link.kind.replace('_', ' ')} concept " in (proposal.logic or "")
        stored = link.kind not in ("prescription", "role", "verb", "weak verb", "field") and not by_concept
        if stored and link.kind not in said and classes.words.fullmatch(link.text.lower()):
            kind = kind_of(link.kind).noun
            beside = f" The {kind} “{link.value}” is recorded as well: call it a {kind} to ask for that."
            return Refusal("column", classes.sentence.format(link.text) + beside, (link.text.lower(),))
    return None


def _not_kept(proposal: Proposal, lower: str, profile: Profile) -> Refusal | None:
    kept = {name for role in profile.roles.values() for name in role.fields}
    found = [
        (match[0], column)
        for column in cues().columns
        for match in column.words.finditer(lower)
        if match[0] not in kept and not _is_linked(proposal, match.start())
    ]
    if not found:
        return None
    said, column = max(found, key=lambda one: len(one[0]))
    if column.sentence:
        return Refusal("column", column.sentence.format(said), (said,))
    return missing(said, column.near, profile)


def _is_linked(proposal: Proposal, at: int) -> bool:
    return any(
        link.start <= at < link.end and link.kind not in ("field", "role", "verb", "want", "readmitted")
        for link in proposal.links
    )


def _missing_name(proposal: Proposal, lower: str, profile: Profile) -> Refusal | None:
    """A name that nothing stored has, or else something that is kept of nobody."""
    linked = {link.text.lower() for link in proposal.links}
    unknown = [word for word in proposal.unexplained if word not in linked]
    telling = [word for word in unknown if word not in cues().common and not _chooses(word)]
    telling = [word for word in telling if not _asks(word)] or telling
    run = _run(telling or unknown, lower)
    if run is None:
        return None
    if not telling:
        said = lower[slice(*run)]
        return Refusal("ambiguous", f"I cannot tell what “{said}” asks for here.", (said,))
    start, end = run
    said = lower[start:end]
    of_field = any(link.kind == "field" and _OF.fullmatch(lower[link.end : start]) for link in proposal.links)
    named = of_field or _MISSING_NAME.search(lower[:start]) or _MEASURED.match(lower[end:])
    of_records = any(link.kind in ("role", "verb", "weak verb") for link in proposal.links)
    known = any(link.kind in ("patient", "field") for link in proposal.links)
    if (named or of_records or not known) and not _NO_NAME.search(lower[:start]):
        return Refusal(
            "concept", f"Nothing that is stored here is called “{said}”.{_understood(proposal, said)}", (said,)
        )
    return missing(said, (), profile)


def _chooses(word: str) -> bool:
    """True for a word that chooses some of many ("last", "highest", "ten"), and names nothing."""
    picks = any(sense.kind in ("pick", "superlative", "most") for sense in phrases().senses.get((word,), ()))
    return picks or number(word) is not None


def _asks(word: str) -> bool:
    """True for a word of asking ("percentage"): it was passed over beside what is not known, and is no name."""
    return any(sense.kind in _ASKING for sense in phrases().senses.get((word,), ()))


def _understood(proposal: Proposal, unknown: str) -> str:
    """What of the question was understood beside its `unknown` part, as typed; "" for nothing to speak of."""
    at = proposal.question.lower().find(unknown)
    links = [link for link in proposal.links if link.end <= at or link.start >= at + len(unknown)]
    if not any(link.value != link.kind and link.kind not in _SAYS_LITTLE for link in links):
        return ""
    runs: list[tuple[int, int]] = []
    for link in sorted(links, key=lambda link: link.start):
        if runs and not proposal.question[runs[-1][1] : link.start].strip():
            runs[-1] = (runs[-1][0], max(link.end, runs[-1][1]))
        else:
            runs.append((link.start, link.end))
    shown = "”, “".join(text for start, end in runs if (text := proposal.question[start:end].strip()))
    return f" The rest was understood: “{shown}”."


def _only_in_sql(proposal: Proposal, lower: str, schema: Schema) -> Refusal | None:
    """A table or a column that is there, and that nothing says what it means to a clinician."""
    if not proposal.unexplained:
        return None
    tables = {table.name.lower(): "is a table here, and nothing says what it holds" for table in schema.tables}
    columns = {
        column.name.lower(): f"is a column of {table.name}, and nothing says what it means"
        for table in schema.tables
        for column in table.columns
    }
    known = columns | tables
    linked = [(link.start, link.end) for link in proposal.links]
    names = [match for match in _SCHEMA_WORD.finditer(lower) if match[0] in known]
    plain = [match[0] for match in names if not any(start <= match.start() < end for start, end in linked)]
    said = next((name for name in plain if {*name.split("_")} & {*proposal.unexplained}), "")
    if not said:
        return None
    sentence = f"“{said}” {known[said]}. Write SQL to ask for it (it starts with SELECT), or describe it in a profile."
    return Refusal("column", sentence, (said,))


def _run(words: Iterable[str], lower: str) -> tuple[int, int] | None:
    """Where the first of the words, and those right behind it, stand in the question."""
    start = end = -1
    for word in words:
        match = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)").search(lower, max(end, 0))
        if match is None:
            continue
        if start >= 0 and lower[end : match.start()].strip(" -,/"):
            break
        start, end = (match.start() if start < 0 else start), match.end()
    return (start, end) if start >= 0 else None
