"""Results on the disk: JSON Lines, a header and then one line for every finished case, so that a run can go on later.

Rows of answers are written only where the caller wants them to be; without them the file holds questions, logic, counts
and scores.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from ehrtui.errors import UsageError
from ehrtui.evaluation.scores import Sample, Scored
from ehrtui.trust.doubts import Doubt

FORMAT = 3

_MEANINGS = {
    "format": "the format of the file",
    "version": "the version of ehrtui",
    "questions": "the questions",
    "database": "the database",
    "profile": "the profile",
    "planner": "the planner",
    "now": "the database now",
    "threshold": "the threshold",
    "calibration": "the calibration",
    "memory": "the approved cases",
}


@dataclass(frozen=True)
class Header:
    """What results depend on: those of another header are never mixed with them. `questions`, `database`, `calibration`
    and `memory` ("" where it was not asked) are hashes."""

    version: str
    questions: str
    database: str
    profile: str
    planner: str
    now: str
    threshold: float
    calibration: str
    memory: str
    format: int = FORMAT


class ResultsFile:
    """The results at `path`, made readable by their owner alone. `finished` are those that were there already, by case.

    Raises UsageError where the file holds something else, or results of another header.
    """

    def __init__(self, path: Path, header: Header, *, with_rows: bool) -> None:
        self._path = path
        self._with_rows = with_rows
        self.finished: dict[str, tuple[Scored, ...]] = {}
        try:
            self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
            content = self._file.read()
        except OSError as error:
            raise _unusable(path, error.strerror or "") from error
        try:
            whole = content.rfind(b"\n") + 1  # a line that was torn by a crash is done again
            if whole:
                self._take_up(content[:whole].splitlines(), header)
            elif content and not b'{"format"'.startswith(content[:9]):
                raise _unusable(path, "It is not a file of results.")
            self._file.seek(whole)
            self._file.truncate()
            if not whole:
                self._write({"format": header.format, **asdict(header)})
        except BaseException:
            self.close()
            raise

    def add(self, results: Sequence[Scored]) -> None:
        """Keep the results of one case, at once. Raises UsageError where the disk is full."""
        kept = results if self._with_rows else [_without_rows(one) for one in results]
        self._write({"case": results[0].case, "turns": [asdict(one) for one in kept]})

    def close(self) -> None:
        """Close the file. Where the disk was full, that was said when a result was to be kept."""
        with suppress(OSError):
            self._file.close()

    def _take_up(self, lines: list[bytes], header: Header) -> None:
        was, found = _parsed(self._path, lines)
        if different := [name for name in _MEANINGS if getattr(was, name) != getattr(header, name)]:
            raise UsageError(
                f"The results in {self._path.name} were made under other conditions.",
                why=f"Different: {', '.join(_MEANINGS[name] for name in different)}.",
                next_step="Give another file to --out, or remove this one to begin anew.",
            )
        self.finished = found

    def _write(self, record: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(record).encode("ascii") + b"\n")
            self._file.flush()
        except OSError as error:
            raise _unusable(self._path, error.strerror or "") from error


def kept_results(path: Path) -> dict[str, tuple[Scored, ...]]:
    """What a finished run has kept at `path`, by case, whatever its header. Raises UsageError where it holds no
    results."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise _unusable(path, error.strerror or "") from error
    return _parsed(path, lines)[1]


def _parsed(path: Path, lines: list[bytes]) -> tuple[Header, dict[str, tuple[Scored, ...]]]:
    """The header and the results by case."""
    try:
        first, *records = [json.loads(line) for line in lines]
        return Header(**first), {record["case"]: tuple(map(_scored, record["turns"])) for record in records}
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _unusable(path, "It is not a file of results, or was changed.") from error


def _unusable(path: Path, why: str) -> UsageError:
    return UsageError(f"Results cannot be kept in {path.name}.", why=why, next_step="Give another file to --out.")


def _without_rows(one: Scored) -> Scored:
    return replace(one, gold=_counted(one.gold), guess=_counted(one.guess))


def _counted(sample: Sample | None) -> Sample | None:
    return Sample((), sample.count) if sample else None


_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "float | None": (float, int, type(None)),
    "str | None": (str, type(None)),
    "Sample | None": (dict, type(None)),
    "tuple[Doubt, ...] | None": (list, type(None)),
}


def _scored(record: dict[str, Any]) -> Scored:
    for each in fields(Scored):
        if not isinstance(record[each.name], _TYPES[str(each.type)]):
            raise TypeError(each.name)
    doubts = None if record["doubts"] is None else tuple(Doubt(**doubt) for doubt in record["doubts"])
    return Scored(**{**record, "gold": _sample(record["gold"]), "guess": _sample(record["guess"]), "doubts": doubts})


def _sample(record: dict[str, Any] | None) -> Sample | None:
    return Sample(tuple(map(tuple, record["rows"])), int(record["count"])) if record else None
