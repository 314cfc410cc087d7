"""The logic's own English: one sentence that says what a statement asks, to be read aloud to who asked."""

from __future__ import annotations

from ehrtui.logic.algebra.lower import lowered
from ehrtui.logic.algebra.model import (
    UNITS,
    Answer,
    Combined,
    Difference,
    Groups,
    Meaning,
    Mortality,
    Own,
    Rows,
    Single,
    Statement,
    Survival,
    Workflow,
)
from ehrtui.logic.algebra.switched import switched_on
from ehrtui.logic.english import conditions, measures, parts  # noqa: F401 - they fill `clause` and `noun`
from ehrtui.logic.english.clauses import At, noun
from ehrtui.logic.english.cohorts import of_workflow
from ehrtui.logic.english.groups import of_groups
from ehrtui.logic.english.listings import of_rows
from ehrtui.logic.english.measures import head
from ehrtui.logic.english.numbers import of_number, of_numbers
from ehrtui.logic.english.parts import after
from ehrtui.logic.english.things import thing
from ehrtui.logic.english.words import plural, quoted, spoken
from ehrtui.logic.model import Logic
from ehrtui.schema.profile import Profile


def sentence(statement: Statement | Logic, profile: Profile) -> str:
    """What a statement of the algebra, or a form of the offline planner, asks: one English question. The same for the
    same statement; any statement that can be written has one. Raises LogicError for a form that means nothing."""
    known = switched_on(statement) if isinstance(statement, Statement) else lowered(statement)
    text = " ".join(_question(known, At(profile)).split())
    return f"{text[0].upper()}{text[1:]}?"


def as_noun(statement: Statement, profile: Profile) -> str:
    """What a statement asks, as a noun without an article: "mean length of hospital stays"."""
    return " ".join(noun(switched_on(statement), At(profile)).split())


def _question(statement: Statement, at: At) -> str:
    match statement:
        case Single(columns=(one,)):
            return of_number(one, at)
        case Single(columns=columns):
            return of_numbers(columns, at)
        case Rows():
            return of_rows(statement, at)
        case Groups():
            return of_groups(statement, at)
        case Survival(died=died):
            return f"what share of patients {'died' if died else 'were alive'} {after(statement, at)}"
        case Difference(number=number, left=left, right=right):
            of_left, of_right = thing(left, at).many(), thing(right, at).many()
            said = head(number, at.about(left.unit)).removesuffix(" that")
            return f"by how much is the {said} higher for {of_left} than for {of_right}"
        case Meaning(name=name):
            return f"what does {quoted(name)} stand for"
        case Combined(left=left, operator=operator, right=right):
            return _combined(left, operator, right, at)
    if isinstance(statement, Workflow):
        return of_workflow(statement, at)
    return f"what {'are' if _several(statement) else 'is'} the {noun(statement, at)}"


def _several(statement: Statement) -> bool:
    match statement:
        case Answer(nth=None) | Combined():
            return True
        case Mortality(top=top):
            return top > 1
    return False


def _combined(left: Statement, operator: str, right: Statement, at: At) -> str:
    one, other = (f"the {noun(each, at)}" for each in (left, right))
    if operator == "beside" and isinstance(left, Single) and isinstance(right, Single):
        return f"{_question(left, at)}, and {_question(right, at)}"
    what = "what is"
    if isinstance(left, Rows) and left.columns == (Own("id"),) and left.of.unit in UNITS:
        what = f"which {plural(spoken(left.of.unit))} are"
    match operator:
        case "except":
            return f"{what} among {one} but not among {other}"
        case "and":
            return f"{what} both among {one} and among {other}"
        case "or":
            return f"{what} either among {one} or among {other}"
    return f"what are {one} and, beside that, {other}"
