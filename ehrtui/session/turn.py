"""A turn: one question with all that followed from it, and its JSON form (one object a line, fixed field names)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ehrtui.engines.engine import Row
from ehrtui.planning.proposal import PastTurn, Proposal
from ehrtui.plans.reports import Context, Statement, Step
from ehrtui.schema.identifiers import identifies
from ehrtui.session.scalars import json_value
from ehrtui.trust.doubts import Doubt

if TYPE_CHECKING:
    from ehrtui.plans.diagnosis import Diagnosis

Kind: TypeAlias = Literal["question", "logic", "plan", "sql"]
"""How the turn was put: a question in words, or query logic, a plan or SQL written by the user."""

Decision: TypeAlias = Literal["answered", "abstained", "failed"]


JSON_FIELDS = (
    "id",
    "turn",
    "question",
    "kind",
    "decision",
    "confidence",
    "answer",
    "columns",
    "context",
    "context_columns",
    "row_count",
    "sql",
    "seqsql",
    "logic",
    "plan",
    "steps",
    "elapsed_ms",
    "error",
    "planner",
    "tokens",
    "cost_usd",
    "egress_bytes",
    "case",
)
"""The fields of a turn's JSON form, in order."""


@dataclass(frozen=True)
class TurnError:
    """Why a turn failed or abstained. `type` is a name ("NameError", "Abstained", "TokenError"…), `message` what
    happened, `line` the plan's line, `cause` the most probable cause, `suggestions` what to try. `diagnosis` is the
    rubber duck's, with a repaired plan where it has one."""

    type: str
    message: str
    line: int | None = None
    cause: str = ""
    suggestions: tuple[str, ...] = ()
    diagnosis: Diagnosis | None = None

    def to_json(self) -> dict[str, Any]:
        """The `error` object of the output contract."""
        return {
            "type": self.type,
            "message": self.message,
            "line": self.line,
            "cause": self.cause,
            "suggestions": list(self.suggestions),
        }


@dataclass(frozen=True)
class Spent:
    """What a turn has cost with a language model: tokens, US dollars (None where the price is not known), and the bytes
    that left the machine."""

    tokens: int
    cost_usd: float | None
    egress_bytes: int

    def __str__(self) -> str:
        """`1,050 tokens · $0.0038 · 10,640 B left this machine`."""
        cost = f" · ${self.cost_usd:.4f}" if self.cost_usd is not None else ""
        return f"{self.tokens:,} tokens{cost} · {self.egress_bytes:,} B left this machine"


@dataclass(frozen=True)
class Turn:
    """One finished turn. `proposal` describes what ran: its logic and SQL are None where an edit outdated them.

    `result` names the rows in the engine (None where there are none); `row_count` and `columns` describe them;
    `fingerprint` is the order-free hash of the rows. `confidence` is in [0, 1]: 1 where the user wrote the plan or the
    SQL, never above that of a turn that this one builds on, 0 where the turn failed; `doubts` are what lowered it, and
    `no_surer` is the turn, if any, that this one would be surer than on its own.

    `fingerprint` is "" where there are no rows, and where computing it was cancelled. `depends_on` are the turns that
    this one builds on directly; it is `stale` where one of these, or one that they build on, was run again after it.
    `order` counts all runs of the conversation, from 1: a turn that is run again keeps its number. `choices` are the
    two readings, as query logic, that find different answers, where nobody has chosen between them. `spent` is None
    where no language model was asked, `context` where there is nothing to show beside the answer."""

    number: int
    question: str
    kind: Kind
    decision: Decision
    proposal: Proposal
    plan: str
    statement: Statement | None
    steps: tuple[Step, ...]
    result: str | None
    columns: tuple[str, ...]
    row_count: int
    fingerprint: str
    confidence: float
    elapsed_ms: float
    doubts: tuple[Doubt, ...] = ()
    no_surer: int | None = None
    edited: bool = False
    error: TurnError | None = None
    depends_on: tuple[int, ...] = ()
    order: int = 0
    stale: bool = False
    choices: tuple[str, ...] = ()
    spent: Spent | None = None
    context: Context | None = None

    @property
    def is_one_value(self) -> bool:
        """Whether the answer is a single value; what identifies somebody or something is none, but a row of a list."""
        return (self.row_count, len(self.columns)) == (1, 1) and not identifies(self.columns[0])

    @property
    def shown_columns(self) -> tuple[str, ...]:
        """The columns that people see: those of the answer, and what else its context has."""
        return self.context.columns if self.context is not None else self.columns

    @property
    def is_scored(self) -> bool:
        """True where the plan is the planner's reading of a question, and its confidence the probability that it is
        right: nobody estimates what the user wrote or changed."""
        return self.kind == "question" and not self.edited

    @property
    def shown_result(self) -> str:
        """The name of the result that people see; "" where there is none."""
        return self.kept[-1] if self.kept else ""

    @property
    def kept(self) -> tuple[str, ...]:
        """The names of the results that the engine keeps for the turn."""
        names = (self.result, self.context.name if self.context is not None else None)
        return tuple(name for name in names if name)

    @property
    def planned_by(self) -> str:
        """Who planned it, where a language model was asked: "claude", or "the offline planner"; else ""."""
        return "" if self.spent is None else self.proposal.planner.replace("offline", "the offline planner")

    def to_past(self) -> PastTurn:
        """The part of the turn that a planner may see."""
        return PastTurn(
            number=self.number,
            question=self.question,
            logic=self.proposal.logic,
            sql=self.statement.flat if self.statement else None,
            columns=self.columns if self.result else (),
            row_count=self.row_count if self.result else 0,
            decision=self.decision,
            confidence=self.confidence,
        )

    def to_json(
        self, id: str | int | None, answer: list[Row] | None, context: list[Row] | None = None
    ) -> dict[str, Any]:
        """The output object of `ask --json`, `--batch` and `exec`; every field is always present."""
        return {
            "id": id,
            "turn": self.number,
            "question": self.question,
            "kind": self.kind,
            "decision": self.decision,
            "confidence": round(self.confidence, 4) if self.is_scored else None,
            "answer": _json_rows(answer),
            "columns": list(self.columns),
            "context": _json_rows(context),
            "context_columns": None if context is None else list(self.shown_columns),
            "row_count": self.row_count,
            "sql": self.statement.flat if self.statement else None,
            "seqsql": self.statement.seq if self.statement else None,
            "logic": self.proposal.logic,
            "plan": self.plan or None,
            "steps": [
                {
                    "code": step.code,
                    "rows": step.rows,
                    "ms": round(step.ms, 3),
                    "confidence": step.confidence,
                    **({"error": step.error} if step.error else {}),
                }
                for step in self.steps
            ],
            "elapsed_ms": round(self.elapsed_ms, 3),
            "error": self.error.to_json() if self.error else None,
            "planner": self.proposal.planner,
            "tokens": self.spent.tokens if self.spent else None,
            "cost_usd": self.spent.cost_usd if self.spent else None,
            "egress_bytes": self.spent.egress_bytes if self.spent else 0,
            "case": asdict(self.proposal.case) if self.proposal.case else None,
        }


def _json_rows(rows: list[Row] | None) -> list[list[Any]] | None:
    return None if rows is None else [[json_value(value) for value in row] for row in rows]
