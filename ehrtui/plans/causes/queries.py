"""SQL that cannot be run: names, quotes, lists, functions of other databases, and words in the wrong place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from ehrtui.errors import DatabaseError
from ehrtui.plans.absence import ALIKE
from ehrtui.plans.causes.compiling import compiles
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import inserting, replacing, statement_of
from ehrtui.plans.evidence import Case
from ehrtui.plans.handles import Table
from ehrtui.plans.links import Link, is_dictionary
from ehrtui.plans.literals import Literal, literal_at
from ehrtui.plans.sql_words import likeness, nearest
from ehrtui.plans.stored import is_stored, tie
from ehrtui.schema import model

_TABLE = re.compile(
    r"\b(?:from|join)\s+([\w.\"`]+)(?:\s+(?:as\s+)?(?!(?:on|where|join|left|inner|cross|group|order|limit|union|using|natural)\b)(\w+))?",
    re.I,
)
_FUNCTIONS: tuple[tuple[str, str], ...] = (
    (r"\byear\s*\(([^()]*)\)", r"CAST(strftime('%Y', \1) AS INTEGER)"),
    (r"\bmonth\s*\(([^()]*)\)", r"CAST(strftime('%m', \1) AS INTEGER)"),
    (r"\bday\s*\(([^()]*)\)", r"CAST(strftime('%d', \1) AS INTEGER)"),
    (r"\bhour\s*\(([^()]*)\)", r"CAST(strftime('%H', \1) AS INTEGER)"),
    (r"\bdatediff\s*\(\s*(?:'?day'?\s*,\s*)([^(),]*),([^(),]*)\)", r"(julianday(\2) - julianday(\1))"),
    (r"\bdatediff\s*\(([^(),]*),([^(),]*)\)", r"(julianday(\1) - julianday(\2))"),
    (r"\b(?:now|getdate)\s*\(\s*\)", "current_timestamp"),
    (r"\bcurdate\s*\(\s*\)", "current_date"),
    (r"\bisnull\s*\(", "ifnull("),
    (r"\bnvl\s*\(", "ifnull("),
    (r"\bto_date\s*\(([^(),]*),[^()]*\)", r"date(\1)"),
)
_KEYWORDS = ("select", "distinct", "from", "where", "group", "order", "having", "limit", "between", "join")


Fix: TypeAlias = Callable[[str], str]


def given_tables(case: Case) -> dict[str, tuple[str, ...]]:
    """The columns of each table that the failed call was given."""
    given = case.call.kwargs if case.call else {}
    return {name: table.columns for name, table in given.items() if isinstance(table, Table)}


def failed_sql(case: Case) -> str | None:
    """The SQL that failed, as it was run."""
    call = case.call
    if call is None or call.tool != "SQLInterpreter" or not call.args or not isinstance(call.args[0], str):
        return None
    return call.args[0]


def sql_literal(case: Case) -> Literal | None:
    """Where the SQL that failed stands in the plan."""
    node = case.failing
    return literal_at(case, node.args[0]) if node and node.args else None


def understood(case: Case, sql: str) -> bool:
    """Whether the engine understands a statement in place of the one that failed."""
    return compiles(case.facts.engine, sql, given_tables(case))


def unquoted_text(case: Case) -> Diagnosis | None:
    """A quote within a text, or one that is never closed."""
    sql, literal = failed_sql(case), sql_literal(case)
    if sql is None or sql.replace("''", "").count("'") % 2 == 0:
        return None
    fixes = (
        lambda text: re.sub(r"(?<=\w)'(?=\w)", "''", text),
        lambda text: text.rstrip().rstrip(";") + "'",
        lambda text: re.sub(r"(=\s*)(?!')([^'\s]+)'", r"\1'\2'", text),
    )
    doubled = literal is not None and literal.quote == "'"
    for fix in fixes:
        if understood(case, fix(sql)):
            repair = None
            if literal and not literal.formatted and not doubled:
                repair = literal.written(fix(literal.inner))
            elif literal and literal.formatted:
                repair = _escaped(case, literal)
            return Diagnosis(
                "quoting",
                "A text in the SQL holds a quote, or its quote is not closed; a quote inside a text is doubled.",
                case.line,
                repair,
                0.85,
                ("Write 'o''neil' for o'neil.",),
                quotes_rows=True,
            )
    return Diagnosis("quoting", "A text in the SQL is not closed.", case.line, None, 0.7, ("Look at the quotes.",))


def _escaped(case: Case, literal: Literal) -> str | None:
    """The plan that doubles the quotes of the variables which it puts into the SQL."""
    names = [name for name in re.findall(r"'\{(\w+)\}'", literal.inner) if "'" in _shown(case, name)]
    if not names or case.tree is None or case.failing is None:
        return None
    statement = statement_of(case.tree, case.failing)
    name = names[0]
    inner = literal.inner.replace(f"'{{{name}}}'", f"'{{{name}_sql}}'")
    before = f'{name}_sql = {name}.replace("\'", "\'\'")'
    return inserting(literal.written(inner), statement.lineno, before) if statement else None


def _shown(case: Case, name: str) -> str:
    step = case.variable(name)
    return step.preview[1:-1] if step else ""


def list_in_sql(case: Case) -> Diagnosis | None:
    """A Python list or tuple, where SQL has its own form."""
    sql, literal = failed_sql(case), sql_literal(case)
    if sql is None or not re.search(r"\bin\s*\(?\s*\[|\bin\s*\([^()]*,\s*\)", sql, re.IGNORECASE):
        return None
    repair = None
    if literal and literal.formatted and case.tree and case.failing:
        named = re.search(r"\bin\s*\(?\s*\{(?:tuple\()?(\w+)\)?\}\s*\)?", literal.inner, re.IGNORECASE)
        statement = statement_of(case.tree, case.failing)
        if named and statement:
            spelled = literal.inner[: named.start()] + f"IN ({{{named[1]}_sql}})" + literal.inner[named.end() :]
            before = f'{named[1]}_sql = ", ".join(repr(each) for each in {named[1]})'
            repair = inserting(literal.written(spelled), statement.lineno, before)
    elif literal:
        fixed = re.sub(r"\bin\s*\(?\s*\[([^\[\]]*)\]\s*\)?", r"IN (\1)", literal.inner, flags=re.IGNORECASE)
        repair = literal.written(re.sub(r",\s*\)", ")", fixed))
    return Diagnosis(
        "a list passed as text",
        "SQL writes a list in round brackets: IN (1, 2). A Python list or tuple is written otherwise.",
        case.line,
        repair,
        0.9,
        ("IN (1, 2)",),
    )


def plan_table_not_given(case: Case) -> Diagnosis | None:
    """The SQL names a table of the plan that it is not given."""
    name = _missing_table(case)
    step = case.variable(name) if name else None
    node = case.failing
    if name is None or step is None or node is None or step.type != "Table":
        return None
    text = case.source(node)
    return Diagnosis(
        "table of the plan not given",
        f"{name} is a table of this plan; SQLInterpreter must be given it.",
        case.line,
        replacing(case.plan, node, f"{text[:-1].rstrip().rstrip(',')}, {name}={name})"),
        0.95,
        (f"{name}={name}",),
    )


def unknown_sql_table(case: Case) -> Diagnosis | None:
    """A table that neither the database nor the plan has."""
    name, literal = _missing_table(case), sql_literal(case)
    if name is None:
        return None
    names = [table.name for table in case.schema.tables]
    near = nearest(name, names)
    repair = None
    if near and literal and likeness(near[0], name) >= 60:
        repair = literal.written(re.sub(rf"\b{re.escape(name)}\b", near[0].lower(), literal.inner))
    return Diagnosis(
        "unknown table",
        f"There is no table {name}; the database has {', '.join(names)}.",
        case.line,
        repair,
        0.85 if near and likeness(near[0], name) >= ALIKE else 0.5,
        near or tuple(names[:5]),
    )


def _missing_table(case: Case) -> str | None:
    sql, given = failed_sql(case), given_tables(case)
    if sql is None or "no table" not in case.message:
        return None
    named = re.search(r"There is no table (\S+)\.$", case.message)
    return (
        named[1].rpartition(".")[2] if named and named[1] not in given and re.fullmatch(r"[\w.]+", named[1]) else None
    )


def ambiguous_column(case: Case) -> Diagnosis | None:
    """A column that several tables of the query have."""
    sql, literal = failed_sql(case), sql_literal(case)
    named = re.search(r"Several tables have a column (\w+)", case.message)
    if sql is None or named is None:
        return None
    having = [alias for alias, table in _sources(case, sql) if table.column(named[1])]
    if not having:
        return None
    pattern = rf"(?<![\w.\"'])({re.escape(named[1])})(?![\w\"'(])"
    repair = (
        literal.written(re.sub(pattern, rf"{having[0]}.\1", literal.inner, flags=re.IGNORECASE)) if literal else None
    )
    return Diagnosis(
        "ambiguous column",
        f"{', '.join(having)} all have a column {named[1]}; the query does not say whose is meant.",
        case.line,
        repair,
        0.8,
        tuple(f"{alias}.{named[1]}" for alias in having),
    )


def unknown_sql_column(case: Case) -> Diagnosis | None:
    """A column that no table of the query has: of another table, of a dictionary, or misspelt."""
    sql, literal = failed_sql(case), sql_literal(case)
    named = re.search(r"There is no column ([\w.]+) here", case.message)
    if sql is None or named is None:
        return None
    qualifier, _, name = named[1].rpartition(".")
    sources = list(_sources(case, sql))
    owned = [alias for alias, table in sources if table.column(name)]
    if owned and qualifier and literal:
        return Diagnosis(
            "column of another table",
            f"{qualifier} has no {name}; {owned[0]} has it.",
            case.line,
            literal.written(re.sub(rf"\b{qualifier}\.{name}\b", f"{owned[0]}.{name}", literal.inner)),
            0.9,
            (f"{owned[0]}.{name}",),
        )
    for alias, table in sources:
        for other in case.schema.tables:
            link = tie(case.facts.engine, table, other) if other.column(name) else None
            if link:
                return _to_be_joined(case, literal, alias, table, link, named[1], name)
    if literal and (quoted := _unquoted(case, literal, sources, named[1])):
        return quoted
    columns = {column.name: alias for alias, table in sources for column in table.columns}
    plain = name.replace("_", "").lower()
    best = next((column for column in columns if column.replace("_", "").lower() == plain), None)
    near = nearest(name, columns)
    best = best or (near[0] if near and likeness(near[0], name) >= 70 else None)
    repair = (
        literal.written(re.sub(rf"\b{re.escape(name)}\b", best.lower(), literal.inner)) if literal and best else None
    )
    return Diagnosis(
        "unknown column",
        f"None of the query's tables has a column {name}" + (f"; they have {', '.join(columns)}." if columns else "."),
        case.line,
        repair,
        0.85 if best else 0.6,
        near,
    )


def _unquoted(case: Case, literal: Literal, sources: list[tuple[str, model.Table]], word: str) -> Diagnosis | None:
    """A text without quotes: the word is a stored value of the column that it is compared with."""
    compared = re.search(
        rf"(?:(\w+)\.)?(\w+)\s*(?:=|!=|<>)\s*{re.escape(word)}(?![\w.(])", literal.inner, re.IGNORECASE
    )
    for _, table in sources if compared else ():
        column = table.column(compared[2]) if compared else None
        if compared and column and not column.is_number and is_stored(case.facts.engine, table, column.name, word):
            end = compared.end()
            inner = f"{literal.inner[: end - len(word)]}'{word}'{literal.inner[end:]}"
            return Diagnosis(
                "missing quotes",
                f"{word} is a value of {column.name}, which is written in quotes.",
                case.line,
                literal.written(inner),
                0.9,
                (f"'{word}'",),
                quotes_rows=True,
            )
    return None


def aggregate_in_where(case: Case) -> Diagnosis | None:
    """A count or mean in WHERE, which is asked of single rows."""
    sql, literal = failed_sql(case), sql_literal(case)
    if sql is None or "misuse of aggregate" not in case.why:
        return None
    moved = re.compile(
        r"\s+where\s+((?:count|sum|avg|min|max)\s*\([^()]*\)\s*(?:>=|<=|=|>|<)\s*[\w.]+)(\s+group\s+by\s+.*?)"
        r"(?=\s+(?:order|limit)\b|\s*;?\s*\Z)",
        re.IGNORECASE | re.DOTALL,
    )
    return Diagnosis(
        "aggregate in WHERE",
        "WHERE is asked of single rows; what is asked of groups stands in HAVING, after GROUP BY.",
        case.line,
        _compiling(case, literal, sql, [lambda text: moved.sub(r"\2 HAVING \1", text)]),
        0.85,
        ("GROUP BY … HAVING count(*) > 2",),
    )


def _to_be_joined(
    case: Case, literal: Literal | None, alias: str, table: model.Table, link: Link, written: str, name: str
) -> Diagnosis:
    other = link.other.name.lower()
    cause = "missing dictionary join" if is_dictionary(link.other) else "column of another table"
    repair = None
    found = _relation(literal.inner, table.name) if literal else None
    if literal and found:
        join = f" JOIN {other} ON {alias}.{link.column.lower()} = {other}.{link.other_column.lower()}"
        inner = literal.inner[: found.end()].rstrip() + join + " " + literal.inner[found.end() :].lstrip()
        pattern = rf"(?<![\w.]){re.escape(written)}\b"
        repair = literal.written(re.sub(pattern, f"{other}.{name}", inner).rstrip())
    return Diagnosis(
        cause,
        f"{table.name} has no {name}; it is a column of {link.other.name}, which {link.column} leads to.",
        case.line,
        repair,
        0.8,
        (f"{link.other.name}.{name}",),
        adds_join=True,
    )


def _relation(sql: str, table: str) -> re.Match[str] | None:
    return next((found for found in _TABLE.finditer(sql) if found[1].strip('"`').lower() == table.lower()), None)


def _sources(case: Case, sql: str) -> Iterator[tuple[str, model.Table]]:
    """The tables of the database that a query reads, each with the name that it has there."""
    for found in _TABLE.finditer(sql):
        table = case.schema.table(found[1].strip('"`'))
        if table is not None:
            yield found[2] or found[1], table


def other_function(case: Case) -> Diagnosis | None:
    """A function that another kind of database has."""
    sql, literal = failed_sql(case), sql_literal(case)
    named = re.search(r"has no function (\w+)", case.message)
    if sql is None or named is None:
        return None
    return Diagnosis(
        "function of another database",
        f"This database has no function {named[1]}.",
        case.line,
        _compiling(case, literal, sql, [_with_functions]),
        0.85,
        ("Dates are text: strftime('%Y', admittime), julianday(a) - julianday(b).",),
    )


def _with_functions(sql: str) -> str:
    for pattern, new in _FUNCTIONS:
        sql = re.sub(pattern, new, sql, flags=re.IGNORECASE)
    return sql


def sql_syntax(case: Case) -> Diagnosis | None:
    """A small slip that keeps the SQL from being read."""
    sql, literal = failed_sql(case), sql_literal(case)
    if case.kind == DatabaseError.__name__:  # the file cannot be read, and not the SQL
        return None
    if sql is None or not re.search(r"cannot be read|ends too early|cannot start with", case.message):
        return None
    fixes = [
        lambda text: text + ")" * (text.count("(") - text.count(")")),
        lambda text: re.sub(r"(\([^()]*?)\s+(from|as)\b", r"\1) \2", text, count=1, flags=re.IGNORECASE),
        lambda text: re.sub(r",\s*(from|where|\))", r" \1", text, flags=re.IGNORECASE),
        lambda text: re.sub(r"[“”‘’]", "'", text),
        lambda text: text.replace("==", "=").replace("&&", " AND ").replace("||", " OR "),
        lambda text: re.sub(r"\bwhere\b(.*)\bwhere\b", r"WHERE\1AND", text, flags=re.IGNORECASE | re.DOTALL),
        lambda text: re.sub(r"\bselect\s+top\s+(\d+)(.*)", r"SELECT\2 LIMIT \1", text, flags=re.I | re.DOTALL),
        lambda text: re.sub(r"\band\s*(?=$|\)|group|order|limit)", "", text, flags=re.IGNORECASE),
        lambda text: text.rstrip(") ;") if text.count(")") > text.count("(") else text,
        _with_keywords,
    ]
    return Diagnosis(
        "SQL syntax",
        case.message,
        case.line,
        _compiling(case, literal, sql, fixes),
        0.8,
        (case.error.next_step,) if case.error else (),
    )


def _with_keywords(sql: str) -> str:
    """The statement with words that are nearly a keyword spelt as one."""

    def spelt(found: re.Match[str]) -> str:
        near = nearest(found.group(), _KEYWORDS, 1, at_least=75)
        return near[0].upper() if near and near[0] != found.group().lower() else found.group()

    return re.sub(r"\b[a-z]{4,8}\b(?!\s*[.(=])", spelt, sql, flags=re.IGNORECASE)


def _compiling(case: Case, literal: Literal | None, sql: str, fixes: list[Fix]) -> str | None:
    """The plan with the first of the fixes that makes the SQL one that the engine understands."""
    fix = next((fix for fix in fixes if fix(sql) != sql and understood(case, fix(sql))), None)
    return literal.written(fix(literal.inner)) if fix and literal else None


_TOKEN_CAUSES = {
    "no result": "PREV_ token of a missing turn",
    "no rows to refer to": "PREV_ token of a missing turn",
    "cannot refer to": "references in a circle",
    "cannot be read": "unreadable SQL",
    "nested too deeply": "unreadable SQL",
}


def misplaced_token(case: Case) -> Diagnosis | None:
    """A PREV_ token of a turn that is not there, or where it has no meaning."""
    sql, literal = failed_sql(case), sql_literal(case)
    if case.kind != "TokenError" or sql is None:
        return None
    named = re.search(r"PREV_(RESULT|QUERY)(\d+)", case.message + sql, re.IGNORECASE)
    return Diagnosis(
        next((cause for said, cause in _TOKEN_CAUSES.items() if said in case.message), "PREV_ token out of place"),
        case.message + (f" {case.error.why}" if case.error and case.error.why else ""),
        case.line,
        None,
        0.9 if named and literal else 0.7,
        getattr(case.error, "suggestions", ())
        or ((case.error.next_step,) if case.error and case.error.next_step else ()),
    )


def changes_the_database(case: Case) -> Diagnosis | None:
    """A statement that would change something, or several at once."""
    if case.kind != "ForbiddenStatement" or not case.error:
        return None
    return Diagnosis(
        "several statements" if "one statement" in case.message else "statement that changes",
        case.error.why or case.error.what,
        case.line,
        None,
        0.95,
        (case.error.next_step,),
    )
