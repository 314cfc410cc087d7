"""Statements as nouns, where they are parts of others, and the outcomes of patients."""

from __future__ import annotations

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Answer,
    Combined,
    Difference,
    Groups,
    Meaning,
    Mortality,
    Order,
    Own,
    Rows,
    Single,
    Standing,
    Survival,
)
from ehrtui.logic.english import times
from ehrtui.logic.english.clauses import At, clause, noun
from ehrtui.logic.english.groups import key_name
from ehrtui.logic.english.measures import head, kind_name, names_of
from ehrtui.logic.english.orders import by_words
from ehrtui.logic.english.things import thing, value_of, without
from ehrtui.logic.english.words import listed, nth, numeral, plural, quoted


def after(statement: Survival, at: At) -> str:
    """Since when patients are counted, and which."""
    first = thing(statement.of, at.about(PATIENT)).bare()
    then = ""
    if statement.then is not None:
        then = f", among those who later had {thing(statement.then, at.about(PATIENT)).some()}"
    return f"{times.span(statement.count, statement.unit)} after their first {first}{then}"


@noun.register
def _rows_noun(statement: Rows, at: At) -> str:
    of, columns = without(statement.of, statement.columns), statement.columns
    rows = thing(of, at)
    own = at.about(of.unit)
    alone = rows.single and not statement.distinct and statement.order is None
    if alone and len(columns) == 1 and isinstance(columns[0], Own):
        return value_of(of, columns[0], at)
    sort = _sorted(statement.order, own)
    if statement.columns == (Own("id"),) and statement.of.unit in UNITS and not statement.distinct:
        return rows.bare(one=rows.single) + sort
    different = "different " if statement.distinct else ""
    if columns == (Own("name"),) and of.unit not in UNITS:
        return f"{different}{names_of(of.unit)} in {rows.many()}{sort}"
    return f"{different}{listed([noun(one, own) for one in columns])} of {rows.many()}{sort}"


def _sorted(order: Order | None, own: At) -> str:
    """How the rows of a part of a question are sorted, behind them."""
    if order is None:
        return ""
    first = f" up to place {order.first}" if order.first is not None else ""
    direction = "descending" if order.descending else "ascending"
    return (
        f" sorted by {direction} {by_words(order, own)}{first}{' with ties' if order.ties and not order.places else ''}"
    )


@noun.register
def _groups_noun(statement: Groups, at: At) -> str:
    own = At(at.profile, statement.of.unit)
    keys = listed([key_name(one, own, one=True) for one in statement.by])
    number = listed([head(one, own) for one in statement.columns])
    kept = f" that {clause(statement.having, own).verb}" if statement.having is not None else ""
    shown = "" if statement.asked == "all" else f" with {statement.asked} alone"
    sort = _sorted(statement.order, own)
    return f"{number} for each {keys} of {thing(statement.of, at).many()}{kept}{shown}{sort}"


@noun.register
def _single_noun(statement: Single, at: At) -> str:
    return listed([noun(one, At(at.profile)) for one in statement.columns])


@noun.register
def _answer_noun(statement: Answer, at: At) -> str:
    if statement.nth is None:
        said = f"rows of answer A{statement.turn}"
    elif statement.nth > 0:
        said = f"{nth(statement.nth)} row of answer A{statement.turn}"
    else:
        place = "last" if statement.nth == -1 else f"{nth(-statement.nth)} to last"
        said = f"{place} row of answer A{statement.turn}"
    if statement.order:
        said += f" in {statement.order} order"
    if statement.column:
        said += f" of its column {quoted(statement.column)}"
    return said if statement.first is None else f"first {statement.first} {said}"


@noun.register
def _combined_noun(statement: Combined, at: At) -> str:
    word = {"except": "but not", "and": "that are also", "or": "or", "beside": "beside"}[statement.operator]
    return f"{noun(statement.left, at)} {word} the {noun(statement.right, at)}"


@noun.register
def _standing_noun(statement: Standing, at: At) -> str:
    values = noun(statement.measure, at.about(statement.of.unit))
    rows = thing(statement.of, at).many()
    return f"rank between 0 and 1 of {numeral(statement.value)} among the {plural(values)} of {rows}"


@noun.register
def _survival_noun(statement: Survival, at: At) -> str:
    return f"share of patients who {'died' if statement.died else 'were alive'} {after(statement, at)}"


@noun.register
def _mortality_noun(statement: Mortality, at: At) -> str:
    names = names_of(statement.of.unit) if statement.top > 1 else kind_name(statement.of.unit)
    size = f"{statement.top} " if statement.top > 1 else ""
    within = times.span(statement.count, statement.unit)
    among = f" among {thing(statement.of, at).many()}" if statement.of.where or statement.of.items else ""
    return f"{size}{names} with the highest mortality {within} after a patient first had one{among}"


@noun.register
def _meaning_noun(statement: Meaning, at: At) -> str:
    return f"meaning of {quoted(statement.name)}"


@noun.register
def _difference_noun(statement: Difference, at: At) -> str:
    left, right = thing(statement.left, at).many(), thing(statement.right, at).many()
    return f"difference of the {head(statement.number, at.about(statement.left.unit))} between {left} and {right}"
