from __future__ import annotations

from ehrtui.schema.indexing import LARGE, SOME, Index, useful_indexes
from ehrtui.schema.model import Column, ForeignKey, Schema, Table
from ehrtui.schema.profile import GENERIC, Dictionary, PatientTable, Profile, Role, StayKind

FAMILY = Profile(
    name="family",
    summary="",
    requires={},
    patient=PatientTable("persons", "person"),
    stays={"hospital": StayKind("visits", "visit", "began", "ended", "person")},
    roles={
        "lab": Role("tests", time="taken", key="visit", item="analyte", dictionary=Dictionary("names", "key", "said")),
        "drug": Role("drugs", time="given", key="visit", item="drug", patient="missing"),
    },
)


def table(name: str, *columns: str, rows: int | None = 10, keys: tuple[ForeignKey, ...] = ()) -> Table:
    typed = (column.partition(" ") for column in columns)
    return Table(name, tuple(Column(name, type) for name, _, type in typed), keys, rows)


def indexed(profile: Profile, *tables: Table, year: bool = False) -> set[str]:
    """The columns that get an index, or an index on their year."""
    found = useful_indexes(profile, Schema(tables))
    return {f"{index.table}.{index.column}" for index in found if index.year == year}


def test_a_profile_names_keys_items_and_names() -> None:
    found = indexed(
        FAMILY,
        table("persons", "person INT", "sex TEXT"),
        table("visits", "visit INT", "person INT", "began TIMESTAMP"),
        table("tests", "visit INT", "analyte INT", "taken TIMESTAMP", "result REAL"),
        table("names", "key INT", "said TEXT"),
        table("drugs", "visit INT", "drug TEXT", "given TIMESTAMP"),
    )
    assert found == {
        "persons.person", "visits.visit", "visits.person", "tests.visit", "tests.analyte", "names.key", "names.said",
        "drugs.visit", "drugs.drug",
    }  # fmt: skip


def test_only_large_tables_get_an_index_on_their_clock() -> None:
    times = ("visit INT", "taken TIMESTAMP", "stored TIMESTAMP")
    assert "tests.taken" not in indexed(FAMILY, table("tests", *times, rows=LARGE - 1))
    for rows in (LARGE, None):
        assert indexed(FAMILY, table("tests", *times, rows=rows)) == {"tests.visit", "tests.taken"}
    assert indexed(GENERIC, table("tests", *times, rows=LARGE)) == {"tests.taken", "tests.stored"}


def test_the_years_of_clocks_get_an_index_where_there_are_some_rows() -> None:
    times = ("visit INT", "taken TIMESTAMP", "stored TIMESTAMP")
    assert indexed(FAMILY, table("tests", *times, rows=SOME - 1), year=True) == set()
    assert indexed(FAMILY, table("tests", *times, rows=SOME), year=True) == {"tests.taken"}


def test_in_a_large_table_keys_and_items_lead_to_what_is_asked_without_a_look_into_it() -> None:
    numbered = Column("number", "INT", primary_key=True)
    rest = tuple(Column(name, "INT") for name in ("visit", "analyte", "taken", "note"))

    def held(*columns: Column, rows: int = LARGE) -> dict[str, tuple[str, tuple[str, ...]]]:
        schema = Schema((Table("tests", columns, row_count=rows),))
        return {index.column: (index.row, index.beside) for index in useful_indexes(FAMILY, schema) if not index.year}

    assert held(numbered, *rest) == {
        "visit": ("number", ("analyte", "taken")),
        "analyte": ("number", ("visit", "taken")),
        "taken": ("", ()),
    }
    for without in (held(*rest), held(numbered, *rest, rows=LARGE - 1)):
        assert {column for column, holds in without.items() if holds != ("", ())} == set()
    text = Column("number", "TEXT", primary_key=True)
    assert set(held(text, *rest).values()) == {("", ())}


def test_an_unknown_family_has_foreign_keys_and_columns_named_like_keys() -> None:
    key = ForeignKey("owner", "persons", "person_id")
    found = indexed(
        GENERIC, table("Events", "EVENT_ID INT", "owner INT", "icd_code TEXT", "itemid INT", "value REAL", keys=(key,))
    )
    assert found == {"Events.EVENT_ID", "Events.owner", "Events.icd_code", "Events.itemid"}


def test_names_are_found_in_any_case_and_each_index_once_the_most_useful_first() -> None:
    found = useful_indexes(FAMILY, Schema((table("TESTS", "other_id INT", "VISIT INT", "visit_id INT"),)))
    assert found == (Index("TESTS", "VISIT"), Index("TESTS", "other_id"), Index("TESTS", "visit_id"))
