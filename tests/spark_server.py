"""A Spark Connect server of the tests' own: on this machine alone, in a temporary directory, gone with the tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_SMALL = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
"""What makes little statements over little tables fast."""
_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


@dataclass(frozen=True)
class SparkServer:
    """A server that runs."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes]

    def url(self, schema: str = "") -> str:
        """The address of a schema, or of all."""
        return f"sc://127.0.0.1:{self.port}" + (f"/;schema={schema}" if schema else "")

    def run(self, *statements: str) -> None:
        """Run statements, each by itself, as somebody who may write."""
        from ehrtui.engines.spark import connected, ended

        session = connected(self.url(), "the tests' own")
        session.conf.set("spark.sql.session.timeZone", "UTC")
        for statement in statements:
            session.sql(statement)
        ended(session)

    def stop(self) -> None:
        """End it at once, with all that it holds."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def program() -> Path | None:
    """Spark's own program beside pyspark, None where only its client is installed."""
    import pyspark

    found = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    jars = found.parent.parent / "jars"
    return found if found.is_file() and list(jars.glob("spark-connect_*.jar")) else None


@contextmanager
def running(
    port: int | None = None, zone: str = "UTC", cores: int = 1, memory: str = "1g", settings: Mapping[str, str] = _SMALL
) -> Iterator[SparkServer]:
    """A new server without tables, which tells instants in a time zone; with one core and little memory, unless told
    otherwise."""
    found = program()
    assert found is not None
    folder = Path(tempfile.mkdtemp(prefix="ehrtui-spark-server-"))
    if port is None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    settings = {
        **settings,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.session.timeZone": zone,
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
    }
    arguments = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    size = ["--master", f"local[{cores}]", "--driver-memory", memory]
    command = [found, "--class", _SERVER, *size, *arguments, "spark-internal"]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    server = SparkServer(folder, port, process)
    try:
        while not _answers(port):
            assert process.poll() is None, f"Spark failed: {(folder / 'log').read_text()[-2000:]}"
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1.0):
            return True
    except OSError:
        return False
