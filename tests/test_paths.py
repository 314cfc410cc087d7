from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ehrtui.cache import cache_directory
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.conversation.start import new_log
from ehrtui.errors import SessionError, UsageError
from ehrtui.paths import is_file, is_there, keep_private, make_private
from ehrtui.plans.user_tools import load_tools
from ehrtui.privacy.consent import Consents
from ehrtui.session.log import state_directory
from ehrtui.session.saved import find_session

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


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o022, 0o077, 0o277, 0o777])
def test_what_is_made_is_for_its_owner_alone_under_any_umask(mimic_path: Path, tmp_path: Path, mask: int) -> None:
    state = tmp_path / "above" / "state"
    with umask(mask):
        database = open_database(str(mimic_path), now=None, profile=None, planner="offline", state=state)
        log = new_log(database, state)
        conversation = Conversation(database, threshold=0.7, log=log, release=database.close)
        conversation.run(conversation.propose("SELECT 1"))
        conversation.close()
        Consents(state / "consent.json").give("a", "b")
    made = [tmp_path / "above", state, state / "sessions"]
    assert [oct(mode(path)) for path in made] == ["0o700"] * 3
    assert [oct(mode(path)) for path in (log.path, state / "consent.json")] == ["0o600"] * 2


def test_a_directory_of_the_user_keeps_its_mode_and_what_ehrtui_keeps_in_it_is_closed(tmp_path: Path) -> None:
    given, sessions = tmp_path / "given", tmp_path / "given" / "sessions"
    for directory in (given, sessions):
        directory.mkdir()
        directory.chmod(0o755)
    keep_private(sessions)
    assert make_private(given) == given
    assert (mode(given), mode(sessions)) == (0o755, 0o700)


def test_the_directory_that_nobody_named_is_closed_where_it_was_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "ehrtui").mkdir()
    (tmp_path / "ehrtui").chmod(0o755)
    assert mode(state_directory(None)) == 0o700
