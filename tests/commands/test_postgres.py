"""The same conversation on a PostgreSQL server, and its password nowhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.engines import postgres_copy
from ehrtui.cli import main
from tests.commands.conftest import Ehrtui, json_lines
from tests.commands.test_engines import FAMILIES, TURNS, answers_of_life
from tests.postgres_server import PASSWORD, Server
from tests.small_mimic import NOW


def test_a_session_is_the_same_on_a_server_and_its_password_nowhere(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path, postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    import psycopg

    state, owned = tmp_path / "state", postgres_copy(mimic_path, postgres, "mimiciii")
    granted = ("GRANT USAGE ON SCHEMA mimiciii TO secret", "GRANT SELECT ON ALL TABLES IN SCHEMA mimiciii TO secret")
    postgres.run("mimiciii", *granted)
    written = PASSWORD.replace(" ", "%20")
    target = owned.replace("owner@", f"secret:{written}@")
    line = json.dumps({"id": 1, "turns": TURNS[:3]})
    options = ("-", "--now", NOW, "--save", "--state")
    one = ehrtui("exec", mimic_path, *options, state, input=line)
    other = ehrtui("exec", target, *options, tmp_path / "other", input=line)
    first, second = json_lines(one.stdout), json_lines(other.stdout)
    for part in ("decision", "answer", "confidence"):
        assert [turn[part] for turn in second] == [turn[part] for turn in first]
    assert [turn["decision"] for turn in second] == ["answered"] * 3
    with psycopg.connect(owned) as connection:
        alone = [connection.execute(turn["sql"]).fetchall() for turn in second]
    assert [[list(row) for row in rows] for rows in alone] == [turn["answer"] for turn in second]

    (session,) = (state / "sessions").iterdir()
    replayed = ehrtui("replay", session, target)
    assert (replayed.returncode, "All results are the same" in replayed.stdout) == (0, True)
    postgres.run("mimiciii", "DELETE FROM mimiciii.prescriptions WHERE drug = 'furosemide'")
    again = ehrtui("replay", session, target)
    assert again.returncode == 4

    profiles = []
    for database in (str(mimic_path), target):
        assert main(["profile", database]) == 0
        profiles.append(capsys.readouterr().out)
    assert profiles[0].partition("\n")[2] == profiles[1].partition("\n")[2]
    assert main(["prepare", target, "--state", str(state)]) == 1
    assert main(["ask", target.replace("/mimiciii", "/nothing"), "how many patients"]) == 1
    assert main(["ask", target.replace(f":{postgres.port}", ":nonsense"), "how many patients"]) == 1
    said = [
        *profiles,
        *capsys.readouterr(),
        *(text for each in (one, other, replayed, again) for text in (each.stdout, each.stderr)),
    ]
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.suffix == ".jsonl" and path.is_relative_to(tmp_path / "other") for path in kept)
    for hidden in (PASSWORD, written):
        assert not any(hidden in text for text in said)
        assert not any(hidden.encode() in path.read_bytes() for path in kept)


def test_without_psycopg_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert main(["ask", "postgresql://127.0.0.1/ward", "how many patients"]) == 1
    assert "pip install 'ehrtui[postgres]'" in capsys.readouterr().err


@pytest.mark.parametrize("family", FAMILIES)
def test_records_of_a_life_tell_the_same_ages_on_a_server(
    ehrtui: Ehrtui, family: ModuleType, tmp_path: Path, postgres: Server
) -> None:
    path = family.build(tmp_path / "life.sqlite")
    target = postgres_copy(path, postgres, path.stem + family.__name__.rpartition("_")[2])
    assert answers_of_life(ehrtui, target, family.NOW) == answers_of_life(ehrtui, path, family.NOW)
