"""A conversation over the five-patient EHR."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.engines.conftest import write
from tests.small_mimic import NOW

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from tests.conversation.talk import Talk


@pytest.fixture
def conversation(mimic_path: Path, tmp_path: Path) -> Iterator[Conversation]:
    """A saved conversation at `NOW`; its session file lies below tmp_path / "state"."""
    from ehrtui.conversation.start import start  # here, so that tests that need no conversation do not load it

    opened = start(str(mimic_path), now=NOW, state=tmp_path / "state")
    yield opened
    opened.close()


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """Turns over the ward, none yet."""
    from tests.conversation.talk import WARD, Talk

    talk = Talk(write(tmp_path / "ward.db", WARD))
    yield talk
    talk.engine.close()
    talk.plain.close()
