"""Scores over asked questions: EX, SR, CR, precision and coverage, RS(c), HCAcc@k, latency."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import TypeVar

from ehrtui.evaluation.cases import Rows
from ehrtui.evaluation.curves import calibration_error
from ehrtui.trust.doubts import Doubt

Key = TypeVar("Key", int, str)

PENALTIES = (0, 5, 10)
SHARES = (0, 50, 70, 90, 95)


@dataclass(frozen=True)
class Sample:
    """The first rows of an answer, and how many it has in all."""

    rows: Rows
    count: int


@dataclass(frozen=True)
class Scored:
    """One turn of a case as it went.

    `answered` is False where the answer was withheld; then `correct` speaks of the best guess. `correct` is None where
    the database cannot answer. `ran` says whether a plan ran to its end, `declined` whether the planner gave a reason
    not to answer that no threshold changes. `level` is that of `levels.level_of`; `ms` the time of planning, linking
    included. `guess` is None where there is neither an answer nor a best guess, `doubts` where the confidence does not
    come from doubts alone.
    """

    case: str
    turn: int
    question: str
    family: str
    level: int
    answered: bool
    correct: bool | None
    ran: bool
    declined: bool
    confidence: float
    ms: float
    logic: str | None = None
    reason: str = ""
    gold: Sample | None = None
    guess: Sample | None = None
    doubts: tuple[Doubt, ...] | None = None

    @property
    def right(self) -> bool:
        """The best guess equals the gold answer; where there is none, the answer was withheld."""
        return not self.answered if self.correct is None else self.correct

    @property
    def wrong(self) -> bool:
        """An answer was given that is not the gold one."""
        return self.answered and not self.correct


@dataclass(frozen=True)
class Scores:
    """Shares are in [0, 1]; over no question at all, they are 0.

    Over the answerable: `ex`, the best guess is right; `sr`, it was answered, and rightly; `cr`, a plan ran to its end
    (EHRAgent's success and completion rate); `coverage`, it was answered. `precision` is the share of the answers that
    are right, `rejected` the share of the unanswerable that was not answered. `rs` maps penalties ("0", "5", "10", and
    "N", the number of questions) to percent (EHRSQL-2024), `hcacc` percents k to shares (TrustEHRAgent §4). `ece` is
    the expected calibration error of all guesses.
    """

    questions: int
    answerable: int
    ex: float
    sr: float
    cr: float
    precision: float
    coverage: float
    rejected: float
    rs: dict[str, float]
    hcacc: dict[int, float]
    ece: float
    p50_ms: float
    p95_ms: float


def scores(results: Sequence[Scored]) -> Scores:
    """The scores of any number of results."""
    answerable = [one for one in results if one.correct is not None]
    impossible = [one for one in results if one.correct is None]
    answered = [one for one in results if one.answered]
    p50, p95 = _latency(results)
    return Scores(
        questions=len(results),
        answerable=len(answerable),
        ex=_share(answerable, lambda one: one.correct),
        sr=_share(answerable, lambda one: one.answered and one.correct),
        cr=_share(answerable, lambda one: one.ran),
        precision=_share(answered, lambda one: one.correct),
        coverage=_share(answerable, lambda one: one.answered),
        rejected=_share(impossible, lambda one: not one.answered),
        rs={**{str(c): reliability(results, c) for c in PENALTIES}, "N": reliability(results, len(results))},
        hcacc={k: hcacc(answerable, k / 100) for k in SHARES},
        ece=calibration_error([(one.confidence, bool(one.correct)) for one in results if one.ran]),
        p50_ms=p50,
        p95_ms=p95,
    )


def grouped(results: Sequence[Scored], key: Callable[[Scored], Key]) -> dict[Key, Scores]:
    """The scores of every group of results, by what `key` gives, in the order of the keys."""
    groups: dict[Key, list[Scored]] = {}
    for one in results:
        groups.setdefault(key(one), []).append(one)
    return {name: scores(groups[name]) for name in sorted(groups)}


def reliability(results: Sequence[Scored], penalty: float) -> float:
    """RS(c) in percent: +1 right or rightly withheld, 0 withheld though answerable, -c wrong or answered though
    unanswerable; the mean over all questions (EHRSQL-2024 §3)."""
    total = 0.0
    for one in results:
        if one.wrong:
            total -= penalty
        elif one.right and (one.answered or one.correct is None):
            total += 1
    return 100 * total / len(results) if results else 0.0


def hcacc(answerable: Sequence[Scored], k: float) -> float:
    """HCAcc@k: the largest share of all questions answered correctly at a confidence threshold where at least the share
    `k` of the answered ones is correct (TrustEHRAgent §4)."""
    best, right = 0.0, 0
    ordered = sorted(answerable, key=lambda one: -one.confidence)
    for count, one in enumerate(ordered, start=1):
        right += bool(one.correct)
        last_of_its_confidence = count == len(ordered) or ordered[count].confidence < one.confidence
        if last_of_its_confidence and right >= k * count:
            best = max(best, right / len(ordered))
    return best


def _latency(results: Sequence[Scored]) -> tuple[float, float]:
    """The milliseconds that half, and 95 %, of the questions keep to."""
    times = [one.ms for one in results] or [0.0]
    cuts = quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    return cuts[9], cuts[18]


def _share(whole: Sequence[Scored], holds: Callable[[Scored], bool | None]) -> float:
    return sum(bool(holds(one)) for one in whole) / len(whole) if whole else 0.0
