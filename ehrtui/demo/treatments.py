"""What is ordered during a visit because of its diagnoses: drugs, procedures and cultures."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from ehrtui.demo.dictionaries import ANY, Culture, Drug, Facts, fits
from ehrtui.demo.minutes import DAY, HOUR, optional_text, text
from ehrtui.demo.patient import Visit
from ehrtui.demo.sampling import some

PrescriptionRow: TypeAlias = "tuple[str, str | None, str, str, str, str]"
ProcedureRow: TypeAlias = "tuple[str, str]"
CultureRow: TypeAlias = "tuple[str, str, str | None]"

# Groups whose patients are always cultured, and several times.
_INFECTIOUS = frozenset({"sepsis", "pneumonia", "infection"})
_LUNGS = frozenset({"pneumonia", "respiratory failure"})
_WOUNDS = frozenset({"infection", "surgery", "trauma", "diabetes"})
# The groups that specimens of one site are taken for; the others are taken from anybody.
_SITES = {
    "bronchoalveolar lavage": _LUNGS,
    "bronchial washings": _LUNGS,
    "mini-bal": _LUNGS,
    "pleural fluid": frozenset({"pneumonia", "cancer", "heart failure"}),
    "peritoneal fluid": frozenset({"liver", "gi"}),
    "bile": frozenset({"gi", "liver", "pancreatitis"}),
    "csf;spinal fluid": frozenset({"neurological", "stroke"}),
    "dialysis fluid": frozenset({"renal failure"}),
    "bone marrow": frozenset({"cancer", "coagulopathy"}),
    "biopsy": frozenset({"cancer"}),
    "tissue": _WOUNDS,
    "abscess": _WOUNDS,
    "joint fluid": _WOUNDS,
    "foot culture": _WOUNDS,
}


def prescription_rows(chance: Random, facts: Facts, visit: Visit) -> list[PrescriptionRow]:
    """(startdate, enddate, drug, dose, unit, route) of a visit, by start; the end is None where it is still to come."""
    days = (visit.ended - visit.admitted) / DAY
    specific = [drug for drug in facts.drugs if not drug.groups.isdisjoint(visit.conditions)]
    general = [drug for drug in facts.drugs if ANY in drug.groups]
    drugs = some(chance, specific, int(4 + min(days, 14) * chance.uniform(0.5, 1.2)))
    drugs += some(chance, general, int(3 + min(days, 14) * chance.uniform(0.2, 0.6)))
    rows: list[PrescriptionRow] = []
    for drug in drugs:
        rows += _orders(chance, drug, visit)
    rows.sort(key=lambda row: row[0])
    return rows


def procedure_rows(chance: Random, facts: Facts, visit: Visit) -> list[ProcedureRow]:
    """(code, charttime) of the procedures of a visit, by time."""
    possible = [procedure for procedure in facts.procedures if fits(procedure.groups, visit.conditions)]
    done = some(chance, possible, chance.choices((0, 1, 2, 3, 4, 6), (12, 22, 24, 20, 14, 8))[0])
    times = sorted(chance.randint(visit.admitted, visit.ended) for _ in done)
    return [(procedure.code, text(time)) for procedure, time in zip(done, times, strict=True)]


def culture_rows(chance: Random, facts: Facts, visit: Visit) -> list[CultureRow]:
    """(charttime, specimen, organism or None) of a visit, by time; a specimen grows the same organism all along."""
    infectious = not visit.conditions.isdisjoint(_INFECTIOUS)
    if not infectious and chance.random() < 0.4:
        return []
    rows: list[CultureRow] = []
    # Earlier specimens of the dictionary are the commoner ones.
    for place, culture in enumerate(facts.cultures):
        site = _SITES.get(culture.specimen)
        often = 1.5 / (place + 4) if site is None else 0.0 if site.isdisjoint(visit.conditions) else 0.12
        if chance.random() < often * (2 if infectious else 1):
            rows += _cultures(chance, culture, visit)
    rows.sort(key=lambda row: row[0])
    return rows


def _orders(chance: Random, drug: Drug, visit: Visit) -> list[PrescriptionRow]:
    """One drug: from some midnight of the visit for its usual days, and sometimes again with another dose."""
    rows: list[PrescriptionRow] = []
    began = visit.admitted + int((visit.ended - visit.admitted) * chance.random() ** 2 * 0.9)
    factor = 1.0
    while True:
        began = max(visit.admitted, began // DAY * DAY)
        stopped = (began // DAY + max(1, drug.days + chance.randint(-1, 1))) * DAY
        ended = min(stopped, visit.ended)
        until = None if visit.current and stopped > visit.ended else ended
        rows.append((text(began), optional_text(until), drug.drug, _dose(drug.dose, factor), drug.unit, drug.route))
        began = ended + DAY * chance.randint(0, 2)
        if chance.random() > 0.3 or began + 2 * HOUR > visit.ended:
            return rows
        factor = chance.choice((1.0, 1.0, 0.5, 2.0))


def _dose(dose: str, factor: float) -> str:
    """`factor` times a dose; doses that are no number ("1-2") stay."""
    try:
        return str(round(float(dose) * factor, 3))
    except ValueError:
        return dose


def _cultures(chance: Random, culture: Culture, visit: Visit) -> list[CultureRow]:
    grown = chance.choices(culture.organisms, culture.weights)[0] if culture.organisms else None
    rows: list[CultureRow] = []
    for _ in range(chance.choices((1, 2, 3, 4), (50, 28, 15, 7))[0]):
        time = chance.randint(visit.admitted, visit.ended)
        rows.append((text(time), culture.specimen, None if chance.random() < culture.negative_share else grown))
    return rows
