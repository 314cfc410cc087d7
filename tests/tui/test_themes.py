import pytest

from ehrtui.shipped import shipped
from ehrtui.tui.themes import DEFAULT, choose_theme, load_themes
from tests.tui.conftest import opened

GOOD = '[colors]\nprimary = "#00ff00"\n'


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_shipped_themes_load_without_notices():
    themes, notices = load_themes(shipped("themes"))
    assert not notices
    names = {theme.name for theme in themes}
    assert DEFAULT in names
    assert len(names) >= 8
    page = (shipped("themes") / ".." / "docs" / "themes.md").resolve().read_text("utf-8")
    assert [name for name in names if f"`{name}`" not in page] == []
    assert {theme.dark for theme in themes} == {True, False}


def test_the_users_theme_replaces_a_shipped_one_of_its_name(tmp_path):
    themes, notices = load_themes(shipped("themes"), write(tmp_path, ward=GOOD, mine=GOOD))
    by_name = {theme.name: theme for theme in themes}
    assert by_name["ward"].primary == by_name["mine"].primary == "#00ff00"
    assert not notices


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[colors\n", "not TOML"),
        ("dark = true\n", "no [colors]"),
        ("[colors]\nsecondary = 'red'\n", "with a primary"),
        ("[colors]\nprimary = 'no such colour'\n", "the colour of primary"),
        ("[colors]\nprimary = 3\n", "the colour of primary"),
        ("[colors]\nprimary = '#fff'\nglow = '#fff'\n", "'glow' is not one of"),
        ("dark = 'yes'\n" + GOOD, "neither true nor false"),
        ("css = 'x'\n" + GOOD, "'css' is not a setting"),
        ("# " + "x" * 20_000, "larger than"),
    ],
)
def test_a_malformed_theme_is_left_out_with_a_notice(tmp_path, text, words):
    themes, notices = load_themes(write(tmp_path, good=GOOD, bad=text))
    assert [theme.name for theme in themes] == ["good"]
    assert len(notices) == 1
    assert "bad.toml" in notices[0]
    assert words in notices[0]


def test_a_file_that_is_not_text_is_left_out(tmp_path):
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    themes, notices = load_themes(tmp_path)
    assert not themes
    assert "cannot be read" in notices[0]


def test_a_folder_that_is_not_there_has_no_themes(tmp_path):
    assert load_themes(tmp_path / "none") == ([], [])


async def test_a_theme_is_shown_anew_when_its_file_changes(make_app, tmp_path):
    folder = tmp_path / "config" / "themes"
    folder.mkdir(parents=True)
    write(folder, mine=GOOD)
    (tmp_path / "state").mkdir()
    choose_theme(tmp_path / "state", "mine")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert app.theme_variables["primary"] == "#00FF00"
        app.reread_themes()
        assert not app._notifications
        write(folder, mine='[colors]\nprimary = "#ffffff"  # another\n', bad="no theme")
        app.reread_themes()
        await pilot.pause()
        assert app.theme_variables["primary"] == "#FFFFFF"
        assert any("bad.toml" in one.message for one in app._notifications)
        (folder / "mine.toml").unlink()
        app.reread_themes()  # as it was, until another is chosen
        assert app.theme == "mine"
