"""What a question asks for besides is missed where query logic does not tell it."""

from __future__ import annotations

import pytest

from ehrtui.planning.reader.asked_besides import something_lost


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("her last sodium, and when?", 'last time of lab "sodium" for patient 7'),
        ("E. coli isolates: % resistant to cipro", 'name of culture where organism = "e. coli"'),
        ("what share of them died", "count patients with death"),
        ("who is allergic to both codeine and latex?", 'patients with allergy "codeine" or "latex"'),
        ("which of these was the longest?", "maximum length of admission for patient 7"),
        ("who had the highest lactate, and what was it?", 'patients with lab "lactate" where value is maximum'),
        ("hb <7: who + nadir", 'minimum value of lab "hemoglobin" where value < 7'),
        ("how many patients had a readmission within 30 days", 'count patients with vital "readmission"'),
        ("which of them were admitted again?", "patients in A1 with admission"),
        ("how old was 7 when his gout was found?", 'age of patients with (diagnosis "gout" for patient 7)'),
        ("average length of a stay with sepsis", 'mean length of icu stay for patients with (diagnosis "sepsis")'),
        ("wards of 7 during the admission of 3 May 2104", "ward of transfer for patient 7 in 2104-05-03"),
        (
            "patients on aspirin vs. patients on heparin",
            'count of (patients with prescription "aspirin" with prescription "heparin")',
        ),
        ("how long did the longest stay last?", "mean length of admission"),
        ("what has grown in blood?", 'distinct name of culture "blood" where organism is present'),
    ],
)
def test_what_is_not_told_is_lost(question: str, logic: str) -> None:
    assert something_lost(question, logic)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("her last sodium, and when?", 'value, time of last lab "sodium" for patient 7'),
        ("when was her last sodium?", 'last time of lab "sodium" for patient 7'),
        ("E. coli: % resistant", 'percent (interpretation = "r") of (cultures where organism = "e. coli")'),
        ("patients with an o2 sat below 90 %", 'patients with (vital "o2 sat" where value < 90)'),
        ("last hematocrit (%) of patient 7", 'last value of lab "hematocrit" for patient 7'),
        ("who had both codeine and latex?", 'patients with allergy "codeine" with allergy "latex"'),
        ("how long was the longest stay?", "maximum length of admission for patient 7"),
        ("who had the highest lactate, and what was it?", 'patient, value of highest lab "lactate" per all'),
        ("which of them were admitted again?", "patients in A1 with admission at least 2 times"),
        ("wards of 7 during the admission of 3 May 2104", "ward of transfers during (hospital stays in 2104-05-03)"),
        ("patients on aspirin vs. heparin", 'count of (patients with prescription "aspirin"), count of (patients)'),
    ],
)
def test_what_is_told_is_not_lost(question: str, logic: str) -> None:
    assert not something_lost(question, logic)
