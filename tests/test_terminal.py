from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ehrtui.terminal import printable

HOSTILE = (
    "\x1b]52;c;aGk=\x07\x9b2J\x00\x7f\r\u202e\u2066\u200f\u061c\u200b\u2028\u2029\ufeff\u00ad\U000e0041\ud800\ufff9"
)


@given(st.text())
def test_what_is_printable_cannot_steer_a_terminal(text: str) -> None:
    for lines, kept in ((False, ""), (True, "\n\t")):
        shown = printable(text, lines=lines)
        assert len(shown) == len(text)
        for before, after in zip(text, shown, strict=True):
            assert after in kept or after == "�" or unicodedata.category(after)[0] not in "C"
            assert before == after or not before.isprintable()


def test_every_character_of_control_and_format_is_seen() -> None:
    shown = printable(HOSTILE)
    assert shown.startswith("␛]52;c;aGk=␇�2J␀�␍�")
    assert not set(shown) & set(HOSTILE.replace("]52;c;aGk=", "").replace("2J", ""))
    assert not any(unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp") for one in shown)


def test_words_of_any_script_and_blanks_stay() -> None:
    text = "naïve 患者 Παρά\u00a0मरीज\u3000🙂"
    assert printable(text) == text
    assert printable("a\tb\nc\r\n", lines=True) == "a\tb\nc␍\n"
