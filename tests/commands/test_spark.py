"""The same conversation on a Spark server, and its token nowhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.engines import spark_copy
from ehrtui.cli import main
from ehrtui.engines.address import name_of, without_credentials
from tests.commands.conftest import Ehrtui, json_lines
from tests.commands.test_engines import TURNS
from tests.small_mimic import NOW
from tests.spark_server import SparkServer

TOKEN = "in-no-log"


def test_a_session_is_the_same_on_spark(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path, spark: SparkServer) -> None:
    state, target = tmp_path / "state", spark_copy(mimic_path, spark, "mimiciii")
    line = json.dumps({"id": 1, "turns": TURNS[:3]})
    options = ("-", "--now", NOW, "--save", "--state")
    first = json_lines(ehrtui("exec", mimic_path, *options, state, input=line).stdout)
    other = ehrtui("exec", target, *options, tmp_path / "other", input=line)
    second = json_lines(other.stdout)
    for part in ("decision", "answer", "confidence"):
        assert [turn[part] for turn in second] == [turn[part] for turn in first]
    assert [turn["decision"] for turn in second] == ["answered"] * 3
    assert other.stderr == ""
    (session,) = (state / "sessions").iterdir()
    replayed = ehrtui("replay", session, target)
    assert (replayed.returncode, "All results are the same" in replayed.stdout) == (0, True)
    spark.run("CREATE DATABASE cut")
    tables = ("patients", "admissions", "prescriptions")
    spark.run(*(f"CREATE VIEW cut.{name} AS SELECT * FROM mimiciii.{name} LIMIT 1" for name in tables))
    assert ehrtui("replay", session, spark.url("cut")).returncode == 4


def test_an_address_shows_no_token() -> None:
    for target, place, name in (
        (f"sc://h:1/;token={TOKEN};schema=mimic", "sc://h:1/;schema=mimic", "mimic"),
        (f"sc://me:{TOKEN}@h:1/;use_ssl=true;catalog=c;schema=a,b", "sc://h:1/;catalog=c;schema=a,b", "a,b"),
        (f"sc://h:1;token={TOKEN}", "sc://h:1/", "h:1"),
        ("sc://h", "sc://h/", "h"),
    ):
        assert (without_credentials(target), name_of(target)) == (place, name)


def test_without_pyspark_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyspark"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    assert main(["ask", f"sc://127.0.0.1:1/;token={TOKEN}", "how many patients"]) == 1
    said = capsys.readouterr().err
    assert ("pip install 'ehrtui[spark]'" in said, TOKEN in said) == (True, False)
    assert main(["prepare", "sc://127.0.0.1:1/;schema=mimic"]) == 1
    assert "mimic is on a server" in capsys.readouterr().err
