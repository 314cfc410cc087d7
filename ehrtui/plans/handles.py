"""The tables of a plan: lazy handles whose filters become one SQL statement when a value is needed.

A handle knows its rows in the three spellings of `steps.Statement`. Rows that a plan's SQL gave are kept in the engine
once; the `run` spelling of what builds on them reads the kept rows, the others spell the whole query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from ehrtui.engines.engine import Engine, FirstRows, Row, Scalar
from ehrtui.errors import EhrtuiError, QueryError, ToolError
from ehrtui.plans.absence import Wanted, refuse_absent
from ehrtui.plans.composing import Query
from ehrtui.plans.dates import to_datetime
from ehrtui.plans.reports import Statement
from ehrtui.plans.sql_words import nearest, sql_name
from ehrtui.schema import model

Kind: TypeAlias = Literal["number", "time", "text", "unknown"]

MAX_SQL = 1_000_000
"""Characters; a longer statement is no query that anybody meant."""


@dataclass
class Workspace:
    """What the tools of one running plan work on: the engine, what `PREV_` tokens mean, the database now
    ("YYYY-MM-DD HH:MM:SS"), and the private results that the plan has kept so far."""

    engine: Engine
    expand: Callable[[str], Statement]
    now: str
    prefix: str
    max_rows: int
    kept: list[str] = field(default_factory=list)
    made: int = 0
    """How many private results there have been."""
    value: tuple[Table, Scalar | list[Scalar]] | None = None
    """The value that GetValue gave last, after the query that gives it."""
    stopped: Callable[[], bool] = lambda: False
    """True when the plan must stop, and every query with it."""
    raised: EhrtuiError | None = None
    """The last error that a tool or a table raised."""
    first: Callable[[FirstRows], None] | None = None
    """Told of the first rows, while a query runs whose rows will be the answer."""

    def drop_kept(self) -> None:
        """Forget the private results."""
        for name in self.kept:
            self.engine.drop(name)
        self.kept.clear()


@dataclass(frozen=True)
class Spelling:
    """One spelling of a table: `relation` stands in a FROM clause and `body` gives the same rows; both may name the
    queries `ctes`; `where` is "" or " WHERE …"."""

    relation: str
    body: str
    ctes: tuple[tuple[str, str], ...] = ()
    where: str = ""

    def select(self, what: str = "*") -> Query:
        """The statement that gives `what` of the rows."""
        if what == "*" and not self.where:
            return Query(self.body, self.ctes)
        return Query(f"SELECT {what} FROM {self.relation}{self.where}", self.ctes)

    def filtered(self, condition: str) -> Spelling:
        """Only the rows for which the SQL `condition` is true."""
        where = f"{self.where} AND {condition}" if self.where else f" WHERE {condition}"
        if len(where) > MAX_SQL:
            raise too_long()
        return replace(self, where=where)


def too_long() -> ToolError:
    """What is said of conditions longer than MAX_SQL."""
    return ToolError("The filters have become too long.", next_step="Filter in SQL, with SQLInterpreter.")


@dataclass(frozen=True, eq=False)
class Table:
    """A table handle. `title` is what messages call it; `base` is the table of the database that it filters, None for
    the rows of a query; `known_count` is its number of rows where that is known without asking."""

    workspace: Workspace
    title: str
    columns: tuple[str, ...]
    run: Spelling
    flat: Spelling
    seq: Spelling
    depends_on: tuple[int, ...] = ()
    base: model.Table | None = None
    known_count: int | None = None
    kept_as: str | None = None
    """The name of the private result that has exactly these rows."""
    wanted: tuple[Wanted, ...] = ()
    """The values that the conditions on a table of the database ask for."""

    @cached_property
    def row_count(self) -> int:
        """Number of rows; counted by the engine when first asked for. Raises AbsentValue where there are none because
        a value that a condition asks for is stored nowhere in its column."""
        count = int(str(self.read("COUNT(*)")[0][0])) if self.known_count is None else self.known_count
        if count == 0:
            self.refuse_absent()
        return count

    def refuse_absent(self) -> None:
        """There are no rows: raises AbsentValue where a condition asks for a value that its column does not hold."""
        if self.base is not None and self.wanted:
            refuse_absent(self.workspace.engine, self.base, self.wanted)

    def size(self) -> int:
        """`len(table)`."""
        with self._remembered():
            return self.row_count

    def statement(self) -> Statement:
        """The query of the rows, in its three spellings."""
        run, flat, seq = (spelling.select().text for spelling in (self.run, self.flat, self.seq))
        return Statement(run=run, flat=flat, seq=seq, depends_on=self.depends_on)

    def read(self, what: str, tail: str = "") -> list[Row]:
        """`SELECT what FROM the rows tail`, run now."""
        query = Query(f"SELECT {what} FROM {self.run.relation}{self.run.where}{tail}", self.run.ctes)
        return self.workspace.engine.read(query.text, stopped=self.workspace.stopped)

    def rows(self) -> list[Row]:
        """All rows, in order. Raises ToolError where they are too many to be handed to Python code."""
        with self._remembered():
            return self._all("*")

    def values(self, column: str) -> list[Scalar]:
        """The values of one column, in row order."""
        with self._remembered():
            return [row[0] for row in self._all(sql_name(self.column(column), self.dialect))]

    def page(self, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1`; fewer at the end."""
        return self.read("*", f" LIMIT {count} OFFSET {offset}")

    def members(self) -> list[Row | Scalar]:
        """What `in` compares with: the rows, and for one column its values too."""
        rows = self.rows()
        return [*rows, *(row[0] for row in rows)] if len(self.columns) == 1 else list(rows)

    def _all(self, what: str) -> list[Row]:
        limit = self.workspace.max_rows
        rows = self.read(what, f" LIMIT {limit + 1}")
        if len(rows) > limit:
            raise ToolError(
                f"{self.title} has more rows than the {limit:,} that Python code may hold.",
                next_step="Filter first (FilterDB), or aggregate in SQL (SQLInterpreter).",
            )
        if not rows:
            self.refuse_absent()
        return rows

    @contextmanager
    def _remembered(self) -> Iterator[None]:
        """The sandbox hands a plan an error's text alone; what it was is kept for the trace."""
        try:
            yield
        except EhrtuiError as error:
            self.workspace.raised = error
            raise ValueError(error.what) from error

    @property
    def dialect(self) -> str:
        """sqlglot's name of the engine's SQL."""
        return self.workspace.engine.dialect

    def column(self, name: str) -> str:
        """The column of that name, in any case. Raises ToolError with the nearest names."""
        wanted = name.strip().lower()
        for column in self.columns:
            if column.lower() == wanted:
                return column
        near = nearest(name, self.columns)
        elsewhere = [table.name for table in self.workspace.engine.schema().tables if table.column(name.strip())]
        there = f" {name.strip()} is a column of {', '.join(elsewhere)}." if elsewhere else ""
        raise ToolError(
            f"{self.title} has no column {name.strip()}.",
            why=f"Its columns are {', '.join(self.columns)}.{there}",
            next_step=f"Did you mean {' or '.join(near[:3])}?" if near else "Choose one of its columns.",
            suggestions=near,
        )

    def kind(self, column: str) -> Kind:
        """What a column holds: as declared, or else as its first value shows."""
        declared = self.base.column(column) if self.base else None
        if declared is not None and declared.is_time:
            return "time"
        if declared is not None and declared.is_number:
            return "number"
        name = sql_name(column, self.dialect)
        query = Query(f"SELECT {name} FROM {self.run.relation} WHERE {name} IS NOT NULL LIMIT 1", self.run.ctes)
        sample = next((row[0] for row in self.workspace.engine.read(query.text, stopped=self.workspace.stopped)), None)
        if isinstance(sample, int | float):
            return "number"
        if isinstance(sample, str):
            return "time" if to_datetime(sample) else "text"
        return "unknown"

    def filtered(self, condition: Callable[[Spelling], str], wanted: Wanted | None = None) -> Table:
        """Only the rows for which a condition, as SQL for each spelling, is true; `wanted` is the value that it asks
        for, if it does."""
        run, flat, seq = (spelling.filtered(condition(spelling)) for spelling in (self.run, self.flat, self.seq))
        asked = (*self.wanted, wanted) if wanted else self.wanted
        return replace(self, run=run, flat=flat, seq=seq, known_count=None, kept_as=None, wanted=asked)

    def derived(self, what: str, column: str) -> Table:
        """The one-column table `SELECT what`; `column` names what it gives."""

        def spelled(spelling: Spelling) -> Spelling:
            query = spelling.select(what)
            return Spelling(f"({query.body}) AS chosen", query.body, query.ctes)

        run, flat, seq = (spelled(spelling) for spelling in (self.run, self.flat, self.seq))
        return replace(self, columns=(column,), run=run, flat=flat, seq=seq, base=None, known_count=None, kept_as=None)


