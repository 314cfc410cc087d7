"""What the user named as the database: the path of a file or folder, or the address of a server. Credentials that an
address holds are shown nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/?#;]*@)?([^/?#;]*)(?:/([^?#;]*))?")
_TOLD = re.compile(r";((?:catalog|schema)=[^;/?#]*)", re.IGNORECASE)
"""What follows the name of a Spark server and is no secret."""
_POSTGRES = ("postgresql", "postgres")
_SPARK = "sc"


def scheme_of(target: str) -> str:
    """What stands before :// in an address; "" for a path."""
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", target)
    return found[1].lower() if found else ""


def is_postgres(target: str) -> bool:
    """True for the address of a PostgreSQL database."""
    return scheme_of(target) in _POSTGRES


def is_spark(target: str) -> bool:
    """True for the address of a Spark Connect server."""
    return scheme_of(target) == _SPARK


def without_credentials(target: str) -> str:
    """The target with neither user nor password, nor anything else that follows its name."""
    if not scheme_of(target):
        return target
    found = _ADDRESS.match(target)
    if found is None or "@" in found[2] + (found[3] or ""):  # a password with a slash in it
        return f"{scheme_of(target)}://"
    told = _TOLD.findall(target) if is_spark(target) else []
    return f"{scheme_of(target)}://{found[2]}/{found[3] or ''}" + "".join(f";{each}" for each in told)


def name_of(target: str) -> str:
    """What to call the database before it is open: the name of its file, or what its address calls it."""
    if not scheme_of(target):
        return Path(target).name
    shown = without_credentials(target).partition("://")[2]
    named = shown.rpartition("/")[2].rpartition("=")[2] if is_spark(target) else shown.rpartition("/")[2]
    return unquote(named) or shown.strip("/") or scheme_of(target)
