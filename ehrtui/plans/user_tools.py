"""The user's own tools: functions of a Python file of theirs, or of an installed package, that plans may call.

    def bmi(weight_kg, height_cm):
        \"\"\"The body mass index.\"\"\"
        return weight_kg / (height_cm / 100) ** 2

    TOOLS = [user_tool(bmi, "bmi(80, 175)")]

They run outside the sandbox, as the user's own trusted code, and are given what the plan passes to them and nothing
else: texts, numbers, lists, and of a table its rows. A package offers its list of tools as an entry point of the group
"ehrtui.tools".
"""

from __future__ import annotations

import importlib.util
import inspect
import keyword
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Any

from ehrtui.errors import EhrtuiError, ToolError, UsageError
from ehrtui.paths import is_file
from ehrtui.plans.handles import Table, Workspace
from ehrtui.plans.tools import TOOLS, Tool

GROUP = "ehrtui.tools"
EXTRAS = Path(__file__).with_name("extras")
"""Tools that ship with ehrtui and are offered on demand, by the name of their file."""

_PLAIN = (str, int, float, bool, type(None), datetime, date, timedelta)
_RESERVED = frozenset(("answer", "len", "print", *(tool.name for tool in TOOLS)))


def user_tool(function: Callable[..., Any], example: str) -> Tool:
    """A tool that calls `function` by its own name. Its docstring describes it; `example` is a call that runs.

    What the function raises becomes a ToolError; so does a value that a plan cannot hold.
    """

    @wraps(function)
    def call(workspace: Workspace, /, *args: Any, **kwargs: Any) -> Any:
        try:
            value = function(*map(_plain, args), **{name: _plain(each) for name, each in kwargs.items()})
        except EhrtuiError:
            raise
        except Exception as error:
            raise ToolError(
                f"{function.__name__} failed: {type(error).__name__}.",
                why=str(error)[:300],
                next_step=f"Check what the plan passes to it; an example: {example}.",
            ) from error
        if not _fits(value):
            raise ToolError(
                f"{function.__name__} gave a {type(value).__name__}, which a plan cannot hold.",
                next_step="A tool gives texts, numbers, dates, None, or lists and dicts of them.",
            )
        return value

    own = inspect.signature(function)
    workspace = inspect.Parameter("workspace", inspect.Parameter.POSITIONAL_ONLY)
    call.__signature__ = own.replace(parameters=[workspace, *own.parameters.values()])  # type: ignore[attr-defined]
    return Tool(function.__name__, call, example)


def load_tools(name: str) -> tuple[Tool, ...]:
    """The tools in the Python file at path `name`, or of a shipped one of that name ("qsofa", "si_units").

    Raises UsageError where it cannot be loaded, or where its TOOLS are none.
    """
    path = Path(name)
    with suppress(RuntimeError):  # a "~name" that is nobody's home
        path = path.expanduser()
    shipped = EXTRAS / f"{name}.py"
    if not is_file(path) and name.isidentifier() and is_file(shipped):
        path = shipped
    if not is_file(path):
        extras = ", ".join(sorted(file.stem for file in EXTRAS.glob("[a-z]*.py")))
        raise UsageError(
            f"There is no file of tools {name[:80]}.", next_step=f"Check its path, or choose a shipped one: {extras}."
        )
    spec = importlib.util.spec_from_file_location(f"ehrtui_tools_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path.name} is not a Python file.", next_step="Give a file that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        line = f"line {error.lineno}: " if isinstance(error, SyntaxError) else ""
        raise UsageError(
            f"The tools in {path.name} cannot be loaded.",
            why=f"{line}{type(error).__name__}: {error}"[:300],
            next_step="Correct the file, or leave it out.",
        ) from error
    return _checked(path.name, getattr(module, "TOOLS", None))


def installed_tools() -> tuple[Tool, ...]:
    """The tools that installed packages offer. Raises UsageError, which names the package, where one cannot be used."""
    from importlib.metadata import entry_points

    found: list[Tool] = []
    for entry in entry_points(group=GROUP):
        try:
            offered = entry.load()
        except Exception as error:
            raise UsageError(
                f"The tools of the installed package {entry.value} cannot be loaded.",
                why=f"{type(error).__name__}: {error}"[:300],
                next_step="Correct or remove the package.",
            ) from error
        found += _checked(entry.value, offered)
    return tuple(found)


def all_tools(own: tuple[Tool, ...]) -> tuple[Tool, ...]:
    """The six tools, the user's `own` and those of installed packages. Raises UsageError for two of one name."""
    tools = (*TOOLS, *own, *installed_tools())
    names = [tool.name for tool in tools]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UsageError(f"Two tools are called {twice[0]}.", next_step="Rename or leave out one of them.")
    return tools


def _checked(source: str, offered: Any) -> tuple[Tool, ...]:
    """The offered tools: a Tool, or a list of some."""
    tools = (offered,) if isinstance(offered, Tool) else offered
    if not isinstance(tools, list | tuple) or not tools or not all(isinstance(tool, Tool) for tool in tools):
        raise UsageError(
            f"{source} has no tools.",
            why="TOOLS is to be a list of them.",
            next_step='Write for example TOOLS = [user_tool(bmi, "bmi(80, 175)")].',
        )
    for tool in tools:
        if not tool.name.isidentifier() or keyword.iskeyword(tool.name) or tool.name in _RESERVED:
            raise UsageError(f"A tool of {source} cannot be called {tool.name}.", next_step="Rename the function.")
        if not tool.description:
            raise UsageError(f"The tool {tool.name} of {source} has no description.", next_step="Give it a docstring.")
    return tuple(tools)


def _plain(value: Any) -> Any:
    """What a tool is given for a value of a plan: for a table its rows, never the table."""
    if isinstance(value, Table):
        return value.rows()
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(map(_plain, value))
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value


def _fits(value: Any) -> bool:
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_fits, value))
    if isinstance(value, dict):
        return all(_fits(key) and _fits(each) for key, each in value.items())
    return isinstance(value, _PLAIN)