def base_table(workspace: Workspace, table: model.Table) -> Table:
    """The handle of a table of the database."""
    name = sql_name(table.name, workspace.engine.dialect)
    spelling = Spelling(relation=name, body=f"SELECT * FROM {name}")
    return Table(
        workspace,
        title=table.name,
        columns=tuple(column.name for column in table.columns),
        run=spelling,
        flat=spelling,
        seq=spelling,
        base=table,
        known_count=table.row_count,
    )


def kept_table(workspace: Workspace, run: Query, flat: Query, seq: Query, depends_on: tuple[int, ...]) -> Table:
    """Runs a query once, keeps its rows as a private result of the plan, and gives their handle."""
    workspace.made += 1
    name = f"{workspace.prefix}{workspace.made}"
    try:
        result = workspace.engine.run(run.text, name, stopped=workspace.stopped, first=workspace.first)
    except QueryError as error:
        error.unread = error.unread or (
            type(error) is QueryError and _refused_unread(workspace.engine, run.text, error)
        )
        raise
    workspace.kept.append(result.name)
    relation = workspace.engine.relation(result.name)
    return Table(
        workspace,
        title="The SQL result",
        columns=result.columns,
        run=Spelling(relation, f"SELECT * FROM {relation}"),
        flat=Spelling(f"({flat.body}) AS sql_rows", flat.body, flat.ctes),
        seq=Spelling(f"({seq.body}) AS sql_rows", seq.body, seq.ctes),
        depends_on=depends_on,
        known_count=result.row_count,
        kept_as=result.name,
    )


def _refused_unread(engine: Engine, sql: str, error: QueryError) -> bool:
    """Whether a statement is refused with the same error when it is only looked at."""
    try:
        engine.explain(sql)
    except EhrtuiError as refusal:
        return (refusal.what, refusal.why) == (error.what, error.why)
    return False
