"""The way to servers that speak the Messages API, over Anthropic's SDK. It is imported with the first request: that
takes a second or two."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from ehrtui.planning.claude.failures import not_installed
from ehrtui.planning.claude.server import Server
from ehrtui.planning.claude.spending import Usage
from ehrtui.planning.claude.transport import Calling, Piece, Stopped, Used, Words
from ehrtui.privacy.egress import is_loopback


class Messages:
    """Asks `server`; `sent` is told why and what leaves."""

    def __init__(self, server: Server, sent: Callable[[str, bytes], None]) -> None:
        self._server = server
        self._sent = sent
        self._client: Any = None
        self._connecting = threading.Lock()
        self._reader = threading.local()

    def request(self, body: dict[str, Any], tools: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """See `Transport.request`."""
        more = {"tools": list(tools)} if tools else {}
        return {"model": self._server.model, "max_tokens": 4096, "stream": True, **body, **more}

    def stream(self, request: dict[str, Any], why: str, stopped: threading.Event) -> Generator[Piece]:
        """See `Transport.stream`."""
        self._reader.why = why
        with self._connected().messages.create(**request) as stream:
            for event in stream:
                yield from _pieces(event)

    def _connected(self) -> Any:
        with self._connecting:
            if self._client is None:
                try:
                    import anthropic
                except ImportError as error:
                    raise not_installed() from error
                server = self._server
                # A proxy of the environment may not read what is for this machine.
                proxies = ("all://", "http://", "https://") if is_loopback(server.address) else ()
                http = anthropic.DefaultHttpxClient(
                    base_url=server.address,
                    event_hooks={"request": [self._log]},
                    follow_redirects=False,  # consent is for this host alone
                    mounts=dict.fromkeys(proxies),
                )
                self._client = anthropic.Anthropic(
                    api_key=server.key or "none",
                    base_url=server.address,
                    timeout=server.seconds,
                    max_retries=server.retries,
                    http_client=http,
                )
            return self._client

    def _log(self, request: Any) -> None:
        """Called by the SDK, in the thread that reads, for every request that is to leave, those that are sent again
        too. It is logged when there is a connection, and its body leaves."""
        why, body = self._reader.why, bytes(request.content)

        def trace(event: str, info: dict[str, Any]) -> None:
            if event.endswith(".send_request_body.started") and info["request"].method == b"POST":
                self._sent(why, body)

        request.extensions["trace"] = trace


def _pieces(event: Any) -> Iterator[Piece]:
    """What one event of the stream brings."""
    match event.type:
        case "message_start":
            yield Used(_read_tokens(event.message.usage))
        case "content_block_start" if event.content_block.type == "tool_use":
            yield Calling(event.index, event.content_block.id, event.content_block.name, "")
        case "content_block_delta" if event.delta.type == "text_delta":
            yield Words(str(event.delta.text))
        case "content_block_delta" if event.delta.type == "input_json_delta":
            yield Calling(event.index, "", "", event.delta.partial_json)
        case "message_delta":
            if event.usage is not None:
                yield Used(Usage(output=event.usage.output_tokens or 0))
            yield Stopped(event.delta.stop_reason or "")


def _read_tokens(usage: Any) -> Usage:
    return Usage(
        input=(usage.input_tokens or 0),
        cached=getattr(usage, "cache_read_input_tokens", 0) or 0,
        written=getattr(usage, "cache_creation_input_tokens", 0) or 0,
    )
