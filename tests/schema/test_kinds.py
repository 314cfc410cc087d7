"""What is true of kinds of records, and what they are called."""

from __future__ import annotations

import pytest

from ehrtui.schema.kinds import grouping_roles, implied_roles, kind_of, kinds, role_of_stays, stays


@pytest.mark.parametrize(
    ("role", "words"),
    [
        ("admission", "an admission"),
        ("icu_stay", "an ICU stay"),
        ("lab", "a lab test"),
        ("microbiology_test", "a microbiology test"),
        ("of_a_site", "an of a site"),
    ],
)
def test_a_record_is_called_by_a_noun_with_its_article(role: str, words: str) -> None:
    assert kind_of(role).in_words == words
    assert kind_of(role).first_words == words[0].upper() + words[1:]


def test_a_role_that_is_not_listed_is_of_a_kind_without_attributes_and_the_least_likely() -> None:
    unknown = kind_of("of_a_site")
    assert unknown.rank > max(kind.rank for kind in kinds().values())
    assert (unknown.measured, unknown.dosed, unknown.stay, unknown.likely) == (False, False, "", False)


def test_what_is_found_in_a_patient_is_never_given() -> None:
    assert not [name for name, kind in kinds().items() if kind.found and (kind.dosed or kind.flow)]


def test_stays_are_of_one_role_each() -> None:
    assert {role_of_stays(kind): kind for kind in ("hospital", "icu")} == stays()


def test_fields_are_looked_for_among_patients_first() -> None:
    assert grouping_roles()[0] == implied_roles()[0] == "patient"
    assert len({kinds()[role].implied for role in implied_roles()}) == len(implied_roles())
