"""A patient on one page, from any row that names one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ehrtui.conversation.limits import Limits
from ehrtui.conversation.patients import Patient, Record, Stay, patient, patient_column
from ehrtui.conversation.start import start
from ehrtui.errors import QueryCancelled
from ehrtui.tui.patient_page import Axis, event_row, events, first_at, page
from ehrtui.tui.screens.patient import PatientView
from ehrtui.tui.view import asked
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.result_table import ResultTable
from tests import small_synthea
from tests.small_mimic import NOW
from tests.tui.conftest import ask, opened, seen, type_text, until

FOUND = Patient(
    7,
    (("id", "7"), ("gender", "f"), ("birth date", "2050-01-02 00:00:00")),
    (
        (
            "prescription",
            tuple(Record("aspirin", f"2104-0{at}-01 00:00:00", f"2104-0{at}-20 00:00:00", "81", "mg") for at in (1, 6)),
        ),
        ("lab", tuple(Record("sodium", f"2104-01-0{at} 08:00:00", "", 130.0 + at, "mEq/L") for at in range(1, 6))),
        ("diagnosis", (Record("sepsis\x1b[2J", "2104-01-01 00:00:00"),)),
        ("admission", (Record("emergency", "2104-01-01 00:00:00", "2104-06-20 00:00:00"),)),
    ),
)


@pytest.mark.parametrize("width", [34, 74, 150])
def test_stays_come_first_and_every_line_tells_when(width):
    lines = str(page(FOUND, width)).splitlines()
    heads = [line.split(" · ")[0] for line in lines if re.match(r"[A-Z]\w+ · \d", line)]
    assert heads == ["Admission", "Diagnosis", "Prescription", "Lab"]
    assert lines[0] == "gender f · birth date 2050-01-02"
    assert "\x1b" not in "".join(lines)
    if width > 60:
        (drug,) = [line for line in lines if line.startswith("aspirin")]
        assert drug.count("▇") < next(line for line in lines if line.startswith("emergency")).count("▇")
        assert "81 mg" in drug
        assert ("2104-01-01 to 2104-06-20, 2 times" if width > 130 else "from 2104-01-01 ×2") in drug
        (sodium,) = [line for line in lines if line.startswith("sodium")]
        assert "135 mEq/L" in sodium
        assert ("131 to 135, 5 times" if width > 130 else "×5") in sodium


def test_a_search_leaves_the_names_that_have_it():
    said = str(page(FOUND, 80, "sod"))
    assert "sodium" in said
    assert "aspirin" not in said
    assert "Nothing is recorded by that name" in str(page(FOUND, 80, "xyz"))
    assert "Nothing is recorded." in str(page(Patient(7, (), ()), 80))


def test_bars_and_values_stand_over_one_time_whose_ends_are_named():
    lines = str(page(FOUND, 150)).splitlines()
    of = {line.split(" ")[0]: line for line in lines}
    (head,) = {line[line.index("2104-01-01") : line.index("2104-06-20") + 10] for line in lines if "──" in line}
    begin, cells = of["Prescription"].index("2104-01-01"), len(head)
    stay, drug, sodium = (of[name][begin : begin + cells] for name in ("emergency", "aspirin", "sodium"))
    assert set(stay) == {"▇"}
    assert drug[0] == "▇"
    assert drug[cells // 2] == "·"
    assert drug[-1] == "▇"
    # all of the values are of the first days
    assert set(sodium[cells // 10 :]) == {"·"}
    assert set(sodium[: cells // 10]) - {"·"} != set()
    assert "sodium" in str(page(FOUND, 150, "sod"))


def test_the_page_of_a_stay_is_over_the_time_of_the_stay():
    pulse = [Record("pulse", f"2104-01-01 {at:02}:00:00", "", 80.0 + at, "bpm") for at in range(5, 16)]
    stay = Stay("hospital", 9, "2104-01-01 05:00:00", "2104-01-01 15:00:00")
    (line,) = [
        line
        for line in str(page(Patient(7, (), (("vital", tuple(pulse)),)), 140, stay=stay)).splitlines()
        if line.startswith("pulse")
    ]
    drawn = line[37:].split("  ")[0]
    assert drawn[0] == "▁"
    assert drawn[-1] == "█"
    assert sum(cell != "·" for cell in drawn) == 11


def test_a_time_has_a_cell_and_what_lies_beyond_the_first_or_the_last():
    axis = Axis("2104-01-01 00:00:00", "2104-01-11 00:00:00", 11)
    assert [axis.at(f"2104-01-{day:02} 00:00:00") for day in (1, 6, 11)] == [0, 5, 10]
    assert axis.at("2103-01-01") == 0
    assert axis.at("2105-01-01") == 10
    assert Axis("2104-01-01", "2104-01-01", 5).at("2104-01-01 08:00:00") == 0
    assert axis.label == ""
    assert Axis("2104-01-01", "2105-01-01", 26).label == "2104-01-01 ──── 2105-01-01"


def test_a_value_out_of_its_range_says_so_in_a_letter_and_the_page_how_old_the_patient_was():
    def measured(value: float, low: float | None, high: float | None, width: int = 150, *, usual: bool = False) -> str:
        record = Record("pulse", "2104-01-02 00:00:00", "", value, "bpm", Limits(low, high, usual))
        return str(page(Patient(7, (("birth date", "2050-01-03 00:00:00"),), (("vital", (record,)),)), width))

    assert "130 bpm H  normal 60–100" in measured(130.0, 60, 100)
    assert "30 bpm L  normal ≥ 60" in measured(30.0, 60, None)
    assert "130 bpm H  usual ≤ 100" in measured(130.0, None, 100, usual=True)
    assert "80 bpm  normal 60–100" in measured(80.0, 60, 100)
    assert "130 bpm H ~60–100" in measured(130.0, 60, 100, 76, usual=True)
    assert "normal" not in measured(80.0, None, None)
    assert "from 2104-01-02 to 2104-01-02 · aged 53" in measured(80.0, None, None)
    assert "aged 53 to 54" in str(page(FOUND, 80))
    shifted = Patient(7, (("birth date", "1800-01-01"),), FOUND.records)
    assert "aged" not in str(page(shifted, 80))


def test_how_many_values_were_out_of_range_is_told():
    rates = (50.0, 70.0, 120.0, 130.0)
    records = tuple(
        Record("pulse", f"2104-01-02 0{at}:00:00", "", rate, "bpm", Limits(60, 100)) for at, rate in enumerate(rates)
    )
    assert "50 to 130, 4 times, 2 H, 1 L" in str(page(Patient(7, (), (("vital", records),)), 150))


def test_what_happened_stands_in_the_order_of_time():
    found = events(FOUND)
    assert [record.time for _, record in found] == sorted(record.time for _, record in found)
    assert {(role, record.name) for role, record in found[:3]} == {
        ("prescription", "aspirin"),
        ("diagnosis", "sepsis\x1b[2J"),
        ("admission", "emergency"),
    }
    assert [record.value for role, record in found if role == "lab"] == [131.0, 132.0, 133.0, 134.0, 135.0]
    assert [record.name for _, record in events(FOUND, "ASP")] == ["aspirin", "aspirin"]
    assert found[first_at(found, "2104-01-03")][1].value == 133.0
    assert found[first_at(found, "2104-0")] == found[0]
    assert first_at(found, "2200") == len(found) - 1
    assert first_at([], "2200") == 0


def test_an_event_tells_its_value_with_unit_and_mark_and_of_a_stay_what_it_is():
    rate = Record("heart rate", "2104-01-02 08:30:00", "", 130.0, "bpm", Limits(60, 100, usual=True))
    assert event_row("vital", rate, 75) == (
        "2104-01-02 08:30", "heart rate", 130, "bpm", "H", "~60–100", "vital sign", ""
    )  # fmt: skip
    stay = Record("ward 87", "2104-01-02 08:30:00", "2104-01-03 10:00:00")
    assert event_row("icu_stay", stay, 75)[1] == "ICU stay: ward 87"
    named = Record("x" * 60, "2104-01-02 08:30:00", "", "y" * 60)
    assert sum(len(str(cell)) for cell in event_row("lab", named, 75)[:5]) <= 60


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
            "select substr(max(admittime), 1, 16) from admissions where subject_id = 101"
        )[0][0]
        await until(pilot, lambda: table.row > 0 and table.row_values(table.row)[0] == began)
        assert "Patient 101 · 1 of 1" in seen(app)
        await pilot.press("escape", "escape")
        await ask(pilot, "select 0 as hadm_id, 1 as n")
        await pilot.press("f4", "o")
        await until(pilot, lambda: any("whose stay" in notice.message for notice in app._notifications))


async def test_enter_on_a_stay_shows_what_happened_in_it_and_the_next_one_is_a_key_away(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "select hadm_id, subject_id from admissions where hadm_id > 1001 order by hadm_id")
        await pilot.press("f4", "enter")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "hospital stay 1002" in seen(app))
        table = app.screen.query_one(ResultTable)
        await until(pilot, lambda: table.row_count > 0)
        times = [table.row_values(row)[0] for row in range(table.row_count)]
        assert {time[:10] for time in times} <= {f"2104-06-0{day}" for day in range(1, 10)}
        (aspirin,) = [line for line in seen(app).splitlines() if "aspirin" in line]
        assert " 81 " in aspirin
        assert " mg " in aspirin
        await pilot.press("n")
        await until(pilot, lambda: "Patient 102 · 2 of 6 · hospital stay 1003" in seen(app) and table.row_count > 0)
        await pilot.press("n", "escape")
        cells = app.screen.query_one(AnswerPanel).rows.table
        assert cells.cell() == ("hadm_id", 1004)
        assert len(app.screen.desk.conversation.turns) == 1


async def test_a_stay_is_known_as_one_where_patients_have_ids_of_the_same_name(make_app, tmp_path: Path):
    path = small_synthea.build(tmp_path / "synthea.sqlite")
    app = make_app(lambda: start(str(path), state=tmp_path / "state", save=False))
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select id from patients order by id")
        await pilot.press("f4", "enter")
        desk = app.screen.desk
        await until(pilot, lambda: desk.shown == 2 and not desk.busy and "A1 ▸ A2 · 1 of" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "hospital stay a1b2c3d4" in seen(app))
        await pilot.press("escape", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "Metformin" in seen(app))
        assert "hospital stay" not in seen(app)


async def test_behind_the_stays_of_one_patient_come_the_other_patients(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients order by subject_id")
        await pilot.press("f4", "enter")
        desk = app.screen.desk
        await until(pilot, lambda: desk.shown == 2 and not desk.busy and "A1 ▸ A2 · 1 of 2" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "Patient 101 · 1 of 6 · hospital stay 1001" in seen(app))
        await pilot.press("n")
        await until(pilot, lambda: "Patient 101 · 2 of 6 · hospital stay 1002" in seen(app))
        await pilot.press("n")
        await until(pilot, lambda: "Patient 102 · 3 of 6" in seen(app) and "stay 10" not in seen(app))
        await pilot.press("b", "escape")
        assert app.screen.query_one(AnswerPanel).rows.table.cell() == ("hadm_id", 1002)


async def test_a_key_goes_through_the_stays_of_a_patient_and_back_to_everything(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 101 as subject_id, 1 as n")
        await pilot.press("f4", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "Prescription" in seen(app))
        for stay in ("hospital stay 1001", "ICU stay 2001", "hospital stay 1002"):
            await pilot.press("s")
            await until(pilot, lambda stay=stay: stay in seen(app))
        assert "2103" not in seen(app)
        await pilot.press("s")
        await until(pilot, lambda: "stay 10" not in seen(app) and "2103-02-03" in seen(app))


async def test_enter_on_a_stay_that_happened_leads_into_it(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 101 as subject_id, 1 as n")
        await pilot.press("f4", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "Prescription" in seen(app))
        await pilot.press("e", "slash")
        await type_text(pilot, "urgent")
        await pilot.press("enter", "enter")
        await until(pilot, lambda: "hospital stay 1002" in seen(app))
        assert isinstance(app.screen, PatientView)


async def test_a_date_comes_to_the_top_with_what_follows_below_it(make_app):
    app = make_app()
    async with app.run_test(size=(80, 14)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 101 as subject_id, 1 as n")
        await pilot.press("f4", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "2103-02-03" in seen(app))
        await pilot.press("d")
        table = app.screen.query_one(ResultTable)
        await until(pilot, lambda: table.row_count > 0)
        wanted = next(row for row in range(table.row_count) if table.row_values(row)[0] >= "2103-02-04")
        await type_text(pilot, "2103-02-04")
        await until(pilot, lambda: table.row == wanted and table.scroll_offset.y == wanted)


async def test_what_is_shown_becomes_a_turn_with_its_query_and_the_way_back_leads_to_it(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select hadm_id from admissions order by hadm_id")
        explorer = app.screen
        desk = explorer.desk
        await pilot.press("f4", "down", "enter")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "hospital stay 1002" in seen(app))
        await pilot.press("slash")
        await type_text(pilot, "furo")
        await pilot.press("enter", "a")
        await until(pilot, lambda: len(desk.conversation.turns) == 2 and not desk.busy and app.screen is explorer)
        turn = desk.conversation.turns[-1]
        assert turn.kind == "sql"
        assert asked(turn) == "What happened to patient 101 in hospital stay 1002 with “furo”"
        assert "hadm_id = 1002" in turn.proposal.sql
        assert "2104-06-01" not in turn.proposal.sql
        assert turn.row_count == 1
        assert desk.trail.to(2) == (1, 2)
        await pilot.press("backspace")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "hospital stay 1002" in seen(app))
        assert app.screen.query_one("#search").value == "furo"
        await pilot.press("escape", "escape")
        await ask(pilot, "how many patients are female?")
        assert desk.conversation.turns[-1].proposal.logic == "count patients of sex female"  # of all


async def test_a_patient_without_records_is_no_turn(make_app):
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 999 as subject_id, 1 as n")
        await pilot.press("f4", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "Nothing is recorded" in seen(app))
        assert not app.screen.check_action("keep", ())
        await pilot.press("a", "s", "e", "s")
        assert isinstance(app.screen, PatientView)
