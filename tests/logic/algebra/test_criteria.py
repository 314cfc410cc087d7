"""Criteria changed by the lines of the tree: what the statement is then, and what it leaves."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import criteria
from ehrtui.logic.algebra.model import Off, Rows
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.algebra.switched import switched_on
from ehrtui.logic.algebra.tree import drawn, nodes, tree
from tests.logic.algebra.written import statements

COHORT = """patients with (lab "Creatinine" where value > 2) where gender = "F" without diagnosis code "428.*" """
LINES = ["patients", 'with lab "Creatinine"', "value > 2", 'gender = "F"', 'without diagnosis code "428.*"']


def changed(change, line, text=COHORT):
    found = change(parse_statement(text), line)
    return render_statement(found[0] if isinstance(found, tuple) else found)


def plus(text):
    rows = parse_statement(f"patients {text}")
    assert isinstance(rows, Rows)
    where = rows.of.where
    assert where is not None
    return lambda statement, line: criteria.added(statement, line, (where,))


@pytest.mark.parametrize(
    ("change", "line", "logic"),
    [
        (criteria.negated, 1, 'patients without (lab "Creatinine" where value > 2) where gender = "F" '),
        (criteria.negated, 2, 'patients with (lab "Creatinine" where value <= 2) where gender = "F" '),
        (criteria.negated, 3, 'patients with (lab "Creatinine" where value > 2) where gender != "F" '),
        (criteria.switched, 3, 'patients with (lab "Creatinine" where value > 2) where off (gender = "F") '),
        (criteria.switched, 2, 'patients with (lab "Creatinine" where off (value > 2)) where gender = "F" '),
        (criteria.removed, 2, 'patients with (lab "Creatinine") where gender = "F" '),
        (criteria.removed, 1, 'patients where gender = "F" '),
        (
            lambda s, n: criteria.moved(s, n, 1),
            1,
            'patients where gender = "F" with (lab "Creatinine" where value > 2) ',
        ),
        (
            plus("where age >= 65"),
            1,
            'patients with (lab "Creatinine" where value > 2) where age >= 65 where gender = "F" ',
        ),
    ],
)
def test_one_criterion_is_changed_and_the_rest_stays(change, line, logic):
    assert [node.text for node in nodes(tree(parse_statement(COHORT)))] == LINES
    assert changed(change, line) == f'{logic}without diagnosis code "428.*"'


def test_groups_are_made_turned_and_taken_apart():
    text = changed(criteria.grouped, 3)
    whole = 'patients with (lab "Creatinine" where value > 2)'
    assert text == f'{whole} where (gender = "F" or without diagnosis code "428.*")'
    both_hold = changed(criteria.turned, 3, text)
    assert parse_statement(both_hold) == parse_statement(f'{whole} where gender = "F" without diagnosis code "428.*"')
    inner = 'patients where (age > 5 or (gender = "F" and age < 9))'
    assert changed(criteria.turned, 3, inner) == 'patients where (age > 5 or (gender = "F" or age < 9))'
    assert changed(criteria.apart, 3, text) == f'{whole} where gender = "F" without diagnosis code "428.*"'
    both = changed(criteria.grouped, 1, text)
    assert [node.text for node in nodes(tree(parse_statement(both)))][1] == "any of"
    assert len(tree(parse_statement(both)).children[0].children) == 2


def test_what_is_added_at_the_patients_comes_last_and_into_a_group_inside_it():
    assert changed(plus("where age >= 65"), 0).endswith('without (diagnosis code "428.*") where age >= 65')
    grouped = changed(criteria.grouped, 3)
    assert '(gender = "F" or age >= 65 or' in changed(plus("where age >= 65"), 4, grouped)
    assert changed(plus('with lab "Potassium"'), 0, "patients") == 'patients with lab "Potassium"'
    attrition = 'attrition of patients then with lab "Potassium"'
    assert changed(plus("where age >= 65"), 0, attrition) == f"{attrition} then age >= 65"


def test_the_same_criterion_in_two_cohorts_is_changed_in_its_own():
    one = '(patients where age >= 65 with lab "Potassium") as "old", (patients with lab "Potassium") as "all"'
    text = f"count of each of {one}"
    lines = [node.text for node in nodes(tree(parse_statement(text)))]
    at = [place for place, line in enumerate(lines) if line == 'with lab "Potassium"']
    assert changed(criteria.negated, at[1], text) == text.replace(
        '(patients with lab "Potassium") as', '(patients without lab "Potassium") as'
    )


@pytest.mark.parametrize("change", [criteria.negated, criteria.switched, criteria.removed, criteria.grouped])
def test_a_line_that_is_no_criterion_says_so(change):
    with pytest.raises(LogicError, match="no criterion"):
        changed(change, 0)
    with pytest.raises(LogicError, match="no criterion"):
        changed(change, 99)


def test_there_is_nothing_beyond_the_first_and_the_last():
    for line, by in ((1, -1), (4, 1), (2, 1)):
        with pytest.raises(LogicError, match="no criterion"):
            criteria.moved(parse_statement(COHORT), line, by)
    with pytest.raises(LogicError, match="no group"):
        changed(criteria.turned, 1)
    with pytest.raises(LogicError, match="cannot be taken away"):
        changed(criteria.removed, 2, "prevalence of (age >= 65) in patients")


def test_what_is_off_demands_nothing_and_stays_in_the_text():
    for text, left in (
        ('patients where off (gender = "F")', "patients"),
        ('patients where (gender = "F" or off (age > 5))', 'patients where gender = "F"'),
        ("patients where not (off (age > 5))", "patients"),
        ('patients with (lab "Creatinine" where off (value > 2))', 'patients with lab "Creatinine"'),
        ("attrition of patients then off (age > 5) then with labs", "attrition of patients then with labs"),
    ):
        statement = parse_statement(text)
        assert render_statement(statement) == text
        assert switched_on(statement) == parse_statement(left)
        assert "off: " in drawn(tree(statement))
    with pytest.raises(LogicError, match="switched off"):
        switched_on(parse_statement("prevalence of (off (age > 5)) in patients"))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(statements(), st.data())
def test_any_criterion_goes_off_and_on_and_round_again(statement, data):
    lines = [line for line in range(len(list(nodes(tree(statement))))) if criteria.is_criterion(statement, line)]
    if not lines:
        return
    line = data.draw(st.sampled_from(lines))
    assert criteria.switched(criteria.switched(statement, line), line) == statement
    off = criteria.switched(statement, line)
    assert len(list(nodes(tree(off)))) == len(list(nodes(tree(statement))))
    assert parse_statement(render_statement(off)) == off or isinstance(off, Off)
    text = render_statement(criteria.negated(statement, line))
    assert text != render_statement(statement)
