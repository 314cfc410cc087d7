from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.cache import cache_directory
from ehrtui.conversation.log import state_directory
from ehrtui.conversation.saved import find_session
from ehrtui.errors import SessionError, UsageError
from ehrtui.paths import is_file, is_there
from ehrtui.plans.user_tools import load_tools

TOO_LONG = "a" * 5_000
NOBODY = "~nobody-of-this-name/ehrtui"


@pytest.mark.parametrize("directory", [TOO_LONG, NOBODY])
def test_a_directory_that_cannot_be_is_refused_with_a_way_out(directory: str) -> None:
    for find in (state_directory, lambda state: cache_directory("demo", state)):
        with pytest.raises(UsageError) as caught:
            find(Path(directory))
        assert caught.value.why
        assert "--state" in caught.value.next_step


def test_a_directory_for_files_need_not_be_there_yet(tmp_path: Path) -> None:
    assert state_directory(tmp_path / "new") == tmp_path / "new"
    assert not (tmp_path / "new").exists()


def test_what_no_file_can_be_called_is_no_file_and_is_left_to_be_opened(tmp_path: Path) -> None:
    assert not is_file(tmp_path / TOO_LONG)
    assert not is_file(tmp_path)
    assert is_there(tmp_path / TOO_LONG)
    assert not is_there(tmp_path / "none")


def test_a_name_that_no_file_can_have_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="no session"):
        find_session(TOO_LONG, tmp_path)
    for name in (TOO_LONG, NOBODY):
        with pytest.raises(UsageError, match="no file of tools"):
            load_tools(name)
