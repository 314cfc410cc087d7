"""Results whose rows were carried here from a system that keeps none: a file of Arrow's form for each, in a private
directory, paged without reading it whole."""

from __future__ import annotations

import contextlib
import shutil
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.disk import private_directory
from ehrtui.engines.engine import Row

_STORED = 10_000
"""Rows from outside that are written at a time."""


@dataclass
class _File:
    path: Path
    starts: list[int] = field(default_factory=list)
    """The number of the first row of each of its batches."""
    count: int = 0
    bytes: int = 0


class Carried:
    """Results by their keys. Needs pyarrow, which clients of such systems bring."""

    def __init__(self, system: str) -> None:
        self._folder = private_directory(system)
        self._files: dict[str, _File] = {}

    def keep(self, key: str, columns: Sequence[tuple[str, Kind]], batches: Iterable[Any]) -> int:
        """Write the rows of Arrow's `batches`, as they come, under other column names; returns how many there are."""
        import pyarrow as pa

        schema = pa.schema([(name, _type(kind)) for name, kind in columns])
        file = self._files[key] = _File(self._folder / f"{key}.arrow")
        with pa.OSFile(str(file.path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            for batch in batches:
                if not batch.num_rows:
                    continue
                held = zip(batch.columns, schema.types, strict=True)
                arrays = [_values(column).cast(type) for column, type in held]
                writer.write_batch(pa.record_batch(arrays, schema=schema))
                file.starts.append(file.count)
                file.count += batch.num_rows
                file.bytes = sink.tell()
        file.bytes = file.path.stat().st_size
        return file.count

    def insert(self, key: str, columns: Sequence[tuple[str, Kind]], rows: Iterable[Row]) -> int:
        """Write rows from outside; returns how many there are."""
        import pyarrow as pa

        types = [_type(kind) for _, kind in columns]
        names = [f"c{at}" for at in range(len(columns))]

        def batches() -> Iterator[Any]:
            left = iter(rows)
            while held := list(islice(left, _STORED)):
                arrays = [pa.array(column, type) for column, type in zip(zip(*held, strict=True), types, strict=True)]
                yield pa.record_batch(arrays, names=names)

        return self.keep(key, columns, batches())

    def page(self, key: str, offset: int, count: int) -> list[Row]:
        """Rows of a result; fewer at its end."""
        file = self._files[key]
        end = min(offset + count, file.count)
        rows: list[Row] = []
        if offset >= end:
            return rows
        with self._open(file) as reader:
            for at in range(bisect_right(file.starts, offset) - 1, len(file.starts)):
                start = file.starts[at]
                if start >= end:
                    break
                batch = reader.get_batch(at)
                first = max(offset - start, 0)
                rows += rows_of(batch.slice(first, min(end - start, batch.num_rows) - first))
        return rows

    def table(self, key: str) -> Any:
        """All rows of a result, as Arrow's table."""
        with self._open(self._files[key]) as reader:
            return reader.read_all()

    @contextlib.contextmanager
    def _open(self, file: _File) -> Iterator[Any]:
        import pyarrow as pa

        with pa.memory_map(str(file.path)) as source:
            yield pa.ipc.open_file(source)

    def drop(self, key: str) -> None:
        """Forget a result; no error where there is none."""
        file = self._files.pop(key, None)
        if file is not None:
            file.path.unlink(missing_ok=True)

    def used_bytes(self) -> int:
        """Bytes of all results, also of one that is being written."""
        return sum(file.bytes for file in tuple(self._files.values()))

    def close(self) -> None:
        """Remove the files."""
        self._files.clear()
        shutil.rmtree(self._folder, ignore_errors=True)


def rows_of(batch: Any) -> list[Row]:
    """The rows of one of Arrow's batches, or tables, with SQLite's values."""
    if not batch.num_columns:
        return []
    return list(zip(*(_values(column).to_pylist() for column in batch.columns), strict=True))


def _values(column: Any) -> Any:
    """A column of numbers, texts or bytes as SQLite has them: it knows no number that is none (NaN)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    type = column.type
    if pa.types.is_boolean(type):
        return column.cast(pa.int64())
    if pa.types.is_decimal(type):
        return column.cast(pa.float64())
    if pa.types.is_floating(type):
        wide = column.cast(pa.float64())
        return pc.if_else(pc.is_nan(wide), pa.scalar(None, pa.float64()), wide)
    return column


def _type(kind: Kind) -> Any:
    import pyarrow as pa

    types = {Kind.WHOLE: pa.int64(), Kind.REAL: pa.float64(), Kind.BLOB: pa.binary(), Kind.NULL: pa.int64()}
    return types.get(kind, pa.string())
