from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import ConfigError, UsageError
from ehrtui.planning.claude.approach import Approach
from ehrtui.settings import DEFAULTS, Settings, check_settings, load_settings


def written(directory: Path, text: str | bytes) -> Path:
    path = directory / "config.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_what_the_file_leaves_out_stays_as_it_is(tmp_path: Path) -> None:
    path = written(tmp_path, "threshold = 0.5\n[limits]\nturn_seconds = 7\nresult_rows = 1000\n")
    assert load_settings(path) == Settings(threshold=0.5, turn_seconds=7, result_rows=1000)
    assert load_settings(written(tmp_path, "")) == DEFAULTS


def test_every_setting_has_a_key(tmp_path: Path) -> None:
    text = (
        'planner = "claude"\nthreshold = 0\ntools = "my.py"\nrepair = true\n'
        "[limits]\nturn_seconds = 0.5\nresult_rows = 1\nresult_bytes = 2\ndisk_bytes = 3\nreserve_bytes = 0\n"
    )
    assert load_settings(written(tmp_path, text)) == Settings("claude", 0, 0.5, 1, 2, 3, 0, "my.py", True)


def test_how_a_language_model_is_asked_may_be_said(tmp_path: Path) -> None:
    text = '[claude]\napi = "chat"\nbase_url = "http://127.0.0.1:1"\nmodel = "m"\nstrategy = "logic"\n'
    settings = load_settings(written(tmp_path, text))
    assert (settings.api, settings.base_url, settings.model) == ("chat", "http://127.0.0.1:1", "m")
    assert settings.approach == Approach("logic")


def test_the_users_own_file_is_read_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_settings(None) == DEFAULTS
    from platformdirs import user_config_path

    user_config_path("ehrtui").mkdir(parents=True)
    written(user_config_path("ehrtui"), "threshold = 0.9")
    assert load_settings(None).threshold == 0.9


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n# as ever\ntreshold = 0.5", 3),
        ("threshold = 2", 1),
        ("[limits]\n\nturn_seconds = 0", 3),
        ("threshold = 0.5\n[limit]\n", 2),
        ("[claude]\nrequests = 5\n[limits]\nrequests = 5", 4),
        ("threshold = 0.5\n[limits\n", 2),
    ],
)
def test_the_line_is_said(tmp_path: Path, text: str, line: int) -> None:
    (notice,) = load_settings(written(tmp_path, text)).notices
    assert f"line {line}" in notice


def test_every_line_that_is_wrong_is_told_and_the_others_count(tmp_path: Path) -> None:
    text = 'threshold = "high"\nfoo = 1\nrepair = true\n[limits]\nturn_seconds = -5\nresult_rows = 7\n'
    path = written(tmp_path, text)
    settings = load_settings(path)
    assert replace(settings, notices=()) == Settings(repair=True, result_rows=7)
    assert [notice.partition(": ")[0] for notice in settings.notices] == [f"{path}, line {n}" for n in (1, 2, 5)]
    assert "the default 0.7 stands" in settings.notices[0]
    assert "There is no key foo" in settings.notices[1]
    assert "the default 120.0 stands" in settings.notices[2]
    with pytest.raises(ConfigError) as raised:
        check_settings(settings)
    assert all(notice in str(raised.value) for notice in settings.notices)
    check_settings(DEFAULTS)


@pytest.mark.parametrize("wrong", ['[claude]\nbudget = "5"', "[claude]\nbudgt = 5", "[claud]\nbudget = 5"])
def test_where_a_language_model_is_not_asked_as_it_was_meant_none_is_asked(tmp_path: Path, wrong: str) -> None:
    settings = load_settings(written(tmp_path, f'planner = "claude"\n{wrong}\n'))
    assert (settings.planner, settings.doubts_model, len(settings.notices)) == ("offline", True, 2)
    other = load_settings(written(tmp_path, 'planner = "claude"\nthreshold = 7\n'))
    assert (other.planner, other.doubts_model, len(other.notices)) == ("claude", False, 1)


@pytest.mark.parametrize(
    ("text", "named", "said"),
    [
        ("treshold = 0.5", "treshold", "Did you mean threshold?"),
        ("[limit]\ndisk_bytes = 5", "limit", "Did you mean limits?"),
        ("[limits]\nturn_second = 5", "limits.turn_second", "Did you mean turn_seconds?"),
        ("disk_bytes = 5", "disk_bytes", "[limits]"),
        ("limits = 5", "limits", "[limits]"),
        ("[[limits]]\ndisk_bytes = 5", "limits", "no section"),
        ('threshold = "high"', "threshold", "from 0.0 to 1.0"),
        ("threshold = 1.5", "threshold", "from 0.0 to 1.0"),
        ("repair = 1", "repair", "true or false"),
        ("threshold = true", "threshold", "from 0.0 to 1.0"),
        ("planner = 3", "planner", "name of a planner"),
        ("[limits]\nturn_seconds = 0", "limits.turn_seconds", "seconds above 0"),
        ("[limits]\nturn_seconds = nan", "limits.turn_seconds", "seconds above 0"),
        ("[limits]\nturn_seconds = inf", "limits.turn_seconds", "seconds above 0"),
        ("[limits]\nresult_rows = -1", "limits.result_rows", "whole number of rows"),
        ("[limits]\nresult_bytes = 1.5", "limits.result_bytes", "whole number of bytes"),
        ("[limits]\ndisk_bytes = 99999999999999999999", "limits.disk_bytes", "whole number of bytes"),
        ("[limits]\nreserve_bytes = [1]", "limits.reserve_bytes", "whole number of bytes"),
        ('[claude]\napi = "soap"', "claude.api", '"messages" or "chat"'),
        ("[claude]\nstrategy = []", "claude.strategy", "one of agent, logic"),
        ("threshold = ", "config.toml", "not TOML"),
        (b"\xff\xfe", "config.toml", "not TOML"),
        ("a = " + "[" * 5000, "config.toml", "not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(tmp_path: Path, text: str | bytes, named: str, said: str) -> None:
    settings = load_settings(written(tmp_path, text))
    assert replace(settings, notices=(), doubts_model=False) == DEFAULTS
    (notice,) = settings.notices
    assert named in notice
    assert said in notice
    with pytest.raises(UsageError):
        check_settings(settings)


def test_a_file_that_is_not_there_or_cannot_be_read_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(ConfigError, match="cannot be read"):
            load_settings(path)


@given(st.text(max_size=60))
def test_no_text_does_more_than_a_notice(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = written(tmp_path_factory.mktemp("config"), text.encode("utf-8", "surrogatepass"))
    assert isinstance(load_settings(path), Settings)
