"""The five-patient EHR, to be asked: what the reader's cheapest reading answers."""

from __future__ import annotations

from typing import Any

from ehrtui.engines.opening import open_engine
from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.planning.offline.lexicon import lexicon_of
from ehrtui.planning.offline.shorthand import rewritten
from ehrtui.planning.offline.words import read
from ehrtui.planning.reader.reader import Read, readings
from ehrtui.planning.reader.respelling import respelled
from ehrtui.planning.reader.world import World
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from tests import small_mimic


class Hospital:
    """The small hospital, to be asked."""

    def __init__(self, path: Any) -> None:
        self.engine = open_engine(str(path))
        profile = load_profile(self.engine.schema(), self.engine.read)
        index = build_value_index(profile, self.engine.stream)
        self.world = World(profile, index, lexicon_of(profile), small_mimic.NOW)

    def read(self, question: str) -> list[Read]:
        """The readings of a question, the cheapest first."""
        text = read(question)
        text = read(rewritten(text.typed, respelled(text.lower, self.world)))
        return readings(text, self.world)

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """What the cheapest reading answers, in a fixed order."""
        statement = self.read(question)[0].statement
        steps = compile_statement(statement, self.world.profile, now=self.world.now, turns={})
        return sorted(map(tuple, self.engine.read(flat_sql(steps))))
