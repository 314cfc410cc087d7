"""The scores of `ehrtui eval`, as tables for people and as one object for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ehrtui.commands.output import one_line, paragraph
from ehrtui.evaluation.complexity import ROMAN
from ehrtui.evaluation.curves import Guess, reliability_bins, risk_coverage
from ehrtui.evaluation.interactions import interactions
from ehrtui.evaluation.scores import Sample, Scored, Scores, grouped, scores

_BAR = 30
_STEPS = 10


@dataclass(frozen=True)
class Card:
    """What is scored: `results` (of at least one turn), and the same `folded`, leaving one family out, where that was
    asked for. `conversations` are those of the results that belong to one; `published` is what others have published,
    by the beginning of a score's name."""

    results: Sequence[Scored]
    conversations: Sequence[Scored] = ()
    folded: Sequence[Scored] = ()
    published: Mapping[str, str] = field(default_factory=dict)

    @property
    def guesses(self) -> list[Guess]:
        """The confidence of every answer and best guess, and whether it was right."""
        return [(one.confidence, one.correct) for one in self.results if one.ran]

    def to_json(self) -> dict[str, Any]:
        """Everything, as one object of JSON."""
        return {
            **asdict(scores(self.results)),
            **({"published": dict(self.published)} if self.published else {}),
            "levels": {ROMAN.get(level, "?"): asdict(found) for level, found in _levels(self.results).items()},
            "families": {family: asdict(found) for family, found in _families(self.results).items()},
            "conversations": asdict(interactions(self.conversations)) if self.conversations else None,
            "leave_one_family_out": asdict(scores(self.folded)) if self.folded else None,
            "reliability": [asdict(each) for each in reliability_bins(self.guesses)],
            "risk_coverage": [asdict(point) for point in risk_coverage(self.guesses)],
            "wrong": [asdict(one) for one in self.results if not one.right],
        }


def shown(card: Card, *, wrong: bool, families: bool, curves: bool) -> RenderableType:
    """The card for people: the scores, and as much more as is wanted."""
    columns = {"value": scores(card.results)}
    if card.folded:
        columns["leaving one family out"] = scores(card.folded)
    parts: list[RenderableType] = [_scores_table(columns, card.published)]
    levels = _levels(card.results)
    if set(levels) - {0}:
        named = {ROMAN[level]: found for level, found in levels.items() if level}
        parts += ["", _groups_table("tables of the gold query", named)]
    if card.conversations:
        parts += ["", _interactions_table(card)]
    if families:
        worst_first = sorted(_families(card.results).items(), key=lambda pair: (pair[1].ex, -pair[1].questions))
        parts += ["", _groups_table("family", dict(worst_first))]
    if curves:
        parts += ["", *_curves(card.guesses)]
    if wrong:
        parts += ["", *_wrong(card.results)]
    return Group(*parts)


def _levels(results: Sequence[Scored]) -> dict[int, Scores]:
    return grouped([one for one in results if one.answerable], lambda one: one.level)


def _families(results: Sequence[Scored]) -> dict[str, Scores]:
    return grouped([one for one in results if one.family], lambda one: one.family)


def _scores_table(columns: Mapping[str, Scores], published: Mapping[str, str]) -> Table:
    table = Table("measure", *columns, *(["published"] if published else []), box=None, pad_edge=False)
    for rows in zip(*(_lines(found) for found in columns.values()), strict=True):
        name = rows[0][0]
        theirs = (published[known] for known in published if name.partition(",")[0] == known)
        table.add_row(name, *(value for _, value in rows), *theirs)
    return table


