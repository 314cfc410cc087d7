"""The conditions of a FilterDB are not what its grammar asks for, or compare what cannot be compared."""

from __future__ import annotations

import re

from ehrtui.errors import ToolError
from ehrtui.plans.absence import ALIKE
from ehrtui.plans.causes.through import through
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import edited, span
from ehrtui.plans.evidence import Case
from ehrtui.plans.filter_conditions import Condition, parse_conditions, read_conditions
from ehrtui.plans.handles import Table
from ehrtui.plans.links import Link, is_dictionary, links_of
from ehrtui.plans.literals import conditions_of
from ehrtui.plans.sql_words import likeness
from ehrtui.plans.stored import NUMBER, Place, nearest_stored, places_of, tie

_COLUMN = r"(?P<column>[^\W\d]\w*)"
_FIXES: tuple[tuple[str, str], ...] = (
    (rf"\s*(?:\band\b|&&?|;|,)\s*(?={_COLUMN}\s*(?:[<>=!]|in\b|like\b|is\b|between\b|not\b))", "||"),
    (r"\s*(?:\band\b|&&?|;|,)\s*(?=(?:max|min)\s*\()", "||"),
    (rf"{_COLUMN}\s+not\s+between\s+\S+\s+and\s+\S+", ""),
    (rf"{_COLUMN}\s+between\s+(?P<low>\S+)\s+and\s+(?P<high>[^|]+)", r"\g<column>>=\g<low>||\g<column><=\g<high>"),
    (
        rf"{_COLUMN}\s*=\s*(?P<one>[^|\[\]]+?)\s+or\s+(?P=column)\s*=\s*(?P<other>[^|]+)",
        r"\g<column> in [\g<one>, \g<other>]",
    ),
    (r"=>", ">="),
    (r"=<", "<="),
    (r"===", "="),
    (r"!==|\s+is\s+not\s+(?!null\b|none\b)", "!="),
    (r"\s+(?:equals?(?:\s+to)?|is)\s+(?!not\b|null\b|none\b)", "="),
    (r"\s*!=\s*(?:none|null|nan)\b|\s+is\s+not\s+none\b|\s+not\s+null\b", " is not null"),
    (r"\s*==?\s*(?:none|null|nan)\b|\s+is\s+none\b", " is null"),
    (r"\s+contains?\s+['\"]?(?P<part>[^|'\"]+)['\"]?", r" like %\g<part>%"),
    (r"\s+starts\s+with\s+['\"]?(?P<part>[^|'\"]+)['\"]?", r" like \g<part>%"),
    (rf"^{_COLUMN}\s*:\s*", r"\g<column>="),
)
"""What is written for what FilterDB understands, each tried by itself and then together with those before it."""


def wrong_grammar(case: Case) -> Diagnosis | None:
    """Other operators or separators than FilterDB has, where the table has all columns that are then named."""
    table = case.absent.table if case.absent else None
    columns = {column.name.lower() for column in table.columns} if table else set()
    given = case.table_given()
    columns |= {column.lower() for column in given.columns} if given else set()
    found = conditions_of(case)
    if case.absent:
        text = case.absent.wanted.conditions
    elif case.call and case.call.tool == "FilterDB" and len(case.call.args) == 2:
        text = str(case.call.args[1])
    else:
        return None
    if not columns:
        return None
    fixed = _first_fitting(text, columns)
    if fixed is None:
        return None
    repaired = _rewritten(found[1].inner) if found else None
    return Diagnosis(
        "wrong grammar",
        f"FilterDB would read these conditions as: {fixed}",
        case.line,
        found[1].written(repaired) if found and repaired else None,
        0.85,
        (fixed,),
        quotes_rows=True,
    )


def _first_fitting(text: str, columns: set[str]) -> str | None:
    fixed = _rewritten(text)
    if fixed == text:
        return None
    try:
        conditions = parse_conditions(fixed)
    except ToolError:
        return None
    return fixed if all(condition.column.lower() in columns for condition in conditions) else None


def _rewritten(text: str) -> str:
    for pattern, new in _FIXES:
        text = re.sub(pattern, new, text, flags=re.IGNORECASE)
    return text


def list_for_one_value(case: Case) -> Diagnosis | None:
    """Several values, of a list, after an operator that takes one."""
    found = conditions_of(case)
    place = _malformed_piece(case)
    if place is None or not re.search(r"[^!<>]==?\s*\[.*\]\s*$", place[1], re.DOTALL):
        return None
    repair = None
    if found:
        literal = found[1]
        piece = re.sub(r"\s*==?\s*(?=[\[{])", " in ", literal.pieces[place[0]], count=1)
        repair = literal.with_piece(place[0], piece)
    return Diagnosis(
        "many values where one is expected",
        "The condition compares a column with a list of values; ` in ` does that, `=` takes one.",
        case.line,
        repair,
        0.9,
        ("Write ` in ` for a list.",),
    )


