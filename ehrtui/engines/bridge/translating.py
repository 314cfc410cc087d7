"""A SELECT of SQLite's dialect in the dialect of another engine, with the same rows.

Every node of the tree is looked at: what is the same in both is kept, what differs is spelled anew, and what is not
known to be either is refused by its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlglot import Dialect, exp

from ehrtui.engines.bridge.comparing import COMPARISONS, Comparing, spelt_number, with_collation
from ehrtui.engines.bridge.grouping import AGGREGATES, Grouping, is_aggregated
from ehrtui.engines.bridge.kinds import Kind, Kinds, Tables, is_predicate
from ehrtui.engines.bridge.reading import Sql, call, function_name, tree_of
from ehrtui.engines.bridge.refusing import Unbridged
from ehrtui.engines.bridge.speech import Speech
from ehrtui.engines.bridge.times import NAMES, Times

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul)
_BITWISE = (exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseLeftShift, exp.BitwiseRightShift)
_SAME = (
    exp.Alias, exp.CTE, exp.Except, exp.From, exp.Having, exp.Identifier, exp.Intersect, exp.Join, exp.Null,
    exp.Offset, exp.Order, exp.Paren, exp.Star, exp.TableAlias, exp.Tuple, exp.Union,
    exp.Where, exp.WindowSpec, exp.With, exp.Distinct, exp.Filter, exp.Exists, exp.Var,
)  # fmt: skip
"""What both dialects write and mean alike, once its parts are translated."""
_PARTS = frozenset((
    *("this", "expression", "expressions", "from_", "joins", "where", "group", "having", "order", "limit"),
    *("offset", "distinct", "with_", "recursive", "alias", "columns", "table", "db", "quoted", "is_string"),
    *("desc", "nulls_first", "kind", "on", "using", "side", "method", "to", "ifs", "true", "default", "low"),
    *("high", "query", "partition_by", "spec", "over", "start", "start_side", "end", "end_side", "safe"),
    *("typed", "materialized", "windows", "indexed", "pivots"),
))  # fmt: skip
"""The parts of nodes that are looked at."""
_NUMBERED_ROWS = frozenset(("rowid", "oid", "_rowid_"))
_OF_NUMBERS = frozenset(
    [
        "sum",
        "avg",
        "total",
        "round",
        "abs",
        "floor",
        "ceil",
        "ceiling",
        "sqrt",
        "exp",
        "ln",
        "log",
        "log2",
        "log10",
        "power",
        "pow",
        "sign",
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
"""Functions that make numbers of what they are given."""
_CONVERSION = re.compile(r"%(?:0?\d*(?:\.(\d+))?)([dsf])")
_PAIRS = {"min": "least", "max": "greatest"}
_TYPES = {Kind.WHOLE: "BIGINT", Kind.REAL: "DOUBLE", Kind.TEXT: "TEXT"}
_GATHERING = AGGREGATES | frozenset((
    *("row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead"),
    *("first_value", "last_value", "nth_value"),
))  # fmt: skip
"""Functions that FILTER or OVER may stand behind."""


@dataclass(frozen=True)
class Translated:
    """A statement of another dialect. It reads `tables` (names in lower case); `arrives` is True where it gives its
    first rows long before its last."""

    sql: str
    tables: frozenset[str]
    arrives: bool


def translated(select: str, tables: Tables, speech: Speech) -> Translated:
    """One SELECT in the engine's own SQL. Raises Unbridged."""
    try:
        tree = tree_of(select)
        made = speech.statement(_Translation(tables, speech).statement(tree))
        generator = Dialect.get_or_raise(speech.dialect).generator(identify=True, pretty=False)
        names = frozenset(table.name.lower() for table in tree.find_all(exp.Table))
        return Translated(generator.generate(made, copy=False), names, _arrives(tree))
    except RecursionError as error:
        raise Unbridged("A query that is nested so deeply") from error


def _arrives(tree: Sql) -> bool:
    """True for a SELECT that neither sorts nor gathers."""
    gathering = ("group", "order", "distinct")
    return (
        isinstance(tree, exp.Select)
        and not any(tree.args.get(clause) is not None for clause in gathering)
        and not is_aggregated(tree)
        and tree.find(exp.Window) is None
    )


