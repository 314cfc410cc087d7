"""The tables of words hold together."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.concepts import tables
from ehrtui.schema.value_index import words_of

FOLDER = Path(tables.__file__).parent / "words"
TABLES = sorted(FOLDER.glob("*.tsv"))


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_every_row_has_what_the_header_says(table: Path) -> None:
    header, *rows = table.read_text("utf-8").splitlines()
    columns = header.split("\t")
    for row in rows:
        cells = row.split("\t")
        assert len(cells) <= len(columns), row
        assert all(cells[:2]), row
        assert row == row.lower(), row


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_no_row_is_there_twice(table: Path) -> None:
    rows = table.read_text("utf-8").splitlines()
    assert len(rows) == len(set(rows))


def test_panels_are_made_of_measures() -> None:
    for row in (FOLDER / "panels.tsv").read_text("utf-8").splitlines()[1:]:
        for name in row.split("\t")[1].split(";"):
            assert any(isinstance(one, tables.Measure) for one in tables.measures().of(words_of(name))), name


def test_brands_and_ingredients_lead_to_each_other() -> None:
    assert tables.brands().of(words_of("Lasix")) == (("furosemide",),)
    assert "lasix" in tables.brands_of().of(words_of("furosemide"))


def test_short_forms_have_the_senses_of_several_wards() -> None:
    assert len(tables.senses().of(words_of("MS"))) >= 3
    assert {role for sense in tables.senses().of(words_of("PT")) for role in sense.roles} >= {"lab", "procedure"}
