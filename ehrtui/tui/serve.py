"""`ehrtui serve`: the explorer in a browser, on this machine, for whoever has the address with its token."""

from __future__ import annotations

import argparse
import ipaddress
import secrets
import shlex
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ehrtui.errors import DatabaseError, UsageError
from ehrtui.paths import is_there

if TYPE_CHECKING:
    from aiohttp import web
    from textual_serve.server import Server

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

COOKIE = "ehrtui"
# The page of textual-serve names a font of the web: nothing is fetched from anywhere but here.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; "
    "img-src 'self' data:; connect-src 'self' {socket}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C. Raises DatabaseError where no file is at `args.database`, UsageError where it cannot be
    served."""
    if "://" not in args.database and not is_there(Path(args.database)):
        raise DatabaseError(f"There is no file {args.database}.", next_step="Check the path, or try `ehrtui demo`.")
    try:
        import textual_serve  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "What serves the explorer to a browser is not installed.",
            next_step="Install it: pip install 'ehrtui[serve]'",
        ) from error
    command = shlex.join([sys.executable, "-m", "ehrtui", args.database, *args.options])
    if not _is_loopback(args.host):
        print("ehrtui: Other machines can reach this: what they see goes over the network as it is.", file=sys.stderr)
    try:
        listening = socket.create_server((args.host, args.port), family=_family(args.host))
    except OSError as error:
        raise UsageError(
            f"Nothing can be served at {args.host}, port {args.port}.",
            why=error.strerror or "",
            next_step="Choose another with --port.",
        ) from error
    with listening:
        _server(command, args.host, listening).serve()
    return 0


class Guard:
    """Lets in who brings the `token`, once; from then on, the browser that brought it."""

    def __init__(self, hosts: frozenset[str], source: str) -> None:
        self.token = secrets.token_urlsafe(24)
        self._hosts = hosts
        self._policy = POLICY.format(socket=source)
        self._session = secrets.token_urlsafe(24)
        self._used = False

    async def __call__(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """The handler's response, or why there is none. Another site's page has neither the cookie nor this origin, and
        another name for this machine is not answered."""
        from aiohttp import web

        if request.host not in self._hosts:
            raise web.HTTPForbidden(text="This address is not served here.")
        if request.path == "/" and (given := request.query.get("token")) is not None:
            if self._used or not secrets.compare_digest(given.encode(), self.token.encode()):
                raise web.HTTPForbidden(text="This address was used before, or is wrong. Start ehrtui serve again.")
            self._used = True
            inside = web.HTTPFound("/")
            inside.set_cookie(COOKIE, self._session, httponly=True, samesite="Strict")
            raise inside
        if not secrets.compare_digest(request.cookies.get(COOKIE, "").encode(), self._session.encode()):
            raise web.HTTPForbidden(text="Open the address that ehrtui serve printed.")
        if request.path == "/ws" and request.headers.get("Origin", "").removeprefix("http://") not in self._hosts:
            raise web.HTTPForbidden(text="Only the page of ehrtui serve may ask for this.")
        response = await handler(request)
        if not response.prepared:
            response.headers["Content-Security-Policy"] = self._policy
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["Cache-Control"] = "no-store"
        return response


def _server(command: str, host: str, listening: socket.socket) -> Server:
    """A server of textual-serve behind a guard, on a socket that listens: the address that it prints can be opened."""
    from aiohttp import web
    from textual_serve.server import Server

    port = listening.getsockname()[1]
    names = {host, "localhost"} if _is_loopback(host) else {host}
    guard = Guard(frozenset(f"{name}:{port}" for name in names), f"ws://{host}:{port}")

    class Guarded(Server):
        async def _make_app(self) -> web.Application:
            app = await super()._make_app()

            @web.middleware
            async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
                return await guard(request, handler)

            app.middlewares.append(guarded)
            return app

        def serve(self, debug: bool = False) -> None:
            web.run_app(self._make_app(), sock=listening, print=None)

        async def on_startup(self, app: web.Application) -> None:
            print(f"Open this address, once: http://{host}:{port}/?token={guard.token}", flush=True)
            print("Ctrl-C ends it.", flush=True)

        def initialize_logging(self) -> None:
            """No log: it would quote what is asked for."""

    return Guarded(command, host=host, port=port, title="ehrtui")


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
