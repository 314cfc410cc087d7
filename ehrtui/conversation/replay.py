"""Run a saved session again, turn by turn, and compare what comes out with what came out then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ehrtui.conversation.conversation import Conversation, Draft
from ehrtui.conversation.database import Database
from ehrtui.conversation.draft import own_proposal
from ehrtui.conversation.events import Failed
from ehrtui.conversation.saved import SavedSession, SavedTurn
from ehrtui.conversation.turn import Turn

Outcome: TypeAlias = Literal["same", "different", "skipped"]


@dataclass(frozen=True)
class Comparison:
    """One turn, then and now. `expected` and `found` say what it came to, for people: rows, an error, or nothing.
    `confidence` in [0, 1] is the one it had then, None where it failed: plans run without being scored again."""

    turn: int
    question: str
    outcome: Outcome
    expected: str
    found: str
    confidence: float | None = None


def other_database(saved: SavedSession, database: Database) -> str:
    """Says that the session was held over other data than `database` has; "" where it was the same."""
    if saved.started.fingerprint == database.engine.fingerprint():
        return ""
    return (
        f"This session is about {saved.started.database} as it was then; {database.engine.label} is another database "
        "or has changed since. The results are compared all the same."
    )


def replay(saved: SavedSession, conversation: Conversation) -> Iterator[Comparison]:
    """Run the plan of every finished turn in a new `conversation`, in order, and compare the results by fingerprint.

    The plans of the file are run as they stand, without a planner, so a session does not depend on the planner's
    version. A turn that was cancelled, or that had nothing to run or no result, is not run. A turn that was run again
    is run as often here, since others may have seen its earlier rows; only its last run is compared.
    """
    for then in saved.runs:
        again = then.number <= len(conversation.turns)
        if again and then.was_cancelled:  # it left the turn as it was
            continue
        plan = then.plan if _ran(then) else ""
        draft = Draft("plan", then.asked.text, own_proposal(plan, "plan"), plan)
        now = conversation.rerun(then.number, draft) if again else conversation.run(draft)
        if then is saved.turns[then.number - 1]:
            yield _compared(then, now)


def _ran(turn: SavedTurn) -> bool:
    """True where the turn's plan came to an end, with rows or with an error of its own."""
    if isinstance(turn.end, Failed):
        return bool(turn.plan.strip()) and not turn.was_cancelled
    return bool(turn.end.columns)


def _compared(then: SavedTurn, now: Turn) -> Comparison:
    expected, said = _then(then)
    found, says = _now(now) if _ran(then) else ("", "not run")
    outcome: Outcome = "skipped" if not expected else "same" if found == expected else "different"
    confidence = None if isinstance(then.end, Failed) else then.end.confidence
    return Comparison(then.number, then.asked.text, outcome, said, says, confidence)


def _then(turn: SavedTurn) -> tuple[str, str]:
    """What is to be compared, "" where there is nothing, and the same in words."""
    end = turn.end
    if isinstance(end, Failed):
        return end.type if _ran(turn) else "", f"failed ({end.type})"
    return end.fingerprint, _rows(end.row_count, end.fingerprint) if end.columns else "no result"


def _now(turn: Turn) -> tuple[str, str]:
    if turn.result:
        return turn.fingerprint, _rows(turn.row_count, turn.fingerprint)
    kind = turn.error.type if turn.error else ""
    return kind, f"failed ({kind})"


def _rows(count: int, fingerprint: str) -> str:
    hashed = f"fingerprint {fingerprint.rpartition(':')[2][:12]}" if fingerprint else "no fingerprint"
    return f"{count:,} row{'' if count == 1 else 's'}, {hashed}"
