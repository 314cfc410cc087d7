"""Who the patients of the demo are: when they come to hospital, with what, and when they die."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from ehrtui.demo.dictionaries import Diagnosis, Facts
from ehrtui.demo.minutes import DAY, HOUR, NOW, day_of
from ehrtui.demo.sampling import some

FIRST_SUBJECT = 10001
# Conditions that go along with others, and are no reason to come to hospital.
BACKGROUND = ("history", "chronic", "hypertension", "electrolyte")
CURRENT_EVERY = 10


@dataclass(frozen=True)
class Visit:
    """One hospital stay. Instants are minutes (see `clock`); a current visit ends at `NOW`, for the time being."""

    admitted: int
    ended: int
    current: bool
    deadly: bool
    age: int
    diagnoses: tuple[Diagnosis, ...]
    conditions: frozenset[str]

    @property
    def discharged(self) -> int | None:
        """When it ended; None while current."""
        return None if self.current else self.ended


@dataclass(frozen=True)
class Patient:
    """One patient with all visits in their order; `died` in minutes."""

    subject_id: int
    sex: str
    born: date
    died: int | None
    visits: tuple[Visit, ...]


def chance_of(seed: int, index: int) -> Random:
    """The source of everything that happens to patient `index`, whatever the number of patients."""
    return Random(f"{seed}/{index}")


def patient(chance: Random, index: int, facts: Facts) -> Patient:
    """Patient `index` (from 0); every tenth, the first among them, is in hospital now."""
    current = index % CURRENT_EVERY == 0
    stays = _stays(chance, current)
    sex = "m" if chance.random() < 0.55 else "f"
    age = min(90, max(18, round(chance.gauss(64, 17))))
    born = _birthday(day_of(stays[0][0]), age) - timedelta(days=chance.randrange(365))
    acute, lasting = _illness(chance, facts, sex, age)
    deadly = not current and chance.random() < 0.05 + 0.003 * max(0, age - 40)
    visits = []
    for admitted, ended in stays:
        last = ended == stays[-1][1]
        diagnoses = _diagnoses(chance, acute, lasting)
        visits.append(
            Visit(
                admitted=admitted,
                ended=ended,
                current=current and last,
                deadly=deadly and last,
                age=_age(born, day_of(admitted)),
                diagnoses=diagnoses,
                conditions=frozenset(diagnosis.group for diagnosis in diagnoses),
            )
        )
    died = visits[-1].ended if deadly else None if current else _death_at_home(chance, visits[-1])
    return Patient(FIRST_SUBJECT + index, sex, born, died, tuple(visits))


def _stays(chance: Random, current: bool) -> list[tuple[int, int]]:
    """From – to of each visit, in order: the last one is drawn first, then those before it."""
    length = _length(chance)
    if current:
        stays = [(NOW - max(8 * HOUR, int(length * chance.uniform(0.1, 0.9))), NOW)]
    else:
        # More patients in the later years, as if the hospital had grown.
        admitted = DAY + int((NOW - 2 * DAY - length) * chance.random() ** 0.6)
        stays = [(admitted, admitted + length)]
    for _ in range(chance.choices((0, 1, 2, 3, 5), (70, 18, 7, 3, 2))[0]):
        soon = chance.random() < 0.35
        ended = stays[0][0] - int(DAY * (chance.uniform(1, 30) if soon else chance.uniform(30, 500)))
        admitted = ended - _length(chance)
        if admitted < DAY:
            break
        stays.insert(0, (admitted, ended))
    return stays


def _length(chance: Random) -> int:
    """The length of a stay in minutes: a median of five days, 16 hours to 45 days."""
    return int(DAY * min(45.0, max(0.7, chance.lognormvariate(1.55, 0.7))))


def _illness(chance: Random, facts: Facts, sex: str, age: int) -> tuple[list[Diagnosis], list[Diagnosis]]:
    """What a patient may come to hospital with, and what is diagnosed at (nearly) every visit."""
    possible = {
        group: [diagnosis for diagnosis in diagnoses if diagnosis.befalls(sex, age)]
        for group, diagnoses in facts.diagnoses_of.items()
    }
    reasons = [group for group in possible if group not in BACKGROUND and possible[group]]
    weights = [sum(diagnosis.weight for diagnosis in possible[group]) for group in reasons]
    groups = set(chance.choices(reasons, weights, k=chance.choices((1, 2, 3), (30, 45, 25))[0]))
    acute = [diagnosis for group in reasons if group in groups for diagnosis in possible[group]]
    background = [diagnosis for group in BACKGROUND for diagnosis in possible.get(group, [])]
    lasting = some(chance, acute, chance.randint(1, 3)) + some(chance, background, chance.randint(1, 5))
    return acute, lasting


def _diagnoses(chance: Random, acute: list[Diagnosis], lasting: list[Diagnosis]) -> tuple[Diagnosis, ...]:
    """The diagnoses of one visit: some new ones, and most of the lasting ones again."""
    again = [diagnosis for diagnosis in lasting if chance.random() < 0.85]
    return tuple(dict.fromkeys(some(chance, acute, chance.randint(1, 4)) + again))


def _death_at_home(chance: Random, last: Visit) -> int | None:
    """Midnight of the day on which the patient died after the last visit; None while alive."""
    if chance.random() > 0.05 + 0.002 * last.age:
        return None
    days_later = 1 + int(chance.expovariate(1 / 250))
    died = (last.ended // DAY + days_later) * DAY
    return died if died <= NOW else None


def _birthday(day: date, years: int) -> date:
    """The day `years` before `day`; 28 February for a leap day."""
    return date(day.year - years, day.month, min(day.day, 28) if day.month == 2 else day.day)


def _age(born: date, day: date) -> int:
    """Full years of age."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
