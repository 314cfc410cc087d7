"""The nearest questions that can be asked in place of one that cannot, made of what of it was understood.

Each is tried by the planner before it is offered, so that every one of them is understood whole.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from ehrtui.planning.offline.answerability import Extent, bounds, cues, windows_of
from ehrtui.planning.offline.words import words_of
from ehrtui.planning.proposal import Link, Proposal, Refusal
from ehrtui.planning.refuse.fields import asked_for
from ehrtui.schema.kinds import PATIENT, role_of_stays
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import ValueIndex

_FILE = Path(__file__).with_name("answerability.toml")
MOST = 3
OFFERED = ("prescription", "diagnosis", "lab", "procedure")
"""The roles whose most frequent names stand in for names that nothing has, the likeliest first."""
_SURE = 0.7
_NEAR_NAME = 0.75
"""How like a stored name must be to an unknown one (0-1) to be offered in its place."""
_MOST_UNKNOWN = 2
"""Other words without a meaning: a question with more is not understood whatever stands for the unknown name."""
_GREETING = re.compile(r"^\W*(?:(?:please|pls|kindly|(?:can|could|would|will)\s+you)\s+)*")
_JOINING = re.compile(
    r"(?:[,\s]+(?:and|or|but|who|that|which|with|without|on|having|also|not|never|an?|the|any|is|are|was|were|has|have|had|"
    r"got|given|received|taking|diagnosed|prescribed))+\s*$",
    re.IGNORECASE,
)
Plans = Callable[[str], Proposal]
Frequent = Mapping[str, str]


def questions_instead(
    proposal: Proposal,
    refusal: Refusal,
    profile: Profile,
    index: ValueIndex,
    extent: Extent,
    frequent: Frequent,
    plan: Plans,
) -> tuple[str, ...]:
    """At most three questions that `plan` understands. `frequent` has the most frequent name of some roles ("" for
    none)."""
    tiers: tuple[Iterator[str], ...] = (
        _same_question(proposal, refusal, profile, index, extent, frequent),
        _about_names(proposal, refusal),
        _about_near_columns(proposal, profile, index),
        _about_roles(proposal, profile),
        _about_patient(proposal, profile),
        _about_anything(frequent),
    )
    if refusal.kind == "language":
        tiers = (_about_anything(frequent),)
    found: dict[str, None] = {}
    for tier in tiers:
        asked = (text for text in tier if text not in found and _is_understood(plan(text)))
        found |= dict.fromkeys(islice(asked, MOST - len(found)))
        if found and tier is not tiers[0]:
            break
    return tuple(found)


def _is_understood(proposal: Proposal) -> bool:
    return bool(proposal.logic) and not proposal.reason and not proposal.unexplained and proposal.confidence >= _SURE


def _same_question(
    proposal: Proposal, refusal: Refusal, profile: Profile, index: ValueIndex, extent: Extent, frequent: Frequent
) -> Iterator[str]:
    """The question itself, without what it is refused for."""
    if refusal.kind == "span":
        yield from _in_span(proposal, extent)
    elif refusal.kind == "administrative":
        yield _without_command(proposal.question)
    elif refusal.kind == "concept":
        yield from _with_stored_name(proposal, refusal, profile, index, frequent)
        yield from _without_part(proposal, refusal)


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _forms() -> Mapping[str, Mapping[str, str]]:
    forms: Mapping[str, Mapping[str, str]] = _data()["forms"]
    return forms


def _linked(proposal: Proposal, *kinds: str) -> list[Link]:
    return [link for link in proposal.links if link.kind in kinds]


def _patient(proposal: Proposal) -> str:
    found = _linked(proposal, "patient")
    return found[0].value.split(",")[0] if found else ""


def _in_span(proposal: Proposal, extent: Extent) -> Iterator[str]:
    """The question itself, at a time that the records hold: the nearest whole year."""
    begin, end = int(extent.first[:4] or extent.last[:4]), int(extent.last[:4])
    times = _linked(proposal, "time")
    if not times:
        return
    late = any(
        low[:10] > extent.last
        for low, _ in (bounds(window, f"{extent.last} 23:59:00") for window in windows_of(proposal.logic))
    )
    text = proposal.question
    for link in reversed(times[1:]):
        text = text[: link.start] + text[link.end :]
    for year in (end, end - 1) if late else (min(begin + 1, end), end):
        yield _tidy(f"{text[: times[0].start]} in {year} {text[times[0].end :]}")


def _without_command(question: str) -> str:
    """ "Print the medication list of…" without its verb."""
    rest = question[_GREETING.match(question.lower()).end() :]  # type: ignore[union-attr]
    return _tidy(rest.partition(" ")[2])


def _with_stored_name(
    proposal: Proposal, refusal: Refusal, profile: Profile, index: ValueIndex, frequent: Frequent
) -> Iterator[str]:
    """The question with stored names in the place of the unknown one: names like it, else a frequent one."""
    said = refusal.words[0]
    at = proposal.question.lower().find(said)
    others = {*proposal.unexplained} - {word.text for word in words_of(said)}
    if at < 0 or len(others) > _MOST_UNKNOWN:
        return
    before, behind = (
        proposal.question[:at].lower().split()[-2:],
        proposal.question[at + len(said) :].lower().split()[:1],
    )
    roles = [role for role in [*_roles_meant(proposal), *_roles_beside(before, behind)] if role in profile.roles][:1]
    near = index.nearest(said, roles or None, limit=2, at_least=_NEAR_NAME)
    names = [entry.name for entry, _ in near if not entry.field] + [frequent.get(role, "") for role in roles]
    for name in filter(None, names):
        yield _tidy(f"{proposal.question[:at]}{name}{proposal.question[at + len(said) :]}")


def _without_part(proposal: Proposal, refusal: Refusal) -> Iterator[str]:
    """The question without the condition that was not understood, where others remain."""
    said = refusal.words[0]
    at = proposal.question.lower().find(said)
    rest = [link for link in proposal.links if link.kind in _forms() and link.value != link.kind]
    if at >= 0 and any(link.end <= at or link.start >= at + len(said) for link in rest):
        before = proposal.question[:at]
        joined = _JOINING.search(before)
        kept = before[: joined.start()] if joined else before
        yield _tidy(f"{kept} {proposal.question[at + len(said) :]}")


def _roles_beside(before: Sequence[str], behind: Sequence[str]) -> list[str]:
    """The role that the words next to a name tell, the nearest word first."""
    said = [*(word.strip("?,.") for word in behind), *reversed(before)]
    return [role for word in said for role, words in _data()["meant"].items() if word in words]


def _roles_meant(proposal: Proposal) -> list[str]:
    return list(dict.fromkeys(link.value for link in _linked(proposal, "role", "verb", "weak verb")))


def _about_names(proposal: Proposal, refusal: Refusal) -> Iterator[str]:
    """What is stored of each name that was understood: of the patient, or of how many."""
    patient, when = _patient(proposal), _when(proposal, refusal)
    for link in proposal.links:
        form = _forms().get(link.kind)
        if form and "one" in form and link.value != link.kind:
            if patient:
                yield form["one"].format(name=link.value, id=patient, when=when)
            else:
                yield form["many"].format(name=link.value, when=when)


def _about_roles(proposal: Proposal, profile: Profile) -> Iterator[str]:
    patient = _patient(proposal)
    for role in _roles_meant(proposal):
        yield from _of_role(role, patient, profile)


def _of_role(role: str, patient: str, profile: Profile) -> Iterator[str]:
    form = _forms().get(role, {})
    shape = form.get("list" if patient else "top")
    if shape and role in profile.roles:
        yield shape.format(id=patient, when="")


def _about_near_columns(proposal: Proposal, profile: Profile, index: ValueIndex) -> Iterator[str]:
    """What is kept that is nearest to a kind of information that is not: of the same patient, or of all."""
    lower, patient = proposal.question.lower(), _patient(proposal)
    near = [one for _, field in asked_for(lower, index) for one in field.near]
    near += [one for column in cues().columns if column.words.search(lower) for one in column.near]
    for one in dict.fromkeys(near):
        if one in _forms():
            yield from _of_role(one, patient, profile)
        elif any(one in profile.role(role).fields for role in (PATIENT, role_of_stays("hospital"))):
            yield f"what is the {one} of patient {patient}?" if patient else f"how many patients per {one}?"


def _about_patient(proposal: Proposal, profile: Profile) -> Iterator[str]:
    if patient := _patient(proposal):
        for role in OFFERED:
            yield from _of_role(role, patient, profile)


def _about_anything(frequent: Frequent) -> Iterator[str]:
    for role, name in frequent.items():
        if name:
            yield _forms()[role]["many"].format(name=name, when="")


def _when(proposal: Proposal, refusal: Refusal) -> str:
    """The times and stays of the question as typed, with a space before each."""
    if refusal.kind in ("span", "contradiction"):
        return ""
    return "".join(f" {link.text.strip()}" for link in _linked(proposal, "time", "stay"))


def _tidy(text: str) -> str:
    return re.sub(r"\s+([?.,])", r"\1", " ".join(text.split()))