def list_as_text(case: Case) -> Diagnosis | None:
    """The name of a variable, where its value should be."""
    found = conditions_of(case)
    if found is None:
        return None
    literal, text = found[1], found[2]
    variables = {step.variable: step for step in case.steps if step.variable}
    for index, piece in enumerate(text.split("||")):
        named = re.search(r"(?:=|\bin\b|>|<)\s*\{?\s*([^\W\d]\w*)\s*\}?\s*$", piece)
        step = variables.get(named[1]) if named else None
        if named is None or step is None or step.type in ("Table", ""):
            continue
        written = re.sub(r"\{?\s*\b" + named[1] + r"\b\s*\}?\s*$", f"{{{named[1]}}}", literal.pieces[index])
        if step.type == "list":
            written = re.sub(r"\s*==?\s*(?=\{)", " in ", written)
        return Diagnosis(
            "a list passed as text" if step.type == "list" else "a variable passed as text",
            f"The condition holds the word {named[1]}, not the value of that variable.",
            case.line,
            literal.with_piece(index, written, formatted=True),
            0.9,
            (f'Write f"… {{{named[1]}}}".',),
        )
    return None


def text_for_key(case: Case) -> Diagnosis | None:
    """A text after a column of numbers: the name of an item, or an identifier of another kind."""
    compared = _compared(case, "number")
    table, condition, index = compared if compared else (None, None, 0)
    if table is None or condition is None or table.base is None:
        return None
    value = condition.values[0]
    column = table.column(condition.column)
    places = [
        (place, link.column)
        for place in places_of(case.facts.engine, value)
        if (other := case.schema.table(place.table)) and (link := tie(case.facts.engine, table.base, other))
    ]
    keyed = [(place, key) for place, key in places if key.lower() == column.lower()]
    if not keyed:
        return _misspelt_label(case, table, column, value, index)
    place, key = keyed[0]
    identifier = any(each.is_time for each in (case.schema.table(place.table) or table.base).columns)
    return Diagnosis(
        "wrong identifier" if identifier else "missing dictionary join",
        f"{column} is a number; {value!r} is a {place.column} of {place.table}, which gives it.",
        case.line,
        through(case, index, table.base, place, key),
        0.85,
        (f"{place.table}.{place.column}",),
        changes_value=identifier,
        quotes_rows=True,
    )


def _misspelt_label(case: Case, table: Table, column: str, value: str, index: int) -> Diagnosis | None:
    """The name is misspelt as well as in the wrong column."""
    if table.base is None:
        return None
    best: tuple[float, Place, Link] | None = None
    for link in links_of(case.schema, table.base, column):
        if not is_dictionary(link.other) or tie(case.facts.engine, table.base, link.other) is None:
            continue
        for named in link.other.columns:
            if named.is_number or named.is_time:
                continue
            for near in nearest_stored(case.facts.engine, link.other, named.name, value, 1):
                alike = likeness(near, value)
                if alike >= ALIKE and (best is None or alike > best[0]):
                    best = alike, Place(link.other.name, named.name, near), link
    if best is None:
        return None
    _, place, link = best
    return Diagnosis(
        "missing dictionary join",
        f"{column} is a number. The nearest name is {place.value!r}, a {place.column} of {place.table}.",
        case.line,
        through(case, index, table.base, place, link.column),
        0.6,
        (place.value,),
        changes_value=True,
        quotes_rows=True,
    )


def year_for_a_date(case: Case) -> Diagnosis | None:
    """A year, where whole dates are stored."""
    compared = _compared(case, "time")
    if compared is None or not re.fullmatch(r"\d{4}", compared[1].values[0]):
        return None
    _, condition, index = compared
    year = int(condition.values[0])
    spelled = {
        ">": f">={year + 1}-01-01",
        ">=": f">={year}-01-01",
        "<": f"<{year}-01-01",
        "<=": f"<{year + 1}-01-01",
        "=": f" like {year}-%",
        "in": "",
        "!=": "",
    }[condition.operator]
    found = conditions_of(case)
    return Diagnosis(
        "year where a date is stored",
        f"{condition.column} holds whole dates, and the plan compares it with the year {year}.",
        case.line,
        found[1].with_piece(index, f"{condition.column}{spelled}") if found and spelled else None,
        0.85,
        (f"{condition.column}{spelled}",) if spelled else (),
    )


