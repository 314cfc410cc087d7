"""Headless Chromium, driven by its debugging protocol: what a page does in a real browser."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = shutil.which("chromium")
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
    "about:blank",
)


class Page:
    """One page; `failed` are the errors that its scripts did not catch, `drawn` is what came over its web sockets."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._sent = 0
        self._replies: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._arrived = asyncio.Condition()
        self.failed: list[str] = []
        self.drawn = b""

    async def listen(self) -> None:
        """Take what the browser tells, until it is gone."""
        async for message in self._socket:
            told = json.loads(message.data)
            if "id" in told:
                self._replies.pop(told["id"]).set_result(told.get("result", {}))
                continue
            params = told["params"]
            if told["method"] == "Network.webSocketFrameReceived":
                frame = params["response"]
                data = frame["payloadData"]
                self.drawn += base64.b64decode(data) if frame["opcode"] == 2 else data.encode()
            elif told["method"] == "Runtime.exceptionThrown":
                self.failed.append(params["exceptionDetails"]["text"])
            async with self._arrived:
                self._arrived.notify_all()

    async def call(self, method: str, **params: object) -> dict[str, Any]:
        """One command of the protocol, and what comes back."""
        self._sent += 1
        reply = self._replies[self._sent] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": self._sent, "method": method, "params": params})
        return await reply

    async def value_of(self, expression: str) -> Any:
        """What an expression of JavaScript gives."""
        return (await self.call("Runtime.evaluate", expression=expression))["result"].get("value")

    async def until_drawn(self, text: bytes) -> None:
        """Wait for a text from a web socket."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: text in self.drawn)


@asynccontextmanager
async def page_of(folder: Path) -> AsyncIterator[Page]:
    """A new browser's page; its profile is in `folder`."""
    assert CHROMIUM is not None
    process = subprocess.Popen(
        [CHROMIUM, *_OPTIONS, f"--user-data-dir={folder}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        port = next(line.split(":")[2].split("/")[0] for line in process.stderr if "DevTools listening" in line)
        async with aiohttp.ClientSession() as client:
            pages = await (await client.get(f"http://127.0.0.1:{port}/json/list")).json()
            address = next(one["webSocketDebuggerUrl"] for one in pages if one["type"] == "page")
            async with client.ws_connect(address, max_msg_size=0) as socket:
                page = Page(socket)
                listening = asyncio.create_task(page.listen())
                for domain in ("Page", "Network", "Runtime"):
                    await page.call(f"{domain}.enable")
                yield page
                listening.cancel()
    finally:
        process.terminate()
        process.wait(20)
