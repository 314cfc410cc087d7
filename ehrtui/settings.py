"""The configuration file: what the user wants to be otherwise, as TOML. `ehrtui config` prints one with every key."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ehrtui.errors import ConfigError
from ehrtui.paths import is_there
from ehrtui.planning.claude.approach import EHRAGENT, STRATEGIES, Approach
from ehrtui.planning.claude.server import APIS, Api
from ehrtui.toml_lines import line_of

_LARGEST = 2**63


@dataclass(frozen=True)
class Settings:
    """`planner`, `threshold` (answers less sure, in [0, 1], are withheld) and `tools` (a file of the user's own, ""
    without one) as the options of these names. With `repair`, the explorer accepts the rubber duck's repairs by itself.

    In what is exported, counts below `least` are hidden (0: none).

    The others limit what is run: the seconds of one turn; the rows (None: any number) and the bytes of one result, also
    of a plan's step; the bytes of all results together, between turns; and how many bytes of the temporary directory's
    disk are left free.

    `model`, `base_url` ("": as the environment says), the `api` of its server and `budget` (US dollars, None: any sum)
    are of the language model, which is asked by an `approach`, and up to `samples` times how sure it is of an answer
    (0: never), in at most `requests` a question and `session_requests` a session. After a plan ran on the data, the
    next request leaves on a grid of moments that begins `grid_seconds` later. Without `privacy`, everything is told to
    it as it is; on another machine only with `force_privacy_off`. Of `approach`, a file may say the strategy alone; of
    `privacy` and `force_privacy_off` nothing.

    `notices` say what is wrong in the file, where the defaults stand; `doubts_model` that this may be what it says of
    the language model, which is then not asked: where, and what it may cost, is not guessed.
    """

    planner: str = "offline"
    threshold: float = 0.7
    turn_seconds: float = 120.0
    result_rows: int | None = None
    result_bytes: int = 4_000_000_000
    disk_bytes: int = 8_000_000_000
    reserve_bytes: int = 500_000_000
    tools: str = ""
    repair: bool = False
    least: int = 5
    model: str = ""
    base_url: str = ""
    api: Api = "messages"
    budget: float | None = None
    samples: int = 3
    grid_seconds: float = 1.0
    requests: int = 60
    session_requests: int = 3000
    approach: Approach = EHRAGENT
    privacy: bool = True
    force_privacy_off: bool = False
    notices: tuple[str, ...] = ()
    doubts_model: bool = False


DEFAULTS = Settings()


@dataclass(frozen=True)
class Key:
    """A key of the file: which values it takes, in words and as a test; what it is `about`, and a value as an `example`
    where there is none by default."""

    allowed: str
    fits: Callable[[Any], bool]
    about: str
    example: Any = None


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < _LARGEST


def _text(value: Any) -> bool:
    return isinstance(value, str)


_OF_MODEL = "claude"
"""The section about the language model."""
_BYTES = "a whole number of bytes above 0"
SECTIONS: dict[str, dict[str, Key]] = {
    "": {
        "planner": Key('the name of a planner, such as "offline"', _text, 'what plans: "offline", "claude" or "both"'),
        "tools": Key("the path of a Python file, as text", _text, "a file with tools of your own", "~/my_tools.py"),
        "repair": Key(
            "true or false", lambda value: isinstance(value, bool), "accept the rubber duck's repairs at once"
        ),
        "threshold": Key(
            "a number from 0.0 to 1.0",
            lambda value: _number(value) and 0 <= value <= 1,
            "answers that are less sure are withheld",
        ),
    },
    "claude": {
        "model": Key("the name of a model, as text", _text, "which model is asked", "claude-sonnet-5-5"),
        "base_url": Key("the address of a server, as text", _text, "a server of your own", "http://127.0.0.1:8080"),
        "api": Key(" or ".join(f'"{name}"' for name in APIS), lambda value: value in APIS, "what the server speaks"),
        "strategy": Key(
            "one of " + ", ".join(STRATEGIES), lambda value: value in STRATEGIES, "how it is asked to plan"
        ),
        "samples": Key(
            "a whole number from 0 to 50",
            lambda value: value == 0 or (_count(value) and value <= 50),
            "how often it is asked how sure it is (0: never)",
        ),
        "grid_seconds": Key(
            "a number of seconds above 0",
            lambda value: _number(value) and 0 < value <= 1e6,
            "after a run on the data, requests leave on a grid of moments so far apart",
        ),
        "requests": Key("a whole number above 0", _count, "requests for one question, at the most"),
        "session_requests": Key("a whole number above 0", _count, "requests of one session, at the most"),
        "budget": Key(
            "US dollars, a number above 0 (left out: any sum)",
            lambda value: _number(value) and value > 0,
            "US dollars that a session may cost (left out: any sum)",
            5.0,
        ),
    },
    "limits": {
        "turn_seconds": Key(
            "a number of seconds above 0",
            lambda value: _number(value) and 0 < value <= 1e6,
            "seconds that a turn may run",
        ),
        "result_rows": Key(
            "a whole number of rows above 0 (left out: any number)",
            _count,
            "rows of one answer (left out: any number)",
            1_000_000,
        ),
        "result_bytes": Key(_BYTES, _count, "bytes of one answer on the disk"),
        "disk_bytes": Key(_BYTES, _count, "bytes of all answers together, between turns"),
        "reserve_bytes": Key(
            "a whole number of bytes", lambda value: _count(value) or value == 0, "bytes of the disk that are left free"
        ),
    },
    "export": {
        "least": Key(
            "a whole number from 0",
            lambda value: _count(value) or value == 0,
            "counts below it are hidden in what is exported (0: none)",
        ),
    },
}


def own_file() -> Path:
    """The user's own configuration file, which need not be there."""
    from platformdirs import user_config_path

    return user_config_path("ehrtui") / "config.toml"


