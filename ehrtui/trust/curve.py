"""What a threshold gives: the share of answers that are right, and of questions that are answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

BINS = 101


@dataclass(frozen=True)
class Curve:
    """Of questions with known answers, by confidence in whole percent (0 … 100): how many guesses were `right` and how
    many `wrong` (of questions that have an answer, or have none); `answerable` is how many questions have one."""

    right: tuple[int, ...]
    wrong: tuple[int, ...]
    answerable: int

    def __post_init__(self) -> None:
        """Raises ValueError where it is not a count for each percent."""
        counts = (*self.right, *self.wrong, self.answerable)
        if len(self.right) != BINS or len(self.wrong) != BINS or min(counts) < 0:
            raise ValueError("curve")

    def precision(self, threshold: float) -> float:
        """The share of the answers given at `threshold` that is right, in [0, 1]; 1 where none is given."""
        right, wrong = self._from(threshold)
        return right / (right + wrong) if right + wrong else 1.0

    def coverage(self, threshold: float) -> float:
        """The share of the answerable questions that is answered rightly at `threshold`, in [0, 1]."""
        return min(1.0, self._from(threshold)[0] / self.answerable) if self.answerable else 0.0

    def _from(self, threshold: float) -> tuple[int, int]:
        first = percent(threshold)
        return sum(self.right[first:]), sum(self.wrong[first:])


def percent(confidence: float) -> int:
    """A confidence in [0, 1] as the whole percent that it reaches."""
    return min(BINS - 1, max(0, int(confidence * 100 + 1e-9)))


def curve_of(guesses: Iterable[tuple[float, bool]], answerable: int) -> Curve:
    """The curve of (confidence, whether it was right) for every guess."""
    right, wrong = [0] * BINS, [0] * BINS
    for confidence, is_right in guesses:
        (right if is_right else wrong)[percent(confidence)] += 1
    return Curve(tuple(right), tuple(wrong), answerable)
