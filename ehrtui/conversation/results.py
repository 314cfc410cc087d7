"""The rows of a conversation's turns: kept in the engine, and computed again where they had to make room."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from ehrtui.engines.engine import Engine, Row
from ehrtui.errors import QueryCancelled, QueryError
from ehrtui.session.fingerprint import fingerprint_of_texts
from ehrtui.session.turn import Turn

PAGE = 2000
"""Rows that are read at once."""
_HASHED = 5000
"""Rows that are hashed at once, where they are short: others wait meanwhile for the engine, some 5 ms."""
_BYTES_AT_ONCE = 2_000_000


class Results:
    """All results of the engine together may take `disk_bytes` while no turn runs: those that were not used for longest
    are dropped, but for rows that a plan computed, which no query gives again. `running` is held while a turn runs;
    `tell` is told what the user should know."""

    def __init__(self, engine: Engine, disk_bytes: int, running: threading.Lock, tell: Callable[[str], None]) -> None:
        self._engine = engine
        self._disk_bytes = disk_bytes
        self._running = running
        self._tell = tell
        self._restoring: threading.Event | None = None

    def pages(self, name: str, row_count: int, stopped: Callable[[], bool]) -> Iterator[list[Row]]:
        """All rows of a kept result, some at once. Raises QueryCancelled once `stopped` says so."""
        some = self._at_once(name, row_count, PAGE)
        for offset in range(0, row_count, some):
            if stopped():
                raise QueryCancelled("The turn was cancelled.")
            yield self._engine.page(name, offset, some)

    def fingerprint(self, name: str, row_count: int, stopped: Callable[[], bool]) -> str:
        """That of a kept result. Raises QueryCancelled once `stopped` says so."""
        some = self._at_once(name, row_count, _HASHED)

        def texts() -> Iterator[list[bytes]]:
            for offset in range(0, row_count, some):
                if stopped():
                    raise QueryCancelled("The turn was cancelled.")
                yield self._engine.spelled(name, offset, some)

        return fingerprint_of_texts(texts())

    def _at_once(self, name: str, row_count: int, most: int) -> int:
        """How many rows of a kept result may be read at once: at most so many, and fewer where they are long."""
        found = self._engine.result(name)
        size = max(found.bytes, 1) if found else 1
        return max(min(most, _BYTES_AT_ONCE * row_count // size), 1)

    def rows(self, turn: Turn, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a turn's result; none where it has none."""
        if turn.result is None:
            return []
        return self._page(turn, turn.result, self.restore, offset, count)

    def shown(self, turn: Turn, offset: int, count: int) -> list[Row]:
        """The same rows with the columns of the answer's context, where it has one."""
        if turn.context is None:
            return self.rows(turn, offset, count)
        return self._page(turn, turn.context.name, self._restore_context, offset, count)

    def _page(
        self,
        turn: Turn,
        name: str,
        restore: Callable[[Turn, Callable[[], bool]], bool],
        offset: int,
        count: int,
    ) -> list[Row]:
        try:
            return self._engine.page(name, offset, count)
        except QueryError:
            self._restoring = stop = threading.Event()
            try:
                if not restore(turn, stop.is_set):
                    raise
            finally:
                self._restoring = None
        rows = self._engine.page(name, offset, count)
        if self._running.acquire(blocking=False):  # a turn that runs may be about to read what would be dropped
            try:
                self.make_room(turn)
            finally:
                self._running.release()
        return rows

    def restore(self, turn: Turn, stopped: Callable[[], bool]) -> bool:
        """Compute the rows of a turn again where they are no longer kept; True where that was so. Says so where they
        are no longer the same. Raises QueryError where no query gives them."""
        name = turn.result
        if name is None or self._engine.result(name) is not None:
            return False
        if turn.statement is None:
            raise QueryError(
                f"The rows of A{turn.number} are no longer kept.",
                why="A plan computed them, so no query gives them again.",
                next_step=f"Run A{turn.number} again.",
            )
        result = self._engine.run(turn.statement.flat, name, stopped=stopped)
        same = result.row_count == turn.row_count
        if same and turn.fingerprint:
            same = self.fingerprint(name, result.row_count, stopped) == turn.fingerprint
        if not same:
            self._tell(
                f"The rows of A{turn.number} were read again to save space, and are no longer the same: the database "
                f"changed, or the query leaves open which rows it gives. Run A{turn.number} again to see them all."
            )
        return True

    def _restore_context(self, turn: Turn, stopped: Callable[[], bool]) -> bool:
        context = turn.context
        if context is None or self._engine.result(context.name) is not None:
            return False
        self._engine.run(context.flat, context.name, stopped=stopped)
        return True

    def make_room(self, newest: Turn) -> None:
        """Drop results, but not that of `newest`, until the others fit into the disk budget."""
        results = self._engine.results()
        excess = sum(result.bytes for result in results) - self._disk_bytes
        for result in results:
            if excess > 0 and result.name not in newest.kept and not result.computed:
                self._engine.drop(result.name)
                excess -= result.bytes

    def cancel(self) -> None:
        """Stop what is being computed again for the reader of its rows, if anything is."""
        if (restoring := self._restoring) is not None:
            restoring.set()
