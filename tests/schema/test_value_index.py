from __future__ import annotations

from ehrtui.schema.value_index import Entry, index_of, split


def test_names_are_found_by_their_beginning() -> None:
    index = index_of(
        (split(name), Entry("lab", name, name))
        for name in ("potassium chloride", "potassium", "Potassium, Whole Blood", "sodium")
    )
    assert [entry.name for entry in index.starting("potas", 5)] == [
        "potassium",
        "potassium chloride",
        "Potassium, Whole Blood",
    ]
    assert [entry.name for entry in index.starting("potassium, wh", 5)] == ["Potassium, Whole Blood"]
    assert len(index.starting("potas", 1)) == 1
    assert index.starting("?", 5) == ()
