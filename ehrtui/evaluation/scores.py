"""Scores over asked questions: EX, people's EX, SR, CR, precision and coverage, RS(c), HCAcc@k, F1, latency."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles
from typing import TypeVar

from ehrtui.evaluation.curves import area_under_roc, calibration_error
from ehrtui.evaluation.rightness import Rows
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

    `answerable` is False where the database cannot answer; with `empty`, there is nothing to be found. `correct` says
    that the answer, or the best guess where `answered` is False, is a right one, `people` that people see a right one
    among the columns shown. `ran` says whether a plan ran to its end, `declined` whether the planner gave a reason not
    to answer that no threshold changes. `level` is that of `levels.level_of`; `ms` the time of planning, linking
    included. `guess` is None where there is neither an answer nor a best guess, `doubts` where the confidence does not
    come from doubts alone, `f1` (of the patients) where the file names no patients. `requests` to a language model took
    so many `tokens`.
    """

    case: str
    turn: int
    question: str
    family: str
    level: int
    answerable: bool
    empty: bool
    answered: bool
    correct: bool
    people: bool
    ran: bool
    declined: bool
    confidence: float
    ms: float
    logic: str | None = None
    reason: str = ""
    gold: Sample | None = None
    guess: Sample | None = None
    doubts: tuple[Doubt, ...] | None = None
    f1: float | None = None
    requests: int = 0
    tokens: int = 0

    @property
    def may_decline(self) -> bool:
        """Whether it is right not to answer."""
        return self.empty or not self.answerable

    @property
    def right(self) -> bool:
        """The answer or best guess is a right one, or was rightly withheld."""
        return self.correct or self.rightly_withheld

    @property
    def people_right(self) -> bool:
        """As `right`, of what people see."""
        return self.people or self.rightly_withheld

    @property
    def rightly_withheld(self) -> bool:
        """There is nothing to answer, and it was not answered."""
        return self.may_decline and not self.answered

    @property
    def wrong(self) -> bool:
        """An answer was given that is not a right one."""
        return self.answered and not self.correct


@dataclass(frozen=True)
class Scores:
    """Shares are in [0, 1]; over no question at all, they are 0.

    Over the answerable: `ex`, the best guess is right; `sr`, it was answered, and rightly; `cr`, a plan ran to its end
    (EHRAgent's success and completion rate); `coverage`, it was answered. Over the answers shown: `precision`, the
    share that is right, and `wrong_shown`, that which is not; `auroc`, how well the confidence parts the two (None
    where all are alike). `people_ex`, `people_sr` and `people_wrong_shown` go by what people see. `rejected` is the
    share of the unanswerable that was declined, or said to be empty where that is so. `rs` maps penalties ("0", "5",
    "10", and "N", the number of questions) to percent (EHRSQL-2024), `hcacc` percents k to shares (TrustEHRAgent §4).
    `ece` is the expected calibration error of all guesses, `f1` the mean F1 of the patients (None where the file names
    none), `requests` and `tokens` the means of what a language model took.
    """

    questions: int
    answerable: int
    ex: float
    people_ex: float
    sr: float
    people_sr: float
    cr: float
    precision: float
    wrong_shown: float
    people_wrong_shown: float
    coverage: float
    rejected: float
    rs: dict[str, float]
    hcacc: dict[int, float]
    auroc: float | None
    ece: float
    f1: float | None
    p50_ms: float
    p95_ms: float
    requests: float
    tokens: float


def scores(results: Sequence[Scored]) -> Scores:
    """The scores of any number of results."""
    answerable = [one for one in results if one.answerable]
    impossible = [one for one in results if not one.answerable]
    answered = [one for one in results if one.answered]
    cohorts = [one.f1 for one in results if one.f1 is not None]
    p50, p95 = _latency(results)
    return Scores(
        questions=len(results),
        answerable=len(answerable),
        ex=_share(answerable, lambda one: one.right),
        people_ex=_share(answerable, lambda one: one.people_right),
        sr=_share(answerable, lambda one: one.answered and one.correct),
        people_sr=_share(answerable, lambda one: one.answered and one.people),
        cr=_share(answerable, lambda one: one.ran),
        precision=_share(answered, lambda one: one.correct),
        wrong_shown=_share(answered, lambda one: one.wrong),
        people_wrong_shown=_share(answered, lambda one: not one.people),
        coverage=_share(answerable, lambda one: one.answered),
        rejected=_share(impossible, lambda one: one.right),
        rs={**{str(c): reliability(results, c) for c in PENALTIES}, "N": reliability(results, len(results))},
        hcacc={k: hcacc(answerable, k / 100) for k in SHARES},
        auroc=area_under_roc([(one.confidence, one.correct) for one in answered]),
        ece=calibration_error([(one.confidence, one.correct) for one in results if one.ran]),
        f1=fmean(cohorts) if cohorts else None,
        p50_ms=p50,
        p95_ms=p95,
        requests=fmean(one.requests for one in results) if results else 0.0,
        tokens=fmean(one.tokens for one in results) if results else 0.0,
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
        elif one.answered or one.may_decline:
            total += 1
    return 100 * total / len(results) if results else 0.0


def hcacc(answerable: Sequence[Scored], k: float) -> float:
    """HCAcc@k: the largest share of all questions answered correctly at a confidence threshold where at least the share
    `k` of the answered ones is correct (TrustEHRAgent §4)."""
    best, right = 0.0, 0
    ordered = sorted(answerable, key=lambda one: -one.confidence)
    for count, one in enumerate(ordered, start=1):
        right += one.correct
        last_of_its_confidence = count == len(ordered) or ordered[count].confidence < one.confidence
        if last_of_its_confidence and right >= k * count:
            best = max(best, right / len(ordered))
    return best


def _latency(results: Sequence[Scored]) -> tuple[float, float]:
    """The milliseconds that half, and 95 %, of the questions keep to."""
    times = [one.ms for one in results] or [0.0]
    cuts = quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    return cuts[9], cuts[18]


def _share(whole: Sequence[Scored], holds: Callable[[Scored], bool]) -> float:
    return sum(holds(one) for one in whole) / len(whole) if whole else 0.0
