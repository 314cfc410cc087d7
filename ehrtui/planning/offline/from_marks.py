"""The proposal for a question as its marks read it."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.compile import can_be_compiled
from ehrtui.logic.algebra.concepts import Concepts
from ehrtui.logic.algebra.lower import lowered
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.algebra.stayless import with_own_ages
from ehrtui.logic.english.sentence import sentence
from ehrtui.logic.model import Logic, Query, Source
from ehrtui.logic.render import render
from ehrtui.planning.offline import followups
from ehrtui.planning.offline.doubts import doubts_of
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.marking import unexplained
from ehrtui.planning.offline.parts import Parts
from ehrtui.planning.offline.reading import Understood, readings
from ehrtui.planning.offline.special import special_readings
from ehrtui.planning.offline.understood_words import links_of
from ehrtui.planning.proposal import Proposal, Reading, Refusal
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.profile import Profile
from ehrtui.trust.estimator import Estimator


def _understood(
    parts: Parts, follow: followups.FollowUp | None, turns: Turns
) -> list[tuple[Logic, float, Understood | None]]:
    """The readings as (logic, score, what was put together)."""
    if follow is not None:
        return [(follow.logic, 1.0, None)]
    found = special_readings(parts) or readings(parts)
    source = followups.items_of_turn(parts, turns)
    if source is not None:
        found = [_with_items(one, source) for one in found]
    return [(one.query, one.score, one) for one in found]


def proposal_of_marks(
    parts: Parts,
    follow: followups.FollowUp | None,
    turns: Turns,
    *,
    profile: Profile,
    now: str,
    concepts: Concepts,
    estimator: Estimator,
    planner: str,
) -> Proposal:
    """The readings of a question by its marks that can be compiled, the likeliest first, or why there is none;
    `follow` where it changes an earlier turn."""
    text, marks = parts.text, parts.marks
    words = unexplained(text, marks)
    understood = _understood(parts, follow, turns)
    compiled: list[tuple[Logic, float, Understood | None, Statement]] = []
    problem = _lacking(parts)
    for logic, score, one in understood:
        try:
            statement = with_own_ages(lowered(logic), profile)
            can_be_compiled(statement, profile, now=now, turns=turns, concepts=concepts)
        except LogicError as error:
            problem = problem or " ".join(filter(None, (error.what, error.why)))
            continue
        compiled.append((logic, score, one, statement))
    links = (*links_of(text, marks), *followups.links(parts))
    if not compiled:
        reason = problem or _unknown(words) or "I cannot tell what is asked, or of which records."
        refusal = None if words else Refusal("column" if problem else "ambiguous", reason)
        return Proposal(text.typed, planner, links=links, unexplained=words, reason=reason, refusal=refusal)
    logic, score, chosen, meant = compiled[0]
    unused = [text.typed[m.start : m.end] for m in chosen.unused] if chosen else []
    rival, behind = (render(compiled[1][0]), score - compiled[1][1]) if len(compiled) > 1 else ("", 1.0)
    silent = parts.turn if not parts.marks.of("turn") else None
    continued, idle = (follow.turn, follow.idle) if follow is not None else (silent, ())
    doubts = doubts_of(parts, chosen, words, rival, behind, continued, idle)
    reason = _unknown(words)
    if not reason and problem and (parts.lacking or understood[0][0] != logic):
        reason = problem
    refusal = Refusal("column", reason) if reason and not words else None
    return Proposal(
        question=text.typed,
        planner=planner,
        logic=render(logic),
        statement=meant,
        links=links,
        readings=tuple(
            Reading(render(other), round(likely, 3), sentence(other, profile)) for other, likely, _, _ in compiled
        ),
        unexplained=(*words, *unused),
        confidence=estimator.probability(doubts),
        doubts=doubts,
        reason=reason,
        refusal=refusal,
    )


def _unknown(words: tuple[str, ...]) -> str:
    shown = "”, “".join(words[:5])
    return f"I do not know what “{shown}” means in this database." if words else ""


def _lacking(parts: Parts) -> str:
    """What is said of a kind of records that the question speaks of and the profile has not; "" for none."""
    kinds = "” and “".join(kind_of(role).noun for role in dict.fromkeys(parts.lacking))
    return f"This database has no records of the kind “{kinds}”." if kinds else ""


def _with_items(understood: Understood, source: Source) -> Understood:
    query = understood.query
    if not isinstance(query, Query):
        return understood
    return replace(understood, query=replace(query, source=source, patients=replace(query.patients, turn=None)))
