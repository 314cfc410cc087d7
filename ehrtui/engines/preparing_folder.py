"""Preparing a folder: one DuckDB file of its tables in the cache, which is read in place of the files."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ehrtui.cache import Progress, alone, replacing
from ehrtui.engines.disk import size
from ehrtui.engines.duck import DuckDB
from ehrtui.engines.duck_folder import copy_of_folder, folder_origin
from ehrtui.engines.folder import read_folder
from ehrtui.engines.introspection import quoted
from ehrtui.engines.prepared import Prepared, remove_copies, remove_parts
from ehrtui.engines.relation import Relation
from ehrtui.engines.watching import Worker
from ehrtui.errors import Cancelled, DatabaseError
from ehrtui.paths import keep_private

_SHARE = 1.2
"""What the copy takes at most of what packed files take; Parquet files and packed ones are about as large."""
_SPARE_BYTES = 100_000_000


def prepare_folder(path: Path, cache: Path, progress: Progress, cancelled: Callable[[], bool]) -> Prepared:
    """Build the copy of the folder at `path` in `cache`, unless it is there already. The files are only read. Raises
    Cancelled, and DatabaseError where a file cannot be read to its end; then nothing is left behind."""
    started = time.monotonic()
    copy = copy_of_folder(path, cache)
    if copy.is_file():
        return Prepared(new=False)
    keep_private(cache)

    def waiting() -> None:
        progress("Waiting for another ehrtui to finish", 0.0)
        if cancelled():
            raise _cancellation()

    with alone(cache, waiting):
        if copy.is_file():
            return Prepared(new=False)
        remove_parts(cache)
        remove_copies(str(path.resolve()), cache, but=copy)
        _check_space(path, cache)
        with replacing(copy) as part:
            part.unlink()  # DuckDB makes it itself
            _write(path, part, progress, cancelled)
            part.chmod(0o600)
            if copy_of_folder(path, cache) != copy:
                raise DatabaseError(
                    f"{path.name} has changed while it was prepared.",
                    why="Files are still written to it.",
                    next_step="Wait until it is whole, then prepare it again.",
                )
    return Prepared(True, copy.stat().st_size, 0, 0, time.monotonic() - started)


def _write(path: Path, part: Path, progress: Progress, cancelled: Callable[[], bool]) -> None:
    system = DuckDB(folder_origin(path), writes=part)
    worker = Worker()
    log = part.with_name(part.name + ".wal")
    try:
        system.schema()
        relations = system.relations
        folder = {table.name: table.bytes for table in read_folder(path).tables}
        whole, done = max(sum(folder.values()), 1), 0
        for relation in relations:
            name = relation.table.name
            doing = partial(progress, f"Reading {name}")
            _copied(system, worker, relation, partial(_told, doing, done / whole, folder[name] / whole), cancelled)
            done += folder[name]
        system.write("CHECKPOINT copy")
    except Exception as error:
        if isinstance(said := system.said(error), DatabaseError):
            raise said from error
        raise
    finally:
        worker.close(lambda: None)
        system.close()
        with contextlib.suppress(OSError):
            log.unlink()


def _told(doing: Callable[[float], None], before: float, share: float, part: float) -> None:
    doing(min(before + share * part, 1.0))


def _copied(
    system: DuckDB, worker: Worker, relation: Relation, told: Callable[[float], None], cancelled: Callable[[], bool]
) -> None:
    stopped = False

    def check() -> bool:
        nonlocal stopped
        told(system.progress())
        stopped = stopped or cancelled()
        if stopped:
            system.interrupt()
        return stopped

    statement = f"CREATE TABLE copy.main.{quoted(relation.table.name)} AS {relation.select(relation.source)}"
    try:
        told(0.0)
        if cancelled():
            raise _cancellation()
        worker.do(lambda _: system.write(statement), lambda _: None, check, system.interrupt)
    except Exception as error:
        if stopped:
            raise _cancellation() from error
        raise


def _check_space(path: Path, cache: Path) -> None:
    needed, free = int(read_folder(path).bytes * _SHARE), shutil.disk_usage(cache).free
    if free < needed + _SPARE_BYTES:
        raise DatabaseError(
            "There is not enough space for a prepared copy.",
            why=f"It takes about {size(needed)} in {cache}, where {size(free)} are free.",
            next_step="Free some space there, or choose another folder with --state DIR.",
        )


def _cancellation() -> Cancelled:
    return Cancelled("Preparing was cancelled.", next_step="Nothing was kept.")
