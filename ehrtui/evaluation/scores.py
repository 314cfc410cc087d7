"""Scores over answered questions: EX, precision and coverage, RS(c), HCAcc@k, latency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles


@dataclass(frozen=True)
class Scored:
    """One case as it went. `correct` is None where the database cannot answer it; `answered` is False where the answer
    was withheld (then `correct` speaks of the best guess)."""

    id: str
    question: str
    family: str
    answered: bool
    correct: bool | None
    confidence: float
    ms: float
    logic: str | None


@dataclass(frozen=True)
class Scores:
    """Shares are in [0, 1]. `ex` counts best guesses of answerable questions; `precision` is over answered questions,
    `coverage` the share of answerable ones that were answered, `rejected` the share of unanswerable ones that were
    not; `rs` and `hcacc` map the penalty, or k, to the score (EHRSQL-2024 §3; TrustEHRAgent §4)."""

    questions: int
    answerable: int
    ex: float
    precision: float
    coverage: float
    rejected: float
    rs: dict[int, float]
    hcacc: dict[int, float]
    p50_ms: float
    p95_ms: float


def scores(results: Sequence[Scored]) -> Scores:
    """The scores of at least one result."""
    answerable = [one for one in results if one.correct is not None]
    impossible = [one for one in results if one.correct is None]
    answered = [one for one in results if one.answered]
    times = [one.ms for one in results]
    cuts = quantiles(times, n=20) if len(times) > 1 else times * 19
    return Scores(
        questions=len(results),
        answerable=len(answerable),
        ex=_share(sum(bool(one.correct) for one in answerable), len(answerable)),
        precision=_share(sum(bool(one.correct) for one in answered), len(answered)),
        coverage=_share(sum(one.answered for one in answerable), len(answerable)),
        rejected=_share(sum(not one.answered for one in impossible), len(impossible)),
        rs={penalty: reliability(results, penalty) for penalty in (0, 5, 10)},
        hcacc={k: hcacc(answerable, k / 100) for k in (70, 90)},
        p50_ms=cuts[9],
        p95_ms=cuts[18],
    )


def reliability(results: Sequence[Scored], penalty: float) -> float:
    """RS(c) in percent: +1 right or rightly withheld, 0 withheld though answerable, -c wrong or answered though
    unanswerable; the mean over all questions (EHRSQL-2024)."""
    total = 0.0
    for one in results:
        if one.correct is None:
            total += -penalty if one.answered else 1
        elif one.answered:
            total += 1 if one.correct else -penalty
    return 100 * total / len(results)


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


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
