"""A statement as a tree: one line for each set and condition, each of which knows what it stands for."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from ehrtui.logic.algebra.model import AnyOf, Has, Set, Statement, Test
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.algebra.tallies import Tally, tallies, with_counts
from ehrtui.logic.algebra.tree import drawn, nodes, tree
from tests.logic.algebra.written import statements


@pytest.mark.parametrize(
    ("logic", "lines"),
    [
        (
            """percent (hospital death = 1) of hospital stays
               where (age >= 65 or without prescription like "furosemide*") with diagnosis code "428.*" """,
            """
percent (hospital death = 1)
└─ hospital stays
   ├─ any of
   │  ├─ age >= 65
   │  └─ without prescription like "furosemide*"
   └─ with diagnosis code "428.*"
""",
        ),
        (
            """for each patient with at least 2 (lab "Creatinine" where value > 2):
               id, (value of last lab "Creatinine") - (value of first lab "Creatinine")""",
            """
id, [difference]
├─ patients
│  └─ with at least 2 lab "Creatinine"
│     └─ value > 2
└─ -
   ├─ value
   │  └─ last lab "Creatinine"
   └─ value
      └─ first lab "Creatinine"
""",
        ),
        (
            '(patients with diagnosis) except (patients where not (age > 5 and gender = "F"))',
            """
except
├─ patients
│  └─ with diagnoses
└─ patients
   └─ not
      └─ all of
         ├─ age > 5
         └─ gender = "F"
""",
        ),
        (
            "mean length, count of icu stays by gender ordered by mean length descending first 3",
            """
mean length, count by gender ordered by mean length descending first 3
└─ icu stays
""",
        ),
    ],
)
def test_it_is_drawn_as_a_tree(logic: str, lines: str) -> None:
    assert drawn(tree(parse_statement(" ".join(logic.split())))) == lines.strip()


def test_every_line_knows_what_it_stands_for() -> None:
    root = tree(parse_statement("patients where (age > 5 or age < 2) with lab"))
    found = {node.text: node.of for node in nodes(root)}
    assert isinstance(found["patients"], Set)
    assert isinstance(found["with labs"], Has)
    assert isinstance(found["any of"], AnyOf)
    assert isinstance(found["age > 5"], Test)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(statements())
def test_any_statement_is_drawn_with_a_line_for_each_node(statement: Statement) -> None:
    root = tree(statement)
    assert drawn(root).count("─ ") >= len(list(nodes(root))) - 1
    assert all(node.text.strip() == node.text and node.text for node in nodes(root))


def test_sets_and_their_conditions_are_counted_each_by_itself() -> None:
    statement = parse_statement(
        'count of patients where (age > 60 or with diagnosis "A") with (hospital stay where admission type = "URGENT")'
    )
    counted = {place: render_statement(one) for place, one in tallies(tree(statement))}
    assert [drawn(tree(statement)).split("\n")[place].lstrip("│├└─ ") for place in counted] == [
        "patients",
        "any of",
        "age > 60",
        'with diagnosis "A"',
        "with hospital stays",
    ]
    assert counted[3] == "count of (patients where age > 60)"
    assert with_counts(tree(statement), {1: Tally(12000)}).split("\n")[1].endswith(" 12,000")


def test_conditions_that_must_all_hold_say_how_many_are_left_from_top_to_bottom() -> None:
    statement = parse_statement('patients where gender = "F" with diagnosis "A" without prescription "B"')
    counted = dict(tallies(tree(statement)))
    left = 'count of (patients with diagnosis "A"), count of (patients where gender = "F" with diagnosis "A")'
    assert render_statement(counted[2]) == left
    told = with_counts(tree(statement), {0: Tally(0), 1: Tally(8, 8), 2: Tally(3, 0), 3: Tally(1, 0)}).split("\n")
    assert "8 → 8" in told[1]
    assert "∅ nobody" in told[2]
    assert "nobody" not in told[3]
