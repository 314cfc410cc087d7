"""The plan itself: names, modules, syntax, an answer that is never set, and limits that it runs into."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from ehrtui.errors import PlanError, SandboxLimit
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import edited, inserting, replacing, span
from ehrtui.plans.evidence import Case, calls
from ehrtui.plans.sql_words import nearest

_MODULES = {
    "math": "import math", "re": "import re", "json": "import json", "collections": "import collections",
    "timedelta": "from datetime import timedelta", "date": "from datetime import date",
    "Counter": "from collections import Counter", "defaultdict": "from collections import defaultdict",
}  # fmt: skip
_SQL_WORDS = {"null": "None", "NULL": "None", "true": "True", "TRUE": "True", "false": "False", "FALSE": "False"}
_STATISTICS = {
    "mean": "mean",
    "average": "mean",
    "median": "median",
    "nanmean": "mean",
    "max": "max",
    "min": "min",
    "sum": "sum",
}
_ALIASES = {"np": "numpy", "pd": "pandas"}


def missing_import(case: Case) -> Diagnosis | None:
    """A module, or something of one, that is never imported."""
    name = _undefined(case)
    if name is None:
        return None
    if name == "datetime":
        whole = re.search(r"\bdatetime\.(datetime|date|timedelta)\b", case.plan)
        line = "import datetime" if whole else "from datetime import datetime"
    elif name in _MODULES:
        line = _MODULES[name]
    else:
        return None
    return Diagnosis(
        "missing import", f"{name} is never imported.", case.line, inserting(case.plan, 1, line), 0.95, (line,)
    )


def sql_word(case: Case) -> Diagnosis | None:
    """`null`, `true` or `false`, as SQL writes them."""
    name = _undefined(case)
    if name not in _SQL_WORDS:
        return None
    edits = [(*span(case.plan, node), _SQL_WORDS[name]) for node in case.nodes(ast.Name) if node.id == name]
    spelt = _SQL_WORDS[name]
    text = f"Python writes {spelt} for {name}."
    return Diagnosis("SQL word in Python", text, case.line, edited(case.plan, edits), 0.95, (spelt,))


def unquoted_name(case: Case) -> Diagnosis | None:
    """The name of a table without quotes."""
    name = _undefined(case)
    if name is None or case.schema.table(name) is None:
        return None
    for node in case.nodes_here:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            named = [each for each in node.args if isinstance(each, ast.Name) and each.id == name]
            if named:
                new = f'"{name}"' if node.func.id == "LoadDB" else f'LoadDB("{name}")'
                return Diagnosis(
                    "missing quotes",
                    f"{name} is a table's name, which is written in quotes.",
                    case.line,
                    edited(case.plan, [(*span(case.plan, each), new) for each in named]),
                    0.95,
                    (new,),
                )
    return None


def misspelt_name(case: Case) -> Diagnosis | None:
    """A variable or tool that is spelt otherwise where it is defined."""
    name = _undefined(case)
    if name is None:
        return None
    stored = {node.id for node in case.nodes(ast.Name) if isinstance(node.ctx, ast.Store)}
    if name in stored:
        return _set_elsewhere(case, name)
    known = (*stored, *(tool.name for tool in case.facts.tools))
    near = nearest(name, known, at_least=60)
    if not near:
        return Diagnosis(
            "unknown name", f"Nothing is called {name} here.", case.line, None, 0.7, tuple(sorted(stored))[:5]
        )
    edits = [(*span(case.plan, node), near[0]) for node in case.nodes(ast.Name) if node.id == name]
    return Diagnosis(
        "misspelt name", f"Nothing is called {name}; {near[0]} is.", case.line, edited(case.plan, edits), 0.9, near
    )


def _set_elsewhere(case: Case, name: str) -> Diagnosis:
    """A variable that is set, but not on the way that the plan took."""
    return Diagnosis(
        "answer never set" if name == "answer" else "variable not always set",
        f"{name} is set only under a condition, or in a loop or function that did not run.",
        case.line,
        inserting(case.plan, 1, f"{name} = None") if name == "answer" else None,
        0.7 if name != "answer" else 0.55,
        (f"Set {name} before the condition.",),
    )


def unsupported_module(case: Case) -> Diagnosis | None:
    """A module that plans do not have, where its functions have a counterpart."""
    undefined = _undefined(case)
    if case.kind not in ("ModuleNotFoundError", "ImportError") and undefined not in _ALIASES:
        return None
    edits = []
    used: set[str] = set()
    statements: list[ast.Import | ast.ImportFrom] = [*case.nodes(ast.Import), *case.nodes(ast.ImportFrom)]
    for statement in statements:
        module = statement.module or "" if isinstance(statement, ast.ImportFrom) else statement.names[0].name
        if module.partition(".")[0] in ("statistics", "numpy", "pandas"):
            start, end = span(case.plan, statement)
            edits.append((start, min(end + 1, len(case.plan)), ""))
            used |= {name.asname or name.name for name in statement.names}
    used |= {undefined} if undefined else set()
    replaced = 0
    for node in case.nodes(ast.Call):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name), args=[values]) if owner in used:
                pass
            case ast.Call(func=ast.Name(id=name), args=[values]) if name in used:
                pass
            case _:
                continue
        if name not in _STATISTICS:
            return _no_counterpart(case)
        inner = case.source(values)
        new = f'Calculate(f"{_STATISTICS[name]}({{{inner}}})")' if '"' not in inner else ""
        if not new:
            return _no_counterpart(case)
        edits.append((*span(case.plan, node), new))
        replaced += 1
    if not replaced:
        return _no_counterpart(case)
    return Diagnosis(
        "unsupported module",
        f"{case.message}: plans have no such module; Calculate knows mean, median, max, min and sum.",
        case.line,
        edited(case.plan, edits),
        0.85,
        ('Calculate(f"mean({values})")',),
    )


def _no_counterpart(case: Case) -> Diagnosis:
    return Diagnosis(
        "unsupported module",
        f"{case.message}: plans have no such module.",
        case.line,
        None,
        0.85,
        (case.error.next_step,) if case.error else (),
    )


def answer_never_set(case: Case) -> Diagnosis | None:
    """The plan computes something, and does not say that it is the answer."""
    if case.kind != "NoAnswer" or case.tree is None or not case.tree.body:
        return None
    last = case.tree.body[-1]
    repair = None
    match last:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[value, *_])):
            repair = replacing(case.plan, last, f"answer = {case.source(value)}")
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            repair = f"{case.plan.rstrip()}\nanswer = {name}"
        case _:
            names = [step.variable for step in case.steps if step.variable]
            repair = f"{case.plan.rstrip()}\nanswer = {names[-1]}" if names else None
    return Diagnosis(
        "answer never set",
        "No step sets the variable `answer`, which is what the plan gives.",
        case.line,
        repair,
        0.85,
        ("Write answer = … in the last step.",),
    )


def endless_loop(case: Case) -> Diagnosis | None:
    """A limit of time or of tool calls, and the loop that ran into it."""
    if not isinstance(case.error, SandboxLimit):
        return None
    loops = [
        node
        for kind in (ast.While, ast.For)
        for node in case.nodes(kind)
        if case.line is None or node.lineno <= case.line <= (node.end_lineno or node.lineno)
    ]
    loop = max(loops, key=lambda node: node.lineno, default=None)
    if loop is None:
        return Diagnosis("a limit of the sandbox", case.message, case.line, None, 0.6, (case.error.next_step,))
    tools = [tool.name for tool in case.facts.tools if any(calls(node, tool.name) for node in ast.walk(loop))]
    head = case.source(loop).split("\n")[0]
    if isinstance(loop, ast.While):
        counter = _counter(loop)
        ends = any(isinstance(node, ast.Break | ast.Return) for node in ast.walk(loop))
        text = f"The loop of line {loop.lineno} never ends: {head}"
        if not ends:
            repair = _counting(case, loop, counter) if counter else None
            return Diagnosis("endless loop", text, loop.lineno, repair, 0.75, ("Change in the loop what it tests.",))
    what = f"calls {', '.join(tools)} each time" if tools else "computes too much"
    return Diagnosis(
        "time-out in a loop",
        f"The loop of line {loop.lineno} {what}: {head}",
        loop.lineno,
        None,
        0.75,
        ("Let one statement do the work of the loop: ' in [..]', or a JOIN in SQLInterpreter.",),
    )


def _counter(loop: ast.While) -> tuple[str, str] | None:
    """The variable that the loop tests and never changes, and how it would come to its end."""
    stored = {node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    match loop.test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt() | ast.LtE()]) if name not in stored:
            return name, "+="
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Gt() | ast.GtE()]) if name not in stored:
            return name, "-="
    return None


def _counting(case: Case, loop: ast.While, counter: tuple[str, str]) -> str | None:
    name, operator = counter
    last = loop.body[-1]
    if last.lineno == loop.lineno:
        return None
    lines = case.plan.split("\n")
    indent = re.match(r"\s*", lines[last.lineno - 1])
    end = last.end_lineno or last.lineno
    return "\n".join([*lines[:end], f"{indent.group() if indent else ''}{name} {operator} 1", *lines[end:]])


def syntax(case: Case) -> Diagnosis | None:
    """The plan is no Python; the first small change that makes it so."""
    if case.kind not in ("SyntaxError", "IndentationError") and case.tree is not None:
        return None
    if not isinstance(case.error, PlanError) or case.error.kind not in ("SyntaxError", "IndentationError"):
        return None
    line = case.line or 1
    for fix in _FIXES:
        repaired = fix(case.plan, line)
        if repaired is None or repaired == case.plan:
            continue
        try:
            ast.parse(repaired)
        except (SyntaxError, ValueError):
            continue
        return Diagnosis("syntax", case.message, case.line, repaired, 0.8, (case.error.next_step,))
    return Diagnosis("syntax", case.message, case.line, None, 0.7, (case.error.next_step,))


def _per_line(change: Callable[[str], str]) -> Callable[[str, int], str | None]:
    """A change of the line of the error, or of one of the two before it, which Python may only notice later."""

    def changed(plan: str, line: int) -> str | None:
        lines = plan.split("\n")
        for place in range(min(line, len(lines)) - 1, max(line - 4, -1), -1):
            new = change(lines[place])
            if new == lines[place]:
                continue
            candidate = "\n".join([*lines[:place], new, *lines[place + 1 :]])
            try:
                ast.parse(candidate)
            except (SyntaxError, ValueError):
                continue
            return candidate
        return None

    return changed


def _without_fences(plan: str, _line: int) -> str:
    inside = re.search(r"```(?:python)?\n(.*?)```", plan, re.DOTALL)
    return inside[1] if inside else re.sub(r"^```.*$", "", plan, flags=re.MULTILINE)


def _prose_as_comment(plan: str, line: int) -> str:
    lines = plan.split("\n")
    if not 0 < line <= len(lines) or not re.fullmatch(r"\s*[A-Z][\w ,.:;'’-]*", lines[line - 1]):
        return plan
    lines[line - 1] = f"# {lines[line - 1].strip()}"
    return "\n".join(lines)


def _closed(line: str) -> str:
    opened = []
    pairs = {"(": ")", "[": "]", "{": "}"}
    for character in re.sub(r"(['\"]).*?\1", "", line):
        if character in pairs:
            opened.append(pairs[character])
        elif opened and character == opened[-1]:
            opened.pop()
    code, comment = (line, "") if "#" not in line or "'" in line or '"' in line else line.split("#", 1)
    return code.rstrip() + "".join(reversed(opened)) + (f"  #{comment}" if comment else "")


def _outer_quotes(line: str) -> str:
    """A text that holds the quotes it stands in: the outermost ones become triple."""
    found = re.search(r"\((f?)(\")(.*)\"(?=\s*[,)])", line) or re.search(r"\((f?)(')(.*)'(?=\s*[,)])", line)
    if not found:
        return line
    return f"{line[: found.start()]}({found[1]}{found[2] * 3}{found[3]}{found[2] * 3}{line[found.end() :]}"


_FIXES: tuple[Callable[[str, int], str | None], ...] = (
    _without_fences,
    lambda plan, _line: re.sub(r"[“”„]", '"', re.sub(r"[‘’]", "'", plan)),
    _per_line(_closed),
    _per_line(lambda line: line.rstrip().rstrip(";") + ":"),
    _per_line(lambda line: re.sub(r"\b(if|while|elif)\b(.*[^=!<>])=(?!=)", r"\1\2==", line)),
    _per_line(lambda line: re.sub(r"\s*&&\s*", " and ", re.sub(r"\s*\|\|\s*", " or ", line))),
    _per_line(_outer_quotes),
    _per_line(lambda line: line.rstrip() + '"'),
    _per_line(lambda line: line.rstrip() + "'"),
    _per_line(lambda line: re.sub(r"\)\s*$", '")', line)),
    _per_line(lambda line: re.sub(r"\)\s*$", "')", line)),
    _per_line(lambda line: re.sub(r"\)\s*$", "", line)),
    _per_line(lambda line: line.lstrip()),
    _per_line(lambda line: f"    {line}"),
    _per_line(lambda line: re.sub(r"^\s*(else\s+if)\b", "elif", line)),
    _per_line(lambda line: re.sub(r"^(\s*)(?:var|let|const)\s+", r"\1", line)),
    _per_line(lambda line: re.sub(r"(\w)\s+(?=[\"'])", r"\1, ", line)),
    _prose_as_comment,
)
"""Changes that may make a plan Python, the likelier ones first; the first one that does is taken."""


def _undefined(case: Case) -> str | None:
    """The name that is not defined."""
    found = re.search(r"ame '(\w+)' is not defined", case.message) if case.kind == "NameError" else None
    return found[1] if found else None
