"""Query logic to SQL, through a profile.

The result is a short list of named steps, each a SELECT that may name earlier steps as tables: the patients in
question (`cohort`), the stays (`stays`), the records (`lab_rows`), and last the `answer`. The same steps make the code
plan, one statement each, and the flat SQL, one WITH clause each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.errors import LogicError
from ehrtui.logic.model import (
    Aggregate,
    Combined,
    Count,
    Elapsed,
    Exists,
    Field,
    Fields,
    Logic,
    Meaning,
    Mortality,
    Ordered,
    Peak,
    Percentile,
    Query,
    Rows,
    Source,
    StayCost,
    Survival,
    Top,
)
from ehrtui.logic.numbers import (
    belongs_to_stay,
    beside_patient_or_stay,
    counts_by,
    number_over,
    own_column,
    patients_by,
)
from ehrtui.logic.ordering import ordered
from ehrtui.logic.outcomes import mortality, peak, percentile, stay_cost, survival
from ehrtui.logic.relations import cohort, field_column, how_often, is_stays, length_of, patient_condition, records
from ehrtui.logic.steps import Compilation, EarlierTurn, SqlStep, group_of, identifier, literal, select
from ehrtui.schema.profile import GUESSED, Profile, Role

_SETS = {"except": "EXCEPT", "and": "INTERSECT", "or": "UNION"}


def compile_logic(logic: Logic, profile: Profile, *, now: str, turns: Mapping[int, EarlierTurn]) -> tuple[SqlStep, ...]:
    """The steps that answer `logic`, the last named "answer". Tokens (`PREV_RESULTn`) stand for earlier turns.

    Raises LogicError for a role or field that the profile lacks, an impossible time, or a turn without a result.
    """
    at = Compilation(profile, now, turns)
    match logic:
        case Query():
            _query(at, logic, "answer")
        case Rows():
            _rows_of(at, logic)
        case Combined():
            _combined(at, logic)
        case Ordered():
            ordered(at, logic)
        case Elapsed():
            _elapsed(at, logic)
        case Meaning():
            _meaning(at, logic)
        case StayCost():
            stay_cost(at, logic)
        case Peak():
            peak(at, logic)
        case Percentile():
            percentile(at, logic)
        case Survival():
            survival(at, logic)
        case Mortality():
            mortality(at, logic)
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
    columns = at.turn(logic.turn).columns
    token = f"(PREV_RESULT{logic.turn})"
    if logic.count:
        at.add("answer", select("COUNT(*) AS rows", token))
    elif logic.function is not None:
        number_over(at, "answer", token, logic.function, identifier(columns[-1]))
    elif logic.ordinal is None:
        at.add("answer", select("*", token))
    else:
        nth, direction = abs(logic.ordinal), "" if logic.ordinal > 0 else " DESC"
        numbered = at.add("numbered", select("*, ROW_NUMBER() OVER () AS nth", token))
        kept = ", ".join(map(identifier, columns))
        at.add("answer", select(kept, numbered) + f"\nORDER BY nth{direction}\nLIMIT 1 OFFSET {nth - 1}", numbered)


def _combined(at: Compilation, logic: Combined) -> None:
    left, first = _side(at, logic.left, "left_answer")
    right, second = _side(at, logic.right, "right_answer")
    if logic.operator in _SETS:
        at.add("answer", f"{select(first, left)}\n{_SETS[logic.operator]}\n{select(second, right)}", left, right)
        return
    if logic.operator == "beside":
        names = _names_beside(logic.left, logic.right)
        both = f"{left}.{first} AS {names[0]}, {right}.{second} AS {names[1]}"
        at.add("answer", select(both, f"{left}\nLEFT JOIN {right} ON 1"), left, right)
        return
    if logic.left == logic.right:
        raise LogicError(
            "Both sides of the comparison are the same, so it says nothing.", next_step="Change one of the two sides."
        )
    one, other = f"(SELECT {first} FROM {left})", f"(SELECT {second} FROM {right})"
    if logic.operator == "%":
        at.add("answer", f"SELECT 100.0 * {one} / {other} AS percent", left, right)
        return
    name = "difference" if logic.operator == "-" else "holds"
    at.add("answer", f"SELECT {one} {logic.operator} {other} AS {name}", left, right)


def _names_beside(left: Query | Rows, right: Query | Rows) -> tuple[str, str]:
    """Names for the columns of two values side by side: what they are of, which of several, or which number."""
    if isinstance(left, Query) and isinstance(right, Query):
        if left.source.names and right.source.names and left.source.names != right.source.names:
            return identifier(left.source.names[0]), identifier(right.source.names[0])
        if (left.ordinal, right.ordinal) in ((1, -1), (-1, 1)):
            return ("first_value", "last_value") if left.ordinal == 1 else ("last_value", "first_value")
        if isinstance(left.want, Aggregate) and isinstance(right.want, Aggregate) and left.want != right.want:
            return left.want.function, right.want.function
    return "one", "other"


def _side(at: Compilation, side: Query | Rows, name: str) -> tuple[str, str]:
    """Add the steps of one side; returns its step and column."""
    if isinstance(side, Query):
        return _single(at, side, name)
    columns = at.turn(side.turn).columns
    if len(columns) != 1:
        raise LogicError(
            f"A{side.turn} has {len(columns)} columns ({', '.join(columns)}), so it cannot be compared as it is.",
            next_step="Ask for one of its columns first.",
        )
    return at.add(name, select(identifier(columns[0]), f"(PREV_RESULT{side.turn})")), identifier(columns[0])


def _single(at: Compilation, query: Query, name: str) -> tuple[str, str]:
    """The steps of a query whose answer is one column. Raises LogicError for another."""
    if query.by or isinstance(query.want, Fields):
        raise LogicError(
            "Several columns side by side cannot be compared.", next_step="Ask for one field, without groups."
        )
    return _query(at, query, name)


def _elapsed(at: Compilation, logic: Elapsed) -> None:
    moment, column = _single(at, logic.query, "moment")
    factor = 24 if logic.unit == "hour" else 1
    passed = f"{factor} * (strftime('%J', {literal(at.now)}) - strftime('%J', {column})) AS {logic.unit}s"
    at.add("answer", select(passed, moment), moment)


def _meaning(at: Compilation, logic: Meaning) -> None:
    dictionaries = [role.dictionary for role in at.profile.roles.values() if role.dictionary]
    entries = [one for one in dictionaries if one.long or one.short]
    if not entries:
        raise LogicError("This database has no long names of diagnoses or procedures.")
    parts = [
        select(f"{one.long or one.name} AS meaning", at.relation(one.table), [f"{one.name} = {literal(logic.name)}"])
        for one in entries
    ]
    at.add("answer", "\nUNION\n".join(parts))


def _query(at: Compilation, query: Query, name: str) -> tuple[str, str]:
    """Add the steps of one query, the last called `name`; returns that step and its column."""
    if query.source.role == "patient":
        return _patients_answer(at, query, name)
    return _records_answer(at, query, name)


def _patients_answer(at: Compilation, query: Query, name: str) -> tuple[str, str]:
    if query.during or query.windows or query.ordinal is not None or query.after or query.times:
        raise LogicError(
            "Patients themselves have no time.",
            why="A stay or a time window must belong to a kind of record.",
            next_step="Put it into a condition: patients with (admission in 2104)",
        )
    patient = at.patient_table().id
    if query.by:
        if not isinstance(query.want, Count):
            raise LogicError(
                "Patients themselves can only be counted by a field.",
                next_step="Take the number over a kind of record: mean age of admission by gender",
            )
        return patients_by(at, query.patients, query.by, name), "patients"
    if isinstance(query.want, Field | Fields | Aggregate) and query.want != Field("id"):
        role = at.role("patient")
        match query.want:
            case Fields(names=names):
                asked = names
            case Field(name=one) | Aggregate(field=one):
                asked = (one,)
        column = ", ".join(at.column(role, "patient", field) for field in asked)
        who = patient_condition(at, query.patients, patient)
        known = f"{patient} IS NOT NULL" if at.profile.name == GUESSED else ""
        people = select(f"DISTINCT {patient}, {column}", at.relation(role.table), [who.sql, known])
        rows = at.add("patient_rows", people, who.uses)
        if isinstance(query.want, Field | Fields):
            return at.add(name, select(column, rows), rows), column
        function = query.want.function
        return number_over(at, name, rows, function, column, uses=(rows,)), function
    people = cohort(at, query.patients)
    match query.want:
        case Count():
            return at.add(name, select("COUNT(*) AS patients", people), people), "patients"
        case Exists():
            return at.add(name, select("COUNT(*) > 0 AS found", people), people), "found"
        case _:
            return at.add(name, select(patient, people), people), patient


def _records_answer(at: Compilation, query: Query, name: str) -> tuple[str, str]:
    role, want = at.role(query.source.role), query.want
    if query.by and not isinstance(want, Count | Aggregate):
        raise LogicError(
            "Only a count or another number is taken by a field.", next_step="Leave out what follows “by”."
        )
    asked = want.name if isinstance(want, Field) else want.field if isinstance(want, Aggregate) else ""
    if asked == "length":
        return _length(at, query, role, name)
    if asked == "cost":
        return _cost(at, query, role, name)
    if isinstance(want, Fields):
        return _side_by_side(at, query, role, want.names, name)
    named = asked == "name" or (isinstance(want, Count) and want.of == "names")
    column = "name" if named else field_column(at, query.source, asked) if asked else ""
    columns = [] if named or not column else [column]
    per = want.per if isinstance(want, Aggregate | Count) else None
    if query.ordinal is not None or per:
        _need_time(query.source, role)
        columns.append(role.time)
    is_stay = is_stays(at, query.source.role)
    if is_stay:
        columns.append(role.key)
    if isinstance(want, Top):
        return _top(at, query, role, want.count, name)
    rows, groups = _in_groups(at, query, role, tuple(dict.fromkeys(columns)), named)
    if query.times:
        often = select(column, rows) + f"\nGROUP BY {column}\nHAVING {how_often(query.times)}"
        return at.add(name, often, rows), column
    if per:
        groups = {per: group_of(role.time, per), **groups}
    match want:
        case Count(of=of):
            own = f"DISTINCT {role.key}" if is_stay else "*"
            counted = {"patients": f"DISTINCT {at.patient_column(role)}", "names": "DISTINCT name", "records": own}[of]
            return counts_by(at, name, rows, counted, of, groups), of
        case Exists():
            return at.add(name, select("COUNT(*) > 0 AS found", rows), rows), "found"
        case Aggregate(function=function) if query.ordinal is not None:
            single = replace(query, want=Field(want.field))
            beside = ", ".join([column, *groups.values()])
            values, _ = _field_answer(at, single, role, rows, beside, "values_then", distinct=False)
            return number_over(at, name, values, function, column, groups=groups, uses=(values,)), function
        case Aggregate(function=function):
            shown = bool(query.by)  # a number for each calendar unit stands alone, as EHRSQL has it
            return number_over(at, name, rows, function, column, groups=groups, shown=shown, uses=(rows,)), function
    return _field_answer(at, query, role, rows, column, name, distinct=named or is_stay or asked == "stay")


def _in_groups(
    at: Compilation, query: Query, role: Role, columns: tuple[str, ...], named: bool
) -> tuple[str, dict[str, str]]:
    """The records of a query, and the column of the field that a number is taken by, if it is by one."""
    source, by = query.source, query.by
    if not by:
        return records(at, query, query.patients, columns=columns, named=named), {}
    own = own_column(role, by)
    if own == "name":
        return records(at, query, query.patients, columns=columns, named=True), {own: own}
    if own:
        return records(at, query, query.patients, columns=columns, also=(own,), named=named), {own: own}
    stay = "hospital stay" if belongs_to_stay(at, source, by) else ""
    if stay and query.after is not None and query.after.link.unit == "icu stay":
        raise LogicError(f"Events of the same ICU stay cannot be grouped by {by}.", next_step="Leave out the group.")
    rows = records(at, query, query.patients, columns=columns, named=named, stay=stay)
    joined, column = beside_patient_or_stay(at, rows, source, by)
    return joined, {column: column}


def _side_by_side(at: Compilation, query: Query, role: Role, names: tuple[str, ...], name: str) -> tuple[str, str]:
    """Several fields of each record, in the order of their time where that is asked; those without a value are left
    out where that is asked."""
    source = query.source
    if "value" in names and not (role.value or role.wide):
        raise LogicError(f"A {source.role.replace('_', ' ')} has no value.", next_step="Ask for its other fields.")
    named = {one: "name" if one == "name" else field_column(at, source, one) for one in names}
    if len({*named.values()}) < len(names):
        raise LogicError("A field is asked for twice.", next_step="Name each field once.")
    if query.ordinal is not None:
        _need_time(source, role)
    needed = tuple(dict.fromkeys([*(named[one] for one in ("value", "time") if one in named)]))
    if query.ordinal is not None:
        needed = tuple(dict.fromkeys([*needed, role.time]))
    also = tuple(column for one, column in named.items() if one != "name" and column not in needed)
    rows = records(at, query, query.patients, columns=needed, also=also, named="name" in named)
    columns = ", ".join(named.values())
    if query.times:
        raise LogicError("Only names can be asked for by how often they occur.", next_step="Ask for the name alone.")
    if query.ordinal is None and role.time in named.values():
        return at.add(name, select(columns, rows) + f"\nORDER BY {role.time}", rows), columns
    return _field_answer(at, query, role, rows, columns, name, distinct=True)


def _need_time(source: Source, role: Role) -> None:
    if not role.time:
        raise LogicError(f"A {source.role.replace('_', ' ')} has no time to order by.")


def _field_answer(
    at: Compilation, query: Query, role: Role, rows: str, column: str, name: str, *, distinct: bool
) -> tuple[str, str]:
    if query.ordinal is None:
        order = f"\nORDER BY {column}" if column in (role.time, role.end) else ""
        return at.add(name, select(f"DISTINCT {column}" if distinct else column, rows) + order, rows), column
    nth, direction = abs(query.ordinal), "ASC" if query.ordinal > 0 else "DESC"
    asked = (query.want.name,) if isinstance(query.want, Field) else getattr(query.want, "names", ())
    ties = not set(asked).isdisjoint(at.profile.ties)
    skip = f" OFFSET {nth - 1}" if nth > 1 else ""
    if len(query.patients.ids) != 1:
        rank = "DENSE_RANK" if ties else "ROW_NUMBER"
        over = f"{rank}() OVER (PARTITION BY {at.patient_column(role)} ORDER BY {role.time} {direction}) AS nth"
        ranked = at.add("ranked", select(f"{column}, {over}", rows), rows)
        return at.add(name, select(column, ranked, [f"nth = {nth}"]), ranked), column
    if ties:
        moment = f"SELECT DISTINCT {role.time} FROM {rows} ORDER BY {role.time} {direction} LIMIT 1{skip}"
        return at.add(name, select(column, rows, [f"{role.time} = ({moment})"]), rows), column
    return at.add(name, select(column, rows) + f"\nORDER BY {role.time} {direction}\nLIMIT 1{skip}", rows), column


def _top(at: Compilation, query: Query, role: Role, count: int, name: str) -> tuple[str, str]:
    """The names of the items whose DENSE_RANK by number of records is at most `count`."""
    if not role.item:
        raise LogicError(f"A {query.source.role.replace('_', ' ')} has no name to rank by.")
    rows = records(at, query, query.patients, columns=(role.item,))
    places = f"{role.item}, DENSE_RANK() OVER (ORDER BY COUNT(*) DESC) AS place"
    ranked = at.add("ranked", select(places, rows) + f"\nGROUP BY {role.item}", rows)
    if role.dictionary is None:
        return at.add(name, select(role.item, ranked, [f"place <= {count}"]), ranked), role.item
    entry = role.dictionary
    among = f"{entry.key} IN (SELECT {role.item} FROM {ranked} WHERE place <= {count})"
    return at.add(name, select(f"{entry.name} AS name", at.relation(entry.table), [among]), ranked), "name"


def _length(at: Compilation, query: Query, role: Role, name: str) -> tuple[str, str]:
    """How long stays lasted, in days (with fractions)."""
    days = length_of(query.source.role, role)
    rows, groups = _in_groups(at, query, role, (role.time, role.end), named=False)
    if isinstance(query.want, Aggregate):
        function, per = query.want.function, query.want.per
        groups = {per: group_of(role.time, per), **groups} if per else groups
        return number_over(at, name, rows, function, days, groups=groups, uses=(rows,)), function
    if query.ordinal is None:
        return at.add(name, select(f"{days} AS length", rows), rows), "length"
    nth, direction = abs(query.ordinal), "ASC" if query.ordinal > 0 else "DESC"
    ordered = select(f"{days} AS length", rows) + f"\nORDER BY {role.time} {direction}\nLIMIT 1 OFFSET {nth - 1}"
    return at.add(name, ordered, rows), "length"


def _cost(at: Compilation, query: Query, role: Role, name: str) -> tuple[str, str]:
    """The distinct amounts that were charged for such records."""
    costs = at.profile.costs
    if costs is None or query.source.role not in costs.kinds or not role.row:
        raise LogicError(f"This database has no costs of a {query.source.role.replace('_', ' ')}.")
    if query.by:
        raise LogicError(
            "Costs of single records cannot be grouped.", next_step="Group the costs: sum value of cost by …"
        )
    rows = records(at, query, query.patients, columns=(role.row,))
    charged = [
        f"{costs.kind} = {literal(costs.kinds[query.source.role])}",
        f"{costs.record} IN (SELECT {role.row} FROM {rows})",
    ]
    charges = at.relation(costs.table)
    if isinstance(query.want, Aggregate):
        function = query.want.function
        return number_over(at, name, charges, function, costs.value, conditions=charged, uses=(rows,)), function
    return at.add(name, select(f"DISTINCT {costs.value} AS cost", charges, charged), rows), "cost"
