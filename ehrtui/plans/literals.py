"""Text literals of a plan as their author wrote them: the conditions of a FilterDB, or SQL, piece by piece."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from ehrtui.plans.editing import edited, span
from ehrtui.plans.evidence import Case, calls, fits, text_parts

_LITERAL = re.compile(r"([rRfFbBuU]*)(\"\"\"|'''|\"|')(.*)\2", re.DOTALL)


@dataclass(frozen=True)
class Literal:
    """A text in quotes, for what stands in the plan from `start` to `end`: `inner` is what is between the quotes."""

    plan: str
    start: int
    end: int
    prefix: str
    quote: str
    inner: str

    @property
    def formatted(self) -> bool:
        """True for an f-string."""
        return "f" in self.prefix.lower()

    @property
    def pieces(self) -> list[str]:
        """The conditions, as they are written."""
        return self.inner.split("||")

    def written(self, inner: str, *, formatted: bool = False) -> str:
        """The plan with another text in these quotes, or in triple ones where it holds them; `formatted` makes it an
        f-string."""
        prefix = self.prefix + ("f" if formatted and not self.formatted else "")
        quote = self.quote
        if len(quote) == 1 and re.search(rf"(?<!\\)(?:\\\\)*[{quote}\n]", inner):
            quote = "'" * 3 if inner.endswith('"') else '"' * 3
        return edited(self.plan, [(self.start, self.end, f"{prefix}{quote}{inner}{quote}")])

    def with_piece(self, index: int, piece: str, *, formatted: bool = False) -> str:
        """The plan with one condition written anew. Braces of the others are doubled where the text becomes an
        f-string."""
        pieces = self.pieces
        if formatted and not self.formatted:
            pieces = [each.replace("{", "{{").replace("}", "}}") for each in pieces]
        pieces[index] = piece
        return self.written("||".join(pieces), formatted=formatted)


def literal_at(case: Case, node: ast.AST) -> Literal | None:
    """The literal that an expression is, or that its variable was set to. A text that is put together with `.format`,
    `%` or `+` is given as the f-string which would give the same; None for any other expression."""
    defined = case.definition(node)
    if defined is None:
        return None
    start, end = span(case.plan, defined)
    found = _LITERAL.fullmatch(case.plan[start:end]) if isinstance(defined, ast.Constant | ast.JoinedStr) else None
    if found is not None and not re.search(rf"(?<!\\){found[2]}", found[3]):
        return Literal(case.plan, start, end, found[1], found[2], found[3])
    parts = text_parts(defined)
    if not any(isinstance(part, str) for part in parts):
        return None
    inner = "".join(_escaped(part) if isinstance(part, str) else f"{{{case.source(part)}}}" for part in parts)
    quote = next((each for each in ('"', "'", '"' * 3) if each not in inner), "'" * 3)
    return Literal(case.plan, start, end, "f", quote, inner)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("{", "{{").replace("}", "}}")


def conditions_of(case: Case) -> tuple[ast.Call, Literal, str] | None:
    """The FilterDB call whose conditions failed, the literal that holds them, and what they really were."""
    if case.absent:
        text = case.absent.wanted.conditions
        found = [
            node
            for node in case.nodes(ast.Call)
            if calls(node, "FilterDB") and len(node.args) == 2 and _gives(case, node.args[1], text)
        ]
        before = [node for node in found if case.line is None or node.lineno <= case.line]
        call = max(before or found, key=lambda node: node.lineno, default=None)
    elif case.call and case.call.tool == "FilterDB" and len(case.call.args) == 2 and case.failing:
        text, call = str(case.call.args[1]), case.failing
    else:
        return None
    literal = literal_at(case, call.args[1]) if call else None
    if call is None or literal is None or len(literal.pieces) != len(text.split("||")):
        return None
    return call, literal, text


def _gives(case: Case, node: ast.expr, text: str) -> bool:
    defined = case.definition(node)
    return fits(defined if defined is not None else node, text)
