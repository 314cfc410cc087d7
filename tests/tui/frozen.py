"""Turns as a conversation would give them, for tests of single panels."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.planning.proposal import Link, Proposal, Reading
from ehrtui.plans.reports import Statement, Step
from ehrtui.session.draft import Draft
from ehrtui.session.turn import Turn, TurnError

PLAN = """\
stays = SQLInterpreter("SELECT hadm_id FROM admissions WHERE subject_id = 101")  # Confidence: 10
answer = SQLInterpreter("SELECT valuenum FROM labevents WHERE hadm_id IN (SELECT hadm_id FROM stays)", stays=stays)
"""

PROPOSAL = Proposal(
    question="what were the sodium values of patient 101?",
    planner="offline",
    plan=PLAN,
    logic='value of lab "sodium" for patient 101',
    sql="SELECT valuenum FROM labevents WHERE subject_id = 101",
    links=(Link(19, 25, "sodium", "lab", "sodium"), Link(36, 39, "101", "patient", "101", 0.8)),
    readings=(Reading('value of lab "sodium" for patient 101', 0.9), Reading('any lab "sodium" for patient 101', 0.4)),
    confidence=0.91,
)

DRAFT = Draft("question", PROPOSAL.question, PROPOSAL, PLAN)

ANSWERED = Turn(
    number=1,
    question=PROPOSAL.question,
    kind="question",
    decision="answered",
    proposal=PROPOSAL,
    plan=PLAN,
    statement=Statement(run="SELECT 1", flat="SELECT 1", seq="SELECT valuenum FROM labevents"),
    steps=(Step("stays = …", 1, 2, 1.2, 1.0), Step("answer = …", 2, 12, 3.4, 0.9)),
    result="a1",
    columns=("charttime", "valuenum"),
    row_count=12,
    fingerprint="12:abc",
    confidence=0.91,
    elapsed_ms=4.6,
)
EMPTY = replace(ANSWERED, number=2, row_count=0)
SCALAR = replace(ANSWERED, number=3, columns=("count",), row_count=1)
ABSTAINED = replace(
    ANSWERED,
    number=4,
    decision="abstained",
    confidence=0.31,
    error=TurnError("Abstained", "Nothing in this database is an appointment."),
)
FAILED = replace(
    ANSWERED,
    number=5,
    decision="failed",
    result=None,
    row_count=0,
    steps=(replace(ANSWERED.steps[0]), Step("answer = …", 2, None, 0.3, 0.9, "NameError")),
    error=TurnError("NameError", "name 'stayz' is not defined", 2, "A name is misspelt.", ("Did you mean stays?",)),
)


def rows(offset: int, count: int) -> list[tuple[object, ...]]:
    """The twelve rows of ANSWERED."""
    return [(f"2104-06-0{1 + at % 9} 08:00:00", None if at == 3 else 130.5 + at) for at in range(12)][
        offset : offset + count
    ]