def _lines(found: Scores) -> list[tuple[str, str]]:
    return [
        ("questions", f"{found.questions:,} ({found.answerable:,} answerable)"),
        ("EX, best guesses included", f"{found.ex:.1%}"),
        ("people's EX", f"{found.people_ex:.1%}"),
        ("SR, shown and right", f"{found.sr:.1%}, as people see it {found.people_sr:.1%}"),
        ("CR, a plan ran", f"{found.cr:.1%}"),
        ("coverage", f"{found.coverage:.1%} of the answerable"),
        ("precision", f"{found.precision:.1%} of the shown"),
        ("wrong", f"{found.wrong_shown:.1%} of the shown, as people see it {found.people_wrong_shown:.1%}"),
        ("rejected", f"{found.rejected:.1%} of the unanswerable" if found.questions > found.answerable else "–"),
        *((f"RS({penalty})", f"{value:,.1f}") for penalty, value in found.rs.items()),
        *((f"HCAcc@{k}", f"{value:.1%}") for k, value in found.hcacc.items()),
        ("AUROC of the shown", f"{found.auroc:.3f}" if found.auroc is not None else "–"),
        ("calibration error", f"{found.ece:.3f}"),
        *([("patients' F1", f"{found.f1:.3f}")] if found.f1 is not None else []),
        ("planning", f"p50 {found.p50_ms:.1f} ms, p95 {found.p95_ms:.1f} ms"),
        *([("language model", _taken(found))] if found.requests else []),
    ]


def _taken(found: Scores) -> str:
    return f"{found.requests:.1f} requests, {found.tokens:,.0f} tokens a question"


def _groups_table(title: str, groups: Mapping[str, Scores]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(title, overflow="fold")
    for name in ("questions", "EX", "SR", "CR"):
        table.add_column(name, justify="right")
    for name, found in groups.items():
        shares = (f"{share:.1%}" if found.answerable else "–" for share in (found.ex, found.sr, found.cr))
        table.add_row(paragraph(name), f"{found.questions:,}", *shares)
    return table


def _interactions_table(card: Card) -> Table:
    found = interactions(card.conversations)
    failures = ", ".join(f"{count:,} at turn {turn}" for turn, count in found.first_failures.items())
    table = Table("conversations", "value", box=None, pad_edge=False)
    table.add_row("conversations", f"{found.conversations:,} ({found.turns:,} turns)")
    table.add_row("QM, turns right", f"{found.qm:.1%}")
    table.add_row("IM, every turn right", f"{found.im:.1%}")
    table.add_row("IFF, first failure", f"{found.iff:.2f} ({failures})" if found.iff is not None else "none")
    return table


def _curves(guesses: Sequence[Guess]) -> Iterator[RenderableType]:
    """Reliability and risk over coverage, with bars."""
    table = Table("confidence", "guesses", "mean", "right", "", box=None, pad_edge=False)
    for each in reliability_bins(guesses):
        bounds = f"{each.low:.1f} to {each.high:.1f}"
        table.add_row(bounds, f"{each.count:,}", f"{each.confidence:.2f}", f"{each.right:.2f}", _bar(each.right))
    yield table
    yield ""
    table = Table("answering", "threshold", "risk", "", box=None, pad_edge=False)
    points = risk_coverage(guesses)
    steps = [step / _STEPS for step in range(1, _STEPS + 1)] if points else []
    for point in dict.fromkeys(next(point for point in points if point.coverage >= step) for step in steps):
        risk = f"{point.risk:.1%}"
        table.add_row(f"{point.coverage:.0%} of the guesses", f"{point.threshold:.3f}", risk, _bar(point.risk))
    yield table


def _bar(share: float) -> str:
    return "█" * round(share * _BAR)


def _wrong(results: Sequence[Scored]) -> Iterator[RenderableType]:
    """What was answered wrongly, or would have been, with the gold answer."""
    for one in results:
        if one.right:
            continue
        kind = "answered" if one.answered else "withheld"
        turn = f" turn {one.turn}" if one.turn > 1 else ""
        yield paragraph(f"{one.confidence:.2f} {kind}  {one_line(one.question)}  [{one.case}{turn}]", "bold")
        lines = [("logic", one.logic), ("reason", one.reason), ("gold", _rows(one.gold)), ("guess", _rows(one.guess))]
        for name, text in lines:
            if text:
                yield Text(f"      {name:<7}", "dim") + paragraph(one_line(text))


def _rows(sample: Sample | None) -> str:
    if sample is None:
        return "none"
    count = f"{sample.count:,} row{'' if sample.count == 1 else 's'}"
    if not sample.rows:
        return count
    values = "; ".join(", ".join(map(str, row)) for row in sample.rows)
    return f"{count}: {values}{'; …' if sample.count > len(sample.rows) else ''}"