def load_settings(path: Path | None) -> Settings:
    """The settings of the file at `path`; of the user's own config.toml where it is None, which need not be there. What
    is wrong in it is told in their notices, with its line, and is as it is by default.

    Raises ConfigError where the file cannot be read.
    """
    if path is None:
        path = own_file()
        if not is_there(path):
            return DEFAULTS
    import tomllib  # most have no such file, and start without it

    try:
        text = path.read_bytes().decode("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(
            f"The configuration file {path} cannot be read.", why=error.strerror or "", next_step="Check its path."
        ) from error
    except (ValueError, RecursionError) as error:
        said = f"The configuration file {path} is not TOML, and nothing of it is used: {str(error)[:200]}"
        return replace(DEFAULTS, notices=(said,), doubts_model=True)
    values, faults = _checked(data)
    notices = [f"{path}, line {line_of(text, *fault.at)}: {fault.why}" for fault in faults]
    doubts_model = any(fault.of_model for fault in faults)
    if doubts_model and values.get("planner", DEFAULTS.planner) != DEFAULTS.planner:
        values["planner"] = DEFAULTS.planner
        notices.append("So no language model is asked: where, and what it may cost, is not guessed.")
    approach = Approach(values.pop("strategy", EHRAGENT.strategy))
    return replace(DEFAULTS, approach=approach, **values, notices=tuple(notices), doubts_model=doubts_model)


def check_settings(settings: Settings) -> None:
    """Raises ConfigError with all that is wrong in the file that the settings are from."""
    if settings.notices:
        first, *others = settings.notices
        raise ConfigError(first, why="\n".join(others), next_step="Correct it there.")


@dataclass(frozen=True)
class _Fault:
    """What is wrong at a key of a section, and what stands in its place; `of_model` where it may be about the language
    model."""

    at: tuple[str, str]
    why: str
    of_model: bool


def _checked(data: dict[str, Any]) -> tuple[dict[str, Any], list[_Fault]]:
    """The values that are as they should be, and what the others are not."""
    values: dict[str, Any] = {}
    faults: list[_Fault] = []
    for name, value in data.items():
        if name not in SECTIONS or not name:
            _take("", name, value, values, faults)
        elif not isinstance(value, dict):
            why = f"{name} is no section, and is left out. Write it as [{name}]."
            faults.append(_Fault(("", name), why, name == _OF_MODEL))
        else:
            for key, inner in value.items():
                _take(name, key, inner, values, faults)
    return values, faults


def _take(section: str, key: str, value: Any, values: dict[str, Any], faults: list[_Fault]) -> None:
    """Put a value to the others, or what is wrong with it to the faults."""
    known = SECTIONS[section].get(key)
    if known is None:
        of_model = section == _OF_MODEL or isinstance(value, dict)  # a section whose name is misspelt may be that
        faults.append(_Fault((section, key), _unknown(section, key), of_model))
    elif not known.fits(value):
        where = f"{section}.{key}" if section else key
        stands = getattr(DEFAULTS, key) if key != "strategy" else EHRAGENT.strategy
        default = f"the default {stands} stands" if stands not in (None, "") else "it is left out"
        why = f"{where} cannot be {value!r:.60}: {default}. It must be {known.allowed}."
        faults.append(_Fault((section, key), why, section == _OF_MODEL))
    else:
        values[key] = value


def _unknown(section: str, key: str) -> str:
    from difflib import get_close_matches

    keys = SECTIONS[section]
    where = f"{section}.{key}" if section else key
    known = ", ".join(keys if section else [*keys, *(f"[{name}]" for name in SECTIONS if name)])
    near = get_close_matches(key, keys if section else (*keys, *SECTIONS), 1)
    step = f"Did you mean {near[0]}?" if near else f"{f'[{section}]' if section else 'The file'} may have: {known}."
    return f"There is no key {where[:80]}: it is left out. {step}"
