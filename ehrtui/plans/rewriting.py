"""Makes tables behave like lists in the sandbox, where a host object has no length, items or truth of its own, and
lends it the module that it lacks.

`for row in table`, `table[0]`, `table["column"]`, `x in table`, `if table:`, `sorted(table)` and `a, b = table` are
rewritten on the syntax tree into calls of the prelude; `len` is a function of the prelude itself.
"""

from __future__ import annotations

import ast

from ehrtui.plans.lent_modules import lent_module

PRELUDE = """
_ehr_len = len
def len(value):
    return value.size() if isinstance(value, _ehr_Table) else _ehr_len(value)
def _ehr_rows(value):
    return value.rows() if isinstance(value, _ehr_Table) else value
def _ehr_item(value, key):
    if isinstance(value, _ehr_Table) and (key is True or key is False):
        raise TypeError("A table is filtered with FilterDB, not with a comparison in brackets")
    return value.values(key) if isinstance(value, _ehr_Table) and isinstance(key, str) else _ehr_rows(value)[key]
def _ehr_members(value):
    return value.members() if isinstance(value, _ehr_Table) else value
def _ehr_truth(value):
    return value.size() > 0 if isinstance(value, _ehr_Table) else value
_ehr_isinstance, _ehr_type, _ehr_list, _ehr_repr = isinstance, type, list, repr
_ehr_many = (list, tuple, set, frozenset, dict)
def _ehr_shown(value, most=80):
    if _ehr_isinstance(value, str):
        return _ehr_repr(value[:most])
    if value is None or _ehr_isinstance(value, (int, float)):
        return _ehr_repr(value)[:80]
    return _ehr_type(value).__name__
def _ehr_seen(value):
    if _ehr_isinstance(value, _ehr_Table):
        return value
    if _ehr_isinstance(value, _ehr_many):
        return [_ehr_len(value), _ehr_type(value).__name__] + [_ehr_shown(item) for item in _ehr_list(value)[:200]]
    return [None, _ehr_type(value).__name__, _ehr_shown(value, 2000)]
"""
"""Run once in each session, where `_ehr_Table` is the class of the handles; `_ehr_seen` tells a step's row count, type
and preview."""

_BUILDERS = ("list", "tuple", "set", "frozenset", "dict", "sorted", "reversed", "enumerate", "zip", "map", "filter")
_REDUCERS = ("sum", "min", "max", "any", "all", "iter", "next")
_ITERATING = frozenset((*_BUILDERS, *_REDUCERS))
_MAY_BE_TABLE = (ast.Name, ast.Call, ast.Subscript, ast.Attribute, ast.IfExp, ast.BoolOp, ast.NamedExpr)


def rewritten(statement: ast.stmt) -> tuple[str, dict[int, int]] | None:
    """The statement's new source, and for each of its lines that stands for one the line of the plan; None where
    nothing need change."""
    rewriter = _Rewriter()
    new = rewriter.visit(statement)
    if not rewriter.changed:
        return None
    tree = ast.Module(new if isinstance(new, list) else [new], [])
    source = ast.unparse(ast.fix_missing_locations(tree))
    lines: dict[int, int] = {}
    for before, after in zip(_statements(tree), _statements(ast.parse(source)), strict=True):
        if before.lineno:  # not what is lent
            for line in range(after.lineno, (after.end_lineno or after.lineno) + 1):
                lines[line] = before.lineno
    return source, lines


def _statements(tree: ast.AST) -> list[ast.stmt]:
    """All statements of a tree, outer ones first."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]


class _Rewriter(ast.NodeTransformer):
    def __init__(self) -> None:
        self.changed = False

    def _wrapped(self, node: ast.expr, function: str, *more: ast.expr) -> ast.expr:
        self.changed = True
        return ast.copy_location(ast.Call(ast.Name(function, ast.Load()), [node, *more], []), node)

    def _rows(self, node: ast.expr) -> ast.expr:
        """`_ehr_rows(node)` where the node could be a table; a call that surely gives a list stays as it is."""
        if isinstance(node, ast.Starred):
            node.value = self._rows(node.value)
            return node
        if not isinstance(node, _MAY_BE_TABLE):
            return node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in (*_ITERATING, "range"):
            return node
        return self._wrapped(node, "_ehr_rows")

    def _truth(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            node.values = [self._truth(value) for value in node.values]
        elif isinstance(node, _MAY_BE_TABLE):
            return self._wrapped(node, "_ehr_truth")
        return node

    def _visit_import(self, node: ast.Import | ast.ImportFrom) -> ast.stmt | list[ast.stmt]:
        lent = lent_module(node)
        self.changed = self.changed or lent is not None
        return lent or node

    visit_Import = visit_ImportFrom = _visit_import  # noqa: N815

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._rows(node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._rows(node.iter)
        node.ifs = [self._truth(test) for test in node.ifs]
        return node

    def _visit_test(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> ast.AST:
        self.generic_visit(node)
        node.test = self._truth(node.test)
        return node

    visit_If = visit_While = visit_IfExp = visit_Assert = _visit_test  # noqa: N815

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = self._truth(node.operand)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if any(isinstance(target, ast.Tuple | ast.List) for target in node.targets):
            node.value = self._rows(node.value)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        for place, op in enumerate(node.ops):
            if isinstance(op, ast.In | ast.NotIn) and isinstance(node.comparators[place], _MAY_BE_TABLE):
                node.comparators[place] = self._wrapped(node.comparators[place], "_ehr_members")
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _ITERATING:
            node.args = [self._rows(argument) for argument in node.args]
        elif isinstance(node.func, ast.Name) and node.func.id == "bool":
            node.args = [self._truth(argument) for argument in node.args]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or not isinstance(node.value, _MAY_BE_TABLE):
            return node
        if isinstance(node.slice, ast.Slice):
            node.value = self._rows(node.value)
            return node
        return self._wrapped(node.value, "_ehr_item", node.slice)
