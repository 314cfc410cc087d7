import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.tui.highlighting import CLASSES, MAX_CHARS, spans


def classes(language, line):
    return {line[start:end]: kind for start, end, kind in spans(language, line)[0]}


def test_sql_has_keywords_strings_numbers_and_references():
    found = classes("sql", "SELECT 'x' FROM labevents WHERE a IN (PREV_RESULT1) AND b > 12")
    assert found["SELECT"] == "keyword"
    assert found["PREV_RESULT1"] == "reference"
    assert found["12"] == "number"
    assert "string" in found.values()


def test_python_has_strings_and_comments():
    found = classes("python", "x = f('a')  # Confidence: 9")
    assert found["# Confidence: 9"] == "comment"
    assert "string" in found.values()


def test_sql_inside_a_plan_is_coloured_as_sql():
    found = classes("python", "x = SQLInterpreter(\"SELECT 'a' FROM b\")")
    assert found["SELECT"] == found["FROM"] == "keyword"
    assert found["'a'"] == "string"


def test_logic_has_references_strings_and_keywords():
    found = classes("logic", 'last value of lab "sodium" for patients in A2 since 2104-05')
    assert found == {
        "last": "keyword", "of": "keyword", '"sodium"': "string", "for": "keyword", "in": "keyword", "A2": "reference",
        "since": "keyword", "2104-05": "number",
    }  # fmt: skip


def test_a_string_over_several_lines_is_marked_on_each():
    text = 'answer = f("""one\ntwo\n""")'
    assert [any(kind == "string" for *_, kind in line) for line in spans("python", text)] == [True, True, True]


def test_a_very_long_text_stays_plain():
    assert not any(spans("sql", "SELECT 1 " * MAX_CHARS))


@pytest.mark.parametrize("language", ["logic", "python", "sql"])
@given(text=st.text(max_size=300))
def test_spans_lie_inside_their_lines(language, text):
    lines = text.split("\n")
    found = spans(language, text)
    assert len(found) == len(lines)
    for line, marks in zip(lines, found, strict=True):
        assert all(0 <= start < end <= len(line) and kind in CLASSES for start, end, kind in marks)
