"""Keys of the user's own: a file and its presets, and what is said of what it cannot say."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.tui.key_map import FILE, PRESETS, keys_of, load_key_map
from ehrtui.tui.keys import KEYS
from tests.tui import keys_page
from tests.tui.conftest import ask, opened, seen, type_text, until


def written(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_text(text)
    return folder / FILE


def names(changed: dict[str, str], place: str) -> dict[str, str]:
    return {key.keys: keys_of(key, changed) for key in KEYS if key.place == place and key.id in changed}


def test_without_a_file_every_key_is_as_it_was(tmp_path: Path):
    assert load_key_map(tmp_path / FILE) == ({}, ())
    assert all(keys_of(key, {}) == key.keys for key in KEYS)


def test_a_key_is_named_by_the_one_that_does_it_by_default(tmp_path: Path):
    path = written(tmp_path, '[everywhere]\n"ctrl+r" = "f5, ctrl+x"\n[conversation]\nr = "y"\n')
    changed, notices = load_key_map(path)
    assert notices == ()
    assert names(changed, "everywhere") == {"f5,ctrl+r": "f5,ctrl+x"}
    assert names(changed, "conversation") == {"r": "y"}


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_change_keys_that_are_there_and_none_does_two_things(tmp_path: Path, preset: str):
    changed, notices = load_key_map(written(tmp_path, f'preset = "{preset}"'))
    assert notices == ()
    assert len(changed) == sum(map(len, PRESETS[preset].values()))


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('preset = "emacs"', 1, "no such preset"),
        ("[everywhere]\n\nf13 = 'a'", 3, "f13 does nothing there"),
        ("\n[nowhere]\nx = 'y'", 2, "no place nowhere"),
        ("[duck]\nn = 7", 2, "Keys are text"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_line_and_the_default_stays(
    tmp_path: Path, text: str, line: int, why: str
):
    changed, (notice,) = load_key_map(written(tmp_path, text))
    assert changed == {}
    assert f"line {line}: " in notice
    assert why in notice


def test_two_things_for_one_key_and_what_is_no_toml_are_said(tmp_path: Path):
    assert "would do two things in Conversation" in load_key_map(written(tmp_path, '[conversation]\nr = "d"'))[1][0]
    changed, (notice,) = load_key_map(written(tmp_path, "[conversation\n"))
    assert (changed, "were not read" in notice) == ({}, True)


async def test_the_explorer_obeys_them_and_its_footer_and_help_name_them(make_app, tmp_path: Path):
    written(tmp_path / "config", 'preset = "vim"\n[everywhere]\nf4 = "ctrl+x"\n[prompt]\nup = "ctrl+n"\n')
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        await ask(pilot, "select subject_id from patients")
        await ask(pilot, "select gender from patients")
        assert "^X answer" in seen(app)
        await pilot.press("f3", "k")
        await until(pilot, lambda: desk.shown == 1)
        await pilot.press("f4")
        assert app.screen.query_one("#conversation").has_focus
        await pilot.press("ctrl+x", "j", "j")
        await until(pilot, lambda: "3 of 5 rows" in seen(app))
        await pilot.press("G")
        await until(pilot, lambda: "5 of 5 rows" in seen(app))
        await pilot.press("g")
        await until(pilot, lambda: "1 of 5 rows" in seen(app))
        await pilot.press("escape", "ctrl+n")
        assert app.screen.query_one("Prompt").text == "select gender from patients"
        await pilot.press("f1")
        await until(pilot, lambda: "^X" in seen(app))
        await pilot.press("escape")
        await type_text(pilot, "jk")
        assert app.screen.query_one("Prompt").text.endswith("jk")


def test_every_key_place_and_preset_is_documented():
    page = keys_page.PAGE.read_text("utf-8")
    assert page == keys_page.page()
    assert [preset for preset in PRESETS if f'"{preset}"' not in page and f"`{preset}`" not in page] == []
