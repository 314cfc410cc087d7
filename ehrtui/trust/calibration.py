"""Calibrations of the user's own: one file for each schema family, in place of the shipped estimator."""

from __future__ import annotations

import re
from pathlib import Path

from ehrtui.trust.estimator import Estimator, read_estimator, shipped_estimator


def calibration_path(folder: Path, family: str) -> Path:
    """Where the calibration for databases of a schema family (a profile's name) is kept."""
    return folder / (re.sub(r"[^a-z0-9]+", "-", family.lower()).strip("-") + ".toml")


def estimator_for(folder: Path, family: str) -> Estimator:
    """The user's own calibration for the family, or the shipped one. Raises CalibrationError where it is broken."""
    path = calibration_path(folder, family)
    return read_estimator(path) if path.is_file() else shipped_estimator()
