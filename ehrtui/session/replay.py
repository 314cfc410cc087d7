"""Run a saved session again, turn by turn, and compare what comes out with what came out then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

from ehrtui.engines.engine import Engine, Row
from ehrtui.session.discretion import hashed
from ehrtui.session.draft import Draft, own_proposal
from ehrtui.session.events import Failed
from ehrtui.session.fingerprint import is_of_this_form
from ehrtui.session.first_form import first_fingerprint
from ehrtui.session.saved import SavedSession, SavedTurn
from ehrtui.session.turn import Turn

Outcome: TypeAlias = Literal["same", "different", "skipped"]

_PAGE = 2000
"""Rows that are read at once."""


class Runs(Protocol):
    """What replay needs of a conversation: to run drafts as turns, the next one or an earlier one again."""

    @property
    def turns(self) -> Sequence[Turn]:
        """The turns so far."""

    def run(self, draft: Draft, /) -> Turn:
        """Run a draft as the next turn."""

    def rerun(self, number: int, draft: Draft, /) -> Turn:
        """Run a draft as turn `number` once more."""

    def repairs(self, turn: int, /) -> tuple[str, ...]:
        """Plans that the rubber duck offers in place of a turn's."""

    def rows(self, turn: int, offset: int, count: int, /) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a turn's result."""


@dataclass(frozen=True)
class Comparison:
    """One turn, then and now. `expected` and `found` say what it came to, for people: rows, an error, or nothing.
    `sure` says how sure it was then, "" where it failed: plans run without being scored again."""

    turn: int
    question: str
    outcome: Outcome
    expected: str
    found: str
    sure: str = ""


def other_database(saved: SavedSession, engine: Engine) -> str:
    """Says that the session was held over other data than `engine` has; "" where it was the same."""
    if saved.started.fingerprint == engine.fingerprint():
        return ""
    return (
        f"This session is about {saved.started.database} as it was then; {engine.label} is another database "
        "or has changed since."
    )


def replay(saved: SavedSession, conversation: Runs) -> Iterator[Comparison]:
    """Run the plan of every finished turn in a new `conversation`, in order, and compare the results by fingerprint.

    The plans of the file are run as they stand, without a planner, so a session does not depend on the planner's
    version; revisions that the file does not tell are made again. A turn that was cancelled, or that had nothing to run
    or no result, is not run. A turn that was run again is run as often here, since others may have seen its earlier
    rows; only its last run is compared.
    """
    for then in saved.runs:
        again = then.number <= len(conversation.turns)
        if again and then.was_cancelled:  # it left the turn as it was
            continue
        plan = (accepted_again(then, conversation) if then.accepted else then.plan) if _ran(then) else ""
        draft = Draft("plan", then.asked.text, own_proposal(plan, "plan"), plan, revisions=len(then.untold))
        now = conversation.rerun(then.number, draft) if again else conversation.run(draft)
        if then is saved.turns[then.number - 1]:
            yield _compared(then, now, conversation)


def accepted_again(then: SavedTurn, conversation: Runs) -> str:
    """The repair that the user accepted for the plan of a turn, which has run again without it, as the rubber duck
    offers it now; "" where it offers it no more."""
    if then.number > len(conversation.turns):
        return ""
    found = (conversation.turns[then.number - 1].plan, *conversation.repairs(then.number))
    return next((plan for plan in found if hashed(plan) == then.accepted), "")


def restored(saved: SavedSession, conversation: Runs) -> SavedSession:
    """The session with the SQL and the repairs that plans put together from rows, as far as they come out the same when
    its turns are run in a new `conversation`."""
    for _ in replay(saved, conversation):
        pass
    return replace(saved, turns=tuple(map(_restored, saved.turns, conversation.turns)))


def _restored(then: SavedTurn, now: Turn) -> SavedTurn:
    if then.untold and hashed(now.plan) == then.untold[-1].plan_hash:
        last = replace(then.revisions[-1], plan=now.plan, plan_hash="")
        then = replace(then, revisions=(*then.revisions[:-1], last))
    if then.accepted and hashed(now.plan) == then.accepted:
        last_edit = replace(then.edits[-1], text=now.plan, plan=now.plan, plan_hash="")
        then = replace(then, edits=(*then.edits[:-1], last_edit))
    end = then.end
    if isinstance(end, Failed) or now.statement is None or hashed(now.statement.flat) != end.sql_hash:
        return then
    told = replace(end, sql=now.statement.flat, seqsql=now.statement.seq, columns=now.columns)
    return replace(then, end=told)


def _ran(turn: SavedTurn) -> bool:
    """True where the turn's plan came to an end, with rows or with an error of its own."""
    if isinstance(turn.end, Failed):
        return bool(turn.plan.strip() or turn.accepted) and not turn.was_cancelled
    return bool(turn.end.columns)


def _compared(then: SavedTurn, now: Turn, conversation: Runs) -> Comparison:
    expected, said = _then(then)
    found, says = _now(now, expected, conversation) if _ran(then) else ("", "not run")
    outcome: Outcome = "skipped" if not expected else "same" if found == expected else "different"
    if outcome == "different" and then.untold and hashed(now.plan) != then.untold[-1].plan_hash:
        says = f"{says}, by another repair of the plan"
    return Comparison(then.number, then.asked.text, outcome, said, says, then.sure)


def _then(turn: SavedTurn) -> tuple[str, str]:
    """What is to be compared, "" where there is nothing, and the same in words."""
    end = turn.end
    if isinstance(end, Failed):
        return end.type if _ran(turn) else "", f"failed ({end.type})"
    return end.fingerprint, _rows(end.row_count, end.fingerprint) if end.columns else "no result"


def _now(turn: Turn, expected: str, conversation: Runs) -> tuple[str, str]:
    """What the turn came to now, in the form of the fingerprint that is expected, and the same in words."""
    if turn.result:
        found = turn.fingerprint
        if found and expected and not is_of_this_form(expected):
            offsets = range(0, turn.row_count, _PAGE)
            found = first_fingerprint(conversation.rows(turn.number, offset, _PAGE) for offset in offsets)
        return found, _rows(turn.row_count, found)
    kind = turn.error.type if turn.error else ""
    return kind, f"failed ({kind})"


def _rows(count: int, fingerprint: str) -> str:
    hashed = f"fingerprint {fingerprint.rpartition(':')[2][:12]}" if fingerprint else "no fingerprint"
    return f"{count:,} row{'' if count == 1 else 's'}, {hashed}"
