"""A turn before it runs: what the planner made of it, and what the user changed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from ehrtui.planning.mentions import Choice
from ehrtui.planning.plan_text import plan_from_sql, sql_from_plan
from ehrtui.planning.proposal import Proposal, Reading
from ehrtui.session.turn import Kind

if TYPE_CHECKING:
    from ehrtui.planning.claude.talk import Talk

View: TypeAlias = Literal["logic", "plan", "sql"]

_SQL = re.compile(r"\s*(select\b|with\s+(recursive\s+)?\w+\s*(\([^()]*\)\s*)?as\s*\(|prev_query\d)", re.IGNORECASE)
# What SQL that begins with SELECT has, but for a bare name or two, and what none has outside its texts.
_PUNCTUATED = re.compile(r"[(),*=<>;'\"`\[\]|]|\b(?:from|as)\b|^\d", re.IGNORECASE)
_ENGLISH = re.compile(
    r"\b(the|of|who|whose|whom|that|which|to|for|were|was|had|have|has|did|every|each|this|these|those)\s+\w",
    re.IGNORECASE,
)
_SELECTED = re.compile(r"\s*select\s+(distinct\s+|all\s+)*", re.IGNORECASE)
_TEXTS = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/", re.DOTALL)
# Not to be run, but to be refused as what they are rather than read as words.
_CHANGE = re.compile(
    r"\s*(((delete\s+from|(insert|replace)\s+into|(drop|alter|create)\s+(table|view|index|trigger)|update\s+\w+\s+set)\b)"
    r"|(attach|detach|pragma|vacuum|reindex)\b.*[;='()])",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class Edit:
    """The user rewrote one view as `text`; `plan` is what that makes the plan. `from_rows` where it may hold a stored
    value that nobody typed: a repair that the rubber duck offered, and what was made of one."""

    view: View
    text: str
    plan: str
    from_rows: bool = False


@dataclass(frozen=True)
class Draft:
    """A turn before it runs.

    `proposal` is the planner's latest: an edit of the logic asks it again, an edit of the plan or the SQL leaves it as
    it was. `first` is what it proposed before any edit, None where that is `proposal`. `plan` is what will run;
    `planned_ms` how long planning took. `talk` is what was said with the language model, None where it was not asked;
    `offline` is what the offline planner had proposed where the model planned in its place. `revisions` is how often
    the rubber duck may revise the plan, None where the conversation says so. `opened` says that the text was made of a
    value of an answer, which nobody typed, and `opened_from` which turn's answer the user was in. `choices` are what
    the user chose for its words, and `alone` says that it was read without what earlier turns were about.
    """

    kind: Kind
    text: str
    proposal: Proposal
    plan: str
    edits: tuple[Edit, ...] = ()
    first: Proposal | None = None
    planned_ms: float = 0.0
    talk: Talk | None = None
    offline: Proposal | None = None
    revisions: int | None = None
    opened: bool = False
    opened_from: int | None = None
    choices: tuple[Choice, ...] = ()
    alone: bool = False

    @property
    def edited(self) -> bool:
        """True when the user changed anything."""
        return bool(self.edits)

    @property
    def from_rows(self) -> bool:
        """True where what will run may hold a stored value that nobody typed."""
        return bool(self.edits) and self.edits[-1].from_rows

    @property
    def readings(self) -> tuple[Reading, ...]:
        """All readings of the question, the best first, whichever was chosen since."""
        return (self.first or self.proposal).readings

    @property
    def chosen(self) -> str | None:
        """The logic of the reading, of several, that the user took; None where none was, or was edited since."""
        last = self.edits[-1] if self.edits else None
        if self.kind != "question" or last is None or last.view != "logic" or len(self.readings) < 2:
            return None
        return last.text if any(reading.logic == last.text for reading in self.readings) else None

    @property
    def next_reading(self) -> str:
        """The logic of the reading after the one that runs now; of the best, where none of them does."""
        readings = [reading.logic for reading in self.readings]
        now = self.edits[-1].text if self.edits else readings[0]
        return readings[(readings.index(now) + 1) % len(readings)] if now in readings else readings[0]

    @property
    def in_own_words(self) -> bool:
        """True when the user wrote or edited what will run, so that it is never withheld."""
        return self.kind != "question" or self.edited

    @property
    def is_refused(self) -> bool:
        """True where no record can answer, or nothing would run, and nobody wrote what does."""
        return not self.in_own_words and (self.proposal.refusal is not None or not self.plan.strip())

    @property
    def unscored(self) -> str:
        """Why its confidence says nothing, "" where it does."""
        if self.opened and not self.edits:
            return OPENED
        return why_unscored(self.kind, self.edits[-1].view if self.edits else "") or (
            REFUSED if self.is_refused else ""
        )

    @property
    def by_model(self) -> bool:
        """True where a language model wrote what will run, and nobody changed it."""
        return self.proposal.planner == "claude" and self.talk is not None and not self.in_own_words

    def settled(self) -> Proposal:
        """The proposal without what no longer describes the plan after the last edit."""
        if not self.edits or self.edits[-1].view == "logic":
            return self.proposal
        last = self.edits[-1]
        sql = last.text if last.view == "sql" else sql_from_plan(last.plan)
        bare = replace(self.proposal, logic=None, sql=sql, plan=last.plan, case=None)
        return replace(bare, confidence=1.0, reason="", refusal=None, unexplained=())

    def compiled(self, proposal: Proposal) -> Draft:
        """The draft with the plan and the SQL that its query logic has by now, as `proposal` tells."""
        edits = (*self.edits[:-1], replace(self.edits[-1], plan=proposal.plan)) if self.edits else ()
        now = replace(self.proposal, plan=proposal.plan, sql=proposal.sql)
        return replace(self, proposal=now, plan=proposal.plan, edits=edits)


REFUSED = "a refusal: not scored"
OPENED = "opened from an answer: not scored"


def why_unscored(kind: str, last_edited: str) -> str:
    """Why a confidence says nothing, "" where it does: what the user wrote or changed is not the planner's reading of
    a question, and no figure is known for it. `last_edited` is the view that was edited last, if any was."""
    if last_edited:
        return "edited: not scored"
    return "" if kind == "question" else "your own words: not scored"


def kind_of(text: str) -> Kind:
    """ "sql" for a question that is SQL: it begins with SELECT, with WITH … AS (, with PREV_QUERYn, or as a statement
    that would change something. "Select the drugs given by mouth" is none."""
    return "sql" if (_SQL.match(text) and not _selects_in_english(text)) or _CHANGE.match(text) else "question"


def _selects_in_english(text: str) -> bool:
    """True for a sentence that begins with "select" and goes on in words."""
    begun = _SELECTED.match(text)
    if begun is None:
        return False
    said = _TEXTS.sub("''", text[begun.end() :])
    return bool(_ENGLISH.search(said)) or (len(said.split()) > 2 and not _PUNCTUATED.search(said))


def own_proposal(text: str, kind: Kind) -> Proposal:
    """What stands for a planner's proposal where the user wrote the plan or the SQL: confidence 1, the user's words."""
    plan = plan_from_sql(text) if kind == "sql" else text
    return Proposal(text, "user", plan=plan, sql=text if kind == "sql" else None, confidence=1.0)
