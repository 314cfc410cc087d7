"""Everything that the database holds about one patient, as rows."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ehrtui.demo.charts import Body, body, fluid_rows, vital_rows
from ehrtui.demo.dictionaries import Facts
from ehrtui.demo.labs import lab_rows
from ehrtui.demo.minutes import optional_text, text
from ehrtui.demo.patient import Patient, Visit, chance_of, patient
from ehrtui.demo.treatments import culture_rows, prescription_rows, procedure_rows
from ehrtui.demo.wards import IcuStay, Move, icu_stays, moves
from ehrtui.demo.writing import Rows
from ehrtui.engines.engine import Row

DEAD = "dead/expired"
MEDICARE = "medicare"
REFERRED = "phys referral/normal deli"
MOST_PATIENTS = 100_000
_MOST_VISITS = 8
_MOST_ICU_STAYS = 2
_FIRST_VISIT = 100_000
_FIRST_ICU_STAY = 1_000_000
# Odd and no multiple of five: it scatters the numbers of visits without ever giving one twice.
_SCATTER = 514_229


@dataclass(frozen=True)
class Person:
    """What stays the same over a patient's visits; None where it was not recorded."""

    body: Body
    insurance: str
    language: str | None
    marital_status: str | None
    ethnicity: str


def add_patient(rows: Rows, facts: Facts, seed: int, index: int) -> None:
    """Add patient `index` (0 … `MOST_PATIENTS` - 1) with all visits and events."""
    chance = chance_of(seed, index)
    one = patient(chance, index, facts)
    person = _person(chance, facts, one)
    rows.add("patients", (one.subject_id,), [(one.sex, f"{one.born} 00:00:00", optional_text(one.died))])
    for place, visit in enumerate(one.visits):
        serial = (index * _MOST_VISITS + place) * _SCATTER % (MOST_PATIENTS * _MOST_VISITS)
        hadm_id = _FIRST_VISIT + serial
        rows.add("admissions", (one.subject_id, hadm_id), [_admission_row(chance, facts, person, visit)])
        _add_events(rows, chance, facts, visit, (one.subject_id, hadm_id))
        bed_moves = moves(chance, facts, visit)
        stays = icu_stays(visit, bed_moves, _FIRST_ICU_STAY + _MOST_ICU_STAYS * serial)
        rows.add("icustays", (one.subject_id, hadm_id), [_icu_row(stay) for stay in stays])
        rows.add("transfers", (one.subject_id, hadm_id), _transfer_rows(visit, bed_moves, stays))
        for stay in stays:
            icu = (one.subject_id, hadm_id, stay.number)
            rows.add("chartevents", icu, vital_rows(chance, facts, visit, stay, person.body))
            rows.add("inputevents_cv", icu, fluid_rows(chance, facts, stay, "inputevents_cv"))
            rows.add("outputevents", icu, fluid_rows(chance, facts, stay, "outputevents"))


def _person(chance: Random, facts: Facts, one: Patient) -> Person:
    places = facts.places
    old = one.visits[0].age >= 65
    return Person(
        body=body(chance, one.sex),
        insurance=MEDICARE if old and chance.random() < 0.85 else places["insurance"].pick(chance),
        language=places["language"].pick(chance) or None,
        marital_status=places["marital_status"].pick(chance) or None,
        ethnicity=places["ethnicity"].pick(chance),
    )


def _admission_row(chance: Random, facts: Facts, person: Person, visit: Visit) -> Row:
    """The row of a visit in `admissions`, from its admission time on."""
    kind = facts.places["admission_type"].pick(chance)
    origin = facts.places["admission_location"].pick(chance)
    destination = facts.places["discharge_location"].pick(chance)
    return (
        text(visit.admitted),
        optional_text(visit.discharged),
        kind,
        REFERRED if kind == "elective" else origin,
        None if visit.current else DEAD if visit.deadly else destination,
        person.insurance,
        person.language,
        person.marital_status,
        person.ethnicity,
        visit.age,
    )


def _add_events(rows: Rows, chance: Random, facts: Facts, visit: Visit, owner: Row) -> None:
    """Add what belongs to the hospital stay as a whole."""
    admitted = text(visit.admitted)
    diagnoses: list[Row] = [(diagnosis.code, admitted) for diagnosis in visit.diagnoses]
    rows.add_priced("diagnoses_icd", owner, diagnoses, name=0, time=1)
    rows.add_priced("procedures_icd", owner, procedure_rows(chance, facts, visit), name=0, time=1)
    prescriptions = prescription_rows(chance, facts, visit)
    rows.add_priced("prescriptions", owner, prescriptions, name=2, time=0)
    drugs = {prescription[2] for prescription in prescriptions}
    rows.add_priced("labevents", owner, lab_rows(chance, facts, visit, drugs), name=0, time=1)
    rows.add("microbiologyevents", owner, culture_rows(chance, facts, visit))


def _icu_row(stay: IcuStay) -> Row:
    first, last = stay.moves[0], stay.moves[-1]
    return stay.number, first.unit, last.unit, first.ward, last.ward, text(stay.began), optional_text(stay.ended)


def _transfer_rows(visit: Visit, bed_moves: tuple[Move, ...], stays: tuple[IcuStay, ...]) -> list[Row]:
    """One row for each move, and one for the discharge."""
    stay_of = {move.began: stay.number for stay in stays for move in stay.moves}
    found: list[Row] = [
        (
            stay_of.get(move.began),
            "transfer" if place else "admit",
            move.unit,
            move.ward,
            text(move.began),
            optional_text(move.ended),
        )
        for place, move in enumerate(bed_moves)
    ]
    if not visit.current:
        found.append((None, "discharge", None, None, text(visit.ended), None))
    return found
