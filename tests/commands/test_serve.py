"""The explorer in a browser, over a real loopback server: who is let in, and that it is the explorer."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.commands.browser import CHROMIUM, page_of
from tests.commands.conftest import Ehrtui


@contextmanager
def served(database: Path, folder: Path) -> Iterator[str]:
    """A server over the database; its address with the token."""
    command = [
        sys.executable,
        "-m",
        "ehrtui",
        "serve",
        "--port",
        "0",
        str(database),
        "--",
        "--state",
        str(folder),
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ)
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(20)


async def test_only_who_has_the_token_is_let_in_and_sees_the_explorer(mimic_path: Path, tmp_path: Path) -> None:
    with served(mimic_path, tmp_path) as address:
        base = address.partition("/?")[0]
        async with aiohttp.ClientSession() as stranger:
            assert (await stranger.get(base)).status == 403
            assert (await stranger.get(f"{base}/ws")).status == 403
            assert (await stranger.get(f"{base}/?token=guessed")).status == 403
            assert (await stranger.get(base, headers={"Host": "evil.example"})).status == 403
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as user:
            page = await user.get(address)
            assert page.status == 200
            assert "default-src 'none'" in page.headers["Content-Security-Policy"]
            assert (await user.get(address)).status == 403  # the token works once
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await user.ws_connect(f"{base}/ws", origin="http://evil.example")
            async with user.ws_connect(f"{base}/ws?width=100&height=30", origin=base) as shown, asyncio.timeout(60):
                drawn = b""
                while b"Ask about the patients" not in drawn:
                    message = await shown.receive()
                    assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), "the explorer ended"
                    drawn += message.data if isinstance(message.data, bytes) else message.data.encode()


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
async def test_a_browser_draws_the_explorer_and_its_keys_arrive(mimic_path: Path, tmp_path: Path) -> None:
    with served(mimic_path, tmp_path / "state") as address:
        async with asyncio.timeout(90), page_of(tmp_path / "browser") as page:
            await page.call("Page.navigate", url=address)
            await page.until_drawn(b"Ask about the patients")
            assert "-first-byte" in await page.value_of("document.body.className")  # no longer the sign that waits
            await page.value_of("document.querySelector('textarea').focus()")
            await page.call("Input.insertText", text="zebrafish")
            await page.until_drawn(b"zebrafish")
            assert page.failed == []


def test_what_cannot_be_served_is_said(ehrtui: Ehrtui, mimic_path: Path) -> None:
    assert "There is no file" in ehrtui("serve", "none.sqlite").stderr
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = ehrtui("serve", "--port", taken.getsockname()[1], mimic_path)
    assert done.returncode == 2
    assert "Choose another with --port" in done.stderr
    assert "not a port" in ehrtui("serve", "--port", "65536", mimic_path).stderr
