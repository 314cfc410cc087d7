"""Turns over a small ward."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.engines.conftest import write

if TYPE_CHECKING:
    from tests.tokens.talk import Talk


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """Turns over the ward, none yet."""
    from tests.tokens.talk import WARD, Talk

    talk = Talk(write(tmp_path / "ward.db", WARD))
    yield talk
    talk.engine.close()
    talk.plain.close()
