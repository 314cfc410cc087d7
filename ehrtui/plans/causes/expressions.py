"""Expressions that Calculate cannot compute."""

from __future__ import annotations

import re

from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.evidence import Case
from ehrtui.plans.literals import Literal, literal_at

_WORDS = {
    "plus": "+",
    "minus": "-",
    "times": "*",
    "multiplied by": "*",
    "divided by": "/",
    "over": "/",
    "÷": "/",
    "×": "*",
}


def _expression(case: Case) -> tuple[str, Literal | None] | None:
    call, node = case.call, case.failing
    if call is None or call.tool != "Calculate" or not call.args or not isinstance(call.args[0], str):
        return None
    return call.args[0], literal_at(case, node.args[0]) if node and node.args else None


def variable_in_expression(case: Case) -> Diagnosis | None:
    """The name of a variable, where its value should be."""
    found = _expression(case)
    if found is None:
        return None
    text, literal = found
    names = [step.variable for step in case.steps if step.variable and step.type != "Table"]
    named = next((name for name in names if re.search(rf"\b{name}\b", text)), None)
    if named is None:
        return None
    repair = None
    if literal and not literal.formatted:
        inner = re.sub(rf"\{{?\b({'|'.join(names)})\b\}}?", r"{\1}", literal.inner)
        repair = literal.written(inner, formatted=True)
    step = case.variable(named)
    return Diagnosis(
        "a list passed as text" if step and step.type == "list" else "a variable passed as text",
        f"The expression holds the word {named}, not the value of that variable.",
        case.line,
        repair,
        0.9,
        (f'Calculate(f"… {{{named}}}")',),
    )


def words_in_expression(case: Case) -> Diagnosis | None:
    """Arithmetic in words."""
    found = _expression(case)
    if found is None or "not an expression" not in case.why:
        return None
    text, literal = found
    spelt = literal.inner if literal else text
    for word, sign in _WORDS.items():
        spelt = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", sign, spelt)
    repair = literal.written(spelt) if literal and spelt != literal.inner else None
    return Diagnosis(
        "wrong expression", case.why, case.line, repair, 0.75, (case.error.next_step,) if case.error else ()
    )