class _Translation:
    def __init__(self, tables: Tables, speech: Speech) -> None:
        self._speech = speech
        self._kinds = Kinds(tables)
        self._times = Times(speech, self._kinds, self.value)
        self._comparing = Comparing(speech, self._kinds, self.value)
        self._grouping: dict[int, Grouping] = {}
        self._unnamed = 0

    def statement(self, tree: Sql) -> Sql:
        """A whole statement."""
        if not isinstance(tree, exp.Select | exp.SetOperation | exp.Subquery | exp.Values):
            raise Unbridged("This statement")
        return self._node(tree)

    def value(self, node: Sql) -> Sql:
        """An expression for its value: what is true or false is 1 or 0."""
        found = self._node(node)
        return self._speech.truth(found) if is_predicate(node) else found

    def condition(self, node: Sql) -> Sql:
        """An expression for whether it is true."""
        if is_predicate(node):
            return self._node(node)
        kind = self._kinds.kind(node)
        if kind in (Kind.NULL, Kind.UNKNOWN):
            return self._node(node)
        return exp.NEQ(this=exp.Paren(this=self._number(node)), expression=exp.Literal.number("0"))

    def _number(self, node: Sql) -> Sql:
        """An expression in arithmetic."""
        if self._kinds.kind(node) is not Kind.TEXT:
            return self.value(node)
        return spelt_number(node) or self._times.number(node) or self._speech.number_of(self.value(node))

    def _node(self, node: Sql) -> Sql:
        if unknown := [name for name, part in node.args.items() if part and name not in _PARTS]:
            raise Unbridged(f"“{unknown[0]}” in “{node.sql('sqlite')[:60]}”")
        for kind, spell in _SPELLED.items():
            if isinstance(node, kind):
                return spell(self, node)
        if isinstance(node, _SAME):
            return self._rebuilt(node)
        raise Unbridged(f"“{node.sql('sqlite')[:60]}”")

    def _rebuilt(self, node: Sql, **other: Any) -> Sql:
        """The node with its parts translated; `other` are parts that are known already."""
        parts = {
            name: other[name] if name in other else self._part(node, name, part) for name, part in node.args.items()
        }
        return node.__class__(**{**parts, **{name: part for name, part in other.items() if name not in parts}})

    def _part(self, node: Sql, name: str, part: Any) -> Any:
        if isinstance(part, list):
            return [self._part(node, name, each) for each in part]
        if not isinstance(part, exp.Expr):
            return part
        truth = (isinstance(node, exp.Where | exp.Having) and name == "this") or (
            isinstance(node, exp.Join) and name == "on"
        )
        if truth or (isinstance(node, exp.Paren) and is_predicate(node)):
            return self.condition(part)
        return self.value(part)

    def _select(self, node: exp.Select) -> Sql:
        if node.args.get("from_") is None and node.args.get("where") is None and node.args.get("group") is None:
            return self._rebuilt(node, expressions=[self._projected(node, each) for each in node.expressions])
        self._grouping[id(node)] = Grouping(node, self._kinds)
        if node.args.get("distinct") is not None and node.args.get("order") is not None and not is_aggregated(node):
            return self._distinct_sorted(node)
        return self._rebuilt(node, expressions=[self._projected(node, each) for each in node.expressions])

    def _projected(self, select: exp.Select, each: Sql) -> Sql:
        """A column of a SELECT, under the name that it has in SQLite where somebody may use that."""
        made = self.value(each)
        if isinstance(each, exp.Alias):
            made.set("this", self._column_of(select, each.this, made.this))
            return made
        if isinstance(made, exp.Column | exp.Star):
            return made
        made = self._column_of(select, each, made)
        if isinstance(each, exp.Column):
            return exp.Alias(this=made, alias=exp.to_identifier(each.name))
        if select.parent is None or isinstance(select.parent, exp.In | exp.Exists):
            return made
        return exp.Alias(this=made, alias=exp.to_identifier(each.sql("sqlite")))

    def _column_of(self, select: exp.Select, each: Sql, made: Sql) -> Sql:
        """A column of a SELECT: others may sort it by its name, and those of a recursive query are of one type."""
        kind, parent = self._kinds.kind(each), select.parent
        clause = select.find_ancestor(exp.With)
        if isinstance(parent, exp.SetOperation) and clause is not None and clause.recursive:
            made = exp.Cast(this=made, to=exp.DataType.build(_TYPES[kind])) if kind in _TYPES else made
        sorts = parent is not None or select.args.get("order") is not None
        return self._speech.by_bytes(made) if kind is Kind.TEXT and sorts else made

    def _distinct_sorted(self, node: exp.Select) -> Sql:
        """SELECT DISTINCT … ORDER BY what is not among the columns: of each row, its first place counts."""
        given = {each.alias_or_name.lower() for each in node.expressions}
        given |= {
            (each.this if isinstance(each, exp.Alias) else each).sql("sqlite").lower() for each in node.expressions
        }
        order = node.args["order"]
        sole = all(
            isinstance(each.this, exp.Literal)
            or each.this.sql("sqlite").lower() in given
            or (isinstance(each.this, exp.Column) and each.this.name.lower() in given)
            for each in order.expressions
        )
        if sole:
            return self._rebuilt(node)
        if any(isinstance(each, exp.Star) or each.find(exp.Star, exp.Window) for each in node.expressions):
            raise Unbridged("DISTINCT with an order by what is not among the columns")
        made = self._rebuilt(node, distinct=None, order=None)
        columns = [each.this if isinstance(each, exp.Alias) else each for each in made.expressions]
        made.set("group", exp.Group(expressions=[each.copy() for each in columns]))
        terms = []
        for each in order.expressions:
            term, value = each.copy(), self.value(each.this)
            same = value in columns or isinstance(each.this, exp.Literal)
            term.set("this", self._sorted(each.this, value if same else self._speech.any_of(value)))
            terms.append(term)
        made.set("order", exp.Order(expressions=terms))
        return made

    def _column(self, node: exp.Column) -> Sql:
        if isinstance(node.this, exp.Star):
            return exp.Column(this=exp.Star(), table=node.args.get("table"))
        home = self._kinds.home(node)
        name = node.name.lower()
        if home is None and name in _NUMBERED_ROWS:
            raise Unbridged("The number of a row (rowid)")
        if home is None and not node.table and node.this.quoted and self._kinds.alias(node) is None:
            return exp.Literal.string(node.name)  # SQLite takes a name that nothing has for a text
        if (
            home is None
            and (meant := self._kinds.alias(node)) is not None
            and not isinstance(node.parent, exp.Ordered | exp.Group)
        ):
            found = self.value(meant)
            return exp.Paren(this=found) if isinstance(found, exp.Binary) else found
        made = exp.Column(this=exp.to_identifier(node.name), table=node.args.get("table"))
        grouping = self._grouping.get(id(home[0])) if home is not None and home[0] is not None else None
        if grouping is None or id(node) not in grouping.bare:
            return made
        if grouping.extreme is not None:
            highest = function_name(grouping.extreme) == "max"
            return self._speech.beside(made, self.value(grouping.extreme.expressions[0]), highest)
        return self._speech.any_of(made)

    def _table(self, node: exp.Table) -> Sql:
        if not isinstance(node.this, exp.Identifier):
            raise Unbridged(f"The table {node.sql('sqlite')[:40]}")
        if self._kinds.table(node) is None:
            raise Unbridged(f"The table {node.name}", why="It describes a SQLite file.")
        schema = node.db.lower()
        return exp.Table(
            this=exp.to_identifier(node.name),
            db=exp.to_identifier(node.db) if schema not in ("", "main") else None,
            alias=self._part(node, "alias", node.args.get("alias")),
            joins=self._part(node, "joins", node.args.get("joins") or []),
        )

    def _subquery(self, node: exp.Subquery) -> Sql:
        """A query in brackets: a relation, or a value."""
        made = self._rebuilt(node)
        if not isinstance(node.this, exp.Query):
            return made
        if isinstance(node.parent, exp.From | exp.Join):
            return self._aliased(node, made)
        if not isinstance(node.parent, exp.SetOperation | exp.In | exp.Exists | exp.CTE | exp.Subquery | None):
            made.set("this", self._speech.first_row(made.this))
        return made

    def _values(self, node: exp.Values) -> Sql:
        made = self._rebuilt(node)
        if isinstance(node.parent, exp.From | exp.Join):
            return self._columns_named(node, self._aliased(node, made))
        if isinstance(node.parent, exp.CTE):
            named = self._columns_named(node, self._aliased(node, made))
            return exp.Select(expressions=[exp.Star()], from_=exp.From(this=named))
        return made

    def _columns_named(self, node: exp.Values, made: Sql) -> Sql:
        """Rows that are written out, with the names that SQLite gives their columns: column1, column2 …"""
        alias = made.args["alias"]
        if not alias.columns:
            names = [exp.to_identifier(name) for name, _ in self._kinds.columns(node)]
            made.set("alias", exp.TableAlias(this=alias.this, columns=names))
        return made

    def _aliased(self, node: Sql, made: Sql) -> Sql:
        """A relation that is computed, which has a name."""
        if not node.alias:
            self._unnamed += 1
            made.set("alias", exp.TableAlias(this=exp.to_identifier(f"subquery {self._unnamed}")))
        return made

    def _grouped(self, node: exp.Group) -> Sql:
        """GROUP BY what its numbers and aliases stand for, which other columns may be reckoned of."""
        select = node.parent
        grouping = self._grouping.get(id(select)) if select is not None else None
        if grouping is None:
            return self._rebuilt(node)
        meant = [(each, grouping.meant(each)) for each in node.expressions]
        constant = (exp.Literal, exp.Null, exp.Neg)
        keys = [self.value(each if isinstance(found, constant) else found) for each, found in meant]
        return self._rebuilt(node, expressions=keys)

    def _ordered(self, node: exp.Ordered) -> Sql:
        return self._rebuilt(node, this=self._sorted(node.this, self._part(node, "this", node.this)))

    def _sorted(self, node: Sql, made: Sql) -> Sql:
        """What rows are sorted by, translated as `made`; the names of columns sort as they are."""
        order = node.parent.parent if node.parent is not None else None
        if isinstance(order, exp.Order) and isinstance(order.parent, exp.SetOperation):
            return made
        plain = isinstance(node, exp.Literal) or (isinstance(node, exp.Column) and self._kinds.home(node) is None)
        return made if plain or self._kinds.kind(node) is not Kind.TEXT else self._speech.by_bytes(made)

    def _windowed(self, node: exp.Window) -> Sql:
        return _around(self.value(node.this), lambda called: self._rebuilt(node, this=called))

    def _join(self, node: exp.Join) -> Sql:
        bare = not (node.args.get("on") or node.args.get("using") or node.args.get("method") or node.args.get("side"))
        if bare and node.args.get("kind") in ("", None, "INNER"):
            return self._rebuilt(node, kind="CROSS")
        return self._rebuilt(node)

    def _literal(self, node: exp.Literal) -> Sql:
        text = str(node.this)
        if node.is_string or text.isdigit():
            return node.copy()
        return exp.Literal.number(text if "e" in text.lower() else f"{text}e0")

    def _boolean(self, node: exp.Boolean) -> Sql:
        return node.copy()

    def _connected(self, node: exp.Binary) -> Sql:
        """AND, or OR, of conditions: there may be hundreds, each of which the tree has one deeper."""
        kind, parts, first = node.__class__, [], node
        while isinstance(first.this, kind):
            parts.append(first.expression)
            first = first.this
        made = kind(this=self.condition(first.this), expression=self.condition(first.expression))
        for part in reversed(parts):
            made = kind(this=made, expression=self.condition(part))
        return made

    def _negated(self, node: exp.Not) -> Sql:
        inner = self.condition(node.this)
        return exp.Not(
            this=inner if isinstance(inner, exp.Paren | exp.Exists | exp.Is | exp.Subquery) else exp.Paren(this=inner)
        )

    def _compared(self, node: exp.Binary) -> Sql:
        if isinstance(node.this, exp.Tuple) or isinstance(node.expression, exp.Tuple):
            return self._rebuilt(node)
        return self._comparing.compared(node.__class__, node.this, node.expression)

    def _same(self, node: exp.Binary) -> Sql:
        """IS, and IS NOT, of two values."""
        if not self._comparing.same_kinds(self._kinds.of(node.this), self._kinds.of(node.expression)):
            raise Unbridged("IS between a text and a number")
        return self._rebuilt(node)

    def _is(self, node: exp.Is) -> Sql:
        if isinstance(node.expression, exp.Null):
            return exp.Is(this=self._enclosed(node.this), expression=exp.Null())
        if isinstance(node.expression, exp.Boolean):
            wanted = self.condition(node.this)
            return exp.Is(this=exp.Paren(this=wanted), expression=node.expression.copy())
        if not self._comparing.same_kinds(self._kinds.of(node.this), self._kinds.of(node.expression)):
            raise Unbridged("IS between a text and a number")
        return exp.NullSafeEQ(this=self._enclosed(node.this), expression=self._enclosed(node.expression))

    def _enclosed(self, node: Sql) -> Sql:
        made = self.value(node)
        return exp.Paren(this=made) if isinstance(made, exp.Binary | exp.Not | exp.Between | exp.In) else made

    def _like(self, node: exp.Like, escape: Sql | None = None) -> Sql:
        return self._speech.like(self._text(node.this), self._text(node.expression), escape)

    def _escape(self, node: exp.Escape) -> Sql:
        if isinstance(node.this, exp.Like):
            return self._like(node.this, self.value(node.expression))
        raise Unbridged("ESCAPE here")

    def _glob(self, node: exp.Glob) -> Sql:
        pattern = node.expression
        if not isinstance(pattern, exp.Literal) or "[^" in str(pattern.this):
            raise Unbridged("GLOB with such a pattern")
        return self._speech.glob(self._text(node.this), str(pattern.this))

    def _regexp(self, node: exp.RegexpLike) -> Sql:
        found = self._speech.function(
            "regexp", [self.value(node.expression), self.value(node.this)], [Kind.TEXT, self._kinds.kind(node.this)]
        )
        if found is None:
            raise Unbridged("REGEXP")
        return exp.NEQ(this=found, expression=exp.Literal.number("0"))

    def _text(self, node: Sql) -> Sql:
        made, kind = self.value(node), self._kinds.kind(node)
        if kind is Kind.REAL:
            return self._speech.text_of_real(exp.Paren(this=made) if isinstance(made, exp.Binary) else made)
        return made if kind is Kind.TEXT else exp.Cast(this=made, to=exp.DataType.build("TEXT"))

    def _within(self, node: exp.Between) -> Sql:
        return self._comparing.within(node)

    def _in(self, node: exp.In) -> Sql:
        query = node.args.get("query")
        if query is not None:
            if not isinstance(node.this, exp.Tuple):
                return self._comparing.among(node.this, query)
            return exp.In(this=self._enclosed(node.this), query=self._node(query))
        if node.args.get("field") is not None or node.args.get("unnest") is not None:
            raise Unbridged("IN with the name of a table")
        if isinstance(node.this, exp.Tuple):
            return self._rebuilt(node)
        among = self._comparing.members(node.this, node.expressions)
        if not among:
            there = exp.Not(this=exp.Is(this=self._enclosed(node.this), expression=exp.Null()))
            never = exp.Boolean(this=False)
            return exp.Case(ifs=[exp.If(this=there, true=never)]) if node.expressions else never
        return exp.In(this=self._enclosed(node.this), expressions=among)

    def _calculated(self, node: exp.Binary) -> Sql:
        operands = [self._operand(each) for each in (node.this, node.expression)]
        left, right = self._speech.wide(operands, whole=self._kinds.kind(node) is not Kind.REAL)
        return node.__class__(this=left, expression=right)

    def _operand(self, node: Sql) -> Sql:
        made = self._number(node)
        return exp.Paren(this=made) if isinstance(made, exp.Binary) and not isinstance(node, exp.Binary) else made

    def _divided(self, node: exp.Div) -> Sql:
        left, right = self._operand(node.this), self._operand(node.expression)
        kinds = {self._kinds.as_number(node.this), self._kinds.as_number(node.expression)} - {Kind.NULL}
        if kinds == {Kind.WHOLE}:
            return self._speech.whole_quotient(left, right)
        return self._speech.quotient(left, right, may_be_whole=Kind.REAL not in kinds)

    def _remainder(self, node: exp.Mod) -> Sql:
        left, right = (self._whole(each) for each in (node.this, node.expression))
        made = exp.Mod(this=exp.Paren(this=left), expression=call("nullif", right, exp.Literal.number("0")))
        if self._kinds.kind(node) is Kind.REAL:
            return exp.Cast(this=made, to=exp.DataType.build("DOUBLE"))
        return exp.Paren(this=made)

    def _whole(self, node: Sql) -> Sql:
        """A number without its fraction."""
        made = self._number(node)
        if self._kinds.as_number(node) is Kind.WHOLE:
            return made
        return self._speech.whole(made)

    def _minus(self, node: exp.Neg) -> Sql:
        return exp.Neg(this=self._operand(node.this))

    def _joined(self, node: exp.DPipe) -> Sql:
        return exp.DPipe(this=self._text(node.this), expression=self._text(node.expression), safe=node.args.get("safe"))

    def _cast(self, node: exp.Cast) -> Sql:
        wanted, held = self._kinds.kind(node), self._kinds.kind(node.this)
        if "NUM" in node.to.sql("sqlite").upper() or "DEC" in node.to.sql("sqlite").upper():
            return self._number(node.this)
        if wanted is Kind.WHOLE:
            whole = self._whole(node.this)
            return whole if held is Kind.WHOLE else exp.Cast(this=whole, to=exp.DataType.build("BIGINT"))
        if wanted is Kind.REAL:
            return exp.Cast(this=self._number(node.this), to=exp.DataType.build("DOUBLE"))
        if wanted is Kind.TEXT:
            return self._text(node.this)
        raise Unbridged("CAST to a blob")

    def _case(self, node: exp.Case) -> Sql:
        self._check_kind(node)
        operand, default = node.args.get("this"), node.args.get("default")
        branches = []
        for each in node.args["ifs"]:
            truth = (
                self.condition(each.this) if operand is None else self._comparing.compared(exp.EQ, operand, each.this)
            )
            branches.append(exp.If(this=truth, true=self.value(each.args["true"])))
        return exp.Case(ifs=branches, default=self.value(default) if default is not None else None)

    def _check_kind(self, node: Sql) -> None:
        if self._kinds.kind(node) is Kind.MIXED:
            raise Unbridged(
                "A value that is sometimes a text and sometimes a number",
                why=f"A column of {self._speech.system} has one type.",
            )

    def _set_operation(self, node: exp.SetOperation) -> Sql:
        if any(typed.kind is Kind.MIXED for _, typed in self._kinds.columns(node)):
            raise Unbridged("A UNION of texts with numbers", why=f"A column of {self._speech.system} has one type.")
        recursive = node.find_ancestor(exp.With)
        bounded = node.args.get("limit") is not None or node.args.get("order") is not None
        if bounded and isinstance(node.parent, exp.CTE) and recursive is not None and recursive.recursive:
            raise Unbridged("LIMIT or ORDER BY within a recursive query")
        return self._rebuilt(node)

    def _bytes(self, node: exp.HexString) -> Sql:
        return self._speech.bytes_of(str(node.this))

    def _limited(self, node: exp.Limit) -> Sql:
        count = node.expression
        if isinstance(count, exp.Neg):
            return exp.Limit(expression=exp.Literal.number(str(2**62)))
        return self._rebuilt(node)

    def _distinct(self, node: exp.Distinct) -> Sql:
        return exp.Distinct(expressions=[self.value(each) for each in node.expressions])

    def _collated(self, node: exp.Collate) -> Sql:
        return with_collation(self._text(node.this), node.expression)

    def _called(self, node: exp.Anonymous) -> Sql:
        name, arguments = function_name(node), node.expressions
        if name in NAMES:
            return self._times.spelled(node)
        if name == "iif":
            self._check_kind(node)
            default = self.value(arguments[2]) if len(arguments) > 2 else None
            return exp.Case(
                ifs=[exp.If(this=self.condition(arguments[0]), true=self.value(arguments[1]))], default=default
            )
        if name in ("printf", "format"):
            return self._printed(arguments)
        if name in ("coalesce", "ifnull") or (name in _PAIRS and len(arguments) > 1):
            self._check_kind(node)
        if name in _PAIRS and len(arguments) > 1:
            name = _PAIRS[name]
        if name in ("min", "max") and self._kinds.kind(arguments[0]) is Kind.MIXED:
            self._check_kind(arguments[0])
        spell = self._numbered if name in _OF_NUMBERS else self.value
        kinds = [self._kinds.kind(each) for each in arguments]
        made = [spell(each) for each in arguments]
        if name in ("min", "max", *_PAIRS.values()):
            made = [
                self._speech.by_bytes(each) if kind is Kind.TEXT else each
                for each, kind in zip(made, kinds, strict=True)
            ]
        found = self._speech.function(name, made, kinds)
        if found is None:
            raise Unbridged(f"The function {name}")
        return found

    def _printed(self, arguments: list[Sql]) -> Sql:
        """printf with the conversions that every engine has; a missing value is printed as 0, or as nothing."""
        format = str(arguments[0].this) if isinstance(arguments[0], exp.Literal) else ""
        conversions = _CONVERSION.findall(format)
        if not format or "%" in _CONVERSION.sub("", format) or len(conversions) != len(arguments) - 1:
            raise Unbridged("printf with such a format")
        values = []
        for (places, kind), each in zip(conversions, arguments[1:], strict=True):
            spelled = self._printable(kind, places, each)
            none = exp.Literal.string("") if kind == "s" else exp.Literal.number("0" if kind == "d" else "0e0")
            values.append(call("coalesce", spelled, none))
        return self._speech.printed(format, values)

    def _printable(self, conversion: str, places: str, node: Sql) -> Sql:
        if conversion == "s":
            return self._text(node)
        if conversion == "d":
            return self._whole(node)
        digits: Sql = exp.Literal.number(places or "6")
        return self._speech.function("round", [self._number(node), digits], [Kind.REAL, Kind.WHOLE]) or digits

    def _numbered(self, node: Sql) -> Sql:
        if isinstance(node, exp.Distinct):
            return exp.Distinct(expressions=[self._number(each) for each in node.expressions])
        return self._number(node)

    def _filtered(self, node: exp.Filter) -> Sql:
        if function_name(node.this) not in AGGREGATES:
            raise Unbridged("FILTER here")
        where = self._node(node.expression)
        return _around(self.value(node.this), lambda called: exp.Filter(this=called, expression=where))


