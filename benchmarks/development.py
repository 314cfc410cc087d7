"""The development sets, and how they are asked: every set of all its databases, by `ehrtui eval`.

EHRTUI_DATA names the folder with the databases and the question files of the names below. A database that is packed
there, as NAME.xz, is taken from the folder EHRTUI_UNPACKED, else unpacked for the time of the run.
"""

from __future__ import annotations

import lzma
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ehrtui.evaluation.results_file import kept_results
from ehrtui.evaluation.scores import Scored


@dataclass(frozen=True)
class DevelopmentDatabase:
    """A file, and what today means there: "" for its latest event."""

    file: str
    now: str = ""


@dataclass(frozen=True)
class DevelopmentSet:
    """A question file and the databases that it asks."""

    questions: str
    databases: tuple[str, ...]


DATABASES = {
    "mimic_iii": DevelopmentDatabase("mimic_iii.sqlite", "2105-12-31 23:59:00"),
    "eicu": DevelopmentDatabase("eicu.sqlite", "2105-12-31 23:59:00"),
    "mimic_iv": DevelopmentDatabase("mimic_iv.sqlite", "2100-12-31 23:59:00"),
    "mimic_iii_native": DevelopmentDatabase("mimic_iii_native.db"),
    "omop": DevelopmentDatabase("omop.sqlite"),
}
_ALL_MIMIC_AND_EICU = ("mimic_iii", "mimic_iii_native", "mimic_iv", "eicu")
EHRSQL = {
    "mimic_iii": DevelopmentSet("ehrsql_mimic_iii_dev.json", ("mimic_iii",)),
    "eicu": DevelopmentSet("ehrsql_eicu_dev.json", ("eicu",)),
    "mimic_iv": DevelopmentSet("ehrsql2024_dev.json", ("mimic_iv",)),
}
OWN_WORDS = {
    "everyday": DevelopmentSet("free/everyday.json", ("mimic_iii", "mimic_iv", "eicu")),
    "everyday_native": DevelopmentSet("free/everyday_native.json", ("mimic_iii_native",)),
    "native_icu": DevelopmentSet("free/native_icu.json", ("mimic_iii_native",)),
    "native_analyst": DevelopmentSet("free/native_analyst.json", ("mimic_iii_native",)),
    "free_words": DevelopmentSet("free/free_words.json", _ALL_MIMIC_AND_EICU),
    "omop": DevelopmentSet("free/omop.json", ("omop",)),
    "answerability": DevelopmentSet("free/answerability.json", _ALL_MIMIC_AND_EICU),
    "conversations": DevelopmentSet("free/conversations.json", _ALL_MIMIC_AND_EICU),
    "concepts": DevelopmentSet("free/concepts.json", ("mimic_iii", "mimic_iii_native", "mimic_iv")),
}
TOKENS = {"seqsql": DevelopmentSet("seqsql_mimic_iii_dev.json", ("mimic_iii",))}
SETS = EHRSQL | OWN_WORDS | TOKENS

Found = dict[str, dict[str, tuple[Scored, ...]]]
"""By set and database, the turns in the order of the file."""


def ask(names: Sequence[str], processes: int = 1) -> Found:
    """Ask the sets, of so many databases at a time; with nothing of the user's own, neither calibration nor memory."""
    folder = data_folder()
    with TemporaryDirectory() as scratch, ThreadPoolExecutor(processes) as pool:
        asked = {
            database: pool.submit(_asked, folder, database, chosen, Path(scratch))
            for database in DATABASES
            if (chosen := {name: folder / SETS[name].questions for name in names if database in SETS[name].databases})
        }
        return {name: {database: asked[database].result()[name] for database in SETS[name].databases} for name in names}


def data_folder() -> Path:
    """The folder with the databases and the questions. Raises SystemExit where none is named."""
    if "EHRTUI_DATA" not in os.environ:
        sys.exit("EHRTUI_DATA says where the databases and the questions are")
    return Path(os.environ["EHRTUI_DATA"])


def _asked(folder: Path, database: str, questions: Mapping[str, Path], scratch: Path) -> dict[str, tuple[Scored, ...]]:
    """The turns of the sets, whose questions lie in these files, as far as they are asked of the database."""
    known = DATABASES.get(database, DevelopmentDatabase(f"{database}.sqlite"))
    path, now = unpacked(folder, known.file, scratch), known.now
    own = scratch / database
    found = {}
    for name, file in questions.items():
        print(f"{name} on {database} …", file=sys.stderr)
        out = own / f"{name}.jsonl"
        out.parent.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "ehrtui", "eval", str(path), str(file)]
        command += ["--db-id", database, "--out", str(out), "--state", str(own / "state"), "--planner", "offline"]
        command += ["--now", now] if now else []
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", env={**os.environ, "XDG_CONFIG_HOME": str(own)}
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        found[name] = tuple(turn for turns in kept_results(out).values() for turn in turns)
    return found


def unpacked(folder: Path, file: str, scratch: Path) -> Path:
    """The database, unpacked into `scratch` where it lies nowhere unpacked."""
    places = [folder / file, Path(os.environ.get("EHRTUI_UNPACKED", folder)) / file]
    for path in places:
        if path.exists():
            return path
    with lzma.open(folder / f"{file}.xz") as packed, (scratch / file).open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)
    return scratch / file
