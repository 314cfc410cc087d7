import pytest

from ehrtui.shipped import shipped
from ehrtui.tui.themes import DEFAULT, load_themes

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
