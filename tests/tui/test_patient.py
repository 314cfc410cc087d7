"""A patient on one page, from any row that names one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.conversation.patients import Patient, Record, patient, patient_column
from ehrtui.conversation.start import start
from ehrtui.errors import QueryCancelled
from ehrtui.tui.patient_page import events, first_at, page
from ehrtui.tui.screens.patient import PatientView
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.result_table import ResultTable
from tests.small_mimic import NOW
from tests.tui.conftest import ask, opened, seen, type_text, until

FOUND = Patient(
    7,
    (("id", "7"), ("gender", "f"), ("birth date", "2050-01-02 00:00:00")),
    (
        (
            "prescription",
            tuple(Record("aspirin", f"2104-0{at}-01 00:00:00", f"2104-0{at}-20 00:00:00") for at in (1, 6)),
        ),
        ("lab", tuple(Record("sodium", f"2104-01-0{at} 08:00:00", "", 130.0 + at, "mEq/L") for at in range(1, 6))),
        ("diagnosis", (Record("sepsis\x1b[2J", "2104-01-01 00:00:00"),)),
        ("admission", (Record("emergency", "2104-01-01 00:00:00", "2104-06-20 00:00:00"),)),
    ),
)


@pytest.mark.parametrize("width", [34, 74, 150])
def test_stays_come_first_and_every_line_tells_when(width):
    lines = str(page(FOUND, width)).splitlines()
    heads = [line.split(" · ")[0] for line in lines if "record" in line and "·" in line]
    assert heads == ["Admission", "Diagnosis", "Prescription", "Lab"]
    assert lines[0] == "gender f · birth date 2050-01-02"
    assert "\x1b" not in "".join(lines)
    if width > 60:
        (drug,) = [line for line in lines if line.startswith("aspirin")]
        assert drug.count("▇") < next(line for line in lines if line.startswith("emergency")).count("▇")
        assert "2104-01-01 to 2104-06-20, 2 times" in drug
        (sodium,) = [line for line in lines if line.startswith("sodium")]
        assert "135.0 mEq/L" in sodium
        assert "131.0 to 135.0, 5 times" in sodium


def test_a_search_leaves_the_names_that_have_it():
    said = str(page(FOUND, 80, "sod"))
    assert "sodium" in said
    assert "aspirin" not in said
    assert "Nothing is recorded by that name" in str(page(FOUND, 80, "xyz"))
    assert "Nothing is recorded." in str(page(Patient(7, (), ()), 80))


def test_the_latest_value_says_that_it_is_not_normal_and_the_page_how_old_the_patient_was():
    def measured(value: float, low: float | None, high: float | None) -> str:
        record = Record("pulse", "2104-01-02 00:00:00", "", value, "bpm", (low, high))
        return str(page(Patient(7, (("birth date", "2050-01-03 00:00:00"),), (("vital", (record,)),)), 80))

    assert "▲ normal 60 to 100" in measured(130.0, 60, 100)
    assert "▼ normal from 60" in measured(30.0, 60, None)
    assert "▲ normal up to 100" in measured(130.0, None, 100)
    assert "normal" not in measured(80.0, 60, 100)
    assert "normal" not in measured(80.0, None, None)
    assert "from 2104-01-02 to 2104-01-02 · aged 53" in measured(80.0, None, None)
    assert "aged 53 to 54" in str(page(FOUND, 80))
    shifted = Patient(7, (("birth date", "1800-01-01"),), FOUND.records)
    assert "aged" not in str(page(shifted, 80))


def test_what_happened_stands_in_the_order_of_time():
    found = events(FOUND)
    assert [row[0] for _, row in found] == sorted(row[0] for _, row in found)
    assert found[0][1][:3] in {
        ("2104-01-01 00:00:00", "prescription", "aspirin"),
        ("2104-01-01 00:00:00", "diagnosis", "sepsis\x1b[2J"),
        ("2104-01-01 00:00:00", "admission", "emergency"),
    }
    assert [row[3] for role, row in found if role == "lab"] == [131.0, 132.0, 133.0, 134.0, 135.0]
    assert [row[2] for _, row in events(FOUND, "ASP")] == ["aspirin", "aspirin"]
    assert found[first_at(found, "2104-01-03")][1][3] == 133.0
    assert found[first_at(found, "2104-0")] == found[0]
    assert first_at(found, "2200") == len(found) - 1
    assert first_at([], "2200") == 0


def test_it_is_read_in_query_logic_and_can_be_stopped(mimic_path: Path, tmp_path: Path):
    talk = start(str(mimic_path), now=NOW, state=tmp_path, save=False)
    found = patient(talk, 101)
    assert ("gender", "f") in found.facts
    of = dict(found.records)
    assert "furosemide" in {record.name for record in of["prescription"]}
    assert [record.time for record in of["lab"]] == sorted(record.time for record in of["lab"])
    assert patient(talk, 999).records == ()
    assert patient(talk, None).records == ()
    with pytest.raises(QueryCancelled):
        patient(talk, 101, lambda: True)
    assert patient_column(("name", "SUBJECT_ID"), talk.profile) == 1
    assert patient_column(("name",), talk.profile) is None
    talk.close()


async def test_a_key_opens_it_and_others_turn_the_pages(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select gender from patients")
        assert not app.screen.query_one(AnswerPanel).check_action("patient", ())
        await ask(pilot, "select subject_id from patients order by subject_id")
        await pilot.press("f4", "down", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView))
        await until(pilot, lambda: "Patient 102 · 2 of 5" in seen(app) and "Prescription" in seen(app))
        await pilot.press("slash")
        await type_text(pilot, "nobody")
        await until(pilot, lambda: "Nothing is recorded by that name" in seen(app))
        await pilot.press("escape", "b")
        await until(pilot, lambda: "Patient 101 · 1 of 5" in seen(app) and "Prescription" in seen(app))
        await pilot.press("b", "escape")
        assert not isinstance(app.screen, PatientView)
        assert len(app.screen.desk.conversation.turns) == 2


async def test_its_events_are_gone_through_by_date_and_opened(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients order by subject_id")
        await pilot.press("f4", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "Prescription" in seen(app))
        explorer = app.screen_stack[1]
        await pilot.press("enter")
        assert isinstance(app.screen, PatientView)  # nothing is marked on the page
        await pilot.press("d")
        await until(pilot, lambda: "until" in seen(app))
        table = app.screen.query_one(ResultTable)
        (last,) = table.row_values(table.row_count - 1)[:1]
        await type_text(pilot, last[:10])
        await until(pilot, lambda: table.row > 0 and str(table.row_values(table.row)[0]).startswith(last[:10]))
        await pilot.press("enter", "slash")
        await type_text(pilot, "furosemide")
        await until(
            pilot, lambda: 0 < table.row_count == sum("furosemide" in line for line in seen(app).splitlines()) - 1
        )
        await pilot.press("enter", "n")
        await until(pilot, lambda: "Patient 102 · 2 of 5" in seen(app))
        await pilot.press("b")
        await until(pilot, lambda: "Patient 101 · 1 of 5" in seen(app) and table.row_count > 0)
        await pilot.press("enter")
        await until(pilot, lambda: len(explorer.desk.conversation.turns) == 2 and not explorer.desk.busy)
        turn = explorer.desk.conversation.turns[-1]
        assert 'prescription "furosemide" for patient 101' in turn.proposal.logic
        assert explorer.desk.trail.to(2) == (1, 2)
        at = table.row
        await pilot.press("backspace")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and app.screen.query_one(ResultTable).row == at)
        assert "Patient 101 · 1 of 5" in seen(app)
        assert app.screen.query_one("#search").value == "furosemide"
        await pilot.press("escape", "e")
        await until(pilot, lambda: "Prescription" in seen(app))
        await pilot.press("e", "e", "escape")
        assert app.screen is explorer


async def test_the_cursor_of_the_list_follows_the_patients_that_are_shown(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select gender, subject_id from patients union all select 'x', 103 order by subject_id")
        await pilot.press("f4", "down", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "Patient 102 · 2 of 5" in seen(app))
        await pilot.press("n", "n", "escape")
        table = app.screen.query_one(AnswerPanel).rows.table
        assert table.row_values(table.row)[1] == 104
        assert (table.row, table.column) == (4, 0)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "Patient 104 · 4 of 5" in seen(app))
        await pilot.press("n", "b", "escape")
        assert table.row == 4


async def test_from_the_stays_of_one_patient_the_others_are_a_key_away_too(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients order by subject_id")
        await pilot.press("f4", "enter")
        desk = app.screen.desk
        await until(pilot, lambda: desk.shown == 2 and not desk.busy and "A1 ▸ A2 · 1 of" in seen(app))
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "Patient 101 · 1 of 5" in seen(app))
        await pilot.press("n")
        await until(pilot, lambda: "Patient 102 · 2 of 5" in seen(app))


async def test_a_stay_leads_to_what_happened_to_its_patient_from_then_on(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select hadm_id from admissions where subject_id = 101 order by admittime desc")
        await pilot.press("f4", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "until" in seen(app))
        table = app.screen.query_one(ResultTable)
        began = app.screen_stack[1].desk.conversation.engine.read(
            "select max(admittime) from admissions where subject_id = 101"
        )[0][0]
        await until(pilot, lambda: table.row > 0 and table.row_values(table.row)[0] == began)
        assert "Patient 101 · 1 of 1" in seen(app)
        await pilot.press("escape", "escape")
        await ask(pilot, "select 0 as hadm_id, 1 as n")
        await pilot.press("f4", "o")
        await until(pilot, lambda: any("whose stay" in notice.message for notice in app._notifications))
