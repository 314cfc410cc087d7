"""What SQLite allows of groups and other engines do not: columns that are neither grouped by nor aggregated.

SQLite gives the value of some row of the group; beside one MIN or MAX alone, of the row that has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ehrtui.engines.bridge.kinds import Kinds
from ehrtui.engines.bridge.reading import Sql, function_name

AGGREGATES = frozenset(
    [
        "count",
        "sum",
        "avg",
        "min",
        "max",
        "total",
        "group_concat",
        "string_agg",
        "median",
        "percentile",
        "percentile_cont",
        "percentile_disc",
        "stddev",
        "stdev",
        "stddev_samp",
        "stddev_pop",
        "variance",
        "var_samp",
        "var_pop",
    ]
)


class Grouping:
    """What of one SELECT is aggregated: `bare` are its columns that SQLite takes from some row of the group, by the id
    of their nodes, and `extreme` the MIN or MAX whose row that is, if any."""

    def __init__(self, select: exp.Select, kinds: Kinds) -> None:
        self._select = select
        self._kinds = kinds
        self.bare: dict[int, exp.Column] = {}
        self.extreme: exp.Anonymous | None = None
        terms = list(self._terms())
        group = select.args.get("group")
        called = [node for term in terms for node in _aggregates(term)]
        self.is_grouped = group is not None or bool(called)
        if not self.is_grouped:
            return
        self._keys = {self._key(self.meant(each)) for each in (group.expressions if group is not None else ())}
        for term in terms:
            self._find(term)
        extremes = [node for node in called if function_name(node) in ("min", "max")]
        if len({self._key(node) for node in extremes}) == 1:
            self.extreme = extremes[0]

    def _terms(self) -> Iterator[Sql]:
        yield from self._select.expressions
        for clause in ("having", "order"):
            if (found := self._select.args.get(clause)) is not None:
                yield found

    def meant(self, key: Sql) -> Sql:
        """What a term of GROUP BY stands for: the number or the alias of a column of the SELECT, or itself."""
        if isinstance(key, exp.Literal) and not key.is_string and str(key.this).isdigit():
            at = int(key.this) - 1
            if at < len(self._select.expressions):
                chosen = self._select.expressions[at]
                meant: Sql = chosen.this if isinstance(chosen, exp.Alias) else chosen
                return meant
        if isinstance(key, exp.Column) and self._kinds.home(key) is None:
            return self._kinds.alias(key) or key
        return key

    def _key(self, node: Sql) -> str:
        """A text that two expressions share where they are the same."""
        copy = node.copy()
        for column, original in zip(_columns(copy), _columns(node), strict=True):
            home = self._kinds.home(original)
            if home is not None:
                column.set("table", exp.to_identifier(f"{home[1]}"))
                column.set("this", exp.to_identifier(original.name.lower()))
        while isinstance(copy, exp.Paren):
            copy = copy.this
        return copy.sql("sqlite").lower() if not isinstance(copy, exp.Literal) else copy.sql("sqlite")

    def _find(self, node: Sql) -> None:
        if isinstance(node, exp.Column):
            home = self._kinds.home(node)
            if home is not None and home[0] is self._select and self._key(node) not in self._keys:
                self.bare[id(node)] = node
            return
        if function_name(node) in AGGREGATES and _is_aggregate(node):
            return
        if isinstance(node, exp.Filter | exp.Subquery | exp.Select | exp.Exists):
            return
        compound = not isinstance(node, exp.Alias | exp.Order | exp.Having | exp.Literal)
        if compound and self._keys and self._key(node) in self._keys:
            return
        for child in node.iter_expressions():
            self._find(child)


def is_aggregated(select: exp.Select) -> bool:
    """True for a SELECT with groups, or with one for all rows."""
    terms = [*select.expressions, *(select.args[at] for at in ("having", "order") if select.args.get(at) is not None)]
    return select.args.get("group") is not None or any(True for term in terms for _ in _aggregates(term))


def _aggregates(node: Sql) -> Iterator[exp.Anonymous]:
    """The aggregate functions in an expression that are of its own SELECT, and no window's."""
    if isinstance(node, exp.Subquery | exp.Select | exp.SetOperation | exp.Exists):
        return
    if isinstance(node, exp.Window):
        called = node.this.this if isinstance(node.this, exp.Filter) else node.this
        for child in [*called.iter_expressions(), *(each for each in node.iter_expressions() if each is not node.this)]:
            yield from _aggregates(child)
        return
    if isinstance(node, exp.Anonymous) and _is_aggregate(node):
        yield node
        return
    for child in node.iter_expressions():
        yield from _aggregates(child)


def _is_aggregate(node: Sql) -> bool:
    name = function_name(node)
    return name in AGGREGATES and not (name in ("min", "max") and len(node.expressions) > 1)


def _columns(node: Sql) -> list[exp.Column]:
    return list(node.find_all(exp.Column))
