"""Names in quotation marks are those that are stored, and no concepts."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner


@pytest.mark.parametrize("quoted", ["'chf nos'", '"chf nos"', "“chf nos”"])
def test_a_name_in_quotation_marks_is_that_name_alone(planner: OfflinePlanner, quoted: str) -> None:
    logic = planner.propose(f"how many patients had the diagnosis {quoted}?", ()).logic or ""
    assert 'diagnosis "chf nos"' in logic
    assert "concept" not in logic
