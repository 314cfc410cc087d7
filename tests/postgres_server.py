"""A PostgreSQL server of the tests' own: on this machine alone, in a temporary directory, gone with the tests."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

PASSWORD = "in no log"


@dataclass(frozen=True)
class Server:
    """A server that runs; `owner` may do everything, and `reader` reads what every role may."""

    programs: Path
    folder: Path
    port: int

    def url(self, database: str, role: str = "owner", **options: str) -> str:
        """The address of a database."""
        query = "&".join(f"{name}={quote(value)}" for name, value in options.items())
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}" + (f"?{query}" if query else "")

    def database(self, name: str, *statements: str) -> None:
        """A new database, in which the statements were run."""
        self.run("postgres", f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        self.run("postgres", f'CREATE DATABASE "{name}"')
        self.run(name, *statements)

    def run(self, database: str, *statements: str) -> None:
        """Run statements, each by itself, as the owner."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def control(self, *arguments: str) -> None:
        """Run pg_ctl: start, stop."""
        _run(
            self.programs / "pg_ctl", "-w", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), *arguments
        )

    def start(self) -> None:
        """Start it, which takes a moment."""
        options = (
            f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off -c synchronous_commit=off "
            "-c full_page_writes=off -c shared_buffers=32MB -c max_connections=40 -c autovacuum=off -c ssl=off"
        )
        self.control("-o", options, "start")


def programs() -> Path | None:
    """Where PostgreSQL's own programs are, None where they are not installed."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if found:
        return max(found, key=lambda path: int(re.sub(r"\D", "", path.parent.name) or 0))
    beside = shutil.which("initdb")
    return Path(beside).parent if beside else None


@contextmanager
def running() -> Iterator[Server]:
    """A new server with an empty database."""
    found = programs()
    assert found is not None
    folder = Path(tempfile.mkdtemp(prefix="ehrtui-pg-", dir="/tmp"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(found, folder, port)
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    try:
        options = ("--no-sync", "-E", "UTF8", "--locale=C.UTF-8", "-A", "trust", "-U", "owner")
        _run(found / "initdb", "-D", str(folder / "data"), *options)
        rules = folder / "data" / "pg_hba.conf"
        rules.write_text(
            f"host all secret 127.0.0.1/32 scram-sha-256\nhost all outside 127.0.0.1/32 reject\n{rules.read_text()}"
        )
        server.start()
        try:
            server.run(
                "postgres", "CREATE ROLE reader LOGIN", "CREATE ROLE outside LOGIN",
                f"CREATE ROLE secret LOGIN PASSWORD '{PASSWORD}'",
            )  # fmt: skip
            yield server
        finally:
            server.control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(program: Path, *arguments: str) -> None:
    """Run a program of PostgreSQL, which refuses to be root."""
    nobody: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": ()} if os.geteuid() == 0 else {}
    done = subprocess.run(
        [program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if "start" not in arguments else subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        cwd="/tmp",
        text=True,
        check=False,
        **nobody,
    )
    assert done.returncode == 0, f"{program.name} failed: {done.stdout}"
