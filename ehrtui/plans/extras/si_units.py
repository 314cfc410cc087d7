"""Laboratory values in SI units.

Factors: AMA Manual of Style, 11th edition (Oxford University Press, 2020), chapter 17, "Units of Measure": conversions
of conventional to SI units.
"""

from __future__ import annotations

from ehrtui.plans.user_tools import user_tool

_FACTORS = {
    "albumin": ("g/dL", 10.0, "g/L"),
    "bilirubin": ("mg/dL", 17.104, "µmol/L"),
    "calcium": ("mg/dL", 0.25, "mmol/L"),
    "cholesterol": ("mg/dL", 0.0259, "mmol/L"),
    "creatinine": ("mg/dL", 88.4, "µmol/L"),
    "glucose": ("mg/dL", 0.0555, "mmol/L"),
    "hemoglobin": ("g/dL", 10.0, "g/L"),
    "urea nitrogen": ("mg/dL", 0.357, "mmol/L"),
}


def to_si(analyte: str, value: float | None) -> float | None:
    """A laboratory value in SI units (AMA Manual of Style, 11th edition): albumin and hemoglobin g/dL to g/L; bilirubin
    and creatinine mg/dL to µmol/L; calcium, cholesterol, glucose and urea nitrogen mg/dL to mmol/L."""
    if analyte.strip().lower() not in _FACTORS:
        raise ValueError(f"{analyte!r} is none of {', '.join(_FACTORS)}.")
    return None if value is None else value * _FACTORS[analyte.strip().lower()][1]


TOOLS = [user_tool(to_si, 'to_si("creatinine", 1.2)')]
