"""Fixtures that every room's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import small_mimic


@pytest.fixture
def mimic_path(tmp_path: Path) -> Path:
    """A file of its own with the five-patient EHR that `tests/small_mimic.py` describes."""
    return small_mimic.build(tmp_path / "small_mimic.sqlite")
