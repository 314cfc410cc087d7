"""Patients' names in databases that are described by a guess or by Synthea's profile: they stay here, and stand for
patients alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.placeholders import Placeholders
from ehrtui.privacy.stored import StoredTexts
from ehrtui.privacy.vocabulary import speakable
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from ehrtui.schema.value_index import ValueIndex
from tests import small_clinic, small_synthea


@dataclass(frozen=True)
class Described:
    """A database whose patients have `names`."""

    mask: Mask
    index: ValueIndex
    names: Sequence[str]


@pytest.fixture(scope="module", params=["guessed", "synthea"])
def described(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    folder = tmp_path_factory.mktemp("named")
    path: Path
    if request.param == "guessed":
        path, names = small_clinic.build(folder / "clinic.sqlite"), ("Ann", "Bob", "Cy")
    else:
        path, names = small_synthea.build(folder / "synthea.sqlite"), ("Ada604", "Harris789", "Ben71", "Ortiz186")
    with closing(open_engine(str(path))) as engine:
        schema = engine.schema()
        profile = load_profile(schema, engine.read)
        may = speakable(schema, profile, engine.read, ())
        mask = Mask(may, StoredTexts(schema, profile, engine.read), Placeholders())
        yield Described(mask, build_value_index(profile, engine.read), names)


@pytest.mark.parametrize(
    "question", ["how old is {}?", "{}'s drugs", "did {} or “{}” get aspirin in 2020", "{}", "drugs of Mrs. {}"]
)
@pytest.mark.parametrize("said", [str, str.lower, str.upper], ids=["as stored", "small", "capital"])
def test_no_name_of_a_patient_leaves(described: Described, question: str, said: type[str]) -> None:
    for name in described.names:
        masked = described.mask.words(question.replace("{}", said(name)))
        assert name.lower() not in masked.lower().replace("<text", "")


def test_no_name_of_a_patient_may_be_said(described: Described) -> None:
    for name in described.names:
        assert not described.mask.speakable.phrase(name)
        assert not any(name.lower() in phrase for phrase in described.mask.speakable.phrases)


def test_a_name_of_a_patient_is_completed_as_a_patient_alone(described: Described) -> None:
    for name in described.names:
        assert {one.role for one in described.index.starting(name.lower(), 20)} <= {"patient"}
