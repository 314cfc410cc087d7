"""Query logic to SQL, through a profile.

The result is a short list of named steps, each a SELECT that may name earlier steps as tables: the patients in
question (`cohort`), the stays (`stays`), the records (`lab_rows`), and last the `answer`. The same steps make the code
plan, one statement each, and the flat SQL, one WITH clause each.
"""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.errors import LogicError
from ehrtui.logic.model import Aggregate, Count, Exists, Field, Logic, Query, Rows
from ehrtui.logic.relations import cohort, patient_condition, records
from ehrtui.logic.steps import Compilation, EarlierTurn, SqlStep, select
from ehrtui.schema.profile import Profile, Role

_FUNCTIONS = {"minimum": "MIN", "maximum": "MAX", "mean": "AVG", "sum": "SUM"}


def compile_logic(logic: Logic, profile: Profile, *, now: str, turns: Mapping[int, EarlierTurn]) -> tuple[SqlStep, ...]:
    """The steps that answer `logic`, the last named "answer". Tokens (`PREV_RESULTn`) stand for earlier turns.

    Raises LogicError for a role or field that the profile lacks, an impossible time, or a turn without a result.
    """
    at = Compilation(profile, now, turns)
    if isinstance(logic, Rows):
        _rows_of(at, logic)
    elif logic.source.role == "patient":
        _patients_answer(at, logic)
    else:
        _records_answer(at, logic)
    return tuple(at.steps)


def flat_sql(steps: tuple[SqlStep, ...]) -> str:
    """The steps as one statement."""
    *named, answer = steps
    if not named:
        return answer.sql
    # Lines are not indented: one of them may lie inside a stored name.
    clauses = ",\n".join(f"{step.name} AS (\n{step.sql}\n)" for step in named)
    return f"WITH {clauses}\n{answer.sql}"


def _rows_of(at: Compilation, logic: Rows) -> None:
    at.turn(logic.turn)
    token = f"(PREV_RESULT{logic.turn})"
    if logic.count:
        at.add("answer", select("COUNT(*) AS rows", token))
    elif logic.ordinal is None:
        at.add("answer", select("*", token))
    else:
        nth, direction = abs(logic.ordinal), "" if logic.ordinal > 0 else " DESC"
        numbered = at.add("numbered", select("*, ROW_NUMBER() OVER () AS nth", token))
        columns = ", ".join(f'"{column}"' for column in at.turn(logic.turn).columns)
        at.add("answer", select(columns, numbered) + f"\nORDER BY nth{direction}\nLIMIT 1 OFFSET {nth - 1}", numbered)


def _patients_answer(at: Compilation, query: Query) -> None:
    if query.during or query.windows or query.ordinal is not None:
        raise LogicError(
            "Patients themselves have no time.",
            why="A stay or a time window must belong to a kind of record.",
            next_step="Put it into a condition: patients with (admission in 2104)",
        )
    patient = at.patient_table().id
    if isinstance(query.want, Field | Aggregate) and query.want != Field("id"):
        role = at.role("patient")
        column = at.column(role, "patient", query.want.name if isinstance(query.want, Field) else query.want.field)
        who = patient_condition(at, query.patients, patient)
        rows = at.add("patient_rows", select(f"DISTINCT {patient}, {column}", role.table, [who.sql]), who.uses)
        function = _FUNCTIONS[query.want.function] if isinstance(query.want, Aggregate) else ""
        at.add("answer", select(f"{function}({column}) AS {function.lower()}" if function else column, rows), rows)
        return
    name = cohort(at, query.patients)
    if isinstance(query.want, Count):
        at.add("answer", select("COUNT(*) AS patients", name), name)
    elif isinstance(query.want, Exists):
        at.add("answer", select("COUNT(*) > 0 AS found", name), name)
    else:
        at.add("answer", select(patient, name), name)


def _records_answer(at: Compilation, query: Query) -> None:
    role, want = at.role(query.source.role), query.want
    asked = want.name if isinstance(want, Field) else want.field if isinstance(want, Aggregate) else ""
    named = asked == "name" or want == Count("names")
    column = "name" if named else _column(at, query, role, asked) if asked else ""
    columns = [] if named or not column else [column]
    if query.ordinal is not None:
        if not role.time:
            raise LogicError(f"A {query.source.role.replace('_', ' ')} has no time to order by.")
        columns.append(role.time)
    # Where a table has several rows a stay, a record is the stay, not the row.
    is_stay = role.stay != "" and at.stay_kind(role.stay).table == role.table
    if is_stay:
        columns.append(role.key)
    rows = records(
        at,
        query.source,
        query.patients,
        query.during,
        query.windows,
        columns=tuple(dict.fromkeys(columns)),
        named=named,
    )
    match want:
        case Count(of="patients"):
            answer = f"COUNT(DISTINCT {at.patient_column(role)}) AS patients"
        case Count(of="names"):
            answer = "COUNT(DISTINCT name) AS names"
        case Count():
            answer = f"COUNT({f'DISTINCT {role.key}' if is_stay else '*'}) AS records"
        case Exists():
            answer = "COUNT(*) > 0 AS found"
        case Aggregate(function=function):
            answer = f"{_FUNCTIONS[function]}({column}) AS {function}"
        case Field():
            _field_answer(at, query, role, rows, column, distinct=named or is_stay)
            return
    at.add("answer", select(answer, rows), rows)


def _field_answer(at: Compilation, query: Query, role: Role, rows: str, column: str, *, distinct: bool) -> None:
    if query.ordinal is None:
        order = f"\nORDER BY {column}" if column in (role.time, role.end) else ""
        at.add("answer", select(f"DISTINCT {column}" if distinct else column, rows) + order, rows)
        return
    nth, direction = abs(query.ordinal), "ASC" if query.ordinal > 0 else "DESC"
    ties = isinstance(query.want, Field) and query.want.name in at.profile.ties
    skip = f" OFFSET {nth - 1}" if nth > 1 else ""
    if len(query.patients.ids) != 1:
        rank = "DENSE_RANK" if ties else "ROW_NUMBER"
        over = f"{rank}() OVER (PARTITION BY {at.patient_column(role)} ORDER BY {role.time} {direction}) AS nth"
        ranked = at.add("ranked", select(f"{column}, {over}", rows), rows)
        at.add("answer", select(column, ranked, [f"nth = {nth}"]), ranked)
    elif ties:
        moment = f"SELECT DISTINCT {role.time} FROM {rows} ORDER BY {role.time} {direction} LIMIT 1{skip}"
        at.add("answer", select(column, rows, [f"{role.time} = ({moment})"]), rows)
    else:
        at.add("answer", select(column, rows) + f"\nORDER BY {role.time} {direction}\nLIMIT 1{skip}", rows)


def _column(at: Compilation, query: Query, role: Role, asked: str) -> str:
    if asked == "value" and role.wide:
        columns = [role.wide[name] for name in query.source.names if name in role.wide]
        if len(columns) != 1:
            raise LogicError("Name the one measurement whose value you want.", next_step='value of vital "…" of …')
        return columns[0]
    return at.column(role, query.source.role, asked)