def _around(made: Sql, build: Callable[[Sql], Sql]) -> Sql:
    """What a call became, with something built around the function alone."""
    for node in made.walk(bfs=True):
        if isinstance(node, exp.WithinGroup | exp.Filter) or function_name(node) in _GATHERING:
            place = node.parent
            if node is made or place is None:
                return build(node)
            stand_in = exp.Placeholder()
            node.replace(stand_in)
            stand_in.replace(build(node))
            return made
    return build(made)


_Spell = Callable[[_Translation, Any], Sql]
_SPELLED: dict[Any, _Spell] = {
    exp.Select: _Translation._select,
    exp.SetOperation: _Translation._set_operation,
    exp.Column: _Translation._column,
    exp.Table: _Translation._table,
    exp.Subquery: _Translation._subquery,
    exp.Values: _Translation._values,
    exp.Group: _Translation._grouped,
    exp.Ordered: _Translation._ordered,
    exp.Window: _Translation._windowed,
    exp.Join: _Translation._join,
    exp.Literal: _Translation._literal,
    exp.Boolean: _Translation._boolean,
    exp.HexString: _Translation._bytes,
    (exp.And, exp.Or): _Translation._connected,
    exp.Not: _Translation._negated,
    COMPARISONS: _Translation._compared,
    (exp.NullSafeEQ, exp.NullSafeNEQ): _Translation._same,
    exp.Is: _Translation._is,
    exp.Like: _Translation._like,
    exp.Escape: _Translation._escape,
    exp.Glob: _Translation._glob,
    exp.RegexpLike: _Translation._regexp,
    exp.Between: _Translation._within,
    exp.In: _Translation._in,
    _ARITHMETIC: _Translation._calculated,
    _BITWISE: _Translation._rebuilt,
    exp.Div: _Translation._divided,
    exp.Mod: _Translation._remainder,
    exp.Neg: _Translation._minus,
    exp.DPipe: _Translation._joined,
    exp.Cast: _Translation._cast,
    exp.Case: _Translation._case,
    exp.Limit: _Translation._limited,
    exp.Distinct: _Translation._distinct,
    exp.Collate: _Translation._collated,
    exp.Filter: _Translation._filtered,
    exp.Anonymous: _Translation._called,
}
"""How each kind of node is spelled whose parts alone do not say it; the first that fits."""
