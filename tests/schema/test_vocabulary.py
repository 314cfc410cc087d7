"""The clinical vocabulary: its tables are sound, and what clinicians say is linked to what a database stores."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

import ehrtui.schema.vocabulary
from ehrtui.demo.build import build
from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from ehrtui.schema.value_index import ValueIndex, split
from ehrtui.schema.vocabulary import vocabulary
from tests.planning.answers import check_answer
from tests.small_mimic import NOW

TABLES = Path(ehrtui.schema.vocabulary.__file__).parent
ROLES = {"diagnosis", "procedure", "prescription", "lab", "vital", "body", "input", "output", "culture"}


def planner_of(path: Path) -> OfflinePlanner:
    engine = open_engine(str(path))
    schema = engine.schema()
    return OfflinePlanner(schema=schema, profile=load_profile(schema, engine.read), now=NOW, read=engine.read)


def index_of_file(path: Path) -> ValueIndex:
    with closing(open_engine(str(path))) as engine:
        return build_value_index(load_profile(engine.schema(), engine.read), engine.read)


@pytest.fixture
def small(mimic_path: Path) -> OfflinePlanner:
    return planner_of(mimic_path)


@pytest.fixture(scope="module")
def demo_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build(path, patients=60, progress=lambda doing, share: None, cancelled=lambda: False)
    return path


@pytest.fixture(scope="module")
def demo(demo_path: Path) -> OfflinePlanner:
    return planner_of(demo_path)


@pytest.fixture(scope="module")
def demo_index(demo_path: Path) -> ValueIndex:
    return index_of_file(demo_path)


def meant(index: ValueIndex, role: str, said: str) -> set[str]:
    return {entry.name for entry in index.of(split(said)) if entry.role == role}


@pytest.mark.parametrize(("table", "least"), [("abbreviations", 120), ("brands", 150), ("synonyms", 120)])
def test_a_table_has_a_header_and_three_filled_columns_in_lower_case(table: str, least: int) -> None:
    lines = (TABLES / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "role\tsaid\tnames"
    assert len(lines) > least
    for line in lines[1:]:
        cells = line.split("\t")
        assert len(cells) == 3
        assert line == line.lower()
        assert all(cell and cell == cell.strip() for cell in cells)


def test_no_term_is_listed_twice() -> None:
    counts = Counter((term.role, split(term.said)) for term in vocabulary())
    assert [term for term, count in counts.items() if count > 1] == []


def test_every_term_has_a_known_role_and_names_made_of_words() -> None:
    for term in vocabulary():
        assert term.role in ROLES
        assert split(term.said)
        assert all(split(name) for name in term.names)
        assert len(set(term.names)) == len(term.names)
        assert term.names != (term.said,)


def test_brands_are_drugs() -> None:
    roles = {line.split("\t")[0] for line in (TABLES / "brands.tsv").read_text(encoding="utf-8").splitlines()[1:]}
    assert roles == {"prescription"}


def test_a_term_stands_for_the_first_of_its_names_that_is_stored(demo_index: ValueIndex) -> None:
    linked = 0
    for term in vocabulary():
        stored = [found for name in term.names if (found := meant(demo_index, term.role, name))]
        if stored and term.said not in meant(demo_index, term.role, term.said):
            assert stored[0] == meant(demo_index, term.role, term.said), term
            linked += 1
    assert linked > 600


def test_a_term_without_a_stored_item_means_nothing(demo_index: ValueIndex) -> None:
    assert meant(demo_index, "prescription", "celebrex") == set()


def test_a_stored_name_keeps_its_meaning(mimic_path: Path) -> None:
    assert meant(index_of_file(mimic_path), "lab", "k") == {"potassium"}
    add_lab_items(mimic_path, "k")
    assert meant(index_of_file(mimic_path), "lab", "k") == {"k"}


def test_a_stored_abbreviation_gives_way_where_the_vocabulary_says_so(mimic_path: Path) -> None:
    add_lab_items(mimic_path, "hgb")
    assert meant(index_of_file(mimic_path), "lab", "hgb") == {"hemoglobin"}


def add_lab_items(path: Path, *labels: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        rows = [(900 + at, 60000 + at, label) for at, label in enumerate(labels)]
        connection.executemany("INSERT INTO d_labitems VALUES (?, ?, ?)", rows)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("what was the last K of patient 101?", 'last value of lab "potassium" for patient 101'),
        ("what was the last k of patient 101?", 'last value of lab "potassium" for patient 101'),
        ("highest serum creatinine of patient 102", 'maximum value of lab "creatinine" for patient 102'),
        ("what is the Cr of patient 102", 'value of lab "creatinine" for patient 102'),
        ("first Hgb of patient 103", 'first value of lab "hemoglobin" for patient 103'),
        ("what was the last HR of patient 102?", 'last value of vital "heart rate" for patient 102'),
        ("mean pulse of patient 102", 'mean value of vital "heart rate" for patient 102'),
        ("last blood pressure of patient 102", 'last value of vital "arterial bp [systolic]" for patient 102'),
        ("patients on lasix", 'patients with prescription "furosemide"'),
        ("how many patients with CHF were prescribed Lasix?",
         'count patients with (diagnosis "chf nos") with (prescription "furosemide")'),
        ("how many patients had heart failure?", 'count patients with diagnosis "chf nos"'),
        ("list the women with high blood pressure", 'patients of sex female with diagnosis "hypertension nos"'),
        ("patients with htn", 'patients with diagnosis "hypertension nos"'),
        ("how many patients had AKI in 2104?", 'count patients with diagnosis "acute kidney failure nos" in 2104'),
        ("did patient 102 undergo HD?", 'any procedure "hemodialysis" for patient 102'),
        ("did patient 102 have a central line?", 'any procedure "venous cath nec" for patient 102'),
        ("was patient 103 diagnosed with pneumonia?", 'any diagnosis "pneumonia, organism nos" for patient 103'),
    ],
)  # fmt: skip
def test_a_clinicians_word_is_linked_in_the_small_ehr(
    small: OfflinePlanner, mimic_path: Path, question: str, logic: str
) -> None:
    proposal = small.propose(question, [])
    check_answer(small, mimic_path, proposal, logic)
    assert proposal.unexplained == ()
    assert proposal.confidence >= 0.7


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("How many patients had a heart attack?", 'count patients with diagnosis "ami nos, initial"'),
        ("How many patients had an MI?", 'count patients with diagnosis "ami nos, initial"'),
        ("HOW MANY PATIENTS HAD A STROKE?", 'count patients with diagnosis "crbl art ocl nos w infrc"'),
        ("patients with a GI bleed", 'patients with diagnosis "gastrointest hemorr nos"'),
        ("patients with afib", 'patients with diagnosis "atrial fibrillation"'),
        ("patients with dm", 'patients with diagnosis "dmii wo cmp nt st uncntr"'),
        ("Which patients were diagnosed with kidney failure?", 'patients with diagnosis "renal failure nos"'),
        ("what was the last BUN of patient 10001?", 'last value of lab "urea nitrogen" for patient 10001'),
        ("last WBC of patient 10001", 'last value of lab "white blood cells" for patient 10001'),
        ("last INR of patient 10001", 'last value of lab "inr(pt)" for patient 10001'),
        ("lowest plt of patient 10001", 'minimum value of lab "platelet count" for patient 10001'),
        ("What was the highest alk phos of patient 10001?",
         'maximum value of lab "alkaline phosphatase" for patient 10001'),
        ("last blood sugar of patient 10001", 'last value of lab "glucose" for patient 10001'),
        ("last Mg of patient 10001", 'last value of lab "magnesium" for patient 10001'),
        ("last MAP of patient 10001", 'last value of vital "arterial bp mean" for patient 10001'),
        ("last RR of patient 10001", 'last value of vital "respiratory rate" for patient 10001'),
        ("last temp of patient 10001", 'last value of vital "temperature c (calc)" for patient 10001'),
        ("What was the last O2 sat of patient 10001?", 'last value of vital "sao2" for patient 10001'),
        ("last UOP of patient 10001", 'last value of output "urine out foley" for patient 10001'),
        ("was patient 10001 given PRBC?", 'any input "packed rbc\'s" for patient 10001'),
        ("how many patients were prescribed Coumadin?", 'count patients with prescription "warfarin"'),
        ("how many patients were prescribed zosyn?",
         'count patients with prescription "piperacillin-tazobactam na"'),
        ("How many patients had PCI?", 'count patients with procedure "ptca"'),
    ],
)  # fmt: skip
def test_a_clinicians_word_is_linked_in_the_demo(
    demo: OfflinePlanner, demo_path: Path, question: str, logic: str
) -> None:
    proposal = demo.propose(question, [])
    check_answer(demo, demo_path, proposal, logic)
    assert proposal.unexplained == ()
    assert proposal.confidence >= 0.7


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("how many patients had na?", "na"),
        ("which hospital visits cost more than 10 k?", "k"),
        ("IS THERE MI", "mi"),
    ],
)
def test_short_words_that_mean_something_else_are_not_linked(demo: OfflinePlanner, question: str, word: str) -> None:
    proposal = demo.propose(question, [])
    assert word not in [link.text.lower() for link in proposal.links]
    assert word in proposal.unexplained
    assert proposal.confidence < 0.7


def test_a_unit_behind_what_it_measures_is_not_linked(demo: OfflinePlanner) -> None:
    proposal = demo.propose("what was the last dose in mg of lasix for patient 10001?", [])
    assert "mg" not in [link.text.lower() for link in proposal.links]


@pytest.mark.parametrize("question", ["patients with an infusion of the last 24 hr", "what is the pt's sodium?"])
def test_hours_and_patients_are_no_measurements(demo: OfflinePlanner, question: str) -> None:
    links = demo.propose(question, []).links
    assert not [link for link in links if link.value in ("heart rate", "pt")]
