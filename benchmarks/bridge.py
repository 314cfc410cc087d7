"""A server on loopback that speaks the Messages API, and hands every request to whoever answers through files.

`python -m benchmarks.bridge DIR` prints its address. Each request is DIR/requests/NNNN.json, and NNNN.txt the same to
be read: what an earlier request had is named by its number, and a request that was there before has its answer. The
answer, {"content": [blocks], "stop_reason": …} as in the Messages API, is waited for as DIR/replies/NNNN.json, however
long it takes. Any number at a time.
"""

from __future__ import annotations

import argparse
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PATIENCE = 0.5
"""Seconds between two looks for an answer."""


class Exchange:
    """Requests and answers in a folder."""

    def __init__(self, folder: Path) -> None:
        self.requests, self.replies = folder / "requests", folder / "replies"
        self.requests.mkdir(parents=True, exist_ok=True)
        self.replies.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._seen: dict[str, str] = {}
        self._known = {path.read_text(encoding="utf-8"): path.stem for path in self.requests.glob("*.json")}
        self._next = 1 + max((int(path.stem) for path in self.requests.glob("*.json")), default=0)

    def ask(self, body: dict[str, Any], waiting: Callable[[], object]) -> dict[str, Any]:
        """Write a request, and wait for its answer; `waiting` is called now and then."""
        written = json.dumps(body, ensure_ascii=False, indent=1)
        with self._lock:
            number = self._known.setdefault(written, f"{self._next:04}")
            if int(number) == self._next:
                self._next += 1
                text = self._text(number, body)
                _write(self.requests / f"{number}.json", written)
                _write(self.requests / f"{number}.txt", text)
        for waited in itertools.count():
            try:
                reply = json.loads((self.replies / f"{number}.json").read_text(encoding="utf-8"))
            except (OSError, ValueError):
                time.sleep(PATIENCE)
                if waited % 20 == 0:
                    waiting()
                continue
            return dict(reply)
        raise AssertionError

    def _text(self, number: str, body: dict[str, Any]) -> str:
        """A request to be read; long texts that were read before are named."""
        parts = []
        for block in body.get("system", []):
            parts.append(f"# system\n{self._once(number, block['text'], 'system')}")
        if body.get("tools"):
            parts.append(f"# tools\n{self._once(number, json.dumps(body['tools'], indent=1), 'tools')}")
        for message in body["messages"]:
            content = message["content"]
            text = content if isinstance(content, str) else "\n".join(map(_block, content))
            parts.append(f"# {message['role']}\n{self._once(number, text, 'message')}")
        return "\n\n".join(parts) + "\n"

    def _once(self, number: str, text: str, what: str) -> str:
        known = self._seen.setdefault(text, number)
        return text if known == number or len(text) < 200 else f"({what} as in {known})"


def _block(block: dict[str, Any]) -> str:
    if block["type"] == "tool_use":
        return f"[calls {block['name']} {json.dumps(block['input'], ensure_ascii=False)}]"
    return str(block.get("text", block.get("content", "")))


def _write(path: Path, text: str) -> None:
    """At once: who looks sees all of it or nothing."""
    new = path.with_suffix(path.suffix + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """The server, which does not run yet."""
    exchange = Exchange(folder)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            reply = exchange.ask(body, lambda: self._write(": wait\n\n"))
            for event in events(body, reply):
                self._write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n")

        def _write(self, text: str) -> None:
            self.wfile.write(text.encode())
            self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    http.daemon_threads = True
    return http


def events(body: dict[str, Any], reply: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The stream of one answer; tokens are counted as a quarter of the letters."""
    system = len(json.dumps([body.get("system"), body.get("tools")]))
    usage = {
        "input_tokens": len(json.dumps(body["messages"])) // 4,
        "cache_read_input_tokens": system // 4,
        "cache_creation_input_tokens": 0,
        "output_tokens": 1,
    }
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": []}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    for index, block in enumerate(reply["content"]):
        if block["type"] == "tool_use":
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        else:
            start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    written = {"output_tokens": len(json.dumps(reply["content"])) // 4}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reply.get("stop_reason", "end_turn"), "stop_sequence": None},
        "usage": written,
    }
    yield {"type": "message_stop"}


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.bridge", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--port", type=int, default=0)
    args = parser.parse_args()
    http = server(args.folder, args.port)
    print(f"http://127.0.0.1:{http.server_port}", flush=True)
    http.serve_forever()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
