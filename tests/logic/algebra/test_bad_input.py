"""Logic that cannot mean anything is refused with what is wrong, where, and what would be right."""

from __future__ import annotations

import pytest

from ehrtui.errors import LogicError
from tests.logic.algebra.conftest import Database

LABS = 'lab "Creatinine"'


@pytest.mark.parametrize(
    ("logic", "what", "where", "instead"),
    [
        # The wrong unit.
        ("patients during hospital stay 10010", "A patient belongs to no hospital stay", "during", "patients with ("),
        ("hospital stays during icu stay 5", "belongs to no icu stay", "during", "with (icu stay"),
        ("patients for lab", "Nothing belongs to a lab", "for lab", "within 2 days of (lab)"),
        ("count of (labs among prescriptions)", "Nothing belongs to a prescription", "among", "(prescription)"),
        (f"count of (labs among (first {LABS}))", "What is picked is no kind", "among", "among lab"),
        ("patients where value > 5", "A patient has no “value”", "value", "with ("),
        ("patients after admission time", "Patients themselves have no time", "after", "hospital stay in 2104"),
        ("patients in 2104", "Patients themselves have no time", "in 2104", "hospital stay in 2104"),
        ("(patients) and (hospital stays)", "Patients and hospital stays cannot be joined", "(pat", "for patients"),
        # A field or a kind of record that is not there.
        (f"value, tiem of {LABS}", "has no “tiem”", "tiem", "“time”"),
        ("hospital stays where insurence = \"Private\"", "no “insurence”", "insurence", "“insurance”"),
        ("count of hospital stays by insurrance", "no “insurrance”", "insurrance", "“insurance”"),
        ("patients with prescripton", "kind “prescripton”", "prescripton", "“prescription”"),
        ('count of labs where fluid = "Blood"', "has no “fluid”", "fluid", ""),
        ("zorg of labs", "has no “zorg”", "zorg", ""),
        ('count of service code "5"', "no codes here", "code", "Name them"),
        ('count of diagnosis code "4-401"', "no range of codes", "code", "401-405"),
        # A pick without an order, a value without a pick.
        (f"for each patient: value of {LABS}", "Which lab of several is meant", "lab", "mean value of lab"),
        (f"for each patient: value of first 3 {LABS}", "Only one row can be picked", "first 3", "for one of them"),
        ("gender of first patient", "no order of their own", "first patient", "lowest patient"),
        ("value of highest (name) lab", "Texts have no highest", "highest", "highest lab"),
        (f"value of 0th {LABS}", "counted from 1", "0th", "first"),
        ("for each patient: gender, length", "A patient has no “length”", "length", ""),
        (f"for each hospital stay: next time of first {LABS}", "picked already", "first", "next time of lab"),
        (f"for each patient: next time of {LABS}", "Patients themselves have no time", "next", "hospital stay"),
        ("for each hospital stay: next gender of patients", "Patients themselves have no time", "patients", ""),
        # Types.
        ("percentile 90 gender of patients", "must be a number", "gender", "value"),
        ("mean discharge time of hospital stays", "“discharge time” is a time", "discharge time", "Take a number"),
        (f"median name of {LABS}", "“name” is a text", "name", "Take a number"),
        ("mean id of hospital stays", "“id” is an identifier", "id", "Take a number"),
        (f"percentile 120 value of {LABS}", "between 0 and 100", "percentile", "percentile 90"),
        (f'count of {LABS} where value > "high"', "A number is compared with the text “high”", "value", "> 5"),
        ("hospital stays where gender = 3", "A text is compared with the number 3", "gender", 'as "…"'),
        ("hospital stays where admission time > 5", "A time is compared with a time", "admission time", "2104-05-03"),
        ("for each patient: days from gender to death time", "between two times", "gender", "days from"),
        ("count of hospital stays by month of insurance", "That is no time", "insurance", "admission time"),
        ("for each hospital stay: age at gender", "That is no time", "gender", "admission time"),
        ("count of hospital stays by bands of 10 of gender", "must be a number", "gender", "Take a number"),
        ("count of hospital stays where gender is open", "Only a time can be open", "gender", "end time is open"),
        (f'count of {LABS} where value like "5*"', "Only a text is like a pattern", "value", "like"),
        ('hospital stays where admission time like "2104*"', "this is a time", "admission time", "like"),
        # Bands and limits.
        ("count of hospital stays by bands 65, 40, 18 of age", "these overlap", "bands", "bands 18, 40, 65"),
        ("count of hospital stays by bands 18, 40, 40 of age", "these overlap", "bands", "bands 18, 40"),
        ("count of hospital stays by bands of 0 of age", "above 0", "bands", "bands of 10"),
        ("hospital stays ordered by length first 0", "At least one row", "length", "first 5"),
        (f"patients with at least 2 days of within 3 days ({LABS})", "counts records alone", "at least", "within 3"),
        ("hospital stays in 2104-13", "not a possible time", "in 2104-13", "2104-05"),
        # A share of a set in another's unit.
        (
            "(count of (patients with diagnosis)) as percent of (count of hospital stays)",
            "Patients are no share of hospital stays",
            "(count",
            "Count hospital stays in both",
        ),
        ("share of hospital stays", "A share is of a group", "share", "by …"),
        ("age", "alone belongs to a row", "age", "mean age of"),
        # Cohorts.
        ("summary of labs", "patients or stays", "", "patients with"),
        ("attrition of labs", "Patients or stays are left", "", "attrition of"),
        ("list of labs", "Patients and stays are listed", "", "value, time of"),
        ("overlap of (patients) and (hospital stays)", "do not overlap", "overlap", "patients"),
        ("table 1 of (patients), (hospital stays)", "of one kind", "table", ""),
        ("count of each of (patients), (hospital stays)", "of one kind", "count", ""),
        ("histogram of gender of patients", "must be a number", "gender", "Take a number"),
        ("histogram in bands of 0 of age of hospital stays", "above 0", "histogram", "in bands of 5"),
        ("table 1 of (patients), (patients): gender", "must be a number", "gender", "Take a number"),
        ("prevalence of (with diagnosis) in", "cannot be read at the end", "", ""),
        # What cannot be read.
        ("patients where " + "(" * 500 + "age > 5" + ")" * 500, "cannot be read", "(", ""),
        ("(" * 500 + "patients" + ")" * 500, "cannot be read", "(", ""),
        ("patients where " + "not " * 2000 + "age > 5", "cannot be read", "not", ""),
        ("1" + " + 1" * 5000, "cannot be read", "1", ""),
        ("count of labs where value >", "cannot be read at the end", "", ""),
        ("count of labs where", "cannot be read at the end", "", ""),
        ('patients with lab "a', "a character that means nothing", '"a', "close the quotes"),
        ("", "cannot be read at the end", "", ""),
        ("patients with with lab", "cannot be read", "with lab", ""),
        ("count of labs where value > 5 by", "cannot be read at the end", "", ""),
    ],
)  # fmt: skip
def test_it_says_what_is_wrong_and_where(native: Database, logic: str, what: str, where: str, instead: str) -> None:
    with pytest.raises(LogicError) as caught:
        native.rows(logic)
    error = caught.value
    assert what in error.what
    assert error.position is not None
    assert 0 <= error.position <= len(logic)
    assert logic[error.position :].startswith(where)
    assert instead in error.next_step


