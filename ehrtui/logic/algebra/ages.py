"""How old patients are: now, or at death, where the database tells that; else at their first stay."""

from __future__ import annotations

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, Measure, Own, Pick, Picked, Set
from ehrtui.schema.profile import Profile


def age_of_patients(profile: Profile) -> Measure:
    """The measure of a patient's age that a profile allows."""
    if "age" in profile.role(PATIENT).fields:
        return Own("age")
    return Picked(Own("age"), Set(HOSPITAL if "hospital" in profile.stays else ICU, pick=Pick()))
