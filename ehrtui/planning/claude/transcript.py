"""Transcripts: what a language model answered to questions, kept by the questions' ids, and answered again from there.

A line of JSON for each answer: the question's `case`, its `turn` in the conversation, what the model was asked for
(`why`) and the how-manieth such answer it is (`step`). What it was asked is not kept, so that a transcript outlives the
wording of the prompt; the answer has placeholders where the question had values.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ehrtui.errors import EgressError, UsageError
from ehrtui.planning.claude.model import Model, Reply
from ehrtui.planning.claude.server import Server
from ehrtui.planning.claude.spending import LETTERS, Spending, Usage
from ehrtui.privacy.egress import EgressLog
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.request import ToolUse


@dataclass(frozen=True)
class Answer:
    """One answer of a model: its `text`, the tools that it calls as (id, name, arguments), and why it stopped."""

    case: str
    turn: int
    why: str
    step: int
    text: str
    uses: tuple[tuple[str, str, dict[str, Any]], ...]
    stop: str


@dataclass
class _Place:
    """A turn of a case, and how often the model was asked for what about it."""

    case: str
    turn: int
    asked: Counter[str] = field(default_factory=Counter)


class Transcript:
    """Answers in the file at `path`, which is read where it is there. Who asks says with `at` which question it asks
    about: for its own thread, and for those that say nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._here = threading.local()
        self._latest = _Place("", 0)
        self._answers = {(one.case, one.turn, one.why, one.step): one for one in _read(path)}

    def at(self, case: str, turn: int) -> None:
        """What is asked from now on is about this turn of a case."""
        self._here.place = self._latest = _Place(case, turn)

    def replaying(self, server: Server, log: EgressLog, spending: Spending, _: Pace) -> ReplayingModel:
        """A model that answers from here."""
        model = ReplayingModel(server, log, spending, Pace(0))
        model.transcript = self
        return model

    def recording(self, server: Server, log: EgressLog, spending: Spending, pace: Pace) -> RecordingModel:
        """A model whose answers are kept here."""
        model = RecordingModel(server, log, spending, pace)
        model.transcript = self
        return model

    def __contains__(self, case: object) -> bool:
        return any(known == case for known, *_ in self._answers)

    def next(self, why: str) -> Reply | None:
        """The next answer to such a request; None where there is none."""
        place = self._place()
        place.asked[why] += 1
        answer = self._answers.get((place.case, place.turn, why, place.asked[why]))
        return Reply(answer.text, tuple(ToolUse(*use) for use in answer.uses), answer.stop) if answer else None

    def add(self, why: str, reply: Reply) -> None:
        """Keep the answer that `next` did not have, at once. Raises OSError."""
        uses = tuple((use.id, use.name, use.arguments) for use in reply.uses)
        place = self._place()
        answer = Answer(place.case, place.turn, why, place.asked[why], reply.text, uses, reply.stop)
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(_text(asdict(answer)) + "\n")

    def _place(self) -> _Place:
        place: _Place = getattr(self._here, "place", self._latest)
        return place


class RecordingModel(Model):
    """Asks a server what a `transcript` does not have yet, and keeps its answers there."""

    transcript: Transcript

    def ask(
        self,
        body: dict[str, Any],
        *,
        why: str,
        tools: Sequence[dict[str, Any]] = (),
        said: Callable[[str], None] = lambda _: None,
    ) -> Reply:
        """See `Model.ask`."""
        if (kept := self.transcript.next(why)) is not None:
            return kept
        reply = super().ask(body, why=why, tools=tools, said=said)
        self.transcript.add(why, reply)
        return reply


class ReplayingModel(Model):
    """Answers from a `transcript`, without any server; tokens are counted by their letters."""

    is_asked = False
    transcript: Transcript

    def ask(
        self,
        body: dict[str, Any],
        *,
        why: str,
        tools: Sequence[dict[str, Any]] = (),
        said: Callable[[str], None] = lambda _: None,
    ) -> Reply:
        """See `Model.ask`."""
        reply = self.transcript.next(why)
        if reply is None:
            raise EgressError("The transcript has no answer of the language model to this.")
        stable, rest = _text([body["system"], list(tools)]), _text(body["messages"])
        written = reply.text + "".join(_text(use.arguments) for use in reply.uses)
        self.log.add(self.server.host, why, f"{stable}{rest}".encode())
        self.spending.add(
            Usage(len(rest) // LETTERS, cached=len(stable) // LETTERS, output=max(1, len(written) // LETTERS))
        )
        said(reply.text)
        return reply


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _read(path: Path) -> list[Answer]:
    """Raises UsageError where a file is no transcript."""
    if not path.is_file():
        return []
    try:
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [Answer(**{**record, "uses": tuple(map(tuple, record["uses"]))}) for record in records]
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(
            f"{path.name} is no transcript of a language model.", next_step="Name a file that was recorded."
        ) from error
