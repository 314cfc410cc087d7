"""What SQLite would make of every expression of a query: its kind of value, and whether it compares as a column does.

SQLite types values, and other engines expressions. Whether a quotient is whole, or a text is compared as a number,
follows from the kinds of the columns: they are known here for the tables, and follow through the query from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from sqlglot import exp

from ehrtui.engines.bridge.reading import Sql, function_name


class Kind(Enum):
    """What the values of an expression are; MIXED where they are texts and numbers."""

    WHOLE = "INTEGER"
    REAL = "REAL"
    TEXT = "TEXT"
    BLOB = "BLOB"
    NULL = "NULL"
    MIXED = "MIXED"
    UNKNOWN = ""

    @property
    def is_number(self) -> bool:
        """True for numbers of either kind."""
        return self in (Kind.WHOLE, Kind.REAL)


@dataclass(frozen=True)
class Typed:
    """The kind of an expression. An `affine` one, a column or a CAST, makes what it is compared with its like; an
    `instant` is a text with a date."""

    kind: Kind
    affine: bool = False
    instant: bool = False


Columns = Mapping[str, Typed]
"""The columns of a relation by their names in lower case, in their order."""
Tables = Callable[[str, str], "Columns | None"]
"""The columns of the table of a name (schema, table), None where there is none."""

_UNKNOWN = Typed(Kind.UNKNOWN)
_PREDICATES = (
    exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Escape, exp.Glob, exp.RegexpLike, exp.In,
    exp.Between, exp.Is, exp.Not, exp.And, exp.Or, exp.Exists, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Boolean,
)  # fmt: skip
_OF_TYPE = {
    Kind.WHOLE: "count length instr unixepoch row_number rank dense_rank ntile sign unicode regexp regexpi random",
    Kind.REAL: "avg round sqrt stddev stdev stddev_samp stddev_pop variance var_samp var_pop median percentile total "
    "percentile_cont percentile_disc julianday percent_rank cume_dist exp ln log log10 log2 power pow",
    Kind.TEXT: "lower upper trim ltrim rtrim replace substr substring hex group_concat string_agg char typeof printf "
    "format date time datetime strftime",
}
_BY_NAME = {name: kind for kind, names in _OF_TYPE.items() for name in names.split()}
_AS_ARGUMENT = frozenset(("min", "max", "nullif", "lag", "lead", "first_value", "last_value", "nth_value"))
_AS_ALL = frozenset(("coalesce", "ifnull"))
_AS_NUMBER = frozenset(("sum", "abs", "floor", "ceil", "ceiling", "trunc"))
_WHOLE_PARTS = frozenset(("%Y", "%m", "%d", "%H", "%M", "%S", "%j", "%w", "%W", "%s"))


def is_predicate(node: object) -> bool:
    """True for what is true or false, which SQLite spells 1 and 0."""
    while isinstance(node, exp.Paren):
        node = node.this
    return isinstance(node, _PREDICATES)


def merged(kinds: Iterable[Kind]) -> Kind:
    """The kind of what is one of these."""
    found = set(kinds) - {Kind.NULL}
    if not found:
        return Kind.NULL
    if Kind.UNKNOWN in found:
        return Kind.UNKNOWN
    if found == {Kind.WHOLE, Kind.REAL}:
        return Kind.REAL
    return found.pop() if len(found) == 1 else Kind.MIXED


def declared(type: str) -> Kind:
    """The kind of the values that a type of CAST makes."""
    upper = type.upper()
    if "INT" in upper:
        return Kind.WHOLE
    if any(word in upper for word in ("CHAR", "CLOB", "TEXT")):
        return Kind.TEXT
    if "BLOB" in upper or "BINARY" in upper:
        return Kind.BLOB
    return Kind.REAL


def _has_alias(select: exp.Select, name: str) -> bool:
    return any(isinstance(each, exp.Alias) and each.alias.lower() == name for each in select.expressions)


class Kinds:
    """The kinds of the nodes of one tree, which must stay as it is meanwhile."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._known: dict[int, Typed] = {}
        self._sources: dict[int, list[tuple[str, Columns]]] = {}
        self._columns: dict[int, list[tuple[str, Typed]]] = {}

    def of(self, node: Sql) -> Typed:
        """What SQLite makes of an expression."""
        found = self._known.get(id(node))
        if found is None:
            self._known[id(node)] = _UNKNOWN  # while it is found out: a recursive query names itself
            found = self._known[id(node)] = self._found(node)
        return found

    def kind(self, node: Sql) -> Kind:
        """The kind of an expression."""
        return self.of(node).kind

    def as_number(self, node: Sql) -> Kind:
        """The kind that an expression has in arithmetic, where a text counts as the number that it begins with."""
        kind = self.kind(node)
        if kind is Kind.TEXT:
            return Kind.WHOLE if self.is_whole_text(node) else Kind.REAL
        return Kind.UNKNOWN if kind is Kind.MIXED else kind

    def is_whole_text(self, node: Sql) -> bool:
        """True for a part of a time, whose text is digits."""
        while isinstance(node, exp.Paren):
            node = node.this
        if function_name(node) != "strftime" or not node.expressions:
            return False
        format = node.expressions[0]
        return isinstance(format, exp.Literal) and format.this in _WHOLE_PARTS

    def columns(self, query: object) -> list[tuple[str, Typed]]:
        """The columns that a query gives."""
        found = self._columns.get(id(query))
        if found is None:
            self._columns[id(query)] = []  # a recursive query is known by its first arm
            found = self._columns[id(query)] = list(self._given(query))
        return found

    def sources(self, select: exp.Select) -> list[tuple[str, Columns]]:
        """The relations of a FROM clause by their aliases in lower case."""
        found = self._sources.get(id(select))
        if found is None:
            self._sources[id(select)] = []
            first = select.args.get("from_")
            relations = [first.this] if first is not None else []
            relations += [join.this for join in select.args.get("joins") or ()]
            found = [source for each in relations for source in self._relation(each)]
            self._sources[id(select)] = found
        return found

    def home(self, column: exp.Column) -> tuple[exp.Select | None, str, Typed] | None:
        """Where a column comes from: the SELECT whose relation has it, the alias of that, and its kind. None where no
        relation has it."""
        name, qualifier = column.name.lower(), column.table.lower()
        for select in self._selects(column):
            for alias, columns in self.sources(select):
                if qualifier in ("", alias) and name in columns:
                    return select, alias, columns[name]
            if not qualifier and _has_alias(select, name):
                return None
        return None

    def alias(self, column: exp.Column) -> Sql | None:
        """The expression of a SELECT that an unqualified name is the alias of."""
        if column.table:
            return None
        for select in self._selects(column):
            for each in select.expressions:
                if isinstance(each, exp.Alias) and each.alias.lower() == column.name.lower():
                    return each.this if isinstance(each.this, exp.Expr) else None
        return None

    def _selects(self, node: Sql) -> Iterator[exp.Select]:
        """The queries whose relations and aliases are seen from a node: not those that it is a relation of."""
        at: Sql | None = node.parent
        below, is_relation = node, False
        while at is not None:
            is_relation = (
                is_relation or isinstance(at, exp.From | exp.With) or (isinstance(at, exp.Join) and at.this is below)
            )
            if isinstance(at, exp.Select):
                if not is_relation:
                    yield at
                is_relation = False
            below, at = at, at.parent

    def _found(self, node: Sql) -> Typed:
        if isinstance(node, exp.Column):
            return self._column(node)
        if isinstance(node, exp.Literal):
            if node.is_string:
                return Typed(Kind.TEXT)
            return Typed(Kind.WHOLE if str(node.this).isdigit() else Kind.REAL)
        if isinstance(node, exp.Paren | exp.Collate | exp.Filter | exp.Window | exp.Alias | exp.Distinct):
            inner = node.expressions[0] if isinstance(node, exp.Distinct) else node.this
            found = self.of(inner)
            return found if isinstance(node, exp.Paren | exp.Collate | exp.Alias) else replace(found, affine=False)
        if isinstance(node, exp.Subquery | exp.Select | exp.SetOperation):
            given = self.columns(node)
            return given[0][1] if given else _UNKNOWN
        if isinstance(node, exp.Cast):
            return Typed(declared(node.to.sql("sqlite")), affine=True)
        if isinstance(node, _PREDICATES):
            return Typed(Kind.WHOLE)
        if isinstance(node, exp.Null):
            return Typed(Kind.NULL)
        if isinstance(node, exp.HexString):
            return Typed(Kind.BLOB)
        name, arguments = function_name(node), node.expressions
        instant = name in ("date", "datetime") or (name in _AS_ARGUMENT and self.of(arguments[0]).instant)
        return Typed(self._computed(node), instant=instant)

    def _computed(self, node: Sql) -> Kind:
        if isinstance(node, exp.DPipe):
            return Kind.TEXT
        if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div | exp.Mod):
            kinds = {self.as_number(node.this), self.as_number(node.expression)} - {Kind.NULL}
            if Kind.REAL in kinds:
                return Kind.REAL
            return Kind.UNKNOWN if Kind.UNKNOWN in kinds else Kind.WHOLE
        if isinstance(node, exp.Neg):
            return self.as_number(node.this)
        if isinstance(node, exp.BitwiseAnd | exp.BitwiseOr | exp.BitwiseLeftShift | exp.BitwiseRightShift):
            return Kind.WHOLE
        if isinstance(node, exp.Case):
            branches = [each.args["true"] for each in node.args["ifs"]]
            default = node.args.get("default")
            return merged(map(self.kind, [*branches, *([default] if default is not None else [])]))
        return self._called(function_name(node), node.expressions)

    def _called(self, name: str, arguments: list[Sql]) -> Kind:
        if name in ("min", "max") and len(arguments) > 1:
            return merged(map(self.kind, arguments))
        if name in _AS_ARGUMENT and arguments:
            return self.kind(arguments[0])
        if name in _AS_ALL:
            return merged(map(self.kind, arguments))
        if name == "iif":
            return merged(map(self.kind, arguments[1:]))
        if name in _AS_NUMBER and arguments:
            return self.as_number(arguments[0])
        return _BY_NAME.get(name, Kind.UNKNOWN)

    def _column(self, column: exp.Column) -> Typed:
        home = self.home(column)
        if home is not None:
            return home[2]
        named = self.alias(column)
        if named is not None:
            return replace(self.of(named), affine=False)
        at = column.parent
        while at is not None and not isinstance(at, exp.Select):
            if isinstance(at, exp.SetOperation):
                return dict(self.columns(at)).get(column.name.lower(), _UNKNOWN)
            at = at.parent
        return _UNKNOWN

    def _relation(self, relation: Sql) -> Iterator[tuple[str, Columns]]:
        if isinstance(relation, exp.Table):
            yield relation.alias_or_name.lower(), self.table(relation) or {}
        elif isinstance(relation, exp.Subquery | exp.Paren) and isinstance(relation.this, exp.Table | exp.Subquery):
            yield from self._relation(relation.this)
        else:
            yield relation.alias_or_name.lower(), dict(reversed(self.columns(relation)))
        for join in relation.args.get("joins") or ():
            yield from self._relation(join.this)

    def table(self, table: exp.Table) -> Columns | None:
        """The columns of a table, or of the query of that name; None where there is neither."""
        if not table.db:
            at: Sql | None = table
            while at is not None:
                clause = at.args.get("with_")
                for cte in clause.expressions if clause is not None else ():
                    if cte.alias.lower() == table.name.lower():
                        return dict(reversed(self.columns(cte)))
                at = at.parent
        return self._tables(table.db.lower(), table.name.lower())

    def _given(self, query: object) -> Iterator[tuple[str, Typed]]:
        if isinstance(query, exp.Subquery | exp.CTE | exp.Paren):
            given = self.columns(query.this)
            alias = query.args.get("alias")
            names = [each.name.lower() for each in alias.columns] if isinstance(alias, exp.TableAlias) else []
            yield from ((names[at] if at < len(names) else name, typed) for at, (name, typed) in enumerate(given))
        elif isinstance(query, exp.SetOperation):
            left = self.columns(query.this)
            self._columns[id(query)] = left
            for cte in [at for at in (query.parent,) if isinstance(at, exp.CTE)]:
                self._columns[id(cte)] = list(self._renamed(cte, left))
            right = self.columns(query.expression)
            for at, (name, typed) in enumerate(left):
                other = right[at][1] if at < len(right) else typed
                yield name, replace(typed, kind=merged((typed.kind, other.kind)))
        elif isinstance(query, exp.Select):
            for each in query.expressions:
                yield from self._projected(query, each)
        elif isinstance(query, exp.Values):
            rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in query.expressions]
            for at, column in enumerate(zip(*rows, strict=False), start=1):
                yield f"column{at}", Typed(merged(map(self.kind, column)))

    def _renamed(self, cte: exp.CTE, given: list[tuple[str, Typed]]) -> Iterator[tuple[str, Typed]]:
        alias = cte.args.get("alias")
        names = [each.name.lower() for each in alias.columns] if isinstance(alias, exp.TableAlias) else []
        yield from ((names[at] if at < len(names) else name, typed) for at, (name, typed) in enumerate(given))

    def _projected(self, select: exp.Select, each: Sql) -> Iterator[tuple[str, Typed]]:
        star = each.this if isinstance(each, exp.Column) else each
        if isinstance(star, exp.Star):
            wanted = each.table.lower() if isinstance(each, exp.Column) else ""
            for alias, columns in self.sources(select):
                if wanted in ("", alias):
                    yield from columns.items()
            return
        name = each.alias_or_name or each.sql("sqlite")
        yield name.lower(), self.of(each)