def test_parentheses_that_a_person_may_write_are_read(native: Database) -> None:
    nested = "patients where " + "(" * 25 + "with diagnosis" + ")" * 25
    assert native.rows(nested) == native.rows("patients with diagnosis")


def test_nested_conditions_are_read_in_time_that_grows_with_their_length(native: Database) -> None:
    condition = "value > 1"
    for _ in range(7):
        condition = f"(count of (labs where {condition}) > 1)"
    assert native.rows(f"patients where {condition}") == native.rows("patients with at least 2 (lab where value > 1)")


def test_what_a_word_is_stored_as_is_known(native: Database) -> None:
    assert native.rows('patients where gender = "female"') == native.rows('patients where gender = "F"')


def test_nothing_of_a_wrong_statement_runs(native: Database) -> None:
    seen: list[str] = []
    native.connection.set_trace_callback(seen.append)
    with pytest.raises(LogicError):
        native.rows("(patients) beside (percentile 90 gender of patients)")
    native.connection.set_trace_callback(None)
    assert not seen


@pytest.mark.parametrize("span", ["0000-9999", "E900-V100", "123-E90", f"{'1' * 5000}-{'2' * 5000}"])
def test_a_range_of_codes_is_narrow_where_a_text_lists_several(units: Database, span: str) -> None:
    with pytest.raises(LogicError, match="too wide a range") as raised:
        units.rows(f'count of diagnosis code "{span}"')
    assert "of one letter" in raised.value.next_step