def another_date_format(case: Case) -> Diagnosis | None:
    """A date as people write it, where YYYY-MM-DD is stored."""
    compared = _compared(case, "date")
    found = conditions_of(case)
    if compared is None:
        return None
    _, condition, index = compared
    value = condition.values[0]
    parts = re.fullmatch(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:\s+(\d{1,2}:\d{2}(?::\d{2})?))?", value)
    other = re.fullmatch(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})", value)
    spelt, sure = "", 0.85
    if other:
        spelt = f"{other[1]}-{int(other[2]):02}-{int(other[3]):02}"
    elif parts:
        first, second = int(parts[1]), int(parts[2])
        month, day = (first, second) if first <= 12 else (second, first)
        sure = 0.8 if first > 12 or second > 12 or first == second else 0.45
        spelt = f"{parts[3]}-{month:02}-{day:02}" + (f" {parts[4]}" if parts[4] else "")
    piece = found[1].pieces[index] if found else ""
    return Diagnosis(
        "another date format",
        f"{condition.column} holds dates as YYYY-MM-DD HH:MM:SS; {value!r} is written otherwise.",
        case.line,
        found[1].with_piece(index, piece.replace(value, spelt)) if found and spelt and value in piece else None,
        sure,
        (spelt,) if spelt else ("2105-12-31",),
    )


def number_expected(case: Case) -> Diagnosis | None:
    """A word, where numbers are stored."""
    compared = _compared(case, "number")
    if compared is None:
        return None
    table, condition, _ = compared
    return Diagnosis(
        "text compared with a number",
        f"{condition.column} of {table.title} holds numbers; {condition.values[0]!r} is none.",
        case.line,
        None,
        0.8,
        ("Compare with a number, or choose the column that holds the text.",),
    )


def text_in_order(case: Case) -> Diagnosis | None:
    """Numbers that are stored as text, compared by size."""
    table = case.table_given()
    found = conditions_of(case)
    if table is None or found is None or not isinstance(case.error, ToolError):
        return None
    call, literal, text = found
    for index, condition in enumerate(read_conditions(text)):
        column = next((each for each in table.columns if each.lower() == condition.column.lower()), None)
        by_size = condition.operator in (">", ">=", "<", "<=", "max", "min")
        if column is None or not by_size or table.kind(column) != "text":
            continue
        others = [piece for place, piece in enumerate(literal.pieces) if place != index]
        if condition.operator in ("max", "min"):
            wanted = f"(SELECT {condition.operator.upper()}(CAST({column} AS REAL)) FROM rows_)"
            sql = f"SELECT * FROM rows_ WHERE CAST({column} AS REAL) = {wanted}"
        elif literal.formatted and "{" in literal.pieces[index]:
            return None
        else:
            sql = f"SELECT * FROM rows_ WHERE CAST({column} AS REAL) {condition.operator} {condition.values[0]}"
        source = case.source(call.args[0])
        kept = f"{literal.prefix}{literal.quote}{'||'.join(others)}{literal.quote}"
        rows = f"FilterDB({source}, {kept})" if others else source
        new = f'SQLInterpreter("{sql}", rows_={rows})'
        return Diagnosis(
            "wrong operator for text",
            f"{column} holds numbers as text, which {condition.operator} would put in alphabetical order.",
            case.line,
            edited(case.plan, [(*span(case.plan, call), new)]),
            0.8,
            (f"CAST({column} AS REAL)",),
        )
    return None


def malformed_conditions(case: Case) -> Diagnosis | None:
    """Conditions that cannot be read, for a reason that is not known."""
    place = _malformed_piece(case)
    if place is None or not case.error:
        return None
    return Diagnosis("wrong grammar", case.error.why, case.line, None, 0.7, (case.error.next_step,))


def _malformed_piece(case: Case) -> tuple[int, str] | None:
    """The condition that cannot be read, and its place."""
    call = case.call
    if call is None or call.tool != "FilterDB" or len(call.args) != 2 or not isinstance(call.args[1], str):
        return None
    for index, piece in enumerate(call.args[1].split("||")):
        try:
            parse_conditions(piece)
        except ToolError:
            return index, piece
    return None


def _compared(case: Case, kind: str) -> tuple[Table, Condition, int] | None:
    """The condition that compares numbers with a text ("number"), times with a number ("time"), or times with a text
    that is no date ("date")."""
    table = case.table_given()
    call = case.call
    if table is None or call is None or call.tool != "FilterDB" or len(call.args) != 2:
        return None
    for index, condition in enumerate(read_conditions(str(call.args[1]))):
        column = next((each for each in table.columns if each.lower() == condition.column.lower()), None)
        if not column or not condition.values or condition.operator == "like":
            continue
        numeric = all(NUMBER.fullmatch(value) for value in condition.values)
        stored = table.kind(column)
        wrong = {"number": stored == "number" and not numeric, "time": stored == "time" and numeric}
        wrong["date"] = stored == "time" and not numeric and not re.match(r"\d{4}-\d{2}", condition.values[0])
        if wrong[kind]:
            return table, condition, index
    return None
